"""Calculations typed in running text, `3 * 4 = 12 apples` and `$10 + $24 = $34`, found whole and written as LaTeX.

A run of numbers and signs around an equals sign counts only where the words at its ends cannot belong to it: after
"half of" or before "remainder" it says something else.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from mathrag.compute.claims.chains import Chain, Relation, Side
from mathrag.language.word_classes import word_class

_TOKEN = re.compile(
    r"(?P<number>\d[\d,]*(?:\.\d+)?|\.\d+)|(?P<word>[^\W\d_]+(?:['’-][^\W\d_]+)*)"
    r"|(?P<operator>\*\*|//|[+\-−–*×·÷/^()\[\]])|(?P<relation>[=≈])|(?P<money>\\?\$)|(?P<percent>\\?%)"
    r"|(?P<break>\n|[.;:!?](?=\s|$)|,(?=\s))|(?P<other>[^\s])"
)
_SIGNS = {
    "**": "^", "//": "/", "×": r"\times ", "·": r"\cdot ", "÷": r"\div ", "−": "-", "–": "-", "[": "(", "]": ")",
    "x": r"\times ", "X": r"\times ",
}  # fmt: skip
_LETTER_WORDS = frozenset("aAI")
_BINARY = frozenset("+-−–*×·÷/^") | {"**", "//", "x", "X"}
_MOST_LABEL_WORDS = 3
# Longer calculations are not typed in a line.
_LONGEST_RUN = 60


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    start: int
    end: int


def prose_chains(prose: str) -> list[Chain]:
    """The calculations of a text whose formulas have been taken out."""
    if "=" not in prose and "≈" not in prose:
        return []
    found = []
    for clause in _clauses(_tokens(prose)):
        chain = _chain(clause)
        if chain is not None:
            found.append(chain)
    return found


def _tokens(prose: str) -> list[_Token]:
    tokens: list[_Token] = []
    for match in _TOKEN.finditer(prose):
        kind, text, end = match.lastgroup or "other", match.group(), match.end()
        if text in ("-", "*", "–") and (not tokens or tokens[-1].text == "\n") and prose[end : end + 1].isspace():
            # A dash at the head of a line makes a list.
            kind = "break"
        if kind == "number" and text.endswith(","):
            text, end = text.rstrip(","), match.start() + len(text.rstrip(","))
            tokens.append(_Token(kind, text, match.start(), end))
            tokens.append(_Token("break", ",", end, match.end()))
            continue
        tokens.append(_Token(kind, text, match.start(), end))
    return [_times(tokens, place) for place in range(len(tokens))]


def _times(tokens: Sequence[_Token], place: int) -> _Token:
    """The letter x between two numbers is a sign of multiplication."""
    token = tokens[place]
    if token.text not in ("x", "X") or not 0 < place < len(tokens) - 1:
        return token
    before, after = tokens[place - 1], tokens[place + 1]
    is_between = (before.kind in ("number", "percent") or before.text == ")") and (
        after.kind in ("number", "money") or after.text == "("
    )
    return _Token("operator", token.text, token.start, token.end) if is_between else token


def _clauses(tokens: Sequence[_Token]) -> list[list[_Token]]:
    """Stretches without a break that hold a relation."""
    clauses: list[list[_Token]] = [[]]
    has_relation = False
    joining = word_class("claims.joining") | word_class("claims.conclusions") | word_class("claims.alternatives")
    for token in tokens:
        # "3 * 4 = 12 and 5 * 2 = 10" are two; in "the sum of 3 and 4 = 7" nothing is stated before the "and".
        is_joint = has_relation and token.text.lower() in joining
        if token.kind == "break" or is_joint:
            clauses.append([])
            has_relation = False
        else:
            clauses[-1].append(token)
            has_relation = has_relation or token.kind == "relation"
    return [clause for clause in clauses if any(token.kind == "relation" for token in clause)]


def _chain(clause: Sequence[_Token]) -> Chain | None:
    """The chain of a clause; a side that is said in words stays empty of meaning."""
    parts: list[list[_Token]] = [[]]
    relations: list[Relation] = []
    for token in clause:
        if token.kind == "relation":
            relations.append("≈" if token.text == "≈" else "=")
            parts.append([])
        else:
            parts[-1].append(token)
    chain = Chain("start", relations=relations)
    for place, part in enumerate(parts):
        if place == 0:
            run = _suffix(part)
        elif place == len(parts) - 1:
            run = _prefix(part)
        else:
            run = part if _is_whole(part) else None
        chain.sides.append(_side(part, run))
        if run is None and 0 < place < len(parts) - 1:
            # What is said in words on the way may hold another calculation.
            chain.relations[place - 1] = chain.relations[place] = "other"
    return chain


def _side(part: Sequence[_Token], run: Sequence[_Token] | None) -> Side:
    place = part[0].start if part else 0
    if not run:
        # Words that cannot be read, but that are no gap.
        words = " ".join(token.text for token in part if token.kind == "word")[:80]
        return Side(rf"\text{{{words or '?'}}}", place, part[-1].end if part else 0)
    return Side(_latex(run), run[0].start, run[-1].end)


def _latex(run: Sequence[_Token]) -> str:
    pieces: list[str] = []
    words: list[str] = []
    for token in run:
        if token.kind == "word" and len(token.text) > 1:
            words.append(token.text)
            continue
        if words:
            pieces.append(rf"\text{{ {' '.join(words)}}}")
            words = []
        match token.kind:
            case "money":
                pieces.append(r"\$")
            case "percent":
                pieces.append(r"\%")
            case "operator":
                pieces.append(_SIGNS.get(token.text, token.text))
            case _:
                pieces.append(token.text)
    if words:
        pieces.append(rf"\text{{ {' '.join(words)}}}")
    return " ".join(pieces)


def _suffix(part: Sequence[_Token]) -> Sequence[_Token] | None:
    """The longest run of arithmetic at the end of a side, where nothing before it can belong to it."""
    begin, words = len(part), 0
    for place in range(len(part) - 1, max(-1, len(part) - 1 - _LONGEST_RUN), -1):
        if _is_whole(part[place:]):
            begin = place
        words = words + 1 if part[place].kind == "word" else 0
        if words > _MOST_LABEL_WORDS:
            break
    if begin == len(part):
        return None
    if begin == 0:
        return part
    # "1 hour 20 minutes", "2 and 1/4": the number before it belongs to the amount.
    is_after_amount = begin > 1 and part[begin - 2].kind in ("number", "percent") and part[begin].kind == "number"
    return part[begin:] if not is_after_amount and _may_stand_before(part[begin - 1], part[begin]) else None


def _may_stand_before(before: _Token, first: _Token) -> bool:
    if before.kind != "word":
        return False
    if len(before.text) == 1 and before.text not in _LETTER_WORDS:
        return False
    if first.text in _BINARY and first.start == before.end:
        return False
    return before.text.lower() not in word_class("claims.operations")


def _prefix(part: Sequence[_Token]) -> Sequence[_Token] | None:
    """The longest run of arithmetic at the beginning of a side, where nothing behind it can belong to it."""
    end = 0
    for place in range(1, min(len(part), _LONGEST_RUN) + 1):
        if _is_whole(part[:place]):
            end = place
    if end == 0:
        return None
    behind = part[end] if end < len(part) else None
    if behind is None:
        return part[:end]
    words = {token.text.lower() for token in part[end:] if token.kind == "word"}
    labels = {token.text.lower() for token in part[:end] if token.kind == "word"}
    is_remark = behind.text == "(" and behind.start > part[end - 1].end
    if (behind.kind != "word" and not is_remark) or (words | labels) & word_class("claims.remainders"):
        return None
    return part[:end] if behind.text.lower() not in word_class("claims.operations") else None


def _is_whole(run: Sequence[_Token]) -> bool:
    """Whether a run is terms joined by signs, each a number with the words that name what it counts."""
    state = _Run()
    for place, token in enumerate(run):
        follows_closely = place > 0 and run[place - 1].end == token.start
        fits = _takes_value(state, run, place) if state.expects_value else _goes_on(state, token, follows_closely)
        if not fits or state.depth < 0:
            return False
    return not state.expects_value and state.depth == 0


@dataclass(slots=True)
class _Run:
    """How far a run has been read: whether a value must come, how many brackets are open, words since the number."""

    expects_value: bool = True
    depth: int = 0
    words: int = 0


def _takes_value(state: _Run, run: Sequence[_Token], place: int) -> bool:
    """Read what may stand where a value is due."""
    token = run[place]
    if token.text == "(":
        state.depth += 1
        return True
    is_letter = token.kind == "word" and len(token.text) == 1 and token.text not in _LETTER_WORDS
    if _is_plain_number(token) or is_letter:
        state.expects_value, state.words = False, 0
        return True
    return token.kind == "money" or _is_sign_of_number(run, place)


def _goes_on(state: _Run, token: _Token, follows_closely: bool) -> bool:
    """Read what may stand behind a value."""
    if token.kind == "word" and len(token.text) == 1:
        # "2x" is a product; a letter apart from its number is not.
        return follows_closely and not state.words
    if token.kind == "word":
        state.words += 1
        return state.words <= _MOST_LABEL_WORDS and token.text.lower() not in word_class("claims.no_label")
    if token.text == ")":
        state.depth -= 1
        state.words = 0
        return True
    if token.text == "(":
        # "3(4 + 5)" is a product; "5 apples (given)" and "4 (15 minutes)" are not.
        state.depth += 1
        state.expects_value = True
        return follows_closely and not state.words
    if token.text in _BINARY:
        state.expects_value, state.words = True, 0
        return True
    return token.kind == "percent"


def _is_plain_number(token: _Token) -> bool:
    """A number, and not a time or a code such as 0730."""
    return token.kind == "number" and not (len(token.text) > 1 and token.text[0] == "0" and token.text[1].isdigit())


def _is_sign_of_number(run: Sequence[_Token], place: int) -> bool:
    """A minus that stands right before its number, as in `= -5`."""
    token = run[place]
    if token.text not in ("-", "−") or place + 1 >= len(run):
        return False
    following = run[place + 1]
    return following.kind in ("number", "money") and following.start == token.end
