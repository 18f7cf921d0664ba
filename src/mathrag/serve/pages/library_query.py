"""What the address of a library page asks for: words, choices, which part of a list. Lenient: odd parts are ignored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from starlette.datastructures import FormData
from starlette.requests import Request

from mathrag.serve.problems import ProblemError

PAGE = 50
_FURTHEST = 1_000_000


def word(request: Request, name: str, *, longest: int = 500) -> str:
    """One text of the address, without blanks around; empty where there is none or it is too long to be meant."""
    found = request.query_params.get(name, "").strip()
    return found if len(found) <= longest and found.isprintable() else ""


def offset(request: Request) -> int:
    """How many entries of the list to pass over."""
    text = request.query_params.get("offset", "0")
    return min(int(text), _FURTHEST) if text.isascii() and text.isdigit() and len(text) < 10 else 0


def pager(request: Request, total: int, *, start: int, limit: int = PAGE) -> dict[str, Any]:
    """Where a list stands, and the addresses of the parts before and after."""
    shown = max(0, min(limit, total - start))
    return {
        "total": total,
        "offset": start,
        "limit": limit,
        "first": start + 1 if shown else 0,
        "last": start + shown,
        "before": address(request, offset=max(0, start - limit) or None) if start > 0 else None,
        "after": address(request, offset=start + limit) if start + limit < total else None,
    }


def address(request: Request, **changed: Any) -> str:
    """The page's own address with other values; None takes one out. A change of anything begins the list anew."""
    kept = {name: value for name, value in request.query_params.items() if name != "offset" and value}
    made = {name: value for name, value in {**kept, **changed}.items() if value not in (None, "")}
    path = request.url.path.removesuffix(".json")
    return f"{path}?{urlencode(made)}" if made else path


def field(form: FormData, name: str, *, longest: int = 4_000) -> str:
    """One text of a form; empty where there is none."""
    found = form.get(name)
    if not isinstance(found, str):
        return ""
    if len(found) > longest:
        raise ProblemError(422, f"a field has at most {longest:,} characters")
    return found.strip()


def source_link(place: Mapping[str, Any], formula: str = "") -> str:
    """The page that shows a place of an entry."""
    asked: dict[str, Any] = {"formula": formula} if formula else {}
    asked["document"] = place["document"]
    for name in ("page", "line"):
        if place[name] is not None:
            asked[name] = place[name]
    if not formula:
        if place["box"]:
            asked["box"] = ",".join(f"{side:.2f}" for side in place["box"])
        if place["quote"]:
            asked["quote"] = place["quote"][:500]
    return f"/source?{urlencode(asked)}"


def linked(places: list[dict[str, Any]], formula: str = "") -> list[dict[str, Any]]:
    """Places, each with the address that shows it."""
    return [{**place, "href": source_link(place, formula)} for place in places]
