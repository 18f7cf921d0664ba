"""Symbol names as presentation MathML: `Delta_x`, `v_avg`, `x_bar`, `conc_H_plus` as they look in print."""

from __future__ import annotations

import re
from html import escape

from mathrag.compute.symbol_names import ACCENT_MARKS, GREEK, GREEK_NAMES, SCRIPT_MARKS, split_name

_GREEK_LETTERS = {name: letter for letter, name in reversed(GREEK.items()) if name in GREEK_NAMES}
LETTERS = {**_GREEK_LETTERS, "ell": "ℓ", "hbar": "ℏ", "varpi": "ϖ"}

ACCENT_SIGNS = {
    "bar": "¯",
    "hat": "^",
    "dot": "˙",
    "ddot": "¨",
    "vec": "→",
    "tilde": "~",
    "breve": "˘",
    "check": "ˇ",
    "ring": "˚",
}
_SCRIPTS = {
    "prime": "′",
    "dprime": "″",
    "tprime": "‴",
    "star": "*",
    "circ": "∘",
    "dagger": "†",
    "ddagger": "‡",
    "plus": "+",
    "minus": "−",
}
_PREFIXES = {"Delta": "<mi>Δ</mi>", "Sigma": "<mi>Σ</mi>"}


def mo(sign: str) -> str:
    """An operator."""
    return f"<mo>{escape(sign)}</mo>"


def symbol_markup(name: str) -> str:
    """The symbol as it looks: letter, subscripts, marks, and the prefix that makes one symbol with it."""
    parts = split_name(name)
    if parts.prefix == "conc":
        return _concentration(parts.letter, parts.subscripts, parts.marks)
    marks = list(parts.marks)
    markup = _letter(parts.letter)
    while marks and marks[0] in ACCENT_MARKS:
        markup = _marked(markup, marks.pop(0))
    if parts.subscripts:
        markup = f"<msub>{markup}{_subscripts(parts.subscripts)}</msub>"
    for mark in marks:
        markup = _marked(markup, mark)
    if parts.prefix:
        return f"<mrow>{_PREFIXES[parts.prefix]}{markup}</mrow>"
    return markup


def takes_exponent(name: str) -> bool:
    """Whether an exponent can stand right on the symbol: not beside a prime, after a Delta, or on e (that is exp)."""
    parts = split_name(name)
    return not parts.prefix and name != "e" and not any(mark in SCRIPT_MARKS for mark in parts.marks)


def _letter(letter: str) -> str:
    """A name of several letters is set in italics as one identifier; upright it could be a label or a function."""
    if letter in LETTERS:
        return f"<mi>{LETTERS[letter]}</mi>"
    return f"<mi>{letter}</mi>" if len(letter) == 1 else f'<mi mathvariant="italic">{letter}</mi>'


def _marked(markup: str, mark: str) -> str:
    if mark in SCRIPT_MARKS:
        return f"<msup>{markup}{mo(_SCRIPTS[mark])}</msup>"
    if mark == "cal":
        return markup.replace("<mi>", '<mi mathvariant="script">', 1)
    if mark == "underline":
        return f"<munder>{markup}<mo>_</mo></munder>"
    if mark == "mean":
        return f"<mrow><mo>⟨</mo>{markup}<mo>⟩</mo></mrow>"
    return f'<mover accent="true">{markup}{mo(ACCENT_SIGNS[mark])}</mover>'


def _subscripts(subscripts: tuple[str, ...]) -> str:
    inside = mo(",").join(map(_subscript, subscripts))
    return f"<mrow>{inside}</mrow>" if len(subscripts) > 1 or inside.count("</m") > 1 else inside


def _subscript(text: str) -> str:
    """One part of a subscript. Digits and letters mixed go letter by letter, so that they stay one part."""
    if text in _GREEK_LETTERS:
        return f"<mi>{_GREEK_LETTERS[text]}</mi>"
    if text.isdigit():
        return f"<mn>{text}</mn>"
    if text.isalpha():
        return f"<mi>{text}</mi>" if len(text) == 1 else f"<mtext>{text}</mtext>"
    runs = re.findall(r"[0-9]+|[A-Za-z]", text)
    return "".join(f"<mn>{run}</mn>" if run.isdigit() else f"<mi>{run}</mi>" for run in runs)


def _concentration(letter: str, subscripts: tuple[str, ...], marks: tuple[str, ...]) -> str:
    """A species in square brackets; its charge inside, what else the name says outside."""
    species = f"<mtext>{letter}</mtext>"
    outside = list(subscripts)
    inside = [mark for mark in marks if mark in {"plus", "minus"}]
    if outside and re.fullmatch(r"[0-9](?:plus|minus)", outside[0]):
        charge = outside.pop(0)
        species = f"<msup>{species}<mrow><mn>{charge[0]}</mn>{mo(_SCRIPTS[charge[1:]])}</mrow></msup>"
    elif inside:
        species = f"<msup>{species}{mo(_SCRIPTS[inside[0]])}</msup>"
    markup = f'<mrow><mo fence="true" form="prefix">[</mo>{species}<mo fence="true" form="postfix">]</mo></mrow>'
    if outside:
        markup = f"<msub>{markup}{_subscripts(tuple(outside))}</msub>"
    for mark in marks:
        if mark not in inside:
            markup = _marked(markup, mark)
    return markup
