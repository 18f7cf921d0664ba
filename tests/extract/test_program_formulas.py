"""Formulas and names of the programs of notebooks: what computes is a formula, and remarks say what its names are."""

from __future__ import annotations

import json

import pytest

from mathrag.compute.pythontext.programs import formulas
from mathrag.documents.notebook import read_notebook
from mathrag.documents.programs import with_program_formulas
from mathrag.documents.seams import Source
from mathrag.extract.pipeline import extract

PROGRAM = """
n_rows = 12  # number of rows of vines
row_m = 80  # length of one row, m
dose_mLm = 3

# Total length of the rows
total_m = n_rows * row_m
spray = total_m * dose_mLm / 1000  # volume of spray (L)
n_rows = n_rows
lines = [1, 2]
gain_dB = 10 * np.log10(gain)
if spray > 3:
    rest = spray - 3
def cost(v):
    price = v * 2
print("Calculated net gain (dB):", round(gain_dB, 1))
"""


def test_only_what_computes_at_the_margin_is_a_formula() -> None:
    assert [found.name for found, _ in formulas(PROGRAM)] == ["total_m", "spray", "gain_dB"]


@pytest.mark.parametrize(
    "line",
    ["x = x + 1", "a = b", "a = 1e6 * b", "a = b[0] * 2", "a = np.max(b) - 5", "a = f(b) * 2", "a = b if c else d",
     "a = 'b * c'", "a, b = c * 2, d", "a == b * c", '"""\na = b * c\n"""', "    a = b * c", "a = g(\nb * c)"],
)  # fmt: skip
def test_what_is_no_formula(line: str) -> None:
    assert formulas(line) == []


def test_a_name_that_is_computed_in_two_ways_has_no_formula() -> None:
    assert formulas("a = b * c\na = b / c") == []


def test_remarks_describe_the_names() -> None:
    cells = [{"cell_type": "code", "source": PROGRAM, "outputs": []}]
    notebook = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    document = with_program_formulas(read_notebook(Source(name="a.ipynb", data=notebook.encode())))
    findings = extract(document, document_id="d").findings
    said = {one.name: (one.description, one.unit) for finding in findings for one in finding.symbols}
    assert said["n_rows"] == ("number of rows of vines", "")
    assert said["row_m"] == ("length of one row", "m")
    assert said["total_m"] == ("total length of the rows", "m")
    assert said["spray"] == ("volume of spray", "L")
    assert said["gain"][0] == said["gain_dB"][0] == "net gain"
