"""reStructuredText, as a file or in the docstrings of a Python program, written out as a page."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Sequence
from html import escape
from itertools import pairwise

from mathrag.documents.decoding import decode
from mathrag.documents.html.delimiters import count_dollar_formulas
from mathrag.documents.light_markup.directive_tables import csv_rows, list_rows, options_of, without_marker
from mathrag.documents.light_markup.page_lines import PageLines, inline_formula, inline_writer, read_page_lines
from mathrag.documents.seams import Source
from mathrag.types.document import Document

_ENOUGH_DOLLARS = 3
_RULE = re.compile(r"([=\-~^\"'`#*+:.<>_])\1{2,}\s*")
_DIRECTIVE = re.compile(r"\s*\.\.\s+(?:\|[^|]*\|\s+)?([A-Za-z][\w:-]*)::(?:\s+(.*))?$")
_OPTION = re.compile(r"\s*:([\w-]+):(?:\s+(.*))?$")
_FIELD = re.compile(r"(\s*):(?:(?:param|parameter|arg|var|ivar|cvar)\s+)?([^:`\n]{1,60}):(?:\s+|$)(?!`)")
_ITEM = re.compile(r"(\s*)([-*+•]|(?:\d{1,3}|#|[a-zA-Z])[.)]|\((?:\d{1,3}|[a-z])\))\s+(?=\S)")
_MATH = frozenset(("math", "displaymath"))
_CODES = frozenset("code code-block sourcecode highlight literalinclude prompt doctest ipython plot".split())
_DROPPED = frozenset(
    "toctree index contents image raw only meta autoclass autofunction automodule automethod currentmodule module "
    "bibliography tabularcolumns graphviz default-role role highlight sectnum header footer autosummary".split()
)
_INCLUDED = frozenset(("include", "literalinclude"))
_TABLES = frozenset(("csv-table", "list-table"))
# The parts that numpy's docstrings consist of: they arrange and name nothing.
_DOCSTRING_PARTS = frozenset(
    "Parameters Returns Notes Examples Attributes Methods Yields Raises Warns Args Arguments Example Usage".split()
) | {"Other Parameters", "See Also"}
_SIMPLE_RULE = re.compile(r"\s*={2,}(?:\s+={2,})+\s*$")


def _role(found: re.Match[str], write: Callable[[str], str]) -> str:
    name, body = found["role"].lower(), found["body"]
    if name in ("math", "m", "eq-math"):
        return inline_formula(body)
    if name in ("sub", "subscript"):
        return f"<sub>{write(body)}</sub>"
    if name in ("sup", "superscript"):
        return f"<sup>{write(body)}</sup>"
    return escape(re.sub(r"\s*<[^<>]*>$", "", body))


_write = inline_writer(
    (
        (r"``(?P<literal>[^`]+)``", lambda found, _: f"<code>{escape(found['literal'])}</code>"),
        (r":(?P<role>[A-Za-z][\w:+.-]{0,60}):`(?P<body>[^`]+)`", _role),
        (r"`(?P<link>[^`<>]+)(?:<[^<>`]*>)?`__?", lambda found, write: write(found["link"].rstrip())),
        (r"\\(?:\s|$)", lambda found, _: "\n" * found.group().count("\n")),
        (r"\*\*(?P<bold>[^*\s](?:[^*]*[^*\s])?)\*\*", lambda found, write: f"<b>{write(found['bold'])}</b>"),
        (
            r"(?<![\w*])\*(?P<italic>[^*\s](?:[^*]*[^*\s])?)\*(?![\w*])",
            lambda found, write: f"<i>{write(found['italic'])}</i>",
        ),
        (r"\[(?:\d{1,3}|#\w*|\*)\]_", lambda _found, _write: ""),
        (r"\|(?P<name>[\w-]{1,30})\|", lambda found, _: escape(found["name"])),
        (r"(?<![\w`])`(?P<title>[^`]+)`(?!_)", lambda found, write: f"<i>{write(found['title'])}</i>"),
    )
)


class RestructuredText:
    """Writes out the lines of one text. Levels of headings are told by the order in which their rules appear."""

    def __init__(self, page: PageLines) -> None:
        self.page = page
        self.rules: list[str] = []
        self.first_level = 1
        self.is_docstring = False

    def write(self, first: int, after: int, *, depth: int = 0) -> None:
        """Everything from one line up to another."""
        line = first
        while line < after:
            if self.page.is_blank(line):
                line += 1
                continue
            line = max(line + 1, self._block(line, after, depth))

    def _block(self, line: int, after: int, depth: int) -> int:
        text = self.page.lines[line]
        if text.lstrip().startswith("..") and (text.strip() == ".." or text.lstrip()[2:3].isspace()):
            return self._explicit(line, after, depth)
        return (
            self._heading(line, after)
            or self._table(line, after)
            or self._field(line, after)
            or self._item(line, after, depth)
            or self._doctest(line, after)
            or self._definition(line, after, depth)
            or self._paragraph(line, after)
        )

    # -- kinds of block; each gives the line after it, or nothing

    def _heading(self, line: int, after: int) -> int:
        lines = self.page.lines
        over = _RULE.fullmatch(lines[line])
        title = line + 1 if over else line
        if title + 1 >= after or self.page.is_blank(title) or _RULE.fullmatch(lines[title]):
            return line + 1 if over and not _SIMPLE_RULE.match(lines[line]) else 0
        rule = _RULE.fullmatch(lines[title + 1].strip())
        if rule is None or len(lines[title + 1].strip()) < min(4, len(lines[title].strip())):
            return 0
        if not over and self.page.indent_of(title) != self.page.indent_of(title + 1):
            return 0
        style = rule.group(1) + ("o" if over else "")
        if style not in self.rules:
            self.rules.append(style)
        level = min(6, self.first_level + self.rules.index(style))
        words = lines[title].strip()
        if self.is_docstring and words in _DOCSTRING_PARTS:
            return title + 2
        self.page.put(title, f"<h{level}>{_write(words)}</h{level}>")
        return title + 2

    def _explicit(self, line: int, after: int, depth: int) -> int:
        """A directive, a target, a footnote or a comment: all that begins with two points."""
        page = self.page
        indent = page.indent_of(line)
        end = page.end_of_block(line + 1, after, indent + 1)
        found = _DIRECTIVE.match(page.lines[line])
        if found is None:
            footnote = re.match(r"\s*\.\.\s+\[([^\]]+)\]\s+(.*)", page.lines[line])
            if footnote:
                page.put(line, f'<div class="reference-list"><p class="citation">{escape(footnote.group(2))}</p></div>')
            return end
        name, argument = found.group(1).lower(), (found.group(2) or "").strip()
        body = line + 1
        while body < end and _OPTION.match(page.lines[body]):
            body += 1
        if name in _MATH:
            page.lines[line] = argument
            options = list(range(line + 1, body))
            for option in options:
                page.lines[option] = ""
            page.displays(line, end)
        elif name in _INCLUDED:
            page.note(
                "not_included",
                f"{argument[:80]} is included here but was not read with it; give it as a document of its own",
                line,
            )
        elif name in _CODES:
            page.code(body, end, argument or "text")
        elif name in _TABLES:
            self._directive_table(name, line, end, title=argument, depth=depth)
        elif name not in _DROPPED and depth < 8:
            if argument and name not in ("figure", "rubric-id"):
                page.put(line, f"<p>{_write(argument)}</p>")
            self.write(body, end, depth=depth + 1)
        return end

    def _table(self, line: int, after: int) -> int:
        text = self.page.lines[line].strip()
        if _SIMPLE_RULE.match(self.page.lines[line]):
            return self._simple_table(line, after)
        if re.fullmatch(r"\+(?:[-=]+\+)+", text):
            return self._grid_table(line, after)
        return 0

    def _simple_table(self, line: int, after: int) -> int:
        page = self.page
        columns = [found.span() for found in re.finditer(r"=+", page.lines[line])]
        rules = [line]
        at = line + 1
        while at < after and len(rules) < 3 and (not page.is_blank(at) or len(rules) < 2):
            if _SIMPLE_RULE.match(page.lines[at]):
                rules.append(at)
            at += 1
        if len(rules) < 2:
            return 0
        last = rules[-1]
        header = rules[1] if len(rules) > 2 else line
        edges = [start for start, _ in columns]
        page.put(line, "<table>")
        for row in range(line + 1, last):
            text = page.lines[row]
            if row in rules or not text.strip():
                continue
            cells = [text[start:stop].strip() for start, stop in zip(edges, [*edges[1:], len(text)], strict=True)]
            self._row(row, cells, is_header=row < header)
        page.put(last, "</table>")
        return last + 1

    def _grid_table(self, line: int, after: int) -> int:
        page = self.page
        end = line
        while end < after and page.lines[end].strip()[:1] in ("+", "|"):
            end += 1
        rules = [at for at in range(line, end) if page.lines[at].lstrip().startswith("+")]
        header = next((at for at in rules if re.match(r"\s*\+=", page.lines[at])), line)
        edges = sorted({found.start() for at in rules for found in re.finditer(r"\+", page.lines[at])})
        page.put(line, "<table>")
        for above, below in pairwise(rules):
            texts = page.lines[above + 1 : below]
            # A cell may span several columns: it ends where every line of its row has a bar.
            bars = [edge for edge in edges if all(text[edge : edge + 1] == "|" for text in texts)]
            if len(bars) < 2:
                continue
            cells = [
                " ".join(part for text in texts if (part := text[left + 1 : right].strip()))
                for left, right in pairwise(bars)
            ]
            spans = [edges.index(right) - edges.index(left) for left, right in pairwise(bars)]
            self._row(above + 1, cells, is_header=below <= header, spans=spans)
        page.put(end - 1, "</table>")
        return end

    def _directive_table(self, name: str, line: int, end: int, *, title: str, depth: int) -> None:
        page = self.page
        options, body = options_of(page.lines, line + 1, end)
        if "file" in options or "url" in options:
            source = (options.get("file") or options["url"])[1]
            page.note("not_included", f"the table of {source[:80]} is not read with this text", line)
            return
        try:
            reader = csv_rows if name == "csv-table" else list_rows
            rows = list(reader(page.lines, body, end, options=options))
        except (csv.Error, ValueError) as error:
            page.note("not_included", f"this table cannot be read: {error}", line)
            return
        page.put(line, "<table>" + (f"<caption>{_write(title)}</caption>" if title else ""))
        for row in rows:
            tag = "th" if row.is_header else "td"
            page.put(row.cells[0].first, "<tr>")
            for cell in row.cells:
                if name == "list-table" and _holds_blocks(cell.text) and depth < 8:
                    page.lines[cell.first] = without_marker(page.lines[cell.first])
                    page.put(cell.first, f"<{tag}>")
                    self.write(cell.first, cell.after, depth=depth + 1)
                    page.put(cell.after - 1, f"</{tag}>")
                else:
                    page.put(cell.first, f"<{tag}>{_write(cell.text)}</{tag}>")
            page.put(row.cells[-1].after - 1, "</tr>")
        page.put(max(line, end - 1), "</table>")

    def _row(self, line: int, cells: list[str], *, is_header: bool, spans: Sequence[int] = ()) -> None:
        name = "th" if is_header else "td"
        opened = [f'<{name} colspan="{span}">' if span > 1 else f"<{name}>" for span in spans] or [f"<{name}>"] * len(
            cells
        )
        written = (f"{start}{_write(cell)}</{name}>" for start, cell in zip(opened, cells, strict=True))
        self.page.put(line, "<tr>" + "".join(written) + "</tr>")

    def _field(self, line: int, after: int) -> int:
        """`:param x: what it is`, as a definition."""
        found = _FIELD.match(self.page.lines[line])
        if found is None or found.group(2).strip() in ("math", "ref", "eq"):
            return 0
        end = self.page.end_of_block(line + 1, after, len(found.group(1)) + 1)
        if found.group(2).startswith("type") or found.group(2) in ("rtype", "label", "nowrap"):
            return end
        rest = [self.page.lines[line][found.end() :], *self.page.lines[line + 1 : end]]
        self.page.put(line, f"<dl><dt>{_write(found.group(2))}</dt><dd>{_write(chr(10).join(rest))}</dd></dl>")
        return end

    def _item(self, line: int, after: int, depth: int) -> int:
        page = self.page
        found = _ITEM.match(page.lines[line])
        if found is None:
            return 0
        end = page.end_of_block(line + 1, after, len(found.group(1)) + 1)
        if _DIRECTIVE.match(page.lines[line][found.end() :]) and depth < 8:
            # `- .. math::`: the item holds nothing but the directive.
            page.lines[line] = " " * found.end() + page.lines[line][found.end() :]
            self.write(line, end, depth=depth + 1)
            return end
        paragraph = line + 1
        while paragraph < end and not page.is_blank(paragraph) and not self._begins_block(paragraph):
            paragraph += 1
        words = [page.lines[line][found.end() :], *page.lines[line + 1 : paragraph]]
        page.put(line, f"<ul><li>{_write(chr(10).join(words))}")
        if depth < 8:
            self.write(paragraph, end, depth=depth + 1)
        page.put(max(line, end - 1), "</li></ul>")
        return end

    def _doctest(self, line: int, after: int) -> int:
        if not self.page.lines[line].lstrip().startswith(">>>"):
            return 0
        end = line
        while end < after and not self.page.is_blank(end):
            end += 1
        self.page.code(line, end, "python")
        return end

    def _definition(self, line: int, after: int, depth: int) -> int:
        """A term with an indented definition right below it: `V : float` in the docstrings of numpy."""
        page = self.page
        indent = page.indent_of(line)
        if line + 1 >= after or page.is_blank(line + 1) or page.indent_of(line + 1) <= indent or depth > 7:
            return 0
        if page.lines[line].rstrip().endswith((".", ",", "::")) or len(page.lines[line].strip()) > 80:
            return 0
        end = page.end_of_block(line + 1, after, indent + 1)
        term = re.sub(r"\s+:\s+.*$", "", page.lines[line].strip())
        page.put(line, f"<dl><dt>{_write(term)}</dt><dd>")
        self.write(line + 1, end, depth=depth + 1)
        page.put(end - 1, "</dd></dl>")
        return end

    def _paragraph(self, line: int, after: int) -> int:
        page = self.page
        indent = page.indent_of(line)
        end = line + 1
        while end < after and not page.is_blank(end) and page.indent_of(end) >= indent and not self._begins_block(end):
            end += 1
        text = "\n".join(part.strip() for part in page.lines[line:end])
        is_literal = text.endswith("::")
        page.put(line, f"<p>{_write(text[:-1] if is_literal else text)}</p>")
        if not is_literal:
            return end
        start = end
        while start < after and page.is_blank(start):
            start += 1
        stop = page.end_of_block(start, after, indent + 1)
        if stop > start:
            page.code(start, stop)
        return max(end, stop)

    def _begins_block(self, line: int) -> bool:
        text = self.page.lines[line]
        return bool(_DIRECTIVE.match(text) or _FIELD.match(text) or (_ITEM.match(text) and text[:1].isspace()))


def _holds_blocks(text: str) -> bool:
    """Whether a cell is more than one paragraph."""
    return any(not part.strip() or _DIRECTIVE.match(part) for part in text.split("\n"))


def read_rst(source: Source) -> Document:
    """Read a reStructuredText file. Raises `DocumentError` for what is no text or too large."""
    decoded = decode(source)
    page = PageLines(decoded.text.split("\n"))
    RestructuredText(page).write(0, len(page.lines))
    dollars = count_dollar_formulas(decoded.text) >= _ENOUGH_DOLLARS
    return read_page_lines(source, decoded, page, media_type="text/x-rst", with_dollars=dollars)


# Docstrings of a Python program: each is a text of its own below the name of what it describes. Nothing is run.

_DOCSTRING = re.compile(r"^(?P<indent>[ \t]*)(?P<prefix>[rRuU]{0,2})(?P<quotes>\"\"\"|''')", re.MULTILINE)
_NAMED = re.compile(r"^[ \t]*(?:async[ \t]+)?(?:def|class)[ \t]+(\w{1,80})", re.MULTILINE)


def read_python(source: Source) -> Document:
    """Read the docstrings of a Python file; its program text is not searched for formulas."""
    decoded = decode(source)
    page = PageLines(decoded.text.split("\n"))
    starts = [0]
    for part in page.lines:
        starts.append(starts[-1] + len(part) + 1)
    names = [(found.start(), found.group(1)) for found in _NAMED.finditer(decoded.text)]
    place, known = 0, 0
    while (found := _DOCSTRING.search(decoded.text, place)) is not None:
        end = decoded.text.find(found["quotes"], found.end())
        if end < 0:
            break
        first, last = _line_of(starts, found.start()), _line_of(starts, end)
        name = ""
        while known < len(names) and names[known][0] < found.start():
            name, known = names[known][1], known + 1
        _write_docstring(page, first, last, found, name, is_raw="r" in found["prefix"].lower())
        place = end + 3
    return read_page_lines(source, decoded, page, media_type="text/x-python", with_dollars=False)


def _line_of(starts: list[int], offset: int) -> int:
    from bisect import bisect_right

    return bisect_right(starts, offset) - 1


def _write_docstring(page: PageLines, first: int, last: int, found: re.Match[str], name: str, *, is_raw: bool) -> None:
    lead = len(found["indent"]) + len(found["prefix"]) + 3
    page.lines[first] = found["indent"] + page.lines[first][lead:]
    page.lines[last] = page.lines[last].split(found["quotes"])[0]
    if not is_raw:
        # In a plain string a program writes two backslashes for one.
        for line in range(first, last + 1):
            page.lines[line] = page.lines[line].replace("\\\\", "\\")
    if name:
        page.put(first, f"<h2>{escape(name.replace('_', ' '))}</h2>")
    text = RestructuredText(page)
    text.first_level, text.is_docstring = 3, True
    text.write(first, last + 1)
