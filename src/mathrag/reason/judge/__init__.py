"""The one judge of plans: what speaks against computing one, as coded findings that bind whoever proposed it."""

from mathrag.reason.judge.asked import is_grounded
from mathrag.reason.judge.checks import RULES
from mathrag.reason.judge.impossible import Trial
from mathrag.reason.judge.judge import Judge, agree, binding
from mathrag.reason.judge.rivals import NO_DOUBTS, DoubtFinder, Doubts, refused_for, with_doubts

__all__ = [
    "NO_DOUBTS",
    "RULES",
    "DoubtFinder",
    "Doubts",
    "Judge",
    "Trial",
    "agree",
    "binding",
    "is_grounded",
    "refused_for",
    "with_doubts",
]
