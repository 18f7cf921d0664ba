"""HTML inside Markdown text: which `<…>` are tags, and what small ones such as `<sub>` mean. No tree, no blocks."""

from __future__ import annotations

import html
import re

from mathrag.documents.text_formula_tokens import SUBSCRIPTS, SUPERSCRIPTS

TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]*)((?:[^<>\"']|\"[^\"]{0,2000}\"|'[^']{0,2000}'){0,400})>")
AUTOLINK = re.compile(r"<([A-Za-z][A-Za-z0-9+.\-]{1,30}:[^\s<>]{0,2000}|[\w.+-]{1,64}@[\w.-]{1,250})>")
ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_ATTRIBUTE = re.compile(r"([A-Za-z-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))")
_KNOWN = frozenset(
    "a abbr acronym address article aside b bdi bdo big blockquote br button caption center cite code col colgroup "
    "data dd del details dfn dialog div dl dt em embed fieldset figcaption figure font footer form h1 h2 h3 h4 h5 h6 "
    "header hr i iframe img input ins kbd label legend li link main map mark math meta nav nobr noscript object ol "
    "option p param picture pre q rp rt ruby s samp script section select small source span strike strong style sub "
    "summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul var video wbr".split()
)
BREAKING = frozenset("p div li tr h1 h2 h3 h4 h5 h6 center summary details section article dt dd ul ol".split())
_TO_RAISED = {chr(plain): chr(raised) for raised, plain in SUPERSCRIPTS.items()} | {"−": "⁻", "–": "⁻"}
_TO_LOWERED = {chr(plain): chr(lowered) for lowered, plain in SUBSCRIPTS.items()} | {"−": "₋", "–": "₋"}


def match_tag(text: str, position: int) -> re.Match[str] | None:
    """The tag that begins here; None for a `<` that means less than, as in `r<R and x>0`."""
    found = TAG.match(text, position)
    if found is None or found.group(2).lower() not in _KNOWN:
        return None
    rest = found.group(3).strip().rstrip("/").strip()
    # A one-letter name is a tag only with real attributes: `<b and c>` compares.
    if rest and len(found.group(2)) == 1 and "=" not in rest:
        return None
    return found


def attributes_of(text: str) -> dict[str, str]:
    """The attributes of a tag by name in small letters."""
    return {
        found.group(1).lower(): html.unescape(found.group(2) or found.group(3) or found.group(4) or "")
        for found in _ATTRIBUTE.finditer(text)
    }


def script_text(text: str, *, raised: bool) -> str:
    """Small raised or lowered text: in Unicode where it has the letters, else behind `^` or `_`."""
    table = _TO_RAISED if raised else _TO_LOWERED
    if text and all(character in table for character in text):
        return "".join(table[character] for character in text)
    mark = "^" if raised else "_"
    return f"{mark}{text}" if re.fullmatch(r"\w+", text) else f"{mark}({text})" if text else ""
