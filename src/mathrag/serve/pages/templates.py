"""The templates of the pages, and what they do with values: numbers, sizes, and formulas as MathML.

Everything put into a template is escaped; only the markup of our own printer and plots is trusted. Knows no request.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from mathrag.library.views.mathml import mathml_of_latex, mathml_of_symbol, percent, plain_symbol
from mathrag.serve.pages.wording import for_pages
from mathrag.types.library import is_made
from mathrag.version import __version__


@lru_cache(maxsize=4_096)
def mathml(latex: str) -> Markup:
    """A formula for the eye. What our reader does not understand is shown as its source."""
    found = mathml_of_latex(latex)
    if found is None:
        return Markup('<code class="latex">{}</code>').format(latex)
    return Markup(found)  # noqa: S704 - written by our printer, which escapes every name


@lru_cache(maxsize=4_096)
def symbol(name: str) -> Markup:
    """The name of a symbol for the eye; `step1.m` is said to be that of step 1."""
    prefix, dot, bare = name.rpartition(".")
    found = mathml_of_symbol(bare)
    shown = Markup("<code>{}</code>").format(bare) if found is None else Markup(found)  # noqa: S704 - our printer
    if not dot:
        return shown
    return Markup('{} <small class="quiet">({})</small>').format(shown, prefix.replace("step", "step "))


def number(value: Any) -> str:
    """A number as people write it, at most six figures."""
    if value is None:
        return "–"
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    return f"{value:,.6g}" if abs(value) < 1e15 else f"{value:.6g}"


def size(count: int) -> str:
    """A number of bytes for people."""
    amount = float(count)
    for unit in ("bytes", "kB", "MB"):
        if amount < 1000:
            return f"{amount:.0f} {unit}" if unit == "bytes" else f"{amount:.1f} {unit}"
        amount /= 1000
    return f"{amount:.1f} GB"


def unit_text(unit: str | None) -> Markup:
    """A unit with raised exponents and dots."""
    if not unit:
        return Markup("")
    parts: list[Markup] = []
    for piece in unit.replace("**", "^").replace("*", " · ").split("^"):
        if not parts:
            parts.append(escape(piece))
            continue
        power = piece[: next((at for at, sign in enumerate(piece) if sign not in "-0123456789./"), len(piece))]
        power = power.rstrip("/.") if not power.rstrip("/.").endswith("/") else power
        rest = piece[len(power) :]
        parts.append(Markup("<sup>{}</sup>{}").format(power, rest))
    return Markup("").join(parts)


def symbol_words(name: str) -> str:
    """The name of a symbol as plain text for people: `ω`."""
    return plain_symbol(name)


_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def unit_words(unit: str | None) -> str:
    """A unit as plain text for people: `kg·m²`."""
    parts = (unit or "").replace("**", "^").replace("*", "·").split("^")
    made = parts[:1]
    for piece in parts[1:]:
        end = next((at for at, sign in enumerate(piece) if sign not in "-0123456789"), len(piece))
        made.append(piece[:end].translate(_RAISED) + piece[end:] if end else f"^{piece}")
    return "".join(made)


def drawn(svg: str) -> Markup:
    """A picture that `plots` has written."""
    return Markup(svg)  # noqa: S704 - written by our own plots, which escape every text


_ENTRIES = {"f": "/formulas/", "c": "/constants/", "d": "/library/documents/"}
_ENTRY = re.compile(r"(?:formula:|constant:|document:)?(?P<id>(?P<kind>[fcd])-[0-9a-f]{12})")


def entry_href(value: Any) -> str:
    """The page of an entry where a value is its id, or its name in the graph; empty for anything else."""
    found = _ENTRY.fullmatch(value) if isinstance(value, str) else None
    return "" if found is None else f"{_ENTRIES[found['kind']]}{found['id']}"


FILTERS: dict[str, Callable[..., Any]] = {
    "entry_href": entry_href,
    "for_pages": for_pages,
    "mathml": mathml,
    "number": number,
    "percent": percent,
    "size": size,
    "symbol": symbol,
    "drawn": drawn,
    "symbol_words": symbol_words,
    "unit": unit_text,
    "unit_words": unit_words,
}

# What the bar at the top lists; whoever adds a page adds its line.
NAVIGATION = (
    ("/", "Ask"),
    ("/worksheets", "Worksheets"),
    ("/check", "Check"),
    ("/library", "Library"),
    ("/graph", "Graph"),
    ("/query", "Query"),
    ("/evaluation", "Evaluation"),
)


# Characters that turn the order of what follows them, also outside the text they stand in: the rest of the page.
_TURNING = dict.fromkeys((0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)))


def in_its_order(value: object) -> object:
    """Whatever is put into a page without characters that change the order of signs: it is shown as it is read."""
    return value.translate(_TURNING) if isinstance(value, str) and not value.isascii() else value


@lru_cache(maxsize=1)
def templates() -> Environment:
    """The templates, with everything escaped that is put into them."""
    folder = Path(str(resources.files("mathrag"))) / "serve" / "templates"
    made = Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=in_its_order,
    )
    made.filters.update(FILTERS)
    made.tests["made"] = is_made
    made.globals.update(navigation=NAVIGATION, version=__version__)
    return made
