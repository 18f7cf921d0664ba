"""OpenMath objects for tests, written briefly: `(relation1:eq (arith1:plus a 1) b)`, `[quant1:forall <x y> ...]`."""

from __future__ import annotations

import re

from mathrag.compute.openmath import OpenMathObject, read_object

_TOKEN = re.compile(r"[()\[\]<>]|[^\s()\[\]<>]+")
_CLOSING = {"(": ")", "[": "]", "<": ">"}
_TAGS = {"(": "OMA", "[": "OMBIND", "<": "OMBVAR"}


def xml_of(text: str) -> str:
    """The XML of an object written briefly."""
    tokens = _TOKEN.findall(text)
    body, rest = _element(tokens)
    assert not rest, rest
    return f'<OMOBJ xmlns="http://www.openmath.org/OpenMath">{body}</OMOBJ>'


def openmath(text: str) -> OpenMathObject:
    """The object itself."""
    return read_object(xml_of(text))


def _element(tokens: list[str]) -> tuple[str, list[str]]:
    first, *rest = tokens
    if first in _TAGS:
        parts = []
        while rest[0] != _CLOSING[first]:
            part, rest = _element(rest)
            parts.append(part)
        return f"<{_TAGS[first]}>{''.join(parts)}</{_TAGS[first]}>", rest[1:]
    if ":" in first:
        dictionary, name = first.split(":")
        return f'<OMS cd="{dictionary}" name="{name}"/>', rest
    if re.fullmatch(r"-?\d+", first):
        return f"<OMI>{first}</OMI>", rest
    if re.fullmatch(r"-?\d+\.\d+", first):
        return f'<OMF dec="{first}"/>', rest
    return f'<OMV name="{first}"/>', rest
