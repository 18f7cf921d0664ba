"""An answer as a notebook file (nbformat 4): the question, the formulas, and code that computes it with nothing but
Python. The code is written here and never run."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Mapping
from typing import Any

from mathrag.answer.clean_text import clean, is_safe_latex
from mathrag.answer.standalone.code import safe_names
from mathrag.calculator import convert
from mathrag.errors import MathragError, UsageError
from mathrag.knowledge.units import read_canonical_unit
from mathrag.library.ask.outcomes import tool_source
from mathrag.library.opened import OpenLibrary
from mathrag.library.views.lists import document_names
from mathrag.types.expression import equation_symbols
from mathrag.types.json_value import Json
from mathrag.types.library import Formula
from mathrag.types.quantity import Quantity

_SELF_TEST = '\n\n\nif __name__ == "__main__":'
# Beyond this nobody reads on, and a cell stays a cell.
_LONGEST = 4_000


def python_source(library: OpenLibrary, outcome: Json) -> str:
    """An answer as a Python program: the function of each step, called with the values that were asked."""
    steps = _steps(outcome)
    parts = [f"# {_plain(outcome['question'])}", f"# {_plain(outcome['text'])}"]
    if len(steps) > 1:
        parts.append("# Each step has its own tables of units: use a function before the next step defines its own.")
    for step in steps:
        formula = library.formula(step["formula"])
        if len(steps) > 1:
            parts += ["", f"# ---- step {step['number']}"]
        parts += ["", _step_code(library, step, formula=formula, outcome=outcome)]
    return "\n".join(parts) + "\n"


def notebook_text(library: OpenLibrary, outcome: Json) -> str:
    """An answer (its public object) as the text of an `.ipynb` file.

    Every step is one cell that defines its function and calls it, so that running any of them again works.
    """
    steps = _steps(outcome)
    cells = [_markdown(*_opening(outcome))]
    for step in steps:
        formula = library.formula(step["formula"])
        cells.append(_markdown(*_step_words(step, formula, outcome)))
        cells.append(_code(_step_code(library, step, formula=formula, outcome=outcome)))
    cells.append(_markdown(*_closing(outcome)))
    for number, cell in enumerate(cells, start=1):
        cell["id"] = f"cell-{number}"
    made = {
        "cells": cells,
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(made, ensure_ascii=False, indent=1) + "\n"


def _steps(outcome: Json) -> list[Json]:
    steps = list(outcome.get("steps") or ())
    if not steps:
        raise UsageError("nothing was computed with a formula here, so there is no code to write")
    return steps


def _opening(outcome: Json) -> list[str]:
    # A heading is one line; what a stranger wrote must not open a cell of its own or a tag.
    return [f"# {markdown_words(outcome['question'])}", "", f"**{markdown_words(outcome['text'])}**"]


def _step_words(step: Json, formula: Formula, outcome: Json) -> list[str]:
    prefix = f"Step {step['number']}: " if len(outcome["steps"]) > 1 else ""
    lines = [f"## {prefix}{markdown_words(formula.label) or formula.id}", ""]
    lines += [f"$${formula.latex}$$" if is_safe_latex(formula.latex) else f"`{_plain(formula.latex)}`", ""]
    rows = [
        " | ".join((f"| `{_plain(symbol)}`", *map(markdown_words, (bound["description"], _text(bound), bound["from"]))))
        + " |"
        for symbol, bound in bindings_of(outcome, step).items()
    ]
    if rows:
        lines += ["| symbol | meaning | value | from |", "| --- | --- | --- | --- |", *rows]
    return lines


def bindings_of(outcome: Json, step: Json) -> dict[str, Json]:
    """The values that a step was computed with, by symbol."""
    return {symbol: outcome["bindings"][key] for symbol, key in binding_keys(outcome, step).items()}


def binding_keys(outcome: Json, step: Json) -> dict[str, str]:
    """Under which name of `bindings` the value of each symbol of a step stands.

    A symbol that later gets another value is called `step2.m` there, after the last step that has the earlier value.
    """
    bindings, last = outcome["bindings"], len(outcome["steps"])
    found: dict[str, str] = {}
    for symbol in step["bindings"]:
        own = (f"step{number}.{symbol}" for number in range(step["number"], last + 1))
        key = next((name for name in own if name in bindings), symbol)
        if key in bindings:
            found[symbol] = key
    return found


def _step_code(library: OpenLibrary, step: Json, *, formula: Formula, outcome: Json) -> str:
    source = tool_source(formula, step["target"], names=document_names(library))
    body, _, _ = source.partition(_SELF_TEST)
    tree = ast.parse(body)
    function = [node for node in tree.body if isinstance(node, ast.FunctionDef)][-1]
    parameters = {each.arg for each in function.args.args}
    tables = _tables(tree)
    assert formula.equation is not None  # tool_source has said so otherwise
    spelled = safe_names(equation_symbols(formula.equation))
    fixed, passed = [], []
    for symbol, bound in bindings_of(outcome, step).items():
        name = spelled.get(symbol, symbol)
        if name in parameters:
            passed.append(f"    {name}={_argument(bound, tables.get(name, {}))},")
        elif bound["value"] is not None:
            # A constant stands in the module as a number in SI units.
            fixed.append(f"{name} = {float(_quantity(bound).si_value)!r}  # {_plain(_text(bound))}")
    unit = step["unit"] if step["unit"] in tables["RESULT"] else next(iter(tables["RESULT"]), "")
    result = f"result_{step['number']}"
    call = [f"{result} = {function.name}(", *passed, f"    unit={unit!r},", ")"]
    expected = f"# computed when asked: {_plain(_text(step))}"
    shown = f"print({step['target'] + ' ='!r}, {result}, {unit!r})"
    return "\n".join([body.strip("\n"), "", "", *fixed, *call, expected, shown])


def _tables(tree: ast.Module) -> dict[str, dict[str, Any]]:
    """The units that the module knows, by parameter; those of the result under `RESULT`."""
    found: dict[str, dict[str, Any]] = {"RESULT": {}}
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            if node.targets[0].id == "UNITS":
                found |= ast.literal_eval(node.value)
            elif node.targets[0].id == "RESULT_UNITS":
                found["RESULT"] = ast.literal_eval(node.value)
    return found


def _argument(bound: Json, units: Mapping[str, Any]) -> str:
    """What is passed: the result of an earlier step, or a number in a unit that the module knows."""
    quantity = _quantity(bound)
    if quantity.unit.text not in units and units:
        try:
            quantity = convert(quantity, read_canonical_unit(next(iter(units))))
        except MathragError:
            return repr(float(quantity.si_value))
    if bound.get("step") is not None:
        # A result in a unit that the module does not know is passed as the number it was.
        known = bound["unit"] in units
        return f"(result_{bound['step']}, {quantity.unit.text!r})" if known else repr(float(quantity.value))
    value = quantity.value
    return f"({value!r}, {quantity.unit.text!r})" if quantity.unit.text in units else repr(float(quantity.si_value))


def _quantity(bound: Json) -> Quantity:
    return Quantity(bound["value"], read_canonical_unit(bound["unit"] or ""))


def _closing(outcome: Json) -> list[str]:
    lines = ["## Sources", ""]
    for each in outcome["citations"]:
        place = f", {markdown_words(each['place'])}" if each["place"] else ""
        lines.append(
            f"- {markdown_words(each['label'] or '')}: {markdown_words(each['document'])}{place}".replace("- : ", "- ")
        )
    for title, listed in (("Warnings", outcome["warnings"]), ("Assumptions", outcome["assumptions"])):
        if listed:
            lines += ["", f"## {title}", "", *(f"- {markdown_words(each)}" for each in listed)]
    return lines


def _text(bound: Json) -> str:
    return f"{bound['value']} {bound['unit'] or ''}".strip()


_MARKUP = str.maketrans({sign: f"\\{sign}" for sign in "\\`*_{}[]<>#|$~"})


def markdown_words(text: str) -> str:
    """Text of strangers in Markdown, where it stays text."""
    return _plain(text).translate(_MARKUP)


def _plain(text: str) -> str:
    return " ".join(clean(str(text), longest=_LONGEST).split()).replace("`", "'")


def _markdown(*lines: str) -> Json:
    return {"cell_type": "markdown", "metadata": {}, "source": _lines("\n".join(lines))}


def _code(text: str) -> Json:
    return {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": _lines(text)}


def _lines(text: str) -> list[str]:
    return list(_kept_ends(text))


def _kept_ends(text: str) -> Iterable[str]:
    lines = text.split("\n")
    return (line + "\n" if number < len(lines) else line for number, line in enumerate(lines, start=1))
