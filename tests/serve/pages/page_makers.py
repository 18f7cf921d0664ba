"""Documents for the tests of the library's pages: one that needs a person, one in Markdown, one in PDF."""

from __future__ import annotations

from hand_written_pdf import lines_down_a_page, pdf_bytes

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
GRAVITY = pdf_bytes(
    lines_down_a_page(
        "Notes on gravity",
        "The weight of a body is",
        "W = m g",
        "where W is the weight in N, m is the mass in kg and g is the acceleration in m/s^2.",
    )
)
