"""A unit as an author writes it in a cell, a parenthesis or after "in": read, or None. Chooses by the kinds at hand.

The unit grammar itself is `mathrag.knowledge.units`; here are only the habits around it: brackets, "in units of",
alternatives, a dash for none, letters that mean several units, and how far a unit goes in running text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from mathrag.errors import AmbiguousUnitError, UnitError
from mathrag.knowledge.units import counted_readings, read_unit, unit_readings
from mathrag.language.counted_things import is_counted_thing
from mathrag.language.quantity_names import kind_groups
from mathrag.language.round_numbers import ROUND, share_of
from mathrag.language.tokens import OPENING, Token, closing_place, joined
from mathrag.language.word_classes import any_of, word_class
from mathrag.types.document import Math
from mathrag.types.knowledge import QuantityKind
from mathrag.types.quantity import NO_UNIT, Dimension, Unit

_MAXIMUM_LENGTH = 120
# "in Bohr's model": a person, not bohr, foot and second.
_POSSESSIVE = re.compile(r"[A-Za-z]['’]s?(?:\s|$)")
_NONE = word_class("numbers.no_unit")
_LEAD = re.compile(
    rf"(?:(?:{any_of('numbers.before_units')})\s+)*"
    r"(?:(?:units?|dimensions?)\b(?:\s+(?:of|is|are|in)\b|\s*[:=])?\s*|in\s+(?:the\s+)?(?:SI\s+)?(?:units?\s+(?:of\s+)?)?)?",
    re.IGNORECASE,
)
_MONEY_PER = re.compile(r"\$\s?(?:/\s?|per\s)(?=[^$]+\Z)")
_LATEX_BREAK = re.compile(r"\\(?:newline|linebreak|\\)")
_ALTERNATIVES = re.compile(r"\n|(?<!\\);|(?<!\\),(?!\d)|\s+or\s+|\s*=\s*|\s*≡\s*|\s+and\s+|\s/\s(?=\D)")
_TRAILING_BRACKET = re.compile(r"^(.{1,60}?)\s*[(\[]([^()\[\]]{1,40})[)\]]$")
# Words that the unit grammar knows as units but which are words of a sentence where they stand alone.
_WORDS_NOT_UNITS = word_class("numbers.words_not_units")


def unit_of_text(text: str, *, kinds: Sequence[QuantityKind] = ()) -> Unit | None:
    """The unit that a cell or a parenthesis states; None where there is none or it stays ambiguous.

    `kinds` are what the quantity can be, likeliest first: they choose between readings (`C` for a temperature).
    """
    if len(text) > _MAXIMUM_LENGTH or _POSSESSIVE.search(text):
        return None
    dimensions = tuple(dict.fromkeys(kind.dimension for kind in kinds))
    is_difference = bool(kinds) and kinds[0].is_difference
    return _unit_of_text(text, dimensions, is_difference)


@lru_cache(maxsize=4096)
def _unit_of_text(text: str, dimensions: tuple[Dimension, ...], is_difference: bool) -> Unit | None:
    if text.strip() in ("$", "US$", "\\$"):
        return read_unit("USD")
    cleaned = _of_so_many(text) or _stripped(text)
    if not cleaned and not text.strip(" -–—−()[]"):
        return NO_UNIT if text.strip() else None
    if cleaned.casefold() in _NONE:
        return NO_UNIT
    if (repeated := _said_twice(cleaned, dimensions, is_difference)) is not None:
        return repeated
    found: list[Unit] = []
    for candidate in _candidates(cleaned):
        unit = _read(candidate, dimensions, is_difference)
        if unit is not None:
            found.append(unit)
    fitting = [unit for unit in found if unit.dimension in dimensions]
    return fitting[0] if fitting else found[0] if found else None


def _said_twice(text: str, dimensions: tuple[Dimension, ...], is_difference: bool) -> Unit | None:
    """The unit of "volts V": its name and its sign side by side are one unit, no product."""
    words = text.split()
    if len(words) != 2 or words[0] == words[1]:
        return None
    first, second = (_read(word, dimensions, is_difference) for word in words)
    if first is None or second is None:
        return None
    is_same = (first.dimension, first.scale, first.offset) == (second.dimension, second.scale, second.offset)
    return first if is_same else None


# "Warp threads per cm", "cars per minute and lane".
_SO_MANY_PER = re.compile(r"(?:^|\s)(?P<thing>[A-Za-z]{3,20})\s?(?:per\s|/\s?)(?P<unit>\S+(?: \S+){0,3})$")
# "Machine-hours", "person-years of observation".
_SPENT_IN_WORDS = re.compile(
    r"(?:(?:the|total|number of|all) ){0,2}([A-Za-z]{3,20}-[a-z]{1,12})(?: (?:of|in|for|at) .*)?$"
)
_LONGEST_RATE = 4


def rate_in_words(description: str) -> Unit | None:
    """The unit that a name says by itself: "warp threads per cm" are so many by the centimetre. None for quantities
    by a unit ("cost per hour"), whose own unit nobody says."""
    description = description.strip(" .,;:()")
    if len(description) > _MAXIMUM_LENGTH:
        return None
    match = _SO_MANY_PER.search(description)
    if match is None:
        spent = _SPENT_IN_WORDS.match(description)
        return None if spent is None else next(iter(_counted(spent[1])), None)
    thing, words = match["thing"], match["unit"].split()
    is_several = is_counted_thing(thing, False) or bool(_readings(f"{thing}/s"))
    for length in range(min(len(words), _LONGEST_RATE), 0, -1) if is_several else ():
        if length < len(words) and words[length] not in _RATE_ENDS | {"in"}:
            continue
        unit = unit_of_text(f"{thing} per {' '.join(words[:length])}")
        if unit is not None:
            return unit
    return None


def reads_as_unit(text: str) -> bool:
    """Whether a text in a sentence ("in m/s", "(kg)") names a unit; everyday words that happen to be units do not."""
    if not text or len(text) > _MAXIMUM_LENGTH or _POSSESSIVE.search(text):
        return False
    return _reads_as_unit(text)


@lru_cache(maxsize=8192)
def _reads_as_unit(text: str) -> bool:
    cleaned = _of_so_many(text) or _stripped(text)
    if cleaned.casefold() in _NONE:
        return cleaned.casefold() not in ("", "1", "number", "ratio", "none", "/")
    candidates = list(_candidates(cleaned))
    # Of a list, the first has to be a unit: "constant T, V" is none.
    is_list = not _TRAILING_BRACKET.match(cleaned)
    return any(_readings(candidate) for candidate in (candidates[:1] if is_list else candidates))


def is_plain_unit(text: str) -> bool:
    """Whether exactly this text is a unit and no everyday word: what may follow "in" without a bracket."""
    words = text.split()
    if not words or len(text) > 60 or _POSSESSIVE.search(text):
        return False
    if words[0].casefold() in _WORDS_NOT_UNITS and words[0].casefold() not in _ALLOWED_AFTER_IN:
        return False
    return bool(_readings(text))


_ALLOWED_AFTER_IN = word_class("numbers.units_after_in")


# "mg N/L", "kg CO2 per kWh": of what so much is.
_SUBSTANCE = re.compile(r"\b([mkuµn]?g|[mkuµn]?mol|t|lb) (?:of )?(?:[A-Z][a-z]?[0-9₀-₉]{0,2}){1,5}(?=\s?/|\s+per\b)")
# A clearance is told for a usual body.
_USUAL_BODY = re.compile(r"\s?(?:/|\bper)\s?1\.73\s?m(?:2|²|\^2)")


# "Per 1000 people per year", "cases per 100,000": of so many.
_OF_SO_MANY = re.compile(
    rf"^\s*(?:(?:[a-z]{{3,20}} ){{0,2}}per|/) ?(?P<number>{ROUND})(?! ?[A-Za-z0-9]{{1,3}}\b)"
    r"(?: (?!per\b)[a-z-]{3,20}){0,3}?"
    r"(?:\s*(?:per |/ ?)(?P<rest>[a-z]{1,12})| (?P<spent>[a-z]{3,20}[- ](?:years?|days?|hours?|months?)))?\s*$",
    re.IGNORECASE,
)


def _of_so_many(text: str) -> str | None:
    """The unit of what is told for a round number, as the unit table has it: permille/year."""
    match = _OF_SO_MANY.match(text)
    share = share_of(match["number"]) if match is not None else None
    if match is None or share is None:
        return None
    below = match["rest"] or (re.split(r"[- ]", match["spent"])[-1] if match["spent"] else "")
    return f"{share}/{below}" if below else share


def _stripped(text: str) -> str:
    text = _USUAL_BODY.sub("", _SUBSTANCE.sub(r"\1", text))
    text = _LATEX_BREAK.sub("\n", text).replace("\u200b", "").strip()
    # A dollar in front of a unit is money; two are signs around a formula.
    text = _MONEY_PER.sub("$/", text) if _MONEY_PER.match(text) else text.strip("$").strip()
    for _ in range(3):
        text = text.strip(" \t\n.,;:")
        lead = _LEAD.match(text)
        if lead and lead.end() < len(text):
            text = text[lead.end() :].strip()
        if text[:1] in OPENING and text.endswith(OPENING[text[0]]) and not _is_split(text):
            text = text[1:-1]
        else:
            break
    return text.strip()


def _is_split(text: str) -> bool:
    """Whether the bracket that opens the text closes before its end: `(kg)(m)`."""
    level = 0
    for place, character in enumerate(text):
        level += (character == text[0]) - (character == OPENING[text[0]])
        if level == 0:
            return place < len(text) - 1
    return True


def _candidates(text: str) -> Iterable[str]:
    """The text itself, then what stands in and before a trailing bracket, then the alternatives it lists."""
    bracket = _TRAILING_BRACKET.match(text)
    if bracket and not re.search(r"[/·*^]\s*$", bracket.group(1)):
        yield bracket.group(1).strip()
        yield bracket.group(2).strip()
    parts = [part.strip() for part in _ALTERNATIVES.split(text)]
    if len(parts) == 1:
        if not bracket or "/" in text:
            yield text
        return
    for part in parts:
        if part:
            yield _stripped(part)


def _readings(text: str) -> tuple[Unit, ...]:
    if not text or len(text) > _MAXIMUM_LENGTH:
        return ()
    try:
        return unit_readings(text, rare=False)
    except (UnitError, RecursionError):
        return _counted(text)


# A quotient or a hyphen says that something is counted within a unit: "threads/cm", "machine-hour".
_QUOTIENT = re.compile(r"/|\bper\b")
_HYPHENED = re.compile(r"[A-Za-z]-[a-z]")
# Words that go on behind a rate: of cloth, in winter, and so on.
_RATE_ENDS = (word_class("grammar.prepositions") | word_class("grammar.conjunctions")) - {"per", "in"}
# What whole things are counted in: machine-hours, vehicle-kilometres. A cross-bar is no pressure.
_SPENT = (Dimension.of({"time": 1}), Dimension.of({"length": 1}))


def _counted(text: str) -> tuple[Unit, ...]:
    is_quotient = _QUOTIENT.search(text) is not None
    if not (is_quotient or _HYPHENED.search(text)) or not _RATE_ENDS.isdisjoint(text.casefold().split()[1:]):
        return ()
    try:
        units = counted_readings(text, is_counted_thing)
    except (UnitError, RecursionError):
        return ()
    return units if is_quotient or all(unit.dimension in _SPENT for unit in units) else ()


def _read(text: str, dimensions: tuple[Dimension, ...], is_difference: bool) -> Unit | None:
    if not text:
        return None
    try:
        unit = read_unit(text, prefer=dimensions)
    except AmbiguousUnitError:
        return None
    except (UnitError, RecursionError):
        counted = _counted(text)
        return counted[0] if len(counted) == 1 else None
    return read_unit(text, prefer=(unit.dimension,), difference=True) if is_difference else unit


def fits(kind: QuantityKind, unit: Unit) -> bool:
    """Whether a quantity of this kind can have this unit."""
    return kind.takes_any_unit or kind.dimension == unit.dimension


def may_have_unit(description: str, unit_text: str) -> bool:
    """Whether the unit fits what the words name; yes where either is unknown."""
    candidates = [kind for group in kind_groups(description) for kind in group]
    unit = unit_of_text(unit_text, kinds=candidates)
    return unit is None or not candidates or any(fits(kind, unit) for kind in candidates)


_UPRIGHT = re.compile(
    r"\\(?:mathrm|text|textrm|textup|rm|si|SI|unit|operatorname|mathup|qty)\b|mathvariant=.normal|<mtext"
)


def is_upright(math: Math) -> bool:
    """Whether it has upright letters, as units have."""
    return _UPRIGHT.search(math.source) is not None


# A unit among the tokens of a sentence.

_TRAILING = word_class("phrases.trailing")
_PHRASE_ENDS = word_class("phrases.ends")
_UNIT_STOPS = frozenset(("and", "or", ",", ";", ":", "=", ")", "]"))


def unit_run(tokens: Sequence[Token], start: int) -> tuple[str, int] | None:
    """The longest run of tokens from a place that is a unit and is not followed by a noun it could qualify."""
    if start < len(tokens) and tokens[start].text in OPENING:
        end = closing_place(tokens, start)
        if end is not None and reads_as_unit(joined(tokens[start + 1 : end])):
            return joined(tokens[start + 1 : end]), end + 1
        return None
    if start < len(tokens) and tokens[start].lower in ("units", "unit") and start + 1 < len(tokens):
        start += 2 if tokens[start + 1].lower == "of" else 1
    limit = start
    while limit < len(tokens) and limit - start < 14:
        token = tokens[limit]
        closes_own = token.text == ")" and any(other.text == "(" for other in tokens[start:limit])
        if not closes_own and (token.kind == "break" or token.lower in _UNIT_STOPS):
            break
        if (
            token.kind == "math"
            and token.math is not None
            and (token.math.is_display or _is_spelled(tokens, start, limit))
        ):
            break
        limit += 1
    repeated = _repeated_unit(tokens, start, limit)
    if repeated is not None:
        return repeated
    for end in range(limit, start, -1):
        if tokens[end - 1].lower in _TRAILING and len(tokens[end - 1].text) > 1:
            continue
        text = joined(tokens[start:end]).rstrip(".")
        if text[:1].isdigit() and not text.startswith("1/"):
            return None
        if is_plain_unit(text) and _may_follow(tokens, end, text):
            return text, end
    return None


def _repeated_unit(tokens: Sequence[Token], start: int, limit: int) -> tuple[str, int] | None:
    """`in Hz Hertz`, `in hertz Hz`: the same unit twice."""
    if start + 1 >= limit or not (tokens[start].kind == tokens[start + 1].kind == "word"):
        return None
    first, second = tokens[start].text, tokens[start + 1].text
    if not (is_plain_unit(first) and is_plain_unit(second)):
        return None
    return (first, start + 2) if unit_of_text(first) == unit_of_text(second) and first != second else None


def _is_spelled(tokens: Sequence[Token], start: int, end: int) -> bool:
    """`joules $\\mathrm{J}$`: the formula repeats the unit that is written out."""
    return end > start and all(token.kind == "word" and len(token.text) > 3 for token in tokens[start:end])


def _may_follow(tokens: Sequence[Token], place: int, text: str) -> bool:
    if place >= len(tokens):
        return True
    if tokens[place].kind != "word":
        return tokens[place].is_spaced or tokens[place].text not in ("/", "·", "^", "*", "-", "⋅")
    if not text.replace(" ", "").isalpha():
        return True
    return tokens[place].lower in _TRAILING or tokens[place].lower in _PHRASE_ENDS
