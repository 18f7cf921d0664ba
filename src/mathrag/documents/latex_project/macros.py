"""What a document defines: macros, environments, operators, units; what packages define; how definitions are read.

Definitions are remembered, never run. How a macro is put in place of its name stands in `expander.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal, TypeAlias

from mathrag.compute.latex.commands import FUNCTIONS
from mathrag.documents.latex_project.feeds import Feeds
from mathrag.documents.latex_project.files import ProjectFiles
from mathrag.documents.latex_project.tokens import TexToken, as_source, tokens_of


@dataclass(frozen=True, slots=True)
class Parameter:
    """How one argument is given: in braces, in brackets with a default, as a star, or up to a delimiter."""

    kind: Literal["braces", "brackets", "star", "until", "between"]
    default: tuple[TexToken, ...] | None = None
    delimiter: str = ""


@dataclass(frozen=True, slots=True)
class Macro:
    """A name that stands for tokens. `prefix` must follow the name (`\\def\\foo(#1){...}`)."""

    parameters: tuple[Parameter, ...]
    body: tuple[TexToken, ...]
    prefix: str = ""


@dataclass(frozen=True, slots=True)
class Alias:
    """A name that stands for a built-in command (`\\let\\us\\si`)."""

    name: str


@dataclass(frozen=True, slots=True)
class UserEnvironment:
    """What stands at the beginning and at the end of an environment of the document."""

    parameters: tuple[Parameter, ...]
    beginning: tuple[TexToken, ...]
    ending: tuple[TexToken, ...]


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


PROTECTED_ENVIRONMENTS = frozenset(
    (
        "document abstract itemize enumerate description thebibliography table table* figure figure* tabular tabular* "
        "tabularx longtable equation equation* align align* gather gather* multline multline* eqnarray eqnarray* math "
        "displaymath cases array verbatim lstlisting comment center minipage split aligned"
    ).split()
)


# Commands of well-known packages that are other LaTeX in short, written out.
#
# Only what the formula reader does not know by itself. A document that defines one of the names has its own way.

_BRACES, _OPTION, _STAR = Parameter("braces"), Parameter("brackets", ()), Parameter("star")

# Name, how its arguments are given (m, o, s), what it stands for.
_SHORT_FORMS = r"""
pqty      sm   \left(#2\right)
bqty      sm   \left[#2\right]
Bqty      sm   \left\{#2\right\}
vqty      sm   \left|#2\right|
order     m    O\left(#1\right)
comm      mm   \left[#1,#2\right]
commutator mm  \left[#1,#2\right]
expval    sm   \left\langle #2\right\rangle
ev        sm   \left\langle #2\right\rangle
ket       m    \left|#1\right\rangle
bra       m    \left\langle #1\right|
laplacian -    \nabla^{2}
cross     -    \times
vdot      -    \cdot
dif       -    \mathrm{d}
diff      -    \mathrm{d}
vectorbold sm  \vb{#2}
vnabla    -    \nabla
qif       -    \quad\text{if}\quad
qand      -    \quad\text{and}\quad
qor       -    \quad\text{or}\quad
qfor      -    \quad\text{for}\quad
qwith     -    \quad\text{with}\quad
qc        -    ,\quad
"""


@cache
def package_macros() -> dict[str, Macro]:
    """The short forms as macros."""
    macros: dict[str, Macro] = {}
    for line in _SHORT_FORMS.strip().splitlines():
        name, letters, body = line.split(None, 2)
        kinds = {"m": _BRACES, "o": _OPTION, "s": _STAR}
        parameters = tuple(kinds[letter] for letter in letters if letter != "-")
        macros[name] = Macro(parameters, tuple(tokens_of(body)))
    return macros


class Definitions(Feeds):
    """The definitions in force while the tokens of a project are read; those of a group end with it."""

    def __init__(self, files: ProjectFiles) -> None:
        super().__init__(files)
        self.macros: dict[str, Meaning] = dict(package_macros())
        self.environments: dict[str, UserEnvironment] = {}
        self.units: dict[str, tuple[TexToken, ...]] = {}
        self.switches: dict[str, bool] = {}
        self._scopes: list[dict[str, Meaning | None] | None] = []

    def define(self, name: TexToken, meaning: Meaning, *, is_global: bool = False) -> None:
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


# How each defining command is read.


def command_name(definitions: Definitions) -> TexToken | None:
    """The name that is being defined: `\\foo` or `{\\foo}`."""
    definitions.star()
    tokens = definitions.argument()
    named = [token for token in tokens if token.kind in ("command", "frozen")]
    return named[0] if named else None


def simple_parameters(definitions: Definitions) -> tuple[Parameter, ...]:
    """`[2][default]` of `\\newcommand` and `\\newenvironment`."""
    count_text = as_source(definitions.option() or [])
    count = int(count_text) if re.fullmatch(r"[0-9]", count_text) else 0
    default = definitions.option() if count else None
    parameters = [Parameter("braces")] * count
    if default is not None:
        parameters[0] = Parameter("brackets", tuple(default))
    return tuple(parameters)


def define_command(definitions: Definitions, token: TexToken) -> None:
    """`\\newcommand`, `\\renewcommand`, `\\providecommand`, `\\DeclareRobustCommand`."""
    name = command_name(definitions)
    parameters = simple_parameters(definitions)
    body = definitions.argument()
    if name is not None and not (token.text == "providecommand" and name.text in definitions.macros):
        definitions.define(name, Macro(parameters, tuple(body)))


def define_environment(definitions: Definitions, _: TexToken) -> None:
    """`\\newenvironment`, `\\renewenvironment`."""
    definitions.star()
    name = definitions.plain_argument()
    parameters = simple_parameters(definitions)
    beginning, ending = definitions.argument(), definitions.argument()
    definitions.define_environment(name, UserEnvironment(parameters, tuple(beginning), tuple(ending)))


def define_by_def(definitions: Definitions, token: TexToken) -> None:
    """`\\def\\foo#1.#2{...}`: parameters up to delimiters."""
    name = definitions.skip_blanks()
    pattern: list[TexToken] = []
    while True:
        part = definitions.raw()
        if part is None or part.kind in ("close", "paragraph", "barrier", "end_capture") or len(pattern) > 60:
            if part is not None:
                definitions.push(part)
            return
        if part.kind == "open":
            break
        pattern.append(part)
    body = definitions.group(part)
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
    definitions.define(name, Macro(tuple(parameters), tuple(body), prefix), is_global=token.text in ("gdef", "xdef"))


def define_by_let(definitions: Definitions, _: TexToken) -> None:
    """`\\let\\new=\\old`: the meaning that the old name has now."""
    name = definitions.skip_blanks()
    meaning = definitions.skip_blanks()
    if meaning is not None and meaning.kind == "characters" and meaning.text == "=":
        meaning = definitions.skip_blanks()
    if name is None or meaning is None or name.kind not in ("command", "frozen"):
        return
    if meaning.kind in ("command", "frozen"):
        if meaning.text == name.text:
            return
        known = definitions.macros.get(meaning.text) if meaning.kind == "command" else None
        definitions.define(name, known or Alias(meaning.text))
    else:
        definitions.define(name, Macro((), (definitions.first_character(meaning),)))


def define_operator(definitions: Definitions, _: TexToken) -> None:
    """`\\DeclareMathOperator{\\arcsec}{sec^{-1}}`: a known function by its own name, else an operator name."""
    is_starred = definitions.star()
    name = command_name(definitions)
    body = as_source(definitions.argument())
    if name is None:
        return
    word = re.match(r"(?:\\(?:mathrm|text|rm)\b\s*)?\{?([A-Za-z]+)\}?", body)
    if word is not None and word.group(1) in FUNCTIONS:
        text = f"\\{word.group(1)}{body[word.end() :]}"
    else:
        text = f"\\operatorname{'*' if is_starred else ''}{{{body}}}"
    definitions.define(name, Macro((), tuple(frozen(tokens_of(text)))))


def frozen(tokens: list[TexToken]) -> list[TexToken]:
    """Tokens whose commands keep their built-in meaning, also where the document gives the name another one."""
    return [token._replace(kind="frozen") if token.kind == "command" else token for token in tokens]


def define_delimiters(definitions: Definitions, _: TexToken) -> None:
    """`\\DeclarePairedDelimiter{\\abs}{\\lvert}{\\rvert}`."""
    name = command_name(definitions)
    opening, closing = as_source(definitions.argument()), as_source(definitions.argument())
    if name is not None:
        body = tokens_of(rf"\left{opening} #3\right{closing}")
        parameters = (Parameter("star"), Parameter("brackets", ()), Parameter("braces"))
        definitions.define(name, Macro(parameters, tuple(body)))


def _document_parameters(definitions: Definitions) -> tuple[Parameter, ...]:
    """The argument letters of xparse: m, o, O{default}, s, d(), r(), D(){default}; others count as mandatory."""
    letters = iter(
        part
        for token in definitions.argument()
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


def _default(letters: Iterator[TexToken]) -> tuple[TexToken, ...]:
    tokens: list[TexToken] = []
    depth = 0
    for part in letters:
        depth += (part.kind == "open") - (part.kind == "close")
        if part.kind == "open" and depth == 1:
            continue
        if depth <= 0:
            break
        tokens.append(part)
    return tuple(tokens)


def define_document_command(definitions: Definitions, token: TexToken) -> None:
    """`\\NewDocumentCommand{\\foo}{s o m}{...}` and its sisters."""
    name = command_name(definitions)
    parameters = _document_parameters(definitions)
    body = definitions.argument()
    if name is not None and not (token.text.startswith("Provide") and name.text in definitions.macros):
        definitions.define(name, Macro(parameters, tuple(body)))


def define_document_environment(definitions: Definitions, _: TexToken) -> None:
    """`\\NewDocumentEnvironment{name}{o m}{...}{...}`."""
    name = definitions.plain_argument()
    parameters = _document_parameters(definitions)
    beginning, ending = definitions.argument(), definitions.argument()
    definitions.define_environment(name, UserEnvironment(parameters, tuple(beginning), tuple(ending)))


def define_unit(definitions: Definitions, _: TexToken) -> None:
    """siunitx `\\DeclareSIUnit\\foot{ft}`, `\\DeclareSIPrefix\\kibi{Ki}{10}`."""
    definitions.option()
    name = command_name(definitions)
    text = definitions.argument()
    if name is not None:
        definitions.units[name.text] = tuple(text)


def define_condition(definitions: Definitions, _: TexToken) -> None:
    """`\\newif\\ifdraft`: a switch with `\\drafttrue` and `\\draftfalse`."""
    token = definitions.skip_blanks()
    if token is not None and token.kind == "command" and token.text.startswith("if"):
        definitions.switches.setdefault(token.text[2:], False)


DEFINERS: dict[str, Callable[[Definitions, TexToken], None]] = {
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
