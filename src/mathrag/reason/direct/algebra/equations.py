"""The solutions of equations, systems and inequalities in words: which, whether these are all, and what fell away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mathrag.compute.algebra.identities import Comparison
from mathrag.compute.algebra.inequalities import Interval, solve_inequality, solve_relations
from mathrag.compute.algebra.points import shown_number
from mathrag.compute.algebra.polynomials import Root
from mathrag.compute.algebra.ranges import range_of, solutions_within
from mathrag.compute.algebra.solving import SEARCHED, Found, Solved, solve_equation
from mathrag.compute.algebra.systems import SystemSolved, solve_system
from mathrag.compute.evaluate.failure import Failure
from mathrag.compute.printers.latex import symbol_latex
from mathrag.compute.printers.plaintext import plain_symbol
from mathrag.language.enumeration import listed
from mathrag.reason.direct.algebra.outcomes import failure, numeric
from mathrag.reason.direct.algebra.questions import Solve
from mathrag.reason.direct.algebra.wording import (
    complex_text,
    intervals_text,
    latex,
    number_with_digits,
    plain,
    relation_line,
    relation_text,
)
from mathrag.reason.direct.result import AlgebraOutcome, DirectResult, DirectStatement
from mathrag.types.answer import WorkingLine
from mathrag.types.expression import Call, Expression, Symbol, symbols_of, walk

_IMAGINARY = "i"
_MOST_LISTED = 12


def solved(task: Solve) -> AlgebraOutcome:
    """The solutions, or why there is nothing to say about them; both where a logarithm has no base."""
    found = _solved(task)
    if not task.decimal or not isinstance(found, DirectResult | DirectStatement):
        return found
    other = _solved(replace(task, relations=task.decimal, decimal=()))
    if not isinstance(other, DirectResult | DirectStatement):
        return found
    if isinstance(found, DirectResult) and isinstance(other, DirectResult) and found.quantity == other.quantity:
        return found
    said = [each.text for each in (found, other)]
    text = f"A logarithm without a base may be natural or to base 10. Natural: {said[0]} To base 10: {said[1]}"
    notes = tuple(note for note in found.notes if note not in task.notes)
    return DirectStatement(text, found.expression, (*found.lines, *other.lines), notes)


def _solved(task: Solve) -> AlgebraOutcome:
    names = sorted({name for relation in task.relations for name in relation.names})
    if any(_IMAGINARY in relation.names for relation in task.relations):
        return failure("complex", "i is the imaginary unit here, and equations are solved among the real numbers")
    if not names:
        return failure("unsolved", "there is no unknown in it")
    inequalities = [relation for relation in task.relations if relation.sign != "="]
    if inequalities:
        return _in_range(task, names) or _unequal(task, names)
    if len(names) == 1 and (len(task.relations) > 1 or _sizes_in(task.relations, names[0]) > 1):
        return _by_table(task, names[0])
    if len(task.relations) > 1:
        return _together(task, task.unknowns or tuple(names))
    return _single(task, names)


def _single(task: Solve, names: list[str]) -> AlgebraOutcome:
    relation = task.relations[0]
    if len(task.unknowns) > 1:
        return failure(
            "unsolved", f"one equation does not determine {listed([plain_symbol(each) for each in task.unknowns])}"
        )
    symbol = task.unknowns[0] if task.unknowns else _usual(names)
    found = solve_equation(relation.left, relation.right, symbol)
    if isinstance(found, Failure):
        return failure(
            found.code,
            f"{relation_text(relation)}: no solution for {plain_symbol(symbol)} was found; "
            "that does not say that there is none",
        )
    text = _said(relation, found, wants_complex=task.wants_complex)
    lines = (relation_line(relation), *(_solution_line(symbol, each) for each in found.solutions[:_MOST_LISTED]))
    notes = list(task.notes)
    if found.method == "rearranging" and not task.unknowns and len(names) > 1:
        notes.append(f"solved for {plain_symbol(symbol)}; the other symbols are taken as given")
    only = found.solutions[0] if len(found.solutions) == 1 and found.is_complete else None
    if (
        only is not None
        and only.period is None
        and (only.number is not None or only.exact is not None)
        and not found.complex_pairs
    ):
        checked = "put back into the equation"
        return numeric(
            only.exact, only.number, text, expression=relation_text(relation), checked=checked, lines=lines, notes=notes
        )
    return DirectStatement(text, relation_text(relation), lines, tuple(notes))


def _usual(names: list[str]) -> str:
    return next((each for each in ("x", "y", "z", "t") if each in names), names[0])


def _solution_line(symbol: str, found: Found) -> WorkingLine:
    name, shown = plain_symbol(symbol), number_with_digits(found.exact, found.number)
    latex_period = "" if found.period is None else f" + {latex(found.period)} k"
    if found.exact is None:
        return WorkingLine(
            f"{name} {shown}",
            rf"{symbol_latex(symbol)} \approx {shown_number(found.number or 0.0, 10).replace('−', '-')}",
        )
    if found.period is not None:
        return WorkingLine(
            f"{name} = {_again(plain(found.exact), plain(found.period))}",
            f"{symbol_latex(symbol)} = {latex(found.exact)}{latex_period}",
        )
    return WorkingLine(f"{name} = {shown}", f"{symbol_latex(symbol)} = {latex(found.exact)}")


def _said(relation: Comparison, found: Solved, *, wants_complex: bool) -> str:
    name = plain_symbol(found.symbol)
    whole = relation_text(relation)
    but = f" except {listed([plain(each) for each in found.excluded])}" if found.excluded else ""
    if found.everything:
        return f"{whole} is true for every real {name}{but}, so every such number is a solution."
    parts = [_solutions_said(name, found)]
    if not found.solutions:
        parts = [f"{whole} has no real solution"]
        parts[0] += " (this is certain)." if found.is_complete else "."
    else:
        parts[0] = f"{whole}: {parts[0]}"
    if found.extraneous:
        gone = listed([f"{name} = {plain(each)}" for each in found.extraneous])
        parts.append(f"{gone} turned up on the way and {'does' if len(found.extraneous) == 1 else 'do'} not solve it.")
    if found.way and found.is_complete:
        parts.append(f"{found.way[:1].upper()}{found.way[1:]}.".replace("exp(1)", "e"))
    parts.extend(_complex_said(found, wants_complex=wants_complex))
    if found.conditions:
        parts.append(f"Valid for {listed(list(found.conditions))}.")
    return " ".join(parts)


def _solutions_said(name: str, found: Solved) -> str:
    shown = [_one(name, each) for each in found.solutions[:_MOST_LISTED]]
    values = listed(shown, "or")
    if any(each.period is not None for each in found.solutions):
        values += " for any whole number k"
    match found.method:
        case "rearranging":
            how = "found by rearranging, put back at random values of the other symbols"
            return f"{values} ({how}; whether these are all is not claimed)."
        case "search":
            reach = f"−{SEARCHED:g} ≤ {name} ≤ {SEARCHED:g}"
            return f"{values} (put back; solutions found by a search in {reach}, there may be others)."
    is_one = len(found.solutions) == 1 and found.solutions[0].period is None
    count = "this is the only real solution" if is_one else "these are all real solutions"
    checked = "put back into the equation"
    if any(each.exact is None for each in found.solutions):
        checked = "counted exactly and closed in by halving"
    return f"{values} ({checked}; {count})."


def solution_text(symbol: str, found: Found) -> str:
    """`x = π / 6 + 2 π k`."""
    return _one(plain_symbol(symbol), found)


def _one(name: str, found: Found) -> str:
    if found.exact is None:
        return f"{name} {number_with_digits(None, found.number)}"
    if found.period is not None:
        return f"{name} = {_again(plain(found.exact), plain(found.period))}"
    double = f" ({_TIMES.get(found.multiplicity, f'{found.multiplicity}-fold')} root)" if found.multiplicity > 1 else ""
    return f"{name} = {number_with_digits(found.exact, found.number)}{double}"


def _again(start: str, period: str) -> str:
    """`π / 6 + 2 π k`, and `2 π k` where it begins at 0."""
    turns = f"({period}) k" if "/" in period else f"{period} k"
    return turns if start == "0" else f"{start} + {turns}"


_TIMES = {2: "double", 3: "triple"}


def _complex_said(found: Solved, *, wants_complex: bool) -> list[str]:
    said = []
    if found.complex_pairs:
        pairs = listed([complex_text(pair) for pair in found.complex_pairs])
        also = "also " if found.solutions else ""
        said.append(f"Among the complex numbers {also}{plain_symbol(found.symbol)} = {pairs}.")
    if found.further_complex:
        said.append(
            f"There are {found.further_complex} {'more ' if found.solutions else ''}complex solutions, none real."
        )
    if wants_complex and not said and found.is_complete and found.method == "polynomial":
        said.append("There are no other complex solutions.")
    return said


# Systems and inequalities.


def _together(task: Solve, unknowns: tuple[str, ...]) -> AlgebraOutcome:
    found = solve_system([(relation.left, relation.right) for relation in task.relations], unknowns)
    whole = "; ".join(relation_text(relation) for relation in task.relations)
    lines = [relation_line(relation) for relation in task.relations]
    if isinstance(found, Failure):
        return failure(found.code, f"{whole}: {found.message}")
    if not found.solutions:
        return DirectStatement(
            f"{whole}: there is no real solution; the equations contradict each other.", whole, tuple(lines), task.notes
        )
    shown = [_values(found, values) for values in found.solutions]
    for values in found.solutions:
        lines.extend(
            WorkingLine(f"{plain_symbol(name)} = {plain(value)}", f"{symbol_latex(name)} = {latex(value)}")
            for name, value in zip(found.unknowns, values, strict=True)
            if value != Symbol(name)
        )
    if found.free:
        free = listed([plain_symbol(name) for name in found.free])
        text = f"{whole}: infinitely many solutions: {shown[0]}, with any {free} (put back into all equations)."
    else:
        count = "this is the only solution" if len(shown) == 1 else "these are all real solutions"
        text = f"{whole}: {' or '.join(shown)} (put back into all equations; {count})."
    return DirectStatement(text, whole, tuple(lines), task.notes)


def _values(found: SystemSolved, values: tuple[Expression, ...]) -> str:
    pairs = zip(found.unknowns, values, strict=True)
    return ", ".join(f"{plain_symbol(name)} = {plain(value)}" for name, value in pairs if value != Symbol(name))


def _unequal(task: Solve, names: list[str]) -> AlgebraOutcome:
    whole = " and ".join(relation_text(relation) for relation in task.relations)
    if len(names) != 1:
        return failure("unsolved", f"{whole}: inequalities are solved for one unknown alone")
    if len(task.relations) > 1 or _sizes_in(task.relations, names[0]):
        return _by_table(task, names[0])
    relation = task.relations[0]
    found = solve_inequality(relation.left, relation.sign, relation.right, names[0])
    return _where(task, names[0], found, whole)


def _sizes_in(relations: Sequence[Comparison], symbol: str) -> int:
    """How many absolute values the symbol stands in."""
    sides = [side for relation in relations for side in (relation.left, relation.right)]
    nodes = [node for side in sides for node in walk(side) if isinstance(node, Call) and node.function == "abs"]
    return len({node for node in nodes if symbol in symbols_of(node)})


def _by_table(task: Solve, symbol: str) -> AlgebraOutcome:
    """All relations together, by what they are between all places where one may change."""
    found = solve_relations([(each.left, each.sign, each.right) for each in task.relations], symbol)
    return _where(task, symbol, found, " and ".join(relation_text(relation) for relation in task.relations))


def _where(task: Solve, symbol: str, found: tuple[Interval, ...] | Failure, whole: str) -> AlgebraOutcome:
    if isinstance(found, Failure):
        return failure(found.code, f"{whole}: {found.message}")
    lines = [relation_line(relation) for relation in task.relations]
    if not found:
        return DirectStatement(
            f"{whole} has no real solution (by the signs between the zeros; certain).", whole, tuple(lines), task.notes
        )
    text = intervals_text(symbol, found)
    lines.append(WorkingLine(text))
    rounded = any(end is not None and end.exact is None for each in found for end in _ends(each))
    about = "ends that are not exact are rounded; " if rounded else ""
    return DirectStatement(
        f"{whole} holds for {text} ({about}by the signs between all zeros; these are all real solutions).",
        whole,
        tuple(lines),
        task.notes,
    )


# An equation with a range behind it.


def _in_range(task: Solve, names: list[str]) -> AlgebraOutcome:
    """The solutions of one equation that lie in a range; None where that is not what is asked."""
    equations = [relation for relation in task.relations if relation.sign == "="]
    if len(equations) != 1 or len(names) != 1:
        return None
    symbol, relation = names[0], equations[0]
    span = range_of([each for each in task.relations if each.sign != "="], symbol)
    found = solve_equation(relation.left, relation.right, symbol)
    if span is None or isinstance(found, Failure) or not found.is_complete or found.everything:
        return None
    inside = solutions_within(found, span)
    whole = " and ".join(relation_text(each) for each in task.relations)
    if inside is None:
        message = "the solutions are too many to be listed; give a narrower range with two ends"
        return failure("unsolved", f"{whole}: {message}")
    lines = (*map(relation_line, task.relations), *(_solution_line(symbol, each) for each in inside[:_MOST_LISTED]))
    if not inside:
        return DirectStatement(f"{whole}: there is no real solution in this range.", whole, lines, task.notes)
    shown = listed([_one(plain_symbol(symbol), each) for each in inside], "or")
    count = "this is the only solution" if len(inside) == 1 else "these are all solutions"
    text = f"{whole}: {shown} (put back into the equation; {count} in this range)."
    return DirectStatement(text, whole, lines, task.notes)


def _ends(interval: Interval) -> tuple[Root | None, Root | None]:
    return interval.low, interval.high
