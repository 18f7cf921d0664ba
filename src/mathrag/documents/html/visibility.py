"""Whether a person who looks at a page sees an element, by its own attributes: what is hidden, of no size, transparent,
far outside or white on white is not read. Style sheets are not followed: what they hide, a click often shows."""

from __future__ import annotations

import re

from mathrag.documents.html.tree import Node

_LONGEST_STYLE = 2_000
_NUMBER = re.compile(r"(-?\d{0,9}(?:\.\d{1,9})?)\s*(px|pt|em|rem|ex|%|vw|vh|cm|mm)?(?:\s*!important)?")
_CHANNELS = re.compile(r"(\d{1,3})[\s,]{1,4}(\d{1,3})[\s,]{1,4}(\d{1,3})(?:[\s,/]{1,4}([\d.]{1,6})%?)?")
# Of 255: lighter than this nobody tells from white paper.
_WHITE = 0xF0
_WHITE_NAMES = frozenset("white snow ivory azure mintcream ghostwhite whitesmoke floralwhite".split())
# Pixels: smaller letters are no letters; what stands further out is on no screen.
_SMALLEST, _OUTSIDE = 1.0, -900.0


def is_unseen(node: Node) -> bool:
    """Whether nobody sees the element, by its own attributes and the background it stands on."""
    attributes = node.attributes
    if "hidden" in attributes and attributes["hidden"].lower() != "until-found":
        return True
    if attributes.get("aria-hidden", "").lower() == "true":
        return True
    if "style" not in attributes and not (node.name == "font" and "color" in attributes):
        return False
    style = declarations(node)
    if style.get("display") == "none" or style.get("visibility") in ("hidden", "collapse"):
        return True
    return _has_no_size(style) or _is_outside(style) or _has_no_colour(style, node)


def declarations(node: Node) -> dict[str, str]:
    """The declarations of an element's own style, in lower case; the colour of old pages among them."""
    found = {}
    if node.name == "font" and "color" in node.attributes:
        found["color"] = node.attributes["color"].strip().lower()
    if "bgcolor" in node.attributes:
        found["background"] = node.attributes["bgcolor"].strip().lower()
    for each in node.attributes.get("style", "")[:_LONGEST_STYLE].lower().split(";"):
        name, colon, value = each.partition(":")
        if colon:
            found[name.strip()] = value.replace("!important", "").strip()
    return found


def _has_no_size(style: dict[str, str]) -> bool:
    size, opacity = _pixels(style.get("font-size", "")), _pixels(style.get("opacity", ""))
    if (size is not None and size <= _SMALLEST and not style["font-size"].endswith(("em", "%"))) or size == 0:
        return True
    if opacity is not None and opacity <= 0:
        return True
    is_cut = style.get("overflow") in ("hidden", "clip")
    return is_cut and any(_pixels(style.get(side, "")) == 0 for side in ("height", "width", "max-height", "max-width"))


def _is_outside(style: dict[str, str]) -> bool:
    names = ["text-indent", "margin-left", "margin-top"]
    if style.get("position") in ("absolute", "fixed", "relative"):
        names += ["left", "top"]
    return any((length := _pixels(style.get(name, ""))) is not None and length < _OUTSIDE for name in names)


def _pixels(text: str) -> float | None:
    match = _NUMBER.fullmatch(text)
    return None if match is None or match[1] in ("", "-") else float(match[1])


def _has_no_colour(style: dict[str, str], node: Node) -> bool:
    colour = style.get("color", "")
    if not colour:
        return False
    if colour == "transparent" or _opacity(colour) == 0:
        return True
    return _is_white(colour) and _is_white(_background(node))


def _background(node: Node) -> str:
    """The background that an element stands on, by the nearest element that has one; paper is white."""
    current: Node | None = node
    while current is not None:
        if "style" in current.attributes or "bgcolor" in current.attributes:
            style = declarations(current)
            for name in ("background-color", "background"):
                if style.get(name, "none") not in ("none", "transparent", "inherit", "initial"):
                    return style[name]
        current = current.parent
    return "white"


def _is_white(colour: str) -> bool:
    if colour.split(" ", 1)[0] in _WHITE_NAMES:
        return True
    channels = _channels(colour)
    return channels is not None and min(channels) >= _WHITE


def _channels(colour: str) -> tuple[int, int, int] | None:
    if colour.startswith("#"):
        digits = colour[1:].split(" ", 1)[0]
        if len(digits) in (3, 4):
            digits = "".join(2 * digit for digit in digits)
        try:
            return int(digits[0:2], 16), int(digits[2:4], 16), int(digits[4:6], 16)
        except ValueError:
            return None
    match = _CHANNELS.search(colour) if colour.startswith("rgb") else None
    return None if match is None else (int(match[1]), int(match[2]), int(match[3]))


def _opacity(colour: str) -> float:
    """How opaque a colour is; 0 for one that is not seen at all."""
    if colour.startswith("#") and len(colour) in (5, 9):
        return 0.0 if set(colour[4:] if len(colour) == 5 else colour[7:]) == {"0"} else 1.0
    match = _CHANNELS.search(colour) if colour.startswith("rgb") else None
    try:
        return 1.0 if match is None or match[4] is None else float(match[4])
    except ValueError:
        return 1.0
