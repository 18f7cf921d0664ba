"""Notebooks that are not what their format says: wrong types, endless numbers, outputs of many megabytes."""

from __future__ import annotations

import json
from typing import Any

from hostile_files.recipe import Recipe, file, nested

_KEPT = ("kinetic energy",)
_GOOD: dict[str, Any] = {"cell_type": "markdown", "metadata": {}, "source": "The kinetic energy is $E_k$."}


def _notebook(*cells: Any, **fields: Any) -> str:
    whole = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [*cells, _GOOD], **fields}
    return json.dumps(whole)


def _output(**fields: Any) -> dict[str, Any]:
    return {"cell_type": "code", "metadata": {}, "execution_count": 1, "source": "f()", "outputs": [fields]}


_ODD_CELLS: tuple[Any, ...] = (
    None,
    7,
    "text",
    [],
    {},
    {"cell_type": "markdown"},
    {"cell_type": 5, "source": "x"},
    {"cell_type": "markdown", "source": 5},
    {"cell_type": "markdown", "source": {"a": "b"}},
    {"cell_type": "markdown", "source": [1, None, ["x"], {"y": 1}]},
    {"cell_type": "owned", "source": "x"},
    {"cell_type": "code", "source": "x", "outputs": {"a": 1}},
    {"cell_type": "code", "source": "x", "outputs": [5, None]},
    {"cell_type": "code", "source": "x", "outputs": [{"output_type": "display_data", "data": []}]},
    {"cell_type": "markdown", "source": "![a](attachment:x.png)", "attachments": {"x.png": {"image/png": 5}}},
    {"cell_type": "raw", "source": "raw", "metadata": []},
)

RECIPES = (
    Recipe("notebook-list", "a notebook that is a list", "reason", file("notes.ipynb", "[1, 2, 3]")),
    Recipe("notebook-other-object", "an object that is no notebook", "reason", file("notes.ipynb", '{"a": 1}')),
    Recipe(
        "notebook-cells-no-list",
        "a notebook whose cells are no list",
        "reason",
        file("notes.ipynb", '{"nbformat": 4, "cells": {"a": "b"}}'),
    ),
    Recipe(
        "notebook-odd-cells",
        "cells of every wrong shape, and a good one",
        "read",
        file("notes.ipynb", lambda: _notebook(*_ODD_CELLS)),
        keeps=_KEPT,
    ),
    Recipe(
        "notebook-odd-fields",
        "fields of the wrong types",
        "either",
        file("notes.ipynb", lambda: _notebook(nbformat="four", nbformat_minor=None, metadata=[1])),
    ),
    Recipe(
        "notebook-version-99",
        "a notebook from the future",
        "either",
        file("notes.ipynb", lambda: _notebook(nbformat=99)),
    ),
    Recipe(
        "notebook-version-3",
        "a notebook of the old version 3",
        "either",
        file("notes.ipynb", json.dumps({"nbformat": 3, "worksheets": [{"cells": [_GOOD]}, 5, {"cells": 7}]})),
    ),
    Recipe(
        "notebook-nan",
        "numbers that JSON does not have",
        "read",
        file("notes.ipynb", lambda: _notebook(metadata={"a": float("nan"), "b": float("inf"), "c": -float("inf")})),
        keeps=_KEPT,
    ),
    Recipe(
        "notebook-million-digits",
        "a number with a million digits",
        "either",
        file("notes.ipynb", lambda: _notebook().replace('"nbformat_minor": 5', '"nbformat_minor": ' + "7" * 1_000_000)),
    ),
    Recipe(
        "notebook-large-exponent",
        "numbers beyond every float",
        "either",
        file("notes.ipynb", lambda: _notebook().replace('"nbformat_minor": 5', '"nbformat_minor": 1e999999999')),
    ),
    Recipe(
        "notebook-deep",
        "10,000 lists inside each other",
        "either",
        file("notes.ipynb", lambda: _notebook().replace('"metadata": {}', '"metadata": ' + nested("[", "", "]"), 1)),
    ),
    Recipe(
        "notebook-deep-objects",
        "100,000 objects inside each other",
        "either",
        file("notes.ipynb", lambda: nested('{"a":', "1", "}", depth=100_000)),
    ),
    Recipe(
        "notebook-duplicate-keys",
        "the same key twice",
        "either",
        file("notes.ipynb", lambda: _notebook().replace('"cells"', '"cells": [], "cells"')),
    ),
    Recipe(
        "notebook-huge-output",
        "an output of 20 MB",
        "read",
        file("notes.ipynb", lambda: _notebook(_output(output_type="stream", name="stdout", text="x" * 20_000_000))),
        keeps=_KEPT,
    ),
    Recipe(
        "notebook-images",
        "100 pictures in base64",
        "read",
        file(
            "notes.ipynb",
            lambda: _notebook(
                *[_output(output_type="display_data", metadata={}, data={"image/png": "iVBORw0KGgo" * 10_000})] * 100
            ),
        ),
        keeps=_KEPT,
    ),
    Recipe(
        "notebook-html-output",
        "an output with a script and pictures from elsewhere",
        "read",
        file(
            "notes.ipynb",
            lambda: _notebook(
                _output(
                    output_type="display_data",
                    metadata={},
                    data={
                        "text/html": "<script>owned()</script><img src=http://127.0.0.1:9/x>",
                        "text/latex": ["$$x = \\input{/etc/passwd}$$"],
                        "application/javascript": "owned()",
                    },
                )
            ),
        ),
        keeps=_KEPT,
        forbids=("root:",),
    ),
    Recipe(
        "notebook-code",
        "code that would do harm if it ran",
        "read",
        file(
            "notes.ipynb",
            lambda: _notebook(
                {
                    **_output(output_type="stream", text="x"),
                    "source": "!touch owned\n%run /etc/passwd\nopen('owned', 'w')",
                }
            ),
        ),
        keeps=_KEPT,
    ),
    Recipe(
        "notebook-many-cells",
        "20,000 cells",
        "either",
        file("notes.ipynb", lambda: _notebook(*[{"cell_type": "markdown", "metadata": {}, "source": "a"}] * 20_000)),
        is_slow=True,
    ),
    Recipe(
        "notebook-long-source",
        "a cell of 100,000 lines",
        "either",
        file("notes.ipynb", lambda: _notebook({"cell_type": "markdown", "metadata": {}, "source": ["a\n"] * 100_000})),
        is_slow=True,
    ),
    Recipe(
        "notebook-lone-surrogate",
        "half a character in JSON",
        "either",
        file("notes.ipynb", lambda: _notebook().replace("kinetic", "\\ud800 kinetic")),
    ),
    Recipe(
        "notebook-trailing",
        "more text after the notebook",
        "either",
        file("notes.ipynb", lambda: _notebook() + " {} trailing"),
    ),
)
