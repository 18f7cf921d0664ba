"""The form in which a model is asked for its proposals: a flat JSON schema that small models can follow.

Lengths of texts are not part of it, because servers turn a schema into a grammar and long repetitions make that slow;
`reading.py` cuts what is too long.
"""

from __future__ import annotations

from mathrag.extract.proposals.nouns import (
    MOST_CONDITIONS,
    MOST_CONSTANTS,
    MOST_FORMULAS,
    MOST_KEYWORDS,
    MOST_PARAMETERS,
    MOST_RELATIONS,
)
from mathrag.llm.nouns import Json, Schema
from mathrag.types.library import RELATION_KINDS

_TEXT: Json = {"type": "string"}


def _object(**properties: Json) -> Json:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _list(items: Json, most: int) -> Json:
    return {"type": "array", "items": items, "maxItems": most}


_FORMULA = _object(
    quote=_TEXT,
    finding=_TEXT,
    latex=_TEXT,
    python=_TEXT,
    label=_TEXT,
    description=_TEXT,
    intent=_TEXT,
    parameters=_list(_object(symbol=_TEXT, description=_TEXT, unit=_TEXT), MOST_PARAMETERS),
    keywords=_list(_TEXT, MOST_KEYWORDS),
    conditions=_list(_TEXT, MOST_CONDITIONS),
)
_CONSTANT = _object(
    quote=_TEXT,
    symbol=_TEXT,
    value=_TEXT,
    unit=_TEXT,
    description=_TEXT,
    intent=_TEXT,
    keywords=_list(_TEXT, MOST_KEYWORDS),
)
_RELATION = _object(
    quote=_TEXT,
    kind={"type": "string", "enum": list(RELATION_KINDS)},
    source=_TEXT,
    target=_TEXT,
    confidence={"type": "number", "minimum": 0, "maximum": 1},
)

PROPOSALS = Schema(
    "proposals",
    _object(
        formulas=_list(_FORMULA, MOST_FORMULAS),
        constants=_list(_CONSTANT, MOST_CONSTANTS),
        relations=_list(_RELATION, MOST_RELATIONS),
    ),
)
