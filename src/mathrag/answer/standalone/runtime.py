"""The fixed parts of a standalone module: reading values with units, whole numbers, the self-test. Text, never run."""

NUMBERS = '''
def _number(name, given):
    """A value as the formula counts it: a number, a pair such as (28, "g/mol"), or text such as "28 g/mol"."""
    units = UNITS[name]
    unit = next(iter(units))
    if isinstance(given, str):
        parts = given.strip().split(None, 1)
        given = parts[0] if parts else ""
        unit = parts[1] if len(parts) > 1 else unit
    elif isinstance(given, (tuple, list)):
        if len(given) != 2 or not isinstance(given[1], str):
            raise TypeError(name + " needs a number and a unit")
        given, unit = given
    if isinstance(given, bool):
        raise TypeError(name + " needs a number")
    try:
        number = given if isinstance(given, int) else float(given)
        finite = math.isfinite(number)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(name + " needs a number") from None
    if not finite:
        raise ValueError(name + " is not a finite number")
    if unit not in units:
        raise ValueError(name + " cannot be given in " + repr(unit) + "; use one of " + ", ".join(units))
    scale, offset = units[unit]
    return number if scale == 1.0 and offset == 0.0 else number * scale + offset


def _in_unit(number, unit):
    """A result in one of its units."""
    if unit not in RESULT_UNITS:
        raise ValueError("the result cannot be given in " + repr(unit) + "; use one of " + ", ".join(RESULT_UNITS))
    scale, offset = RESULT_UNITS[unit]
    return number if scale == 1.0 and offset == 0.0 else (number - offset) / scale
'''

WHOLE = '''
def _whole(number):
    """The whole number that a float stands for."""
    if not float(number).is_integer():
        raise ValueError("a whole number is needed")
    if abs(number) > 1000000:
        raise OverflowError("too large")
    return int(number)
'''

TERMS = '''
def _terms(first, last):
    """The whole numbers from first to last."""
    if not (float(first).is_integer() and float(last).is_integer()):
        raise ValueError("a sum runs over whole numbers")
    if last - first > 1000000:
        raise OverflowError("too many terms")
    return range(int(first), int(last) + 1)
'''

CUBE_ROOT = '''
def _cube_root(number):
    """The real cube root."""
    return math.copysign(math.pow(abs(number), 1.0 / 3.0), number)
'''

NO_CASE = """
def _no_case():
    raise ValueError("no case of the formula covers these values")
"""

SELF_TEST = """
if __name__ == "__main__":
    _inputs, _expected = WORKED_EXAMPLE
    _found = {function}(**_inputs)
    if not math.isclose(_found, _expected, rel_tol=1e-9):
        raise SystemExit("the worked example gives " + repr(_found) + ", expected " + repr(_expected))
    print({target} + " = " + repr(_found) + {unit} + " (worked example holds)")
"""

NEEDED = {
    "_whole(": WHOLE,
    "_terms(": TERMS,
    "_cube_root(": CUBE_ROOT,
    "_no_case(": NO_CASE,
}
