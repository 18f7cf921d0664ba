"""Find the passage of a document that holds a place. By lines, or by pages where the format has no lines."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping

from mathrag.store.graph.contents import Value
from mathrag.store.graph.iris import iri
from mathrag.types.library import Span

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
