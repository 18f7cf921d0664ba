"""`mathrag ingest --llm` and what the other commands show of it, as a user meets them."""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path
from typing import Any

import pytest

from library.model_makers import NOTHING, Talker, formula, formulas
from mathrag.cli.main import main
from mathrag.library import Library
from mathrag.llm.accounts import Price
from mathrag.llm.budgets import Budget
from mathrag.llm.metered import Models
from mathrag.store.truth.replies import Replies

NOTE = """# Motion

**Force.** $$F = m a$$

where $m$ is the mass in kg and $a$ is the acceleration in m/s^2, as everybody learns at school.

# Energy

Energy cannot be made from nothing, and this note says no more about it than that.
"""


def says(text: str) -> dict[str, Any]:
    if "Energy cannot" not in text:
        return NOTHING
    return formulas(formula(quote="Energy cannot be made", latex="E = 12 m", label="[bold]Energy"))


@pytest.fixture
def talker(monkeypatch: pytest.MonkeyPatch) -> Talker:
    """A model in place of the one that the settings would name."""
    made = Talker(says, name="tiny")

    def opened(folder: Path, *, settings: object, budget: Budget | None) -> Models:
        return Models.of(made, store=Replies(folder), budget=budget, price=Price(1.0, 2.0))

    monkeypatch.setattr("mathrag.library.ask.models.open_models", opened)
    return made


@pytest.fixture
def note(tmp_path: Path) -> Path:
    file = tmp_path / "note.md"
    file.write_text(NOTE, encoding="utf-8")
    return file


def run(*words: str | Path) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main([str(word) for word in words])
    return code, out.getvalue(), err.getvalue()


@pytest.mark.slow
def test_estimate_asks_nobody(talker: Talker, note: Path, tmp_path: Path) -> None:
    library = tmp_path / "library"
    code, out, err = run("ingest", note, "--llm", "--estimate", "--library", library)
    assert (code, err, talker.calls) == (0, "", 0)
    assert "to read with tiny: 2 passages in 1 document" in out
    assert "2 calls to make" in out
    assert "$" in out
    code, out, _ = run("ingest", note, "--llm", "--estimate", "--json", "--library", library)
    data = json.loads(out)
    assert (data["documents"], data["passages"], data["calls"], data["cached"]) == (1, 2, 2, 0)
    assert data["prompt_tokens"] > 500
    assert 0 < data["cost"] < 1
    run("ingest", note, "--llm", "--library", library)
    data = json.loads(run("ingest", note, "--llm", "--estimate", "--json", "--library", library)[1])
    assert (data["documents"], data["calls"], data["cost"]) == (0, 0, 0.0)


@pytest.mark.slow
def test_a_run_a_stop_and_what_is_shown(talker: Talker, note: Path, tmp_path: Path) -> None:
    library = tmp_path / "library"
    code, out, err = run("ingest", note, "--llm", "--max-calls", "1", "--library", library)
    assert code == 1
    assert "1 passage of 2" in out
    assert "--max-calls" in err
    assert "left: 1 passage; run the same command again" in err
    status = run("status", "--library", library)
    assert "not finished with the model: " in status[1]
    assert "1 of 2 passages" in status[1]
    code, out, err = run("ingest", "--retry", "--llm", "--json", "--library", library)
    assert (code, err, talker.calls) == (0, "", 2)
    file, total = map(json.loads, out.splitlines())
    assert (file["state"], file["model"]["state"], file["model"]["done"]) == ("enriched", "read", 2)
    assert total["model"]["complete"] is True
    assert total["model"]["spending"]["total"]["calls"] == 1
    assert total["model"]["spending"]["total"]["cached"] == 1
    assert total["model"]["rejected"] == dict.fromkeys(total["model"]["rejected"], 1)
    code, out, _ = run("show", "--rejected", "--library", library)
    assert code == 0
    assert "Energy cannot be made" in out
    assert "E = 12 m [bold]Energy" in out
    code, out, _ = run("show", "--rejected", "note.md", "--json", "--library", library)
    data = json.loads(out)
    assert (data["kind"], data["line"], data["model"], data["proposed"]["latex"]) == ("formula", 7, "tiny", "E = 12 m")
    assert data["quote"] == "Energy cannot be made"
    data = json.loads(run("status", "--json", "--library", library)[1])
    assert data["model_readings"][0]["complete"] is True
    assert sum(data["proposals_rejected"].values()) == 1
    assert run("check", "--library", library)[0] == 0
    assert run("check", "--rebuild", "--library", library)[0] == 0
    with Library(library) as opened:
        assert len(opened.rejected()) == 1


@pytest.mark.slow
def test_what_goes_wrong_is_said(note: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = tmp_path / "library"
    for name in ("MATHRAG_LLM_URL", "MATHRAG_LLM_MODEL"):
        monkeypatch.delenv(name, raising=False)
    code, _, err = run("ingest", note, "--llm", "--library", library)
    assert code == 2
    assert "MATHRAG_LLM_URL" in err
    assert "MATHRAG_LLM_MODEL" in err
    assert not Library.exists(library)
    for option in (("--max-calls", "3"), ("--max-cost", "1"), ("--estimate",), ("--summaries",)):
        code, _, err = run("ingest", note, *option, "--library", library)
        assert code == 2
        assert "add --llm" in err
    run("ingest", note, "--library", library)
    assert "no document was read with a language model" in run("show", "--rejected", "--library", library)[1]
    code, _, err = run("show", "--rejected", "other.md", "--library", library)
    assert code == 1
    assert "no document called" in err
    code, _, err = run("show", "note.md", "--rejected", "--page", "1", "--library", library)
    assert code == 2
