"""A walk through a page that tells, in reading order, what is text, what is a formula and where blocks begin and end.

Decides nothing about blocks: readers of blocks and of cells listen to the same walk. Never recurses.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from mathrag.documents.html.formulas import formula_at, is_tagged_formula
from mathrag.documents.html.tree import Node
from mathrag.documents.html.visibility import is_unseen
from mathrag.documents.two_forms import doubted
from mathrag.types.document import Break, Code, Content, Image, Math, plain_text

# How an element shows: on lines of its own, in a style, or not at all. Knows names, classes and inline styles only.

BLOCKS = frozenset(
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure "
    "footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu ol optgroup p pre search section summary "
    "table tbody td tfoot th thead tr ul d-article dt-article".split()
)
HEADINGS = {f"h{level}": level for level in range(1, 7)}
_DROPPED = frozenset(
    "head script style template noscript nav iframe object embed applet canvas svg audio video map select option "
    "textarea input button datalist progress meter rp colgroup col link meta base title frameset noframes "
    "annotation annotation-xml xml dt-appendix d-appendix".split()
)
_NAVIGATION_CLASSES = frozenset(
    "toc table-of-contents ltx_toc ltx_page_navbar ltx_page_header navbox navigation-not-searchable mw-editsection "
    "mw-jump-link noprint catlinks printfooter headerlink anchor-link hash-link header-anchor breadcrumb breadcrumbs "
    "theme-doc-breadcrumbs pagination-nav theme-doc-toc-mobile skip-link sphinxsidebar related".split()
)
_NAVIGATION_IDENTIFIERS = frozenset(("toc", "table-of-contents", "mw-navigation", "catlinks"))
_ITALIC = frozenset(("i", "em", "var", "dfn", "cite"))
_BOLD = frozenset(("b", "strong", "th"))
_VERBATIM = frozenset(("code", "kbd", "samp", "tt", "pre"))
_ITALIC_CLASSES = frozenset(("italic", "italics", "emphasis", "ltx_font_italic", "mathit", "mathnormal"))
_BOLD_CLASSES = frozenset(("bold", "strong", "ltx_font_bold", "mathbf"))
_SUB_CLASSES = frozenset(("sub", "subscript", "ltx_sub"))
_SUP_CLASSES = frozenset(("sup", "superscript", "ltx_sup"))
_MARK_CLASSES = frozenset(
    "reference footnote-ref footnote footnoteref citation cite-ref mw-ref ltx_note_mark noteref fn".split()
)
_CSS_ITALIC = re.compile(r"(?<![\w-])font-style\s*:\s*(?:italic|oblique)|(?:^|;)\s*font\s*:\s*italic", re.IGNORECASE)
_CSS_BOLD = re.compile(r"(?<![\w-])font-weight\s*:\s*(?:bold|[6-9]00)", re.IGNORECASE)
_CSS_SUB = re.compile(r"vertical-align\s*:\s*sub", re.IGNORECASE)
_CSS_SUP = re.compile(r"vertical-align\s*:\s*super", re.IGNORECASE)
_CSS_OVERLINE = re.compile(r"text-decoration[a-z-]*\s*:[^;]{0,40}overline|border-top(?:-style)?\s*:", re.IGNORECASE)
_CSS_SYMBOL_FONT = re.compile(r"(?<![\w-])font-family\s*:\s*[\"']?symbol\b", re.IGNORECASE)
# The letters that the font "Symbol" shows for the Latin ones.
_SYMBOL_FONT = str.maketrans(
    "ABGDEZHQIKLMNXOPRSTUFCYWabgdezhqiklmnxoprstufcyw", "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩαβγδεζηθικλμνξοπρστυφχψω"
)
_CSS_STRUCK = re.compile(r"text-decoration[a-z-]*\s*:[^;]{0,60}line-through", re.IGNORECASE)
_CSS_TURNED = re.compile(
    r"unicode-bidi\s*:\s*(?:isolate-)?(?:bidi-)?override|(?<![\w-])direction\s*:\s*rtl", re.IGNORECASE
)
_CSS_UNSEEN = re.compile(
    r"(?<![\w-])(?:color\s*:\s*(?:white|transparent|#fff(?:fff)?)\b|font-size\s*:\s*0(?:\.0{0,4})?(?:px|em|pt|rem|%)?\s*(?:;|$)|"
    r"opacity\s*:\s*0(?:\.0{0,4})?\s*(?:;|$))",
    re.IGNORECASE,
)
_STRUCK = frozenset(("del", "s", "strike"))
STRUCK_OUT = "it is struck out, or a part of it is"
TURNED = "a part of it is shown in another order than it is written"
UNSEEN = "a part of it is not seen on the page"
_CSS_UPRIGHT = re.compile(r"(?<![\w-])font-style\s*:\s*normal", re.IGNORECASE)
# Scripts of scripts of scripts: no formula goes deeper, a hostile page does.
_MOST_SCRIPTS = 4


@dataclass(frozen=True, slots=True)
class Style:
    """How characters are set. `scripts` is the way from the line: `("sub",)`, `("sup", "sub")`.

    `doubt` says why a formula of such characters is not what a person reads, where it is not.
    """

    bold: bool = False
    italic: bool = False
    scripts: tuple[str, ...] = ()
    is_overlined: bool = False
    is_verbatim: bool = False
    is_mark: bool = False
    is_symbol_font: bool = False
    doubt: str = ""


PLAIN = Style()


def is_hidden(node: Node) -> bool:
    """Whether nobody who looks at the page would see the element, by its own attributes."""
    return bool(node.attributes) and is_unseen(node)


def is_navigation(node: Node) -> bool:
    """Whether the element leads around the page or the site instead of saying something."""
    attributes = node.attributes
    if node.name == "nav" or attributes.get("role", "").lower() in ("navigation", "search", "menu", "menubar"):
        return True
    if "id" in attributes and attributes["id"].lower() in _NAVIGATION_IDENTIFIERS:
        return True
    return "class" in attributes and not _NAVIGATION_CLASSES.isdisjoint(attributes["class"].lower().split())


def is_dropped(node: Node) -> bool:
    """Whether the kind of element never holds text to read."""
    return node.name in _DROPPED


def is_block(node: Node) -> bool:
    """Whether the element starts on a new line."""
    if node.name in BLOCKS:
        return True
    return "style" in node.attributes and "display:block" in node.attributes["style"][:500].replace(" ", "").lower()


def style_inside(node: Node, outer: Style) -> Style:
    """The style of the text inside an element."""
    name = node.name
    style = outer
    if name in _ITALIC:
        style = replace(style, italic=True)
    elif name in _BOLD:
        style = replace(style, bold=name != "th" or style.bold)
    elif name in ("sub", "sup"):
        style = _with_script(style, name)
    elif name in _VERBATIM:
        style = replace(style, is_verbatim=True)
    elif name == "font" and node.attribute("face").lower() == "symbol":
        style = replace(style, is_symbol_font=True)
    elif name in _STRUCK:
        style = replace(style, doubt=STRUCK_OUT)
    elif name == "bdo":
        style = replace(style, doubt=TURNED)
    if "class" in node.attributes or "style" in node.attributes:
        style = _by_attributes(node, style)
    return style


def shown_text(text: str, style: Style) -> str:
    """The characters as a reader sees them."""
    return text.translate(_SYMBOL_FONT) if style.is_symbol_font else text


def _with_script(style: Style, script: str) -> Style:
    if len(style.scripts) >= _MOST_SCRIPTS:
        return style
    return replace(style, scripts=(*style.scripts, script))


def _by_attributes(node: Node, style: Style) -> Style:
    classes = frozenset(node.attributes.get("class", "").lower().split())
    css = node.attributes.get("style", "")[:2_000]
    if classes & _ITALIC_CLASSES or (css and _CSS_ITALIC.search(css)):
        style = replace(style, italic=True)
    elif css and _CSS_UPRIGHT.search(css):
        style = replace(style, italic=False)
    if classes & _BOLD_CLASSES or (css and _CSS_BOLD.search(css)):
        style = replace(style, bold=True)
    if node.name not in ("sub", "sup") and not node.name.startswith("t"):
        if classes & _SUB_CLASSES or (css and _CSS_SUB.search(css)):
            style = _with_script(style, "sub")
        elif classes & _SUP_CLASSES or (css and _CSS_SUP.search(css)):
            style = _with_script(style, "sup")
    if (css and node.name == "span" and _CSS_OVERLINE.search(css)) or "overline" in classes:
        style = replace(style, is_overlined=True)
    if css and _CSS_SYMBOL_FONT.search(css):
        style = replace(style, is_symbol_font=True)
    doubt = _doubt_by(css) if css else ""
    if doubt:
        style = replace(style, doubt=doubt)
    if classes & _MARK_CLASSES and node.name in ("sup", "a", "span"):
        style = replace(style, is_mark=True)
    return style


def _doubt_by(css: str) -> str:
    if _CSS_STRUCK.search(css):
        return STRUCK_OUT
    if _CSS_TURNED.search(css):
        return TURNED
    return UNSEEN if _CSS_UNSEEN.search(css) else ""


@dataclass(frozen=True, slots=True)
class StyledText:
    """Characters of one style. `formula` is the element that says they belong to one formula, where one does."""

    text: str
    style: Style
    node: Node
    formula: Node | None = None


Atom: TypeAlias = StyledText | Math | Break


@dataclass(frozen=True, slots=True)
class Opened:
    """A block begins."""

    node: Node


@dataclass(frozen=True, slots=True)
class Closed:
    """A block ends."""

    node: Node


@dataclass(frozen=True, slots=True)
class Whole:
    """An element that the listener reads by itself."""

    node: Node


Event: TypeAlias = StyledText | Math | Break | Opened | Closed | Whole


@dataclass(slots=True)
class LeftOut:
    """How many elements of which kind were not read, and where the first one stood."""

    counts: Counter[str] = field(default_factory=Counter)
    first: dict[str, Node] = field(default_factory=dict)

    def add(self, kind: str, node: Node) -> None:
        self.counts[kind] += 1
        self.first.setdefault(kind, node)


def walk(root: Node, *, is_whole: Callable[[Node], bool], left_out: LeftOut, style: Style = PLAIN) -> Iterator[Event]:
    """The events inside an element, itself not included."""
    pending: list[tuple[Node | str | Closed, Node, Style, Node | None]]
    pending = [(child, root, style, None) for child in reversed(root.children)]
    while pending:
        item, parent, outer, formula = pending.pop()
        if isinstance(item, str):
            yield StyledText(shown_text(item, outer), outer, parent, formula)
            continue
        if isinstance(item, Closed):
            yield item
            continue
        found = formula_at(item)
        if isinstance(found, Math):
            yield _as_event(found, outer, item, formula)
            continue
        if found == "drop" or _is_left_out(item, left_out):
            continue
        if item.name == "br":
            yield Break()
        elif item.name == "wbr":
            continue
        elif is_whole(item):
            yield Whole(item)
        else:
            inner = style_inside(item, outer)
            if is_block(item):
                yield Opened(item)
                inner = replace(inner, scripts=()) if inner.scripts else inner
                pending.append((Closed(item), item, inner, None))
            inside = item if formula is None and is_tagged_formula(item) else formula
            pending.extend((child, item, style, inside) for child, style in _inside(item, inner, outer))


def _as_event(found: Math, outer: Style, node: Node, formula: Node | None) -> StyledText | Math:
    """A formula; a sign or a script of one as the characters that it consists of, with their doubt."""
    if outer.scripts or _is_sign(found):
        style = outer if found.is_certain else replace(outer, doubt=next(iter(found.doubts), UNSEEN))
        return StyledText(found.quote, style, node, formula)
    return doubted(found, outer.doubt) if outer.doubt else found


def _is_sign(math: Math) -> bool:
    """Whether a page writes only a sign (`=`) in MathML, beside symbols that it writes with tags."""
    return math.notation == "mathml" and not any(character.isalnum() for character in math.quote)


def _inside(node: Node, inner: Style, outer: Style) -> Iterator[tuple[Node | str, Style]]:
    """What stands inside an element, the last first, with what a browser adds to it."""
    if node.name == "q":
        yield "”", inner
    for child in reversed(node.children):
        yield child, inner
    if node.name == "q":
        yield "“", inner
    elif node.has_class("classifier"):
        # Sphinx leaves the colon between a name and its type to the style sheet.
        yield " : ", outer


def _is_left_out(node: Node, left_out: LeftOut) -> bool:
    if is_navigation(node):
        left_out.add("navigation", node)
        return True
    if is_dropped(node):
        return True
    if is_hidden(node):
        left_out.add("hidden", node)
        return True
    return False


# Lists of a page: how deep an item stands and what its marker is. Reads no content.

_ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
          (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))  # fmt: skip
_BULLET = "•"


@dataclass(slots=True)
class OpenList:
    """A list whose items are being read: the next number and the term of a definition list."""

    node: Node
    next_number: int
    step: int = 1
    term: Content = ()
    has_definition: bool = True
    is_of_references: bool = False


@dataclass(slots=True)
class OpenItem:
    """An item being read; `is_started` once its first text became a block."""

    node: Node
    depth: int
    marker: str = ""
    term: Content = ()
    is_started: bool = False


def open_list(node: Node, *, is_of_references: bool = False) -> OpenList:
    """A list at its start."""
    start = _whole_number(node.attribute("start"))
    is_reversed = "reversed" in node.attributes
    if start is None:
        start = sum(child.name == "li" for child in node.elements) if is_reversed else 1
    return OpenList(node, start, -1 if is_reversed else 1, is_of_references=is_of_references)


def marker_of(opened: OpenList, item: Node) -> str:
    """The marker of the next item: `•`, `3.`, `b.`, `iv.`; counts on."""
    if opened.node.name not in ("ol",):
        return _BULLET
    number = _whole_number(item.attribute("value"))
    number = opened.next_number if number is None else number
    opened.next_number = number + opened.step
    kind = item.attribute("type") or opened.node.attribute("type")
    if kind in ("a", "A") and number > 0:
        text = _letters(number)
    elif kind in ("i", "I") and 0 < number < 4_000:
        text = _roman(number)
    else:
        return f"{number}."
    return f"{text.upper() if kind.isupper() else text}."


def _whole_number(text: str) -> int | None:
    digits = text.lstrip("+-")
    return (
        int(text)
        if digits.isascii() and digits.isdigit() and len(digits) <= 9 and len(text) - len(digits) <= 1
        else None
    )


def _letters(number: int) -> str:
    text = ""
    while number > 0:
        number, rest = divmod(number - 1, 26)
        text = chr(ord("a") + rest) + text
    return text


def _roman(number: int) -> str:
    text = ""
    for value, sign in _ROMAN:
        count, number = divmod(number, value)
        text += sign * count
    return text


# Pictures of a page: what they show in words and where their file is said to be. Nothing is ever loaded.

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


# Program text of a page, with its line breaks and its language. Never run, never searched for formulas.

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
