"""OpenMath objects in XML to a tree of names, variables, literals, applications and bindings.

What comes in is foreign: no document types and no entities, and sizes are counted after references (`OMR`) are
followed, since a few of them, one inside the other, can stand for more than any memory holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal, InvalidOperation
from typing import Protocol

from mathrag.compute.mathml.elements import Element, Node, Text, read_elements
from mathrag.errors import ExpressionLimitError, FormulaError
from mathrag.types.statement import (
    Application,
    Binding,
    DictionaryName,
    Foreign,
    Literal,
    Quoted,
    StatementTree,
    Variable,
)

OpenMathObject = StatementTree

MAXIMUM_DEPTH = 100
MAXIMUM_NODES = 20_000
MAXIMUM_DIGITS = 4_300
_LONGEST_NAME = 200
_ENCODING = re.compile(rb"""<\?xml[^>]{0,100}encoding=["']([A-Za-z0-9._-]{1,20})["']""")
_LATIN = frozenset(("iso-8859-1", "latin-1", "latin1", "windows-1252"))
_WHOLE = re.compile(r"([+-]?)(?:x([0-9A-Fa-f]+)|([0-9]+))")
_TAGS = frozenset("omobj oms omv omi omf omstr omb oma ombind omattr ome omforeign omr".split())


class XmlElement(Protocol):
    """An element of any XML library that follows ElementTree: `tag`, `text`, `tail`, `get`, children by iteration."""

    @property
    def tag(self) -> object: ...
    @property
    def text(self) -> str | None: ...
    @property
    def attrib(self) -> Mapping[str, str]: ...
    def __iter__(self) -> Iterator[XmlElement]: ...


def read_object(xml: str | bytes | Element | XmlElement) -> OpenMathObject:
    """The tree of an `OMOBJ` (or of any element that may stand in one). Raises `FormulaError` for anything else."""
    element = _element(xml)
    builder = _Builder(element)
    return builder.tree(element, 0)


def _element(xml: str | bytes | Element | XmlElement) -> Element:
    if isinstance(xml, Element):
        return xml
    if isinstance(xml, bytes):
        xml = _decoded(xml)
    if not isinstance(xml, str):
        return _copied(xml, _Budget(), 0)
    found = [each for node in read_elements(xml) for each in _objects(node)]
    if len(found) != 1:
        problem = "holds no OpenMath object" if not found else "holds more than one OpenMath object"
        raise FormulaError("not_openmath", f"the text {problem}", source=xml, position=0)
    return found[0]


def _decoded(data: bytes) -> str:
    declared = _ENCODING.match(data[:200])
    if declared and declared.group(1).decode().lower() in _LATIN:
        return data.decode("cp1252", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormulaError("encoding", "the OpenMath object is not UTF-8 text", position=error.start) from None


def _objects(node: Node) -> Iterator[Element]:
    """The outermost OpenMath elements below a node of the text."""
    pending: list[Node] = [node]
    while pending:
        each = pending.pop(0)
        if isinstance(each, Element):
            if each.name in _TAGS:
                yield each
            else:
                pending[:0] = each.children


class _Budget:
    """How much more may be read."""

    def __init__(self) -> None:
        self.left = MAXIMUM_NODES

    def spend(self, nodes: int = 1) -> None:
        self.left -= nodes
        if self.left < 0:
            raise ExpressionLimitError(f"an OpenMath object of more than {MAXIMUM_NODES:,} parts is not read")


def _copied(source: XmlElement, budget: _Budget, depth: int) -> Element:
    """An element of another library as one of ours; comments and instructions, whose tag is no text, are left out."""
    budget.spend()
    if depth > MAXIMUM_DEPTH:
        raise ExpressionLimitError(f"OpenMath elements nested deeper than {MAXIMUM_DEPTH}")
    if not isinstance(source.tag, str):
        raise FormulaError("not_openmath", "this is no OpenMath element")
    attributes = {str(name).rpartition("}")[2].lower(): str(value) for name, value in source.attrib.items()}
    children: list[Node] = [Text(source.text, 0)] if source.text else []
    children.extend(_copied(each, budget, depth + 1) for each in source if isinstance(each.tag, str))
    return Element(source.tag.rpartition("}")[2].rpartition(":")[2].lower()[:40], 0, attributes, tuple(children))


class _Builder:
    """Elements to nodes. Named elements are looked up when a reference leads to them."""

    def __init__(self, root: Element) -> None:
        self.budget = _Budget()
        self.named: dict[str, Element] = {}
        self.following: list[str] = []
        pending = [root]
        while pending:
            element = pending.pop()
            if element.attribute("id"):
                self.named.setdefault(element.attribute("id"), element)
            pending.extend(element.elements)

    def tree(self, element: Element, depth: int) -> StatementTree:
        self.budget.spend()
        if depth > MAXIMUM_DEPTH:
            raise ExpressionLimitError(
                f"OpenMath elements nested deeper than {MAXIMUM_DEPTH}", position=element.position
            )
        match element.name:
            case "oms" | "omv" | "omi" | "omf" | "omstr" | "omb":
                return _leaf(element)
            case "omobj" | "oma" | "ombind" | "omattr":
                return self._compound(element, depth)
            case "omr":
                return self._referred(element, depth)
            case "ome" | "omforeign":
                return Foreign(" ".join(element.text.split())[:_LONGEST_NAME] or element.name.upper())
            case _:
                raise FormulaError(
                    "not_openmath", f"<{element.name}> is no part of an OpenMath object", position=element.position
                )

    def _compound(self, element: Element, depth: int) -> StatementTree:
        parts = element.elements
        match element.name:
            case "omobj":
                if len(parts) == 1:
                    return self.tree(parts[0], depth + 1)
            case "oma":
                if parts:
                    head, *arguments = [self.tree(each, depth + 1) for each in parts]
                    return Application(head, tuple(arguments))
            case "ombind":
                if len(parts) == 3 and parts[1].name == "ombvar":
                    variables = tuple(self._variable(each, depth + 2) for each in parts[1].elements)
                    return Binding(self.tree(parts[0], depth + 1), variables, self.tree(parts[2], depth + 1))
            case "omattr":
                if len(parts) == 2 and parts[0].name == "omatp":
                    return self._attributed(parts[0], parts[1], depth)
        raise FormulaError(
            "not_openmath", f"<{element.name.upper()}> does not have the parts it needs", position=element.position
        )

    def _attributed(self, pairs: Element, inner: Element, depth: int) -> StatementTree:
        """What is attributed; of the attributes only the type of a variable matters here."""
        tree = self.tree(inner, depth + 1)
        if not isinstance(tree, Variable):
            return tree
        keys = pairs.elements
        for key, value in zip(keys[::2], keys[1::2], strict=False):
            if key.attribute("name") == "type":
                return Variable(tree.name, self.tree(value, depth + 1))
        return tree

    def _variable(self, element: Element, depth: int) -> Variable:
        tree = self.tree(element, depth)
        if not isinstance(tree, Variable):
            raise FormulaError("not_openmath", "only variables can be bound", position=element.position)
        return tree

    def _referred(self, element: Element, depth: int) -> StatementTree:
        """What a reference inside the same object leads to."""
        address = element.attribute("href") or element.attribute("xref")
        name = address.removeprefix("#")
        target = self.named.get(name)
        if target is None:
            return Foreign(address[:_LONGEST_NAME] or "reference")
        if name in self.following:
            raise FormulaError("not_openmath", "a reference leads into itself", position=element.position)
        self.following.append(name)
        try:
            return self.tree(target, depth + 1)
        finally:
            self.following.pop()


def _leaf(element: Element) -> StatementTree:
    match element.name:
        case "oms":
            return DictionaryName(_name(element, "cd"), _name(element, "name"))
        case "omv":
            return Variable(_name(element, "name"))
        case "omi":
            return Literal(_whole(element))
        case "omf":
            return Literal(_decimal(element))
        case _:
            return Quoted(element.text[:10_000])


def _name(element: Element, attribute: str) -> str:
    name = element.attribute(attribute)
    if not name or len(name) > _LONGEST_NAME or not name.isprintable():
        raise FormulaError(
            "not_openmath", f"<{element.name.upper()}> lacks a usable {attribute}", position=element.position
        )
    return name


def _whole(element: Element) -> int:
    digits = "".join(element.text.split())
    match = _WHOLE.fullmatch(digits)
    if match is None:
        raise FormulaError("number", f"{digits[:40]!r} is no whole number", position=element.position)
    if len(digits) > MAXIMUM_DIGITS:
        raise ExpressionLimitError(f"a number of more than {MAXIMUM_DIGITS:,} digits", position=element.position)
    sign, hexadecimal, decimal = match.groups()
    value = int(hexadecimal, 16) if hexadecimal else int(decimal)
    return -value if sign == "-" else value


def _decimal(element: Element) -> Decimal:
    text = element.attribute("dec")
    if not text and element.attribute("hex"):
        return _from_bits(element)
    try:
        if len(text) > MAXIMUM_DIGITS:
            raise ExpressionLimitError(f"a number of more than {MAXIMUM_DIGITS:,} digits", position=element.position)
        value = Decimal(text)
    except InvalidOperation:
        raise FormulaError("number", f"{text[:40]!r} is no decimal number", position=element.position) from None
    if value.is_finite() and abs(value.adjusted()) > MAXIMUM_DIGITS:
        raise ExpressionLimitError("a decimal number beyond all sizes", position=element.position)
    return value


def _from_bits(element: Element) -> Decimal:
    """A number given as the sixteen hexadecimal digits of a double."""
    import struct

    text = element.attribute("hex")
    if not re.fullmatch(r"[0-9A-Fa-f]{16}", text):
        raise FormulaError("number", f"{text[:40]!r} is no double in hexadecimal", position=element.position)
    return Decimal(repr(struct.unpack(">d", bytes.fromhex(text))[0]))
