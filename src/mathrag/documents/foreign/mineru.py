"""MinerU's list of contents to parts: flat, in reading order, boxes in thousandths of the page."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any

from mathrag.documents.foreign.parts import ForeignPart, box_of, document_of, page_of
from mathrag.documents.foreign.programs import ForeignProgram, program_output, unknown_shape
from mathrag.documents.seams import Source
from mathrag.types.document import Document, Page

MINERU = ForeignProgram("mineru", "mineru", "mineru", ("-p", "{file}", "-o", "{folder}", "-b", "pipeline"))
_CONTENTS, _LAYOUT = "_content_list.json", "_middle.json"
_THOUSAND = 1000.0
_DROPPED = frozenset(("header", "footer", "page_number", "aside_text", "discarded", "seal"))


def read_with_mineru(source: Source) -> Document:
    """Read a document with MinerU. Raises `DocumentError` where it is not installed, fails, or writes nonsense."""
    output = program_output(MINERU, source, (_CONTENTS, _LAYOUT))
    return mineru_document(source, output[_CONTENTS], output.get(_LAYOUT))


def mineru_document(source: Source, contents: Any, layout: Any = None) -> Document:
    """The document that a `content_list.json` describes; sizes of pages, and so boxes, come from `middle.json`."""
    if not isinstance(contents, list):
        raise unknown_shape(MINERU, "the list of contents is no list")
    pages = _pages(layout)
    return document_of(source, _parts(contents, pages), pages=tuple(pages.values()))


def _pages(layout: Any) -> dict[int, Page]:
    pages: dict[int, Page] = {}
    described = layout.get("pdf_info") if isinstance(layout, dict) else None
    for place, each in enumerate(described if isinstance(described, list) else ()):
        size = each.get("page_size") if isinstance(each, dict) else None
        index = each.get("page_idx", place) if isinstance(each, dict) else place
        if isinstance(size, list) and len(size) == 2 and isinstance(index, int):
            page = page_of(index + 1, *size)
            if page is not None:
                pages[index + 1] = page
    return pages


def _parts(contents: list[Any], pages: dict[int, Page]) -> Iterator[ForeignPart]:
    for place, item in enumerate(contents):
        if not isinstance(item, dict):
            raise unknown_shape(MINERU, f"entry {place + 1} is no object")
        html = _html(item)
        if not html:
            continue
        index = item.get("page_idx")
        number = index + 1 if isinstance(index, int) and not isinstance(index, bool) and index >= 0 else None
        page = pages.get(number or 0)
        # Thousandths of a page whose size is unknown are no points: no box is better than a wrong one.
        size = (page.width / _THOUSAND, page.height / _THOUSAND) if page is not None else None
        box = box_of(item.get("bbox"), across=size[0], down=size[1]) if size is not None else None
        is_reference = item.get("sub_type") == "ref_text" or item.get("type") == "ref_text"
        yield ForeignPart(html, number, box, f"{place + 1}", is_reference)


def _html(item: dict[str, Any]) -> str:
    """One entry as HTML; formulas keep their dollars, which the reader of pages understands."""
    text = _string(item.get("text"))
    match _string(item.get("type")):
        case "text" | "page_footnote" | "ref_text":
            level = item.get("text_level")
            return _element(f"h{min(level, 6)}" if isinstance(level, int) and level > 0 else "p", text)
        case "equation" | "interline_equation":
            latex = text.strip().removeprefix("$$").removesuffix("$$").strip()
            return f'<tex-math block="">{escape(latex, quote=False)}</tex-math>' if latex else ""
        case "table":
            caption = _joined(item.get("table_caption"))
            return _table(_string(item.get("table_body")), caption) + _paragraphs(item.get("table_footnote"))
        case "image" | "chart" as kind:
            return _figure(_string(item.get("img_path")), _joined(item.get(f"{kind}_caption")))
        case "list":
            lines = [f"<li>{escape(line, quote=False)}</li>" for line in _strings(item.get("list_items"))]
            return f"<ul>{''.join(lines)}</ul>" if lines else ""
        case "code":
            return f"<pre><code>{escape(_string(item.get('code_body')), quote=False)}</code></pre>"
        case kind if kind in _DROPPED:
            return ""
        case _:
            return _element("p", text)


def _element(name: str, text: str) -> str:
    """An element with this text; nothing where there is no text."""
    return f"<{name}>{escape(text, quote=False)}</{name}>" if text.strip() else ""


def _figure(address: str, caption: str) -> str:
    if not address:
        return ""
    inside = f"<figcaption>{escape(caption, quote=False)}</figcaption>"
    return f'<figure><img src="{escape(address)}">{inside}</figure>'


def _table(body: str, caption: str) -> str:
    """The table that MinerU wrote as HTML, with its caption inside."""
    start = body.find("<table")
    inside = body.find(">", start) + 1 if start >= 0 else 0
    if not inside:
        return f"<p>{escape(caption, quote=False)}</p>" if caption else ""
    stop = body.rfind("</table>")
    rows = body[inside:stop] if stop > inside else body[inside:]
    heading = f"<caption>{escape(caption, quote=False)}</caption>" if caption else ""
    return f'<table border="1">{heading}{rows}</table>'


def _string(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _joined(values: Any) -> str:
    return " ".join(_string(value).strip() for value in values) if isinstance(values, list) else _string(values)


def _strings(values: Any) -> list[str]:
    return [_string(value) for value in values] if isinstance(values, list) else []


def _paragraphs(values: Any) -> str:
    return "".join(_element("p", line) for line in _strings(values))
