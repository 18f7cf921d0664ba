"""Whether a law of probabilities holds for all events: `P(A or B) = P(A) + P(B)`, `P(A|B) = P(B|A)`, Bayes' theorem."""

from __future__ import annotations

import re
from fractions import Fraction

from mathrag.compute.algebra.event_probabilities import (
    EventStatement,
    Relation,
    UnreadEventsError,
    counterexample,
    is_identity,
    is_monotone,
    read_events,
)
from mathrag.language.enumeration import listed
from mathrag.reason.direct.claim_frame import bare_claim
from mathrag.reason.direct.question_text import tidy
from mathrag.reason.direct.result import AlgebraOutcome, DirectStatement
from mathrag.types.answer import WorkingLine

_LONGEST = 240
_OF_EVENTS = re.compile(r"(?:\b|\\)P(?:r|rob)?\s?(?:\\left)?[(\[{]|\\(?:mathbb|Pr)\b")
_WRITTEN = tuple(
    (re.compile(pattern), sign)
    for pattern, sign in (
        (r"\$+|\\(?:left|right|,|;|!|quad|displaystyle)(?![A-Za-z])|`", " "),
        (r"\\mathbb ?\{? ?P ?\}?|\\Pr\b|\b(?:Prob|Pr|p)(?= ?\()|\bprob(?:ability)?(?= ?\()", "P"),
        (r"\\cup\b|\bor\b|\bunion\b|∨", "∪"),
        (r"\\cap\b|\bintersect(?:ion|ed with|s)?\b|∧|&", "∩"),
        (r"\\setminus\b", "∖"),
        (r"\\mid\b|\bgiven\b|∣", "|"),
        (r"\\(?:cdot|times)\b|×", "*"),
        (r"\\leq?\b|≤|<=", "≤"),
        (r"\\geq?\b|≥|>=", "≥"),
        (r"(?:\bnot |\\(?:neg|lnot)\b ?|~|!)(?=[A-Z(])|\bcomplement of (?=[A-Z(])", "¬"),
        # A mark of complements that is no quotation mark.
        (r"\^ ?\{? ?(?:c|C|\\complement|\\prime)(?![A-Za-z]) ?\}?|(?<=[A-Z)\]])['’′]", "ᶜ"),
        (r"\\(?:overline|bar) ?\{? ?([A-Z]) ?\}?|([A-Z])̅", r"\1\2ᶜ"),
        (r"\\frac ?\{([^{}]*)\} ?\{([^{}]*)\}", r"(\1)/(\2)"),
        (r"==", "="),
    )
)
# "and" is a sign inside brackets only.
_INSIDE = re.compile(r"P ?[(\[{][^()\[\]{}]*[)\]}]")
_AND, _COMMA = re.compile(r"\band\b"), re.compile(r"(?<=[A-Zᶜ])\s*,\s*(?=[A-Z¬])")
_RELATED = re.compile(
    r"[, ]*\b(?i:for|if|when|where|whenever|with|provided(?: that)?|given|let)?\s*"
    r"(?:the |all |any |two |three |both |every )*"
    r"(?:(?:events? )?(?:[A-Z](?:\s*(?:,|and)\s*[A-Z])*) (?:are |being |is |be )?)?(?:pairwise |mutually )?"
    r"(?P<related>independent|disjoint|exclusive|incompatible)(?: events?)?(?: (?:[A-Z](?:\s*(?:,|and)\s*[A-Z])*))?\b"
)
_ANY = re.compile(
    r"[, ]*\b(?:for|where|with)\s+(?:(?:all|any|every|two|three|arbitrary|events?|and|[A-Z](?![A-Za-z])|,)\s*)+\Z"
    r"|[, ]*\b(?:always|in general)\b"
)
_LEADING = re.compile(r"\A(?:is|are|does|do|if|then|that|it is true that)\s+")
_SIGN = re.compile(r"(?:\s(?:is )?(?:always )?(?:equal to|equals|equal|the same as)\s|=|≤|≥|<|>)")
_SIGNS = {"≤": "<=", "≥": ">=", "<": "<", ">": ">"}
_HOW = "Each probability is a sum of those of the cases in which a point lies in the events or not"


def answer_event_claim(text: str) -> AlgebraOutcome:
    """What the cases of lying in events say of an equation between probabilities; None for any other question."""
    if len(text) > _LONGEST or _OF_EVENTS.search(text) is None or _SIGN.search(text) is None:
        return None
    asked = bare_claim(tidy(_written(text)))
    said = _RELATED.search(asked)
    relation: Relation = "any"
    if said is not None:
        relation = "independent" if said["related"] == "independent" else "disjoint"
        asked = f"{asked[: said.start()]} {asked[said.end() :]}".strip(" ,.?")
        # "If A and B are disjoint, then …": what opened the condition is left.
        asked = re.sub(r"\A[ ,.?]*(?:if|for|then|is|does)?[ ,]*(?:then |is |does )?", "", asked)
    asked = _LEADING.sub("", _ANY.sub("", asked).strip(" ,.?"))
    found = _SIGN.search(asked)
    if found is None:
        return None
    sign = _SIGNS.get(found[0].strip(), "=")
    left, right = asked[: found.start()], asked[found.end() :]
    try:
        statement = read_events(left.strip(), sign, right.strip(" ?."))
    except UnreadEventsError:
        return None
    if said is not None and "pairwise indep" in said[0] and len(statement.events) > 2:
        # Pairs alone say nothing of all three together.
        return None
    shown = f"{left.strip()} {found[0].strip() if sign != '=' else '='} {right.strip(' ?.')}".replace("-", "−")
    return _told(statement, shown, relation)


def _written(text: str) -> str:
    asked = text
    for pattern, sign in _WRITTEN:
        asked = pattern.sub(sign, asked)
    return _INSIDE.sub(lambda one: _COMMA.sub(" ∩ ", _AND.sub("∩", one[0])), asked)


def _told(statement: EventStatement, shown: str, relation: Relation) -> AlgebraOutcome:
    events = listed(statement.events)
    kind = "" if relation == "any" else f"{relation} "
    lines = (WorkingLine(shown),)
    if statement.sign == "=" and is_identity(statement, relation):
        text = (
            f"True for all {kind}events {events} for which both sides exist: {shown}. {_HOW}; with these, both sides "
            "are the same (shown by algebra)."
        )
        return DirectStatement(text, shown, lines)
    if is_monotone(statement):
        text = f"True for all events {events}: {shown}. {_HOW}; one side has all cases of the other (shown by algebra)."
        return DirectStatement(text, shown, lines)
    found = counterexample(statement, relation)
    if found is None:
        return None
    at, left, right = found
    text = (
        f"False in general: {_example(statement, at)}, the left side is {left} and the right side is {right}.".replace(
            "-", "−"
        )
    )
    if relation != "any":
        text = text.replace("False in general", f"False for {relation} events, too", 1)
    text += _where_true(statement, relation)
    return DirectStatement(text, shown, (WorkingLine(f"left {left}, right {right}"),))


def _where_true(statement: EventStatement, relation: Relation) -> str:
    if relation != "any" or statement.sign != "=" or len(statement.events) < 2:
        return ""
    kinds = [kind for kind in ("disjoint", "independent") if is_identity(statement, kind)]
    return f" It is true for {' and for '.join(kinds)} events." if kinds else ""


def _example(statement: EventStatement, at: dict[int, Fraction]) -> str:
    """The probabilities of the events and of what they have in common."""
    said = []
    for bit, event in enumerate(statement.events):
        said.append(f"P({event}) = {sum((at[atom] for atom in at if atom >> bit & 1), Fraction(0))}")
    if len(statement.events) > 1:
        every = 2 ** len(statement.events) - 1
        said.append(f"P({' ∩ '.join(statement.events)}) = {at[every]}")
    return f"with {listed(said)}"
