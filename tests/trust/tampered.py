"""A small library on disk that attempts may copy, spoil and look at again, through the command line as users do."""

from __future__ import annotations

import atexit
import contextlib
import io
import json
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from mathrag.cli.main import main
from mathrag.errors import LibraryError
from mathrag.library import Library
from mathrag.store.truth.schema import FILE_NAME
from mathrag.types.answer import Answer
from trust.attempts import HELD, Result

MOTION = r"""# Bodies that move

**Kinetic energy**

$$E_k = \frac{1}{2} m v^2$$

where $E_k$ is the kinetic energy in J, $m$ is the mass in kg and $v$ is the speed in m/s.

**Momentum**

$$p = m v$$

where $p$ is the momentum in kg m/s, $m$ is the mass in kg and $v$ is the speed in m/s.

From the momentum follows the kinetic energy.

**Example 1.** A cart of mass 4 kg has a speed of 5 m/s. What is its momentum?

*Solution.* $p = m v = 4 \cdot 5 = 20$ kg m/s.
"""

WEIGHT = r"""# On the ground

**Weight**

$$G = m g_0$$

where $G$ is the weight in N, $m$ is the mass in kg and $g_0$ is the local gravity in m/s^2.

| Symbol | Name | Value | Unit |
|---|---|---|---|
| $g_0$ | local gravity | 9.79 | m/s^2 |
| $\eta_w$ | efficiency of the winch | 0.82 | 1 |
"""

MATERIALS = r"""# Materials

| Substance | Density (kg/m³) |
|---|---|
| Quorium | 4100 |
| Vellite | 2750 |
| Torrine | 8300 |
| Lamber | 640 |

**Mass of a piece**

$$m = \rho V$$

where $m$ is the mass in kg, $\rho$ is the density in kg/m^3 and $V$ is the volume in m^3.
"""

HEAT = r"""\documentclass{article}
\title{Heat}
\begin{document}\maketitle
\section{Warming}
The heat needed is
\begin{equation}Q = m c \Delta T\end{equation}
where $Q$ is the heat in J, $m$ is the mass in kg, $c$ is the specific heat capacity in J/(kg K) and $\Delta T$ is the
change of temperature in K.
\input{power}
\end{document}
"""

POWER = r"""\section{Power}
The power of a heater is
\begin{equation}P = \frac{Q}{t}\end{equation}
where $P$ is the power in W, $Q$ is the heat in J and $t$ is the time in s.
"""

DOCUMENTS = {
    "motion.md": MOTION,
    "weight.md": WEIGHT,
    "materials.md": MATERIALS,
    "heat/heat.tex": HEAT,
    "heat/power.tex": POWER,
}
# A question for each of the documents that is tampered with, and its number in SI.
ENERGY = "What is the kinetic energy of a body of mass 2 kg and speed 3 m/s?"
WEIGHT_ASKED = "What is the weight of a body of mass 10 kg?"


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command gave back."""

    code: int
    out: str
    err: str

    @property
    def said(self) -> str:
        """Everything a user sees."""
        return self.out + self.err


def mathrag(*arguments: str | Path) -> Ran:
    """Run a command in this process."""
    out, err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="surrogateescape"), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main([str(argument) for argument in arguments])
    out.flush()
    assert isinstance(out.buffer, io.BytesIO)
    return Ran(code, out.buffer.getvalue().decode("utf-8", "replace"), err.getvalue())


@cache
def _template() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="mathrag-tampered-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for name, text in DOCUMENTS.items():
        path = folder / "documents" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    with Library(folder / "library") as library:
        library.ingest([folder / "documents"], workers=1)
        library.edit("Momentum", [("description", "mass times speed")], author="Ada")
        library.prepare_graph()
    return folder


@dataclass(frozen=True, slots=True)
class Spoiled:
    """A copy of the library that an attempt may spoil. `documents` are the files it was read from, those of all copies
    unless they were copied along."""

    folder: Path
    documents: Path

    def sql(self, statement: str, *values: object, foreign_keys: bool = False) -> int:
        """Change rows behind the product's back; gives how many."""
        with contextlib.closing(sqlite3.connect(self.folder / FILE_NAME)) as connection:
            connection.execute(f"PRAGMA foreign_keys = {'ON' if foreign_keys else 'OFF'}")
            changed = connection.execute(statement, values).rowcount
            connection.commit()
        if changed < 1:
            raise ValueError(f"nothing was changed by {statement}")
        return changed

    def rows(self, question: str, *values: object) -> list[tuple[Any, ...]]:
        """What the library holds."""
        with contextlib.closing(sqlite3.connect(self.folder / FILE_NAME)) as connection:
            return connection.execute(question, values).fetchall()

    def run(self, command: str, *arguments: str | Path) -> Ran:
        """A command on this library."""
        return mathrag(command, *arguments, "--library", self.folder)

    def number(self, question: str) -> float | None:
        """What is answered, in SI; None for a refusal."""
        with Library(self.folder, create=False) as library:
            try:
                outcome = library.ask(question, planner="rules")
            except LibraryError as error:
                # Refuses to compute with what was changed, and says what to do.
                if "mathrag check" not in str(error):
                    raise
                return None
        return outcome.quantity.si_value if isinstance(outcome, Answer) else None


def spoiled(folder: Path, *, own_documents: bool = False) -> Spoiled:
    """A fresh copy; with `own_documents` it is read from files that the attempt may change."""
    template = _template()
    if not own_documents:
        shutil.copytree(template / "library", folder / "library")
        return Spoiled(folder / "library", template / "documents")
    shutil.copytree(template / "documents", folder / "documents")
    with Library(folder / "library") as library:
        library.ingest([folder / "documents"], workers=1)
    return Spoiled(folder / "library", folder / "documents")


def told(ran: Ran, *names: str) -> Result:
    """Whether a check failed and named what is wrong."""
    if ran.code != 1:
        return Result("broke", f"said {ran.said.strip()[:200]!r} and left with {ran.code}")
    if not any(name in ran.said for name in names):
        return Result("broke", f"did not name {' or '.join(names)}: {ran.said.strip()[:300]!r}")
    if "inside" in ran.err:
        return Result("broke", f"went wrong inside: {ran.err.strip()[:200]}")
    return HELD


def sound(ran: Ran) -> Result:
    """Whether a check found nothing wrong."""
    return HELD if ran.code == 0 else Result("broke", f"not sound: {ran.said.strip()[:300]!r}")


def same_number(number: float | None, right: float) -> Result:
    """Whether a number is right; a refusal is no lie."""
    if number is None:
        return Result("refused", "no number")
    return (
        HELD if abs(number - right) <= 1e-6 * abs(right) else Result("broke", f"said {number:g} instead of {right:g}")
    )


def no_lie(number: float | None, *right: float) -> Result:
    """Whether a number is one of those that are right, or none is given."""
    if number is None:
        return HELD
    return min((same_number(number, each) for each in right), key=lambda result: result.verdict != "held")


def first_failure(*results: Result) -> Result:
    """The first result that did not hold."""
    return next((result for result in results if result.verdict != "held"), HELD)


def json_lines(text: str) -> Iterator[dict[str, Any]]:
    """The JSON objects of an output."""
    for line in text.splitlines():
        yield json.loads(line)
