"""Which stars and underscores make text bold or italic, by the delimiter rules of CommonMark. Knows runs, not words."""

from __future__ import annotations

from dataclasses import dataclass

_SPACES = frozenset(" \t\n\x0b\x0c\r\u00a0\u2003\u2009\u202f")


@dataclass(slots=True)
class Run:
    """A row of equal marks at `index` in the pieces; `length` shrinks while marks are used up."""

    index: int
    mark: str
    length: int
    opens: bool
    closes: bool
    original: int = 0


@dataclass(frozen=True, slots=True)
class Styled:
    """Pieces between two indexes (both excluded) that are bold, or else italic."""

    first: int
    last: int
    bold: bool


def make_run(text: str, start: int, end: int) -> Run:
    """The run of marks from `start` to `end`, with what it may do there. Its index is set by the caller."""
    before = text[start - 1] if start else " "
    after = text[end] if end < len(text) else " "
    space_before, space_after = before in _SPACES, after in _SPACES
    sign_before, sign_after = _is_sign(before), _is_sign(after)
    if text[start] == "*" and _is_factor(before) and _is_factor(after):
        # Set tight between letters or digits, a star multiplies: `2*3*4`, `r**2`.
        return Run(-1, "*", end - start, False, False, end - start)
    left = not space_after and (not sign_after or space_before or sign_before)
    right = not space_before and (not sign_before or space_after or sign_after)
    if text[start] == "_":
        opens, closes = left and (not right or sign_before), right and (not left or sign_after)
    else:
        opens, closes = left, right
    return Run(-1, text[start], end - start, opens, closes, end - start)


def _is_factor(character: str) -> bool:
    return (character.isalnum() and character < "Ѐ") or character in "()"


def _is_sign(character: str) -> bool:
    return not character.isalnum() and character not in _SPACES


def match_runs(runs: list[Run]) -> list[Styled]:
    """Pair opening and closing runs. What is left in `length` of each run are plain characters."""
    styled: list[Styled] = []
    openers: list[Run] = []
    # Below these heights of the stack a closer of the kind has already searched in vain.
    floors: dict[tuple[str, bool, int], int] = {}
    for run in runs:
        if run.closes:
            _close(run, openers, styled, floors)
        if run.length and run.opens:
            openers.append(run)
    return styled


def _close(run: Run, openers: list[Run], styled: list[Styled], floors: dict[tuple[str, bool, int], int]) -> None:
    while run.length:
        kind = (run.mark, run.opens, run.original % 3)
        floor = min(floors.get(kind, 0), len(openers))
        place = len(openers) - 1
        while place >= floor and not _pair(openers[place], run):
            place -= 1
        if place < floor:
            floors[kind] = len(openers)
            return
        opener = openers[place]
        del openers[place + 1 :]
        for key, height in floors.items():
            floors[key] = min(height, len(openers))
        used = 2 if opener.length >= 2 and run.length >= 2 else 1
        styled.append(Styled(opener.index, run.index, used == 2))
        opener.length -= used
        run.length -= used
        if not opener.length:
            openers.pop()


def _pair(opener: Run, closer: Run) -> bool:
    if opener.mark != closer.mark:
        return False
    if not (opener.closes or closer.opens):
        return True
    total = opener.original + closer.original
    return total % 3 != 0 or (opener.original % 3 == 0 and closer.original % 3 == 0)
