"""A running server on a library of its own, a real browser, and pages opened in it that must not complain."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from ask_makers import make_library_with_pdf
from browser_makers import NO_BROWSER, Open, Page, browser_program
from serve_makers import RunningServer


@pytest.fixture(scope="session")
def browsed_library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library of the sample documents with a PDF file, made once; servers run on copies."""
    return make_library_with_pdf(tmp_path_factory.mktemp("browsed"))


@pytest.fixture(scope="module")
def server(browsed_library: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """`mathrag serve` on a copy of that library; the tests of a module share it, and may change it."""
    folder = tmp_path_factory.mktemp("server") / "library"
    shutil.copytree(browsed_library, folder)
    running = RunningServer(folder)
    try:
        running.wait_until_ready()
        yield running
    finally:
        running.stop()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """A browser. For one module only: its driver keeps an event loop in this thread, and other tests run their own."""
    program = browser_program()
    if program is None:
        pytest.skip(NO_BROWSER)
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: no browser is driven")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def open_page(server: RunningServer, chromium: Any) -> Iterator[Open]:
    """Opens a page in a browser session of its own.

    At the end no page may have complained on its console, failed in a script, lacked something it asked for, or asked
    another host for anything. `expected` is a pattern for complaints that belong to the test.
    """
    problems: list[str] = []
    contexts: list[Any] = []

    def start(path: str = "/", *, expected: str | None = None, **options: Any) -> Page:
        def note(text: str) -> None:
            if expected is None or re.search(expected, text) is None:
                problems.append(f"{path}: {text}\n{''.join(server.log[-30:])}")

        context = chromium.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(30_000)
        page.on(
            "console",
            lambda said: note(f"{said.text} {said.location['url']}") if said.type in ("error", "warning") else None,
        )
        page.on("pageerror", lambda error: note(str(error)))
        page.on("requestfailed", lambda request: _note_failure(request, note))
        page.on("request", lambda request: _note_stranger(request, server, note))
        page.goto(f"{server.address}{path}")
        return page

    yield start
    for context in contexts:
        context.close()
    assert problems == []


def _note_failure(request: Any, note: Any) -> None:
    # A page that is left, a stream that is cancelled and a file that is downloaded are all "aborted".
    if request.failure != "net::ERR_ABORTED":
        note(f"failed: {request.url}: {request.failure}")


def _note_stranger(request: Any, server: RunningServer, note: Any) -> None:
    if urlsplit(request.url).netloc not in (urlsplit(server.address).netloc, ""):
        note(f"asked another host: {request.url}")
