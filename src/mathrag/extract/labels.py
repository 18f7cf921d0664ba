"""Name a formula from what stands around it: its cell, a bold lead, a caption, a heading, the sentences around it.

The first that really names something wins; titles such as "Formulas" name nothing. A heading names a topic, and so does
what introduces several formulas: what the formula gives stands before it. What remains of the words becomes the
description.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mathrag.extract.meanings import kind_or_none
from mathrag.extract.occurrences import Occurrence, Row, bold_lead
from mathrag.extract.phrases import (
    clean_title,
    content_words,
    is_useless,
    last_sentence,
    plain_latex,
    presentable,
    tidy,
    without_citations,
    words_of,
)
from mathrag.extract.sentence_names import (
    beside_symbol,
    first_clause,
    is_name,
    marked,
    name_after,
    name_before,
    names_rule,
    only_joins,
    same_symbol,
    unmarked,
)
from mathrag.knowledge.kinds import broader_kinds, kinds_for_symbol, kinds_for_words
from mathrag.knowledge.spelling import normal_words
from mathrag.language.enumeration import listed
from mathrag.language.quantity_names import kinds_mentioned
from mathrag.language.stems import stems
from mathrag.language.word_classes import any_of, word_class
from mathrag.types.document import Break, Cell, Content, Display, Inline, ListItem, Math, Paragraph, Text
from mathrag.types.expression import Equation
from mathrag.types.knowledge import QuantityKind
from mathrag.types.library import SymbolMeaning
from mathrag.types.symbol_names import MARKS, WORD_LETTERS, split_name

_DESCRIBING = word_class("headings.describing_columns")
_GENERIC_COLUMNS = word_class("headings.generic_columns")
_EXAMPLE = re.compile(rf"(?:{any_of('sentences.examples')})\b", re.I)
_SENTENCE = re.compile(rf"\b(?:{any_of('sentences.verbs_of_a_cell')})\b", re.I)
_RELATION = re.compile(r"[=≈]|\\(?:approx|equiv)\b")
# An abbreviation in brackets belongs to a title; other remarks would make it too long.
_REMARK = re.compile(r"\s*[(\[](?![A-Z]{2,6}[)\]]).*$")
_ONLY_WORDS = re.compile(r"\\(?:mbox|text|textrm|textit|mathrm)\s*\{\s*([^{}\\$]{4,80}?)\s*\}[\s.,;]*")
# "When the valve is shut:" says when a formula holds, not what it is.
_CIRCUMSTANCE = re.compile(rf"(?:{any_of('grammar.subordinators')}|at|for|in|under|with)\s", re.I)
# "On-time ramp)": words that begin right behind a formula, up to the first sign.
_BEHIND = re.compile(r"\s*([^\W\d_][^()\[\].,;:=]{2,80}?)\s*(?:[)\].,;]|$)")
_WHERE = re.compile(r"\b(?:where|with|here)\b", re.I)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_LISTING = re.compile(r",|&|\b(?:and|or)\b")
_SMALL_WORDS = word_class("grammar.plain_prepositions")
_VAGUE = word_class("sentences.vague_adjectives")
_LONGEST_LABEL = 120
_LONGEST_DESCRIPTION = 400
_LONGEST_PASSAGE = 2000
_CELL_SENTENCE = 60
_REACH = 300
_SHORTEST_WORD = 4


@dataclass(frozen=True, slots=True)
class Label:
    """A name with where it comes from, and the words that are left to describe the formula.

    `said` is the sentence before the formula with its symbols marked. `topic` is the heading above it. `is_shared` says
    that the name introduces several formulas of which this is not the first.
    """

    text: str
    origin: str
    description: str = ""
    said: str = ""
    topic: str = ""
    is_shared: bool = False


def name_formula(occurrence: Occurrence, remark: str = "", *, formulas_in_section: int = 1, target: str = "") -> Label:
    """The best name for a formula.

    `remark` is what stands beside it in words, such as "(Ohm's law)"; `target` the symbol it is written for, in plain
    letters.
    """
    said = introduction(occurrence)
    text, origin, description = _named(occurrence, remark, said, formulas_in_section=formulas_in_section, target=target)
    description = description or _described(said)
    is_shared = (origin == "heading" and formulas_in_section > 1) or (origin == "sentence" and _explains(occurrence))
    return Label(_cut(text), origin, description, said, _heading(occurrence), is_shared)


def _named(
    occurrence: Occurrence, remark: str, said: str, *, formulas_in_section: int, target: str
) -> tuple[str, str, str]:
    """The name, where it comes from, and a description where the place of the name gives one."""
    if occurrence.row is not None:
        found = _from_row(occurrence.row, occurrence)
        if found is not None:
            return found.text, found.origin, found.description
    remark = clean_title(remark.strip("()[] "))
    if _is_remark(remark):
        return remark, "remark", ""
    bold = _bold(occurrence)
    if bold:
        return bold, "bold", ""
    if occurrence.row is not None and occurrence.row.table.caption:
        caption = clean_title(words_of(occurrence.row.table.caption))
        if not is_useless(caption):
            return caption, "caption", ""
    heading = _heading(occurrence)
    sentence = name_after(_after(occurrence)) or name_before(said, target)
    if not sentence and not said:
        sentence = _name_behind(occurrence.after)
    is_exact = set(content_words(heading)) < set(content_words(sentence))
    # A heading further up says less of the formula than the one right above it.
    is_far = bool(occurrence.headings) and clean_title(occurrence.headings[-1]) != heading
    if sentence and (formulas_in_section > 1 or not heading or is_exact or is_far):
        return sentence, "sentence", ""
    return heading, "heading" if heading else "", ""


def _is_remark(text: str) -> bool:
    """Whether words beside a formula are its name: a noun phrase."""
    return bool(text) and not is_useless(text) and is_name(text)


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_LABEL else text[:_LONGEST_LABEL].rsplit(" ", 1)[0] + "…"


def shown_label(label: Label, *, given: str, symbol: str, is_said: bool = False) -> str:
    """The name that people are shown.

    `given` is what the formula gives, if that is known; `is_said` that the document says so; `symbol` is its letter.
    """
    text = label.text
    if not text:
        return presentable(given) or (f"Equation for {symbol}" if symbol else "")
    if label.origin == "sentence" and (label.is_shared or (is_said and _speaks_of_another(text, given))):
        # The sentence speaks of something else, or of the first of several.
        return _of_topic(given, symbol, label.topic or text, is_shared=label.is_shared or not given)
    if label.origin == "heading" or label.is_shared:
        # The only formula under a heading is what the heading says; a guess adds nothing.
        is_told = is_said or label.is_shared
        return _of_topic(given if is_told else "", symbol, text, is_shared=label.is_shared)
    is_quantity = normal_words(text) == normal_words(given) or (symbol and kinds_mentioned(text))
    is_thin = len(text.split()) == 1 and not is_quantity
    if is_thin and label.origin == "remark" and given:
        return presentable(with_topic(given, text))
    return presentable(with_topic(text, label.topic) if is_thin else text)


def _of_topic(given: str, symbol: str, topic: str, *, is_shared: bool) -> str:
    if given:
        return presentable(with_topic(given, topic))
    if not (is_shared and symbol):
        return presentable(topic)
    return presentable(f"{symbol}, in {re.sub(r'^The(?= )', 'the', _REMARK.sub('', topic) or topic)}")


def _speaks_of_another(text: str, given: str) -> bool:
    """Whether the name of a quantity shares no word with what the document says that the formula gives."""
    if not given or names_rule(text):
        return False
    return set(stems(text)).isdisjoint(stems(given))


def with_topic(name: str, topic: str) -> str:
    """A name with its topic in brackets, unless one of them says what the other does."""
    topic = _REMARK.sub("", topic) or topic
    ours, theirs = set(stems(name)), set(stems(topic))
    if not theirs or theirs <= ours:
        return name
    # Of a title that lists several things the name is one.
    return topic if ours <= theirs and not _LISTING.search(topic) else f"{name} ({topic})"


def introduction(occurrence: Occurrence) -> str:
    """The marked words that lead to a formula: back to the formula before; past it where they only join the two."""
    passages = [occurrence.before]
    for block in occurrence.lead:
        if isinstance(block, Paragraph) or (isinstance(block, ListItem) and occurrence.item is None):
            passages.append(block.content)
        elif not isinstance(block, Display | ListItem):
            break
    own_name = _name_behind(occurrence.after)
    for passage in passages:
        for number, part in enumerate(_parts_back(passage)):
            if own_name and passage is occurrence.before and number == 0 and part is not passage and _name_behind(part):
                # Names stand behind their formulas here: this one is that of the formula before.
                return ""
            text = _out_of_brackets(marked(part)[-_LONGEST_PASSAGE:])
            if not only_joins(text):
                return text
    return ""


def _out_of_brackets(text: str) -> str:
    """What stands behind a bracket that closes and never opened: the words before it stand in one with a formula."""
    depth = start = 0
    for place, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if depth < 0:
            depth, start = 0, place + 1
    return text[start:]


def _name_behind(content: Content) -> str:
    """The name that stands right behind a formula and ends with its line, its brackets or its clause."""
    line: list[Inline] = []
    for piece in content:
        if isinstance(piece, Break | Math):
            break
        line.append(piece)
    found = _BEHIND.match(words_of(tuple(line)))
    return found[1] if found and is_name(found[1]) and not names_rule(found[1]) else ""


def _explains(occurrence: Occurrence) -> bool:
    """Whether a formula explains a symbol of the one before it: "where", "with"."""
    own = marked(next(iter(_parts_back(occurrence.before)), ()))
    return _WHERE.search(own) is not None and only_joins(own)


def _parts_back(content: Content) -> Iterable[Content]:
    """A content cut at its formulas with a relation, the last part first."""
    end = len(content)
    for place in range(len(content) - 1, -1, -1):
        piece = content[place]
        if isinstance(piece, Math) and (piece.is_display or _RELATION.search(piece.source)):
            yield content[place + 1 : end]
            end = place
    yield content[:end]


def _after(occurrence: Occurrence) -> str:
    own = marked(occurrence.after)
    if own.strip(" .,;"):
        return own
    block = occurrence.follow[0] if occurrence.follow else None
    return marked(block.content) if isinstance(block, Paragraph) else ""


def _described(said: str) -> str:
    sentence = tidy(unmarked(without_citations(last_sentence(said))))
    return sentence.rstrip(" :,") if len(sentence) <= _LONGEST_DESCRIPTION else ""


def what_it_gives(
    meaning: SymbolMeaning | None, label: Label, occurrence: Occurrence, *, symbol: str, is_sure: bool = False
) -> tuple[str, bool]:
    """What a formula gives, in words that the document supports, and whether it says so itself.

    A usual meaning of the letter counts where the document speaks of it. `is_sure` says that it is beyond doubt in a
    document of this subject.
    """
    if meaning is None:
        return "", False
    if words := _words_in_chain(occurrence.math, symbol):
        return words, True
    if meaning.origin in ("document", "edited", "proposed") and is_name(meaning.description):
        return meaning.description, True
    if words := _written_out(meaning.name) or beside_symbol(label.said, symbol):
        return words, True
    words = name_before(label.said, symbol) if label.origin == "heading" and not label.is_shared else ""
    if words and set(stems(words)).isdisjoint(stems(label.text)):
        return words, True
    usual = kind_or_none(meaning.kind)
    if usual is None:
        return "", False
    words_of_kind = set(normal_words(usual.name).split())
    own = "" if label.is_shared and label.origin != "heading" else label.said
    said = normal_words(f"{own} {words_of(occurrence.after)[:_REACH]}").split()
    # A heading may have lent its quantity to a letter that is never used for it.
    titles = normal_words(" ".join((label.text, *occurrence.headings))).split()
    is_listed = _may_stand_for(meaning.name, usual) or usual in kinds_for_words(label.topic)
    if words_of_kind <= set(said) or (is_listed and (is_sure or words_of_kind <= {*said, *titles})):
        return _qualified(usual.name, meaning), False
    return "", False


def _words_in_chain(math: Math, symbol: str) -> str:
    """The words that a chain of equations gives for its symbol: `E = \\text{photon energy} = h f`."""
    if math.notation != "latex" or "=" not in math.source:
        return ""
    left = ""
    for row in re.split(r"\\\\", math.source[:_LONGEST_PASSAGE]):
        first, *members = row.replace("&", " ").split("=")
        left = plain_latex(re.sub(r"\([^()]*\)\s*$", "", first.strip())) or left
        for member in members:
            words = _ONLY_WORDS.fullmatch(member.strip())
            if words and same_symbol(left, symbol) and is_name(clean_title(words.group(1))):
                return clean_title(words.group(1))
    return ""


def _may_stand_for(name: str, usual: QuantityKind) -> bool:
    """Whether a symbol is usual for a kind or for a case of it: W is usual for a weight, which is a force."""
    return any(item == usual or usual in broader_kinds(item) for item in kinds_for_symbol(name))


def _qualified(kind_name: str, meaning: SymbolMeaning) -> str:
    """The name of a kind with the word that stands below the letter: `V_source` is a source voltage."""
    if meaning.description.endswith(f" {kind_name}") and meaning.description.split()[0] not in _VAGUE:
        return meaning.description
    words = [part for part in split_name(meaning.name).subscripts if len(part) >= _SHORTEST_WORD and part.isalpha()]
    own = [word.lower() for word in words if word not in MARKS | WORD_LETTERS and re.search("[aeiou]", word, re.I)]
    return f"{own[0]} {kind_name}" if len(own) == 1 and own[0] not in kind_name else kind_name


def _written_out(name: str) -> str:
    """The words of a symbol that is words itself: `Volume_density`."""
    parts = split_name(name)
    letter = parts.letter
    # With digits inside it is no word but a name: VO2max.
    is_word = letter.isalpha() and re.search("[aeiou]", letter, re.I) is not None
    if len(letter) < _SHORTEST_WORD or letter in WORD_LETTERS or not is_word:
        return ""
    is_phrase = any(part in _SMALL_WORDS for part in parts.subscripts)
    below = (part for part in parts.subscripts if is_phrase or (len(part) >= _SHORTEST_WORD and part not in MARKS))
    return " ".join(word if word.isupper() else word.lower() for word in (*_CAMEL.split(letter), *below))


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
        if bold and not is_useless(bold) and len(bold) <= _LONGEST_LABEL and not _CIRCUMSTANCE.match(bold):
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
    unique = list(dict.fromkeys(inputs))
    if target is None or not inputs:
        return f"Relate {listed(unique)}" if len(inputs) > 1 else ""
    return f"Compute {described[target]} from {listed(unique)}"
