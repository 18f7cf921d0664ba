"""Every error a caller can meet, as a tree. Each builds its own sentence and says what to do next.

    MathragError
    ├── FormulaError          a formula cannot be read; points at the place
    ├── ExpressionLimitError  a tree or text exceeds the size caps
    ├── UnitError             unit text cannot be read, or units do not fit
    │   ├── AmbiguousUnitError  several readings; the caller must choose
    │   └── DimensionError      dimensions disagree
    ├── EvaluationError       a value is missing or outside the domain
    ├── SolveError            no solution was found in time
    ├── ReplayError           a saved answer cannot be read or recomputed
    ├── DataFileError         a data file of ours breaks its schema
    ├── DocumentError         a document cannot be read, or was given up on
    ├── LibraryError          the library on disk cannot be used as asked
    │   ├── QueryError          SQL or SPARQL that is refused or fails
    │   └── AskingError         a question got no outcome: too busy, too slow, given up
    ├── ModelError            a language model cannot be asked, or its reply cannot be used
    │   └── BudgetError         the next call would exceed what may be spent
    └── UsageError            a command was called wrongly (exit code 2)

Failures that are part of normal life are values, not errors: a formula that is declined (`Declined`), an evaluation
that meets a division by zero (`Failure`).
"""

from __future__ import annotations

from collections.abc import Iterable

_LONGEST_SENTENCE = 300


def readable(sentence: str) -> str:
    """A sentence fit for a person: one line, nothing unprintable, not longer than anyone reads."""
    if sentence.isprintable():
        return sentence if len(sentence) <= _LONGEST_SENTENCE else f"{sentence[:_LONGEST_SENTENCE]}…"
    shown = "".join(character if character.isprintable() else f"\\u{ord(character):04x}" for character in sentence)
    return shown if len(shown) <= _LONGEST_SENTENCE else f"{shown[:_LONGEST_SENTENCE]}…"


def did_you_mean(wrong: str, known: Iterable[str]) -> str:
    """The end of a sentence about a name that nobody knows: the nearest ones that are known, or nothing."""
    from difflib import get_close_matches

    by_letters = {name.casefold(): name for name in known}
    found = [by_letters[name] for name in get_close_matches(wrong.casefold()[:200], by_letters, n=3, cutoff=0.6)]
    return f"; did you mean {' or '.join(found)}?" if found else ""


class MathragError(Exception):
    """The root. `str(error)` is one sentence for a person."""


class FormulaError(MathragError):
    """A formula cannot be read. `position` counts characters from the start of `source`."""

    def __init__(self, code: str, reason: str, *, source: str = "", position: int | None = None) -> None:
        super().__init__(readable(reason))
        self.code = code
        self.reason = readable(reason)
        self.source = source
        self.position = position


class ExpressionLimitError(FormulaError):
    """The text or the tree is larger than any real formula."""

    def __init__(self, reason: str, *, source: str = "", position: int | None = None) -> None:
        super().__init__("too_large", reason, source=source, position=position)


class UnitError(MathragError):
    """Unit text that names no unit we know, or a unit used where it cannot be. Points at the place where it can."""

    def __init__(self, reason: str, *, source: str = "", position: int | None = None) -> None:
        super().__init__(readable(reason))
        self.reason = readable(reason)
        self.source = source
        self.position = position


class AmbiguousUnitError(UnitError):
    """Unit text with several readings and nothing to choose by; `readings` lists their canonical texts."""

    def __init__(self, source: str, readings: tuple[str, ...]) -> None:
        super().__init__(
            f"the unit {source!r} can mean {' or '.join(readings)}; write the one you mean", source=source, position=0
        )
        self.readings = readings


class DimensionError(UnitError):
    """Quantities of different dimension are added, compared or converted into each other."""


class EvaluationError(MathragError):
    """A formula cannot be evaluated as asked: a value is missing, unknown or not a number."""


class SolveError(MathragError):
    """An equation could not be solved for the symbol asked."""


class DocumentError(MathragError):
    """A document cannot be read. `code` is stable (`too_large`, `encoding`, `not_a_file`), `place` says where."""

    def __init__(self, code: str, reason: str, *, place: str = "") -> None:
        super().__init__(readable(f"{reason} ({place})" if place else reason))
        self.code = code
        self.reason = readable(reason)
        self.place = place


class LibraryError(MathragError):
    """The library on disk is missing, locked, of another version, or lacks what was asked for."""


class QueryError(LibraryError):
    """A query that is not allowed, too slow, too large, or wrong."""


class AskingError(LibraryError):
    """A question that got no outcome. `code` is stable: `busy`, `timeout`, `crashed`, `cancelled`, `closed`,
    `unusable` (the processes that answer do not start), `memory`, `broken`."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(readable(reason))
        self.code = code
        self.reason = readable(reason)


class DataFileError(MathragError):
    """One of the data files that come with the package breaks its schema."""


class ReplayError(MathragError):
    """A file that should hold a saved answer does not; it is damaged, foreign, or of a later version."""

    def __init__(self, reason: str) -> None:
        super().__init__(readable(f"{reason}; save the answer anew with --replay"))
        self.reason = readable(reason)


class ModelError(MathragError):
    """A language model could not be asked, or what came back is of no use.

    `code` is stable: `not_configured`, `not_installed`, `unreachable`, `timeout`, `busy` (rate limited), `key_refused`,
    `not_found` (no such model), `too_long` (for its context), `rejected` (the server refuses the request), `server`,
    `bad_reply`, `cancelled`, `budget`. `retry_after` is what the server asked to wait, in seconds. `was_charged` where
    tokens may have been spent although no reply came.
    """

    def __init__(self, code: str, reason: str, *, retry_after: float | None = None, was_charged: bool = False) -> None:
        super().__init__(readable(reason))
        self.code = code
        self.reason = readable(reason)
        self.retry_after = retry_after
        self.was_charged = was_charged


class BudgetError(ModelError):
    """The next call would exceed what the user allows to be spent; nothing was sent."""

    def __init__(self, reason: str) -> None:
        super().__init__("budget", reason)


class UsageError(MathragError):
    """A command was called in a way that cannot work; the message says how to call it."""


def point_at(source: str, position: int | None, *, width: int = 76) -> str:
    """Two lines that show the place: the source (cut to fit) and a caret below it. Empty without a position."""
    if position is None or not source:
        return ""
    position = max(0, min(position, len(source)))
    start = source.rfind("\n", 0, position) + 1
    stop = source.find("\n", position)
    line = source[start : stop if stop >= 0 else len(source)]
    column = position - start
    if len(line) > width:
        cut = max(0, min(column - width // 2, len(line) - width))
        head, tail = ("…" if cut else ""), ("…" if cut + width < len(line) else "")
        line, column = head + line[cut : cut + width] + tail, column - cut + len(head)
    visible = "".join(
        " " if character in "\t\r\x0b\x0c" or not character.isprintable() else character for character in line
    )
    return f"{visible}\n{' ' * column}^"
