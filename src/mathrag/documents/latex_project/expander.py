"""Macros put in place of their names, conditionals decided, files included: the stream of tokens a document means.

Nothing is run: a macro is a list of tokens that takes the place of its name, within caps on count, size and depth.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from mathrag.documents.latex_project.files import ProjectFiles
from mathrag.documents.latex_project.macros import (
    DEFINERS,
    Alias,
    Definitions,
    Meaning,
    Parameter,
)
from mathrag.documents.latex_project.tokens import TexToken, as_source

# TeX's conditionals, as far as a reader needs them: what is switched off is skipped, the rest is read.
#
# A test that needs TeX's arithmetic is not computed; its first branch is read and a note says so.


Handler = Callable[["Expander", TexToken], TexToken | None]

_TESTS = frozenset(
    (
        "if ifcat ifx ifnum ifdim ifodd ifvmode ifhmode ifmmode ifinner ifvoid ifhbox ifvbox ifeof iftrue iffalse "
        "ifcase "
        "ifdefined ifcsname iffontchar ifpdf ifxetex ifluatex ifpdftex iftutex ifXeTeX ifLuaTeX ifPDFTeX"
    ).split()
)
_FALSE = frozenset("iffalse ifvmode ifinner ifeof ifvoid ifxetex ifluatex ifXeTeX ifLuaTeX iftutex".split())


def _opens(expander: Expander, token: TexToken) -> bool:
    name = token.text
    return name in _TESTS or (name.startswith("if") and name[2:] in expander.switches)


def skip_branch(expander: Expander, token: TexToken, *, to_else: bool) -> None:
    """Pass over a branch that does not count, up to its `\\else` (if wanted) or `\\fi`."""
    level = 0
    while (part := expander.raw()) is not None:
        if part.kind in ("barrier", "end_capture"):
            expander.push(part)
            return
        if part.kind != "command":
            continue
        if part.text == "fi":
            if level == 0:
                return
            level -= 1
        elif part.text == "else" and level == 0 and to_else:
            return
        elif _opens(expander, part):
            level += 1
    expander.note("unclosed_condition", f"\\{token.text} has no \\fi; what follows it is left out", token)


def _decide(expander: Expander, token: TexToken, holds: bool) -> None:
    if not holds:
        skip_branch(expander, token, to_else=True)


def _constant(expander: Expander, token: TexToken) -> None:
    _decide(expander, token, token.text not in _FALSE)


def _compare_meanings(expander: Expander, token: TexToken) -> None:
    one, other = expander.skip_blanks(), expander.skip_blanks()
    if one is None or other is None:
        return
    one, other = expander.first_character(one), expander.first_character(other)
    meanings = [expander.macros.get(part.text) if part.kind == "command" else None for part in (one, other)]
    if meanings[0] is not None and meanings[1] is not None:
        same = [_shown(meaning) for meaning in meanings]
        _decide(expander, token, same[0] == same[1])
    else:
        _decide(expander, token, meanings == [None, None] and one.text == other.text)


def _shown(meaning: object) -> object:
    body = getattr(meaning, "body", None)
    return [(part.kind, part.text) for part in body] if body is not None else meaning


def _is_defined(expander: Expander, token: TexToken) -> None:
    part = expander.skip_blanks()
    _decide(expander, token, part is not None and part.text in expander.macros)


def _compare_numbers(expander: Expander, token: TexToken) -> None:
    """`\\ifnum 1<2`, as far as whole numbers are written out; anything else takes the first branch."""
    parts: list[TexToken] = []
    while len(parts) < 12 and (part := expander.raw()) is not None:
        if part.kind == "characters" and (part.text == "=" or part.text.lstrip("-<>").isdigit()):
            parts.append(part)
            continue
        if part.kind in ("command", "frozen") and not parts:
            parts.append(part)
            continue
        if part.kind != "space":
            expander.push(part)
        break
    shown = "".join(part.text for part in parts)
    for sign in "<>=":
        left, found, right = shown.partition(sign)
        if found and left.lstrip("-").isdigit() and right.lstrip("-").isdigit() and len(shown) < 40:
            one, other = int(left), int(right)
            _decide(expander, token, {"<": one < other, ">": one > other, "=": one == other}[sign])
            return
    expander.note("condition", f"the test of \\{token.text} is not computed; its first branch is read", token, once="x")


def _else(expander: Expander, token: TexToken) -> None:
    skip_branch(expander, token, to_else=False)


def _skip_conditional(expander: Expander, token: TexToken) -> None:
    """`\\fi` after a branch that was read."""


def _then_else(expander: Expander, token: TexToken) -> None:
    """`\\ifthenelse{test}{yes}{no}`: the first branch."""
    expander.argument()
    yes = expander.argument()
    expander.argument()
    expander.push_all(yes)
    expander.note("condition", f"the test of \\{token.text} is not computed; its first branch is read", token, once="x")


def _has_value(expander: Expander, token: TexToken) -> None:
    """xparse `\\IfNoValueTF{#1}{yes}{no}`, `\\IfValueT`, `\\IfBooleanTF`."""
    given = expander.argument()
    is_missing = not given or given[0].kind == "no_value"
    name = token.text
    if name.startswith("IfBlank"):
        is_missing = not [part for part in given if part.kind not in ("space", "no_value")]
    holds = is_missing if name.startswith(("IfNoValue", "IfBlank")) else not is_missing
    yes = expander.argument() if name.endswith(("TF", "T")) else []
    no = expander.argument() if name.endswith("F") else []
    expander.push_all(yes if holds else no)


def _if_star(expander: Expander, _: TexToken) -> None:
    yes, no = expander.argument(), expander.argument()
    expander.push_all(yes if expander.star() else no)


def _if_next(expander: Expander, _: TexToken) -> None:
    sought, yes, no = expander.argument(), expander.argument(), expander.argument()
    following = expander.skip_blanks()
    if following is not None:
        expander.push(following)
    holds = bool(following and sought and following.kind == sought[0].kind and following.text[:1] == sought[0].text[:1])
    expander.push_all(yes if holds else no)


def switch_of(expander: Expander, name: str) -> Handler | None:
    """The rule for a switch that `\\newif` made: its test, or the command that sets it."""
    switches = expander.switches
    if name.startswith("if") and name[2:] in switches:
        return lambda reader, token: _decide(reader, token, reader.switches[token.text[2:]])
    for ending, value in (("true", True), ("false", False)):
        if name.endswith(ending) and name.removesuffix(ending) in switches:
            switches[name.removesuffix(ending)] = value
            return _skip_conditional
    return None


CONDITIONALS: dict[str, Handler] = {
    **dict.fromkeys(_TESTS, _constant),
    "ifx": _compare_meanings,
    "ifdefined": _is_defined,
    **dict.fromkeys(("ifnum", "ifdim", "ifodd", "ifcase", "if", "ifcat"), _compare_numbers),
    "else": _else,
    "fi": _skip_conditional,
    "ifthenelse": _then_else,
    **{
        f"If{test}{ending}": _has_value
        for test in ("NoValue", "Value", "Boolean", "Blank")
        for ending in ("TF", "T", "F")
    },
    "@ifstar": _if_star,
    "@ifnextchar": _if_next,
}


# Files taken into a document: `\input`, `\include`, `\subfile`, `\import`, packages and classes of its own.
#
# Every file is looked for inside the folder only; one that cannot be had leaves a note, and reading goes on.


_OPENING = re.compile(r"\s*(?=\{)")
_BARE_NAME = re.compile(r"[ \t]*([^\s{}\\%]+)")


def _file_name(expander: Expander) -> str:
    """The name in braces, or as TeX's own `\\input name` has it."""
    lexer = expander.lexer()
    if lexer is not None and lexer.take(_OPENING) is None:
        match = lexer.take(_BARE_NAME)
        if match is not None:
            return match.group(1)
    return expander.text_argument().strip().strip('"')


def _missing(name: str, why: str) -> str:
    """What a reader of notes is told about a file that could not be had."""
    if "no such file" in why:
        file = name if Path(name).suffix else f"{name}.tex"
        return f"{file} is missing; what it holds was not read, and commands that it defines are not known"
    return f"{name!r} is not included: {why}"


def include(expander: Expander, token: TexToken, name: str, *, near: Path | None, is_block: bool) -> bool:
    """Read a file in place of the command; whether it could be had."""
    shown = name[:80]
    found = expander.files.find(name, endings=(".tex", ""), near=near)
    if isinstance(found, str):
        expander.note("not_included", _missing(shown, found), token)
        return False
    if expander.is_open(found):
        expander.note("cyclic_inclusion", f"{shown!r} is not included: it includes itself", token)
        return False
    if expander.is_too_deep:
        expander.note("not_included", f"{shown!r} is not included: files include files too deeply", token)
        return False
    file = expander.files.read(found)
    if isinstance(file, str):
        expander.note("not_included", f"{shown!r} is not included: {file}", token, once=file if "more" in file else "")
        return False
    gap = TexToken("paragraph" if is_block else "space", " ", token.file, token.start, token.stop)
    expander.push(gap)
    expander.enter(file, found)
    if is_block:
        expander.push(gap)
    return True


def _input(expander: Expander, token: TexToken) -> None:
    include(expander, token, _file_name(expander), near=expander.current_folder(), is_block=token.text != "input")


def _import(expander: Expander, token: TexToken) -> None:
    expander.star()
    folder, name = expander.text_argument().strip(), expander.text_argument().strip()
    joined = f"{folder.rstrip('/')}/{name}" if folder and folder != "./" else name
    if folder.startswith("/"):
        joined = folder + name
    include(expander, token, joined, near=expander.current_folder(), is_block=False)


def _input_if_exists(expander: Expander, token: TexToken) -> None:
    name = expander.text_argument().strip()
    yes, no = expander.argument(), expander.argument()
    if isinstance(expander.files.find(name, endings=(".tex", "")), str):
        expander.push_all(no)
        return
    expander.push_all(yes)
    include(expander, token, name, near=None, is_block=False)


def _use_package(expander: Expander, token: TexToken) -> None:
    """Remember the package; one that lies in the folder is read for its definitions."""
    options = as_source(expander.option() or [])
    names = [name.strip() for name in as_source(expander.argument(is_long=False)).split(",")]
    expander.option()
    expander.packages.update(names)
    if "babel" in names or "polyglossia" in names:
        expander.languages.update(part.strip() for part in options.split(","))
    for name in reversed(names[:200]):
        read_definitions(expander, token, f"{name}.sty")


def read_definitions(expander: Expander, token: TexToken, name: str) -> None:
    """Read a package or class that lies in the folder, for what it defines; others are known or done without."""
    found = expander.files.find(name, endings=("",)) if expander.in_preamble else ""
    if isinstance(found, str) or expander.is_open(found) or expander.is_too_deep:
        return
    file = expander.files.read(found)
    if isinstance(file, str):
        expander.note("not_included", f"{name[:80]!r} is not read: {file}", token)
        return
    if not expander.letters.at:
        expander.push(TexToken("frozen", "makeatother", token.file, token.start, token.stop))
        expander.letters.at = True
    expander.enter(file, found)


def _end_input(expander: Expander, _: TexToken) -> None:
    expander.end_file()


INCLUSIONS: dict[str, Callable[[Expander, TexToken], TexToken | None]] = {
    **dict.fromkeys(("input", "include", "subfile", "subfileinclude", "@input"), _input),
    **dict.fromkeys(("import", "subimport", "includefrom", "inputfrom", "subincludefrom", "subinputfrom"), _import),
    "InputIfFileExists": _input_if_exists,
    **dict.fromkeys(("usepackage", "RequirePackage"), _use_package),
    "endinput": _end_input,
}


# What one use in a file may cause before it counts as a bomb.
MOST_EXPANSIONS = 30_000
MOST_TOKENS = 300_000
_MOST_BOMBS = 8
_MOST_NESTED = 8
_CATEGORY_CODE = re.compile(r"[ \t]*`?\\?[^\n]?[ \t]*=?[ \t]*\d*")
_REGISTER_NUMBER = re.compile(r"[ \t]*-?\d*[ \t]*=?[ \t]*[\w./-]*")


class Expander(Definitions):
    """Reads the project's tokens; `next` gives them with all macros of the document expanded."""

    def __init__(self, files: ProjectFiles) -> None:
        super().__init__(files)
        self.packages: set[str] = set()
        self.languages: set[str] = set()
        self.in_preamble = False
        self._open: list[tuple[str, list[list[TexToken]]]] = []
        self._bombs = 0
        self._nested = 0

    def next(self) -> TexToken | None:
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
                switch = switch_of(self, token.text)
                if switch is None:
                    return token
                handler = switch
            made = handler(self, token)
            if made is not None:
                return made

    def expand(self, token: TexToken, meaning: Meaning) -> None:
        """Put what a name stands for in its place."""
        self.expansions += 1
        if self.expansions > MOST_EXPANSIONS:
            self._bomb(token)
            return
        if isinstance(meaning, Alias):
            self.push(TexToken("frozen", meaning.name, token.file, token.start, token.stop))
            return
        if meaning.prefix:
            self._match_prefix(meaning.prefix)
        arguments = [self._argument_for(parameter, token) for parameter in meaning.parameters]
        self._substitute(meaning.body, arguments, token)

    def _substitute(self, body: Sequence[TexToken], arguments: list[list[TexToken]], token: TexToken) -> None:
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
        made: list[TexToken] = []
        for part in body:
            kind, text = part.kind, part.text
            if kind != "parameter":
                made.append(TexToken(kind, text, file, start, stop))
            elif text.startswith("#"):
                made.append(TexToken("parameter", text[1:], file, start, stop))
            elif int(text) <= len(arguments):
                made.extend(arguments[int(text) - 1])
        if not self.feeds:
            self.push_all(made)
            return
        made.reverse()
        self.feeds[-1].pending.extend(made)

    def _bomb(self, token: TexToken) -> None:
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
        taken: list[TexToken] = []
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

    def _argument_for(self, parameter: Parameter, token: TexToken) -> list[TexToken]:
        missing = TexToken("no_value", "", token.file, token.start, token.stop)
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

    def _until(self, delimiter: str) -> list[TexToken]:
        """Tokens up to a delimiter outside braces; braces around the whole are taken off."""
        tokens: list[TexToken] = []
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

    def expanded(self, tokens: list[TexToken]) -> list[TexToken]:
        """Tokens with their macros expanded, on their own."""
        if self._nested >= _MOST_NESTED:
            return tokens
        self._nested += 1
        self.push(TexToken("barrier", "", self.last.file, self.last.start, self.last.stop))
        self.push_all(tokens)
        result: list[TexToken] = []
        while (token := self.next()) is not None and token.kind != "barrier":
            result.append(token)
        self._nested -= 1
        return result

    def text_argument(self) -> str:
        """An argument as source text, macros expanded: a file name, a key."""
        return as_source(self.expanded(self.argument(is_long=False)))

    def begin(self, token: TexToken) -> TexToken | None:
        """`\\begin{name}` as one token; an environment of the document gives what stands at its beginning."""
        name = as_source(self.argument(is_long=False))[:80]
        made = TexToken("begin", name, token.file, token.start, self._stop_after(token))
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
        return TexToken("frozen", "begingroup", made.file, made.start, made.stop)

    def end(self, token: TexToken) -> TexToken | None:
        """`\\end{name}` as one token; an environment of the document gives what stands at its end."""
        name = as_source(self.argument(is_long=False))[:80]
        made = TexToken("end", name, token.file, token.start, self._stop_after(token))
        environment = self.environments.get(name) if token.kind == "command" else None
        if environment is None:
            return made
        arguments: list[list[TexToken]] = []
        if any(opened == name for opened, _ in self._open):
            while self._open:
                opened, arguments = self._open.pop()
                if opened == name:
                    break
        self.push(TexToken("frozen", "endgroup", made.file, made.start, made.stop))
        self._substitute(environment.ending, arguments, made)
        return None

    def _stop_after(self, token: TexToken) -> int:
        return max(token.stop, self.last.stop) if self.last.file == token.file else token.stop


def _command_by_name(expander: Expander, token: TexToken) -> None:
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
    expander.push(TexToken("command", name[:80] or "relax", token.file, token.start, token.stop))


def _expand_after(expander: Expander, _: TexToken) -> None:
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


def _refuse(expander: Expander, token: TexToken) -> None:
    """Commands that would act on the machine: left out with what they were to do."""
    expander.note("refused_command", f"\\{token.text} is never carried out", token, once=token.text)
    expander.take_raw(_REGISTER_NUMBER)
    following = expander.peek()
    if following is not None and following.kind == "open":
        expander.argument()


def _refuse_codes(expander: Expander, token: TexToken) -> None:
    expander.note(
        "category_codes", f"\\{token.text} is not followed: characters keep their usual roles", token, once="x"
    )
    expander.take_raw(_CATEGORY_CODE)


def _letters(at: bool) -> Callable[[Expander, TexToken], None]:
    def set_letters(expander: Expander, _: TexToken) -> None:
        expander.letters.at = at

    return set_letters


def _skip_programming(expander: Expander, token: TexToken) -> None:
    lexer = expander.lexer()
    if lexer is not None:
        lexer.take_until("\\ExplSyntaxOff")
        expander.note("programming", "code between \\ExplSyntaxOn and \\ExplSyntaxOff is left out", token, once="x")


def _nothing(expander: Expander, token: TexToken) -> None:
    """A prefix that changes nothing here."""


_HANDLERS: dict[str, Callable[[Expander, TexToken], TexToken | None]] = {
    **DEFINERS,
    **CONDITIONALS,
    **INCLUSIONS,
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
