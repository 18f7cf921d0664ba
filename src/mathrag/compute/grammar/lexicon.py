"""Words and signs the grammar knows: functions, connectives, well-known names of several letters. Tables only.

English words stand in `language/data/formula_words.toml`; here are the names and signs of mathematics.
"""

from __future__ import annotations

from typing import Literal

from mathrag.language.word_classes import word_class

# Function names that people type without a backslash, longest first.
BARE_FUNCTIONS = (
    "arcsin",
    "arccos",
    "arctan",
    "sinh",
    "cosh",
    "tanh",
    "sqrt",
    "sin",
    "cos",
    "tan",
    "exp",
    "log",
    "erf",
    "abs",
    "min",
    "max",
    "ln",
    "lg",
)

# Upright words that are functions of one argument, and the function of the tree each is.
FUNCTION_WORDS: dict[str, str] = {
    **{name: name for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "erf", "erfc", "floor")},
    **{name: name for name in ("ceil", "abs", "sqrt", "cbrt", "lgamma", "log10", "log2")},
    **{name: name for name in ("asin", "acos", "atan", "asinh", "acosh", "atanh")},
    "arcsin": "asin", "arccos": "acos", "arctan": "atan", "arctg": "atan", "tg": "tan", "sh": "sinh", "ch": "cosh",
    "th": "tanh",
    "arsinh": "asinh", "arcosh": "acosh", "artanh": "atanh", "arcsinh": "asinh", "arccosh": "acosh",
    "arctanh": "atanh",
    "arsh": "asinh", "arch": "acosh", "arth": "atanh", "ln": "log", "lg": "log10", "lb": "log2",
    "log": "log10",
}  # fmt: skip
# Functions written as one over another.
RECIPROCAL_WORDS = {
    "cot": "tan",
    "ctg": "tan",
    "sec": "cos",
    "csc": "sin",
    "cosec": "sin",
    "coth": "tanh",
    "cth": "tanh",
    "sech": "cosh",
    "csch": "sinh",
}
INVERSE_RECIPROCAL_WORDS = {"arccot": "atan", "arcsec": "acos", "arccsc": "asin"}
INVERSES = {"sin": "asin", "cos": "acos", "tan": "atan", "sinh": "asinh", "cosh": "acosh", "tanh": "atanh"}
SEVERAL_ARGUMENTS = {"min": "min", "max": "max", "gcd": "gcd", "lcm": "lcm", "atan2": "atan2"}
LOGARITHMS = frozenset(("log", "ln", "lg", "lb"))
TRIGONOMETRIC = frozenset(("sin", "cos", "tan", "cot", "sec", "csc", "tg", "ctg", "cosec"))
# Words that announce something without a value here, with the reason.
DECLINED_WORDS: dict[str, tuple[str, str]] = {
    "lim": ("limit", "a limit has no closed value here"),
    "limsup": ("limit", "a limit has no closed value here"),
    "liminf": ("limit", "a limit has no closed value here"),
    "sup": ("unknown_function", "a supremum cannot be computed"),
    "inf": ("unknown_function", "an infimum cannot be computed"),
    "argmax": ("unknown_function", "argmax cannot be computed"),
    "argmin": ("unknown_function", "argmin cannot be computed"),
    "arg": ("complex", "the argument of a complex number is not computed"),
    "dim": ("unknown_function", "dim is no function of numbers"),
    "ker": ("unknown_function", "ker is no function of numbers"),
    "rank": ("unknown_function", "rank is no function of numbers"),
    "hom": ("unknown_function", "hom is no function of numbers"),
    "deg": ("unknown_function", "deg is no function of numbers"),
    "sgn": ("unknown_function", "the sign function is not computed"),
    "sign": ("unknown_function", "the sign function is not computed"),
    "Tr": ("matrix", "the trace of a matrix has no value here"),
    "Im": ("complex", "the imaginary part of a complex number is not computed"),
    "Var": ("statistic_operator", "a variance of a random variable has no value here"),
    "var": ("statistic_operator", "a variance of a random variable has no value here"),
    "Cov": ("statistic_operator", "a covariance of random variables has no value here"),
    "cov": ("statistic_operator", "a covariance of random variables has no value here"),
    "div": ("vector_calculus", "the divergence of a field has no value here"),
    "grad": ("vector_calculus", "the gradient of a field has no value here"),
    "curl": ("vector_calculus", "the curl of a field has no value here"),
    "rot": ("vector_calculus", "the curl of a field has no value here"),
}
MATHEMATICAL_FUNCTIONS = frozenset((*FUNCTION_WORDS, *RECIPROCAL_WORDS, *INVERSE_RECIPROCAL_WORDS, *SEVERAL_ARGUMENTS))
OPERATOR_WORDS = frozenset(
    (
        *FUNCTION_WORDS,
        *RECIPROCAL_WORDS,
        *INVERSE_RECIPROCAL_WORDS,
        *SEVERAL_ARGUMENTS,
        *DECLINED_WORDS,
        "det",
        "tr",
        "mod",
        "Pr",
    )
)

# Signs that end the formula as a computation, with code and reason.
DECLINED_SIGNS: dict[str, tuple[str, str]] = {
    "∂": ("derivative", "a partial derivative has no value here"),
    "∇": ("vector_calculus", "a gradient, divergence or curl has no value here"),
    "∮": ("integral", "an integral around a closed path or surface has no value here"),
    "∬": ("integral", "a double integral has no value here"),
    "∭": ("integral", "a triple integral has no value here"),
    "∞": ("infinite", "infinity is no number"),
    "…": ("ellipsis", "the dots stand for terms that are not written out"),
    "⊤": ("matrix", "a transposed matrix has no value here"),
    "⊙": ("vector_product", "a product of fields or vectors entry by entry has no scalar value"),
    "△": ("geometry", "a triangle is no number"),
    "⊗": ("vector_product", "a tensor product has no scalar value"),
    "⊕": ("set_notation", "a direct sum has no scalar value"),
    "∘": ("unknown_function", "a composition of functions has no value here"),
    "⋆": ("unknown_function", "a star between two values is an operation that is explained elsewhere"),
    "∠": ("geometry", "an angle named by its points has no value here"),
    "⊥": ("geometry", "perpendicular is no operation on numbers"),
    "∥": ("geometry", "parallel is no operation on numbers"),
    "?": ("incomplete", "a question mark stands for something unknown"),
    '"': ("free_text", "quotation marks have no meaning in a formula"),
    "#": ("free_text", "a number sign has no meaning in a formula"),
    "@": ("free_text", "an at sign has no meaning in a formula"),
    "$": ("free_text", "a dollar sign has no meaning in a formula"),
    "&": ("free_text", "an ampersand has no meaning in a formula"),
    "¬": ("logic", "a negation has no value here"),
    "□": ("free_text", "a box has no meaning in a formula"),
    "ℜ": ("complex", "the real part of a complex number is not computed"),
    "ℑ": ("complex", "the imaginary part of a complex number is not computed"),
    **dict.fromkeys("∈⊂∪∩", ("set_notation", "sets have no value here")),
    **dict.fromkeys("∀∃∧∨", ("logic", "a logical statement has no value here")),
    ":": ("free_text", "a colon has no meaning here; write a fraction for a ratio"),
    "`": ("free_text", "a backtick has no meaning in a formula"),
    ".": ("syntax", "a lone point; write \\cdot for a product"),
}
# Signs between operands: a line or piece that begins with one goes on from what stands before it.
OPERATOR_SIGNS = frozenset(("+", "-", "±", "∓", "·", "×", "/"))
# Statements that say something else than equality.
DECLINED_RELATIONS: dict[str, tuple[str, str]] = {
    "∝": ("proportionality", "a proportionality gives no value without its constant"),
    "~": ("proportionality", "a scaling gives no value without its constant"),
    "→": ("reaction", "an arrow states a reaction, a limit or a mapping, not an equality"),
    "←": ("reaction", "an arrow states a reaction or a mapping, not an equality"),
    "⇌": ("reaction", "a chemical reaction is not an equation between numbers"),
    **dict.fromkeys("∈⊂", ("set_notation", "membership of a set is not an equation")),
    **dict.fromkeys("∀∃∧∨", ("logic", "a logical statement is not an equation between numbers")),
}
EQUALITIES: dict[str, Literal["=", "≈", "≡"]] = {"=": "=", "≈": "≈", "≡": "≡"}
INEQUALITIES = {"<": "<", ">": ">", "<=": "<=", ">=": ">=", "!=": "!=", "≪": "<", "≫": ">"}

# Words that open a condition, and words that only join statements.
CONDITION_WORDS = word_class("formula_words.condition")
JOINING_WORDS = word_class("formula_words.joining")
OTHERWISE_WORDS = word_class("formula_words.otherwise")
# A phrase with one of these says something; it is not the name of a quantity.
SENTENCE_WORDS = word_class("formula_words.sentence")

# Names of several letters that italic runs spell often enough to be sure. Each use is flagged.
SURE_NAMES = word_class("formula_words.quantity_names") | word_class("formula_words.abbreviations")
# Names of one trade travel together: with a sure one in the formula the others are names too.
GROUP_NAMES = frozenset(
    "Re Nu Pr Sc Sh Gr Ra Pe St Bi Fo We Fr Ma Kn Ca Eu Gz Le Da Ec Ar Bo Ro Wo De Ja Bd Oh".split()
)
# Pairs that no product of two usual letters looks like: a name as soon as they carry a subscript.
CLEAR_GROUPS = frozenset("Re Nu Pr Sc Bi Bo We Fo Gz Eu Kn Ja Bd Oh".split())
TRADES: tuple[tuple[frozenset[str], frozenset[str]], ...] = (
    (frozenset(("Re", "Nu")), GROUP_NAMES),
    (frozenset(("FV", "PMT", "NPV", "APR")), frozenset("FV PV PMT NPV APR EAR".split())),
    (frozenset(("SSE", "SST", "MSE", "SSR")), frozenset("SS SSE SST SSR MSE MSR SE SD df".split())),
)
# A run of capitals alone on the left side that is a name although it could be a product.
LEFT_SIDE_NAMES = frozenset("CI SE SD CV MR MC TC TR ROE ROA EPS".split())

# Superscripts that are labels: words, phases, and Greek phases when one symbol carries two of them.
LABEL_WORDS = word_class("formula_words.labels")
PHASE_LETTERS = frozenset("l v g s e L V G S E R A B".split())
GREEK_PHASES = frozenset(("alpha", "beta", "gamma"))
