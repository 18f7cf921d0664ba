"""Whether an equation between vectors in letters is true: `is a × b = b × a for vectors?`, `a · (a × b) = 0`.

Read only where both products stand between letters, or vectors are spoken of: × alone may multiply numbers.
"""

from __future__ import annotations

import re
from fractions import Fraction

from mathrag.compute.algebra.vector_statements import (
    UnreadVectorsError,
    VectorStatement,
    VectorVerdict,
    judge_vectors,
    read_vector_statement,
)
from mathrag.reason.direct.algebra.asked_claims import without_asking
from mathrag.reason.direct.algebra.vectors import shown_vector
from mathrag.reason.direct.question_text import tidy
from mathrag.reason.direct.result import AlgebraOutcome, DirectFailure, DirectStatement
from mathrag.types.answer import WorkingLine

_LONGEST = 240
_UNREAD = "× between letters is a product of vectors; this statement was not read"
_CROSS = re.compile(r"[A-Za-z)}] ?(?:×|\\times\b) ?[A-Za-z(\\]")
_DOT = re.compile(r"[A-Za-z)}] ?(?:·|⋅|\\cdot\b) ?[A-Za-z(\\]")
_SPACE = r"(?: ?(?:in|of|∈) (?:R\^?3|ℝ\^?3|ℝ³|R³|three dimensions|3d|space))"
_LETTERS = r"[A-Za-z](?:(?:, ?| and |, and )[A-Za-z]){0,3}"
_OF_VECTORS = re.compile(
    r",? ?\(?(?:(?:for|if|when|where|with|given|all|any|every|two|three|arbitrary|the) )*"
    rf"(?:{_LETTERS} (?:are|is a|∈) )?(?:\w+ )?vectors?(?: {_LETTERS}\b)?{_SPACE}?\)?",
    re.IGNORECASE,
)
_IN_SPACE = re.compile(rf",?{_SPACE}$", re.IGNORECASE)
_MARKS = re.compile(r"\$+|\\[()\[\]]|`|\\[,;!]|\\(?:vec|mathbf|boldsymbol|left|right) ?|[{}]")


def answer_vector_claim(text: str) -> AlgebraOutcome:
    """What components say of an equation between vectors; None for any other question."""
    if len(text) > _LONGEST or _CROSS.search(text) is None:
        return None
    body = _MARKS.sub(" ", tidy(text))
    spoken = re.search(r"\bvectors?\b|ℝ³|R\^3", body, re.IGNORECASE) is not None
    if not spoken and _DOT.search(body) is None:
        return None
    body = without_asking(_IN_SPACE.sub("", _OF_VECTORS.sub(" ", without_asking(body))))
    try:
        statement = read_vector_statement(body.replace(" equal to ", " = ").replace(" equals ", " = "))
    except UnreadVectorsError:
        return DirectFailure(
            "ambiguous", "× between letters is a product of vectors; this statement was not read", "algebra"
        )
    verdict = judge_vectors(statement)
    if verdict is None:
        return DirectFailure("ambiguous", _UNREAD, "algebra")
    return _told(statement, verdict, " ".join(body.split()))


def _told(statement: VectorStatement, verdict: VectorVerdict, whole: str) -> DirectStatement:
    if verdict.is_shown:
        numbers = f" and numbers {', '.join(statement.scalars)}" if statement.scalars else ""
        shown = "Written out in components, both sides are the same polynomials."
        text = f"True for all vectors {', '.join(statement.vectors)} of ℝ³{numbers}: {whole}. {shown}"
        return DirectStatement(text, whole, (WorkingLine(whole),))
    assert verdict.point is not None
    at = ", ".join(f"{name} = {_shown(tuple(map(Fraction, value)))}" for name, value in verdict.point.items())
    sides = f"the left side is {_shown(verdict.left)} and the right side is {_shown(verdict.right)}"
    return DirectStatement(f"False: at {at} {sides}.", whole, (WorkingLine(f"at {at}: {sides}"),))


def _shown(value: tuple[Fraction, ...]) -> str:
    return shown_vector(value) if len(value) > 1 else str(value[0]).replace("-", "−")
