"""What a question says its letters stand for: `for complex z and real t, is …`, `… if A and B are symmetric matrices`.

Takes the clauses off around an equation and reads them. Knows no mathematics: the words and what they mean are data,
and a word that is none of them is handed back, for whoever asks to say so.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from mathrag.language.word_classes import any_of, word_class, word_pairs
from mathrag.reason.direct.question_text import tidy, without_ending

_MOST_CLAUSES = 4
_BEFORE_EQUATION = re.compile(
    rf"\A(?:(?:{any_of('direct.greetings')}|(?:{any_of('direct.may_you')}) you|{any_of('direct.demands')}"
    rf"|{any_of('algebra.whether_true')}|in general|always|{any_of('algebra.equation_names')})\b[ ,:]*)+",
    re.IGNORECASE,
)
_ENDING = re.compile(
    rf"[ ,;:]+(?:(?:is (?:it|that|this) )?(?:always )?(?:{any_of('algebra.truth')}|{any_of('algebra.holds')})"
    r"|in general)$",
    re.IGNORECASE,
)
_CLAUSE = any_of("algebra.clause_openings")
_BEFORE = re.compile(
    rf"(?:{_CLAUSE}) (?P<clause>[^=|()]{{1,120}}?)(?:,? then |[.;] |, ?(?=(?:is|does|do|[^\s,=]*=|[^,=]*[(|+*^=]))"
    r"| (?=(?:is|does) (?:det|tr|trace|rank|exp)? ?\(?-?[0-9]{0,2}(?-i:[A-Z]{1,3})(?![A-Za-z])[^=]*=))",
    re.IGNORECASE,
)
_BEHIND = re.compile(rf",? (?:{_CLAUSE}) (?P<clause>[^=|()]{{1,120}})$", re.IGNORECASE)
_SIGN = re.compile("[<>]?=|[≤≥]")
_EQUAL = re.compile(rf" (?:always )?(?:{any_of('algebra.equals')}) ", re.IGNORECASE)
_SIZE = re.compile(r"\b([2-4nm]) ?(?:x|×|\\times|by|-by-) ?([2-4nm])\b")
_NOT_ZERO = re.compile(r"([A-Za-zα-ω]) ?(?:≠|!=|\\neq?|is not) ?0")
_PART = re.compile(r"[^\s,;]+")
_LETTER = re.compile(r"[A-Za-zα-ω]\Z")


@dataclass(slots=True)
class Group:
    """Some letters with what is said of them; no letters where it is said of all."""

    kinds: set[str] = field(default_factory=set)
    letters: list[str] = field(default_factory=list)
    is_letters_first: bool = False


@dataclass(frozen=True, slots=True)
class StatedEquation:
    """An equation without the words around it. `size` is that of matrices, 0 where it is left open; `unread` are words
    of the clauses that limit the letters in a way that is not known here."""

    body: str
    groups: tuple[Group, ...]
    size: int = 0
    unread: tuple[str, ...] = ()

    def letters_said(self, kind: str) -> frozenset[str]:
        """The letters that are said to be of a kind."""
        return frozenset(each for group in self.groups if kind in group.kinds for each in group.letters)

    def says(self, kind: str) -> bool:
        """Whether anything is said to be of a kind."""
        return any(kind in group.kinds for group in self.groups)

    def is_said(self, letter: str, kind: str) -> bool:
        """Whether a letter is of a kind: by its name, or because all are."""
        return any(kind in group.kinds and letter in (group.letters or [letter]) for group in self.groups)


def stated_equation(text: str) -> StatedEquation | None:
    """The one equation of a question that asks whether it is true, with what is said of its letters."""
    body = without_ending(tidy(text))
    clauses: list[str] = []
    for _ in range(_MOST_CLAUSES):
        shorter = without_ending(_ENDING.sub("", _BEFORE_EQUATION.sub("", body, count=1)))
        for pattern in (_BEFORE, _BEHIND):
            found = pattern.match(shorter) if pattern is _BEFORE else pattern.search(shorter)
            if found is not None:
                clauses.append(found["clause"])
                shorter = shorter[found.end() :] if pattern is _BEFORE else shorter[: found.start()]
        if shorter == body:
            break
        body = shorter
    if "=" not in body and "≤" not in body and "≥" not in body:
        body = _EQUAL.sub(" = ", body, count=1)
    if len(_SIGN.findall(body)) != 1:
        return None
    return _with_clauses(body.strip(" ,:"), clauses)


def _with_clauses(body: str, clauses: list[str]) -> StatedEquation:
    groups: list[Group] = []
    unread: list[str] = []
    size = 0
    for clause in clauses:
        sized = _SIZE.search(clause)
        size = int(sized[1]) if sized is not None and sized[1].isdigit() and sized[1] == sized[2] else size
        clause = _SIZE.sub(" ", clause)
        groups.extend(Group({"nonzero"}, [found[1]]) for found in _NOT_ZERO.finditer(clause))
        found, left = _grouped(_PART.findall(_NOT_ZERO.sub(" ", clause)))
        groups.extend(found)
        unread.extend(left)
    return StatedEquation(body, tuple(groups), size, tuple(dict.fromkeys(unread)))


def _grouped(parts: list[str]) -> tuple[list[Group], list[str]]:
    kinds, fillers = word_pairs("algebra.letter_kinds"), word_class("algebra.letter_fillers")
    groups = [Group()]
    unread: list[str] = []
    for place, part in enumerate(parts):
        group = groups[-1]
        said = part.lower()
        # Before a word it is an article.
        is_article = part == "a" and place + 1 < len(parts) and parts[place + 1].lower() in kinds
        if _LETTER.match(part) and not is_article:
            if group.is_letters_first and group.kinds:
                groups.append(group := Group())
            group.is_letters_first |= not group.kinds
            group.letters.append(part)
        elif said in kinds:
            if group.letters and not group.is_letters_first:
                groups.append(group := Group())
            group.kinds.add(kinds[said])
        elif said not in fillers:
            unread.append(part)
    return [group for group in groups if group.kinds], unread
