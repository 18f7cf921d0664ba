"""Full disks, libraries that cannot be written, and odd names of files: said clearly, nothing lost, the next run works.

Full and read-only disks are small file systems in memory; where none may be mounted, those attempts are left out.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import shutil
import subprocess
import tempfile
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from mathrag.documents.path_text import document_key
from trust.attempts import HELD, Attempt, Result
from trust.tampered import ENERGY, Ran, Spoiled, first_failure, json_lines, mathrag, same_number, sound, spoiled

TITLE = "full and read-only disks, odd names"

_NOTE = (
    "# Sound\n\n**Wave speed**\n\n$$v = \\lambda f$$\n\nwhere $v$ is the speed of the wave in m/s, $\\lambda$ is the "
    "wavelength in m and $f$ is the frequency in Hz.\n"
)
_SPEED = "What is the speed of a wave with wavelength 2 m and frequency 5 Hz?"
_FULL = ("full", "No space", "space left")
_UNWRITABLE = ("cannot be written", "Read-only", "read-only", "permissions")

_NAMES = {
    "long": "n" * 252 + ".md",
    "newline": "first\nsecond.md",
    "tab-and-bell": "a\tb\a.md",
    "escape": "\x1b[31mred\x1b[0m.md",
    "bidirectional": "invoice\u202edm.exe.md",
    "isolates": "\u2066left\u2069 right.md",
    "zero-width": "kin\u200betic\ufeff.md",
    "leading-dash": "-rf.md",
    "double-dash": "--force.md",
    "option-like": "--library=x.md",
    "not-utf-8": os.fsdecode(b"caf\xe9 \xff.md"),
    "combining": "e" + "\u0301" * 100 + ".md",
    "quotes": 'it\'s "quoted" `here` $HOME.md',
    "percent": "100%2Fdone %s {0}.md",
    "wildcard": "notes[1]*.md",
    "spaces": "  .md",
    "emoji": "🧮 déjà vu.md",
    "sql": "x'); DROP TABLE documents;--.md",
    "markup": "<b>bold [red].md",
}


@cache
def _may_mount() -> bool:
    folder = Path("/tmp") / f"mathrag-mount-{os.getpid()}"
    folder.mkdir(exist_ok=True)
    try:
        with _disk(folder, kilobytes=64):
            return True
    except (OSError, subprocess.CalledProcessError):
        return False
    finally:
        folder.rmdir()


@contextlib.contextmanager
def _disk(folder: Path, *, kilobytes: int) -> Iterator[Path]:
    """A small disk at a folder."""
    command = ["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", str(folder)]
    subprocess.run(command, check=True, capture_output=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True, capture_output=True)


@contextlib.contextmanager
def _on_disk(folder: Path) -> Iterator[Spoiled]:
    """A copy of the library on a disk of its own, with some room left."""
    library = spoiled(folder)
    disk = folder / "disk"
    disk.mkdir()
    size = sum(path.stat().st_size for path in library.folder.rglob("*") if path.is_file())
    with _disk(disk, kilobytes=4 * size // 1024 + 8192):
        shutil.copytree(library.folder, disk / "library")
        yield Spoiled(disk / "library", library.documents)


def _fill(disk: Path) -> Path:
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as stream, contextlib.suppress(OSError):
        for size in (1 << 20, 1 << 12, 1):
            with contextlib.suppress(OSError):
                while stream.write(b"x" * size):
                    pass
    return filler


def attempts() -> Iterator[Attempt]:
    """Disks first, where they can be had; then names."""
    if _may_mount():
        for name, arguments in _COMMANDS.items():
            yield Attempt(f"full-{name}", f"a full disk: {name}", _full(arguments))
            yield Attempt(f"read-only-{name}", f"a read-only disk: {name}", _read_only(arguments))
        yield Attempt("full-ask", "asking on a full disk", _full_ask)
        yield Attempt("full-new", "a new library on a full disk", _full_new)
        yield Attempt("full-export", "an export to a full disk", _full_export)
    for name, file in _NAMES.items():
        yield Attempt(f"name-{name}", f"a file called {file[:40]!r}", _named(file))
    yield Attempt("names-together", "all of these in one library", _named_together)
    yield Attempt("path-deep", "a path of more than 4,096 bytes", _deep)
    yield Attempt("path-long-part", "a path with a part of 300 bytes", _long_part)
    yield Attempt("export-long", "an export to a file whose name is as long as names may be", _long_export)
    yield Attempt("export-too-long", "an export to a file whose name is too long", _too_long_export)
    yield Attempt("library-odd", "a library in a folder with an odd name", _odd_library)
    yield Attempt("library-too-long", "a library in a folder whose name is too long", _too_long_library)


# What is tried on a disk; `{note}` is a file to read, `{file}` an export.
_COMMANDS: dict[str, tuple[str, ...]] = {
    "ingest": ("ingest", "{note}"),
    "edit": ("edit", "Kinetic energy", "--label", "Energy of motion " + "x" * 200),
    "remove": ("remove", "{known}"),
    "rebuild": ("check", "--rebuild"),
    "import": ("import", "{file}"),
    "sparql": ("sparql", "SELECT (COUNT(*) AS ?n) WHERE { ?s ?p ?o }"),
}


def _arguments(library: Spoiled, folder: Path, arguments: tuple[str, ...]) -> list[str]:
    note = folder / "sound.md"
    # Large enough that no room that SQLite happens to have left in its file will do.
    note.write_text(_NOTE + "\n\n".join(f"Paragraph {number}. " + "words " * 200 for number in range(300)))
    known = library.rows("SELECT name FROM documents WHERE name LIKE '%weight.md'")[0][0]
    exported = folder / "library.ttl"
    if "{file}" in arguments:
        other = spoiled(folder / "other")
        other.run("export", "--format", "turtle", "--out", exported)
        library.run("remove", known)
    filled = {"{note}": str(note), "{known}": known, "{file}": str(exported)}
    return [filled.get(each, each) for each in arguments]


def _said(ran: Ran, words: tuple[str, ...]) -> Result:
    """Whether a failure is one clear line; a command that could do its work all the same has nothing to say."""
    if ran.code == 0:
        return HELD
    if "inside" in ran.err or "Traceback" in ran.err:
        return Result("broke", f"went wrong inside: {ran.err.strip()[:200]}")
    return HELD if any(word in ran.said for word in words) else Result("broke", f"unclear: {ran.said.strip()[:300]!r}")


def _full(arguments: tuple[str, ...]) -> Callable[[Path], Result]:
    def run(folder: Path) -> Result:
        with _on_disk(folder) as library:
            filled = _arguments(library, folder, arguments)
            if arguments[0] == "sparql":
                shutil.rmtree(library.folder / "graph")
            filler = _fill(library.folder.parent)
            first = _said(library.run(*filled), _FULL)
            filler.unlink()
            again = library.run(*filled)
            # What was done the first time, such as removing, need not be possible again.
            later = HELD if again.code in (0, 1) and "inside" not in again.err else Result("broke", again.err[:200])
            return first_failure(first, later, sound(library.run("check")), same_number(library.number(ENERGY), 9.0))

    return run


def _read_only(arguments: tuple[str, ...]) -> Callable[[Path], Result]:
    def run(folder: Path) -> Result:
        with _on_disk(folder) as library:
            filled = _arguments(library, folder, arguments)
            disk = str(library.folder.parent)
            subprocess.run(["mount", "-o", "remount,ro", disk], check=True, capture_output=True)
            first = _said(library.run(*filled), _UNWRITABLE)
            subprocess.run(["mount", "-o", "remount,rw", disk], check=True, capture_output=True)
            again = library.run(*filled)
            later = HELD if again.code == 0 else Result("broke", f"the next run: {again.said.strip()[:200]}")
            return first_failure(first, later, sound(library.run("check")))

    return run


def _full_ask(folder: Path) -> Result:
    with _on_disk(folder) as library:
        filler = _fill(library.folder.parent)
        ran = library.run("ask", ENERGY)
        filler.unlink()
        return first_failure(_said(ran, _FULL), same_number(library.number(ENERGY), 9.0))


def _full_new(folder: Path) -> Result:
    disk = folder / "disk"
    disk.mkdir()
    note = folder / "sound.md"
    note.write_text(_NOTE)
    with _disk(disk, kilobytes=2048):
        filler = _fill(disk)
        first = mathrag("ingest", note, "--library", disk / "library")
        filler.unlink()
        second = mathrag("ingest", note, "--library", disk / "library")
    was_told = Result("broke", "a library on a full disk?") if first.code == 0 else _said(first, _FULL)
    return first_failure(was_told, sound(second))


def _full_export(folder: Path) -> Result:
    library = spoiled(folder)
    disk = folder / "disk"
    disk.mkdir()
    with _disk(disk, kilobytes=64):
        (disk / "old.ttl").write_text("old")
        ran = library.run("export", "--format", "turtle", "--out", disk / "old.ttl")
        left = sorted(path.name for path in disk.iterdir())
        is_kept = (disk / "old.ttl").read_text() == "old" and left == ["old.ttl"]
    kept = HELD if is_kept and ran.code == 1 else Result("broke", f"left {left} with {ran.code}")
    return first_failure(_said(ran, _FULL), kept)


@cache
def _all_named() -> tuple[Spoiled, Ran, Ran]:
    """A library of all these files, read twice; and what was said."""
    folder = Path(tempfile.mkdtemp(prefix="mathrag-names-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    documents = folder / "documents"
    documents.mkdir()
    for number, name in enumerate(_NAMES.values()):
        (documents / name).write_text(f"{_NOTE}\nNote {number}.\n")
    before = Path.cwd()
    os.chdir(documents)
    try:
        # As a shell would give them; what looks like an option comes after two dashes.
        first = mathrag("ingest", "--json", "--library", folder / "library", "--", *_NAMES.values())
        again = mathrag("ingest", "--library", folder / "library", "--", documents)
    finally:
        os.chdir(before)
    return Spoiled(folder / "library", documents), first, again


def _named(name: str) -> Callable[[Path], Result]:
    def run(_: Path) -> Result:
        library, first, again = _all_named()
        key = document_key(library.documents / name)
        state = next((line["state"] for line in json_lines(first.out) if line.get("key") == key), "missing")
        rows = library.rows("SELECT name, id FROM documents WHERE key = ?", key)
        if state != "added" or not rows:
            return Result("broke", f"{state}: {first.err.strip()[:200]}")
        number = list(_NAMES.values()).index(name)
        stored = library.rows(
            "SELECT text FROM chunks WHERE document = ? AND text LIKE ?", rows[0][1], f"%Note {number}.%"
        )
        shown = [again, mathrag("show", "--library", library.folder, "--", rows[0][1])]
        return first_failure(
            HELD if stored else Result("broke", "the text of another file"),
            HELD if again.code == 0 and "added" not in again.out else Result("broke", again.said.strip()[:200]),
            *(sound(ran) for ran in shown),
            _is_printable(*shown),
        )

    return run


def _named_together(_: Path) -> Result:
    library, _first, _again = _all_named()
    shown = [library.run("status"), library.run("check"), library.run("show", "Wave speed")]
    (name, identifier) = library.rows("SELECT name, id FROM documents WHERE name LIKE '%second%'")[0]
    copy = Spoiled(Path(tempfile.mkdtemp(prefix="mathrag-names-")) / "library", library.documents)
    atexit.register(shutil.rmtree, copy.folder.parent, ignore_errors=True)
    shutil.copytree(library.folder, copy.folder)
    removed = mathrag("remove", "--library", copy.folder, "--", name)
    left = [row[0] for row in copy.rows("SELECT id FROM documents")]
    return first_failure(
        *(sound(ran) for ran in (*shown, removed, copy.run("check"))),
        HELD if identifier not in left and len(left) == len(_NAMES) - 1 else Result("broke", "another was removed"),
        same_number(library.number(_SPEED), 10.0),
        _is_printable(*shown),
    )


def _is_printable(*shown: Ran) -> Result:
    """No sign that moves the cursor or turns the direction reaches the terminal, nor breaks a line."""
    for ran in shown:
        for character in ran.said.replace("\n", ""):
            if unicodedata.category(character) in ("Cc", "Cf", "Cs"):
                return Result("broke", f"printed U+{ord(character):04X}: {ran.said.strip()[:200]!r}")
    return HELD


def _deep(folder: Path) -> Result:
    before = Path.cwd()
    os.chdir(folder)
    try:
        deep = "d" * 200
        for _ in range(25):
            os.mkdir(deep)  # noqa: PTH102 - no path is as long as this
            os.chdir(deep)
        with open("note.md", "w") as stream:  # noqa: PTH123 - the same
            stream.write(_NOTE)
    finally:
        os.chdir(before)
    library = spoiled(folder)
    whole = library.run("ingest", folder / deep)
    named = library.run("ingest", "/".join([str(folder), *[deep] * 25, "note.md"]))
    said = [
        _said(ran, ("too long", "too deep", "deeper", "cannot be reached", "no file", "not exist"))
        for ran in (whole, named)
    ]
    result = first_failure(*said, same_number(library.number(ENERGY), 9.0), _forgets_failures(library))
    shutil.rmtree(folder / deep, ignore_errors=True)
    return result


def _forgets_failures(library: Spoiled) -> Result:
    ran = library.run("status")
    return (
        HELD if ran.code in (0, 1) and max(map(len, ran.said.split("\n"))) < 2000 else Result("broke", ran.said[:200])
    )


def _long_part(folder: Path) -> Result:
    library = spoiled(folder)
    ran = library.run("ingest", folder / ("p" * 300) / "note.md")
    code = HELD if ran.code in (1, 2) else Result("broke", f"left with {ran.code}")
    return first_failure(code, _said(ran, ("too long", "no file", "not exist", "no such")), sound(library.run("check")))


def _long_export(folder: Path) -> Result:
    library = spoiled(folder)
    file = folder / ("e" * 251 + ".ttl")
    ran = library.run("export", "--format", "turtle", "--out", file)
    return first_failure(sound(ran), HELD if file.is_file() else Result("broke", "there is no file"))


def _too_long_export(folder: Path) -> Result:
    ran = spoiled(folder).run("export", "--format", "turtle", "--out", folder / ("e" * 300 + ".ttl"))
    code = HELD if ran.code in (1, 2) else Result("broke", f"left with {ran.code}")
    return first_failure(code, _said(ran, ("too long", "cannot be written")))


def _odd_library(folder: Path) -> Result:
    note = folder / "sound.md"
    note.write_text(_NOTE)
    for name in ("a\nb", "quo'te?mode=ro#x", os.fsdecode(b"\xff\xfe")):
        place = folder / name
        ran = mathrag("ingest", note, "--library", place)
        copy = Spoiled(place, folder)
        result = first_failure(
            sound(ran), sound(copy.run("check")), same_number(copy.number(_SPEED), 10.0), _is_printable(ran)
        )
        if result is not HELD:
            return Result(result.verdict, f"{name!r}: {result.how}")
    return HELD


def _too_long_library(folder: Path) -> Result:
    note = folder / "sound.md"
    note.write_text(_NOTE)
    ran = mathrag("ingest", note, "--library", folder / ("l" * 300))
    code = HELD if ran.code in (1, 2) else Result("broke", f"left with {ran.code}")
    return first_failure(code, _said(ran, ("too long",)))
