"""HTML and XHTML pages to documents: decode, parse, walk, and say what was left out. The seam to the other readers."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from mathrag.documents.decoding import DecodedText, decode, normalise_lines
from mathrag.documents.html.blocks import BlockReader
from mathrag.documents.html.delimiters import count_dollar_formulas
from mathrag.documents.html.tree import Node, parse_page
from mathrag.documents.html.walk import LeftOut
from mathrag.documents.seams import Source
from mathrag.errors import DocumentError
from mathrag.types.document import Block, Document, Heading, Place, ReaderNote

# What a page says about itself: title, authors, year, abstract. From its head and the usual places of its body.

_TITLES = ("citation_title", "dc.title", "dcterms.title")
_AUTHORS = ("citation_author", "dc.creator", "dcterms.creator", "author", "article:author", "parsely-author")
_DATES = (
    "citation_publication_date", "citation_date", "citation_year", "dc.date", "dcterms.date", "dcterms.issued",
    "dc.date.issued", "article:published_time", "date", "datepublished", "article:modified_time",
)  # fmt: skip
_DESCRIPTIONS = ("citation_abstract", "dc.description", "dcterms.abstract", "description", "og:description")
_ABSTRACT_CLASSES = frozenset(("abstract", "ltx_abstract", "article-abstract"))
_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")
_MANY_AUTHORS = re.compile(r"\s*;\s*|\s+and\s+|\s+&\s+")
_LONGEST = 10_000
_MOST_AUTHORS = 200


@dataclass(slots=True)
class Metadata:
    """What was found; empty where the page is silent."""

    title: str = ""
    authors: tuple[str, ...] = ()
    year: int | None = None
    abstract: str = ""
    _values: dict[str, list[str]] = field(default_factory=dict)


def read_metadata(root: Node, blocks: list[Block]) -> Metadata:
    """The metadata of a page; `blocks` give the title where the head has none."""
    values: dict[str, list[str]] = {}
    title = ""
    abstract = ""
    times: list[str] = []
    personal: list[str] = []
    for node in root.descendants():
        if node.name == "meta":
            name = (node.attribute("name") or node.attribute("property") or node.attribute("itemprop")).lower()
            content = _clean(node.attribute("content"))
            if name and content and len(values.setdefault(name, [])) < _MOST_AUTHORS:
                values[name].append(content)
        elif node.name == "title" and not title and not _is_in_drawing(node):
            title = _clean(node.text())
        elif node.name == "time" and len(times) < 3:
            times.append(node.attribute("datetime") or _clean(node.text()))
        elif "class" in node.attributes and not abstract and not _ABSTRACT_CLASSES.isdisjoint(node.classes):
            abstract = re.sub(r"^abstract\b[\s.:—-]*", "", _clean(node.text()), flags=re.IGNORECASE)
        elif len(personal) < _MOST_AUTHORS and node.has_class("ltx_personname", "author-name", "p-author"):
            personal.append(_clean(node.text()))
    headings = [block.quote for block in blocks if isinstance(block, Heading) and block.level == 1]
    return Metadata(
        _title(values, title, headings),
        _authors(values, personal),
        _year(values, times),
        abstract or _first(values, _DESCRIPTIONS),
    )


def _is_in_drawing(node: Node) -> bool:
    return node.parent is not None and node.parent.name not in ("head", "html", "body", "")


def _clean(text: str) -> str:
    return " ".join(text[: 4 * _LONGEST].split())[:_LONGEST]


def _first(values: dict[str, list[str]], names: tuple[str, ...]) -> str:
    return next((values[name][0] for name in names if values.get(name)), "")


def _title(values: dict[str, list[str]], title: str, headings: list[str]) -> str:
    """What a citation would say; else the title, without the name of the site where the only main heading shows it."""
    cited = _first(values, _TITLES)
    if cited:
        return cited
    if len(headings) == 1 and headings[0] and title.startswith(headings[0]):
        return headings[0]
    return title or _first(values, ("og:title", "twitter:title")) or (headings[0] if headings else "")


def _authors(values: dict[str, list[str]], personal: list[str]) -> tuple[str, ...]:
    for name in _AUTHORS:
        found = [part.strip() for value in values.get(name, ()) for part in _MANY_AUTHORS.split(value[:2_000])]
        named = [author for author in found if author and not author.startswith(("http:", "https:"))]
        if named:
            return tuple(dict.fromkeys(named))
    return tuple(dict.fromkeys(name for name in personal if name and len(name) < 100))


def _year(values: dict[str, list[str]], times: list[str]) -> int | None:
    for text in (*(value for name in _DATES for value in values.get(name, ())), *times):
        found = _YEAR.search(text[:100])
        if found:
            return int(found.group(1))
    return None


# Bytes of a web page to characters, with the encoding the page itself names. Fetches nothing, parses nothing.

# A declaration stands near the start or nowhere; browsers look at the first 1,024 bytes, old editors wrote more before.
_SEARCHED = 8_192
_DECLARED = re.compile(
    rb"""<\?xml[^>]{0,200}?encoding\s{0,9}=\s{0,9}["']([A-Za-z0-9_.:-]{2,40})"""
    rb"""|<meta[^>]{0,400}?charset\s{0,9}=\s{0,9}["']?\s{0,9}([A-Za-z0-9_.:-]{2,40})""",
    re.IGNORECASE,
)
# Pages that say Latin-1 mean Windows-1252: every browser reads them so.
_CODECS = {
    **dict.fromkeys(("iso-8859-1", "iso8859-1", "latin1", "latin-1", "us-ascii", "ascii", "cp1252"), "cp1252"),
    **{f"iso-8859-{part}": f"iso8859-{part}" for part in (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16)},
    **{f"windows-125{digit}": f"cp125{digit}" for digit in range(9)},
    **{f"cp125{digit}": f"cp125{digit}" for digit in range(9)},
    **{name: name for name in ("koi8-r", "koi8-u", "gb18030", "big5", "euc-jp", "euc-kr", "iso-2022-jp", "cp866")},
    **dict.fromkeys(("gb2312", "gbk", "x-gbk"), "gb18030"),
    **dict.fromkeys(("shift_jis", "shift-jis", "sjis", "x-sjis", "windows-31j"), "cp932"),
    **dict.fromkeys(("macintosh", "mac", "x-mac-roman"), "mac-roman"),
}
_SEVEN_BIT = frozenset(("iso-2022-jp",))


def decode_page(source: Source) -> DecodedText:
    """The characters of a page. Valid UTF-8 is read so whatever it claims; else what it claims; else a guess."""
    wide = _wide_encoding(source.data)
    if wide:
        return _decode_wide(source, wide)
    declared = _declared(source.data)
    if declared in _SEVEN_BIT and b"\x1b" in source.data:
        return _decode_as(source, declared)
    decoded = decode(source)
    if decoded.encoding.startswith("utf") or not declared:
        return decoded
    return _decode_as(source, declared)


def _declared(data: bytes) -> str:
    found = _DECLARED.search(data[:_SEARCHED])
    if found is None:
        return ""
    name = (found.group(1) or found.group(2)).decode("ascii").lower()
    return _CODECS.get(name, "")


def _decode_as(source: Source, encoding: str) -> DecodedText:
    text = source.data.decode(encoding, "replace")
    lost = text.count("\ufffd")
    notes: tuple[ReaderNote, ...] = ()
    if lost:
        line = text.count("\n", 0, text.index("\ufffd")) + 1
        message = f"{lost:,} characters do not fit the encoding the page names and are lost"
        notes = (ReaderNote("encoding", message, Place(line=line)),)
    return DecodedText(normalise_lines(text), encoding, notes)


def _wide_encoding(data: bytes) -> str:
    """UTF-16 without a mark: every second byte of the first tag is zero."""
    start = data[:64]
    if len(start) < 8 or start[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return ""
    if not any(start[1::2]) and all(start[::2]):
        return "utf-16-le"
    return "utf-16-be" if not any(start[::2]) and all(start[1::2]) else ""


def _decode_wide(source: Source, encoding: str) -> DecodedText:
    if len(source.data) > source.limits.bytes:
        return decode(source)
    try:
        text = source.data.decode(encoding)
    except UnicodeDecodeError as error:
        raise DocumentError(
            "encoding", f"{source.name} looks like UTF-16 but byte {error.start:,} does not fit; save it as UTF-8"
        ) from error
    return DecodedText(normalise_lines(text), encoding)


_RENDERERS = re.compile(r"mathjax|katex|auto-render|jsmath|inlineMath|renderMathInElement", re.IGNORECASE)
_ENOUGH_DOLLARS = 3
_LEFT_OUT = {
    "hidden": "what a browser would not show",
    "navigation": "what only leads around the site",
}


def read_html(source: Source) -> Document:
    """Read a page. Raises `DocumentError` for what is no text, is empty, or goes beyond the limits."""
    decoded = decode_page(source)
    if not decoded.text.strip():
        raise DocumentError("empty", f"{source.name} is empty")
    root, notes = parse_page(decoded.text, limits=source.limits)
    reader = BlockReader(source.limits, with_dollars=_dollars_are_formulas(root, decoded.text))
    blocks = reader.read(root)
    metadata = read_metadata(root, blocks)
    return Document(
        source=source.name,
        media_type="text/html",
        hash=source.hash,
        blocks=tuple(blocks),
        title=metadata.title,
        authors=metadata.authors,
        year=metadata.year,
        abstract=metadata.abstract,
        notes=(*decoded.notes, *notes, *_notes_on(reader.left_out)),
        boxes=tuple(reader.boxes),
    )


def _dollars_are_formulas(root: Node, text: str) -> bool:
    """Whether `$…$` means TeX here: the page loads a renderer, or enough pairs hold what can only be TeX."""
    if "$" not in text:
        return False
    for node in root.descendants():
        if node.name in ("script", "link"):
            address = node.attribute("src") or node.attribute("href")
            inside = node.text()[:20_000] if node.name == "script" else ""
            if _RENDERERS.search(address[:500]) or _RENDERERS.search(inside):
                return True
    return count_dollar_formulas(text) >= _ENOUGH_DOLLARS


def _notes_on(left_out: LeftOut) -> list[ReaderNote]:
    return [
        ReaderNote(
            kind,
            f"left out {_LEFT_OUT[kind]} ({count:,} {'place' if count == 1 else 'places'})",
            left_out.first[kind].place,
        )
        for kind, count in sorted(left_out.counts.items())
    ]
