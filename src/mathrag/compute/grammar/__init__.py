"""Notation into meaning: one grammar for everything that is laid out in two dimensions.

`read_notation` is the door. It looks over the whole formula (`survey`), splits the row into statements (`lines`), reads
each side (`rows`, `operands`), and gives back a `Reading`, or a `Declined` with the reason and the place. Here also the
parts of the grammar are wired to each other, once (`_DESCENT`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from mathrag.compute.choices import NO_CHOICES, Choices
from mathrag.compute.grammar.applications import learn_function
from mathrag.compute.grammar.calculus import changing_in_time, differentials_in, is_differential
from mathrag.compute.grammar.conditions import plain_text, read_condition, without_blanks
from mathrag.compute.grammar.context import Context, Cursor, Descent, Matrix, Value, known_names
from mathrag.compute.grammar.lexicon import EQUALITIES, INEQUALITIES
from mathrag.compute.grammar.lines import Statement, split_chain, split_lines, split_statements
from mathrag.compute.grammar.names import symbol_name, symbol_parts
from mathrag.compute.grammar.operands import read_factor
from mathrag.compute.grammar.rows import read_divisor, read_product, read_sum
from mathrag.compute.grammar.survey import survey
from mathrag.compute.grammar.temperature_changes import with_temperature_changes
from mathrag.compute.grammar.units_inside import flag_italic_unit, unit_text
from mathrag.compute.grammar.values import cursor_over, number_of, value_of
from mathrag.compute.grammar.vectors import (
    is_vector_side,
    plain_magnitude,
    refuse_lone_direction,
    without_vector_products,
)
from mathrag.compute.grammar.worded import with_words
from mathrag.compute.grammar.written_out import without_dots
from mathrag.compute.notation import Fence, Grid, Mark, Name, Row, Script, Sign, Stack, Words, visible, walk_marks
from mathrag.compute.statements import Relation, equations_of_chain
from mathrag.errors import FormulaError
from mathrag.language.word_classes import word_class
from mathrag.types.expression import (
    MAXIMUM_NODES,
    ZERO,
    Condition,
    Declined,
    Equation,
    Expression,
    Flag,
    Phrase,
    Reading,
    Symbol,
    call,
    equation_symbols,
    number,
    size_of,
    substitute,
    symbols_of,
)
from mathrag.types.symbol_names import join_name

_QUOTED = re.compile(r"[\"“”`']{1,2}[^\"“”]{2,60}[\"“”']{1,2}")
_DESCENT = Descent(sum=read_sum, product=read_product, factor=read_factor, divisor=read_divisor)

# A member of a chain that cannot be computed may be left out when two others remain; anything else sinks the formula.
_SKIPPABLE = frozenset(
    (
        "derivative",
        "integral",
        "limit",
        "open_sum",
        "ellipsis",
        "vector_product",
        "vector_calculus",
        "vector_sum",
        "infinite",
        "change",
        "complex",
    )
)


def read_notation(
    row: Row,
    *,
    source: str,
    symbols: Collection[str] = (),
    flags: Iterable[Flag] = (),
    terms: int | None = None,
    choices: Choices = NO_CHOICES,
) -> Reading | Declined:
    """Give a laid-out formula its meaning. With `terms`, open sums and dots are written out with so many terms."""
    known = known_names((*symbols, *sorted(choices.names))) - choices.products
    context = Context(source, _DESCENT, known=known, flags=list(flags), terms=terms, choices=choices)
    try:
        row = with_words(row if terms is None else without_dots(row, context, terms), context)
        survey(row, context)
        reading = _read(row, context)
    except FormulaError as error:
        flags, places = tuple(context.flags), tuple(context.ambiguities)
        return Declined(source, error.code, error.reason, error.position, flags, places)
    except RecursionError:
        return Declined(source, "too_large", "the formula is nested too deeply", None)
    is_written_out = terms is not None and any(flag.code == "written_out" for flag in context.flags)
    return _with_count(reading, context) if is_written_out else reading


def lone_symbol(row: Row, position: int) -> Symbol | None:
    """The one symbol that a row names, with nothing around it that could say more; None when it names none."""
    context = Context("", _DESCENT)
    parts = symbol_parts(row, context)
    return None if parts is None else Symbol(symbol_name(parts, context, position))


def _with_count(reading: Reading, context: Context) -> Reading:
    """The number of terms in place of the symbol that stood for it: the n of a mean of n values."""
    # An n or N beside a sum without bounds is how many terms it has.
    counted = context.counted or {"n", "N"} - {context.index}
    values: dict[str, Expression] = {name: number(context.terms or 0) for name in counted}
    equations = tuple(
        replace(one, left=substitute(one.left, values), right=substitute(one.right, values))
        for one in reading.equations
    )
    return replace(reading, equations=equations)


def _read(row: Row, context: Context) -> Reading:
    equations: list[Equation] = []
    expression: Expression | None = None
    conditions: list[Condition] = []
    failures: list[FormulaError] = []
    lines = split_lines(row)
    if not lines or not any(without_blanks(line) for line in lines):
        context.decline("empty", "there is no formula here", 0 if context.source else None)
    for line in lines:
        try:
            for statement in split_statements(line, context):
                found, bare, holds = _read_statement(statement, context)
                equations.extend(found)
                expression = bare if bare is not None else expression
                conditions.extend(holds)
        except FormulaError as error:
            context.depth = 0
            if equations and (error.code == "list" or _only_explains(line)):
                conditions.append(Condition((), plain_text(without_blanks(line))))
            else:
                failures.append(error)
    _settle_failures(failures, context, has_equations=bool(equations))
    if not equations and expression is None:
        context.decline("inequality", "this states a condition, not an equation", _first_position(row))
    if equations and expression is not None:
        context.decline("syntax", "an expression without a relation stands beside an equation", _first_position(row))
    _flag_primes(equations, context)
    equations = [with_temperature_changes(equation, context) for equation in equations]
    unique = tuple(dict.fromkeys(_with_conditions(equation, conditions) for equation in equations))
    if sum(size_of(equation.left) + size_of(equation.right) for equation in unique) > MAXIMUM_NODES:
        context.decline("too_large", "the formula is larger than any real one", None)
    return Reading(
        context.source,
        unique,
        expression,
        tuple(conditions),
        tuple(context.flags),
        _phrases(unique, context),
        tuple(context.ambiguities),
    )


def _phrases(equations: Sequence[Equation], context: Context) -> tuple[Phrase, ...]:
    """The words that name symbols which the equations have in the end, and the units that stand behind symbols."""
    used = {name for equation in equations for name in equation_symbols(equation)}
    found = tuple(phrase for phrase in context.phrases if phrase.name in used)
    target = equations[0].left if len(equations) == 1 else None
    if not context.result_unit or not isinstance(target, Symbol):
        return found
    if any(phrase.name == target.name and phrase.unit for phrase in found):
        return found
    same = next((phrase for phrase in found if phrase.name == target.name), Phrase(target.name, ""))
    return (*(phrase for phrase in found if phrase != same), replace(same, unit=context.result_unit))


def _only_explains(line: list[Mark]) -> bool:
    """Whether a line under an equation only says in words what it or one of its symbols is."""
    marks = without_blanks(line)
    if len(marks) > 2 and isinstance(marks[0], Name | Script) and isinstance(marks[1], Sign):
        # `\\rho = \\text{density of the medium}`
        marks = marks[2:] if marks[1].text in EQUALITIES else marks
    return bool(marks) and all(isinstance(mark, Words) for mark in marks)


def _settle_failures(failures: list[FormulaError], context: Context, *, has_equations: bool) -> None:
    """Lines that cannot be computed are left out where others remain; any other failure sinks the formula."""
    if failures and (not has_equations or any(failure.code not in _SKIPPABLE - {"complex"} for failure in failures)):
        raise failures[0]
    for failure in failures:
        context.flag("line_declined", f"a line was left out: {failure.reason}", failure.position)


def _flag_primes(equations: list[Equation], context: Context) -> None:
    """A letter both with and without a prime or dot may be a function and its derivative."""
    names = {name for equation in equations for name in equation_symbols(equation)}
    for name in sorted(names):
        plain, _, mark = name.rpartition("_")
        if mark in ("dprime", "ddot") and {plain, f"{plain}_{mark.removeprefix('d')}"} & names:
            context.decline("derivative", f"{name} beside {plain} is a second derivative; it has no value here", None)
        if mark in ("prime", "dprime", "dot", "ddot") and plain in names:
            context.flag(
                "prime_or_derivative", f"{name} is read as a symbol of its own; it may be a derivative of {plain}", None
            )


def _with_conditions(equation: Equation, conditions: list[Condition]) -> Equation:
    return Equation(equation.left, equation.right, equation.relation, tuple(conditions)) if conditions else equation


def _first_position(row: Row) -> int:
    return row.items[0].position if row.items else 0


def _read_statement(
    statement: Statement, context: Context
) -> tuple[list[Equation], Expression | None, list[Condition]]:
    """One statement, read once, or twice when it holds a plus-minus."""
    holds = [condition for marks in statement.conditions if (condition := read_condition(marks, context)) is not None]
    if not statement.marks:
        return [], None, holds
    context.branch, context.saw_plus_minus = "+", False
    found, bare, main_condition = _read_chain(statement.marks, context)
    if context.saw_plus_minus:
        context.branch = "-"
        other, _, _ = _read_chain(statement.marks, context)
        found.extend(other)
        if bare is not None:
            context.decline(
                "plus_minus", "a plus-minus without an equation has two values", statement.marks[0].position
            )
    return found, bare, [*holds, *main_condition]


def _read_chain(marks: list[Mark], context: Context) -> tuple[list[Equation], Expression | None, list[Condition]]:
    members, relations = split_chain(marks, context)
    _drop_constancy(members, relations, context)
    _drop_quoted_name(members, relations, context)
    modulus = _take_modulus(members, context) or _take_bare_modulus(members, relations, context)
    _refuse_free_signs(marks, context)
    if not relations:
        value = value_of(Cursor(members[0], context, _end(members[0], context)))
        if isinstance(value, Matrix):
            context.decline("matrix", "a matrix on its own is no formula", marks[0].position)
        return [], value, []
    if any(relation in INEQUALITIES for relation, _ in relations):
        if (
            relations[-1][0] in INEQUALITIES
            and all(relation not in INEQUALITIES for relation, _ in relations[:-1])
            and len(relations) > 1
        ):
            # a = b > 0: an equation, and what is known of its value.
            bound = read_condition([*members[-2], Sign(relations[-1][0], relations[-1][1]), *members[-1]], context)
            found, bare, holds = _read_chain([mark for mark in marks if mark.position < relations[-1][1]], context)
            return found, bare, [*holds, *([bound] if bound is not None else [])]
        return [], None, _main_inequality(marks, relations, context)
    _refuse_empty(members, relations, context)
    _refuse_unit_statement(members, context)
    _look_at_sides(members, context)
    if is_differential(members[0], context):
        context.decline("differential", "an equation between differentials has no value here", members[0][0].position)
    values, kept = _members(members, relations, context)
    if ZERO in values and any(isinstance(value, Symbol) and value.name.startswith("Sigma_") for value in values):
        context.decline("open_sum", "that all terms add up to zero gives no value without the terms", marks[0].position)
    if modulus is not None:
        values = [call("mod", _number(value, context), modulus) for value in values]
        context.flag("congruence", "the congruence is read as equal remainders", marks[0].position)
    return _equations(values, kept, context), None, []


def _main_inequality(marks: list[Mark], relations: list[tuple[str, int]], context: Context) -> list[Condition]:
    if any(relation not in INEQUALITIES for relation, _ in relations):
        context.decline("inequality", "equality and inequality are mixed in one chain", relations[0][1])
    if any(isinstance(mark, Grid) for mark in marks):
        context.decline("cases", "equations by cases stand beside an inequality", relations[0][1])
    condition = read_condition(marks, context)
    return [condition] if condition is not None else []


def _drop_constancy(members: list[list[Mark]], relations: list[tuple[str, int]], context: Context) -> None:
    """`PV = const` says that something does not change; the word is no value."""
    for index in range(len(members) - 1, 0, -1):
        marks = visible(members[index])
        only = marks[0] if marks else None
        letters = "".join(mark.text for mark in marks if isinstance(mark, Words | Name))
        is_word = all(isinstance(mark, Words | Name) for mark in marks) and len(letters) > 2
        if only is not None and is_word and letters.strip(" .").lower() in word_class("formula_words.constancy"):
            if len(members) < 3:
                context.decline("constancy", "this states that something is constant, not its value", only.position)
            context.flag("constancy", "that the value is constant is left out", only.position)
            del members[index], relations[index - 1]


def _drop_quoted_name(members: list[list[Mark]], relations: list[tuple[str, int]], context: Context) -> None:
    """A member in quotation marks (`f = "useful share" = a/b`) says what the symbol is called; it is no value."""
    for index in range(len(members) - 1, 0, -1):
        only = visible(members[index])
        words = only[0] if len(only) == 1 else None
        if len(members) < 3 or not isinstance(words, Words) or not _QUOTED.fullmatch(words.text.strip()):
            continue
        named = symbol_parts(members[0][0], context, quiet=True) if len(visible(members[0])) == 1 else None
        if named is not None:
            context.phrases.append(Phrase(join_name(named), words.text.strip()[1:-1].strip()))
        context.flag(
            "member_declined", "one member of the chain was left out: a name in quotation marks", words.position
        )
        del members[index], relations[index - 1]


def _look_at_sides(members: list[list[Mark]], context: Context) -> None:
    """What the sides as wholes say: a function on the left, pi as a symbol, differentials on every side."""
    first = [mark for mark in visible(members[0]) if not (isinstance(mark, Sign) and mark.text == "\u2061")]
    learn_function(first, context)
    lone = [member for member in members if len(member) == 1 and isinstance(member[0], Name) and member[0].text == "pi"]
    others = [mark for member in members if member not in lone for mark in member]
    if lone and any(isinstance(mark, Name) and mark.text not in ("pi", "e") for mark in others):
        context.pi_is_symbol = True
        context.flag("pi_symbol", "\\pi alone on a side is read as a symbol, not as 3.14159", lone[0][0].position)
    for member in members[1:]:
        flag_italic_unit(visible(member), context)
    places = [differentials_in(member, context) for member in members]
    if all(place is not None for place in places):
        context.decline("differential", "an equation between differentials has no value here", places[0])
    for place in places:
        if place is not None:
            context.flag(
                "differential_or_product", "d before a letter is read as a factor; it may be a differential", place
            )


def _refuse_empty(members: list[list[Mark]], relations: list[tuple[str, int]], context: Context) -> None:
    for index, member in enumerate(members):
        if not visible(member):
            position = relations[max(0, index - 1)][1]
            context.decline("syntax", "one side of the equation is missing", position)


def _refuse_unit_statement(members: list[list[Mark]], context: Context) -> None:
    """`[\\mu] = Pa s` and `k [=] M/s` name units, not values."""
    first = visible(members[0])
    last = visible(members[-1])
    is_bracketed = len(first) == 1 and isinstance(first[0], Fence) and first[0].opening == "["
    units = [unit_text(mark, context) for mark in last if not isinstance(mark, Sign)]
    if is_bracketed and units and all(text is not None for text in units):
        context.decline("unit_statement", "this names a unit, not a value", first[0].position)


def _take_modulus(members: list[list[Mark]], context: Context) -> Expression | None:
    """The modulus of a congruence, taken off the last member: `a \\equiv b \\pmod{n}`."""
    last = visible(members[-1])
    if len(members) < 2 or not last or not isinstance(last[-1], Fence):
        return None
    body = last[-1].body.items
    if not (body and isinstance(body[0], Name) and body[0].text == "mod"):
        return None
    members[-1] = last[:-1]
    return number_of(cursor_over(body[1:], context, last[-1].position + 1))


def _take_bare_modulus(
    members: list[list[Mark]], relations: list[tuple[str, int]], context: Context
) -> Expression | None:
    """The same without parentheses: `a \\equiv b \\mod n`, which speaks of both sides, not of b alone."""
    if not any(relation == "≡" for relation, _ in relations):
        return None
    last = visible(members[-1])
    places = [place for place, mark in enumerate(last) if isinstance(mark, Name) and mark.text == "mod"]
    others = (mark for member in members[:-1] for mark in visible(member))
    is_said_of_each = any(isinstance(mark, Name) and mark.text == "mod" for mark in others)
    if len(places) != 1 or not 0 < places[0] < len(last) - 1 or is_said_of_each:
        return None
    members[-1] = last[: places[0]]
    return number_of(cursor_over(last[places[0] + 1 :], context, last[-1].position + 1))


def _refuse_free_signs(marks: list[Mark], context: Context) -> None:
    """A plus-minus at the head of both parts of a fraction: the signs are chosen apart there, which two equations do
    not say. Further in, as in (v \\pm u)/(v \\mp w), they go together."""
    for mark in (inner for outer in marks for inner in walk_marks(outer)):
        if isinstance(mark, Stack) and all(
            (items := visible(row.items)) and isinstance(items[0], Sign) and items[0].text == "±"
            for row in (mark.above, mark.below)
        ):
            context.decline("plus_minus", "the signs above and below the fraction may be chosen apart", mark.position)


def _end(member: list[Mark], context: Context) -> int:
    return member[-1].position + 1 if member else len(context.source)


def _rate(member: list[Mark], context: Context) -> Value | None:
    """`d[P]/dt` alone at the head of a chain as one symbol: the rate that the other members give."""
    visible_marks = without_blanks(member)
    if len(visible_marks) != 1 or not isinstance(visible_marks[0], Stack):
        return None
    changing = changing_in_time(visible_marks[0])
    if changing is None:
        return None
    try:
        what = value_of(cursor_over(changing, context, _end(changing, context)))
    except FormulaError:
        return None
    return Symbol(f"rate_{what.name}") if isinstance(what, Symbol) else None


def _members(
    members: list[list[Mark]], relations: list[tuple[str, int]], context: Context
) -> tuple[list[Value], list[Relation]]:
    """The values of the members, without those that cannot be computed as long as two remain."""
    values: list[Value] = []
    kept: list[Relation] = []
    read: list[list[Mark]] = []
    first_failure: FormulaError | None = None
    for index, member in enumerate(members):
        depth = context.depth
        context.is_left_side = index == 0
        try:
            refuse_lone_direction(member, context)
            value = value_of(Cursor(member, context, _end(member, context)))
        except FormulaError as error:
            context.depth = depth
            rate = _rate(member, context) if index == 0 and error.code == "derivative" and len(members) > 2 else None
            if rate is None:
                if error.code not in _SKIPPABLE:
                    raise
                first_failure = first_failure or error
                continue
            value = rate
        if values:
            kept.append(EQUALITIES[relations[index - 1][0]])
        values.append(value)
        read.append(member)
    has_products = first_failure is not None and first_failure.code == "vector_product"
    values, kept = _settle_vectors(values, kept, read, context, beside_products=has_products)
    if first_failure is not None:
        if len(values) < 2 or (first_failure.code == "complex" and any(map(_has_imaginary_unit, values))):
            raise first_failure
        context.flag(
            "member_declined", f"one member of the chain was left out: {first_failure.reason}", first_failure.position
        )
    return values, kept


def _settle_vectors(
    values: list[Value], kept: list[Relation], members: list[list[Mark]], context: Context, *, beside_products: bool
) -> tuple[list[Value], list[Relation]]:
    """Without products of vectors in plain letters, with sizes as symbols, and with the flag that sizes are meant."""
    places = without_vector_products(members, values, context)
    beside_products = beside_products or len(places) < len(values)
    if any(is_vector_side(members[place], context) for place in places):
        reading = "vectors are read by their size, along one line: an equation of magnitudes"
        context.flag("magnitudes", reading, members[places[0]][0].position)
    sizes = [plain_magnitude(values[place], beside_vectors=beside_products) for place in places]
    return sizes, kept if len(places) == len(values) else [kept[place - 1] for place in places[1:]]


def _has_imaginary_unit(value: Value) -> bool:
    """Whether a letter that is the imaginary unit elsewhere in the chain would be taken for a quantity here."""
    return isinstance(value, Matrix) or not {"i", "j"}.isdisjoint(symbols_of(value))


def _number(value: Value, context: Context) -> Expression:
    if isinstance(value, Matrix):
        context.decline("matrix", "a matrix stands where a number is needed", None)
    return value


def _equations(values: list[Value], relations: list[Relation], context: Context) -> list[Equation]:
    if any(isinstance(value, Matrix) for value in values):
        return _component_equations(values, relations, context)
    members = [_number(value, context) for value in values]
    found = list(equations_of_chain(members, relations))
    if not any(equation_symbols(equation) for equation in found) and not any(
        isinstance(value, Symbol) for value in members
    ):
        context.flag("no_symbols", "the equation holds numbers only", None)
    return found


def _component_equations(values: list[Value], relations: list[Relation], context: Context) -> list[Equation]:
    """An equation between matrices is one equation for every entry."""
    matrices = [value for value in values if isinstance(value, Matrix)]
    if len(matrices) != len(values) or any(matrix.shape != matrices[0].shape for matrix in matrices):
        context.decline("matrix", "a matrix is set equal to something of another shape", None)
    rows, columns = matrices[0].shape
    return [
        equation
        for row in range(rows)
        for column in range(columns)
        for equation in equations_of_chain([matrix.rows[row][column] for matrix in matrices], relations)
    ]
