"""Single operands: numbers, symbols, groups, fractions, roots, functions, each with the scripts and signs it carries.

What stands between operands is read by `rows`; here is what one of them is, and `read_factor` is the door.
"""

from __future__ import annotations

from mathrag.compute.grammar.applications import finish_symbol, read_function, read_prefixed, read_symbol, read_words
from mathrag.compute.grammar.calculus import is_euler, read_integral, read_series, refuse_complex, refuse_derivative
from mathrag.compute.grammar.conditions import read_cases
from mathrag.compute.grammar.context import Context, Cursor, Matrix, Value
from mathrag.compute.grammar.lexicon import DECLINED_SIGNS
from mathrag.compute.grammar.names import (
    PRIMES,
    is_braced_name,
    is_function_word,
    is_minus_one,
    is_unknown_operator,
    is_vector,
    script_marks,
    subscript_parts,
    symbol_name,
    symbol_parts,
)
from mathrag.compute.grammar.species import bracketed, concentration, read_species
from mathrag.compute.grammar.units_inside import read_amount, read_number
from mathrag.compute.grammar.values import (
    cursor_over,
    determinant,
    make_matrix,
    read_fenced,
    read_row,
    read_value,
    transpose,
    value_of,
)
from mathrag.compute.grammar.vectors import magnitude
from mathrag.compute.notation import (
    Accent,
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
    Words,
    visible,
)
from mathrag.types.expression import PI, Number, Symbol, call, divide, multiply, power
from mathrag.types.symbol_names import SymbolParts, safe_identifier


def read_factor(cursor: Cursor) -> Value:
    """One operand and its postfix signs."""
    mark = cursor.peek()
    if mark is None:
        cursor.context.decline("syntax", "something is missing here", cursor.end)
    cursor.context.enter(mark.position)
    value = _operand(cursor, mark)
    while cursor.peek_sign() == "!":
        cursor.index += 1
        if cursor.peek_sign() == "!":
            cursor.context.decline("unknown_function", "a double factorial is not computed", mark.position)
        value = call("factorial", cursor.scalar(value, mark.position))
    cursor.context.leave()
    return value


def _operand(cursor: Cursor, mark: Mark) -> Value:
    match mark:
        case Digits():
            return read_number(cursor)
        case Name():
            return _name(cursor, mark)
        case Script():
            return read_script(cursor, mark)
        case Accent():
            cursor.index += 1
            return read_symbol(cursor, mark)
        case Fence():
            cursor.index += 1
            return read_fence(cursor, mark)
        case Stack():
            cursor.index += 1
            return _fraction(cursor, mark)
        case Root():
            cursor.index += 1
            return _root(cursor, mark)
        case Row():
            cursor.index += 1
            return _group(cursor, mark)
        case Grid():
            cursor.index += 1
            return _bare_grid(cursor, mark)
        case Words():
            return read_words(cursor, mark)
        case Amount():
            cursor.index += 1
            return read_amount(cursor, mark)
        case Species():
            cursor.index += 1
            return read_species(mark, cursor.context)
        case Sign():
            return _sign(cursor, mark)
        case _:
            cursor.refuse(mark)
            raise AssertionError("refuse always raises")


def _bare_grid(cursor: Cursor, mark: Grid) -> Value:
    return read_cases(mark, cursor.context) if mark.kind == "cases" else read_matrix(cursor, mark)


def _name(cursor: Cursor, mark: Name) -> Value:
    """A letter or word: a function, pi, a change, a symbol."""
    context = cursor.context
    if is_function_word(mark, context):
        return read_function(cursor, mark, None, None)
    cursor.index += 1
    following = cursor.peek()
    if mark.text == "Delta" and isinstance(following, Name) and is_function_word(following, context):
        context.decline("change", "the change of a function's value is not one symbol", mark.position)
    if not context.knows(mark.text) and (special := _named_value(cursor, mark)) is not None:
        return special
    if mark.text == "delta" and isinstance(following, Name | Script):
        reading = "\\delta before a letter is read as a factor; it may be a small change of it"
        context.flag("delta_product", reading, mark.position)
    if mark.text == "e" and not context.knows("e"):
        context.flag("e_symbol", "e is read as a symbol; write \\mathrm{e} for Euler's number", mark.position)
    is_applied = following is not None and cursor.starts_factor(following)
    if is_applied and is_unknown_operator(mark, context):
        context.decline("unknown_function", f"{mark.text} is no function we know", mark.position)
    if mark.text == "d" and mark.style == "upright":
        context.decline("differential", "a differential stands outside an integral", mark.position)
    return read_symbol(cursor, mark)


def _named_value(cursor: Cursor, mark: Name) -> Value | None:
    """What a letter is that the caller has not named: pi, the gamma function, Euler's number, a change or a total."""
    context, following = cursor.context, cursor.peek()
    if mark.text == "pi":
        return Symbol("pi_") if context.pi_is_symbol else PI
    if mark.text == "Gamma" and isinstance(following, Fence) and following.opening == "(":
        cursor.index += 1
        context.flag("call_or_product", "\\Gamma(...) is read as the gamma function", mark.position)
        return call("gamma", read_row(following.body, context))
    if mark.text == "e" and mark.style == "upright":
        return call("exp", Number(1))
    return read_prefixed(cursor, mark, ()) if mark.text in ("Delta", "Sigma") else None


def _sign(cursor: Cursor, mark: Sign) -> Value:
    if mark.text in ("∑", "∏"):
        net = read_net_sum(cursor, mark) if mark.text == "∑" and may_be_net_sum(cursor) else None
        if net is not None:
            return net
        if cursor.context.terms is not None:
            return read_series(cursor, Script(mark, None, None, mark.position), mark)
        cursor.context.decline("open_sum", "the bounds of the sum are not written", mark.position)
    if mark.text == "∫":
        cursor.context.decline("integral", "an integral without bounds has no value", mark.position)
    if mark.text == "%":
        return _percent_name(cursor, mark)
    if mark.text == "√":
        cursor.index += 1
        return call("sqrt", cursor.scalar(read_factor(cursor), mark.position))
    code, reason = DECLINED_SIGNS.get(mark.text, ("syntax", f"{mark.text} does not belong here"))
    cursor.context.decline(code, reason, mark.position)


def may_be_net_sum(cursor: Cursor) -> bool:
    """Only a sum that makes up the whole left side, or all that a bracket holds, names a total: `(\\sum K) v^2`."""
    is_whole = cursor.index == 0 and len(cursor.marks) == 2
    return is_whole and (cursor.context.is_left_side or cursor.is_fenced)


def read_net_sum(cursor: Cursor, mark: Sign) -> Value | None:
    """`\\sum F` alone on a side is the net force: one symbol. With an index below the letter it stays an open sum."""
    cursor.index += 1
    following = cursor.peek()
    has_index = (
        isinstance(following, Script)
        and following.sub is not None
        and subscript_parts(following.sub, cursor.context)[-1:] in (("i",), ("j",), ("k",), ("n",))
    )
    value = None if has_index else read_prefixed(cursor, Name("Sigma", mark.position), ())
    if value is None:
        cursor.index -= 1
    return value


def _percent_name(cursor: Cursor, mark: Sign) -> Value:
    """`\\%OS` and `\\% yield`: a percent sign before a name is part of it."""
    cursor.index += 1
    following = cursor.peek()
    if not isinstance(following, Name | Script | Words | Accent):
        cursor.context.decline("syntax", "a percent sign with no number before it", mark.position)
    named = cursor.scalar(read_factor(cursor), mark.position)
    if not isinstance(named, Symbol):
        cursor.context.decline("syntax", "a percent sign before something that is no name", mark.position)
    cursor.context.flag("percent", f"the percent sign before {named.name} is read as part of its name", mark.position)
    return Symbol(safe_identifier(f"percent_{named.name.rstrip('_')}"))


def _fraction(cursor: Cursor, mark: Stack) -> Value:
    context = cursor.context
    if not mark.bar:
        context.decline("syntax", "two lines without a fraction bar", mark.position)
    refuse_derivative(mark, context)
    return divide(read_row(mark.above, context), read_row(mark.below, context))


def _root(cursor: Cursor, mark: Root) -> Value:
    context = cursor.context
    body = read_row(mark.body, context)
    if mark.degree is None:
        return call("sqrt", body)
    degree = read_row(mark.degree, context)
    if degree == Number(2):
        return call("sqrt", body)
    return call("cbrt", body) if degree == Number(3) else power(body, divide(Number(1), degree))


def _group(cursor: Cursor, mark: Row) -> Value:
    """A braced group: transparent, but letters grouped into a known name stay together."""
    context = cursor.context
    if not mark.items:
        context.decline("syntax", "empty braces", mark.position)
    parts = symbol_parts(mark, context)
    if parts is not None and (
        parts.prefix or context.knows(parts.letter) or (len(mark.items) > 1 and is_braced_name(mark))
    ):
        if not parts.prefix and not context.knows(parts.letter):
            context.flag("multi_letter_name", f"the braces around {parts.letter} are read as one name", mark.position)
        return finish_symbol(cursor, parts, mark)
    return read_value(mark, context)


# A base with scripts: a bounded sum, a function with a power, a symbol with subscript, a power of a group.


def read_script(cursor: Cursor, mark: Script) -> Value:
    """A base with scripts: a bounded sum, a function with a power, a symbol, a power."""
    base = mark.base
    while isinstance(base, Row) and len(inner := without_invisible(base)) == 1 and not isinstance(inner[0], Script):
        base = inner[0]
    if isinstance(base, Sign):
        return _scripted_sign(cursor, mark, base)
    if isinstance(base, Digits):
        return read_number(cursor)
    if isinstance(base, Name) and is_function_word(base, cursor.context):
        return read_function(cursor, base, mark.sub, mark.sup)
    if isinstance(base, Name) and is_unknown_operator(base, cursor.context):
        cursor.context.decline("unknown_function", f"{base.text} is no function we know", base.position)
    cursor.index += 1
    if isinstance(base, Row) and not base.items:
        return _combination(cursor, mark)
    if isinstance(base, Name) and (special := _special_letter(cursor, mark, base)) is not None:
        return special
    if isinstance(base, Fence):
        return _scripted_fence(cursor, mark, base)
    if isinstance(base, Stack | Root | Grid | Amount | Species):
        return _powered_group(cursor, mark, base)
    return _scripted_symbol(cursor, mark, base)


def _special_letter(cursor: Cursor, mark: Script, base: Name) -> Value | None:
    """Letters that are more than a letter with these scripts: Euler's number, pi, the Delta of a change."""
    context = cursor.context
    if base.text == "e" and mark.sub is None and mark.sup is not None and is_euler(base, mark.sup, context):
        refuse_complex(mark.sup, context)
        return call("exp", read_row(mark.sup, context))
    if base.text == "pi" and not context.pi_is_symbol and not context.knows("pi"):
        return power(PI, read_row(mark.sup, context)) if mark.sup is not None else PI
    if base.text == "Delta" and mark.sup is None and mark.sub is not None:
        return read_prefixed(cursor, base, subscript_parts(mark.sub, context))
    return None


def _scripted_symbol(cursor: Cursor, mark: Script, base: Mark) -> Value:
    """A symbol with subscripts, marks and perhaps an exponent; a braced expression with an exponent."""
    context = cursor.context
    marks, labels, exponent = script_marks(mark.sup, context)
    is_bare = mark.sub is None and not marks and not labels
    parts = symbol_parts(base, context)
    if parts is None or (is_bare and isinstance(base, Row) and _is_braced_product(base, parts, context)):
        seen = _as_seen(base, mark, context) if isinstance(base, Row) else None
        if seen is not None:
            return read_value(seen, context)
        if not is_bare or not isinstance(base, Row):
            context.decline(
                "subscript", "a subscript or mark on an expression has no meaning that can be computed", mark.position
            )
        value = read_value(base, context)
        return value if exponent is None else power(cursor.scalar(value, base.position), read_row(exponent, context))
    if context.has_factorial and parts.letter in ("C", "P", "A", "V") and mark.sub is not None and exponent is not None:
        context.decline("notation", "which number counts the choices is not sure; write \\binom{n}{k}", mark.position)
    below = subscript_parts(mark.sub, context) if mark.sub is not None else ()
    named = parts.extended(subscripts=(*below, *labels), marks=marks)
    if exponent is None:
        return finish_symbol(cursor, named, mark)
    return _powered_symbol(cursor, mark, base, named, exponent)


def _as_seen(base: Row, mark: Script, context: Context) -> Row | None:
    """A row whose last mark alone has the scripts: braces are not seen, and whoever reads `{4 \\pi}^2` reads 4π², and
    whoever reads `{2 \\rho v}_w` the speed of w. None where nothing stands there that takes them."""
    items = without_invisible(base)
    primes: list[Mark] = []
    while items and isinstance(items[-1], Sign) and items[-1].text in PRIMES:
        primes.insert(0, items.pop())
    last = items.pop() if items else None
    if last is None or isinstance(last, Sign | Words) or not (items or primes):
        return None
    above = Row((*primes, *(mark.sup.items if mark.sup is not None else ())), mark.position)
    sub, sup = mark.sub, above if above.items else None
    if isinstance(last, Script):
        if (last.sup is not None and sup is not None) or (last.sub is not None and sub is not None):
            return None
        raised = Script(last.base, last.sub or sub, last.sup or sup, last.position)
    else:
        raised = Script(last, sub, sup, last.position)
    if items:
        context.flag("unseen_braces", "a script is read as it is seen, on what stands before it alone", last.position)
    return Row((*items, raised), base.position)


def _is_braced_product(base: Row, parts: SymbolParts, context: Context) -> bool:
    """Whether letters in braces are factors: not where the braces make them one name."""
    if len(base.items) < 2:
        return False
    if is_braced_name(base):
        context.flag("multi_letter_name", f"the braces around {parts.letter} are read as one name", base.position)
        return False
    return not parts.prefix and not context.knows(parts.letter)


def _powered_symbol(cursor: Cursor, mark: Script, base: Mark, named: SymbolParts, exponent: Row) -> Value:
    """A symbol to a power, unless the exponent says something else: a transpose, an order, an inverse function."""
    context = cursor.context
    if _is_transpose(exponent, base) and not context.knows("T"):
        context.decline("matrix", "a transposed matrix has no value here", exponent.position)
    _refuse_index(exponent, context)
    following = cursor.peek()
    is_argument = isinstance(following, Fence) and len(following.body.items) == 1
    if is_argument and is_minus_one(exponent) and named.letter in ("f", "g", "h", "F", "G"):
        context.decline("unknown_function", "the inverse of a function has no value here", mark.position)
    symbol = Symbol(symbol_name(named, context, mark.position))
    if is_argument and isinstance(following, Fence) and following.opening == "(":
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


def _scripted_fence(cursor: Cursor, mark: Script, base: Fence) -> Value:
    """A parenthesis with scripts: a power, or a name in parentheses with a subscript."""
    context = cursor.context
    marks, labels, exponent = script_marks(mark.sup, context, on_symbol=False)
    _refuse_index(exponent, context)
    if base.opening == "⟨":
        return _scripted_mean(cursor, mark, base)
    value: Value
    if base.opening == "[" and (conc := concentration(base, context)) is not None:
        below = subscript_parts(mark.sub, context) if mark.sub is not None else ()
        parts = SymbolParts(conc[0], (*conc[1:], *below, *labels), marks, "conc")
        value = Symbol(symbol_name(parts, context, mark.position))
    elif exponent is None and marks == ("circ",) and mark.sub is None and not labels:
        return multiply(cursor.scalar(read_fence(cursor, base), base.position), divide(PI, Number(180)))
    elif mark.sub is not None or labels or marks:
        value = _named_fence(mark, base, labels, marks, context)
    else:
        value = read_fence(cursor, base)
    if exponent is None:
        return value
    if isinstance(value, Matrix):
        items = exponent.items
        if len(items) == 1 and isinstance(items[0], Name | Sign) and items[0].text in ("T", "⊤"):
            return transpose(value)
        context.decline("matrix", "powers of matrices are not expanded", exponent.position)
    return power(value, read_row(exponent, context))


def _named_fence(
    mark: Script, base: Fence, labels: tuple[str, ...], marks: tuple[str, ...], context: Context
) -> Symbol:
    """A symbol in parentheses with a subscript or a mark: one symbol."""
    inner = symbol_parts(base.body, context) if base.opening == "(" else None
    if inner is None or base.closing == "":
        read_value(base.body, context)  # a derivative at constant T says so better than its subscript does
        context.decline("subscript", "a subscript on a parenthesis names no symbol", mark.position)
    below = subscript_parts(mark.sub, context) if mark.sub is not None else ()
    return Symbol(symbol_name(inner.extended(subscripts=(*below, *labels), marks=marks), context, mark.position))


def _scripted_mean(cursor: Cursor, mark: Script, base: Fence) -> Value:
    """A mean with a subscript: `\\langle v \\rangle_1`."""
    context = cursor.context
    inner = symbol_parts(base.body, context)
    if inner is None:
        context.decline("statistic_operator", "the mean of an expression has no value here", mark.position)
    below = subscript_parts(mark.sub, context) if mark.sub is not None else ()
    parts = inner.extended(subscripts=below, marks=("mean",))
    symbol = Symbol(symbol_name(parts, context, mark.position))
    return symbol if mark.sup is None else power(symbol, read_row(mark.sup, context))


def _powered_group(cursor: Cursor, mark: Script, base: Mark) -> Value:
    if isinstance(base, Species) and (parts := bracketed(base)) is not None:
        fence_like = SymbolParts(
            parts[0], (*parts[1:], *(subscript_parts(mark.sub, cursor.context) if mark.sub else ())), (), "conc"
        )
        symbol = Symbol(symbol_name(fence_like, cursor.context, mark.position))
        return symbol if mark.sup is None else power(symbol, read_row(mark.sup, cursor.context))
    if mark.sub is not None:
        cursor.context.decline("subscript", "a subscript here names no symbol", mark.position)
    value = value_of(cursor_over([base], cursor.context, base.position + 1))
    if mark.sup is None:
        return value
    return power(cursor.scalar(value, base.position), read_row(mark.sup, cursor.context))


def _scripted_sign(cursor: Cursor, mark: Script, base: Sign) -> Value:
    if base.text in ("∑", "∏"):
        return read_series(cursor, mark, base)
    if base.text == "∫":
        return read_integral(cursor, mark)
    cursor.refuse(base)
    raise AssertionError("refuse always raises")


def _combination(cursor: Cursor, mark: Script) -> Value:
    """`{}_nC_r` counts combinations, `{}_nP_r` permutations; any other script without a base names nothing."""
    following = cursor.peek()
    context = cursor.context
    above = mark.sub or mark.sup
    if (
        isinstance(following, Script)
        and isinstance(following.base, Name)
        and following.base.text in ("C", "P")
        and following.sub
        and above
    ):
        cursor.index += 1
        function = "comb" if following.base.text == "C" else "perm"
        return call(function, read_row(above, context), read_row(following.sub, context))
    context.decline("syntax", "a script with nothing before it", mark.position)


def without_invisible(row: Row) -> list[Mark]:
    """The marks of a row without spaces and invisible operators, as converters add them."""
    return [mark for mark in visible(row.items) if not (isinstance(mark, Sign) and mark.text in "\u2061\u2062")]


# Groups in delimiters: parentheses, absolute values, floors, concentrations, means, matrices and determinants.


def read_fence(cursor: Cursor, mark: Fence) -> Value:
    """A group in delimiters."""
    context, body = cursor.context, mark.body
    pair = mark.opening + mark.closing
    items = body.items
    if len(items) == 1 and isinstance(items[0], Stack) and not items[0].bar:
        return call("comb", read_row(items[0].above, context), read_row(items[0].below, context))
    if len(items) == 1 and isinstance(items[0], Grid) and (items[0].kind != "cases" or pair == "{"):
        return _fenced_grid(cursor, mark, items[0])
    if pair == "[]" and (parts := concentration(mark, context)) is not None:
        return Symbol(symbol_name(SymbolParts(parts[0], tuple(parts[1:]), (), "conc"), context, mark.position))
    if pair in ("||", "‖‖"):
        size = magnitude(mark, context)
        if size is not None:
            return Symbol(symbol_name(size, context, mark.position))
        return call("abs", read_row(body, context))
    if pair == "⌊⌋":
        return call("floor", read_row(body, context))
    if pair == "⌈⌉":
        return call("ceil", read_row(body, context))
    if pair == "⟨⟩":
        inner = symbol_parts(body, context)
        if inner is None:
            context.decline("statistic_operator", "the mean of an expression has no value here", mark.position)
        return Symbol(
            symbol_name(
                inner.extended(marks=("mean",)),
                context,
                mark.position,
            )
        )
    if pair not in ("()", "[]", "{}"):
        context.decline(
            "syntax", f"the delimiters {mark.opening or '.'} and {mark.closing or '.'} make no group", mark.position
        )
    if not items:
        context.decline("syntax", "empty parentheses", mark.position)
    return read_fenced(body, context)


def _fenced_grid(cursor: Cursor, mark: Fence, grid: Grid) -> Value:
    if grid.kind == "cases" or (mark.opening == "{" and mark.closing == ""):
        return read_cases(grid, cursor.context)
    matrix = read_matrix(cursor, grid)
    if mark.opening == "|":
        return determinant(matrix, cursor.context, mark.position)
    if mark.opening in ("(", "["):
        return matrix
    cursor.context.decline("matrix", "these delimiters around a matrix are not understood", mark.position)


def read_matrix(cursor: Cursor, grid: Grid) -> Matrix:
    if grid.kind == "lines" and any(len(line) > 1 for line in grid.lines) is False and len(grid.lines) > 1:
        cursor.context.decline("syntax", "several lines stand inside one expression", grid.position)
    rows = [[read_row(cell, cursor.context) for cell in line] for line in grid.lines]
    return make_matrix(rows, cursor.context, grid.position)
