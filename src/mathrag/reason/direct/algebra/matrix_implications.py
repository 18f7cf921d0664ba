"""Whether equations between matrices follow from others: `if AB = AC and A is invertible, is B = C?`, `AB = 0 ⇒ A = 0
or B = 0 for matrices`."""

from __future__ import annotations

import re

from mathrag.compute.algebra.matrix_implications import MatrixImplication, is_proved, refuting_matrices
from mathrag.compute.algebra.matrix_statements import MatrixStatement, UnreadMatricesError, read_matrix_statement
from mathrag.language.enumeration import listed
from mathrag.reason.direct.algebra.asked_claims import without_asking
from mathrag.reason.direct.algebra.claim_frames import without_teller
from mathrag.reason.direct.algebra.matrix_claims import in_signs_of_matrices
from mathrag.reason.direct.algebra.matrix_spaces import shown_matrix
from mathrag.reason.direct.result import DirectStatement
from mathrag.types.answer import WorkingLine

_LONGEST = 300
_OF_MATRICES = re.compile(r"\b(?:matrix|matrices|invertible|nonsingular|non-singular)\b|\bdet\b", re.IGNORECASE)
_LETTERS = r"[A-Z](?:(?:, ?(?:and )?| and )[A-Z])*"
_SCOPE = re.compile(
    rf"(?:^|,? )\(?(?i:for|with|where|if|let|suppose|given|when)? ?(?:all |any |two |some |the |an? )*"
    rf"(?:{_LETTERS} (?:are|be|is an?|is) )?"
    r"(?:(?:all|any|two|three|some|an?|both|real|square|n ?[x×] ?n|[23] ?[x×] ?[23]|general|arbitrary) )*"
    rf"(?i:matri(?:x|ces))(?: {_LETTERS})?(?: of the same size)?\)?(?P<end>[.,;:]|(?= then)|$| )",
)
_IF = re.compile(r"^(?:if|suppose(?: that)?|given(?: that)?|let|assume(?: that)?|when|whenever) ", re.IGNORECASE)
_THEN = re.compile(
    r",? (?:then|implies(?: that)?|does it follow that|does this imply|can we conclude(?: that)?)(?: must| is| "
    r"does)? | ?⇒ ?| ?=> ?"
    r"|,? (?:must|is|does)(?= [A-Z(d])(?! (?:[A-Z] )?(?:invertible|nonsingular|not|the|an?)\b)|\. (?:is |must "
    r"|does |then )?"
)
_BEHIND = re.compile(r",? (?:if|whenever|when|provided(?: that)?) (?=[^=]*=)")
_QUALITY = re.compile(
    rf"(?P<letters>{_LETTERS}) (?:is|are|be) (?:both |an? )?(?P<quality>invertible|nonsingular|non-singular|not "
    rf"(?:the )?(?:zero|0)(?: matrix)?"
    r"|non-?zero(?: matrix)?|regular)(?: matrix| matrices)?"
)
_NONZERO = re.compile(r"(?P<letters>[A-Z]) ?(?:≠|!=|\\neq?) ?0\b")


def answer_matrix_implication(text: str) -> DirectStatement | None:
    """What follows from equations between matrices; None for any other question."""
    if len(text) > _LONGEST or text.count("=") < 2 or _OF_MATRICES.search(text) is None:
        return None
    body = without_teller(in_signs_of_matrices(text)).replace("the zero matrix", "0").replace("zero matrix", "0")
    body = without_asking(_SCOPE.sub(lambda found: " " if found["end"] in ". :" else found["end"], body).strip(" ,.;"))
    parts = _two_parts(" ".join(body.split()))
    if parts is None:
        return None
    try:
        claim = _claim(*parts)
    except UnreadMatricesError:
        return None
    return None if claim is None else _judged(claim, f"if {parts[0]}, then {parts[1]}")


def _two_parts(body: str) -> tuple[str, str] | None:
    """What is given and what is said to follow."""
    opened = _IF.match(body)
    rest = body[opened.end() :] if opened is not None else body
    for cut in _THEN.finditer(rest):
        given, end = rest[: cut.start()].strip(" ,."), rest[cut.end() :].strip(" ,.?")
        if "=" in given and "=" in end:
            return given, end
    turned = _BEHIND.search(rest) if opened is None else None
    return None if turned is None else (rest[turned.end() :].strip(), rest[: turned.start()].strip())


def _claim(given: str, end: str) -> MatrixImplication | None:
    invertible: set[str] = set()
    nonzero: set[str] = set()
    equations: list[MatrixStatement] = []
    for part in re.split(r",? and (?![A-Z] (?:are|is) )|,? and (?=[A-Z] is )|, ", given):
        quality = _QUALITY.fullmatch(part) or _NONZERO.fullmatch(part)
        if quality is None:
            equations.append(read_matrix_statement(part))
            continue
        said = quality.groupdict().get("quality") or "nonzero"
        letters = re.findall("[A-Z]", quality["letters"])
        (invertible if re.match("inv|nons|non-s|reg", said) else nonzero).update(letters)
    ends = [read_matrix_statement(part) for part in re.split(r",? or ", re.sub(r"\beither ", "", end))]
    if not equations or any(one.sign != "=" or one.scalars for one in (*equations, *ends)):
        return None
    made = MatrixImplication(tuple(equations), tuple(ends), frozenset(invertible), frozenset(nonzero))
    return made if len(made.letters) <= 3 else None


def _judged(claim: MatrixImplication, whole: str) -> DirectStatement | None:
    if is_proved(claim):
        inverses = listed([f"{name}⁻¹" for name in sorted(claim.invertible)]) if claim.invertible else ""
        how = f"multiplied by {inverses} from one side or both" if inverses else "as it is or transposed"
        why = f"What is given, {how}, is the conclusion, by the laws of matrices (shown by algebra)."
        return DirectStatement(f"True for all square matrices of one size: {whole}. {why}", whole)
    found = refuting_matrices(claim)
    if found is not None:
        chosen = listed([f"{name} = {shown_matrix(matrix)}" for name, matrix in found.items()])
        told = f"with {chosen}, what is given holds, but not what should follow"
        return DirectStatement(f"False for matrices in general: {told}.", whole, (WorkingLine(told),))
    if re.fullmatch(r"if ([A-Z]) ?([A-Z]) = I, then \2 ?\1 = I", whole):
        why = "A left inverse of a square matrix is a right inverse, too, the dimension being finite"
        text = f"True for all square matrices of one size: {whole}. {why} (a theorem that is told here, not shown)."
        return DirectStatement(text, whole)
    text = f"No counterexample found, not proved: {whole} holds for the 2 × 2 matrices of 0, 1 and −1 that were tried."
    return DirectStatement(text, whole)
