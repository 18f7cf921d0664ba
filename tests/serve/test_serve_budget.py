"""What a server may spend on language models: one budget for all its processes, and outcomes where it is spent."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from serve_makers import client_of

from mathrag.cli.main import cli
from mathrag.errors import UsageError
from mathrag.library.ask.models import Budget
from mathrag.serve.options import ServeOptions

ACTION = 'Thought: so\nAction: RETRIEVE_MATH_KNOWLEDGE\nAction Input: {"query": "energy number %d"}'
VARIABLES = ("URL", "MODEL", "MODEL_REASON", "PRICE_INPUT", "PRICE_OUTPUT", "KEY")


class _Talker(BaseHTTPRequestHandler):
    """A model that never comes to an end: it looks for something else each time, so that nobody calls it stuck."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.server.asked.append(self.path)  # type: ignore[attr-defined]
        said = ACTION % len(self.server.asked)  # type: ignore[attr-defined]
        choice = {"index": 0, "message": {"role": "assistant", "content": said}, "finish_reason": "stop"}
        reply = {"id": "1", "object": "chat.completion", "created": 0, "model": "talker", "choices": [choice]}
        reply["usage"] = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
        data = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What a model server was asked; the settings name it."""
    pytest.importorskip("httpx2")
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Talker)
    server.asked = []  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    for name in VARIABLES:
        monkeypatch.delenv(f"MATHRAG_LLM_{name}", raising=False)
    monkeypatch.setenv("MATHRAG_LLM_URL", f"http://127.0.0.1:{server.server_address[1]}/v1")
    monkeypatch.setenv("MATHRAG_LLM_MODEL", "talker")
    yield server.asked  # type: ignore[attr-defined]
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.soak
def test_all_processes_spend_from_one_budget(copied: Path, asked: list[str]) -> None:
    budget = Budget(maximal_calls=3)
    with client_of(copied, workers=2, planner="react", budget=budget) as client:
        assert "mathrag_model_calls 0" in client.get("/metrics").text.splitlines()

        def ask(mass: int) -> Any:
            text = f"What is the kinetic energy of {mass} kg at 3 m/s?"
            return client.post("/api/v1/ask", json={"question": text}).json()

        with ThreadPoolExecutor(4) as threads:
            outcomes = list(threads.map(ask, range(2, 8)))
        assert len(asked) == 3
        assert [outcome["value"] for outcome in outcomes] == [4.5 * mass for mass in range(2, 8)]
        for outcome in outcomes:
            assert any("all 3 calls that --max-calls allows this server" in one for one in outcome["warnings"])
        figures = client.get("/metrics").text.splitlines()
        assert {"mathrag_model_calls 3", "mathrag_model_calls_allowed 3"} <= set(figures)
        assert not any(line.startswith("mathrag_model_cost") for line in figures)
        assert len(list(copied.glob("budget-*.json"))) == 1
    assert list(copied.glob("budget-*.json")) == []


@pytest.mark.slow
def test_who_plans_may_be_chosen_where_a_model_is_set(copied: Path, asked: list[str]) -> None:
    text = {"question": "What is the kinetic energy of 2 kg at 3 m/s?"}
    with client_of(copied, workers=1, budget=Budget(maximal_calls=2)) as client:
        assert client.post("/api/v1/ask", json={**text, "planner": "rules"}).json()["value"] == 9
        assert asked == []
        told = client.post("/api/v1/ask", json={**text, "planner": "react", "trace": True}).json()
        assert len(asked) == 2
        assert told["trace"][0]["doing"] == "looks for formulas"
        assert client.post("/api/v1/ask", json={**text, "planner": "magic"}).status_code == 422
        assert 'name="planner"' in client.get("/").text


def test_where_rules_alone_serve_nobody_has_a_model_asked(copied: Path, asked: list[str]) -> None:
    text = {"question": "What is the kinetic energy of 2 kg at 3 m/s?"}
    with client_of(copied, workers=1, planner="rules") as client:
        assert client.post("/api/v1/ask", json={**text, "planner": "react"}).status_code == 422
        assert client.post("/api/v1/ask", json={**text, "planner": "rules"}).json()["value"] == 9
        assert 'name="planner"' not in client.get("/").text
    assert asked == []


def test_an_assistant_has_a_budget_too(copied: Path, asked: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    outcomes: list[Any] = []

    class Server:
        def __init__(self, abilities: Any) -> None:
            self.abilities = abilities

        def run(self, _: str) -> None:
            for mass in ("2 kg", "3 kg", "4 kg"):
                text = f"Wie groß ist die kinetische Energie von {mass} bei der Geschwindigkeit 3 m/s?"
                outcomes.append(self.abilities.ask_question(text, {}, None, None, None))

    pytest.importorskip("mcp")
    from mathrag.serve.mcp import tools

    monkeypatch.setattr("mathrag.serve.mcp.tools.make_server", Server)
    tools.serve_standard_streams(copied, budget=Budget(maximal_calls=1))
    assert len(outcomes) == 3
    assert len(asked) == 1
    assert all("all 1 calls that --max-calls allows are made" in outcome["text"] for outcome in outcomes)


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[ServeOptions]:
    """The options that servers were to be started with."""
    found: list[ServeOptions] = []
    monkeypatch.setattr("mathrag.serve.server.serve", found.append)
    return found


def test_the_command_passes_the_limits_on(made: Path, asked: list[str], served: list[ServeOptions]) -> None:
    runner, place = CliRunner(), ["--library", str(made)]
    for arguments in (["--max-calls", "7"], [], ["--planner", "rules", "--max-calls", "7"]):
        assert runner.invoke(cli, ["serve", *place, *arguments], catch_exceptions=False).exit_code == 0
    assert [one.budget for one in served] == [Budget(None, 7), Budget(), None]
    with pytest.raises(UsageError, match="--max-cost needs to know what tokens cost"):
        runner.invoke(cli, ["serve", *place, "--max-cost", "1"], catch_exceptions=False)
    assert asked == []


def test_without_a_model_nothing_is_counted(
    made: Path, served: list[ServeOptions], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(f"MATHRAG_LLM_{name}", raising=False)
    arguments = ["--library", str(made), "--max-calls", "7"]
    assert CliRunner().invoke(cli, ["serve", *arguments], catch_exceptions=False).exit_code == 0
    assert served[0].budget is None
