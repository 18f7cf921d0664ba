"""The words of RDF as plain values (literals, nodes with what is said of them, triples), and as text. No parser."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from json.encoder import encode_basestring
from typing import NamedTuple, TypeAlias

from mathrag.store.graph.vocabulary import JSON, MATHRAG, PREFIXES, TYPE, WRITTEN_PREFIXES, XSD
from mathrag.types.json_value import Json

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


# Write nodes as Turtle or N-Triples, a piece at a time. Reading is in `turtle_import.py`.

_STRING = XSD + "string"
_LOCAL = re.compile("[A-Za-z_][A-Za-z0-9_]*")
_THINGS = "urn:mathrag:"
_BY_LENGTH = sorted(((PREFIXES[name], name) for name in WRITTEN_PREFIXES), reverse=True)


def turtle_text(nodes: Iterable[Node]) -> Iterator[str]:
    """A Turtle document: one paragraph for each node, prefixes first."""
    yield "".join(f"@prefix {name}: <{PREFIXES[name]}> .\n" for name in WRITTEN_PREFIXES)
    short: dict[str, str] = {TYPE: "a"}
    for subject, statements in nodes:
        lines = [f"{_short(predicate, short)} {_turtle_object(value, short)}" for predicate, value in statements]
        yield f"\n<{subject}>\n    " + " ;\n    ".join(lines) + " .\n"


def ntriples_text(nodes: Iterable[Node]) -> Iterator[str]:
    """An N-Triples document: a line for each statement; the fastest to load."""
    for subject, statements in nodes:
        yield "".join(f"<{subject}> <{predicate}> {_ntriples_object(value)} .\n" for predicate, value in statements)


def quoted(value: str) -> str:
    """A string between quotation marks. JSON escapes exactly what Turtle and N-Triples want escaped, and is fast."""
    return encode_basestring(value)


def _turtle_object(value: Object, short: dict[str, str]) -> str:
    if isinstance(value, Literal):
        if value.datatype == _STRING:
            return quoted(value.text)
        return f"{quoted(value.text)}^^{_short(value.datatype, short)}"
    return _short(value, short)


def _ntriples_object(value: Object) -> str:
    if isinstance(value, Literal):
        return quoted(value.text) if value.datatype == _STRING else f"{quoted(value.text)}^^<{value.datatype}>"
    return f"<{value}>"


def _short(name: str, known: dict[str, str]) -> str:
    """With a prefix where one fits. Terms repeat endlessly, so they are kept; names of things are not."""
    found = known.get(name)
    if found is not None:
        return found
    # Things of the library have no prefix, and most names are theirs.
    is_thing = name.startswith(_THINGS) and not name.startswith(MATHRAG)
    for namespace, prefix in () if is_thing else _BY_LENGTH:
        if name.startswith(namespace) and _LOCAL.fullmatch(name, len(namespace)):
            known[name] = f"{prefix}:{name[len(namespace) :]}"
            return known[name]
    return f"<{name}>"
