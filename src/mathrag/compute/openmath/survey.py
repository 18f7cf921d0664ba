"""What became of all formal properties of many dictionaries: how many hold, fail or are undecided, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from mathrag.compute.mathml.elements import Element, Node, read_elements
from mathrag.compute.openmath.checking import LEAST_POINTS, check_by_sampling
from mathrag.compute.openmath.objects import OpenMathObject, read_object
from mathrag.compute.openmath.printing import names_without_notation
from mathrag.errors import FormulaError
from mathrag.types.concept import SampleCheck, SampleOutcome


@dataclass(frozen=True, slots=True)
class SurveyedProperty:
    """A formal property of a concept, with what trying it gave; `tree` is None where it could not be read."""

    concept: str
    check: SampleCheck
    tree: OpenMathObject | None

    @property
    def has_notation(self) -> bool:
        """Whether every name in it is written as text books write it."""
        return self.tree is not None and not names_without_notation(self.tree)


@dataclass(frozen=True, slots=True)
class Survey:
    """All of them."""

    properties: tuple[SurveyedProperty, ...]

    def count(self, outcome: SampleOutcome) -> int:
        """How many had this outcome."""
        return sum(each.check.outcome == outcome for each in self.properties)

    @property
    def decided_at_many_points(self) -> int:
        """Those that hold at ten points or more, or fail at one."""
        return sum(
            each.check.outcome == "fails" or (each.check.outcome == "holds" and each.check.points >= LEAST_POINTS)
            for each in self.properties
        )

    @property
    def reasons(self) -> Counter[str]:
        """Why the undecided are undecided."""
        return Counter(each.check.reason for each in self.properties if each.check.outcome == "undecided")

    def table(self) -> str:
        """The counts and the reasons as lines of text."""
        held, failed, undecided = (self.count(each) for each in ("holds", "fails", "undecided"))
        written = sum(each.has_notation for each in self.properties)
        lines = [
            f"{len(self.properties):5} formal properties, {written} in usual notation throughout",
            f"{held + failed:5} decided, {self.decided_at_many_points} of them at {LEAST_POINTS} points or by failing",
            f"{held:5} hold",
            f"{failed:5} fail",
            f"{undecided:5} undecided",
            *(f"{count:10} {reason}" for reason, count in self.reasons.most_common()),
        ]
        return "\n".join(lines)


def survey_folder(folder: Path) -> Survey:
    """The survey of all dictionaries (`.ocd`) in a folder and below it, in the order of their names."""
    files = sorted(folder.rglob("*.ocd"), key=lambda path: path.name)
    return survey_of({path.stem: path.read_bytes() for path in files})


def survey_of(dictionaries: Mapping[str, bytes]) -> Survey:
    """The survey of dictionaries by their names."""
    found: list[SurveyedProperty] = []
    for name, content in dictionaries.items():
        for concept, element in _formal_properties(content.decode("utf-8", "replace")):
            try:
                tree = read_object(element)
            except FormulaError as error:
                found.append(SurveyedProperty(f"{name}:{concept}", SampleCheck("undecided", reason=str(error)), None))
                continue
            found.append(SurveyedProperty(f"{name}:{concept}", check_by_sampling(tree), tree))
    return Survey(tuple(found))


def _formal_properties(text: str) -> Iterator[tuple[str, Element]]:
    """The name of each definition with the objects of its formal properties."""
    try:
        pending: list[Node] = list(read_elements(text))
    except FormulaError:
        return
    while pending:
        node = pending.pop(0)
        if not isinstance(node, Element):
            continue
        if node.name != "cddefinition":
            pending[:0] = node.children
            continue
        name = next((each.text.strip() for each in node.elements if each.name == "name"), "")
        for each in node.elements:
            if each.name == "fmp":
                yield from ((name, inner) for inner in each.elements if inner.name == "omobj")
