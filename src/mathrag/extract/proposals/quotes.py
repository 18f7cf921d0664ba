"""Find a quote in a text, exactly but for blanks and typography, and say where it stands. Never nearly.

Curly and straight quotation marks, kinds of dashes and of blanks are one; letters, digits and signs are not.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from mathrag.documents.math_in_text.typed_lines import find_formula
from mathrag.documents.views.chunks import block_text
from mathrag.documents.views.records import ChunkView
from mathrag.extract.formula_reader import read_math
from mathrag.extract.occurrences import Occurrence
from mathrag.extract.proposals.spoken import OPERATORS
from mathrag.language.word_classes import any_of
from mathrag.types.document import Block, Document, Heading, ListItem, Math, Notation, Place
from mathrag.types.expression import Declined, Equation
from mathrag.types.symbol_names import GREEK, GREEK_NAMES

_LONGEST_TEXT = 40_000
_SHORT = 2_000
_SAME = {
    **dict.fromkeys("‘’‚‛′`´", "'"),
    **dict.fromkeys("“”„‟″«»", '"'),
    **dict.fromkeys("‐‑‒–—―−﹣－", "-"),
    "…": "...",
    "ﬁ": "fi",
    "ﬂ": "fl",
    "ﬀ": "ff",
    "ﬃ": "ffi",
    "ﬄ": "ffl",
    "\N{MICRO SIGN}": "μ",
    "\N{OHM SIGN}": "Ω",
}


@dataclass(frozen=True, slots=True)
class Quoted:
    """Where a quote stands in a text, and the text's own characters there."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class _Plain:
    """A text in one typography; `origins[i]` is where its character i comes from."""

    text: str
    origins: tuple[int, ...]


def find_quote(quote: str, text: str) -> Quoted | None:
    """The first place of a quote; None where the text does not hold it."""
    wanted = plain_typography(quote)
    if not wanted:
        return None
    plain = _plain(text[:_LONGEST_TEXT])
    start = plain.text.find(wanted)
    if start < 0:
        return None
    first, last = plain.origins[start], plain.origins[start + len(wanted) - 1]
    return Quoted(first, last + 1, text[first : last + 1])


def holds(text: str, quote: str) -> bool:
    """Whether a text holds a quote."""
    return find_quote(quote, text) is not None


def plain_typography(text: str) -> str:
    """A text with single blanks and one kind of each mark, without blanks at its ends."""
    return _plain_words(text) if len(text) <= _SHORT else _plain(text[:_LONGEST_TEXT]).text.strip()


# Quotes of formulas are looked for in chunk after chunk.
@lru_cache(maxsize=16_384)
def _plain_words(text: str) -> str:
    return " ".join("".join(map(shown_character, text)).split())


def shown_character(character: str) -> str:
    """What a reader sees of a character: any blank is a blank; control and zero-width characters are nothing."""
    if character.isspace():
        return " "
    return _SAME.get(character, character) if character.isprintable() else ""


@lru_cache(maxsize=256)
def _plain(text: str) -> _Plain:
    characters: list[str] = []
    origins: list[int] = []
    for index, character in enumerate(text):
        same = shown_character(character)
        if same == " " and characters and characters[-1] == " ":
            continue
        for each in same:
            characters.append(each)
            origins.append(index)
    return _Plain("".join(characters), tuple(origins))


# Compare a formula with a quote sign by sign, for quotes whose structure cannot be read. Knows no grammar.
#
# A repaired formula may add structure (fractions, exponents, brackets) to what is printed, but no letter, digit or
# sign, and it may leave none out: "E = 1 2 mv2" has the signs of `E = \frac{1}{2} m v^2`, in that order.

_LONGEST = 1_200
_STYLE = re.compile(
    r"\\(?:mathrm|mathbf|mathit|mathsf|mathcal|text|textrm|textit|textbf|operatorname|boldsymbol|left|right|big|Big|bigg|"
    r"displaystyle|dfrac|tfrac|frac|cdot|times|quad|qquad|over|limits|boxed|label|tag|begin|end)(?![A-Za-z])"
)
_SIGN = re.compile(r"\\[A-Za-z]+|\d|[^\W\d_]|[=≈≡∝<>≤≥+\-−–±∓∫∂∑∏√∞∇!]|\\pm")
# What would belong to the formula if it stood right before or after it: a digit, a sign, a lone letter.
_BEFORE = re.compile(r"(?:[^\W_]|\\[A-Za-z]+|[\\^_{])$|[=+\-−–*/×·^_<>≈∝]\s*$|(?<![^\W_])\d+\s*$")
_AFTER = re.compile(
    r"[^\W_]|['′]|\s*(?:[\d=+\-−–*/×·^_{}\[<>≈∝\\]|\((?![^()]{0,60}[^\W\d_]{3})|(?!a\s)[^\W\d_](?![^\W_]|['’.)]))"
)
_SAME_SIGNS = {
    "−": "-",
    "–": "-",
    "\\approx": "≈",
    "\\equiv": "≡",
    "\\propto": "∝",
    "\\le": "≤",
    "\\leq": "≤",
    "\\ge": "≥",
    "\\geq": "≥",
    "\\lt": "<",
    "\\gt": ">",
    "\\pm": "±",
    "\\mp": "∓",
    "\\int": "∫",
    "\\partial": "∂",
    "\\sum": "∑",
    "\\prod": "∏",
    "\\sqrt": "√",
    "\\infty": "∞",
    "\\nabla": "∇",
    "\\varepsilon": "epsilon",
    "\\vartheta": "theta",
    "\\varphi": "phi",
    "\\varrho": "rho",
    "\\ell": "ell",
    "\\hbar": "hbar",
}


def signs_of(text: str) -> tuple[str, ...]:
    """The letters, digits and signs of a formula in the order in which they are written, without its structure."""
    return tuple(sign for sign, _ in _placed_signs(text))


def _placed_signs(text: str) -> list[tuple[str, re.Match[str]]]:
    plain = spelled_plainly(text)
    found: list[tuple[str, re.Match[str]]] = []
    for match in _SIGN.finditer(plain):
        sign = _SAME_SIGNS.get(match.group(), match.group())
        if sign.startswith("\\"):
            name = sign[1:]
            found.extend((part, match) for part in ((name,) if name in GREEK_NAMES else tuple(name)))
        else:
            found.append((GREEK.get(sign, sign), match))
    return found


def spelled_plainly(text: str) -> str:
    """Scripts and fractions that are one character, as plain ones; commands of style and structure as blanks."""
    parts = []
    for character in text[:_LONGEST]:
        plain = character if character in GREEK else unicodedata.normalize("NFKC", character)
        parts.append(f" {plain} " if plain != character else character)
    return _STYLE.sub(lambda match: " " * len(match.group()), "".join(parts).replace("⁄", " "))


def stands_alone(text: str, start: int, end: int) -> bool:
    """Whether nothing that would belong to the same formula touches a stretch of a text."""
    return _BEFORE.search(text[max(0, start - 40) : start]) is None and _AFTER.match(text, end) is None


def same_signs(latex: str, quote: str) -> bool:
    """Whether the signs of a formula stand in a quote, all and in their order, with no other between or beside them."""
    wanted, placed = signs_of(latex), _placed_signs(quote)
    size = len(wanted)
    if not size:
        return False
    written = tuple(sign for sign, _ in placed)
    plain = spelled_plainly(quote)
    return any(
        written[start : start + size] == wanted
        and stands_alone(plain, placed[start][1].start(), placed[start + size - 1][1].end())
        for start in range(len(written) - size + 1)
    )


def missing_symbol(names: tuple[str, ...], quote: str) -> str | None:
    """A symbol none of whose looks stand in the quote; None where all do."""
    written = "".join(signs_of(quote))
    for name in names:
        letters = [piece for piece in name.split("_") if piece and piece not in _MARKS]
        if not all("".join(signs_of(_looks(piece))) in written for piece in letters):
            return name
    return None


_MARKS = frozenset(
    "bar hat dot ddot vec tilde underline breve check ring mean cal prime dprime tprime star circ dagger ddagger plus "
    "minus conc".split()
)


def _looks(piece: str) -> str:
    return f"\\{piece}" if piece in GREEK_NAMES or piece in ("ell", "hbar") else piece


# Where a quote stands in its chunk, with the whole formula or sentence around it. A cut quote must not say otherwise.
#
# "The pressure is the force divided by the area" is another statement where the text goes on with "squared".

_LONGEST_PASSAGE = 20_000
_LONGEST_SENTENCE = 700
_MOST_FORMULAS = 12
_DELIMITED = re.compile(
    r"\$\$(?P<a>[^$]{1,3000})\$\$|(?<![\\$])\$(?P<b>[^$\n]{1,1500})\$|\\\[(?P<c>.{1,3000}?)\\\]|\\\((?P<d>.{1,1500}?)\\\)"
    r"|\\begin\{(?P<name>equation|align|gather|multline|eqnarray|displaymath|math)\*?\}(?P<e>.{1,3000}?)\\end\{(?P=name)\*?\}"
    r"|(?P<f><math\b[^<>]{0,400}>.{1,6000}?</math>)",
    re.DOTALL,
)
_RELATION = re.compile(r"[=≈≃≅≡∝]|\\(?:approx|equiv|simeq|propto|cong)\b")
_SENTENCE_START = re.compile(r"(?:[.!?;]\s+(?=[^\s\d])|\n\s*\n|\n\s*[-*•|]\s+|\|)")
_SENTENCE_END = re.compile(r"[.!?;](?=\s|$)|\n\s*\n|\n\s*[-*•|]\s|\|")
_TEXT_STARTS = re.compile(r"(?<!\S)\S")
_OPENING = re.compile(rf"((?:{any_of('proposals.case_openings')})\b[^,.;:$=]{{2,80}}),", re.IGNORECASE)
_MOST_STARTS = 12
_LONGEST_LEAD = 8
_MOST_ENDS = 6
_FUNCTIONS = frozenset("sin cos tan sinh cosh tanh exp log sqrt abs arcsin arccos arctan min max".split())
_WORD = re.compile(r"[^\W\d_]{4,}")
_COMMAND = re.compile(r"\\[A-Za-z]+\*?(?:\{[A-Za-z ,.]{1,30}\})?")
_LONE_WORD = re.compile(r"(?<=\s)[^\W\d_]{3,}(?=[\s,.;:]|$)")


@dataclass(frozen=True, slots=True)
class Passage:
    """A quote in its chunk.

    `quote` is the chunk's own text there; `whole` reaches from the beginning of its first sentence or formula to the
    end of the last. `formulas` are the sources of formulas in `whole`, `equations` what they read as.
    """

    quote: str
    start: int
    end: int
    whole: str
    place: Place
    here: Occurrence
    formulas: tuple[Math, ...] = ()
    equations: tuple[Equation, ...] = ()

    @property
    def opening(self) -> str:
        """What the sentence begins with before it states something: "For an ideal gas"."""
        found = _OPENING.match(self.whole.strip())
        return " ".join(found.group(1).split()) if found is not None else ""

    @property
    def has_relation(self) -> bool:
        """Whether it states something in signs; else, if anything, in words."""
        return any(_RELATION.search(math.source) for math in self.formulas) or _RELATION.search(self.quote) is not None


def find_passage(quote: str, chunk: ChunkView, *, document: Document | None = None) -> Passage | None:
    """The passage that a quote is from; None where the chunk does not hold it."""
    text = chunk.text[:_LONGEST_PASSAGE]
    quoted = find_quote(quote, text)
    if quoted is None:
        return None
    start, end = _whole(text, quoted)
    whole = text[start:end]
    block = block_of(quoted.text, chunk, document=document)
    place = chunk.place if block is None or document is None else document.blocks[block].place
    formulas = tuple(_formulas(text, quoted, start, end, place))
    equations: dict[Equation, None] = {}
    for math in formulas:
        reading = read_math(math)
        if not isinstance(reading, Declined):
            equations |= dict.fromkeys(reading.equations)
    here = occurrence_at(block, chunk, document=document)
    return Passage(quoted.text, quoted.start, quoted.end, whole, place, here, formulas, tuple(equations)[:40])


def block_of(quote: str, chunk: ChunkView, *, document: Document | None) -> int | None:
    """The index of the block that holds a quote, where the document is at hand."""
    if document is not None:
        for index in range(chunk.first_block, min(chunk.last_block + 1, len(document.blocks))):
            if holds(block_text(document.blocks[index]), quote):
                return index
    return None


def occurrence_at(block: int | None, chunk: ChunkView, *, document: Document | None) -> Occurrence:
    """A formula in a block of a chunk, for rules that go by the headings and the list around one."""
    math = Math("", "latex", chunk.place, "")
    if block is None or document is None:
        return Occurrence(math, chunk.first_block, chunk.heading_path, (), ())
    lead: list[Block] = []
    for other in reversed(document.blocks[max(0, block - _LONGEST_LEAD) : block]):
        if isinstance(other, Heading):
            break
        lead.append(other)
    own = document.blocks[block]
    item = own if isinstance(own, ListItem) else None
    return Occurrence(math, block, chunk.heading_path, (), (), item=item, lead=tuple(lead))


def _whole(text: str, quoted: Quoted) -> tuple[int, int]:
    """From the beginning of the sentence or formula in which a quote begins to the end of that in which it ends."""
    inside = [match for match in _DELIMITED.finditer(text) if match.start() < quoted.end and quoted.start < match.end()]
    start = min([quoted.start, *(match.start() for match in inside)])
    end = max([quoted.end, *(match.end() for match in inside)])
    reach = max(0, start - _LONGEST_SENTENCE)
    # One character further than the quote begins, because a sentence is told by how it begins.
    before = [match.end() for match in _SENTENCE_START.finditer(text, reach, start + 1) if match.end() <= start]
    first = before[-1] if before else reach
    is_closed = re.search(r"[.!?;]\W{0,2}$", text[start:end]) is not None
    after = None if is_closed else _SENTENCE_END.search(text, end, end + _LONGEST_SENTENCE)
    last = end if is_closed else after.end() if after is not None else min(len(text), end + _LONGEST_SENTENCE)
    return first, last


def _formulas(text: str, quoted: Quoted, start: int, end: int, place: Place) -> list[Math]:
    """The formulas that overlap the quote: between delimiters, else as lines or stretches of plain text."""
    found: list[Math] = []
    for match in _DELIMITED.finditer(text):
        if match.start() < quoted.end and quoted.start < match.end():
            inner = next(part for name, part in match.groupdict().items() if part is not None and name != "name")
            notation: Notation = "mathml" if match.group("f") else "latex"
            found.append(Math(inner.strip(), notation, place, match.group()))
    if not found and _RELATION.search(quoted.text):
        for line in text[start:end].split("\n"):
            found.extend(_in_plain_text(line, place))
        bare = quoted.text.strip().strip("$").rstrip(" .,;")
        is_whole = stands_alone(text, quoted.start, quoted.end) and _WORD.search(_COMMAND.sub("", bare)) is None
        if not found and is_whole:
            found.append(Math(bare, "latex", place, quoted.text))
    return found[:_MOST_FORMULAS]


def _in_plain_text(line: str, place: Place) -> list[Math]:
    relation = re.search(r"[=≈]", line)
    if relation is None:
        return []
    starts = [match.start() for match in _TEXT_STARTS.finditer(line, 0, relation.start())][-_MOST_STARTS:]
    # The widest first: a stretch that begins later or ends earlier leaves out what stands beside it.
    for start in starts:
        for end in _ends(line, relation.end()):
            found = find_formula(line[start:end])
            if found is not None:
                source = line[start + found.start : start + found.end]
                return [Math(found.source, found.notation, place, source)]
    return []


def _ends(line: str, start: int) -> list[int]:
    """Where a formula in a line may end: with it, or before a word that computes nothing, the last first."""
    found = _LONE_WORD.finditer(line, start)
    words = [match for match in found if match.group().casefold() not in OPERATORS | _FUNCTIONS]
    return [len(line), *reversed([match.start() for match in words[:_MOST_ENDS]])]
