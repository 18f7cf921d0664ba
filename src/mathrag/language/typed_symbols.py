"""Symbols as people type them: whether a word looks like one, its name as an identifier, the one before a number."""

from __future__ import annotations

import re
from collections.abc import Collection

from mathrag.errors import UnitError
from mathrag.knowledge.kinds import kinds_for_symbol
from mathrag.knowledge.units import unit_readings
from mathrag.language.tokens import HALF_LIFE
from mathrag.language.word_classes import any_of, word_class
from mathrag.types.symbol_names import GREEK, GREEK_NAMES, safe_identifier

_SUBSCRIPT_WORDS = any_of("names.subscripts")
_SUBSCRIPTED = re.compile(
    rf"[^\W\d_](?:-(?:{_SUBSCRIPT_WORDS}))|"
    r"[^\W\d_]{1,6}_\w{1,12}['’′]?|[^\W\d_]{1,3}(?:°\w{0,8}|['′])|[^\W\d_][0-9₀-₉]{1,2}|[Δ∆][^\W\d_]\w{0,4}°?|p[HK][a-z]?|pOH"
)
_LONE_LETTER = re.compile(r"[^\W\d_]")
_CAPITALS = re.compile(r"[A-Z]{2,4}")
_ROMAN = frozenset({"I", "II", "III", "IV", "AC", "DC", "US", "UK", "USD", "SI", "TV", "CO", "OK"})


def looks_like_symbol(written: str, *, alone: bool) -> bool:
    """Whether it can only be a symbol; a bare letter or word counts only where nothing else is asked (`alone`)."""
    if _SUBSCRIPTED.fullmatch(written) or HALF_LIFE.fullmatch(written) or (written[:1] == "[" and "]" in written):
        return written not in _ROMAN
    if written in GREEK_NAMES or (len(written) == 1 and written in GREEK):
        return True
    if not alone:
        return False
    if _LONE_LETTER.fullmatch(written):
        return written not in ("a", "I", "i", "s")
    if _CAPITALS.fullmatch(written) and written not in _ROMAN:
        return True
    return len(written) <= 3 and bool(kinds_for_symbol(written, exact=True))


# The symbol that a number is assigned to: `v0 = 3 m/s`, `T_1 = 300 K`, `pH of 3`. Finds the name before the number.

_LETTER = r"[^\W\d_]"
_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉ₐₑᵢⱼₖₘₙₒₚᵣₛₜᵤᵥₓ", "0123456789aeijkmnoprstuvx")
# One symbol before a relation: optional Delta, a name, subscripts, marks; or a concentration in brackets.
_NAME = re.compile(
    rf"(?:{HALF_LIFE.pattern}|(?:\\?Delta\s?|Δ\s?|∆\s?|\\?delta\s)?(?:\\[A-Za-z]+|" + _LETTER + r"[\w]*)"
    rf"(?:_\{{[^{{}}=\s]{{1,24}}\}}|_\w+(?:,(?:{_SUBSCRIPT_WORDS})\b)?|(?<=\b\w)[- ](?:{_SUBSCRIPT_WORDS})\b)?"
    r"(?:['′’]|\^\{?\\?(?:circ|\*|o)\}?|\^\{?2\}?|°\w*|\*)?"
    r"|\[[^\[\]=\s]{1,16}\](?:_?\w{1,6})?)$"
)
_RELATION = re.compile(r"\s*(?:=|≈|≃|:=|:|\\approx|equals|is|of)\s*\$?\s*$")
_WINDOW = 60
# What a symbol is divided by: `N/N0 = 0.3` states the quotient and no value of N0.
_ABOVE = re.compile(r"(?<![\w/·*^])(?P<name>[^\W\d_]\w{0,5})\s?/\s?$")
# Before `is` and `of` only these look like symbols; any word can stand before them.
_SPELLED = re.compile(r"^(?:[A-Zb-z]|" + _LETTER + r"[0-9₀-₉]{1,2}|\w+_\w+|p[HK]\w?|pOH|[^\x00-\x7f]\w{0,3})$")
_ARTICLE_LIKE = frozenset({"a", "A", "I"})
_VOWELS = frozenset("aeiouy")


def symbol_before(text: str, place: int, known: Collection[str] = ()) -> tuple[str, int] | None:
    """The symbol assigned to the number at `place`: as written, and where it starts."""
    window_start = max(0, place - _WINDOW)
    window = text[window_start:place]
    relation = _RELATION.search(window)
    if relation is None:
        bare = _NAME.search(window.rstrip())
        if bare is None:
            return None
        written = bare.group().strip()
        allowed = written in known or written in ("pH", "pOH", "pKa", "pKb")
        return (written, window_start + bare.start()) if allowed else None
    match = _NAME.search(window, 0, relation.start())
    if match is None:
        return None
    above = _ABOVE.search(window, 0, match.start())
    if above is not None and relation.group().strip(" $") in ("=", "≈", "≃", ":="):
        whole = f"{above['name']}/{match.group()}"
        is_known = above["name"] in known and match.group() in known
        return (whole, window_start + above.start()) if is_known or not _is_unit(whole) else None
    written = match.group()
    mark = relation.group().strip(" $")
    worded = mark in ("is", "of", "equals", ":")
    if worded and not (_SPELLED.match(written) or written in known or written in GREEK_NAMES):
        return None
    if worded and written in _ARTICLE_LIKE and written not in known:
        return None
    return written, window_start + match.start()


# Words that a symbol may look like when it is typed without its division: `t_o` is no "to".
_WORDS = frozenset[str]().union(*map(word_class, ("questions.stop_words", "numbers.never_units", "numbers.not_nouns")))
_TYPED = re.compile(r"[A-Za-z]{1,6}[0-9]{0,2}")
_LONGEST_TYPED = 4


def typed_symbol(name: str) -> str | None:
    """How people type the symbol of a formula on one line: `T_s` as `Ts`, `H_0` as `H0`, `Re`; None where that could
    be a word as well, or where only an equals sign tells that a letter is a symbol."""
    written = name.replace("_", "")
    if not _TYPED.fullmatch(written) or len(written) > _LONGEST_TYPED:
        return None
    if written.casefold() in _WORDS and (written.islower() or not kinds_for_symbol(written, exact=True)):
        return None
    is_letter = len(written) == 1
    # A small word that nobody divided is a word: "age", "mass"; without a vowel it is none: "grt".
    is_word = "_" not in name and written.islower() and not _VOWELS.isdisjoint(written)
    return None if (is_letter and (written.islower() or written in _ARTICLE_LIKE)) or is_word else written


def _is_unit(written: str) -> bool:
    """Whether a quotient is one of units that are written with more than a letter, or of metres a second."""
    try:
        return bool(unit_readings(written, rare=False)) and (len(written) > len("m/s") or written == "m/s")
    except UnitError:
        return False


# How a symbol is called of which the square is given: `R² = 0.8`.
SQUARED = "squared"
_SQUARE = re.compile(r"(?<=\w)(?:²|\^\{?2\}?)$")
_HYPHENED = re.compile(rf"^([^\W\d_])[- ]({_SUBSCRIPT_WORDS})$")


def symbol_identifier(written: str) -> str:
    """The name of a symbol as an identifier: `v₀` and `v0` are `v_0`, `ΔT` is `Delta_T`, `[H+]` is `conc_H_plus`."""
    text = written.strip().replace("\\", "")
    if "/" in text:
        above, _, below = text.partition("/")
        return quotient_name(symbol_identifier(above), symbol_identifier(below))
    if HALF_LIFE.fullmatch(text):
        return f"{'tau' if text[0] == 'τ' else text[0]}_1_2"
    concentration = re.match(r"^\[([^\[\]]+)\](.*)$", text)
    if concentration:
        inner = concentration.group(1).replace("+", "_plus").replace("-", "_minus")
        tail = concentration.group(2).strip("_")
        return safe_identifier(f"conc_{inner}" + (f"_{tail}" if tail else ""))
    text = text.translate(_SUBSCRIPTS) if not any(sub in text for sub in "₀₁₂₃₄₅₆₇₈₉") else _spelled_subscript(text)
    primes = len(re.findall("['′’]", text))
    circ = bool(re.search(r"°|\^\{?(?:circ|o)\}?", text))
    star = "*" in text
    is_square = _SQUARE.search(text) is not None
    text = _HYPHENED.sub(r"\1_\2", _SQUARE.sub("", text))
    text = re.sub(r"\^\{?(?:circ|o|\*)\}?|['′’*]", "", text).replace("°", "_" if re.search(r"°\w", text) else "")
    text = re.sub(r"[{},\s]+", "_", text).strip("_")
    letters = zip(" " + text, text, text[1:] + " ", strict=False)
    text = "".join(_greek(before, letter, following) for before, letter, following in letters)
    text = re.sub(r"^(Delta|delta)_?(?=[A-Za-z])", "Delta_", text)
    text = re.sub(r"^((?:Delta_)?(?:[A-Za-z]|" + "|".join(sorted(GREEK_NAMES)) + r"))([0-9]+)$", r"\1_\2", text)
    text = re.sub(r"__+", "_", text).strip("_")
    text += ("_circ" if circ else "") + ("_star" if star else "") + ("", "_prime", "_dprime", "_tprime")[min(primes, 3)]
    return safe_identifier(f"{text}_{SQUARED}" if is_square else text)


def quotient_name(above: str, below: str) -> str:
    """The name of a quotient of two symbols as one symbol, however they are divided: `N/N_0`."""
    return f"{above}Over{below}".replace("_", "")


def _spelled_subscript(text: str) -> str:
    """Unicode subscripts become `_` and plain characters."""
    return re.sub(r"[₀-₉ₐₑᵢⱼₖₘₙₒₚᵣₛₜᵤᵥₓ]+", lambda run: "_" + run.group().translate(_SUBSCRIPTS), text)


def _greek(before: str, letter: str, following: str) -> str:
    if letter not in GREEK:
        return letter
    own = GREEK[letter] + ("_" if following.isalnum() and following.isascii() else "")
    # The letter behind another is its subscript: `aβ`.
    return f"_{own}" if before.isalpha() and before not in "Δ∆" else own
