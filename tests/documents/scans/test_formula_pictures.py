"""The contract of the seam for pictures of formulas: good, wrong, empty, huge, raising, slow. A real recogniser can be
held to it by adding it here."""

from __future__ import annotations

import importlib.metadata
import math
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from scan_samples import HEIGHT, WIDTH, FakeRecogniser, line, picture

from mathrag.documents.scans import FormulaProposal, RecognisedFormula, propose_latex, read_scanned_page
from mathrag.documents.scans.formula_pictures import GROUP, GUESS, HIGHEST, SURE, forget_recognisers
from mathrag.types.document import Display, KeptPicture

PICTURE = b"\x89PNG\r\n\x1a\n"
# Formulas below this are never computed with; see extraction.
CERTAIN = 0.9


class Fake:
    """Says what it was told to say."""

    def __init__(self, answer: Callable[[], Any], name: str = "fake 1.0") -> None:
        self.name = name
        self.answer = answer
        self.seen: list[bytes] = []

    def read(self, png: bytes) -> Any:
        self.seen.append(png)
        return self.answer()


def _said(latex: Any, confidence: Any = 0.99) -> Fake:
    return Fake(lambda: RecognisedFormula(latex, confidence))


def _raising(error: BaseException) -> Fake:
    def fail() -> Any:
        raise error

    return Fake(fail)


def test_a_good_one_is_a_proposal_that_names_who_made_it() -> None:
    fake = _said(r"E = \frac{1}{2} m v^2", 0.97)
    proposal = propose_latex(PICTURE, recogniser=fake)
    assert proposal == FormulaProposal(
        r"E = \frac{1}{2} m v^2", HIGHEST, "fake 1.0", ("read from a picture by fake 1.0",)
    )
    assert fake.seen == [PICTURE]


def test_nothing_from_a_picture_is_as_sure_as_what_was_printed() -> None:
    proposal = propose_latex(PICTURE, recogniser=_said("F = m a", 1.0))
    assert proposal is not None
    assert CERTAIN <= proposal.confidence <= HIGHEST < 1


@pytest.mark.parametrize("confidence", [0.0, 0.5, 0.7, SURE - 0.001, math.nan, math.inf, -1.0, 7.0])
def test_an_unsure_one_is_a_guess(confidence: float) -> None:
    proposal = propose_latex(PICTURE, recogniser=_said("F = m a", confidence))
    assert proposal is not None
    assert proposal.confidence <= GUESS < CERTAIN
    assert "the recogniser is not sure" in proposal.doubts


@pytest.mark.parametrize(
    "latex", [r"\frac{a}{", "x + y", r"\begin{tikzpicture}", "a = = b", r"\input{/etc/passwd}", "}{"]
)
def test_a_wrong_one_is_a_guess_with_the_reason(latex: str) -> None:
    proposal = propose_latex(PICTURE, recogniser=_said(latex))
    assert proposal is not None
    assert proposal.confidence <= GUESS
    assert len(proposal.doubts) == 2


@pytest.mark.parametrize(
    "answer",
    [
        None,
        RecognisedFormula("", 1.0),
        RecognisedFormula(" \n ", 1.0),
        RecognisedFormula("x" * 10_000, 1.0),
        RecognisedFormula("{" * 3_000_000, 1.0),
        RecognisedFormula("F = \x00 m", 1.0),
        RecognisedFormula("F = \ud800", 1.0),
        RecognisedFormula(None, 1.0),  # type: ignore[arg-type]
        RecognisedFormula("F = m a", "high"),  # type: ignore[arg-type]
        RecognisedFormula("F = m a", True),
        "F = m a",
        ("F = m a", 1.0),
        17,
    ],
    ids=str,
)
def test_what_is_no_formula_is_thrown_away(answer: Any) -> None:
    assert propose_latex(PICTURE, recogniser=Fake(lambda: answer)) is None


@pytest.mark.parametrize(
    ("latex", "bare"), [("$F = m a$", "F = m a"), ("$$F = m a$$", "F = m a"), (r"\[F = m a\]", "F = m a"), ("$", "$")]
)
def test_delimiters_are_taken_off(latex: str, bare: str) -> None:
    proposal = propose_latex(PICTURE, recogniser=_said(latex))
    assert proposal is not None
    assert proposal.latex == bare


def test_deep_nonsense_is_a_guess() -> None:
    proposal = propose_latex(PICTURE, recogniser=_said("a = " + "{" * 1_900 + "}" * 1_900))
    assert proposal is None or proposal.confidence <= GUESS


@pytest.mark.parametrize(
    "error", [ValueError("no"), MemoryError(), RecursionError(), SystemExit(3), KeyboardInterrupt()]
)
def test_one_that_fails_costs_its_proposal_only(error: BaseException) -> None:
    assert propose_latex(PICTURE, recogniser=_raising(error)) is None


def test_names_are_made_fit_to_show() -> None:
    proposal = propose_latex(PICTURE, recogniser=Fake(lambda: RecognisedFormula("F = m a", 0.99), "x\n\x07" * 500))
    assert proposal is not None
    assert proposal.by.isprintable()
    assert len(proposal.by) <= 60


class _Entry:
    def __init__(self, name: str, made: Callable[[], Any]) -> None:
        self.name = name
        self._made = made

    def load(self) -> Callable[[], Any]:
        return self._made


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    def install(**recognisers: Callable[[], Any]) -> None:
        entries = [_Entry(name, made) for name, made in recognisers.items()]
        monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: entries if group == GROUP else [])
        forget_recognisers()

    yield install
    monkeypatch.undo()
    forget_recognisers()


def test_the_installed_one_is_used_and_a_broken_one_passed_over(installed: Callable[..., None]) -> None:
    def broken() -> Any:
        raise ImportError("no torch")

    installed(a=broken, b=lambda: _said("F = m a"))
    proposal = propose_latex(PICTURE)
    assert proposal is not None
    assert proposal.latex == "F = m a"


def test_none_installed_is_no_error(installed: Callable[..., None]) -> None:
    installed()
    assert propose_latex(PICTURE) is None


def test_a_slow_one_is_given_up_at_once_and_not_asked_again(installed: Callable[..., None]) -> None:
    slow = Fake(lambda: time.sleep(0.6))
    installed(slow=lambda: slow)
    assert propose_latex(PICTURE, seconds=0.05) is None
    assert propose_latex(PICTURE, seconds=0.05) is None
    assert len(slow.seen) == 1
    time.sleep(0.7)


def test_one_that_always_fails_is_not_asked_for_ever(installed: Callable[..., None]) -> None:
    failing = _raising(ValueError("no"))
    installed(failing=lambda: failing)
    assert [propose_latex(PICTURE) for _ in range(20)] == [None] * 20
    assert len(failing.seen) == 3


def test_a_scan_shows_the_proposal_and_keeps_the_picture(installed: Callable[..., None]) -> None:
    installed(good=lambda: _said("F = m a", 0.5))
    lines = [line("The force on a body follows from its mass:", 100, 200), line("F = ma", 300, 300)]
    page = read_scanned_page(
        lambda _: (WIDTH, HEIGHT, picture(lines)), number=1, width=500, height=650, recogniser=FakeRecogniser(lines)
    )
    (display,) = [block for block in page.blocks if isinstance(block, Display)]
    assert display.math.source == "F = m a"
    assert display.math.confidence <= GUESS
    assert display.math.doubts[0] == "read from a picture by fake 1.0"
    assert display.math.quote == "F = ma"
    assert isinstance(page.pictures[0], KeptPicture)
    assert page.pictures[0].place == display.place
