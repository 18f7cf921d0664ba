"""Text of strangers made harmless for each way of showing it: one line, nothing that a terminal or a page obeys."""

from __future__ import annotations

import re
import unicodedata

LONGEST_LINE = 400
_STACKED_MARKS = 3
# Signs that mean something to Markdown wherever they stand, or to HTML within it.
_MARKDOWN = re.compile(r"[\\`*_{}\[\]<>#|~$&!]|:(?=/)|(?<=www)\.", re.IGNORECASE)
# A list or a rule begins with these, but only at the start of a line.
_OPENING = re.compile(r"(?=[-+=])|\d{1,9}(?=[.)](?:\s|$))")


def clean(text: str, *, longest: int = LONGEST_LINE) -> str:
    """One line without control characters, direction changes or towers of accents; cut where nobody reads on."""
    # Cut before the work, so that a megabyte costs no more than a page.
    line = " ".join(text[: 4 * longest].split())
    if not line.isprintable() or not line.isascii():
        line = "".join(_tamed(line))
        line = " ".join(line.split())
    return line if len(line) <= longest else f"{line[: longest - 1].rstrip()}…"


def _tamed(line: str) -> list[str]:
    kept: list[str] = []
    marks = 0
    for character in line:
        category = unicodedata.category(character)
        marks = marks + 1 if category in ("Mn", "Me") else 0
        if category == "Cf" or marks > _STACKED_MARKS:
            continue  # direction overrides and zero-width signs: invisible, so nobody misses them
        kept.append(character if character.isprintable() else "�")
    return kept


def markdown_text(text: str, *, longest: int = LONGEST_LINE) -> str:
    """The text as Markdown that shows exactly these characters: no link, no heading, no HTML, no formula."""
    escaped = _MARKDOWN.sub(r"\\\g<0>", clean(text, longest=longest))
    opening = _OPENING.match(escaped)
    return escaped if opening is None else f"{escaped[: opening.end()]}\\{escaped[opening.end() :]}"


def markdown_code(text: str, *, longest: int = LONGEST_LINE) -> str:
    """The text as a code span, fenced by more backticks than it holds in a row."""
    line = clean(text, longest=longest)
    longest_run = max((len(run) for run in re.findall(r"`+", line)), default=0)
    fence = "`" * (longest_run + 1)
    padding = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{fence}{padding}{line}{padding}{fence}" if line else ""
