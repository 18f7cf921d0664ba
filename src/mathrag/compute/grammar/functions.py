"""Functions: what their argument is when nobody wrote parentheses, what their scripts mean, what `f(x)` is."""

from __future__ import annotations

from mathrag.compute.grammar import lexicon
from mathrag.compute.grammar.applications import split_at, symbol_with_arguments
from mathrag.compute.grammar.context import Context
from mathrag.compute.grammar.matrices import Matrix, Value, determinant
from mathrag.compute.grammar.names import subscript_parts
from mathrag.compute.grammar.terms import Terms, is_minus_one, read_row
from mathrag.compute.notation import Digits, Fence, Mark, Name, Row, Script, Sign, Words
from mathrag.types.expression import (
    Expression,
    MathConstant,
    Number,
    Symbol,
    call,
    divide,
    multiply,
    negate,
    power,
    symbols_of,
)
from mathrag.types.symbol_names import GREEK_NAMES, safe_identifier


def read_function(terms: Terms, word: Name, sub: Row | None, sup: Row | None) -> Value:
    """A function word with its scripts and its argument; the cursor stands on the word."""
    context, position, name = terms.context, word.position, word.text
    declined = lexicon.DECLINED_WORDS.get(name)
    if declined is not None:
        context.decline(*declined, position)
    terms.index += 1
    if name in ("det", "tr"):
        return _matrix_function(terms, name, position)
    if name == "mod":
        context.decline("syntax", "mod has nothing before it", position)
    if name == "Pr":
        return _raised(_probability_or_symbol(terms, word, sub), sup, context)
    if name in lexicon.SEVERAL_ARGUMENTS:
        if sub is not None:
            context.decline("unknown_function", f"{name} over a set cannot be computed", position)
        return _raised(_several_arguments(terms, name, position), sup, context)
    base = _logarithm_base(name, sub, context)
    is_inverse = sup is not None and is_minus_one(sup)
    argument, own_power = _argument(terms, name, position)
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


def _argument(terms: Terms, name: str, position: int) -> tuple[Expression, Row | None]:
    """The argument, and the exponent of its parenthesis if it has one (`\\sin(x)^2`)."""
    context = terms.context
    mark = terms.peek()
    if mark is None or (isinstance(mark, Sign) and mark.text not in ("-", "+", "√", "∑", "∏")):
        context.decline("syntax", f"{name} has no argument", position)
    if isinstance(mark, Fence) and mark.opening in ("(", "[", "{") and not _is_concentration(mark, context):
        terms.index += 1
        return read_row(mark.body, context), None
    if (
        isinstance(mark, Script)
        and isinstance(mark.base, Fence)
        and mark.base.opening in ("(", "[", "{")
        and mark.sub is None
        and not _is_concentration(mark.base, context)
    ):
        terms.index += 1
        return read_row(mark.base.body, context), mark.sup
    if isinstance(mark, Sign) and mark.text in ("-", "+"):
        terms.index += 1
        inner, own_power = _argument(terms, name, position)
        return (negate(inner) if mark.text == "-" else inner), own_power
    return _bare_argument(terms, name), None


def _is_concentration(mark: Fence, context: Context) -> bool:
    from mathrag.compute.grammar.species import concentration

    return mark.opening == "[" and concentration(mark, context) is not None


def _bare_argument(terms: Terms, name: str) -> Expression:
    """Everything written together after the word, up to the next sign, function or parenthesis."""
    start = terms.position()
    first = terms.peek()
    terms.in_argument = name in lexicon.TRIGONOMETRIC
    factors = [terms.scalar(terms.factor(), start)]
    terms.in_argument = False
    is_angle = isinstance(first, Digits | Script) and "°" in _signs_of(first, terms)
    if is_angle and (following := terms.peek()) is not None and terms.starts_factor(following):
        terms.context.flag("function_argument", f"{name} is read as applied to the angle only", start)
    while not is_angle and (mark := terms.peek()) is not None and terms.starts_factor(mark):
        if terms.context.spacing_before(mark.position) and not _is_phase_letter(factors[-1], mark):
            reading = f"the space after the argument of {name} is read as its end"
            terms.context.flag("function_argument", reading, mark.position)
            break
        if _ends_argument(mark) and not _is_phase(factors[-1], mark, terms.context):
            if isinstance(mark, Fence):
                reading = f"the parenthesis after the argument of {name} is read as a factor of its own"
                terms.context.flag("function_argument", reading, mark.position)
            break
        factors.append(terms.scalar(terms.factor(), mark.position))
    argument = multiply(*factors)
    lettered = sum(1 for factor in factors if symbols_of(factor))
    if lettered > 1:
        terms.context.flag(
            "function_argument", f"{name} is read as applied to everything written together after it", start
        )
    if terms.peek_sign() == "/" and (name in lexicon.LOGARITHMS or name.startswith("arc") or len(factors) > 1):
        terms.context.flag("function_argument", f"the quotient after {name} is read as its argument", terms.position())
        slash = terms.peek()
        assert slash is not None
        terms.index += 1
        argument = divide(argument, terms.scalar(terms.after_slash(argument, slash), start))
    elif terms.peek_sign() == "/":
        terms.context.flag(
            "function_argument",
            f"the slash after {name} is read as dividing the function, not its argument",
            terms.position(),
        )
    return argument


def _signs_of(mark: Mark, terms: Terms) -> str:
    """The degree sign that makes a number an angle, written above it or after it."""
    above = mark.sup.items if isinstance(mark, Script) and mark.sup is not None else ()
    before = terms.peek(-1)
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


def _several_arguments(terms: Terms, name: str, position: int) -> Expression:
    mark = terms.peek()
    if not isinstance(mark, Fence):
        terms.context.decline("syntax", f"{name} needs its arguments in parentheses", position)
    terms.index += 1
    arguments = [
        read_row(Row(tuple(piece), mark.position), terms.context) for piece in split_at(list(mark.body.items), ",", ";")
    ]
    if len(arguments) == 1 and isinstance(arguments[0], Symbol):
        terms.context.decline("open_sum", f"the values that {name} runs over are not written", position)
    if name == "atan2" and len(arguments) != 2:
        terms.context.decline("syntax", f"{name} takes two arguments", position)
    return call(lexicon.SEVERAL_ARGUMENTS[name], *arguments)


def _matrix_function(terms: Terms, name: str, position: int) -> Value:
    value = terms.factor()
    if not isinstance(value, Matrix):
        terms.context.decline("matrix", f"{name} needs a matrix with its entries written out", position)
    if name == "det":
        return determinant(value, terms.context, position)
    terms.context.decline("matrix", "the trace of a matrix is not expanded", position)


def _probability_or_symbol(terms: Terms, word: Name, sub: Row | None) -> Expression:
    following = terms.peek()
    if sub is None and isinstance(following, Fence):
        named = symbol_with_arguments(terms, "P", following, word)
        if named is not None:
            return Symbol(named)
    parts = subscript_parts(sub, terms.context) if sub is not None else ()
    return Symbol(safe_identifier("_".join((word.text, *parts))))
