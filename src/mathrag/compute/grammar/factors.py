"""Single operands: numbers, symbols, groups, fractions, roots, scripts, each with what follows it (`!`, `%`, degrees)."""

from __future__ import annotations

import re

from mathrag.compute.grammar import applications, calculus, functions, series, species, units_inside
from mathrag.compute.grammar.cases import read_cases
from mathrag.compute.grammar.context import Context
from mathrag.compute.grammar.lexicon import DECLINED_SIGNS, FUNCTION_WORDS, OPERATOR_WORDS, SENTENCE_WORDS
from mathrag.compute.grammar.matrices import Matrix, Value, determinant, make_matrix, transpose
from mathrag.compute.grammar.labels import script_marks
from mathrag.compute.grammar.names import is_braced_name, is_function_word, symbol_name, symbol_parts
from mathrag.compute.grammar.subscripts import subscript_parts
from mathrag.compute.grammar.terms import Terms, is_vector, read_row, read_value
from mathrag.compute.notation import Accent, Amount, Digits, Fence, Grid, Mark, Name, Root, Row, Script, Sign, Species, Stack, Words
from mathrag.compute.symbol_names import SymbolParts, safe_identifier
from mathrag.types.expression import (
    PI,
    Expression,
    Number,
    Symbol,
    call,
    divide,
    multiply,
    power,
)



def read_factor(terms: Terms) -> Value:
    """One operand and its postfix signs."""
    mark = terms.peek()
    if mark is None:
        terms.context.decline("syntax", "something is missing here", terms.end)
    terms.context.enter(mark.position)
    value = _operand(terms, mark)
    while terms.peek_sign() == "!":
        terms.index += 1
        if terms.peek_sign() == "!":
            terms.context.decline("unknown_function", "a double factorial is not computed", mark.position)
        value = call("factorial", terms.scalar(value, mark.position))
    terms.context.leave()
    return value


def _operand(terms: Terms, mark: Mark) -> Value:
    match mark:
        case Digits():
            return units_inside.read_number(terms)
        case Name():
            return _name(terms, mark)
        case Script():
            return _script(terms, mark)
        case Accent():
            terms.index += 1
            return _symbol(terms, mark)
        case Fence():
            terms.index += 1
            return _fence(terms, mark)
        case Stack():
            terms.index += 1
            return _fraction(terms, mark)
        case Root():
            terms.index += 1
            return _root(terms, mark)
        case Row():
            terms.index += 1
            return _group(terms, mark)
        case Grid():
            terms.index += 1
            return read_cases(mark, terms.context) if mark.kind == "cases" else _matrix(terms, mark)
        case Words():
            return _words(terms, mark)
        case Amount():
            terms.index += 1
            return units_inside.read_amount(terms, mark)
        case Species():
            terms.index += 1
            return species.read_species(mark, terms.context)
        case Sign():
            return _sign(terms, mark)
        case _:
            terms.refuse(mark)
            raise AssertionError("refuse always raises")


def _name(terms: Terms, mark: Name) -> Value:
    """A letter or word: a function, pi, a change, a symbol."""
    if is_function_word(mark, terms.context):
        return functions.read_function(terms, mark, None, None)
    terms.index += 1
    if mark.text == "pi" and not terms.context.knows("pi"):
        return Symbol("pi_") if terms.context.pi_is_symbol else PI
    if mark.text == "Gamma" and isinstance(following := terms.peek(), Fence) and following.opening == "(" and not terms.context.knows("Gamma"):
        terms.index += 1
        terms.context.flag("call_or_product", "\\Gamma(...) is read as the gamma function", mark.position)
        return call("gamma", read_row(following.body, terms.context))
    if mark.text == "e" and mark.style == "upright" and not terms.context.knows("e"):
        return call("exp", Number(1))
    if mark.text in ("Delta", "Sigma") and not terms.context.knows(mark.text):
        prefixed = _prefixed(terms, mark, ())
        if prefixed is not None:
            return prefixed
    if mark.text == "delta" and isinstance(terms.peek(), Name | Script):
        terms.context.flag("delta_product", "\\delta before a letter is read as a factor; it may be a small change of it", mark.position)
    if mark.text == "e" and not terms.context.knows("e"):
        terms.context.flag("e_symbol", "e is read as a symbol; write \\mathrm{e} for Euler's number", mark.position)
    if mark.text == "d" and mark.style == "upright":
        terms.context.decline("differential", "a differential stands outside an integral", mark.position)
    return _symbol(terms, mark)


def _prefixed(terms: Terms, mark: Mark, subscripts: tuple[str, ...]) -> Value | None:
    """`\\Delta x` and `\\Sigma F` are one symbol with what follows; None when nothing fitting follows."""
    following = terms.peek()
    letter = mark.text if isinstance(mark, Name) else "Delta"
    base, exponent_row = following, None
    if isinstance(following, Fence) and letter == "Delta":
        inner = symbol_parts(following.body, terms.context) if len(following.body.items) == 1 else None
        if inner is None or inner.prefix:
            terms.context.decline("change", "the change of an expression is not one symbol", following.position)
        terms.index += 1
        return Symbol(symbol_name(SymbolParts(inner.letter, (*inner.subscripts, *subscripts), inner.marks, letter), terms.context, mark.position))
    if isinstance(following, Script):
        marks, labels, exponent_row = script_marks(following.sup, terms.context)
        parts = symbol_parts(Script(following.base, following.sub, None, following.position), terms.context)
        if parts is not None:
            parts = SymbolParts(parts.letter, (*parts.subscripts, *labels), (*parts.marks, *marks), parts.prefix)
    elif isinstance(base, Name | Accent | Words) or (isinstance(base, Row) and base.items):
        parts = symbol_parts(base, terms.context)
    else:
        return None
    if parts is None or parts.prefix or (parts.letter == "Delta" and letter == "Delta"):
        return None
    terms.index += 1
    if letter == "Sigma":
        terms.context.flag("net_sum", f"the sum of all {parts.letter} is read as one symbol", mark.position)
    name = symbol_name(SymbolParts(parts.letter, (*parts.subscripts, *subscripts), parts.marks, letter), terms.context, mark.position)
    symbol = Symbol(name)
    if exponent_row is None:
        return symbol
    if letter == "Delta":
        terms.context.flag("delta_power", "the square of a change is read, not the change of a square", mark.position)
    return power(symbol, read_row(exponent_row, terms.context))


def _symbol(terms: Terms, mark: Mark) -> Expression:
    """A mark that must be a symbol, and what a parenthesis after it means."""
    parts = symbol_parts(mark, terms.context)
    if parts is None:
        terms.context.decline("symbol", "a mark over an expression is not the name of a symbol", mark.position)
    return finish_symbol(terms, parts, mark)


def finish_symbol(terms: Terms, parts: SymbolParts, mark: Mark) -> Expression:
    """Name the symbol; look whether a parenthesis right after it is an argument."""
    name = symbol_name(parts, terms.context, mark.position)
    if "hat" in parts.marks and not parts.subscripts and is_unit_vector(parts):
        terms.context.flag("unit_vector", f"{name} is probably a unit vector: its value is 1", mark.position)
    following = terms.peek()
    if isinstance(following, Fence) and following.opening in ("(", "["):
        named = applications.symbol_with_arguments(terms, name, following, mark)
        if named is not None:
            return Symbol(named)
    if isinstance(following, Words) and re.fullmatch(r"\([A-Za-z ]+\)", following.text.strip()):
        terms.index += 1
        terms.context.flag("label", f"the words in parentheses after {name} are read as part of its name", following.position)
        return Symbol(safe_identifier("_".join((name, *re.findall(r"[A-Za-z]+", following.text)))))
    return Symbol(name)


def is_unit_vector(parts: SymbolParts) -> bool:
    """Whether a hatted letter is one that usually names a direction."""
    return parts.letter in ("r", "i", "j", "k", "n", "z", "theta", "phi", "rho", "u", "e", "s", "imath", "jmath")


def _script(terms: Terms, mark: Script) -> Value:
    """A base with scripts: a bounded sum, a function with a power, a symbol, a power."""
    base = mark.base
    while isinstance(base, Row) and len(base.items) == 1 and not isinstance(base.items[0], Script):
        base = base.items[0]
    context = terms.context
    if isinstance(base, Sign):
        return _scripted_sign(terms, mark, base)
    if isinstance(base, Name) and is_function_word(base, context):
        return functions.read_function(terms, base, mark.sub, mark.sup)
    terms.index += 1
    if isinstance(base, Row) and not base.items:
        return _combination(terms, mark)
    if isinstance(base, Name) and base.text == "e" and mark.sub is None and mark.sup is not None and calculus.is_euler(base, mark.sup, context):
        return _euler_power(terms, mark)
    if isinstance(base, Name) and base.text == "pi" and mark.sub is None and not context.knows("pi"):
        return power(PI, read_row(mark.sup, context)) if mark.sup is not None else PI
    if isinstance(base, Name) and base.text == "Delta" and mark.sup is None and mark.sub is not None:
        prefixed = _prefixed(terms, base, subscript_parts(mark.sub, context))
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
            context.decline("subscript", "a subscript or mark on an expression has no meaning that can be computed", mark.position)
        value = read_value(base, context)
        return value if exponent is None else power(terms.scalar(value, base.position), read_row(exponent, context))
    below = subscript_parts(mark.sub, context) if mark.sub is not None else ()
    named = SymbolParts(parts.letter, (*parts.subscripts, *below, *labels), (*parts.marks, *marks), parts.prefix)
    if exponent is not None and _is_transpose(exponent, base) and not context.knows("T"):
        context.decline("matrix", "a transposed matrix has no value here", exponent.position)
    _refuse_index(exponent, context)
    if exponent is None:
        return finish_symbol(terms, named, mark)
    symbol = Symbol(symbol_name(named, context, mark.position))
    return power(symbol, read_row(exponent, context))


def _refuse_index(exponent: Row | None, context: Context) -> None:
    """A lone letter or number in parentheses above is an order or an index; anything longer is an exponent."""
    only = exponent.items[0] if exponent is not None and len(exponent.items) == 1 else None
    if isinstance(only, Fence) and only.opening == "(" and len(only.body.items) == 1 and isinstance(only.body.items[0], Name | Digits):
        context.decline("superscript", "a superscript in parentheses is an order or an index, not a power", only.position)


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
            return multiply(terms.scalar(_fence(terms, base), base.position), divide(PI, Number(180)))
        inner = symbol_parts(base.body, context) if base.opening == "(" else None
        if inner is None or base.closing == "":
            read_value(base.body, context)  # a derivative at constant T says so better than its subscript does
            context.decline("subscript", "a subscript on a parenthesis names no symbol", mark.position)
        below = subscript_parts(mark.sub, context) if mark.sub is not None else ()
        parts = SymbolParts(inner.letter, (*inner.subscripts, *below, *labels), (*inner.marks, *marks), inner.prefix)
        value: Value = Symbol(symbol_name(parts, context, mark.position))
    else:
        value = _fence(terms, base)
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
    parts = SymbolParts(inner.letter, (*inner.subscripts, *below), (*inner.marks, "mean"), inner.prefix)
    symbol = Symbol(symbol_name(parts, context, mark.position))
    return symbol if mark.sup is None else power(symbol, read_row(mark.sup, context))


def _powered_group(terms: Terms, mark: Script, base: Mark) -> Value:
    if isinstance(base, Species) and (parts := species.bracketed(base)) is not None:
        fence_like = SymbolParts(parts[0], (*parts[1:], *(subscript_parts(mark.sub, terms.context) if mark.sub else ())), (), "conc")
        symbol = Symbol(symbol_name(fence_like, terms.context, mark.position))
        return symbol if mark.sup is None else power(symbol, read_row(mark.sup, terms.context))
    if mark.sub is not None:
        terms.context.decline("subscript", "a subscript here names no symbol", mark.position)
    value = _operand(Terms([base], terms.context, base.position + 1), base)
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


def _sign(terms: Terms, mark: Sign) -> Value:
    if mark.text in ("∑", "∏"):
        net = _net_sum(terms, mark) if mark.text == "∑" and _may_be_net_sum(terms) else None
        if net is not None:
            return net
        terms.context.decline("open_sum", "the bounds of the sum are not written", mark.position)
    if mark.text == "∫":
        terms.context.decline("integral", "an integral without bounds has no value", mark.position)
    if mark.text == "√":
        terms.index += 1
        return call("sqrt", terms.scalar(read_factor(terms), mark.position))
    code, reason = DECLINED_SIGNS.get(mark.text, ("syntax", f"{mark.text} does not belong here"))
    terms.context.decline(code, reason, mark.position)


def _may_be_net_sum(terms: Terms) -> bool:
    """Only a sum that makes up the whole left side names a total."""
    return terms.context.is_left_side and terms.index == 0 and len(terms.marks) == 2


def _net_sum(terms: Terms, mark: Sign) -> Value | None:
    """`\\sum F` alone on a side is the net force: one symbol. With an index below the letter it stays an open sum."""
    terms.index += 1
    following = terms.peek()
    has_index = isinstance(following, Script) and following.sub is not None and subscript_parts(following.sub, terms.context)[-1:] in (("i",), ("j",), ("k",), ("n",))
    value = None if has_index else _prefixed(terms, Name("Sigma", mark.position), ())
    if value is None:
        terms.index -= 1
    return value


def _combination(terms: Terms, mark: Script) -> Value:
    """`{}_nC_r` counts combinations, `{}_nP_r` permutations; any other script without a base names nothing."""
    following = terms.peek()
    context = terms.context
    above = mark.sub or mark.sup
    if isinstance(following, Script) and isinstance(following.base, Name) and following.base.text in ("C", "P") and following.sub and above:
        terms.index += 1
        function = "comb" if following.base.text == "C" else "perm"
        return call(function, read_row(above, context), read_row(following.sub, context))
    context.decline("syntax", "a script with nothing before it", mark.position)


def _fence(terms: Terms, mark: Fence) -> Value:
    """A group in delimiters."""
    context, body = terms.context, mark.body
    pair = mark.opening + mark.closing
    items = body.items
    if len(items) == 1 and isinstance(items[0], Stack) and not items[0].bar:
        return call("comb", read_row(items[0].above, context), read_row(items[0].below, context))
    if len(items) == 1 and isinstance(items[0], Grid) and (items[0].kind != "cases" or pair == "{"):
        return _fenced_grid(terms, mark, items[0])
    if pair == "[]" and (parts := species.concentration(mark, context)) is not None:
        return Symbol(symbol_name(SymbolParts(parts[0], tuple(parts[1:]), (), "conc"), context, mark.position))
    if pair in ("||", "‖‖"):
        return call("abs", read_row(body, context))
    if pair == "⌊⌋":
        return call("floor", read_row(body, context))
    if pair == "⌈⌉":
        return call("ceil", read_row(body, context))
    if pair == "⟨⟩":
        inner = symbol_parts(body, context)
        if inner is None:
            context.decline("statistic_operator", "the mean of an expression has no value here", mark.position)
        return Symbol(symbol_name(SymbolParts(inner.letter, inner.subscripts, (*inner.marks, "mean"), inner.prefix), context, mark.position))
    if pair not in ("()", "[]", "{}"):
        context.decline("syntax", f"the delimiters {mark.opening or '.'} and {mark.closing or '.'} make no group", mark.position)
    if not items:
        context.decline("syntax", "empty parentheses", mark.position)
    return read_value(body, context)


def _fenced_grid(terms: Terms, mark: Fence, grid: Grid) -> Value:
    if grid.kind == "cases" or (mark.opening == "{" and mark.closing == ""):
        return read_cases(grid, terms.context)
    matrix = _matrix(terms, grid)
    if mark.opening == "|":
        return determinant(matrix, terms.context, mark.position)
    if mark.opening in ("(", "["):
        return matrix
    terms.context.decline("matrix", "these delimiters around a matrix are not understood", mark.position)


def _matrix(terms: Terms, grid: Grid) -> Matrix:
    if grid.kind == "lines" and any(len(line) > 1 for line in grid.lines) is False and len(grid.lines) > 1:
        terms.context.decline("syntax", "several lines stand inside one expression", grid.position)
    rows = [[read_row(cell, terms.context) for cell in line] for line in grid.lines]
    return make_matrix(rows, terms.context, grid.position)


def _fraction(terms: Terms, mark: Stack) -> Value:
    context = terms.context
    if not mark.bar:
        context.decline("syntax", "two lines without a fraction bar", mark.position)
    calculus.refuse_derivative(mark, context)
    return divide(read_row(mark.above, context), read_row(mark.below, context))


def _root(terms: Terms, mark: Root) -> Value:
    context = terms.context
    body = read_row(mark.body, context)
    if mark.degree is None:
        return call("sqrt", body)
    degree = read_row(mark.degree, context)
    if degree == Number(2):
        return call("sqrt", body)
    return call("cbrt", body) if degree == Number(3) else power(body, divide(Number(1), degree))


def _group(terms: Terms, mark: Row) -> Value:
    """A braced group: transparent, but letters grouped into a known name stay together."""
    context = terms.context
    if not mark.items:
        context.decline("syntax", "empty braces", mark.position)
    parts = symbol_parts(mark, context)
    if parts is not None and (parts.prefix or context.knows(parts.letter) or (len(mark.items) > 1 and is_braced_name(mark))):
        if not parts.prefix and not context.knows(parts.letter):
            context.flag("multi_letter_name", f"the braces around {parts.letter} are read as one name", mark.position)
        return finish_symbol(terms, parts, mark)
    return read_value(mark, context)


def _words(terms: Terms, mark: Words) -> Value:
    """Running text as an operand: the name of a quantity in one to five words, or nothing we can use."""
    text = " ".join(mark.text.replace("#", " number of ").split())
    words = re.findall(r"[A-Za-z][A-Za-z0-9]*", text)
    is_name = bool(words) and len(words) <= 6 and len(text) <= 48 and re.fullmatch(r"[A-Za-z0-9 ,'\-()]+", text)
    if text in FUNCTION_WORDS or text in OPERATOR_WORDS:
        return functions.read_function(terms, Name(text, mark.position, "upright"), None, None)
    if not is_name or text.startswith("-") or _is_sentence(words):
        terms.context.decline("free_text", f"running text inside the formula: {text[:40]!r}", mark.position)
    terms.index += 1
    if len(words) > 1 or (terms.index > 1 and not isinstance(terms.peek(-2), Sign)):
        terms.context.flag("words_as_symbol", f"the words {text!r} are read as one symbol", mark.position)
    return finish_symbol(terms, SymbolParts(safe_identifier("_".join(words))), mark)


def _is_sentence(words: list[str]) -> bool:
    """Whether the words say something; a lone capitalised one (We, Is) is a name all the same."""
    if len(words) == 1 and words[0][0].isupper():
        return False
    return any(word.lower() in SENTENCE_WORDS for word in words)
