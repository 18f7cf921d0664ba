"""Definitions that a sentence says with words of arithmetic: "scrap rate: rejected metres divided by all metres woven".

Only sentences that are understood whole and can mean one thing: sums beside products need a comma that parts them. The
formula stands behind its sentence; operands are runs of words or, where a symbol stands behind them, that symbol.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from mathrag.documents.math_in_text.explicit_lines import formulas_in_line
from mathrag.documents.math_in_text.tokens import is_unit
from mathrag.extract.worded_targets import latex_name
from mathrag.language.word_classes import any_of, word_class, word_list
from mathrag.types.document import Block, Content, Document, Inline, ListItem, Math, Paragraph, Place, Text

_LONGEST = 300
_MOST_SENTENCES = 40
_MOST_WORDS = 8
_MOST_TERMS = 8
# Symbols stand in a sentence as one sign each.
_FIRST_SIGN = 0xE000
_SIGN = "[\ue000-\ue0ff]"
_SENTENCE = re.compile(r"[^.!?;]{3,300}?(?:\.(?=\d)[^.!?;]{1,300}?){0,3}(?:[.!?;](?=\s|$)|$)")
_EQUALS = re.compile(
    rf"(?P<left>[^:,]{{2,90}}?)(?:\s*:\s+|\s+(?P<verb>{any_of('proposals.said_by_doing')}|{any_of('proposals.said_equals')})\s+)"
    r"(?P<right>\S.*)",
    re.IGNORECASE,
)
_AIM = re.compile(rf"(?:{any_of('proposals.said_aims')})\s+(?P<left>[^:,]{{2,90}}),\s+(?P<right>\S.*)", re.IGNORECASE)
_COLON = re.compile(r"(?P<left>[^\W\d_][^:=<>\n]{2,60}):\s+(?P<right>[^:=<>?!;\n]{3,160})")
_SPACED = re.compile(r"[\w)]\s+[-−–+*/×·⋅÷xX]\s+[\w(]")
_IN_PARENTHESES = re.compile(r"\([^()]+\)\s*[*/×·⋅÷]|[*/×·⋅÷]\s*\([^()]+\)")
_ARTICLE = re.compile(r"^(?:the|a|an)\s+", re.IGNORECASE)
_PERCENT = re.compile(rf"[\s,]+\(?(?:{any_of('proposals.said_in_percent')})\)?$", re.IGNORECASE)
_FACTOR = re.compile(
    r"(?P<apart>\s*,)?\s+(?:and\s+)?(?:then\s+)?(?:times|multiplied by|[×x*])\s+(?P<number>\d{1,6})$", re.IGNORECASE
)
_FURTHER = re.compile(
    r"(?P<core>.+?),\s+(?:(?:and|all|then|the whole)\s+){0,2}"
    r"(?P<sign>divided by|times|multiplied by|plus|minus|less)\s+(?P<operand>[^,]+)",
    re.IGNORECASE,
)
_INFIX = re.compile(r"\s+(?P<sign>divided by|multiplied by|times|plus|minus|less)\s+", re.IGNORECASE)
_SIGNS = {"divided by": "/", "multiplied by": "*", "times": "*", "plus": "+", "minus": "-", "less": "-"}
_LATEX = {"/": "/", "*": r"\times", "+": "+", "-": "-"}
_PREFIXED = (
    (re.compile(r"(?:the\s+)?(?:ratio|quotient)\s+of\s+(?P<a>.+?)\s+(?:to|over)\s+(?P<b>.+)", re.IGNORECASE), "/"),
    (re.compile(r"(?:the\s+)?(?:ratio|quotient)\s+(?:of|between)\s+(?P<a>.+?)\s+and\s+(?P<b>.+)", re.IGNORECASE), "/"),
    (re.compile(r"(?:the\s+)?product\s+of\s+(?P<a>.+?)\s+and\s+(?P<b>.+)", re.IGNORECASE), "*"),
    (re.compile(r"(?:the\s+)?difference\s+(?:between|of)\s+(?P<a>.+?)\s+and\s+(?P<b>.+)", re.IGNORECASE), "-"),
    (re.compile(r"(?:dividing|divide)\s+(?P<a>.+?)\s+by\s+(?P<b>.+)", re.IGNORECASE), "/"),
    (re.compile(r"(?:multiplying|multiply)\s+(?P<a>.+?)\s+(?:by|with|and)\s+(?P<b>.+)", re.IGNORECASE), "*"),
    (re.compile(r"(?:subtracting|subtract|deducting|deduct)\s+(?P<b>.+?)\s+from\s+(?P<a>.+)", re.IGNORECASE), "-"),
    (re.compile(r"(?:adding|add)\s+(?P<a>.+?)\s+(?:to|and)\s+(?P<b>.+)", re.IGNORECASE), "+"),
    (re.compile(rf"(?P<a>.+?)\s+(?:{any_of('proposals.said_shares')})\s+(?P<b>.+)", re.IGNORECASE), "/"),
    (re.compile(rf"(?P<b>.+?)\s+(?:{any_of('proposals.between_taken_from')})\s+(?P<a>.+)", re.IGNORECASE), "-"),
)
_PERCENTAGE = re.compile(rf"(?P<a>.+?)\s+(?:{any_of('proposals.said_percentages')})\s+(?P<b>.+)", re.IGNORECASE)
_SUM = re.compile(r"(?:the\s+)?(?:sum|total)\s+of\s+(?P<terms>.+)", re.IGNORECASE)
_OPERAND = re.compile(
    r"(?:(?:the|a|an|its|their|all the)\s+)?"
    rf"(?P<words>[^\W\d_][\w'’/%&-]*(?:\s+[^\W\d_][\w'’/%&-]*){{0,{_MOST_WORDS - 1}}})?"
    rf"(?:\s*\((?P<unit>[^()]{{1,20}})\))?\s*(?P<sign>{_SIGN})?",
)
_WORD = re.compile(r"[^\W\d_]{2,}")


@dataclass(frozen=True, slots=True)
class _Said:
    """A combination as LaTeX, and the loosest sign in it: empty for one operand."""

    latex: str
    sign: str = ""


def with_said_definitions(document: Document) -> Document:
    """The document, each sentence that defines by arithmetic in words followed by the formula that it says."""
    blocks = tuple(_block(block) for block in document.blocks)
    return document if blocks == document.blocks else replace(document, blocks=blocks)


def _block(block: Block) -> Block:
    match block:
        case ListItem() if block.term:
            found = _of_term(block)
            return block if found is None else replace(block, content=(*block.content, Text(" "), found))
        case Paragraph() | ListItem():
            content = tuple(_content(block.content, block.place))
            return block if content == block.content else replace(block, content=content)
        case _:
            return block


def _of_term(item: ListItem) -> Math | None:
    """The formula of an entry in a list of terms."""
    text, symbols = _flat((*item.term, Text(": "), *item.content))
    return _formula(text, symbols, item.place) if len(text) <= _LONGEST else None


def _content(content: Content, place: Place) -> Iterator[Inline]:
    """The pieces, with a formula behind each piece in which a sentence that says one ends."""
    text, symbols = _flat(content)
    typed = _typed(text, place) if not symbols else None
    if typed is not None:
        yield typed
        return
    if not _may_say(text):
        yield from content
        return
    behind: list[tuple[int, Math]] = []
    for number, found in enumerate(_SENTENCE.finditer(text)):
        if number >= _MOST_SENTENCES:
            break
        math = _formula(found.group(), symbols, place)
        if math is not None:
            behind.append((found.end(), math))
    at = 0
    for piece in content:
        at += len(piece.text) if isinstance(piece, Text) else 1
        yield piece
        while behind and behind[0][0] <= at:
            yield Text(" ")
            yield behind.pop(0)[1]


def _typed(text: str, place: Place) -> Math | None:
    """The formula of a line that has a colon for an equals sign: `Survival rate: (survivors / starters) x 100`."""
    found = _COLON.fullmatch(text.strip())
    if found is None or not (_SPACED.search(found["right"]) or _IN_PARENTHESES.search(found["right"])):
        return None
    left, right = found["left"].replace("*", "").strip(), found["right"].rstrip(" .;")
    words = re.findall(r"[^\W\d_]+", re.sub(r"\(.*?\)", "", left).casefold())
    is_quotient = re.search(r"\d|[*×·⋅÷+]|\s[-−–xX]\s", right) is None
    if not words or (is_quotient and words[-1] not in word_class("text_formulas.measures")):
        # "Departments: sales / marketing" divides nothing.
        return None
    line = f"{left} = {right}"
    formulas = formulas_in_line(line)
    if len(formulas) != 1 or (formulas[0].start, formulas[0].end) != (0, len(line)) or formulas[0].notation != "latex":
        return None
    return Math(formulas[0].source, "latex", place, text.strip())


@lru_cache(maxsize=1)
def _cues() -> re.Pattern[str]:
    phrases = (
        *word_list("proposals.between_taken_from"), *word_list("proposals.said_shares"),
        *word_list("proposals.said_percentages"),
    )  # fmt: skip
    return re.compile(
        r"\b(?:divided by|multiplied by|times|plus|minus|less"
        r"|(?:ratio|quotient|product|sum|total|difference) (?:of|between)"
        r"|dividing|multiplying|subtracting|adding|divide|multiply|subtract|add"
        rf"|{'|'.join(map(re.escape, phrases))})\b",
        re.IGNORECASE,
    )


def _may_say(text: str) -> bool:
    return len(text) < 20_000 and _cues().search(text) is not None


def _flat(content: Content) -> tuple[str, list[Math]]:
    """The words with one sign for every formula, and these formulas; other pieces are white."""
    parts: list[str] = []
    symbols: list[Math] = []
    for piece in content:
        if isinstance(piece, Text):
            parts.append(piece.text)
        elif isinstance(piece, Math) and len(symbols) < 256:
            parts.append(chr(_FIRST_SIGN + len(symbols)))
            symbols.append(piece)
        else:
            parts.append("=")
    return "".join(parts), symbols


def _formula(sentence: str, symbols: Sequence[Math], place: Place) -> Math | None:
    """The formula that a sentence says as a whole."""
    bare = " ".join(sentence.replace("*", "").strip().rstrip(".;").split())
    if not 8 <= len(bare) <= _LONGEST or "=" in bare or bare.endswith("?") or not _cues().search(bare):
        return None
    words = {word.casefold() for word in re.findall(r"[^\W\d_]+", bare)}
    if not words.isdisjoint(
        word_class("proposals.denials") | word_class("proposals.hedges") | word_class("proposals.pronouns")
    ):
        return None
    found = _AIM.fullmatch(bare) or _EQUALS.fullmatch(bare)
    if found is None:
        return None
    left = _operand(found["left"], symbols)
    right = _combination(found["right"], symbols)
    if left is None or right is None or not right.sign or left.latex in right.latex:
        return None
    shown = "".join(symbols[ord(each) - _FIRST_SIGN].quote if re.match(_SIGN, each) else each for each in sentence)
    return Math(f"{left.latex} = {right.latex}", "latex", place, shown.strip())


def _combination(text: str, symbols: Sequence[Math]) -> _Said | None:
    """A combination of operands that can mean one thing; None for any other."""
    in_percent = _PERCENT.search(text)
    if in_percent is not None:
        whole = _combination(text[: in_percent.start()], symbols)
        return None if whole is None or not whole.sign else _Said(rf"{_closed(whole)} \times 100\%", "*")
    share = _PERCENTAGE.fullmatch(text)
    if share is not None:
        quotient = _joined("/", _operand(share["a"], symbols), _operand(share["b"], symbols))
        return None if quotient is None else _Said(rf"{quotient.latex} \times 100\%", "*")
    factor = _FACTOR.search(text)
    if factor is not None:
        whole = _combination(text[: factor.start()], symbols)
        # Without a comma the factor would belong to the last term of a sum.
        is_clear = whole is not None and (factor["apart"] is not None or whole.sign in ("", "/", "*"))
        return _Said(rf"{_closed(whole)} \times {factor['number']}", "*") if whole is not None and is_clear else None
    further = _FURTHER.fullmatch(text)
    if further is not None and not _SUM.fullmatch(text):
        core, operand = _combination(further["core"], symbols), _operand(further["operand"], symbols)
        return _joined(_SIGNS[further["sign"].lower()], core, operand)
    return _sum(text, symbols) or _prefixed(text, symbols) or _chain(text, symbols)


def _prefixed(text: str, symbols: Sequence[Math]) -> _Said | None:
    for pattern, sign in _PREFIXED:
        found = pattern.fullmatch(text)
        if found is not None:
            return _joined(sign, _operand(found["a"], symbols), _operand(found["b"], symbols))
    return None


def _sum(text: str, symbols: Sequence[Math]) -> _Said | None:
    found = _SUM.fullmatch(text)
    if found is None:
        return None
    terms = re.split(r",\s+and\s+|,\s+|\s+and\s+", found["terms"])
    if not 2 <= len(terms) <= _MOST_TERMS or ("," not in found["terms"] and len(terms) > 2):
        return None
    operands = [_operand(term, symbols) for term in terms]
    if any(operand is None for operand in operands):
        return None
    return _Said(" + ".join(operand.latex for operand in operands if operand is not None), "+")


def _chain(text: str, symbols: Sequence[Math]) -> _Said | None:
    """`A plus B minus C`, `A times B divided by C`: signs of one rank, a divisor only at the end."""
    pieces = _INFIX.split(text)
    operands = [_operand(piece, symbols) for piece in pieces[::2]]
    signs = [_SIGNS[sign.lower()] for sign in pieces[1::2]]
    if not signs or len(operands) > _MOST_TERMS or any(operand is None for operand in operands):
        return None
    if not (set(signs) <= {"+", "-"} or (set(signs) <= {"*", "/"} and "/" not in signs[:-1])):
        return None
    latex = operands[0].latex if operands[0] is not None else ""
    for sign, operand in zip(signs, operands[1:], strict=True):
        latex += f" {_LATEX[sign]} {operand.latex if operand is not None else ''}"
    return _Said(latex, signs[0] if signs[0] in "+-" else signs[-1])


def _joined(sign: str, first: _Said | None, second: _Said | None) -> _Said | None:
    if first is None or second is None:
        return None
    left = first.latex if sign in "+-" else _closed(first)
    return _Said(f"{left} {_LATEX[sign]} {second.latex}", sign)


def _closed(said: _Said) -> str:
    return f"({said.latex})" if said.sign in ("+", "-") else said.latex


def _operand(text: str, symbols: Sequence[Math]) -> _Said | None:
    """One operand: a symbol, or words that name something."""
    found = _OPERAND.fullmatch(text.strip())
    if found is None or not (found["words"] or found["sign"]):
        return None
    words, unit = found["words"] or "", found["unit"] or ""
    said = [word.casefold() for word in words.split()]
    if (
        any(word in _forbidden() for word in said)
        or (words and not _WORD.search(words))
        or (unit and not is_unit(unit))
    ):
        return None
    if said and (said[-1] in word_class("text_formulas.ends_no_operand") or said[0] in ("of", "by", "per", "to")):
        return None
    if found["sign"]:
        math = symbols[ord(found["sign"]) - _FIRST_SIGN]
        is_lone = math.notation == "latex" and re.search(r"[=<>+/\s-]|\\[fl](?:rac|e)", math.source.strip()) is None
        return _Said(math.source.strip()) if is_lone else None
    name = _ARTICLE.sub("", words)
    return _Said(latex_name(f"{name} ({unit})" if unit else name))


@lru_cache(maxsize=1)
def _forbidden() -> frozenset[str]:
    """Words that no operand of such a sentence has: it would say more than a name."""
    return (
        word_class("text_formulas.not_in_operands")
        | word_class("proposals.operators")
        - frozenset(("per", "product", "sum", "difference", "ratio", "root", "power"))
        | frozenset(("and", "or", "where", "with", "if", "when", "like", "as", "than", "what", "some", "such"))
    )
