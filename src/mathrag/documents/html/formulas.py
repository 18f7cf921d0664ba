"""Formulas that a page marks as such: MathML, MathJax, KaTeX, Wikipedia, LaTeXML, Pandoc, pictures with TeX.

Each is taken once: the copy that reads best stays, the copies for screens and ears go.
"""

from __future__ import annotations

import re
from html import escape
from typing import Literal, TypeAlias

from mathrag.documents.html.tree import Node
from mathrag.documents.math_in_text.delimiters import with_bare_signs, without_doxygen
from mathrag.documents.math_in_text.picture_addresses import formula_in_address
from mathrag.types.document import Math, Notation

# A `<math>` element as text: the source a MathML reader gets, and one line of it for people. Reads no meaning.

_KEPT_ATTRIBUTES = frozenset(
    "mathvariant open close separators linethickness notation form fence type base cd encoding fontstyle linebreak "
    "width definitionurl".split()
)
_TOKENS = frozenset(("mi", "mn", "mo", "mtext", "ms", "ci", "cn", "csymbol", "annotation"))
_LEFT_OUT = frozenset(("annotation", "annotation-xml", "script", "style", "mprescripts", "none"))
_TEX_ENCODINGS = frozenset(("application/x-tex", "application/x-latex", "tex", "latex", "text/latex", "text/x-latex"))
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff\ud800-\udfff]")
_INVISIBLE = str.maketrans(dict.fromkeys("\u2061\u2062\u2063\u2064\u200b\u200c\u200d\ufeff\u00ad", ""))
_JOINTS = {"mfrac": "/", "msub": "_", "msup": "^", "munder": "_", "mover": "^", "mroot": "^1/"}


def tex_annotation(math: Node) -> str:
    """The TeX that a formula carries along; empty where it carries none."""
    for node in math.descendants():
        if node.name == "annotation" and node.attribute("encoding").lower() in _TEX_ENCODINGS:
            return node.text().strip()
    return ""


def has_content(math: Node) -> bool:
    """Whether there is anything to read besides annotations."""
    pending: list[Node | str] = [math]
    while pending:
        node = pending.pop()
        if isinstance(node, str):
            if node.strip():
                return True
        elif node.name == "mglyph" or node.name.startswith("sep"):
            return True
        elif node.name not in _LEFT_OUT:
            pending.extend(node.children)
    return False


def serialise(math: Node) -> str:
    """The element without namespaces, annotations and attributes that only colour it."""
    parts: list[str] = []
    pending: list[Node | str] = [math]
    while pending:
        node = pending.pop()
        if isinstance(node, str):
            parts.append(node)
            continue
        attributes = "".join(
            f' {name}="{escape(value)}"' for name, value in node.attributes.items() if name in _KEPT_ATTRIBUTES
        )
        inside = _inside(node)
        if not inside:
            parts.append(f"<{node.name}{attributes}/>")
            continue
        parts.append(f"<{node.name}{attributes}>")
        pending.append(f"</{node.name}>")
        pending.extend(reversed(inside))
    return "".join(parts)


def _inside(node: Node) -> list[Node | str]:
    """What to write inside an element: text escaped, layout space left out, `<semantics>` without its notes."""
    inside: list[Node | str] = []
    for child in node.children:
        if isinstance(child, str):
            text = _UNPRINTABLE.sub("", child)
            if text.strip() or (text and node.name in _TOKENS):
                inside.append(escape(text, quote=False))
        elif child.name == "semantics":
            first = next((each for each in child.elements if each.name not in _LEFT_OUT), None)
            inside.extend([first] if first is not None else [])
        elif child.name not in ("annotation", "annotation-xml", "script", "style"):
            inside.append(child)
    return inside


def label_of(math: Node) -> str:
    """The number of a formula that is written as a labelled row; empty where there is none."""
    row = math.find("mlabeledtr")
    return one_line(row.elements[0]).strip(" ()[]") if row is not None and row.elements else ""


def one_line(math: Node) -> str:
    """The formula for a person in one line: `a = Δv/Δt`, with `_` and `^` for what stands below and above."""
    parts: list[str] = []
    pending: list[Node | str] = [math]
    while pending:
        node = pending.pop()
        if isinstance(node, str):
            parts.append(node)
            continue
        if node.name in _LEFT_OUT:
            continue
        if node.name in _TOKENS or node.name == "annotation":
            parts.append(_token(node))
            continue
        pending.extend(reversed(_linear(node)))
    text = re.sub(r"\s+", " ", "".join(parts).translate(_INVISIBLE)).strip()
    return re.sub(r"(?<=[\^_(]) | (?=[),;])", "", text)


def _token(node: Node) -> str:
    text = node.text()
    if node.name == "mo" and text.strip() in (
        "=",
        "≈",
        "<",
        ">",
        "≤",
        "≥",
        "≠",
        "→",
        "±",
        "+",
        "−",
        "-",
        "–",
        "×",
        "⇒",
    ):
        return f" {text.strip()} "
    # Space inside words counts, space around a lone symbol does not.
    return text if node.name == "mtext" else text.strip()


def _linear(node: Node) -> list[Node | str]:
    children: list[Node | str] = list(node.elements)
    if not children:
        return [child for child in node.children if isinstance(child, str)] or ([" "] if node.name == "mspace" else [])
    joint = _JOINTS.get(node.name)
    if joint and len(children) == 2:
        return [*_grouped(children[0], node.name), joint, *_grouped(children[1], node.name)]
    if node.name in ("msubsup", "munderover") and len(children) == 3:
        return [children[0], "_", *_grouped(children[1], "msub"), "^", *_grouped(children[2], "msup")]
    if node.name == "msqrt":
        return ["√(", *children, ")"]
    if node.name == "mfenced":
        return [node.attribute("open") or "(", *_between(children, ","), node.attribute("close") or ")"]
    if node.name == "mmultiscripts":
        return _with_scripts_around(node.elements)
    if node.name in ("mtr", "mlabeledtr"):
        return ["; " if node.index > 1 else "", *_between(children, " ")]
    return children


def _with_scripts_around(children: list[Node]) -> list[Node | str]:
    """`^235_92U`: what stands before the letter first."""
    names = [child.name for child in children]
    split = names.index("mprescripts") if "mprescripts" in names else len(children)
    before, after = children[split + 1 :], children[1:split]
    line: list[Node | str] = []
    for scripts, target in ((before, line), (after, [])):
        for place in range(0, len(scripts) - 1, 2):
            below, above = scripts[place], scripts[place + 1]
            target.extend(["^", above] if above.name != "none" and above.text().strip() else [])
            target.extend(["_", below] if below.name != "none" and below.text().strip() else [])
        if scripts is before:
            line.append(children[0])
        else:
            line.extend(target)
    return line


def _between(children: list[Node | str], sign: str) -> list[Node | str]:
    joined: list[Node | str] = []
    for child in children:
        joined.extend([sign, child] if joined else [child])
    return joined


def _is_in_brackets(text: str) -> bool:
    """Whether one pair of brackets goes round everything."""
    depth = 0
    for place, character in enumerate(text):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if depth <= 0:
            return place > 0 and place == len(text) - 1
    return False


def _grouped(child: Node | str, outer: str) -> list[Node | str]:
    """Brackets round what would otherwise run together: `(a + b)/2`, `x^(n - 1)`."""
    if isinstance(child, str):
        return [child]
    inner = child
    while inner.name in ("mrow", "mstyle", "mpadded") and len(inner.elements) == 1:
        inner = inner.elements[0]
    is_simple = inner.name in _TOKENS or (outer == "mfrac" and inner.name in ("msub", "msup", "msubsup", "mfenced"))
    if is_simple or not inner.elements or _is_in_brackets(inner.text().strip()):
        return [child]
    if outer == "mfrac" and not any(each.name == "mo" for each in inner.elements):
        return [child]
    return ["(", child, ")"]


# TeX as pages carry it, without what pages wrap around it: delimiters, style commands, tags. Reads no formula.

_DELIMITERS = (
    (r"\(", r"\)"), (r"\[", r"\]"), ("$$", "$$"), ("$latex ", "$"), ("$", "$"),
    ("[latex]", "[/latex]"), ("[math]", "[/math]"), ("[tex]", "[/tex]"),
)  # fmt: skip
_TAG = re.compile(r"\\tag\*?\s{0,3}\{\s{0,3}\(?([^{}()]{1,30})\)?\s{0,3}\}")
_STYLE = re.compile(r"\\(?:displaystyle|textstyle|scriptstyle)(?![A-Za-z])\s*")
_CDATA = re.compile(r"%\s{0,9}<!\[CDATA\[|%\s{0,9}\]\]>|<!\[CDATA\[|\]\]>")
_COMMAND = re.compile(r"\\[A-Za-z]{2,}|\\[,;:!|{}]|[_^]\s*[\w{\\]")


def bare_tex(text: str) -> tuple[str, str]:
    """The formula itself and the number its `\\tag` gives it."""
    source = with_bare_signs(without_doxygen(_CDATA.sub("", text).strip()))
    for opening, closing in _DELIMITERS:
        if len(source) >= len(opening) + len(closing) and source.startswith(opening) and source.endswith(closing):
            source = source[len(opening) : -len(closing)].strip()
            break
    number = ""
    tag = _TAG.search(source)
    if tag is not None:
        number = tag.group(1).strip()
        source = _TAG.sub("", source).strip()
    return _without_style(source), number


def _without_style(source: str) -> str:
    """Wikipedia writes `{\\displaystyle …}` around every formula, LaTeXML `\\displaystyle` before every cell."""
    if source.startswith("{") and source.endswith("}") and _STYLE.match(source, 1) and _is_one_group(source):
        source = source[1:-1]
    return _STYLE.sub("", source, count=1).strip() if _STYLE.match(source) else source.strip()


def _is_one_group(source: str) -> bool:
    depth = 0
    escaped = False
    for place, character in enumerate(source):
        if escaped or character == "\\":
            escaped = not escaped and character == "\\"
        elif character in "{}":
            depth += 1 if character == "{" else -1
            if depth == 0:
                return place == len(source) - 1
    return False


def looks_like_tex(text: str) -> bool:
    """Whether a text has commands, subscripts or superscripts as only TeX has them."""
    return _COMMAND.search(text[:5_000]) is not None


Finding: TypeAlias = Math | Literal["drop"] | None

_LONGEST = 200_000
_ELEMENTS = frozenset(
    ("math", "script", "img", "mjx-container", "tex-math", "d-math", "dt-math", "math-field", "math-renderer")
)
_CLASSES = frozenset(
    "katex katex-display katex-error katex-html MathJax MathJax_Display MathJax_SVG MathJax_SVG_Display MathJax_CHTML "
    "MathJax_Preview mjx-chtml MathJax_MathML mwe-math-element math MJX_Assistive_MathML tex latex".split()
)
_RENDERED = frozenset(
    "MathJax MathJax_Display MathJax_SVG MathJax_SVG_Display MathJax_CHTML mjx-chtml MathJax_MathML".split()
)
_PICTURE_CLASSES = frozenset(
    ("tex", "latex", "math", "mathjax", "equation", "formula", "texrender", "math-inline", "formulainl", "formuladsp")
)
_PICTURE_SERVERS = re.compile(
    r"(?:latex\.codecogs\.com|chart\.apis\.google\.com|/math/render/|/media/math/|latex\.php|mimetex|mathtex)",
    re.IGNORECASE,
)
# A description that is nothing but a formula between delimiters.
_DELIMITED = re.compile(r"\$[^$]*=[^$]*\$|\\\([^()]{0,1000}=.{0,1000}\\\)|\\\[.{0,1000}=.{0,1000}\\\]", re.DOTALL)
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
        case "tex-math" | "d-math" | "dt-math" | "math-field" | "math-renderer":
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
    from mathrag.documents.html.tree import parse_page
    from mathrag.documents.seams import ReadingLimits

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
    is_tex = words.startswith(("$", r"\(", r"\[", r"{\displaystyle")) and looks_like_tex(words)
    if not is_marked and not is_tex and not _DELIMITED.fullmatch(words[:2_000].strip()):
        return None
    # What the server was told to draw is drawn, whatever stands in for it.
    words = formula_in_address(address[:5_000]) or words
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
