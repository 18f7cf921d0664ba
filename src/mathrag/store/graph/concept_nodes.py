"""What links concepts in the graph: properties, examples and signatures to their concept, properties to other concepts
that they mention, formulas to what they use."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

from mathrag.compute.openmath.mentions import mentioned_names
from mathrag.store.graph.contents import TableName, Value
from mathrag.store.graph.names import iri
from mathrag.store.graph.terms import Statement, text, truth, whole
from mathrag.store.graph.vocabulary import MATHRAG, SAME

Row = Mapping[str, Value]
# What is said of a check, by column.
_CHECKS = (("outcome", "checkOutcome"), ("numbers", "checkNumbers"), ("reason", "checkReason"))


def concept_iris(rows: Iterable[Row]) -> dict[str, str]:
    """The concept that each name leads to: of several files with one dictionary, official ones before others."""
    found: dict[str, str] = {}
    for row in sorted(rows, key=lambda each: (each.get("status") != "official", str(each["id"]))):
        found.setdefault(str(row["name"]), iri("concept", str(row["id"])))
    return found


class ConceptLinks:
    """The links of a library's concepts, worked out once."""

    def __init__(self, rows: Mapping[TableName, Sequence[Row]]) -> None:
        self._names = concept_iris(rows.get("concepts", ()))
        self._own = {str(row["id"]): str(row["name"]) for row in rows.get("concepts", ())}

    def of_row(self, table: TableName, row: Row) -> tuple[Statement, ...]:
        """What a row has beside its own columns."""
        match table:
            case "concepts":
                return tuple(self._of_concept(row))
            case "concept_signatures":
                known = self._names.get(str(row["concept"]))
                return () if known is None else ((MATHRAG + "ofConcept", known),)
            case "concept_properties":
                return (*_of_property(row), *self._mentioned(row))
            case "concept_examples":
                latex = ((MATHRAG + "latex", text(each)) for each in _listed(row.get("latex")) if isinstance(each, str))
                return (_concept(row), *dict.fromkeys(latex))
            case _:
                return ()

    def _mentioned(self, row: Row) -> Iterator[Statement]:
        """Other concepts of the library that the formula of a property mentions."""
        own = self._own.get(str(row["concept"]), "")
        for name in mentioned_names((str(row.get("source") or ""),), own):
            if name in self._names:
                yield MATHRAG + "mentionsConcept", self._names[name]

    def _of_concept(self, row: Row) -> Iterator[Statement]:
        yield MATHRAG + "isMathematical", truth(bool(row["is_mathematical"]))
        first = self._names[str(row["name"])]
        if first != iri("concept", str(row["id"])):
            yield SAME, first


def _of_property(row: Row) -> Iterator[Statement]:
    yield _concept(row)
    if not row.get("outcome"):
        return
    points = row.get("points")
    yield MATHRAG + "checkPoints", whole(points if isinstance(points, int) else 0)
    for column, name in _CHECKS:
        if row.get(column):
            yield MATHRAG + name, text(str(row[column]))
    pairs = (each for each in _listed(row.get("counterexample")) if isinstance(each, list) and len(each) == 2)
    values = [f"{name} = {value}" for name, value in pairs]
    if values:
        yield MATHRAG + "counterexample", text(", ".join(values))


def _concept(row: Row) -> Statement:
    return MATHRAG + "ofConcept", iri("concept", str(row["concept"]))


def _listed(value: Value) -> list[object]:
    """The members of a column. Believes nothing: a library may come from any file."""
    try:
        found = json.loads(str(value or "[]"))
    except (ValueError, RecursionError):
        return []
    return found if isinstance(found, list) else []
