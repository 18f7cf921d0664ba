"""Every attempt to get a wrong number fails. `make trust` prints the same as a table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from thinned import thinned
from trust.attempts import Attempt, Corpus, all_corpora, tried

CORPORA = all_corpora()
# So many of each class are in the check, the others in `make soak`; what is measured over time is in `make growth`.
IN_THE_CHECK = 5


def _open(corpus: Corpus) -> list[Any]:
    attempts = [attempt for attempt in corpus.attempts if not attempt.is_closed]
    mark = pytest.mark.growth if corpus.name == "time" else pytest.mark.soak
    keep = 0 if corpus.name == "time" else IN_THE_CHECK
    return thinned(attempts, keep, mark, name=lambda attempt: f"{corpus.name}-{attempt.id}")


@pytest.mark.slow
@pytest.mark.parametrize("attempt", [each for corpus in CORPORA for each in _open(corpus)])
def test_it_holds(attempt: Attempt, tmp_path: Path) -> None:
    result = tried(attempt, tmp_path)
    assert result.verdict != "broke", f"{attempt.what}: {result.how}"


# How many of those that are only counted got through when they were last counted: it must not become more.
MOST_BROKEN = {"strangers_closed": 9, "strangers2_closed": 9, "poisoned_closed": 0, "ordinary_questions": 4}


@pytest.mark.corpora
@pytest.mark.parametrize("name", MOST_BROKEN)
def test_no_more_get_through_of_those_that_are_only_counted(name: str, tmp_path: Path) -> None:
    (corpus,) = (each for each in CORPORA if each.name == name)
    counted = [attempt for attempt in corpus.attempts if attempt.is_closed]
    verdicts = [tried(attempt, tmp_path / str(number)).verdict for number, attempt in enumerate(counted)]
    assert verdicts.count("broke") <= MOST_BROKEN[name]
