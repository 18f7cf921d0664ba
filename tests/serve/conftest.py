"""A library made once, an app on it that tests read from, and copies and servers for tests that change something."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from serve_makers import RunningServer, client_of, make_library
from starlette.testclient import TestClient


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library of the sample documents; no test changes it."""
    return make_library(tmp_path_factory.mktemp("served"))


@pytest.fixture
def copied(made: Path, tmp_path: Path) -> Path:
    """A copy of that library for a test to change."""
    folder = tmp_path / "library"
    shutil.copytree(made, folder)
    return folder


@pytest.fixture(scope="session")
def lasting_client(made: Path) -> Iterator[TestClient]:
    """What `client` is before a test gets it."""
    with client_of(made) as found:
        yield found


@pytest.fixture
def client(lasting_client: TestClient) -> TestClient:
    """A client of an app on the shared library. Tests may ask it anything that changes nothing; it comes from nowhere:
    with the session of a page that an earlier test looked at, forms would have to name that page."""
    lasting_client.cookies.clear()
    return lasting_client


@pytest.fixture
def run_server() -> Iterator[Callable[..., RunningServer]]:
    """Starts `mathrag serve` as a process; all are ended with the test."""
    running: list[RunningServer] = []

    def start(library: Path, *arguments: str, **options: Any) -> RunningServer:
        running.append(RunningServer(library, *arguments, **options))
        return running[-1]

    yield start
    for server in running:
        if server.process.poll() is None:
            server.process.kill()
        server.stop()
