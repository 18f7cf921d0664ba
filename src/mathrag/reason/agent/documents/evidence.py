"""What was seen in an episode about documents, and whether what is said of it keeps to that: numbers and their places.

A number of an answer stands in a text that was seen, in the question, or in the result of a calculation over such
numbers. Whether it answers the question is for the reader to see: so every number leads back to its place.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from mathrag.errors import UnitError
from mathrag.language.quantities import Mention, find_quantities
from mathrag.language.spoken_numbers import words_of
from mathrag.language.stems import stems
from mathrag.reason.agent.documents.seams import Evidence
from mathrag.reason.agent.number_sources import (
    LONGEST_TEXT,
    KnownNumbers,
    is_close,
    is_finite,
    is_rounded,
    unsourced_numbers,
)
from mathrag.reason.agent.seams import Problem, Source
from mathrag.store.sql.policy import FUNCTIONS
from mathrag.types.answer import Provenance
from mathrag.types.quantity import Quantity

# A numeral as papers print it; the bounds keep a hostile run of digits from being read again and again.
# What hangs on a word by a hyphen is part of a name.
_NUMERAL = re.compile(
    r"(?<![\w.])(?<![^\W\d_][-–])(?:\d[\d,]{0,30}(?:\.\d{1,30})?(?:[eE][+-]?\d{1,3})?|\.\d{1,30})(?!\w)"
)
# The same in an expression, where commas part what is passed.
_OPERAND = re.compile(r"(?<![\w.])(?:\d{1,30}(?:\.\d{0,30})?(?:[eE][+-]?\d{1,3})?|\.\d{1,30})")
# A number with a letter behind it, or with a comma that may part thousands; a list; a word that calls no function.
_JOINED = re.compile(r"\d(?![eE][+-]?\d)[A-Za-z_]|\d,\d{3}(?!\d)")
_LIST = re.compile(r"\[[^\[\]]*\]")
_LOOSE_WORD = re.compile(r"(?<![\w.])[A-Za-z_][\w.]*(?![\w.])(?!\s*[(=])")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_WORD = re.compile(r"[^\s,;:()\[\]{}\"'!?|]+")
_PAGE = re.compile(r"\bpage (\d{1,5})\b", re.IGNORECASE)
_MINUS = "-−–"
# Factors that only say how a number is written, such as a share in percent.
_STRUCTURAL = (1.0, 2.0, 100.0)
_MOST_DIGITS = 15
_LONGEST_EXPRESSION = 2_000
_QUOTE = 240
_MOST_CITED = 5
# How many of an answer's words a text must hold to be where that answer stands, if it is not quoted word for word.
_SHARED = 0.6


def values_in(text: str) -> frozenset[float]:
    """The numbers that stand in a text in digits; `1,234` is one number, `1,2` are two."""
    return frozenset(value for _, value in _numerals(text))


def _numerals(text: str, pattern: re.Pattern[str] = _NUMERAL) -> Iterator[tuple[int, float]]:
    for match in pattern.finditer(text):
        written = match.group()
        parts = [written.replace(",", "")] if _THOUSANDS.fullmatch(written) else written.split(",")
        before = text[max(0, match.start() - 2) : match.start()]
        is_negative = before[-1:] in _MINUS and bool(before) and not before[:-1].strip(" (=:|").isalnum()
        for part in parts:
            if part:
                value = float(part)
                yield match.start(), value
                if is_negative:
                    yield match.start(), -value


@dataclass(frozen=True, slots=True)
class Calculation:
    """An expression that was computed, and what it came to."""

    expression: str
    result: str

    @property
    def value(self) -> float | None:
        """The result as a number; None where it is none."""
        try:
            value = float(self.result)
        except (ValueError, OverflowError):
            return None
        return value if math.isfinite(value) else None


@dataclass(slots=True)
class Witnesses:
    """All that an answer may take its numbers from, in the order it came up."""

    question: str
    evidence: list[Evidence] = field(default_factory=list)
    calculations: list[Calculation] = field(default_factory=list)
    _values: list[frozenset[float]] = field(default_factory=list)

    def add(self, evidence: Iterable[Evidence | None]) -> None:
        """Take in texts that were seen; what is no evidence is left out."""
        for each in evidence:
            if each is not None and each not in self.evidence:
                self.evidence.append(each)
                self._values.append(values_in(each.text) | _spelled(each.text))

    def values(self) -> frozenset[float]:
        """The numbers of the question and of every text that was seen."""
        return values_in(self.question).union(*self._values)

    def unsourced(self, text: str) -> tuple[str, ...]:
        """The numbers of an answer that stand nowhere, as written."""
        texts = [self.question, *(each.text for each in self.evidence)]
        pages = {each.page for each in self.evidence}
        # Where something stands may be said, however the text there reads.
        shown = _PAGE.sub(lambda match: " … " if int(match[1]) in pages else match[0], text)
        return unsourced_numbers(
            shown,
            KnownNumbers(
                sources=(*self._quantities(text), *self._results()),
                coefficients=self.values(),
                names=_names(texts),
                words=self.words(),
            ),
        )

    def words(self) -> frozenset[str]:
        """The words of the question and of every text that was seen, which an answer may repeat."""
        return words_of([self.question, *(each.text for each in self.evidence)])

    def _results(self) -> Iterator[Source]:
        for seen in self.evidence:
            for average in seen.worked_out:
                yield Source("averaged", (Quantity(average),), Provenance("document", seen.text), may_be_rounded=True)
        for number, each in enumerate(self.calculations, start=1):
            value = each.value
            if value is not None:
                yield Source(
                    f"result_{number}",
                    (Quantity(value),),
                    Provenance("derived", each.expression),
                    may_be_rounded=True,
                )

    def _quantities(self, text: str) -> Iterator[Source]:
        """The quantities of an answer whose number was seen bare and whose unit was seen too, as in a table with the
        unit in its header."""
        known = self.values()
        results = [each.value for each in self.calculations if each.value is not None]
        seen = "\n".join((self.question, *(each.text for each in self.evidence))).casefold()
        for mention in _mentions(text):
            unit = mention.text.lstrip("+-−0123456789.,eE ").strip().casefold()
            value = float(mention.value) if is_finite(mention.value) else math.nan
            is_number = any(is_close(value, each) for each in known) or any(is_rounded(value, each) for each in results)
            has_unit = bool(mention.units or mention.rare_units)
            if unit and has_unit and is_number and re.search(rf"(?<!\w){re.escape(unit)}(?!\w)", seen):
                quantities = tuple(Quantity(value, each) for each in (*mention.units, *mention.rare_units))
                yield Source("seen", quantities, Provenance("document", mention.text))

    def calculation_problem(self, expression: str) -> Problem | None:
        """What speaks against a calculation: a number in it that stands nowhere, or none that stands somewhere; and
        whatever could hide a number."""
        hidden = _hiding(expression)
        if hidden:
            return Problem("malformed_expression", hidden)
        known = [*self.values(), *(each.value for each in self.calculations if each.value is not None)]
        numbers = _numerals(expression, _OPERAND)
        written = [(at, abs(value)) for at, value in numbers if not _is_digits_of_round(expression, at)]
        written = list(dict.fromkeys(written))
        found = [value for _, value in written if any(is_close(value, abs(each)) for each in known)]
        others = [(at, value) for at, value in written if value not in found]
        loose = [value for at, value in others if not _is_structural(expression, at, value, terms=len(found))]
        if loose:
            return Problem(
                "number_without_source",
                f"{loose[0]:g} stands in nothing that was seen and not in the question: look it up first",
            )
        # Numbers that anyone may write are no reason for others of that sort.
        firm = [value for value in found if value not in _STRUCTURAL]
        if not found or (others and not len(others) - 1 <= len(firm) > 0):
            return Problem("number_without_source", "a calculation is over numbers that were seen: look them up first")
        return None

    def supporting(self, text: str) -> tuple[Evidence, ...]:
        """The texts that an answer rests on: where its numbers stand, or those of the calculations that gave them; else
        where its words stand."""
        wanted = self._wanted(text)
        found: dict[int, None] = {}
        for value in wanted:
            place = next((at for at, values in enumerate(self._values) if value in values), None)
            if place is not None:
                found.setdefault(place)
        if not wanted:
            found = dict.fromkeys(self._with_words(text))
        return tuple(self.evidence[place] for place in list(found)[:_MOST_CITED])

    def _wanted(self, text: str) -> list[float]:
        wanted = list(dict.fromkeys(value for _, value in _numerals(text)))
        asked = values_in(self.question)
        for each in reversed(self.calculations):
            value = each.value
            if value is not None and any(is_rounded(one, value) for one in wanted):
                wanted += [one for _, one in _numerals(each.expression, _OPERAND) if one not in wanted]
        return [value for value in wanted if value not in asked] or wanted

    def _with_words(self, text: str) -> Iterator[int]:
        said = " ".join(text.casefold().split())
        if not said:
            return
        for place, each in enumerate(self.evidence):
            if said in " ".join(each.text.casefold().split()):
                yield place
        wanted = set(stems(text[:LONGEST_TEXT]))
        for place, each in enumerate(self.evidence):
            if wanted and len(wanted & set(stems(each.text[:LONGEST_TEXT]))) >= _SHARED * len(wanted):
                yield place


def _mentions(text: str) -> tuple[Mention, ...]:
    try:
        return tuple(find_quantities(text[:LONGEST_TEXT]))
    except UnitError:
        return ()


def _spelled(text: str) -> frozenset[float]:
    """The numbers that stand in a text in words."""
    return frozenset(float(each.value) for each in _mentions(text) if each.text[:1].isalpha() and is_finite(each.value))


def _names(texts: Iterable[str]) -> frozenset[str]:
    """Words with digits in them, such as the names of models and datasets."""
    found: set[str] = set()
    for text in texts:
        for match in _WORD.finditer(text):
            word = match.group()
            if any(each.isdigit() for each in word) and any(each.isalpha() for each in word):
                found |= {word, word.strip("."), word.strip(".*_`")}
    return frozenset(found)


def _hiding(expression: str) -> str:
    """Why the numbers of an expression cannot all be seen: it has words, odd letters or digits joined to something."""
    if not expression.isascii() or len(expression) > _LONGEST_EXPRESSION:
        return f"write the expression in plain letters and digits, with at most {_LONGEST_EXPRESSION:,} characters"
    # In a list a comma is between two numbers.
    if _JOINED.search(_LIST.sub(" ", expression)):
        return "write every number by itself, in digits, without commas or other signs in it"
    word = _LOOSE_WORD.search(expression)
    return "" if word is None else f"write numbers, signs and functions alone, without {word.group()[:40]!r}"


def _is_digits_of_round(expression: str, at: int) -> bool:
    """Whether a number only says to how many digits something is rounded."""
    match = _OPERAND.match(expression, at)
    assert match is not None
    is_last = expression[match.end() :].lstrip().startswith(")") and expression[:at].rstrip().endswith(",")
    return is_last and "round" in expression and match.group().isdigit() and int(match.group()) <= _MOST_DIGITS


def _is_structural(expression: str, at: int, value: float, *, terms: int) -> bool:
    """Whether a number is a factor that anyone may write, or divides a sum by how many are in it."""
    is_count = expression[:at].rstrip().endswith("/") and value == int(value) and 1 < value <= terms
    return value in _STRUCTURAL or is_count


def quote_of(text: str, answer: str) -> str:
    """The part of a text that an answer rests on, word for word: around its first number there, else the beginning."""
    wanted = values_in(answer)
    at = next((place for place, value in _numerals(text) if value in wanted), 0)
    start = max(0, at - _QUOTE // 2)
    if start:
        blank = text.find(" ", start, at + 1)
        start = blank + 1 if blank >= 0 else start
    if len(text) - start <= _QUOTE:
        return text[start:].strip()
    blank = text.rfind(" ", start + 1, start + _QUOTE)
    return text[start : blank if blank > start else start + _QUOTE].strip()


# ---- queries: whether rows state what is stored, or what the query says itself

_TOKEN = re.compile(
    # SQLite takes a name in double quotation marks that it does not know for a text.
    r"--[^\n]*|/\*.*?(?:\*/|\Z)|(?P<text>'(?:[^']|'')*(?:'|\Z)|\"(?:[^\"]|\"\")*(?:\"|\Z))"
    r"|(?P<name>`[^`]*(?:`|\Z)|\[[^\]]*(?:\]|\Z)|[^\W\d]\w*)"
    r"|(?P<number>\.?\d[\w.]*)|(?P<sign><=|>=|<>|==|!=|\|\||->>|->|<<|>>|[^\s\w])",
    re.DOTALL,
)
_LONGEST_QUERY = 20_000
# Behind these a value only chooses rows.
_CHOOSING = frozenset(
    "= == < > <= >= <> != like glob match limit offset between by is not escape regexp collate as".split()
)
_COMPUTING = frozenset("+ - / % || << >> & | ~ -> ->>".split())
# Of the functions that a query may use, these give back what is stored, or count, add up, average and order it.
_FAITHFUL = frozenset(
    "count sum total avg min max round abs lower upper trim ltrim rtrim coalesce ifnull nullif length "
    "json_array_length row_number rank dense_rank first_value last_value lag lead like glob match".split()
)
_INVENTING = FUNCTIONS - _FAITHFUL


def query_problem(sql: str) -> str:
    """Why the rows of a query are evidence of nothing: it says or works out values itself. Empty where they state what
    is stored, counted, added up or averaged."""
    if len(sql) > _LONGEST_QUERY:
        return "the query is too long to be checked"
    tokens = [match for match in _TOKEN.finditer(sql) if match.lastgroup is not None]
    words = [match.group().lower() for match in tokens]
    lists: list[str] = []
    for place, (match, word) in enumerate(zip(tokens, words, strict=True)):
        before = words[place - 1] if place else ""
        if word == "(":
            lists.append(before)
            if before.strip('"`[]') in _INVENTING:
                return f"the query works values out itself ({before[:40]})"
        elif word.startswith("current_"):
            return f"the query works values out itself ({word[:40]})"
        elif word == ")" and lists:
            lists.pop()
        elif word in _COMPUTING or (word == "*" and not _is_star(words, place)):
            return "the query calculates itself; select the values and use CalculateExpr"
        elif match.lastgroup in ("text", "number") and not _is_choosing(words, place, lists):
            return "the query states a value itself"
    return ""


def _is_star(words: list[str], place: int) -> bool:
    """Whether a star means everything, and no product."""
    before = words[place - 1] if place else ""
    return before in ("(", ",", ".", "select", "distinct", "all")


def _is_choosing(words: list[str], place: int, lists: list[str]) -> bool:
    """Whether a value of a query only chooses rows, says how to round, or counts."""
    before = words[place - 1] if place else ""
    if before in _CHOOSING or (lists and lists[-1] == "in"):
        return True
    if before == "and" and "between" in words[max(0, place - 4) : place]:
        return True
    if before in ("then", "else") and words[place] in ("0", "1"):
        return True
    is_digits = lists and lists[-1] == "round" and before == "," and words[place].isdigit() and len(words[place]) < 3
    return bool(is_digits) or words[place] == "''"
