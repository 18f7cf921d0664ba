"""Carry out a task of pure mathematics and word what was found, with what was checked and what is not known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import assert_never

from mathrag.compute.algebra.analysis import (
    INFINITY,
    DefiniteIntegral,
    Limit,
    antiderivative,
    derivatives,
    integral_between,
    limit,
    sum_of,
    sum_to_symbol,
)
from mathrag.compute.algebra.finite_sums import closed_sum, geometric_sum
from mathrag.compute.algebra.oscillation import oscillating_limit
from mathrag.compute.algebra.points import point_text, shown_number, value_at
from mathrag.compute.algebra.rewriting import (
    Rewritten,
    as_one_fraction,
    expanded,
    factored,
    gaps_of,
    partial_fractions,
    pole_between,
    simplified,
)
from mathrag.compute.algebra.rules import RuleStep, by_parts, derivative_steps
from mathrag.compute.algebra.solving import as_fraction
from mathrag.compute.evaluate.failure import Failure
from mathrag.compute.printers.latex import symbol_latex
from mathrag.compute.printers.plaintext import plain_symbol
from mathrag.compute.solve.tidy import constant_of, literal, tidied
from mathrag.language.enumeration import listed
from mathrag.reason.direct.algebra.claims import judged
from mathrag.reason.direct.algebra.equations import solved
from mathrag.reason.direct.algebra.outcomes import failure, numeric
from mathrag.reason.direct.algebra.questions import (
    AddUp,
    Claim,
    Differentiate,
    Evaluate,
    Integrate,
    Rewrite,
    Solve,
    TakeLimit,
    Task,
)
from mathrag.reason.direct.algebra.series import added_to_infinity
from mathrag.reason.direct.algebra.wording import latex, line, number_with_digits, plain
from mathrag.reason.direct.result import AlgebraOutcome, DirectFailure, DirectStatement
from mathrag.types.answer import WorkingLine
from mathrag.types.expression import Add, Divide, Expression, Negate, Power, Symbol, substitute, symbols_of, walk

_IMAGINARY = "i"


def answer_task(task: Task) -> AlgebraOutcome:
    """The result of a task, or why there is none."""
    match task:
        case Differentiate():
            return _not_computed(task.body) or _differentiated(task)
        case Integrate():
            return _not_computed(task.body) or _integrated(task)
        case TakeLimit():
            return _not_computed(task.body) or _limited(task)
        case Rewrite():
            return _not_computed(task.body) or _rewritten(task)
        case Evaluate():
            return _evaluated(task)
        case AddUp():
            return _added(task)
        case Solve():
            return solved(task)
        case Claim():
            return _judged_or_solved(task)
    assert_never(task)


def _judged_or_solved(claim: Claim) -> AlgebraOutcome:
    """What can be said about a statement; an equation that stands alone and is no identity is solved."""
    found = judged(claim)
    if not claim.is_bare or not found.text.startswith("False"):
        return found
    known = solved(Solve(claim.relations, notes=claim.notes))
    return found if known is None or isinstance(known, DirectFailure) else known


def _not_computed(body: Expression) -> DirectFailure | None:
    """Why an expression is not computed with: complex numbers and infinity are no values of these functions."""
    if INFINITY in tuple(walk(body)):
        return failure("undefined", "infinity is no number to compute with")
    if _IMAGINARY in symbols_of(body):
        return failure("complex", "i is the imaginary unit here, and only real functions are computed with")
    return None


# Derivatives.

_ORDINALS = ("", "", "second ", "third ", "fourth ", "fifth ")


def _differentiated(task: Differentiate) -> AlgebraOutcome:
    found = derivatives(task.body, task.symbol, task.order)
    name = plain_symbol(task.symbol)
    what = f"the {_ORDINALS[task.order]}derivative of {plain(task.body)} with respect to {name}"
    if isinstance(found, Failure):
        return failure(found.code, f"no derivative: {found.message}")
    below = symbol_latex(task.symbol)
    lines = _rule_lines(derivative_steps(task.body, task.symbol))
    for order, each in enumerate(found, start=1):
        count, raised = ("", "") if order == 1 else (_superscript(order), f"^{{{order}}}")
        head = f"d{count}/d{name}{count} ({plain(task.body)})"
        lines.append(
            line(head, rf"\frac{{d{raised}}}{{d{below}{raised}}} \left({latex(task.body)}\right)", each.expression)
        )
    last = found[-1]
    checked = f"confirmed by difference quotients at {last.points} points"
    if task.place is None:
        text = f"{_capital(what)} is {plain(last.expression)}{_where_defined(task, last.expression)} ({checked})."
        return DirectStatement(text, what, tuple(lines), task.notes)
    return _at_place(task, last.expression, what, lines, checked)


def _where_defined(task: Differentiate, slope: Expression) -> str:
    """Places where a divisor of the function is 0 although the derivative, as written, has a value."""
    divisors = [node for node in walk(task.body) if isinstance(node, Divide)]
    gaps = dict.fromkeys(gap for node in divisors for gap in gaps_of(node) or ())
    lost = [gap for gap in gaps if value_at(substitute(slope, {task.symbol: gap}), {}).is_real]
    is_alone = symbols_of(task.body) == (task.symbol,)
    return f", for {plain_symbol(task.symbol)} ≠ {listed([plain(each) for each in lost])}" if lost and is_alone else ""


def _rule_lines(steps: Iterable[RuleStep]) -> list[WorkingLine]:
    """`product rule, (u v)' = u' v + u v': u = x², v = sin(x), u' = 2 x, v' = cos(x)`."""
    return [
        WorkingLine(f"{step.rule}, {step.form}: {', '.join(f'{name} = {plain(part)}' for name, part in step.parts)}")
        for step in steps
    ]


def _at_place(
    task: Differentiate, slope: Expression, what: str, lines: Sequence[WorkingLine], checked: str
) -> AlgebraOutcome:
    assert task.place is not None
    at = f"{plain_symbol(task.symbol)} = {plain(task.place)}"
    put_in = substitute(slope, {task.symbol: task.place})
    if symbols_of(put_in):
        return DirectStatement(
            f"{_capital(what)} at {at} is {plain(tidied(put_in))} ({checked}).", what, tuple(lines), task.notes
        )
    values = [value_at(each, {}) for each in (substitute(task.body, {task.symbol: task.place}), put_in)]
    if not all(value.is_real for value in values):
        return failure("undefined", f"{plain(task.body)} has no derivative at {at}")
    exact, number = as_fraction(tidied(put_in)), float(values[1].real)
    sentence = f"{_capital(what)} at {at} is {number_with_digits(exact, number)} ({checked})."
    return numeric(
        exact, number, sentence, expression=f"{what} at {at}", checked=checked, lines=lines, notes=task.notes
    )


def _superscript(order: int) -> str:
    return "⁰¹²³⁴⁵"[order]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


# Integrals.


def _integrated(task: Integrate) -> AlgebraOutcome:
    if task.bounds is not None:
        return _between(task, task.bounds)
    found = antiderivative(task.body, task.symbol)
    name = plain_symbol(task.symbol)
    if isinstance(found, Failure):
        return failure(
            "no_closed_form",
            f"no antiderivative of {plain(task.body)} was found in closed form; that does not say that there is none",
        )
    head, head_latex = f"∫ {plain(task.body)} d{name}", rf"\int {latex(task.body)} \, d{symbol_latex(task.symbol)}"
    made = line(head, head_latex, found.expression)
    step = by_parts(task.body, task.symbol)
    lines = (*_rule_lines([] if step is None else [step]), WorkingLine(f"{made.text} + C", f"{made.latex} + C"))
    needed = [
        f"{plain(node.denominator)} ≠ 0"
        for node in walk(found.expression)
        if isinstance(node, Divide) and symbols_of(node.denominator) and task.symbol not in symbols_of(node.denominator)
    ]
    condition = f" for {listed(list(dict.fromkeys(needed)))}" if needed else ""
    text = (
        f"{_capital('an antiderivative')} of {plain(task.body)} with respect to {name} is {plain(found.expression)} + C"
        f"{condition} (its derivative was compared at {found.points} points)."
    )
    return DirectStatement(text, head, lines, task.notes)


def _between(task: Integrate, bounds: tuple[Expression, Expression]) -> AlgebraOutcome:
    found = integral_between(task.body, task.symbol, *bounds)
    name = plain_symbol(task.symbol)
    head = f"∫ {plain(task.body)} d{name} from {plain(bounds[0])} to {plain(bounds[1])}"
    head_latex = (
        rf"\int_{{{latex(bounds[0])}}}^{{{latex(bounds[1])}}} {latex(task.body)} \, d{symbol_latex(task.symbol)}"
    )
    if isinstance(found, Failure):
        pole = pole_between(task.body, task.symbol, bounds)
        if pole is None:
            return failure(found.code, f"{head}: {found.message}")
        at = f"{name} = {plain(pole)}"
        text = f"{head} diverges: it has no finite value, because the integrand has a pole at {at}, within the bounds."
        return DirectStatement(text, head, (WorkingLine(f"pole at {at}"),), task.notes)
    assert isinstance(found, DefiniteIntegral)
    if found.number is None:
        assert found.exact is not None
        text = (
            f"{head} = {plain(found.exact)} (compared with numeric integrals at positive values of the other symbols)."
        )
        return DirectStatement(text, head, (line(head, head_latex, found.exact),), task.notes)
    if found.exact is None:
        number = literal(Fraction(f"{found.number:.7g}"))
        sentence = f"{head} ≈ {shown_number(found.number, 7)} (computed numerically; no closed form was found)."
        return numeric(
            None,
            float(f"{found.number:.7g}"),
            sentence,
            expression=head,
            checked="numeric integration over three different sets of pieces agrees",
            lines=(line(head, head_latex, number, is_rounded=True),),
            notes=(*task.notes, "the value is numeric: about seven digits are confirmed"),
        )
    checked = "the closed form agrees with a numeric integral"
    sentence = f"{head} = {number_with_digits(found.exact, found.number)} ({checked})."
    made = (line(head, head_latex, found.exact),)
    return numeric(found.exact, found.number, sentence, expression=head, checked=checked, lines=made, notes=task.notes)


# Limits.


def _limited(task: TakeLimit) -> AlgebraOutcome:
    if symbols_of(task.place) and task.place not in (INFINITY, Negate(INFINITY)):
        return failure("unsolved", "limits are taken at numbers and at infinity")
    found = limit(task.body, task.symbol, task.place)
    mark, latex_mark = _SIDES[task.side]
    head = f"lim({plain_symbol(task.symbol)} → {plain(task.place)}{mark}) {plain(task.body)}"
    if isinstance(found, Failure):
        turning = _turning(task, head)
        message = f"{head}: no limit was found that values nearby confirm; it may not exist"
        return turning if turning is not None else failure(found.code, message)
    if found.only is not None and task.side not in (0, found.only):
        return failure("undefined", f"{head}: there are no real values on that side")
    value = found.value if not task.side else found.above if task.side > 0 else found.below
    if value is None:
        return _two_limits(found, head, task)
    alone = {None: "", 1: "; from above", -1: "; from below"}[found.only]
    checked = f"confirmed by values nearby{f'{alone}, where alone it has real values' if alone else ''}"
    head_latex = rf"\lim_{{{symbol_latex(task.symbol)} \to {latex(task.place)}{latex_mark}}} {latex(task.body)}"
    return _one_limit(value, head, checked, (line(head, head_latex, value),), task.notes)


def _turning(task: TakeLimit, head: str) -> AlgebraOutcome:
    """A limit by a sine or cosine that turns faster and faster, or why there is none."""
    known = oscillating_limit(task.body, task.symbol, task.place, task.side)
    if known is None:
        return None
    turning, inside = plain(known.turning), plain(known.inside)
    if known.limit is not None:
        why = f"{turning} stays between −1 and 1, and what it is multiplied by tends to 0"
        return _one_limit(known.limit, head, why, (WorkingLine(f"{head} = {plain(known.limit)}"),), task.notes)
    values = f"{turning} comes to every value between −1 and 1 again and again"
    again = f"the size of {inside} grows beyond every bound, so {values}"
    if isinstance(known.turning, Power):
        again = f"{turning} is 1 for even and −1 for odd whole numbers {inside}"
    near = "; it takes values beyond every bound and returns"
    if known.values is not None:
        near = f"; the values come near {plain(known.values[0])} and near {plain(known.values[1])} without end"
    text = f"{head} does not exist: {again}{near}."
    return DirectStatement(text, head, (WorkingLine(text),), task.notes)


_SIDES = {0: ("", ""), 1: ("⁺", "^{+}"), -1: ("⁻", "^{-}")}


def _one_limit(
    value: Expression, head: str, checked: str, made: tuple[WorkingLine, ...], notes: tuple[str, ...]
) -> AlgebraOutcome:
    if value in (INFINITY, Negate(INFINITY)):
        grows = "grows" if value == INFINITY else "falls"
        text = f"{head} = {plain(value)}: it {grows} beyond every bound, so there is no finite limit ({checked})."
        return DirectStatement(text, head, made, notes)
    if symbols_of(value):
        return DirectStatement(f"{head} = {plain(value)} ({checked}).", head, made, notes)
    number = float(value_at(value, {}).real)
    sentence = f"{head} = {number_with_digits(value, number)} ({checked})."
    return numeric(value, number, sentence, expression=head, checked=checked, lines=made, notes=notes)


def _two_limits(found: Limit, head: str, task: TakeLimit) -> DirectStatement:
    text = (
        f"{head} does not exist: it is {plain(found.below)} from below and {plain(found.above)} from above "
        "(confirmed by values nearby)."
    )
    return DirectStatement(text, head, (WorkingLine(text),), task.notes)


# Other forms.

_MADE = {
    "simplify": "simplifies to",
    "one_fraction": "over one denominator is",
    "expand": "expands to",
    "factor": "factors as",
    "partial_fractions": "in partial fractions is",
}


def _rewritten(task: Rewrite) -> AlgebraOutcome:
    found: Rewritten | Failure
    match task.way:
        case "simplify":
            found = simplified(task.body)
        case "one_fraction":
            found = as_one_fraction(task.body)
        case "expand":
            found = expanded(task.body)
        case "factor":
            found = factored(task.body)
        case "partial_fractions":
            names = symbols_of(task.body)
            found = partial_fractions(task.body, names[0] if "x" not in names else "x")
    if isinstance(found, Failure):
        return failure(found.code, f"{plain(task.body)}: {found.message}")
    head = plain(task.body)
    made = (line(head, latex(task.body), found.expression),)
    checked = (
        "equal by algebra: one canonical form"
        if found.is_exact
        else f"by a known rule, and compared with many digits at {found.trial.held} points"
        if found.is_known
        else f"compared with many digits at {found.trial.held} points, not proved"
        if symbols_of(task.body)
        else "compared with many digits"
    )
    condition = _conditions(task, found)
    if plain(found.expression) == head:
        return _as_it_was(task, head, condition)
    text = f"{head} {_MADE[task.way]} {plain(found.expression)}{condition} ({checked})."
    fraction = None if symbols_of(found.expression) else constant_of(tidied(found.expression))
    if fraction is not None and not symbols_of(task.body):
        return numeric(found.expression, None, text, expression=head, checked=checked, lines=made, notes=task.notes)
    return DirectStatement(text, head, made, task.notes)


def _as_it_was(task: Rewrite, head: str, condition: str) -> DirectStatement:
    said = {
        "simplify": "no shorter form was found",
        "one_fraction": "it has one denominator already",
        "expand": "there is nothing to multiply out",
        "factor": "no factors with whole numbers were found",
        "partial_fractions": "it is not a sum of simpler fractions",
    }[task.way]
    return DirectStatement(
        f"{head} stays as it is{condition}: {said}.", head, (WorkingLine(head, latex(task.body)),), task.notes
    )


def _conditions(task: Rewrite, found: Rewritten) -> str:
    """Where the new form has values that the old one lacks."""
    if task.way == "factor" and not any(isinstance(node, Divide) for node in walk(task.body)):
        return ""
    gaps = gaps_of(task.body)
    kept = gaps_of(found.expression) or ()
    if gaps:
        lost = [each for each in gaps if each not in kept]
        name = plain_symbol(symbols_of(task.body)[0])
        return f", for {name} ≠ {listed([plain(each) for each in lost])}" if lost else ""
    witness = found.trial.undefined
    if witness is None:
        return ""
    return f", wherever {plain(task.body)} has a value (it has none at {point_text(witness.point)}, for example)"


# Values and sums.


def _evaluated(task: Evaluate) -> AlgebraOutcome:
    at = listed([f"{plain_symbol(name)} = {plain(value)}" for name, value in task.values])
    put_in = substitute(task.body, dict(task.values))
    value = value_at(put_in, {})
    if value.is_undefined or not value.is_real:
        return failure("undefined", f"{plain(task.body)} has no real value at {at}")
    exact, number = as_fraction(tidied(put_in)), float(value.real)
    head = f"{plain(task.body)} at {at}"
    sentence = f"{head} is {number_with_digits(exact, number)}."
    place = ", ".join(f"{symbol_latex(name)} = {latex(value)}" for name, value in task.values)
    head_latex = rf"\left. {latex(task.body)} \right|_{{{place}}}"
    made = (line(head, head_latex, exact),) if constant_of(exact) is not None else ()
    return numeric(
        exact, number, sentence, expression=head, checked="computed with many digits", lines=made, notes=task.notes
    )


def _added(task: AddUp) -> AlgebraOutcome:
    sign, command = ("Π", r"\prod") if task.is_product else ("Σ", r"\sum")
    name = plain_symbol(task.index)
    shown = f"({plain(task.body)})" if isinstance(task.body, Add | Negate) else plain(task.body)
    head = f"{sign}({name}={plain(task.lower)}…{plain(task.upper)}) {shown}"
    head_latex = (
        rf"{command}_{{{symbol_latex(task.index)}={latex(task.lower)}}}^{{{latex(task.upper)}}} {latex(task.body)}"
    )
    geometric = _geometric(task, head, head_latex)
    if geometric is not None:
        return geometric
    if set(symbols_of(task.body)) - {task.index} or symbols_of(task.lower):
        return failure("unsolved", f"{head}: sums are computed where the index is the only symbol")
    if isinstance(task.upper, Symbol) and task.upper != INFINITY:
        closed = None if task.is_product else sum_to_symbol(task.body, task.index, task.lower, task.upper.name)
        if closed is None:
            return _by_induction(task, head, head_latex)
        how = f"by interpolation, which is exact for a polynomial; for whole {plain(task.upper)}"
        text = f"{head} = {plain(closed)} ({how})."
        return DirectStatement(text, head, (line(head, head_latex, closed),), task.notes)
    if task.upper == INFINITY:
        return added_to_infinity(task, head, head_latex)
    if symbols_of(task.upper):
        return failure("unsolved", f"{head}: sums are computed between whole numbers")
    value = sum_of(task.body, task.index, task.lower, task.upper, is_product=task.is_product)
    if isinstance(value, Failure):
        return failure(value.code, f"{head}: {value.message}")
    if isinstance(value, float):
        sentence = f"{head} ≈ {shown_number(value, 10)}."
        return numeric(None, value, sentence, expression=head, checked="added term by term", notes=task.notes)
    exact = literal(Fraction(value))
    sentence = f"{head} = {number_with_digits(exact, None)}."
    made = (line(head, head_latex, exact),)
    return numeric(
        exact, None, sentence, expression=head, checked="added term by term, exactly", lines=made, notes=task.notes
    )


def _by_induction(task: AddUp, head: str, head_latex: str) -> AlgebraOutcome:
    """A sum up to a symbol that is no sum of a polynomial."""
    start = constant_of(tidied(task.lower))
    closed = None
    if not task.is_product and start is not None and start.denominator == 1 and isinstance(task.upper, Symbol):
        closed = closed_sum(task.body, task.index, int(start), task.upper.name)
    if closed is None:
        return failure("no_closed_form", f"{head}: no closed form was found")
    how = (
        f"shown by induction, step by step an identity of algebra; for whole {plain(task.upper)} ≥ {plain(task.lower)}"
    )
    text = f"{head} = {plain(closed)} ({how})."
    return DirectStatement(text, head, (line(head, head_latex, closed),), task.notes)


def _geometric(task: AddUp, head: str, head_latex: str) -> DirectStatement | None:
    """The powers of a symbol, up to another one."""
    start = constant_of(tidied(task.lower))
    is_power = isinstance(task.body, Power) and task.body.exponent == Symbol(task.index)
    if task.is_product or not is_power or not isinstance(task.upper, Symbol) or task.upper == INFINITY:
        return None
    assert isinstance(task.body, Power)
    ratio = task.body.base
    if not isinstance(ratio, Symbol) or ratio in (task.upper, Symbol(task.index)) or start is None or start < 0:
        return None
    if start.denominator != 1:
        return None
    closed = geometric_sum(ratio, int(start), task.upper.name)
    how = f"multiplied by {plain(ratio)} − 1, all terms but the ends cancel"
    text = (
        f"{head} = {plain(closed)} for {plain(ratio)} ≠ 1 and whole {plain(task.upper)} ≥ {plain(task.lower)} ({how})."
    )
    return DirectStatement(text, head, (line(head, head_latex, closed),), task.notes)
