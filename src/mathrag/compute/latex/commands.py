"""What LaTeX commands stand for, as tables. No behaviour: the layout reader looks names up here."""

from __future__ import annotations

import re

from mathrag.types.symbol_names import GREEK_NAMES

# Commands that are letters.
LETTERS: dict[str, str] = {
    **{name: name for name in GREEK_NAMES},
    **{f"var{name}": name for name in ("epsilon", "theta", "phi", "rho", "sigma", "kappa")},
    "varpi": "varpi",
    **{
        f"var{name}": name for name in ("Gamma", "Delta", "Theta", "Lambda", "Xi", "Pi", "Sigma", "Phi", "Psi", "Omega")
    },
    **{f"up{name}": name for name in ("alpha", "beta", "gamma", "delta", "mu", "pi", "sigma", "tau", "phi", "omega")},
    "hbar": "hbar",
    "hslash": "hbar",
    "ell": "ell",
    "imath": "i",
    "jmath": "j",
    "digamma": "digamma",
    "aleph": "aleph",
    "micro": "mu",
    "AA": "angstrom",
}

# Commands that are one sign of the notation.
SIGNS: dict[str, str] = {
    "pm": "±", "mp": "∓", "cdot": "·", "cdotp": "·", "bullet": "·", "times": "×", "ast": "*", "div": "÷", "star": "⋆",
    "le": "<=", "leq": "<=", "leqslant": "<=", "ge": ">=", "geq": ">=", "geqslant": ">=", "lt": "<", "gt": ">",
    "ll": "≪", "gg": "≫", "lesssim": "≪", "gtrsim": "≫",
    "ne": "!=", "neq": "!=", "approx": "≈", "simeq": "≈", "cong": "≈", "thickapprox": "≈", "approxeq": "≈",
    "doteq": "≡", "equiv": "≡", "triangleq": "≡", "coloneqq": "≡", "stackreldef": "≡", "defeq": "≡",
    "propto": "∝", "varpropto": "∝", "sim": "~", "thicksim": "~",
    "to": "→", "rightarrow": "→", "longrightarrow": "→", "Rightarrow": "⇒", "Longrightarrow": "⇒", "implies": "⇒",
    "mapsto": "→", "longmapsto": "→", "leftarrow": "←", "Leftarrow": "←", "gets": "←", "iff": "⇒",
    "Leftrightarrow": "⇒",
    "leftrightarrow": "→", "rightleftharpoons": "⇌", "leftrightharpoons": "⇌", "leftrightarrows": "⇌", "uparrow": "→",
    "downarrow": "→", "nearrow": "→", "searrow": "→", "Longleftrightarrow": "⇒", "therefore": "⇒", "because": "⇒",
    "partial": "∂", "nabla": "∇", "int": "∫", "iint": "∬", "iiint": "∭", "oint": "∮", "sum": "∑", "prod": "∏",
    "coprod": "∏", "infty": "∞", "infin": "∞", "in": "∈", "notin": "∈", "ni": "∈", "subset": "⊂", "subseteq": "⊂",
    "supset": "⊂", "cup": "∪", "cap": "∩", "setminus": "∪", "emptyset": "∪", "varnothing": "∪", "forall": "∀",
    "exists": "∃",
    "land": "∧", "wedge": "∧", "lor": "∨", "vee": "∨", "neg": "∨", "lnot": "∨", "circ": "∘", "degree": "°",
    "degrees": "°",
    "otimes": "⊗", "ominus": "⊖", "plimsoll": "⊖", "dagger": "†", "ddagger": "‡", "dag": "†", "ddag": "‡",
    "perp": "⊥", "parallel": "∥", "angle": "∠", "measuredangle": "∠", "prime": "′", "colon": ":", "triangle": "△",
    "bigtriangleup": "△", "oplus": "⊕", "odot": "⊙", "bigcap": "∩", "bigcup": "∪", "Reals": "∈", "Complex": "∈",
    "R": "∈", "N": "∈", "Z": "∈", "sqcup": "∪", "complement": "¬", "intercal": "⊤", "top": "⊤", "bot": "⊥",
    "ldots": "…", "cdots": "…", "dots": "…", "dotsc": "…", "dotsb": "…", "dotsm": "…", "vdots": "…", "ddots": "…",
    "%": "%", "#": "#", "&": "&", "$": "$", "slash": "/", "|": "‖", "surd": "√", "square": "□",
    "checkmark": "□", "langle": "⟨", "rangle": "⟩", "Box": "□", "hookrightarrow": "→", "not": "¬",
    "mathellipsis": "…",
    "textdegree": "°", "copyright": "□", "models": "∨", "vdash": "∨", "lbrace": "{", "rbrace": "}", "nmid": "¬",
    "Re": "ℜ", "Im": "ℑ",
}  # fmt: skip

# Commands for functions and named operators, as the upright word the grammar knows.
FUNCTIONS: dict[str, str] = {
    **{
        name: name
        for name in (
            "sin cos tan cot sec csc arcsin arccos arctan arccot arcsec arccsc sinh cosh tanh coth sech csch arsinh "
            "arcosh artanh ln lg log exp min max sup inf gcd lcm det dim ker deg arg lim limsup liminf Pr hom erf erfc "
            "argmax argmin sgn tr rank cosec ctg tg arctg sh ch th cth arsh arch arth asin acos atan lb"
        ).split()
    },
}

SPACES_NARROW = frozenset(
    (
        ",",
        ":",
        ";",
        "!",
        " ",
        ">",
        "/",
        "thinspace",
        "medspace",
        "thickspace",
        "negthinspace",
        "enspace",
        "space",
        "nobreakspace",
        "negmedspace",
        "enskip",
        "\n",
        "\t",
    )
)
SPACES_WIDE = frozenset(("quad", "qquad", "hfill", "hfil", "newpage", "hskip"))

# Commands that change nothing of the meaning and take no argument.
IGNORED = frozenset(
    "displaystyle textstyle scriptstyle scriptscriptstyle limits nolimits nonumber notag mathstrut strut allowbreak "
    "nobreak relax protect centering noindent boldmath unboldmath par break medskip smallskip bigskip null hline "
    "normalsize small large Large LARGE huge Huge tiny footnotesize scriptsize normalfont ensuremath toprule midrule "
    "bottomrule normalcolor leavevmode frenchspacing displaylimits sf it em".split()
)
SIZES = frozenset("big Big bigg Bigg bigl Bigl biggl Biggl bigr Bigr biggr Biggr bigm Bigm biggm Biggm".split())

# Font commands with an argument, and the style they give.
FONTS: dict[str, str] = {
    "mathrm": "upright", "mathsf": "upright", "mathtt": "upright", "mathup": "upright", "operatorname": "upright",
    "textup": "upright", "symup": "upright", "rm": "upright", "mathop": "", "mathbin": "", "mathrel": "",
    "mathord": "", "mathopen": "",
    "mathclose": "", "mathpunct": "", "mathinner": "", "mathit": "word", "mathnormal": "italic", "mathbf": "bold",
    "boldsymbol": "bold",
    "bm": "bold", "pmb": "bold", "mathbfit": "bold", "symbf": "bold", "mathbb": "bold", "mathcal": "script",
    "mathscr": "script",
    "mathfrak": "script", "cal": "script", "smash": "", "mathclap": "", "mathllap": "", "mathrlap": "", "vcenter": "",
    "boxed": "", "fbox": "", "framebox": "", "underbrace": "", "overbrace": "", "ensuremath": "", "uline": "",
    "bbox": "", "underline": "", "emph": "", "mathdefault": "",
}  # fmt: skip
TEXTS = frozenset(
    "text textrm textnormal mbox hbox textit textbf textsf texttt textsc intertext shortintertext textmd textsl".split()
)
ACCENTS: dict[str, str] = {
    "bar": "bar", "overline": "bar", "hat": "hat", "widehat": "hat", "dot": "dot", "ddot": "ddot", "vec": "vec",
    "overrightarrow": "vec", "tilde": "tilde", "widetilde": "tilde", "breve": "breve", "check": "check",
    "mathring": "ring",
    "underbar": "underline", "utilde": "underline", "undertilde": "underline", "overleftrightarrow": "vec",
    "widebar": "bar", "va": "vec", "vb": "vec",
}  # fmt: skip

# Commands whose argument is dropped with them.
DROPPED_WITH_ARGUMENT = frozenset(
    (
        "label tag tag* color vspace vspace* phantom vphantom hphantom pagecolor ref eqref cite footnote htmlclass "
        "cssId class style unicode require"
    ).split()
)
# Whether what is struck out is gone, replaced or meant after all, no reader of formulas can tell.
STRUCK_OUT = frozenset("cancel bcancel xcancel cancelto hcancel sout xout st strikeout soutmath".split())
COLOURED = frozenset(("textcolor", "colorbox", "fcolorbox", "mathcolor", "htmlClass", "htmlId", "htmlStyle", "href"))
# The colour of paper, in the ways that people give one: what has it is not seen.
_ONE = r"1(?:\.0{0,9})?"
UNSEEN_COLOUR = re.compile(
    rf"\s*(?:white|transparent|#?fff(?:f{{3}})?|{_ONE}(?:\s?,\s?{_ONE}){{0,2}}|255(?:\s?,\s?255){{2}})\s*",
    re.IGNORECASE,
)
SPACE_WITH_ARGUMENT = frozenset(("hspace", "hspace*", "mspace", "kern", "mkern", "hskip", "mskip"))

FRACTIONS = frozenset(("frac", "dfrac", "tfrac", "cfrac", "sfrac", "nicefrac", "flatfrac"))
INFIX_FRACTIONS = frozenset(("over", "choose"))
BINOMIALS = frozenset(("binom", "dbinom", "tbinom"))

LINE_ENVIRONMENTS = frozenset(
    "align aligned split gather gathered eqnarray multline alignat alignedat flalign lines".split()
)
PLAIN_ENVIRONMENTS = frozenset("equation displaymath math subequations dmath empheq".split())
CASE_ENVIRONMENTS = frozenset("cases dcases rcases drcases numcases".split())
MATRIX_FENCES: dict[str, tuple[str, str]] = {
    "matrix": ("", ""), "smallmatrix": ("", ""), "array": ("", ""), "pmatrix": ("(", ")"), "bmatrix": ("[", "]"),
    "vmatrix": ("|", "|"), "Vmatrix": ("‖", "‖"), "Bmatrix": ("{", "}"), "psmallmatrix": ("(", ")"),
    "bsmallmatrix": ("[", "]"),
}  # fmt: skip

# Delimiters after \left, \right, \big and the like, and those that fence on their own.
DELIMITERS: dict[str, str] = {
    "(": "(", ")": ")", "[": "[", "]": "]", "|": "|", "‖": "‖", ".": "", "/": "/", "<": "⟨", ">": "⟩", "\\{": "{",
    "\\}": "}", "\\lbrace": "{",
    "\\rbrace": "}", "\\|": "‖", "\\vert": "|", "\\Vert": "‖", "\\lvert": "|", "\\rvert": "|", "\\lVert": "‖",
    "\\rVert": "‖",
    "\\langle": "⟨", "\\rangle": "⟩", "\\lfloor": "⌊", "\\rfloor": "⌋", "\\lceil": "⌈", "\\rceil": "⌉",
    "\\lbrack": "[", "\\rbrack": "]",
    "\\mid": "|",
}  # fmt: skip
OPENING = {
    "(": ")",
    "[": "]",
    "\\{": "\\}",
    "\\lbrace": "\\rbrace",
    "\\lfloor": "\\rfloor",
    "\\lceil": "\\rceil",
    "\\langle": "\\rangle",
    "\\lvert": "\\rvert",
    "\\lVert": "\\rVert",
    "\\lbrack": "\\rbrack",
}
CLOSING = frozenset((")", "]", "\\}", "\\rbrace", "\\rfloor", "\\rceil", "\\rangle", "\\rvert", "\\rVert", "\\rbrack"))

# Characters that may be typed directly.
CHARACTERS: dict[str, str] = {
    "−": "-", "–": "-", "—": "-", "‐": "-", "‑": "-", "·": "·", "⋅": "·", "∙": "·", "•": "·", "×": "×", "✕": "×",
    "÷": "÷", "∗": "*",
    "⁄": "/", "∕": "/", "≤": "<=", "≦": "<=", "⩽": "<=", "≥": ">=", "≧": ">=", "⩾": ">=", "≠": "!=", "≈": "≈",
    "≃": "≈", "≅": "≈",
    "≡": "≡", "≜": "≡", "≝": "≡", "∝": "∝", "∼": "~", "~": "~", "±": "±", "∓": "∓", "→": "→", "⟶": "→", "⇒": "⇒",
    "⟹": "⇒", "∴": "⇒",
    "↦": "→", "←": "←", "⇌": "⇌", "⇋": "⇌", "↔": "→", "∂": "∂", "∇": "∇", "∫": "∫", "∬": "∬", "∭": "∭", "∮": "∮",
    "∑": "∑",
    "∏": "∏", "∞": "∞", "∈": "∈", "∉": "∈", "⊂": "⊂", "⊆": "⊂", "∪": "∪", "∩": "∩", "∀": "∀", "∃": "∃", "∧": "∧",
    "∨": "∨",
    "∘": "∘", "°": "°", "º": "°", "˚": "°", "⊗": "⊗", "⊕": "⊕", "†": "†", "‡": "‡", "⊥": "⊥", "∥": "∥", "‖": "‖",
    "∠": "∠",
    "′": "′", "’": "′", "″": "″", "‴": "‴", "…": "…", "⋯": "…", "⋮": "…", "‰": "‰", "¬": "¬",
    "+": "+", "-": "-", "*": "*", "/": "/", "=": "=", "<": "<", ">": ">", "!": "!", ",": ",", ";": ";", ":": ":",
    ".": ".",
    "?": "?", "@": "@", "#": "#", "⟨": "⟨", "⟩": "⟩", "√": "√", "\u2062": "\u2062", "\u2061": "\u2061", "`": "`",
}  # fmt: skip

SUPERSCRIPT_CHARACTERS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ", "0123456789+-n", strict=True))
SUBSCRIPT_CHARACTERS = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋ₐₑₒₓₕₖₗₘₙₚₛₜᵢⱼᵣᵤᵥ", "0123456789+-aeoxhklmnpstijruv", strict=True))
VULGAR_FRACTIONS = {
    "½": ("1", "2"),
    "⅓": ("1", "3"),
    "⅔": ("2", "3"),
    "¼": ("1", "4"),
    "¾": ("3", "4"),
    "⅕": ("1", "5"),
    "⅙": ("1", "6"),
    "⅛": ("1", "8"),
    "⅜": ("3", "8"),
    "⅝": ("5", "8"),
    "⅞": ("7", "8"),
}
