"""All graders by name, with the arguments that each takes; and grading by what a question's record says.

Records are foreign: an argument with a slip in its name is taken for the one it is nearest to and told, one of the
wrong kind makes the grade unknown. No record can name anything but the graders listed here.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeAlias

from mathrag.evaluate.graders import formulas, judged, objective
from mathrag.evaluate.graders.judged import Judge
from mathrag.evaluate.graders.likeness import FUZZ_METHODS
from mathrag.evaluate.graders.literals import Value, list_of, number_of
from mathrag.evaluate.graders.verdicts import Graded, all_of, any_of, none_of, unknown, wrong
from mathrag.types.json_value import Json

# Conjunctions of conjunctions; nobody nests deeper.
_DEEPEST = 8
_MOST_PARTS = 100
_NEAR = 0.8
_MOST_DIGITS = 30
# Other names under which an argument goes.
_ALSO_CALLED = MappingProxyType({"ignore_case": "lowercase"})
_SPELLED = MappingProxyType({"true": True, "True": True, "false": False, "False": False})
# Arguments of the published graders that say how a model is called; nothing is called so here.
_WITHOUT_EFFECT = frozenset(
    ("question", "llm_model", "model", "temperature", "ignore_order", "threshold", "fuzz_method")
)


@dataclass(frozen=True, slots=True)
class Evaluator:
    """How the answer to a question is graded: the name of a grader, as in `GRADERS`, and its arguments as data."""

    grader: str
    arguments: Mapping[str, Json]


class MisfitError(ValueError):
    """An argument that a grader cannot take."""


Kind: TypeAlias = Callable[[Json], Json]


def _flag(value: Json) -> bool:
    known = _SPELLED.get(value) if isinstance(value, str) else value
    if isinstance(known, bool):
        return known
    raise MisfitError("no truth value")


def _count(value: Json) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and value >= 1:
        return value
    raise MisfitError("no whole number from 1 on")


def _digits(value: Json) -> int | None:
    if value is None or (isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _MOST_DIGITS):
        return value
    raise MisfitError("no number of digits")


def _tolerance(value: Json) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and value >= 0:
        return float(value)
    raise MisfitError("no number from 0 on")


def _threshold(value: Json) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool) and -1 <= value <= 100:
        return float(value)
    raise MisfitError("no number of percent")


def _method(value: Json) -> str:
    if value in FUZZ_METHODS:
        return str(value)
    raise MisfitError(f"none of {', '.join(FUZZ_METHODS)}")


def _element_type(value: Json) -> str:
    return str(value) if value in ("str", "int", "float") else "object"


def _text(value: Json) -> str:
    if isinstance(value, str):
        return value
    raise MisfitError("no text")


def _texts(value: Json) -> list[str]:
    if isinstance(value, list) and value and all(isinstance(one, str) for one in value):
        return value
    raise MisfitError("no list of texts")


def _text_or_texts(value: Json) -> str | list[str]:
    return value if isinstance(value, str) and value else _texts(value)


def _anything(value: Json) -> Json:
    return value


def _list(value: Json) -> list[Json]:
    if isinstance(value, list) and value:
        return value
    raise MisfitError("no list with something in it")


def _whole(value: Json) -> int:
    number = number_of(value)
    if number is not None and number.denominator == 1:
        return int(number)
    raise MisfitError("no whole number")


def _number(value: Json) -> float:
    number = number_of(value)
    if number is not None:
        return float(number)
    raise MisfitError("no number")


@dataclass(frozen=True, slots=True)
class _Grader:
    """A grader with the kinds of its arguments; those without a star in `needed` may be left out."""

    grade: Callable[..., Graded]
    needed: Mapping[str, Kind]
    optional: Mapping[str, Kind]
    is_judged: bool = False


_TEXT_RULES: Mapping[str, Kind] = {"lowercase": _flag, "ignore_blank": _flag}
_NUMBER_RULES: Mapping[str, Kind] = {"ndigits": _digits, "tolerance": _tolerance}
_FUZZY: Mapping[str, Kind] = {"threshold": _threshold, "fuzz_method": _method}
_OBJECT: Mapping[str, Kind] = {"ignore_order": _flag, **_NUMBER_RULES, **_TEXT_RULES, **_FUZZY}
_ELEMENT: Mapping[str, Kind] = {"element_type": _element_type, **_OBJECT}
_ASKED: Mapping[str, Kind] = {"question": _text}
_REFERENCE: Mapping[str, Kind] = {"reference_answer": _text}
_POINTS: Mapping[str, Kind] = {"scoring_points": _texts}

_CATALOGUE: Mapping[str, _Grader] = {
    "bool": _Grader(objective.grade_bool, {"gold": _flag}, {}),
    "int": _Grader(objective.grade_int, {"gold": _whole}, {}),
    "float": _Grader(objective.grade_float, {"gold": _number}, _NUMBER_RULES),
    "string": _Grader(objective.grade_string, {"gold": _anything}, _TEXT_RULES),
    "string_fuzzy_match": _Grader(objective.grade_string_fuzzy, {"gold": _anything}, {**_TEXT_RULES, **_FUZZY}),
    "structured_object": _Grader(objective.grade_structured_object, {"gold": _anything}, _OBJECT),
    "element_included": _Grader(objective.grade_element_included, {"gold": _list}, _ELEMENT),
    "element_list_included": _Grader(objective.grade_element_list_included, {"gold": _list}, _ELEMENT),
    "element_list_overlap": _Grader(
        objective.grade_element_list_overlap, {"gold": _list}, {**_ELEMENT, "count": _count}
    ),
    "paper_relevance": _Grader(
        objective.grade_paper_relevance, {"reference_answer": _text_or_texts}, {"threshold": _threshold}
    ),
    "reference_answer": _Grader(judged.grade_reference_answer, _REFERENCE, _ASKED, is_judged=True),
    "candidate_reference_answer": _Grader(
        judged.grade_candidate_reference_answer, {"candidate_reference_answers": _texts}, _ASKED, is_judged=True
    ),
    "scoring_points": _Grader(
        judged.grade_scoring_points, _POINTS, {**_ASKED, "ignore_order": _flag}, is_judged=True
    ),
    "partial_scoring_points": _Grader(
        judged.grade_partial_scoring_points, _POINTS, {**_ASKED, "count": _count}, is_judged=True
    ),
    "reference_answer_and_scoring_points": _Grader(
        judged.grade_reference_answer_and_scoring_points,
        {**_REFERENCE, **_POINTS},
        {**_ASKED, "ignore_order": _flag},
        is_judged=True,
    ),
    "complex_math_formula": _Grader(
        formulas.grade_complex_math_formula,
        {"formulas": _text_or_texts},
        {**_ASKED, "ignore_order": _flag},
        is_judged=True,
    ),
    "m3sciqa": _Grader(judged.grade_m3sciqa, _REFERENCE, _ASKED, is_judged=True),
    "scidqa": _Grader(judged.grade_scidqa, _REFERENCE, _ASKED, is_judged=True),
}  # fmt: skip
_JOINING = ("conjunction", "disjunction", "negation")
GRADERS: tuple[str, ...] = (*_CATALOGUE, *_JOINING)
# The names that the published data use, where they are not ours with `eval_` before them and an ending after.
_ENDINGS = ("_with_reference_answer", "_exact_match", "_with_llm")


def grader_name(published: str) -> str | None:
    """Our name of a grader by that of the published data (`eval_int_exact_match`) or by ours; None for no grader."""
    name = published.removeprefix("eval_")
    for ending in ("", *_ENDINGS):
        if name.removesuffix(ending) in GRADERS:
            return name.removesuffix(ending)
    return None


def needs_judge(evaluator: Evaluator, depth: int = 0) -> bool:
    """Whether a right answer can in general be told only by a judge."""
    if evaluator.grader not in _JOINING or depth > _DEEPEST:
        entry = _CATALOGUE.get(evaluator.grader)
        return entry is not None and entry.is_judged
    try:
        return any(needs_judge(part, depth + 1) for part in _parts(evaluator))
    except MisfitError:
        return False


def grade(evaluator: Evaluator, answer: Value, *, judge: Judge | None = None) -> Graded:
    """Grade an answer as the record of its question says. Never raises for what an answer or a record holds."""
    try:
        return _grade(evaluator, answer, judge, 0)
    except MisfitError as error:
        return unknown(f"the record cannot be graded by: {error}")


def oddities(evaluator: Evaluator) -> tuple[str, ...]:
    """What is odd about a record: slips in names of arguments, thresholds that are shares, arguments of other kinds."""
    try:
        return tuple(dict.fromkeys(_oddities(evaluator, 0)))
    except MisfitError as error:
        return (f"the record cannot be graded by: {error}",)


def _oddities(evaluator: Evaluator, depth: int) -> list[str]:
    if evaluator.grader in _JOINING:
        if depth > _DEEPEST:
            raise MisfitError("graders are nested too deeply")
        return [note for part in _parts(evaluator) for note in _oddities(part, depth + 1)]
    return _arguments(evaluator)[1]


def _grade(evaluator: Evaluator, answer: Value, judge: Judge | None, depth: int) -> Graded:
    if depth > _DEEPEST:
        raise MisfitError("graders are nested too deeply")
    if evaluator.grader in _JOINING:
        return _joined(evaluator, answer, judge, depth)
    arguments, odd = _arguments(evaluator)
    entry = _CATALOGUE[evaluator.grader]
    extra = {"judge": judge} if entry.is_judged else {}
    found = entry.grade(answer, **arguments, **extra)
    return Graded(found.verdict, found.reason, found.score, (*found.odd, *odd))


def _joined(evaluator: Evaluator, answer: Value, judge: Judge | None, depth: int) -> Graded:
    parts = _parts(evaluator)
    if evaluator.grader == "negation":
        return none_of(_grade(parts[0], answer, judge, depth + 1))
    said = list_of(answer)
    if len(said) != len(parts):
        return wrong(f"{len(said)} answers instead of {len(parts)}")
    graded = (_grade(part, one, judge, depth + 1) for part, one in zip(parts, said, strict=True))
    return all_of(graded) if evaluator.grader == "conjunction" else any_of(graded)


def _parts(evaluator: Evaluator) -> list[Evaluator]:
    """The graders that a conjunction, disjunction or negation joins."""
    given = evaluator.arguments
    names: Json
    several: Json
    if evaluator.grader == "negation":
        names, several = [given.get("eval_func")], [given.get("eval_kwargs")]
    else:
        names, several = given.get("eval_func_list"), given.get("eval_kwargs_list")
    if not isinstance(names, list) or not isinstance(several, list) or len(names) != len(several) or not names:
        raise MisfitError(f"{evaluator.grader} needs as many graders as arguments for them")
    if len(names) > _MOST_PARTS:
        raise MisfitError(f"more than {_MOST_PARTS} graders are not joined")
    return [evaluator_of(name, arguments) for name, arguments in zip(names, several, strict=True)]


def evaluator_of(name: Json, arguments: Json) -> Evaluator:
    """A grader of a record by its published name; `MisfitError` with the reason where there is none such."""
    known = grader_name(name) if isinstance(name, str) else None
    if known is None:
        raise MisfitError(f"there is no grader {str(name)[:60]!r}")
    if not isinstance(arguments, dict) or not all(isinstance(key, str) for key in arguments):
        raise MisfitError(f"the arguments of {known} are no JSON object")
    return Evaluator(known, arguments)


def _arguments(evaluator: Evaluator) -> tuple[dict[str, Any], list[str]]:
    """The arguments of a grader, checked, and what is odd about them."""
    entry = _CATALOGUE.get(evaluator.grader)
    if entry is None:
        raise MisfitError(f"there is no grader {evaluator.grader[:60]!r}")
    kinds = {**entry.needed, **entry.optional}
    found: dict[str, Any] = {}
    odd: list[str] = []
    given = evaluator.arguments
    for written, value in given.items():
        name = _named(written, kinds, given)
        if name is None:
            if written not in _WITHOUT_EFFECT:
                odd.append(f"argument {written[:40]!r} is not known and has no effect")
            continue
        if name != written:
            odd.append(f"argument {written[:40]!r} is read as {name!r}")
        try:
            found[name] = kinds[name](value)
        except MisfitError as error:
            raise MisfitError(f"argument {written[:40]!r} is {error}") from None
        if isinstance(found[name], bool) and isinstance(value, str):
            odd.append(f"argument {written[:40]!r} is a truth value in quotation marks")
        if name == "threshold" and 0 < found[name] <= 1:
            odd.append("a threshold up to 1 is read as a share")
    for name in entry.needed:
        if name not in found:
            raise MisfitError(f"argument {name!r} is missing")
    if evaluator.grader.startswith("string") and isinstance(found["gold"], list):
        odd.append("the gold text is a list")
    return found, odd


def _named(written: str, kinds: Mapping[str, Kind], given: Mapping[str, Json]) -> str | None:
    if written in kinds:
        return written
    if written in _WITHOUT_EFFECT:
        return None
    known = _ALSO_CALLED.get(written, "")
    near = [known] if known in kinds else difflib.get_close_matches(written[:40], kinds, n=1, cutoff=_NEAR)
    return near[0] if near and near[0] not in given else None
