"""Questions in golden files: what is given, what is asked, in which unit, with which intent."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from mathrag.knowledge.units import read_unit
from mathrag.reason.question import read_question
from mathrag.types.question import Given, Question

GOLDEN = Path(__file__).parent / "golden"
_GIVEN = re.compile(
    r"^(?:(?P<symbol>\w+) = )?(?P<value>-?[0-9.e-]+)(?: (?P<unit>[^|@!]*?))??(?: \| (?P<phrase>[^@!]+?))?"
    r"(?: @ (?P<roles>[\w, ]+?))?(?: ! (?P<flags>[a-z, ]+?))?(?: x (?P<count>[0-9]+))?$"
)


def _entries() -> list[Any]:
    return [
        pytest.param(entry, id=f"{path.stem}-{number}")
        for path in sorted(GOLDEN.glob("*.toml"))
        for number, entry in enumerate(tomllib.loads(path.read_text("utf-8"))["question"], 1)
    ]


@pytest.mark.parametrize("entry", _entries())
def test_question_is_read(entry: dict[str, Any]) -> None:
    question = read_question(entry["text"])
    assert question.intent == entry.get("intent", "compute")
    assert question.language == entry.get("language", "en")
    if "givens" in entry:
        # The change between two temperatures follows from them and is tested on its own.
        givens = [given for given in question.givens if not given.covers]
        shown = [(given.text, given.phrase, given.roles) for given in givens]
        assert len(givens) == len(entry["givens"]), shown
        for given, expected in zip(givens, entry["givens"], strict=True):
            _check_given(given, expected, question)
    if "target" in entry:
        _check_target(question, entry["target"], entry.get("roles", []))
    unit = entry.get("unit", "")
    if question.language == "en":
        assert bool(question.units) == bool(unit), question.unit_text
    if unit:
        assert question.units[0].dimension == read_unit(unit).dimension
        assert question.units[0].scale == pytest.approx(read_unit(unit).scale)
    if "topics" in entry:
        assert list(question.topics) == entry["topics"]


def _check_given(given: Given, expected: str, question: Question) -> None:
    match = _GIVEN.match(expected)
    assert match is not None, f"the golden file writes {expected!r}, which is no given"
    flags = match["flags"] or ""
    reading = given.readings[0]
    assert reading.value == pytest.approx(float(match["value"])), given
    unit = read_unit(match["unit"]) if match["unit"] else None
    if unit is None:
        assert reading.dimension.is_dimensionless, given
    else:
        assert (reading.dimension, reading.unit.offset) == (unit.dimension, unit.offset), given
        assert reading.unit.scale == pytest.approx(unit.scale), given
    assert given.symbol == (match["symbol"] or ""), given
    if match["phrase"]:
        assert given.phrase == match["phrase"], given
    if match["roles"]:
        assert set(match["roles"].split(", ")) <= set(given.roles), given
    assert given.implied == ("implied" in flags), given
    assert given.is_change == ("change" in flags), given
    assert given.is_percentage == ("percent" in flags), given
    assert given.count == int(match["count"] or 1), given
    assert question.text[given.start : given.end] == given.text


def _check_target(question: Question, expected: str, roles: list[str]) -> None:
    assert question.targets
    target = question.targets[0]
    if expected.startswith("= "):
        assert target.symbol == expected[2:], question.targets
    else:
        assert target.kinds[:1] == (expected,), question.targets
    assert set(roles) <= set(target.roles), target
