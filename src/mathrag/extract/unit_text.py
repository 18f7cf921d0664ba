"""A unit as an author writes it in a cell, a parenthesis or after "in": read, or None. Chooses by the kinds at hand.

The unit grammar itself is `mathrag.knowledge.units`; here are only the habits around it: brackets, "in units of",
alternatives, a dash for none, and letters that mean several units.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from mathrag.errors import AmbiguousUnitError, UnitError
from mathrag.knowledge.units import read_unit, unit_readings
from mathrag.types.knowledge import QuantityKind
from mathrag.types.quantity import NO_UNIT, Dimension, Unit

MAXIMUM_LENGTH = 120
# "in Bohr's model": a person, not bohr, foot and second.
_POSSESSIVE = re.compile(r"[A-Za-z]['’]s?(?:\s|$)")
_NONE = frozenset(
    (
        "", "-", "–", "—", "−", "---", "--", "1", "none", "no unit", "no units", "unitless", "dimensionless", "n/a",
        "n.a.",
        "pure number", "a pure number", "ratio", "number", "no dimension", "no dimensions", "/", "[-]", "(-)", "∅",
        "[1]",
    )
)  # fmt: skip
_LEAD = re.compile(
    r"(?:(?:is|are|usually|commonly|typically|normally|often|given|expressed|measured|stated|with|having|has|its|the|SI)\s+)*"
    r"(?:(?:units?|dimensions?)\b(?:\s+(?:of|is|are|in)\b|\s*[:=])?\s*|in\s+(?:the\s+)?(?:SI\s+)?(?:units?\s+(?:of\s+)?)?)?",
    re.IGNORECASE,
)
_OPENING = {"(": ")", "[": "]", "{": "}"}
_LATEX_BREAK = re.compile(r"\\(?:newline|linebreak|\\)")
_ALTERNATIVES = re.compile(r"\n|(?<!\\);|(?<!\\),(?!\d)|\s+or\s+|\s*=\s*|\s*≡\s*|\s+and\s+|\s/\s(?=\D)")
_TRAILING_BRACKET = re.compile(r"^(.{1,60}?)\s*[(\[]([^()\[\]]{1,40})[)\]]$")
# Words that the unit grammar knows as units but which are words of a sentence where they stand alone.
_WORDS_NOT_UNITS = frozenset(
    (
        "a an as at are in is it to point points bar second minute hand hands mole line lines foot pole rod chain "
        "link links cup cups barn light grade mark pound pounds count counts turn turns cycle cycles degree part "
        "parts item items particle particles case stone dot u p c e year day hour b d"
    ).split()
)


def unit_of_text(text: str, *, kinds: Sequence[QuantityKind] = ()) -> Unit | None:
    """The unit that a cell or a parenthesis states; None where there is none or it stays ambiguous.

    `kinds` are what the quantity can be, likeliest first: they choose between readings (`C` for a temperature).
    """
    if len(text) > MAXIMUM_LENGTH or _POSSESSIVE.search(text):
        return None
    dimensions = tuple(dict.fromkeys(kind.dimension for kind in kinds))
    is_difference = bool(kinds) and kinds[0].is_difference
    return _unit_of_text(text, dimensions, is_difference)


@lru_cache(maxsize=4096)
def _unit_of_text(text: str, dimensions: tuple[Dimension, ...], is_difference: bool) -> Unit | None:
    if text.strip() in ("$", "US$", "\\$"):
        return read_unit("USD")
    cleaned = _stripped(text)
    if not cleaned and not text.strip(" -–—−()[]"):
        return NO_UNIT if text.strip() else None
    if cleaned.casefold() in _NONE:
        return NO_UNIT
    found: list[Unit] = []
    for candidate in _candidates(cleaned):
        unit = _read(candidate, dimensions, is_difference)
        if unit is not None:
            found.append(unit)
    fitting = [unit for unit in found if unit.dimension in dimensions]
    return fitting[0] if fitting else found[0] if found else None


def reads_as_unit(text: str) -> bool:
    """Whether a text in a sentence ("in m/s", "(kg)") names a unit; everyday words that happen to be units do not."""
    if not text or len(text) > MAXIMUM_LENGTH or _POSSESSIVE.search(text):
        return False
    return _reads_as_unit(text)


@lru_cache(maxsize=8192)
def _reads_as_unit(text: str) -> bool:
    cleaned = _stripped(text)
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


_ALLOWED_AFTER_IN = frozenset(("bar", "year", "points", "turns", "cycles", "hours", "pounds", "counts"))


def _stripped(text: str) -> str:
    text = _LATEX_BREAK.sub("\n", text).replace("\u200b", "").strip().strip("$").strip()
    for _ in range(3):
        text = text.strip(" \t\n.,;:")
        lead = _LEAD.match(text)
        if lead and lead.end() < len(text):
            text = text[lead.end() :].strip()
        if text[:1] in _OPENING and text.endswith(_OPENING[text[0]]) and not _is_split(text):
            text = text[1:-1]
        else:
            break
    return text.strip()


def _is_split(text: str) -> bool:
    """Whether the bracket that opens the text closes before its end: `(kg)(m)`."""
    level = 0
    for place, character in enumerate(text):
        level += (character == text[0]) - (character == _OPENING[text[0]])
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
    if not text or len(text) > MAXIMUM_LENGTH:
        return ()
    try:
        return unit_readings(text, rare=False)
    except (UnitError, RecursionError):
        return ()


def _read(text: str, dimensions: tuple[Dimension, ...], is_difference: bool) -> Unit | None:
    if not text:
        return None
    try:
        unit = read_unit(text, prefer=dimensions)
    except AmbiguousUnitError:
        return None
    except (UnitError, RecursionError):
        return None
    return read_unit(text, prefer=(unit.dimension,), difference=True) if is_difference else unit
