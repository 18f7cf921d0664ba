"""A symbol followed by parentheses: a product, a function value, an event, a label or a unit in brackets."""

from __future__ import annotations

from mathrag.compute.grammar import lexicon
from mathrag.compute.grammar.context import Context
from mathrag.compute.grammar.names import argument_key, prepare, subscript_parts, symbol_parts
from mathrag.compute.grammar.terms import Terms
from mathrag.compute.grammar.units_inside import canonical_unit, unit_text
from mathrag.compute.notation import Accent, Digits, Fence, Mark, Name, Root, Row, Script, Sign, Stack, Words, visible
from mathrag.types.symbol_names import WORD_LETTERS, SymbolParts, safe_identifier, split_name

_SET_SIGNS = frozenset(("|", "∩", "∪", "∧", "∨", "¬", "="))
_RELATIONS = frozenset((*lexicon.EQUALITIES, *lexicon.INEQUALITIES))
_PROBABILITY = frozenset(("P", "p", "Pr"))
# Nobody writes v(t) for v times t: these alone in parentheses are what a function depends on.
_INDEPENDENT = frozenset(("x", "y", "z", "t"))
_ARGUMENTS = frozenset((*_INDEPENDENT, "T", "r", "theta", "phi", "omega", "s"))
# Letters that name a function rather than a quantity.
_FUNCTION_LETTERS = frozenset(("f", "g", "h", "u", "w", "F", "G", "H", "J", "Y", "phi", "psi", "Phi", "Psi", "zeta"))


def symbol_with_arguments(terms: Terms, name: str, fence: Fence, mark: Mark) -> str | None:
    """The name when the parenthesis after a symbol belongs to it; None when it is a factor of its own.

    The cursor stands on the parenthesis and moves past it only when it is taken.
    """
    context = terms.context
    marks = visible(prepare(fence.body.items, context))
    signs = {item.text for item in marks if isinstance(item, Sign)}
    if fence.opening == "[":
        return _bracketed(terms, name, fence, marks)
    if name == "O" and not context.knows(name):
        context.decline("order", "O(...) states an order of growth, not a value", fence.position)
    if context.arguments and _keys(fence, context) <= context.arguments:
        # The left side says that the formula speaks of functions of this; f(t) and g(t) are values, one symbol each.
        terms.index += 1
        return name
    if name in _PROBABILITY and is_event(marks):
        terms.index += 1
        context.flag(
            "call_or_product", f"{name}(...) is read as the probability of an event, one symbol", fence.position
        )
        return safe_identifier("_".join((name, *_event_parts(marks, context))))
    if "," in signs or ";" in signs:
        context.decline(
            "unknown_function", f"{name} is applied to several arguments but is not known as a function", fence.position
        )
    if signs & _RELATIONS:
        context.decline("unknown_function", f"a relation stands inside the parentheses after {name}", fence.position)
    unit = unit_annotation(marks, context)
    if unit is not None:
        return _annotated(terms, name, unit, fence)
    if marks and all(isinstance(item, Words) for item in marks):
        terms.index += 1
        context.flag("label", f"the words in parentheses after {name} are read as part of its name", fence.position)
        return safe_identifier("_".join((name, *subscript_parts(fence.body, context))))
    if len(marks) == 1 and (isinstance(marks[0], Digits) or symbol_parts(marks[0], context) is not None):
        return _lone_argument(terms, name, fence, marks[0], mark)
    if (
        name in ("f", "g", "phi", "psi")
        and {"x", "t"} & {item.text for item in marks if isinstance(item, Name)}
        and not context.knows(name)
    ):
        context.decline(
            "unknown_function", f"{name} is applied like a function that is defined nowhere", fence.position
        )
    if name == context.function:
        context.decline("unknown_function", f"{name} is applied to something else than on the left", fence.position)
    if context.is_left_side and not signs & {"+", "-"} and terms.index == 1 and terms.peek(1) is None:
        reading = f"{name}(...) on the left is read as a product; it may be a function of what is in parentheses"
        context.flag("call_or_product", reading, fence.position)
    if len(marks) == 1 and isinstance(marks[0], Root | Stack):
        context.flag("call_or_product", f"{name}(...) is read as a product; it may be a function", fence.position)
    if name in _FUNCTION_LETTERS or (split_name(name).letter in ("H", "J", "Y", "L") and split_name(name).subscripts):
        context.flag(
            "call_or_product",
            f"{name}(...) is read as a product; it may be a function of what is in parentheses",
            fence.position,
        )
    return None


def _bracketed(terms: Terms, name: str, fence: Fence, marks: list[Mark]) -> str | None:
    context = terms.context
    signs = {item.text for item in marks if isinstance(item, Sign)}
    if context.arguments and _keys(fence, context) <= context.arguments:
        terms.index += 1
        return name
    letters = {item.text for item in marks if isinstance(item, Name)}
    if _is_sequence_index(marks) or (context.function and letters & context.arguments):
        context.decline("unknown_function", f"{name}[...] is a term of a sequence, not a product", fence.position)
    if (
        name in ("E", "Var", "Cov", "H", "L")
        and marks
        and isinstance(marks[0], Name | Script)
        and not (signs & {"+", "-"})
    ):
        context.decline("statistic_operator", f"{name}[...] is an operator, not a product", fence.position)
    unit = unit_annotation(marks, context)
    if unit is not None and not _looks_like_species(marks):
        return _annotated(terms, name, unit, fence)
    return None


def _looks_like_species(marks: list[Mark]) -> bool:
    """[A] and [HA] are concentrations even though A is also a unit."""
    return len(marks) == 1 and isinstance(marks[0], Name | Words) and marks[0].text.strip()[:1].isupper()


def _annotated(terms: Terms, name: str, unit: str, fence: Fence) -> str:
    """T(K) is T; when T(K) and T(°C) stand in one formula they are two symbols."""
    terms.index += 1
    terms.context.flag("unit_annotation", f"{name}({unit}) is read as {name}, a number of {unit}", fence.position)
    several = len(terms.context.applications.get(name, ())) > 1
    return safe_identifier(f"{name}_{unit}") if several else name


def _lone_argument(terms: Terms, name: str, fence: Fence, inside: Mark, mark: Mark) -> str | None:
    """One symbol or number in parentheses: a function value far more often than a product."""
    context = terms.context
    parts = symbol_parts(inside, context) if not isinstance(inside, Digits) else None
    letter = parts.letter if parts is not None and not parts.subscripts else ""
    own = split_name(name)
    several = len(context.applications.get(name, ())) > 1
    if letter in _INDEPENDENT and name.endswith("prime"):
        context.decline("derivative", "a derivative has no value here", fence.position)
    is_special = own.letter in ("J", "Y", "H", "P", "L") and bool(own.subscripts) and letter in (*_INDEPENDENT, "r")
    is_function = (
        is_special or name == "f" or (name in _FUNCTION_LETTERS and letter in _INDEPENDENT) or _is_operator_name(mark)
    )
    if is_function and not several and not context.knows(name):
        context.decline(
            "unknown_function", f"{name} is applied like a function that is defined nowhere", fence.position
        )
    if several or isinstance(inside, Digits):
        terms.index += 1
        context.flag("function_value", f"{name}(...) is read as the value of {name} there, one symbol", fence.position)
        return safe_identifier("_".join((name, *subscript_parts(fence.body, context))))
    is_response = letter == "f" and name in ("H", "S", "G", "X", "Y")
    if is_response or letter in _ARGUMENTS or (letter and (own.subscripts or own.marks)):
        terms.index += 1
        context.flag(
            "call_or_product",
            f"{name}({letter}) is read as the symbol {name}, which depends on {letter}; it may be a product",
            fence.position,
        )
        return name
    context.flag(
        "call_or_product",
        f"{name}(...) is read as a product; it may be a function of what is in parentheses",
        fence.position,
    )
    return None


def _is_operator_name(mark: Mark) -> bool:
    """An upright word of three letters or more before a parenthesis is an operator (span, rank)."""
    base = mark.base if isinstance(mark, Script) else mark
    if not isinstance(base, Name) or len(base.text) < 3 or base.text in WORD_LETTERS:
        return False
    return base.style == "upright" or base.text not in lexicon.SURE_NAMES


def _keys(fence: Fence, context: Context) -> set[str]:
    return set(argument_key(fence, context).replace(" ; ", " , ").split(" , "))


def learn_function(marks: list[Mark], context: Context) -> None:
    """`f(x) = ...` says that f is a function of x: the parentheses are no factor, here and later on."""
    fence = marks[-1] if marks else None
    if len(marks) < 2 or not isinstance(fence, Fence) or fence.opening not in ("(", "["):
        return
    is_one_mark = len(marks) == 2 or (isinstance(marks[0], Name) and marks[0].text == "Delta")
    parts = symbol_parts(Row(tuple(marks[:-1]), marks[0].position), context) if is_one_mark else None
    if isinstance(marks[0], Name) and marks[0].text == "Pr":
        parts = SymbolParts("P")
    inside = visible(prepare(fence.body.items, context))
    if parts is None or unit_annotation(inside, context) is not None:
        return
    name = safe_identifier(
        "_".join(part for part in (parts.prefix, parts.letter, *parts.subscripts, *parts.marks) if part)
    )
    has_relation = any(isinstance(mark, Sign) and mark.text in _RELATIONS for mark in inside)
    if parts.letter in _PROBABILITY and is_event(inside) and not has_relation:
        return
    pieces = split_at(inside, ",", ";")
    if fence.opening == "[" and not _is_sequence_index(inside):
        return
    lone = all(len(piece) == 1 and symbol_parts(piece[0], context) is not None for piece in pieces)
    several = len(context.applications.get(name, ())) > 1
    if lone and {"prime", "dprime", "tprime"} & set(parts.marks) and _is_independent(inside):
        context.decline("derivative", "a derivative has no value here", marks[0].position)
    if several or not (lone or (has_relation and parts.letter in (*_PROBABILITY, "f", "F"))):
        return
    context.arguments = _keys(fence, context)
    context.function = name
    context.flag(
        "function_of",
        f"{name}(...) on the left is read as the symbol {name}, a function of what is in parentheses",
        marks[0].position,
    )


def _is_independent(marks: list[Mark]) -> bool:
    return len(marks) == 1 and isinstance(marks[0], Name) and marks[0].text in _INDEPENDENT


def _is_sequence_index(marks: list[Mark]) -> bool:
    """x[n]: one small italic letter in square brackets counts the terms of a sequence."""
    only = marks[0] if len(marks) == 1 else None
    return isinstance(only, Name) and only.style == "italic" and only.text in ("n", "k", "m", "t", "x", "i", "j")


def split_at(items: list[Mark], *signs: str) -> list[list[Mark]]:
    """Pieces between the given signs."""
    pieces: list[list[Mark]] = [[]]
    for mark in items:
        if isinstance(mark, Sign) and mark.text in signs:
            pieces.append([])
        else:
            pieces[-1].append(mark)
    return pieces


def unit_annotation(marks: list[Mark], context: Context) -> str | None:
    """The unit when the parentheses after a symbol hold nothing else: T(K), T(°C)."""
    upright = all(
        isinstance(mark, Words | Row | Script | Sign) or (isinstance(mark, Name) and mark.style == "upright")
        for mark in marks
    )
    if not marks or not upright:
        return None
    text = ""
    for mark in marks:
        part = (
            ("/" if mark.text == "/" else "*" if mark.text == "·" else None)
            if isinstance(mark, Sign)
            else unit_text(mark, context)
        )
        if part is None:
            return None
        text += part if not text or text[-1] in "/*°" or part in "/*" else f" {part}"
    return canonical_unit(text, context, marks[0].position)


def is_event(marks: list[Mark]) -> bool:
    """Whether what is in P(...) names an event: capital letters, a bar, set signs, words."""
    signs = {mark.text for mark in marks if isinstance(mark, Sign)}
    if signs - _SET_SIGNS:
        return False
    letters = [mark for mark in marks if not isinstance(mark, Sign)]
    if any(isinstance(mark, Words) for mark in letters):
        return True
    names = [mark.base if isinstance(mark, Script) else mark for mark in letters]
    if not names or not all(isinstance(mark, Name | Digits | Accent) for mark in names):
        return False
    capital = all(mark.text[:1].isupper() for mark in names if isinstance(mark, Name))
    return ("|" in signs or bool(signs & {"∩", "∪"}) or len(marks) == 1) and capital


def _event_parts(marks: list[Mark], context: Context) -> list[str]:
    words = {"|": "given", "∩": "and", "∪": "or", "∧": "and", "∨": "or", "¬": "not", "=": "eq"}
    parts: list[str] = []
    for mark in marks:
        if isinstance(mark, Sign):
            parts.append(words[mark.text])
        else:
            parts.extend(subscript_parts(Row((mark,), mark.position), context))
    return parts
