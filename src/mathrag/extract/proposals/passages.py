"""Where a quote stands in its chunk, with the whole formula or sentence around it. A cut quote must not say otherwise.

"The pressure is the force divided by the area" is another statement where the text goes on with "squared".
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from mathrag.documents.text_formulas import find_formula
from mathrag.documents.views.block_text import block_text
from mathrag.documents.views.nouns import ChunkView
from mathrag.extract.occurrences import Occurrence
from mathrag.extract.proposals.quoting import Quoted, find_quote, holds
from mathrag.extract.proposals.signs import stands_alone
from mathrag.extract.proposals.spoken_words import OPERATORS
from mathrag.extract.reading import read_math
from mathrag.types.document import Block, Document, Heading, ListItem, Math, Notation, Place
from mathrag.types.expression import Declined, Equation

_LONGEST_TEXT = 20_000
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
_OPENING = re.compile(
    r"((?:for|in|at|when|under|during|with|on|inside|outside|near|within|between|without|neglecting)\b[^,.;:$=]{2,80}),",
    re.I,
)
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
    text = chunk.text[:_LONGEST_TEXT]
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
