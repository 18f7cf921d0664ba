"""Words around a formula made fit for its name: titles cleaned or found useless, mathematics in plain letters."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache

from mathrag.knowledge.kinds import kinds_for_words
from mathrag.knowledge.spelling import normal_words
from mathrag.language.unit_text import is_plain_unit
from mathrag.language.word_classes import any_of, word_class
from mathrag.types.document import Break, Content, Math, Text
from mathrag.types.symbol_names import GREEK, WORD_LETTERS

# Names of rules, not of what they give.
LAW_LIKE = re.compile(rf"\b(?:{any_of('headings.law_like')})\b", re.I)
_STOP = word_class("grammar.keyword_stop_words")
_FUNCTION_WORDS = word_class("grammar.function_words")
_USELESS = frozenset(normal_words(title) for title in word_class("headings.useless_titles"))
_DANGLING = word_class("phrases.trailing")
_NUMBER = r"(?:\d+(?:[.\-–]\d+)*[a-z]?|(?-i:[IVX]{1,4}|[A-Z]))"
_NUMBERING = re.compile(
    rf"^(?:(?:{any_of('headings.numbered_parts')})\s+{_NUMBER}\s*[.:)|–—-]*\s+"
    rf"|(?:{any_of('headings.parts_of_a_book')})\s+{_NUMBER}\s*[.:|–—-]\s+"
    r"|\(?(?:\d{1,2}|(?-i:[a-z]|[ivx]{1,4}))\)\s+|(?:\d+(?:\.\d+)*|(?-i:[IVX]+))[.:)]\s+|\d+\.\d+(?:\.\d+)*\s+"
    r"|\d{1,2}\s+(?-i:(?=[A-Z][a-z])))",
    re.I,
)
# Two headings that a page prints on one line.
_SECOND_NUMBER = re.compile(r"^.*\s\d+(?:\.\d+){2,3}\s+(?=[A-Z])")
_PART_OF_A_BOOK = re.compile(
    rf"(?:{any_of('headings.parts_of_a_book')})\b(?!.*\b(?:{any_of('headings.named_parts')})\b)"
)
_SPEAKING = re.compile(rf"\b(?:{any_of('sentences.speaking')})\b|[?=≈]", re.I)
# `text/plain`, `numpy.dot`, `my_file.md`: what programs call things is no name that people ask by.
_CODE = re.compile(r"`?[a-z0-9_-]+(?:[/.:]+[a-z0-9_-]+)+(?:\(\))?`?")
# What no title begins with: ornaments, punctuation, and brackets that were never opened.
_STARS = re.compile(r"^[\s*•●▪►→#§¶‣·\-–—.,:;)\]]+")
_CLOSING = re.compile(r"[\s.:;,–—#¶*→‣•·-]+$")
_LINK = re.compile(r"\[\[(?:[^\]|]*\|)?([^\]|]*)\]\]|\[([^\]]*)\]\([^)\s]*\)")
_ATTRIBUTES = re.compile(r"\{[.#:][^}]*\}")
_TITLE_MATH = re.compile(r"\$\$?([^$]*)\$\$?|\\{1,2}\((.*?)\\{1,2}\)|\\{1,2}\[(.*?)\\{1,2}\]")
_TAGS = re.compile(r"<[^<>]*>")
_CITATION = re.compile(
    r"\s*\[(?:@|\d)[^\]]{0,40}\]|\s*\((?:see|cf\.?|fig|figs|eq|eqs|ref|refs|table)\b[^()]{0,60}\)", re.I
)
_END_NUMBER = re.compile(r"\s+\(\d+(?:[.\-]\d+)*[a-z]?\)$")
_SPACE = re.compile(r"\s+")
_WORD = re.compile(r"[^\W\d_][\w'’\-]*")
_LATEX_LEFT = re.compile(r"[\\${}]")
_BETWEEN = re.compile(r"(?<=[\w)])[\s\ue002]*\ue002[\s\ue002]*(?=\w)")
_LONGEST_TITLE = 600
_BRACKETS = {")": "(", "]": "["}


def words_of(content: Content) -> str:
    """A content as one line of words: formulas as the letters a person would write, breaks as blanks."""
    parts = []
    for piece in content:
        match piece:
            case Text():
                parts.append(piece.text)
            case Math():
                parts.append(plain_math(piece))
            case Break():
                parts.append(" ")
    return tidy("".join(parts))


def tidy(text: str) -> str:
    """One line, single blanks, nothing at the ends."""
    return _SPACE.sub(" ", text).strip()


def clean_title(text: str) -> str:
    """A heading or a cell without numbering, ornaments, mathematics in LaTeX, shouting and closing punctuation."""
    text = _LINK.sub(lambda match: match.group(1) or match.group(2) or "", text[:_LONGEST_TITLE])
    text = _plain_title(_ATTRIBUTES.sub("", text))
    text = _STARS.sub("", tidy(_without_ornaments(text)))
    text = _SECOND_NUMBER.sub("", text)
    for _ in range(3):
        shorter = _STARS.sub("", _NUMBERING.sub("", text))
        if shorter == text or not shorter:
            break
        text = shorter
    text = _END_NUMBER.sub("", _CITATION.sub("", text))
    # What goes here may have stood before a comma.
    return _quietly(_STARS.sub("", _CLOSING.sub("", balanced(text))))


def _plain_title(text: str) -> str:
    """With mathematics in plain letters; an equation in a title repeats the formula and is left out."""

    def spoken(match: re.Match[str]) -> str:
        source = next((group for group in match.groups() if group), "")
        return "" if "=" in source else plain_latex(source)

    return _LATEX_LEFT.sub("", _TITLE_MATH.sub(spoken, _TAGS.sub("", text)))


def _without_ornaments(text: str) -> str:
    """Without stars, boxes, faces and other signs that are no letters; between words they part a title as commas do."""
    if text.isascii():
        return text
    signs = (sign for sign in text if unicodedata.category(sign) not in ("Mn", "Cf"))
    bare = "".join("\ue002" if _is_ornament(sign) else sign for sign in signs)
    return _BETWEEN.sub(", ", bare).replace("\ue002", " ")


def _is_ornament(sign: str) -> bool:
    # A degree sign is one of measure.
    return not sign.isascii() and sign != "°" and unicodedata.category(sign) in ("So", "Sk", "Co", "Cn", "Cs")


def _quietly(title: str) -> str:
    """A title in capitals in ordinary letters, abbreviations kept; the small words of a title in small letters."""
    words = title.split()
    letters = [word for word in words if any(sign.isalpha() for sign in word)]
    if len(letters) > 1 and title.isupper() and any(len(word) > 4 for word in letters):
        words = [
            word if len(word) < 4 and word.casefold() not in _FUNCTION_WORDS else word.casefold() for word in words
        ]
        return _capitalised(" ".join(words))
    return " ".join(
        word.casefold()
        if place and word.istitle() and word.casefold() in _FUNCTION_WORDS and words[place + 1 :]
        else word
        for place, word in enumerate(words)
    )


def balanced(text: str) -> str:
    """Up to the first bracket that is never closed, without those that were never opened."""
    opened: list[tuple[str, int]] = []
    kept: list[str] = []
    for sign in text:
        if sign in "([":
            opened.append((sign, len(kept)))
        elif sign in ")]":
            if not opened or opened[-1][0] != _BRACKETS[sign]:
                continue
            opened.pop()
        kept.append(sign)
    return "".join(kept[: opened[0][1]] if opened else kept).strip()


def is_useless(title: str) -> bool:
    """Whether a title names no formula: empty, a part of a book, a sentence, only a number or a symbol, a file."""
    if _CODE.fullmatch(title.strip()):
        return True
    cleaned = clean_title(title)
    words = normal_words(cleaned)
    if len(words) == 2 and kinds_for_words(words):
        return False
    if len(words) < 3 or words in _USELESS or _PART_OF_A_BOOK.match(words) or _SPEAKING.search(cleaned):
        return True
    # A name has words; symbols and numbers are a formula's.
    return not any(len(word) > 2 for word in _WORD.findall(words))


_IN_UNIT = re.compile(r"\s(?:measured )?in (\S{1,12})$")


def presentable(label: str) -> str:
    """A label as people are shown it: plain signs, whole brackets, no word that leads on to nothing, a capital."""
    text = balanced(_LATEX_LEFT.sub("", tidy(label)))
    unit = _IN_UNIT.search(text)
    if unit is not None and is_plain_unit(unit.group(1)):
        text = text[: unit.start()]
    words = text.rstrip(" .:;,").split()
    while words and (dangling := _dangling(words)):
        del words[-dangling:]
    return _capitalised(_CLOSING.sub("", " ".join(words)))


def _dangling(words: Sequence[str]) -> int:
    """How many of the last words lead to something that is not there: one, or two ("due to", but an annuity due)."""
    if " ".join(words[-2:]).casefold() in _DANGLING:
        return len(words[-2:])
    return int(words[-1].casefold() in _DANGLING and len(words[-1]) > 1)


def _capitalised(text: str) -> str:
    """With a capital, unless it begins with a symbol: pH, q-line, σ."""
    first = re.split(r"[\s-]", text, maxsplit=1)[0]
    is_word = len(first) > 1 and first.isascii() and first.replace("'", "").isalpha() and first.islower()
    return text[:1].upper() + text[1:] if is_word else text


def without_citations(text: str) -> str:
    """Without marks that point elsewhere: "[4, p. 20]", "(see Fig. 2)"."""
    return _CITATION.sub("", text)


def last_sentence(text: str) -> str:
    """What stands after the last full stop."""
    parts = re.split(r"(?<=[\w)”\"\ue001])[.!?]\s+(?=[A-Z\ue000])", text.strip())
    return parts[-1] if parts else ""


def content_words(text: str) -> Iterator[str]:
    """The words of a text that carry meaning, lower case, in order."""
    # Not by the tokeniser: what a hyphen joins to a single letter (n-p, i-j) is a word that people search for.
    for match in _WORD.finditer(text):
        word = match.group().casefold().removesuffix("'s").removesuffix("’s")
        if len(word) > 2 and word not in _STOP:
            yield word


# Mathematics inside words, in plain letters.

_TOKEN = re.compile(r"\\[A-Za-z]+\*?|\\.|\s+|.", re.S)
_LONGEST_SOURCE = 600
_DEEPEST = 12
_FRACTIONS = frozenset(("frac", "dfrac", "tfrac", "cfrac"))
_WITH_NAME = frozenset(("begin", "end", "label", "tag", "ref", "eqref", "color"))
_SILENT = frozenset(
    """left right big Big bigg Bigg displaystyle textstyle limits nonumber notag rm bf it mathrm mathbf mathit mathsf
    mathcal mathbb mathnormal text textrm textbf textit textsf mbox operatorname boldsymbol bm vec hat bar dot ddot
    tilde overline underline widehat widetilde boxed ce cancel mathop mathrm* therefore""".split()
)
_LETTERS = {name: letter for letter, name in reversed(GREEK.items()) if name in WORD_LETTERS} | {
    "varepsilon": "ε", "vartheta": "θ", "varphi": "φ", "varrho": "ρ", "varsigma": "σ", "infty": "infinite",
    "infin": "infinite", "cdot": "·", "times": "×", "pm": "±", "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥",
    "approx": "≈", "simeq": "≈", "sim": "~", "neq": "≠", "ne": "≠", "to": "→", "rightarrow": "→", "partial": "∂",
    "sum": "Σ", "prod": "Π", "int": "∫", "circ": "°", "prime": "'", "ldots": "…", "cdots": "…", "dots": "…",
    "sqrt": "√", "in": "∈", "lt": "<", "gt": ">", "equiv": "≡", "gg": "≫", "ll": "≪", "nabla": "∇", "degree": "°",
}  # fmt: skip


def plain_math(math: Math) -> str:
    """A formula inside words: `\\sigma_{n}` as σ_n."""
    return _plain_mathml(math.source) if math.notation == "mathml" else plain_latex(math.source)


# Both are asked for the same formula again and again, by whatever stands around it.
@lru_cache(maxsize=8192)
def _plain_mathml(source: str) -> str:
    return _SPACE.sub(" ", _TAGS.sub("", source))[:80].strip()


@lru_cache(maxsize=8192)
def plain_latex(source: str) -> str:
    """LaTeX as a person would type it on one line."""
    text, _ = _run(_TOKEN.findall(source[:_LONGEST_SOURCE]), 0, 0)
    return re.sub(r"(?<=Δ)\s+(?=\w)", "", tidy(_LATEX_LEFT.sub("", text)))


def _run(tokens: Sequence[str], place: int, depth: int) -> tuple[str, int]:
    """The text up to the brace that closes the group, and the place behind it."""
    parts: list[str] = []
    while place < len(tokens):
        if tokens[place] == "}":
            place += 1
            if depth:
                break
            continue
        text, place = _atom(tokens, place, depth)
        # What is spelled out keeps apart from the letter behind it.
        is_joined = parts and len(text) > 1 and text[0].isalpha() and parts[-1][-1:].isalnum() and text.isalpha()
        parts.append(f" {text}" if is_joined and len(text) > 2 else text)
    return "".join(parts), place


def _atom(tokens: Sequence[str], place: int, depth: int) -> tuple[str, int]:
    sign = tokens[place]
    if sign == "{" and depth < _DEEPEST:
        return _run(tokens, place + 1, depth + 1)
    if sign in ("_", "^", "\\_") and place + 1 < len(tokens):
        inner, place = _argument(tokens, place + 1, depth)
        if sign == "^" and inner in ("°", "'", "*"):
            return inner, place
        inner = "∞" if inner in ("infinite", "infty") else inner.replace(", ", ",")
        return f"{sign[-1]}{_in_brackets(inner)}", place
    if sign.startswith("\\"):
        return _command(tokens, place, depth)
    return (" " if sign.isspace() or sign in "&~" else sign), place + 1


def _argument(tokens: Sequence[str], place: int, depth: int) -> tuple[str, int]:
    """What a command or a script applies to: a group or one sign."""
    while place < len(tokens) and tokens[place].isspace():
        place += 1
    if place >= len(tokens) or tokens[place] == "}" or depth >= _DEEPEST:
        return "", place
    text, place = _atom(tokens, place, depth + 1)
    return tidy(text), place


def _command(tokens: Sequence[str], place: int, depth: int) -> tuple[str, int]:
    name = tokens[place][1:]
    if name in _FRACTIONS:
        above, place = _argument(tokens, place + 1, depth)
        below, place = _argument(tokens, place, depth)
        return f"{_in_brackets(above)}/{_in_brackets(below)}", place
    if name in _WITH_NAME:
        _, place = _argument(tokens, place + 1, depth)
        return "", place
    if name in _SILENT:
        return "", place + 1
    if name in _LETTERS:
        letter = _LETTERS[name]
        return (f"{letter} " if len(letter) > 1 else letter), place + 1
    if name.isalpha():
        return ("" if name in ("quad", "qquad") else name) + " ", place + 1
    return (name if name in "%&#_" else " "), place + 1


def _in_brackets(text: str) -> str:
    return f"({text})" if len(text) > 1 and re.search(r"[\s+\-/·×=]", text) else text
