"""Is anything kept in a library that its documents do not say? Judged from the quotes alone, by means of our own.

Every formula that can be computed must have its symbols and numbers in the words it was found in, and must keep its
sides equal in size when the units are changed; every constant must have its digits there.
"""

from __future__ import annotations

import math
import random
import re
import unicodedata
from collections.abc import Iterator, Sequence
from decimal import Decimal

from mathrag.compute.evaluate import Failure, evaluate_quantity
from mathrag.library import Library
from mathrag.types.expression import Equation, Number, equation_symbols, walk
from mathrag.types.library import Constant, Formula, Span, SymbolMeaning
from mathrag.types.quantity import BASE_DIMENSIONS, NO_UNIT, Quantity

_NUMBER_WORDS = {
    0.5: ("half", "sqrt", "root", "√"),
    1 / 3: ("third", "cube root", "cbrt"),
    2: ("twice", "double", "two", "square", "root", "second"),
    3: ("three", "cube", "third", "triple"),
    4: ("four", "quarter"),
    0.25: ("quarter", "fourth"),
    1: ("one", "per", "inverse", "reciprocal", "over", "/", "frac", "-"),
    -1: ("inverse", "reciprocal", "over", "/", "frac", "-", "per"),
    100: ("percent", "%"),
    10: ("ten", "log", "lg"),
    0: ("zero",),
}


def library_violations(library: Library, *, except_ids: frozenset[str] = frozenset()) -> list[str]:
    """What is kept without its document saying it, in sentences; nothing for a sound library.

    `except_ids` are those that stood there before, by rules that are judged elsewhere.
    """
    found = []
    for formula in library.formulas():
        if formula.id not in except_ids:
            found += [f"{formula.id} {formula.latex!r}: {fault}" for fault in formula_faults(formula)]
    for constant in library.constants():
        if constant.id not in except_ids:
            found += [f"{constant.id} {constant.name!r}: {fault}" for fault in constant_faults(constant)]
    return found


def formula_faults(formula: Formula) -> Iterator[str]:
    """What is wrong with one formula."""
    if not formula.spans:
        yield "it has no place"
        return
    if formula.status != "executable":
        return
    if formula.equation is None:
        yield "it is executable and has no equation"
        return
    said = " ".join(_spoken(span) for span in formula.spans)
    for name in equation_symbols(formula.equation):
        meaning = next((one for one in formula.symbols if one.name == name), None)
        if not _has_symbol(name, meaning, said):
            yield f"the symbol {name} is not in its quote {formula.spans[0].quote[:80]!r}"
    for side in (formula.equation.left, formula.equation.right):
        for node in walk(side):
            if isinstance(node, Number) and not _has_number(node.value, said):
                yield f"the number {node.value} is not in its quote {formula.spans[0].quote[:80]!r}"
    yield from _size_faults(formula, formula.equation)


def constant_faults(constant: Constant) -> Iterator[str]:
    """What is wrong with one constant."""
    quotes = [re.sub(r"\D", "", _plain(span.quote)) for span in constant.spans]
    digits = "".join(map(str, constant.value.as_tuple().digits)).strip("0")
    if not quotes:
        yield "it has no place"
    elif constant.standard is not None and any(digits[:6] in quote for quote in quotes):
        return  # a standard constant keeps all its digits where the document rounds them
    elif digits and not any(digits in quote for quote in quotes):
        yield f"the digits of {constant.value} are not in {constant.spans[0].quote[:100]!r}"
    if constant.proposed_by and quotes:
        yield from _proposal_faults(constant, _plain(constant.spans[0].quote))


def _proposal_faults(constant: Constant, said: str) -> Iterator[str]:
    """Of what a model proposed: its symbol stands there by itself, and a bare number is given to it by a sign."""
    letter = re.escape(re.sub(r"[\s_]", "", _plain(constant.letter or constant.symbol)))
    packed = re.sub(r"(?<=[A-Za-z])[ _]*_[ _]*(?=\w)|_", "", said)
    if constant.symbol.endswith(("_max", "_min")) and constant.unit and _names_all(constant.name, said):
        return  # a limit in words ("at most 5 bar"): what is bounded is named where its letter is not
    if not re.search(rf"(?<![A-Za-z]){letter}(?![A-Za-z])", re.sub(r"(?<=\S)\s(?=\d)", "", packed)):
        yield f"the symbol {constant.symbol} stands nowhere by itself in {said[:100]!r}"
    if not constant.unit and not re.search(rf"{letter}\s*(?:=|≈|:)", packed):
        yield f"no value is given to {constant.symbol} in {said[:100]!r}"


def _spoken(span: Span) -> str:
    return _plain(span.quote)


def _plain(text: str) -> str:
    """A quote with Greek letters and raised digits by name, and without what only sets it."""
    made = []
    for character in unicodedata.normalize("NFKC", text):
        name = unicodedata.name(character, "")
        if name.startswith("GREEK") and "LETTER" in name:
            letter = name.split("LETTER ")[1].split(" ")[0].replace("LAMDA", "LAMBDA")
            made.append(f" {letter.capitalize() if 'CAPITAL' in name else letter.lower()} ")
        else:
            made.append(character)
    plain = "".join(made)
    plain = re.sub(
        r"\\(?:var|mathrm|mathit|mathbf|text|left|right|operatorname|rm|bar|vec|hat|overline|dot)", " ", plain
    )
    return re.sub(r"[\\{}$,;!]", " ", plain).replace("micro", "mu").replace("'", " prime ")


def _has_symbol(name: str, meaning: SymbolMeaning | None, said: str) -> bool:
    parts = [part for part in re.split(r"[_^']|(?<=\D)(?=\d)", re.sub(r"^var", "", name)) if part]
    letter = "" if meaning is None else _plain(meaning.letter)
    packed = re.sub(r"\s", "", said)
    if all(part.lower() in packed.lower() for part in parts) or (
        letter.strip() and re.sub(r"\s", "", letter) in packed
    ):
        return True
    if meaning is None:
        return False
    # A formula said in words: the quantity is named where its letter is not.
    return _names_all(meaning.description, said)


def _names_all(description: str, said: str) -> bool:
    words = [word for word in re.findall(r"[a-z]{3,}", description.lower()) if word not in ("the", "and", "for")]
    return bool(words) and all(word[:5] in said.lower() for word in words)


def _has_number(value: int | Decimal, said: str) -> bool:
    digits = re.sub(r"\D", "", f"{Decimal(value):f}").strip("0")
    if digits and digits in re.sub(r"[\s.,]", "", said):
        return True
    return any(word in said.lower() for key, words in _NUMBER_WORDS.items() if key == float(value) for word in words)


def _size_faults(formula: Formula, equation: Equation) -> Iterator[str]:
    """Change all base units: both sides must change by the same factor, else metres are added to seconds."""
    dimensions = {one.name: one.dimension for one in formula.symbols}
    names = equation_symbols(equation)
    if any(dimensions.get(name) is None for name in names):
        return
    chance = random.Random(formula.id)
    for _ in range(3):
        values = {name: chance.uniform(0.2, 0.9) for name in names}
        scales = [math.exp(chance.uniform(-1, 1)) for _ in BASE_DIMENSIONS]
        plain = _sides(equation, values)
        moved = {}
        for name in names:
            exponents = dimensions[name].exponents  # type: ignore[union-attr]
            moved[name] = values[name] * math.prod(
                scale ** float(power) for scale, power in zip(scales, exponents, strict=True)
            )
        scaled = _sides(equation, moved)
        if plain is None or scaled is None or not all(map(_is_usual, (*plain, *scaled))):
            continue
        first, second = scaled[0] / plain[0], scaled[1] / plain[1]
        if not math.isclose(first, second, rel_tol=1e-6):
            yield f"its sides have other units: {first:.4g} against {second:.4g}"
        return


def _is_usual(value: float) -> bool:
    return math.isfinite(value) and abs(value) > 1e-12


def _sides(equation: Equation, values: dict[str, float]) -> Sequence[float] | None:
    quantities = {name: Quantity(value, NO_UNIT) for name, value in values.items()}
    found = []
    for side in (equation.left, equation.right):
        result = evaluate_quantity(side, quantities, lenient_logarithms=True)
        if isinstance(result, Failure):
            return None
        found.append(float(result.value))
    return found
