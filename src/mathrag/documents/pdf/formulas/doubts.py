"""What there is to doubt about a formula that was read: the names of such doubts, and those that a whole line shows.

A region may be cut too tight before it is read. The rest then reads well and means something else: a bound, an exponent
or an argument is missing. What is told here lowers the trust in a reading and changes none.
"""

from __future__ import annotations

from itertools import pairwise

from mathrag.documents.pdf.formulas import sign_names, thresholds
from mathrag.documents.pdf.formulas.formula_items import FormulaItem, Ledger, Node

# Doubts about a formula that says it lacks its other end: what else stands beside it may settle them. Those who put
# the pieces of a formula together ask for them by name.

SCRIPT_ON_NOTHING = "a script on nothing before a relation"
HOLE = "a hole beside an operator or a relation"
BRACKET_ALONE = "a bracket without its partner"
CUT_IN_ROW = "cut at its edge: something stands against it that is no word"
# Doubts about the arrangement of signs that are all there and known. Whoever reads a picture of the formula can settle
# them; not those about where it ends or what belongs to it, because the picture is cut out along the same line.
SETTLED_BY_SIGHT = frozenset(
    (
        "a fraction whose parts are not centred on its bar",
        "a fraction with type of two sizes above and below its bar",
        "a line much longer than what stands above and below it",
        "a line that is neither fraction bar nor overline",
        "a root sign without a line over what it covers",
        "a script whose level is unclear",
        "a short line taken for a minus sign",
        "a sign that stands on no clear line",
        "a sign with limits and scripts",
        "an accent between two letters",
    )
)
OPEN_ENDS = frozenset((SCRIPT_ON_NOTHING, HOLE, BRACKET_ALONE, CUT_IN_ROW))

_TYPE = frozenset(("letter", "digit", "word"))
_EQUATING = frozenset("=<>≤≥⩽⩾≈≃≅∝")
_OPERANDS = frozenset(("letter", "word", "digit", "close", "block", "fraction"))
_MINUS = ("−", "-", "–")
_SIGNS = ("+", "−", "-", "–", "±")
# What each of the doubts below costs: a formula with one of them is still likelier right than wrong, with three not.
_CUT = 0.2


def doubt_bounds(nodes: list[Node], ledger: Ledger) -> None:
    """Bounds and scripts that came without their partner, anywhere on a line or in its scripts."""
    pending = list(nodes)
    while pending:
        node = pending.pop()
        pending.extend(node.above)
        pending.extend(node.below)
        item = node.item
        if item.kind == "big":
            has_below = bool(node.below) or f"{_bare(item)}_" in item.latex
            if not has_below and (node.above or "^" in item.latex):
                ledger.doubt("a sum or an integral with an upper bound alone", _CUT)
        above, below = _size_of(node.above), _size_of(node.below)
        is_uneven = above and below and min(above, below) < thresholds.SMALLEST_SIZE * max(above, below)
        is_small = item.kind in _TYPE and 0 < (max(above, below)) < thresholds.SECOND_SCRIPT_SIZE * item.size
        if is_uneven or is_small:
            # What it is a script of is missing.
            ledger.doubt("a script in the type of a script's script", _CUT)


def _bare(item: FormulaItem) -> str:
    return sign_names.BIG_OPERATORS.get(item.text, item.text)


def _size_of(script: list[Node]) -> float:
    """The size of the largest type of a script, 0 where that is not known."""
    if any(node.item.kind not in _TYPE and node.item.kind != "operator" for node in script):
        return 0.0
    return max((node.item.size for node in script), default=0.0)


def doubt_line(nodes: list[Node], *, size: float, ledger: Ledger) -> None:
    """A whole line: where it begins, a lone minus in an exponent, and gaps where no author leaves any."""
    visible = [node for node in nodes if node.item.kind != "phantom" or node.has_scripts]
    if len(visible) < 2:
        return
    if visible[0].item.kind == "phantom" and visible[1].item.kind == "relation":
        ledger.doubt(SCRIPT_ON_NOTHING, 0.3)
    is_equation = any(node.item.text == "=" for node in visible)
    for node in visible:
        if is_equation and node.item.style == "italic" and _is_lone_minus(node.above):
            ledger.doubt("a minus alone in an exponent", _CUT)
    for before, after in pairwise(visible):
        is_inner = before.item.kind == "operator" or _equates(before.item) or _equates(after.item)
        if is_inner and after.item.left - before.right > thresholds.HOLE * size:
            ledger.doubt(HOLE, _CUT)
    for before, sign, after in zip(visible, visible[1:], visible[2:], strict=False):
        if sign.item.text in _SIGNS and before.item.kind in _OPERANDS and not sign.has_scripts:
            space = sign.item.left - before.right
            is_set_off = thresholds.WORD_GAP * size < space < thresholds.WIDE_GAP * size
            if is_set_off and after.item.left - sign.item.right < 0.3 * space:
                ledger.doubt("a sign set off from what stands before it", _CUT)


def doubt_brackets(latex: str, ledger: Ledger) -> None:
    """Brackets that do not close are a sign that something was misread."""
    plain = latex.replace("\\left.", "").replace("\\{", "(").replace("\\}", ")").replace("\\right.", "")
    opened = sum(plain.count(sign) for sign in ("(", "[", "\\langle"))
    closed = sum(plain.count(sign) for sign in (")", "]", "\\rangle"))
    if abs(opened - closed) > latex.count("\\left.") + latex.count("\\right."):
        ledger.doubt(BRACKET_ALONE, _CUT)


def _equates(item: FormulaItem) -> bool:
    return item.kind == "relation" and item.text in _EQUATING


def _is_lone_minus(script: list[Node]) -> bool:
    return len(script) == 1 and script[0].item.text in _MINUS and not script[0].has_scripts
