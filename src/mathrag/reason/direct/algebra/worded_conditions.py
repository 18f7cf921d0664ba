"""Side conditions of a claim in letters that are said in words, written as the readers of claims know them: `…, n
integer`, `for every base b`, `has modulus 1 for every complex z except 0`. What it does not know it leaves."""

from __future__ import annotations

import re

_LONGEST = 240
_LETTERS = re.compile(r"(?<![A-Za-z\\])([a-z])(?![A-Za-z])")
_NOT_ONE = r"\s*(?:\\neq?|≠|!=|<>|not equal to|other than|different from|not)\s*1"
_BASES = re.compile(r"\blog_\{?([a-z])\}?")
_INTEGER = re.compile(
    r"[\s,(]*(?:(?:for|where|with|if|when|provided)\s+)?(?:(?:all|every|any|each)\s+)?"
    r"(?:(?:integers?|whole numbers?|whole|int)\s+(?P<one>[a-z])|(?P<two>[a-z])\s+(?:is\s+|being\s+|∈\s*)?(?:an?\s+)?"
    r"(?:integer|whole number|whole|int|ℤ|Z))[\s).?]*$"
)
_MODULUS = re.compile(
    r"(?:the )?(?P<of>(?:modulus|absolute value) of )?(?P<body>.+?)\s+(?:always )?"
    r"(?P<has>(?:has|have) (?:the )?(?:modulus|absolute value)|is)\s+(?P<value>[0-9]+|one|zero)\b(?P<rest>.*)"
)
_EXCEPT_ZERO = re.compile(
    r"\s*\b(?:for|where|with)\s+(?:all|every|any|each)?\s*(?:non-?zero\s+)?(?:complex\s+(?:numbers?\s+)?)?(?P<letter>[a-z])"
    r"(?:\s+(?:except|other than|apart from|but not|not equal to|besides)(?: for)?\s+(?:0|zero))?[\s.?]*$"
)
_WORDS = {"one": "1", "zero": "0"}


def in_known_words(text: str) -> str:
    """The claim with its conditions in the usual words; empty where there is nothing to change."""
    if len(text) > _LONGEST or not re.search(r"[=<>≤≥]|modulus|absolute value", text):
        return ""
    plain = " ".join(text.replace("$", " ").split())
    changed = _with_integers(_with_bases(_without_one(plain)))
    if "modulus" in changed or "absolute value" in changed:
        changed = _with_bars(changed)
    return changed if changed != plain else ""


def _without_one(text: str) -> str:
    """Positive letters that are not 1, as bases are."""
    pair = re.compile(
        rf"\bfor (?:all |every |any )?positive (?:real )?(?:numbers? )?([a-z])\s*(?:,|and)\s*([a-z]){_NOT_ONE}"
    )
    one = re.compile(rf"\bfor (?:all |every |any )?positive (?:real )?(?:numbers? )?([a-z]){_NOT_ONE}")
    base = re.compile(r"\bfor (?:all|every|any|each) (?:(?:valid|allowed|possible|positive) )?bases? ([a-z])\b")
    text = pair.sub(r"for all \1 > 0 and \2 > 0", text)
    return base.sub(r"for all \1 > 0", one.sub(r"for all \1 > 0", text))


def _with_bases(text: str) -> str:
    """A letter that is the base of a logarithm is positive, which is said where other conditions are."""
    bases = dict.fromkeys(_BASES.findall(text))
    has_limits = re.search(r"\bfor (?:all )?[a-z] ?>|\bif [a-z] ?>|, [a-z] ?> ?0", text) is not None
    missing = [base for base in bases if not re.search(rf"\b{base} ?[>≠]", text)]
    if not has_limits or not missing:
        return text
    body, mark = (text.rstrip("? ."), "?") if text.rstrip().endswith("?") else (text.rstrip(" ."), "")
    return f"{body} and {' and '.join(f'{base} > 0' for base in missing)}{mark}"


def _with_integers(text: str) -> str:
    found = _INTEGER.search(text)
    if found is None or found.start() == 0:
        return text
    whole = found["one"] or found["two"]
    body = text[: found.start()].rstrip(" ,(")
    others = [letter for letter in dict.fromkeys(_LETTERS.findall(body)) if letter != whole]
    if whole not in _LETTERS.findall(body) or not others or "=" not in body:
        return text
    return f"{body} for all real {', '.join(others)} and integers {whole}?"


def _with_bars(text: str) -> str:
    asked = re.sub(r"\A(?:is it true that|true or false:?|is|does)\s+", "", text.strip(), flags=re.IGNORECASE)
    found = _MODULUS.fullmatch(asked)
    if found is None or (found["of"] is None) == (found["has"] == "is"):
        return text
    rest = _EXCEPT_ZERO.fullmatch(found["rest"].rstrip()) if found["rest"].strip(" ?.") else None
    if found["rest"].strip(" ?.") and rest is None:
        return text
    value = _WORDS.get(found["value"], found["value"])
    return f"|{found['body']}| = {value}"
