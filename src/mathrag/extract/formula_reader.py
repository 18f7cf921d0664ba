"""Read the formulas of a document and sort what they are: formulas, worked examples, values, or not readable.

Hints come first: names of several letters that the document uses as one symbol (`Re`, `MW`), so that they are not
taken apart. What a symbol means is decided elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from mathrag.compute.latex import read_latex
from mathrag.compute.mathml import read_mathml
from mathrag.compute.pythontext import read_python_text
from mathrag.extract.occurrences import Occurrence
from mathrag.extract.phrases import words_of
from mathrag.extract.sorts import is_exercise, is_worked_context, sort_of
from mathrag.knowledge.kinds import all_kinds
from mathrag.knowledge.spelling import normal_words
from mathrag.types.document import Document, Math, Text, contents_of, with_formulas
from mathrag.types.expression import (
    Call,
    Comparison,
    Declined,
    Divide,
    Equation,
    Flag,
    Measure,
    Number,
    Reading,
    Symbol,
    equation_symbols,
    substitute,
    walk,
)
from mathrag.types.library import Purpose, SymbolDefinition
from mathrag.types.symbol_names import split_name

# LaTeX read once: definitions, constants and formulas ask for the same pieces. Adds nothing to the reader.


@lru_cache(maxsize=4096)
def latex_reading(source: str, symbols: tuple[str, ...] = (), terms: int | None = None) -> Reading | Declined:
    """What `read_latex` gives; it never changes, so it can be shared."""
    return read_latex(source, symbols, terms=terms)


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


_LONE_LETTERS = re.compile(r"(?:\\(?:mathrm|mathit|text|operatorname)\{)?([A-Z][A-Za-z]{1,3})\}?(?:_.{1,20})?")
_RELATION = re.compile(r"[=≈≡∝<>≤≥]|\\(?:approx|equiv|simeq|propto|le|ge|lt|gt|leq|geq)\b|&(?:lt|gt);")
_LONGEST_REMARK = 12
_TERMS = (2, 3, 4)
MOST_TERMS = _TERMS[-1]
_LETTERS = re.compile(r"(?<!\\)[A-Z][A-Za-z]{1,3}(?![A-Za-z])")
_MOST_EQUATIONS = 40
_TAG = re.compile(r"<[^<>]*>")


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
    hints = tuple(sorted(_hints(document, definitions)))
    known: dict[tuple[str, str], Reading | Declined] = {}
    for occurrence in occurrences:
        if not occurrence.math.is_certain:
            yield ReadFormula(occurrence, uncertainty(occurrence.math))
            continue
        key = (occurrence.math.notation, occurrence.math.source)
        if key not in known:
            known[key] = read_math(occurrence.math, hints)
        yield _sorted(occurrence, known[key])


def read_alone(occurrence: Occurrence, names: Iterable[str]) -> ReadFormula:
    """A displayed formula, whatever the titles above it say; `names` are the symbols known to occur."""
    hints = tuple(sorted(name for name in names if _is_long(name)))
    read = _sorted(replace(occurrence, headings=()), read_math(occurrence.math, hints))
    return replace(read, occurrence=occurrence)


def read_math(math: Math, hints: Sequence[str] = ()) -> Reading | Declined:
    """Read one formula in its own notation; an open sum is read with two, three and four terms."""
    reading = _read(math, hints, None)
    if not isinstance(reading, Declined) or reading.code not in ("open_sum", "ellipsis"):
        return reading
    written = [one for terms in _TERMS if isinstance(one := _read(math, hints, terms), Reading) and one.equations]
    if not written:
        return reading
    equations = tuple(dict.fromkeys(equation for one in written for equation in one.equations))
    return replace(written[0], equations=equations)


def _read(math: Math, hints: Sequence[str], terms: int | None) -> Reading | Declined:
    match math.notation:
        case "latex":
            return latex_reading(math.source, tuple(hints), terms)
        case "mathml":
            return read_mathml(math.source, hints, terms=terms)
        case "text":
            return read_python_text(math.source, hints)


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


def _sorted(occurrence: Occurrence, reading: Reading | Declined) -> ReadFormula:
    if isinstance(reading, Declined) or is_exercise(occurrence):
        return ReadFormula(occurrence, reading)
    reading = _with_bare_concentrations(_without_directions(reading))
    is_worked = is_worked_context(occurrence)
    stands_alone = occurrence.math.is_display or occurrence.row is not None
    formulas, numeric = [], []
    for equation in reading.equations:
        match sort_of(equation, is_worked=is_worked, stands_alone=stands_alone):
            case "formula":
                formulas.append(equation)
            case "numeric":
                numeric.append(equation)
    return ReadFormula(occurrence, reading, tuple(formulas[:_MOST_EQUATIONS]), tuple(numeric), is_worked)


def _without_directions(reading: Reading) -> Reading:
    """Unit vectors have the size 1: what remains is the equation of the magnitudes, as the reader's flag says."""
    if all(flag.code != "unit_vector" for flag in reading.flags):
        return reading
    equations = []
    for equation in reading.equations:
        hats = {name: Number(1) for name in equation_symbols(equation) if "hat" in split_name(name).marks}
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


def _hints(document: Document, definitions: Sequence[SymbolDefinition]) -> set[str]:
    # A single letter needs no hint, and as one it would keep the reader from seeing a unit in `12 m`.
    found = {definition.name for definition in definitions if _is_long(definition.name)}
    sources = set()
    for block in document.blocks:
        for content in contents_of(block):
            for index, piece in enumerate(content):
                if isinstance(piece, Math):
                    sources.add(piece.source)
                    match = _LONE_LETTERS.fullmatch(piece.source.strip())
                    if match and _spelled_by_initials(match.group(1), words_of(content[:index])):
                        found.add(match.group(1))
    written = {name for source in sources for name in _LETTERS.findall(source)}
    words = _all_words(document)
    for name, phrases in _long_symbols():
        is_named = name in written and any(phrase in words for phrase in phrases)
        if is_named and not _is_product(name, document, definitions):
            found.add(name)
    return found


def _is_product(name: str, document: Document, definitions: Sequence[SymbolDefinition]) -> bool:
    """Whether the words beside a formula with these letters say what each is: "RC, where R is the resistance and"."""
    places = [{one.first_block for one in definitions if one.name == letter} for letter in name]
    for place in set.intersection(*places):
        for block in document.blocks[max(0, place - 1) : place + 1]:
            pieces = (piece for content in contents_of(block) for piece in content)
            if any(isinstance(piece, Math) and name in _LETTERS.findall(piece.source) for piece in pieces):
                return True
    return False


def _is_long(name: str) -> bool:
    letter = split_name(name).letter
    return len(letter) > 1 and letter.casefold().rstrip("_") not in _GREEK


def _spelled_by_initials(letters: str, before: str) -> bool:
    """Whether the words just before begin with these letters: "kinetic energy KE", "molecular weight MW"."""
    words = re.findall(r"[A-Za-z]+", before)[-len(letters) :]
    return len(words) == len(letters) and [word[0].lower() for word in words] == list(letters.lower())


@lru_cache(maxsize=1)
def _long_symbols() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Symbols of two or more letters in the table of kinds, with the names they go with."""
    found: dict[str, list[str]] = {}
    for item in all_kinds():
        for name in item.symbols:
            letter = split_name(name).letter
            if len(letter) > 1 and letter == name and name.isalpha() and not name.endswith("_") and name[0].isupper():
                found.setdefault(name, []).extend(normal_words(words) for words in item.words)
    return tuple((name, tuple(words)) for name, words in sorted(found.items()) if name.casefold() not in _GREEK)


_GREEK = frozenset(
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon phi chi "
    "psi omega".split()
)


def _all_words(document: Document) -> str:
    """All words of a document in one normal spelling, to look for phrases in."""
    parts: list[str] = []
    for block in document.blocks:
        for content in contents_of(block):
            parts.extend(piece.text for piece in content if isinstance(piece, Text))
            parts.append(" . ")
    return normal_words(re.sub(r"[^\w\s'’\-.]", " ", "".join(parts)))
