"""Small PDFs written by hand for tests: one page of given content, with any page entries and any font."""

from __future__ import annotations

_HELVETICA = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"
_INFORMATION = b"<</Title(A page)/Author(Ada Lovelace and Emmy Noether)/CreationDate(D:20240102)>>"


def one_page(
    content: bytes, *, page: bytes = b"", font: bytes = _HELVETICA, resources: bytes = b"", more: bytes = b""
) -> bytes:
    """A PDF of one page, 612 by 792 points, whose font is /F1; `more` is one more object, number 7."""
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]"
        + page
        + b"/Resources<</Font<</F1 5 0 R>>"
        + resources
        + b">>"
        b"/Contents 4 0 R>>",
        b"<</Length %d>>stream\n%b\nendstream" % (len(content), content),
        font,
        _INFORMATION,
        *((more,) if more else ()),
    ]
    written = b"%PDF-1.4\n"
    places: list[int] = []
    for number, body in enumerate(objects, 1):
        places.append(len(written))
        written += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    start = len(written)
    size = len(objects) + 1
    return (
        written
        + b"xref\n0 %d\n0000000000 65535 f \n%b" % (size, table)
        + b"trailer<</Size %d/Root 1 0 R/Info 6 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (size, start)
    )
