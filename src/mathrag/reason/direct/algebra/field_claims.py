"""Whether an equation holds for all fields in space: `is div(curl F) = 0 always?`"""

from __future__ import annotations

import re

from mathrag.compute.algebra.vector_fields import UnreadFieldsError, counterexample, holds_for_all, read_fields
from mathrag.language.word_classes import any_of
from mathrag.reason.direct.algebra.stated_letters import stated_equation
from mathrag.reason.direct.question_text import tidy
from mathrag.reason.direct.result import AlgebraOutcome, DirectStatement
from mathrag.types.answer import WorkingLine

_LONGEST = 250
_MARKS = re.compile(
    r"\$+|\\[()\[\]]|`|\\(?:vec|mathbf|boldsymbol|mathrm|operatorname|text|bm)\b ?|\\(?=(?:div|grad|curl|rot)\b)"
)
_COMMANDS = {r"\nabla": "∇", r"\cdot": "·", r"\times": "×", r"\Delta": "Δ", r"\varphi": "φ", r"\phi": "φ", r"\psi": "ψ"}
_COMMAND = re.compile("|".join(re.escape(name) for name in _COMMANDS))
_OF_FIELDS = re.compile(r"∇|\b(?:div|curl|rot|grad|laplacian)\b")
_KINDS = re.compile(
    rf",? (?:{any_of('algebra.clause_openings')}) "
    rf"(?:(?:{any_of('algebra.field_words')})\b[ ,]*|[A-HU-Wfghuvφψ](?![a-z])[ ,]*)+$",
    re.IGNORECASE,
)
_SHOWN = (
    "Written out in components, both sides are the same; mixed partial derivatives do not depend on their order where "
    "they are continuous (shown by algebra)."
)


def answer_field_claim(text: str) -> AlgebraOutcome:
    """What components say of an equation between fields; None for any other question."""
    if len(text) > _LONGEST or "=" not in text:
        return None
    plain = _COMMAND.sub(lambda found: f" {_COMMANDS[found[0]]} ", _MARKS.sub(" ", text))
    if not _OF_FIELDS.search(plain):
        return None
    plain = re.sub(r"\{ ?([A-Za-zφψ]+) ?\}", r" \1 ", plain.replace("==", "="))
    stated = stated_equation(_KINDS.sub("", tidy(plain).rstrip(" ?!.")))
    if stated is None or stated.unread:
        return None
    try:
        statement = read_fields(stated.body)
        whole = " ".join(stated.body.split())
        if holds_for_all(statement):
            where = "for all fields in space whose second partial derivatives are continuous"
            return DirectStatement(f"True {where}: {whole}. {_SHOWN}", whole, (WorkingLine(whole),))
        found = counterexample(statement)
    except UnreadFieldsError:
        return None
    if found is None:
        return None
    fields, left, right = found
    text = f"False in general: for {fields} the left side is {left} and the right side is {right}."
    return DirectStatement(text, whole, (WorkingLine(f"for {fields}: {left} / {right}"),))
