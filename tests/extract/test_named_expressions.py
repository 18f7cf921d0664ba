"""Expressions become formulas where words name them as a quantity, and stay expressions everywhere else."""

from __future__ import annotations

import pytest

from mathrag.documents.markdown import read_markdown
from mathrag.documents.seams import Source
from mathrag.extract.named_expressions import with_named_expressions
from mathrag.types.document import formulas_of


def _named(text: str) -> list[str]:
    document = with_named_expressions(read_markdown(Source(name="a.md", data=text.encode())))
    sources = [math.source for block in document.blocks for math in formulas_of(block)]
    return [source.split("{")[1].split("}")[0] for source in sources if source.startswith(r"\text{")]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (r"The area of the sail is $\frac{1}{2} b h$, where $b$ is the foot.", ["area of the sail"]),
        (r"The loan has a term, so the monthly rate is $i / 12 + q$.", ["monthly rate"]),
        ("The payback time can be computed as\n$$\\frac{I_0}{c_a - m_a}$$", ["payback time"]),
        ("The harmonic mean of two rates:\n\n$$\\frac{2 r_1 r_2}{r_1 + r_2}$$", ["harmonic mean of two rates"]),
        (r"The circle through $A$ and $B$ has radius $c/(2\sin\alpha)$ and more.", ["radius of the circle"]),
        ("## Grip Ratios\n\nGrip compares keels.\n\n$$\\frac{l - \\beta d}{d}$$\n\n$$\\frac{d}{l}$$", ["grip ratio"]),
        # A condition, a thing that is no quantity, a step, one letter, a statement, a part of a sum.
        (r"If the boat is wide, the drag is $c v^2 + k$.", []),
        (r"The idea is $a + b$. The derivative is $2 x y + b$.", []),
        ("We minimise\n\n$$\\frac{1}{2} k x^2$$", []),
        ("## Proof\n\n$$\\frac{a b}{c}$$", []),
        (r"The speed is $2 v + 1$. The speed is $v = a t$. The speed is $a t + b, c$.", []),
        (r"The weight is $m g + f$ times a factor.", []),
    ],
)  # fmt: skip
def test_words_name_an_expression(text: str, names: list[str]) -> None:
    assert _named(text) == names
