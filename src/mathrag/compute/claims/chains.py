"""A formula split into the chains it states: `a = b = c`, and how each chain is joined to the one before it.

Only the top level is split; what stands in brackets belongs to its side. What a side means is read elsewhere.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

from mathrag.compute.claims.scanning import Token, tokens_of
from mathrag.language.word_classes import word_class

# How two sides are related; "other" is any relation that calculation does not judge here.
Relation = Literal["=", "≈", "≡", "other"]
# How a chain is joined to the one before it: the same line of a list, a conclusion, an alternative, a new row.
Joint = Literal["start", "list", "implies", "or", "row"]

# Longer rows are left alone.
_MOST_SIDES = 40
_RELATIONS: dict[str, Relation] = {
    "=": "=", "≈": "≈", r"\approx": "≈", r"\simeq": "≈", r"\doteq": "≈", "≡": "≡", r"\equiv": "≡",
    **dict.fromkeys(
        (
            "<", ">", "≤", "≥", "≠", "∼", r"\le", r"\leq", r"\ge", r"\geq", r"\lt", r"\gt", r"\ne", r"\neq", r"\sim",
            r"\cong", r"\propto", r"\in", r"\notin", r"\subset", r"\mid", r"\nmid", r"\leqslant", r"\geqslant",
            r"\stackrel", r"\overset", r"\xrightarrow", r"\xlongequal", r"\not", r"\ll", r"\gg", r"\perp", r"\parallel",
        ),
        "other",
    ),
}  # fmt: skip
_JOINTS: dict[str, Joint] = {
    ",": "list", ";": "list", r"\quad": "list", r"\qquad": "list", r"\cr": "row",
    r"\\": "row", r"\newline": "row", r"\lor": "or", r"\vee": "or", r"\land": "list", r"\wedge": "list",
    **dict.fromkeys(
        (
            r"\implies", r"\Rightarrow", r"\Longrightarrow", r"\rightarrow", r"\to", r"\iff", r"\Leftrightarrow",
            r"\Longleftrightarrow", r"\therefore", r"\longrightarrow", "⇒", "→", "⟹", "⇔",
        ),
        "implies",
    ),
}  # fmt: skip
_MODULUS = re.compile(r"\(?\s*\\(?:pmod|bmod|mod)\b|\(?\s*\\text\{\s*\(?\s*mod\s*\}|\(\s*mod\b")
_STRENGTH: tuple[Joint, ...] = ("list", "row", "start", "implies", "or")


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a chain as it is written, with its place in the step."""

    text: str
    start: int
    end: int


@dataclass(slots=True)
class Chain:
    """Sides with the relations between them. `modulus` is set where the row speaks of remainders; `is_qualified` where
    it holds under a condition that stands beside it."""

    joint: Joint
    sides: list[Side] = field(default_factory=list)
    relations: list[Relation] = field(default_factory=list)
    is_qualified: bool = False
    modulus: str = ""

    @property
    def continues(self) -> bool:
        """Whether it begins with a relation, so that what stood before is its first side."""
        return len(self.sides) > 1 and not self.sides[0].text


def chains_of(text: str, start: int) -> list[Chain]:
    """The chains of a formula that begins at `start` in its step."""
    chains = [Chain("start")]
    opened: int | None = None
    last = 0
    for token in tokens_of(text):
        last = token.end
        joint = _joint(token)
        relation = _RELATIONS.get(token.text) if token.depth == 0 else None
        if relation is None and joint is None:
            if opened is None and not token.is_blank:
                opened = token.start
            continue
        _close(chains[-1], text, start, opened, token.start)
        opened = None
        if relation is not None:
            chains[-1].relations.append(relation)
        elif joint is not None:
            _begin(chains, joint, is_qualified=_is_condition(token))
    _close(chains[-1], text, start, opened, last)
    for chain, following in zip(chains, [*chains[1:], None], strict=True):
        # "x = 5 \text{ if } y > 2": the condition stands after what it qualifies.
        chain.is_qualified = chain.is_qualified or (following is not None and following.is_qualified)
        if following is not None and following.joint == "row" and not following.relations:
            # A row without a relation goes on with the one before it.
            chain.is_qualified = True
        _take_modulus(chain)
    return [chain for chain in chains if any(side.text for side in chain.sides) and len(chain.sides) <= _MOST_SIDES]


def _begin(chains: list[Chain], joint: Joint, *, is_qualified: bool) -> None:
    """A new chain, or a stronger joint for one that has nothing yet: `\\quad \\text{or} \\quad` is an "or"."""
    last = chains[-1]
    if last.relations or any(side.text for side in last.sides):
        chains.append(Chain(joint, is_qualified=is_qualified))
        return
    last.sides.clear()
    last.joint = max(last.joint, joint, key=_STRENGTH.index)
    last.is_qualified = last.is_qualified or is_qualified


def _close(chain: Chain, text: str, offset: int, opened: int | None, end: int) -> None:
    begin = end if opened is None else opened
    written = text[begin:end].rstrip(" .\n\t:&")
    chain.sides.append(Side(written, offset + begin, offset + begin + len(written)))


def _joint(token: Token) -> Joint | None:
    if token.depth:
        return None
    if token.words is None:
        return _JOINTS.get(token.text)
    words = words_of(token.words)
    if _is_condition(token):
        return "list"
    # "total so far" names something; only words that do nothing but join are joints.
    if words - (word_class("claims.alternatives") | word_class("claims.conclusions") | word_class("claims.joining")):
        return None
    if words & word_class("claims.alternatives"):
        return "or"
    return "implies" if words & word_class("claims.conclusions") else "list" if words else None


def _is_condition(token: Token) -> bool:
    """Words that begin with one that sets a condition: `if x > 2`, `for all n`."""
    first = (token.words or "").strip(" (,").split(" ")[0].lower()
    return first in word_class("claims.conditions")


def words_of(text: str) -> set[str]:
    """The words of a text, in small letters."""
    return {word.strip(".,;:()!?*").lower() for word in text.replace("\\", " ").split()} - {""}


def _take_modulus(chain: Chain) -> None:
    """`a \\equiv b \\pmod 7` and `a \\bmod 7 = b` say that the whole chain is about remainders."""
    for place, side in enumerate(chain.sides):
        found = _MODULUS.search(side.text)
        if found is None:
            continue
        is_last = place == len(chain.sides) - 1
        if (is_last and "≡" in chain.relations) or (place == 0 and chain.relations == ["="]):
            chain.modulus = side.text[found.end() :].strip(" (){}$")
            written = side.text[: found.start()].rstrip(" (,")
            chain.sides[place] = Side(written, side.start, side.start + len(written))
        else:
            chain.is_qualified = True
        return
