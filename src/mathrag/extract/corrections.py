"""What people say about a formula, laid over what was read. A correction is checked when it is made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mathrag.compute.dimensions import check_dimensions
from mathrag.compute.kinds import kind
from mathrag.compute.latex.tokens import strip_delimiters
from mathrag.compute.units import read_canonical_unit, read_unit
from mathrag.errors import UnitError, UsageError
from mathrag.types.library import Correction, Formula, SymbolMeaning, SymbolRole

FIELDS = ("label", "description", "intent", "status", "latex")
SYMBOL_FIELDS = ("description", "unit", "kind", "role")


def check_correction(formula: Formula, field: str, value: str) -> tuple[str, str]:
    """The field and value in the form that is stored; `UsageError` says what would be right."""
    if field == "latex":
        return field, _readable(formula, value)
    if field in FIELDS:
        if field == "status" and value not in ("executable", "quarantined"):
            raise UsageError(f"the status can be set to executable or quarantined, not {value!r}")
        if field == "status" and value == "executable" and formula.equation is None:
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
    if part == "unit":
        try:
            value = read_unit(value).text if value.strip() not in ("", "1", "-") else ""
        except UnitError as error:
            raise UsageError(f"the unit {value!r} cannot be read: {error}") from error
    if part == "kind":
        try:
            kind(value)
        except KeyError as error:
            raise UsageError(f"there is no quantity kind {value!r}") from error
    if part == "role" and value not in ("variable", "constant", "index"):
        raise UsageError(f"a symbol is a variable, a constant or an index, not {value!r}")
    return field, value.strip()


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
    from mathrag.extract.corrected import read_correction

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
        from mathrag.extract.corrected import with_latex

        # The last equation is laid over what was read before all else, for what is said of symbols is said of its own.
        changed = with_latex(changed, written[-1])
    for one in corrections:
        changed = _applied(changed, one)
    if any(one.field.startswith("symbol.") for one in corrections):
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
        case "status" | "latex":
            return formula
    name, _, part = correction.field.removeprefix("symbol.").rpartition(".")
    symbols = tuple(
        _symbol(symbol, part, correction.value) if symbol.name == name else symbol for symbol in formula.symbols
    )
    return replace(formula, symbols=symbols)


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
    if formula.reason_code in ("dimensions", "unusual_dimension"):
        return replace(formula, symbols=symbols, status="executable", reason_code="", reason="")
    return replace(formula, symbols=symbols)
