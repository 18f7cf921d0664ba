"""One sentence that says the outcome: what was asked, by name, and its value. Without a name, the symbol."""

from __future__ import annotations

import re
from functools import cache

from mathrag.answer.clean_text import clean
from mathrag.answer.figures import quantity_text
from mathrag.answer.plain_formula import plain_symbol
from mathrag.reason.computing.unit_texts import plain_unit
from mathrag.types.answer import Answer, Missing, Refusal, Step
from mathrag.types.library import SymbolMeaning
from mathrag.types.quantity import Quantity

_LONGEST_NAME = 70
_LONGEST_EXPLANATION = 1_500
_MOST_ROWS = 4
_SHOWN_DIGITS = 60
_ARTICLE = re.compile(r"(?:the|a|an) ", re.IGNORECASE)
_ASIDE = re.compile(r" ?[(\[][^()\[\]]*[)\]]\s*$")
_IN_UNIT = re.compile(r",? (?:measured )?in [^,;]*$", re.IGNORECASE)
# How `reason/computing` speaks of a solution that is unusual or ruled out.
_IS_BEHIND = "solves the formula too"
# The source that `reason/direct` gives for the factor of a conversion.
_UNIT_DEFINITION = "definition of the units"
# A description with these is a sentence or a list, not a name.
_NO_NAME = re.compile(r"[;:=$\\{}<>]|\. |^(?:it|its|that|these|this|those|which|what|where|here|value|result)$")


def outcome_sentence(answer: Answer) -> str:
    """What is said first: the words that came with the answer, or ours where those are none or only `v = 3 m/s`."""
    said = clean(answer.text)
    is_bare = bool(answer.steps) and said.startswith(f"{answer.steps[-1].target} = ")
    return said if said and not is_bare else answer_sentence(answer)


def model_sentence(answer: Answer) -> str:
    """What a language model said to an answer, where that is more than `v = 3 m/s`."""
    said = clean(answer.text, longest=_LONGEST_EXPLANATION)
    is_bare = bool(answer.steps) and said.startswith(f"{answer.steps[-1].target} = ")
    return "" if is_bare else said


def answer_sentence(answer: Answer) -> str:
    """`The root mean square speed is 517 m/s.` Where several values were asked for, the first few of them."""
    if not answer.steps:
        return f"{_constant_name(answer) or 'The result'} is {result_text(answer)}."
    step = answer.steps[-1]
    name = target_name(step)
    subject = f"The {name}" if name else plain_symbol(step.target)
    verb = "is" if name else "="
    if not answer.rows:
        return f"{subject} {verb} {result_text(answer)}{_other_solutions(step)}."
    shown = [
        f"{quantity_text(row.result, answer.significant_figures)} for {_row_values(row.values)}"
        for row in answer.rows[:_MOST_ROWS]
    ]
    more = len(answer.rows) - len(shown)
    return f"{subject} {verb} {', '.join(shown)}{f', and so on ({more} more)' if more > 0 else ''}."


def _constant_name(answer: Answer) -> str:
    """What an answer without steps is called: the constant it consists of, whatever unit that was converted to."""
    sources = [each for each in answer.provenance if each.source != _UNIT_DEFINITION]
    is_constant = len(sources) == 1 and sources[0].origin in ("constant", "document")
    name = tidy_name(sources[0].text) if is_constant else ""
    # One word is a proper name: "pi", not "the pi".
    return f"The {name}" if " " in name else name


def result_text(answer: Answer) -> str:
    """The value as it is shown: rounded with its unit, or in its exact digits where those are known and short."""
    exact = clean(answer.exact)
    if exact and not answer.value.unit.text and len(exact) <= _SHOWN_DIGITS:
        return exact
    return quantity_text(answer.value, answer.significant_figures)


def _other_solutions(step: Step) -> str:
    texts = [quantity_text(other, step.significant_figures) for other in open_solutions(step)[:3]]
    return f" (or {' or '.join(texts)})" if texts else ""


def open_solutions(step: Step) -> tuple[Quantity, ...]:
    """The further solutions that could be meant as well: those that no warning puts behind the one given."""
    settled = [warning for warning in step.warnings if _IS_BEHIND in warning]
    return tuple(
        other
        for other in step.others
        if not any(quantity_text(other, step.significant_figures) in warning for warning in settled)
    )


def _row_values(values: tuple[tuple[str, str], ...]) -> str:
    return ", ".join(f"{plain_symbol(symbol)} = {clean(text)}" for symbol, text in values)


def target_name(step: Step) -> str:
    """What the computed symbol is called, as it stands after "the"; empty where no fitting name is known."""
    meaning = meaning_of(step, step.target)
    return tidy_name(meaning.description) if meaning is not None else ""


def meaning_of(step: Step, symbol: str) -> SymbolMeaning | None:
    """What the formula of a step says about a symbol."""
    return next((each for each in step.formula.symbols if each.name == symbol), None)


def tidy_name(description: str) -> str:
    """A description as a noun phrase: no article, no unit in brackets, no capital that only began a sentence."""
    name = clean(description).strip(" .,;:")
    while (aside := _ASIDE.search(name)) is not None:
        name = name[: aside.start()].rstrip(" ,;")
    name = _IN_UNIT.sub("", _ARTICLE.sub("", name, count=1) if _ARTICLE.match(name) else name)
    if not name or len(name) > _LONGEST_NAME or _NO_NAME.search(name.lower()) or not name[0].isalnum():
        return ""
    first, space, rest = name.partition(" ")
    return f"{first.lower()}{space}{rest}" if first.istitle() and first.lower() in _lower_words() else name


@cache
def _lower_words() -> frozenset[str]:
    """Words that stand in lower case in the names of quantities; Young and Gibbs are not among them."""
    from mathrag.compute.constants import all_constants
    from mathrag.compute.kinds import all_kinds

    words = {word for kind in all_kinds() for name in (kind.name, *kind.synonyms) for word in name.split()}
    named = {word for constant in all_constants() for word in constant.name.split()}
    capital = {word.lower() for word in words | named if word[0].isupper()}
    return frozenset(word for word in words if word.isalpha() and word.islower() and word not in capital)


def missing_text(missing: Missing) -> str:
    """A missing value in words and symbol: `the temperature T (in K)`."""
    words = clean(missing.words)
    letter = plain_symbol(missing.symbol) if missing.symbol else ""
    name = f"{words} {letter}".strip() if words and letter and words != letter else words or letter
    article = "the " if words and not _ARTICLE.match(words) and words != letter else ""
    unit = unit_of(missing)
    return f"{article}{name}{f' (in {unit})' if unit else ''}"


def unit_of(missing: Missing) -> str:
    """The unit a missing value would have, for people."""
    return plain_unit(clean(missing.unit, longest=40))


def refusal_sentence(refusal: Refusal) -> str:
    """The reason, with symbols as people write them; where it is not said, what is missing."""
    reason = clean(refusal.reason)
    if reason:
        for each in refusal.missing:
            reason = reason.replace(f"({each.symbol})", f"({plain_symbol(each.symbol)})") if each.symbol else reason
        return reason
    if refusal.missing:
        return f"Not answered: needs {', '.join(missing_text(each) for each in refusal.missing)}."
    return "Not answered."
