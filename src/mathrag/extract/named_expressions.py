"""Expressions that words make a formula: `The area of the sail is $\\frac{1}{2} b h$`, the title above a fraction.

An expression computes something, and only what stands before it says what. It becomes the right side of a formula
where a sentence leads to it with a verb for equality, where a subject "has" it as a quantity, or where it is the first
formula under the title of a quantity. Everything else stays an expression, which answers nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from mathrag.extract.definitions.statements import singular
from mathrag.extract.phrases import clean_title, last_sentence, words_of
from mathrag.extract.sentence_names import is_name, marked, name_before, names_rule, unmarked
from mathrag.extract.worded_targets import latex_name
from mathrag.language.quantity_names import names_exactly, names_quantity
from mathrag.language.word_classes import any_of, word_class
from mathrag.types.document import Block, Content, Display, Document, Heading, ListItem, Math, Paragraph, Text

_RELATION = re.compile(
    r"[=<>≈≤≥:]|\\(?:approx|leq?|geq?|neq?|sim|simeq|propto|equiv|to|rightarrow|Rightarrow|in|mapsto|ll|gg)(?![a-zA-Z])"
)
_OPERATES = re.compile(
    r"\\(?:frac|dfrac|tfrac|sqrt|cdot|times|div|over|sin|cos|tan|cot|ln|log|exp)(?![a-zA-Z])|[\w})]\s*[-+*/]\s*[\w\\({]"
)
# What is a step, a thing of several parts, or open.
_NO_VALUE = re.compile(
    r"\\(?:begin|lim|sum|prod|int|iint|oint|partial|nabla|det|mathbb|mathcal|cup|cap|infty|[lc]?dots|vec|quad|qquad|"
    r"forall|exists|neg|land|lor|dot|ddot|langle|bigl?|mid|pm|mp|text|mbox)(?![a-zA-Z])|[,;&!'…?]|\\[{}\\]|\bO\s*\(|\bd[a-z]\b"
)
_LETTER = re.compile(r"\\(?:alpha|beta|gamma|delta|epsilon|varepsilon|eta|theta|kappa|lambda|mu|nu|rho|sigma|tau|phi|"
                     r"varphi|omega)(?![a-zA-Z])|(?<![\\A-Za-z])[A-Za-z]+(?:_\{?\w{1,12})?")  # fmt: skip
_COMMAND = re.compile(r"\\(?:textbf|textit|mathrm|mathit|mathbf)\s*\{([A-Za-z ]{1,30})\}|\\[A-Za-z]+")
_CUE = re.compile(rf"\s(?:{any_of('proposals.said_equals')}|{any_of('proposals.said_to_be')})\s*:?\s*$", re.IGNORECASE)
_HAS = re.compile(
    r"^(?:the|an?|every|each)\s+(?P<owner>[a-z][a-z-]{2,20}(?:\s[a-z][a-z-]{2,20}){0,2}?)"
    rf"(?:\s(?:{any_of('grammar.plain_prepositions')})\s[^.;:]*)?\s(?:has|have)\s+"
    r"(?:an?\s|the\s)?(?P<quantity>[a-z][a-z-]{2,20}(?:\s[a-z][a-z-]{2,20})?)\s*$",
    re.IGNORECASE,
)
_SETS_OUT = re.compile(
    rf"^(?:{any_of('grammar.subordinators')}|{any_of('grammar.possessives')}|for|at|in|with|by|on|from|after|before|of)\b",
    re.IGNORECASE,
)
# "The excess is so and so, so the area is": what follows from a sentence stands by itself.
_CONCLUDES = re.compile(r"(?:^|,\s+)(?:so|hence|thus|therefore),?\s+", re.IGNORECASE)
_ENDS = re.compile(r"\s*(?:$|[.;](?:\s|$)|,?\s+(?:where|with\s|in which)\b)")
_GOES_ON = re.compile(r",?\s+and\s")
_REACH = 16
_MOST_BETWEEN = 3
_MOST_WORDS = 7
_LONGEST = 300
_LONGEST_LEAD = 400
_FEWEST_LETTERS = 2


def with_named_expressions(document: Document) -> Document:
    """The document, each expression that words name with its name as its left side."""
    blocks = tuple(_blocks(document.blocks))
    return (
        document
        if all(new is old for new, old in zip(blocks, document.blocks, strict=True))
        else replace(document, blocks=blocks)
    )


def _blocks(blocks: Sequence[Block]) -> Iterator[Block]:
    title, since, before = "", 0, ""
    for block in blocks:
        since += 1
        match block:
            case Heading():
                title, since, before = clean_title(words_of(block.content)), 0, ""
                yield block
            case Display():
                name = _led_to(before) if is_expression(block.math) else ""
                if not name and is_expression(block.math) and since <= _MOST_BETWEEN:
                    name = _of_title(title)
                title, before = "", ""
                yield replace(block, math=_with_name(block.math, name)) if name else block
            case Paragraph() | ListItem():
                content, title = _content(block.content, title if since <= _MOST_BETWEEN else "")
                before = marked(block.content)[-_LONGEST_LEAD:]
                yield block if content is block.content else replace(block, content=content)
            case _:
                before = ""
                yield block


def _content(content: Content, title: str) -> tuple[Content, str]:
    """The pieces with what they name, and the title as long as no displayed formula has stood below it."""
    if not any(isinstance(piece, Math) for piece in content):
        return content, title
    found = list(content)
    for place, piece in enumerate(content):
        if not isinstance(piece, Math):
            continue
        if is_expression(piece):
            before = marked(content[max(0, place - _REACH) : place])[-_LONGEST_LEAD:]
            name = _name_of(piece, before, _behind(content, place), title)
            found[place] = _with_name(piece, name) if name else piece
        if piece.is_display:
            title = ""
    return (content if all(new is old for new, old in zip(found, content, strict=True)) else tuple(found)), title


def _name_of(math: Math, before: str, behind: str, title: str) -> str:
    if math.is_display:
        return _led_to(before) or _of_title(title)
    if _ENDS.match(behind):
        return _led_to(before) or _had(before)
    return _had(before) if _GOES_ON.match(behind) else ""


def _behind(content: Content, place: int) -> str:
    following = content[place + 1] if place + 1 < len(content) else None
    return following.text if isinstance(following, Text) else "" if following is None else "\0"


def is_expression(math: Math) -> bool:
    """Whether a formula states nothing and computes something from at least two quantities."""
    source = math.source.strip().strip("$").strip(" .")
    if math.notation != "latex" or not math.is_certain or not 3 <= len(source) <= _LONGEST:
        return False
    if _RELATION.search(source) or not _OPERATES.search(source):
        return False
    bare = _COMMAND.sub(lambda found: f" {found[1]} " if found[1] else found.group(), source)
    if _NO_VALUE.search(bare):
        return False
    return len(set(_LETTER.findall(bare))) >= _FEWEST_LETTERS


def _led_to(said: str) -> str:
    """The name that a sentence gives to what follows it: its subject, where it ends with a verb for equality."""
    sentence = last_sentence(said).strip()
    if sentence.endswith(":") and _CUE.search(sentence) is None:
        return _quantity(unmarked(sentence).rstrip(" :"))
    if _CUE.search(sentence) is None or _SETS_OUT.match(sentence):
        return ""
    sentence = _CONCLUDES.split(sentence)[-1]
    if re.search("[,;:]", sentence.rstrip(": ")):
        return ""
    return _quantity(unmarked(name_before(sentence, "")))


def _had(said: str) -> str:
    """`The circle through two points has radius $…$`: the quantity with whose it is."""
    found = _HAS.match(unmarked(last_sentence(said).strip()))
    if found is None or not names_exactly(found["quantity"]) or not is_name(found["owner"]):
        return ""
    return _quantity(f"{found['quantity']} of the {found['owner']}")


def _of_title(title: str) -> str:
    """The quantity that a title names, as one: "Grip Ratios" is that of the grip ratio."""
    words = [word if word.isupper() else word.lower() for word in title.split()]
    if not words:
        return ""
    return _quantity(" ".join((*words[:-1], singular(words[-1]))))


def _quantity(name: str) -> str:
    """The name where it is that of a quantity; empty for any other."""
    bare = re.sub(r"^(?:the|an?)\s+", "", name.strip(), flags=re.IGNORECASE)
    words = bare.split()
    if not 1 <= len(words) <= _MOST_WORDS or not is_name(bare) or names_rule(bare) or re.search(r"[^\w\s'’()-]", bare):
        return ""
    head = re.split(r"\s(?:of|for|in|per|from|to)\s", bare, maxsplit=1)[0].split()[-1].casefold()
    is_measured = head in word_class("text_formulas.measures") or names_quantity(bare)
    return bare if is_measured else ""


def _with_name(math: Math, name: str) -> Math:
    return replace(math, source=f"{latex_name(name)} = {math.source.strip().strip('$').strip()}")
