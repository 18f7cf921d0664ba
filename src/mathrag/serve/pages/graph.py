"""The page of the graph: a picture of the library that can be narrowed down, and the same as a list.

The picture itself is drawn in `graph_picture`; here is what the address asks for, and what the page says about it.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from starlette.responses import Response

from mathrag.errors import LibraryError
from mathrag.library.views.entries import constant_object, document_object, formula_object
from mathrag.library.views.graph import (
    EDGE_KINDS,
    GRAPH_SHOWS,
    MOST_ALIKE,
    EdgeKind,
    GraphFilter,
    GraphNode,
    GraphShow,
    GraphView,
)
from mathrag.library.views.lists import document_names
from mathrag.serve.api.entries import one_constant, one_document, one_formula
from mathrag.serve.kept import KeptView
from mathrag.serve.pages.formulas import relation_groups
from mathrag.serve.pages.graph_picture import (
    SCALE,
    by_weight,
    colour_of_fields,
    draw,
    node_link,
    node_radius,
    node_title,
    short_name,
    spread,
    used_kinds,
)
from mathrag.serve.pages.library import PAGE, address, offset, pager, word
from mathrag.serve.pages.page_reply import page
from mathrag.serve.problems import ProblemError
from mathrag.serve.replies import json_bytes
from mathrag.serve.security.sessions import refuse_other_sites
from mathrag.serve.state import ServeState, state_of

router = APIRouter()
# Larger pictures are sent by themselves, after the page.
MOST_INLINE = 600
EDGE_NAMES: dict[EdgeKind, str] = {
    "uses": "uses",
    "derived_from": "follows from",
    "generalizes": "is more general than",
    "uses_constant": "uses the constant",
    "same_quantity": "gives the same quantity",
    "found_in": "stands in the document",
}
# So many formulas are seen one by one at a glance; a library of more opens with its fields.
MOST_AT_A_GLANCE = 60
SHOW_NAMES: dict[GraphShow, str] = {
    "entries": "formulas", "documents": "clusters by document", "fields": "clusters by field",
}  # fmt: skip


@router.get("/graph")
@router.get("/graph.json")
def show(request: Request) -> Response:
    """The picture and the list; the twin has every node with its place and every edge."""
    state = state_of(request)
    wanted = _wanted(request)
    kept = _kept(request, wanted)
    is_twin = request.url.path.endswith(".json")
    data = _data(request, state, wanted, view=kept.view)
    if is_twin:
        return page(request, "graph/page.html", data | _whole(kept, wanted))
    data["svg"] = _svg(kept, wanted) if data["is_inline"] else ""
    return page(request, "graph/page.html", data)


@router.get("/graph/picture.svg")
def picture(request: Request) -> Response:
    """The picture alone, which is also something to keep or to print; its nodes are links, too."""
    wanted = _wanted(request)
    svg = _svg(_kept(request, wanted), wanted)
    text = f'<?xml version="1.0" encoding="UTF-8"?>\n<?xml-stylesheet type="text/css" href="/static/graph.css"?>\n{svg}'
    return Response(text.encode("utf-8", "replace"), media_type="image/svg+xml")


@router.get("/graph/parts.json")
def parts(request: Request) -> Response:
    """What the script of the page knows of the picture: the twin has the same, for people and at length."""
    wanted = _wanted(request)
    kept = _kept(request, wanted)
    if kept.parts is None:
        kept.parts = json_bytes(_parts(kept, wanted))
    return Response(kept.parts, media_type="application/json")


def _wanted(request: Request) -> GraphFilter:
    """What the address asks for; odd parts are ignored."""
    relation, shown = word(request, "relation", longest=40), word(request, "show", longest=40)
    around = word(request, "around", longest=40) or None
    wanted = GraphFilter(
        words="" if around else word(request, "q", longest=200),
        document=None if around else word(request, "document", longest=40) or None,
        field=None if around else word(request, "field", longest=40) or None,
        relation=relation if relation in EDGE_KINDS else None,
        around=around,
        depth=2 if around and word(request, "depth") == "2" else 1,
        show=shown if shown in GRAPH_SHOWS else "entries",
    )
    if wanted.field and wanted.show == "fields":
        # One field in one circle says nothing.
        wanted = replace(wanted, show="entries")
    is_open = shown not in GRAPH_SHOWS and not _narrowed(wanted)
    return replace(wanted, show="fields") if is_open and _has_many_fields(state_of(request)) else wanted


def _has_many_fields(state: ServeState) -> bool:
    """Whether all formulas at once would be a tangle, and their fields are a way into it."""
    _, fields = state.graphs.choices(state.library)
    return len(fields) > 1 and sum(one.count for one in fields) > MOST_AT_A_GLANCE


def _kept(request: Request, wanted: GraphFilter) -> KeptView:
    refuse_other_sites(request)
    state = state_of(request)
    try:
        return state.graphs.of(state.library, wanted, most_formulas=state.options.limits.graph_formulas)
    except LibraryError as error:
        if wanted.around is None:
            raise
        raise ProblemError(404, str(error)) from error


def _svg(kept: KeptView, wanted: GraphFilter) -> str:
    points = kept.placed()
    if kept.svg is None:
        kept.svg = draw(kept.view, points, wanted)
    return kept.svg


def _data(request: Request, state: ServeState, wanted: GraphFilter, *, view: GraphView) -> dict[str, Any]:
    documents, fields = state.graphs.choices(state.library)
    start = offset(request)
    order = _listed(view)
    query = f"?{urlencode(_asked(wanted))}" if _asked(wanted) else ""
    return {
        "filter": asdict(wanted),
        "show": view.show,
        "formulas": view.formulas,
        "node_count": len(view.nodes),
        "edge_count": len(view.edges),
        "left_out": view.left_out,
        "is_too_many": view.is_too_many,
        "most_formulas": state.options.limits.graph_formulas,
        "is_filtered": bool(_narrowed(wanted) or word(request, "show", longest=40)),
        "is_inline": len(view.nodes) <= MOST_INLINE,
        "centre": _centre(request, view),
        "choices": {
            "documents": _with_chosen([asdict(one) for one in documents], wanted.document, state),
            "fields": [asdict(one) for one in fields],
            "relations": [{"value": kind, "label": EDGE_NAMES[kind]} for kind in EDGE_KINDS],
            "shows": [{"value": kind, "label": SHOW_NAMES[kind]} for kind in GRAPH_SHOWS],
        },
        "legend": _legend(request, view),
        "picture": f"/graph/picture.svg{query}",
        "parts": f"/graph/parts.json{query}",
        "items": [_item(view.nodes[place], wanted, view) for place in order[start : start + PAGE]],
        **pager(request, len(order), start=start, limit=PAGE),
    }


def _asked(wanted: GraphFilter) -> dict[str, str]:
    """The address of a filter, as one writes it; without any, a large library opens with clusters."""
    asked = _narrowed(wanted)
    return asked if asked and wanted.show == "entries" else {**asked, "show": wanted.show}


def _narrowed(wanted: GraphFilter) -> dict[str, str]:
    """The parts of an address that leave something out of the picture."""
    asked = {
        "q": wanted.words, "document": wanted.document, "field": wanted.field, "relation": wanted.relation,
        "around": wanted.around, "depth": "2" if wanted.around and wanted.depth == 2 else "",
    }  # fmt: skip
    return {name: str(value) for name, value in asked.items() if value}


def _with_chosen(documents: list[dict[str, Any]], chosen: str | None, state: ServeState) -> list[dict[str, Any]]:
    """The documents to choose from, with the chosen one even where it is one too many to be listed."""
    if chosen is None or any(one["value"] == chosen for one in documents):
        return documents
    name = document_names(state.library).get(chosen, chosen)
    return [{"value": chosen, "label": name, "count": 0}, *documents]


def _centre(request: Request, view: GraphView) -> dict[str, Any] | None:
    """The entry in the middle, with the ways to see less or more around it."""
    node = next((each for each in view.nodes if each.id == view.centre), None)
    if node is None:
        return None
    depths = [{"depth": depth, "href": address(request, depth=str(depth) if depth == 2 else None)} for depth in (1, 2)]
    return {
        "id": node.id,
        "kind": node.kind,
        "label": node.label,
        "href": node_link(node, GraphFilter(), view),
        "depths": depths,
    }


def _legend(request: Request, view: GraphView) -> dict[str, Any]:
    """What shapes, colours and lines mean, of those that occur."""
    colours = colour_of_fields(view)
    counts: dict[str, int] = {}
    for node in view.nodes:
        if node.kind in ("formula", "field"):
            counts[node.field] = counts.get(node.field, 0) + node.count
    fields = [
        {"label": name, "colour": f"c{colour}", "count": counts[name], "href": address(request, field=name, show=None)}
        for name, colour in colours.items()
    ]
    others = sum(count for name, count in counts.items() if name not in colours)
    return {
        "kinds": [
            kind for kind in ("formula", "constant", "document") if any(node.kind == kind for node in view.nodes)
        ],
        "has_hollow": any(node.kind == "formula" and node.status != "executable" for node in view.nodes),
        "fields": fields if view.centre is None else [{**one, "href": ""} for one in fields],
        "others": others,
        "edges": [
            {
                "kind": kind,
                "label": EDGE_NAMES[kind] + (f" (where at most {MOST_ALIKE} do)" if kind == "same_quantity" else ""),
            }
            for kind in used_kinds(view)
        ]
        if view.show == "entries"
        else [],
    }


def _listed(view: GraphView) -> list[int]:
    """The nodes in the order of the list: by name, those that were searched for first."""
    if view.show != "entries":
        return list(range(len(view.nodes)))
    order = {"formula": 0, "constant": 1, "document": 2, "field": 3}
    return sorted(
        range(len(view.nodes)),
        key=lambda place: (
            not view.nodes[place].is_match,
            view.nodes[place].steps or 0,
            order[view.nodes[place].kind],
            view.nodes[place].label.lower(),
            view.nodes[place].id,
        ),
    )


def _item(node: GraphNode, wanted: GraphFilter, view: GraphView) -> dict[str, Any]:
    """A node of the list."""
    return {
        "id": node.id, "kind": node.kind, "label": node.label, "field": node.field, "status": node.status,
        "degree": node.degree, "count": node.count, "is_match": node.is_match, "steps": node.steps,
        "href": node_link(node, wanted, view),
        "around": f"/graph?around={node.id}" if view.show == "entries" else "",
    }  # fmt: skip


def _whole(kept: KeptView, wanted: GraphFilter) -> dict[str, Any]:
    """Every node with its place in the units of the picture, and every edge by the places of its ends in that list."""
    view, points = kept.view, spread(kept.placed(), kept.view)
    nodes = [
        {
            **_item(node, wanted, view),
            "title": node_title(node),
            "x": round(x, 1), "y": round(y, 1), "radius": round(node_radius(node, view) * SCALE, 1),
        }
        for node, (x, y) in zip(view.nodes, points, strict=True)
    ]  # fmt: skip
    edges = [
        {"source": edge.source, "target": edge.target, "kind": edge.kind, "count": edge.count} for edge in view.edges
    ]
    return {"nodes": nodes, "edges": edges}


def _parts(kept: KeptView, wanted: GraphFilter) -> dict[str, Any]:
    """The nodes as short rows in the order of the picture, the places of those to name first, the ends of all lines."""
    view, points = kept.view, spread(kept.placed(), kept.view)
    return {
        "nodes": [
            [
                node.id,
                short_name(node, view),
                round(x),
                round(y),
                round(node_radius(node, view) * SCALE, 1),
                node_link(node, wanted, view),
            ]
            for node, (x, y) in zip(view.nodes, points, strict=True)
        ],
        "ranked": list(by_weight(view)),
        "ends": [end for edge in view.edges for end in (edge.source, edge.target)],
    }


# What is said about a node of the picture beside it: the entry in short, and what it is joined to.

card_router = APIRouter()
# The card stands beside the picture, which shows the others.
_MOST_RELATED = 8


@card_router.get("/graph/card")
@card_router.get("/graph/card.json")
def show_card(request: Request) -> Response:
    """One formula, constant or document in short."""
    return page(request, "graph/card.html", _card_data(state_of(request), word(request, "id", longest=40)))


def _card_data(state: ServeState, identifier: str) -> dict[str, Any]:
    made: dict[str, Any] = {"id": identifier, "around": f"/graph?around={identifier}", "relations": []}
    names = document_names(state.library)
    match identifier[:2]:
        case "f-":
            formula = formula_object(one_formula(state.library, identifier), names)
            kept = ("label", "latex", "status", "reason", "description", "target", "symbols", "places")
            entry = {name: formula[name] for name in kept}
            entry["symbols"] = entry["symbols"][:12]
            made |= {"kind": "formula", "href": f"/formulas/{identifier}", "name": formula["label"] or formula["latex"]}
        case "c-":
            entry = constant_object(one_constant(state.library, identifier), names)
            made |= {"kind": "constant", "href": f"/constants/{identifier}", "name": entry["name"] or entry["symbol"]}
        case "d-":
            info = one_document(state.library, identifier)
            entry = document_object(info, state.library.counts().get(identifier))
            made |= {
                "kind": "document", "href": f"/library/documents/{identifier}", "name": entry["title"] or entry["name"],
            }  # fmt: skip
        case _:
            raise ProblemError(404, f"the library has no entry {identifier}")
    if made["kind"] != "document":
        entry["documents"] = list(dict.fromkeys(place["document_name"] for place in entry.pop("places")))[:5]
        made["relations"] = [
            {
                "says": group["says"],
                "items": group["items"][:_MOST_RELATED],
                "more": max(0, len(group["items"]) - _MOST_RELATED),
            }
            for group in relation_groups(state, identifier)
        ]
    return {**made, "entry": entry}
