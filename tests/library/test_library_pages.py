"""Documents in pages: read in parts by several processes, whole or with named gaps, drawn with what was found."""

from __future__ import annotations

import contextlib
import os
import signal
import struct
import subprocess
import time
import zlib
from pathlib import Path

import pytest
from library_makers import MATHRAG, dump, exact_rows, files_in, mathrag
from paged_makers import FAKE, REAL, offer, offered, paged_file

from hand_written_pdf import write_pdf
from mathrag.errors import LibraryError, UsageError
from mathrag.library import FileReport, Library
from mathrag.library.ingest.ingestion import warnings_of
from mathrag.store.truth.schema import FILE_NAME
from mathrag.types.document import Place, ReaderNote

FORMULA = "text F = m a"


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    offer(monkeypatch, tmp_path / "offer", FAKE)


@pytest.mark.slow
@pytest.mark.usefixtures("fake")
def test_pages_that_crash_hang_or_fail_are_named_and_the_rest_is_read(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("MATHRAG_READING_PAGE_SECONDS", "2")
    pages = [f"text F_{{{number}}} = m a" for number in range(1, 21)]
    pages[2], pages[9], pages[15] = "crash", "hang", "fail"
    file = paged_file(tmp_path / "a.pdf", *pages)
    told: list[FileReport] = []
    with Library(tmp_path / "library") as library:
        report = library.ingest([file], workers=2, progress=lambda one, *_: told.append(one))
        (one,) = report.files
        assert (one.state, one.counts.pages if one.counts else 0) == ("added", 17)
        assert len(one.warnings) == 3
        assert one.warnings[0].startswith("page 3 is left out: the process crashed (SIGABRT)")
        late = "page 10 is left out: the work took longer than 2 s and was stopped"
        assert one.warnings[1] == f"{late}; raise MATHRAG_READING_PAGE_SECONDS to give it longer"
        assert one.warnings[2] == "page 16 is left out: this page is damaged"
        notes = [(note.code, note.place.page) for note in library.documents()[0].notes]
        assert notes == [("page_failed", 3), ("page_failed", 10), ("page_failed", 16)]
        assert sorted({span.place.page for one in library.formulas() for span in one.spans if span.place.page}) == [
            number for number in range(1, 21) if number not in (3, 10, 16)
        ]
        with pytest.raises(LibraryError, match="page 3 is left out"):
            library.page("a.pdf", 3)
        assert library.check() == []
    reading = [(one.pages_done, one.pages) for one in told if one.state == "reading"]
    assert reading[0] == (0, 20)
    assert reading[-1] == (20, 20)
    assert reading == sorted(reading)


@pytest.mark.soak
@pytest.mark.usefixtures("fake")
def test_one_and_several_processes_give_the_same_library(tmp_path: Path) -> None:
    files = tmp_path / "files"
    files.mkdir()
    for name in ("a", "b", "c"):
        pages = [f"text F_{{{name}{number}}} = m a" for number in range(1, 8)]
        paged_file(files / f"{name}.pdf", *pages, f"guess {name} = ?", FORMULA)
    dumps = []
    for workers in (1, 3):
        folder = tmp_path / f"library{workers}"
        with Library(folder) as library:
            paths = sorted(files.iterdir(), reverse=workers == 3)
            library.ingest(paths, workers=workers)
            before = exact_rows(folder)
            assert [one.state for one in library.ingest(paths, workers=workers).files] == ["unchanged"] * 3
            assert exact_rows(folder) == before
        dumps.append(dump(folder))
    assert dumps[0] == dumps[1]
    assert len(dumps[0]["pictures"]) == 3


@pytest.mark.soak
@pytest.mark.usefixtures("fake")
def test_a_guess_is_kept_for_eyes_and_never_computed_with(tmp_path: Path) -> None:
    file = paged_file(tmp_path / "a.pdf", FORMULA, "guess E = m c^2", "text p = m v")
    folder = tmp_path / "library"
    with Library(folder) as library:
        library.ingest([file])
        (guess,) = [one for one in library.formulas() if one.reason_code == "uncertain_reading"]
        assert (guess.status, guess.equation, guess.latex) == ("declined", None, "E = m c^2")
        assert guess.reason == "the reading is uncertain, so its LaTeX is a guess: a sign is unknown"
        assert (guess.spans[0].place.page, guess.spans[0].place.box) == (2, (72.0, 100.0, 200.0, 112.0))
        assert library.set_aside() == {"uncertain_reading": 1}
        picture = library.picture(guess.id)
        assert picture is not None
        assert picture.startswith(b"\x89PNG")
        parts = library.page("a.pdf", 2).parts
        assert [(part.kind, part.status, part.is_guess) for part in parts] == [
            ("display", "declined", True),
            ("paragraph", "", False),
        ]
        executable = next(one for one in library.formulas() if one.status == "executable")
        assert library.picture(executable.id) is None
    shown = mathrag("show", guess.id, "--library", folder)
    assert "LaTeX guess: E = m c^2" in shown.out
    assert "declined: the reading is uncertain" in shown.out
    (data,) = mathrag("show", guess.id, "--json", "--library", folder).objects
    assert (data["is_guess"], data["reason_code"], data["places"][0]["page"]) == (True, "uncertain_reading", 2)
    assert mathrag("show", guess.id, "--picture", tmp_path / "guess.png", "--library", folder).code == 0
    assert (tmp_path / "guess.png").read_bytes() == picture
    refused = mathrag("show", executable.id, "--picture", tmp_path / "none.png", "--library", folder)
    assert (refused.code, "no picture is kept" in refused.err) == (1, True)
    assert "uncertain reading" in mathrag("status", "--library", folder).out
    (page,) = mathrag("show", "a.pdf", "--page", "2", "--json", "--library", folder).objects
    assert page["parts"][0]["doubts"] == ["a sign is unknown"]
    # Removed with their document, and back from an export.
    assert mathrag("export", "--format", "turtle", "--out", tmp_path / "all.ttl", "--library", folder).code == 0
    assert mathrag("import", tmp_path / "all.ttl", "--library", tmp_path / "again").code == 0
    assert dump(tmp_path / "again") == dump(folder)
    mathrag("remove", "a.pdf", "--library", folder)
    left = dump(folder)
    assert (left["pictures"], left["page_layouts"]) == ([], [])


@pytest.mark.soak
@pytest.mark.usefixtures("fake")
def test_a_password_opens_a_file_and_is_kept_nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = paged_file(tmp_path / "a.pdf", FORMULA, "text p = m v", password="open-sesame")
    folder = tmp_path / "library"
    wrong = mathrag("ingest", file, "--password", "hocus-pocus", "--library", folder, "--json")
    assert (wrong.code, wrong.objects[0]["code"]) == (1, "encrypted")
    assert "--password" in wrong.objects[0]["reason"]
    right = mathrag("ingest", file, "--password", "open-sesame", "--library", folder, "--json")
    assert (right.code, right.objects[0]["state"], right.objects[0]["pages"]) == (0, "added", 2)
    for path in files_in(folder):
        data = (folder / path).read_bytes()
        assert b"open-sesame" not in data
        assert b"hocus-pocus" not in data
    monkeypatch.setenv("MATHRAG_PDF_PASSWORD", "open-sesame")
    again = mathrag("ingest", file, "--force", "--library", folder, "--json")
    assert (again.code, again.objects[0]["state"]) == (0, "replaced")


@pytest.mark.slow
@pytest.mark.usefixtures("fake")
def test_limits_and_names_that_nobody_has(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = paged_file(tmp_path / "a.pdf", *[FORMULA] * 6)
    every = paged_file(tmp_path / "b.pdf", "fail", "fail")
    with Library(tmp_path / "library") as library:
        monkeypatch.setenv("MATHRAG_READING_PAGES", "5")
        one, two = library.ingest([file, every]).files
        assert one.code == "too_large"
        assert one.reason.startswith("the file has 6 pages and at most 5 are read; split it")
        assert two.reason == "none of its 2 pages could be read: this page is damaged"
        with pytest.raises(UsageError, match="no reader 'crayon'"):
            library.ingest([file], reader="crayon")


@pytest.mark.soak
def test_killed_while_pages_are_read(tmp_path: Path) -> None:
    file = paged_file(tmp_path / "a.pdf", *[f"slow F_{{{number}}} = m a" for number in range(30)])
    temporary, folder = tmp_path / "temporary", tmp_path / "library"
    temporary.mkdir()
    environment = {**os.environ, **offered(tmp_path / "offer", FAKE), "TMPDIR": str(temporary)}
    words = [*MATHRAG, "ingest", str(file), "--library", str(folder), "--workers", "2"]
    process = subprocess.Popen(words, env=environment, stderr=subprocess.DEVNULL, start_new_session=True)
    deadline = time.monotonic() + 60
    while not _spooled(process.pid) and time.monotonic() < deadline and process.poll() is None:
        time.sleep(0.02)
    assert process.poll() is None
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert files_in(temporary) == []
    with Library(folder) as library:
        assert library.documents() == []
        assert library.check() == []
    assert files_in(folder) == [FILE_NAME]


def _spooled(process: int) -> bool:
    """Whether the process has its nameless file of pages open, and something in it."""
    with contextlib.suppress(OSError):
        for handle in Path(f"/proc/{process}/fd").iterdir():
            if "(deleted)" in str(handle.readlink()) and handle.stat().st_size:
                return True
    return False


@pytest.mark.soak
def test_a_drawn_page_has_its_boxes_where_the_formulas_are(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    offer(monkeypatch, tmp_path / "offer", REAL)
    words = "The force on a body is the product of its mass and its acceleration, as Newton found."
    line = (words, 72.0, 200.0)
    file = write_pdf(tmp_path / "a.pdf", (line, ("Second page", 72, 400)), (("Forces", 72, 100), line))
    folder, target = tmp_path / "library", tmp_path / "page.png"
    with Library(folder) as library:
        (report,) = library.ingest([file]).files
        assert (report.state, report.counts.pages if report.counts else 0) == ("added", 2)
        page = library.page("a.pdf", 2)
        part = next(one for one in page.parts if "Newton" in one.text)
    ran = mathrag("show", "a.pdf", "--page", "2", "--png", target, "--library", folder)
    assert (ran.code, ran.err) == (0, "")
    width, height, pixels = _decoded(target.read_bytes())
    assert (width, height) == (1224, 1584)
    left, top, right, bottom = (round(2 * side) for side in part.box)
    # The words stand where the file says: from 72 points on, around the baseline at 200.
    assert 140 <= left <= 148
    assert 380 <= top <= 395
    assert 399 <= bottom <= 410
    for x, y in ((left, top), (right, top), (left, bottom), (right, bottom), ((left + right) // 2, top)):
        assert pixels(x, y) == part.colour
    assert pixels(left - 4, top - 4) == (255, 255, 255)
    file.write_bytes(file.read_bytes() + b"\n")
    changed = mathrag("show", "a.pdf", "--page", "2", "--png", target, "--library", folder)
    assert (changed.code, "was changed since it was read" in changed.err) == (1, True)
    file.unlink()
    gone = mathrag("show", "a.pdf", "--page", "2", "--png", target, "--library", folder)
    assert (gone.code, "is not there any more" in gone.err) == (1, True)
    assert "has no page 9" in mathrag("show", "a.pdf", "--page", "9", "--library", folder).err
    assert mathrag("show", "a.pdf", "--png", target, "--library", folder).code == 2


def _decoded(data: bytes):  # type: ignore[no-untyped-def]
    """A PNG as we write them: 8-bit RGB, no filter."""
    width, height = struct.unpack(">II", data[16:24])
    found, position = b"", 8
    while position < len(data):
        (length,) = struct.unpack(">I", data[position : position + 4])
        if data[position + 4 : position + 8] == b"IDAT":
            found += data[position + 8 : position + 8 + length]
        position += 12 + length
    rows = zlib.decompress(found)

    def pixel(x: int, y: int) -> tuple[int, ...]:
        start = y * (3 * width + 1) + 1 + 3 * x
        return tuple(rows[start : start + 3])

    return width, height, pixel


def test_pages_whose_signs_cannot_be_read_are_told_and_a_book_of_them_in_few_words() -> None:
    def unreadable(page: int) -> ReaderNote:
        return ReaderNote("unreadable", f"page {page}: 9 signs cannot be read", Place(page=page))

    other = ReaderNote("page", "page 1: something small", Place(page=1))
    assert warnings_of([unreadable(1), other]) == ("page 1: 9 signs cannot be read",)
    told = warnings_of([unreadable(page) for page in range(1, 41)])
    assert len(told) == 6
    assert told[-1].startswith("and 35 more of these")
