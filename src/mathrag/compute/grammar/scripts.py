"""A base with scripts: a bounded sum, a function with a power, a symbol with subscript, a power of a group."""

from __future__ import annotations

from mathrag.compute.grammar import calculus, functions, series, species, units_inside
from mathrag.compute.grammar.context import Context
from mathrag.compute.grammar.fences import read_fence
from mathrag.compute.grammar.matrices import Matrix, Value, transpose
from mathrag.compute.grammar.names import (
    is_braced_name,
    is_function_word,
    is_unknown_operator,
    script_marks,
    subscript_parts,
    symbol_name,
    symbol_parts,
)
from mathrag.compute.grammar.symbols import finish_symbol, read_prefixed
from mathrag.compute.grammar.terms import Terms, is_minus_one, is_vector, read_row, read_value
from mathrag.compute.notation import (
    Amount,
    Digits,
    Fence,
    Grid,
    Mark,
    Name,
    Root,
    Row,
    Script,
    Sign,
    Species,
    Stack,
    visible,
)
from mathrag.types.expression import PI, Number, Symbol, call, divide, multiply, power
from mathrag.types.symbol_names import SymbolParts


def read_script(terms: Terms, mark: Script) -> Value:
    """A base with scripts: a bounded sum, a function with a power, a symbol, a power."""
    base = mark.base
    while isinstance(base, Row) and len(inner := without_invisible(base)) == 1 and not isinstance(inner[0], Script):
        base = inner[0]
    context = terms.context
    if isinstance(base, Sign):
        return _scripted_sign(terms, mark, base)
    if isinstance(base, Name) and is_function_word(base, context):
        return functions.read_function(terms, base, mark.sub, mark.sup)
    if isinstance(base, Name) and is_unknown_operator(base, context):
        context.decline("unknown_function", f"{base.text} is no function we know", base.position)
    terms.index += 1
    if isinstance(base, Row) and not base.items:
        return _combination(terms, mark)
    if (
        isinstance(base, Name)
        and base.text == "e"
        and mark.sub is None
        and mark.sup is not None
        and calculus.is_euler(base, mark.sup, context)
    ):
        return _euler_power(terms, mark)
    if isinstance(base, Name) and base.text == "pi" and not context.pi_is_symbol and not context.knows("pi"):
        return power(PI, read_row(mark.sup, context)) if mark.sup is not None else PI
    if isinstance(base, Name) and base.text == "Delta" and mark.sup is None and mark.sub is not None:
        prefixed = read_prefixed(terms, base, subscript_parts(mark.sub, context))
        if prefixed is not None:
            return prefixed
    if isinstance(base, Digits):
        terms.index -= 1
        return units_inside.read_number(terms)
    if isinstance(base, Fence):
        return _scripted_fence(terms, mark, base)
    if isinstance(base, Stack | Root | Grid | Amount | Species):
        return _powered_group(terms, mark, base)
    return _scripted_symbol(terms, mark, base)


def _euler_power(terms: Terms, mark: Script) -> Value:
    context = terms.context
    assert mark.sup is not None
    calculus.refuse_complex(mark.sup, context)
    return call("exp", read_row(mark.sup, context))


def _scripted_symbol(terms: Terms, mark: Script, base: Mark) -> Value:
    """A symbol with subscripts, marks and perhaps an exponent; a braced expression with an exponent."""
    context = terms.context
    marks, labels, exponent = script_marks(mark.sup, context)
    parts = symbol_parts(base, context)
    is_product = isinstance(base, Row) and mark.sub is None and not marks and not labels and len(base.items) > 1
    if is_product and isinstance(base, Row) and parts is not None and is_braced_name(base):
        context.flag("multi_letter_name", f"the braces around {parts.letter} are read as one name", base.position)
        is_product = False
    if parts is None or (is_product and not parts.prefix and not context.knows(parts.letter)):
        if mark.sub is not None or marks or labels or not isinstance(base, Row):
            context.decline(
                "subscript", "a subscript or mark on an expression has no meaning that can be computed", mark.position
            )
        value = read_value(base, context)
        return value if exponent is None else power(terms.scalar(value, base.position), read_row(exponent, context))
    if context.has_factorial and parts.letter in ("C", "P", "A", "V") and mark.sub is not None and exponent is not None:
        context.decline("notation", "which number counts the choices is not sure; write \\binom{n}{k}", mark.position)
    below = subscript_parts(mark.sub, context) if mark.sub is not None else ()
    named = parts.extended(subscripts=(*below, *labels), marks=marks)
    if exponent is not None and _is_transpose(exponent, base) and not context.knows("T"):
        context.decline("matrix", "a transposed matrix has no value here", exponent.position)
    _refuse_index(exponent, context)
    following = terms.peek()
    is_inverse = exponent is not None and is_minus_one(exponent) and named.letter in ("f", "g", "h", "F", "G")
    if is_inverse and isinstance(following, Fence) and len(following.body.items) == 1:
        context.decline("unknown_function", "the inverse of a function has no value here", mark.position)
    if exponent is None:
        return finish_symbol(terms, named, mark)
    symbol = Symbol(symbol_name(named, context, mark.position))
    if isinstance(following, Fence) and following.opening == "(" and len(following.body.items) == 1:
        reading = f"the parenthesis after the power of {symbol.name} is read as a factor; it may be an argument"
        context.flag("call_or_product", reading, following.position)
    return power(symbol, read_row(exponent, context))


def _refuse_index(exponent: Row | None, context: Context) -> None:
    """A lone letter or number in parentheses above is an order or an index; anything longer is an exponent."""
    only = exponent.items[0] if exponent is not None and len(exponent.items) == 1 else None
    if (
        isinstance(only, Fence)
        and only.opening == "("
        and len(only.body.items) == 1
        and isinstance(only.body.items[0], Name | Digits)
    ):
        context.decline(
            "superscript", "a superscript in parentheses is an order or an index, not a power", only.position
        )


def _is_transpose(exponent: Row, base: Mark) -> bool:
    items = exponent.items
    if len(items) != 1 or not isinstance(items[0], Name):
        return False
    # Any lone letter to the power T is more often a transposed matrix than a power; a known T is a symbol.
    return items[0].text == "T" or (items[0].text == "H" and is_vector(base))


def _scripted_fence(terms: Terms, mark: Script, base: Fence) -> Value:
    """A parenthesis with scripts: a power, or a name in parentheses with a subscript."""
    context = terms.context
    marks, labels, exponent = script_marks(mark.sup, context, on_symbol=False)
    _refuse_index(exponent, context)
    if base.opening == "⟨":
        return _scripted_mean(terms, mark, base)
    if base.opening == "[" and (conc := species.concentration(base, context)) is not None:
        below = subscript_parts(mark.sub, context) if mark.sub is not None else ()
        parts = SymbolParts(conc[0], (*conc[1:], *below, *labels), marks, "conc")
        symbol = Symbol(symbol_name(parts, context, mark.position))
        return symbol if exponent is None else power(symbol, read_row(exponent, context))
    if mark.sub is not None or labels or marks:
        if exponent is None and marks == ("circ",) and mark.sub is None and not labels:
            return multiply(terms.scalar(read_fence(terms, base), base.position), divide(PI, Number(180)))
        inner = symbol_parts(base.body, context) if base.opening == "(" else None
        if inner is None or base.closing == "":
            read_value(base.body, context)  # a derivative at constant T says so better than its subscript does
            context.decline("subscript", "a subscript on a parenthesis names no symbol", mark.position)
        below = subscript_parts(mark.sub, context) if mark.sub is not None else ()
        parts = inner.extended(subscripts=(*below, *labels), marks=marks)
        value: Value = Symbol(symbol_name(parts, context, mark.position))
    else:
        value = read_fence(terms, base)
    if exponent is None:
        return value
    if isinstance(value, Matrix):
        items = exponent.items
        if len(items) == 1 and isinstance(items[0], Name | Sign) and items[0].text in ("T", "⊤"):
            return transpose(value)
        context.decline("matrix", "powers of matrices are not expanded", exponent.position)
    return power(value, read_row(exponent, context))


def _scripted_mean(terms: Terms, mark: Script, base: Fence) -> Value:
    """A mean with a subscript: `\\langle v \\rangle_1`."""
    context = terms.context
    inner = symbol_parts(base.body, context)
    if inner is None:
        context.decline("statistic_operator", "the mean of an expression has no value here", mark.position)
    below = subscript_parts(mark.sub, context) if mark.sub is not None else ()
    parts = inner.extended(subscripts=below, marks=("mean",))
    symbol = Symbol(symbol_name(parts, context, mark.position))
    return symbol if mark.sup is None else power(symbol, read_row(mark.sup, context))


def _powered_group(terms: Terms, mark: Script, base: Mark) -> Value:
    if isinstance(base, Species) and (parts := species.bracketed(base)) is not None:
        fence_like = SymbolParts(
            parts[0], (*parts[1:], *(subscript_parts(mark.sub, terms.context) if mark.sub else ())), (), "conc"
        )
        symbol = Symbol(symbol_name(fence_like, terms.context, mark.position))
        return symbol if mark.sup is None else power(symbol, read_row(mark.sup, terms.context))
    if mark.sub is not None:
        terms.context.decline("subscript", "a subscript here names no symbol", mark.position)
    value = Terms([base], terms.context, base.position + 1).value()
    if mark.sup is None:
        return value
    return power(terms.scalar(value, base.position), read_row(mark.sup, terms.context))


def _scripted_sign(terms: Terms, mark: Script, base: Sign) -> Value:
    if base.text in ("∑", "∏"):
        return series.read_series(terms, mark, base)
    if base.text == "∫":
        return calculus.read_integral(terms, mark)
    terms.refuse(base)
    raise AssertionError("refuse always raises")


def _combination(terms: Terms, mark: Script) -> Value:
    """`{}_nC_r` counts combinations, `{}_nP_r` permutations; any other script without a base names nothing."""
    following = terms.peek()
    context = terms.context
    above = mark.sub or mark.sup
    if (
        isinstance(following, Script)
        and isinstance(following.base, Name)
        and following.base.text in ("C", "P")
        and following.sub
        and above
    ):
        terms.index += 1
        function = "comb" if following.base.text == "C" else "perm"
        return call(function, read_row(above, context), read_row(following.sub, context))
    context.decline("syntax", "a script with nothing before it", mark.position)


def without_invisible(row: Row) -> list[Mark]:
    """The marks of a row without spaces and invisible operators, as converters add them."""
    return [mark for mark in visible(row.items) if not (isinstance(mark, Sign) and mark.text in "\u2061\u2062")]
