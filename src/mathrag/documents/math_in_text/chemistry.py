"""Which upright letters with small digits are chemical formulas and ions (`H2O`, `SO4`, `Na+`), not mathematics."""

from __future__ import annotations

import re

_ELEMENTS = frozenset(
    "H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y Zr Nb "
    "Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au "
    "Hg Tl Pb Bi Po At Rn Fr Ra Ac Th Pa U Np Pu Am Cm Bk Cf Es Fm Md No Lr D".split()
)
_SYMBOL = re.compile(r"[A-Z][a-z]?")
_MOLECULES = frozenset(("H2", "D2", "N2", "O2", "O3", "F2", "I2", "P4", "S8", "C60", "Cl2", "Br2"))
_CHARGE = re.compile(r"[0-9]{0,2}[+\-−–]|[0-9]{1,2}[+\-−–]")


def is_charge(superscript: str) -> bool:
    """Whether a superscript is the charge of an ion or a particle: `+`, `2−`."""
    return _CHARGE.fullmatch(superscript.strip()) is not None


def element_count(letters: str) -> int:
    """How many element symbols the letters are; 0 where they are something else."""
    place = count = 0
    while place < len(letters):
        found = _SYMBOL.match(letters, place)
        if found is None:
            return 0
        symbol = found.group()
        if symbol not in _ELEMENTS:
            symbol = symbol[0]
            if symbol not in _ELEMENTS:
                return 0
        place += len(symbol)
        count += 1
    return count


def is_molecule(letters: str, digits: str) -> bool:
    """Whether a lone element with a count is a molecule people write about: `O2`, not `F1` or `T2`."""
    return letters + digits in _MOLECULES
