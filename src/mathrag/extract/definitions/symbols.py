"""Which symbol a piece of mathematics or a short word is: its name, as the formula readers give it, and its LaTeX.

Reads lone symbols and lists of them; what a whole formula means is the business of others.
"""

from __future__ import annotations

import re
from functools import lru_cache

from mathrag.compute.mathml import read_mathml
from mathrag.compute.printers.latex import symbol_latex
from mathrag.compute.pythontext import read_python_text
from mathrag.extract.formula_reader import latex_reading
from mathrag.language.tokens import SymbolSeen, Token
from mathrag.language.word_classes import word_class
from mathrag.types.document import Math, Notation
from mathrag.types.expression import Declined, Measure, Reading, Symbol

_LONGEST_SYMBOL = 90
_LONGEST_FORMULA = 16_000
_MOST_SYMBOLS = 8
_LONGEST_ACRONYM = 6
_TAGS = re.compile(r"<[^<>]{0,300}>")
_ANNOTATION = re.compile(r"<annotation(?:-xml)?\b.*?</annotation(?:-xml)?>", re.DOTALL)
_APPLIED = re.compile(r"^(.{1,40}?)\s*(?:\\left)?\(\s*[A-Za-z\\][^()=]{0,30}\)$")
_SEPARATOR = re.compile(r",|;|\\quad|\\qquad|\\text\{\s*(?:and|or)\s*\}|\\textrm\{\s*(?:and|or)\s*\}")
_RELATIONS = re.compile(r"[=<>≈∝×+]|&(?:lt|gt|#)")
_VALUE = re.compile(r"(?:=|≈|\\approx|\\simeq|</mo>)\s*(?:<m[a-z]+[^<>]*>)?\s*(?:\\SI|\\qty)?\s*\{?[-−]?\s*\d")
_BEGINNING = re.compile(
    r"^\s*\\begin\{(?:aligned?\*?|split|gathered|array)\}(?:\{[lcr|]*\})?|\\(?:displaystyle|textstyle|boxed)\b"
)
_SPELLED = re.compile(r"(?:\\(?:mathrm|mathit|text|operatorname)\{)?(?P<letters>[A-Z][A-Za-z]{1,5})\}?")
_ELLIPSIS = re.compile(r"\\(?:l|c)?dots[bcmio]?|…|\.\.\.")
# One letter or a Greek one, with an optional Delta before, scripts, digits and marks behind: v₀, PE_g, Δx, x1, T'.
_WORD = re.compile(
    r"[Δ∆δ∑Σ]?(?:[A-Za-z]|[Α-Ωα-ωϑϕϵµħℏℓ])(?:[₀-₉₊₋ₐ-ₜᵢᵣᵤᵥ]{1,6}|_\{?[A-Za-z0-9,]{1,12}\}?|[0-9]{1,2})?['′*]?"
)
# Alone in a formula: three capitals or more, or two with a number below, are one name and no product.
_ABBREVIATION = re.compile(r"([A-Z]{3,6}|[A-Z]{2}(?=_\{?[0-9]{2}))(?:_\{?\w{1,12}\}?)?")
_ACRONYM = re.compile(r"[A-Z]{2,6}(?:[₀-₉ₐ-ₜ]{1,3}|_\{?[A-Za-z0-9]{1,10}\}?|[0-9])?")
_MIXED = re.compile(
    r"(?:pH|pOH|pK[a-z]?|Re|Nu|Pr|Sc|Sh|Bi|Fo|Gr|Ra|Pe|We|Fr|Eu|Ma|Kn|Le|St|Ca|Da|Wi)(?:_[A-Za-z0-9]{1,8})?"
)
_SUBSCRIPTED = re.compile(r"[A-Za-zΑ-Ωα-ω]{1,3}_\{?[A-Za-z0-9,]{1,12}\}?")
# Words that look like a symbol but are everyday words or abbreviations.
_NOT_SYMBOLS = word_class("definitions.not_symbols")


def symbols_of(math: Math) -> tuple[SymbolSeen, ...]:
    """The symbols of a formula that is nothing but a symbol, or a list of symbols; else none."""
    return _symbols_of(math.source, math.notation)


def spelled_name(math: Math | None) -> SymbolSeen | None:
    """The name of several letters that a formula like `RH` can be; a product, where no words speak for the name."""
    if math is None or math.notation != "latex":
        return None
    found = _SPELLED.fullmatch(math.source.strip().strip("$").strip())
    return any_symbol(found["letters"]) if found else None


def spells(letters: str, words: str) -> bool:
    """Whether letters are taken from words in their order, the first from the first, or stand among them: CL from
    clearance, QT from a measured QT interval."""
    if letters in words.split():
        return True
    rest = iter(words.casefold().replace(" ", ""))
    return letters[:1].casefold() == words[:1].casefold() and all(one in rest for one in letters.casefold())


def target_of(math: Math) -> SymbolSeen | None:
    """The symbol that an equation is written for: alone on the left."""
    return _target_of(math.source, math.notation)


def value_unit_of(math: Math | None) -> str | None:
    """The unit of the value that an equation gives its symbol: `g = 9.8\\ \\mathrm{m/s^2}`."""
    if math is None or not _VALUE.search(math.source):
        return None
    return _value_unit_of(math.source, math.notation)


@lru_cache(maxsize=1024)
def _value_unit_of(source: str, notation: Notation) -> str | None:
    if len(source) > _LONGEST_FORMULA:
        return None
    reading = _read(source, notation)
    if not isinstance(reading, Reading):
        return None
    units = [equation.right.unit for equation in reading.equations if isinstance(equation.right, Measure)]
    return units[0] if len(units) == 1 else None


@lru_cache(maxsize=8192)
def _symbols_of(source: str, notation: Notation) -> tuple[SymbolSeen, ...]:
    if _visible_length(source, notation) > _LONGEST_SYMBOL:
        return ()
    if notation == "latex":
        return _symbols_of_latex(source.strip().strip("$").strip())
    found = _lone_symbol(_read(source, notation), "")
    return (found,) if found else ()


def _visible_length(source: str, notation: Notation) -> int:
    if notation != "mathml":
        return len(source)
    if len(source) > 4_000 or "<mfrac" in source or "<mtable" in source:
        return _LONGEST_SYMBOL + 1
    visible = "".join(_TAGS.sub("", _ANNOTATION.sub("", source)).split())
    return _LONGEST_SYMBOL + 1 if _RELATIONS.search(visible) else 3 * len(visible)


def _symbols_of_latex(source: str) -> tuple[SymbolSeen, ...]:
    source = re.sub(r"^[,;.\s]+|(?<!\\)[,;.\s]+$", "", source)
    if not source or "=" in source:
        return ()
    if source == "e":
        # Alone in a sentence the letter is a symbol; the base of logarithms is never explained with a unit.
        return (SymbolSeen("e", "e"),)
    found = _one_of_latex(source)
    if found:
        return (found,)
    parts = [part.strip() for part in _SEPARATOR.split(source)]
    parts = [part for part in parts if part and not _ELLIPSIS.fullmatch(part)]
    if not 2 <= len(parts) <= _MOST_SYMBOLS:
        return ()
    symbols = [_one_of_latex(part) for part in parts]
    return tuple(symbol for symbol in symbols if symbol is not None) if all(symbols) else ()


def _one_of_latex(source: str) -> SymbolSeen | None:
    if source.startswith("{") and source.endswith("}") and "}" not in source[:-1]:
        source = source[1:-1]
    abbreviation = _ABBREVIATION.fullmatch(source)
    found = _lone_symbol(latex_reading(source, (abbreviation.group(1),) if abbreviation else ()), source)
    if found is None and (applied := _APPLIED.match(source)):
        found = _lone_symbol(latex_reading(applied.group(1)), applied.group(1))
    return found


def _lone_symbol(reading: Reading | Declined, source: str) -> SymbolSeen | None:
    if not isinstance(reading, Reading) or reading.equations or not isinstance(reading.expression, Symbol):
        return None
    return SymbolSeen(reading.expression.name, source or symbol_latex(reading.expression.name))


def _read(source: str, notation: Notation) -> Reading | Declined:
    match notation:
        case "latex":
            return latex_reading(source)
        case "mathml":
            return read_mathml(source)
        case "text":
            return read_python_text(source)


@lru_cache(maxsize=4096)
def _target_of(source: str, notation: Notation) -> SymbolSeen | None:
    if notation == "latex":
        return _left_of_latex(source)
    if len(source) > _LONGEST_FORMULA:
        return None
    reading = _read(source, notation)
    if not isinstance(reading, Reading) or not reading.equations:
        return None
    left = reading.equations[0].left
    return SymbolSeen(left.name, symbol_latex(left.name)) if isinstance(left, Symbol) else None


def _left_of_latex(source: str) -> SymbolSeen | None:
    """The left-hand side alone: a formula may be unreadable and still be written for a symbol."""
    left, equals, _ = source.strip().strip("$").partition("=")
    left = _BEGINNING.sub("", left).replace("&", "").strip()
    if not equals or not left or len(left) > _LONGEST_SYMBOL or left.endswith(("\\", "<", ">", "!", ":", "\\not")):
        return None
    return _one_of_latex(left)


@lru_cache(maxsize=8192)
def symbol_of_word(text: str) -> SymbolSeen | None:
    """The symbol that a word without any mark-up can be by its looks: `m`, `v₀`, `PE_g`, `NPV`, `Re`."""
    if not text or len(text) > 20 or text in _NOT_SYMBOLS:
        return None
    if not (
        _WORD.fullmatch(text) or _ACRONYM.fullmatch(text) or _MIXED.fullmatch(text) or _SUBSCRIPTED.fullmatch(text)
    ):
        return None
    return any_symbol(text)


def plain_symbol(token: Token) -> SymbolSeen | None:
    """The symbol that a short word could be."""
    return symbol_of_word(token.text) if token.kind == "word" else None


def styled_symbol(token: Token) -> SymbolSeen | None:
    """The symbol that an italic or bold short word is."""
    return plain_symbol(token) if token.is_italic or token.is_bold else None


def any_symbol(text: str) -> SymbolSeen | None:
    """The symbol that a text is, if it can be one at all: for places that hold nothing but symbols."""
    text = text.strip()
    if not text or len(text) > 40:
        return None
    if "\\" in text or "{" in text:
        return next(iter(_symbols_of(text, "latex")), None)
    found = _lone_symbol(read_python_text(text.replace("′", "'")), "")
    if found is None and len(text) <= 12:
        found = next(iter(_symbols_of(text, "latex")), None)
    return found


def is_acronym(text: str) -> bool:
    """Whether a word is a symbol of several capitals."""
    return len(text) <= _LONGEST_ACRONYM and _ACRONYM.fullmatch(text) is not None
