"""The shapes accept what we write and catch what is broken: every shape has an example that fails it."""

from __future__ import annotations

import pytest
import rdflib
from rdflib.namespace import RDF, SH

from mathrag.store.graph.shapes import check_graph, check_nodes, shapes_of_classes
from mathrag.store.graph.terms import Literal, Node, Object
from mathrag.store.graph.triples import nodes_of
from mathrag.store.graph.vocabulary import MATHRAG, TYPE, shapes_text
from store.graph.sample_library import sample_library
from thinned import thinned

NODES = list(nodes_of(sample_library(), with_records=False))
SHAPES = rdflib.Graph().parse(data=shapes_text(), format="turtle")
# So many shapes are in the check, the others in `make soak`: each asks the checker twice.
IN_THE_CHECK = 60
PROPERTY_SHAPES = sorted(SHAPES.subjects(RDF.type, SH.PropertyShape))


def kind_of(node: Node) -> Object:
    return next(value for predicate, value in node.statements if predicate == TYPE)


def richest(kind: str) -> Node:
    """The node of a class that says most."""
    return max((node for node in NODES if kind_of(node) == kind), key=lambda node: len(node.statements))


def test_what_we_write_is_right() -> None:
    assert check_graph(sample_library()) == []


def test_every_class_has_shapes_and_an_example() -> None:
    assert shapes_of_classes() == {kind_of(node) for node in NODES}


@pytest.mark.slow
@pytest.mark.parametrize(
    "shape", thinned(PROPERTY_SHAPES, IN_THE_CHECK, pytest.mark.soak, name=lambda shape: shape.rpartition(":")[2])
)
def test_each_shape_catches_a_wrong_value(shape: rdflib.URIRef) -> None:
    kind, path = str(SHAPES.value(shape, SH.targetClass)), str(SHAPES.value(shape, SH.path))
    node = richest(kind)
    kept = tuple(statement for statement in node.statements if statement[0] != path)
    wrong = Node(node.subject, (*kept, (path, Literal("?", "urn:no:datatype"))))
    assert any("datatype" in each or "does not look" in each for each in check_nodes([*others(node), wrong]))
    if SHAPES.value(shape, SH.minCount) is not None:
        local = path.rpartition("/")[2].rpartition("#")[2].removeprefix(MATHRAG)
        assert any(f"it has no {local}" in each for each in check_nodes([*others(node), Node(node.subject, kept)]))


def others(node: Node) -> list[Node]:
    """Everything the node points to, so that only the node itself is wrong."""
    pointed = {value for _, value in node.statements if isinstance(value, str)}
    near = [each for each in NODES if each.subject in pointed]
    wanted = {value for each in near for _, value in each.statements if isinstance(value, str)}
    return [each for each in NODES if each.subject in pointed | wanted and each.subject != node.subject]


def changed(kind: str, path: str, *values: Object) -> list[str]:
    node = richest(MATHRAG + kind)
    kept = tuple(statement for statement in node.statements if statement[0] != MATHRAG + path)
    return check_nodes([Node(node.subject, (*kept, *((MATHRAG + path, value) for value in values)))])


@pytest.mark.parametrize(
    ("kind", "path", "value", "sentence"),
    [
        ("Formula", "status", Literal("excellent"), "its status is 'excellent', which is none of those allowed"),
        ("Formula", "prior", Literal("1.5", "http://www.w3.org/2001/XMLSchema#double"), "out of range"),
        ("SolutionStep", "stepLabel", Literal("fine"), "its stepLabel is 'fine', which is none of those allowed"),
        ("Symbol", "name", Literal("not a name"), "does not look like one"),
        ("Document", "hash", Literal("abc"), "does not look like one"),
        ("Mention", "line", Literal("0", "http://www.w3.org/2001/XMLSchema#integer"), "out of range"),
        ("Relation", "relationKind", Literal("likes"), "none of those allowed"),
        ("Constant", "valueText", Literal("much"), "does not look like one"),
    ],
)
def test_wrong_values_are_said_in_plain_words(kind: str, path: str, value: Literal, sentence: str) -> None:
    assert any(sentence in each for each in changed(kind, path, value))


def test_an_executable_formula_needs_an_equation_and_another_a_reason() -> None:
    missing = "a statement is missing that its other statements call for"
    assert any(missing in each for each in changed("Formula", "equation"))
    assert any(missing in each for each in changed("Formula", "status", Literal("declined")))
    node = richest(MATHRAG + "Condition")
    bare = Node(node.subject, ((TYPE, MATHRAG + "Condition"),))
    assert any(missing in each for each in check_nodes([bare]))


def test_what_points_into_the_void_is_found() -> None:
    nodes = [node for node in NODES if kind_of(node) != MATHRAG + "Unit"]
    assert any("leads to unit J, which is not in the library" in each for each in check_nodes(nodes))


def test_a_thing_of_no_class_is_found() -> None:
    assert check_nodes([Node("urn:mathrag:formula:x", ((MATHRAG + "form", Literal("x")),))])


def test_checking_stops_when_the_time_is_up() -> None:
    assert check_graph(sample_library(), seconds=0)[-1].startswith("only 0 of ")
