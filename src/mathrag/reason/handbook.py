"""When the documents have no answer: what everybody has in the head may give one, and says so.

The handbook is a library like the user's own, asked by the same rules. Documents come first. Where one states the very
relation, its formula is computed with and cited; where they say something else, or what they say is in doubt, the
handbook is silent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from mathrag.reason.agent import RulesPlanner
from mathrag.reason.choosing.confidence import confidence_model
from mathrag.reason.computing import StepFailure, compute_steps
from mathrag.reason.direct.documents import named_documents
from mathrag.reason.judge import agree
from mathrag.reason.session import Options, SessionResult, ask
from mathrag.reason.sources import Sources
from mathrag.types.answer import Answer, Choice, Outcome, Refusal, Reply
from mathrag.types.episode import Event
from mathrag.types.library import Formula

# What the documents lack. Anything else that they refuse for is no better with a formula from elsewhere.
_LACKING = frozenset(("no_formula", "missing", "unsure"))
# Surer than this of a plan, documents that come to another number mean something else by the words.
_MEANT = 0.5
# Formulas of the documents that are tried in place of the handbook's.
_TRIED = 3
# Where the documents disagree with each other, have formulas or values for cases of which none is named, or call
# something by the name that is asked for and lack its values, nobody settles it for them.
_SETTLED_BY_NOBODY = frozenset(("disagreement", "case", "variants", "belongs_to_another"))


def with_handbook(
    asked: SessionResult,
    text: str,
    *,
    documents: Sources,
    handbook: Callable[[], Sources],
    options: Options,
    listener: Callable[[Event], None] | None = None,
) -> SessionResult:
    """The outcome, or in place of a refusal what the handbook gives."""
    if not _is_lacking(asked, documents, options):
        return asked
    found = ask(text, handbook(), planner=RulesPlanner(), options=options, listener=listener)
    outcome = found.result.outcome
    if isinstance(outcome, Refusal):
        is_better = _says_more(outcome, asked.result.outcome)
        return _built_in(found, outcome) if is_better else asked
    if not isinstance(outcome, Answer) or not outcome.steps or outcome.confidence < _least(documents, options):
        return asked
    for formula in _stated(outcome, documents):
        own = ask(text, documents, planner=RulesPlanner(), options=replace(options, formula=formula), listener=listener)
        answer = own.result.outcome
        if isinstance(answer, Answer) and agree(answer.quantity, outcome.quantity):
            # Two sources give this number: it is as sure as the surer of them.
            confidence = max(answer.confidence, outcome.confidence)
            return _with(own, replace(answer, confidence=confidence))
    if any(_comes_to_another(choice, outcome) for choice in asked.choices[:1]):
        return asked
    return _built_in(found, outcome)


def from_handbook(
    text: str, handbook: Sources, *, options: Options, listener: Callable[[Event], None] | None = None
) -> SessionResult:
    """What the handbook alone says, by a formula of its own that was named."""
    found = ask(text, handbook, planner=RulesPlanner(), options=options, listener=listener)
    outcome = found.result.outcome
    return found if isinstance(outcome, Reply) else _built_in(found, outcome)


def _is_lacking(asked: SessionResult, documents: Sources, options: Options) -> bool:
    outcome = asked.result.outcome
    if not isinstance(outcome, Refusal) or outcome.code not in _LACKING or options.formula is not None:
        return False
    if any(each.code in _SETTLED_BY_NOBODY for each in outcome.findings):
        return False
    # What documents that are named say is asked of them, and nobody else knows it.
    parts = documents.documents
    return parts is None or not named_documents(outcome.question, parts)


def _least(documents: Sources, options: Options) -> float:
    return confidence_model().least_checked(options.promise, len(documents.finder.signatures))


def _says_more(built_in: Refusal, own: Outcome) -> bool:
    """Whether the handbook tells what is lacking, and is surer than the documents of what is meant."""
    if not isinstance(own, Refusal) or own.code not in ("no_formula", "missing"):
        return False
    return built_in.code == "missing" and built_in.confidence > own.confidence


def _stated(answer: Answer, documents: Sources) -> Sequence[Formula]:
    """The formulas of the documents that state the very relation by which the handbook answers, in one step."""
    if len(answer.steps) != 1:
        return ()
    return documents.finder.counterparts.of(answer.steps[0].formula)[:_TRIED]


def _comes_to_another(choice: Choice, answer: Answer) -> bool:
    """Whether what the documents would compute, where they are rather sure of it, is another number."""
    if choice.missing or choice.confidence < _MEANT or choice.findings:
        return False
    steps = compute_steps(choice.steps, is_shown=False)
    return not isinstance(steps, StepFailure) and not agree(steps[-1].result, answer.quantity)


def _built_in(found: SessionResult, outcome: Answer | Refusal) -> SessionResult:
    citations = tuple(replace(each, origin="handbook") for each in outcome.citations)
    return _with(found, replace(outcome, origin="handbook", citations=citations))


def _with(asked: SessionResult, outcome: Answer | Refusal) -> SessionResult:
    return replace(asked, result=replace(asked.result, outcome=outcome))
