"""What a document shows of its own symbols, before any formula is read: letters and names that stand alone.

Gathered once, from the sources of its formulas and the words around them. Decides nothing: `readings` weighs it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from mathrag.compute.pythontext.programs import assignments
from mathrag.documents.programs import programs_of
from mathrag.extract.phrases import words_of
from mathrag.extract.weights import weights
from mathrag.knowledge.kinds import all_kinds
from mathrag.knowledge.spelling import normal_words
from mathrag.language.word_classes import word_class
from mathrag.types.document import Content, Document, Math, Table, Text, contents_of
from mathrag.types.library import SymbolDefinition
from mathrag.types.quantity import Dimension
from mathrag.types.symbol_names import split_name

_W = weights("readings")
_LONGEST_RUN = 6
_MOST_FACTORS = 4
# So many times more often in italics than upright are letters set by an author for whom italics are factors.
_MOSTLY = 3


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The symbols of a document.

    `names` are several letters that are certainly one symbol; `letters` and `runs` say how far single letters and
    several letters together are shown to be symbols; `symbols` are letters with a subscript that stand alone;
    `functions` are symbols shown with what they depend on; `dimensions` are those that definitions give; `loose` are
    letters side by side that an author who sets names upright sets in italics.
    """

    names: tuple[str, ...] = ()
    letters: Mapping[str, float] = field(default_factory=dict)
    runs: Mapping[str, float] = field(default_factory=dict)
    symbols: frozenset[str] = frozenset()
    functions: frozenset[str] = frozenset()
    dimensions: Mapping[str, Dimension] = field(default_factory=dict)
    loose: frozenset[str] = frozenset()
    text: str = ""

    def says(self, phrase: str) -> bool:
        """Whether the words stand in the text in this order."""
        return f" {normal_words(phrase)} " in self.text

    def support_of_letters(self, text: str) -> float:
        """How far every one of the letters is shown to be a symbol: as far as the least of them."""
        return min((self.letters.get(letter, 0.0) for letter in text), default=0.0)

    def support_of_name(self, text: str) -> float:
        """How far the letters together are shown to be one symbol."""
        return self.runs.get(text, 0.0)

    def is_function(self, name: str) -> bool:
        """Whether the document shows the symbol with an argument, and nothing else around it."""
        return name in self.functions or split_name(name).letter in self.functions


def gather_vocabulary(document: Document, definitions: Sequence[SymbolDefinition]) -> Vocabulary:
    """The vocabulary of a document, in one pass over it."""
    shown = _Shown()
    for block in document.blocks:
        is_table = isinstance(block, Table)
        for content in contents_of(block):
            shown.take(content, is_cell=is_table)
    for _, program in programs_of(document):
        # A program has no letters side by side.
        shown.spelled.update(one.name for one in assignments(program.text) if is_long(one.name))
    defined = [one for one in definitions if one.name]
    for one in defined:
        shown.define(one)
    text = f" {_all_words(document)} "
    shown.kinds = _named_kinds(document, text, defined, shown.runs | shown.left_runs)
    dimensions = {one.name: one.dimension for one in reversed(defined) if one.dimension is not None}
    loose = shown.loose_runs()
    products = loose | {one.name for one in defined if _says_a_product(one, dimensions)}
    return Vocabulary(
        # A single letter needs no hint, and as one it would keep the reader from seeing a unit in `12 m`.
        names=tuple(sorted(({one.name for one in defined if is_long(one.name)} | shown.spelled) - products)),
        letters=shown.letters,
        runs=shown.supported_runs(loose),
        symbols=frozenset(shown.symbols),
        functions=frozenset(shown.functions),
        dimensions=dimensions,
        loose=loose,
        text=text,
    )


def _says_a_product(definition: SymbolDefinition, dimensions: Mapping[str, Dimension]) -> bool:
    """Whether letters are defined that are factors: "its weight mg", where a mass times an acceleration is a weight."""
    letters = definition.name
    if definition.dimension is None or not 1 < len(letters) <= _MOST_FACTORS or not letters.isalpha():
        return False
    found = [dimensions.get(letter) for letter in letters]
    if letters.isupper() or definition.dimension.is_dimensionless:
        return False
    total = Dimension()
    for one in found:
        if one is None:
            return False
        total = total * one
    return total == definition.dimension


# What the sources show, read off their letters: no formula is understood for this.

_WORDS_INSIDE = re.compile(
    r"\\(?:text(?:rm|it|bf)?|math(?:rm|it|bf|sf)|mbox|operatorname|label|tag|ref|begin|end)\*?\s*\{[^{}]{0,80}\}"
)
_SUBSCRIPT = re.compile(r"\\?_\s*(?:\{([^{}]{0,40})\}|(\\[A-Za-z]+|[A-Za-z0-9]))")
_LAYOUT = re.compile(r"\\(?:left|right|displaystyle|begin|end|big|bigg|Big|Bigg|[,;:! ])(?![A-Za-z])|[{}&~]|\\\\")
_COMMAND = re.compile(r"\\([A-Za-z]+)")
_SUBSCRIPT_IN_TAGS = re.compile(
    r"<msub>\s*<mi[^>]*>([^<]*)</mi>\s*(?:<m[in][^>]*>([^<]*)</m[in]>|<mrow>(?:(?!</mrow>|<mrow>).){0,300}</mrow>)\s*"
    r"</msub>",
    re.S,
)
_TOKEN = re.compile(r"<(mi|mn|mo|mtext)(?:\s[^>]*)?>([^<]*)</\1>|<(?!/?mi\b)[^>]*>")
# Letters that one token sets, with what says that they are in italics.
_SET_RUN = re.compile(r'(<mstyle fontstyle="italic">(?:<mrow>)?)?<(mi|mtext)((?:\s[^<>]*)?)>([A-Za-z]{2,4})[.,;]?</\2>')
_LETTER = re.compile(r"(?<![A-Za-z0-9._])([A-Za-z])(?![A-Za-z])")
_NUMBERED_LETTER = re.compile(r"(?<![A-Za-z.])[0-9]+\s*([A-Za-z])(?![A-Za-z])")
_BRACKETS = re.compile(r"\[[^\[\]]{0,40}\]")
_RUN = re.compile(r"(?<![A-Za-z])[A-Za-z]{2,6}(?![A-Za-z])")
_LONE = re.compile(r"\s*(?:\\?([A-Za-z]{1,6}))(?:_\(?(\w*)\)?)?['*′]*\s*[.,;:]?\s*")
_CALL = re.compile(
    r"\s*([A-Za-z]+)(?:_\(?\w*\)?)?\s*[(\[]\s*[A-Za-z]+(?:_\(?\w*\)?)?(?:\s*,\s*[A-Za-z]+(?:_\w*)?)*\s*[)\]]\s*"
)
_APPLIED = re.compile(r"\s*([A-Z]{2,6})\s*\(")
_RELATION = re.compile(r"=|≈|≡|\bapprox\b|\bequiv\b")
_ACRONYM = re.compile(r"(?<![A-Za-z0-9/])(?=[A-Za-z]{0,4}[A-Z][A-Za-z]{0,3}[A-Z])[A-Za-z]{2,6}(?![A-Za-z])")
_SAYS = re.compile(r"\s*(?:\(|is\b|are\b|was\b|the\b|an?\b|denotes\b|means\b|stands\b|=|:|,\s*the\b)")
_SMALL_WORDS = word_class("formula_sets.small_words")
_GREEK = frozenset(
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon phi chi "
    "psi omega".split()
)


class _Shown:
    """Collects what the contents of a document show, one after the other."""

    def __init__(self) -> None:
        self.letters: dict[str, float] = {}
        self.lone_runs: dict[str, float] = {}
        self.left_runs: set[str] = set()
        self.runs: set[str] = set()
        self.symbols: set[str] = set()
        self.functions: set[str] = set()
        self.acronyms: set[str] = set()
        self.cells: set[str] = set()
        self.spelled: set[str] = set()
        self.defined: dict[str, float] = {}
        self.kinds: dict[str, float] = {}
        self.initials: list[str] = []
        self._seen: dict[str, str] = {}
        self.italic: Counter[str] = Counter()
        self.upright: Counter[str] = Counter()

    def take(self, content: Content, *, is_cell: bool) -> None:
        words: list[str] = []
        for index, piece in enumerate(content):
            if isinstance(piece, Text):
                words.append(piece.text)
            elif isinstance(piece, Math) and piece.is_certain:
                self._formula(piece, content, index)
        text = "".join(words)
        if any(character.isupper() for character in text):
            self.acronyms.update(_ACRONYM.findall(text))
        if is_cell and len(text) <= _LONGEST_RUN + 4:
            self.cells.add(text.strip(" .:,*_"))
        self.initials.append(_initials(text))

    def _formula(self, math: Math, content: Content, index: int) -> None:
        source = math.source
        line = self._seen.get(source)
        is_new = line is None
        line = plain_letters(math) if line is None else line
        self._seen[source] = line
        if is_new and math.notation == "mathml":
            for found in _SET_RUN.finditer(source):
                is_italic = bool(found[1]) or "italic" in found[3]
                (self.italic if is_italic else self.upright)[found[4]] += 1
        lone = _LONE.fullmatch(line)
        if lone:
            self._lone(lone.group(1), lone.group(2) or "", content, index)
        elif is_new:
            self._inside(line)

    def _lone(self, text: str, subscript: str, content: Content, index: int) -> None:
        if len(text) == 1 or text in _GREEK:
            self._letter(text, "lone_letter")
            if subscript:
                self.symbols.add(f"{text}_{subscript}")
            return
        after = content[index + 1] if index + 1 < len(content) else None
        is_said = isinstance(after, Text) and _SAYS.match(after.text) is not None
        weight = _W["lone_name"] if text[:1].isupper() else _W["lone_small_name"]
        self.lone_runs[text] = max(self.lone_runs.get(text, 0.0), weight + (_W["said_of_name"] if is_said else 0.0))
        if _spelled_by_initials(text, words_of(content[max(0, index - 4) : index])):
            self.spelled.add(text)

    def _inside(self, line: str) -> None:
        """A formula with more than one symbol: what stands alone on its left side, alone in it, or with an argument."""
        sides = _RELATION.split(line)
        left = _LONE.fullmatch(sides[0]) if len(sides) > 1 else None
        if left and len(left.group(1)) == 1:
            self._letter(left.group(1), "left_letter")
        elif left and left.group(1) not in _GREEK:
            self.left_runs.add(left.group(1))
        applied = _APPLIED.match(sides[0]) if len(sides) > 1 and sides[0].rstrip().endswith(")") else None
        if applied:
            self.left_runs.add(applied.group(1))
        call = _CALL.fullmatch(sides[0])
        if call:
            self.functions.add(call.group(1))
        # What is in square brackets may be a unit or a substance.
        outside = _BRACKETS.sub(" · ", line)
        for letter in (*_LETTER.findall(outside), *_NUMBERED_LETTER.findall(outside)):
            self._letter(letter, "letter_in_formula")
        self.symbols.update(f"{base}_{below}" for base, below in re.findall(r"(?<![A-Za-z])([A-Za-z])_\(?(\w+)", line))
        self.runs.update(_RUN.findall(line))

    def _letter(self, letter: str, weight: str) -> None:
        self.letters[letter] = max(self.letters.get(letter, 0.0), _W[weight])

    def define(self, definition: SymbolDefinition) -> None:
        parts = split_name(definition.name)
        if len(parts.letter) == 1:
            self._letter(parts.letter, "defined_letter")
            self.symbols.add("_".join((parts.letter, *parts.subscripts)))
        elif definition.kind is not None or definition.dimension is not None:
            self.defined[parts.letter] = _W["defined_name"]
        else:
            # What is no quantity ("an LC circuit") may be called by the letters of several.
            self.defined.setdefault(parts.letter, _W["said_of_name"])

    def loose_runs(self) -> frozenset[str]:
        """The runs in italics, where the author sets names upright: some that the words define, and as one token."""
        names = [run for run, count in self.upright.items() if run in self.defined and count > _MOSTLY]
        if not any(self.italic[run] * _MOSTLY < self.upright[run] for run in names):
            return frozenset()
        return frozenset(run for run, count in self.italic.items() if count > _MOSTLY * self.upright[run])

    def supported_runs(self, loose: frozenset[str] = frozenset()) -> dict[str, float]:
        """How far each run of letters is shown to be one name: the sum of what speaks for it.

        Capitals among the words ("a PV diagram") are no name for what formulas set as `loose` letters.
        """
        spelled_out = "|".join(self.initials)
        found: dict[str, float] = {}
        outside = self.acronyms - loose
        for run in {*self.runs, *self.left_runs, *self.lone_runs, *self.defined}:
            support = self.lone_runs.get(run, 0.0)
            if run in self.left_runs and run.isupper():
                support += _W["left_name"] if len(run) == 2 else _W["long_left_name"]
            support += _W["name_in_words"] if run in outside else 0.0
            support += _W["name_in_cell"] if run in self.cells else 0.0
            support += self.kinds.get(run, 0.0)
            support += self.defined.get(run, 0.0)
            is_spelled = run in self.spelled or (len(run) > 2 and run.isupper() and run.lower() in spelled_out)
            support += _W["initials"] if is_spelled else 0.0
            if support:
                found[run] = support
        return found


def plain_letters(math: Math) -> str:
    """The source as one line of letters, signs and `_` before subscripts, without words and layout."""
    source = math.source
    if math.notation == "mathml":
        source = _SUBSCRIPT_IN_TAGS.sub(lambda found: f"<mi>{found[1]}</mi><mo>_{found[2] or 'row'}</mo>", source)
        return "".join(_token_text(found) for found in _TOKEN.finditer(source))
    if math.notation == "latex":
        source = _WORDS_INSIDE.sub(" ", source)
        source = _SUBSCRIPT.sub(lambda found: f"_{_flat(found[1] or found[2])} ", source)
        source = _LAYOUT.sub(" ", source)
        # A Greek letter stands apart from the letters around it, and keeps its name.
        source = _COMMAND.sub(lambda found: f" {found[1]} " if found[1] in _GREEK else " · ", source)
    return source.strip("$ \n")


def _flat(text: str) -> str:
    return re.sub(r"\W", "", text)


def _token_text(found: re.Match[str]) -> str:
    kind, text = found.group(1), (found.group(2) or "").strip()
    if kind is None:
        return " "
    is_letter = kind == "mi" and len(text) == 1
    return text if is_letter or text.startswith("_") else f" {text} "


def _initials(text: str) -> str:
    """The first letters of the words, and again without the small words that abbreviations leave out."""
    words = re.findall(r"[A-Za-z]+", text)
    telling = [word for word in words if word.lower() not in _SMALL_WORDS]
    return "".join(word[0].lower() for word in words) + "|" + "".join(word[0].lower() for word in telling)


# Names of several letters in the table of kinds, where the words of the document speak of that kind.


def _named_kinds(
    document: Document, words: str, definitions: Sequence[SymbolDefinition], runs: set[str]
) -> dict[str, float]:
    """How far each is supported by the names of its kind that the words hold; most by one with those initials."""
    found: dict[str, float] = {}
    for name, phrases in _long_symbols():
        said = [phrase for phrase in phrases if f" {phrase} " in words] if name in runs else []
        if said and not _is_product(name, document, definitions):
            is_spelled = any("".join(word[0] for word in phrase.split()) == name.lower() for phrase in said)
            found[name] = _W["kind_with_initials"] if is_spelled else _W["kind_in_words"]
    return found


def _is_product(name: str, document: Document, definitions: Sequence[SymbolDefinition]) -> bool:
    """Whether the words beside a formula with these letters say what each is: "RC, where R is the resistance and"."""
    places = [{one.first_block for one in definitions if one.name == letter} for letter in name]
    for place in set.intersection(*places):
        for block in document.blocks[max(0, place - 1) : place + 1]:
            if any(name in _RUN.findall(plain_letters(math)) for math in _formulas(contents_of(block))):
                return True
    return False


def _formulas(contents: Iterable[Content]) -> Iterator[Math]:
    return (piece for content in contents for piece in content if isinstance(piece, Math))


def is_long(name: str) -> bool:
    """Whether the name of a symbol has several letters and is no Greek letter spelled out."""
    letter = split_name(name).letter
    return len(letter) > 1 and letter.casefold().rstrip("_") not in _GREEK


def _spelled_by_initials(letters: str, before: str) -> bool:
    """Whether the words just before begin with these letters: "kinetic energy KE", "molecular weight MW"."""
    words = re.findall(r"[A-Za-z]+", before)[-len(letters) :]
    return len(words) == len(letters) and [word[0].lower() for word in words] == list(letters.lower())


@lru_cache(maxsize=1)
def _long_symbols() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Symbols of two or more letters in the table of kinds, with the names they go with."""
    found: dict[str, list[str]] = {}
    for item in all_kinds():
        for name in item.symbols:
            letter = split_name(name).letter
            if len(letter) > 1 and letter == name and name.isalpha() and not name.endswith("_") and name[0].isupper():
                found.setdefault(name, []).extend(normal_words(words) for words in item.words)
    return tuple((name, tuple(words)) for name, words in sorted(found.items()) if name.casefold() not in _GREEK)


def _all_words(document: Document) -> str:
    """All words of a document in one normal spelling, to look for phrases in."""
    parts: list[str] = []
    for block in document.blocks:
        for content in contents_of(block):
            parts.extend(piece.text for piece in content if isinstance(piece, Text))
            parts.append(" . ")
    return normal_words(re.sub(r"[^\w\s'’\-.]", " ", "".join(parts)))
