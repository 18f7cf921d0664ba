"""Unite what documents say about one formula or one constant. Pure: the order of the findings does not matter.

Findings of one canonical form are one formula when the dimensions of their symbols agree. A finding whose meanings
are only assumed gives way: it joins the formula that one of its other readings fits.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from mathrag.extract.constants.attached import united as united_values
from mathrag.extract.corrections import apply_corrections, corrections_for
from mathrag.extract.relations import relate
from mathrag.knowledge.spelling import normal_words
from mathrag.knowledge.units import read_canonical_unit
from mathrag.types.library import (
    GENERAL_PURPOSES,
    PROPOSED,
    PURPOSES,
    Constant,
    ConstantFinding,
    Correction,
    Finding,
    Formula,
    Origin,
    Relation,
    Span,
    SymbolMeaning,
    Validity,
    content_id,
)
from mathrag.types.quantity import Dimension

_ORIGINS: tuple[Origin, ...] = ("edited", "document", "proposed", "assumed", "inferred", "unknown")
_LABEL_TRUST = ("cell", "remark", "bold", "caption", PROPOSED, "heading", "sentence", "symbol", "")


def merge_findings(findings: Sequence[Finding], corrections: Sequence[Correction] = ()) -> tuple[Formula, ...]:
    """The formulas of one canonical form, with the corrections that belong to them."""
    clusters: list[list[Finding]] = []
    for finding in sorted(findings, key=_authority):
        home = next((cluster for cluster in clusters if _belongs(finding, cluster)), None)
        if home is None:
            clusters.append([finding])
        else:
            home.append(finding)
    formulas = [_formula(cluster) for cluster in clusters]
    is_only = len(formulas) == 1
    return tuple(
        apply_corrections(formula, corrections_for(formula, corrections, is_only=is_only))
        for formula in sorted(formulas, key=lambda formula: formula.id)
    )


def _authority(finding: Finding) -> tuple[bool, bool, int, float, str, int]:
    """General statements come before steps and cases, then those that say most, so that the others gather around them;
    what a model proposed comes last."""
    is_special = finding.purpose not in GENERAL_PURPOSES
    said = -_said(finding)
    return (finding.notation == PROPOSED, is_special, said, -finding.prior, finding.document, finding.position)


def _said(finding: Finding) -> int:
    """How many symbols its document explains."""
    return sum(symbol.origin == "document" and symbol.dimension is not None for symbol in finding.symbols)


def _belongs(finding: Finding, cluster: Sequence[Finding]) -> bool:
    known = _dimensions(cluster)
    own = {symbol.name: symbol.dimension for symbol in finding.symbols}
    if _agree(own, known):
        return True
    if any(symbol.origin == "document" and symbol.dimension is not None for symbol in finding.symbols):
        return False
    return any(
        _agree({**own, **{symbol.name: symbol.dimension for symbol in alternative.symbols}}, known)
        for alternative in finding.alternatives
    )


def _agree(first: dict[str, Dimension | None], second: dict[str, Dimension]) -> bool:
    return all(
        dimension is None or name not in second or second[name] == dimension for name, dimension in first.items()
    )


def _dimensions(cluster: Sequence[Finding]) -> dict[str, Dimension]:
    # The first finding has the most to say; those after it agree with it or gave way, and fill what it leaves open.
    known: dict[str, Dimension] = {}
    for finding in cluster:
        for symbol in finding.symbols:
            if symbol.dimension is not None:
                known.setdefault(symbol.name, symbol.dimension)
    return known


def _formula(cluster: Sequence[Finding]) -> Formula:
    ordered = sorted(cluster, key=lambda finding: (finding.document, finding.position))
    first = cluster[0]
    symbols = _united_symbols(cluster)
    signature = ";".join(f"{symbol.name}:{symbol.dimension}" for symbol in sorted(symbols, key=lambda one: one.name))
    # Of names found alike, that of the document which also explains the symbols; the rest only keeps the order fixed.
    named = min(
        ordered,
        key=lambda finding: (
            finding.purpose not in GENERAL_PURPOSES and bool(finding.label),
            _LABEL_TRUST.index(_trust(finding)),
            -_said(finding),
            finding.document,
            finding.position,
        ),
    )
    status_of = {finding.status for finding in cluster}
    status = next(status for status in ("executable", "quarantined", "declined") if status in status_of)
    shown = next(finding for finding in cluster if finding.status == status)
    return Formula(
        id=content_id("f", first.form, signature if first.equation is not None else ""),
        form=first.form,
        label=named.label,
        latex=shown.latex,
        status=shown.status,
        spans=_unique(finding.span for finding in ordered),
        equation=first.equation,
        reason_code=shown.reason_code,
        reason=shown.reason,
        labels=tuple(dict.fromkeys(finding.label for finding in ordered if finding.label)),
        label_origin=named.label_origin,
        description=named.description or next((finding.description for finding in ordered if finding.description), ""),
        intent=first.intent,
        keywords=tuple(dict.fromkeys(word for finding in cluster for word in finding.keywords)),
        symbols=symbols,
        alternatives=first.alternatives,
        prior=first.prior,
        conditions=_united_conditions(ordered),
        flags=tuple(dict.fromkeys(first.flags)),
        instances=tuple(dict.fromkeys(instance for finding in ordered for instance in finding.instances)),
        number=next((finding.number for finding in ordered if finding.number), ""),
        purpose=min((finding.purpose for finding in cluster if finding.status == status), key=PURPOSES.index),
    )


def _trust(finding: Finding) -> str:
    return finding.label_origin if finding.label and finding.label_origin in _LABEL_TRUST else ""


def _unique(spans: Iterable[Span]) -> tuple[Span, ...]:
    return tuple(dict.fromkeys(spans))


def _united_symbols(cluster: Sequence[Finding]) -> tuple[SymbolMeaning, ...]:
    united: list[SymbolMeaning] = []
    for symbol in cluster[0].symbols:
        known = [
            (other, finding.document)
            for finding in cluster
            for other in finding.symbols
            if other.name == symbol.name and (other.dimension == symbol.dimension or symbol.dimension is None)
        ]
        best, home = min(
            known or [(symbol, cluster[0].document)],
            key=lambda one: (_ORIGINS.index(one[0].origin), not one[0].description),
        )
        for other, document in known:
            if best.origin == "document" and document != home:
                # What one document says of its symbol, another does not turn into a constant or into another kind.
                other = replace(other, constant=None, kind=best.kind)
            best = replace(
                best,
                description=best.description or other.description,
                kind=best.kind or other.kind,
                unit=other.unit if best.unit is None else best.unit,
                constant=best.constant or other.constant,
                role="constant" if best.constant or other.constant else best.role,
            )
        united.append(replace(best, stated=united_values(other.stated for other, _ in known)))
    return tuple(united)


def _united_conditions(findings: Sequence[Finding]) -> tuple[Validity, ...]:
    found: dict[str, Validity] = {}
    for finding in findings:
        for condition in finding.conditions:
            found.setdefault(normal_words(condition.text), condition)
    return tuple(found.values())


@dataclass(frozen=True, slots=True)
class _Measured:
    """A constant in the coherent SI unit, with half a unit of its last digit as what it may be off by."""

    finding: ConstantFinding
    value: float
    slack: float


def merge_constants(findings: Sequence[ConstantFinding]) -> tuple[Constant, ...]:
    """Constants of one symbol: those of one name and dimension whose digits agree are one; the most precise speaks."""
    clusters: list[list[_Measured]] = []
    measured = sorted(map(_measure, findings), key=lambda one: (one.slack, one.finding.document, one.finding.position))
    for one in measured:
        home = next((cluster for cluster in clusters if _same_constant(one, cluster[0])), None)
        if home is None:
            clusters.append([one])
        else:
            home.append(one)
    return tuple(sorted((_constant(cluster) for cluster in clusters), key=lambda constant: constant.id))


def _measure(finding: ConstantFinding) -> _Measured:
    return _Measured(finding, *_si_range(finding))


def _si_range(constant: ConstantFinding | Constant) -> tuple[float, float]:
    """The value in the coherent SI unit and how far off its digits allow it to be."""
    unit = read_canonical_unit(constant.unit)
    exponent = constant.value.as_tuple().exponent
    last_digit = Decimal(1).scaleb(exponent) if isinstance(exponent, int) else Decimal(0)
    slack = max(last_digit / 2, constant.uncertainty or Decimal(0))
    return float(constant.value) * unit.scale + unit.offset, float(slack) * unit.scale


# Zeros at the end of a whole number may be digits or only places. As places they round by no more than this: 96500 for
# 96485 does, 100 for 140 does not.
_ROUNDED_BY_HAND = 0.02


def values_agree(one: Constant, other: Constant) -> bool:
    """Whether two values are the same as far as their digits go: 9.81 and 9.80665 are, and so are 96500 and 96485,
    or 3.141 and 3.1416, of which one was cut off."""
    (first, first_slack), (second, second_slack) = _si_range(one), _si_range(other)
    rounded = _rounding(one, first, first_slack) + _rounding(other, second, second_slack)
    if abs(first - second) <= rounded * 1.0001:
        return True
    coarse, fine, slack = max((first, second, first_slack), (second, first, second_slack), key=lambda each: each[2])
    return first * second > 0 and 0.0 <= abs(fine) - abs(coarse) < 2.0 * slack


def _rounding(constant: Constant, value: float, slack: float) -> float:
    """How far off a value may be, where the zeros at the end of a whole number are no digits of it."""
    exponent = constant.value.normalize().as_tuple().exponent
    if constant.uncertainty is not None or not isinstance(exponent, int) or exponent <= 0:
        return slack
    places = 0.5 * 10.0**exponent * abs(read_canonical_unit(constant.unit).scale)
    return max(slack, min(places, _ROUNDED_BY_HAND * abs(value)))


def _same_constant(one: _Measured, other: _Measured) -> bool:
    ours, theirs = one.finding, other.finding
    if ours.dimension != theirs.dimension:
        return False
    same_name = normal_words(ours.name) == normal_words(theirs.name)
    same_standard = ours.standard is not None and ours.standard == theirs.standard
    unnamed = bool(ours.symbol) and not (ours.name and theirs.name)
    if not (same_name or same_standard or unnamed):
        return False
    return abs(one.value - other.value) <= (one.slack + other.slack) * 1.0001


def _constant(cluster: Sequence[_Measured]) -> Constant:
    best = cluster[0].finding
    ordered = sorted(cluster, key=lambda one: (one.finding.document, one.finding.position))
    name = next((one.finding.name for one in cluster if one.finding.name), "")
    return Constant(
        id=content_id("c", best.symbol, normal_words(name), str(best.dimension), f"{cluster[0].value:.12g}"),
        symbol=best.symbol,
        name=name,
        value=best.value,
        unit=best.unit,
        dimension=best.dimension,
        spans=_unique(one.finding.span for one in ordered),
        description=next((one.finding.description for one in cluster if one.finding.description), ""),
        keywords=tuple(dict.fromkeys(word for one in cluster for word in one.finding.keywords)),
        uncertainty=best.uncertainty,
        standard=next((one.finding.standard for one in cluster if one.finding.standard), None),
        letter=next((one.finding.letter for one in cluster if one.finding.letter), ""),
        proposed_by=best.proposed_by if all(one.finding.proposed_by for one in cluster) else "",
    )


# The rules as the store wants them: one object with the three pure functions that make entries of findings.


class RuleMerger:
    """Merges by canonical form and dimension; relates by algebra and by what texts state."""

    def merge_findings(self, findings: Sequence[Finding], corrections: Sequence[Correction]) -> tuple[Formula, ...]:
        """The formulas of all findings of one form."""
        return merge_findings(findings, corrections)

    def merge_constants(self, findings: Sequence[ConstantFinding]) -> tuple[Constant, ...]:
        """The constants of all findings of one symbol."""
        return merge_constants(findings)

    def relate(
        self, formula: Formula, neighbours: Sequence[Formula], constants: Sequence[Constant], stated: Sequence[Relation]
    ) -> tuple[Relation, ...]:
        """The relations from one formula to its neighbours and constants."""
        return relate(formula, neighbours, constants, stated)
