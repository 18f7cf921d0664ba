"""Whether a number of a sentence belongs to what is asked: "48 participants", "a learning rate of 3e-4", "was kept at
21 °C". What is only near it does not count; nor does a number that another word of the sentence narrows otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from mathrag.language.word_classes import word_class
from mathrag.reason.direct.documents.stated.names import stated_names
from mathrag.reason.direct.documents.stated.sentences import Sentence, clause_of, has_value_between, is_stated
from mathrag.reason.direct.documents.stated.times import stated_times
from mathrag.reason.direct.documents.stated.values import Piece, Value
from mathrag.reason.direct.documents.stated.wanted import Wanted, is_plural, people_keys
from mathrag.reason.direct.documents.words import class_keys

_MOST_ADJECTIVES, _REACH, _PART_REACH = 4, 14, 6
P_VALUE = ("p", "valu")
_LONG = ("long",)
_VERB_REACH = 9
_BE = word_class("stated.passives")
_PAST = word_class("stated.set_to") | word_class("stated.lasting")


@dataclass(frozen=True, slots=True)
class Attached:
    """A value that a sentence states of what is asked, with the places of its first and last piece there. `distance` is
    0 where every word that narrows the question stands in the sentence and its verb is about the number, else more."""

    value: Value
    sentence: Sentence
    first: int
    last: int
    distance: int = 0


def attached_values(wanted: Wanted, sentence: Sentence) -> Iterator[Attached]:
    """The values of a sentence that are those asked for."""
    if sentence.is_foreign or any(piece.lower == "respectively" for piece in sentence.pieces):
        return
    found = {"count": _counts, "share": _shares, "quantity": _quantities, "time": _spans, "name": _names_beside}
    for one in found[wanted.sort](wanted, sentence):
        if is_stated(sentence.pieces, one.first, wanted.all_keys):
            narrowed = _narrowed(wanted, one)
            if narrowed is not None:
                yield narrowed


# ---- the words that narrow the question


def _narrowed(wanted: Wanted, one: Attached) -> Attached | None:
    """The value with how far the words stand that narrow it; None where one is missing or belongs to another value."""
    distance = one.distance
    for key in wanted.narrowing:
        places = _places(one.sentence.pieces, {key})
        if any(_is_tied(one, at) for at in places):
            continue
        if wanted.sort == "quantity" and any(_is_subject(one, at) for at in places):
            distance = max(distance, 1)
            continue
        if key in one.sentence.keys:
            return None
        if wanted.sort != "quantity" or key not in one.sentence.headings | one.sentence.before:
            return None
        distance = max(distance, 2)
    # What says itself of what it speaks is not spoken of what stands before it.
    return None if distance > 1 and _is_qualified(one) else replace(one, distance=distance)


def _is_qualified(one: Attached) -> bool:
    """Whether the sentence says of what the value is: "the length of the rod was", "was 0.1 for the rod"."""
    pieces = one.sentence.pieces
    inside = [piece for piece in pieces[one.first + 1 : one.last] if piece.is_word]
    prepositions = word_class("grammar.plain_prepositions")
    within = any(piece.lower in prepositions for piece in inside[:-1])
    behind = pieces[one.last + 1].lower if one.last + 1 < len(pieces) else ""
    return within or behind in prepositions


def _places(pieces: Sequence[Piece], keys: frozenset[str] | set[str]) -> list[int]:
    return [at for at, piece in enumerate(pieces) if piece.is_word and piece.key in keys]


def _is_tied(one: Attached, at: int) -> bool:
    """Whether nothing between a word and a value makes the word say something of something else."""
    if one.first <= at <= one.last:
        return True
    pieces, near = one.sentence.pieces, one.first if at < one.first else one.last
    if at not in clause_of(pieces, near) or has_value_between(pieces, near, at):
        return False
    return at < near or not (_is_restricted(pieces, near, at) or _is_of_next(pieces, near, at))


def _is_of_next(pieces: Sequence[Piece], near: int, at: int) -> bool:
    """Whether a word behind a comma or an "and" belongs to the next value: "is 65 kg, the cart's is 12 kg"."""
    is_parted = any(piece.lower in (",", "and", "or") for piece in pieces[near + 1 : at])
    links = word_class("stated.links") | {"of", "=", ":", "("}
    behind = range(at + 1, min(len(pieces), at + _PART_REACH))
    return is_parted and any(pieces[spot].value is not None and pieces[spot - 1].lower in links for spot in behind)


def _is_subject(one: Attached, at: int) -> bool:
    """Whether only values with names of their own stand between a word and the value: "the beam has a length of 4 m and
    a depth of" says both of the beam."""
    pieces = one.sentence.pieces
    if at >= one.first or at not in clause_of(pieces, one.first):
        return False
    between = [place for place in range(at + 1, one.first) if pieces[place].value is not None]
    return all(
        pieces[place - 1].lower in ("of", "=", ":") and pieces[place + 1].lower in ("and", ",", "or", "with")
        for place in between
    )


def _is_restricted(pieces: Sequence[Piece], head: int, at: int) -> bool:
    """Whether a word stands in a clause that says which of the things are meant: "12 people who took part fell ill"."""
    return any(
        pieces[place].lower in word_class("stated.relatives") and pieces[place - 1].text != ","
        for place in range(head + 1, at)
    )


# ---- times and names


def _spans(wanted: Wanted, sentence: Sentence) -> Iterator[Attached]:
    return (Attached(value, sentence, first, last) for value, first, last in stated_times(wanted, sentence))


def _names_beside(wanted: Wanted, sentence: Sentence) -> Iterator[Attached]:
    return (Attached(value, sentence, first, last) for value, first, last in stated_names(wanted, sentence))


# ---- how many things


def numbers_beside(wanted: Wanted, sentence: Sentence) -> Iterator[Value]:
    """The numbers of the things that are asked for, whatever the sentence says of them."""
    for head in _heads(wanted, sentence.pieces):
        for first, last in _numbers_of(sentence.pieces, head):
            value = sentence.pieces[first].value or sentence.pieces[last].value
            if value is not None:
                yield value


def _heads(wanted: Wanted, pieces: Sequence[Piece]) -> list[int]:
    heads = {wanted.head} | (people_keys() if wanted.head in people_keys() else frozenset())
    return _places(pieces, heads)


def _counts(wanted: Wanted, sentence: Sentence) -> Iterator[Attached]:
    pieces = sentence.pieces
    for head in _heads(wanted, pieces):
        for first, last in _numbers_of(pieces, head):
            value = pieces[first].value or pieces[last].value
            one = Attached(value, sentence, first, last) if value is not None else None
            if one is not None and value is not None and _counts_wanted(wanted, one, head):
                yield replace(one, distance=int(_is_circumstance(wanted, pieces, first)))


def _is_circumstance(wanted: Wanted, pieces: Sequence[Piece], first: int) -> bool:
    """Whether a number only says where something was done ("measured the slope in 12 lakes"), and the question does not
    say that it was done there."""
    before = pieces[first - 1].lower if first else ""
    is_asked = first > 1 and pieces[first - 2].key in wanted.all_keys
    return not is_asked and before in word_class("grammar.plain_prepositions") - {"of", "from"}


def _numbers_of(pieces: Sequence[Piece], head: int) -> Iterator[tuple[int, int]]:
    """Where the number of a noun stands: before it with adjectives between, or behind it as "(N = 48)"."""
    at = head - 1
    while at >= 0 and head - at <= _MOST_ADJECTIVES and pieces[at].is_word and not _ends_phrase(pieces[at]):
        at -= 1
    value = pieces[at].value if at >= 0 else None
    if value is not None and value.is_plain and _fits_number(value, pieces[head]) and not is_labelled(pieces, at):
        yield at, head
    behind = [piece.lower for piece in pieces[head + 1 : head + 4]]
    if behind == ["(", "n", "="] and head + 4 < len(pieces) and _is_whole(pieces[head + 4].value):
        yield head, head + 4
    leading = [piece.lower for piece in pieces[max(0, head - 3) : head] if piece.lower != "the"]
    if leading[-2:] == ["number", "of"]:
        yield from ((head, end) for end in _behind_links(pieces, head) if _is_whole(pieces[end].value))


def _is_whole(value: Value | None) -> bool:
    return value is not None and value.is_plain


def _fits_number(value: Value, noun: Piece) -> bool:
    """A plural behind any number but one: "48 participant groups" counts groups."""
    return is_plural(noun.text) or value.numbers[-1][0] == 1


def _ends_phrase(piece: Piece) -> bool:
    ends = ("prepositions", "auxiliaries", "subordinators", "conjunctions", "pronouns", "determiners")
    return any(piece.lower in word_class(f"grammar.{each}") for each in ends)


def is_labelled(pieces: Sequence[Piece], at: int) -> bool:
    """Whether a number is the name of what stands before it ("group 2 patients"), or a year."""
    value = pieces[at].value
    if value is None or value.kind in ("label", "date", "ordinal"):
        return True
    number = value.numbers[0][0]
    before = pieces[at - 1] if at else None
    may_be_year = len(value.numbers) == 1 and 1900 <= number <= 2100 and value.text.isdigit()
    if may_be_year and before is not None and before.lower in word_class("numbers.before_years") - {"of"}:
        return True
    if before is None or not before.is_word or before.lower in word_class("numbers.before_numbers"):
        return False
    if _is_verb(pieces, at - 1) or before.lower.endswith("ly") or _ends_phrase(before):
        return False
    return not value.text[0].isalpha()


def _is_verb(pieces: Sequence[Piece], at: int) -> bool:
    """Whether a word is surely a verb here: by its ending, or behind a subject that is a pronoun."""
    lower = pieces[at].lower
    if lower.endswith(("ed", "ing")) or pieces[at].key in class_keys("stated.taking_part"):
        return True
    return at > 0 and pieces[at - 1].lower in ("we", "they", "to", "i", "authors", "study", "paper")


def _counts_wanted(wanted: Wanted, one: Attached, head: int) -> bool:
    """Whether the number is that of all the things that are asked for, and not of a part of them."""
    pieces = one.sentence.pieces
    if not all(_is_in_phrase(one, head, key) for key in wanted.name[:-1]):
        return False
    if _is_part(wanted, one, head) or _is_listed(wanted, one, head):
        return False
    clause = [pieces[at] for at in clause_of(pieces, head) if pieces[at].is_word]
    is_end = any(piece.lower in word_class("stated.ranging") for piece in pieces[max(0, one.first - 2) : one.first])
    is_verb_asked = any(piece.key == wanted.verb for piece in clause)
    around = clause if is_verb_asked else [piece for piece in pieces if piece.is_word]
    leaving = word_class("stated.leaving")
    if is_end or any(piece.lower in leaving and piece.key not in wanted.all_keys for piece in around):
        return False
    if wanted.predicate:
        return any(_says(one, head, at, wanted.is_passive) for at in _places(pieces, {wanted.predicate}))
    return _takes_part(one, head, wanted.narrowing)


def _is_in_phrase(one: Attached, head: int, key: str) -> bool:
    """Whether an adjective of the question stands with the noun: before or right behind it ("in the control arm")."""
    pieces = one.sentence.pieces
    low = min(one.first, head)
    return any(low <= at <= head + _PART_REACH and _is_tied(one, at) for at in _places(pieces, {key}))


def _is_part(wanted: Wanted, one: Attached, head: int) -> bool:
    pieces, first = one.sentence.pieces, one.first
    before = [piece for piece in pieces[max(0, first - 4) : first] if piece.lower != "the"]
    if before and before[-1].lower in word_class("stated.partial"):
        return True
    if len(before) > 1 and before[-1].lower == "of":
        counting = before[-2].value is not None or before[-2].lower in word_class("stated.quantifiers") | {"out"}
        if counting:
            return True
    if before and before[-1].lower == "of" and len(before) == 1:
        # "Of the 48 participants, twelve": what follows is said of a part.
        return True
    behind = _outside(pieces, head + 1)[:_PART_REACH]
    parts = word_class("stated.parts_of_more")
    return any(pieces[at].lower in parts and pieces[at].key not in wanted.all_keys for at in behind)


def _outside(pieces: Sequence[Piece], start: int) -> list[int]:
    """The places behind one that are not in brackets of their own."""
    depth = pieces[start - 1].depth
    return [at for at in range(start, len(pieces)) if pieces[at].depth <= depth and pieces[at].text not in "()[]"]


def _is_listed(wanted: Wanted, one: Attached, head: int) -> bool:
    """Whether the number is one of several of the same things ("30 male and 18 female participants"), and the question
    does not say which."""
    pieces, first = one.sentence.pieces, one.first
    if len(wanted.name) > 1:
        return False
    if first and pieces[first - 1].lower in ("and", "or", ",", "plus", "&"):
        near = [piece for piece in pieces[max(0, first - 6) : first - 1] if piece.value is not None]
        if any(_is_whole(piece.value) for piece in near):
            return True
    clause = clause_of(pieces, head)
    others = [at for at in _places(pieces, {pieces[head].key}) if at in clause and at != head]
    return any(pieces[number].value != one.value for at in others for number, _ in _numbers_of(pieces, at))


def _says(one: Attached, head: int, at: int, is_passive: bool) -> bool:
    """Whether a verb of the sentence says what the question says of the things: before the number ("we excluded 4"), or
    behind the noun, in the passive with its auxiliary ("4 were excluded")."""
    pieces = one.sentence.pieces
    if not _is_tied(one, at) or one.first <= at <= one.last:
        return False
    if at < one.first:
        return _is_object(one, at)
    verbs = [place for place in _outside(pieces, head + 1) if place < at]
    has_auxiliary = any(pieces[place].lower in _BE for place in verbs)
    between = [pieces[place] for place in verbs]
    is_direct = all(_may_stand_before_verb(piece) for piece in between)
    return is_direct and has_auxiliary if is_passive else is_direct


def _may_stand_before_verb(piece: Piece) -> bool:
    if piece.lower in word_class("grammar.auxiliaries") or piece.lower in ("who", ",", "also", "then", "in", "total"):
        return True
    return piece.lower.endswith("ly")


def _takes_part(one: Attached, head: int, narrowing: frozenset[str]) -> bool:
    """Whether the sentence says that so many things there are, and not something else of so many of them."""
    pieces = one.sentence.pieces
    clause = clause_of(pieces, one.first)
    before = [at for at in clause if at < one.first and pieces[at].is_word]
    if any(pieces[at].key in class_keys("stated.taking_part") and _is_object(one, at) for at in before):
        return True
    if len(before) > 1 and pieces[before[-1]].lower in _BE and pieces[before[-2]].lower == "there":
        return True
    # "Trained on 8 machines", where the question asks how many were used for training.
    is_behind_verb = len(before) > 1 and pieces[before[-1]].lower in word_class("grammar.prepositions")
    if is_behind_verb and pieces[before[-2]].key in narrowing and pieces[before[-2]].lower.endswith("ed"):
        return True
    if one.last > head:
        is_whole = head == 0 or not pieces[head - 1].is_word or _ends_phrase(pieces[head - 1])
        return is_whole and any(_says_there_is(pieces[at]) for at in clause)
    return _takes_part_as_subject(pieces, head)


def _says_there_is(piece: Piece) -> bool:
    return piece.key in class_keys("stated.taking_part") or piece.lower in _BE


def _is_object(one: Attached, at: int) -> bool:
    """Whether a number is what the verb before it is about: "we recruited 48", and not "using a form, 12 reported"."""
    pieces = one.sentence.pieces
    if not _is_verb(pieces, at) or not _is_tied(one, at) or pieces[one.first - 1].lower in ("and", "or", ","):
        return False
    between = pieces[at + 1 : one.first]
    return not any(
        piece.text == "," or piece.lower in _BE or piece.lower == "that" or (piece.is_word and _is_past(piece))
        for piece in between
        if piece.depth <= pieces[one.first].depth
    )


def _takes_part_as_subject(pieces: Sequence[Piece], head: int) -> bool:
    """Whether the verb behind a noun says that what it counts takes part: in the passive, or by a verb for that."""
    actively = class_keys("stated.taking_part_actively")
    is_passive = False
    for at in _outside(pieces, head + 1):
        piece = pieces[at]
        if _is_taking_part(pieces, at):
            return True
        if piece.key in class_keys("stated.taking_part"):
            return is_passive or piece.key in actively
        if is_passive and piece.lower in word_class("grammar.prepositions"):
            return True
        is_passive = is_passive or piece.lower in _BE
        if not _may_stand_before_verb(piece):
            return False
    return False


def _is_taking_part(pieces: Sequence[Piece], at: int) -> bool:
    is_taking = pieces[at].lower in word_class("stated.taking")
    return is_taking and at + 1 < len(pieces) and pieces[at + 1].lower == "part"


# ---- shares: "39 % of the patients"


def _shares(wanted: Wanted, sentence: Sentence) -> Iterator[Attached]:
    pieces = sentence.pieces
    for head in _places(pieces, {wanted.head}):
        at = head - 1
        while at > 0 and head - at <= _MOST_ADJECTIVES + 1 and pieces[at].is_word and pieces[at].lower != "of":
            at -= 1
        value = pieces[at - 1].value if at > 0 and pieces[at].lower == "of" else None
        if value is None or value.is_list or not all(unit == "percent" for _, unit in value.numbers):
            continue
        one = Attached(value, sentence, at - 1, head)
        if not all(_is_in_phrase(one, head, key) for key in wanted.name[:-1]):
            continue
        if not wanted.predicate or any(_is_tied(one, spot) for spot in _places(pieces, {wanted.predicate})):
            yield one


# ---- the value of a quantity


def _quantities(wanted: Wanted, sentence: Sentence) -> Iterator[Attached]:
    if wanted.name == P_VALUE:
        # A paper has many of these: the question must say of what.
        if not wanted.narrowing:
            return
        yield from _p_values(sentence)
    for first, last in _names(wanted, sentence.pieces):
        yield from _values_of_name(wanted, sentence, first, last)
    if wanted.dimensions:
        yield from _values_of_verb(wanted, sentence)


def _p_values(sentence: Sentence) -> Iterator[Attached]:
    """The one p of a sentence, with its sign: "p = 0.03", "P < 0.001"."""
    pieces = sentence.pieces
    found = []
    for at, piece in enumerate(pieces[:-1]):
        if piece.lower != "p":
            continue
        end = at + 2 if pieces[at + 1].text == "=" and at + 2 < len(pieces) else at + 1
        value = pieces[end].value
        is_signed = value is not None and (end == at + 2 or value.text[0] in "<>≤≥")
        # Not the last letter of "b.p.", nor an index; a probability is a plain number up to 1.
        is_alone = not re.search(r"[\w.^{}\\]$", sentence.text[: piece.start])
        if value is not None and is_signed and is_alone and value.dimension is None and value.numbers[0][0] <= 1:
            found.append((at, end, value))
    for at, end, value in found if len(found) == 1 else ():
        sign = "" if value.text[0] in "<>≤≥" else "= "
        yield Attached(replace(value, text=f"{pieces[at].text} {sign}{value.text}"), sentence, at, end)


def _names(wanted: Wanted, pieces: Sequence[Piece]) -> Iterator[tuple[int, int]]:
    """Where the name of the quantity stands, word for word."""
    length = len(wanted.name)
    for last in _places(pieces, {wanted.head}):
        first = last - length + 1
        if first >= 0 and tuple(piece.key for piece in pieces[first : last + 1]) == wanted.name:
            yield first, last


def _values_of_name(wanted: Wanted, sentence: Sentence, first: int, last: int) -> Iterator[Attached]:
    pieces = sentence.pieces
    if _is_other_quantity(wanted, pieces, first):
        return
    is_joined = _is_joined(pieces, first)
    ends = list(_behind_links(pieces, last))
    for end in ends:
        value = pieces[end].value
        is_shared = is_joined and (value is None or value.is_list or _has_plural_link(pieces, last, end))
        is_whole = _fits(wanted, value) and not _goes_on(wanted, pieces, end) if value is not None else False
        if value is not None and is_whole and not is_shared and not _is_for_a_part(wanted, pieces, end):
            yield Attached(value, sentence, first, end)
    if not ends and (before := _value_before(pieces, first, last)) is not None:
        value = pieces[before].value
        if value is not None and _fits(wanted, value) and not _goes_on(wanted, pieces, last):
            yield Attached(value, sentence, before, last)


def _is_for_a_part(wanted: Wanted, pieces: Sequence[Piece], end: int) -> bool:
    """Whether what follows a value says of which case it is one ("45 per group"), and the question names none."""
    behind = pieces[end + 1].lower if end + 1 < len(pieces) else ""
    if behind == "per":
        return True
    return not wanted.narrowing and behind in word_class("stated.cases")


def _is_other_quantity(wanted: Wanted, pieces: Sequence[Piece], first: int) -> bool:
    """Whether a word before the name makes it one end or kind of the quantity which was not asked for."""
    before = pieces[first - 1] if first else None
    if before is None or not before.is_word or before.key in wanted.all_keys or _ends_phrase(before):
        return False
    # "The contact distance" is not the distance; a longer name says enough.
    is_vague = len(wanted.name) == 1 and not wanted.narrowing
    return is_vague or before.lower in word_class("stated.extremes")


def _is_joined(pieces: Sequence[Piece], first: int) -> bool:
    """Whether the name is one of several that share what is said: "temperature and pressure were"."""
    at = first - 1
    while at >= 0 and pieces[at].is_word and not _ends_phrase(pieces[at]) and first - at <= _MOST_ADJECTIVES:
        at -= 1
    while at >= 0 and pieces[at].lower in word_class("grammar.determiners"):
        at -= 1
    return at >= 0 and pieces[at].lower in ("and", "or", "&", ",")


def _has_plural_link(pieces: Sequence[Piece], last: int, end: int) -> bool:
    return any(piece.lower in word_class("stated.plural_links") for piece in pieces[last + 1 : end])


def _behind_links(pieces: Sequence[Piece], last: int) -> Iterator[int]:
    """The place of the value that is tied to a name by what stands between them."""
    for end in range(last + 1, min(len(pieces), last + _REACH)):
        if pieces[end].value is not None:
            if _links(pieces[last + 1 : end], pieces[end]):
                yield end
            return


def _links(between: Sequence[Piece], value: Piece) -> bool:
    """Whether what stands between a name and a number says that this is its value."""
    if not between:
        return value.value is not None and (
            value.value.dimension is not None or "." in value.text or "e-" in value.text
        )
    texts = [piece.lower for piece in between]
    if texts in (["of"], ["="], [":"], ["("], ["≈"], ["of", "the", "order", "of"]):
        return True
    if texts == ["(", "n", "="] or texts[-1:] == ["="]:
        return len(texts) <= 3 and all(len(each) == 1 for each in texts) and texts[0] == "("
    broken = word_class("stated.relatives") | word_class("stated.clause_ends") | {"and", "or", ",", ";", ":", "than"}
    if any(each in broken for each in texts) or any(piece.depth != between[-1].depth for piece in between):
        return False
    if texts[-1] in word_class("stated.links"):
        return _opens_with_preposition(texts[:-1])
    is_set = texts[-1] in word_class("stated.after_set") and len(texts) > 1
    return is_set and (texts[-2].endswith("ed") or texts[-2] in word_class("stated.set_to") | {"equal"})


def _opens_with_preposition(texts: Sequence[str]) -> bool:
    """Whether what stands between a name and its verb belongs to the name: "of the samples", "used in training"."""
    if not texts:
        return True
    has_verb = any(each in word_class("grammar.auxiliaries") for each in texts[:-1])
    return not has_verb and (texts[0] in word_class("grammar.prepositions") or texts[0].endswith("ed"))


def _value_before(pieces: Sequence[Piece], first: int, last: int) -> int | None:
    """The place of the value right before a name ("a 250 Hz sampling rate"), or before "as the"."""
    at = first - 1
    if at >= 0 and pieces[at].lower in word_class("grammar.determiners"):
        at -= 1
    if at > 0 and pieces[at].lower in ("as", "for") and pieces[at - 1].value is not None:
        return at - 1
    value = pieces[first - 1].value if first else None
    if value is None or value.is_list or pieces[last].lower in word_class("stated.named_by_percent"):
        return None
    is_article = first > 1 and pieces[first - 2].lower in ("a", "an", "the")
    return first - 1 if value.dimension is not None or is_article else None


def _fits(wanted: Wanted, value: Value) -> bool:
    """Whether a value can be one of the quantity: by its unit, where both are known."""
    if value.kind in ("label", "date", "ordinal", "compound"):
        return False
    if not wanted.dimensions or value.dimension is None:
        return not wanted.dimensions or any(each.is_dimensionless for each in wanted.dimensions)
    return value.dimension in wanted.dimensions


def _goes_on(wanted: Wanted, pieces: Sequence[Piece], end: int) -> bool:
    """Whether the sentence goes on with another value of the same quantity ("0.1 for A and 0.2 for B"), and no word of
    the question stands between the two."""
    mine = pieces[end].value
    for at in range(end + 1, min(len(pieces), end + _REACH)):
        if pieces[at].text in (";",):
            return False
        other = pieces[at].value
        if other is None:
            continue
        is_alike = mine is None or other.dimension == mine.dimension
        before = pieces[at - 1].lower
        asked = any(pieces[spot].is_word and pieces[spot].key in wanted.narrowing for spot in range(end + 1, at))
        is_next = before in ("and", "or", "to", "then", ",", "vs", "versus", "at", "but", "by")
        return is_alike and is_next and not asked and pieces[at].depth == pieces[end].depth
    return False


def _values_of_verb(wanted: Wanted, sentence: Sentence) -> Iterator[Attached]:
    """Values of the right dimension behind a verb of the question: "were kept at 21 °C", "sampled at 250 Hz"."""
    pieces = sentence.pieces
    verbs = wanted.narrowing | frozenset(wanted.name[:-1])
    if wanted.name == _LONG:
        verbs |= class_keys("stated.lasting")
    for at, piece in enumerate(pieces):
        value = piece.value
        if value is None or value.dimension is None or value.dimension not in wanted.dimensions or value.is_list:
            continue
        verb = _verb_before(pieces, at)
        if verb is None or pieces[verb].key not in verbs:
            continue
        alike = [spot for spot in clause_of(pieces, at) if _has_dimension(pieces[spot], wanted.dimensions)]
        missing = [key for key in wanted.name[:-1] if key not in sentence.keys]
        if len(alike) == 1 and not missing:
            yield Attached(value, sentence, verb, at)


def _verb_before(pieces: Sequence[Piece], at: int) -> int | None:
    """The place of the verb whose circumstance or object a value is: "soaked in 2 L of water for 3 days"."""
    for place in range(at - 1, max(-1, at - _VERB_REACH), -1):
        piece = pieces[place]
        if _is_past(piece):
            is_object = place == at - 1
            return place if is_object or pieces[at - 1].lower in word_class("stated.circumstances") else None
        is_plain = piece.is_word or piece.value is not None
        if not is_plain or piece.lower in word_class("grammar.auxiliaries") | word_class("grammar.conjunctions"):
            return None
    return None


def _is_past(piece: Piece) -> bool:
    return piece.is_word and (piece.lower.endswith("ed") or piece.lower in _PAST)


def _has_dimension(piece: Piece, dimensions: frozenset[object]) -> bool:
    return piece.value is not None and piece.value.dimension in dimensions
