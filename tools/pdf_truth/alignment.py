"""Which found formula belongs to which expected one: by order first, then by likeness. Judges nothing."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import pairwise

from pdf_truth.normal_form import normal_form
from pdf_truth.same_formula import same_formula

_SIGN = re.compile(r"\\[A-Za-z]+|[^\s{}]")
# Below this two formulas have nothing to do with each other.
_ALIKE = 0.4
_ALIKE_ANYWHERE = 0.6
_LARGEST_GAP = 40_000
_LARGEST_REST = 200_000


def likeness(first: str, second: str) -> float:
    """From 0 to 1: the share of signs and neighbouring signs in common; 1 for the same formula."""
    if same_formula(first, second):
        return 1.0
    one, other = _grams(first), _grams(second)
    common = sum((one & other).values())
    return 0.95 * 2 * common / max(1, sum(one.values()) + sum(other.values()))


def _grams(source: str) -> Counter[tuple[str, ...]]:
    signs = _SIGN.findall(normal_form(source))
    return Counter([(sign,) for sign in signs] + list(pairwise(signs)))


def align(expected: Sequence[str], found: Sequence[str]) -> dict[int, int]:
    """Indices of expected formulas and of what was found for them; each at most once."""
    forms, others = [normal_form(each) for each in expected], [normal_form(each) for each in found]
    pairs: dict[int, int] = {}
    blocks = SequenceMatcher(None, forms, others, autojunk=False).get_matching_blocks()
    left = right = 0
    for block in blocks:
        _align_gap(expected, found, pairs, (left, block.a, right, block.b))
        pairs.update({block.a + step: block.b + step for step in range(block.size)})
        left, right = block.a + block.size, block.b + block.size
    _align_anywhere(expected, found, pairs)
    return pairs


def _align_gap(
    expected: Sequence[str], found: Sequence[str], pairs: dict[int, int], span: tuple[int, int, int, int]
) -> None:
    """The best order-keeping pairing between two certain pairs."""
    left, left_end, right, right_end = span
    rows, columns = left_end - left, right_end - right
    if not rows or not columns or rows * columns > _LARGEST_GAP:
        return
    scores = [[likeness(expected[left + i], found[right + j]) for j in range(columns)] for i in range(rows)]
    best = [[0.0] * (columns + 1) for _ in range(rows + 1)]
    for i in range(rows - 1, -1, -1):
        for j in range(columns - 1, -1, -1):
            paired = scores[i][j] + best[i + 1][j + 1] if scores[i][j] >= _ALIKE else 0.0
            best[i][j] = max(best[i + 1][j], best[i][j + 1], paired)
    i = j = 0
    while i < rows and j < columns:
        if scores[i][j] >= _ALIKE and best[i][j] == scores[i][j] + best[i + 1][j + 1]:
            pairs[left + i] = right + j
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1


def _align_anywhere(expected: Sequence[str], found: Sequence[str], pairs: dict[int, int]) -> None:
    """What another reading order tore away: the same formulas first, then the most alike."""
    taken = set(pairs.values())
    by_form: dict[str, list[int]] = defaultdict(list)
    for j, latex in enumerate(found):
        if j not in taken:
            by_form[normal_form(latex)].append(j)
    for i, latex in enumerate(expected):
        if i not in pairs and (same := by_form[normal_form(latex)]):
            pairs[i] = same.pop(0)
            taken.add(pairs[i])
    open_expected = [i for i in range(len(expected)) if i not in pairs]
    open_found = [j for j in range(len(found)) if j not in taken]
    if len(open_expected) * len(open_found) > _LARGEST_REST:
        return
    candidates = [(likeness(expected[i], found[j]), -abs(i - j), i, j) for i in open_expected for j in open_found]
    for score, _, i, j in sorted(candidates, reverse=True):
        if score >= _ALIKE_ANYWHERE and i not in pairs and j not in taken:
            pairs[i] = j
            taken.add(j)
