"""Lists of papers to search in: titles and abstracts from the XML of the ACL Anthology, or from JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mathrag.documents.office.archive import Element, attribute, local_name, parse_part
from mathrag.documents.seams import ReadingLimits
from mathrag.errors import DocumentError, LibraryError, UsageError
from mathrag.evaluate.questions import read_limited

_MOST_FILES = 2_000
_MOST_PAPERS = 500_000
_LONGEST_TEXT = 50_000
_WRITER = "editor of proceedings"


@dataclass(frozen=True, slots=True)
class ListedPaper:
    """A paper of a list: its name there, its title, and its abstract where the list has one."""

    id: str
    title: str
    abstract: str = ""


def read_papers(place: Path) -> tuple[ListedPaper, ...]:
    """The papers of a file (.xml of the anthology; else JSON lines with id, title, abstract), or of all such files in a
    folder, in the order of their names. Raises `LibraryError` for a file that is none, and where there is no paper."""
    files = [place]
    if place.is_dir():
        files = sorted(file for file in place.iterdir() if file.suffix in (".xml", ".jsonl") and file.is_file())
        if len(files) > _MOST_FILES:
            raise UsageError(f"{place} has more than {_MOST_FILES} files; name a folder with fewer")
    found: dict[str, ListedPaper] = {}
    for file in files:
        for paper in _anthology(file) if file.suffix == ".xml" else _lines(file):
            found.setdefault(paper.id, paper)
            if len(found) > _MOST_PAPERS:
                raise LibraryError(f"{place} has more than {_MOST_PAPERS} papers")
    if not found:
        raise LibraryError(f"{place} holds no paper; name a file or folder of the anthology's XML, or of JSON lines")
    return tuple(found.values())


def _anthology(file: Path) -> Iterator[ListedPaper]:
    """The papers of a collection, without the front matter of its volumes."""
    try:
        root = parse_part(read_limited(file), name=file.name, limits=ReadingLimits(), writer=_WRITER)
    except DocumentError as error:
        raise LibraryError(str(error)) from error
    if local_name(root) != "collection":
        raise LibraryError(f"{file.name} is no collection of the anthology")
    for volume in _children(root, "volume"):
        for paper in _children(volume, "paper"):
            title = _text(paper, "title")
            if title:
                name = f"{attribute(root, 'id')}-{attribute(volume, 'id')}.{attribute(paper, 'id')}"
                yield ListedPaper(name, title, _text(paper, "abstract"))


def _children(element: Element, name: str) -> Iterator[Element]:
    return (child for child in element if local_name(child) == name)


def _text(paper: Element, name: str) -> str:
    """All words of the first child of this name, whatever marks some of them."""
    for child in _children(paper, name):
        return " ".join("".join(str(part) for part in child.itertext()).split())[:_LONGEST_TEXT]
    return ""


def _lines(file: Path) -> Iterator[ListedPaper]:
    for number, line in enumerate(read_limited(file).decode("utf-8", "replace").split("\n"), start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict) or not isinstance(value.get("title"), str) or not value["title"].strip():
            raise LibraryError(f"{file.name}, line {number}: this is no paper, for it has no title")
        abstract = value.get("abstract")
        text = abstract if isinstance(abstract, str) else ""
        name = str(value.get("id") or f"{file.stem}.{number}")
        yield ListedPaper(name[:200], " ".join(value["title"].split())[:_LONGEST_TEXT], text[:_LONGEST_TEXT])
