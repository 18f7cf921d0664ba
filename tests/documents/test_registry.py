"""Readers are found, chosen and called; whatever goes wrong comes out as one clear `DocumentError`."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import Distribution, EntryPoint
from pathlib import Path
from typing import Any

import pytest

from mathrag.documents import registry
from mathrag.documents.registry import available_readers, forget_readers, read_document, read_path, reader_for
from mathrag.documents.seams import ReadingLimits, Source
from mathrag.errors import DocumentError
from mathrag.types.document import Document, Paragraph, Place, Text

THIS = __name__


class _Package(Distribution):
    def __init__(self, name: str) -> None:
        self._name = name

    def read_text(self, filename: str) -> str | None:
        return f"Metadata-Version: 2.1\nName: {self._name}\nVersion: 1.2\n" if filename == "METADATA" else None

    def locate_file(self, path: Any) -> Any:
        return Path(path)


def _paragraph(text: str) -> Paragraph:
    return Paragraph(Place(line=1), text, (Text(text),))


def _document(source: Source, *blocks: Any) -> Document:
    return Document(source.name, "text/plain", source.hash, tuple(blocks))


def read_well(source: Source) -> Document:
    return _document(source, _paragraph("well"))


def read_other(source: Source) -> Document:
    return _document(source, _paragraph("other"))


def read_many(source: Source) -> Document:
    return _document(source, *[_paragraph("again")] * 11)


def read_nothing(source: Source) -> Any:
    return None


def read_strange_block(source: Source) -> Document:
    return _document(source, "a text instead of a block")


def read_half_character(source: Source) -> Document:
    return _document(source, _paragraph("a\ud800b"))


def fail_foreign(source: Source) -> Document:
    raise ZeroDivisionError("the page count\nis zero")


def fail_memory(source: Source) -> Document:
    raise MemoryError


def fail_deep(source: Source) -> Document:
    return fail_deep(source)


def fail_exit(source: Source) -> Document:
    sys.exit("a library thought it was a program")


def fail_ours(source: Source) -> Document:
    raise DocumentError("encrypted", "the document is locked; remove its password")


def interrupt(source: Source) -> Document:
    raise KeyboardInterrupt


not_a_function = 3

Install = Callable[..., None]


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Pretend that packages with these entry points are installed: (media type, target, package)."""

    def pretend(*offers: tuple[str, str, str]) -> None:
        made = []
        for media_type, target, package in offers:
            value = target if ":" in target else f"{THIS}:{target}"
            entry = EntryPoint(media_type, value, "mathrag.readers")
            made.append(entry._for(_Package(package)))  # type: ignore[attr-defined]
        monkeypatch.setattr(registry, "_installed", lambda: tuple(made))
        forget_readers()

    yield pretend
    forget_readers()


def _source(data: bytes = b"words", name: str = "a.txt", **limits: Any) -> Source:
    return Source(name, data, limits=ReadingLimits(**limits))


def _first_word(document: Document) -> str:
    return document.blocks[0].quote


def test_the_package_offers_its_own_readers() -> None:
    forget_readers()
    offered = {reader.media_type: reader for reader in available_readers() if reader.is_built_in}
    assert {"text/markdown", "text/plain", "text/x-tex", "text/html", "application/x-ipynb+json"} <= set(offered)
    assert all(reader.package == "mathrag" for reader in offered.values())


def test_a_plugin_beats_the_built_in_reader(install: Install) -> None:
    install(("text/plain", "read_well", "mathrag"), ("text/plain", "read_other", "Zebra_Reader"))
    assert _first_word(read_document(_source())) == "other"
    used = [(reader.package, reader.is_used) for reader in available_readers()]
    assert used == [("zebra-reader", True), ("mathrag", False)]


def test_among_plugins_the_first_by_name_is_used(install: Install) -> None:
    offers = [("text/plain", "read_well", "alpha"), ("text/plain", "read_other", "beta")]
    for order in (offers, offers[::-1]):
        install(*order)
        assert _first_word(read_document(_source())) == "well"


def test_the_same_reader_listed_twice_counts_once(install: Install) -> None:
    install(("text/plain", "read_well", "mathrag"), ("text/plain", "read_well", "mathrag"))
    assert len(available_readers()) == 1


def test_readers_are_loaded_only_when_needed(install: Install) -> None:
    install(("text/plain", "read_well", "mathrag"), ("application/pdf", "no_such_module:read", "broken-plugin"))
    assert _first_word(read_document(_source())) == "well"
    with pytest.raises(DocumentError, match=r"broken-plugin.*cannot be loaded: ModuleNotFoundError") as caught:
        read_document(_source(b"%PDF-1.7"))
    assert caught.value.code == "reader_broken"


def test_a_media_type_may_be_given(install: Install) -> None:
    install(("text/html", "read_other", "mathrag"), ("text/plain", "read_well", "mathrag"))
    assert _first_word(read_document(_source(), media_type="application/xhtml+xml; charset=utf-8")) == "other"


@pytest.mark.parametrize(
    ("target", "code", "words"),
    [
        ("fail_foreign", "broken", "ZeroDivisionError"),
        ("fail_memory", "broken", "more memory than there is"),
        ("fail_deep", "broken", "nested too deeply"),
        ("fail_exit", "broken", "SystemExit"),
        ("fail_ours", "encrypted", "remove its password"),
        ("read_nothing", "reader_broken", "NoneType instead of a document"),
        ("read_strange_block", "reader_broken", "unknown kind str"),
        ("read_many", "too_large", "at most 10 are read"),
        ("not_a_function", "reader_broken", "is not a function"),
        ("no_such_name", "reader_broken", "AttributeError"),
    ],
)
def test_whatever_a_reader_does_is_translated(install: Install, target: str, code: str, words: str) -> None:
    install(("text/plain", target, "some-plugin"))
    with pytest.raises(DocumentError) as caught:
        read_document(_source(blocks=10))
    assert caught.value.code == code
    assert words in str(caught.value)
    _is_clear_sentence(str(caught.value))


def test_halves_of_characters_are_mended_with_a_note(install: Install) -> None:
    install(("text/plain", "read_half_character", "some-plugin"))
    document = read_document(_source())
    assert document.blocks == (_paragraph("a\N{REPLACEMENT CHARACTER}b"),)
    assert [(note.code, note.place.line) for note in document.notes] == [("half_character", 1)]


def test_an_interrupt_stays_one(install: Install) -> None:
    install(("text/plain", "interrupt", "some-plugin"))
    with pytest.raises(KeyboardInterrupt):
        read_document(_source())


@pytest.mark.parametrize(
    ("data", "name", "words"),
    [
        (b"%PDF-1.7\n", "a.pdf", "a PDF file"),
        (b"\x89PNG\r\n\x1a\n", "a.png", "pictures are not supported yet"),
        (b"\x1f\x8b\x08", "a.gz", "unpack it"),
        (b"PK\x05\x06" + bytes(18), "a.zip", "unpack it"),
        (b"\x7fELF", "a", "a program"),
        (b"\x00\x01\x02\x00" * 50, "a", "binary data of an unknown format"),
        (b"$ x = 1 $", "a.typ", "pandoc"),
        (b".. math:: x", "a.rst", "reinstall mathrag"),
        (b"version https://git-lfs.github.com/spec/v1\n", "a.md", "git lfs pull"),
        (b"hello", "a.md", "reinstall mathrag"),
        (b"\xff\xfb\x90\x00" * 30, "a.mp3", "unknown format"),
        (b"OggS\x00", "a.ogg", "a sound recording of the type audio/ogg"),
    ],
)
def test_a_format_without_reader_says_what_to_do(install: Install, data: bytes, name: str, words: str) -> None:
    install(("text/x-nothing", "read_well", "mathrag"))
    with pytest.raises(DocumentError) as caught:
        read_document(_source(data, name))
    assert caught.value.code == "no_reader"
    assert words in str(caught.value)
    _is_clear_sentence(str(caught.value))


def test_empty_and_too_large(install: Install) -> None:
    install(("text/plain", "read_well", "mathrag"))
    for data, code in ((b"", "empty"), (b" \n ", "empty"), (b"12345678901", "too_large")):
        with pytest.raises(DocumentError) as caught:
            read_document(_source(data, bytes=10))
        assert caught.value.code == code
        _is_clear_sentence(str(caught.value))


def test_read_path_knows_the_folder_and_shows_a_safe_name(install: Install, tmp_path: Path) -> None:
    install(("text/plain", f"{THIS}:read_well", "mathrag"))
    path = tmp_path / "odd\nname.txt"
    path.write_text("words")
    assert read_path(path).source == "odd\\u000aname.txt"
    assert read_path(str(path), name="shown").source == "shown"


def _pipe(folder: Path) -> Path:
    path = folder / "pipe"
    os.mkfifo(path)
    return path


def _socket(folder: Path) -> Path:
    # A socket's path may have about a hundred characters only.
    path = folder / "s"
    before = Path.cwd()
    os.chdir(folder)
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind("s")
    finally:
        os.chdir(before)
    return path


def _loop(folder: Path) -> Path:
    path = folder / "loop"
    path.symlink_to(path)
    return path


def _large(folder: Path) -> Path:
    path = folder / "large.txt"
    with path.open("wb") as file:
        file.truncate(2_000)
    return path


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (lambda folder: folder / "absent.md", "not_found"),
        (lambda folder: folder / ("x" * 5_000), "unreadable"),
        (lambda folder: folder / "a\x00b", "not_found"),
        (lambda folder: folder, "not_a_file"),
        (lambda folder: folder / os.devnull, "not_a_file"),
        (_pipe, "not_a_file"),
        (_socket, "not_a_file"),
        (_loop, "unreadable"),
        (_large, "too_large"),
    ],
)
def test_paths_that_are_no_documents(make: Callable[[Path], Path], code: str, tmp_path: Path) -> None:
    with pytest.raises(DocumentError) as caught:
        read_path(make(tmp_path), limits=ReadingLimits(bytes=1_000))
    assert caught.value.code == code
    _is_clear_sentence(str(caught.value))


@pytest.mark.parametrize(
    ("number", "code"), [(13, "unreadable"), (1, "unreadable"), (24, "unreadable"), (5, "unreadable")]
)
def test_a_file_that_cannot_be_opened(monkeypatch: pytest.MonkeyPatch, number: int, code: str) -> None:
    def refuse(*_: object) -> int:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(DocumentError) as caught:
        read_path("secret.md")
    assert caught.value.code == code
    _is_clear_sentence(str(caught.value))


def test_reader_for_an_unknown_type() -> None:
    with pytest.raises(DocumentError, match="application/x-unheard-of"):
        reader_for("application/x-unheard-of")


def _is_clear_sentence(sentence: str) -> None:
    assert sentence == sentence.strip()
    assert "\n" not in sentence
    assert sentence.isprintable()
    assert len(sentence.split()) >= 4, "too short to tell anyone what is wrong"
    assert len(sentence) <= 301
    assert "Traceback" not in sentence
    assert "None" not in sentence.replace("NoneType", "")
