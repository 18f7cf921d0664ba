"""A display region into its formulas: lines, equation numbers, conditions, several formulas side by side.

Works on nodes that are already read; what a formula means is not its business, only where one ends and the next begins.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

from mathrag.documents.boxes import Box, union
from mathrag.documents.pdf.formulas import sign_names, thresholds
from mathrag.documents.pdf.formulas.doubts import doubt_brackets, doubt_line
from mathrag.documents.pdf.formulas.formula_items import FormulaItem, Ledger, Node, box_of, merged
from mathrag.documents.pdf.formulas.line_layout import RegionReader
from mathrag.language.word_classes import word_class

# One line of nodes into formulas and the words between and after them: conditions, "and", text.
#
# A condition stays readable text with its formulas in dollars; it never enters the LaTeX of the formula it belongs
# to.

CONDITION_WORDS = word_class("printed_pages.conditions")
SEPARATING_WORDS = word_class("printed_pages.separators")
_DEFINING_WORDS = word_class("printed_pages.definition_openers")
_ALTERNATIVES = word_class("printed_pages.alternatives")
_OPERANDS = ("letter", "word", "digit", "close", "block", "fraction")
# Letters of the longest symbol that begins a statement.
_LONGEST_SYMBOL = 4
_IMPLYING = frozenset("⟺⇔⟹⇒")
_LIMITING = frozenset("<>≤≥≠∈∉⩽⩾≪≫")


@dataclass(frozen=True, slots=True)
class FormulaWithCondition:
    """A formula with its condition, or text alone."""

    latex: str
    box: Box
    condition: str = ""


@dataclass(slots=True)
class _Segment:
    nodes: list[Node]
    # How this segment is set off from the one before: "", "gap", "comma" or the word.
    lead: str = ""


def read_formulas(nodes: list[Node], *, reader: RegionReader, size: float) -> list[FormulaWithCondition]:
    """The formulas of a line, each with the condition that follows it."""
    if _is_text_only(trimmed(nodes)):
        return [FormulaWithCondition("", box_of(_items(nodes)), _plain_text(nodes))]
    segments = _segments(nodes, size)
    formulas: list[FormulaWithCondition] = []
    condition_open = is_defining = False
    opener = ""
    for number, segment in enumerate(segments):
        body = trimmed(segment.nodes)
        if not body and segment.lead in ("", "gap", "comma"):
            continue
        is_defining = segment.lead in _DEFINING_WORDS or (is_defining and segment.lead in ("gap", "comma"))
        defined = trimmed(body[1:]) if segment.lead in _DEFINING_WORDS else body
        if is_defining and _defines(defined):
            formulas = _with_formula(formulas, "", defined, reader, size)
            opener = ""
        elif segment.lead in _DEFINING_WORDS and not defined and number + 1 < len(segments):
            # What it opens is set off from it.
            opener, condition_open = segment.lead, True
        elif segment.lead in CONDITION_WORDS or condition_open:
            text = f"{opener} {_text_of(segment, reader, size)}".strip()
            opener = ""
            if _ALTERNATIVES & set(text.split()):
                reader.ledger.doubt("alternatives in words", 0.3)
            formulas = _with_condition(formulas, text, segment, body)
            condition_open = True
        elif _restricts(segment, body, formulas):
            formulas = _with_condition(formulas, _text_of(segment, reader, size), segment, body)
        elif body:
            follows = segment.lead in ("gap", "comma") and not _both_related(segments, number)
            formulas = _with_formula(formulas, segment.lead if follows else "", body, reader, size)
    return formulas


def _defines(nodes: list[Node]) -> bool:
    """Whether nodes say what a symbol is: it stands before an equals sign, and behind that more than numbers."""
    visible = [node for node in nodes if node.item.kind != "phantom"]
    places = [place for place, node in enumerate(visible) if node.item.kind == "relation"]
    if not places or visible[places[0]].item.text != "=" or _is_condition(nodes):
        return False
    left, right = visible[: places[0]], visible[places[0] + 1 :]
    is_symbol = bool(left) and all(node.item.kind in ("letter", "word", "block", "open", "close") for node in left)
    return is_symbol and any(node.item.kind in ("letter", "fraction", "block", "function", "big") for node in right)


def _restricts(segment: _Segment, body: list[Node], formulas: list[FormulaWithCondition]) -> bool:
    """Whether a segment that begins with no word of a condition is one all the same."""
    return bool(segment.lead and formulas and formulas[-1].latex) and _is_condition(body)


def _with_formula(
    formulas: list[FormulaWithCondition], glue: str, body: list[Node], reader: RegionReader, size: float
) -> list[FormulaWithCondition]:
    """The formulas with one more; set off by a `gap` or a `comma` (the glue) it is part of the one before."""
    latex = reader.latex(body, size)
    box = box_of(_items(body))
    if _is_text_only(body):
        return [*formulas, FormulaWithCondition("", box, _plain_text(body))]
    if glue and formulas and formulas[-1].latex:
        before = formulas[-1]
        joined = before.latex + (", " if glue == "comma" else " \\quad ") + latex
        return [*formulas[:-1], replace(before, latex=joined, box=union([before.box, box]))]
    return [*formulas, FormulaWithCondition(latex, box)]


def _with_condition(
    pieces: list[FormulaWithCondition], text: str, segment: _Segment, body: list[Node]
) -> list[FormulaWithCondition]:
    if not pieces:
        return [FormulaWithCondition("", box_of(_items(segment.nodes or body)), text)]
    last = pieces[-1]
    joined = f"{last.condition} {text}".strip()
    return [*pieces[:-1], replace(last, condition=joined)]


def _segments(nodes: list[Node], size: float) -> list[_Segment]:
    """The line cut at wide gaps, at commas before wide gaps or new equations, and at connecting words."""
    segments = [_Segment([])]
    depth = 0
    edge: float | None = None
    for position, node in enumerate(nodes):
        item = node.item
        gap = item.left - edge if edge is not None else 0.0
        word = item.text if item.kind == "word" and item.style == "upright" else ""
        if depth <= 0 and (word in CONDITION_WORDS or word in SEPARATING_WORDS) and _is_set_off(nodes, position, gap):
            segments.append(_Segment([node] if word in CONDITION_WORDS else [], word))
        elif depth <= 0 and edge is not None and gap > thresholds.WIDE_GAP * size and segments[-1].nodes:
            ended = segments[-1].nodes[-1].item.text if segments[-1].nodes else ""
            segments.append(_Segment([node], "comma" if ended in (",", ";") else "gap"))
        elif depth <= 0 and gap > thresholds.STATEMENT_GAP * size and _starts_statement(nodes, position):
            segments.append(_Segment([node], "gap"))
        elif depth <= 0 and item.text in (",", ";") and _starts_equation(nodes, position + 1):
            segments[-1].nodes.append(node)
            segments.append(_Segment([], "comma"))
        else:
            segments[-1].nodes.append(node)
        depth += (item.kind == "open") - (item.kind == "close")
        edge = max(edge or item.right, node.right)
    return segments


def _is_set_off(nodes: list[Node], position: int, gap: float) -> bool:
    """A connecting word has a blank before and after it."""
    item = nodes[position].item
    blank = thresholds.WORD_GAP * item.size
    before = position == 0 or nodes[position - 1].item.kind == "phantom" or gap > blank
    after = position + 1 == len(nodes) or nodes[position + 1].item.left - item.right > blank
    return before and after


def _starts_statement(nodes: list[Node], position: int) -> bool:
    """Whether, after white in a statement that is complete, a symbol and an equals sign begin another one."""
    before, kinds = nodes[position - 1], ("letter", "word", "block")
    if not _relation_in(nodes[:position]) or before.item.kind not in (*_OPERANDS, "grid") or position + 1 >= len(nodes):
        return False
    last = position
    while last + 1 < len(nodes) and nodes[last].item.kind in kinds and last - position < _LONGEST_SYMBOL:
        following = nodes[last + 1].item
        if following.kind == "relation":
            return following.text == "="
        if following.left - nodes[last].right > thresholds.LETTER_GAP * following.size:
            return False
        last += 1
    return False


def _starts_equation(nodes: list[Node], position: int) -> bool:
    """Whether a relation follows before the next comma outside brackets, as it does before."""
    if not _relation_in(nodes[: position - 1]):
        return False
    depth = 0
    for node in nodes[position:]:
        item = node.item
        depth += (item.kind == "open") - (item.kind == "close")
        if depth < 0 or (depth == 0 and item.text in (",", ";")):
            return False
        if depth == 0 and item.kind == "relation" and item.text not in (":", "∈"):
            return True
    return False


def _relation_in(nodes: list[Node]) -> bool:
    depth = 0
    for node in nodes:
        kind = node.item.kind
        depth += (kind == "open") - (kind == "close")
        if kind == "relation" and depth <= 0:
            return True
    return False


def _is_condition(nodes: list[Node]) -> bool:
    """A restriction set off from its formula: an inequality, a membership, or words in brackets."""
    visible = [node for node in nodes if node.item.kind != "phantom"]
    relations = [node.item.text for node in visible if node.item.kind == "relation"]
    if relations and all(relation in _LIMITING for relation in relations):
        return True
    if relations == ["="] and len(visible) > 4 and visible[1].item.text == "=":
        # An index and the values it takes: n = 1, 2, 3.
        values = [node.item for node in visible[2:]]
        is_plain = all(item.kind in ("digit", "letter", "punctuation", "operator") for item in values)
        return is_plain and any(item.text in (",", "…") for item in values)
    opened = bool(visible) and visible[0].item.kind == "open" and visible[-1].item.kind == "close"
    words = [node.item.text for node in visible if node.item.kind == "word"]
    return opened and bool(words) and words[0] != "mod"


def _both_related(segments: list[_Segment], number: int) -> bool:
    """Whether a segment and the one before it state something each, so that they are two formulas."""
    # A comma set off on both sides is a segment without a body.
    before = next((segment for segment in reversed(segments[:number]) if trimmed(segment.nodes)), None)
    return before is not None and _relation_in(segments[number].nodes) and _relation_in(before.nodes)


def _is_text_only(nodes: list[Node]) -> bool:
    """Running text: several words and nothing that only a formula has."""
    visible = [node for node in nodes if node.item.kind != "phantom"]
    words = [node for node in visible if node.item.kind == "word"]
    others = [node for node in visible if node.item.kind not in ("word", "punctuation")]
    plain = all(node.item.kind == "letter" and node.item.style == "upright" for node in others)
    return len(words) >= 2 and plain and not any(node.has_scripts for node in visible)


def trimmed(nodes: list[Node]) -> list[Node]:
    """Without punctuation at either end."""
    start, stop = 0, len(nodes)
    while start < stop and (
        nodes[start].item.text in (",", ";")
        or _is_implied(nodes[start:])
        or (nodes[start].item.kind == "phantom" and not nodes[start].has_scripts)
    ):
        start += 1
    while stop > start and nodes[stop - 1].item.text in (",", ";", ".", ":"):
        node = nodes[stop - 1]
        if node.has_scripts:
            break
        if (
            node.item.text == "."
            and stop - start >= 3
            and nodes[stop - 2].item.text == nodes[stop - 3].item.text == "."
        ):
            break
        stop -= 1
    return nodes[start:stop]


def _items(nodes: list[Node]) -> list[FormulaItem]:
    found: list[FormulaItem] = []
    pending = list(nodes)
    while pending:
        node = pending.pop()
        if node.item.kind != "phantom":
            found.append(node.item)
        pending.extend(node.above)
        pending.extend(node.below)
    return found


def _text_of(segment: _Segment, reader: RegionReader, size: float) -> str:
    """A condition as text: words as they are, formulas in dollars."""
    parts: list[str] = []
    formula: list[Node] = []

    def flush() -> None:
        body = trimmed(formula)
        if body:
            parts.append(f"${reader.latex(body, size)}$")
        formula.clear()

    for node in segment.nodes:
        item = node.item
        if item.kind == "word" and not node.has_scripts and not item.is_bold:
            flush()
            parts.append(item.text)
        else:
            formula.append(node)
    flush()
    lead = [segment.lead] if segment.lead in SEPARATING_WORDS else []
    return " ".join([*lead, *parts])


def _plain_text(nodes: list[Node]) -> str:
    text = ""
    for node in nodes:
        item = node.item
        if item.kind == "phantom":
            continue
        glue = "" if not text or item.kind == "punctuation" else " "
        text += glue + item.text
    return text


# Characters of the longest equation number, brackets included: (A.12-345b) has eleven.
_LONGEST_NUMBER = 14


@dataclass(frozen=True, slots=True)
class DisplayPart:
    """One formula of a display, or a line of text between formulas (then there is no LaTeX)."""

    latex: str
    box: Box
    ledger: Ledger
    number: str = ""
    condition: str = ""


@dataclass(frozen=True, slots=True)
class RegionRow:
    """The items of one line and the reader that knows what was uncertain about them."""

    items: list[FormulaItem]
    reader: RegionReader


@dataclass(frozen=True, slots=True)
class _Line:
    nodes: list[Node]
    size: float
    box: Box
    reader: RegionReader
    number: str
    # Whether others stand on the same row, each a formula of its own.
    is_beside: bool = False


def split_display(rows: list[RegionRow]) -> list[DisplayPart]:
    """The formulas of a region in reading order."""
    lines: list[_Line] = []
    orphan = ""
    for row in rows:
        number, rest = _take_number(row.items)
        if not rest:
            if lines and not lines[-1].number:
                lines[-1] = replace(lines[-1], number=number)
            else:
                orphan = number
            continue
        groups = _side_by_side(rest)
        for position, group in enumerate(groups):
            reader = row.reader.with_own_ledger()
            level = reader.line(group)
            label = (number or orphan) if position == len(groups) - 1 else ""
            lines.append(_Line(level.nodes, level.size, box_of(group), reader, label, is_beside=len(groups) > 1))
        orphan = ""
    parts: list[DisplayPart] = []
    joined = _joined(lines)
    _doubt_groups(joined)
    for lines_of_one in joined:
        parts.extend(_parts(lines_of_one))
    return parts


def _side_by_side(row: list[FormulaItem]) -> list[list[FormulaItem]]:
    """The formulas of a row that stand far apart, each with a relation of its own; their baselines may differ."""
    groups: list[list[FormulaItem]] = []
    end = float("-inf")
    for item in sorted(row, key=lambda each: min(each.left, each.box[0])):
        if not groups or min(item.left, item.box[0]) - end > thresholds.APART * item.size:
            groups.append([])
        groups[-1].append(item)
        end = max(end, item.right, item.box[2])
    return groups if len(groups) > 1 and all(_is_statement(group) for group in groups) else [row]


def _is_statement(items: list[FormulaItem]) -> bool:
    """Whether items say something by themselves: a relation between others."""
    ordered = sorted(items, key=lambda each: each.left)
    relations = [
        position for position, item in enumerate(ordered) if item.kind == "relation" and item.text in "=≈≡≤≥<>"
    ]
    return bool(relations) and relations[0] > 0 and relations[-1] < len(ordered) - 1


def _doubt_groups(groups: list[list[_Line]]) -> None:
    """Lines that look like the parts of a fraction whose bar is missing."""
    for group in groups:
        for before, after in pairwise(group):
            # A line set to the right margin after one at the left begins farther away.
            if before.box[2] < after.box[0] < before.box[2] + thresholds.NUMBER_GAP * before.size:
                after.reader.ledger.doubt("a line that goes on beside the line above", 0.3)
    related = [any(_has_relation(line.nodes) for line in group) for group in groups]
    for number, group in enumerate(groups):
        is_text = all(_is_words(line.nodes) for line in group)
        neighbours = [*groups[max(0, number - 1) : number], *groups[number + 1 : number + 2]]
        if related[number] or is_text or not any(related[max(0, number - 1) : number + 2]):
            continue
        for line in (line for each in (group, *neighbours) for line in each):
            line.reader.ledger.doubt("a line without a relation beside one that has it", 0.15)


def _is_words(nodes: list[Node]) -> bool:
    return any(node.item.kind == "word" and len(node.item.text) > 2 for node in nodes)


def _take_number(row: list[FormulaItem]) -> tuple[str, list[FormulaItem]]:
    """The equation number at one end of a row, and the rest."""
    order = sorted(row, key=lambda item: item.left)
    for from_right in (True, False):
        ordered = order[::-1] if from_right else order
        text, count = _number_at_start(ordered, is_reversed=from_right)
        if not count:
            continue
        number, rest = ordered[:count], ordered[count:]
        if not rest:
            return (text, []) if any(character.isdigit() for character in text) else ("", row)
        left, right = (rest, number) if from_right else (number, rest)
        gap = min(each.left for each in right) - max(each.right for each in left)
        if gap > thresholds.NUMBER_GAP * number[-1].size:
            return text, rest
    return "", row


def _number_at_start(items: list[FormulaItem], *, is_reversed: bool) -> tuple[str, int]:
    """The equation number that a row begins with, and of how many items it is; they may come from right to left."""
    text = ""
    for count, item in enumerate(items, start=1):
        text = item.text + text if is_reversed else text + item.text
        if len(text) > _LONGEST_NUMBER:
            break
        if len(text) >= 3 and sign_names.EQUATION_NUMBER.fullmatch(text):
            return text, count
    return "", 0


def _kind(nodes: list[Node], *, last: bool) -> str:
    visible = [node for node in nodes if node.item.kind != "phantom" or node.has_scripts]
    if last:
        while visible and visible[-1].item.text in (".", ",", ";"):
            visible.pop()
    if not visible:
        return ""
    return visible[-1 if last else 0].item.kind


def _has_relation(nodes: list[Node]) -> bool:
    depth = 0
    for node in nodes:
        kind = node.item.kind
        if kind == "open":
            depth += 1
        elif kind == "close":
            depth -= 1
        elif kind == "relation" and depth <= 0 and node.item.text != ":":
            return True
    return False


def _is_unclosed(nodes: list[Node]) -> bool:
    kinds = [node.item.kind for node in nodes]
    return kinds.count("open") > kinds.count("close")


def _joined(rows: list[_Line]) -> list[list[_Line]]:
    """Lines that continue the line before, with it: those that begin with a relation or an operator, or are cut off."""
    groups: list[list[_Line]] = []
    for row in rows:
        if groups and _continues(groups[-1], row):
            groups[-1].append(row)
        else:
            groups.append([row])
    return groups


def _is_implied(nodes: list[Node]) -> bool:
    """Whether a line begins with an arrow that leads to a statement of its own."""
    visible = [node for node in nodes if node.item.kind != "phantom"]
    return bool(visible) and visible[0].item.text in _IMPLYING and _has_relation(visible[1:])


def _continues(group: list[_Line], row: _Line) -> bool:
    before = group[-1]
    first = _kind(row.nodes, last=False)
    last = _kind(before.nodes, last=True)
    if before.is_beside and row.is_beside and before.box[2] < row.box[0]:
        return False
    if _is_implied(row.nodes) and any(_has_relation(line.nodes) for line in group):
        return False
    if before.is_beside and (first in ("relation", "operator") or last in ("operator", "relation", "open")):
        # Which of the formulas side by side goes on here is not told by the order of the lines.
        for line in (before, row):
            line.reader.ledger.doubt("a line that goes on below formulas side by side", 0.3)
    if first == "relation":
        return True
    if last in ("operator", "relation", "open"):
        return True
    if first == "operator":
        return not _has_relation(row.nodes) or (_is_unclosed(before.nodes) and bool(before.nodes))
    return _is_unclosed(before.nodes) and not _has_relation(row.nodes)


def _parts(group: list[_Line]) -> list[DisplayPart]:
    number = next((line.number for line in reversed(group) if line.number), "")
    box = union([line.box for line in group])
    pieces: list[FormulaWithCondition] = []
    for line in group:
        doubt_line(line.nodes, size=line.size, ledger=line.reader.ledger)
        found = read_formulas(line.nodes, reader=line.reader, size=line.size)
        if pieces and found and found[0].latex and pieces[-1].latex:
            pieces[-1] = _bridge(pieces[-1], found[0])
            found = found[1:]
        pieces.extend(found)
    ledger = merged([line.reader.ledger for line in group])
    parts: list[DisplayPart] = []
    for piece in pieces:
        condition, place = piece.condition, piece.box if len(pieces) > 1 else box
        if piece.latex and parts and not parts[-1].latex:
            # A word before the formula ("where") is reported with it.
            before = parts.pop()
            condition, place = condition or before.condition, union([before.box, place])
        parts.append(DisplayPart(piece.latex, place, _checked(piece.latex, ledger), condition=condition))
    if parts and number:
        numbered = -1 if len(group) == 1 else 0
        parts[numbered] = replace(parts[numbered], number=number)
    return parts


def _checked(latex: str, ledger: Ledger) -> Ledger:
    """What is uncertain about one formula of a line: that of the line, and its own brackets."""
    checked = merged([ledger])
    doubt_brackets(latex, checked)
    return checked


def _bridge(before: FormulaWithCondition, after: FormulaWithCondition) -> FormulaWithCondition:
    """Two rows of one formula; a sign repeated at the break is printed once."""
    left, right = before.latex.rstrip(), after.latex.lstrip()
    for sign in ("=", "+", "\\times", "\\cdot"):
        if left.endswith(sign) and right.startswith(sign):
            right = right[len(sign) :].lstrip()
            break
    return FormulaWithCondition(f"{left} {right}", union([before.box, after.box]), after.condition or before.condition)
