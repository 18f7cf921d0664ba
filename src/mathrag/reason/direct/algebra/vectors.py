"""Questions about vectors written out in numbers: `dot product of (1, 2) and (3, 4)`, `length of the vector (3, 4)`.

Strict: beside the vectors only words that ask for one thing. Two numbers in parentheses may be a point or an interval,
so a word must say that vectors are meant, or the product asked for must be one of vectors alone.
"""

from __future__ import annotations

import math
import re
from fractions import Fraction

from mathrag.compute.algebra.polynomials import square_root
from mathrag.compute.algebra.vectors import MOST_PARTS, Vector, added, cosine_squared, cross, dot, scaled, square
from mathrag.compute.solve.tidy import literal
from mathrag.knowledge.units import read_canonical_unit
from mathrag.language.word_classes import any_of
from mathrag.reason.direct.algebra.outcomes import failure, numeric
from mathrag.reason.direct.algebra.wording import number_with_digits, plain
from mathrag.reason.direct.result import AlgebraOutcome, DirectResult, DirectStatement
from mathrag.types.answer import Provenance, WorkingLine
from mathrag.types.expression import Expression, divide
from mathrag.types.quantity import Quantity

_LONGEST = 300
_NUMBER = r"[-−+]?(?:[0-9]{1,12}(?:\.[0-9]{1,12})?(?:/[0-9]{1,12})?|\.[0-9]{1,12})"
VECTOR = re.compile(
    rf"(?P<open>[(\[<⟨])\s*(?P<parts>{_NUMBER}(?:(?:\s*[,;]\s*|\s+){_NUMBER}){{1,{MOST_PARTS - 1}}})\s*[)\]>⟩]"
    r"(?:\s*\^\s*\{?\s*T\s*\}?|ᵀ)?"
)
# Parts by the unit vectors: 2i + 3j - k.
_BY_UNITS = re.compile(
    r"(?<![\w.])(?P<first>[-−]?\s*[0-9./]*)\s*i\s*(?P<second>[-−+]\s*[0-9./]*)\s*j(?:\s*(?P<third>[-−+]\s*[0-9./]*)"
    r"\s*k)?(?!\w)"
)
_MARK = "\ue000"
_AROUND = re.compile(
    rf"\b(?:{any_of('direct.what_is')}|{any_of('direct.demands')}|{any_of('direct.wishes')}|{any_of('direct.calculate')}"
    rf"|{any_of('algebra.vector_words')})\b",
    re.IGNORECASE,
)
_SAID = re.compile(r"\bvectors?\b", re.IGNORECASE)
_ASKED = {
    name: re.compile(rf"\b(?:{any_of(f'algebra.{name}')})\b", re.IGNORECASE)
    for name in (
        "vector_angle",
        "dot_product",
        "cross_product",
        "unit_vector",
        "vector_length",
        "orthogonal",
        "parallel",
    )
}
_SIGNS = {
    "dot_product": re.compile(rf"{_MARK}\s*[·•∙⋅]\s*{_MARK}"),
    "cross_product": re.compile(rf"{_MARK}\s*×\s*{_MARK}"),
}
# Only vectors have these; a length or an angle may be that of something else.
_OF_VECTORS_ALONE = frozenset(("dot_product", "cross_product"))
_OF_TWO_VECTORS = re.compile(
    rf"\bangle between\s+(?:the\s+)?{_MARK}|^\s*are\s+{_MARK}\s+and\s+{_MARK}\s+(?:orthogonal|perpendicular)\b",
    re.IGNORECASE,
)
_OF_TWO = frozenset(("dot_product", "cross_product", "vector_angle", "orthogonal", "parallel"))
_IN_UNIT = re.compile(r"\bin (?P<unit>degrees?|radians?)\b", re.IGNORECASE)
_IN_DEGREES, _RADIANS = "deg", "rad"
_ANGLE_FIGURES = 7
_DEGREES = {Fraction(0): 90, Fraction(1, 4): 60, Fraction(1, 2): 45, Fraction(3, 4): 30, Fraction(1): 0}


def answer_vectors(text: str) -> AlgebraOutcome:
    """What is asked of vectors of numbers; None where none stands there, or anything else is said of them."""
    if len(text) > _LONGEST:
        return None
    written = sorted((*VECTOR.finditer(text), *_BY_UNITS.finditer(text)), key=lambda found: found.start())
    vectors = [read_vector(found) for found in written]
    if not vectors or None in vectors:
        return None
    words = text
    for found in reversed(written):
        words = f"{words[: found.start()]} {_MARK} {words[found.end() :]}"
    said = _IN_UNIT.search(words)
    words = " ".join(_IN_UNIT.sub(" ", words).split())
    asked = [name for name, pattern in _SIGNS.items() if pattern.search(words)]
    left = re.sub(r"[·•∙⋅×]", " ", words) if asked else words
    for name, pattern in _ASKED.items():
        if pattern.search(left):
            asked.append(name)
            left = pattern.sub(" ", left)
    asked = list(dict.fromkeys(asked))
    is_said = _SAID.search(words) is not None or any(
        found.re is _BY_UNITS or found["open"] in "<⟨" for found in written
    )
    # Between two of them: neither points nor intervals have that.
    is_said = is_said or (len(vectors) == 2 and _OF_TWO_VECTORS.search(words) is not None)
    if len(asked) != 1 or (asked[0] not in _OF_VECTORS_ALONE and not is_said):
        return None
    if _AROUND.sub(" ", left).replace(_MARK, " ").strip(" ?.,:;$()\\|"):
        return None
    if said is not None and asked[0] != "vector_angle":
        return None
    unit = _RADIANS if said is not None and said["unit"].lower().startswith("rad") else _IN_DEGREES
    return _answered(asked[0], [vector for vector in vectors if vector is not None], unit)


def read_vector(found: re.Match[str]) -> Vector | None:
    """The vector that a match of `VECTOR`, or of parts by the unit vectors, writes; None for a division by 0."""
    try:
        if found.re is _BY_UNITS:
            given = [found["first"], found["second"], *([found["third"]] if found["third"] else [])]
            return tuple(_of_unit(part) for part in given)
        return tuple(Fraction(part.replace("−", "-")) for part in re.findall(_NUMBER, found["parts"]))
    except (ValueError, ZeroDivisionError):
        return None


def _of_unit(part: str) -> Fraction:
    plainly = re.sub(r"\s", "", part).replace("−", "-")
    return Fraction(f"{plainly}1" if plainly in ("", "+", "-") else plainly)


def _answered(asked: str, vectors: list[Vector], unit: str) -> AlgebraOutcome:
    if len(vectors) != (2 if asked in _OF_TWO else 1):
        return None
    first, *others = vectors
    if asked == "vector_length":
        return _length(first)
    if asked == "unit_vector":
        return _unit(first)
    second = others[0]
    if len(first) != len(second):
        return failure("undefined", f"{shown_vector(first)} and {shown_vector(second)} do not have equally many parts")
    pair = f"{shown_vector(first)} and {shown_vector(second)}"
    if asked == "dot_product":
        value = dot(first, second)
        lines = (WorkingLine(f"{_products(first, second)} = {_entry(value)}"),)
        said = f"The dot product of {pair} is {_entry(value)}."
        return numeric(
            literal(value),
            float(value),
            said,
            expression=f"{pair}: dot product",
            checked="computed exactly",
            lines=lines,
        )
    if asked == "cross_product":
        return _crossed(first, second, pair)
    if not any(first) or not any(second):
        return failure("undefined", "the zero vector has no direction, so there is no angle with it")
    return _angle(first, second, pair, unit) if asked == "vector_angle" else _direction(asked, first, second, pair)


def _products(first: Vector, second: Vector) -> str:
    return " + ".join(f"{_within(a)} · {_within(b)}" for a, b in zip(first, second, strict=True))


def _crossed(first: Vector, second: Vector, pair: str) -> AlgebraOutcome:
    if len(first) != 3:
        return failure("undefined", f"{pair} have {len(first)} parts: only vectors of three parts have a cross product")
    found = cross(first, second)
    if dot(found, first) or dot(found, second):
        return failure("not_confirmed", f"the cross product of {pair} could not be confirmed")
    text = f"The cross product of {pair} is {shown_vector(found)} (its dot product with each of the two is 0)."
    return DirectStatement(text, f"cross product of {pair}", (WorkingLine(shown_vector(found)),))


def _length(vector: Vector) -> AlgebraOutcome:
    squared = square(vector)
    root = square_root(squared)
    squares = " + ".join(f"{_within(part)}²" for part in vector)
    said = f"The length of {shown_vector(vector)} is {_root_text(root, squared)} (the root of the sum of the squares)."
    lines = (WorkingLine(f"√({squares}) = √{_entry(squared)}"),)
    return numeric(
        root,
        math.sqrt(squared),
        said,
        expression=f"length of {shown_vector(vector)}",
        checked="computed exactly",
        lines=lines,
    )


def _unit(vector: Vector) -> AlgebraOutcome:
    if not any(vector):
        return failure("undefined", "the zero vector has no direction, so there is no unit vector along it")
    squared = square(vector)
    root = square_root(squared)
    exact = (
        math.isqrt(squared.numerator) ** 2 == squared.numerator
        and math.isqrt(squared.denominator) ** 2 == squared.denominator
    )
    if exact:
        length = Fraction(math.isqrt(squared.numerator), math.isqrt(squared.denominator))
        shown = shown_vector(scaled(vector, 1 / length))
    else:
        shown = f"({', '.join(plain(divide(literal(part), root)) if part else '0' for part in vector)})"
    text = (
        f"The unit vector along {shown_vector(vector)} is {shown}: "
        f"each part divided by the length {_root_text(root, squared)}."
    )
    return DirectStatement(text, f"unit vector of {shown_vector(vector)}", (WorkingLine(shown),))


def _root_text(root: Expression, squared: Fraction) -> str:
    return number_with_digits(root, math.sqrt(squared))


def _angle(first: Vector, second: Vector, pair: str, unit: str) -> AlgebraOutcome:
    sign, squared = cosine_squared(first, second)
    degrees = math.degrees(math.acos(max(-1.0, min(1.0, sign * math.sqrt(squared)))))
    known = _DEGREES.get(squared)
    exact = None if known is None else known if sign >= 0 else 180 - known
    cosine = f"cos φ = {dot(first, second)} / √({square(first)} · {square(second)})".replace("-", "−")
    amount = f"{exact}°" if exact is not None else f"≈ {degrees:.7g}°"
    radians = f"{math.radians(degrees):.7g}"
    shown = (f"≈ {radians} radians", amount) if unit == _RADIANS else (amount, f"≈ {radians} radians")
    text = f"The angle between {pair} is {shown[0]} ({shown[1]})."
    value = math.radians(degrees) if unit == _RADIANS else degrees if exact is None else exact
    lines = (WorkingLine(cosine), WorkingLine(f"φ {'=' if exact is not None else ''} {amount}".replace("  ", " ")))
    return DirectResult(
        "algebra",
        Quantity(value, read_canonical_unit(unit)),
        _ANGLE_FIGURES,
        f"angle between {pair}",
        text=text,
        working=(text, cosine),
        provenance=(Provenance("derived", f"computed by algebra; {cosine}"),),
        lines=lines,
    )


def _direction(asked: str, first: Vector, second: Vector, pair: str) -> DirectStatement:
    product = dot(first, second)
    if asked == "orthogonal":
        said = "orthogonal" if not product else "not orthogonal"
        text = f"{pair} are {said}: their dot product is {_entry(product)} (computed exactly)."
        return DirectStatement(
            text, f"dot product of {pair}", (WorkingLine(f"{_products(first, second)} = {_entry(product)}"),)
        )
    is_parallel = product * product == square(first) * square(second)
    factor = product / square(first)
    how = f"the second is {_entry(factor)} times the first" if is_parallel else "neither is a multiple of the other"
    assert not is_parallel or added(scaled(first, factor), second, -1) == tuple(Fraction(0) for _ in first)
    return DirectStatement(f"{pair} are {'' if is_parallel else 'not '}parallel: {how} (computed exactly).", pair)


def shown_vector(vector: Vector) -> str:
    """`(1, −2, 1/2)`."""
    return f"({', '.join(map(_entry, vector))})"


def _entry(value: Fraction) -> str:
    return str(value).replace("-", "−")


def _within(value: Fraction) -> str:
    return f"({_entry(value)})" if value < 0 or value.denominator > 1 else _entry(value)
