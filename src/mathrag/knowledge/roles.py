"""What subscripts, marks and order words say about a symbol: initial or final, hot or cold. Proposes, never chooses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from mathrag.knowledge.data_files import ROLES, Entry, load_entries, make_entries
from mathrag.knowledge.spelling import normal_words
from mathrag.types.knowledge import Role

Index = Mapping[str, tuple[Role, ...]]


@cache
def all_roles() -> tuple[Role, ...]:
    """Every role, in the order of the file."""
    return make_roles(load_entries(ROLES))


def make_roles(entries: list[Entry]) -> tuple[Role, ...]:
    """Roles from entries of the data file."""

    def make(entry: Entry) -> Role:
        return Role(
            id=entry["id"],
            name=entry["name"],
            group=entry["group"],
            subscripts=tuple(entry["subscripts"]),
            marks=tuple(entry["marks"]),
            words=tuple(entry["words"]),
            opposite=entry.get("opposite"),
            note=entry["note"],
        )

    return make_entries(ROLES, entries, make)


@cache
def _by_id() -> Mapping[str, Role]:
    return {item.id: item for item in all_roles()}


def role(role_id: str) -> Role:
    """The role with this id; `KeyError` if there is none."""
    return _by_id()[role_id]


def opposite_of(item: Role) -> Role | None:
    """The other end of the pair (final for initial), where there is one."""
    return None if item.opposite is None else role(item.opposite)


def _group(triples: Iterable[tuple[int, str, Role]]) -> Index:
    # A role that lists the spelling first is likelier than one that lists it last.
    found: dict[str, list[Role]] = {}
    for _, key, item in sorted(triples, key=lambda triple: triple[0]):
        items = found.setdefault(key, [])
        if item not in items:
            items.append(item)
    return {key: tuple(items) for key, items in found.items()}


@cache
def _by_subscript() -> Index:
    return _group((rank, text, item) for item in all_roles() for rank, text in enumerate(item.subscripts))


@cache
def _by_mark() -> Index:
    return _group((rank, text, item) for item in all_roles() for rank, text in enumerate(item.marks))


@cache
def _by_words() -> Index:
    return _group((rank, normal_words(text), item) for item in all_roles() for rank, text in enumerate(item.words))


def roles_for_subscript(subscript: str) -> tuple[Role, ...]:
    """The roles a subscript can have, likeliest first; case counts (`c` is cold or critical, `C` a capacitor)."""
    return _by_subscript().get(subscript, ())


def roles_for_mark(mark: str) -> tuple[Role, ...]:
    """The roles a mark (`bar`, `prime`, `star`) can have, likeliest first."""
    return _by_mark().get(mark, ())


def roles_for_words(text: str) -> tuple[Role, ...]:
    """The roles that exactly these words signal, likeliest first."""
    return _by_words().get(normal_words(text), ())
