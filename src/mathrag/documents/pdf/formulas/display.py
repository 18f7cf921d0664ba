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

# One line of nodes into formulas and the words between and after them: conditions, "and", text.
#
# A condition stays readable text with its formulas in dollars; it never enters the LaTeX of the formula it belongs
# to.

CONDITION_WORDS = frozenset(
    "for if when where with at as unless provided since because assuming given whenever while on during only valid "
    "using from under such such that iff".split()
)
SEPARATING_WORDS = frozenset("and or so thus hence then therefore but also giving yields implies".split())
_ALTERNATIVES = frozenset(("else", "otherwise"))
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


def read_pieces(nodes: list[Node], *, reader: RegionReader, size: float) -> list[FormulaWithCondition]:
    """The formulas of a line, each with the condition that follows it."""
    if _is_text_only(trimmed(nodes)):
        return [FormulaWithCondition("", box_of(_items(nodes)), _plain_text(nodes))]
    segments = _segments(nodes, size)
    pieces: list[FormulaWithCondition] = []
    condition_open = False
    for segment in segments:
        body = trimmed(segment.nodes)
        if not body and segment.lead in ("", "gap", "comma"):
            continue
        word = segment.lead
        if word in CONDITION_WORDS or (condition_open and word != "gap-formula"):
            text = _text_of(segment, reader, size)
            if _ALTERNATIVES & set(text.split()):
                reader.ledger.doubt("alternatives in words", 0.3)
            pieces = _with_condition(pieces, text, segment, body)
            condition_open = True
            continue
        condition_open = False
        if word and pieces and pieces[-1].latex and _is_condition(body):
            pieces = _with_condition(pieces, _text_of(segment, reader, size), segment, body)
            continue
        if not body:
            continue
        latex = reader.latex(body, size)
        box = box_of(_items(body))
        if _is_text_only(body):
            pieces.append(FormulaWithCondition("", box, _plain_text(body)))
            continue
        if word in ("gap", "comma") and pieces and pieces[-1].latex and not _both_related(segment, segments):
            glue = ", " if word == "comma" else " \\quad "
            before = pieces[-1]
            pieces[-1] = replace(before, latex=before.latex + glue + latex, box=union([before.box, box]))
            continue
        pieces.append(FormulaWithCondition(latex, box))
    return pieces


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
        elif depth <= 0 and item.text in (",", ";") and _starts_equation(nodes, position + 1):
            segments[-1].nodes.append(node)
            segments.append(_Segment([], "comma"))
        else:
            segments[-1].nodes.append(node)
        depth += (item.kind == "open") - (item.kind == "close")
        edge = max(edge or item.right, _right(node))
    return segments


def _right(node: Node) -> float:
    ends = [node.item.right]
    ends.extend(_right(row[-1]) for row in (node.above, node.below) if row)
    return max(ends)


def _is_set_off(nodes: list[Node], position: int, gap: float) -> bool:
    """A connecting word has a blank before and after it."""
    item = nodes[position].item
    blank = thresholds.WORD_GAP * item.size
    before = position == 0 or nodes[position - 1].item.kind == "phantom" or gap > blank
    after = position + 1 == len(nodes) or nodes[position + 1].item.left - item.right > blank
    return before and after


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


def _both_related(segment: _Segment, segments: list[_Segment]) -> bool:
    number = next(position for position, each in enumerate(segments) if each is segment)
    return _relation_in(segment.nodes) and any(_relation_in(before.nodes) for before in segments[number - 1 : number])


def _is_text_only(nodes: list[Node]) -> bool:
    """Running text: several words and nothing that only a formula has."""
    visible = [node for node in nodes if node.item.kind != "phantom"]
    words = [node for node in visible if node.item.kind == "word"]
    others = [node for node in visible if node.item.kind not in ("word", "punctuation")]
    plain = all(node.item.kind == "letter" and node.item.style == "upright" for node in others)
    return len(words) >= 2 and plain and not any(node.above or node.below for node in visible)


def trimmed(nodes: list[Node]) -> list[Node]:
    """Without punctuation at either end."""
    start, stop = 0, len(nodes)
    while start < stop and (
        nodes[start].item.text in (",", ";")
        or (nodes[start].item.kind == "phantom" and not (nodes[start].above or nodes[start].below))
    ):
        start += 1
    while stop > start and nodes[stop - 1].item.text in (",", ";", ".", ":"):
        node = nodes[stop - 1]
        if node.above or node.below:
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
        if item.kind == "word" and not (node.above or node.below) and not item.is_bold:
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
        level = row.reader.line(rest)
        lines.append(_Line(level.nodes, level.size, box_of(rest), row.reader, number or orphan))
        orphan = ""
    parts: list[DisplayPart] = []
    groups = _joined(lines)
    _doubt_groups(groups)
    for group in groups:
        parts.extend(_parts(group))
    return parts


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
    for ordered, from_right in ((list(reversed(order)), True), (order, False)):
        taken: list[FormulaItem] = []
        for item in ordered:
            taken.append(item)
            text = "".join(each.text for each in (reversed(taken) if from_right else taken))
            if len(text) > _LONGEST_NUMBER:
                break
            if not sign_names.EQUATION_NUMBER.fullmatch(text) or len(text) < 3:
                continue
            rest = ordered[len(taken) :]
            if not rest:
                return (text, []) if any(character.isdigit() for character in text) else ("", row)
            edge = max(each.right for each in rest) if from_right else min(each.left for each in rest)
            inner = min(each.left for each in taken) if from_right else max(each.right for each in taken)
            gap = inner - edge if from_right else edge - inner
            if gap > thresholds.NUMBER_GAP * item.size:
                return text, rest
            break
    return "", row


def _kind(nodes: list[Node], *, last: bool) -> str:
    visible = [node for node in nodes if node.item.kind != "phantom" or node.above or node.below]
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


def _continues(group: list[_Line], row: _Line) -> bool:
    before = group[-1]
    first = _kind(row.nodes, last=False)
    last = _kind(before.nodes, last=True)
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
        found = read_pieces(line.nodes, reader=line.reader, size=line.size)
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
