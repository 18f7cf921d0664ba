"""Whether an operation is commutative, associative, idempotent or distributive, and what its neutral element is.

Every answer is a statement in letters that the checkers of algebra, sets, logic and matrices judge; none is remembered.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Literal, TypeAlias

from mathrag.compute.algebra.vectors import Vector, added, cross
from mathrag.compute.typed_mathematics import AmbiguousMathematicsError
from mathrag.language.word_classes import any_of, word_pairs
from mathrag.reason.direct.algebra.answers import answer_task
from mathrag.reason.direct.algebra.asked_claims import without_asking, without_closing
from mathrag.reason.direct.algebra.logic import answer_logic
from mathrag.reason.direct.algebra.matrix_claims import answer_matrix_claim
from mathrag.reason.direct.algebra.questions import read_task
from mathrag.reason.direct.algebra.sets import answer_sets
from mathrag.reason.direct.algebra.vectors import shown_vector
from mathrag.reason.direct.question_text import tidy, without_ending
from mathrag.reason.direct.result import AlgebraOutcome, DirectStatement
from mathrag.types.answer import WorkingLine

_LONGEST = 160
_MOST_SENTENCES = 3
_ADJECTIVE = re.compile(r",? and |, |,? or ")
_AS_WELL = re.compile(r",? (?:as well|too|also|likewise)$", re.IGNORECASE)
_Kind: TypeAlias = Literal["numbers", "integers", "sets", "logic", "matrices", "vectors"]
_LETTERS: dict[_Kind, tuple[str, str, str]] = {
    "numbers": ("a", "b", "c"),
    "integers": ("a", "b", "c"),
    "sets": ("A", "B", "C"),
    "logic": ("p", "q", "r"),
    "matrices": ("A", "B", "C"),
    "vectors": ("a", "b", "c"),
}
_OF_WHAT = {
    "numbers": "numbers",
    "integers": "whole numbers",
    "sets": "sets",
    "logic": "statements",
    "matrices": "square matrices",
    "vectors": "vectors of three parts",
}


_SORTS = {
    "numbers": "numbers",
    "integers": "numbers",
    "sets": "sets",
    "logic": "statements",
    "matrices": "matrices",
    "vectors": "vectors",
}


@dataclass(frozen=True, slots=True)
class Operation:
    """A name, of what it is, and how it is written with two letters."""

    name: str
    kind: _Kind
    form: str

    def of(self, left: str, right: str) -> str:
        """The operation written between two letters."""
        return self.form.format(left, right)


@cache
def operations() -> dict[str, Operation]:
    """Every operation that questions name."""
    found: dict[str, Operation] = {}
    # Of names for one operation the first is the one that is told: others may be slips.
    told: dict[str, str] = {}
    for name, said in word_pairs("laws.operations").items():
        kind, _, form = said.partition(": ")
        assert kind in _LETTERS
        found[name] = Operation(told.setdefault(said, name), kind, form)
    return found


@cache
def _questions() -> tuple[tuple[re.Pattern[str], str], ...]:
    names = any_of("laws.operations")
    operation = rf"(?:the )?(?P<name>{names})(?: (?:of|on|for|between) (?P<what>{any_of('laws.any_of_them')}))?"
    other = rf"(?:the )?(?P<other>{names})(?: (?:of|on|for|between) (?P<whats>{any_of('laws.any_of_them')}))?"
    one = rf"(?:{any_of('laws.adjectives')})"
    law = rf"(?P<law>{one})"
    laws = rf"(?P<law>{one}(?:(?:,? and |, |,? or ){one})*)"
    noun = any_of("laws.nouns")
    state = rf"(?:(?:{any_of('laws.state')}) )?(?:the )?"
    identity = rf"(?:{any_of('laws.identity')})"
    made = (
        (rf"(?:is|are) {operation} (?:both |also |always |an? )*{laws}(?: operations?)?(?: or not)?", "is"),
        (rf"{operation} (?:is|are) (?:both |also |always |an? )*{laws}(?: operations?)?", "is"),
        (rf"(?:is|are) {operation} (?:left )?distributive (?:over|with respect to) {other}", "distributes"),
        (rf"does {operation} distribute over {other}", "distributes"),
        (rf"{operation} distributes over {other}", "distributes"),
        (rf"{operation} is (?:left )?distributive (?:over|with respect to) {other}", "distributes"),
        (rf"{state}{law} (?:{noun})(?: (?:of|for) {operation})?", "states"),
        (rf"{state}distributive (?:{noun})(?: (?:of|for) {operation}(?: over {other})?)?", "states distributive"),
        (rf"{state}{identity} (?:of|for|under) {operation}", "neutral"),
        (rf"is (?:the )?{identity} (?:of|for|under) {operation} (?P<value>[01])(?: or (?P<second>[01]))?", "neutral"),
        (rf"is (?P<value>[01]) (?:the|an) {identity} (?:of|for|under) {operation}", "neutral"),
    )
    return tuple((re.compile(pattern, re.IGNORECASE), asked) for pattern, asked in made)


def answer_laws(text: str) -> AlgebraOutcome:
    """Whether a law holds of an operation; None for any other question."""
    if len(text) > _LONGEST:
        return None
    asked = without_ending(tidy(text))
    return _read(asked) or _several_sentences(asked) or _with_statement(asked)


def _read(asked: str) -> AlgebraOutcome:
    """One question, with or without the words around it that ask for the truth."""
    for body in dict.fromkeys((asked, without_closing(_AS_WELL.sub("", asked)), without_asking(asked))):
        for pattern, what in _questions():
            found = pattern.fullmatch(body)
            if found is not None:
                try:
                    return _answered(what, found.groupdict())
                except AmbiguousMathematicsError:
                    return None
    return None


def _several_sentences(asked: str) -> AlgebraOutcome:
    """Sentences that are each on a law: a statement, then a question on another one."""
    sentences = re.split(r"(?<=[a-z])[.;?] (?:And |and |But |but )?", asked)
    if not 2 <= len(sentences) <= _MOST_SENTENCES:
        return None
    return _together([_read(each) for each in sentences], asked)


def _with_statement(asked: str) -> AlgebraOutcome:
    """A law and, behind it, what it says in letters: both are judged."""
    cut = re.search("[,:] ", asked)
    told = _read(asked[: cut.start()]) if cut is not None else None
    if cut is None or not isinstance(told, DirectStatement):
        return None
    stated = without_asking(re.sub(r"^(?:i\.e\.|that is|so|meaning|which means)[ ,:]+", "", asked[cut.end() :]))
    if re.sub(r"[\s()]", "", stated) == re.sub(r"[\s()]", "", told.expression):
        return told
    judged = answer_sets(stated) or answer_logic(f"is {stated}") or _by_algebra(f"is {stated}?")
    if not isinstance(judged, DirectStatement):
        return None
    return _together([told, judged], asked)


def _together(parts: Sequence[AlgebraOutcome], asked: str) -> AlgebraOutcome:
    told = [each for each in parts if isinstance(each, DirectStatement)]
    if len(told) != len(parts):
        return None
    lines = tuple(line for each in told for line in each.lines)
    return DirectStatement(" ".join(each.text for each in told), asked, tuple(dict.fromkeys(lines)))


def _answered(what: str, said: dict[str, str | None]) -> AlgebraOutcome:
    name = _operation_of(said.get("name"))
    other = _operation_of(said.get("other"))
    if not (_fits(name, said.get("what")) and _fits(other, said.get("whats"))):
        return None
    named = [word_pairs("laws.adjectives")[each] for each in _ADJECTIVE.split((said.get("law") or "").lower()) if each]
    law = named[0] if named else ""
    if what == "neutral":
        return None if name is None else neutral_of(name, said.get("value"), said.get("second"))
    if what == "distributes":
        return None if name is None or other is None else _distributive(name, other)
    if what == "states distributive":
        plus, times = _operation_of("addition"), _operation_of("multiplication")
        assert plus is not None
        assert times is not None
        return _as_stated(_distributive(name or times, other or plus))
    if name is not None and what == "states":
        return _as_stated(law_of(name, law))
    if name is not None:
        return _together([law_of(name, each) for each in named], name.name) if len(named) > 1 else law_of(name, law)
    return None if law == "idempotent" else _of_both(law)


def _of_both(law: str) -> AlgebraOutcome:
    """A law without an operation: that of sums and of products."""
    both = [each for each in map(_operation_of, ("addition", "multiplication")) if each is not None]
    return _together([_as_stated(law_of(each, law)) for each in both], f"{law} law")


def _fits(operation: Operation | None, words: str | None) -> bool:
    """Whether an operation is one of what the question says it is of."""
    return operation is None or not words or word_pairs("laws.any_of_them")[words.lower()] == _SORTS[operation.kind]


def _as_stated(found: AlgebraOutcome) -> AlgebraOutcome:
    """The same where a law is to be told, not judged."""
    if not isinstance(found, DirectStatement):
        return found
    text = found.text.removeprefix("Yes: ")
    return replace(found, text=text[:1].upper() + text[1:])


def _operation_of(name: str | None) -> Operation | None:
    return None if name is None else operations().get(name.lower())


def law_of(operation: Operation, law: str) -> AlgebraOutcome:
    """Whether a law holds of an operation."""
    a, b, c = _LETTERS[operation.kind]
    of = operation.of
    left, right = {
        "commutative": (of(a, b), of(b, a)),
        "associative": (of(of(a, b), c), of(a, of(b, c))),
        "idempotent": (of(a, a), a),
    }[law]
    said = _called(operation)
    return _told(operation.kind, left, right, f"{said} is {law}", f"{said} is not {law}")


def _called(operation: Operation) -> str:
    """The operation with what it is of, where its name does not say so."""
    if operation.kind in ("matrices", "vectors"):
        return f"{operation.name} ({_OF_WHAT[operation.kind]})"
    return operation.name if " of " in operation.name else f"{operation.name} of {_OF_WHAT[operation.kind]}"


def _bare(text: str) -> str:
    """Without the parentheses around the whole."""
    if not text.startswith("("):
        return text
    depth = 0
    for place, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if depth == 0 and place < len(text) - 1:
            return text.replace(" * ", " · ")
    return text[1:-1].replace(" * ", " · ")


def _distributive(operation: Operation, other: Operation) -> AlgebraOutcome:
    if operation.kind != other.kind and {operation.kind, other.kind} != {"numbers", "integers"}:
        return None
    a, b, c = _LETTERS[operation.kind]
    left = operation.of(a, other.of(b, c))
    right = other.of(operation.of(a, b), operation.of(a, c))
    said = _called(operation)
    kind: _Kind = "integers" if "integers" in (operation.kind, other.kind) else operation.kind
    return _told(
        kind, left, right, f"{said} distributes over {other.name}", f"{said} does not distribute over {other.name}"
    )


def neutral_of(operation: Operation, value: str | None, second: str | None) -> AlgebraOutcome:
    """Of numbers: 0 or 1, tried on both sides."""
    if operation.kind != "numbers":
        return None
    held = [each for each in ("0", "1") if _is_neutral(operation, each)]
    name = operation.name
    if not held:
        sides = [each for each in ("0", "1") if _is_true(operation.of("a", each), "a")]
        half = (
            f" {_bare(operation.of('a', sides[0]))} = a holds, but {_bare(operation.of(sides[0], 'a'))} = a does not."
            if sides
            else ""
        )
        text = f"Neither 0 nor 1 is a neutral element of {name}.{half}"
        return DirectStatement(f"{'No. ' if value else ''}{text} (Checked by algebra and a counterexample.)", name)
    element = held[0]
    lines = (
        WorkingLine(f"{_bare(operation.of('a', element))} = a"),
        WorkingLine(f"{_bare(operation.of(element, 'a'))} = a"),
    )
    opening = "" if not value or second else "Yes. " if value == element else "No. "
    text = (
        f"{opening}The neutral element (identity) of {name} of numbers is {element}: {lines[0].text} and "
        f"{lines[1].text} "
        "for all numbers a (both sides have the same canonical form, shown by algebra)."
    )
    return DirectStatement(text, f"neutral element of {name}", lines)


def _is_neutral(operation: Operation, value: str) -> bool:
    return _is_true(operation.of("a", value), "a") and _is_true(operation.of(value, "a"), "a")


def _is_true(left: str, right: str) -> bool:
    found = _judged("numbers", left, right)
    return found is not None and found.text.startswith("True")


_CHECKS: dict[_Kind, Callable[[str, str], AlgebraOutcome]] = {
    "numbers": lambda left, right: _by_algebra(f"is {left} = {right}?"),
    "integers": lambda left, right: _by_algebra(
        f"is {left} = {right} for integers a, b, c?", f"is {left} = {right} for integers?"
    ),
    "sets": lambda left, right: answer_sets(f"is {left} = {right}?"),
    "logic": lambda left, right: answer_logic(f"are {left} and {right} equivalent?"),
    "matrices": lambda left, right: answer_matrix_claim(f"is {left} = {right} for matrices?"),
}


def _by_algebra(*questions: str) -> AlgebraOutcome:
    for question in questions:
        task = read_task(question)
        if task is not None:
            return answer_task(task)
    return None


def _judged(kind: _Kind, left: str, right: str) -> DirectStatement | None:
    found = _CHECKS[kind](left, right) if kind != "vectors" else _of_vectors(left, right)
    return found if isinstance(found, DirectStatement) else None


def _told(kind: _Kind, left: str, right: str, holds: str, fails: str) -> AlgebraOutcome:
    found = _judged(kind, left, right)
    if found is None:
        return None
    written = f"{_bare(left)} {'⇔' if kind == 'logic' else '='} {_bare(right)}"
    if found.text.startswith(("True", "Yes")):
        text = f"Yes: {holds}: {written}. {found.text}"
    elif found.text.startswith(("False", "No,", "No:", "No ", "Not")) and not found.text.startswith(
        "No counterexample"
    ):
        text = f"No: {fails}: {written} is not true in general. {found.text}"
    else:
        text = f"As far as was tried, {holds}: {written}. {found.text}"
    return DirectStatement(text, written, found.lines or (WorkingLine(written),), found.notes)


# Vectors of three parts.

_BASIS: tuple[Vector, ...] = tuple(
    tuple(map(Fraction, each)) for each in ((1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0), (2, -1, 3))
)


def _of_vectors(left: str, right: str) -> DirectStatement | None:
    """An equation of cross products and sums, tried at all choices of a few vectors."""
    tried = 0
    for a, b, c in itertools.product(_BASIS, repeat=3):
        values = {"a": a, "b": b, "c": c}
        sides = [_vector_value(each, values) for each in (left, right)]
        tried += 1
        if sides[0] != sides[1]:
            shown = ", ".join(f"{name} = {shown_vector(value)}" for name, value in values.items() if name in left)
            ends = f"the left side is {shown_vector(sides[0])} and the right side is {shown_vector(sides[1])}"
            return DirectStatement(f"False: at {shown} {ends}.", left, (WorkingLine(f"at {shown}: {ends}"),))
    return DirectStatement(f"It holds at all {tried} choices of vectors tried (exactly, not proved).", left)


def _vector_value(text: str, values: dict[str, Vector]) -> Vector:
    """The value of a tree in the forms that operations are written in here: (x × y), (x + y), a letter."""
    if text in values:
        return values[text]
    inside, depth = text[1:-1], 0
    for place, sign in enumerate(inside):
        depth += (sign == "(") - (sign == ")")
        if sign in "×+" and depth == 0:
            parts = (_vector_value(inside[:place].strip(), values), _vector_value(inside[place + 1 :].strip(), values))
            return cross(*parts) if sign == "×" else added(*parts)
    raise AssertionError(text)
