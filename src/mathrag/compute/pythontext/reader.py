"""Whole statements in Python-like text: equations, chains, several lines, trailing conditions."""

from __future__ import annotations

from collections.abc import Collection

from mathrag.compute.pythontext.names import canonical_name
from mathrag.compute.pythontext.parser import COMPARISONS, CONDITION_WORDS, Parser
from mathrag.compute.pythontext.tokens import Token, tokenise
from mathrag.compute.statements import Relation, equations_of_chain
from mathrag.errors import FormulaError
from mathrag.types.expression import (
    MAXIMUM_DEPTH,
    MAXIMUM_NODES,
    Comparison,
    Condition,
    Declined,
    Equation,
    Expression,
    Reading,
    Symbol,
    depth_of,
    size_of,
)

_RELATIONS: dict[str, Relation] = {"=": "=", "==": "=", ":=": "≡", "≈": "≈", "≡": "≡"}
_REFUSED_RELATIONS = {
    "∝": ("proportionality", "a proportionality lacks its constant, so nothing can be computed from it"),
    "~": ("proportionality", "'~' does not say that both sides are equal"),
    "->": ("arrow", "an arrow is not an equation"),
    "→": ("arrow", "an arrow is not an equation"),
    "⇌": ("reaction", "a reaction is not an equation to compute with"),
    "±": ("plus_minus", "two signs at once; write the two formulas separately"),
    "∓": ("plus_minus", "two signs at once; write the two formulas separately"),
    ":": ("unexpected", "a colon has no meaning here"),
    ")": ("unopened", "this parenthesis was never opened"),
    "]": ("unopened", "this bracket was never opened"),
    "}": ("unopened", "this brace was never opened"),
}
_MAXIMUM_MEMBERS = 50


def read_python_text(text: str, symbols: Collection[str] = ()) -> Reading | Declined:
    """Read equations or one expression. `symbols` are names known to be symbols, so that `K(x + 1)` is a product."""
    parser: Parser | None = None
    try:
        parser = Parser(tokenise(text), symbols)
        return _Statements(text, parser).read()
    except FormulaError as error:
        return _declined(text, error.code, error.reason, error.position, parser)
    except RecursionError:
        return _declined(text, "too_large", "the formula is nested too deeply", 0, parser)


def _declined(text: str, code: str, reason: str, position: int | None, parser: Parser | None) -> Declined:
    return Declined(text, code, reason, position, tuple(parser.flags) if parser else ())


class _Statements:
    def __init__(self, source: str, parser: Parser) -> None:
        self.source = source
        self.parser = parser
        self.equations: list[Equation] = []
        self.expressions: list[Expression] = []
        self.conditions: list[Condition] = []
        self._join_bracketed_lines()

    def _join_bracketed_lines(self) -> None:
        """Inside parentheses a line break is only a blank."""
        depth = 0
        kept: list[Token] = []
        for token in self.parser.tokens:
            depth += (token.text == "(") - (token.text == ")") if token.kind == "operator" else 0
            if token.kind != "newline" or depth <= 0:
                kept.append(token)
        self.parser.tokens = kept

    def read(self) -> Reading:
        parser = self.parser
        while True:
            while parser.token.kind == "newline" or parser.at(";"):
                parser.advance()
            if parser.token.kind == "end":
                break
            self._statement()
            if not (parser.token.kind in ("newline", "end") or parser.at(";")):
                self._refuse_rest()
        return self._result()

    def _result(self) -> Reading:
        if not self.equations and not self.expressions:
            reason = "an inequality alone computes nothing" if self.conditions else "there is no formula in the text"
            raise FormulaError("inequality" if self.conditions else "empty", reason, position=0)
        if self.expressions and (self.equations or len(self.expressions) > 1):
            raise FormulaError("several_expressions", "several formulas of which not all are equations", position=0)
        conditions = tuple(self.conditions)
        equations = tuple(
            Equation(each.left, each.right, each.relation, (*each.conditions, *conditions)) for each in self.equations
        )
        expression = self.expressions[0] if self.expressions else None
        return Reading(self.source, equations, expression, conditions if expression else (), tuple(self.parser.flags))

    def _refuse_rest(self) -> None:
        parser = self.parser
        code, reason = _REFUSED_RELATIONS.get(
            parser.token.text, ("unexpected", f"{parser.describe(parser.token)} has no meaning at this place")
        )
        raise parser.fail(code, reason)

    def _statement(self) -> None:
        parser = self.parser
        start = parser.place
        parser.trailing = ()
        members = [self._member(first=True)]
        if parser.token.text in COMPARISONS and parser.token.text not in _RELATIONS:
            parser.place = start
            self.conditions.append(Condition(parser.comparisons()))
            return
        relations: list[Relation] = []
        while parser.token.kind == "operator" and parser.token.text in _RELATIONS and not parser.trailing:
            relations.append(_RELATIONS[parser.advance().text])
            members.append(self._member(first=False))
            if len(members) > _MAXIMUM_MEMBERS:
                raise parser.fail("too_large", f"a chain has at most {_MAXIMUM_MEMBERS} members")
        if parser.token.text in COMPARISONS and parser.token.kind == "operator":
            raise parser.fail(
                "mixed_relations", "an equation and an inequality in one chain; separate them with a comma"
            )
        conditions = self._trailing_conditions()
        if relations:
            self.equations.extend(equations_of_chain(members, relations, conditions))
        else:
            self.expressions.append(members[0])
            self.conditions.extend(conditions)

    def _member(self, *, first: bool) -> Expression:
        named = self._function_head() if first else None
        value = named or self.parser.expression(top=True)
        if depth_of(value) > MAXIMUM_DEPTH or size_of(value) > MAXIMUM_NODES:
            raise FormulaError("too_large", "the formula is larger than any real one", position=0)
        return value

    def _function_head(self) -> Expression | None:
        """`f(x, y) =` at the start of a statement defines f."""
        parser = self.parser
        name, place = parser.token, parser.place + 1
        if name.kind != "name" or parser.tokens[place].text != "(":
            return None
        arguments: list[str] = []
        while parser.tokens[place].text in ("(", ",") and parser.tokens[place + 1].kind == "name":
            arguments.append(parser.tokens[place + 1].text)
            place += 2
        closing, relation = parser.tokens[place], parser.tokens[min(place + 1, len(parser.tokens) - 1)]
        if closing.text != ")" or not arguments or relation.kind != "operator" or relation.text not in _RELATIONS:
            return None
        if parser.is_function(name.text):
            return None
        parser.place = place + 1
        found = canonical_name(name.text, name.position)
        parser.flag("function_of", f"{found.name} is defined as a function of {', '.join(arguments)}", name.position)
        return Symbol(found.name)

    def _trailing_conditions(self) -> tuple[Condition, ...]:
        parser = self.parser
        found = [Condition(parser.trailing)] if parser.trailing else []
        while parser.at(",") or parser.at_word(*CONDITION_WORDS):
            place = parser.advance()
            if place.text == "," and parser.at_word(*CONDITION_WORDS):
                parser.advance()
            start = parser.token
            comparisons = parser.comparisons()
            if any(self._assigns(each) for each in comparisons):
                parser.flag("condition_or_equation", "an equation after a comma is read as a condition", start.position)
            found.append(Condition(comparisons))
        return tuple(found)

    @staticmethod
    def _assigns(comparison: Comparison) -> bool:
        return comparison.relation == "="
