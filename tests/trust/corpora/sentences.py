"""Sentences that must be true: each names what was computed, and nothing else.

Of a question without a formula the sentence says the arithmetic; of one with a formula, what the target is called. A
name that a document gives to a value of another kind is not repeated.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from computed_formulas import formula, planned
from mathrag.answer.cards.content import answer_sentence, outcome_sentence
from mathrag.reason.computing import compute_step
from mathrag.types.answer import Answer, Step
from trust.asked import ask
from trust.attempts import HELD, Attempt, Result

TITLE = "sentences that are true"

# A question, what its sentence says (each of these), and what it must not say.
DIRECT: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("What is the square root of pi?", ("sqrt(pi)", "1.77245"), ("pi is",)),
    ("What is pi squared?", ("pi^2", "9.8696"), ("pi is",)),
    ("What is the natural logarithm of pi?", ("ln(pi)", "1.14472"), ("pi is",)),
    ("What is e cubed?", ("e^3", "20.0855"), ("e is", "e = 20")),
    ("What is e to the power of 4?", ("e^4", "54.598"), ("e is",)),
    ("What is the sine of e?", ("sin(e)", "0.41078"), ("e is",)),
    ("What is pi?", ("pi is 3.14159",), ()),
    ("What is Euler's number?", ("Euler's number is 2.71828",), ()),
    ("What is 3 pi?", ("3 × pi", "9.42477"), ("pi is",)),
    ("What is pi divided by 2?", ("pi / 2", "1.57079"), ("pi is",)),
    ("What is 14 times 6?", ("14 × 6", "84"), ()),
    ("What is 5 factorial?", ("5!", "120"), ()),
    ("What is 20% of 45?", ("20", "45", "= 9"), ()),
    ("Increase 80 by 25%.", ("80", "25", "= 100"), ()),
    ("What percent of 40 is 6?", ("6 / 40", "15"), ()),
    ("Convert 4 km to m.", ("4 km = 4000 m",), ()),
    ("How many inches are in a foot?", ("1 ft = 12",), ()),
    ("What is 30 °C in Fahrenheit?", ("30 °C = 86 °F",), ()),
    ("What is 72 km/h in m/s?", ("72 km/h = 20 m/s",), ()),
    ("What is the speed of light in km/s?", ("The speed of light is 299792.458 km/s",), ()),
    ("What is the speed of light?", ("The speed of light is",), ()),
    ("What is the mass of a proton?", ("The proton mass is",), ()),
    ("What is the Boltzmann constant in eV/K?", ("The Boltzmann constant is", "eV/K"), ()),
    ("What is the remainder of 23 divided by 7?", ("23 mod 7 = 2",), ()),
    ("What is the greatest common divisor of 18 and 27?", ("gcd(18, 27) = 9",), ()),
    ("How many digits does 2^40 have?", ("number of digits of 2^40 = 13",), ()),
    ("How many divisors does 48 have?", ("number of divisors of 48 = 10",), ()),
    ("Is 51 prime?", ("51 is not prime",), ()),
    ("What is the cosine of 60 degrees?", ("cos(60°)",), ()),
    ("What is 1/3 + 1/4?", ("1 / 3 + 1 / 4", "7/12"), ()),
    ("What is sqrt(3)?", ("sqrt(3) ≈ 1.732",), ("sqrt(3) = 1.732",)),
    ("What is 2 kg + 300 g?", ("2 kg + 300 g = 2.3",), ()),
    ("What is 100 km / 3 h in m/s?", ("100 km / 3 h", "≈ 9.25926 m/s"), ()),
)

# Questions with a formula: what the headline names.
ASKED: tuple[tuple[str, str], ...] = (
    ("What is the kinetic energy of a 4 kg ball at 3 m/s?", "kinetic energy is 18"),
    ("What is the speed of a ball of 2 kg with a kinetic energy of 16 J?", "speed is 4.00 m/s"),
    ("What is the mass of a ball that moves at 2 m/s with 8 J kinetic energy?", "mass is 4.00 kg"),
    ("A force of 30 N acts on an area of 2 m^2. What is the pressure?", "pressure is 15.0 Pa"),
    ("What volume do 3 mol of an ideal gas take at 300 K and 101325 Pa?", "volume is 0.0739 m³"),
    ("What is the period of a pendulum of 2 m length?", "period is 2.84 s"),
    ("What is the momentum of 5 kg at 4 m/s?", "momentum is 20.0 kg·m/s"),
    ("What is the half-life for a decay constant of 0.2 1/s?", "half-life is 3.47 s"),
)

# A formula, its target with what a document calls it and its kind, values; what is said, and what is not.
NAMED: tuple[tuple[str, str, str, str, dict[str, str], str, str], ...] = (
    ("p = F / A", "p", "beam deflection", "pressure", {"F": "60 N", "A": "2 m^2"}, "The pressure is 30", "deflection"),
    ("W = F s", "W", "speed of the cart", "work", {"F": "6 N", "s": "2 m"}, "The work is 12", "speed"),
    ("v = s / t", "v", "duration", "speed", {"s": "6 m", "t": "2 s"}, "The speed is 3", "duration"),
    ("m = rho V", "m", "density of the fluid", "mass", {"rho": "2 kg/m^3", "V": "3 m^3"}, "The mass is 6", "density"),
    ("P = W / t", "P", "energy", "power", {"W": "6 J", "t": "3 s"}, "The power is 2", "energy"),
    ("A = a b", "A", "side length", "area", {"a": "2 m", "b": "3 m"}, "The area is 6", "length"),
    ("p = F / A", "p", "beam deflection", "", {"F": "60 N", "A": "2 m^2"}, "p = 30", "deflection"),
    ("p = F / A", "p", "pressure on the bearing", "pressure", {"F": "60 N", "A": "2 m^2"},
     "The pressure on the bearing is 30", "deflection"),
    ("W = F s", "W", "energy of the lifted load", "work", {"F": "6 N", "s": "2 m"}, "The energy of the lifted load is",
     "speed"),
    ("v = s / t", "v", "rate at which the belt runs", "speed", {"s": "6 m", "t": "2 s"},
     "The rate at which the belt runs is 3", "time"),
)  # fmt: skip


def _said(sentence: str, says: Sequence[str], never: Sequence[str]) -> Result:
    missing = [each for each in says if each not in sentence]
    false = [each for each in never if each in sentence]
    return Result("broke", f"said {sentence!r}") if missing or false else HELD


def _asked(question: str, says: Sequence[str], never: Sequence[str], _folder: Path) -> Result:
    outcome = ask(question)
    if not isinstance(outcome, Answer):
        return Result("refused", getattr(outcome, "reason", ""))
    return _said(outcome_sentence(outcome), says, never)


def _named(number: int, _folder: Path) -> Result:
    text, target, description, kind, values, says, never = NAMED[number]
    named = {"description": description, **({"kind": kind} if kind else {"unit": "Pa"})}
    others = {name: {"unit": value.split(" ")[1]} for name, value in values.items()}
    step = compute_step(planned(formula(text, {target: named, **others}), target, values), 1, results={})
    if not isinstance(step, Step):
        return Result("refused", step.message)
    answer = Answer("?", step.result, step.significant_figures, (step,), 0.9)
    return _said(answer_sentence(answer), (says,), (never,))


def attempts() -> Iterator[Attempt]:
    """Direct results, answers with a formula, and names that cannot be."""
    for number, (question, says, never) in enumerate(DIRECT, start=1):
        yield Attempt(f"direct-{number}", question, partial(_asked, question, says, never))
    for number, (question, named) in enumerate(ASKED, start=1):
        yield Attempt(f"asked-{number}", question, partial(_asked, question, (named,), ()))
    for number, row in enumerate(NAMED):
        yield Attempt(f"named-{number + 1}", f"{row[0]}, called {row[2]}", partial(_named, number))
