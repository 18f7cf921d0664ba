"""Text with tags, run by run: its words and signs as tokens, its formulas cut out, other raised characters as text.

Which tokens are formulas is decided in `math_in_text`; here they are only taken from the page and put back.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import accumulate

from mathrag.documents.html.tree import Node
from mathrag.documents.html.walk import Atom, Style, StyledText
from mathrag.documents.math_in_text.tagged_latex import TaggedToken
from mathrag.documents.math_in_text.tagged_text import element_count, find_tagged
from mathrag.documents.math_in_text.tokens import SUBSCRIPTS, SUPERSCRIPTS, FoundFormula, is_unit
from mathrag.documents.two_forms import doubted
from mathrag.types.document import Math

# Greek, raised, lowered and fractional characters, which Python counts among the letters.
_NO_WORD = (
    r"\u0370-\u03ff\u00b2\u00b3\u00b5\u00b9\u00bc-\u00be\u0127"
    r"\u1d62-\u1d6a\u2070-\u209c\u210f\u2113\u2126\u2150-\u215e\u2c7c"
)
_TOKEN = re.compile(
    r"""
      (?P<space>[\s\u2061\u2062]+)
    | (?P<number>[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?(?![0-9])|[0-9]+(?:\.[0-9]+)?|\.[0-9]+)
    | (?P<greek>[\u0391-\u03a9\u03b1-\u03c9ϑϕϖϱϵµ∆Ωℏħℓ])
    | (?P<word>[^\W\d_NO_WORD]+)
    | (?P<relation>[=≈≅≡≠≤≥<>∝≪≫])
    | (?P<operator>[-+−–*/·⋅∙•×÷±∓])
    | (?P<root>[√∛])
    | (?P<fraction>[½⅓¼¾⅔⅛⅜⅝⅞⅕⅖⅗⅘⅙⅚])
    | (?P<prime>[′″'’])
    | (?P<raised>[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ]+)
    | (?P<lowered>[₀₁₂₃₄₅₆₇₈₉₊₋ₐₑₒₓₕₖₗₘₙₚₛₜᵢⱼᵣᵤᵥ]+)
    | (?P<open>[(\[])
    | (?P<close>[)\]])
    | (?P<infinity>∞)
    | (?P<other>.)
    """.replace("NO_WORD", _NO_WORD),
    re.VERBOSE | re.DOTALL,
)
# How far a formula with tags reaches into plain text, in characters.
_REACH = 60
_BASES = frozenset(("word", "greek", "number", "close", "prime"))


def split_tagged(
    runs: Sequence[StyledText], *, after_formula: bool = False, before_formula: bool = False
) -> list[StyledText | Math]:
    """Consecutive runs with the formulas among them cut out."""
    if not any(run.style.italic or run.style.scripts or run.formula is not None for run in runs):
        return list(runs)
    tokens = tokens_of(runs)
    return _cut(runs, tokens, find_tagged(tokens, after_formula=after_formula, before_formula=before_formula))


def tokens_of(runs: Sequence[StyledText]) -> list[TaggedToken]:
    """The tokens of consecutive runs. A script with nothing to hang on becomes a token of kind `loose`."""
    lexer = _RunLexer()
    for run in runs:
        lexer.add(run)
    return lexer.finished()


class _RunLexer:
    """Takes runs one by one; remembers the white since the last token and the scripts that hang on each."""

    def __init__(self) -> None:
        self._tokens: list[TaggedToken] = []
        self._scripts: dict[int, tuple[list[StyledText], list[StyledText]]] = {}
        self._offset = 0
        self._white: list[Style] = []

    def add(self, run: StyledText) -> None:
        """The next run."""
        if run.style.scripts:
            self._hang(run)
        else:
            start, stop = _prose(run.text)
            self._add_tokens(run, 0, start)
            if start < stop:
                self._append("other", run.text[start:stop], run, start)
                self._add_tokens(run, stop, len(run.text))
        self._offset += len(run.text)

    def finished(self) -> list[TaggedToken]:
        """The tokens, each with its scripts read."""
        for number, (below, above) in self._scripts.items():
            token = self._tokens[number]
            token.below, token.above = _script_tokens(below), _script_tokens(above)
            token.subscript, token.superscript = _shown(below), _shown(above)
        return self._tokens

    def _append(self, kind: str, text: str, run: StyledText, start: int) -> None:
        style = run.style
        first = self._offset + start
        token = TaggedToken(
            kind, text, first, first + len(text), 1.0 if self._white else 0.0, style.italic, style.bold,
            white_is_italic=all(white.italic for white in self._white), is_overlined=style.is_overlined,
            is_aside=style.is_verbatim or style.is_mark, owner=run.formula,
        )  # fmt: skip
        self._tokens.append(token)
        self._white = []

    def _add_tokens(self, run: StyledText, start: int, stop: int) -> None:
        for found in _TOKEN.finditer(run.text, start, stop):
            kind, text = found.lastgroup or "other", found.group()
            if kind == "space":
                self._white.append(run.style)
            elif kind in ("raised", "lowered"):
                self._hang_characters(kind, run, found)
            elif kind == "prime" and self._takes_prime(run.text[found.start() : found.end() + 1]):
                self._tokens[-1].primes += 2 if text == "″" else 1
                self._tokens[-1].end = self._offset + found.end()
            else:
                self._append(kind, text, run, found.start())

    def _base(self) -> TaggedToken | None:
        """What a script can hang on: the last token, with no white after it."""
        if not self._tokens or self._white or self._tokens[-1].kind not in _BASES:
            return None
        return self._tokens[-1]

    def _hang(self, run: StyledText) -> None:
        """Put a raised or lowered run on the token before it."""
        if not run.text.strip():
            if self._tokens:
                self._white.append(run.style)
            return
        base = None if run.style.is_mark else self._base()
        if base is None:
            self._append("loose", run.text, run, 0)
            return
        self._hang_on_last(run, is_below=run.style.scripts[0] == "sub")
        base.end = self._offset + len(run.text)

    def _hang_characters(self, kind: str, run: StyledText, found: re.Match[str]) -> None:
        """Unicode scripts (`v₀`, `t²`) become scripts like those of tags."""
        base = self._base()
        if base is None:
            self._append("other", found.group(), run, found.start())
            return
        text = found.group().translate(SUPERSCRIPTS if kind == "raised" else SUBSCRIPTS)
        self._hang_on_last(replace(run, text=text), is_below=kind == "lowered")
        base.end = self._offset + found.end()

    def _hang_on_last(self, run: StyledText, *, is_below: bool) -> None:
        below, above = self._scripts.setdefault(len(self._tokens) - 1, ([], []))
        (below if is_below else above).append(run)
        # Known at once, for the prime that may follow; what it says is read when all of it is there.
        self._tokens[-1].has_scripts = True

    def _takes_prime(self, signs: str) -> bool:
        """A prime belongs to a lone letter right before it; in `<i>v</i>'s` and after a word it is an apostrophe."""
        base = self._base()
        if base is None or (signs[0] in "'’" and signs[1:].isalpha()):
            return False
        is_letter = base.kind == "greek" or (base.kind == "word" and len(base.text) == 1)
        return is_letter and (base.italic or base.has_scripts or base.kind == "greek")


def _prose(text: str) -> tuple[int, int]:
    """From where to where a long run is only words: a formula with tags in it reaches no further into plain text."""
    if len(text) <= 3 * _REACH:
        return len(text), len(text)
    start, stop = text.find(" ", _REACH), text.rfind(" ", 0, len(text) - _REACH)
    return (start, stop) if 0 <= start < stop else (len(text), len(text))


def _shown(runs: list[StyledText]) -> str:
    return "".join(run.text for run in runs).strip()


def _script_tokens(runs: list[StyledText]) -> list[TaggedToken]:
    """The tokens of a script by itself; white means nothing in it."""
    tokens = tokens_of([replace(run, style=replace(run.style, scripts=run.style.scripts[1:])) for run in runs])
    for token in tokens:
        token.gap = 0.0
    return tokens


def _cut(
    runs: Sequence[StyledText], tokens: Sequence[TaggedToken], found: Sequence[FoundFormula]
) -> list[StyledText | Math]:
    offsets = [0, *accumulate(len(run.text) for run in runs)]
    pieces: list[StyledText | Math] = []
    at = 0
    for each in found:
        first, last = tokens[each.start].start, tokens[each.stop - 1].end
        pieces.extend(_between(runs, offsets, at, first))
        inside = _between(runs, offsets, first, last)
        quote = "".join(run.text for run in inside)
        math = Math(each.source, "latex", inside[0].node.place, " ".join(quote.split()))
        pieces.append(with_doubts_of(inside, math))
        at = last
    pieces.extend(_between(runs, offsets, at, offsets[-1]))
    return pieces


def with_doubts_of(runs: Iterable[StyledText], math: Math) -> Math:
    """A formula made of runs, uncertain where one of them is struck out or not what a person sees."""
    for doubt in (run.style.doubt for run in runs if run.style.doubt):
        math = doubted(math, doubt)
    return math


def _between(runs: Sequence[StyledText], offsets: Sequence[int], start: int, stop: int) -> list[StyledText]:
    """The characters from one offset up to another; `offsets` are those at which the runs begin."""
    parts: list[StyledText] = []
    for number in range(max(bisect_right(offsets, start) - 1, 0), len(runs)):
        run, offset = runs[number], offsets[number]
        if offset >= stop:
            break
        first, last = max(start - offset, 0), min(stop - offset, len(run.text))
        if first < last:
            parts.append(run if (first, last) == (0, len(run.text)) else replace(run, text=run.text[first:last]))
    return parts


# Formulas that a page writes half with tags and half in MathML: lone symbols of MathML become tagged text again.
#
# Only where a sign stands beside them; anything larger than a symbol stays what it is.

_OPEN, _CLOSE = r"(?:<(?:mrow|mstyle)[^<>]{0,60}>){0,4}", r"(?:</(?:mrow|mstyle)>){0,4}"
_LETTER = rf"{_OPEN}<mi>\s*([A-Za-z\u0391-\u03c9ϕϵ])\s*</mi>{_CLOSE}"
_LABEL = rf"{_OPEN}<(?:mi|mn|mtext)>\s*([A-Za-z0-9]{{1,12}})\s*</(?:mi|mn|mtext)>{_CLOSE}"
_SYMBOL = re.compile(rf"<math>{_OPEN}(?:{_LETTER}|<(msub|msup)>{_LETTER}{_LABEL}</\2>){_CLOSE}</math>")
_SIGN_AT_END = re.compile(r"[=+\-−–/×·⋅<>≤≥(]\s*$|[A-Za-z)]$")
_SIGN_AT_START = re.compile(r"\s*[=+−–/×·⋅<>≤≥]")
_ITALIC = Style(italic=True)


def with_symbols_as_runs(atoms: Sequence[Atom], node: Node) -> list[Atom]:
    """The atoms, with symbols in MathML as runs where tagged text beside them goes on with a sign."""
    if not any(isinstance(atom, StyledText) and (atom.style.italic or atom.style.scripts) for atom in atoms):
        return list(atoms)
    result: list[Atom] = []
    for position, atom in enumerate(atoms):
        runs = _as_runs(atom, node) if isinstance(atom, Math) and _has_sign_beside(atoms, position) else None
        result.extend(runs if runs is not None else [atom])
    return result


def _has_sign_beside(atoms: Sequence[Atom], position: int) -> bool:
    text_before = _text(atoms, position - 1)
    if _SIGN_AT_END.search(text_before[-20:]) and _is_tagged_near(atoms, position, -1):
        return True
    if _SIGN_AT_START.match(_text(atoms, position + 1)) and _is_tagged_near(atoms, position, 1):
        return True
    # `<i>I</i> <math>ω</math>`: an emphasised letter right before.
    before = atoms[position - 1] if position else None
    letters = [
        atom for atom in atoms[max(0, position - 2) : position] if isinstance(atom, StyledText) and atom.text.strip()
    ]
    return (
        isinstance(before, StyledText)
        and bool(letters)
        and letters[-1].style.italic
        and len(letters[-1].text.strip()) == 1
    )


def _text(atoms: Sequence[Atom], position: int) -> str:
    atom = atoms[position] if 0 <= position < len(atoms) else None
    return atom.text if isinstance(atom, StyledText) else ""


def _is_tagged_near(atoms: Sequence[Atom], position: int, step: int) -> bool:
    near = [atoms[place] for place in (position + step, position + 2 * step) if 0 <= place < len(atoms)]
    return any(isinstance(atom, StyledText) and (atom.style.italic or atom.style.scripts) for atom in near)


def _as_runs(math: Math, node: Node) -> list[Atom] | None:
    if math.notation != "mathml" or math.is_display or len(math.source) > 300 or not math.is_certain:
        return None
    found = _SYMBOL.fullmatch(math.source)
    if found is None:
        return None
    lone, script, base, label = found.groups()
    if lone:
        return [StyledText(lone, _ITALIC, node)]
    below = replace(_ITALIC, scripts=("sub" if script == "msub" else "sup",))
    return [StyledText(base, _ITALIC, node), StyledText(label, below, node)]


# Raised and lowered characters that are no formula, as plain text: `10^-3`, `m^2`, `H2O`, `1st`, `¹⁴C`.

_RAISED_DIGITS = str.maketrans("0123456789+-−–n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻ⁿ")
_RAISABLE = re.compile(r"[0-9+\-−–n]+")
_PLAIN_SUPERSCRIPTS = frozenset("st nd rd th ® ™ tm sm TM SM ° º ª".split())
_SIMPLE = re.compile(r"[-+]?\w[\w.,]*|[0-9]{1,2}[-+]|\*+|[-+]")
_BASE = re.compile(r"([^\W\d_]+)$")
_CHEMICAL_BASE = re.compile(r"([A-Z][A-Za-z]*)(?:[0-9()]*)$")
_LONGEST_UNIT = 3


def script_as_text(run: StyledText, before: str) -> str:
    """The text of a raised or lowered run, given what stands before it."""
    text = " ".join(run.text.split())
    if not text:
        return run.text
    if run.style.is_mark or text.startswith("["):
        return text.translate(_RAISED_DIGITS) if text.isdigit() else text
    return _lowered(text, before) if run.style.scripts[-1] == "sub" else _raised(text, before)


def _lowered(text: str, before: str) -> str:
    base = _CHEMICAL_BASE.search(before[-20:])
    is_count = text.isdigit() or text in ("n", "x")
    if is_count and ((base is not None and element_count(base.group(1))) or before.endswith((")", "]"))):
        return text
    if not before or before[-1].isspace():
        return text
    return f"_{text}" if _SIMPLE.fullmatch(text) else f"_({text})"


def _raised(text: str, before: str) -> str:
    if text in _PLAIN_SUPERSCRIPTS:
        return text
    last = before[-1:]
    if not last or last.isspace() or last in "([,;:.!?\"”’'":
        # Nothing to raise: the mass number of an isotope, or a note.
        return text.translate(_RAISED_DIGITS) if _RAISABLE.fullmatch(text) else text
    base = _BASE.search(before[-40:])
    if base is not None and len(base.group()) > _LONGEST_UNIT and text.isdigit() and not _is_unit_word(base.group()):
        return text.translate(_RAISED_DIGITS)
    plain = text.replace("−", "-").replace("–", "-").replace("\u2009", "")
    return f"^{plain}" if _SIMPLE.fullmatch(plain) else f"^({plain})"


def _is_unit_word(word: str) -> bool:
    return len(word) <= 20 and is_unit(word)
