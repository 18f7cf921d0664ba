"""Values that a document states for what its formulas use: "where k = 0.41", "we take an efficiency of 0.85", "450 N
for cotton and 1200 N for flax", "(usually 0.3)", "values of C:" with a list behind it.

Finds what is stated and for which case; whether a formula has such a symbol is asked in `attached.py`.
A value of one case of its own (an example, "if m = 2 kg", "we get v = 3 m/s") is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from mathrag.extract.constants.case_tables import stated_in_table
from mathrag.extract.constants.inline import EXERCISE, StatedHere, values_in_sentence
from mathrag.extract.constants.statements import OF_RESULT, Stated, Subject, case_words, subjects_before
from mathrag.extract.constants.values import Value
from mathrag.extract.definitions.outline import Outline, Section, flows_of, outline_of
from mathrag.extract.definitions.prose import Prose, prose_of
from mathrag.extract.definitions.symbols import symbol_of_word
from mathrag.extract.parts import WORKED, parts_of
from mathrag.language.noun_phrases import clean
from mathrag.language.tokens import Token, closing_place, sentences
from mathrag.language.unit_text import unit_run
from mathrag.language.word_classes import word_class
from mathrag.types.document import Break, Content, Document, ListItem, Math, Paragraph, Place, Table, plain_text

_INSTANCES = word_class("constants.instances")
_OUTCOMES = word_class("constants.outcomes")
_BEFORE_CONDITIONS = word_class("constants.before_conditions")
_HEDGES = word_class("constants.hedges")
_TAKEN = word_class("constants.taken")
_LINKS = word_class("constants.equal_links")
_CASE_OPENERS = word_class("constants.case_openers")
_CASE_ENDS = word_class("constants.case_ends")
_EVERY_CASE = word_class("constants.every_case")
_ARTICLES = frozenset(("a", "an", "the"))
_BEING = frozenset(("is", "are", "was", "has", "have", "equals", "=", ":", "denotes", "–", "—", "-"))
_EQUALS = frozenset(("=", "is", "are", "equals", "≈", ":", "equal", "was"))
# What stands between values of one symbol: 450 N for cotton and 1200 N for flax.
_JOINTS = frozenset((",", ";", "and", "or", "but"))
_DEFINED_BY = frozenset(("is", "are", "=", ":", "–", "—", "-", "the", "a", "an", "denotes", "being", ","))
_FACTORS = word_class("constants.factor_words")
_GENERAL = word_class("constants.governing") | _HEDGES
_LASTING = word_class("constants.lasting") | _TAKEN
# How far a document's plain statements are taken to hold: where it has no exercises all of them, else those of what
# stays as it is, and in a book only what explains a formula or says what is usual.
_LEAST, _SOME, _ALL = 0, 1, 2
_LONGEST_NOTES = 1_500
_LONGEST_LOOKED_AT = 300
_MOST_TOKENS, _MOST_BACK, _LONGEST_CASE, _LONGEST_NAME = 400, 12, 8, 6
_NO_COMMA = re.compile(r"\\[,;:! ]|\{,\}")
_SEVERAL = re.compile(r"=[^=]*\d[^=]*(?:,|\\[lc]?dots|…|\.\.\.)")


def find_stated(document: Document) -> tuple[Stated, ...]:
    """Everything that a document states as a value of a symbol or of a named quantity, outside of its examples."""
    outline, parts = outline_of(document.blocks), parts_of(document)
    is_for_practice = any(part in WORKED for part in parts) or any(one.is_exercise for one in outline.sections)
    trust = _LEAST if len(document.blocks) > _LONGEST_NOTES else _SOME if is_for_practice else _ALL
    found = (one for one in _found_in(document, outline, trust) if parts[one.block] not in WORKED)
    return tuple(one for one in found if one.value.number and not outline.section(one.block).is_exercise)


def _found_in(document: Document, outline: Outline, trust: int) -> Iterator[Stated]:
    blocks = document.blocks
    flows = {flow[0][0]: flow for flow in flows_of(blocks)}
    lead: Sequence[Subject] = ()
    for index, block in enumerate(blocks):
        section = outline.section(index)
        if index in flows and any(_has_digit(content) for _, content, _ in flows[index]):
            yield from _in_prose(prose_of(flows[index]), section, trust)
        if isinstance(block, Paragraph):
            lead = subjects_before(block.content)
        elif isinstance(block, ListItem):
            yield from _in_item(index, block, section, lead, trust=trust)
        elif isinstance(block, Table):
            yield from stated_in_table(index, block, section, lead)
            lead = ()
        else:
            lead = ()


def _has_digit(content: Content) -> bool:
    return any(
        any(map(str.isdigit, piece.source if isinstance(piece, Math) else piece.text))
        for piece in content
        if not isinstance(piece, Break)
    )


# Running text.


@dataclass(frozen=True, slots=True)
class _Named:
    """What a value is said to be of: symbols, or words. `lead` is the place right before all of that."""

    subject: Subject
    lead: int


def _in_prose(prose: Prose, section: Section, trust: int) -> Iterator[Stated]:
    for first, end in sentences(prose.tokens):
        tokens = prose.tokens[first : min(end, first + _MOST_TOKENS)]
        words = {token.lower for token in tokens if token.kind == "word"}
        may_state = trust == _ALL or not words.isdisjoint(_GENERAL if trust == _LEAST else _GENERAL | _LASTING)
        if may_state and words.isdisjoint(_OUTCOMES) and any(token.kind in ("number", "math") for token in tokens):
            yield from _in_sentence(prose, first, tokens, section, trust=trust)


def _in_sentence(
    prose: Prose, first: int, tokens: Sequence[Token], section: Section, *, trust: int
) -> Iterator[Stated]:
    quote = prose.quote(first, first + len(tokens) - 1)
    values = [] if EXERCISE.search(quote) else sorted(values_in_sentence(prose, first, tokens), key=_place)
    if not values:
        return
    starts = {one.first for one in values}
    before: tuple[_Named, int] | None = None
    found: list[tuple[Stated, str]] = []
    for one in values:
        end = _end_of(tokens, one)
        if _is_of_an_instance(tokens, one) or not _is_general(tokens, one, trust) or _goes_on(tokens, end):
            before = None
            continue
        named = _factor(tokens, one) or _named(tokens, one)
        case, remark, behind = _case_behind(tokens, end, starts)
        if named is None and before is not None and (case or remark) and _is_joined(tokens, before[1], one.first):
            named = before[0]
        if named is None or case is None:
            before = None
            continue
        if not case:
            case = _case_before(tokens, named.lead)
        if named.subject == OF_RESULT and not case:
            continue
        block = tokens[one.first].block
        made = Stated(named.subject, one.value, (case,) if case else (), block, prose.places[block], quote, section)
        found.append((made, remark))
        before = named, behind
    yield from _with_remarks(found)


def _place(one: StatedHere) -> int:
    return one.first


def _is_general(tokens: Sequence[Token], one: StatedHere, trust: int) -> bool:
    """Whether a text that also works with made-up numbers says that this value is none of them: it explains a formula,
    it says what is usual, or it names something that stays as it is."""
    before = [token.lower for token in tokens[: one.first]]
    if trust == _ALL or before[:1] in (["where"], ["with"], ["here"]) or not _HEDGES.isdisjoint(before):
        return True
    if "where" in before and any(
        token.kind == "math" and "=" in token.text for token in tokens[: before.index("where")]
    ):
        return True
    return trust == _SOME and not (_LASTING | _TAKEN).isdisjoint(before[-_MOST_BACK:])


def _goes_on(tokens: Sequence[Token], end: int) -> bool:
    """Whether more of a calculation or another value stands behind a number: 2 m a, 10 + 12, 3 or 4."""
    if end >= len(tokens):
        return False
    is_choice = (
        tokens[end].lower in ("or", "to", "–", "-") and end + 1 < len(tokens) and tokens[end + 1].kind == "number"
    )
    is_glued = tokens[end].kind == "word" and not tokens[end].is_spaced
    return is_choice or is_glued or tokens[end].text in ("+", "×", "*", "^", "·", "⋅")


def _with_remarks(found: Sequence[tuple[Stated, str]]) -> Iterator[Stated]:
    """What stands in brackets behind each of several values of one symbol is its case: 450 N (cotton), 1 N (flax)."""
    for one, remark in found:
        alike = [(other, said) for other, said in found if other.subject == one.subject]
        are_cases = len(alike) > 1 and all(said and not other.cases for other, said in alike)
        yield replace(one, cases=(remark,)) if are_cases else one


def _end_of(tokens: Sequence[Token], one: StatedHere) -> int:
    """The place behind a value, also where its unit stands outside its formula."""
    end = one.last + 1
    if tokens[one.last].kind == "math" and end < len(tokens) and tokens[end].kind != "mark":
        run = unit_run(tokens, end)
        end = run[1] if run is not None and one.value.unit is not None else end
    return end


def _is_of_an_instance(tokens: Sequence[Token], one: StatedHere) -> bool:
    """Whether the words before a value make it one of a case: "for example m = 2 kg", "if n = 3"; or a list of them."""
    if any(token.lower in _INSTANCES for token in tokens[: one.first]):
        return True
    token = tokens[one.first]
    return token.kind == "math" and _SEVERAL.search(_NO_COMMA.sub(" ", token.text[:_LONGEST_LOOKED_AT])) is not None


def _named(tokens: Sequence[Token], one: StatedHere) -> _Named | None:
    """What a value is of, by what stands before it."""
    place, seen = _back(tokens, one.first - 1, _LINKS | _HEDGES | _TAKEN)
    if one.symbol is not None and tokens[one.first].kind == "math" and one.symbol.name and _holds_symbol(tokens, one):
        place = one.first - 1
        return _of_symbol(tokens, place, (one.symbol.name,))
    if place < 0:
        return None
    is_hedged = not seen.isdisjoint(_HEDGES) or _is_taken(tokens, place)
    names = () if _is_in_unit(tokens, place) else _names_of(tokens[place])
    if not names and _opens_aside(tokens, place, one) and not seen.isdisjoint(_HEDGES):
        defined = _last_defined(tokens, place + 2)
        return None if not defined else _Named(Subject(defined), place)
    if names and (not seen.isdisjoint(_EQUALS) or (seen and is_hedged)):
        return _of_symbol(tokens, place - 1, names)
    if one.symbol is not None and not names:
        return None
    if seen.isdisjoint(_EQUALS | {"of"}):
        return None
    return _of_words(tokens, place, seen)


def _factor(tokens: Sequence[Token], one: StatedHere) -> _Named | None:
    """What multiplies a result, where the words right before it say so: "times 0.9 for children"."""
    before = " ".join(token.lower for token in tokens[max(0, one.first - 3) : one.first])
    if one.symbol is None and any(before.endswith(words) for words in _FACTORS):
        return _Named(OF_RESULT, one.first - 1)
    return None


def _opens_aside(tokens: Sequence[Token], place: int, one: StatedHere) -> bool:
    return any(token.text in ("(", ",") for token in tokens[place + 1 : one.first])


def _holds_symbol(tokens: Sequence[Token], one: StatedHere) -> bool:
    return "=" in tokens[one.first].text or "≈" in tokens[one.first].text or "approx" in tokens[one.first].text


def _of_symbol(tokens: Sequence[Token], lead: int, names: tuple[str, ...]) -> _Named | None:
    if lead >= 0 and tokens[lead].lower in _BEFORE_CONDITIONS:
        return None
    return _Named(Subject(names), lead)


def _of_words(tokens: Sequence[Token], place: int, seen: frozenset[str]) -> _Named | None:
    """A name before "of" or "is": "an efficiency of 0.85" that is taken, "T_0 is a reference temperature of 293 K"."""
    last = place
    while place >= 0 and last - place < _LONGEST_NAME and _is_name_word(tokens[place]):
        place -= 1
    name = clean([token.text for token in tokens[place + 1 : last + 1]])
    if not name or name in _EVERY_CASE:
        return None
    is_taken = _is_taken(tokens, place)
    back, links = _back(tokens, place, _ARTICLES | _BEING)
    if "of" in seen and back >= 0 and not links.isdisjoint(_EQUALS) and (names := _names_of(tokens[back])):
        return _of_symbol(tokens, back - 1, names)
    is_whole = place < 0 or tokens[place].text == "." or (tokens[place].lower == "the" and place == 0)
    if is_taken or (is_whole and not seen.isdisjoint(_EQUALS)):
        return _Named(Subject((), name), back)
    return None


def _is_name_word(token: Token) -> bool:
    return token.kind == "word" and token.lower not in _ARTICLES | _BEING | _TAKEN and token.lower not in _INSTANCES


def _is_taken(tokens: Sequence[Token], place: int) -> bool:
    """Whether a text says right before a name that it computes with this: "we take an efficiency"."""
    return any(token.lower in _TAKEN for token in tokens[max(0, place - _LONGEST_NAME) : place + 1])


def _back(tokens: Sequence[Token], place: int, words: frozenset[str]) -> tuple[int, frozenset[str]]:
    """The place before some words of a kind, and those words."""
    start = place
    while place >= 0 and start - place < _MOST_BACK and tokens[place].lower in words:
        place -= 1
    return place, frozenset(token.lower for token in tokens[place + 1 : start + 1])


def _names_of(token: Token) -> tuple[str, ...]:
    """The symbol that a token is, or could be: whoever has no such symbol does not mean it."""
    if token.symbols:
        return tuple(symbol.name for symbol in token.symbols) if len(token.symbols) == 1 else ()
    symbol = symbol_of_word(token.text) if token.kind == "word" else None
    return () if symbol is None else (symbol.name,)


def _last_defined(tokens: Sequence[Token], end: int) -> tuple[str, ...]:
    """The symbol that is defined last before a place: "v the settling speed in m/s (usually ...)"."""
    found: list[str] = []
    for place, token in enumerate(tokens[: max(0, end - 1)]):
        names = _names_of(token)
        if names and tokens[place + 1].lower in _DEFINED_BY and not _is_in_unit(tokens, place):
            found.extend(names)
    return tuple(found[-1:])


def _is_in_unit(tokens: Sequence[Token], place: int) -> bool:
    return place > 0 and (tokens[place - 1].text in ("/", "·", "⋅") or tokens[place - 1].lower == "in")


def _is_joined(tokens: Sequence[Token], end: int, start: int) -> bool:
    """Whether only a comma or "and" stands between two values."""
    return end < start <= end + 3 and all(token.lower in _JOINTS for token in tokens[end:start])


# Cases.


def _case_behind(tokens: Sequence[Token], place: int, starts: frozenset[int] | set[int]) -> tuple[str | None, str, int]:
    """The case that a value is said to hold for (None for one that is no name), what stands in brackets behind it, and
    where that ends."""
    if place >= len(tokens):
        return "", "", place
    token = tokens[place]
    if token.text == "(":
        end = closing_place(tokens, place)
        remark = "" if end is None else case_words(tokens[place + 1 : end])
        return "", remark, place if end is None else end + 1
    is_at = token.lower == "at" and place + 1 < len(tokens) and tokens[place + 1].kind == "number"
    if token.lower not in _CASE_OPENERS and not is_at:
        return "", "", place
    end = place + 1
    while end < len(tokens) and end - place <= _LONGEST_CASE and not _ends_case(tokens, end, starts, is_at=is_at):
        end += 1
    words = tokens[place + 1 : end]
    if end < len(tokens) and tokens[end].kind == "math" and not words:
        return None, "", end
    if not words or words[0].lower in _EVERY_CASE:
        return "", "", end
    said = case_words(words)
    return (said if said and end - place <= _LONGEST_CASE else None), "", end


def _ends_case(tokens: Sequence[Token], place: int, starts: frozenset[int] | set[int], *, is_at: bool) -> bool:
    token = tokens[place]
    if token.kind in ("math", "break") or (token.kind == "mark" and token.text not in ("-", "/", "°", "%", "’", "'")):
        return True
    if place in starts and not is_at:
        return True
    if token.lower in _CASE_ENDS:
        following = tokens[place + 1] if place + 1 < len(tokens) else None
        is_listing = token.lower in ("and", "or") and following is not None and following.kind == "word"
        is_name = is_listing and following is not None and following.lower not in _ARTICLES | _CASE_OPENERS
        return not (is_name and place + 1 not in starts and not _names_of(tokens[place + 1]))
    return False


def _case_before(tokens: Sequence[Token], lead: int) -> str:
    """The case that a clause opens with: "For cotton, k = 450 N"."""
    place = lead - 1 if lead >= 0 and tokens[lead].text == "," else lead
    last = place
    while place >= 0 and last - place < _LONGEST_CASE and tokens[place].kind in ("word", "number"):
        if tokens[place].lower in _CASE_OPENERS:
            is_opening = (
                place == 0
                or tokens[place - 1].text in (",", ";", "(", ":", ".")
                or (tokens[place - 1].lower in _JOINTS)
            )
            words = tokens[place + 1 : last + 1]
            return case_words(words) if is_opening and words and words[0].lower not in _EVERY_CASE else ""
        place -= 1
    return ""


# Lists.


def _in_item(index: int, item: ListItem, section: Section, lead: Sequence[Subject], *, trust: int) -> Iterator[Stated]:
    """An item that is a case with its value, under words that name the symbol; or a symbol with its own."""
    content: Content = (*item.term, *item.content)
    prose = prose_of([(index, content, item.place)])
    tokens = [token for token in prose.tokens if token.kind != "break"]
    if not tokens or len(tokens) > _MOST_TOKENS or not any(token.kind in ("number", "math") for token in tokens):
        return
    values = list(values_in_sentence(prose, 0, tokens))
    own = _names_of(tokens[0]) or _assigned(values)
    if own and len(values) == 1 and _is_plainly_of(tokens, values[0]):
        one = values[0]
        case, _, _ = _case_behind(tokens, _end_of(tokens, one), {one.first})
        if case is not None:
            yield _item_stated(Subject(own), one.value, (case,) if case else (), index, item, section)
        return
    if lead and len(values) == 1 and (label := _label_of(tokens, values[0])):
        for subject in lead:
            yield _item_stated(subject, values[0].value, (label,), index, item, section)
        return
    yield from _in_prose(prose, section, trust)


def _assigned(values: Sequence[StatedHere]) -> tuple[str, ...]:
    one = values[0] if values else None
    return (one.symbol.name,) if one is not None and one.symbol is not None and one.first == 0 else ()


def _is_plainly_of(tokens: Sequence[Token], one: StatedHere) -> bool:
    """Whether the one value of an item is that of the symbol which opens it, and no other number of it."""
    if one.first == 0:
        return _holds_symbol(tokens, one)
    before = tokens[one.first - 1]
    return before.text in ("=", ":", ",", "(", "≈", "–", "—") or before.lower in _HEDGES | _LINKS


def _label_of(tokens: Sequence[Token], one: StatedHere) -> str:
    """The case that an item names before its value or, behind "for", after it."""
    end = _end_of(tokens, one)
    if one.first == 0:
        case, _, _ = _case_behind(tokens, end, {0})
        return case or ""
    label = list(tokens[: one.first])
    while label and (label[-1].kind == "mark" or label[-1].lower in _LINKS):
        label.pop()
    is_plain = end >= len(tokens) or tokens[end].text in (".", ",", ";", "(")
    return case_words(label) if is_plain else ""


def _item_stated(
    subject: Subject, value: Value, cases: tuple[str, ...], index: int, item: ListItem, section: Section
) -> Stated:
    place: Place = item.place
    return Stated(subject, value, cases, index, place, plain_text((*item.term, *item.content)).strip(), section)
