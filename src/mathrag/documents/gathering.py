"""From the paths, folders and patterns a person gives to the files to read. Looks at names and kinds; reads nothing.

Nothing is opened but LaTeX files, to tell the document from its parts; pipes, devices and sockets never are.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, TypeAlias

from mathrag.documents.folder_walk import Entry, GatheringLimits, walk
from mathrag.documents.glob_patterns import GlobPattern, has_wildcards
from mathrag.documents.latex_parts import find_projects
from mathrag.documents.media_names import described
from mathrag.documents.media_type import hinted_media_type
from mathrag.documents.path_text import document_key, key_of_real_path, shown_name, shown_path
from mathrag.documents.registry import readable_media_types

# ready: to be read. quiet: no document by its name, or a part of one. skipped: passed over, worth telling.
# failed: was asked for and cannot be had.
State: TypeAlias = Literal["ready", "quiet", "skipped", "failed"]
_BETTER = {"ready": 0, "failed": 1, "skipped": 2, "quiet": 3}


@dataclass(frozen=True, slots=True)
class Found:
    """One file, or one argument that led to none.

    `key` identifies the document across runs; `name` is what people are shown; a project may take files from `folder`.
    """

    path: Path
    key: str
    name: str
    folder: Path
    size: int = 0
    state: State = "ready"
    code: str = ""
    reason: str = ""

    @property
    def is_ready(self) -> bool:
        """Whether this file should be read."""
        return self.state == "ready"


def gather(
    paths: Sequence[str], *, limits: GatheringLimits | None = None, media_types: Iterable[str] | None = None
) -> list[Found]:
    """Every file that the arguments lead to, each once, ordered by key.

    In folders only files with an extension of `media_types` (by default those with a reader, but no pictures) are
    `ready`; a file that is named is always tried. Raises `DocumentError` only when there are more files than `limits`
    allow.
    """
    limits = limits or GatheringLimits()
    wanted = frozenset(media_types) if media_types is not None else _searched_media_types()
    best: dict[str, Found] = {}
    for argument in paths:
        for found in _from_argument(argument, limits, wanted):
            rival = best.get(found.key)
            if rival is None or _BETTER[found.state] < _BETTER[rival.state]:
                best[found.key] = found
    return [best[key] for key in sorted(best)]


def _searched_media_types() -> frozenset[str]:
    """Pictures in a folder mostly belong to the documents beside them, so only one that is named is read."""
    return frozenset(media_type for media_type in readable_media_types() if not media_type.startswith("image/"))


def _from_argument(argument: str, limits: GatheringLimits, wanted: frozenset[str]) -> Iterator[Found]:
    if not argument:
        yield _missing(argument, "an empty path names no file")
        return
    path = Path(argument)
    try:
        status = path.stat()
    except (OSError, ValueError) as error:
        if has_wildcards(argument) and not os.path.lexists(_without_null(argument)):
            yield from _from_pattern(argument, limits, wanted)
        elif isinstance(error, PermissionError):
            yield _failed(path, "unreadable", f"{shown_path(argument)} may not be read by this user")
        else:
            yield _missing(argument, f"there is no file or folder {shown_path(argument)}; check the path")
        return
    if stat.S_ISDIR(status.st_mode):
        yield from _from_folder(path, limits, wanted)
    else:
        yield _named_file(path, shown_name(path.name or argument))


def _without_null(argument: str) -> str:
    return argument.replace("\x00", "?")


def _missing(argument: str, reason: str) -> Found:
    path = Path(_without_null(argument))
    return _failed(path, "not_found", reason)


def _failed(path: Path, code: str, reason: str) -> Found:
    return Found(path, document_key(path), shown_path(path), path.parent, state="failed", code=code, reason=reason)


def _named_file(path: Path, name: str) -> Found:
    """A file that was named: tried whatever its extension, unless it is none."""
    real = Path(os.path.realpath(path))
    try:
        status = real.stat()
    except OSError as error:
        return _failed(path, "vanished", f"{shown_path(path)} vanished or cannot be reached: {error.strerror}")
    if not stat.S_ISREG(status.st_mode):
        return _failed(path, "not_a_file", f"{shown_path(path)} is {_kind(status.st_mode)}, not an ordinary file")
    if not os.access(real, os.R_OK):
        return _failed(path, "unreadable", f"{shown_path(path)} may not be read by this user; change its permissions")
    return Found(real, document_key(real), name, real.parent, status.st_size)


def _kind(mode: int) -> str:
    for test, name in ((stat.S_ISFIFO, "a pipe"), (stat.S_ISSOCK, "a socket"), (stat.S_ISDIR, "a folder")):
        if test(mode):
            return name
    return "a device"


def _from_folder(folder: Path, limits: GatheringLimits, wanted: frozenset[str]) -> Iterator[Found]:
    root = Path(os.path.realpath(folder))
    found = [_walked(entry, root, wanted) for entry in walk(root, limits)]
    if not any(item.state in ("ready", "failed") for item in found):
        reason = f"the folder {shown_path(folder)} holds no document of a format that can be read"
        found.append(_failed(folder, "nothing_found", reason))
    yield from _with_parts_marked(found, root)


def _walked(entry: Entry, root: Path, wanted: frozenset[str]) -> Found:
    name = shown_name(f"{root.name}/{entry.relative}" if root.name else entry.relative)
    key = key_of_real_path(entry.path)
    shown = shown_path(name)

    def outcome(state: State, code: str, reason: str) -> Found:
        return Found(entry.path, key, name, entry.path.parent, entry.size, state, code, reason)

    match entry.kind:
        case "unreadable":
            return outcome("failed", "unreadable", f"{shown} may not be read by this user; change its permissions")
        case "vanished":
            return outcome("skipped", "vanished", f"{shown} vanished or cannot be reached")
        case "special":
            return outcome("skipped", "not_a_file", f"{shown} is a pipe, socket or device, not an ordinary file")
        case "outside":
            return outcome(
                "skipped", "outside", f"{shown} is a link that leads out of the folder; name its target to read it"
            )
        case "too_deep":
            return outcome("skipped", "too_deep", f"{shown} lies deeper than folders are searched; give it as a path")
        case "file":
            pass
    hint = hinted_media_type(entry.relative)
    if hint not in wanted:
        return outcome(
            "quiet", "unsupported", f"nothing here reads {described(hint)}" if hint else "not a known extension"
        )
    return Found(entry.path, key, name, entry.path.parent, entry.size)


def _with_parts_marked(found: list[Found], root: Path) -> list[Found]:
    """Files that a LaTeX file includes are parts of it, not documents of their own."""
    projects = find_projects([item.path for item in found if item.is_ready], root)
    marked = []
    for item in found:
        whole = projects.part_of.get(item.path)
        if whole is not None and item.is_ready:
            reason = f"a part of {shown_path(whole.name)}, which includes it"
            marked.append(replace(item, state="quiet", code="part", reason=reason))
        else:
            marked.append(replace(item, folder=projects.folders.get(item.path, item.folder)))
    return marked


def _from_pattern(argument: str, limits: GatheringLimits, wanted: frozenset[str]) -> Iterator[Found]:
    pattern = GlobPattern(argument)
    base = Path(os.path.realpath(pattern.base))
    if not base.is_dir():
        yield _missing(argument, f"nothing matches {shown_path(argument)}; its folder does not exist")
        return
    entries = [
        entry
        for entry in walk(base, limits, hidden=pattern.names_hidden, depth=pattern.depth)
        if pattern.matches(entry.relative)
    ]
    # `*.pdf` names its files as the shell would; `**/*` means whatever there is to read.
    if pattern.names_its_files:
        found = [
            _named_file(entry.path, shown_name(entry.relative))
            if entry.kind == "file"
            else _walked(entry, base, wanted)
            for entry in entries
        ]
    else:
        found = [_walked(entry, base, wanted) for entry in entries]
    if not any(item.state in ("ready", "failed") for item in found):
        found.append(_missing(argument, f"nothing that can be read matches {shown_path(argument)}"))
    yield from _with_parts_marked(found, base)
