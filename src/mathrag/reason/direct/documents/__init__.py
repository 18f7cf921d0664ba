"""Questions about documents themselves, answered by what stands in them: facts, counts, cells of tables, quotes.

No model is asked. A question is taken only where every word of it is accounted for; where several documents, rows or
columns could be meant and the answer differs, they are named and nothing is answered. What can be computed from
formulas is left to the formulas: values with units make a question theirs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from mathrag.language.word_classes import word_class, word_pairs
from mathrag.reason.direct.documents.asked import LONGEST, Asked, asked_of
from mathrag.reason.direct.documents.between import look_up_between
from mathrag.reason.direct.documents.cell_numbers import cell_number
from mathrag.reason.direct.documents.cells import look_up_cells
from mathrag.reason.direct.documents.facts import Desk, look_up_fact
from mathrag.reason.direct.documents.numbered import numbered
from mathrag.reason.direct.documents.outright import THIS_PAPER, OneDocument, Outright, are_papers, named_outright
from mathrag.reason.direct.documents.parameters import look_up_parameter
from mathrag.reason.direct.documents.parted import split_parts
from mathrag.reason.direct.documents.quotes import (
    look_up_document,
    look_up_passages,
    look_up_stated,
)
from mathrag.reason.direct.documents.seams import DocumentParts, Found, Looked, Source, Unclear
from mathrag.reason.direct.documents.stated import look_up_value
from mathrag.reason.direct.documents.stated.meanings import look_up_meaning
from mathrag.reason.direct.documents.stated.near import look_up_all_words, look_up_near
from mathrag.reason.direct.documents.stated.sentences import laid_passages
from mathrag.reason.direct.documents.stated.symbols import look_up_symbols
from mathrag.reason.direct.documents.which import Meant, documents_meant, shown_name, without_kinds
from mathrag.retrieve.document_parts import DocumentCard
from mathrag.types.answer import Citation, LookedUp, Refusal, Reply
from mathrag.types.document import Place
from mathrag.types.library import Span
from mathrag.types.question import Given

__all__ = ["DocumentParts", "answer_documents", "answer_documents_late", "are_papers", "named_documents"]

# More documents than this are not looked through one by one; the question must name one.
_MOST_DOCUMENTS, _FEW_DOCUMENTS, _MOST_LISTED, _LONGEST_QUOTE = 60, 10, 8, 1_500
_LEAST_CLAUSE = 3
# A document of more passages is a book.
_LONGEST_PAPER = 250
_DIGITS = re.compile(r"\d+")
# Signs that a document may be named: quotation marks, others as authors, a year, a file.
_NAMING = re.compile(r"[\"“]|\b(?:et al|(?:19|20)\d\d)\b|\.(?:pdf|docx?|md|html?|tex|xlsx|xlsm|ods)\b", re.IGNORECASE)

_Lookup = Callable[[Desk], Looked]
_STATED: tuple[_Lookup, ...] = (look_up_symbols, look_up_value, look_up_near)


def answer_documents(text: str, givens: Sequence[Given], parts: DocumentParts) -> Reply | Refusal | None:
    """What the documents of a library say to a question about them; None where it is not plainly such a question."""
    named = named_outright(text, givens, parts) if len(text) <= LONGEST else None
    if named is None:
        named = _the_only(text, givens, parts)
    if named is None:
        return _of_library(text, givens, parts)
    found = _of_one(named, OneDocument(parts, named.card))
    return None if found is None else replace(found, question=text)


def _of_library(text: str, givens: Sequence[Given], parts: DocumentParts) -> Reply | Refusal | None:
    asked = asked_of(text)
    if asked is None or not _speaks_of_documents(asked):
        return None
    cards = parts.documents()
    if not cards:
        return None
    chosen = look_up_document(asked, cards, parts)
    if isinstance(chosen, Unclear):
        return _refusal(text, chosen)
    if chosen is not None:
        return _documents_reply(text, chosen)
    meant = _meant(asked, parts)
    if _has_values(meant.asked, givens):
        # A name may look like a value ("Model 8B"): where a table accounts for all of it, it is one.
        named = meant.is_spoken_of and (meant.is_named or meant.asked.selected("table"))
        cell = _of_any(text, meant, parts, (look_up_cells,)) if named else None
        if isinstance(parts, OneDocument) and meant.asked.selected("table"):
            return cell if cell is not None else _nothing(text, meant, parts)
        return cell if isinstance(cell, Reply) else None
    if not _is_anchored(meant):
        # "Who wrote it" can be about the documents of the library; nothing but a plain fact is looked up for it.
        return _of_any(text, meant, parts, (look_up_fact,)) if _points(asked) else None
    # "The transpose of the table" speaks of no document: what that means is for dictionaries to say.
    meanings = (look_up_meaning,) if meant.is_named or meant.is_spoken_of else ()
    lookups = (look_up_fact, look_up_parameter, *meanings, look_up_passages, look_up_cells)
    found = _two_answers(text, givens, parts) or _of_any(text, meant, parts, lookups)
    return found if found is not None else _nothing(text, meant, parts)


# ---- one document that is named outright


def _the_only(text: str, givens: Sequence[Given], parts: DocumentParts) -> Outright | None:
    """The only document of a library, where it is a paper and the question speaks of "the paper" or "this study"."""
    cards = parts.documents()
    if len(cards) != 1 or len(text) > LONGEST or _THE_PAPER.search(text) is None or not are_papers(cards, parts):
        return None
    return Outright(_THE_PAPER.sub(THIS_PAPER, text), tuple(givens), cards[0])


def _of_one(named: Outright, parts: DocumentParts) -> Reply | Refusal | None:
    """What the one document says that is named: all of the question in one, or each of its parts."""
    if len(split_parts(named.text)) > 1:
        several = _several_answers(named, parts)
        if isinstance(several, Reply) and not several.warnings:
            return several
        whole = _whole_answer(named.text, named.givens, parts)
        return whole if isinstance(whole, Reply) else several or whole
    return _whole_answer(named.text, named.givens, parts)


def _whole_answer(text: str, givens: Sequence[Given], parts: DocumentParts) -> Reply | Refusal | None:
    found = _of_library(text, givens, parts)
    if isinstance(found, Reply) or _has_selected_table(text) or not are_papers(parts.documents(), parts):
        # A document of formulas is asked for them first.
        return found
    late = _late(text, givens, parts)
    return late if isinstance(late, Reply) else found or late


def _has_selected_table(text: str) -> bool:
    asked = asked_of(text)
    return asked is not None and bool(asked.selectors)


def _several_answers(named: Outright, parts: DocumentParts) -> Reply | None:
    """The answers to the parts of a question, and which of them has none; None where no part has one."""
    clauses = split_parts(named.text)
    answers = [_whole_answer(each, named.givens, parts) for each in clauses]
    found = [each for each in answers if isinstance(each, Reply)]
    if not found:
        return None
    open_parts = [clause for clause, each in zip(clauses, answers, strict=True) if not isinstance(each, Reply)]
    said = list(dict.fromkeys(each.text for each in found))
    warnings = tuple(f"not answered: {_without_this(clause, named.card)}" for clause in open_parts)
    return replace(
        found[0],
        text=" ".join(said),
        citations=tuple(dict.fromkeys(each for one in found for each in one.citations)),
        working=tuple(line for one in found for line in one.working),
        warnings=(*(each for one in found for each in one.warnings), *warnings),
        looked_up=found[0].looked_up if len(answers) == 1 else None,
    )


def _without_this(clause: str, card: DocumentCard) -> str:
    return clause.replace(THIS_PAPER, shown_name(card))


# "The study" is the document; "the user study" and "Study 2" are things in it.
_THE_PAPER = re.compile(
    r"\b(?:the|this)\s+(?:paper|article|study|manuscript|preprint|publication)\b(?!\s+\d)", re.IGNORECASE
)
# Between two questions in one: the second begins with a word that asks.
_SECOND = re.compile(r"(?:,? (?:and|i\.e\.),? |[?;] +)(?=(?:(?:on|in) )?(?:which|what|how|where|who)\b)", re.IGNORECASE)
_IT = re.compile(r"\bit\b", re.IGNORECASE)


def _two_answers(text: str, givens: Sequence[Given], parts: DocumentParts) -> Reply | None:
    """The answers to two questions in one sentence, where both have one: what "it" is in the second, the first says."""
    clauses = _SECOND.split(text)
    if len(clauses) != 2 or any(len(clause.split()) < _LEAST_CLAUSE for clause in clauses):
        return None
    first = answer_documents(clauses[0], givens, parts)
    if not isinstance(first, Reply) or not first.citations:
        return None
    asked = asked_of(clauses[0])
    card = next((one for one in parts.documents() if one.id == first.citations[0].document), None)
    if asked is None or card is None:
        return None
    named = asked.selectors[0] if len(asked.selectors) == 1 else None
    # "It" is the part that was named, or the document.
    meant = [f"{named.kind} {named.written}"] if named is not None and not named.is_ordinal else []
    asked_again = [f"{_IT.sub(it, clauses[1]).rstrip(' ?.')} in {card.name}?" for it in (*meant, THIS_PAPER)]
    replies = (answer_documents(one, givens, parts) for one in asked_again)
    second = next((one for one in replies if isinstance(one, Reply)), None)
    if second is None:
        return None
    citations = tuple(dict.fromkeys((*first.citations, *second.citations)))
    working = (*first.working, *second.working)
    said = " ".join(dict.fromkeys((first.text, second.text)))
    return replace(first, question=text, text=said, citations=citations, working=working)


def _meant(asked: Asked, parts: DocumentParts) -> Meant:
    """The documents that a question may mean; the one that is named outright is not looked for again."""
    if isinstance(parts, OneDocument):
        return Meant((parts.card,), without_kinds(asked), is_named=True, is_spoken_of=True)
    return documents_meant(asked, parts.documents())


def _is_anchored(meant: Meant) -> bool:
    """Whether the question speaks of a document or of a part of one in so many words."""
    asked = meant.asked
    if meant.is_spoken_of or meant.is_named or asked.selectors or asked.counted():
        return True
    telling = word_class("documents.telling") | word_pairs("documents.parts").keys()
    return any(word.lower in telling for word in asked.words)


def _points(asked: Asked) -> bool:
    return any(word.lower in ("it", "its", "this") for word in asked.words)


def answer_documents_late(text: str, givens: Sequence[Given], parts: DocumentParts) -> Reply | Refusal | None:
    """What documents say to a question which no formula could answer."""
    named = named_outright(text, givens, parts) if len(text) <= LONGEST else None
    if named is None:
        return _late(text, givens, parts)
    found = _late(named.text, named.givens, OneDocument(parts, named.card))
    return None if found is None else replace(found, question=text)


def _late(text: str, givens: Sequence[Given], parts: DocumentParts) -> Reply | Refusal | None:
    """What lies between rows of a table; sentences of a document that the question speaks of; in a small library cells
    whose row and column it names, and the sentences of the one document that have all its words."""
    asked = asked_of(text)
    cards = parts.documents()
    if asked is None or not cards:
        return None
    between = _between_rows(text, asked, givens, parts)
    if between is not None:
        return between
    is_small = len(cards) <= _FEW_DOCUMENTS
    if not is_small and not _speaks_of_documents(asked):
        return None
    meant = _meant(asked, parts)
    if not meant.documents:
        return None
    if _has_values(meant.asked, givens):
        # A name may look like a value ("Set 20K"): where a table accounts for all of it, it is one.
        found = _of_any(text, meant, parts, (look_up_cells,)) if is_small else None
    elif not _is_anchored(meant):
        return _of_one_paper(text, meant, parts) if is_small else None
    else:
        is_spoken_of = meant.is_spoken_of
        return _stated_or_quoted(text, meant, parts, _STATED, look_up_all_words) if is_spoken_of else None
    return found if isinstance(found, Reply) else None


def _of_one_paper(text: str, meant: Meant, parts: DocumentParts) -> Reply | Refusal | None:
    """The answer where no document is spoken of, in a small library: a parameter, a cell, what papers state."""
    found = _of_any(text, meant, parts, (look_up_parameter, look_up_cells))
    if isinstance(found, Reply):
        return found
    # In a book the same words are said of many things; it must be spoken of.
    has_book = any(len(laid_passages(parts, card.id)) > _LONGEST_PAPER for card in meant.documents)
    return _stated_or_quoted(text, meant, parts, () if has_book else (look_up_value,), look_up_stated)


def _stated_or_quoted(
    text: str, meant: Meant, parts: DocumentParts, stated: Sequence[_Lookup], quoted: _Lookup
) -> Reply | Refusal | None:
    """The fact that is asked for; where sentences differ on it or none states it, sentences with all the words; else
    why the fact is not clear."""
    value = _of_any(text, meant, parts, stated)
    if isinstance(value, Reply):
        return value
    found = _of_any(text, meant, parts, (quoted,))
    return found if isinstance(found, Reply) else value


def named_documents(text: str, parts: DocumentParts) -> tuple[DocumentCard, ...]:
    """The documents that a question names and asks about ("in the tide paper"); none where it names none surely."""
    outright = named_outright(text, (), parts) if len(text) <= LONGEST else None
    if outright is not None:
        return (outright.card,)
    asked = asked_of(text)
    if asked is None or not _speaks_of_documents(asked):
        return ()
    meant = documents_meant(asked, parts.documents())
    return meant.documents if meant.is_named and meant.is_spoken_of and meant.other is None else ()


def _between_rows(text: str, asked: Asked, givens: Sequence[Given], parts: DocumentParts) -> Reply | Refusal | None:
    """The value of a table at the values of a question, also between its rows; a refusal where it ends before."""
    if not any(not given.implied and any(reading.unit.text for reading in given.readings) for given in givens):
        return None
    meant = _meant(asked, parts)
    if not 0 < len(meant.documents) <= _FEW_DOCUMENTS:
        return None
    return _of_any(text, replace(meant, asked=asked), parts, (lambda desk: look_up_between(desk, givens),))


def _speaks_of_documents(asked: Asked) -> bool:
    """Whether a word may mean a document or a part of one: what costs nothing to find out comes first."""
    if asked.selectors or asked.counted() or _points(asked) or _NAMING.search(asked.text) is not None:
        return True
    telling = word_class("documents.kinds") | word_class("documents.telling") | word_pairs("documents.parts").keys()
    return any(word.lower in telling or word.text[0].isupper() for word in asked.words[1:])


def _has_values(asked: Asked, givens: Sequence[Given]) -> bool:
    """Whether values are given that formulas could take: those with units, and those assigned to symbols."""
    numbers = {each.written for each in asked.selectors}
    numbers |= {asked.words[place].text for place in asked.used}
    for given in givens:
        digits = _DIGITS.findall(given.text)
        if given.implied or not digits or frozenset(digits) <= numbers:
            continue
        has_unit = any(reading.unit.text for reading in given.readings)
        if has_unit or (given.symbol and not asked.selected("table")):
            return True
    return False


def _of_any(text: str, meant: Meant, parts: DocumentParts, lookups: Sequence[_Lookup]) -> Reply | Refusal | None:
    """The answer of the first way to look it up that has one, over all documents that may be meant."""
    if len(meant.documents) > _MOST_DOCUMENTS:
        if not meant.is_spoken_of:
            return None
        return _refusal(text, Unclear("the library holds many documents; name the one that is meant"))
    for lookup in lookups:
        found = _agreed(text, meant, parts, lookup)
        if found is not None:
            return found
    return None


def _agreed(text: str, meant: Meant, parts: DocumentParts, lookup: _Lookup) -> Reply | Refusal | None:
    looked = _looked(meant, parts, lookup)
    if meant.other is not None and not any(isinstance(one, Found) for _, one in looked):
        # The words that name a document may as well name a row of a table.
        looked = _looked(meant.other, parts, lookup) or looked
    sure = [(card, one) for card, one in looked if isinstance(one, Found)]
    if len(sure) == 1 and (len(looked) == 1 or lookup is look_up_cells):
        return _reply(text, *sure[0])
    if sure:
        if len({one.core for _, one in sure}) == 1 and len(looked) == len(sure):
            return _reply(text, *sure[0])
        listed = tuple(f"{shown_name(card)}: {one.core[:80]}" for card, one in sure[:_MOST_LISTED])
        others = f" and {len(sure) - _MOST_LISTED} more" if len(sure) > _MOST_LISTED else ""
        reason = f"several documents can be meant, and they differ: {'; '.join(listed)}{others}"
        return _refusal(text, Unclear(reason, ("name the document",)))
    if not looked:
        return None
    if len(looked) == 1 or len(meant.documents) == 1:
        card, one = looked[0]
        assert isinstance(one, Unclear)
        return replace(_refusal(text, one), citations=_citations(card, one.sources))
    names = "; ".join(shown_name(card) for card, _ in looked[:_MOST_LISTED])
    return _refusal(text, Unclear(f"several documents can be meant, and none answers surely: {names}", ("name one",)))


def _looked(meant: Meant, parts: DocumentParts, lookup: _Lookup) -> list[tuple[DocumentCard, Found | Unclear]]:
    found = []
    for card in meant.documents:
        one = lookup(Desk(meant.asked, card, parts))
        if one is not None:
            found.append((card, one))
    return found


def _nothing(text: str, meant: Meant, parts: DocumentParts) -> Refusal | None:
    """That nothing was found, where the question can be about nothing but a document: a numbered table or figure, or
    the number of its parts."""
    kinds = [each for each in meant.asked.selectors if each.kind in ("table", "figure")]
    if kinds and len(meant.documents) <= _MOST_DOCUMENTS:
        named = kinds[0]
        have = [card for card in meant.documents if numbered(named.kind, card, parts).select(named) is not None]
        if have:
            where = "; ".join(shown_name(card) for card in have[:_MOST_LISTED])
            said = f"{named.kind.title()} {named.written} ({where}) does not answer this by the names in it"
            return _refusal(text, Unclear(said, ("name a row and a column as the table does",)))
        if meant.is_spoken_of:
            return _refusal(text, Unclear(f"no {named.kind} {named.written} was read in the document"))
        return None
    if meant.is_spoken_of and meant.asked.counted() and not meant.asked.left("documents.parts"):
        return _refusal(text, Unclear("that cannot be counted from what was read of the document"))
    return None


def _refusal(text: str, unclear: Unclear) -> Refusal:
    return Refusal(text, "unsure", unclear.reason, suggestions=unclear.suggestions)


def _reply(text: str, card: DocumentCard, found: Found) -> Reply:
    return Reply(
        text,
        found.text,
        citations=_citations(card, found.sources),
        working=found.working,
        warnings=found.warnings,
        looked_up=_looked_up(found.number) if found.number else None,
    )


def _citations(card: DocumentCard, sources: Sequence[Source]) -> tuple[Citation, ...]:
    return tuple(
        Citation(
            card.id, card.title or card.name, Span(card.id, each.place, each.quote, each.headings), label=each.label
        )
        for each in sources
    )


def _looked_up(printed: str) -> LookedUp:
    """A number of a document with its value and its unit, where it is one number."""
    points = " percentage points"
    number = cell_number(printed.removesuffix(points))
    if number is None:
        return LookedUp(printed)
    is_whole = number.value == number.value.to_integral_value()
    value = int(number.value) if is_whole and not number.decimals else float(number.value)
    return LookedUp(printed, value, points.strip() if printed.endswith(points) else number.unit)


def _documents_reply(text: str, cards: Sequence[DocumentCard]) -> Reply:
    shown = cards[:_MOST_LISTED]
    citations = tuple(
        Citation(card.id, card.title or card.name, Span(card.id, Place(), card.abstract[:_LONGEST_QUOTE] or card.title))
        for card in shown
    )
    return Reply(text, f"By title and abstract: {'; '.join(map(shown_name, shown))}.", citations=citations)
