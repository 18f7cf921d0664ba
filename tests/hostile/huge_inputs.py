"""Hostile inputs too large, or too strange, to write down in a file: deep nesting, megabytes, lone surrogates, raw bytes."""

from __future__ import annotations

import json
from collections.abc import Callable

MEGABYTE = 1_000_000
DEEP = 100_000

# Just below the caps of the readers: large enough to hurt, not large enough to be refused by their length alone.
LATEX_ROOM = 99_000
TEXT_ROOM = 19_000
MATHML_ROOM = 190_000
SENTENCE_ROOM = 199_000
UNIT_ROOM = 190


def _repeated(text: str, room: int) -> str:
    return text * (room // len(text))


def _nested(opening: str, middle: str, closing: str, count: int = DEEP) -> str:
    return opening * count + middle + closing * count


def _json_line(**fields: object) -> str:
    return json.dumps(fields) + "\n"


# name -> (opening, middle, closing): nested to the deepest, and to a depth the length caps let through.
_LATEX_NESTS = {
    "braces": ("{", "x", "}"),
    "parentheses": ("(", "x", ")"),
    "brackets": ("[", "x", "]"),
    "left-right": (r"\left(", "x", r"\right)"),
    "bars": (r"\left|", "x", r"\right|"),
    "bars-plain": ("|", "x", "|"),
    "frac": (r"\frac{1}{", "x", "}"),
    "frac-above": (r"\frac{", "x", "}{2}"),
    "sqrt": (r"\sqrt{", "x", "}"),
    "sqrt-index": (r"\sqrt[", "x", "]{2}"),
    "superscript": ("x^{", "2", "}"),
    "subscript": ("x_{", "2", "}"),
    "subscript-text": (r"x_{\text{a}", "2", "}"),
    "sine": (r"\sin(", "x", ")"),
    "sine-bare": (r"\sin ", "x", ""),
    "text": (r"\text{", "x", "}"),
    "mathrm": (r"\mathrm{", "x", "}"),
    "boxed": (r"\boxed{", "x", "}"),
    "color": (r"\color{red}{", "x", "}"),
    "accent": (r"\hat{", "x", "}"),
    "overline": (r"\overline{", "x", "}"),
    "binomial": (r"\binom{n}{", "x", "}"),
    "sum": (r"\sum_{k=1}^{2}(", "k", ")"),
    "integral": (r"\int_0^1 ", "x", " dx"),
    "floor": (r"\lfloor ", "x", r" \rfloor"),
    "matrix": (r"\begin{pmatrix}", "x", r"\end{pmatrix}"),
    "cases": (r"\begin{cases}", "x & y > 0", r"\end{cases}"),
    "aligned": (r"\begin{aligned}", "x = 1", r"\end{aligned}"),
    "minus": ("-", "x", ""),
    "factorial": ("", "x", "!"),
    "prime": ("", "x", "'"),
    "dollars": ("$", "x", "$"),
    "chemistry": (r"\ce{", "H", "}"),
    "unit": (r"\SI{1}{", "m", "}"),
    "delta": (r"\Delta ", "x", ""),
    "limits": (r"\underset{a}{", "x", "}"),
}
_LATEX_STORMS = {
    "align": "&",
    "superscripts": "^",
    "subscripts": "_",
    "superscripts-braced": "^{}",
    "bars": "|",
    "bars-with-letters": "|a",
    "bars-double": r"\|a",
    "equals": "=",
    "chain": "a=",
    "chain-plus": "a=b+",
    "commas": ",",
    "comma-list": "a,",
    "comma-equations": "a=b,",
    "commas-with-quads": r"a=b,\quad ",
    "line-breaks": r"\\",
    "lines": r"a=b\\",
    "spaces": " ",
    "quads": r"\quad ",
    "backslashes": "\\",
    "digits": "7",
    "letters": "x",
    "products": "ab",
    "sum": "a+",
    "plus-minus": r"a\pm ",
    "dots": ".",
    "decimals": "1.",
    "ellipsis": r"\ldots ",
    "primes": "'",
    "slashes": "a/",
    "frac-bare": r"\frac ",
    "frac-digits": r"\frac12",
    "over": r"a \over ",
    "left": r"\left(",
    "right": r"\right)",
    "open-braces": "{",
    "close-braces": "}",
    "open-parentheses": "(",
    "half-parentheses": "(a",
    "close-parentheses": "a)",
    "begin": r"\begin{aligned}",
    "end": r"\end{aligned}",
    "sums": r"\sum ",
    "sums-indexed": r"\sum_{k=1}^{2}k",
    "integrals": r"\int_0^1 x dx",
    "functions": r"\sin ",
    "text": r"\text{if }",
    "words": "where ",
    "units": r"\mathrm{m}\,",
    "numbers-and-units": r"5\,\mathrm{kg}",
    "deltas": r"\Delta ",
    "accents": r"\hat ",
    "comments": "%",
    "comment-lines": "%\n",
    "newlines": "\n",
    "tildes": "~",
    "factorials": "x!",
    "inequalities": "a<",
    "degree": r"^\circ",
    "species": r"[\mathrm{H^+}]",
    "reactions": r"\ce{A + B -> C}",
    "differentials": r"\frac{dx}{dt}",
    "calls": "f(x)",
    "unknown-commands": r"\a",
    "lookalikes": "а",
    "combining": "\u0301",
    "zero-width": "x\u200b",
    "surrogates": "\ud800",
    "nul": "\0",
}
_MATHML_NESTS = {
    "mrow": ("<mrow>", "<mi>x</mi>", "</mrow>"),
    "mfrac": ("<mfrac><mn>1</mn>", "<mi>x</mi>", "</mfrac>"),
    "msqrt": ("<msqrt>", "<mi>x</mi>", "</msqrt>"),
    "msup": ("<msup><mi>x</mi>", "<mn>2</mn>", "</msup>"),
    "msub": ("<msub><mi>x</mi>", "<mn>2</mn>", "</msub>"),
    "mfenced": ("<mfenced>", "<mi>x</mi>", "</mfenced>"),
    "mtable": ("<mtable><mtr><mtd>", "<mi>x</mi>", "</mtd></mtr></mtable>"),
    "mstyle": ("<mstyle>", "<mi>x</mi>", "</mstyle>"),
    "semantics": ("<semantics>", "<mi>x</mi>", "</semantics>"),
    "parentheses": ("<mo>(</mo>", "<mi>x</mi>", "<mo>)</mo>"),
    "bars": ("<mo>|</mo>", "<mi>x</mi>", "<mo>|</mo>"),
    "unknown": ("<zzz>", "x", "</zzz>"),
    "comments": ("<!--", "x", "-->"),
    "open-only": ("<mrow>", "", ""),
    "close-only": ("", "", "</mrow>"),
}
_CONTENT_NESTS = {
    "minus": ("<apply><minus/>", "<ci>x</ci>", "</apply>"),
    "power": ("<apply><power/><cn>9</cn>", "<cn>9</cn>", "</apply>"),
    "factorial": ("<apply><factorial/>", "<cn>9</cn>", "</apply>"),
    "piecewise": ("<piecewise><otherwise>", "<ci>x</ci>", "</otherwise></piecewise>"),
    "ci": ("<ci>", "x", "</ci>"),
}
_MATHML_STORMS = {
    "mi": "<mi>x</mi>",
    "mn": "<mn>7</mn>",
    "mo-plus": "<mi>x</mi><mo>+</mo>",
    "mo-equals": "<mi>x</mi><mo>=</mo>",
    "mo-comma": "<mi>x</mi><mo>,</mo>",
    "mo-bar": "<mo>|</mo><mi>a</mi>",
    "mo-open": "<mo>(</mo>",
    "mo-close": "<mo>)</mo>",
    "entities": "&amp;",
    "entities-unknown": "&zzz;",
    "references": "&#120;",
    "ampersands": "&",
    "less": "<",
    "empty-elements": "<mi/>",
    "spaces": "<mspace/>",
    "rows": "<mtr><mtd><mi>x</mi></mtd></mtr>",
    "comments": "<!---->",
    "instructions": "<?a?>",
    "text": "x",
    "sep": "<sep/>",
    "attributes": ' a="1"',
}
_TEXT_NESTS = {
    "parentheses": ("(", "x", ")"),
    "brackets": ("[", "x", "]"),
    "braces": ("{", "x", "}"),
    "bars": ("|", "x", "|"),
    "sqrt": ("sqrt(", "x", ")"),
    "max": ("max(1, ", "x", ")"),
    "power": ("2**", "x", ""),
    "power-left": ("(", "2", "**2)"),
    "minus": ("-", "x", ""),
    "not": ("not ", "x", ""),
    "root-sign": ("√", "x", ""),
    "factorial": ("", "x", "!"),
    "conditional": ("1 if x > 0 else ", "2", ""),
    "conditional-parentheses": ("(1 if x > 0 else ", "2", ")"),
    "sum": ("sum(", "1", " for k in range(0, 2))"),
    "call": ("f(", "x", ")"),
    "quantity": ('quantity(1, "', "m", '")'),
}
_TEXT_STORMS = {
    "digits": "7",
    "letters": "x",
    "names": "x ",
    "sum": "a+",
    "product": "a*",
    "quotient": "a/",
    "power": "2**",
    "chain": "a=",
    "double-equals": "a==",
    "lines": "a=b\n",
    "semicolons": ";",
    "commas": "a,",
    "conditions": "a=b, x>0, ",
    "comparisons": "a<",
    "underscores": "_",
    "name-parts": "x_",
    "quotes": '"',
    "dots": ".",
    "attributes": "a.b",
    "exponents": "1e",
    "stars": "*",
    "tildes": "~",
    "bars": "|",
    "bars-with-letters": "|a",
    "words": "where ",
    "hashes": "#",
    "backslashes": "\\",
    "dollars": "$",
    "superscripts": "x²",
    "primes": "x'",
    "nul": "\0",
    "surrogates": "\udfff",
    "lookalikes": "а",
    "combining": "x\u0301",
    "spaces": " ",
    "open": "(",
    "close": ")",
    "half-open": "(a",
}
_UNIT_STORMS = {
    "quotient": "m/",
    "product": "m*",
    "dots": "m·",
    "blanks": "m ",
    "letters": "m",
    "prefixes": "k",
    "open": "(",
    "powers": "m^2",
    "towers": "^2",
    "superscripts": "²",
    "slashes": "/",
    "per": "per ",
    "words": "metre ",
    "digits": "9",
    "latex": r"\mathrm{m}",
    "braces": "{",
    "surrogates": "\udc80",
}
_SENTENCE_STORMS = {
    "digits": "7",
    "words": "word ",
    "letters": "x",
    "spaces": " ",
    "quantities": "5 kg ",
    "numbers": "5 ",
    "decimals": "1.5",
    "commas": "1,000,",
    "comma-only": ",",
    "number-words": "two ",
    "hundred": "hundred ",
    "halves": "half a ",
    "and": "five and ",
    "units": "kg ",
    "slashes": "m/",
    "numbers-and-slashes": "5/",
    "minus": "-",
    "minus-numbers": "-5",
    "plus-minus": "5 ± ",
    "times-ten": "5 x 10^",
    "powers": "10^",
    "degrees": "°",
    "degree-numbers": "5°",
    "dollars": "$",
    "dollar-numbers": "$5",
    "equals": "x = ",
    "assignments": "x = 5 kg, ",
    "symbols": "v_",
    "dates": "2020-01-01 ",
    "times": "2 min 30 s ",
    "parentheses": "(",
    "braces": "{",
    "backslashes": "\\",
    "newlines": "\n",
    "ranges": "5 to ",
    "fractions": "½",
    "pi": "π",
    "ordinals": "first ",
    "superscripts": "²",
    "blank-groups": "1 000 ",
    "lookalikes": "５",
    "combining": "5\u0301",
    "surrogates": "\ud800",
    "nul": "\0",
    "quantities-latex": r"5\,\mathrm{kg} ",
}


def _storms(
    reader: str, storms: dict[str, str], room: int, wrap: Callable[[str], str] = str
) -> dict[str, tuple[str, str]]:
    """Each token kind twice: up to the room of the reader, and a megabyte of it."""
    found = {}
    for name, text in storms.items():
        found[f"{reader}-storm-{name}"] = (reader, wrap(_repeated(text, room)))
        found[f"{reader}-megabyte-{name}"] = (reader, wrap(_repeated(text, MEGABYTE)))
    return found


def _nests(
    reader: str, nests: dict[str, tuple[str, str, str]], room: int, wrap: Callable[[str], str] = str
) -> dict[str, tuple[str, str]]:
    """Each kind of group nested a hundred thousand times, as deep as the length caps allow, and a plausible 60 times."""
    found = {}
    for name, (opening, middle, closing) in nests.items():
        fitting = room // (len(opening) + len(closing))
        for depth, label in ((DEEP, "deepest"), (fitting, "deep"), (60, "sixty")):
            found[f"{reader}-{label}-{name}"] = (reader, wrap(_nested(opening, middle, closing, depth)))
    return found


def _math(body: str) -> str:
    return f"<math>{body}</math>"


def _bits_and_pieces() -> dict[str, tuple[str, str]]:
    wide_sum = "+".join(f"x_{{{index}}}" for index in range(9_000))
    long_name = "x_" + "a" * 5_000
    return {
        "latex-wide-sum": ("latex", f"y = {wide_sum}"),
        "latex-wide-product": ("latex", "y = " + " ".join(f"x_{{{index}}}" for index in range(9_000))),
        "latex-long-subscript": ("latex", r"x_{\mathrm{" + "a" * 50_000 + "}} = 1"),
        "latex-long-number": ("latex", "x = " + "9" * 50_000),
        "latex-number-at-cap": ("latex", "x = y + " + "9" * 4_900),
        "latex-power-of-long-number": ("latex", "x = " + "9" * 4_000 + "^{" + "9" * 4_000 + "}"),
        "latex-products-of-long-numbers": ("latex", "x = " + r"\cdot".join(["9" * 4_000] * 20)),
        "latex-fractions-of-long-numbers": (
            "latex",
            "+".join(rf"\frac{{1}}{{{10**300 + index}}}" for index in range(300)),
        ),
        "latex-large-matrix": (
            "latex",
            r"D = \det\begin{pmatrix}" + r"\\".join("&".join(["a"] * 60) for _ in range(60)) + r"\end{pmatrix}",
        ),
        "latex-matrix-products": (
            "latex",
            "A = " + " ".join([r"\begin{pmatrix}a&b&c\\d&e&f\\g&h&i\end{pmatrix}"] * 40),
        ),
        "latex-many-cases": ("latex", r"f = \begin{cases}" + r"x & x > 1 \\ " * 3_000 + r"\end{cases}"),
        "latex-sums-of-sums": (
            "latex",
            r"S = " + "".join(rf"\sum_{{{letter}=1}}^{{99}}" for letter in "abcdfghjklmn") + " a",
        ),
        "latex-plus-minus-branches": ("latex", "x = " + r" \pm ".join(f"a_{{{index}}}" for index in range(300))),
        "latex-branches-in-lines": ("latex", r"\begin{aligned}" + r"x &= a \pm b \\" * 3_000 + r"\end{aligned}"),
        "latex-polynomial": ("latex", "y = " + "+".join(f"a x^{{{index}}}" for index in range(300))),
        "latex-everything-equal": ("latex", "=".join(f"a_{{{index}}}" for index in range(8_000))),
        "latex-expanding-square": ("latex", "y = " + "(" * 40 + "x+1" + ")^2" * 40),
        "latex-alternating-bars": ("latex", "y = " + "|x+" * 50 + "1" + "|" * 50),
        "latex-alternating-fences": ("latex", "y = " + "([" * 40 + "x" + "])" * 40),
        "latex-wrong-order-fences": ("latex", "y = " + "([" * 40 + "x" + ")]" * 40),
        "latex-surrogate-in-name": ("latex", "x_{\udcff} = \ud83d + 1"),
        "latex-surrogate-pair-halves": ("latex", "\ud83d\ude00 = 1"),
        "text-wide-sum": ("text", "y = " + "+".join(f"x{index}" for index in range(2_500))),
        "text-long-name": ("text", f"{long_name} = 1"),
        "text-long-number": ("text", "x = " + "9" * 15_000),
        "text-number-at-cap": ("text", "x = y + " + "9" * 4_900),
        "text-power-of-long-number": ("text", "x = " + "9" * 4_000 + "**" + "9" * 4_000),
        "text-long-decimals": ("text", "x = 0." + "1" * 4_900 + "**2*y"),
        "text-fractions-of-long-numbers": ("text", "x = " + "+".join(f"1/{10**40 + index}" for index in range(400))),
        "text-factorial-row": ("text", "x = " + "*".join(["factorial(999)"] * 500)),
        "text-polynomial": ("text", "y = " + " + ".join(f"a*x**{index}" for index in range(300))),
        "text-max-wide": ("text", "y = max(" + ", ".join(f"x{index}" for index in range(2_500)) + ")"),
        "text-surrogate": ("text", "x = \udcff + 1"),
        "text-sums-of-sums": ("text", "x = " + "sum(" * 12 + "1" + " for k in range(0, 99))" * 12),
        "text-comparison-chain": ("text", "x = 1 if " + " < ".join(f"a{index}" for index in range(2_000)) + " else 2"),
        "unit-long-quotient": ("unit", "m" + "/m" * 50_000),
        "unit-long-product": ("unit", "m" + "*s" * 50_000),
        "unit-nested": ("unit", _nested("(", "m", ")", 50_000)),
        "unit-nested-short": ("unit", _nested("(", "m", ")", 90)),
        "unit-nested-powers": ("unit", _nested("(", "m", ")^9", 40)),
        "unit-nested-quotients": ("unit", _nested("m/(", "s", ")", 40)),
        "unit-nested-latex": ("unit", _nested(r"\frac{m}{", "s", "}", 15)),
        "unit-long-exponent": ("unit", "m^" + "9" * 180),
        "unit-long-fraction": ("unit", "m^(" + "9" * 80 + "/" + "7" * 80 + ")"),
        "unit-long-decimal-exponent": ("unit", "m^0." + "1" * 150),
        "sentence-one-long-number": ("sentence", "9" * SENTENCE_ROOM + " kg"),
        "sentence-one-long-decimal": ("sentence", "0." + "1" * 100_000 + " kg"),
        "sentence-long-exponent": ("sentence", "1e" + "9" * 1_000 + " kg and 5 x 10^" + "9" * 1_000 + " m"),
        "sentence-long-unit": ("sentence", "5 " + "m·" * 50_000),
        "sentence-unit-parentheses": ("sentence", "5 " + "(" * 50_000 + "m"),
        "sentence-many-ambiguous": ("sentence", "25 C, 3 M, 2 h, " * 1_900),
        "sentence-surrogate": ("sentence", "5 \udcff kg, \ud800 = 5 m"),
        "mathml-long-mn": ("mathml", _math(f"<mi>x</mi><mo>=</mo><mn>{'9' * 100_000}</mn>")),
        "mathml-long-mi": ("mathml", _math(f"<mi>{'x' * 100_000}</mi><mo>=</mo><mn>1</mn>")),
        "mathml-long-tag": ("mathml", "<" + "m" * 190_000 + ">"),
        "mathml-long-attribute": ("mathml", f'<math title="{"x" * 190_000}"><mi>x</mi></math>'),
        "mathml-long-entity": ("mathml", _math(f"<mi>&{'x' * 190_000};</mi>")),
        "mathml-long-annotation": (
            "mathml",
            _math(f'<annotation encoding="application/x-tex">{"x+" * 50_000}x</annotation>'),
        ),
        "mathml-surrogate": ("mathml", _math("<mi>\ud800</mi><mo>=</mo><mn>1</mn>")),
        "mathml-wide-attributes": ("mathml", "<math" + ' a="1"' * 20_000 + "><mi>x</mi></math>"),
        "mathml-doctype-laughs-wide": (
            "mathml",
            "<!DOCTYPE m ["
            + "".join(f'<!ENTITY a{index} "{f"&a{index - 1};" * 50 if index else "x"}">' for index in range(30))
            + "]>"
            + _math("<mi>&a29;</mi>"),
        ),
        "content-long-cn": ("content", _math(f"<apply><eq/><ci>x</ci><cn>{'9' * 100_000}</cn></apply>")),
        "content-wide-plus": ("content", _math("<apply><plus/>" + "<ci>x</ci>" * 15_000 + "</apply>")),
        "content-many-digits-base": (
            "content",
            _math(f'<apply><eq/><ci>x</ci><cn type="integer" base="36">{"z" * 100_000}</cn></apply>'),
        ),
    }


def texts() -> dict[str, tuple[str, str]]:
    """name -> (reader, text)."""
    return {
        **_nests("latex", _LATEX_NESTS, LATEX_ROOM),
        **_storms("latex", _LATEX_STORMS, LATEX_ROOM),
        **_nests("mathml", _MATHML_NESTS, MATHML_ROOM, _math),
        **_storms("mathml", _MATHML_STORMS, MATHML_ROOM, _math),
        **_nests("content", _CONTENT_NESTS, MATHML_ROOM, _math),
        **_nests("text", _TEXT_NESTS, TEXT_ROOM),
        **_storms("text", _TEXT_STORMS, TEXT_ROOM),
        **_storms("unit", _UNIT_STORMS, UNIT_ROOM),
        **_storms("sentence", _SENTENCE_STORMS, SENTENCE_ROOM),
        **_bits_and_pieces(),
    }


def commands() -> dict[str, list[str]]:
    """name -> arguments."""
    return {
        "cli-thousands-of-values": ["formula", "eval", "E = m c^2", *(f"x{index}=1" for index in range(5_000))],
        "cli-thousands-of-units": ["formula", "check", "E = m c^2", *(["m=kg"] * 5_000)],
        "cli-thousands-of-words": ["quantity", "parse", *(["5"] * 5_000)],
        "cli-long-formula": ["formula", "parse", "x" * 120_000],
        "cli-deep-formula": ["formula", "parse", _nested("{", "x", "}", 30_000)],
        "cli-long-value": ["formula", "eval", "E = m c^2", "m=" + "9" * 100_000, "c=2"],
        "cli-long-symbols": ["formula", "parse", "E = m c^2", "--symbols", "a," * 50_000],
        "cli-long-symbol": ["formula", "parse", "E = m c^2", "--symbols", "a" * 100_000],
        "cli-long-target": ["formula", "solve", "E = m c^2", "--for", "v" * 100_000],
        "cli-long-unit": ["quantity", "convert", "5 m", "m/" * 50_000],
        "cli-long-command": ["x" * 100_000],
        "cli-surrogate-formula": ["formula", "parse", "x = \udcff + 1"],
        "cli-surrogate-formula-json": ["formula", "parse", "x = \udcff + 1", "--json"],
        "cli-surrogate-text-name": ["formula", "parse", "y = x\udcff", "--notation", "text"],
        "cli-surrogate-value": ["formula", "eval", "E = m c^2", "m=\udcff", "c=2"],
        "cli-surrogate-symbol": ["formula", "eval", "E = m c^2", "\udcff=2"],
        "cli-surrogate-symbols": ["formula", "parse", "E = m", "--symbols", "\udcff"],
        "cli-surrogate-quantity": ["quantity", "parse", "5 \udcff kg"],
        "cli-surrogate-quantity-json": ["quantity", "parse", "5 kg\udcff, \udcff = 5 m", "--json"],
        "cli-surrogate-unit": ["quantity", "convert", "5 m", "\udcff"],
        "cli-surrogate-command": ["\udcff"],
        "cli-surrogate-option": ["formula", "parse", "x = 1", "--notation", "\udcff"],
    }


def standard_inputs() -> dict[str, bytes]:
    """name -> bytes on standard input of `formula parse --json`."""
    good = _json_line(latex="E = m c^2").encode()
    return {
        "stdin-invalid-utf8": b'{"latex": "x = \xff\xfe"}\n',
        "stdin-invalid-utf8-after-good": good + b"\xc3\x28\n",
        "stdin-utf16": '{"latex": "x = 1"}\n'.encode("utf-16"),
        "stdin-nul-bytes": b"\x00" * 10_000,
        "stdin-deep-lists": b"[" * 100_000 + b"]" * 100_000 + b"\n",
        "stdin-deep-objects": b'{"a":' * 100_000 + b"1" + b"}" * 100_000 + b"\n",
        "stdin-deep-beside-latex": b'{"latex": "x = 1", "other": ' + b"[" * 50_000 + b"]" * 50_000 + b"}\n",
        "stdin-long-line": _json_line(latex="x" * 3_000_000).encode(),
        "stdin-long-line-no-end": b"x" * 3_000_000,
        "stdin-long-number": b'{"latex": "x = 1", "n": ' + b"9" * 500_000 + b"}\n",
        "stdin-many-keys": b'{"latex": "x = 1", ' + b",".join(b'"k%d": 1' % index for index in range(50_000)) + b"}\n",
        "stdin-many-symbols": _json_line(latex="x = 1", symbols=[f"s{index}" for index in range(50_000)]).encode(),
        "stdin-long-symbol": _json_line(latex="x = 1", symbols=["s" * 500_000]).encode(),
        "stdin-many-declined": _json_line(latex=r"\input{x}").encode() * 2_000,
        "stdin-latex-deep": _json_line(latex="{" * 90_000).encode(),
        "stdin-mathml-deep": _json_line(mathml="<mrow>" * 90_000).encode(),
        "stdin-text-deep": _json_line(text="(" * 90_000).encode(),
        "stdin-carriage-returns": b"\r\r\r\n" * 10_000,
    }
