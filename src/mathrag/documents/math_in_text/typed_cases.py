"""Formulas by cases typed on one line or on several: `fee = 2 * h if h <= 3, else 6 + h`, each line with its condition.

Gives one formula by cases. Every value and every condition must be read; of a line with words instead of a comparison
nothing is taken. Reads no formula itself: `read_one` tells what a line without condition is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mathrag.compute.pythontext import read_python_text
from mathrag.documents.math_in_text.typed_lines import TextFormula, lead_of, tokenise, write_latex
from mathrag.language.word_classes import any_of
from mathrag.types.document import Notation
from mathrag.types.expression import Declined, Reading

ReadOne = Callable[[str], Sequence[TextFormula]]

_LONGEST = 300
_MOST_CASES = 12
_LEFT = re.compile(
    r"\s*(?P<left>[^\W\d][\w'(),]{0,30}(?: [\w%()/·²³]{1,20}){0,5})\s*=\s*(?P<right>[^=<>≤≥].*)", re.DOTALL
)
_IF = re.compile(r"(?:,\s*|\s+|\s*\()(?:if|for|when|where)\s+", re.IGNORECASE)
_ELSE = re.compile(rf"(?:{any_of('formula_words.otherwise')})", re.IGNORECASE)
_COMPARED = re.compile(r"[^<>≤≥=]{1,60}(?:<=|>=|[<>≤≥])[^<>≤≥=]{1,60}(?:(?:<=|>=|[<>≤≥])[^<>≤≥=]{1,60})?")
_SIGN = re.compile(r"<=|>=|[<>≤≥]")
_AND = re.compile(r"\s+and\s+", re.IGNORECASE)
_LATEX_SIGNS = {"<=": r"\le", ">=": r"\ge", "≤": r"\le", "≥": r"\ge", "<": "<", ">": ">"}
_PLAIN_SIGNS = {"≤": "<=", "≥": ">="}
# What explains symbols behind the cases.
_TAIL = re.compile(r"[.;,]?\s+(?:where|with|in which|here)\s+[^<>≤≥]*\Z", re.IGNORECASE)
_NUMBER = re.compile(r"\d+(?:\.\d+)?|\.\d+")
_BETWEEN = re.compile(
    r"\s*[;,]\s+(?!(?:if|for|when|where)\s)(?:and\s+)?|\s+(?=else\s+\S|otherwise\s+\S)", re.IGNORECASE
)
_UNIT_LIKE = re.compile(r"\\ \\mathrm\{(\w+)\}$")


@dataclass(frozen=True, slots=True)
class _Case:
    """A value with its condition, as typed; the last one may have none."""

    value: str
    condition: str


def may_have_cases(text: str) -> bool:
    """Whether a line compares something behind an equals sign."""
    return _SIGN.search(text) is not None and "=" in text.replace("<=", "").replace(">=", "")


def cases_in_line(text: str, read_one: ReadOne) -> TextFormula | None:
    """The formula by cases that a line is, apart from words that lead to it and those that explain it."""
    start = lead_of(text)
    tail = _TAIL.search(text, start)
    found = cases_of([text[start : tail.start() if tail else len(text)]], read_one)
    return None if found is None else found[0].moved(start)


def cases_of(lines: Sequence[str], read_one: ReadOne) -> tuple[TextFormula, int] | None:
    """The formula by cases with which lines begin, and how many lines it takes; None where there is none."""
    found = _LEFT.fullmatch(lines[0]) if lines and len(lines[0]) <= _LONGEST else None
    if found is None:
        return None
    left = " ".join(found["left"].split())
    cases = _cases_in(found["right"])
    if cases is None:
        return None
    taken = 1
    while taken < len(lines) and cases[-1].condition and len(lines[taken]) <= _LONGEST:
        following = _LEFT.fullmatch(lines[taken])
        if following is not None and " ".join(following["left"].split()) != left:
            break
        more = _cases_in((following["right"] if following else lines[taken].lstrip(" =")).strip(), goes_on=True)
        if more is None:
            break
        cases += more
        taken += 1
    source = _source(left, cases, read_one) if len(cases) <= _MOST_CASES else None
    start = len(lines[0]) - len(lines[0].lstrip())
    return None if source is None else (TextFormula(start, len(lines[0].rstrip()), *source), taken)


def _cases_in(text: str, *, goes_on: bool = False) -> list[_Case] | None:
    """`value if condition, value if condition, else value`; None for anything else. `goes_on` after other cases."""
    cases: list[_Case] = []
    for piece in _BETWEEN.split(text.strip().rstrip(".;,")):
        bare = piece.strip()
        if cases and not cases[-1].condition:
            return None
        opening = _ELSE.match(bare)
        ending = re.search(rf"\s+\(?(?:{_ELSE.pattern})\)?$", bare, re.IGNORECASE)
        split = _IF.split(bare, maxsplit=1)
        if len(split) == 2 and opening is None:
            condition = split[1].strip()
            if condition.endswith(")") and condition.count("(") < condition.count(")"):
                condition = condition[:-1]
            if not all(_COMPARED.fullmatch(part) for part in _AND.split(condition)):
                return None
            cases.append(_Case(split[0].strip(), condition))
        elif (cases or goes_on) and opening is not None and bare[opening.end() :].strip():
            cases.append(_Case(bare[opening.end() :].strip(" ,:"), ""))
        elif (cases or goes_on) and ending is not None:
            cases.append(_Case(bare[: ending.start()].strip(" ,"), ""))
        else:
            return None
    return cases or None


def _source(left: str, cases: Sequence[_Case], read_one: ReadOne) -> tuple[str, Notation] | None:
    """The formula in the notation in which its values are typed."""
    values: list[tuple[str, str]] = []
    shown = ""
    compared = frozenset(re.findall(r"[^\W\d]\w*", " ".join(case.condition for case in cases)))
    for case in cases:
        line = f"{left} = {case.value}"
        found = read_one(line)
        if len(found) == 1 and (found[0].start, found[0].end) == (0, len(line)):
            name, _, value = found[0].source.partition("=")
            shown = shown or name.strip()
            values.append((_as_symbols(case.value, value.strip(), compared), found[0].notation))
        elif _NUMBER.fullmatch(case.value):
            values.append((case.value, ""))
        else:
            return None
    notations = {notation for _, notation in values if notation}
    if not notations:
        return None
    if len(notations) > 1 and left.isidentifier() and all(_is_explicit(case.value) for case in cases):
        return _as_text(left, cases, [case.value for case in cases])
    if notations == {"text"}:
        return _as_text(shown, cases, [value for value, _ in values])
    if len(notations) > 1:
        return None
    return _as_latex(shown, cases, [value for value, _ in values])


def _is_explicit(value: str) -> bool:
    """Whether every sign of a value is typed, so that its names are whole."""
    reading = read_python_text(value)
    return isinstance(reading, Reading) and not any(flag.code == "implicit_product" for flag in reading.flags)


def _as_symbols(typed: str, source: str, compared: frozenset[str]) -> str:
    """The value, with a symbol where its letters could be a unit (`0.8 B`) but stand alone in a condition."""
    unit = _UNIT_LIKE.search(source)
    tokens = tokenise(typed) if unit is not None and unit[1] in compared else None
    return (write_latex(tokens) if tokens else None) or source


def _as_text(left: str, cases: Sequence[_Case], values: Sequence[str]) -> tuple[str, Notation] | None:
    source = ""
    for case, value in zip(cases, values, strict=True):
        condition = _SIGN.sub(lambda found: _PLAIN_SIGNS.get(found.group(), found.group()), case.condition)
        source += f"({value}) if {condition} else " if case.condition else f"({value})"
    source = f"{left} = ({source}{'nan' if cases[-1].condition else ''})"
    return None if isinstance(read_python_text(source), Declined) else (source, "text")


def _as_latex(left: str, cases: Sequence[_Case], values: Sequence[str]) -> tuple[str, Notation] | None:
    rows = []
    for case, value in zip(cases, values, strict=True):
        condition = _condition(case.condition) if case.condition else r"\text{otherwise}"
        if condition is None:
            return None
        rows.append(f"{value} & {condition}")
    body = r" \\ ".join(rows)
    return rf"{left} = \begin{{cases}} {body} \end{{cases}}", "latex"


def _condition(text: str) -> str | None:
    parts = []
    for part in _AND.split(text):
        sides = [tokenise(side) for side in _SIGN.split(part)]
        written = [write_latex(side) if side else None for side in sides]
        if any(each is None or r"\text" in each for each in written):
            return None
        signs = [_LATEX_SIGNS[found.group()] for found in _SIGN.finditer(part)]
        whole = written[0] or ""
        for sign, side in zip(signs, written[1:], strict=True):
            whole += f" {sign} {side}"
        parts.append(whole)
    return r" \text{ and } ".join(parts)
