"""Small documents, the command line and a canonical dump, for the tests of the library as its users meet it."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import sqlite3
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mathrag.cli.main import main
from mathrag.store.truth.schema import DERIVED, FILE_NAME, TRUTH, VERSION_11
from mathrag.store.truth.seals import seal_all
from taken_back import take_back_cells

MATHRAG = (sys.executable, "-m", "mathrag")
# Columns that say when something came, or in which order: all that two equal libraries may differ in.
_TIMES = {"entry", "ingested_at", "time"}
_NUMBERED = ("cells", "corrections")

MECHANICS = r"""---
title: Notes on mechanics
author: Ada Example
date: 2024-03-01
---

# Mechanics

Bodies move by the laws of Newton [@newton].

## Motion

**Newton's second law**

$$F = m a$$

where $F$ is the force in N, $m$ is the mass in kg and $a$ is the acceleration in m/s^2.

## Energy

**Kinetic energy**

$$E_k = \frac{1}{2} m v^2$$

where $m$ is the mass in kg and $v$ is the speed in m/s.

**Weight.** A body of mass $m$ (in kg) near the ground has the weight $G = m g$, in newton, where $g$ is the
acceleration of free fall.

| Symbol | Quantity | Unit |
|---|---|---|
| $E_k$ | kinetic energy | J |
| $p$ | momentum | kg m/s |

![A falling apple](apple.png)

**Momentum**

$$p = m v$$
"""

ENERGY = r"""<!DOCTYPE html><html><head><title>Energy and work</title></head><body>
<h1>Energy and work</h1>
<h2>Kinetic energy</h2>
<p>The kinetic energy of a moving body is
<math display="block"><msub><mi>E</mi><mi>k</mi></msub><mo>=</mo><mfrac><mn>1</mn><mn>2</mn></mfrac>
<mi>m</mi><msup><mi>v</mi><mn>2</mn></msup></math>
where <i>m</i> is the mass (kg) and <i>v</i> the speed (m/s).</p>
<h2>Work</h2>
<p>Work is force times distance: \(W = F s\), with <i>F</i> the force in N and <i>s</i> the distance in m.</p>
<table><caption>Constants</caption>
<tr><th>Symbol</th><th>Name</th><th>Value</th><th>Unit</th></tr>
<tr><td><i>g</i></td><td>standard gravity</td><td>9.80665</td><td>m/s²</td></tr>
<tr><td><i>c</i></td><td>speed of light in vacuum</td><td>299792458</td><td>m/s</td></tr></table>
<figure><img src="work.png" alt="A crate"><figcaption>Pulling a crate</figcaption></figure>
</body></html>
"""

GASES = r"""\documentclass{article}
\title{Gases}\author{Emil Example}
\newcommand{\pressure}{p}
\begin{document}\maketitle
\section{The ideal gas}
The ideal gas law is
\begin{equation}\pressure V = n R T\end{equation}
where $p$ is the pressure in Pa, $V$ the volume in m$^3$, $n$ the amount of substance in mol and $T$ the temperature
in K.
\input{kinetic}
\begin{thebibliography}{9}\bibitem{clausius} R. Clausius, On the motion of heat, 1857.\end{thebibliography}
\end{document}
"""

KINETIC = r"""\section{Kinetic theory}
The mean kinetic energy of a molecule is
\begin{equation}E_k = \frac{3}{2} k_B T\end{equation}
where $T$ is the temperature in K.
"""

WAVES = r"""# Waves

**Wave speed**

$$v = \lambda f$$

where $v$ is the speed of the wave in m/s, $\lambda$ its wavelength in m and $f$ its frequency in Hz.

**Period**

$$T = \frac{1}{f}$$

where $T$ is the period in s and $f$ the frequency in Hz.

The rate of change is $\frac{dx}{dt}$, which no formula here computes: $$a = \frac{dv}{dt}$$
"""

DOCUMENTS = {
    "mechanics.md": MECHANICS,
    "energy.html": ENERGY,
    "gases/gases.tex": GASES,
    "gases/kinetic.tex": KINETIC,
    "waves.md": WAVES,
}


def write(folder: Path, documents: dict[str, str] | None = None) -> Path:
    """Write documents into a folder, by default all of those above."""
    for name, text in (DOCUMENTS if documents is None else documents).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def formula_note(label: str, formula: str, where: str, *, title: str = "Notes") -> str:
    """A Markdown document with one named formula."""
    return f"# {title}\n\n**{label}**\n\n$${formula}$$\n\nwhere {where}.\n"


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command gave back."""

    code: int
    out: str
    err: str

    @property
    def objects(self) -> list[dict[str, Any]]:
        """The JSON objects it printed, one a line."""
        return [json.loads(line) for line in self.out.splitlines()]


def mathrag(*arguments: str | Path) -> Ran:
    """Run a command in this process."""
    out, err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main([str(argument) for argument in arguments])
    out.flush()
    assert isinstance(out.buffer, io.BytesIO)
    return Ran(code, out.buffer.getvalue().decode("utf-8"), err.getvalue())


def mathrag_process(*arguments: str | Path, cwd: Path | None = None) -> subprocess.Popen[str]:
    """Start a command in a process, and process group, of its own."""
    return subprocess.Popen(
        [*MATHRAG, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=cwd,
        start_new_session=True,
    )


Dump = dict[str, list[tuple[object, ...]]]


def dump(library: Path, *, without: tuple[str, ...] = ()) -> Dump:
    """Everything in a library but when it came: equal for equal libraries, however they were made."""
    with contextlib.closing(sqlite3.connect(library / FILE_NAME)) as connection:
        return {table: _rows(connection, table) for table in (*TRUTH, *DERIVED) if table not in without}


def _rows(connection: sqlite3.Connection, table: str) -> list[tuple[object, ...]]:
    if table == "vectors":
        # By what they are of: cells have other numbers in another library.
        question = (
            "SELECT c.source_table, c.source_column, c.source_key, v.embedder, v.text_hash, v.vector "
            "FROM vectors v LEFT JOIN cells c ON c.id = v.cell"
        )
        return sorted(connection.execute(question), key=repr)
    hidden = _TIMES | ({"id"} if table in _NUMBERED else set())
    columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})") if row[1] not in hidden]
    return sorted(connection.execute(f"SELECT {', '.join(columns)} FROM {table}"), key=repr)


def exact_rows(library: Path) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table, times and numbers included: equal only where nothing at all was done."""
    with contextlib.closing(sqlite3.connect(library / FILE_NAME)) as connection:
        tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {table: sorted(connection.execute(f"SELECT * FROM {table}"), key=repr) for table in tables}


def files_in(folder: Path) -> list[str]:
    """Every file under a folder, by its path in it."""
    return sorted(os.path.relpath(f"{place}/{name}", folder) for place, _, names in os.walk(folder) for name in names)


def many_notes(count: int) -> dict[str, str]:
    """Documents that share formulas and constants with their neighbours, so that every one of them changes others."""
    laws = (
        (
            "Newton's second law",
            "F = m a",
            "$F$ is the force in N, $m$ the mass in kg and $a$ the acceleration in m/s^2",
        ),
        ("Momentum", "p = m v", "$p$ is the momentum in kg m/s, $m$ the mass in kg and $v$ the speed in m/s"),
        ("Kinetic energy", r"E_k = \frac{1}{2} m v^2", "$m$ is the mass in kg and $v$ the speed in m/s"),
        ("Work", "W = F s", "$F$ is the force in N and $s$ the distance in m"),
        ("Power", r"P = \frac{W}{t}", "$W$ is the work in J and $t$ the time in s"),
        ("Pressure", r"p = \frac{F}{A}", "$F$ is the force in N and $A$ the area in m^2"),
        ("Density", r"\rho = \frac{m}{V}", "$m$ is the mass in kg and $V$ the volume in m^3"),
    )
    notes = {}
    for number in range(count):
        chosen = [laws[(number + step) % len(laws)] for step in range(3)]
        pieces = [formula_note(label, formula, where, title=f"{label} again") for label, formula, where in chosen]
        table = "# Constants\n\n| Symbol | Name | Value | Unit |\n|---|---|---|---|\n"
        table += f"| $g$ | standard gravity | 9.8{number % 3} | m/s^2 |\n"
        own = formula_note(f"Rule {number}", f"y_{{{number}}} = {number + 2} x", "$x$ is a length in m")
        notes[f"note{number:02}.md"] = "\n".join((*pieces, own, table))
    return notes


def take_back_texts(connection: sqlite3.Connection) -> None:
    """Make the tables of an open library what they were before the texts of pages and sections were kept."""
    take_back_cells(connection)
    connection.execute("DROP TABLE passages")
    for statement in VERSION_11:
        found = re.match(r"ALTER TABLE (\w+) ADD COLUMN (\w+)", statement)
        if found:
            connection.execute(f"ALTER TABLE {found[1]} DROP COLUMN {found[2]}")
    seal_all(connection, origin="read")
