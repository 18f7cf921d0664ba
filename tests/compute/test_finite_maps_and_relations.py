"""All maps and relations between small sets: what follows, what is refuted, and how many elements a proof needs."""

from __future__ import annotations

import itertools

import pytest

from mathrag.compute.algebra.term_reader import Node
from mathrag.compute.finite_maps import RULES, consequences, refuting_maps
from mathrag.compute.finite_relations import Said, composed, elements_needed, inverse, pairs_of, try_relations, words_of

R, S = Node("letter", (), "R"), Node("letter", (), "S")
FACTS = [(name, quality) for name in ("f", "g", "gf") for quality in ("injective", "surjective")]


@pytest.mark.parametrize("count", [1, 2, 3])
def test_the_rules_of_composition_give_all_that_follows(count: int) -> None:
    """What no small maps refute follows from the rules, and nothing that they refute does."""
    for given in itertools.combinations(FACTS, count):
        known, _ = consequences(given)
        for wanted in FACTS:
            assert (refuting_maps(given, (), (wanted,)) is None) == (wanted in known)


def test_every_rule_holds_for_all_small_maps() -> None:
    assert all(refuting_maps(tuple(premises), (), (end,)) is None for premises, end, _ in RULES)


def test_composition_goes_from_right_to_left() -> None:
    outer, inner = 0b0100, 0b0010  # (2, 1) and (1, 2)
    assert pairs_of(outer, 2) == ((2, 1),)
    assert pairs_of(inner, 2) == ((1, 2),)
    assert pairs_of(composed(outer, inner, 2), 2) == ((1, 1),)
    assert inverse(outer, 2) == inner


def test_the_intersection_of_transitive_relations_needs_three_elements() -> None:
    premises = [Said(R, "transitive"), Said(S, "transitive")]
    conclusion = [Said(Node("intersection", (R, S)), "transitive")]
    assert try_relations(premises, conclusion).counterexample is None
    assert elements_needed(premises, conclusion) == 3


def test_a_composition_needs_more_elements_than_are_tried() -> None:
    conclusion = [Said(Node("composition", (R, S)), "transitive")]
    assert elements_needed([], conclusion) == 5
    assert elements_needed([Said(Node("composition", (R, R)), "symmetric")], [Said(R, "symmetric")]) is None


def test_inverses_turn_compositions_round() -> None:
    turned = Node("composition", (Node("inverse", (S,)), Node("inverse", (R,))))
    assert words_of(Node("inverse", (Node("composition", (R, S)),))) == words_of(turned)
    assert words_of(Node("intersection", (R, S))) is None
