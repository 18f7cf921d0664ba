"""Symbols that their notation alone would take apart, written so that everybody who reads a formula reads them alike.

Letters upper right that name a symbol and are no power (`Q_r^w` where no `w` is spoken of anywhere), capitals that the
author draws together (`S\\!C\\!F`), left sides such as `F-1\\ score`, distances between points (`\\overline{AB}`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from mathrag.compute.grammar.word_names import is_spelled_word
from mathrag.language.word_classes import any_of
from mathrag.types.document import Content, Document, Math, Text, contents_of, with_formulas

_GREEK = (
    "alpha|beta|gamma|delta|epsilon|varepsilon|zeta|eta|theta|kappa|lambda|mu|nu|xi|rho|sigma|tau|phi|varphi|chi|psi|"
    "omega|Gamma|Delta|Theta|Lambda|Pi|Sigma|Phi|Psi|Omega"
)
_ACCENTED = r"\\(?:bar|hat|tilde|dot|overline|mathcal|mathbf)\s*\{\s*[A-Za-z]\s*\}"
# An `e` carries exponents.
_BASE = rf"(?P<base>{_ACCENTED}|\\(?:{_GREEK})(?![A-Za-z])|[A-Za-df-z])"
_BELOW = r"_\s*(?:\{[^{}]{1,20}\}|[A-Za-z0-9])"
_ABOVE = r"\^\s*(?:\{\s*(?P<%s>[A-Za-z])\s*\}|(?P<%s>[A-Za-z]))"
_BELOW_FIRST = rf"(?P<below>{_BELOW})\s*{_ABOVE % ('a', 'b')}"
_ABOVE_FIRST = rf"{_ABOVE % ('c', 'd')}\s*(?P<behind>{_BELOW})"
_SCRIPTED = re.compile(rf"(?<![A-Za-z\\]){_BASE}\s*(?:{_BELOW_FIRST}|{_ABOVE_FIRST})")
_SUBSCRIPT = re.compile(r"_\s*(?:\{[^{}]{0,60}\}|\\?[A-Za-z0-9]+)")
_WORDS = re.compile(r"\\(?:text|mathrm|mbox|operatorname|textrm|label|tag)\*?\s*\{[^{}]{0,80}\}|\\[A-Za-z]+")
# Letters that stand there for what is done with a matrix, or as the exponent that nobody needs to explain.
_NEVER = frozenset("THnmxy")
_GLUED = re.compile(r"(?<![A-Za-z\\])[A-Z](?:\s*\\!\s*[A-Z]){2,9}(?![A-Za-z])")
_NUMBERED_NAME = re.compile(
    r"\A(?P<before>\s*)(?P<lead>[A-Z][A-Za-z]{0,5}-?\d{1,2})"
    r"(?P<words>(?:(?:\\[ ,;:]|~|\s)+[a-z]{4,20}){1,4})(?:\\ |~|\s)*="
)
_POINT = r"[A-Z](?:_\s*(?:\{\s*\w\s*\}|\w)|')?"
_BAR = r"(?:\\[lr]?vert(?![A-Za-z])|\\(?:left|right)\s*\||\|)"
_SEGMENT = re.compile(
    rf"\\overline\s*\{{\s*(?P<a>{_POINT})\s*(?P<b>{_POINT})\s*\}}|{_BAR}\s*(?P<c>{_POINT})\s*(?P<d>{_POINT})\s*{_BAR}"
)
_CALLED_POINT = re.compile(rf"\b(?:{any_of('definitions.points')})\s+$", re.IGNORECASE)
_JOINS_POINTS = re.compile(r"\s*(?:,|,?\s*(?:and|to))\s*")
_ONLY_POINTS = re.compile(rf"{_POINT}(?:(?:\s|,|\\[,; ]|\\text\{{ and \}})*{_POINT}){{0,5}}")
_LONGEST = 4_000
_FEWEST = 2


def with_whole_symbols(document: Document) -> Document:
    """The document with all such symbols written as one."""
    maths = [piece for content in _contents(document) for piece in content if isinstance(piece, Math)]
    labels = _labels(document, maths) if any("^" in math.source for math in maths) else {}
    points = _points(document) if any(_SEGMENT.search(math.source) for math in maths) else frozenset()

    def written(math: Math) -> Math:
        if math.notation != "latex" or len(math.source) > _LONGEST:
            return math
        source = _GLUED.sub(_as_one_name, _NUMBERED_NAME.sub(_as_words, math.source))
        source = _SEGMENT.sub(lambda found: _as_distance(found, points), source) if points else source
        source = _SCRIPTED.sub(lambda found: _as_label(found, labels), source) if labels else source
        return math if source == math.source else replace(math, source=source)

    blocks = tuple(with_formulas(block, written) for block in document.blocks)
    return document if blocks == document.blocks else replace(document, blocks=blocks)


def _as_one_name(found: re.Match[str]) -> str:
    return rf"\mathrm{{{re.sub('[^A-Z]', '', found.group())}}}"


def _as_words(found: re.Match[str]) -> str:
    """A left side with a number in its name: no difference or product has a word of a sentence as a factor."""
    words = re.sub(r"\\[ ,;:]|~", " ", found["words"]).split()
    if not all(map(is_spelled_word, words)):
        return found.group()
    lead = found["lead"].replace("-", "")
    return rf"{found['before']}\text{{{lead} {' '.join(words)}}} ="


# Distances between points.


def _points(document: Document) -> frozenset[str]:
    """The letters that the words call points: "the stations $A, B$", "triangle $ABC$"."""
    found: set[str] = set()
    for content in _contents(document):
        is_called = False
        for piece in content:
            if isinstance(piece, Text):
                is_called = _CALLED_POINT.search(piece.text) is not None or (
                    is_called and _JOINS_POINTS.fullmatch(piece.text) is not None
                )
            elif is_called and isinstance(piece, Math) and _ONLY_POINTS.fullmatch(piece.source.strip()):
                found.update(re.findall(r"[A-Z]", piece.source))
            else:
                is_called = False
    return frozenset(found)


def _as_distance(found: re.Match[str], points: frozenset[str]) -> str:
    first, second = found["a"] or found["c"], found["b"] or found["d"]
    if first[0] not in points or second[0] not in points:
        return found.group()
    return rf"\text{{distance {re.sub(r'[^A-Za-z0-9]', '', first)} {re.sub(r'[^A-Za-z0-9]', '', second)}}}"


# Letters upper right. A power has an exponent that is a quantity: its letter stands somewhere by itself. Where a letter
# stands nowhere but there, and the symbol with it is what the document speaks of and solves for, it is a label.


def _contents(document: Document) -> Iterator[Content]:
    for block in document.blocks:
        yield from contents_of(block)


def _labels(document: Document, maths: list[Math]) -> dict[str, frozenset[str]]:
    """The letters that are labels, each with the symbols that carry it."""
    alone: Counter[tuple[str, str]] = Counter()
    spoken: set[tuple[str, str]] = set()
    rest: list[str] = []
    for math in maths:
        if math.notation != "latex" or not math.is_certain or len(math.source) > _LONGEST:
            rest.append(math.source)
            continue
        source = math.source.strip(" $.,;\n")
        rest.append(_SUBSCRIPT.sub(" ", _WORDS.sub(" ", _SCRIPTED.sub(" ", source))))
        left = source.split("=")[0].replace("&", " ").strip() if "=" in source else source
        found = _SCRIPTED.fullmatch(left)
        if found:
            alone[_key(found)] += 1
            if left == source and not math.is_display:
                spoken.add(_key(found))
    known = "\n".join(rest)
    told = " ".join(piece.text for content in _contents(document) for piece in content if isinstance(piece, Text))
    may_be = [one for one in spoken if one[1] not in _NEVER and one[1] not in known and not _is_told(one[1], told)]
    sure = {symbol for symbol, letter in may_be if alone[symbol, letter] >= _FEWEST}
    labels: dict[str, set[str]] = {}
    # What stands once beside others of the same symbol is what they are.
    for symbol, letter in may_be:
        if symbol in sure:
            labels.setdefault(letter, set()).add(symbol)
    return {letter: frozenset(symbols) for letter, symbols in labels.items()}


def _is_told(letter: str, text: str) -> bool:
    """Whether the words say what the letter is."""
    return (
        re.search(rf"(?<![\w'’]){letter}(?![\w'’])\s*(?:=|\b(?:is|are|denotes|being|stands|represents)\b)", text)
        is not None
    )


def _key(found: re.Match[str]) -> tuple[str, str]:
    letter = found["a"] or found["b"] or found["c"] or found["d"]
    return re.sub(r"[\s{}]", "", found["base"] + (found["below"] or found["behind"])), letter


def _as_label(found: re.Match[str], labels: Mapping[str, frozenset[str]]) -> str:
    symbol, letter = _key(found)
    if symbol not in labels.get(letter, frozenset()):
        return found.group()
    return f"{found['base']}{found['below'] or found['behind']}^{{\\text{{{letter}}}}}"
