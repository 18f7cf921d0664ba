"""The form that corrects a formula: its fields, and the changes that a sent form means. Changes nothing itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.datastructures import FormData

from mathrag.library.browsing import kind_names
from mathrag.serve.pages.library_query import field
from mathrag.types.library import Formula, SymbolMeaning

# A form has at most 200 fields.
_MOST_SYMBOLS = 40
ROLES = ("variable", "constant", "index")
_PLAIN = "1"


def edit_form(formula: Formula, typed: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The fields with their values; `typed` are those of a form that could not be taken."""
    known = typed or {}
    return {
        "can_execute": formula.equation is not None,
        "label": known.get("label", formula.label),
        "latex": known.get("latex", _latex_line(formula)),
        "description": known.get("description", formula.description),
        "intent": known.get("intent", formula.intent),
        "status": known.get("status", formula.status),
        "author": known.get("author", ""),
        "note": known.get("note", ""),
        "symbols": [
            {
                "name": symbol.name,
                "assumed_unit": _assumed(formula, symbol),
                **{
                    part: known.get(f"symbol.{symbol.name}.{part}", value)
                    for part, value in _symbol_fields(formula, symbol).items()
                },
            }
            for symbol in formula.symbols[:_MOST_SYMBOLS]
        ],
        "roles": list(ROLES),
    }


def _is_doubtful(formula: Formula, symbol: SymbolMeaning) -> bool:
    """Whether a unit is only assumed in a formula that was set aside: then a person has to say it."""
    return formula.status != "executable" and symbol.origin not in ("document", "edited")


def _assumed(formula: Formula, symbol: SymbolMeaning) -> str:
    """The unit that is only assumed, to be offered beside the empty field."""
    return (symbol.unit or _PLAIN) if symbol.unit is not None and _is_doubtful(formula, symbol) else ""


def _symbol_fields(formula: Formula, symbol: SymbolMeaning) -> dict[str, str]:
    """What stands in the fields of a symbol. A plain number has the unit 1; an unknown or doubtful unit is empty."""
    unit = "" if symbol.unit is None or _is_doubtful(formula, symbol) else symbol.unit or _PLAIN
    kind = "" if symbol.kind is None else kind_names().get(symbol.kind, symbol.kind)
    return {"description": symbol.description, "unit": unit, "kind": kind, "role": symbol.role}


def typed_values(form: FormData) -> dict[str, str]:
    """Everything that was typed into the form."""
    return {name: field(form, name) for name in form if name != "csrf"}


def changes_of(formula: Formula, typed: Mapping[str, str]) -> list[tuple[str, str]]:
    """The corrections that a form means: only what differs from how the formula is."""
    current = {
        "latex": _latex_line(formula),
        "label": formula.label,
        "description": formula.description,
        "intent": formula.intent,
    }
    changes = [
        (name, typed[name]) for name, value in current.items() if name in typed and typed[name] != _one_line(value)
    ]
    for symbol in formula.symbols[:_MOST_SYMBOLS]:
        for part, value in _symbol_fields(formula, symbol).items():
            name = f"symbol.{symbol.name}.{part}"
            if name in typed and typed[name] != _one_line(value) and (typed[name] or part == "description"):
                changes.append((name, _kind_id(typed[name]) if part == "kind" else typed[name]))
    status = typed.get("status", "")
    if status in ("executable", "quarantined") and status != formula.status:
        changes.append(("status", status))
    return changes


def _latex_line(formula: Formula) -> str:
    """Its LaTeX in one line: a line break ends a command, which a blank does too."""
    return " ".join(formula.latex.split())


def _one_line(value: str) -> str:
    """A value as a browser sends it back: without line breaks, and without blanks around."""
    return value.replace("\r", "").replace("\n", "").strip()


def _kind_id(text: str) -> str:
    """The id of a kind of quantity by its name or id; what is none stays, to be refused with a sentence."""
    wanted = text.strip().lower()
    for identifier, name in kind_names().items():
        if wanted in (identifier.lower(), name.lower()):
            return identifier
    return text
