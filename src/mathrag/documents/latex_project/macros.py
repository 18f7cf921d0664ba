"""What a document defines: macros, environments, operators, units; and how the definitions are read.

Definitions are remembered, never run. How a macro is put in place of its name stands in `expander.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from mathrag.compute.latex.commands import FUNCTIONS
from mathrag.documents.latex_project.tokens import Token, as_source, tokens_of

if TYPE_CHECKING:
    from mathrag.documents.latex_project.expander import Expander


@dataclass(frozen=True, slots=True)
class Parameter:
    """How one argument is given: in braces, in brackets with a default, as a star, or up to a delimiter."""

    kind: Literal["braces", "brackets", "star", "until", "between"]
    default: tuple[Token, ...] | None = None
    delimiter: str = ""


@dataclass(frozen=True, slots=True)
class Macro:
    """A name that stands for tokens. `prefix` must follow the name (`\\def\\foo(#1){...}`)."""

    parameters: tuple[Parameter, ...]
    body: tuple[Token, ...]
    prefix: str = ""


@dataclass(frozen=True, slots=True)
class Alias:
    """A name that stands for a built-in command (`\\let\\us\\si`)."""

    name: str


@dataclass(frozen=True, slots=True)
class UserEnvironment:
    """What stands at the beginning and at the end of an environment of the document."""

    parameters: tuple[Parameter, ...]
    beginning: tuple[Token, ...]
    ending: tuple[Token, ...]


Meaning: TypeAlias = Macro | Alias

# Commands that carry the structure of a document: a class that restyles them does not change what they mean.
PROTECTED = frozenset(
    (
        "part chapter section subsection subsubsection paragraph subparagraph item caption label ref begin end par "
        "title author date maketitle footnote bibitem cite input include documentclass usepackage includegraphics "
        "multicolumn multirow hline toprule midrule bottomrule tableofcontents appendix bibliography nomenclature "
        "frac sqrt left right newcommand renewcommand def let document text SI si ce abstract thanks textbf textit "
        "emph csname endcsname else fi relax addcontentsline"
    ).split()
)


def command_name(expander: Expander) -> Token | None:
    """The name that is being defined: `\\foo` or `{\\foo}`."""
    expander.star()
    tokens = expander.argument()
    named = [token for token in tokens if token.kind in ("command", "frozen")]
    return named[0] if named else None


def simple_parameters(expander: Expander) -> tuple[Parameter, ...]:
    """`[2][default]` of `\\newcommand` and `\\newenvironment`."""
    count_text = as_source(expander.option() or [])
    count = int(count_text) if re.fullmatch(r"[0-9]", count_text) else 0
    default = expander.option() if count else None
    parameters = [Parameter("braces")] * count
    if default is not None:
        parameters[0] = Parameter("brackets", tuple(default))
    return tuple(parameters)


def define_command(expander: Expander, token: Token) -> None:
    """`\\newcommand`, `\\renewcommand`, `\\providecommand`, `\\DeclareRobustCommand`."""
    name = command_name(expander)
    parameters = simple_parameters(expander)
    body = expander.argument()
    if name is not None and not (token.text == "providecommand" and name.text in expander.macros):
        expander.define(name, Macro(parameters, tuple(body)))


def define_environment(expander: Expander, _: Token) -> None:
    """`\\newenvironment`, `\\renewenvironment`."""
    expander.star()
    name = expander.plain_argument()
    parameters = simple_parameters(expander)
    beginning, ending = expander.argument(), expander.argument()
    expander.define_environment(name, UserEnvironment(parameters, tuple(beginning), tuple(ending)))


def define_by_def(expander: Expander, token: Token) -> None:
    """`\\def\\foo#1.#2{...}`: parameters up to delimiters."""
    name = expander.skip_blanks()
    pattern: list[Token] = []
    while True:
        part = expander.raw()
        if part is None or part.kind in ("close", "paragraph", "barrier", "end_capture") or len(pattern) > 60:
            if part is not None:
                expander.push(part)
            return
        if part.kind == "open":
            break
        pattern.append(part)
    body = expander.group(part)
    if name is None or name.kind not in ("command", "frozen"):
        return
    prefix = ""
    parameters: list[Parameter] = []
    for part in pattern:
        if part.kind == "parameter":
            parameters.append(Parameter("braces"))
            continue
        text = f"\\{part.text}" if part.kind in ("command", "frozen") else part.text
        if parameters:
            parameters[-1] = Parameter("until", None, parameters[-1].delimiter + text)
        else:
            prefix += text
    expander.define(name, Macro(tuple(parameters), tuple(body), prefix), is_global=token.text in ("gdef", "xdef"))


def define_by_let(expander: Expander, _: Token) -> None:
    """`\\let\\new=\\old`: the meaning that the old name has now."""
    name = expander.skip_blanks()
    meaning = expander.skip_blanks()
    if meaning is not None and meaning.kind == "characters" and meaning.text == "=":
        meaning = expander.skip_blanks()
    if name is None or meaning is None or name.kind not in ("command", "frozen"):
        return
    if meaning.kind in ("command", "frozen"):
        if meaning.text == name.text:
            return
        known = expander.macros.get(meaning.text) if meaning.kind == "command" else None
        expander.define(name, known or Alias(meaning.text))
    else:
        expander.define(name, Macro((), (expander.first_character(meaning),)))


def define_operator(expander: Expander, _: Token) -> None:
    """`\\DeclareMathOperator{\\arcsec}{sec^{-1}}`: a known function by its own name, else an operator name."""
    is_starred = expander.star()
    name = command_name(expander)
    body = as_source(expander.argument())
    if name is None:
        return
    word = re.match(r"(?:\\(?:mathrm|text|rm)\b\s*)?\{?([A-Za-z]+)\}?", body)
    if word is not None and word.group(1) in FUNCTIONS:
        text = f"\\{word.group(1)}{body[word.end() :]}"
    else:
        text = f"\\operatorname{'*' if is_starred else ''}{{{body}}}"
    expander.define(name, Macro((), tuple(frozen(tokens_of(text)))))


def frozen(tokens: list[Token]) -> list[Token]:
    """Tokens whose commands keep their built-in meaning, also where the document gives the name another one."""
    return [token._replace(kind="frozen") if token.kind == "command" else token for token in tokens]


def define_delimiters(expander: Expander, _: Token) -> None:
    """`\\DeclarePairedDelimiter{\\abs}{\\lvert}{\\rvert}`."""
    name = command_name(expander)
    opening, closing = as_source(expander.argument()), as_source(expander.argument())
    if name is not None:
        body = tokens_of(rf"\left{opening} #3\right{closing}")
        parameters = (Parameter("star"), Parameter("brackets", ()), Parameter("braces"))
        expander.define(name, Macro(parameters, tuple(body)))


def _document_parameters(expander: Expander) -> tuple[Parameter, ...]:
    """The argument letters of xparse: m, o, O{default}, s, d(), r(), D(){default}; others count as mandatory."""
    letters = iter(
        part
        for token in expander.argument()
        for part in ([token._replace(text=letter) for letter in token.text] if token.kind == "characters" else [token])
        if token.kind != "space"
    )
    parameters: list[Parameter] = []
    for letter in letters:
        shown = letter.text
        if letter.kind != "characters" or shown in "+!>":
            continue
        if shown == "s":
            parameters.append(Parameter("star"))
        elif shown in "oO":
            default = _default(letters) if shown == "O" else None
            parameters.append(Parameter("brackets", default))
        elif shown in "dDrR":
            pair = "".join(part.text for part in (next(letters, None), next(letters, None)) if part is not None)
            default = _default(letters) if shown in "DR" else None
            parameters.append(Parameter("between", default, pair))
        elif shown.isalpha():
            parameters.append(Parameter("braces"))
        if len(parameters) == 9:
            break
    return tuple(parameters)


def _default(letters: object) -> tuple[Token, ...]:
    tokens: list[Token] = []
    depth = 0
    for part in letters:  # type: ignore[attr-defined]
        depth += (part.kind == "open") - (part.kind == "close")
        if part.kind == "open" and depth == 1:
            continue
        if depth <= 0:
            break
        tokens.append(part)
    return tuple(tokens)


def define_document_command(expander: Expander, token: Token) -> None:
    """`\\NewDocumentCommand{\\foo}{s o m}{...}` and its sisters."""
    name = command_name(expander)
    parameters = _document_parameters(expander)
    body = expander.argument()
    if name is not None and not (token.text.startswith("Provide") and name.text in expander.macros):
        expander.define(name, Macro(parameters, tuple(body)))


def define_document_environment(expander: Expander, _: Token) -> None:
    """`\\NewDocumentEnvironment{name}{o m}{...}{...}`."""
    name = expander.plain_argument()
    parameters = _document_parameters(expander)
    beginning, ending = expander.argument(), expander.argument()
    expander.define_environment(name, UserEnvironment(parameters, tuple(beginning), tuple(ending)))


def define_unit(expander: Expander, _: Token) -> None:
    """siunitx `\\DeclareSIUnit\\foot{ft}`, `\\DeclareSIPrefix\\kibi{Ki}{10}`."""
    expander.option()
    name = command_name(expander)
    text = expander.argument()
    if name is not None:
        expander.units[name.text] = tuple(text)


def define_condition(expander: Expander, _: Token) -> None:
    """`\\newif\\ifdraft`: a switch with `\\drafttrue` and `\\draftfalse`."""
    token = expander.skip_blanks()
    if token is not None and token.kind == "command" and token.text.startswith("if"):
        expander.switches.setdefault(token.text[2:], False)


DEFINERS: dict[str, Callable[[Expander, Token], None]] = {
    **dict.fromkeys(("newcommand", "renewcommand", "providecommand", "DeclareRobustCommand"), define_command),
    **dict.fromkeys(("newenvironment", "renewenvironment"), define_environment),
    **dict.fromkeys(("def", "gdef", "edef", "xdef"), define_by_def),
    **dict.fromkeys(("let",), define_by_let),
    "DeclareMathOperator": define_operator,
    "DeclarePairedDelimiter": define_delimiters,
    **{
        f"{verb}DocumentCommand": define_document_command
        for verb in ("New", "Renew", "Provide", "Declare", "NewExpandable", "RenewExpandable")
    },
    **{f"{verb}DocumentEnvironment": define_document_environment for verb in ("New", "Renew", "Provide", "Declare")},
    "DeclareSIUnit": define_unit,
    "newif": define_condition,
}
