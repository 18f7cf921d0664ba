"""Square brackets in Markdown text: links, images, footnote marks. Addresses are kept as text and never followed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote_plus, urlsplit

_BRACKETS = re.compile(r"\\.|``[^`]*``|`[^`\n]*`|[\[\]]", re.DOTALL)
_DESTINATION = re.compile(
    r"\(\s*(?:<([^<>\n]*)>|([^\s<>()]*(?:\([^\s()]*\)[^\s<>()]*)*))"
    r"(?:\s+(?:\"((?:[^\"\\]|\\.)*)\"|'((?:[^'\\]|\\.)*)'|\(([^()]*)\)))?\s*\)"
)
_FORMULA_SITES = ("codecogs.com", "render.githubusercontent.com", "math.vercel.app", "tex.s2cms", "mathurl.com")


@dataclass(frozen=True, slots=True)
class Link:
    """A link or image: its words from `start` to `end`, where it is over, its address, the span of its title."""

    start: int
    end: int
    after: int
    address: str = ""
    title: tuple[int, int] | None = None


def match_brackets(text: str) -> dict[int, int]:
    """Where the bracket that closes each opening bracket stands; code and escapes aside."""
    pairs: dict[int, int] = {}
    opened: list[int] = []
    for found in _BRACKETS.finditer(text):
        if found.group() == "[":
            opened.append(found.start())
        elif found.group() == "]" and opened:
            pairs[opened.pop()] = found.start()
    return pairs


def read_link(text: str, start: int, pairs: dict[int, int], *, labels: frozenset[str]) -> Link | None:
    """The link whose words begin with the bracket at `start`; None where the bracket is only a bracket."""
    end = pairs.get(start)
    if end is None:
        return None
    following = text[end + 1 : end + 2]
    if following == "(":
        found = _DESTINATION.match(text, end + 1)
        if found:
            title = next((found.span(group) for group in (3, 4, 5) if found.group(group) is not None), None)
            return Link(start + 1, end, found.end(), found.group(1) or found.group(2) or "", title)
    if following == "[" and (second := pairs.get(end + 1)) is not None:
        label = text[end + 2 : second] or text[start + 1 : end]
        if normal_label(label) in labels:
            return Link(start + 1, end, second + 1, label)
    if labels and normal_label(text[start + 1 : end]) in labels:
        return Link(start + 1, end, end + 1, text[start + 1 : end])
    return None


def normal_label(label: str) -> str:
    """A label as the references are kept: case and spaces do not count."""
    return re.sub(r"\s+", " ", label.strip()).lower().upper()


def formula_in_address(address: str) -> str:
    """The LaTeX that a picture of a formula carries in its address; empty for any other picture."""
    if "?" not in address:
        return ""
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    if not any(parts.netloc.endswith(site) or site in parts.netloc for site in _FORMULA_SITES):
        return ""
    query = parts.query + (f"#{parts.fragment}" if parts.fragment else "")
    for name in ("math=", "from=", "latex=", "tex="):
        if query.startswith(name):
            query = query[len(name) :].split("&", 1)[0]
            break
    query = query if "%" in query or "+" not in query else query.replace("+", "%2B")
    return re.sub(r"^\\(?:inline|dpi\{\d+\}|large|bg_white|fn_\w+)\s*", "", unquote_plus(query)).strip()
