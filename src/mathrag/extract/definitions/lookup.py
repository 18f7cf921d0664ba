"""What a document says of a symbol that it explains by a relative: `p_1` by `p`, `x_3` by `x_i`."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from mathrag.extract.definitions.statements import singular
from mathrag.extract.weights import weights
from mathrag.types.library import SymbolDefinition
from mathrag.types.symbol_names import SymbolParts, join_name, split_name

_INDICES = ("i", "j", "k", "n", "m")
_ORDINALS = {"1": "first", "2": "second", "3": "third", "4": "fourth"}
_RELATIVE = weights("definitions")["relative"]


def said_of(
    definitions: Mapping[str, Sequence[SymbolDefinition]], name: str, beside: Collection[str] = ()
) -> Sequence[SymbolDefinition]:
    """The definitions of a symbol; of one that has none and is told from others by a number, those of its relative.

    Not those of a relative that stands in the same formula (`beside`): beside a total R, R_1 is no total.
    """
    own = definitions.get(name, ())
    if own:
        return own
    parts = split_name(name)
    if not parts.subscripts or not _is_index(parts.subscripts[-1]):
        return ()
    for relative in _relatives(parts):
        found = definitions.get(join_name(relative), ())
        if found and join_name(relative) not in beside:
            ordinal = _ORDINALS.get(parts.subscripts[-1], "")
            return [_of_one(one, name, ordinal) for one in found]
    return ()


def _is_index(subscript: str) -> bool:
    return (subscript.isdigit() and subscript != "0") or subscript in _INDICES


def _relatives(parts: SymbolParts) -> Iterator[SymbolParts]:
    """The symbol with a letter for its number, then without."""
    if parts.subscripts[-1].isdigit():
        for index in _INDICES:
            yield replace(parts, subscripts=(*parts.subscripts[:-1], index))
    yield replace(parts, subscripts=parts.subscripts[:-1])


def _of_one(definition: SymbolDefinition, name: str, ordinal: str) -> SymbolDefinition:
    words = singular(definition.description)
    description = f"{ordinal} {words}" if ordinal and ordinal not in words.split() else words
    confidence = _RELATIVE * definition.confidence
    return replace(definition, name=name, description=description, letter="", confidence=confidence)
