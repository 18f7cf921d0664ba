"""One formula as the text of a Python module that needs nothing else. The text is written here and never run."""

from __future__ import annotations

import ast
import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from mathrag.answer.standalone.arithmetic import ROUNDED, SELF_TEST, pieces_for
from mathrag.answer.standalone.code import UnitTable, code_of, comparison_code, safe_names, unit_table
from mathrag.compute.dimensions import check_dimensions
from mathrag.compute.evaluate import Failure
from mathrag.compute.printers.plaintext import plain_comparison, plain_formula, plain_symbol
from mathrag.compute.unknowns import closed_forms
from mathrag.errors import EvaluationError, SolveError, UsageError
from mathrag.knowledge.units import read_canonical_unit
from mathrag.reason.computing.validity import PERCENT, SymbolFacts, conditions_to_check, facts_of, usual_unit
from mathrag.reason.tools import Parameter, Tool, ToolError, ToolResult, make_tool
from mathrag.types.answer import Bound, Step
from mathrag.types.expression import ZERO, Add, Comparison, Equation, Expression, Negate, equation_symbols, symbols_of
from mathrag.types.library import Formula
from mathrag.types.quantity import Dimension

# Words of documents made harmless for a program's text: docstrings, comments and messages that stay what they are.

_LONGEST = 200


def one_line(text: str, *, longest: int = _LONGEST) -> str:
    """Printable characters on one line; nothing that ends a comment or turns text around."""
    line = " ".join("".join(character if character.isprintable() else " " for character in text).split())
    return line if len(line) <= longest else f"{line[:longest]}…"


def docstring(lines: Sequence[str], *, indent: str = "") -> str:
    """Lines as a docstring. Every backslash and quote is escaped, so the words cannot close it."""
    escaped = [line.replace("\\", "\\\\").replace('"', '\\"') for line in lines]
    body = f"\n{indent}".join(escaped).replace(f"\n{indent}\n", "\n\n")
    return f'{indent}"""{body}\n{indent}"""' if len(lines) > 1 else f'{indent}"""{body}"""'


def comment(text: str) -> str:
    """A comment to the end of the line."""
    return f"# {one_line(text)}"


def literal(text: str) -> str:
    """A string literal of one line."""
    return repr(one_line(text))


# A last look at a module's text before it is handed out: it defines what we meant it to, and nothing else.

_MODULES = frozenset(("decimal", "fractions", "math", "warnings"))
_BUILTINS = frozenset(
    "abs enumerate float int isinstance iter len list max min next print range repr sorted str sum tuple type bool "
    "ValueError TypeError ZeroDivisionError OverflowError SystemExit ArithmeticError".split()
)
_METHODS = frozenset(
    "append items get join split strip is_integer warn adjusted as_tuple exp limit_denominator ln log10 normalize sqrt "
    "to_integral_value".split()
)
# What a piece of the arithmetic gets handed over to compute with.
_HANDED = frozenset(("_branch", "formula"))


def guarded(text: str) -> str:
    """The text, once its structure was checked: imports, calls and names at the top are all of our making."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise EvaluationError("the formula cannot be written as a plain Python function") from error
    defined = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    for node in ast.walk(tree):
        if not _is_expected(node, defined):
            raise EvaluationError("the formula cannot be written as a plain Python function")
    return text


def _is_expected(node: ast.AST, defined: set[str]) -> bool:
    match node:
        case ast.Import(names):
            return all(alias.name in _MODULES and alias.asname is None for alias in names)
        case ast.ImportFrom(module):
            return module == "__future__"
        case ast.Call(ast.Name(name)):
            return name in _BUILTINS or name in defined or name in _HANDED
        case ast.Call(ast.Attribute(ast.Name("decimal" | "fractions" | "math" | "warnings"), name)):
            return not name.startswith("_")
        case ast.Call(ast.Attribute(_, name)):
            return name in _METHODS
        case ast.Call():
            return False
        case ast.Attribute(_, name):
            return not name.startswith("_")
        case ast.ClassDef() | ast.AsyncFunctionDef() | ast.Lambda() | ast.Global() | ast.Nonlocal() | ast.With():
            return False
        case _:
            return True


# A worked example for a standalone function: plain inputs at which our own computation gives a sensible value.

_PRIMES = (2.0, 3.0, 5.0, 7.0, 11.0, 13.0, 17.0, 19.0, 23.0, 29.0)
_ATTEMPTS = 60


def worked_example(tool: Tool) -> tuple[dict[str, float], Step]:
    """Values for the tool's parameters, in the units of bare numbers, and the step they give, without warnings if
    possible."""
    second_best: tuple[dict[str, float], Step] | None = None
    reason = ""
    for values in (*_attempts(tool.parameters), *_on_the_curve(tool)):
        found = tool.invoke(values)
        if isinstance(found, ToolError):
            reason = reason or found.message
            continue
        if not found.warnings:
            return values, found.step
        second_best = second_best or (values, found.step)
    if second_best is None:
        raise EvaluationError(f"no values were found at which the formula can be tried: {reason}")
    return second_best


def _on_the_curve(tool: Tool) -> Iterator[dict[str, float]]:
    """Values that belong together: the symbol that the formula is written for is computed from the others."""
    written_for = tool.equation.target
    if written_for is None or written_for == tool.target:
        return
    constants = {bound.symbol: bound for bound in tool.constants}
    forward = make_tool(tool.formula, written_for, constants=constants, equation=tool.equation)
    parameter = next((each for each in tool.parameters if each.name == written_for), None)
    if isinstance(forward, ToolError) or parameter is None:
        return
    for values in _attempts(forward.parameters):
        found = forward.invoke(values, unit=None if parameter.dimension is None else parameter.unit)
        if isinstance(found, ToolResult):
            del values[tool.target]
            yield {**values, written_for: float(found.value.value)}


def _attempts(parameters: Sequence[Parameter]) -> Iterator[dict[str, float]]:
    """Small plain numbers first, then numbers of all sizes; always the same ones."""
    names = [parameter.name for parameter in parameters]
    for factor in (1.0, 0.1):
        for primes in (_PRIMES, tuple(reversed(_PRIMES[: max(len(names), 2)]))):
            yield {
                parameter.name: _plausible(parameter, factor * primes[index % len(primes)])
                for index, parameter in enumerate(parameters)
            }
    chance = random.Random("example")  # noqa: S311 - not a secret; the same every time
    for attempt in range(_ATTEMPTS):
        spread = 1.0 + attempt / 15
        yield {
            parameter.name: _plausible(parameter, float(f"{10 ** chance.uniform(-spread, spread):.3g}"))
            for parameter in parameters
        }


def _plausible(parameter: Parameter, value: float) -> float:
    """The value, or one well inside what the parameter's kind admits."""
    low, high = parameter.minimum, parameter.maximum
    if low is None or high is None or low <= value <= high:
        return value
    if low > 0:
        return float(f"{math.sqrt(low) * math.sqrt(high):.3g}")
    return float(f"{high / 2:.3g}")


_MOST_PLACES = 3
_MOST_BRANCHES = 6


def standalone_function(formula: Formula, target: str, *, constants: Mapping[str, Bound] | None = None) -> str:
    """The text of a module with one function that computes `target`, checks units and tests itself when run.

    Raises `UsageError` where the formula cannot be computed for that symbol, `SolveError` where it has no closed form.
    """
    tool = make_tool(formula, target, constants=constants)
    if isinstance(tool, ToolError):
        raise UsageError(tool.message)
    branches = closed_forms(tool.equation, target)
    if isinstance(branches, Failure):
        raise SolveError(
            f"{formula.label or 'the formula'} has no closed form for {target}, so it cannot be written as a function; "
            "choose another symbol"
        )
    values, step = worked_example(tool)
    facts = facts_of(target, formula=formula, equation=tool.equation)
    dimension = step.result.dimension
    shown = tool.invoke(values, unit=PERCENT if facts.counts_percent else usual_unit(dimension, facts))
    if isinstance(shown, ToolError):
        raise UsageError(shown.message)
    table = unit_table(facts, dimension)
    return guarded(_Module(tool, branches[:_MOST_BRANCHES], facts, table, values, float(shown.value.value)).text())


@dataclass(frozen=True, slots=True)
class _Module:
    """Everything that goes into the text."""

    tool: Tool
    branches: tuple[Expression, ...]
    facts: SymbolFacts
    result_units: UnitTable
    example: Mapping[str, float]
    expected: float

    def text(self) -> str:
        """The whole module."""
        names = safe_names(equation_symbols(self.tool.equation))
        function = f"compute_{names[self.tool.target]}"
        while function in names.values():
            function += "_"
        # Constants stand in the module as floats; in the formula they are decimals like the rest.
        exact = {**names, **{bound.symbol: f"_n({names[bound.symbol]})" for bound in self.tool.constants}}
        formula = self._formula(exact)
        body = self._function(function, exact)
        used = ("decimal", "fractions", "math", *(("warnings",) if "warnings.warn" in body else ()))
        parts = [
            docstring([*self._heading(names), *_limits(formula)]),
            "\n".join(f"import {each}" for each in used),
            self._constants(names),
            self._tables(names),
            *pieces_for(formula + body),
            formula,
            body,
            SELF_TEST.format(
                function=function,
                target=literal(self.tool.target),
                unit=repr(f" {self.result_units.default}" if self.result_units.default else ""),
            ).strip("\n"),
        ]
        return "\n\n\n".join(part for part in parts if part) + "\n"

    def _heading(self, names: Mapping[str, str]) -> list[str]:
        formula = self.tool.formula
        inputs = ", ".join(names[parameter.name] for parameter in self.tool.parameters) or "constants"
        title = one_line(formula.label) or "A formula"
        lines = [f"{title}: {names[self.tool.target]} from {inputs}.", ""]
        if formula.description:
            lines += [one_line(formula.description), ""]
        lines.append(f"Formula: {one_line(formula.latex, longest=500)}")
        lines.append(
            f"Solved:  {plain_symbol(self.tool.target)} = {one_line(plain_formula(self.branches[0]), longest=500)}"
        )
        for span in formula.spans[:_MOST_PLACES]:
            place = f"{one_line(span.document)}, {one_line(str(span.place))}".rstrip(", ")
            lines.append(f"Source:  {place}: {one_line(span.quote)}")
        lines += [
            "",
            "Units are checked and converted. Computed with as many digits as the result needs; where none is left,",
            "there is an error instead. Needs nothing but Python; run it to try its worked example.",
        ]
        return lines

    def _constants(self, names: Mapping[str, str]) -> str:
        lines = []
        for bound in self.tool.constants:
            if bound.quantity is None:
                continue
            quantity = bound.quantity
            words = [quantity.unit.text, bound.description or bound.provenance.words, bound.provenance.source]
            lines.append(
                f"{names[bound.symbol]} = {float(quantity.si_value)!r}  "
                + comment("; ".join(word for word in words if word))
            )
        return "\n".join(lines)

    def _tables(self, names: Mapping[str, str]) -> str:
        lines = [
            comment(
                "unit: (factor, offset) to the SI number that the formula takes; the first is that of a bare number"
            ),
            "UNITS = {",
        ]
        for parameter in self.tool.parameters:
            facts = facts_of(parameter.name, formula=self.tool.formula, equation=self.tool.equation)
            lines.append(f"    {names[parameter.name]!r}: {{")
            lines += [f"        {row}" for row in _rows(unit_table(facts, parameter.dimension))]
            lines.append("    },")
        lines += ["}", "RESULT_UNITS = {", *(f"    {row}" for row in _rows(self.result_units)), "}"]
        inputs = {names[name]: value for name, value in self.example.items()}
        lines.append(f"WORKED_EXAMPLE = ({inputs!r}, {self.expected!r})")
        return "\n".join(lines)

    def _function(self, function: str, names: Mapping[str, str]) -> str:
        parameters = self._parameters(names)
        nothing = literal(f"there is no real value of {self.tool.target} for these values")
        default = repr(self.result_units.default)
        signature = ", ".join([*parameters, "*", f"unit={default}"])
        lines = [f"def {function}({signature}):", docstring(self._documentation(names), indent="    ")]
        given = "".join(f"_number({name!r}, {name}), " for name in parameters)
        conditions = self._conditions(names)
        lines += [
            f"    _given = ({given.strip() if len(parameters) < 2 else given.strip(', ')})",
            "    try:",
            "        _value = _surely(_formula, _given)",
            "    except ZeroDivisionError:",
            '        raise ValueError("division by zero with these values") from None',
            "    except (decimal.Overflow, OverflowError):",
            '        raise ValueError("a number on the way is too large") from None',
            "    except (ValueError, ArithmeticError):",
            f"        raise ValueError({nothing}) from None",
            "    if _value is None:",
            '        raise ValueError("the digits of the result cancel: none is left that could be given")',
            *([f"    {', '.join(parameters)}, = _counted(_given)"] if conditions and parameters else []),
            *conditions,
            "    return _in_unit(_value, unit)",
        ]
        return "\n".join(lines)

    def _documentation(self, names: Mapping[str, str]) -> list[str]:
        meaning = "" if self.facts.meaning is None else one_line(self.facts.meaning.description)
        kind = "" if self.facts.kind is None else self.facts.kind.name
        result = meaning or kind or names[self.tool.target]
        unit = self.result_units.default
        lines = [f"The {result}{f' in {unit}' if unit else ''}, or in the `unit` asked for.", ""]
        for parameter in self.tool.parameters:
            default = f" ({parameter.unit.text})" if parameter.unit.text else ""
            lines.append(f"{names[parameter.name]}: {one_line(parameter.description)}{default}")
        return lines

    def _conditions(self, names: Mapping[str, str]) -> list[str]:
        """Warnings where the formula does not hold; a test for equality of floats would say nothing."""
        lines: list[str] = []
        local = {**names, self.tool.target: "_value"}
        for _, comparison in conditions_to_check(self.tool.formula, self.tool.equation):
            used = {*symbols_of(comparison.left), *symbols_of(comparison.right)}
            if comparison.relation in ("=", "!=") or not used <= set(names) or not self._compares(comparison):
                continue
            words = f"the formula holds for {plain_comparison(comparison)}"
            lines.append(f"    if not ({comparison_code(comparison, local)}):")
            lines.append(f"        warnings.warn({literal(words)}, stacklevel=2)")
        return lines

    def _compares(self, comparison: Comparison) -> bool:
        """Whether the sides can be compared at all, as far as their dimensions are known."""
        known = {each.name: each.dimension for each in self.tool.parameters if each.dimension is not None}
        known |= {bound.symbol: bound.quantity.dimension for bound in self.tool.constants if bound.quantity is not None}
        known[self.tool.target] = self._dimension()
        sides = Equation(comparison.left, comparison.right)
        return ZERO in (comparison.left, comparison.right) or check_dimensions(sides, known).status != "inconsistent"

    def _parameters(self, names: Mapping[str, str]) -> list[str]:
        return [names[parameter.name] for parameter in self.tool.parameters]

    def _formula(self, names: Mapping[str, str]) -> str:
        """The formula over decimals. Where it has several solutions: each, whether it holds, and which is meant."""
        parameters = ", ".join(self._parameters(names))
        if len(self.branches) == 1:
            return f"def _formula({parameters}):\n    return {code_of(self.branches[0], names)}"
        equation = self.tool.equation
        local = {**names, self.tool.target: "_value"}
        parts = [
            f"def _branch_{number}({parameters}):\n    return {code_of(branch, names)}"
            for number, branch in enumerate(self.branches, 1)
        ]
        sizes = [f"abs({code_of(term, local)})" for term in _terms(equation.left, equation.right)]
        holds = [
            f"def _holds({', '.join(['_value', *([parameters] if parameters else [])])}):",
            f"    _left = {code_of(equation.left, local)}",
            f"    _right = {code_of(equation.right, local)}",
            f"    _scale = max({', '.join(sizes)}, 0)",
            '    return abs(_left - _right) <= _n("1e-6") * max(abs(_left), abs(_right)) + _n("1e-9") * _scale',
        ]
        passed = f", {parameters}" if parameters else ""
        listed = ", ".join(f"_branch_{number}" for number in range(1, len(self.branches) + 1))
        chosen = [
            f"def _formula({parameters}):",
            "    _found = []",
            f"    for _branch in ({listed},):",
            "        try:",
            f"            _value = _branch({parameters})",
            f"            if _holds(_value{passed}):",
            "                _found.append(_value)",
            "        except (ValueError, ArithmeticError):",
            "            pass",
            "    if not _found:",
            '        raise ValueError("no solution")',
            "    return min(_found, key=_rank)",
        ]
        return "\n\n\n".join([*parts, "\n".join(holds), self._rank(), "\n".join(chosen)])

    def _rank(self) -> str:
        """The order of branches that our own computation uses, as code."""
        kind = self.facts.kind
        lines = ["def _rank(_value):"]
        if kind is None or kind.takes_any_unit or kind.dimension != self._dimension():
            return "\n".join([*lines, "    return 1 if _value < 0 else 0"])
        factor = 100.0 if self.facts.counts_percent else 1.0
        strict = "<" if kind.sign == "positive" and kind.minimum <= 0 else "<="
        lines += [
            f"    if not {float(kind.minimum) * factor!r} {strict} _value <= {float(kind.maximum) * factor!r}:",
            "        return 2",
            "    return 0" if self.facts.is_difference else "    return 1 if _value < 0 else 0",
        ]
        return "\n".join(lines)

    def _dimension(self) -> Dimension:
        unit = self.result_units.default
        return PERCENT.dimension if unit == PERCENT.text else read_canonical_unit(unit).dimension


def _limits(code: str) -> list[str]:
    """What a function cannot do better than floats, where it uses such a thing."""
    if not any(call in code for call in ROUNDED):
        return []
    return ["", "Limit: the gamma function in it is computed as a float, so differences of it may lose digits."]


def _rows(table: UnitTable) -> list[str]:
    return [f"{text!r}: ({scale!r}, {offset!r})," for text, scale, offset in table.units]


def _terms(*sides: Expression) -> list[Expression]:
    found: list[Expression] = []
    for side in sides:
        inner = side.operand if isinstance(side, Negate) else side
        found += inner.terms if isinstance(inner, Add) else (inner,)
    return found
