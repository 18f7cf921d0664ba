"""Groups in delimiters: parentheses, absolute values, floors, concentrations, means, matrices and determinants."""

from __future__ import annotations

from mathrag.compute.grammar import species
from mathrag.compute.grammar.cases import read_cases
from mathrag.compute.grammar.matrices import Matrix, Value, determinant, make_matrix
from mathrag.compute.grammar.names import symbol_name, symbol_parts
from mathrag.compute.grammar.terms import Terms, read_row, read_value
from mathrag.compute.notation import Fence, Grid, Stack
from mathrag.types.expression import Symbol, call
from mathrag.types.symbol_names import SymbolParts


def read_fence(terms: Terms, mark: Fence) -> Value:
    """A group in delimiters."""
    context, body = terms.context, mark.body
    pair = mark.opening + mark.closing
    items = body.items
    if len(items) == 1 and isinstance(items[0], Stack) and not items[0].bar:
        return call("comb", read_row(items[0].above, context), read_row(items[0].below, context))
    if len(items) == 1 and isinstance(items[0], Grid) and (items[0].kind != "cases" or pair == "{"):
        return _fenced_grid(terms, mark, items[0])
    if pair == "[]" and (parts := species.concentration(mark, context)) is not None:
        return Symbol(symbol_name(SymbolParts(parts[0], tuple(parts[1:]), (), "conc"), context, mark.position))
    if pair in ("||", "‖‖"):
        return call("abs", read_row(body, context))
    if pair == "⌊⌋":
        return call("floor", read_row(body, context))
    if pair == "⌈⌉":
        return call("ceil", read_row(body, context))
    if pair == "⟨⟩":
        inner = symbol_parts(body, context)
        if inner is None:
            context.decline("statistic_operator", "the mean of an expression has no value here", mark.position)
        return Symbol(
            symbol_name(
                inner.extended(marks=("mean",)),
                context,
                mark.position,
            )
        )
    if pair not in ("()", "[]", "{}"):
        context.decline(
            "syntax", f"the delimiters {mark.opening or '.'} and {mark.closing or '.'} make no group", mark.position
        )
    if not items:
        context.decline("syntax", "empty parentheses", mark.position)
    return read_value(body, context)


def _fenced_grid(terms: Terms, mark: Fence, grid: Grid) -> Value:
    if grid.kind == "cases" or (mark.opening == "{" and mark.closing == ""):
        return read_cases(grid, terms.context)
    matrix = read_matrix(terms, grid)
    if mark.opening == "|":
        return determinant(matrix, terms.context, mark.position)
    if mark.opening in ("(", "["):
        return matrix
    terms.context.decline("matrix", "these delimiters around a matrix are not understood", mark.position)


def read_matrix(terms: Terms, grid: Grid) -> Matrix:
    if grid.kind == "lines" and any(len(line) > 1 for line in grid.lines) is False and len(grid.lines) > 1:
        terms.context.decline("syntax", "several lines stand inside one expression", grid.position)
    rows = [[read_row(cell, terms.context) for cell in line] for line in grid.lines]
    return make_matrix(rows, terms.context, grid.position)
