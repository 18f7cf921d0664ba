"""Formulas of Word (Office MathML) to LaTeX, element by element. Knows no document around them.

Pandoc reads these too, but forgets which letters stand upright, so that units become products of symbols.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import groupby

from mathrag.documents.office.archive import Element, attribute, local_name
from mathrag.documents.office.latex_pieces import (
    ACCENTS,
    FENCES,
    SIGNS,
    LatexPiece,
    joined,
    letter_or_sign,
    plain_letter,
    row,
    upright,
    with_scripts,
    words,
)
from mathrag.errors import DocumentError

# Runs of characters in Word's formulas to pieces of LaTeX: which letters stand upright, bold or as ordinary words.

_TOKEN = re.compile(
    r"(?P<number>\d{1,3}(?:,\d{3})+(?![\d,])|0,\d+|\d+(?:\.\d+)?|\.\d+)"
    r"|(?P<letters>[A-Za-zÀ-ÖØ-öø-ÿ]+)|(?P<space>[ \t\n\r]+)|(?P<sign>.)",
    re.DOTALL,
)
_ALPHABETS = {
    "double-struck": "mathbb", "script": "mathcal", "fraktur": "mathfrak", "sans-serif": "mathsf", "bold": "mathbf",
    "bold-italic": "mathbf",
}  # fmt: skip
_STYLES = {"p": "upright", "b": "bold", "bi": "bold-italic"}
_RELATIONS = frozenset("=<>≈≤≥≠≡∝→⇒∼≅≃")
_JOINTS = frozenset("/⋅·∙∕")
_SPACES = frozenset("\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2009\u200a\u202f\u205f")
# Characters of one formula; beyond, it is no formula.
_LONGEST = 20_000


def run_pieces(run: Element) -> list[LatexPiece]:
    """The pieces of one `m:r` (or of a `w:r` that strayed into a formula)."""
    text = "".join(_text(child) for child in run)[:_LONGEST]
    style, is_text = _appearance(run)
    kept_apart = _kept_apart(run)
    if kept_apart and text.strip():
        return [LatexPiece(f"{kept_apart}{{{row(styled_pieces(text, style))}}}")]
    if is_text and any(character.isalpha() for character in text):
        return _words(text)
    return styled_pieces(text, style)


def styled_pieces(text: str, style: str) -> list[LatexPiece]:
    """The pieces of some characters of one style (`upright`, `bold`, `script`, …; empty for the usual italics)."""
    pieces: list[LatexPiece] = []
    for special, group in groupby((plain_letter(character) for character in text), key=lambda pair: pair[1]):
        part = "".join(ordinary for ordinary, _ in group)
        for found in _TOKEN.finditer(part):
            pieces.extend(_token(found, special or style))
    return pieces


def _text(child: Element) -> str:
    match local_name(child):
        case "t":
            return child.text or ""
        case "tab":
            return " "
        case "sym":
            # A character of a symbol font, by its code.
            code = attribute(child, "char")
            return chr(int(code, 16)) if re.fullmatch(r"[0-9A-Fa-f]{1,4}", code) else ""
        case _:
            return ""


def _appearance(run: Element) -> tuple[str, bool]:
    """The style of a run's letters, and whether they are ordinary text."""
    style, is_text = "", False
    properties = next((child for child in run if local_name(child) == "rPr"), ())
    for each in properties:
        value = attribute(each, "val")
        match local_name(each):
            case "nor":
                is_text = value.lower() not in ("0", "off", "false")
            case "sty":
                style = style if style in _ALPHABETS else _STYLES.get(value, "")
            case "scr" if value in _ALPHABETS:
                style = value
            case _:
                continue
    return style, is_text


def _kept_apart(run: Element) -> str:
    """The command for a run that is struck out or hidden; empty for what a person sees as it is."""
    for properties in (child for child in run if local_name(child) == "rPr"):
        for each in properties:
            name, is_on = local_name(each), attribute(each, "val").lower() not in ("0", "off", "false", "none")
            if name in ("strike", "dstrike") and is_on:
                return r"\cancel"
            if name in ("vanish", "webHidden", "specVanish") and is_on:
                return r"\textcolor{white}"
    return ""


def _words(text: str) -> list[LatexPiece]:
    """Ordinary text; a number in front of it is a number all the same (`5 kg`)."""
    number = re.match(r"\d+(?:\.\d+)?(?=\s|$)", text)
    if number is None:
        return [words(text)]
    rest = text[number.end() :]
    return (
        [LatexPiece(number.group(), "number"), words(rest)] if rest.strip() else [LatexPiece(number.group(), "number")]
    )


def _token(found: re.Match[str], style: str) -> list[LatexPiece]:
    text = found.group()
    match found.lastgroup:
        case "number":
            return [LatexPiece(text.replace(",", "{,}"), "number")]
        case "space":
            return []
        case "letters":
            return _letters(text, style)
    if text in _SPACES:
        return [LatexPiece(letter_or_sign(text), "space")]
    if text in ("&", "#"):
        return [LatexPiece("", "joint", text)]
    sign = letter_or_sign(text)
    if text in _JOINTS:
        return [LatexPiece(sign, "joint", sign)]
    if text in _RELATIONS:
        return [LatexPiece(f" {sign} ")]
    if style in _ALPHABETS and text.isalpha():
        return [LatexPiece(rf"\{_ALPHABETS[style] if style != 'bold' else 'boldsymbol'}{{{sign}}}")]
    return [LatexPiece(sign)]


def _letters(text: str, style: str) -> list[LatexPiece]:
    if style == "upright":
        return [upright(text)]
    if style in _ALPHABETS:
        return [LatexPiece(rf"\{_ALPHABETS[style]}{{{text}}}")]
    # Letters one by one, so that a script belongs to the last of them only.
    return [LatexPiece(letter) for letter in text]


# Levels of nesting; real formulas have ten.
_DEEPEST = 60
_MATRICES = {("(", ")"): "pmatrix", ("[", "]"): "bmatrix", ("|", "|"): "vmatrix", ("{", "}"): "Bmatrix"}
_INVISIBLE = frozenset(
    "rPr ctrlPr fPr radPr naryPr dPr funcPr accPr barPr groupChrPr mPr eqArrPr sSubPr sSupPr sSubSupPr sPrePr limLowPr "
    "limUppPr boxPr borderBoxPr phantPr argPr del moveFrom bookmarkStart bookmarkEnd proofErr sdtPr oMathParaPr "
    "commentRangeStart commentRangeEnd".split()
)
_LIMITS_BELOW = (r"\lim", r"\max", r"\min", r"\sup", r"\inf", r"\limsup", r"\liminf", r"\sum", r"\prod", r"\underbrace")


def omml_to_latex(formula: Element) -> tuple[str, str]:
    """The LaTeX of an `m:oMath` and the number it carries (`E = mc²#(3)`). Raises `DocumentError` where too deep."""
    pieces = _pieces(formula, 0)
    number = ""
    if len(pieces) == 1 and pieces[0].kind == "fence" and pieces[0].inside:
        number = pieces[0].inside
    return row(pieces), number


def _pieces(parent: Element, depth: int) -> list[LatexPiece]:
    if depth > _DEEPEST:
        raise DocumentError("too_large", f"a formula is nested more than {_DEEPEST} deep")
    result: list[LatexPiece] = []
    for child in parent:
        name = local_name(child)
        if name in _INVISIBLE or not name:
            continue
        if name == "r":
            result.extend(run_pieces(child))
        elif name in _WRITERS:
            result.append(_WRITERS[name](child, depth + 1))
        else:
            # Insertions, smart tags, fields, boxes: what they hold stands in the row itself.
            result.extend(_pieces(child, depth + 1))
    return result


def _child(element: Element, name: str) -> Element | None:
    return next((child for child in element if local_name(child) == name), None)


def _part(element: Element, name: str, depth: int) -> str:
    child = _child(element, name)
    return "" if child is None else row(_pieces(child, depth))


def _property(element: Element, name: str, default: str = "") -> str:
    """A property of an element, such as the character of an accent; a mere flag counts as `1`."""
    properties = _child(element, f"{local_name(element)}Pr")
    found = _child(properties, name) if properties is not None else None
    if found is None:
        return default
    return attribute(found, "val") if any(key.endswith("val") for key in found.attrib) else "1"


def _is_on(element: Element, name: str) -> bool:
    return _property(element, name).lower() in ("1", "on", "true")


def _base(element: Element, depth: int) -> LatexPiece:
    """The base of scripts: one piece keeps what it is, several become a group."""
    child = _child(element, "e")
    pieces = [piece for piece in _pieces(child, depth) if piece.tex] if child is not None else []
    return pieces[0] if len(pieces) == 1 else LatexPiece(row(pieces))


def _fraction(element: Element, depth: int) -> LatexPiece:
    above, below = _part(element, "num", depth), _part(element, "den", depth)
    if _property(element, "type") == "noBar":
        return LatexPiece(rf"{{{above} \atop {below}}}")
    return LatexPiece(rf"\frac{{{above}}}{{{below}}}")


def _scripts(element: Element, depth: int) -> LatexPiece:
    return with_scripts(_base(element, depth), _part(element, "sub", depth), _part(element, "sup", depth))


def _scripts_before(element: Element, depth: int) -> LatexPiece:
    below, above = _part(element, "sub", depth), _part(element, "sup", depth)
    before = (f"_{{{below}}}" if below else "") + (f"^{{{above}}}" if above else "")
    return LatexPiece(f"{{}}{before}{_part(element, 'e', depth)}")


def _root(element: Element, depth: int) -> LatexPiece:
    index = "" if _is_on(element, "degHide") else _part(element, "deg", depth)
    return LatexPiece(rf"\sqrt{f'[{index}]' if index else ''}{{{_part(element, 'e', depth)}}}")


def _large_operator(element: Element, depth: int) -> LatexPiece:
    sign = _property(element, "chr", "∫")
    below = "" if _is_on(element, "subHide") else _part(element, "sub", depth)
    above = "" if _is_on(element, "supHide") else _part(element, "sup", depth)
    scripts = (f"_{{{below}}}" if below else "") + (f"^{{{above}}}" if above else "")
    return LatexPiece(joined((f"{SIGNS.get(sign, sign)}{scripts}", " ", _part(element, "e", depth))))


def _fenced(element: Element, depth: int) -> LatexPiece:
    opening, closing = _property(element, "begChr", "("), _property(element, "endChr", ")")
    parts = [child for child in element if local_name(child) == "e"]
    only = _only_element(parts[0]) if len(parts) == 1 else None
    if only is not None:
        kind = local_name(only)
        if kind in ("m", "eqArr") and opening == "{" and not closing:
            return LatexPiece(_environment("cases", _rows(only, depth + 1)))
        if kind == "m" and (opening, closing) in _MATRICES:
            return LatexPiece(_environment(_MATRICES[opening, closing], _rows(only, depth + 1)))
        if kind == "f" and _property(only, "type") == "noBar" and (opening, closing) == ("(", ")"):
            return LatexPiece(rf"\binom{{{_part(only, 'num', depth)}}}{{{_part(only, 'den', depth)}}}")
    separator = _property(element, "sepChr", "|")
    inside = f" {SIGNS.get(separator, separator)} ".join(row(_pieces(part, depth)) for part in parts)
    left, right = FENCES.get(opening, opening), FENCES.get(closing, closing)
    is_low = not any(command in inside for command in (r"\frac", r"\sum", r"\int", r"\begin", r"\sqrt", r"\prod"))
    if is_low and left in ("(", "[") and right in (")", "]"):
        return LatexPiece(f"{left}{inside}{right}", "fence")
    return LatexPiece(joined((rf"\left{left}", f" {inside} ", rf"\right{right}")), "fence")


def _only_element(part: Element) -> Element | None:
    """The one visible element of a part; None where there is more or less."""
    visible = [child for child in part if local_name(child) not in _INVISIBLE and local_name(child)]
    return visible[0] if len(visible) == 1 else None


def _environment(name: str, rows: list[str]) -> str:
    inside = r" \\ ".join(rows)
    return rf"\begin{{{name}}} {inside} \end{{{name}}}"


def _rows(element: Element, depth: int) -> list[str]:
    """Rows of a matrix, or of an array of equations with its first alignment as the column."""
    if local_name(element) == "m":
        lines = [child for child in element if local_name(child) == "mr"]
        return [" & ".join(row(_pieces(cell, depth)) for cell in line if local_name(cell) == "e") for line in lines]
    return [
        " & ".join(text for text in (row(side) for side in _sides(_pieces(child, depth))) if text)
        for child in element
        if local_name(child) == "e"
    ]


def _sides(pieces: list[LatexPiece]) -> Iterator[list[LatexPiece]]:
    """A line of an array of equations at its first sign of alignment; the others only move things."""
    marks = [place for place, piece in enumerate(pieces) if piece.kind == "joint" and piece.inside == "&"]
    first = marks[0] if marks else len(pieces)
    yield pieces[:first]
    yield pieces[first + 1 :]


def _matrix(element: Element, depth: int) -> LatexPiece:
    return LatexPiece(_environment("matrix", _rows(element, depth)))


def _equations(element: Element, depth: int) -> LatexPiece:
    """Lines of equations. A single line with `#` is how Word numbers one: the number goes along."""
    lines: list[str] = []
    number = ""
    for child in element:
        if local_name(child) != "e":
            continue
        pieces = [piece for piece in _pieces(child, depth) if piece.inside != "&"]
        mark = next((place for place, piece in enumerate(pieces) if piece.inside == "#"), len(pieces))
        lines.append(row(pieces[:mark]))
        number = number or row(pieces[mark + 1 :]).strip("()[] ")
    if len(lines) == 1:
        return LatexPiece(lines[0], "fence" if number else "plain", number)
    return LatexPiece(_environment("aligned", [line for line in lines if line]))


def _function(element: Element, depth: int) -> LatexPiece:
    name = _part(element, "fName", depth).strip()
    if name.startswith(r"\mathrm{") and name.endswith("}") and name.count("{") == 1:
        name = rf"\operatorname{{{name[8:-1]}}}"
    argument = _child(element, "e")
    pieces = [piece for piece in _pieces(argument, depth) if piece.tex] if argument is not None else []
    if len(pieces) > 1 and pieces[0].kind != "fence":
        return LatexPiece(f"{name}{{{row(pieces)}}}")
    return LatexPiece(joined((name, row(pieces))))


def _limit_below(element: Element, depth: int) -> LatexPiece:
    base, below = _part(element, "e", depth), _part(element, "lim", depth)
    if below == "⏟":
        return LatexPiece(rf"\underbrace{{{base}}}")
    return LatexPiece(f"{base}_{{{below}}}" if base.startswith(_LIMITS_BELOW) else rf"\underset{{{below}}}{{{base}}}")


def _limit_above(element: Element, depth: int) -> LatexPiece:
    base, above = _part(element, "e", depth), _part(element, "lim", depth)
    if above == "⏞":
        return LatexPiece(rf"\overbrace{{{base}}}")
    if above in (r"\to", "→"):
        return LatexPiece(rf"\vec{{{base}}}")
    return LatexPiece(f"{base}^{{{above}}}" if base.startswith(r"\overbrace") else rf"\overset{{{above}}}{{{base}}}")


def _accent(element: Element, depth: int) -> LatexPiece:
    character = _property(element, "chr", "\u0302") or "\u0302"
    inside = _part(element, "e", depth)
    return LatexPiece(rf"\{ACCENTS.get(character, 'hat')}{{{inside}}}")


def _bar(element: Element, depth: int) -> LatexPiece:
    inside = _part(element, "e", depth)
    return LatexPiece(
        rf"\overline{{{inside}}}" if _property(element, "pos", "bot") == "top" else rf"\underline{{{inside}}}"
    )


def _grouping(element: Element, depth: int) -> LatexPiece:
    """A brace or an arrow that stretches over or under what it groups."""
    sign, inside = _property(element, "chr", "⏟"), _part(element, "e", depth)
    if sign in "→⟶⇒⇌":
        command = {"→": "xrightarrow", "⟶": "xrightarrow", "⇒": "xRightarrow", "⇌": "xrightleftharpoons"}[sign or "→"]
        return LatexPiece(rf"\{command}{{{inside}}}")
    if sign in ACCENTS and sign not in "→":
        return LatexPiece(rf"\{ACCENTS[sign]}{{{inside}}}")
    is_above = _property(element, "pos", "bot") == "top" or sign == "⏞"
    return LatexPiece(rf"\overbrace{{{inside}}}" if is_above else rf"\underbrace{{{inside}}}")


def _phantom(element: Element, depth: int) -> LatexPiece:
    is_shown = _property(element, "show", "1").lower() not in ("0", "off", "false")
    return LatexPiece(_part(element, "e", depth) if is_shown else "")


def _boxed(element: Element, depth: int) -> LatexPiece:
    inside = _part(element, "e", depth)
    is_struck = any(_is_on(element, name) for name in ("strikeH", "strikeV", "strikeBLTR", "strikeTLBR"))
    return LatexPiece(rf"\cancel{{{inside}}}" if is_struck else inside)


_WRITERS: dict[str, Callable[[Element, int], LatexPiece]] = {
    "f": _fraction,
    "sSub": _scripts,
    "sSup": _scripts,
    "sSubSup": _scripts,
    "sPre": _scripts_before,
    "rad": _root,
    "nary": _large_operator,
    "d": _fenced,
    "m": _matrix,
    "eqArr": _equations,
    "func": _function,
    "limLow": _limit_below,
    "limUpp": _limit_above,
    "acc": _accent,
    "bar": _bar,
    "groupChr": _grouping,
    "phant": _phantom,
    "box": _boxed,
    "borderBox": _boxed,
}
