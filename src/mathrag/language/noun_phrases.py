"""Noun phrases: where one ends when it is read on from a place, where it begins when read back, its clean words.

Used for what documents say of symbols and for the names of values in questions. Which quantity a phrase names is told
by `quantity_names`.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from mathrag.knowledge.constants import all_constants
from mathrag.knowledge.kinds import all_kinds
from mathrag.language.quantity_names import names_exactly, names_quantity
from mathrag.language.tokens import DASHES, OPENING, Token, closing_place, joined
from mathrag.language.unit_text import is_plain_unit, is_upright, may_have_unit, reads_as_unit, unit_run
from mathrag.language.word_classes import word_class

_DETERMINERS = word_class("grammar.determiners")
_PHRASE_ENDS = word_class("phrases.ends")
_BEFORE_STOPS = word_class("phrases.before_stops")
_CELESTIAL_BODIES = word_class("grammar.celestial_bodies")

_LONGEST = 14
_LEADING = word_class("phrases.leading")
_TRAILING = word_class("phrases.trailing")
_CLAUSE_BREAKS = word_class("phrases.clause_breaks")
_OBJECT_PREPOSITIONS = word_class("phrases.object_prepositions")
_UNIT_LEADS = word_class("phrases.unit_leads")
_AFTER_NAMES = word_class("phrases.after_proper_names")
_COPULAS = word_class("phrases.clause_verbs")
_PAIRING = word_class("phrases.pairing_nouns")
_COMMAND = re.compile(r"\\(?:mathrm|mathbf|mathit|text|textrm|vec|hat|bar|boldsymbol|mathbf|rm|bm|left|right|,|;|!)\s*")
_GREEK_COMMAND = re.compile(r"\\([A-Za-z]+)")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A description as found: clean words, the unit text if one is stated, and how many tokens it took."""

    words: str
    unit_text: str | None = None
    length: int = 0


def read_phrase(tokens: Sequence[Token]) -> Phrase:
    """The phrase at the start of the tokens."""
    reader = _PhraseReader(tokens)
    reader.run()
    return Phrase(clean(reader.words), reader.unit_text, reader.place)


class _PhraseReader:
    """One walk over the tokens; stops at what ends a noun phrase."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        self.words: list[str] = []
        self.unit_text: str | None = None
        self.place = 0

    def run(self) -> None:
        while self.place < len(self.tokens) and len(self.words) < 2 * _LONGEST:
            token = self.tokens[self.place]
            match token.kind:
                case "word":
                    goes_on = self.word(token)
                case "mark":
                    goes_on = self.mark(token)
                case "math":
                    goes_on = self.formula(token)
                case "number":
                    goes_on = self.number(token)
                case "break" | "value" | "symbol":
                    goes_on = False
            if not goes_on:
                return

    def word(self, token: Token) -> bool:
        lower = token.lower.rstrip(".")
        if lower in ("in", "with", "having", "has", "units", "unit") or lower in _UNIT_LEADS:
            unit = self.unit_ahead()
            if unit is not None:
                return self.take_unit(*unit)
        if lower in _PHRASE_ENDS and not (lower in ("known", "given", "measured", "used") and not self.has_noun()):
            if lower in ("called", "known", "termed", "as"):
                self.renamed()
            return False
        if lower in ("and", "or") and self.clause_follows():
            return False
        self.words.append(token.text)
        self.place += 1
        return True

    def has_noun(self) -> bool:
        """Whether more than articles was read: "the measured interval" goes on behind its participle."""
        return any(word.casefold() not in _DETERMINERS for word in self.words)

    def renamed(self) -> None:
        """`a proportionality factor called the gravitational constant`: the better name comes second."""
        after = self.place + 1
        if after < len(self.tokens) and self.tokens[after].lower == "as":
            after += 1
        if self.tokens[self.place].lower == "as" or after >= len(self.tokens):
            return
        second = read_phrase(self.tokens[after:])
        if second.words and (names_exactly(second.words) or not names_quantity(clean(self.words))):
            self.words = second.words.split()
            self.unit_text = second.unit_text or self.unit_text
            self.place = after + second.length

    def unit_ahead(self) -> tuple[str, int] | None:
        """A unit after "in", "measured in", "with units of": its text and the place behind it."""
        place = self.place
        steps = 0
        while place < len(self.tokens) and steps < 6:
            lower = self.tokens[place].lower
            if lower == "in" or (lower == "of" and self.tokens[place - 1].lower in ("units", "unit")):
                found = unit_run(self.tokens, place + 1)
                if found is not None:
                    return found
            elif lower in ("unit", "units") and (found := unit_run(self.tokens, place + 1)) is not None:
                return found
            elif lower not in _UNIT_LEADS and lower not in (
                "with",
                "having",
                "has",
                "units",
                "unit",
                "the",
                "si",
                "its",
            ):
                return None
            place += 1
            steps += 1
        return None

    def take_unit(self, text: str, place: int) -> bool:
        if self.unit_text is None:
            self.unit_text = text
        self.place = place
        # A qualifier may follow the unit ("the speed in m/s of the car"); what else follows belongs to the sentence.
        following = self.tokens[place] if place < len(self.tokens) else None
        return following is not None and (following.lower == "of" or following.text in ("(", "["))

    def mark(self, token: Token) -> bool:
        text = token.text
        if text in OPENING:
            return self.bracket(text)
        if text == ",":
            return self.comma()
        if text in ('"', "“", "”", "*", "'", "‘", "’", "`"):
            self.place += 1
            return True
        if text in ("/", "-", "‐", "‑", "+", "&") and not token.is_spaced and self.words:
            self.words[-1] += text
            self.place += 1
            if self.place < len(self.tokens) and self.tokens[self.place].kind == "word":
                self.words[-1] += self.tokens[self.place].text
                self.place += 1
            return True
        if text == "&":
            self.words.append("and")
            self.place += 1
            return True
        return False

    def bracket(self, opening: str) -> bool:
        """A unit in brackets is kept, a remark dropped."""
        end = closing_place(self.tokens, self.place)
        if end is None:
            return False
        inner = self.tokens[self.place + 1 : end]
        text = joined(inner)
        plural = not self.tokens[self.place].is_spaced and text in ("s", "es", "ies")
        if not plural and self.unit_text is None and reads_as_unit(text):
            self.unit_text = text
        elif self.unit_text is None and any(
            token.kind in ("mark", "word") and token.lower in (",", "in", ";") for token in inner
        ):
            self.unit_text = _unit_inside(inner)
        del opening
        self.place = end + 1
        return True

    def comma(self) -> bool:
        """Only a unit goes on after a comma: `density, kg/m³`, `speed, in m/s,`."""
        after = self.place + 1
        if after >= len(self.tokens):
            return False
        lead = after + 1 if self.tokens[after].lower == "in" else after
        if self.tokens[after].lower in _UNIT_LEADS:
            held, self.place = self.place, after
            unit = self.unit_ahead()
            self.place = held
            # Behind a comma it may speak of something else in the sentence.
            if unit is not None and may_have_unit(clean(self.words), unit[0]):
                return self.take_unit(*unit)
        found = unit_run(self.tokens, lead)
        if found is not None:
            return self.take_unit(*found)
        if self.tokens[after].text in ("[", "("):
            end = closing_place(self.tokens, after)
            if end is not None and reads_as_unit(joined(self.tokens[after + 1 : end])):
                self.unit_text = self.unit_text or joined(self.tokens[after + 1 : end])
                self.place = end + 1
        return False

    def formula(self, token: Token) -> bool:
        math = token.math
        if math is None or math.is_display or not self.words:
            return False
        if self.unit_text is None and is_upright(math) and reads_as_unit(math.source) and not token.symbols:
            self.unit_text = math.source
            self.place += 1
            return False
        symbols = token.symbols
        is_complete = names_exactly(clean(self.words)) and not any(word in _TRAILING for word in self.words)
        if not symbols or is_complete:
            return False
        is_short = math.notation == "latex" and len(math.source) < 30
        self.words.append(readable_symbol(math.source if is_short else symbols[0].letter))
        self.place += 1
        following = self.tokens[self.place] if self.place < len(self.tokens) else None
        if following is not None and following.kind == "word" and not following.is_spaced and following.lower == "th":
            self.words[-1] += following.text
            self.place += 1
        return True

    def number(self, token: Token) -> bool:
        following = self.tokens[self.place + 1] if self.place + 1 < len(self.tokens) else None
        if not self.words or not token.text.isdigit() or len(token.text) > 2:
            return False
        if following is not None and following.kind in ("word", "math") and is_plain_unit(following.text):
            return False
        self.words.append(token.text)
        self.place += 1
        return True

    def clause_follows(self) -> bool:
        """Whether a new clause starts after "and": it has a verb of its own before the next stop, or a new symbol."""
        if any(word.casefold() in _PAIRING for word in self.words):
            return False
        after = self.tokens[self.place + 1 : self.place + 3]
        if len(after) == 2 and after[0].symbols and after[1].lower in ("for", "the", "a", "an", "its", "their"):
            return True
        for token in self.tokens[self.place + 1 : self.place + 12]:
            if token.kind == "mark" and token.text in ",;.:":
                return False
            if token.kind == "math" and token.math is not None and token.math.is_display:
                return False
            if token.lower in _COPULAS:
                return True
        return False


def _unit_inside(inner: Sequence[Token]) -> str | None:
    """`(T, in K)`, `(m; kg)`: a unit beside the symbol."""
    for place, token in enumerate(inner):
        if token.lower in ("in", ",", ";"):
            found = unit_run(inner, place + 1)
            if found is not None and found[1] == len(inner):
                return found[0]
    return None


def clean(words: Sequence[str]) -> str:
    """Without leading articles and trailing particles, of bearable length, in lower case unless a name."""
    kept = [word for word in words if word not in DASHES]
    is_led = False
    while kept and kept[0].casefold() in _LEADING:
        is_led = kept[0].islower()
        del kept[0]
    if len(kept) > _LONGEST:
        ends = [place for place in range(4, _LONGEST) if kept[place].casefold() in _TRAILING]
        kept = kept[: ends[-1] if ends else _LONGEST]
    while kept and (kept[-1].casefold() if len(kept[-1]) > 1 else kept[-1]).rstrip(".,") in _TRAILING:
        del kept[-1]
    return " ".join(_in_lower_case(kept, is_led=is_led))


# Titles keep words up to this length small.
_SMALL_IN_TITLES = 3


def _in_lower_case(words: list[str], *, is_led: bool) -> list[str]:
    """The words without the capitals of a title or of a line's beginning. `is_led`: an article stood before them."""
    if not words:
        return words
    is_title = len(words) > 1 and all(word[:1].isupper() for word in words if len(word) > 3)
    # Behind "the" only a name has a capital, unless all words have one.
    is_name = is_led and len(words) > 1 and words[1][:1].islower() and words[0].casefold() not in _common_words()
    first = words[0] if is_name else uncapitalised(words[0], words[1].casefold() if len(words) > 1 else "")
    rest = [word.casefold() if is_title and _is_common(word) else word for word in words[1:]]
    return [first, *rest]


def title_in_lower_case(text: str) -> str:
    """The name of a quantity without the capitals of a title: `Net Profit Margin`, not those of a name in it."""
    words = text.split()
    is_title = len(words) > 1 and all(word[:1].isupper() for word in words if len(word) > _SMALL_IN_TITLES)
    following = [*(word.casefold() for word in words[1:]), ""]
    lowered = [
        word.lower() if word == "A" and 0 < place < len(words) - 1 else uncapitalised(word, following[place])
        for place, word in enumerate(words)
    ]
    return " ".join(lowered if is_title else [*lowered[:1], *words[1:]])


def _is_common(word: str) -> bool:
    return len(word) > 1 and word.casefold() in _common_words() and word not in _CELESTIAL_BODIES


def uncapitalised(word: str, following: str = "") -> str:
    """In lower case, unless it is a name: of a person by the list or before "number" and the like."""
    if len(word) < 2 or not word[0].isupper() or not word[1:].replace("-", "").replace("'", "").islower():
        return word
    bare = word.split("'")[0].split("’")[0].split("-")[0]
    if bare in _proper_words() or bare != word.split("-")[0]:
        return word
    if following in _AFTER_NAMES and word.casefold() not in _common_words():
        return word
    return word[0].lower() + word[1:]


@lru_cache(maxsize=1)
def _common_words() -> frozenset[str]:
    """Words that names of kinds use in lower case: no names of people."""
    return frozenset(word for kind in all_kinds() for name in kind.words for word in name.split() if word.islower())


@lru_cache(maxsize=1)
def _proper_words() -> frozenset[str]:
    """Words that keep their capital: names of people and abbreviations in the names of kinds and constants."""
    names = [name for kind in all_kinds() for name in kind.words]
    names.extend(name for constant in all_constants() for name in constant.names)
    return frozenset(word.split("'")[0].split("’")[0] for name in names for word in name.split() if word[:1].isupper())


def readable_symbol(latex: str) -> str:
    """A symbol of a description without its LaTeX: `\\mathrm{A}` as A, `\\theta` as theta."""
    text = _COMMAND.sub("", latex)
    return _GREEK_COMMAND.sub(r"\1", text).replace("{", "").replace("}", "").replace("$", "").strip()


# Reading back from a place.

_MOST_WORDS = 9
_SYMBOL_NOUNS = word_class("definitions.symbol_nouns")
_LINKS = frozenset(("of", "due", "to", "per"))
_ING_NOUNS = word_class("phrases.ing_nouns")
_LY_NOUNS = word_class("phrases.ly_nouns")
_ED_NOUNS = word_class("phrases.ed_nouns")
_ALSO_NOUNS = word_class("phrases.also_nouns")


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun phrase of a sentence, where it begins, and whether an article or the like makes it definite."""

    words: str
    start: int
    is_determined: bool


def run_start(last: int, *, longest: int, ends: Callable[[int], bool]) -> int:
    """Where the run of words begins that ends with the last token; `last + 1` where that one ends a phrase itself."""
    first = last + 1
    while first > 0 and last - first + 1 < longest and not ends(first - 1):
        first -= 1
    return first


def noun_before(tokens: Sequence[Token], place: int) -> Noun | None:
    """The noun phrase that ends right before a place."""
    first = run_start(place - 1, longest=_MOST_WORDS, ends=lambda index: _ends_noun(tokens, index, place))
    words = list(tokens[first:place])
    start = first - int(first > 0 and len(words) < _MOST_WORDS and _is_determiner(tokens, first - 1, place))
    is_determined = any(
        token.lower in _DETERMINERS and all(other.lower != "of" for other in tokens[index + 1 : place])
        for index, token in enumerate(tokens[start:place], start)
    )
    while words and words[0].lower in _LINKS:
        words.pop(0)
        start = first = first + 1
    return _chosen(words, start, is_determined)


def _is_determiner(tokens: Sequence[Token], index: int, place: int) -> bool:
    token = tokens[index]
    return token.kind == "word" and token.block == tokens[place - 1].block and token.lower in _DETERMINERS


def _ends_noun(tokens: Sequence[Token], index: int, place: int) -> bool:
    """Whether a noun phrase read back from a place does not reach this token."""
    token = tokens[index]
    before = tokens[index - 1].lower if index else ""
    if token.kind != "word" or token.block != tokens[place - 1].block:
        return True
    if token.lower in _DETERMINERS:
        # In "the length of the rod" the second article is inside.
        return before != "of"
    has_words = index < place - 1
    if token.lower in _LINKS:
        return token.lower == "per" or (token.lower == "to" and before != "due")
    if _stops(token, has_words) and not _is_noun_here(tokens, index, has_words):
        return True
    return _is_letter(token.text)


def _is_letter(text: str) -> bool:
    return len(text) == 1 and text.isalpha()


def _is_noun_here(tokens: Sequence[Token], index: int, has_words: bool) -> bool:
    """A verb form that belongs to the noun phrase: "the restoring force", "the yield"."""
    before = tokens[index - 1].lower if index else ""
    if before not in _DETERMINERS and before != "of":
        return False
    lower = tokens[index].lower
    return lower in _ALSO_NOUNS or (has_words and lower.endswith("ing"))


def _stops(token: Token, has_words: bool) -> bool:
    lower = token.lower
    if lower in _BEFORE_STOPS:
        return True
    if lower.endswith("ing") and lower not in _ING_NOUNS:
        return True
    if lower.endswith("ly") and lower not in _LY_NOUNS:
        return True
    return lower.endswith("ed") and not has_words and lower not in _ED_NOUNS


def _chosen(words: Sequence[Token], start: int, is_determined: bool) -> Noun | None:
    """Of "speed of light", "body of mass" and "length of the rod": the whole, the last noun, the whole."""
    if not words:
        return None
    text = " ".join(word.text for word in words)
    links = [place for place, word in enumerate(words) if word.lower in ("of", "due")]
    if not links:
        return Noun(clean([word.text for word in words]), start, is_determined)
    for link in [-1, *links]:
        candidate = " ".join(word.text for word in words[link + 1 :])
        if words[link].lower == "due" and link >= 0:
            continue
        if names_exactly(clean(candidate.split())):
            return Noun(clean(candidate.split()), start + link + 1, is_determined)
    last = clean([word.text for word in words[links[-1] + 1 :]])
    if words[links[0] - 1].lower in _SYMBOL_NOUNS:
        # "The constant of proportionality k" is no proportionality.
        return Noun(clean(text.split()), start, is_determined)
    if names_quantity(last) and words[links[-1]].lower != "due":
        return Noun(last, start + links[-1] + 1, is_determined)
    if names_quantity(clean(text.split())):
        return Noun(clean(text.split()), start, True)
    return Noun(last, start + links[-1] + 1, is_determined) if words[links[-1]].lower != "due" else None


def noun_before_clause(tokens: Sequence[Token], place: int) -> Noun | None:
    """The subject that ends before a place; prepositional parts after the head noun are passed over."""
    found = noun_before(tokens, place)
    if found is not None and not names_quantity(found.words):
        found = None
    # "The force on a charge is ...": walk back to the noun before the preposition.
    for index in range(place - 1, max(0, place - 10), -1):
        token = tokens[index]
        if token.kind != "word" or token.lower in _CLAUSE_BREAKS:
            break
        if token.lower in _OBJECT_PREPOSITIONS:
            noun = noun_before(tokens, index)
            if noun is not None and names_quantity(noun.words):
                qualifiers = itertools.takewhile(lambda word: not word.lower.endswith("ing"), tokens[index:place])
                rest = " ".join(readable_symbol(word.text) for word in qualifiers)
                found = Noun(clean(f"{noun.words} {rest}".split()), noun.start, noun.is_determined)
    return found
