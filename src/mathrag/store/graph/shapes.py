"""Check a library's graph against the shapes that come with the package, and that nothing points into the void.

Gives plain sentences, never RDF. The shapes judge each thing by itself, so that a large library is checked in parts.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any

import rdflib
from rdflib.namespace import RDF, SH

from mathrag.store.graph.contents import LibraryContents
from mathrag.store.graph.terms import Literal, Node
from mathrag.store.graph.triples import nodes_of
from mathrag.store.graph.vocabulary import MATHRAG, TYPE, XSD, shapes_text

_BATCH = 4000
_THINGS = "urn:mathrag:"


def check_graph(contents: LibraryContents, *, seconds: float = 300.0, most: int = 100) -> list[str]:
    """What is wrong with a library's graph, as sentences; empty where all is well. Stops after `seconds` or `most`."""
    return check_nodes(list(nodes_of(contents, with_records=False)), seconds=seconds, most=most)


def check_nodes(nodes: Sequence[Node], *, seconds: float = 300.0, most: int = 100) -> list[str]:
    """The same for nodes, wherever they come from."""
    deadline = time.monotonic() + seconds
    problems: list[str] = []
    for sentence in _dangling(nodes):
        problems.append(sentence)
        if len(problems) >= most:
            return problems
    for start in range(0, len(nodes), _BATCH):
        if time.monotonic() > deadline:
            problems.append(f"only {start} of {len(nodes)} things were checked in {seconds:g} s")
            break
        problems.extend(_violations(nodes[start : start + _BATCH]))
        if len(problems) >= most:
            break
    return problems[:most]


def _dangling(nodes: Sequence[Node]) -> Iterator[str]:
    described = {node.subject for node in nodes}
    for subject, statements in nodes:
        for predicate, value in statements:
            if (
                isinstance(value, str)
                and value not in described
                and value.startswith(_THINGS)
                and not value.startswith(MATHRAG)
            ):
                yield f"{_shown(subject)}: {_shown(predicate)} leads to {_shown(value)}, which is not in the library"


@cache
def _shapes() -> rdflib.Graph:
    return rdflib.Graph().parse(data=shapes_text(), format="turtle")


def shapes_of_classes() -> frozenset[str]:
    """The classes that have a shape."""
    return frozenset(str(target) for target in _shapes().objects(None, SH.targetClass))


def _violations(nodes: Iterable[Node]) -> Iterator[str]:
    from pyshacl import validate

    known = shapes_of_classes()
    graph = rdflib.Graph(bind_namespaces="none")
    for subject, statements in nodes:
        kinds = [value for predicate, value in statements if predicate == TYPE]
        if not known.intersection(kind for kind in kinds if isinstance(kind, str)):
            yield f"{_shown(subject)}: it is of no class that a library has"
        name = rdflib.URIRef(subject)
        for predicate, value in statements:
            graph.add((name, rdflib.URIRef(predicate), _term(value)))
    conforms, report, _ = validate(
        graph, shacl_graph=_shapes(), inference="none", advanced=False, do_owl_imports=False, meta_shacl=False
    )
    if not conforms:
        yield from sorted(_sentences(report))


def _term(value: str | Literal) -> Any:
    if isinstance(value, Literal):
        # To rdflib, a string with its datatype and one without are different values.
        if value.datatype == XSD + "string":
            return rdflib.Literal(value.text)
        # Not made canonical: a number that is none has to be found, not mended.
        return rdflib.Literal(value.text, datatype=rdflib.URIRef(value.datatype), normalize=False)
    return rdflib.URIRef(value)


def _sentences(report: Any) -> Iterator[str]:
    for result in report.subjects(RDF.type, SH.ValidationResult):
        subject = _shown(str(report.value(result, SH.focusNode)))
        path = report.value(result, SH.resultPath)
        value = report.value(result, SH.value)
        component = str(report.value(result, SH.sourceConstraintComponent)).rpartition("#")[2]
        yield f"{subject}: {_problem(component, None if path is None else _shown(str(path)), value)}"


def _problem(component: str, path: str | None, value: object) -> str:
    shown = f"{str(value)[:80]!r}"
    match component:
        case "MinCountConstraintComponent":
            return f"it has no {path}"
        case "MaxCountConstraintComponent":
            return f"it has more than one {path}"
        case "DatatypeConstraintComponent":
            return f"its {path} is {shown}, which is of the wrong datatype"
        case "InConstraintComponent":
            return f"its {path} is {shown}, which is none of those allowed"
        case "PatternConstraintComponent" | "NodeKindConstraintComponent" | "MinLengthConstraintComponent":
            return f"its {path} is {shown}, which does not look like one"
        case "MinInclusiveConstraintComponent" | "MaxInclusiveConstraintComponent":
            return f"its {path} is {shown}, which is out of range"
        case "OrConstraintComponent":
            return "a statement is missing that its other statements call for"
        case _:
            return f"its {path or 'description'} breaks the rule {component}"


def _shown(name: str) -> str:
    if name.startswith(MATHRAG):
        return name.removeprefix(MATHRAG)
    if name.startswith(_THINGS):
        return name.removeprefix(_THINGS).replace(":", " ", 1)
    return name.rpartition("#")[2].rpartition("/")[2] or name
