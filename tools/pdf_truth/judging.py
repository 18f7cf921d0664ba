"""One document judged: what came back right, wrong, wrong but believed, missed or invented. Prints nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from mathrag.types.document import Document, Math, Table, contents_of
from mathrag.types.expression import Reading
from pdf_truth.alignment import align
from pdf_truth.formula_lists import half_of
from pdf_truth.normal_form import is_words, normal_form
from pdf_truth.same_formula import is_side_remark, parts_of, reading_of, same_formula

_NEAR = 4
_UNIT = re.compile(r"(?: (?:[rd]:?[A-Za-z]*|/|\(|\)|\\cdot|\\mu|\\Omega|\^\{[-\d ]+\}|\^\{\\circ\}))+")
# A number, a percentage or a temperature in prose may come as a formula: nobody is misled.
_AMOUNT = re.compile(r"[\d.,\s]*(?:\^?\{?\\circ\}?)?(?:\\mathrm\{[A-Z]\})?(?:\\?%)?")


@dataclass(frozen=True, slots=True)
class Expected:
    """A formula of the source: where it stands and its half."""

    id: str
    where: str
    latex: str
    half: str


@dataclass(frozen=True, slots=True)
class Found:
    """A formula that the reader gave."""

    latex: str
    page: int | None
    confidence: float
    where: str
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one expected formula; `found` is None where nothing was. `page` is a guess where it was missed."""

    expected: Expected
    found: Found | None
    outcome: str
    is_believed: bool
    page: int | None


@dataclass(slots=True)
class Judgement:
    """Everything about one document."""

    verdicts: list[Verdict] = field(default_factory=list)
    invented: list[Found] = field(default_factory=list)
    invented_believed: list[Found] = field(default_factory=list)
    executable: int = 0


def expected_in(document: Document, name: str) -> list[Expected]:
    """The formulas of a document that was read from its source."""
    return [
        Expected(f"{name}/{index}", where, math.source, half_of(f"{name}/{math.source}"))
        for index, (math, where) in enumerate(_formulas(document))
        if math.notation == "latex" and math.source.strip()
    ]


def found_in(document: Document) -> list[Found]:
    """The formulas of a document that was read from a PDF."""
    return [
        Found(math.source, math.place.page, math.confidence, where, math.doubts)
        for math, where in _formulas(document)
        if math.source.strip()
    ]


def _formulas(document: Document) -> Iterable[tuple[Math, str]]:
    for block in document.blocks:
        for content in contents_of(block):
            for piece in content:
                if isinstance(piece, Math):
                    in_table = isinstance(block, Table)
                    yield piece, "table" if in_table else "display" if piece.is_display else _inline_kind(piece.source)


def _inline_kind(source: str) -> str:
    return "symbol" if not any(sign in source for sign in "=+-<>/(") and len(source) < 20 else "inline"


def judge(expected: Sequence[Expected], found: Sequence[Found], *, threshold: float) -> Judgement:
    """Pair, compare and count."""
    pairs = align([each.latex for each in expected], [each.latex for each in found])
    result = Judgement()
    taken = set(pairs.values())
    page: int | None = 1
    for index, truth in enumerate(expected):
        position = pairs.get(index)
        got = found[position] if position is not None else None
        page = got.page if got is not None else page
        is_right = got is not None and (
            same_formula(truth.latex, got.latex) or _has_unit_as_well(truth.latex, got.latex)
        )
        if not is_right:
            extra = _by_parts(truth.latex, found, _near(position, pairs, index), taken - {position})
            is_right = extra is not None
            taken |= extra or set()
        believed = got is not None and not is_right and _is_believed(got, threshold)
        if not is_right and is_words(truth.latex):
            continue
        outcome = "right" if is_right else "missed" if got is None else "wrong"
        result.verdicts.append(Verdict(truth, got, outcome, believed, page))
        result.executable += _is_executable(truth.latex)
    rest = [each for position, each in enumerate(found) if position not in taken]
    result.invented = [each for each in rest if not _AMOUNT.fullmatch(each.latex)]
    result.invented_believed = [each for each in result.invented if _is_believed(each, threshold)]
    return result


def _near(position: int | None, pairs: dict[int, int], index: int) -> int:
    """Where in the found list a formula must be looked for."""
    if position is not None:
        return position
    before = [pairs[each] for each in range(max(0, index - 6), index) if each in pairs]
    return max(before, default=0) + 1


def _by_parts(latex: str, found: Sequence[Found], near: int, taken: set[int]) -> set[int] | None:
    """The found formulas that are together the parts of one line; None where a part that counts is not among them."""
    parts = parts_of(latex)
    if len(parts) < 2:
        return None
    window = [
        each for each in range(max(0, near - _NEAR), min(len(found), near + _NEAR + len(parts))) if each not in taken
    ]
    used: set[int] = set()
    for number, part in enumerate(parts):
        match = next((each for each in window if each not in used and same_formula(part, found[each].latex)), None)
        if match is not None:
            used.add(match)
        elif not is_words(part) and (number == 0 or not is_side_remark(part)):
            return None
    return used or None


def _has_unit_as_well(truth: str, got: str) -> bool:
    """Whether a value came with its unit, which the source has as text behind the formula."""
    form, longer = normal_form(truth), normal_form(got)
    return form[-1:] in "0123456789}" and longer.startswith(form + " ") and bool(_UNIT.fullmatch(longer[len(form) :]))


def _is_executable(latex: str) -> bool:
    reading = reading_of(latex)
    return isinstance(reading, Reading) and bool(reading.equations)


def _is_believed(found: Found, threshold: float) -> bool:
    return found.confidence >= threshold and _is_executable(found.latex)
