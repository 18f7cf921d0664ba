"""The cards of a refusal and of a reply: the reason, what is missing, what is near, and how to ask again."""

from __future__ import annotations

import shlex

from mathrag.answer.answer_card import citation_section, formula_lines, percent, planned_rows, symbol_math
from mathrag.answer.card import Card, Command, Inline, Line, Section, Words
from mathrag.answer.clean_text import clean
from mathrag.answer.sentences import missing_text, refusal_sentence, unit_of
from mathrag.types.answer import Missing, Nearest, Refusal, Reply

_LONGEST_QUESTION = 300
_MOST_NEAREST = 5
_NOT_ASKED_AGAIN = ("empty", "too_long", "language")


def refusal_card(refusal: Refusal, *, library: str = "", is_chat: bool = False) -> Card:
    """No number: why, and what to do. `library` is the folder as the user named it, for commands to copy.

    In a chat nobody types commands: there the missing value, or a yes, is all that has to be said.
    """
    sections = [Section("Missing", tuple(_missing_line(each) for each in refusal.missing), "items")]
    sections.extend(_proposal_sections(refusal))
    sections.append(nearest_section(refusal.nearest))
    sections.append(citation_section(refusal.citations))
    warnings: tuple[Line, ...] = tuple((Words(each),) for each in refusal.warnings)
    sections.append(Section("Warnings", warnings, "items"))
    sections.append(
        _again_section(refusal, answers_again(refusal) if is_chat else commands_again(refusal, library=library))
    )
    headline: Line = (Words("No answer: ", is_strong=True), Words(refusal_sentence(refusal), is_strong=True))
    return Card(headline, _filled(sections), "refused")


def reply_card(reply: Reply) -> Card:
    """Words, and what the library holds near to them."""
    warnings: tuple[Line, ...] = tuple((Words(each),) for each in reply.warnings)
    sections = [nearest_section(reply.nearest), citation_section(reply.citations)]
    sections.append(Section("Warnings", warnings, "items"))
    return Card((Words(reply.text),), _filled(sections), "chat")


def _filled(sections: list[Section]) -> tuple[Section, ...]:
    return tuple(section for section in sections if section.lines or section.rows)


def _missing_line(missing: Missing) -> Line:
    if not missing.symbol:
        return (Words(missing_text(missing)),)
    words = clean(missing.words)
    unit = unit_of(missing)
    about = ", ".join(each for each in (words, f"in {unit}" if unit else "") if each)
    return (symbol_math(missing.symbol), Words(f": {about}" if about else ""))


def _proposal_sections(refusal: Refusal) -> list[Section]:
    """What would be computed; the number is left out on purpose."""
    sections: list[Section] = []
    for position, step in enumerate(refusal.proposal, start=1):
        prefix = f"Step {position}: " if len(refusal.proposal) > 1 else ""
        lines: tuple[Line, ...] = (*formula_lines(step.formula, step.equation),)
        asked: Line = (Words("would be solved for "), symbol_math(step.target))
        sections.append(Section(f"{prefix}Is this the formula you mean?", (*lines, asked)))
        header: tuple[Line, ...] = ((Words("symbol"),), (Words("meaning"),), (Words("from"),))
        rows = planned_rows(step, refusal.citations)
        sections.append(Section(f"{prefix}With these values?", (), "columns", header, rows))
    if refusal.proposal:
        sections.append(Section("Confidence", ((Words(percent(refusal.confidence)),),)))
    return sections


def nearest_section(nearest: tuple[Nearest, ...]) -> Section:
    """Formulas of the library that come near, with what each needs."""
    return Section("Nearest in the library", tuple(_nearest_line(each) for each in nearest[:_MOST_NEAREST]), "items")


def _nearest_line(nearest: Nearest) -> Line:
    needs = f"; needs {', '.join(clean(each) for each in nearest.needs)}" if nearest.needs else ""
    document = f" ({clean(nearest.document)})" if nearest.document else ""
    label = clean(nearest.label) or "formula without a name"
    return (Words(f"{label}: "), _nearest_formula(nearest), Words(f"{needs}{document}  "), Command(nearest.formula))


def _nearest_formula(nearest: Nearest) -> Inline:
    """Read anew from its LaTeX, so that it can be shown as text; what cannot be read is shown as it is written."""
    from mathrag.answer.answer_card import formula_math
    from mathrag.compute.latex import read_latex
    from mathrag.errors import MathragError
    from mathrag.types.expression import Reading

    try:
        reading = read_latex(nearest.latex, ())
    except MathragError:
        return Words(nearest.latex)
    equation = reading.equations[0] if isinstance(reading, Reading) and len(reading.equations) == 1 else None
    return formula_math(nearest.latex, equation)


def _again_section(refusal: Refusal, ways: tuple[str, ...]) -> Section:
    lines: list[Line] = [(Words(each),) for each in refusal.suggestions]
    if refusal.code not in _NOT_ASKED_AGAIN:
        lines.extend((Command(each),) for each in ways)
    return Section("Ask again", tuple(lines), "items")


def answers_again(refusal: Refusal) -> tuple[str, ...]:
    """What to say next in a chat."""
    if refusal.proposal:
        return ("yes",)
    return tuple(f"{each.symbol} = NUMBER {clean(each.unit)}".strip() for each in refusal.missing if each.symbol)


def commands_again(refusal: Refusal, *, library: str = "") -> tuple[str, ...]:
    """Commands to copy: with the missing value set, with the proposed formula confirmed."""
    question = clean(refusal.question, longest=10_000)
    # A question that would fill the screen is stood for by its beginning.
    asked = shlex.quote(question if len(question) <= _LONGEST_QUESTION else f"{question[:60]}…")
    start = f"mathrag ask {asked}"
    end = f" --library {shlex.quote(clean(library))}" if library else ""
    if refusal.proposal:
        return (f"{start} --formula {shlex.quote(clean(refusal.proposal[-1].formula.id))}{end}",)
    named = [each for each in refusal.missing if each.symbol]
    if not named:
        return ()
    settings = " ".join(f"--set {shlex.quote(f'{each.symbol}=NUMBER {each.unit}'.strip())}" for each in named)
    return (f"{start} {settings}{end}",)
