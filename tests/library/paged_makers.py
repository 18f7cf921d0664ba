"""Files in pages and the readers for them, offered to every process of a test as an installed package would."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

FORMAT = Path(__file__).parent / "paged_format"
FAKE, REAL = "paged_format:read", "mathrag.documents.pdf:read_pdf"


def offered(folder: Path, reader: str) -> dict[str, str]:
    """The environment in which a package in this folder offers the reader for PDF files, before all others."""
    made = folder / "offering_pdf-1.0.dist-info"
    made.mkdir(parents=True, exist_ok=True)
    (made / "METADATA").write_text("Metadata-Version: 2.1\nName: offering-pdf\nVersion: 1.0\n", encoding="ascii")
    (made / "entry_points.txt").write_text(f"[mathrag.readers]\napplication/pdf = {reader}\n", encoding="ascii")
    return {"PYTHONPATH": os.pathsep.join((str(folder), str(FORMAT)))}


def offer(monkeypatch: pytest.MonkeyPatch, folder: Path, reader: str) -> None:
    """The same for the processes that this one starts."""
    for name, value in offered(folder, reader).items():
        monkeypatch.setenv(name, value)


def paged_file(path: Path, *pages: str, password: str = "") -> Path:
    """A file of the format in `paged_format.py`."""
    lock = (f"password={password}",) if password else ()
    path.write_text("\n".join(("%PDF-1.4", *lock, *pages)) + "\n", encoding="ascii")
    return path
