"""Several things in a sentence."""

from __future__ import annotations

from mathrag.language.enumeration import listed


def test_things_are_named_as_people_do() -> None:
    assert listed(["a bolt"]) == "a bolt"
    assert listed(["a bolt", "a nut"]) == "a bolt and a nut"
    assert listed(["a bolt", "a nut", "two washers"]) == "a bolt, a nut and two washers"
