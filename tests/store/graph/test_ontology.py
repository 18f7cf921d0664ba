"""The ontology explains every term that is used, and only those; each term says what it is."""

from __future__ import annotations

from pathlib import Path

import rdflib
from rdflib.namespace import OWL, RDF, RDFS

from mathrag.store.graph.generations import ensure_graph
from mathrag.store.graph.ontology_page import ontology_page
from mathrag.store.graph.record_digests import with_digests
from mathrag.store.graph.sparql import run_sparql
from mathrag.store.graph.terms import Literal, triples_of_nodes
from mathrag.store.graph.triples import nodes_of
from mathrag.store.graph.vocabulary import MATHRAG, ontology_text
from store.graph.sample_library import sample_library

ONTOLOGY = rdflib.Graph().parse(data=ontology_text(), format="turtle")
KINDS = {OWL.Class, OWL.ObjectProperty, OWL.DatatypeProperty, RDFS.Datatype}
OURS = {
    term
    for kind in KINDS
    for term in ONTOLOGY.subjects(RDF.type, kind)
    if isinstance(term, rdflib.URIRef) and term.startswith(MATHRAG)
}


def members(node: rdflib.term.Node) -> set[str]:
    """The classes of a domain or range, one or a union."""
    union = ONTOLOGY.value(node, OWL.unionOf)
    return {str(node)} if union is None else {str(each) for each in rdflib.collection.Collection(ONTOLOGY, union)}


def test_every_term_has_a_label_and_a_comment() -> None:
    for term in OURS:
        assert len(list(ONTOLOGY.objects(term, RDFS.label))) == 1, term
        assert str(ONTOLOGY.value(term, RDFS.comment)).endswith("."), term


def test_every_property_has_one_domain_and_range_that_exist() -> None:
    known = {str(term) for term in OURS}
    for kind in (OWL.ObjectProperty, OWL.DatatypeProperty):
        for term in ONTOLOGY.subjects(RDF.type, kind):
            if term not in OURS:
                continue
            (domain,), (span,) = ONTOLOGY.objects(term, RDFS.domain), ONTOLOGY.objects(term, RDFS.range)
            assert members(domain) <= known
            assert members(span) <= known or str(span).startswith(str(rdflib.XSD))


def test_exactly_the_declared_terms_are_used() -> None:
    used = set()
    for _, predicate, value in triples_of_nodes(with_digests(nodes_of(sample_library()))):
        used.add(predicate)
        used.add(value.datatype if isinstance(value, Literal) else value)
    ours = {name for name in used if name.startswith(MATHRAG)}
    assert ours == {str(term) for term in OURS}


def test_statements_keep_to_domains_and_ranges() -> None:
    triples = list(triples_of_nodes(with_digests(nodes_of(sample_library()))))
    kind = {s: o for s, p, o in triples if p == str(RDF.type)}
    domains = {str(p): members(d) for p, d in ONTOLOGY.subject_objects(RDFS.domain)}
    ranges = {str(p): members(r) for p, r in ONTOLOGY.subject_objects(RDFS.range)}
    for subject, predicate, value in triples:
        if predicate in domains:
            assert kind[subject] in domains[predicate], (kind[subject], predicate)
            found = value.datatype if isinstance(value, Literal) else kind[value]
            assert found in ranges[predicate], (predicate, found)


def test_the_reference_page_is_current() -> None:
    page = Path(__file__).parents[3] / "docs" / "reference" / "ontology.md"
    assert page.read_text(encoding="utf-8") == ontology_page()


def test_the_example_of_the_page_runs(tmp_path: Path) -> None:
    ensure_graph(tmp_path, 1, lambda: (1, sample_library()))
    query = ontology_page().split("```sparql\n")[1].split("```")[0]
    assert [str(row[0]) for row in run_sparql(tmp_path, query).rows] == ["energy of motion"]
