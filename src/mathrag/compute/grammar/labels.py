"""What stands upper right of a symbol: marks (prime, star, degree), labels that belong to the name, or an exponent."""

from __future__ import annotations

from mathrag.compute.grammar.context import Context
from mathrag.compute.grammar.lexicon import GREEK_PHASES, LABEL_WORDS, OPERATOR_WORDS, PHASE_LETTERS
from mathrag.compute.grammar.subscripts import subscript_parts
from mathrag.compute.notation import Digits, Fence, Mark, Name, Row, Sign, Words, visible

_SCRIPT_MARKS = {"*": "star", "∘": "circ", "°": "circ", "⊖": "circ", "†": "dagger", "‡": "ddagger"}
PRIMES = {"′": 1, "″": 2, "‴": 3}


def script_marks(
    sup: Row | None, context: Context, *, on_symbol: bool = True
) -> tuple[tuple[str, ...], tuple[str, ...], Row | None]:
    """The marks, labels and exponent of a superscript. `on_symbol`: it stands on a letter, where labels can be."""
    if sup is None:
        return (), (), None
    items = visible(sup.items)
    marks: list[str] = []
    primes = 0
    while items and isinstance(items[0], Sign):
        text = items[0].text
        if text in PRIMES:
            primes += PRIMES[text]
        elif text in _SCRIPT_MARKS:
            marks.append(_SCRIPT_MARKS[text])
        elif text in ("+", "-") and len(items) == 1:
            marks.append("plus" if text == "+" else "minus")
        else:
            break
        items.pop(0)
    if primes:
        marks.insert(0, {1: "prime", 2: "dprime"}.get(primes, "tprime"))
    if not items:
        return tuple(marks), (), None
    if all(_is_label(mark) for mark in items):
        return tuple(marks), subscript_parts(Row(tuple(items), sup.position), context), None
    if on_symbol and not marks:
        mark, label = _likely_label(items, context)
        if mark or label:
            context.flag(
                "superscript_label",
                "what stands upper right of the symbol is read as part of its name, not as a power",
                sup.position,
            )
            return mark, label, None
    return tuple(marks), (), Row(tuple(items), items[0].position)


def _is_label(mark: Mark) -> bool:
    """Upright words above a letter name it (T^{sat}); they are no exponent."""
    if isinstance(mark, Words):
        return bool(mark.text.strip())
    return (
        isinstance(mark, Name)
        and mark.style == "upright"
        and mark.text not in OPERATOR_WORDS
        and mark.text not in ("e", "d", "i", "T")
    )


def _likely_label(items: list[Mark], context: Context) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Superscripts that textbooks use as labels: 0 and o for standard states, phases, (0), words such as sat."""
    nothing: tuple[str, ...] = ()
    if len(items) == 1:
        only = items[0]
        if isinstance(only, Digits) and only.text == "0" and not context.equals_one:
            return ("circ",), nothing
        if (
            isinstance(only, Fence)
            and only.opening == "("
            and len(only.body.items) == 1
            and isinstance(only.body.items[0], Digits)
        ):
            return nothing, (only.body.items[0].text,)
        if isinstance(only, Name) and only.text not in context.known:
            if only.text in ("o", "theta") and only.text not in context.plain_letters:
                return ("circ",), nothing
            is_phase = only.text in PHASE_LETTERS and only.text not in context.plain_letters
            if is_phase or (only.text in GREEK_PHASES and context.has_greek_phases):
                return nothing, (only.text,)
        return nothing, nothing
    if any(isinstance(mark, Sign) and mark.text == "," for mark in items):
        return nothing, subscript_parts(Row(tuple(items), items[0].position), context)
    if all(isinstance(mark, Name) and len(mark.text) == 1 for mark in items):
        word = "".join(mark.text for mark in items if isinstance(mark, Name))
        if word in LABEL_WORDS:
            return nothing, (word,)
    return nothing, nothing
