"""AsciiDoc written out as a page: `stem:[…]`, `latexmath:[…]`, blocks between fences, headings with equals signs."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape

from mathrag.documents.decoding import decode
from mathrag.documents.light_markup.page_lines import (
    PageLines,
    display,
    inline_formula,
    inline_writer,
    loose_formula,
    read_page_lines,
)
from mathrag.documents.seams import Source
from mathrag.types.document import Document

_HEADING = re.compile(r"(={1,6}|#{1,6})\s+(\S.*?)(?:\s+\1)?\s*$")
_ATTRIBUTES = re.compile(r"\[(?!\[)([^\[\]]*)\]\s*$|\[\[[^\[\]]+\]\]\s*$")
_SETTING = re.compile(r":(!?[\w-]+!?):(?:\s+(.*))?$")
_FENCE = re.compile(r"(-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|\+{4,}|/{4,}|`{3,}|--)\w*\s*$")
_ITEM = re.compile(r"\s*(\*{1,5}|-|\.{1,5}|\d{1,3}\.|<\.>|<\d+>)\s+(?=\S)")
_TERM = re.compile(r"(?P<term>[^\n]{1,100}?)::+(?:\s+(?P<text>\S.*))?$")
_MACRO = re.compile(r"(image|include|video|toc|ifdef|ifndef|endif|ifeval|audio)::(\S*?)\[(.*)\]\s*$")
_LISTINGS = ("-", ".", "`")


def _stem(found: re.Match[str], _write: Callable[[str], str]) -> str:
    body = found["formula"].replace(r"\]", "]")
    if found["kind"] == "latexmath" or body.lstrip().startswith("$"):
        return inline_formula(body)
    return loose_formula(body)


_write = inline_writer(
    (
        (r"(?P<kind>stem|latexmath|asciimath):\w*\[(?P<formula>(?:\\\]|\[[^\[\]]*\]|[^\[\]])+)\]", _stem),
        (
            r"\$\$(?P<shown>[^$]+)\$\$|\\\[(?P<bracket>(?:[^\\]|\\[^\[\]])+)\\\]",
            lambda f, _: display(f["shown"] or f["bracket"]),
        ),
        (
            r"`\+(?P<pass>.+?)\+`|``?(?P<literal>[^`]+)``?",
            lambda f, _: f"<code>{escape(f['pass'] or f['literal'])}</code>",
        ),
        (r"(?:\[[^\[\]\s]{1,40}\])#(?P<marked>[^#\n]+)#", lambda f, write: write(f["marked"])),
        (r"\{(?:empty|nbsp|zwsp|sp)\}", lambda _f, _write: ""),
        (r"<<[^<>,]*,\s*(?P<named>[^<>]+)>>", lambda f, write: write(f["named"])),
        (r"<<[^<>]*>>|footnote:\w*\[[^\[\]]*\]|\(\(\([^()]*\)\)\)", lambda _f, _write: ""),
        (r"(?:link|xref|https?|mailto):[^\s\[\]]+\[(?P<label>[^\[\]]*)\]", lambda f, write: write(f["label"])),
        (r"(?:https?|ftp)://[^\s\[\]<>]+", lambda f, _: escape(f.group())),
        (
            r"(?<![\w*])\*(?P<bold>[^\s*](?:[^*\n]*[^\s*])?)\*(?![\w*])|\*\*(?P<strong>[^*\n]+)\*\*",
            lambda f, write: f"<b>{write(f['bold'] or f['strong'])}</b>",
        ),
        (
            r"(?<!\w)_(?P<italic>[^\s_](?:[^_\n]*[^\s_])?)_(?!\w)|__(?P<em>[^_\n]+)__",
            lambda f, write: f"<i>{write(f['italic'] or f['em'])}</i>",
        ),
        (r"\^(?P<above>[^\s^]{1,40})\^", lambda f, write: f"<sup>{write(f['above'])}</sup>"),
        (r"(?<=[\w)>])~(?P<below>[^\s~]{1,40})~", lambda f, write: f"<sub>{write(f['below'])}</sub>"),
        (r"\s\+$", lambda _f, _write: "<br>"),
    )
)  # fmt: skip


class _AsciiDoc:
    def __init__(self, page: PageLines) -> None:
        self.page = page
        self.values: dict[str, str] = {}
        self.stem = ""
        self.style = ""

    def write(self, first: int, after: int, *, depth: int = 0) -> None:
        line = first
        while line < after:
            if self.page.is_blank(line):
                line += 1
                continue
            line = max(line + 1, self._block(line, after, depth))

    def _block(self, line: int, after: int, depth: int) -> int:
        text = self.page.lines[line]
        fence = _FENCE.match(text)
        if fence:
            return self._fenced(line, after, fence.group(1), depth)
        if text.startswith("|==="):
            return self._table(line, after)
        if text.startswith("//"):
            return line + 1
        return (
            self._setting(line)
            or self._heading(line)
            or self._macro(line)
            or self._item(line, after)
            or self._paragraph(line, after)
        )

    def _setting(self, line: int) -> int:
        """Attributes of the document and of the block that follows; titles of blocks."""
        text = self.page.lines[line]
        setting = _SETTING.match(text)
        if setting:
            name, value = setting.group(1), (setting.group(2) or "").strip()
            if name == "stem":
                self.stem = value
            elif name in ("author", "date"):
                self.values[name] = value
            return line + 1
        attributes = _ATTRIBUTES.match(text)
        if attributes:
            self.style = (attributes.group(1) or "").strip().lower()
            return line + 1
        if re.match(r"\.[^\s.]", text):
            self.page.put(line, f"<p><b>{_write(text[1:].strip())}</b></p>")
            return line + 1
        return line + 1 if text.strip() in ("+", "'''", "<<<") else 0

    def _heading(self, line: int) -> int:
        found = _HEADING.match(self.page.lines[line])
        if found is None:
            return 0
        level = len(found.group(1))
        self.page.put(line, f"<h{level}>{_write(found.group(2))}</h{level}>")
        return line + 1

    def _macro(self, line: int) -> int:
        found = _MACRO.match(self.page.lines[line])
        if found is None:
            return 0
        if found.group(1) == "include":
            name = found.group(2)[:80]
            self.page.note(
                "not_included",
                f"{name} is included here but was not read with it; give it as a document of its own",
                line,
            )
        return line + 1

    def _fenced(self, line: int, after: int, fence: str, depth: int) -> int:
        page = self.page
        end = next((at for at in range(line + 1, after) if page.lines[at].rstrip() == fence), -1)
        style, self.style = self.style, ""
        if end < 0:
            return line + 1
        kind = style.split(",")[0].split("%")[0].split("#")[0].strip()
        if kind in ("stem", "latexmath", "asciimath", "math"):
            self._formula(line + 1, end, kind)
        elif fence[0] in _LISTINGS and fence != "--":
            page.code(line + 1, end, style.split(",")[1].strip() if style.count(",") else kind)
        elif fence[0] not in "/+" and depth < 8:
            self.write(line + 1, end, depth=depth + 1)
        return end + 1

    def _formula(self, first: int, after: int, kind: str) -> None:
        is_latex = kind == "latexmath" or (kind in ("stem", "math") and self.stem == "latexmath")
        if is_latex:
            self.page.displays(first, after)
            return
        for line in range(first, after):
            if not self.page.is_blank(line):
                self.page.put(line, loose_formula(self.page.lines[line], is_display=True))

    def _table(self, line: int, after: int) -> int:
        page = self.page
        end = next((at for at in range(line + 1, after) if page.lines[at].startswith("|===")), -1)
        header_is_first = "header" in self.style
        columns = re.search(r'cols="?([^"\]]+)', self.style)
        self.style = ""
        if end < 0:
            return line + 1
        rows = [(at, page.lines[at]) for at in range(line + 1, end) if not page.is_blank(at)]
        header_is_first = header_is_first or (line + 2 < end and bool(rows) and page.is_blank(rows[0][0] + 1))
        width = _columns(columns.group(1)) if columns else (_cells(rows[0][1]).__len__() if rows else 1)
        page.put(line, "<table>")
        count = 0
        for number, (at, text) in enumerate(rows):
            name = "th" if header_is_first and number == 0 else "td"
            for cell in _cells(text):
                opening = "<tr>" if count % max(1, width) == 0 else ""
                page.put(at, f"{opening}<{name}>{_write(cell)}")
                count += 1
            if not text.lstrip().startswith("|") and not _cells(text):
                page.put(at, _write(text.strip()))
        page.put(end, "</table>")
        return end + 1

    def _item(self, line: int, after: int) -> int:
        page = self.page
        found = _ITEM.match(page.lines[line])
        term = None if found else _TERM.match(page.lines[line])
        if found is None and (term is None or "://" in page.lines[line]):
            return 0
        end = line + 1
        while end < after and not page.is_blank(end) and not self._begins_block(end) and page.lines[end].strip() != "+":
            end += 1
        if found is not None:
            words = "\n".join([page.lines[line][found.end() :], *page.lines[line + 1 : end]])
            page.put(line, f"<ul><li>{_write(words)}</li></ul>")
        elif term is not None:
            words = "\n".join([term["text"] or "", *page.lines[line + 1 : end]])
            page.put(line, f"<dl><dt>{_write(term['term'].strip())}</dt><dd>{_write(words)}</dd></dl>")
        return end

    def _paragraph(self, line: int, after: int) -> int:
        page = self.page
        style, self.style = self.style, ""
        end = line + 1
        while end < after and not page.is_blank(end) and not self._begins_block(end):
            end += 1
        if style.split(",")[0] in ("stem", "latexmath"):
            self._formula(line, end, style.split(",")[0])
            return end
        page.put(line, f"<p>{_write(chr(10).join(part.strip() for part in page.lines[line:end]))}</p>")
        return end

    def _begins_block(self, line: int) -> bool:
        text = self.page.lines[line]
        return bool(_FENCE.match(text) or _HEADING.match(text) or _ITEM.match(text) or text.startswith(("|===", "//")))


def _columns(text: str) -> int:
    repeated = re.match(r"(\d{1,2})\*", text)
    return int(repeated.group(1)) if repeated else text.count(",") + 1


def _cells(text: str) -> list[str]:
    parts = re.split(r"(?<!\\)(?:\d+\+|\.\d+\+)?[<^>]?[aemslh]?\|", text)
    return [part.strip() for part in parts[1:]]


def read_asciidoc(source: Source) -> Document:
    """Read an AsciiDoc file. Raises `DocumentError` for what is no text or too large."""
    decoded = decode(source)
    page = PageLines(decoded.text.split("\n"))
    text = _AsciiDoc(page)
    text.write(0, len(page.lines))
    return read_page_lines(source, decoded, page, media_type="text/asciidoc", with_dollars=False, values=text.values)
