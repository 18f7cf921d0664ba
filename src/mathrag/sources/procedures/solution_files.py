"""A solution as people write it, out of a text or any document that can be read: the problem, its steps, the answer.

Text and Markdown keep every sign as it was written; of other formats the words are kept with the formulas as LaTeX
between dollar signs. Judges nothing.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from mathrag.documents.registry import media_type_of, read_document
from mathrag.documents.seams import ReadingLimits, Source
from mathrag.errors import DocumentError
from mathrag.language.word_classes import any_of
from mathrag.types.document import (
    Block,
    Break,
    Code,
    Content,
    Display,
    Document,
    Heading,
    Image,
    Inline,
    ListItem,
    Math,
    Paragraph,
    Reference,
    Table,
    Text,
)
from mathrag.types.solution import Problem, Solution, SolutionStep

# Stands for a formula of a page whose signs were not all read with certainty: judging a guess would accuse the writer.
UNREAD = "[formula not read]"
# What a person writes has a hundredth of this; a book is no solution.
MOST_STEPS = 2_000
MOST_CHARACTERS = 200_000
# A solution has a few pages; whoever has a book names the page.
MOST_PAGES = 50
_TITLES = ("problem", "solution", "answer")
_AS_WRITTEN = frozenset(("text/plain", "text/markdown"))
_ITEM = re.compile(r"\s*(?:\(\d{1,3}\)|\d{1,3}[.)])\s+(?=\S)")
_BEGINS_STEP = re.compile(
    r"\s*(?:[*_#>\s]*step\s+\d{1,3}\b|(?:\(\d{1,3}\)|\d{1,3}[.)])\s+\S|[-•]\s+[^\W\d])", re.IGNORECASE
)
_ENDS_SENTENCE = re.compile(r"[.!?](?:[*_\"'”’)\]}$]|\\\)|\\\]){0,4}\s*$")
_BETWEEN_SENTENCES = re.compile(r"(?<=[.!?])(?=\s[A-Z])")
_GOES_ON_AFTER = re.compile(r"(?:[-+*/=<>≤≥≈·×÷^,(\[{&|∣:]|\\\\|\\(?:cdot|times|div|approx|leq?|geq?|equiv|sim))\s*$")
_GOES_ON_WITH = re.compile(
    r"\s*(?:[=<>≤≥≈+*/·×÷^,;.)\]}&|∣]|\\(?:cdot|times|div|approx|leq?|geq?|equiv|sim)\b|[-–−]\s*[\d.(\\$])"
)
_IN_WORDS = re.compile(r"[^\W\d_]{4,30}\s+[^\W\d_]{3}")
_STATES = re.compile(r"[=≈<>≤≥]|\\(?:approx|leq?|geq?|equiv)\b")
_STATED_AFTER_HASHES = re.compile(r"\s*#{4}\s*(\S.*)")
_QUOTED_LINE = re.compile(r"^\s{0,3}>\s?")
# One after the other, so that brackets and dollars are counted once each.
_FENCES = re.compile(r"\\\\|\\\$|\$\$|\$|\\\[|\\\]|\\\(|\\\)|\\begin\{[^{}]{1,30}\}|\\end\{[^{}]{1,30}\}")


@dataclass(frozen=True, slots=True)
class SolutionText:
    """A solution that was read, and what a reader has to know of how it was read."""

    solution: Solution
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Line:
    """A line as written, or a part of a paragraph; `begins` where a block or an item begins with it."""

    text: str
    line: int | None
    begins: bool = True
    is_title: bool = False


@dataclass(slots=True)
class _Section:
    """Lines under one title; the first section has none."""

    kind: str
    lines: list[_Line] = field(default_factory=list)


def solution_of_text(
    text: str, *, name: str = "", problem: str = "", limits: ReadingLimits | None = None
) -> SolutionText:
    """The solution in a text: plain, Markdown or LaTeX, whichever it is. It may take no further files."""
    if len(text) > MOST_CHARACTERS:
        raise _too_large(f"the text has {len(text):,} characters and at most {MOST_CHARACTERS:,} are checked")
    data = textwrap.dedent(text.replace("\r\n", "\n").replace("\r", "\n")).encode("utf-8", "replace")
    if not data.strip():
        raise DocumentError("empty", "there is nothing to check; give a solution with its steps")
    source = Source(name or "solution", data, limits=limits or ReadingLimits())
    # Program text between fences is told from steps by the reader of Markdown alone.
    media_type = "text/markdown" if b"```" in data and media_type_of(source) == "text/plain" else None
    return solution_of(read_document(source, media_type=media_type), problem=problem)


def solution_of(document: Document, *, problem: str = "", page: int | None = None) -> SolutionText:
    """The solution in a document, or on one of its pages; `problem` is the task where the document does not say it."""
    blocks = _on_page(document, page)
    notes: list[str] = []
    is_as_written = document.media_type in _AS_WRITTEN
    lines = [line for block in blocks for line in _lines_of(block, notes, is_as_written=is_as_written)]
    if sum(len(line.text) for line in lines) > MOST_CHARACTERS:
        raise _too_large(f"there are more than {MOST_CHARACTERS:,} characters")
    task, steps, answer = _parts(_sections(lines))
    if len(steps) > MOST_STEPS:
        raise _too_large(f"there are {len(steps):,} steps and at most {MOST_STEPS:,} are checked")
    if not steps:
        raise DocumentError("empty", "there is no step to check; write the steps of the solution below the problem")
    unread = sum(UNREAD in step.text for step in steps)
    if unread:
        notes.append(f"{unread} steps hold a formula that could not be read with certainty; it was not judged")
    notes += [note.message for note in document.notes if note.code == "page_failed"]
    given = problem.strip() or task
    made = Solution(tuple(steps), Problem(given) if given else None, source=document.source, answer=answer)
    return SolutionText(made, tuple(dict.fromkeys(notes)))


def _too_large(reason: str) -> DocumentError:
    return DocumentError("too_large", f"{reason}; check a part of it, or one page")


def _on_page(document: Document, page: int | None) -> Sequence[Block]:
    pages = {block.place.page for block in document.blocks if block.place.page is not None}
    if page is None:
        if len(pages) > MOST_PAGES:
            raise _too_large(f"the document has {len(pages):,} pages and at most {MOST_PAGES} are checked")
        return document.blocks
    if not pages and not document.pages:
        raise DocumentError("no_pages", "this document has no pages to choose from; leave the page out")
    found = [block for block in document.blocks if block.place.page == page]
    if not found:
        raise DocumentError("no_pages", f"there is no text on a page {page}")
    return found


# ---- lines


def _lines_of(block: Block, notes: list[str], *, is_as_written: bool) -> Iterator[_Line]:
    """The lines of a block: as they are written, or its content as text with LaTeX in it."""
    line = block.place.line
    match block:
        case Image():
            return
        case Code() if block.language:
            notes.append("program text was left out")
        case Code():
            yield from _written(block.text, line)
        case Table():
            for row in (*block.header, *block.rows):
                cells = "; ".join(filter(None, (_rebuilt(cell.content).strip() for cell in row)))
                yield _Line(cells, row[0].place.line if row else line)
        case Reference():
            yield _Line(block.text, line)
        case Display() if not is_as_written:
            yield _Line(_formula(block.math), line)
        case Heading() | Paragraph() | ListItem() | Display() if is_as_written:
            yield from _written(block.quote, line, is_title=isinstance(block, Heading))
        case Heading() | Paragraph() | ListItem():
            is_title, is_printed = isinstance(block, Heading), block.place.page is not None
            yield from _split(block.content, line, is_title=is_title, is_printed=is_printed)


def _written(quote: str, first: int | None, *, is_title: bool = False) -> Iterator[_Line]:
    for number, text in enumerate(quote.split("\n")):
        line = None if first is None else first + number
        yield _Line(_QUOTED_LINE.sub("", text).rstrip(), line, begins=not number, is_title=is_title)


def _split(content: Content, line: int | None, *, is_title: bool, is_printed: bool) -> Iterator[_Line]:
    """A paragraph of a LaTeX project or a page may hold a whole solution: each displayed formula ends a part of it,
    unless the sentence goes on behind it. On a printed page, where lines are lost, each sentence is a part."""
    parts: list[list[Inline]] = [[]]
    starts: list[int | None] = [line]
    for piece in _sentences(content) if is_printed else content:
        last = parts[-1][-1] if parts[-1] else None
        goes_on = isinstance(piece, Text) and not re.match(r"\s*[.,;]?\s*[A-Z]", piece.text)
        is_after_display = isinstance(last, Math) and last.is_display and not isinstance(piece, Break)
        is_after_sentence = is_printed and isinstance(last, Text) and bool(_ENDS_SENTENCE.search(last.text))
        if (is_after_display or is_after_sentence) and not goes_on:
            parts.append([])
            starts.append(_line_of(piece) or _line_of(last))
        parts[-1].append(piece)
    for part, start in zip(parts, starts, strict=True):
        text = _rebuilt(part).strip()
        if text.strip(" .,;"):
            yield _Line(text, start, is_title=is_title)


def _sentences(content: Content) -> Iterator[Inline]:
    for piece in content:
        if isinstance(piece, Text):
            yield from (replace(piece, text=text) for text in _BETWEEN_SENTENCES.split(piece.text) if text)
        else:
            yield piece


def _line_of(piece: Inline | None) -> int | None:
    return (piece.place.end_line or piece.place.line) if isinstance(piece, Math) else None


def _rebuilt(content: Iterable[Inline]) -> str:
    return "".join(_piece(piece) for piece in content)


def _piece(piece: Inline) -> str:
    match piece:
        case Text():
            # A dollar among words is money; it must not open a formula.
            return re.sub(r"(?<!\\)\$", r"\\$", piece.text)
        case Math():
            return _formula(piece)
        case Break():
            return "\n"


def _formula(math: Math) -> str:
    if not math.is_certain or math.notation == "mathml":
        return UNREAD
    if math.notation == "text":
        return math.quote
    return f"$${math.source}$$" if math.is_display else f"${math.source}$"


# ---- titles


@cache
def _title_pattern() -> re.Pattern[str]:
    words = (
        any_of("solutions.problem_titles"),
        any_of("solutions.solution_titles"),
        any_of("solutions.answer_titles"),
    )
    kinds = "|".join(f"(?P<{kind}>{each})" for kind, each in zip(_TITLES, words, strict=True))
    # The words, perhaps a number, and a colon; or a full stop or nothing where they stand alone on the line.
    return re.compile(
        rf"[#>*_\s]*(?:{kinds})(?:\s+\d{{1,3}}[a-z]?)?[*_\s]*(?P<end>:|\.|$)[*_]*\s*(?P<rest>.*)",
        re.IGNORECASE | re.DOTALL,
    )


def _titled(line: _Line) -> tuple[str, str] | None:
    """The kind of part that a line opens, and what follows the title on it."""
    if len(line.text) > 60 and ":" not in line.text[:60] and "." not in line.text[:60]:
        return None
    found = _title_pattern().fullmatch(line.text)
    if found is None:
        return None
    is_alone = not found["rest"].strip()
    if found["end"] != ":" and not (is_alone or line.begins):
        return None
    return next(kind for kind in _TITLES if found[kind] is not None), found["rest"].strip()


def _sections(lines: Iterable[_Line]) -> list[_Section]:
    sections = [_Section("")]
    for line in lines:
        titled = _titled(line)
        hashes = _STATED_AFTER_HASHES.fullmatch(line.text) if titled is None else None
        if titled is not None:
            kind, rest = titled
            sections.append(_Section(kind))
            if rest:
                sections[-1].lines.append(replace(line, text=rest, begins=True, is_title=False))
        elif hashes is not None and re.search(r"\d", hashes[1]) and any(section.lines for section in sections):
            # Worked solutions of many collections end with `#### 48`.
            sections.append(_Section("answer", [replace(line, text=hashes[1], is_title=False)]))
        elif line.text.strip():
            sections[-1].lines.append(line)
        else:
            sections[-1].lines.append(replace(line, text=""))
    return [section for section in sections if any(line.text for line in section.lines)]


def _parts(sections: list[_Section]) -> tuple[str, list[SolutionStep], str]:
    """The problem, the steps and the answer."""
    task, work = _task_and_work(sections)
    answers = [section for section in work if section.kind == "answer"]
    # "Question … Answer …" with the whole working under the answer: then that is the solution.
    is_worked = any(section.kind != "answer" for section in work)
    answer = _joined(_groups(answers[-1].lines)[0]) if answers and (is_worked or _is_short(answers[-1])) else ""
    steps = [step for section in work for step in _steps(section.lines)]
    return task, steps, answer


def _task_and_work(sections: list[_Section]) -> tuple[str, list[_Section]]:
    """The text of the problem, and the sections that are worked in. What stands before the title of a solution is its
    problem, also without a title of its own; where only the problem has a title, it is its first paragraph."""
    kinds = [section.kind for section in sections]
    answers = [section for section in sections if section.kind == "answer"]
    has_end = "solution" in kinds or any(not _is_short(section) for section in answers)
    first = kinds.index("solution") if "solution" in kinds else 0
    task: list[str] = []
    work: list[_Section] = []
    for place, section in enumerate(sections):
        is_untitled_task = section.kind == "" and place < first and "problem" not in kinds
        if section.kind != "problem" and not is_untitled_task:
            work.append(section)
            continue
        end = len(section.lines) if has_end else _first_paragraph(section.lines)
        task.append(_joined(section.lines[:end]))
        if any(line.text for line in section.lines[end:]):
            work.append(_Section("solution", section.lines[end:]))
    return "\n".join(task), work


def _first_paragraph(lines: Sequence[_Line]) -> int:
    return next((place for place, line in enumerate(lines) if place and (line.begins or not line.text)), len(lines))


def _is_short(section: _Section) -> bool:
    return len(_groups(section.lines)) == 1 and len(_joined(section.lines)) <= 80


# ---- steps


def _steps(lines: Sequence[_Line]) -> list[SolutionStep]:
    steps = []
    for group in _groups(lines):
        text = _joined(group)
        if group[0].is_title and not _STATES.search(text):
            # A title is no step; "Step 2" over one says nothing that calculation could judge.
            continue
        steps.append(SolutionStep(text, line=group[0].line))
    return steps


def _joined(group: Sequence[_Line]) -> str:
    text = "\n".join(line.text.strip() for line in group if line.text.strip())
    return _ITEM.sub("", text, count=1) if _ITEM.match(text) else text


def _groups(lines: Sequence[_Line]) -> list[list[_Line]]:
    """Lines that make up one step each. A break is one only where no formula and no sentence goes on over it: half a
    formula would be judged as another one."""
    groups: list[list[_Line]] = []
    depth = _Fences()
    for line in lines:
        if groups and groups[-1] and (depth.is_open or not _breaks(groups[-1][-1], line)):
            groups[-1].append(line)
        elif line.text:
            groups.append([line])
            depth = _Fences()
        else:
            continue
        depth.take(line.text)
    return groups


def _breaks(before: _Line, line: _Line) -> bool:
    if not line.text:
        return False
    if line.begins or not before.text or _BEGINS_STEP.match(line.text):
        return True
    if _GOES_ON_AFTER.search(before.text) or _GOES_ON_WITH.match(line.text):
        return False
    if _ENDS_SENTENCE.search(before.text):
        return True
    if not _STATES.search(before.text):
        return False
    # No full stop, but an equation before the break: a new sentence or another equation begins behind it.
    is_equation = bool(_STATES.search(line.text)) and not _IN_WORDS.search(line.text)
    return is_equation or bool(re.match(r"[*_\s]*[A-Z][a-z]", line.text))


class _Fences:
    """Whether a formula is open at the end of the lines taken."""

    __slots__ = ("_dollars", "_levels")

    def __init__(self) -> None:
        self._dollars = ""
        self._levels = 0

    @property
    def is_open(self) -> bool:
        return bool(self._dollars) or self._levels > 0

    def take(self, text: str) -> None:
        for found in _FENCES.finditer(text):
            sign = found.group()
            if sign in ("$", "$$"):
                self._dollars = "" if self._dollars else sign
            elif sign in (r"\[", r"\(") or sign.startswith(r"\begin"):
                self._levels += 1
            elif sign in (r"\]", r"\)") or sign.startswith(r"\end"):
                self._levels = max(0, self._levels - 1)
        if self._dollars == "$":
            # A single dollar is money more often than a formula that goes on over a line.
            self._dollars = ""
