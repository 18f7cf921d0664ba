"""Words of documents made harmless for a program's text: docstrings, comments and messages that stay what they are."""

from __future__ import annotations

from collections.abc import Sequence

_LONGEST = 200


def one_line(text: str, *, longest: int = _LONGEST) -> str:
    """Printable characters on one line; nothing that ends a comment or turns text around."""
    line = " ".join("".join(character if character.isprintable() else " " for character in text).split())
    return line if len(line) <= longest else f"{line[:longest]}…"


def docstring(lines: Sequence[str], *, indent: str = "") -> str:
    """Lines as a docstring. Every backslash and quote is escaped, so the words cannot close it."""
    escaped = [line.replace("\\", "\\\\").replace('"', '\\"') for line in lines]
    body = f"\n{indent}".join(escaped).replace(f"\n{indent}\n", "\n\n")
    return f'{indent}"""{body}\n{indent}"""' if len(lines) > 1 else f'{indent}"""{body}"""'


def comment(text: str) -> str:
    """A comment to the end of the line."""
    return f"# {one_line(text)}"


def literal(text: str) -> str:
    """A string literal of one line."""
    return repr(one_line(text))
