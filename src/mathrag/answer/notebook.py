"""How outcomes, formulas and constants show themselves: in a notebook as HTML cards and LaTeX, printed as text."""

from __future__ import annotations

from html import escape
from typing import assert_never

from mathrag.answer.cards.content import Math, formula_math, outcome_text
from mathrag.answer.cards.formats import render
from mathrag.answer.clean_text import clean, is_safe_latex, shown_latex
from mathrag.compute.printers.notation_mathml import latex_mathml
from mathrag.types.answer import Answer, Outcome, Refusal, Reply
from mathrag.types.library import Constant, Formula
from mathrag.types.shown import Shown, ShownAs


def written(noun: Shown, form: ShownAs) -> str | None:
    """The noun in a form; None where it has none in it."""
    match noun:
        case Answer() | Refusal() | Reply():
            return _outcome_written(noun, form)
        case Formula() if form in ("html", "latex"):
            return _formula_html(noun) if form == "html" else _formula_latex(noun)
        case Constant() if form == "html":
            return _constant_html(noun)
    return None


def _outcome_written(outcome: Outcome, form: ShownAs) -> str | None:
    match form:
        case "html":
            return render(outcome, "html")
        case "latex":
            return _headline(outcome)
        case "text":
            return outcome_text(outcome)
        case "card":
            return render(outcome, "text")
    assert_never(form)


def _headline(outcome: Outcome) -> str | None:
    """The last line of the working, which says what the answer is; words are not LaTeX."""
    if not isinstance(outcome, Answer) or not outcome.steps or not outcome.steps[-1].working:
        return None
    line = outcome.steps[-1].working[-1]
    return f"${shown_latex(line)}$" if is_safe_latex(line) else None


def _formula_latex(formula: Formula) -> str | None:
    shown = formula_math(formula.latex, formula.equation)
    return f"${shown.latex}$" if isinstance(shown, Math) else None


def _formula_html(formula: Formula) -> str:
    shown = latex_mathml(formula.latex, is_display=True) or f"<code>{escape(clean(formula.latex))}</code>"
    rows = "".join(
        f"<tr><td>{latex_mathml(one.letter or one.name) or escape(one.name)}</td>"
        f"<td>{escape(clean(one.description))}</td><td>{escape(one.unit or '')}</td></tr>"
        for one in formula.symbols
    )
    table = f"<table><tbody>{rows}</tbody></table>" if rows else ""
    reason = f"<p>{escape(formula.status)}: {escape(clean(formula.reason))}</p>" if formula.reason else ""
    name = escape(clean(formula.label) or "formula without a name")
    head = f"<p><strong>{name}</strong> <code>{escape(formula.id)}</code></p>"
    return f'<article class="mathrag-card">{head}{shown}{reason}{table}</article>'


def _constant_html(constant: Constant) -> str:
    letter = latex_mathml(constant.letter or constant.symbol) or escape(constant.symbol)
    spread = f" ± {constant.uncertainty}" if constant.uncertainty is not None else ""
    value = escape(f"{constant.value}{spread} {constant.unit}".strip())
    name = escape(clean(constant.name or constant.symbol))
    return f'<article class="mathrag-card"><p><strong>{name}</strong> {letter} = {value}</p></article>'
