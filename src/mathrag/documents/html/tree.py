"""Characters of a page to a tree of nodes, by lxml's forgiving HTML parser. Loads nothing and expands no entities.

The parser reports tags to a target of ours instead of building its own tree: so line numbers stay true beyond 65,535,
a million attributes cost what they weigh, and we, not the C library, decide how deep a page may go.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from typing import Any

from lxml import etree

from mathrag.documents.seams import ReadingLimits
from mathrag.errors import DocumentError
from mathrag.types.document import Place, ReaderNote

# The tree of a page as the reader walks it: elements with their line and path. No lxml, no meaning.

_EMPTY: dict[str, str] = {}
_SINGLE = frozenset(("html", "head", "body"))
# A path of thousands of levels tells nobody anything, and a hostile page would fill the memory with them.
_LONGEST_PATH = 48
_PATH_HEAD = 8


@dataclass(slots=True, eq=False)
class Node:
    """An element. `index` counts the siblings of the same name, from 1; `position` is its place among all children.

    Built while parsing, then left as it is.
    """

    name: str
    parent: Node | None = None
    index: int = 1
    line: int = 1
    position: int = 0
    attributes: dict[str, str] = field(default_factory=lambda: _EMPTY)
    children: list[Node | str] = field(default_factory=list)

    def attribute(self, name: str) -> str:
        """An attribute without the space around it; empty where there is none."""
        return self.attributes.get(name, "").strip()

    @property
    def classes(self) -> list[str]:
        """The class names."""
        return self.attributes["class"].split() if "class" in self.attributes else []

    def has_class(self, *names: str) -> bool:
        """Whether it has one of these class names."""
        return "class" in self.attributes and not set(names).isdisjoint(self.classes)

    @property
    def elements(self) -> list[Node]:
        """The children that are elements."""
        return [child for child in self.children if isinstance(child, Node)]

    @property
    def next_element(self) -> Node | None:
        """The sibling element that follows at once."""
        following = self.parent.children[self.position + 1 : self.position + 8] if self.parent is not None else []
        return next((child for child in following if isinstance(child, Node)), None)

    @property
    def path(self) -> str:
        """`/html/body/section[3]/p[2]`; the middle of a path too long to read is left out."""
        steps: list[str] = []
        node: Node | None = self
        while node is not None and node.name:
            steps.append(node.name if node.name in _SINGLE else f"{node.name}[{node.index}]")
            node = node.parent
        steps.reverse()
        if len(steps) > _LONGEST_PATH:
            steps = [*steps[:_PATH_HEAD], "…", *steps[_PATH_HEAD - _LONGEST_PATH :]]
        return "/" + "/".join(steps)

    @property
    def place(self) -> Place:
        """Where the element starts."""
        return Place(line=self.line, path=self.path)

    def descendants(self) -> Iterator[Node]:
        """All elements inside, in document order."""
        pending = [child for child in reversed(self.children) if isinstance(child, Node)]
        while pending:
            node = pending.pop()
            yield node
            pending.extend(child for child in reversed(node.children) if isinstance(child, Node))

    def text(self) -> str:
        """All characters inside, as written."""
        parts: list[str] = []
        pending: list[Node | str] = [self]
        while pending:
            node = pending.pop()
            if isinstance(node, str):
                parts.append(node)
            else:
                pending.extend(reversed(node.children))
        return "".join(parts)

    def find(self, *names: str) -> Node | None:
        """The first descendant of one of these names."""
        return next((node for node in self.descendants() if node.name in names), None)


_MOST_ELEMENTS = 1_500_000
# Unclosed <font> and <div> of old pages pile up; our walks do not recurse, so they may go deeper than other nesting.
_DEPTH_FACTOR = 10
_FEED = 1 << 20
_MOST_TEXTS = 4_000_000
_INLINE = frozenset("font b i u em strong span a small big tt code s strike center basefont".split())
_ENDING: dict[str, frozenset[str]] = {"dt": _INLINE | {"p"}, "dd": _INLINE | {"p"}, "p": _INLINE - {"center"}}
_ENDED_BY = {"dt": ("dt", "dd"), "dd": ("dt", "dd"), "p": ("p",)}
_LONGEST_LOOK_BACK = 40
_VOID = frozenset("area base br col embed hr img input keygen link meta param source track wbr".split())
_PICTURES = frozenset(("svg", "canvas", "object"))
_BREAKING_OUT = frozenset(
    "p div h1 h2 h3 h4 h5 h6 table ul ol dl section article blockquote pre figure main header footer body".split()
)
_LARGEST_SUBSET = 1 << 20
_MATHML = frozenset(
    "math mi mn mo mtext mspace ms mrow mfrac msqrt mroot mstyle merror mpadded mphantom mfenced menclose msub msup "
    "msubsup munder mover munderover mmultiscripts mprescripts none mtable mtr mtd mlabeledtr maction semantics "
    "annotation annotation-xml apply ci cn csymbol bvar eq plus minus times divide power root".split()
)
_HTML_PREFIXES = frozenset(("html", "xhtml", "h", "xh"))
_XHTML = re.compile(r"<\?xml\b|xmlns(?::\w{1,20})?\s{0,9}=\s{0,9}[\"']http://www\.w3\.org/1999/xhtml", re.IGNORECASE)
_DOCTYPE = re.compile(r"<!DOCTYPE[^>\[]{0,2000}\[", re.IGNORECASE)


@dataclass(slots=True)
class _Builder:
    """The target: keeps the open elements on a stack.

    `levels` are the elements that the parser holds open, None for those that we ended before it did.
    """

    limit: int
    line: int = 1
    count: int = 0
    texts: int = 0
    has_word_formula: bool = False
    root: Node = field(default_factory=lambda: Node(""))
    levels: list[Node | None] = field(default_factory=list)
    stack: list[Node] = field(default_factory=list)
    counts: list[dict[str, int]] = field(default_factory=lambda: [{}])

    def start(self, tag: str, attributes: Any) -> None:
        name = _local_name(tag)
        if name in _ENDING:
            self._end_before(name)
        if name in _BREAKING_OUT:
            self._break_out()
        self.count += 1
        if self.count > _MOST_ELEMENTS:
            raise self._refusal(f"the page has more than {_MOST_ELEMENTS:,} elements; split it")
        if len(self.stack) >= self.limit:
            raise self._refusal(f"elements are nested more than {self.limit:,} deep; no page needs that")
        parent = self.stack[-1] if self.stack else self.root
        counts = self.counts[-1]
        index = counts[name] = counts.get(name, 0) + 1
        node = Node(name, parent, index, self.line, len(parent.children))
        if attributes:
            node.attributes = dict(attributes)
        parent.children.append(node)
        if name in _VOID:
            # The parser takes some of these for containers of all that follows.
            self.levels.append(None)
            return
        self.levels.append(node)
        self.stack.append(node)
        self.counts.append({})

    def _break_out(self) -> None:
        """A paragraph or a table inside a picture means that the picture was never closed: it ends here."""
        for depth in range(1, min(len(self.stack), _LONGEST_LOOK_BACK) + 1):
            if self.stack[-depth].name in _PICTURES:
                closed = self.stack[-depth:]
                del self.stack[-depth:], self.counts[-depth:]
                self._forget(closed)
                return

    def _end_before(self, name: str) -> None:
        """Ends what browsers end here and the parser does not: `<dt>` before `<dt>`, `<p><font>` before `<p>`."""
        through = _ENDING[name]
        for depth in range(1, min(len(self.stack), _LONGEST_LOOK_BACK) + 1):
            node = self.stack[-depth]
            if node.name in _ENDED_BY[name]:
                closed = self.stack[-depth:]
                del self.stack[-depth:], self.counts[-depth:]
                self._forget(closed)
                return
            if node.name not in through:
                return

    def _forget(self, closed: list[Node]) -> None:
        place = len(self.levels) - 1
        for node in reversed(closed):
            while self.levels[place] is not node:
                place -= 1
            self.levels[place] = None

    def _refusal(self, reason: str) -> DocumentError:
        return DocumentError("too_large", reason, place=f"line {self.line}")

    def end(self, _tag: str) -> None:
        node = self.levels.pop() if self.levels else None
        if node is not None and self.stack and self.stack[-1] is node:
            self.stack.pop()
            self.counts.pop()

    def data(self, text: str) -> None:
        self.texts += 1
        if self.texts > _MOST_TEXTS:
            raise self._refusal(f"the page has more than {_MOST_TEXTS:,} pieces of text; split it")
        (self.stack[-1] if self.stack else self.root).children.append(text)

    def comment(self, text: str) -> None:
        # Word hides its formulas in conditional comments; what they hold is told in a note.
        if "oMath" in text:
            self.has_word_formula = True

    def close(self) -> Node:
        return self.root


def _local_name(tag: str) -> str:
    """`m:mfrac` is `mfrac` and `html:p` is `p`, but Word's `o:p` is not a paragraph."""
    prefix, colon, local = tag.lower().rpartition(":")
    if not colon:
        return local
    return local if local in _MATHML or prefix in _HTML_PREFIXES else f"{prefix}:{local}"


def parse_page(text: str, *, limits: ReadingLimits) -> tuple[Node, tuple[ReaderNote, ...]]:
    """The nodes of a page below a nameless root, and notes on what was mended."""
    notes: list[ReaderNote] = []
    text = _without_declarations(text, notes)
    if "<![CDATA[" in text and _XHTML.search(text, 0, 4_000):
        text = _with_cdata_as_text(text)
    # The parser reads an unknown lone surrogate or a NUL as the end of the world.
    data = text.encode("utf-8", "replace")
    builder = _Builder(limits.depth * _DEPTH_FACTOR)
    parser: Any = etree.HTMLParser(target=builder, encoding="utf-8", no_network=True, huge_tree=True)
    try:
        for number, line in enumerate(data.split(b"\n"), 1):
            builder.line = number
            for start in range(0, len(line), _FEED):
                parser.feed(line[start : start + _FEED])
            parser.feed(b"\n")
        root: Node = parser.close()
    except (etree.LxmlError, ValueError, AssertionError) as error:
        raise DocumentError("syntax", f"the page cannot be parsed as HTML: {error}") from error
    if text.rfind("<") > text.rfind(">"):
        line_number = text.count("\n", 0, text.rfind("<")) + 1
        notes.append(ReaderNote("truncated", "the page ends inside a tag; its end may be missing", Place(line_number)))
    if builder.has_word_formula:
        notes.append(
            ReaderNote("word_formula", "formulas in Word's own form stand in comments and were not read", Place())
        )
    return root, tuple(notes)


def _without_declarations(text: str, notes: list[ReaderNote]) -> str:
    """Cuts `<!DOCTYPE html [ … ]>` down: entities that a page declares are never expanded."""
    found = _DOCTYPE.search(text, 0, 10_000)
    if found is None:
        return text
    stop = text.find("]>", found.end(), found.end() + _LARGEST_SUBSET)
    if stop < 0:
        raise DocumentError("syntax", "the declarations at the start of the page never end", place="line 1")
    removed = text[found.end() - 1 : stop + 1]
    notes.append(ReaderNote("declarations", "entities that the page declares itself are not expanded", Place(line=1)))
    return text[: found.end() - 1] + "\n" * removed.count("\n") + text[stop + 1 :]


def _with_cdata_as_text(text: str) -> str:
    """CDATA sections of XHTML as escaped text; those inside scripts, hidden from old browsers, stay."""
    parts: list[str] = []
    place = 0
    while True:
        start = text.find("<![CDATA[", place)
        stop = text.find("]]>", start) if start >= 0 else -1
        if stop < 0:
            parts.append(text[place:])
            return "".join(parts)
        before = text[max(0, start - 40) : start].rstrip()
        is_script = before.endswith(("%", "//", "/*")) or re.search(r"<(script|style)[^>]*>$", before, re.IGNORECASE)
        inside = text[start + 9 : stop]
        parts.append(text[place:start])
        parts.append(text[start : stop + 3] if is_script else escape(inside, quote=False))
        place = stop + 3
