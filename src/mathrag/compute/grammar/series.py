"""Sums and products with bounds. Short literal ones are written out, open ones are declined."""

from __future__ import annotations

from typing import Literal

from mathrag.compute.grammar.context import Context
from mathrag.compute.grammar.names import symbol_name, symbol_parts
from mathrag.compute.grammar.terms import Terms, read_row
from mathrag.compute.notation import Row, Script, Sign, visible
from mathrag.types.expression import (
    MAXIMUM_NODES,
    Expression,
    Negate,
    Number,
    Series,
    Symbol,
    add,
    map_symbols,
    multiply,
    negate,
    number,
    size_of,
    symbols_of,
)
from mathrag.types.symbol_names import SymbolParts, join_name, split_name

_LONGEST_WRITTEN_OUT = 40
_INDEX_LETTERS = frozenset("ijkn")


def read_series(terms: Terms, mark: Script, sign: Sign) -> Expression:
    """A sum or product sign with its bounds and the product that follows it."""
    context, position = terms.context, mark.position
    word: Literal["sum", "product"] = "sum" if sign.text == "∑" else "product"
    if context.terms is None and (mark.sub is None or mark.sup is None):
        context.decline("open_sum", f"the bounds of the {word} are not both written", position)
    index, lower_row = ("", None) if mark.sub is None else _index(mark.sub, context, word)
    if mark.sup is not None and any(isinstance(item, Sign) and item.text == "∞" for item in mark.sup.items):
        context.decline("open_sum", f"an infinite {word} is not computed", mark.sup.position)
    lower = number(1) if lower_row is None else read_row(lower_row, context)
    upper = None if mark.sup is None else read_row(mark.sup, context)
    terms.index += 1
    start = terms.position()
    is_negative = terms.peek_sign() == "-"
    terms.index += is_negative
    body = terms.scalar(terms.product(), start)
    body = negate(body) if is_negative else body
    index = index or _index_in(body)
    body = map_symbols(body, lambda name: _opened_index(name, index))
    indexed = [name for name in symbols_of(body) if index in split_name(name).subscripts]
    first = _whole(lower)
    last = None if upper is None else _whole(upper)
    if last is None and first is not None and indexed and context.terms is not None:
        last = first + context.terms - 1
        _count(context, index, upper, position)
        context.flag("written_out", f"the {word} is written out with {context.terms} terms", position)
    if first is not None and last is not None and last - first < _LONGEST_WRITTEN_OUT:
        return _written_out(context, body, index, (first, last), word, position)
    if indexed or upper is None:
        named = f"the terms {', '.join(indexed)} of " if indexed else "the bounds of "
        context.decline("open_sum", f"{named}the {word} are not given one by one", position)
    return Series(word, index, lower, upper, body)


def _count(context: Context, index: str, upper: Expression | None, position: int) -> None:
    """Remember what the sum runs over; a second sum over something else has a number of terms of its own."""
    if upper is not None and not (isinstance(upper, Symbol) and len(upper.name) == 1):
        context.decline("open_sum", "the sum runs over something that is not counted", position)
    if context.index not in ("", index):
        context.decline("open_sum", "two sums run over different things", position)
    context.index = index
    if isinstance(upper, Symbol):
        context.counted.add(upper.name)


def _written_out(
    context: Context, body: Expression, index: str, bounds: tuple[int, int], word: str, position: int
) -> Expression:
    first, last = bounds
    if last < first:
        context.decline("open_sum", f"the {word} ends before it begins", position)
    if (last - first + 1) * size_of(body) > MAXIMUM_NODES:
        context.decline("too_large", f"the {word} has too many terms to be written out", position)
    parts = [_at(body, index, value) for value in range(first, last + 1)]
    return add(*parts) if word == "sum" else multiply(*parts)


def _index_in(body: Expression) -> str:
    """The index of a sum that does not name it: the letter below its symbols."""
    found = {part for name in symbols_of(body) for part in split_name(name).subscripts if part in _INDEX_LETTERS}
    return found.pop() if len(found) == 1 else ""


def _index(sub: Row, context: Context, word: str) -> tuple[str, Row | None]:
    items = visible(sub.items)
    is_lone = len(items) == 1 and context.terms is not None
    if not is_lone and (len(items) < 3 or not (isinstance(items[1], Sign) and items[1].text == "=")):
        context.decline("open_sum", f"the lower bound of the {word} is not of the form i = 1", sub.position)
    parts = symbol_parts(items[0], context)
    if parts is None:
        context.decline("open_sum", f"the index of the {word} is not a symbol", items[0].position)
    name = symbol_name(parts, context, items[0].position)
    return name, None if is_lone else Row(tuple(items[2:]), items[2].position)


def _whole(bound: Expression) -> int | None:
    if isinstance(bound, Number) and isinstance(bound.value, int):
        return bound.value
    if isinstance(bound, Negate) and isinstance(bound.operand, Number) and isinstance(bound.operand.value, int):
        return -bound.operand.value
    return None


def _at(body: Expression, index: str, value: int) -> Expression:
    """The term for one value of the index, also where the index is a subscript (x_i becomes x_3)."""

    def change(name: str) -> Expression:
        if name == index:
            return number(value)
        parts = split_name(name)
        if index not in parts.subscripts:
            return Symbol(name)
        return Symbol(
            join_name(SymbolParts(parts.letter, _shifted(parts.subscripts, index, value), parts.marks, parts.prefix))
        )

    return map_symbols(body, change)


def _opened_index(name: str, index: str) -> Expression:
    """`L_ij` summed over i: letters run together in a subscript are two indices, L with i and j."""
    parts = split_name(name)
    opened = tuple(
        letter
        for part in parts.subscripts
        for letter in (part if index in part and len(part) > 1 and set(part) <= set("ijklmnrs") else (part,))
    )
    return Symbol(join_name(SymbolParts(parts.letter, opened, parts.marks, parts.prefix)))


def _shifted(subscripts: tuple[str, ...], index: str, value: int) -> tuple[str, ...]:
    """The subscripts with the index as a number; `i plus 1` is counted."""
    result: list[str] = []
    position = 0
    while position < len(subscripts):
        part = subscripts[position]
        if part != index:
            result.append(part)
            position += 1
            continue
        following = subscripts[position + 1 : position + 3]
        if len(following) == 2 and following[0] in ("plus", "minus") and following[1].isdigit():
            shift = int(following[1]) * (1 if following[0] == "plus" else -1)
            result.append(str(max(0, value + shift)))
            position += 3
        else:
            result.append(str(value))
            position += 1
    return tuple(result)
