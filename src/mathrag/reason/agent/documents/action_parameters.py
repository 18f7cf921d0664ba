"""The parameters of the five actions on documents: what each is, what is legal, and an action made of what was given.

Whoever reads a format hands over names and values; here they become an action or a problem that says what is legal.
Boxes come in as x, y, width, height, as the published system writes them, and leave as left, top, right, bottom.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NoReturn, TypeAlias

from mathrag.reason.agent.documents.call_text import CallError, LiteralReader
from mathrag.types.document_actions import (
    DOCUMENT_ACTIONS,
    WORDS,
    CalculateExpr,
    DocumentAction,
    DocumentActionName,
    GenerateAnswer,
    RetrieveFromDatabase,
    RetrieveFromVectorstore,
    ViewImage,
)

ProblemCode: TypeAlias = Literal[
    "no_action",
    "unknown_action",
    "not_allowed",
    "unknown_parameter",
    "missing_parameter",
    "wrong_type",
    "out_of_range",
    "unreadable",
    "too_long",
]
Kind: TypeAlias = Literal["text", "whole number", "box", "anything"]

LARGEST_LIMIT = 100
LARGEST_PAGE = 100_000
# A hundred times the side of the largest paper that a PDF may have by its standard, in points.
LARGEST_SIDE = 1_440_000.0
LONGEST_VALUE = 20_000
DEEPEST_ANSWER = 16
MOST_PARTS = 5_000
# Sides are kept to a ten-thousandth of a point, so that a width gives back the right side it was made from.
_PLACES = 4
_LONGEST_SHOWN = 40
_LARGEST_NUMBER = 10**300
_WHOLE = re.compile(r"[+-]?[0-9]{1,18}(?:\.0{1,6})?")
_NUMBER = re.compile(r"[+-]?(?:[0-9]{1,300}(?:\.[0-9]{0,300})?|\.[0-9]{1,300})(?:[eE][+-]?[0-9]{1,4})?")
_LITERALS: Mapping[str, object] = {"true": True, "false": False, "null": None, "none": None, "~": None}


class Plain(str):
    """A text without quotation marks: whether it is a number, a truth value or words is for the parameter to say.

    `parts` are the list or mapping that it holds where marks in it divide it.
    """

    __slots__ = ("parts",)

    def __new__(cls, text: str, parts: Sequence[object] | Mapping[str, object] | None = None) -> Plain:
        """The words, and what they are divided into."""
        made = super().__new__(cls, text)
        made.parts = parts
        return made

    parts: Sequence[object] | Mapping[str, object] | None


@dataclass(frozen=True, slots=True)
class ActionProblem:
    """Why a reply gives no action: a code for programs, and a sentence for the model that names what is legal."""

    code: ProblemCode
    message: str


class ProblemError(Exception):
    """Carries a problem out of a reader; never leaves these modules."""

    def __init__(self, code: ProblemCode, message: str) -> None:
        super().__init__(message)
        self.problem = ActionProblem(code, message)


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter. Without a default it must be given; `least` and `most` bound a whole number."""

    name: str
    kind: Kind
    about: str
    default: object = None
    is_required: bool = True
    least: int = 1
    most: int = 1


@dataclass(frozen=True, slots=True)
class ActionForm:
    """One action as a model is told of it: what it does, what it takes, and one action that would be right."""

    about: str
    gives: str
    parameters: tuple[Parameter, ...]
    example: DocumentAction

    def parameter(self, name: str) -> Parameter | None:
        """The parameter of this name."""
        return next((each for each in self.parameters if each.name == name), None)


FORMS: Mapping[DocumentActionName, ActionForm] = {
    "RetrieveFromVectorstore": ActionForm(
        "Find texts of the documents by their words or their meaning.",
        "the best hits, each with the table, column and row it stands in",
        (
            Parameter("query", "text", "what to look for, in words of your own"),
            Parameter("collection_name", "text", "the index to search: words, or one of meanings", WORDS, False),
            Parameter("table_name", "text", "search only this table; empty for all", "", False),
            Parameter("column_name", "text", "search only this column of the table; empty for all", "", False),
            Parameter("filter", "text", "a condition that hits must meet; empty for none", "", False),
            Parameter("limit", "whole number", "how many hits to give back", 5, False, 1, LARGEST_LIMIT),
        ),
        RetrieveFromVectorstore("how was the sample cooled", WORDS, "passages", "text", "page_number < 4", limit=3),
    ),
    "RetrieveFromDatabase": ActionForm(
        "Run one SELECT over the tables that were described to you. Nothing can be changed by it.",
        "the rows of the result",
        (Parameter("sql", "text", "the query, in SQL as SQLite reads it"),),
        RetrieveFromDatabase("SELECT title, year FROM documents WHERE year < 2019"),
    ),
    "ViewImage": ActionForm(
        "Look at a page, or at a part of it: a figure, a table, a diagram.",
        "the picture, or why there is none",
        (
            Parameter("paper_id", "text", "the document, by its id"),
            Parameter("page_number", "whole number", "the page; the first is 1", None, True, 1, LARGEST_PAGE),
            Parameter(
                "bounding_box",
                "box",
                "four numbers: x and y of the left upper corner, width and height, in points; empty for the whole page",
                (),
                False,
            ),
        ),
        ViewImage("d-7f3a", 4, (72.0, 90.5, 372.0, 290.5)),
    ),
    "CalculateExpr": ActionForm(
        "Compute. Never work out a number yourself: write what is to be computed.",
        "the value",
        (
            Parameter(
                "expr",
                "text",
                "numbers with + - * / ** %, parentheses, and round, sum, max, min, mean, len, abs, sqrt, log over "
                "numbers or lists of them",
            ),
        ),
        CalculateExpr("round((12.5 - 9.75) / 9.75 * 100, 1)"),
    ),
    "GenerateAnswer": ActionForm(
        "End with the answer, in the form that the question asks for. Numbers in it come from what you were shown.",
        "nothing: this is the end",
        (Parameter("answer", "anything", "a text, a number, true or false, or a list or mapping of these"),),
        GenerateAnswer(["gallium arsenide", 1.42]),
    ),
}
_NAMES = {name.lower(): name for name in DOCUMENT_ACTIONS}
_BUILT: Mapping[str, type[DocumentAction]] = {
    "RetrieveFromVectorstore": RetrieveFromVectorstore,
    "RetrieveFromDatabase": RetrieveFromDatabase,
    "ViewImage": ViewImage,
    "CalculateExpr": CalculateExpr,
    "GenerateAnswer": GenerateAnswer,
}


# ---- names


def action_name(written: str) -> DocumentActionName | None:
    """The action that is meant, however its name is spelled: `retrieve_from_database`, `View Image`."""
    return _NAMES.get(re.sub(r"[\s_\-`*\"']+", "", written[:80]).lower())


def name_of(action: DocumentAction) -> DocumentActionName:
    """The name of an action."""
    return next(name for name in DOCUMENT_ACTIONS if isinstance(action, _BUILT[name]))


def legal_name(written: str, allowed: Collection[DocumentActionName]) -> DocumentActionName:
    """The action that is meant, where it may be taken here."""
    name = action_name(written)
    if name is None:
        _refuse("unknown_action", f"there is no action {_shown(written)}; the actions are {', '.join(allowed)}")
    if name not in allowed:
        _refuse("not_allowed", f"{name} may not be used here; the actions are {', '.join(allowed)}")
    return name


# ---- from what was given to an action


def action_of(
    written: str,
    given: Mapping[str, object],
    positional: Sequence[object] = (),
    *,
    allowed: Collection[DocumentActionName] = DOCUMENT_ACTIONS,
) -> DocumentAction:
    """The action of a name and its parameters, by name or in order; `ProblemError` where they are not legal."""
    name = legal_name(written, allowed)
    form = FORMS[name]
    values = _by_name(name, form, given, positional)
    made: dict[str, Any] = {}
    for parameter in form.parameters:
        value = values.get(parameter.name)
        if value is None and not parameter.is_required:
            continue
        if parameter.name not in values or value is None:
            _refuse("missing_parameter", f"{name} needs {_described(parameter)}")
        made[parameter.name] = _checked(name, parameter, value)
    return _BUILT[name](**made)


def _by_name(
    name: str, form: ActionForm, given: Mapping[str, object], positional: Sequence[object]
) -> dict[str, object]:
    known = [parameter.name for parameter in form.parameters]
    if len(positional) > len(known):
        _refuse(
            "unknown_parameter", f"{name} takes {', '.join(known)}; {len(positional)} values were given without names"
        )
    values = dict(zip(known, positional, strict=False))
    for key, value in given.items():
        tidy = _tidy_key(key)
        if tidy not in known:
            _refuse("unknown_parameter", f"{name} has no parameter {_shown(key)}; it takes {', '.join(known)}")
        if tidy in values:
            _refuse("unreadable", f"the parameter {tidy} of {name} is given twice")
        values[tidy] = value
    return values


def _tidy_key(key: str) -> str:
    return re.sub(r"[\s\-]+", "_", key[:80].strip(" \t`*\"'")).lower()


def _checked(name: str, parameter: Parameter, value: object) -> object:
    match parameter.kind:
        case "text":
            return _text(name, parameter, value)
        case "whole number":
            return _whole(name, parameter, value)
        case "box":
            return _box(name, parameter, value)
        case "anything":
            return _anything(name, parameter, value)


def _text(name: str, parameter: Parameter, value: object) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        _wrong_type(name, parameter, value)
    text = str(value)
    if len(text) > LONGEST_VALUE:
        _refuse("too_long", f"{parameter.name} of {name} has more than {LONGEST_VALUE:,} characters; make it shorter")
    if parameter.is_required and not text.strip():
        _refuse("missing_parameter", f"{name} needs {_described(parameter)}; the one given is empty")
    return text


def _whole(name: str, parameter: Parameter, value: object) -> int:
    if isinstance(value, str) and _WHOLE.fullmatch(value.strip()):
        value = int(value.strip().partition(".")[0])
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        _wrong_type(name, parameter, value)
    if not parameter.least <= value <= parameter.most:
        _refuse(
            "out_of_range",
            f"{parameter.name} of {name} is {_shown(value)}; it must lie between {parameter.least} and "
            f"{parameter.most:,}",
        )
    return value


def _box(name: str, parameter: Parameter, value: object) -> tuple[float, float, float, float] | None:
    sides = _sides(value)
    if sides is None:
        _wrong_type(name, parameter, value)
    if not sides:
        return None
    x, y, width, height = sides
    if not all(math.isfinite(side) and abs(side) <= LARGEST_SIDE for side in sides):
        _refuse("out_of_range", f"the numbers of {parameter.name} must be finite and lie on a page")
    left, top = round(x, _PLACES), round(y, _PLACES)
    right, bottom = round(left + width, _PLACES), round(top + height, _PLACES)
    if right <= left or bottom <= top:
        _refuse(
            "out_of_range",
            f"{parameter.name} is x, y, width, height, and width and height must be more than 0; here they are "
            f"{width:g} and {height:g}",
        )
    if right <= 0 or bottom <= 0:
        _refuse("out_of_range", f"{parameter.name} lies wholly outside of the page, which begins at 0, 0")
    return left, top, right, bottom


def _sides(value: object) -> tuple[float, ...] | None:
    """Four numbers, none for an empty box; None where it is no box."""
    if isinstance(value, Plain) and value.parts is not None:
        value = value.parts
    if isinstance(value, str):
        inner = value.strip().removeprefix("[").removesuffix("]").removeprefix("(").removesuffix(")")
        value = [part for part in re.split(r"[,\s]+", inner[:400]) if part] if inner.strip().lower() != "none" else []
    if isinstance(value, Mapping):
        value = _named_sides(value)
    if not isinstance(value, Sequence) or isinstance(value, str) or len(value) not in (0, 4):
        return None
    numbers = [_number(side) for side in value]
    return None if any(number is None for number in numbers) else tuple(float(number or 0) for number in numbers)


def _named_sides(value: Mapping[str, object]) -> Sequence[object] | None:
    """The sides by their names, where they are the four of a box in this order of meaning."""
    names = {_tidy_key(str(key)): side for key, side in value.items()}
    for wanted in (("x", "y", "width", "height"), ("x", "y", "w", "h"), ("x_min", "y_min", "delta_x", "delta_y")):
        if names.keys() == set(wanted):
            return [names[key] for key in wanted]
    return None if value else []


def _number(value: object) -> float | None:
    if isinstance(value, str) and _NUMBER.fullmatch(value.strip()):
        return float(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return float(value)
    except OverflowError:
        return None


def _anything(name: str, parameter: Parameter, value: object) -> object:
    parts = [0]
    found = _plain_data(value, 0, parts)
    if found is None or (isinstance(found, str) and not found.strip()):
        _refuse("missing_parameter", f"{name} needs {_described(parameter)}; the one given is empty")
    return found


def _plain_data(value: object, depth: int, parts: list[int]) -> object:
    """Texts, numbers, truth values and nothing, lists and mappings of them: copied, counted, unquoted words settled."""
    parts[0] += 1
    if depth > DEEPEST_ANSWER or parts[0] > MOST_PARTS:
        _refuse("too_long", f"an answer has at most {MOST_PARTS:,} parts, {DEEPEST_ANSWER} levels deep")
    if isinstance(value, Plain):
        return _plain_data(settled(value), depth + 1, parts)
    if isinstance(value, str):
        if len(value) > LONGEST_VALUE:
            _refuse("too_long", f"a text in an answer has at most {LONGEST_VALUE:,} characters")
        return str(value)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        if not -_LARGEST_NUMBER < value < _LARGEST_NUMBER:
            _refuse("out_of_range", "a number in an answer must be finite and have at most 300 digits")
        return value
    if isinstance(value, Mapping):
        return {str(key): _plain_data(each, depth + 1, parts) for key, each in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        return [_plain_data(each, depth + 1, parts) for each in value]
    _refuse("wrong_type", f"an answer cannot hold {type(value).__name__}")


def settled(word: str) -> object:
    """What a text without quotation marks stands for: a number, a truth value, nothing, a list, else the words."""
    text = word.strip()
    if isinstance(word, Plain) and word.parts is not None:
        return word.parts
    if len(text) > LONGEST_VALUE:
        return text
    if text.lower() in _LITERALS:
        return _LITERALS[text.lower()]
    # A code such as 007 is no number: it would lose its zeros.
    if _NUMBER.fullmatch(text) and not re.match(r"[+-]?0[0-9]|\+", text):
        if re.fullmatch(r"-?[0-9]+", text):
            return int(text)
        number = float(text)
        return number if abs(number) < _LARGEST_NUMBER else text
    return _bracketed(text) if text[:1] in ("[", "{") else text


def _bracketed(text: str) -> object:
    """The list or mapping that a text is; the text where it is neither."""
    reader = LiteralReader(text)
    try:
        value = reader.value()
    except CallError:
        return text
    return value if reader.is_at_end() else text


# ---- from an action to what is written


def written_parameters(action: DocumentAction) -> dict[str, object]:
    """The parameters of an action as the formats write them: what equals its default is left out."""
    form = FORMS[name_of(action)]
    values: dict[str, object] = {}
    for parameter in form.parameters:
        value = getattr(action, parameter.name)
        if parameter.kind == "box":
            value = [] if value is None else _as_written(value)
        if parameter.is_required or value not in (parameter.default, []):
            values[parameter.name] = value
    return values


def _as_written(box: tuple[float, float, float, float]) -> list[float]:
    """A box as x, y, width, height; whole numbers without a point."""
    left, top, right, bottom = box
    sides = (left, top, right - left, bottom - top)
    return [_short(round(side, _PLACES)) for side in sides]


def _short(side: float) -> float:
    return int(side) if side.is_integer() else side


# ---- words


def _described(parameter: Parameter) -> str:
    return f"{parameter.name}, {kind_words(parameter)}: {parameter.about}"


def kind_words(parameter: Parameter) -> str:
    """What a parameter takes, in words."""
    match parameter.kind:
        case "text":
            return "a text"
        case "whole number":
            return f"a whole number from {parameter.least} to {parameter.most}"
        case "box":
            return "a list of four numbers [x, y, width, height]"
        case "anything":
            return "a text, number, truth value, list or mapping"


def _wrong_type(name: str, parameter: Parameter, value: object) -> NoReturn:
    _refuse("wrong_type", f"{parameter.name} of {name} must be {kind_words(parameter)}, not {_shown(value)}")


def _shown(value: object) -> str:
    """A value as a message names it, short whatever it is."""
    if isinstance(value, Mapping):
        return "a mapping"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"a list of {len(value)}"
    text = value if isinstance(value, str) else str(value) if _is_short(value) else "a number of many digits"
    visible = "".join(character if character.isprintable() else "?" for character in text[:_LONGEST_SHOWN])
    quoted = f"'{visible}{'…' if len(text) > _LONGEST_SHOWN else ''}'"
    return quoted if isinstance(value, str) else visible


def _is_short(value: object) -> bool:
    return not isinstance(value, int) or abs(value) < 10**_LONGEST_SHOWN


def _refuse(code: ProblemCode, message: str) -> NoReturn:
    raise ProblemError(code, message)
