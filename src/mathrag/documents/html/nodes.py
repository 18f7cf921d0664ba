"""The tree of a page as the reader walks it: elements with their line and path. No lxml, no meaning."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from mathrag.types.document import Place

_EMPTY: dict[str, str] = {}
_SINGLE = frozenset(("html", "head", "body"))
# A path of thousands of levels tells nobody anything, and a hostile page would fill the memory with them.
_LONGEST_PATH = 48
_PATH_HEAD = 8


@dataclass(slots=True, eq=False)
class Node:
    """An element. `index` counts the siblings of the same name, from 1; `position` is its place among all children.

    Built while parsing, then left as it is.
    """

    name: str
    parent: Node | None = None
    index: int = 1
    line: int = 1
    position: int = 0
    attributes: dict[str, str] = field(default_factory=lambda: _EMPTY)
    children: list[Node | str] = field(default_factory=list)

    def attribute(self, name: str) -> str:
        """An attribute without the space around it; empty where there is none."""
        return self.attributes.get(name, "").strip()

    @property
    def classes(self) -> list[str]:
        """The class names."""
        return self.attributes["class"].split() if "class" in self.attributes else []

    def has_class(self, *names: str) -> bool:
        """Whether it has one of these class names."""
        return "class" in self.attributes and not set(names).isdisjoint(self.classes)

    @property
    def elements(self) -> list[Node]:
        """The children that are elements."""
        return [child for child in self.children if isinstance(child, Node)]

    @property
    def next_element(self) -> Node | None:
        """The sibling element that follows at once."""
        following = self.parent.children[self.position + 1 : self.position + 8] if self.parent is not None else []
        return next((child for child in following if isinstance(child, Node)), None)

    @property
    def path(self) -> str:
        """`/html/body/section[3]/p[2]`; the middle of a path too long to read is left out."""
        steps: list[str] = []
        node: Node | None = self
        while node is not None and node.name:
            steps.append(node.name if node.name in _SINGLE else f"{node.name}[{node.index}]")
            node = node.parent
        steps.reverse()
        if len(steps) > _LONGEST_PATH:
            steps = [*steps[:_PATH_HEAD], "…", *steps[_PATH_HEAD - _LONGEST_PATH :]]
        return "/" + "/".join(steps)

    @property
    def place(self) -> Place:
        """Where the element starts."""
        return Place(line=self.line, path=self.path)

    def descendants(self) -> Iterator[Node]:
        """All elements inside, in document order."""
        pending = [child for child in reversed(self.children) if isinstance(child, Node)]
        while pending:
            node = pending.pop()
            yield node
            pending.extend(child for child in reversed(node.children) if isinstance(child, Node))

    def text(self) -> str:
        """All characters inside, as written."""
        parts: list[str] = []
        pending: list[Node | str] = [self]
        while pending:
            node = pending.pop()
            if isinstance(node, str):
                parts.append(node)
            else:
                pending.extend(reversed(node.children))
        return "".join(parts)

    def find(self, *names: str) -> Node | None:
        """The first descendant of one of these names."""
        return next((node for node in self.descendants() if node.name in names), None)
