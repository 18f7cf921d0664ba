"""Roles of subscripts and marks: pairs that name each other, marks that exist, found by what is written."""

from __future__ import annotations

from mathrag.knowledge import roles
from mathrag.types.symbol_names import MARKS


def test_opposite_roles_name_each_other() -> None:
    for role in roles.all_roles():
        other = roles.opposite_of(role)
        assert other is None or other.opposite == role.id, f"{role.id} and {role.opposite}"


def test_marks_of_roles_are_marks_of_symbol_names() -> None:
    assert {mark for role in roles.all_roles() for mark in role.marks} <= MARKS


def test_roles_are_found() -> None:
    assert roles.roles_for_subscript("0")[0].id == "initial"
    assert "hot" in [role.id for role in roles.roles_for_subscript("h")]
    assert roles.roles_for_mark("bar")[0].id == "average"
    assert roles.roles_for_words("Initially")[0].id == "initial"
    assert roles.roles_for_words("at the cathode")[0].opposite == "anode"
    assert roles.roles_for_subscript("nonsense") == ()
