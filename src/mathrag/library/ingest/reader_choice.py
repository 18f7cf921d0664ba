"""How documents are to be read, as a person and the settings say: by which reader, within which limits. Also which
software and which data would read them so: when either changes, the same bytes are read anew. Reads nothing itself."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

from mathrag.documents.media_type import DICTIONARY_TYPE
from mathrag.documents.seams import Reader, ReadingLimits
from mathrag.errors import UsageError
from mathrag.settings import load_settings
from mathrag.version import __version__

BUILT_IN = "built-in"
# What those programs are for; a text file needs none of them.
_NOT_FOREIGN = ("text/", "application/x-ipynb")
# Those programs load neural networks: they need more than our own readers, and a person asked for them.
_FOREIGN_SECONDS = 3_600.0
_FOREIGN_MEGABYTES = 65_536


def checked_reader(name: str | None) -> str:
    """The name of a foreign reader, empty for our own; `UsageError` for a name that nobody has."""
    if name is None or name == BUILT_IN:
        return ""
    from mathrag.documents.foreign import foreign_readers

    if name not in foreign_readers():
        raise UsageError(f"there is no reader {name!r}; there are {', '.join((BUILT_IN, *foreign_readers()))}")
    return name


def reader_used(name: str, media_type: str) -> str:
    """The name of the foreign reader where it is meant for such documents, else empty."""
    return "" if media_type.startswith(_NOT_FOREIGN) else name


def reader_named(name: str, media_type: str) -> Reader | None:
    """The foreign reader of that name, where it is meant for such documents; None for the usual one."""
    if not reader_used(name, media_type):
        return None
    from mathrag.documents.foreign import foreign_reader

    return foreign_reader(name)


def reading_settings(reader: str = "") -> tuple[ReadingLimits, str]:
    """The limits of reading and the password for PDF files, from the settings."""
    settings = load_settings()
    limits = ReadingLimits(
        bytes=settings.reading_file_megabytes * 1024 * 1024,
        seconds=max(settings.reading_seconds, _FOREIGN_SECONDS if reader else 0.0),
        megabytes=max(settings.reading_megabytes, _FOREIGN_MEGABYTES if reader else 0),
        pages=settings.reading_pages,
        page_seconds=settings.reading_page_seconds,
    )
    return limits, settings.pdf_password


# Raised whenever the rules give other findings for the same bytes.
RULES = 2


def software_version(reader: str = "", media_type: str = "") -> str:
    """The program's version and that of its rules, and the reader that was asked for by name; of a dictionary also the
    version of what checks its properties, so that they are checked again when that changes."""
    checker = f"+checks-{checker_version()}" if media_type == DICTIONARY_TYPE else ""
    return f"{__version__}+rules{RULES}{checker}{'+' if reader else ''}{reader}"


@cache
def checker_version() -> str:
    """A fingerprint of the program that tries the properties of dictionaries at points."""
    digest = hashlib.sha256()
    for part in _contents(resources.files("mathrag.compute.openmath").iterdir(), (".py",)):
        digest.update(part)
    return digest.hexdigest()[:12]


# Data that decide how a document is read, and the ending of their files; the JSON twins of the tables load faster.
_READ_WITH = (("mathrag.knowledge", ".json"), ("mathrag.language", ".toml"), ("mathrag.extract", ".toml"))


@cache
def lexicon_version() -> str:
    """A fingerprint of the data files that give words, symbols and weights their meaning in reading."""
    digest = hashlib.sha256()
    for package, ending in _READ_WITH:
        for part in _contents(resources.files(package).joinpath("data").iterdir(), (ending,)):
            digest.update(part)
    return digest.hexdigest()[:16]


def _contents(files: Iterable[Traversable], endings: tuple[str, ...]) -> Iterator[bytes]:
    """The names and contents of the files that end so, by name."""
    for file in sorted(files, key=lambda file: file.name):
        if file.name.endswith(endings):
            yield file.name.encode()
            yield file.read_bytes()
