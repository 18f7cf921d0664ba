"""What a language model proposes of one chunk, record by record, and what becomes of a record that fails a check.

Everything here is as the model said it: strings of bounded length, believed by nobody until `checks` has passed them.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Literal, TypeAlias

from mathrag.llm.messages import Schema
from mathrag.types.document import Place
from mathrag.types.json_value import Json
from mathrag.types.library import RELATION_KINDS

ProposalKind: TypeAlias = Literal["formula", "constant", "relation", "reply"]

# A reply may hold more; what exceeds these is set aside unread.
MOST_FORMULAS = 12
MOST_CONSTANTS = 8
MOST_RELATIONS = 10
MOST_PARAMETERS = 12
MOST_KEYWORDS = 8
MOST_CONDITIONS = 4


@dataclass(frozen=True, slots=True)
class Parameter:
    """What the model says a symbol of its formula is. `unit` is empty where it names none."""

    symbol: str
    description: str = ""
    unit: str = ""


@dataclass(frozen=True, slots=True)
class FormulaProposal:
    """A formula, or more about one that the rules found: `finding` is then its short name, such as `F2`.

    `name` is how relations of the same reply speak of it: `N1` is the first new formula. `record` is its JSON.
    `was_seen`: read off a picture of the page, so that it may confirm what the page reader could only guess.
    """

    chunk: int
    name: str
    record: str = field(repr=False)
    finding: str = ""
    latex: str = ""
    python: str = ""
    label: str = ""
    description: str = ""
    intent: str = ""
    parameters: tuple[Parameter, ...] = ()
    keywords: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    quote: str = ""
    was_seen: bool = False


@dataclass(frozen=True, slots=True)
class ConstantProposal:
    """A constant with its value as text, digit for digit."""

    chunk: int
    name: str
    record: str = field(repr=False)
    symbol: str = ""
    value: str = ""
    unit: str = ""
    description: str = ""
    intent: str = ""
    keywords: tuple[str, ...] = ()
    quote: str = ""


@dataclass(frozen=True, slots=True)
class RelationProposal:
    """How two formulas hang together; `source` and `target` are short names, labels or LaTeX of either side."""

    chunk: int
    record: str = field(repr=False)
    kind: str = ""
    source: str = ""
    target: str = ""
    confidence: float = 0.0
    quote: str = ""
    peers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class MalformedProposal:
    """A record, or a whole reply, that is not what was asked for."""

    chunk: int
    kind: ProposalKind
    record: str = field(repr=False)
    code: str = "malformed"
    reason: str = ""


Proposal: TypeAlias = FormulaProposal | ConstantProposal | RelationProposal | MalformedProposal


@dataclass(frozen=True, slots=True)
class RejectedProposal:
    """A record, or a field of one, that failed a check: which (`code`), why in a sentence, and what it rested on.

    `kind` is `formula`, `constant`, `relation` or `reply`. `place` is that of the chunk, or of the quote within it
    where that is known. `record` is the JSON of what was set aside. `chunk` is the ordinal of the chunk asked about.
    """

    document: str
    place: Place
    kind: ProposalKind
    record: str
    code: str
    reason: str
    quote: str = ""
    chunk: int = -1


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a check failed: a stable code and a sentence for people."""

    code: str
    reason: str


# A model's reply, already JSON, as typed records. Cuts and counts; judges nothing that a record says.
#
# Whatever the reply is, the result is a bounded number of records: those that are not what was asked for come back as
# `MalformedProposal` with the reason.

_LONGEST_RECORD = 4_000
_LONGEST_NUMBER = 60
# The longest each field may be; a longer one makes the record malformed, because half of it would say something else.
_LONGEST = {
    "finding": 20,
    "latex": 600,
    "python": 600,
    "label": 200,
    "description": 600,
    "intent": 400,
    "quote": 1_200,
    "symbol": 60,
    "unit": 60,
    "value": 80,
    "kind": 40,
    "source": 600,
    "target": 600,
}
_LONGEST_KEYWORD = 60
_LONGEST_CONDITION = 200
# A model that forgets to write a backslash twice turns commands into control characters.
_ESCAPES = {"\x08": "b", "\x0c": "f", "\t": "t", "\r": "r", "\n": "n"}
_LOST = re.compile(
    r"[\x08\x0c](?=[a-zA-Z])|\t(?=heta|au|imes|an\b|anh|ext|o\b|frac)|\r(?=ho|ight|m\{|angle)|\n(?=u\b|abla|eq|e\b)"
)


def read_proposals(reply: Json, *, chunk: int = 0) -> tuple[Proposal, ...]:
    """The records of a reply. `chunk` is the ordinal of the chunk that was asked about."""
    if not isinstance(reply, Mapping):
        reason = f"the reply is {_kind_of(reply)}, not an object with lists of records"
        return (MalformedProposal(chunk, "reply", _shown(reply), reason=reason),)
    found: list[Proposal] = []
    fresh = 0
    for index, record in enumerate(_records(reply, "formulas", "formula", MOST_FORMULAS, chunk)):
        if isinstance(record, MalformedProposal):
            found.append(record)
            continue
        fresh += not _finding_of(record)
        name = f"{_finding_of(record)}#{index}" if _finding_of(record) else f"N{fresh}"
        found.append(_kept(partial(_formula, record, name, chunk), record, "formula", chunk))
    for number, record in enumerate(_records(reply, "constants", "constant", MOST_CONSTANTS, chunk), 1):
        if isinstance(record, MalformedProposal):
            found.append(record)
        else:
            found.append(_kept(partial(_constant, record, f"K{number}", chunk), record, "constant", chunk))
    peers = tuple(_peers(found))
    for record in _records(reply, "relations", "relation", MOST_RELATIONS, chunk):
        if isinstance(record, MalformedProposal):
            found.append(record)
        else:
            found.append(_kept(partial(_relation, record, peers, chunk), record, "relation", chunk))
    return tuple(found)


def _records(
    reply: Mapping[str, Json], key: str, kind: ProposalKind, most: int, chunk: int
) -> Iterator[Mapping[str, Json] | MalformedProposal]:
    listed = reply.get(key)
    if listed is None:
        return
    if not isinstance(listed, list):
        yield MalformedProposal(chunk, kind, _shown(listed), reason=f"{key} is {_kind_of(listed)}, not a list")
        return
    seen: set[str] = set()
    for record in listed[:most]:
        if not isinstance(record, Mapping):
            yield MalformedProposal(chunk, kind, _shown(record), reason=f"a record is {_kind_of(record)}, no object")
            continue
        written = _shown(record)
        if written not in seen:
            seen.add(written)
            yield record
    if len(listed) > most:
        reason = f"{len(listed)} records where at most {most} are read; {len(listed) - most} were not looked at"
        yield MalformedProposal(chunk, kind, "{}", "too_many_records", reason)


def _kept(make: Callable[[], Proposal], record: Mapping[str, Json], kind: ProposalKind, chunk: int) -> Proposal:
    try:
        return make()
    except _FieldError as error:
        return MalformedProposal(chunk, kind, _shown(record), reason=str(error))


class _FieldError(ValueError):
    """A field that is not what was asked for."""


def _finding_of(record: Mapping[str, Json]) -> str:
    named = record.get("finding")
    return named.strip().upper() if isinstance(named, str) and named.strip().casefold() not in ("", "new") else ""


def _formula(record: Mapping[str, Json], name: str, chunk: int) -> FormulaProposal:
    return FormulaProposal(
        chunk=chunk,
        name=name,
        record=_shown(record),
        finding=_finding_of({"finding": _text(record, "finding")}),
        latex=restored(_text(record, "latex")).strip(),
        python=_text(record, "python").strip(),
        label=_line(record, "label"),
        description=_line(record, "description"),
        intent=_line(record, "intent"),
        parameters=_parameters(record),
        keywords=_texts(record, "keywords", MOST_KEYWORDS, _LONGEST_KEYWORD),
        conditions=_texts(record, "conditions", MOST_CONDITIONS, _LONGEST_CONDITION),
        quote=_text(record, "quote"),
    )


def _constant(record: Mapping[str, Json], name: str, chunk: int) -> ConstantProposal:
    return ConstantProposal(
        chunk=chunk,
        name=name,
        record=_shown(record),
        symbol=restored(_text(record, "symbol")).strip(),
        value=_number(record),
        unit=_text(record, "unit").strip(),
        description=_line(record, "description"),
        intent=_line(record, "intent"),
        keywords=_texts(record, "keywords", MOST_KEYWORDS, _LONGEST_KEYWORD),
        quote=_text(record, "quote"),
    )


def _relation(record: Mapping[str, Json], peers: tuple[tuple[str, str], ...], chunk: int) -> RelationProposal:
    confidence = record.get("confidence", 0.0)
    if isinstance(confidence, bool) or not isinstance(confidence, int | float) or not math.isfinite(confidence):
        raise _FieldError("the confidence is no number between 0 and 1")
    return RelationProposal(
        chunk=chunk,
        record=_shown(record),
        kind=_text(record, "kind").strip(),
        source=restored(_text(record, "source")).strip(),
        target=restored(_text(record, "target")).strip(),
        confidence=min(1.0, max(0.0, float(confidence))),
        quote=_text(record, "quote"),
        peers=peers,
    )


def _peers(found: list[Proposal]) -> Iterator[tuple[str, str]]:
    """What the formulas and constants of the reply can be called in its relations, each with its name."""
    for one in found:
        match one:
            case FormulaProposal():
                for called in (one.name, one.label, one.latex):
                    if called:
                        yield called, one.finding or one.name
            case ConstantProposal():
                yield one.name, one.name
                if one.symbol:
                    yield one.symbol, one.name


def _parameters(record: Mapping[str, Json]) -> tuple[Parameter, ...]:
    listed = record.get("parameters", [])
    if isinstance(listed, Mapping):
        # Some write an object from symbol to meaning.
        listed = [{"symbol": symbol, "description": said} for symbol, said in listed.items()]
    if not isinstance(listed, list):
        raise _FieldError(f"parameters is {_kind_of(listed)}, not a list")
    if len(listed) > MOST_PARAMETERS:
        raise _FieldError(f"{len(listed)} parameters where at most {MOST_PARAMETERS} are read")
    found: list[Parameter] = []
    for item in listed:
        if not isinstance(item, Mapping):
            raise _FieldError(f"a parameter is {_kind_of(item)}, not an object")
        symbol = restored(_text(item, "symbol")).strip().strip("$").strip()
        if symbol:
            found.append(Parameter(symbol, _line(item, "description"), _text(item, "unit").strip()))
    return tuple(found)


def _texts(record: Mapping[str, Json], key: str, most: int, longest: int) -> tuple[str, ...]:
    listed = record.get(key, [])
    if isinstance(listed, str):
        listed = listed.split(",")
    if not isinstance(listed, list):
        raise _FieldError(f"{key} is {_kind_of(listed)}, not a list")
    texts = [" ".join(item.split()) for item in listed[:most] if isinstance(item, str) and len(item) <= longest]
    return tuple(dict.fromkeys(text for text in texts if text))


def _text(record: Mapping[str, Json], key: str) -> str:
    value = record.get(key, "")
    if value is None:
        return ""
    if not isinstance(value, str):
        raise _FieldError(f"{key} is {_kind_of(value)}, not text")
    if len(value) > _LONGEST[key]:
        raise _FieldError(f"{key} has {len(value)} characters where at most {_LONGEST[key]} are read")
    return value


def _line(record: Mapping[str, Json], key: str) -> str:
    return " ".join(_text(record, key).split())


def _number(record: Mapping[str, Json]) -> str:
    """The value of a constant. A bare JSON number is taken as its digits; if it was rounded, that shows later."""
    value = record.get("value", "")
    if isinstance(value, bool) or not isinstance(value, int | float):
        return _text(record, "value").strip()
    if isinstance(value, float) and not math.isfinite(value):
        raise _FieldError("the value is no number")
    if isinstance(value, int) and value.bit_length() > 4 * _LONGEST_NUMBER:
        raise _FieldError("the value has more digits than any constant")
    return repr(value)


def restored(text: str) -> str:
    r"""LaTeX whose backslashes were read as escapes of JSON: a form feed before `rac` was `\frac`."""
    return _LOST.sub(lambda lost: "\\" + _ESCAPES[lost.group()], text)


def _kind_of(value: Json) -> str:
    match value:
        case None:
            return "empty"
        case bool():
            return "a truth value"
        case int() | float():
            return "a number"
        case str():
            return "text"
        case list():
            return "a list"
        case _:
            return "an object"


def _shown(value: Json) -> str:
    """JSON of a record for people to look at, cut where it is long; the same record is always shown the same way."""
    try:
        text = json.dumps(value, ensure_ascii=False, sort_keys=True, allow_nan=False)
    except (ValueError, RecursionError, TypeError):
        # NaN and the like are no JSON, whatever they came in.
        text = '"a record that cannot be written as JSON"'
    is_long = len(text) > _LONGEST_RECORD
    shown = "".join(
        character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text[:_LONGEST_RECORD]
    )
    return json.dumps(shown + "…", ensure_ascii=False) if is_long else shown


# The form in which a model is asked for its proposals: a flat JSON schema that small models can follow.
#
# Lengths of texts are not part of it, because servers turn a schema into a grammar and long repetitions make that
# slow; the reader of replies above cuts what is too long.

_TEXT: Json = {"type": "string"}


def _object(**properties: Json) -> Json:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _list(items: Json, most: int) -> Json:
    return {"type": "array", "items": items, "maxItems": most}


_FORMULA = _object(
    quote=_TEXT,
    finding=_TEXT,
    latex=_TEXT,
    python=_TEXT,
    label=_TEXT,
    description=_TEXT,
    intent=_TEXT,
    parameters=_list(_object(symbol=_TEXT, description=_TEXT, unit=_TEXT), MOST_PARAMETERS),
    keywords=_list(_TEXT, MOST_KEYWORDS),
    conditions=_list(_TEXT, MOST_CONDITIONS),
)
_CONSTANT = _object(
    quote=_TEXT,
    symbol=_TEXT,
    value=_TEXT,
    unit=_TEXT,
    description=_TEXT,
    intent=_TEXT,
    keywords=_list(_TEXT, MOST_KEYWORDS),
)
_RELATION = _object(
    quote=_TEXT,
    kind={"type": "string", "enum": list(RELATION_KINDS)},
    source=_TEXT,
    target=_TEXT,
    confidence={"type": "number", "minimum": 0, "maximum": 1},
)

PROPOSALS = Schema(
    "proposals",
    _object(
        formulas=_list(_FORMULA, MOST_FORMULAS),
        constants=_list(_CONSTANT, MOST_CONSTANTS),
        relations=_list(_RELATION, MOST_RELATIONS),
    ),
)
