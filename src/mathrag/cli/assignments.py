"""Arguments of the form `m=2 kg`: split, matched with the symbols of a formula, read as quantities or units."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from mathrag.errors import UsageError


def split_assignments(arguments: Iterable[str], symbols: Collection[str]) -> dict[str, str]:
    """Symbol names of the formula with the texts given for them."""
    from mathrag.calculator import resolve_symbol

    found: dict[str, str] = {}
    for argument in arguments:
        name, equals, text = argument.partition("=")
        if not equals or not name.strip() or not text.strip():
            raise UsageError(f"{argument!r} gives no value; write it as symbol=value, such as m=2kg")
        symbol = resolve_symbol(name.strip(), symbols)
        if symbol in found:
            raise UsageError(f"{symbol} is given twice")
        found[symbol] = text.strip()
    return found


def split_pins(arguments: Iterable[str]) -> dict[str, str]:
    """Values pinned for a question, before its formula is known: symbols as typed."""
    found: dict[str, str] = {}
    for argument in arguments:
        name, equals, text = argument.partition("=")
        symbol = name.strip()
        if not equals or not symbol or not text.strip():
            raise UsageError(f"{argument!r} pins no value; write it as symbol=value, such as m=2kg")
        if symbol in found:
            raise UsageError(f"{symbol} is pinned twice")
        found[symbol] = text.strip()
    return found


def listed(text: str) -> list[str]:
    """The names of an option that takes several, separated by commas."""
    return [name.strip() for name in text.split(",") if name.strip()]
