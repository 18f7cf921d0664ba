"""TeX between delimiters in a text: where it ends, and which dollars are only money. Reads no formula.

Two kinds of text are told apart. In Markdown and typed text delimiters are doubted: what stands between them must look
like a formula. On a page that a script shows as formulas they are trusted, but for single dollars.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from mathrag.language.word_classes import word_class

ENVIRONMENTS = (
    "equation equation* align align* gather gather* multline multline* eqnarray eqnarray* alignat alignat* flalign "
    "flalign* aligned gathered split cases dcases displaymath math array subequations alignedat dmath dmath* "
    "dgroup dgroup* IEEEeqnarray IEEEeqnarray* empheq darray darray*"
).split()
_NAMES = "|".join(re.escape(name) for name in ENVIRONMENTS)
_ENVIRONMENT = re.compile(rf"\\begin\{{({_NAMES})\}}")
_OPENER = re.compile(
    rf"``[^`]*``|`[^`]*`|\\\$|(?<!\\)(\$\$|\\\[|\\begin\{{({_NAMES})\}}|[\\@]f\[|[\\@]f\{{(?:{_NAMES})\}})"
)
# Doxygen's own delimiters: `\f$ … \f$` and `\f( … \f)` in a line, `\f[ … \f]` and `\f{align}{ … \f}` on lines of
# their own; `@f` says the same. Nothing else is written so, so that what stands between them is not doubted.
_DOXYGEN = re.compile(rf"[\\@]f(?:([$\[(])|\{{({_NAMES})\}}\{{?)")
# "price ($/kg) = cost ($) / mass": behind a dollar that is money a unit goes on, or its bracket ends.
_NO_FORMULA_BEGINS = "/)"
_DOXYGEN_CLOSERS = {"$": "$", "[": "]", "(": ")"}
_COMMAND_TEXT = re.compile(r"\\(?:text|mathrm|mbox|textrm|textit|textbf|operatorname|mathit|label|tag)\*?\s*\{[^{}]*\}")
_COMMAND = re.compile(r"\\(?:begin|end)\{[^}]*\}|\\[A-Za-z]+")
_ANY_COMMAND = re.compile(r"\\[A-Za-z]{2}")
# Digits, signs and points without any letter, in upright type; what stands before says whether it is an argument.
_UPRIGHT_SIGNS = re.compile(
    r"(?P<before>[_^]\s?)?"
    r"(?:\\mathrm\s*\{(?P<mathrm>[-+=*/<>.,:0-9\s]{0,200}|\\ )\}|\{\s*\\rm\s*\{(?P<rm>[-+=*/<>.,:0-9\s]{0,200})\}\s*\})"
)
_DOUBLE_ESCAPE = re.compile(r"\\\\(?=[%#$])")
_DOUBLE_BRACE = re.compile(r"\\\\(?=[{}])")
_WORD = re.compile(r"(?<![\w\\])[A-Za-z]{2,}(?![\w(])")
_MATHEMATICAL = re.compile(r"[\\^_=<>+*/{}|]|[-−]\s*\w|[Ͱ-Ͽ≤≥≈×·√∑∫∂∞]")
_TAG = re.compile(r"\\tag\*?\s*\{([^{}]*)\}")
_TRAILING_NUMBER = re.compile(
    r"\\q?quad\s*(?:\\text\s*\{)?\(\s*([A-Z]{0,2}\.?\d+(?:[.\-–]\d+)*[a-z]?'{0,2})\s*\)\}?\s*$"
)
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
# In characters: longer than any formula, and short enough that a stray delimiter does not swallow a chapter.
_LONGEST = 5_000
_LONGEST_TRUSTED = 20_000
_LONGEST_BETWEEN_DOLLARS = 2_000
_TRUSTED_OPENING = re.compile(
    r"(?P<shortcode>\[(?:latex|math|tex)\]|\$latex\s)|"
    r"\\\(|\\\[|\$\$|\$|\\\$|"
    r"\\begin\{(?P<environment>(?:equation|align|gather|multline|eqnarray|displaymath|flalign|alignat)\*?)\}"
    rf"|(?P<doxygen>[\\@]f(?:[$\[(]|\{{(?:{_NAMES})\}}))"
)
_CLOSING = {r"\(": r"\)", r"\[": r"\]", "$$": "$$"}
_MATH_SIGN = re.compile(r"[=^_\\<>+*/{}|∑∫√≤≥×·−]|(?<![A-Za-z])[A-Za-zΑ-Ωα-ω](?![A-Za-z])|[A-Za-z]\(")
_PROSE = re.compile(r"[A-Za-z]{4,}\s+[A-Za-z]{2,}\s+[A-Za-z]{2,}")
_SHORT_WORDS = word_class("text_formulas.prose_between_delimiters")
# Plain words that a formula may have; one with commands in it is meant as TeX and may say more.
_MOST_WORDS = 3
_MOST_WORDS_WITH_COMMANDS = 12


@dataclass(frozen=True, slots=True)
class MathSpan:
    """A formula with its delimiters from `start` to `end`; the formula itself from `inner_start` to `inner_end`."""

    start: int
    end: int
    inner_start: int
    inner_end: int
    is_display: bool


class DelimiterReader:
    """Finds the formulas of one text. Remembers which delimiters have no end, so that no text takes time squared."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._without_end: set[str] = set()

    def at_dollar(self, start: int) -> MathSpan | None:
        """The formula that a dollar sign opens, if it opens one."""
        text = self.text
        if text.startswith("$$", start):
            end = self._closing_dollars(start + 2)
            inner = text[start + 2 : end] if end > 0 else ""
            if inner.strip() and not looks_like_prose(inner, most=12):
                return MathSpan(start, end + 2, start + 2, end, True)
            return None
        if text.startswith("$`", start):
            end = self.find("`$", start + 2)
            if end > start + 2 and "\n\n" not in text[start:end]:
                return MathSpan(start, end + 2, start + 2, end, False)
        return self._single(start)

    def at_backslash(self, start: int) -> MathSpan | None:
        r"""The formula that `\(`, `\[`, `\\(`, `\\[` or `\begin{…}` opens."""
        text = self.text
        following = text[start + 1 : start + 2]
        if following == "b":
            return self._environment(start)
        if following == "f":
            return self.at_doxygen(start)
        doubled = following == "\\"
        bracket = text[start + 2 : start + 3] if doubled else following
        if bracket not in ("(", "["):
            return None
        opening = 3 if doubled else 2
        slashes = "\\\\" if doubled else "\\"
        end = self.find(slashes + (")" if bracket == "(" else "]"), start + opening)
        if end < 0 or end - start > _LONGEST:
            return None
        inner = text[start + opening : end]
        if not inner.strip() or looks_like_prose(inner, most=2 if not doubled else 6) or inner.strip().isdecimal():
            return None
        return MathSpan(start, end + opening, start + opening, end, bracket == "[")

    def at_doxygen(self, start: int) -> MathSpan | None:
        r"""The formula that `\f$`, `\f[`, `\f(`, `\f{align}{` or the same with `@` opens."""
        opening = _DOXYGEN.match(self.text, start)
        if opening is None:
            return None
        closer = f"{self.text[start]}f{_DOXYGEN_CLOSERS.get(opening.group(1) or '', '}')}"
        end = self.find(closer, opening.end())
        if end < 0 or end - start > _LONGEST_TRUSTED or not self.text[opening.end() : end].strip():
            return None
        after = end + len(closer)
        if opening.group(2):
            return MathSpan(start, after, start, after, True)
        return MathSpan(start, after, opening.end(), end, opening.group(1) == "[")

    def trusted_spans(self, *, with_dollars: bool) -> list[MathSpan]:
        """All formulas of a text whose delimiters are meant as such, from first to last."""
        spans: list[MathSpan] = []
        place = 0
        while (found := _TRUSTED_OPENING.search(self.text, place)) is not None:
            span = self._trusted(found, with_dollars=with_dollars)
            if span is not None:
                spans.append(span)
            place = found.end() if span is None else span.end
        return spans

    def _trusted(self, found: re.Match[str], *, with_dollars: bool) -> MathSpan | None:
        opening = found.group()
        if opening == r"\$":
            return None
        if found["doxygen"]:
            return self.at_doxygen(found.start())
        if found["shortcode"]:
            return self._shortcode(found)
        if opening == "$":
            end = _closing_dollar(self.text, found.end()) if with_dollars else -1
            stop = end + 1
        else:
            closer = _CLOSING.get(opening) or rf"\end{{{found['environment']}}}"
            end = self.find(closer, found.end())
            stop = end + len(closer)
        if end < 0 or stop - found.start() > _LONGEST_TRUSTED or not self.text[found.end() : stop].strip(" $\\)]"):
            return None
        return MathSpan(found.start(), stop, found.end(), end, opening not in ("$", r"\("))

    def _shortcode(self, found: re.Match[str]) -> MathSpan | None:
        """`$latex …$` and `[latex]…[/latex]`, as blogs and course pages have it."""
        opening = found.group()
        closer = "$" if opening.startswith("$") else f"[/{opening[1:]}"
        end = self.find(closer, found.end())
        if not found.end() < end <= found.start() + _LONGEST:
            return None
        return MathSpan(found.start(), end + len(closer), found.end(), end, False)

    def find(self, closer: str, start: int) -> int:
        """Where something next stands, or -1; what was once not found is not looked for again."""
        if closer in self._without_end:
            return -1
        end = self.text.find(closer, start)
        if end < 0:
            self._without_end.add(closer)
        return end

    def _closing_dollars(self, start: int) -> int:
        end = self.find("$$", start)
        while end > 0 and self._is_escaped(end):
            end = self.find("$$", end + 1)
        return end

    def _is_escaped(self, position: int) -> bool:
        slashes = 0
        while position > slashes and self.text[position - slashes - 1] == "\\":
            slashes += 1
        return slashes % 2 == 1

    def _single(self, start: int) -> MathSpan | None:
        text = self.text
        end = self.find("$", start + 1)
        while end > 0 and self._is_escaped(end):
            end = self.find("$", end + 1)
        if not start + 1 < end <= start + _LONGEST or text.startswith("$$", end):
            return None
        inner = text[start + 1 : end]
        if "`" in inner or _BLANK_LINE.search(inner) or not is_formula_between_dollars(inner, text[end + 1 : end + 2]):
            return None
        return MathSpan(start, end + 1, start + 1, end, False)

    def _environment(self, start: int) -> MathSpan | None:
        opening = _ENVIRONMENT.match(self.text, start)
        if opening is None:
            return None
        closer = rf"\end{{{opening.group(1)}}}"
        end = self.find(closer, opening.end())
        if end < 0:
            return None
        after = end + len(closer)
        return MathSpan(start, after, start, after, True)


def has_delimiters(text: str) -> bool:
    """A quick look whether a text may hold formulas between delimiters."""
    return (
        "$" in text
        or "[latex]" in text
        or "[math]" in text
        or "[tex]" in text
        or "\\(" in text
        or "\\[" in text
        or "\\begin{" in text
        or "\\f" in text
        or "@f" in text
    )


def _closing_dollar(text: str, start: int) -> int:
    """Where a single dollar closes, or -1. As Pandoc has it: no space inside the dollars, no digit after them, and
    something a formula would have.
    """
    if start >= len(text) or text[start].isspace():
        return -1
    place = text.find("$", start, start + _LONGEST_BETWEEN_DOLLARS)
    while place >= 0 and text[place - 1] == "\\":
        place = text.find("$", place + 1, start + _LONGEST_BETWEEN_DOLLARS)
    inside = text[start : max(place, start)]
    if (
        not inside
        or inside[0] in _NO_FORMULA_BEGINS
        or inside[-1].isspace()
        or text[place + 1 : place + 2].isdigit()
        or "\n\n" in inside
    ):
        return -1
    is_formula = _MATH_SIGN.search(inside) is not None and not (_PROSE.search(inside) and "\\" not in inside)
    return place if is_formula else -1


def is_formula_between_dollars(inner: str, following: str) -> bool:
    """Whether what stands between two dollar signs is a formula; sums of money and variables of a shell are not."""
    body = inner.strip()
    if not body or len(inner) > _LONGEST or body[0] in _NO_FORMULA_BEGINS:
        return False
    left_space, right_space = inner[0].isspace(), inner[-1].isspace()
    if following.isdigit() and not re.search(r"[\\^_{}=]", body):
        return False
    if left_space != right_space and not re.search(r"[\\^_]", body):
        return False
    if left_space and right_space and not (_MATHEMATICAL.search(body) or len(body) <= 2):
        return False
    if looks_like_prose(body, most=_MOST_WORDS):
        return False
    return not (body[0].isdigit() and not _MATHEMATICAL.search(body) and _WORD.search(body))


def looks_like_prose(inner: str, *, most: int) -> bool:
    """Whether more plain words stand in a row of text than any formula has, commands and `\\text{…}` aside."""
    if " " not in inner:
        return False
    words = 0
    if most < _MOST_WORDS_WITH_COMMANDS and _ANY_COMMAND.search(inner):
        most = _MOST_WORDS_WITH_COMMANDS
    bare = inner
    if "\\" in bare:
        bare = _COMMAND.sub(" ", _COMMAND_TEXT.sub(" ", bare))
    if len(bare) > 2000:
        bare = bare[:2000]
    for found in _WORD.finditer(bare):
        words += len(found.group()) > 2 or found.group().lower() in _SHORT_WORDS
        if words > most:
            return True
    return False


def formula_source(inner: str) -> str:
    """What stands between delimiters, for a formula reader. Backslashes doubled for the sake of Markdown are halved
    where LaTeX would otherwise see the end of a line: `100 \\\\%`.
    """
    inner = with_bare_signs(without_doxygen(inner))
    if "\\\\" in inner:
        inner = _DOUBLE_ESCAPE.sub(lambda _: "\\", inner)
        if "\\begin" not in inner:
            inner = _DOUBLE_BRACE.sub(lambda _: "\\", inner)
    return inner.strip()


def without_doxygen(written: str) -> str:
    r"""TeX without Doxygen's delimiters around it; `\f{align}{ … \f}` becomes the environment that it stands for."""
    opening = _DOXYGEN.match(written)
    if opening is None:
        return written
    inside = written[opening.end() : -3]
    name = opening.group(2)
    return rf"\begin{{{name}}}{inside}\end{{{name}}}" if name else inside


def with_bare_signs(source: str) -> str:
    r"""A formula whose digits and signs are not set upright one by one, as converters from word processors do it.

    `\mathrm{-}` and `{\rm{0}}.{\rm{25}}` say no more than `-` and `0.25`; upright letters may have a meaning.
    """
    if "\\mathrm" not in source and "\\rm" not in source:
        return source
    return _UPRIGHT_SIGNS.sub(_bare_signs, source)


def _bare_signs(found: re.Match[str]) -> str:
    inside = found["mathrm"] if found["mathrm"] is not None else found["rm"]
    is_argument = bool(found["before"])
    return f"{found['before']}{{{inside}}}" if is_argument else inside


def number_of(inner: str) -> str:
    r"""The label of a formula: `3.2` in `\tag{3.2}` or `\qquad (3.2)`; empty where it has none."""
    if "\\tag" in inner:
        found = _TAG.search(inner)
        return found.group(1).strip().strip("()$") if found else ""
    if "quad" in inner:
        found = _TRAILING_NUMBER.search(inner)
        return found.group(1) if found else ""
    return ""


def without_trailing_number(inner: str) -> str:
    r"""A formula without a `\qquad (3.2)` at its end, which is no condition of it."""
    return _TRAILING_NUMBER.sub("", inner) if "quad" in inner else inner


def open_display(line: str, closer: str | None) -> str | None:
    """What closes the displayed formula that is still open at the end of a line; None if there is none."""
    position = 0
    while True:
        if closer is None:
            found = _OPENER.search(line, position)
            if found is None:
                return None
            position = found.end()
            if found.group(1) is not None:
                closer = _closer_of(found)
        else:
            end = line.find(closer, position)
            if end < 0:
                return closer
            position = end + len(closer)
            closer = None


def _closer_of(opening: re.Match[str]) -> str:
    sign = opening.group(1)
    if sign[1:2] == "f":
        return f"{sign[:2]}{']' if sign[2] == '[' else '}'}"
    return {"$$": "$$", "\\[": "\\]"}.get(sign) or rf"\end{{{opening.group(2)}}}"
