"""What a language model proposes of one chunk, record by record, and what becomes of a record that fails a check.

Everything here is as the model said it: strings of bounded length, believed by nobody until `checks` has passed them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from mathrag.types.document import Place

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
