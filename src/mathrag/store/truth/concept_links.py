"""Which concepts of mathematics a formula uses: those of the functions and operations in its tree.

Follows from the formula alone. Whether the library has a dictionary with these concepts is not asked here.
"""

from __future__ import annotations

import json
import sqlite3
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources

from mathrag.types.expression import (
    Add,
    Call,
    Divide,
    Expression,
    MathConstant,
    Multiply,
    Negate,
    Piecewise,
    Power,
    Series,
    walk,
)
from mathrag.types.json_codec import from_json
from mathrag.types.library import Formula


@cache
def _names() -> tuple[Mapping[str, str], Mapping[str, str]]:
    """The concepts by function, and by kind of node."""
    source = resources.files("mathrag.store.truth").joinpath("data", "concept_links.toml").read_text("utf-8")
    tables = tomllib.loads(source)
    made = ({key: name for key, name in tables[part].items() if key != "about"} for part in ("functions", "operations"))
    functions, operations = made
    return functions, operations


def linked_concepts() -> tuple[str, ...]:
    """Every concept that a formula can be linked to, the most telling first."""
    functions, operations = _names()
    return tuple(dict.fromkeys((*functions.values(), *operations.values())))


def concepts_used(formula: Formula) -> tuple[str, ...]:
    """The names of the concepts that a formula uses, the most telling first; none for one that was not read."""
    if formula.equation is None:
        return ()
    found = {name for side in (formula.equation.left, formula.equation.right) for name in _in_tree(side)}
    return tuple(name for name in linked_concepts() if name in found)


def _in_tree(expression: Expression) -> Iterator[str]:
    functions, operations = _names()
    for node in walk(expression):
        match node:
            case Call(function, _) if function in functions:
                yield functions[function]
            case Series(operation):
                yield operations[operation]
            case MathConstant(name):
                yield operations[name]
            case Add(terms):
                is_difference = any(isinstance(term, Negate) for term in terms)
                yield operations["difference" if is_difference else "Add"]
                if is_difference and sum(not isinstance(term, Negate) for term in terms) > 1:
                    yield operations["Add"]
            case Multiply() | Divide() | Power() | Piecewise():
                yield operations[type(node).__name__]
            case _:
                pass
    yield from _opposites(expression)


def _opposites(expression: Expression) -> Iterator[str]:
    """The sign of a term in a sum makes it a difference; anywhere else it is the opposite of a value."""
    terms = {id(term) for node in walk(expression) if isinstance(node, Add) for term in node.terms}
    if any(isinstance(node, Negate) and id(node) not in terms for node in walk(expression)):
        yield _names()[1]["Negate"]


def write_all_links(connection: sqlite3.Connection) -> None:
    """The links of every formula of a library that had none; its records are read as they are."""
    for identifier, record in connection.execute("SELECT id, record FROM formulas").fetchall():
        try:
            formula = from_json(json.loads(record))
        except (ValueError, TypeError, ArithmeticError, RecursionError):
            # A check tells of such a record; it keeps nobody from opening the library.
            continue
        if isinstance(formula, Formula):
            connection.executemany(
                "INSERT INTO formula_concepts (formula, position, concept) VALUES (?, ?, ?)",
                [(identifier, position, name) for position, name in enumerate(concepts_used(formula))],
            )
