"""The page of one formula: its card, a form to compute with it, what it hangs together with, where it stands."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

import anyio
from fastapi import APIRouter, Request
from pydantic import ValidationError
from starlette.responses import Response

from mathrag.errors import MathragError
from mathrag.library.asking_examples import question_of
from mathrag.library.browsing import document_names, labels_of
from mathrag.library.entry_objects import formula_object, relation_object
from mathrag.serve.api.computing import Computation, called
from mathrag.serve.api.finding import one_formula
from mathrag.serve.pages.formulas_edit_form import edit_form
from mathrag.serve.pages.library_query import linked, word
from mathrag.serve.pages.rendering import page
from mathrag.serve.problems import ProblemError, as_problem
from mathrag.serve.state import ServeState, state_of
from mathrag.types.expression import equation_symbols
from mathrag.types.library import Formula

router = APIRouter()
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


@router.get("/formulas/{formula}")
@router.get("/formulas/{formula}.json")
async def show(request: Request, formula: str) -> Response:
    """A formula; values in the address (`v.m=2 kg`) are put into it."""
    state = state_of(request)
    data = await anyio.to_thread.run_sync(formula_data, state, formula)
    data["compute"] |= await _computed(request, state, data)
    data["is_editing"] = bool(word(request, "edit"))
    data["said"] = _SAVED.get(word(request, "said"), "")
    return page(request, "library/formula.html", data)


@router.get("/formulas/{formula}/picture.png")
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
    found = one_formula(library, identifier)
    made = formula_object(found, document_names(library), corrections=library.corrections(found.id))
    made["places"] = linked(made["places"], found.id)
    made["instances"] = [{**one, "place": linked([one["place"]])[0]} for one in made["instances"][:50]]
    made["symbols"] = [
        {**one, "evidence": None if one["evidence"] is None else linked([one["evidence"]])[0]}
        for one in made["symbols"]
    ]
    return {
        "formula": made,
        "more_places": max(0, len(made["places"]) - _MOST_PLACES),
        "relations": relation_groups(state, found.id),
        "compute": _empty(found),
        "edit": edit_form(found),
        "question": question_of(found) if found.status == "executable" else "",
        "has_picture": made["is_guess"] and library.picture(found.id) is not None,
        "problem": "",
    }


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
