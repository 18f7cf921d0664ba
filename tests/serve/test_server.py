"""`mathrag serve` as a process: it says where it is, stops cleanly, cuts off who dawdles, and keeps secrets."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from serve_makers import QUESTION, TOKEN, RunningServer, is_running, wait_for

Start = Callable[..., RunningServer]


def _raw(port: int, data: bytes, *, seconds: float = 10) -> bytes:
    """What comes back for some bytes, until the server closes or has nothing more to say."""
    with socket.create_connection(("127.0.0.1", port), timeout=seconds) as connection:
        received = b""
        try:
            connection.sendall(data)
            while block := connection.recv(65_536):
                received += block
        except (TimeoutError, ConnectionError):
            pass
        return received


@pytest.mark.slow
def test_it_answers_streams_and_stops_with_everything_it_started(made: Path, run_server: Start) -> None:
    server = run_server(made)
    assert server.address.startswith("http://127.0.0.1:")
    server.wait_until_ready()
    assert server.ask("/api/v1/ask", {"question": QUESTION})[1]["value"] == 9
    status, text = server.ask("/api/v1/ask/stream", {"question": QUESTION})
    assert status == 200
    assert text.rstrip().splitlines()[-2] == "event: outcome"
    children = server.children()
    assert children
    assert server.stop(signal.SIGINT) == 0
    assert not any(map(is_running, children))
    lines = [json.loads(line) for line in server.log]
    assert [lines[0]["event"], lines[-1]["event"]] == ["started", "stopped"]
    assert QUESTION not in "".join(server.log)


@pytest.mark.soak
def test_a_client_that_goes_away_frees_its_process(made: Path, run_server: Start) -> None:
    server = run_server(made)
    server.wait_until_ready()
    body = json.dumps({"question": "What is the kinetic energy of 123 kg at 3 m/s?"}).encode()
    head = "POST /api/v1/ask/stream HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    head += f"Content-Length: {len(body)}\r\n\r\n"
    for _ in range(20):
        with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
            connection.sendall(head.encode() + body)
    assert server.ask("/api/v1/ask", {"question": QUESTION})[1]["value"] == 9
    wait_for(lambda: "mathrag_streams 0\n" in server.ask("/metrics")[1], what="the end of the streams")
    wait_for(lambda: "mathrag_pool_busy 0\n" in server.ask("/metrics")[1], what="the end of the work")


@pytest.mark.soak
def test_slow_heads_and_slow_bodies_are_cut_off(made: Path) -> None:
    code = (
        "import sys\nfrom pathlib import Path\nfrom mathrag.serve.options import Limits, ServeOptions\n"
        "from mathrag.serve.server import serve\n"
        "limits = Limits(header_seconds=0.5, body_seconds=0.5)\n"
        "serve(ServeOptions(Path(sys.argv[1]), port=0, workers=1, limits=limits))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(made)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        try:
            assert process.stdout is not None
            port = int(process.stdout.readline().split("/ ")[0].rpartition(":")[2])
            for data in (b"", b"GET /healthz HTTP/1.1\r\nHost: local", b"GET"):
                assert _raw(port, data) == b""
            head = b"POST /api/v1/ask HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            reply = _raw(port, head + b"Content-Length: 100\r\n\r\n{")
            assert b" 408 " in reply.splitlines()[0]
            # A second request on the same connection is given its time, too.
            whole = b"GET /static/style.css HTTP/1.1\r\nHost: localhost\r\n\r\n"
            assert _raw(port, whole + b"GET /he").count(b"HTTP/1.1 ") == 1
        finally:
            process.terminate()


@pytest.mark.slow
def test_malformed_http_is_refused_and_the_server_lives(made: Path, run_server: Start) -> None:
    server = run_server(made)
    attacks = (
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: attacker.example\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX: a\r\n b\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0",
        b"GET /" + b"a" * 200_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 200_000 + b"\r\n\r\n",
        b"\x00\xff" * 1000,
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"CONNECT attacker.example:80 HTTP/1.1\r\nHost: attacker.example:80\r\n\r\n",
        b"GET http://attacker.example/ HTTP/1.1\r\nHost: attacker.example\r\n\r\n",
    )
    for attack in attacks:
        reply = _raw(server.port, attack, seconds=2)
        assert not reply or reply.split(b" ")[1] in (b"400", b"404", b"421", b"413", b"414", b"431"), (
            attack[:60],
            reply,
        )
    assert server.ask("/healthz")[0] in (200, 503)


@pytest.mark.soak
def test_no_secret_is_in_the_log(made: Path, run_server: Start) -> None:
    server = run_server(made, environment={"MATHRAG_SERVE_TOKEN": TOKEN})
    assert server.ask("/api/v1/library")[0] == 401
    status, _ = server.ask("/api/v1/library", Authorization=f"Bearer {TOKEN}", Cookie="mathrag_session=abcdefghijkl")
    assert status == 200
    server.ask("/api/v1/library?token=" + TOKEN)
    server.stop()
    log = "".join(server.log)
    assert "request" in log
    assert TOKEN not in log
    assert "abcdefghijkl" not in log


@pytest.mark.soak
def test_two_servers_on_one_library_do_every_job_once(made: Path, copied: Path, run_server: Start) -> None:
    first, second = run_server(copied), run_server(copied)
    jobs = [server.ask("/api/v1/jobs", {"starter": True})[1]["id"] for server in (first, second)]
    for job in jobs:
        wait_for(lambda job=job: first.ask(f"/api/v1/jobs/{job}")[1]["state"] == "done", seconds=180, what="the job")
        assert second.ask(f"/api/v1/jobs/{job}")[1]["attempts"] == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--host", "0.0.0.0"], "a token is needed"),
        (["--token", "short"], "at least 16"),
        (["--host", "no.such.host.invalid"], "token is needed"),
    ],
)
def test_what_cannot_be_served_is_said_in_a_sentence(arguments: list[str], message: str, tmp_path: Path) -> None:
    result = subprocess.run(
        [sys.executable, "-m", "mathrag", "serve", "--library", str(tmp_path / "x"), "--port", "0", *arguments],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert result.returncode == 2
    assert message in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.slow
def test_a_port_that_is_taken_is_said_so(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        result = subprocess.run(
            [sys.executable, "-m", "mathrag", "serve", "--library", str(tmp_path / "x"), "--port", port],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    assert result.returncode == 2
    assert "choose another --port" in result.stderr


@pytest.mark.slow
def test_a_library_that_cannot_be_used_is_said_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "library.sqlite").write_bytes(b"this is no library, but long enough to be taken for one" * 20)
    result = subprocess.run(
        [sys.executable, "-m", "mathrag", "serve", "--library", str(tmp_path), "--port", "0"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert result.returncode == 1
    assert "no SQLite file" in result.stderr
