"""Names in Python-like text brought to the house convention: Greek spelled out, subscripts after an underscore."""

from __future__ import annotations

import keyword
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mathrag.errors import FormulaError
from mathrag.types.expression import (
    FUNCTIONS,
    ONE,
    PI,
    TEN,
    TWO,
    Expression,
    Number,
    add,
    call,
    divide,
    multiply,
    negate,
    power,
    subtract,
)
from mathrag.types.symbol_names import GREEK

MAXIMUM_NAME_LENGTH = 64

# Combining signs and the words the convention has for them.
_MARKS = {
    "\u0304": "bar",
    "\u0305": "bar",
    "\u0302": "hat",
    "\u0307": "dot",
    "\u0308": "ddot",
    "\u20d7": "vec",
    "\u0303": "tilde",
    "\u0306": "breve",
    "\u030c": "check",
    "′": "prime",
    "″": "dprime",
}
# Greek letters that no reader can tell from a Latin one.
_TWINS = frozenset("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο")


@dataclass(frozen=True, slots=True)
class CanonicalName:
    """A name in our convention and, where a character was replaced by a guess, a sentence about it."""

    name: str
    note: str = ""


def canonical_name(text: str, position: int) -> CanonicalName:
    """The canonical name of a run of name characters. Raises FormulaError at the offending character."""
    if len(text) > MAXIMUM_NAME_LENGTH:
        raise FormulaError(
            "not_a_name",
            f"a name has at most {MAXIMUM_NAME_LENGTH} characters, this has {len(text)}",
            position=position,
        )
    found = CanonicalName(text) if text.isascii() else _from_unicode(text, position)
    name = found.name
    if name.startswith("_") or "__" in name:
        raise FormulaError(
            "not_a_name", f"{name!r} is not a symbol name: it has a leading or a double underscore", position=position
        )
    return CanonicalName(f"{name}_", found.note) if keyword.iskeyword(name) and name == "lambda" else found


class _Builder:
    """Collects the pieces of one name: the letters, the subscripts written small, the marks set above."""

    def __init__(self, text: str, position: int) -> None:
        self.text = text
        self.position = position
        self.main = ""
        self.subscript = ""
        self.marks: list[str] = []
        self.after_greek = ""
        self.note = ""

    def fail(self, index: int, code: str, reason: str) -> FormulaError:
        return FormulaError(code, reason, position=self.position + index)

    def add(self, index: int, character: str) -> None:
        if character in _MARKS:
            self.marks.append(_MARKS[character])
        elif character.isascii():
            self._latin(index, character)
        elif character in GREEK:
            self._greek(index, character)
        else:
            self._other(index, character)

    def _latin(self, index: int, character: str) -> None:
        if self.subscript and character != "_":
            raise self.fail(index, "joined_letters", f"a letter follows a subscript in {self.text!r}; write * between")
        if self.after_greek and character != "_":
            if character.isalpha() and self.after_greek != "Delta":
                raise self.fail(
                    index,
                    "joined_letters",
                    f"{self.text!r} joins letters; write * between them, or _ before a subscript",
                )
            self.main += "_"
        self.after_greek = ""
        self.main += character

    def _greek(self, index: int, character: str) -> None:
        word = GREEK[character]
        if self.after_greek and self.after_greek != "Delta":
            raise self.fail(index, "joined_letters", f"{self.text!r} joins letters; write * between them")
        if self.main and not self.main.endswith("_") and not self.after_greek:
            raise self.fail(index, "joined_letters", f"{self.text!r} joins letters; write * between them")
        self.main += ("_" if self.after_greek else "") + word
        self.after_greek = word
        if character in _TWINS:
            self.note = f"{character} is the Greek letter {word}, not the Latin one it looks like"

    def _other(self, index: int, character: str) -> None:
        kind = unicodedata.decomposition(character).partition(" ")[0]
        plain = unicodedata.normalize("NFKC", character)
        if kind == "<sub>" and plain.isascii() and plain.isalnum():
            self.subscript += plain
        elif kind in ("<font>", "<wide>") and (plain in GREEK or (plain.isascii() and plain.isalnum())):
            self.note = f"{character} is read as {plain}"
            self.add(index, plain)
        elif kind and not kind.startswith("<"):
            base, *signs = list(unicodedata.normalize("NFD", character))
            if base == character or not all(sign in _MARKS for sign in signs):
                raise self._foreign(index, character)
            self.add(index, base)
            self.marks.extend(_MARKS[sign] for sign in signs)
        else:
            raise self._foreign(index, character)

    def _foreign(self, index: int, character: str) -> FormulaError:
        name = unicodedata.name(character, "an unnamed character").lower()
        return self.fail(
            index, "look_alike", f"{character!r} ({name}) is not a letter formulas use; write it in Latin or Greek"
        )


def _from_unicode(text: str, position: int) -> CanonicalName:
    builder = _Builder(text, position)
    for index, character in enumerate(text):
        builder.add(index, character)
    if not builder.main or not builder.main[0].isalpha():
        raise FormulaError("not_a_name", f"{text!r} has no letter to be a name", position=position)
    pieces = [builder.main, *([builder.subscript] if builder.subscript else []), *builder.marks]
    return CanonicalName("_".join(pieces), builder.note)


# The functions Python-like text may call: those of the tree, their other spellings, and ones made of several nodes.

# Packages whose functions people write with a prefix; the prefix says nothing more.
PREFIXES = frozenset(("math", "np", "numpy", "sp", "sympy", "Math", "scipy", "cmath", "statistics"))

# Functions of many values, which may stand in a list: mean(a, b) and mean([a, b]).
GATHERING = frozenset(("sum", "prod", "mean", "average", "median", "min", "max"))

# Names that are a function before a parenthesis and a symbol elsewhere.
SYMBOL_LIKE = frozenset(("gamma", "mean", "average", "median"))

_SPELLINGS = {
    "ln": "log",
    "arcsin": "asin",
    "arccos": "acos",
    "arctan": "atan",
    "arctan2": "atan2",
    "arcsinh": "asinh",
    "arccosh": "acosh",
    "arctanh": "atanh",
    "arsinh": "asinh",
    "arcosh": "acosh",
    "artanh": "atanh",
    "fabs": "abs",
    "absolute": "abs",
    "Abs": "abs",
    "ceiling": "ceil",
    "binomial": "comb",
    "binom": "comb",
    "choose": "comb",
    "nCr": "comb",
    "nPr": "perm",
    "Min": "min",
    "Max": "max",
    "minimum": "min",
    "maximum": "max",
    "gammaln": "lgamma",
    "loggamma": "lgamma",
    "Mod": "mod",
    "fact": "factorial",
}

_NodeBuilder = Callable[[Sequence[Expression]], Expression]


def _power_modulo(arguments: Sequence[Expression]) -> Expression:
    raised = power(arguments[0], arguments[1])
    return raised if len(arguments) == 2 else call("mod", raised, arguments[2])


def _logarithm(arguments: Sequence[Expression]) -> Expression:
    if len(arguments) == 1:
        return call("log", arguments[0])
    value, base = arguments
    if base == TEN:
        return call("log10", value)
    if base == TWO:
        return call("log2", value)
    return divide(call("log", value), call("log", base))


def _square_sum(arguments: Sequence[Expression]) -> Expression:
    return call("sqrt", add(*(power(each, TWO) for each in arguments)))


def _mean(arguments: Sequence[Expression]) -> Expression:
    return divide(add(*arguments), Number(len(arguments))) if len(arguments) > 1 else arguments[0]


def _median(arguments: Sequence[Expression]) -> Expression:
    """The value in the middle, picked by smallest and largest of pairs: no digits are lost as by sums."""
    if len(arguments) < 3:
        return _mean(arguments)
    *pairs, last = arguments if len(arguments) % 2 else (*arguments, None)
    if len(pairs) == 2:
        smaller, larger = call("min", *pairs), call("max", *pairs)
    else:
        first, second = pairs[:2], pairs[2:]
        smaller = call("max", call("min", *first), call("min", *second))
        larger = call("min", call("max", *first), call("max", *second))
    if last is None:
        return _mean((smaller, larger))
    # Of five, those two are in order but for the fifth, which may lie between them or beside.
    low, high = (smaller, larger) if len(pairs) == 2 else (call("min", smaller, larger), call("max", smaller, larger))
    return call("max", low, call("min", high, last))


_HALF_TURN = Number(180)
_MOST_GATHERED = 1_000

# name -> fewest and most arguments, and what it means in the tree.
_COMPOSED: dict[str, tuple[int, int, _NodeBuilder]] = {
    "log": (1, 2, _logarithm),
    "pow": (2, 3, _power_modulo),
    "power": (2, 2, _power_modulo),
    "log1p": (1, 1, lambda a: call("log", add(ONE, a[0]))),
    "expm1": (1, 1, lambda a: subtract(call("exp", a[0]), ONE)),
    "exp2": (1, 1, lambda a: power(TWO, a[0])),
    "square": (1, 1, lambda a: power(a[0], TWO)),
    "hypot": (2, 8, _square_sum),
    "radians": (1, 1, lambda a: divide(multiply(a[0], PI), _HALF_TURN)),
    "deg2rad": (1, 1, lambda a: divide(multiply(a[0], PI), _HALF_TURN)),
    "degrees": (1, 1, lambda a: divide(multiply(a[0], _HALF_TURN), PI)),
    "rad2deg": (1, 1, lambda a: divide(multiply(a[0], _HALF_TURN), PI)),
    "sec": (1, 1, lambda a: divide(ONE, call("cos", a[0]))),
    "csc": (1, 1, lambda a: divide(ONE, call("sin", a[0]))),
    "cot": (1, 1, lambda a: divide(ONE, call("tan", a[0]))),
    "isqrt": (1, 1, lambda a: call("floor", call("sqrt", a[0]))),
    "mean": (1, _MOST_GATHERED, _mean),
    "average": (1, _MOST_GATHERED, _mean),
    "median": (1, 5, _median),
    "neg": (1, 1, lambda a: negate(a[0])),
}

NAMES = frozenset((*FUNCTIONS, *_SPELLINGS, *_COMPOSED))


def build_call(name: str, arguments: Sequence[Expression]) -> Expression | str:
    """The tree of a call, or a sentence saying how many arguments the function takes."""
    composed = _COMPOSED.get(name)
    if composed is not None:
        fewest, most, build = composed
        if fewest <= len(arguments) <= most:
            return build(arguments)
        wanted = str(fewest) if fewest == most else f"{fewest} to {most}"
        return f"{name} takes {wanted} argument(s), not {len(arguments)}"
    function = _SPELLINGS.get(name, name)
    arity = FUNCTIONS[function]
    if not arguments or (arity >= 0 and len(arguments) != arity):
        return f"{name} takes {arity if arity >= 0 else 'one or more'} argument(s), not {len(arguments)}"
    return call(function, *arguments)
