"""TeX as pages carry it, without what pages wrap around it: delimiters, style commands, tags. Reads no formula."""

from __future__ import annotations

import re

_DELIMITERS = ((r"\(", r"\)"), (r"\[", r"\]"), ("$$", "$$"), ("$", "$"))
_TAG = re.compile(r"\\tag\*?\s{0,3}\{\s{0,3}\(?([^{}()]{1,30})\)?\s{0,3}\}")
_STYLE = re.compile(r"\\(?:displaystyle|textstyle|scriptstyle)(?![A-Za-z])\s*")
_CDATA = re.compile(r"%\s{0,9}<!\[CDATA\[|%\s{0,9}\]\]>|<!\[CDATA\[|\]\]>")
_COMMAND = re.compile(r"\\[A-Za-z]{2,}|\\[,;:!|{}]|[_^]\s*[\w{\\]")


def bare_tex(text: str) -> tuple[str, str]:
    """The formula itself and the number its `\\tag` gives it."""
    source = _CDATA.sub("", text).strip()
    for opening, closing in _DELIMITERS:
        if len(source) >= len(opening) + len(closing) and source.startswith(opening) and source.endswith(closing):
            source = source[len(opening) : -len(closing)].strip()
            break
    number = ""
    tag = _TAG.search(source)
    if tag is not None:
        number = tag.group(1).strip()
        source = _TAG.sub("", source).strip()
    return _without_style(source), number


def _without_style(source: str) -> str:
    """Wikipedia writes `{\\displaystyle …}` around every formula, LaTeXML `\\displaystyle` before every cell."""
    if source.startswith("{") and source.endswith("}") and _STYLE.match(source, 1) and _is_one_group(source):
        source = source[1:-1]
    return _STYLE.sub("", source, count=1).strip() if _STYLE.match(source) else source.strip()


def _is_one_group(source: str) -> bool:
    depth = 0
    escaped = False
    for place, character in enumerate(source):
        if escaped or character == "\\":
            escaped = not escaped and character == "\\"
        elif character in "{}":
            depth += 1 if character == "{" else -1
            if depth == 0:
                return place == len(source) - 1
    return False


def looks_like_tex(text: str) -> bool:
    """Whether a text has commands, subscripts or superscripts as only TeX has them."""
    return _COMMAND.search(text[:5_000]) is not None
