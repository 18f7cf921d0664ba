"""Runs of italic letters: which are products, which spell a name, which a function typed without a backslash."""

from __future__ import annotations

import itertools

from mathrag.compute.grammar.context import Context
from mathrag.compute.grammar.lexicon import BARE_FUNCTIONS, CLEAR_GROUPS, GROUP_NAMES, SURE_NAMES
from mathrag.compute.notation import (
    Digits,
    Fence,
    Mark,
    Name,
    Script,
    Sign,
    Space,
    Stack,
)
from mathrag.compute.symbol_names import GREEK_NAMES


def _letter_of(mark: Mark) -> str | None:
    """The italic ASCII letter a mark is, itself or under its scripts."""
    base = mark.base if isinstance(mark, Script) else mark
    if isinstance(base, Name) and base.style == "italic" and len(base.text) == 1:
        return base.text
    return None


def join_letters(marks: list[Mark], context: Context) -> list[Mark]:
    """Join italic letters that spell a known name; a script after the last letter belongs to the whole name."""
    joined: list[Mark] = []
    index = 0
    while index < len(marks):
        if _letter_of(marks[index]) is None:
            joined.append(marks[index])
            index += 1
            continue
        stop = index
        while stop < len(marks) and _letter_of(marks[stop]) is not None:
            if stop > index and _is_blank_between(marks[stop - 1], marks[stop], context.source):
                break
            stop += 1
            if isinstance(marks[stop - 1], Script):
                break
        run = marks[index:stop]
        following = next((mark for mark in marks[stop:] if not isinstance(mark, Space)), None)
        bare = bare_function(run, following, context) if len(run) > 1 else None
        joined.extend(bare if bare is not None else _segment(run, context) if len(run) > 1 else run)
        index = stop
    return joined


def _is_blank_between(first: Mark, second: Mark, source: str) -> bool:
    """Whether a blank or a thin space stands between two letters; a name is written without. Tags do not count."""
    between = source[first.position + 1 : second.position]
    return bool(between) and "<" not in between


def _segment(run: list[Mark], context: Context) -> list[Mark]:
    letters = "".join(_letter_of(mark) or "" for mark in run)
    longest = max((len(name) for name in context.known), default=0)
    result: list[Mark] = []
    index = 0
    found = False
    while index < len(run):
        length = next(
            (
                size
                for size in range(min(longest, len(run) - index), 1, -1)
                if letters[index : index + size] in context.known
            ),
            1,
        )
        found = found or length > 1
        result.append(_joined(run[index : index + length]) if length > 1 else run[index])
        index += length
    if found:
        return result
    pieces = _sure_pieces(letters, run[-1], context)
    if pieces is None:
        if letters.isupper() and (len(letters) > 2 or context.source.count(letters) > 1):
            context.flag(
                "multi_letter_name",
                f"the letters {letters} are read as a product; give the name as a known symbol if it is one",
                run[0].position,
            )
        return run
    context.flag(
        "multi_letter_name",
        f"the letters {letters} are read as {' times '.join(pieces)}; give the names as known symbols to be sure",
        run[0].position,
    )
    result, index = [], 0
    for piece in pieces:
        result.append(_joined(run[index : index + len(piece)]) if len(piece) > 1 else run[index])
        index += len(piece)
    return result


def _sure_pieces(letters: str, last: Mark, context: Context) -> list[str] | None:
    """The run as well-known names, the whole of it or nothing; None when it is a product of letters."""
    has_script = isinstance(last, Script)
    if letters in SURE_NAMES or _is_doubled(letters, has_script) or _is_word(letters) or _is_group(letters, last):
        return [letters]
    pieces: list[str] = []
    index = 0
    while index < len(letters):
        size = next((size for size in (3, 2) if letters[index : index + size] in context.groups), 1)
        pieces.append(letters[index : index + size])
        index += size
    return pieces if any(len(piece) > 1 for piece in pieces) else None


def _is_doubled(letters: str, has_script: bool) -> bool:
    """Nobody writes a product as opp or SS_res; a doubled letter would be a square."""
    doubled = any(first == second for first, second in itertools.pairwise(letters))
    return doubled and (len(letters) > 2 or has_script)


def _is_word(letters: str) -> bool:
    """Four small letters or more in a row spell a word, unless they run through the alphabet as abcd does."""
    if letters in GREEK_NAMES and len(letters) > 2:
        return True
    return (
        len(letters) > 3
        and (letters.islower() or letters[1:].islower())
        and letters not in "abcdefghijklmnopqrstuvwxyz"
    )


def _is_group(letters: str, last: Mark) -> bool:
    """A dimensionless group by its script: a subscript on a clear pair, a power that is no whole number on any."""
    if not isinstance(last, Script) or letters not in GROUP_NAMES:
        return False
    if last.sub is not None:
        return letters in CLEAR_GROUPS
    above = last.sup.items if last.sup is not None else ()
    return any(isinstance(mark, Digits) and "." in mark.text for mark in above) or any(
        isinstance(mark, Stack) for mark in above
    )


def bare_function(run: list[Mark], following: Mark | None, context: Context) -> list[Mark] | None:
    """`A exp(-x)` and `sin\\theta` typed without a backslash: the letters before, and the function as one word."""
    letters = "".join(_letter_of(mark) or "" for mark in run)
    last = run[-1]
    for word in BARE_FUNCTIONS:
        before_parenthesis = isinstance(following, Fence) and letters.endswith(word)
        if (
            word in context.known
            or not (letters == word or before_parenthesis)
            or following is None
            or isinstance(following, Sign)
        ):
            continue
        start = len(letters) - len(word)
        context.flag("bare_function_name", f"the letters {word} are read as the function", run[start].position)
        name = Name(word, run[start].position, "upright")
        function = Script(name, last.sub, last.sup, name.position) if isinstance(last, Script) else name
        return [*(_segment(run[:start], context) if start > 1 else run[:start]), function]
    return None


def _joined(run: list[Mark]) -> Mark:
    """One mark for several letters, with the scripts of the last."""
    last = run[-1]
    text = "".join(_letter_of(mark) or "" for mark in run)
    name = Name(text, run[0].position, "italic")
    return Script(name, last.sub, last.sup, name.position) if isinstance(last, Script) else name
