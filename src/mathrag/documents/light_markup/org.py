"""Org files written out as pages: headings with stars, blocks between `#+begin_…` and `#+end_…`, LaTeX in the text."""

from __future__ import annotations

import re
from html import escape

from mathrag.documents.decoding import decode
from mathrag.documents.light_markup.page_lines import PageLines, display, inline_formula, inline_writer, read_page_lines
from mathrag.documents.math_in_text.delimiters import ENVIRONMENTS
from mathrag.documents.seams import Source
from mathrag.types.document import Document

_HEADING = re.compile(r"(\*{1,8})\s+(?:(?:TODO|DONE)\s+)?(?:\[#[A-Z]\]\s+)?(.*?)(?:\s+:[\w@:]+:)?\s*$")
_BEGIN = re.compile(r"\s*#\+begin_(\w+)(?:\s+(\S+))?.*$", re.IGNORECASE)
_KEYWORD = re.compile(r"\s*#\+(\w+):\s*(.*)$")
_DRAWER = re.compile(r"\s*:([A-Za-z_-]+):\s*$")
_ITEM = re.compile(
    r"(\s*)(?:[-+]|(?<=\s)\*|(?:\d{1,3}|[a-zA-Z])[.)])\s+(?:\[[ xX-]\]\s+)?(?:(?P<term>.{1,80}?)\s+::(?:\s+|$))?"
)
_ROW = re.compile(r"\s*\|")
_ENVIRONMENT = re.compile(r"\s*\\begin\{(" + "|".join(map(re.escape, ENVIRONMENTS)) + r")\}")
_LISTINGS = frozenset(("src", "example"))
_SILENT = frozenset(("comment",))

_write = inline_writer(
    (
        (r"\\\((?P<tex>(?:[^\\]|\\[^()])+)\\\)", lambda found, _: inline_formula(found["tex"])),
        (r"\\\[(?P<shown>(?:[^\\]|\\[^\[\]])+)\\\]", lambda found, _: display(found["shown"])),
        (r"\$\$(?P<dollars>[^$]+)\$\$", lambda found, _: display(found["dollars"])),
        (
            r"(?<![\w$\\])\$(?P<dollar>[^\s$](?:[^$\n]*[^\s$\\])?)\$(?![\w$])",
            lambda found, _: inline_formula(found["dollar"]),
        ),
        (r"\[\[[^\[\]]+\]\[(?P<text>[^\[\]]+)\]\]", lambda found, write: write(found["text"])),
        (r"\[\[(?:[^\[\]]+)\]\]|\[fn:[^\]]*\]|(?:cite|ref|eqref|label):[\w:,.-]+", lambda _found, _write: ""),
        (
            r"(?<![\w=])=(?P<verbatim>[^\s=](?:[^=\n]*[^\s=])?)=(?![\w=])|(?<![\w~])~(?P<code>[^\s~](?:[^~\n]*[^\s~])?)~(?![\w~])",
            lambda found, _: f"<code>{escape(found['verbatim'] or found['code'])}</code>",
        ),
        (
            r"(?<![\w*])\*(?P<bold>[^\s*](?:[^*\n]*[^\s*])?)\*(?![\w*])",
            lambda found, write: f"<b>{write(found['bold'])}</b>",
        ),
        (
            r"(?<![\w/:])/(?P<italic>[^\s/](?:[^/\n]*[^\s/])?)/(?![\w/])",
            lambda found, write: f"<i>{write(found['italic'])}</i>",
        ),
        (r"(?<=\w)_\{(?P<below>[^{}\n]+)\}", lambda found, write: f"<sub>{write(found['below'])}</sub>"),
        (r"(?<=[\w)])\^(?:\{(?P<above>[^{}\n]+)\}|(?P<digits>-?\d+))", lambda found, _: _raised(found)),
    )
)  # fmt: skip


def _raised(found: re.Match[str]) -> str:
    return f"<sup>{escape(found['above'] or found['digits'])}</sup>"


class _Org:
    def __init__(self, page: PageLines) -> None:
        self.page = page
        self.values: dict[str, str] = {}
        self._without_end: set[str] = set()

    def write(self, first: int, after: int) -> None:
        line = first
        while line < after:
            line = max(line + 1, self._block(line, after)) if not self.page.is_blank(line) else line + 1

    def _block(self, line: int, after: int) -> int:
        text = self.page.lines[line]
        heading = _HEADING.match(text)
        if heading:
            level = min(6, len(heading.group(1)))
            self.page.put(line, f"<h{level}>{_write(heading.group(2))}</h{level}>")
            return line + 1
        return (
            self._between(line, after)
            or self._silent(line, after)
            or self._environment(line, after)
            or self._rows(line, after)
            or self._item(line, after)
            or self._paragraph(line, after)
        )

    def _between(self, line: int, after: int) -> int:
        found = _BEGIN.match(self.page.lines[line])
        if found is None:
            return 0
        kind = found.group(1).lower()
        closer = re.compile(rf"\s*#\+end_{re.escape(kind)}\b", re.IGNORECASE)
        is_open = kind not in self._without_end
        end = next((at for at in range(line + 1, after) if closer.match(self.page.lines[at])), -1) if is_open else -1
        if end < 0:
            self._without_end.add(kind)
            return line + 1
        if kind in _LISTINGS:
            self.page.code(line + 1, end, (found.group(2) or "") if kind == "src" else "")
        elif kind == "export" and (found.group(2) or "").lower() not in ("latex", "html"):
            return end + 1
        elif kind not in _SILENT:
            self.write(line + 1, end)
        return end + 1

    def _silent(self, line: int, after: int) -> int:
        text = self.page.lines[line]
        keyword = _KEYWORD.match(text)
        if keyword:
            name, value = keyword.group(1).lower(), keyword.group(2).strip()
            if name in ("title", "author", "date"):
                self.values.setdefault(name, value)
            elif name == "caption":
                self.page.put(line, f"<p>{_write(value)}</p>")
            elif name == "include":
                self.page.note(
                    "not_included",
                    f"{value[:80]} is included here but was not read with it; give it as a document of its own",
                    line,
                )
            return line + 1
        if _DRAWER.match(text):
            for at in range(line + 1, min(after, line + 200)):
                if self.page.lines[at].strip().upper() == ":END:":
                    return at + 1
            return line + 1
        bare = text.strip()
        is_silent = bare.startswith(("# ", "#+")) or bare == "#" or re.fullmatch(r"-{5,}", bare)
        return line + 1 if is_silent or re.match(r"\s*(?:SCHEDULED|DEADLINE|CLOSED):", text) else 0

    def _environment(self, line: int, after: int) -> int:
        found = _ENVIRONMENT.match(self.page.lines[line])
        if found is None:
            return 0
        closer = rf"\end{{{found.group(1)}}}"
        for at in range(line, min(after, line + 200)):
            if closer in self.page.lines[at]:
                self.page.put(line, display("\n".join(self.page.lines[line : at + 1])))
                return at + 1
        return 0

    def _rows(self, line: int, after: int) -> int:
        if not _ROW.match(self.page.lines[line]):
            return 0
        end = line
        while end < after and _ROW.match(self.page.lines[end]):
            end += 1
        rule = next((at for at in range(line, end) if re.match(r"\s*\|[-+]", self.page.lines[at])), -1)
        self.page.put(line, "<table>")
        for at in range(line, end):
            text = self.page.lines[at].strip()
            if re.match(r"\|[-+]", text):
                continue
            name = "th" if at < rule else "td"
            cells = "".join(f"<{name}>{_write(cell.strip())}</{name}>" for cell in text.strip("|").split("|"))
            self.page.put(at, f"<tr>{cells}</tr>")
        self.page.put(end - 1, "</table>")
        return end

    def _item(self, line: int, after: int) -> int:
        page = self.page
        found = _ITEM.match(page.lines[line])
        if found is None:
            return 0
        end = line + 1
        while end < after and not page.is_blank(end) and page.indent_of(end) > len(found.group(1)):
            if _ITEM.match(page.lines[end]) or _ENVIRONMENT.match(page.lines[end]) or _BEGIN.match(page.lines[end]):
                break
            end += 1
        body = _write("\n".join([page.lines[line][found.end() :], *page.lines[line + 1 : end]]))
        if found["term"]:
            page.put(line, f"<dl><dt>{_write(found['term'])}</dt><dd>{body}</dd></dl>")
        else:
            page.put(line, f"<ul><li>{body}</li></ul>")
        return end

    def _paragraph(self, line: int, after: int) -> int:
        page = self.page
        end = line + 1
        while end < after and not page.is_blank(end) and not self._begins_block(end):
            end += 1
        page.put(line, f"<p>{_write(chr(10).join(part.strip() for part in page.lines[line:end]))}</p>")
        return end

    def _begins_block(self, line: int) -> bool:
        text = self.page.lines[line]
        return bool(
            _HEADING.match(text) or _BEGIN.match(text) or _KEYWORD.match(text) or _ENVIRONMENT.match(text)
            or _ROW.match(text) or (_ITEM.match(text) and re.match(r"\s*[-+]\s", text))
        )  # fmt: skip


def read_org(source: Source) -> Document:
    """Read an Org file. Raises `DocumentError` for what is no text or too large."""
    decoded = decode(source)
    page = PageLines(decoded.text.split("\n"))
    org = _Org(page)
    org.write(0, len(page.lines))
    return read_page_lines(source, decoded, page, media_type="text/x-org", with_dollars=True, values=org.values)
