"""Lines of a shell, as help texts and pages show them, with `mathrag` run in this process: starting another one takes
longer than what most lines do."""

from __future__ import annotations

import io
import shlex
import signal
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from mathrag.cli.main import main


class Printed(NamedTuple):
    """What a line left behind."""

    code: int
    out: str
    err: str


def run_line(line: str, folder: Path, *, settings: Mapping[str, str] | None = None, both: bool = False) -> Printed:
    """Run `mathrag …` or `echo … | mathrag …` in a folder; with `both`, the streams are one, as on a terminal."""
    # The command is the first of its name; later ones are names in queries and of libraries.
    before, _, after = line.partition("mathrag")
    words = shlex.split(after)
    out = _stream()
    err = out if both else _stream()
    # Some commands wait for signals until they end, which in a process of their own is for good.
    listening = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for name, value in (settings or {}).items():
            patch.setenv(name, value)
        patch.setattr(sys, "stdin", _stream(_piped(before)))
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        try:
            code = main(words)
        finally:
            for number, listener in listening.items():
                signal.signal(number, listener)
    return Printed(code, _text(out), "" if both else _text(err))


def _piped(before: str) -> str:
    """What the words before the pipe say."""
    if not before.strip():
        return ""
    command, text, pipe = shlex.split(before)
    assert pipe == "|"
    return {"echo": text + "\n", "printf": text.replace("\\n", "\n")}[command]


def _stream(text: str = "") -> io.TextIOWrapper:
    """Bytes below letters, for some commands write and read bytes."""
    return io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8")


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    written = stream.buffer
    assert isinstance(written, io.BytesIO)
    return written.getvalue().decode()
