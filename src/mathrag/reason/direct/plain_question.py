"""Strip a question down to what is asked: courtesies, "what is", question marks. Reads no numbers."""

from __future__ import annotations

import re
import unicodedata

MAXIMUM_CHARACTERS = 6_000

_OPENINGS = re.compile(
    r"(?:(?:hi|hello|hey|ok|okay|so|and|now|well|please|pls|kindly|quick question|question)\b[ ,:;!.]*"
    r"|(?:can|could|would|will) you (?:please )?"
    r"|(?:do you know|i (?:want|need|would like|'d like) to know|i(?:'d| would) like|i need|i want)\b[ ,:]*"
    r"|(?:tell|give|show|get) me(?: again)?\b[ ,:]*"
    r"|(?:calculate|compute|evaluate|work out|find(?: out)?|figure out|determine|simplify|calc|state)\b[ ,:]*"
    r"|(?:what is|what's|what’s|whats|what are|what was|what would|what does|what do|wat is|how much is|how much are"
    r"|how big is|how large is|how small is)\b[ ,:]*"
    r"|(?:the )?(?:exact |numerical |numeric |accepted |approximate |current |codata |si )*"
    r"(?:value|result|answer|outcome) (?:of|for|to)\b[ ,:]*"
    r"|the\b[ ]*)",
    re.IGNORECASE,
)
_ENDING = re.compile(
    r"[ ]*(?:[?.!;]|=[ ]*\??|,?[ ](?:please|pls|thanks|thank you|exactly|equals?(?: to)?|come to|make|give))$",
    re.IGNORECASE,
)
_FACTORIAL = re.compile(r"[0-9)n]!$")
# A definition is asked for, not a value.
INDEFINITE = re.compile(r"^(?:what is|what's|what’s|whats|what are)\s+an?\s", re.IGNORECASE)


def tidy(text: str) -> str:
    """One line, single blanks, digits of any script as ASCII; empty for a text too long to be such a question."""
    if len(text) > MAXIMUM_CHARACTERS:
        return ""
    return " ".join("".join(_plain(character) for character in text).split())


def _plain(character: str) -> str:
    if character.isascii():
        return character
    digit = unicodedata.decimal(character, None)
    if digit is not None:
        return str(digit)
    # Full-width signs and letters are the ASCII ones, drawn wider; other characters mean what they are.
    return unicodedata.normalize("NFKC", character) if 0xFF01 <= ord(character) <= 0xFF5E else character


def core_of(text: str) -> str:
    """What is asked, without the asking: `What is 2 + 2?` gives `2 + 2`."""
    core = text
    for _ in range(12):
        match = _OPENINGS.match(core)
        if match is None or match.end() == 0:
            break
        core = core[match.end() :].lstrip()
    return without_ending(core)


def without_ending(text: str) -> str:
    """Without question mark, full stop, equals sign or courtesy; the sign of a factorial stays."""
    for _ in range(8):
        text = text.rstrip(" ,:")
        if _FACTORIAL.search(text[-2:]):
            break
        shorter = _ENDING.sub("", text)
        if shorter == text:
            break
        text = shorter
    return text
