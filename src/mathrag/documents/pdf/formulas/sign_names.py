"""What the characters of formulas are called in LaTeX and what part they play, as tables. No geometry.

A character that is in no table has no name in a formula; whoever prints it must say that it is not known.
"""

from __future__ import annotations

import re

_LOWER = dict(
    zip(
        "αβγδϵεζηθϑικλμνξπϖρϱσςτυϕφχψωϰϝ",
        (
            "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi varpi rho "
            "varrho sigma varsigma tau upsilon phi varphi chi psi omega varkappa digamma"
        ).split(),
        strict=True,
    )
)
_UPPER = dict(zip("ΓΔΘΛΞΠΣΥΦΨΩ", "Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega".split(), strict=True))
GREEK_COMMANDS: dict[str, str] = {
    **{character: f"\\{name}" for character, name in (_LOWER | _UPPER).items()},
    # The micro, ohm and increment signs are these letters.
    "\u00b5": "\\mu",
    "\u2126": "\\Omega",
    "\u2206": "\\Delta",
    # Greek letters that look Latin have no command.
    **dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΧο", "ABEZHIKMNOPTXo", strict=True)),
}

LETTER_LIKE: dict[str, str] = {
    "ℏ": "\\hbar", "ħ": "\\hbar", "ℓ": "\\ell", "∂": "\\partial", "∇": "\\nabla", "∞": "\\infty", "ℜ": "\\Re",
    "ℑ": "\\Im", "ℵ": "\\aleph", "ı": "\\imath", "ȷ": "\\jmath", "∅": "\\emptyset", "ø": "\\emptyset",
    "℘": "\\wp", "∀": "\\forall", "∃": "\\exists",
    "∄": "\\nexists", "\u00c5": "\\text{\\AA}", "\u212b": "\\text{\\AA}", "⊤": "\\top", "∠": "\\angle",
    "△": "\\triangle", "□": "\\square", "■": "\\blacksquare", "♭": "\\flat", "♯": "\\sharp", "ƛ": "\\bar{\\lambda}",
    "ð": "\\eth", "∁": "\\complement", "…": "\\ldots", "⋯": "\\cdots", "⋮": "\\vdots", "⋱": "\\ddots",
    "$": "\\$", "%": "\\%", "&": "\\&", "#": "\\#", "‰": "\\text{‰}", "¢": "\\text{¢}", "£": "\\text{£}",
    "€": "\\text{€}", "℃": "{}^{\\circ}\\mathrm{C}", "℉": "{}^{\\circ}\\mathrm{F}",
}  # fmt: skip

OPERATORS: dict[str, str] = {
    "+": "+", "−": "-", "-": "-", "–": "-", "±": "\\pm", "∓": "\\mp", "×": "\\times", "÷": "\\div", "·": "\\cdot",
    "⋅": "\\cdot", "∙": "\\cdot", "∗": "*", "*": "*", "⋆": "\\star", "★": "\\star", "∘": "\\circ", "◦": "\\circ",
    "•": "\\bullet",
    "⊕": "\\oplus", "⊖": "\\ominus", "⊗": "\\otimes", "⊙": "\\odot", "⊘": "\\oslash", "∪": "\\cup", "∩": "\\cap",
    "∧": "\\wedge", "∨": "\\vee", "∖": "\\setminus", "⧵": "\\setminus", "⊎": "\\uplus", "†": "\\dagger",
    "‡": "\\ddagger", "/": "/", "∕": "/", "⁄": "/", "\\": "\\setminus", "¬": "\\neg", "△": "\\triangle",
    "⋄": "\\diamond", "∔": "\\dotplus", "⊓": "\\sqcap", "⊔": "\\sqcup",
}  # fmt: skip

RELATIONS: dict[str, str] = {
    "=": "=", "<": "<", ">": ">", "≠": "\\neq", "≤": "\\leq", "≥": "\\geq", "⩽": "\\leqslant", "⩾": "\\geqslant",
    "≦": "\\leqq", "≧": "\\geqq", "≪": "\\ll", "≫": "\\gg", "≈": "\\approx", "≃": "\\simeq", "≅": "\\cong",
    "≡": "\\equiv", "≜": "\\triangleq", "≝": "\\overset{\\text{def}}{=}", "≔": ":=", "∝": "\\propto",
    "∼": "\\sim", "~": "\\sim", "≐": "\\doteq", "≲": "\\lesssim", "≳": "\\gtrsim", "≍": "\\asymp", "≺": "\\prec",
    "≻": "\\succ", "⪯": "\\preceq", "⪰": "\\succeq", "∈": "\\in", "∉": "\\notin", "∋": "\\ni", "⊂": "\\subset",
    "⊃": "\\supset", "⊆": "\\subseteq", "⊇": "\\supseteq", "→": "\\to", "←": "\\leftarrow",
    "↔": "\\leftrightarrow", "⇒": "\\Rightarrow", "⇐": "\\Leftarrow", "⇔": "\\Leftrightarrow",
    "⟶": "\\longrightarrow", "⟵": "\\longleftarrow", "⟷": "\\longleftrightarrow", "⟹": "\\Longrightarrow",
    "⟸": "\\Longleftarrow", "⟺": "\\Longleftrightarrow", "↦": "\\mapsto", "⟼": "\\longmapsto",
    "⇌": "\\rightleftharpoons", "⇋": "\\leftrightharpoons", "⇄": "\\rightleftarrows", "⇆": "\\leftrightarrows",
    "⇀": "\\rightharpoonup", "↼": "\\leftharpoonup", "↽": "\\leftharpoondown", "⇁": "\\rightharpoondown",
    "↑": "\\uparrow", "↓": "\\downarrow", "↕": "\\updownarrow", "⇑": "\\Uparrow", "⇓": "\\Downarrow",
    "↗": "\\nearrow", "↘": "\\searrow", "↙": "\\swarrow", "↖": "\\nwarrow", "↪": "\\hookrightarrow",
    "↩": "\\hookleftarrow", "⊥": "\\perp", "∥": "\\parallel", "∣": "\\mid", "⊢": "\\vdash", "⊣": "\\dashv",
    "⊨": "\\models", "∴": "\\therefore", "∵": "\\because", ":": ":", "∶": ":", "≁": "\\nsim", "≢": "\\not\\equiv",
    "∤": "\\nmid", "⌢": "\\frown", "⌣": "\\smile", "≑": "\\doteqdot", "≊": "\\approxeq",
}  # fmt: skip

PUNCTUATION: dict[str, str] = {
    ",": ",",
    ";": ";",
    ".": ".",
    "!": "!",
    "?": "?",
    "‚": ",",
    "'": "'",
    "’": "'",
    "”": "''",
    "“": "``",
    '"': "''",
    "‘": "`",
}
# Characters that are superscripts or subscripts by themselves.
RAISED: dict[str, str] = {
    "°": "\\circ", "º": "\\circ", "˚": "\\circ", "²": "2", "³": "3", "¹": "1", "⁰": "0",
    **dict(zip("⁴⁵⁶⁷⁸⁹⁺⁻ⁿ", "456789+-n", strict=True)),
}  # fmt: skip
LOWERED: dict[str, str] = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋ₐₑₒₓₕₖₗₘₙₚₛₜᵢⱼᵣᵤᵥ", "0123456789+-aeoxhklmnpstijruv", strict=True))
PRIMES: dict[str, str] = {"′": "'", "″": "''", "‴": "'''", "⁗": "''''", "‵": "\\backprime"}

OPENING: dict[str, str] = {
    "(": "(", "[": "[", "{": "\\{", "⟨": "\\langle", "⌊": "\\lfloor", "⌈": "\\lceil", "\u3008": "\\langle",
    "\u2329": "\\langle", "⟦": "\\llbracket",
}  # fmt: skip
CLOSING: dict[str, str] = {
    ")": ")", "]": "]", "}": "\\}", "⟩": "\\rangle", "⌋": "\\rfloor", "⌉": "\\rceil", "\u3009": "\\rangle",
    "\u232a": "\\rangle", "⟧": "\\rrbracket",
}  # fmt: skip
BARS: dict[str, str] = {"|": "|", "∣": "|", "‖": "\\|", "∥": "\\|", "❘": "|"}

BIG_OPERATORS: dict[str, str] = {
    "∑": "\\sum", "∏": "\\prod", "∐": "\\coprod", "∫": "\\int", "∬": "\\iint", "∭": "\\iiint", "∮": "\\oint",
    "∯": "\\oiint", "∰": "\\oiiint", "⋃": "\\bigcup", "⋂": "\\bigcap", "⨁": "\\bigoplus", "⨂": "\\bigotimes",
    "⨀": "\\bigodot", "⋁": "\\bigvee", "⋀": "\\bigwedge", "⨆": "\\bigsqcup", "⨄": "\\biguplus",
}  # fmt: skip
INTEGRALS = frozenset("∫∬∭∮∯∰")

ACCENTS: dict[str, str] = {
    "\u0302": "\\hat", "\u0304": "\\bar", "\u0305": "\\overline", "\u20d7": "\\vec", "\u0307": "\\dot",
    "\u0308": "\\ddot", "\u0303": "\\tilde", "\u0306": "\\breve", "\u030c": "\\check", "\u030a": "\\mathring",
    "\u0301": "\\acute", "\u0300": "\\grave", "\u20db": "\\dddot", "\u20d6": "\\overleftarrow", "^": "\\hat",
    "ˆ": "\\hat", "¯": "\\bar", "ˉ": "\\bar", "˙": "\\dot", "¨": "\\ddot", "˜": "\\tilde", "˘": "\\breve",
    "ˇ": "\\check", "´": "\\acute", "`": "\\grave", "\u20d1": "\\vec",
    "\u20e1": "\\overleftrightarrow",
}  # fmt: skip
WIDE_ACCENTS: dict[str, str] = {
    "\\hat": "\\widehat",
    "\\tilde": "\\widetilde",
    "\\bar": "\\overline",
    "\\vec": "\\overrightarrow",
}
HORIZONTAL_BRACES: dict[str, str] = {
    "⏞": "\\overbrace", "⏟": "\\underbrace", "⎴": "\\overbracket", "⎵": "\\underbracket",
}  # fmt: skip
OVERLAYS = frozenset(("\u0338", "\u0337", "\u20d2"))
NEGATED: dict[str, str] = {
    "=": "\\neq", "∈": "\\notin", "≡": "\\not\\equiv", "<": "\\nless", ">": "\\ngtr", "∼": "\\nsim", "∣": "\\nmid",
    "∥": "\\nparallel", "⊂": "\\not\\subset", "≤": "\\nleq", "≥": "\\ngeq", "∃": "\\nexists", "⊆": "\\nsubseteq",
    "→": "\\nrightarrow", "≈": "\\not\\approx", "∝": "\\not\\propto",
}  # fmt: skip

# Two signs printed over each other or joined end to end, left to right or top to bottom.
JOINED: dict[tuple[str, str], str] = {
    ("−", "→"): "⟶", ("-", "→"): "⟶", ("=", "⇒"): "⟹", ("←", "−"): "⟵", ("⇐", "="): "⟸", ("⇐", "⇒"): "⟺",
    ("←", "→"): "⟷", ("⟶", "→"): "⟶", ("−", "⟶"): "⟶", ("⟵", "−"): "⟵", ("−", "−"): "−", ("=", "="): "=",
    ("=", "⟹"): "⟹", ("∣", "="): "⊨", ("|", "="): "⊨", ("⟵", "→"): "⟷", ("⇐", "⟹"): "⟺",
    ("∫", "∫"): "∬", ("∬", "∫"): "∭", ("∣", "→"): "↦", ("↦", "→"): "↦", ("⟼", "→"): "⟼", ("∣", "⟶"): "⟼",
}  # fmt: skip

# The pieces that tall delimiters are built from, by the delimiter they build.
PIECES: dict[str, str] = {
    **dict.fromkeys("⎛⎜⎝", "("),
    **dict.fromkeys("⎞⎟⎠", ")"),
    **dict.fromkeys("⎡⎢⎣", "["),
    **dict.fromkeys("⎤⎥⎦", "]"),
    **dict.fromkeys("⎧⎨⎩", "{"),
    **dict.fromkeys("⎫⎬⎭", "}"),
    "⎪": "brace",
    "⎮": "∫",
    "⌠": "∫",
    "⌡": "∫",
    "⎷": "√",
    "│": "|",
    "⏐": "|",
    "⎸": "|",
    "⎹": "|",
}

FUNCTIONS = frozenset(
    "sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh coth ln lg log exp min max sup inf gcd det dim ker "
    "deg arg lim limsup liminf Pr hom".split()
)
# Functions without a command of their own.
OPERATOR_NAMES = frozenset(
    "arccot arcsec arccsc sech csch arsinh arcosh artanh arcsinh arccosh arctanh asinh acosh atanh erf erfc sgn tr "
    "Tr rank lcm argmax argmin sinc diag Var Cov div curl grad Re Im cosec".split()
)
# Two words that are one name.
TWO_WORDS: dict[tuple[str, str], str] = {
    ("lim", "sup"): "\\limsup",
    ("lim", "inf"): "\\liminf",
}
# The same, where a limit stands under both.
TWO_WORDS_WITH_LIMIT: dict[tuple[str, str], str] = {
    ("arg", "max"): "\\operatorname{argmax}",
    ("arg", "min"): "\\operatorname{argmin}",
}
LIMIT_WORDS = frozenset("lim max min sup inf limsup liminf argmax argmin det gcd Pr lcm".split())

# An equation number: (3), (3.2), (A.1), (12a), (2-5), (IV), with round or square brackets.
EQUATION_NUMBER = re.compile(r"[(\[](?:[A-Z]{1,3}[.\-–]?)?\d{0,4}(?:[.\-–]\d{1,4}){0,3}[a-z]?['′*]{0,2}[)\]]")
