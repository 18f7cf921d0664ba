"""Relations said in words (`the length is four more than twice the width`) as equations over named unknowns.

A grammar over the words of a story: noun phrases are unknowns, `is` and its like are equality. What a noun phrase
names is decided by a `Namer`; a clause that is not wholly understood gives no equation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from mathrag.language.word_classes import word_class, word_pairs
from mathrag.reason.direct.stories.algebra import Expression, Polynomial, equal, number, total, unknown
from mathrag.reason.direct.stories.reading import Story, Value

# What a noun phrase stands for; None where it is nothing the problem speaks of.
Namer = Callable[[Sequence[str]], Expression | None]
_MORE = word_class("stories.more")
_LESS = word_class("stories.less")
_EQUALITY = word_class("stories.equality")
_MULTIPLES = {word: Fraction(factor) for word, factor in word_pairs("stories.multiples").items()}
_ENDS_PHRASE = word_class("stories.ends_phrase")
_ENDS_CLAUSE = word_class("stories.ends_clause")
_STARTS_CLAUSE = word_class("stories.starts_clause")
_DEEPEST = 12


@dataclass(frozen=True, slots=True)
class Relation:
    """An equation said by a clause, with the values it uses; `parts` are its two sides."""

    equation: Polynomial
    values: tuple[Value, ...]
    parts: tuple[Expression, Expression]


@dataclass(slots=True)
class Reader:
    """Reads clauses of one story. `scale` turns a value into the number that stands in the equations."""

    story: Story
    namer: Namer
    scale: Callable[[Value], Fraction | None]
    words: list[str] = field(default_factory=list)
    used: list[Value] = field(default_factory=list)

    def relations(self) -> list[Relation]:
        """The equations of all sentences."""
        found: list[Relation] = []
        for sentence in self.story.sentences:
            self.words = sentence.split()
            place = 0
            while place < len(self.words):
                relation, place = self._relation_at(place)
                if relation is not None:
                    found.append(relation)
        return found

    def _relation_at(self, place: int) -> tuple[Relation | None, int]:
        """The relation around the next word of equality, and the place after it."""
        verb = next((i for i in range(place, len(self.words)) if self.words[i] in _EQUALITY), None)
        if verb is None:
            counted = self._counted(place)
            return counted if counted is not None else (None, len(self.words))
        after = verb + 1
        while self.word(after) in ("equal", "to", "also", "exactly"):
            after += 1
        for start in range(place, verb):
            if start and self.words[start - 1] not in _STARTS_CLAUSE and start != place:
                continue
            self.used = []
            left = self._side(start, verb)
            if left is None:
                continue
            right = self._expression(after, 0)
            if right is None or not self._ends(right[1]):
                continue
            equation = equal(left, right[0])
            if equation.unknowns:
                return Relation(equation, tuple(self.used), (left, right[0])), right[1]
        counted = self._counted(place)
        return counted if counted is not None else (None, verb + 1)

    def _counted(self, place: int) -> tuple[Relation, int] | None:
        """`she has five more nickels than dimes`, `there were twice as many adults as children`."""
        for start in range(place, len(self.words)):
            for read in (self._more_of_than, self._times_as_many):
                self.used = []
                found = read(start)
                if found is not None:
                    left, right, end = found
                    return Relation(equal(left, right), tuple(self.used), (left, right)), end
        return None

    def _more_of_than(self, start: int) -> tuple[Expression, Expression, int] | None:
        value = self._amount(start)
        sign = self._sign(start + 1)
        if value is None or not sign or self.word(start + 2) == "than":
            return None
        first = self._phrase(start + 2)
        if first is None or self.word(first[1]) != "than":
            return None
        second = self._expression(first[1] + 1, 0)
        if second is None:
            return None
        return first[0], second[0] + number(value * sign), second[1]

    def _times_as_many(self, start: int) -> tuple[Expression, Expression, int] | None:
        factor = self._multiple(start)
        if factor is None or self.word(factor[1]) != "as" or self.word(factor[1] + 1) not in ("many", "much"):
            return None
        first = self._phrase(factor[1] + 2)
        if first is None or self.word(first[1]) != "as":
            return None
        second = self._expression(first[1] + 1, 0)
        return None if second is None else (first[0], second[0] * number(factor[0]), second[1])

    # The pieces. Each gives what it read and the place after it.

    def word(self, place: int) -> str:
        """The word at a place; empty past the end."""
        return self.words[place] if place < len(self.words) else ""

    def _ends(self, place: int) -> bool:
        return place >= len(self.words) or self.words[place] in _ENDS_CLAUSE

    def _side(self, start: int, end: int) -> Expression | None:
        found = self._expression(start, 0)
        if found is None:
            return None
        # `Half of the people in the room are …`: where they are does not matter.
        between = self.words[found[1] : end]
        is_place = (
            bool(between) and between[0] in word_class("stories.places") and not any(map(self.story.value, between))
        )
        return found[0] if not between or (is_place and "," not in between) else None

    def _expression(self, place: int, depth: int) -> tuple[Expression, int] | None:
        """Terms joined by plus and minus."""
        found = self._term(place, depth)
        while found is not None:
            left, after = found
            word, following = self.word(after), self.word(after + 1)
            if word == "," and following in ("plus", "minus", "increased", "decreased"):
                after, word, following = after + 1, following, self.word(after + 2)
            by = following == "by"
            if word in ("plus", "+") or (word == "increased" and by):
                sign, skipped = 1, 2 if by else 1
            elif word in ("minus", "-", "−") or (word in word_class("stories.lowered") and by):
                sign, skipped = -1, 2 if by else 1
            else:
                return left, after
            right = self._term(after + skipped, depth)
            if right is None:
                return None
            found = (left + right[0] if sign > 0 else left - right[0], right[1])
        return None

    def _term(self, place: int, depth: int) -> tuple[Expression, int] | None:
        """Factors joined by times and divided by."""
        found = self._factor(place, depth)
        while found is not None:
            left, after = found
            two = (self.word(after), self.word(after + 1))
            if two in (("multiplied", "by"), ("divided", "by")):
                right = self._factor(after + 2, depth)
                if right is None:
                    return None
                found = (left * right[0] if two[0] == "multiplied" else left / right[0], right[1])
            else:
                return found
        return None

    def _factor(self, place: int, depth: int) -> tuple[Expression, int] | None:
        if depth > _DEEPEST:
            return None
        if self.word(place) in ("the", "a", "an") and self.word(place + 1) in word_class("stories.operations"):
            place += 1
        for read in (self._operation, self._compared, self._multiplied, self._turned):
            found = read(place, depth + 1)
            if found is not None:
                return found
        value = self._amount(place)
        if value is not None:
            return number(value), place + 1
        return self._phrase(place)

    def _amount(self, place: int) -> Fraction | None:
        value = self.story.value(self.word(place))
        if value is None:
            return None
        scaled = self.scale(value)
        if scaled is not None and value not in self.used:
            self.used.append(value)
        return scaled

    def _operation(self, place: int, depth: int) -> tuple[Expression, int] | None:
        """The sum of …, the difference between …, the product of …, the quotient of …."""
        operation = self.word(place)
        if operation not in word_class("stories.operations") or self.word(place + 1) not in ("of", "between"):
            return None
        grouped = self._phrase(place)
        first = self._expression(place + 2, depth)
        if first is None or self.word(first[1]) != "and":
            return grouped
        operands = [first[0]]
        end = first[1]
        while self.word(end) == "and" or (self.word(end) == "," and operation in ("sum", "total")):
            following = self._expression(end + (2 if self.word(end + 1) == "and" else 1), depth)
            if following is None:
                return grouped
            operands.append(following[0])
            end = following[1]
        if len(operands) > 2 and operation not in ("sum", "total", "product"):
            return None
        return _combined(operation, operands), end

    def _compared(self, place: int, depth: int) -> tuple[Expression, int] | None:
        """Four more than …, 20 % less than …."""
        value = self.story.value(self.word(place))
        sign = self._sign(place + 1)
        if value is None or not sign or self.word(place + 2) != "than":
            return None
        size = self._amount(place)
        rest = self._expression(place + 3, depth)
        if size is None or rest is None:
            return None
        if value.sort == "pct":
            return rest[0] * number(1 + sign * size), rest[1]
        return rest[0] + number(sign * size), rest[1]

    def _sign(self, place: int) -> int:
        word = self.word(place)
        return 1 if word in _MORE else -1 if word in _LESS else 0

    def _multiple(self, place: int) -> tuple[Fraction, int] | None:
        """Three times, twice, half (of), two thirds of, 30 % of."""
        word = self.word(place)
        if word in _MULTIPLES:
            after = place + (2 if self.word(place + 1) in ("of", "the") and word == "half" else 1)
            return _MULTIPLES[word], after
        value = self.story.value(word)
        if value is None or value.sort not in ("num", "pct"):
            return None
        following = self.word(place + 1)
        is_share = following == "of" and (value.sort == "pct" or value.value < 1)
        is_repeated = following == "times" and value.sort == "num"
        if not is_share and not is_repeated:
            return None
        size = self._amount(place)
        return None if size is None else (size, place + 2)

    def _same(self, place: int) -> tuple[Fraction, int] | None:
        """The same size as …, as long as …."""
        start = place + 1 if self.word(place) == "the" else place
        if self.word(start) == "same":
            after = next((i for i in (start + 1, start + 2) if self.word(i) == "as"), None)
            return None if after is None else (Fraction(1), after + 1)
        return (Fraction(1), place + 3) if self.word(place) == "as" and self.word(place + 2) == "as" else None

    def _multiplied(self, place: int, depth: int) -> tuple[Expression, int] | None:
        """Twice the width, three times as long as the other, half of the sum, the same size as the other."""
        factor = self._multiple(place) or self._same(place)
        if factor is None:
            return None
        size, after = factor
        if self.word(after) == "as" and self.word(after + 2) == "as":
            after += 3
        if self.word(after) in word_class("stories.measure_nouns") and self.word(after + 1) in ("of", "as"):
            after += 2
        rest = self._factor(after, depth)
        return None if rest is None else (rest[0] * number(size), rest[1])

    def _turned(self, place: int, depth: int) -> tuple[Expression, int] | None:
        """Five subtracted from …, seven added to …."""
        size = self.story.value(self.word(place))
        two = (self.word(place + 1), self.word(place + 2))
        if size is None or two not in (("subtracted", "from"), ("taken", "from"), ("added", "to")):
            return None
        value = self._amount(place)
        rest = self._expression(place + 3, depth)
        if value is None or rest is None:
            return None
        return rest[0] + number(value if two[0] == "added" else -value), rest[1]

    def _phrase(self, place: int) -> tuple[Expression, int] | None:
        """A noun phrase that the story has a name for; the longest that has one."""
        end = place
        while (
            end < len(self.words) and self.words[end] not in _ENDS_PHRASE and self.story.value(self.words[end]) is None
        ):
            end += 1
        # A counted group (`the two numbers`) is one phrase.
        if end < len(self.words) and (value := self.story.value(self.words[end])) is not None and value.is_count:
            rest = end + 1
            while rest < len(self.words) and self.words[rest] not in _ENDS_PHRASE:
                rest += 1
            if (found := self.namer(self.words[place:rest])) is not None:
                return found, rest
        while end > place:
            found = self.namer(self.words[place:end])
            if found is not None:
                return found, end
            end -= 1
        return None


def _combined(operation: str, operands: Sequence[Expression]) -> Expression:
    if operation in ("sum", "total"):
        return total(operands)
    if operation == "difference":
        return operands[0] - operands[1]
    if operation in ("quotient", "ratio"):
        return operands[0] / operands[1]
    found = operands[0]
    for each in operands[1:]:
        found = found * each
    return found


def named(name: str) -> Expression:
    """The unknown of this name."""
    return unknown(name)
