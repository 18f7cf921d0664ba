"""Tell words from formulas where a page shows both alike: a unit in brackets, an article in bold, `[A]` in a sentence.

Works on the pieces that a page reader gave; joins no formulas and judges no meanings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from mathrag.extract.unit_text import reads_as_unit
from mathrag.types.document import Content, Document, Inline, Math, Text, contents_of

_UNIT_SIGNS = re.compile(
    r"(?:\\mathrm\{[A-Za-z]{1,6}\}|\\(?:Omega|mu|cdot|times)(?![a-zA-Z])|\\[,;]|[/() 1]|\^\{(?:\{\}\^)?\{?-?[0-9]\}?\}"
    r"|\^\{\\circ\})+"
)
_UNIT_TOKENS = re.compile(
    r"\\mathrm\{(?P<name>[A-Za-z]+)\}|\\(?P<sign>Omega|mu|cdot|times)|\^\{[{}^]*(?P<power>-?[0-9])\}*"
    r"|\^\{(?P<degree>\\circ)\}|(?P<space>\\[,;]| )|(?P<other>[/()1])"
)
_SIGNS = {"Omega": "Ω", "mu": "µ", "cdot": "·", "times": "·"}
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_BOLD_ARTICLE = re.compile(r"\\mathbf\{([aAI])\}")
_LOWERED = "₀₁₂₃₄₅₆₇₈₉"
_SPECIES = re.compile(rf"(?<![\w\])])\[([A-Z][A-Za-z0-9]{{0,11}})\]([{_LOWERED}]?)(?![\w\[({_LOWERED}])")
_IN_FORMULA = re.compile(r"\[\\mathrm\{([A-Z][A-Za-z0-9]{0,11})\}\]")
_LONGEST_UNIT = 120


def named_species(document: Document) -> frozenset[str]:
    """The species whose concentration, written in brackets, stands in a formula of the document."""
    return frozenset(
        name
        for block in document.blocks
        for content in contents_of(block)
        for piece in content
        if isinstance(piece, Math)
        for name in _IN_FORMULA.findall(piece.source)
    )


def with_words(content: Content, species: frozenset[str]) -> Content:
    """The content with its words as words and its symbols as symbols."""
    if not any(isinstance(piece, Math) for piece in content) and not species:
        return content
    pieces = list(_plain_units(content))
    pieces = _bold_articles(pieces)
    return tuple(_symbols(pieces, species)) if species else tuple(pieces)


def _plain_units(content: Content) -> Iterator[Inline]:
    before: Inline | None = None
    for piece in content:
        follows_word = isinstance(before, Text) and before.text[-1:].isspace() and before.text.strip() != ""
        if isinstance(piece, Math) and piece.is_certain and follows_word:
            unit = _unit_in_brackets(piece.source)
            before = piece
            yield Text(unit) if unit else piece
            continue
        before = piece
        yield piece


def _unit_in_brackets(source: str) -> str:
    """A formula that is nothing but a unit in brackets, as words have it: "(Ω·m)"; empty for any other."""
    source = source.strip()
    if len(source) > _LONGEST_UNIT or not (source.startswith("(") and source.endswith(")")):
        return ""
    inside = source[1:-1]
    if not inside or not _UNIT_SIGNS.fullmatch(inside):
        return ""
    written = []
    for found in _UNIT_TOKENS.finditer(inside):
        if found["power"]:
            written.append(found["power"].translate(_RAISED))
        elif found["degree"]:
            written.append("°")
        elif found["space"]:
            written.append(" ")
        else:
            written.append(found["name"] or found["other"] or _SIGNS[found["sign"]])
    unit = "".join(written).strip()
    return f"({unit})" if reads_as_unit(unit) else ""


def _bold_articles(pieces: Sequence[Inline]) -> list[Inline]:
    """An article between bold words is a word of theirs, and so is the space beside it."""
    made: list[Inline] = []
    for index, piece in enumerate(pieces):
        article = _BOLD_ARTICLE.fullmatch(piece.source) if isinstance(piece, Math) else None
        if article is None or not _is_bold(made[-1:]) or not _is_bold(pieces[index + 1 : index + 3]):
            made.append(piece)
            continue
        made.append(Text(f"{article[1]} ", bold=True))
    return [
        piece
        for index, piece in enumerate(made)
        if not (
            isinstance(piece, Text)
            and not piece.text.strip()
            and index
            and isinstance(made[index - 1], Text)
            and _is_bold(made[index - 1 : index])
            and _ends_with_space(made[index - 1])
        )
    ]


def _ends_with_space(piece: Inline) -> bool:
    """Whether a piece already ends with a space."""
    return isinstance(piece, Text) and piece.text[-1:].isspace()


def _is_bold(pieces: Sequence[Inline]) -> bool:
    """Whether the first words among these pieces are bold."""
    for piece in pieces:
        if not isinstance(piece, Text):
            return False
        if piece.text.strip():
            return piece.bold
    return False


def _symbols(pieces: Sequence[Inline], species: frozenset[str]) -> Iterator[Inline]:
    place = next((piece.place for piece in pieces if isinstance(piece, Math)), None)
    for piece in pieces:
        if not isinstance(piece, Text) or piece.bold:
            yield piece
            continue
        end = 0
        for found in _SPECIES.finditer(piece.text):
            follows = piece.text[found.end() : found.end() + 4]
            if found[1] not in species or place is None or not follows.startswith((" is ", " are", ", ", " and")):
                continue
            if found.start() > end:
                yield replace(piece, text=piece.text[end : found.start()])
            script = f"_{{{_LOWERED.index(found[2])}}}" if found[2] else ""
            yield Math(rf"[\mathrm{{{found[1]}}}]{script}", "latex", place, found[0])
            end = found.end()
        if end < len(piece.text):
            yield replace(piece, text=piece.text[end:])
