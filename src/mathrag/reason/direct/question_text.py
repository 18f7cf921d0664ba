"""Strip a question down to what is asked: courtesies, "what is", question marks. Reads no numbers."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from mathrag.language.word_classes import any_of

MAXIMUM_CHARACTERS = 6_000


_OPENINGS = re.compile(
    rf"(?:(?:{any_of('direct.greetings')})\b[ ,:;!.]*"
    rf"|(?:{any_of('direct.may_you')}) you (?:please )?"
    rf"|(?:{any_of('direct.wishes')})\b[ ,:]*"
    rf"|(?:{any_of('direct.demands')})\b[ ,:]*"
    rf"|(?:{any_of('direct.calculate')})\b[ ,:]*"
    rf"|(?:{any_of('direct.what_is')})\b[ ,:]*"
    rf"|(?:the )?(?:(?:{any_of('direct.value_qualities')}) )*(?:{any_of('direct.value_nouns')}) (?:of|for|to)\b[ ,:]*"
    r"|the\b[ ]*)",
    re.IGNORECASE,
)
_ENDING = re.compile(rf"[ ]*(?:[?.!;]|=[ ]*\??|,?[ ](?:{any_of('direct.endings')}))$", re.IGNORECASE)
# The sign of a factorial: behind a number, a bracket or n, or behind a letter that stands beside mathematics (as in
# "= k m!"); "for x!" is an exclamation.
_FACTORIAL = re.compile(r"(?:[0-9)n]|(?<=[=+\-−*/·(),0-9])[A-Za-z]|(?<=[=+\-−*/·(),0-9] )[A-Za-z])!!?$")
_OTHER = re.compile(r"[^\x00-\x7f]")
# A definition is asked for, not a value.
INDEFINITE = re.compile(rf"^(?:{any_of('direct.what_is_a')})\s+an?\s", re.IGNORECASE)


# Every reader begins with the same text.
@lru_cache(maxsize=64)
def tidy(text: str) -> str:
    """One line, single blanks, digits of any script as ASCII; empty for a text too long to be such a question."""
    if len(text) > MAXIMUM_CHARACTERS:
        return ""
    return " ".join(_OTHER.sub(lambda found: _plain(found[0]), text).split())


def _plain(character: str) -> str:
    digit = unicodedata.decimal(character, None)
    if digit is not None:
        return str(digit)
    # Full-width signs and letters are the ASCII ones, drawn wider; other characters mean what they are.
    return unicodedata.normalize("NFKC", character) if 0xFF01 <= ord(character) <= 0xFF5E else character


_ROUNDING = (
    ("⌊", "⌋", "floor"),
    ("⌈", "⌉", "ceil"),
    ("\\lfloor", "\\rfloor", "floor"),
    ("\\lceil", "\\rceil", "ceil"),
)


def rounding_by_name(text: str) -> str:
    """Brackets that round up or down, as functions."""
    for opening, closing, name in _ROUNDING:
        if text.count(opening) == text.count(closing) > 0:
            text = text.replace(opening, f" {name}(").replace(closing, ")")
    return text


def core_of(text: str) -> str:
    """What is asked, without the asking: `What is 2 + 2?` gives `2 + 2`."""
    core = text
    for _ in range(12):
        match = _OPENINGS.match(core)
        if match is None or match.end() == 0:
            break
        core = core[match.end() :].lstrip()
    return without_ending(core)


@lru_cache(maxsize=128)
def without_ending(text: str) -> str:
    """Without question mark, full stop, equals sign or courtesy; the sign of a factorial stays."""
    for _ in range(8):
        text = text.rstrip(" ,:")
        if _FACTORIAL.search(text[-6:]):
            break
        shorter = _ENDING.sub("", text)
        if shorter == text:
            break
        text = shorter
    return text
