"""What stands around a mathematical question: what is taken off, and what must stay."""

from __future__ import annotations

import pytest

from mathrag.reason.direct import DirectResult, DirectStatement, compute_directly
from mathrag.reason.direct.frames import unframed
from mathrag.reason.direct.stories_around import is_courtesy, is_story

PLAIN = {
    # Courtesies and stories around a computation.
    "I would be glad if you could help me expand (u + 3)^3. I always lose a term.": "expand (u + 3)^3.",
    "Could somebody please factor y^2 - 7y + 12?": "factor y^2 - 7y + 12?",
    "Hello everyone! We are revising for an exam. Solve 3x + 5 = 20 please.": "Solve 3x + 5 = 20.",
    "How to compute the derivative of cos(3x)? I want only the answer": "compute the derivative of cos(3x)?",
    "We are stuck: what is 7! / 5!": "what is 7! / 5!",
    "Sorry for the basic question, but what is 19 mod 4?": "what is 19 mod 4?",
    "For my homework I have to find the determinant of [[2,1],[0,3]].": "find the determinant of [[2,1],[0,3]].",
    "My niece needs to solve x^2 = 49. Could you show us the solutions?": "solve x^2 = 49.",
    "(y^2 - 16)/(y - 4) simplifyed": "simplify (y^2 - 16)/(y - 4)",
    "could you tell me what 12 * 34 is": "what is 12 * 34?",
    # Who said it, and how its truth is asked for.
    "My neighbour told me that u + v = v + u. I forgot why. Is she right?": "is it true that u + v = v + u?",
    "On the train somebody claimed that every square is a rectangle. Was he right?": (
        "is it true that every square is a rectangle?"
    ),
    "I was taught that powers work like this: (uv)^2 = u^2 v^2. Is this correct for all real numbers?": (
        "is it true that (uv)^2 = u^2 v^2 for all real numbers?"
    ),
    'Exercise 4b: "The product of two odd numbers is odd." True or false?': (
        "is it true that The product of two odd numbers is odd?"
    ),
    "cos(2x) = 1 - 2 sin(x)^2, or did I lose a sign?": "cos(2x) = 1 - 2 sin(x)^2?",
    "tan(-x) = -tan(x) or is there a minus sign missing?": "tan(-x) = -tan(x)?",
    "!(p && q) == !p || !q -- always true for booleans?": "!(p && q) == !p || !q -- always true?",
    "m^2 + m is even for evry integer m": "m^2 + m is even for every integer m",
    "u^2 + v^2 = (u + v)^2. It is correct?": "is it true that u^2 + v^2 = (u + v)^2?",
    "Is it fine to say that 2(u + v) = 2u + 2v?": "is it true that 2(u + v) = 2u + 2v?",
    "According to my textbook, (uv)' = u'v + uv'. Is this really so?": "is it true that (uv)' = u'v + uv'?",
    "Am I right in thinking that the sum of two odd numbers is even?": (
        "is it true that the sum of two odd numbers is even?"
    ),
    "Correct me if I'm wrong, but isn't sin(x + pi) = -sin(x)?": "is sin(x + pi) = -sin(x)?",
    "I have a question about roots: is sqrt(4u) = 2 sqrt(u)?": "is sqrt(4u) = 2 sqrt(u)?",
    "For the exam tomorrow: what is a convex function?": "what is a convex function?",
    # Names that a pronoun stands for.
    'Good morning. In a novel I met the word "torus". Could you tell me what it means?': "define torus",
    'My notes mention "variance" and "covariance". How do they differ?': (
        "What is the difference between variance and covariance?"
    ),
    "I know it from databases, but what does transitive mean in mathematics?": (
        "what does transitive mean in mathematics?"
    ),
    "Can you explain me what is a subgroup?": "what is a subgroup?",
    # A condition before the question is part of it.
    "We know that m is odd. Is m^2 odd?": "if m is odd, is m^2 odd?",
    "u > 0. Is |u| = u?": "if u > 0, is |u| = u?",
}
AS_IT_IS = (
    "What is 2 + 2?",
    "We only look at odd m. Is m^2 - 1 divisible by 8?",
    "I want only positive solutions. Solve x^2 = 4.",
    "My matrix is symmetric. Are its eigenvalues real?",
    "Our numbers are different from zero. Is u/u = 1?",
    "My car weighs 900 kg and drives at 15 m/s. What is its kinetic energy?",
    "My teacher says that F = m a. What is F for m = 2 kg and a = 3 m/s^2?",
    "Suppose B is invertible. What is its rank?",
    "What is the difference between the two?",
    "I roll a fair die. How many outcomes have 3 dice?",
    "We ignore the order. In how many ways can 3 of 5 be chosen?",
    "We sit at a round table. In how many ways can 5 people be seated?",
    "My calculator is set to degrees. What is sin(30)?",
    "We work in binary. What is 101 + 11?",
    "Without replacement: in how many ways can 3 of 5 cards be drawn?",
    "Positive numbers only: is sqrt(u^2) = u?",
)


@pytest.mark.parametrize(("text", "plain"), PLAIN.items())
def test_what_stands_around_is_taken_off(text: str, plain: str) -> None:
    assert unframed(text) == plain


@pytest.mark.parametrize("text", AS_IT_IS)
def test_what_may_matter_stays(text: str) -> None:
    assert unframed(text) == text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("My aunt insists that (u + v)^2 = u^2 + v^2. Is she correct?", "False"),
        ("On the bus somebody said that |u v| = |u| |v|. Is that so?", "True"),
        ("I'm helping my nephew with his homework. Is 1/(u+v) = 1/u + 1/v?", "False"),
        ("I know that m is odd. Is m^2 - 1 divisible by 8?", "True"),
        ("m^2 - m + 41 gives a prime for all natural m. It is correct?", "False"),
    ],
)
def test_a_claim_is_judged_without_its_frame(text: str, said: str) -> None:
    found = compute_directly(text)
    assert isinstance(found, DirectStatement)
    assert found.text.startswith(said)


def test_an_equation_has_all_its_solutions_also_in_a_story() -> None:
    found = compute_directly("I am trying to solve the equation x^2 - 5x + 6 = 0. Would you show me the solutions?")
    assert isinstance(found, DirectStatement)
    assert "x = 2 or x = 3" in found.text


@pytest.mark.parametrize(
    "text",
    [
        "What is the difference between the two, say for 7/2?",
        "How many more than the two are 9?",
        "Our book has two words for it. What is the difference between the two, for instance for 5?",
        "What is the product of the other three and 4?",
    ],
)
def test_a_number_that_stands_for_things_is_no_value(text: str) -> None:
    assert not isinstance(compute_directly(text), DirectResult)


def test_what_is_a_story() -> None:
    assert is_story("My brother never understood why.")
    assert is_story("I have no idea where to start.")
    for told in ("My matrix is symmetric.", "I need an example.", "We have two of them.", "He is 12.", "It is late."):
        assert not is_story(told)
    assert is_courtesy("Thanks a lot in advance!")
    assert is_courtesy("Could you please help us?")
    assert not is_courtesy("Thanks for the positive numbers.")


@pytest.mark.parametrize(
    "text",
    [
        "please " * 70,
        "is it " * 80 + "?",
        "my friend said that " * 24,
        "?" * 499,
        "a, " * 160,
        "." * 200 + " or did I " * 20,
        "“" * 400,
        "x -- " * 90,
    ],
)
def test_long_runs_cost_little(text: str) -> None:
    unframed("warm up")
    unframed(text)
