"""Block rules added to markdown-it: paragraphs that keep displayed formulas whole, pipe tables, HTML elements,
shortcodes, and a guard against deep nesting. They find lines only; what stands in them is read later.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from time import thread_time
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote.index import footnote_def

from mathrag.documents.math_in_text.delimiters import DelimiterReader, looks_like_prose, open_display
from mathrag.documents.seams import ReadingLimits
from mathrag.documents.source_map import Fragment, SourceText
from mathrag.errors import DocumentError

# Rows of pipe tables cut into cells. Keeps a formula whole where a bare `|` inside it would tear it apart.

_PLAIN_BAR = re.compile(r"\\.|\|")
_SIGN = re.compile(r"[|\\$`]")
_DASHES = re.compile(r":?-+:?")
Span = tuple[int, int]


def is_delimiter_row(line: str) -> bool:
    """Whether a line is the row of dashes under a header: `|---|:-:|`."""
    if "|" not in line or "-" not in line:
        return False
    cells = line.strip().strip("|").split("|")
    return all(_DASHES.fullmatch(cell.strip()) for cell in cells)


def count_columns(line: str) -> int:
    """How many cells a row has, formulas kept whole."""
    return len(_cut(line, _bars(line, keep_formulas=True)))


def split_row(source: SourceText, span: Span, *, columns: int) -> list[Fragment]:
    """The cells of a row. `columns` is the width of the header: of two ways to cut, the one that fits it is meant."""
    start, end = span
    line = source.text[start:end]
    plain = _cut(line, _bars(line, keep_formulas=False))
    cells = plain
    if (len(plain) != columns or _tears(line, plain)) and ("$" in line or "\\(" in line or "`" in line):
        whole = _cut(line, _bars(line, keep_formulas=True))
        if len(whole) < len(plain):
            cells = whole
    if len(cells) > columns > 1:
        # `ln|x|` in plain text: bars that separate cells have a space beside them, these have none.
        edges = (len(line) - len(line.lstrip()), len(line.rstrip()) - 1)
        spaced = _cut(line, [bar for bar in _bars(line, keep_formulas=True) if bar in edges or _is_spaced(line, bar)])
        cells = spaced if len(spaced) == columns else cells
    return [_cell(source, start + first, start + last) for first, last in cells]


def _is_spaced(line: str, bar: int) -> bool:
    return line[bar - 1 : bar].isspace() and line[bar + 1 : bar + 2].isspace()


def _tears(line: str, cells: list[Span]) -> bool:
    return any(line.count("$", first, last) % 2 for first, last in cells)


def _bars(line: str, *, keep_formulas: bool) -> list[int]:
    """Where the pipes stand that separate cells."""
    if not keep_formulas:
        return [found.start() for found in _PLAIN_BAR.finditer(line) if found.group() == "|"]
    bars: list[int] = []
    finder = DelimiterReader(line)
    found = _SIGN.search(line)
    while found:
        position = found.start()
        match line[position]:
            case "|":
                bars.append(position)
                after = position + 1
            case "\\":
                span = finder.at_backslash(position)
                after = span.end if span else position + 2
            case "$":
                span = finder.at_dollar(position)
                after = span.end if span else position + 1
            case _:
                after = _after_code(line, position)
        found = _SIGN.search(line, after)
    return bars


def _after_code(line: str, start: int) -> int:
    after = start
    while line.startswith("`", after):
        after += 1
    end = line.find(line[start:after], after)
    return end + after - start if end >= 0 else after


def _cut(line: str, bars: list[int]) -> list[Span]:
    """The stretches between the bars; a bar at either end of the line only frames it."""
    edges = [-1, *bars, len(line)]
    cells = [(before + 1, after) for before, after in pairwise(edges)]
    if bars and not line[: bars[0]].strip():
        cells = cells[1:]
    if bars and len(cells) > 1 and not line[bars[-1] + 1 :].strip():
        cells = cells[:-1]
    return cells


def _cell(source: SourceText, start: int, end: int) -> Fragment:
    """A cell without the spaces around it; `\\|` is a `|` everywhere in it, as the format has it."""
    text = source.text
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    spans: list[Span] = []
    position = start
    while (escaped := text.find("\\|", position, end)) >= 0:
        spans.append((position, escaped))
        position = escaped + 1
    spans.append((position, end))
    return Fragment.of_spans(source, spans, joined_by="")


# Shortcodes and tags of site generators (`{{< image … >}}`, `{% raw %}`, `::: note`): what they are and say.

SHORTCODE = re.compile(
    r"\{\{[<%][ \t]*(?P<hugo>/?[\w.-]+)(?P<hugo_rest>[^{}\n]{0,2000}?)/?[ \t]*[>%]\}\}"
    r"|\{%-?[ \t]*(?P<liquid>[A-Za-z]\w*)(?P<liquid_rest>[^%\n]{0,2000}?)-?%\}"
)
ATTRIBUTES = re.compile(r"\{:?[ \t]*(?:[#.:][\w:.\-]+|[\w-]+=(?:\"[^\"\n]*\"|'[^'\n]*'|[\w.%-]+)|[ \t]+){1,20}\}")
_FENCE = re.compile(r":{3,}[ \t]*(?:\{[^{}\n]*\}|[\w-]+(?:[ \t]+[^\n{}]*)?(?:\{[^{}\n]*\})?|\[[^\]\n]*\])?[ \t]*")
_PARAMETER = re.compile(
    r"(?:([\w-]+)[ \t]*=[ \t]*)?(?:\"((?:[^\"\\\n]|\\.)*)\"|'((?:[^'\\\n]|\\.)*)'|`([^`\n]*)`|([^\s\"'`=]+))"
)
_IMAGES = frozenset("figure image img picture fig responsive-image include_image lightgallery".split())


@dataclass(frozen=True, slots=True)
class Shortcode:
    """One shortcode: its name, its parameters by name with the span of each value, and those without a name."""

    name: str
    start: int
    end: int
    is_closing: bool = False
    named: dict[str, tuple[int, int]] = field(default_factory=dict)
    others: tuple[tuple[int, int], ...] = ()

    @property
    def is_image(self) -> bool:
        """Whether it shows a picture."""
        return self.name.lower() in _IMAGES


def is_shortcode_line(line: str) -> bool:
    """Whether a line holds nothing but shortcodes, attributes in braces, or the fence of a div."""
    bare = line.strip()
    if bare.startswith(":::"):
        return _FENCE.fullmatch(bare) is not None
    if not bare.startswith("{"):
        return False
    position = 0
    while position < len(bare):
        found = SHORTCODE.match(bare, position) or ATTRIBUTES.match(bare, position)
        if found is None:
            return False
        position = found.end()
        while position < len(bare) and bare[position].isspace():
            position += 1
    return True


def find_shortcodes(text: str) -> list[Shortcode]:
    """The shortcodes of a text, in order."""
    return [read_shortcode(found) for found in SHORTCODE.finditer(text)]


def read_shortcode(found: re.Match[str]) -> Shortcode:
    """A shortcode from a match of `SHORTCODE`; spans count from the start of the text that was searched."""
    kind = "hugo" if found.group("hugo") else "liquid"
    name = found.group(kind)
    named: dict[str, tuple[int, int]] = {}
    others: list[tuple[int, int]] = []
    start, end = found.span(f"{kind}_rest")
    for parameter in _PARAMETER.finditer(found.string, start, end):
        group = next(index for index in (2, 3, 4, 5) if parameter.group(index) is not None)
        if parameter.group(1):
            named[parameter.group(1).lower()] = parameter.span(group)
        else:
            others.append(parameter.span(group))
    is_closing = name.startswith("/") or (kind == "liquid" and name.startswith("end"))
    plain = name.lstrip("/").removeprefix("end") if is_closing else name
    return Shortcode(plain, found.start(), found.end(), is_closing, named, tuple(others))


_TOKENS_A_BLOCK = 5
_OPEN_DISPLAYS = ("$$", "\\[", "\\begin{", "\\f[", "\\f{", "@f[", "@f{")
_LONGEST_DISPLAY = 20_000
_LONGEST_WITH_BLANKS = 3_000
_BLANK_LINE = re.compile(r"\n[ \t>]*\n")
_WHOLE_ELEMENTS = re.compile(r"<(table|math|figure|dl|svg|script|style|template|object)[\s>/]", re.IGNORECASE)


@cache
def make_parser(*, depth: int) -> MarkdownIt:
    """A parser of blocks only; inline text stays as it is."""
    parser = MarkdownIt("commonmark", {"maxNesting": depth + 2})
    parser.use(deflist_plugin)
    ruler = parser.block.ruler
    ruler.before("reference", "footnote_def", footnote_def, {"alt": ["paragraph", "reference"]})
    interrupts: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}
    ruler.before("code", "pipe_table", pipe_table, {"alt": ["paragraph", "reference"]})
    ruler.before("pipe_table", "depth", _depth_guard)
    ruler.before("html_block", "html_element", html_element, interrupts)
    ruler.before("html_element", "shortcode", shortcode, interrupts)
    ruler.disable(["lheading"])
    ruler.at("paragraph", text_block)
    parser.core.ruler.enableOnly(["block"])
    return parser


def _depth_guard(state: StateBlock, start: int, _end: int, silent: bool) -> bool:
    """Matches nothing; sees every block begin, so that none begins beyond the limits."""
    limits: ReadingLimits | None = state.env.get("limits")
    if limits is not None and len(state.tokens) > _TOKENS_A_BLOCK * limits.blocks:
        raise DocumentError(
            "too_large",
            f"the document has more than {limits.blocks:,} blocks; split it or raise the limit",
            place=f"line {start + 1}",
        )
    if limits is not None and thread_time() > state.env.get("deadline", math.inf):
        raise DocumentError(
            "too_slow",
            f"reading the document took longer than {limits.seconds:g} s; split it",
            place=f"line {start + 1}",
        )
    if not silent and state.level >= state.md.options.maxNesting - 2:
        raise DocumentError(
            "too_large",
            f"lists or quotes are nested deeper than {state.md.options.maxNesting - 2} levels; flatten the document",
            place=f"line {start + 1}",
        )
    return False


def _line(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]


def _is_indented(state: StateBlock, line: int) -> bool:
    return state.sCount[line] - state.blkIndent >= 4


# -- paragraphs


def text_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A paragraph or an underlined heading. Lines inside a displayed formula belong to it whatever they begin with."""
    terminators = state.md.block.ruler.getRules("paragraph")
    previous_type, state.parentType = state.parentType, "paragraph"
    level = 0
    line = _after_display(state, start, end)
    while line < end and not state.isEmpty(line):
        if not _is_indented(state, line) and state.sCount[line] >= 0:
            level = _underline_level(state, line)
            if level or any(rule(state, line, end, True) for rule in terminators):
                break
        line = _after_display(state, line, end)
    state.parentType = previous_type
    if silent:
        return True
    name, markup = (f"h{level}", "=" if level == 1 else "-") if level else ("p", "")
    kind = "heading" if level else "paragraph"
    state.line = line + 1 if level else line
    opening = state.push(f"{kind}_open", name, 1)
    opening.map, opening.markup = [start, state.line], markup
    inline = state.push("inline", "", 0)
    inline.map, inline.children = [start, line], []
    inline.meta = {"spans": [(state.bMarks[at] + state.tShift[at], state.eMarks[at]) for at in range(start, line)]}
    state.push(f"{kind}_close", name, -1).markup = markup
    return True


def _underline_level(state: StateBlock, line: int) -> int:
    if state.sCount[line] < state.blkIndent:
        return 0
    text = _line(state, line).rstrip()
    if text and text[0] in "=-" and text == text[0] * len(text):
        return 1 if text[0] == "=" else 2
    return 0


def _after_display(state: StateBlock, line: int, end: int) -> int:
    """The next line, or the one after a displayed formula that begins on this line and goes on below."""
    text = _line(state, line)
    if not any(sign in text for sign in _OPEN_DISPLAYS):
        return line + 1
    closer = open_display(text, None)
    while closer is not None:
        after = state.eMarks[line]
        limit = min(state.eMarks[end - 1], after + _LONGEST_DISPLAY)
        found = state.src.find(closer, after, limit)
        if found < 0 or not _may_be_formula(state.src[after:found]):
            return line + 1
        while line + 1 < end and state.eMarks[line] < found:
            line += 1
        rest = state.src[found + len(closer) : state.eMarks[line]]
        closer = open_display(rest, None)
    return line + 1


def _may_be_formula(inner: str) -> bool:
    if not _BLANK_LINE.search(inner):
        return not looks_like_prose(inner, most=40)
    return len(inner) <= _LONGEST_WITH_BLANKS and not looks_like_prose(inner, most=5) and "#" not in inner


# -- tables


def pipe_table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A pipe table: a header row, a row of dashes, and every following line that has a pipe."""
    if start + 2 > end or state.sCount[start + 1] < state.blkIndent or _is_indented(state, start):
        return False
    dashes = _line(state, start + 1)
    if not dashes or dashes[0] not in "|-:" or not is_delimiter_row(dashes):
        return False
    header = _line(state, start)
    columns = count_columns(header)
    if (
        "|" not in header
        or header.startswith("<!--")
        or (columns != count_columns(dashes) and min(columns, count_columns(dashes)) < 2)
    ):
        return False
    if silent:
        return True
    terminators = state.md.block.ruler.getRules("blockquote")
    line = start + 2
    while line < end and state.sCount[line] >= state.blkIndent and not state.isEmpty(line):
        if "|" not in _line(state, line) or any(rule(state, line, end, True) for rule in terminators):
            break
        line += 1
    token = state.push("pipe_table", "", 0)
    token.map = [start, line]
    token.meta = {"rows": [_row_span(state, at) for at in (start, *range(start + 2, line))]}
    state.line = line
    return True


def _row_span(state: StateBlock, line: int) -> tuple[int, int]:
    return state.bMarks[line] + state.tShift[line], state.eMarks[line]


# -- HTML and shortcodes


def html_element(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """An HTML element that is read as a whole, blank lines and all: a table, a formula, a figure."""
    if _is_indented(state, start) or not state.src.startswith("<", state.bMarks[start] + state.tShift[start]):
        return False
    opening = _WHOLE_ELEMENTS.match(_line(state, start))
    if opening is None:
        return False
    name = opening.group(1).lower()
    unclosed: set[str] = state.env.setdefault("unclosed", set())
    if name in unclosed:
        return False
    first = state.bMarks[start] + state.tShift[start]
    closing = re.compile(f"</{name}\\s*>", re.IGNORECASE).search(state.src, first)
    if closing is None:
        # Remembered, so that a thousand opened elements do not each search the rest of the document.
        unclosed.add(name)
        return False
    if closing.start() > state.eMarks[end - 1]:
        return False
    line = start
    while state.eMarks[line] < closing.start():
        line += 1
    if not silent:
        token = state.push("html_block", "", 0)
        token.map = [start, line + 1]
        token.meta = {"spans": [_row_span(state, at) for at in range(start, line + 1)]}
        state.line = line + 1
    return True


def shortcode(state: StateBlock, start: int, _end: int, silent: bool) -> bool:
    """A line that holds nothing but shortcodes, tags of a site generator or fences of a div."""
    if state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]][:1] not in ("{", ":"):
        return False
    if not is_shortcode_line(_line(state, start)):
        return False
    if not silent:
        token: Any = state.push("shortcode", "", 0)
        token.map = [start, start + 1]
        token.meta = {"spans": [_row_span(state, start)]}
        state.line = start + 1
    return True
