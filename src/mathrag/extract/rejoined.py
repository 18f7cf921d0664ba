"""Make formulas whole again that a page shows in one line but its reading has in pieces: `rate`, `=k`, `[A]`.

A printed page does not say where a formula ends: upright words, brackets and the names of functions look like prose.
Joins only what cannot stand alone; formulas of formats that mark them are left as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from mathrag.documents.pdf.formulas.doubts import CUT_IN_ROW, OPEN_ENDS
from mathrag.extract.formula_reader import latex_reading
from mathrag.language.unit_text import reads_as_unit
from mathrag.types.document import (
    Block,
    Break,
    Cell,
    Content,
    Document,
    Inline,
    ListItem,
    Math,
    Paragraph,
    Place,
    Table,
    Text,
    contents_of,
)
from mathrag.types.expression import Declined

# Tell words from formulas where a page shows both alike: a unit in brackets, an article in bold, `[A]` in a sentence.
#
# Works on the pieces that a page reader gave; joins no formulas and judges no meanings.

_UNIT_SIGNS = re.compile(
    r"(?:\\mathrm\{[A-Za-z]{1,6}\}|\\(?:Omega|mu|cdot|times)(?![a-zA-Z])|\\[,;]|[/() 1]|\^\{(?:\{\}\^)?\{?-?[0-9]\}?\}"
    r"|\^\{\\circ\})+"
)
_UNIT_TOKENS = re.compile(
    r"\\mathrm\{(?P<name>[A-Za-z]+)\}|\\(?P<sign>Omega|mu|cdot|times)|\^\{[{}^]*(?P<power>-?[0-9])\}*"
    r"|\^\{(?P<degree>\\circ)\}|(?P<space>\\[,;]| )|(?P<other>[/()1])"
)
_SIGNS = {"Omega": "Ω", "mu": "µ", "cdot": "·", "times": "·"}
_RAISED_SIGNS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_BOLD_ARTICLE = re.compile(r"\\mathbf\{([aAI])\}")
_LOWERED_SIGNS = "₀₁₂₃₄₅₆₇₈₉"
_SPECIES = re.compile(rf"(?<![\w\])])\[([A-Z][A-Za-z0-9]{{0,11}})\]([{_LOWERED_SIGNS}]?)(?![\w\[({_LOWERED_SIGNS}])")
_IN_FORMULA = re.compile(r"\[\\mathrm\{([A-Z][A-Za-z0-9]{0,11})\}\]")
_LONGEST_UNIT = 120


def named_species(document: Document) -> frozenset[str]:
    """The species whose concentration, written in brackets, stands in a formula of the document."""
    return frozenset(
        name
        for block in document.blocks
        for content in contents_of(block)
        for piece in content
        if isinstance(piece, Math)
        for name in _IN_FORMULA.findall(piece.source)
    )


def with_words(content: Content, species: frozenset[str]) -> Content:
    """The content with its words as words and its symbols as symbols."""
    if not any(isinstance(piece, Math) for piece in content) and not species:
        return content
    pieces = list(_plain_units(content))
    pieces = _bold_articles(pieces)
    return tuple(_symbols(pieces, species)) if species else tuple(pieces)


def _plain_units(content: Content) -> Iterator[Inline]:
    before: Inline | None = None
    for piece in content:
        follows_word = isinstance(before, Text) and before.text[-1:].isspace() and before.text.strip() != ""
        if isinstance(piece, Math) and piece.is_certain and follows_word:
            unit = _unit_in_brackets(piece.source)
            before = piece
            yield Text(unit) if unit else piece
            continue
        before = piece
        yield piece


def _unit_in_brackets(source: str) -> str:
    """A formula that is nothing but a unit in brackets, as words have it: "(Ω·m)"; empty for any other."""
    source = source.strip()
    if len(source) > _LONGEST_UNIT or not (source.startswith("(") and source.endswith(")")):
        return ""
    inside = source[1:-1]
    if not inside or not _UNIT_SIGNS.fullmatch(inside):
        return ""
    written = []
    for found in _UNIT_TOKENS.finditer(inside):
        if found["power"]:
            written.append(found["power"].translate(_RAISED_SIGNS))
        elif found["degree"]:
            written.append("°")
        elif found["space"]:
            written.append(" ")
        else:
            written.append(found["name"] or found["other"] or _SIGNS[found["sign"]])
    unit = "".join(written).strip()
    return f"({unit})" if reads_as_unit(unit) else ""


def _bold_articles(pieces: Sequence[Inline]) -> list[Inline]:
    """An article between bold words is a word of theirs, and so is the space beside it."""
    made: list[Inline] = []
    for index, piece in enumerate(pieces):
        article = _BOLD_ARTICLE.fullmatch(piece.source) if isinstance(piece, Math) else None
        if article is None or not _is_bold(made[-1:]) or not _is_bold(pieces[index + 1 : index + 3]):
            made.append(piece)
            continue
        made.append(Text(f"{article[1]} ", bold=True))
    return [
        piece
        for index, piece in enumerate(made)
        if not (
            isinstance(piece, Text)
            and not piece.text.strip()
            and index
            and isinstance(made[index - 1], Text)
            and _is_bold(made[index - 1 : index])
            and _ends_with_space(made[index - 1])
        )
    ]


def _ends_with_space(piece: Inline) -> bool:
    """Whether a piece already ends with a space."""
    return isinstance(piece, Text) and piece.text[-1:].isspace()


def _is_bold(pieces: Sequence[Inline]) -> bool:
    """Whether the first words among these pieces are bold."""
    for piece in pieces:
        if not isinstance(piece, Text):
            return False
        if piece.text.strip():
            return piece.bold
    return False


def _symbols(pieces: Sequence[Inline], species: frozenset[str]) -> Iterator[Inline]:
    place = next((piece.place for piece in pieces if isinstance(piece, Math)), None)
    for piece in pieces:
        if not isinstance(piece, Text) or piece.bold:
            yield piece
            continue
        end = 0
        for found in _SPECIES.finditer(piece.text):
            follows = piece.text[found.end() : found.end() + 4]
            if found[1] not in species or place is None or not follows.startswith((" is ", " are", ", ", " and")):
                continue
            if found.start() > end:
                yield replace(piece, text=piece.text[end : found.start()])
            script = f"_{{{_LOWERED_SIGNS.index(found[2])}}}" if found[2] else ""
            yield Math(rf"[\mathrm{{{found[1]}}}]{script}", "latex", place, found[0])
            end = found.end()
        if end < len(piece.text):
            yield replace(piece, text=piece.text[end:])


Kind: TypeAlias = Literal["math", "species", "function", "bracketed", "bracket", "word", "stop", "line"]

Row: TypeAlias = tuple[Cell, ...]

_SPACING = r"(?:\\[,;:! ]|\\quad\b|\\qquad\b|[\s~])*"
_RELATIONS = r"=|\\approx\b|\\equiv\b|\\simeq\b|\\propto\b|\\leq?\b|\\geq?\b|\\ll\b|\\gg\b|<|>"
_OPERATORS = r"\\times\b|\\cdot\b|/|\\pm\b|\\mp\b"
_OPENS_WITH_RELATION = re.compile(rf"{_SPACING}(?:{_RELATIONS})")
_OPENS_WITH_OPERATOR = re.compile(rf"{_SPACING}(?:{_OPERATORS})")
_OPENS_WITH_SIGN = re.compile(rf"{_SPACING}[-+]")
_OPENS_WITH_SCRIPT = re.compile(r"(?:\{\})?[_^]")
_FUNCTION_NAMES = "ln log lg exp sin cos tan cot sinh cosh tanh arcsin arccos arctan max min".split()
_ENDS_OPEN = re.compile(rf"(?:{_RELATIONS}|{_OPERATORS}|[-+]|\\(?:{'|'.join(_FUNCTION_NAMES)})(?![a-zA-Z])){_SPACING}$")
_LOWERED, _RAISED = "₀₁₂₃₄₅₆₇₈₉₊₋", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻"
_PLAIN = str.maketrans(_LOWERED + _RAISED, "0123456789+-0123456789+-")
_SCRIPTS = re.compile(f"([{_LOWERED}]+)|([{_RAISED}]+)|([A-Za-z]+)|([0-9]+)|(.)")
_INSIDE = rf"A-Za-z0-9{_LOWERED}{_RAISED}"
_TOKENS = re.compile(
    rf"(?P<stop>[,;:])|(?P<species>(?:\[[{_INSIDE}]{{1,24}}\][{_LOWERED}{_RAISED}]{{0,4}}){{1,6}})"
    rf"|(?P<bracketed>\([A-Za-z]{{3,24}}\))|(?P<bracket>[\[\]])|(?P<word>[^\s,;:\[\]]+)"
)
_NAME = re.compile(r"[A-Za-z][A-Za-z-]{0,23}")
_LONGEST_NAME = 4
_MOST_ITEMS = 400
_MOST_JOINED = 40


@dataclass(frozen=True, slots=True)
class _Item:
    """A piece of a line: a formula, a word or a sign that ends a line of thought. `raw` keeps the spaces before it."""

    kind: Kind
    raw: str
    piece: Text | Math | Break
    spaced: bool = False

    @property
    def words(self) -> str:
        return self.raw.strip()


def with_whole_formulas(document: Document) -> Document:
    """The document with the pieces of formulas joined that were read from pages; any other is given back as it is."""
    if not document.pages and not any(_is_printed(block.place) for block in document.blocks[:1]):
        return document
    species = named_species(document)
    return replace(document, blocks=tuple(_block(block, species) for block in document.blocks))


def _is_printed(place: Place) -> bool:
    return place.page is not None


def _block(block: Block, species: frozenset[str]) -> Block:
    match block:
        case Paragraph() | ListItem():
            return replace(block, content=_joined(with_words(block.content, species), in_cell=False))
        case Table():
            rows = tuple(tuple(_cell(cell) for cell in row) for row in _whole_rows(block.rows))
            return replace(block, header=tuple(tuple(_cell(cell) for cell in row) for row in block.header), rows=rows)
        case _:
            return block


def _whole_rows(rows: Sequence[Row]) -> Iterator[Row]:
    """Rows, with those made one of which the second only ends what the first has open."""
    above: Row | None = None
    for row in rows:
        if above is not None and _is_rest_of(above, row):
            above = tuple(
                replace(cell, content=(*cell.content, Break(), *more.content) if more.content else cell.content)
                for cell, more in zip(above, row, strict=True)
            )
            continue
        if above is not None:
            yield above
        above = row
    if above is not None:
        yield above


def _is_rest_of(above: Row, row: Row) -> bool:
    if [cell.columns for cell in above] != [cell.columns for cell in row]:
        return False
    has_name = any(isinstance(piece, Text) and piece.text.strip() for cell in row for piece in cell.content)
    for upper, lower in zip(above, row, strict=True):
        if not upper.content or not lower.content:
            continue
        last, first = upper.content[-1], lower.content[0]
        if isinstance(last, Math) and isinstance(first, Math) and _is_printed(first.place) and not has_name:
            items = [_Item("math", math.quote, math) for math in (last, first) if math.is_certain or _is_open(math)]
            if len(items) == 2 and (_needs_right(items[0]) or _OPENS_WITH_RELATION.match(first.source)):
                return True
    return False


def _cell(cell: Cell) -> Cell:
    content = _joined(with_words(cell.content, frozenset()), in_cell=True)
    return cell if content is cell.content else replace(cell, content=content)


def _joined(content: Content, *, in_cell: bool) -> Content:
    """The content with formulas made whole; the same object where there is nothing to do."""
    if not any(isinstance(piece, Math) and _is_printed(piece.place) for piece in content) or len(content) < 2:
        return content
    items = list(_items(content))
    if len(items) > _MOST_ITEMS:
        return content
    links = _links(items, in_cell=in_cell)
    if not any(links):
        return content
    made: list[Text | Math | Break] = []
    start = 0
    for index in range(len(items)):
        if index + 1 < len(items) and links[index]:
            continue
        made.extend(_made(items[start : index + 1]))
        start = index + 1
    return tuple(_merged(made))


def _items(content: Content) -> Iterator[_Item]:
    for piece in content:
        match piece:
            case Math():
                yield _Item("math" if piece.is_certain or _is_open(piece) else "stop", piece.quote, piece)
            case Break():
                yield _Item("line", "", piece)
            case Text():
                yield from _words(piece)


def _is_open(math: Math) -> bool:
    """Whether nothing is doubtful but that the formula is not whole."""
    return bool(math.doubts) and OPEN_ENDS.issuperset(math.doubts)


def _words(text: Text) -> Iterator[_Item]:
    end = 0
    for found in _TOKENS.finditer(text.text):
        raw = text.text[end : found.end()]
        spaced = found.start() > end
        end = found.end()
        kind: Kind = "word"
        if text.bold or found.lastgroup == "stop":
            kind = "stop"
        elif found["species"]:
            kind = "species"
        elif found["bracketed"]:
            kind = "bracketed"
        elif found["bracket"]:
            kind = "bracket"
        elif found["word"] in _FUNCTION_NAMES:
            kind = "function"
        yield _Item(kind, raw, text, spaced)
    if end < len(text.text):
        # A space at the end belongs to nothing; as an item of its own it would part what stands beside it.
        yield _Item("line" if not text.text[end:].isspace() else "word", text.text[end:], text, True)


def _links(items: Sequence[_Item], *, in_cell: bool) -> list[bool]:
    """For every item, whether it and the next are parts of one formula."""
    solid = [index for index, item in enumerate(items) if item.kind == "math" or item.words or item.kind != "word"]
    links = [False] * len(items)
    for position in range(len(solid) - 1):
        left, right = solid[position], solid[position + 1]
        after = items[solid[position + 2]] if position + 2 < len(solid) else None
        before = items[solid[position - 1]] if position else None
        spaced = items[right].spaced or right > left + 1
        linked = _belong(items[left], items[right], spaced=spaced, before=before, after=after)
        if not linked and items[left].kind == "line" and before is not None and before.kind == "math":
            linked = _goes_on(before, items[right])
            if linked:
                links[solid[position - 1] : left] = [True] * (left - solid[position - 1])
        if linked:
            links[left:right] = [True] * (right - left)
    if in_cell:
        _link_names(items, solid, links)
    return links


def _goes_on(above: _Item, below: _Item) -> bool:
    """Whether a formula goes on in the next line of its cell: a chain, a sum, or what an open end still needs."""
    if below.kind != "math":
        return False
    source = _source(below)
    if _OPENS_WITH_RELATION.match(source) or _needs_right(above):
        return True
    has_relation = re.search(_RELATIONS, source) is not None
    return not has_relation and bool(_OPENS_WITH_SIGN.match(source)) and "=" in _source(above)


def _source(item: _Item) -> str:
    return item.piece.source if isinstance(item.piece, Math) else ""


def _needs_left(item: _Item) -> bool:
    if item.kind != "math":
        return False
    source = _source(item)
    patterns = (_OPENS_WITH_RELATION, _OPENS_WITH_OPERATOR, _OPENS_WITH_SIGN, _OPENS_WITH_SCRIPT)
    return any(pattern.match(source) for pattern in patterns)


def _needs_right(item: _Item) -> bool:
    return item.kind == "function" or (item.kind == "math" and bool(_ENDS_OPEN.search(_source(item)[-40:])))


def _belong(left: _Item, right: _Item, *, spaced: bool, before: _Item | None, after: _Item | None) -> bool:
    """Whether two pieces beside each other are parts of one formula."""
    if left.kind == "math":
        return _goes_with_formula(left, right, spaced=spaced, before=before, after=after)
    match left.kind, right.kind:
        case "species", "math":
            return _needs_left(right) or not spaced
        case "bracketed", "math":
            return before is not None and before.kind == "math" and _needs_left(right)
        case "function", "math" | "species":
            return True
        case "species", "species":
            return True
        case "bracket", "math":
            return not spaced and _depth(right) == (-1 if left.words == "[" else 1)
        case "word", "math":
            is_start = before is None or before.kind in ("stop", "line")
            is_name = _NAME.fullmatch(left.words) is not None
            if _OPENS_WITH_SCRIPT.match(_source(right)):
                return is_name and not spaced
            return is_start and is_name and bool(_OPENS_WITH_RELATION.match(_source(right)))
        case _:
            return False


def _goes_with_formula(left: _Item, right: _Item, *, spaced: bool, before: _Item | None, after: _Item | None) -> bool:
    """Whether what stands behind a formula is a part of it."""
    match right.kind:
        case "math":
            return _needs_left(right) or _needs_right(left)
        case "species":
            return not spaced or _needs_right(left)
        case "function":
            return _needs_right(left)
        case "bracketed":
            # A remark in brackets ends a formula; between two parts of a sum it tells them apart.
            goes_on = after is not None and after.kind == "math" and bool(_OPENS_WITH_SIGN.match(_source(after)))
            goes_back = before is not None and before.kind == "bracketed" and _needs_left(left)
            return not spaced and (goes_on or goes_back)
        case "bracket":
            return not spaced and _depth(left) == (-1 if right.words == "[" else 1)
        case "word":
            is_alone = after is None or after.kind in ("stop", "line") or _needs_left(after)
            return _needs_right(left) and is_alone and _NAME.fullmatch(right.words) is not None
        case _:
            return False


def _depth(item: _Item) -> int:
    """How many square brackets a formula leaves open; below zero where it closes more than it opens."""
    return _source(item).count("[") - _source(item).count("]")


def _link_names(items: Sequence[_Item], solid: Sequence[int], links: list[bool]) -> None:
    """A left side of several words, alone in its line of a cell: "bond order" before `=`."""
    for position, index in enumerate(solid):
        if items[index].kind != "math" or not _OPENS_WITH_RELATION.match(_source(items[index])):
            continue
        first = position
        while first and items[solid[first - 1]].kind == "word" and _NAME.fullmatch(items[solid[first - 1]].words):
            first -= 1
        is_start = first == 0 or items[solid[first - 1]].kind in ("stop", "line")
        if is_start and 1 < position - first <= _LONGEST_NAME:
            links[solid[first] : index] = [True] * (index - solid[first])


def _made(items: Sequence[_Item]) -> Iterator[Text | Math | Break]:
    """One formula of the items if it can be read as well as its parts, else the items as they were."""
    maths = [item.piece for item in items if isinstance(item.piece, Math)]
    # What stood against the edge must be among what was joined.
    is_cut = any(CUT_IN_ROW in math.doubts for math in maths)
    has_more = any(item.kind in ("bracketed", "species", "bracket") for item in items)
    if 1 < len(items) <= _MOST_JOINED and maths and (has_more or not is_cut):
        whole = _whole(items, maths)
        if not _is_broken(whole.source) or all(math.is_certain and _is_broken(math.source) for math in maths):
            if items[0].raw[:1].isspace():
                yield Text(" ")
            yield whole
            return
    for item in items:
        match item.piece:
            case Text():
                yield replace(item.piece, text=item.raw)
            case _:
                yield item.piece


def _is_broken(source: str) -> bool:
    reading = latex_reading(source)
    return isinstance(reading, Declined) and reading.code == "syntax"


def _whole(items: Sequence[_Item], maths: Sequence[Math]) -> Math:
    boxes = [math.place.box for math in maths if math.place.box is not None]
    place = maths[0].place
    if len(boxes) == len(maths) and len({math.place.page for math in maths}) == 1:
        left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
        place = replace(place, box=(left, top, max(box[2] for box in boxes), max(box[3] for box in boxes)))
    return replace(
        maths[0],
        source=_latex(items),
        quote=" ".join(item.words for item in items if item.words),
        place=place,
        is_display=any(math.is_display for math in maths),
        number=next((math.number for math in maths if math.number), ""),
        confidence=min(1.0 if _is_open(math) else math.confidence for math in maths),
        doubts=tuple(doubt for math in maths for doubt in math.doubts if doubt not in OPEN_ENDS),
    )


def _latex(items: Sequence[_Item]) -> str:
    parts: list[str] = []
    names: list[str] = []
    for item in items:
        if item.kind == "word" and item.words:
            names.append(item.words)
            continue
        parts.extend(_named(names))
        names = []
        source = _source(item) if item.kind == "math" else _latex_of_words(item)
        if parts and _OPENS_WITH_SCRIPT.match(source):
            # What was lowered or raised beside nothing belongs to the sign before it.
            parts[-1] += source.removeprefix("{}")
        elif source:
            parts.append(source)
    return " ".join((*parts, *_named(names)))


def _named(words: Sequence[str]) -> Iterator[str]:
    if words:
        yield rf"\{'mathrm' if len(words) == 1 else 'text'}{{{' '.join(words)}}}"


def _latex_of_words(item: _Item) -> str:
    if item.kind == "function":
        return rf"\{item.words}"
    if item.kind == "bracketed":
        return rf"(\text{{{item.words[1:-1]}}})"
    made = []
    for found in _SCRIPTS.finditer(item.words):
        lowered, raised, letters, digits, other = found.groups()
        if lowered:
            made.append(f"_{{{lowered.translate(_PLAIN)}}}")
        elif raised:
            made.append(f"^{{{raised.translate(_PLAIN)}}}")
        else:
            made.append(rf"\mathrm{{{letters}}}" if letters else digits or other)
    return "".join(made)


def _merged(pieces: Sequence[Text | Math | Break]) -> Iterator[Text | Math | Break]:
    """Words of one style in one piece again."""
    waiting: Text | None = None
    for piece in pieces:
        if isinstance(piece, Text) and waiting is not None and replace(piece, text=waiting.text) == waiting:
            waiting = replace(waiting, text=waiting.text + piece.text)
            continue
        if waiting is not None:
            yield waiting
        waiting = piece if isinstance(piece, Text) else None
        if waiting is None:
            yield piece
    if waiting is not None:
        yield waiting
