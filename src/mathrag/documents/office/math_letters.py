"""Characters as office programs put them into formulas, and the LaTeX that says the same. Tables and look-up only."""

from __future__ import annotations

import unicodedata

from mathrag.compute.symbol_names import GREEK

FUNCTIONS = frozenset(
    "sin cos tan cot sec csc sinh cosh tanh coth arcsin arccos arctan ln log lg exp max min lim sup inf det dim ker "
    "gcd arg deg hom Pr limsup liminf".split()
)
# Names that office programs let stand upright but LaTeX has no command for.
NAMED = {"lim sup": r"\limsup", "lim inf": r"\liminf"}

SIGNS: dict[str, str] = {
    **dict.fromkeys("−–‒﹣－", "-"), **dict.fromkeys("⋅·∙•", r"\cdot"), **dict.fromkeys("×✕⨯", r"\times"),
    "÷": r"\div", "±": r"\pm", "∓": r"\mp", "∗": "*", "∘": r"\circ", "°": r"^{\circ}", "∕": "/", "⁄": "/",
    "≈": r"\approx", "≅": r"\cong", "≃": r"\simeq", "∼": r"\sim", "≡": r"\equiv", "≠": r"\neq", "≤": r"\leq",
    "≥": r"\geq", "⩽": r"\leq", "⩾": r"\geq", "≪": r"\ll", "≫": r"\gg", "∝": r"\propto", "≔": ":=",
    "≝": r"\overset{\mathrm{def}}{=}", "→": r"\to", "⟶": r"\longrightarrow", "←": r"\leftarrow",
    "⇒": r"\Rightarrow", "⟹": r"\implies", "⇔": r"\Leftrightarrow", "↔": r"\leftrightarrow", "⇌": r"\rightleftharpoons",
    "↦": r"\mapsto", "∞": r"\infty", "∂": r"\partial", "𝜕": r"\partial", "∇": r"\nabla", "∑": r"\sum", "∏": r"\prod",
    "∐": r"\coprod", "∫": r"\int", "∬": r"\iint", "∭": r"\iiint", "∮": r"\oint", "∯": r"\oiint", "⋃": r"\bigcup",
    "⋂": r"\bigcap", "⋁": r"\bigvee", "⋀": r"\bigwedge", "∈": r"\in", "∉": r"\notin", "∋": r"\ni", "⊂": r"\subset",
    "⊆": r"\subseteq", "⊃": r"\supset", "∪": r"\cup", "∩": r"\cap", "∅": r"\emptyset", "∀": r"\forall",
    "∃": r"\exists", "∧": r"\wedge", "∨": r"\vee", "¬": r"\neg", "⊕": r"\oplus", "⊗": r"\otimes", "⊥": r"\perp",
    "⟂": r"\perp", "⊖": r"\ominus", "⦵": r"\ominus", "⊙": r"\odot", "⋆": r"\star",
    "★": r"\star", "☉": r"\odot", "⊤": r"\top",
    "∥": r"\parallel", "∠": r"\angle", "…": r"\ldots", "⋯": r"\cdots", "⋮": r"\vdots", "⋱": r"\ddots", "ℏ": r"\hbar",
    "ℓ": r"\ell", "ℜ": r"\Re", "ℑ": r"\Im", "ℵ": r"\aleph", "†": r"\dagger", "‡": r"\ddagger", "′": "'", "″": "''",
    "‴": "'''", "’": "'", "⟨": r"\langle", "⟩": r"\rangle", "⌊": r"\lfloor", "⌋": r"\rfloor", "⌈": r"\lceil",
    "⌉": r"\rceil", "‖": r"\|", "∣": "|", "∎": "", "√": r"\surd", "%": r"\%", "#": r"\#", "$": r"\$", "&": "",
    "{": r"\{", "}": r"\}", "\\": r"\backslash", "~": r"\sim", "∴": r"\therefore", "∵": r"\because", "△": r"\triangle",
    "\u00a0": r"\ ", "\u2000": r"\ ", "\u2001": r"\quad", "\u2002": r"\ ", "\u2003": r"\quad", "\u2004": r"\;",
    "\u2005": r"\:", "\u2006": r"\,",
    "\u2009": r"\,", "\u200a": r"\,", "\u202f": r"\,", "\u205f": r"\:", "\u3000": r"\quad", "\u2061": "",
    "\u2062": "", "\u2063": "", "\u2064": "", "\u200b": "", "\u200c": "", "\u200d": "", "\ufeff": "", "\u00ad": "",
    "½": r"\frac{1}{2}", "¼": r"\frac{1}{4}", "¾": r"\frac{3}{4}", "⅓": r"\frac{1}{3}", "⅔": r"\frac{2}{3}",
    "▒": "", "〖": "{", "〗": "}",
}  # fmt: skip

FENCES: dict[str, str] = {
    "(": "(", ")": ")", "[": "[", "]": "]", "{": r"\{", "}": r"\}", "|": "|", "∣": "|", "‖": r"\|", "∥": r"\|",
    "⟨": r"\langle", "⟩": r"\rangle", "〈": r"\langle", "〉": r"\rangle", "⌊": r"\lfloor", "⌋": r"\rfloor",
    "⌈": r"\lceil", "⌉": r"\rceil", "<": r"\langle", ">": r"\rangle", "/": "/", "": ".",
}  # fmt: skip

ACCENTS: dict[str, str] = {
    **dict.fromkeys("\u0302^ˆ", "hat"), **dict.fromkeys("\u0303~˜", "tilde"), **dict.fromkeys("\u0305\u0304¯‾", "bar"),
    **dict.fromkeys("\u20d7\u20d1→⃗⇀\u2192", "vec"), **dict.fromkeys("\u0307˙", "dot"), "\u0308": "ddot", "¨": "ddot",
    "\u20db": "dddot", "\u0306": "breve", "\u030c": "check", "\u0301": "acute", "\u0300": "grave", "\u030a": "mathring",
    "\u20d6": "overleftarrow", "\u20e1": "overleftrightarrow", "\u033f": "bar", "\u0332": "underline",
}  # fmt: skip

_SUPERSCRIPTS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿⁱ", "0123456789+-ni", strict=True))
_SUBSCRIPTS = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋", "0123456789+-", strict=True))
_LATIN_CAPITALS = dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX", strict=True))
_VARIANTS = {
    "ε": r"\varepsilon", "ϵ": r"\epsilon", "ϑ": r"\vartheta", "φ": r"\varphi", "ϕ": r"\phi", "ϱ": r"\varrho",
    "ς": r"\varsigma", "ϖ": r"\varpi", "ϰ": r"\varkappa", "ο": "o",
}  # fmt: skip


def letter_or_sign(character: str) -> str:
    """LaTeX of one character, without regard to its style; unknown ones stay as they are."""
    if character.isascii() and character.isalnum():
        return character
    if character in SIGNS:
        return SIGNS[character]
    if character in _VARIANTS:
        return _VARIANTS[character]
    if character in _LATIN_CAPITALS:
        return _LATIN_CAPITALS[character]
    if character in _SUPERSCRIPTS:
        return f"^{{{_SUPERSCRIPTS[character]}}}"
    if character in _SUBSCRIPTS:
        return f"_{{{_SUBSCRIPTS[character]}}}"
    if character in GREEK:
        return f"\\{GREEK[character]}"
    return character


def plain_letter(character: str) -> tuple[str, str]:
    """A letter of Unicode's mathematical alphabets as the ordinary one and its style (`bold`, `script`, …)."""
    if character == "ℎ":
        return "h", ""
    if not ("\U0001d400" <= character <= "\U0001d7ff" or character in "ℂℍℕℙℚℝℤℬℰℱℋℐℒℳℛℭ"):
        return character, ""
    name = unicodedata.name(character, "")
    ordinary = unicodedata.normalize("NFKC", character)
    if "DOUBLE-STRUCK" in name:
        return ordinary, "double-struck"
    if "SCRIPT" in name:
        return ordinary, "script"
    if "FRAKTUR" in name or "BLACK-LETTER" in name:
        return ordinary, "fraktur"
    return ordinary, "bold" if "BOLD" in name and "DIGIT" not in name else ""
