"""Write nodes as Turtle or N-Triples, a piece at a time. Reading is in `importing.py`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from mathrag.store.graph.terms import Literal, Node, Object
from mathrag.store.graph.vocabulary import PREFIXES, TYPE, WRITTEN_PREFIXES, XSD

_STRING = XSD + "string"
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
_TO_ESCAPE = re.compile('[\x00-\x1f\x7f"\\\\]')
_LOCAL = re.compile("[A-Za-z_][A-Za-z0-9_]*")
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
    """A string between quotation marks, as Turtle and N-Triples both read it."""
    if _TO_ESCAPE.search(value) is None:
        return f'"{value}"'
    return f'"{_TO_ESCAPE.sub(_escape, value)}"'


def _escape(match: re.Match[str]) -> str:
    character = match[0]
    return _ESCAPES.get(character) or f"\\u{ord(character):04X}"


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
    for namespace, prefix in _BY_LENGTH:
        if name.startswith(namespace) and _LOCAL.fullmatch(name, len(namespace)):
            known[name] = f"{prefix}:{name[len(namespace) :]}"
            return known[name]
    return f"<{name}>"
