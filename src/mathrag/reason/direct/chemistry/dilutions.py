"""A solution made from a stronger one of the same substance, with water: the amount that is dissolved stays. Two
volumes and two concentrations, of which one is asked."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from mathrag.compute.chemistry.formulas import read_chemical_formula
from mathrag.language.word_classes import any_of, word_class, word_pairs
from mathrag.reason.direct.chemistry.reading import AMOUNT, ANY, SUBSTANCE, Amount, Reading
from mathrag.reason.direct.chemistry.results import LITRE, Working, number_shown, si_to, unit_named
from mathrag.reason.direct.chemistry.sheet import Piece, Sheet, measures
from mathrag.reason.direct.result import AlgebraOutcome
from mathrag.types.quantity import Unit

_WATER = read_chemical_formula("H2O")
_A = rf"(?:{ANY} )?(?:stock |concentrated |strong |aqueous )*"
_SOLUTION = r"(?: stock)?(?: solution)?(?!\w)"
# The solution that is made: `to make 250 mL of 0.5 M acid`, `to get a 0.4 M solution`.
_MADE = r"(?:to|and) (?:make|prepare|get|give|obtain|produce|have)|for|(?:when|in) (?:making|preparing)"
_TARGET = rf"(?:{_MADE}) (?:an? )?{AMOUNT} (?:of )?{_A}{AMOUNT}(?: {_A}{SUBSTANCE})?{_SOLUTION}"
_THINNED = (
    rf"(?:{_MADE}|to|to make (?:it|the solution)|until it is) (?:only |an? )?(?:concentration of )?{AMOUNT}"
    rf"(?: {_A}{SUBSTANCE})?{_SOLUTION}"
)
_FILLED = (
    rf"dilut(?:ed|ing) (?:with {_A}{SUBSTANCE} )?to (?:make )?(?:an? )?(?:total |final |new )?(?:volume of )?{AMOUNT}"
    rf"(?: with {_A}{SUBSTANCE}| of solution)?"
)
_STOCK = rf"{AMOUNT} (?:sample )?(?:of )?{_A}{AMOUNT} {_A}{SUBSTANCE}{_SOLUTION}"
_ASKED_STOCK = (
    r"(?:how many (?P<unit>{units})|what volume(?:,? \(?in (?P<other>{units})\)?,?)?|how much|how large a volume)"
    rf"(?: of)? {_A}(?:{AMOUNT} {_A}{SUBSTANCE}{_SOLUTION}|{SUBSTANCE}{_SOLUTION} ?\({AMOUNT}\))"
)
# The same in two sentences: `You want 250 mL of 0.2 M acid from a 2 M stock. What volume of the stock?`
_WANTED = rf"(?:want|need|prepare|make|making|preparing) {AMOUNT} (?:of )?{_A}{AMOUNT}(?: {_A}{SUBSTANCE})?{_SOLUTION}"
_FROM = rf"(?:from|starting with|have|using) {_A}{AMOUNT}(?: {_A}{SUBSTANCE})?{_SOLUTION}"
_ASKED_OF_STOCK = (
    r"(?:how many (?P<unit>{units})|what volume|how much)(?: of)? (?:the |this |your |my )?stock(?: solution)?(?!\w)"
)
_ASKED_WATER = rf"(?:how many (?P<unit>{{units}}) of|what volume of|how much) {_A}{SUBSTANCE}"
_ASKED_VOLUME = r"(?:to )?(?:what|which) (?:final |total |new )?volume"
_ASKED_STRENGTH = (
    rf"(?:final |new |resulting )?(?:{{molarity}})(?: of (?:the |this )?(?:final |new |resulting |diluted? )?"
    rf"(?:{SUBSTANCE}(?: solution)?|solution))?(?!\w)"
)
_WORDS = "chemistry.thinning"


@dataclass(frozen=True, slots=True)
class _Dilution:
    """What is stated of the stronger solution, and of what it becomes; one value is missing."""

    volume: Amount | None
    molarity: Amount
    made: Amount | None = None
    thinned: Amount | None = None


def answer_dilution(reading: Reading) -> AlgebraOutcome:
    """The missing one of two volumes and two concentrations; None for any other question."""
    kinds = sorted(each.measured for each in reading.amounts)
    others = {each.formulas for each in reading.substances if each.formulas != (_WATER,)}
    if len(others) != 1 or any(each.si <= 0 for each in reading.amounts):
        return None
    sheet = Sheet(reading)
    if kinds == ["molarity", "molarity", "volume"]:
        return _from_stock(sheet) or _thinned(Sheet(reading))
    return _filled_up(sheet) if kinds == ["molarity", "volume", "volume"] else None


def _one(pieces: list[Piece]) -> Piece | None:
    return pieces[0] if len(pieces) == 1 else None


def _is_of_water(piece: Piece) -> bool:
    return piece.substances[0].formulas == (_WATER,)


def _units(pattern: str) -> str:
    return pattern.format(units=any_of("chemistry.units"), molarity=any_of("chemistry.molarity"))


def _unit(piece: Piece, like: Amount | None) -> Unit | None:
    """The unit that is asked for, else that of a volume that is stated; None where it is none of volumes."""
    name = piece.words.get("unit") or piece.words.get("other")
    found = unit_named(word_pairs("chemistry.units")[name]) if name else None if like is None else like.unit
    litre = unit_named("L")
    return found if found is not None and found.dimension == litre.dimension else None


def _from_stock(sheet: Sheet) -> AlgebraOutcome:
    """`How many mL of 10 M acid make 250 mL of 0.5 M?`"""
    made = _one(sheet.take(_TARGET, measures("volume", "molarity")))
    asked = stock = _one(sheet.take(_units(_ASKED_STOCK), measures("molarity")))
    if made is None and asked is None:
        made = _one(sheet.take(_WANTED, measures("volume", "molarity")))
        stock = _one(sheet.take(_FROM, measures("molarity")))
        asked = _one(sheet.take(_units(_ASKED_OF_STOCK)))
    if made is None or asked is None or stock is None or not sheet.is_spent(_WORDS):
        return None
    unit = _unit(asked, made.amounts[0])
    found = _Dilution(None, stock.amount, made.amounts[0], made.amounts[1])
    return None if unit is None else _told(found, "V", unit)


def _thinned(sheet: Sheet) -> AlgebraOutcome:
    """`To what volume is 20 mL of 5 M salt diluted to get 0.4 M?`, and how much water that takes."""
    words = frozenset(re.findall(r"[a-z]+", sheet.text))
    stock = _one(sheet.take(_STOCK, measures("volume", "molarity")))
    water = _one(sheet.take(_units(_ASKED_WATER), _is_of_water))
    volume = _one(sheet.take(_ASKED_VOLUME))
    thinned = _one(sheet.take(_THINNED, measures("molarity")))
    asked = water or volume
    if stock is None or thinned is None or asked is None or (water and volume) or not sheet.is_spent(_WORDS):
        return None
    if words.isdisjoint(word_class("chemistry.thins")):
        return None
    unit = _unit(asked, stock.amounts[0])
    found = _Dilution(stock.amounts[0], stock.amounts[1], None, thinned.amount)
    return None if unit is None else _told(found, "water" if water else "volume", unit)


def _filled_up(sheet: Sheet) -> AlgebraOutcome:
    """`25 mL of 3 M salt is diluted to 150 mL. What is the molarity?`"""
    filled = _one(sheet.take(_FILLED, measures("volume")))
    stock = _one(sheet.take(_STOCK, measures("volume", "molarity")))
    asked = _one(sheet.take(_units(_ASKED_STRENGTH)))
    if filled is None or stock is None or asked is None or not sheet.is_spent(_WORDS):
        return None
    if any(_is_of_water(each) for each in (stock, asked) if each.substances):
        return None
    found = _Dilution(stock.amounts[0], stock.amounts[1], filled.amount)
    return _told(found, "c", unit_named("mol/L"))


def _told(found: _Dilution, asked: str, unit: Unit) -> AlgebraOutcome:
    """The missing value; None where the solution would get stronger."""
    working = Working()
    stated = [each for each in (found.volume, found.molarity, found.made, found.thinned) if each is not None]
    for each in stated:
        working.states(each)
    working.lines.append("c₁ V₁ = c₂ V₂: what is dissolved stays")
    if found.volume is None:
        return _stock_needed(found, unit, working)
    if found.thinned is None:
        return _strength(found, unit, working)
    if found.thinned.si >= found.molarity.si:
        return None
    volume = found.volume.si * found.molarity.si / found.thinned.si
    product = f"{_litres(found.volume.si)} × {_strength_text(found.molarity)} / {_strength_text(found.thinned)}"
    working.lines.append(f"V₂ = {product} = {_litres(volume)}")
    if asked == "volume":
        return working.result("The volume is {} then.", si_to(volume, unit), unit, expression="V₂")
    added = volume - found.volume.si
    working.lines.append(f"V₂ − V₁ = {_litres(volume)} − {_litres(found.volume.si)} = {_litres(added)}")
    working.notes.append("the volumes are taken to add up")
    return working.result("{} of water are added.", si_to(added, unit), unit, expression="V(water)")


def _stock_needed(found: _Dilution, unit: Unit, working: Working) -> AlgebraOutcome:
    assert found.made is not None
    assert found.thinned is not None
    if found.thinned.si >= found.molarity.si:
        return None
    volume = found.made.si * found.thinned.si / found.molarity.si
    product = f"{_strength_text(found.thinned)} × {_litres(found.made.si)} / {_strength_text(found.molarity)}"
    working.lines.append(f"V₁ = {product} = {_litres(volume)}")
    return working.result("{} of the stronger solution are needed.", si_to(volume, unit), unit, expression="V₁")


def _strength(found: _Dilution, unit: Unit, working: Working) -> AlgebraOutcome:
    assert found.volume is not None
    assert found.made is not None
    if found.made.si <= found.volume.si:
        return None
    value = found.molarity.si * found.volume.si / found.made.si
    product = f"{_strength_text(found.molarity)} × {_litres(found.volume.si)} / {_litres(found.made.si)}"
    working.lines.append(f"c₂ = {product} = {number_shown(value * LITRE)} mol/L")
    return working.result("The concentration is {} then.", value * LITRE, unit, expression="c₂")


def _litres(volume: Fraction) -> str:
    return f"{number_shown(volume / LITRE)} L"


def _strength_text(molarity: Amount) -> str:
    return f"{number_shown(molarity.si * LITRE)} mol/L"
