"""Solutions that leave types and patterns open, and a model that says what a test wants of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from library.model_makers import Talker

STATED = [
    {"problem": "Is 91 a prime number?", "solution": "No.", "subject": "Number Theory"},
    {"problem": "How large is the momentum of 3 kg at 2 m/s?", "solution": "6 kg m/s.", "subject": "Mechanics"},
]
OPEN = [
    {"problem": "How many primes lie below 12?", "steps": ["List: 2, 3, 5, 7, 11.", "So there are 6."], "label": 1},
    {"problem": "Is 77 a prime number?", "steps": ["77 ends in 7, and 7 is prime.", "So it is."], "label": 0},
    {"problem": "Is 91 a prime number?", "steps": ["No: 7 times 13."], "label": -1},
]


class Labeller(Talker):
    """Says one thing of problems and one of wrong steps; a function is given what it was shown."""

    def __init__(self, of_type: Any, of_error: Any = None, *, name: str = "sorter") -> None:
        super().__init__(name=name)
        self._answers |= {"problem_type": _answer(of_type), "error_pattern": _answer(of_error or pattern("deception"))}


def _answer(said: Any) -> Callable[[str], Any]:
    return said if callable(said) else lambda _: said


def path(branch: str = "", subfield: str = "", kind: str = "") -> dict[str, str]:
    """A reply about a problem."""
    return {"branch": branch, "subfield": subfield, "type": kind}


def pattern(name: str) -> dict[str, str]:
    """A reply about a wrong step."""
    return {"pattern": name}


NUMBERS = path("mathematics", "discrete  mathematics", "number theory")
