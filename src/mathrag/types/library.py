"""What a library holds: formulas with their symbols, constants, relations, each tied to the places it was found.

A `Finding` is what one document says; a `Formula` is what all documents together say about one equation. Findings
are stored; formulas, like every other view, are computed from them.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal, TypeAlias

from mathrag.types.document import Place
from mathrag.types.expression import Comparison, Equation, Flag
from mathrag.types.quantity import Dimension
from mathrag.types.shown import Shown

Status: TypeAlias = Literal["executable", "declined", "quarantined"]
# How a symbol's meaning is known: read in the document, a standard meaning, proposed by a language model and found to
# fit, implied by the dimensions of the rest, or said by a person.
Origin: TypeAlias = Literal["document", "assumed", "proposed", "inferred", "edited", "unknown"]
SymbolRole: TypeAlias = Literal["variable", "constant", "index"]
RelationKind: TypeAlias = Literal["uses", "derived_from", "generalizes", "specializes", "uses_constant"]

# What a formula is for. Questions are answered with general statements and definitions; a step of a derivation, the
# case of one example and an equation with the numbers of one case are kept beside them.
Purpose: TypeAlias = Literal["general", "definition", "step", "case", "instance"]

# What became of a question to which the answer is printed.
ExamOutcome: TypeAlias = Literal["right", "wrong", "refused"]

STATUSES: tuple[Status, ...] = ("executable", "declined", "quarantined")
# The notation of a finding that a language model proposed (the document says it in words or in signs we cannot read),
# and the origin of a label that it proposed.
PROPOSED = "proposed"
# From the most general on: where one equation is said in several places, the first counts.
PURPOSES: tuple[Purpose, ...] = ("general", "definition", "step", "case", "instance")
GENERAL_PURPOSES: tuple[Purpose, ...] = ("general", "definition")
# For people.
PURPOSE_TEXTS: dict[Purpose, str] = {
    "general": "a general statement",
    "definition": "a definition",
    "step": "a step of a derivation or of an example",
    "case": "said of one case",
    "instance": "the numbers of one case",
}
# How the ids of formulas begin that live for one question only.
MADE_ID, PROPOSED_ID = "made-", "proposed-"
EXAM_OUTCOMES: tuple[ExamOutcome, ...] = ("right", "wrong", "refused")
RELATION_KINDS: tuple[RelationKind, ...] = ("uses", "derived_from", "generalizes", "specializes", "uses_constant")


@dataclass(frozen=True, slots=True)
class Span:
    """A place in a document of the library, with the exact words there and the headings above it."""

    document: str
    place: Place
    quote: str
    headings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StatedValue:
    """A value that a document states for a symbol of a formula. `cases` are the words of the cases that it holds for:
    all of them must be the one that is spoken of; there are none where it holds anyway. `unit` is canonical text."""

    value: Decimal
    unit: str
    span: Span
    cases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SymbolMeaning:
    """What a symbol of a formula stands for.

    `unit` is canonical text, empty for a plain number, None where unknown. `kind` is the id of a quantity kind,
    `constant` that of a standard constant or of a constant of the library. `state` is the id of a role of its
    subscript, such as `initial`. `letter` is how the document writes it, in LaTeX. `stated` are the values that the
    document states for it beside the formula, for whoever gives none; of the symbol that a formula is written for, what
    the result is multiplied by in some cases. `is_unit_stated` tells a unit that the document says from one that was
    worked out or is usual.
    """

    name: str
    description: str = ""
    unit: str | None = None
    dimension: Dimension | None = None
    kind: str | None = None
    role: SymbolRole = "variable"
    constant: str | None = None
    state: str | None = None
    origin: Origin = "unknown"
    letter: str = ""
    evidence: Span | None = None
    stated: tuple[StatedValue, ...] = ()
    is_unit_stated: bool = False


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another dimensionally consistent reading of a formula's symbols; only what differs from the first is listed."""

    prior: float
    symbols: tuple[SymbolMeaning, ...]


@dataclass(frozen=True, slots=True)
class Validity:
    """When a formula holds: in the document's words, and as comparisons where they can be computed."""

    text: str
    comparisons: tuple[Comparison, ...] = ()
    evidence: Span | None = None


@dataclass(frozen=True, slots=True)
class Instance:
    """A worked example: values put into a formula. `verdict` says whether the formula gives the stated result."""

    text: str
    values: tuple[tuple[str, str], ...]
    verdict: Literal["agrees", "disagrees", "untested"]
    span: Span
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """A formula as one document gives it.

    `position` orders the findings of a document. `form` is the canonical form of the equation (of the source text,
    where it is declined): findings of one form and of agreeing dimensions are one formula.
    """

    document: str
    position: int
    form: str
    latex: str
    source: str
    notation: str
    status: Status
    span: Span
    equation: Equation | None = None
    reason_code: str = ""
    reason: str = ""
    label: str = ""
    label_origin: str = ""
    description: str = ""
    intent: str = ""
    keywords: tuple[str, ...] = ()
    symbols: tuple[SymbolMeaning, ...] = ()
    alternatives: tuple[Alternative, ...] = ()
    prior: float = 1.0
    conditions: tuple[Validity, ...] = ()
    flags: tuple[Flag, ...] = ()
    instances: tuple[Instance, ...] = ()
    number: str = ""
    is_display: bool = False
    purpose: Purpose = "general"


@dataclass(frozen=True, slots=True)
class ConstantFinding:
    """A constant with a value as one document gives it; `value` keeps the digits written there.

    `proposed_by` names the language model that pointed it out, where the rules did not.
    """

    document: str
    position: int
    symbol: str
    name: str
    value: Decimal
    unit: str
    dimension: Dimension
    span: Span
    description: str = ""
    keywords: tuple[str, ...] = ()
    uncertainty: Decimal | None = None
    standard: str | None = None
    letter: str = ""
    proposed_by: str = ""


@dataclass(frozen=True, slots=True)
class SymbolDefinition:
    """What a document says a symbol means, and over which of its blocks (first to last, both included) that holds."""

    name: str
    description: str
    span: Span
    first_block: int
    last_block: int
    source: str
    unit: str | None = None
    dimension: Dimension | None = None
    kind: str | None = None
    letter: str = ""
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class TextRelation:
    """A relation that the text of one document states between two of its findings, by their positions."""

    document: str
    kind: RelationKind
    source: int
    target: int
    confidence: float
    evidence: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class CaseFormula:
    """A formula that a worked example uses: its canonical form, by which the library knows it, and the values that the
    example puts in for its symbols, as they are written there."""

    form: str
    values: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """One question of a worked example, with the result that is printed.

    `number` is what the document calls the example by ("7.3"), `part` the letter of the question where there are
    several. `problem` is the question as a person would ask it; where other parts are asked too, without them.
    `symbol` is what the result is given for; `value` keeps the digits written there, None where no result was read;
    `unit` is canonical text. `formulas` stand in the order of the solution; `givens` are the dimensions of the values
    that the problem tells, in its order.
    """

    id: str
    document: str
    position: int
    title: str
    number: str
    part: str
    problem: str
    span: Span
    symbol: str = ""
    value: Decimal | None = None
    unit: str = ""
    formulas: tuple[CaseFormula, ...] = ()
    givens: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """How a person finds it in the document: "Example 7.3 (b)", or by its title."""
        part = f" ({self.part})" if self.part else ""
        if self.number:
            return f"Example {self.number}{part}"
        return f"the example “{self.title}”{part}" if self.title else f"a worked example{part}"


@dataclass(frozen=True, slots=True)
class ExamResult:
    """What the library made of a case that was hidden from it.

    `is_right` says whether the number of the best plan is the printed one, given or not; `features` are what the
    confidence is judged by (empty where there was no plan with a number). `confidence` is that of the answer or of
    the proposal; `answer` is what was given, in words.
    """

    case: str
    outcome: ExamOutcome
    is_right: bool
    confidence: float = 0.0
    answer: str = ""
    features: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Extraction:
    """Everything understood of one document."""

    document: str
    findings: tuple[Finding, ...] = ()
    constants: tuple[ConstantFinding, ...] = ()
    definitions: tuple[SymbolDefinition, ...] = ()
    relations: tuple[TextRelation, ...] = ()
    notes: tuple[str, ...] = ()
    cases: tuple[Case, ...] = ()


@dataclass(frozen=True, slots=True)
class Correction:
    """What a person said about a formula, kept apart from what was read.

    `field` is `label`, `description`, `status`, ... or `symbol.NAME.FIELD` (`symbol.m.unit`). `form` and `document`
    find the formula again when it is read anew.
    """

    formula: str
    form: str
    field: str
    value: str
    author: str
    time: str
    note: str = ""


def is_made(identifier: str) -> bool:
    """Whether the id of a formula is that of one which lives for one question only."""
    return identifier.startswith((MADE_ID, PROPOSED_ID))


@dataclass(frozen=True, slots=True)
class Formula(Shown):
    """One formula of the library: what its findings say, united, with the corrections of people applied."""

    id: str
    form: str
    label: str
    latex: str
    status: Status
    spans: tuple[Span, ...]
    equation: Equation | None = None
    reason_code: str = ""
    reason: str = ""
    labels: tuple[str, ...] = ()
    label_origin: str = ""
    description: str = ""
    intent: str = ""
    keywords: tuple[str, ...] = ()
    symbols: tuple[SymbolMeaning, ...] = ()
    alternatives: tuple[Alternative, ...] = ()
    prior: float = 1.0
    conditions: tuple[Validity, ...] = ()
    flags: tuple[Flag, ...] = ()
    instances: tuple[Instance, ...] = ()
    corrections: tuple[Correction, ...] = ()
    number: str = ""
    purpose: Purpose = "general"

    @property
    def target(self) -> str | None:
        """The symbol that stands alone on the left, where one does."""
        return None if self.equation is None else self.equation.target

    @property
    def documents(self) -> frozenset[str]:
        """The ids of the documents that state it."""
        return frozenset(span.document for span in self.spans)

    @property
    def is_made(self) -> bool:
        """Whether it was made for one question and stands in no library: arithmetic, several formulas put together, or
        a language model's own."""
        return is_made(self.id)

    @property
    def is_proposed(self) -> bool:
        """Whether a language model said it for one question and no document does."""
        return self.id.startswith(PROPOSED_ID)

    @property
    def is_general(self) -> bool:
        """Whether it is stated as a rule or a definition, not only as a step or for one case."""
        return self.purpose in GENERAL_PURPOSES


@dataclass(frozen=True, slots=True)
class Constant(Shown):
    """One constant of the library: a symbol, a value and a unit that one or more documents state."""

    id: str
    symbol: str
    name: str
    value: Decimal
    unit: str
    dimension: Dimension
    spans: tuple[Span, ...]
    description: str = ""
    keywords: tuple[str, ...] = ()
    uncertainty: Decimal | None = None
    standard: str | None = None
    letter: str = ""
    proposed_by: str = ""


@dataclass(frozen=True, slots=True)
class Relation:
    """How two entries of the library hang together, and why we say so. Ids of formulas or constants."""

    kind: RelationKind
    source: str
    target: str
    confidence: float
    evidence: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two entries that cannot both be right, or that share a name and are not the same."""

    kind: Literal["constant_value", "formula_name", "instance", "symbol_meaning"]
    subject: str
    entries: tuple[str, ...]
    message: str
    spans: tuple[Span, ...] = field(default=())


def content_id(prefix: str, *parts: str) -> str:
    """A short identifier made from content: the same parts give the same id, on any machine, at any time."""
    digest = hashlib.sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
    return f"{prefix}-{digest[:12]}"
