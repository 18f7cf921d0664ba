"""Ask a library about its own formulas, in the words of its own documents, and count what comes.

    python tools/own_words.py LIBRARY [LIBRARY ...] [--each N] [--seed N] [--show KIND] [--out FILE]

Whoever reads a document asks with its words. So of every formula that is stated as a rule and can be computed with,
questions are made from what the document itself says of its symbols, with numbers drawn at random, in four forms:
named ("what is the fall height for a time of 3 s"), by symbols ("fall height h, t = 3 s"), typed into a search box
("fall height t 3 s") and turned round (another symbol is asked for). The same question without one of its values must
be refused. The right number is what the formula gives. It measures no reading: a formula read wrongly agrees with
itself. It shows what is lost between a formula that is there and its answer, over any documents, without an author of
questions.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from mathrag import Library
from mathrag.errors import MathragError
from mathrag.evaluate.grades import compare
from mathrag.knowledge.kinds import known_kind
from mathrag.types.answer import Answer
from mathrag.types.library import Formula, SymbolMeaning

FORMS = ("named", "symbols", "terse", "turned", "missing")
# So many draws of numbers before a formula is left out: some have no value for most numbers.
DRAWS = 8


@dataclass(frozen=True, slots=True)
class Made:
    """A question made from a formula; no `answer` where it must be refused."""

    form: str
    question: str
    formula: str
    answer: float | None
    unit: str

    def record(self, number: int) -> dict[str, Any]:
        """As a question of a set; all are of the half that one may learn from, as nobody wrote them."""
        tier = "missing" if self.form == "missing" else "direct"
        common = {"id": f"own-{2 * number + 1}", "tier": tier, "question": self.question, "latex": self.formula}
        return {**common, "answer": self.answer, "unit": self.unit}


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and what came of it."""

    made: Made
    verdict: str
    said: str
    confidence: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Drawn:
    """A formula with numbers for all symbols but one, and what that one then is."""

    formula: Formula
    target: SymbolMeaning
    given: tuple[tuple[SymbolMeaning, str], ...]
    result: float
    unit: str


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("libraries", nargs="+", type=Path)
    parser.add_argument("--each", type=int, default=100, help="formulas of a library that are asked about, at most")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", choices=("wrong", "refused", "all"), help="print such questions")
    parser.add_argument("--out", type=Path, help="write every question as a line of JSON")
    options = parser.parse_args()
    everything: list[Asked] = []
    for folder in options.libraries:
        with Library(folder) as library:
            asked = [_asked(library, made) for made in questions_of(library, each=options.each, seed=options.seed)]
        everything += asked
        print(f"{folder.name}: {_counts(asked)}", flush=True)
        for one in asked:
            if options.show in ("all", one.verdict):
                expected = "a refusal" if one.made.answer is None else f"{one.made.answer:.5g} {one.made.unit}"
                print(f"  [{one.made.form}] {one.made.question}")
                print(f"     want {expected} | {one.verdict} {one.confidence:.2f} | {one.said}")
    print(f"together: {_counts(everything)}")
    if options.out:
        lines = [json.dumps(asdict(one), ensure_ascii=False) for one in everything]
        options.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _counts(asked: Sequence[Asked]) -> str:
    parts = []
    for form in FORMS:
        count = Counter(one.verdict for one in asked if one.made.form == form)
        parts.append(f"{form} {count['right']}/{sum(count.values())} ({count['wrong']} wrong)")
    slow = sorted(one.seconds for one in asked)
    return ", ".join(parts) + (f", median {1000 * slow[len(slow) // 2]:.0f} ms" if slow else "")


def questions_of(library: Library, *, each: int, seed: int = 1) -> list[Made]:
    """Questions about so many formulas of a library, drawn by chance."""
    chance = random.Random(seed)
    return [made for formula in _some(library, chance, each) for made in _made(library, formula, chance)]


def _some(library: Library, chance: random.Random, most: int) -> list[Formula]:
    formulas = [
        one
        for one in library.formulas()
        if one.status == "executable" and one.is_general and one.target and 1 < len(one.symbols) < 8
    ]
    chance.shuffle(formulas)
    return formulas[:most]


def _made(library: Library, formula: Formula, chance: random.Random) -> Iterator[Made]:
    meanings = {one.name: one for one in formula.symbols}
    straight = _drawn(library, formula, meanings[formula.target or ""], chance)
    if straight is None:
        return
    yield from (_question(form, straight) for form in ("named", "symbols", "terse"))
    if len(straight.given) > 1:
        yield _question("missing", straight)
        yield _question("turned", _turned(straight))


def _drawn(library: Library, formula: Formula, target: SymbolMeaning, chance: random.Random) -> Drawn | None:
    free = [one for one in formula.symbols if one.role == "variable" and one.constant is None and one != target]
    for _ in range(DRAWS):
        given = tuple((one, _number(one, chance)) for one in free)
        try:
            computed = library.compute(formula.id, {one.name: text for one, text in given}, solve_for=target.name)
        except (MathragError, ValueError, ArithmeticError):
            continue
        number, kind = computed.value, known_kind(target.kind)
        is_usual = kind is None or kind.admits(computed.result.quantity.si_value)
        if isinstance(number, float) and is_usual and math.isfinite(number) and 1e-9 < abs(number) < 1e12:
            return Drawn(formula, target, given, number, computed.unit)
    return None


def _turned(straight: Drawn) -> Drawn:
    """The same numbers, and the first of those given asked for."""
    first, text = straight.given[0]
    number, _, unit = text.partition(" ")
    result = f"{straight.result:.6g} {straight.unit}".strip()
    return Drawn(straight.formula, first, ((straight.target, result), *straight.given[1:]), float(number), unit)


def _number(meaning: SymbolMeaning, chance: random.Random) -> str:
    """A number that such a quantity may have, with its unit: shares below one, counts whole."""
    words = f"{meaning.kind} {meaning.description}".lower()
    if any(word in words for word in ("probability", "efficiency", "fraction", "ratio", "share", "porosity")):
        number = f"{chance.uniform(0.1, 0.9):.2f}"
    elif any(word in words for word in ("number", "count", "population")):
        number = str(chance.randint(3, 40))
    else:
        number = f"{chance.uniform(1, 10):.2f}"
    return f"{number} {meaning.unit or ''}".strip()


def _asked(library: Library, made: Made) -> Asked:
    start = time.monotonic()
    outcome = library.ask(made.question)
    seconds = time.monotonic() - start
    if not isinstance(outcome, Answer):
        verdict = "right" if made.answer is None else "refused"
    else:
        is_right = made.answer is not None and compare(outcome.quantity, made.answer, made.unit) == "right"
        verdict = "right" if is_right else "wrong"
    return Asked(made, verdict, outcome.text, getattr(outcome, "confidence", None) or 0.0, seconds)


def _question(form: str, drawn: Drawn) -> Made:
    given = drawn.given[:-1] if form == "missing" else drawn.given
    name, symbol = _name(drawn.target), _typed(drawn.target.name)
    if form == "terse":
        text = " ".join((name, *(f"{_typed(one.name)} {value}" for one, value in given)))
    elif form == "symbols":
        values = ", ".join(f"{_typed(one.name)} = {value}" for one, value in given)
        text = f"What is {f'the {name} {symbol}' if _is_told(drawn.target) else symbol} for {values}?"
    else:
        told = [f"a {_name(one)} of {value}" if _is_told(one) else f"{_name(one)} = {value}" for one, value in given]
        values = told[0] if len(told) == 1 else f"{', '.join(told[:-1])} and {told[-1]}"
        text = f"What is {f'the {name}' if _is_told(drawn.target) else symbol} for {values}?"
    answer = None if form == "missing" else drawn.result
    return Made(form, text, drawn.formula.latex, answer, drawn.unit)


def _is_told(meaning: SymbolMeaning) -> bool:
    return meaning.origin == "document" and bool(meaning.description)


def _name(meaning: SymbolMeaning) -> str:
    """What the document calls it, or its symbol where the document does not say."""
    return meaning.description if _is_told(meaning) else _typed(meaning.name)


def _typed(symbol: str) -> str:
    """A symbol as it is typed on a keyboard."""
    return symbol.replace("_", "")


if __name__ == "__main__":
    main()
