"""Whether an answer is the formula asked for: by the equality of the house where that decides, else by a judge.

Equal writing and equal mathematics are right. Different mathematics is wrong only where both formulas are of the same
symbols and were read without a doubt; formulas with other letters may still say the same.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from mathrag.compute.answers import same_answer
from mathrag.compute.equality import sameness
from mathrag.compute.latex import read_latex
from mathrag.errors import MathragError
from mathrag.evaluate.graders.judged import Judge, ask, shown
from mathrag.evaluate.graders.literals import Value, list_of, value_of
from mathrag.evaluate.graders.verdicts import RIGHT, Graded, all_of, decided, matched, unknown, wrong
from mathrag.types.expression import Declined, Equation, equation_symbols

# Longer ones are left to a judge.
_LONGEST = 4_000
# Each pair may take a second; nobody asks for so many at once.
_MOST_FORMULAS = 12
_BLANKS = re.compile(r"\s+(?![A-Za-z])|(?<![A-Za-z])\s+")
_DOUBT = "the formulas could not be compared"


def grade_complex_math_formula(
    answer: Value,
    *,
    formulas: str | Sequence[str],
    ignore_order: bool = True,
    question: str = "",
    judge: Judge | None = None,
) -> Graded:
    """Whether the answer is the formula, or has all the formulas."""
    wanted = [formulas] if isinstance(formulas, str) else list(formulas)
    said = list_of(answer) if len(wanted) > 1 or isinstance(value_of(answer), list) else [answer]
    found = _compared(said, wanted, ignore_order=ignore_order)
    if found.verdict != "unknown" or judge is None:
        return found
    order = "in any order" if ignore_order else "in their order"
    listed = "\n".join(f"{number}. {formula}" for number, formula in enumerate(wanted, start=1))
    return ask(
        judge, f"The predicted formulas are mathematically equivalent to the reference formulas, {order}.",
        reason="another formula", question=question, reference_formulas=listed, predicted_formulas=shown(answer),
    )  # fmt: skip


def _compared(said: list[Value], wanted: list[str], *, ignore_order: bool) -> Graded:
    if not any(shown(one) for one in said):
        return wrong("no answer")
    if len(said) != len(wanted) or len(wanted) > _MOST_FORMULAS:
        # Several formulas may stand in one text, or one may be split.
        return unknown(_DOUBT)
    if not ignore_order or len(wanted) == 1:
        return all_of(_graded(one, other) for one, other in zip(said, wanted, strict=True))
    sure, possible = matched(len(wanted), len(said), lambda row, column: _graded(said[column], wanted[row]))
    if sure == len(wanted):
        return RIGHT
    return unknown(_DOUBT) if possible == len(wanted) else wrong("another formula")


def _graded(said: Value, wanted: str) -> Graded:
    is_same = same_formula(said, wanted) if isinstance(said, str) else None
    return decided(is_same, "another formula", _DOUBT)


def same_formula(first: str, second: str) -> bool | None:
    """Whether two formulas in LaTeX say the same; None where that cannot be told."""
    texts = [_bare(first), _bare(second)]
    if texts[0] and _BLANKS.sub("", texts[0]) == _BLANKS.sub("", texts[1]):
        return True
    if not all(texts) or max(map(len, texts)) > _LONGEST:
        return None
    try:
        return _same_read(*texts)
    except (MathragError, RecursionError, ArithmeticError):
        # Whatever a formula of strangers does to a reader, nothing is told about it.
        return None


def _same_read(first: str, second: str) -> bool | None:
    if same_answer(first, second):
        return True
    one, other = _equation(first), _equation(second)
    if one is None or other is None:
        return None
    is_same = sameness(one[0], other[0])
    if is_same is not False:
        return is_same
    return None if set(equation_symbols(one[0])) != set(equation_symbols(other[0])) or one[1] or other[1] else False


def _equation(text: str) -> tuple[Equation, bool] | None:
    """The one equation of a text, and whether another reading of it is possible."""
    reading = read_latex(text)
    if isinstance(reading, Declined) or len(reading.equations) != 1:
        return None
    return reading.equations[0], bool(reading.ambiguities or reading.conditions or reading.flags or reading.phrases)


def _bare(text: str) -> str:
    """A formula without dollars, brackets and fences around it, and without a last full stop."""
    bare = shown(text).strip().rstrip(".").strip()
    for opening, closing in (("$$", "$$"), ("$", "$"), (r"\[", r"\]"), (r"\(", r"\)")):
        if bare.startswith(opening) and bare.endswith(closing) and len(bare) > len(opening) + len(closing):
            bare = bare[len(opening) : -len(closing)].strip()
    return bare
