"""Macros put in place of their names, conditionals decided, files included: the stream of tokens a document means.

Nothing is run: a macro is a list of tokens that takes the place of its name, within caps on count, size and depth.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from mathrag.documents.latexproject import conditionals, inclusion
from mathrag.documents.latexproject.feeds import Feeds
from mathrag.documents.latexproject.files import ProjectFiles
from mathrag.documents.latexproject.macros import (
    DEFINERS,
    PROTECTED,
    Alias,
    Meaning,
    Parameter,
    UserEnvironment,
)
from mathrag.documents.latexproject.packages import PROTECTED_ENVIRONMENTS, package_macros
from mathrag.documents.latexproject.tokens import Token, as_source

# What one use in a file may cause before it counts as a bomb.
MOST_EXPANSIONS = 30_000
MOST_TOKENS = 300_000
_MOST_BOMBS = 8
_MOST_NESTED = 8
_CATEGORY_CODE = re.compile(r"[ \t]*`?\\?[^\n]?[ \t]*=?[ \t]*\d*")
_REGISTER_NUMBER = re.compile(r"[ \t]*-?\d*[ \t]*=?[ \t]*[\w./-]*")


class Expander(Feeds):
    """Reads the project's tokens; `next` gives them with all macros of the document expanded."""

    def __init__(self, files: ProjectFiles) -> None:
        super().__init__(files)
        self.macros: dict[str, Meaning] = dict(package_macros())
        self.environments: dict[str, UserEnvironment] = {}
        self.units: dict[str, tuple[Token, ...]] = {}
        self.switches: dict[str, bool] = {}
        self.packages: set[str] = set()
        self.languages: set[str] = set()
        self.in_preamble = False
        self._open: list[tuple[str, list[list[Token]]]] = []
        self._scopes: list[dict[str, Meaning | None] | None] = []
        self._bombs = 0
        self._nested = 0

    def next(self) -> Token | None:
        """The next token that is neither a macro nor a definition."""
        while True:
            token = self.raw()
            if token is None:
                return None
            kind = token.kind
            if kind != "command" and kind != "frozen":
                return token
            meaning = self.macros.get(token.text) if kind == "command" else None
            if meaning is not None:
                self.expand(token, meaning)
                continue
            handler = _HANDLERS.get(token.text)
            if handler is None:
                switch = conditionals.switch_of(self, token.text)
                if switch is None:
                    return token
                handler = switch
            made = handler(self, token)
            if made is not None:
                return made

    def define(self, name: Token, meaning: Meaning, *, is_global: bool = False) -> None:
        """Give a name a meaning, until the end of the group it is defined in."""
        if name.text in PROTECTED:
            return
        if self._scopes and not is_global:
            scope = self._scopes[-1]
            if scope is None:
                scope = self._scopes[-1] = {}
            scope.setdefault(name.text, self.macros.get(name.text))
        self.macros[name.text] = meaning

    def define_environment(self, name: str, environment: UserEnvironment) -> None:
        """Remember an environment of the document; those that carry structure keep their meaning."""
        if name not in PROTECTED_ENVIRONMENTS:
            self.environments[name] = environment

    def begin_group(self) -> None:
        """Definitions from here on are local."""
        self._scopes.append(None)

    def end_group(self) -> None:
        """Forget the definitions of the innermost group."""
        if not self._scopes:
            return
        for name, meaning in (self._scopes.pop() or {}).items():
            if meaning is None:
                self.macros.pop(name, None)
            else:
                self.macros[name] = meaning

    def expand(self, token: Token, meaning: Meaning) -> None:
        """Put what a name stands for in its place."""
        self.expansions += 1
        if self.expansions > MOST_EXPANSIONS:
            self._bomb(token)
            return
        if isinstance(meaning, Alias):
            self.push(Token("frozen", meaning.name, token.file, token.start, token.stop))
            return
        if meaning.prefix:
            self._match_prefix(meaning.prefix)
        arguments = [self._argument_for(parameter, token) for parameter in meaning.parameters]
        self._substitute(meaning.body, arguments, token)

    def _substitute(self, body: Sequence[Token], arguments: list[list[Token]], token: Token) -> None:
        size = len(body)
        for part in body:
            if part.kind == "parameter" and part.text.isdigit() and int(part.text) <= len(arguments):
                size += len(arguments[int(part.text) - 1])
        self.produced += size
        if self.produced > MOST_TOKENS:
            self._bomb(token)
            return
        file, start, last = token.file, token.start, self.last
        stop = max(token.stop, last.stop) if last.file == file else token.stop
        made: list[Token] = []
        for part in body:
            kind, text = part.kind, part.text
            if kind != "parameter":
                made.append(Token(kind, text, file, start, stop))
            elif text.startswith("#"):
                made.append(Token("parameter", text[1:], file, start, stop))
            elif int(text) <= len(arguments):
                made.extend(arguments[int(text) - 1])
        if not self.feeds:
            self.push_all(made)
            return
        made.reverse()
        self.feeds[-1].pending.extend(made)

    def _bomb(self, token: Token) -> None:
        self.note(
            "macro_bomb",
            f"the macro \\{token.text} expands without end; it is left out",
            token,
            once=token.text,
        )
        self.drop_pending()
        self.expansions = self.produced = 0
        self.macros.pop(token.text, None)
        self._bombs += 1
        if self._bombs >= _MOST_BOMBS:
            self.note(
                "macro_bomb", "too many macros expand without end; none is expanded from here on", token, once="*"
            )
            self.macros.clear()
            self.environments.clear()

    def _match_prefix(self, prefix: str) -> None:
        taken: list[Token] = []
        while prefix:
            part = self.raw()
            if part is None:
                break
            part = self.first_character(part)
            taken.append(part)
            shown = f"\\{part.text}" if part.kind in ("command", "frozen") else part.text
            if not prefix.startswith(shown):
                self.push_all(taken)
                return
            prefix = prefix[len(shown) :]

    def _argument_for(self, parameter: Parameter, token: Token) -> list[Token]:
        missing = Token("no_value", "", token.file, token.start, token.stop)
        match parameter.kind:
            case "braces":
                return self.argument()
            case "star":
                return [missing._replace(kind="characters", text="*")] if self.star() else [missing]
            case "until":
                return self._until(parameter.delimiter)
            case "brackets" | "between":
                pair = parameter.delimiter or "[]"
                given = self.between(pair[:1], pair[1:2])
                if given is not None:
                    return given
                if parameter.default is None:
                    return [missing]
                return [missing._replace(kind=part.kind, text=part.text) for part in parameter.default]

    def _until(self, delimiter: str) -> list[Token]:
        """Tokens up to a delimiter outside braces; braces around the whole are taken off."""
        tokens: list[Token] = []
        tail = ""
        depth = 0
        while len(tokens) < 20_000:
            part = self.raw()
            if part is None or part.kind in ("barrier", "end_capture", "paragraph"):
                if part is not None:
                    self.push(part)
                break
            part = self.first_character(part)
            depth += (part.kind == "open") - (part.kind == "close")
            tokens.append(part)
            if depth:
                tail = ""
                continue
            tail += f"\\{part.text}" if part.kind in ("command", "frozen") else part.text
            if tail.endswith(delimiter):
                while delimiter and tokens:
                    part = tokens.pop()
                    shown = f"\\{part.text}" if part.kind in ("command", "frozen") else part.text
                    delimiter = delimiter[: len(delimiter) - len(shown)]
                break
            tail = tail[-len(delimiter) - 60 :]
        if len(tokens) > 1 and tokens[0].kind == "open" and tokens[-1].kind == "close":
            return tokens[1:-1]
        return tokens

    def expanded(self, tokens: list[Token]) -> list[Token]:
        """Tokens with their macros expanded, on their own."""
        if self._nested >= _MOST_NESTED:
            return tokens
        self._nested += 1
        self.push(Token("barrier", "", self.last.file, self.last.start, self.last.stop))
        self.push_all(tokens)
        result: list[Token] = []
        while (token := self.next()) is not None and token.kind != "barrier":
            result.append(token)
        self._nested -= 1
        return result

    def text_argument(self) -> str:
        """An argument as source text, macros expanded: a file name, a key."""
        return as_source(self.expanded(self.argument(is_long=False)))

    def begin(self, token: Token) -> Token | None:
        """`\\begin{name}` as one token; an environment of the document gives what stands at its beginning."""
        name = as_source(self.argument(is_long=False))[:80]
        made = Token("begin", name, token.file, token.start, self._stop_after(token))
        environment = self.environments.get(name) if token.kind == "command" else None
        if environment is None:
            return made
        self.expansions += 1
        if self.expansions > MOST_EXPANSIONS or len(self._open) > self.files.source.limits.depth:
            self._bomb(token)
            return None
        arguments = [self._argument_for(parameter, token) for parameter in environment.parameters]
        self._open.append((name, arguments))
        self._substitute(environment.beginning, arguments, made)
        return Token("frozen", "begingroup", made.file, made.start, made.stop)

    def end(self, token: Token) -> Token | None:
        """`\\end{name}` as one token; an environment of the document gives what stands at its end."""
        name = as_source(self.argument(is_long=False))[:80]
        made = Token("end", name, token.file, token.start, self._stop_after(token))
        environment = self.environments.get(name) if token.kind == "command" else None
        if environment is None:
            return made
        arguments: list[list[Token]] = []
        if any(opened == name for opened, _ in self._open):
            while self._open:
                opened, arguments = self._open.pop()
                if opened == name:
                    break
        self.push(Token("frozen", "endgroup", made.file, made.start, made.stop))
        self._substitute(environment.ending, arguments, made)
        return None

    def _stop_after(self, token: Token) -> int:
        return max(token.stop, self.last.stop) if self.last.file == token.file else token.stop


def _command_by_name(expander: Expander, token: Token) -> None:
    """`\\csname foo\\endcsname`, where the name is written out or one macro away."""
    name = ""
    for _ in range(100):
        part = expander.raw()
        meaning = expander.macros.get(part.text) if part is not None and part.kind == "command" else None
        if part is not None and meaning is not None:
            expander.expand(part, meaning)
            continue
        if part is None or part.kind in ("barrier", "end_capture", "paragraph"):
            if part is not None:
                expander.push(part)
            return
        if part.kind == "command" and part.text == "endcsname":
            break
        name += part.text if part.kind in ("characters", "space") else ""
    expander.push(Token("command", name[:80] or "relax", token.file, token.start, token.stop))


def _expand_after(expander: Expander, _: Token) -> None:
    first, second = expander.raw(), expander.raw()
    if second is not None:
        meaning = expander.macros.get(second.text) if second.kind == "command" else None
        if meaning is not None:
            expander.expand(second, meaning)
        elif second.kind == "command" and second.text == "csname":
            _command_by_name(expander, second)
        else:
            expander.push(second)
    if first is not None:
        expander.push(first)


def _refuse(expander: Expander, token: Token) -> None:
    """Commands that would act on the machine: left out with what they were to do."""
    expander.note("refused_command", f"\\{token.text} is never carried out", token, once=token.text)
    expander.take_raw(_REGISTER_NUMBER)
    following = expander.peek()
    if following is not None and following.kind == "open":
        expander.argument()


def _refuse_codes(expander: Expander, token: Token) -> None:
    expander.note(
        "category_codes", f"\\{token.text} is not followed: characters keep their usual roles", token, once="x"
    )
    expander.take_raw(_CATEGORY_CODE)


def _letters(at: bool) -> Callable[[Expander, Token], None]:
    def set_letters(expander: Expander, _: Token) -> None:
        expander.letters.at = at

    return set_letters


def _skip_programming(expander: Expander, token: Token) -> None:
    lexer = expander.lexer()
    if lexer is not None:
        lexer.take_until("\\ExplSyntaxOff")
        expander.note("programming", "code between \\ExplSyntaxOn and \\ExplSyntaxOff is left out", token, once="x")


def _nothing(expander: Expander, token: Token) -> None:
    """A prefix that changes nothing here."""


_HANDLERS: dict[str, Callable[[Expander, Token], Token | None]] = {
    **DEFINERS,
    **conditionals.HANDLERS,
    **inclusion.HANDLERS,
    "begin": Expander.begin,
    "end": Expander.end,
    "csname": _command_by_name,
    "expandafter": _expand_after,
    "makeatletter": _letters(True),
    "makeatother": _letters(False),
    "ExplSyntaxOn": _skip_programming,
    **dict.fromkeys(("long", "global", "protected", "outer", "noexpand", "unexpanded", "immediate"), _nothing),
    **dict.fromkeys(("catcode", "mathcode", "lccode", "uccode", "sfcode", "delcode"), _refuse_codes),
    **dict.fromkeys(
        "write openin openout closein closeout read readline special directlua luaexec ShellEscape pdfobj "
        "luadirect pyc py sage sagestr pysub".split(),
        _refuse,
    ),
}
