"""The card of a question about a concept: what the dictionary says, what was checked, all of it escaped."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from ask_makers import ask
from serve_makers import client_of
from starlette.testclient import TestClient

from mathrag.library import Library

DICTIONARY = """<CD><CDName>numbers1</CDName><CDStatus>official</CDStatus>
<CDDefinition><Name>gcd</Name><Description>The largest divisor &lt;b&gt;of all&lt;/b&gt;.</Description>
<CMP>It divides &lt;script&gt;alert(1)&lt;/script&gt; both.</CMP><Example>Of six and nine it is three.</Example>
</CDDefinition></CD>"""
FALSE = """<CD><CDName>arith1</CDName><CDStatus>official</CDStatus>
<CDDefinition><Name>abs</Name><Description>The size of a number.</Description>
<CMP>the size of a number is the number</CMP><FMP><OMOBJ><OMA><OMS cd="relation1" name="eq"/>
<OMA><OMS cd="arith1" name="abs"/><OMV name="a"/></OMA><OMV name="a"/></OMA></OMOBJ></FMP>
</CDDefinition></CD>"""


@pytest.fixture(scope="module")
def client(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder = tmp_path_factory.mktemp("concepts")
    shutil.copytree(made, folder / "library")
    (folder / "numbers1.ocd").write_text(DICTIONARY, encoding="utf-8")
    (folder / "arith1.ocd").write_text(FALSE, encoding="utf-8")
    with Library(folder / "library") as library:
        library.ingest([folder / "numbers1.ocd", folder / "arith1.ocd"])
    with client_of(folder / "library") as opened:
        yield opened


def test_a_concept_is_shown_with_properties_examples_and_its_page(client: TestClient) -> None:
    html = ask(client, "what is a gcd?")
    assert "numbers1:gcd: The largest divisor &lt;b&gt;of all&lt;/b&gt;." in html
    assert "stated in words, not checked" in html
    assert "Of six and nine it is three." in html
    assert 'href="/concepts/numbers1%3Agcd"' in html or 'href="/concepts/numbers1:gcd"' in html
    assert "<script>alert(1)" not in html


def test_what_no_dictionary_has_is_said(client: TestClient) -> None:
    assert "No concept of the library is called" in ask(client, "define quokka function")


def test_what_failed_where_it_was_tried_is_no_property(client: TestClient) -> None:
    html = ask(client, "define arith1:abs")
    told = html.index("Stated by the dictionary, but false")
    assert told < html.index("the size of a number is the number") < html.index("fails at a = ")
    assert ">Properties<" not in html
