"""A `<math>` element as text: the source a MathML reader gets, and one line of it for people. Reads no meaning."""

from __future__ import annotations

import re
from html import escape

from mathrag.documents.html.nodes import Node

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
