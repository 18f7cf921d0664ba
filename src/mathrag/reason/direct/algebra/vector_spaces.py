"""Whether vectors of numbers are independent, span the space or are a basis of it; one projected onto another:
`is {(1, 2), (2, 4)} linearly independent`, `do (1, 0) and (1, 1) span R^2`, `projection of (3, 4) onto (1, 0)`."""

from __future__ import annotations

import re
from fractions import Fraction

from mathrag.compute.algebra.matrices import null_space, rank, transposed
from mathrag.compute.algebra.vectors import Vector, added, dot, scaled, square
from mathrag.language.enumeration import listed
from mathrag.language.word_classes import any_of, word_pairs
from mathrag.reason.direct.algebra.outcomes import failure
from mathrag.reason.direct.algebra.vectors import VECTOR, read_vector, shown_vector
from mathrag.reason.direct.question_text import tidy
from mathrag.reason.direct.result import AlgebraOutcome, DirectStatement
from mathrag.types.answer import WorkingLine

_LONGEST = 400
_MOST_VECTORS = 12
_MARK = "\ue000"
_COLUMN = re.compile(r"\\begin\{[pb]matrix\}([-−0-9./\s]{1,20}(?:\\\\[-−0-9./\s]{1,20}){1,11})\\end\{[pb]matrix\}")
_ASKED = re.compile(rf"\b(?:{any_of('algebra.vector_space_tasks')})\b", re.IGNORECASE)
_SPACE = re.compile(
    r"(?:\bthe )?(?:\bR|ℝ|\\mathbb ?\{? ?R ?\}?)(?: ?\^ ?\{? ?|)(?P<size>[1-9])\b ?\}?|(?:\bR|ℝ)(?P<raised>[²³⁴])"
)
_RAISED = {"²": 2, "³": 3, "⁴": 4}
_AROUND = re.compile(
    rf"\b(?:{any_of('direct.what_is')}|{any_of('direct.demands')}|{any_of('direct.wishes')}|{any_of('direct.calculate')}"
    rf"|{any_of('algebra.vector_words')}|{any_of('algebra.vector_space_words')})\b",
    re.IGNORECASE,
)


def answer_vector_space(text: str) -> AlgebraOutcome:
    """What is asked of a few vectors together; None where anything else is said of them."""
    if len(text) > _LONGEST or _ASKED.search(text) is None:
        return None
    laid = tidy(_COLUMN.sub(lambda found: f"({', '.join(found[1].split(chr(92) * 2))})", text))
    written = list(VECTOR.finditer(laid))
    vectors = [vector for found in written if (vector := read_vector(found)) is not None]
    if not vectors or len(vectors) != len(written) or len(vectors) > _MOST_VECTORS:
        return None
    words = laid
    for found in reversed(written):
        words = f"{words[: found.start()]} {_MARK} {words[found.end() :]}"
    space = _SPACE.search(words)
    size = 0 if space is None else int(space["size"]) if space["size"] else _RAISED[space["raised"]]
    rest = _SPACE.sub(" ", words)
    tasks = {word_pairs("algebra.vector_space_tasks")[said.lower()] for said in _ASKED.findall(rest)}
    left = _AROUND.sub(" ", _ASKED.sub(" ", rest)).replace(_MARK, " ")
    left = re.sub(r"\b[a-zA-Z](?:_?[0-9])? ?=|\b[uvwabcxS](?:_?\{?[0-9]\}?)?\b", " ", left)
    if len(tasks) != 1 or left.strip(" ?.,:;$()\\{}!"):
        return None
    if len({len(vector) for vector in vectors}) != 1:
        return failure("undefined", f"{_shown(vectors)} do not have equally many parts")
    return _answered(tasks.pop(), vectors, size)


def _answered(task: str, vectors: list[Vector], size: int) -> AlgebraOutcome:
    if size and size != len(vectors[0]):
        return failure("undefined", f"{_shown(vectors)} have {len(vectors[0])} parts, so they do not lie in ℝ^{size}")
    if task == "projection":
        return _projected(*vectors) if len(vectors) == 2 else None
    if task in ("independent", "dependent"):
        return _independent(vectors, task)
    return _spanning(vectors, task) if size else None


def _independent(vectors: list[Vector], asked: str) -> DirectStatement:
    relation = next(iter(null_space(transposed(tuple(vectors)))), None)
    shown = _shown(vectors)
    if relation is None:
        opening = "Yes" if asked == "independent" else "No"
        why = f"the rank of the matrix with these rows is {len(vectors)}, the number of the vectors"
        text = (
            f"{opening}: {shown} {'are' if len(vectors) > 1 else 'is'} linearly independent: {why} (computed exactly)."
        )
        return DirectStatement(text, shown, (WorkingLine(why),))
    opening = "No" if asked == "independent" else "Yes"
    parts = [
        f"({str(factor).replace('-', '−')}) · {shown_vector(vector)}"
        for factor, vector in zip(relation, vectors, strict=True)
        if factor
    ]
    why = f"{' + '.join(parts)} = 0"
    text = f"{opening}: {shown} {'are' if len(vectors) > 1 else 'is'} linearly dependent: {why} (computed exactly)."
    return DirectStatement(text, shown, (WorkingLine(why),))


def _spanning(vectors: list[Vector], task: str) -> DirectStatement:
    size, found = len(vectors[0]), rank(tuple(vectors))
    shown = _shown(vectors)
    spans = found == size
    why = f"the rank of the matrix with these rows is {found}"
    if task == "span":
        verdict = f"Yes: {shown} span ℝ^{size}" if spans else f"No: {shown} do not span ℝ^{size}"
        more = "" if spans else f", so they span a subspace of dimension {found} only"
        return DirectStatement(f"{verdict}: {why}{more} (computed exactly).", shown, (WorkingLine(why),))
    is_basis = spans and len(vectors) == size
    verdict = f"Yes: {shown} form a basis of ℝ^{size}" if is_basis else f"No: {shown} form no basis of ℝ^{size}"
    counted = "1 vector" if len(vectors) == 1 else f"{len(vectors)} vectors"
    text = f"{verdict}: {counted}, {why}, and a basis has {size} independent ones (computed exactly)."
    return DirectStatement(text, shown, (WorkingLine(why),))


def _projected(first: Vector, second: Vector) -> AlgebraOutcome:
    if not any(second):
        return failure("undefined", "nothing is projected onto the zero vector: it has no direction")
    factor = dot(first, second) / square(second)
    found = scaled(second, factor)
    assert dot(added(first, found, -1), second) == Fraction(0)
    line = f"({dot(first, second)!s} / {square(second)}) · {shown_vector(second)}".replace("-", "−")
    text = (
        f"The (orthogonal) projection of {shown_vector(first)} onto {shown_vector(second)} is {shown_vector(found)}: "
        f"{line} (what is left is orthogonal to the second vector; computed exactly)."
    )
    return DirectStatement(
        text, f"projection of {shown_vector(first)} onto {shown_vector(second)}", (WorkingLine(line),)
    )


def _shown(vectors: list[Vector]) -> str:
    return listed([shown_vector(vector) for vector in vectors])
