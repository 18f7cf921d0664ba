"""What commands print: JSON objects one a line, and numbers and quantities for people."""

from __future__ import annotations

import json
import math
import shutil
import sys
from typing import TYPE_CHECKING, Any

import click

from mathrag.types.expression import Flag
from mathrag.types.quantity import Quantity

if TYPE_CHECKING:
    from rich.console import Console

# Where nobody's window sets the width, tables are not folded at 80; none is narrower than what words need.
_WIDE = 160
_NARROW = 40
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, one object a line.")


progress_option = click.option(
    "--progress/--no-progress",
    "progress",
    default=None,
    help="Say on standard error what is being done. Default: on a terminal.",
)


def is_watched(progress: bool | None) -> bool:
    """Whether to say what is being done: as the user chose, else where somebody watches."""
    return sys.stderr.isatty() if progress is None else progress


def screen_width() -> int:
    """How many columns there are: those of the terminal or of COLUMNS, else plenty."""
    return max(_NARROW, min(shutil.get_terminal_size((_WIDE, 24)).columns, _WIDE))


def cut(line: str, width: int | None = None) -> str:
    """A line that is no longer than this; without a width, no longer than the screen is wide."""
    most = screen_width() if width is None else width
    return line if len(line) <= most else f"{line[: max(0, most - 1)]}…"


def print_json(value: dict[str, Any]) -> None:
    """One object on one line."""
    text = json.dumps(value, ensure_ascii=False)
    # Half a surrogate pair can come in but not go out; escaped it can.
    is_encodable = not any("\ud800" <= character <= "\udfff" for character in text)
    click.echo(text if is_encodable else json.dumps(value))


def table_console() -> Console:
    """Prints tables as they are: no markup in what documents say; wide where nobody sets the width."""
    from rich.console import Console

    return Console(highlight=False, markup=False, emoji=False, width=screen_width())


def number_text(value: float | int, digits: int = 6) -> str:
    """A number for a person; whole numbers in full."""
    if isinstance(value, int):
        return str(value)
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else f"{value:.{digits}g}"


def quantity_text(quantity: Quantity) -> str:
    """A quantity for a person, with its uncertainty where it has one."""
    unit = f" {quantity.unit.text}" if quantity.unit.text else ""
    if quantity.uncertainty is None:
        return number_text(quantity.value) + unit
    if not quantity.uncertainty:
        return f"{number_text(quantity.value)} ± 0{unit}"
    # Two figures of the uncertainty are all that it deserves, and the value ends where they do.
    last = 1 - math.floor(math.log10(quantity.uncertainty))
    value, spread = round(float(quantity.value), last), round(quantity.uncertainty, last)
    decimals = max(0, last)
    is_plain = 1e-4 <= abs(value) < 1e12
    shown = (
        (f"{value:.{decimals}f}", f"{spread:.{decimals}f}") if is_plain else (number_text(value), number_text(spread))
    )
    return f"({shown[0]} ± {shown[1]}){unit}"


def quantity_json(quantity: Quantity) -> dict[str, Any]:
    """A quantity as data."""
    return {"value": quantity.value, "unit": quantity.unit.text, "uncertainty": quantity.uncertainty}


def flags_json(flags: tuple[Flag, ...]) -> list[dict[str, Any]]:
    """Flags as data."""
    return [{"code": flag.code, "message": flag.message, "position": flag.position} for flag in flags]
