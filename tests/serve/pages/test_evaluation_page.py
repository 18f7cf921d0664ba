"""The pages of evaluations without JavaScript: runs, figures, questions narrowed down, one of them, hostile folders."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from evaluation_makers import ANSWER, SCRIPT, make_grades, write_hostile_runs, write_run
from serve_makers import client_of
from starlette.testclient import TestClient

from mathrag.cli.evaluate_options import results_in
from mathrag.errors import LibraryError
from mathrag.evaluate.charts import Point, embedded, reliability_chart
from mathrag.library import Library
from mathrag.library.views.evaluations import find_prediction, is_run_name, load_run, opened, results_folder

HTML = {"Accept": "text/html"}
COUNT = 130


@pytest.fixture(scope="module")
def evaluated(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[TestClient, Path]]:
    """A client of a library with results beside it, good and bad."""
    folder = tmp_path_factory.mktemp("evaluated")
    library = folder / "library"
    shutil.copytree(made, library)
    home = library / "evaluation"
    with Library(library) as opened_library:
        formula = opened_library.formula("Kinetic energy").id
    known = {**ANSWER, "formulas": [{**ANSWER["formulas"][0], "id": formula}, ANSWER["formulas"][0]]}
    write_run(home / "after", make_grades(COUNT, wrong=(3, 6, 20)), answer=known)
    write_run(home / "before", make_grades(60, wrong=(3, 4)))
    write_hostile_runs(home, write_run(folder / "outside", make_grades(3)))
    with client_of(library, is_ready=False) as client:
        yield client, home


@pytest.fixture(autouse=True)
def _without_session(evaluated: tuple[TestClient, Path]) -> None:
    evaluated[0].cookies.clear()


def _html(client: TestClient, path: str, *, status: int = 200) -> str:
    reply = client.get(path, headers=HTML)
    assert reply.status_code == status, reply.text
    assert "<script>alert" not in reply.text
    return reply.text


def _json(client: TestClient, path: str) -> dict[str, Any]:
    reply = client.get(path)
    assert reply.status_code == 200, reply.text
    found: dict[str, Any] = reply.json()
    return found


def test_runs_are_listed_with_their_main_figures(evaluated: tuple[TestClient, Path]) -> None:
    client, _ = evaluated
    runs = {run["name"]: run for run in _json(client, "/evaluation.json")["items"]}
    after = runs["after"]
    assert (after["set"], after["planner"], after["questions"], after["right"]) == ("set", "rules", COUNT, COUNT - 3)
    assert after["main"][0]["share"] == pytest.approx((COUNT - 3) / COUNT)
    html = _html(client, "/evaluation")
    assert '<a href="/evaluation/after">after</a>' in html
    assert "97.7 %" in html
    assert '<a href="/evaluation" aria-current="page">Evaluation</a>' in html


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("truncated", "no whole JSON"), ("binary", "no whole JSON"), ("deep", "no whole JSON"),
        ("long-number", "no whole JSON"), ("a-list", "no report"), ("no-questions", "no report"),
        ("huge", "larger than 16 MB"), ("piped", "no plain file"), ("linked-report", "not followed"),
        ("linked", "not followed"), ("begun", "no report yet"), ("empty", "no report.json"),
        ("twin.json", "rename"), ("ümlaut", "rename"), ("a..b 'c\"", "rename"), (SCRIPT.replace("/", "_"), "rename"),
    ],
)  # fmt: skip
def test_a_folder_that_cannot_be_shown_is_a_line(evaluated: tuple[TestClient, Path], name: str, reason: str) -> None:
    client, _ = evaluated
    runs = {run["name"]: run for run in _json(client, "/evaluation.json")["items"]}
    assert runs[name]["is_shown"] is False
    assert reason in runs[name]["problem"]
    assert reason in unescape(_html(client, "/evaluation"))
    for path in ("", "/question?id=a", "/compare?with=after"):
        _html(client, f"/evaluation/{quote(name, safe='')}{path}", status=404)


def test_files_and_hidden_folders_are_no_runs(evaluated: tuple[TestClient, Path]) -> None:
    names = {run["name"] for run in _json(evaluated[0], "/evaluation.json")["items"]}
    assert "a-file" not in names
    assert ".hidden" not in names


@pytest.mark.parametrize(
    "name", ["..", "%2e%2e", "..%2f..%2foutside", "after%2f..%2fafter", ".hidden", "a-file", "%00"]
)
def test_no_name_leads_out_of_the_folder(evaluated: tuple[TestClient, Path], name: str) -> None:
    client, home = evaluated
    assert client.get(f"/evaluation/{name}/question.json?id=set-d-000-01").status_code == 404
    assert not is_run_name("..")
    for bad in ("..", "../outside", "/etc", "", "a/b", "a\n"):
        with pytest.raises(LibraryError):
            load_run(home.parent, bad)
        with pytest.raises(LibraryError), opened(home.parent, bad, "report.json"):
            pass


def test_a_run_shows_figures_and_pictures(evaluated: tuple[TestClient, Path]) -> None:
    client, _ = evaluated
    html = _html(client, "/evaluation/after")
    for text in ("Precision when it gives a number", "unanswerable", "story", "choice", "Confidence", "Right means"):
        assert text in html
    assert html.count('<svg class="chart"') == 2
    assert "<style" not in html
    assert "style=" not in html
    assert "a notice &lt;script&gt;" in html
    data = _json(client, "/evaluation/after.json")
    assert data["total"] == COUNT
    assert [row["name"] for row in data["stages"]] == ["choice"]


def test_questions_are_narrowed_down_and_come_in_parts(evaluated: tuple[TestClient, Path]) -> None:
    client, _ = evaluated
    first = _json(client, "/evaluation/after.json")
    assert (len(first["items"]), first["first"], first["last"]) == (50, 1, 50)
    last = _json(client, first["after"].replace("?", ".json?") + "0")
    assert last["items"] == []
    second = _json(client, first["after"].replace("?", ".json?"))
    assert second["items"][0]["id"] == "set-d-050-01"
    wrong = _json(client, "/evaluation/after.json?verdict=wrong")
    assert [one["id"] for one in wrong["items"]] == ["set-d-003-01"]
    facets = {facet["name"]: {v["value"]: v["count"] for v in facet["values"]} for facet in wrong["facets"]}
    assert facets["verdict"] == {"right": COUNT - 3, "wrong": 1, "answered": 2}
    assert "tier" not in facets
    refused = _json(client, "/evaluation/after.json?kind=refuse&stage=choice")
    assert [one["verdict"] for one in refused["items"]] == ["answered", "answered"]
    assert _json(client, "/evaluation/after.json?q=ENERGY+3")["total"] == 1
    assert "No question fits" in _html(client, "/evaluation/after?verdict=crashed")
    assert "Show all" in _html(client, "/evaluation/after?verdict=wrong")


def test_one_question_with_its_trace(evaluated: tuple[TestClient, Path]) -> None:
    client, _ = evaluated
    html = _html(client, "/evaluation/after/question?id=set-d-003-01")
    for text in ("wrong number", "Went wrong at choice", "RETRIEVE_MATH_KNOWLEDGE", "2 formulas found",
                 "no value for v", "Expected", "3 J", "is 9.00 J.", "<math", "Ask this library"):  # fmt: skip
        assert text in html
    assert "What is the energy of 3 kg? &lt;script&gt;" in html
    known = html.partition('<p class="used-name"><a href="')[2].partition('"')[0]
    assert known.startswith("/formulas/f-")
    assert client.get(known, headers=HTML).status_code == 200
    assert "not in this library" in html
    data = _json(client, "/evaluation/after/question.json?id=set-d-003-01")
    assert data["prediction"]["trace"][0]["action"] == "RETRIEVE_MATH_KNOWLEDGE"
    assert data["question"]["right"] is False


def test_from_question_to_question_within_the_filter(evaluated: tuple[TestClient, Path]) -> None:
    client, _ = evaluated
    listed = _json(client, "/evaluation/after.json?stage=choice")["items"]
    place = _json(client, listed[1]["href"].replace("question?", "question.json?"))
    assert (place["place"], place["total"]) == (2, 3)
    assert "set-d-003-01" in place["before"]
    assert "set-d-020-01" in place["after"]
    assert "stage=choice" in place["after"]
    _html(client, "/evaluation/after/question?id=nothing", status=404)
    _html(client, "/evaluation/after/question", status=404)


def test_two_runs_are_compared(evaluated: tuple[TestClient, Path]) -> None:
    client, _ = evaluated
    found = _json(client, "/evaluation/after/compare.json?with=before")
    assert found["only_second"] == COUNT - 60
    assert {change["id"]: change["is_better"] for change in found["changes"]} == {
        "set-d-004-01": True, "set-d-006-01": False, "set-d-020-01": False,
    }  # fmt: skip
    html = _html(client, "/evaluation/after/compare?with=before")
    assert "3 questions changed" in html
    assert "<option>before</option>" in _html(client, "/evaluation/after")
    assert client.get("/evaluation/after/compare.json").status_code == 422
    assert client.get("/evaluation/after/compare.json?with=../before").status_code == 404


def test_figures_that_are_none_are_left_out(evaluated: tuple[TestClient, Path], tmp_path: Path) -> None:
    client, home = evaluated
    record = {"id": "q", "tier": "t", "verdict": "right", "question": "?"}
    odd = [
        record, {**record, "id": "q"}, {**record, "id": 7}, {"id": "no verdict"}, "text", None, [],
        {**record, "id": "w", "milliseconds": 1e400, "confidence": "high", "question": ["x"]},
        {**record, "id": "x", "milliseconds": -1, "confidence": 7, "expected": "\ud800", "tier": {"a": 1}},
        {**record, "id": "y" * 5_000},
    ]  # fmt: skip
    share = {"right": 5, "of": 3, "share": "x", "low": 2, "high": -1}
    metrics = {
        "accuracy": {"all": share, "answerable": {"right": 1, "of": 2, "low": 9, "high": 8}, "refusals": []},
        "tiers": {"<b>": {"right": 1, "of": 2, "low": 0.1, "high": 0.9}, "big": {"right": 10**40, "of": 10**41}},
        "wordings": 5, "stages": None, "tools": {"answerable": 3}, "calibration": {"bins": [share, 1], "of": "x"},
        "milliseconds": {"median": 1, "p90": {"value": float("nan")}},
    }  # fmt: skip
    report = {"questions": odd, "metrics": metrics, "set": ["x"], "notices": "x", "library": 3, "language_model": 4}
    (home / "odd").mkdir()
    (home / "odd" / "report.json").write_text(json.dumps(report), encoding="utf-8")
    try:
        data = _json(client, "/evaluation/odd.json")
        assert [one["id"] for one in data["items"]] == ["q", "w", "x"]
        assert data["left_out"] == 7
        assert data["tiers"] == [{"name": "<b>", "right": 1, "of": 2, "share": 0.5, "low": 0.1, "high": 0.9}]
        assert data["main"] == [
            {"name": "Right, of those with an answer", "right": 1, "of": 2, "share": 0.5, "low": None, "high": None}
        ]
        html = _html(client, "/evaluation/odd")
        assert "&lt;b&gt;" in html
        assert "7 entries of the report" in html
        assert "cannot be read" in _html(client, "/evaluation/odd/question?id=x")
        _html(client, "/evaluation")
        _html(client, "/evaluation/odd/compare?with=after")
    finally:
        shutil.rmtree(home / "odd")


def test_answers_of_any_shape_are_shown_or_left_out(tmp_path: Path) -> None:
    home = tmp_path / "evaluation" / "run"
    home.mkdir(parents=True)
    odd = {
        "id": "odd", "outcome": 5, "value": "x", "reason": [], "formulas": [1, {"id": ["x"]}], "bindings": {"m": 3},
        "steps": [None], "trace": [{"observation": 3, "inputs": [1]}, 5], "missing": [{"words": SCRIPT}, 4],
    }  # fmt: skip
    lines = [
        b"\xff\xfe not json", b'{"id": "cut", "outcome', json.dumps({"id": "twice", "text": "first"}).encode(),
        json.dumps(odd).encode(), b'{"id": "long", "text": "' + b"x" * 5_000_000 + b'"}',
        json.dumps({"id": "twice", "text": "second"}).encode(), '{"id": "é\\u00e9"}'.encode(),
        json.dumps({"id": "é", "text": "plain"}).encode(), b"[" * 100_000,
    ]  # fmt: skip
    (home / "predictions.jsonl").write_bytes(b"\n".join(lines))
    found = find_prediction(tmp_path, "run", "odd")
    assert found is not None
    assert found["missing"] == [SCRIPT]
    assert found["trace"][0]["message"] == ""
    again = find_prediction(tmp_path, "run", "twice")
    assert again is not None
    assert again["text"] == "second"
    assert find_prediction(tmp_path, "run", "é") is not None
    for name in ("cut", "long", "none", 'x"}'):
        assert find_prediction(tmp_path, "run", name) is None


def test_no_link_or_pipe_is_read_for_answers(tmp_path: Path) -> None:
    home = tmp_path / "evaluation"
    for name in ("linked", "piped"):
        (home / name).mkdir(parents=True)
    (tmp_path / "secret").write_text('{"id": "a", "text": "secret"}\n')
    (home / "linked" / "predictions.jsonl").symlink_to(tmp_path / "secret")
    os.mkfifo(home / "piped" / "predictions.jsonl")
    (home / "away").symlink_to(tmp_path)
    for name, told in (
        ("linked", "not followed"),
        ("piped", "no plain file"),
        ("away", "not followed"),
        ("x", "no such"),
    ):
        with pytest.raises(LibraryError, match=told):
            find_prediction(tmp_path, name, "a")


def test_a_folder_that_is_a_link_or_a_file_is_said_to_be(tmp_path: Path, made: Path) -> None:
    from mathrag.library.views.evaluations import list_runs

    assert list_runs(tmp_path) == []
    (tmp_path / "evaluation").symlink_to(made)
    with pytest.raises(LibraryError, match="no folder of its own"):
        list_runs(tmp_path)


def test_without_results_the_page_says_how_to_get_some(client: TestClient) -> None:
    html = client.get("/evaluation", headers=HTML).text
    assert "mathrag evaluate formula-qa" in html
    assert client.get("/evaluation.json").json()["total"] == 0


def test_results_are_kept_beside_the_library_unless_told_otherwise(tmp_path: Path) -> None:
    there, sets = Path("there"), tmp_path / "sets"
    assert results_in(there, tmp_path, questions=sets / "set", planner="rules") == there
    found = results_in(None, tmp_path, questions=sets / "set", planner="rules")
    assert found.parent == tmp_path / "evaluation"
    assert found.name.startswith("set-rules-")
    assert found == results_in(None, tmp_path, questions=sets / "other" / ".." / "set", planner="rules")
    for name in ("a b", "ü", "...", "x.json", "-", "y" * 200):
        found = results_folder(tmp_path, sets / name, "auto")
        assert found.parent == tmp_path / "evaluation"
        assert is_run_name(found.name)


def test_another_set_of_the_same_name_and_another_model_have_results_of_their_own(tmp_path: Path) -> None:
    folders = {
        results_folder(tmp_path, tmp_path / home / "test", planner, model=model)
        for home in ("a", "b")
        for planner in ("auto", "react")
        for model in ("first", "second")
    }
    assert len(folders) == 8


def test_a_chart_in_a_page_has_no_style_and_names_of_its_own() -> None:
    chart = reliability_chart("A <title>", 'spoken id="title"', [Point(0.5, 0.5, 0.4, 0.6, 3)])
    found = embedded(chart, "first")
    assert "<style" in chart
    assert "<style" not in found
    assert 'aria-labelledby="first-title first-description"' in found
    assert '<title id="first-title">A &lt;title&gt;</title>' in found
    assert found.count('id="') == 2
    assert found.strip().endswith("</svg>")
