"""Properties that come along: nothing contradicts anything, and enough is there to decide questions."""

from __future__ import annotations

import pytest

from mathrag.knowledge.properties import PropertyKind, denied, follow, property_kinds

KINDS = property_kinds()


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_no_example_has_what_it_lacks(kind: PropertyKind) -> None:
    assert [
        (one.name, literal) for one in kind.examples for literal in one.literals if denied(literal) in one.literals
    ] == []


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_no_example_refutes_an_implication(kind: PropertyKind) -> None:
    assert [
        (one.name, rule.then)
        for one in kind.examples
        for rule in kind.implications
        if rule.given <= one.literals and denied(rule.then) in one.literals
    ] == []


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_property_is_one_that_something_can_have(kind: PropertyKind) -> None:
    for name in {literal.removeprefix("!") for literal in kind.words.values()}:
        known = follow((name,), kind.implications)
        assert not any(denied(literal) in known for literal in known), name
        assert any(name in one.literals for one in kind.examples), name


def test_names_of_examples_and_kinds_are_their_own() -> None:
    assert len({kind.name for kind in KINDS}) == len(KINDS)
    for kind in KINDS:
        assert len({one.name for one in kind.examples}) == len(kind.examples)
        assert all(word == word.lower() for word in kind.words)
