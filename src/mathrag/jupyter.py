"""`%load_ext mathrag` in IPython and Jupyter: `%mathrag QUESTION` and `%%mathrag`, with values of variables put in.

The answer is what the cell gives, so it shows itself as a card and can be used: `_.value`. Runs no text as code.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from mathrag.errors import MathragError, UsageError
from mathrag.library import Library
from mathrag.settings import load_settings
from mathrag.types.answer import Answer, Outcome

_NAME = re.compile(r"\{([^\W\d]\w*)\}")
_OPTION = re.compile(r"--(\w+)(?:=|\s+)(?:\"([^\"]*)\"|(\S+))\s*")
_OPTIONS = ("library", "unit", "formula")
# A value is a number with its unit, or a few words.
_LONGEST_VALUE = 200
_HELP = (
    "write %mathrag [--library DIR] [--unit UNIT] [--formula NAME] QUESTION, with {name} for the value of a variable"
)


class Shell(Protocol):
    """What is used of the running IPython."""

    user_ns: dict[str, Any]

    def register_magic_function(self, function: Any, magic_kind: str, magic_name: str) -> None:
        """Make a magic known."""


class Magic:
    """The magic of one session: the library stays open from question to question."""

    def __init__(self, variables: Mapping[str, Any]) -> None:
        self._variables = variables
        self._folder: Path | None = None
        self._library: Library | None = None

    def ask(self, line: str, cell: str | None = None) -> Outcome | None:
        """Answer the question of a line or a cell; None where only the library was chosen."""
        options, rest = _options(line.strip())
        question = rest if cell is None else f"{rest}\n{cell}".strip()
        if "library" in options:
            self._choose(Path(options["library"]).expanduser())
        if not question:
            if "library" in options:
                return None
            raise UsageError(_HELP)
        library = self._opened()
        return library.ask(self._filled(question), unit=options.get("unit"), formula=options.get("formula"))

    def close(self) -> None:
        """Close the library."""
        if self._library is not None:
            self._library.close()
            self._library = None

    def _choose(self, folder: Path) -> None:
        if not Library.exists(folder):
            raise UsageError(
                f"there is no library in {folder}; make one with `mathrag ingest FILES --library {folder}`"
            )
        self.close()
        self._folder = folder

    def _opened(self) -> Library:
        if self._library is None:
            self._choose(self._folder or load_settings().library)
            assert self._folder is not None
            self._library = Library(self._folder)
        return self._library

    def _filled(self, question: str) -> str:
        """The question with the values of the variables it names."""
        return _NAME.sub(lambda found: self._value(found[1]), question)

    def _value(self, name: str) -> str:
        if name not in self._variables:
            raise UsageError(f"there is no variable {name} to put into the question")
        value = self._variables[name]
        if isinstance(value, Answer):
            return f"{value.value!r} {value.unit}".strip()
        if not isinstance(value, str | int | float) and callable(getattr(value, "item", None)):
            # A single number of NumPy and its kin.
            value = value.item() if getattr(value, "size", 0) == 1 else value
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise UsageError(f"{name} is no number and no text, but {type(value).__name__}; give a value with its unit")
        if isinstance(value, float) and not math.isfinite(value):
            raise UsageError(f"{name} is {value}, which is no value")
        text = value if isinstance(value, str) else repr(value)
        if len(text) > _LONGEST_VALUE:
            raise UsageError(f"{name} has {len(text):,} characters; a value may have {_LONGEST_VALUE}")
        return text


def _options(line: str) -> tuple[dict[str, str], str]:
    """The options that a line begins with, and the rest of it."""
    found: dict[str, str] = {}
    while line.startswith("--"):
        option = _OPTION.match(line)
        if option is None or option[1] not in _OPTIONS:
            raise UsageError(f"{line.split()[0]!r} is no option here; {_HELP}")
        found[option[1]] = option[2] if option[2] is not None else option[3]
        line = line[option.end() :]
    return found, line


def load(shell: Shell) -> None:
    """Make `%mathrag` known to the running IPython."""
    from IPython.core.error import UsageError as ShownError
    from IPython.core.magic import no_var_expand

    magic = Magic(shell.user_ns)

    @no_var_expand
    def mathrag(line: str, cell: str | None = None) -> Outcome | None:
        """%mathrag [--library DIR] [--unit UNIT] [--formula NAME] QUESTION

        Answer a question with the formulas of a library. {name} in the question stands for the value of that variable.
        As %%mathrag the question is the rest of the cell. `--library` stays for the questions that follow.
        """
        try:
            return magic.ask(line, cell)
        except MathragError as error:
            # IPython shows this kind as one line.
            raise ShownError(str(error)) from None

    shell.register_magic_function(mathrag, "line_cell", "mathrag")
