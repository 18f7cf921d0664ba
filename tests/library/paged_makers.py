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


def small_pdf(path: Path, *pages: tuple[tuple[str, float, float], ...]) -> Path:
    """A PDF whose pages hold lines of 12-point Helvetica: text, left edge, baseline from the top."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", "", "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    kids = []
    for page in pages:
        drawn = "\n".join(f"BT /F1 12 Tf {x} {792 - y} Td ({text}) Tj ET" for text, x, y in page)
        number = len(objects) + 1
        kids.append(f"{number} 0 R")
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {number + 1} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>"
        )
        objects.append(f"<< /Length {len(drawn)} >>\nstream\n{drawn}\nendstream")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    data, offsets = "%PDF-1.4\n", []
    for number, text in enumerate(objects, 1):
        offsets.append(len(data))
        data += f"{number} 0 obj\n{text}\nendobj\n"
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    start = len(data)
    data += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}"
    data += f"trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n"
    path.write_bytes(data.encode("latin-1"))
    return path
