"""From a document to an `Extraction`, read top to bottom: definitions, formulas, names, meanings, checks, examples.

Two rounds over the formulas: what the first settles with confidence (T is a period in this chapter) counts as
evidence in the second.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

from mathrag.compute.canonical import canonical_key
from mathrag.compute.printers.latex import latex_text, latex_with_names
from mathrag.documents.sheets.quantities import in_quantities
from mathrag.extract.abbreviations import abbreviation_definitions
from mathrag.extract.candidates import (
    Candidate,
    as_plain_numbers,
    in_told_units,
    said_kinds,
    said_units,
    with_counted_turns,
)
from mathrag.extract.choice_search import Choice, choose, dimension_rows, vector_of
from mathrag.extract.computing_tables import with_computing_tables
from mathrag.extract.conditions import find_conditions, remark_of
from mathrag.extract.constants import find_constants
from mathrag.extract.constants.attached import StatedValues, with_stated_units
from mathrag.extract.constants.stated import find_stated
from mathrag.extract.definitions import find_definitions, with_legends
from mathrag.extract.definitions.formula_rows import without_explaining_rows
from mathrag.extract.definitions.lookup import said_of
from mathrag.extract.doubts import doubt_of
from mathrag.extract.formula_reader import (
    UNCERTAIN,
    ReadFormula,
    has_guesses,
    is_worth_keeping,
    latex_reading,
    read_formulas,
    without_guesses,
)
from mathrag.extract.guesses import guesses_of, without_made_up_units
from mathrag.extract.instances import attach_instances
from mathrag.extract.known_relations import KnownMatch, recognition
from mathrag.extract.labels import Label, find_keywords, intent_of, name_formula, shown_label, what_it_gives
from mathrag.extract.meanings import (
    Surroundings,
    described_kind,
    kind_or_none,
    may_be_meant,
    propose,
)
from mathrag.extract.named_expressions import with_named_expressions
from mathrag.extract.names_said import names_said
from mathrag.extract.number_equations import NUMBERS, as_numbers, in_usual_units
from mathrag.extract.occurrences import Occurrence, find_occurrences
from mathrag.extract.phrases import LAW_LIKE, plain_latex, presentable
from mathrag.extract.program_remarks import program_definitions
from mathrag.extract.purposes import with_purposes
from mathrag.extract.rejoined import with_whole_formulas
from mathrag.extract.relations import find_text_relations
from mathrag.extract.said_definitions import with_said_definitions
from mathrag.extract.sentence_names import is_name, says_something
from mathrag.extract.surroundings import (
    Context,
    in_scope,
    letter_of,
    make_context,
    numerical_relation,
    recognise,
    section_key,
    subjects_at,
    surroundings,
)
from mathrag.extract.symbol_roles import with_roles
from mathrag.extract.told_units import told_units
from mathrag.extract.weights import weights
from mathrag.extract.whole_symbols import with_whole_symbols
from mathrag.extract.word_operands import units_beside, word_definitions
from mathrag.extract.worded_targets import latex_name, with_worded_targets
from mathrag.extract.worked_examples import find_cases
from mathrag.knowledge.constants import constant, constants_for_symbol
from mathrag.knowledge.kinds import kinds_for_symbol
from mathrag.knowledge.units import coherent_unit
from mathrag.language.noun_phrases import clean
from mathrag.language.quantity_names import head_kinds, head_of, kinds_mentioned
from mathrag.types.document import Document, Math
from mathrag.types.expression import Declined, Equation, Flag, Phrase, Reading, Symbol, equation_symbols
from mathrag.types.library import (
    Alternative,
    ConstantFinding,
    Extraction,
    Finding,
    SymbolDefinition,
    SymbolMeaning,
    content_id,
)
from mathrag.types.quantity import Dimension

_SURE = weights("pipeline")["sure"]
_KEEP_ALTERNATIVE = weights("pipeline")["keep_alternative"]
_SPOKEN_OF = weights("meanings")["spoken_of"]
_LONGEST_NAME = 6
# Between a formula and what is said beside it.
_WIDE_SPACE = re.compile(r"\\q?quad\b|\\text\b")
_USUAL_NUMBERS = Flag("number_equation", "holds for the numbers of its usual units; each symbol is divided by its unit")
_PLAIN_NAME = 2


def extract(document: Document, *, document_id: str) -> Extraction:
    """Everything the rules understand of a document."""
    whole_document = document = _with_said_formulas(with_whole_formulas(document))
    document = without_explaining_rows(document)
    occurrences = find_occurrences(document)
    if has_guesses(document):
        # A guess keeps its own place among the findings; whatever looks around sees only what is certain.
        whole, document = occurrences, without_guesses(document)
        pairs = zip(whole, find_occurrences(document), strict=True)
        occurrences = (replace(masked, math=occurrence.math) for occurrence, masked in pairs)
        whole_document = without_guesses(whole_document)
    stated = find_stated(document)
    definitions = find_definitions(whole_document, document_id=document_id)
    definitions = with_stated_units(definitions, stated, document_id)
    constants = find_constants(document, document_id=document_id)
    reads = with_purposes(list(read_formulas(document, occurrences, definitions)))
    definitions = with_legends(whole_document, definitions, _symbols_at(reads), document_id=document_id)
    labels = _labels(reads)
    spelled = (
        *program_definitions(document, reads, document_id=document_id),
        *abbreviation_definitions(document, reads, definitions, document_id=document_id),
    )
    named = tuple(word_definitions(reads, (*definitions, *spelled), document_id=document_id))
    context = make_context(
        document,
        (*definitions, *spelled, *named),
        [(read.occurrence, labels[index]) for index, read in enumerate(reads)],
    )
    candidates = [
        replace(_candidate(read, equation, labels[index], context), purpose=purpose)
        for index, read in enumerate(reads)
        for equation, purpose in zip(read.equations, read.purposes, strict=True)
    ]
    choices = _understand(candidates, context)
    findings: list[Finding] = []
    remaining = iter(zip(candidates, choices, strict=True))
    values = StatedValues(stated, document_id)
    for index, read in enumerate(reads):
        for _ in read.equations:
            candidate, found = next(remaining)
            finding = _finding(candidate, found, context, document_id, len(findings))
            findings.append(values.given_to(finding, read.occurrence.block))
        if not read.equations and is_worth_keeping(read):
            findings.append(_declined(read, labels[index], document_id, len(findings)))
    findings = attach_instances(_with_stated_values(findings, constants), reads, document_id=document_id)
    relations = find_text_relations(document, findings, document_id=document_id)
    cases = find_cases(document, reads, findings, document_id=document_id)
    return Extraction(document_id, tuple(findings), constants, definitions, relations, cases=cases)


def _symbols_at(reads: Sequence[ReadFormula]) -> dict[int, frozenset[str]]:
    """The symbols of the formulas that stand in each block."""
    found: dict[int, set[str]] = {}
    for read in reads:
        for equation in read.equations:
            found.setdefault(read.occurrence.block, set()).update(equation_symbols(equation))
    return {block: frozenset(names) for block, names in found.items()}


def _with_said_formulas(document: Document) -> Document:
    """The document with the formulas whose left side, or all of which, is said in words; symbols written whole."""
    named = with_named_expressions(with_worded_targets(with_computing_tables(document)))
    return with_whole_symbols(with_said_definitions(named))


def _with_stated_values(findings: Sequence[Finding], constants: Sequence[ConstantFinding]) -> list[Finding]:
    """The findings with the symbols whose value their own section states as constants: nobody has to give them."""
    values: dict[tuple[tuple[str, ...], str], set[tuple[Decimal, str, Dimension | None]]] = {}
    for one in constants:
        if one.symbol:
            known = values.setdefault((one.span.headings, one.symbol), set())
            known.add((one.value, one.unit, one.dimension))
    # A symbol with several values, as in a table of materials, has none of its own.
    stated: dict[tuple[str, ...], set[tuple[str, Dimension | None]]] = {}
    for (headings, name), known in values.items():
        if len(known) == 1:
            stated.setdefault(headings, set()).update((name, dimension) for _, _, dimension in known)

    def with_role(symbol: SymbolMeaning, finding: Finding) -> SymbolMeaning:
        is_target = finding.equation is not None and symbol.name == finding.equation.target
        is_stated = (symbol.name, symbol.dimension) in stated.get(finding.span.headings, ())
        # Only what is a constant elsewhere: a mass that somebody states once is the mass of one thing.
        is_constant = any(one.dimension == symbol.dimension for one in constants_for_symbol(symbol.name))
        may_be = is_constant and not is_target and symbol.role == "variable" and symbol.constant is None
        return replace(symbol, role="constant") if is_stated and may_be else symbol

    return [
        replace(finding, symbols=tuple(with_role(symbol, finding) for symbol in finding.symbols))
        if finding.span.headings in stated
        else finding
        for finding in findings
    ]


def understand_one(read: ReadFormula, label: Label, context: Context, *, document_id: str) -> Finding:
    """The finding that a formula with one equation gives by itself."""
    candidate = _candidate(read, read.equations[0], label, context)
    return _finding(candidate, _choose(candidate, _surroundings(candidate, context)), context, document_id, 0)


def _candidate(read: ReadFormula, written: Equation, label: Label, context: Context) -> Candidate:
    equation = written
    units, known, plain = said_units(equation, read.occurrence, context)
    beside = units_beside(read) & units.keys()
    if context.is_sheet:
        in_numbers, flag = in_quantities(equation, units), NUMBERS
    else:
        in_numbers, flag = as_numbers(equation, units, known, plain=plain, beside=beside), NUMBERS
    numerical = None
    if in_numbers is None and not context.is_sheet:
        numerical = numerical_relation(read.occurrence, equation, label, context)
        if numerical is not None:
            in_numbers, flag = in_usual_units(equation, units, numerical), _USUAL_NUMBERS
    told = None
    if in_numbers is None and not context.is_sheet and recognition(equation) < _SURE:
        kinds = said_kinds(equation, read.occurrence, context)
        told = told_units(equation, units, known, kinds, frozenset(plain))
        if told is not None:
            in_numbers, flag = told.equation, told.flag
    if in_numbers is not None:
        assert not isinstance(read.reading, Declined)
        read = replace(read, reading=replace(read.reading, flags=(*read.reading.flags, flag)))
        equation = in_numbers
    found = {name: unit for name, unit in units.items() if name == equation.target}
    found.update({} if told is None else told.found)
    return Candidate(read, written, equation, label, dimension_rows(equation), numerical=numerical, told=found)


def _labels(reads: Sequence[ReadFormula]) -> list[Label]:
    counts: dict[tuple[str, ...], int] = {}
    for read in reads:
        if read.equations:
            counts[read.occurrence.headings] = counts.get(read.occurrence.headings, 0) + 1
    introduced: dict[tuple[tuple[str, ...], str], str] = {}
    labels = []
    for read in reads:
        remark = "" if isinstance(read.reading, Declined) else remark_of(read.reading.conditions)
        count = counts.get(read.occurrence.headings, 1)
        target = _plain_target(read.equations[0]) if read.equations else ""
        label = name_formula(read.occurrence, remark, formulas_in_section=count, target=target)
        if label.origin in ("bold", "sentence") and target:
            letter = letter_of(read.equations[0].target or "")
            first = introduced.setdefault((read.occurrence.headings, label.text), letter)
            label = replace(label, is_shared=label.is_shared or first != letter)
        labels.append(label)
    return labels


def _plain_target(equation: Equation) -> str:
    """The symbol that an equation is written for, in plain letters; empty if there is none."""
    letters = "" if equation.target is None else plain_latex(latex_text(Symbol(equation.target)))
    return re.sub(r"\bminus,(?=\w)", "-", letters)


def _understand(candidates: Sequence[Candidate], context: Context) -> list[list[Choice]]:
    """Two rounds: what is surely recognised in the first says what the same symbols mean in the second."""
    around = [_surroundings(candidate, context) for candidate in candidates]
    first = [_choose(candidate, one) for candidate, one in zip(candidates, around, strict=True)]
    are_recognised = [bool(one.known) and one.known[0].share >= _SURE for one in around]
    for candidate, one, choices, is_recognised in zip(candidates, around, first, are_recognised, strict=True):
        if is_recognised:
            recognise(one.known[0], candidate.read.occurrence, candidate.label, context)
        if choices and _share(choices) >= _SURE:
            _settle(candidate, choices[0], context)
    return [
        choices if choices and is_recognised else _choose(candidate, _surroundings(candidate, context))
        for candidate, choices, is_recognised in zip(candidates, first, are_recognised, strict=True)
    ]


def _surroundings(candidate: Candidate, context: Context) -> Surroundings:
    label = candidate.label
    if label.is_shared:
        # What introduces several formulas names the quantity of the first; to the others it is no evidence.
        label = replace(label, text=label.topic)
    around = surroundings(candidate.read.occurrence, candidate.equation, label, context)
    return around if candidate.numerical is None else replace(around, known=(candidate.numerical,))


def _choose(candidate: Candidate, around: Surroundings) -> list[Choice]:
    return choose(candidate.rows, propose(equation_symbols(candidate.equation), around))


def _share(choices: Sequence[Choice]) -> float:
    """How much of the likelihood of the readings kept falls to the first."""
    best = choices[0].score
    return 1.0 / sum(math.exp(choice.score - best) for choice in choices)


def _settle(candidate: Candidate, choice: Choice, context: Context) -> None:
    """Remember the dimensions that were chosen, for other formulas; not those that the document's words leave open."""
    guessed = guesses_of(tuple(choice.meanings.values()), candidate.equation).names
    for name, meaning in choice.meanings.items():
        if meaning.origin == "document" and name in guessed:
            continue
        if meaning.dimension is not None and name not in choice.implied and meaning.kind is not None:
            vector = vector_of(meaning.dimension)
            for section in (section_key(candidate.read.occurrence), ""):
                for key in (name, letter_of(name)):
                    counts = context.settled.setdefault((section, key), {})
                    counts[vector] = counts.get(vector, 0.0) + 1.0


def _finding(
    candidate: Candidate, choices: Sequence[Choice], context: Context, document_id: str, position: int
) -> Finding:
    read, equation = candidate.read, candidate.equation
    occurrence = read.occurrence
    assert not isinstance(read.reading, Declined)
    span = occurrence.span(document_id)
    meanings = choices[0].meanings if choices else {}
    symbols = with_roles(
        _completed(meanings.get(name) or SymbolMeaning(name), equation, occurrence, context)
        for name in equation_symbols(equation)
    )
    symbols = tuple(_named(one, candidate.label) if one.name == equation.target else one for one in symbols)
    symbols = tuple(_in_usual_unit(one, candidate.numerical) for one in symbols)
    symbols = with_counted_turns(candidate, in_told_units(symbols, candidate), context)
    symbols = as_plain_numbers(symbols, candidate)
    doubt = doubt_of(candidate, symbols, context)
    symbols = tuple(doubt.stated.get(one.name, one) for one in without_made_up_units(symbols, equation))
    words = f"{candidate.label.text}. {candidate.label.description}"
    label = _label(candidate, symbols, choices, context)
    units = said_units(equation, occurrence, context)[0]
    conditions = find_conditions(
        equation, read.reading.conditions, occurrence, words=words, span=span, units={} if context.is_sheet else units
    )
    return Finding(
        document=document_id,
        position=position,
        form=canonical_key(equation),
        latex=_as_written(read, equation),
        source=occurrence.math.source,
        notation=occurrence.math.notation,
        status="quarantined" if doubt.code else "executable",
        span=span,
        equation=equation,
        reason_code=doubt.code,
        reason=doubt.reason,
        label=label,
        label_origin=candidate.label.origin or "symbol",
        description=candidate.label.description,
        intent=intent_of(equation, symbols),
        keywords=(*names_said(occurrence), *find_keywords(label, occurrence.headings, symbols)),
        symbols=symbols,
        alternatives=() if doubt.stated else _alternatives(choices, equation),
        prior=_share(choices) if choices else 1.0,
        conditions=conditions,
        flags=read.reading.flags,
        number=occurrence.math.number,
        is_display=occurrence.math.is_display,
        purpose=candidate.purpose,
    )


def _completed(meaning: SymbolMeaning, equation: Equation, occurrence: Occurrence, context: Context) -> SymbolMeaning:
    """With its letter, a unit for a dimension that was worked out, and the document's words where it has some."""
    said_here = said_of(context.definitions, meaning.name, equation_symbols(equation))
    definition = next(iter(in_scope(said_here, occurrence)), None)
    if definition is not None and meaning.origin != "document" and _says_the_same(definition, meaning):
        said = kind_or_none(definition.kind)
        is_kind_said = said is not None and said.dimension == meaning.dimension
        meaning = replace(
            meaning,
            description=definition.description,
            kind=definition.kind if is_kind_said else meaning.kind,
            origin="document",
            evidence=definition.span,
        )
    if meaning.origin == "inferred" and not meaning.description:
        meaning = _usual_meaning(meaning, subjects_at(occurrence, context))
    unit = meaning.unit
    if unit is None and meaning.dimension is not None:
        unit = _usual_unit(meaning, meaning.dimension)
    letter = meaning.letter or latex_text(Symbol(meaning.name))
    return replace(meaning, unit=unit, letter=letter)


def _in_usual_unit(meaning: SymbolMeaning, numerical: KnownMatch | None) -> SymbolMeaning:
    """In the unit for whose numbers the formula holds, where that is known and the document says no other."""
    place = None if numerical is None else numerical.places.get(meaning.name)
    if place is None or place.unit == "1" or meaning.dimension not in (None, place.dimension):
        return meaning
    is_said = meaning.origin == "document" and meaning.unit not in (None, coherent_unit(place.dimension).text)
    return meaning if is_said else replace(meaning, unit=place.unit, dimension=place.dimension)


def _usual_meaning(meaning: SymbolMeaning, subjects: Mapping[str, float]) -> SymbolMeaning:
    """What the letter usually means in every field or in one that the document speaks of, where the rest of the formula
    demands just the dimension of that."""
    if meaning.dimension is None or meaning.dimension.is_dimensionless:
        return meaning
    usual = [
        item
        for item in kinds_for_symbol(meaning.name)
        if item.dimension == meaning.dimension and may_be_meant(meaning.name, item, subjects)
    ]
    if not usual:
        return meaning
    return replace(meaning, description=described_kind(meaning.name, usual[0]), kind=usual[0].id, origin="assumed")


def _named(meaning: SymbolMeaning, label: Label) -> SymbolMeaning:
    """The symbol a formula is written for, called what its own cell or bold lead calls it.

    Not where that names a law, nor where it names a quantity of another dimension.
    """
    if label.origin not in ("cell", "bold", "remark", "sentence") or meaning.origin in ("document", "edited"):
        return meaning
    name = label.text.rsplit(": ", 1)[-1]
    if label.is_shared or not is_name(name) or (label.origin == "remark" and not says_something(name)):
        return meaning
    kinds = head_kinds(name)
    if meaning.kind in {item.id for item in kinds}:
        return replace(meaning, kind=_by_letter(meaning, meaning.kind))
    if LAW_LIKE.search(head_of(name)) or len(name.split()) > _LONGEST_NAME:
        return meaning
    if kinds and all(item.dimension != meaning.dimension for item in kinds):
        return meaning
    mentioned = meaning.kind if any(item.id == meaning.kind for item, _ in kinds_mentioned(name)) else None
    kind = next((item.id for item in kinds if item.dimension == meaning.dimension), mentioned)
    kind = _by_letter(meaning, kind)
    return replace(meaning, description=clean(name.split()), kind=kind)


def _by_letter(meaning: SymbolMeaning, kind: str | None) -> str | None:
    """The more exact kind of which the letter is the first symbol: a frequency called omega is an angular one."""
    named = kind_or_none(kind)
    if named is None or named.symbols[:1] == (meaning.name,):
        return kind
    words = set(named.name.split())
    exact = [
        item.id
        for item in kinds_for_symbol(meaning.name, exact=True)
        if item.symbols[0] == meaning.name and item.dimension == meaning.dimension and words < set(item.name.split())
    ]
    return exact[0] if len(exact) == 1 else kind


def _usual_unit(meaning: SymbolMeaning, dimension: Dimension) -> str:
    """The unit people give a quantity of this dimension in: that of the constant or kind it is, else the SI unit."""
    if meaning.constant is not None:
        item = constant(meaning.constant)
        if item.dimension == dimension:
            return item.unit
    usual = kind_or_none(meaning.kind)
    if usual is not None and usual.dimension == dimension:
        return usual.unit
    return coherent_unit(dimension).text


def _says_the_same(definition: SymbolDefinition, meaning: SymbolMeaning) -> bool:
    """Words without a unit go with whatever dimension was found; words with another dimension do not."""
    return definition.dimension is None or definition.dimension == meaning.dimension


def _alternatives(choices: Sequence[Choice], equation: Equation) -> tuple[Alternative, ...]:
    if len(choices) < 2:
        return ()
    total = sum(math.exp(choice.score - choices[0].score) for choice in choices)
    found = []
    for choice in choices[1:]:
        prior = math.exp(choice.score - choices[0].score) / total
        if prior >= _KEEP_ALTERNATIVE:
            changed = tuple(
                meaning for name, meaning in choice.meanings.items() if meaning != choices[0].meanings.get(name)
            )
            whole = tuple(choice.meanings.values())
            if changed and without_made_up_units(whole, equation) == whole:
                found.append(Alternative(round(prior, 4), changed))
    return tuple(found)


def _as_written(read: ReadFormula, equation: Equation) -> str:
    """The author's own LaTeX where it is this one equation and nothing else."""
    math = read.occurrence.math
    assert not isinstance(read.reading, Declined)
    if len(read.reading.equations) != 1 or math.notation != "latex":
        return _printed(equation, read.reading)
    if not read.reading.conditions:
        return math.source.strip()
    # What stands before the space is the author's own where it says the same without its conditions.
    before = _WIDE_SPACE.split(math.source, maxsplit=1)[0].strip()
    alone = latex_reading(before)
    is_same = isinstance(alone, Reading) and alone.equations == (replace(equation, conditions=()),)
    return before if is_same else _printed(equation, read.reading)


def _printed(equation: Equation, reading: Reading) -> str:
    """The LaTeX of one of several equations, its names of several words as words."""
    names = {one.name: latex_name(one.text) for one in reading.phrases if " " in one.text and _may_be_shown(one)}
    return latex_with_names(equation, names) if names else latex_text(equation)


def _may_be_shown(phrase: Phrase) -> bool:
    """Whether the words of a phrase, read again, are its symbol."""
    again = latex_reading(latex_name(phrase.text))
    return isinstance(again, Reading) and again.expression == Symbol(phrase.name)


def _label(candidate: Candidate, symbols: Sequence[SymbolMeaning], choices: Sequence[Choice], context: Context) -> str:
    """The name found; what names a topic, after what the formula gives there."""
    equation, label = candidate.equation, candidate.label
    symbol = _plain_target(equation)
    first = candidate.read.equations[0].target
    if label.origin in ("bold", "sentence", "remark") and letter_of(first or "") != letter_of(equation.target or ""):
        # Of several equations written as one, the name is that of the first.
        label = replace(label, is_shared=bool(symbol))
    target = next((one for one in symbols if one.name == equation.target), None)
    usual = kind_or_none(target.kind) if target is not None else None
    # Of plain numbers and of special kinds there are too many for a letter and a subject to tell which it is.
    is_told = usual is not None and not usual.dimension.is_dimensionless and len(usual.name.split()) <= _PLAIN_NAME
    subjects = subjects_at(candidate.read.occurrence, context)
    is_spoken_of = usual is not None and subjects.get(usual.field, 0.0) >= _SPOKEN_OF
    is_sure = is_told and is_spoken_of and bool(choices) and _share(choices) >= _SURE
    given, is_said = what_it_gives(target, label, candidate.read.occurrence, symbol=symbol, is_sure=is_sure)
    if not given and target is not None and target.description and recognition(equation) >= _SURE:
        given = target.description
    return shown_label(label, given=given, symbol=symbol, is_said=is_said)


def _declined(read: ReadFormula, label: Label, document_id: str, position: int) -> Finding:
    math_piece = read.occurrence.math
    declined = read.reading if isinstance(read.reading, Declined) else None
    return Finding(
        document=document_id,
        position=position,
        form=_form_of_source(math_piece, document_id, is_guess=declined is not None and declined.code == UNCERTAIN),
        latex=math_piece.source if math_piece.notation == "latex" else math_piece.quote,
        source=math_piece.source,
        notation=math_piece.notation,
        status="declined",
        span=read.occurrence.span(document_id),
        reason_code=declined.code if declined else "condition_only",
        reason=declined.reason if declined else "a condition, not an equation",
        label=presentable(label.text),
        label_origin=label.origin,
        description=label.description,
        keywords=find_keywords(label.text, read.occurrence.headings, ()),
        flags=declined.flags if declined else (),
        number=math_piece.number,
        is_display=math_piece.is_display,
    )


def _form_of_source(piece: Math, document_id: str, *, is_guess: bool) -> str:
    """What is not understood is the same where it is written the same; a guess is the same as nothing else."""
    source = " ".join(piece.source.split())
    if is_guess:
        return content_id("guess", document_id, str(piece.place.page), str(piece.place.box), str(piece.place), source)
    return content_id("source", piece.notation, source)
