"""A library made once for all tests of this folder, and copies of it for those that change it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from library_makers import write

from mathrag.library import Library


@pytest.fixture(scope="session")
def documents(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the sample documents; no test changes it."""
    return write(tmp_path_factory.mktemp("sample") / "documents")


@pytest.fixture(scope="session")
def made(documents: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library of the sample documents; no test changes it."""
    folder = tmp_path_factory.mktemp("made") / "library"
    with Library(folder) as library:
        report = library.ingest([documents], workers=2)
    assert [file.state for file in report.files] == ["added"] * 4
    return folder


@pytest.fixture
def copied(made: Path, tmp_path: Path) -> Path:
    """A copy of that library for a test to change."""
    folder = tmp_path / "library"
    shutil.copytree(made, folder)
    return folder
