"""Hostile input at every door: nothing runs, hangs, grows or crashes, and the answer is a sentence."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from hostile.batch import STDIN_COMMAND, WITH_SYMPY
from hostile.probe import FORMULA_READERS, Probe, probe, sentence_fault

HERE = Path(__file__).parent
READERS = ("latex", "mathml", "content", "text", "unit", "sentence", "cli", "stdin")
CANARY = "mathrag_canary"
# In all; a single input has half a minute of processor time.
BATCH_SECONDS = 300
_COMMAND = [sys.executable, "-c", "from mathrag.cli.main import run; run()"]

with (HERE / "corpus.toml").open("rb") as _file:
    CORPUS: list[dict[str, Any]] = tomllib.load(_file)["input"]


def test_the_corpus_is_well_formed() -> None:
    names = [entry["id"] for entry in CORPUS]
    assert len(set(names)) == len(names)
    for entry in CORPUS:
        assert set(entry) <= {"id", "reader", "text", "arguments", "outcome"}, entry["id"]
        assert entry["reader"] in READERS, entry["id"]
        assert entry.get("outcome", "declined") == "declined", entry["id"]
        assert isinstance(entry.get("text" if entry["reader"] != "cli" else "arguments"), str | list), entry["id"]


@pytest.mark.parametrize("entry", CORPUS, ids=[entry["id"] for entry in CORPUS])
def test_an_input_does_no_harm(entry: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    if entry["reader"] == "cli":
        report = Probe().command(entry["arguments"])
    elif entry["reader"] == "stdin":
        report = Probe().command(STDIN_COMMAND, entry["text"].encode())
    else:
        report = probe(entry["reader"], entry["text"])
    assert report.complaints == []
    assert not list(tmp_path.iterdir())
    if "outcome" in entry:
        assert report.outcome == entry["outcome"]


def _batch(folder: Path, *arguments: str) -> list[str]:
    """What is wrong with the inputs of one reader, run in a process with little memory and under watch."""
    try:
        ended = subprocess.run(
            [sys.executable, str(HERE / "batch.py"), *arguments],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(HERE.parent)},
            capture_output=True,
            timeout=BATCH_SECONDS,
            check=False,
        )
        output, code, errors = ended.stdout, ended.returncode, ended.stderr.decode(errors="replace")
    except subprocess.TimeoutExpired as late:
        output, code, errors = late.stdout or b"", -1, f"not done after {BATCH_SECONDS} s"
    lines = [json.loads(line) for line in output.splitlines()]
    results = {line["name"]: line for line in lines if "name" in line}
    wrong = [f"{name}: {each}" for name, result in results.items() for each in result["complaints"]]
    if code:
        started = [line["start"] for line in lines if "start" in line]
        wrong.append(f"the process ended with {code} at {started[-1] if started else 'the start'}: {errors[-500:]}")
    assert results
    return wrong


@pytest.mark.soak
@pytest.mark.parametrize("reader", READERS)
def test_nothing_runs_hangs_or_grows(reader: str, tmp_path: Path) -> None:
    """Every input again, with the huge ones: a gigabyte of memory, no file, process, socket or compiler touched."""
    wrong = _batch(tmp_path, reader)
    assert not wrong, "\n".join(wrong)
    assert not (tmp_path / CANARY).exists()


@pytest.mark.soak
def test_the_algebra_system_is_held_too(tmp_path: Path) -> None:
    assert WITH_SYMPY
    wrong = _batch(tmp_path, "text", "sympy")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("arguments", "standard_input"),
    [
        (["formula", "parse", "--json"], b'{"latex": "x = \xff\xfe"}\n'),
        (["formula", "parse", "--json"], b"\x00\x00\xff\n" * 100),
        (["formula", "parse", "--json"], b'{"latex": "x = \\ud800"}\n'),
        (["formula", "parse", b"x = \xff + 1"], b""),
        (["formula", "parse", b"x = \xff + 1", "--json"], b""),
        (["quantity", "parse", b"5 \xff kg"], b""),
        (["formula", "eval", "E = m c^2", *(["m=1"] * 3_000)], b""),
    ],
    ids=["bytes", "nul", "surrogate", "argument", "argument-json", "quantity", "many-arguments"],
)
def test_the_real_command_stays_calm(arguments: list[str | bytes], standard_input: bytes, tmp_path: Path) -> None:
    """As a person runs it: real streams, real bytes."""
    ended = subprocess.run(
        [*_COMMAND, *arguments], input=standard_input, capture_output=True, cwd=tmp_path, timeout=60, check=False
    )
    run = Probe()
    run.ended(ended.returncode, ended.stdout.decode(errors="replace"), ended.stderr.decode(errors="replace"))
    assert run.report.complaints == []
    assert not list(tmp_path.iterdir())


def test_every_reader_is_tried_in_every_way() -> None:
    """Injection, look-alikes, broken structure and bombs at each door; the corpus must not thin out unnoticed."""
    for reader in READERS:
        count = sum(entry["reader"] == reader for entry in CORPUS)
        assert count >= 15, f"only {count} inputs for {reader}"
    assert set(FORMULA_READERS) < set(READERS)


@pytest.mark.parametrize(
    "text", ["", "oops", "a KeyError occurred", "it has type <class 'int'>", "x\ny z", "word " * 200]
)
def test_the_judge_of_sentences_judges(text: str) -> None:
    assert sentence_fault(text)
