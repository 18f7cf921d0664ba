"""Documents for the tests of the library's pages: one that needs a person, and a PDF file written by hand."""

from __future__ import annotations

# The unit of the grumble is a misprint; the other formula and the constant contradict those of the sample library.
TO_CHECK = r"""# Notes to be checked

## Thrumble of a wall

$$T_w = G_w A_w$$

where $T_w$ is the thrumble in N, $G_w$ is the grumble in J and $A_w$ is the area in m^2.

## Kinetic energy

$$E_k = m v^2$$

where $E_k$ is the kinetic energy in J, $m$ is the mass in kg and $v$ is the speed in m/s.

The speed of sound in dry air is $c_s = 300$ m/s.
"""
WORK = r"""# Notes on work

## Work of a force

$$W = F s$$

where $W$ is the work in J, $F$ is the force in N and $s$ is the path in m.
"""


def text_pdf(*lines: str) -> bytes:
    """A PDF file of one page with a few lines of text."""
    shown = b"".join(
        b"BT /F1 12 Tf 72 %d Td (%s) Tj ET\n"
        % (740 - 24 * number, line.replace("(", r"\(").replace(")", r"\)").encode())
        for number, line in enumerate(lines)
    )
    objects = (
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources <</Font <</F1 5 0 R>> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(shown), shown),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    )
    made, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(made))
        made += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    tail = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (size, len(made))
    return made + b"xref\n0 %d\n0000000000 65535 f \n" % size + table + tail
