"""Writes what became of each test to a file, line by line, for whoever ran them: `pytest --record FILE`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--record", metavar="FILE", help="write what became of each test to FILE, in lines of JSON")


def pytest_configure(config: pytest.Config) -> None:
    path = config.getoption("--record")
    # The processes of pytest-xdist report to the one that started them, which alone writes.
    if path and not hasattr(config, "workerinput"):
        config.pluginmanager.register(_Recorder(Path(path)))


class _Recorder:
    def __init__(self, path: Path) -> None:
        self._path = path

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._write(report, report.when, report.duration)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        # A file that cannot be imported has tests that nobody hears of.
        if report.failed:
            self._write(report, "collect", 0.0)

    def _write(self, report: pytest.TestReport | pytest.CollectReport, stage: str | None, seconds: float) -> None:
        row = {
            "test": report.nodeid,
            "stage": stage,
            "outcome": "expected" if hasattr(report, "wasxfail") and report.skipped else report.outcome,
            "seconds": round(seconds, 3),
            "said": "" if report.passed else _said(report),
        }
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def _said(report: pytest.TestReport | pytest.CollectReport) -> str:
    """The reason of a skip, or the message of a failure."""
    if isinstance(report.longrepr, tuple):
        return str(report.longrepr[2])
    crash = getattr(report.longrepr, "reprcrash", None)
    return str(crash.message if crash is not None else report.longrepr or "")
