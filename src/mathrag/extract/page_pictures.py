"""Formulas that a model read in the picture of a whole page, where the page has no words to hold them against.

Nothing on such a page vouches for a quote. So every formula is marked as read from a picture, and it computes only
where two askings that do not know of each other give the same equation, their units agree, and so do all dimensions.
Sees no picture.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mathrag.compute.canonical import canonical_key
from mathrag.compute.equality import same_equation
from mathrag.compute.printers.latex import latex_text
from mathrag.extract.labels import find_keywords, intent_of
from mathrag.extract.pictures import READ_FROM_PICTURE, only_equation
from mathrag.extract.proposals.findings import PROPOSED_BY
from mathrag.extract.proposals.meanings import Understood, proposed_meanings, understand
from mathrag.extract.proposals.plain_text import LONGEST_LABEL, text_problem
from mathrag.extract.proposals.records import MOST_FORMULAS, MOST_PARAMETERS, Parameter, Problem
from mathrag.types.document import Place
from mathrag.types.expression import Equation, Flag, equation_symbols
from mathrag.types.json_value import Json
from mathrag.types.library import PROPOSED, Finding, Span

_LONGEST_LATEX, _LONGEST_TEXT, _LONGEST_RECORD = 1_500, 200, 2_000
_ONE_READING = "only one of two readings of the page has this formula"
_OTHERWISE = "two readings of the page give this formula otherwise"
_OTHER_UNITS = "two readings of the page give its symbols different units"


@dataclass(frozen=True, slots=True)
class SeenFormula:
    """A formula as a model says that it is printed on a page; `record` is its JSON."""

    latex: str
    name: str = ""
    parameters: tuple[Parameter, ...] = ()
    record: str = ""


@dataclass(frozen=True, slots=True)
class PageReading:
    """What came of a page: findings whose positions are still to be given, and records with why they were refused."""

    findings: tuple[Finding, ...] = ()
    refused: tuple[tuple[str, Problem], ...] = ()


def formulas_said(value: Json) -> tuple[SeenFormula, ...]:
    """The formulas of a reply, cut to what a page can hold; whatever is none is left out."""
    listed = value.get("formulas") if isinstance(value, Mapping) else None
    found = []
    for one in listed[:MOST_FORMULAS] if isinstance(listed, list) else ():
        latex = one.get("latex") if isinstance(one, Mapping) else None
        if isinstance(latex, str) and 0 < len(latex) <= _LONGEST_LATEX:
            record = json.dumps(one, ensure_ascii=False)[:_LONGEST_RECORD]
            found.append(SeenFormula(latex, _text(one, "name"), _parameters(one.get("symbols")), record))
    return tuple(found)


def _parameters(listed: Json) -> tuple[Parameter, ...]:
    rows = listed[:MOST_PARAMETERS] if isinstance(listed, list) else ()
    return tuple(
        Parameter(_text(row, "symbol"), _text(row, "meaning"), _text(row, "unit"))
        for row in rows
        if isinstance(row, Mapping)
    )


def _text(one: Mapping[str, Json], key: str) -> str:
    value = one.get(key)
    return value.strip()[:_LONGEST_TEXT] if isinstance(value, str) else ""


def page_reading(
    document: str, page: int, first: Sequence[SeenFormula], second: Sequence[SeenFormula], *, model: str
) -> PageReading:
    """What two readings of a page say together: the formulas of the first, doubted where the second does not have them
    too."""
    others = [(one, equation) for one in second if (equation := only_equation(one.latex)) is not None]
    findings: dict[str, Finding] = {}
    refused: list[tuple[str, Problem]] = []
    for seen in first:
        finding = _finding(document, page, seen, others, model=model)
        if isinstance(finding, Problem):
            refused.append((seen.record, finding))
        else:
            findings.setdefault(finding.form, finding)
    return PageReading(tuple(findings.values()), tuple(refused))


def _finding(
    document: str, page: int, seen: SeenFormula, others: Sequence[tuple[SeenFormula, Equation]], *, model: str
) -> Finding | Problem:
    equation = only_equation(seen.latex)
    if equation is None:
        return Problem("not_one_equation", "what the model read is not one equation")
    if len(equation_symbols(equation)) < 2:
        return Problem("no_formula", "it says how much something is, not how quantities hang together")
    understood = _understood(seen, equation)
    if isinstance(understood, Problem):
        return understood
    doubt = _disagreement(equation, understood, others) or understood.doubt
    symbols = understood.symbols
    named = next((one.description for one in symbols if one.name == equation.target), "")
    is_plain = bool(seen.name) and text_problem(seen.name, "", longest=LONGEST_LABEL) is None
    label = seen.name if is_plain else named[:1].upper() + named[1:]
    message = f"read from a picture of the page by {model}; no words of the page could be held against it"
    return Finding(
        document,
        0,
        canonical_key(equation),
        latex_text(equation),
        seen.latex,
        PROPOSED,
        "executable" if doubt is None else "quarantined",
        Span(document, Place(page=page), seen.latex),
        equation,
        reason_code="" if doubt is None else doubt.code,
        reason="" if doubt is None else doubt.reason,
        label=label,
        label_origin=PROPOSED if is_plain else "symbol",
        intent=intent_of(equation, symbols),
        keywords=find_keywords(label, (), symbols),
        symbols=symbols,
        flags=(Flag(READ_FROM_PICTURE, message), Flag(PROPOSED_BY, message)),
        is_display=True,
    )


def _understood(seen: SeenFormula, equation: Equation) -> Understood | Problem:
    said = proposed_meanings(seen.parameters, "")
    return understand(equation, said, {}, is_in_words=False, words=seen.name)


def _disagreement(
    equation: Equation, understood: Understood, others: Sequence[tuple[SeenFormula, Equation]]
) -> Problem | None:
    """Why a second reading does not confirm a formula; None where it does."""
    same = next((one for one in others if same_equation(one[1], equation)), None)
    if same is None:
        is_otherwise = any(other.target == equation.target for _, other in others)
        return Problem("readings_disagree", _OTHERWISE if is_otherwise else _ONE_READING)
    again = _understood(*same)
    dimensions = {one.name: one.dimension for one in understood.symbols}
    if isinstance(again, Problem) or {one.name: one.dimension for one in again.symbols} != dimensions:
        return Problem("readings_disagree", _OTHER_UNITS)
    return None
