"""Whether an equation holds for all matrices: `is det(AB) = det(A) det(B) for matrices?`"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from typing import get_args

from mathrag.compute.algebra.known_matrix_laws import known_matrix_law
from mathrag.compute.algebra.matrices import Matrix
from mathrag.compute.algebra.matrix_laws import Kinds, follows_from_laws
from mathrag.compute.algebra.matrix_statements import (
    MatrixStatement,
    Shape,
    UnreadMatricesError,
    Value,
    read_matrix_statement,
    try_matrices,
)
from mathrag.compute.algebra.term_reader import walk
from mathrag.language.enumeration import listed
from mathrag.language.word_classes import any_of
from mathrag.reason.direct.algebra.asked_claims import without_asking
from mathrag.reason.direct.algebra.claim_frames import without_teller
from mathrag.reason.direct.algebra.stated_letters import StatedEquation, stated_equation
from mathrag.reason.direct.question_text import tidy, without_ending
from mathrag.reason.direct.result import AlgebraOutcome, DirectFailure, DirectStatement
from mathrag.types.answer import WorkingLine

_LONGEST = 300
_ENOUGH = 20
_LAWS = "It follows from the laws of sums, products, transposes, inverses, determinants and traces."
_SIZES = (2, 3)
_MARKS = re.compile(r"\$+|\\[()\[\]]|`|\\(?=(?:det|tr|trace|rank|min|max|exp)\b)|\\[,;!]|\\(?:left|right)\b")
_NAMED = re.compile(
    r"\\(?:mathrm|operatorname|text|textrm|mathop|mathbf|mathsf)\*? ?\{ ?([A-Za-z]{1,9}) ?\}", re.IGNORECASE
)
_COMMANDS = {"cdot": "·", "times": "×", "leq": "≤", "le": "≤", "geq": "≥", "ge": "≥", "neq": "≠", "ne": "≠", "top": "T"}
_COMMAND = re.compile(rf"\\({'|'.join(sorted(_COMMANDS, key=len, reverse=True))})(?![A-Za-z])")
# e^A is the exponential of a matrix where matrices are spoken of.
_EXPONENTIALS = (
    (re.compile(r"\be ?\^ ?\{([^{}]{1,30})\}"), r"exp(\1)"),
    (re.compile(r"\be ?\^ ?\(([^()]{1,30})\)"), r"exp(\1)"),
    (re.compile(r"\be ?\^ ?([A-Z])(?![A-Za-z])"), r"exp(\1)"),
)
# "tr(AB) = tr(BA) even when AB ≠ BA": what makes it remarkable limits nothing.
_EVEN_THOUGH = re.compile(
    r",? even (?:when|if|though|for matrices with|for) [A-Z]{2} ?(?:≠|!=|is not(?: equal to)?|and) ?[A-Z]{2}\b"
)
_COMMUTING = re.compile(
    r"\b(if|when|whenever|where|provided|given|assuming|suppose)(?: that)? ([A-Z])([A-Z]) ?= ?\3\2\b"
)
_TITLE = re.compile(
    r"^[A-Za-z' ]{4,40}(?:identity|rule|law|property|commutators?|commutator): ?|^commutators?: ?", re.IGNORECASE
)
# "matrices A, B: …": the letters joined, and the end of what is said of them; a commutator keeps its comma.
_LISTED = re.compile(r"(?<![\[A-Za-z,(])([A-Z]), ?(?:and )?([A-Z])(?![A-Za-z\]^('])")
_COLON = re.compile(r"(\bmatri(?:x|ces)(?: [A-Z](?: and [A-Z])*)?) ?: ?")
_IS = re.compile(r"(?<=[A-Z)T1}]) (?:is|are) (?:always )?(?:equal(?: to)? |the same as )?(?=[A-Z(][A-Z()^{} T+−1-]*$)")
# "AB is symmetric", as an equation.
_QUALITY = re.compile(
    r"(?:(?P<is>is|must|be|are) )?(?P<term>[A-Z(][A-Z()^{}'ᵀ⁻¹²³1-3 +−-]*?)(?: (?:is|be|must be))?(?: "
    r"(?:always|also|again|necessarily))?"
    r" (?P<quality>symmetric|skew-symmetric|skew symmetric|antisymmetric|orthogonal|idempotent)(?= "
    r"(?:for|if|when|where|whenever|provided)\b|$)"
)
_MATRICES = re.compile(
    r"\b(?:square |invertible |any |all |two |real |arbitrary |(?P<size>[234]) ?(?:x|×|by) ?[234] )*matri(?:x|ces)\b",
    re.IGNORECASE,
)
_OF_MATRICES = re.compile(
    r"\b(?:det|tr|trace|rank) ?[(A-Z]|\^ ?\{? ?T|ᵀ|\( ?[A-Z](?: ?[A-Z]){1,3} ?\) ?(?:\^ ?[{(]? ?[-−]1|⁻¹)|\[[A-Z], "
    r"?\[?[A-Z]"
    r"|\bcommut(?:e|ing|ators?)\b|\b(?:idempotent|nilpotent|involutory|orthogonal|skew-symmetric|antisymmetric)\b"
)
_FRACTION = re.compile(r"\\[dt]?frac ?\{([^{}]{1,20})\} ?\{([^{}]{1,30})\}")
_AROUND = re.compile(
    rf"\b(?:{any_of('algebra.whether_true')}|{any_of('algebra.truth')}|{any_of('algebra.holds')}"
    rf"|{any_of('algebra.matrix_claim_words')})\b[ ,:]*",
    re.IGNORECASE,
)


# "the transpose of AB", in signs.
_IN_WORDS = re.compile(
    r"\b(?:the )?(?P<what>transpose|inverse|determinant|trace|rank) of (?:the (?:product|matrix) )?"
    r"(?P<of>(?:[A-Z](?:\^T|ᵀ)? ?){1,3}(?![A-Za-z])|\([A-Z +−-]{1,12}\))"
)


def _as_written(found: re.Match[str]) -> str:
    body = found["of"] if found["of"].startswith("(") else f"({found['of'].strip()})"
    signs = {"transpose": f"{body}^T", "inverse": f"{body}^-1", "determinant": f"det{body}", "trace": f"tr{body}"}
    return f"{signs.get(found['what'], f'rank{body}')}{' ' if found['of'].endswith(' ') else ''}"


def answer_matrix_claim(text: str) -> AlgebraOutcome:
    """What trying small matrices says of an equation between matrices; None for any other question."""
    if len(text) > _LONGEST or not re.search(r"=|equal|same|≤|\\le|\bis\b|symmetric|idempotent", text):
        return None
    asked = in_signs_of_matrices(text)
    named = _MATRICES.search(asked)
    if named is None and not _OF_MATRICES.search(asked):
        return None
    if named is not None or re.search(r"\bcommut", asked):
        for pattern, made in _EXPONENTIALS:
            asked = pattern.sub(made, asked)
    stated = stated_equation(asked)
    if stated is None and _several_equations(asked) is not None:
        return _of_chain(asked)
    if stated is None or (stated.unread and not stated.says("matrix")):
        stated = None
    reason = ""
    for body, limits in _bodies(asked, stated):
        try:
            statement = read_matrix_statement(body)
            if limits is not None and limits.unread:
                words = listed([f"“{word}”" for word in limits.unread])
                reason = reason or f"what {words} requires of the matrices is not known here"
                continue
            size = int(named["size"] or 0) if named is not None else 0
            return _told(statement, body, size or (limits.size if limits else 0), limits)
        except UnreadMatricesError as error:
            reason = reason or str(error)
    if stated is None or not stated.says("matrix"):
        return None
    return DirectFailure("unread", f"{stated.body} was not tried as an equation between matrices: {reason}", "algebra")


def in_signs_of_matrices(text: str) -> str:
    """A text with one spelling for the signs and words of matrices."""
    asked = _NAMED.sub(lambda found: found[1].lower() if len(found[1]) > 1 else found[1], text)
    asked = _COMMAND.sub(lambda found: f" {_COMMANDS[found[1]]} ", _FRACTION.sub(r"(\1)/(\2)", asked))
    asked = without_ending(tidy(_MARKS.sub(" ", asked))).replace("==", "=")
    asked = re.sub(r"\^ ?(?:\{ ?T ?\}|T)", "^T", asked)
    for _ in range(2):
        asked = _LISTED.sub(r"\1 and \2", asked)
    asked = _COLON.sub(r"\1. ", asked)
    asked = _EVEN_THOUGH.sub("", _COMMUTING.sub(r"\1 \2 and \3 commute", without_teller(asked)))
    asked = _IN_WORDS.sub(_as_written, _TITLE.sub("", asked))
    if "=" in asked or "≤" in asked:
        return asked
    bare = _IS.sub(" = ", without_asking(asked))
    if "=" in bare:
        return bare
    return _QUALITY.sub(_quality_equation, bare, count=1) if _QUALITY.search(bare) else asked


def _quality_equation(found: re.Match[str]) -> str:
    term = found["term"].strip()
    # One letter alone has the quality or has it not.
    if len(term) < 2:
        return found.group()
    before = ", then " if found["is"] else ""
    equations = {"orthogonal": f"({term})^T ({term}) = I", "idempotent": f"({term})({term}) = {term}"}
    skew = f"({term})^T = -({term})"
    made = equations.get(found["quality"], f"({term})^T = {term}" if found["quality"] == "symmetric" else skew)
    return before + made


def _several_equations(asked: str) -> list[str] | None:
    """The equations of a chain a = b = c, with nothing around them."""
    body = without_asking(asked)
    sides = [side.strip() for side in body.split("=")]
    if not 3 <= len(sides) <= 5 or re.search(r"[a-z]{5}", body):
        return None
    return [f"{left} = {right}" for left, right in itertools.pairwise(sides)]


def _of_chain(asked: str) -> AlgebraOutcome:
    """A chain is true where each of its equations is; the first that fails refutes it."""
    found: AlgebraOutcome = None
    try:
        for one in _several_equations(asked) or ():
            found = _told(read_matrix_statement(one), one, 0, None)
            if not isinstance(found, DirectStatement) or not found.text.startswith("True"):
                return found
    except UnreadMatricesError:
        return None
    if not isinstance(found, DirectStatement):
        return None
    body = without_asking(asked)
    return DirectStatement(f"True for all square matrices of one size for which all sides exist: {body}. {_LAWS}", body)


def _bodies(asked: str, stated: StatedEquation | None) -> Iterator[tuple[str, StatedEquation | None]]:
    """The equation without the words around it: by its clauses, or with all the usual words left out."""
    if stated is not None:
        yield stated.body, stated
    if stated is None or not stated.unread:
        yield " ".join(_AROUND.sub(" ", _MATRICES.sub(" ", asked)).split()).strip(" ,"), None


def _told(statement: MatrixStatement, whole: str, size: int, stated: StatedEquation | None) -> AlgebraOutcome:
    shapes = {name: _shapes(name, stated) for name in statement.letters}
    has_exponentials = any(node.kind == "exp" for side in (statement.left, statement.right) for node in walk(side))
    sizes = (3,) if has_exponentials else (size,) if size else _SIZES
    # What follows from the laws is tried on a few matrices only.
    is_law = follows_from_laws(statement, _kinds(shapes, size))
    trials = [(each, try_matrices(statement, size=each, shapes=shapes, few=is_law)) for each in sizes]
    failed = next((trial.counterexample for _, trial in trials if trial.counterexample is not None), None)
    if failed is not None:
        return _refuted(whole, *failed)
    if any(trial.held < (1 if is_law else _ENOUGH) for _, trial in trials):
        counted = min(trial.held for _, trial in trials)
        reason = f"both sides have a value for only {counted} of the matrices tried"
        return DirectFailure("unsolved", f"{whole} could not be told true or false: {reason}", "algebra")
    upper = "strictly upper triangular " if has_exponentials else ""
    tried = " and ".join(
        f"{trial.held} choices of {_of_kind(shapes)}{upper}{each} × {each} matrices" for each, trial in trials
    )
    return _held(statement, whole, size, shapes, tried)


def _refuted(whole: str, case: Mapping[str, Value], left: Value, right: Value) -> DirectStatement:
    chosen = listed([f"{name} = {_shown(matrix)}" for name, matrix in case.items()])
    sides = f"the left side is {_shown(left)} and the right side is {_shown(right)}"
    line = WorkingLine(f"with {chosen}: {_shown(left)} / {_shown(right)}")
    return DirectStatement(f"False in general: with {chosen}, {sides}.", whole, (line,))


def _kinds(shapes: Mapping[str, frozenset[Shape]], size: int) -> Kinds:
    def of(kind: Shape) -> frozenset[str]:
        return frozenset(name for name, each in shapes.items() if kind in each)

    diagonal = of("diagonal")
    return Kinds(
        of("symmetric") | diagonal,
        of("skew"),
        of("orthogonal"),
        of("idempotent"),
        of("involutory"),
        of("commuting") or diagonal,
        size,
    )


def _of_kind(shapes: Mapping[str, frozenset[Shape]]) -> str:
    kinds = sorted({kind for each in shapes.values() for kind in each})
    return f"{' '.join(kinds)} ".replace("skew", "skew-symmetric") if kinds else ""


def _held(
    statement: MatrixStatement, whole: str, size: int, shapes: Mapping[str, frozenset[Shape]], tried: str
) -> DirectStatement:
    """What holds for all matrices that were tried: true where it follows from the laws, else not proved."""
    if follows_from_laws(statement, _kinds(shapes, size)):
        of_size = f"{size} × {size} matrices" if size else "square matrices of one size"
        where = f"for all {_of_kind(shapes)}{of_size} for which both sides exist"
        where += " (n is their size)" if "^n" in whole or "^{n}" in whole else ""
        return DirectStatement(f"True {where}: {whole}. {_LAWS} It was also tried: it holds for {tried}.", whole)
    law = known_matrix_law(statement, _kinds(shapes, size).commuting)
    if law is not None:
        text = (
            f"True: {whole}. {law} (A theorem that is told here, not shown.) It was also tried: it holds for {tried}."
        )
        return DirectStatement(text, whole)
    text = f"No counterexample found, not proved: {whole} holds for all {tried} of small whole numbers that were tried."
    return DirectStatement(text, whole)


def _shapes(name: str, stated: StatedEquation | None) -> frozenset[Shape]:
    every: tuple[Shape, ...] = get_args(Shape)
    return frozenset(shape for shape in every if stated is not None and stated.is_said(name, shape))


def _shown(value: Value | Matrix) -> str:
    if isinstance(value, tuple):
        return "[" + ", ".join("[" + ", ".join(map(str, row)) + "]" for row in value) + "]"
    return str(value)
