"""One formula taken from the stream: macros expanded, units written out, labels and tags set aside, lines told apart.

Collects tokens only; what its lines mean as equations is decided after that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from mathrag.compute.latex import read_latex
from mathrag.documents.latex_project.expander import Expander
from mathrag.documents.latex_project.inlines import ACCENTS, accented
from mathrag.documents.latex_project.tokens import TexToken, as_source
from mathrag.documents.latex_project.units import COMMANDS as UNIT_COMMANDS
from mathrag.documents.latex_project.units import Written, read_quantity
from mathrag.types.expression import Declined

_LONGEST = 30_000
_LINE_BREAKS = frozenset(("\\", "cr", "tabularnewline", "newline"))
_DROPPED = frozenset("begingroup endgroup bgroup egroup relax protect leavevmode noindent centering xspace".split())
_ACRONYMS = frozenset("ac acs acl acf acp gls Gls glspl acrshort".split())
_NEARLY = {"approx": "≈ ", "simeq": "≈ ", "cong": "≈ ", "sim": "~ ", "thickapprox": "≈ "}
# How authors of statistics call the commands for expectation and variance; each takes the variable as its argument.
_MOMENTS = {
    **dict.fromkeys(("E", "EE", "Ex", "Exp", "Expect", "expect", "expec", "Mean"), "E"),
    **dict.fromkeys(("V", "VV", "Var", "var", "Variance"), "V"),
    **dict.fromkeys(("Cov", "cov"), "Cov"), **dict.fromkeys(("Std", "std", "SD", "sd"), "SD"),
}  # fmt: skip
_MOMENT_NAME = re.compile(
    r"\\?[A-Za-z]{1,12}(?:\s*_\s*(?:\{\s*\w{1,8}\s*\}|\w))?(?:\s*\(\s*\w{1,4}\s*\))?(?:\s*\^\s*\{?2\}?)?"
)
# A formula that meets one of these was never closed.
_STRUCTURE = frozenset(
    "part chapter section subsection subsubsection paragraph item bibitem caption printbibliography".split()
)
_ENDS_IN_NUMBER = re.compile(
    r"(?:\d|10\s*\^\s*(?:\{\s*-?\s*\d+\s*\}|-?\d+))(?:\s|~|\\[,;: !]|\\(?:quad|thinspace)\b)*\Z"
)


@dataclass(slots=True)
class FormulaLine:
    """One line of a displayed formula with what it says about its number."""

    tokens: list[TexToken] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    tag: str = ""
    is_numbered: bool = True
    text_before: list[TexToken] = field(default_factory=list)


@dataclass(slots=True)
class Collected:
    """A formula as it came: its lines, where it began and ended, its only quantity if it is no more than that."""

    opening: TexToken
    lines: list[FormulaLine]
    file: int
    start: int
    stop: int
    quantity: Written | None = None


def _moment_name(source: str) -> str:
    """The variable of a moment as a label: `X,i` for `X_i`, `A,t` for `A(t)`, `S,sq` for `S^2`; empty for more."""
    bare = source.strip()
    if _MOMENT_NAME.fullmatch(bare) is None:
        return ""
    parts = re.findall(r"[A-Za-z]+|\d+", re.sub(r"\^\s*\{?2\}?", " sq", bare))
    return ",".join(rf"\mathrm{{{part}}}" if part.isalpha() else part for part in parts)


@lru_cache(maxsize=2_000)
def is_unknown_command(name: str) -> bool:
    """Whether the reader of formulas does not know a command, so that every formula with it is declined."""
    if not name.isalpha() or len(name) > 40:
        return False
    reading = read_latex(rf"\{name}{{a}}{{b}}")
    return isinstance(reading, Declined) and reading.code == "unknown_command"


class FormulaCollector:
    """Reads one formula up to `closer`: `$`, `$$`, `)`, `]`, `capture`, or the name of an environment."""

    def __init__(self, expander: Expander, opening: TexToken, closer: str) -> None:
        self.expander = expander
        self.opening = opening
        self.closer = closer
        self.lines = [FormulaLine()]
        self.count = 0
        self.depth = 0
        self.environments: list[str] = []
        self.quantity: Written | None = None
        self.quantity_token: TexToken | None = None

    def collect(self) -> Collected:
        """Take tokens until the formula is closed, or must have been."""
        expander = self.expander
        while True:
            token = expander.next()
            if token is None:
                self._unclosed()
                break
            if self._closes(token):
                break
            if self._breaks_off(token):
                expander.push(token)
                self._unclosed()
                break
            self._take(token)
        if self.count > _LONGEST:
            expander.note("long_formula", "a formula longer than any real one; it is left out", self.opening)
            self.lines = [FormulaLine()]
        return self._collected()

    def _collected(self) -> Collected:
        opening, last = self.opening, self.expander.last
        stop = max(opening.stop, last.stop) if last.file == opening.file else opening.stop
        if self.closer == "capture":
            stop = opening.stop
        visible = [token for line in self.lines for token in line.tokens if token.kind != "space"]
        only = self.quantity if len(visible) == 1 and visible[0] is self.quantity_token else None
        if len(visible) == 2 and visible[1] is self.quantity_token and visible[0].text in _NEARLY and self.quantity:
            only = Written(_NEARLY[visible[0].text] + self.quantity.plain, self.quantity.latex)
        return Collected(opening, self.lines, opening.file, opening.start, stop, only)

    def _unclosed(self) -> None:
        self.expander.note("unclosed_formula", "a formula is never closed; it is taken to end here", self.opening)

    def _closes(self, token: TexToken) -> bool:
        closer, kind = self.closer, token.kind
        if kind == "end_capture":
            if closer != "capture":
                self.expander.push(token)
                self._unclosed()
            return True
        if self.depth or self.environments:
            # What is still open inside is the formula's own fault; its end is plain to see all the same.
            return kind == "end" and token.text == closer and closer not in self.environments
        if kind == "dollar" and closer in ("$", "$$"):
            if closer == "$$":
                following = self.expander.raw()
                if following is not None and following.kind != "dollar":
                    self.expander.push(following)
            return True
        if kind == "end" and token.text == closer:
            return True
        return kind in ("command", "frozen") and token.text == closer and closer in (")", "]")

    def _breaks_off(self, token: TexToken) -> bool:
        kind = token.kind
        if kind == "barrier" or (kind == "close" and not self.depth):
            return True
        if kind == "paragraph" or (kind == "command" and token.text == "par"):
            return self.closer in ("$", ")")
        if kind == "end":
            return not self.environments
        return kind == "command" and token.text in _STRUCTURE

    def add(self, token: TexToken) -> None:
        """One more token of the current line."""
        self.count += 1
        if self.count <= _LONGEST:
            self.lines[-1].tokens.append(token)

    def _write(self, text: str, token: TexToken) -> TexToken:
        last = self.expander.last
        stop = max(token.stop, last.stop) if last.file == token.file else token.stop
        written = TexToken("written", text, token.file, token.start, stop)
        self.add(written)
        return written

    def _take(self, token: TexToken) -> None:
        kind = token.kind
        if kind in ("command", "frozen"):
            self._command(token)
            return
        if kind == "open":
            self.depth += 1
        elif kind == "close":
            self.depth -= 1
        elif kind == "begin":
            self.environments.append(token.text)
        elif kind == "end":
            self.environments.pop()
        elif kind == "paragraph":
            token = token._replace(kind="space")
        elif kind == "no_value":
            return
        self.add(token)

    def _command(self, token: TexToken) -> None:
        expander, name = self.expander, token.text
        at_top = not self.depth and not self.environments
        if name in _LINE_BREAKS:
            self._line_break(token, at_top=at_top)
        elif name == "label":
            self.lines[-1].labels.append(expander.plain_argument())
        elif name == "tag":
            expander.star()
            self.lines[-1].tag = as_source(expander.expanded(expander.argument(is_long=False))).replace("$", "")
        elif name in ("nonumber", "notag"):
            self.lines[-1].is_numbered = False
        elif name in ("intertext", "shortintertext"):
            text = expander.argument()
            self.lines.append(FormulaLine(text_before=text))
        elif name == "ensuremath":
            self._ensure_math(token)
        elif name in UNIT_COMMANDS:
            self._quantity(token)
        elif name in ("ce", "cee"):
            self._write(f"\\ce{{{as_source(expander.argument())}}}", token)
        elif name in ACCENTS and not name.isalpha() and name not in "=.":
            self._accent(token)
        elif name in ("(", ")"):
            self._write("$", token)
        elif name in ("footnote", "footnotetext", "marginpar", "vspace", "index"):
            expander.star()
            expander.option()
            expander.argument()
        elif name in _ACRONYMS:
            self._write(f"\\text{{{as_source(expander.argument())}}}", token)
        elif name == "dd":
            self._differential(token)
        elif name == "genfrac":
            self._general_fraction(token)
        else:
            self._other_command(token)

    def _other_command(self, token: TexToken) -> None:
        """A command that the reader of formulas gets as it is, but for white."""
        if token.text == "par":
            self.add(token._replace(kind="space", text=" "))
        elif token.text in ("space", "nobreakspace"):
            self._write("\\ ", token)
        elif token.text in _MOMENTS:
            self._moment(token)
        elif token.text not in _DROPPED:
            if is_unknown_command(token.text):
                self._note_unknown(token)
            self.add(token)

    def _note_unknown(self, token: TexToken) -> None:
        shown = f"\\{token.text[:40]}"
        message = f"the command {shown} is not known; formulas with it are not read"
        self.expander.note("unknown_macro", message, token, once=f"macro {shown}")

    def _moment(self, token: TexToken) -> None:
        """`\\E{X}`, `\\Var X` of a preamble that is not here: the mean of X is one quantity, named after both."""
        following = self.expander.skip_blanks()
        if following is None:
            self.add(token)
            return
        if following.kind == "open":
            inside = self.expander.group(following)
            taken = [following, *inside, following._replace(kind="close", text="}")]
        else:
            first = self.expander.first_character(following)
            inside = taken = [first]
        after = self.expander.peek()
        name = _moment_name(as_source(inside))
        if not name or (len(taken) == 1 and after is not None and after.kind == "super"):
            # Of what the moment is taken, cannot be told: `\\E S^2`, `\\E{X + Y}`.
            self._note_unknown(token)
            self.expander.push_all(taken)
            self.add(token)
            return
        self._write(rf"\mathrm{{{_MOMENTS[token.text]}}}_{{{name}}}", token)

    def _line_break(self, token: TexToken, *, at_top: bool) -> None:
        self.expander.star()
        following = self.expander.peek()
        if following is not None and following.kind == "characters" and following.text.startswith("["):
            self.expander.option()
        if at_top:
            self.lines.append(FormulaLine())
        else:
            self.add(token._replace(kind="written", text="\\\\ "))

    def _ensure_math(self, token: TexToken) -> None:
        inside = self.expander.argument()
        before = self.lines[-1].tokens
        if before and before[-1].kind in ("super", "sub"):
            inside = [token._replace(kind="open", text="{"), *inside, token._replace(kind="close", text="}")]
        self.expander.push_all(inside)

    def _quantity(self, token: TexToken) -> None:
        """A siunitx command; `\\qty(...)` of the physics package is only a pair of brackets."""
        expander = self.expander
        if token.text == "qty":
            following = expander.skip_blanks()
            if following is not None:
                expander.push(following)
                if following.kind == "characters" and following.text[0] in "(|":
                    return
        written = read_quantity(expander, token)
        text = written.latex
        if written.unit and not _ENDS_IN_NUMBER.search(as_source(self.lines[-1].tokens[-12:])):
            # A unit without a number is no product of symbols; the formula reader knows \si for what it is.
            text = f"\\si{{{written.unit}}}"
        self.quantity = written
        self.quantity_token = self._write(text, token)

    def _accent(self, token: TexToken) -> None:
        letter = as_source(self.expander.argument())
        if letter[:1].isalpha():
            self._write(accented(token.text, letter), token)
        else:
            self.add(token)
            self._write(letter, token)

    def _differential(self, token: TexToken) -> None:
        """`\\dd{x}`, `\\dd[3]{x}`, `\\dd x` of the physics package."""
        power = self.expander.option()
        script = f"^{{{as_source(power)}}}" if power else ""
        following = self.expander.peek()
        if following is not None and following.kind == "open":
            inside = as_source(self.expander.expanded(self.expander.argument()))
            self._write(f"\\,\\mathrm{{d}}{script} {inside}", token)
        else:
            self._write(f"\\mathrm{{d}}{script}", token)

    def _general_fraction(self, token: TexToken) -> None:
        parts = [as_source(self.expander.expanded(self.expander.argument())) for _ in range(6)]
        opening, closing, thickness, _, above, below = parts
        if thickness.startswith("0") and opening == "(" and closing == ")":
            text = f"\\binom{{{above}}}{{{below}}}"
        else:
            text = f"\\frac{{{above}}}{{{below}}}"
            if opening or closing:
                text = f"\\left{opening or '.'}{text}\\right{closing or '.'}"
        self._write(text, token)


# The lines of a displayed formula as equations: a line that goes on belongs to the one before, others stand alone.
#
# Looks at the signs between tokens, no further; what a formula means is the formula reader's business.

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
    tokens: tuple[TexToken, ...]
    lines: tuple[FormulaLine, ...]


def statements_of(lines: list[FormulaLine], kind: str) -> Iterator[Statement | list[TexToken]]:
    """The formulas of an environment of this kind, in order; text between its lines comes as tokens."""
    group: list[FormulaLine] = []
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


def _made(group: list[FormulaLine], kind: str) -> Iterator[Statement]:
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
    equations = _equations_side_by_side(group) if kind != "multline" else []
    if equations:
        for number, cell in enumerate(equations):
            yield Statement(_without_marks(cell), tuple(cell), tuple(group) if not number else ())
        return
    tokens = [token for line in group for token in line.tokens]
    yield Statement(_without_marks(tokens), tuple(tokens), tuple(group))


def _equations_side_by_side(group: list[FormulaLine]) -> list[list[TexToken]]:
    """The cells of a row that are equations by themselves, where there are several: `a = 1 & b = 2`; else none.

    Read as one they would multiply: `a = 1 b`.
    """
    cells = _cells(group[0].tokens) if len(group) == 1 else []
    equations = [cell for cell in cells if _is_equation(cell)]
    others = [cell for cell in cells if any(_is_visible(token) for token in cell) and not _is_equation(cell)]
    return equations if len(equations) > 1 and not others else []


def _is_equation(tokens: list[TexToken]) -> bool:
    visible = [token for token in tokens if _is_visible(token)]
    return any(_holds_relation(token) for token, level in _levels(visible) if not level) and not _continues(tokens)


def _without_marks(tokens: list[TexToken]) -> str:
    """The source with the alignment marks of this level taken out; a matrix inside keeps its own."""
    kept: list[TexToken] = []
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


def _aligned_row(tokens: list[TexToken], kind: str) -> str:
    cells = [as_source(cell) for cell in _cells(tokens)]
    if kind in THREE_COLUMNS and len(cells) > 2:
        cells = [cells[0], " ".join(cells[1:])]
    return " & ".join(cells)


def _cells(tokens: list[TexToken]) -> list[list[TexToken]]:
    cells: list[list[TexToken]] = [[]]
    for token, level in _levels(tokens):
        if token.kind == "align" and not level:
            cells.append([])
        else:
            cells[-1].append(token)
    return cells


def _is_text(tokens: list[TexToken]) -> bool:
    """Whether a line is one piece of running text: a remark between equations."""
    visible = [token for token in tokens if _is_visible(token)]
    if len(visible) < 3 or visible[0].kind not in ("command", "frozen") or visible[0].text not in _TEXTS:
        return False
    if visible[0].text in ("mathrm", "mathbf") and not any(token.text in _TEXTS for token in visible[1:]):
        return False
    outside = [token for token, level in _levels(visible[1:]) if not level]
    return all(token.kind in ("open", "close") or token.text in ".:,;" for token in outside)


def _pairs(cells: list[list[TexToken]]) -> list[list[TexToken]]:
    """Columns two by two; a pair that is no equation of its own stays with the one before it."""
    pairs: list[list[TexToken]] = []
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


def _levels(tokens: list[TexToken]) -> Iterator[tuple[TexToken, int]]:
    """Every token with how many groups and environments are open around it."""
    level = 0
    for token in tokens:
        kind = token.kind
        if kind in ("close", "end"):
            level = max(0, level - 1)
        yield token, level
        if kind in ("open", "begin"):
            level += 1


def _is_visible(token: TexToken) -> bool:
    if token.kind in ("space", "align", "tie", "paragraph"):
        return False
    return not (token.kind in ("command", "frozen") and token.text in _INVISIBLE)


def _first_visible(tokens: list[TexToken]) -> TexToken:
    return next((token for token in tokens if _is_visible(token)), tokens[0])


def _is_relation(token: TexToken) -> bool:
    if token.kind == "characters":
        return token.text[0] in "=<>≤≥≈≡∝→⇒"
    return token.kind in ("command", "frozen") and token.text in _RELATIONS


def _holds_relation(token: TexToken) -> bool:
    if token.kind == "characters":
        return any(character in "=<>≤≥≈≡∝→⇒" for character in token.text)
    return token.kind in ("command", "frozen") and token.text in _RELATIONS


def _continues(tokens: list[TexToken]) -> bool:
    """Whether a line goes on from the one before: it begins with a relation, or has none of its own."""
    first = _first_visible(tokens)
    if first.kind in ("command", "frozen") and first.text in _CONCLUSIONS:
        return False
    if _is_relation(first) or (first.kind == "open" and _opens_relation(tokens)):
        return True
    return not any(_holds_relation(token) for token, level in _levels(tokens) if not level)


def _opens_relation(tokens: list[TexToken]) -> bool:
    """`{}= b`: an empty group before the relation only keeps its spacing."""
    visible = [token for token in tokens if _is_visible(token)]
    return len(visible) > 2 and visible[1].kind == "close" and _is_relation(visible[2])
