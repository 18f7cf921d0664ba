"""Asking a library as a user does: the same again, from several threads, while another process takes documents in."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from library_makers import MATHRAG, formula_note, many_notes, mathrag_process, write

from asking_checks import untraceable
from mathrag.errors import LibraryError, MathragError, UsageError
from mathrag.library import Library
from mathrag.library.ask.outcomes import outcome_object
from mathrag.types.answer import Answer, Outcome, Refusal, Reply
from mathrag.types.episode import Event
from mathrag.types.library import Formula

QUESTIONS = {
    "direct": "What is the kinetic energy of a 2 kg ball at a speed of 3 m/s?",
    "rearranged": "A ball of mass 2 kg has a kinetic energy of 9 J. How fast is it?",
    "constant": "What is the pressure of 2 mol of an ideal gas at 300 K in a volume of 0.5 m^3?",
    "missing": "What is the kinetic energy of a ball at a speed of 3 m/s?",
    "list": "What is the kinetic energy of a mass of 2 kg at speeds of 1, 2 and 3 m/s?",
    "none": "What is the capacitance of two plates of 3 m^2 that are 2 mm apart?",
    "chat": "hello there",
    "explain": "What is a wave?",
    "arithmetic": "7^222 mod 13",
    "conversion": "60 mph in m/s",
    "looked-up": "What is the speed of light?",
}


def plain(outcome: Outcome) -> dict[str, Any]:
    """The public object without the time it took."""
    return {name: value for name, value in outcome_object(outcome).items() if name != "milliseconds"}


@pytest.fixture(scope="module")
def expected(made: Path) -> dict[str, dict[str, Any]]:
    with Library(made, create=False) as library:
        return {name: plain(library.ask(question)) for name, question in QUESTIONS.items()}


def test_formulas_read_ahead_change_no_answer(made: Path, expected: dict[str, dict[str, Any]]) -> None:
    with Library(made, create=False) as library:
        read = list(library.read_ahead())
        executable = [formula for formula in library.formulas() if formula.status == "executable"]
        assert read[-1] >= len(executable) > 0
        assert plain(library.ask(QUESTIONS["direct"])) == expected["direct"]


def test_what_is_asked_is_answered(made: Path) -> None:
    with Library(made, create=False) as library:
        outcomes = {name: library.ask(question) for name, question in QUESTIONS.items()}
        for name, outcome in outcomes.items():
            assert untraceable(outcome, QUESTIONS[name], library) == [], name
    sorts = {name: type(outcome) for name, outcome in outcomes.items()}
    assert sorts == {
        **dict.fromkeys(QUESTIONS, Answer),
        "missing": Refusal,
        "none": Refusal,
        "chat": Reply,
        "explain": Reply,
    }
    values = {name: one.quantity.si_value for name, one in outcomes.items() if isinstance(one, Answer)}
    assert values["direct"] == pytest.approx(9)
    assert values["rearranged"] == pytest.approx(3)
    assert values["constant"] == pytest.approx(9977.55, rel=1e-4)
    assert values["arithmetic"] == pow(7, 222, 13)
    assert values["conversion"] == pytest.approx(26.8224)
    assert values["looked-up"] == 299_792_458
    missing = outcomes["missing"]
    assert isinstance(missing, Refusal)
    assert [each.symbol for each in missing.missing] == ["m"]


def test_a_list_of_values_gives_a_table(made: Path) -> None:
    with Library(made, create=False) as library:
        outcome = library.ask(QUESTIONS["list"])
    assert isinstance(outcome, Answer)
    assert [row.result.si_value for row in outcome.rows] == [pytest.approx(value) for value in (1.0, 4.0, 9.0)]


def test_the_same_question_has_the_same_outcome(made: Path, expected: dict[str, dict[str, Any]]) -> None:
    with Library(made, create=False) as library:
        for name in reversed(QUESTIONS):
            assert plain(library.ask(QUESTIONS[name])) == expected[name], name
            assert plain(library.ask(QUESTIONS[name])) == expected[name], name


SCRIPT = """
import json, sys
from mathrag.library import Library
from mathrag.library.ask.outcomes import outcome_object
with Library(sys.argv[1], create=False) as library:
    print(json.dumps([outcome_object(library.ask(question)) for question in sys.argv[2:]], allow_nan=False))
"""


@pytest.mark.soak
def test_two_processes_say_the_same(made: Path, expected: dict[str, dict[str, Any]]) -> None:
    """Whatever the order in which their sets and dictionaries happen to be."""
    runs = [
        subprocess.Popen(
            [sys.executable, "-W", "error", "-c", SCRIPT, str(made), *QUESTIONS.values()],
            env={**os.environ, "PYTHONHASHSEED": seed},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for seed in ("1", "4242")
    ]
    wanted = json.loads(json.dumps(list(expected.values())))
    for run in runs:
        out, errors = run.communicate(timeout=120)
        assert (run.returncode, errors) == (0, "")
        found = json.loads(out)
        for each in found:
            del each["milliseconds"]
        assert found == wanted


def test_several_threads_may_ask_one_library(made: Path, expected: dict[str, dict[str, Any]]) -> None:
    wrong: list[object] = []

    def run(start: int) -> None:
        names = list(QUESTIONS)
        for name in names[start:] + names[:start]:
            try:
                if plain(library.ask(QUESTIONS[name])) != expected[name]:
                    wrong.append(name)
            except Exception as error:
                wrong.append(error)

    with Library(made, create=False) as library:
        threads = [threading.Thread(target=run, args=(start,)) for start in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(120)
    assert wrong == []


@pytest.mark.soak
def test_asking_while_another_process_takes_documents_in(tmp_path: Path) -> None:
    """Every answer is that of the library before or after a document came; what is new is found without reopening."""
    laws = {"force.md": formula_note("Force", "F = m a", "$F$ is the force in N, $m$ the mass in kg and $a$ the "
                                     "acceleration in m/s^2")}  # fmt: skip
    first = write(tmp_path / "first", laws)
    second = write(tmp_path / "second", many_notes(4))
    force, momentum = "What is the force on 2 kg accelerated at 3 m/s^2?", "What is the momentum of 2 kg at 3 m/s?"
    with Library(tmp_path / "library") as library:
        library.ingest([first], workers=1)
        assert isinstance(library.ask(force), Answer)
        assert isinstance(library.ask(momentum), Refusal)
        writer = mathrag_process("ingest", second, "--library", tmp_path / "library", "--workers", "1")
        while writer.poll() is None:
            for question, value in ((force, 6.0), (momentum, 6.0)):
                outcome = library.ask(question)
                assert untraceable(outcome, question, library) == []
                if isinstance(outcome, Answer):
                    assert outcome.quantity.si_value == pytest.approx(value)
        _, errors = writer.communicate()
        assert (writer.returncode, errors) == (0, "")
        for question in (force, momentum):
            outcome = library.ask(question)
            assert isinstance(outcome, Answer), question
            assert outcome.quantity.si_value == pytest.approx(6.0)


def test_a_library_without_documents_refuses(tmp_path: Path) -> None:
    with Library(tmp_path / "library") as library:
        for question in QUESTIONS.values():
            assert untraceable(library.ask(question), question, library) == []
        assert isinstance(library.ask(QUESTIONS["direct"]), Refusal)
        assert isinstance(library.ask(QUESTIONS["arithmetic"]), Answer)


def test_what_the_user_sets(made: Path) -> None:
    question = "What is the kinetic energy at a speed of 3 m/s?"
    with Library(made, create=False) as library:
        outcome = library.ask(question, pinned={"m": "4 kg"}, unit="kJ")
        assert isinstance(outcome, Answer)
        assert (outcome.quantity.value, outcome.quantity.unit.text) == (pytest.approx(0.018), "kJ")
        assert untraceable(outcome, question, library, pinned=("m",)) == []
        formula = library.formula("Momentum")
        other = library.ask("m = 2 kg, v = 3 m/s", formula=formula.id)
        assert isinstance(other, Answer)
        assert [step.formula.id for step in other.steps] == [formula.id]
        assert other.quantity.si_value == pytest.approx(6)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"planner": "nobody"}, UsageError),
        ({"formula": "No such formula"}, LibraryError),
        ({"unit": "blorbs"}, MathragError),
        ({"pinned": {"m": "two kilos of"}}, MathragError),
    ],
)
def test_wrong_options_are_told(made: Path, options: dict[str, Any], error: type[MathragError]) -> None:
    with Library(made, create=False) as library, pytest.raises(error):
        library.ask(QUESTIONS["direct"], **options)


def test_every_action_is_heard(made: Path) -> None:
    heard: list[Event] = []
    with Library(made, create=False) as library:
        asked = library.ask_in_detail(QUESTIONS["direct"], listener=heard.append)
    assert tuple(heard) == asked.result.events
    assert [event.round for event in heard] == list(range(1, len(heard) + 1))
    assert isinstance(asked.result.outcome, Answer)
    assert asked.result.outcome.steps[0].formula.id in asked.candidates


@pytest.mark.soak
def test_the_command_and_the_object_say_the_same(made: Path, expected: dict[str, dict[str, Any]]) -> None:
    ended = subprocess.run(
        [*MATHRAG, "ask", QUESTIONS["direct"], "--library", str(made), "--json"],
        capture_output=True,
        text=True,
        check=True,
    )
    found = json.loads(ended.stdout)
    del found["milliseconds"]
    assert found == json.loads(json.dumps(expected["direct"]))


def test_a_formula_that_cannot_be_prepared_stops_no_reading_ahead(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prepared = []

    def broken(formula: Formula) -> tuple[()]:
        prepared.append(formula.id)
        raise KeyError("a kind of quantity of another version")

    monkeypatch.setattr("mathrag.library.ask.asker.candidates_of", broken)
    with Library(made) as library:
        list(library.read_ahead())
        assert len(prepared) == sum(one.status == "executable" for one in library.formulas())


def test_every_outcome_tells_the_same_five_things(made: Path) -> None:
    with Library(made, create=False) as library:
        for name, question in QUESTIONS.items():
            outcome = library.ask(question)
            assert outcome.outcome in ("answered", "refused", "chat"), name
            assert outcome.text, name
            assert (outcome.value is None) == (outcome.unit is None) == (outcome.outcome != "answered"), name
            assert isinstance(outcome.citations, tuple), name
            assert str(outcome).startswith(outcome.text.split("\n")[0][:20]) or outcome.outcome == "refused", name
            assert "\n" not in repr(outcome), name
