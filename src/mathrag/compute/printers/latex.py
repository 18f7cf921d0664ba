"""Expressions as LaTeX that reads well and reads back to the same tree."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from mathrag.compute.printers.base import ATOM, POWER, PRODUCT, SUM, Form, Printed, Printer, wanted_of_base
from mathrag.types.expression import Call, Divide, Equation, Expression, Measure, Number, Piecewise, Series, Symbol
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


def latex_text(value: Expression | Equation) -> str:
    """The LaTeX of an expression or an equation."""
    if isinstance(value, Equation):
        return f"{latex_text(value.left)} {_RELATIONS[value.relation]} {latex_text(value.right)}"
    return _PRINTER.text(value)


def latex_with_names(value: Expression | Equation, names: Mapping[str, str]) -> str:
    """The LaTeX with these texts for its symbols; factors stand apart by dots, because names may be words."""
    if isinstance(value, Equation):
        sides = (latex_with_names(side, names) for side in (value.left, value.right))
        return f" {_RELATIONS[value.relation]} ".join(sides)
    return _NamingPrinter(names).text(value)


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


class _LatexPrinter(Printer):
    pi = "\\pi"
    applied = POWER
    relations = _RELATIONS
    forms = {  # noqa: RUF012
        "sqrt": Form("\\sqrt{%s}", POWER),
        "cbrt": Form("\\sqrt[3]{%s}", POWER),
        "abs": Form("\\left|%s\\right|", ATOM),
        "floor": Form("\\left\\lfloor %s \\right\\rfloor", POWER),
        "ceil": Form("\\left\\lceil %s \\right\\rceil", POWER),
        "factorial": Form("%s!", POWER, (ATOM,)),
        "comb": Form("\\binom{%s}{%s}", POWER, (SUM, SUM)),
        "perm": Form("{}_{%s}P_{%s}", POWER, (SUM, SUM)),
        "mod": Form("%s \\bmod %s", SUM, (POWER, POWER)),
    }

    def grouped(self, text: str) -> str:
        return f"\\left({text}\\right)"

    def number(self, value: int | Decimal) -> Printed:
        text = number_latex(value)
        return text, PRODUCT if "\\times" in text else ATOM

    def symbol(self, name: str) -> Printed:
        return symbol_latex(name), POWER if _is_marked(name) else ATOM

    def measure(self, value: int | Decimal, unit: str) -> Printed:
        return f"\\SI{{{str(value).replace('E', 'e')}}}{{{unit}}}", POWER

    def product(self, factors: tuple[Expression, ...]) -> str:
        text = ""
        for position, factor in enumerate(factors):
            printed = self.fit(factor, POWER)
            if not position:
                text = printed
                continue
            if isinstance(factor, Call) and factor.function == "factorial":
                printed = self.grouped(printed)
            needs_dot = (
                # Digits after anything need a dot; a parenthesis after a symbol could be read as its argument.
                printed[0].isdigit()
                or printed.startswith(("\\left(", "\\SI", "["))
                or (isinstance(factor, Divide) and isinstance(factors[position - 1], Number))
                or _ends_in_word(factors[position - 1])
            )
            text += (" \\cdot " if needs_dot else " ") + printed
        return text

    def quotient(self, numerator: Expression, denominator: Expression) -> Printed:
        return f"\\frac{{{self.text(numerator)}}}{{{self.text(denominator)}}}", POWER

    def power(self, base: Expression, exponent: Expression) -> Printed:
        return f"{self.fit(base, wanted_of_base(base, exponent))}^{{{self.text(exponent)}}}", POWER

    def word(self, function: str) -> str:
        return _WORDS.get(function) or (f"\\{function}" if function in _PLAIN else f"\\operatorname{{{function}}}")

    def series(self, series: Series) -> Printed:
        sign = "\\sum" if series.operation == "sum" else "\\prod"
        bounds = f"_{{{symbol_latex(series.index)} = {self.text(series.lower)}}}^{{{self.text(series.upper)}}}"
        return f"{sign}{bounds} {self.fit(series.body, POWER)}", SUM

    def piecewise(self, piecewise: Piecewise) -> Printed:
        lines = [
            f"{self.text(value)} & {', '.join(map(self.comparison, comparisons))}"
            for value, comparisons in piecewise.branches
        ]
        if piecewise.otherwise is not None:
            lines.append(f"{self.text(piecewise.otherwise)} & \\text{{otherwise}}")
        return "\\begin{cases} " + " \\\\ ".join(lines) + " \\end{cases}", POWER


class _NamingPrinter(_LatexPrinter):
    """With given texts for symbols, words perhaps."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names

    def symbol(self, name: str) -> Printed:
        return (self._names[name], ATOM) if name in self._names else super().symbol(name)

    def product(self, factors: tuple[Expression, ...]) -> str:
        return " \\cdot ".join(self.fit(factor, POWER) for factor in factors)


def _ends_in_word(factor: Expression) -> bool:
    """Whether a dot must keep the next factor out of an argument or a unit; d and Delta would take it along too."""
    is_prefix = isinstance(factor, Symbol) and factor.name in ("d", "Delta", "Sigma", "p")
    return is_prefix or isinstance(factor, Call | Measure)


_PRINTER = _LatexPrinter()
