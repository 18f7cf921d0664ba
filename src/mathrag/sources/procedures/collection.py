"""A file of worked solutions to `Solution`s: JSON lines, a JSON list or one JSON object, in one of the known formats.

Everything in such a file is foreign. A record that is not what its format says is told with its line and left out; no
record stops the file. Sizes are bounded before anything is built from them.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mathrag.errors import UsageError
from mathrag.sources.procedures import gsm8k, math_problems, prm800k, prmbench, processbench
from mathrag.sources.procedures.fields import RecordError
from mathrag.types.solution import Solution

LARGEST_FILE = 256 * 1024 * 1024
# A list or an object is read as a whole, which takes several times its size.
_LARGEST_WHOLE = 64 * 1024 * 1024
_LONGEST_LINE = 4 * 1024 * 1024
_MOST_RECORDS = 200_000
# The format is told by the first records; a file whose first ones are all broken needs it to be named.
_LOOKED_AT = 50
_LONGEST_REASON = 200

_VISIBLE = re.compile(r"\S")

Record = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class CollectionFormat:
    """One way of writing solutions down: how its records are known, and how one is read."""

    name: str
    is_like: Callable[[Record], bool]
    read: Callable[[Record], Sequence[Solution]]


FORMATS: Mapping[str, CollectionFormat] = {
    one.name: one
    for one in (
        CollectionFormat("prm800k", prm800k.is_like, prm800k.read),
        CollectionFormat("prmbench", prmbench.is_like, prmbench.read),
        CollectionFormat("processbench", processbench.is_like, processbench.read),
        CollectionFormat("gsm8k", gsm8k.is_like, gsm8k.read),
        CollectionFormat("math", math_problems.is_like, math_problems.read),
    )
}


@dataclass(frozen=True, slots=True)
class BadRecord:
    """A record that could not be read: its line, or its number where the file is a list, and why."""

    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class ReadRecord:
    """The solutions of one record. They belong together: a wrong way stands beside the right one."""

    line: int
    solutions: tuple[Solution, ...]


@dataclass(frozen=True, slots=True)
class ReadCollection:
    """What a file gave."""

    format: str
    records: tuple[ReadRecord, ...]
    bad: tuple[BadRecord, ...]


def read_collection(content: bytes, *, form: str | None = None) -> ReadCollection:
    """Read a file of solutions; `form` names its format, which else is told by the fields of its records."""
    if form is not None and form not in FORMATS:
        raise UsageError(f"there is no format {form!r} of solutions; there are {', '.join(FORMATS)}")
    if len(content) > LARGEST_FILE:
        raise UsageError(f"the file is larger than {LARGEST_FILE // 1024 // 1024} MB; divide it")
    parsed = list(_records(content))
    known = FORMATS[form] if form is not None else _recognised(parsed)
    records: list[ReadRecord] = []
    bad: list[BadRecord] = []
    for line, value in parsed:
        if isinstance(value, RecordError):
            bad.append(BadRecord(line, str(value)))
            continue
        try:
            records.append(ReadRecord(line, tuple(known.read(value))))
        except RecordError as error:
            bad.append(BadRecord(line, str(error)[:_LONGEST_REASON]))
    return ReadCollection(known.name, tuple(records), tuple(bad))


def _recognised(parsed: Sequence[tuple[int, Record | RecordError]]) -> CollectionFormat:
    """The format that most of the first records are like."""
    looked_at = [value for _, value in parsed if not isinstance(value, RecordError)][:_LOOKED_AT]
    counts = Counter(one.name for value in looked_at for one in FORMATS.values() if one.is_like(value))
    if not counts:
        names = ", ".join(FORMATS)
        raise UsageError(f"the records look like none of the known formats ({names}); name one with --format")
    best = max(counts.values())
    return next(one for one in FORMATS.values() if counts[one.name] == best)


def _records(content: bytes) -> Iterator[tuple[int, Record | RecordError]]:
    """Every record with its line; what is no record with the reason."""
    text = content.decode("utf-8-sig", "replace")
    if _is_spread(text):
        yield from _spread_records(text)
        return
    count = 0
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        count += 1
        if count > _MOST_RECORDS:
            yield number, RecordError(f"only the first {_MOST_RECORDS} records of a file are read")
            return
        yield number, _parsed(line)


def _is_spread(text: str) -> bool:
    """Whether the file is a JSON list, or objects over several lines, and no JSON lines."""
    start = text.lstrip()
    if len(text) > _LARGEST_WHOLE or start[:1] not in ("[", "{"):
        return False
    return start[0] == "[" or isinstance(_parsed(start.split("\n", 1)[0]), RecordError)


def _spread_records(text: str) -> Iterator[tuple[int, Record | RecordError]]:
    """The values of such a file one after the other; a list gives its members, under their numbers."""
    decoder = json.JSONDecoder()
    place, line = 0, 1
    while True:
        found = _VISIBLE.search(text, place)
        if found is None:
            return
        start = found.start()
        line += text.count("\n", place, start)
        try:
            value, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            yield line, RecordError("from here on the file is no JSON")
            return
        if isinstance(value, list):
            yield from ((number, _checked(each)) for number, each in enumerate(value[:_MOST_RECORDS], 1))
        else:
            yield line, _checked(value)
        line += text.count("\n", start, end)
        place = end


def _parsed(line: str) -> Record | RecordError:
    if len(line) > _LONGEST_LINE:
        return RecordError(f"it is longer than {_LONGEST_LINE // 1024 // 1024} MB")
    try:
        return _checked(json.loads(line))
    except RecursionError:
        return RecordError("its JSON is nested too deeply")
    except ValueError:
        return RecordError("it is no JSON")


def _checked(value: Any) -> Record | RecordError:
    return value if isinstance(value, dict) else RecordError("it is no JSON object")
