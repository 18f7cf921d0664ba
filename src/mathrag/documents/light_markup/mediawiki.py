"""Wiki pages in the mark-up of MediaWiki written out: `<math>`, `{{math|…}}`, `''x''`, headings, lists, tables."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape

from mathrag.documents.decoding import decode
from mathrag.documents.light_markup.page_lines import PageLines, inline_writer, read_page_lines
from mathrag.documents.seams import Source
from mathrag.types.document import Document

_HEADING = re.compile(r"(={1,6})\s*(\S.*?)\s*\1\s*$")
_ITEM = re.compile(r"([*#:;]+)\s*(.*)$", re.DOTALL)
_SILENT = re.compile(r"__[A-Z]{3,20}__")
# What is taken out before anything else is read; the lines it took stay.
_REMOVED = re.compile(
    r"<!--(?:(?!<!--).)*?-->|<ref\b[^<>]*/>|<ref\b[^<>]*>(?:(?!<ref\b).)*?</ref\s*>"
    r"|<(gallery|timeline|templatedata|score)\b(?:(?!<\1\b).)*?</\1\s*>",
    re.DOTALL | re.IGNORECASE,
)
_FORMULA = re.compile(
    r"<(?P<tag>math|chem|ce)\b(?P<attributes>[^<>]*)>(?P<tex>(?:(?!<(?P=tag)\b).)*?)</(?P=tag)\s*>"
    r"|<(?P<listing>nowiki|pre|syntaxhighlight|source|code)\b(?P<options>[^<>]*)>(?P<code>(?:(?!<(?P=listing)\b).)*?)</(?P=listing)\s*>",
    re.DOTALL | re.IGNORECASE,
)
_INNERMOST = re.compile(r"\{\{([^{}]*)\}\}")
_MOST_PASSES = 12
_KEPT = "\ue000"


class _Kept:
    """Elements that are ready: they travel through the other rules as marks that no text has."""

    def __init__(self) -> None:
        self.elements: list[str] = []

    def keep(self, element: str) -> str:
        self.elements.append(element)
        return f"{_KEPT}{len(self.elements) - 1}{_KEPT}"

    def back(self, text: str) -> str:
        for _ in range(_MOST_PASSES):
            if _KEPT not in text:
                break
            text = re.sub(rf"{_KEPT}(\d+){_KEPT}", lambda found: self.elements[int(found.group(1))], text)
        return text


def _link(found: re.Match[str], write: Callable[[str], str]) -> str:
    target, _, words = found["target"].partition("|")
    if re.match(r"\s*(?:file|image|category|media)\s*:", target, re.IGNORECASE):
        return "\n" * found.group().count("\n")
    return write(words.rpartition("|")[2] if words else target.lstrip(":"))


_write = inline_writer(
    (
        (r"\[\[(?P<target>[^\[\]]*)\]\]", _link),
        (r"\[(?:https?|ftp)://\S+\s+(?P<words>[^\[\]]+)\]", lambda found, write: write(found["words"])),
        (r"\[(?:https?|ftp)://[^\s\[\]]+\]", lambda _found, _write: ""),
        (r"'''''(?P<both>.+?)'''''", lambda found, write: f"<b><i>{write(found['both'])}</i></b>"),
        (r"'''(?P<bold>.+?)'''(?!')", lambda found, write: f"<b>{write(found['bold'])}</b>"),
        (r"''(?P<italic>.+?)''(?!')", lambda found, write: f"<i>{write(found['italic'])}</i>"),
        (
            r"</?(?:sub|sup|i|b|em|strong|var|br|code|small|big|span|u|s)\b[^<>]{0,200}>",
            lambda found, _: found.group(),
        ),
        (r"</?[A-Za-z][^<>]{0,300}>", lambda found, _: "\n" * found.group().count("\n")),
        (r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});", lambda found, _: found.group()),
    )
)  # fmt: skip


def _template(text: str, keep: Callable[[str], str]) -> str:
    """What a template shows. Those that set formulas are known; others show boxes and notes and are left out."""
    parts = [part.strip() for part in text.split("|")]
    name = parts[0].lower()
    values = [re.sub(r"^\d=", "", part) for part in parts[1:] if not re.match(r"[A-Za-z]\w*\s*=(?!=)", part)]
    first = values[0] if values else ""
    second = values[1] if len(values) > 1 else ""
    if name in ("math", "mathcal", "bigmath", "var math"):
        return keep('<span class="texhtml">') + first + keep("</span>")
    if name in ("mvar", "var"):
        return keep('<span class="texhtml"><i>') + first + keep("</i></span>")
    if name in ("tmath", "math2tex"):
        return keep(f"<tex-math>{escape(first)}</tex-math>")
    if name in ("numblk", "equationref", "equation"):
        return second if name == "numblk" and second else first
    if name in ("sfrac", "frac"):
        return f"({first})/({second})" if second else f"1/({first})"
    wrapped = {"sqrt": ("√(", ")"), "abs": ("|", "|"), "sup": ("<sup>", "</sup>"), "sub": ("<sub>", "</sub>")}
    if name in wrapped:
        return wrapped[name][0] + first + wrapped[name][1]
    signs = {"=": "=", "!": "|", "pi": "π", "tau": "τ", "times": "×", "minus": "−", "nbsp": " ", "pm": "±", "·": "·"}
    if name in signs:
        return signs[name]
    if name in (
        "nowrap",
        "nobr",
        "val",
        "lang",
        "em",
        "strong",
        "block indent",
        "blockindent",
        "center",
        "bi",
        "indent",
    ):
        return first
    return "\n" * text.count("\n")


class _Wiki:
    def __init__(self, text: str) -> None:
        self.kept = _Kept()
        text = text.replace(_KEPT, "")
        text = _REMOVED.sub(lambda found: "\n" * found.group().count("\n"), text)
        text = _FORMULA.sub(self._element, text)
        for _ in range(_MOST_PASSES):
            text, count = _INNERMOST.subn(lambda found: self._shown(found.group(1)), text)
            if not count:
                break
        self.page = PageLines(text.split("\n"))

    def _shown(self, inner: str) -> str:
        return _template(inner, self.kept.keep)

    def _element(self, found: re.Match[str]) -> str:
        lines = "\n" * found.group().count("\n")
        if found["listing"]:
            if found["listing"].lower() in ("nowiki", "code"):
                return self.kept.keep(f"<code>{escape(found['code'])}</code>".replace("\n", " ")) + lines
            language = re.search(r"lang\s*=\s*\"?(\w+)", found["options"] or "")
            kind = f' class="language-{language.group(1)}"' if language else ""
            return self.kept.keep(f"<pre{kind}>{escape(found['code'])}</pre>".replace("\n", "&#10;")) + lines
        tex = " ".join(found["tex"].split())
        if found["tag"].lower() != "math":
            tex = rf"\ce{{{tex}}}"
        block = ' block=""' if "block" in found["attributes"] else ""
        return self.kept.keep(f"<tex-math{block}>{escape(tex)}</tex-math>") + lines

    def write(self) -> None:
        """All lines of the page."""
        lines, line = self.page.lines, 0
        while line < len(lines):
            text = lines[line]
            heading = _HEADING.match(text)
            if heading:
                level = len(heading.group(1))
                self._put(line, f"<h{level}>{_write(heading.group(2))}</h{level}>")
                line += 1
            elif text.startswith("{|"):
                line = self._table(line)
            elif _ITEM.match(text) and text.strip(" *#:;"):
                self._item(line, text)
                line += 1
            elif not text.strip() or _SILENT.match(text):
                line += 1
            else:
                line = self._paragraph(line)

    def _put(self, line: int, page: str) -> None:
        self.page.put(line, self.kept.back(page))

    def _item(self, line: int, text: str) -> None:
        found = _ITEM.match(text)
        if found is None:
            return
        marks, words = found.groups()
        if marks[-1] == ":":
            self._put(line, f"<div>{_write(words)}</div>")
        elif marks[-1] == ";":
            term, colon, rest = words.partition(" : ")
            definition = f"<dd>{_write(rest)}</dd>" if colon else ""
            self._put(line, f"<dl><dt>{_write(term)}</dt>{definition}</dl>")
        else:
            name = "ol" if marks[-1] == "#" else "ul"
            self._put(line, f"<{name}><li>{_write(words)}</li></{name}>")

    def _paragraph(self, line: int) -> int:
        lines = self.page.lines
        end = line + 1
        while end < len(lines) and lines[end].strip() and not _ITEM.match(lines[end]):
            if _HEADING.match(lines[end]) or lines[end].startswith("{|"):
                break
            end += 1
        self._put(line, f"<p>{_write(chr(10).join(lines[line:end]))}</p>")
        return end

    def _table(self, line: int) -> int:
        lines = self.page.lines
        end = next((at for at in range(line + 1, len(lines)) if lines[at].lstrip().startswith("|}")), len(lines) - 1)
        self._put(line, "<table><tr>")
        for at in range(line + 1, end):
            text = lines[at].strip()
            if text.startswith("|-"):
                self._put(at, "</tr><tr>")
            elif text.startswith("|+"):
                self._put(at, f"<caption>{_write(text[2:])}</caption>")
            elif text[:1] in ("|", "!"):
                name = "th" if text[0] == "!" else "td"
                cells = re.split(r"\|\||!!" if name == "th" else r"\|\|", text[1:])
                shown = "".join(f"<{name}>{_write(_cell(cell))}</{name}>" for cell in cells)
                self._put(at, shown)
            elif text:
                self._put(at, f"<p>{_write(text)}</p>")
        self._put(end, "</tr></table>")
        return end + 1


def _cell(text: str) -> str:
    """A cell without the attributes before its bar: `align="left" | words`."""
    before, bar, words = text.partition("|")
    return words.strip() if bar and "=" in before and "[[" not in before else text.strip()


def read_mediawiki(source: Source) -> Document:
    """Read a wiki page. Raises `DocumentError` for what is no text or too large."""
    decoded = decode(source)
    wiki = _Wiki(decoded.text)
    wiki.write()
    return read_page_lines(source, decoded, wiki.page, media_type="text/x-wiki", with_dollars=False)
