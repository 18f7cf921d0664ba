"""Claims on what comes out of numbers of some kinds: `is the sum of two irrational numbers always irrational`, `odd
times odd is odd`, `is every integer rational`. Strict: every word is an operation, a kind of number, or grammar."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from mathrag.compute.algebra.number_closure import Closure, Operation, Surd, apply, judge_closure
from mathrag.language.word_classes import word_class, word_pairs
from mathrag.reason.direct.result import DirectStatement
from mathrag.types.answer import WorkingLine

_LONGEST = 120
_MOST_KINDS = 3
_TOKEN = re.compile(r"[a-z]+(?:-[a-z]+)?|[+*×·/=−-]|\S")
_COUNTS = ("two", "2")
_BINARY = ("+", "-", "*", "/")
_NAMES = {
    "+": "the sum of {} and {}",
    "-": "the difference of {} and {}",
    "*": "the product of {} and {}",
    "/": "the quotient of {} and {}",
    "^2": "the square of {}",
    "^3": "the third power of {}",
    "2*": "twice {}",
    "1/": "the reciprocal of {}",
    "same": "{}",
}
_SIGNS = {"+": "{} + {}", "-": "{} − {}", "*": "{} · {}", "/": "{} / {}"}
_SINGLE = {"^2": "({})²", "^3": "({})³", "2*": "2 · ({})", "1/": "1/({})", "same": "{}"}


@dataclass(frozen=True, slots=True)
class _Claim:
    operation: Operation
    kinds: tuple[frozenset[str], ...]
    claimed: frozenset[str]


def answer_closure(claim: str) -> DirectStatement | None:
    """What is to be said of a bare claim on kinds of numbers; None where it is no such claim."""
    if len(claim) > _LONGEST:
        return None
    words = _TOKEN.findall(claim.lower())
    marked = _marked(words)
    read = None if marked is None else _read(marked)
    if read is None or _is_left_open(read, words):
        return None
    found = judge_closure(read.operation, read.kinds, read.claimed)
    return _told(read, found) if found.tried else None


def _is_left_open(claim: _Claim, words: Sequence[str]) -> bool:
    """Whether it depends on 0 being a natural number or on negative numbers being whole, or says nothing."""
    is_whole = "whole" in words and claim.operation in ("-", "same")
    is_zero = any("natural" in kinds for kinds in claim.kinds) and bool({"positive", "nonzero"} & claim.claimed)
    return is_whole or is_zero or (claim.operation == "same" and claim.claimed <= claim.kinds[0])


# Reading. Marks: K… a kind, O… an operation, 2 a count, = a link, # a noun, & a joint, ~ an article.


def _marked(words: Sequence[str]) -> list[str] | None:
    kinds, operations = word_pairs("numbers_of_kinds.closure_kinds"), word_pairs("numbers_of_kinds.closure_operations")
    links, nouns = word_class("numbers_of_kinds.closure_links"), word_class("numbers_of_kinds.closure_nouns")
    joints, fillers = word_class("numbers_of_kinds.closure_joints"), word_class("numbers_of_kinds.closure_fillers")
    found: list[str] = []
    for word in words:
        if word in kinds:
            found.append(f"K{kinds[word]}")
        elif word in operations:
            found.append(f"O{operations[word]}")
        elif word in _COUNTS:
            found.append("2")
        elif word in links or word == ",":
            found += ["="] if found and found[-1] != "=" else []
        elif word in nouns:
            found.append("#")
        elif word in joints:
            found.append("&")
        elif word in ("a", "an"):
            found.append("~")
        elif word not in fillers:
            return None
    return found


def _read(marks: list[str]) -> _Claim | None:
    while marks and marks[-1] in "#=":
        marks = marks[:-1]
    cut = _cut(marks)
    if cut is None:
        return None
    before = marks[: cut - 1] if marks[cut - 1] == "=" else marks[:cut]
    behind = [mark for mark in marks[cut:] if mark not in "#=~"]
    claimed = frozenset(mark[1:] for mark in behind if mark.startswith("K"))
    operations = [mark[1:] for mark in before if mark.startswith("O")]
    if not claimed or len(claimed) != len(behind) or len(operations) > 1 or "=" in before:
        return None
    operation = cast("Operation", operations[0] if operations else "same")
    groups = _groups(before, operation)
    return None if groups is None else _Claim(operation, groups, claimed)


def _cut(marks: Sequence[str]) -> int | None:
    """Where the claim begins: behind the link, the last noun, the last article that opens no operand, or at the last
    kind, where each number has one kind only."""
    for mark in ("=", "#"):
        if mark in marks:
            return len(marks) - list(reversed(marks)).index(mark)
    articles = [place for place, mark in enumerate(marks) if mark == "~" and place]
    if articles and marks[articles[-1] - 1].startswith("K"):
        return articles[-1]
    kinds = [place for place, mark in enumerate(marks) if mark.startswith("K")]
    return kinds[-1] if len(kinds) in (2, 3) else None


def _groups(before: Sequence[str], operation: Operation) -> tuple[frozenset[str], ...] | None:
    """The kinds of each number with which something is done."""
    groups: list[list[str]] = [[]]
    is_pair = False
    for place, mark in enumerate(before):
        if mark.startswith("K"):
            groups[-1].append(mark[1:])
        elif mark == "2":
            is_pair = True
        elif mark == "&" or (mark.startswith("O") and place and any(groups)):
            groups.append([])
    kinds = [frozenset(group) for group in groups if group]
    if any(len(group) > _MOST_KINDS for group in kinds) or not kinds:
        return None
    is_binary = operation in _BINARY
    if is_pair:
        return (kinds[0], kinds[0]) if is_binary and len(kinds) == 1 else None
    return tuple(kinds) if len(kinds) == (2 if is_binary else 1) else None


# Answers.


def _told(claim: _Claim, found: Closure) -> DirectStatement:
    what = _NAMES[claim.operation].format(*(_number(kinds) for kinds in claim.kinds))
    shown = f"{what} is {_number(claim.claimed)}"
    if found.kind == "refuted":
        can = f" It can be so: {_at(claim, found.example)}." if found.example else " It never is at the numbers tried."
        fails = _at(claim, found.counter)
        text = f"False: {what} need not be {_number(claim.claimed)}: {fails} is not.{can}{_without_zero(claim)}"
    elif found.kind == "shown":
        text = f"True: {what} is always {_number(claim.claimed)}: {found.why} (shown by the definitions)."
    else:
        text = f"No counterexample found, not proved: {shown} in all {found.tried} cases tried."
    return DirectStatement(text, shown, (WorkingLine(text.partition(": ")[2]),))


def _without_zero(claim: _Claim) -> str:
    """That it is true of numbers other than 0, where it is."""
    narrowed = tuple(kinds | {"nonzero"} for kinds in claim.kinds)
    found = judge_closure(claim.operation, narrowed, claim.claimed)
    return f" Of numbers other than 0 it is always so: {found.why}." if found.kind == "shown" else ""


def _number(kinds: frozenset[str]) -> str:
    """ "an irrational number", "a positive integer"."""
    noun = "integer" if "integer" in kinds else "number"
    words = " ".join((*sorted(kinds - {"integer"}), noun))
    return f"{'an' if words[0] in 'aeiou' else 'a'} {words}"


def _at(claim: _Claim, numbers: Sequence[Surd]) -> str:
    value = apply(claim.operation, numbers)
    assert value is not None
    if claim.operation == "same":
        return value.shown()
    if claim.operation in _BINARY:
        written = [one.shown() if place == 0 else _bracketed(one) for place, one in enumerate(numbers)]
        written = [f"({each})" if " " in each and claim.operation in "*/" else each for each in written]
        return f"{_SIGNS[claim.operation].format(*written)} = {value.shown()}"
    bare, text = _SINGLE[claim.operation], numbers[0].shown()
    if " " not in text and not text.startswith("−"):
        bare = bare.replace("(", "").replace(")", "")
    return f"{bare.format(text)} = {value.shown()}"


def _bracketed(number: Surd) -> str:
    text = number.shown()
    return f"({text})" if text.startswith("−") or " " in text else text
