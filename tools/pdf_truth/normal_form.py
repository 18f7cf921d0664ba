"""LaTeX reduced to what is printed: spacing, sizes, invisible braces and synonyms gone. Knows no meaning.

Two sources with one normal form print the same signs in the same arrangement.
"""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from pathlib import Path

_TOKEN = re.compile(r"\\[A-Za-z]+\*?|\\.|\s+|.", re.S)
with (Path(__file__).parent / "synonyms.toml").open("rb") as _file:
    _DATA = tomllib.load(_file)
_SPACING = frozenset((*_DATA["unseen"].split(), "\\ "))
_SYNONYMS = {name: same for same, names in _DATA["same"].items() for name in names}
# Markdown sources write \_{i} for an index, lest the underscore start an emphasis.
_UNIT = re.compile(r"\\(?:si|unit)\{([^{}]*)\}")
_MARKDOWN_ESCAPE = re.compile(r"\\_(?=[{A-Za-z0-9])")
_SIZED = frozenset(r"\left \right \middle".split())
_SIZED_SIGNS = {".": [], "<": [r"\langle"], ">": [r"\rangle"]}
_FRACTIONS = frozenset(r"\frac \dfrac \tfrac \cfrac".split())
_ROMAN = frozenset(
    (
        r"\text \mathrm \textrm \operatorname \operatorname* \textnormal \mbox \hbox \textup \textsf \mathsf \texttt "
        r"\mathtt"
    ).split()
)
_ALPHABETS = {
    **dict.fromkeys(_ROMAN, "r"),
    **dict.fromkeys(r"\mathbf \boldsymbol \bm \textbf \pmb".split(), "b"),
    **dict.fromkeys(r"\mathcal \mathscr".split(), "c"),
    **dict.fromkeys(r"\mathit \textit \mathnormal \emph".split(), ""),
    r"\mathbb": "B",
    r"\mathfrak": "f",
}
_ACCENTS = {
    r"\widehat": r"\hat",
    r"\overline": r"\bar",
    r"\overrightarrow": r"\vec",
    r"\widetilde": r"\tilde",
    **{
        name: name
        for name in r"\hat \bar \vec \tilde \dot \ddot \dddot \acute \grave \check \breve \mathring \underline".split()
    },
    **{name: name for name in r"\underbrace \overbrace \cancel \boxed \overleftarrow \overleftrightarrow".split()},
}
_WITH_ARGUMENT = frozenset(r"\hspace \vspace \phantom \hphantom \vphantom \tag \label \hspace* \color".split())
_NAMED = frozenset(
    (
        "sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh coth ln log lg exp max min lim sup inf det "
        "dim ker arg deg gcd Pr limsup liminf hom"
    ).split()
)
_FENCES = {
    "pmatrix": "()",
    "bmatrix": "[]",
    "vmatrix": "||",
    "Bmatrix": "{}",
    "Vmatrix": "‖‖",
    "cases": "{ ",
    "rcases": " }",
}
_GRIDS = frozenset(("matrix", "smallmatrix", "array", "dcases", *_FENCES))
_DEEPEST = 60


class _Reader:
    """One pass over the tokens; groups that only hold things together are opened."""

    def __init__(self, source: str) -> None:
        mended = _UNIT.sub(lambda found: r"\mathrm{" + found[1].replace("*", r"\cdot ") + "}", source)
        mended = _MARKDOWN_ESCAPE.sub("_", mended).replace("...", r"\ldots ").replace(r"\cr", r"\\ ")
        mended = re.sub(r"\\not\s*=", r"\\neq ", mended)
        self.tokens = [token for token in _TOKEN.findall(mended) if not token.isspace()]
        self.at = 0
        self.depth = 0

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self) -> str:
        token = self.peek()
        self.at += 1
        return token

    def items(self, style: str, stop: frozenset[str]) -> list[str]:
        """What stands up to a stop sign, which is left."""
        self.depth += 1
        found: list[str] = []
        while self.at < len(self.tokens) and self.peek() not in stop and self.depth < _DEEPEST:
            if self.peek() == r"\over":
                self.take()
                found = [_fraction(found, self.items(style, stop))]
                break
            self.one(found, style)
        self.depth -= 1
        return found

    def argument(self, style: str = "") -> list[str]:
        """A group, or the one sign that stands for it."""
        while self.peek() in _SPACING:
            self.take()
        if self.peek() == "{":
            self.take()
            found = self.items(style, frozenset("}"))
            self.take()
            return found
        found = []
        if self.at < len(self.tokens) and self.peek() != "}":
            self.one(found, style)
        return found

    def raw_argument(self) -> str:
        found, level = "", 0
        if self.peek() != "{":
            return self.take()
        while self.at < len(self.tokens):
            token = self.take()
            level += (token == "{") - (token == "}")
            if not level:
                break
            found += token
        return found[1:]

    def one(self, found: list[str], style: str) -> None:
        """Read one thing and add it."""
        token = self.take()
        if token in _SPACING:
            if token in _SIZED and self.peek() in _SIZED_SIGNS:
                found += _SIZED_SIGNS[self.take()]
        elif token == "{":
            self.at -= 1
            found += self.argument(style)
        elif token in ("_", "^", "'"):
            self.at -= 1
            found += self.scripts(style)
        elif token == r"\begin":
            found += self.environment(style)
        elif token in _ALPHABETS:
            found += self.argument(_ALPHABETS[token])
        elif token in _WITH_ARGUMENT:
            self.raw_argument()
        elif token.startswith("\\"):
            self.command(token, found, style)
        elif token not in ("}", "&", r"\\"):
            found.append(_sign(token, style))

    def command(self, token: str, found: list[str], style: str) -> None:
        name = token[1:]
        if token == r"\\":
            return
        if token in _FRACTIONS:
            found.append(_fraction(self.argument(style), self.argument(style)))
        elif name in ("binom", "dbinom", "tbinom"):
            upper, lower = self.argument(), self.argument()
            found += ["(", f"M[{' '.join(upper)} ; {' '.join(lower)}]", ")"]
        elif token == r"\sqrt":
            index: list[str] = []
            if self.peek() == "[":
                self.take()
                index = self.items(style, frozenset("]"))
                self.take()
            found.append(f"√[{' '.join(index)}]{{{' '.join(self.argument(style))}}}")
        elif token in _ACCENTS:
            inner = self.argument(style)
            # An accent over a letter with its index prints like an accent over the letter.
            cut = 1 if len(inner) > 1 and all(each[0] in "_^" for each in inner[1:]) else len(inner)
            found += [f"{_ACCENTS[token]}{{{' '.join(inner[:cut])}}}", *inner[cut:]]
        elif name in ("overset", "stackrel", "underset"):
            script, base = self.argument(style), self.argument(style)
            found += [*base, f"{'_' if name == 'underset' else '^'}{{{' '.join(script)}}}"]
        elif token == r"\substack":
            self.take()
            found.append(self.grid("", frozenset("}")))
            self.take()
        elif name in ("pmod", "bmod", "mod"):
            inner = [*(_sign(letter, "r") for letter in "mod"), *(self.argument() if name != "bmod" else [])]
            found += ["(", *inner, ")"] if name == "pmod" else inner
        elif name.rstrip("*") in _NAMED:
            found += [_sign(letter, "r") for letter in name]
        elif token == r"\degree":
            found.append(r"^{\circ}")
        else:
            found += _SYNONYMS.get(token, token) if _SYNONYMS.get(token) == ":=" else [_SYNONYMS.get(token, token)]

    def scripts(self, style: str) -> list[str]:
        """All indices and powers of one thing, the lower first."""
        lower: list[str] = []
        upper: list[str] = []
        while self.peek() in ("_", "^", "'") or self.peek() in (r"\limits", r"\nolimits"):
            token = self.take()
            if token == "_":
                lower += self.argument(style)
            elif token == "^":
                upper += self.argument(style)
            elif token == "'":
                upper.append(r"\prime")
        return [f"{sign}{{{' '.join(inner)}}}" for sign, inner in (("_", lower), ("^", upper)) if inner]

    def environment(self, style: str) -> list[str]:
        name = self.raw_argument().rstrip("*")
        stop = frozenset((r"\end",))
        if name not in _GRIDS:
            found = self.items(style, stop)
            self.take()
            self.raw_argument()
            return found
        if name in ("array",):
            self.raw_argument()
        grid = self.grid(style, stop)
        self.take()
        self.raw_argument()
        left, right = tuple(_FENCES.get("cases" if name == "dcases" else name, "  "))
        fence = {"{": r"\{", "}": r"\}", "‖": r"\|"}
        return [each for each in (fence.get(left, left), grid, fence.get(right, right)) if each.strip()]

    def grid(self, style: str, stop: frozenset[str]) -> str:
        rows: list[list[str]] = [[]]
        while self.at < len(self.tokens) and self.peek() not in stop:
            cell = self.items(style, stop | {"&", r"\\"})
            while cell and cell[-1] in (",", ".", ";"):
                cell.pop()
            rows[-1].append(" ".join(cell))
            if self.peek() == "&":
                self.take()
            elif self.peek() == r"\\":
                self.take()
                rows.append([])
        shown = [" & ".join(row) for row in rows if any(row)]
        return f"M[{' ; '.join(shown)}]"


def _fraction(upper: list[str], lower: list[str]) -> str:
    return f"F{{{' '.join(upper)}}}{{{' '.join(lower)}}}"


def _sign(token: str, style: str) -> str:
    token = _SYNONYMS.get(token, token)
    # An upright d of a differential and an italic one mean the same.
    if style == "r" and token == "d":
        return "d"
    return f"{style}:{token}" if style and token.isalpha() else token


@lru_cache(maxsize=50_000)
def normal_tokens(source: str) -> tuple[str, ...]:
    """What is printed, sign by sign; trailing punctuation gone."""
    found = _Reader(source).items("", frozenset())
    while found and found[-1] in (",", ".", ";", ":"):
        found.pop()
    return tuple(found)


def normal_form(source: str) -> str:
    """One line per way of printing."""
    return " ".join(normal_tokens(source))


def is_words(source: str) -> bool:
    """Whether it prints as upright words or a unit: no reader can tell that the source had a formula there."""
    letters = re.findall(r"(?:\b[a-zA-Z]:)?[A-Za-z]\b", normal_form(source))
    upright = [each.startswith("r:") for each in letters if each != "d"]
    return "=" not in source and bool(upright) and all(upright) and "\\" not in normal_form(source)
