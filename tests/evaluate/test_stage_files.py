"""Files of a run in stages: half a line is cut off, a folder holds one run and one process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from mathrag.errors import LibraryError, UsageError
from mathrag.evaluate.stage_files import StageLog, run_folder


def test_lines_are_there_again(tmp_path: Path) -> None:
    file = tmp_path / "stage.jsonl"
    with StageLog(file) as log:
        log.add("a", {"score": 1.0})
        log.add("b", {"score": None})
        log.add("a", {"score": 0.5})
    with StageLog(file) as log:
        assert log.done == {"a": {"id": "a", "score": 0.5}, "b": {"id": "b", "score": None}}


@pytest.mark.parametrize("rest", ['{"id": "c", "sco', "\x00" * 200_000, "{"])
def test_what_a_kill_left_half_written_spoils_nothing(rest: str, tmp_path: Path) -> None:
    file = tmp_path / "stage.jsonl"
    file.write_text('{"id": "a", "score": 1}\n' + rest, encoding="utf-8")
    with StageLog(file) as log:
        assert set(log.done) == {"a"}
        log.add("c", {"score": 2})
    with StageLog(file) as log:
        assert set(log.done) == {"a", "c"}


def test_a_file_of_half_a_line_alone(tmp_path: Path) -> None:
    file = tmp_path / "stage.jsonl"
    file.write_text("half", encoding="utf-8")
    with StageLog(file) as log:
        assert log.done == {}
    assert file.read_bytes() == b""


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(LibraryError):
        StageLog(tmp_path)


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_text("kept as it is", encoding="utf-8")
    (tmp_path / "stage.jsonl").symlink_to(other)
    with pytest.raises(LibraryError):
        StageLog(tmp_path / "stage.jsonl")
    assert other.read_text(encoding="utf-8") == "kept as it is"


def test_a_folder_belongs_to_one_run(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "run"
    with run_folder(folder, {"options": {}}, fingerprint="one"):
        pass
    with run_folder(folder, {"options": {}}, fingerprint="one"):
        pass
    with pytest.raises(UsageError, match="another run"), run_folder(folder, {}, fingerprint="two"):
        pass
    (folder / "run.json").write_text("broken", encoding="utf-8")
    with pytest.raises(UsageError, match="another run"), run_folder(folder, {}, fingerprint="one"):
        pass


def test_a_folder_belongs_to_one_process_at_a_time(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from mathrag.evaluate.stage_files import run_folder\n"
        "with run_folder(Path(sys.argv[1]), {}, fingerprint='one'):\n    print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        with pytest.raises(UsageError, match="another process"), run_folder(tmp_path, {}, fingerprint="one"):
            pass
        other.kill()
    with run_folder(tmp_path, {}, fingerprint="one"):
        pass
