"""Questions to begin with, made from the formulas of a library: the same library always gives the same ones.

Whether each is really answered is for whoever shows them to find out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mathrag.knowledge.kinds import all_kinds
from mathrag.language.enumeration import listed
from mathrag.library.opened import OpenLibrary
from mathrag.types.library import Formula, SymbolMeaning

# Whoever shows them tries each; a few from every document are enough to find some that are answered.
_PER_DOCUMENT = 4
_NUMBERS = ("2", "3", "5", "4")
_PARTS = ("0.2", "0.3", "0.5", "0.4")
# In these units small numbers are met nowhere.
_EVERYDAY = {"K": ("300", "350", "320", "280"), "Pa": ("200000", "300000", "500000", "400000")}
# What a plain number is called that never exceeds one.
_SHARES = ("fraction", "efficiency", "probability", "share", "portion")
_PHRASE = re.compile(r"[a-z][a-z' -]{2,40}")
# "the current in A": the unit is said anyway.
_IN_UNIT = re.compile(r"\s+\(?in\s+\S{1,12}\)?$")


def candidate_questions(library: OpenLibrary, *, most: int = 12) -> list[str]:
    """Questions that formulas of the library should answer, taking the documents in turn."""
    with library.database.reading() as connection:
        rows = connection.execute(
            "SELECT document, formula FROM (SELECT l.document AS document, f.id AS formula, row_number() OVER "
            "(PARTITION BY l.document ORDER BY min(l.position), f.id) AS turn "
            "FROM formulas f JOIN formula_findings l ON l.formula = f.id "
            "WHERE f.status = 'executable' AND f.target IS NOT NULL AND f.label <> '' AND f.target_unit <> '' AND "
            "(SELECT count(*) FROM formula_symbols s WHERE s.formula = f.id) BETWEEN 2 AND 4 AND NOT EXISTS "
            "(SELECT 1 FROM formula_symbols s WHERE s.formula = f.id AND (s.unit IS NULL OR s.description = '' "
            "OR s.description LIKE '%$%' OR s.description LIKE '%<%' OR length(s.description) > 40)) "
            "GROUP BY l.document, f.id) WHERE turn <= ? ORDER BY turn, document LIMIT ?",
            (_PER_DOCUMENT, most),
        ).fetchall()
    found = dict.fromkeys(question_of(library.formula(str(formula))) for _, formula in rows)
    return [question for question in found if question]


def question_of(formula: Formula) -> str:
    """A question that gives every value but the one that stands alone on the left; empty where none can be made."""
    asked = next((symbol for symbol in formula.symbols if symbol.name == formula.target), None)
    named = [_words(symbol) for symbol in formula.symbols]
    # Two values of one name could not be told apart, and what is no plain phrase reads badly.
    if asked is None or len(set(named)) < len(named) or not all(map(_PHRASE.fullmatch, named)):
        return ""
    values = list(_values(formula))
    return f"What is {_with_article(_words(asked))} if {listed(values)}?" if values else ""


def _values(formula: Formula) -> Iterator[str]:
    """The values that a document's own worked example has, where there is one that holds; else small numbers."""
    example = next((dict(one.values) for one in formula.instances if one.verdict == "agrees"), {})
    others = [symbol for symbol in formula.symbols if symbol.name != formula.target and symbol.role == "variable"]
    for place, symbol in enumerate(others[: len(_NUMBERS)]):
        given = example.get(symbol.name) or f"{_sensible(symbol, place)} {_unit(symbol)}"
        yield f"{_with_article(_words(symbol))} is {given.strip()}"


def _sensible(symbol: SymbolMeaning, place: int) -> str:
    """A number that a reader may believe: of a share a part, of a temperature or a pressure one that is met."""
    kind = next((one for one in all_kinds() if one.id == symbol.kind), None)
    is_share = symbol.unit == "" and any(word in symbol.description for word in _SHARES)
    if is_share or (kind is not None and kind.maximum <= 1):
        return _PARTS[place]
    return _EVERYDAY.get(symbol.unit or "", _NUMBERS)[place]


def _words(symbol: SymbolMeaning) -> str:
    return _IN_UNIT.sub("", symbol.description.strip())


def _unit(symbol: SymbolMeaning) -> str:
    """As people write it; the units that occur most are raised to 2 or 3."""
    return (symbol.unit or "").replace("*", "·").replace("^2", "²").replace("^3", "³")


def _with_article(words: str) -> str:
    return words if words.lower().startswith(("the ", "a ", "an ")) else f"the {words}"
