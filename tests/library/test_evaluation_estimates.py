"""What an evaluation with a language model would take: said before anything is asked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from mathrag.cli.main import cli
from mathrag.library.evaluate.estimates import estimate_asking
from mathrag.settings import Settings


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = [
        {"id": f"q-{number}", "tier": "plain", "question": f"What is {number} + 1?", "answer": number + 1}
        for number in range(1, 9)
    ]
    (tmp_path / "questions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return tmp_path


def test_calls_tokens_and_cost_grow_with_the_questions(folder: Path) -> None:
    priced = Settings(llm_price_input=3.0, llm_price_output=15.0)
    few, all_of_them = (estimate_asking(folder, planner="react", settings=priced, limit=limit) for limit in (2, None))
    assert (few.questions, all_of_them.questions) == (2, 8)
    assert all_of_them.usual.calls == 4 * few.usual.calls > 0
    assert few.most_calls > few.usual.calls
    assert few.usual.cost is not None
    assert few.usual.cost == pytest.approx(few.usual.prompt_tokens * 3e-6 + few.usual.completion_tokens * 15e-6)
    assert estimate_asking(folder, planner="react", settings=Settings()).usual.cost is None


def test_rules_ask_nobody_and_small_models_little(folder: Path) -> None:
    assert estimate_asking(folder, planner="rules", settings=Settings()).usual.calls == 0
    small, large = (estimate_asking(folder, planner=name, settings=Settings()) for name in ("small", "react"))
    assert small.usual.prompt_tokens < large.usual.prompt_tokens


def test_the_command_asks_nothing(folder: Path) -> None:
    said = CliRunner().invoke(
        cli, ["evaluate", "formula-qa", str(folder), "--planner", "react", "--estimate", "--json"]
    )
    assert said.exit_code == 0
    assert json.loads(said.output)["questions"] == 8
    assert sorted(path.name for path in folder.iterdir()) == ["questions.jsonl"]
