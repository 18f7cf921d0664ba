"""Names of formulas: what a reader would call each formula of small documents, and what no name may ever hold."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mathrag.documents.markdown import read_markdown
from mathrag.documents.seams import Source
from mathrag.extract.phrases import balanced, clean_title, plain_latex, presentable
from mathrag.extract.pipeline import extract
from mathrag.extract.sentence_names import marked, name_after, name_before
from mathrag.types.document import Math, Place, Text
from mathrag.types.library import Finding

HERE = Path(__file__).parent
DOCUMENTS: list[dict[str, Any]] = tomllib.loads((HERE / "label_documents.toml").read_text(encoding="utf-8"))["document"]
GOLDEN = sorted(path for path in (HERE / "golden").glob("*.md") if path.stem != "README")
SHARED = HERE.parents[2] / "shared"
STRANGERS = [*sorted(SHARED.glob("seeds/*")), *sorted(SHARED.glob("documents/small-md/**/*.md"))]
DANGLING = re.compile(r"(?:^|\s)(?:of|the|and|for|is|by|with|in|are|to)$")


def _findings(data: bytes) -> list[Finding]:
    return list(extract(read_markdown(Source(name="a.md", data=data)), document_id="doc").findings)


def _fault(label: str) -> str:
    """What no name may hold; empty where it holds nothing of the kind."""
    if re.search(r"[\\${}\ue000-\ue002]", label):
        return "a sign of LaTeX"
    if balanced(label) != label:
        return "half a bracket"
    return "a word that leads on to nothing" if DANGLING.search(label) else ""


@pytest.mark.parametrize("entry", DOCUMENTS, ids=[f"{place}: {one['label'][0]}" for place, one in enumerate(DOCUMENTS)])
def test_a_reader_would_call_it_that(entry: dict[str, Any]) -> None:
    assert set(entry) <= {"text", "formula", "label", "unwanted"}
    found = [
        one
        for one in _findings(entry["text"].encode())
        if one.equation is not None and entry.get("formula", "") in one.source
    ]
    assert found, "the formula is not found"
    labels = {one.label for one in found}
    assert labels & set(entry["label"]), labels
    for label in labels:
        assert not _fault(label)
        assert not [words for words in entry.get("unwanted", ()) if words in label]


@pytest.mark.slow
@pytest.mark.parametrize("path", [*GOLDEN, *STRANGERS], ids=lambda path: path.name)
def test_no_name_is_cut_or_raw(path: Path) -> None:
    for one in _findings(path.read_bytes()):
        assert not _fault(one.label), (one.label, one.latex)
        assert one.label or one.status != "executable" or one.equation is None or one.equation.target is None


@pytest.mark.parametrize("signs", ["]:1★1", "1★1", "§ 4.2 ★"])
@pytest.mark.parametrize(
    "document",
    [
        "# {}\n\n$E = q h + d$\n",
        "**{}**: $E = q h + d$\n",
        "| Name | Formula |\n|---|---|\n| {} | $E = q h + d$ |\n",
        "$E = q h + d$ ({})\n",
        "The {} is given by $E = q h + d$.\n",
        "- {}: $E = q h + d$\n",
        "$E = q h + d$ where $E$ is {} and $q$ is {} in kg.\n",
    ],
)
def test_signs_without_a_letter_name_nothing(document: str, signs: str) -> None:
    (found,) = _findings(document.replace("{}", signs).encode())
    names = [found.label, *(one.description for one in found.symbols if one.description)]
    assert all(any(sign.isalpha() for sign in name) for name in names), names
    assert not [name for name in names if "★" in name or _fault(name)]


def test_a_title_that_is_cleaned_stays_as_it_is() -> None:
    assert clean_title("]:1★1") == "1, 1"
    assert clean_title("]: 1. Drag of a sledge") == "Drag of a sledge"


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(st.text(alphabet="ab cD([)]{}$\\_^.,:1=★§éα-", max_size=60))
@example(")★1")
@example("]:1★1")
def test_any_title_becomes_a_clean_name(text: str) -> None:
    assert not _fault(presentable(clean_title(text)))
    assert not re.search(r"[\\${}]", plain_latex(text))
    assert clean_title(clean_title(text)) == clean_title(text) or len(clean_title(text)) < len(text)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from("the of is given by called law force we find where for and in x, : . speed".split())))
def test_any_sentence_gives_a_name_or_nothing(words: list[str]) -> None:
    sentence = " ".join(words)
    for name in (name_before(sentence, "x"), name_after(sentence)):
        assert not _fault(presentable(name)), name


def test_symbols_in_a_sentence_are_plain() -> None:
    math = Math(source="\\sigma_{\\mathrm{max}}", notation="latex", quote="$$", place=Place(), is_display=False)
    content = (Text("The greatest stress "), math, Text(" in the rod is"))
    assert name_before(marked(content), "σ_max") == "greatest stress in the rod"
    assert "σ_max" in marked(content)


@pytest.mark.parametrize(
    ("source", "plain"),
    [
        ("\\alpha_{x}", "α_x"),
        ("\\frac{a + b}{c}", "(a + b)/c"),
        ("\\mathbf{v}_{\\text{rel}}", "v_rel"),
        ("S_\\infty", "S_∞"),
        ("\\Delta T", "ΔT"),
        ("\\sqrt{2 g h", "√2 g h"),
        ("x^{\\circ}", "x°"),
        ("{{{{", ""),
    ],
)
def test_mathematics_in_plain_letters(source: str, plain: str) -> None:
    assert plain_latex(source) == plain


def test_a_deep_or_long_source_costs_little() -> None:
    assert isinstance(plain_latex("{" * 50_000), str)
    assert isinstance(plain_latex("\\frac" * 50_000), str)
    assert isinstance(clean_title("[[" * 50_000), str)
    assert isinstance(name_before("the force of " * 20_000, "x"), str)
