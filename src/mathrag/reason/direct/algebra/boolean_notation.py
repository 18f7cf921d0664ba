"""Statements of logic in other clothes: `(A+B)' = A'B' in Boolean algebra`, `let p, q be propositions. is …`, `~p v q`.

Takes off what says that logic is meant and writes the rest with the signs that the readers of logic know. `+`, `·` and
`'` are signs of logic only where Boolean algebra is spoken of.
"""

from __future__ import annotations

import re

from mathrag.compute.logic import UnreadLogicError
from mathrag.compute.signs_of_logic import plain_signs
from mathrag.language.word_classes import any_of
from mathrag.reason.direct.algebra.asked_claims import without_asking
from mathrag.reason.direct.algebra.claim_frames import without_teller
from mathrag.reason.direct.algebra.logic import answer_logic
from mathrag.reason.direct.algebra.propositions import answer_propositions
from mathrag.reason.direct.question_text import tidy
from mathrag.reason.direct.result import DirectStatement

_LONGEST = 300
_DEEPEST = 20
_LETTERS = r"[A-Za-z](?:(?:, ?(?:and )?| and )[A-Za-z])*"
_KIND = rf"(?:{any_of('logic.proposition_nouns')})"
_DECLARED = re.compile(
    rf"^(?:let|suppose|assume|given|for|if|with|where)(?: that)? (?:any |all |the |two |three )*"
    rf"(?:{_KIND} {_LETTERS}|{_LETTERS}(?: (?:be|are|denote))?(?: (?:any|two|three|arbitrary|some))* "
    rf"{_KIND})[.,;:]+ (?:then )?",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    rf",? ?\(?(?:for|where|with|if) (?:all |any |the )*(?:{_KIND} )?{_LETTERS}(?: are)?(?: any| all)?(?: {_KIND})\)?$"
    rf"|,? ?\(?(?:for|with) (?:all |any )*{_KIND} {_LETTERS}\)?$",
    re.IGNORECASE,
)
_PLACE = re.compile(
    rf"^in (?:{any_of('logic.logic_places')})[,:]? |,? \(?in (?:{any_of('logic.logic_places')})\)?$", re.IGNORECASE
)
_BOOLEAN = re.compile(
    rf",? ?\(?(?:in |by |using |with |as )?(?:the )?(?:{any_of('logic.boolean_algebra')})\)?[:,]?(?: (?=\S)|$)",
    re.IGNORECASE,
)
_SIMPLIFY = re.compile(
    r"^(?:(?:please )?simplify|reduce|minimi[sz]e)(?: the)?(?: expression| function)?:? (?P<it>[^=]+)$", re.IGNORECASE
)
_SAME = re.compile(r"(?<!the) same as ", re.IGNORECASE)
# The letter v between propositions, where other signs of logic stand beside it.
_OR = re.compile(r"(?<=[A-Za-z)]) v (?=[~¬!(A-Za-z])")
_OF_LOGIC = re.compile(r"[¬~!∧∨→↔⇒⇔&|]|->|<->|\b(?:not|and|or|xor)\b")


def answer_boolean_notation(text: str) -> DirectStatement | None:
    """What the readers of logic say of a statement in other clothes; None for any other question."""
    if len(text) > _LONGEST:
        return None
    laid = without_teller(tidy(plain_signs(text))).strip(" ?.!")
    body = _BEHIND.sub("", _PLACE.sub("", _DECLARED.sub("", laid, count=1)))
    boolean = _BOOLEAN.search(body)
    if boolean is not None:
        rest = f"{body[: boolean.start()]} {body[boolean.end() :]}".strip(" ,:?")
        return _of_boolean_algebra(rest)
    made = _SAME.sub(" the same as ", body)
    if _OF_LOGIC.search(made):
        made = _OR.sub(" ∨ ", made)
    if made == laid or not _OF_LOGIC.search(made):
        return None
    return answer_propositions(made) or answer_logic(made)


def _of_boolean_algebra(text: str) -> DirectStatement | None:
    body = without_asking(text)
    try:
        simplify = _SIMPLIFY.match(text)
        if simplify is not None:
            return answer_propositions(f"simplify {_Reader(simplify['it']).whole()}")
        sides = re.split(r"==?| (?:equals|equal to|the same as|equivalent to) ", body)
        if len(sides) != 2:
            return None
        left, right = (_Reader(side).whole() for side in sides)
    except UnreadLogicError:
        return None
    return answer_logic(f"is {left} ≡ {right}")


class _Reader:
    """Sums, products and complements of letters, 0 and 1, as propositions in signs."""

    def __init__(self, text: str) -> None:
        self.signs = re.findall(r"\S", text)
        self.place = 0
        self.depth = 0

    def at(self) -> str:
        return self.signs[self.place] if self.place < len(self.signs) else ""

    def whole(self) -> str:
        found = self.total()
        if self.place != len(self.signs):
            raise UnreadLogicError("something is left over")
        return found

    def total(self) -> str:
        parts, sign = [self.product()], ""
        while self.at() and self.at() in "+∨⊕":
            if sign and sign != self.at():
                raise UnreadLogicError("brackets are missing")
            sign = self.at()
            self.place += 1
            parts.append(self.product())
        return f"({' ⊕ '.join(parts)})" if sign == "⊕" else f"({' ∨ '.join(parts)})" if sign else parts[0]

    def product(self) -> str:
        parts = [self.factor()]
        while self.at() and self.at() not in "+∨⊕)":
            self.place += self.at() in "·*.∧"
            parts.append(self.factor())
        return f"({' ∧ '.join(parts)})" if len(parts) > 1 else parts[0]

    def factor(self) -> str:
        self.depth += 1
        one = self.at()
        self.place += 1
        if self.depth > _DEEPEST or not one:
            raise UnreadLogicError("something is missing")
        if one in "¬!~":
            made = f"¬{self.factor()}"
        elif one in "01":
            made = "⊤" if one == "1" else "⊥"
        elif one.isascii() and one.isalpha():
            made = one
        elif one == "(":
            made = self.total()
            if self.at() != ")":
                raise UnreadLogicError("a bracket is missing")
            self.place += 1
        else:
            raise UnreadLogicError("no sign of Boolean algebra")
        while self.at() == "'":
            made = f"¬{made}"
            self.place += 1
        self.depth -= 1
        return made
