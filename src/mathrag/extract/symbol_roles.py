"""What a subscript says about a symbol beside the others of its formula: initial beside final, x component, average."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from mathrag.knowledge.roles import opposite_of, roles_for_mark, roles_for_subscript
from mathrag.types.knowledge import Role
from mathrag.types.library import SymbolMeaning
from mathrag.types.quantity import Dimension
from mathrag.types.symbol_names import SymbolParts, split_name


def role_of(name: str, others: Collection[str] = ()) -> Role | None:
    """The role that a subscript or mark gives a symbol beside these others: initial beside final, hot beside cold.

    A lone letter below is a role only where the other end of the pair is there too; a word always is.
    """
    parts = split_name(name)
    if parts.prefix == "conc":
        # What stands below a concentration belongs to the species: [H+] has a charge, not a role.
        parts = replace(parts, subscripts=tuple(one for one in parts.subscripts[-1:] if one in _STATES), marks=())
    siblings = [
        other for other in map(split_name, (one for one in others if one != name)) if other.letter == parts.letter
    ]
    for subscript in parts.subscripts:
        role = _role_of_subscript(subscript, siblings)
        if role is not None:
            return role
    marks = (mark for mark in parts.marks if mark not in _SILENT_MARKS)
    return next((role for mark in marks for role in roles_for_mark(mark)), None)


def _role_of_subscript(subscript: str, siblings: Sequence[SymbolParts]) -> Role | None:
    """The role of a subscript beside symbols of the same letter."""
    roles = roles_for_subscript(subscript)
    if subscript in ("x", "y", "z"):
        return next((role for role in roles if role.group == "direction"), None)
    if subscript.isdigit() and subscript != "0":
        return next((role for role in roles if role.id == f"state_{subscript}"), None)
    marks = {mark for other in siblings for mark in other.subscripts}
    for role in roles:
        other_end = opposite_of(role)
        if other_end is not None and marks & set(other_end.subscripts) and role.group in _PAIRED_GROUPS:
            return role
    if subscript == "0" and any(not other.subscripts for other in siblings):
        return next(iter(roles), None)
    is_word = len(subscript) > 2 and subscript not in ("minus", "plus")
    return roles[0] if roles and is_word else None


_STATE_WORDS = frozenset(("initial", "final", "first", "second", "third", "original", "new"))
_STATES = frozenset(("0", "t", "i", "f", "eq"))
# An arrow or a hat says what sort of object a quantity is, not which one.
_SILENT_MARKS = frozenset(("vec", "hat", "tilde", "bold", "dot", "ddot"))
# Two single letters tell states and ends of a process apart; which stream or body they mean, only the text can say.
_PAIRED_GROUPS = frozenset(("state", "temperature", "electrode", "extremum", "place", "frame"))


def with_roles(meanings: Iterable[SymbolMeaning]) -> tuple[SymbolMeaning, ...]:
    """The meanings of one formula with the roles that their subscripts have beside each other."""
    listed = tuple(meanings)
    names = [meaning.name for meaning in listed]
    found = []
    for meaning in listed:
        role = role_of(meaning.name, names)
        if role is None:
            found.append(meaning)
            continue
        description = meaning.description
        is_ours = meaning.origin in ("assumed", "inferred") and meaning.role == "variable"
        if is_ours and description and not _says_a_role(description, role) and role.group not in _SILENT_GROUPS:
            description = f"{_ORDINALS.get(role.id, role.name)} {description}"
        found.append(replace(meaning, state=role.id, description=description))
    return _with_frames(found)


def _says_a_role(description: str, role: Role) -> bool:
    """Whether a description says this role already, or another state: "final temperature" needs no "second"."""
    words = set(description.split())
    others = _STATE_WORDS if role.group == "state" else frozenset()
    return role.name in description or not words.isdisjoint(others)


def _with_frames(meanings: Sequence[SymbolMeaning]) -> tuple[SymbolMeaning, ...]:
    """Velocities beside a primed one: the prime means the other frame, and a third velocity is that of this frame.

    Only where the speed of light stands too: elsewhere a prime may mean any other state.
    """
    speeds = [one for one in meanings if one.dimension == _SPEED and one.role == "variable"]
    by_name = {one.name: one for one in speeds}
    pairs = [(one.name, f"{one.name}_prime") for one in speeds if f"{one.name}_prime" in by_name]
    has_light = any(one.constant == "speed_of_light" for one in meanings)
    if len(speeds) != 3 or len(pairs) != 1 or not has_light:
        return tuple(meanings)
    here, there = pairs[0]
    called = {here: "velocity in the lab", there: "velocity in the frame"}
    return tuple(
        replace(one, description=called.get(one.name, "velocity of the frame"), kind="velocity")
        if one.name in by_name and one.origin != "document"
        else one
        for one in meanings
    )


_SPEED = Dimension.of({"length": 1, "time": -1})


_SILENT_GROUPS = frozenset(("index",))
_ORDINALS = {"state_1": "first", "state_2": "second", "state_3": "third", "state_4": "fourth"}
