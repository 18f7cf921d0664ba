"""The page to ask on, by forms alone: the card, missing values, confirming, changing values, following up, history."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from ask_makers import MISSING, TWO_STEPS, UNSURE, ask, events_of, fields_of, result_of
from serve_makers import QUESTION, TOKEN, client_of, csrf_of, wait_for
from starlette.testclient import TestClient

from mathrag.serve.kept import Examples
from mathrag.serve.pages.ask import manner_of
from mathrag.serve.pages.wording import for_pages


@pytest.fixture(autouse=True)
def _without_session(client: TestClient) -> None:
    client.cookies.clear()
    client.app.state.mathrag.conversations.forget_all("")


def test_examples_are_taken_from_the_library_and_are_answered(client: TestClient) -> None:
    examples = wait_for(lambda: (found := client.get("/ask.json").json()["examples"]) and len(found) >= 5 and found)
    assert "What is the voltage if the current is 2 A and the resistance is 3 ohm?" in examples
    assert "What is the kinetic energy if the mass is 1500 kg and the speed is 20 m/s?" in examples
    secret = csrf_of(client.get("/").text)
    for example in examples:
        assert result_of(client, {"csrf": secret, "question": example})["outcome"] == "answered", example
    assert client.get("/ask.json").json()["examples"] == examples


def test_examples_that_are_not_known_yet_are_looked_for_by_the_page(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    wait_for(lambda: client.get("/ask.json").json()["examples"])
    assert "data-later" not in client.get("/").text
    monkeypatch.setattr(Examples, "of", lambda *_, **__: [])
    assert 'id="examples" data-later hidden' in client.get("/").text
    assert "data-later" not in ask(client, QUESTION)


def test_a_card_shows_value_formula_working_values_sources_and_confidence(client: TestClient) -> None:
    html = ask(client, QUESTION)
    assert "The kinetic energy is 9.00 J." in html
    assert html.count("<math") >= 5
    assert "Confidence 99 %" in html
    assert 'value="2 kg"' in html
    assert "/source?document=d-" in html
    assert "looks for formulas" in html
    for name in ("latex", "markdown", "python", "notebook", "replay"):
        assert f'value="{name}"' in html


def test_other_questions_of_a_text_stand_on_the_card(client: TestClient) -> None:
    html = ask(client, f"{QUESTION} How many feet are 3 m? What is its electric charge?")
    further = html[html.index("Also asked") :]
    assert "<strong>3 m ≈ 9.84252 ft.</strong>" in further
    assert "What is its electric charge?" in further
    assert "No answer: " in further


def test_everything_from_documents_is_text(client: TestClient) -> None:
    html = ask(client, "how much work does 3 C do at 5 V?")
    assert "The work is 15.0 J." in html
    assert "<img" not in html
    assert "<script>alert" not in html
    assert "&lt;script&gt;alert" in html


def test_the_missing_value_leads_to_the_answer(client: TestClient) -> None:
    fields = fields_of(ask(client, MISSING), form='class="missing"')
    assert (fields["pin.m"], fields["unit.m"]) == ("", "kg")
    assert result_of(client, {**fields, "pin.m": "4"})["value"] == 18
    assert result_of(client, {**fields, "pin.m": "4000 g"})["value"] == 18
    assert result_of(client, {**fields, "pin.m": "4000", "unit.m": "g"})["value"] == 18


def test_an_unsure_proposal_has_no_number_before_it_is_confirmed(client: TestClient) -> None:
    html = ask(client, UNSURE)
    assert "Is this what you mean?" in html
    assert "9.00" not in html
    assert ">9 J" not in html
    fields = fields_of(html[html.index('class="proposal"') :], form="data-asks")
    assert result_of(client, fields)["value"] == 9


def test_a_nearest_formula_can_be_used(client: TestClient) -> None:
    html = ask(client, MISSING)
    nearest = html[html.index("Nearest in the library") :]
    fields = fields_of(nearest[nearest.index("Momentum") :], form="data-asks")
    refused = result_of(client, fields)
    assert refused["asked"]["formula"] == fields["formula"]


@pytest.mark.parametrize(
    ("question", "changes", "value", "asked"),
    [
        (QUESTION, {"set.v": "5 m/s"}, 25, "What is the kinetic energy of 2 kg at 5 m/s?"),
        (QUESTION, {"set.v": "5"}, 25, "What is the kinetic energy of 2 kg at 5 m/s?"),
        (QUESTION, {"set.m": "500 g", "set.v": "4"}, 4, "What is the kinetic energy of 500 g at 4 m/s?"),
        (QUESTION, {"unit": "kJ"}, 0.009, QUESTION),
        # A value that two steps share must change in both.
        (TWO_STEPS, {"set.I": "3 A"}, 45, "What is the power at 3 A through a resistance of 5 ohm?"),
    ],
)
def test_changed_values_are_answered_anew(
    client: TestClient, question: str, changes: dict[str, str], value: float, asked: str
) -> None:
    fields = fields_of(ask(client, question), form='id="values"')
    result = result_of(client, {**fields, **changes})
    assert result["value"] == pytest.approx(value)
    assert result["asked"]["question"] == asked
    assert not [warning for warning in result["warnings"] if "not used" in warning]


def test_a_set_value_is_changed_where_it_was_set(client: TestClient) -> None:
    fields = fields_of(ask(client, MISSING), form='class="missing"')
    secret = fields["csrf"]
    html = client.post("/", data={**fields, "pin.m": "4"}).text
    again = fields_of(html, form='id="values"')
    assert again["csrf"] == secret
    result = result_of(client, {**again, "set.m": "8"})
    assert result["value"] == 36
    assert result["asked"]["pinned"] == {"m": "8 kg"}


def box_of(html: str) -> dict[str, str]:
    return fields_of(html, form='id="ask"')


def test_the_one_box_follows_up_and_a_follow_up_is_followed_up(client: TestClient) -> None:
    html = ask(client, QUESTION)
    for words, value in (("what about 2000 kg?", 9000), ("and at 6 m/s?", 36000), ("in MJ?", 0.036)):
        fields = box_of(html)
        assert result_of(client, {**fields, "question": words})["value"] == pytest.approx(value), words
        html = client.get(f"/c/{fields['conversation']}").text
    assert html.count('class="said"') == 4 + 1
    assert html.count('class="short sure"') == 3
    assert "Understood as: What is the kinetic energy of 2000 kg at 6 m/s?" in html


def test_a_question_of_its_own_stays_one_in_a_conversation(client: TestClient) -> None:
    fields = box_of(ask(client, QUESTION))
    assert result_of(client, {**fields, "question": TWO_STEPS})["value"] == 20


def test_a_conversation_is_listed_opened_by_its_link_and_forgotten(client: TestClient) -> None:
    ask(client, QUESTION)
    first = box_of(ask(client, MISSING))["conversation"]
    listed = client.get("/ask.json").json()["history"]
    assert [each["title"] for each in listed[:2]] == [MISSING, QUESTION]
    assert listed[0]["id"] == first
    other = listed[1]["id"]
    assert client.get(f"/c/{other}.json").json()["result"]["value"] == 9
    page = client.get(f"/c/{other}").text
    assert "The kinetic energy is 9.00 J." in page
    client.post("/ask/forget", data={"csrf": csrf_of(page), "conversation": other})
    assert client.get(f"/c/{other}").status_code == 404
    assert client.get(f"/c/{first}").status_code == 200
    client.post("/ask/forget", data={"csrf": csrf_of(page)})
    assert client.get("/ask.json").json()["history"] == []


def test_an_earlier_turn_is_opened_in_full_without_being_asked_again(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    fields = box_of(ask(client, QUESTION))
    result_of(client, {**fields, "question": "and for 5 kg?"})
    monkeypatch.setattr(client.app.state.mathrag.pool, "ask", None)
    data = client.get(f"/c/{fields['conversation']}.json?turn=1").json()
    assert data["result"]["value"] == 9
    assert [turn["is_open"] for turn in data["turns"]] == [True, False]
    assert client.get(f"/c/{fields['conversation']}.json").json()["result"]["value"] == 22.5


def test_an_answer_of_an_older_library_says_so(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    name = box_of(ask(client, QUESTION))["conversation"]
    assert "has changed since" not in client.get(f"/c/{name}").text
    database = client.app.state.mathrag.library.database
    monkeypatch.setattr(type(database), "generation", property(lambda _self: 10**9))
    assert "The library has changed since" in client.get(f"/c/{name}").text


@pytest.mark.parametrize("name", ["c-unknown", "c-" + "A" * 22, "%2e%2e", "c-" + "A" * 22 + ".json"])
def test_a_conversation_that_is_not_there_is_a_problem_with_words(client: TestClient, name: str) -> None:
    reply = client.get(f"/c/{name}")
    assert reply.status_code == 404
    assert "begin a new one" in reply.text


@pytest.mark.soak
def test_conversations_behind_a_token_are_listed_for_their_session_alone(copied: Path) -> None:
    with client_of(copied, token=TOKEN) as client:

        def sign_in() -> None:
            client.cookies.clear()
            secret = csrf_of(client.get("/login").text)
            client.post("/login", data={"csrf": secret, "token": TOKEN})

        sign_in()
        name = box_of(ask(client, QUESTION))["conversation"]
        assert len(client.get("/ask.json").json()["history"]) == 1
        sign_in()
        assert client.get("/ask.json").json()["history"] == []
        # Whoever was given the link may read it; going on makes a conversation of their own.
        fields = box_of(client.get(f"/c/{name}").text)
        assert result_of(client, {**fields, "question": "and for 5 kg?"})["value"] == 22.5
        assert len(client.get(f"/c/{name}.json").json()["turns"]) == 1
        assert len(client.get("/ask.json").json()["history"]) == 1
        client.cookies.clear()
        assert client.get(f"/c/{name}", follow_redirects=False).status_code in (303, 401)


def test_sources_of_constants_and_conversions_are_shown(client: TestClient) -> None:
    html = ask(client, "convert 60 mph to km/h")
    assert "1 mi/h = 1.609344 km/h (definition of the units)" in html[html.index("<h3>Sources</h3>") :]
    html = ask(client, "What is the speed of light?")
    assert "speed of light (CODATA 2022)" in html[html.index("<h3>Sources</h3>") :]


def _outcome(**changes: object) -> dict[str, object]:
    return {"outcome": "answered", "confidence": 0.99, "warnings": [], **changes}


def test_only_a_number_that_nothing_speaks_against_is_shown_as_sure() -> None:
    assert manner_of(_outcome()) == "sure"
    assert manner_of(_outcome(confidence=0.7)) == "unsure"
    assert manner_of(_outcome(warnings=["this speed is near that of light"])) == "unsure"
    assert manner_of(_outcome(warnings=["t = -3 s solves the formula too, but no time has that value"])) == "sure"
    assert manner_of(_outcome(warnings=["x = -3 solves the formula too; the positive solution is given"])) == "unsure"
    assert manner_of({"outcome": "refused"}) == "refused"


def test_the_page_names_no_shell_commands(client: TestClient) -> None:
    html = ask(client, "What is a hyperbolic secant?")
    assert "mathrag ingest" not in html
    assert "“Read the dictionaries” on the page Library" in html


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("use `mathrag trust` or `mathrag trust --untrusted`", "use the buttons on its page in the Library"),
        ("ask one, such as `mathrag ask 'energy of 2 kg'`", "ask one, such as “energy of 2 kg”"),
        ("`mathrag frobnicate --all` helps", "the command line helps"),
        ("the `m` in `E`", "the `m` in `E`"),
    ],
)  # fmt: skip
def test_commands_become_places(said: str, shown: str) -> None:
    assert for_pages(said) == shown


def test_no_ids_are_read_where_names_are_meant(client: TestClient) -> None:
    html = ask(client, MISSING)
    shown = re.sub(r"<[^>]*>", " ", html)
    assert re.search(r"\b[fcd]-[0-9a-f]{12}\b", shown) is None


def test_the_stream_ends_with_the_same_card(client: TestClient) -> None:
    secret = csrf_of(client.get("/").text)
    reply = client.post("/ask/stream", data={"csrf": secret, "question": QUESTION})
    events = events_of(reply.text)
    names = [name for name, _ in events]
    assert names[0] == "started"
    assert names[-2:] == ["outcome", "card"]
    assert names.count("action") == names.count("observation") >= 2
    card = events[-1][1]
    assert "The kinetic energy is 9.00 J." in card["thread"]
    assert "<math" in card["thread"]
    assert "looks for formulas" in card["thread"]
    assert QUESTION in card["history"]
    assert f'value="{secret}"' in card["thread"]
    assert "9.00 J" in client.get(f"/c/{card['conversation']}").text


@pytest.mark.parametrize("question", ["", "   ", "x" * 30_000])
def test_a_stream_without_a_question_is_a_problem(client: TestClient, question: str) -> None:
    secret = csrf_of(client.get("/").text)
    assert client.post("/ask/stream", data={"csrf": secret, "question": question}).status_code == 422


@pytest.mark.parametrize("path", ["/", "/ask/stream", "/ask/export", "/ask/forget"])
def test_forms_need_the_secret_of_the_session(client: TestClient, path: str) -> None:
    client.get("/")
    assert client.post(path, data={"csrf": "wrong", "question": QUESTION}).status_code == 403
    assert client.post(path, data={"question": QUESTION}).status_code == 403


@pytest.mark.parametrize("asked", ["{", "[]", '{"question": 1}', '{"question": "x", "other": 1}', "null", '"x"'])
def test_a_forged_earlier_question_is_told_so(client: TestClient, asked: str) -> None:
    secret = csrf_of(client.get("/").text)
    data = client.post("/ask.json", data={"csrf": secret, "asked": asked}).json()
    assert data["problem"]
    assert client.post("/ask/export", data={"csrf": secret, "asked": asked, "format": "latex"}).status_code == 422


@pytest.mark.slow
def test_an_empty_library_says_where_to_add_documents(tmp_path: Path) -> None:
    with client_of(tmp_path / "library") as client:
        page = client.get("/").text
        assert "The library is empty" in page
        assert client.get("/ask.json").json()["examples"] == []


def test_the_twin_says_what_the_page_shows(client: TestClient) -> None:
    secret = csrf_of(client.get("/").text)
    data = client.post("/ask.json", data={"csrf": secret, "question": TWO_STEPS}).json()
    plan = data["card"]["plan"]
    assert [step["target"] for step in plan["steps"]] == ["V", "P"]
    assert plan["steps"][1]["inputs"] == {"V": "#1", "I": "I"}
    assert plan["values"] == {"I": "2 A", "R": "5 ohm"}
    assert json.loads(data["card"]["asked_text"])["question"] == TWO_STEPS


def test_a_changed_value_keeps_the_formula(client: TestClient) -> None:
    html = ask(client, QUESTION)
    fields = fields_of(html, form='id="values"')
    result = result_of(client, {**fields, "set.m": "7 kg"})
    assert result["formulas"][0]["id"] == fields["formula"]


@pytest.mark.parametrize("question", ["What is 2 + 3 * 4?", "hello", "convert 5 km to m", "Wie groß ist die Energie?"])
def test_outcomes_without_a_formula_have_a_card_too(client: TestClient, question: str) -> None:
    html = ask(client, question)
    assert 'id="outcome-text"' in html
    assert 'id="plot-form"' not in html


def test_several_values_make_a_table(client: TestClient) -> None:
    html = ask(client, "What is the kinetic energy of 2 kg at 1 m/s, 2 m/s and 3 m/s?")
    assert "<h3>Table</h3>" in html
    assert 'id="plot-form"' not in html


def test_changes_that_have_no_place_are_told_so(client: TestClient) -> None:
    fields = fields_of(ask(client, TWO_STEPS), form='id="values"')
    wrong = {**fields, "set.step1.I": "3 A", "was.step1.I": "2 A"}
    assert "no place of its own" in client.post("/ask.json", data=wrong).json()["problem"]
