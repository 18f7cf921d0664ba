"""Letters that are read together: upright words, names of functions, italic words of a text font."""

from __future__ import annotations

from mathrag.documents.pdf.boxes import union
from mathrag.documents.pdf.formulas import characters as table
from mathrag.documents.pdf.formulas import thresholds as limit
from mathrag.documents.pdf.formulas.items import Item, Kind, box_of, ink_of


def join_letters(items: list[Item]) -> list[Item]:
    """Upright letters side by side are one word; so are italic ones of a text font among a math font's letters."""
    has_math_italics = any(
        item.is_math_font and item.style == "italic" and item.kind == "letter" and item.text.isascii()
        for item in items
    )  # fmt: skip

    def spells(item: Item) -> bool:
        if item.kind not in ("letter", "word") or not item.text or not item.text[0].isalpha():
            return False
        if item.style == "italic":
            return has_math_italics and not item.is_math_font and item.text.isascii()
        return item.style == "upright" and (item.text.isascii() or item.kind == "word")

    done: list[Item] = []
    open_words: list[list[Item]] = []
    for item in sorted(items, key=lambda each: each.left):
        if not spells(item):
            done.append(item)
            continue
        for word in reversed(open_words[-40:]):
            last = word[-1]
            if (
                abs(last.baseline - item.baseline) < 0.04 * item.size
                and abs(last.size - item.size) < 0.03 * item.size
                and last.style == item.style
                and last.is_bold == item.is_bold
                and -0.3 * item.size < item.left - last.right < limit.LETTER_GAP * item.size
            ):
                word.append(item)
                break
        else:
            open_words.append([item])
    spelled: list[Item] = []
    for word in open_words:
        # Bold capitals side by side are matrices, one letter each; a bold word is at least three small letters.
        is_product = word[0].is_bold and not (len(word) > 2 and all(letter.text.islower() for letter in word))
        spelled.extend(word if is_product else [_word(word)])
    return done + _pairs(spelled)


def _pairs(words: list[Item]) -> list[Item]:
    """`lim sup` and `lim inf` are one name each."""
    paired: list[Item] = []
    for word in sorted(words, key=lambda item: item.left):
        for number, before in enumerate(paired):
            latex = table.TWO_WORDS.get((before.text, word.text))
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


def _word(letters: list[Item]) -> Item:
    if len(letters) == 1 and len(letters[0].text) == 1 and letters[0].kind == "letter":
        return letters[0]
    text = "".join(item.text for item in letters)
    first = letters[0]
    kind: Kind = "word"
    if first.style == "italic":
        latex = f"\\mathit{{{text}}}"
    elif first.is_bold:
        latex = f"\\mathbf{{{text}}}"
    elif text in table.FUNCTIONS:
        kind, latex = "function", f"\\{text}"
    elif text in table.OPERATOR_NAMES:
        kind, latex = "function", f"\\operatorname{{{text}}}"
    else:
        latex = f"\\mathrm{{{text}}}" if text.isascii() else f"\\text{{{text}}}"
    return first.with_(
        kind=kind, text=text, latex=latex, box=box_of(letters), right=letters[-1].right, ink=ink_of(letters)
    )
