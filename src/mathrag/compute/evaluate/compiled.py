"""Trees compiled once to closures over floats, for evaluation in about a microsecond. No code is generated.

The closures are specialised for the shapes formulas have: products of symbols with a number before them, small
whole powers, sums of such products. They raise Python's arithmetic errors; the function handed out catches them and
asks the careful evaluator for the sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from mathrag.compute.evaluate.careful import CarefulEvaluator
from mathrag.compute.evaluate.closures import Compiler
from mathrag.compute.evaluate.exact import evaluate
from mathrag.compute.evaluate.failure import MAXIMUM_EVALUATED_DEPTH, EvaluationStoppedError, Failure
from mathrag.types.expression import Expression, depth_of, symbols_of

CompiledExpression = Callable[..., "float | Failure"]

_CATCHABLE = (ArithmeticError, ValueError, TypeError)


def compile_expression(expression: Expression, order: Sequence[str]) -> CompiledExpression:
    """A function of the symbols in `order`, called by position: `compile_expression(tree, ["m", "v"])(2.0, 3.0)`.

    Measures count as their plain number; use `evaluate_quantity` where units matter. The function is safe to call
    from several threads and returns a Failure instead of raising.
    """
    missing = [name for name in symbols_of(expression) if name not in order]
    if missing:
        return _always(Failure("missing_value", f"no value is given for {', '.join(missing)}"))
    if depth_of(expression) > MAXIMUM_EVALUATED_DEPTH:
        return _always(Failure("too_large", "the formula is nested too deeply to be evaluated"))
    compiler = Compiler(order)
    body = compiler.compile(expression)
    count = len(order)
    names = tuple(order)
    scratch = compiler.scratch

    def run(*values: float) -> float | Failure:
        if len(values) != count:
            return Failure("missing_value", f"{count} value(s) are needed ({', '.join(names)}), not {len(values)}")
        try:
            result = body(values)
            # A difference with itself is zero only for finite numbers. Zero itself may hide an underflow.
            if type(result) is float and result - result == 0.0 and result != 0.0:
                return result
        except _CATCHABLE:
            pass
        return _checked(expression, dict(zip(names, values, strict=True)))

    def run_with_scratch(*values: float) -> float | Failure:
        if len(values) != count:
            return Failure("missing_value", f"{count} value(s) are needed ({', '.join(names)}), not {len(values)}")
        try:
            result = body([*values, *scratch])
            if type(result) is float and result - result == 0.0 and result != 0.0:
                return result
        except _CATCHABLE:
            pass
        return _checked(expression, dict(zip(names, values, strict=True)))

    return run_with_scratch if scratch else run


def _always(failure: Failure) -> CompiledExpression:
    def refuse(*_: float) -> float | Failure:
        return failure

    return refuse


def _checked(expression: Expression, values: Mapping[str, Any]) -> float | Failure:
    """The same value with every step checked; exact arithmetic where floats are too coarse for whole numbers."""
    for name, value in values.items():
        if not isinstance(value, int | float) or value - value != 0:
            return Failure("bad_value", f"the value of {name} is not a finite number")
    try:
        return CarefulEvaluator(values).value(expression)
    except EvaluationStoppedError as raised:
        failure = raised.failure
    except OverflowError:
        failure = Failure("overflow", "a value is too large for floating point")
    if failure.code not in ("too_large", "overflow") or any(value != int(value) for value in values.values()):
        return failure
    exact = evaluate(expression, {name: int(value) for name, value in values.items()})
    if not isinstance(exact, int | Fraction):
        return failure
    try:
        value = float(exact)
    except OverflowError:
        return failure
    return failure if value == 0.0 and exact != 0 else value
