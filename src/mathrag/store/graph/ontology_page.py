"""The reference page of the ontology, made from the ontology itself."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import pyoxigraph

from mathrag.store.graph.vocabulary import MATHRAG, PREFIXES, RDF, RDFS, ontology_text

_OWL = "http://www.w3.org/2002/07/owl#"
_HEAD = """# The ontology

The vocabulary of the graph that `mathrag sparql` queries and `mathrag export --format turtle` writes. This page is made
from `mathrag.ttl`, which comes with the package; `shapes.ttl` beside it says in SHACL what every thing has to look
like, and `mathrag check` holds the library to it.

Our terms have the namespace `urn:mathrag:ontology:`, a name and not an address. Things are named by their content, so
the same library has the same names everywhere: `urn:mathrag:formula:ID`, `urn:mathrag:symbol:FORMULA:NAME`,
`urn:mathrag:constant:ID`, `urn:mathrag:document:ID`, `urn:mathrag:chunk:ID`, `urn:mathrag:kind:ID`,
`urn:mathrag:unit:TEXT`. There are no blank nodes. Where another vocabulary has the word, we use it: `rdfs:label`,
`skos:altLabel`, `dcterms:title`, `dcterms:description`, `dcterms:creator`, `dcterms:identifier`. Quantity kinds and
standard constants point to QUDT by `skos:exactMatch`, symbols also by `qudt:hasQuantityKind`.

These prefixes need no declaration in a query: {prefixes}.

```sparql
SELECT ?label ?python {{
  ?formula a mathrag:Formula ; rdfs:label ?label ; mathrag:pythonText ?python ;
           mathrag:hasSymbol [ mathrag:quantityKind kind:kinetic_energy ] .
}}
```

A relation between two formulas is stated twice: directly (`?a mathrag:derivedFrom ?b`) for short queries, and as a
`mathrag:Relation` with its confidence and evidence.

## Worked solutions

A file that `mathrag import --solutions` takes in is a `mathrag:Document`; its problems, solutions and steps are parts
of it. A solution has its steps (`mathrag:hasStep`), each leads to the next (`mathrag:nextStep`); a wrong step points to
the one it stands in place of (`mathrag:wrongAlternativeTo`) and to the pattern of its error. Types of problems go from
narrow to wide by `skos:broader`; `mathrag:typeOrigin` and `mathrag:errorOrigin` say whether a record states the type or
the pattern or a language model gave it, which is then named (`mathrag:typeModel`, `mathrag:errorModel`). The same
problem in another file is told by `skos:exactMatch` and by its
`mathrag:contentId`. Steps and worked examples (`mathrag:Case`, a subclass of `mathrag:Problem`) lead to the formulas of
the library whose canonical form stands in them (`mathrag:usesFormula`).

```sparql
SELECT ?pattern ?wrong ?right {{
  ?step mathrag:wrongAlternativeTo ?other ; mathrag:text ?wrong ; mathrag:showsError/rdfs:label ?pattern .
  ?other mathrag:text ?right .
}}
```

## Concepts

An OpenMath dictionary is a `mathrag:Document`; the symbols that it defines are parts of it (`mathrag:Concept`), and
so are their properties and examples, each leading to its concept by `mathrag:ofConcept`. Signatures stand in files of
their own and lead to the concept of that name, where the library has it. A property that is a formula says what came
of trying it at points (`mathrag:checkOutcome`), which proves nothing. A formula leads to the concepts of its
functions and operations (`mathrag:usesConcept`).

```sparql
SELECT ?label ?latex ?counterexample {{
  ?property mathrag:ofConcept/rdfs:label ?label ; mathrag:checkOutcome "fails" ;
            mathrag:latex ?latex ; mathrag:counterexample ?counterexample .
}}
```

## Writing a library down and reading it back

Whatever was read from a document or said by a person carries its exact record (`mathrag:record`, as JSON) in an export.
`mathrag import` reads these records, checks them like anything from outside, and computes the rest anew; the other
statements are for people and other programs, and changing them changes nothing. Statements that are not ours are left
out and counted. No address in a file is ever fetched. Each record has a digest (`mathrag:digest`) and each document a
seal over its digests (`mathrag:seal`), so that an import tells what was changed, added or taken out since the export.

## On disk

The graph is derived from the library's database and kept in `graph/`, one folder for each state of the library, built
when first needed. Measured with formulas of about 110 statements each, in seconds of processor time:

| formulas | build | open on disk | query on disk | load into memory | query in memory |
|---|---|---|---|---|---|
| 2,000 | 2.6 | 0.009 | 0.003 | 1.7 | 0.001 |
| 20,000 | 29 | 0.009 | 0.004 | 18 | 0.001 |

Every process would have to load it again into memory, so it stays on disk.
"""


def ontology_page() -> str:
    """The page in Markdown."""
    facts = _facts()
    prefixes = ", ".join(f"`{name}:`" for name in PREFIXES)
    return "".join(
        (
            _HEAD.format(prefixes=prefixes),
            "\n## Classes\n\n| class | what it is |\n|---|---|\n",
            *_classes(facts),
            "\n## Properties that lead from thing to thing\n\n",
            "| property | from | to | what it says |\n|---|---|---|---|\n",
            *_properties(facts, "ObjectProperty"),
            "\n## Properties that hold a value\n\n| property | of | type | what it says |\n|---|---|---|---|\n",
            *_properties(facts, "DatatypeProperty"),
        )
    )


Facts = dict[tuple[str, str], list[str]]


@dataclass(frozen=True, slots=True)
class OntologyTerm:
    """A class, or a property with what it leads from and to, as the ontology declares it."""

    name: str
    comment: str
    is_class: bool = False
    domain: str = ""
    range: str = ""


def ontology_terms() -> tuple[OntologyTerm, ...]:
    """Our terms: classes first, then properties to things, then properties that hold a value."""
    facts = _facts()
    classes = (OntologyTerm(_local(term), facts[term, RDFS + "comment"][0], True) for term in _terms(facts, "Class"))
    properties = (
        OntologyTerm(
            _local(term),
            facts[term, RDFS + "comment"][0],
            domain=_ends(facts, facts[term, RDFS + "domain"][0]),
            range=_ends(facts, facts[term, RDFS + "range"][0]),
        )
        for kind in ("ObjectProperty", "DatatypeProperty")
        for term in _terms(facts, kind)
    )
    return (*classes, *properties)


def _facts() -> Facts:
    found: Facts = defaultdict(list)
    for quad in pyoxigraph.parse(ontology_text().encode(), format=pyoxigraph.RdfFormat.TURTLE):
        subject, value = quad.subject, quad.object
        if not isinstance(subject, pyoxigraph.Triple) and not isinstance(value, pyoxigraph.Triple):
            found[subject.value, quad.predicate.value].append(value.value)
    return found


def _terms(facts: Facts, kind: str) -> Iterator[str]:
    for (subject, predicate), values in facts.items():
        if predicate == RDF + "type" and _OWL + kind in values and subject.startswith(MATHRAG):
            yield subject


def _classes(facts: Facts) -> Iterator[str]:
    for term in _terms(facts, "Class"):
        yield f"| `{_local(term)}` | {facts[term, RDFS + 'comment'][0]} |\n"


def _properties(facts: Facts, kind: str) -> Iterator[str]:
    for term in _terms(facts, kind):
        ends = (_ends(facts, facts[term, RDFS + end][0]) for end in ("domain", "range"))
        yield f"| `{_local(term)}` | {' | '.join(ends)} | {facts[term, RDFS + 'comment'][0]} |\n"


def _ends(facts: Facts, node: str) -> str:
    """One class or datatype, or all of a union."""
    union = facts.get((node, _OWL + "unionOf"))
    if union is None:
        return _local(node)
    names: list[str] = []
    rest = union[0]
    while rest != RDF + "nil":
        names.append(_local(facts[rest, RDF + "first"][0]))
        rest = facts[rest, RDF + "rest"][0]
    return ", ".join(names)


def _local(name: str) -> str:
    return name.removeprefix(MATHRAG).rpartition("#")[2]
