"""What a bare number is, by the words around it: a date, a label, an ordinal, a count or a plain number."""

from __future__ import annotations

import re

from mathrag.language.quantities.mention import Kind
from mathrag.language.quantities.numbers import Number, Scan
from mathrag.language.word_classes import word_class

_HOURS_BEFORE = word_class("numbers.before_hours")
_IRREGULAR_PLURALS = word_class("numbers.irregular_plurals")
_LABELS = word_class("numbers.labels")
_MONTHS = word_class("numbers.months")
_NOT_NOUNS = word_class("numbers.not_nouns")
_YEAR_WORDS = word_class("numbers.before_years")

_ISO_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?![0-9-])")
_SLASH_DATE = re.compile(r"[0-9]{1,2}[/.][0-9]{1,2}[/.][0-9]{4}(?![0-9])")
_CLOCK = re.compile(r"[0-2]?[0-9]:[0-5][0-9](?::[0-5][0-9])?(?![0-9:])(?:\s?(?:[ap]\.m\.|[ap]m\b))?")
_ORDINAL = re.compile(r"(?:st|nd|rd|th)\b")
_DECADE = re.compile(r"['’]?s\b")
_HOUR_OF_DAY = re.compile(r"\s?(?:[ap]\.m\.|[ap]m\b)")
_LABEL_MORE = re.compile(r"(?:\.[0-9]+)*[a-z]?\b")


def dated(scan: Scan, index: int) -> int | None:
    """Where a date or time that begins with this piece ends, if there is one."""
    piece = scan.pieces[index]
    for pattern in (_ISO_DATE, _SLASH_DATE, _CLOCK):
        match = pattern.match(scan.text, piece.start)
        if match:
            return match.end()
    if not piece.text.isdecimal():
        return None
    if len(piece.text) <= 2 and 1 <= int(piece.text) <= 31:
        month = scan.index_at(piece.end)
        month += int(scan.word(month) in ("st", "nd", "rd", "th"))
        month += int(scan.word(month) == "of")
        name = scan.piece(month)
        if name is not None and _is_month(scan, month) and name.text[:1].isupper():
            year = scan.index_at(name.end)
            year += int(scan.is_mark(year, ","))
            after = scan.piece(year)
            return after.end if after is not None and _is_year(after.text) else name.end
        if _is_month(scan, index - 1) and scan.pieces[index - 1].text[:1].isupper() and scan.is_mark(index + 1, ","):
            after = scan.piece(index + 2)
            if after is not None and _is_year(after.text):
                return after.end
    if _is_year(piece.text) and _is_month(scan, index - 1) and scan.pieces[index - 1].text[:1].isupper():
        return piece.end
    return None


def _is_month(scan: Scan, index: int) -> bool:
    return scan.word(index) in _MONTHS


def _is_year(text: str) -> bool:
    return len(text) == 4 and text.isdecimal() and 1500 <= int(text) <= 2100


def marked(scan: Scan, index: int) -> tuple[Kind, int] | None:
    """Ordinals, decades, hours of the day, labels and isotopes: the kind and where it ends."""
    piece = scan.pieces[index]
    text = scan.text
    if (match := _ORDINAL.match(text, piece.end)) and piece.text.isdecimal():
        return "ordinal", match.end()
    if _is_year(piece.text) and (match := _DECADE.match(text, piece.end)):
        return "date", match.end()
    if (match := _HOUR_OF_DAY.match(text, piece.end)) and _is_hour(scan, index, match.group()):
        return "date", match.end()
    before = text[max(0, piece.start - 2) : piece.start]
    if before.endswith("#"):
        return "label", piece.end
    if len(before) == 2 and before[1] in "-‐‑–" and before[0].isalpha():
        return "label", piece.end
    if before[-1:] in ("^", "_") or before in ("^{", "_{"):
        return "label", piece.end
    return _labelled(scan, index)


def _is_hour(scan: Scan, index: int, suffix: str) -> bool:
    """`at 3 pm` is a time; `100 pm` and `a bond of 2 pm` are lengths."""
    digits = scan.pieces[index].text
    if not digits.isdecimal() or len(digits) > 2 or not 1 <= int(digits) <= 12:
        return False
    return "." in suffix or "a" in suffix or scan.word(index - 1) in _HOURS_BEFORE


def _labelled(scan: Scan, index: int) -> tuple[Kind, int] | None:
    previous = index - 1
    if scan.is_mark(previous, ".(") and scan.word(previous - 1) in _LABELS:
        previous -= 1
    word = scan.word(previous)
    piece = scan.pieces[index]
    if word not in _LABELS or "," in piece.text:
        return None
    if scan.is_mark(previous - 1, "-") or scan.word(previous - 1) == "cross":
        return None
    if word in ("no", "nr") and previous == index - 1:
        return None
    more = _LABEL_MORE.match(scan.text, piece.end)
    return "label", more.end() if more else piece.end


def kind_of_bare(scan: Scan, number: Number, has_symbol: bool) -> Kind:
    """A number without a unit: counted things follow it, or it is a year, or it is just a number."""
    if has_symbol or number.uncertainty is not None:
        return "number"
    if not number.in_words and _is_in_formula(scan.text, number):
        return "label"
    index = scan.index_at(number.end)
    text = scan.text[number.start : number.end]
    if _is_year(text) and scan.word(scan.index_at(number.start) - 1) in _YEAR_WORDS:
        following = scan.word(index)
        if not (following.endswith("s") and len(following) > 3):
            return "date"
    if not float(number.value).is_integer() or number.value < 0:
        return "number"
    following_piece = scan.piece(index)
    if following_piece is None or following_piece.start - number.end > 2:
        return "number"
    if following_piece.kind == "number":
        return "count" if number.in_words else "number"
    return "count" if _is_counted(scan, index) else "number"


def _is_in_formula(text: str, number: Number) -> bool:
    """`2aΔx`, `√2` and `1D`: a numeral glued to letters or a root sign belongs to a formula or a name."""
    return text[number.end : number.end + 1].isalpha() or text[number.start - 1 : number.start] in ("√", "π")


def _is_counted(scan: Scan, index: int) -> bool:
    """Whether a noun follows, past up to two adjectives; the last of the words should be a plural."""
    for ahead in range(3):
        piece = scan.piece(index + ahead)
        if piece is None or piece.kind != "word" or piece.text.lower() in _NOT_NOUNS:
            return False
        word = piece.text.lower()
        if ahead and scan.text[scan.pieces[index + ahead - 1].end : piece.start] not in (" ", "\n", "-"):
            return False
        if len(word) > 2 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
            return True
        if word in _IRREGULAR_PLURALS:
            return True
    return False
