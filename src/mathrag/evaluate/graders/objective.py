"""Graders that need no judge: truth values, numbers, texts, lists, mappings, titles of papers. Pure functions.

The names and arguments are those of the published graders; their faults are mended: case is folded before order is
ignored, nothing is in an empty list, 3.7 is not 3 and "3.0" is, near zero a tolerance is absolute, a list without
order is matched element by element instead of sorted.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Literal, TypeAlias

from mathrag.evaluate.graders.likeness import FuzzMethod, is_like
from mathrag.evaluate.graders.literals import Value, list_of, mapping_of, number_of, text_of, value_of, written
from mathrag.evaluate.graders.verdicts import (
    MOST_MATCHED,
    RIGHT,
    Graded,
    all_of,
    any_of,
    decided,
    matched,
    unknown,
    wrong,
)

ElementType: TypeAlias = Literal["str", "int", "float", "object"]
_TRUTHS = {"true": True, "yes": True, "y": True, "t": True, "1": True}
_UNTRUTHS = {"false": False, "no": False, "n": False, "f": False, "0": False}
_BLANKS = re.compile(r"\s+")
_TOLERANCE = 1e-6
_DEEPEST = 32


def grade_bool(answer: Value, *, gold: bool) -> Graded:
    """Whether the answer says the truth value: as such, as 1 or 0, or as yes or no."""
    said = _truth(answer)
    if said is None:
        return wrong("the answer is no truth value")
    return decided(said == gold, "the other truth value")


def _truth(answer: Value) -> bool | None:
    number = number_of(answer)
    if number is not None:
        return bool(number) if number in (0, 1) else None
    said = text_of(answer).lower().rstrip(".")
    return _TRUTHS.get(said, _UNTRUTHS.get(said))


def grade_int(answer: Value, *, gold: int) -> Graded:
    """Whether the answer is the whole number: 3 and "3.0", not 3.7."""
    said = number_of(answer)
    if said is None:
        return wrong("the answer is no number")
    return decided(said == gold, "another number")


def grade_float(answer: Value, *, gold: float, ndigits: int | None = None, tolerance: float = _TOLERANCE) -> Graded:
    """Whether the answer is the number, but for a relative tolerance, which is absolute where the number is 0.

    With `ndigits` it may also agree after rounding both to so many digits.
    """
    said, wanted = number_of(answer), number_of(gold)
    if said is None or wanted is None:
        return wrong("the answer is no number")
    is_right = _is_close(said, wanted, tolerance)
    if ndigits is not None and not is_right:
        is_right = _is_close(_rounded(said, ndigits), _rounded(wanted, ndigits), tolerance)
    return decided(is_right, "another number")


def _is_close(said: Fraction, wanted: Fraction, tolerance: float) -> bool:
    # Of the wanted number, not of the larger one: an answer must not widen what it is held to.
    return abs(said - wanted) <= Fraction(tolerance) * (abs(wanted) or 1)


def _rounded(number: Fraction, ndigits: int) -> Fraction:
    """Halves away from zero, as people round."""
    scaled = abs(number) * Fraction(10) ** ndigits + Fraction(1, 2)
    size = math.floor(scaled) / Fraction(10) ** ndigits
    return size if number >= 0 else -size


def grade_string(answer: Value, *, gold: Value, lowercase: bool = False, ignore_blank: bool = False) -> Graded:
    """Whether the answer is the text, blanks at the ends aside. A gold answer that is a list of one is that one."""
    said, wanted = _texts(answer, gold, lowercase=lowercase, ignore_blank=ignore_blank)
    if wanted is None:
        return unknown("the gold answer is no single text")
    return decided(said == wanted, "another text")


def grade_string_fuzzy(
    answer: Value,
    *,
    gold: Value,
    fuzz_method: FuzzMethod = "ratio",
    threshold: float = 95,
    lowercase: bool = False,
    ignore_blank: bool = False,
) -> Graded:
    """Whether the answer is alike to the text, to so many percent."""
    # For words the blanks between them count as one.
    blank = " " if fuzz_method.startswith("token") else ""
    said, wanted = _texts(answer, gold, lowercase=lowercase, ignore_blank=ignore_blank, blank=blank)
    if wanted is None:
        return unknown("the gold answer is no single text")
    if wanted and not said:
        return wrong("no answer")
    is_alike = is_like(said, wanted, threshold=percent(threshold), method=fuzz_method)
    return decided(is_alike, "not alike enough", "the texts are too long to be compared")


def percent(threshold: float) -> float:
    """A threshold in percent; one up to 1 is a share. (Taken as a percentage it would let everything pass.)"""
    return 100 * threshold if 0 < threshold <= 1 else threshold


def _texts(
    answer: Value, gold: Value, *, lowercase: bool, ignore_blank: bool, blank: str = ""
) -> tuple[str, str | None]:
    if isinstance(gold, list):
        said = list_of(answer)
        gold = gold[0] if len(gold) == 1 else gold
        answer = said[0] if len(said) == 1 else answer
    if isinstance(gold, list | Mapping):
        return "", None
    texts = [text_of(answer), written(gold).strip()]
    if ignore_blank:
        texts = [_BLANKS.sub(blank, text) for text in texts]
    if lowercase:
        texts = [text.lower() for text in texts]
    return texts[0], texts[1]


def grade_structured_object(
    answer: Value,
    *,
    gold: Value,
    ignore_order: bool = False,
    ndigits: int | None = None,
    tolerance: float = _TOLERANCE,
    lowercase: bool = False,
    ignore_blank: bool = False,
    threshold: float = -1,
    fuzz_method: FuzzMethod = "ratio",
) -> Graded:
    """Whether the answer is the list, mapping, number or text, part by part.

    Without order a list is right where its elements can be paired with those of the gold answer, each with one.
    """
    compare = _Comparison(
        ignore_order, ndigits, tolerance, lowercase=lowercase, ignore_blank=ignore_blank, threshold=threshold,
        fuzz_method=fuzz_method,
    )  # fmt: skip
    return compare.values(answer, gold, 0)


class _Comparison:
    """Compares values with values, by the arguments of one grader."""

    def __init__(
        self,
        ignore_order: bool,
        ndigits: int | None,
        tolerance: float,
        *,
        lowercase: bool,
        ignore_blank: bool,
        threshold: float,
        fuzz_method: FuzzMethod,
    ) -> None:
        self._ignore_order = ignore_order
        self._number = partial(grade_float, ndigits=ndigits, tolerance=tolerance)
        string = partial(grade_string, lowercase=lowercase, ignore_blank=ignore_blank)
        fuzzy = partial(
            grade_string_fuzzy, lowercase=lowercase, ignore_blank=ignore_blank, threshold=threshold,
            fuzz_method=fuzz_method,
        )  # fmt: skip
        self._text = fuzzy if threshold > 0 else string
        self._lowercase = lowercase
        self._ignore_blank = ignore_blank

    def values(self, answer: Value, gold: Value, depth: int) -> Graded:
        """One value with one value."""
        if depth > _DEEPEST:
            return unknown("the gold answer is nested too deeply")
        match gold:
            case list() | tuple():
                return self._lists(answer, gold, depth)
            case Mapping():
                return self._mappings(answer, gold, depth)
            case bool():
                return grade_bool(answer, gold=gold)
            case int():
                return grade_int(answer, gold=gold)
            case float():
                return self._number(answer, gold=gold)
            case _:
                return self._text(answer, gold=gold)

    def _lists(self, answer: Value, gold: Sequence[Value], depth: int) -> Graded:
        said = list_of(answer)
        if len(said) != len(gold):
            return wrong(f"{len(said)} elements instead of {len(gold)}")
        if not self._ignore_order:
            return all_of(self.values(one, other, depth + 1) for one, other in zip(said, gold, strict=True))
        if len(gold) > MOST_MATCHED:
            return unknown(f"more than {MOST_MATCHED} elements without order are not compared")
        sure, possible = matched(
            len(gold), len(said), lambda row, column: self.values(said[column], gold[row], depth + 1)
        )
        if sure == len(gold):
            return RIGHT
        return wrong("other elements") if possible < len(gold) else unknown("some elements could not be compared")

    def _mappings(self, answer: Value, gold: Mapping[Value, Value], depth: int) -> Graded:
        said = mapping_of(answer)
        if said is None:
            return wrong("the answer is no mapping")
        if said.keys() == gold.keys():
            # The very same, also where two of them would be taken for one key.
            return all_of(self.values(said[key], value, depth + 1) for key, value in gold.items())
        ours = {self._key(key): value for key, value in said.items()}
        golds = {self._key(key): value for key, value in gold.items()}
        if len(ours) != len(said) or ours.keys() != golds.keys():
            return wrong("other keys")
        return all_of(self.values(ours[key], value, depth + 1) for key, value in golds.items())

    def _key(self, key: Value) -> str:
        text = written(key).strip()
        text = text.lower() if self._lowercase else text
        return _BLANKS.sub("", text) if self._ignore_blank else text


def grade_element_included(
    answer: Value,
    *,
    gold: Sequence[Value],
    element_type: ElementType = "str",
    ndigits: int | None = 2,
    tolerance: float = _TOLERANCE,
    fuzz_method: FuzzMethod = "ratio",
    threshold: float = -1,
    lowercase: bool = False,
    ignore_blank: bool = False,
    ignore_order: bool = False,
) -> Graded:
    """Whether the answer is one of the gold answers."""

    def compare(one: Value) -> Graded:
        match element_type:
            case "int":
                number = number_of(one)
                return wrong() if number is None else decided(number_of(answer) == number)
            case "float":
                number = number_of(one)
                return (
                    wrong()
                    if number is None
                    else grade_float(answer, gold=float(number), ndigits=ndigits, tolerance=tolerance)
                )
            case "str":
                wanted: Value = text_of(one)
            case "object":
                wanted = one
        return grade_structured_object(
            answer, gold=wanted, ignore_order=ignore_order, ndigits=ndigits, tolerance=tolerance,
            lowercase=lowercase, ignore_blank=ignore_blank, threshold=threshold, fuzz_method=fuzz_method,
        )  # fmt: skip

    found = any_of(compare(one) for one in gold)
    return wrong("none of the gold answers") if found.verdict == "wrong" else found


def grade_element_list_included(answer: Value, *, gold: Sequence[Value], **arguments: object) -> Graded:
    """Whether every element of the answer is one of the gold answers; an empty answer is wrong."""
    said = list_of(answer)
    if not said or said == [""]:
        return wrong("the answer is empty")
    return all_of(grade_element_included(one, gold=gold, **arguments) for one in said)  # type: ignore[arg-type]


def grade_element_list_overlap(answer: Value, *, gold: Sequence[Value], count: int = 1, **arguments: object) -> Graded:
    """Whether at least so many different gold answers are among the elements of the answer."""
    said = list_of(answer)
    if max(len(said), len(gold)) > MOST_MATCHED:
        return unknown(f"more than {MOST_MATCHED} elements are not compared")

    def compare(row: int, column: int) -> Graded:
        return grade_element_included(said[column], gold=[gold[row]], **arguments)  # type: ignore[arg-type]

    sure, possible = matched(len(gold), len(said), compare)
    if sure >= count:
        return RIGHT
    if possible >= count:
        return unknown("some elements could not be compared")
    return wrong(f"{sure} of {count} gold answers")


def grade_paper_relevance(answer: Value, *, reference_answer: str | Sequence[str], threshold: float = 95) -> Graded:
    """Whether the answer is the title of the paper, or of one of them, but for a few letters."""
    titles = [reference_answer] if isinstance(reference_answer, str) else reference_answer
    value = value_of(answer)
    if isinstance(value, list | tuple | set | Mapping):
        return wrong("the answer is no title")
    found = any_of(grade_string_fuzzy(answer, gold=one, threshold=threshold, lowercase=True) for one in titles)
    return wrong("another title") if found.verdict == "wrong" else found
