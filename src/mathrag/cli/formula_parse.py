"""`mathrag formula parse`: what a formula says, for people or as JSON lines."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from typing import Any

import click

from mathrag.cli.options import listed
from mathrag.cli.output import flags_json, json_option, print_json
from mathrag.errors import FormulaError, UsageError, point_at
from mathrag.types.expression import Declined, Reading, equation_symbols, symbols_of

EXAMPLE = (
    "\b\n"
    r"""Examples:
  mathrag formula parse '\frac{1}{2} m v^2 = E_k'
  mathrag formula parse 'Nu = 0.023 Re^{0.8} Pr^{0.4}' --symbols Nu,Re,Pr
  echo '{"latex": "P V = n R T"}' | mathrag formula parse --json
"""
)
MAXIMUM_LINE = 1_000_000


@click.command("parse", epilog=EXAMPLE)
@click.argument("formula", required=False)
@click.option("--symbols", default="", help="Names that are one symbol each, separated by commas.")
@click.option(
    "--notation",
    type=click.Choice(["auto", "latex", "mathml", "text"]),
    default="auto",
    show_default=True,
    help="How the formula is written.",
)
@json_option
def command(formula: str | None, symbols: str, notation: str, as_json: bool) -> int:
    """Read FORMULA (LaTeX, MathML or plain text) and show its equations, symbols and doubts.

    Without FORMULA, read JSON lines from standard input: objects with "latex" (or "mathml" or "text") and optionally
    "symbols", a list of names. A formula that cannot be computed is declined with the reason and the place.
    """
    from mathrag.calculator import read_formula

    names = listed(symbols)
    if formula is not None:
        reading = read_formula(formula, notation=notation, symbols=names)  # type: ignore[arg-type]
        if as_json:
            # Declining is an answer: the object says so, and scripts can go on.
            print_json(reading_json(formula, reading))
            return 0
        _show(reading)
        return 0
    return _read_lines(names, notation, as_json)


def _read_lines(names: list[str], notation: str, as_json: bool) -> int:
    """Answer every line; one that is no request gets an answer too, and the exit code 2 in the end."""
    from mathrag.calculator import read_formula

    found = failed = 0
    for number, line in enumerate(_lines(), start=1):
        found += 1
        try:
            text, kind, hints = _request(line, number, names, notation)
        except UsageError as error:
            failed += 1
            click.echo(f"mathrag: {error}", err=True)
            if as_json:
                print_json(reading_json(line.strip()[:200], Declined(line, "bad_request", str(error))))
            continue
        reading = read_formula(text, notation=kind, symbols=hints)  # type: ignore[arg-type]
        if as_json:
            print_json(reading_json(text, reading))
        elif isinstance(reading, Declined):
            click.echo(f"{text}\n  declined {reading.reason}")
        else:
            _show(reading)
    if not found:
        raise UsageError("there is nothing to read; give a formula, or JSON lines on standard input")
    return 2 if failed else 0


def _lines() -> Iterator[str]:
    if sys.stdin.isatty():
        raise UsageError("give a formula, or JSON lines on standard input; see mathrag formula parse --help")
    # Bytes that are no UTF-8 make one formula unreadable, not the run.
    for line in io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8", errors="replace"):
        if line.strip("\ufeff \t\r\n"):
            yield line.lstrip("\ufeff")


def _request(line: str, number: int, names: list[str], notation: str) -> tuple[str, str, list[str]]:
    if len(line) > MAXIMUM_LINE:
        raise UsageError(f"line {number} of the input is longer than {MAXIMUM_LINE:,} characters")
    try:
        request = json.loads(line)
    except (ValueError, RecursionError):
        request = None
    if not isinstance(request, dict):
        raise UsageError(f'line {number} of the input is no JSON object; write {{"latex": "E = m c^2"}}')
    for key in ("latex", "mathml", "text"):
        if isinstance(request.get(key), str):
            text = request[key]
            kind = "mathml" if key == "latex" and text.lstrip().startswith("<math") else key
            hints = request.get("symbols") or []
            if not isinstance(hints, list) or not all(isinstance(hint, str) for hint in hints):
                raise UsageError(f'"symbols" on line {number} of the input must be a list of names')
            return text, kind if notation == "auto" else notation, [*names, *hints]
    raise UsageError(f'line {number} of the input has no "latex", "mathml" or "text"')


def reading_json(text: str, reading: Reading | Declined) -> dict[str, Any]:
    """The public JSON object of a reading."""
    from mathrag.calculator import latex_text, python_text

    if isinstance(reading, Declined):
        return {
            "input": text,
            "status": "declined",
            "reason": reading.reason,
            "code": reading.code,
            "position": reading.position,
            "flags": [flag.code for flag in reading.flags],
            "equations": [],
        }
    equations: list[dict[str, Any]] = [
        {
            "target": equation.target,
            "lhs": python_text(equation.left),
            "rhs": python_text(equation.right),
            "symbols": list(equation_symbols(equation)),
            "relation": equation.relation,
            "latex": latex_text(equation),
        }
        for equation in reading.equations
    ]
    if reading.expression is not None:
        names = list(symbols_of(reading.expression))
        rhs, latex = python_text(reading.expression), latex_text(reading.expression)
        equations.append({"target": None, "lhs": None, "rhs": rhs, "symbols": names, "relation": None, "latex": latex})
    return {
        "input": text,
        "status": "ok",
        "reason": None,
        "flags": list(dict.fromkeys(flag.code for flag in reading.flags)),
        "equations": equations,
        "conditions": [condition.text for condition in reading.conditions],
        "notes": flags_json(reading.flags),
    }


def _show(reading: Reading | Declined) -> None:
    from mathrag.calculator import python_text

    if isinstance(reading, Declined):
        raise FormulaError(
            reading.code, f"declined: {reading.reason}", source=reading.source, position=reading.position
        )
    for equation in reading.equations:
        click.echo(f"{python_text(equation.left)} {equation.relation} {python_text(equation.right)}")
        click.echo(f"  symbols  {', '.join(equation_symbols(equation)) or 'none'}")
        if equation.target:
            click.echo(f"  gives    {equation.target}")
    if reading.expression is not None:
        click.echo(python_text(reading.expression))
        click.echo(f"  symbols  {', '.join(symbols_of(reading.expression)) or 'none'}")
    for condition in reading.conditions:
        click.echo(f"  holds    {condition.text}")
    for flag in reading.flags:
        click.echo(f"  note     {flag.message} ({flag.code})")
        place = point_at(reading.source, flag.position)
        if place:
            click.echo("\n".join(f"           {line}" for line in place.splitlines()))
