"""Whether a statement on power sets holds for all sets: `is P(A ∪ B) = P(A) ∪ P(B), P the power set?`"""

from __future__ import annotations

import re
from collections.abc import Mapping

from mathrag.compute.logic import Proposition, UnreadLogicError, cases, letters_of, truth
from mathrag.compute.power_sets import PowerStatement, plain_sides, read_power_statement, try_power_sets
from mathrag.compute.set_algebra import SetStatement, joined, states
from mathrag.compute.signs_of_logic import plain_signs
from mathrag.language.enumeration import listed
from mathrag.reason.direct.algebra.asked_claims import without_asking
from mathrag.reason.direct.algebra.claim_frames import without_teller
from mathrag.reason.direct.algebra.sets import several_statements, without_scope
from mathrag.reason.direct.question_text import tidy
from mathrag.reason.direct.result import DirectStatement
from mathrag.types.answer import WorkingLine

_LONGEST = 300
_SPOKEN = re.compile(r"\bpower ?-?sets?\b|𝒫", re.IGNORECASE)
# Between the values of a probability there is no union; P before letters with such signs is the power set.
_BY_SIGNS = re.compile(r"\bP ?\([^()]*\) ?[∪∩∖\\⊆⊇⊂⊃] ?P ?\(")
_NAMED = re.compile(
    r"(?:, ?| )\(?(?:where |with |if |and |when |here |let )?\(?(?:P|𝒫)(?: |(?:\([A-Z]\))? "
    r"(?:is|denotes|means|stands for|be|=) )"
    r"(?:the |a )?power ?-?set(?: of(?: [A-Z]| a set)?)?\)?|,? ?\(?(?:for|with|as) (?:the )?power ?-?sets?\)?$"
    r"|,? ?\(?power ?-?sets?\)?$|^power ?-?sets?: ",
    re.IGNORECASE,
)
_OF = re.compile(r"(?:the )?power ?-?set of (?P<of>\([^()]*\)|[A-Z](?: ?[∪∩∖△\\] ?[A-Z])?(?![A-Za-z]))", re.IGNORECASE)
_EQUAL = re.compile(r" (?:is )?(?:always )?(?:equal to|equals?|the same as|the same set as) ")
_BOTH_WAYS = re.compile(r",? (?:if and only if|iff|exactly when) | ?[⇔↔] ?")
_IMPLIES = re.compile(r",? (?:implies(?: that)?|then(?: is| does)?) | ?[⇒→] ?")


def answer_power_set_claim(text: str) -> DirectStatement | None:
    """What trying every kind of subset says of a statement on power sets; None for any other question."""
    if len(text) > _LONGEST or "P" not in text.upper():
        return None
    laid = tidy(plain_signs(text))
    if _SPOKEN.search(laid) is None and _BY_SIGNS.search(laid) is None:
        return None
    body = without_asking(without_teller(laid)).replace("==", "=")
    for _ in range(2):
        body = without_asking(_NAMED.sub("", without_scope(body)).strip(" ,.;?"))
    body = _OF.sub(lambda found: f"𝒫({found['of'].strip('()')})", body)
    body = " ".join(_EQUAL.sub(" = ", re.sub(r"\bP ?(?=\()", "𝒫", body)).split())
    try:
        return _judged(body)
    except UnreadLogicError:
        return None


def _judged(body: str) -> DirectStatement | None:
    both = _BOTH_WAYS.split(body)
    if len(both) == 2:
        return _equivalent(both, body)
    parts = _IMPLIES.split(re.sub("^(?:if|suppose|let|given) ", "", body))
    if len(parts) == 2:
        statements = [_pointwise(part) for part in parts]
        if statements[0] is None:
            return None
        if statements[1] is None:
            return _told(read_power_statement(parts[1]), body, statements[0])
        return _equivalent(parts, body, one_way=True)
    return _told(read_power_statement(body), body, None) if len(parts) == 1 else None


def _pointwise(text: str) -> Proposition | None:
    """What a statement says of each element: one on sets, or on two power sets, which says the same of the sets."""
    text = without_asking(text)
    if "𝒫" not in text:
        return joined(several_statements(text))
    statement = read_power_statement(text)
    sides = plain_sides(statement)
    return None if sides is None else states(SetStatement(*sides, statement.sign))


def _equivalent(parts: list[str], body: str, *, one_way: bool = False) -> DirectStatement | None:
    first, second = (_pointwise(part) for part in parts)
    if first is None or second is None or not any("𝒫" in part for part in parts):
        return None
    names = letters_of(first, second)
    # Both say something of each element: one follows from the other where it does for each kind of element.
    for case in cases(names):
        if (truth(first, case) and not truth(second, case)) or (
            not one_way and truth(first, case) != truth(second, case)
        ):
            lies = listed([f"{'in' if value else 'not in'} {name}" for name, value in case.items()])
            told = (
                f"with one element that is {lies}, and nothing else in any set, one side is true and the other is not"
            )
            return DirectStatement(f"False: {told}.", body, (WorkingLine(told),))
    why = "𝒫(S) ⊆ 𝒫(T) says S ⊆ T, as S is in 𝒫(S) and subsets of S are subsets of T; the rest is told by each element"
    return DirectStatement(f"True for all sets: {body}. {why}: all {2 ** len(names)} cases were tried.", body)


def _told(statement: PowerStatement, body: str, given: Proposition | None) -> DirectStatement | None:
    if given is not None and not set(letters_of(given)) <= set(statement.names):
        return None
    trial = try_power_sets(statement, given)
    shown = body.replace("𝒫", "P")
    if trial.counterexample is None:
        why = (
            "A subset is told by in which of the sets its elements lie; all "
            f"{trial.tried} ways were tried, which proves it"
        )
        return DirectStatement(f"True for all sets: {shown}, with P the power set. {why}.", shown)
    kinds, is_left = trial.counterexample
    sets = _sets(kinds, statement.names)
    chosen = "{" + ", ".join(str(place + 1) for place in range(len(kinds))) + "}" if kinds else "∅"
    given_sets = listed([f"{name} = {value}" for name, value in sets.items()])
    where = "in the left side and not in the right one" if is_left else "in the right side and not in the left one"
    if statement.sign != "=":
        where = "in the side that should lie within the other, and not in that"
    told = f"with {given_sets}, the set {chosen} is {where}"
    return DirectStatement(f"False: {told} (P is the power set).", shown, (WorkingLine(told),))


def _sets(kinds: tuple[Mapping[str, bool], ...], names: tuple[str, ...]) -> dict[str, str]:
    found = {}
    for name in names:
        inside = [str(place + 1) for place, kind in enumerate(kinds) if kind[name]]
        found[name] = "{" + ", ".join(inside) + "}" if inside else "∅"
    return found
