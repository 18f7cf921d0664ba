"""The lines of a displayed formula as equations: a line that goes on belongs to the one before, others stand alone.

Looks at the signs between tokens, no further; what a formula means is the formula reader's business.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mathrag.documents.latexproject.formulas import Line
from mathrag.documents.latexproject.tokens import Token, as_source

_RELATIONS = frozenset(
    (
        "le leq leqslant ge geq geqslant lt gt ne neq approx approxeq equiv sim simeq cong propto doteq coloneqq "
        "eqqcolon "
        "triangleq defeq eqdef ll gg lesssim gtrsim to rightarrow longrightarrow Rightarrow Longrightarrow implies iff "
        "Leftrightarrow Longleftrightarrow mapsto in subset subseteq rightleftharpoons leftrightarrow impliedby"
    ).split()
)
# A line that begins with one of these draws a conclusion: an equation of its own.
_CONCLUSIONS = frozenset(
    "Rightarrow Longrightarrow implies iff Leftrightarrow Longleftrightarrow therefore because impliedby".split()
)
_TEXTS = frozenset("text textbf textit textrm textnormal mbox hbox parbox emph mathrm mathbf".split())
_INVISIBLE = frozenset(
    (
        ", ; : ! quad qquad thinspace displaystyle textstyle hfill hspace vspace phantom hphantom mathstrut "
        "allowbreak allowdisplaybreaks hline nobreak left right big Big bigg Bigg bigl bigr"
    ).split()
) | {" "}
PAIRED = frozenset("align alignat flalign aligned alignedat xalignat xxalignat".split())
THREE_COLUMNS = frozenset(("eqnarray", "IEEEeqnarray"))


@dataclass(frozen=True, slots=True)
class Statement:
    """One formula to be made: its LaTeX, the tokens it covers and the lines whose numbers it bears."""

    source: str
    tokens: tuple[Token, ...]
    lines: tuple[Line, ...]


def statements_of(lines: list[Line], kind: str) -> Iterator[Statement | list[Token]]:
    """The formulas of an environment of this kind, in order; text between its lines comes as tokens."""
    group: list[Line] = []
    for line in lines:
        if line.text_before:
            yield from _made(group, kind)
            group = []
            yield line.text_before
        if _is_text(line.tokens):
            yield from _made(group, kind)
            group = []
            yield [token for token in line.tokens if token.kind != "align"]
            continue
        if not any(_is_visible(token) for token in line.tokens):
            if group and (line.labels or line.tag):
                group[-1].labels.extend(line.labels)
                group[-1].tag = group[-1].tag or line.tag
            continue
        if group and kind != "multline" and not _continues(line.tokens):
            yield from _made(group, kind)
            group = []
        group.append(line)
    yield from _made(group, kind)


def _made(group: list[Line], kind: str) -> Iterator[Statement]:
    if not group:
        return
    if len(group) > 1 and kind != "multline":
        rows = [_aligned_row(line.tokens, kind) for line in group]
        source = r"\begin{aligned} " + r" \\ ".join(rows) + r" \end{aligned}"
        yield Statement(source, tuple(token for line in group for token in line.tokens), tuple(group))
        return
    if kind in PAIRED and len(group) == 1:
        pairs = _pairs(_cells(group[0].tokens))
        for number, pair in enumerate(pairs):
            yield Statement(_without_marks(pair), tuple(pair), tuple(group) if not number else ())
        return
    tokens = [token for line in group for token in line.tokens]
    yield Statement(_without_marks(tokens), tuple(tokens), tuple(group))


def _without_marks(tokens: list[Token]) -> str:
    """The source with the alignment marks of this level taken out; a matrix inside keeps its own."""
    kept: list[Token] = []
    for token, level in _levels(tokens):
        if token.kind == "align" and not level:
            kept.append(token._replace(kind="space", text=" "))
        else:
            kept.append(token)
    for index, token in enumerate(kept):
        if _is_visible(token):
            if token.kind in ("command", "frozen") and token.text in _CONCLUSIONS:
                del kept[: index + 1]
            break
    return re.sub(r"\s+([,.;])\Z", r"\1", as_source(kept))


def _aligned_row(tokens: list[Token], kind: str) -> str:
    cells = [as_source(cell) for cell in _cells(tokens)]
    if kind in THREE_COLUMNS and len(cells) > 2:
        cells = [cells[0], " ".join(cells[1:])]
    return " & ".join(cells)


def _cells(tokens: list[Token]) -> list[list[Token]]:
    cells: list[list[Token]] = [[]]
    for token, level in _levels(tokens):
        if token.kind == "align" and not level:
            cells.append([])
        else:
            cells[-1].append(token)
    return cells


def _is_text(tokens: list[Token]) -> bool:
    """Whether a line is one piece of running text: a remark between equations."""
    visible = [token for token in tokens if _is_visible(token)]
    if len(visible) < 3 or visible[0].kind not in ("command", "frozen") or visible[0].text not in _TEXTS:
        return False
    if visible[0].text in ("mathrm", "mathbf") and not any(token.text in _TEXTS for token in visible[1:]):
        return False
    outside = [token for token, level in _levels(visible[1:]) if not level]
    return all(token.kind in ("open", "close") or token.text in ".:,;" for token in outside)


def _pairs(cells: list[list[Token]]) -> list[list[Token]]:
    """Columns two by two; a pair that is no equation of its own stays with the one before it."""
    pairs: list[list[Token]] = []
    for index in range(0, len(cells), 2):
        pair = [token for cell in cells[index : index + 2] for token in cell]
        if not any(_is_visible(token) for token in pair):
            continue
        if pairs and (_continues(pair) or _first_visible(pair).text in ("text", "mbox", "textrm", "textit", "forall")):
            gap = pair[0]._replace(kind="written", text=r"\quad ")
            pairs[-1].extend([gap, *pair])
        else:
            pairs.append(pair)
    return pairs


def _levels(tokens: list[Token]) -> Iterator[tuple[Token, int]]:
    """Every token with how many groups and environments are open around it."""
    level = 0
    for token in tokens:
        kind = token.kind
        if kind in ("close", "end"):
            level = max(0, level - 1)
        yield token, level
        if kind in ("open", "begin"):
            level += 1


def _is_visible(token: Token) -> bool:
    if token.kind in ("space", "align", "tie", "paragraph"):
        return False
    return not (token.kind in ("command", "frozen") and token.text in _INVISIBLE)


def _first_visible(tokens: list[Token]) -> Token:
    return next((token for token in tokens if _is_visible(token)), tokens[0])


def _is_relation(token: Token) -> bool:
    if token.kind == "characters":
        return token.text[0] in "=<>≤≥≈≡∝→⇒"
    return token.kind in ("command", "frozen") and token.text in _RELATIONS


def _holds_relation(token: Token) -> bool:
    if token.kind == "characters":
        return any(character in "=<>≤≥≈≡∝→⇒" for character in token.text)
    return token.kind in ("command", "frozen") and token.text in _RELATIONS


def _continues(tokens: list[Token]) -> bool:
    """Whether a line goes on from the one before: it begins with a relation, or has none of its own."""
    first = _first_visible(tokens)
    if first.kind in ("command", "frozen") and first.text in _CONCLUSIONS:
        return False
    if _is_relation(first) or (first.kind == "open" and _opens_relation(tokens)):
        return True
    return not any(_holds_relation(token) for token, level in _levels(tokens) if not level)


def _opens_relation(tokens: list[Token]) -> bool:
    """`{}= b`: an empty group before the relation only keeps its spacing."""
    visible = [token for token in tokens if _is_visible(token)]
    return len(visible) > 2 and visible[1].kind == "close" and _is_relation(visible[2])
