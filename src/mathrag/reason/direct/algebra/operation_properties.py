"""All laws of one operation of logic, of sets or of numbers: commutative, associative, idempotent, its neutral element
and inverses. Those of logic and of sets come from all cases; those of numbers from the checkers of algebra."""

from __future__ import annotations

import re
from functools import cache

from mathrag.compute.logic import Constant, Joined, Letter, Not, Proposition, are_same, read_proposition
from mathrag.compute.set_algebra import read_set
from mathrag.language.word_classes import any_of, word_class
from mathrag.reason.direct.algebra.laws import Operation, law_of, neutral_of, operations
from mathrag.reason.direct.question_text import tidy, without_ending
from mathrag.reason.direct.result import DirectStatement
from mathrag.types.answer import WorkingLine

_LONGEST = 160
_LETTERS = {"logic": ("p", "q", "r"), "sets": ("A", "B", "C")}
_CONSTANTS = {"logic": ("true (1)", "false (0)"), "sets": ("the universal set", "the empty set ∅")}
_INVERSES = {
    "addition": "every number a has the inverse −a: a + (−a) = 0",
    "multiplication": "every number a ≠ 0 has the inverse 1/a: a · (1/a) = 1; 0 has none",
}


@cache
def _question() -> re.Pattern[str]:
    has = r"(?: have| satisfy| obey| fulfil| fulfill)?"
    return re.compile(
        rf"(?:{any_of('laws.properties_asked')}) (?:the )?(?P<name>{any_of('laws.operations')})"
        rf"(?: of (?:{any_of('laws.any_of_them')}))?{has}(?: ?\((?P<hints>[^()]*)\))?",
        re.IGNORECASE,
    )


def answer_operation_properties(text: str) -> DirectStatement | None:
    """The laws of an operation; None for any other question."""
    if len(text) > _LONGEST:
        return None
    found = _question().fullmatch(without_ending(tidy(text)))
    if found is None:
        return None
    hints = {each.lower() for each in re.findall(r"[A-Za-z-]+", found["hints"] or "")}
    if not hints <= word_class("laws.property_hints"):
        return None
    operation = operations()[found["name"].lower()]
    if operation.kind in ("logic", "sets"):
        return _by_cases(operation)
    return _of_numbers(operation) if operation.kind == "numbers" else None


def _read(operation: Operation, left: str, right: str) -> Proposition:
    written = operation.of(left, right)
    return read_proposition(written) if operation.kind == "logic" else read_set(written)[0]


def _placed(form: Proposition, values: dict[str, Proposition]) -> Proposition:
    match form:
        case Letter(name):
            return values[name]
        case Not(operand):
            return Not(_placed(operand, values))
        case Joined(sign, left, right):
            return Joined(sign, _placed(left, values), _placed(right, values))
        case _:
            return form


class _Cases:
    """An operation on statements, or on whether an element lies in sets."""

    def __init__(self, operation: Operation) -> None:
        self.operation = operation
        self.letters = tuple(map(Letter, _LETTERS[operation.kind]))
        first, second = self.letters[0].name, self.letters[1].name
        self.form = _read(operation, first, second)

    def of(self, left: Proposition, right: Proposition) -> Proposition:
        return _placed(self.form, {self.letters[0].name: left, self.letters[1].name: right})

    def laws(self) -> list[str]:
        x, y, z = self.letters
        a, b, c = (each.name for each in self.letters)
        written = self.operation.of
        tried = (
            ("commutative", self.of(x, y), self.of(y, x), written(a, b), written(b, a)),
            (
                "associative",
                self.of(self.of(x, y), z),
                self.of(x, self.of(y, z)),
                written(written(a, b), c),
                written(a, written(b, c)),
            ),
            ("idempotent", self.of(x, x), x, written(a, a), a),
        )
        lines = []
        for name, left, right, *shown in tried:
            holds = are_same(left, right)
            sides = " = ".join(each[1:-1] if each.startswith("(") else each for each in shown)
            lines.append(f"{name if holds else 'not ' + name}: {sides} {'always' if holds else 'not always'}")
        return lines

    def neutral_and_inverses(self) -> list[str]:
        x = self.letters[0]
        for value, name in zip((True, False), _CONSTANTS[self.operation.kind], strict=True):
            constant = Constant(value)
            if not (are_same(self.of(x, constant), x) and are_same(self.of(constant, x), x)):
                continue
            line = f"neutral element (identity): {name}"
            if are_same(self.of(x, x), constant):
                written = self.operation.of(x.name, x.name)[1:-1]
                return [line, f"inverses: everything is its own inverse, {written} = {name}"]
            opposite = are_same(self.of(x, Not(x)), constant)
            return [line, "inverses: the opposite of each is its inverse" if opposite else "no inverses in general"]
        return ["no neutral element (identity) on both sides"]


def _by_cases(operation: Operation) -> DirectStatement:
    found = _Cases(operation)
    lines = [*found.laws(), *found.neutral_and_inverses()]
    kind = "statements" if operation.kind == "logic" else "sets"
    name = operation.name if "set" in operation.name else f"{operation.name} of {kind}"
    text = f"{name[:1].upper()}{name[1:]}: {'; '.join(lines)}. Shown by trying all cases."
    return DirectStatement(text, operation.name, tuple(map(WorkingLine, lines)))


def _of_numbers(operation: Operation) -> DirectStatement | None:
    parts = [law_of(operation, "commutative"), law_of(operation, "associative"), neutral_of(operation, None, None)]
    told = [each for each in parts if isinstance(each, DirectStatement)]
    if len(told) != len(parts):
        return None
    more = _INVERSES.get(operation.name, "")
    texts = [each.text.removeprefix("Yes: ").removeprefix("No: ") for each in told]
    text = " ".join(each[:1].upper() + each[1:] for each in (*texts, *((f"inverses: {more}.",) if more else ())))
    return DirectStatement(text, operation.name, tuple(line for each in told for line in each.lines))
