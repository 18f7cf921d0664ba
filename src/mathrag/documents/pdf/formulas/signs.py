"""Glyphs, rules and drawings of a region as items: the first step of the formula reader.

Signs are classified, tall delimiters put together from their pieces, signs that overlap joined, letters spelled to
words. Knows single signs and their neighbours only; fractions, scripts and rows are found by others.
"""

from __future__ import annotations

from collections.abc import Sequence

from mathrag.documents.boxes import height, holds, middle_x, middle_y, overlap_x, union
from mathrag.documents.pdf.formulas import sign_names, thresholds
from mathrag.documents.pdf.formulas.formula_items import FormulaItem, ItemKind, Ledger, box_of, ink_of
from mathrag.documents.pdf.page_content import Drawing, Glyph, Rule


def items_of(
    glyphs: Sequence[Glyph], rules: Sequence[Rule], drawings: Sequence[Drawing], *, size: float, ledger: Ledger
) -> tuple[list[FormulaItem], list[Rule]]:
    """The items of a region, and the lying rules, which are read with what stands around them."""
    pieces = [glyph for glyph in glyphs if _is_piece(glyph)]
    plain = [glyph for glyph in glyphs if not _is_piece(glyph)]
    largest = max((glyph.size for glyph in plain if glyph.text[:1].isalnum()), default=0.0)
    items = [_item(glyph, ledger, largest=largest) for glyph in plain]
    items.extend(_assemble_pieces(pieces, ledger))
    unframed, frame = _without_frames(rules) if 4 <= len(rules) <= _MOST_FRAMING else (list(rules), 0)
    ledger.ink += frame
    bars, lying = _bars_from_rules(unframed, size)
    items.extend(bars)
    braces = [item.box for item in items if item.kind == "brace"]
    for drawing in drawings:
        if any(holds(brace, drawing.box, slack=_BRACE_SLACK) for brace in braces):
            # A brace is drawn in parts; the straight ones are part of the sign that was already found.
            ledger.ink += 1
        else:
            items.append(_from_drawing(drawing, size, ledger))
    items = _standing_dots(_join(_without_strikes(_overlay(items, ledger), ledger)))
    return join_letters(items), lying


# Letters that are read together: upright words, names of functions, italic words of a text font.

# Words on so many lines at once can still go on: letters come by their left edge, whatever line they stand on.
_OPEN_WORDS = 40


def join_letters(items: list[FormulaItem]) -> list[FormulaItem]:
    """Upright letters side by side are one word; so are italic ones of a text font among a math font's letters."""
    has_math_italics = any(item.is_math_font and _is_italic_letter(item) for item in items)
    done: list[FormulaItem] = []
    open_words: list[list[FormulaItem]] = []
    for item in sorted(items, key=lambda each: each.left):
        if not _spells(item, has_math_italics=has_math_italics):
            done.append(item)
            continue
        word = next((word for word in reversed(open_words[-_OPEN_WORDS:]) if _goes_on(word[-1], item)), None)
        if word is not None:
            word.append(item)
        else:
            open_words.append([item])
    spelled: list[FormulaItem] = []
    for word in open_words:
        # Bold capitals side by side are matrices, one letter each; a bold word is at least three small letters.
        is_small = len(word) > 2 and all(letter.text.islower() for letter in word[1:])
        is_product = word[0].is_bold and not (is_small and (word[0].text.islower() or len(word) > 3))
        spelled.extend(word if is_product else [_word(word)])
    return done + _pairs(spelled)


def _is_italic_letter(item: FormulaItem) -> bool:
    return item.kind == "letter" and item.style == "italic" and item.text.isascii()


def _spells(item: FormulaItem, *, has_math_italics: bool) -> bool:
    """Whether a letter may be part of a word."""
    if item.kind not in ("letter", "word") or not item.text or not item.text[0].isalpha():
        return False
    if item.style == "italic":
        return has_math_italics and not item.is_math_font and item.text.isascii()
    return item.style == "upright" and (item.text.isascii() or item.kind == "word")


def _goes_on(last: FormulaItem, item: FormulaItem) -> bool:
    """Whether a letter continues a word after its last letter: the same type on the same baseline, and no blank."""
    is_same_type = last.style == item.style and last.is_bold == item.is_bold
    is_same_line = abs(last.baseline - item.baseline) < 0.04 * item.size
    is_same_size = abs(last.size - item.size) < 0.03 * item.size
    is_next = -0.3 * item.size < item.left - last.right < thresholds.LETTER_GAP * item.size
    return is_same_type and is_same_line and is_same_size and is_next


def _pairs(words: list[FormulaItem]) -> list[FormulaItem]:
    """`lim sup` and `lim inf` are one name each."""
    paired: list[FormulaItem] = []
    for word in sorted(words, key=lambda item: item.left):
        for number, before in enumerate(paired):
            latex = sign_names.TWO_WORDS.get((before.text, word.text))
            is_next = 0 < word.left - before.right < 0.3 * word.size
            if latex and is_next and abs(word.baseline - before.baseline) < 0.05 * word.size:
                paired[number] = before.with_(
                    text=before.text + word.text,
                    latex=latex,
                    box=union([before.box, word.box]),
                    right=word.right,
                    ink=before.ink + word.ink,
                )
                break
        else:
            paired.append(word)
    return paired


def _word(letters: list[FormulaItem]) -> FormulaItem:
    if len(letters) == 1 and len(letters[0].text) == 1 and letters[0].kind == "letter":
        return letters[0]
    text = "".join(item.text for item in letters)
    first = letters[0]
    kind: ItemKind = "word"
    if first.style == "italic":
        latex = f"\\mathit{{{text}}}"
    elif first.is_bold:
        latex = f"\\mathbf{{{text}}}"
    elif text in sign_names.FUNCTIONS:
        kind, latex = "function", f"\\{text}"
    elif text in sign_names.OPERATOR_NAMES:
        kind, latex = "function", f"\\operatorname{{{text}}}"
    else:
        latex = f"\\mathrm{{{text}}}" if text.isascii() else f"\\text{{{text}}}"
    return first.with_(
        kind=kind, text=text, latex=latex, box=box_of(letters), right=letters[-1].right, ink=ink_of(letters)
    )


# Single glyphs, pieces of tall signs, signs over each other, drawn lines and shapes, each as an item.

_STYLE_COMMANDS = {
    "script": "\\mathcal",
    "blackboard": "\\mathbb",
    "fraktur": "\\mathfrak",
    "sans": "\\mathsf",
    "mono": "\\mathtt",
}
_TABLES: tuple[tuple[ItemKind, dict[str, str]], ...] = (
    ("raised", sign_names.RAISED),
    ("lowered", sign_names.LOWERED),
    ("operator", sign_names.OPERATORS),
    ("bar", sign_names.BARS),
    ("relation", sign_names.RELATIONS),
    ("punctuation", sign_names.PUNCTUATION),
    ("prime", sign_names.PRIMES),
    ("open", sign_names.OPENING),
    ("close", sign_names.CLOSING),
    ("big", sign_names.BIG_OPERATORS),
    ("letter", sign_names.LETTER_LIKE),
    ("letter", sign_names.GREEK_COMMANDS),
)


# How far, in points, the sides of a frame may miss each other at its corners.
_FRAME_CORNER = 1.2
# Both are looked for by trying all pairs; more rules than this are a table, more full stops a line of leaders.
_MOST_FRAMING = 60
_MOST_DOTS = 120
_STRIKES = frozenset("-–—−")
# How many signs back the other half of a long arrow may stand: others may begin between the two.
_RECENT_SIGNS = 6
# A brace drawn in parts has them inside its box, but for the thickness of a line.
_BRACE_SLACK = 0.5


def _classify(glyph: Glyph) -> tuple[ItemKind, str]:
    text = glyph.text
    if text.isascii() and text.isdigit():
        return "digit", text
    if text.isascii() and text.isalpha():
        return ("letter", text) if len(text) == 1 else ("word", text)
    if text in sign_names.OVERLAYS:
        return "overlay", ""
    if text in sign_names.ACCENTS:
        return "accent", sign_names.ACCENTS[text]
    if text == "√":
        return "root", ""
    if text in sign_names.HORIZONTAL_BRACES:
        return "brace", sign_names.HORIZONTAL_BRACES[text]
    for kind, names in _TABLES:
        if text in names:
            return kind, names[text]
    if text.isalpha():
        return "word", text
    return "unknown", ""


def letter_latex(text: str, latex: str, glyph: Glyph) -> str:
    """A letter in its alphabet; upright Greek capitals and signs need no command."""
    if glyph.style in _STYLE_COMMANDS and text.isascii():
        return f"{_STYLE_COMMANDS[glyph.style]}{{{latex}}}"
    if glyph.is_bold:
        return f"\\mathbf{{{latex}}}" if text.isascii() and glyph.style == "upright" else f"\\boldsymbol{{{latex}}}"
    if glyph.style == "upright" and text.isascii() and text.isalpha():
        return f"\\mathrm{{{latex}}}"
    return latex


def _item(glyph: Glyph, ledger: Ledger, *, largest: float = 0.0) -> FormulaItem:
    """A glyph as an item; `largest` is the size of the largest letters around it, 0 where that is not known."""
    kind, latex = _classify(glyph)
    size = glyph.size if glyph.size > 0 else max(1.0, glyph.box[3] - glyph.box[1])
    left, top, right, bottom = glyph.box
    height = bottom - top
    stretches = kind in ("open", "close", "bar") or glyph.text in ("/", "\\")
    low, high = thresholds.PLAIN_DELIMITER_MIDDLE
    is_plain = height <= thresholds.PLAIN_DELIMITER * size and low <= (glyph.y - (top + bottom) / 2) / size <= high
    # Some programs stretch a delimiter by setting it in larger type.
    is_enlarged = 0 < thresholds.LARGEST_TYPE * largest < size
    is_centred = kind == "big" or (stretches and (not is_plain or is_enlarged))
    if kind == "letter":
        latex = letter_latex(glyph.text, latex, glyph)
    if kind == "unknown":
        ledger.unknown += 1
    pen_right = max(glyph.x + glyph.advance, glyph.x) if glyph.advance > 0 else right
    return FormulaItem(
        kind=kind,
        latex=latex,
        text=glyph.text,
        box=glyph.box,
        left=glyph.x if kind not in ("accent", "overlay") else left,
        right=pen_right,
        baseline=(top + bottom) / 2 if is_centred else glyph.y,
        size=size,
        style=glyph.style,
        is_bold=glyph.is_bold,
        is_math_font=glyph.is_math_font,
        is_centred=is_centred,
        is_size_known=not is_centred,
        font=glyph.font,
    )


def _assemble_pieces(glyphs: Sequence[Glyph], ledger: Ledger) -> list[FormulaItem]:
    """Tall delimiters and signs built from pieces that touch, one above the other."""
    built: list[FormulaItem] = []
    open_columns: list[list[Glyph]] = []
    for glyph in sorted(glyphs, key=lambda each: each.box[1]):
        for column in open_columns:
            last = column[-1]
            reach = (0.2 if glyph.text in sign_names.PIECES else 0.04) * glyph.size
            is_centred = abs(middle_x(last.box) - middle_x(glyph.box)) < 0.35 * glyph.size
            same_place = is_centred or overlap_x(last.box, glyph.box) > 0
            touches = last.box[1] < glyph.box[1] < last.box[3] + reach and glyph.box[3] > last.box[3]
            if same_place and touches and _fits(column, glyph):
                column.append(glyph)
                break
        else:
            open_columns.append([glyph])
    for column in open_columns:
        families = [sign_names.PIECES.get(glyph.text, glyph.text) for glyph in column]
        named = next((family for family in families if family not in ("brace", "|", "‖")), families[0])
        if named == "brace":
            ledger.doubt("a piece of a brace that stands alone", 0.5)
            named = "|"
        box = union([glyph.box for glyph in column])
        whole = Glyph(
            named, column[0].font, column[0].size, box[0], box[3], box[2] - box[0], box, is_math_font=True
        )  # fmt: skip
        item = _item(whole, ledger)
        built.append(
            item.with_(ink=len(column), is_centred=item.kind != "root", is_size_known=False, baseline=middle_y(box))
        )
    return built


def _fits(column: list[Glyph], glyph: Glyph) -> bool:
    families = {sign_names.PIECES.get(each.text, each.text) for each in column}
    family = sign_names.PIECES.get(glyph.text, glyph.text)
    if family in families or not families:
        return True
    wild = {"brace": {"{", "}"}, "|": {"√", "∫"}}
    return any(family in wild.get(each, ()) or each in wild.get(family, ()) for each in families)


def _is_piece(glyph: Glyph) -> bool:
    return glyph.text in sign_names.PIECES or (
        glyph.text in ("|", "‖", "∣", "∥") and height(glyph.box) > 0 and glyph.is_math_font
    )


def _overlay(items: list[FormulaItem], ledger: Ledger) -> list[FormulaItem]:
    """A stroke through a relation negates it."""
    strokes = [item for item in items if item.kind == "overlay"]
    rest = [item for item in items if item.kind != "overlay"]
    for stroke in strokes:
        struck = [
            number
            for number, item in enumerate(rest)
            if abs(item.baseline - stroke.baseline) < 0.2 * stroke.size
            and overlap_x(item.box, stroke.box) > 0.3 * min(item.width, stroke.width)
        ]
        if not struck:
            ledger.doubt("a stroke through nothing", 0.5)
            rest.append(stroke.with_(kind="unknown"))
            continue
        best = min(struck, key=lambda number: abs(rest[number].middle - stroke.middle))
        item = rest[best]
        latex = sign_names.NEGATED.get(item.text, f"\\not{item.latex}")
        rest[best] = item.with_(latex=latex, kind="relation", ink=item.ink + 1)
    return rest


def _without_strikes(items: list[FormulaItem], ledger: Ledger) -> list[FormulaItem]:
    """A dash through a letter makes another letter of it, as of a volume; it is no minus."""
    dashes = [item for item in items if item.text in _STRIKES]
    if not dashes:
        return items
    letters = [item for item in items if item.kind == "letter"]
    struck: dict[int, int] = {}
    used: set[int] = set()
    for dash in dashes:
        for letter in letters:
            is_across = overlap_x(letter.box, dash.box) > 0.5 * dash.width and dash.width > 0.2 * dash.size
            if is_across and letter.top < middle_y(dash.box) < letter.bottom:
                ledger.doubt("a letter that is struck through", 0.3)
                struck[id(letter)] = struck.get(id(letter), 0) + dash.ink
                used.add(id(dash))
                break
    kept = [item for item in items if id(item) not in used]
    return [item.with_(ink=item.ink + struck[id(item)]) if id(item) in struck else item for item in kept]


def _join(items: list[FormulaItem]) -> list[FormulaItem]:
    """Long arrows and their kind: signs set end to end with overlap."""
    firsts = {pair[0] for pair in sign_names.JOINED}
    order = sorted(items, key=lambda item: item.left)
    joined: list[FormulaItem] = []
    recent: list[int] = []
    for item in order:
        partner = None
        for index in reversed(recent[-_RECENT_SIGNS:]):
            before = joined[index]
            together = sign_names.JOINED.get((before.text, item.text))
            if together is not None and _runs_into(before, item):
                partner = (index, together)
                break
        if partner is not None:
            index, together = partner
            before = joined[index]
            kind, latex = next((kind, names[together]) for kind, names in _TABLES if together in names)
            joined[index] = before.with_(
                text=together, latex=latex, kind=kind, box=union([before.box, item.box]),
                right=max(before.right, item.right), ink=before.ink + item.ink,
            )  # fmt: skip
            continue
        joined.append(item)
        if item.text in firsts:
            recent.append(len(joined) - 1)
    return joined


def _runs_into(before: FormulaItem, item: FormulaItem) -> bool:
    """Whether a sign begins inside the one before it, in the same size and on the same line."""
    is_same_type = abs(before.size - item.size) < 0.1 * item.size
    is_same_line = abs(before.baseline - item.baseline) < 0.08 * item.size
    return is_same_type and is_same_line and -1.5 * item.size < item.left - before.right < -0.02 * item.size


def _standing_dots(items: list[FormulaItem]) -> list[FormulaItem]:
    """Three full stops above each other, or in a falling diagonal, are one sign."""
    dots = sorted((item for item in items if item.text == "."), key=lambda item: (item.baseline, item.left))
    if not 3 <= len(dots) <= _MOST_DOTS:
        return items
    used: set[int] = set()
    signs: list[FormulaItem] = []
    for first in dots:
        for step, latex in ((0.0, "\\vdots"), (1.0, "\\ddots")):
            trio = [first]
            while len(trio) < 3 and id(first) not in used:
                found = next((dot for dot in dots if id(dot) not in used and _is_step(trio[-1], dot, step)), None)
                if found is None:
                    break
                trio.append(found)
            if len(trio) == 3:
                used.update(id(dot) for dot in trio)
                box = box_of(trio)
                middle = middle_y(box)
                signs.append(
                    first.with_(
                        kind="letter", text="⋮", latex=latex, box=box, right=trio[-1].right, baseline=middle, ink=3,
                        is_centred=True, is_size_known=False,
                    )
                )  # fmt: skip
    return [item for item in items if id(item) not in used] + signs


def _is_step(upper: FormulaItem, lower: FormulaItem, step: float) -> bool:
    down = (lower.baseline - upper.baseline) / upper.size
    along = (lower.left - upper.left) / upper.size
    return 0.2 < down < 0.6 and (abs(along) < 0.05 if step == 0.0 else 0.2 < along < 0.7)


def _bars_from_rules(rules: Sequence[Rule], size: float) -> tuple[list[FormulaItem], list[Rule]]:
    """A drawn upright line is a bar; the lying ones are for whoever reads fractions."""
    bars: list[FormulaItem] = []
    lying: list[Rule] = []
    for rule in rules:
        if rule.is_horizontal:
            lying.append(rule)
            continue
        left, top, right, bottom = rule.box
        bars.append(
            FormulaItem(
                "bar", "|", "|", rule.box, left, right, (top + bottom) / 2, size, is_centred=True, is_size_known=False
            )
        )
    return bars, lying


def _without_frames(rules: Sequence[Rule]) -> tuple[list[Rule], int]:
    """Rules without those that frame something on four sides, and how many were taken out."""
    upright = [rule for rule in rules if not rule.is_horizontal]
    lying = [rule for rule in rules if rule.is_horizontal]
    framing: set[int] = set()
    for top in lying:
        for bottom in lying:
            if bottom.box[1] <= top.box[1] or _far(top.box[0], bottom.box[0]) or _far(top.box[2], bottom.box[2]):
                continue
            sides = [
                rule
                for rule in upright
                if not _far(rule.box[1], top.box[1]) and not _far(rule.box[3], bottom.box[3])
                and not (_far(rule.box[0], top.box[0]) and _far(rule.box[2], top.box[2]))
            ]  # fmt: skip
            if len(sides) >= 2:
                framing.update(id(rule) for rule in (top, bottom, *sides))
    return [rule for rule in rules if id(rule) not in framing], len(framing)


def _far(first: float, second: float) -> bool:
    return abs(first - second) > _FRAME_CORNER


def _from_drawing(drawing: Drawing, size: float, ledger: Ledger) -> FormulaItem:
    left, top, right, bottom = drawing.box
    glyph = Glyph(drawing.text, "", size, left, bottom, right - left, drawing.box, is_math_font=True)
    item = _item(glyph, ledger)
    if item.kind == "unknown":
        ledger.doubt("a drawing that is no sign", 0.6)
    return item.with_(is_centred=item.kind not in ("root", "accent"), is_size_known=False, baseline=(top + bottom) / 2)
