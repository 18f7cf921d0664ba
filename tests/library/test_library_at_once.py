"""Several people at one library at the same time: two that take documents in, several that read all the while."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from library_makers import dump, files_in, many_notes, mathrag_process, write

from mathrag.library import Library
from mathrag.store.truth.schema import FILE_NAME

# Runs commands, one after the other, until a file appears; the exit codes that are no error are given with each.
READER = """
import contextlib, io, sys
from pathlib import Path
from mathrag.cli.main import main

library, stop, *commands = sys.argv[1:]
rounds = 0
while not Path(stop).exists() or rounds < 2:
    for command in commands:
        codes, *words = command.split("|")
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main([*words, "--library", library])
        if str(code) not in codes.split(",") or err.getvalue():
            sys.exit(f"{words}: exit code {code}: {err.getvalue()}")
    rounds += 1
print(rounds)
"""
LABELS = "SELECT ?label WHERE { ?f a mathrag:Formula ; rdfs:label ?label } LIMIT 500"
QUERY = "SELECT count(*), count(DISTINCT id), sum(place_count) FROM formulas"
READERS = (
    ("0,1|search|kinetic energy|--json", "0|status", "0|show", "0,1|conflicts"),
    (f"0|sql|{QUERY}", "0,1|search|mass", "0|check"),
    (f"0|sparql|{LABELS}",),
    ("0|sparql|ASK { ?f a mathrag:Formula }", "0|show|--json"),
)


def _start_reader(library: Path, stop: Path, commands: tuple[str, ...]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", READER, str(library), str(stop), *commands],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.soak
def test_two_runs_and_four_readers_at_once(tmp_path: Path) -> None:
    folders = []
    texts = list(many_notes(12).items())
    for number, name in enumerate(("one", "two", "three")):
        folders.append(write(tmp_path / name, dict(texts[number * 4 : number * 4 + 4])))
    alone, together, stop = tmp_path / "alone", tmp_path / "together", tmp_path / "stop"
    with Library(alone) as library:
        library.ingest(folders)
    with Library(together):
        pass
    readers = [_start_reader(together, stop, commands) for commands in READERS]
    # Both take in the second folder; both begin with it, so that they meet.
    writers = [
        mathrag_process("ingest", folders[1], folder, "--library", together, "--workers", "1")
        for folder in (folders[0], folders[2])
    ]
    for writer in writers:
        _, errors = writer.communicate(timeout=240)
        assert (writer.returncode, errors) == (0, "")
    stop.touch()
    for reader in readers:
        out, errors = reader.communicate(timeout=240)
        assert (reader.returncode, errors) == (0, "")
        assert int(out) >= 2
    assert dump(together) == dump(alone)
    with Library(together) as library:
        assert library.check() == []
        assert len(library.sparql(LABELS).rows) == len([one for one in library.formulas() if one.label])
    # Beside the graph itself there is nothing that was begun and not finished.
    strange = [name for name in files_in(together) if name != FILE_NAME and not name.startswith("graph/")]
    assert strange == []
    assert [path.name for path in (together / "graph").iterdir() if path.name.startswith(".")] == []


@pytest.mark.soak
def test_a_library_that_two_runs_make_at_the_same_moment(tmp_path: Path) -> None:
    folder = write(tmp_path / "notes", many_notes(2))
    alone, together = tmp_path / "alone", tmp_path / "together"
    runs = [mathrag_process("ingest", folder, "--library", together, "--workers", "1") for _ in range(2)]
    with Library(alone) as library:
        library.ingest([folder])
    for run in runs:
        _, errors = run.communicate(timeout=120)
        assert (run.returncode, errors) == (0, "")
    assert dump(together) == dump(alone)


@pytest.mark.slow
def test_readers_see_either_the_old_or_the_new_state(tmp_path: Path) -> None:
    """While one document is replaced again and again, no reader ever sees half of it."""
    notes = many_notes(1)
    folder, library = write(tmp_path / "notes", notes), tmp_path / "library"
    with Library(library) as writer, Library(library) as reader:
        writer.ingest([folder])
        seen = set()

        def look(*_: object) -> None:
            counts = reader.totals()
            seen.add((counts["documents"], counts["formulas"], counts["constants"]))

        write(folder, {"note00.md": notes["note00.md"] + "\n**Power**\n\n$$P = F v$$\n\nwhere $P$ is in W.\n"})
        look()
        writer.ingest([folder], progress=look)
        look()
        assert seen == {(1, 4, 1), (1, 5, 1)}
