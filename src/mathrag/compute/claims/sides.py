"""One side of a claim read into a number or an expression, with the words and signs that stand beside its numbers.

Money, percent, degrees and words after a number are taken off first; the formula reader does the rest. What it reads
with a doubt is marked so: a doubtful reading may confirm a claim and never refutes one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from mathrag.compute.claims.scanning import tokens_of
from mathrag.compute.latex import read_latex
from mathrag.types.expression import (
    Call,
    Declined,
    Expression,
    MathConstant,
    Measure,
    Negate,
    Number,
    Symbol,
    size_of,
    symbols_of,
    walk,
)

_LONGEST_SIDE = 600
_LARGEST_TREE = 400
# Readings that stand unless there is another use of the same notation.
_DOUBTFUL = frozenset(
    ("slash_product", "sloppy_script", "mixed_number", "log_base", "differential_or_product", "unit_or_symbol")
)
_NUMBER = re.compile(r"-?\s*\d[\d,]*(?:\.\d+)?|-?\s*\.\d+")
_ANGLE_FUNCTIONS = re.compile(r"\\(?:arc)?(?:sin|cos|tan|cot|sec|csc)\b")
_INVERSE_ANGLES = re.compile(r"arc(?:sin|cos|tan)|(?:sin|cos|tan)\s*\^\s*\{\s*-\s*1\s*\}")
_JOINED_LETTERS = re.compile(r"(?<![\\a-zA-Z])[a-zA-Z]{2,}(?![a-zA-Z{])|[a-zA-Z]\d|\\overline|\\underline")
# What stands for words that were taken off: a power right behind belongs to them, as in 15 cm^2.
_LABEL_ENDS = "\ufffb"
_POWER_OF_LABEL = re.compile(r"\ufffb\s*(?:\^\s*(?:\d|\{\s*\d\s*\}))?")
_BOX = re.compile(r"\\(?:boxed|fbox)\s*(?=\{)|\\(?:mathbf|boldsymbol|underline)\s*(?=\{[\s\d.,+-]*\})")
_DEGREES = re.compile(r"\^\s*(?:\\circ|\{\s*\\circ\s*\})|\\degree\b|°")


@dataclass(frozen=True, slots=True)
class ReadSide:
    """What a side says. `expression` is None where it cannot be read, and `reason` says why."""

    expression: Expression | None
    reason: str = ""
    labels: tuple[str, ...] = ()
    # With % as a hundredth, where the side has such a sign; `expression` leaves it out.
    hundredths: Expression | None = None
    is_money: bool = False
    is_doubtful: bool = False
    # Digits after the point, where the side is one number with a point; None elsewhere.
    decimals: int | None = None
    has_plus_minus: bool = False
    symbols: tuple[str, ...] = ()
    # Letters side by side, which may be the digits of one number.
    has_joined_letters: bool = False

    @property
    def is_number(self) -> bool:
        """Whether it is a number as such, not something to compute."""
        node = self.expression
        return isinstance(node.operand if isinstance(node, Negate) else node, Number)


@lru_cache(maxsize=4096)
def read_side(text: str) -> ReadSide:
    """Read one side of a chain."""
    if not text.strip():
        return ReadSide(None, "nothing stands on one side")
    if len(text) > _LONGEST_SIDE:
        return ReadSide(None, "one side is too long")
    bare, labels, reason = _without_words(_without_box(text))
    if reason:
        return ReadSide(None, reason, labels)
    is_money = r"\$" in bare
    bare = bare.replace(r"\$", " ").replace(r",\!", ",")
    hundredths = _expression_of(bare) if r"\%" in bare else None
    bare = bare.replace(r"\%", " ")
    if not _ANGLE_FUNCTIONS.search(bare):
        bare = _DEGREES.sub(" ", bare)
    if r"\pm" in bare or r"\mp" in bare or "±" in bare:
        return ReadSide(None, "a plus-minus has two values", labels, has_plus_minus=True)
    reading = read_latex(bare)
    if isinstance(reading, Declined):
        return ReadSide(None, reading.reason, labels)
    expression = reading.expression
    if expression is None:
        return ReadSide(None, "this is not one value", labels)
    if size_of(expression) > _LARGEST_TREE:
        return ReadSide(None, "one side is too long", labels)
    if any(isinstance(node, Measure) for node in walk(expression)):
        return ReadSide(None, "a letter may be a unit or a factor", labels)
    codes = {flag.code for flag in reading.flags}
    if hundredths is not None and symbols_of(expression):
        # With an unknown beside it, a percentage is a factor: X + 5\\% X.
        expression, hundredths = hundredths, None
    return ReadSide(
        expression,
        labels=labels,
        hundredths=hundredths,
        is_money=is_money,
        is_doubtful=bool(codes & _DOUBTFUL or _INVERSE_ANGLES.search(bare))
        or _has_ambiguous_function(bare, expression),
        decimals=_decimals(bare),
        symbols=symbols_of(expression),
        has_joined_letters=_JOINED_LETTERS.search(bare) is not None,
    )


def _has_ambiguous_function(text: str, expression: Expression) -> bool:
    """Angles without a unit are radians to us and may be degrees to the writer; log may have any base."""
    calls = [node for node in walk(expression) if isinstance(node, Call)]
    has_base = r"\ln" in text or "_" in text
    if any(node.function in ("log", "log10") for node in calls) and not has_base:
        return True
    bare_angles = (node.arguments[0] for node in calls if node.function in ("sin", "cos", "tan") and "circ" not in text)
    return any(not any(isinstance(part, MathConstant | Symbol) for part in walk(angle)) for angle in bare_angles)


def _expression_of(text: str) -> Expression | None:
    reading = read_latex(text)
    return None if isinstance(reading, Declined) else reading.expression


def _without_box(text: str) -> str:
    """`\\boxed{12}` is 12, `\\mathbf{12}` too; a letter in bold may be a vector and is left as it is."""
    return _BOX.sub("", text)


def _decimals(text: str) -> int | None:
    match = _NUMBER.fullmatch(text.strip(" {}"))
    if match is None or "." not in match.group():
        return None
    return len(match.group().rpartition(".")[2])


def _without_words(text: str) -> tuple[str, tuple[str, ...], str]:
    """The side without the words after its numbers, those words, and why it cannot be read, if so."""
    if "\\text" not in text and "\\m" not in text and "\\operatorname" not in text:
        return text, (), ""
    parts: list[str] = []
    labels: list[str] = []
    before = ""
    for token in tokens_of(text):
        if token.words is None:
            parts.append(token.text)
            before = before if token.is_blank else token.text
            continue
        words = token.words.strip().strip(".,")
        if words in ("", "-"):
            continue
        if not (before and (before[-1].isalnum() or before[-1] in ")}]%")) or before.startswith("\\"):
            return text, tuple(labels), "one side is said in words"
        labels.append(words)
        parts.append(_LABEL_ENDS)
    return _POWER_OF_LABEL.sub(" ", "".join(parts)), tuple(labels), ""
