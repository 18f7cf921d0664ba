"""What a program says of its own names: the remark beside an assignment, the words it is printed with, its own words.

`width = 4  # width of the belt (m)` says what the width is and its unit. The number is that of one run and is no
constant. A unit at the end of a name (`mass_kg`) is its unit; one letter is only where the name without it is one, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from mathrag.compute.grammar.word_names import is_spelled_word
from mathrag.compute.pythontext.programs import Assignment, assignments, formulas
from mathrag.documents.programs import programs_of
from mathrag.extract.definitions.records import meaning_of
from mathrag.extract.formula_reader import ReadFormula
from mathrag.language.noun_phrases import title_in_lower_case, uncapitalised
from mathrag.language.unit_text import unit_of_text
from mathrag.language.word_classes import word_class
from mathrag.types.document import Document
from mathrag.types.expression import Declined, equation_symbols
from mathrag.types.library import Span, SymbolDefinition
from mathrag.types.quantity import Dimension

PROGRAM = "program"
_BRACKET = re.compile(r"\s*[(\[](?:in )?([^()\[\]]{1,40})[)\]]\s*$")
_BEHIND_COMMA = re.compile(r",\s*(?:in )?([^\s,]{1,12})$")
_PRINTED = re.compile(
    r"\bprint\(\s*f?(?P<quote>[\"'])(?P<words>[^\"'{}:]{4,80}):?\s*(?P=quote)\s*,\s*(?P<what>[^\n\"']{1,120})"
)
_FORMATTED = re.compile(r"\bprint\(\s*f[\"'](?P<words>[^\"'{}:]{4,80}):\s*\{(?P<what>\w{1,64})(?::[^{}]{0,12})?\}")
_NAME = re.compile(r"(?<![\w.])[A-Za-z]\w*(?!\w*[.(])")
_WORDS = re.compile(r"[A-Za-z0-9][\w'’/ ,.()-]{2,120}")
_COUNTED = re.compile(r"\(in [a-z]{3,}\)$")
# In brackets these tell one direction from another.
_COORDINATES = frozenset("xyz")
_SAID_OF_RESULTS = word_class("programs.said_of_results")
_LONGEST = 90


@dataclass(frozen=True, slots=True)
class _Said:
    """The words for a name, its unit, and the block where they stand."""

    words: str
    unit: str
    block: int


def program_definitions(
    document: Document, reads: Sequence[ReadFormula], *, document_id: str
) -> tuple[SymbolDefinition, ...]:
    """A definition for every name of the programs of a document that stands in one of its formulas."""
    wanted = {
        name
        for read in reads
        if not isinstance(read.reading, Declined) and read.occurrence.math.notation == "text"
        for equation in read.equations
        for name in equation_symbols(equation)
    }
    beside: dict[str, _Said] = {}
    printed: dict[str, _Said] = {}
    names: set[str] = set()
    for index, block in programs_of(document):
        names.update(one.name for one in assignments(block.text))
        names.update(name for _, equation in formulas(block.text) for name in equation_symbols(equation))
        for found, pairs in ((beside, _remarks(block.text)), (printed, _labels(block.text))):
            for name, words, unit in pairs:
                if words:
                    found.setdefault(name, _Said(words, unit, index))
    return tuple(
        _definition(name, replace(said, unit=said.unit or _unit_in(name, names)), document, document_id)
        for name in sorted(wanted & names)
        if (said := _said_of(name, names, beside, printed)) is not None
    )


def _said_of(name: str, names: set[str], beside: dict[str, _Said], printed: dict[str, _Said]) -> _Said | None:
    """What is said of a name, by what says it best."""
    said = beside.get(name) or _in_other_unit(name, names, beside) or _in_decibels(name, beside, printed)
    return said or _own_words(name, names) or printed.get(name) or _own_words(name, names, any_word=True)


def _remarks(text: str) -> Iterator[tuple[str, str, str]]:
    """Each name with the words beside or above its assignment, and its unit."""
    every = list(assignments(text))
    for place, one in enumerate(every):
        words = one.remark or (one.above if _is_alone(every, place) else "")
        yield one.name, *_words_and_unit(words, one.name, is_title=not one.remark)


def _labels(text: str) -> Iterator[tuple[str, str, str]]:
    """Each name with the words that it is printed with."""
    for pattern in (_PRINTED, _FORMATTED):
        for found in pattern.finditer(text):
            names = set(_NAME.findall(found["what"])) - {"pi", "np", "math"}
            if len(names) == 1:
                name = names.pop()
                yield name, *_words_and_unit(found["words"], name, is_title=True)


def _is_alone(every: Sequence[Assignment], place: int) -> bool:
    """Whether a remark above stands over this one line only: what has a remark of its own needs no other."""
    following = every[place + 1] if place + 1 < len(every) else None
    return following is None or following.line != every[place].line + 1 or bool(following.remark)


def _words_and_unit(remark: str, name: str, *, is_title: bool) -> tuple[str, str]:
    """The words of a remark that name a quantity, and the unit behind them; empty for any other remark."""
    text = remark.strip(" .;:-")
    unit = ""
    for pattern in (_BRACKET, _BEHIND_COMMA):
        found = pattern.search(text)
        if found is not None and found[1] not in _COORDINATES and unit_of_text(found[1]) is not None:
            text, unit = text[: found.start()], found[1]
        elif found is not None and found[1] == name.rpartition("_")[2]:
            text = text[: found.start()]
    words = text.split()
    while words and words[0].casefold() in _SAID_OF_RESULTS:
        del words[0]
    first = words[0].casefold() if words else ""
    if first in word_class("programs.instructing"):
        # "compute the area" names what is computed; "convert to Hz" names nothing.
        words = words[1:] if first in word_class("programs.computing") else []
    if words and words[0].casefold() in ("the", "a", "an"):
        del words[0]
    text = " ".join(words)
    if not 2 < len(text) <= _LONGEST or not _WORDS.fullmatch(text) or not any(map(is_spelled_word, words)):
        return "", ""
    return title_in_lower_case(text) if is_title else " ".join([uncapitalised(words[0]), *words[1:]]), unit


def _in_other_unit(name: str, names: set[str], beside: dict[str, _Said]) -> _Said | None:
    """What is said of `width`, for `width_m`."""
    base = name.rpartition("_")[0]
    if base not in beside or not _unit_in(name, names):
        return None
    return _Said(_BRACKET.sub("", beside[base].words), "", beside[base].block)


def _in_decibels(name: str, beside: dict[str, _Said], printed: dict[str, _Said]) -> _Said | None:
    """What is said of `gain_dB`, for `gain`."""
    levels = [one for one in (*beside, *printed) if re.fullmatch(rf"{re.escape(name)}_dB[a-zA-Z]?", one)]
    found = next((beside.get(one) or printed[one] for one in levels), None)
    return None if found is None else replace(found, unit="")


def _own_words(name: str, names: set[str], *, any_word: bool = False) -> _Said | None:
    """The words that the name itself is made of: all of them words, or `any_word` beside other letters."""
    parts = (name.rpartition("_")[0] if _unit_in(name, names) else name).split("_")
    found = [is_spelled_word(part) for part in parts]
    are_words = all(part.isalpha() for part in parts) and (any(found) if any_word else all(found) and len(parts) > 1)
    return _Said(" ".join(parts), "", 0) if are_words else None


def _unit_in(name: str, names: set[str]) -> str:
    """The unit that ends a name; one letter is one where several names end in it or one goes without it."""
    base, _, last = name.rpartition("_")
    if not base or unit_of_text(last) is None:
        return ""
    is_usual = base in names or sum(one.endswith(f"_{last}") for one in names) > 1
    return last if len(last) > 1 or is_usual else ""


def _definition(name: str, said: _Said, document: Document, document_id: str) -> SymbolDefinition:
    meaning = meaning_of(said.words, unit_text=said.unit or None, name=name)
    # Counted in something that is no unit, "spacing (in wavelengths)", it is a plain number.
    is_counted = not said.unit and _COUNTED.search(said.words) is not None
    return SymbolDefinition(
        name=name,
        description=said.words,
        span=Span(document_id, document.blocks[said.block].place, said.words, ()),
        first_block=0,
        last_block=len(document.blocks) - 1,
        source=PROGRAM,
        unit=meaning.unit.text if meaning.unit is not None else None,
        dimension=Dimension() if is_counted else meaning.dimension,
        kind=None if is_counted or meaning.kind is None else meaning.kind.id,
    )
