"""What the characters of MathML stand for in the notation: signs, letters, delimiters and accents, as tables."""

from __future__ import annotations

import unicodedata

from mathrag.compute.notation import Style
from mathrag.types.symbol_names import GREEK

INVISIBLE_TIMES = "\u2062"
APPLY_FUNCTION = "\u2061"


def _each(characters: str, sign: str) -> dict[str, str]:
    return dict.fromkeys(characters, sign)


SIGNS: dict[str, str] = {
    **{sign: sign for sign in '+-*/=<>≈≡∝~≪≫±∓·×÷!,;:%°′″‴…→←⇌∂∇∫∬∭∮∑∏∞∈⊂∪∩∀∃∧∨∘⊗⊕⊙⊖⊤△†‡⊥∥∠&?$#@."¬√‰□'},
    **_each("−–—‐‑‒﹣－\x96\x97", "-"),
    **_each("＋﹢", "+"),
    **_each("∗＊⋆★", "*"),
    **_each("⋅∙•・●", "·"),
    **_each("✕✖⨯╳⨉", "×"),
    **_each("∕⁄⧸／", "/"),
    **_each("＝", "="),
    **_each("≤≦⩽", "<="),
    **_each("≥≧⩾", ">="),
    **_each("≠", "!="),
    **_each("≃≅≊≒", "≈"),
    **_each("≜≝≔≐", "≡"),
    **_each("∼∿", "~"),
    **_each("≲", "≪"),
    **_each("≳", "≫"),
    **_each("⟶⇒⟹↦⟼↔⟷⇔⟺↑↓↗↘∴∵", "→"),
    **_each("⟵⇐⟸", "←"),
    **_each("⇋⇄⇆", "⇌"),
    **_each("⋯⋮⋱", "…"),
    **_each("∊∉∋", "∈"),
    **_each("⊆⊃⊇", "⊂"),
    **_each("∅∖", "∪"),
    **_each("∡∢", "∠"),
    **_each("'’ʹ", "′"),
    **_each("ʺ”", "″"),
    **_each("º˚", "°"),
    **_each("⋀", "∧"),
    **_each("⋁", "∨"),
    **_each("∣❘", "|"),
    **_each("\u2064", "+"),
    **_each("\u2063", ","),
    INVISIBLE_TIMES: INVISIBLE_TIMES,
    APPLY_FUNCTION: APPLY_FUNCTION,
}
DIGRAPHS: dict[str, str] = {
    "<=": "<=", ">=": ">=", "!=": "!=", "==": "=", ":=": "≡", "->": "→", "=>": "→", "<-": "←", "...": "…",
    "''": "″", "′′": "″",
}  # fmt: skip

OPENING: dict[str, str] = {"(": ")", "[": "]", "{": "}", "⟨": "⟩", "⌊": "⌋", "⌈": "⌉"}
CLOSING = frozenset(OPENING.values())
BARS = frozenset("|‖")
DELIMITERS: dict[str, str] = {
    **{character: character for character in (*OPENING, *CLOSING, *BARS)},
    "\u2329": "⟨", "\u232a": "⟩", "\u3008": "⟨", "\u3009": "⟩", "∣": "|", "￨": "|",
    "（": "(", "）": ")", "［": "[", "］": "]", "｛": "{", "｝": "}",
}  # fmt: skip

# What stands over a base, by the character it is drawn with.
ACCENTS_ABOVE: dict[str, str] = {
    **_each("¯‾ˉ―_-−–—─\u0304\u0305⎯", "bar"),
    **_each("^ˆ⌃\u0302∧", "hat"),
    **_each("~˜∼\u0303", "tilde"),
    **_each("˙.⋅·\u0307", "dot"),
    **_each("¨\u0308", "ddot"),
    **_each("→⟶⃗⇀↔\u20d1\u20d7", "vec"),
    **_each("˘\u0306", "breve"),
    **_each("ˇ\u030c", "check"),
    **_each("˚∘\u030a", "ring"),
    "..": "ddot",
    "⋅⋅": "ddot",
}
ACCENTS_BELOW: dict[str, str] = _each("_¯‾ˍ-−─\u0331\u0332⎯", "underline")
BRACES = frozenset("⏞⏟︷︸⏠⏡⎴⎵")

SUPERSCRIPTS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ", "0123456789+-n", strict=True))
SUBSCRIPTS = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋ₐₑₒₓₕₖₗₘₙₚₛₜᵢⱼᵣᵤᵥ", "0123456789+-aeoxhklmnpstijruv", strict=True))

_CIRCULAR = ("sin", "cos", "tan", "cot", "sec", "csc")
_HYPERBOLIC = tuple(f"{name}h" for name in _CIRCULAR)
FUNCTION_NAMES = frozenset(
    (
        *_CIRCULAR,
        *_HYPERBOLIC,
        *(f"{prefix}{name}" for prefix in ("arc", "ar", "a") for name in (*_CIRCULAR, *_HYPERBOLIC)),
        *("ln", "lg", "log", "exp", "min", "max", "gcd", "lcm", "lim", "erf", "erfc", "mod"),
    )
)

_STYLE_WORDS: tuple[tuple[str, Style], ...] = (
    ("SCRIPT", "script"),
    ("FRAKTUR", "script"),
    ("BLACK-LETTER", "script"),
    ("DOUBLE-STRUCK", "bold"),
    ("BOLD", "bold"),
    ("SANS-SERIF", "upright"),
    ("MONOSPACE", "upright"),
    ("ITALIC", "italic"),
)
_VARIANTS: dict[str, Style] = {
    "normal": "upright",
    "italic": "italic",
    "bold": "bold",
    "bold-italic": "bold",
    "double-struck": "bold",
    "script": "script",
    "bold-script": "script",
    "fraktur": "script",
    "bold-fraktur": "script",
    "sans-serif": "upright",
    "sans-serif-italic": "italic",
    "bold-sans-serif": "bold",
    "sans-serif-bold-italic": "bold",
    "monospace": "upright",
}


def style_of_variant(variant: str) -> Style | None:
    """The style of a `mathvariant` attribute; None when there is none, or none we know."""
    return _VARIANTS.get(variant.lower())


def spelled_letter(character: str) -> tuple[str, Style | None] | None:
    """A letter in ASCII and the style of its code point: `θ` is theta, `𝐅` a bold F. None for what is no letter."""
    if character.isascii():
        return (character, None) if character.isalpha() else None
    if character == "ϖ":
        # Drawn like an omega with a bar and never the number pi.
        return "varpi", None
    if character in GREEK:
        return GREEK[character], None
    plain = unicodedata.normalize("NFKC", character)
    if plain == character or len(plain) != 1:
        return None
    spelled = plain if plain.isascii() and plain.isalpha() else "varpi" if plain == "ϖ" else GREEK.get(plain)
    if spelled is None:
        return None
    name = unicodedata.name(character, "")
    if not name.startswith(
        ("MATHEMATICAL", "SCRIPT", "BLACK-LETTER", "DOUBLE-STRUCK", "PLANCK", "OHM", "KELVIN", "ANGSTROM")
    ):
        return None
    return spelled, next(
        (style for word, style in _STYLE_WORDS if word in name), "italic" if "PLANCK" in name else None
    )


def plain_character(character: str) -> str:
    """Signs that the mathematical alphabets also hold (`𝜕`, `𝟏`) and the full-width forms, as their plain character."""
    if character in SIGNS or character in DELIMITERS or character in SUPERSCRIPTS or character in SUBSCRIPTS:
        return character
    if "\U0001d400" <= character <= "\U0001d7ff":
        return unicodedata.normalize("NFKC", character)
    return character
