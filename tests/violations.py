"""Is a number said that nobody computed, or a formula kept that nobody wrote? Judged from what a user can see.

Written apart from the checks of the program, and stricter: every numeral and number word of every text that is shown
must be one of the question, of the library's own words, of a binding, of a coefficient or of a result. Nothing here
asks the program whether a text is fit to be shown.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal, InvalidOperation
from html import unescape
from pathlib import Path
from typing import Any

from asking_checks import told_by_rules, untraceable
from mathrag.errors import MathragError
from mathrag.knowledge.units import unit_readings
from mathrag.library import Library
from mathrag.library.ask.outcomes import ANSWER_FORMATS, explanation_lines, outcome_object, render
from mathrag.reason.agent.seams import MAXIMAL_ROUNDS
from mathrag.types.answer import Answer, Bound, Citation, Outcome, Refusal, Reply, Step
from mathrag.types.episode import Event
from mathrag.types.expression import Number, walk
from mathrag.types.library import Formula, Span
from mathrag.types.quantity import Quantity

_NUMERAL = re.compile(r"\d+(?:[ \u00a0\u2009\u202f]\d{3}(?!\d))*(?:[.,]\d+)*(?:[eE][+-]?\d+)?")
_POWER = re.compile(r"\s*(?:×|x|\*|\\times|\\cdot|·)\s*10\s*(?:\^|\*\*)?\s*[{(]?\s*([+-−]?\d{1,4})[})]?")
_SPREAD = re.compile(r"[^()\n]{0,30}\)\s*(?:×|\\times|\\cdot|·)\s*10\s*\^?[{(]?\s*([+-−]?\d{1,4})[})]?")
# What only sets a page: widths of columns, and the hyphen that is kept from joining.
_LAYOUT = re.compile(r"\[U\+[0-9A-F]+\]|\{[lcr]*p\{[\d.]+\\textwidth\}\}")
_IDENTIFIER = re.compile(r"\b[fcd]-[0-9a-f]{12}\b")
_UNIT_POWER = re.compile(r"(?<![A-Za-z])(?:kg|mol|cd|[msKA])\\?(?:\^|\*\*|textasciicircum\{\})\{?[-−]?$")
# What rests has the speed 0, though no digit says so.
_AT_REST = re.compile(r"\brest\b|\bstands still\b|\bstationary\b")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
# Not "one", "a" and "second": they are articles and units far more often than numbers.
_NUMBER_WORDS = frozenset(
    (
        "zero nought nil two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen twenty thirty forty fourty fifty sixty seventy eighty ninety hundred thousand "
        "million billion trillion dozen dozens half halves third thirds quarter quarters twice thrice "
        "double triple quadruple tenfold hundreds thousands millions percent "
        "zwei drei vier zweiundvierzig vierzig halb deux trois quarante vingt cent moitié dos cuatro cuarenta два сорок"
    ).split()
)
_STRANGE = re.compile(r"\b(?:X{1,3}|XL|LX{0,3}|XC)(?:IX|IV|VI{0,3}|I{1,3})\b|[二三四五六七八九十百千]{2,}|[🔟💯]")
# A model may count what is missing in words: that says nothing about how much is asked.
_COUNT = re.compile(
    r"\b(?:two|three|four|five|six) (?:\w+ )?(?:values|quantities|unknowns|formulas|equations|readings|ways)\b",
    re.IGNORECASE,
)
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")


@dataclass(slots=True)
class Allowed:
    """What may be said: texts whose numerals and number words may be repeated, and values that may be rounded."""

    texts: list[str] = field(default_factory=list)
    quantities: list[Quantity] = field(default_factory=list)
    plain: set[float] = field(default_factory=set)
    _numerals: set[str] | None = None
    _words: set[str] | None = None

    def numerals(self) -> set[str]:
        """The numerals of the texts, as they are written there."""
        if self._numerals is None:
            self._numerals = {found for text in self.texts for found in _NUMERAL.findall(seen(text))}
            self._numerals |= {piece for found in list(self._numerals) for piece in re.findall(r"\d+", found)}
        return self._numerals

    def words(self) -> set[str]:
        """The words of the texts."""
        if self._words is None:
            self._words = {
                part
                for text in self.texts
                for word in _WORD.findall(seen(text).lower())
                for part in (word, *word.split("-"))
            }
        return self._words


def seen(text: str) -> str:
    """A text as an eye reads it: digits of every script as digits, powers as powers, nothing that cannot be seen."""
    shown = []
    for character in text:
        if unicodedata.category(character) in ("Cf", "Mn") or character in "\u3164\u115f\u1160\uffa0":
            continue
        if character in "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺":
            shown.append(("" if shown and shown[-1][:1] == "^" else "^") + character.translate(_SUPERSCRIPTS))
            if shown[-1][:1] != "^":
                shown[-2:] = ["".join(shown[-2:])]
            continue
        value = unicodedata.numeric(character, None)
        if character.isascii() or value is None:
            shown.append(character)
        elif value == int(value):
            shown.append(str(int(value)))
        else:
            shown.append(f" {value:g} ")
    return "".join(shown).replace("^^", "^")


class Shelf:
    """What a library says of itself, looked up once: names of its documents and the letters of their texts."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.names = {info.id: info.name for info in library.documents()}
        self.titles = [text for info in library.documents() for text in (info.title, info.name)]
        self.labels = [formula.label for formula in library.formulas()]
        self._files = {info.id: Path(info.key) for info in library.documents()}
        self._letters: dict[str, str] = {}

    def letters(self, document: str) -> str:
        """The letters and digits of a document, without what parts them; empty where its file is gone."""
        if document not in self._letters:
            file = self._files[document]
            self._letters[document] = letters(file.read_text(encoding="utf-8")) if file.is_file() else ""
        return self._letters[document]


def letters(text: str) -> str:
    """The letters and digits of a text alone, for comparing what was set in two ways."""
    return "".join(character for character in text if character.isalnum())


def outcome_violations(
    outcome: Outcome,
    question: str,
    shelf: Shelf,
    *,
    events: Sequence[Event] = (),
    pinned: Sequence[str] = (),
    may_propose: bool = False,
) -> list[str]:
    """Everything in an outcome that has no origin, in sentences; nothing for an honest one."""
    if isinstance(outcome, Refusal):
        # How many rounds there are is said by the program itself.
        outcome = replace(
            outcome, reason=outcome.reason.replace(f"within {MAXIMAL_ROUNDS} rounds", "within the rounds")
        )
    found = []
    if outcome.question.strip() not in question:
        # Translated: the model's words stand for the question, so they must not have a number of their own.
        asked = Allowed([question])
        found += [f"translation: {fault}" for fault in text_faults(outcome.question, asked)]
        question = f"{question}\n{outcome.question}"
    allowed = _allowed(outcome, question, titles=shelf.titles, pinned=pinned)
    sentences = [*outcome.warnings, *getattr(outcome, "suggestions", ()), getattr(outcome, "reason", "")]
    told = [pair for each in sentences for pair in told_by_rules(each, question, shelf.library)]
    allowed.texts += [text for text, _ in told]
    allowed.quantities += [quantity for _, quantity in told]
    said = question
    if isinstance(outcome, Refusal):
        outcome = replace(outcome, reason=seen(outcome.reason))
        implied = "0" if _AT_REST.search(question) else ""
        said = "\n".join((question, implied, *(near.label for near in outcome.nearest)))
    symbols = [each.split("=")[0].strip() for each in pinned]
    faults = untraceable(outcome, said, shelf.library, pinned=symbols, may_propose=may_propose)
    found += [f"origin: {fault}" for fault in faults]
    found += _quote_faults(outcome, shelf)
    for form in ANSWER_FORMATS:
        if form != "json":
            card = render(outcome, form)
            # Of a page only what is read counts; tags and addresses of namespaces are not.
            if form == "html":
                # Formulas are set anew from those of the other cards.
                card = re.sub(r"<math[^<>]*>.*?</math>", " ", card, flags=re.DOTALL)
                card = unescape(re.sub(r"<[^<>]*>", " ", card))
            found += [f"{form} card: {fault}" for fault in text_faults(card, allowed)]
    found += [f"object: {fault}" for text in _strings(outcome_object(outcome)) for fault in text_faults(text, allowed)]
    if events:
        # Scores and chances of the ranking stand there; words must still be somebody's.
        named = Allowed([*allowed.texts, *shelf.labels])
        for line in explanation_lines(events):
            found += [f"explanation: {fault}" for fault in _word_faults(seen(line), named)]
    for text in _own_words(outcome):
        found += [f"unit: {fault}" for fault in _unit_faults(text, allowed)]
    return list(dict.fromkeys(found))


# Factors that only say how a number is written, and the digits to which it is rounded.
_FACTORS = {1.0, 2.0, 100.0}
_ROUNDED_TO = re.compile(r",\s*\d{1,2}\s*\)")
_COUNTED_ROUNDS = re.compile(r"within \d+ rounds?")


def document_violations(
    outcome: Outcome, question: str, library: Library, *, events: Sequence[Event], stored: Collection[str]
) -> list[str]:
    """Numbers of an answer about documents that come neither from rows or pages that were seen, nor from the question,
    nor from a calculation over such numbers; and quotations that nobody saw.

    `stored` are queries that say no number themselves. Of the rows of any other query only what stands in the documents
    counts. Nothing here asks the program what it takes for evidence.
    """
    texts, results = [question], list[float]()
    found = []
    for event in events:
        if not event.observation.succeeded:
            continue
        inputs, data = event.action.inputs, event.observation.data
        match event.action.name:
            case "RetrieveFromVectorstore":
                texts += _row_texts(data["rows"])
            case "RetrieveFromDatabase":
                rows = _row_texts(data["rows"])
                whole = "" if inputs["sql"] in stored else _whole_text(library)
                texts += [text for text in rows if not whole or text in whole]
            case "ViewImage":
                texts.append(_page_text(library, data["document"], data["page"]))
            case "CalculateExpr":
                expression = _ROUNDED_TO.sub(")", inputs["expr"])
                known = _values(texts) | _FACTORS | set(results)
                found += [f"calculated with {each!r}" for each in _unknown(expression, known, results)]
                results.append(float(data["result"]))
    said = outcome.text if isinstance(outcome, Reply) else ""
    if isinstance(outcome, Refusal):
        said = _COUNTED_ROUNDS.sub("", outcome.reason)
    known = _values(texts)
    found += [f"{each!r} in {said[:80]!r}" for each in _unknown(said, known, results)]
    found += _word_faults(seen(said), Allowed(texts))
    shown = letters("\n".join(texts))
    for citation in outcome.citations:
        if letters(citation.span.quote) not in shown:
            found.append(f"citation of what was not seen: {citation.span.quote[:80]!r}")
    return list(dict.fromkeys(found))


def _row_texts(rows: Iterable[Iterable[object]]) -> list[str]:
    return [" | ".join(str(value) for value in row if value is not None) for row in rows]


def _whole_text(library: Library) -> str:
    with library.database.reading() as connection:
        return "\n".join(str(row[0]) for row in connection.execute("SELECT text FROM chunks"))


def _page_text(library: Library, document: str, page: int) -> str:
    with library.database.reading() as connection:
        question = "SELECT text FROM pages WHERE document = ? AND number = ?"
        return str(connection.execute(question, (document, page)).fetchone()[0])


_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
# What a text spells out may be said in digits.
_SPELLED = {
    **{word: float(value) for value, word in enumerate(_ONES)},
    **{ten: 10.0 * value for value, ten in enumerate(_TENS, start=2)},
    **{
        f"{ten}-{one}": 10.0 * value + unit
        for value, ten in enumerate(_TENS, start=2)
        for unit, one in enumerate(_ONES[1:10], start=1)
    },
}


def _values(texts: Iterable[str]) -> set[float]:
    shown = [seen(text) for text in texts]
    written = {value for text in shown for each in _NUMERAL.findall(text) for value in _readings(each)}
    return written | {_SPELLED[word] for text in shown for word in _WORD.findall(text.lower()) if word in _SPELLED}


def _unknown(text: str, known: set[float], results: Sequence[float]) -> list[str]:
    """The numerals of a text that are neither known nor one of the results, rounded at most."""
    numerals = _NUMERAL.findall(_IDENTIFIER.sub(" ", seen(text)))
    return [
        each
        for each in numerals
        if not _readings(each) & known
        and not any(_is_rounded(one, value, _figures(each)) for one in _readings(each) for value in results)
    ]


def _as_set(text: str) -> str:
    """A text without what only sets it: dollars, widths, hyphens kept apart, identifiers."""
    shown = _LAYOUT.sub(" ", seen(text).replace("-{}", "-")).replace("$", "")
    # A power set digit by digit: ^-^1^9 is ^-19.
    for _ in range(6):
        shown = re.sub(r"(\^[-+]?\d*)\^(?=\d)", r"\1", shown)
    return _IDENTIFIER.sub(" ", shown)


def text_faults(text: str, allowed: Allowed) -> Iterator[str]:
    """Numerals and number words of a text that nothing explains."""
    shown = _as_set(text)
    for match in _NUMERAL.finditer(shown):
        if not _is_explained(match, shown, allowed):
            yield f"{match.group()!r} in {shown[max(0, match.start() - 40) : match.end() + 20]!r}"
    yield from _word_faults(shown, allowed)


def _word_faults(shown: str, allowed: Allowed) -> Iterator[str]:
    if "language model" in shown:
        shown = _COUNT.sub(" ", shown)
    for word in _WORD.findall(shown.lower()):
        for part in {word, *word.split("-")}:
            if part == "zero" and "division by zero" in shown.lower():
                continue
            if part in _NUMBER_WORDS and part not in allowed.words():
                yield f"the word {part!r} in {shown[:80]!r}"
    for numeral in _STRANGE.findall(shown):
        if not any(numeral in text for text in allowed.texts):
            yield f"the numeral {numeral!r} in {shown[:80]!r}"


def _is_explained(match: re.Match[str], text: str, allowed: Allowed) -> bool:
    numeral = match.group()
    if numeral in allowed.numerals() or numeral.rstrip(".,") in allowed.numerals():
        return True
    if _readings(numeral) & {value for each in allowed.numerals() for value in _readings(each)}:
        return True
    before = text[max(0, match.start() - 1) : match.start()]
    if before.isalpha() and all(piece in allowed.numerals() for piece in re.findall(r"\d+", numeral)):
        # The index of a symbol that has one where it was written: t_{1/2} is shown as t1,2.
        return True
    if numeral == "10" and _POWER.match(text, max(0, match.start() - 9)) is None:
        before = text[max(0, match.start() - 12) : match.start()]
        if re.search(r"(?:×|\\times|\\cdot|·|x|\*)\s*(?:\\,)?\s*$", before):
            return True
    if _is_exponent(match, text):
        return True
    power = _POWER.match(text, match.end()) or _SPREAD.match(text, match.end())
    exponent = int(power.group(1).replace("−", "-")) if power else 0
    if any(is_value(numeral, exponent, each, allowed) for each in _readings(numeral)):
        return True
    return _has_right_unit(match, text, allowed) is True


def _is_exponent(match: re.Match[str], text: str) -> bool:
    """A power of ten behind a mantissa: it was read together with that."""
    before = text[max(0, match.start() - 24) : match.start()]
    # The power of a base unit in a dimension that is told (m^4*kg^2) is no number of anybody.
    if len(match.group()) == 1 and re.search(
        r"(?<![A-Za-z])(?:kg|mol|cd|[msKA])\\?(?:\^|\*\*|textasciicircum\{\})\{?[-−]?$", before
    ):
        return True
    return bool(re.search(r"[\d)]\s*(?:\\,)?\s*(?:×|\\times|\\cdot|·|x|\*)\s*(?:\\,)?10\s*\^?[{(]?[-−+]?$", before))


def _readings(numeral: str) -> set[float]:
    plain = re.sub(r"[ \u00a0\u2009\u202f]", "", numeral)
    found = set()
    for text in (plain, plain.replace(",", ""), plain.replace(",", ".")):
        try:
            found.add(float(Decimal(text)))
        except (InvalidOperation, OverflowError):
            continue
    return found


def is_value(numeral: str, exponent: int, value: float, allowed: Allowed) -> bool:
    """Whether a numeral is one of the values that may be said, rounded at most."""
    figures = _figures(numeral)
    shown = value * 10.0**exponent if abs(exponent) < 400 else math.inf
    known = [number for each in allowed.quantities for number in (float(each.value), each.si_value)]
    known += [number * 100 for each in allowed.quantities if not each.unit.text for number in (float(each.value),)]
    return any(_is_rounded(shown, number, figures) for number in (*known, *allowed.plain))


def _figures(numeral: str) -> int:
    """How many figures a numeral states, two at least; the zeros at the end of a whole number may be none."""
    digits = re.sub(r"[eE].*|\D", "", numeral).lstrip("0")
    return max(2, len(digits if "." in numeral else digits.rstrip("0")))


def _is_rounded(shown: float, value: float, figures: int) -> bool:
    shown, value = abs(shown), abs(value)
    if shown == value or (value and math.isclose(shown, value, rel_tol=1e-9)):
        return True
    if not value or not math.isfinite(value) or not math.isfinite(shown):
        return False
    place = math.floor(math.log10(value)) - figures + 1
    return abs(shown - value) <= 0.5 * 10.0**place * (1 + 1e-6)


def _unit_faults(text: str, allowed: Allowed) -> Iterator[str]:
    """Numbers with a unit that no quantity has: 6 kN is not 6 N, and 3 J is not 3 m/s."""
    shown = _as_set(text)
    for match in _NUMERAL.finditer(shown):
        if not _is_exponent(match, shown) and _has_right_unit(match, shown, allowed) is False:
            yield f"{shown[match.start() : match.end() + 12]!r} in {shown[:100]!r}"


def _has_right_unit(match: re.Match[str], shown: str, allowed: Allowed) -> bool | None:
    """Whether a number with the unit behind it is a quantity that may be said; None where no unit follows."""
    if shown[: match.start()].endswith("/"):
        return None  # the lower part of a fraction: 1/2 m v^2
    power = _POWER.match(shown, match.end())
    scale = 10.0 ** int(power.group(1).replace("−", "-")) if power else 1.0
    numeral = match.group()
    rest = re.sub(r"\\,|\\mathrm|[{}]", " ", shown[power.end() if power else match.end() :][:60])
    words = re.match(r"\s*((?:[A-Za-zµΩ°%][A-Za-zµΩ°%/·*^0-9()-]*[ ]?){1,4})", rest)
    if words is None:
        return None
    has_unit = False
    parts = words.group(1).split()
    for count in range(len(parts), 0, -1):
        unit = " ".join(parts[:count]).rstrip(".,)")
        try:
            units = unit_readings(unit)
        except MathragError:
            continue
        has_unit = True
        if any(f"{numeral}{unit}".replace(" ", "") in "".join(seen(one).split()) for one in allowed.texts):
            return True
        values = [
            (each.si_value - one.offset) / one.scale
            for each in allowed.quantities
            for one in units
            if each.dimension == one.dimension
        ]
        if any(_is_rounded(one * scale, value, _figures(numeral)) for one in _readings(numeral) for value in values):
            return True
    return False if has_unit else None


def _own_words(outcome: Outcome) -> list[str]:
    """The sentences of an outcome: what somebody said, not what a table lists."""
    if isinstance(outcome, Refusal):
        return [outcome.reason, *outcome.warnings, *outcome.suggestions]
    if not isinstance(outcome, Answer):
        return [outcome.text, *outcome.warnings]
    # Steps warn of what is plausible, with limits from the tables of quantities.
    computed = {warning for step in outcome.steps for warning in step.warnings}
    return [outcome.words, outcome.explanation, *(each for each in outcome.warnings if each not in computed)]


def _allowed(outcome: Outcome, question: str, *, titles: Sequence[str], pinned: Sequence[str]) -> Allowed:
    allowed = Allowed(texts=[question, *titles, *pinned])
    if _AT_REST.search(question):
        allowed.texts.append("0")
    for citation in outcome.citations:
        allowed.texts += _citation_texts(citation)
    if isinstance(outcome, Answer):
        allowed.quantities += [outcome.quantity, *(row.result for row in outcome.rows)]
        allowed.quantities += [quantity for _, quantity in outcome.disagreeing]
        allowed.texts += [text for row in outcome.rows for pair in row.values for text in pair]
        allowed.texts += [*outcome.agreeing, *(name for name, _ in outcome.disagreeing), outcome.exact]
        allowed.texts += [text for each in outcome.provenance for text in (each.text, each.source)]
        for step in outcome.steps:
            _allow_step(step, allowed)
        if outcome.quantity.uncertainty is not None:
            allowed.plain.add(float(outcome.quantity.uncertainty))
        allowed.plain |= _chances(outcome.confidence)
    else:
        for near in outcome.nearest:
            allowed.texts += [near.label, near.latex, near.document, *near.needs]
    if isinstance(outcome, Reply):
        # The glossary of the package is quoted word for word.
        for entry in outcome.glossary:
            allowed.texts += [entry.definition, *(said for _, said in entry.unlike)]
    if isinstance(outcome, Refusal):
        allowed.plain |= _chances(outcome.confidence)
        allowed.texts += [
            text for each in outcome.missing for text in (each.symbol, each.words, each.unit, each.letter)
        ]
        for number, planned in enumerate(outcome.proposal, start=1):
            allowed.plain.add(float(number))
            _allow_formula(planned.formula, allowed)
            _allow_bindings(planned.bindings, allowed)
    return allowed


def _chances(confidence: float) -> set[float]:
    percent = 100 * confidence
    return {
        float(math.floor(percent)),
        float(math.ceil(percent)),
        round(percent, 1),
        round(percent, 2),
        confidence,
        99.0,
        1.0,
    }


def _citation_texts(citation: Citation) -> list[str]:
    return [citation.name, citation.label, str(citation.span.place), *_span_texts(citation.span)]


def _span_texts(span: Span) -> list[str]:
    return [span.quote, *span.headings, str(span.place)]


def _allow_step(step: Step, allowed: Allowed) -> None:
    allowed.quantities += [step.result, *step.others]
    if step.result.uncertainty is not None:
        allowed.plain.add(float(step.result.uncertainty))
    allowed.plain |= {float(step.number)}
    for formula in (step.formula, *step.parts):
        _allow_formula(formula, allowed)
    _allow_bindings(step.bindings, allowed)
    for side in (step.equation.left, step.equation.right):
        allowed.plain |= {float(node.value) for node in walk(side) if isinstance(node, Number)}
    # The rearranged formula has numbers of its own (a root, a half): it has no value in it.
    allowed.texts += [step.rearranged, step.result.unit.text, *step.warnings]


def _allow_formula(formula: Formula, allowed: Allowed) -> None:
    if formula.is_made:
        # Its words are a model's, which may say no number; its names and units are those of its values.
        allowed.texts += [text for one in formula.symbols for text in (one.name, one.letter, one.unit or "")]
        allowed.texts.append(formula.latex)
        return
    allowed.texts += [formula.label, formula.latex, formula.description, *formula.labels, formula.number]
    allowed.texts += [text for span in formula.spans for text in _span_texts(span)]
    allowed.texts += [
        text for one in formula.symbols for text in (one.name, one.letter, one.description, one.unit or "")
    ]
    allowed.texts += [one.text for one in formula.conditions]


def _allow_bindings(bindings: Iterable[Bound], allowed: Allowed) -> None:
    for bound in bindings:
        allowed.texts += [bound.symbol, bound.letter, bound.description, bound.provenance.text, bound.provenance.source]
        if bound.provenance.step:
            allowed.plain.add(float(bound.provenance.step))
        if bound.provenance.span is not None:
            allowed.texts += _span_texts(bound.provenance.span)
        if bound.quantity is not None:
            allowed.quantities.append(bound.quantity)
            allowed.texts.append(bound.quantity.unit.text)
            if bound.quantity.uncertainty is not None:
                allowed.plain.add(float(bound.quantity.uncertainty))


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            # What a model is called and was asked for is the business of whoever set it.
            # When a document was written and read is no result.
            if key not in ("id", "formula", "document_id", "question", "usage", "modified", "read"):
                yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)


def _quote_faults(outcome: Outcome, shelf: Shelf) -> Iterator[str]:
    """A citation quotes its document: the words are there, whoever chose them."""
    for citation in outcome.citations:
        if citation.document not in shelf.names:
            yield f"citation of {citation.document!r}, which is not in the library"
            continue
        whole = shelf.letters(citation.document)
        if whole and letters(citation.span.quote) not in whole:
            yield f"citation: {citation.span.quote[:80]!r} is not in {shelf.names[citation.document]}"
