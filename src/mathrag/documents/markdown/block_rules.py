"""Block rules added to markdown-it: paragraphs that keep displayed formulas whole, pipe tables, HTML elements,
shortcodes, and a guard against deep nesting. They find lines only; what stands in them is read later.
"""

from __future__ import annotations

import math
import re
from functools import cache
from time import monotonic
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote.index import footnote_def

from mathrag.documents.markdown.pipe_rows import count_columns, is_delimiter_row
from mathrag.documents.markdown.shortcodes import is_shortcode_line
from mathrag.documents.math_spans import looks_like_prose, open_display
from mathrag.documents.reader import ReadingLimits
from mathrag.errors import DocumentError

_TOKENS_A_BLOCK = 5
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
    if monotonic() > state.env.get("deadline", math.inf):
        raise DocumentError(
            "too_slow",
            "reading the document took longer than the limit; split it or raise the limit",
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
    if "$$" not in text and "\\[" not in text and "\\begin{" not in text:
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
