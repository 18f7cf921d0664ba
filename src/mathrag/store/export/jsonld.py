"""The library as JSON-LD: the same statements as the Turtle, for programs that read JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from mathrag.store.graph.contents import LibraryContents
from mathrag.store.graph.terms import Literal, Node, Object
from mathrag.store.graph.triples import nodes_of
from mathrag.store.graph.vocabulary import MATHRAG, PREFIXES, TYPE, WRITTEN_PREFIXES, XSD, ontology_text

_PROPERTY = re.compile(r"^mathrag:(\w+) a owl:(Object|Datatype)Property ;.*?rdfs:range (\S+)", re.MULTILINE | re.DOTALL)
_STRING = XSD + "string"


def jsonld_text(contents: LibraryContents, *, with_text: bool = True) -> Iterator[str]:
    """A JSON-LD document, a node at a time. Statements of our own vocabulary have short names, explained at the top."""
    yield '{\n"@context": ' + json.dumps(context(), indent=1) + ',\n"@graph": [\n'
    separator = ""
    for node in nodes_of(contents, with_text=with_text):
        yield separator + json.dumps(_node(node), ensure_ascii=False, separators=(",", ":"))
        separator = ",\n"
    yield "\n]\n}\n"


def context() -> dict[str, Any]:
    """What the short names stand for: prefixes, our properties with the type of their values, our classes."""
    return {
        **{name: PREFIXES[name] for name in WRITTEN_PREFIXES},
        **{name: {"@id": f"mathrag:{name}", **({"@type": kind} if kind else {})} for name, kind in _terms().items()},
    }


@cache
def _terms() -> dict[str, str]:
    """Our properties, each with the type of its values where that is not simply text."""
    found: dict[str, str] = {}
    for name, kind, span in _PROPERTY.findall(ontology_text()):
        found[name] = "@id" if kind == "Object" else "" if span == "xsd:string" else span
    return found


def _node(node: Node) -> dict[str, Any]:
    made: dict[str, Any] = {"@id": node.subject}
    for predicate, value in node.statements:
        if predicate == TYPE and isinstance(value, str):
            made["@type"] = _short(value)
            continue
        name, kind = _name(predicate)
        shown = _value(value, kind)
        if name not in made:
            made[name] = shown
        elif isinstance(made[name], list):
            made[name].append(shown)
        else:
            made[name] = [made[name], shown]
    return made


def _name(predicate: str) -> tuple[str, str]:
    local = predicate.removeprefix(MATHRAG)
    kind = _terms().get(local) if local is not predicate else None
    return (_short(predicate), "?") if kind is None else (local, kind)


@cache
def _short(name: str) -> str:
    for prefix in WRITTEN_PREFIXES:
        if name.startswith(PREFIXES[prefix]):
            return f"{prefix}:{name[len(PREFIXES[prefix]) :]}"
    return name


def _value(value: Object, kind: str) -> Any:
    """Bare where the context says what it is, explicit where it does not."""
    if not isinstance(value, Literal):
        return value if kind == "@id" else {"@id": value}
    datatype = _short(value.datatype)
    if kind == datatype or (value.datatype == _STRING and kind in ("", "?")):
        return value.text
    return {"@value": value.text} if value.datatype == _STRING else {"@value": value.text, "@type": datatype}
