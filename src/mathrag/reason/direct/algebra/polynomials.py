"""Questions about a polynomial beside its roots and factors: a coefficient, the degree, division, the square completed,
vertex, discriminant, how many roots, whether it is irreducible, and where a function is zero or has values.

Each answer is exact and was computed in a second way before it is told.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable
from fractions import Fraction

from mathrag.compute.algebra.factoring import irreducible_factors
from mathrag.compute.algebra.identities import Comparison, is_exactly_equal
from mathrag.compute.algebra.points import value_at
from mathrag.compute.algebra.polynomial_parts import (
    coefficient_in,
    completed_square,
    discriminant_of,
    leaves_remainder,
    powers_of,
    remainder_of,
)
from mathrag.compute.algebra.polynomials import (
    NotPolynomialError,
    Polynomial,
    Terms,
    derived,
    divided,
    expression_of,
    minus,
    polynomial_expression,
    polynomial_of,
    roots_of,
    terms_of,
    times,
)
from mathrag.compute.algebra.polynomials import value_at as polynomial_value
from mathrag.compute.algebra.solving import Solved, solve_equation
from mathrag.compute.printers.plaintext import plain_symbol
from mathrag.compute.solve.tidy import literal
from mathrag.compute.typed_mathematics import AmbiguousMathematicsError, UnreadMathematicsError, read_mathematics
from mathrag.language.enumeration import listed
from mathrag.language.word_classes import any_of, word_pairs
from mathrag.reason.direct.algebra.domains import answer_domains
from mathrag.reason.direct.algebra.equations import solved
from mathrag.reason.direct.algebra.outcomes import failure, numeric
from mathrag.reason.direct.algebra.questions import Solve, function_body, task_text, variable_of
from mathrag.reason.direct.algebra.wording import latex, line, plain
from mathrag.reason.direct.question_text import tidy, without_ending
from mathrag.reason.direct.result import AlgebraOutcome, DirectResult, DirectStatement
from mathrag.types.answer import WorkingLine
from mathrag.types.expression import (
    TWO,
    ZERO,
    Expression,
    Number,
    Symbol,
    add,
    multiply,
    negate,
    power,
    subtract,
    symbols_of,
)

_LONGEST = 300
_NOTHING: Expression = ZERO
_MARKS = re.compile(r"\$+|\\[()\[\]]|\\displaystyle|`")


def answer_polynomials(text: str) -> AlgebraOutcome:
    """What is asked of a polynomial; None for any other question."""
    if len(text) > _LONGEST:
        return None
    asked = " ".join(without_ending(_MARKS.sub(" ", tidy(text))).split())
    asked = _OPENING.sub("", asked)
    for pattern, answer in _QUESTIONS:
        found = pattern.fullmatch(asked)
        if found is None:
            continue
        try:
            made = answer(found)
        except AmbiguousMathematicsError as error:
            return failure("ambiguous", str(error))
        except (UnreadMathematicsError, NotPolynomialError):
            continue
        if made is not None:
            return made
    return None


_OPENING = re.compile(
    r"\A(?:(?:please|find|give|state|determine|compute|calculate|evaluate|write down|what(?:'s| is| are| would be)|"
    r"tell me) )*(?:the )?",
    re.IGNORECASE,
)


def _body(text: str) -> tuple[Expression, str]:
    """An expression in words and signs, and its symbol."""
    body, named = _expression(text)
    return body, variable_of(body, named)


def _expression(text: str) -> tuple[Expression, str]:
    """An expression, and the symbol that its name tells."""
    text = re.sub(rf"\A(?:{any_of('polynomials.expansion_of')}) ", "", text.strip(" ,:"), flags=re.IGNORECASE)
    text = task_text(text)
    text = re.sub(rf"\A(?:{any_of('polynomials.curve_names')})\b ?", "", text, flags=re.IGNORECASE)
    statement, named = function_body(text)
    return statement.sides[0], named


# Coefficients and degrees.


def _coefficient(found: re.Match[str]) -> AlgebraOutcome:
    body, _ = _expression(found["body"])
    wanted: dict[str, int] = {}
    written = task_text(found["power"])
    ((monomial, value),) = powers_of(function_body(written)[0].sides[0]).items()
    if value != 1 or not monomial:
        return None
    wanted.update(monomial)
    if not set(wanted) <= set(symbols_of(body)):
        return None
    return _told_coefficient(body, wanted, f"the coefficient of {plain(function_body(written)[0].sides[0])}")


def _constant_term(found: re.Match[str]) -> AlgebraOutcome:
    body, _ = _expression(found["body"])
    wanted = dict.fromkeys(symbols_of(body), 0)
    return _told_coefficient(body, wanted, "the constant term")


def _told_coefficient(body: Expression, wanted: dict[str, int], name: str) -> AlgebraOutcome:
    terms = powers_of(body)
    coefficient = coefficient_in(terms, wanted)
    if not _is_expansion(body, terms):
        return failure("not_confirmed", f"{name} in {plain(body)}: the expansion was not confirmed")
    shown = expression_of(coefficient)
    if any(count < 0 for monomial in coefficient for _, count in monomial):
        return None
    head = f"{name} in {plain(body)}"
    checked = "multiplied out exactly; the sum of all terms agrees with the expression at several places"
    sentence = f"{head[0].upper()}{head[1:]} is {plain(shown)} ({checked})."
    made = (WorkingLine(f"{head}: {plain(shown)}"),)
    if symbols_of(shown):
        return DirectStatement(sentence, head, made)
    return numeric(shown, None, sentence, expression=head, checked=checked, lines=made)


def _is_expansion(body: Expression, terms: Terms) -> bool:
    """Whether the terms add up to what the expression is, exactly, at a few places."""
    names = symbols_of(body)
    for shift in range(1, 4):
        place = {name: Fraction(2 * shift + 3 * count + 1, shift) for count, name in enumerate(names)}
        total = Fraction(0)
        for monomial, value in terms.items():
            total += value * math.prod((place[name] ** count for name, count in monomial), start=Fraction(1))
        value_there = value_at(body, place)
        size = max(1.0, abs(float(total)))
        if not value_there.is_real or abs(float(value_there.real) - float(total)) > 1e-12 * size:
            return False
    return True


def _leading(found: re.Match[str]) -> AlgebraOutcome:
    body, symbol = _body(found["body"])
    coefficient, degree = _highest(body, symbol)
    head = f"the leading coefficient of {plain(body)}"
    sentence = f"The leading coefficient of {plain(body)} is {plain(coefficient)}, before {symbol}^{degree}."
    if symbols_of(coefficient):
        return DirectStatement(sentence, head, (WorkingLine(sentence),))
    return numeric(coefficient, None, sentence, expression=head, checked="multiplied out exactly")


def _degree(found: re.Match[str]) -> AlgebraOutcome:
    body, symbol = _body(found["body"])
    names = symbols_of(body)
    terms = powers_of(body)
    if not names or not terms or any(count < 0 for monomial in terms for _, count in monomial):
        return None
    total = max(sum(count for _, count in monomial) for monomial in terms)
    in_symbol = max(dict(monomial).get(symbol, 0) for monomial in terms)
    of_all = f" (in {listed([plain_symbol(name) for name in names])} together)" if len(names) > 1 else ""
    more = f"; in {plain_symbol(symbol)} alone it is {in_symbol}" if len(names) > 1 else ""
    sentence = f"The degree of {plain(body)}{of_all} is {total}{more}."
    checked = "multiplied out exactly: the highest power whose coefficient is not 0"
    return numeric(Number(total), None, sentence, expression=f"degree of {plain(body)}", checked=checked)


def _highest(body: Expression, symbol: str) -> tuple[Expression, int]:
    terms = powers_of(body)
    if not terms or any(count < 0 for monomial in terms for _, count in monomial):
        raise NotPolynomialError
    degree = max(dict(monomial).get(symbol, 0) for monomial in terms)
    return expression_of(coefficient_in(terms, {symbol: degree})), degree


# Division.


def _division(found: re.Match[str]) -> AlgebraOutcome:
    above, symbol = _body(found["above"])
    below, other = _body(found["below"])
    names = {*symbols_of(above), *symbols_of(below)}
    if len(names) != 1 or not symbols_of(below):
        return None
    symbol = symbol if symbols_of(above) else other
    divisor = polynomial_of(below, symbol)
    if len(divisor) < 2:
        return None
    wants_remainder = "rest" in found.re.groupindex
    head = f"{plain(above)} divided by {plain(below)}"
    try:
        dividend = polynomial_of(above, symbol)
    except NotPolynomialError:
        return _high_remainder(above, below, symbol, divisor) if wants_remainder else None
    quotient, rest = divided(dividend, divisor)
    product = times(quotient, divisor)
    if minus(dividend, rest) != product or len(rest) >= len(divisor):
        return failure("not_confirmed", f"{head}: the division was not confirmed")
    shown, left = polynomial_expression(quotient, symbol), polynomial_expression(rest, symbol)
    checked = "multiplied out again: divisor times quotient plus remainder is the dividend"
    identity = add(multiply(below, shown), left) if rest else multiply(below, shown)
    made = (line(plain(above), latex(above), identity),)
    if wants_remainder:
        sentence = f"The remainder of {head} is {plain(left)}; the quotient is {plain(shown)} ({checked})."
        if len(rest) < 2:
            return numeric(left, None, sentence, expression=head, checked=checked, lines=made)
    else:
        sentence = f"{head} is {plain(shown)} with remainder {plain(left)} ({checked})."
    return DirectStatement(sentence, head, made)


def _high_remainder(above: Expression, below: Expression, symbol: str, divisor: Polynomial) -> AlgebraOutcome:
    rest = remainder_of(above, symbol, divisor)
    head = f"{plain(above)} divided by {plain(below)}"
    if not leaves_remainder(above, symbol, divisor, rest):
        return failure("not_confirmed", f"{head}: the remainder was not confirmed")
    left = polynomial_expression(rest, symbol)
    checked = "powers reduced by the divisor one after the other; confirmed modulo the divisor at whole numbers"
    sentence = f"The remainder of {head} is {plain(left)} ({checked})."
    if len(rest) < 2:
        return numeric(left, None, sentence, expression=head, checked=checked)
    return DirectStatement(sentence, head, (WorkingLine(f"remainder: {plain(left)}", latex(left)),))


# Quadratics.


def _square(found: re.Match[str]) -> AlgebraOutcome:
    named = re.sub(rf"\A(?:{any_of('polynomials.curve_names')}) ", "", found["body"].strip(" ,:"), flags=re.IGNORECASE)
    statement = read_mathematics(re.sub(r"\A(?:y|f\(x\)) ?= ?", "", task_text(named)))
    if len(statement.sides) == 2 and statement.signs == ("=",):
        whole = subtract(*statement.sides)
    elif not statement.signs:
        whole = statement.sides[0]
    else:
        return None
    (symbol,) = symbols_of(whole) if len(symbols_of(whole)) == 1 else ("",)
    polynomial = polynomial_of(whole, symbol) if symbol else ()
    if len(polynomial) != 3:
        return None
    shown = _square_of(polynomial, symbol)
    if not is_exactly_equal(Comparison(whole, "=", shown)):
        return failure("not_confirmed", f"{plain(whole)}: the square was not confirmed")
    checked = "multiplied out, both are the same polynomial"
    is_equation = len(statement.sides) == 2
    end = " = 0" if is_equation else ""
    text = f"{plain(whole)}{end} with the square completed is {plain(shown)}{end} ({checked})."
    return DirectStatement(text, plain(whole), (line(plain(whole), latex(whole), shown),), statement.notes)


def _square_of(polynomial: Polynomial, symbol: str) -> Expression:
    leading, shift, constant = completed_square(polynomial)
    inner = polynomial_expression((shift, Fraction(1)), symbol)
    squared = power(inner, TWO)
    size = squared if abs(leading) == 1 else multiply(literal(abs(leading)), squared)
    first = negate(size) if leading < 0 else size
    return add(first, literal(constant)) if constant else first


def _vertex(found: re.Match[str]) -> AlgebraOutcome:
    body, symbol = _body(found["body"])
    polynomial = polynomial_of(body, symbol)
    if len(polynomial) != 3:
        return None
    leading, shift, constant = completed_square(polynomial)
    place = -shift
    if polynomial_value(polynomial, place) != constant or any(
        polynomial_value(polynomial, place + step) != polynomial_value(polynomial, place - step) for step in (1, 2, 7)
    ):
        return failure("not_confirmed", f"the vertex of {plain(body)} was not confirmed")
    shown, high = plain(literal(place)), plain(literal(constant))
    kind = "lowest" if leading > 0 else "highest"
    name = plain_symbol(symbol)
    form = plain(_square_of(polynomial, symbol))
    if "axis" in found.re.groupindex:
        text = f"The axis of symmetry of {plain(body)} is the line {name} = {shown} (values on both sides of it agree)."
    else:
        text = (
            f"The vertex of {plain(body)} is at ({shown}, {high}), its {kind} point: {plain(body)} = {form} "
            f"(put in: the value at {name} = {shown} is {high}, and values on both sides agree)."
        )
    return DirectStatement(text, plain(body), (WorkingLine(f"{plain(body)} = {form}"),))


def _discriminant(found: re.Match[str]) -> AlgebraOutcome:
    written = re.sub(r" ?= ?0\Z", "", found["body"].strip())
    body, symbol = _body(written)
    head = f"the discriminant of {plain(body)}"
    if len(symbols_of(body)) > 1:
        return _general_discriminant(body, symbol, head)
    polynomial = polynomial_of(body, symbol)
    if not 3 <= len(polynomial) <= 13:
        return None
    value = discriminant_of(polynomial)
    roots = roots_of(polynomial)
    is_multiple = any(root.multiplicity > 1 for root in roots.real)
    checked = "by the resultant with the derivative"
    if len(polynomial) == 3:
        constant, linear, leading = polynomial
        if value != linear * linear - 4 * leading * constant:
            return failure("not_confirmed", f"{head} was not confirmed")
        checked = "b² − 4ac, and by the resultant with the derivative"
    if is_multiple and value:
        return failure("not_confirmed", f"{head} was not confirmed")
    shown = literal(value)
    meaning = _meaning(value, len(polynomial) - 1, len(roots.real))
    sentence = f"{head[0].upper()}{head[1:]} is {plain(shown)} ({checked}){meaning}."
    return numeric(shown, None, sentence, expression=head, checked=checked)


def _meaning(value: Fraction, degree: int, real: int) -> str:
    if degree != 2:
        return ": it has a multiple root" if not value else ""
    if not value:
        return ": it has one real root, a double one"
    return f": it has {'two different real roots' if real == 2 else 'no real root'}"


def _general_discriminant(body: Expression, symbol: str, head: str) -> AlgebraOutcome:
    """b² − 4ac with symbols as coefficients."""
    terms = terms_of(body)
    degree = max(dict(monomial).get(symbol, 0) for monomial in terms)
    if degree != 2:
        return None
    constant, linear, leading = (expression_of(coefficient_in(terms, {symbol: count})) for count in range(3))
    value = expression_of(terms_of(subtract(power(linear, TWO), multiply(Number(4), leading, constant))))
    name = plain_symbol(symbol)
    text = f"The discriminant of {plain(body)} as a quadratic in {name} is {plain(value)}, for {plain(leading)} ≠ 0."
    return DirectStatement(text, head, (WorkingLine(f"b² − 4ac = {plain(value)}", latex(value)),))


# How many roots.


def _how_many(found: re.Match[str]) -> AlgebraOutcome:
    kind = word_pairs("polynomials.roots")[found["kind"].lower()]
    written = task_text(found["body"])
    statement = read_mathematics(re.sub(r"\A(?:the )?(?:equation|polynomial|function|graph of|curve) ", "", written))
    sides, signs = statement.sides, statement.signs
    if len(sides) == 2 and signs == ("=",) and sides[0] == Symbol("y") and "y" not in symbols_of(sides[1]):
        sides, signs = (sides[1],), ()
    if len(sides) == 1:
        left, right = sides[0], _NOTHING
    elif signs == ("=",):
        left, right = sides
    else:
        return None
    whole = Comparison(left, "=", right)
    if len(whole.names) != 1:
        return None
    symbol = whole.names[0]
    shown = f"{plain(left)} = {plain(right)}"
    bounds = found.groupdict().get("low"), found.groupdict().get("high")
    if bounds[0] is not None and bounds[1] is not None:
        return _counted_between(whole, symbol, (_number(bounds[0]), _number(bounds[1])), shown)
    try:
        return _counted_roots(polynomial_of(subtract(left, right), symbol), kind, shown)
    except NotPolynomialError:
        return None if kind == "complex" else _counted_solutions(whole, symbol, shown)


def _counted_roots(polynomial: Polynomial, kind: str, shown: str) -> AlgebraOutcome:
    degree = len(polynomial) - 1
    if degree < 1:
        return None
    roots = roots_of(polynomial)
    real = len(roots.real)
    with_multiplicity = sum(root.multiplicity for root in roots.real)
    repeated = f", or {with_multiplicity} counted with multiplicity" if with_multiplicity != real else ""
    told = f"{real if real else 'no'} real solution{'' if real == 1 else 's'}{repeated}"
    among = (
        f"Among the complex numbers there are {degree}, counted with multiplicity: as many as the degree."
        if degree > 1
        else ""
    )
    checked = "the real ones are counted exactly, by Sturm's theorem where there is no closed form"
    if kind == "complex":
        of_them = f"{real if real else 'none'} of them {'is' if real == 1 else 'are'} real"
        sentence = f"{shown} has {degree} complex solutions, counted with multiplicity; {of_them}."
        return numeric(Number(degree), None, sentence, expression=shown, checked="the degree of the polynomial")
    sentence = f"{shown} has {told} ({checked}). {among}".strip()
    if kind == "all" and degree > 1 and with_multiplicity != degree:
        return DirectStatement(sentence, shown, (WorkingLine(told),))
    return numeric(Number(real), None, sentence, expression=shown, checked=checked)


def _counted_solutions(whole: Comparison, symbol: str, shown: str) -> AlgebraOutcome:
    known = solve_equation(whole.left, whole.right, symbol, may_search=False)
    if not isinstance(known, Solved) or not known.is_complete:
        return failure("unsolved", f"{shown}: it is not solved wholly here, so its solutions are not counted")
    if known.everything or any(each.period is not None for each in known.solutions):
        sentence = f"{shown} has infinitely many real solutions."
        return DirectStatement(sentence, shown, (WorkingLine(sentence),))
    count = len(known.solutions)
    counted = f"{count if count else 'no'} real solution{'' if count == 1 else 's'}"
    sentence = f"{shown} has {counted} (all were found and put back)."
    return numeric(Number(count), None, sentence, expression=shown, checked="all were found and put back")


def _number(text: str) -> Expression:
    value = function_body(text)[0].sides[0]
    if symbols_of(value):
        raise UnreadMathematicsError("a bound is a number")
    return value


def _counted_between(
    whole: Comparison, symbol: str, bounds: tuple[Expression, Expression], shown: str
) -> AlgebraOutcome:
    """The solutions in a closed interval, those that repeat one after the other."""
    known = solve_equation(whole.left, whole.right, symbol, may_search=False)
    if not isinstance(known, Solved) or not known.is_complete or known.everything:
        return failure("unsolved", f"{shown}: it is not solved wholly here, so its solutions are not counted")
    low, high = (float(value_at(bound, {}).real) for bound in bounds)
    inside: dict[float, str] = {}
    slack = 1e-12 * max(1.0, abs(low), abs(high))
    for each in known.solutions:
        number = each.number if each.number is not None else float(value_at(each.exact or ZERO, {}).real)
        step = None if each.period is None else float(value_at(each.period, {}).real)
        shifts = range(1)
        if step is not None:
            shifts = range(math.floor((low - number) / step) - 1, math.ceil((high - number) / step) + 2)
        for shift in itertools.islice(shifts, 10_000):
            value = number + shift * (step or 0.0)
            if low - slack <= value <= high + slack and not any(abs(value - other) <= slack for other in inside):
                inside[value] = f"{plain_symbol(symbol)} ≈ {value:.8g}"
    count = len(inside)
    where = f"for {plain(bounds[0])} ≤ {plain_symbol(symbol)} ≤ {plain(bounds[1])}"
    values = f": {listed([inside[each] for each in sorted(inside)])}" if 0 < count <= 12 else ""
    sentence = f"{shown} has {count if count else 'no'} real solution{'' if count == 1 else 's'} {where}{values}."
    return numeric(Number(count), None, sentence, expression=shown, checked="all solutions were found and put back")


def _whether_real(found: re.Match[str]) -> AlgebraOutcome:
    """Whether an equation has real solutions, or what sort its roots are: told by their number."""
    written = task_text(re.sub(r" ?= ?0\Z", "", found["body"].strip()))
    body = read_mathematics(written).sides[0]
    if "=" in written or len(symbols_of(body)) != 1:
        return None
    polynomial = polynomial_of(body, symbols_of(body)[0])
    if len(polynomial) < 2:
        return None
    roots = roots_of(polynomial)
    shown = f"{plain(body)} = 0"
    answer = f"{'Yes' if roots.real else 'No'}: " if "asked" in found.re.groupindex else ""
    count = _counted_roots(polynomial, "all", shown)
    if not isinstance(count, DirectStatement | DirectResult):
        return None
    nature = _nature(polynomial) if len(polynomial) == 3 else ""
    return DirectStatement(f"{answer}{count.text}{nature}", shown, (WorkingLine(count.text),))


def _nature(polynomial: Polynomial) -> str:
    value = discriminant_of(polynomial)
    sort = (
        "two different real roots"
        if value > 0
        else "one real double root"
        if not value
        else "two complex roots, none real"
    )
    return f" The discriminant is {plain(literal(value))}: {sort}."


def _crossings(found: re.Match[str]) -> AlgebraOutcome:
    """Crossings of the axis: roots of odd multiplicity; at the others the curve only touches it."""
    body, symbol = _body(found["body"])
    polynomial = polynomial_of(body, symbol)
    if len(polynomial) < 2:
        return None
    roots = roots_of(polynomial).real
    crossing = [root for root in roots if root.multiplicity % 2]
    touching = len(roots) - len(crossing)
    places = f" It touches the axis without crossing at {touching} more." if touching else ""
    times_said = f"{len(crossing)} time{'' if len(crossing) == 1 else 's'}"
    sentence = (
        f"y = {plain(body)} crosses the axis {times_said} (real zeros of odd multiplicity, counted exactly).{places}"
    )
    return numeric(Number(len(crossing)), None, sentence, expression=plain(body), checked="counted exactly")


def _extreme(found: re.Match[str]) -> AlgebraOutcome:
    """The least or greatest value of a polynomial: at a zero of its derivative, or there is none."""
    wants_least = word_pairs("polynomials.extremes")[found["extreme"].lower()] == "least"
    body, symbol = _body(found["body"])
    polynomial = polynomial_of(body, symbol)
    degree = len(polynomial) - 1
    if degree < 1:
        return None
    name, kind = plain(body), "least" if wants_least else "greatest"
    if degree % 2 or (polynomial[-1] > 0) != wants_least:
        way = "falls" if wants_least else "grows"
        text = f"{name} has no {kind} value: it {way} beyond every bound (for real {symbol})."
        return DirectStatement(text, name, (WorkingLine(text),))
    flat = roots_of(derived(polynomial)).real
    if any(root.exact is None or root.low != root.high for root in flat):
        return failure("unsolved", f"the {kind} value of {name}: the places where it is flat have no short form here")
    values = {root.low: polynomial_value(polynomial, root.low) for root in flat}
    best = (min if wants_least else max)(values.values())
    places = [f"{plain_symbol(symbol)} = {plain(literal(place))}" for place, value in values.items() if value == best]
    checked = "at the zeros of the derivative, all of them; beyond them it only " + (
        "grows" if wants_least else "falls"
    )
    sentence = f"The {kind} value of {name} is {plain(literal(best))}, at {listed(places)} ({checked})."
    return numeric(literal(best), None, sentence, expression=name, checked=checked)


# Irreducible or not.


def _irreducible(found: re.Match[str]) -> AlgebraOutcome:
    body, symbol = _body(found["body"])
    polynomial = polynomial_of(body, symbol)
    degree = len(polynomial) - 1
    if degree < 1:
        return None
    over = (found["over"] or "").lower()
    if re.fullmatch(any_of("polynomials.over_complex"), over, re.IGNORECASE):
        is_so, why = degree == 1, "over the complex numbers every polynomial of degree 2 or more has a root"
        return _told_irreducible(body, "the complex numbers", is_so, f"{why}")
    if re.fullmatch(any_of("polynomials.over_reals"), over, re.IGNORECASE):
        is_so = degree == 1 or (degree == 2 and discriminant_of(polynomial) < 0)
        why = "over the real numbers only degree 1, and degree 2 with a negative discriminant, are irreducible"
        return _told_irreducible(body, "the real numbers", is_so, why)
    factors = irreducible_factors(polynomial)
    if factors is None:
        return failure("unsolved", f"{plain(body)}: it is too large to be taken apart here")
    is_so = sum(count for _, count in factors.factors) == 1
    why = "all possible factors with whole coefficients were tried, by factors modulo a large prime"
    if not is_so:
        parts = [polynomial_expression(factor, symbol) for factor, count in factors.factors for _ in range(count)]
        product = multiply(*([literal(factors.content)] if factors.content != 1 else []), *parts)
        why = f"{plain(body)} = {plain(product)}"
    return _told_irreducible(body, "the rational numbers", is_so, why)


def _told_irreducible(body: Expression, where: str, is_so: bool, why: str) -> DirectStatement:
    text = f"{'Yes' if is_so else 'No'}: {plain(body)} is {'' if is_so else 'not '}irreducible over {where} ({why})."
    return DirectStatement(text, plain(body), (WorkingLine(text),))


def _factors_over(found: re.Match[str]) -> AlgebraOutcome:
    """Factors over the rational numbers, where those are named."""
    from mathrag.reason.direct.algebra.answers import answer_task
    from mathrag.reason.direct.algebra.questions import Rewrite

    body, _ = _body(found["body"])
    return answer_task(Rewrite(body, "factor")) if symbols_of(body) else None


# Where a function is zero, or has values.


def _places(found: re.Match[str]) -> AlgebraOutcome:
    what = word_pairs("polynomials.zero_places")[found["what"].lower()]
    body, symbol = _body(found["body"])
    said = found.groupdict().get("symbol")
    if (said and said != symbol) or len(symbols_of(body)) != 1:
        return None
    if what == "zero":
        return solved(Solve((Comparison(body, "=", ZERO),), (symbol,)))
    if what.endswith(" 0"):
        return solved(Solve((Comparison(body, what.split()[0], ZERO),), (symbol,)))
    # Where it has no value is told by where it has one.
    return answer_domains(f"domain of {found['body']}")


def _intercepts(found: re.Match[str]) -> AlgebraOutcome:
    body, symbol = _body(found["body"])
    return solved(Solve((Comparison(body, "=", ZERO),), (symbol,))) if len(symbols_of(body)) == 1 else None


_BODY = r"(?P<body>.+)"
_ROOTS = rf"(?P<kind>{any_of('polynomials.roots')})"
_CLOSED = r",? (?:in|on|over|for|within)(?: the interval)? \[ ?(?P<low>[^,\]]{1,30}), ?(?P<high>[^,\]]{1,30})\]"
_OVER = "|".join(any_of(f"polynomials.over_{each}") for each in ("rationals", "reals", "complex"))
_POWER = r"(?P<power>[^ ]+?(?: ?[a-z](?![a-z])(?:\^[0-9]+)?)*)(?:[ -]term)?"
_DIVIDING = r"(?:when|if|of dividing|on dividing|after dividing|in dividing|from dividing|left when)"
_DIVIDE = r"(?:divide|quotient of|quotient when dividing|polynomial division of|long division of)"
_ZERO_PLACE = rf"(?P<what>{any_of('polynomials.zero_places')})"
_WHICH = r"(?:at|for) (?:which|what) (?:values? of |real )?(?P<symbol>[a-z])"
_COEFFICIENT = rf"(?:{any_of('polynomials.coefficient')}) (?:of|on|before|for)"
_PUT = "(?:write|put|express|rewrite|convert|bring|change)"
_QUESTIONS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], AlgebraOutcome]], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), answer)
    for pattern, answer in (
        (rf"(?:{any_of('polynomials.leading')}) (?:of|in) {_BODY}", _leading),
        (rf"{_COEFFICIENT} {_POWER} (?:{any_of('polynomials.inside')}) {_BODY}", _coefficient),
        (rf"(?:{any_of('polynomials.constant_term')}) (?:of|in) {_BODY}", _constant_term),
        (rf"(?:{any_of('polynomials.degree')}) of {_BODY}", _degree),
        (
            rf"(?P<rest>remainder) {_DIVIDING} (?P<above>.+?)(?: is| are| gets)?(?: divided)? by (?P<below>.+)",
            _division,
        ),
        (r"(?P<rest>remainder) of (?P<above>.+) (?:divided by|(?:up)?on division by) (?P<below>.+)", _division),
        (r"(?P<rest>remainder) of (?:the division of )(?P<above>.+) by (?P<below>.+)", _division),
        (
            rf"(?:long )?{_DIVIDE} (?P<above>.+) by (?P<below>.+?)(?:,? (?:{any_of('polynomials.division_manner')}))?",
            _division,
        ),
        (r"quotient (?:and remainder )?(?:when|of|if) (?P<above>.+?)(?: is| are)? divided by (?P<below>.+)", _division),
        (rf"(?:{any_of('polynomials.square')})[ :,]* {_BODY}", _square),
        (rf"(?:{_PUT} )?{_BODY} (?:{any_of('polynomials.square_behind')})", _square),
        (rf"(?:{any_of('polynomials.vertex')}) of {_BODY}", _vertex),
        (rf"(?P<axis>{any_of('polynomials.axis')}) of {_BODY}", _vertex),
        (rf"(?:{any_of('polynomials.discriminant')}) (?:of|for) {_BODY}", _discriminant),
        (rf"how many {_ROOTS} (?:does|do) {_BODY} have{_CLOSED}", _how_many),
        (rf"how many {_ROOTS} (?:does|do) {_BODY} have", _how_many),
        (rf"how many {_ROOTS} (?:are there (?:to|of|for)|has|of|exist for) {_BODY}", _how_many),
        (rf"number of {_ROOTS} (?:of|to|for) {_BODY}{_CLOSED}", _how_many),
        (rf"number of {_ROOTS} (?:of|to|for) {_BODY}", _how_many),
        (rf"(?P<asked>does|do) {_BODY} have (?:any )?real (?:roots?|solutions?|zeros?)", _whether_real),
        (rf"nature of (?:the )?(?:roots|solutions) of {_BODY}", _whether_real),
        (rf"how (?:many times|often) does {_BODY} (?:cross|intersect|cut) the x[- ]axis", _crossings),
        (rf"(?P<extreme>{any_of('polynomials.extremes')}) of {_BODY}", _extreme),
        (rf"is {_BODY} (?:irreducible|an irreducible polynomial)(?: (?P<over>{_OVER}))", _irreducible),
        (rf"is {_BODY} (?:irreducible|an irreducible polynomial)(?P<over>)", _irreducible),
        (rf"(?:{any_of('algebra.factor')}) (?P<body>.+?) (?:{any_of('polynomials.over_rationals')})", _factors_over),
        (rf"{_WHICH} (?:is|does|are) {_BODY} {_ZERO_PLACE}", _places),
        (rf"(?:where|when) (?:is|does|do|are) {_BODY} {_ZERO_PLACE}", _places),
        (rf"(?:x-intercepts?|x intercepts?|zero crossings?) of {_BODY}", _intercepts),
    )
)
