"""Formulas of our own for the measuring documents, each with an identifier and its half. Knows no typesetting."""

from __future__ import annotations

import hashlib
import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LISTS = HERE / "formulas"
GOLDEN = ROOT / "tests" / "golden"
_COMMAND = re.compile(r"\\([A-Za-z]+)")
# Commands that TeX with amsmath, KaTeX and MathJax all print alike; a golden formula with another one is left out.
_KNOWN = frozenset(
    (
        "frac dfrac tfrac sqrt sum prod int left right bigl bigr Bigl Bigr big Big bigg Bigg text mathrm "
        "operatorname sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh ln log exp max min lim quad "
        "qquad times cdot cdots ldots dots pm mp alpha beta gamma delta epsilon varepsilon zeta eta theta "
        "vartheta kappa lambda mu nu xi pi rho sigma tau phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi "
        "Sigma Phi Psi Omega hat bar dot ddot vec tilde overline circ prime infty approx equiv sim propto le leq "
        "ge geq ne neq ll gg to in hbar ell partial nabla binom lfloor rfloor lceil rceil langle rangle lvert "
        "rvert mathbf mathcal ast over"
    ).split()
)


@dataclass(frozen=True, slots=True)
class Formula:
    """What is typeset and the statements a reader must find in it; `environment` is empty for one line."""

    id: str
    source: str
    statements: tuple[str, ...]
    environment: str = ""
    has_condition: bool = False

    @property
    def tokens(self) -> int:
        """About how wide it prints."""
        return len(re.findall(r"\\[A-Za-z]+|[A-Za-z0-9.]|[^\s{}_^&\\]", self.source))


def half_of(identifier: str) -> str:
    """`A` for tuning, `B` for checking: the same for ever, by the identifier alone."""
    return "AB"[hashlib.sha256(identifier.encode()).digest()[0] % 2]


def order_of(identifier: str, seed: str) -> str:
    """A key that shuffles formulas differently for every seed, without a random generator."""
    return hashlib.sha256(f"{seed}:{identifier}".encode()).hexdigest()


def _load(path: Path) -> dict[str, Any]:
    with path.open("rb") as file:
        return tomllib.load(file)


@cache
def display_formulas() -> tuple[Formula, ...]:
    """All formulas that stand on lines of their own."""
    found = []
    for name in ("structures", "physics", "engineering"):
        for group, entries in _load(LISTS / f"{name}.toml").items():
            found += [Formula(f"{group}/{key}", latex, (latex,)) for key, latex in entries.items()]
    for entry in _load(LISTS / "lines.toml")["display"]:
        environment = "" if entry["environment"] == "equation" else entry["environment"]
        statements = tuple(entry["statements"])
        found.append(Formula(f"lines/{entry['id']}", entry["source"], statements, environment, "condition" in entry))
    return (*found, *golden_formulas())


@cache
def golden_formulas() -> tuple[Formula, ...]:
    """The formulas of the golden corpora that any typesetter prints."""
    found: dict[str, Formula] = {}
    for name in ("formulas", "formulas_second", "formulas_third", "formulas_fourth"):
        for entry in next(iter(_load(GOLDEN / f"{name}.toml").values())):
            latex = re.sub(r"(?<!\\)%[^\n]*", "", entry.get("latex", ""))
            latex = re.sub(r"(?:\\[ ,;]|[ .,;\\])+\Z", "", " ".join(latex.split()))
            if latex and latex not in found and _is_printable(latex):
                found[latex] = Formula(f"golden/{entry['id']}", latex, (latex,))
    return tuple(found.values())


def _is_printable(latex: str) -> bool:
    return (
        latex.isascii()
        and "$" not in latex
        and "&" not in latex
        and r"\\" not in latex
        and "#" not in latex
        and "[0" not in latex[:2]
        and set(_COMMAND.findall(latex)) <= _KNOWN
        and not re.search(r"\\[^A-Za-z,;:! {}|%]", latex)
    )


@cache
def inline_formulas() -> tuple[Formula, ...]:
    """Formulas that stand inside sentences: our own, and short golden ones."""
    own = [Formula(f"inline/{latex}", latex, (latex,)) for latex in _load(LISTS / "inline.toml")["formulas"]]
    short = [each for each in golden_formulas() if each.tokens <= 16 and "frac" not in each.source]
    return (*own, *(Formula(f"inline-{each.id}", each.source, each.statements) for each in short))


@cache
def symbols() -> tuple[tuple[str, str, str], ...]:
    """LaTeX, description and unit of what "where" sentences explain."""
    return tuple((latex, words, unit) for latex, words, unit in _load(LISTS / "inline.toml")["symbols"])


@cache
def prose() -> dict[str, Any]:
    """Sentences, headings and names of our own."""
    return _load(LISTS / "prose.toml")
