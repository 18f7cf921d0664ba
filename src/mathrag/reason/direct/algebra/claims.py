"""Whether a statement of mathematics is true: by algebra, at points, on a part; or false by a counterexample."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mathrag.compute.algebra.complex_statements import complex_text
from mathrag.compute.algebra.identities import Comparison, Trial, Witness, try_statement
from mathrag.compute.algebra.inequalities import solve_inequality
from mathrag.compute.algebra.points import Point, point_text, value_at
from mathrag.compute.algebra.proofs import conditions_for, how_shown
from mathrag.compute.algebra.rewriting import gaps_of
from mathrag.compute.algebra.solving import Solved, solve_equation
from mathrag.compute.algebra.turning_numbers import shown_by_turns
from mathrag.compute.evaluate.complex_digits import many_digits
from mathrag.compute.evaluate.failure import Failure
from mathrag.compute.printers.plaintext import plain_symbol
from mathrag.compute.solve.tidy import constant_of, literal, tidied
from mathrag.language.enumeration import listed
from mathrag.reason.direct.algebra.equations import solution_text
from mathrag.reason.direct.algebra.questions import Claim
from mathrag.reason.direct.algebra.sometimes_true import where_it_holds
from mathrag.reason.direct.algebra.wording import (
    plain,
    relation_line,
    relation_text,
)
from mathrag.reason.direct.result import DirectStatement
from mathrag.types.answer import WorkingLine
from mathrag.types.expression import (
    Call,
    Divide,
    Expression,
    Negate,
    Power,
    Symbol,
    call,
    map_parts,
    multiply,
    symbols_of,
    walk,
)

# At so many points without a negative number a statement must hold before that is mentioned.
_WORTH_SAYING = 10
_FEW_SOLUTIONS = 4
_NUMBERS = {"whole": "whole numbers from 0 on", "integers": "whole numbers"}
_NOT_PROVED = "checked numerically with 60 digits, not proved"


def judged(claim: Claim) -> DirectStatement:
    """What can be said about a statement; of a chain, about the link of which the least is known."""
    trials = [(relation, _tried(relation, claim)) for relation in claim.relations]
    relation, trial = min(trials, key=lambda pair: _ORDER.index(pair[1].verdict))
    whole = " and ".join(relation_text(each) for each in claim.relations)
    lines = [relation_line(each) for each in claim.relations]
    where = f" where {listed([relation_text(each) for each in claim.conditions])}" if claim.conditions else ""
    where = f" for {_NUMBERS[claim.numbers]}{where}" if claim.numbers != "real" else where
    if trial.verdict == "refuted":
        text, more = _false(relation, trial, where, is_part=len(trials) > 1)
        lines.extend(more)
        is_told = not claim.asks_ever or not relation.names or "true only for" in text
        text += "" if is_told else where_it_holds(relation, trial)
        text = _with_either_log(claim, whole, text) if claim.has_bare_log else text
    elif trial.verdict == "by_algebra":
        gaps = _gaps(relation, trial, is_part=len(trials) > 1)
        is_shown = any(each.shown for _, each in trials)
        text = _shown(whole, claim, trials) if is_shown else f"True: {whole}{where}{gaps}. {_how(claim)}"
        text += _of_zero(relation, trial)
    else:
        text = _open(claim, relation, trial, where=where, whole=whole)
    return DirectStatement(text, whole, tuple(lines), claim.notes)


_ZERO_TO_ZERO = (
    " There 0⁰ stands: in algebra and combinatorics it is taken as 1 by convention; as a limit it has no one value."
)


def _of_zero(relation: Comparison, trial: Trial) -> str:
    """What the convention on 0⁰ says, where only that keeps a statement from having a value at a point."""
    if trial.undefined is None:
        return ""
    point = trial.undefined.point
    powers = [node for side in (relation.left, relation.right) for node in walk(side) if isinstance(node, Power)]
    is_zero = any(_is_nought(node.base, point) and _is_nought(node.exponent, point) for node in powers)
    return _ZERO_TO_ZERO if is_zero else ""


def _is_nought(node: Expression, point: Point) -> bool:
    value = value_at(node, point)
    return value.is_real and not value.real


def _open(claim: Claim, relation: Comparison, trial: Trial, *, where: str, whole: str) -> str:
    """What is neither proved nor refuted for all numbers."""
    if trial.verdict == "partly":
        return _partly(whole, relation, trial, where)
    if trial.verdict == "undecided" and claim.conditions and trial.undefined is not None and not trial.held:
        return _never_both(relation, trial, where)
    if trial.verdict == "undecided":
        unknown = f"Undecided: {whole}{where} could not be told true or false: {trial.reason}."
        unknown += _of_zero(relation, trial)
        return _among_complex(claim) or unknown
    is_limited = claim.conditions or claim.numbers != "real"
    known = conditions_for(relation) if relation.names and not is_limited and len(claim.relations) == 1 else None
    if known is not None and trial.held == trial.positive_held:
        elsewhere = "At none of the other points tried have both sides a real value."
        return f"True for {listed([relation_text(each) for each in known[0]])}: {whole}. {known[1]} {elsewhere}"
    points = "points that meet the condition" if is_limited else _points(trial, relation)
    return f"{_held(whole, relation, trial)}{where}: {points} ({_NOT_PROVED})."


def _among_complex(claim: Claim) -> str | None:
    """Numbers with roots of negative numbers: no real ones, but complex ones."""
    if len(claim.relations) != 1 or claim.relations[0].names:
        return None
    relation = claim.relations[0]
    turned = Comparison(_with_imaginary(relation.left), relation.sign, _with_imaginary(relation.right))
    if relation.sign not in ("=", "!=") or turned == relation:
        return None
    trial = try_statement(turned)
    ways = "with i for √(−1), the principal square roots"
    if trial.verdict == "refuted" and trial.counterexample is not None:
        left, right = trial.counterexample.left.shown(10), trial.counterexample.right.shown(10)
        verdict = f"it is false: the left side is {left} and the right side is {right}"
    elif trial.verdict in ("held", "by_algebra"):
        verdict = "it is true as far as 60 digits tell"
    else:
        return None
    return f"Among the real numbers a side has no value. Among the complex numbers ({ways}) {verdict}."


def _with_imaginary(node: Expression) -> Expression:
    """Square roots of negative numbers as multiples of i."""
    inner = map_parts(node, _with_imaginary)
    if isinstance(inner, Call) and inner.function == "sqrt" and not symbols_of(inner):
        value = constant_of(tidied(inner.arguments[0]))
        if value is not None and value < 0:
            return multiply(call("sqrt", literal(-value)), Symbol("i"))
    return inner


def _shown(whole: str, claim: Claim, trials: Sequence[tuple[Comparison, Trial]]) -> str:
    """A statement that was proved, its conditions first."""
    ways = dict.fromkeys(trial.shown or _how(claim) for _, trial in trials)
    under = f" with {listed([relation_text(each) for each in claim.conditions])}" if claim.conditions else ""
    # Factorials and divisors are those of whole numbers, whatever is said of the letters.
    is_whole = claim.numbers == "real" and any(trial.whole for _, trial in trials)
    gaps = is_whole or any(trial.undefined is not None or _has_divisor(relation) for relation, trial in trials)
    values = " for which both sides have a value" if gaps else ""
    letters = _letters(claim, trials, is_whole=is_whole)
    for_all = f" for all {letters}{under}{values}" if letters else ""
    return f"True{for_all}: {whole}. {' '.join(ways)}"


def _letters(claim: Claim, trials: Sequence[tuple[Comparison, Trial]], *, is_whole: bool) -> str:
    """The letters of a statement with the numbers that they stand for."""
    names = dict.fromkeys(name for relation, _ in trials for name in relation.names)
    counted = sorted({name for _, trial in trials for name in trial.whole_names})
    kind = _NUMBERS["whole"] if is_whole else "real numbers" if counted else _NUMBERS.get(claim.numbers, "real numbers")
    others = listed([plain_symbol(name) for name in names if name not in counted])
    told = [f"{kind} {others}"] if others else []
    told += [f"whole numbers {listed([plain_symbol(name) for name in counted])}"] if counted else []
    return " and ".join(told)


def _how(claim: Claim) -> str:
    if not any(relation.names for relation in claim.relations):
        return "Both sides were computed exactly."
    if not all(each.sign == "=" for each in claim.relations):
        return _SIGNED
    sides = [side for relation in claim.relations for side in (relation.left, relation.right)]
    if any(isinstance(node, Call) for side in sides for node in walk(side)):
        return _SHOWN_IN_OTHERS
    return _SHOWN if any(map(_has_divisor, claim.relations)) else _EXPANDED


def _with_either_log(claim: Claim, whole: str, text: str) -> str:
    """A statement that is false for one meaning of log may be true for the other."""
    if not _holds_to_base_ten(claim):
        return text
    return (
        f"Undecided: {whole} depends on what log means. As the natural logarithm: {text} To base 10 it was not refuted."
    )


_SHOWN = "Both sides have the same canonical form (shown by algebra)."
_EXPANDED = "Both sides expand to the same polynomial (shown by algebra: the same canonical form)."
_SHOWN_IN_OTHERS = (
    "In tangents of half the angles, or in the exponential, both sides are the same quotient of polynomials (shown by "
    "algebra)."
)
_SIGNED = "The difference of both sides has that sign everywhere (shown by algebra)."
_ORDER = ("refuted", "undecided", "partly", "held", "by_algebra")


def _tried(relation: Comparison, claim: Claim) -> Trial:
    """A trial at points; what held at all of them, with the proof where there is one."""
    by_turns, whole_names = shown_by_turns(relation)
    if by_turns:
        return Trial("by_algebra", held=1, shown=by_turns, whole_names=whole_names)
    trial = try_statement(relation, claim.conditions, numbers=claim.numbers)
    is_open = trial.verdict == "held" or (trial.verdict in ("undecided", "partly") and trial.held)
    if not is_open or trial.counterexample is not None:
        return trial
    if relation.sign != "=" and len(relation.names) == 1 and not claim.conditions:
        found = solve_inequality(relation.left, relation.sign, relation.right, relation.names[0])
        if not isinstance(found, Failure) and len(found) == 1 and found[0].low is None and found[0].high is None:
            return replace(trial, verdict="by_algebra")
    shown = how_shown(relation, claim.conditions, numbers=claim.numbers)
    return replace(trial, verdict="by_algebra", shown=shown) if shown else trial


def _held(whole: str, relation: Comparison, trial: Trial) -> str:
    if not relation.names:
        return f"True as far as 60 digits tell: {whole}"
    return f"No counterexample found, not proved: {whole} holds at all {trial.held} points tried"


def _points(trial: Trial, relation: Comparison) -> str:
    if not relation.names:
        return "both sides were computed and agree"
    if trial.whole:
        return "whole numbers from 0 to 14"
    names = listed([plain_symbol(name) for name in relation.names])
    return f"{names} among real numbers of either sign, simple ones and fractions"


def _false(relation: Comparison, trial: Trial, where: str, *, is_part: bool) -> tuple[str, list[WorkingLine]]:
    witness = trial.counterexample
    assert witness is not None
    part = f" {relation_text(relation)}:" if is_part else ""
    if not relation.names:
        sides = f"the left side is {witness.left.shown(10)} and the right side is {witness.right.shown(10)}"
        return f"False:{part} {sides}.", []
    at = point_text(witness.point)
    sides = f"the left side is {witness.left.shown()} and the right side is {witness.right.shown()}"
    text = f"False{where}:{part} at {at} {sides}."
    text += _holds_on_a_part(relation, trial) if not where else ""
    return text, [WorkingLine(f"at {at}: left {witness.left.shown()}, right {witness.right.shown()}")]


def _holds_on_a_part(relation: Comparison, trial: Trial) -> str:
    """What may still be said of a statement that is not true in general."""
    if relation.sign == "=" and len(relation.names) == 1:
        only = _only_solutions(relation)
        if only:
            return f" {only}"
    known = conditions_for(relation)
    if known is not None:
        return f" It is true for {listed([relation_text(each) for each in known[0]])}. {known[1]}"
    if trial.positive_held >= _WORTH_SAYING and not trial.positive_failed:
        names = listed([plain_symbol(name) for name in relation.names])
        return f" At all {trial.positive_held} points tried with positive {names} it does hold."
    return ""


def _only_solutions(relation: Comparison) -> str:
    name = relation.names[0]
    found = solve_equation(relation.left, relation.right, name, may_search=False)
    if not isinstance(found, Solved) or not found.is_complete or found.everything:
        return ""
    if not found.solutions:
        return f"No real {plain_symbol(name)} makes it true."
    if len(found.solutions) > _FEW_SOLUTIONS:
        return ""
    again = " (k any whole number)" if any(each.period for each in found.solutions) else ""
    return f"It is true only for {listed([solution_text(name, each) for each in found.solutions], 'and')}{again}."


def _partly(whole: str, relation: Comparison, trial: Trial, where: str) -> str:
    witness = trial.undefined
    assert witness is not None
    side, other = _without_value(witness)
    at = point_text(witness.point)
    known = conditions_for(relation)
    if known is not None:
        defined = ", wherever both sides have a value" if _has_divisor(relation) else ""
        signs = listed([relation_text(each) for each in known[0]])
        return (
            f"Only under a condition{where}: {whole} is true for {signs}{defined}. "
            f"{known[1]} Not everywhere: at {at} the {side} side has no real value while the {other} side is "
            f"{(witness.right if side == 'left' else witness.left).shown()}."
        )
    # What fails comes first: whoever asks whether it holds for all numbers reads no further.
    text = (
        f"Not everywhere{where}: at {at} the {side} side has no real value while the {other} side is "
        f"{(witness.right if side == 'left' else witness.left).shown()}. "
        f"Where both sides are real numbers, no counterexample was found: {whole} holds at all "
        f"{trial.held} such points tried ({_NOT_PROVED})."
    )
    if trial.held == trial.positive_held:
        names = listed([plain_symbol(name) for name in relation.names])
        text += f" All points at which it held have positive {names}."
    return text


def _never_both(relation: Comparison, trial: Trial, where: str) -> str:
    """At no point tried have both sides a value, although one of them has."""
    witness = trial.undefined
    assert witness is not None
    side, other = _without_value(witness)
    known = (witness.right if side == "left" else witness.left).shown()
    at = point_text(witness.point)
    text = (
        f"Not true{where}: at {at} the {side} side has no real value while the {other} side is {known}. At none of the "
        f"points tried do both sides of {relation_text(relation)} have a real value."
    )
    without = many_digits(relation.left if side == "left" else relation.right, dict(witness.point))
    if without is not None:
        value = complex_text(complex(without.value))
        text += f" With complex numbers, by their principal values, the {side} side is {value} there."
    return text


def _without_value(witness: Witness) -> tuple[str, str]:
    return ("left", "right") if witness.left.is_undefined else ("right", "left")


def _gaps(relation: Comparison, trial: Trial, *, is_part: bool) -> str:
    """For which numbers it is true: a side may lack values although both are one quotient."""
    sides = (relation.left, relation.right)
    if not relation.names:
        return ""
    if is_part:
        return " for all numbers for which all sides have a value"
    name = plain_symbol(relation.names[0])
    known = [() if not symbols_of(side) else gaps_of(side) for side in sides]
    gaps = list(dict.fromkeys(plain(each) for found in known for each in found or ()))
    if len(relation.names) == 1 and None not in known and gaps:
        return f" for all {name} ≠ {listed(gaps)}"
    if trial.undefined is not None or _has_divisor(relation):
        example = "" if trial.undefined is None else f" (not at {point_text(trial.undefined.point)}, for example)"
        return f" for all numbers for which both sides have a value{example}"
    return f" for all numbers {name}" if len(relation.names) == 1 else " for all numbers"


def _has_divisor(relation: Comparison) -> bool:
    nodes = [node for side in (relation.left, relation.right) for node in walk(side)]
    return any(
        (isinstance(node, Divide) and symbols_of(node.denominator))
        or (isinstance(node, Power) and isinstance(node.exponent, Negate))
        for node in nodes
    )


def _holds_to_base_ten(claim: Claim) -> bool:
    """Whether the statement is not refuted when every log is one to base ten."""
    for relation in claim.relations:
        turned = Comparison(_to_base_ten(relation.left), relation.sign, _to_base_ten(relation.right))
        if try_statement(turned, claim.conditions).verdict in ("refuted", "undecided"):
            return False
    return True


def _to_base_ten(node: Expression) -> Expression:
    inner = map_parts(node, _to_base_ten)
    return call("log10", *inner.arguments) if isinstance(inner, Call) and inner.function == "log" else inner
