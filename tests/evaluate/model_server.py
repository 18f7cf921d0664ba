"""A server that speaks like a language model that follows the rules' suggestion: what evaluation with models is tested
with. Loopback only; counts what it is asked."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

_STEP = re.compile(r"(f-[0-9a-f]{12}) for (\w+)(?: with ([^;\n(]*))?")
_TOOL = re.compile(r"(?m)^(\w+)\((.*?)\) computes (\S+) by (f-[0-9a-f]{12})")
_RESULT = re.compile(r"(?m)^result_\d+: (\S+) = (.*)$")


def next_action(shown: str) -> tuple[str, dict[str, Any]]:
    """The next action of the first suggestion, read from what a planner is shown."""
    if "RETRIEVE_MATH_KNOWLEDGE" in shown.rpartition("Legal now:")[2]:
        return "RETRIEVE_MATH_KNOWLEDGE", {"query": "formula"}
    suggestions = shown.partition("SUGGESTIONS OF THE RULES")[2].split("\n\n")[0]
    first = next((line for line in suggestions.splitlines() if line.startswith("1.")), "")
    steps, results = _STEP.findall(first), _RESULT.findall(shown)
    if not steps or "MISSING" in first:
        return "ASK_FOR_CLARIFICATION", {"question": "Which values are given?"}
    if len(results) == len(steps):
        return "RESPOND", {"answer": f"{results[-1][0]} = {results[-1][1]}"}
    formula, target, bound = steps[len(results)]
    tool = next((one for one in _TOOL.findall(shown) if (one[3], one[2]) == (formula, target)), None)
    if tool is None:
        return "CREATE_DYNAMIC_TOOL", {"formula_id": formula, "target": target}
    values = dict(pair.strip().split("=", 1) for pair in bound.split(",") if "=" in pair)
    return "CALL_TOOL", {"tool_name": tool[0], "parameters": values}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        server = self.server
        assert isinstance(server, ModelServer)
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with server.lock:
            server.calls += 1
            number = server.calls
        if server.dies_after is not None and number > server.dies_after:
            self._send(401, {"error": {"message": "no such key", "type": "invalid_request_error"}})
            return
        shown = "\n".join(str(one["content"]) for one in body["messages"] if one["role"] == "user")
        name, inputs = next_action(shown)
        text = f"Thought: as suggested.\nAction: {name}\nAction Input: {json.dumps(inputs)}"
        message = {"role": "assistant", "content": text}
        usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        self._send(200, {"id": "1", "object": "chat.completion", "created": 1, "model": body["model"],
                         "choices": [choice], "usage": usage})  # fmt: skip

    def _send(self, status: int, content: Any) -> None:
        data = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class ModelServer(ThreadingHTTPServer):
    """The server; `calls` is how often it was asked, after `dies_after` of them it knows the key no more."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.lock = threading.Lock()
        self.calls = 0
        self.dies_after: int | None = None

    @property
    def url(self) -> str:
        """Its address, as the setting wants it."""
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


@contextmanager
def model_server() -> Iterator[ModelServer]:
    """A server that runs as long as the block."""
    server = ModelServer()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
