"""The files of one LaTeX project: found inside its folder only, read within limits, and what stands where in them.

Nothing outside `Source.folder` is ever opened, whatever a document asks for. Knows bytes and lines, no TeX.
"""

from __future__ import annotations

import hashlib
import os
import stat
from bisect import bisect_right
from dataclasses import dataclass, field
from pathlib import Path

from mathrag.documents.decoding import decode
from mathrag.documents.seams import Source
from mathrag.errors import DocumentError, readable
from mathrag.types.document import Place, ReaderNote

_MAXIMUM_NOTES = 500
_MAXIMUM_NAME = 400
# Quotes may overlap (a table and its formulas), but never by more than this factor in sum.
_QUOTE_FACTOR = 6
_LONGEST_QUOTE_OF_MACRO = 2_000


@dataclass(slots=True)
class ProjectFile:
    """One file that was read. `name` is relative to the folder, empty for the document itself."""

    index: int
    name: str
    text: str
    folder: Path | None
    lines: list[int] = field(default_factory=list)

    def line(self, position: int) -> int:
        """The line, from 1, of a character."""
        if not self.lines:
            place = -1
            self.lines.append(0)
            while (place := self.text.find("\n", place + 1)) >= 0:
                self.lines.append(place + 1)
        return bisect_right(self.lines, position)


class ProjectFiles:
    """All files of a project and the notes about them."""

    def __init__(self, source: Source) -> None:
        self.source = source
        decoded = decode(source)
        self.root = source.folder.resolve() if source.folder is not None else None
        home = source.path.resolve().parent if source.path is not None else self.root
        if self.root is None or home is None or not home.is_relative_to(self.root):
            home = self.root
        self.home = home
        self.files = [ProjectFile(0, "", decoded.text, home)]
        self.notes: list[ReaderNote] = list(decoded.notes)
        self.left_out_notes = 0
        self._known: set[tuple[str, str]] = set()
        self._hash = hashlib.sha256(source.data)
        self._names: dict[str, None] = {}
        self._opened = 0
        self._bytes = len(source.data)
        self._quoted = 0

    @property
    def hash(self) -> str:
        """SHA-256 of the document's bytes and of those of every further file, in the order of first use."""
        return self._hash.hexdigest()

    @property
    def names(self) -> tuple[str, ...]:
        """The further files that were read, in the order of first use."""
        return tuple(self._names)

    def note(self, code: str, message: str, place: Place, *, once: str = "") -> None:
        """Say what was left out or mended; `once` names a thing of which one note is enough."""
        if once:
            if (code, once) in self._known:
                return
            self._known.add((code, once))
        if len(self.notes) >= _MAXIMUM_NOTES:
            self.left_out_notes += 1
            return
        self.notes.append(ReaderNote(code, readable(message), place))

    def place(self, file: int, start: int, stop: int | None = None) -> Place:
        """The place of characters of a file."""
        part = self.files[file]
        line = part.line(start)
        end = part.line(max(start, stop - 1)) if stop is not None else line
        return Place(line=line, end_line=end if end != line else None, file=part.name)

    def quote(self, file: int, start: int, stop: int, *, is_generated: bool = False) -> str:
        """The exact text of a file. What a macro made is quoted by its use, cut where that is very long."""
        if is_generated:
            stop = min(stop, start + _LONGEST_QUOTE_OF_MACRO)
        text = self.files[file].text
        self._quoted += stop - start
        if self._quoted > _QUOTE_FACTOR * self._bytes + 100_000:
            stop = min(stop, start + 200)
            where = self.place(file, start)
            self.note("long_quotes", "the same text is quoted very often; some quotes are cut short", where, once="x")
        return text[start:stop]

    def find(self, name: str, *, endings: tuple[str, ...], near: Path | None = None) -> Path | str:
        """The file a document asks for, or a sentence saying why it cannot be had."""
        if self.root is None or self.home is None:
            return "the document was given without its folder"
        if not name or len(name) > _MAXIMUM_NAME or any(character in name for character in '|"\0\n\\~{}$`'):
            return "this is no file name that is opened"
        if name.startswith("/") or Path(name).is_absolute():
            return "absolute paths are not followed"
        outside = False
        for folder in (self.home, near, self.root):
            if folder is None:
                continue
            for ending in endings:
                candidate = Path(os.path.realpath(folder / (name + ending)))
                if not candidate.is_relative_to(self.root):
                    outside = True
                elif candidate.is_file():
                    return candidate
        return "it lies outside the document's folder" if outside else "there is no such file in the folder"

    def read(self, path: Path) -> ProjectFile | str:
        """Read one more file, or a sentence saying why not. `path` comes from `find`."""
        assert self.root is not None
        limits = self.source.limits
        self._opened += 1
        if self._opened > limits.files:
            return f"more than {limits.files:,} files are included"
        name = path.relative_to(self.root).as_posix()
        known = next((file for file in self.files if file.name == name), None)
        if known is not None:
            return known
        data = _bytes_of(path, limits.bytes - self._bytes)
        if isinstance(data, str):
            return data
        try:
            decoded = decode(Source(name=name, data=data, limits=limits))
        except DocumentError as error:
            return error.reason
        self._bytes += len(data)
        self._hash.update(data)
        self._names[name] = None
        self.files.append(ProjectFile(len(self.files), name, decoded.text, path.parent))
        for note in decoded.notes:
            self.note(note.code, note.message, Place(line=note.place.line, file=name))
        return self.files[-1]


def _bytes_of(path: Path, most: int) -> bytes | str:
    """The bytes of a regular file; what turned into a link, a device or a pipe since it was found is refused."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        descriptor = os.open(path, flags)
    except OSError:
        return "it cannot be opened"
    with os.fdopen(descriptor, "rb") as stream:
        facts = os.fstat(stream.fileno())
        if not stat.S_ISREG(facts.st_mode):
            return "it is no regular file"
        if facts.st_size > most:
            return "the project would become too large"
        try:
            data = stream.read(most + 1)
        except OSError:
            return "it cannot be read"
    return data if len(data) <= most else "the project would become too large"
