"""Words to find a formula by, and a sentence that says what it is for."""

from __future__ import annotations

from collections.abc import Sequence

from mathrag.extract.meanings import kind_or_none
from mathrag.extract.phrases import content_words
from mathrag.types.expression import Equation
from mathrag.types.library import SymbolMeaning

_MOST = 40


def find_keywords(label: str, headings: Sequence[str], symbols: Sequence[SymbolMeaning]) -> tuple[str, ...]:
    """Words of the label, of the symbols with their kinds and synonyms, and of the headings; each once."""
    found: dict[str, None] = dict.fromkeys(content_words(label))
    for symbol in symbols:
        found |= dict.fromkeys(content_words(symbol.description))
    for symbol in symbols:
        kind = kind_or_none(symbol.kind)
        if kind is not None:
            found |= dict.fromkeys((kind.name, *kind.synonyms[:3]))
    for title in headings[-2:]:
        found |= dict.fromkeys(content_words(title))
    return tuple(found)[:_MOST]


def intent_of(equation: Equation, symbols: Sequence[SymbolMeaning]) -> str:
    """What the formula is for, in one sentence; empty where too little is known of its symbols."""
    described = {symbol.name: symbol.description or symbol.name for symbol in symbols}
    target = equation.target
    inputs = [described[symbol.name] for symbol in symbols if symbol.name != target and symbol.role == "variable"]
    if target is None or not inputs:
        return f"Relate {_listed(inputs)}" if len(inputs) > 1 else ""
    return f"Compute {described[target]} from {_listed(inputs)}"


def _listed(items: Sequence[str]) -> str:
    unique = list(dict.fromkeys(items))
    return unique[0] if len(unique) == 1 else f"{', '.join(unique[:-1])} and {unique[-1]}"
