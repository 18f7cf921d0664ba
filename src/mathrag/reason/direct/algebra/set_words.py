"""Statements on sets in words, as signs: "the complement of the union of A and B equals the intersection of their
complements" is `∁(A ∪ B) = (∁A ∩ ∁B)`. Reads whole statements alone; judges nothing."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from mathrag.compute.logic import UnreadLogicError
from mathrag.language.word_classes import any_of, word_class, word_pairs

_DEEPEST = 12
_MOST_TOKENS = 80
_SIGN = re.compile(r"[()∪∩∖−\\△×∁∅'ᶜ=⊆⊇⊂⊃⊊⊋,]|\^ ?c\b|-")
_LETTER = re.compile(r"[A-Z](?![A-Za-z0-9_])")
_BETWEEN = frozenset("∪∩∖△×")
_RELATIONS = frozenset("=⊆⊇⊂⊃⊊⊋")


class _Token(NamedTuple):
    """`kind`: letter, sign, between (an operation in a word), noun, relation, or a kind of word."""

    kind: str
    text: str


@cache
def _phrases() -> tuple[tuple[re.Pattern[str], str], ...]:
    """The classes of phrases, longer phrases of any class first."""
    classes = ("set_relations", "set_between", "set_nouns", "set_atoms")
    return tuple((re.compile(rf"(?:{any_of(f'logic.{name}')})(?![\w])", re.IGNORECASE), name) for name in classes)


def signs_of(body: str) -> str:
    """A statement in signs; raises `UnreadLogicError` for anything that is not wholly one."""
    return _Reader(_tokens(body)).statement()


def set_signs_of(body: str) -> str:
    """A set in signs; raises `UnreadLogicError` for anything that is not wholly one."""
    reader = _Reader(_tokens(body))
    return reader.ended(reader.operand())


def _tokens(body: str) -> list[_Token]:
    found: list[_Token] = []
    place = 0
    while place < len(body):
        if body[place] == " ":
            place += 1
            continue
        if len(found) > _MOST_TOKENS:
            raise UnreadLogicError("too long")
        token, place = _token(body, place, found)
        if token is not None:
            found.append(token)
    return found


def _token(body: str, place: int, before: list[_Token]) -> tuple[_Token | None, int]:
    sign = _SIGN.match(body, place)
    if sign is not None:
        said = sign.group()
        plain = "'" if said[0] in "^ᶜ" else "∖" if said in "\\−-" else said
        return _Token("relation" if plain in _RELATIONS else "sign", plain), sign.end()
    letter = _LETTER.match(body, place)
    # "A" at the beginning of a sentence may be the article.
    if letter is not None and not re.match(r"A set\b", body[place:]):
        return _Token("letter", letter.group()), letter.end()
    matches = [(match, name) for pattern, name in _phrases() if (match := pattern.match(body, place)) is not None]
    if not matches:
        filler = re.compile(r"[a-z]+", re.IGNORECASE).match(body, place)
        if filler is None or filler.group().lower() not in word_class("logic.set_fillers"):
            raise UnreadLogicError("a word that is none of sets")
        return None, filler.end()
    longest = max(match.end() for match, _ in matches)
    names = {name: match for match, name in matches if match.end() == longest}
    # "union" before "of" is a noun; else it stands between two sets.
    is_noun = "set_nouns" in names and (
        "set_between" not in names or re.match(r" (?:of|between)\b", body[longest:]) or _after_their(before)
    )
    name = "set_nouns" if is_noun else next(each for each in names if each != "set_nouns" or len(names) == 1)
    value = word_pairs(f"logic.{name}")[names[name].group().lower()]
    kinds = {"set_relations": "relation", "set_between": "between", "set_nouns": "noun"}
    if name == "set_atoms":
        return (_Token("sign", "∅") if value == "∅" else _Token(value, "")), longest
    return _Token(kinds[name], value), longest


def _after_their(before: list[_Token]) -> bool:
    return bool(before) and before[-1].kind == "their"


class _Reader:
    def __init__(self, tokens: list[_Token]) -> None:
        self.tokens = tokens
        self.place = 0
        self.depth = 0
        self.nouns = 0
        # The sets named so far: what "their" and "itself" stand for.
        self.named: list[str] = []

    def kind(self) -> str:
        return self.tokens[self.place].kind if self.place < len(self.tokens) else ""

    def kind_after(self) -> str:
        return self.tokens[self.place + 1].kind if self.place + 1 < len(self.tokens) else ""

    def text(self) -> str:
        return self.tokens[self.place].text if self.place < len(self.tokens) else ""

    def took(self, kind: str, text: str = "") -> bool:
        if self.kind() == kind and (not text or self.text() == text):
            self.place += 1
            return True
        return False

    def statement(self) -> str:
        left = self.operand()
        if self.took("and"):
            right = self.operand()
            if self.took("apart"):
                return self.ended(f"({left} ∩ {right}) = ∅")
            if not (self.took("alike") or (self.kind() == "relation" and self.text() == "=" and self.took("relation"))):
                raise UnreadLogicError("nothing is said of the two")
            return self.ended(f"{left} = {right}")
        if self.took("is ∅"):
            return self.ended(f"{left} = ∅")
        sign = self.text()
        if self.kind() in ("noun", "U", "same", "their"):
            # "is the complement of … the union of …"
            sign = "="
        elif not self.took("relation"):
            raise UnreadLogicError("nothing is said of the set")
        if sign == "=" and self.took("is ∅"):
            return self.ended(f"{left} = ∅")
        if self.took("both"):
            if len(self.named) != 2 or sign == "=":
                raise UnreadLogicError("of which two sets")
            return self.ended(f"{left} {sign} ({self.named[0]} {'∩' if sign == '⊆' else '∪'} {self.named[1]})")
        return self.ended(f"{left} {sign} {self.operand()}")

    def ended(self, made: str) -> str:
        if self.place != len(self.tokens):
            raise UnreadLogicError("something is left over")
        return made

    def operand(self) -> str:
        """A set, or sets joined by signs or words between them."""
        was_noun = self.kind() == "noun"
        left = self.single()
        used: list[str] = []
        while self.kind() == "between" or (self.kind() == "sign" and self.text() in _BETWEEN):
            if was_noun and self.kind() == "between" and self.kind_after() != "noun":
                raise UnreadLogicError("of what, could be read in two ways")
            used.append(self.text())
            self.place += 1
            was_noun = self.kind() == "noun"
            left = f"({left} {used[-1]} {self.single()})"
        if len(set(used)) > 1 or used.count("∖") > 1:
            raise UnreadLogicError("brackets are missing")
        return left

    def single(self) -> str:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise UnreadLogicError("too deep")
        made = self.prefixed()
        while self.took("sign", "'") or (self.kind() == "noun" and self.text() == "∁" and self.took("noun")):
            made = f"∁({made})"
        self.depth -= 1
        return made

    def prefixed(self) -> str:
        kind, text = self.kind(), self.text()
        self.place += 1
        if kind == "letter":
            self.name(text)
            return text
        if kind == "sign" and text == "∅":
            return "∅"
        if kind == "U":
            return "U"
        if kind == "one":
            self.name("A")
            return "A"
        if kind == "same" and len(self.named) == 1:
            return self.named[0]
        if kind == "sign" and text == "∁":
            return f"∁({self.single()})"
        if kind == "sign" and text == "(":
            inside = self.operand()
            if not self.took("sign", ")"):
                raise UnreadLogicError("a bracket is missing")
            return f"({inside})"
        if kind == "their" and self.kind() == "noun" and self.text() != "∁" and len(self.named) > 1:
            self.place += 1
            return self.folded(self.tokens[self.place - 1].text, list(self.named))
        if kind == "its" and self.took("noun", "∁") and len(self.named) == 1:
            return f"∁({self.named[0]})"
        if kind == "noun":
            return self.noun(text)
        raise UnreadLogicError("a set is missing")

    def name(self, letter: str) -> None:
        if letter not in self.named:
            self.named.append(letter)

    def noun(self, sign: str) -> str:
        if not self.took("of"):
            raise UnreadLogicError("of what")
        if sign in ("∁", "∁∁"):
            made = self.complemented()
            return f"∁({made})" if sign == "∁" else f"∁(∁({made}))"
        self.nouns += 1
        parts = self.several()
        self.nouns -= 1
        if len(parts) < 2 or (sign == "∖" and len(parts) > 2):
            raise UnreadLogicError("of which sets")
        return self.folded(sign, parts)

    def complemented(self) -> str:
        """What "the complement of" reaches over: A ∩ B in signs; in words, nothing says how far."""
        made, used = self.single(), set[str]()
        while self.place + 1 < len(self.tokens) and self.tokens[self.place + 1].kind in ("letter", "sign"):
            if self.kind() == "between":
                raise UnreadLogicError("how far the complement reaches")
            if self.kind() != "sign" or self.text() not in _BETWEEN:
                break
            used.add(self.text())
            self.place += 1
            made = f"({made} {self.tokens[self.place - 1].text} {self.single()})"
        if len(used) > 1:
            raise UnreadLogicError("brackets are missing")
        return made

    def several(self) -> list[str]:
        """The sets behind "of": "A and B", "A, B and C", "two sets", "their complements", "the complements of …"."""
        if self.took("two"):
            self.named.extend(each for each in ("A", "B") if each not in self.named)
            return ["A", "B"]
        if self.took("their"):
            if not self.took("noun", "∁s"):
                raise UnreadLogicError("their what")
            return [f"∁({each})" for each in self.named]
        if self.took("noun", "∁s"):
            return [f"∁({each})" for each in (self.parts() if self.took("of") else self.named)]
        is_complement = self.kind() == "noun" and self.text() == "∁"
        parts = self.parts()
        if is_complement and any(len(each) == 1 for each in parts):
            raise UnreadLogicError("of which of the two the complement is meant")
        return parts

    def parts(self) -> list[str]:
        found = [self.operand()]
        while self.took("sign", ",") or self.took("and"):
            self.took("and")
            found.append(self.operand())
            # "the union of the intersection of A and B and …": what follows belongs to the outer one.
            if self.nouns > 1 and len(found) == 2:
                break
        return found

    def folded(self, sign: str, parts: list[str]) -> str:
        made = parts[0]
        for part in parts[1:]:
            made = f"({made} {sign} {part})"
        return made
