"""A last look at a module's text before it is handed out: it defines what we meant it to, and nothing else."""

from __future__ import annotations

import ast

from mathrag.errors import EvaluationError

_MODULES = frozenset(("math", "warnings"))
_BUILTINS = frozenset(
    "abs float int isinstance iter len list max min next print range repr sorted str tuple type bool "
    "ValueError TypeError ZeroDivisionError OverflowError SystemExit ArithmeticError".split()
)
_METHODS = frozenset(("append", "items", "get", "join", "split", "strip", "is_integer", "warn"))


def guarded(text: str) -> str:
    """The text, once its structure was checked: imports, calls and names at the top are all of our making."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise EvaluationError("the formula cannot be written as a plain Python function") from error
    defined = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    for node in ast.walk(tree):
        if not _is_expected(node, defined):
            raise EvaluationError("the formula cannot be written as a plain Python function")
    return text


def _is_expected(node: ast.AST, defined: set[str]) -> bool:
    match node:
        case ast.Import(names):
            return all(alias.name in _MODULES and alias.asname is None for alias in names)
        case ast.ImportFrom(module):
            return module == "__future__"
        case ast.Call(ast.Name(name)):
            return name in _BUILTINS or name in defined or name == "_branch"
        case ast.Call(ast.Attribute(ast.Name("math" | "warnings"), name)):
            return not name.startswith("_")
        case ast.Call(ast.Attribute(_, name)):
            return name in _METHODS
        case ast.Call():
            return False
        case ast.Attribute(_, name):
            return not name.startswith("_")
        case ast.ClassDef() | ast.AsyncFunctionDef() | ast.Lambda() | ast.Global() | ast.Nonlocal() | ast.With():
            return False
        case _:
            return True
