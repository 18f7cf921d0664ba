"""TeX source into tokens, one at a time and with their places. Knows characters and their roles, no command's meaning.

Lazy, because a file may have 60 million characters and its reader may give up after the first thousand. Running text
comes in whole runs of characters; whoever needs single ones splits the run.
"""

from __future__ import annotations

import re
from collections import deque
from typing import Literal, NamedTuple, TypeAlias

Kind: TypeAlias = Literal[
    "command",  # \name; text is the name
    "frozen",  # \name that no macro may stand for
    "begin",  # \begin{name}; text is the name
    "end",
    "open",
    "close",
    "dollar",
    "align",
    "super",
    "sub",
    "tie",
    "space",
    "paragraph",
    "characters",
    "parameter",  # #1 in the body of a macro; text is what stands after the first #
    "verbatim",  # \verb|...|
    "written",  # LaTeX that a reader of ours made; never looked into again
    "barrier",  # the end of a list of tokens that is read on its own
    "end_capture",  # the end of an argument that is read as content
    "no_value",  # an optional argument that was not given
]


class TexToken(NamedTuple):
    """`start` and `stop` count characters of the file number `file`. A macro's tokens carry the place of its use."""

    kind: Kind
    text: str
    file: int
    start: int
    stop: int


class Letters:
    """Whether `@` counts as a letter of command names; one for all files, as in TeX."""

    __slots__ = ("at",)

    def __init__(self) -> None:
        self.at = False


def _pattern(letters: str) -> re.Pattern[str]:
    return re.compile(
        rf"(?P<word>\\[{letters}]++)[ \t]*+(?:\n[ \t]*+(?!\n))?"
        r"|(?P<symbol>\\[\s\S]?)"
        r"|(?P<characters>[^\\{}$&#^_~%\s\[\]*=]++)"
        r"|(?P<blank>\s++)"
        r"|(?P<comment>%[^\n]*+(?:\n[ \t]*+)?)"
        r"|(?P<parameter>\#++[1-9]?)"
        r"|(?P<single>[\s\S])"
    )


_PLAIN, _WITH_AT = _pattern("A-Za-z"), _pattern("A-Za-z@")
_SINGLES: dict[str, Kind] = {
    "{": "open",
    "}": "close",
    "$": "dollar",
    "&": "align",
    "^": "super",
    "_": "sub",
    "~": "tie",
}
_EMPTY_GROUPS = re.compile(r"(?>(?:\{\}){8,})")
_VERB = re.compile(r"\*?(?:\[[^\]\n]*\])?([^\sA-Za-z*])([^\n]*?)\1")
_BRACED_VERB = re.compile(r"(?:\[[^\]\n]*\])?\{([^{}\n]*)\}")
# With a % or a # that is no parameter of a macro.
_ADDRESS = re.compile(r"[ \t]*(?:\[[^\]\n]*\])?\{((?>(?:[^{}\n%#]|#[1-9])*)(?:%|#(?![1-9]))[^{}\n]*)\}")
_ADDRESS_COMMANDS = frozenset(("url", "href", "nolinkurl", "path", "hyperref"))


class Lexer:
    """One file, read from the front."""

    __slots__ = ("_at_line_start", "_ready", "file", "letters", "position", "text")

    def __init__(self, text: str, file: int, letters: Letters) -> None:
        self.text = text
        self.file = file
        self.letters = letters
        self.position = 0
        self._at_line_start = True
        self._ready: deque[TexToken] = deque()

    def next(self) -> TexToken | None:
        """The next token, None at the end of the file."""
        if self._ready:
            return self._ready.popleft()
        text = self.text
        while True:
            match = (_WITH_AT if self.letters.at else _PLAIN).match(text, self.position)
            if match is None:
                return None
            start = self.position
            self.position = match.end()
            kind = match.lastgroup
            at_line_start, self._at_line_start = self._at_line_start, False
            if kind == "characters":
                return TexToken("characters", match.group(), self.file, start, self.position)
            if kind == "word":
                return self._word(match.group("word"), start)
            if kind == "blank":
                lines = match.group().count("\n")
                self._at_line_start = lines > 0
                is_paragraph = lines > 1 or (at_line_start and lines > 0 and start > 0)
                if at_line_start and not is_paragraph:
                    continue
                return TexToken("paragraph" if is_paragraph else "space", " ", self.file, start, self.position)
            if kind == "comment":
                self._at_line_start = True
                continue
            return self._single(match, start)

    def _single(self, match: re.Match[str], start: int) -> TexToken:
        if match.lastgroup == "symbol":
            name = match.group()[1:]
            return TexToken("command", " " if not name or name.isspace() else name, self.file, start, self.position)
        if match.lastgroup == "parameter":
            shown = match.group()
            if shown[-1] == "#":
                return TexToken("characters", "#", self.file, start, self.position)
            return TexToken("parameter", shown[1:], self.file, start, self.position)
        character = match.group()
        if character == "{" and (run := _EMPTY_GROUPS.match(self.text, start)):
            # Nobody writes dozens of empty groups side by side but to keep a reader busy.
            self.position = run.end() - 3
        return TexToken(_SINGLES.get(character, "characters"), character, self.file, start, self.position)

    def _word(self, word: str, start: int) -> TexToken:
        name = word[1:]
        stop = start + len(word)
        if name in ("verb", "lstinline", "mintinline"):
            place = stop
            if name == "mintinline" and (language := _BRACED_VERB.match(self.text, place)):
                place = language.end()
            match = _BRACED_VERB.match(self.text, place) if name != "verb" else None
            match = match or _VERB.match(self.text, place)
            if match is not None:
                self.position = match.end()
                return TexToken("verbatim", match.group(match.lastindex or 0), self.file, start, self.position)
        elif name in _ADDRESS_COMMANDS and (match := _ADDRESS.match(self.text, stop)):
            # A web address may hold % and #, which are no comment and no parameter there.
            begin, end = match.span(1)
            self._ready.append(TexToken("open", "{", self.file, begin - 1, begin))
            self._ready.append(TexToken("characters", match.group(1), self.file, begin, end))
            self._ready.append(TexToken("close", "}", self.file, end, end + 1))
            self.position = match.end()
        return TexToken("command", name, self.file, start, stop)

    def take_until(self, ending: str) -> tuple[str, int, bool]:
        """Raw text up to `ending`, which is passed over: the text, where it starts, whether the ending was found."""
        start = self.position
        stop = self.text.find(ending, start)
        found = stop >= 0
        if not found:
            stop = len(self.text)
        self.position = stop + (len(ending) if found else 0)
        self._at_line_start = False
        return self.text[start:stop], start, found

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Raw text that matches here, passed over; None where it does not match."""
        if self._ready:
            return None
        match = pattern.match(self.text, self.position)
        if match is not None:
            self.position = match.end()
        return match

    def close(self) -> None:
        """Read no further."""
        self._ready.clear()
        self.position = len(self.text)


def tokens_of(text: str, *, file: int = 0) -> list[TexToken]:
    """All tokens of a short text of ours, such as the definition of a package's command."""
    lexer = Lexer(text, file, Letters())
    tokens: list[TexToken] = []
    while (token := lexer.next()) is not None:
        tokens.append(token)
    return tokens


_NEEDS_BLANK = re.compile(r"\\[A-Za-z@]+\Z")


def as_source(tokens: list[TexToken]) -> str:
    """Tokens as the LaTeX that gives them, blanks collapsed."""
    parts: list[str] = []
    last_is_word = False
    last: TexToken | None = None
    for token in tokens:
        kind, text = token.kind, token.text
        if kind in ("command", "frozen"):
            text = f"\\{text}"
        elif kind in ("begin", "end"):
            text = f"\\{kind}{{{text}}}"
        elif kind in ("space", "paragraph"):
            text = " "
        elif kind == "parameter":
            text = f"#{text}"
        elif kind in ("barrier", "end_capture", "no_value"):
            continue
        if last_is_word and last is not None:
            # The blank after a command's name is no token; it is kept where one stood or must stand.
            stood = token.file == last.file and token.start > last.stop and kind != "space"
            if stood or (text[:1].isascii() and text[:1].isalpha()):
                parts.append(" ")
        parts.append(text)
        last = token
        last_is_word = (
            text[:1] == "\\" and text[-1:].isascii() and text[-1:].isalpha() and bool(_NEEDS_BLANK.search(text[-60:]))
        )
    source = re.sub(r"(?<!\\)[ \t\n]+", " ", "".join(parts)).strip(" ")
    # A control space at the very end lost its blank just now.
    return source[:-1] if source.endswith("\\") and not source.endswith("\\\\") else source
