"""Signatures of symbols, which are objects of the Small Type System, in plain notation: `Z × Z → Boolean`."""

from __future__ import annotations

from mathrag.types.statement import (
    Application,
    Binding,
    DictionaryName,
    Foreign,
    Literal,
    Quoted,
    StatementTree,
    Variable,
)

_ARROW, _TIMES = " → ", " × "
# What the type system has words for: any number of arguments, of one type, in any grouping or not.
_MANY = ("nary", "nassoc")
_FUNCTION = "mapsto"


def plain_signature(tree: StatementTree) -> str:
    """The type of a symbol for a person to read."""
    match tree:
        case DictionaryName(_, symbol):
            return symbol
        case Variable(name):
            return name
        case Literal(value):
            return str(value)
        case Quoted(text):
            return f'"{text}"'
        case Foreign(text):
            return text
        case Binding(binder, variables, body):
            names = ", ".join(each.name for each in variables)
            return f"{plain_signature(binder)} {names}. {plain_signature(body)}"
        case Application(head, arguments):
            return _applied(head, arguments)


def _applied(head: StatementTree, arguments: tuple[StatementTree, ...]) -> str:
    name = _word(head)
    if name == _FUNCTION and arguments:
        *taken, given = arguments
        left = _TIMES.join(_inside(each) for each in taken) or "()"
        return f"{left}{_ARROW}{_inside(given)}"
    if name in _MANY and len(arguments) == 1:
        inside = _inside(arguments[0])
        return f"{inside}{_TIMES}…{_TIMES}{inside}"
    return f"{_inside(head)}({', '.join(plain_signature(each) for each in arguments)})"


def _inside(tree: StatementTree) -> str:
    """A type as a part of another: functions stand in parentheses."""
    text = plain_signature(tree)
    return f"({text})" if isinstance(tree, Application) and _word(tree.head) == _FUNCTION else text


def _word(tree: StatementTree) -> str:
    return tree.symbol if isinstance(tree, DictionaryName) else ""
