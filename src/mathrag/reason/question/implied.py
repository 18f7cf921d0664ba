"""Values that words imply without a number ("from rest", "room temperature"), from a data file; a stated one wins."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from mathrag.knowledge.spelling import normal_words
from mathrag.knowledge.units import read_canonical_unit
from mathrag.language.tokens import Token
from mathrag.types.quantity import Quantity
from mathrag.types.question import Given, Target


@dataclass(frozen=True, slots=True)
class ImpliedValue:
    """An entry of the data file."""

    quantity: Quantity
    names: str
    roles: tuple[str, ...]
    assumption: str


@cache
def implied_phrases() -> dict[str, tuple[ImpliedValue, ...]]:
    """Every phrase of the data file with what it implies."""
    source = resources.files("mathrag.reason.question").joinpath("data", "implied.toml").read_text("utf-8")
    found: dict[str, list[ImpliedValue]] = {}
    for entry in tomllib.loads(source)["implied"]:
        item = ImpliedValue(
            Quantity(entry["value"], read_canonical_unit(entry["unit"])),
            entry["names"],
            tuple(entry["roles"]),
            entry.get("assumption", ""),
        )
        for phrase in entry["phrases"]:
            found.setdefault(phrase, []).append(item)
    return {phrase: tuple(items) for phrase, items in found.items()}


@cache
def _first_words() -> frozenset[str]:
    return frozenset(phrase.split()[0] for phrase in implied_phrases())


def read_implied(text: str, tokens: Sequence[Token], givens: Sequence[Given], targets: Sequence[Target]) -> list[Given]:
    """What the words imply, except where the question states or asks for that very value."""
    phrases = implied_phrases()
    firsts = _first_words()
    found: list[Given] = []
    taken = 0
    for index, token in enumerate(tokens):
        # What lies inside a longer phrase ("initially at rest") says nothing more.
        if token.lower not in firsts or index < taken:
            continue
        for length in range(6, 0, -1):
            run = tokens[index : index + length]
            if len(run) < length or any(item.kind != "word" for item in run):
                continue
            items = phrases.get(" ".join(item.lower for item in run))
            if items is None:
                continue
            measured = index > 0 and tokens[index - 1].kind == "value"
            for item in items:
                if measured and item.quantity.unit.text == "m":
                    # `2 m from the ground` is a distance.
                    continue
                given = _given(text, run, item, givens)
                if not _is_stated(given, [*givens, *found]) and not _is_asked(item, targets):
                    found.append(given)
            taken = index + length
            break
    return found


def _given(text: str, run: Sequence[Token], item: ImpliedValue, givens: Sequence[Given]) -> Given:
    start, end = run[0].start, run[-1].end
    before = [given.clause for given in givens if given.start <= start]
    return Given(
        text=text[start:end],
        start=start,
        end=end,
        readings=(item.quantity,),
        phrase=item.names,
        words=tuple(normal_words(item.names).split()),
        roles=item.roles,
        clause=before[-1] if before else 0,
        implied=True,
        assumption=item.assumption,
    )


def _is_stated(implied: Given, others: Sequence[Given]) -> bool:
    """Whether a value of the same dimension and state is already there, by number or by other words."""
    dimension = implied.readings[0].dimension
    for other in others:
        if other.readings[0].dimension != dimension:
            continue
        if other.implied and set(other.roles) == set(implied.roles):
            return True
        if not other.implied and (set(other.roles) & set(implied.roles) or implied.assumption):
            return True
    return False


def _is_asked(item: ImpliedValue, targets: Sequence[Target]) -> bool:
    """`What is the atmospheric pressure?` asks for the value itself."""
    return bool(item.assumption) and any(
        normal_words(item.names) == normal_words(target.phrase) for target in targets[:1]
    )
