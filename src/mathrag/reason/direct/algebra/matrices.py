"""Questions about matrices written out in numbers: `determinant of [[2, 1], [0, 3]]`, `[1 2; 3 4] inverse`."""

from __future__ import annotations

import re
from fractions import Fraction

from mathrag.compute.algebra.matrices import (
    MOST_ROWS,
    Matrix,
    characteristic,
    determinant,
    inverse,
    product,
    rank,
    shape_of,
    trace,
    transposed,
    unit_matrix,
)
from mathrag.compute.algebra.polynomials import polynomial_expression, roots_of
from mathrag.compute.solve.tidy import literal
from mathrag.language.enumeration import listed
from mathrag.language.word_classes import any_of, word_pairs
from mathrag.reason.direct.algebra.matrix_spaces import answer_matrix_task, has_quality
from mathrag.reason.direct.algebra.outcomes import failure, numeric
from mathrag.reason.direct.algebra.wording import complex_text, latex, number_with_digits, plain
from mathrag.reason.direct.result import AlgebraOutcome, DirectStatement
from mathrag.types.answer import WorkingLine

_LONGEST = 600
_NUMBER = r"[-−+]?(?:[0-9]{1,12}(?:\.[0-9]{1,12})?(?:/[0-9]{1,12})?|\.[0-9]{1,12})"
_NESTED = re.compile(r"\[\s*(?:\[[^\[\]]{1,200}\]\s*,?\s*){1,12}\]")
_SEMICOLONS = re.compile(r"\[[^\[\];]{1,200}(?:;[^\[\];]{1,200}){1,11}\]")
_LATEX = re.compile(r"\\begin\{([pbvBV]?matrix)\}(.{1,400}?)\\end\{\1\}", re.DOTALL)
_ROW = re.compile(r"\[([^\[\]]{1,200})\]")
_ENTRIES = re.compile(rf"\s*{_NUMBER}(?:(?:\s*[,&]\s*|\s+){_NUMBER})*\s*")
_MARK = "\ue000"
_AROUND = re.compile(
    rf"(?:{any_of('direct.what_is')}|{any_of('direct.demands')}|{any_of('direct.wishes')}|{any_of('direct.calculate')}"
    rf"|{any_of('algebra.matrix_words')})",
    re.IGNORECASE,
)
# Rows in words: "the matrix with rows (2, 5) and (1, 3)".
_IN_ROWS = re.compile(
    r"\b(?:matrix|matrices) (?:with|whose|having|that has)(?: the)? (?P<of>rows?|columns?)(?: are| being)?:? "
    r"(?P<rows>[(\[][^()\[\]]{1,80}[)\]](?:(?:,? and |, ?|; ?| )[(\[][^()\[\]]{1,80}[)\]]){0,11})",
    re.IGNORECASE,
)
_BRACES = re.compile(r"\{\s*(?:\{[^{}]{1,200}\}\s*,?\s*){1,12}\}")
_TASKS = (
    "nullity",
    "null_space",
    "column_space",
    "row_space",
    "reduced_rows",
    "adjugate",
    "eigenvectors",
    "cayley_hamilton",
)
_ASKED = {
    **{name: re.compile(rf"\b(?:{any_of(f'algebra.{name}')})\b", re.IGNORECASE) for name in _TASKS},
    "determinant": re.compile(rf"\b(?:{any_of('algebra.determinant')})\b", re.IGNORECASE),
    "inverse": re.compile(rf"\b(?:{any_of('algebra.inverse_matrix')})\b", re.IGNORECASE),
    "rank": re.compile(r"\brank\b", re.IGNORECASE),
    "eigenvalues": re.compile(rf"\b(?:{any_of('algebra.eigenvalues')})\b", re.IGNORECASE),
    "characteristic": re.compile(r"\bcharacteristic polynomial\b", re.IGNORECASE),
    "trace": re.compile(r"\btrace\b", re.IGNORECASE),
    "transpose": re.compile(r"\btransposed?\b", re.IGNORECASE),
    "property": re.compile(rf"\b(?:{any_of('algebra.matrix_properties')})\b", re.IGNORECASE),
    "product": re.compile(rf"\b(?:{any_of('algebra.matrix_product')})\b|[·×*]", re.IGNORECASE),
}


def answer_matrices(text: str) -> AlgebraOutcome:
    """What is asked of matrices of numbers; None where none stands there, or anything else is said of them."""
    if len(text) > _LONGEST:
        return None
    text = _IN_ROWS.sub(_nested_rows, _BRACES.sub(lambda found: found[0].replace("{", "[").replace("}", "]"), text))
    written = [found for pattern in (_LATEX, _NESTED, _SEMICOLONS) for found in pattern.finditer(text)]
    written.sort(key=lambda found: found.start())
    matrices = [_matrix(found) for found in written]
    if not matrices or any(matrix is None for matrix in matrices):
        return None
    words = text
    for found in reversed(written):
        words = f"{words[: found.start()]} {_MARK} {words[found.end() :]}"
    asked = []
    left = words
    for name, pattern in _ASKED.items():
        if pattern.search(left):
            asked.append(name)
            left = pattern.sub(" ", left)
    if len(asked) != 1 or _AROUND.sub(" ", left).replace(_MARK, " ").strip(" ?.,:$()\\"):
        return None
    known = [matrix for matrix in matrices if matrix is not None]
    said = _ASKED["property"].search(words)
    if said is not None:
        is_question = re.match(r"\s*(?:is|are)\b", words, re.IGNORECASE) is not None and len(known) == 1
        return (
            _has_property(known[0], word_pairs("algebra.matrix_properties")[said.group().lower()])
            if is_question
            else None
        )
    return _answered(asked[0], known)


def _nested_rows(found: re.Match[str]) -> str:
    rows = re.findall(r"[(\[]([^()\[\]]{1,80})[)\]]", found["rows"])
    if found["of"].lower().startswith("column"):
        parts = [re.split(r"[,\s]+", row.strip()) for row in rows]
        if len({len(part) for part in parts}) != 1:
            return found.group()
        rows = [", ".join(column) for column in zip(*parts, strict=True)]
    return "matrix [" + ", ".join(f"[{row}]" for row in rows) + "]"


def _matrix(found: re.Match[str]) -> Matrix | None:
    body = found.group()
    if found.re is _LATEX:
        lines = [line for line in re.split(r"\\\\", found.group(2)) if line.strip()]
    elif found.re is _NESTED:
        lines = _ROW.findall(body[1:-1])
    else:
        lines = body[1:-1].split(";")
    if not all(_ENTRIES.fullmatch(line) for line in lines) or len(lines) > MOST_ROWS:
        return None
    try:
        rows = tuple(tuple(Fraction(each.replace("−", "-")) for each in re.findall(_NUMBER, line)) for line in lines)
    except (ValueError, ZeroDivisionError):
        return None
    return rows if len({len(row) for row in rows}) == 1 and len(rows[0]) <= MOST_ROWS else None


def _has_property(matrix: Matrix, said: str) -> AlgebraOutcome:
    """Whether a square matrix is what is said of it, by its entries."""
    rows, columns = shape_of(matrix)
    shown = _shown(matrix)
    if rows != columns:
        text = f"No: {shown} is not {said}: it has {rows} rows and {columns} columns, and only square matrices can be."
        return DirectStatement(text, shown, (WorkingLine(text),))
    turned = transposed(matrix)
    value = determinant(matrix)
    if said in ("nilpotent", "idempotent", "involutory", "positive definite", "diagonalizable"):
        is_so, why = has_quality(matrix, said)
        text = f"{'Yes' if is_so else 'No'}: {shown} is {'' if is_so else 'not '}{said}: {why} (computed exactly)."
        return DirectStatement(text, shown, (WorkingLine(why),))
    is_so, why = {
        "invertible": (value != 0, f"its determinant is {_entry(value)}"),
        "singular": (value == 0, f"its determinant is {_entry(value)}"),
        "symmetric": (turned == matrix, f"its transpose is {_shown(turned)}"),
        "skew-symmetric": (
            turned == tuple(tuple(-entry for entry in row) for row in matrix),
            f"its transpose is {_shown(turned)}",
        ),
        "orthogonal": (
            product(turned, matrix) == unit_matrix(rows),
            f"its transpose times itself is {_shown(product(turned, matrix))}",
        ),
    }[said]
    text = f"{'Yes' if is_so else 'No'}: {shown} is {'' if is_so else 'not '}{said}: {why} (computed exactly)."
    return DirectStatement(text, shown, (WorkingLine(why),))


def _answered(asked: str, matrices: list[Matrix]) -> AlgebraOutcome:
    if len(matrices) != (2 if asked == "product" else 1):
        return None
    matrix = matrices[0]
    shown = _shown(matrix)
    rows, columns = shape_of(matrix)
    if asked in _TASKS:
        return answer_matrix_task(asked, matrix)
    if asked == "product":
        return _multiplied(*matrices)
    if asked == "transpose":
        return _stated(f"The transpose of {shown} is", transposed(matrix), "its rows are the columns")
    if asked == "rank":
        return _number(Fraction(rank(matrix)), f"The rank of {shown}", f"rank {shown}")
    if rows != columns:
        return failure(
            "undefined", f"{shown} has {rows} rows and {columns} columns: only square matrices have {_A[asked]}"
        )
    if asked == "trace":
        return _number(trace(matrix), f"The trace of {shown}", f"tr {shown}")
    if asked == "determinant":
        return _number(determinant(matrix), f"The determinant of {shown}", f"det {shown}")
    if asked in ("eigenvalues", "characteristic"):
        return _eigenvalues(matrix, shown, only_polynomial=asked == "characteristic")
    found = inverse(matrix)
    if found is not None and product(matrix, found) != unit_matrix(rows):
        return failure("undefined", f"the inverse of {shown} could not be confirmed")
    if found is None:
        text = f"{shown} has no inverse: its determinant is 0, so it is singular (computed exactly)."
        return DirectStatement(text, f"inverse of {shown}", (WorkingLine(f"det {shown} = 0"),))
    return _stated(f"The inverse of {shown} is", found, "their product was computed: it is the unit matrix")


_A = {
    "eigenvalues": "eigenvalues",
    "characteristic": "a characteristic polynomial",
    "trace": "a trace",
    "determinant": "a determinant",
    "inverse": "an inverse",
}


def _eigenvalues(matrix: Matrix, shown: str, *, only_polynomial: bool) -> AlgebraOutcome:
    """The roots of the characteristic polynomial; each fraction among them is put back, which is exact."""
    polynomial = characteristic(matrix)
    written = plain(polynomial_expression(polynomial, "lambda"))
    line = WorkingLine(
        f"det(λ − A) = {written}", rf"\det(\lambda - A) = {latex(polynomial_expression(polynomial, 'lambda'))}"
    )
    if only_polynomial:
        return DirectStatement(
            f"The characteristic polynomial of {shown} is {written} (det(λ − A), computed exactly).", shown, (line,)
        )
    found = roots_of(polynomial)
    size = len(matrix)
    values: list[str] = []
    for root in found.real:
        if root.low == root.high:
            moved = tuple(
                tuple(entry - (root.low if row == column else 0) for column, entry in enumerate(entries))
                for row, entries in enumerate(matrix)
            )
            if determinant(moved):
                return failure("not_confirmed", f"the eigenvalues of {shown} could not be confirmed")
        value = number_with_digits(root.exact, root.value)
        values.append(f"{value} ({root.multiplicity} times)" if root.multiplicity > 1 else value)
    values += [complex_text(pair) for pair in found.complex_pairs]
    if found.uncounted_complex:
        values.append(f"{found.uncounted_complex} further ones that are not real and have no short form here")
    counted = sum(root.multiplicity for root in found.real) + 2 * len(found.complex_pairs) + found.uncounted_complex
    if counted != size:
        return failure("not_confirmed", f"the eigenvalues of {shown} could not all be found")
    noun = "eigenvalue" if len(values) == 1 and not found.complex_pairs else "eigenvalues"
    verb = "is" if noun == "eigenvalue" else "are"
    text = (
        f"The {noun} of {shown} {verb} {listed(values, 'and')} (the roots of its characteristic polynomial {written})."
    )
    return DirectStatement(text, f"eigenvalues of {shown}", (line, WorkingLine(f"λ = {', '.join(values)}")))


def _multiplied(left: Matrix, right: Matrix) -> AlgebraOutcome:
    if shape_of(left)[1] != shape_of(right)[0]:
        message = f"{_shown(left)} has {shape_of(left)[1]} columns and {_shown(right)} {shape_of(right)[0]} rows"
        return failure("undefined", f"there is no such product: {message}")
    return _stated(f"The product of {_shown(left)} and {_shown(right)} is", product(left, right), "computed exactly")


def _stated(words: str, matrix: Matrix, checked: str) -> DirectStatement:
    shown = _shown(matrix)
    rows = r" \\ ".join(" & ".join(map(_entry, row)) for row in matrix)
    line = WorkingLine(shown, rf"\begin{{pmatrix}}{rows}\end{{pmatrix}}".replace("−", "-"))
    return DirectStatement(f"{words} {shown} ({checked}).", words.removesuffix(" is"), (line,))


def _number(value: Fraction, words: str, expression: str) -> AlgebraOutcome:
    return numeric(
        literal(value), float(value), f"{words} is {_entry(value)}.", expression=expression, checked="computed exactly"
    )


def _entry(value: Fraction) -> str:
    return str(value).replace("-", "−")


def _shown(matrix: Matrix) -> str:
    return "[" + ", ".join("[" + ", ".join(map(_entry, row)) + "]" for row in matrix) + "]"
