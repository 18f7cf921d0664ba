"""Write the reference pages that follow from the data files (`make docs`). They are committed; a test checks them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from mathrag.cli.main import cli
from mathrag.knowledge.constants import all_constants
from mathrag.knowledge.kinds import all_kinds, kinds_for_dimension
from mathrag.knowledge.roles import all_roles
from mathrag.knowledge.units import read_canonical_unit
from mathrag.knowledge.units.table import UnitEntry, units_data
from mathrag.settings import MEANINGS, VARIABLES
from mathrag.store.graph.ontology_page import ontology_page
from mathrag.types.knowledge import CONSTANT_FIELDS, FIELDS, Constant, QuantityKind, Role
from mathrag.types.quantity import Dimension, Unit

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "reference"
NOTICE = "<!-- Made by `make docs` from {source}; edit that file, not this page. -->\n"

QUANTITIES_HEAD = """# Quantity kinds

The {count} kinds of quantity that symbols and words are matched against. *Range* is what is plausible in the coherent
SI unit. A kind marked *change* is a difference of values; one marked *cycles* counts whole turns, so that 1500 rpm is
25 of its units a second; one marked *any unit* takes the unit of the data it describes.
"""
CONSTANTS_HEAD = """# Constants

The {count} constants with their source. *Filled in* says whether a formula that uses the symbol gets the value without
being told; the others have to be asked for by name. *Nominal* values are conventional or typical.
"""
ROLES_HEAD = """# Roles of subscripts and marks

The {count} things a subscript, a mark or a word can say about a symbol. One subscript may have several roles; the words
around a value decide between them.
"""
COMMANDS_HEAD = """# Commands

Every command answers `--help`; those with an answer take `--json` and print one object a line. Errors are one line on
standard error, with a pointer at the place where there is one. Exit codes: 0 done, 1 failed or declined, 2 called
wrongly. With `--json` a declined formula is an answer: `mathrag formula parse` then leaves with 0.
`mathrag --debug ...` shows the full traceback of an error, `mathrag --version` the version.

`mathrag formula parse --json` prints `{"input", "status": "ok"|"declined", "reason", "flags", "equations": [{"target",
"lhs", "rhs", "symbols", "relation", "latex"}], "conditions", "notes"}`. `lhs` and `rhs` are Python text: + - * / ** %,
the functions of Python's `math` plus abs, min, max, comb; a sum with symbolic bounds is `sum(... for k in range(...))`,
cases are a conditional expression. Numbers with units in the formula appear as the number alone, with the flag
`unit_inside`. A bare expression has `lhs` null. A declined formula has `code` and `position`. A line of standard input
that is no request is answered with the code `bad_request`, and the exit code is 2 in the end.

`mathrag ask --json` and `mathrag chat --json` print `{"outcome": "answered"|"refused"|"chat", "value", "unit", "text",
"formulas": [{"id", "label", "latex", "document", "place"}], "bindings": {symbol: {"value", "unit", "from", ...}},
"steps", "missing", "confidence", "warnings", "milliseconds", ...}`; [asking](../how-to/ask.md) explains every
field. A refusal leaves `mathrag ask` with 1.

`mathrag check-solution --json` prints `{"statement", "first_error", "problem", "steps": [{"number", "line", "text",
"outcome": "verified"|"refuted"|"unchecked", "claims": [{"text", "kind", "start", "end", "outcome", "right",
"reason"}]}], "loose_numbers": [{"text", "step", "start", "end"}], "final": {"outcome", "answer", "reason"}, "similar":
[{"id", "problem", "similarity", "source"}], "notes"}`; [solutions](../solutions.md) explains every field.
"""
SETTINGS_HEAD = """
## Settings

Read from the environment, else from the settings file ([settings](../how-to/settings.md)), where each is called as its
variable in small letters without `MATHRAG_`. `MATHRAG_CONFIG` names another settings file.

"""
UNITS_HEAD = """# Units

The {count} units that are read, with the texts they are read from (plurals, and prefixes where allowed, are added).
*Rare* spellings usually mean something else and are never chosen without a reason.
"""


def pages() -> dict[Path, str]:
    """What each page should hold."""
    return {
        FOLDER / "quantities.md": quantities_page(),
        FOLDER / "constants.md": constants_page(),
        FOLDER / "roles.md": roles_page(),
        FOLDER / "units.md": units_page(),
        FOLDER / "commands.md": commands_page(),
        FOLDER / "ontology.md": ontology_page(),
    }


def commands_page() -> str:
    """The help text of every command, as it is printed, and the settings."""
    parts = [NOTICE.format(source="the commands themselves"), COMMANDS_HEAD]
    for words, command in _commands():
        names = ["-h", "--help"]
        context = click.Context(command, info_name=" ".join(words), max_content_width=100, help_option_names=names)
        parts.append(f"\n## {' '.join(words)}\n\n```text\n{command.get_help(context).rstrip()}\n```\n")
    parts.append(SETTINGS_HEAD)
    parts.append(
        table(("variable", "what it sets"), [(f"`{VARIABLES[name]}`", text) for name, text in MEANINGS.items()])
    )
    return "".join(parts)


def _commands() -> Iterable[tuple[tuple[str, ...], click.Command]]:
    context = click.Context(cli)
    for name in cli.list_commands(context):
        command = cli.get_command(context, name)
        if isinstance(command, click.Group):
            for inner in command.list_commands(context):
                found = command.get_command(context, inner)
                assert found is not None
                yield ("mathrag", name, inner), found
        elif command is not None:
            yield ("mathrag", name), command


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    lines += [f"| {' | '.join(cell.replace('|', '&#124;') for cell in row)} |" for row in rows]
    return "\n".join(lines) + "\n"


def code(texts: Iterable[str]) -> str:
    """Texts in code font, separated by commas."""
    return ", ".join(f"`{text}`" for text in texts)


def link(text: str | None, iri: str | None) -> str:
    """A link, or nothing."""
    return f"[{text}]({iri})" if iri else ""


def unit_cell(text: str) -> str:
    """A unit, or a 1 for plain numbers."""
    return f"`{text or '1'}`"


def heading(text: str) -> str:
    """A second-level heading."""
    return f"\n## {text[0].upper()}{text[1:]}\n\n"


def quantities_page() -> str:
    """All kinds by field."""
    kinds = all_kinds()
    text = NOTICE.format(source="quantities.toml") + QUANTITIES_HEAD.format(count=len(kinds))
    for field in FIELDS:
        rows = [kind_row(kind) for kind in kinds if kind.field == field]
        text += heading(field) + table(
            ("kind", "symbols", "unit", "other units", "also called", "asked as", "sign", "range", "QUDT"), rows
        )
    return text


def kind_row(kind: QuantityKind) -> tuple[str, ...]:
    """One line of the table of kinds."""
    marks = (
        (kind.is_difference, "change"),
        (kind.counts_cycles, "cycles"),
        (kind.takes_any_unit, "any unit"),
    )
    remarks = [word for holds, word in marks if holds]
    return (
        kind.name + (f" *({', '.join(remarks)})*" if remarks else ""),
        code(kind.symbols),
        unit_cell(kind.unit),
        code(kind.units),
        ", ".join(kind.synonyms),
        ", ".join(kind.asks),
        kind.sign,
        f"{kind.minimum:g} to {kind.maximum:g}".replace("e+", "e"),
        link(kind.qudt, kind.iri),
    )


def constants_page() -> str:
    """All constants by field."""
    constants = all_constants()
    text = NOTICE.format(source="constants.toml") + CONSTANTS_HEAD.format(count=len(constants))
    for field in CONSTANT_FIELDS:
        rows = [constant_row(item) for item in constants if item.field == field]
        if rows:
            text += heading(field) + table(
                ("constant", "symbols", "value", "unit", "uncertainty", "filled in", "source", "QUDT"), rows
            )
    return text


def constant_row(item: Constant) -> tuple[str, ...]:
    """One line of the table of constants."""
    uncertainty = "exact" if item.is_exact else "nominal" if item.uncertainty is None else f"{item.uncertainty:g}"
    return (
        "; ".join(item.names),
        code(item.symbols),
        str(item.value).lower().replace("e+", "e"),
        unit_cell(item.unit),
        uncertainty,
        "yes" if item.is_default else "",
        item.source,
        link(item.qudt, item.iri),
    )


def roles_page() -> str:
    """All roles by group."""
    roles = all_roles()
    names = {role.id: role.name for role in roles}
    text = NOTICE.format(source="roles.toml") + ROLES_HEAD.format(count=len(roles))
    for group in dict.fromkeys(role.group for role in roles):
        rows = [role_row(role, names) for role in roles if role.group == group]
        text += heading(group) + table(("role", "subscripts", "marks", "words", "opposite", "meaning"), rows)
    return text


def role_row(role: Role, names: dict[str, str]) -> tuple[str, ...]:
    """One line of the table of roles."""
    opposite = "" if role.opposite is None else names[role.opposite]
    return (role.name, code(role.subscripts), code(role.marks), ", ".join(role.words), opposite, role.note)


def units_page() -> str:
    """All units by what they measure, and the spellings that need a choice."""
    data = units_data()
    groups: dict[Dimension, list[tuple[UnitEntry, Unit]]] = {}
    for entry in data.entries.values():
        unit = read_canonical_unit(entry.product or entry.text)
        groups.setdefault(unit.dimension, []).append((entry, unit))
    text = NOTICE.format(source="units.toml") + UNITS_HEAD.format(count=len(data.entries))
    for dimension, members in groups.items():
        text += heading(group_title(dimension)) + table(
            ("unit", "written", "in SI", "symbols", "words", "rare", "prefixes"), [unit_row(*pair) for pair in members]
        )
    text += heading("spellings that need a choice") + table(
        ("spelling", "can mean"), [(f"`{text}`", ", ".join(names)) for text, names in data.ambiguous.items()]
    )
    text += heading("spellings that are declined") + table(
        ("spelling", "why"), [(f"`{text}`", why) for text, why in data.declined.items()]
    )
    return (
        text
        + heading("prefixes")
        + table(
            ("symbol", "word", "power of ten"),
            [(f"`{prefix.symbol}`", prefix.word, str(prefix.power)) for prefix in data.prefixes.values()],
        )
    )


def group_title(dimension: Dimension) -> str:
    """The first kind of the dimension and its base units: `force (m*kg/s^2)`."""
    if dimension.is_dimensionless:
        return "angles and plain numbers"
    found = kinds_for_dimension(dimension)
    return f"{found[0].name} ({dimension})" if found else f"in {dimension}"


def unit_row(entry: UnitEntry, unit: Unit) -> tuple[str, ...]:
    """One line of a table of units."""
    worth = f"{unit.scale:.12g}" + (f", from {unit.offset:g}" if unit.offset else "")
    return (
        entry.name.replace("_", " "),
        unit_cell(unit.text),
        worth,
        code(dict.fromkeys((*entry.symbols, *entry.fixed))),
        ", ".join(entry.words),
        code(dict.fromkeys((*entry.rare, *entry.also))),
        " ".join(entry.prefixes),
    )


def main() -> None:
    """Write the pages that changed."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for path, text in pages().items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            print(f"wrote {path.name}")


if __name__ == "__main__":
    main()
