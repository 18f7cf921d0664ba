"""Gather what is known around each formula: definitions in scope, kinds its words name, subjects of its section.

One `Context` serves a whole document; after a first round it also knows which dimensions other formulas settled.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from mathrag.documents.sheets.quantities import SHEET_TYPES
from mathrag.extract.choice_search import Vector
from mathrag.extract.definitions.lookup import said_of
from mathrag.extract.known_relations import (
    FieldVotes,
    KnownMatch,
    Words,
    is_spoken_of,
    known_matches,
    meaning_at,
    numerical_match,
    speaks_for,
    usual_in_fields,
)
from mathrag.extract.labels import Label
from mathrag.extract.meanings import CHAPTER, Surroundings
from mathrag.extract.occurrences import Occurrence
from mathrag.extract.parts import heading_paths
from mathrag.extract.phrases import clean_title, content_words, words_of
from mathrag.extract.result_units import unit_column
from mathrag.extract.weights import weights
from mathrag.extract.word_operands import ANNOTATION, WORDS
from mathrag.knowledge.constants import constants_for_symbol
from mathrag.knowledge.kinds import broader_kinds, kind, kinds_for_words
from mathrag.knowledge.spelling import normal_words
from mathrag.language.quantity_names import kinds_mentioned
from mathrag.language.stems import stems
from mathrag.language.word_classes import word_class
from mathrag.types.document import Document, Heading, Paragraph
from mathrag.types.expression import Equation, equation_symbols
from mathrag.types.knowledge import QuantityKind
from mathrag.types.library import SymbolDefinition, SymbolMeaning
from mathrag.types.symbol_names import WORD_LETTERS, split_name

_ELSEWHERE = weights("known_relations")
# What a row says of its own formula is weighed with that formula, as its label and its unit.
_OF_ONE_ROW = ("unit_column", "row_label")
# A definition that holds for the whole document says less about a formula than the sentence after it.
_WHOLE_DOCUMENT = 400
# Documents whose formulas hardly ever go with the name of a quantity are about numbers.
_ABSTRACT = 0.3
_SUBJECTS = {
    "mechanics": word_class("subjects.mechanics"),
    "fluids": word_class("subjects.fluids"),
    "heat": word_class("subjects.heat"),
    "electricity": word_class("subjects.electricity"),
    "magnetism": word_class("subjects.magnetism"),
    "waves": word_class("subjects.waves"),
    "optics": word_class("subjects.optics"),
    "modern physics": word_class("subjects.modern_physics"),
    "astronomy": word_class("subjects.astronomy"),
    "chemistry": word_class("subjects.chemistry"),
    "engineering": word_class("subjects.engineering"),
    "materials": word_class("subjects.materials"),
    "geometry": word_class("subjects.geometry"),
    "finance": word_class("subjects.finance"),
    "statistics": word_class("subjects.statistics"),
    "biology": word_class("subjects.biology"),
    "information": word_class("subjects.information"),
}
_SUBJECT_OF = {word: subject for subject, words in _SUBJECTS.items() for word in words}
# Beside a constant stand the quantities of its subject; only symbols that hardly ever mean anything else.
_BESIDE = {
    "hbar": ("modern physics",),
    "m_e": ("modern physics",),
    "k_B": ("heat", "modern physics"),
    "epsilon_0": ("electricity",),
    "mu_0": ("magnetism",),
    "N_A": ("chemistry",),
}
_BESIDE_CONSTANT = 1.6
_ABSTRACT_FIELDS = frozenset(("geometry", "everyday", "information"))
_FOLLOWING = ("where", "list", "definition_list", "is", "legend")
_LIST_REACH = 12
_LEAST_CHAPTERS = 8
# A document of fewer blocks is one chapter, whatever titles it has.
_SHORT = 400
# How far what a chapter says of a symbol elsewhere counts, where all of it agrees.
_AGREED = 0.75
# The same of several definitions, for a letter that may be another thing beside them all the same.
_AGREED_AGAIN = 0.8


@dataclass(slots=True)
class Context:
    """What a document says that bears on its formulas. In a sheet they hold for the numbers of cells."""

    definitions: dict[str, list[SymbolDefinition]] = field(default_factory=dict)
    fields: dict[str, float] = field(default_factory=dict)
    section_fields: dict[tuple[str, ...], dict[str, float]] = field(default_factory=dict)
    settled: dict[tuple[str, str], dict[Vector, float]] = field(default_factory=dict)
    votes: FieldVotes = field(default_factory=FieldVotes)
    recognised: dict[tuple[str, str], dict[SymbolMeaning, float]] = field(default_factory=dict)
    is_abstract: bool = False
    is_sheet: bool = False


def make_context(
    document: Document, definitions: Sequence[SymbolDefinition], named: Sequence[tuple[Occurrence, Label]]
) -> Context:
    """Weigh the subjects of a document by the quantities that its headings and labels name."""
    context = Context(is_sheet=document.media_type in SHEET_TYPES)
    for definition in (*definitions, *_unanimous(definitions, _chapters(document))):
        if definition.source not in _OF_ONE_ROW:
            context.definitions.setdefault(definition.name, []).append(definition)
    total, with_quantity = _subjects_of_titles(document), 0
    sections: dict[tuple[str, ...], dict[str, float]] = {}
    for occurrence, label in named:
        kinds = kinds_mentioned(label.text)
        with_quantity += any(item.field not in _ABSTRACT_FIELDS for item, _ in kinds)
        _count(kinds, total, 1.0)
        for depth in range(1, len(occurrence.headings) + 1):
            _count(kinds, sections.setdefault(occurrence.headings[:depth], {}), 1.0)
    for path, counts in sections.items():
        for title in path:
            _count_title(title, counts, kinds_weight=2.0, subject_weight=4.0)
    context.fields = _weights(total)
    context.section_fields = {path: _weights(counts) for path, counts in sections.items()}
    described = sum(definition.dimension is not None for definition in definitions)
    # A short document says little, but hardly any about numbers names a quantity at all.
    titled = (
        sum(item.field not in _ABSTRACT_FIELDS for item, _ in kinds_mentioned(document.title))
        + len(context.fields) // 3
    )
    context.is_abstract = (with_quantity + described + titled) < _ABSTRACT * len(named)
    return context


def _subjects_of_titles(document: Document) -> dict[str, float]:
    """How much the title and the headings speak of each subject."""
    total: dict[str, float] = {}
    for block in document.blocks:
        if isinstance(block, Heading):
            _count_title(words_of(block.content), total, kinds_weight=1.0, subject_weight=2.0)
    _count_title(document.title, total, kinds_weight=3.0, subject_weight=4.0)
    return total


def _count_title(title: str, counts: dict[str, float], *, kinds_weight: float, subject_weight: float) -> None:
    _count(kinds_mentioned(title), counts, kinds_weight)
    for subject in _subjects(title):
        counts[subject] = counts.get(subject, 0.0) + subject_weight


def _chapters(document: Document) -> list[tuple[int, int]]:
    """For every block the first and the last block of its chapter: what stands under one title of the highest rank; in
    a book, where one title stands over chapters that have sections, of the next."""
    paths = heading_paths(document)
    if len(paths) <= _SHORT:
        return [(0, len(paths) - 1)] * len(paths)
    tops = {path[:1] for path in paths if path}
    sections = {path[:3] for path in paths if len(path) > 2}
    with_sections = Counter(path[:2] for path in sections)
    is_book = len(tops) == 1 and sum(count > 1 for count in with_sections.values()) >= _LEAST_CHAPTERS
    depth = 2 if is_book else 1
    chapters: list[tuple[int, int]] = []
    start = 0
    for index, path in enumerate(paths):
        if index and path[:depth] != paths[index - 1][:depth]:
            chapters.extend([(start, index - 1)] * (index - start))
            start = index
    chapters.extend([(start, len(paths) - 1)] * (len(paths) - start))
    return chapters


def _unanimous(
    definitions: Sequence[SymbolDefinition], chapters: Sequence[tuple[int, int]]
) -> Iterator[SymbolDefinition]:
    """What all that speak of a symbol agree on: rows, in the whole document; other words, within their chapter."""
    said: dict[str, list[SymbolDefinition]] = {}
    in_chapter: dict[tuple[str, tuple[int, int]], list[SymbolDefinition]] = {}
    for one in (one for one in definitions if one.source not in (WORDS, ANNOTATION)):
        said.setdefault(one.name, []).append(one)
        if not one.description:
            continue
        if one.source not in _OF_ONE_ROW:
            whole = (0, max(0, len(chapters) - 1))
            chapter = chapters[one.first_block] if one.first_block < len(chapters) else whole
            in_chapter.setdefault((one.name, chapter), []).append(one)
    for members in said.values():
        words = {normal_words(one.description) for one in members}
        if len(words) == 1 and members[0].kind and all(one.source in _OF_ONE_ROW for one in members):
            yield replace(members[0], source="row", confidence=0.3, first_block=0)
    for (_, (first, last)), members in in_chapter.items():
        if _agree(members):
            shortest = min(members, key=lambda one: len(one.description))
            belief = _AGREED
            if len(members) > 1:
                belief = 1.0 if _is_distinct(shortest.name) else _AGREED_AGAIN
            confidence = belief * shortest.confidence
            yield replace(shortest, source=CHAPTER, confidence=confidence, first_block=first, last_block=last)


def _is_distinct(name: str) -> bool:
    """Whether a name is more than a letter and a number: nobody gives `V_air` or `VT` to two things in one chapter."""
    parts = split_name(name)
    is_name = len(parts.letter) > 1 and parts.letter not in WORD_LETTERS
    return is_name or any(not part.isdigit() for part in parts.subscripts)


def _agree(members: Sequence[SymbolDefinition]) -> bool:
    """Whether all say the same, some in more words than others ("infectious period", "average infectious period"), or
    in other words for one kind of quantity."""
    words = sorted({frozenset(normal_words(one.description).split()) for one in members}, key=len)
    if all(first <= second for first, second in itertools.pairwise(words)):
        return True
    kinds = {one.kind for one in members}
    return _is_distinct(members[0].name) and None not in kinds and len(kinds) == 1


def _count(kinds: Iterable[tuple[QuantityKind, int]], counts: dict[str, float], weight: float) -> None:
    for item, length in kinds:
        counts[item.field] = counts.get(item.field, 0.0) + weight * length


def _subjects(title: str) -> list[str]:
    """The subjects that the words of a title belong to: "Thermodynamics" is about heat."""
    words = content_words(title)
    return list(dict.fromkeys(_SUBJECT_OF[word] for word in words if word in _SUBJECT_OF))


def _weights(counts: Mapping[str, float]) -> dict[str, float]:
    """Around 1 for a subject that is not spoken of, up to 4 for the only one."""
    total = sum(counts.values()) + 4.0
    return {name: 0.7 + 3.3 * count / total for name, count in counts.items()}


def surroundings(occurrence: Occurrence, equation: Equation, label: Label, context: Context) -> Surroundings:
    """What bears on the symbols of one equation."""
    names = equation_symbols(equation)
    named = {item.id: 1.0 for item, _ in kinds_mentioned(label.text)}
    nearby: dict[str, float] = {}
    for text, weight in _texts_nearby(occurrence, label):
        for item, _ in kinds_mentioned(text):
            nearby[item.id] = max(nearby.get(item.id, 0.0), weight)
            for broader in broader_kinds(item):
                nearby[broader.id] = max(nearby.get(broader.id, 0.0), 0.5 * weight)
    fields = subjects_at(occurrence, context)
    for subject in {each for name in names for each in _BESIDE.get(name, ())}:
        fields[subject] = _BESIDE_CONSTANT * fields.get(subject, 1.0)
    target = equation.target
    definitions = {name: in_scope(said_of(context.definitions, name, names), occurrence) for name in names}
    stems_around = _stems_around(occurrence, label)
    known = [
        match
        for match in known_matches(equation, definitions, stems_around, context.votes)
        if match.share >= _ELSEWHERE["sure_by_letters"]
        or match.relation.field in context.votes.counts
        or is_spoken_of(match, stems_around)
    ]
    return Surroundings(
        definitions=definitions,
        named=named,
        nearby=nearby,
        fields=fields,
        target=target,
        target_kinds=_target_kinds(label.text),
        target_units=unit_column(occurrence.row) if occurrence.row is not None and target is not None else (),
        earlier={name: _earlier(name, occurrence, context) for name in names},
        words=frozenset(normal_words(" ".join((label.text, *occurrence.headings[-1:]))).split()),
        spoken=[kind(identifier) for identifier in {**named, **nearby}],
        elsewhere={name: _elsewhere(name, occurrence, context) for name in names},
        known=known,
        is_abstract=context.is_abstract,
    )


def _stems_around(occurrence: Occurrence, label: Label) -> Words:
    nearby = [text for text, _ in _texts_nearby(occurrence, label)]
    return Words(frozenset(stems(label.text)), frozenset(stem for text in nearby for stem in stems(text)))


def subjects_at(occurrence: Occurrence, context: Context) -> dict[str, float]:
    """How much the document, or a section above the formula, speaks of each subject."""
    fields = dict(context.fields)
    for depth in range(1, len(occurrence.headings) + 1):
        for name, weight in context.section_fields.get(occurrence.headings[:depth], {}).items():
            fields[name] = max(fields.get(name, 0.0), weight)
    return fields


def _texts_nearby(occurrence: Occurrence, label: Label) -> list[tuple[str, float]]:
    before, after = words_of(occurrence.before)[-300:], words_of(occurrence.after)[:300]
    texts = [(label.description, 0.8), (before, 0.8), (after, 0.6)]
    texts.extend((title, 0.5) for title in occurrence.headings[-2:])
    blocks = (*occurrence.lead[:1], *occurrence.follow[:1])
    texts.extend((words_of(block.content)[-500:], 0.5) for block in blocks if isinstance(block, Paragraph))
    return [(text, weight) for text, weight in texts if text]


def in_scope(definitions: Sequence[SymbolDefinition], occurrence: Occurrence) -> list[SymbolDefinition]:
    """Those that hold at a formula: the narrowest scope first, then the nearest before it."""
    found = [one for one in definitions if _holds(one, occurrence)]

    def rank(one: SymbolDefinition) -> tuple[int, int, float]:
        reach = one.last_block - one.first_block
        distance = abs(occurrence.block - one.first_block)
        return (_WHOLE_DOCUMENT if one.source == CHAPTER else min(reach, _WHOLE_DOCUMENT), distance, -one.confidence)

    return sorted(found, key=rank)[:4]


def _holds(one: SymbolDefinition, occurrence: Occurrence) -> bool:
    """Within its blocks; a list that follows the formula in its section also speaks of it."""
    if one.source in (WORDS, ANNOTATION):
        # Another row of the same table may state another unit behind the same words.
        return one.first_block == occurrence.block and one.span.quote == occurrence.math.quote
    if one.first_block <= occurrence.block <= one.last_block:
        return True
    ahead = one.first_block - occurrence.block
    return 0 < ahead <= _LIST_REACH and one.source in _FOLLOWING and one.span.headings == occurrence.headings


def _target_kinds(label: str) -> list[tuple[QuantityKind, float]]:
    """What the formula's name says its own symbol is: all of the name, or its leading noun."""
    cleaned = clean_title(label)
    exact = kinds_for_words(cleaned)
    if exact:
        return [(item, 1.0 / (1 + rank)) for rank, item in enumerate(exact)]
    found = kinds_mentioned(cleaned)
    words = cleaned.casefold()
    return [(item, 0.15 if words.startswith(item.name.casefold()) else 0.03) for item, _ in found[:4]]


def _earlier(name: str, occurrence: Occurrence, context: Context) -> dict[Vector, float]:
    """How often a dimension was settled for this symbol, or for its letter, nearby and in the document, as shares."""
    counts: dict[Vector, float] = {}
    for key, near in ((section_key(occurrence), 1.0), ("", 0.15)):
        # A constant has a letter of its own: what N is says nothing of N_A.
        by_letter = 0.0 if constants_for_symbol(name) else 0.4
        for known, same in ((name, 1.0), (letter_of(name), by_letter)):
            for vector, count in context.settled.get((key, known), {}).items():
                counts[vector] = counts.get(vector, 0.0) + near * same * count
    total = sum(counts.values()) + 1.0
    return {vector: 3.0 * count / total for vector, count in counts.items()}


def numerical_relation(occurrence: Occurrence, equation: Equation, label: Label, context: Context) -> KnownMatch | None:
    """The known relation between numbers of certain units that a formula surely is, as one between quantities."""
    names = equation_symbols(equation)
    definitions = {name: in_scope(said_of(context.definitions, name, names), occurrence) for name in names}
    match = numerical_match(equation, definitions, _stems_around(occurrence, label), context.votes)
    return None if match is None else replace(match, relation=replace(match.relation, is_numerical=False))


def recognise(match: KnownMatch, occurrence: Occurrence, label: Label, context: Context) -> None:
    """Remember what the symbols of a formula mean that is surely a known relation, for other formulas with them; its
    field speaks for other letters only where a word around says that the document is about it."""
    if is_spoken_of(match, _stems_around(occurrence, label)):
        context.votes.add(match)
    for name, place in match.places.items():
        if speaks_for(match, name):
            meaning = meaning_at(name, place)
            for section in (section_key(occurrence), ""):
                counts = context.recognised.setdefault((section, name), {})
                counts[meaning] = counts.get(meaning, 0.0) + match.share


def _elsewhere(name: str, occurrence: Occurrence, context: Context) -> list[tuple[float, SymbolMeaning]]:
    """What a symbol means in other formulas of the document, and in the fields that the document is about."""
    found: dict[SymbolMeaning, float] = {}
    is_lone = not split_name(name).subscripts and len(split_name(name).letter) == 1
    part = _ELSEWHERE["elsewhere_lone_letter"] if is_lone else 1.0
    for section, reach in ((section_key(occurrence), "elsewhere_in_section"), ("", "elsewhere")):
        counts = context.recognised.get((section, name), {})
        total = sum(counts.values())
        for meaning, count in counts.items():
            found[meaning] = max(found.get(meaning, 0.0), part * _ELSEWHERE[reach] * count / total)
    for weight, meaning in usual_in_fields(name, context.votes):
        found[meaning] = found.get(meaning, 0.0) + weight
    return [(weight, meaning) for meaning, weight in found.items()]


def letter_of(name: str) -> str:
    """A key for all symbols of one letter: V, V_1 and Delta_V are mostly one quantity."""
    return f"letter {split_name(name).letter}"


def section_key(occurrence: Occurrence) -> str:
    """One key for the formulas of a section, two headings deep."""
    return " / ".join(occurrence.headings[:2])
