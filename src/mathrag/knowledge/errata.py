"""What dictionaries state and is false as it stands, each with the reason. They are kept and exported word for word;
where they are shown, what is false says so.

`data/errata.toml` is the source. An entry names a concept and a piece of its words or of the LaTeX of a formula
(`says`), with `formal` where the formula behind those words is false too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from mathrag.errors import DataFileError
from mathrag.knowledge.data_files import compiled
from mathrag.types.concept import Concept, ConceptExample, ConceptProperty, SampleCheck

_KEYS = frozenset({"concept", "says", "formal", "why"})
_SENTENCE_ENDS = (". ", "; ")


@dataclass(frozen=True, slots=True)
class Erratum:
    """A false statement of a concept, found by a piece of it."""

    concept: str
    says: str
    why: str
    is_formal: bool = False


def remarked(concept: Concept) -> Concept:
    """The concept with remarks where its dictionary errs: in the description behind the sentence, in examples at the
    end; a property that is false counts as failed."""
    for one in _errata().get(concept.name, ()):
        concept = _with_remark(concept, one)
    return concept


def _with_remark(concept: Concept, one: Erratum) -> Concept:
    return replace(
        concept,
        description=_noted(concept.description, one),
        properties=tuple(_judged(concept.properties, one)),
        examples=tuple(_noted_example(each, one) for each in concept.examples),
    )


def _noted(text: str, one: Erratum) -> str:
    """The text with the remark behind the sentence that has the words."""
    plain = " ".join(text.split())
    place = plain.find(one.says)
    if place < 0:
        return text
    ends = (plain.find(mark, place + len(one.says) - 1) for mark in _SENTENCE_ENDS)
    end = min((each + 1 for each in ends if each >= 0), default=len(plain))
    return f"{plain[:end]} [This is false as it stands: {one.why}]{plain[end:]}"


def _noted_example(example: ConceptExample, one: Erratum) -> ConceptExample:
    noted = _noted(example.text, one)
    return example if noted == example.text else replace(example, text=noted)


def _judged(properties: tuple[ConceptProperty, ...], one: Erratum) -> Iterator[ConceptProperty]:
    is_behind = False
    for each in properties:
        is_said = any(one.says in " ".join(written.split()) for written in (each.text, each.latex))
        is_meant = is_said or (is_behind and each.kind == "formal")
        is_behind = is_said and one.is_formal
        yield replace(each, check=SampleCheck("fails", reason=one.why)) if is_meant else each


@cache
def _errata() -> dict[str, tuple[Erratum, ...]]:
    found: dict[str, tuple[Erratum, ...]] = {}
    for one in all_errata():
        found[one.concept] = (*found.get(one.concept, ()), one)
    return found


def all_errata() -> tuple[Erratum, ...]:
    """Every entry of the file, checked."""
    return tuple(map(_erratum, compiled("errata.json")["erratum"]))


def _erratum(row: dict[str, Any]) -> Erratum:
    is_whole = all(row.get(key) for key in ("concept", "says")) and str(row.get("why", "")).endswith(".")
    if row.keys() - _KEYS or not is_whole:
        raise DataFileError(f"erratum of {row.get('concept', '')!r}: it needs concept, says, and why as a sentence")
    return Erratum(row["concept"], row["says"], row["why"], bool(row.get("formal")))
