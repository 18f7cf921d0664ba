"""Files taken into a document: `\\input`, `\\include`, `\\subfile`, `\\import`, packages and classes of its own.

Every file is looked for inside the folder only; one that cannot be had leaves a note, and reading goes on.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from mathrag.documents.latexproject.tokens import Token, as_source

if TYPE_CHECKING:
    from mathrag.documents.latexproject.expander import Expander

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


def include(expander: Expander, token: Token, name: str, *, near: Path | None, is_block: bool) -> bool:
    """Read a file in place of the command; whether it could be had."""
    shown = name[:80]
    found = expander.files.find(name, endings=(".tex", ""), near=near)
    if isinstance(found, str):
        expander.note("not_included", f"{shown!r} is not included: {found}", token)
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
    gap = Token("paragraph" if is_block else "space", " ", token.file, token.start, token.stop)
    expander.push(gap)
    expander.enter(file, found)
    if is_block:
        expander.push(gap)
    return True


def _input(expander: Expander, token: Token) -> None:
    include(expander, token, _file_name(expander), near=expander.current_folder(), is_block=token.text != "input")


def _import(expander: Expander, token: Token) -> None:
    expander.star()
    folder, name = expander.text_argument().strip(), expander.text_argument().strip()
    joined = f"{folder.rstrip('/')}/{name}" if folder and folder != "./" else name
    if folder.startswith("/"):
        joined = folder + name
    include(expander, token, joined, near=expander.current_folder(), is_block=False)


def _input_if_exists(expander: Expander, token: Token) -> None:
    name = expander.text_argument().strip()
    yes, no = expander.argument(), expander.argument()
    if isinstance(expander.files.find(name, endings=(".tex", "")), str):
        expander.push_all(no)
        return
    expander.push_all(yes)
    include(expander, token, name, near=None, is_block=False)


def _use_package(expander: Expander, token: Token) -> None:
    """Remember the package; one that lies in the folder is read for its definitions."""
    options = as_source(expander.option() or [])
    names = [name.strip() for name in as_source(expander.argument(is_long=False)).split(",")]
    expander.option()
    expander.packages.update(names)
    if "babel" in names or "polyglossia" in names:
        expander.languages.update(part.strip() for part in options.split(","))
    for name in reversed(names[:200]):
        read_definitions(expander, token, f"{name}.sty")


def read_definitions(expander: Expander, token: Token, name: str) -> None:
    """Read a package or class that lies in the folder, for what it defines; others are known or done without."""
    found = expander.files.find(name, endings=("",)) if expander.in_preamble else ""
    if isinstance(found, str) or expander.is_open(found) or expander.is_too_deep:
        return
    file = expander.files.read(found)
    if isinstance(file, str):
        expander.note("not_included", f"{name[:80]!r} is not read: {file}", token)
        return
    if not expander.letters.at:
        expander.push(Token("frozen", "makeatother", token.file, token.start, token.stop))
        expander.letters.at = True
    expander.enter(file, found)


def _end_input(expander: Expander, _: Token) -> None:
    expander.end_file()


HANDLERS: dict[str, Callable[[Expander, Token], Token | None]] = {
    **dict.fromkeys(("input", "include", "subfile", "subfileinclude", "@input"), _input),
    **dict.fromkeys(("import", "subimport", "includefrom", "inputfrom", "subincludefrom", "subinputfrom"), _import),
    "InputIfFileExists": _input_if_exists,
    **dict.fromkeys(("usepackage", "RequirePackage"), _use_package),
    "endinput": _end_input,
}
