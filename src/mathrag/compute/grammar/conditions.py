"""Conditions of validity and expressions by cases: `T > 0`, "for laminar flow", each line after a brace.

Comparisons where they can be read, else the words of the source.
"""

from __future__ import annotations

from collections.abc import Iterable

from mathrag.compute.grammar.context import Context
from mathrag.compute.grammar.lexicon import CONDITION_WORDS, EQUALITIES, INEQUALITIES, JOINING_WORDS, OTHERWISE_WORDS
from mathrag.compute.grammar.values import read_row
from mathrag.compute.notation import Fence, Grid, Mark, Name, Root, Row, Sign, Space, Words, visible, walk_marks
from mathrag.errors import FormulaError
from mathrag.types.expression import Comparison, Condition, Expression, Piecewise

# What is around us where nothing else is said: a limit that holds in it is a limit.
_IN_MEDIUM = (["in", "air"],)
_RELATIONS = {**INEQUALITIES, "=": "=", "≈": "=", "≡": "="}


def without_blanks(items: list[Mark]) -> list[Mark]:
    """Marks without spaces and trailing punctuation."""
    marks = [mark for mark in visible(items) if not (isinstance(mark, Row) and not mark.items)]
    while marks and isinstance(marks[-1], Sign) and marks[-1].text in (",", ";", ".", ":"):
        marks.pop()
    while marks and isinstance(marks[0], Sign) and marks[0].text in (",", ";", ":"):
        marks.pop(0)
    return marks


def relation_of(mark: Mark) -> str | None:
    """The relation a sign is, when it is one."""
    return mark.text if isinstance(mark, Sign) and (mark.text in EQUALITIES or mark.text in INEQUALITIES) else None


def words_of(mark: Mark) -> list[str]:
    """The words of running text, in lower case."""
    return [word.strip(".,:;()") for word in mark.text.lower().split()] if isinstance(mark, Words) else []


def is_otherwise(items: list[Mark]) -> bool:
    """Whether the words only say "otherwise"."""
    marks = without_blanks(items)
    return len(marks) == 1 and isinstance(marks[0], Words) and marks[0].text.strip(" .,:;").lower() in OTHERWISE_WORDS


def read_comparisons(
    items: list[Mark], context: Context, operands: frozenset[str] = frozenset()
) -> tuple[Comparison, ...] | None:
    """All comparisons of a condition, or None when some of it is only words.

    `operands` are runs of words that the formula computes with, as in `\\text{if sales} > 10`.
    """
    found: list[Comparison] = []
    for piece in _conjuncts(items):
        marks = [_operand_of(mark, operands) for mark in without_blanks(piece)]
        while (
            marks
            and isinstance(marks[0], Words)
            and set(words_of(marks[0])) <= CONDITION_WORDS | {"and", "", "that", "all", "range", "the"}
        ):
            marks = without_blanks(marks[1:])
        while len(marks) == 1 and isinstance(marks[0], Fence | Row):
            marks = without_blanks(list(marks[0].body.items if isinstance(marks[0], Fence) else marks[0].items))
        if not marks:
            continue
        comparisons = _chain(marks, context)
        if comparisons is None:
            return None
        found.extend(comparisons)
    return tuple(found)


def _operand_of(mark: Mark, operands: frozenset[str]) -> Mark:
    """Running text without the words that open a condition, where the rest names an operand of the formula."""
    if not operands or not isinstance(mark, Words):
        return mark
    words = mark.text.split()
    for first in range(1, len(words)):
        is_opening = {word.casefold() for word in words[:first]} <= CONDITION_WORDS | {"the"}
        rest = " ".join(words[first:])
        if is_opening and rest.casefold() in operands:
            return Words(rest, mark.position)
    return mark


def _operands(rows: Iterable[list[Mark]]) -> frozenset[str]:
    """The runs of words in the values of the cases."""
    marks = (inner for row in rows for mark in row for inner in walk_marks(mark))
    return frozenset(" ".join(mark.text.split()).casefold() for mark in marks if isinstance(mark, Words))


def _conjuncts(items: list[Mark]) -> list[list[Mark]]:
    pieces: list[list[Mark]] = [[]]
    for mark in items:
        joins = isinstance(mark, Words) and bool(words_of(mark)) and set(words_of(mark)) <= {"and", "&"}
        if joins or (isinstance(mark, Sign) and mark.text in (",", ";", "∧")):
            pieces.append([])
        else:
            pieces[-1].append(mark)
    return pieces


def _chain(marks: list[Mark], context: Context) -> list[Comparison] | None:
    sides: list[list[Mark]] = [[]]
    relations: list[str] = []
    for mark in marks:
        relation = relation_of(mark)
        if relation is not None:
            relations.append(_RELATIONS[relation])
            sides.append([])
        else:
            sides[-1].append(mark)
    if not relations or any(not side for side in sides):
        return None
    try:
        values: list[Expression] = [read_row(Row(tuple(side), side[0].position), context) for side in sides]
    except FormulaError:
        return None
    return [
        Comparison(relation, left, right)  # type: ignore[arg-type]
        for relation, left, right in zip(relations, values, values[1:], strict=False)
    ]


def read_condition(items: list[Mark], context: Context) -> Condition | None:
    """A condition with the words of the source; None when nothing stands there."""
    marks = without_blanks(items)
    if not marks:
        return None
    flags = list(context.flags)
    depth = context.depth
    try:
        comparisons = read_comparisons(_without_medium(marks), context) or ()
    except FormulaError:
        comparisons = ()
    context.flags[:] = flags
    context.depth = depth
    return Condition(comparisons, plain_text(marks))


def _without_medium(marks: list[Mark]) -> list[Mark]:
    """A comparison without the words in which it holds: `h < 1000 m in air`. Its text keeps them."""
    return without_blanks(marks[:-1]) if len(marks) > 1 and names_medium(marks[-1]) else marks


def names_medium(mark: Mark) -> bool:
    """Whether words behind a comparison say in what it holds: "in air"."""
    return words_of(mark) in _IN_MEDIUM


def plain_text(marks: list[Mark]) -> str:
    """The marks as plain words, for a reader."""
    pieces: list[str] = []
    for mark in marks:
        match mark:
            case Words(text, _):
                pieces.append(text.strip())
            case Name(text, _, _) | Sign(text, _):
                pieces.append(text)
            case Fence(opening, closing, body, _):
                pieces.append(opening + plain_text(list(body.items)) + closing)
            case Row(items, _):
                pieces.append(plain_text(list(items)))
            case Root(body, degree, _):
                of = "" if degree is None else f"[{plain_text([degree])}]"
                pieces.append(f"sqrt{of}({plain_text([body])})")
            case Space():
                continue
            case _:
                pieces.append(_script_text(mark))
    return " ".join(piece for piece in pieces if piece)


def _script_text(mark: Mark) -> str:
    text = getattr(mark, "text", None)
    if isinstance(text, str):
        return text
    parts = []
    for attribute, sign in (("base", ""), ("sub", "_"), ("sup", "^"), ("above", ""), ("below", "/"), ("body", "")):
        part = getattr(mark, attribute, None)
        if part is not None:
            shown = plain_text([part])
            # A power of minus four is one sign for the eye: 10^-4.
            parts.append(sign + (shown.replace("- ", "-") if attribute == "sup" else shown))
    return "".join(parts)


def opens_condition(mark: Mark) -> bool:
    """Whether running text begins a condition ("for", "if", "at constant")."""
    words = words_of(mark)
    return bool(words) and words[0] in CONDITION_WORDS


def only_joins(mark: Mark) -> bool:
    """Whether running text only joins two statements ("and", "or")."""
    words = [word for word in words_of(mark) if word]
    if isinstance(mark, Words) and mark.text.strip().isupper():
        return False  # OR and AS in capitals are names
    return isinstance(mark, Words) and (not words or all(word in JOINING_WORDS for word in words))


# Expressions by cases: each line a value and the condition under which it holds.


def read_cases(grid: Grid, context: Context) -> Expression:
    """The branches of a case distinction."""
    branches: list[tuple[Expression, tuple[Comparison, ...]]] = []
    otherwise: Expression | None = None
    operands = _operands(_split(line)[0] for line in grid.lines)
    for line in grid.lines:
        value, condition = _split(line)
        value = without_blanks(value)
        if not value:
            context.decline("cases", "a case without a value", line[0].position)
        if any(relation_of(mark) == "=" for mark in value):
            context.decline("cases", "the lines after the brace are equations of their own", line[0].position)
        expression = read_row(Row(tuple(value), value[0].position), context)
        if is_otherwise(condition) or not without_blanks(condition):
            if line is not grid.lines[-1]:
                context.decline("cases", "only the last case may stand without a condition", line[0].position)
            otherwise = expression
            continue
        comparisons = read_comparisons(condition, context, operands)
        if not comparisons:
            context.decline("cases", "the condition of this case cannot be checked by computing", condition[0].position)
        branches.append((expression, comparisons))
    if not branches:
        context.decline("cases", "no case has a condition", grid.position)
    return Piecewise(tuple(branches), otherwise)


def _split(line: tuple[Row, ...]) -> tuple[list[Mark], list[Mark]]:
    """Value and condition: by column, or at the words or the wide space between them."""
    cells = [list(cell.items) for cell in line]
    if len(cells) > 1 and without_blanks(cells[1]):
        condition: list[Mark] = list(cells[1])
        for cell in cells[2:]:
            if without_blanks(cell):
                condition.extend([Sign(",", cell[0].position), *cell])
        return cells[0], condition
    items = cells[0]
    for index, mark in enumerate(items):
        is_break = (isinstance(mark, Space) and mark.wide) or (isinstance(mark, Sign) and mark.text == ",")
        if (isinstance(mark, Words) and (opens_condition(mark) or is_otherwise([mark]))) or is_break:
            return items[:index], items[index:]
    return items, []
