"""The same over an encrypted connection, where sockets are of another kind and certificates can be wrong."""

from __future__ import annotations

import shutil
import ssl
import subprocess
from pathlib import Path

import pytest
from faulty_server import Behaviour, FaultyServer, drip, slow_stream

from mathrag.errors import ModelError
from mathrag.llm.endpoint import Endpoint
from mathrag.llm.messages import ChatRequest, Message

REQUEST = ChatRequest((Message("user", "Hello"),), maximal_tokens=20)


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate for this machine that nobody signed, and its key."""
    program = shutil.which("openssl")
    if program is None:
        pytest.skip("the program openssl, which makes the certificate, is not installed")
    folder = tmp_path_factory.mktemp("certificate")
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    words = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1"
    subprocess.run(
        [program, *words.split(), "-keyout", str(key), "-out", str(certificate)], check=True, capture_output=True
    )
    return certificate, key


def _encrypted(certificate: tuple[Path, Path], *script: Behaviour) -> FaultyServer:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    return FaultyServer(script, wrap=lambda plain: context.wrap_socket(plain, server_side=True))


@pytest.fixture
def trusted(certificate: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate[0]))
    return certificate


def test_chat_and_stream(trusted: tuple[Path, Path]) -> None:
    with _encrypted(trusted) as server, Endpoint(server.url, "m") as endpoint:
        assert server.url.startswith("https:")
        assert endpoint.chat(REQUEST).text == "Four is two and two."
        assert endpoint.chat(REQUEST) == list(endpoint.stream(REQUEST))[-1].reply
        assert len(server.connections) == 1


def test_a_server_that_drips_is_given_up(trusted: tuple[Path, Path]) -> None:
    fault = drip(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    with _encrypted(trusted, fault) as server, Endpoint(server.url, "m", timeout_seconds=1) as endpoint:
        with pytest.raises(ModelError) as caught:
            endpoint.chat(REQUEST)
        assert caught.value.code == "timeout"


def test_closing_a_stream_frees_the_server(trusted: tuple[Path, Path]) -> None:
    with _encrypted(trusted, slow_stream) as server, Endpoint(server.url, "m") as endpoint:
        stream = endpoint.stream(REQUEST)
        assert next(stream).text == "slow "
        stream.close()
        assert server.hung_up.wait(10)


def test_a_certificate_that_nobody_signed(certificate: tuple[Path, Path]) -> None:
    with _encrypted(certificate) as server, Endpoint(server.url, "m", key="sk-secret") as endpoint:
        with pytest.raises(ModelError, match="certificate of the model server") as caught:
            endpoint.chat(REQUEST)
        assert caught.value.code == "unreachable"
        assert server.requests == []


def test_a_server_that_does_not_encrypt() -> None:
    with FaultyServer() as server, Endpoint(server.url.replace("http:", "https:"), "m") as endpoint:
        with pytest.raises(ModelError, match="try http://") as caught:
            endpoint.chat(REQUEST)
        assert caught.value.code == "unreachable"
