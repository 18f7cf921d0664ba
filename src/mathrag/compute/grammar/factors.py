"""Single operands: numbers, symbols, groups, fractions, roots, scripts, each with what follows it."""

from __future__ import annotations

from mathrag.compute.grammar import calculus, functions, series, species, units_inside
from mathrag.compute.grammar.cases import read_cases
from mathrag.compute.grammar.fences import read_fence, read_matrix
from mathrag.compute.grammar.lexicon import DECLINED_SIGNS
from mathrag.compute.grammar.matrices import Value
from mathrag.compute.grammar.names import (
    is_braced_name,
    is_function_word,
    is_unknown_operator,
    subscript_parts,
    symbol_parts,
)
from mathrag.compute.grammar.scripts import read_script
from mathrag.compute.grammar.symbols import finish_symbol, read_prefixed, read_symbol, read_words
from mathrag.compute.grammar.terms import Terms, read_row, read_value
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
)
from mathrag.types.expression import PI, Number, Symbol, call, divide, power
from mathrag.types.symbol_names import safe_identifier


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
            return read_script(terms, mark)
        case Accent():
            terms.index += 1
            return read_symbol(terms, mark)
        case Fence():
            terms.index += 1
            return read_fence(terms, mark)
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
            return read_cases(mark, terms.context) if mark.kind == "cases" else read_matrix(terms, mark)
        case Words():
            return read_words(terms, mark)
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
    if (
        mark.text == "Gamma"
        and isinstance(following := terms.peek(), Fence)
        and following.opening == "("
        and not terms.context.knows("Gamma")
    ):
        terms.index += 1
        terms.context.flag("call_or_product", "\\Gamma(...) is read as the gamma function", mark.position)
        return call("gamma", read_row(following.body, terms.context))
    if mark.text == "e" and mark.style == "upright" and not terms.context.knows("e"):
        return call("exp", Number(1))
    applied = terms.peek()
    if mark.text == "Delta" and isinstance(applied, Name) and is_function_word(applied, terms.context):
        terms.context.decline("change", "the change of a function's value is not one symbol", mark.position)
    if mark.text in ("Delta", "Sigma") and not terms.context.knows(mark.text):
        prefixed = read_prefixed(terms, mark, ())
        if prefixed is not None:
            return prefixed
    if mark.text == "delta" and isinstance(terms.peek(), Name | Script):
        terms.context.flag(
            "delta_product",
            "\\delta before a letter is read as a factor; it may be a small change of it",
            mark.position,
        )
    if mark.text == "e" and not terms.context.knows("e"):
        terms.context.flag("e_symbol", "e is read as a symbol; write \\mathrm{e} for Euler's number", mark.position)
    following = terms.peek()
    is_applied = following is not None and terms.starts_factor(following)
    if is_applied and is_unknown_operator(mark, terms.context):
        terms.context.decline("unknown_function", f"{mark.text} is no function we know", mark.position)
    if mark.text == "d" and mark.style == "upright":
        terms.context.decline("differential", "a differential stands outside an integral", mark.position)
    return read_symbol(terms, mark)


def _sign(terms: Terms, mark: Sign) -> Value:
    if mark.text in ("∑", "∏"):
        net = read_net_sum(terms, mark) if mark.text == "∑" and may_be_net_sum(terms) else None
        if net is not None:
            return net
        if terms.context.terms is not None:
            return series.read_series(terms, Script(mark, None, None, mark.position), mark)
        terms.context.decline("open_sum", "the bounds of the sum are not written", mark.position)
    if mark.text == "∫":
        terms.context.decline("integral", "an integral without bounds has no value", mark.position)
    if mark.text == "%":
        return _percent_name(terms, mark)
    if mark.text == "√":
        terms.index += 1
        return call("sqrt", terms.scalar(read_factor(terms), mark.position))
    code, reason = DECLINED_SIGNS.get(mark.text, ("syntax", f"{mark.text} does not belong here"))
    terms.context.decline(code, reason, mark.position)


def may_be_net_sum(terms: Terms) -> bool:
    """Only a sum that makes up the whole left side names a total."""
    return terms.context.is_left_side and terms.index == 0 and len(terms.marks) == 2


def read_net_sum(terms: Terms, mark: Sign) -> Value | None:
    """`\\sum F` alone on a side is the net force: one symbol. With an index below the letter it stays an open sum."""
    terms.index += 1
    following = terms.peek()
    has_index = (
        isinstance(following, Script)
        and following.sub is not None
        and subscript_parts(following.sub, terms.context)[-1:] in (("i",), ("j",), ("k",), ("n",))
    )
    value = None if has_index else read_prefixed(terms, Name("Sigma", mark.position), ())
    if value is None:
        terms.index -= 1
    return value


def _percent_name(terms: Terms, mark: Sign) -> Value:
    """`\\%OS` and `\\% yield`: a percent sign before a name is part of it."""
    terms.index += 1
    following = terms.peek()
    if not isinstance(following, Name | Script | Words | Accent):
        terms.context.decline("syntax", "a percent sign with no number before it", mark.position)
    named = terms.scalar(read_factor(terms), mark.position)
    if not isinstance(named, Symbol):
        terms.context.decline("syntax", "a percent sign before something that is no name", mark.position)
    terms.context.flag("percent", f"the percent sign before {named.name} is read as part of its name", mark.position)
    return Symbol(safe_identifier(f"percent_{named.name.rstrip('_')}"))


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
    if parts is not None and (
        parts.prefix or context.knows(parts.letter) or (len(mark.items) > 1 and is_braced_name(mark))
    ):
        if not parts.prefix and not context.knows(parts.letter):
            context.flag("multi_letter_name", f"the braces around {parts.letter} are read as one name", mark.position)
        return finish_symbol(terms, parts, mark)
    return read_value(mark, context)
