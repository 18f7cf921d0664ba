"""The file of kept replies: shared by threads and processes, checked when read, clear about damage."""

from __future__ import annotations

import multiprocessing
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from mathrag.errors import LibraryError
from mathrag.store.truth.replies import FILE_NAME, KeptReplies, Replies


@pytest.fixture
def replies(tmp_path: Path) -> Iterator[Replies]:
    with Replies(tmp_path) as opened:
        yield opened


def _run_sql(path: Path, statement: str) -> None:
    connection = sqlite3.connect(path)
    try:
        connection.execute(statement)
        connection.commit()
    finally:
        connection.close()


def test_a_reply_is_found_again_and_the_first_one_stays(replies: Replies) -> None:
    assert replies.get("d") is None
    replies.put("d", "first", model="m", role="judge")
    replies.put("d", "second", model="m", role="judge")
    assert replies.get("d") == "first"
    with Replies(replies.folder) as other:
        assert other.get("d") == "first"


def test_looking_makes_no_file(tmp_path: Path) -> None:
    with Replies(tmp_path / "nowhere") as replies:
        assert replies.get("d") is None
        assert replies.status().entries == 0
        assert replies.clear() == 0
    assert not (tmp_path / "nowhere").exists()


def test_status_counts_by_model_and_role(tmp_path: Path) -> None:
    clock = iter([100.0, 300.0, 200.0])
    with Replies(tmp_path, now=lambda: next(clock)) as replies:
        replies.put("1", "abc", model="small", role="judge")
        replies.put("2", "abcd", model="large", role="judge")
        replies.put("3", "é", model="small", role="judge")
        status = replies.status()
    assert (status.entries, status.oldest, status.newest) == (3, 100, 300)
    assert status.kept == (KeptReplies("large", "judge", 1, 4), KeptReplies("small", "judge", 2, 5))
    assert status.size > 4096


def test_clearing_by_model_and_age(tmp_path: Path) -> None:
    day = 86_400.0
    now = [0.0]
    with Replies(tmp_path, now=lambda: now[0]) as replies:
        for number, (model, age) in enumerate([("a", 0), ("a", 9), ("b", 0), ("b", 9)]):
            now[0] = age * day
            replies.put(str(number), "reply", model=model, role="judge")
        now[0] = 10 * day
        assert replies.clear(model="a", older_than_days=5) == 1
        assert replies.clear(older_than_days=5) == 1
        assert replies.clear(model="nobody") == 0
        assert [one.model for one in replies.status().kept] == ["a", "b"]
        assert replies.clear() == 2
        assert replies.status().entries == 0
        replies.put("1", "again", model="a", role="judge")
        assert replies.get("1") == "again"


def test_an_entry_that_does_not_match_its_checksum_is_a_miss_and_makes_room(replies: Replies) -> None:
    replies.put("d", "first", model="m", role="judge")
    _run_sql(replies.path, "UPDATE replies SET reply = 'forged'")
    assert replies.get("d") is None
    replies.put("d", "anew", model="m", role="judge")
    assert replies.get("d") == "anew"


def test_an_entry_that_is_no_text_is_a_miss(replies: Replies) -> None:
    replies.put("d", "first", model="m", role="judge")
    _run_sql(replies.path, "UPDATE replies SET reply = x'ff00'")
    assert replies.get("d") is None


@pytest.mark.parametrize("content", [b"this is no database, it is a text" * 100, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_damaged_file_says_how_to_begin_anew(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE_NAME).write_bytes(content)
    with Replies(tmp_path) as replies:
        for use in (lambda: replies.get("d"), lambda: replies.put("d", "r", model="m", role="judge"), replies.status):
            with pytest.raises(LibraryError, match=r"damaged; begin anew with `mathrag cache clear --library"):
                use()
        with pytest.raises(LibraryError, match="without --model"):
            replies.clear(model="m")
        assert replies.clear() == 0
        replies.put("d", "fresh", model="m", role="judge")
        assert replies.get("d") == "fresh"


def test_a_file_whose_table_is_gone_is_damaged(replies: Replies) -> None:
    replies.put("d", "first", model="m", role="judge")
    _run_sql(replies.path, "DROP TABLE replies")
    with pytest.raises(LibraryError, match="mathrag cache clear"):
        replies.get("d")
    assert replies.clear() == 0
    assert replies.get("d") is None


def test_a_file_of_a_later_version_or_of_others_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME
    _run_sql(path, "PRAGMA user_version = 99")
    with Replies(tmp_path) as replies, pytest.raises(LibraryError, match="later version"):
        replies.get("d")
    path.unlink()
    _run_sql(path, "CREATE TABLE mine (x)")
    with Replies(tmp_path) as replies, pytest.raises(LibraryError, match="not a file of kept replies"):
        replies.get("d")
    assert path.exists()


def test_a_closed_file_says_so(tmp_path: Path) -> None:
    replies = Replies(tmp_path)
    replies.close()
    with pytest.raises(LibraryError, match="closed"):
        replies.get("d")


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with Replies(tmp_path / "file" / "library") as replies, pytest.raises(LibraryError, match="cannot be made"):
        replies.put("d", "r", model="m", role="judge")


def test_a_folder_that_cannot_be_written_is_refused_before_anything_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.access", lambda *_: False)
    with Replies(tmp_path) as replies, pytest.raises(LibraryError, match="cannot be written"):
        replies.get("d")


def test_threads_share_one_file(replies: Replies) -> None:
    def work(number: int) -> None:
        for index in range(25):
            replies.put(f"{index}", f"reply {index}", model="m", role="judge")
            assert replies.get(f"{index}") == f"reply {index}"
            replies.put(f"{number}-{index}", "own", model="m", role="judge")

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert replies.status().entries == 25 + 4 * 25


def _write_many(folder: str, number: int) -> None:
    with Replies(folder) as replies:
        for index in range(40):
            replies.put(f"{index}", f"reply {index}", model="m", role="judge")
            replies.put(f"{number}-{index}", "own", model="m", role="judge")


def test_processes_make_and_fill_one_file_at_once(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=_write_many, args=(str(tmp_path), number)) for number in range(3)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(300)
        assert process.exitcode == 0
        process.close()
    with Replies(tmp_path) as replies:
        assert replies.status().entries == 40 + 3 * 40
