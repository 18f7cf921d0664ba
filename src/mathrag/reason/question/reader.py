"""Read a question: text in, `Question` out. Values, targets, unit, intent, topics; no library is consulted."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from mathrag.errors import UnitError
from mathrag.knowledge.kinds import kind
from mathrag.language.quantities import Kind, Mention, find_quantities
from mathrag.language.tokens import Token
from mathrag.language.typed_symbols import symbol_before, symbol_identifier
from mathrag.language.word_classes import word_class
from mathrag.reason.question.asked_unit import AskedUnit, find_asked_unit
from mathrag.reason.question.implied import read_implied
from mathrag.reason.question.intent import Evidence, read_intent, read_language, read_topics
from mathrag.reason.question.names import QuestionContext
from mathrag.reason.question.targets import read_targets
from mathrag.reason.question.tokens import correct, cut, find_equations
from mathrag.reason.question.values import read_givens, read_values, temperature_changes, with_periods
from mathrag.types.quantity import Unit
from mathrag.types.question import Given, Question, Target

_STOP_WORDS = word_class("questions.stop_words")

# Beyond this a text is a document and no question; only its beginning is read.
MAXIMAL_CHARACTERS = 8_000
_MAXIMAL_WORDS = 200
_MONEY = word_class("questions.money")
# What a terminal obeys and does not show; the digits and letters in it say nothing ("ESC [2J" is no two joules).
_TERMINAL_ORDERS = re.compile(r"\x1b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|\][^\x07\x1b]{0,256}(?:\x07|\x1b\\)|[@-Z\\^_])")


def read_question(text: str, *, symbols: Collection[str] = (), abbreviations: frozenset[str] = frozenset()) -> Question:
    """Read a question. `symbols` are names that stand for quantities in the library (`KE`, `m2`), whatever stands
    behind them; `abbreviations` may be asked for as well as given."""
    notes: list[str] = []
    read = text
    if len(text) > MAXIMAL_CHARACTERS:
        read = text[:MAXIMAL_CHARACTERS]
        notes.append(f"only the first {MAXIMAL_CHARACTERS} characters of the question were read")
    read = _TERMINAL_ORDERS.sub(lambda order: " " * len(order[0]), read)
    mentions = _mentions(read, symbols, notes)
    equations = find_equations(read, mentions)
    tokens, corrections = correct(cut(read, mentions, equations))
    notes += corrections
    unit = find_asked_unit(read, tokens)
    known = frozenset(symbols) if not isinstance(symbols, frozenset) else symbols
    values = read_values(tokens, mentions, symbols=known, unit=unit)
    found = read_givens(tokens, mentions, values)
    left = tuple(equation.left for equation in equations)
    targets = read_targets(QuestionContext(read, tokens, known | abbreviations, unit, values.taken, left, tuple(found)))
    givens = with_periods(found, is_finance=_is_finance(tokens, mentions))
    givens += read_implied(read, tokens, givens, targets)
    givens += temperature_changes(read, givens)
    topics = read_topics(read, tokens)
    language = read_language(tokens)
    evidence = Evidence(read, tokens, mentions, givens, targets, unit, bool(equations), topics, language)
    return Question(
        text=text,
        intent=read_intent(evidence),
        givens=tuple(sorted(givens, key=_place)),
        targets=tuple(targets),
        units=_units(unit, targets),
        unit_text=unit.text if unit else "",
        words=_content_words(tokens),
        topics=topics,
        formula=equations[0].text if equations else "",
        language=language,
        notes=tuple(notes),
    )


def _place(given: Given) -> tuple[int, int]:
    return given.start, given.end


def _mentions(text: str, symbols: Collection[str], notes: list[str]) -> tuple[Mention, ...]:
    try:
        found = tuple(_with_known_symbol(text, mention, symbols) for mention in find_quantities(text))
    except UnitError as error:
        notes.append(str(error))
        return ()
    found = tuple(replace(mention, symbol="", symbol_name="") if _is_asked(mention) else mention for mention in found)
    notes += [f"“{mention.text}” was not read: {mention.note}" for mention in found if mention.kind == "declined"]
    return found


def _with_known_symbol(text: str, mention: Mention, symbols: Collection[str]) -> Mention:
    """A number with the symbol of the library that stands right before it, as if there were an equals sign. Where units
    are and which numbers share one has been read before: "Na 140, Cl 102 mmol/L" is one list."""
    if mention.symbol or mention.kind in ("declined", "date", "range"):
        return mention
    found = symbol_before(text, mention.start, symbols)
    if found is None:
        return mention
    kind: Kind = "number" if mention.kind in ("label", "ordinal") else mention.kind
    return replace(mention, symbol=found[0], symbol_name=symbol_identifier(found[0]), kind=kind)


def _units(unit: AskedUnit | None, targets: Sequence[Target]) -> tuple[Unit, ...]:
    """The readings of the unit, those first that fit what is asked: `degrees` of a temperature are no angle."""
    if unit is None:
        return ()
    wanted = {kind(item).dimension for target in targets[:1] for item in target.kinds[:1]}
    found = [*unit.units, *(item for item in unit.rare if item.dimension in wanted)]
    return tuple(sorted(found, key=lambda item: item.dimension not in wanted))


def _is_asked(mention: Mention) -> bool:
    """`pH of 0.025 M HCl` asks for the pH; a pH itself has no unit."""
    return mention.symbol in ("pH", "pOH", "pKa", "pKb") and bool(mention.units)


def _is_finance(tokens: Sequence[Token], mentions: Sequence[Mention]) -> bool:
    if any(unit.text.startswith("USD") for mention in mentions for unit in mention.units):
        return True
    return any(token.lower in _MONEY for token in tokens)


def _content_words(tokens: Sequence[Token]) -> tuple[str, ...]:
    words = [token.normal for token in tokens if token.kind == "word" and token.lower not in _STOP_WORDS]
    return tuple(words)[:_MAXIMAL_WORDS]
