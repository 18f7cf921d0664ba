"""Checks of the handbook's own documents: does each formula agree with its dimensions and with its example?

`python tools/handbook_checks.py` names what fails. `--plant N --seed S` plants an error in each of N formulas and tells
how many of them dimensions alone find, and how many dimensions and examples find. It mends nothing.
"""

from __future__ import annotations

import argparse
import math
import random
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import mathrag
from mathrag.calculator import check_dimensions, read_unit, read_value
from mathrag.compute.canonical import canonical_key
from mathrag.compute.evaluate import Failure, evaluate_quantity
from mathrag.documents.markdown import read_markdown
from mathrag.documents.seams import Source
from mathrag.extract.pipeline import extract
from mathrag.types.expression import (
    Add,
    Divide,
    Equation,
    Expression,
    Multiply,
    Negate,
    Number,
    Power,
    Symbol,
    children,
    equation_symbols,
    substitute,
)
from mathrag.types.library import Finding
from mathrag.types.quantity import Quantity

HANDBOOK = Path(mathrag.__file__).parent / "data" / "handbook"
# Examples are printed with three figures or more.
_CLOSE = 6e-3


@dataclass(frozen=True, slots=True)
class Entry:
    """A formula of the handbook with the values of its example."""

    document: str
    title: str
    finding: Finding
    equation: Equation
    values: Mapping[str, Quantity]


def entries(name: str = "*") -> Iterator[Entry]:
    """Every formula of the handbook's own documents, or of one; a formula that has no example has no values."""
    with (HANDBOOK / "examples.toml").open("rb") as file:
        examples = tomllib.load(file)
    for path in sorted(HANDBOOK.glob(f"{name}.md")):
        document = read_markdown(Source(path.name, path.read_bytes()))
        for finding in extract(document, document_id=path.stem).findings:
            title = finding.span.headings[-1]
            if finding.equation is not None:
                values = read_example(examples.get(path.stem, {}).get(title, ""))
                yield Entry(path.stem, title, finding, finding.equation, values)


def read_example(text: str) -> dict[str, Quantity]:
    """The values of a line such as `m = 2 kg; v = 3 m/s`."""
    found = {}
    for part in filter(None, text.split(";")):
        name, value = (piece.strip() for piece in part.split("=", 1))
        number, _, unit = value.partition(" ")
        found[name] = Quantity(float(read_value(number).value), read_unit(unit))
    return found


def faults(entry: Entry) -> Iterator[str]:
    """What is wrong with a formula, in words."""
    finding = entry.finding
    if finding.status != "executable" or finding.purpose not in ("general", "definition"):
        yield f"is {finding.status}, {finding.purpose}: {finding.reason}"
    if not finding.label:
        yield "has no name"
    for symbol in finding.symbols:
        if symbol.dimension is None or symbol.origin != "document":
            yield f"{symbol.name} is not described"
        elif symbol.evidence is not None and symbol.evidence.headings[-1] != entry.title:
            yield f"{symbol.name} is described by “{symbol.evidence.headings[-1]}”"
    if not agrees_in_dimensions(entry):
        yield "its dimensions disagree"
    if set(entry.values) != set(equation_symbols(entry.equation)):
        yield "its example does not give all values and no others"
    elif not agrees_with_example(entry):
        yield "its example gives another number"


def agrees_in_dimensions(entry: Entry) -> bool:
    """Whether the units that the text states fit the equation."""
    known = {each.name: each.dimension for each in entry.finding.symbols if each.dimension is not None}
    return check_dimensions(entry.equation, known).status == "consistent"


def agrees_with_example(entry: Entry) -> bool:
    """Whether the values of the example make both sides the same."""
    left, right = (evaluate_quantity(side, entry.values) for side in (entry.equation.left, entry.equation.right))
    if isinstance(left, Failure) or isinstance(right, Failure) or left.dimension != right.dimension:
        return False
    return math.isclose(left.si_value, right.si_value, rel_tol=_CLOSE)


def planted(equation: Equation, chance: random.Random) -> Iterator[tuple[str, Equation]]:
    """The equation with one error each: a factor, two symbols exchanged, an exponent, a sign, a side turned over."""
    right = equation.right
    yield "factor 2", _with_right(equation, Multiply((Number(2), right)))
    yield "missing factor", _with_right(equation, Divide(right, Number(2)))
    yield "turned over", _with_right(equation, Divide(Number(1), right))
    names = sorted(equation_symbols(Equation(right, right)))
    if len(names) > 1:
        one, other = chance.sample(names, 2)
        exchanged = substitute(right, {one: Symbol(other), other: Symbol(one)})
        yield "exchanged symbols", _with_right(equation, exchanged)
    if names:
        name = chance.choice(names)
        squared = substitute(right, {name: Power(Symbol(name), Number(2))})
        yield "exponent", _with_right(equation, squared)
    changed = _first_changed(right, _other_sign)
    if changed is not None:
        yield "sign", _with_right(equation, changed)


def _with_right(equation: Equation, right: Expression) -> Equation:
    return Equation(equation.left, right)


def _other_sign(node: Expression) -> Expression | None:
    if not isinstance(node, Add):
        return None
    *rest, last = children(node)
    return Add((*rest, last.operand if isinstance(last, Negate) else Negate(last)))


def _first_changed(node: Expression, change: Callable[[Expression], Expression | None]) -> Expression | None:
    """The tree with the first node that can be changed changed; only sums, products and quotients are entered."""
    own = change(node)
    if own is not None:
        return own
    parts = children(node) if isinstance(node, Multiply | Divide) else ()
    for place, part in enumerate(parts):
        new = _first_changed(part, change)
        if new is not None:
            changed = (*parts[:place], new, *parts[place + 1 :])
            return Divide(*changed) if isinstance(node, Divide) else Multiply(tuple(changed))
    return None


def plant(known: list[Entry], count: int, seed: int) -> dict[str, tuple[int, int, int]]:
    """By sort of error: how many were planted, found by dimensions alone, and by dimensions or examples."""
    chance = random.Random(seed)
    table: dict[str, tuple[int, int, int]] = {}
    rounds, rest = divmod(count, len(known))
    for entry in known * rounds + chance.sample(known, rest):
        right = canonical_key(entry.equation)
        # Two factors exchanged are no error.
        errors = [each for each in planted(entry.equation, chance) if canonical_key(each[1]) != right]
        sort, wrong = chance.choice(errors)
        bad = Entry(entry.document, entry.title, entry.finding, wrong, entry.values)
        by_dimensions = not agrees_in_dimensions(bad)
        # Where there is no example, none finds anything.
        by_both = by_dimensions or (bool(bad.values) and not agrees_with_example(bad))
        all_, first, second = table.get(sort, (0, 0, 0))
        table[sort] = (all_ + 1, first + by_dimensions, second + by_both)
    return table


def main() -> None:
    """Prints what fails, or what the checks find of planted errors."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plant", type=int, default=0, metavar="N", help="plant an error in each of N formulas")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    known = list(entries())
    if chosen.plant:
        table = plant(known, chosen.plant, chosen.seed)
        for sort, counts in (*sorted(table.items()), ("all", tuple(map(sum, zip(*table.values(), strict=True))))):
            print("{:18} planted {:3}, dimensions find {:3}, with examples {:3}".format(sort, *counts))
        return
    found = [f"{entry.document}, {entry.title}: {fault}" for entry in known for fault in faults(entry)]
    print("\n".join((*found, f"{len(known)} formulas, {len(found)} faults")))
    raise SystemExit(bool(found))


if __name__ == "__main__":
    main()
