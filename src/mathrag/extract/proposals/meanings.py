"""What the symbols of a proposed formula mean: as the document says, then as the model says, then as is usual.

A unit of the model's counts if it is one, and stands in the text or belongs to the quantity that its description names.
It is never passed off as the document's. Which meanings go together is decided by the rules' own search.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from mathrag.compute.dimensions import check_dimensions
from mathrag.compute.printers.latex import latex_text
from mathrag.documents.views.records import ChunkView
from mathrag.extract.choice_search import Proposal as Weighed
from mathrag.extract.choice_search import choose, dimension_rows, vector_of
from mathrag.extract.constants.values import constants_named
from mathrag.extract.known_relations import FieldVotes, Words, known_matches
from mathrag.extract.meanings import Surroundings, propose
from mathrag.extract.proposals.equations import symbol_name
from mathrag.extract.proposals.plain_text import LONGEST_SYMBOL_DESCRIPTION, text_problem
from mathrag.extract.proposals.quotes import plain_typography
from mathrag.extract.proposals.records import Parameter, Problem
from mathrag.extract.symbol_roles import with_roles
from mathrag.extract.weights import weights
from mathrag.knowledge.kinds import kinds_for_words
from mathrag.knowledge.roles import role, roles_for_words
from mathrag.knowledge.spelling import normal_words
from mathrag.knowledge.units import coherent_unit
from mathrag.language.quantity_names import head_kinds, kinds_mentioned
from mathrag.language.stems import stems
from mathrag.language.unit_text import unit_of_text
from mathrag.types.expression import Equation, Symbol, equation_symbols
from mathrag.types.knowledge import QuantityKind
from mathrag.types.library import Extraction, SymbolDefinition, SymbolMeaning
from mathrag.types.quantity import Unit

_MOST_KINDS = 6
UNITS_UNKNOWN = "units_unknown"
UNITS_FROM_MODEL = "units_from_model"
UNIT_PROBLEMS = ("unit_of_another_quantity", "unit_not_in_text")
_SURE = weights("proposals")["sure"]
_NEARBY = weights("proposals")["nearby_kind"]
# What a row of a table says of its own formula says nothing about others.
OF_ONE_ROW = ("unit_column", "row_label")


@dataclass(frozen=True, slots=True)
class Proposed:
    """What a model says of one symbol, after its own check: every meaning that its words and unit allow.

    `unit_stands` says that the passage shows the unit. `problems` are about the description or the unit alone. `also`
    is what its unit alone says, open where it has none, as far as its words leave that open: a stroke rate in 1/s is no
    rate of another kind, and the size of a catch no length. `is_named`: all of its words name a quantity that we know.
    """

    name: str
    meanings: tuple[SymbolMeaning, ...]
    problems: tuple[Problem, ...] = ()
    unit_stands: bool = False
    also: SymbolMeaning | None = None
    is_named: bool = False


def proposed_meanings(parameters: Iterable[Parameter], context: str) -> dict[str, Proposed]:
    """The parameters by the names of ours; of several for one symbol the first counts."""
    found: dict[str, Proposed] = {}
    for parameter in parameters:
        name = symbol_name(parameter.symbol)
        if name is not None and name not in found:
            found[name] = _proposed(name, parameter, context)
    return found


def _proposed(name: str, parameter: Parameter, context: str) -> Proposed:
    problems: list[Problem] = []
    description = parameter.description
    if description:
        problem = text_problem(description, context, longest=LONGEST_SYMBOL_DESCRIPTION)
        if problem is not None:
            problems.append(Problem(problem.code, f"the description of {name}: {problem.reason}"))
            description = ""
    constant = (
        next((item for item in constants_named(description) if name in item.symbols), None) if description else None
    )
    if constant is not None:
        meaning = SymbolMeaning(
            name,
            description,
            constant.unit,
            constant.dimension,
            role="constant",
            constant=constant.id,
            origin="proposed",
        )
        return Proposed(name, (meaning,), tuple(problems))
    kinds = kinds_of(description)
    unit, stands, problem = _unit(name, parameter.unit, kinds, context)
    if problem is not None:
        problems.append(problem)
    return Proposed(
        name,
        _meanings(name, description, kinds, unit, stands=stands),
        tuple(problems),
        stands,
        _of_unit_alone(name, description, parameter.unit),
        bool(kinds_for_words(description)) if description else False,
    )


def _of_unit_alone(name: str, description: str, unit: str) -> SymbolMeaning:
    """What a symbol is by its unit; the scale is nobody's word, so it is the coherent one."""
    read = unit_of_text(unit) if unit else None
    if read is None:
        return SymbolMeaning(name, description, origin="proposed")
    return SymbolMeaning(name, description, coherent_unit(read.dimension).text, read.dimension, origin="proposed")


def kinds_of(description: str) -> tuple[QuantityKind, ...]:
    """The kinds that a description names: all of its words, its head noun, or what it mentions."""
    if not description:
        return ()
    found = kinds_for_words(description) or tuple(head_kinds(description))
    return (found or tuple(kind for kind, _ in kinds_mentioned(description)))[:_MOST_KINDS]


def _unit(
    name: str, text: str, kinds: Sequence[QuantityKind], context: str
) -> tuple[Unit | None, bool, Problem | None]:
    """The unit that a model gives, whether the passage shows it, and what is wrong with it."""
    if not text:
        return None, False, None
    unit = unit_of_text(text, kinds=kinds)
    if unit is None:
        return (
            None,
            False,
            Problem("unknown_unit", f"{text!r}, given as the unit of {name}, is no unit that can be read"),
        )
    dimensions = {kind.dimension for kind in kinds}
    if dimensions and unit.dimension not in dimensions:
        reason = (
            f"{text} is no unit of {name}, which is said to be {kinds[0].name} and would be in {kinds[0].unit or '1'}"
        )
        return None, False, Problem(UNIT_PROBLEMS[0], reason)
    stands = unit_stands(text, context)
    if not dimensions and not stands and unit.text:
        reason = f"{text} does not stand in the passage, and no quantity that the words for {name} name has it"
        return None, False, Problem(UNIT_PROBLEMS[1], reason)
    return unit, stands, None


def unit_stands(unit: str, context: str) -> bool:
    """Whether a unit is written in a text, as a word of its own."""
    wanted = plain_typography(unit)
    if not wanted or not any(map(str.isalpha, wanted)):
        return False
    pattern = rf"(?<![^\W_]){re.escape(wanted)}(?![^\W_])"
    return re.search(pattern, plain_typography(context)) is not None


def _meanings(
    name: str, description: str, kinds: Sequence[QuantityKind], unit: Unit | None, *, stands: bool
) -> tuple[SymbolMeaning, ...]:
    if unit is not None:
        kind = next((one for one in kinds if one.dimension == unit.dimension), None)
        # A scale that only the model knows of (cm, kPa) would be taken for the author's.
        text = unit.text if stands or kind is None or unit.text == kind.unit else kind.unit
        meaning = SymbolMeaning(
            name, description, text, unit.dimension, None if kind is None else kind.id, origin="proposed"
        )
        return (meaning,)
    by_dimension: dict[object, SymbolMeaning] = {}
    for kind in kinds:
        meaning = SymbolMeaning(name, description, kind.unit, kind.dimension, kind.id, origin="proposed")
        by_dimension.setdefault(kind.dimension, meaning)
    return tuple(by_dimension.values()) or (SymbolMeaning(name, description, origin="proposed"),)


def definitions_near(extraction: Extraction, chunk: ChunkView) -> dict[str, SymbolDefinition]:
    """What the document itself says of symbols in or over a chunk, the narrowest statement for each."""
    near = [
        one
        for one in extraction.definitions
        if one.first_block <= chunk.last_block
        and chunk.first_block <= one.last_block
        and one.confidence >= _SURE
        and one.source not in OF_ONE_ROW
    ]
    near.sort(key=lambda one: (one.last_block - one.first_block, one.first_block, -one.confidence), reverse=True)
    return {one.name: one for one in near}


@dataclass(frozen=True, slots=True)
class Understood:
    """The meanings chosen for a formula; `doubt` says why it cannot be computed with, as far as they go."""

    symbols: tuple[SymbolMeaning, ...]
    doubt: Problem | None = None


def understand(
    equation: Equation,
    said: Mapping[str, Proposed],
    definitions: Mapping[str, SymbolDefinition],
    *,
    is_in_words: bool,
    words: str = "",
    is_said_plainly: bool = False,
) -> Understood | Problem:
    """Choose meanings for all symbols at once; a `Problem` where their dimensions cannot agree.

    `is_said_plainly`: the words of the document leave no doubt of how they are combined, so that units of the model's
    may count where our names of quantities do not fit.
    """
    names = equation_symbols(equation)
    used = {name: one for name, one in definitions.items() if name in names and one.dimension is not None}
    if is_in_words:
        # The letter is the model's choice where the document has only words.
        used = {name: one for name, one in used.items() if name not in said or _speak_alike(one, said[name])}
    nearby = {kind.id: _NEARBY for kind, _ in kinds_mentioned(words[:600])}
    known = known_matches(equation, {}, Words(nearby=frozenset(stems(words[:600]))), FieldVotes())
    usual = propose(names, Surroundings(nearby=nearby, known=known))
    found = _chosen(equation, said, used, usual if not is_in_words else {})
    if is_said_plainly and (isinstance(found, Problem) or found.doubt is not None):
        found = _by_units_alone(equation, said, used) or found
    if not isinstance(found, Problem) or not used:
        return found
    # The document may speak of another thing of that letter; then nobody can tell here.
    freer = _chosen(equation, said, {}, usual if not is_in_words else {})
    if isinstance(freer, Problem):
        return found
    clash = next(one for one in freer.symbols if one.name in used and one.dimension != used[one.name].dimension)
    reason = (
        f"the document says that {clash.name} is {used[clash.name].description}, with which the dimensions disagree"
    )
    return replace(freer, doubt=Problem("contradicts_document", reason))


def _by_units_alone(
    equation: Equation, said: Mapping[str, Proposed], definitions: Mapping[str, SymbolDefinition]
) -> Understood | None:
    """The meanings where the units that the model gives count before what a part of the words names; None where that
    does not help. The doubt says that only the model vouches for them."""
    for other, names in _loosened(equation_symbols(equation), said):
        found = _chosen(equation, other, definitions, {})
        if isinstance(found, Problem) or any(one.dimension is None for one in found.symbols):
            continue
        reason = f"only the model says what {', '.join(names)} is measured in"
        return replace(found, doubt=Problem(UNITS_FROM_MODEL, reason))
    return None


def _loosened(
    names: Sequence[str], said: Mapping[str, Proposed]
) -> Iterator[tuple[Mapping[str, Proposed], Sequence[str]]]:
    """What is said with units where it is vague; then with one vague kind open; then with one name in another sense."""
    vague = {name: one for name, one in said.items() if name in names and not one.is_named and one.also is not None}
    by_unit = {
        name: replace(one, meanings=(*one.meanings, one.also))
        for name, one in vague.items()
        if one.also is not None and one.also.dimension is not None
    }
    if by_unit:
        yield {**said, **by_unit}, tuple(by_unit)
    for name, one in said.items():
        is_open = name in vague and one.also is not None and one.also.dimension is None
        if name in names and one.also is not None and (is_open or (one.is_named and one.also.dimension is not None)):
            yield {**said, **by_unit, name: replace(one, meanings=(one.also,))}, (*by_unit, name)


def _chosen(
    equation: Equation,
    said: Mapping[str, Proposed],
    definitions: Mapping[str, SymbolDefinition],
    usual: Mapping[str, Sequence[Weighed]],
) -> Understood | Problem:
    names = equation_symbols(equation)
    weighed = {name: _options(name, said.get(name), definitions.get(name), usual.get(name, ())) for name in names}
    choices = choose(dimension_rows(equation), weighed)
    if not choices or any(name in choices[0].implied and _is_fixed(weighed[name]) for name in names):
        return _disagreement(equation, weighed)
    chosen = choices[0]
    symbols = with_roles(
        _completed(chosen.meanings.get(name) or SymbolMeaning(name), said.get(name), name in chosen.implied)
        for name in names
    )
    for symbol in symbols:
        problem = subscript_problem(symbol, symbol.description) if symbol.origin == "proposed" else None
        if problem is not None:
            return problem
    return Understood(symbols, _doubt(equation, symbols))


def _options(
    name: str, proposed: Proposed | None, defined: SymbolDefinition | None, usual: Sequence[Weighed]
) -> Sequence[Weighed]:
    if defined is not None and defined.dimension is not None:
        return [Weighed(1.0, vector_of(defined.dimension), partial(_as_defined, name, defined))]
    if proposed is not None and any(one.dimension is not None for one in proposed.meanings):
        return [
            Weighed(1.0 / (1 + rank), vector_of(one.dimension), partial(_itself, one))
            for rank, one in enumerate(proposed.meanings)
            if one.dimension is not None
        ]
    if usual:
        return usual
    return [Weighed(1.0, None, partial(_itself, proposed.meanings[0] if proposed else SymbolMeaning(name)))]


def subscript_problem(meaning: SymbolMeaning, description: str) -> Problem | None:
    """Whether a description speaks of the other end of what the subscript says: "final velocity" of `v_i`."""
    if meaning.state is None:
        return None
    own = role(meaning.state)
    words = normal_words(description).split()
    phrases = [" ".join(words[start : start + size]) for size in (1, 2, 3) for start in range(len(words) - size + 1)]
    named = [item for phrase in phrases for item in roles_for_words(phrase) if item.group == own.group]
    if not named or any(item.id == own.id or set(item.words) & set(own.words) for item in named):
        return None
    reason = f"{meaning.name} is {own.name}, by its subscript, and is described as {named[0].name}"
    return Problem("contradicts_subscript", reason)


def _speak_alike(defined: SymbolDefinition, proposed: Proposed) -> bool:
    ours = set(defined.description.casefold().split())
    return any(ours & set(one.description.casefold().split()) - {"the", "of", "a"} for one in proposed.meanings)


def _is_fixed(weighed: Sequence[Weighed]) -> bool:
    return all(one.vector is not None for one in weighed)


def _itself(meaning: SymbolMeaning) -> SymbolMeaning:
    return meaning


def _as_defined(name: str, definition: SymbolDefinition) -> SymbolMeaning:
    return SymbolMeaning(
        name,
        definition.description,
        definition.unit,
        definition.dimension,
        definition.kind,
        origin="document",
        letter=definition.letter,
        evidence=definition.span,
    )


def _completed(meaning: SymbolMeaning, said: Proposed | None, is_implied: bool) -> SymbolMeaning:
    description = meaning.description or (said.meanings[0].description if said is not None else "")
    unit = meaning.unit
    if unit is None and meaning.dimension is not None:
        unit = coherent_unit(meaning.dimension).text
    origin = "inferred" if is_implied and meaning.dimension is not None else meaning.origin
    letter = meaning.letter or latex_text(Symbol(meaning.name))
    return replace(meaning, description=description, unit=unit, origin=origin, letter=letter)


def _doubt(equation: Equation, symbols: Sequence[SymbolMeaning]) -> Problem | None:
    """Why a formula that only a model proposed is not computed with: something about its dimensions is open."""
    for symbol in symbols:
        if symbol.dimension is None or symbol.origin in ("inferred", "unknown"):
            return Problem(
                UNITS_UNKNOWN, f"the unit of {symbol.name} is not known from the text or from what it is called"
            )
    known = {symbol.name: symbol.dimension for symbol in symbols if symbol.dimension is not None}
    report = check_dimensions(equation, known)
    if report.status == "consistent":
        return None
    notes = "; ".join((*report.notes, *(one.message for one in report.disagreements)))
    return Problem("dimensions_unchecked", f"its dimensions cannot be checked: {notes or report.status}")


def _disagreement(equation: Equation, weighed: Mapping[str, Sequence[Weighed]]) -> Problem:
    known = {}
    for name, options in weighed.items():
        dimension = options[0].make().dimension if options and _is_fixed(options[:1]) and _is_fixed(options) else None
        if dimension is not None:
            known[name] = dimension
    report = check_dimensions(equation, known)
    messages = "; ".join(one.message for one in report.disagreements)
    return Problem("dimensions", messages or "the dimensions of its symbols cannot agree")
