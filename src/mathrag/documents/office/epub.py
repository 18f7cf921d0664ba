"""EPUB books without pandoc: a book is an archive of pages, read in the order of its spine by the reader of pages."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from urllib.parse import unquote

from mathrag.documents.html import read_html
from mathrag.documents.html.tree import parse_page
from mathrag.documents.office.archive import Archive, Element, attribute, local_name, open_archive, parse_part
from mathrag.documents.office.document_parts import Properties, Rewriting, stated_properties
from mathrag.documents.office.mathml_latex import latex_of
from mathrag.documents.seams import ReadingLimits, Source
from mathrag.errors import DocumentError
from mathrag.types.document import Block, Document, Math, Place, ReaderNote

MEDIA_TYPE = "application/epub+zip"
_CONTAINER = "META-INF/container.xml"
_PAGES = frozenset(("application/xhtml+xml", "text/html", "application/x-dtbook+xml"))
_PAGE_NAMES = (".xhtml", ".html", ".htm")


def read_epub(source: Source) -> Document:
    """Read a book. A chapter that cannot be read is named in a note, and the others are read all the same."""
    with open_archive(source, what="EPUB book") as archive:
        package_name = _package_name(archive, source.limits)
        package = parse_part(archive.read(package_name), name=package_name, limits=source.limits)
        locked = _locked(archive, source.limits)
        chapters = list(_chapters(package, posixpath.dirname(package_name), archive))
        if chapters and all(name in locked for name in chapters):
            raise DocumentError("encrypted", "this book is locked by copy protection; its text cannot be read")
        if len(chapters) > source.limits.files:
            raise DocumentError(
                "too_large", f"the book has {len(chapters):,} chapters; at most {source.limits.files:,}"
            )
        blocks, notes, titles = _read_chapters(chapters, locked, archive, source)
        properties = stated_properties(archive, package_name, source.limits)
    if not blocks:
        raise DocumentError("empty", f"{source.name} has no chapter with text in it")
    return _book(source, blocks, notes, replace(properties, title=properties.title or next(iter(titles), "")), chapters)


def _book(
    source: Source, blocks: list[Block], notes: list[ReaderNote], properties: Properties, chapters: list[str]
) -> Document:
    return Document(
        source=source.name,
        media_type=MEDIA_TYPE,
        hash=source.hash,
        blocks=tuple(blocks),
        title=properties.title,
        authors=properties.authors,
        year=properties.year,
        notes=tuple(notes),
        files=tuple(chapters),
    )


def _package_name(archive: Archive, limits: ReadingLimits) -> str:
    """The part that lists the others."""
    if _CONTAINER in archive:
        root = parse_part(archive.read(_CONTAINER), name=_CONTAINER, limits=limits)
        for element in root.iter():
            name = unquote(attribute(element, "full-path")) if local_name(element) == "rootfile" else ""
            if name in archive:
                return name
    found = next((name for name in archive.members if name.lower().endswith(".opf")), "")
    if not found:
        raise DocumentError("broken", "this EPUB book has no list of its chapters (an .opf part); fetch it again")
    return found


def _chapters(package: Element, folder: str, archive: Archive) -> Iterator[str]:
    """The pages of the spine, in order; without a spine all pages that the list names."""
    items = [element for element in package.iter() if local_name(element) == "item"]
    paths = {attribute(item, "id"): _path(folder, attribute(item, "href")) for item in items}
    navigation = {attribute(item, "id") for item in items if "nav" in attribute(item, "properties").split()}
    order = [attribute(element, "idref") for element in package.iter() if local_name(element) == "itemref"]
    kinds = {attribute(item, "id"): attribute(item, "media-type") for item in items}
    seen: set[str] = set()
    for key in order or paths:
        path = paths.get(key, "")
        is_page = kinds.get(key) in _PAGES or path.lower().endswith(_PAGE_NAMES)
        if is_page and key not in navigation and path in archive and path not in seen:
            seen.add(path)
            yield path


def _path(folder: str, address: str) -> str:
    return posixpath.normpath(posixpath.join(folder, unquote(address.partition("#")[0])))


def _locked(archive: Archive, limits: ReadingLimits) -> frozenset[str]:
    """Parts that are encrypted; fonts often are, and do no harm."""
    name = "META-INF/encryption.xml"
    if name not in archive:
        return frozenset()
    root = parse_part(archive.read(name), name=name, limits=limits)
    return frozenset(
        unquote(attribute(element, "URI")) for element in root.iter() if local_name(element) == "CipherReference"
    )


def _read_chapters(
    chapters: list[str], locked: frozenset[str], archive: Archive, source: Source
) -> tuple[list[Block], list[ReaderNote], list[str]]:
    blocks: list[Block] = []
    notes: list[ReaderNote] = []
    titles: list[str] = []
    for name in chapters:
        if name in locked:
            notes.append(ReaderNote("encrypted", "this chapter is locked and was left out", Place(file=name)))
            continue
        left = replace(source.limits, blocks=source.limits.blocks - len(blocks))
        try:
            page = read_html(Source(name, archive.read(name), limits=left))
        except DocumentError as error:
            if error.code == "too_large":
                raise
            if error.code != "empty":
                notes.append(ReaderNote("chapter", f"this chapter was left out: {error.reason}", Place(file=name)))
            continue
        blocks.extend(Rewriting(partial(replace, file=name), _as_latex).blocks(page.blocks))
        notes.extend(
            replace(note, place=replace(note.place, file=name)) for note in page.notes if note.code != "declarations"
        )
        titles.extend([page.title] if page.title else [])
    return blocks, notes, titles


def _as_latex(math: Math) -> Math:
    """A formula in MathML as LaTeX, where that says the same."""
    if math.notation != "mathml":
        return math
    root, _ = parse_page(math.source, limits=ReadingLimits())
    element = root.find("math")
    latex = latex_of(element) if element is not None else ""
    return replace(math, source=latex, notation="latex") if latex else math
