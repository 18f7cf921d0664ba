"""Walk through a folder without being led astray: no hidden files, no junk, no links out, no loops. Opens no file."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from mathrag.documents.path_text import shown_path
from mathrag.errors import DocumentError

Kind: TypeAlias = Literal["file", "special", "outside", "unreadable", "vanished", "too_deep"]

_JUNK = {
    "node_modules", "__pycache__", "venv", "env", "site-packages", "bower_components", "dist-packages", "__MACOSX",
    "$RECYCLE.BIN", "System Volume Information", "lost+found",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class GatheringLimits:
    """How far a search for files goes. Beyond `entries` or `files` it is refused, for such a search was not meant."""

    entries: int = 2_000_000
    files: int = 200_000
    depth: int = 64


@dataclass(frozen=True, slots=True)
class Entry:
    """A file in a folder. `path` is where it really is, `relative` how it is reached from where the walk began."""

    path: Path
    relative: str
    kind: Kind
    size: int = 0


def is_junk_folder(name: str, path: Path) -> bool:
    """Folders full of files that nobody wrote to be read. `env` and `venv` count only where Python made them."""
    if name in ("venv", "env"):
        return (path / "pyvenv.cfg").exists()
    return name in _JUNK


def walk(root: Path, limits: GatheringLimits, *, hidden: bool = False, depth: int | None = None) -> Iterator[Entry]:
    """Every file below a folder, in the order of names. `root` must be a real path: links are judged against it."""
    deepest = limits.depth if depth is None else min(depth, limits.depth)
    waiting: list[tuple[Path, str, int]] = [(root, "", 1)]
    seen_entries = seen_files = 0
    while waiting:
        folder, prefix, level = waiting.pop()
        try:
            with os.scandir(folder) as scan:
                children = []
                for child in scan:
                    seen_entries += 1
                    if seen_entries > limits.entries:
                        raise _too_many(root, limits.entries)
                    children.append(child)
        except OSError as error:
            kind: Kind = "unreadable" if isinstance(error, PermissionError) else "vanished"
            yield Entry(folder, prefix.rstrip("/") or ".", kind)
            continue
        children.sort(key=lambda child: child.name)
        below: list[tuple[Path, str, int]] = []
        for child in children:
            if child.name.startswith(".") and not hidden:
                continue
            path, relative = Path(child.path), prefix + child.name
            if _is_folder(child):
                if is_junk_folder(child.name, path):
                    continue
                if level < deepest:
                    below.append((path, f"{relative}/", level + 1))
                elif depth is None:
                    yield Entry(path, relative, "too_deep")
                continue
            entry = _entry(child, relative, root)
            if entry is None:
                continue
            seen_files += 1
            if seen_files > limits.files:
                raise _too_many(root, limits.files)
            yield entry
        waiting.extend(reversed(below))


def _too_many(root: Path, number: int) -> DocumentError:
    reason = f"the folder {shown_path(root)} holds more than {number:,} files"
    return DocumentError("too_many_files", f"{reason}; give a smaller folder or a pattern such as '**/*.md'")


def _is_folder(child: os.DirEntry[str]) -> bool:
    try:
        return child.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _entry(child: os.DirEntry[str], relative: str, root: Path) -> Entry | None:
    path = Path(child.path)
    try:
        if child.is_symlink():
            return _link(path, relative, root)
        status = child.stat(follow_symlinks=False)
    except OSError:
        return Entry(path, relative, "vanished")
    return _judged(path, relative, status)


def _judged(path: Path, relative: str, status: os.stat_result) -> Entry:
    if not stat.S_ISREG(status.st_mode):
        return Entry(path, relative, "special")
    if not os.access(path, os.R_OK):
        return Entry(path, relative, "unreadable", status.st_size)
    return Entry(path, relative, "file", status.st_size)


def _link(path: Path, relative: str, root: Path) -> Entry | None:
    """A link to a file inside the folder is that file. A folder inside is met anyway, so links to one are not followed,
    which is what makes loops impossible."""
    target = Path(os.path.realpath(path))
    if not target.is_relative_to(root):
        return Entry(target, relative, "outside")
    status = target.stat()
    if stat.S_ISDIR(status.st_mode):
        return None
    return _judged(target, relative, status)
