"""Patterns such as `notes/**/*.md`, matched against the names a walk gives. Searches nothing itself.

The standard library's search follows links, so that two links to a folder above make it endless; ours does not.
"""

from __future__ import annotations

import fnmatch
import re
from pathlib import PurePosixPath

_WILDCARD = re.compile(r"[*?\[]")
_EXTENSION = re.compile(r"\.\w+$")
_MOST_PARTS = 64


def has_wildcards(text: str) -> bool:
    """Whether a text could be a pattern."""
    return _WILDCARD.search(text) is not None


class GlobPattern:
    """A pattern split into the folder before its first wildcard and the parts to match below it."""

    def __init__(self, text: str) -> None:
        parts = PurePosixPath(text.replace("\x00", "?")).parts[:_MOST_PARTS]
        fixed = next((position for position, part in enumerate(parts) if has_wildcards(part)), len(parts))
        self.base = str(PurePosixPath(*parts[:fixed])) if fixed else "."
        self._parts = parts[fixed:]
        if self._parts and self._parts[-1] == "**":
            self._parts = (*self._parts, "*")
        self._expressions = [
            None if part == "**" else re.compile(fnmatch.translate(part), re.DOTALL) for part in self._parts
        ]

    @property
    def names_hidden(self) -> bool:
        """Whether the pattern asks for hidden files or folders by writing their dot."""
        return any(part.startswith(".") for part in self._parts)

    @property
    def names_its_files(self) -> bool:
        """Whether the last part has a fixed extension or no wildcard, so that what it matches counts as named."""
        last = self._parts[-1] if self._parts else ""
        return _EXTENSION.search(last) is not None or not has_wildcards(last)

    @property
    def depth(self) -> int | None:
        """How deep matches can lie; None without a bound."""
        return None if "**" in self._parts or not self.names_its_files else len(self._parts)

    def matches(self, relative: str) -> bool:
        """Whether a path relative to the base fits, or a folder above it does where the pattern may mean folders.

        Reached positions are kept as a set, so that several `**` cost no more than one.
        """
        end = len(self._parts)
        reached = self._closure({0})
        for name in relative.split("/"):
            following = set()
            for position in reached:
                if position == end:
                    continue
                expression = self._expressions[position]
                if expression is None:
                    if not name.startswith("."):
                        following.add(position)
                elif self._fits(name, position, expression):
                    following.add(position + 1)
            reached = self._closure(following)
            if end in reached and not self.names_its_files:
                return True
        return end in reached

    def _fits(self, name: str, position: int, expression: re.Pattern[str]) -> bool:
        if name.startswith(".") and not self._parts[position].startswith("."):
            return False
        return expression.match(name) is not None

    def _closure(self, reached: set[int]) -> set[int]:
        for position, part in enumerate(self._parts):
            if position in reached and part == "**":
                reached.add(position + 1)
        return reached
