"""From the paths, folders and patterns a person gives to the files to read. Looks at names and kinds; reads nothing.

Nothing is opened but LaTeX files, to tell the document from its parts; pipes, devices and sockets never are.
"""

from __future__ import annotations

import fnmatch
import os
import re
import stat
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Literal, TypeAlias

from mathrag.documents.media_type import described, hinted_media_type
from mathrag.documents.path_text import document_key, key_of_real_path, shown_name, shown_path
from mathrag.documents.registry import readable_media_types
from mathrag.errors import DocumentError

# Walk through a folder without being led astray: no hidden files, no junk, no links out, no loops. Opens no file.

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


# Patterns such as `notes/**/*.md`, matched against the names a walk gives. Searches nothing itself.
#
# The standard library's search follows links, so that two links to a folder above make it endless; ours does not.

_WILDCARD = re.compile(r"[*?\[]")
_EXTENSION = re.compile(r"\.\w+$")
_MOST_PARTS = 64


def has_wildcards(text: str) -> bool:
    """Whether a text could be a pattern."""
    return _WILDCARD.search(text) is not None


class GlobPattern:
    """A pattern split into the folder before its first wildcard and the parts to match below it."""

    def __init__(self, text: str) -> None:
        parts = PurePosixPath(text.replace("\x00", "?")).parts[:_MOST_PARTS]
        fixed = next((position for position, part in enumerate(parts) if has_wildcards(part)), len(parts))
        self.base = str(PurePosixPath(*parts[:fixed])) if fixed else "."
        self._parts = parts[fixed:]
        if self._parts and self._parts[-1] == "**":
            self._parts = (*self._parts, "*")
        self._expressions = [
            None if part == "**" else re.compile(fnmatch.translate(part), re.DOTALL) for part in self._parts
        ]

    @property
    def names_hidden(self) -> bool:
        """Whether the pattern asks for hidden files or folders by writing their dot."""
        return any(part.startswith(".") for part in self._parts)

    @property
    def names_its_files(self) -> bool:
        """Whether the last part has a fixed extension or no wildcard, so that what it matches counts as named."""
        last = self._parts[-1] if self._parts else ""
        return _EXTENSION.search(last) is not None or not has_wildcards(last)

    @property
    def depth(self) -> int | None:
        """How deep matches can lie; None without a bound."""
        return None if "**" in self._parts or not self.names_its_files else len(self._parts)

    def matches(self, relative: str) -> bool:
        """Whether a path relative to the base fits, or a folder above it does where the pattern may mean folders.

        Reached positions are kept as a set, so that several `**` cost no more than one.
        """
        end = len(self._parts)
        reached = self._closure({0})
        for name in relative.split("/"):
            following = set()
            for position in reached:
                if position == end:
                    continue
                expression = self._expressions[position]
                if expression is None:
                    if not name.startswith("."):
                        following.add(position)
                elif self._fits(name, position, expression):
                    following.add(position + 1)
            reached = self._closure(following)
            if end in reached and not self.names_its_files:
                return True
        return end in reached

    def _fits(self, name: str, position: int, expression: re.Pattern[str]) -> bool:
        if name.startswith(".") and not self._parts[position].startswith("."):
            return False
        return expression.match(name) is not None

    def _closure(self, reached: set[int]) -> set[int]:
        for position, part in enumerate(self._parts):
            if position in reached and part == "**":
                reached.add(position + 1)
        return reached


# Which LaTeX files of a folder are parts of another one. Looks for inclusion commands only; reads no document.

_LATEX = "text/x-tex"
_MOST_BYTES = 4_000_000
_MOST_INCLUSIONS = 5_000
_MOST_STEPS = 2_000_000
_COMMENT = re.compile(r"(?<!\\)%[^\n]*")
_INCLUSION = re.compile(
    r"\\(?:input|include|subfile|subfileinclude|InputIfFileExists)[ \t]{0,4}\{\s{0,9}([^{}\n]{1,400}?)\s{0,9}\}"
    r"|\\(?:import|subimport|includefrom|subincludefrom|inputfrom)\*?\{([^{}\n]{0,200})\}\{([^{}\n]{1,200})\}"
    r"|\\input[ \t]{1,4}([^\s{}\\%]{1,400})"
)
_CLASS = re.compile(
    r"^[ \t]*\\document(?:class|style)[ \t]*(?:\[[^\]]{0,2000}\])?[ \t]*\{([^{}\n]{1,100})\}", re.MULTILINE
)
# Files of these classes are made to be included as well as to stand alone.
_PART_CLASSES = {"subfiles", "standalone"}


@dataclass(frozen=True, slots=True)
class Projects:
    """`part_of` gives for every part the document it belongs to; `folders` for every document the folder it needs: the
    nearest one that holds all its parts."""

    part_of: dict[Path, Path]
    folders: dict[Path, Path]


def find_projects(files: Sequence[Path], root: Path) -> Projects:
    """Tell documents from their parts among files below a folder; all paths real. A part may be of any format.

    A file is a document of its own when it has a document class or no other includes it. Files that only include each
    other in a circle are never lost: the first of them counts as the document.
    """
    known = set(files)
    includes: dict[Path, list[Path]] = {path: [] for path in files}
    has_class: dict[Path, str] = {}
    for path in sorted(known):
        if hinted_media_type(path.name) != _LATEX:
            continue
        text = _text(path)
        includes[path] = [target for target in _inclusions(text, path, root) if target in known and target != path]
        declared = _CLASS.search(text)
        if declared:
            has_class[path] = declared.group(1).strip()
    included = {target for targets in includes.values() for target in targets}
    roots = [
        path
        for path in sorted(known)
        if path not in included or (path in has_class and has_class[path] not in _PART_CLASSES)
    ]
    owner: dict[Path, Path] = {path: path for path in roots}
    for start in roots:
        _spread(start, includes, owner)
    for path in sorted(known):
        if path not in owner:
            owner[path] = path
            _spread(path, includes, owner)
    return Projects(
        part_of={path: belongs for path, belongs in owner.items() if belongs != path},
        folders=_folders([path for path, belongs in owner.items() if belongs == path], includes),
    )


def _folders(documents: Sequence[Path], includes: dict[Path, list[Path]]) -> dict[Path, Path]:
    """Parts shared by several documents count for each, so every document is followed on its own, within reason."""
    folders = {}
    steps = 0
    for document in documents:
        reached, waiting = {document}, [document]
        while waiting and steps < _MOST_STEPS:
            for target in includes[waiting.pop()]:
                steps += 1
                if target not in reached:
                    reached.add(target)
                    waiting.append(target)
        folders[document] = Path(os.path.commonpath([path.parent for path in reached]))
    return folders


def _spread(start: Path, includes: dict[Path, list[Path]], owner: dict[Path, Path]) -> None:
    """Give everything that `start` includes, directly or not, to it."""
    waiting = [start]
    while waiting:
        for target in includes[waiting.pop()]:
            if target not in owner:
                owner[target] = start
                waiting.append(target)


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES)
    except OSError:
        return ""
    # Commands are ASCII; the bytes of the other characters only have to stay apart.
    return _COMMENT.sub("", data.decode("utf-8", "replace"))


def _inclusions(text: str, path: Path, root: Path) -> list[Path]:
    found = []
    for number, match in enumerate(_INCLUSION.finditer(text)):
        if number >= _MOST_INCLUSIONS:
            break
        braced, folder, imported, bare = match.groups()
        name = braced or bare or f"{folder.strip()}/{imported.strip()}"
        target = _resolved(name.strip().strip('"'), path, root)
        if target is not None:
            found.append(target)
    return found


def _resolved(name: str, path: Path, root: Path) -> Path | None:
    """The file that is meant: LaTeX looks from the main file's folder, which is this file's or one above it."""
    if "\x00" in name or "#" in name or "\\" in name:
        return None
    folder = path.parent
    while True:
        for candidate in (f"{name}.tex", name):
            target = Path(os.path.realpath(folder / candidate))
            if target.is_relative_to(root) and target.is_file():
                return target
        if folder == root or folder == folder.parent or not folder.is_relative_to(root):
            return None
        folder = folder.parent


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
    """Pictures and programs in a folder mostly belong to documents beside them: only those that are named are read."""
    return frozenset(
        media_type
        for media_type in readable_media_types()
        if not media_type.startswith("image/") and media_type != "text/x-python"
    )


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
