"""Files that are none, cannot be opened, lead elsewhere, or have names made to deceive."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

from hostile_files.recipe import CANARY, Recipe, file

_GOOD = "# Energy\n\nThe kinetic energy is $E_k = \\frac{1}{2} m v^2$.\n"
_KEPT = ("kinetic energy",)
_NAMES = {
    "percent-slash": "..%2f..%2fetc%2fpasswd.md",
    "backslashes": "..\\..\\windows\\system32.md",
    "newline": "first\nsecond\r\n.md",
    "leading-dash": "--library=owned.md",
    "option": "-rf.md",
    "shell": "$(touch owned);`touch owned`|touch owned.md",
    "sql": "'; DROP TABLE documents; --.md",
    "html": "<img src=x onerror=owned()>.md",
    "template": "{{7*7}}${7*7}%n%s{0.__class__}.md",
    "very-long": "a" * 247 + ".md",
    "emoji": "🧮👩‍🔬🏳️‍🌈.md",
    "right-to-left": "energy\u202edm.exe.md",
    "zero-width": "ener\u200bgy\ufeff.md",
    "device-name": "CON.NUL.md",
    "spaces": "   .md",
    "quotes": "\"energy' and `mass`.md",
    "control": "\x01\x1b[31mred\x07.md",
    "glob": "[a-z]*?{b,c}.md",
    "decomposed": "energi\u0301a.md",
    "uppercase": "ENERGY.MD",
    "double-extension": "paper.pdf.md",
}
_ODD_NAMES = tuple(
    Recipe(
        f"name-{name}",
        f"a good document with a name made to deceive: {name.replace('-', ' ')}",
        "read",
        file(written, _GOOD),
        keeps=_KEPT,
    )
    for name, written in _NAMES.items()
)


def _bytes_name(folder: Path) -> Path:
    path = folder / os.fsdecode(b"energy-\xff\xfe\x80.md")
    path.write_text(_GOOD, encoding="utf-8")
    return path


def _loop(folder: Path) -> Path:
    (folder / "a.md").symlink_to("b.md")
    (folder / "b.md").symlink_to("a.md")
    return folder / "a.md"


def _self_link(folder: Path) -> Path:
    (folder / "a.md").symlink_to("a.md")
    return folder / "a.md"


def _link(target: str) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        (folder / "a.md").symlink_to(target)
        return folder / "a.md"

    return write


def _folder_loop(folder: Path) -> Path:
    inner = folder / "a"
    inner.mkdir()
    (inner / "again").symlink_to(folder, target_is_directory=True)
    (inner / "good.md").write_text(_GOOD, encoding="utf-8")
    return inner / "again" / "a" / "again" / "a" / "good.md"


def _named_folder(folder: Path) -> Path:
    path = folder / "notes.md"
    path.mkdir()
    return path


def _pipe(folder: Path) -> Path:
    os.mkfifo(folder / "pipe.md")
    return folder / "pipe.md"


def _socket(folder: Path) -> Path:
    # The address of a socket may have 107 characters; a folder of tests is often longer.
    before = Path.cwd()
    os.chdir(folder)
    try:
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind("socket.md")
    finally:
        os.chdir(before)
    return folder / "socket.md"


def _locked(folder: Path) -> Path:
    path = folder / "locked.md"
    path.write_text(_GOOD, encoding="utf-8")
    path.chmod(0)
    return path


def _outside_link(folder: Path) -> Path:
    # In a folder whose name begins with a dot, so that a search finds it through the link alone.
    hidden = folder / ".elsewhere"
    hidden.mkdir()
    (hidden / "secret.md").write_text(f"# {CANARY}\n", encoding="utf-8")
    inner = folder / "project"
    inner.mkdir()
    (inner / "link.md").symlink_to("../.elsewhere/nothing.md")
    return inner / "link.md"


_PLACES = (
    Recipe(
        "name-raw-bytes",
        "a good document with a name that is no Unicode",
        "read",
        _bytes_name,
        keeps=_KEPT,
        needs="odd bytes in names",
    ),
    Recipe("link-loop", "two links that lead to each other", "skipped", _loop),
    Recipe("link-itself", "a link that leads to itself", "skipped", _self_link),
    Recipe("link-broken", "a link that leads nowhere", "skipped", _link("nowhere.md")),
    Recipe("link-broken-outside", "a link out of the folder that leads nowhere", "skipped", _outside_link),
    Recipe("link-device", "a link to a device that never ends", "skipped", _link("/dev/zero")),
    Recipe("link-terminal", "a link to the terminal", "skipped", _link("/dev/stdin")),
    Recipe("link-memory", "a link to the memory of the program", "skipped", _link("/proc/self/mem")),
    Recipe(
        "link-folder-loop", "a good document behind a linked folder that leads back", "read", _folder_loop, keeps=_KEPT
    ),
    Recipe("folder-named-md", "a folder called .md", "skipped", _named_folder),
    Recipe("pipe", "a pipe that nobody writes to", "skipped", _pipe),
    Recipe("socket", "a socket", "skipped", _socket),
    Recipe("locked", "a file without permissions", "reason", _locked, needs="not root"),
    Recipe("missing", "a file that is not there", "skipped", lambda folder: folder / "nothing.md"),
    Recipe("name-impossible", "a name with a zero byte", "skipped", lambda folder: folder / "a\0b.md"),
    Recipe(
        "name-too-long",
        "a name longer than any file can have",
        "skipped",
        lambda folder: folder / ("a" * 5_000 + ".md"),
    ),
)

RECIPES = (*_ODD_NAMES, *_PLACES)
