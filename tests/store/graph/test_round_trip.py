"""A library written as Turtle and read back is the same library, whatever characters it holds."""

from __future__ import annotations

import io
from dataclasses import replace

import pyoxigraph
import rdflib
from hypothesis import given, settings
from hypothesis import strategies as st

from mathrag.store.graph.contents import LibraryContents
from mathrag.store.graph.terms import Literal, Node, ntriples_text, triples_of_nodes, turtle_text
from mathrag.store.graph.triples import nodes_of, triples_of
from mathrag.store.graph.turtle_import import read_turtle
from mathrag.types.document import Place
from mathrag.types.library import Correction, Extraction, Finding, Span
from store.graph.sample_library import DOCUMENT, KINETIC, sample_library, sample_rows


def turtle(contents: LibraryContents, **options: bool) -> bytes:
    return "".join(turtle_text(nodes_of(contents, **options))).encode()


def truth(contents: LibraryContents) -> LibraryContents:
    """Without what follows from the rest, and in one order."""
    rows = tuple(sorted(contents.rows, key=repr))
    return LibraryContents(rows=rows, extractions=contents.extractions, corrections=contents.corrections)


def test_everything_comes_back() -> None:
    contents = sample_library()
    imported = read_turtle(io.BytesIO(turtle(contents)))
    assert truth(imported.contents) == truth(contents)
    assert imported.foreign == 0
    assert imported.derived > 100


def test_writing_is_deterministic_whatever_the_order() -> None:
    contents = sample_library()
    shuffled = replace(
        contents,
        rows=contents.rows[::-1],
        formulas=contents.formulas[::-1],
        relations=contents.relations[::-1],
        extractions=contents.extractions[::-1],
    )
    # The cells of a table keep the order they are given in, so they are put back.
    cells = [row for row in contents.rows if row.table == "table_cells"]
    shuffled = replace(shuffled, rows=(*(row for row in shuffled.rows if row.table != "table_cells"), *cells))
    assert turtle(contents) == turtle(shuffled)


def test_without_text_only_the_text_is_missing() -> None:
    contents = sample_library()
    imported = read_turtle(io.BytesIO(turtle(contents, with_text=False))).contents
    assert imported.extractions == contents.extractions
    assert {row.table for row in imported.rows} == {"documents", "failures", "worksheets"}


def test_every_subject_has_one_node_and_no_node_is_blank() -> None:
    nodes = list(nodes_of(sample_library()))
    assert len({node.subject for node in nodes}) == len(nodes)
    for triple in triples_of(sample_library()):
        assert triple.subject.startswith("urn:mathrag:")
        assert len(set(triple)) == 3
    for node in nodes:
        assert len(set(node.statements)) == len(node.statements), node


def test_every_name_that_is_pointed_to_is_described() -> None:
    nodes = list(nodes_of(sample_library()))
    described = {node.subject for node in nodes}
    for _, predicate, value in triples_of_nodes(nodes):
        if isinstance(value, str) and value.startswith("urn:mathrag:") and "ontology" not in value:
            assert value in described, (predicate, value)


def test_other_programs_read_the_same_triples() -> None:
    nodes = list(nodes_of(sample_library()))
    text = "".join(turtle_text(nodes))
    ours = {(s, p, (o.text, o.datatype) if isinstance(o, Literal) else o) for s, p, o in triples_of_nodes(nodes)}
    theirs = {
        (str(s), str(p), (str(o), str(o.datatype or rdflib.XSD.string)) if isinstance(o, rdflib.Literal) else str(o))
        for s, p, o in rdflib.Graph().parse(data=text, format="turtle")
    }
    assert theirs == ours
    plain = "".join(ntriples_text(nodes)).encode()
    assert set(pyoxigraph.parse(plain, format=pyoxigraph.RdfFormat.N_TRIPLES)) == set(
        pyoxigraph.parse(text.encode(), format=pyoxigraph.RdfFormat.TURTLE)
    )


any_text = st.text(st.characters(codec=None, exclude_categories=()), max_size=30)
places = st.builds(
    Place,
    line=st.none() | st.integers(1, 10**9),
    page=st.none() | st.integers(1, 10**5),
    box=st.none() | st.tuples(*[st.floats(allow_nan=False, allow_infinity=False)] * 4),
    path=any_text,
    file=any_text,
)
spans = st.builds(Span, st.just(DOCUMENT), places, any_text, st.lists(any_text, max_size=3).map(tuple))
findings = st.builds(
    Finding,
    document=st.just(DOCUMENT),
    position=st.integers(0, 10**6),
    form=any_text.map(lambda text: "x" + text),
    latex=any_text,
    source=any_text,
    notation=st.sampled_from(["latex", "mathml", "text"]),
    status=st.sampled_from(["declined", "quarantined"]),
    span=spans,
    reason=any_text,
    label=any_text,
    description=any_text,
    keywords=st.lists(any_text, max_size=4).map(tuple),
    equation=st.none() | st.just(KINETIC.equation),
    prior=st.floats(0, 1),
)
corrections = st.builds(
    Correction,
    any_text.map(lambda text: "f" + text),
    any_text,
    st.just("label"),
    any_text,
    any_text,
    any_text,
    any_text,
)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(findings, min_size=1, max_size=4, unique_by=lambda each: each.position), st.lists(corrections, max_size=3)
)
def test_any_text_comes_back(found: list[Finding], said: list[Correction]) -> None:
    contents = LibraryContents(
        rows=sample_rows(),
        extractions=(Extraction(DOCUMENT, tuple(sorted(found, key=lambda each: each.position))),),
        corrections=tuple(said),
    )
    assert truth(read_turtle(io.BytesIO(turtle(contents))).contents) == truth(contents)


def test_an_empty_library_comes_back_empty() -> None:
    assert read_turtle(io.BytesIO(turtle(LibraryContents()))).contents == LibraryContents()


def test_a_node_reads_as_a_paragraph() -> None:
    node = Node("urn:mathrag:formula:f", (("http://www.w3.org/2000/01/rdf-schema#label", Literal('a "b"\n')),))
    assert "".join(turtle_text([node])).endswith('\n<urn:mathrag:formula:f>\n    rdfs:label "a \\"b\\"\\n" .\n')
