"""The pages of formulas: a list to search and narrow down, a page for each with a form to compute with it, and the form
by which people correct what was read. What a correction does is decided by the library."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any, cast
from urllib.parse import urlencode

import anyio
from fastapi import APIRouter, Request
from pydantic import ValidationError
from starlette.datastructures import FormData
from starlette.responses import RedirectResponse, Response

from mathrag.errors import LibraryError, MathragError, UsageError
from mathrag.library.ask.example_questions import question_of
from mathrag.library.views.concepts import concept_summary
from mathrag.library.views.entries import formula_object, relation_object
from mathrag.library.views.lists import FACETS, FormulaFilter, browse_formulas, document_names, kind_names, labels_of
from mathrag.serve.api.compute import Computation, called
from mathrag.serve.api.entries import one_formula
from mathrag.serve.pages.library import PAGE, address, field, linked, offset, pager, word
from mathrag.serve.pages.page_reply import checked_form, page
from mathrag.serve.problems import ProblemError, as_problem
from mathrag.serve.state import ServeState, state_of
from mathrag.types.expression import equation_symbols
from mathrag.types.library import STATUSES, Formula, Status, SymbolMeaning

router = APIRouter()
_NAMES = {
    "status": "Status",
    "document": "Document",
    "field": "Field",
    "kind": "Gives",
    "reason": "Set aside because of",
}


@router.get("/formulas")
@router.get("/formulas.json")
def show(request: Request) -> Response:
    """Formulas with facets."""
    words, start = word(request, "q"), offset(request)
    chosen = {name: word(request, name, longest=100) or None for name in FACETS}
    if chosen["status"] not in STATUSES:
        chosen["status"] = None
    wanted = FormulaFilter(
        words, cast("Status | None", chosen["status"]), chosen["document"], chosen["kind"], chosen["reason"],
        chosen["field"],
    )  # fmt: skip
    found = browse_formulas(state_of(request).library, wanted, limit=PAGE, offset=start)
    facets = [
        _facet(request, name, chosen[name], [asdict(value) for value in found.facets.get(name, ())]) for name in FACETS
    ]
    data = {
        "words": words,
        "chosen": {name: value for name, value in chosen.items() if value},
        "items": list(found.rows),
        **pager(request, found.total, start=start),
        "facets": [facet for facet in facets if facet["values"]],
        "everything": "/formulas",
    }
    return page(request, "library/formulas.html", data)


def _facet(request: Request, name: str, chosen: str | None, values: list[dict[str, Any]]) -> dict[str, Any]:
    """The values to narrow down by, each with the address that does it, or takes it back."""
    made = [
        {
            **value,
            "is_chosen": value["value"] == chosen,
            "href": address(request, **{name: None if value["value"] == chosen else value["value"]}),
        }
        for value in values
    ]
    if chosen is not None and all(not value["is_chosen"] for value in made):
        lost = {"value": chosen, "label": chosen, "count": 0, "is_chosen": True}
        made.insert(0, {**lost, "href": address(request, **{name: None})})
    return {"name": name, "label": _NAMES[name], "values": made, "chosen": chosen}


# The form that corrects a formula: its fields, and the changes that a sent form means. Changes nothing itself.

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


# The page of one formula: its card, a form to compute with it, what it hangs together with, where it stands.

formula_router = APIRouter()
# A page that people read; the API lists them all.
_MOST_PLACES = 100
_MOST_RELATIONS = 200
_SAYS = {
    ("uses", True): "Uses", ("uses", False): "Used by",
    ("derived_from", True): "Follows from", ("derived_from", False): "Leads to",
    ("generalizes", True): "More general than", ("generalizes", False): "Special case of",
    ("specializes", True): "Special case of", ("specializes", False): "More general than",
    ("uses_constant", True): "Uses the constant", ("uses_constant", False): "Used by",
}  # fmt: skip
_SAVED = {"saved": "Saved.", "undone": "The correction was taken back."}


@formula_router.get("/formulas/{formula}")
@formula_router.get("/formulas/{formula}.json")
async def show_formula(request: Request, formula: str) -> Response:
    """A formula; values in the address (`v.m=2 kg`) are put into it."""
    state = state_of(request)
    data = await anyio.to_thread.run_sync(formula_data, state, formula)
    data["compute"] |= await _computed(request, state, data)
    data["is_editing"] = bool(word(request, "edit"))
    data["said"] = _SAVED.get(word(request, "said"), "")
    return page(request, "library/formula.html", data)


@formula_router.get("/formulas/{formula}/picture.png")
def picture(request: Request, formula: str) -> Response:
    """The cut-out of the page that an uncertain formula was read from."""
    library = state_of(request).library
    found = library.picture(one_formula(library, formula).id)
    if found is None:
        raise ProblemError(404, "no picture of this formula was kept")
    return Response(found, media_type="image/png", headers={"Cache-Control": "private, max-age=3600"})


def formula_data(state: ServeState, identifier: str) -> dict[str, Any]:
    """Everything that the page shows of a formula, with nothing computed yet."""
    library = state.library
    names, found = document_names(library), one_formula(library, identifier)
    is_built_in = bool(found.spans) and not any(span.document in names for span in found.spans)
    if is_built_in:
        found = _without_places(found)
    made = formula_object(found, names, corrections=library.corrections(found.id))
    made["places"] = linked(made["places"], found.id)
    made["instances"] = [{**one, "place": linked([one["place"]])[0]} for one in made["instances"][:50]]
    made["symbols"] = [
        {**one, "evidence": None if one["evidence"] is None else linked([one["evidence"]])[0]}
        for one in made["symbols"]
    ]
    return {
        "formula": made,
        "is_built_in": is_built_in,
        "more_places": max(0, len(made["places"]) - _MOST_PLACES),
        "relations": relation_groups(state, found.id),
        "concepts": [concept_summary(one) for one in library.concepts_of(found.id)],
        "compute": _empty(found),
        "edit": edit_form(found),
        "question": question_of(found) if found.status == "executable" else "",
        "has_picture": made["is_guess"] and library.picture(found.id) is not None,
        "problem": "",
    }


def _without_places(formula: Formula) -> Formula:
    """A formula of the handbook: its documents are none of the library's, so there is no page to go to."""
    symbols = tuple(replace(each, evidence=None) for each in formula.symbols)
    return replace(formula, spans=(), instances=(), symbols=symbols)


def relation_groups(state: ServeState, identifier: str) -> list[dict[str, Any]]:
    """The relations of an entry, both ways, under what they say about it."""
    found = state.library.relations(identifier)[:_MOST_RELATIONS]
    labels = labels_of(state.library, (entry for one in found for entry in (one.source, one.target)))
    groups: dict[str, list[dict[str, Any]]] = {}
    for one in found:
        is_source = one.source == identifier
        other = one.target if is_source else one.source
        if other not in labels:
            continue
        entry = {
            **relation_object(one, labels),
            "id": other,
            "label": labels[other],
            "href": f"/constants/{other}" if other.startswith("c-") else f"/formulas/{other}",
        }
        groups.setdefault(_SAYS[one.kind, is_source], []).append(entry)
    return [{"says": says, "items": items} for says, items in groups.items()]


def _empty(formula: Formula) -> dict[str, Any]:
    """The form to compute with, before anything was put in."""
    names = () if formula.equation is None else equation_symbols(formula.equation)
    meanings = {symbol.name: symbol for symbol in formula.symbols}
    fields = []
    for name in names:
        meaning = meanings.get(name)
        fields.append(
            {
                "name": name,
                "description": "" if meaning is None else meaning.description,
                "unit": "" if meaning is None else meaning.unit or "",
                "is_constant": meaning is not None and meaning.constant is not None,
                "value": "",
            }
        )
    example = next((dict(one.values) for one in formula.instances if one.verdict == "agrees"), {})
    return {
        "is_possible": formula.status == "executable" and bool(names),
        "fields": fields,
        "solve_for": formula.target or (names[0] if names else ""),
        "unit": "",
        "example": {name: value for name, value in example.items() if name in names and name != formula.target},
        "result": None,
        "plots": [],
        "problem": "",
    }


def _plots(result: Mapping[str, Any], unit: str) -> list[dict[str, str]]:
    """Addresses of plots of the result against each value that was given, from nothing to twice as much."""
    values = {name: f"{one['value']!r} {one['unit']}".strip() for name, one in result["values"].items()}
    step = {"formula": result["formula"], "target": result["symbol"], "inputs": {name: name for name in values}}
    plan = json.dumps({"steps": [step], "values": values, "unit": unit or None}, ensure_ascii=False)
    made = []
    for name, one in result["values"].items():
        if one["source"] == "given" and isinstance(one["value"], int | float):
            ends = (0.0, 10.0) if one["value"] == 0 else sorted((0.0, 2.0 * one["value"]))
            start, stop = (f"{end:.6g} {one['unit']}".strip() for end in ends)
            asked = {"plan": plan, "symbol": name, "start": start, "stop": stop}
            made.append({"symbol": name, "href": f"/ask/plot?{urlencode(asked)}"})
    return made


async def _computed(request: Request, state: ServeState, data: Mapping[str, Any]) -> dict[str, Any]:
    """The parts of the form that values in the address change: what was typed, and the result or the problem."""
    form = data["compute"]
    values = {each["name"]: word(request, f"v.{each['name']}", longest=200) for each in form["fields"]}
    target = word(request, "solve_for", longest=100) or form["solve_for"]
    unit = word(request, "unit", longest=200)
    typed = {
        "fields": [{**each, "value": values[each["name"]]} for each in form["fields"]],
        "solve_for": target,
        "unit": unit,
    }
    is_asked = any(values.values()) or "compute" in request.query_params
    if not form["is_possible"] or not is_asked:
        return typed
    given = {name: value for name, value in values.items() if value and name != target}
    try:
        asked = Computation(formula=data["formula"]["id"], values=given, solve_for=target, unit=unit or None)
        result = await called(state, "compute", asked)
        return {**typed, "result": result, "plots": _plots(result, unit)}
    except ValidationError:
        return {**typed, "problem": "a value has at most 200 characters"}
    except (MathragError, ProblemError) as error:
        return {**typed, "problem": as_problem(error).detail}


# Corrections of a formula by people: taken from the form of its page, and taken back again.

edit_router = APIRouter()
_AUTHOR = "web"


@edit_router.post("/formulas/{formula}/edit")
async def edit(request: Request, formula: str) -> Response:
    """Correct a formula; a value that cannot be taken is said beside the form, and nothing is changed."""
    state = state_of(request)
    typed = typed_values(await checked_form(request))
    try:
        changed = await anyio.to_thread.run_sync(_edited, state, formula, typed)
    except (UsageError, LibraryError) as error:
        data = await anyio.to_thread.run_sync(_again, state, formula, typed)
        return page(request, "library/formula.html", {**data, "problem": str(error)}, status=422, has_twin=False)
    return RedirectResponse(f"/formulas/{changed.id}?said=saved", 303)


@edit_router.post("/formulas/{formula}/undo")
async def undo(request: Request, formula: str) -> Response:
    """Take a correction back."""
    state = state_of(request)
    number = field(await checked_form(request), "number", longest=12)

    def work() -> str:
        found = one_formula(state.library, formula)
        known = {str(each) for each, _ in state.library.corrections(found.id)}
        if number not in known:
            raise ProblemError(404, "the formula has no such correction; it may have been taken back already")
        state.library.undo(int(number))
        return _now(state, found).id

    identifier = await anyio.to_thread.run_sync(work)
    return RedirectResponse(f"/formulas/{identifier}?said=undone", 303)


def _edited(state: ServeState, identifier: str, typed: Mapping[str, str]) -> Formula:
    found = one_formula(state.library, identifier)
    changes = changes_of(found, typed)
    if not changes:
        raise UsageError("nothing was changed: the fields are as they were")
    author = typed.get("author", "")[:100] or _AUTHOR
    changed, _ = state.library.edit(found.id, changes, author=author, note=typed.get("note", "")[:1_000])
    return changed


def _again(state: ServeState, identifier: str, typed: Mapping[str, str]) -> dict[str, Any]:
    """The page with what was typed still in the form."""
    data = formula_data(state, identifier)
    form = edit_form(one_formula(state.library, identifier), typed)
    return {**data, "edit": form, "is_editing": True, "said": ""}


def _now(state: ServeState, formula: Formula) -> Formula:
    """The formula as it now is; without a correction it may have its earlier id again."""
    same = [one for one in state.library.find_formulas(formula.id) if one.id == formula.id]
    return same[0] if same else next(one for one in state.library.formulas() if one.form == formula.form)
