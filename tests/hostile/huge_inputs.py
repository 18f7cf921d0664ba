"""Hostile inputs too large or too strange for a file: deep nesting, megabytes, lone surrogates, raw bytes."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

MEGABYTE = 1_000_000
DEEP = 100_000

# Below the caps of the readers: large enough to hurt, not large enough to be refused by their length alone. Where a
# part shows as well what grows too fast, at a part of the price, only a few kinds are tried in full.
_FULL = {"latex": 99_000, "mathml": 190_000, "text": 19_000, "sentence": 199_000}
_FULL_STORMS = {
    "latex": ("letters", "sum", "bars-with-letters", "chain", "lines", "align", "frac-digits", "words", "text"),
    "mathml": ("mi", "mo-plus", "mo-bar"),
    "text": ("sum", "chain", "power", "bars-with-letters"),
    "sentence": ("digits", "words", "spaces", "letters", "powers", "degree-numbers", "units"),
}
_ROOM = {"latex": 6_000, "mathml": 40_000, "content": 40_000, "text": 6_000, "unit": 190, "sentence": 4_000}
with (Path(__file__).parent / "patterns.toml").open("rb") as _file:
    _PATTERNS: dict[str, dict[str, dict[str, Any]]] = tomllib.load(_file)


def _repeated(text: str, room: int) -> str:
    return text * (room // len(text))


def _nested(opening: str, middle: str, closing: str, count: int = DEEP) -> str:
    return opening * count + middle + closing * count


def _json_line(**fields: object) -> str:
    return json.dumps(fields) + "\n"


def _storms(reader: str, room: int) -> dict[str, str]:
    """Each token kind twice: up to the room of the reader, and a megabyte of it. Lone surrogates fit in no file."""
    storms = {**_PATTERNS[reader]["storms"], "surrogates": "\ud800"}
    return {
        f"{reader}-{label}-{name}": _repeated(text, size)
        for name, text in storms.items()
        for label, size in (("storm", room), ("megabyte", MEGABYTE))
    }


def _nests(reader: str, room: int) -> dict[str, str]:
    """Each kind of group nested a hundred thousand times, as deep as the length caps allow, and 60 times."""
    return {
        f"{reader}-{label}-{name}": _nested(opening, middle, closing, depth)
        for name, (opening, middle, closing) in _PATTERNS[reader]["nests"].items()
        for depth, label in ((DEEP, "deepest"), (room // len(opening + closing), "deep"), (60, "sixty"))
    }


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
        "text-wide-sum": ("text", "y = " + "+".join(f"x{index}" for index in range(800))),
        "text-long-name": ("text", f"{long_name} = 1"),
        "text-long-number": ("text", "x = " + "9" * 15_000),
        "text-number-at-cap": ("text", "x = y + " + "9" * 4_900),
        "text-power-of-long-number": ("text", "x = " + "9" * 4_000 + "**" + "9" * 4_000),
        "text-long-decimals": ("text", "x = 0." + "1" * 4_900 + "**2*y"),
        "text-fractions-of-long-numbers": ("text", "x = " + "+".join(f"1/{10**40 + index}" for index in range(400))),
        "text-factorial-row": ("text", "x = " + "*".join(["factorial(999)"] * 200)),
        "text-polynomial": ("text", "y = " + " + ".join(f"a*x**{index}" for index in range(300))),
        "text-max-wide": ("text", "y = max(" + ", ".join(f"x{index}" for index in range(800)) + ")"),
        "text-surrogate": ("text", "x = \udcff + 1"),
        "text-sums-of-sums": ("text", "x = " + "sum(" * 12 + "1" + " for k in range(0, 99))" * 12),
        "text-comparison-chain": ("text", "x = 1 if " + " < ".join(f"a{index}" for index in range(700)) + " else 2"),
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
        "sentence-one-long-number": ("sentence", "9" * _FULL["sentence"] + " kg"),
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


def texts(reader: str) -> dict[str, str]:
    """name -> text, for one reader; made when asked for, since together they are hundreds of megabytes."""
    made = _nests(reader, _ROOM[reader]) | _storms(reader, _ROOM[reader])
    for name in _FULL_STORMS.get(reader, ()):
        made[f"{reader}-full-{name}"] = _repeated(_PATTERNS[reader]["storms"][name], _FULL[reader])
    if reader in ("mathml", "content"):
        made = {name: _math(body) for name, body in made.items()}
    return made | {name: text for name, (kind, text) in _bits_and_pieces().items() if kind == reader}


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
