"""Formulas into `Math`: inline ones, displayed ones with their numbers, several equations of one environment."""

from __future__ import annotations

from mathrag.documents.latexproject.builder import Builder
from mathrag.documents.latexproject.equation_lines import Statement, statements_of
from mathrag.documents.latexproject.formulas import Collected, FormulaCollector, Line
from mathrag.documents.latexproject.tokens import Token, as_source
from mathrag.types.document import Math

DISPLAY_ENVIRONMENTS = frozenset(
    (
        "equation align gather multline eqnarray displaymath flalign alignat xalignat xxalignat dmath empheq dgroup "
        "IEEEeqnarray aligned gathered split cases"
    ).split()
)
_ONE_NUMBER = frozenset(("equation", "multline", "dmath", "split", "aligned", "gathered", "cases"))
_UNNUMBERED = frozenset(("displaymath", "aligned", "gathered", "split", "cases"))
_WITH_ARGUMENT = frozenset(("alignat", "xalignat", "xxalignat", "IEEEeqnarray"))


def read_formula(builder: Builder, token: Token, closer: str) -> None:
    """`$...$`, `\\(...\\)`, `\\ensuremath{...}` in the text, `$$...$$`, `\\[...\\]` displayed."""
    collected = FormulaCollector(builder.expander, token, closer).collect()
    if closer in ("$$", "]"):
        _add_display(builder, collected, "displaymath", is_numbered=False)
    else:
        _add_inline(builder, collected)


def read_inline_environment(builder: Builder, token: Token) -> None:
    """`\\begin{math}`."""
    _add_inline(builder, FormulaCollector(builder.expander, token, token.text).collect())


def read_display(builder: Builder, token: Token, name: str) -> None:
    """An environment that displays formulas."""
    expander = builder.expander
    kind = name.rstrip("*")
    is_numbered = kind == name and kind not in _UNNUMBERED
    if kind == "empheq":
        expander.option()
        inner = as_source(expander.argument()).partition("=")[0]
        kind = inner.rstrip("*")
        is_numbered = inner == kind
    elif kind in _WITH_ARGUMENT:
        expander.option()
        expander.argument()
    elif kind == "dmath":
        expander.option()
    collected = FormulaCollector(expander, token, name).collect()
    if kind == "cases":
        # Cases without a formula around them: kept as what they are.
        inside = r" \\ ".join(as_source(line.tokens) for line in collected.lines)
        collected.lines = [Line([token._replace(kind="written", text=rf"\begin{{cases}} {inside} \end{{cases}}")])]
    _add_display(builder, collected, kind, is_numbered=is_numbered)


def _span_token(collected: Collected) -> Token:
    return Token("written", "", collected.file, collected.start, collected.stop)


def _add_inline(builder: Builder, collected: Collected) -> None:
    span = _span_token(collected)
    if collected.quantity is not None:
        builder.text(collected.quantity.plain, span)
        return
    source = r" \\ ".join(text for line in collected.lines if (text := as_source(line.tokens)))
    if not source or builder.mode == "preamble":
        return
    is_generated = collected.opening.stop - collected.opening.start > 2
    quote = builder.files.quote(span.file, span.start, span.stop, is_generated=is_generated)
    math = Math(source, "latex", builder.files.place(span.file, span.start, span.stop), quote)
    builder.inlines.math(math, span, builder.files)


def _add_display(builder: Builder, collected: Collected, kind: str, *, is_numbered: bool) -> None:
    numbers = _numbers(builder, collected.lines, kind, is_numbered=is_numbered)
    made = list(statements_of(collected.lines, kind))
    statements = [part for part in made if isinstance(part, Statement)]
    whole = _span_token(collected)
    for part in made:
        if isinstance(part, Statement):
            span = whole if len(statements) == 1 and len(made) == 1 else _narrowed(part, whole)
            number = next((numbers[id(line)] for line in part.lines if numbers.get(id(line))), "")
            _add_statement(builder, part, span=span, number=number)
        else:
            builder.inlines.space(whole)
            captured = builder.capture(part)
            content = captured.content()
            builder.inlines.add_content(content, whole)
    if builder.mode != "preamble":
        builder.inlines.space(whole)


def _add_statement(builder: Builder, statement: Statement, *, span: Token, number: str) -> None:
    if not statement.source or builder.mode == "preamble":
        return
    files = builder.files
    quote = files.quote(span.file, span.start, span.stop)
    place = files.place(span.file, span.start, span.stop)
    builder.inlines.space(span)
    math = Math(statement.source, "latex", place, quote, is_display=True, number=number)
    builder.inlines.math(math, span, files)
    builder.inlines.space(span)


def _narrowed(statement: Statement, whole: Token) -> Token:
    """The part of the environment that one statement covers."""
    tokens = [token for token in statement.tokens if token.file == whole.file and token.kind != "space"]
    inside = [token for token in tokens if whole.start <= token.start and token.stop <= whole.stop]
    if not inside:
        return whole
    start, stop = min(token.start for token in inside), max(token.stop for token in inside)
    return whole._replace(start=start, stop=stop)


def _numbers(builder: Builder, lines: list[Line], kind: str, *, is_numbered: bool) -> dict[int, str]:
    """The number of every line, and its labels made known."""
    numbering = builder.numbering
    numbers: dict[int, str] = {}
    filled = [line for line in lines if any(token.kind != "space" for token in line.tokens)]
    if kind in _ONE_NUMBER and filled:
        tag = next((line.tag for line in lines if line.tag), "")
        counts = is_numbered and all(line.is_numbered for line in lines)
        number = tag or (numbering.count("equation") if counts else "")
        numbers[id(filled[0])] = number
        for key in (key for line in lines for key in line.labels):
            numbering.label(key, number)
        return numbers
    for line in filled:
        number = line.tag or (numbering.count("equation") if is_numbered and line.is_numbered else "")
        numbers[id(line)] = number
        for key in line.labels:
            numbering.label(key, number)
    return numbers
