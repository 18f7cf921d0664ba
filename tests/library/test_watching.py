"""Watched folders, with real files: what settles is offered once, what is being written is left alone, what is gone is
told."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mathrag.errors import UsageError
from mathrag.library import Library
from mathrag.library.watching import WatchedFolder

NOTES = "# Notes\n\n## Work\n\n$$W = F s$$\n\nwhere $W$ is the work in J, $F$ the force in N and $s$ the path in m.\n"


class _Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "notes"
    made.mkdir()
    return made.resolve()


def _watched(folder: Path) -> tuple[WatchedFolder, _Clock]:
    clock = _Clock()
    return WatchedFolder(folder, 2.0, clock), clock


def _taken(watched: WatchedFolder) -> list[str]:
    ready = watched.look().ready
    watched.taken(ready)
    return [path.name for path in ready]


def test_a_file_is_offered_once_when_it_has_settled(folder: Path) -> None:
    watched, clock = _watched(folder)
    (folder / "a.md").write_text(NOTES)
    assert watched.look().waiting == 1
    clock.now = 1.9
    assert watched.look().ready == ()
    clock.now = 2.0
    assert _taken(watched) == ["a.md"]
    clock.now = 9.0
    assert _taken(watched) == []


def test_a_file_that_is_still_being_written_is_left_alone(folder: Path) -> None:
    watched, clock = _watched(folder)
    with (folder / "a.md").open("w") as file:
        for second in range(6):
            file.write(NOTES)
            file.flush()
            clock.now = float(second)
            assert watched.look().ready == ()
    clock.now = 8.0
    assert _taken(watched) == ["a.md"]


def test_a_change_is_offered_again_and_so_is_one_while_reading(folder: Path) -> None:
    watched, clock = _watched(folder)
    (folder / "a.md").write_text(NOTES)
    watched.look()
    clock.now = 3.0
    ready = watched.look().ready
    # Written once more after it was looked at, before it is said to be taken.
    (folder / "a.md").write_text(NOTES + "More.\n")
    watched.taken(ready)
    watched.look()
    clock.now = 6.0
    assert _taken(watched) == ["a.md"]


def test_hidden_files_links_and_pictures_are_no_documents(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "outside.md").write_text(NOTES)
    (folder / "link.md").symlink_to(tmp_path / "outside.md")
    (folder / ".hidden.md").write_text(NOTES)
    (folder / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    (folder / "a.md").write_text(NOTES)
    watched, clock = _watched(folder)
    watched.look()
    clock.now = 3.0
    ready = watched.look().ready
    assert watched.documents_among(ready) == [str(folder / "a.md")]


def test_a_part_changes_the_document_that_takes_it_in(folder: Path) -> None:
    head = "\\documentclass{article}\n\\begin{document}\n\\input{part}\n\\end{document}\n"
    (folder / "main.tex").write_text(head)
    (folder / "part.tex").write_text("\\section{Work}\n\\[ W = F s \\]\n")
    watched, clock = _watched(folder)
    watched.look()
    clock.now = 3.0
    _taken(watched)
    (folder / "part.tex").write_text("\\section{Power}\n\\[ P = F v \\]\n")
    watched.look()
    clock.now = 6.0
    assert watched.documents_among(watched.look().ready) == [str(folder / "main.tex")]


@pytest.mark.slow
def test_what_is_gone_is_told_after_a_while_and_never_of_an_empty_folder(folder: Path, tmp_path: Path) -> None:
    for name in ("a.md", "b.md"):
        (folder / name).write_text(NOTES.replace("Work", name))
    with Library(tmp_path / "library", create=True) as library:
        library.ingest([folder], workers=1)
        watched, clock = _watched(folder)
        watched.look()
        assert watched.gone(library.documents()) == []
        (folder / "a.md").unlink()
        watched.look()
        assert watched.gone(library.documents()) == []
        assert watched.has_missing
        clock.now = 2.0
        assert [info.name for info in watched.gone(library.documents())] == ["notes/a.md"]
        # As when the disk is not there.
        (folder / "b.md").unlink()
        watched.look()
        clock.now = 9.0
        assert watched.gone(library.documents()) == []
        folder.rmdir()
        assert watched.look().problem
        assert watched.gone(library.documents()) == []


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(NOTES)
    with pytest.raises(UsageError):
        WatchedFolder(tmp_path / "a.md")


def test_a_folder_that_may_not_be_read_is_a_problem_and_loses_nothing(folder: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "sub" / "a.md").write_text(NOTES)
    watched, _ = _watched(folder)
    (folder / "sub").chmod(0)
    try:
        if os.access(folder / "sub", os.R_OK):
            pytest.skip("this user may read everything")
        assert watched.look().problem
    finally:
        (folder / "sub").chmod(0o700)
