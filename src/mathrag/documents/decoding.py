"""Bytes of a text document to characters with `\\n` line ends. Guesses no language and repairs no words."""

from __future__ import annotations

import codecs
from dataclasses import dataclass

from mathrag.documents.seams import Source
from mathrag.errors import DocumentError
from mathrag.types.document import Place, ReaderNote

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CONTROLS = {code: None for code in range(32) if chr(code) not in "\t\n\r\f\v\x1b"} | {0x7F: None}
_MOST_CONTROLS = 0.02
# Text in another encoding has hardly any characters that happen to be whole in UTF-8.
_WHOLE_FOR_EACH_BROKEN = 4
_NAMES = {"cp1252": "Windows-1252", "latin-1": "Latin-1"}


@dataclass(frozen=True, slots=True)
class DecodedText:
    """The characters of a document, how they were encoded, and what had to be assumed to read them."""

    text: str
    encoding: str
    notes: tuple[ReaderNote, ...] = ()


def decode(source: Source) -> DecodedText:
    """The text of a source. Raises `DocumentError`: `too_large` beyond the limit, `encoding` where it is no text."""
    if len(source.data) > source.limits.bytes:
        raise DocumentError(
            "too_large",
            f"{source.name} has {len(source.data):,} bytes and the limit is {source.limits.bytes:,}; split it or raise "
            "the limit",
        )
    decoded = _decode(source)
    _refuse_binary(decoded.text, source.name)
    return decoded


def normalise_lines(text: str) -> str:
    """Every line end as `\\n`, so that all readers count the same lines; a new page begins no line of its own."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.replace("\f", " ").replace("\v", " ")


def _decode(source: Source) -> DecodedText:
    for mark, encoding in _MARKS:
        if source.data.startswith(mark):
            try:
                text = source.data[len(mark) :].decode(encoding)
            except UnicodeDecodeError as error:
                raise DocumentError(
                    "encoding",
                    f"{source.name} begins like {encoding.upper()} but byte {error.start + len(mark):,} does not fit; "
                    "save it again as UTF-8",
                ) from error
            if not text:
                raise DocumentError("empty", f"{source.name} holds nothing but the mark of its encoding")
            return DecodedText(normalise_lines(text), encoding)
    try:
        return DecodedText(normalise_lines(source.data.decode("utf-8")), "utf-8")
    except UnicodeDecodeError as error:
        return _decode_by_code_page(source, error.start)


def _decode_by_code_page(source: Source, first_bad: int) -> DecodedText:
    if b"\0" in source.data:
        raise _not_text(source.name)
    mended = _mostly_utf8(source, first_bad)
    if mended is not None:
        return mended
    encoding = "cp1252"
    try:
        text = source.data.decode(encoding)
    except UnicodeDecodeError:
        encoding = "latin-1"
        text = source.data.decode(encoding)
    line = source.data.count(b"\n", 0, first_bad) + 1
    note = ReaderNote(
        "encoding",
        f"not UTF-8 from line {line} on; read as {_NAMES[encoding]}, so letters with accents and signs may be wrong",
        Place(line=line),
    )
    return DecodedText(normalise_lines(text), encoding, (note,))


def _mostly_utf8(source: Source, first_bad: int) -> DecodedText | None:
    """UTF-8 with a few broken characters, such as one cut off at the end; None where it is another encoding."""
    text = source.data.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    whole = sum(not character.isascii() for character in text) - broken
    if whole < _WHOLE_FOR_EACH_BROKEN * broken:
        return None
    line = source.data.count(b"\n", 0, first_bad) + 1
    note = ReaderNote("encoding", f"{broken} broken characters, the first in line {line}", Place(line=line))
    return DecodedText(normalise_lines(text), "utf-8", (note,))


def _refuse_binary(text: str, name: str) -> None:
    if "\0" in text:
        raise _not_text(name)
    sample = text if len(text) <= 200_000 else text[:100_000] + text[-100_000:]
    controls = len(sample) - len(sample.translate(_CONTROLS))
    if controls > 4 and controls > _MOST_CONTROLS * len(sample):
        raise _not_text(name)


def _not_text(name: str) -> DocumentError:
    return DocumentError("encoding", f"{name} is not text: it holds bytes no text has; is its ending right?")
