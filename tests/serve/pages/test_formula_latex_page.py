"""A misprinted formula is written anew on its page and through the API: refused with a reason, saved, taken back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from page_makers import TO_CHECK
from serve_makers import client_of, csrf_of
from starlette.testclient import TestClient

from mathrag.library import Library

HTML = {"Accept": "text/html"}
RIGHT = r"E_k = \frac{1}{2} m v^2"


@pytest.fixture(scope="module")
def checking(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A client of a library with a misprint; tests take back what they change."""
    folder = tmp_path_factory.mktemp("misprinted")
    copytree(made, folder / "library")
    (folder / "to_check.md").write_text(TO_CHECK, encoding="utf-8")
    with Library(folder / "library") as library:
        assert not library.ingest([folder / "to_check.md"], workers=1).failed
    with client_of(folder / "library", is_ready=False) as found:
        yield found


@pytest.fixture(autouse=True)
def _without_session(checking: TestClient) -> None:
    checking.cookies.clear()


def _misprint(client: TestClient) -> dict[str, Any]:
    rows = client.get("/formulas.json", params={"q": "Kinetic energy"}).json()["items"]
    return next(row for row in rows if row["latex"] == "E_k = m v^2")


def test_the_form_corrects_the_formula_in_its_place(checking: TestClient) -> None:
    path = f"/formulas/{_misprint(checking)['id']}"
    page = checking.get(f"{path}?edit=1").text
    assert 'name="latex" value="E_k = m v^2"' in page
    secret = csrf_of(page)
    conflicts = checking.get("/api/v1/conflicts").text
    assert "Kinetic energy" in conflicts
    for latex, words in ((r"E_k = \frac{m", "cannot be read"), ("E_k = m v^2", "nothing was changed")):
        refused = checking.post(f"{path}/edit", data={"csrf": secret, "latex": latex}, headers=HTML)
        assert refused.status_code == 422
        assert words in refused.text
        assert f'name="latex" value="{latex}"' in refused.text
    fields = {"csrf": secret, "latex": RIGHT, "note": "a misprint"}
    saved = checking.post(f"{path}/edit", data=fields, follow_redirects=False)
    assert (saved.status_code, saved.headers["location"]) == (303, f"{path}?said=saved")
    shown = checking.get(path).text
    assert "the formula was corrected by a person" in shown
    assert "E_k = m v^2" in shown  # The quote of the document.
    data = checking.get(f"{path}.json").json()["formula"]
    assert (data["latex"], data["status"]) == (RIGHT, "executable")
    assert data["places"][0]["quote"].strip("$") == "E_k = m v^2"
    # What is the same now contradicts nothing.
    assert checking.get("/api/v1/conflicts").text.count("Kinetic energy") < conflicts.count("Kinetic energy")
    (made,) = data["corrections"]
    undone = checking.post(f"{path}/undo", data={"csrf": secret, "number": made["number"]}, follow_redirects=False)
    assert undone.headers["location"] == f"{path}?said=undone"
    assert _misprint(checking)["id"] == path.rpartition("/")[2]


def test_the_api_corrects_the_formula_and_keeps_its_id(checking: TestClient) -> None:
    identifier = _misprint(checking)["id"]
    path = f"/api/v1/formulas/{identifier}"
    refused = checking.patch(path, json={"changes": [{"field": "latex", "value": r"\int"}]})
    assert refused.status_code == 422
    assert "cannot be read" in refused.text
    changes = [{"field": "symbol.w.unit", "value": "km/h"}, {"field": "latex", "value": r"E_k = \frac{1}{2} m w^2"}]
    edited = checking.patch(path, json={"changes": changes, "author": "Ada"}).json()
    assert (edited["id"], edited["latex"], edited["target"]) == (identifier, r"E_k = \frac{1}{2} m w^2", "E_k")
    assert {one["name"]: one["unit"] for one in edited["symbols"]} == {"E_k": "J", "m": "kg", "w": "km/h"}
    assert [one["field"] for one in edited["corrections"]] == ["latex", "symbol.w.unit"]
    for one in edited["corrections"]:
        assert checking.delete(f"{path}/corrections/{one['number']}").status_code == 200
    assert checking.get(path).json()["latex"] == "E_k = m v^2"
