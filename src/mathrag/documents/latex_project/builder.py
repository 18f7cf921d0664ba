"""From the stream of tokens to blocks: paragraphs, groups and their styles, captured arguments. One loop, no recursion
over the document; what single commands and environments do stands in `text_commands.py` and `environments.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from mathrag.documents.latex_project.expander import Expander
from mathrag.documents.latex_project.files import ProjectFiles
from mathrag.documents.latex_project.inlines import Inlines, Span, typeset
from mathrag.documents.latex_project.references import Numbering
from mathrag.documents.latex_project.tables import MOST_CELLS_OF_ROW, OpenTable
from mathrag.documents.latex_project.tokens import TexToken, as_source
from mathrag.errors import DocumentError
from mathrag.types.document import Block, Box, Content, Display, ListItem, Math, Paragraph, Place, Text

Mode: TypeAlias = Literal["preamble", "flow", "cell", "line"]
_BEGIN_DOCUMENT = re.compile(r"^[^%\n]*\\begin[ \t]*\{document\}", re.MULTILINE)
_MOST_STRAY_BRACES = 5_000
_MOST_CAPTURES = 12
_GERMAN = frozenset(("german", "ngerman", "austrian", "naustrian", "swissgerman", "nswissgerman"))


@dataclass(slots=True)
class Frame:
    """Something opened and not yet closed, and what to go back to when it is."""

    kind: Literal["group", "argument", "environment"]
    name: str
    token: TexToken
    style: tuple[bool, bool]
    mode: Mode
    inlines: Inlines
    close: Callable[[Builder, TexToken], None] | None = None


@dataclass(slots=True)
class OpenList:
    """A list being read; `is_open` while an item collects."""

    kind: str
    count: int = 0
    is_open: bool = False
    marker: str = ""
    term: Content = ()


@dataclass(slots=True)
class OpenFloat:
    """A figure or table with a caption to come."""

    kind: str
    token: TexToken
    blocks: list[Block] = field(default_factory=list)
    caption: Content = ()
    caption_span: Span = field(default_factory=Span)


@dataclass(frozen=True, slots=True)
class Rules:
    """What the builder leaves to others: commands, beginnings of environments, formulas up to their closer."""

    command: Callable[[Builder, TexToken], None]
    environment: Callable[[Builder, TexToken], None]
    formula: Callable[[Builder, TexToken, str], None]


class Builder:
    """Reads one project."""

    def __init__(self, files: ProjectFiles, rules: Rules) -> None:
        self.files = files
        self.rules = rules
        self.expander = Expander(files)
        self.numbering = Numbering()
        self.outputs: list[list[Block]] = [[]]
        self.frames: list[Frame] = []
        self.floor = 0
        self.style = (False, False)
        self.inlines = Inlines()
        self.lists: list[OpenList] = []
        self.tables: list[OpenTable] = []
        self.floats: list[OpenFloat] = []
        self.theorems: dict[str, str] = {}
        self.boxes: list[Box] = []
        self.titled_theorems: set[str] = set()
        self.bibliographies: list[str] = []
        self.reference_key: str | None = None
        self.title = ""
        self.authors: list[str] = []
        self.year: int | None = None
        self.abstract = ""
        self.rank = 2
        self.has_document = bool(_BEGIN_DOCUMENT.search(files.files[0].text))
        self.mode: Mode = "preamble" if self.has_document else "flow"
        self.expander.in_preamble = self.has_document
        self._strays = 0
        self._captures = 0
        self._count = 0

    def run(self) -> list[Block]:
        """All blocks of the document."""
        while (token := self.expander.next()) is not None:
            self.handle(token)
        self.close_frames(0, None)
        self.flush()
        return self.outputs[0]

    @property
    def is_german(self) -> bool:
        """Whether `"a` is a German shorthand."""
        return bool(self.expander.languages & _GERMAN)

    def handle(self, token: TexToken) -> None:
        """One token of the stream."""
        kind = token.kind
        if kind in ("command", "frozen"):
            self.rules.command(self, token)
        elif kind == "begin":
            self.rules.environment(self, token)
        elif kind == "end":
            self.end_environment(token)
        elif self.mode == "preamble":
            return
        elif kind == "characters":
            self.inlines.text(typeset(token.text, is_german=self.is_german), self.style, token)
        elif kind in ("space", "tie"):
            self.inlines.space(token)
        elif kind == "paragraph":
            self.end_paragraph(token)
        elif kind == "open":
            self.push_frame("group", "{", token)
        elif kind == "close":
            self.close_group(token)
        elif kind == "dollar":
            self.dollar(token)
        elif kind == "align":
            self.next_cell(token)
        elif kind in ("verbatim", "super", "sub", "written"):
            self.inlines.text(token.text, self.style, token)

    def text(self, text: str, token: TexToken) -> None:
        """Add words in the current style."""
        if self.mode != "preamble":
            last = self.expander.last
            if last.file == token.file and last.stop > token.stop:
                # The words stand for a command with its arguments.
                token = token._replace(stop=last.stop)
            self.inlines.text(text, self.style, token)

    def push_frame(
        self,
        kind: Literal["group", "argument", "environment"],
        name: str,
        token: TexToken,
        *,
        close: Callable[[Builder, TexToken], None] | None = None,
    ) -> None:
        """Open a group, an argument or an environment."""
        if len(self.frames) >= self.files.source.limits.depth:
            place = str(self.files.place(token.file, token.start))
            raise DocumentError("too_deep", "groups are nested too deeply; a closing brace may be missing", place=place)
        self.frames.append(Frame(kind, name, token, self.style, self.mode, self.inlines, close))
        self.expander.begin_group()

    def pop_frame(self, token: TexToken | None) -> None:
        """Close the innermost frame and go back to what was before it."""
        frame = self.frames[-1]
        if frame.close is not None:
            # Still on the stack: a paragraph that ends with the frame must not come back with it.
            frame.close(self, token or frame.token)
        self.frames.pop()
        self.style, self.mode, self.inlines = frame.style, frame.mode, frame.inlines
        self.expander.end_group()

    def close_group(self, token: TexToken) -> None:
        """A closing brace: of a group, or of nothing."""
        if len(self.frames) > self.floor and self.frames[-1].kind != "environment":
            self.pop_frame(token)
            return
        self._strays += 1
        self.expander.note("stray_brace", "a closing brace closes nothing; it is left out", token, once="x")
        if self._strays > _MOST_STRAY_BRACES:
            raise DocumentError(
                "unbalanced",
                "thousands of closing braces close nothing; this is no LaTeX",
                place=str(self.files.place(token.file, token.start)),
            )

    def close_frames(self, floor: int, token: TexToken | None) -> None:
        """Close all frames above `floor`; what was still open is noted."""
        while len(self.frames) > floor:
            frame = self.frames[-1]
            shown = f"\\begin{{{frame.name}}}" if frame.kind == "environment" else "a brace"
            if frame.name != "document":
                self.expander.note("unclosed", f"{shown} is never closed; it is taken to end here", frame.token)
            self.pop_frame(token)

    def end_environment(self, token: TexToken) -> None:
        """`\\end{name}`: close the environment and whatever was left open inside it."""
        name = token.text
        if name == "document" and not self._ends_part():
            self.close_frames(self.floor, token)
            self.expander.stop()
            return
        if name == "document":
            self.expander.end_file()
        for index in range(len(self.frames) - 1, self.floor - 1, -1):
            frame = self.frames[index]
            if frame.kind == "environment" and frame.name == name:
                self.close_frames(index + 1, token)
                self.pop_frame(token)
                return
        if self.mode != "preamble":
            self.expander.note("stray_end", f"\\end{{{name}}} ends nothing; it is left out", token, once=name)

    def _ends_part(self) -> bool:
        """Whether a document inside the document ends: a subfile that could stand alone."""
        return sum(1 for frame in self.frames[self.floor :] if frame.name == "document") > 1

    def open_argument(self, token: TexToken, style: tuple[bool, bool] | None = None) -> None:
        """Read the next argument as part of the text, perhaps in another style."""
        following = self.expander.skip_blanks()
        if following is None:
            return
        if following.kind in ("close", "paragraph", "align", "end_capture", "barrier", "end"):
            self.expander.push(following)
            return
        self.push_frame("argument", token.text, token)
        if style is not None:
            self.style = style
        if following.kind != "open":
            first = self.expander.first_character(following)
            self.expander.push(TexToken("close", "}", first.file, first.stop, first.stop))
            self.expander.push(first)

    def capture(self, tokens: list[TexToken]) -> Inlines:
        """Read tokens as words and formulas on their own: a title, a caption, a term."""
        captured = Inlines()
        if self._captures >= _MOST_CAPTURES:
            if tokens:
                captured.text(as_source(tokens), (False, False), tokens[0])
            return captured
        saved = self.inlines, self.style, self.mode, self.floor
        self.inlines, self.style, self.mode, self.floor = captured, (False, False), "line", len(self.frames)
        self._captures += 1
        end = tokens[-1] if tokens else self.expander.last
        self.expander.push(TexToken("end_capture", "", end.file, end.stop, end.stop))
        self.expander.push_all(tokens)
        while (token := self.expander.next()) is not None and token.kind != "end_capture":
            self.handle(token)
        self.close_frames(self.floor, None)
        self._captures -= 1
        self.inlines, self.style, self.mode, self.floor = saved
        return captured

    def dollar(self, token: TexToken) -> None:
        """`$` or `$$`: a formula."""
        following = self.expander.raw()
        if following is not None and following.kind == "dollar":
            self.rules.formula(self, token, "$$")
            return
        if following is not None:
            self.expander.push(following)
        self.rules.formula(self, token, "$")

    def next_cell(self, token: TexToken) -> None:
        """`&`: another cell, where a table is being read."""
        if self.in_table_row:
            table = self.tables[-1]
            if len(table.row) >= MOST_CELLS_OF_ROW:
                self.expander.note("wide_row", "a row of thousands of cells; the rest is left out", token, once="x")
                return
            self.count_up()
            self.inlines = table.next_cell(token).inlines
        else:
            self.inlines.text("&", self.style, token)

    @property
    def in_table_row(self) -> bool:
        """Whether the table's own row is being filled, not something inside one of its cells."""
        if not self.tables or len(self.frames) <= self.floor:
            return False
        frame = self.frames[-1]
        return frame.kind == "environment" and frame.token is self.tables[-1].token

    @property
    def in_item(self) -> bool:
        """Whether a list item is being read."""
        return self.mode == "flow" and bool(self.lists) and self.lists[-1].is_open

    def end_paragraph(self, token: TexToken) -> None:
        """A blank line, as it counts here."""
        if self.mode == "line":
            self.inlines.space(token)
        elif self.mode == "cell" or self.in_item:
            self.inlines.line_break()
        elif self.mode == "flow":
            self.flush()

    def end_block(self, token: TexToken) -> None:
        """Something begins that is no part of the running text."""
        if self.mode == "line":
            self.inlines.space(token)
        elif self.mode == "cell":
            self.inlines.line_break()
        elif self.in_item:
            self.finish_item()
        elif self.mode == "flow":
            self.flush()

    def flush(self) -> None:
        """The paragraph is complete."""
        inlines = self.inlines
        inlines_content = inlines.content()
        self.fresh_inlines(inlines)
        if not inlines_content:
            return
        place, quote = inlines.span.place(self.files), inlines.span.quote(self.files)
        maths = [piece for piece in inlines_content if isinstance(piece, Math)]
        others = [piece for piece in inlines_content if not isinstance(piece, Math)]
        is_bare = all(isinstance(piece, Text) and not piece.text.strip(" .,;") for piece in others)
        if maths and is_bare and all(math.is_display for math in maths):
            for math in maths:
                self.emit(Display(math.place, math.quote if len(maths) > 1 else quote, math))
        else:
            self.emit(Paragraph(place, quote, inlines_content))

    def fresh_inlines(self, old: Inlines) -> None:
        """Begin to gather anew; frames opened inside the old paragraph go back to the new one."""
        self.inlines = Inlines()
        for frame in self.frames:
            if frame.inlines is old:
                frame.inlines = self.inlines

    def finish_item(self) -> None:
        """The list item is complete."""
        state, inlines = self.lists[-1], self.inlines
        state.is_open = False
        content = inlines.content()
        self.fresh_inlines(inlines)
        if content or state.term:
            depth = sum(1 for opened in self.lists if opened.kind)
            place, quote = inlines.span.place(self.files), inlines.span.quote(self.files)
            self.emit(ListItem(place, quote, content, depth=depth, marker=state.marker, term=state.term))
        state.term = ()

    def emit(self, block: Block) -> None:
        """One more block."""
        self.count_up()
        self.outputs[-1].append(block)

    def count_up(self) -> None:
        """One more block or cell, within the limit."""
        self._count += 1
        if self._count > self.files.source.limits.blocks:
            raise DocumentError("too_large", f"the document has more than {self._count - 1:,} blocks; split it")

    def place_of(self, token: TexToken) -> Place:
        """The place of a token."""
        return self.files.place(token.file, token.start, token.stop)

    def span_from(self, token: TexToken) -> Span:
        """From a token to the last one that was read."""
        span = Span()
        span.add(token)
        span.add(self.expander.last)
        return span
