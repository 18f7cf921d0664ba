"""Worked examples read as cases: what is asked, what comes out, and by which formulas. Judges no formula.

An example is a box that the format marks, or a run of text that a title or a lead opens ("Example 7.3"). Leads inside
it ("Strategy", "Solution for (b)", "Discussion") part the problem from the way to its result. A question in parts gives
one case for each part whose result can be told. The result is the last value that the solution states for a symbol and
that the problem did not give.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal, TypeAlias

from mathrag.compute.canonical import canonical_key
from mathrag.errors import MathragError
from mathrag.extract.formula_reader import ReadFormula
from mathrag.extract.instances import positions_of
from mathrag.extract.occurrences import bold_lead
from mathrag.extract.parts import heading_paths, parts_of
from mathrag.extract.phrases import plain_latex, tidy
from mathrag.knowledge.kinds import kind
from mathrag.knowledge.spelling import normal_words
from mathrag.knowledge.units import read_canonical_unit
from mathrag.language.parts import title_kind
from mathrag.language.quantities.finder import find_quantities
from mathrag.language.quantities.mention import Mention
from mathrag.language.quantity_names import asking_kinds, kinds_mentioned
from mathrag.language.word_classes import any_of
from mathrag.types.document import (
    Block,
    Box,
    Content,
    Display,
    Document,
    Heading,
    ListItem,
    Math,
    Paragraph,
    Place,
    Text,
    plain_text,
)
from mathrag.types.expression import (
    Equation,
    Expression,
    Measure,
    Negate,
    Number,
    Symbol,
    equation_symbols,
    substitute,
)
from mathrag.types.library import GENERAL_PURPOSES, Case, CaseFormula, Finding, Span
from mathrag.types.quantity import Dimension
from mathrag.types.symbol_names import split_name

_Kind: TypeAlias = Literal["problem", "solution", "closing"]

# A problem is a few sentences; whatever is longer is a chapter that somebody called an example.
_LONGEST_PROBLEM = 3_000
_SHORTEST_PROBLEM = 20
_MOST_BLOCKS = 120
_MOST_ANSWERING = 4
_MOST_FORMULAS = 12
_MOST_STATEMENTS = 3
_MOST_COMPARED = 20
_LONGEST_LEAD = 90
_LONGEST_TITLE = 160
_NUMBER = re.compile(r"(?:[A-Z]\.)?\d+(?:[.\-–]\d+)*")
_TITLE = re.compile(rf"(?:{any_of('parts.example_titles')})\b[\s:.–—-]*", re.IGNORECASE)
# "Solution for (b)", "Strategy a": the part that a lead is about.
_PART_OF_LEAD = re.compile(r"\s(?:\(([a-h])\)|([a-h]))[\s.:]*$")
_PART_OF_TEXT = re.compile(r"\s*\(([a-h])\)\s")
_PARTS = re.compile(r"(?:^|(?<=\s))\(([a-h])\)\s+")
_JOINED = re.compile(r"\s+(?:and|&)\s+", re.IGNORECASE)
_SENTENCE_END = re.compile(r"(?<=[.?!)])\s+(?=[A-Z(])")
_ASKS = re.compile(rf"\?|(?:^|[.,;:]\s+|\band\s+)(?:{any_of('questions.asking_verbs')})\b", re.IGNORECASE)
# An asking word with what follows it, as far as no value or other clause comes in between.
_ASKED = re.compile(rf"\b(what|how|which|{any_of('questions.asking_verbs')})\b([^?;:,.\d]{{1,120}})", re.IGNORECASE)
# What stands behind the last sign of equality of a formula.
_TAIL = re.compile(r"[=≈≃≅]([^=≈≃≅]{1,60})$")
_LATEX_UNIT = re.compile(r"\\(?:SI|qty)\s*(?:\[[^\]]*\])?\s*\{([^{}]*)\}\s*\{([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class _Example:
    """The blocks of a worked example, first to last, both inside."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class _Line:
    """The words of one block, and which part of the example they belong to."""

    block: int
    text: str
    kind: _Kind
    part: str


@dataclass(slots=True)
class _Parted:
    """An example taken apart: what it is called, and its lines."""

    title: str = ""
    number: str = ""
    lines: list[_Line] = field(default_factory=list)

    def text(self, kind: _Kind) -> str:
        """The words of all lines of a kind."""
        return tidy(" ".join(line.text for line in self.lines if line.kind == kind))

    def solution_parts(self) -> set[str]:
        """The letters of the parts that the solution names."""
        return {line.part for line in self.lines if line.kind == "solution" and line.part}

    def blocks(self, part: str) -> set[int]:
        """The blocks of the solution of a part; those that name no part belong to all, unless some do."""
        is_parted = part in self.solution_parts()
        return {line.block for line in self.lines if line.kind == "solution" and (line.part == part or not is_parted)}


def find_cases(
    document: Document, reads: Sequence[ReadFormula], findings: Sequence[Finding], *, document_id: str
) -> tuple[Case, ...]:
    """The worked examples of a document as cases, in reading order."""
    examples = _examples(document)
    if not examples:
        return ()
    paths = heading_paths(document)
    boxes = _boxes_inside(document)
    by_block: dict[int, list[ReadFormula]] = {}
    for read in reads:
        by_block.setdefault(read.occurrence.block, []).append(read)
    inside = {block for example in examples for block in range(example.first, example.last + 1)}
    used = _forms_by_block(reads, findings, inside)
    cases: list[Case] = []
    for example in examples:
        parted = _parted(document, example, boxes)
        block = document.blocks[example.first]
        for part, problem in _questions(parted):
            position = len(cases)
            span = Span(document_id, block.place, problem, paths[example.first])
            blocks = sorted(parted.blocks(part))
            told = find_quantities(problem)
            symbol, value, unit = _result([read for each in blocks for read in by_block.get(each, ())], problem, told)
            formulas = _formulas(blocks, used)
            if value is None and not formulas:
                continue
            cases.append(
                Case(
                    id=f"{document_id}/case/{position}",
                    document=document_id,
                    position=position,
                    title=parted.title,
                    number=parted.number,
                    part=part,
                    problem=problem,
                    span=span,
                    symbol=symbol,
                    value=value,
                    unit=unit,
                    formulas=formulas,
                    givens=_givens(told),
                )
            )
    return tuple(cases)


# Where the examples are.


def _examples(document: Document) -> list[_Example]:
    """Boxes with what follows them as their solution, and runs of blocks that titles and leads make examples."""
    parts = parts_of(document)
    found = [_Example(box.first_block, _with_solution(box.last_block, parts)) for box in _outermost(document.boxes)]
    is_boxed = [False] * len(parts)
    for example in found:
        for block in range(example.first, example.last + 1):
            is_boxed[block] = True
    start = -1
    for index, part in enumerate((*parts, "")):
        is_inside = index < len(parts) and part in ("example", "solution") and not is_boxed[index]
        opens = is_inside and part == "example" and _opens_example(document.blocks[index])
        if start >= 0 and (not is_inside or opens):
            found.append(_Example(start, _with_answer(index - 1, document, is_boxed)))
            start = -1
        if opens:
            start = index
    return sorted((one for one in found if one.last - one.first < _MOST_BLOCKS), key=lambda one: one.first)


def _outermost(boxes: Sequence[Box]) -> list[Box]:
    """The boxes of examples and exercises that stand in no other of them."""
    ordered = sorted(
        (box for box in boxes if box.kind in ("example", "exercise")),
        key=lambda box: (box.first_block, -box.last_block),
    )
    found: list[Box] = []
    for box in ordered:
        if not found or box.first_block > found[-1].last_block:
            found.append(box)
    return found


def _with_solution(last: int, parts: Sequence[str]) -> int:
    """The last block of the solution that follows a box directly."""
    end = last
    while end + 1 < len(parts) and parts[end + 1] == "solution" and end - last < _MOST_BLOCKS:
        end += 1
    return end


def _with_answer(last: int, document: Document, is_boxed: Sequence[bool]) -> int:
    """The last block of an example that ends with its question: the few blocks behind it answer, up to a new topic."""
    _, text = _lead_and_text(document.blocks[last])
    if not text or not _ASKS.search(_SENTENCE_END.split(text)[-1]):
        return last
    end = last
    for index in range(last + 1, min(last + 1 + _MOST_ANSWERING, len(document.blocks))):
        block = document.blocks[index]
        if isinstance(block, Heading) or is_boxed[index] or _opens_example(block) or _lead_and_text(block)[0]:
            break
        end = index
    return end


def _opens_example(block: Block) -> bool:
    if isinstance(block, Heading):
        return title_kind(plain_text(block.content)) == "example"
    if isinstance(block, Paragraph):
        opening = bold_lead(block.content) or plain_text(block.content[:1])[:_LONGEST_LEAD]
        return title_kind(opening) == "example"
    return False


def _boxes_inside(document: Document) -> dict[int, _Kind]:
    """Blocks at which a box of a problem or of a solution begins inside an example."""
    kinds: dict[str, _Kind] = {"exercise": "problem", "solution": "solution"}
    return {box.first_block: kinds[box.kind] for box in document.boxes if box.kind in kinds}


# What belongs to the problem and what to the solution.


def _parted(document: Document, example: _Example, boxes: Mapping[int, _Kind]) -> _Parted:
    found = _Parted()
    kind: _Kind = "problem"
    part = ""
    for index in range(example.first, example.last + 1):
        block = document.blocks[index]
        kind, part = boxes.get(index, kind), part if index not in boxes else ""
        lead, text = _lead_and_text(block)
        said = _lead_kind(lead)
        if said is None and (isinstance(block, Heading) or title_kind(lead) == "example"):
            if not found.title and kind == "problem" and not found.lines:
                found.number, found.title = _called(lead)
            else:
                said = None if not isinstance(block, Heading) else kind
        elif said is None:
            # A lead that names no part of an example is one of its words.
            text = f"{lead} {text}" if lead else text
        if said is not None:
            kind, part = said, _part_of_lead(lead, part if said == "closing" else "")
        elif kind == "solution" and (letter := _PART_OF_TEXT.match(text)):
            part = letter.group(1)
        if text:
            found.lines.append(_Line(index, text, kind, part))
    if not any(line.kind == "solution" for line in found.lines):
        found.lines = _split_at_question(found.lines)
    return found


def _lead_and_text(block: Block) -> tuple[str, str]:
    """The bold words that open a block, or its title, and the words after them."""
    if isinstance(block, Heading):
        return tidy(plain_text(block.content))[:_LONGEST_TITLE], ""
    if isinstance(block, Paragraph):
        lead = tidy(bold_lead(block.content))
        rest = _words(block.content)
        if lead and len(lead) <= _LONGEST_LEAD and rest.startswith(lead):
            return lead, rest[len(lead) :].strip()
        found = _TITLE.match(rest)
        number = _NUMBER.match(rest, found.end()) if found else None
        if number is not None:
            return rest[: number.end()], rest[number.end() :].lstrip(" .:)–—-")
        return "", rest
    if isinstance(block, ListItem):
        marker = f"({block.marker.strip('().')}) " if re.fullmatch(r"\(?[a-h][.)]", block.marker) else ""
        return "", tidy(marker + _words(block.content))
    if isinstance(block, Display):
        return "", _words((block.math,))
    return "", ""


def _lead_kind(lead: str) -> _Kind | None:
    """What a lead opens: the way to the result, or what is said about it afterwards."""
    if not lead:
        return None
    first = _JOINED.split(lead.rstrip(" .:"), maxsplit=1)[0]
    kind = title_kind(lead.rstrip(" .:"))
    kind = kind if kind in ("solution", "closing") else title_kind(first)
    if kind == "solution":
        return "solution"
    return "closing" if kind == "closing" else None


def _part_of_lead(lead: str, otherwise: str) -> str:
    found = _PART_OF_LEAD.search(lead)
    return otherwise if found is None else found.group(1) or found.group(2)


def _called(title: str) -> tuple[str, str]:
    """The number and the name of an example: "Example 7.3: A falling stone"."""
    opening = _TITLE.match(title)
    rest = title[opening.end() :] if opening else title
    number = _NUMBER.match(rest) if opening else None
    if number is None:
        return "", rest.strip(" .:–—-")
    return number.group(), rest[number.end() :].strip(" .:–—-()")


def _split_at_question(lines: Sequence[_Line]) -> list[_Line]:
    """An example without the word "solution": what follows the sentence that asks is the way to the result."""
    found: list[_Line] = []
    kind: _Kind = "problem"
    for line in lines:
        if kind == "solution":
            found.append(_Line(line.block, line.text, kind, line.part))
            continue
        sentences = _SENTENCE_END.split(line.text)
        asking = [place for place, sentence in enumerate(sentences) if _ASKS.search(sentence)]
        if not asking:
            found.append(line)
            continue
        cut = asking[-1] + 1 if sentences[asking[-1]].rstrip().endswith("?") else asking[0] + 1
        found.append(_Line(line.block, " ".join(sentences[:cut]), "problem", line.part))
        # Formulas further on in the same block belong to the solution as well.
        found.append(_Line(line.block, " ".join(sentences[cut:]), "solution", line.part))
        kind = "solution"
    return found if kind == "solution" else []


def _words(content: Content) -> str:
    """A content as a person would type it."""
    parts = []
    for piece in content:
        if isinstance(piece, Text):
            parts.append(piece.text)
        elif isinstance(piece, Math):
            parts.append(_typed(piece))
        else:
            parts.append(" ")
    return tidy("".join(parts))


def _typed(math: Math) -> str:
    if math.notation != "latex":
        return math.quote
    return plain_latex(_LATEX_UNIT.sub(r"\1 \2", math.source))


# The questions of an example.


def _questions(parted: _Parted) -> Iterator[tuple[str, str]]:
    """The letter and the text of each question; one without a letter where they cannot be told apart."""
    problem = parted.text("problem")
    if not _SHORTEST_PROBLEM <= len(problem) <= _LONGEST_PROBLEM:
        return
    pieces = _in_parts(problem)
    if pieces is None:
        yield "", problem
        return
    stem, asked, rest = pieces
    solved = parted.solution_parts()
    for letter, text in asked.items():
        if letter in solved:
            yield letter, tidy(f"{stem} {text} {rest}")


def _in_parts(problem: str) -> tuple[str, dict[str, str], str] | None:
    """What is told to all parts, each part, and what is told behind them; None where there is one question."""
    marks = list(_PARTS.finditer(problem))
    letters = [mark.group(1) for mark in marks]
    if len(marks) < 2 or letters != [chr(ord("a") + place) for place in range(len(marks))]:
        return None
    ends = [*(mark.start() for mark in marks[1:]), len(problem)]
    asked = {mark.group(1): problem[mark.end() : end].strip() for mark, end in zip(marks, ends, strict=True)}
    last = letters[-1]
    sentences = _SENTENCE_END.split(asked[last])
    cut = next((place + 1 for place, one in enumerate(sentences) if one.rstrip().endswith("?")), 1)
    asked[last] = " ".join(sentences[:cut])
    return problem[: marks[0].start()].strip(), asked, " ".join(sentences[cut:])


def _givens(told: Sequence[Mention]) -> tuple[str, ...]:
    """The dimensions of the values that a problem tells, each by the most usual reading of its unit."""
    found = (mention.quantities for mention in told if mention.kind in ("quantity", "number"))
    return tuple(str(each[0].dimension) for each in found if each)


# What comes out.


def _result(reads: Sequence[ReadFormula], problem: str, told: Sequence[Mention]) -> tuple[str, Decimal | None, str]:
    """The symbol, the number and the unit of the last value stated that the problem does not give, and that is of a
    kind that is asked for, where the words tell which."""
    given = {abs(float(mention.value)) for mention in told}
    asked = _asked_dimensions(problem)
    for read in reversed(reads):
        is_computed = len(read.numeric) > 1
        for symbol, number, unit in _stated_by(read):
            dimension = _dimension(unit)
            is_asked = dimension is not None and (not asked or dimension in asked)
            if is_asked and (is_computed or abs(float(number)) not in given):
                return symbol, number, unit
    return "", None, ""


def _dimension(unit: str) -> Dimension | None:
    try:
        return read_canonical_unit(unit).dimension
    except MathragError:
        return None


def _asked_dimensions(problem: str) -> frozenset[Dimension]:
    """The dimensions of all kinds of quantity that the asking words name; empty where they name none."""
    found: set[Dimension] = set()
    for asking in _ASKED.finditer(problem):
        words = normal_words(asking.group()).split()
        _, kinds = asking_kinds(words)
        found.update(kind(each).dimension for each in kinds)
        found.update(each.dimension for each, _ in kinds_mentioned(asking.group(2)))
    return frozenset(found)


def _stated_by(read: ReadFormula) -> Iterator[tuple[str, Decimal, str]]:
    """The values that a formula ends in, last first; by its words, where it could not be read as one."""
    found = False
    for equation in reversed(read.numeric):
        stated = _one_value(equation.right)
        if stated is not None:
            found = True
            yield equation.left.name if isinstance(equation.left, Symbol) else "", *stated
    if not found and read.occurrence.math.is_certain:
        tail = _TAIL.search(_typed(read.occurrence.math))
        stated = _value_in_words(tail.group(1)) if tail else None
        if stated is not None:
            yield "", *stated


def _one_value(side: Expression) -> tuple[Decimal, str] | None:
    """A side that is one value: its number and its unit."""
    if isinstance(side, Negate):
        inner = _one_value(side.operand)
        return None if inner is None else (-inner[0], inner[1])
    if isinstance(side, Measure):
        return Decimal(side.number.value), side.unit
    if isinstance(side, Number):
        return Decimal(side.value), ""
    return None


def _value_in_words(text: str) -> tuple[Decimal, str] | None:
    """A text that is one quantity and nothing else."""
    mentions = find_quantities(text)
    if len(mentions) != 1 or mentions[0].kind not in ("quantity", "number"):
        return None
    found = mentions[0]
    if (text[: found.start] + text[found.end :]).strip(" .,;"):
        return None
    return Decimal(str(found.value)), found.units[0].text if found.units else ""


# The formulas that lead there.


def _forms_by_block(
    reads: Sequence[ReadFormula], findings: Sequence[Finding], blocks: Collection[int]
) -> dict[int, list[CaseFormula]]:
    """The formulas that each of the blocks writes out or puts values into, in reading order."""
    positions = positions_of(findings, reads)
    statements = _Statements(findings)
    found: dict[int, list[CaseFormula]] = {}
    place_of: dict[tuple[str, Place], int] = {}
    for read, places in zip(reads, positions, strict=True):
        block = read.occurrence.block
        if block not in blocks:
            continue
        place_of[read.occurrence.math.quote, read.occurrence.math.place] = block
        for place in places:
            finding = findings[place]
            if finding.equation is not None:
                forms = (finding.form, *statements.of(finding))
                found.setdefault(block, []).extend(map(CaseFormula, forms))
    for finding in findings:
        for instance in finding.instances:
            put_in = place_of.get((instance.span.quote, instance.span.place))
            if put_in is not None and finding.equation is not None:
                found.setdefault(put_in, []).append(CaseFormula(finding.form, instance.values))
    return found


class _Statements:
    """The general statements of a document, to find those that an example writes with subscripts of its own:
    `p_box = m_box v_box` is `p = m v`. Looked for in the same chapter, where a letter has one meaning."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        self._by_letters: dict[tuple[str, frozenset[str]], list[Finding]] = {}
        self._keys: dict[int, str] = {}
        for finding in findings:
            if finding.purpose in GENERAL_PURPOSES and finding.status == "executable":
                letters = _letters(finding)
                if letters:
                    self._by_letters.setdefault((_chapter(finding), letters), []).append(finding)

    def of(self, finding: Finding) -> list[str]:
        """The forms of the statements that a formula is without its subscripts."""
        if finding.purpose in GENERAL_PURPOSES:
            return []
        alike = self._by_letters.get((_chapter(finding), _letters(finding)), ())
        key = self._key(finding) if alike else ""
        forms = (one.form for one in alike[:_MOST_COMPARED] if self._key(one) == key)
        return list(dict.fromkeys(forms))[:_MOST_STATEMENTS]

    def _key(self, finding: Finding) -> str:
        if finding.position not in self._keys:
            assert finding.equation is not None
            plain = {name: Symbol(_letter(name)) for name in equation_symbols(finding.equation)}
            left, right = (substitute(side, plain) for side in (finding.equation.left, finding.equation.right))
            self._keys[finding.position] = canonical_key(Equation(left, right))
        return self._keys[finding.position]


def _chapter(finding: Finding) -> str:
    return " / ".join(finding.span.headings[:2])


def _letters(finding: Finding) -> frozenset[str]:
    """The symbols of an equation without their subscripts; none where two of them would become one."""
    names = () if finding.equation is None else equation_symbols(finding.equation)
    letters = frozenset(map(_letter, names))
    return letters if len(letters) == len(names) else frozenset()


def _letter(name: str) -> str:
    parts = split_name(name)
    return f"{parts.prefix}_{parts.letter}" if parts.prefix else parts.letter


def _formulas(blocks: Sequence[int], used: Mapping[int, Sequence[CaseFormula]]) -> tuple[CaseFormula, ...]:
    """The formulas of a solution, each once, with the values that are put into it where any are."""
    found: dict[str, CaseFormula] = {}
    for block in blocks:
        for one in used.get(block, ()):
            known = found.get(one.form)
            if known is None or (one.values and not known.values):
                found[one.form] = one
    return tuple(list(found.values())[:_MOST_FORMULAS])
