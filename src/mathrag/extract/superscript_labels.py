"""Letters upper right of a symbol that name it and are no power: `N_e^i` where no `i` is spoken of anywhere.

A power has an exponent that is a quantity: its letter stands somewhere by itself. Where a letter stands nowhere but
there, and the symbol with it is what the document speaks of and solves for, it is a label. It is then written as a
word, the same in the whole document, so that everybody who reads a formula reads it alike.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from mathrag.types.document import Document, Math, Text, contents_of, with_formulas

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
_LONGEST = 4_000
_FEWEST = 2


def with_superscript_labels(document: Document) -> Document:
    """The document with every such letter written as a word: `N_e^{\\text{i}}`."""
    maths = [piece for content in _contents(document) for piece in content if isinstance(piece, Math)]
    if not any("^" in math.source for math in maths):
        return document
    labels = _labels(document, maths)
    if not labels:
        return document
    return replace(
        document, blocks=tuple(with_formulas(block, lambda math: _written(math, labels)) for block in document.blocks)
    )


def _contents(document: Document) -> Iterator[tuple[object, ...]]:
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


def _written(math: Math, labels: Mapping[str, frozenset[str]]) -> Math:
    if math.notation != "latex" or "^" not in math.source or len(math.source) > _LONGEST:
        return math

    def as_word(found: re.Match[str]) -> str:
        symbol, letter = _key(found)
        if symbol not in labels.get(letter, frozenset()):
            return found.group()
        return f"{found['base']}{found['below'] or found['behind']}^{{\\text{{{letter}}}}}"

    source = _SCRIPTED.sub(as_word, math.source)
    return math if source == math.source else replace(math, source=source)
