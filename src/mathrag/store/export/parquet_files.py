"""The tables for analysts as Parquet files in one archive: columns keep their types. Needs the extra `parquet`."""

from __future__ import annotations

import importlib
import zipfile
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, BinaryIO

from mathrag.errors import UsageError
from mathrag.store.export.analyst_tables import AnalystTable, Cell, Row, analyst_tables
from mathrag.store.export.csv_files import ZIP_TIME
from mathrag.store.graph.contents import LibraryContents

# Rows that are held in memory at a time.
_BATCH = 10_000


def parquet_zip(contents: LibraryContents, target: BinaryIO, *, with_text: bool = True) -> None:
    """One Parquet file a table, in one archive."""
    arrow, parquet = _arrow()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        for table in analyst_tables(contents, with_text=with_text):
            entry = zipfile.ZipInfo(f"{table.name}.parquet", ZIP_TIME)
            schema = _schema(table, arrow)
            with archive.open(entry, "w", force_zip64=True) as file, parquet.ParquetWriter(file, schema) as writer:
                for batch in _batches(table.rows()):
                    writer.write_batch(_batch(batch, schema, arrow))


def _arrow() -> tuple[Any, Any]:
    try:
        return importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")
    except ImportError as error:
        raise UsageError(
            "Parquet files need a package that is not installed: pip install 'mathrag[parquet]'"
        ) from error


def _schema(table: AnalystTable, arrow: Any) -> Any:
    types = {"INTEGER": arrow.int64(), "REAL": arrow.float64()}
    return arrow.schema([(name, types.get(table.kinds.get(name, "TEXT"), arrow.string())) for name in table.head])


def _batches(rows: Iterable[Row]) -> Iterator[list[Row]]:
    rest = iter(rows)
    while batch := list(islice(rest, _BATCH)):
        yield batch


def _batch(rows: list[Row], schema: Any, arrow: Any) -> Any:
    columns = [
        arrow.array([_value(row[place], field.type, arrow) for row in rows], type=field.type)
        for place, field in enumerate(schema)
    ]
    return arrow.record_batch(columns, schema=schema)


def _value(value: Cell, kind: Any, arrow: Any) -> Cell:
    if value is None:
        return None
    if kind == arrow.string():
        # Half a surrogate pair cannot be written.
        return str(value).encode("utf-8", "replace").decode("utf-8")
    return int(value) if kind == arrow.int64() else float(value)
