"""Statements as LaTeX and MathML. Total: what has no notation of its own is written as a name before its arguments."""

from __future__ import annotations

import re
from decimal import Decimal
from html import escape

from mathrag.compute.openmath.notation import (
    AND,
    ATOM,
    CONSTANTS,
    FENCED,
    FENCES,
    FUNCTIONS,
    INFIX,
    LEVELS,
    POWER,
    PRODUCT,
    QUANTIFIERS,
    RELATION,
    SCRIPTED,
    STATEMENT,
    SUM,
    TEMPLATES,
)
from mathrag.compute.printers.latex import number_latex
from mathrag.compute.printers.notation_mathml import latex_mathml
from mathrag.types.statement import (
    Application,
    Binding,
    DictionaryName,
    Foreign,
    Literal,
    Quoted,
    StatementTree,
    Variable,
    walk_statement,
)
from mathrag.types.symbol_names import GREEK_NAMES

Printed = tuple[str, int]

_SPECIAL = {"\\": r"\backslash ", "{": r"\{", "}": r"\}", "~": r"\sim ", "^": r"\wedge "}
_PLACE = re.compile(r"\{(\d)(?::(\w+))?\}")
_VARIABLE = re.compile(r"([A-Za-z]+?)_?(\d{0,4})")
_LAMBDA = "fns1:lambda"
_THIN, _DOT = r"\,", r"\cdot"
_RANGES = frozenset(("interval1:integer_interval",))
_INTERVALS = frozenset(f"interval1:{each}" for each in ("ordered_interval", "interval", "interval_cc", "interval_oo"))


def latex_of(tree: StatementTree) -> str:
    """The statement as LaTeX, without delimiters of mathematics around it."""
    return _Printer().text(tree)


def mathml_of(tree: StatementTree) -> str:
    """The statement as presentation MathML, a `math` element."""
    latex = latex_of(tree)
    shown = latex_mathml(latex)
    if shown is not None:
        return shown
    return f'<math xmlns="http://www.w3.org/1998/Math/MathML"><mtext>{escape(latex)}</mtext></math>'


def names_used(tree: StatementTree) -> frozenset[str]:
    """The names of dictionaries that occur, such as `arith1:gcd`."""
    return frozenset(node.full for node in walk_statement(tree) if isinstance(node, DictionaryName))


def names_without_notation(tree: StatementTree) -> tuple[str, ...]:
    """The names that were written out as words because they have no notation here, in order of appearance."""
    printer = _Printer()
    printer.text(tree)
    return tuple(dict.fromkeys(printer.spelled_out))


class _Printer:
    """Writes one tree and keeps the names for which it had no notation."""

    def __init__(self) -> None:
        self.spelled_out: list[str] = []

    def text(self, tree: StatementTree) -> str:
        return self.write(tree)[0]

    def fit(self, tree: StatementTree, wanted: int) -> str:
        text, holds = self.write(tree)
        return text if holds >= wanted else rf"\left({text}\right)"

    def write(self, tree: StatementTree) -> Printed:
        match tree:
            case DictionaryName():
                return _leaf(self._name(tree))
            case Variable(name):
                return _leaf(variable_latex(name))
            case Literal(value):
                return _number(value)
            case Quoted(text) | Foreign(text):
                return rf"\text{{{_plain(text)}}}", ATOM
            case Application(head, arguments):
                return self._application(head, arguments)
            case Binding():
                return self._binding(tree)

    def _name(self, name: DictionaryName) -> str:
        """A symbol that stands alone: a constant, or a function that is spoken of."""
        full = name.full
        if full in CONSTANTS:
            return CONSTANTS[full]
        if full in FUNCTIONS:
            return FUNCTIONS[full]
        if full in INFIX:
            return rf"\left({INFIX[full][0].strip().replace(_THIN, _DOT)}\right)"
        if full in ("arith1:divide", "arith1:power"):
            return r"\left(/\right)" if full == "arith1:divide" else r"\left(\wedge\right)"
        self.spelled_out.append(full)
        return _operator(name.symbol)

    def _application(self, head: StatementTree, arguments: tuple[StatementTree, ...]) -> Printed:
        if isinstance(head, DictionaryName):
            return self._known(head, arguments)
        if isinstance(head, Application) and isinstance(head.head, DictionaryName):
            applied = self._of_operator(head, arguments)
            if applied is not None:
                return applied
        return f"{self.fit(head, ATOM)}{self._arguments(arguments)}", ATOM

    def _of_operator(self, head: Application, arguments: tuple[StatementTree, ...]) -> Printed | None:
        """What an operation of a structure, or a derivative, gives at arguments."""
        assert isinstance(head.head, DictionaryName)
        if head.head.symbol == "multiplication" and len(head.arguments) == 1 and len(arguments) == 2:
            below = self.text(head.arguments[0])
            return rf"{self.fit(arguments[0], POWER)} \cdot_{{{below}}} {self.fit(arguments[1], POWER)}", PRODUCT
        if head.head.full == "polynomial2:modulo_relation" and len(head.arguments) == 1 and len(arguments) == 2:
            sides = rf"{self.fit(arguments[0], SUM)} \equiv {self.fit(arguments[1], SUM)}"
            return rf"{sides} \pmod{{{self.text(head.arguments[0])}}}", RELATION
        return None

    def _known(self, head: DictionaryName, arguments: tuple[StatementTree, ...]) -> Printed:
        full, count = head.full, len(arguments)
        special = self._special(full, arguments)
        if special is not None:
            return special
        if (full, count) in TEMPLATES:
            template, level = TEMPLATES[full, count]
            return self._filled(template, arguments), level
        if full in INFIX and count > 1 and (count == 2 or INFIX[full][1] != RELATION):
            sign, level = INFIX[full]
            return self._joined(sign, level, arguments), level
        if full in FENCES:
            opening, closing = FENCES[full]
            return opening + ", ".join(map(self.text, arguments)) + closing, ATOM
        if full in FUNCTIONS:
            return f"{FUNCTIONS[full]}{self._arguments(arguments)}", POWER
        self.spelled_out.append(full)
        return f"{_operator(head.symbol)}{self._arguments(arguments)}", POWER

    def _joined(self, sign: str, level: int, arguments: tuple[StatementTree, ...]) -> str:
        """Arguments with a sign between; a difference and what follows from something are not associative."""
        first = self.fit(arguments[0], level if sign in (" + ", " - ", r" \, ", r" \wedge ", r" \vee ") else level + 1)
        texts = [self.fit(each, level + 1) for each in arguments[1:]]
        parts = [first]
        for text in texts:
            # Two numbers side by side would be read as one.
            dotted = sign == r" \, " and (text[:1].isdigit() or text.startswith(("-", r"\frac")))
            parts.append((r" \cdot " if dotted else sign) + text)
        return "".join(parts)

    def _filled(self, template: str, arguments: tuple[StatementTree, ...]) -> str:
        def one(match: re.Match[str]) -> str:
            wanted = LEVELS.index(match.group(2)) if match.group(2) else STATEMENT
            return self.fit(arguments[int(match.group(1))], wanted)

        pieces = re.split(r"(\{\{|\}\}|\{\d(?::\w+)?\})", template)
        braces = {"{{": "{", "}}": "}"}
        return "".join(braces.get(each) or _PLACE.sub(one, each) for each in pieces)

    def _arguments(self, arguments: tuple[StatementTree, ...]) -> str:
        return rf"\left({', '.join(map(self.text, arguments))}\right)"

    def _special(self, full: str, arguments: tuple[StatementTree, ...]) -> Printed | None:
        match full, arguments:
            case "arith1:root", (radicand, Literal(2)):
                return rf"\sqrt{{{self.text(radicand)}}}", ATOM
            case (("arith1:sum" | "arith1:product"), (domain, Binding() as function)):
                return self._series(full, domain, function)
            case "calculus1:defint", (domain, Binding() as function):
                return self._integral(domain, function)
            case "calculus1:int", (Binding() as function,) if len(function.variables) == 1:
                variable = variable_latex(function.variables[0].name)
                return rf"\int {self.fit(function.body, PRODUCT)} \, d{variable}", PRODUCT
            case "limit1:limit", (to, side, Binding() as function) if len(function.variables) == 1:
                variable, near = variable_latex(function.variables[0].name), self.text(to)
                # Nothing comes to infinity from above.
                from_where = "" if near.endswith(r"\infty") else self.text(side)
                return rf"\lim_{{{variable} \to {near}{from_where}}} {self.fit(function.body, PRODUCT)}", PRODUCT
            case "set1:suchthat", (domain, Binding() as function) if len(function.variables) == 1:
                variable = variable_latex(function.variables[0].name)
                condition = self.text(function.body)
                return rf"\left\{{{variable} \in {self.fit(domain, SUM)} \mid {condition}\right\}}", ATOM
            case (("set1:map" | "list1:map"), (Binding() as function, domain)) if len(function.variables) == 1:
                variable, body = variable_latex(function.variables[0].name), self.text(function.body)
                inside = rf"{body} \mid {variable} \in {self.fit(domain, SUM)}"
                fence = (r"\left\{", r"\right\}") if full == "set1:map" else (r"\left\langle ", r" \right\rangle")
                return fence[0] + inside + fence[1], ATOM
            case _:
                return self._more_special(full, arguments)

    def _more_special(self, full: str, arguments: tuple[StatementTree, ...]) -> Printed | None:
        match full, arguments:
            case "fns2:apply_to_list", (function, *lists) if lists:
                return self._over_list(function, tuple(lists))
            case "fns2:predicate_on_list", (predicate, *lists) if lists:
                return self._over_list(predicate, tuple(lists))
            case "permutation1:permutation", ():
                return r"\left(\,\right)", ATOM
            case "permutation1:permutation", _ if all(isinstance(each, Application) for each in arguments):
                return "".join(map(self.text, arguments)), PRODUCT
            case "linalg2col:vector", _ if arguments:
                return self._grid([[each] for each in arguments])
            case "linalg2:matrix", _ if arguments:
                rows = [each.arguments for each in arguments if isinstance(each, Application)]
                return self._grid([list(row) for row in rows]) if len(rows) == len(arguments) else None
            case "group3:free_group", _ if arguments:
                return rf"\operatorname{{F}}\left({', '.join(map(self.text, arguments))}\right)", ATOM
            case _:
                return None

    def _over_list(self, function: StatementTree, lists: tuple[StatementTree, ...]) -> Printed:
        """A function of many arguments at the members of a list: its big sign where it has one."""
        name = function.full if isinstance(function, DictionaryName) else ""
        big = {"arith1:plus": r"\sum", "arith1:times": r"\prod"}.get(name)
        if big is not None and len(lists) == 1:
            return rf"{big} {self.fit(lists[0], POWER)}", PRODUCT
        return f"{self.fit(function, ATOM)}{self._arguments(lists)}", ATOM

    def _grid(self, rows: list[list[StatementTree]]) -> Printed:
        lines = r" \\ ".join(" & ".join(map(self.text, row)) for row in rows)
        return rf"\begin{{pmatrix}} {lines} \end{{pmatrix}}", ATOM

    def _series(self, full: str, domain: StatementTree, function: Binding) -> Printed:
        sign = r"\sum" if full == "arith1:sum" else r"\prod"
        names = ", ".join(variable_latex(each.name) for each in function.variables)
        body = self.fit(function.body, PRODUCT)
        match domain:
            case Application(DictionaryName() as head, (lower, upper)) if head.full in _RANGES:
                return rf"{sign}_{{{names} = {self.text(lower)}}}^{{{self.text(upper)}}} {body}", PRODUCT
            case _:
                return rf"{sign}_{{{names} \in {self.fit(domain, SUM)}}} {body}", PRODUCT

    def _integral(self, domain: StatementTree, function: Binding) -> Printed:
        names = " ".join(f"d{variable_latex(each.name)}" for each in function.variables)
        body = self.fit(function.body, PRODUCT)
        match domain:
            case Application(DictionaryName() as head, (lower, upper)) if head.full in _INTERVALS:
                return rf"\int_{{{self.text(lower)}}}^{{{self.text(upper)}}} {body} \, {names}", PRODUCT
            case _:
                return rf"\int_{{{self.text(domain)}}} {body} \, {names}", PRODUCT

    def _binding(self, binding: Binding) -> Printed:
        names = ", ".join(self._bound(each) for each in binding.variables)
        full = binding.binder.full if isinstance(binding.binder, DictionaryName) else ""
        if full in QUANTIFIERS:
            return rf"{QUANTIFIERS[full]} {names} \colon {self.fit(binding.body, STATEMENT)}", STATEMENT
        if full == _LAMBDA:
            group = names if len(binding.variables) == 1 else rf"\left({names}\right)"
            return rf"{group} \mapsto {self.fit(binding.body, AND)}", STATEMENT
        binder = self.fit(binding.binder, ATOM if full else FENCED)
        return rf"{binder}_{{{names}}}\left({self.text(binding.body)}\right)", ATOM

    def _bound(self, variable: Variable) -> str:
        return variable_latex(variable.name)


def _leaf(text: str) -> Printed:
    """A sign that already has something below or above it takes nothing more there."""
    return text, SCRIPTED if text.endswith("}") and ("_" in text or "^" in text) else ATOM


def _number(value: int | Decimal) -> Printed:
    if isinstance(value, Decimal) and not value.is_finite():
        return (r"\mathrm{NaN}", ATOM) if value.is_nan() else (r"\infty", ATOM) if value > 0 else (r"-\infty", SUM)
    text = number_latex(value)
    return text, SUM if value < 0 else PRODUCT if "\\times" in text else ATOM


def variable_latex(name: str) -> str:
    """A variable: a letter, a Greek letter by its name, digits at its end below, several letters as one word."""
    match = _VARIABLE.fullmatch(name)
    if match is None:
        return rf"\mathit{{{_plain(name)}}}"
    letters, digits = match.groups()
    letter = letters if len(letters) == 1 else rf"\{letters}" if letters in GREEK_NAMES else rf"\mathit{{{letters}}}"
    return letter + (f"_{{{digits}}}" if digits else "")


def _operator(symbol: str) -> str:
    return rf"\operatorname{{{_plain(symbol.replace('_', ' ').replace('-', ' '))}}}"


def _plain(text: str) -> str:
    """Words that stand in a formula, with nothing in them that would be a command."""
    kept = "".join(each if each.isalnum() or each in " .,:;'()+-/*=!?" else " " for each in text)
    return " ".join(kept.split()) or "?"
