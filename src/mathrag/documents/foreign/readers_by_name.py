"""Foreign readers by name: ours and those of installed packages. Says what to install for an absent one."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, cast

from mathrag.documents.foreign.docling import DOCLING, read_with_docling
from mathrag.documents.foreign.marker import MARKER, read_with_marker
from mathrag.documents.foreign.mineru import MINERU, read_with_mineru
from mathrag.documents.foreign.programs import program_path
from mathrag.documents.seams import Reader
from mathrag.errors import DocumentError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "mathrag.pdf_readers"
_OWN: dict[str, Reader] = {
    MARKER.name: read_with_marker,
    MINERU.name: read_with_mineru,
    DOCLING.name: read_with_docling,
}
_PROGRAMS = {program.name: program for program in (MARKER, MINERU, DOCLING)}


@cache
def _offered() -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points

    offered = sorted(entry_points(group=GROUP), key=lambda entry: entry.value)
    return {entry.name: entry for entry in offered if not entry.value.startswith("mathrag.")}


def foreign_readers() -> tuple[str, ...]:
    """The names of all foreign readers, whether their programs are installed or not."""
    return tuple(sorted({*_OWN, *_offered()}))


def foreign_reader(name: str) -> Reader:
    """The reader of that name. Raises `DocumentError` where there is none or its program is not installed."""
    entry = _offered().get(name)
    if entry is not None:
        return _loaded(name, entry)
    if name not in _OWN:
        raise DocumentError("no_reader", f"there is no reader {name!r}; there are {', '.join(foreign_readers())}")
    if not program_path(_PROGRAMS[name]):
        raise _PROGRAMS[name].absence()
    return _OWN[name]


def _loaded(name: str, entry: EntryPoint) -> Reader:
    try:
        return cast("Reader", entry.load())
    except Exception as error:
        reason = f"the reader {name} ({entry.value}) cannot be loaded: {type(error).__name__}: {error}"
        raise DocumentError("reader_broken", f"{reason}; repair or uninstall its package") from error
