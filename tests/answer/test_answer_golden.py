"""Cards as people see them: each sample outcome in each format, against a file that can be read and reviewed.

After a change that is meant: `PYTHONPATH=tests python tests/answer/test_answer_golden.py` writes the files anew.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mathrag.answer.cards.formats import ANSWER_FORMATS, AnswerFormat, render
from mathrag.answer.objects import outcome_object
from outcome_samples import OUTCOMES

GOLDEN = Path(__file__).parent / "golden"
ENDINGS = {"text": "txt", "markdown": "md", "latex": "tex", "html": "html", "json": "json"}


def _shown(name: str, style: AnswerFormat) -> str:
    if style == "json":
        return json.dumps(outcome_object(OUTCOMES[name]), ensure_ascii=False, indent=1, allow_nan=False)
    return render(OUTCOMES[name], style, library="my-library")


@pytest.mark.parametrize("style", ANSWER_FORMATS)
@pytest.mark.parametrize("name", OUTCOMES)
def test_outcomes_are_shown_as_the_golden_files_say(name: str, style: AnswerFormat) -> None:
    expected = (GOLDEN / f"{name}.{ENDINGS[style]}").read_text(encoding="utf-8")
    assert f"{_shown(name, style)}\n" == expected


def test_every_golden_file_is_compared() -> None:
    expected = {f"{name}.{ending}" for name in OUTCOMES for ending in ENDINGS.values()}
    assert {path.name for path in GOLDEN.iterdir()} == expected


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for sample in OUTCOMES:
        for form in ANSWER_FORMATS:
            (GOLDEN / f"{sample}.{ENDINGS[form]}").write_text(f"{_shown(sample, form)}\n", encoding="utf-8")
