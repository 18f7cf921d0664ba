"""What people say about a formula, laid over what was read. A correction is checked when it is made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mathrag.compute.dimensions import check_dimensions
from mathrag.compute.latex.tokens import strip_delimiters
from mathrag.errors import UnitError, UsageError
from mathrag.extract.formula_reader import ReadFormula, read_alone
from mathrag.extract.labels import Label
from mathrag.extract.meanings import kind_or_none
from mathrag.extract.number_equations import NUMBERS, counted_unit, divided_by_units
from mathrag.extract.occurrences import Occurrence
from mathrag.extract.pipeline import understand_one
from mathrag.extract.surroundings import Context, make_context
from mathrag.knowledge.kinds import kind
from mathrag.knowledge.spelling import normal_words
from mathrag.knowledge.units import read_canonical_unit, read_unit
from mathrag.language.quantity_names import head_kinds
from mathrag.types.document import Document, Heading, Math, Place, Text
from mathrag.types.expression import Declined, Flag, equation_symbols, symbols_of
from mathrag.types.library import (
    PURPOSES,
    Correction,
    Finding,
    Formula,
    Span,
    SymbolDefinition,
    SymbolMeaning,
    SymbolRole,
    Validity,
)

FIELDS = ("label", "description", "intent", "status", "latex", "purpose", "numerical")
SYMBOL_FIELDS = ("description", "unit", "kind", "role")


def check_correction(formula: Formula, field: str, value: str) -> tuple[str, str]:
    """The field and value in the form that is stored; `UsageError` says what would be right."""
    if field == "latex":
        return field, _readable(formula, value)
    if field in FIELDS:
        if field == "status" and value not in ("executable", "quarantined"):
            raise UsageError(f"the status can be set to executable or quarantined, not {value!r}")
        if field == "purpose" and value.strip() not in PURPOSES:
            raise UsageError(f"a formula is for one of {', '.join(PURPOSES)}, not {value!r}")
        if field == "numerical" and value not in ("yes", "no"):
            raise UsageError(f"a formula is numerical or not: write yes or no, not {value!r}")
        if formula.equation is None and (field == "numerical" or (field == "status" and value == "executable")):
            raise UsageError("a formula that could not be read cannot be made executable")
        return field, value.strip()
    head, _, rest = field.partition(".")
    name, _, part = rest.rpartition(".")
    if head != "symbol" or part not in SYMBOL_FIELDS:
        possible = ", ".join((*FIELDS, *(f"symbol.NAME.{part}" for part in SYMBOL_FIELDS)))
        raise UsageError(f"there is no field {field!r}; possible are {possible}")
    if all(symbol.name != name for symbol in formula.symbols):
        listed = ", ".join(symbol.name for symbol in formula.symbols) or "none"
        raise UsageError(f"the formula has no symbol {name!r}; it has {listed}")
    return field, _checked_part(part, value).strip()


def _checked_part(part: str, value: str) -> str:
    """What is said of a symbol, in the form that is stored."""
    if part == "unit":
        try:
            return read_unit(value).text if value.strip() not in ("", "1", "-") else ""
        except UnitError as error:
            raise UsageError(f"the unit {value!r} cannot be read: {error}") from error
    if part == "kind":
        try:
            kind(value)
        except KeyError as error:
            raise UsageError(f"there is no quantity kind {value!r}") from error
    if part == "role" and value not in ("variable", "constant", "index"):
        raise UsageError(f"a symbol is a variable, a constant or an index, not {value!r}")
    return value


def check_corrections(formula: Formula, changes: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Several at once, each as `check_correction` does; a new equation comes first, so that its symbols are known."""
    checked: list[tuple[str, str]] = []
    for field, value in sorted(changes, key=lambda change: change[0] != "latex"):
        checked.append(check_correction(formula, field, value))
        if field == "latex":
            said = Correction(formula.id, formula.form, *checked[-1], "", "")
            formula = apply_corrections(formula, (said,))
    return checked


def _readable(formula: Formula, value: str) -> str:
    start, end = strip_delimiters(value)
    latex = value[start:end].strip()
    read_correction(formula, latex)
    return latex


def corrections_for(formula: Formula, corrections: Sequence[Correction], *, is_only: bool) -> tuple[Correction, ...]:
    """Those made for this formula; also those of its form when it is the only one, for its id may have changed."""
    return tuple(one for one in corrections if one.formula == formula.id or (is_only and one.form == formula.form))


def apply_corrections(formula: Formula, corrections: Sequence[Correction]) -> Formula:
    """The formula as people corrected it, in the order in which they did."""
    if not corrections:
        return formula
    changed = replace(formula, corrections=tuple(corrections))
    written = [one.value for one in corrections if one.field == "latex"]
    if written:
        # The last equation is laid over what was read before all else, for what is said of symbols is said of its own.
        changed = with_latex(changed, written[-1])
    for one in corrections:
        changed = _applied(changed, one)
    numerical = [one.value for one in corrections if one.field == "numerical"]
    if numerical[-1:] == ["yes"]:
        changed = _in_numbers(changed)
    if numerical or any(one.field.startswith("symbol.") for one in corrections):
        changed = _checked(changed)
    # A person's word about the status is the last one.
    for one in corrections:
        if one.field == "status" and one.value == "executable" and changed.equation is None:
            # The equation that was trusted has been taken back.
            continue
        if one.field == "status" and one.value == "executable":
            changed = replace(changed, status="executable", reason="", reason_code="")
        elif one.field == "status":
            changed = replace(changed, status="quarantined", reason=f"set aside by {one.author}", reason_code="edited")
    return changed


def _applied(formula: Formula, correction: Correction) -> Formula:
    match correction.field:
        case "label":
            labels = tuple(dict.fromkeys((correction.value, *formula.labels)))
            return replace(formula, label=correction.value, labels=labels, label_origin="edited")
        case "description":
            return replace(formula, description=correction.value)
        case "intent":
            return replace(formula, intent=correction.value)
        case "purpose":
            return replace(formula, purpose=next(one for one in PURPOSES if one == correction.value))
        case "status" | "latex" | "numerical":
            return formula
    name, _, part = correction.field.removeprefix("symbol.").rpartition(".")
    symbols = tuple(
        _symbol(symbol, part, correction.value) if symbol.name == name else symbol for symbol in formula.symbols
    )
    return replace(formula, symbols=symbols)


def _in_numbers(formula: Formula) -> Formula:
    """The formula as one that holds for the numbers of its symbols' units: each symbol is divided by its own."""
    if formula.equation is None or any(flag.code == NUMBERS.code for flag in formula.flags):
        return formula
    units = {
        symbol.name: counted_unit(read_canonical_unit(symbol.unit), kind_or_none(symbol.kind))
        for symbol in formula.symbols
        if symbol.unit is not None
    }
    equation = divided_by_units(formula.equation, units)
    symbols = tuple(
        replace(symbol, origin="edited")
        if symbol.unit is not None and symbol.origin in ("assumed", "inferred")
        else symbol
        for symbol in formula.symbols
    )
    return replace(formula, equation=equation, symbols=symbols, flags=(*formula.flags, NUMBERS))


def _symbol(symbol: SymbolMeaning, part: str, value: str) -> SymbolMeaning:
    match part:
        case "description":
            return replace(symbol, description=value, origin="edited")
        case "unit":
            unit = read_canonical_unit(value)
            kept = symbol.kind if symbol.dimension == unit.dimension else None
            return replace(symbol, unit=unit.text, dimension=unit.dimension, kind=kept, origin="edited")
        case "kind":
            item = kind(value)
            unit_text = symbol.unit if symbol.dimension == item.dimension else item.unit
            return replace(symbol, kind=item.id, unit=unit_text, dimension=item.dimension, origin="edited")
        case "role":
            role: SymbolRole = "constant" if value == "constant" else "index" if value == "index" else "variable"
            constant = symbol.constant if role == "constant" else None
            return replace(symbol, role=role, constant=constant, origin="edited")
    return symbol


def _checked(formula: Formula) -> Formula:
    """After a change of units the dimensions are judged anew."""
    if formula.equation is None:
        return formula
    known = {
        symbol.name: symbol.dimension
        for symbol in formula.symbols
        if symbol.dimension is not None and symbol.origin in ("edited", "document")
    }
    report = check_dimensions(formula.equation, known)
    if report.status == "inconsistent":
        reason = "; ".join(one.message for one in report.disagreements)
        return replace(formula, status="quarantined", reason_code="dimensions", reason=reason)
    symbols = tuple(
        replace(symbol, dimension=report.dimensions[symbol.name], unit=None, kind=None, origin="inferred")
        if symbol.origin in ("assumed", "inferred")
        and symbol.name in report.dimensions
        and report.dimensions[symbol.name] != symbol.dimension
        else symbol
        for symbol in formula.symbols
    )
    if formula.reason_code in _DOUBTS:
        return replace(formula, symbols=symbols, status="executable", reason_code="", reason="")
    return replace(formula, symbols=symbols)


# A formula as a person writes it in place of the one that was read: understood as in a document, in its old place.
#
# The id, the form and the places stay those of what the documents say; decides nothing about who may say what.

_LONGEST = 4_000
_SAID: tuple[str, ...] = ("document", "proposed")
_DOUBTS = ("dimensions", "unusual_dimension", "units_not_stated")
_NO_HASH = "0" * 64
_NOWHERE = Span("", Place(), "")
CORRECTED = Flag("corrected", "the formula was corrected by a person; the source shows what the document says")


def read_correction(formula: Formula, latex: str) -> ReadFormula:
    """The one equation that the LaTeX says; `UsageError` gives the reason where it says none."""
    if not latex or len(latex) > _LONGEST:
        raise UsageError(f"write the formula in LaTeX, such as E = m c^2, in at most {_LONGEST:,} characters")
    span = _place(formula)
    math = Math(latex, "latex", span.place, latex, is_display=True)
    read = read_alone(Occurrence(math, 0, span.headings, (), ()), [symbol.name for symbol in formula.symbols])
    if isinstance(read.reading, Declined):
        raise UsageError(f"the formula cannot be read: {read.reading.reason}")
    if len(read.reading.equations) != 1:
        count = len(read.reading.equations)
        raise UsageError(f"write one equation, such as E = m c^2; this is {f'{count} of them' if count else 'none'}")
    if len(read.equations) != 1:
        raise UsageError("this gives a value or says something of one case; write an equation that relates symbols")
    return read


def with_latex(formula: Formula, latex: str) -> Formula:
    """The formula with the equation that a person wrote, its symbols and status worked out anew."""
    try:
        read = read_correction(formula, latex)
    except UsageError as error:
        # It could be read when it was said; what was said is still shown, but nothing is computed with it.
        return replace(
            formula,
            latex=latex,
            equation=None,
            symbols=(),
            alternatives=(),
            instances=(),
            status="declined",
            reason_code="correction_unreadable",
            reason=str(error),
            flags=(CORRECTED,),
        )
    is_named = bool(formula.label) and formula.label_origin != "symbol"
    label = Label(formula.label, formula.label_origin, formula.description) if is_named else Label("", "")
    finding = understand_one(read, label, _context(formula, read, label), document_id=_place(formula).document)
    name = formula.label if is_named else finding.label
    return replace(
        formula,
        label=name,
        labels=formula.labels if is_named else (name,) if name else (),
        latex=finding.latex,
        equation=finding.equation,
        status=finding.status,
        reason_code=finding.reason_code,
        reason=finding.reason,
        intent=finding.intent,
        keywords=tuple(dict.fromkeys((*finding.keywords, *formula.keywords))),
        symbols=_kept(finding.symbols, formula),
        alternatives=finding.alternatives,
        prior=finding.prior,
        conditions=_conditions(formula, finding),
        flags=(CORRECTED, *finding.flags),
        # Worked examples put values into the formula as it was read, which this one is not.
        instances=(),
    )


def _place(formula: Formula) -> Span:
    return formula.spans[0] if formula.spans else _NOWHERE


def _context(formula: Formula, read: ReadFormula, label: Label) -> Context:
    """What the documents said about the symbols that the formula had, and the titles above it."""
    span = _place(formula)
    definitions = [_definition(symbol, formula) for symbol in formula.symbols if symbol.origin in _SAID]
    titles = tuple(
        Heading(span.place, title, level, (Text(title),)) for level, title in enumerate(span.headings, start=1)
    )
    document = Document("", "text/plain", _NO_HASH, titles, title=" ".join(span.headings[:1]))
    context = make_context(document, definitions, [(read.occurrence, label)])
    if any(symbol.origin == "assumed" and symbol.kind is not None for symbol in formula.symbols):
        # Standard meanings were given in its document, so that the document is about quantities.
        context.is_abstract = False
    return context


def _definition(symbol: SymbolMeaning, formula: Formula) -> SymbolDefinition:
    said = SymbolDefinition(
        symbol.name,
        symbol.description,
        symbol.evidence or _place(formula),
        first_block=0,
        last_block=0,
        source="where",
        unit=symbol.unit,
        dimension=symbol.dimension,
        kind=symbol.kind,
        letter=symbol.letter,
    )
    if _is_said(symbol, formula):
        return said
    named = {item.dimension: item for item in reversed(head_kinds(symbol.description))}
    item = next(iter(named.values())) if len(named) == 1 else None
    if item is None:
        return replace(said, unit=None, dimension=None, kind=None)
    # The words hold the new equation to the dimension that they name, as the unit beside them would.
    return replace(said, unit=item.unit, dimension=item.dimension, kind=item.id)


def _is_said(symbol: SymbolMeaning, formula: Formula) -> bool:
    """Whether a document gives the symbol its dimension.

    In an equation that cannot hold, one of the symbols had to take whatever dimension was left for it.
    """
    if formula.reason_code not in _DOUBTS:
        return True
    known = kind_or_none(symbol.kind)
    if known is not None:
        return known.dimension == symbol.dimension
    return bool(symbol.unit) and symbol.evidence is not None and str(symbol.unit) in symbol.evidence.quote


def _kept(symbols: Sequence[SymbolMeaning], formula: Formula) -> tuple[SymbolMeaning, ...]:
    """What the documents say about a symbol stays theirs, with its place, where the new equation allows it."""
    said = {symbol.name: symbol for symbol in formula.symbols if symbol.origin in _SAID and _is_said(symbol, formula)}
    return tuple(
        replace(said[symbol.name], state=symbol.state)
        if symbol.name in said and said[symbol.name].dimension == symbol.dimension
        else symbol
        for symbol in symbols
    )


def _conditions(formula: Formula, finding: Finding) -> tuple[Validity, ...]:
    """The document's words stay; its comparisons give way to those written now, and go with their symbols."""
    written = [replace(one, evidence=None) for one in finding.conditions if one.comparisons]
    names: set[str] = set() if finding.equation is None else set(equation_symbols(finding.equation))
    found = {normal_words(one.text): one for one in written}
    for one in formula.conditions:
        if one.comparisons and (written or not _symbols(one) <= names):
            continue
        found.setdefault(normal_words(one.text), one)
    return tuple(found.values())


def _symbols(condition: Validity) -> set[str]:
    sides = (side for one in condition.comparisons for side in (one.left, one.right))
    return {name for side in sides for name in symbols_of(side)}
