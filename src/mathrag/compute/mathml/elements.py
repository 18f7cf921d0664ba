"""MathML text to a small tree of elements and text, each with its place in the source.

Forgiving where browsers are (prefixes, upper case, HTML entities, unquoted attributes), strict where a guess would hide
a mistake (unclosed or stray tags). Knows nothing about mathematics; no document type or entity definitions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.entities import html5
from typing import TypeAlias

from mathrag.errors import ExpressionLimitError, FormulaError

MAXIMUM_CHARACTERS = 1_000_000
MAXIMUM_NESTING = 120
MAXIMUM_NODES = 40_000

# Possessive repetition: a tag that never ends is found out in one pass.
_TAG = re.compile(r"""<(/?)([A-Za-z][^\s/<>"']*+)((?>(?:[^<>"']|"[^"]*+"|'[^']*+')*))>""")
_ATTRIBUTE = re.compile(r"""([^\s=<>"'/]++)(?:\s*+=\s*+("[^"]*+"|'[^']*+'|[^\s"'=<>]++))?""")
_REFERENCE = re.compile(r"&(?:#([0-9]{1,8}|[xX][0-9A-Fa-f]{1,6});?|([A-Za-z][A-Za-z0-9]{0,40});?)")
_TEXT = re.compile(r"[^<&]+")
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
# Written without an end in HTML; the first three also by people who write MathML by hand.
_WITHOUT_END = frozenset(("mspace", "none", "mprescripts", "sep", "br", "hr", "img", "input", "link", "meta", "wbr"))
_NEVER_IN_FORMULAS = frozenset(("script", "style", "iframe", "object", "embed"))


@dataclass(frozen=True, slots=True)
class Text:
    """A run of characters; a character reference is a run of its own, so that positions stay true."""

    value: str
    position: int
    is_reference: bool = False


@dataclass(frozen=True, slots=True)
class Element:
    """One element: its name in lower case without prefix, its attributes, what it holds."""

    name: str
    position: int
    attributes: dict[str, str] = field(default_factory=dict)
    children: tuple[Node, ...] = ()

    def attribute(self, name: str) -> str:
        """An attribute, stripped; empty when it is not there."""
        return self.attributes.get(name, "").strip()

    @property
    def elements(self) -> tuple[Element, ...]:
        """The child elements, without the text between them."""
        return tuple(child for child in self.children if isinstance(child, Element))

    @property
    def text(self) -> str:
        """The characters directly inside, joined."""
        return "".join(child.value for child in self.children if isinstance(child, Text))


Node: TypeAlias = Element | Text
_STRUCTURE = frozenset(
    "math mrow mfrac msub msup msubsup msqrt mroot mover munder munderover mtable mtr mtd mstyle mpadded mfenced "
    "semantics apply".split()
)


@dataclass(slots=True)
class _Open:
    """An element whose end has not come yet."""

    name: str
    position: int
    attributes: dict[str, str]
    children: list[Node]

    def close(self) -> Element:
        return Element(self.name, self.position, self.attributes, tuple(self.children))


class _Builder:
    """Takes tags and text in order and keeps the open elements on a stack."""

    def __init__(self) -> None:
        self.stack = [_Open("", 0, {}, [])]
        self.count = 0

    def text(self, value: str, position: int, *, is_reference: bool = False) -> None:
        self._close_endless("")
        self._count(position)
        self.stack[-1].children.append(Text(value, position, is_reference))

    def start(self, name: str, attributes: dict[str, str], position: int) -> None:
        self._close_endless("")
        self._count(position)
        if len(self.stack) > MAXIMUM_NESTING:
            raise ExpressionLimitError(f"elements nested deeper than {MAXIMUM_NESTING}", position=position)
        if name in _NEVER_IN_FORMULAS:
            raise FormulaError("element", f"<{name}> does not belong in a formula", position=position)
        self.stack.append(_Open(name, position, attributes, []))

    def end(self, name: str, position: int) -> None:
        self._close_endless(name)
        last = self.stack[-1]
        if last.name == name and len(self.stack) > 1:
            self._close()
        elif any(each.name == name for each in self.stack[1:]):
            raise FormulaError("unclosed", f"<{last.name}> is not closed before </{name}>", position=last.position)
        elif name not in _WITHOUT_END:
            raise FormulaError("stray_tag", f"</{name}> closes nothing", position=position)

    def finish(self) -> tuple[Node, ...]:
        self._close_endless("")
        if len(self.stack) > 1:
            last = self.stack[-1]
            raise FormulaError("unclosed", f"<{last.name}> is never closed", position=last.position)
        return tuple(self.stack[0].children)

    def _close_endless(self, ending: str) -> None:
        """`<mspace>` without an end tag ends where anything but its own end tag comes."""
        if self.stack[-1].name in _WITHOUT_END and self.stack[-1].name != ending:
            self._close()

    def _count(self, position: int) -> None:
        self.count += 1
        if self.count > MAXIMUM_NODES:
            raise ExpressionLimitError(
                f"more than {MAXIMUM_NODES:,} elements and texts is no formula", position=position
            )

    def _close(self) -> None:
        closed = self.stack.pop().close()
        self.stack[-1].children.append(closed)


def read_elements(source: str) -> tuple[Node, ...]:
    """The top-level nodes of a MathML (or HTML) text."""
    if len(source) > MAXIMUM_CHARACTERS:
        raise ExpressionLimitError(f"more than {MAXIMUM_CHARACTERS:,} characters is no formula", position=0)
    unprintable = _UNPRINTABLE.search(source)
    if unprintable:
        code = ord(unprintable.group())
        raise FormulaError(
            "character", f"the text holds the unprintable character U+{code:04X}", position=unprintable.start()
        )
    builder = _Builder()
    position = 1 if source.startswith("\ufeff") else 0
    while position < len(source):
        character = source[position]
        if character == "<":
            position = _markup(source, position, builder)
        elif character == "&":
            position = _reference(source, position, builder)
        else:
            run = _TEXT.match(source, position)
            assert run is not None
            # White space counts only inside the elements that hold text; elsewhere it is how the source is laid out.
            if not run.group().isspace() or builder.stack[-1].name not in _STRUCTURE:
                builder.text(run.group(), position)
            position = run.end()
    return builder.finish()


def _markup(source: str, position: int, builder: _Builder) -> int:
    """One tag, comment, CDATA section, declaration or instruction; a lone `<` is text, as in browsers."""
    following = source[position + 1 : position + 2]
    if following == "/" or (following.isascii() and following.isalpha()):
        return _tag(source, position, builder)
    if source.startswith("<!--", position):
        return _skip_to(source, position, "-->", "comment")
    if source.startswith("<![CDATA[", position):
        stop = _skip_to(source, position, "]]>", "CDATA section")
        builder.text(source[position + 9 : stop - 3], position + 9)
        return stop
    if following == "?":
        return _skip_to(source, position, ">", "processing instruction")
    if following == "!":
        stop = _skip_to(source, position, ">", "declaration")
        if "[" in source[position:stop] or source[position + 2 : position + 9].upper() != "DOCTYPE":
            raise FormulaError("declaration", "declarations of entities are not accepted", position=position)
        return stop
    builder.text("<", position)
    return position + 1


def _tag(source: str, position: int, builder: _Builder) -> int:
    tag = _TAG.match(source, position)
    if tag is None:
        raise FormulaError("unclosed", "this tag never ends: its > is missing", position=position)
    closing, full_name, rest = tag.groups()
    name = full_name.rpartition(":")[2].lower()[:40]  # no element has a longer name
    if closing:
        builder.end(name, position)
    else:
        builder.start(name, _attributes(rest) if rest else {}, position)
        if rest.endswith("/"):
            builder.end(name, position)
    return tag.end()


def _skip_to(source: str, position: int, ending: str, what: str) -> int:
    stop = source.find(ending, position)
    if stop < 0:
        raise FormulaError("unclosed", f"this {what} never ends: its {ending} is missing", position=position)
    return stop + len(ending)


def _attributes(text: str) -> dict[str, str]:
    attributes: dict[str, str] = {}
    for match in _ATTRIBUTE.finditer(text):
        name, value = match.group(1).lower(), match.group(2) or ""
        if value[:1] in {'"', "'"}:
            value = value[1:-1]
        # Character references matter in attributes only for the delimiters of mfenced.
        if "&" in value and len(value) < 200:
            value = _REFERENCE.sub(lambda each: _referred(each) or each.group(), value)
        attributes.setdefault(name, value)
    return attributes


def _reference(source: str, position: int, builder: _Builder) -> int:
    """`&minus;`, `&#8722;`, `&#x2212;`; a lone ampersand is text."""
    match = _REFERENCE.match(source, position)
    if match is None:
        builder.text("&", position)
        return position + 1
    value = _referred(match)
    if value is None:
        raise FormulaError("entity", f"{match.group()} is no character reference I know", position=position)
    builder.text(value, position, is_reference=True)
    return match.end()


def _referred(match: re.Match[str]) -> str | None:
    number, name = match.groups()
    if name is not None:
        return html5.get(name + ";")
    code = int(number[1:], 16) if number[0] in "xX" else int(number)
    if 0x80 <= code <= 0x9F:
        # Browsers read these as the Windows code page, since that is what people meant.
        return bytes([code]).decode("cp1252", "replace")
    if code > 0x10FFFF or _UNPRINTABLE.match(chr(code)):
        return None
    return chr(code)


def formula_element(nodes: tuple[Node, ...]) -> Element:
    """The one `<math>` of the text; a bare fragment (`<mfrac>…</mfrac>`) is put into one."""
    candidates = list(_formulas_in(nodes))
    formulas = [each for each in candidates if isinstance(each, Element) and each.name == "math"]
    if not formulas:
        start = nodes[0].position if nodes else 0
        if not any(isinstance(each, Element) for each in nodes):
            raise FormulaError("not_mathml", "there is no MathML element in this text", position=start)
        return Element("math", start, {}, nodes)
    outside = next((each for each in candidates if isinstance(each, Text)), None)
    if outside is not None:
        raise FormulaError("outside", "there is text outside the <math> element", position=outside.position)
    if len(formulas) > 1:
        raise FormulaError(
            "several", "there are several <math> elements; give one at a time", position=formulas[1].position
        )
    return formulas[0]


def _formulas_in(nodes: tuple[Node, ...]) -> Iterator[Node]:
    """The `<math>` elements, and any visible text that stands outside them."""
    pending = list(reversed(nodes))
    while pending:
        node = pending.pop()
        if isinstance(node, Text):
            if node.value.strip():
                yield node
        elif node.name == "math":
            yield node
        elif node.attribute("aria-hidden") != "true":
            pending.extend(reversed(node.children))
