"""Numbers inside formulas, with the units that may follow them: `8.314\\,\\mathrm{J/(mol\\,K)}`, `5\\%`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from mathrag.compute.grammar.context import Context, Cursor
from mathrag.compute.grammar.lexicon import GROUP_NAMES, OPERATOR_WORDS
from mathrag.compute.grammar.names import is_blank_between, script_marks
from mathrag.compute.grammar.values import read_row
from mathrag.compute.notation import (
    Amount,
    Digits,
    Fence,
    Mark,
    Name,
    Row,
    Script,
    Sign,
    Space,
    Stack,
    Words,
    visible,
)
from mathrag.errors import AmbiguousUnitError, ExpressionLimitError, UnitError
from mathrag.types.expression import (
    MAXIMUM_DIGITS,
    PI,
    Ambiguity,
    Expression,
    Measure,
    Number,
    add,
    divide,
    multiply,
    negate,
    power,
)

_DEGREE = divide(PI, Number(180))
# Letters and functions beside which a number to the power 0 is an angle; a small number may stand in a rule on powers.
_ANGLE_SIGNS = frozenset("alpha beta gamma delta theta phi varphi psi sin cos tan cot".split())
_SMALLEST_ANGLE = 15
_NUMBER = re.compile(r"([+-]?)(\d+(?:\.\d*)?|\.\d+)(?:\(\d+\))?(?:[eE]([+-]?\d{1,3}))?$")
# Marks that a unit of italic letters takes at most.
_LONGEST_UNIT = 8
_GREEK_UNITS = {"Omega": "Ω", "mu": "µ", "angstrom": "Å"}


def literal(text: str, context: Context, position: int) -> Number:
    """A decimal literal within the cap on digits."""
    if len(text) > MAXIMUM_DIGITS:
        raise ExpressionLimitError(
            f"a number of more than {MAXIMUM_DIGITS:,} digits", source=context.source, position=position
        )
    return Number(int(text) if text.isdigit() else Decimal(text))


def read_number(cursor: Cursor) -> Expression:
    """The number under the cursor: plain, in scientific notation, to a power, in degrees or with a unit."""
    mark = cursor.peek()
    context = cursor.context
    assert mark is not None
    cursor.index += 1
    if isinstance(mark, Script):
        return _scripted_number(cursor, mark)
    assert isinstance(mark, Digits)
    value = literal(mark.text, context, mark.position)
    mixed = _mixed_number(cursor, value)
    if mixed is not None:
        return mixed
    _refuse_typed_exponent(cursor, mark)
    exponent = _power_of_ten_ahead(cursor) if not cursor.in_divisor else None
    if exponent is not None:
        cursor.index += 2
        folded = multiply(value, power(Number(10), Number(exponent) if exponent >= 0 else negate(Number(-exponent))))
        if not isinstance(folded, Number):
            return folded
        value = folded
    return _with_unit(cursor, value, mark.position)


def _refuse_typed_exponent(cursor: Cursor, mark: Digits) -> None:
    """`3e^{-5}` right after digits is a power of ten to those who come from a computer, of e to all others."""
    following = cursor.peek()
    base = following.base if isinstance(following, Script) else None
    if (
        isinstance(following, Script)
        and isinstance(base, Name)
        and base.text == "e"
        and following.sup is not None
        and (_whole_exponent(following.sup) or 0) < 0
        and base.position == mark.position + len(mark.text)
    ):
        reason = f"{mark.text}e to a whole power may be a power of ten or a power of e"
        cursor.context.decline("ambiguous_notation", reason, mark.position)


def _mixed_number(cursor: Cursor, value: Number) -> Expression | None:
    """`2\\frac12` is two and a half to most readers; flagged, since it could be a product."""
    following = cursor.peek()
    if not (isinstance(following, Stack) and following.bar and isinstance(value.value, int)):
        return None
    parts = [row.items[0] if len(row.items) == 1 else None for row in (following.above, following.below)]
    above, below = parts
    if not (isinstance(above, Digits) and isinstance(below, Digits) and above.text.isdigit() and below.text.isdigit()):
        return None
    if not 0 < int(above.text) < int(below.text):
        return None
    cursor.context.flag(
        "mixed_number", "the number before the fraction is read as a mixed number, not as a factor", following.position
    )
    cursor.index += 1
    return add(value, divide(Number(int(above.text)), Number(int(below.text))))


def unit_after_value(cursor: Cursor, *, at_end: bool = False) -> Measure | None:
    """One of the unit that follows a computed value, or None. `at_end`: only when nothing comes after the unit."""
    ahead = _unit_ahead(cursor)
    if ahead is None:
        return None
    unit, count = ahead
    if at_end and cursor.peek(count) is not None:
        return None
    cursor.context.flag("unit_inside", f"a value in {unit} stands in the formula", cursor.position())
    cursor.index += count
    return Measure(Number(1), unit)


def _scripted_number(cursor: Cursor, mark: Script) -> Expression:
    context = cursor.context
    base = mark.base
    while isinstance(base, Row):
        base = base.items[0]
    assert isinstance(base, Digits)
    if mark.sub is not None:
        context.decline("subscript", "a number with a subscript is written in another base", mark.position)
    value = literal(base.text, context, base.position)
    marks, labels, exponent = script_marks(mark.sup, context, on_symbol=False)
    if labels or (marks and marks != ("circ",)):
        if marks == ("circ",) and labels and labels[0] in ("C", "F", "K"):
            return Measure(value, {"C": "degC", "F": "degF", "K": "kelvin"}[labels[0]])
        context.decline("superscript", "a number with this mark cannot be read", mark.position)
    if marks == ("circ",) or _is_typed_degree(cursor, value, exponent):
        return _degrees(cursor, value)
    if exponent is None:
        return _with_unit(cursor, value, mark.position)
    raised = power(value, read_row(exponent, context))
    ten = _whole_exponent(exponent)
    if value == Number(10) and ten is not None and _unit_ahead(cursor) is not None:
        return _with_unit(cursor, Number(Decimal((0, (1,), ten))), mark.position)
    return raised


def _is_typed_degree(cursor: Cursor, value: Number, exponent: Row | None) -> bool:
    """`60^o` and `90^0`: a small letter o or a zero in place of the degree sign. To the power 0 nobody raises 90."""
    items = visible(exponent.items) if exponent is not None else []
    only = items[0] if len(items) == 1 else None
    context = cursor.context
    if isinstance(only, Name) and only.text in ("o", "O") and not context.knows(only.text):
        context.flag("degrees", "the letter above the number is read as a degree sign", only.position)
        return True
    if not (isinstance(only, Digits) and only.text == "0") or context.equals_one:
        return False
    is_angle = cursor.in_argument or bool(context.plain_letters & _ANGLE_SIGNS)
    if not is_angle or value.value < _SMALLEST_ANGLE:
        return False
    context.flag("degrees", "the zero above the number is read as a degree sign", only.position)
    return True


def _whole_exponent(row: Row) -> int | None:
    items = visible(row.items)
    sign = 1
    if items and isinstance(items[0], Sign) and items[0].text in "+-":
        sign = -1 if items[0].text == "-" else 1
        items = items[1:]
    if len(items) == 1 and isinstance(items[0], Digits) and items[0].text.isdigit() and len(items[0].text) <= 3:
        return sign * int(items[0].text)
    return None


def _power_of_ten_ahead(cursor: Cursor) -> int | None:
    """The exponent when `\\times 10^{n}` follows."""
    sign, script = cursor.peek(), cursor.peek(1)
    is_typed = isinstance(sign, Name) and sign.text in ("x", "X") and not cursor.context.knows(sign.text)
    if not (
        (is_typed or (isinstance(sign, Sign) and sign.text in ("×", "·")))
        and isinstance(script, Script)
        and script.sup is not None
        and script.sub is None
    ):
        return None
    if not (isinstance(script.base, Digits) and script.base.text == "10"):
        return None
    return _whole_exponent(script.sup)


def _degrees(cursor: Cursor, value: Number) -> Expression:
    """After a degree sign: a temperature when a scale follows, else an angle, converted to radians."""
    following = cursor.peek()
    scale = following.text.strip() if isinstance(following, Name | Words) else ""
    if scale in ("C", "F", "K") and not cursor.in_argument:
        cursor.index += 1
        cursor.context.flag("unit_inside", "a temperature stands in the formula", cursor.position())
        return Measure(value, {"C": "degC", "F": "degF", "K": "kelvin"}[scale])
    cursor.context.flag("degrees", "the angle in degrees is converted to radians", cursor.position())
    return multiply(value, _DEGREE)


def measured(value: Number, unit: str) -> Expression:
    """A number with its unit; an angle in degrees becomes radians, so that functions of it come out right."""
    return multiply(value, _DEGREE) if unit in ("deg", "degree", "arcdeg") else Measure(value, unit)


def _with_unit(cursor: Cursor, value: Number, position: int) -> Expression:
    sign = cursor.peek_sign()
    if sign in ("°", "∘"):
        if sign == "∘" and isinstance(cursor.peek(1), Digits | Fence):
            # `2 \\circ 3`: degrees stand above the line, or at the end.
            cursor.context.decline("unknown_function", "a ring between two values is an operation", cursor.position())
        cursor.index += 1
        return _degrees(cursor, value)
    if sign in ("%", "‰"):
        cursor.context.flag("percent", "a percent sign divides by 100, so that 100 % is 1", cursor.position())
        cursor.index += 1
        return divide(value, Number(100 if sign == "%" else 1000))
    ahead = _unit_ahead(cursor)
    if ahead is None:
        return _italic_unit_ahead(cursor, value) or value
    unit, count = ahead
    if count == 1 and isinstance(mark := cursor.peek(), Name) and cursor.context.knows(mark.text):
        cursor.context.flag(
            "unit_or_symbol", f"the upright {mark.text} after the number is a known symbol", mark.position
        )
        return value
    if count == 1 and isinstance(mark := cursor.peek(), Name) and len(mark.text) == 1:
        cursor.context.flag(
            "unit_or_symbol", f"the upright {mark.text} after the number is read as a unit", mark.position
        )
    cursor.context.flag("unit_inside", f"a value in {unit} stands in the formula", position)
    cursor.index += count
    return measured(value, unit)


def _unit_ahead(cursor: Cursor) -> tuple[str, int] | None:
    """The unit that follows the cursor, as canonical text, and how many marks it takes."""
    count, text = 0, ""
    while (mark := cursor.peek(count)) is not None:
        is_function = (
            isinstance(mark, Name) and mark.text in OPERATOR_WORDS and isinstance(cursor.peek(count + 1), Fence)
        )
        part = None if is_function else unit_text(mark, cursor.context)
        if part is None:
            part = _greek_unit(cursor, count, text)
        if part is not None:
            sticks = not text or text[-1] in "/*(µ" or part == "Ω"
            text += ("" if sticks else " ") + part
            count += 1
            continue
        following = cursor.peek(count + 1)
        joiner = isinstance(mark, Sign) and mark.text in ("/", "·", "*")
        if text and joiner and following is not None and unit_text(following, cursor.context) is not None:
            assert isinstance(mark, Sign)
            text += "/" if mark.text == "/" else "*"
            count += 1
            continue
        break
    if not text:
        return None
    if count == 1 and _is_abbreviation(text, cursor.context):
        return None
    canonical = canonical_unit(text, cursor.context, cursor.position())
    return None if canonical is None else (canonical, count)


# Capitals that are units often enough; other pairs of capitals after a number are names (NA, PV, HR).
_CAPITAL_UNITS = frozenset("MW GW TW MV GV MJ GJ TJ PJ EJ MN GN AU MPA".split())


def _is_abbreviation(text: str, context: Context) -> bool:
    """Whether capitals after a number are more likely a name than a unit; dimensionless groups are too."""
    letters = text.partition("^")[0]
    if letters in GROUP_NAMES or (len(text) > 1 and context.knows(letters)):
        return True
    return len(text) > 1 and text.isalpha() and text.isupper() and text not in _CAPITAL_UNITS


def _greek_unit(cursor: Cursor, count: int, text: str) -> str | None:
    """A micro sign before an upright unit, an ohm after a prefix or set apart from its number."""
    mark, following = cursor.peek(count), cursor.peek(count + 1)
    if not isinstance(mark, Name) or mark.style == "bold" or cursor.context.knows(mark.text):
        return None
    if mark.text == "mu" and isinstance(following, Name) and following.style == "upright":
        return "µ"
    set_apart = not text and cursor.context.spacing_before(mark.position) in ("\\,", "\\;", "\\", "~")
    is_last = following is None or (isinstance(following, Sign) and following.text not in "·×*/")
    if mark.text == "Omega" and is_last and (text in ("k", "M", "m") or set_apart):
        return "Ω"
    return None


def unit_text(mark: Mark, context: Context) -> str | None:
    """A mark as unit text, when it is set as a unit: upright letters, text, their powers and quotients."""
    match mark:
        case Name(text, _, "upright"):
            is_word = text in OPERATOR_WORDS and text not in ("min", "deg")
            return None if is_word else text
        case Words(text, _):
            return text.strip() or None
        case Script(base, None, Row() as sup, _):
            return _raised_unit(base, sup, context)
        case Row(items, _):
            return _joined_unit(items, context)
        case Stack(above, below, _, True):
            top, bottom = _joined_unit(above.items, context), _joined_unit(below.items, context)
            return f"({top})/({bottom})" if top and bottom else None
        case Fence("(", ")", body, _):
            inner = _joined_unit(body.items, context)
            return f"({inner})" if inner else None
        case _:
            return None


def _raised_unit(base: Mark, sup: Row, context: Context) -> str | None:
    """A unit to a whole power, or the degree sign as people raise it over nothing."""
    inner = unit_text(base, context) if not (isinstance(base, Row) and not base.items) else ""
    exponent = _whole_exponent(sup)
    if inner is not None and exponent is not None:
        return f"{inner}^{exponent}"
    only = sup.items[0] if len(sup.items) == 1 else None
    return "°" if inner == "" and isinstance(only, Sign) and only.text in "∘°" else None


def _joined_unit(items: tuple[Mark, ...], context: Context) -> str | None:
    """A row that is all unit: `kg\\,m/s^2`, `k\\Omega`."""
    text = ""
    previous: Mark | None = None
    for mark in items:
        if isinstance(mark, Space):
            text += " "
            continue
        if isinstance(mark, Sign) and mark.text in ("/", "·", "*", "\u2062"):
            text += "/" if mark.text == "/" else "*"
        elif isinstance(mark, Digits) and mark.text == "1" and not text.strip():
            text += "1"
        elif isinstance(mark, Name) and mark.text in _GREEK_UNITS:
            text += _GREEK_UNITS[mark.text]
        else:
            part = unit_text(mark, context)
            if part is None:
                return None
            sticks = isinstance(previous, Name) and previous.text in ("mu", "Omega")
            text += part if sticks or not text or text[-1] in " /*(°" else f" {part}"
        previous = mark
    return text.strip() or None


def canonical_unit(text: str, context: Context, position: int) -> str | None:
    """The canonical text of a unit, or None when the text names none. An ambiguous one is read as usual, flagged."""
    from mathrag.knowledge.units import read_unit, unit_readings

    try:
        return read_unit(text).text or None
    except AmbiguousUnitError as error:
        usual = unit_readings(text)[0].text
        context.flag(
            "unit_ambiguous",
            f"the unit {text} is read as {usual}; it can also mean {', '.join(error.readings[1:])}",
            position,
        )
        return usual
    except UnitError:
        return None


def read_amount(cursor: Cursor, mark: Amount) -> Expression:
    """A number with a unit that the source marked as such (siunitx); `\\num` may have its unit after it."""
    context = cursor.context
    text = (
        re.sub(r"[\s{},]|\\,", "", mark.number)
        .replace("\\times10^", "e")
        .replace("\\cdot10^", "e")
        .replace("x10^", "e")
    )
    match = _NUMBER.match(text)
    if match is None:
        context.decline("syntax", f"{mark.number[:60]!r} is no number", mark.position)
    digits = match.group(2) + (f"e{match.group(3)}" if match.group(3) else "")
    value = literal(digits, context, mark.position)
    result: Expression = value
    if mark.unit == "deg":
        result = multiply(value, _DEGREE)
    elif mark.unit.strip():
        unit = canonical_unit(mark.unit, context, mark.position)
        if unit is None:
            context.decline("unit", f"{mark.unit[:60]!r} is no unit we know", mark.position)
        result = measured(value, unit)
        context.flag("unit_inside", f"a value in {unit} stands in the formula", mark.position)
    else:
        result = _with_unit(cursor, value, mark.position)
    return negate(result) if match.group(1) == "-" else result


def italic_unit(marks: Sequence[Mark], context: Context) -> str | None:
    """What italic letters spell, as unit text that can be read: `kPa`, `m/s^2`; None when it is no unit."""
    text = _italic_text(marks)
    if text is None or not any(character.isalpha() for character in text):
        return None
    noted = len(context.flags)
    is_unit = canonical_unit(text, context, marks[0].position) is not None
    del context.flags[noted:]
    return text if is_unit else None


def is_usual_unit(name: str, unit: str) -> bool:
    """Whether what the symbol usually stands for is measured in this unit."""
    from mathrag.knowledge.kinds import kinds_for_symbol
    from mathrag.knowledge.units import unit_readings

    dimension = unit_readings(unit)[0].dimension
    return any(kind.dimension == dimension for kind in kinds_for_symbol(name))


def _italic_text(marks: Sequence[Mark]) -> str | None:
    text = ""
    for mark in marks:
        base = mark.base if isinstance(mark, Script) else mark
        exponent = (
            _whole_exponent(mark.sup)
            if isinstance(mark, Script) and mark.sup is not None and mark.sub is None
            else None
        )
        if isinstance(mark, Sign) and mark.text == "/":
            text += "/"
        elif (
            isinstance(base, Name)
            and len(base.text) <= 3
            and (mark is base or exponent is not None)
            and base.text.isascii()
        ):
            text += base.text + (f"^{exponent}" if exponent is not None else "")
        else:
            return None
    return text


def _italic_unit_ahead(cursor: Cursor, value: Number) -> Expression | None:
    """The number with the unit that italic letters after it spell, where it was chosen so; else the place is noted."""
    context, start = cursor.context, cursor.peek()
    if start is None:
        return None
    is_fenced = isinstance(start, Fence) and start.opening in ("(", "[")
    marks = visible(start.body.items) if isinstance(start, Fence) and is_fenced else _letters_ahead(cursor)
    text = italic_unit(marks, context) if marks else None
    if text is None or len(text.partition("/")[0].partition("^")[0]) < 2 or any(map(_is_upright, marks)):
        return None
    if text not in context.choices.units:
        is_apart = is_fenced or bool(context.spacing_before(start.position)) or _has_blank_before(start, context)
        context.note(Ambiguity("unit", text, "product", str(value.value), is_set=is_apart))
        return None
    unit = canonical_unit(text, context, start.position)
    assert unit is not None
    context.flag("unit_inside", f"a value in {unit} stands in the formula", start.position)
    cursor.index += 1 if is_fenced else len(marks)
    return measured(value, unit)


def _is_upright(mark: Mark) -> bool:
    base = mark.base if isinstance(mark, Script) else mark
    return isinstance(base, Name) and base.style == "upright"


def _has_blank_before(mark: Mark, context: Context) -> bool:
    return context.source[: mark.position][-1:].isspace()


def _letters_ahead(cursor: Cursor) -> list[Mark]:
    """The letters written together after the cursor, with their powers, and what a slash joins to them."""
    found: list[Mark] = []
    while (mark := cursor.peek(len(found))) is not None and len(found) < _LONGEST_UNIT:
        is_slash = isinstance(mark, Sign) and mark.text == "/"
        base = mark.base if isinstance(mark, Script) else mark
        is_letter = isinstance(base, Name) and base.style == "italic" and len(base.text) == 1 and base.text.isascii()
        last = found[-1] if found else None
        is_joined = last is None or not is_blank_between(last, mark, cursor.context.source) or is_slash
        ends = isinstance(last, Script) and not is_slash
        if not (is_slash and found) and not (is_letter and is_joined and not ends):
            break
        found.append(mark)
    while found and isinstance(found[-1], Sign):
        found.pop()
    return found


def flag_italic_unit(marks: list[Mark], context: Context) -> None:
    """`298\\,K` and `9.8 m/s^2`: a side of one number and italic letters that also spell a unit may be a quantity."""
    if len(marks) < 2 or not isinstance(marks[0], Digits) or len(marks) > 8:
        return
    text = italic_unit(marks[1:], context)
    if text is not None and text not in context.choices.units:
        context.flag(
            "unit_or_symbol", f"{text} after the number is read as symbols; set a unit upright", marks[1].position
        )
