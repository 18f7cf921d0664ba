"""Digests of the records of an exported library, so that an import tells what was changed in the file since.

Every thing with a record gets a digest of it; every document, and the library for what belongs to none, a seal over the
digests of its records. They tell careless editing and files cut short, not whoever computes them anew.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from mathrag.store.graph.names import LIBRARY, iri
from mathrag.store.graph.terms import Literal, Node, text
from mathrag.store.graph.vocabulary import MATHRAG, RECORD, TYPE
from mathrag.store.truth.seals import text_digest

DIGEST = MATHRAG + "digest"
SEAL = MATHRAG + "seal"
_BELONGING = (MATHRAG + "partOf", MATHRAG + "inDocument")


def with_digests(nodes: Iterable[Node]) -> Iterator[Node]:
    """The nodes with a digest of each record; at the end the seals of their owners."""
    owned: dict[str, dict[str, str]] = defaultdict(dict)
    for node in nodes:
        record = next((value for name, value in node.statements if name == RECORD), None)
        if not isinstance(record, Literal):
            yield node
            continue
        digest = text_digest(record.text)
        owned[_owner(node)][node.subject] = digest
        yield Node(node.subject, (*node.statements, (DIGEST, text(digest))))
    for owner, digests in sorted(owned.items()):
        yield Node(owner, ((SEAL, text(seal_of(digests))),))


def _owner(node: Node) -> str:
    """The document that something with a record belongs to; the library where there is none."""
    if (TYPE, MATHRAG + "Document") in node.statements:
        return node.subject
    owners = (value for name, value in node.statements if name in _BELONGING and isinstance(value, str))
    return next(owners, LIBRARY)


def owner_of_record(record: Mapping[str, Any]) -> str:
    """The same by what the record says."""
    span = record.get("span")
    own = record.get("id") if record.get("$row") == "documents" else record.get("document")
    document = own if own is not None or not isinstance(span, Mapping) else span.get("document")
    return iri("document", document) if isinstance(document, str) else LIBRARY


def seal_of(digests: Mapping[str, str]) -> str:
    """One digest of the digests of some records, which stand by the names of what they are about."""
    return text_digest("\n".join(f"{name} {digest}" for name, digest in sorted(digests.items())))


def changed_records(
    records: Mapping[str, str], digests: Mapping[str, str], seals: Mapping[str, str], *, owners: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """What was changed in a file since it was written: what it is about, and a sentence. Nothing without digests."""
    if not digests and not seals:
        return
    owned: dict[str, dict[str, str]] = defaultdict(dict)
    for name, record in records.items():
        digest = text_digest(record)
        owned[owners.get(name, LIBRARY)][name] = digest
        if name not in digests:
            yield name, "it was added after the library was exported"
        elif digests[name] != digest:
            yield name, "its record was changed after the library was exported"
    for name in digests.keys() - records.keys():
        yield name, "its record was taken out after the library was exported"
    for owner in sorted(owned.keys() | seals.keys()):
        listed = {name: digests[name] for name in owned[owner] if name in digests}
        if seals.get(owner) != seal_of(listed):
            yield owner, "records of it were added or taken out after the library was exported"
