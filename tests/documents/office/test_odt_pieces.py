"""Long OpenDocument texts are read in pieces, and nobody can tell."""

from __future__ import annotations

import pytest

from mathrag.documents.office import odt_pieces, read_odt
from mathrag.documents.seams import Source
from mathrag.types.document import Document, ListItem, Paragraph, Table
from office_archives import open_document

_CELL = "<table:table-cell><text:p>c{}</text:p></table:table-cell>"
_ROW = "<table:table-row>{}</table:table-row>"
_BODY = (
    '<text:h text:outline-level="1">Levers</text:h>'
    "<text:p>A lever<text:span> turns</text:span> about<text:span> a</text:span> point<text:span>.</text:span></text:p>"
    "<text:list>"
    + "".join(f"<text:list-item><text:p>item {n}</text:p></text:list-item>" for n in range(7))
    + "</text:list><table:table>"
    + "".join(_ROW.format(_CELL.format(n) + _CELL.format(n + 10)) for n in range(7))
    + "</table:table><text:section><text:p>one</text:p><text:p>two</text:p></text:section>"
    + "".join(f"<text:p>end {n}</text:p>" for n in range(5))
)


def _read(body: str, **more: bytes | str) -> Document:
    return read_odt(Source("text.odt", open_document(body, **more)))


@pytest.mark.parametrize("longest", [3, 5, 8, 20])
def test_pieces_of_any_length_give_the_same_blocks(longest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = _read(_BODY)
    monkeypatch.setattr(odt_pieces, "_LONGEST", longest)
    assert [block.quote for block in _read(_BODY).blocks] == [block.quote for block in whole.blocks]
    assert [type(block) for block in _read(_BODY).blocks] == [type(block) for block in whole.blocks]


def test_a_table_of_many_rows_stays_one_table() -> None:
    (table,) = _read(f"<table:table>{_ROW.format(_CELL.format(1) * 2) * 900}</table:table>").blocks
    assert isinstance(table, Table)
    assert len(table.header) + len(table.rows) == 900


def test_a_paragraph_of_many_spans_stays_one_paragraph() -> None:
    (paragraph,) = _read(f"<text:p>{'<text:span>a </text:span>b ' * 2_000}</text:p>").blocks
    assert isinstance(paragraph, Paragraph)
    assert paragraph.quote.split() == ["a", "b"] * 2_000


def test_lists_deeper_than_word_processors_make_them_are_read_flat() -> None:
    deep = "<text:list><text:list-item>" * 40 + "<text:p>far inside</text:p>" + "</text:list-item></text:list>" * 40
    blocks = _read(deep).blocks
    assert [block.quote for block in blocks] == ["far inside"]
    assert isinstance(blocks[0], ListItem)


def test_a_number_of_spaces_is_no_way_to_fill_the_memory() -> None:
    (paragraph,) = _read('<text:p>a<text:s text:c="900000000"/>b</text:p>').blocks
    assert len(paragraph.quote) < 200


def test_a_wide_row_does_not_make_short_ones_wide() -> None:
    rows = _ROW.format(_CELL.format(1) * 450) + _ROW.format(_CELL.format(2)) * 450
    document = _read(f"<table:table>{rows}</table:table>")
    assert [note.code for note in document.notes] == ["wide_table"]
