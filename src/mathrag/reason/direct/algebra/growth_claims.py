"""Claims on orders of growth: `is n! = o(n^n)`, `n log n = O(n²)`, `2^(n+1) is Θ(2^n)`. Decided by the limit of the
quotient at infinity, which is found as for any question; what has no such limit is left open."""

from __future__ import annotations

import re

from mathrag.compute.algebra.analysis import INFINITY
from mathrag.compute.typed_mathematics import AmbiguousMathematicsError, UnreadMathematicsError, read_one
from mathrag.reason.direct.algebra.answers import answer_task
from mathrag.reason.direct.algebra.questions import TakeLimit
from mathrag.reason.direct.algebra.wording import plain
from mathrag.reason.direct.claim_frame import bare_claim
from mathrag.reason.direct.result import AlgebraOutcome, DirectFailure, DirectResult, DirectStatement
from mathrag.types.answer import WorkingLine
from mathrag.types.expression import Expression, divide, symbols_of

_LONGEST = 160
_CLEARLY = 1e-9
_ORDER = re.compile(
    r"(?P<left>.+?)\s*(?:=|==|∈|\\in\b|\bis(?: always)?(?: in| of(?: the)? order)?|\bin\b|\bbelongs to\b)\s*"
    r"(?P<order>\\?(?:Theta|Omega|Θ|Ω|θ|ω|omega)|big[- ]?(?:O|oh|theta|omega)|little[- ]?(?:o|oh)|small[- ]?o|O|o"
    r"|\\mathcal ?\{O\})"
    r"\s*(?:of )?\((?P<right>.+)\)\s*"
)
_IN_WORDS = re.compile(
    r"(?P<left>.+?)\s+(?:is\s+|in\s+)?(?P<order>big[- ]?(?:[Oo]|oh|theta|omega)|little[- ]?(?:[Oo]|oh)|small[- ]?o)"
    r"\s+of\s+(?P<right>.+)"
)
_AT_INFINITY = re.compile(
    r"[, ]*(?:as|for|when)\s+(?P<letter>[a-z])\s*(?:→|->|\\to|\\rightarrow|tends to|goes to|approaches)\s*"
    r"(?:∞|\\infty|infinity|inf|oo)\s*$|[, ]*for (?:large|big) [a-z]\s*$"
)
_VERB = re.compile(r"\A(?:is|does|are|do)\s+(?:it true that\s+)?", re.IGNORECASE)
_KINDS = {
    "O": "O", "bigO": "O", "bigo": "O", "bigoh": "O", "o": "o", "littleo": "o", "littleoh": "o",
    "smallo": "o", "Theta": "Θ", "Θ": "Θ", "θ": "Θ", "bigtheta": "Θ", "Omega": "Ω", "Ω": "Ω", "bigomega": "Ω",
    "ω": "ω", "omega": "ω",
}  # fmt: skip
# Which limits of the quotient make each claim true: 0, a positive number, ∞.
_TRUE_AT = {"O": ("0", "+"), "o": ("0",), "Θ": ("+",), "Ω": ("+", "∞"), "ω": ("∞",)}


def answer_growth_claim(text: str) -> AlgebraOutcome:
    """Whether one function grows as it is said; None for any other question."""
    if len(text) > _LONGEST or re.search(r"[Oo]\s?\(|Θ|Ω|ω|[Tt]heta|[Oo]mega|mathcal|\boh\b", text) is None:
        return None
    asked = _VERB.sub("", bare_claim(text.replace("$", " ")))
    at = _AT_INFINITY.search(asked)
    asked = asked[: at.start()] if at is not None else asked
    said = _ORDER.fullmatch(asked.strip()) or _IN_WORDS.fullmatch(asked.strip())
    if said is None:
        return None
    kind = _KINDS.get(re.sub(r"[ \\{}-]|mathcal", "", said["order"]), "")
    try:
        left, right = read_one(said["left"]), read_one(said["right"])
    except (UnreadMathematicsError, AmbiguousMathematicsError):
        return None
    letters = {*symbols_of(left), *symbols_of(right)}
    if not kind or len(letters) != 1:
        return None
    return _judged(left, right, kind, next(iter(letters)))


def _judged(left: Expression, right: Expression, kind: str, letter: str) -> AlgebraOutcome:
    claim = f"{plain(left)} = {kind}({plain(right)}) as {letter} → ∞"
    found = _finite(left, right, letter)
    limit = "0" if found is not None and found.quantity.value == 0 else "+"
    if found is None:
        # The other way round a limit 0 says that the first grows faster.
        found, limit = _finite(right, left, letter), "∞"
        if found is None or found.quantity.value != 0:
            return DirectFailure(
                "unsolved", f"{claim}: no limit of the quotient was found, so it is left open", "algebra"
            )
    shown = (found.text or f"the limit of the quotient is {found.quantity.value:g}").rstrip(". ")
    means = {"0": "so the first grows more slowly", "+": "so both grow alike", "∞": "so the first grows faster"}[limit]
    verdict = "True" if limit in _TRUE_AT[kind] else "False"
    text = f"{verdict}: {claim}. {shown}, {means} (decided by this limit; no further proof is given)."
    return DirectStatement(text, claim, (WorkingLine(shown),))


def _finite(over: Expression, under: Expression, letter: str) -> DirectResult | None:
    """The limit of a quotient at infinity, where it is a number: 0, or clearly another."""
    found = answer_task(TakeLimit(divide(over, under), letter, INFINITY))
    if not isinstance(found, DirectResult):
        return None
    return found if found.quantity.value == 0 or abs(found.quantity.value) > _CLEARLY else None
