"""The words of RDF as plain values: literals, nodes with what is said of them, triples. No parser, no store."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeAlias

from mathrag.store.graph.vocabulary import JSON, XSD
from mathrag.types.json_codec import Json

_HALF_PAIR = re.compile("[\ud800-\udfff]")


class Literal(NamedTuple):
    """A value with its datatype."""

    text: str
    datatype: str = XSD + "string"


# An object that is a string is an IRI.
Object: TypeAlias = "str | Literal"
Statement: TypeAlias = tuple[str, Object]


class Triple(NamedTuple):
    """One statement."""

    subject: str
    predicate: str
    object: Object


class Node(NamedTuple):
    """A subject and everything said of it; a subject has one node."""

    subject: str
    statements: tuple[Statement, ...]


def triples_of_nodes(nodes: Iterable[Node]) -> Iterator[Triple]:
    """The statements one by one, in order."""
    for subject, statements in nodes:
        for predicate, value in statements:
            yield Triple(subject, predicate, value)


def text(value: str) -> Literal:
    """A string. Half a surrogate pair, which no encoding can carry, becomes a replacement character."""
    return Literal(value if value.isascii() else _HALF_PAIR.sub("\ufffd", value))


def whole(value: int) -> Literal:
    """A whole number."""
    return Literal(str(value), XSD + "integer")


def real(value: float) -> Literal:
    """A floating-point number, in the digits that read back to it."""
    shown = {"inf": "INF", "-inf": "-INF", "nan": "NaN"}.get(repr(float(value)), repr(float(value)))
    return Literal(shown, XSD + "double")


def truth(value: bool) -> Literal:
    """Yes or no."""
    return Literal("true" if value else "false", XSD + "boolean")


def year(value: int) -> Literal:
    """A year; years before 1000 keep four digits, as the datatype wants."""
    return Literal(f"-{-value:04d}" if value < 0 else f"{value:04d}", XSD + "gYear")


def structure(value: Json) -> Literal:
    """A structure as JSON: the exact record of something, for programs."""
    shown = json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    if not shown.isascii():
        try:
            shown.encode("utf-8")
        except UnicodeEncodeError:
            shown = json.dumps(value, separators=(",", ":"), sort_keys=True)
    return Literal(shown, JSON)
