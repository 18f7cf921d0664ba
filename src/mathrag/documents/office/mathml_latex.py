"""MathML as embedded in office files to LaTeX, and small mends of what their writers get wrong. Knows no document.

Layout only; content elements stay what they are. The result is a proposal: it is kept only where both
notations are read alike.
"""

from __future__ import annotations

from collections.abc import Callable

from mathrag.compute.latex import read_latex
from mathrag.compute.mathml import read_mathml
from mathrag.documents.html.formulas import serialise, tex_annotation
from mathrag.documents.html.tree import Node
from mathrag.documents.office.latex_pieces import ACCENTS, FUNCTIONS, LatexPiece, row, upright, with_scripts, words
from mathrag.documents.office.omml import styled_pieces
from mathrag.documents.office.pandoc import latex_node
from mathrag.types.expression import Declined

# Beyond what anyone writes: levels of nesting, and characters of one formula.
_DEEPEST = 60
_LONGEST = 20_000
_BARS = ("|", "‖", "∣")
_APPLICATION = "\u2061"
_LIMITS = (r"\lim", r"\max", r"\min", r"\sup", r"\inf", r"\sum", r"\prod", r"\int", r"\underbrace", r"\bigcup")
_VARIANTS = {
    "normal": "upright", "bold": "bold", "bold-italic": "bold-italic", "double-struck": "double-struck",
    "script": "script", "fraktur": "fraktur", "sans-serif": "sans-serif",
}  # fmt: skip
_ROWS = frozenset("math mrow mstyle mpadded semantics merror mtd menclose".split())
_FRAMES = frozenset("box roundedbox circle left right top bottom madruwb".split())


class _Unwritten(Exception):  # noqa: N818 - a sign between two functions here, never seen outside
    """An element that is not written here, or nesting beyond what anyone writes: the formula stays MathML."""


def mend(math: Node) -> None:
    """In place: bars that claim to open on both sides, names wrapped together with an invisible sign, spaces that pull
    together, and the style of a whole row on each of its letters."""
    for node in [math, *math.descendants()]:
        if node.name == "mo" and node.text().strip() in _BARS and "form" in node.attributes:
            node.attributes = {name: value for name, value in node.attributes.items() if name != "form"}
        inner = node.elements
        if node.name == "mrow" and len(inner) == 2 and inner[1].text().strip() == _APPLICATION:
            node.children = [inner[0]]
        if any(each.name == "mspace" and each.attribute("width").startswith("-") for each in inner):
            node.children = [
                each
                for each in node.children
                if isinstance(each, str) or each.name != "mspace" or not each.attribute("width").startswith("-")
            ]
        if node.name == "mstyle" and node.attribute("mathvariant"):
            for letter in node.descendants():
                if letter.name == "mi" and "mathvariant" not in letter.attributes:
                    letter.attributes = {**letter.attributes, "mathvariant": node.attribute("mathvariant")}


def latex_or_mathml(math: Node, *, is_display: bool = False) -> Node:
    """The element to put into the tree: LaTeX where it says the same as the MathML, which stays otherwise."""
    if tex_annotation(math):
        return math
    latex = latex_of(math)
    return latex_node(latex, is_display=is_display or math.attribute("display") == "block") if latex else math


def latex_of(math: Node) -> str:
    """The LaTeX that reads as the MathML does; empty where there is none."""
    mend(math)
    source = serialise(math)
    try:
        latex = row(_pieces(math, 0)) if len(source) <= _LONGEST else ""
    except _Unwritten:
        return ""
    if not latex:
        return ""
    from_latex, from_mathml = read_latex(latex), read_mathml(source)
    if isinstance(from_mathml, Declined):
        return latex
    if isinstance(from_latex, Declined):
        return ""
    is_same = from_latex.equations == from_mathml.equations and from_latex.expression == from_mathml.expression
    return latex if is_same else ""


def _pieces(node: Node, depth: int) -> list[LatexPiece]:
    if depth > _DEEPEST:
        raise _Unwritten
    match node.name:
        case "mi" | "mn" | "mo" | "ms" | "mtext":
            return _token(node)
        case "mspace":
            return [LatexPiece(r"\,", "space")] if not node.attribute("width").startswith("-") else []
        case "annotation" | "annotation-xml" | "mphantom" | "none" | "mprescripts":
            return []
        case "menclose" if not _FRAMES.issuperset(node.attribute("notation").lower().split()):
            # Struck out, or a sign of its own: only the reader of MathML knows what to do with it.
            raise _Unwritten
        case name if name in _ROWS:
            children = node.elements[:1] if name == "semantics" else node.elements
            return [piece for child in children for piece in _pieces(child, depth + 1)]
        case name if name in _WRITERS:
            return [_WRITERS[name](node, depth + 1)]
        case _:
            raise _Unwritten


def _token(node: Node) -> list[LatexPiece]:
    text = node.text().strip() if node.name != "mtext" else node.text()
    variant = node.attribute("mathvariant")
    if node.name == "mtext":
        return [words(text)] if any(character.isalpha() for character in text) else styled_pieces(text.strip(), "")
    if node.name == "mi" and len(text) > 1 and text.isalpha() and text.isascii():
        return [upright(text)] if variant in ("", "normal") else styled_pieces(text, _VARIANTS.get(variant, ""))
    if node.name == "mo" and text in FUNCTIONS:
        return [LatexPiece(f"\\{text}")]
    return styled_pieces(text, _VARIANTS.get(variant, ""))


def _argument(node: Node, place: int, depth: int) -> str:
    return row(_pieces(node.elements[place], depth)) if place < len(node.elements) else ""


def _base(node: Node, depth: int) -> LatexPiece:
    pieces = [piece for piece in (_pieces(node.elements[0], depth) if node.elements else []) if piece.tex]
    return pieces[0] if len(pieces) == 1 else LatexPiece(row(pieces))


def _fraction(node: Node, depth: int) -> LatexPiece:
    above, below = _argument(node, 0, depth), _argument(node, 1, depth)
    if node.attribute("linethickness").rstrip("emptx% .") == "0":
        return LatexPiece(rf"{{{above} \atop {below}}}")
    return LatexPiece(rf"\frac{{{above}}}{{{below}}}")


def _below(node: Node, depth: int) -> LatexPiece:
    return with_scripts(_base(node, depth), _argument(node, 1, depth), "")


def _above(node: Node, depth: int) -> LatexPiece:
    return with_scripts(_base(node, depth), "", _argument(node, 1, depth))


def _both(node: Node, depth: int) -> LatexPiece:
    return with_scripts(_base(node, depth), _argument(node, 1, depth), _argument(node, 2, depth))


def _square_root(node: Node, depth: int) -> LatexPiece:
    inside = row([piece for child in node.elements for piece in _pieces(child, depth)])
    return LatexPiece(rf"\sqrt{{{inside}}}")


def _root(node: Node, depth: int) -> LatexPiece:
    return LatexPiece(rf"\sqrt[{_argument(node, 1, depth)}]{{{_argument(node, 0, depth)}}}")


def _under(node: Node, depth: int) -> LatexPiece:
    base, sign = _argument(node, 0, depth), node.elements[1].text().strip() if len(node.elements) > 1 else ""
    if sign == "⏟":
        return LatexPiece(rf"\underbrace{{{base}}}")
    if sign in ("_", "¯", "\u0332", "―", "‾"):
        return LatexPiece(rf"\underline{{{base}}}")
    below = _argument(node, 1, depth)
    return LatexPiece(f"{base}_{{{below}}}" if base.startswith(_LIMITS) else rf"\underset{{{below}}}{{{base}}}")


def _over(node: Node, depth: int) -> LatexPiece:
    base, sign = _argument(node, 0, depth), node.elements[1].text().strip() if len(node.elements) > 1 else ""
    if sign == "⏞":
        return LatexPiece(rf"\overbrace{{{base}}}")
    if sign in ACCENTS:
        return LatexPiece(rf"\{ACCENTS[sign]}{{{base}}}")
    above = _argument(node, 1, depth)
    return LatexPiece(f"{base}^{{{above}}}" if base.startswith(_LIMITS) else rf"\overset{{{above}}}{{{base}}}")


def _under_and_over(node: Node, depth: int) -> LatexPiece:
    base, below, above = (_argument(node, place, depth) for place in range(3))
    return LatexPiece(f"{base}_{{{below}}}^{{{above}}}")


def _fenced(node: Node, depth: int) -> LatexPiece:
    opening, closing = node.attribute("open") or "(", node.attribute("close") or ")"
    inside = ", ".join(row(_pieces(child, depth)) for child in node.elements)
    return LatexPiece(f"{opening}{inside}{closing}" if opening in "([|" else "", "fence")


_WRITERS: dict[str, Callable[[Node, int], LatexPiece]] = {
    "mfrac": _fraction,
    "msub": _below,
    "msup": _above,
    "msubsup": _both,
    "msqrt": _square_root,
    "mroot": _root,
    "munder": _under,
    "mover": _over,
    "munderover": _under_and_over,
    "mfenced": _fenced,
}
