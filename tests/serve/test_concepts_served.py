"""Concepts over the API and on pages: listed, searched, shown with what was checked, linked from formulas."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from serve_makers import client_of
from starlette.testclient import TestClient

from mathrag.library import Library

API = "/api/v1"


def _object(inside: str) -> str:
    return f'<OMOBJ xmlns="http://www.openmath.org/OpenMath">{inside}</OMOBJ>'


_SQUARE = '<OMA><OMS cd="arith1" name="power"/><OMV name="x"/><OMI>2</OMI></OMA>'
_TWICE = '<OMA><OMS cd="arith1" name="times"/><OMV name="x"/><OMV name="x"/></OMA>'
_FALSE = f'<OMA><OMS cd="relation1" name="eq"/>{_SQUARE}<OMV name="x"/></OMA>'
_TRUE = f'<OMA><OMS cd="relation1" name="eq"/>{_SQUARE}{_TWICE}</OMA>'
DICTIONARY = f"""<CD><CDName>arith1</CDName><CDStatus>official</CDStatus>
<CDDefinition><Name>power</Name><Description>Raises to &lt;b&gt;an exponent&lt;/b&gt;.</Description>
<CMP>Its words &lt;script&gt;alert(1)&lt;/script&gt; are words.</CMP>
<FMP>{_object(_TRUE)}</FMP><FMP>{_object(_FALSE)}</FMP>
<FMP>{_object('<OMA><OMS cd="nowhere" name="&lt;script&gt;"/><OMV name="&lt;img src=x&gt;"/></OMA>')}</FMP>
<Example>Three squared. {_object("<OMI>9</OMI>")}</Example></CDDefinition>
<CDDefinition><Name>times</Name><Description>Multiplies.</Description></CDDefinition></CD>"""


@pytest.fixture(scope="module")
def concepts(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    import shutil

    folder = tmp_path_factory.mktemp("concepts")
    shutil.copytree(made, folder / "library")
    (folder / "arith1.ocd").write_text(DICTIONARY, encoding="utf-8")
    with Library(folder / "library") as library:
        library.ingest([folder / "arith1.ocd"])
    with client_of(folder / "library") as client:
        yield client


def test_concepts_are_listed_and_searched(concepts: TestClient) -> None:
    listed = concepts.get(f"{API}/concepts").json()
    assert (listed["total"], [one["name"] for one in listed["items"]]) == (2, ["arith1:power", "arith1:times"])
    assert concepts.get(f"{API}/concepts", params={"q": "multiply"}).json()["items"][0]["symbol"] == "times"
    assert concepts.get(f"{API}/concepts", params={"dictionary": "other"}).json()["total"] == 0
    hits = concepts.get(f"{API}/search", params={"q": "exponent", "kind": "concept"}).json()["items"]
    assert (hits[0]["kind"], hits[0]["label"]) == ("concept", "arith1:power")


def test_one_concept_says_what_was_checked(concepts: TestClient) -> None:
    one = concepts.get(f"{API}/concepts/arith1:power").json()
    stated, holds, fails, undecided = one["properties"]
    assert (stated["kind"], stated["check"]) == ("stated", None)
    assert holds["check"]["outcome"] == "holds"
    assert holds["check"]["points"] >= 10
    assert "<math" in holds["mathml"]
    assert (fails["check"]["outcome"], list(fails["check"]["counterexample"])) == ("fails", ["x"])
    assert undecided["check"]["text"].startswith("not checked, because")
    assert one["note"] == "checked numerically, not proved"
    assert "Kinetic energy" in [each["label"] for each in one["formulas"]]
    assert one["place"]["line"] == 2
    assert concepts.get(f"{API}/concepts/power").json()["name"] == "arith1:power"
    missing = concepts.get(f"{API}/concepts/arith1:cooking")
    assert (missing.status_code, "arith1:cooking" in missing.json()["detail"]) == (404, True)


def test_the_pages_of_concepts(concepts: TestClient) -> None:
    listed = concepts.get("/concepts").text
    assert 'href="/concepts/arith1:power"' in listed
    assert "Holding at points is no proof" in listed
    assert "times" in concepts.get("/concepts?q=multiplies").text
    page = concepts.get("/concepts/arith1:power")
    assert page.status_code == 200
    assert re.search(r"holds at \d\d+ points", page.text)
    assert "fails at x = " in page.text
    assert "not checked, because" in page.text
    assert "checked numerically, not proved" in page.text
    # What a dictionary says is text on the page.
    assert "&lt;b&gt;an exponent" in page.text
    for mark in ("<b>an exponent", "<script>alert", "<img src=x"):
        assert mark not in page.text
    assert concepts.get("/concepts/arith1:power.json").json()["concept"]["name"] == "arith1:power"
    assert concepts.get("/concepts/nothing").status_code == 404


def test_a_formula_links_the_concepts_it_uses(concepts: TestClient) -> None:
    items = concepts.get(f"{API}/formulas", params={"q": "Kinetic energy"}).json()["items"]
    identifier = next(item["id"] for item in items if item["label"] == "Kinetic energy")
    page = concepts.get(f"/formulas/{identifier}").text
    assert 'href="/concepts/arith1:power"' in page
    assert 'href="/concepts/arith1:times"' in page


def test_a_library_without_dictionaries_says_so(client: TestClient) -> None:
    assert client.get(f"{API}/concepts").json()["total"] == 0
    assert "No dictionary has been read yet" in client.get("/concepts").text
    assert "/library/openmath" in client.get("/library").text
    items = client.get(f"{API}/formulas").json()["items"]
    assert "/concepts/" not in client.get(f"/formulas/{items[0]['id']}").text
