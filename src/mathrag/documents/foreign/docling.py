"""Docling's document (`DoclingDocument` as JSON) to parts: items by reference, boxes from either corner of the page."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any

from mathrag.documents.boxes import Box
from mathrag.documents.foreign.parts import ForeignPart, box_of, document_of, page_of
from mathrag.documents.foreign.programs import ForeignProgram, program_output, unknown_shape
from mathrag.documents.seams import Source
from mathrag.types.document import Document, Page

# Tables of a Docling document as HTML: cells by their offsets, spans and headers kept. Knows nothing else of it.

# Of one table; spans of a hostile one would fill the memory.
_MOST_CELLS = 200_000


def table_html(item: dict[str, Any], caption: str) -> str:
    """The table; only its caption where it has no cells."""
    data = item.get("data")
    listed = data.get("table_cells") if isinstance(data, dict) else None
    rows: dict[int, dict[int, str]] = {}
    headers: dict[int, bool] = {}
    for cell in listed[:_MOST_CELLS] if isinstance(listed, list) else ():
        if not isinstance(cell, dict):
            continue
        row, column = _count(cell.get("start_row_offset_idx")), _count(cell.get("start_col_offset_idx"))
        is_header = bool(cell.get("column_header"))
        rows.setdefault(row, {})[column] = _cell(cell, is_header=is_header)
        headers[row] = headers.get(row, True) and is_header
    heading = f"<caption>{escape(caption, quote=False)}</caption>" if caption else ""
    if not rows:
        return f"<p>{escape(caption, quote=False)}</p>" if caption else ""
    lines = {row: f"<tr>{''.join(cells[column] for column in sorted(cells))}</tr>" for row, cells in rows.items()}
    head = "".join(lines[row] for row in sorted(lines) if headers[row])
    body = "".join(lines[row] for row in sorted(lines) if not headers[row])
    return f'<table border="1">{heading}<thead>{head}</thead><tbody>{body}</tbody></table>'


def _cell(cell: dict[str, Any], *, is_header: bool) -> str:
    text = cell.get("text")
    words = escape(text if isinstance(text, str) else "", quote=False)
    name = "th" if is_header or cell.get("row_header") else "td"
    wide, tall = max(1, _count(cell.get("col_span"))), max(1, _count(cell.get("row_span")))
    spans = (f' colspan="{wide}"' if wide > 1 else "") + (f' rowspan="{tall}"' if tall > 1 else "")
    return f"<{name}{spans}>{words}</{name}>"


def _count(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 100_000 else 0


DOCLING = ForeignProgram(
    "docling",
    "docling",
    "docling",
    ("{file}", "--to", "json", "--output", "{folder}", "--enrich-formula", "--image-export-mode", "placeholder"),
)
_OUTPUT = ".json"
_ITEMS = ("texts", "tables", "pictures", "groups")
_DROPPED = frozenset(("page_header", "page_footer", "document_index", "empty_value"))
# Groups in groups; lists of real documents have five levels.
_DEEPEST = 60


def read_with_docling(source: Source) -> Document:
    """Read a document with Docling. Raises `DocumentError` where it is not installed, fails, or writes nonsense."""
    return docling_document(source, program_output(DOCLING, source, (_OUTPUT,))[_OUTPUT])


def docling_document(source: Source, output: Any) -> Document:
    """The document that an exported `DoclingDocument` describes."""
    if not isinstance(output, dict) or not isinstance(output.get("body"), dict):
        raise unknown_shape(DOCLING, "there is no body")
    items = _items(output)
    pages = _pages(output.get("pages"))
    return document_of(source, _parts(output["body"], items, pages), pages=tuple(pages.values()))


def _items(output: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Everything that can be referred to, by its reference."""
    found: dict[str, dict[str, Any]] = {}
    for kind in _ITEMS:
        listed = output.get(kind)
        for place, item in enumerate(listed if isinstance(listed, list) else ()):
            if isinstance(item, dict):
                found[f"#/{kind}/{place}"] = item
    return found


def _pages(described: Any) -> dict[int, Page]:
    pages: dict[int, Page] = {}
    for key, each in described.items() if isinstance(described, dict) else ():
        size = each.get("size") if isinstance(each, dict) else None
        if isinstance(size, dict) and key.isascii() and key.isdigit() and len(key) < 7:
            page = page_of(int(key), size.get("width"), size.get("height"))
            if page is not None:
                pages[int(key)] = page
    return dict(sorted(pages.items()))


def _parts(body: dict[str, Any], items: dict[str, dict[str, Any]], pages: dict[int, Page]) -> Iterator[ForeignPart]:
    """The items in reading order, each once; captions come with what they describe."""
    captions = {reference for item in items.values() for reference in _references(item.get("captions"))}
    seen: set[str] = set(captions)
    pending = [(reference, 0) for reference in reversed(_references(body.get("children")))]
    while pending:
        reference, depth = pending.pop()
        item = items.get(reference)
        if item is None or reference in seen:
            continue
        seen.add(reference)
        if depth > _DEEPEST:
            raise unknown_shape(DOCLING, f"items are nested more than {_DEEPEST} deep")
        label = str(item.get("label", ""))
        html = _html(item, label, items) if item.get("content_layer", "body") == "body" else ""
        if html:
            page, box = _provenance(item, pages)
            yield ForeignPart(html, page, box, reference, label == "reference")
        children = _references(item.get("children"))
        if label not in ("picture", "chart"):
            # What stands inside a picture is lettering, not text.
            pending.extend((child, depth + 1) for child in reversed(children))


def _references(listed: Any) -> list[str]:
    values = [each.get("$ref") or each.get("cref") for each in listed if isinstance(each, dict)] if isinstance(
        listed, list
    ) else []  # fmt: skip
    return [value for value in values if isinstance(value, str)]


def _html(item: dict[str, Any], label: str, items: dict[str, dict[str, Any]]) -> str:
    text = item.get("text")
    text = text if isinstance(text, str) else ""
    words = escape(text, quote=False)
    if label == "table":
        return table_html(item, _caption(item, items))
    if label in ("picture", "chart"):
        caption = escape(_caption(item, items), quote=False)
        return f'<figure><img src="{escape(_address(item))}"><figcaption>{caption}</figcaption></figure>'
    if not text.strip() or label in _DROPPED:
        return ""
    match label:
        case "title":
            return f"<h1>{words}</h1>"
        case "section_header":
            level = item.get("level")
            return (
                f"<h{min(level + 1, 6)}>{words}</h{min(level + 1, 6)}>"
                if isinstance(level, int)
                else f"<h2>{words}</h2>"
            )
        case "formula":
            return f'<tex-math block="">{words}</tex-math>'
        case "code":
            language = escape(str(item.get("code_language") or ""))
            return f'<pre><code class="language-{language}">{words}</code></pre>'
        case "list_item":
            marker = item.get("marker")
            start = marker.strip("(). ") if isinstance(marker, str) else ""
            if item.get("enumerated") and start.isascii() and start.isdigit():
                return f'<ol start="{start}"><li>{words}</li></ol>'
            return f"<ul><li>{words}</li></ul>"
        case _:
            return f"<p>{words}</p>"


def _caption(item: dict[str, Any], items: dict[str, dict[str, Any]]) -> str:
    texts = [items[reference].get("text") for reference in _references(item.get("captions")) if reference in items]
    return " ".join(text.strip() for text in texts if isinstance(text, str))


def _address(item: dict[str, Any]) -> str:
    image = item.get("image")
    address = image.get("uri") if isinstance(image, dict) else ""
    return address if isinstance(address, str) and address and not address.startswith("data:") else "picture"


def _provenance(item: dict[str, Any], pages: dict[int, Page]) -> tuple[int | None, Box | None]:
    """The page and the box from the top left, of the first place where an item stands."""
    listed = item.get("prov")
    first = listed[0] if isinstance(listed, list) and listed and isinstance(listed[0], dict) else {}
    number = first.get("page_no")
    number = number if isinstance(number, int) and not isinstance(number, bool) and number > 0 else None
    bounds = first.get("bbox")
    if number is None or not isinstance(bounds, dict):
        return number, None
    box = box_of([bounds.get(side) for side in "ltrb"])
    if box is None or bounds.get("coord_origin", "TOPLEFT") != "BOTTOMLEFT":
        return number, box
    page = pages.get(number)
    if page is None:
        return number, None
    return number, (box[0], page.height - box[3], box[2], page.height - box[1])
