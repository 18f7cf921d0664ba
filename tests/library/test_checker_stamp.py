"""Properties of dictionaries are checked again when the program that checks them changes."""

from __future__ import annotations

import pytest

from mathrag.documents.media_type import DICTIONARY_TYPE
from mathrag.library.ingest import reader_choice


def test_a_dictionary_is_stamped_with_its_checker_and_nothing_else_is(monkeypatch: pytest.MonkeyPatch) -> None:
    before = reader_choice.software_version("", DICTIONARY_TYPE)
    plain = reader_choice.software_version("", "text/markdown")
    assert reader_choice.checker_version() in before
    assert reader_choice.checker_version() not in plain
    monkeypatch.setattr(reader_choice, "checker_version", lambda: "another")
    assert reader_choice.software_version("", DICTIONARY_TYPE) != before
    assert reader_choice.software_version("", "text/markdown") == plain
