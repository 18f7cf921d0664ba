"""What an attempt is, what came of it, and where all of them stand.

A corpus is a module of `trust.corpora` with a `TITLE` for people and `attempts()`, which gives at least twenty. An
attempt gets an empty folder of its own and says how it went. Some are only counted (`is_closed`): who mends the product
must not read them.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from trust import corpora


@dataclass(frozen=True, slots=True)
class Result:
    """How an attempt went. `refused` is an honest no where an answer was possible: no broken promise, but no help."""

    verdict: Literal["held", "refused", "broke"]
    how: str = ""


HELD = Result("held")


@dataclass(frozen=True, slots=True)
class Attempt:
    """One way to get a wrong number or to harm the library; `what` says it in words."""

    id: str
    what: str
    run: Callable[[Path], Result]
    is_closed: bool = False


@dataclass(frozen=True, slots=True)
class Corpus:
    """Attempts of one class."""

    name: str
    title: str
    attempts: tuple[Attempt, ...]


def all_corpora(only: Sequence[str] = ()) -> list[Corpus]:
    """Every corpus, or those of these names, by name."""
    found = []
    for module in sorted(pkgutil.iter_modules(corpora.__path__), key=lambda each: each.name):
        if not only or module.name in only:
            loaded = importlib.import_module(f"{corpora.__name__}.{module.name}")
            found.append(Corpus(module.name, loaded.TITLE, tuple(loaded.attempts())))
    return found


def tried(attempt: Attempt, folder: Path) -> Result:
    """Try it; an attempt that raises has broken something, if only itself."""
    folder.mkdir(parents=True, exist_ok=True)
    try:
        return attempt.run(folder)
    except Exception as error:
        return Result("broke", f"{type(error).__name__}: {error}")
