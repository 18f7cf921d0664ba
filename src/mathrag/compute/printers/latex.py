"""Expressions as LaTeX that reads well and reads back to the same tree."""

from __future__ import annotations

from decimal import Decimal

from mathrag.types.expression import (
    ONE,
    ZERO,
    Add,
    Call,
    Comparison,
    Divide,
    Equation,
    Expression,
    MathConstant,
    Measure,
    Multiply,
    Negate,
    Number,
    Piecewise,
    Power,
    Series,
    Symbol,
)
from mathrag.types.symbol_names import ACCENT_MARKS, WORD_LETTERS, SymbolParts, split_name

_ACCENTS = {
    "bar": "bar",
    "hat": "hat",
    "dot": "dot",
    "ddot": "ddot",
    "vec": "vec",
    "tilde": "tilde",
    "underline": "underbar",
    "breve": "breve",
    "check": "check",
    "ring": "mathring",
}
_SCRIPTS = {
    "prime": "\\prime",
    "dprime": "\\prime\\prime",
    "tprime": "\\prime\\prime\\prime",
    "star": "*",
    "circ": "\\circ",
    "dagger": "\\dagger",
    "ddagger": "\\ddagger",
    "plus": "+",
    "minus": "-",
}
_WORDS = {
    "gamma": "\\operatorname{Gamma}",
    "asin": "\\arcsin",
    "acos": "\\arccos",
    "atan": "\\arctan",
    "log": "\\ln",
    "log10": "\\log_{10}",
    "log2": "\\log_{2}",
    "asinh": "\\operatorname{arsinh}",
    "acosh": "\\operatorname{arcosh}",
    "atanh": "\\operatorname{artanh}",
}
_PLAIN = frozenset(("sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "min", "max", "gcd"))
_RELATIONS = {"=": "=", "≈": "\\approx", "≡": "\\equiv", "<": "<", ">": ">", "<=": "\\le", ">=": "\\ge", "!=": "\\ne"}

_LABELS = frozenset("l v g s e L V G S E R A B o T H alpha beta gamma theta".split())

# How tightly a text holds together: a sum, a product, a power's base, something closed.
_SUM, _PRODUCT, _BASE, _CLOSED = range(4)


def latex_text(value: Expression | Equation) -> str:
    """The LaTeX of an expression or an equation."""
    if isinstance(value, Equation):
        return f"{latex_text(value.left)} {_RELATIONS[value.relation]} {latex_text(value.right)}"
    return _print(value)[0]


def symbol_latex(name: str) -> str:
    """The LaTeX of a symbol's name."""
    parts = split_name(name)
    if parts.prefix == "conc":
        return _concentration(parts)
    letter = f"\\{parts.letter}" if parts.letter in WORD_LETTERS else parts.letter
    if len(parts.letter) > 1 and parts.letter not in WORD_LETTERS:
        letter = f"\\mathrm{{{parts.letter}}}"
    if "cal" in parts.marks:
        letter = f"\\mathcal{{{letter}}}"
    above: list[str] = []
    for mark in parts.marks:
        if mark == "mean":
            letter = f"\\langle {letter} \\rangle"
        elif mark in ACCENT_MARKS:
            letter = letter if mark == "cal" else f"\\{_ACCENTS[mark]}{{{letter}}}"
        else:
            above.append(_SCRIPTS[mark])
    below = ", ".join(_subscript(part) for part in parts.subscripts)
    text = letter + (f"_{{{below}}}" if below else "") + (f"^{{{''.join(above)}}}" if above else "")
    return f"\\{parts.prefix} {text}" if parts.prefix else text


def _subscript(part: str) -> str:
    if part in WORD_LETTERS:
        return f"\\{part}"
    return part if len(part) == 1 or part.isdigit() else f"\\mathrm{{{part}}}"


def _concentration(parts: SymbolParts) -> str:
    """[A]_0, [H^+]: the charge stands inside the brackets, the state outside."""
    species, rest = parts.letter, list(parts.subscripts)
    if parts.marks in (("plus",), ("minus",)) and not rest:
        return f"[\\mathrm{{{species}^{{{_SCRIPTS[parts.marks[0]]}}}}}]"
    if rest and rest[0].rstrip("plusmin").isdigit() and rest[0].endswith(("plus", "minus")):
        charge = rest.pop(0)
        sign = "+" if charge.endswith("plus") else "-"
        species = f"{species}^{{{charge.removesuffix('plus').removesuffix('minus')}{sign}}}"
    elif rest and rest[0] in ("plus", "minus"):
        species = f"{species}^{{{_SCRIPTS[rest.pop(0)]}}}"
    below = ", ".join(_subscript(part) for part in rest)
    above = "".join(_SCRIPTS[mark] for mark in parts.marks if mark in _SCRIPTS)
    return f"[\\mathrm{{{species}}}]" + (f"_{{{below}}}" if below else "") + (f"^{{{above}}}" if above else "")


def _is_marked(name: str) -> bool:
    """Whether the name already uses the place of an exponent, so that a power needs parentheses."""
    parts = split_name(name)
    return any(mark in _SCRIPTS for mark in parts.marks) or name == "e"


def number_latex(value: int | Decimal) -> str:
    """A literal; scientific notation as people write it."""
    text = str(value)
    if "E" not in text:
        return text
    mantissa, exponent = text.split("E")
    return f"{mantissa} \\times 10^{{{int(exponent)}}}"


def _print(expression: Expression) -> tuple[str, int]:
    match expression:
        case Number(value):
            text = number_latex(value)
            return text, _PRODUCT if "\\times" in text else _CLOSED
        case Symbol(name):
            return symbol_latex(name), _BASE if _is_marked(name) else _CLOSED
        case MathConstant():
            return "\\pi", _CLOSED
        case Measure(number, unit):
            return f"\\SI{{{str(number.value).replace('E', 'e')}}}{{{unit}}}", _CLOSED
        case Add(terms):
            return _sum(terms), _SUM
        case Negate(operand):
            return f"-{_at_least(operand, _PRODUCT)}", _SUM
        case Multiply(factors):
            return _product(factors), _PRODUCT
        case Divide(numerator, denominator):
            return f"\\frac{{{_print(numerator)[0]}}}{{{_print(denominator)[0]}}}", _CLOSED
        case Power(base, exponent):
            return f"{_base(base, exponent)}^{{{_print(exponent)[0]}}}", _BASE
        case Call(function, arguments):
            return _call(function, arguments)
        case Series(operation, index, lower, upper, body):
            sign = "\\sum" if operation == "sum" else "\\prod"
            bounds = f"_{{{symbol_latex(index)} = {_print(lower)[0]}}}^{{{_print(upper)[0]}}}"
            return f"{sign}{bounds} {_at_least(body, _BASE)}", _SUM
        case Piecewise(branches, otherwise):
            return _cases(branches, otherwise), _CLOSED


def _grouped(text: str) -> str:
    return f"\\left({text}\\right)"


def _at_least(expression: Expression, level: int) -> str:
    text, own = _print(expression)
    return text if own >= level else _grouped(text)


def looks_like_label(exponent: Expression) -> bool:
    """Whether an exponent right on a symbol would be taken for a part of its name: a zero, a phase, a transpose."""
    return exponent == ZERO or (isinstance(exponent, Symbol) and exponent.name in _LABELS)


def _base(base: Expression, exponent: Expression = ONE) -> str:
    """The base of a power: anything but a lone letter, number or group needs parentheses."""
    text, level = _print(base)
    if isinstance(base, Symbol) and looks_like_label(exponent):
        return _grouped(text)
    is_open = isinstance(base, Divide | Call | Measure | Piecewise) and not text.endswith("\\right|")
    return _grouped(text) if level < _CLOSED or is_open else text


def _sum(terms: tuple[Expression, ...]) -> str:
    text = ""
    for term in terms:
        is_negative = isinstance(term, Negate)
        inner = term.operand if isinstance(term, Negate) else term
        printed = _at_least(inner, _PRODUCT)
        sign = ("-" if is_negative else "") if not text else (" - " if is_negative else " + ")
        text += sign + printed
    return text


def _product(factors: tuple[Expression, ...]) -> str:
    text = ""
    for position, factor in enumerate(factors):
        printed = _at_least(factor, _BASE)
        if isinstance(factor, Call) and factor.function in ("factorial",) and position:
            printed = _grouped(printed)
        if not text:
            text = printed
            continue
        # Digits after anything need a dot; a parenthesis after a symbol could be read as its argument.
        needs_dot = printed[0].isdigit() or (isinstance(factor, Number | Measure | Power) and printed[:1].isdigit())
        needs_dot = needs_dot or (isinstance(factor, Divide) and isinstance(factors[position - 1], Number))
        needs_dot = needs_dot or printed.startswith(("\\left(", "\\SI", "[")) or _ends_in_word(factors[position - 1])
        text += (" \\cdot " if needs_dot else " ") + printed
    return text


def _ends_in_word(factor: Expression) -> bool:
    """After a function or a measure, a dot keeps the next factor out of its argument or unit."""
    return (
        isinstance(factor, Call | Measure | MathConstant | Number) and not isinstance(factor, MathConstant | Number)
    ) or (isinstance(factor, Symbol) and factor.name in ("d", "Delta", "Sigma", "p"))


def _call(function: str, arguments: tuple[Expression, ...]) -> tuple[str, int]:
    # Each argument is printed once only: twice at every level would be twice the work for each level.
    if function == "factorial":
        return f"{_base(arguments[0])}!", _BASE
    if function == "mod":
        return f"{_at_least(arguments[0], _BASE)} \\bmod {_at_least(arguments[1], _BASE)}", _SUM
    first = _print(arguments[0])[0]
    match function:
        case "sqrt":
            return f"\\sqrt{{{first}}}", _CLOSED
        case "cbrt":
            return f"\\sqrt[3]{{{first}}}", _CLOSED
        case "abs":
            return f"\\left|{first}\\right|", _CLOSED
        case "floor":
            return f"\\left\\lfloor {first} \\right\\rfloor", _CLOSED
        case "ceil":
            return f"\\left\\lceil {first} \\right\\rceil", _CLOSED
        case "comb":
            return f"\\binom{{{first}}}{{{_print(arguments[1])[0]}}}", _CLOSED
        case "perm":
            return f"{{}}_{{{first}}}P_{{{_print(arguments[1])[0]}}}", _BASE
        case _:
            word = _WORDS.get(function) or (f"\\{function}" if function in _PLAIN else f"\\operatorname{{{function}}}")
            inside = ", ".join((first, *(_print(argument)[0] for argument in arguments[1:])))
            return f"{word}{_grouped(inside)}", _BASE


def _comparison(comparison: Comparison) -> str:
    return f"{_print(comparison.left)[0]} {_RELATIONS[comparison.relation]} {_print(comparison.right)[0]}"


def _cases(branches: tuple[tuple[Expression, tuple[Comparison, ...]], ...], otherwise: Expression | None) -> str:
    lines = [
        f"{_print(value)[0]} & {', '.join(_comparison(comparison) for comparison in comparisons)}"
        for value, comparisons in branches
    ]
    if otherwise is not None:
        lines.append(f"{_print(otherwise)[0]} & \\text{{otherwise}}")
    return "\\begin{cases} " + " \\\\ ".join(lines) + " \\end{cases}"
