"""The seam for reading pictures of formulas: whoever does it only proposes. Reads no picture itself, and ships nobody.

A package offers a recogniser under the entry point group `mathrag.formula_recognisers`: a name, and a function without
arguments that makes it. What it says comes from outside and is held to this:

- it is LaTeX of one formula, of a length that formulas have; anything else is thrown away;
- its confidence is cut at `HIGHEST`, below that of anything read from the document itself, and the formula carries the
  doubt "read from a picture by NAME" for ever;
- where the recogniser is not sure (below `SURE`), or the LaTeX does not read as an equation, the confidence falls to
  that of a guess: the formula is shown and found but never computed with;
- the other checks on formulas (known symbols, dimensions that agree) come after this and are not relaxed.

A recogniser that fails, hangs or talks nonsense costs its proposal, never the document.
"""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from mathrag.compute.latex import read_latex
from mathrag.errors import readable
from mathrag.types.expression import Declined

GROUP = "mathrag.formula_recognisers"
SURE = 0.9
HIGHEST = 0.95
GUESS = 0.5
_LONGEST_LATEX = 4_000
_LONGEST_NAME = 60
_SECONDS = 20.0
_MOST_FAILURES = 3


@dataclass(frozen=True, slots=True)
class RecognisedFormula:
    """What a recogniser says about a picture: LaTeX without delimiters, and how sure it is, from 0 to 1."""

    latex: str
    confidence: float


class FormulaRecogniser(Protocol):
    """Reads the picture of one formula. `name` is shown to people beside everything it read."""

    name: str

    def read(self, png: bytes) -> RecognisedFormula | None:
        """The formula in a PNG picture, None where it sees none."""
        ...


@dataclass(frozen=True, slots=True)
class FormulaProposal:
    """LaTeX that somebody read from a picture, after our checks; `doubts` always names who it was."""

    latex: str
    confidence: float
    by: str
    doubts: tuple[str, ...]


class _Trusted:
    """A recogniser and how often it has failed in this process; after a few times it is not asked again."""

    def __init__(self, recogniser: FormulaRecogniser) -> None:
        self.recogniser = recogniser
        name = getattr(recogniser, "name", "")
        self.name = readable(str(name))[:_LONGEST_NAME].strip() or "an unnamed recogniser"
        self.failures = 0


@cache
def _installed() -> _Trusted | None:
    """The recogniser that is installed; of several the first by name. A broken one is as good as none."""
    from importlib.metadata import entry_points

    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        try:
            return _Trusted(entry.load()())
        except (KeyboardInterrupt, GeneratorExit):
            raise
        except BaseException:  # noqa: S112
            # Loading runs foreign code, which may fail in any way; the next one may be sound.
            continue
    return None


def forget_recognisers() -> None:
    """Look for installed recognisers again at the next picture."""
    _installed.cache_clear()


def propose_latex(
    png: bytes, *, recogniser: FormulaRecogniser | None = None, seconds: float = _SECONDS
) -> FormulaProposal | None:
    """What the recogniser (by default the installed one) reads in a picture, checked; None where there is nothing to
    use. Never raises."""
    trusted = _installed() if recogniser is None else _Trusted(recogniser)
    if trusted is None or trusted.failures >= _MOST_FAILURES:
        return None
    said = _ask(trusted, png, seconds)
    return None if said is None else _checked(said, trusted.name)


def _ask(trusted: _Trusted, png: bytes, seconds: float) -> RecognisedFormula | None:
    """Ask in a thread of its own, so that one that hangs costs only its time."""
    answers: list[object] = []
    is_over = threading.Event()

    def work() -> None:
        try:
            answers.append(trusted.recogniser.read(png))
        except BaseException as error:
            answers.append(error)
        finally:
            is_over.set()

    threading.Thread(target=work, name="formula recogniser", daemon=True).start()
    if not is_over.wait(seconds):
        # The thread cannot be ended; asking again would start another.
        trusted.failures = _MOST_FAILURES
        return None
    said = answers[0] if answers else None
    if said is None or isinstance(said, RecognisedFormula):
        return said
    trusted.failures += 1
    return None


def _checked(said: RecognisedFormula, name: str) -> FormulaProposal | None:
    latex, confidence = said.latex, said.confidence
    if not isinstance(latex, str) or not isinstance(confidence, int | float) or isinstance(confidence, bool):
        return None
    latex = _without_delimiters(latex.strip()) if len(latex) <= _LONGEST_LATEX else ""
    if not latex or any(not character.isprintable() and character not in "\n\t" for character in latex):
        return None
    trust = min(float(confidence), HIGHEST) if math.isfinite(confidence) and 0 <= confidence <= 1 else 0.0
    doubts = [f"read from a picture by {name}"]
    if trust < SURE:
        doubts.append("the recogniser is not sure")
        trust = min(trust, GUESS)
    reading = read_latex(latex)
    if isinstance(reading, Declined):
        doubts.append(f"does not read as a formula: {reading.reason}")
        trust = min(trust, GUESS)
    elif not any(sign in latex for sign in ("=", "\\approx", "\\equiv")):
        doubts.append("is no equation")
        trust = min(trust, GUESS)
    return FormulaProposal(latex, trust, name, tuple(doubts))


def _without_delimiters(latex: str) -> str:
    for opening, closing in (("$$", "$$"), ("\\[", "\\]"), ("\\(", "\\)"), ("$", "$")):
        if latex.startswith(opening) and latex.endswith(closing) and len(latex) > len(opening) + len(closing):
            return latex[len(opening) : -len(closing)].strip()
    return latex
