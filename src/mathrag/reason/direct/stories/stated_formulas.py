"""A formula that the question itself states: solved or evaluated with the value that the question gives."""

from __future__ import annotations

import re
from fractions import Fraction

from mathrag.compute.algebra.solving import solve_equation
from mathrag.compute.evaluate import Failure
from mathrag.compute.latex import read_latex
from mathrag.compute.solve.tidy import literal
from mathrag.compute.unknowns import evaluate_unknown
from mathrag.language.quantities import find_quantities
from mathrag.language.quantities.mention import Mention
from mathrag.language.word_classes import any_of
from mathrag.reason.direct.result import exact_fraction
from mathrag.reason.direct.stories.reading import Value, unit_named
from mathrag.reason.direct.stories.solved import Solved
from mathrag.types.expression import Declined, Equation, Symbol, equation_symbols, substitute, walk
from mathrag.types.quantity import NO_UNIT, Dimension, Quantity

_CUE = re.compile(rf"\b(?:{any_of('stories.formula_cues')})\b[ :,]*")
_PIECE = re.compile(r"(?:[0-9A-Za-z_^()+\-*/=.·√{}\\]|(?<=[0-9]),(?=[0-9]{3}))+")
_WORD = re.compile(r"[A-Za-z]{2,}")
_SQRT = re.compile(r"sqrt\(([^()]*)\)")
_ASSIGNED = re.compile(r"(?<![\w=])(?P<name>[A-Za-z]) ?= ?(?P<value>[-−]?[0-9][0-9,]*(?:\.[0-9]+)?)(?![\w^*(]|\.[0-9])")
_SOLVE_FOR = re.compile(r"\b[Ss]olve for (?P<name>[A-Za-z])\b")
_LENGTH, _AREA = Dimension.of({"length": 1}), Dimension.of({"length": 2})
_HOW_MANY = re.compile(r"\bhow (?:many|much|long|far|high|wide|tall|deep|old)\b|\bnumber of\b", re.IGNORECASE)
_LONGEST = 80


def solve_stated_formula(text: str) -> Solved | None:
    """The value that a formula of the question gives for what is asked."""
    plain = text.replace("−", "-").replace("–", "-")
    found = _formula(plain)
    if found is None:
        return None
    written, equation, rest = found
    names = list(equation_symbols(equation))
    mentions = [m for m in find_quantities(rest) if m.kind in ("quantity", "number", "count")]
    if len(names) == 1:
        return _solved(plain, written, equation, names[0], {}, mentions)
    if len(names) != 2:
        return None
    assigned = {match["name"]: match for match in _ASSIGNED.finditer(rest) if match["name"] in names}
    wanted = _SOLVE_FOR.search(rest)
    target = wanted["name"] if wanted is not None else _isolated(equation)
    if target not in names:
        return None
    (other,) = (name for name in names if name != target)
    if len(assigned) == 1 and other in assigned:
        value = Fraction(assigned[other]["value"].replace(",", "").replace("−", "-"))
        return _solved(plain, written, equation, target, {other: value}, mentions)
    if assigned or len(mentions) != 1 or mentions[0].text.lower() in ("one", "a"):
        return None
    return _solved(plain, written, equation, target, {other: exact_fraction(float(mentions[0].value))}, mentions)


def _formula(text: str) -> tuple[str, Equation, str] | None:
    """The one formula after a word that announces it, and the text without it. An expression gets a name."""
    found: list[tuple[str, Equation, str]] = []
    for cue in _CUE.finditer(text):
        place = cue.end()
        pieces: list[str] = []
        while (match := _PIECE.match(text, place)) is not None:
            piece = match[0]
            if any(word != "sqrt" for word in _WORD.findall(piece)) or piece in ("a", "I"):
                break
            pieces.append(piece)
            place = match.end() + 1 if text[match.end() : match.end() + 1] == " " else len(text)
            end = match.end()
        written = "".join(pieces).rstrip(".,")
        if not pieces or len(written) > _LONGEST or not re.search(r"[A-Za-z]", written) or len(written) < 3:
            continue
        equation = _read(written)
        if equation is not None:
            found.append((written, equation, text[: cue.end()] + " " + text[end:]))
    return found[0] if len(found) == 1 else None


def _read(written: str) -> Equation | None:
    latex = written.replace("·", r"\cdot ").replace("*", r"\cdot ")
    for _ in range(3):
        latex = _SQRT.sub(r"\\sqrt{\1}", latex)
    reading = read_latex(latex)
    if isinstance(reading, Declined) or reading.ambiguities:
        return None
    if len(reading.equations) == 1:
        return reading.equations[0]
    if reading.expression is not None and not reading.equations:
        return Equation(Symbol("value_of_expression"), reading.expression)
    return None


def _isolated(equation: Equation) -> str:
    return equation.left.name if isinstance(equation.left, Symbol) else ""


def _solved(
    text: str, written: str, equation: Equation, target: str, known: dict[str, Fraction], mentions: list[Mention]
) -> Solved | None:
    values = {name: Quantity(float(value)) for name, value in known.items()}
    found = evaluate_unknown(equation, target, values, seconds=0.5)
    if isinstance(found, Failure):
        return None
    unit = _unit(text, mentions)
    if unit is None:
        return None
    if not _is_only(equation, target, known, is_counted=bool(unit) or _HOW_MANY.search(text) is not None):
        return None
    value = exact_fraction(float(found.value.value))
    used = [
        Value(place, "num", each, NO_UNIT, f"{name} = {float(each):g}", False)
        for place, (name, each) in enumerate(known.items())
    ]
    lines = tuple(f"{name} = {float(each):g}" for name, each in known.items())
    return Solved(value, unit or None, f"the formula of the question: {written}", lines, used)


def _is_only(equation: Equation, target: str, known: dict[str, Fraction], *, is_counted: bool) -> bool:
    """Whether the equation has this one solution alone; of a measure or a count, this one that is not negative."""
    values = {name: literal(value) for name, value in known.items()}
    left, right = (substitute(side, values) for side in (equation.left, equation.right))
    found = solve_equation(left, right, target, may_search=False)
    if isinstance(found, Failure) or not found.is_complete:
        # A letter that stands once is undone step by step, by others than this.
        return sum(node == Symbol(target) for side in (left, right) for node in walk(side)) == 1
    numbers = [each.number for each in found.solutions if each.number is not None and each.period is None]
    if len(numbers) != len(found.solutions):
        return False
    return len([each for each in numbers if each >= 0] if is_counted else numbers) == 1


def _unit(text: str, mentions: list[Mention]) -> str | None:
    """The unit of what is asked: empty for a number of things, None where the question does not tell."""
    lower = text.lower()
    many = re.search(r"\bhow many (?P<noun>[a-z]+)", lower)
    if many is not None:
        unit = unit_named(many["noun"])
        return "" if unit is None else unit.text
    if re.search(r"\bnumber of\b", lower):
        return ""
    inside = re.search(
        r"\b(?:height|length|width|distance|depth|side)\b,? ?\(?in (?P<unit>feet|meters|inches|"
        r"centimeters|miles|yards)\b",
        lower,
    )
    if inside is not None and (unit := unit_named(inside["unit"])) is not None:
        return unit.text
    measures = {mention.units[0] for mention in mentions if mention.units}
    asks_length = (
        re.search(rf"\b(?:find|determine|to find)\b[^.?]*\b(?:{any_of('stories.lengths')})\b", lower) is not None
    )
    asks_same = re.search(r"\bhow much\b", lower) is not None
    lengths = {unit for unit in measures if unit.dimension == _LENGTH}
    areas = {unit for unit in measures if unit.dimension == _AREA}
    if asks_length and len(lengths) == 1:
        return lengths.pop().text
    if asks_length and not lengths and len(areas) == 1:
        return areas.pop().text.removesuffix("^2")
    if asks_same and len(measures) == 1:
        return measures.pop().text
    return "" if not measures and not re.search(rf"\b(?:{any_of('stories.measured')})\b", lower) else None
