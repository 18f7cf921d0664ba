"""Program text of a page, with its line breaks and its language. Never run, never searched for formulas."""

from __future__ import annotations

import re

from mathrag.documents.html.nodes import Node
from mathrag.types.document import Code

_LANGUAGE = re.compile(r"(?:language|lang|highlight-source|highlight|brush:?)-?\s*([A-Za-z][\w+#.-]{0,30})")
_NO_LANGUAGE = frozenset(
    ("highlight", "default", "notranslate", "text", "none", "plaintext", "source", "code", "js-code")
)


def code_of(node: Node) -> Code:
    """The code of a `<pre>`."""
    parts: list[str] = []
    pending: list[Node | str] = [node]
    while pending:
        current = pending.pop()
        if isinstance(current, str):
            parts.append(current)
        elif current.name == "br":
            parts.append("\n")
        elif current.name not in ("button", "script", "style"):
            pending.extend(reversed(current.children))
    text = "".join(parts).replace("\u00a0", " ").removeprefix("\n").rstrip()
    return Code(node.place, text, text, _language(node))


def _language(node: Node) -> str:
    """From the class of the element, of the `<code>` inside, or of what stands around."""
    nearby: list[Node] = [node, *node.elements[:1]]
    around = node.parent
    for _ in range(3):
        if around is not None and around.name == "div":
            nearby.append(around)
            around = around.parent
    for each in nearby:
        named = each.attribute("data-language") or each.attribute("data-lang")
        if named:
            return named[:30].lower()
        for name in each.classes[:20]:
            found = _LANGUAGE.fullmatch(name)
            if found and found.group(1).lower() not in _NO_LANGUAGE:
                return found.group(1).lower()
    return ""
