"""Marker, MinerU and Docling: the contract all three keep, against outputs of the shapes they write."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mathrag.documents import ReadingLimits, Source
from mathrag.documents.foreign import (
    docling,
    foreign_reader,
    foreign_readers,
    marker,
    mineru,
    programs,
    readers_by_name,
)
from mathrag.documents.foreign.docling import docling_document
from mathrag.documents.foreign.marker import marker_document
from mathrag.documents.foreign.mineru import mineru_document
from mathrag.errors import DocumentError
from mathrag.types.document import Code, Display, Document, Heading, Image, ListItem, Reference, Table, formulas_of
from mathrag.types.json_codec import from_json, to_json

OUTPUTS = Path(__file__).parent / "outputs"
SOURCE = Source("motion.pdf", b"%PDF-1.7\n")
Make = Callable[[Any], Document]


def _output(name: str) -> Any:
    return json.loads((OUTPUTS / f"{name}.json").read_text(encoding="utf-8"))


def _mineru(output: Any) -> Document:
    return mineru_document(SOURCE, output, _output("mineru_middle"))


MAKERS: dict[str, tuple[str, Make]] = {
    "marker": ("marker", lambda output: marker_document(SOURCE, output)),
    "mineru": ("mineru_content_list", _mineru),
    "docling": ("docling", lambda output: docling_document(SOURCE, output)),
}
each_reader = pytest.mark.parametrize(("name", "make"), MAKERS.values(), ids=MAKERS)


@each_reader
def test_formulas_arrive_as_latex_with_page_and_box(name: str, make: Make) -> None:
    document = make(_output(name))
    formulas = [math for block in document.blocks for math in formulas_of(block)]
    assert "F = m a" in [math.source for math in formulas]
    assert all(math.notation == "latex" for math in formulas)
    display = next(block for block in document.blocks if isinstance(block, Display))
    assert display.math.source.replace(" ", "") == r"v=\frac{s}{t}"
    assert display.place.page == 1
    assert display.place.box is not None
    left, top, right, bottom = display.place.box
    assert (left < right, top < bottom) == (True, True)
    # In the upper fifth of the page in all three recordings, whatever corner they count from.
    assert 130 < top < 160


@each_reader
def test_structure_is_kept_and_page_heads_are_not(name: str, make: Make) -> None:
    document = make(_output(name))
    assert [block.quote for block in document.blocks if isinstance(block, Heading)] == ["Motion"]
    assert [block.quote for block in document.blocks if isinstance(block, ListItem)] == ["kinetic", "potential"]
    table = next(block for block in document.blocks if isinstance(block, Table))
    assert (table.place.page, "J" in table.quote) == (2, True)
    assert not any("Notes" in block.quote for block in document.blocks)
    assert [(page.number, page.height > 700) for page in document.pages] == [(1, True), (2, True)]
    assert document.media_type == "application/pdf"
    assert from_json(to_json(document)) == document


@pytest.mark.parametrize("key", ["mineru", "docling"])
def test_captions_code_and_signs_of_html_survive(key: str) -> None:
    name, make = MAKERS[key]
    document = make(_output(name))
    table = next(block for block in document.blocks if isinstance(block, Table))
    assert table.quote.startswith("Table 1")
    picture = next(block for block in document.blocks if isinstance(block, Image))
    assert "lever" in picture.quote
    assert next(block for block in document.blocks if isinstance(block, Code)).text == "print('never run')"
    assert any("& more < less" in block.quote for block in document.blocks)


def test_mineru_numbers_and_references() -> None:
    document = _mineru(_output("mineru_content_list"))
    assert next(block for block in document.blocks if isinstance(block, Display)).math.number == "3.2"
    assert [block.text for block in document.blocks if isinstance(block, Reference)] == [
        "[1] I. Newton, Principia, 1687."
    ]


def test_mineru_without_sizes_gives_pages_but_no_boxes() -> None:
    document = mineru_document(SOURCE, _output("mineru_content_list"))
    assert {block.place.box for block in document.blocks} == {None}
    assert {block.place.page for block in document.blocks} == {1, 2}


def test_docling_keeps_spans_and_list_markers() -> None:
    document = docling_document(SOURCE, _output("docling"))
    table = next(block for block in document.blocks if isinstance(block, Table))
    assert table.header[0][0].columns == 2
    assert [block.marker for block in document.blocks if isinstance(block, ListItem)] == ["1.", "2."]


def _loop() -> Any:
    output = _output("docling")
    output["groups"][0]["children"].append({"$ref": "#/groups/0"})
    return output


def _repeating() -> Any:
    output = _output("marker")
    block = output["children"][0]["children"][4]
    block["html"] = "<content-ref src='/page/0/ListItem/6'></content-ref>" * 1_000
    return output


def test_outputs_that_refer_to_themselves_end() -> None:
    assert docling_document(SOURCE, _loop()).blocks
    assert len(marker_document(SOURCE, _repeating()).blocks) < 20


@each_reader
@pytest.mark.parametrize("output", [None, 7, "text", [], {}, [3], {"children": 3}, {"body": []}, {"children": [1]}])
def test_nonsense_is_refused_with_a_reason(name: str, make: Make, output: Any) -> None:
    with pytest.raises(DocumentError) as caught:
        make(output)
    assert caught.value.code in ("reader_broken", "empty")


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in pairs:
        yield (*path, key)
        yield from _places(inner, (*path, key))


JUNK = st.sampled_from(
    [None, 7, -1, 1e300, float("nan"), "x", "<table>", [], [1], {}, {"a": 1}, True, "\ud800", "9" * 30]
)


@each_reader
@settings(max_examples=120, deadline=None)
@given(st.data())
def test_any_field_may_be_wrong(name: str, make: Make, data: st.DataObject) -> None:
    output = _output(name)
    place = data.draw(st.sampled_from(list(_places(output))))
    target = output
    for key in place[:-1]:
        target = target[key]
    target[place[-1]] = data.draw(JUNK)
    try:
        document = make(output)
    except DocumentError:
        return
    assert document.blocks


def test_absent_programs_are_named_with_their_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readers_by_name, "program_path", lambda _: "")
    for name, command in (
        ("marker", "pip install marker-pdf"),
        ("mineru", "pip install mineru"),
        ("docling", "docling"),
    ):
        with pytest.raises(DocumentError) as caught:
            foreign_reader(name)
        assert caught.value.code == "no_reader_package"
        assert command in str(caught.value)
    assert foreign_readers() == ("docling", "marker", "mineru")
    with pytest.raises(DocumentError) as caught:
        foreign_reader("tesseract")
    assert caught.value.code == "no_reader"


def _program(folder: Path, script: str) -> str:
    program = folder / "program"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return str(program)


# Where each program puts its output, given the arguments we call it with.
SCRIPTS = {
    "marker": ('mkdir -p "$5/document" && cp {marker} "$5/document/document.json"', marker.read_with_marker),
    "mineru": (
        (
            'mkdir -p "$4/document/auto" && cp {mineru_content_list} "$4/document/auto/document_content_list.json" '
            '&& cp {mineru_middle} "$4/document/auto/document_middle.json"'
        ),
        mineru.read_with_mineru,
    ),
    "docling": ('cp {docling} "$5/document.json"', docling.read_with_docling),
}


@pytest.mark.parametrize(("script", "read"), SCRIPTS.values(), ids=SCRIPTS)
def test_the_program_is_run_on_a_copy_and_its_output_found(
    script: str, read: Callable[[Source], Document], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    names = ("marker", "mineru_content_list", "mineru_middle", "docling")
    command = script.format(**{name: OUTPUTS / f"{name}.json" for name in names})
    path = _program(tmp_path, command)
    monkeypatch.setattr(programs, "program_path", lambda _: path)
    document = read(Source("motion.pdf", b"%PDF-1.7\n"))
    assert any(isinstance(block, Display) for block in document.blocks)


@pytest.mark.parametrize(
    ("script", "code"),
    [
        ("echo 'no model' >&2; exit 1", "reader_broken"),
        ("exit 0", "reader_broken"),
        ('echo nonsense > "$5/document.json"', "reader_broken"),
        ("exec sleep 60", "timeout"),
    ],
)
def test_a_program_that_fails_or_hangs_is_reported(
    script: str, code: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = _program(tmp_path, script)
    monkeypatch.setattr(programs, "program_path", lambda _: path)
    with pytest.raises(DocumentError) as caught:
        docling.read_with_docling(Source("a.pdf", b"%PDF-", limits=ReadingLimits(seconds=1)))
    assert caught.value.code == code
