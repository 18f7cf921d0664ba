"""Which LaTeX files of a folder are parts of another one. Looks for inclusion commands only; reads no document."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mathrag.documents.media_type import hinted_media_type

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
