"""Gives things their names while the graph is written, and remembers what was named, so that it is described once.

Mentions, units, kinds and standard constants are shared by many formulas; whoever refers to one gets its name here,
and `new_mentions` and `shared` then give the nodes that were not given yet.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from urllib.parse import quote

from mathrag.errors import MathragError
from mathrag.knowledge.constants import constant as standard_constant
from mathrag.knowledge.kinds import kind as quantity_kind
from mathrag.knowledge.units import read_canonical_unit
from mathrag.store.graph.contents import Value
from mathrag.store.graph.terms import Node, Statement, real, text, whole
from mathrag.store.graph.vocabulary import BROADER, IDENTIFIER, LABEL, MATHRAG, SAME, TYPE
from mathrag.types.library import Correction, Relation, Span

# Names of things in the graph, made from their content alone: the same library gives the same names anywhere.

_BASE = "urn:mathrag:"
LIBRARY = _BASE + "library"


def iri(kind: str, *parts: str | int) -> str:
    """`urn:mathrag:KIND:PART:PART`, with every character that could end a part escaped."""
    shown = (str(part) if isinstance(part, int) else quote(part, safe="-._~", errors="replace") for part in parts)
    return f"{_BASE}{kind}:{':'.join(shown)}"


def digest(*parts: str) -> str:
    """Twenty hexadecimal digits that stand for some text."""
    return hashlib.sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:20]


def span_iri(span: Span) -> str:
    """A mention: the same words at the same place are the same mention, whoever refers to them."""
    place = span.place
    parts = (span.document, repr(place.line), repr(place.end_line), repr(place.page), repr(place.box), place.path)
    return iri("mention", digest(*parts, place.file, span.quote, *span.headings))


def relation_iri(relation: Relation) -> str:
    """A relation, by what it relates and how."""
    return iri("relation", digest(relation.kind, relation.source, relation.target))


def correction_iri(correction: Correction, position: int) -> str:
    """A correction, by its place in the order in which corrections were made, which decides when two disagree."""
    return iri("correction", position, digest(correction.formula, correction.field))


# Find the passage of a document that holds a place. By lines, or by pages where the format has no lines.

# How far to look back from the last passage that begins before a place: passages may lie inside each other.
_NEAREST = 8


class ChunkFinder:
    """The passages of all documents, in the order of their lines."""

    def __init__(self, rows: Iterable[Mapping[str, Value]]) -> None:
        self._by_line: dict[tuple[str, str], list[tuple[int, int, str]]] = defaultdict(list)
        self._by_page: dict[tuple[str, int], list[tuple[str, str]]] = defaultdict(list)
        for row in rows:
            name = iri("chunk", str(row["id"]))
            document, line, page = str(row["document"]), row.get("line"), row.get("page")
            if isinstance(line, int):
                last = row.get("end_line")
                end = last if isinstance(last, int) else line
                self._by_line[document, str(row.get("file") or "")].append((line, end, name))
            elif isinstance(page, int):
                self._by_page[document, page].append((name, str(row.get("text") or "")))
        for places in self._by_line.values():
            places.sort()

    def find(self, span: Span) -> str | None:
        """The name of the passage, where one is known to hold the place."""
        place = span.place
        if place.line is not None:
            places = self._by_line.get((span.document, place.file), [])
            after = bisect_right(places, (place.line, float("inf"), ""))
            for _, end, name in reversed(places[max(0, after - _NEAREST) : after]):
                if place.line <= end:
                    return name
        elif place.page is not None and span.quote:
            for name, text in self._by_page.get((span.document, place.page), []):
                if span.quote in text:
                    return name
        return None


class Naming:
    """The names given so far, and who among the entries of the library is a constant."""

    def __init__(self, *, formulas: Collection[str], constants: Collection[str]) -> None:
        self.formulas = frozenset(formulas)
        self.constants = frozenset(constants)
        self.corrections: Mapping[str, tuple[str, ...]] = {}
        self.concepts: Mapping[str, str] = {}
        self.chunks = ChunkFinder(())
        self._mentions: dict[Span, str] = {}
        self._mentions_written: set[str] = set()
        self._new_mentions: list[Span] = []
        self._units: dict[str, str] = {}
        self._kinds: dict[str, str] = {}
        self._standards: dict[str, str] = {}

    def entry(self, entry: str, kind: str) -> str:
        """A formula, a constant of the library or a standard constant, by its id."""
        if entry in self.formulas:
            return iri("formula", entry)
        if entry in self.constants:
            return iri("constant", entry)
        if kind == "uses_constant":
            return self.standard(entry)
        return iri("formula", entry)

    def mention(self, span: Span) -> str:
        """A place in a document with the words there."""
        name = self._mentions.get(span)
        if name is None:
            name = self._mentions[span] = span_iri(span)
            if name not in self._mentions_written:
                self._mentions_written.add(name)
                self._new_mentions.append(span)
        return name

    def unit(self, unit: str) -> str:
        """A unit by its canonical text; the unit of a plain number is written `1`."""
        name = self._units.get(unit)
        if name is None:
            name = self._units[unit] = iri("unit", unit or "1")
        return name

    def kind(self, kind: str) -> str:
        """A quantity kind by its id."""
        name = self._kinds.get(kind)
        if name is None:
            name = self._kinds[kind] = iri("kind", kind)
        return name

    def qudt_kind(self, kind: str) -> str | None:
        """The same kind in QUDT, where it has one."""
        try:
            return quantity_kind(kind).iri
        except KeyError:
            return None

    def standard(self, constant: str) -> str:
        """A standard constant by its id."""
        name = self._standards.get(constant)
        if name is None:
            name = self._standards[constant] = iri("standard-constant", constant)
        return name

    def new_mentions(self) -> Iterator[Node]:
        """The mentions named since the last call."""
        spans, self._new_mentions = self._new_mentions, []
        for span in spans:
            yield _mention_node(self._mentions[span], span, self.chunks.find(span))

    def shared(self) -> Iterator[Node]:
        """Everything else that was named: standard constants, kinds with all broader ones, units; call it last."""
        for constant in sorted(self._standards):
            yield self._standard_node(constant)
        pending = sorted(self._kinds)
        described: set[str] = set()
        while pending:
            kind = pending.pop(0)
            if kind not in described:
                described.add(kind)
                node, broader = self._kind_node(kind)
                pending.extend(broader)
                yield node
        for unit in sorted(self._units):
            yield _unit_node(self._units[unit], unit)

    def _standard_node(self, constant: str) -> Node:
        statements: list[Statement] = [(TYPE, MATHRAG + "StandardConstant"), (IDENTIFIER, text(constant))]
        try:
            known = standard_constant(constant)
        except KeyError:
            return Node(self.standard(constant), tuple(statements))
        statements += [
            (LABEL, text(known.name)),
            (MATHRAG + "valueText", text(str(known.value))),
            (MATHRAG + "value", real(float(known.value))),
            (MATHRAG + "unitText", text(known.unit)),
            (MATHRAG + "unit", self.unit(known.unit)),
        ]
        if known.iri is not None:
            statements.append((SAME, known.iri))
        return Node(self.standard(constant), tuple(statements))

    def _kind_node(self, kind: str) -> tuple[Node, tuple[str, ...]]:
        statements: list[Statement] = [(TYPE, MATHRAG + "QuantityKind"), (IDENTIFIER, text(kind))]
        try:
            known = quantity_kind(kind)
        except KeyError:
            return Node(self.kind(kind), tuple(statements)), ()
        statements += [
            (LABEL, text(known.name)),
            (MATHRAG + "dimension", text(str(known.dimension))),
            (MATHRAG + "unit", self.unit(known.unit)),
        ]
        if known.iri is not None:
            statements.append((SAME, known.iri))
        if known.broader is not None:
            statements.append((BROADER, self.kind(known.broader)))
        return Node(self.kind(kind), tuple(statements)), () if known.broader is None else (known.broader,)


def _unit_node(subject: str, unit: str) -> Node:
    statements: list[Statement] = [(TYPE, MATHRAG + "Unit"), (MATHRAG + "unitText", text(unit))]
    try:
        known = read_canonical_unit(unit)
    except MathragError:
        return Node(subject, tuple(statements))
    return Node(subject, (*statements, (MATHRAG + "dimension", text(str(known.dimension)))))


def _mention_node(subject: str, span: Span, chunk: str | None) -> Node:
    place = span.place
    statements: list[Statement] = [
        (TYPE, MATHRAG + "Mention"),
        (MATHRAG + "inDocument", iri("document", span.document)),
        (MATHRAG + "quote", text(span.quote)),
    ]
    if chunk is not None:
        statements.append((MATHRAG + "inChunk", chunk))
    for predicate, number in (("line", place.line), ("endLine", place.end_line), ("page", place.page)):
        if number is not None:
            statements.append((MATHRAG + predicate, whole(number)))
    if place.box is not None:
        statements.append((MATHRAG + "box", text(" ".join(repr(float(edge)) for edge in place.box))))
    if place.path:
        statements.append((MATHRAG + "elementPath", text(place.path)))
    if place.file:
        statements.append((MATHRAG + "file", text(place.file)))
    if span.headings:
        statements.append((MATHRAG + "headingPath", text(" > ".join(span.headings))))
    return Node(subject, tuple(statements))
