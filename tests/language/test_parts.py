"""Names of parts: titles that announce an example or a summary, classes that set one apart."""

from __future__ import annotations

import pytest

from mathrag.language.parts import box_kind, title_kind


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("Example 3.2: A raft", "example"),
        ("3.2 Example", "example"),
        ("Worked examples", "example"),
        ("Solution", "solution"),
        ("Solution for (b)", "solution"),
        ("Discussion", "closing"),
        ("Derivation of the lens equation", "derivation"),
        ("Section Summary", "summary"),
        ("Key equations", "summary"),
        ("Glossary", "definition"),
        ("Solutions and their concentration", ""),
        ("Solutions", ""),
        ("Solution of the wave equation", ""),
        ("Given names", ""),
        ("Exemplary rafts", ""),
    ],
)
def test_titles(title: str, kind: str) -> None:
    assert title_kind(title) == kind


@pytest.mark.parametrize(
    ("names", "kind"),
    [
        ("box-example", "example"),
        ("ltx_theorem ltx_theorem_example", "example"),
        ("WorkedExample", "example"),
        ("solution-like", "solution"),
        ("exercise", "exercise"),
        ("proof admonition", "derivation"),
        ("definition Definition", "definition"),
        ("admonition note", "note"),
        ("container wide", ""),
        ("", ""),
    ],
)
def test_boxes(names: str, kind: str) -> None:
    assert box_kind(names) == kind
