"""Whether all forms of one formula say the same: what a page shows, the TeX it carries along, the text for a picture.

Compared is the meaning, so that spelling (`\\dfrac`, spaces, `\\mathrm`, the order) does not matter. Where two forms
differ, nobody knows which one a person has seen: the formula is kept as uncertain, with both in the reason.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TypeAlias

from mathrag.compute.equality import sameness
from mathrag.compute.latex import latex_notation, read_latex
from mathrag.compute.mathml import read_mathml
from mathrag.compute.mathml.reader import read_layout
from mathrag.compute.notation import (
    Accent,
    Amount,
    Digits,
    Fence,
    Grid,
    Mark,
    Name,
    Root,
    Row,
    Script,
    Sign,
    Space,
    Species,
    Stack,
    Words,
    parts_of,
)
from mathrag.compute.pythontext import read_python_text
from mathrag.errors import FormulaError
from mathrag.types.document import CERTAIN, Math, Notation
from mathrag.types.expression import Declined, Equation, Reading, Symbol

Form: TypeAlias = tuple[str, Notation]

# Well below what counts as read: a formula of which two forms differ is shown to people and never computed with.
DOUBTFUL = CERTAIN / 2
_LONGEST = 20_000
_LONGEST_SHOWN = 80
_INVISIBLE = frozenset("\u2061\u2062\u2063\u2064\u200b")
_PRODUCTS = frozenset("*·×")
_TAG = re.compile(r"<[^<>]*>")
_BLANKS = re.compile(r"\s+")


def doubted(math: Math, doubt: str) -> Math:
    """The formula as one that is not computed with, and why."""
    doubts = math.doubts if doubt in math.doubts else (*math.doubts, doubt)
    return replace(math, confidence=min(math.confidence, DOUBTFUL), doubts=doubts)


def compared(math: Math, others: Iterable[Form]) -> Math:
    """The formula, uncertain where another form of it says something else."""
    own = math.source, math.notation
    for other in others:
        is_same = _is_same(own, other)
        if is_same is not True:
            which = "that differ" if is_same is False else "and they may differ"
            return doubted(math, f"the document has two forms of it {which}: {_shown(own)} and {_shown(other)}")
    return math


def _shown(form: Form) -> str:
    return _short(_TAG.sub("", form[0]) if form[1] == "mathml" else form[0])


def _short(text: str) -> str:
    line = _BLANKS.sub(" ", text).strip()
    return line if len(line) <= _LONGEST_SHOWN else f"{line[:_LONGEST_SHOWN]}…"


@lru_cache(maxsize=4096)
def _is_same(first: Form, second: Form) -> bool | None:
    """Whether two forms say the same; None where that is not known."""
    if first == second:
        return True
    if len(first[0]) > _LONGEST or len(second[0]) > _LONGEST:
        return None
    ours, theirs = _signs(first), _signs(second)
    if ours and ours == theirs:
        return True
    reading, other = _reading(first), _reading(second)
    if isinstance(reading, Declined):
        # What is not read is not computed with; its own reason says more than ours.
        return True
    if isinstance(other, Declined):
        return bool(ours and theirs) and _loosely(ours) == _loosely(theirs)
    return _says_the_same(reading, other)


def _reading(form: Form) -> Reading | Declined:
    source, notation = form
    match notation:
        case "latex":
            return read_latex(source)
        case "mathml":
            return read_mathml(source)
        case "text":
            return read_python_text(source)


def _says_the_same(first: Reading, second: Reading) -> bool | None:
    """Whether both have the same equations, in this order, or the same expression."""
    if first.equations == second.equations and first.expression == second.expression:
        return True
    if first.expression is not None or second.expression is not None:
        return _is_same_expression(first, second)
    if len(first.equations) != len(second.equations):
        return False
    found = [sameness(one, other) for one, other in zip(first.equations, second.equations, strict=True)]
    return False if False in found else None if None in found else True


def _is_same_expression(first: Reading, second: Reading) -> bool | None:
    if first.expression is None or second.expression is None:
        return False
    # Two expressions are the same where their values are: as equations for one more symbol.
    value = Symbol("value_of_both")
    return sameness(Equation(value, first.expression), Equation(value, second.expression))


# The signs of a formula in the order of reading, with its structure, and without what is only spelling.


@lru_cache(maxsize=4096)
def _signs(form: Form) -> tuple[str, ...]:
    source, notation = form
    try:
        if notation == "latex":
            row, _ = latex_notation(source)
        elif notation == "mathml":
            row = read_layout(source)
        else:
            return ()
        signs = list(_flat(row))
    except (FormulaError, RecursionError):
        return ()
    while signs and signs[-1] in (".", ",", ";"):
        signs.pop()
    return tuple(signs)


def _flat(whole: Mark) -> Iterator[str]:
    pending: list[Mark | str] = [whole]
    while pending:
        mark = pending.pop()
        match mark:
            case str():
                yield mark
            case Name(text, _) | Words(text, _) | Digits(text, _) | Amount(text, _, _) | Species(text, _):
                yield from (sign for sign in text if not sign.isspace())
                if isinstance(mark, Amount):
                    yield from (sign for sign in mark.unit if not sign.isspace())
            case Sign(text, _):
                yield from () if text in _INVISIBLE else (text,)
            case Space():
                continue
            case _:
                pending.extend(reversed(_structured(mark)))


def _structured(mark: Mark) -> list[Mark | str]:
    """The parts of a mark between signs that tell how they stand to each other."""
    match mark:
        case Row():
            return list(mark.items)
        case Fence(opening, closing, body, _):
            return [opening, body, closing]
        case Script(base, sub, sup, _):
            below: list[Mark | str] = ["_{", sub, "}"] if sub is not None else []
            above: list[Mark | str] = ["^{", sup, "}"] if sup is not None else []
            return [base, *below, *above]
        case Stack():
            return ["frac{", mark.above, "}{", mark.below, "}"]
        case Root():
            degree: list[Mark | str] = [mark.degree, "}{"] if mark.degree is not None else []
            return ["root{", *degree, mark.body, "}"]
        case Accent():
            return [mark.mark, "{", mark.body, "}"]
        case Grid():
            return [part for cell in parts_of(mark) for part in (cell, "&")]
        case _:
            return []


def _loosely(signs: Iterable[str]) -> list[str]:
    """Without signs of multiplication and without groups, for forms of which one cannot be read."""
    return [sign for sign in signs if sign not in _PRODUCTS and sign not in ("{", "}", "(", ")")]


# What a renderer has drawn: letters and digits, in whatever order they stand in the page.


@dataclass(slots=True)
class Drawing:
    """The signs that a renderer has drawn of a formula, its labels apart, and those that the formula says it shows."""

    signs: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    def checked(self, math: Math) -> Math:
        """The formula; uncertain where other letters and digits are drawn than it has."""
        drawn = "".join(self.signs)
        if self._is_so(math, drawn) or self._is_so(math, drawn + "".join(self.labels)):
            return math
        own = _shown((math.source, math.notation))
        return doubted(math, f"the page draws other signs than the formula has: {_short(drawn)} and {own}")

    def _is_so(self, math: Math, drawn: str) -> bool:
        signs = _letters(drawn)
        if not signs:
            return True
        if self.said:
            return signs == _letters(self.said[0])
        if math.notation == "mathml":
            return signs == _letters(_TAG.sub(" ", math.source))
        # Letters have names in TeX and none on the page: `\\theta`.
        known = _signs((math.source, math.notation))
        return not known or _digits(signs) == _digits(_letters("".join(known)))


def _letters(text: str) -> Counter[str]:
    return Counter(sign for sign in unicodedata.normalize("NFKC", text) if sign.isalnum())


def _digits(signs: Counter[str]) -> dict[str, int]:
    return {sign: count for sign, count in signs.items() if sign.isdigit()}
