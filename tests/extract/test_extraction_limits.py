"""Documents from strangers: extraction ends soon, raises nothing, and gives the same result every time."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mathrag.documents.markdown import read_markdown
from mathrag.documents.seams import Source
from mathrag.extract.choice_search import ChoiceSearch
from mathrag.extract.pipeline import extract
from mathrag.types.json_codec import from_json, to_json
from mathrag.types.library import Extraction

LETTERS = [letter for letter in "abcfghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" if letter not in "ijlo"]
# Several times what the search for meanings allows itself, and still done in a moment.
MOST_STEPS = 50_000


class _TooMuchError(Exception):
    """The search went on beyond every limit."""


@pytest.fixture(scope="module", autouse=True)
def _no_search_without_end() -> Iterator[None]:
    """A search that would not end fails its test instead of holding up all others."""
    visit = ChoiceSearch._visit

    def limited(self: ChoiceSearch, index: int, score: float) -> None:
        if self.nodes > MOST_STEPS:
            raise _TooMuchError
        visit(self, index, score)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ChoiceSearch, "_visit", limited)
        yield


def _extract(text: str) -> Extraction:
    return extract(read_markdown(Source(name="a.md", data=text.encode())), document_id="doc")


def _sum(terms: list[str]) -> str:
    return f"# Energy\n\n$$E = {' + '.join(terms)}$$\n"


HOSTILE = {
    "nothing": "",
    "blanks": "\n \t\n\n",
    "an empty heading": "# \n\n## ",
    "a sum of 3000 symbols": _sum([f"x_{{{index}}}" for index in range(3000)]),
    "a sum of 500 terms": _sum([f"m_{{{index}}} a_{{{index}}}" for index in range(250)]),
    "a product of 40 symbols": f"# Energy\n\n$$E = {' '.join(LETTERS[:40])}$$",
    "a sum of 40 symbols": _sum(LETTERS[:40]),
    "20 products of two": _sum([f"{a} {b}" for a, b in zip(LETTERS[:20], LETTERS[20:40], strict=True)]),
    "25 powers of one": _sum([f"{letter} q^{{{index}}}" for index, letter in enumerate(LETTERS[:25])]),
    "25 exponentials": _sum([f"A_{{{index}}} e^{{-{letter} q}}" for index, letter in enumerate(LETTERS[:25])]),
    "deep fractions": "$$x = " + r"\frac{1}{1 + " * 200 + "y" + "}" * 200 + "$$",
    "a long label": "**" + "energy " * 5000 + "**: $E = m c^2$",
    "a long sentence": "the energy of " * 5000 + "is $E = m c^2$",
    "conditions": "$E = m c^2$ " + "valid for for at constant " * 3000,
    "plus and minus": "$$a = " + r" \pm ".join(f"x_{{{index}}}" for index in range(30)) + "$$",
    "three sums": r"$$S = \sum_{i=1}^{n} \sum_{j=1}^{n} \sum_{k=1}^{n} x_{ijk}$$",
    "dots": "$$S = " + r"x_1 + \dots + " * 100 + "x_n$$",
    "a chain of 40": "$$" + " = ".join(f"x_{{{index}}}" for index in range(40)) + "$$",
    "a table of 100": "| Quantity | Formula |\n|---|---|\n"
    + "\n".join(f"| Force {index} | $F_{{{index}}} = m a + {index} k q$ |" for index in range(100)),
    "examples": "# Law\n\n$$V = I R$$\n\n## Example\n\n"
    + "\n\n".join(rf"$$V = ({index}\ \mathrm{{A}})(15\ \Omega) = 30\ \mathrm{{V}}$$" for index in range(150)),
    "one section": "# M\n\n"
    + "\n\n".join(f"$${a} = {b} {c}$$" for a, b, c in zip(LETTERS, LETTERS[1:], LETTERS[2:], strict=False)),
    "odd characters": "# \u202e𝕏 ½ ℏ\n\n**𝐅𝐨𝐫𝐜𝐞** $F = m\u200ba$, $Ｆ＝ｍａ$, $😀 = 5$\n\n$$\u0301 = \u202ea$$\n\n"
    "$$F = m\u2009a$$",
    "many definitions": "$$E = m c^2$$\n\nwhere "
    + ", ".join(f"$x_{{{index}}}$ is the energy (J)" for index in range(150)),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_documents_end(name: str) -> None:
    _extract(HOSTILE[name])


@pytest.mark.parametrize("count", [8, 20])
def test_quotients_by_one_end(count: int) -> None:
    """Their dimensions are all the same, but that shows only when the divisor is chosen, which comes last."""
    _extract(_sum([rf"\frac{{{letter}}}{{q}}" for letter in LETTERS[:count]]))


@pytest.mark.growth
def test_a_thousand_symbols_in_products() -> None:
    _extract(_sum([f"m_{{{index}}} a_{{{index}}}" for index in range(500)]))


def test_a_long_list_of_definitions_is_read() -> None:
    listed = ", ".join(f"$x_{{{index}}}$ is the energy (J)" for index in range(450))
    assert _extract(f"$$E = m c^2$$\n\nwhere {listed}").findings


pieces = st.one_of(
    st.sampled_from(
        [
            "# Force", "## Example", "where ", "$m$ is the mass (kg)", "$$F = m a$$", "$F=ma$", "**Law:** ", "- ",
            "| a | b |", "|---|---|", "1. ", "Which?", "$$", "$", r"\frac{1}", r"$x_1 + \dots$", r"$\sum x_i$",
            "= 5 N", "(m/s)", "for laminar flow", "substituting gives ", r"$v = 3\ \mathrm{m/s}$", "`code`", "\\",
            "{", "}", "&", "<br>", r"$a \pm b = c$", "$R_1$", "c = 3.0e8 m/s", "> ", "~~~", "\t", "$r < R$",
            "in SI units, ", "Q: ", "…",
        ]
    ),
    st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=6),
)  # fmt: skip
markdown = st.lists(st.tuples(pieces, st.sampled_from(["", " ", "\n", "\n\n"])), max_size=25).map(
    lambda listed: "".join(piece + gap for piece, gap in listed).encode("utf-8", "replace").decode()
)


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(markdown)
def test_any_text_gives_an_extraction(text: str) -> None:
    found = _extract(text)
    assert found == _extract(text)
    assert [one.position for one in found.findings] == list(range(len(found.findings)))
    assert from_json(to_json(found)) == found
    positions = {one.position for one in found.findings}
    for relation in found.relations:
        assert {relation.source, relation.target} <= positions
    for finding in found.findings:
        assert (finding.status == "declined") == (finding.equation is None)
        assert bool(finding.reason) == (finding.status != "executable")
        assert 0 < finding.prior <= 1
        assert sum(one.prior for one in finding.alternatives) <= 1.001


def test_words_around_a_formula_do_not_change_its_form() -> None:
    alone, inside = (
        _extract("$$F = m a$$"),
        _extract("# Force\n\nNewton says that\n\n$$F = m a$$\n\nwhere $m$ is the mass (kg)."),
    )
    assert [one.form for one in alone.findings] == [one.form for one in inside.findings]
