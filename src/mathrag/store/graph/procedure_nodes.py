"""What links problems, solutions and steps in the graph: order, alternatives, types, error patterns, formulas used.

All of it is computed from rows. A formula is used where its canonical form stands in a step or a worked example.
"""

from __future__ import annotations

import json
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import resources

from mathrag.store.graph.contents import LibraryContents, ProblemTyping, TableName, Value
from mathrag.store.graph.names import iri
from mathrag.store.graph.terms import Node, Statement, text, truth
from mathrag.store.graph.vocabulary import BROADER, DESCRIPTION, IDENTIFIER, LABEL, MATHRAG, SAME, TYPE
from mathrag.store.truth.problem_types import model_of_origin
from mathrag.store.truth.solution_labels import label_of_row

Row = Mapping[str, Value]
# A form that hundreds of formulas share says nothing about any of them.
_MOST_FORMULAS = 20
# The pattern of a wrong step that nobody gives a class.
UNCLASSED = "unclassified"


class ProcedureLinks:
    """The links of a library's solutions, worked out once; whatever they lead to is described by `shared`."""

    def __init__(self, contents: LibraryContents, rows: Mapping[TableName, Sequence[Row]]) -> None:
        self._formulas: dict[str, list[str]] = defaultdict(list)
        for formula in sorted(contents.formulas, key=lambda each: each.id):
            self._formulas[formula.form].append(formula.id)
        self._types = {typing.problem: typing for typing in contents.problem_types}
        self._paths: set[tuple[str, ...]] = set()
        self._errors: set[str] = set()
        labels = (label_of_row(row) for row in rows.get("summaries", ()))
        self._said = {label.source: label for label in labels if label is not None and label.pattern}
        self._steps: dict[str, dict[int, str]] = defaultdict(dict)
        self._labels: dict[str, str] = {}
        for row in rows.get("solution_steps", ()):
            self._labels[str(row["id"])] = str(row["label"])
            if not row.get("is_alternative"):
                self._steps[str(row["solution"])][_whole(row.get("number"))] = str(row["id"])
        self._first: dict[str, str] = {}
        for row in sorted(rows.get("problems", ()), key=lambda each: str(each["id"])):
            self._first.setdefault(str(row["content"]), str(row["id"]))

    def of_row(self, table: TableName, row: Row) -> tuple[Statement, ...]:
        """What a row has beside its own columns."""
        match table:
            case "problems":
                return tuple(self._of_problem(row))
            case "solutions":
                return tuple(self._of_solution(row))
            case "solution_steps":
                return tuple(self._of_step(row))
            case "cases":
                return tuple(self._used(_forms_of_case(str(row.get("record") or ""))))
            case _:
                return ()

    def _of_problem(self, row: Row) -> Iterator[Statement]:
        typing = self._types.get(str(row["id"]))
        path = () if typing is None else path_of(typing)
        if typing is not None and path:
            self._paths.add(path)
            yield MATHRAG + "problemType", type_iri(path)
            model = model_of_origin(typing.origin)
            yield MATHRAG + "typeOrigin", text("model" if model else typing.origin)
            if model:
                yield MATHRAG + "typeModel", text(model)
        first = self._first[str(row["content"])]
        if first != row["id"]:
            yield SAME, iri("problem", first)

    def _of_solution(self, row: Row) -> Iterator[Statement]:
        yield MATHRAG + "solves", iri("problem", str(row["problem"]))
        if row.get("is_right") in (0, 1):
            yield MATHRAG + "isRight", truth(bool(row["is_right"]))
        steps = self._steps.get(str(row["id"]), {})
        for number in sorted(steps):
            yield MATHRAG + "hasStep", iri("solution-step", steps[number])

    def _of_step(self, row: Row) -> Iterator[Statement]:
        yield MATHRAG + "inSolution", iri("solution", str(row["solution"]))
        label = row.get("label")
        if not row.get("is_alternative"):
            following = self._steps.get(str(row["solution"]), {}).get(_whole(row.get("number")) + 1)
            if following is not None:
                yield MATHRAG + "nextStep", iri("solution-step", following)
        other = row.get("alternative_to")
        if isinstance(other, str) and other:
            is_wrong = label == "bad" and self._labels.get(other) != "bad"
            yield MATHRAG + ("wrongAlternativeTo" if is_wrong else "alternativeTo"), iri("solution-step", other)
        if label == "bad":
            yield from self._of_error(row)
        yield from self._used(_texts(str(row.get("forms") or "[]")))

    def _of_error(self, row: Row) -> Iterator[Statement]:
        """What its collection says of a wrong step, or else what a model says."""
        stated, label = str(row.get("error") or ""), self._said.get(str(row["id"]))
        name = stated or (label.pattern if label is not None else UNCLASSED)
        self._errors.add(name)
        yield MATHRAG + "showsError", error_iri(name)
        if stated:
            yield MATHRAG + "errorOrigin", text("stated")
        elif label is not None:
            yield MATHRAG + "errorOrigin", text("model")
            yield MATHRAG + "errorModel", text(label.model)

    def _used(self, forms: Iterable[str]) -> Iterator[Statement]:
        found = (each for form in forms for each in self._formulas.get(form, ())[:_MOST_FORMULAS])
        for formula in dict.fromkeys(found):
            yield MATHRAG + "usesFormula", iri("formula", formula)

    def shared(self) -> Iterator[Node]:
        """The types of problems with all that is above them, and the patterns of errors; call it last."""
        every = {path[:length] for path in self._paths for length in range(1, len(path) + 1)}
        for path in sorted(every):
            statements: list[Statement] = [(TYPE, MATHRAG + "ProblemType"), (LABEL, text(path[-1]))]
            if len(path) > 1:
                statements.append((BROADER, type_iri(path[:-1])))
            yield Node(type_iri(path), tuple(statements))
        for name in sorted(self._errors):
            known = error_patterns().get(name, {})
            statements = [
                (TYPE, MATHRAG + "ErrorPattern"),
                (IDENTIFIER, text(name)),
                (LABEL, text(known.get("label", name.replace("_", " ")))),
            ]
            if "about" in known:
                statements.append((DESCRIPTION, text(known["about"])))
            yield Node(error_iri(name), tuple(statements))


def path_of(typing: ProblemTyping) -> tuple[str, ...]:
    """The names from wide to narrow, without those that are not known. A type may bear the name of its subfield."""
    return tuple(name for name in (typing.branch, typing.subfield, typing.type) if name)


def type_iri(path: Sequence[str]) -> str:
    """A type, a subfield or a branch, by the names above it and its own."""
    return iri("problem-type", *(name.casefold() for name in path))


def error_iri(name: str) -> str:
    """A pattern of errors by its name."""
    return iri("error-pattern", name)


@cache
def error_patterns() -> Mapping[str, Mapping[str, str]]:
    """The patterns of errors that are described, by name: `label` and `about`."""
    source = resources.files("mathrag.store.graph").joinpath("data", "error_patterns.toml").read_text("utf-8")
    return tomllib.loads(source)


def _whole(value: Value) -> int:
    return value if isinstance(value, int) else -1


def _texts(listed: str) -> list[str]:
    """The texts of a column. Believes nothing: a library may come from any file."""
    try:
        found = json.loads(listed)
    except (ValueError, RecursionError):
        return []
    return [each for each in found if isinstance(each, str)] if isinstance(found, list) else []


def _forms_of_case(record: str) -> list[str]:
    """The canonical forms of the formulas that a worked example uses."""
    try:
        formulas = json.loads(record).get("formulas")
    except (ValueError, RecursionError, AttributeError):
        return []
    listed = formulas if isinstance(formulas, list) else []
    forms = (each.get("form") for each in listed if isinstance(each, dict))
    return [form for form in forms if isinstance(form, str)]
