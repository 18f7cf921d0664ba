"""The text of a worksheet into lines. Every line is read on its own; one that cannot be read says where and why."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from mathrag.calculator import read_value
from mathrag.compute.pythontext.names import NAMES, canonical_name
from mathrag.errors import FormulaError, UnitError, UsageError
from mathrag.worksheets.expressions import read_expression, read_written_unit
from mathrag.worksheets.lines import (
    FEWEST_SAMPLES,
    LARGEST_SEED,
    LONGEST_LINE,
    LONGEST_SHEET,
    METHODS,
    MOST_LINES,
    MOST_SAMPLES,
    Assignment,
    Blank,
    Citation,
    Distribution,
    Formula,
    Goal,
    Heading,
    Line,
    Plot,
    Question,
    Spread,
    System,
    Text,
    Unread,
    Value,
)

_HEADING = re.compile(r"(#{1,6})\s+(\S.*)")
_NAMED = re.compile(r"\s*([^\W\d]\w*)\s*=(?!=)")
_NAME = re.compile(r"[^\W\d]\w*")
_PLUS_MINUS = re.compile(r"±|\+/?-(?=\s*\d)")
_DISTRIBUTION = re.compile(r"\s+(normal|uniform|triangular)\s*$")
_DISTRIBUTIONS: dict[str, Distribution] = {"normal": "normal", "uniform": "uniform", "triangular": "triangular"}
_CITED = re.compile(r"\s*\[([^\[\]]{1,200})\]\s*")
_MOST_EQUATIONS = 8
# Names that a value cannot have: they would be read as something else inside of an expression.
_TAKEN = frozenset((*NAMES, "pi", "if", "else", "for", "and", "or", "sum", "prod", "quantity", "nan", "inf"))


def read_worksheet(text: str) -> tuple[Line, ...]:
    """The lines of a worksheet, in order; raises `UsageError` where there is more than anyone writes."""
    if len(text) > LONGEST_SHEET:
        raise UsageError(f"a worksheet has at most {LONGEST_SHEET:,} characters; this has {len(text):,}")
    rows = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    while rows and not rows[-1].strip():
        rows.pop()
    if len(rows) > MOST_LINES:
        raise UsageError(f"a worksheet has at most {MOST_LINES} lines; this has {len(rows)}")
    return tuple(map(read_line, rows))


def read_line(row: str) -> Line:
    """One line."""
    try:
        return _read(row)
    except FormulaError as error:
        # Blanks alone go: other white space is what cannot be read, and must be there when the line is read again.
        return Unread(row.rstrip(" \t"), min(error.position or 0, len(row)), error.reason)


def _read(row: str) -> Line:
    if len(row) > LONGEST_LINE:
        raise FormulaError("too_large", f"a line has at most {LONGEST_LINE:,} characters", position=LONGEST_LINE)
    hidden = next((place for place, sign in enumerate(row) if not sign.isprintable() and sign != "\t"), None)
    if hidden is not None:
        raise FormulaError("hidden", "an invisible character stands here; remove it", position=hidden)
    row = row.replace("\t", " ").rstrip()
    start = len(row) - len(row.lstrip())
    rest = row.lstrip()
    if not rest:
        return Blank()
    if rest.startswith('"'):
        return Text(rest[1:].strip())
    if rest.startswith("#"):
        heading = _HEADING.fullmatch(rest)
        if heading is None:
            raise FormulaError("heading", "expected a blank and the words of a heading behind #", position=start)
        return Heading(len(heading.group(1)), heading.group(2).strip())
    if rest.startswith("?"):
        return _question("", row, start + 1)
    named = _NAMED.match(row)
    if named is not None:
        return _definition(_name(named.group(1), named.start(1)), row, named.end())
    word = re.match(r"[a-z]+(?=\s)", rest)
    command = _COMMANDS.get(word.group()) if word else None
    if command is not None and word is not None:
        return command(row, start + word.end())
    return _shown(row, start)


def _name(written: str, position: int) -> str:
    name = canonical_name(written, position).name
    if name in _TAKEN:
        raise FormulaError(
            "taken", f"{written} is the name of something else already; choose another", position=position
        )
    return name


def _shown(row: str, start: int) -> Line:
    text, wanted = _with_wanted(row, start)
    try:
        formula = read_expression(text, offset=start)
    except FormulaError as error:
        hint = '; text begins with "' if " " in text.strip() and text.lstrip()[:1].isalpha() else ""
        raise FormulaError(error.code, error.reason + hint, position=error.position) from error
    return Assignment("", formula, wanted)


def _with_wanted(row: str, start: int) -> tuple[str, str]:
    """What stands before the last arrow, and the unit behind it, in the form in which it was written."""
    found = list(re.finditer(r"->|→", row[start:]))
    if not found:
        return row[start:], ""
    arrow = found[-1]
    wanted = row[start + arrow.end() :].strip()
    if not wanted:
        raise FormulaError("unit", "expected a unit behind the arrow", position=start + arrow.end())
    read_written_unit(wanted, start + arrow.end() + 1)
    return row[start : start + arrow.start()].rstrip(), wanted


def _definition(name: str, row: str, start: int) -> Line:
    rest = row[start:].lstrip()
    begin = len(row) - len(rest)
    if not rest:
        raise FormulaError("empty", f"expected a value or a formula for {name}", position=len(row))
    if rest.startswith("?"):
        return _question(name, row, begin + 1)
    text, wanted = _with_wanted(row, begin)
    if rest.startswith("["):
        return _citation(name, text, begin, wanted)
    if _PLUS_MINUS.search(text):
        return _value(name, text, begin, wanted)
    return Assignment(name, read_expression(text, offset=begin), wanted)


def _value(name: str, text: str, start: int, wanted: str) -> Line:
    word = _DISTRIBUTION.search(text)
    amount = text[: word.start()] if word else text
    try:
        mention = read_value(amount)
        quantity = mention.quantity
    except UnitError as error:
        reason = f"{error.reason}; a measured value is a number, ±, a number and a unit"
        raise FormulaError("value", reason, position=start + (error.position or 0)) from error
    if quantity.uncertainty is None:
        raise FormulaError("value", "expected one value with ±; compute with it on another line", position=start)
    distribution = _DISTRIBUTIONS[word.group(1)] if word else "normal"
    unit = quantity.unit.text
    return Value(name, amount.strip(), quantity.value, unit, quantity.uncertainty, distribution, wanted)


def _citation(name: str, text: str, start: int, wanted: str) -> Line:
    found = _CITED.match(text)
    if found is None or not found.group(1).strip():
        raise FormulaError("citation", "expected the name of a formula in [ ]", position=start)
    cited, rest, place = found.group(1).strip(), text[found.end() :], start + found.end()
    if not rest:
        return Citation(name, cited, (), wanted)
    if not rest.startswith("(") or not rest.endswith(")"):
        raise FormulaError(
            "citation", "expected values in parentheses behind the name: [name](m, v=2*u)", position=place
        )
    bindings = tuple(_binding(part, at) for part, at in _parts(rest[1:-1], place + 1))
    symbols = [symbol for symbol, _ in bindings]
    if len(set(symbols)) < len(symbols):
        raise FormulaError("citation", "a symbol of the formula is given twice", position=place)
    return Citation(name, cited, bindings, wanted)


def _binding(part: str, place: int) -> tuple[str, Formula]:
    named = _NAMED.match(part)
    if named is not None:
        symbol = canonical_name(named.group(1), place + named.start(1)).name
        return symbol, read_expression(part[named.end() :], offset=place + named.end())
    if _NAME.fullmatch(part.strip()) is None:
        raise FormulaError("citation", "expected a name, or symbol = value", position=place)
    formula = read_expression(part, offset=place)
    return canonical_name(part.strip(), place).name, formula


def _question(name: str, row: str, start: int) -> Line:
    text, wanted = _with_wanted(row, start)
    if not text.strip():
        raise FormulaError("question", "expected a question behind ?", position=start)
    for found in re.finditer(r"\{([^{}]*)\}", text):
        if _NAME.fullmatch(found.group(1).strip()) is None:
            raise FormulaError("question", "expected a name between the braces", position=start + found.start() + 1)
    return Question(name, " ".join(text.split()), wanted)


def _parts(text: str, start: int, *, separator: str = ",") -> Iterator[tuple[str, int]]:
    """The parts between commas outside of parentheses, with their places."""
    depth = begin = 0
    for place, sign in enumerate(text):
        depth += (sign in "([{") - (sign in ")]}")
        if sign == separator and depth == 0:
            yield text[begin:place], start + begin
            begin = place + 1
    yield text[begin:], start + begin


def _solve(row: str, start: int) -> Line:
    split = list(re.finditer(r"\sfor\s", row))
    if not split:
        raise FormulaError("solve", "expected 'for' and the unknowns: solve x + y = 5 m, x - y = 1 m for x, y",
                           position=len(row))  # fmt: skip
    word = split[-1]
    unknowns = tuple(_single(part, place) for part, place in _parts(row[word.end() :], word.end()))
    if len(set(unknowns)) < len(unknowns):
        raise FormulaError("solve", "an unknown is named twice", position=word.end())
    equations: list[tuple[Formula, Formula]] = []
    for part, place in _parts(row[start : word.start()], start):
        sides = part.split("=")
        if len(sides) != 2:
            raise FormulaError(
                "solve", "expected an equation with one =", position=place + len(part) - len(part.lstrip())
            )
        right = place + len(sides[0]) + 1
        equations.append((read_expression(sides[0], offset=place), read_expression(sides[1], offset=right)))
    if len(equations) > _MOST_EQUATIONS:
        raise FormulaError("solve", f"at most {_MOST_EQUATIONS} equations are solved together", position=start)
    if len(unknowns) > len(equations):
        count = f"{len(unknowns)} unknowns need as many equations; there {'is' if len(equations) == 1 else 'are'}"
        raise FormulaError("solve", f"{count} {len(equations)}", position=word.end())
    return System(tuple(equations), unknowns)


def _single(text: str, place: int) -> str:
    stripped = text.strip()
    place += len(text) - len(text.lstrip())
    if _NAME.fullmatch(stripped) is None:
        raise FormulaError("name", "expected one name here", position=place)
    return _name(stripped, place)


def _range(text: str, start: int) -> tuple[Formula, Formula]:
    dots = list(re.finditer(r"\s\.\.\s", text))
    if len(dots) != 1:
        raise FormulaError("range", "expected two bounds with ' .. ' between them: 0 m/s .. 40 m/s", position=start)
    low = read_expression(text[: dots[0].start()], offset=start)
    return low, read_expression(text[dots[0].end() :], offset=start + dots[0].end())


def _plot(row: str, start: int) -> Line:
    text, wanted = _with_wanted(row, 0)
    found = re.search(r"\sfor\s+([^\W\d]\w*)\s*=", text)
    if found is None:
        raise FormulaError("plot", "expected 'for' and a range: plot E for v = 0 m/s .. 40 m/s", position=len(text))
    low, high = _range(text[found.end() :], found.end())
    variable = _name(found.group(1), found.start(1))
    return Plot(read_expression(text[start : found.start()], offset=start), variable, low, high, wanted)


def _goal(row: str, start: int) -> Line:
    form = "goal E = 1 MJ by v in 0 m/s .. 100 m/s"
    by = re.search(r"\sby\s+([^\W\d]\w*)\s+in\s", row)
    if by is None:
        raise FormulaError("goal", f"expected 'by' a name 'in' a range: {form}", position=len(row))
    sides = row[start : by.start()].split("=")
    if len(sides) != 2:
        raise FormulaError("goal", f"expected one = between what is computed and its goal: {form}", position=start)
    named = re.search(r"\sas\s+(\S+)\s*$", row[by.end() :])
    end = by.end() + named.start() if named else len(row)
    low, high = _range(row[by.end() : end], by.end())
    return Goal(
        read_expression(sides[0], offset=start),
        read_expression(sides[1], offset=start + len(sides[0]) + 1),
        _name(by.group(1), by.start(1)),
        low,
        high,
        _single(named.group(1), by.end() + named.start(1)) if named else "",
    )


def _spread(row: str, start: int) -> Line:
    method = METHODS[row[:start].strip()]
    words = row[start:].split()
    form = "montecarlo E 10000 seed 1" if method == "montecarlo" else f"{method} E"
    if not words or _NAME.fullmatch(words[0]) is None:
        raise FormulaError("name", f"expected the name of a result: {form}", position=start + 1)
    name, rest = _name(words[0], row.index(words[0], start)), words[1:]
    if method != "montecarlo":
        if rest:
            raise FormulaError("unexpected", f"expected nothing behind the name: {form}", position=len(row))
        return Spread(method, name)
    samples, seed = 10_000, 1
    if rest and rest[0] != "seed":
        samples = _whole(rest.pop(0), row, (FEWEST_SAMPLES, MOST_SAMPLES))
    if rest and rest[0] == "seed" and len(rest) == 2:
        seed = _whole(rest[1], row, (0, LARGEST_SEED))
    elif rest:
        raise FormulaError("unexpected", f"expected {form}", position=len(row))
    return Spread(method, name, samples, seed)


def _whole(word: str, row: str, bounds: tuple[int, int]) -> int:
    plain = word.replace("_", "")
    if not (plain.isascii() and plain.isdigit() and len(plain) < 12 and bounds[0] <= int(plain) <= bounds[1]):
        reason = f"expected a whole number from {bounds[0]:,} to {bounds[1]:,}"
        raise FormulaError("number", reason, position=row.rindex(word))
    return int(plain)


_COMMANDS: dict[str, Callable[[str, int], Line]] = {
    "solve": _solve,
    "plot": _plot,
    "goal": _goal,
    **dict.fromkeys(METHODS, _spread),
}
