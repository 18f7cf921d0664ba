"""Where tokens come from: files included in files, macros' bodies put back; and how arguments are taken from them.

Counts all work, so that no document, however cunning, keeps a reader busy for long. Expands nothing itself.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from pathlib import Path

from mathrag.documents.latex_project.files import ProjectFile, ProjectFiles
from mathrag.documents.latex_project.tokens import Letters, Lexer, TexToken, as_source
from mathrag.errors import DocumentError

# Tokens taken, put back and taken again included: about 8 MB of ordinary LaTeX.
MOST_WORK = 4_000_000
_MOST_FEEDS = 60
# How far an option may reach, in tokens; less far once many brackets were found that nothing closes.
_LONGEST_OPTION = 800
_SHORTER_OPTION = 80
_MOST_UNCLOSED = 40
_CLOCK_EVERY = 32_768
_ENDS = ("barrier", "end_capture")


class Feed:
    """One file being read (or none) and the tokens that were put back in front of it."""

    __slots__ = ("lexer", "path", "pending")

    def __init__(self, lexer: Lexer | None, path: Path | None) -> None:
        self.lexer = lexer
        self.path = path
        self.pending: list[TexToken] = []


class Feeds:
    """The stack of feeds; the last one is read first."""

    def __init__(self, files: ProjectFiles) -> None:
        self.files = files
        self.letters = Letters()
        self.work = 0
        self.expansions = 0
        self.produced = 0
        self._unclosed = 0
        self._next_check = _CLOCK_EVERY
        self.last = TexToken("space", "", 0, 0, 0)
        self._deadline = time.thread_time() + files.source.limits.seconds
        path = files.source.path.resolve() if files.source.path is not None else None
        self.feeds = [Feed(Lexer(files.files[0].text, 0, self.letters), path)]

    def raw(self) -> TexToken | None:
        """The next token, unexpanded."""
        self.work += 1
        if self.work >= self._next_check:
            self._check_work()
        feeds = self.feeds
        while feeds:
            feed = feeds[-1]
            if feed.pending:
                self.last = feed.pending.pop()
                return self.last
            token = feed.lexer.next() if feed.lexer is not None else None
            if token is not None:
                # Whatever was expanded so far came to an end: the count of what one use produces starts anew.
                self.expansions = self.produced = 0
                self.last = token
                return token
            feeds.pop()
        return None

    def _check_work(self) -> None:
        self._next_check = self.work + _CLOCK_EVERY
        if time.thread_time() > self._deadline:
            seconds = self.files.source.limits.seconds
            reason = f"reading the document took longer than {seconds:g} s; split it"
            raise DocumentError("too_slow", reason, place=self.where())
        if self.work > MOST_WORK:
            raise DocumentError(
                "too_large", "the document asks for more work than any real one; split it", place=self.where()
            )

    def where(self) -> str:
        """The place of the last token, for a person."""
        return str(self.files.place(self.last.file, self.last.start))

    def note(self, code: str, message: str, token: TexToken, *, once: str = "") -> None:
        """A note at a token."""
        self.files.note(code, message, self.files.place(token.file, token.start), once=once)

    def push(self, token: TexToken) -> None:
        """Put a token back, to be read next."""
        if not self.feeds:
            self.feeds.append(Feed(None, None))
        self.feeds[-1].pending.append(token)

    def push_all(self, tokens: Iterable[TexToken]) -> None:
        """Put tokens back, in the order in which they are to be read."""
        if not self.feeds:
            self.feeds.append(Feed(None, None))
        self.feeds[-1].pending.extend(reversed(list(tokens)))

    def enter(self, file: ProjectFile, path: Path) -> None:
        """Read another file before going on."""
        self.feeds.append(Feed(Lexer(file.text, file.index, self.letters), path))

    def is_open(self, path: Path) -> bool:
        """Whether the file is being read at the moment, here or further out."""
        return any(feed.path == path for feed in self.feeds)

    @property
    def is_too_deep(self) -> bool:
        """Whether files include files beyond all reason."""
        return len(self.feeds) >= _MOST_FEEDS

    def lexer(self) -> Lexer | None:
        """The file that is read directly at this moment: nothing was put back in front of it."""
        while self.feeds and not self.feeds[-1].pending and self.feeds[-1].lexer is None:
            self.feeds.pop()
        feed = self.feeds[-1] if self.feeds else None
        return feed.lexer if feed is not None and not feed.pending else None

    def current_folder(self) -> Path | None:
        """The folder of the file that is being read."""
        for feed in reversed(self.feeds):
            if feed.lexer is not None:
                return self.files.files[feed.lexer.file].folder
        return None

    def end_file(self) -> None:
        """Read no further in the innermost file."""
        for feed in reversed(self.feeds):
            if feed.lexer is not None:
                feed.lexer.close()
                return

    def stop(self) -> None:
        """Read nothing more, except the ends of what is being captured."""
        ends = [token for feed in self.feeds for token in feed.pending if token.kind in _ENDS]
        self.feeds = [Feed(None, None)]
        self.feeds[0].pending = ends

    def drop_pending(self) -> None:
        """Forget what was put back, except the ends of what is being captured."""
        for feed in self.feeds:
            feed.pending = [token for token in feed.pending if token.kind in _ENDS]

    def skip_blanks(self) -> TexToken | None:
        """The next token that is no blank, taken."""
        token = self.raw()
        while token is not None and token.kind == "space":
            token = self.raw()
        return token

    def peek(self) -> TexToken | None:
        """The next token, left where it is."""
        last = self.last
        token = self.raw()
        if token is not None:
            self.push(token)
        self.last = last
        return token

    def star(self) -> bool:
        """Take the star after a command, if there is one."""
        token = self.peek()
        if token is not None and token.kind == "characters" and token.text == "*":
            self.raw()
            return True
        return False

    def argument(self, *, is_long: bool = True) -> list[TexToken]:
        """The next argument: what stands in braces, or one character or command. Short ones end with the paragraph."""
        last = self.last
        token = self.skip_blanks()
        if token is None:
            return []
        if token.kind == "open":
            return self.group(token, is_long=is_long)
        if token.kind in ("close", "paragraph", "align", *_ENDS):
            self.push(token)
            self.last = last
            return []
        return [self.first_character(token)]

    def first_character(self, token: TexToken) -> TexToken:
        """A token, or of a run of characters the first, the rest being put back."""
        if token.kind != "characters" or len(token.text) < 2:
            return token
        file, start, stop = token.file, token.start, token.stop
        is_exact = stop - start == len(token.text)
        middle = start + 1 if is_exact else stop
        self.push(TexToken("characters", token.text[1:], file, middle if is_exact else start, stop))
        self.last = TexToken("characters", token.text[0], file, start, middle)
        return self.last

    def group(self, opening: TexToken, *, is_long: bool = True) -> list[TexToken]:
        """The tokens up to the brace that closes `opening`. One never closed is taken to end with its paragraph."""
        depth, most = 1, self.files.source.limits.depth
        tokens: list[TexToken] = []
        first_end = -1
        while True:
            token = self.raw()
            if token is None or token.kind in _ENDS:
                break
            kind = token.kind
            if kind == "open":
                depth += 1
                if depth > most:
                    raise DocumentError(
                        "too_deep",
                        f"braces are nested more than {most} deep; a closing one may be missing",
                        place=str(self.files.place(opening.file, opening.start)),
                    )
            elif kind == "close":
                depth -= 1
                if not depth:
                    return tokens
            elif kind == "paragraph" and first_end < 0:
                first_end = len(tokens)
                if not is_long:
                    break
            tokens.append(token)
        self.note("unclosed_brace", "a brace is never closed; its text is taken to end with the paragraph", opening)
        if token is not None:
            self.push(token)
        if first_end >= 0:
            self.push_all(tokens[first_end:])
            del tokens[first_end:]
        return tokens

    def option(self) -> list[TexToken] | None:
        """What stands in square brackets here, None without any."""
        return self.between("[", "]")

    def between(self, opening: str, closing: str) -> list[TexToken] | None:
        """What stands between two characters, None where the first does not stand here or the second never comes."""
        blanks: list[TexToken] = []
        last = self.last
        token = self.raw()
        while token is not None and token.kind == "space":
            blanks.append(token)
            token = self.raw()
        if token is None or token.kind != "characters" or not token.text.startswith(opening):
            if token is not None:
                self.push(token)
            self.push_all(blanks)
            self.last = last
            return None
        first = self.first_character(token)
        tokens: list[TexToken] = []
        depth = 0
        for _ in range(_LONGEST_OPTION if self._unclosed < _MOST_UNCLOSED else _SHORTER_OPTION):
            token = self.raw()
            if token is None:
                break
            depth += (token.kind == "open") - (token.kind == "close")
            if token.kind == "characters" and not depth and closing in token.text:
                return self._closed(tokens, token, closing)
            tokens.append(token)
            if depth < 0 or token.kind in ("paragraph", *_ENDS):
                break
        self._unclosed += len(tokens) > _SHORTER_OPTION
        self.push_all([*blanks, first, *tokens])
        self.last = last
        return None

    def _closed(self, tokens: list[TexToken], token: TexToken, closing: str) -> list[TexToken]:
        inside, _, rest = token.text.partition(closing)
        if inside:
            tokens.append(token._replace(text=inside))
        if rest:
            start = token.stop - len(rest) if token.stop - token.start == len(token.text) else token.start
            self.push(token._replace(text=rest, start=start))
        return tokens

    def plain_argument(self) -> str:
        """An argument as its source text: a name, a number, a length."""
        return as_source(self.argument(is_long=False))

    def take_raw(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Characters of the file itself, where it is read directly."""
        lexer = self.lexer()
        return lexer.take(pattern) if lexer is not None else None
