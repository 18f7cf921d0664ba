"""Sums and products with bounds. Short literal ones are written out, open ones are declined."""

from __future__ import annotations

from mathrag.compute.grammar.context import Context
from mathrag.compute.grammar.names import symbol_name, symbol_parts
from mathrag.compute.grammar.terms import Terms, read_row
from mathrag.compute.notation import Row, Script, Sign, visible
from mathrag.compute.symbol_names import SymbolParts, join_name, split_name
from mathrag.types.expression import (
    MAXIMUM_NODES,
    Expression,
    Negate,
    Number,
    Series,
    Symbol,
    add,
    multiply,
    negate,
    number,
    size_of,
    symbols_of,
)
from mathrag.types.substitute import map_symbols

_LONGEST_WRITTEN_OUT = 40


def read_series(terms: Terms, mark: Script, sign: Sign) -> Expression:
    """A sum or product sign with its bounds and the product that follows it."""
    context, position = terms.context, mark.position
    word = "sum" if sign.text == "∑" else "product"
    if mark.sub is None or mark.sup is None:
        context.decline("open_sum", f"the bounds of the {word} are not both written", position)
    index, lower_row = _index(mark.sub, context, word)
    if any(isinstance(item, Sign) and item.text == "∞" for item in mark.sup.items):
        context.decline("open_sum", f"an infinite {word} is not computed", mark.sup.position)
    lower, upper = read_row(lower_row, context), read_row(mark.sup, context)
    terms.index += 1
    start = terms.position()
    is_negative = terms.peek_sign() == "-"
    terms.index += is_negative
    body = terms.scalar(terms.product(), start)
    body = negate(body) if is_negative else body
    body = map_symbols(body, lambda name: _opened_index(name, index))
    indexed = [name for name in symbols_of(body) if index in split_name(name).subscripts]
    first, last = _whole(lower), _whole(upper)
    if first is not None and last is not None and last - first < _LONGEST_WRITTEN_OUT:
        if last < first:
            context.decline("open_sum", f"the {word} ends before it begins", position)
        if (last - first + 1) * size_of(body) > MAXIMUM_NODES:
            context.decline("too_large", f"the {word} has too many terms to be written out", position)
        parts = [_at(body, index, value) for value in range(first, last + 1)]
        return add(*parts) if word == "sum" else multiply(*parts)
    if indexed:
        context.decline("open_sum", f"the terms {', '.join(indexed)} of the {word} are not given one by one", position)
    return Series("sum" if word == "sum" else "product", index, lower, upper, body)


def _index(sub: Row, context: Context, word: str) -> tuple[str, Row]:
    items = visible(sub.items)
    if len(items) < 3 or not (isinstance(items[1], Sign) and items[1].text == "="):
        context.decline("open_sum", f"the lower bound of the {word} is not of the form i = 1", sub.position)
    parts = symbol_parts(items[0], context)
    if parts is None:
        context.decline("open_sum", f"the index of the {word} is not a symbol", items[0].position)
    return symbol_name(parts, context, items[0].position), Row(tuple(items[2:]), items[2].position)


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
