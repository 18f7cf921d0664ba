"""The nouns of the bad files: a recipe says how one is written and what must happen. Writes nothing itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

# reason: fails with a code and a sentence. read: reads, perhaps with notes. either: one of the two, the reader
# decides. skipped: a search through the folder passes it over; named directly, it fails with a reason.
Expectation: TypeAlias = Literal["reason", "read", "either", "skipped"]

# Stands in files beside the document that no reader may look into.
CANARY = "CANARY-7f3a91"
MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class BadFile:
    """A bad file on disk, and what must happen. `keeps` are words that must survive, `forbids` words that must not."""

    path: Path
    what: str
    expectation: Expectation
    keeps: tuple[str, ...] = ()
    forbids: tuple[str, ...] = ()
    code: str = ""
    is_slow: bool = False


@dataclass(frozen=True, slots=True)
class Recipe:
    """How to write one bad file into a folder of its own; `write` gives back the path of the document."""

    id: str
    what: str
    expectation: Expectation
    write: Callable[[Path], Path]
    keeps: tuple[str, ...] = ()
    forbids: tuple[str, ...] = ()
    code: str = ""
    is_slow: bool = False
    needs: Literal["", "not root", "odd bytes in names"] = ""

    def made_in(self, folder: Path) -> BadFile:
        """Write it; the folder is made for it."""
        folder.mkdir(parents=True)
        path = self.write(folder)
        return BadFile(path, self.what, self.expectation, self.keeps, self.forbids, self.code, self.is_slow)


def file(name: str, content: str | bytes | Callable[[], str | bytes]) -> Callable[[Path], Path]:
    """One file of that name; content that is large comes as a function, made only when it is written."""

    def write(folder: Path) -> Path:
        made = content() if callable(content) else content
        path = folder / name
        path.write_bytes(made if isinstance(made, bytes) else made.encode("utf-8", "surrogatepass"))
        return path

    return write


def files(main: str, contents: dict[str, str]) -> Callable[[Path], Path]:
    """Several files; the first named is the document. Names with `../` land beside the folder of the document."""

    def write(folder: Path) -> Path:
        project = folder / "project"
        project.mkdir()
        for name, content in contents.items():
            place = project / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(content, encoding="utf-8")
        return project / main

    return write


def nested(opening: str, middle: str, closing: str, *, depth: int = 10_000) -> str:
    """Groups inside groups."""
    return opening * depth + middle + closing * depth
