"""How a worked example is shown: its problem, the printed result, the formulas it used; for people and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mathrag.cli.output import print_json

if TYPE_CHECKING:
    from mathrag.library import Library
    from mathrag.types.json_value import Json
    from mathrag.types.library import Case

_MOST_CARDS = 8


def show_cases(library: Library, name: str, names: dict[str, str], *, as_json: bool) -> bool:
    """Show the worked examples called this; False where there is none."""
    found = library.find_cases(name)
    for case in found if as_json else found[:_MOST_CARDS]:
        if as_json:
            print_json(case_json(case, names))
        else:
            _print_case(case, names)
            click.echo("")
    if not as_json and len(found) > _MOST_CARDS:
        click.echo(f"{len(found) - _MOST_CARDS} more examples have this name; name one by its id, or use --json")
    return bool(found)


def case_json(case: Case, names: dict[str, str]) -> Json:
    """A worked example as an object."""
    return {
        "case": case.id,
        "name": case.name,
        "title": case.title,
        "document": names.get(case.document, case.document),
        "place": str(case.span.place),
        "problem": case.problem,
        "symbol": case.symbol,
        "value": None if case.value is None else str(case.value),
        "unit": case.unit,
        "formulas": [{"form": one.form, "values": dict(one.values)} for one in case.formulas],
    }


def _print_case(case: Case, names: dict[str, str]) -> None:
    click.echo(f"{case.name[:1].upper()}{case.name[1:]}  [{case.id}]")
    click.echo(f"  {case.problem}")
    if case.value is not None:
        symbol = f"{case.symbol} = " if case.symbol else ""
        click.echo(f"  printed result: {symbol}{case.value} {case.unit}".rstrip())
    else:
        click.echo("  printed result: none could be read")
    for one in case.formulas:
        values = ", ".join(f"{symbol} = {value}" for symbol, value in one.values)
        click.echo(f"  uses: {one.form}{f' with {values}' if values else ''}")
    click.echo(f"  in: {names.get(case.document, case.document)}, {case.span.place}")
