"""A question about substances, read: which it names, how much of them it states, the reaction it writes out. What
remains is a template in small letters, in which marks stand for what was found; whether it is understood is for others
to decide."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import accumulate
from typing import Literal, TypeAlias

from mathrag.compute.chemistry.formulas import (
    Atoms,
    ChemicalFormula,
    ChemistryProblem,
    Group,
    atom_counts,
    is_element,
    read_chemical_formula,
    same_substance,
)
from mathrag.compute.chemistry.naming import LONGEST_NAME_WORDS, named_substance
from mathrag.compute.chemistry.reactions import Reaction, read_reaction
from mathrag.knowledge.elements import element_symbols, unmistakable_symbols
from mathrag.language.quantities import Mention, find_quantities
from mathrag.language.word_classes import any_of, word_class
from mathrag.reason.direct.result import Stated, exact_fraction
from mathrag.types.quantity import Dimension, Unit

SUBSTANCE, AMOUNT, REACTION = "◆", "■", "▶"
# What may stand between a value and its substance and says only whose or which one it is.
ANY = r"(?:an?|the|my|our|your|his|her|its|their|this|that|some)"
_MARKS = frozenset((SUBSTANCE, AMOUNT, REACTION))
_LONGEST = 900
_MOST_SUBSTANCES = 24

Measured: TypeAlias = Literal[
    "mass",
    "moles",
    "particles",
    "volume",
    "molarity",
    "percent",
    "pressure",
    "temperature",
    "current",
    "time",
    "voltage",
    "molar_energy",
    "mass_concentration",
    "molar_mass",
    "number",
]
_DIMENSIONS: dict[Dimension, Measured] = {
    Dimension.of({"mass": 1}): "mass",
    Dimension.of({"amount": 1}): "moles",
    Dimension.of({"length": 3}): "volume",
    Dimension.of({"amount": 1, "length": -3}): "molarity",
    Dimension.of({"mass": 1, "length": -1, "time": -2}): "pressure",
    Dimension.of({"temperature": 1}): "temperature",
    Dimension.of({"current": 1}): "current",
    Dimension.of({"time": 1}): "time",
    Dimension.of({"mass": 1, "length": 2, "time": -3, "current": -1}): "voltage",
    Dimension.of({"mass": 1, "length": 2, "time": -2, "amount": -1}): "molar_energy",
    Dimension.of({"mass": 1, "length": -3}): "mass_concentration",
    Dimension.of({"mass": 1, "amount": -1}): "molar_mass",
}

# Within a sentence the word would be small, and alone in brackets stands no word.
_HELIUM = re.compile(r"(?:(?<![A-Z])[a-z0-9]+[ ,]+|\((?=He\)))(?P<symbol>He)(?!\w)")
# Behind a stroke stands the other side of a ratio or of a couple: `[A]/[B]`, `Zn2+/Zn`.
_FORMULA = re.compile(
    r"(?:(?<![\w.^°/'’])[A-Z(\[]|(?<=/)\[|(?<=[+⁺⁻\]]/)[A-Z])[A-Za-z0-9₀-₉()\[\]{}_^·•*∙⋅⁰¹²³⁴-⁹⁺⁻+−-]*"
)
_WORD = re.compile(r"(?:\d-)?[a-z]+(?:-\d(?=-))?(?:-[a-z]+)*(?: ?\((?:[ivIV]{1,4}|[1-8]\+)\))?(?!\w)", re.IGNORECASE)
_ARROW = re.compile(r"<?[-–—−=]{1,3}>|[→⟶⇌⇄⟷↔⇒]|=")
_PARTICLES = re.compile(r" ?(?:x ?)?(?P<what>molecules?|atoms?|formula units?|particles)\b", re.IGNORECASE)
_ONE_MOLE = re.compile(r"\b(?:an?|one|each) (?=(?:milli)?mol(?:e|es)?\b)", re.IGNORECASE)
_ATOMS_BEHIND = re.compile(r"\s+atoms?\b", re.IGNORECASE)
_MOLECULES_BEHIND = re.compile(r"\s+(?:gas|molecules?)\b", re.IGNORECASE)
_ATOMS_BEFORE = re.compile(r"\b(?:atomic|(?:atoms?|moles? of atoms) of)\s+$", re.IGNORECASE)
_MOLECULES_BEFORE = re.compile(r"\b(?:molecular|diatomic|gaseous|molecules? of)\s+$", re.IGNORECASE)
_DIGITS = re.compile(r"[0-9][0-9,.]*")
_SPACES = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Mentioned:
    """A substance as the question has it, with the formulas it can mean."""

    text: str
    formulas: tuple[ChemicalFormula, ...]
    note: str = ""

    @property
    def element(self) -> str:
        """The symbol of the element that it can mean, empty where it is none."""
        single = [each for each in self.formulas if is_element(each) and not each.charge]
        found = {symbol for each in single for symbol in atom_counts(each)}
        return found.pop() if len(found) == 1 else ""


@dataclass(frozen=True, slots=True)
class Amount:
    """A value as the question states it: what it measures and its number in SI units, exact."""

    text: str
    measured: Measured
    si: Fraction
    unit: Unit | None
    stated: Stated
    particles: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """What was found, in the order of the question, and the template in which the marks stand for it."""

    template: str
    substances: tuple[Mentioned, ...]
    amounts: tuple[Amount, ...]
    reaction: Reaction | None
    problem: ChemistryProblem | None = None

    def substance_at(self, place: int) -> Mentioned:
        """The substance whose mark stands at a place of the template."""
        return self.substances[self.template.count(SUBSTANCE, 0, place)]

    def amount_at(self, place: int) -> Amount:
        """The value whose mark stands at a place of the template."""
        return self.amounts[self.template.count(AMOUNT, 0, place)]


# A stretch of the text with what it names; None for what says once more what stands before it.
_Span: TypeAlias = tuple[int, int, Mentioned | ChemistryProblem | None]


@cache
def _subjects() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{any_of('chemistry.subjects')})(?!\w)", re.IGNORECASE)


def is_about_substances(text: str) -> bool:
    """Whether a text may be such a question at all; cheap."""
    return len(text) <= _LONGEST and (_subjects().search(text) is not None or _ARROW.search(text) is not None)


def read_chemistry(text: str) -> Reading | None:
    """The reading of a question; None for a text without substances."""
    if not is_about_substances(text) or not _MARKS.isdisjoint(text):
        return None
    text = _ONE_MOLE.sub("1 ", _SPACES.sub(" ", text).strip())
    text = (_STATE_CLOSE if _ARROW.search(text) is None else _STATE).sub("", text)
    found = _equation(text)
    if isinstance(found, ChemistryProblem):
        return Reading("", (), (), None, found)
    reaction, start, end = found
    marked = text if reaction is None else f"{text[:start]}{REACTION}{text[end:]}"
    is_of_letters = reaction is not None and is_schematic(reaction)
    spans = _letter_spans(marked, reaction) if reaction is not None and is_of_letters else _substance_spans(marked)
    if len(spans) > _MOST_SUBSTANCES:
        return None
    problem = next((each for _, _, each in spans if isinstance(each, ChemistryProblem)), None)
    if problem is not None:
        return Reading("", (), (), None, problem)
    substances = [each for _, _, each in spans if isinstance(each, Mentioned)]
    marked = _replaced(marked, [(begin, stop, "" if each is None else SUBSTANCE) for begin, stop, each in spans])
    amounts = list(_amounts(marked))
    template = _replaced(marked, [(begin, stop, AMOUNT) for begin, stop, _ in amounts])
    return Reading(
        template.lower(),
        tuple(substances),
        tuple(each for _, _, each in amounts),
        reaction,
    )


def _replaced(text: str, spans: Sequence[tuple[int, int, str]]) -> str:
    """The text with a mark for each stretch."""
    pieces: list[str] = []
    last = 0
    for begin, stop, mark in spans:
        pieces.extend((text[last:begin], mark))
        last = stop
    return "".join((*pieces, text[last:]))


# The reaction.


def _equation(text: str) -> tuple[Reaction | None, int, int] | ChemistryProblem:
    """The one reaction that is written out, with its place; a problem where what stands around an arrow is none."""
    for arrow in _ARROW.finditer(text):
        start, end = _left_end(text, arrow.start()), _right_end(text, arrow.end())
        if start == arrow.start() or end == arrow.end():
            continue
        read = read_reaction(text[start:end], resolve=resolve_name)
        if isinstance(read, ChemistryProblem):
            return read
        if read is None and (arrow[0].startswith("<") or arrow[0] in "⇌⇄⟷↔"):
            read = _schematic(text[start:end])
        if read is not None:
            return read, start, end
    return None, 0, 0


def resolve_name(name: str) -> ChemicalFormula | None:
    """The species that a name stands for within a reaction, where elements occur as their molecules."""
    found = named_substance(_SPACES.sub(" ", name.strip().lower().removesuffix(" gas")))
    if found is None or (len(found.formulas) > 1 and not is_element(found.formulas[0])):
        return None
    return found.formulas[0]


# What is a unit, a constant or a temperature elsewhere.
_NO_SPECIES = frozenset("KLMQTV")


def letter_as_species(text: str) -> ChemicalFormula | None:
    """A capital letter that stands for any species: `A + B ⇌ C`."""
    is_letter = len(text) == 1 and text.isascii() and text.isupper() and text not in _NO_SPECIES
    return ChemicalFormula((Group((Atoms(text),)),)) if is_letter else None


def _schematic(text: str) -> Reaction | None:
    """A reaction between letters, one of which is no element."""
    read = read_reaction(text, resolve=letter_as_species)
    if not isinstance(read, Reaction) or not is_schematic(read):
        return None
    letters = [str(each.formula) for each in read.terms]
    is_of_letters = all(letter_as_species(each) is not None for each in letters)
    return read if is_of_letters and len(set(letters)) == len(letters) else None


def is_schematic(reaction: Reaction) -> bool:
    """Whether letters stand for species: nothing tells whether such a reaction is balanced."""
    return any(symbol not in element_symbols() for each in reaction.terms for symbol in atom_counts(each.formula))


def _letter_spans(text: str, reaction: Reaction) -> list[_Span]:
    """The species of a schematic reaction, in brackets or alone; at the start of a sentence a letter may be a word."""
    letters = "".join(str(each.formula) for each in reaction.terms)
    sign = re.compile(
        rf"\[[{letters}]\]|(?<!\d )(?<![\w.^°/'’\[])[{letters}](?![\w'’=])"
        r"(?<!^[AI](?= [a-z]))(?<![.?!:] [AI](?= [a-z]))"
    )
    found: list[_Span] = []
    for match in sign.finditer(text):
        species = letter_as_species(match[0].strip("[]"))
        if species is not None:
            found.append((match.start(), match.end(), Mentioned(match[0], (species,))))
    return found


_STATE = re.compile(r"\s?\((?:s|l|g|aq)\)", re.IGNORECASE)
# Outside of reactions letters in brackets may be signs of something else.
_STATE_CLOSE = re.compile(r"(?<=[\w₀-₉⁺⁻+)\]])\((?:s|l|g|aq)\)")
# A formula with the state behind it.
STATES = re.compile(r"(\S+?)\s?\((s|l|g|aq)\)", re.IGNORECASE)
_TERM_END = re.compile(r"(?:\d+(?:/\d+)?\s*)?(?:[A-Z(\[][^\s]*|e\^?[-−⁻])$")
_TERM_START = re.compile(r"\s*(?:\d+(?:/\d+)?\s*)?(?:[A-Z(\[][^\s,;?!]*|e\^?[-−⁻])")
_ROMAN = re.compile(r"[IVX]+")
_PLUS_END = re.compile(r"\s\+\s*$|\s*\+\s$")
_PLUS_START = re.compile(r"\s+\+\s*|\s*\+\s+")


def _left_end(text: str, place: int) -> int:
    """Where the terms joined by plus signs begin that end at a place."""
    stop, begin = len(text[:place].rstrip()), place
    for _ in range(_MOST_SUBSTANCES):
        term = next((found for found in _terms_ending(text[:stop])), None)
        if term is None:
            break
        begin = term
        plus = _PLUS_END.search(text[:begin])
        if plus is None:
            break
        stop = plus.start()
    return begin


def _terms_ending(text: str) -> Iterator[int]:
    """Where a term at the end of a text begins: at its last word, or at the number before it."""
    window = max(0, len(text) - 80)
    found = _TERM_END.match(text, max(window, text.rfind(" ") + 1))
    if found is None:
        return
    number = re.search(r"(?<![\w.])\d+(?:/\d+)? $", text[: found.start()])
    yield found.start() if number is None else number.start()


def _right_end(text: str, place: int) -> int:
    """Where the terms joined by plus signs end that begin at a place."""
    end = start = place
    for _ in range(_MOST_SUBSTANCES):
        term = _TERM_START.match(text, start)
        if term is None:
            break
        end = term.end()
        plus = _PLUS_START.match(text, end)
        if plus is None:
            break
        start = plus.end()
    while end > place and text[end - 1] in ".:":
        end -= 1
    return end


# The substances.


def _substance_spans(text: str) -> list[_Span]:
    found = list(_formula_spans(text))
    taken = [(begin, stop) for begin, stop, _ in found]
    found.extend(_name_spans(text, taken))
    return _joined(text, sorted(found, key=lambda each: each[0]))


def _joined(text: str, spans: Sequence[_Span]) -> list[_Span]:
    """The same with a name and the formula of the same substance behind it as one: `carbon dioxide (CO2)`."""
    joined: list[_Span] = []
    # Where the last mention stands that something may say again.
    place = -1
    for begin, stop, each in spans:
        if place >= 0 and isinstance(each, Mentioned):
            start, end, first = joined[place]
            again = _said_again(text, joined[-1][1], begin, stop)
            meant = None
            if again is not None and isinstance(first, Mentioned):
                is_bracketed = text[begin - 1] in "([" and text[stop : stop + 1] in (")", "]")
                meant = _one_substance(first, each) or (_contradiction(first, each) if is_bracketed else None)
            if again is not None and meant is not None:
                joined[place] = (start, end, meant)
                joined.append((*again, None))
                continue
        place = len(joined)
        joined.append((begin, stop, each))
    return joined


@cache
def _between() -> re.Pattern[str]:
    """What may stand between a name and its formula: a state, a comma, a bracket."""
    state = rf"(?: (?:{any_of('chemistry.state_words')}|solution))?"
    return re.compile(rf"{state}(?P<joint> |, |,? ?(?P<bracket>[(\[]))")


_CLOSING = re.compile(r"[)\]]|(?P<more>[,;] )")


def _said_again(text: str, last: int, begin: int, stop: int) -> tuple[int, int] | None:
    """The stretch to leave out where a substance is said again there, in brackets or not; what else the brackets hold
    stays in them."""
    between = _between().fullmatch(text, last, begin)
    if between is None:
        return None
    if between["bracket"] is None:
        # A comma that opens is closed by one.
        return between.start("joint"), stop + (between["joint"] == ", " and text.startswith(", ", stop))
    closing = _CLOSING.match(text, stop)
    if closing is None:
        return None
    return (begin if closing["more"] else between.start("joint")), closing.end()


def _one_substance(one: Mentioned, other: Mentioned) -> Mentioned | None:
    """A name and a formula as one mention, where they can mean the same; of an ion the charge may be left out once."""
    shared = tuple(each for each in one.formulas if any(same_substance(each, known) for known in other.formulas))
    if shared:
        return Mentioned(one.text, shared, one.note if len(one.formulas) == 1 else "")
    ions = tuple(
        each if each.charge else known
        for each in one.formulas
        for known in other.formulas
        if not each.charge * known.charge and atom_counts(each) == atom_counts(known)
    )
    return Mentioned(one.text, ions[:1]) if ions else None


def _contradiction(one: Mentioned, other: Mentioned) -> ChemistryProblem | None:
    """The problem of a name with the formula of another compound behind it. Elements are often named for what they are
    in, and ions for the salt that has them."""
    is_written = [isinstance(read_chemical_formula(each.text), ChemicalFormula) for each in (one, other)]
    formulas = (*one.formulas, *other.formulas)
    if all(is_written) or any(is_element(each) or each.charge for each in formulas):
        return None
    said, behind = (" or ".join(map(str, each.formulas)) for each in (one, other))
    name, formula, written = (one.text, said, behind) if is_written[1] else (other.text, behind, said)
    beside = "behind" if is_written[1] else "before"
    return ChemistryProblem(
        "ambiguous", f"{name} is {formula}, but {written} stands {beside} it; say which one is meant"
    )


def _formula_spans(text: str) -> Iterator[tuple[int, int, Mentioned | ChemistryProblem]]:
    helium = {each.start("symbol") for each in _HELIUM.finditer(text)}
    for match in _FORMULA.finditer(text):
        start, written = _without_brackets(match)
        if _ROMAN.fullmatch(written.rstrip(")")) and text[start - 1 : start] == "(":
            continue
        while written and (start in helium or written not in word_class("chemistry.words_not_formulas")):
            # Brackets around the whole stand for its concentration.
            is_in_brackets = written.startswith("[") and written.find("]") == len(written) - 1
            read = read_chemical_formula(written[1:-1] if is_in_brackets else written)
            if isinstance(read, ChemistryProblem):
                yield start, start + len(written), read
                break
            if read is not None and not _is_word_or_unit(written, text, start):
                yield start, start + len(written), Mentioned(written, (read,))
                break
            if written[-1].isalnum():
                break
            written = written[:-1]


def _without_brackets(match: re.Match[str]) -> tuple[int, str]:
    """Where a formula begins, and what it may be, without a round bracket around the whole or open to its end."""
    start, written = match.start(), match[0]
    depths = accumulate((each == "(") - (each == ")") for each in written)
    closing = next((place for place, depth in enumerate(depths) if not depth), len(written))
    is_around = written.startswith("(") and closing >= len(written) - 1
    return (start + 1, written[1:closing]) if is_around else (start, written)


def _is_word_or_unit(written: str, text: str, start: int) -> bool:
    """Pascals, and a letter behind a number or before an equals sign, which is a unit or a symbol."""
    if written in element_symbols() and written not in unmistakable_symbols():
        return True
    behind = text[start + len(written) : start + len(written) + 3].lstrip()
    before = text[max(0, start - 3) : start].rstrip()
    return len(written) == 1 and (behind[:1] in ("=", "/") or before[-1:].isdigit())


def _name_spans(text: str, taken: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int, Mentioned | ChemistryProblem]]:
    words = [
        each
        for each in _WORD.finditer(text)
        if not any(begin < each.end() and each.start() < stop for begin, stop in taken)
    ]
    place = 0
    while place < len(words):
        for length in range(min(LONGEST_NAME_WORDS, len(words) - place), 0, -1):
            start, end = words[place].start(), words[place + length - 1].end()
            written = text[start:end]
            is_joined = not set(written) & set(".,;:?!") and text[start:end].count(" ") <= length + 2
            named = named_substance(written.lower()) if is_joined else None
            if named is not None:
                end, formulas = _chosen(text, start, end, named.formulas)
                yield start, end, Mentioned(written, formulas, named.note)
                place += length
                break
        else:
            place += 1


def _chosen(
    text: str, start: int, end: int, formulas: tuple[ChemicalFormula, ...]
) -> tuple[int, tuple[ChemicalFormula, ...]]:
    """Whether atoms or molecules of an element are meant, where the words beside its name tell."""
    if len(formulas) < 2 or not is_element(formulas[0]):
        return end, formulas
    molecule = max(formulas, key=_number_of_atoms)
    atom = min(formulas, key=_number_of_atoms)
    before = text[max(0, start - 24) : start]
    if _ATOMS_BEHIND.match(text, end) or _ATOMS_BEFORE.search(before):
        return end, (atom,)
    behind = _MOLECULES_BEHIND.match(text, end)
    if behind is not None:
        return end + (len(behind[0]) if behind[0].strip().lower() == "gas" else 0), (molecule,)
    return end, (molecule,) if _MOLECULES_BEFORE.search(before) else formulas


def _number_of_atoms(formula: ChemicalFormula) -> int:
    return sum(atom_counts(formula).values())


# The values.


def _amounts(text: str) -> Iterator[tuple[int, int, Amount]]:
    last = 0
    for mention in find_quantities(text):
        if mention.start < last or mention.kind in ("label", "ordinal", "date", "declined", "range"):
            continue
        found = _amount(mention, text)
        if found is not None:
            end, amount = found
            last = end
            yield mention.start, end, amount


def _amount(mention: Mention, text: str) -> tuple[int, Amount] | None:
    value = mention.value
    exact = Fraction(value) if isinstance(value, int) else Fraction(repr(value))
    written = text[mention.start : mention.end]
    digits = _DIGITS.search(written)
    is_whole = digits is not None and "." not in digits[0] and not re.search(r"10\^|e[+-]?\d", written)
    # A number in words is as exact as a whole one.
    stated = Stated(written, mention.significant_figures or 4, is_whole or digits is None)
    if not mention.units:
        counted = _PARTICLES.match(text, mention.end)
        if counted is None:
            return mention.end, Amount(written, "number", exact, None, stated)
        what = {"m": "molecules", "a": "atoms"}.get(counted["what"][0].lower(), "units")
        shown = text[mention.start : counted.end()]
        return counted.end(), Amount(shown, "particles", exact, None, Stated(shown, stated.figures, is_whole), what)
    for unit in mention.units:
        measured = _DIMENSIONS.get(unit.dimension)
        if measured is not None:
            si = exact * exact_fraction(unit.scale) + exact_fraction(unit.offset)
            return mention.end, Amount(written, measured, si, unit, stated)
    if mention.units[0].text == "percent":
        return mention.end, Amount(written, "percent", exact / 100, mention.units[0], stated)
    return mention.end, Amount(written, "number", exact, mention.units[0], stated)
