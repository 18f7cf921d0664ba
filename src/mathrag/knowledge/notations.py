"""Notations of mathematics, how they are read and what they mean. Which question asks for one: see
`mathrag.reason.direct.notations`. `data/notations.toml` is the source."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from mathrag.errors import DataFileError
from mathrag.knowledge.data_files import compiled

_KEYS = frozenset({"pattern", "read", "means", "see", "written", "names", "of", "looks", "sign"})
_PLACES = {
    "⟨letter⟩": r"[A-Za-zα-ωΑ-Ω](?:_\{?[0-9a-z]\}?)?",
    "⟨vector⟩": r"(?:\\(?:mathbf|vec|boldsymbol)\{?[A-Za-z]\}?|[A-Za-z]|[A-Za-z]⃗)",
    "⟨dots⟩": r"(?:\([^()]*\))?",
}
# The longest that each of them stands for; of the others anything.
_WIDEST = {"⟨letter⟩": "x_{1}", "⟨vector⟩": r"\boldsymbol{x}"}
_ESCAPED, _REPEATING = re.compile(r"\\[^0-9]"), re.compile(r"[*+{\\⟨]")


@dataclass(frozen=True, slots=True)
class Notation:
    """A notation: `read` is how it is said, `see` the entry of the glossary that says more; empty where none does.
    `written` is how people write it, and `names` are the things that are written so. `of` is the kind of things that
    its letters stand for, where it means something else of others; `looks` are descriptions of how `sign` looks."""

    source: str
    read: str
    means: str
    see: str = ""
    written: str = ""
    names: tuple[str, ...] = ()
    of: str = ""
    looks: tuple[str, ...] = ()
    sign: str = ""

    def is_written(self, text: str) -> bool:
        """Whether a text without spaces is this notation."""
        # Most texts are far too long for most notations, and to compile all of them costs more than a question.
        return len(text) <= _longest_match(self.source) and _compiled(self.source).fullmatch(text) is not None


@cache
def _longest_match(source: str) -> float:
    """No text longer than this is matched: what repeats nothing matches at most a sign for each of its own."""
    bare = _ESCAPED.sub("x", source)
    for place in _WIDEST:
        bare = bare.replace(place, "x")
    if _REPEATING.search(bare) is not None:
        return math.inf
    for place, widest in _WIDEST.items():
        source = source.replace(place, widest)
    return len(source)


@cache
def _compiled(source: str) -> re.Pattern[str]:
    for place, expression in _PLACES.items():
        source = source.replace(place, expression)
    return re.compile(source)


@cache
def notations() -> tuple[Notation, ...]:
    """All notations, in the order of the file."""
    return tuple(map(_notation, compiled("notations.json")["notation"]))


def _notation(row: dict[str, Any]) -> Notation:
    unknown = sorted(row.keys() - _KEYS)
    if unknown or not row.get("read") or not row.get("means", "").endswith("."):
        raise DataFileError(f"notation {row.get('pattern', '')!r}: it needs pattern, read and a sentence")
    see, written = row.get("see", ""), row.get("written", "")
    names = tuple(row.get("names", ())) or ((see,) if see else ())
    looks, sign = tuple(row.get("looks", ())), row.get("sign", written)
    return Notation(
        row["pattern"],
        row["read"],
        row["means"],
        see,
        written,
        names if written else (),
        row.get("of", ""),
        looks,
        sign,
    )


def notations_called(written: str) -> Iterator[Notation]:
    """The notations that a text is as a whole, spaces and marks around formulas aside."""
    bare = re.sub(r"\s+|\\[,;!]|\\left|\\right|\$", "", written)
    return (one for one in notations() if one.is_written(bare))


def notation_called(written: str) -> Notation | None:
    """The first of them: what it means unless something else is said of its letters."""
    return next(notations_called(written), None)
