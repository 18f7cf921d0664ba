"""Worked solutions in a library: taken in, counted, linked to formulas, checked, exported, taken out again."""

from __future__ import annotations

import json
import re
import sqlite3
from pathlib import Path

import pytest
from library_makers import dump, exact_rows, mathrag, take_back_texts

from mathrag.library import Library
from mathrag.store.truth.schema import CURRENT_VERSION, FILE_NAME, MIGRATIONS, migrate, schema_version

TWO_WAYS = [
    {
        "original_question": "How large is the kinetic energy of 2 kg at 3 m/s?",
        "modified_question": "How large is the kinetic energy of 2 kg at 3 m/s?",
        "original_process": ["I use $E_k = \\frac{1}{2} m v^2$.", "It is $9$ J."],
        "modified_process": ["I use $E_k = \\frac{1}{2} m v^2$.", "It is $6$ J."],
        "error_steps": [2],
        "classification": "counterfactual",
    },
    {"original_process": 3},
]
SUBJECTS = [
    {
        "problem": "How large is the momentum of 3 kg at 2 m/s?",
        "solution": "It is $6$ kg m/s.",
        "subject": "Mechanics",
        "level": 1,
    },
    {"problem": "Is 91 a prime number?", "solution": "No: $91 = 7 \\cdot 13$.", "subject": "Number Theory", "level": 2},
]


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    made = tmp_path / "two-ways.jsonl", tmp_path / "subjects.jsonl"
    for path, records in zip(made, (TWO_WAYS, SUBJECTS), strict=True):
        path.write_text("\n".join(json.dumps(record) for record in records), encoding="utf-8")
    return made


def turtle(folder: Path) -> str:
    """The export without the times of reading, and without the digests that hold them."""
    with Library(folder) as library:
        text = b"".join(library.exported("turtle")).decode()
    for hidden in (r'dcterms:created "[^"]*"', r'\\"ingested_at\\":\\"[^"]*\\"', r'mathrag:(?:digest|seal) "[^"]*"'):
        text = re.sub(hidden, "", text)
    return text


@pytest.mark.slow
def test_solutions_come_in_are_counted_and_go_out_again(copied: Path, files: tuple[Path, Path]) -> None:
    before, graph_before = dump(copied), turtle(copied)
    ran = mathrag("import", "--solutions", *files, "--library", copied)
    assert ran.code == 0
    assert "two-ways.jsonl (prmbench): 1 problems, 2 solutions, 4 steps" in ran.out
    assert "record 2 was left out: it has no original_process" in ran.err
    status = json.loads(mathrag("status", "--library", copied, "--json").out)
    assert (status["problems"], status["solutions"], status["solution_steps"]) == (3, 4, 6)
    assert mathrag("check", "--library", copied).code == 0
    whole, graph = dump(copied), turtle(copied)
    for file in files:
        assert mathrag("remove", file.name, "--library", copied).code == 0
    assert (dump(copied), turtle(copied)) == (before, graph_before)
    # In the other order, the library is the same.
    assert mathrag("import", "--solutions", *reversed(files), "--library", copied).code == 0
    assert (dump(copied), turtle(copied)) == (whole, graph)


def test_the_same_file_again_changes_nothing(copied: Path, files: tuple[Path, Path]) -> None:
    mathrag("import", "--solutions", files[0], "--library", copied)
    before = exact_rows(copied)
    ran = mathrag("import", "--solutions", files[0], "--library", copied, "--json")
    (report,) = json.loads(ran.out)["files"]
    assert (report["is_changed"], report["format"], len(report["bad"])) == (False, "prmbench", 1)
    assert exact_rows(copied) == before


def test_a_file_that_is_none_is_refused(copied: Path, tmp_path: Path) -> None:
    path = tmp_path / "words.jsonl"
    path.write_text("only words\n", encoding="utf-8")
    assert mathrag("import", "--solutions", path, "--library", copied).code == 2
    assert mathrag("import", "--solutions", "--format", "other", path, "--library", copied).code == 2
    assert mathrag("import", "--format", "math", path, "--library", copied).code == 2
    ran = mathrag("import", "--solutions", "--format", "gsm8k", path, "--library", copied)
    assert (ran.code, "record 1 was left out" in ran.err) == (1, True)


def test_steps_and_examples_meet_the_formulas_of_the_documents(copied: Path, files: tuple[Path, Path]) -> None:
    mathrag("import", "--solutions", *files, "--library", copied)
    with Library(copied) as library:
        query = "SELECT ?label ?text { ?step mathrag:usesFormula ?one ; mathrag:text ?text . ?one rdfs:label ?label }"
        found = {tuple(str(cell) for cell in row) for row in library.sparql(query).rows}
        assert found == {("Kinetic energy", "I use $E_k = \\frac{1}{2} m v^2$.")}
        wrong = "SELECT ?wrong { ?step mathrag:wrongAlternativeTo [ mathrag:stepNumber 2 ] ; mathrag:text ?wrong }"
        assert [str(row[0]) for row in library.sparql(wrong).rows] == ["It is $6$ J."]
        order = "SELECT ?next { ?step mathrag:stepNumber 1 ; mathrag:nextStep/mathrag:text ?next }"
        assert sorted(str(row[0]) for row in library.sparql(order).rows) == ["It is $6$ J.", "It is $9$ J."]
        kinds = "SELECT ?name { ?problem mathrag:problemType/skos:broader* [ rdfs:label ?name ] }"
        names = {str(row[0]) for row in library.sparql(kinds).rows}
        assert {"Mechanics", "Number Theory", "Discrete Mathematics", "Mathematics"} <= names
        (hit, *_) = library.problem_search.search("How large is the kinetic energy of 5 kg at 4 m/s?")
        (formula,) = library.problem_search.context(hit.problem).formulas
        assert library.formula(formula).label == "Kinetic energy"


@pytest.mark.slow
def test_types_are_stated_or_taken_from_the_neighbours(copied: Path, files: tuple[Path, Path]) -> None:
    mathrag("import", "--solutions", files[0], "--library", copied)
    with Library(copied) as library:
        assert library.sql("SELECT * FROM problem_types").rows == ()
    mathrag("import", "--solutions", files[1], "--library", copied)
    with Library(copied) as library:
        rows = set(library.sql("SELECT type, origin FROM problem_types").rows)
        assert rows == {("Mechanics", "stated"), ("Number Theory", "stated"), ("Mechanics", "neighbours")}
        library.database.connection.execute("UPDATE problem_types SET type = 'Cooking' WHERE origin = 'neighbours'")
        assert any("another type" in problem for problem in library.check())
        library.rebuild()
        assert library.check() == []


def test_a_step_changed_behind_the_library_is_told_and_not_used(copied: Path, files: tuple[Path, Path]) -> None:
    mathrag("import", "--solutions", *files, "--library", copied)
    with Library(copied) as library:
        library.database.connection.execute("UPDATE solution_steps SET text = 'It is 7 J.' WHERE text LIKE '%$9$%'")
        assert any("step" in problem and "changed" in problem for problem in library.check())
        (hit, *_) = library.problem_search.search("How large is the kinetic energy of 5 kg at 4 m/s?")
        assert "It is 7 J." not in str(library.problem_search.context(hit.problem))
        mended = mathrag("import", "--solutions", files[0], "--library", copied)
        assert "nothing changed" not in mended.out
        assert library.check() == []


@pytest.mark.slow
def test_solutions_go_to_another_library_by_turtle(copied: Path, files: tuple[Path, Path], tmp_path: Path) -> None:
    mathrag("import", "--solutions", *files, "--library", copied)
    with Library(copied) as library:
        library.export("turtle", tmp_path / "all.ttl")
    other = tmp_path / "other"
    assert mathrag("import", tmp_path / "all.ttl", "--library", other).code == 0
    assert turtle(other) == turtle(copied)
    with Library(other) as library:
        assert library.check() == []


@pytest.mark.parametrize(
    ("before", "after", "sentence"),
    [
        ('\\"label\\":\\"bad\\"', '\\"label\\":\\"fine\\"', "none that a step has"),
        ('\\"forms\\":\\"[]\\"', '\\"forms\\":\\"{\\"', "forms cannot be read"),
        ('\\"solution\\":\\"d-', '\\"solution\\":\\"x-', "none of its document"),
    ],
)
def test_a_false_step_in_turtle_is_refused(
    files: tuple[Path, Path], tmp_path: Path, before: str, after: str, sentence: str
) -> None:
    folder = tmp_path / "library"
    mathrag("import", "--solutions", files[0], "--library", folder)
    text = re.sub(r' ;\n    mathrag:(?:digest|seal) "[^"]*"', "", turtle_with_times(folder))
    text = re.sub(r'\n<[^>]*>\n    mathrag:seal "[^"]*" \.\n', "\n", text)
    assert before in text
    path = tmp_path / "false.ttl"
    path.write_text(text.replace(before, after), encoding="utf-8")
    ran = mathrag("import", path, "--library", tmp_path / "other")
    assert ran.code == 1
    assert sentence in ran.err


def turtle_with_times(folder: Path) -> str:
    with Library(folder) as library:
        return b"".join(library.exported("turtle")).decode()


# The tables that came with versions 9 and 10.
LATER = (
    "problem_types", "solution_steps", "solutions", "problems", "formula_concepts", "concept_examples",
    "concept_properties", "concept_signatures", "concepts",
)  # fmt: skip


def test_a_library_from_before_solutions_is_upgraded(copied: Path, files: tuple[Path, Path]) -> None:
    before = dump(copied, without=LATER)
    with sqlite3.connect(copied / FILE_NAME, isolation_level=None) as old:
        for table in (*LATER, "concept_words"):
            old.execute(f"DROP TABLE {table}")
        take_back_texts(old)
        old.execute("PRAGMA user_version = 8")
    old.close()
    with Library(copied) as library:
        assert schema_version(library.database.connection) == CURRENT_VERSION
        assert library.check() == []
        assert library.import_solutions(files[1]).problems == 2
        library.remove("subjects.jsonl")
    assert dump(copied, without=LATER) == before


def test_an_empty_library_of_version_8_is_upgraded(tmp_path: Path) -> None:
    old = sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)
    old.execute("PRAGMA trusted_schema = ON")
    assert migrate(old, MIGRATIONS[:8]) == 8
    old.close()
    with Library(tmp_path) as library:
        assert library.totals()["problems"] == 0


def test_retrieval_is_measured_by_the_command(files: tuple[Path, Path]) -> None:
    ran = mathrag("evaluate", "problems", *files)
    assert ran.code == 0
    assert "3 problems; near duplicates left out: 0" in ran.out
    figures = json.loads(mathrag("evaluate", "problems", *files, "--json").out)
    assert figures["types"]["all"]["trials"] == 2
    # The wrong step is not asked for, and the other stands in both solutions.
    assert (figures["steps"]["all"]["trials"], figures["repeated_steps_left_out"]) == (0, 1)
