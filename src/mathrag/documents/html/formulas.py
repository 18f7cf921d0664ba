"""Formulas that a page marks as such: MathML, MathJax, KaTeX, Wikipedia, LaTeXML, Pandoc, pictures with TeX.

Each is taken once: the copy that reads best stays, the copies for screens and ears go.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from html import escape
from itertools import islice
from typing import Literal, TypeAlias

from mathrag.documents.html.tree import Node
from mathrag.documents.math_in_text.delimiters import with_bare_signs, without_doxygen
from mathrag.documents.math_in_text.picture_addresses import formula_in_address
from mathrag.documents.two_forms import Drawing, Form, compared, doubted
from mathrag.types.document import Math, Notation

# A `<math>` element as text: the source a MathML reader gets, and one line of it for people. Reads no meaning.

_KEPT_ATTRIBUTES = frozenset(
    "mathvariant open close separators linethickness notation form fence type base cd encoding fontstyle linebreak "
    "width definitionurl selection".split()
)
# What only colours a formula goes, unless it hides a part: then whoever reads the formula has to know.
_COLOURING = frozenset(("mathcolor", "color", "mathsize", "style"))
_HIDING = re.compile(
    r"\s*(?:white|transparent|#f{3,8}|[0.]+\s*(?:em|ex|px|pt|rem|%)?)\s*|.*(?:display\s?:\s?none|visibility\s?:\s?hidden|"
    r"(?<![\w-])color\s?:\s?(?:white|transparent|#fff)).*",
    re.IGNORECASE | re.DOTALL,
)
_TOKENS = frozenset(("mi", "mn", "mo", "mtext", "ms", "ci", "cn", "csymbol", "annotation"))
_LEFT_OUT = frozenset(("annotation", "annotation-xml", "script", "style", "mprescripts", "none"))
_TEX_ENCODINGS = frozenset(("application/x-tex", "application/x-latex", "tex", "latex", "text/latex", "text/x-latex"))
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff\ud800-\udfff]")
_INVISIBLE = str.maketrans(dict.fromkeys("\u2061\u2062\u2063\u2064\u200b\u200c\u200d\ufeff\u00ad", ""))
_JOINTS = {"mfrac": "/", "msub": "_", "msup": "^", "munder": "_", "mover": "^", "mroot": "^1/"}


def tex_annotation(math: Node) -> str:
    """The TeX that a formula carries along; empty where it carries none."""
    return next(_tex_annotations(math), "")


def _tex_annotations(math: Node) -> Iterator[str]:
    for node in math.descendants():
        if node.name == "annotation" and node.attribute("encoding").lower() in _TEX_ENCODINGS:
            yield node.text().strip()


def _content_annotations(math: Node) -> Iterator[str]:
    """Content MathML that a formula carries along beside what it shows."""
    for node in math.descendants():
        if node.name == "annotation-xml" and "content" in node.attribute("encoding").lower() and node.elements:
            yield f"<math>{serialise(node.elements[0])}</math>"


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
            f' {name}="{escape(value)}"' for name, value in node.attributes.items() if _is_kept(name, value)
        )
        inside = _inside(node)
        if not inside:
            parts.append(f"<{node.name}{attributes}/>")
            continue
        parts.append(f"<{node.name}{attributes}>")
        pending.append(f"</{node.name}>")
        pending.extend(reversed(inside))
    return "".join(parts)


def _is_kept(name: str, value: str) -> bool:
    return name in _KEPT_ATTRIBUTES or (name in _COLOURING and _HIDING.fullmatch(value[:2_000]) is not None)


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
# Forms of one formula beside each other; nobody writes more.
_MOST_FORMS = 6
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
# A character that MathJax draws: by the class of its element, or by an attribute.
_DRAWN_SIGN = re.compile(r"\bmjx-c([0-9A-F]{2,5})\b|\s([0-9A-F]{2,5})$")
_TAGGED = frozenset(("i", "em", "var", "sub", "sup", "b", "strong"))


def formula_at(node: Node) -> Finding:
    """The formula that this element is; `drop` for a copy of one; None for anything else."""
    if node.name not in _ELEMENTS and not _has_formula_class(node):
        return None
    if node.parent is not None and node.parent.name == "alternatives":
        return _alternative(node)
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


def _alternative(node: Node) -> Finding:
    """One of several forms between which a journal lets programs choose: the first stands for all."""
    siblings = [each for each in node.parent.elements if each.name in ("math", "tex-math")] if node.parent else []
    if not siblings or node is not siblings[0]:
        return "drop"
    forms = [
        mathml_formula(each) if each.name == "math" else tex_formula(each, each.text())
        for each in siblings[:_MOST_FORMS]
    ]
    maths = [form for form in forms if isinstance(form, Math)]
    return _agreeing(maths) if maths else "drop"


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
    texts = [text for text in _tex_annotations(math) if text]
    alternative = math.attribute("alttext")
    filled = has_content(math)
    if alternative and (looks_like_tex(alternative) or (not texts and (not filled or math.has_class("ltx_Math")))):
        texts.append(alternative)
    source = serialise(math) if filled else ""
    others: list[Form] = [(bare_tex(text)[0], "latex") for text in texts[1:_MOST_FORMS]]
    others.extend((content, "mathml") for content in islice(_content_annotations(math), _MOST_FORMS))
    if texts and len(texts[0]) <= _LONGEST:
        found = tex_formula(math, texts[0], is_display=is_display, number=label_of(math))
        presented: list[Form] = [(source, "mathml")] if source else []
        return compared(found, [*presented, *others]) if isinstance(found, Math) else found
    if not filled:
        return "drop"
    if len(source) > _LONGEST:
        return None
    return compared(Math(source, "mathml", math.place, one_line(math), is_display, label_of(math)), others)


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
        found = tex_formula(node, node.text(), is_display="mode=display" in kind)
        return _as_drawn(found, _drawing_before(node))
    if kind.startswith("math/asciimath") and node.text().strip():
        notation: Notation = "text"
        text = node.text().strip()
        return Math(text, notation, node.place, text) if len(text) <= _LONGEST else "drop"
    return None


def _script_follows(node: Node) -> bool:
    """Whether MathJax 2 left the source of what it drew: the script right behind the drawing."""
    following = node.next_element
    return following is not None and following.attribute("type").lower().startswith("math/")


def _drawing_before(node: Node) -> Node | None:
    """What MathJax 2 has drawn of a script: an element close before it, up to the formula before."""
    siblings = node.parent.children[max(0, node.position - 6) : node.position] if node.parent is not None else []
    for sibling in reversed(siblings):
        if isinstance(sibling, Node):
            if sibling.name == "script":
                return None
            if not _RENDERED.isdisjoint(sibling.classes):
                return sibling
    return None


def _as_drawn(found: Finding, drawing: Node | None) -> Finding:
    """A formula beside what was drawn of it."""
    other = _container(drawing, is_display=False) if isinstance(found, Math) and drawing is not None else None
    return _agreeing([found, other]) if isinstance(found, Math) and isinstance(other, Math) else found


def _agreeing(forms: Sequence[Math]) -> Math:
    """The first of several forms of one formula; uncertain where another one differs or is uncertain itself."""
    found = compared(forms[0], [(form.source, form.notation) for form in forms[1:]])
    for doubt in (doubt for form in forms[1:] for doubt in form.doubts):
        found = doubted(found, doubt)
    return found


def _container(node: Node, *, is_display: bool) -> Finding:
    """The formula inside what a renderer made of it. The first form is taken; the others must say the same."""
    forms: list[Math] = []
    drawing = Drawing()
    pending: list[Node | str] = [node]
    has_source = False
    while pending:
        inner = pending.pop()
        if isinstance(inner, str):
            drawing.signs.append(inner)
            continue
        if inner.name in ("script", "style"):
            continue
        if inner.name == "math":
            drawing.said.append(_presented(inner))
        sign = _DRAWN_SIGN.search(f"{inner.attribute('class')[:200]} {inner.attribute('data-c')[:6]}")
        drawing.signs.append(chr(int(sign.group(1) or sign.group(2), 16)) if sign else "")
        tex = inner.attribute("data-tex") or inner.attribute("data-latex")
        # MathJax 4 says of every part what it was made of; the first is the whole.
        form = _form_at(inner, node, "" if has_source else tex, is_display=is_display)
        has_source = has_source or bool(tex)
        if form is not None and len(forms) < _MOST_FORMS:
            forms.append(form)
        if inner.has_class("tag", "eqn-num") or inner.name == "mjx-labels":
            drawing.labels.append(inner.text())
        elif inner.name != "math":
            pending.extend(reversed(inner.children))
    return drawing.checked(_agreeing(forms)) if forms else "drop"


def _form_at(inner: Node, node: Node, tex: str, *, is_display: bool) -> Math | None:
    """The form of a container's formula that this element is; None for anything else."""
    found: Finding = None
    if inner.name == "math":
        found = mathml_formula(inner, is_display=is_display)
    elif tex:
        found = tex_formula(node, tex, is_display=is_display)
    elif inner.attribute("data-mathml"):
        found = _embedded(node, inner.attribute("data-mathml"), is_display=is_display)
    elif inner.name == "img" and inner is not node:
        picture = _picture(inner)
        if isinstance(picture, Math):
            found = tex_formula(node, inner.attribute("alt"), is_display=is_display or picture.is_display)
            found = _agreeing([found, picture]) if isinstance(found, Math) else None
    return found if isinstance(found, Math) else None


def _presented(math: Node) -> str:
    """All characters that a formula shows."""
    parts: list[str] = []
    pending: list[Node | str] = [math]
    while pending:
        node = pending.pop()
        if isinstance(node, str):
            parts.append(node)
        elif node.name not in ("annotation", "annotation-xml"):
            pending.extend(reversed(node.children))
    return "".join(parts)


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
    return replace(found, place=node.place)


def _picture(node: Node) -> Finding:
    """A picture of a formula whose description is its TeX, as Wikipedia, WordPress and Sphinx write it."""
    words, address = node.attribute("alt"), node.attribute("src")
    classes = {name.lower() for name in node.classes}
    is_fallback = any(name.startswith("mwe-math-fallback") for name in classes)
    is_marked = is_fallback or bool(classes & _PICTURE_CLASSES) or _PICTURE_SERVERS.search(address[:300]) is not None
    is_tex = words.startswith(("$", r"\(", r"\[", r"{\displaystyle")) and looks_like_tex(words)
    if not is_marked and not is_tex and not _DELIMITED.fullmatch(words[:2_000].strip()):
        return None
    # What the server was told to draw is drawn; what stands in for it must say the same, if it is TeX.
    drawn = formula_in_address(address[:5_000])
    if not drawn and not words:
        return None
    is_display = any("display" in name for name in classes)
    found = tex_formula(node, drawn or words, is_display=is_display)
    if drawn and isinstance(found, Math) and (looks_like_tex(words) or "=" in words):
        return compared(found, [(bare_tex(words)[0], "latex")])
    return found


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
    return replace(found, is_display=True, number=found.number or number)
