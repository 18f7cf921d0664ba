"""Name a formula from what stands around it: its cell, a bold lead, a caption, a heading, the sentence before.

The first that really names something wins; titles such as "Formulas" name nothing. What remains of the words becomes
the description.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from mathrag.extract.meanings import kind_or_none
from mathrag.extract.occurrences import Occurrence, Row, bold_lead
from mathrag.extract.phrases import (
    clean_title,
    content_words,
    first_clause,
    is_useless,
    last_sentence,
    name_from_sentence,
    tidy,
    words_of,
)
from mathrag.knowledge.spelling import normal_words
from mathrag.language.quantity_names import kinds_mentioned
from mathrag.language.word_classes import any_of, word_class
from mathrag.types.document import Break, Cell, Content, Math, Paragraph, Text
from mathrag.types.expression import Equation
from mathrag.types.library import SymbolMeaning

_DESCRIBING = word_class("headings.describing_columns")
_GENERIC_COLUMNS = word_class("headings.generic_columns")
_LAW = re.compile(rf"\b(?:{any_of('sentences.laws')})\b|'s\b")
_EXAMPLE = re.compile(rf"(?:{any_of('sentences.examples')})\b", re.I)
_SENTENCE = re.compile(rf"\b(?:{any_of('sentences.verbs_of_a_cell')})\b")
_LONGEST_LABEL = 120
_CELL_SENTENCE = 60


@dataclass(frozen=True, slots=True)
class Label:
    """A name with where it comes from, and the words that are left to describe the formula."""

    text: str
    origin: str
    description: str = ""


def name_formula(occurrence: Occurrence, remark: str = "", *, formulas_in_section: int = 1) -> Label:
    """The best name for a formula. `remark` is what stands beside it in words, such as "(Ohm's law)"."""
    if occurrence.row is not None:
        found = _from_row(occurrence.row, occurrence)
        if found is not None:
            return found
    if remark and not is_useless(remark) and "=" not in remark:
        return Label(clean_title(remark.strip("()[] ")), "remark", _sentence_before(occurrence))
    bold = _bold(occurrence)
    if bold:
        return Label(bold, "bold", _sentence_before(occurrence))
    if occurrence.row is not None and occurrence.row.table.caption:
        caption = clean_title(words_of(occurrence.row.table.caption))
        if not is_useless(caption):
            return Label(_cut(caption), "caption")
    heading = _heading(occurrence)
    sentence = name_from_sentence(_text_before(occurrence))
    if sentence and not is_useless(sentence) and (formulas_in_section > 1 or not heading) and _says_something(sentence):
        return Label(_cut(sentence), "sentence", _sentence_before(occurrence))
    if heading:
        return Label(_cut(heading), "heading", _sentence_before(occurrence))
    return Label("", "", _sentence_before(occurrence))


def _says_something(phrase: str) -> bool:
    """A phrase before a formula names it when it speaks of a quantity or of a law."""
    return bool(kinds_mentioned(phrase)) or _LAW.search(phrase) is not None


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_LABEL else text[:_LONGEST_LABEL].rsplit(" ", 1)[0] + "…"


def _from_row(row: Row, occurrence: Occurrence) -> Label | None:
    cell = _describing_cell(row)
    if cell is None:
        return None
    own = row.titles[row.column] if row.column < len(row.titles) else ""
    content = cell.content
    bold = bold_lead(content)
    text = words_of(content)
    rest = tidy(text[len(bold) :]) if bold and text.startswith(tidy(bold)) else ""
    if bold and not is_useless(bold):
        label, description = clean_title(bold), rest
    elif len(text) > _CELL_SENTENCE and _is_sentence(text):
        label, description = first_clause(text), text
    else:
        lines = _lines(content)
        label, description = clean_title(lines[0]), "; ".join(lines[1:])
    origin = "cell"
    if is_useless(label):
        heading = _heading(occurrence)
        label, origin = (heading, "heading") if heading else (label, "cell")
    if _names_a_quantity(own):
        label, origin = f"{label}: {own.lower()}", "cell"
    others = _qualifiers(row, cell)
    return Label(_cut(label), origin, "; ".join(part for part in (description, *others) if part)) if label else None


def _names_a_quantity(title: str) -> bool:
    """Whether a column's own title says what its formulas give ("Electric field magnitude")."""
    return normal_words(title) not in _GENERIC_COLUMNS and bool(kinds_mentioned(title)) and "$" not in title


def _is_sentence(text: str) -> bool:
    return _SENTENCE.search(text) is not None


def _lines(content: Content) -> list[str]:
    lines: list[list[Text | Math]] = [[]]
    for piece in content:
        if isinstance(piece, Break):
            lines.append([])
        else:
            lines[-1].append(piece)
    found = [words_of(tuple(line)) for line in lines]
    return [line for line in found if line] or [""]


def _describing_cell(row: Row) -> Cell | None:
    """The cell that names what the row is about: by its column's title, else the first with words and no equation."""
    column = 0
    candidates: list[tuple[int, int, Cell]] = []
    for cell in row.cells:
        if column != row.column and _has_words(cell):
            title = normal_words(row.titles[column]) if column < len(row.titles) else ""
            described = any(word in _DESCRIBING for word in title.split())
            candidates.append((0 if described else 1, column, cell))
        column += cell.columns
    if candidates:
        return min(candidates, key=lambda candidate: candidate[:2])[2]
    return _cell_above(row)


def _cell_above(row: Row) -> Cell | None:
    """An empty first cell continues the one above it."""
    if row.column == 0:
        return None
    for index in range(row.index - 1, -1, -1):
        above = row.table.rows[index]
        if above and _has_words(above[0]):
            return above[0]
    return None


def _has_words(cell: Cell) -> bool:
    words = "".join(piece.text for piece in cell.content if isinstance(piece, Text))
    has_equation = any(isinstance(piece, Math) and "=" in piece.source for piece in cell.content)
    return len(re.findall(r"[^\W\d_]", words)) >= 3 and not (has_equation and len(words) < 20)


def _qualifiers(row: Row, described: Cell) -> list[str]:
    """What the other cells of the row add: "Inside sphere, r<R"."""
    found = []
    column = 0
    for cell in row.cells:
        title = normal_words(row.titles[column]) if column < len(row.titles) else ""
        if cell is not described and column != row.column and "unit" not in title.split() and _has_words(cell):
            found.append(words_of(cell.content))
        column += cell.columns
    return found


def _bold(occurrence: Occurrence) -> str:
    """Bold words that open the formula's own content, its list item, or the prose that introduces it."""
    contents: list[Content] = [occurrence.before]
    if occurrence.item is not None and occurrence.item.term:
        contents.append(occurrence.item.term)
    if not occurrence.before and not occurrence.after:
        # A formula on its own line belongs to the paragraph before it; one inside a paragraph has words of its own.
        contents.extend(block.content for block in occurrence.lead[:1] if isinstance(block, Paragraph))
    leads = [bold_lead(content) for content in contents]
    if occurrence.math.is_display and not occurrence.before:
        leads.extend(_run_in(block.content) for block in occurrence.lead[:1] if isinstance(block, Paragraph))
    for lead in leads:
        bold = clean_title(lead)
        if bold and not is_useless(bold) and len(bold) <= _LONGEST_LABEL:
            return bold
    if occurrence.item is not None and occurrence.item.term:
        term = clean_title(words_of(occurrence.item.term))
        return "" if is_useless(term) else term
    return ""


def _run_in(content: Content) -> str:
    """The last title in bold that opens a sentence of a paragraph: a page may show no gap before such a title."""
    ends = [index for index, piece in enumerate(content) if isinstance(piece, Text) and piece.bold]
    if not ends:
        return ""
    start = ends[-1]
    while start and isinstance(before := content[start - 1], Text) and before.bold:
        start -= 1
    title = bold_lead(content[start:])
    before_title = content[start - 1] if start else None
    opens = before_title is None or (isinstance(before_title, Text) and before_title.text.rstrip().endswith((".", ":")))
    return title if opens and title.endswith((".", ":")) and not _EXAMPLE.match(title) else ""


def _heading(occurrence: Occurrence) -> str:
    for title in reversed(occurrence.headings):
        cleaned = clean_title(title)
        if not is_useless(cleaned):
            return cleaned
    return ""


def _text_before(occurrence: Occurrence) -> str:
    own = words_of(occurrence.before)
    if len(own) > 8:
        return own
    for block in occurrence.lead:
        if isinstance(block, Paragraph):
            return tidy(f"{words_of(block.content)} {own}")
    return own


def _sentence_before(occurrence: Occurrence) -> str:
    sentence = last_sentence(_text_before(occurrence))
    return sentence.rstrip(" :,") if len(sentence) <= 400 else ""


# Words to find a formula by, and a sentence that says what it is for.

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
