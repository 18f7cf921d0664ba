"""Whether an equation holds for all random variables: `is Var(X + Y) = Var X + Var Y?`"""

from __future__ import annotations

import re

from mathrag.compute.algebra.expectations import (
    ExpectationStatement,
    Relation,
    UnreadExpectationError,
    counterexample,
    holds_for,
    read_expectations,
)
from mathrag.language.enumeration import listed
from mathrag.language.word_classes import any_of
from mathrag.reason.direct.algebra.stated_letters import stated_equation
from mathrag.reason.direct.question_text import tidy, without_ending
from mathrag.reason.direct.result import AlgebraOutcome, DirectStatement
from mathrag.types.answer import WorkingLine

_LONGEST = 250
_MARKS = re.compile(r"\$+|\\[()]|`|\\(?:mathbb|mathrm|operatorname|text|mathbf) ?|\\(?=(?:Var|Cov|cdot)\b)")
_BRACED = re.compile(r"\{ ?(E|Var|Cov|V) ?\}")
_OF_RANDOM = re.compile(r"\b(?:E ?[\[(]|E ?\{|Var\b|var ?\(|Cov\b|cov ?\(|V ?\()")
_RELATED = re.compile(
    rf",? ?(?:(?:{any_of('algebra.clause_openings')}) )?(?:(?:the |two |any |all )*(?:random )?(?:variables? )?)"
    r"(?:[A-Z](?:(?:, ?| and )[A-Z])* (?:are |being )?)?(?P<related>independent|uncorrelated)"
    r"(?: random variables?| variables?)?(?: [A-Z](?:(?:, ?| and )[A-Z])*)?(?=$|[ ,?.])",
    re.IGNORECASE,
)
_ALL = re.compile(
    r",? (?:for|with|where) (?:all |any |every |two |real |constants? |numbers? |random variables? |and |[a-z](?![a-z])"
    r"|[A-Z](?![a-z])|[ ,])+$"
)
_CONSTANT = re.compile(r",\s*([a-z]) (?:is )?(?:an? )?const(?:ant)?(?=[\s?.]*$)")
_LINEAR = (
    "It follows from the linearity of the expected value, with Var(U) = E(U²) − E(U)² and "
    "Cov(U, V) = E(UV) − E(U) E(V) (shown by algebra)."
)


def answer_expectation_claim(text: str) -> AlgebraOutcome:
    """What linearity or a few values say of an equation between expected values; None for any other question."""
    if len(text) > _LONGEST or not re.search(r"=|\bequal|the same as", text):
        return None
    text = _CONSTANT.sub(r" where \1 is constant", text)
    plain = _BRACED.sub(r"\1", _MARKS.sub("", text.replace("\\cdot", "·")))
    if not _OF_RANDOM.search(plain):
        return None
    asked = without_ending(tidy(plain.replace("==", "=")))
    said = _RELATED.search(asked)
    related: Relation = "any"
    if said is not None:
        related = "independent" if said["related"].lower() == "independent" else "uncorrelated"
        asked = f"{asked[: said.start()]}{asked[said.end() :]}"
    stated = stated_equation(_ALL.sub("", asked))
    if stated is None or stated.unread:
        return None
    try:
        statement = read_expectations(stated.body)
        if not statement.randoms:
            return None
        return _told(statement, stated.body, related)
    except UnreadExpectationError:
        return None


def _told(statement: ExpectationStatement, whole: str, related: Relation) -> AlgebraOutcome:
    kind = "" if related == "any" else f"{related} "
    letters = f"all {kind}random variables {listed(statement.randoms)} for which both sides exist"
    letters += f" and all constants {listed(statement.constants)}" if statement.constants else ""
    if holds_for(statement, related):
        how = f"{_LINEAR} {_AS_PRODUCT}" if related != "any" and not holds_for(statement, "any") else _LINEAR
        return DirectStatement(f"True for {letters}: {whole}. {how}", whole, (WorkingLine(whole),))
    found = counterexample(statement, is_independent=related != "any")
    if found is None:
        return None
    chosen, left, right = found
    general = "in general" if related == "any" else f"for {related} variables, too"
    text = f"False {general}: with {chosen}, the left side is {left} and the right side is {right}."
    text = text.replace("-", "−")
    for under in ("uncorrelated", "independent"):
        if related == "any" and len(statement.randoms) > 1 and holds_for(statement, under):
            also = " (in particular for independent ones)" if under == "uncorrelated" else ""
            text += f" It is true for {under} {listed(statement.randoms)}{also}. {_LINEAR}"
            break
    return DirectStatement(text, whole, (WorkingLine(f"with {chosen}: {left} / {right}"),))


_AS_PRODUCT = "For such variables E(XY) = E(X) E(Y)."
