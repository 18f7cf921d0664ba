"""Which reader reads which media type, and the one wall where whatever a reader throws becomes a `DocumentError`.

Readers come in through the entry point group `mathrag.readers` (the name is the media type, the value a function as
in `reader.py`), ours by the same door as everyone's. Nothing is imported before a document needs it.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, cast, get_args

from mathrag.documents.display_rows import with_rows_apart
from mathrag.documents.listings import with_listings_read
from mathrag.documents.media_type import EMPTY, advice_for, canonical_media_type, described, detect_media_type
from mathrag.documents.path_text import shown_name, shown_path
from mathrag.documents.programs import with_program_formulas
from mathrag.documents.seams import PagedReader, Reader, ReadingLimits, Source
from mathrag.documents.unseen_signs import with_unseen_signs_doubted
from mathrag.errors import DocumentError
from mathrag.types.document import (
    Block,
    Code,
    Document,
    Image,
    ListItem,
    Math,
    Place,
    ReaderNote,
    Reference,
    Text,
    contents_of,
)
from mathrag.types.json_codec import from_json, to_json
from mathrag.types.json_value import Json

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "mathrag.readers"
_OWN_PACKAGE = "mathrag"
_BLOCKS = get_args(Block)
_LONE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class AvailableReader:
    """A reader that some installed package offers. `is_used` marks the one that reads its media type."""

    media_type: str
    package: str
    version: str
    target: str
    is_built_in: bool
    is_used: bool


@dataclass(frozen=True, slots=True)
class _Offer:
    """One entry point, with what decides between several for the same media type."""

    media_type: str
    package: str
    version: str
    entry: EntryPoint

    @property
    def is_built_in(self) -> bool:
        return self.package == _OWN_PACKAGE

    @property
    def rank(self) -> tuple[bool, str, str]:
        """Smallest wins: packages that someone added before ours, then by name, so that every run agrees."""
        return (self.is_built_in, self.package, self.entry.value)


def _installed() -> tuple[EntryPoint, ...]:
    # Slow to import, and whoever only works with documents that are read already does not need it.
    from importlib.metadata import entry_points

    return tuple(entry_points(group=GROUP))


@cache
def _offers() -> dict[str, tuple[_Offer, ...]]:
    found: dict[str, dict[tuple[str, str], _Offer]] = {}
    for entry in _installed():
        package = entry.dist.name.lower().replace("_", "-") if entry.dist is not None else ""
        version = entry.dist.version if entry.dist is not None else ""
        offer = _Offer(canonical_media_type(entry.name), package, version or "", entry)
        # A package found twice on the import path offers the same reader twice.
        found.setdefault(offer.media_type, {})[offer.package, entry.value] = offer
    return {
        media_type: tuple(sorted(offers.values(), key=lambda offer: offer.rank)) for media_type, offers in found.items()
    }


@cache
def _loaded(media_type: str) -> Reader:
    offer = _offers()[media_type][0]
    named = f"the reader for {media_type} from the package {offer.package or 'unknown'} ({offer.entry.value})"
    try:
        reader = offer.entry.load()
    except (KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:
        # Importing runs the package's code, which may fail in any way; other formats must stay readable.
        mending = "reinstall mathrag" if offer.is_built_in else "repair or uninstall that package"
        raise DocumentError(
            "reader_broken", f"{named} cannot be loaded: {type(error).__name__}: {error}; {mending}"
        ) from error
    if not callable(reader):
        raise DocumentError("reader_broken", f"{named} is not a function; report this to its authors")
    return cast("Reader", reader)


def forget_readers() -> None:
    """Look for installed readers again at the next document."""
    _offers.cache_clear()
    _loaded.cache_clear()


def available_readers() -> tuple[AvailableReader, ...]:
    """Every reader that is installed, by media type; for each type the one that is used comes first."""
    return tuple(
        AvailableReader(media_type, offer.package, offer.version, offer.entry.value, offer.is_built_in, position == 0)
        for media_type, offers in sorted(_offers().items())
        for position, offer in enumerate(offers)
    )


def readable_media_types() -> frozenset[str]:
    """The media types for which there is a reader."""
    return frozenset(_offers())


def reader_for(media_type: str) -> Reader:
    """The reader of a media type. Raises `DocumentError` where there is none or it cannot be loaded."""
    canonical = canonical_media_type(media_type)
    if canonical == EMPTY:
        raise DocumentError("empty", "the file is empty; there is nothing to read")
    if canonical not in _offers():
        raise DocumentError("no_reader", f"this is {described(canonical)}; {advice_for(canonical)}")
    return _loaded(canonical)


def paged_reader_for(media_type: str) -> PagedReader | None:
    """What reads a media type page by page: its reader, or the module of its reader; None where neither does."""
    reader = reader_for(media_type)
    for candidate in (reader, sys.modules.get(getattr(reader, "__module__", ""))):
        if candidate is not None and isinstance(candidate, PagedReader):
            return candidate
    return None


def read_document(source: Source, *, media_type: str | None = None, reader: Reader | None = None) -> Document:
    """Read one document, finding out what it is unless told. Raises nothing but `DocumentError`."""
    kind = canonical_media_type(media_type) if media_type else media_type_of(source)
    chosen = reader if reader is not None else reader_for(kind)
    with translated(kind):
        document = chosen(source)
    return checked_document(document, source, kind)


def media_type_of(source: Source) -> str:
    """What a document is, by its content and its name. `DocumentError` where it is larger than it may be."""
    if len(source.data) > source.limits.bytes:
        raise _too_large(len(source.data), source.limits)
    return detect_media_type(source.data, source.name)


def read_path(
    path: str | os.PathLike[str],
    *,
    name: str | None = None,
    folder: Path | None = None,
    limits: ReadingLimits | None = None,
    password: str = "",
) -> Document:
    """Read one file. `name` is shown to people; a project may take further files from `folder`, by default its own."""
    return read_document(source_at(path, name=name, folder=folder, limits=limits, password=password))


def source_at(
    path: str | os.PathLike[str],
    *,
    name: str | None = None,
    folder: Path | None = None,
    limits: ReadingLimits | None = None,
    password: str = "",
) -> Source:
    """One file as readers take it; the arguments are those of `read_path`."""
    limits = limits or ReadingLimits()
    place = Path(path)
    return Source(
        name=name if name is not None else shown_name(place.name),
        data=_bytes_of(place, limits),
        folder=folder if folder is not None else place.parent,
        path=place,
        limits=limits,
        password=password,
    )


def _bytes_of(path: Path, limits: ReadingLimits) -> bytes:
    """The bytes of a regular file. A pipe or device is recognised after opening without waiting, so none can hang."""
    shown = shown_path(path)
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0))
    except ValueError as error:
        raise DocumentError("not_found", f"{shown!r} is no name that a file can have") from error
    except OSError as error:
        raise _unopened(error, shown) from error
    status = os.fstat(handle)
    if not stat.S_ISREG(status.st_mode):
        os.close(handle)
        raise DocumentError("not_a_file", f"{shown} is not an ordinary file; give a file or a folder of files")
    with os.fdopen(handle, "rb") as file:
        if status.st_size > limits.bytes:
            raise _too_large(status.st_size, limits)
        try:
            # One byte more than allowed shows a file that grows while it is read.
            data = file.read(limits.bytes + 1)
        except OSError as error:
            raise DocumentError("unreadable", f"{shown} cannot be read: {error.strerror or error}") from error
    if len(data) > limits.bytes:
        raise _too_large(len(data), limits)
    return data


def _unopened(error: OSError, shown: str) -> DocumentError:
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        return DocumentError("not_found", f"there is no file {shown}; check the path")
    if error.errno in (errno.EACCES, errno.EPERM):
        return DocumentError("unreadable", f"{shown} may not be read by this user; change its permissions")
    if error.errno in (errno.EISDIR, errno.ENXIO, errno.ENODEV, errno.EOPNOTSUPP):
        return DocumentError("not_a_file", f"{shown} is not an ordinary file; give a file or a folder of files")
    return DocumentError("unreadable", f"{shown} cannot be opened: {error.strerror or error}")


def _too_large(size: int, limits: ReadingLimits) -> DocumentError:
    return DocumentError(
        "too_large",
        f"the file has {size:,} bytes and at most {limits.bytes:,} are read; split it, or raise the limit "
        "with the setting MATHRAG_READING_FILE_MEGABYTES",
    )


@contextmanager
def translated(media_type: str) -> Iterator[None]:
    """Turn whatever a reader throws into a `DocumentError`."""
    try:
        yield
    except (DocumentError, KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:
        raise _translated(error, media_type) from error


def _translated(error: BaseException, media_type: str) -> DocumentError:
    what = f"reading this as {described(media_type)}"
    match error:
        case MemoryError():
            reason = f"{what} took more memory than there is; split the file"
        case RecursionError():
            reason = f"{what} failed because it is nested too deeply; simplify its structure"
        case _:
            reason = f"{what} failed, so the file is broken or the reader is: {type(error).__name__}: {error}"
    return DocumentError("broken", reason)


def checked_document(document: object, source: Source, media_type: str) -> Document:
    """What a reader gave, once it is sure to be a document that can be stored.

    Halves of characters (JSON and HTML can name them, UTF-8 cannot store them) are replaced, and a note says so.
    """
    if not isinstance(document, Document):
        reason = f"the reader for {media_type} gave back {type(document).__name__} instead of a document"
        raise DocumentError("reader_broken", f"{reason}; report this to its authors")
    if len(document.blocks) > source.limits.blocks:
        raise DocumentError(
            "too_large",
            f"the document has {len(document.blocks):,} blocks and at most {source.limits.blocks:,} are read; split it",
        )
    for block in document.blocks:
        if not isinstance(block, _BLOCKS):
            reason = f"the reader for {media_type} gave a block of the unknown kind {type(block).__name__}"
            raise DocumentError("reader_broken", f"{reason}; report this to its authors")
    read = with_listings_read(with_program_formulas(document))
    document = with_unseen_signs_doubted(with_rows_apart(read))
    return document if all(_is_storable(text) for text in _texts(document)) else _mended(document)


def _is_storable(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _mended(document: Document) -> Document:
    place = next((block.place for block in document.blocks if not _is_storable(block.quote)), Place())
    note = ReaderNote("half_character", "halves of characters were replaced by \N{REPLACEMENT CHARACTER}", place)
    mended = from_json(_with_whole_characters(to_json(document)))
    assert isinstance(mended, Document)
    return replace(mended, notes=(*mended.notes, note))


def _with_whole_characters(value: Json) -> Json:
    if isinstance(value, str):
        return value if _is_storable(value) else _LONE.sub("\N{REPLACEMENT CHARACTER}", value)
    if isinstance(value, list):
        return [_with_whole_characters(item) for item in value]
    if isinstance(value, dict):
        return {key: _with_whole_characters(item) for key, item in value.items()}
    return value


def _texts(document: Document) -> Iterator[str]:
    """Every text of a document that came from outside."""
    yield from (document.source, document.title, *document.authors, document.abstract, *document.files)
    for note in document.notes:
        yield note.message
    for block in document.blocks:
        yield from (block.quote, block.place.path, block.place.file)
        match block:
            case Code():
                yield from (block.text, block.language)
            case Reference():
                yield from (block.text, block.key)
            case Image():
                yield from (block.alternative, block.source)
            case ListItem():
                yield block.marker
            case _:
                pass
        for content in contents_of(block):
            for piece in content:
                match piece:
                    case Text():
                        yield piece.text
                    case Math():
                        yield from (piece.source, piece.quote, piece.number)
                    case _:
                        pass
