"""Write nodes as Turtle or N-Triples, a piece at a time. Reading is in `importing.py`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from json.encoder import encode_basestring

from mathrag.store.graph.terms import Literal, Node, Object
from mathrag.store.graph.vocabulary import MATHRAG, PREFIXES, TYPE, WRITTEN_PREFIXES, XSD

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
