"""The pages of the library without JavaScript: documents, jobs, search with facets, formulas, corrections, review."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from page_makers import TO_CHECK, WORK
from serve_makers import client_of, csrf_of, wait_for
from starlette.testclient import TestClient

from mathrag.library import Library

HTML = {"Accept": "text/html"}


@pytest.fixture(scope="module")
def checking(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A client of a library in which something needs a person; tests take back what they change."""
    folder = tmp_path_factory.mktemp("checking")
    copytree(made, folder / "library")
    (folder / "to_check.md").write_text(TO_CHECK, encoding="utf-8")
    with Library(folder / "library") as library:
        assert not library.ingest([folder / "to_check.md"], workers=1).failed
    with client_of(folder / "library", is_ready=False) as found:
        yield found


@pytest.fixture(autouse=True)
def _without_session(client: TestClient, checking: TestClient) -> None:
    client.cookies.clear()
    checking.cookies.clear()


def _formula(client: TestClient, label: str, **asked: str) -> dict[str, Any]:
    rows = client.get("/formulas.json", params={"q": label, **asked}).json()["items"]
    return next(row for row in rows if row["label"] == label)


class _Controls(HTMLParser):
    """Collects controls and what names them for those who cannot see them; and what the content policy forbids."""

    def __init__(self) -> None:
        super().__init__()
        self.labels: set[str] = set()
        self.controls: list[dict[str, str | None]] = []
        self.ids: list[str] = []
        self.inline: list[str] = []
        self._open: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if "style" in given or any(name.startswith("on") for name in given) or (tag == "script" and "src" not in given):
            self.inline.append(tag)
        if given.get("id"):
            self.ids.append(str(given["id"]))
        if tag == "label" and given.get("for"):
            self.labels.add(str(given["for"]))
        if tag == "label":
            self._open.append((tag, True))
        if tag in ("input", "select", "textarea") and given.get("type") != "hidden":
            self.controls.append({**given, "wrapped": "yes" if self._open else None})

    def handle_endtag(self, tag: str) -> None:
        if tag == "label" and self._open:
            self._open.pop()


def _check_markup(html: str) -> None:
    read = _Controls()
    read.feed(html)
    assert len(read.ids) == len(set(read.ids)), [one for one in read.ids if read.ids.count(one) > 1]
    for control in read.controls:
        named = control.get("aria-label") or control.get("wrapped") or control.get("id") in read.labels
        assert named, control
    assert not read.inline
    assert html.count("<h1") == 1


@pytest.mark.slow
def test_every_page_has_names_for_its_controls_and_a_twin(checking: TestClient) -> None:
    document = checking.get("/library.json").json()["documents"]["items"][0]["id"]
    constant = checking.get("/constants.json").json()["items"][0]["id"]
    formula = _formula(checking, "Kinetic energy")["id"]
    set_aside = checking.get("/review.json?view=quarantined").json()["items"][0]["id"]
    for path in (
        "/library", f"/library/documents/{document}", f"/library/documents/{document}/remove", "/formulas",
        "/formulas?q=energy&status=executable", f"/formulas/{formula}", f"/formulas/{set_aside}?edit=1", "/constants",
        f"/constants/{constant}", "/review", "/review?view=conflicts",
    ):  # fmt: skip
        reply = checking.get(path, headers=HTML)
        assert reply.status_code == 200, path
        _check_markup(reply.text)
        bare, _, query = path.partition("?")
        twin = f"{bare}.json" + (f"?{query}" if query else "")
        assert f'href="{twin}"'.replace("&", "&amp;") in reply.text
        assert isinstance(checking.get(twin).json(), dict)


def test_hostile_titles_and_labels_are_only_text(client: TestClient) -> None:
    listed = client.get("/library.json").json()["documents"]["items"]
    hostile = next(one for one in listed if "script" in one["title"])
    rows = client.get("/formulas.json").json()["items"]
    label = next(row for row in rows if row["label"] == "Energy")
    for path in ("/library", "/formulas", f"/library/documents/{hostile['id']}", f"/formulas/{label['id']}"):
        text = client.get(path).text
        assert "<script>alert" not in text
        assert "<img src=x" not in text
        assert "<b onclick" not in text


@pytest.mark.parametrize(
    "path",
    ["/formulas/f-000000000000", "/formulas/nothing", "/constants/c-000000000000", "/library/documents/d-0",
     "/library/documents/d-0/remove", "/library/jobs/j-0", "/formulas/%00", "/formulas/..%2f..%2fetc"],
)  # fmt: skip
def test_what_is_not_there_is_said_on_a_page(client: TestClient, path: str) -> None:
    reply = client.get(path, headers=HTML)
    assert reply.status_code == 404
    assert "<h1>404</h1>" in reply.text


@pytest.mark.parametrize(
    "query",
    ["offset=-1", "offset=x", "offset=99999999999", "status=none", "kind=%00", "document=%27;drop", "field=zzz",
     "q=" + "x" * 3000, "reason=a&kind=b&field=mechanics", "q=%F0%9F%92%A9"],
)  # fmt: skip
def test_odd_addresses_give_a_page(client: TestClient, query: str) -> None:
    for path in ("/formulas", "/library", "/constants", "/review"):
        assert client.get(f"{path}?{query}", headers=HTML).status_code == 200


def test_searching_and_narrowing_down(client: TestClient) -> None:
    found = client.get("/formulas.json?q=kinetic+energy").json()
    assert found["items"][0]["label"] == "Kinetic energy"
    facets = {facet["name"]: facet for facet in found["facets"]}
    assert set(facets) >= {"status", "document", "field", "kind"}
    chosen = next(value for value in facets["field"]["values"] if value["value"] == "mechanics")
    page = client.get(chosen["href"]).text
    assert "Kinetic energy" in page
    assert "Ohm" not in page
    document = next(one for one in facets["document"]["values"] if "circuits" in one["label"])
    narrowed = client.get(document["href"].replace("?", ".json?")).json()
    assert narrowed["chosen"]["document"] == document["value"]
    assert {row["label"] for row in narrowed["items"]} <= {"Voltage (Ohm's law)", "Ohm's law", "Electric power"}
    assert narrowed["items"]


def test_long_lists_come_in_parts(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    from mathrag.serve.pages import formulas
    from mathrag.serve.pages import library as library_query

    monkeypatch.setattr(formulas, "PAGE", 2)
    monkeypatch.setattr(library_query.pager, "__kwdefaults__", {"limit": 2})
    seen, address = [], "/formulas"
    while address:
        data = client.get(address.replace("/formulas", "/formulas.json")).json()
        seen += [row["id"] for row in data["items"]]
        address = data["after"]
    assert len(seen) == len(set(seen)) == data["total"] > 4
    assert data["before"] == f"/formulas?offset={2 * ((data['total'] - 1) // 2) - 2}"


def test_computing_and_solving_for_any_symbol(client: TestClient) -> None:
    path = f"/formulas/{_formula(client, 'Kinetic energy')['id']}"
    assert "9 J" in re.sub(r"<[^>]+>", "", client.get(path, params={"v.m": "2 kg", "v.v": "3"}).text)
    asked = {"v.E_k": "9 J", "v.m": "2000 g", "solve_for": "v", "unit": "km/h"}
    result = client.get(f"{path}.json", params=asked).json()["compute"]["result"]
    assert result["value"] == pytest.approx(10.8)
    plots = client.get(f"{path}.json", params={"v.m": "2 kg", "v.v": "3"}).json()["compute"]["plots"]
    assert [plot["symbol"] for plot in plots] == ["m", "v"]
    assert "<svg" in client.get(plots[1]["href"], headers=HTML).text
    missing = client.get(path, params={"v.m": "2 kg"}).text
    assert "values are missing for v" in missing
    wrong = client.get(f"{path}.json", params={"v.m": "2 s", "v.v": "3 m/s"}).json()["compute"]
    assert "kg" in wrong["problem"]
    assert client.get(path, params={"v.m": "<b>", "v.v": "1"}, headers=HTML).status_code == 200


def test_a_formula_page_links_its_places(client: TestClient) -> None:
    data = client.get(f"/formulas/{_formula(client, 'Kinetic energy')['id']}.json").json()
    assert data["formula"]["instances"][0]["verdict"] == "agrees"
    for place in (data["formula"]["places"][0], data["formula"]["symbols"][0]["evidence"]):
        shown = client.get(place["href"], headers=HTML)
        assert shown.status_code == 200
        assert "<mark" in shown.text


def test_a_constant_tells_where_it_stands_and_its_conflict(checking: TestClient) -> None:
    listed = checking.get("/constants.json?q=speed+of+sound").json()["items"]
    sound = next(one for one in listed if one["value"] == "343")
    assert checking.get("/review.json?view=conflicts").json()["total"] >= 2
    data = checking.get(f"/constants/{sound['id']}.json").json()
    assert data["conflicts"][0]["kind"] == "constant_value"
    assert checking.get(data["constant"]["places"][0]["href"]).status_code == 200


def test_a_quarantined_formula_is_fixed_asked_and_undone(checking: TestClient) -> None:
    row = checking.get("/review.json?view=quarantined").json()["items"][0]
    assert (row["label"], row["reason_code"]) == ("Thrumble of a wall", "dimensions")
    path = f"/formulas/{row['id']}"
    page = checking.get(f"{path}?edit=1").text
    secret = csrf_of(page)
    fields = {"csrf": secret, "symbol.G_w.unit": "N/m^2", "symbol.G_w.description": "grumble", "note": "a misprint"}
    saved = checking.post(f"{path}/edit", data=fields, follow_redirects=False)
    assert saved.status_code == 303
    fixed = checking.get(saved.headers["location"]).text
    assert "can be computed with" in fixed
    assert "a misprint" in fixed
    question = "What is the thrumble if the grumble is 2 N/m^2 and the area is 3 m^2?"
    answered = checking.post("/", data={"csrf": secret, "question": question}).text
    assert "6.00 N" in answered or "6 N" in answered
    formula = saved.headers["location"].partition("?")[0]
    for one in reversed(checking.get(f"{formula}.json").json()["formula"]["corrections"]):
        undone = checking.post(
            f"{formula}/undo", data={"csrf": secret, "number": one["number"]}, follow_redirects=False
        )
        assert undone.status_code == 303
        formula = undone.headers["location"].partition("?")[0]
    assert checking.get(f"{formula}.json").json()["formula"]["status"] == "quarantined"
    again = checking.post(f"{formula}/undo", data={"csrf": secret, "number": "1"}, headers=HTML)
    assert again.status_code == 404


def test_a_wrong_correction_is_refused_beside_what_was_typed(checking: TestClient) -> None:
    path = f"/formulas/{_formula(checking, 'Momentum')['id']}"
    secret = csrf_of(checking.get(path).text)
    for fields, words in (
        ({"symbol.m.unit": "blorps"}, "blorps"),
        ({"symbol.m.kind": "no such kind"}, "no quantity kind"),
        ({"label": "Momentum"}, "nothing was changed"),
        ({"symbol.zz.unit": "kg"}, "nothing was changed"),
    ):
        refused = checking.post(f"{path}/edit", data={"csrf": secret, **fields}, headers=HTML)
        assert refused.status_code == 422
        assert words in refused.text
        _check_markup(refused.text)
    assert 'value="blorps"' in checking.post(f"{path}/edit", data={"csrf": secret, "symbol.m.unit": "blorps"}).text
    assert not checking.get(f"{path}.json").json()["formula"]["corrections"]


def test_what_people_type_is_only_text_too(checking: TestClient) -> None:
    path = f"/formulas/{_formula(checking, 'Electric power')['id']}"
    secret = csrf_of(checking.get(path).text)
    typed = {"label": "<script>alert(1)</script>", "author": '"><img src=x>', "note": "<b>why</b>"}
    saved = checking.post(f"{path}/edit", data={"csrf": secret, **typed}, follow_redirects=False)
    address = saved.headers["location"].partition("?")[0]
    page = checking.get(address).text
    assert "&lt;script&gt;alert(1)" in page
    for part in ("<script>alert", "<img src=x", "<b>why"):
        assert part not in page
    _check_markup(page)
    number = checking.get(f"{address}.json").json()["formula"]["corrections"][0]["number"]
    checking.post(f"{address}/undo", data={"csrf": secret, "number": number})
    long = checking.post(f"{path}/edit", data={"csrf": secret, "label": "x" * 5_000}, headers=HTML)
    assert long.status_code == 422


def test_a_kind_may_be_given_by_its_name(checking: TestClient) -> None:
    path = f"/formulas/{_formula(checking, 'Spring force')['id']}"
    secret = csrf_of(checking.get(path).text)
    saved = checking.post(f"{path}/edit", data={"csrf": secret, "symbol.x.kind": "Length"}, follow_redirects=False)
    address = saved.headers["location"].partition("?")[0]
    data = checking.get(f"{address}.json").json()["formula"]
    assert next(one for one in data["symbols"] if one["name"] == "x")["kind"] == "length"
    checking.post(f"{address}/undo", data={"csrf": secret, "number": data["corrections"][0]["number"]})


def test_pages_say_while_conflicts_are_looked_for(checking: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    state = next(iter(checking.app.state.libraries.values()))  # type: ignore[attr-defined]
    listed = checking.get("/constants.json?q=speed+of+sound").json()["items"]
    page = f"/constants/{next(one for one in listed if one['value'] == '343')['id']}"
    monkeypatch.setattr(state, "_conflicts", None)
    monkeypatch.setattr(state, "_looking", state.library.database.generation)
    assert "still being looked for" in checking.get(page, headers=HTML).text
    assert checking.get(f"{page}.json").json()["conflicts_pending"] is True
    assert "being looked for" in checking.get("/review?view=quarantined", headers=HTML).text
    state.conflicts()
    shown = checking.get(page, headers=HTML).text
    assert "still being looked for" not in shown
    assert "Conflict:" in shown


def test_a_conflict_ends_when_one_formula_is_set_aside(checking: TestClient) -> None:
    found = checking.get("/review.json?view=conflicts").json()["items"]
    conflict = next(one for one in found if one["kind"] == "formula_name")
    wrong = next(entry for entry in conflict["entries"] if "frac" not in entry["latex"])
    secret = csrf_of(checking.get("/review?view=conflicts").text)
    sent = {"csrf": secret, "formula": wrong["id"], "status": "quarantined", "view": "conflicts"}
    gone = checking.post("/review/status", data=sent, follow_redirects=False)
    assert (gone.status_code, gone.headers["location"]) == (303, "/review?view=conflicts")
    left = checking.get("/review.json?view=conflicts").json()["items"]
    assert "formula_name" not in {one["kind"] for one in left}
    checking.post("/review/status", data={**sent, "status": "executable"})


@pytest.mark.parametrize(
    "path",
    ["/library/remove", "/library/reread", "/library/retry", "/library/forget", "/library/starter", "/library/cancel",
     "/formulas/f-000000000000/edit", "/formulas/f-000000000000/undo", "/review/status"],
)  # fmt: skip
def test_changes_need_the_secret_of_the_session(client: TestClient, path: str) -> None:
    client.get("/library")
    assert client.post(path, data={"csrf": "wrong", "document": "d-0"}).status_code == 403
    assert client.post(path, data={}, headers={"Origin": "http://elsewhere.example"}).status_code == 403


@pytest.mark.slow
def test_uploading_reading_again_failing_and_removing(tmp_path: Path) -> None:
    with client_of(tmp_path / "library", is_ready=False) as client:
        first = client.get("/library").text
        assert "starter documents" in first
        secret = csrf_of(first)
        files = [("files", ("work.md", WORK.encode())), ("files", ("broken.pdf", b"%PDF-1.4\nnothing"))]
        client.post("/library/upload", data={"csrf": secret}, files=files)

        def job() -> dict[str, Any]:
            found: dict[str, Any] = client.get("/library.json").json()["jobs"][0]
            return found

        wait_for(lambda: job()["is_over"], what="reading")
        made = job()
        assert [row["latex"] for row in made["formulas"]] == ["W = F s"]
        card = client.get(f"/library/jobs/{made['id']}/card").text
        assert "<html" not in card
        assert 'data-state="done"' in card
        assert "Work of a force" in card
        _check_markup(client.get(f"/library/jobs/{made['id']}").text)
        data = client.get("/library.json").json()["documents"]
        assert [one["name"] for one in data["failures"]] == ["broken.pdf"]
        assert data["failures"][0]["reason"]
        _check_markup(client.get("/library").text)
        client.post("/library/forget", data={"csrf": secret, "file": "broken.pdf"})
        assert not client.get("/library.json").json()["documents"]["failures"]
        document = data["items"][0]["id"]
        client.post("/library/reread", data={"csrf": secret, "document": document})
        wait_for(lambda: job()["id"] != made["id"] and job()["is_over"], what="reading again")
        assert job()["files"][0]["state"] == "replaced"
        asked = client.get(f"/library/documents/{document}/remove").text
        assert "The uploaded file is deleted" in asked
        client.post("/library/remove", data={"csrf": csrf_of(asked), "document": document})
        assert client.get("/library.json").json()["documents"]["total"] == 0
        lost = client.post("/library/reread", data={"csrf": secret, "document": document}, headers=HTML)
        assert lost.status_code == 404


@pytest.mark.slow
def test_a_job_that_waits_has_a_card_and_can_be_given_up(tmp_path: Path) -> None:
    with client_of(tmp_path / "library", is_ready=False) as client:
        store = client.app.state.mathrag.jobs.store  # type: ignore[attr-defined]
        waiting = store.add({"paths": [str(tmp_path / "nothing.md")], "names": ["<b>nothing</b>.md"] * 5})
        card = client.get(f"/library/jobs/{waiting.id}/card")
        assert card.status_code == 200
        assert "<b>nothing" not in card.text
        page = client.get("/library").text
        _check_markup(page)
        client.post("/library/cancel", data={"csrf": csrf_of(page), "job": waiting.id})
        wait_for(lambda: store.get(waiting.id).is_over, what="the end")
        assert client.get(f"/library/jobs/{waiting.id}.json").json()["job"]["is_over"]


def test_a_job_in_the_middle_shows_pages_and_share(client: TestClient) -> None:
    from mathrag.serve.jobs.store import Job
    from mathrag.serve.pages.library import job_card

    state = client.app.state.mathrag  # type: ignore[attr-defined]
    job = Job("j-0", "running", {"paths": [], "names": ["a.pdf"]}, "", "", None, 1, 1, 4, None, "", False)
    card = job_card(state, job)
    assert (card["words"], card["share"]) == ("Reading, 0 of 4 files done", 0.25)
    assert [file["state"] for file in card["files"]] == ["waiting"]


def test_a_formula_that_was_trusted_is_taken_back_on_the_page(checking: TestClient) -> None:
    formula = _formula(checking, "Thrumble of a wall", status="quarantined")
    secret = csrf_of(checking.get("/review").text)
    asked = {"csrf": secret, "formula": formula["id"], "status": "executable", "view": "quarantined"}
    html = checking.post("/review/status", data=asked).text
    assert "trusted as it is" in html
    decided = checking.get("/review.json").json()["decided"]
    assert decided[0]["words"] == "trusted as it is"
    undone = checking.post("/review/undo", data={"csrf": secret, "number": str(decided[0]["number"])})
    assert undone.status_code == 200
    assert checking.get("/review.json").json()["decided"] == decided[1:]
    assert _formula(checking, "Thrumble of a wall", status="quarantined")
    for number in (str(decided[0]["number"]), "x", ""):
        assert checking.post("/review/undo", data={"csrf": secret, "number": number}).status_code == 404


def _over(client: TestClient) -> list[dict[str, Any]]:
    jobs = client.get("/library.json").json()["jobs"]
    return jobs if jobs and all(job["is_over"] for job in jobs) else []


@pytest.mark.pictures
def test_what_has_ended_can_be_cleared_and_its_document_stays(tmp_path: Path) -> None:
    with client_of(tmp_path / "library", is_ready=False) as client:
        secret = csrf_of(client.get("/library").text)
        for name, content in (("work.md", WORK.encode()), ("broken.pdf", b"%PDF-1.4 rubbish")):
            client.post("/library/upload", data={"csrf": secret}, files={"files": (name, content)})
        jobs = wait_for(lambda: len(found := _over(client)) == 2 and found)
        assert {job["names"][0]: job["words"] for job in jobs} == {"work.md": "Done", "broken.pdf": "Not read"}
        first = next(job["id"] for job in jobs if job["names"] == ["work.md"])
        assert "Clear all that have ended" in client.get("/library").text
        client.post("/library/clear", data={"csrf": secret, "job": first})
        assert [job["names"] for job in client.get("/library.json").json()["jobs"]] == [["broken.pdf"]]
        client.post("/library/clear", data={"csrf": secret})
        data = client.get("/library.json").json()
        assert data["jobs"] == []
        assert [one["name"] for one in data["documents"]["items"]] == ["work.md"]
        assert data["documents"]["failures"][0]["name"] == "broken.pdf"


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("nothing.md", b"", "nothing.md is empty; there is nothing to read"),
        ("blank.txt", b" \n\n ", "blank.txt is empty; there is nothing to read"),
        ("half.docx", b"PK\x03\x04 and no more", "half.docx is damaged: it is not a Word document inside"),
        ("files.zip", b"PK\x03\x04 and no more", "unpack it"),
    ],
)
def test_a_file_of_no_use_is_refused_in_clear_words(client: TestClient, name: str, content: bytes, words: str) -> None:
    reply = client.post("/api/v1/jobs/uploads", files={"files": (name, content)})
    assert reply.status_code == 415
    assert words in reply.json()["detail"]
    assert "reader for" not in reply.json()["detail"]
