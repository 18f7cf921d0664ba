"""The inputs of each action, read from JSON that may come from anyone. Says what is wrong; looks nothing up."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from mathrag.language.spoken_numbers import spoken_numbers
from mathrag.reason.agent.number_sources import visible
from mathrag.reason.agent.seams import Problem

LONGEST_STRING = 4_000
_LONGEST_LIST = 50
_LONGEST_EXPRESSION = 600
_MOST_PARAMETERS = 100
_MOST_FORMULAS = 6

WhichRoot: TypeAlias = Literal["", "least", "greatest", "positive", "negative"]
WHICH_ROOTS: tuple[WhichRoot, ...] = ("least", "greatest", "positive", "negative")


@dataclass(frozen=True, slots=True)
class Search:
    """Words to look formulas up by."""

    query: str
    terms: tuple[str, ...] = ()
    literals: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ConstantSearch:
    """Names or symbols of constants."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PropertySearch:
    """Words that name a property and what it is of: "density of steel"."""

    words: str


@dataclass(frozen=True, slots=True)
class ToolRequest:
    """A formula to make a tool of, and what to solve it for."""

    formula_id: str
    target: str | None = None


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool, or a formula to make one of first, with a value for each parameter, not looked at yet."""

    tool_name: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    formula_id: str = ""
    target: str | None = None


@dataclass(frozen=True, slots=True)
class QuotedValue:
    """A value that words of the question say; `value` tells which of several numbers there is meant."""

    quote: str
    value: float | None = None
    unit: str = ""
    meaning: str = ""


@dataclass(frozen=True, slots=True)
class Computation:
    """An expression over values of the episode. `quotes` gives the words behind numbers that stand in it."""

    expression: str
    meaning: str = ""
    quotes: Mapping[str, str] = field(default_factory=dict)
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Calculus:
    """What to do with a function of one variable: its slope `at` a place, its integral from `lower` to `upper`, or
    where between these it is greatest or least."""

    function: Computation
    variable: str
    lower: str = ""
    upper: str = ""
    at: str = ""
    which: Literal["maximum", "minimum"] = "maximum"


@dataclass(frozen=True, slots=True)
class SystemPart:
    """A formula of a system, with other names for its symbols."""

    formula_id: str
    names: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class System:
    """Formulas, and relations that the question states, to be solved together for one symbol.

    `limit` are the words of the question that ask for the case in which a limit is reached: then what states one (≤, ≥)
    holds as an equation. `which` says which of several solutions is meant.
    """

    formulas: tuple[SystemPart, ...]
    target: str
    known: Mapping[str, Any] = field(default_factory=dict)
    relations: tuple[str, ...] = ()
    meaning: str = ""
    quotes: Mapping[str, str] = field(default_factory=dict)
    unit: str = ""
    limit: str = ""
    which: WhichRoot = ""


@dataclass(frozen=True, slots=True)
class MeaningCorrection:
    """What a symbol of a formula is in truth, for this question."""

    formula_id: str
    symbol: str
    unit: str
    meaning: str = ""


@dataclass(frozen=True, slots=True)
class Identity:
    """That the last result is what is asked, by words of the question or of a document that define it so."""

    quote: str
    result: str = ""


@dataclass(frozen=True, slots=True)
class Assumption:
    """A value that stands nowhere, and why it may be taken."""

    value: float
    unit: str
    meaning: str
    reason: str


@dataclass(frozen=True, slots=True)
class FormulaProposal:
    """A formula that stands in no document: `symbols` gives each symbol's meaning and unit."""

    name: str
    equation: str
    symbols: Mapping[str, tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Sentence:
    """A text for the user; empty where the episode is to say it itself. `is_no` where it says that there is no answer,
    `because` answers the objections to a result."""

    text: str = ""
    is_no: bool = False
    because: str = ""


@dataclass(frozen=True, slots=True)
class Translation:
    """The language to translate into; what is translated is always the question."""

    language: str = "English"


Inputs: TypeAlias = (
    Search
    | ConstantSearch
    | PropertySearch
    | ToolRequest
    | ToolCall
    | QuotedValue
    | Computation
    | Calculus
    | System
    | MeaningCorrection
    | Identity
    | Assumption
    | FormulaProposal
    | Sentence
    | Translation
)
_Raw: TypeAlias = Mapping[str, Any]


# Names of values, and of symbols with an index.
_NAME = re.compile(
    r"(?:given|value|result|constant|pinned|count|binding|assumed)_\d{1,3}|[A-Za-z]+(?:_[A-Za-z]+)*_?\d?"
)


def is_plain_name(name: str) -> bool:
    """Whether a planner may call a symbol so: names are shown, so they say no number beyond an index of one digit."""
    return len(name) <= 40 and bool(_NAME.fullmatch(name)) and not spoken_numbers(name.replace("_", " "), frozenset())


class _ShapeError(Exception):
    """A shape that does not fit; never leaves this module."""


def read_inputs(name: str, inputs: object) -> Inputs | Problem:
    """The inputs of a known action, checked for shape and size."""
    keys, read = _READERS[name]
    if not isinstance(inputs, Mapping):
        return Problem("malformed_inputs", f"{name} takes a JSON object, not {_kind(inputs)}")
    unknown = [str(key)[:40] for key in inputs if key not in keys]
    if unknown:
        allowed = ", ".join(keys)
        return Problem("malformed_inputs", f"{name} does not take {', '.join(unknown[:5])}; it takes {allowed}")
    try:
        return read(inputs)
    except _ShapeError as wrong:
        return Problem("malformed_inputs", f"{name}: {wrong}")


def _search(inputs: _Raw) -> Search:
    query, terms = _text(inputs, "query"), _texts(inputs, "search_terms")
    literals = inputs.get("literals", {})
    if not isinstance(literals, Mapping) or len(literals) > _LONGEST_LIST:
        raise _ShapeError("literals is an object with the lists numeric and categorical")
    for key, values in literals.items():
        if key not in ("numeric", "categorical") or not isinstance(values, list | tuple):
            raise _ShapeError("literals is an object with the lists numeric and categorical")
        if len(values) > _LONGEST_LIST or not all(_is_literal(value) for value in values):
            raise _ShapeError(f"literals.{key} is a short list of numbers or words")
    if not query and not terms:
        raise _ShapeError("give a query (a phrase) or search_terms (a list of words)")
    return Search(query, terms, {key: tuple(values) for key, values in literals.items()})


def _is_literal(value: object) -> bool:
    return isinstance(value, int | float) or (isinstance(value, str) and len(value) <= LONGEST_STRING)


def _constant(inputs: _Raw) -> ConstantSearch:
    query, names = _text(inputs, "query"), _texts(inputs, "names")
    words = tuple(dict.fromkeys((*((query,) if query else ()), *names)))
    if not words:
        raise _ShapeError("give a query (the name of a constant) or names (a list of them)")
    return ConstantSearch(words)


def _property(inputs: _Raw) -> PropertySearch:
    return PropertySearch(_needed(inputs, "query", "the words of a property, such as density of steel"))


def _tool(inputs: _Raw) -> ToolRequest:
    formula_id = _needed(inputs, "formula_id", "the id of a formula that was retrieved")
    return ToolRequest(formula_id, _text(inputs, "target") or None)


def _call(inputs: _Raw) -> ToolCall:
    name, formula_id = _text(inputs, "tool_name"), _text(inputs, "formula_id")
    if not name and not formula_id:
        raise _ShapeError("give tool_name (a tool that was created), or formula_id and target to make one at once")
    return ToolCall(name, _mapping(inputs, "parameters"), formula_id, _text(inputs, "target") or None)


def _quoted(inputs: _Raw) -> QuotedValue:
    quote = _needed(inputs, "quote", "the words of the question that say the value, copied exactly")
    value = None if inputs.get("value") in (None, "") else _number(inputs, "value")
    return QuotedValue(quote, value, _text(inputs, "unit"), _words(inputs, "meaning"))


def _computation(inputs: _Raw) -> Computation:
    return Computation(
        _expression(inputs, "expression"), _words(inputs, "meaning"), _quotes(inputs), _text(inputs, "unit")
    )


def _slope(inputs: _Raw) -> Calculus:
    return Calculus(_computation(inputs), _variable(inputs), at=_expression(inputs, "at"))


def _integral(inputs: _Raw) -> Calculus:
    lower, upper = _expression(inputs, "lower"), _expression(inputs, "upper")
    return Calculus(_computation(inputs), _variable(inputs), lower=lower, upper=upper)


def _extremum(inputs: _Raw) -> Calculus:
    which = _text(inputs, "which") or "maximum"
    if which not in ("maximum", "minimum"):
        raise _ShapeError("which is maximum or minimum")
    return Calculus(_computation(inputs), _variable(inputs), which="maximum" if which == "maximum" else "minimum")


def _variable(inputs: _Raw) -> str:
    name = _needed(inputs, "variable", "the name of the variable in the expression")
    if not is_plain_name(name):
        raise _ShapeError("variable is a name such as t or x")
    return name


def _system(inputs: _Raw) -> System:
    listed = inputs.get("formulas", ())
    if not isinstance(listed, list | tuple) or not 1 <= len(listed) <= _MOST_FORMULAS:
        raise _ShapeError(
            f"formulas is a list of 1 to {_MOST_FORMULAS} objects with formula_id and, if need be, rename"
        )
    relations = _texts(inputs, "relations")
    if len(relations) > _MOST_FORMULAS or any(len(each) > _LONGEST_EXPRESSION for each in relations):
        raise _ShapeError(f"relations is a list of at most {_MOST_FORMULAS} short equations such as v_2 = 2*v_1")
    named = _text(inputs, "which").lower()
    which: WhichRoot = next((each for each in WHICH_ROOTS if each == named), "")
    if named and not which:
        raise _ShapeError(f"which is one of {', '.join(WHICH_ROOTS)}")
    return System(
        tuple(_part(each) for each in listed),
        _needed(inputs, "target", "the symbol to solve for"),
        _mapping(inputs, "known"),
        relations,
        _words(inputs, "meaning"),
        _quotes(inputs),
        _text(inputs, "unit"),
        _words(inputs, "limit"),
        which,
    )


def _part(given: object) -> SystemPart:
    if isinstance(given, str) and given:
        return SystemPart(given[:LONGEST_STRING])
    if isinstance(given, Mapping) and "id" in given and "formula_id" not in given:
        given = {**{key: value for key, value in given.items() if key != "id"}, "formula_id": given["id"]}
    if not isinstance(given, Mapping) or any(key not in ("formula_id", "rename") for key in given):
        raise _ShapeError('a formula of a system is an object such as {"formula_id": "f-1", "rename": {"v": "v_1"}}')
    names = given.get("rename") or {}
    is_named = isinstance(names, Mapping) and all(
        isinstance(old, str) and isinstance(new, str) and is_plain_name(new) for old, new in names.items()
    )
    if not is_named or len(names) > _LONGEST_LIST:
        raise _ShapeError("rename is an object from symbols of the formula to other names, such as v to v_1")
    return SystemPart(_needed(given, "formula_id", "the id of a formula that was retrieved"), dict(names))


def _correction(inputs: _Raw) -> MeaningCorrection:
    return MeaningCorrection(
        _needed(inputs, "formula_id", "the id of a formula that was retrieved"),
        _needed(inputs, "symbol", "a symbol of that formula"),
        _text(inputs, "unit"),
        _words(inputs, "meaning"),
    )


def _identity(inputs: _Raw) -> Identity:
    quote = _needed(inputs, "quote", "a sentence of the question or of a document that defines what is asked")
    return Identity(visible(quote), _text(inputs, "result"))


def _assumption(inputs: _Raw) -> Assumption:
    reason = _needed(inputs, "reason", "why this value may be taken, in a sentence")
    meaning = _needed(inputs, "meaning", "what the value is of")
    return Assumption(_number(inputs, "value"), _text(inputs, "unit"), visible(meaning), visible(reason))


def _formula_proposal(inputs: _Raw) -> FormulaProposal:
    symbols: dict[str, tuple[str, str]] = {}
    for name, about in _mapping(inputs, "symbols").items():
        if not isinstance(about, Mapping) or any(key not in ("meaning", "unit") for key in about):
            raise _ShapeError('symbols gives each symbol an object such as {"meaning": "mass", "unit": "kg"}')
        if not is_plain_name(name):
            raise _ShapeError("a symbol has a name such as v or v_1")
        symbols[name] = visible(_text(about, "meaning")), _text(about, "unit")
    name = _needed(inputs, "name", "what the formula is called")
    return FormulaProposal(visible(name), _expression(inputs, "equation"), symbols)


def _answer(inputs: _Raw) -> Sentence:
    if inputs.get("no") not in (None, False):
        # Some say only that it is a no.
        return Sentence("" if inputs["no"] is True else _words(inputs, "no") or _words(inputs, "answer"), is_no=True)
    return Sentence(visible(_text(inputs, "answer")).strip(), because=_words(inputs, "because"))


def _clarification(inputs: _Raw) -> Sentence:
    return Sentence(visible(_text(inputs, "question")).strip())


def _translation(inputs: _Raw) -> Translation:
    _text(inputs, "text")
    return Translation(_text(inputs, "target_lang") or "English")


def _text(inputs: _Raw, key: str) -> str:
    value = inputs.get(key, "")
    if value is None:
        return ""
    if not isinstance(value, str):
        raise _ShapeError(f"{key} is a text, not {_kind(value)}")
    if len(value) > LONGEST_STRING:
        raise _ShapeError(f"{key} has {len(value)} characters; at most {LONGEST_STRING} are read")
    return value.strip()


def _words(inputs: _Raw, key: str) -> str:
    return visible(_text(inputs, key)).strip()


def _needed(inputs: _Raw, key: str, what: str) -> str:
    value = _text(inputs, key)
    if not value:
        raise _ShapeError(f"{key} is {what}")
    return value


def _expression(inputs: _Raw, key: str) -> str:
    value = inputs.get(key, "")
    # Bounds and places are often bare numbers.
    if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
        value = repr(value)
    text = _needed({key: value}, key, "an expression over values, such as given_1 * sin(given_2)")
    if len(text) > _LONGEST_EXPRESSION:
        raise _ShapeError(f"{key} has {len(text)} characters; at most {_LONGEST_EXPRESSION} are read")
    return text


def _number(inputs: _Raw, key: str) -> float:
    value = inputs.get(key)
    if isinstance(value, str):
        try:
            value = float(value[:60])
        except ValueError:
            value = None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _ShapeError(f"{key} is a number")
    try:
        is_usable = math.isfinite(value)
    except OverflowError:
        is_usable = False
    if not is_usable:
        raise _ShapeError(f"{key} is a finite number")
    return value


def _mapping(inputs: _Raw, key: str) -> dict[str, Any]:
    value = inputs.get(key, {})
    if not isinstance(value, Mapping) or not all(isinstance(each, str) for each in value):
        raise _ShapeError(f"{key} is an object from names to values, not {_kind(value)}")
    if len(value) > _MOST_PARAMETERS:
        raise _ShapeError(f"nothing has {len(value)} {key}")
    return dict(value)


def _quotes(inputs: _Raw) -> dict[str, str]:
    """Numbers of an expression, as written there, with the words of the question behind them."""
    quotes = _mapping(inputs, "quotes")
    if not all(isinstance(each, str) and len(each) <= LONGEST_STRING for each in quotes.values()):
        raise _ShapeError('quotes is an object such as {"3": "third-order"}')
    return {str(number).strip(): text for number, text in quotes.items()}


def _texts(inputs: _Raw, key: str) -> tuple[str, ...]:
    value = inputs.get(key, ())
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
        raise _ShapeError(f"{key} is a list of texts")
    if len(value) > _LONGEST_LIST or any(len(item) > LONGEST_STRING for item in value):
        raise _ShapeError(f"{key} is too long")
    return tuple(item.strip() for item in value if item.strip())


def _kind(value: object) -> str:
    """What a JSON value is, in words."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "a truth value"
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, str):
        return "a text"
    return "a list" if isinstance(value, list | tuple) else "an object"


_COMPUTED = ("expression", "meaning", "quotes", "unit")
_READERS: dict[str, tuple[tuple[str, ...], Callable[[_Raw], Inputs]]] = {
    "RETRIEVE_MATH_KNOWLEDGE": (("query", "search_terms", "literals"), _search),
    "RETRIEVE_CONSTANT": (("query", "names"), _constant),
    "LOOK_UP": (("query",), _property),
    "DEFINE_VALUE": (("quote", "value", "unit", "meaning"), _quoted),
    "CREATE_DYNAMIC_TOOL": (("formula_id", "target"), _tool),
    "CALL_TOOL": (("tool_name", "parameters", "formula_id", "target"), _call),
    "COMPUTE": (_COMPUTED, _computation),
    "SOLVE": (
        ("formulas", "target", "known", "relations", "meaning", "quotes", "unit", "limit", "which"),
        _system,
    ),
    "DIFFERENTIATE": ((*_COMPUTED, "variable", "at"), _slope),
    "INTEGRATE": ((*_COMPUTED, "variable", "lower", "upper"), _integral),
    "FIND_EXTREMUM": ((*_COMPUTED, "variable", "which"), _extremum),
    "CORRECT_MEANING": (("formula_id", "symbol", "unit", "meaning"), _correction),
    "SAME_AS": (("quote", "result", "reason"), _identity),
    "ASSUME": (("value", "unit", "meaning", "reason"), _assumption),
    "PROPOSE_FORMULA": (("name", "equation", "symbols"), _formula_proposal),
    "TRANSLATE_INPUT": (("text", "target_lang"), _translation),
    "ASK_FOR_CLARIFICATION": (("question",), _clarification),
    "ANSWER_DIRECTLY": (("answer",), _answer),
    "RESPOND": (("answer", "no", "because"), _answer),
}
