"""Symbols out of marks: which letters belong together, what a script says about a letter, what the symbol is called."""

from __future__ import annotations

import re

from mathrag.compute.grammar.context import Context
from mathrag.compute.grammar.labels import PRIMES, script_marks
from mathrag.compute.grammar.letter_runs import join_letters
from mathrag.compute.grammar.lexicon import GROUP_NAMES, OPERATOR_WORDS, SURE_NAMES
from mathrag.compute.grammar.subscripts import subscript_parts
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
    visible,
)
from mathrag.compute.symbol_names import GREEK_NAMES, SymbolParts, join_name

_MAXIMUM_NAME = 64


def prepare(items: tuple[Mark, ...], context: Context, *, quiet: bool = False) -> list[Mark]:
    """The marks of a row as the grammar wants them: letters that spell a name joined, stray scripts attached.

    `quiet` leaves no flags, for a look ahead.
    """
    noted = len(context.flags)
    prepared = _prepared(items, context)
    if quiet:
        del context.flags[noted:]
    return prepared


def _prepared(items: tuple[Mark, ...], context: Context) -> list[Mark]:
    marks: list[Mark] = []
    for mark in items:
        if isinstance(mark, Row) and not mark.items:
            continue
        if (
            isinstance(mark, Sign)
            and mark.text == "="
            and marks
            and isinstance(marks[-1], Sign)
            and marks[-1].text == ":"
        ):
            marks[-1] = Sign("≡", marks[-1].position)
            continue
        if isinstance(mark, Script) and isinstance(mark.base, Row) and not mark.base.items and marks:
            attached = _attach(marks[-1], mark)
            if attached is not None:
                marks[-1] = attached
                continue
        if marks and isinstance(mark, Script) and isinstance(mark.base, Sign) and _marks_symbol(mark.base, marks[-1]):
            # E°_{cell}: the subscript was set after the degree sign but belongs to the letter.
            above = Row((mark.base, *(mark.sup.items if mark.sup else ())), mark.position)
            attached = _attach(marks[-1], Script(Row((), mark.position), mark.sub, above, mark.position))
            if attached is not None:
                marks[-1] = attached
                continue
        if marks and isinstance(mark, Sign) and _marks_symbol(mark, marks[-1]):
            previous = marks[-1]
            if isinstance(previous, Script):
                items_above = (*(previous.sup.items if previous.sup else ()), mark)
                marks[-1] = Script(previous.base, previous.sub, Row(items_above, mark.position), previous.position)
            else:
                marks[-1] = Script(previous, None, Row((mark,), mark.position), previous.position)
            continue
        marks.append(mark)
    # Most rows hold italic letters and signs only; the rarer joins are tried where they can apply.
    if any(isinstance(mark, Words) or (isinstance(mark, Name) and mark.style == "upright") for mark in marks):
        marks = _join_negative_logarithm(_join_words(marks))
    if len(marks) > 1 and any(isinstance(mark, Digits) for mark in marks):
        marks = _join_digits(marks, context)
    return join_letters(marks, context) if len(marks) > 1 else marks


def _join_digits(marks: list[Mark], context: Context) -> list[Mark]:
    """`A1` and `v0`: digits right after a letter are its subscript, for a factor would stand before it."""
    joined: list[Mark] = []
    for mark in marks:
        before = joined[-1] if joined else None
        if (
            isinstance(mark, Digits)
            and mark.text.isdigit()
            and isinstance(before, Name)
            and before.style != "upright"
            and before.text != "pi"
        ):
            context.flag(
                "digit_subscript",
                f"{before.text}{mark.text} is read as {before.text} with the subscript {mark.text}",
                before.position,
            )
            joined[-1] = Script(before, Row((mark,), mark.position), None, before.position)
        else:
            joined.append(mark)
    return joined


def _join_words(marks: list[Mark]) -> list[Mark]:
    """Upright words with word spaces between them are one phrase (`\\mathrm{wetted \\ perimeter}`)."""
    joined: list[Mark] = []
    for index, mark in enumerate(marks):
        before = joined[-2] if len(joined) > 1 else None
        between = joined[-1] if joined else None
        is_word = (
            isinstance(mark, Name)
            and mark.style == "upright"
            and len(mark.text) > 1
            and mark.text not in OPERATOR_WORDS
        )
        follows = isinstance(before, Words) or (
            isinstance(before, Name) and before.style == "upright" and len(before.text) > 1
        )
        after_number = len(joined) > 2 and isinstance(joined[-3], Digits)
        if is_word and follows and isinstance(between, Space) and between.between_words and not after_number and index:
            assert isinstance(mark, Name)
            assert isinstance(before, Name | Words)
            joined[-2:] = [Words(f"{before.text} {mark.text}", before.position)]
        else:
            joined.append(mark)
    return joined


def _marks_symbol(sign: Sign, previous: Mark) -> bool:
    """A prime after anything, or a degree sign after a letter (E°), belongs to what stands before it."""
    if isinstance(previous, Sign | Space):
        return False
    base = previous.base if isinstance(previous, Script) else previous
    return sign.text in PRIMES or (sign.text == "°" and isinstance(base, Name | Accent))


def _join_negative_logarithm(marks: list[Mark]) -> list[Mark]:
    """An upright p before K, H or OH is chemistry's minus logarithm: one name with the letter (pK_a)."""
    joined: list[Mark] = []
    for mark in marks:
        before = joined[-1] if joined else None
        is_p = (isinstance(before, Name) and before.text == "p" and before.style == "upright") or (
            isinstance(before, Words) and before.text.strip() == "p"
        )
        base = mark.base if isinstance(mark, Script) else mark
        if (
            before is not None
            and is_p
            and isinstance(base, Name)
            and base.text in ("K", "H", "OH", "Ka", "Kb", "M", "Ca")
        ):
            name = Name("p" + base.text, before.position, "upright")
            joined[-1] = Script(name, mark.sub, mark.sup, name.position) if isinstance(mark, Script) else name
        else:
            joined.append(mark)
    return joined


def _attach(previous: Mark, script: Script) -> Mark | None:
    """x² and v₀ come as an empty base with a script: give it to the mark before."""
    if isinstance(previous, Sign | Space):
        return None
    if isinstance(previous, Script):
        if (previous.sub and script.sub) or (previous.sup and script.sup):
            return None
        return Script(previous.base, previous.sub or script.sub, previous.sup or script.sup, previous.position)
    return Script(previous, script.sub, script.sup, previous.position)


def is_unknown_operator(mark: Name, context: Context) -> bool:
    """A word the author marked as an operator that is no function of ours and no name we know."""
    is_name = mark.text in GROUP_NAMES or mark.text in context.known or mark.text == context.function
    return mark.style == "operator" and not is_name and mark.text not in OPERATOR_WORDS


def is_function_word(mark: Name, context: Context) -> bool:
    """Whether a name is a function: set upright, or (in MathML) several letters that are no Greek letter's name."""
    if mark.text not in OPERATOR_WORDS or mark.text in context.known:
        return False
    return mark.style == "upright" or (len(mark.text) > 2 and mark.text not in GREEK_NAMES)


def symbol_parts(mark: Mark, context: Context, *, quiet: bool = False) -> SymbolParts | None:
    """The symbol a mark is, when it is one: a letter, an accented letter, a letter with subscript and marks."""
    noted = len(context.flags)
    parts = _symbol_parts(mark, context)
    if quiet:
        del context.flags[noted:]
    return parts


def _symbol_parts(mark: Mark, context: Context) -> SymbolParts | None:
    match mark:
        case Name(text, _, style):
            if style == "upright" and text in OPERATOR_WORDS and text not in context.known:
                return None
            # A script letter beside the plain one is another symbol.
            return (
                SymbolParts(text, (), ("cal",)) if style == "script" and text in context.clashing else SymbolParts(text)
            )
        case Words(text, _):
            words = re.sub(r"(?<=\w) \([^()]{1,12}\)$", "", text.strip()).split()
            if not words or len(words) > 4 or not all(re.fullmatch(r"[A-Za-z][A-Za-z0-9]*", word) for word in words):
                return None
            return SymbolParts("_".join(words)) if len(words) == 1 or len(" ".join(words)) <= 40 else None
        case Accent(accent, body, _):
            inner = _sole_symbol(body, context) or _squared_symbol(body, context)
            if inner is None:
                return None
            return inner.extended(marks=(accent,))
        case Row():
            return _sole_symbol(mark, context)
        case Script(base, sub, sup, _):
            return _scripted_symbol(base, sub, sup, context)
        case _:
            return None


def _scripted_symbol(base: Mark, sub: Row | None, sup: Row | None, context: Context) -> SymbolParts | None:
    inner = symbol_parts(base, context)
    if inner is None:
        return None
    marks, labels, exponent = script_marks(sup, context)
    if exponent is not None:
        return None
    below = subscript_parts(sub, context) if sub is not None else ()
    return inner.extended(subscripts=(*below, *labels), marks=marks)


def _squared_symbol(row: Row, context: Context) -> SymbolParts | None:
    """The mean of a square (`\\overline{v^2}`) is a symbol of its own, not the square of a mean."""
    items = visible(row.items)
    if len(items) != 1 or not isinstance(items[0], Script) or items[0].sup is None:
        return None
    script = items[0]
    inner = symbol_parts(Script(script.base, script.sub, None, script.position), context)
    exponent = script.sup.items if script.sup else ()
    if inner is None or len(exponent) != 1 or not (isinstance(exponent[0], Digits) and exponent[0].text == "2"):
        return None
    return inner.extended(subscripts=("squared",))


def _sole_symbol(row: Row, context: Context) -> SymbolParts | None:
    """The symbol of a braced group: one symbol, a change (`{\\Delta T}`), or letters grouped into a name (`{Re}`)."""
    items = visible(row.items)
    if len(items) == 1:
        return symbol_parts(items[0], context)
    if len(items) == 2 and isinstance(items[0], Name) and items[0].text == "Delta":
        inner = symbol_parts(items[1], context)
        return inner.extended(prefix="Delta") if inner and not inner.prefix else None
    letters = [mark for mark in items if isinstance(mark, Name) and len(mark.text) == 1]
    if items and len(letters) == len(items):
        return SymbolParts("".join(mark.text for mark in letters))
    return None


def is_braced_name(row: Row) -> bool:
    """Whether a brace group of letters is shaped like a name: {SG}, {Pr}."""
    text = "".join(mark.text for mark in row.items if isinstance(mark, Name))
    return text in GROUP_NAMES or text in SURE_NAMES or (len(text) > 1 and text.isupper())


def symbol_name(parts: SymbolParts, context: Context, position: int) -> str:
    """The name of a symbol, refusing what is no name at all."""
    name = join_name(parts)
    if len(name) > _MAXIMUM_NAME:
        context.decline("free_text", "this is too long to be the name of a symbol", position)
    return name


def argument_key(fence: Fence, context: Context) -> str:
    """The arguments of `f(x, t)` as text, to recognise the same call again."""
    return " ".join(
        _mark_key(mark) for mark in prepare(fence.body.items, context, quiet=True) if not isinstance(mark, Space)
    )


def _mark_key(mark: Mark) -> str:
    if isinstance(mark, Name | Digits | Sign | Words):
        return mark.text
    if isinstance(mark, Script):
        rows = (mark.sub, mark.sup)
        return _mark_key(mark.base) + "".join(
            "_" + " ".join(_mark_key(each) for each in row.items) for row in rows if row
        )
    return type(mark).__name__ + str(mark.position)
