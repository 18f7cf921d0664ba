"""PDF files written by hand for tests: pages of lines at known places. No fonts but Helvetica, no pictures."""

from __future__ import annotations

from pathlib import Path

# Text, left edge, baseline from the top, in points.
Line = tuple[str, float, float]


def pdf_bytes(*pages: tuple[Line, ...]) -> bytes:
    """A PDF whose pages, 612 by 792 points, hold lines of 12-point Helvetica."""
    return drawn_pdf(*("\n".join(drawn_text(text, x, 792 - y) for text, x, y in page) for page in pages))


def drawn_text(text: str, x: float, y: float, size: float = 12) -> str:
    """The operators that print a text; `y` counts from the foot of the page."""
    return f"BT /F1 {size:g} Tf {x} {y} Td ({_escaped(text)}) Tj ET"


def drawn_pdf(*pages: str) -> bytes:
    """A PDF whose pages are drawn by these operators, with Helvetica as `/F1`."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", "", "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    kids = []
    for drawn in pages:
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
    return data.encode("latin-1")


def write_pdf(path: Path, *pages: tuple[Line, ...]) -> Path:
    """Such a PDF as a file."""
    path.write_bytes(pdf_bytes(*pages))
    return path


def lines_down_a_page(*texts: str) -> tuple[Line, ...]:
    """Lines one below the other, at the left margin."""
    return tuple((text, 72.0, 52.0 + 24 * number) for number, text in enumerate(texts))


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
