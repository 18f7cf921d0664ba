"""Nodes as LaTeX: delimiters paired, numbers put together, words spaced. Decides nothing about where signs stand."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from mathrag.documents.pdf.formulas import thresholds
from mathrag.documents.pdf.formulas.formula_items import FormulaItem, Ledger, Node

UNKNOWN = "\\square"
_OPERANDS = frozenset(("digit", "word", "letter", "fraction", "block", "close"))


def latex_of(nodes: list[Node], *, size: float, ledger: Ledger, script: str = "") -> str:
    """The LaTeX of one line."""
    printed: list[str] = []
    fences = pair_fences(nodes, size)
    position = 0
    while position < len(nodes):
        node = nodes[position]
        run = _run(nodes, position, is_script=bool(script))
        if run is not None:
            latex, count = run
            printed.append(
                _gap(nodes, position, size, is_script=bool(script))
                + latex
                + _scripts(nodes[position + count - 1], size, ledger)
            )
            position += count
            continue
        latex = fences.names.get(position) or node.item.latex
        if position in fences.opened:
            printed.append("\\left.")
        if node.item.kind == "unknown" or not latex:
            ledger.doubt("a sign without identity", 0.7)
            latex = UNKNOWN
        has_scripts = node.has_scripts
        if node.item.kind == "phantom" and not has_scripts:
            position += 1
            continue
        if node.item.kind in ("raised", "lowered"):
            mark = "_" if node.item.kind == "lowered" else "^"
            latex = f"{{}}{mark}{{{latex}}}"
        elif has_scripts and node.item.kind in ("fraction", "grid"):
            latex = f"{{{latex}}}"
        elif has_scripts and node.item.kind in ("big", "function") and node.item.depth:
            ledger.doubt("a sign with limits and scripts", 0.5)
            latex = f"{{{latex}}}"
        printed.append(_gap(nodes, position, size, is_script=bool(script)) + latex + _scripts(node, size, ledger))
        position += 1
    return join(printed)


def _run(nodes: list[Node], position: int, *, is_script: bool) -> tuple[str, int] | None:
    """Nodes from here on that are printed as one, and how many: dots, labels, numbers, words."""
    return (
        _dots(nodes, position)
        or (_label(nodes, position) if is_script else None)
        or _number(nodes, position, is_script=is_script)
        or _text(nodes, position)
        or (None if is_script else _slanted_words(nodes, position))
    )


def join(parts: list[str]) -> str:
    """Parts side by side, with a blank where a command would swallow the next letter."""
    text = ""
    for part in parts:
        if not part:
            continue
        if text and part[0].isalpha() and _ends_in_command(text):
            text += " "
        text += part
    return text


def _ends_in_command(text: str) -> bool:
    stop = len(text)
    while stop and text[stop - 1].isascii() and text[stop - 1].isalpha():
        stop -= 1
    return stop < len(text) and stop > 0 and text[stop - 1] == "\\"


def _scripts(node: Node, size: float, ledger: Ledger) -> str:
    text = ""
    inner = thresholds.SCRIPT_SIZE * size
    above = node.above
    if node.below:
        text += "_{" + latex_of(node.below, size=inner, ledger=ledger, script="below") + "}"
    primes = 0
    while primes < len(above) and above[primes].item.kind == "prime" and not above[primes].below:
        if above[primes].item.text == "‵":
            break
        primes += 1
    text += "".join(above[number].item.latex for number in range(primes))
    if primes < len(above):
        raised = latex_of(above[primes:], size=inner, ledger=ledger, script="above")
        # Characters that are raised themselves (U+2078) stand in the exponent already.
        text += "^{" + _RAISED_TWICE.sub(r"\1", raised) + "}"
    return text


_RAISED_TWICE = re.compile(r"\{\}\^\{([0-9+\-n]|\\circ)\}")


def _gap(nodes: list[Node], position: int, size: float, *, is_script: bool) -> str:
    """Space that means something: between numbers and units, between words, between formulas."""
    if position == 0 or nodes[position - 1].item.kind == "phantom":
        return ""
    before, item = nodes[position - 1], nodes[position].item
    gap = item.left - before.right
    if gap > thresholds.WIDE_GAP * size:
        return "\\quad "
    is_unit = (_is_word(item) and before.item.kind in _OPERANDS) or (_is_word(before.item) and item.kind in _OPERANDS)
    is_digits = before.item.kind == "digit" and item.kind == "digit"
    if gap > thresholds.THIN_GAP * size and (is_unit or is_digits):
        return "\\,"
    # White as between words parts names of several letters, as nothing else does; it stands before a differential too.
    is_parting = gap > thresholds.WORD_GAP * size and not before.has_scripts and item.text not in _SLOPING
    is_parting = is_parting and not is_script and before.item.text not in _SLOPING[:-1]
    if is_parting and (_is_name(nodes, position - 1) or _is_name(nodes, position)):
        return "\\," if _is_slanted(before.item) and _is_slanted(item) else ""
    return ""


# Letters that lean over their neighbours are set off from them; and the sign of a differential is from all before it.
_SLOPING = ("f", "j", "d")


def _is_name(nodes: list[Node], position: int) -> bool:
    """Whether a letter touches another one, so that both may be one name."""
    item = nodes[position].item
    near = [nodes[index].item for index in (position - 1, position + 1) if 0 <= index < len(nodes)]
    return _is_slanted(item) and any(
        _is_slanted(other) and max(item.left - other.right, other.left - item.right) < thresholds.LETTER_GAP * item.size
        for other in near
    )


def _is_slanted(item: FormulaItem) -> bool:
    return item.kind == "letter" and item.style == "italic" and item.text.isascii() and item.text.isalpha()


# No product is written of so many small letters without white or an operator between them.
_LONG_NAME = re.compile(r"[A-Za-z][a-z]{4,}")
_WORD_LETTERS = 3
# A product before a function that is set in the same type.
_FUNCTION_ENDS = ("sin", "cos", "tan", "cot", "sec", "csc", "log", "exp", "sinh", "cosh", "tanh", "ln")


def _slanted_words(nodes: list[Node], position: int) -> tuple[str, int] | None:
    """Words in the type of symbols: several with blanks between them are text, a long one alone is a name."""
    if not _is_slanted(nodes[position].item):
        return None
    words, ends, count = [nodes[position].item.text], [1], 1
    while position + count < len(nodes) and not nodes[position + count - 1].has_scripts:
        last, item = nodes[position + count - 1].item, nodes[position + count].item
        gap = (item.left - last.right) / max(item.size, 0.1)
        is_kind = _is_slanted(item) or item.kind == "digit"
        if not is_kind or gap > thresholds.WIDE_GAP or (gap <= thresholds.LETTER_GAP and item.kind != last.kind):
            break
        if gap > thresholds.LETTER_GAP:
            words.append("")
            ends.append(count)
        words[-1] += item.text
        count += 1
        ends[-1] = count
    while words and words[-1].isdigit():
        words.pop()
        ends.pop()
    long = sum(word.isalpha() and len(word) >= _WORD_LETTERS for word in words)
    has_scripts = nodes[position + ends[-1] - 1].has_scripts
    if len(words) > 1 and long >= 2 and 2 * long >= len(words) and not has_scripts:
        return f"\\text{{{' '.join(words)}}}", ends[-1]
    is_name = _LONG_NAME.fullmatch(words[0]) is not None and not words[0].endswith(_FUNCTION_ENDS)
    return (f"\\mathit{{{words[0]}}}", ends[0]) if is_name else None


def _is_word(item: FormulaItem) -> bool:
    """Upright letters: a word, a unit, a label."""
    is_letters = item.kind == "word" or (item.kind == "letter" and item.text.isascii() and item.text.isalpha())
    return is_letters and item.style == "upright" and not item.is_bold


def _dots(nodes: list[Node], position: int) -> tuple[str, int] | None:
    """Three dots in a row, on the line or in the middle."""
    trio = nodes[position : position + 3]
    if len(trio) < 3 or any(node.has_scripts for node in trio[:2]):
        return None
    texts = {node.item.text for node in trio}
    if texts == {"."}:
        return "\\ldots", 3
    if len(texts) == 1 and texts <= {"·", "⋅", "∙"}:
        return "\\cdots", 3
    return None


def _label(nodes: list[Node], position: int) -> tuple[str, int] | None:
    """Digits and upright capitals side by side in a script are one label: 3D, O2."""
    text, count, has_letters = "", 0, False
    while position + count < len(nodes):
        node = nodes[position + count]
        item = node.item
        is_letters = _is_word(item) and item.text.isascii() and (item.text.isupper() or len(item.text) > 1)
        tight = not count or item.left - nodes[position + count - 1].item.right < thresholds.DIGIT_GAP * item.size
        if not tight or not (is_letters or item.kind == "digit"):
            break
        text += item.text
        has_letters = has_letters or is_letters
        count += 1
        if node.has_scripts:
            break
    if not has_letters or count < 2 or text.isalpha():
        return None
    return f"\\text{{{text}}}", count


def _number(nodes: list[Node], position: int, *, is_script: bool) -> tuple[str, int] | None:
    """Digits with their decimal point or comma."""
    first = nodes[position].item
    starts_with_point = first.text == "." and _is_digit_at(nodes, position + 1, tight_after=position)
    if first.kind != "digit" and not starts_with_point:
        return None
    text, count = first.latex, 1
    while position + count < len(nodes):
        last = nodes[position + count - 1]
        if last.has_scripts:
            break
        item = nodes[position + count].item
        gap = item.left - last.item.right
        if item.kind == "digit" and gap < thresholds.DIGIT_GAP * item.size:
            text += item.latex
        elif gap < thresholds.DIGIT_GAP * item.size and _is_decimal_mark(nodes, position + count):
            text += "{,}" if item.text == "," and not is_script else item.text
        else:
            break
        count += 1
    return text, count


def _is_decimal_mark(nodes: list[Node], position: int) -> bool:
    """A point or comma without scripts, and a digit right after it."""
    node = nodes[position]
    is_mark = node.item.text in (".", ",") and not node.has_scripts
    return is_mark and _is_digit_at(nodes, position + 1, tight_after=position)


def _is_digit_at(nodes: list[Node], position: int, *, tight_after: int) -> bool:
    if position >= len(nodes) or nodes[position].item.kind != "digit":
        return False
    item = nodes[position].item
    return item.left - nodes[tight_after].item.right < thresholds.DIGIT_GAP * item.size


def _text(nodes: list[Node], position: int) -> tuple[str, int] | None:
    """Words with blanks or hyphens between them are running text, with the punctuation and the brackets in it."""
    first = nodes[position]
    if not _is_word(first.item):
        bracketed = _bracketed(nodes, position, letters=2) if _is_set_off(nodes, position) else None
        return (f"\\text{{{bracketed[0]}}}", bracketed[1]) if bracketed else None
    text, count, kept = first.item.text, 1, (first.item.text, 1)
    words = [first.item.text]
    while position + count < len(nodes):
        last = nodes[position + count - 1]
        item = nodes[position + count].item
        gap = item.left - last.item.right
        if last.has_scripts or gap > thresholds.WIDE_GAP * item.size:
            break
        blank = " " if gap > thresholds.WORD_GAP * item.size else ""
        letters = 1 if blank else 2
        bracketed = _bracketed(nodes, position + count, letters=letters) if first.item.kind == "word" else None
        if bracketed is not None:
            text, count = text + blank + bracketed[0], count + bracketed[1]
            kept = (text, count)
            continue
        is_mark = item.text in (".", ",", "-", "’") and not blank
        if not (_is_word(item) or is_mark) or (_is_word(item) and _is_tight(gap, last.item, item)):
            break
        text, count = text + blank + item.text, count + 1
        if _is_word(item):
            words.append(item.text)
            kept = (text, count)
    if kept[1] == 1 or all(len(word) == 1 for word in words):
        return None
    return f"\\text{{{kept[0]}}}", kept[1]


def _is_set_off(nodes: list[Node], position: int) -> bool:
    """A blank, and an operand before it."""
    if position == 0 or nodes[position - 1].item.kind not in _OPERANDS:
        return False
    item = nodes[position].item
    return item.left - nodes[position - 1].right > thresholds.WORD_GAP * item.size


def _bracketed(nodes: list[Node], position: int, *, letters: int) -> tuple[str, int] | None:
    """Brackets that hold only words, one of so many letters, `(kg)`, `(mg/dL)`, and how many nodes they are."""
    if (
        nodes[position].item.text != "("
        or nodes[position].item.height > thresholds.STRETCHED_DELIMITER * nodes[position].item.size
    ):
        return None
    text, has_word = "(", False
    for count, node in enumerate(nodes[position + 1 : position + 12], start=2):
        item = node.item
        if item.text == ")":
            return (text + ")", count) if has_word else None
        if node.has_scripts or not (_is_word(item) or item.text in ("/", ".", ",", "-")):
            return None
        gap = item.left - nodes[position + count - 2].item.right
        text += (" " if gap > thresholds.WORD_GAP * item.size else "") + item.text
        has_word = has_word or (_is_word(item) and len(item.text) >= letters)
    return None


def _is_tight(gap: float, last: FormulaItem, item: FormulaItem) -> bool:
    """Too near for a blank, and no hyphen between."""
    return gap < thresholds.WORD_GAP * item.size and last.text not in ("-", "’")


# Delimiters of one line by their partners: which are printed with \left and \right. Knows kinds and heights only.

_NO_OPERAND = frozenset(("operator", "relation", "open", "phantom", "function", "big", "punctuation"))


@dataclass(frozen=True, slots=True)
class _Open:
    position: int
    item: FormulaItem


@dataclass(slots=True)
class Fences:
    """What delimiters are printed as, by position, and before which positions an invisible one opens."""

    names: dict[int, str] = field(default_factory=dict)
    opened: set[int] = field(default_factory=set)


def pair_fences(nodes: list[Node], size: float) -> Fences:
    """Stretched delimiters with a partner get \\left and \\right; a bar that evaluates closes what stands before it."""
    fences = Fences()
    stack: list[_Open] = []
    partners: dict[int, int] = {}
    for position, node in enumerate(nodes):
        item = node.item
        if item.kind == "open" or (item.kind == "bar" and not _closes(nodes, position, stack)):
            stack.append(_Open(position, item))
        elif item.kind in ("close", "bar"):
            opening = _partner(item, stack)
            if opening is None and item.text == "⟩" and stack:
                # A ket: the bar before it is no other bar's partner.
                stack.pop()
            if opening is None:
                _alone(position, item, fences, size)
                continue
            partners[position] = opening.position
            _pair(opening, position, item, fences, size)
    for waiting in stack:
        _unpaired(nodes, waiting, partners, fences, size)
    return fences


def _closes(nodes: list[Node], position: int, stack: list[_Open]) -> bool:
    """A bar closes if one is open and an operand stands before it."""
    if position == 0:
        return False
    text = nodes[position].item.text
    for waiting in reversed(stack):
        if waiting.item.kind == "open":
            return False
        if waiting.item.text == text:
            return nodes[position - 1].item.kind not in _NO_OPERAND
    return False


def _partner(item: FormulaItem, stack: list[_Open]) -> _Open | None:
    """The delimiter that this one closes; it and all that waited inside it leave the stack."""
    for number in range(len(stack) - 1, -1, -1):
        waiting = stack[number].item
        fits = waiting.text == item.text if item.kind == "bar" else waiting.kind == "open"
        if fits:
            found = stack[number]
            del stack[number:]
            return found
    return None


def _pair(opening: _Open, position: int, item: FormulaItem, fences: Fences, size: float) -> None:
    if max(opening.item.height, item.height) > thresholds.STRETCHED_DELIMITER * size or item.kind == "bar":
        fences.names[opening.position] = f"\\left{opening.item.latex}"
        fences.names[position] = f"\\right{item.latex}"


def _alone(position: int, item: FormulaItem, fences: Fences, size: float) -> None:
    if item.height > thresholds.STRETCHED_DELIMITER * size:
        fences.names[position] = f"\\big{item.latex}"


def _unpaired(nodes: list[Node], waiting: _Open, partners: dict[int, int], fences: Fences, size: float) -> None:
    """An open delimiter without a partner; a tall bar with scripts after an operand evaluates that operand."""
    position, item = waiting.position, waiting.item
    node = nodes[position]
    if item.height <= thresholds.STRETCHED_DELIMITER * size:
        if item.kind == "bar" and _is_relation(nodes, position):
            fences.names[position] = "\\mid" if item.latex == "|" else "\\parallel"
        return
    evaluates = item.kind == "bar" and node.has_scripts and position > 0
    if not evaluates or nodes[position - 1].item.kind in _NO_OPERAND:
        _alone(position, item, fences, size)
        return
    fences.opened.add(partners.get(position - 1, position - 1))
    fences.names[position] = f"\\right{item.latex}"


def _is_relation(nodes: list[Node], position: int) -> bool:
    """A bar with a blank on either side, between operands."""
    if not 0 < position < len(nodes) - 1 or nodes[position].has_scripts:
        return False
    item, before, after = nodes[position].item, nodes[position - 1].item, nodes[position + 1].item
    blank = thresholds.WORD_GAP * item.size
    return before.kind not in _NO_OPERAND and item.left - before.right > blank and after.left - item.right > blank
