"""The lines of a formula and the statements on them: equations, their conditions, and remarks that are no part of it.

Splits marks and reads no values: alignments, systems in braces, units in brackets, equation numbers, labels ahead.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from mathrag.compute.grammar.conditions import (
    names_medium,
    only_joins,
    opens_condition,
    relation_of,
    without_blanks,
    words_of,
)
from mathrag.compute.grammar.context import Context
from mathrag.compute.grammar.lexicon import (
    CONDITION_WORDS,
    DECLINED_RELATIONS,
    EQUALITIES,
    INEQUALITIES,
    OPERATOR_SIGNS,
)
from mathrag.compute.grammar.names import prepare, symbol_parts
from mathrag.compute.grammar.species import is_chemical
from mathrag.compute.grammar.units_inside import canonical_unit, is_usual_unit, italic_unit, unit_text
from mathrag.compute.notation import Amount, Digits, Fence, Grid, Mark, Name, Row, Script, Sign, Space, Stack, Words
from mathrag.language.word_classes import word_class
from mathrag.types.expression import Phrase
from mathrag.types.symbol_names import join_name


def split_lines(row: Row) -> list[list[Mark]]:
    """The lines of a formula. A line that begins with a relation or a sign goes on from the one before."""
    items = [_as_system(mark) for mark in _opened(row)]
    if not any(isinstance(mark, Grid) and mark.kind == "lines" for mark in items):
        return [items]
    lines: list[list[Mark]] = [[]]
    for mark in items:
        if not (isinstance(mark, Grid) and mark.kind == "lines"):
            lines[-1].append(mark)
            continue
        for line in _grid_lines(mark):
            visible = without_blanks(line)
            if _opens_with_arrow(visible):
                line = visible = visible[2:]
                if visible and without_blanks(lines[-1]):
                    lines.append([])
            if not visible:
                continue
            if lines[-1] and _continues(visible):
                lines[-1].extend([Space(visible[0].position), *line])
            elif without_blanks(lines[-1]):
                lines.append(line)
            else:
                lines[-1].extend(line)
    return [line for line in lines if without_blanks(line)]


def _opens_with_arrow(line: list[Mark]) -> bool:
    """`=> a = b`: an arrow typed with two signs, from the line above to this one."""
    signs = [mark.text for mark in line[:2] if isinstance(mark, Sign)]
    return signs == ["=", ">"] and line[1].position == line[0].position + 1 and any(map(relation_of, line[2:]))


def _as_system(mark: Mark) -> Mark:
    """Cases or an array whose every line is an equation are a system: several lines, not one value."""
    grid = mark.body.items[0] if isinstance(mark, Fence) and mark.opening == "{" and mark.body.items else mark
    if not isinstance(grid, Grid) or grid.kind == "lines":
        return mark
    if not all(_is_equation(line) for line in grid.lines):
        return mark
    return Grid(
        "lines",
        tuple((Row(tuple(m for cell in line for m in cell.items), grid.position),) for line in grid.lines),
        grid.position,
    )


def _is_equation(line: tuple[Row, ...]) -> bool:
    """Whether a line of cells is one equation without words: its sign in the first cell, or at the head of the next."""
    cells = [mark for cell in line for mark in cell.items]
    signs = [relation_of(item) for item in cells if relation_of(item)]
    starts = without_blanks(list(line[0].items))
    second = without_blanks(list(line[1].items)) if len(line) > 1 else []
    is_statement = any(relation_of(item) for item in starts) or (bool(second) and relation_of(second[0]) == "=")
    has_words = any(isinstance(item, Words) for item in cells)
    return signs == ["="] and bool(starts) and is_statement and not has_words


def _grid_lines(grid: Grid) -> list[list[Mark]]:
    """The lines of an alignment. Columns come in pairs, left and right of a relation; each pair may be a statement."""
    lines: list[list[Mark]] = []
    for cells in grid.lines:
        line: list[Mark] = []
        for index, cell in enumerate(cells):
            items = _opened(cell)
            if len(items) == 1 and isinstance(items[0], Grid) and items[0].kind == "lines":
                lines.extend(_grid_lines(items[0]))
                continue
            if index and index % 2 == 0 and without_blanks(items):
                line.append(Space(cell.position, wide=True))
            line.extend(items)
        lines.append(line)
    return lines


def _opened(row: Row) -> list[Mark]:
    """The marks of a row, with groups that hold everything opened, also parentheses around a whole equation."""
    items = list(row.items)
    while len(visible := without_blanks(items)) == 1:
        only = visible[0]
        if isinstance(only, Row):
            items = list(only.items)
        elif isinstance(only, Fence) and only.opening == "(" and any(relation_of(mark) for mark in only.body.items):
            items = list(only.body.items)
        else:
            break
    opened: list[Mark] = []
    for mark in items:
        # A box or a colour around an equation that has a remark after it.
        is_equation = isinstance(mark, Row) and any(relation_of(inner) for inner in mark.items)
        opened.extend(_opened(mark) if is_equation and isinstance(mark, Row) else (mark,))
    return opened


def _continues(line: list[Mark]) -> bool:
    first = line[0]
    if relation_of(first) is not None:
        return True
    has_relation = any(relation_of(mark) is not None for mark in line)
    return isinstance(first, Sign) and first.text in OPERATOR_SIGNS and not has_relation


# A whole line into statements: equations, conditions and remarks, split where authors split them.

_SPELLED = word_class("formula_words.spelled")
_INSTRUCTIONS = word_class("formula_words.instruction")
_REFERENCES = word_class("formula_words.reference")
_STATES = word_class("formula_words.state")
# Letters in a row that are a word and no product.
_SHORTEST_WORD = 5
_BLANKS_BEFORE = (" ", "\n", "\t", "}", ";", ",")
_BLANKS_AFTER = (" ", "\n", "\t", "\\")


@dataclass(slots=True)
class Statement:
    """One formula of the source: its main marks, and what was said about where it holds."""

    marks: list[Mark]
    conditions: list[list[Mark]] = field(default_factory=list)


def split_statements(line: list[Mark], context: Context) -> list[Statement]:
    """The statements of a line, each with its conditions."""
    statements: list[Statement] = []
    line = without_lead(_spelled_words(line, context), context)
    _refuse_alternatives(line, context)
    pieces = [(led, visible) for led, marks in _split_pieces(line, context) if (visible := without_blanks(marks))]
    last_relation = max((n for n, (_, each) in enumerate(pieces) if any(map(relation_of, each))), default=-1)
    for number, (led_by_condition, marks) in enumerate(pieces):
        body, trailing = trailing_remarks(marks, context)
        if number and len(marks) == 1 and _is_unit_alone(marks[0], context) and not led_by_condition:
            continue
        waits = number < last_relation and _is_lone_symbol(body)
        if not statements:
            is_condition = led_by_condition and not _has_equality(body)
            statements.append(Statement([], [marks]) if is_condition else Statement(body, list(trailing)))
        elif led_by_condition and _has_equality(body) and _lacks_relation(statements[0].marks):
            context.decline("free_text", "words stand between the left side and the equals sign", marks[0].position)
        elif led_by_condition and not (_is_where(marks) and _has_equality(body)):
            statements[-1].conditions.append(marks)
        elif _is_list_item(body):
            _take_list_item(statements, marks, context)
        elif not (led_by_condition or trailing or waits) and not says_something(body):
            context.decline("list", "several values stand where a formula has one", marks[0].position)
        elif _has_equality(body) and not _only_restricts(body, statements[-1]):
            _take_equation(statements, body, trailing, context)
        else:
            statements[-1].conditions.append(marks)
    return statements


def _refuse_alternatives(line: list[Mark], context: Context) -> None:
    for mark in line:
        if isinstance(mark, Words) and {"else", "otherwise"} & set(words_of(mark)):
            context.decline(
                "cases", "an alternative in words (else, otherwise) is not read; use a cases environment", mark.position
            )


def _only_restricts(body: list[Mark], before: Statement) -> bool:
    """A plain value after a formula says where it holds."""
    return _is_plain_value(body) and bool(before.marks) and not _is_plain_value(before.marks)


def _take_equation(statements: list[Statement], body: list[Mark], trailing: list[list[Mark]], context: Context) -> None:
    """A further equation is a statement of its own, or the main one where only conditions stood so far."""
    marks = body[1:] if isinstance(body[0], Words) and opens_condition(body[0]) else body
    last = statements[-1]
    if not last.marks:
        last.marks = marks
        last.conditions.extend(trailing)
        return
    if not any(relation_of(mark) for mark in last.marks):
        context.decline("list", "several names stand on one side of the equation", body[0].position)
    statements.append(Statement(marks, list(trailing)))


def _spelled_words(line: list[Mark], context: Context) -> list[Mark]:
    """Connectives typed as letters between blanks (`0 for x > 1`) are words, not products."""
    result: list[Mark] = []
    index = 0
    while index < len(line):
        run = ""
        while (
            index + len(run) < len(line)
            and isinstance(mark := line[index + len(run)], Name)
            and mark.style == "italic"
            and len(mark.text) == 1
        ):
            if run and mark.position != line[index].position + len(run):
                break
            run += mark.text
        start = line[index].position
        before = context.source[start - 1 : start]
        after = context.source[start + len(run) : start + len(run) + 1]
        is_apart = (start == 0 or before in _BLANKS_BEFORE) and after in _BLANKS_AFTER
        if run in _SPELLED and is_apart and after:
            result.append(Words(f" {run} ", start))
            index += len(run)
        else:
            result.append(line[index])
            index += 1
    return result


def _is_plain_value(body: list[Mark]) -> bool:
    """`C_r = 1` after a formula says where it holds; it defines nothing."""
    visible = without_blanks(body)
    if len(visible) < 3 or relation_of(visible[1]) != "=" or not isinstance(visible[0], Name | Script):
        return False
    return all(isinstance(mark, Digits) or (isinstance(mark, Sign) and mark.text in "-+") for mark in visible[2:])


def _is_lone_symbol(body: list[Mark]) -> bool:
    """A symbol on its own between commas waits for the relation further on: `m, k > 0`."""
    return len(body) == 1 and isinstance(body[0], Name | Script)


def _is_list_item(body: list[Mark]) -> bool:
    """`n = 1, 2, 3, ...`: numbers and dots after a comma belong to the list before them."""
    return all(isinstance(mark, Digits) or (isinstance(mark, Sign) and mark.text in "…+-±") for mark in body)


def _take_list_item(statements: list[Statement], marks: list[Mark], context: Context) -> None:
    """A list of values says where the formula before it holds; on its own it is no formula."""
    if (len(statements) == 1 and not statements[-1].conditions) or not _has_equality(statements[0].marks):
        context.decline("list", "several values stand where a formula has one", marks[0].position)
    if len(statements) > 1:
        values = statements.pop()
        statements[-1].conditions.append([*values.marks, *marks])
    else:
        statements[-1].conditions[-1].extend(marks)


def _lacks_relation(marks: list[Mark]) -> bool:
    return bool(marks) and not any(map(relation_of, marks))


def _has_equality(marks: list[Mark]) -> bool:
    return any(relation_of(mark) in EQUALITIES for mark in marks if relation_of(mark))


def _is_where(marks: list[Mark]) -> bool:
    """ "where k = ..." defines a symbol by a further equation."""
    return bool(marks) and words_of(marks[0])[:1] in (["where"], ["with"])


def _split_pieces(line: list[Mark], context: Context) -> list[tuple[bool, list[Mark]]]:
    """Pieces between commas, wide spaces and words; True for those that a condition word leads."""
    pieces: list[tuple[bool, list[Mark]]] = [(False, [])]
    previous: Mark | None = None
    for index, mark in enumerate(line):
        is_wide = isinstance(mark, Space) and mark.wide
        is_comma = isinstance(mark, Sign) and mark.text in (",", ";", "⇒")
        if is_comma:
            _refuse_decimal_comma(line, index, context)
        if is_comma or (is_wide and _is_complete(pieces[-1][1]) and not _goes_on(line, index)):
            pieces.append((False, []))
        elif isinstance(mark, Words) and not _is_operand(mark, previous, context):
            if only_joins(mark):
                pieces.append((False, []))
            elif pieces[-1][0] and names_medium(mark):
                pieces[-1][1].append(mark)
            elif opens_condition(mark) or (
                _is_complete(pieces[-1][1]) and len(words_of(mark)) > 1 and not pieces[-1][0]
            ):
                pieces.append((True, [mark]))
            else:
                pieces[-1][1].append(mark)
        else:
            pieces[-1][1].append(mark)
        if not isinstance(mark, Space):
            previous = mark
    return pieces


def _goes_on(line: list[Mark], index: int) -> bool:
    """Whether the next visible mark is an operator or relation, so that the space before it separates nothing."""
    following = next((mark for mark in line[index:] if not isinstance(mark, Space)), None)
    return isinstance(following, Sign) and (following.text in OPERATOR_SIGNS or relation_of(following) is not None)


def _refuse_decimal_comma(line: list[Mark], index: int, context: Context) -> None:
    """3,14 r: a comma right between digits, with more than digits after it, is a decimal comma we must not split at."""
    before, after = line[index - 1] if index else None, line[index + 1] if index + 1 < len(line) else None
    more = line[index + 2] if index + 2 < len(line) else None
    if (
        isinstance(before, Digits)
        and isinstance(after, Digits)
        and more is not None
        and not isinstance(more, Sign | Space)
    ):
        context.decline("decimal_comma", "write a decimal point instead of the comma", line[index].position)


def _is_complete(marks: list[Mark]) -> bool:
    """Whether a wide space after these marks can end a statement: a relation has been seen and does not come last."""
    visible = without_blanks(marks)
    if not visible:
        return False
    last = visible[-1]
    is_open = isinstance(last, Sign) and last.text not in ("!", "%", "°", "′")
    return not is_open and any(
        relation_of(mark) is not None or (isinstance(mark, Sign) and mark.text in DECLINED_RELATIONS)
        for mark in visible
    )


def _is_operand(mark: Words, previous: Mark | None, context: Context) -> bool:
    """Whether running text stands where an operand must: right after an operator, or a unit after a number."""
    if previous is None:
        return not opens_condition(mark)
    if isinstance(previous, Sign) and previous.text not in (",", ";", "!", "%"):
        return True
    base = previous.base if isinstance(previous, Script) else previous
    if not isinstance(base, Digits) or only_joins(mark):
        return False
    return mark.text.strip() == "in" or (not opens_condition(mark) and unit_text(mark, context) is not None)


def _is_said_already(members: Sequence[Sequence[Mark]], relations: Sequence[tuple[str, int]]) -> bool:
    return bool(relations) and all(relation in EQUALITIES for relation, _ in relations) and bool(members[-1])


def split_chain(marks: list[Mark], context: Context) -> tuple[list[list[Mark]], list[tuple[str, int]]]:
    """The members of a chain a = b = c, and the relations between them with their places."""
    prepared = prepare(tuple(marks), context)
    members: list[list[Mark]] = [[]]
    relations: list[tuple[str, int]] = []
    for mark in prepared:
        if isinstance(mark, Sign):
            declined = DECLINED_RELATIONS.get(mark.text)
            if declined is not None and declined[0] == "proportionality" and _is_said_already(members, relations):
                # `x = a t^2 ∝ t^2` gives the value first and then remarks on it.
                context.flag("member_declined", f"one member of the chain was left out: {declined[1]}", mark.position)
                break
            if declined is not None:
                context.decline(*declined, mark.position)
            if mark.text in EQUALITIES or mark.text in INEQUALITIES:
                relations.append((mark.text, mark.position))
                members.append([])
                continue
        members[-1].append(mark)
    return members, relations


# What stands beside a formula and is no part of it: remarks, units in brackets, numbers and labels ahead.

_ITEM_LETTERS = ("a", "b", "c", "d", "i", "ii", "iii", "iv", "v")


def trailing_remarks(marks: list[Mark], context: Context) -> tuple[list[Mark], list[list[Mark]]]:
    """Parentheses at the end that hold a relation or words are remarks, not factors."""
    remarks: list[list[Mark]] = []
    while len(marks) > 1:
        last = _unwrapped(marks[-1])
        if isinstance(marks[-2], Sign) and marks[-2].text in OPERATOR_SIGNS:
            break
        if (
            isinstance(last, Fence)
            and last.opening in ("(", "[")
            and (is_remark(last.body) or (_spells_words(last.body) and _is_apart(last, context)))
            and not _is_modulus(last.body)
            and not _follows_letter(marks)
        ):
            remarks.insert(0, list(last.body.items))
            marks = without_blanks(marks[:-1])
        elif _is_numbering(last, marks, context):
            context.flag("equation_number", "the number in parentheses at the end is left out", last.position)
            marks = without_blanks(marks[:-1])
        elif (unit := _bracketed_unit(last, marks, context)) is not None:
            context.flag("unit_annotation", "the unit in brackets at the end is left out", last.position)
            _note_unit(unit, marks, context)
            marks = without_blanks(marks[:-1])
        elif (start := _trailing_unit(marks, context)) is not None:
            context.flag("unit_annotation", "the unit at the end is left out", marks[start].position)
            marks = marks[:start]
        elif isinstance(last, Words) and last.text.strip().startswith("(") and last.text.strip().endswith(")"):
            remarks.insert(0, [Words(last.text.strip()[1:-1], last.position)])
            marks = without_blanks(marks[:-1])
        else:
            break
    return marks, remarks


def _unwrapped(mark: Mark) -> Mark:
    """What a font command around parentheses holds: `\\mathrm{(constant\\ P)}`."""
    only = mark.items[0] if isinstance(mark, Row) and len(mark.items) == 1 else None
    return only if isinstance(only, Fence) else mark


def _is_numbering(mark: Mark, marks: list[Mark], context: Context) -> bool:
    """`...\\ (3.1)`: a literal number in parentheses, set apart at the end or behind a word, numbers the equation."""
    if not isinstance(mark, Fence) or mark.opening not in ("(", "[") or len(mark.body.items) != 1:
        return False
    number = mark.body.items[0]
    is_behind_word = isinstance(marks[-2], Words) and isinstance(number, Digits) and number.text.isdigit()
    # A thin space is not enough: there the number may be a factor.
    return (is_behind_word or _is_apart(mark, context)) and isinstance(number, Digits)


def _trailing_unit(marks: list[Mark], context: Context) -> int | None:
    """Where a unit set apart at the end begins: `\\frac{d}{t}\\ \\mathrm{m/s}`; None when there is none.

    After a number it is the number's; a lone upright letter is more likely a symbol.
    """
    start = len(marks)
    while start > 0 and (unit_text(marks[start - 1], context) is not None or _joins_units(marks, start - 1)):
        start -= 1
    before = marks[start - 1] if start else None
    base = before.base if isinstance(before, Script) else before
    if not 1 < start < len(marks) or isinstance(base, Digits | Sign | Amount):
        return None
    text = "".join("/" if isinstance(mark, Sign) else unit_text(mark, context) or "" for mark in marks[start:])
    place = marks[start].position
    gap = context.source[max(0, place - 12) : place]
    set_apart = any(space in gap for space in ("\\ ", "\\,", "\\;", "\\:", "~", "\\quad"))
    if not set_apart or len(text) < 2 or not any(relation_of(mark) for mark in marks[:start]):
        return None
    is_compound = any(character in text for character in "/^*")
    return start if is_compound and canonical_unit(text, context, place) is not None else None


def _joins_units(marks: list[Mark], index: int) -> bool:
    mark = marks[index]
    return isinstance(mark, Sign) and mark.text == "/" and index > 0 and index + 1 < len(marks)


def _follows_letter(marks: list[Mark]) -> bool:
    """P(X = k): a relation in the parentheses of a function is no remark."""
    before = marks[-2]
    return isinstance(before, Name) and before.text in ("P", "Pr", "p")


def _is_apart(mark: Mark, context: Context) -> bool:
    """Whether a blank wider than a thin one stands before it: so a factor is not set."""
    return context.spacing_before(mark.position) in ("\\", "\\;", "\\:", "~", "\\quad")


def _bracketed_unit(mark: Mark, marks: list[Mark], context: Context) -> str | None:
    """`... [cm^{-1}]` at the end names the unit of the result; [A] stays a concentration.

    In parentheses only where a blank sets them apart, or behind a divisor: `M n / 9549 (kW)`.
    """
    if not isinstance(mark, Fence) or mark.opening not in ("[", "("):
        return None
    if mark.opening == "(" and not ((_is_upright(mark) and _is_of_result(marks, context)) or _is_behind_divisor(marks)):
        return None
    text = unit_text(mark.body, context)
    if text is None:
        return _italic_unit_bracket(mark, marks, context)
    if text[0].isupper() and is_chemical(text):
        return None
    return canonical_unit(text, context, mark.position)


def _is_unit_alone(mark: Mark, context: Context) -> bool:
    """`... \\quad [\\mathrm{kW}]`: the unit of the result, with a wide blank before it."""
    if not isinstance(mark, Fence) or mark.opening not in ("[", "(") or not _is_upright(mark):
        return False
    text = unit_text(mark.body, context)
    unit = None if text is None else canonical_unit(text, context, mark.position)
    if unit is None or (text and text[0].isupper() and is_chemical(text) and mark.opening == "["):
        return False
    context.flag("unit_annotation", "the unit in brackets at the end is left out", mark.position)
    context.result_unit = unit
    return True


def _is_of_result(marks: list[Mark], context: Context) -> bool:
    """Whether a unit in brackets at the end is that of the result, and not of the symbol right before it."""
    before = marks[-2].base if isinstance(marks[-2], Script) else marks[-2]
    if isinstance(before, Sign) or not any(relation_of(mark) for mark in marks[:-2]):
        return False
    if _is_apart(marks[-1], context) or isinstance(before, Fence | Row | Stack):
        return True
    if isinstance(before, Name):
        # Typed `F v [W]` beside `h[km]`: a blank, and no other symbol with its unit behind it.
        place = marks[-1].position
        has_others = any(isinstance(mark, Fence) and mark.opening == "[" for mark in marks[:-1])
        return context.source[max(0, place - 1) : place].isspace() and not has_others
    return _is_behind_divisor(marks)


def _is_behind_divisor(marks: list[Mark]) -> bool:
    """`M n / 9549 [kW]`: nobody divides by a value in the unit, so that it is the result's."""
    divides = marks[-3] if len(marks) > 4 else None
    return isinstance(marks[-2], Digits) and isinstance(divides, Sign) and divides.text in ("/", "÷")


def _note_unit(unit: str, marks: list[Mark], context: Context) -> None:
    """Keep what the bracket at the end says: the unit of the result, or of the symbol right before it."""
    if _is_of_result(marks, context):
        context.result_unit = unit
        return
    parts = symbol_parts(marks[-2], context, quiet=True)
    if parts is not None:
        context.phrases.append(Phrase(join_name(parts), "", unit))


def _is_upright(mark: Fence) -> bool:
    """Whether what is in brackets is set as a unit is: in words or upright letters, not as symbols to multiply with."""
    letters = [each.base if isinstance(each, Script) else each for each in without_blanks(list(mark.body.items))]
    return any(isinstance(each, Words) or (isinstance(each, Name) and each.style == "upright") for each in letters)


def _italic_unit_bracket(mark: Fence, marks: list[Mark], context: Context) -> str | None:
    """`... [N/mm^2]` in italics: a quotient, or set apart and of the kind that the left side usually is."""
    text = italic_unit(without_blanks(list(mark.body.items)), context)
    if text is None or "/" in text:
        return text
    if not (text[0].isupper() and is_chemical(text)):
        return text if len(text) > 1 else None
    first = marks[0].base if isinstance(marks[0], Script) else marks[0]
    is_unit = _is_apart(mark, context) and isinstance(first, Name) and is_usual_unit(first.text, text)
    return text if is_unit else None


def _is_modulus(body: Row) -> bool:
    return bool(body.items) and isinstance(body.items[0], Name) and body.items[0].text == "mod"


def is_remark(body: Row) -> bool:
    """Whether parentheses hold a condition or a reference rather than a factor."""
    items = without_blanks(list(body.items))
    if len(items) == 1 and isinstance(items[0], Row):
        return is_remark(items[0])
    if any(relation_of(mark) is not None for mark in items):
        return True
    first = items[0] if items else None
    if first is not None and _REFERENCES.intersection(words_of(first)[:1]):
        return True
    if _says_what_holds(items):
        return True
    if (
        isinstance(first, Name)
        and first.style == "upright"
        and len(first.text) > 1
        and first.text.lower() in CONDITION_WORDS
    ):
        return True
    return (
        bool(items)
        and isinstance(items[0], Words)
        and (opens_condition(items[0]) or (len(items) == 1 and len(words_of(items[0])) > 1))
    )


def _says_what_holds(items: list[Mark]) -> bool:
    """`(constant v)`, `(small x)`: a word on the state of something, and no operator after it."""
    first = items[0] if items else None
    is_upright = isinstance(first, Name) and first.style == "upright"
    words = [first.text.lower()] if isinstance(first, Name) and is_upright else words_of(first) if first else []
    has_operator = any(isinstance(mark, Sign) and mark.text in OPERATOR_SIGNS for mark in items)
    return bool(words) and words[0] in _STATES and (len(words) > 1 or len(items) > 1) and not has_operator


def _spells_words(body: Row) -> bool:
    """Whether letters spell words, as in `(small\\; angles)`: small letters, more of them in a row than factors."""
    items = without_blanks(list(body.items))
    if not all(isinstance(mark, Name) and mark.text.isascii() and mark.style != "bold" for mark in items):
        return False
    words: list[str] = []
    end = -1
    for mark in items:
        assert isinstance(mark, Name)
        if words and mark.position == end:
            words[-1] += mark.text
        else:
            words.append(mark.text)
        end = mark.position + len(mark.text)
    return max(map(len, words), default=0) >= _SHORTEST_WORD and all(word[1:].islower() for word in words if word[1:])


def says_something(body: list[Mark]) -> bool:
    """Whether a piece beside an equation can be a remark on it: a relation, a set, words, or an equation number."""
    for mark in body:
        if isinstance(mark, Words) or relation_of(mark) or (isinstance(mark, Sign) and mark.text in DECLINED_RELATIONS):
            return True
        if isinstance(mark, Fence) and (
            any(isinstance(inner, Words) for inner in mark.body.items)
            or is_remark(mark.body)
            or _spells_words(mark.body)
            or _is_equation_number(mark)
        ):
            return True
    return False


def _is_item(mark: Fence) -> bool:
    """(a), (ii): a lone small letter or roman number in parentheses ahead of a formula counts the items of a list."""
    letters = [item.text for item in mark.body.items if isinstance(item, Name)]
    return len(letters) == len(mark.body.items) and "".join(letters) in _ITEM_LETTERS


def _is_equation_number(mark: Fence) -> bool:
    return len(mark.body.items) == 1 and isinstance(mark.body.items[0], Digits | Words | Row)


def without_lead(line: list[Mark], context: Context) -> list[Mark]:
    """A label with a colon or an equation number ahead of the formula is no part of it; an objective is none at all."""
    first = next((mark for mark in line if not isinstance(mark, Space)), None)
    if first is None:
        return line
    index = line.index(first)
    after = line[index + 1] if index + 1 < len(line) else None
    words = words_of(first)
    if isinstance(first, Words) and re.fullmatch(r"\(?(?:[a-z]|[ivx]{1,4}|\d{1,2})[).]\s*", first.text):
        return line[index + 1 :]
    if words and words[0] in _INSTRUCTIONS:
        context.decline("free_text", f"an instruction in words: {words[0]}", first.position)
    if isinstance(first, Words) and first.text.rstrip().endswith(":"):
        return line[index + 1 :]
    is_number = isinstance(first, Fence) and first.opening == "(" and (_is_equation_number(first) or _is_item(first))
    if is_number and isinstance(after, Space) and any(relation_of(mark) for mark in line):
        context.flag("equation_number", "the number in parentheses ahead of the formula is left out", first.position)
        return line[index + 1 :]
    return line
