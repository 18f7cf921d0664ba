"""Light mark-up (reStructuredText, docstrings, Org, AsciiDoc, wiki pages): formulas with their lines, no programs."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from mathrag.documents.display_rows import with_rows_apart
from mathrag.documents.light_markup import read_asciidoc, read_mediawiki, read_org, read_python, read_rst
from mathrag.documents.media_type import detect_media_type
from mathrag.documents.seams import ReadingLimits, Source
from mathrag.types.document import Code, Display, Document, Heading, ListItem, Table, formulas_of, plain_text

Reader = Callable[[Source], Document]

RST = r"""
=============
Heat of roofs
=============

A roof of area :math:`A` loses the heat

.. math::
   :label: roof

   Q = U A \left(T_i - T_o\right)

where *U* is the transmittance. Inline: :math:`R = 1/U` and H\ :sub:`2`\ O.

.. math:: p = \frac{F}{A}

Layers
------

.. math::

   R_t &= R_1 + R_2 \\
   U &= \frac{1}{R_t}

   d = \lambda R

* Sum: :math:`S = a + b`
* nothing

.. code-block:: python

   x = a * b

Settings::

   mode = fast
   level = x - y

.. note::

   Take :math:`k = 0.9 U`.

.. include:: layers.rst

===== ==========
Sign  Meaning
===== ==========
U     conductance
A     area
===== ==========
"""

PYTHON = '''"""Tools for roofs.

Program text is not searched for formulas.
"""
import math


def heat_loss(u, area):
    r"""Heat lost through a roof.

    .. math::
        Q = U A \\Delta T

    Parameters
    ----------
    u : float
        Transmittance, [W/m^2/K]

    Examples
    --------
    >>> heat_loss(1, 2)
    2
    """
    total = u * area
    return total


def slope(h, l):
    """Slope of a roof :math:`s = \\\\frac{h}{l}`."""
    return h / l
'''.replace("\\\\Delta", "\\Delta")

ORG = r"""#+TITLE: Springs
#+AUTHOR: A. Nobody
* Springs
:PROPERTIES:
:ID: 1
:END:
The force is $F = k x$, or \(E = \frac{1}{2} k x^2\).

\begin{equation}
\omega = \sqrt{\frac{k}{m}}
\end{equation}

\[ T = \frac{2 \pi}{\omega} \]

** In series
- one over the whole :: $1/k = 1/k_1 + 1/k_2$
#+BEGIN_SRC python
k = a * b
#+END_SRC
| sign | meaning  |
|------+----------|
| k    | stiffness |
# v = hidden / comment
#+INCLUDE: "other.org"
"""

ASCIIDOC = r"""= Sound
:stem: latexmath

== Levels

The level is stem:[L = 10 \log_{10} \frac{I}{I_0}], and latexmath:[$v = f \lambda$] holds.

[stem]
++++
I = \frac{P}{4 \pi r^2}
++++

[source,python]
----
x = a * b
----

* pressure: stem:[p = Z v]

term:: stem:[Z = \rho c]

|===
|Sign |Meaning

|stem:[Z]
|impedance
|===

// v = hidden / comment
include::other.adoc[]
"""

WIKI = r"""'''Pipe flow''' is a [[fluid dynamics|flow]].<ref>{{cite|title=x = y * z}}</ref>
== Loss ==
:<math>\Delta p = f \frac{L}{D} \frac{\rho v^2}{2}</math>
where {{math|''f''}} is the friction factor.<!-- a = b * c -->
<math display="block">
Q = v A
</math>
The area is {{math|1=''A'' = {{pi}}''r''<sup>2</sup>}}.
* ''v'' = ''Q''/''A''
; head : ''h'' = ''p''/''γ''
{| class="wikitext"
! Sign !! Meaning
|-
| ''v'' || speed
|}
<syntaxhighlight lang="python">
x = a * b
</syntaxhighlight>
"""

CASES: list[tuple[str, Reader, str, dict[int, list[str]]]] = [
    ("roof.rst", read_rst, RST, {
        6: ["A"], 8: [], 11: [r"Q = U A \left(T_i - T_o\right)"], 13: ["U", "R = 1/U"], 15: [r"p = \frac{F}{A}"],
        22: ["R_t = R_1 + R_2"], 23: [r"U = \frac{1}{R_t}"], 25: [r"d = \lambda R"], 27: ["S = a + b"],
        41: ["k = 0.9 U"],
    }),
    ("roof.py", read_python, PYTHON, {12: [r"Q = U A \Delta T"], 30: [r"s = \frac{h}{l}"]}),
    ("springs.org", read_org, ORG, {
        7: ["F = k x", r"E = \frac{1}{2} k x^2"], 13: [r"T = \frac{2 \pi}{\omega}"], 16: ["1/k = 1/k_1 + 1/k_2"],
    }),
    ("sound.adoc", read_asciidoc, ASCIIDOC, {
        6: [r"L = 10 \log_{10} \frac{I}{I_0}", r"v = f \lambda"], 10: [r"I = \frac{P}{4 \pi r^2}"], 18: ["p = Z v"],
        20: [r"Z = \rho c"],
    }),
    ("pipe.wiki", read_mediawiki, WIKI, {
        3: [r"\Delta p = f \frac{L}{D} \frac{\rho v^2}{2}"], 5: ["Q = v A"], 8: [r"A = \pi r^{2}"], 9: ["v = Q / A"],
    }),
]  # fmt: skip
every_case = pytest.mark.parametrize(("name", "reader", "text", "wanted"), CASES, ids=[case[0] for case in CASES])


def _read(reader: Reader, name: str, text: str) -> Document:
    return with_rows_apart(reader(Source(name, text.encode())))


def _formulas(document: Document) -> list[tuple[int | None, str]]:
    return [
        (math.place.line, " ".join(math.source.split())) for block in document.blocks for math in formulas_of(block)
    ]


@every_case
def test_formulas_are_found_on_their_lines(name: str, reader: Reader, text: str, wanted: dict[int, list[str]]) -> None:
    found = _formulas(_read(reader, name, text))
    for line, sources in wanted.items():
        for source in sources:
            assert any(at is not None and abs(at - line) <= 1 and known == source for at, known in found), (
                source,
                found,
            )


@every_case
def test_programs_comments_and_references_are_no_formulas(
    name: str, reader: Reader, text: str, wanted: dict[int, list[str]]
) -> None:
    document = _read(reader, name, text)
    for _, source in _formulas(document):
        assert source not in ("x = a * b", "k = a * b", "a = b * c", "x = y * z", "v = hidden / comment")
        assert "mode" not in source
        assert "total" not in source
    assert name == "roof.py" or any(isinstance(block, Code) for block in document.blocks)


@every_case
def test_the_type_is_told_by_name_and_by_content(
    name: str, reader: Reader, text: str, wanted: dict[int, list[str]]
) -> None:
    document = _read(reader, name, text)
    assert detect_media_type(text.encode(), name) == document.media_type
    if not name.endswith(".py"):
        assert detect_media_type(text.encode(), "unnamed.txt") == document.media_type


@every_case
def test_cut_off_and_mangled_texts_are_read_too(
    name: str, reader: Reader, text: str, wanted: dict[int, list[str]]
) -> None:
    for end in range(0, len(text), 37):
        for part in (text[:end] or "x", text[end:] or "x", text[:end].replace("\n", " ") or "x"):
            document = reader(Source(name, part.encode()))
            assert all(block.place.line is not None and not block.place.path for block in document.blocks)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("reader", "unit"),
    [
        (read_rst, "*a* :math:`x` `b\n"), (read_rst, ".. math::\n\n   x\n"), (read_org, "[[a][/b/ $x$ =y= *z*\n"),
        (read_asciidoc, "stem:[a [b] _c_ *d*\n|===\n"), (read_mediawiki, "{{math|''a'' {{b|[[c|\n{|\n"),
        (read_mediawiki, "''" ), (read_python, '"""a\n'), (read_rst, " - a\n"), (read_org, "| a | b |\n"),
    ],
)  # fmt: skip
def test_long_texts_take_time_in_proportion(reader: Reader, unit: str) -> None:
    text = unit * (20_000 // len(unit))
    assert reader(Source("a.txt", text.encode(), limits=ReadingLimits(seconds=20))).blocks


def test_headings_lists_and_tables_come_out() -> None:
    document = _read(read_rst, "roof.rst", RST)
    headings = [(block.level, plain_text(block.content)) for block in document.blocks if isinstance(block, Heading)]
    assert headings == [(1, "Heat of roofs"), (2, "Layers")]
    assert any(isinstance(block, ListItem) for block in document.blocks)
    table = next(block for block in document.blocks if isinstance(block, Table))
    assert [plain_text(cell.content) for cell in table.rows[0]] == ["U", "conductance"]
    assert document.title == "Heat of roofs"


def test_what_is_included_but_not_read_is_told() -> None:
    for reader, name, text in (
        (read_rst, "roof.rst", RST),
        (read_org, "s.org", ORG),
        (read_asciidoc, "s.adoc", ASCIIDOC),
    ):
        notes = [note.message for note in _read(reader, name, text).notes if note.code == "not_included"]
        assert notes
        assert "was not read" in notes[0]


def test_rows_of_a_formula_are_told_apart_and_numbers_kept() -> None:
    document = _read(
        read_rst, "a.rst", ".. math::\n\n   a &= b + c \\tag{2.1} \\\\\n   &= d \\\\\n   \\text{and } e &= f\n"
    )
    displays = [block.math for block in document.blocks if isinstance(block, Display)]
    assert (displays[0].number, "aligned" in displays[0].source) == ("2.1", True)
    assert len(displays) == 2


def test_an_item_that_is_a_formula_is_one() -> None:
    document = _read(read_rst, "a.rst", "- rent\n- .. math::\n\n     gain = sales - rent\n\n- tax\n")
    assert _formulas(document) == [(4, "gain = sales - rent")]


def test_the_readers_are_offered() -> None:
    project = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text(encoding="utf-8"))
    offered = project["project"]["entry-points"]["mathrag.readers"]
    for media_type in ("text/x-rst", "text/x-org", "text/asciidoc", "text/x-wiki", "text/x-python"):
        assert offered[media_type].startswith("mathrag.documents.light_markup:")


TABLES = r"""
Drying
======

.. csv-table:: Symbols used
   :header: "Description", "Symbol", "Units"
   :widths: 30, 10, 10

   "Air velocity, superficial", ":math:`u_a`", "m/s"
   "The ""free"" height", ":math:`H_b`", m

.. csv-table::
   :delim: ;
   :header-rows: 1

   Quantity ; Equation
   Contact time ; :math:`t_c=\frac{H_b}{u_a}`

.. list-table:: Cooling
   :header-rows: 1

   * - Symbol
     - Description
     - Unit
   * - :math:`Q_c`
     - heat removed
       by the coil
     -
   * - :math:`h`

     - .. math::

          h = c T
     - kJ/kg

+--------+-----------------+
| Pipe   | Loss            |
+        +--------+--------+
|        | rough  | smooth |
+========+========+========+
| bend   | 0.2    | 0.1    |
+--------+--------+--------+
"""


def test_tables_of_directives_and_of_grids_are_tables_like_others() -> None:
    document = _read(read_rst, "drying.rst", TABLES)
    tables = [block for block in document.blocks if isinstance(block, Table)]
    rows = [[[plain_text(cell.content) for cell in row] for row in (*table.header, *table.rows)] for table in tables]
    assert rows == [
        [
            ["Description", "Symbol", "Units"],
            ["Air velocity, superficial", "u_a", "m/s"],
            ['The "free" height', "H_b", "m"],
        ],
        [["Quantity", "Equation"], ["Contact time", r"t_c=\frac{H_b}{u_a}"]],
        [["Symbol", "Description", "Unit"], ["Q_c", "heat removed by the coil", ""], ["h", "h = c T", "kJ/kg"]],
        [["Pipe", "Loss"], ["", "rough", "smooth"], ["bend", "0.2", "0.1"]],
    ]
    assert [len(table.header) for table in tables] == [1, 1, 1, 2]
    assert [plain_text(table.caption) for table in tables] == ["Symbols used", "", "Cooling", ""]
    assert tables[0].rows[1][0].place.line == 10
    assert [cell.columns for cell in tables[3].header[0]] == [1, 2]


def test_a_table_that_is_not_there_is_told() -> None:
    document = _read(read_rst, "a.rst", ".. csv-table:: Losses\n   :file: losses.csv\n\nText.\n")
    assert [note.code for note in document.notes] == ["not_included"]
