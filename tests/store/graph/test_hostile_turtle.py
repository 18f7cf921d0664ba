"""Turtle from anyone: either it is a library that passes every check, or nothing of it is believed."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any

import pytest

from mathrag.errors import LibraryError
from mathrag.store.graph.names import iri
from mathrag.store.graph.terms import turtle_text
from mathrag.store.graph.triples import nodes_of
from mathrag.store.graph.turtle_import import TurtleLimits, read_turtle
from mathrag.store.graph.vocabulary import RECORD
from store.graph.sample_library import DOCUMENT, OTHER, sample_library

FINDING = f"urn:mathrag:finding:{DOCUMENT}:0"
CONSTANT = f"urn:mathrag:constant-finding:{OTHER}:0"
ROW = f"urn:mathrag:document:{DOCUMENT}"
CHUNK = "urn:mathrag:chunk:chunk-1"
WORKSHEET = iri("worksheet", "Beam & span: 50 % “long”")


def broken(name: str, change: Callable[[dict[str, Any]], object]) -> bytes:
    """The sample library with one record changed."""
    nodes = []
    for node in nodes_of(sample_library()):
        statements = []
        for predicate, value in node.statements:
            if predicate == RECORD and node.subject == name:
                record = json.loads(value.text)
                change(record)
                value = value._replace(text=json.dumps(record))
            statements.append((predicate, value))
        nodes.append(node._replace(statements=tuple(statements)))
    return "".join(turtle_text(nodes)).encode()


def put(*path: str | int, value: object) -> Callable[[dict[str, Any]], object]:
    def change(record: Any) -> None:
        for step in path[:-1]:
            record = record[step]
        record[path[-1]] = value

    return change


def deep(depth: int) -> dict[str, Any]:
    tree: dict[str, Any] = {"$": "Symbol", "name": "x"}
    for _ in range(depth):
        tree = {"$": "Negate", "operand": tree}
    return tree


WRONG: list[tuple[str, Callable[[dict[str, Any]], object], str]] = [
    (FINDING, put("document", value="elsewhere"), "another document"),
    (FINDING, put("document", value=5), "wrong type"),
    (FINDING, put("label", value=["a"]), "wrong type"),
    (FINDING, put("status", value="excellent"), "wrong type"),
    (FINDING, put("status", value={"$decimal": "1"}), "wrong type"),
    (FINDING, put("prior", value=7), "not between 0 and 1"),
    (FINDING, put("prior", value=float("nan")), "NaN is no number"),
    (FINDING, put("symbols", 1, "name", value="__import__('os')"), "no name of a symbol"),
    (FINDING, put("symbols", 1, "unit", value="parsecs of doom"), "no unit in canonical form"),
    (FINDING, put("symbols", 1, "unit", value="m"), "does not have the dimension"),
    (FINDING, put("symbols", 1, "dimension", value={"$dimension": "1e999999999 0 0 0 0 0 0 0"}), "no ordinary numbers"),
    (FINDING, put("symbols", 1, "dimension", value={"$dimension": "1/0 0 0 0 0 0 0 0"}), "no ordinary numbers"),
    (FINDING, put("symbols", 1, "dimension", value={"$dimension": "1 0"}), "8 exponents"),
    (FINDING, put("symbols", 1, "dimension", value={"$fraction": "1e999999999"}), "no ordinary number"),
    (FINDING, put("symbols", 1, "$", value="Popen"), "there is no noun"),
    (FINDING, put("symbols", 1, "$", value="Finding"), "stands for nothing|unexpected|missing"),
    (FINDING, put("symbols", 1, "evil", value=1), "stands for nothing|unexpected keyword"),
    (FINDING, put("equation", "left", value={"$": "Number", "value": {"$decimal": "1E+999999999999"}}), "no ordinary"),
    (FINDING, put("equation", "left", value={"$": "Number", "value": -1}), "carries no sign"),
    (FINDING, put("equation", "left", value={"$": "Call", "function": "exec", "arguments": []}), "unknown function"),
    (FINDING, put("equation", "left", value={"$": "Text", "text": "x"}), "wrong type"),
    (FINDING, put("equation", "left", value=deep(250)), "larger than any real formula|nested too deeply"),
    (FINDING, put("equation", "left", value=deep(900)), "nested too deeply"),
    (FINDING, put("equation", value=None), "has no equation"),
    (FINDING, put("span", "document", value="nowhere"), "no document of this library"),
    (FINDING, put("span", "place", "line", value="7"), "wrong type"),
    (FINDING, put("span", "place", "line", value=True), "wrong type"),
    (FINDING, put("instances", 0, "values", value=[["m"]]), "wrong type"),
    (FINDING, lambda record: record.clear(), "stands for nothing"),
    (CONSTANT, put("value", value={"$decimal": "NaN"}), "no ordinary number"),
    (CONSTANT, put("value", value={"$decimal": "1E+9999"}), "no ordinary number"),
    (CONSTANT, put("symbol", value="two words"), "no name of a symbol"),
    (CONSTANT, put("$", value="Constant"), "stands for nothing|missing|unexpected"),
    (ROW, put("hash", value="abc"), "64 hexadecimal digits"),
    (ROW, put("id", value="other"), "name is not the one|no document"),
    (ROW, put("key", value="/elsewhere"), "id is not the one"),
    (ROW, put("authors", value="nobody"), "authors cannot be read"),
    (ROW, put("authors", value="[1]"), "not what they should be"),
    (ROW, put("notes", value='[{"$": "Place"}]'), "not what they should be"),
    (ROW, put("files", value="[" * 100_000), "nested too deeply"),
    (f"urn:mathrag:text-relation:{DOCUMENT}:0", put("target", value=99), "not in the document"),
    (FINDING, put("position", value=3), "name is not the one"),
    (ROW, put("year", value="2021"), "its year is no integer"),
    (ROW, put("title", value=None), "it has no title"),
    (ROW, put("evil", value=1), "does not know"),
    (ROW, lambda record: record.pop("title"), "it lacks title"),
    (ROW, put("bytes", value=2**70), "too large a number"),
    (ROW, put("$row", value="sqlite_master"), "no table of a library"),
    (CHUNK, put("document", value="nowhere"), "no document of this library"),
    (CHUNK, put("$cells", value=[1]), "cells are no list"),
    ("urn:mathrag:table:table-1", put("$cells", value=[{"text": 1}]), "it lacks"),
    ("urn:mathrag:table:table-1", put("$cells", value=["x"]), "it lacks"),
    (WORKSHEET, put("name", value="a/b"), "its name is none"),
    (WORKSHEET, put("name", value=" Beam"), "not written as a library keeps it"),
    (WORKSHEET, put("name", value="Other"), "name is not the one"),
    (WORKSHEET, put("text", value=7), "its text is no text"),
    (WORKSHEET, put("text", value="\ud800"), "its text cannot be kept"),
    (WORKSHEET, put("created", value="yesterday"), "its created is no time"),
    (WORKSHEET, lambda record: record.pop("changed"), "it lacks changed"),
]


@pytest.mark.parametrize(("name", "change", "reason"), WRONG, ids=[f"{n}-{w[2][:20]}" for n, w in enumerate(WRONG)])
def test_a_wrong_record_stops_the_import(name: str, change: Callable[[dict[str, Any]], object], reason: str) -> None:
    with pytest.raises(LibraryError, match=reason):
        read_turtle(io.BytesIO(broken(name, change)))


def turtle(**_: object) -> bytes:
    return "".join(turtle_text(nodes_of(sample_library()))).encode()


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "holds no library"),
        (b"<urn:x:y> <urn:x:z> 1 .", "holds no library"),
        (b"this is not Turtle", "not valid Turtle"),
        (b"\xff\xfe\x00", "not valid Turtle|cannot be read"),
        (b"[" * 100_000, "not valid Turtle"),
        (b"(" * 100_000, "not valid Turtle"),
        (turtle()[: len(turtle()) // 2], "not valid Turtle|missing|no document"),
        (turtle().replace(b'formatVersion "1"', b'formatVersion "2"'), "upgrade MathRAG"),
        (turtle() + turtle().split(b"\n\n", 1)[1].replace(b"kinetic", b"potential"), "two different records"),
        (
            turtle().replace(f":finding:{DOCUMENT}:0>".encode(), f":finding:{DOCUMENT}:7>".encode()),
            "name is not the one",
        ),
        (turtle().replace(f":definition:{DOCUMENT}:0>".encode(), f":definition:{DOCUMENT}:7>".encode()), "are missing"),
        (turtle().replace(f":finding:{OTHER}".encode(), f":definition:{OTHER}".encode()), "name is not the one"),
    ],
)
def test_what_is_no_library_is_refused(data: bytes, reason: str) -> None:
    with pytest.raises(LibraryError, match=reason):
        read_turtle(io.BytesIO(data))


def test_limits_hold() -> None:
    with pytest.raises(LibraryError, match="larger than 0 MB"):
        read_turtle(io.BytesIO(turtle()), limits=TurtleLimits(megabytes=0))
    with pytest.raises(LibraryError, match="more than 10 statements"):
        read_turtle(io.BytesIO(turtle()), limits=TurtleLimits(triples=10))
    many = b"".join(b"<urn:x:%d> <urn:x:p> 1 .\n" % number for number in range(10_000))
    with pytest.raises(LibraryError, match="longer than 0 s"):
        read_turtle(io.BytesIO(many), limits=TurtleLimits(seconds=0))


def test_foreign_statements_are_counted_and_left_out() -> None:
    foreign = b"""
        <urn:x:y> <urn:x:z> 1 . [] <urn:x:z> [ <urn:x:z> (1 2) ] .
        <urn:mathrag:formula:f> <http://example.org/rating> 5 .
        <urn:mathrag:formula:f> <http://www.w3.org/2002/07/owl#imports> <http://127.0.0.1:9/> .
    """
    plain = read_turtle(io.BytesIO(turtle()))
    mixed = read_turtle(io.BytesIO(turtle() + foreign))
    assert mixed.contents == plain.contents
    assert mixed.derived == plain.derived
    assert mixed.foreign == 9
