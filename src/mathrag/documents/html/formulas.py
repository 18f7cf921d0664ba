"""Formulas that a page marks as such: MathML, MathJax, KaTeX, Wikipedia, LaTeXML, Pandoc, pictures with TeX.

Each is taken once: the copy that reads best stays, the copies for screens and ears go.
"""

from __future__ import annotations

import re
from typing import Literal, TypeAlias
from urllib.parse import unquote

from mathrag.documents.html.mathml_source import has_content, label_of, one_line, serialise, tex_annotation
from mathrag.documents.html.nodes import Node
from mathrag.documents.html.tex_text import bare_tex, looks_like_tex
from mathrag.types.document import Math, Notation

Finding: TypeAlias = Math | Literal["drop"] | None

_LONGEST = 200_000
_ELEMENTS = frozenset(("math", "script", "img", "mjx-container", "tex-math", "d-math", "dt-math", "math-field"))
_CLASSES = frozenset(
    "katex katex-display katex-error katex-html MathJax MathJax_Display MathJax_SVG MathJax_SVG_Display MathJax_CHTML "
    "MathJax_Preview mjx-chtml MathJax_MathML mwe-math-element math MJX_Assistive_MathML tex latex".split()
)
_RENDERED = frozenset(
    "MathJax MathJax_Display MathJax_SVG MathJax_SVG_Display MathJax_CHTML mjx-chtml MathJax_MathML".split()
)
_PICTURE_CLASSES = frozenset(("tex", "latex", "math", "mathjax", "equation", "formula", "texrender", "math-inline"))
_PICTURE_SERVERS = re.compile(
    r"(?:latex\.codecogs\.com|chart\.apis\.google\.com|/math/render/|/media/math/|latex\.php|mimetex|mathtex)",
    re.IGNORECASE,
)
_TAGGED = frozenset(("i", "em", "var", "sub", "sup", "b", "strong"))


def formula_at(node: Node) -> Finding:
    """The formula that this element is; `drop` for a copy of one; None for anything else."""
    if node.name not in _ELEMENTS and not _has_formula_class(node):
        return None
    match node.name:
        case "math":
            return mathml_formula(node)
        case "script":
            return _script(node)
        case "img":
            return _picture(node)
        case "mjx-container":
            return _container(node, is_display=node.attribute("display") in ("true", "block"))
        case "tex-math" | "d-math" | "dt-math" | "math-field":
            return tex_formula(node, node.text(), is_display="block" in node.attributes)
    return _by_class(node)


def _has_formula_class(node: Node) -> bool:
    return "class" in node.attributes and not _CLASSES.isdisjoint(node.attributes["class"].split())


def _by_class(node: Node) -> Finding:
    classes = frozenset(node.classes)
    if classes & {"MathJax_Preview", "katex-html"}:
        return "drop"
    if classes & _RENDERED:
        if _script_follows(node):
            return "drop"
        return _container(node, is_display=bool(classes & {"MathJax_Display", "MathJax_SVG_Display"}))
    if "katex-error" in classes:
        return tex_formula(node, node.text())
    if classes & {"katex", "katex-display"}:
        return _container(node, is_display="katex-display" in classes)
    if "mwe-math-element" in classes:
        return _container(node, is_display="mwe-math-element-block" in classes)
    if "math" in classes and node.name in ("span", "div", "p", "code"):
        return _marked_text(node, classes)
    if classes & {"tex", "latex"} and node.name in ("span", "code") and looks_like_tex(node.text()):
        return tex_formula(node, node.text())
    return None


def is_tagged_formula(node: Node) -> bool:
    """Whether the page says that the words and tags inside are one formula (`texhtml`, Pandoc without a renderer)."""
    if "class" not in node.attributes:
        return False
    classes = frozenset(node.classes)
    if "texhtml" in classes:
        return True
    return "math" in classes and any(child.name in _TAGGED for child in node.elements)


def mathml_formula(math: Node, *, is_display: bool = False) -> Finding:
    """The formula of a `<math>`: its TeX where it carries some, else the element itself."""
    shown = math.attribute("display").lower() == "block" or math.attribute("mode").lower() == "display"
    is_display = is_display or shown
    tex = tex_annotation(math)
    alternative = math.attribute("alttext")
    filled = has_content(math)
    if not tex and alternative and (not filled or math.has_class("ltx_Math") or looks_like_tex(alternative)):
        tex = alternative
    if tex and len(tex) <= _LONGEST:
        return tex_formula(math, tex, is_display=is_display, number=label_of(math))
    if not filled:
        return "drop"
    source = serialise(math)
    if len(source) > _LONGEST:
        return None
    return Math(source, "mathml", math.place, one_line(math), is_display, label_of(math))


def tex_formula(node: Node, text: str, *, is_display: bool = False, number: str = "") -> Finding:
    """A formula given as TeX."""
    source, tag = bare_tex(text)
    if not source or len(source) > _LONGEST:
        return "drop" if not source else None
    is_display = is_display or text.strip().startswith((r"\[", "$$"))
    return Math(source, "latex", node.place, " ".join(text.split()), is_display, tag or number)


def _script(node: Node) -> Finding:
    kind = node.attribute("type").lower().replace(" ", "")
    if kind.startswith(("math/tex", "math/latex")):
        return tex_formula(node, node.text(), is_display="mode=display" in kind)
    if kind.startswith("math/asciimath") and node.text().strip():
        notation: Notation = "text"
        text = node.text().strip()
        return Math(text, notation, node.place, text) if len(text) <= _LONGEST else "drop"
    return None


def _script_follows(node: Node) -> bool:
    """Whether MathJax 2 left the source of what it drew: the script right behind the drawing."""
    following = node.next_element
    return following is not None and following.attribute("type").lower().startswith("math/")


def _container(node: Node, *, is_display: bool) -> Finding:
    """The formula inside what a renderer made of it."""
    for inner in (node, *node.descendants()):
        if inner.name == "math":
            return mathml_formula(inner, is_display=is_display)
        tex = inner.attribute("data-tex") or inner.attribute("data-latex")
        if tex:
            return tex_formula(node, tex, is_display=is_display)
        if inner.attribute("data-mathml"):
            return _embedded(node, inner.attribute("data-mathml"), is_display=is_display)
        if inner.name == "img" and inner is not node:
            found = _picture(inner)
            if isinstance(found, Math):
                return tex_formula(node, inner.attribute("alt"), is_display=is_display or found.is_display)
    return "drop"


def _embedded(node: Node, source: str, *, is_display: bool) -> Finding:
    """MathML that MathJax 2 keeps in an attribute."""
    from mathrag.documents.html.parsing import parse_page
    from mathrag.documents.reader import ReadingLimits

    if len(source) > _LONGEST:
        return "drop"
    root, _ = parse_page(source, limits=ReadingLimits())
    math = root.find("math")
    found = mathml_formula(math, is_display=is_display) if math is not None else None
    if not isinstance(found, Math):
        return "drop"
    return Math(found.source, found.notation, node.place, found.quote, found.is_display, found.number)


def _picture(node: Node) -> Finding:
    """A picture of a formula whose description is its TeX, as Wikipedia, WordPress and Sphinx write it."""
    words, address = node.attribute("alt"), node.attribute("src")
    classes = {name.lower() for name in node.classes}
    is_fallback = any(name.startswith("mwe-math-fallback") for name in classes)
    is_marked = is_fallback or bool(classes & _PICTURE_CLASSES) or _PICTURE_SERVERS.search(address[:300]) is not None
    if not is_marked and not (words.startswith(("$", r"\(", r"\[", r"{\displaystyle")) and looks_like_tex(words)):
        return None
    if not words and "codecogs" in address[:60]:
        words = unquote(address.partition("?")[2])
    if not words:
        return None
    is_display = any("display" in name for name in classes)
    return tex_formula(node, words, is_display=is_display)


def _marked_text(node: Node, classes: frozenset[str]) -> Finding:
    """`class="math"`: TeX between delimiters or bare, MathML, a picture, or words with tags."""
    is_display = "display" in classes or node.name in ("div", "p")
    number = ""
    parts: list[str] = []
    for child in node.children:
        if isinstance(child, str):
            parts.append(child)
        elif child.has_class("eqno", "equation-number"):
            number = " ".join(child.text().split()).strip("()[]¶ #")
        elif child.name in ("math", "img", "mjx-container") or child.has_class("katex", "katex-display", "MathJax"):
            found = formula_at(child)
            if isinstance(found, Math):
                return _as_display(found, number) if is_display else found
        elif child.name in ("br", "wbr"):
            parts.append(" ")
        elif child.name in _TAGGED or child.name in ("p", "div", "table"):
            return None
        elif child.name == "span":
            parts.append(child.text())
    text = "".join(parts)
    if not text.strip():
        return None
    return tex_formula(node, text, is_display=is_display, number=number)


def _as_display(found: Math, number: str) -> Math:
    return Math(found.source, found.notation, found.place, found.quote, True, found.number or number)
