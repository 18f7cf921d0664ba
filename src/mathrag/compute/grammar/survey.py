"""A first look over the whole formula: what the letters are used for, before any of it is read.

A superscript, a parenthesis or an e can only be judged by the rest of the formula; what must be known is gathered here.
"""

from __future__ import annotations

import itertools

from mathrag.compute.grammar import lexicon
from mathrag.compute.grammar.context import Context
from mathrag.compute.grammar.names import argument_key, prepare, symbol_parts
from mathrag.compute.grammar.species import flat_text, is_chemical
from mathrag.compute.grammar.vectors import survey_vectors
from mathrag.compute.notation import (
    Accent,
    Digits,
    Fence,
    Mark,
    Name,
    Row,
    Script,
    Sign,
    Space,
    Words,
    parts_of,
    visible,
    walk_marks,
)
from mathrag.types.symbol_names import join_name


def survey(row: Row, context: Context) -> None:
    """Fill the context with what the formula as a whole tells."""
    marks = walk_marks(row)
    names = [mark for mark in marks if isinstance(mark, Name)]
    context.known |= _left_side_name(row, context) - context.choices.products
    context.lone_letters = _lone_letters(marks)
    context.groups = _groups(marks)
    context.plain_letters = frozenset(_plain_letters(row))
    context.pi_is_symbol = _has_marked_pi(marks)
    context.has_factorial = any(isinstance(mark, Sign) and mark.text == "!" for mark in marks)
    if context.pi_is_symbol:
        context.flag("pi_symbol", "\\pi carries a mark somewhere, so it is read as a symbol, not as 3.14159", None)
    if _stands_alone("Delta", marks):
        context.known |= {"Delta"}
    survey_vectors(row, marks, context)
    _refuse_operators(marks, context)
    _refuse_reaction(row, names, context)
    context.clashing = _clashing(names)
    scripts = [mark for mark in marks if isinstance(mark, Script) and mark.sup is not None]
    context.has_greek_phases = _has_greek_phases(scripts)
    context.equals_one = _equals_one(row)
    rows = [mark for mark in marks if isinstance(mark, Row)]
    _refuse_imaginary(rows, context)
    if any(isinstance(mark, Fence) for mark in marks):
        _collect_applications(rows, context)


def _left_side_name(row: Row, context: Context) -> frozenset[str]:
    """A left side that is only a run of capitals (PMT, NPV) is one name; two capitals may be a product, so say so."""
    letters: list[Name] = []
    for mark in row.items:
        base = mark.base if isinstance(mark, Script) and mark.sup is None else mark
        if isinstance(base, Name) and base.style == "italic" and len(base.text) == 1:
            letters.append(base)
        elif isinstance(mark, Sign) and mark.text in lexicon.EQUALITIES:
            break
        elif not isinstance(mark, Space) and not (letters and isinstance(mark, Fence)):
            return frozenset()
    run = "".join(mark.text for mark in letters)
    places = [mark.position for mark in letters]
    if (
        len(run) < 2
        or run in context.known
        or (places != list(range(places[0], places[0] + len(run))) and not context.source.startswith("<"))
    ):
        return frozenset()
    if run in lexicon.GROUP_NAMES:
        context.flag("multi_letter_name", f"the left side {run} is read as one name", places[0])
        return lexicon.GROUP_NAMES
    if not run.isupper():
        return frozenset()
    is_name = len(run) > 2 or run in lexicon.LEFT_SIDE_NAMES
    reading = f"the name {run}" if is_name else f"the product {' times '.join(run)}"
    context.flag("multi_letter_name", f"the left side {run} is read as {reading}", places[0])
    return frozenset((run,)) if is_name else frozenset()


def _lone_letters(marks: list[Mark]) -> frozenset[str]:
    """Letters that stand in the formula with no other letter beside them, or with a script of their own."""
    found: set[str] = set()
    for mark in marks:
        if isinstance(mark, Script) and isinstance(mark.base, Name):
            found.add(mark.base.text)
        if not isinstance(mark, Row):
            continue
        items = [None, *visible(mark.items), None]
        for before, item, after in zip(items, items[1:], items[2:], strict=False):
            if isinstance(item, Name) and not isinstance(before, Name) and not isinstance(after, Name):
                found.add(item.text)
    return frozenset(found)


def _refuse_reaction(row: Row, names: list[Name], context: Context) -> None:
    """`2H_2 + O_2 = 2H_2O` in upright type: a reaction, though it is written with an equals sign."""
    items = visible(row.items)
    if len(items) == 1 and isinstance(items[0], Row):
        items = visible(items[0].items)
    signs = {mark.text for mark in items if isinstance(mark, Sign)}
    if not {"=", "+"} <= signs or signs - {"=", "+"}:
        return
    addends: list[list[Mark]] = [[]]
    for mark in items:
        if isinstance(mark, Sign):
            addends.append([])
        elif addends[-1] or not isinstance(mark, Digits):
            addends[-1].append(mark)
    texts = [flat_text(tuple(addend)) for addend in addends]
    is_upright = all(name.style == "upright" for name in names) or any(
        f.code == "upright_formula" for f in context.flags
    )
    has_count = any(any(character.isdigit() for character in text or "") for text in texts)
    if is_upright and has_count and all(text and is_chemical(text) for text in texts):
        context.decline("reaction", "a chemical reaction is not an equation between numbers", row.position)


def _has_marked_pi(marks: list[Mark]) -> bool:
    """Whether pi carries a subscript or a star somewhere: then it is inflation or a profit, not the number."""
    for mark in marks:
        if isinstance(mark, Script) and isinstance(mark.base, Name) and mark.base.text == "pi":
            above = mark.sup.items if mark.sup is not None else ()
            if mark.sub is not None or any(isinstance(item, Sign) and item.text in "*′∘" for item in above):
                return True
    return False


def _stands_alone(letter: str, marks: list[Mark]) -> bool:
    """Whether a letter stands before a sign or at an end somewhere, so that it is no prefix of what follows."""
    for mark in marks:
        items = visible(mark.items) if isinstance(mark, Row) else []
        for index, item in enumerate(items):
            following = items[index + 1] if index + 1 < len(items) else None
            if isinstance(item, Name) and item.text == letter and (following is None or isinstance(following, Sign)):
                return True
    return False


def _refuse_operators(marks: list[Mark], context: Context) -> None:
    """A hatted capital beside a wave function is an operator, not a factor."""
    has_wave = any(isinstance(mark, Name) and mark.text in ("psi", "Psi") for mark in marks)
    for mark in marks:
        inner = mark.body.items[0] if isinstance(mark, Accent) and mark.mark == "hat" and mark.body.items else None
        if has_wave and isinstance(inner, Name) and (inner.text.isupper() or inner.text in ("p", "x")):
            context.decline("operator", "a quantum operator acts on what follows; it is no factor", mark.position)


def _groups(marks: list[Mark]) -> frozenset[str]:
    """The names that travel with a sure one of the same trade (Re brings Pr and Sc, FV brings PV)."""
    runs: set[str] = set()
    run = ""
    for mark in (*marks, Space(0)):
        if isinstance(mark, Name) and len(mark.text) == 1 and mark.style != "upright":
            run += mark.text
        else:
            if isinstance(mark, Name):
                runs.add(mark.text)
            if run and not isinstance(mark, Row | Script):
                runs.add(run)
                run = ""
    found: set[str] = set()
    for sure, companions in lexicon.TRADES:
        if any(
            name in found_run
            for found_run in runs
            for name in sure
            if found_run.startswith(name) or found_run.endswith(name)
        ):
            found |= companions
    return frozenset(found)


def _plain_letters(mark: Mark) -> set[str]:
    """The names that stand on the line: not in subscripts, not upper right of a symbol."""
    found: set[str] = set()
    pending: list[Mark] = [mark]
    while pending:
        current = pending.pop()
        match current:
            case Name(text, _, _):
                found.add(text)
            case Script(base, _, sup, _):
                is_euler = isinstance(base, Name) and base.text == "e" and sup is not None
                on_symbol = isinstance(base, Name) and not is_euler
                if not is_euler:
                    pending.append(base)
                if sup is not None and not on_symbol:
                    pending.append(sup)
            case Row(items, _):
                pending.extend(items)
            case _:
                pending.extend(parts_of(current))
    return found


def _clashing(names: list[Name]) -> frozenset[str]:
    """Letters that stand in the formula both plain and in script type."""
    styles: dict[str, set[bool]] = {}
    for mark in names:
        styles.setdefault(mark.text, set()).add(mark.style == "script")
    return frozenset(text for text, found in styles.items() if len(found) == 2)


def _has_greek_phases(scripts: list[Script]) -> bool:
    """Whether one symbol carries two different Greek superscripts: then they name phases, not powers."""
    seen: dict[str, set[str]] = {}
    for script in scripts:
        above = visible(script.sup.items) if script.sup else []
        if len(above) == 1 and isinstance(above[0], Name) and above[0].text in lexicon.GREEK_PHASES:
            below = "".join(getattr(mark, "text", "") for mark in walk_marks(script.sub)) if script.sub else ""
            base = "".join(getattr(mark, "text", "") for mark in walk_marks(script.base))
            seen.setdefault(f"{base}_{below}", set()).add(above[0].text)
    return any(len(found) > 1 for found in seen.values())


def _equals_one(row: Row) -> bool:
    """Whether a side is just 1: then a^0 is a power, for the law says so."""
    items = visible(row.items)
    for index, mark in enumerate(items[:-1]):
        following = items[index + 1]
        if isinstance(mark, Sign) and mark.text == "=" and isinstance(following, Digits) and following.text == "1":
            return index + 2 == len(items) or isinstance(items[index + 2], Sign)
    return False


def _refuse_imaginary(rows: list[Row], context: Context) -> None:
    """An i or j beside omega, hbar or pi is the imaginary unit; so is j after a sign (R + jX) and i in x + iy."""
    for row in rows:
        items = visible(row.items)
        texts = [_letter_text(mark) for mark in items]
        for index, (first, second) in enumerate(itertools.pairwise(texts)):
            for unit, other in ((first, second), (second, first)):
                if unit in ("i", "j") and other in ("omega", "hbar", "pi"):
                    _decline_imaginary(unit, items[index].position, context)
            before = items[index - 1] if index else None
            after_sign = isinstance(before, Sign) and before.text in "+-±"
            if after_sign and first == "j" and second.isalpha():
                _decline_imaginary("j", items[index].position, context)
            if after_sign and (first, second) in (("i", "y"), ("y", "i"), ("i", "b"), ("b", "i"), ("i", "v")):
                _decline_imaginary("i", items[index].position, context)


def _letter_text(mark: Mark) -> str:
    base = mark.base if isinstance(mark, Script) else mark
    return base.text if isinstance(base, Name) else ""


def _decline_imaginary(unit: str, position: int, context: Context) -> None:
    if not context.knows(unit):
        reason = "the imaginary unit stands in the formula; only real values are computed"
        context.decline("complex", reason, position)


def _collect_applications(rows: list[Row], context: Context) -> None:
    """Which symbols stand before parentheses, and what is in them: k(T_1) and k(T_2) are two values of one function."""
    for row in rows:
        if not any(isinstance(mark, Fence) for mark in row.items):
            continue
        items = visible(prepare(row.items, context, quiet=True))
        for index, (head, fence) in enumerate(itertools.pairwise(items)):
            if not isinstance(fence, Fence) or fence.opening != "(" or not isinstance(head, Name | Script):
                continue
            parts = symbol_parts(head, context, quiet=True)
            inside = visible(fence.body.items)
            is_lone = len(inside) == 1 and isinstance(inside[0], Name | Script | Digits | Words | Row)
            is_unit = all(
                isinstance(mark, Words | Script) or (isinstance(mark, Name) and mark.style == "upright")
                for mark in inside
            )
            if parts is None or not (is_lone or is_unit):
                continue
            before = items[index - 1] if index else None
            is_change = isinstance(before, Name) and before.text == "Delta"
            name = join_name(parts.extended(prefix="Delta") if is_change else parts)
            context.applications.setdefault(name, set()).add(argument_key(fence, context))
