"""Read one value: a number or an expression with its unit, percent sign or currency; a numeral of a base; a time."""

from __future__ import annotations

import re

from mathrag.compute.answers.writing import joined_thousands
from mathrag.compute.latex import read_latex
from mathrag.compute.pythontext import read_python_text
from mathrag.errors import AmbiguousUnitError, UnitError
from mathrag.knowledge.units import is_unit_text, read_canonical_unit, read_unit
from mathrag.language.word_classes import any_of, word_class, word_pairs
from mathrag.types.expression import (
    FUNCTIONS,
    Declined,
    Divide,
    Expression,
    Measure,
    Multiply,
    Negate,
    Number,
    Symbol,
    depth_of,
    size_of,
    walk,
)
from mathrag.types.math_answer import BaseNumeral, ClockAnswer, ValueAnswer, WordsAnswer
from mathrag.types.quantity import Unit

_NUMBER = r"-?(?:\d{1,60}(?:\.\d{0,60})?|\.\d{1,60})"
_BASE = re.compile(r"([0-9A-Fa-f]{1,60})_\s?(?:\{\s?(?:\\text\s?\{)?\s?(\d{1,2})\s?\}{1,2}|(\d))")
_CLOCK = re.compile(r"(\d{1,2}):(\d{2})(?:\s?(?:\\text\s?\{)?\s?([AaPp])\.?\s?[Mm]\.?\s?\}?)?")
_MIXED = re.compile(r"(-?)(\d{1,20})\s(\d{1,20})/(\d{1,20})")
_PERIODIC = re.compile(r"(-?)(\d{0,30})\.(\d{0,30})\\overline\s?\{(\d{1,30})\}")
_CURRENCY = re.compile(r"(-?)\s?(\\?\$|€|£|¥)\s?(?=[\d.])")
_SIGN_BEHIND = re.compile(r"\s?(\\?%|\^\{?\\circ\s?\}?|\\?\$|€|£|¥|¢)$")
_DEGREES_BEHIND = re.compile(r"\s?\^\{?\\circ\s?\}?$")
_WORDS_BEHIND = re.compile(r"\s?\\(?:text|mathrm|rm)\s?\{\s?([^{}\\]{1,60})\}\s?(?:\^\s?\{?\s?(-?\d)\s?\}?)?$")
_LETTERS_BEHIND = re.compile(rf"({_NUMBER})\s?([A-Za-zµ²³][A-Za-zµ²³ ./^\d]{{0,40}})")
_WORD_BEHIND = re.compile(r"(.{0,200}[\d})])\s([A-Za-z]{4,20}(?: [A-Za-z]{2,20}){0,3})")
_FIRST_WORD = re.compile(r"[A-Za-zµ]{2,}")
_SPACED_DIGITS = re.compile(r"-?[\d.]+(?:\s[\d.]+)+")
_SPACED_THOUSANDS = re.compile(r"-?\d{1,3}(?:\s\d{3})+(?:\.\d+)?")
_SCALES = word_pairs("answers.number_scales")
_SCIENTIFIC = re.compile(rf"{_NUMBER}[eE][+-]?\d{{1,3}}")
_TYPED = re.compile(r"\*|\b(?:sqrt|pi|sin|cos|tan|ln|log|exp|abs)\b")
# "sin 30°" is a number, not a number of degrees.
_FUNCTION = re.compile(r"\\(?:sin|cos|tan|cot|sec|csc)(?![A-Za-z])")
_INFINITE = {"\\infty": 1, "+\\infty": 1, "-\\infty": -1}
_SHORTEST_WORD = 4
_DEEPEST, _LARGEST = 60, 800
# Letters of a command, or of an environment or a name in upright type, are no words of a sentence.
_WORD = re.compile(r"(?<![A-Za-z\\{])[A-Za-z]{4,}")
# Digits among words, and bars of a norm: the grammar may read past them.
_LEFT_OUT = re.compile(r"\\(?:text|mathrm|rm)\s?\{[^{}]*\d|\\\||\\[lr]?Vert")
# What the grammar of formulas says of a reading that has lost nothing.
_HARMLESS = frozenset(
    (
        "mixed_number", "degrees", "e_symbol", "e_base", "percent", "unit_inside", "call_or_product", "function_power",
        "function_argument", "implicit_product", "log_base", "slash_product", "pi_symbol", "unit_or_symbol",
        "no_symbols", "delta_product", "thousands",
    )
)  # fmt: skip
_FULL_WORDS = word_class("answers.percent_words")
_PERCENT_BEHIND = re.compile(rf"\s?(?:{any_of('answers.percent_words')})$", re.IGNORECASE)


def read_value(text: str) -> ValueAnswer | BaseNumeral | ClockAnswer | WordsAnswer | None:
    """What one value is; None where it is not understood."""
    based = _BASE.fullmatch(text)
    if based:
        return _based(based.group(1).upper(), int(based.group(2) or based.group(3)))
    clock = _CLOCK.fullmatch(text)
    if clock and int(clock.group(1)) <= 24 and int(clock.group(2)) < 60:
        half = (clock.group(3) or "").lower()
        return ClockAnswer(int(clock.group(1)), int(clock.group(2)), "am" if half == "a" else "pm" if half else "")
    return _with_unit(joined_thousands(text))


def _based(digits: str, base: int) -> BaseNumeral | None:
    try:
        int(digits, base)
    except ValueError:
        return None
    return BaseNumeral(digits.lstrip("0") or "0", base)


def _with_unit(text: str) -> ValueAnswer | None:
    currency = _CURRENCY.match(text)
    if currency:
        rest = currency.group(1) + text[currency.end() :]
        value = _with_unit(rest)
        if value is None or (value.unit is not None and value.unit.text != "USD"):
            return _expression_value(text)
        return _priced(value.expression, currency.group(2))
    percent = _PERCENT_BEHIND.search(text)
    sign = _SIGN_BEHIND.search(text)
    if percent and percent.start() > 0:
        return _measured(text[: percent.start()], "percent")
    if sign and sign.start() > 0 and not _FUNCTION.search(text):
        return _signed(text[: sign.start()], sign.group(1))
    words = _WORDS_BEHIND.search(text)
    if words and words.start() > 0:
        degrees = _DEGREES_BEHIND.search(text[: words.start()])
        if degrees:
            return _measured(text[: degrees.start()], f"°{words.group(1).strip()}")
        return _measured(text[: words.start()], words.group(1) + (f"^{words.group(2)}" if words.group(2) else ""))
    if _SCIENTIFIC.fullmatch(text):
        return _expression_value(text)
    letters = _LETTERS_BEHIND.fullmatch(text) or _WORD_BEHIND.fullmatch(text)
    if letters and _is_unit(letters.group(2), text):
        return _measured(letters.group(1), letters.group(2))
    return _expression_value(text)


def _signed(rest: str, sign: str) -> ValueAnswer | None:
    if sign.endswith("%"):
        return _measured(rest, "percent")
    if "circ" in sign:
        return _measured(rest, "deg")
    if sign == "¢":
        return _measured(rest, "cents")
    expression = read_expression(rest)
    return None if expression is None else _priced(expression, sign)


def _priced(expression: Expression, sign: str) -> ValueAnswer:
    if sign.endswith("$"):
        return ValueAnswer(expression, read_canonical_unit("USD"))
    return ValueAnswer(expression, counted=sign)


def _is_unit(text: str, whole: str) -> bool:
    """Letters behind a number without anything that sets them apart: a unit or a long word, never one letter."""
    text = text.strip()
    first = _FIRST_WORD.match(text)
    if first is None or _TYPED.search(text):
        return False
    if all(len(word) >= _SHORTEST_WORD and word.isalpha() for word in text.split()):
        return True
    # A short spelling without a blank may be a product, unless no letter of it is one that people solve for.
    return is_unit_text(text) and (" " in whole or not set(first.group()) & set("abxyznpqrt"))


def _measured(rest: str, unit: str) -> ValueAnswer | None:
    expression = read_expression(rest)
    if expression is None:
        return None
    plain = " ".join(unit.replace(".", " ").split())
    scale, _, rest_of_unit = plain.partition(" ")
    if scale.lower() in _SCALES:
        expression, plain = Multiply((expression, Number(int(_SCALES[scale.lower()])))), rest_of_unit
    if {*plain.lower().split()} & word_class("answers.words_that_change_numbers"):
        return None
    if not plain or plain.lower() in word_class("answers.unit_words_without_unit"):
        return ValueAnswer(expression)
    known = _unit_of(plain)
    if known is not None:
        return ValueAnswer(expression, known)
    folded = plain.lower()
    return ValueAnswer(expression, counted=folded[:-1] if folded.endswith("s") and len(folded) > 3 else folded)


def _unit_of(text: str) -> Unit | None:
    if text.lower() in _FULL_WORDS:
        return read_canonical_unit("percent")
    try:
        return read_unit(text)
    except AmbiguousUnitError as error:
        return read_canonical_unit("deg") if "deg" in error.readings else None
    except UnitError:
        return None


def _expression_value(text: str) -> ValueAnswer | None:
    expression = read_expression(text)
    if expression is None:
        return None
    if isinstance(expression, Measure):
        return ValueAnswer(expression.number, read_canonical_unit(expression.unit))
    return ValueAnswer(expression)


def read_expression(text: str) -> Expression | None:
    """A number or an expression, by the grammar of formulas; None where that declines or words stand among it."""
    text = joined_thousands(text.strip())
    if any(word.group() not in FUNCTIONS for word in _WORD.finditer(text)):
        return None
    if text.replace(" ", "") in _INFINITE:
        infinity = Symbol("infinity")
        return infinity if _INFINITE[text.replace(" ", "")] > 0 else Negate(infinity)
    mixed = _MIXED.fullmatch(text)
    if mixed:
        text = f"{mixed.group(1)}{mixed.group(2)}\\frac{{{mixed.group(3)}}}{{{mixed.group(4)}}}"
    periodic = _PERIODIC.fullmatch(text)
    if periodic:
        return _periodic(*periodic.groups())
    if _LEFT_OUT.search(text) or (_SPACED_DIGITS.fullmatch(text) and not _SPACED_THOUSANDS.fullmatch(text)):
        return None
    reading = read_python_text(text) if "\\" not in text and _TYPED.search(text) else read_latex(text)
    if isinstance(reading, Declined) or reading.expression is None or reading.conditions:
        return None
    if any(flag.code not in _HARMLESS for flag in reading.flags):
        return None
    if depth_of(reading.expression) > _DEEPEST or size_of(reading.expression) > _LARGEST:
        return None
    inside = [node for node in walk(reading.expression) if isinstance(node, Measure)]
    return None if inside and not isinstance(reading.expression, Measure) else reading.expression


def _periodic(sign: str, whole: str, first: str, period: str) -> Expression:
    """0.1666... as a fraction: the digits up to the first period, less those before it, over nines and zeros."""
    every, before = int(whole + first + period), int((whole + first) or "0")
    below = (10 ** len(period) - 1) * 10 ** len(first)
    value = Divide(Number(every - before), Number(below))
    return Negate(value) if sign else value
