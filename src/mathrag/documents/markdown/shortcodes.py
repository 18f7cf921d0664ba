"""Shortcodes and tags of site generators (`{{< image … >}}`, `{% raw %}`, `::: note`): what they are and say."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

SHORTCODE = re.compile(
    r"\{\{[<%][ \t]*(?P<hugo>/?[\w.-]+)(?P<hugo_rest>[^{}\n]{0,2000}?)/?[ \t]*[>%]\}\}"
    r"|\{%-?[ \t]*(?P<liquid>[A-Za-z]\w*)(?P<liquid_rest>[^%\n]{0,2000}?)-?%\}"
)
ATTRIBUTES = re.compile(r"\{:?[ \t]*(?:[#.:][\w:.\-]+|[\w-]+=(?:\"[^\"\n]*\"|'[^'\n]*'|[\w.%-]+)|[ \t]+){1,20}\}")
_FENCE = re.compile(r":{3,}[ \t]*(?:\{[^{}\n]*\}|[\w-]+(?:[ \t]+[^\n{}]*)?(?:\{[^{}\n]*\})?|\[[^\]\n]*\])?[ \t]*")
_PARAMETER = re.compile(
    r"(?:([\w-]+)[ \t]*=[ \t]*)?(?:\"((?:[^\"\\\n]|\\.)*)\"|'((?:[^'\\\n]|\\.)*)'|`([^`\n]*)`|([^\s\"'`=]+))"
)
_IMAGES = frozenset("figure image img picture fig responsive-image include_image lightgallery".split())


@dataclass(frozen=True, slots=True)
class Shortcode:
    """One shortcode: its name, its parameters by name with the span of each value, and those without a name."""

    name: str
    start: int
    end: int
    is_closing: bool = False
    named: dict[str, tuple[int, int]] = field(default_factory=dict)
    others: tuple[tuple[int, int], ...] = ()

    @property
    def is_image(self) -> bool:
        """Whether it shows a picture."""
        return self.name.lower() in _IMAGES


def is_shortcode_line(line: str) -> bool:
    """Whether a line holds nothing but shortcodes, attributes in braces, or the fence of a div."""
    bare = line.strip()
    if bare.startswith(":::"):
        return _FENCE.fullmatch(bare) is not None
    if not bare.startswith("{"):
        return False
    position = 0
    while position < len(bare):
        found = SHORTCODE.match(bare, position) or ATTRIBUTES.match(bare, position)
        if found is None:
            return False
        position = found.end()
        while position < len(bare) and bare[position].isspace():
            position += 1
    return True


def find_shortcodes(text: str) -> list[Shortcode]:
    """The shortcodes of a text, in order."""
    return [read_shortcode(found) for found in SHORTCODE.finditer(text)]


def read_shortcode(found: re.Match[str]) -> Shortcode:
    """A shortcode from a match of `SHORTCODE`; spans count from the start of the text that was searched."""
    kind = "hugo" if found.group("hugo") else "liquid"
    name = found.group(kind)
    named: dict[str, tuple[int, int]] = {}
    others: list[tuple[int, int]] = []
    start, end = found.span(f"{kind}_rest")
    for parameter in _PARAMETER.finditer(found.string, start, end):
        group = next(index for index in (2, 3, 4, 5) if parameter.group(index) is not None)
        if parameter.group(1):
            named[parameter.group(1).lower()] = parameter.span(group)
        else:
            others.append(parameter.span(group))
    is_closing = name.startswith("/") or (kind == "liquid" and name.startswith("end"))
    plain = name.lstrip("/").removeprefix("end") if is_closing else name
    return Shortcode(plain, found.start(), found.end(), is_closing, named, tuple(others))
