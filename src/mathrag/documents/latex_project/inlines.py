"""Words and formulas gathered into the content of a block, blanks collapsed, with the span of source they came from."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field

from mathrag.documents.latex_project.files import ProjectFiles
from mathrag.documents.latex_project.tokens import TexToken
from mathrag.types.document import Break, Content, Inline, Math, Place, Text

# 3.18$\times 10^{23}$: the number belongs to the formula.
_NUMBER_BEFORE = re.compile(r"(?:\A|(?<=[\s(≈~=<>±-]))[+-]?\d[\d.]*(?:,\d{3})*\Z")
_NUMBER_GOES_ON = re.compile(r"\\(?:times|cdot)\s*(?:10|\{10\})\b")
# m$^2$, H$_2$O, 25$^\circ$C: scripts of words, not formulas.
_LONE_SCRIPT = re.compile(r"(?:\{\})?([\^_])\s*(?:\{\s*)?([A-Za-z0-9+-]{1,8}|\\circ|\\prime|\\ast|\*)(?:\s*\})?\Z")


_PLAIN = (False, False)


@dataclass(slots=True)
class Span:
    """Characters of one file; what lies in another file is not joined to it."""

    file: int = -1
    start: int = 0
    stop: int = 0

    def add(self, token: TexToken) -> None:
        """Stretch over a token."""
        if self.file < 0:
            self.file, self.start, self.stop = token.file, token.start, token.stop
        elif token.file == self.file:
            self.start = min(self.start, token.start)
            self.stop = max(self.stop, token.stop)

    def place(self, files: ProjectFiles) -> Place:
        """The lines it covers."""
        return files.place(self.file, self.start, self.stop) if self.file >= 0 else Place()

    def quote(self, files: ProjectFiles) -> str:
        """The text it covers."""
        return files.quote(self.file, self.start, self.stop) if self.file >= 0 else ""


@dataclass(slots=True)
class Inlines:
    """The content of one block while it is being read."""

    pieces: list[Inline] = field(default_factory=list)
    span: Span = field(default_factory=Span)
    _words: list[str] = field(default_factory=list)
    _style: tuple[bool, bool] = _PLAIN
    _last: TexToken | None = None
    _is_blank_due: bool = False

    def text(self, text: str, style: tuple[bool, bool], token: TexToken) -> None:
        """Add words."""
        if not text:
            return
        if style != self._style:
            if self._is_blank_due and style != _PLAIN:
                # A blank beside words of a style belongs to the plain text, not to them.
                if self._style != _PLAIN:
                    self._flush()
                    self._style = _PLAIN
                self._settle()
            self._flush()
            self._style = style
        if self._is_blank_due:
            self._words.append(" ")
            self._is_blank_due = False
        self._words.append(text)
        self._last = token
        self.span.add(token)

    def space(self, token: TexToken) -> None:
        """Add a blank before whatever comes next, in its style."""
        self._is_blank_due = bool(self._words or self.pieces)
        self._last = token

    def line_break(self) -> None:
        """Add a line break, unless nothing stands before it."""
        self._flush()
        self._is_blank_due = False
        if self.pieces and not isinstance(self.pieces[-1], Break):
            self.pieces.append(Break())

    def add_content(self, content: Content, token: TexToken) -> None:
        """Add what was gathered elsewhere."""
        self._settle()
        self.pieces.extend(content)
        self.span.add(token)

    def math(self, math: Math, token: TexToken, files: ProjectFiles) -> None:
        """Add a formula; the number before a power of ten joins it, a lone script joins the words."""
        script = _LONE_SCRIPT.match(math.source) if not math.is_display and len(math.source) < 20 else None
        if script is not None:
            sign, what = script.groups()
            shown = {"\\circ": "°", "\\prime": "′", "\\ast": "*", "*": "*"}.get(what)
            self.text(shown or f"{sign}{what}", self._style, token)
            return
        if _NUMBER_GOES_ON.match(math.source) and (joined := self._joined(math, token, files)) is not None:
            math = joined
        self._settle()
        self.pieces.append(math)
        self.span.add(token)
        self._last = None

    def _joined(self, math: Math, token: TexToken, files: ProjectFiles) -> Math | None:
        words = "".join(self._words[-2:])
        match = _NUMBER_BEFORE.search(words)
        last = self._last
        if match is None or last is None or last.file != token.file or last.stop > token.start:
            return None
        number = match.group()
        text = files.files[token.file].text
        start = text.rfind(number, max(0, token.start - len(number) - 40), token.start)
        if start < 0 or text[start + len(number) : token.start].strip(" ~\n"):
            return None
        words = "".join(self._words)
        self._words = [words[: len(words) - len(number)]]
        self._is_blank_due = False
        quote = files.quote(token.file, start, token.stop)
        return Math(f"{number}{math.source}", math.notation, files.place(token.file, start, token.stop), quote)

    def _settle(self) -> None:
        """Words so far become a piece, with the blank that is due."""
        if self._is_blank_due:
            self._words.append(" ")
            self._is_blank_due = False
        self._flush()

    def _flush(self) -> None:
        text = "".join(self._words)
        self._words = []
        if not text:
            return
        bold, italic = self._style
        last = self.pieces[-1] if self.pieces else None
        if text.startswith(" ") and (last is None or isinstance(last, Break)):
            text = text.lstrip(" ")
            if not text:
                return
        if isinstance(last, Text) and (last.bold, last.italic) == (bold, italic):
            self.pieces[-1] = Text(last.text + text, bold=bold, italic=italic)
        else:
            self.pieces.append(Text(text, bold=bold, italic=italic))

    @property
    def is_blank(self) -> bool:
        """Whether there is nothing to see."""
        return not any(word.strip() for word in self._words) and not any(
            not isinstance(piece, Break) and not (isinstance(piece, Text) and not piece.text.strip())
            for piece in self.pieces
        )

    def content(self) -> Content:
        """What was gathered, without blanks and breaks at either end."""
        self._flush()
        pieces = list(self.pieces)
        while pieces and _is_blank(pieces[-1]):
            pieces.pop()
        while pieces and _is_blank(pieces[0]):
            pieces.pop(0)
        if pieces and isinstance(pieces[-1], Text):
            pieces[-1] = _replaced(pieces[-1], pieces[-1].text.rstrip())
        if pieces and isinstance(pieces[0], Text):
            pieces[0] = _replaced(pieces[0], pieces[0].text.lstrip())
        return tuple(pieces)


def _is_blank(piece: Inline) -> bool:
    return isinstance(piece, Break) or (isinstance(piece, Text) and not piece.text.strip())


def _replaced(piece: Text, text: str) -> Text:
    return Text(text, bold=piece.bold, italic=piece.italic)


# What TeX writes for single characters: accents, letters of other languages, signs, ligatures. Tables only.

# Accent commands and the combining character each stands for.
ACCENTS = {
    "'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304", ".": "\u0307",
    "u": "\u0306", "v": "\u030c", "H": "\u030b", "c": "\u0327", "d": "\u0323", "b": "\u0331", "r": "\u030a",
    "k": "\u0328",
}  # fmt: skip
SYMBOLS = {
    "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "o": "ø", "O": "Ø", "aa": "å", "AA": "Å", "ss": "ß", "l": "ł", "L": "Ł",
    "i": "i", "j": "j", "dh": "ð", "th": "þ", "DH": "Ð", "TH": "Þ", "SS": "SS",
    "%": "%", "&": "&", "$": "$", "#": "#", "_": "_", "{": "{", "}": "}", "-": "", "/": "",
    " ": " ", ",": " ", ";": " ", ":": " ", "!": "", ">": " ", "quad": " ", "qquad": " ", "space": " ", "enspace": " ",
    "thinspace": " ", "nobreakspace": " ", "textvisiblespace": " ", "hfill": " ", "hfil": " ", "dotfill": " ",
    "tab": " ",
    "ldots": "…", "dots": "…", "textellipsis": "…", "textendash": "–", "textemdash": "—", "textbackslash": "\\",
    "textasciitilde": "~", "textasciicircum": "^", "textbar": "|", "textless": "<", "textgreater": ">",
    "textbullet": "•",
    "textdegree": "°", "degree": "°", "textmu": "µ", "textmicro": "µ", "micro": "µ", "textohm": "Ω", "ohm": "Ω",
    "textcelsius": "°C", "celsius": "°C", "degreeCelsius": "°C", "texttimes": "×", "textdiv": "÷", "textpm": "±",
    "textperiodcentered": "·", "textonehalf": "½", "textonequarter": "¼", "textthreequarters": "¾",
    "textregistered": "®",
    "texttrademark": "™", "copyright": "©", "textcopyright": "©", "S": "§", "P": "¶", "dag": "†", "ddag": "‡",
    "textdagger": "†", "pounds": "£", "textsterling": "£", "euro": "€", "EUR": "€", "texteuro": "€", "textdollar": "$",
    "textunderscore": "_", "textquotedblleft": "“", "textquotedblright": "”", "textquoteleft": "‘",
    "textquoteright": "’",
    "lq": "‘", "rq": "’", "glqq": "„", "grqq": "“", "guillemotleft": "«", "guillemotright": "»", "flqq": "«",
    "frqq": "»",
    "LaTeX": "LaTeX", "TeX": "TeX", "LaTeXe": "LaTeX2e", "BibTeX": "BibTeX", "XeTeX": "XeTeX", "slash": "/",
    "backslash": "\\",
    "textsection": "§", "textparagraph": "¶", "textquotesingle": "'", "textasteriskcentered": "*",
    "textordfeminine": "ª",
    "textordmasculine": "º", "numero": "№", "textperthousand": "‰", "checkmark": "✓", "textrightarrow": "→",
    "textleftarrow": "←", "textlangle": "⟨", "textrangle": "⟩", "textbraceleft": "{", "textbraceright": "}", "at": "@",
    "textsuperscript": "^", "textsubscript": "_", "eg": "e.g.", "ie": "i.e.", "etc": "etc.",
}  # fmt: skip
_DOTLESS = {"ı": "i", "ȷ": "j"}
_LIGATURES = re.compile(r"---|--|``|''|`|,,|\?`|!`|'")
_SHOWN = {"---": "—", "--": "–", "``": "“", "''": "”", "`": "‘", ",,": "„", "?`": "¿", "!`": "¡", "'": "’"}
_GERMAN = re.compile(r'"([aouAOUsS`\'~=|-]|"?)')
_GERMAN_SHOWN = {"a": "ä", "o": "ö", "u": "ü", "A": "Ä", "O": "Ö", "U": "Ü", "s": "ß", "S": "SS", "`": "„", "'": "“"}
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ue000-\ue001]")


def accented(accent: str, letter: str) -> str:
    """A letter with its accent, as one character where Unicode has it."""
    letter = _DOTLESS.get(letter, letter)
    return unicodedata.normalize("NFC", letter[:1] + ACCENTS[accent]) + letter[1:]


def typeset(text: str, *, is_german: bool = False) -> str:
    """Running text with TeX's ligatures as the characters they give."""
    if is_german and '"' in text:
        text = _GERMAN.sub(lambda match: _GERMAN_SHOWN.get(match.group(1), "" if match.group(1) else '"'), text)
    if "'" in text or "-" in text or "`" in text or ",," in text:
        text = _LIGATURES.sub(lambda match: _SHOWN[match.group()], text)
    return _UNPRINTABLE.sub("", text)
