"""Read the formulas of a document and sort what they are: formulas, worked examples, values, or not readable.

Where notation allows two readings, `readings` lets the document's own symbols decide. What a symbol means is decided
elsewhere.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from mathrag.extract.known_relations import recognition
from mathrag.extract.occurrences import Occurrence

# Whoever reads formulas finds these here too.
from mathrag.extract.readings import MOST_TERMS as MOST_TERMS
from mathrag.extract.readings import latex_reading as latex_reading
from mathrag.extract.readings import read_with, settled_reading
from mathrag.extract.sorts import is_exercise, is_worked_context, sort_of
from mathrag.extract.vocabulary import Vocabulary, gather_vocabulary, is_long
from mathrag.extract.weights import weights
from mathrag.types.document import Document, Math, contents_of, with_formulas
from mathrag.types.expression import (
    Add,
    Call,
    Comparison,
    Declined,
    Divide,
    Equation,
    Flag,
    Measure,
    Negate,
    Number,
    Reading,
    Symbol,
    equation_symbols,
    substitute,
    symbols_of,
    walk,
)
from mathrag.types.library import Purpose, SymbolDefinition
from mathrag.types.symbol_names import split_name

# Keep guesses apart: a formula whose reading is uncertain is shown to people and never computed with. Reads nothing.
#
# Rules that look around a formula must not build on a guess beside it either, so they get a document in which every
# uncertain formula is a sign that no reader understands.

UNCERTAIN = "uncertain_reading"
_SIGN = "\N{WHITE SQUARE}"
_UNSAID = "it could not be read from the page with certainty"
_MOST_DOUBTS = 4
_BEGINNING = "the reading is uncertain, so its LaTeX is a guess: "


def has_guesses(document: Document) -> bool:
    """Whether any formula of the document is uncertain."""
    return any(
        isinstance(piece, Math) and not piece.is_certain
        for block in document.blocks
        for content in contents_of(block)
        for piece in content
    )


def uncertainty(math: Math) -> Declined:
    """Why a formula is not computed with: what was uncertain in reading it, in words."""
    doubts = "; ".join(dict.fromkeys(doubt for doubt in math.doubts[:_MOST_DOUBTS] if doubt)) or _UNSAID
    return Declined(math.source, UNCERTAIN, f"{_BEGINNING}{doubts}")


def doubts_in(reason: str) -> tuple[str, ...] | None:
    """The doubts that a reason of ours names; None where it may not name all of them."""
    if not reason.startswith(_BEGINNING) or reason == f"{_BEGINNING}{_UNSAID}":
        return None
    doubts = tuple(reason.removeprefix(_BEGINNING).split("; "))
    return doubts if len(doubts) < _MOST_DOUBTS else None


def without_guesses(document: Document) -> Document:
    """The document with a sign in place of every uncertain formula."""
    return replace(document, blocks=tuple(with_formulas(block, _masked) for block in document.blocks))


def _masked(math: Math) -> Math:
    return math if math.is_certain else replace(math, source=_SIGN, notation="latex", quote=_SIGN)


_RELATION = re.compile(r"[=≈≡∝<>≤≥]|\\(?:approx|equiv|simeq|propto|le|ge|lt|gt|leq|geq)\b|&(?:lt|gt);")
_LONGEST_REMARK = 12
_MOST_EQUATIONS = 40
_KNOWN = weights("readings")["known"]
_TAG = re.compile(r"<[^<>]*>")
# A number with letters right behind it, which may be its unit; nobody writes `3.5 * m` for a length.
_JUXTAPOSED = re.compile(r"[\d⁰¹²³⁴⁵⁶⁷⁸⁹]\}*(?:[\s~({]|\\[,;: !]|\\left\b)*\\?(?!cdot|times|frac|right)[^\W\d_]")
_LONGEST_UNIT = 6
# A symbol is explained beside a formula in its own block or in one of the two around it.
_BESIDE = 2
_BOLD = re.compile(
    r"\\(?:mathbf|boldsymbol|bm|pmb|mathbfit|symbf)(?![a-zA-Z])|\s(?:mathvariant|fontweight)=\"bold[a-z-]*\""
)
_PRODUCT_SIGN = re.compile(r"\\(?:times|cdot|wedge)(?![a-zA-Z])|[×·⋅∙]|&(?:times|sdot|middot);")
_ARROW = re.compile(r"\\(?:vec|overrightarrow)(?![a-zA-Z])|<mover[^<>]*>.{0,200}?<mo[^<>]*>(?:→|⃗|&#x20D7;|&rarr;)")


# What a formula is written in, and how it is written.
_Key: TypeAlias = tuple[str, str]


@dataclass(frozen=True, slots=True)
class ReadFormula:
    """An occurrence with what it was read as. `equations` are those that are formulas, `numeric` those with values;
    `purposes` says of each formula what it is for, once the whole document has been read."""

    occurrence: Occurrence
    reading: Reading | Declined
    equations: tuple[Equation, ...] = ()
    numeric: tuple[Equation, ...] = ()
    is_worked: bool = False
    purposes: tuple[Purpose, ...] = ()


def read_formulas(
    document: Document, occurrences: Iterable[Occurrence], definitions: Sequence[SymbolDefinition]
) -> Iterator[ReadFormula]:
    """Read every formula once; the same source is read the same way everywhere in the document."""
    vocabulary = gather_vocabulary(document, definitions)
    known: dict[_Key, Reading | Declined] = {}
    maths: dict[_Key, Math] = {}
    occurrences = list(occurrences)
    for math in (occurrence.math for occurrence in occurrences if occurrence.math.is_certain):
        key = (math.notation, math.source)
        if key not in known:
            known[key] = settled_reading(math, vocabulary, known=_known)
            maths[key] = math
    _reread_along_a_line(known, maths, vocabulary)
    places = _places(definitions)
    for occurrence in occurrences:
        if not occurrence.math.is_certain:
            yield ReadFormula(occurrence, uncertainty(occurrence.math))
        else:
            beside = {name for name, blocks in places.items() if _is_near(blocks, occurrence.block)}
            yield _sorted(occurrence, known[occurrence.math.notation, occurrence.math.source], beside)


def _places(definitions: Sequence[SymbolDefinition]) -> dict[str, list[int]]:
    """The blocks in which the symbols whose letters may be units are explained, in order."""
    places: dict[str, list[int]] = {}
    for one in definitions:
        if len(one.name) <= _LONGEST_UNIT:
            places.setdefault(one.name, []).append(one.first_block)
    return {name: sorted(blocks) for name, blocks in places.items()}


def _is_near(blocks: Sequence[int], block: int) -> bool:
    at = bisect_left(blocks, block - _BESIDE)
    return at < len(blocks) and blocks[at] <= block + _BESIDE


def _known(equation: Equation) -> float:
    """How far an equation being a known relation speaks for the reading that gives it."""
    return _KNOWN * recognition(equation)


def _reread_along_a_line(
    known: dict[_Key, Reading | Declined], maths: Mapping[_Key, Math], vocabulary: Vocabulary
) -> None:
    """Sums of bold letters are read as sums where no formula of the document has a direction or a product of vectors.

    Such a book tells of motion along a line; its bold letters are signed numbers. Arrows, and sums of nothing but bold
    letters (a resultant of forces), stay what they are.
    """
    summed = [key for key, one in known.items() if isinstance(one, Declined) and one.code == "vector_sum"]
    if not summed or any(_shows_vectors(key[1], one) for key, one in known.items()):
        return
    for key in summed:
        source = key[1]
        reading = settled_reading(replace(maths[key], source=_BOLD.sub("", source)), vocabulary)
        if isinstance(reading, Reading) and not all(map(_only_adds, reading.equations)):
            message = "the bold letters are read as signed numbers along one line"
            known[key] = replace(reading, source=source, flags=(*reading.flags, Flag("magnitudes", message)))


def _shows_vectors(source: str, reading: Reading | Declined) -> bool:
    """Whether bold letters are vectors or matrices here: multiplied as such, with a hat, transposed, differentiated."""
    if _BOLD.search(source) is None or _ARROW.search(source) is not None:
        # A document that draws arrows over its vectors has no need of bold for them.
        return False
    if isinstance(reading, Declined) and reading.code == "vector_product":
        return _PRODUCT_SIGN.search(source) is not None
    is_vectorial = isinstance(reading, Declined) and reading.code in ("vector_calculus", "direction", "matrix")
    return is_vectorial or any(flag.code == "unit_vector" for flag in reading.flags)


def _only_adds(equation: Equation) -> bool:
    """Whether symbols are added and nothing else: no factor, no number."""
    return all(
        isinstance(node, Add | Negate | Symbol) for side in (equation.left, equation.right) for node in walk(side)
    )


def read_alone(occurrence: Occurrence, names: Iterable[str]) -> ReadFormula:
    """A displayed formula, whatever the titles above it say; `names` are the symbols known to occur."""
    hints = tuple(sorted(name for name in names if is_long(name)))
    read = _sorted(replace(occurrence, headings=()), read_math(occurrence.math, hints))
    return replace(read, occurrence=occurrence)


def read_math(math: Math, hints: Sequence[str] = ()) -> Reading | Declined:
    """Read one formula by itself, with nothing known but the names of several letters in `hints`."""
    return read_with(math, hints)


def has_relation(math: Math) -> bool:
    """Whether it states something: an equality, a proportionality, an inequality."""
    text = _TAG.sub("", math.source) if math.notation == "mathml" else math.source
    return _RELATION.search(text) is not None


def is_worth_keeping(read: ReadFormula) -> bool:
    """A formula that cannot be computed is kept when it states something of its own, not a condition of another."""
    math = read.occurrence.math
    stands_alone = math.is_display or read.occurrence.row is not None
    if is_exercise(read.occurrence):
        return False
    if isinstance(read.reading, Declined) and read.reading.code == UNCERTAIN and math.is_display:
        # The sign that makes it a statement may be the one that could not be read.
        return True
    if isinstance(read.reading, Declined):
        if not has_relation(math) or (read.reading.code == "inequality" and _is_beside_an_equation(read.occurrence)):
            return False
        return stands_alone or len(math.source) > _LONGEST_REMARK
    is_condition = bool(read.reading.conditions) and not read.numeric and not read.reading.equations
    return stands_alone and is_condition and not _is_beside_an_equation(read.occurrence)


def _is_beside_an_equation(occurrence: Occurrence) -> bool:
    """Whether another cell of the row holds an equation, to which this one then belongs."""
    if occurrence.row is None:
        return not occurrence.math.is_display
    column = 0
    for cell in occurrence.row.cells:
        holds_equation = any(isinstance(piece, Math) and "=" in piece.source for piece in cell.content)
        if column != occurrence.row.column and holds_equation:
            return True
        column += cell.columns
    return False


def read_condition(math: Math) -> tuple[Comparison, ...]:
    """A comparison that stands by itself, such as r > R, as something to check; nothing where it cannot be read."""
    if math.notation != "latex" or "=" in math.source or not has_relation(math):
        return ()
    # The grammar reads conditions beside an equation; any equation will do.
    reading = latex_reading(rf"z = z_0,\ {math.source}")
    if isinstance(reading, Declined) or not reading.equations:
        return ()
    return tuple(one for condition in reading.equations[0].conditions for one in condition.comparisons)


def _sorted(occurrence: Occurrence, reading: Reading | Declined, beside: Collection[str] = frozenset()) -> ReadFormula:
    """Sorted; `beside` are the symbols that the document explains next to the formula, which are no units there."""
    if isinstance(reading, Declined) or is_exercise(occurrence):
        return ReadFormula(occurrence, reading)
    reading = _with_bare_concentrations(_without_directions(reading))
    is_worked = is_worked_context(occurrence)
    math = occurrence.math
    stands_alone = math.is_display or occurrence.row is not None
    formulas, numeric = [], []
    spelt = {phrase.name for phrase in reading.phrases if " " in phrase.text}
    for equation in reading.equations:
        if _only_explains(equation, spelt):
            continue
        explained = frozenset(() if is_worked else symbols_of(equation.right)) & frozenset(beside)
        has_units = is_worked or math.notation == "mathml" or _JUXTAPOSED.search(math.source) is not None
        match sort_of(
            equation, is_worked=is_worked, stands_alone=stands_alone, explained=explained, has_units=has_units
        ):
            case "formula":
                formulas.append(equation)
            case "numeric":
                numeric.append(equation)
    return ReadFormula(occurrence, reading, tuple(formulas[:_MOST_EQUATIONS]), tuple(numeric), is_worked)


def _only_explains(equation: Equation, spelt: set[str]) -> bool:
    """`k = \\text{number of tries}` says in words what a symbol is; it computes nothing."""
    sides = (equation.left, equation.right)
    names = [side.name for side in sides if isinstance(side, Symbol)]
    return len(names) == len(sides) and len(spelt.intersection(names)) == 1


def _without_directions(reading: Reading) -> Reading:
    """Unit vectors have the size 1: what remains is the equation of the magnitudes, as the reader's flag says."""
    directions = {flag.message.partition(" ")[0] for flag in reading.flags if flag.code == "unit_vector"}
    if not directions:
        return reading
    equations = []
    for equation in reading.equations:
        hats = {name: Number(1) for name in equation_symbols(equation) if name in directions}
        left, right = substitute(equation.left, hats), substitute(equation.right, hats)
        equations.append(replace(equation, left=left, right=right))
    return replace(reading, equations=tuple(equations))


def _with_bare_concentrations(reading: Reading) -> Reading:
    """The logarithm of a bare concentration means that of its number of mol/L: pH = -log([H+] / (1 mol/L))."""
    equations = []
    is_changed = False
    for equation in reading.equations:
        bare = _only_in_logarithms(equation)
        values = {name: Divide(Symbol(name), Measure(Number(1), "mol/L")) for name in bare}
        is_changed = is_changed or bool(bare)
        left, right = substitute(equation.left, values), substitute(equation.right, values)
        equations.append(replace(equation, left=left, right=right))
    if not is_changed:
        return reading
    message = "the logarithm of a concentration is taken of its number of mol/L"
    return replace(reading, equations=tuple(equations), flags=(*reading.flags, Flag("log_of_concentration", message)))


def _only_in_logarithms(equation: Equation) -> set[str]:
    """Concentrations that occur only as the whole argument of a logarithm."""
    inside: dict[str, int] = {}
    everywhere: dict[str, int] = {}
    for side in (equation.left, equation.right):
        for node in walk(side):
            if isinstance(node, Symbol) and split_name(node.name).prefix == "conc":
                everywhere[node.name] = everywhere.get(node.name, 0) + 1
            if isinstance(node, Call) and node.function.startswith("log") and isinstance(node.arguments[0], Symbol):
                name = node.arguments[0].name
                inside[name] = inside.get(name, 0) + 1
    return {name for name, count in everywhere.items() if inside.get(name) == count}
