"""`Balance Fe + O2 -> Fe2O3`: the equation with its smallest whole coefficients, each element counted on both sides."""

from __future__ import annotations

import re
from functools import cache

from mathrag.compute.chemistry.formulas import ChemistryProblem
from mathrag.compute.chemistry.reactions import Reaction, balance, balance_lines, is_balanced, read_reaction
from mathrag.language.word_classes import any_of
from mathrag.reason.direct.chemistry.reading import REACTION, Reading, resolve_name
from mathrag.reason.direct.chemistry.results import Working, failure
from mathrag.reason.direct.question_text import core_of, tidy, without_ending
from mathrag.reason.direct.result import AlgebraOutcome, DirectStatement


@cache
def _asking() -> re.Pattern[str]:
    return re.compile(rf"(?:please )?(?:{any_of('chemistry.balance')})[ :,]*(?P<rest>.+)", re.IGNORECASE)


@cache
def _is_asked_whether() -> re.Pattern[str]:
    return re.compile(
        rf"is (?:the |this )?(?:chemical |following )*(?:equation |reaction )?:? ?{REACTION},? (?:correctly )?balanced"
    )


def answer_balancing(text: str, reading: Reading) -> AlgebraOutcome:
    """The balanced reaction, or why there is none; None for any other question."""
    plain = without_ending(tidy(text))
    if reading.reaction is not None and _is_asked_whether().fullmatch(without_ending(reading.template)):
        return _verdict(reading.reaction)
    found = _asking().fullmatch(plain) or _asking().fullmatch(core_of(plain))
    if found is None:
        return None
    reaction = read_reaction(found["rest"].strip(" .:?"), resolve=resolve_name)
    if isinstance(reaction, ChemistryProblem):
        return failure(reaction)
    return None if reaction is None else balanced_statement(reaction)


def balanced_statement(reaction: Reaction) -> AlgebraOutcome:
    """A reaction balanced, in a sentence with its counts as working."""
    found = balance(reaction)
    if isinstance(found, ChemistryProblem):
        return failure(found)
    working = Working()
    working.lines.extend((str(found), *balance_lines(found)))
    return working.statement(f"Balanced: {found}", expression=str(reaction))


def _verdict(reaction: Reaction) -> AlgebraOutcome:
    if not is_balanced(reaction):
        found = balance(reaction)
        right = f"; balanced it is {found}" if isinstance(found, Reaction) else ""
        return DirectStatement(
            f"No: {reaction} is not balanced{right}.", str(reaction), Working().working_lines(), kind="chemistry"
        )
    working = Working()
    working.lines.extend(balance_lines(reaction))
    return working.statement(f"Yes: {reaction} is balanced.", expression=str(reaction))
