"""Answers as values: texts, JSON, literals of Python, in code fences or not. Reads; runs nothing and compares nothing.

A text that is no literal as a whole stays a text. Everything has a limit, and nothing raises.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from fractions import Fraction
from typing import TypeAlias

from mathrag.llm.json_text import StringError, read_string

# A text, number, truth value, None, or lists and mappings of them.
Value: TypeAlias = object

LONGEST_ANSWER = 200_000
_DEEPEST = 32
_MOST_VALUES = 20_000
# Exact reading of longer numbers says nothing more, and costs more.
_LONGEST_NUMBER = 300
_LARGEST_EXPONENT = 400
_FENCE = re.compile(r"\A\s*```[A-Za-z]{0,12}[ \t]*\r?\n?")
_NUMBER = re.compile(r"[+-]?(?:\d{1,300}(?:\.\d{0,300})?|\.\d{1,300})(?:[eE][+-]?\d{1,4})?")
_GROUPED = re.compile(r"[+-]?\d{1,3}(?:,\d{3}){1,90}(?:\.\d{1,300})?")
_LEADING_ZERO = re.compile(r"[+-]?0\d")
_NAME = re.compile(r"[A-Za-z]{1,8}")
_SPACE = re.compile(r"\s*")
_NAMES: Mapping[str, Value] = {"True": True, "true": True, "False": False, "false": False, "None": None, "null": None}
_UNWRITTEN = "(too long to be written down)"
_CLOSING = {"[": "]", "(": ")", "{": "}"}


class _NoLiteralError(Exception):
    """The text is no literal."""


def without_fence(text: str) -> str:
    """A text without the code fence around it, and without blanks at its ends."""
    stripped = text.strip()
    opening = _FENCE.match(stripped)
    if opening is None or not stripped.endswith("```") or len(stripped) < opening.end() + 3:
        return stripped
    return stripped[opening.end() : -3].strip()


def value_of(answer: Value) -> Value:
    """An answer as the value that it says: a text that is a literal as a whole is read, anything else stays.

    Tuples and sets become lists.
    """
    if isinstance(answer, str):
        text = without_fence(answer[:LONGEST_ANSWER])
        read = read_literal(text)
        return text if read is None and text not in ("None", "null") else read
    return answer


def list_of(answer: Value) -> list[Value]:
    """An answer as a list; anything else is a list of one."""
    value = value_of(answer)
    if isinstance(value, list | tuple):
        return list(value)
    if isinstance(value, set | frozenset):
        return sorted(value, key=written)
    return [value]


def mapping_of(answer: Value) -> Mapping[Value, Value] | None:
    """An answer as a mapping; None where it is none."""
    value = value_of(answer)
    return value if isinstance(value, Mapping) else None


def number_of(answer: Value) -> Fraction | None:
    """The exact number that an answer is: 3, "3.0", "1,250", "2e-3". None for truth values and all else."""
    if isinstance(answer, bool):
        return None
    if isinstance(answer, int):
        return Fraction(answer) if answer.bit_length() <= 4 * _LONGEST_NUMBER else None
    if isinstance(answer, float):
        return Fraction(repr(answer)) if math.isfinite(answer) else None
    if not isinstance(answer, str) or len(answer) > LONGEST_ANSWER:
        return None
    text = without_fence(answer)
    quoted = read_literal(text) if text[:1] in ("'", '"') else None
    return _number(quoted.strip() if isinstance(quoted, str) else text)


def _number(text: str) -> Fraction | None:
    if _GROUPED.fullmatch(text):
        return Fraction(text.replace(",", ""))
    if _NUMBER.fullmatch(text) is None:
        return None
    mantissa, _, exponent = text.lower().partition("e")
    if exponent and abs(int(exponent)) > _LARGEST_EXPONENT:
        return None
    return Fraction(f"{mantissa.rstrip('.')}e{exponent or 0}") if mantissa.strip("+-.") else None


def text_of(answer: Value) -> str:
    """An answer as a text: what is quoted without its quotation marks, values as people write them."""
    if isinstance(answer, str):
        text = without_fence(answer)
        quoted = read_literal(text) if text[:1] in ("'", '"') else None
        return quoted.strip() if isinstance(quoted, str) else text
    return written(answer).strip()


def written(answer: Value) -> str:
    """An answer as it is written down, whatever it is."""
    try:
        return (answer if isinstance(answer, str) else repr(answer))[:LONGEST_ANSWER]
    except (ValueError, RecursionError):
        # A whole number of thousands of digits, or a list within itself.
        return _UNWRITTEN


def read_literal(text: str) -> Value:
    """The value of a text that is one literal as a whole; None where it is none (or says None)."""
    if not text or len(text) > LONGEST_ANSWER:
        return None
    reader = _Reader(text)
    try:
        value = reader.value(0)
        reader.skip()
    except (_NoLiteralError, StringError):
        return None
    return value if reader.position == len(text) else None


class _Reader:
    """Reads one literal from the beginning of a text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self._count = 0

    def skip(self) -> None:
        """Step over blanks."""
        blanks = _SPACE.match(self.text, self.position)
        assert blanks is not None
        self.position = blanks.end()

    def value(self, depth: int) -> Value:
        """The value that begins here."""
        self.skip()
        self._count += 1
        if depth > _DEEPEST or self._count > _MOST_VALUES or self.position >= len(self.text):
            raise _NoLiteralError
        sign = self.text[self.position]
        if sign in _CLOSING:
            return self._collection(sign, depth)
        if sign in "\"'":
            value, self.position = read_string(self.text, self.position)
            return value
        return self._plain()

    def _collection(self, opening: str, depth: int) -> Value:
        """A list, tuple, set or mapping; one value in round brackets without a comma is that value."""
        self.position += 1
        closing = _CLOSING[opening]
        items: list[Value] = []
        pairs: dict[Value, Value] = {}
        has_comma = False
        while not self._ends(closing):
            item = self.value(depth + 1)
            self.skip()
            if opening == "{" and self.text[self.position : self.position + 1] == ":":
                self.position += 1
                self._pair(pairs, item, depth)
            else:
                items.append(item)
            if self._ends(closing, consume=False):
                continue
            if self.text[self.position : self.position + 1] != ",":
                raise _NoLiteralError
            self.position += 1
            has_comma = True
        if opening == "{":
            if items and pairs:
                raise _NoLiteralError
            return items or pairs
        return items[0] if opening == "(" and len(items) == 1 and not has_comma else items

    def _pair(self, pairs: dict[Value, Value], key: Value, depth: int) -> None:
        if not isinstance(key, str | int | float | bool) or key in pairs:
            # One key with two values says nothing.
            raise _NoLiteralError
        pairs[key] = self.value(depth + 1)

    def _ends(self, closing: str, *, consume: bool = True) -> bool:
        self.skip()
        if self.text[self.position : self.position + 1] != closing:
            return False
        self.position += consume
        return True

    def _plain(self) -> Value:
        number = _NUMBER.match(self.text, self.position)
        if number is not None:
            self.position = number.end()
            digits = number.group()
            following = self.text[self.position : self.position + 1]
            # A zero in front makes a name of a number: "007".
            if following.isalnum() or following in ("_", ".") or _LEADING_ZERO.match(digits):
                raise _NoLiteralError
            if digits.lstrip("+-").isdigit():
                return int(digits)
            value = float(digits)
            if not math.isfinite(value):
                raise _NoLiteralError
            return value
        name = _NAME.match(self.text, self.position)
        if name is None or name.group() not in _NAMES:
            raise _NoLiteralError
        self.position = name.end()
        if self.text[self.position : self.position + 1].isalnum():
            raise _NoLiteralError
        return _NAMES[name.group()]
