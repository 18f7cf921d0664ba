"""A name and what it is applied to: functions with their arguments, symbols before a parenthesis, words as names.

`sin`, `f(x)`, `k(T)`, `P(A|B)` and `m(a + b)` look alike; here is decided which is a function, a value, an event, a
label, a unit in brackets or a product.
"""

from __future__ import annotations

import re

from mathrag.compute.grammar import lexicon
from mathrag.compute.grammar.context import Context, Cursor, Matrix, Value
from mathrag.compute.grammar.lexicon import FUNCTION_WORDS, OPERATOR_WORDS
from mathrag.compute.grammar.names import (
    argument_key,
    is_minus_one,
    is_vector,
    prepare,
    script_marks,
    subscript_parts,
    symbol_name,
    symbol_parts,
)
from mathrag.compute.grammar.species import concentration
from mathrag.compute.grammar.units_inside import canonical_unit, italic_unit, unit_text
from mathrag.compute.grammar.values import determinant, read_row
from mathrag.compute.grammar.word_names import note_phrase, word_name
from mathrag.compute.notation import Accent, Digits, Fence, Mark, Name, Root, Row, Script, Sign, Stack, Words, visible
from mathrag.types.expression import (
    Ambiguity,
    Expression,
    MathConstant,
    Number,
    Phrase,
    Symbol,
    call,
    divide,
    multiply,
    negate,
    power,
    symbols_of,
)
from mathrag.types.symbol_names import GREEK_NAMES, WORD_LETTERS, SymbolParts, join_name, safe_identifier, split_name


def read_function(cursor: Cursor, word: Name, sub: Row | None, sup: Row | None) -> Value:
    """A function word with its scripts and its argument; the cursor stands on the word."""
    context, position, name = cursor.context, word.position, word.text
    declined = lexicon.DECLINED_WORDS.get(name)
    if declined is not None:
        context.decline(*declined, position)
    cursor.index += 1
    if name in ("det", "tr"):
        return _matrix_function(cursor, name, position)
    if name == "mod":
        context.decline("syntax", "mod has nothing before it", position)
    if name == "Pr":
        return _raised(_probability_or_symbol(cursor, word, sub), sup, context)
    if name in lexicon.SEVERAL_ARGUMENTS:
        if sub is not None:
            context.decline("unknown_function", f"{name} over a set cannot be computed", position)
        return _raised(_several_arguments(cursor, name, position), sup, context)
    base = _logarithm_base(name, sub, context)
    is_inverse = sup is not None and is_minus_one(sup)
    argument, own_power = _argument(cursor, name, position)
    result = _apply(name, argument, base, is_inverse, context, position)
    if own_power is not None:
        context.flag("function_power", "the power after the parenthesis is read as a power of the function", position)
        result = power(result, read_row(own_power, context))
    return result if is_inverse else _raised(result, sup, context)


def _raised(value: Expression, sup: Row | None, context: Context) -> Expression:
    return value if sup is None else power(value, read_row(sup, context))


def _logarithm_base(name: str, sub: Row | None, context: Context) -> Expression | None:
    if sub is None:
        return None
    if name != "log":
        context.decline("subscript", f"a subscript on {name} has no meaning that can be computed", sub.position)
    return read_row(sub, context)


def _apply(
    name: str, argument: Expression, base: Expression | None, is_inverse: bool, context: Context, position: int
) -> Expression:
    if base is not None:
        if base == Symbol("e"):
            return call("log", argument)
        if base in (Number(10), Number(2)):
            return call("log10" if base == Number(10) else "log2", argument)
        return divide(call("log", argument), call("log", base))
    if name == "log":
        context.flag("log_base", "\\log without a base is read as base 10; it may mean the natural logarithm", position)
    if name in lexicon.FUNCTION_WORDS:
        function = lexicon.FUNCTION_WORDS[name]
        if is_inverse:
            inverse = lexicon.INVERSES.get(function)
            if inverse is None:
                context.decline("superscript", f"{name}^-1 can mean the inverse or one over {name}", position)
            return call(inverse, argument)
        return call(function, argument)
    if name in lexicon.INVERSE_RECIPROCAL_WORDS or is_inverse:
        function = lexicon.INVERSE_RECIPROCAL_WORDS.get(name) or lexicon.INVERSES[lexicon.RECIPROCAL_WORDS[name]]
        return call(function, divide(Number(1), argument))
    return divide(Number(1), call(lexicon.RECIPROCAL_WORDS[name], argument))


def _argument(cursor: Cursor, name: str, position: int) -> tuple[Expression, Row | None]:
    """The argument, and the exponent of its parenthesis if it has one (`\\sin(x)^2`)."""
    context = cursor.context
    mark = cursor.peek()
    if mark is None or (isinstance(mark, Sign) and mark.text not in ("-", "+", "√", "∑", "∏")):
        context.decline("syntax", f"{name} has no argument", position)
    if isinstance(mark, Fence) and mark.opening in ("(", "[", "{") and not _is_concentration(mark, context):
        cursor.index += 1
        return read_row(mark.body, context), None
    if (
        isinstance(mark, Script)
        and isinstance(mark.base, Fence)
        and mark.base.opening in ("(", "[", "{")
        and mark.sub is None
        and not _is_concentration(mark.base, context)
    ):
        cursor.index += 1
        return read_row(mark.base.body, context), mark.sup
    if isinstance(mark, Sign) and mark.text in ("-", "+"):
        cursor.index += 1
        inner, own_power = _argument(cursor, name, position)
        return (negate(inner) if mark.text == "-" else inner), own_power
    return _bare_argument(cursor, name), None


def _is_concentration(mark: Fence, context: Context) -> bool:
    return mark.opening == "[" and concentration(mark, context) is not None


def _bare_argument(cursor: Cursor, name: str) -> Expression:
    """Everything written together after the word, up to the next sign, function or parenthesis."""
    start = cursor.position()
    first = cursor.peek()
    cursor.in_argument = name in lexicon.TRIGONOMETRIC
    factors = [cursor.scalar(cursor.factor(), start)]
    cursor.in_argument = False
    is_angle = isinstance(first, Digits | Script) and "°" in _signs_of(first, cursor)
    if is_angle and (following := cursor.peek()) is not None and cursor.starts_factor(following):
        cursor.context.flag("function_argument", f"{name} is read as applied to the angle only", start)
    while not is_angle and (mark := cursor.peek()) is not None and cursor.starts_factor(mark):
        if cursor.context.spacing_before(mark.position) and not _is_phase_letter(factors[-1], mark):
            reading = f"the space after the argument of {name} is read as its end"
            cursor.context.flag("function_argument", reading, mark.position)
            break
        if _ends_argument(mark) and not _is_phase(factors[-1], mark, cursor.context):
            if isinstance(mark, Fence):
                reading = f"the parenthesis after the argument of {name} is read as a factor of its own"
                cursor.context.flag("function_argument", reading, mark.position)
            break
        factors.append(cursor.scalar(cursor.factor(), mark.position))
    argument = multiply(*factors)
    lettered = sum(1 for factor in factors if symbols_of(factor))
    if lettered > 1:
        cursor.context.flag(
            "function_argument", f"{name} is read as applied to everything written together after it", start
        )
    if cursor.peek_sign() == "/" and (name in lexicon.LOGARITHMS or name.startswith("arc") or len(factors) > 1):
        cursor.context.flag(
            "function_argument", f"the quotient after {name} is read as its argument", cursor.position()
        )
        slash = cursor.peek()
        assert slash is not None
        cursor.index += 1
        argument = divide(argument, cursor.scalar(cursor.divisor(argument, slash), start))
    elif cursor.peek_sign() == "/":
        cursor.context.flag(
            "function_argument",
            f"the slash after {name} is read as dividing the function, not its argument",
            cursor.position(),
        )
    return argument


def _signs_of(mark: Mark, cursor: Cursor) -> str:
    """The degree sign that makes a number an angle, written above it or after it."""
    above = mark.sup.items if isinstance(mark, Script) and mark.sup is not None else ()
    before = cursor.peek(-1)
    signs = [item for item in (*above, before) if isinstance(item, Sign)]
    return "°" if any(item.text in "°∘" for item in signs) else ""


def _is_phase_letter(last: Expression, mark: Mark) -> bool:
    """`\\sin\\omega\\,t`: angular frequency and wave number go with their variable, space or not."""
    base = mark.base if isinstance(mark, Script) else mark
    is_variable = isinstance(base, Name) and base.text in ("t", "x", "pi", "theta")
    return (
        is_variable
        and isinstance(last, Symbol | Number | MathConstant)
        and getattr(last, "name", "") in ("omega", "k", "pi", "")
    )


def _is_phase(last: Expression, mark: Mark, context: Context) -> bool:
    """`\\sin k(x - vt)`: a wave number or angular frequency before a parenthesis with x or t belongs with it."""
    if not (isinstance(mark, Fence) and isinstance(last, Symbol) and last.name in ("k", "omega", "n", "beta")):
        return False
    letters = {inner.text for inner in mark.body.items if isinstance(inner, Name)}
    if not letters & {"x", "t", "r", "z"}:
        return False
    context.flag("function_argument", "the parenthesis is read as part of the argument", mark.position)
    return True


def _ends_argument(mark: Mark) -> bool:
    base = mark.base if isinstance(mark, Script) else mark
    if isinstance(base, Name):
        return base.text in lexicon.OPERATOR_WORDS and (base.style == "upright" or base.text not in GREEK_NAMES)
    return isinstance(base, Fence | Words)


def _several_arguments(cursor: Cursor, name: str, position: int) -> Expression:
    mark = cursor.peek()
    if not isinstance(mark, Fence):
        cursor.context.decline("syntax", f"{name} needs its arguments in parentheses", position)
    cursor.index += 1
    arguments = [
        read_row(Row(tuple(piece), mark.position), cursor.context)
        for piece in split_at(list(mark.body.items), ",", ";")
    ]
    if len(arguments) == 1 and isinstance(arguments[0], Symbol):
        cursor.context.decline("open_sum", f"the values that {name} runs over are not written", position)
    if name == "atan2" and len(arguments) != 2:
        cursor.context.decline("syntax", f"{name} takes two arguments", position)
    return call(lexicon.SEVERAL_ARGUMENTS[name], *arguments)


def _matrix_function(cursor: Cursor, name: str, position: int) -> Value:
    value = cursor.factor()
    if not isinstance(value, Matrix):
        cursor.context.decline("matrix", f"{name} needs a matrix with its entries written out", position)
    if name == "det":
        return determinant(value, cursor.context, position)
    cursor.context.decline("matrix", "the trace of a matrix is not expanded", position)


def _probability_or_symbol(cursor: Cursor, word: Name, sub: Row | None) -> Expression:
    following = cursor.peek()
    if sub is None and isinstance(following, Fence):
        named = symbol_with_arguments(cursor, "P", following, word)
        if named is not None:
            return Symbol(named)
    parts = subscript_parts(sub, cursor.context) if sub is not None else ()
    return Symbol(safe_identifier("_".join((word.text, *parts))))


# A symbol followed by parentheses: a product, a function value, an event, a label or a unit in brackets.

_SET_SIGNS = frozenset(("|", "∩", "∪", "∧", "∨", "¬", "="))
_RELATIONS = frozenset((*lexicon.EQUALITIES, *lexicon.INEQUALITIES))
_PROBABILITY = frozenset(("P", "p", "Pr"))
# Nobody writes v(t) for v times t: these alone in parentheses are what a function depends on.
_INDEPENDENT = frozenset(("x", "y", "z", "t"))
_ARGUMENTS = frozenset((*_INDEPENDENT, "T", "r", "theta", "phi", "omega", "s"))
# Letters that name a function rather than a quantity.
_FUNCTION_LETTERS = frozenset(("f", "g", "h", "u", "w", "F", "G", "H", "J", "Y", "phi", "psi", "Phi", "Psi", "zeta"))


def symbol_with_arguments(cursor: Cursor, name: str, fence: Fence, mark: Mark) -> str | None:
    """The name when the parenthesis after a symbol belongs to it; None when it is a factor of its own.

    The cursor stands on the parenthesis and moves past it only when it is taken.
    """
    context = cursor.context
    marks = visible(prepare(fence.body.items, context))
    signs = {item.text for item in marks if isinstance(item, Sign)}
    if fence.opening == "[":
        return _bracketed(cursor, name, fence, marks)
    if name == "O" and not context.knows(name):
        context.decline("order", "O(...) states an order of growth, not a value", fence.position)
    if context.arguments and _keys(fence, context) <= context.arguments:
        # The left side says that the formula speaks of functions of this; f(t) and g(t) are values, one symbol each.
        cursor.index += 1
        return name
    if name in _PROBABILITY and is_event(marks):
        cursor.index += 1
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
    unit = unit_annotation(marks, context) or _italic_annotation(name, fence, context)
    if unit is not None:
        return _annotated(cursor, name, unit, fence)
    if marks and all(isinstance(item, Words) for item in marks):
        cursor.index += 1
        context.flag("label", f"the words in parentheses after {name} are read as part of its name", fence.position)
        return safe_identifier("_".join((name, *subscript_parts(fence.body, context))))
    if len(marks) == 1 and (isinstance(marks[0], Digits) or symbol_parts(marks[0], context) is not None):
        return _lone_argument(cursor, name, fence, marks[0], mark)
    if _names_a_statistic(cursor, name):
        cursor.index += 1
        context.flag(
            "function_value", f"{name}(...) on the left is read as one symbol, not as a product", fence.position
        )
        return safe_identifier("_".join((name, *subscript_parts(fence.body, context))))
    _judge_product(cursor, name, fence, marks)
    return None


def _names_a_statistic(cursor: Cursor, name: str) -> bool:
    """`SE(a - b) = ...`: a name of several letters with parentheses is a whole left side; no factor stands so."""
    letter = split_name(name).letter
    is_whole_side = cursor.context.is_left_side and cursor.index == 1 and cursor.peek(1) is None
    return is_whole_side and len(letter) > 1 and letter not in WORD_LETTERS


def _judge_product(cursor: Cursor, name: str, fence: Fence, marks: list[Mark]) -> None:
    """A parenthesis read as a factor: refused where it must be an argument, flagged where it may be one."""
    context, own = cursor.context, split_name(name)
    letters = {item.text for item in marks if isinstance(item, Name)}
    if name in ("f", "g", "phi", "psi") and {"x", "t"} & letters and not context.knows(name):
        context.decline(
            "unknown_function", f"{name} is applied like a function that is defined nowhere", fence.position
        )
    if name == context.function:
        context.decline("unknown_function", f"{name} is applied to something else than on the left", fence.position)
    may_be = f"{name}(...) is read as a product; it may be a function"
    has_terms = any(isinstance(item, Sign) and item.text in ("+", "-") for item in marks)
    is_whole_side = context.is_left_side and cursor.index == 1 and cursor.peek(1) is None
    if is_whole_side and not has_terms:
        reading = f"{name}(...) on the left is read as a product; it may be a function of what is in parentheses"
        context.flag("call_or_product", reading, fence.position)
    if len(marks) == 1 and isinstance(marks[0], Root | Stack):
        context.flag("call_or_product", may_be, fence.position)
    if name in _FUNCTION_LETTERS or (own.letter in ("H", "J", "Y", "L") and own.subscripts):
        context.flag("call_or_product", f"{may_be} of what is in parentheses", fence.position)


def _bracketed(cursor: Cursor, name: str, fence: Fence, marks: list[Mark]) -> str | None:
    context = cursor.context
    signs = {item.text for item in marks if isinstance(item, Sign)}
    if context.arguments and _keys(fence, context) <= context.arguments:
        cursor.index += 1
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
        return _annotated(cursor, name, unit, fence)
    unit = _italic_annotation(name, fence, context)
    return None if unit is None else _annotated(cursor, name, unit, fence)


def _italic_annotation(name: str, fence: Fence, context: Context) -> str | None:
    """The unit that italic letters after a symbol spell, `h[km]`, `v(m/s)`; a lone letter only where chosen so."""
    marks = visible(fence.body.items)
    text = italic_unit(marks, context)
    if text is None or text in context.choices.products or any(is_vector(mark) for mark in marks):
        return None
    is_lone = len(text) == 1
    if is_lone and fence.opening != "[":
        return None
    is_unit = text in context.choices.units or not (is_lone or _is_in_formula(text, context))
    context.note(Ambiguity("unit", text, "unit" if is_unit else "product", name, is_set=fence.opening == "["))
    return canonical_unit(text, context, fence.position) if is_unit else None


def _is_in_formula(text: str, context: Context) -> bool:
    """Whether every letter of it stands alone somewhere in the formula, so that it is a symbol there."""
    return {character for character in text if character.isalpha()} <= context.lone_letters


def _looks_like_species(marks: list[Mark]) -> bool:
    """[A] and [HA] are concentrations even though A is also a unit."""
    return len(marks) == 1 and isinstance(marks[0], Name | Words) and marks[0].text.strip()[:1].isupper()


def _annotated(cursor: Cursor, name: str, unit: str, fence: Fence) -> str:
    """T(K) is T; when T(K) and T(°C) stand in one formula they are two symbols."""
    cursor.index += 1
    cursor.context.forget_letters(item.text for item in fence.body.items if isinstance(item, Name))
    cursor.context.flag("unit_annotation", f"{name}({unit}) is read as {name}, a number of {unit}", fence.position)
    several = len(cursor.context.applications.get(name, ())) > 1
    symbol = safe_identifier(f"{name}_{unit}") if several else name
    phrase = Phrase(symbol, "", unit)
    if phrase not in cursor.context.phrases:
        cursor.context.phrases.append(phrase)
    return symbol


def _lone_argument(cursor: Cursor, name: str, fence: Fence, inside: Mark, mark: Mark) -> str | None:
    """One symbol or number in parentheses: a function value far more often than a product."""
    context = cursor.context
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
        cursor.index += 1
        context.flag("function_value", f"{name}(...) is read as the value of {name} there, one symbol", fence.position)
        return safe_identifier("_".join((name, *subscript_parts(fence.body, context))))
    is_response = letter == "f" and name in ("H", "S", "G", "X", "Y")
    if is_response or letter in _ARGUMENTS or (letter and (own.subscripts or own.marks)):
        cursor.index += 1
        context.flag(
            "call_or_product",
            f"{name}({letter}) is read as the symbol {name}, which depends on {letter}; it may be a product",
            fence.position,
        )
        return name
    return _chosen_call(cursor, name, fence, parts)


def _chosen_call(cursor: Cursor, name: str, fence: Fence, inside: SymbolParts | None) -> str | None:
    """A parenthesis that may be an argument or a factor: as the caller chose, else a factor, with a note."""
    context = cursor.context
    argument = join_name(inside) if inside is not None else argument_key(fence, context)
    call_text = f"{name}({argument})"
    is_value = call_text in context.choices.values
    context.note(Ambiguity("call", name, "value" if is_value else "product", argument))
    if not is_value:
        may_be = f"{name}(...) is read as a product; it may be a function of what is in parentheses"
        if call_text not in context.choices.factors:
            context.flag("call_or_product", may_be, fence.position)
        return None
    cursor.index += 1
    context.flag("function_value", f"{call_text} is read as the value of {name} there, one symbol", fence.position)
    is_place = inside is None or bool(inside.subscripts) or bool(inside.marks) or inside.letter.isupper()
    return safe_identifier("_".join((name, *subscript_parts(fence.body, context)))) if is_place else name


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


# Symbols in operand position: letters with prefix, accent or argument, and words that name a quantity.


def read_symbol(cursor: Cursor, mark: Mark) -> Expression:
    """A mark that must be a symbol, and what a parenthesis after it means."""
    parts = symbol_parts(mark, cursor.context)
    if parts is None:
        cursor.context.decline("symbol", "a mark over an expression is not the name of a symbol", mark.position)
    return finish_symbol(cursor, parts, mark)


def finish_symbol(cursor: Cursor, parts: SymbolParts, mark: Mark) -> Expression:
    """Name the symbol; look whether a parenthesis right after it is an argument."""
    name = symbol_name(parts, cursor.context, mark.position)
    if name in cursor.context.directions:
        cursor.context.flag("unit_vector", f"{name} is a direction: its size is 1", mark.position)
    following = cursor.peek()
    if isinstance(following, Fence) and following.opening in ("(", "["):
        named = symbol_with_arguments(cursor, name, following, mark)
        if named is not None:
            return Symbol(named)
    if isinstance(following, Script) and isinstance(following.base, Fence) and _holds_one_mark(following.base):
        reading = f"{name}(...) with a power is read as a product; it may be a function"
        cursor.context.flag("call_or_product", reading, following.position)
    if isinstance(following, Words) and re.fullmatch(r"\([A-Za-z ]+\)", following.text.strip()):
        cursor.index += 1
        cursor.context.flag(
            "label", f"the words in parentheses after {name} are read as part of its name", following.position
        )
        return Symbol(safe_identifier("_".join((name, *re.findall(r"[A-Za-z]+", following.text)))))
    return Symbol(name)


def _holds_one_mark(fence: Fence) -> bool:
    return fence.opening == "(" and len(fence.body.items) == 1 and isinstance(fence.body.items[0], Name | Script)


def read_prefixed(cursor: Cursor, mark: Mark, subscripts: tuple[str, ...]) -> Value | None:
    """`\\Delta x` and `\\Sigma F` are one symbol with what follows; None when nothing fitting follows."""
    following = cursor.peek()
    letter = mark.text if isinstance(mark, Name) else "Delta"
    base, exponent_row = following, None
    if isinstance(following, Fence) and letter == "Delta":
        inner = symbol_parts(following.body, cursor.context) if len(following.body.items) == 1 else None
        if inner is None or inner.prefix:
            cursor.context.decline("change", "the change of an expression is not one symbol", following.position)
        cursor.index += 1
        return Symbol(
            symbol_name(
                inner.extended(subscripts=subscripts, prefix=letter),
                cursor.context,
                mark.position,
            )
        )
    if isinstance(following, Script):
        marks, labels, exponent_row = script_marks(following.sup, cursor.context)
        parts = symbol_parts(Script(following.base, following.sub, None, following.position), cursor.context)
        if parts is not None:
            parts = parts.extended(subscripts=labels, marks=marks)
    elif isinstance(base, Name | Accent | Words) or (isinstance(base, Row) and base.items):
        parts = symbol_parts(base, cursor.context)
    else:
        return None
    if parts is not None and letter == "Delta" and (parts.letter == "Delta" or parts.prefix == "Delta"):
        cursor.context.decline("change", "the change of a change is not one symbol", mark.position)
    if parts is None or parts.prefix:
        return None
    cursor.index += 1
    if letter == "Sigma":
        cursor.context.flag("net_sum", f"the sum of all {parts.letter} is read as one symbol", mark.position)
    name = symbol_name(parts.extended(subscripts=subscripts, prefix=letter), cursor.context, mark.position)
    if exponent_row is None:
        assert following is not None
        argument = cursor.peek()
        named = (
            symbol_with_arguments(cursor, name, argument, following)
            if isinstance(argument, Fence) and argument.opening == "(" and name in cursor.context.applications
            else None
        )
        return Symbol(named or name)
    symbol = Symbol(name)
    if letter == "Delta":
        cursor.context.flag("delta_power", "the square of a change is read, not the change of a square", mark.position)
    return power(symbol, read_row(exponent_row, cursor.context))


def read_words(cursor: Cursor, mark: Words) -> Value:
    """Running text as an operand: the name of a quantity in a few words, or nothing we can use."""
    text = " ".join(mark.text.split())
    if text in FUNCTION_WORDS or text in OPERATOR_WORDS:
        return read_function(cursor, Name(text, mark.position, "upright"), None, None)
    named = word_name(text)
    if named is None:
        cursor.context.decline("free_text", f"running text inside the formula: {text[:40]!r}", mark.position)
    note_phrase(named, cursor.context, mark.position)
    cursor.index += 1
    if named.has_several_words or (cursor.index > 1 and not isinstance(cursor.peek(-2), Sign)):
        cursor.context.flag("words_as_symbol", f"the words {named.phrase!r} are read as one symbol", mark.position)
    return finish_symbol(cursor, SymbolParts(named.name), mark)
