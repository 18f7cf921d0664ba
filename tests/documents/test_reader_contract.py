"""What every reader keeps, whatever its format: typed blocks with places and quotes, the same each time, and never an
error that is not a `DocumentError`. A reader from another package can be held to it by adding a sample."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from reader_samples import GARBAGE, NESTED, SAMPLES, Sample

from mathrag.documents import Source, detect_media_type, gather, make_views, read_document
from mathrag.documents.isolated import READ, document_of, reading_task
from mathrag.documents.registry import checked_document, reader_for
from mathrag.documents.seams import ReadingLimits
from mathrag.errors import DocumentError
from mathrag.isolation.pool import WorkerPool
from mathrag.isolation.tasks import Done
from mathrag.types.document import Block, Document, Place, Table, Text, contents_of, formulas_of, plain_text
from mathrag.types.json_codec import from_json, to_json

every_sample = pytest.mark.parametrize("sample", SAMPLES, ids=[sample.name for sample in SAMPLES])


def _read(sample: Sample, data: bytes | None = None, **limits: int) -> Document:
    """Through the reader itself, without the wall that would translate its errors."""
    source = Source(sample.name, sample.data if data is None else data, limits=ReadingLimits(**limits))
    return reader_for(sample.media_type)(source)


def _places(document: Document) -> Iterator[Place]:
    for block in document.blocks:
        yield block.place
        for math in formulas_of(block):
            yield math.place
        if isinstance(block, Table):
            yield from (cell.place for row in (*block.header, *block.rows) for cell in row)


@every_sample
def test_the_type_is_found_from_the_bytes(sample: Sample) -> None:
    assert detect_media_type(sample.data, sample.name) == sample.media_type


@every_sample
def test_source_hash_and_type_are_told(sample: Sample) -> None:
    document = _read(sample)
    assert document.source == sample.name
    assert document.media_type == sample.media_type
    assert document.hash == hashlib.sha256(sample.data).hexdigest()


@every_sample
def test_blocks_are_typed_and_the_formula_is_found(sample: Sample) -> None:
    document = _read(sample)
    assert all(isinstance(block, get_args(Block)) for block in document.blocks)
    assert set(sample.kinds) <= {type(block).__name__ for block in document.blocks}
    headings = [
        plain_text(content).strip()
        for block in document.blocks
        if type(block).__name__ == "Heading"
        for content in contents_of(block)
    ]
    assert tuple(headings) == sample.headings
    formulas = ["".join(math.source.split()) for block in document.blocks for math in formulas_of(block)]
    assert any(formula in ("F=ma", "F=m*a") for formula in formulas), formulas


@every_sample
def test_everything_has_its_place_and_quote(sample: Sample) -> None:
    document = _read(sample)
    lines = sample.data.count(b"\n") + 1
    for place in _places(document):
        assert place.line is not None or place.page is not None or place.path, "a place that says nothing"
        assert str(place)
        if place.line is not None and not place.path:
            assert 1 <= place.line <= (place.end_line or place.line) <= lines
    text = sample.data.decode()
    for block in document.blocks:
        assert block.quote.strip()
        if sample.is_quoted_from_source:
            assert block.quote in text
        for math in formulas_of(block):
            assert math.source.strip()
            assert math.quote.strip()
            assert math.notation in ("latex", "mathml", "text")


@every_sample
def test_quotes_stand_on_their_lines(sample: Sample) -> None:
    if not sample.is_quoted_from_source:
        pytest.skip("quotes of this format are not lines of the file")
    lines = sample.data.decode().split("\n")
    for block in _read(sample).blocks:
        assert block.place.line is not None
        first = block.quote.split("\n")[0].strip()
        assert first in lines[block.place.line - 1], (block.quote, block.place)


@every_sample
def test_no_text_is_made_of_markup(sample: Sample) -> None:
    """Scripts, comments and commands never become words."""
    for block in _read(sample).blocks:
        for content in contents_of(block):
            words = "".join(piece.text for piece in content if isinstance(piece, Text))
            assert "alert(1)" not in words
            assert "\\item" not in words
            assert "<td>" not in words


@every_sample
def test_reading_again_gives_the_same(sample: Sample) -> None:
    assert _read(sample) == _read(sample)


@every_sample
def test_documents_survive_json_exactly(sample: Sample) -> None:
    document = _read(sample)
    assert from_json(json.loads(json.dumps(to_json(document)))) == document


@every_sample
def test_views_can_be_made(sample: Sample) -> None:
    views = make_views(_read(sample))
    assert views.chunks
    assert views.equations
    assert [section.title for section in views.sections if section.title] == list(sample.headings)


@every_sample
def test_limits_are_kept(sample: Sample) -> None:
    outcome = _attempt(sample, sample.data, blocks=2)
    if isinstance(outcome, DocumentError):
        assert outcome.code == "too_large"
    else:
        assert len(outcome.blocks) <= 2
    with pytest.raises(DocumentError) as caught:
        read_document(Source(sample.name, sample.data, limits=ReadingLimits(bytes=10)))
    assert caught.value.code == "too_large"


def _attempt(sample: Sample, data: bytes, **limits: int) -> Document | DocumentError:
    """Any other error goes through and fails the test."""
    try:
        return _read(sample, data, **limits)
    except DocumentError as error:
        return error


def _is_kept(sample: Sample, data: bytes) -> None:
    """The contract on bad input: a document that can be stored and viewed, or a `DocumentError`."""
    document = _attempt(sample, data)
    if isinstance(document, DocumentError):
        assert len(document.reason.split()) >= 3
        return
    document = checked_document(document, Source(sample.name, data), sample.media_type)
    assert document.hash == hashlib.sha256(data).hexdigest()
    json.dumps(to_json(document), ensure_ascii=False).encode("utf-8")
    make_views(document)


@every_sample
@pytest.mark.parametrize("kind", GARBAGE)
def test_garbage_gives_a_document_or_a_clear_error(sample: Sample, kind: str) -> None:
    _is_kept(sample, GARBAGE[kind])


@every_sample
def test_files_cut_anywhere(sample: Sample) -> None:
    step = max(1, len(sample.data) // 120)
    for length in range(0, len(sample.data), step):
        _is_kept(sample, sample.data[:length])


@every_sample
def test_files_with_damaged_bytes(sample: Sample) -> None:
    chance = random.Random(sample.name)
    for _ in range(60):
        data = bytearray(sample.data)
        for _ in range(chance.randrange(1, 12)):
            place = chance.randrange(len(data))
            match chance.randrange(3):
                case 0:
                    data[place] = chance.randrange(256)
                case 1:
                    del data[place : place + chance.randrange(1, 40)]
                case _:
                    data[place:place] = chance.choice(
                        (b"$", b"{", b"}", b"<", b"|", b"\\", b'"', b"\n\n", b"\xff", b"%", b"[", b"&")
                    )
        _is_kept(sample, bytes(data))


@every_sample
def test_every_reader_survives_every_other_format(sample: Sample) -> None:
    for other in SAMPLES:
        _is_kept(sample, other.data)


@pytest.mark.parametrize(
    ("media_type", "kind"), [(media_type, kind) for media_type, kinds in NESTED.items() for kind in kinds]
)
def test_deep_and_endless_structures(media_type: str, kind: str) -> None:
    sample = next(sample for sample in SAMPLES if sample.media_type == media_type)
    _is_kept(sample, NESTED[media_type][kind])


def test_a_folder_is_read_in_worker_processes_as_it_is_here(tmp_path: Path) -> None:
    for sample in SAMPLES:
        (tmp_path / sample.name).write_bytes(sample.data)
    (tmp_path / "broken.md").write_bytes(b"\x7fELF" + bytes(100))
    (tmp_path / "empty.md").write_bytes(b"")
    found = [item for item in gather([str(tmp_path)]) if item.is_ready]
    limits = ReadingLimits(seconds=60, megabytes=1024)
    with WorkerPool([READ], workers=2, limits=limits.worker_limits()) as pool:
        outcomes = {outcome.task.key: outcome for outcome in pool.run(reading_task(item, limits) for item in found)}
    assert set(outcomes) == {item.key for item in found}
    by_name = {Path(key).name: outcome for key, outcome in outcomes.items()}
    for sample in SAMPLES:
        outcome = by_name.pop(sample.name)
        assert isinstance(outcome, Done), outcome
        document = document_of(outcome.result)
        assert document.blocks == _read(sample).blocks
        assert document.source == f"{tmp_path.name}/{sample.name}"
    assert {name: getattr(outcome, "code", "done") for name, outcome in by_name.items()} == {
        "broken.md": "no_reader",
        "empty.md": "empty",
    }
