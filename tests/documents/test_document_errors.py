"""Every `DocumentError` in the room of documents has a stable code and a sentence that a person can use."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOM = Path(__file__).parent.parent.parent / "src" / "mathrag" / "documents"


def _calls() -> Iterator[tuple[str, ast.Call]]:
    for path in sorted(ROOM.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "DocumentError":
                yield f"{path.relative_to(ROOM)}:{node.lineno}", node


def _fixed_text(node: ast.expr) -> str | None:
    """The words of a sentence that are written in the code, `…` for what is filled in; None for another expression."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(_fixed_text(part) or "…" if isinstance(part, ast.Constant) else "…" for part in node.values)
    if isinstance(node, ast.BinOp):
        left, right = _fixed_text(node.left), _fixed_text(node.right)
        return left + right if left is not None and right is not None else None
    return None


CALLS = list(_calls())


@pytest.mark.parametrize("call", [call for _, call in CALLS], ids=[place for place, _ in CALLS])
def test_the_error_has_a_code_and_a_sentence(call: ast.Call) -> None:
    assert len(call.args) == 2, "a code and a reason"
    code = _fixed_text(call.args[0])
    if code is not None:
        assert re.fullmatch(r"[a-z]+(_[a-z]+)*", code), "codes are stable words"
    reason = _fixed_text(call.args[1])
    if reason is None:
        return
    assert len(reason.split()) >= 3, "too short to tell anyone what is wrong"
    assert "\n" not in reason
    assert not reason.endswith("."), "errors are shown inside other sentences"
    assert (
        reason[0] == "…"
        or not reason[0].isupper()
        or reason.split()[0].isupper()
        or reason.split()[0] in ("LaTeX", "Markdown")
    )
