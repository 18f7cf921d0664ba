"""The tables for analysts as CSV files for spreadsheets and statistics. RFC 4180, UTF-8.

Text from documents may begin like a spreadsheet formula; such cells get an apostrophe in front, so that opening a file
never runs anything.
"""

from __future__ import annotations

import base64
import csv
import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from typing import BinaryIO

from mathrag.store.export.analyst_tables import Cell, Row, analyst_tables
from mathrag.store.graph.contents import LibraryContents

_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?")
# Spreadsheets take these for the beginning of a formula, some also in full width or after white space.
_DANGEROUS = frozenset("=+-@|%\t\r\n＝＋－＠")
ZIP_TIME = (1980, 1, 1, 0, 0, 0)
_BLOCK = 1 << 16


def csv_texts(contents: LibraryContents, *, with_text: bool = True) -> dict[str, Iterator[str]]:
    """The files by name, each as pieces of text."""
    tables = analyst_tables(contents, with_text=with_text)
    return {f"{table.name}.csv": _lines(table.head, table.rows()) for table in tables}


def csv_zip(contents: LibraryContents, target: BinaryIO, *, with_text: bool = True) -> None:
    """All files in one archive, with the pictures kept of pages; the same bytes for the same library."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, pieces in csv_texts(contents, with_text=with_text).items():
            entry = zipfile.ZipInfo(name, ZIP_TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(entry, "w", force_zip64=True) as file:
                for piece in pieces:
                    file.write(piece.encode("utf-8", "replace"))
        for row in contents.of_table("pictures") if with_text else ():
            entry = zipfile.ZipInfo(f"pictures/{row['document']}-{row['position']}.png", ZIP_TIME)
            archive.writestr(entry, base64.b64decode(str(row["png"])))


def safe_cell(value: Cell) -> Cell:
    """The value, with an apostrophe where a spreadsheet would take it for a formula. Numbers stay numbers."""
    if not isinstance(value, str) or not value:
        return value
    value = value.replace("\x00", "\ufffd")
    first = value.lstrip()[:1]
    if (value[0] in _DANGEROUS or first in _DANGEROUS) and not _NUMBER.fullmatch(value):
        return f"'{value}"
    return value


def _lines(head: Sequence[str], rows: Iterable[Row]) -> Iterator[str]:
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\r\n")
    writer.writerow(head)
    for row in rows:
        writer.writerow([safe_cell(value) for value in row])
        if buffer.tell() > _BLOCK:
            yield buffer.getvalue()
            buffer.seek(0)
            buffer.truncate()
    yield buffer.getvalue()
