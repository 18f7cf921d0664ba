"""The names used in the graph: our own terms, declared in `data/mathrag.ttl`, and those of other vocabularies.

The namespace is a URN, because it names things and points nowhere: no address has to be kept alive for it.
"""

from __future__ import annotations

from importlib.resources import files

MATHRAG = "urn:mathrag:ontology:"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
XSD = "http://www.w3.org/2001/XMLSchema#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
DCTERMS = "http://purl.org/dc/terms/"
PROV = "http://www.w3.org/ns/prov#"
QUDT = "http://qudt.org/schema/qudt/"
QUDT_KINDS = "http://qudt.org/vocab/quantitykind/"

# Written at the head of every export and known in every query.
PREFIXES: dict[str, str] = {
    "mathrag": MATHRAG,
    "formula": "urn:mathrag:formula:",
    "constant": "urn:mathrag:constant:",
    "document": "urn:mathrag:document:",
    "kind": "urn:mathrag:kind:",
    "unit": "urn:mathrag:unit:",
    "rdf": RDF,
    "rdfs": RDFS,
    "xsd": XSD,
    "skos": SKOS,
    "dcterms": DCTERMS,
    "prov": PROV,
    "qudt": QUDT,
    "quantitykind": QUDT_KINDS,
}
# Only these shorten names in what we write; the others hold names that a shorter form would have to escape.
WRITTEN_PREFIXES = ("mathrag", "rdf", "rdfs", "xsd", "skos", "dcterms", "prov", "qudt")

TYPE = RDF + "type"
LABEL = RDFS + "label"
OTHER_LABEL = SKOS + "altLabel"
SAME = SKOS + "exactMatch"
BROADER = SKOS + "broader"
TITLE = DCTERMS + "title"
CREATOR = DCTERMS + "creator"
CREATED = DCTERMS + "created"
MODIFIED = DCTERMS + "modified"
ISSUED = DCTERMS + "issued"
ABSTRACT = DCTERMS + "abstract"
DESCRIPTION = DCTERMS + "description"
IDENTIFIER = DCTERMS + "identifier"
SOURCE = DCTERMS + "source"
FORMAT = DCTERMS + "format"
QUDT_KIND = QUDT + "hasQuantityKind"

JSON = MATHRAG + "json"
RECORD = MATHRAG + "record"

# Fields that have a name everybody knows; all others are called as we call them.
_KNOWN = {
    "id": IDENTIFIER,
    "label": LABEL,
    "caption": LABEL,
    "title": TITLE,
    "description": DESCRIPTION,
    "alternative": DESCRIPTION,
    "abstract": ABSTRACT,
    "source": SOURCE,
    "media_type": FORMAT,
    "author": CREATOR,
    "time": CREATED,
    "ingested_at": CREATED,
    # A path alone might be that of a file.
    "path": MATHRAG + "elementPath",
}


def term(name: str) -> str:
    """Our own term for a field or a relation: `derived_from` is `mathrag:derivedFrom`."""
    first, *rest = name.split("_")
    return MATHRAG + first + "".join(part.capitalize() for part in rest)


def properties(fields: str, **otherwise: str) -> tuple[tuple[str, str], ...]:
    """The fields of something, each with its property; `otherwise` where a field means something else here."""
    return tuple((name, otherwise.get(name) or _KNOWN.get(name) or term(name)) for name in fields.split())


ONTOLOGY_FILE = "mathrag.ttl"
SHAPES_FILE = "shapes.ttl"


def ontology_text() -> str:
    """The ontology in Turtle, as it comes with the package."""
    return _data(ONTOLOGY_FILE)


def shapes_text() -> str:
    """The SHACL shapes in Turtle, as they come with the package."""
    return _data(SHAPES_FILE)


def _data(name: str) -> str:
    return files("mathrag.store.graph").joinpath("data", name).read_text(encoding="utf-8")
