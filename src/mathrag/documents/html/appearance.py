"""How an element shows: on lines of its own, in a style, or not at all. Knows names, classes and inline styles only."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from mathrag.documents.html.nodes import Node

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
_HIDING = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
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
_CSS_UPRIGHT = re.compile(r"(?<![\w-])font-style\s*:\s*normal", re.IGNORECASE)
# Scripts of scripts of scripts: no formula goes deeper, a hostile page does.
_MOST_SCRIPTS = 4


@dataclass(frozen=True, slots=True)
class Style:
    """How characters are set. `scripts` is the way from the line: `("sub",)`, `("sup", "sub")`."""

    bold: bool = False
    italic: bool = False
    scripts: tuple[str, ...] = ()
    is_overlined: bool = False
    is_verbatim: bool = False
    is_mark: bool = False
    is_symbol_font: bool = False


PLAIN = Style()


def is_hidden(node: Node) -> bool:
    """Whether a browser would not show the element, by its own attributes."""
    attributes = node.attributes
    if not attributes:
        return False
    if "hidden" in attributes and attributes["hidden"].lower() != "until-found":
        return True
    if attributes.get("aria-hidden", "").lower() == "true":
        return True
    style = attributes.get("style", "")
    return bool(style) and _HIDING.search(style[:2_000]) is not None


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
    if classes & _MARK_CLASSES and node.name in ("sup", "a", "span"):
        style = replace(style, is_mark=True)
    return style
