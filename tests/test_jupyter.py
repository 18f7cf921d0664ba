"""The notebook extension in a real IPython: asked by line and by cell, with variables, and in a whole notebook."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mathrag.errors import UsageError
from mathrag.jupyter import Magic
from mathrag.library import Library
from mathrag.types.answer import Answer, Refusal

NOTES = r"""# Notes

## Kinetic energy

$$E_k = \frac{1}{2} m v^2$$

where $E_k$ is the kinetic energy in J, $m$ is the mass in kg and $v$ is the speed in m/s.
"""
QUESTION = "What is the kinetic energy of {mass} at {speed}?"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("notebook library")
    (folder / "notes.md").write_text(NOTES, encoding="utf-8")
    with Library(folder / "library", create=True) as made:
        assert not made.ingest([folder / "notes.md"], workers=1).failed
    return folder / "library"


@pytest.fixture
def variables() -> dict[str, Any]:
    return {"mass": "2 kg", "speed": "3 m/s"}


@pytest.fixture
def magic(library: Path, variables: dict[str, Any]) -> Iterator[Magic]:
    made = Magic(variables)
    assert made.ask(f'--library "{library}"') is None
    yield made
    made.close()


def test_values_of_variables_are_put_in(magic: Magic, variables: dict[str, Any]) -> None:
    found = magic.ask(QUESTION)
    assert isinstance(found, Answer)
    assert found.value == 9
    variables["energy"] = found
    again = magic.ask("What is the speed of 2 kg with a kinetic energy of {energy}?")
    assert isinstance(again, Answer)
    assert again.value == pytest.approx(3)
    variables["number"] = 4
    more = magic.ask("--unit kJ What is the kinetic energy of {number} kg at 10 m/s?")
    assert isinstance(more, Answer)
    assert more.value == pytest.approx(0.2)


def test_a_cell_is_a_question_too(magic: Magic) -> None:
    found = magic.ask("", QUESTION)
    assert isinstance(found, Answer)
    missing = magic.ask("", "What is the kinetic energy\nof a body of {mass}?")
    assert isinstance(missing, Refusal)
    assert missing._repr_html_()


@pytest.mark.parametrize(
    ("line", "value"),
    [("", None), ("--made up", None), ("What is {nothing}?", None), ("Energy of {mass}?", [1, 2]),
     ("Energy of {mass}?", float("nan")), ("Energy of {mass}?", True), ("Energy of {mass}?", "x" * 300),
     ("--library /nowhere/at/all What?", None)],
)  # fmt: skip
def test_what_cannot_be_asked_is_said(magic: Magic, variables: dict[str, Any], line: str, value: Any) -> None:
    if value is not None:
        variables["mass"] = value
    with pytest.raises(UsageError):
        magic.ask(line)


def test_braces_are_names_and_never_code(magic: Magic) -> None:
    # Not filled in, so the question is asked as it stands.
    assert not isinstance(magic.ask("What is {1+1} of {__import__('os').getcwd()}?"), Answer)


def _shell() -> Any:
    pytest.importorskip("IPython", reason="IPython is not installed: pip install 'mathrag[jupyter]'")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from IPython.core.interactiveshell import InteractiveShell

        return InteractiveShell()


def test_in_a_real_ipython(library: Path) -> None:
    shell = _shell()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        shell.run_line_magic("load_ext", "mathrag")
        shell.run_line_magic("mathrag", f'--library "{library}"')
        shell.user_ns.update(mass="2 kg", speed="3 m/s")
        done = shell.run_cell(f"answer = %mathrag {QUESTION}\nanswer.value")
        assert done.result == 9
        found = shell.run_cell(f"%%mathrag\n{QUESTION}").result
        data, _ = shell.display_formatter.format(found)
        assert "9.00" in data["text/html"]
        assert "text/latex" in data
        from IPython.core.error import UsageError as ShownError

        with pytest.raises(ShownError, match="no variable nothing"):
            shell.run_line_magic("mathrag", "What is {nothing}?")


@pytest.mark.soak
def test_in_a_notebook_that_is_run(library: Path) -> None:
    pytest.importorskip("nbclient", reason="nbclient is not installed")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import nbformat
        from nbclient import NotebookClient

        cells = ["%load_ext mathrag", f'%mathrag --library "{library}"', "mass = '2 kg'\nspeed = '3 m/s'",
                 f"%%mathrag\n{QUESTION}", "%mathrag What is {nothing}?"]  # fmt: skip
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
        NotebookClient(notebook, timeout=300, kernel_name="python3", allow_errors=True).execute()
    assert "9.00" in notebook.cells[3].outputs[0]["data"]["text/html"]
    assert "no variable nothing" in str(notebook.cells[4].outputs)
