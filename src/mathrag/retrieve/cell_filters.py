"""The filter language of searches over cells: read, checked and judged here, by hand and within limits.

A filter comes from a model or a stranger. It is never pasted into a question to the database: what it demands of a
field as such (`page == 3`, `document in ["a", "b"]`) is handed on as values, and the rest is judged cell by cell.

    expression := expression (or | and) expression | not expression | comparison | arithmetic
    comparison := < > == != <= >= in (also in a row: 2 <= page < 9)
    arithmetic := + - * / % ** over numbers; + joins texts
    values     := numbers, 'texts', true, false, [lists], list[place], array_contains(list, value), array_length(list)

Numbers, texts and truth values are told apart when the filter is read. What is missing (the page of a text without
pages, a division by zero) makes any comparison false.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

from mathrag.errors import QueryError

Field: TypeAlias = Literal["document", "page", "page_numbers", "table", "column", "key", "text"]
Plain: TypeAlias = str | int | float | bool
Value: TypeAlias = Plain | tuple[Plain, ...] | None
# What a cell has in a field; None where it has nothing there.
Look: TypeAlias = Callable[[Field], Value]
_Kind: TypeAlias = Literal["number", "text", "truth", "list"]
_Judge: TypeAlias = Callable[[Look], Value]

_LONGEST, _MOST_TOKENS, _MOST_OPERATIONS, _DEEPEST = 8_000, 1_000, 100, 24
_LONGEST_JOINED, _LONGEST_SHOWN = 200_000, 40
# Beyond this a whole number is a floating one: no filter may make numbers without end.
_LARGEST = 10**15

# The names of the published system, and ours.
_FIELDS: dict[str, Field] = {
    "pdf_id": "document", "paper_id": "document", "document": "document", "page_number": "page", "page": "page",
    "page_numbers": "page_numbers", "table_name": "table", "table": "table", "column_name": "column",
    "column": "column", "primary_key": "key", "key": "key", "text": "text",
}  # fmt: skip
_KIND_OF: dict[Field, _Kind] = {"page": "number", "page_numbers": "list"}
_WORDS = frozenset(("and", "or", "not", "in", "true", "false", "array_contains", "array_length"))
_ALIKE = {"&&": "and", "||": "or", "!": "not"}

_TOKEN = re.compile(
    r"""(?P<space>\s+)|(?P<number>(?:[0-9]{1,15}(?:\.[0-9]{0,15})?|\.[0-9]{1,15})(?:[eE][+-]?[0-9]{1,3})?(?![\w.]))"""
    r"""|(?P<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"""
    r"""|(?P<sign>\*\*|==|!=|<=|>=|&&|\|\||[-+*/%<>()\[\],!])""",
    re.DOTALL,
)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class CellFilter:
    """A filter that was read. `demands` are values of which a field must have one; more may be asked of a cell.

    The empty filter accepts everything.
    """

    source: str
    demands: Mapping[Field, tuple[Plain, ...]] = field(default_factory=dict)
    judge: _Judge | None = None
    fields: frozenset[Field] = frozenset()

    def accepts(self, look: Look) -> bool:
        """Whether a cell may be found."""
        return self.judge is None or self.judge(look) is True


def read_filter(source: str) -> CellFilter:
    """The filter that a text says; `QueryError` for anything else."""
    if len(source) > _LONGEST:
        raise QueryError(f"the filter has {len(source)} characters; at most {_LONGEST} are read")
    if not source.strip():
        return CellFilter(source)
    reader = _Reader(_tokens(source))
    part = reader.expression()
    reader.finish()
    if part.kind != "truth":
        raise QueryError(f"the filter is a {part.kind}, not a condition; compare it with something")
    return CellFilter(source, _demands(part), part.judge, frozenset(reader.fields))


# ---- reading


class _Token(NamedTuple):
    sort: str
    text: str
    place: int


class _Part(NamedTuple):
    """A piece of a filter: what it gives, how it is judged, and what is known of it without a cell.

    `field` for a field as such, `constant` for what is the same for every cell, `conjuncts` for what must hold.
    """

    kind: _Kind
    judge: _Judge
    field: Field | None = None
    constant: Value = None
    items: _Kind | None = None
    conjuncts: tuple[tuple[Field, tuple[Plain, ...]], ...] = ()


def _tokens(source: str) -> list[_Token]:
    found: list[_Token] = []
    place = 0
    while place < len(source):
        match = _TOKEN.match(source, place)
        if match is None:
            raise QueryError(_unread(source, place))
        sort = str(match.lastgroup)
        if sort != "space":
            text = match.group()
            if sort == "name" and text.lower() in _WORDS:
                sort, text = "sign", text.lower()
            found.append(_Token(sort, _ALIKE.get(text, text) if sort == "sign" else text, place))
        place = match.end()
        if len(found) > _MOST_TOKENS:
            raise QueryError(f"the filter has more than {_MOST_TOKENS} words and signs")
    return found


def _unread(source: str, place: int) -> str:
    if source[place] in "'\"":
        return f"the text that begins at character {place + 1} of the filter has no end"
    if source[place] == "=":
        return f"at character {place + 1} of the filter stands =; to compare, write =="
    return f"the filter cannot be read at character {place + 1}: {source[place : place + _LONGEST_SHOWN]!r}"


class _Reader:
    """Reads the tokens once, from left to right; what nests too deep is refused."""

    def __init__(self, tokens: list[_Token]) -> None:
        self._tokens = tokens
        self._at = 0
        self._depth = 0
        self._operations = 0
        self.fields: set[Field] = set()

    def finish(self) -> None:
        """Refuse what stands after the end."""
        if self._at < len(self._tokens):
            raise QueryError(f"{self._here()} does not belong there")

    def expression(self) -> _Part:
        """Alternatives; the widest piece."""
        self._deeper()
        parts = [self._conjunction()]
        while self._takes("or"):
            parts.append(self._conjunction())
        self._depth -= 1
        return _any(parts)

    def _conjunction(self) -> _Part:
        parts = [self._negation()]
        while self._takes("and"):
            parts.append(self._negation())
        return _all(parts)

    def _negation(self) -> _Part:
        if not self._takes("not"):
            return self._comparison()
        self._deeper()
        part = _not(self._negation())
        self._depth -= 1
        return part

    def _comparison(self) -> _Part:
        first = self._sum()
        found: list[_Part] = []
        while sign := self._takes("<", ">", "==", "!=", "<=", ">=", "in", "not"):
            if sign == "not" and not self._takes("in"):
                raise QueryError(f"after not, {self._here()} stands where in is meant")
            second = self._sum()
            part = _within(first, second) if sign in ("in", "not") else _compared(sign, first, second)
            part = _not(part) if sign == "not" else part
            found.append(part)
            first = second
        return _all(found) if found else first

    def _sum(self) -> _Part:
        part = self._product()
        while sign := self._operation("+", "-"):
            part = _arithmetic(sign, part, self._product())
        return part

    def _product(self) -> _Part:
        part = self._signed()
        while sign := self._operation("*", "/", "%"):
            part = _arithmetic(sign, part, self._signed())
        return part

    def _signed(self) -> _Part:
        sign = self._operation("-", "+")
        if not sign:
            return self._power()
        self._deeper()
        part = _arithmetic(sign, _constant(0), self._signed())
        self._depth -= 1
        return part

    def _power(self) -> _Part:
        base = self._item()
        if not self._operation("**"):
            return base
        self._deeper()
        part = _arithmetic("**", base, self._signed())
        self._depth -= 1
        return part

    def _item(self) -> _Part:
        part = self._atom()
        while self._operation("["):
            place = self.expression()
            self._expect("]")
            part = _item_of(part, place)
        return part

    def _atom(self) -> _Part:
        token = self._next()
        match token.sort, token.text:
            case "number", text:
                return _constant(_number(text))
            case "text", text:
                return _constant(_ESCAPED.sub(r"\1", text[1:-1]))
            case "name", text:
                return self._field(text)
            case "sign", ("true" | "false") as text:
                return _constant(text == "true")
            case "sign", "(":
                part = self.expression()
                self._expect(")")
                return part
            case "sign", "[":
                return _list(self._items("]"))
            case "sign", ("array_contains" | "array_length") as name:
                self._expect("(")
                return _function(name, self._items(")"))
        self._at -= 1
        raise QueryError(f"{self._here()} stands where a value is meant")

    def _field(self, name: str) -> _Part:
        known = _FIELDS.get(name.lower())
        if known is None:
            raise QueryError(f"cells have no field {name[:_LONGEST_SHOWN]!r}; they have: {', '.join(_FIELDS)}")
        self.fields.add(known)
        kind = _KIND_OF.get(known, "text")
        return _Part(kind, lambda look: look(known), known, items="number" if kind == "list" else None)

    def _items(self, end: str) -> list[_Part]:
        items: list[_Part] = []
        while not self._takes(end):
            if items:
                self._expect(",")
            items.append(self.expression())
        return items

    def _deeper(self) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise QueryError(f"the filter nests deeper than {_DEEPEST} levels")

    def _next(self) -> _Token:
        if self._at >= len(self._tokens):
            raise QueryError("the filter ends where a value is meant")
        self._at += 1
        return self._tokens[self._at - 1]

    def _takes(self, *signs: str) -> str:
        """The sign that stands here, if it is one of these, and go on."""
        token = self._tokens[self._at] if self._at < len(self._tokens) else None
        if token is None or token.sort != "sign" or token.text not in signs:
            return ""
        self._at += 1
        return token.text

    def _operation(self, *signs: str) -> str:
        """The same for what is computed one after the other, of which there may be only so many."""
        sign = self._takes(*signs)
        self._operations += bool(sign)
        if self._operations > _MOST_OPERATIONS:
            raise QueryError(f"the filter computes more than {_MOST_OPERATIONS} times")
        return sign

    def _expect(self, sign: str) -> None:
        if not self._takes(sign):
            raise QueryError(f"{self._here()} stands where {sign} is meant")

    def _here(self) -> str:
        if self._at >= len(self._tokens):
            return "the end of the filter"
        token = self._tokens[self._at]
        return f"{token.text[:_LONGEST_SHOWN]!r} at character {token.place + 1} of the filter"


def _number(text: str) -> int | float:
    return int(text) if text.isdigit() else _bounded(float(text)) or 0.0


# ---- pieces, checked when they are made


def _constant(value: Plain) -> _Part:
    return _Part(_kind_of(value), lambda _: value, constant=value)


def _kind_of(value: Plain) -> _Kind:
    if isinstance(value, bool):
        return "truth"
    return "text" if isinstance(value, str) else "number"


def _need(part: _Part, kind: _Kind, what: str) -> None:
    if part.kind != kind:
        raise QueryError(f"{what} needs a {kind}, not a {part.kind}")


def _any(parts: list[_Part]) -> _Part:
    if len(parts) == 1:
        return parts[0]
    for each in parts:
        _need(each, "truth", "or")
    judges = [each.judge for each in parts]
    return _Part("truth", lambda look: any(judge(look) is True for judge in judges))


def _all(parts: list[_Part]) -> _Part:
    if len(parts) == 1:
        return parts[0]
    for each in parts:
        _need(each, "truth", "and")
    judges = [each.judge for each in parts]
    return _Part(
        "truth",
        lambda look: all(judge(look) is True for judge in judges),
        conjuncts=tuple(one for each in parts for one in each.conjuncts),
    )


def _not(part: _Part) -> _Part:
    _need(part, "truth", "not")
    return _Part("truth", lambda look: part.judge(look) is not True)


_COMPARISONS: dict[str, Callable[[Plain, Plain], bool]] = {
    "<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge, "==": operator.eq, "!=": operator.ne,
}  # fmt: skip


def _compared(sign: str, first: _Part, second: _Part) -> _Part:
    if first.kind != second.kind:
        raise QueryError(f"a {first.kind} is compared with a {second.kind} by {sign}")
    if first.kind == "list" or (first.kind == "truth" and sign not in ("==", "!=")):
        raise QueryError(f"a {first.kind} cannot be compared by {sign}")
    compare = _COMPARISONS[sign]

    def judge(look: Look) -> bool:
        one, other = first.judge(look), second.judge(look)
        return one is not None and other is not None and compare(one, other)  # type: ignore[arg-type]

    conjuncts: tuple[tuple[Field, tuple[Plain, ...]], ...] = ()
    for name, value in ((first.field, second.constant), (second.field, first.constant)):
        if sign == "==" and name is not None and isinstance(value, (str, int, float)):
            conjuncts = ((name, (value,)),)
    return _Part("truth", judge, conjuncts=conjuncts)


def _within(item: _Part, whole: _Part) -> _Part:
    if whole.kind == "text":
        _need(item, "text", "in a text")
    elif whole.kind == "list":
        _need_item(item, whole, "in")
    else:
        raise QueryError(f"in needs a list or a text on its right, not a {whole.kind}")

    def judge(look: Look) -> bool:
        one, several = item.judge(look), whole.judge(look)
        return one is not None and several is not None and one in several  # type: ignore[operator]

    conjuncts: tuple[tuple[Field, tuple[Plain, ...]], ...] = ()
    if item.field is not None and whole.kind == "list" and isinstance(whole.constant, tuple):
        conjuncts = ((item.field, whole.constant),)
    return _Part("truth", judge, conjuncts=conjuncts)


def _need_item(item: _Part, whole: _Part, what: str) -> None:
    if item.kind == "list" or (whole.items is not None and item.kind != whole.items):
        raise QueryError(f"{what}: a {item.kind} cannot be in a list of {whole.items or 'plain value'}s")


def _list(items: list[_Part]) -> _Part:
    kinds = {each.kind for each in items}
    if "list" in kinds or len(kinds) > 1:
        raise QueryError("the items of a list are all numbers, all texts or all truth values")
    kind = kinds.pop() if kinds else None
    values = tuple(each.constant for each in items)
    if all(value is not None for value in values):
        constant: tuple[Plain, ...] = values  # type: ignore[assignment]
        return _Part("list", lambda _: constant, constant=constant, items=kind)
    judges = [each.judge for each in items]

    def judge(look: Look) -> Value:
        found = (each(look) for each in judges)
        return tuple(one for one in found if one is not None and not isinstance(one, tuple))

    return _Part("list", judge, items=kind)


def _item_of(whole: _Part, place: _Part) -> _Part:
    _need(whole, "list", "[]")
    _need(place, "number", "[]")
    if whole.items is None:
        raise QueryError("an empty list has no items")

    def judge(look: Look) -> Value:
        several, at = whole.judge(look), place.judge(look)
        if not isinstance(several, tuple) or not isinstance(at, (int, float)) or at != int(at):
            return None
        return several[int(at)] if 0 <= at < len(several) else None

    return _Part(whole.items, judge)


def _function(name: str, arguments: list[_Part]) -> _Part:
    wanted = 2 if name == "array_contains" else 1
    if len(arguments) != wanted:
        raise QueryError(f"{name} takes {wanted} value{'s'[: wanted > 1]}, not {len(arguments)}")
    _need(arguments[0], "list", name)
    if name == "array_contains":
        return _within(arguments[1], arguments[0])
    whole = arguments[0]

    def judge(look: Look) -> Value:
        several = whole.judge(look)
        return len(several) if isinstance(several, tuple) else None

    return _Part("number", judge)


_OPERATIONS: dict[str, Callable[[float, float], float]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "%": operator.mod,
    # Always over floating numbers: whole ones could grow for hours.
    "**": lambda base, exponent: math.pow(base, exponent),
}  # fmt: skip


def _arithmetic(sign: str, first: _Part, second: _Part) -> _Part:
    if sign == "+" and first.kind == second.kind == "text":
        return _Part("text", lambda look: _joined(first.judge(look), second.judge(look)))
    for each in (first, second):
        _need(each, "number", sign)
    operate = _OPERATIONS[sign]

    def judge(look: Look) -> Value:
        one, other = first.judge(look), second.judge(look)
        if not isinstance(one, (int, float)) or not isinstance(other, (int, float)):
            return None
        try:
            return _bounded(operate(one, other))
        except (ArithmeticError, ValueError):
            return None

    if first.constant is not None and second.constant is not None:
        value = judge(lambda _: None)
        return _Part("number", lambda _: value, constant=value)
    return _Part("number", judge)


def _bounded(value: float) -> int | float | None:
    if isinstance(value, int):
        return value if abs(value) <= _LARGEST else float(value)
    return value if math.isfinite(value) else None


def _joined(first: Value, second: Value) -> Value:
    is_short = isinstance(first, str) and isinstance(second, str) and len(first) + len(second) <= _LONGEST_JOINED
    return f"{first}{second}" if is_short else None


def _demands(part: _Part) -> Mapping[Field, tuple[Plain, ...]]:
    """Of each field the values that one of its demands leaves; several demands of a field must all hold."""
    found: dict[Field, tuple[Plain, ...]] = {}
    for name, values in part.conjuncts:
        found[name] = tuple(each for each in found[name] if each in values) if name in found else values
    return found
