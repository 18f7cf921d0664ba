"""How well papers and passages are found: lists of papers, searches, figures, and the commands that print them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mathrag.cli.main import main
from mathrag.errors import LibraryError, UsageError
from mathrag.evaluate.paper_lists import read_papers
from mathrag.evaluate.paper_questions import read_paper_questions
from mathrag.evaluate.paper_retrieval import (
    FUSED,
    Search,
    SearchedTexts,
    evidence_searches,
    paper_searches,
    run_searches,
    search_figures,
    search_words,
)
from mathrag.library.evaluate.paper_questions import (
    grade_paper_answers,
    measure_evidence_retrieval,
    measure_paper_retrieval,
)

PAPERS = Path(__file__).parent / "data" / "papers"


def test_papers_of_the_anthology_and_of_lines_are_the_same() -> None:
    of_lines, of_xml = read_papers(PAPERS / "papers.jsonl"), read_papers(PAPERS / "anthology.xml")
    assert [one.title for one in of_lines] == [one.title for one in of_xml]
    assert [one.abstract for one in of_lines[:3]] == [one.abstract for one in of_xml[:3]]
    assert (of_xml[0].id, of_xml[3].abstract) == ("2030.sea-long.1", "")


def test_a_folder_is_read_whole(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"title": "One"}\n\n{"title": "Two", "abstract": null}\n')
    (tmp_path / "b.xml").write_bytes((PAPERS / "anthology.xml").read_bytes())
    (tmp_path / "notes.txt").write_text("no papers")
    assert [one.id for one in read_papers(tmp_path)][:3] == ["a.1", "a.3", "2030.sea-long.1"]


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.xml", '<!DOCTYPE x [<!ENTITY a "aa">]><collection>&a;</collection>', "entities"),
        ("a.xml", "<collection><volume>", "no proper XML"),
        ("a.xml", "<html/>", "no collection of the anthology"),
        ("a.xml", "<a>" * 5_000, "nested"),
        ("a.jsonl", "{", "line 1: this is no paper"),
        ("a.jsonl", '{"title": 5}', "line 1: this is no paper"),
        ("a.jsonl", "", "holds no paper"),
    ],
)
def test_what_is_no_list_of_papers_is_refused(name: str, content: str, reason: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(LibraryError, match=reason):
        read_papers(tmp_path / name)


def test_words_are_stems_without_those_that_tell_nothing() -> None:
    assert search_words("The Translating of the Café's log-books") == search_words("translate cafe's log books")


def test_questions_for_papers_that_are_not_here() -> None:
    questions = read_paper_questions(PAPERS / "questions.jsonl").questions
    asked = paper_searches(questions, read_papers(PAPERS / "papers.jsonl"))
    assert (asked.conferences, asked.left_out, asked.not_among_papers) == (("sea2030",), 1, ())
    assert [one.id for one in asked.searches] == ["q-title-1", "q-title-2"]
    # One of a conference that is here, but not itself: a miss, and told.
    fewer = paper_searches(questions, read_papers(PAPERS / "papers.jsonl")[1:])
    assert (fewer.conferences, fewer.not_among_papers) == (("sea2030",), ("q-title-1",))
    assert fewer.searches[0].wanted == frozenset()


def test_ranks_and_halves_are_counted() -> None:
    texts = SearchedTexts(["tides of the bay", "radar in fog", "fog and tides"], None)
    searches = [Search("a", "fog", frozenset({2})), Search("b", "radar", frozenset({1})), Search("c", "x", frozenset())]
    figures = search_figures(run_searches(searches, texts), texts.collections)["bm25"]
    assert figures["all"]["at_1"]["right"] == 1
    assert figures["all"]["at_5"]["right"] == 2
    assert (figures["odd"]["questions"], figures["even"]["questions"]) == (1, 2)
    assert figures["odd"]["reciprocal_rank"] == 1.0
    assert figures["all"]["at_5"]["low"] < 2 / 3 < figures["all"]["at_5"]["high"]
    empty = SearchedTexts([], None)
    assert empty.rankings("fog") == {"bm25": []}


def test_papers_and_passages_are_found(tmp_path: Path) -> None:
    out = tmp_path / "titles.jsonl"
    found = measure_paper_retrieval(PAPERS / "questions.jsonl", PAPERS / "anthology.xml", out=out)
    assert (found["papers"], found["searched_for"]) == (4, 2)
    assert list(found["recall"])[0::2] == ["bm25", FUSED]
    assert all(halves["all"]["at_1"]["share"] == 1.0 for halves in found["recall"].values())
    # The titles found first can be graded as answers.
    graded = grade_paper_answers(PAPERS / "questions.jsonl", out)
    assert graded["by_grader"]["paper_relevance"]["right"] == 2
    assert json.loads(out.read_text().splitlines()[0])["ranks"]["bm25"] == 1
    passages = measure_evidence_retrieval(PAPERS / "combined_val.jsonl")
    assert (passages["questions"], passages["passages"]) == (3, 3)
    assert passages["recall"]["bm25"]["all"]["at_1"]["share"] == 1.0
    with pytest.raises(UsageError, match="asks for a paper"):
        measure_paper_retrieval(PAPERS / "combined_val.jsonl", PAPERS / "papers.jsonl")
    with pytest.raises(UsageError, match="tells no passages"):
        measure_evidence_retrieval(PAPERS / "questions.jsonl")


def test_the_whole_question_is_searched_for_too() -> None:
    questions = read_paper_questions(PAPERS / "combined_val.jsonl").questions
    passages, searches = evidence_searches(questions, whole=True)
    assert searches[0].query.startswith("Consider the paper")
    assert passages[next(iter(searches[0].wanted))] == questions[0].evidence


def test_commands_print_tables_or_json(capsys: pytest.CaptureFixture[str]) -> None:
    questions = str(PAPERS / "questions.jsonl")
    assert main(["evaluate", "airqa", questions, "--answers", str(PAPERS / "answers.jsonl")]) == 0
    told = capsys.readouterr()
    assert "complex_math_formula" in told.out
    assert "unknown: only a judge could tell (--judge); not counted in the shares" in told.out
    assert "note: 1 times: argument 'nidigits' is read as 'ndigits'" in told.err
    assert main(["evaluate", "airqa", questions, "--retrieval", "--papers", str(PAPERS / "papers.jsonl")]) == 0
    assert "2 questions for papers of sea2030, among 4 papers" in capsys.readouterr().out
    assert main(["evaluate", "m3sciqa", str(PAPERS / "combined_val.jsonl"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["passages"] == 3


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ([], "name the answers to grade with --answers, let a model answer with --method"),
        (["--retrieval"], "say where the papers are looked for, with --papers"),
        (["--answers", str(PAPERS / "answers.jsonl"), "--judge"], "a judge needs a language model"),
    ],
)
def test_what_is_missing_is_said(more: list[str], reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", "airqa", str(PAPERS / "questions.jsonl"), *more]) != 0
    assert reason in capsys.readouterr().err
