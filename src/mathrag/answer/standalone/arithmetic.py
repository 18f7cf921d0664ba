"""The arithmetic of a standalone module, as text that is never run here: decimals of fifty digits and more.

Floats lose what cancels and what is too small for them. The module computes with decimals, once with fifty digits and
once with seventy, and gives only what both agree on. Pieces are written into a module only where it needs them.
"""

from __future__ import annotations

NUMBERS = '''
def _n(number):
    """A number with all the digits that were written."""
    return decimal.Decimal(repr(number) if isinstance(number, float) else number)


def _number(name, given):
    """What was given with factor and offset of its unit: a number, a pair (28, "g/mol"), or text, "28 g/mol"."""
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
    return _n(given if isinstance(given, str) else number), scale, offset


def _factor(scale):
    """A factor of a unit with all its digits, where it is a simple fraction, or such a part of pi."""
    for base in (1.0, math.pi):
        simple = fractions.Fraction(scale / base).limit_denominator(100000)
        if simple and math.isclose(float(simple) * base, scale, rel_tol=2.4e-16):
            exact = _n(simple.numerator) / _n(simple.denominator)
            return exact if base == 1.0 else exact * _pi()
    return _n(scale)


def _counted(given):
    """The numbers that the formula takes."""
    return [number * _factor(scale) + _n(offset) for number, scale, offset in given]


def _context(digits):
    return decimal.Context(prec=digits, Emin=-999999, Emax=999999)


def _with_digits(formula, given, digits):
    """The value of a formula, computed with so many digits."""
    usual = decimal.getcontext()
    decimal.setcontext(_context(digits))
    try:
        return +_n(formula(*_counted(given)))
    finally:
        decimal.setcontext(usual)


def _surely(formula, given):
    """The value that more digits do not change; None where there is none. What vanishes with them is zero."""
    few, value = _with_digits(formula, given, 50), _with_digits(formula, given, 70)
    if abs(few - value) > abs(value) * _n("1e-12"):
        few, value = value, _with_digits(formula, given, 100)
    if abs(few - value) > abs(value) * _n("1e-12"):
        return _n(0) if abs(value) < abs(few) * _n("1e-9") else None
    for place, (number, scale, offset) in enumerate(given):
        if len(number.normalize().as_tuple().digits) > 15:
            # A float that was computed is off by a rounding; the result must not hang on it.
            near = list(given)
            near[place] = (number * (1 + _n("1.2e-16")), scale, offset)
            if abs(_with_digits(formula, near, 50) - value) > abs(value) * _n("1e-4"):
                return None
    return value


def _in_unit(number, unit):
    """A result in one of its units, as a float."""
    if unit not in RESULT_UNITS:
        raise ValueError("the result cannot be given in " + repr(unit) + "; use one of " + ", ".join(RESULT_UNITS))
    scale, offset = RESULT_UNITS[unit]
    usual = decimal.getcontext()
    decimal.setcontext(_context(70))
    value = (number - _n(offset)) / _factor(scale)
    decimal.setcontext(usual)
    shown = float(value)
    if not math.isfinite(shown):
        raise ValueError("the result is too large")
    if value and abs(shown) < 2.3e-308:
        raise ValueError("the result is too small to be told from zero")
    return shown
'''

PI = '''
def _pi():
    """pi, with as many digits as are computed with."""
    context = decimal.getcontext()
    context.prec += 5
    total, before, term = _n(3), _n(0), _n(3)
    n, even, d, step = 1, 0, 0, 24
    while total != before:
        before = total
        n, even = n + even, even + 8
        d, step = d + step, step + 32
        term = term * n / d
        total += term
    context.prec -= 5
    return +total
'''

ANGLES = '''
def _turned(angle):
    """An angle within half a turn of zero."""
    if angle.adjusted() > 400:
        raise OverflowError("too large")
    context = decimal.getcontext()
    more = max(0, angle.adjusted())
    context.prec += more
    turn = 2 * _pi()
    angle = angle - turn * (angle / turn).to_integral_value()
    context.prec -= more
    return angle


def _wave(angle, term, number):
    """The series of sine and cosine from its first term on."""
    context = decimal.getcontext()
    context.prec += 10
    angle = _turned(angle)
    term = angle if term is None else _n(term)
    total, before = term, None
    while total != before:
        before = total
        number += 2
        term = -term * angle * angle / (number * (number - 1))
        total += term
    context.prec -= 10
    return +total


def _sin(angle):
    return _wave(angle, None, 1)


def _cos(angle):
    return _wave(angle, 1, 0)


def _tan(angle):
    return _sin(angle) / _cos(angle)
'''

ARCS = """
def _atan(number):
    context = decimal.getcontext()
    context.prec += 15
    for _ in range(3):
        number = number / (1 + (1 + number * number).sqrt())
    total, before, power, odd = number, None, number, 1
    while total != before:
        before = total
        power = -power * number * number
        odd += 2
        total += power / odd
    context.prec -= 15
    return 8 * total


def _asin(number):
    rest = (1 - number) * (1 + number)
    if abs(rest) < _n(10) ** (5 - decimal.getcontext().prec):
        return _pi() / 2 if number > 0 else -_pi() / 2
    if rest < 0:
        raise ValueError("no such angle")
    return _atan(number / rest.sqrt())


def _acos(number):
    return _pi() / 2 - _asin(number)


def _atan2(y, x):
    if not x:
        return _pi() / 2 if y > 0 else -_pi() / 2 if y < 0 else _n(0)
    return _atan(y / x) + (0 if x > 0 else _pi() if y >= 0 else -_pi())
"""

EXP = '''
def _exp(number):
    """The exponential; what is far too small is kept as next to nothing."""
    return _n("1e-800000") if number < -1800000 else number.exp()
'''

HYPERBOLIC = """
def _sinh(number):
    return (_exp(number) - _exp(-number)) / 2


def _cosh(number):
    return (_exp(number) + _exp(-number)) / 2


def _tanh(number):
    return 1 - 2 / (_exp(2 * number) + 1)


def _asinh(number):
    size = (abs(number) + (number * number + 1).sqrt()).ln()
    return size if number >= 0 else -size


def _acosh(number):
    return (number + (number * number - 1).sqrt()).ln()


def _atanh(number):
    return ((1 + number) / (1 - number)).ln() / 2
"""

ERROR_FUNCTIONS = """
def _erf(number):
    context = decimal.getcontext()
    context.prec += 5
    total, before, term, odd = number, None, number, 1
    while total != before:
        before = total
        odd += 2
        term = term * 2 * number * number / odd
        total += term
    total = total * 2 * (-number * number).exp() / _pi().sqrt()
    context.prec -= 5
    return +total


def _erfc(number):
    if number > 50:
        return _n("1e-800000")
    context = decimal.getcontext()
    more = 5 + (int(number * number / 2) if number > 0 else 0)
    context.prec += more
    total = 1 - _erf(number)
    context.prec -= more
    return +total
"""

POWERS = """
def _power(base, exponent):
    if not base:
        if exponent < 0:
            raise ZeroDivisionError
        return _n(0 if exponent else 1)
    return base ** exponent
"""

CUBE_ROOT = '''
def _cube_root(number):
    """The real cube root."""
    root = abs(number) ** (_n(1) / 3)
    return root if number >= 0 else -root
'''

SETTLED = '''
def _settled(number):
    """The whole number that a value cannot be told from, or the value."""
    nearest = number.to_integral_value()
    margin = _n(10) ** (8 - decimal.getcontext().prec)
    return nearest if abs(number - nearest) <= margin * max(1, abs(number)) else number
'''

STEPS = """
def _floor(number):
    return _n(math.floor(_settled(number)))


def _ceil(number):
    return _n(math.ceil(_settled(number)))


def _mod(number, divisor):
    return number - divisor * _floor(number / divisor)
"""

WHOLE = '''
def _whole(number):
    """The whole number that a value stands for."""
    number = _settled(_n(number))
    if number != number.to_integral_value():
        raise ValueError("a whole number is needed")
    if abs(number) > 1000000:
        raise OverflowError("too large")
    return int(number)
'''

TERMS = '''
def _terms(first, last):
    """The whole numbers from first to last."""
    first, last = _whole(first), _whole(last)
    if last - first > 1000000:
        raise OverflowError("too many terms")
    return [_n(each) for each in range(first, last + 1)]
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

# Each piece by the calls that ask for it. One that calls another stands behind it.
_NEEDED: tuple[tuple[tuple[str, ...], str], ...] = (
    (("_no_case(",), NO_CASE),
    (("_terms(",), TERMS),
    (("_floor(", "_ceil(", "_mod("), STEPS),
    (("_whole(",), WHOLE),
    (("_settled(",), SETTLED),
    (("_cube_root(",), CUBE_ROOT),
    (("_power(",), POWERS),
    (("_erf(", "_erfc("), ERROR_FUNCTIONS),
    (("_sinh(", "_cosh(", "_tanh(", "_asinh(", "_acosh(", "_atanh("), HYPERBOLIC),
    (("_exp(",), EXP),
    (("_atan(", "_asin(", "_acos(", "_atan2("), ARCS),
    (("_sin(", "_cos(", "_tan("), ANGLES),
    (("_pi(",), PI),
)
# What is computed as floats are, and so has no more digits than they.
ROUNDED = ("math.gamma(", "math.lgamma(")


def pieces_for(code: str) -> list[str]:
    """The fixed parts of a module with this code, in an order in which each is told before it is used."""
    found = [NUMBERS]
    for calls, piece in _NEEDED:
        if any(call in part for part in (code, *found) for call in calls):
            found.append(piece)
    return [piece.strip("\n") for piece in reversed(found)]
