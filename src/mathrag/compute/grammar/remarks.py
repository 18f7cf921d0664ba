"""What stands beside a formula and is no part of it: remarks, units in brackets, numbers and labels ahead."""

from __future__ import annotations

import re

from mathrag.compute.grammar.conditions import opens_condition, relation_of, without_blanks, words_of
from mathrag.compute.grammar.context import Context
from mathrag.compute.grammar.lexicon import CONDITION_WORDS, DECLINED_RELATIONS, OPERATOR_SIGNS
from mathrag.compute.grammar.species import is_chemical
from mathrag.compute.grammar.units_inside import canonical_unit, unit_text
from mathrag.compute.notation import Amount, Digits, Fence, Mark, Name, Row, Script, Sign, Space, Words

_ITEM_LETTERS = ("a", "b", "c", "d", "i", "ii", "iii", "iv", "v")


def trailing_remarks(marks: list[Mark], context: Context) -> tuple[list[Mark], list[list[Mark]]]:
    """Parentheses at the end that hold a relation or words are remarks, not factors."""
    remarks: list[list[Mark]] = []
    while len(marks) > 1:
        last = marks[-1]
        if isinstance(marks[-2], Sign) and marks[-2].text in OPERATOR_SIGNS:
            break
        if (
            isinstance(last, Fence)
            and last.opening in ("(", "[")
            and is_remark(last.body)
            and not _is_modulus(last.body)
            and not _follows_letter(marks)
        ):
            remarks.insert(0, list(last.body.items))
            marks = without_blanks(marks[:-1])
        elif _is_numbering(last, context):
            context.flag("equation_number", "the number in parentheses at the end is left out", last.position)
            marks = without_blanks(marks[:-1])
        elif _is_unit_bracket(last, context):
            context.flag("unit_annotation", "the unit in brackets at the end is left out", last.position)
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


def _is_numbering(mark: Mark, context: Context) -> bool:
    """`...\\ (3.1)`: a literal number in parentheses, set apart at the end, numbers the equation."""
    if not isinstance(mark, Fence) or mark.opening not in ("(", "[") or len(mark.body.items) != 1:
        return False
    # A thin space is not enough: there the number may be a factor.
    is_apart = context.spacing_before(mark.position) in ("\\", "\\;", "\\:", "~", "\\quad")
    return is_apart and isinstance(mark.body.items[0], Digits)


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


def _is_unit_bracket(mark: Mark, context: Context) -> bool:
    """`... [cm^{-1}]` at the end names the unit of the result; [A] stays a concentration."""
    if not isinstance(mark, Fence) or mark.opening != "[":
        return False
    text = unit_text(mark.body, context)
    if text is None or (text[0].isupper() and is_chemical(text)):
        return False
    return canonical_unit(text, context, mark.position) is not None


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
    if first is not None and words_of(first)[:1] in (["eq"], ["equation"], ["fig"], ["table"], ["see"]):
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


def says_something(body: list[Mark]) -> bool:
    """Whether a piece beside an equation can be a remark on it: a relation, a set, words, or an equation number."""
    for mark in body:
        if isinstance(mark, Words) or relation_of(mark) or (isinstance(mark, Sign) and mark.text in DECLINED_RELATIONS):
            return True
        if isinstance(mark, Fence) and (
            any(isinstance(inner, Words) for inner in mark.body.items)
            or is_remark(mark.body)
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
    if words and words[0] in ("maximize", "minimize", "maximise", "minimise", "find", "let", "if"):
        context.decline("free_text", f"an instruction in words: {words[0]}", first.position)
    if isinstance(first, Words) and first.text.rstrip().endswith(":"):
        return line[index + 1 :]
    is_number = isinstance(first, Fence) and first.opening == "(" and (_is_equation_number(first) or _is_item(first))
    if is_number and isinstance(after, Space) and any(relation_of(mark) for mark in line):
        context.flag("equation_number", "the number in parentheses ahead of the formula is left out", first.position)
        return line[index + 1 :]
    return line
