"""The gate over cards of concepts: whether the form of a card tells a labelled concept from another that was found.

Labels decide, as everywhere. Each half of the problems is ranked by what the labels of the other half say, so that no
label decides about its own problem.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from mathrag.evaluate.problem_retrieval import is_of_half
from mathrag.retrieve.concepts import ConceptHit, card_text
from mathrag.retrieve.final_rank import final_rank, quality_weight
from mathrag.retrieve.gate import GatedText, decide
from mathrag.retrieve.quality import rule_score
from mathrag.types.quality import GateDecision

Half: TypeAlias = Literal["odd", "even"]
_OTHER: Mapping[Half, Half] = {"odd": "even", "even": "odd"}
# Cards far down differ from labelled ones in much else than their form.
_MOST_LOOKED_AT = 10


@dataclass(frozen=True, slots=True)
class FoundCards:
    """What was found for a problem, best first, and the names it is labelled with."""

    wanted: Sequence[str]
    hits: Sequence[ConceptHit]


class CardGate:
    """What was decided for each half of the problems, and the order that follows from it."""

    def __init__(self, found: Sequence[FoundCards]) -> None:
        self.decisions: dict[Half, GateDecision] = {half: decide(_texts(found, _OTHER[half])) for half in _OTHER}

    def ranked(self, place: int, hits: Sequence[ConceptHit]) -> tuple[ConceptHit, ...]:
        """The hits of the problem at this place: by fit and form where the gate chose that, else by fit."""
        half: Half = "odd" if is_of_half(place, "odd") else "even"
        if self.decisions[half].choice != "rules":
            return tuple(hits)
        qualities = [rule_score(card_text(one.concept)).value for one in hits]
        order = final_rank([one.score for one in hits], qualities, weight=quality_weight())
        return tuple(hits[one.place] for one in order)


def _texts(found: Sequence[FoundCards], half: Half) -> list[GatedText]:
    return [
        GatedText(rule_score(card_text(hit.concept)).value, is_right=hit.concept.name in one.wanted, group=str(place))
        for place, one in enumerate(found)
        if one.wanted and is_of_half(place, half)
        for hit in one.hits[:_MOST_LOOKED_AT]
    ]
