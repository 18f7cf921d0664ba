"""Pictures of a page: what they show in words and where their file is said to be. Nothing is ever loaded."""

from __future__ import annotations

from mathrag.documents.html.nodes import Node
from mathrag.types.document import Content, Image, plain_text

_LONGEST_ADDRESS = 2_000
_LONGEST_WORDS = 5_000
_SMALLEST = 3


def is_figure_of_pictures(figure: Node) -> bool:
    """Whether a figure shows pictures and nothing that has to be read by itself."""
    inside = {node.name for node in figure.descendants()}
    return "img" in inside and inside.isdisjoint(("table", "pre", "figure", "math", "ul", "ol", "dl"))


def pictures_in(figure: Node) -> list[Node]:
    """The pictures of a figure, in order."""
    return [node for node in figure.descendants() if node.name == "img"]


def is_decoration(node: Node) -> bool:
    """A picture that says nothing: described as empty by its author, a tracking dot, or without any address."""
    image = node if node.name == "img" else node.find("img")
    if image is None:
        return True
    if image.attributes.get("alt") == "" or image.attribute("role").lower() in ("presentation", "none"):
        return True
    sizes = [image.attribute(name) for name in ("width", "height")]
    if any(size.isdigit() and len(size) <= 4 and int(size) < _SMALLEST for size in sizes):
        return True
    return not image.attribute("alt") and not _address(image)


def picture_of(node: Node, caption: Content) -> Image:
    """A picture with its caption."""
    image = node if node.name == "img" else (node.find("img") or node)
    words = " ".join(image.attribute("alt").split())[:_LONGEST_WORDS]
    quote = plain_text(caption) or words or image.attribute("title")[:_LONGEST_WORDS]
    return Image(image.place, quote, caption, words, _address(image))


def _address(image: Node) -> str:
    """The address as text; none that carries the picture itself or a program."""
    for name in ("src", "data-src", "data-lazy-src", "srcset"):
        address = image.attribute(name)[: _LONGEST_ADDRESS + 1]
        if address and not address.lower().replace(" ", "").startswith(("data:", "javascript:", "vbscript:")):
            return address.split()[0] if name == "srcset" else address[:_LONGEST_ADDRESS]
    return ""
