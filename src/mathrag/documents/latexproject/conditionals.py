"""TeX's conditionals, as far as a reader needs them: what is switched off is skipped, the rest is read.

A test that needs TeX's arithmetic is not computed; its first branch is read and a note says so.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from mathrag.documents.latexproject.tokens import Token

if TYPE_CHECKING:
    from mathrag.documents.latexproject.expander import Expander

Handler = Callable[["Expander", Token], Token | None]

_TESTS = frozenset(
    (
        "if ifcat ifx ifnum ifdim ifodd ifvmode ifhmode ifmmode ifinner ifvoid ifhbox ifvbox ifeof iftrue iffalse "
        "ifcase "
        "ifdefined ifcsname iffontchar ifpdf ifxetex ifluatex ifpdftex iftutex ifXeTeX ifLuaTeX ifPDFTeX"
    ).split()
)
_FALSE = frozenset("iffalse ifvmode ifinner ifeof ifvoid ifxetex ifluatex ifXeTeX ifLuaTeX iftutex".split())


def _opens(expander: Expander, token: Token) -> bool:
    name = token.text
    return name in _TESTS or (name.startswith("if") and name[2:] in expander.switches)


def skip_branch(expander: Expander, token: Token, *, to_else: bool) -> None:
    """Pass over a branch that does not count, up to its `\\else` (if wanted) or `\\fi`."""
    level = 0
    while (part := expander.raw()) is not None:
        if part.kind in ("barrier", "end_capture"):
            expander.push(part)
            return
        if part.kind != "command":
            continue
        if part.text == "fi":
            if level == 0:
                return
            level -= 1
        elif part.text == "else" and level == 0 and to_else:
            return
        elif _opens(expander, part):
            level += 1
    expander.note("unclosed_condition", f"\\{token.text} has no \\fi; what follows it is left out", token)


def _decide(expander: Expander, token: Token, holds: bool) -> None:
    if not holds:
        skip_branch(expander, token, to_else=True)


def _constant(expander: Expander, token: Token) -> None:
    _decide(expander, token, token.text not in _FALSE)


def _compare_meanings(expander: Expander, token: Token) -> None:
    one, other = expander.skip_blanks(), expander.skip_blanks()
    if one is None or other is None:
        return
    one, other = expander.first_character(one), expander.first_character(other)
    meanings = [expander.macros.get(part.text) if part.kind == "command" else None for part in (one, other)]
    if meanings[0] is not None and meanings[1] is not None:
        same = [_shown(meaning) for meaning in meanings]
        _decide(expander, token, same[0] == same[1])
    else:
        _decide(expander, token, meanings == [None, None] and one.text == other.text)


def _shown(meaning: object) -> object:
    body = getattr(meaning, "body", None)
    return [(part.kind, part.text) for part in body] if body is not None else meaning


def _is_defined(expander: Expander, token: Token) -> None:
    part = expander.skip_blanks()
    _decide(expander, token, part is not None and part.text in expander.macros)


def _compare_numbers(expander: Expander, token: Token) -> None:
    """`\\ifnum 1<2`, as far as whole numbers are written out; anything else takes the first branch."""
    parts: list[Token] = []
    while len(parts) < 12 and (part := expander.raw()) is not None:
        if part.kind == "characters" and (part.text == "=" or part.text.lstrip("-<>").isdigit()):
            parts.append(part)
            continue
        if part.kind in ("command", "frozen") and not parts:
            parts.append(part)
            continue
        if part.kind != "space":
            expander.push(part)
        break
    shown = "".join(part.text for part in parts)
    for sign in "<>=":
        left, found, right = shown.partition(sign)
        if found and left.lstrip("-").isdigit() and right.lstrip("-").isdigit() and len(shown) < 40:
            one, other = int(left), int(right)
            _decide(expander, token, {"<": one < other, ">": one > other, "=": one == other}[sign])
            return
    expander.note("condition", f"the test of \\{token.text} is not computed; its first branch is read", token, once="x")


def _else(expander: Expander, token: Token) -> None:
    skip_branch(expander, token, to_else=False)


def _nothing(expander: Expander, token: Token) -> None:
    """`\\fi` after a branch that was read."""


def _then_else(expander: Expander, token: Token) -> None:
    """`\\ifthenelse{test}{yes}{no}`: the first branch."""
    expander.argument()
    yes = expander.argument()
    expander.argument()
    expander.push_all(yes)
    expander.note("condition", f"the test of \\{token.text} is not computed; its first branch is read", token, once="x")


def _has_value(expander: Expander, token: Token) -> None:
    """xparse `\\IfNoValueTF{#1}{yes}{no}`, `\\IfValueT`, `\\IfBooleanTF`."""
    given = expander.argument()
    is_missing = not given or given[0].kind == "no_value"
    name = token.text
    if name.startswith("IfBlank"):
        is_missing = not [part for part in given if part.kind not in ("space", "no_value")]
    holds = is_missing if name.startswith(("IfNoValue", "IfBlank")) else not is_missing
    yes = expander.argument() if name.endswith(("TF", "T")) else []
    no = expander.argument() if name.endswith("F") else []
    expander.push_all(yes if holds else no)


def _if_star(expander: Expander, _: Token) -> None:
    yes, no = expander.argument(), expander.argument()
    expander.push_all(yes if expander.star() else no)


def _if_next(expander: Expander, _: Token) -> None:
    sought, yes, no = expander.argument(), expander.argument(), expander.argument()
    following = expander.skip_blanks()
    if following is not None:
        expander.push(following)
    holds = bool(following and sought and following.kind == sought[0].kind and following.text[:1] == sought[0].text[:1])
    expander.push_all(yes if holds else no)


def switch_of(expander: Expander, name: str) -> Handler | None:
    """The rule for a switch that `\\newif` made: its test, or the command that sets it."""
    switches = expander.switches
    if name.startswith("if") and name[2:] in switches:
        return lambda reader, token: _decide(reader, token, reader.switches[token.text[2:]])
    for ending, value in (("true", True), ("false", False)):
        if name.endswith(ending) and name.removesuffix(ending) in switches:
            switches[name.removesuffix(ending)] = value
            return _nothing
    return None


HANDLERS: dict[str, Handler] = {
    **dict.fromkeys(_TESTS, _constant),
    "ifx": _compare_meanings,
    "ifdefined": _is_defined,
    **dict.fromkeys(("ifnum", "ifdim", "ifodd", "ifcase", "if", "ifcat"), _compare_numbers),
    "else": _else,
    "fi": _nothing,
    "ifthenelse": _then_else,
    **{
        f"If{test}{ending}": _has_value
        for test in ("NoValue", "Value", "Boolean", "Blank")
        for ending in ("TF", "T", "F")
    },
    "@ifstar": _if_star,
    "@ifnextchar": _if_next,
}
