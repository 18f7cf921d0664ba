"""Questions that name a paper outright, by its title or its file: no word of the name is looked for in its tables; each
part of a question is answered or said to be open; what the paper does not say is refused in words."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mathrag.library import Library
from mathrag.reason.direct.documents.cell_numbers import cell_number
from mathrag.reason.direct.documents.grids import shown
from mathrag.reason.direct.documents.outright import named_outright
from mathrag.reason.direct.documents.parted import split_parts
from mathrag.retrieve.document_parts import LibraryDocumentParts
from mathrag.types.answer import Refusal, Reply

KELP = r"""# A Second Survey of Kelp Farms: What Grows Where

Mira Solberg, Teo Lind

## Abstract

We survey kelp farms. In Study 1, a survey of 214 growers showed that depth matters.

## Methods

Two harbours 38 km apart were visited. Inter-rater agreement was high: the two graders reached a Cohen's kappa
coefficient of 0.83. The drying step denotes the removal of surface water by fans before weighing.

The Grower Trust Scale has six items. Cronbach's $\alpha$ for this scale was 0.77.

The Weather Worry Scale has four items. Cronbach's $\alpha$ for this scale was 0.61.

The filter was run with $r=4$ and $\alpha=16$.

## Results

Table 1: Farms by country

| Country | #Farms | Example Farm | #Example Farm Workers |
|---|---|---|---|
| Norway | 24 | Havtare | 1,250 |
| Japan | 6 | Kombu-ya | 310 |
| Chile | 11 | Alga Sur | 95 |

Table 2: Growth models

| model | pruning | # parameters | error | $\delta_{E}=0.5$ |
|---|---|---|---|---|
| Linear | no | 2.5M | $0.310^{**}$ | 7.5 |
| Linear | yes | 2.5M | 0.290 | 7.1 |
| Linear | no | 4.1M | 0.270 | 6.4 |
| Our approach | no | 9.9M | 0.200 | 5.0 |
"""

WIND = """# Wind Over Fjords

## Abstract

Winds are measured.
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("papers")
    (folder / "kelp.md").write_text(KELP, encoding="utf-8")
    (folder / "wind.md").write_text(WIND, encoding="utf-8")
    with Library(folder / "library") as opened:
        opened.ingest([folder / "kelp.md", folder / "wind.md"])
        yield opened


TITLE = '"A Second Survey of Kelp Farms"'


@pytest.mark.parametrize(
    ("question", "has"),
    [
        (f"Which country has the most farms in Table 1 of {TITLE}?", ("Norway", "24")),
        (f"How many workers does the example farm of Japan have in Table 1 of {TITLE}?", ("310",)),
        (f"In {TITLE}, what is the ratio of Norway farms to Japan farms in Table 1?", ("24 / 6 = 4",)),
        (f"How many countries are listed in Table I of {TITLE}?", ("lists 3",)),
        (f"What error does the Linear model with 4.1M parameters reach in Table 2 of {TITLE}?", ("0.270",)),
        ("What is the error of Linear with pruning in Table 2 of kelp.md?", ("0.290",)),
        (f"What is the error of the authors' approach in Table 2 of {TITLE}?", ("0.200",)),
        (f"In Table 2 of {TITLE}, what is the value of Our approach at δE = 0.5?", ("5.0",)),
        (f"How far apart are the two harbours in {TITLE}?", ("38 km",)),
        (f"What Cohen's kappa did the graders reach in {TITLE}?", ("0.83",)),
        (f"What was the Cronbach's alpha of the Grower Trust Scale in {TITLE}?", ("0.77",)),
        (f"Which values of r and α were used for the filter in {TITLE}?", ("r = 4, α = 16",)),
        (f"What does the drying step mean in {TITLE}?", ("removal of surface water",)),
        (f"How many growers took part in Study 1 of {TITLE}?", ("214 growers",)),
        (f"How many tables and how many references are there in {TITLE}?", ("2 tables",)),
    ],
)
def test_what_a_named_paper_says(library: Library, question: str, has: tuple[str, ...]) -> None:
    found = library.ask(question)
    assert isinstance(found, Reply), found
    assert all(words in found.text for words in has), found.text
    assert found.question == question


@pytest.mark.parametrize(
    "question",
    [
        f"What salinity was measured in {TITLE}?",
        f"How many divers were recruited in {TITLE}?",
        f"How does {TITLE} define kelp?",
        f"What is the error of Cubic in Table 2 of {TITLE}?",
        f"What error does Linear reach in Table 2 of {TITLE}?",
    ],
)
def test_what_a_named_paper_does_not_say(library: Library, question: str) -> None:
    found = library.ask(question)
    assert isinstance(found, Refusal), found
    assert not found.nearest
    assert not found.missing


def test_a_part_without_an_answer_is_said(library: Library) -> None:
    found = library.ask(f"How many tables are there in {TITLE}, and what salinity was measured?")
    assert isinstance(found, Reply)
    assert "2 tables" in found.text
    assert any("salinity" in each for each in found.warnings)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ('In "A Second Survey of Kelp Farms: What Grows Where", who wrote it?', "In this paper, who wrote it?"),
        ("Who wrote “a second survey of kelp”?", "Who wrote this paper?"),
        ("Who wrote A Second Survey of Kelp Farms: What Grows Where?", "Who wrote this paper?"),
        ("Who wrote kelp.md?", "Who wrote this paper?"),
        ('What is a "wind farm"?', None),
        ('How do "Wind Over Fjords" and "A Second Survey of Kelp Farms" differ?', None),
    ],
)
def test_a_name_is_wholly_taken_out(library: Library, text: str, left: str | None) -> None:
    found = named_outright(text, (), LibraryDocumentParts(library.database))
    assert (found.text if found else None) == left


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "How many ships were there at the north pier and how many at the south pier?",
            (
                "How many ships were there at the north pier in this paper?",
                "how many ships at the south pier in this paper?",
            ),
        ),
        (
            "In Table 2 of this paper, what is the cost of A and what is the cost of B?",
            ("In Table 2 of this paper, what is the cost of A?", "what is the cost of B in table 2 in this paper?"),
        ),
        ("Which row is the largest in this paper, and what is it?", ("Which row is the largest in this paper?",)),
        ("What is the length and width of the pool?", ("What is the length and width of the pool?",)),
    ],
)
def test_parts_of_a_question(text: str, parts: tuple[str, ...]) -> None:
    assert split_parts(text) == parts


@pytest.mark.parametrize(
    ("cell", "seen", "value"),
    [
        ("$0.410^{**}$", "0.410**", "0.410"),
        ("-$3.52^{\\square\\square}$", "-3.52", "-3.52"),
        ("$57.9\\pm0.3$", "57.9±0.3", "57.9"),
        ("**45.1**", "45.1", "45.1"),
        ("0.42∗∗∗", "0.42∗∗∗", "0.42"),
    ],
)
def test_stars_are_no_part_of_a_number(cell: str, seen: str, value: str) -> None:
    number = cell_number(cell)
    assert number is not None
    assert (shown(cell), str(number.value)) == (seen, value)


def test_the_only_paper_of_a_library_needs_no_title(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("one")
    (folder / "kelp.md").write_text(KELP, encoding="utf-8")
    with Library(folder / "library") as opened:
        opened.ingest([folder / "kelp.md"])
        found = opened.ask("How far apart were the harbours in this study, and how many tables does the paper have?")
        assert isinstance(found, Reply)
        assert "38 km" in found.text
        assert "2 tables" in found.text
