"""One answer out of several attempts: the votes over their answers and scores, as an attempt to show."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mathrag.reason.steps import votes
from mathrag.reason.steps.seams import Elected
from mathrag.reason.steps.votes import Candidate, Vote
from mathrag.types.solving import Attempt, VoteRule

_RULES: dict[VoteRule, Callable[[Sequence[Candidate]], Vote]] = {
    "majority": votes.majority,
    "last": votes.last_vote,
    "min": votes.min_vote,
    "min-max": votes.min_max,
    "last-max": votes.last_max,
}


def elect(attempts: Sequence[Attempt], rule: VoteRule) -> Elected:
    """The attempt whose answer the vote chooses; of several with this answer the first one that is checked."""
    candidates = [
        Candidate(attempt.answer or None, tuple(step.score for step in attempt.steps)) for attempt in attempts
    ]
    vote = _RULES[rule](candidates)
    if vote.place is None:
        return Elected(None)
    same = next(group for group in votes.groups(candidates) if vote.place in group)
    shown = next((place for place in same if attempts[place].standing == "checked"), vote.place)
    return Elected(shown, _note(vote, len(same), attempts, rule))


def _note(vote: Vote, same: int, attempts: Sequence[Attempt], rule: VoteRule) -> str:
    """How the vote went, in words; nothing where there was nothing to choose from."""
    if len(attempts) == 1:
        return ""
    told = [f"{same} of {len(attempts)} attempts have this answer"]
    if vote.by_majority and rule != "majority":
        told.append(f"no score is known, so that the majority decided instead of {rule}")
    if vote.tied:
        told.append(f"a tie with {len(vote.tied)} other answers, of which the first is taken")
    return "; ".join(told)
