"""A worksheet as a Python program that needs nothing but Python and prints the same numbers.

Decimals of fifty digits; uncertainties by differences so small that only they are left. The text is written here and
never run.
"""

from __future__ import annotations

from collections.abc import Iterable

from mathrag.answer.standalone.arithmetic import pieces_for
from mathrag.answer.standalone.code import code_of, safe_names
from mathrag.answer.standalone.module import comment, docstring, guarded, literal, one_line
from mathrag.worksheets.definitions import Definition, ancestors
from mathrag.worksheets.lines import Blank, Heading, Text
from mathrag.worksheets.results import LineResult, Results
from mathrag.worksheets.writing import write_line

_PRINTING = '''
def _shown(value, spread, scale, offset, unit):
    """A value in its unit with six figures, or as many as its uncertainty deserves."""
    number = float((value - _n(repr(offset))) / _n(repr(scale)))
    behind = " " + unit if unit else ""
    if spread is None:
        return f"{number:.6g}{behind}"
    width = float(spread / _n(repr(scale)))
    if not abs(width) > 1e-12 * abs(number):
        return f"{number:.6g} ± 0{behind}"
    return f"{number:.10g} ± {width:.2g}{behind}"
'''


def program_text(results: Results, *, title: str) -> str:
    """The program; lines that search, ask or draw are named in comments, and their values stand as numbers."""
    shown = [each for line in results.lines for each in line.definitions]
    order = _ordered(shown)
    names = _variables(order)
    roots = [each for each in order if each.measured is not None]
    body = ["def compute(inputs):", '    """Every value of the sheet, in SI units, by its variable."""']
    body.extend(f"    {names[each.id]} = {_code(each, names)}" for each in order)
    listed = ", ".join(f"{literal(names[each.id])}: {names[each.id]}" for each in order)
    body.append(f"    return {{{listed}}}")
    inputs = ", ".join(f"{literal(names[each.id])}: _n({float(each.si_value)!r})" for each in roots)
    spreads = ", ".join(
        f"{literal(names[each.id])}: _n({each.measured.standard!r})" for each in roots if each.measured is not None
    )
    main = [
        f"INPUTS = {{{inputs}}}",
        "# Standard uncertainties of the measured values, in SI units.",
        f"SPREADS = {{{spreads}}}",
        *_SPREAD_CODE,
        *(text for line in results.lines for text in _printed(line, names)),
    ]
    code = "\n".join([*body, "", "", *main])
    head = docstring([one_line(title), "", "Written by MathRAG. Run it with Python; it needs nothing else."])
    pieces = "\n\n\n".join(pieces_for(code + _PRINTING))
    imports = "from __future__ import annotations\n\nimport decimal\nimport fractions\nimport math"
    return guarded(f"{head}\n\n{imports}\n\n{pieces}\n\n\n{_PRINTING.strip()}\n\n\n{code}\n")


_SPREAD_CODE = (
    "VALUES = compute(INPUTS)",
    "SQUARES = {name: None for name in VALUES}",
    "for measured in INPUTS:",
    "    step = SPREADS[measured] / _n(10) ** 15 or _n('1e-30')",
    "    higher = compute({name: INPUTS[name] + (step if name == measured else 0) for name in INPUTS})",
    "    lower = compute({name: INPUTS[name] - (step if name == measured else 0) for name in INPUTS})",
    "    for name in VALUES:",
    "        slope = (higher[name] - lower[name]) / (2 * step)",
    "        SQUARES[name] = (SQUARES[name] or _n(0)) + (slope * SPREADS[measured]) ** 2",
    "",
)


def _ordered(shown: Iterable[Definition]) -> list[Definition]:
    found: dict[str, Definition] = {}
    for one in shown:
        for each in ancestors(one):
            found.setdefault(each.id, each)
    return list(found.values())


def _variables(order: list[Definition]) -> dict[str, str]:
    """A variable for every definition; a name that is defined again gets the number of its line."""
    keys: dict[str, str] = {}
    taken: set[str] = set()
    for each in order:
        wanted = each.name or "shown"
        key = wanted if wanted not in taken and each.name else f"{wanted}_line_{each.line}"
        while key in taken:
            key += "_again"
        taken.add(key)
        keys[each.id] = key
    spelled = safe_names((*keys.values(), "compute", "inputs", "INPUTS", "SPREADS", "VALUES", "SQUARES"))
    return {identifier: spelled[key] if key != "inputs" else "inputs_" for identifier, key in keys.items()}


def _code(each: Definition, names: dict[str, str]) -> str:
    if each.measured is not None:
        return f"inputs[{literal(names[each.id])}]"
    if each.tree is None:
        return f"_n({float(each.si_value)!r})"
    if not each.inputs:
        return f"_n({float(each.si_value)!r})"
    return code_of(each.tree, {name: names[one.id] for name, one in each.inputs.items()})


def _printed(line: LineResult, names: dict[str, str]) -> list[str]:
    if isinstance(line.line, Blank):
        return []
    if isinstance(line.line, Heading | Text):
        return [comment(line.line.text)]
    told = [comment(write_line(line.line))]
    if line.problem is not None:
        return [*told, comment(f"left out: {line.problem.message}")]
    if not line.definitions:
        return [*told, comment(f"in the worksheet: {line.answer}")]
    for each in line.definitions:
        variable, unit = names[each.id], each.quantity.unit
        if each.tree is None and each.measured is None:
            told.append(comment("a number found by search, by asking, or in a table"))
        is_difference = unit.is_absolute_temperature and each.name.startswith("Delta_")
        offset = 0.0 if is_difference else unit.offset
        square = f"SQUARES[{literal(variable)}]"
        spread = f"(None if {square} is None else {square}.sqrt())" if each.roots else "None"
        shown = f"_shown(VALUES[{literal(variable)}], {spread}, {unit.scale!r}, {offset!r}, {literal(unit.text)})"
        told.append(f"print({literal(each.name or 'value')}, '=', {shown})")
    return told
