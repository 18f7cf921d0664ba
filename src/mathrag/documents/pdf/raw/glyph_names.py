"""From the name of a glyph to its sign: `parenleft.s3`, `radicalbigg`, `uni221A.s2`, `summationdisplay`. No fonts."""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from importlib import resources

_HEXADECIMAL = re.compile(r"^(?:uni([0-9A-F]{4})|u([0-9A-F]{4,6}))$")
_SIZE_WORD = re.compile(r"(?:big|Big|bigg|Bigg|display|text|wide|wider|widest|v\d|\d{1,2})$")
# What OpenType math fonts add to the name of a delimiter for the parts of its tall form.
_PARTS = {
    "top": "top", "tp": "top", "t": "top", "bot": "bottom", "bt": "bottom", "b": "bottom", "mid": "middle",
    "m": "middle", "ex": "extension", "ext": "extension", "x": "extension",
}  # fmt: skip
_PIECES = {
    "(": {"top": "⎛", "extension": "⎜", "bottom": "⎝"},
    ")": {"top": "⎞", "extension": "⎟", "bottom": "⎠"},
    "[": {"top": "⎡", "extension": "⎢", "bottom": "⎣"},
    "]": {"top": "⎤", "extension": "⎥", "bottom": "⎦"},
    "{": {"top": "⎧", "middle": "⎨", "bottom": "⎩", "extension": "⎪"},
    "}": {"top": "⎫", "middle": "⎬", "bottom": "⎭", "extension": "⎪"},
    "⌊": {"extension": "⎢", "bottom": "⎣"},
    "⌈": {"extension": "⎢", "top": "⎡"},
    "⌋": {"extension": "⎥", "bottom": "⎦"},
    "⌉": {"extension": "⎥", "top": "⎤"},
    "√": {"top": "⏐", "extension": "⏐", "bottom": "⎷"},
    "∫": {"top": "⌠", "extension": "⎮", "bottom": "⌡"},
    "↑": {"extension": "⏐"},
    "↓": {"extension": "⏐"},
    "⇑": {"extension": "‖"},
    "⇓": {"extension": "‖"},
}


@lru_cache(maxsize=1)
def _signs_by_name() -> dict[str, str]:
    text = resources.files(__package__ or "").joinpath("glyph_names.toml").read_text(encoding="utf-8")
    signs: dict[str, str] = {}
    for group in tomllib.loads(text).values():
        for sign, names in group.items():
            plain = chr(int(sign[2:], 16)) if sign.startswith("U+") else sign
            signs.update(dict.fromkeys(names.split(), plain))
    return signs


@lru_cache(maxsize=10_000)
def sign_of_name(name: str) -> str:
    """The sign a glyph name stands for; "" where it says nothing."""
    base, _, suffix = name[:80].partition(".")
    sign = _plain_sign(base)
    if not sign or not suffix:
        return sign
    part = _PARTS.get(suffix.split(".")[-1].lower())
    return _PIECES.get(sign, {}).get(part, sign) if part else sign


def _plain_sign(base: str) -> str:
    signs = _signs_by_name()
    for _ in range(3):
        if base in signs:
            return signs[base]
        match = _HEXADECIMAL.match(base)
        if match:
            number = int(match[1] or match[2], 16)
            return chr(number) if number < 0x110000 and not 0xD800 <= number < 0xE000 else ""
        if len(base) == 1 and base.isascii() and base.isalpha():
            return base
        shorter = _SIZE_WORD.sub("", base)
        if shorter == base or not shorter:
            return ""
        base = shorter
    return signs.get(base, "")
