"""Read one answer: number, expression, equation, interval, tuple, set, list, matrix, numeral of a base, words.

Formulas inside are read by the one grammar of formulas. What is not understood is None, never a guess.
"""

from __future__ import annotations

import re

from mathrag.compute.answers.expressions import same_expression
from mathrag.compute.answers.relations import read_relation
from mathrag.compute.answers.single_values import read_expression, read_value
from mathrag.compute.answers.writing import cleaned, fenced, joined_thousands, signs, split_outside
from mathrag.errors import MathragError
from mathrag.language.word_classes import any_of, word_class
from mathrag.types.expression import Negate, Symbol, symbols_of
from mathrag.types.math_answer import (
    AnswerBody,
    EquationAnswer,
    IntervalAnswer,
    MathAnswer,
    MatrixAnswer,
    SeveralAnswer,
    UnionAnswer,
    ValueAnswer,
    WordsAnswer,
)

_DEEPEST = 6
_MOST_ITEMS = 60
_COMMAS = frozenset((",", ";"))
_EQUALS = frozenset(("=", "\\approx", "\\equiv"))
_IN = frozenset(("\\in",))
_CUP = frozenset(("\\cup",))
_JOINTS = any_of("answers.between_answers")
_JOINT_IN_TEXT = re.compile(rf",?\s?\\text\{{\s?,?\s?({_JOINTS})\s?\}}", re.IGNORECASE)
_JOINT_PLAIN = re.compile(rf"(?<=[\s\d}})\]]),?\s?(?<![A-Za-z\\])({_JOINTS})(?![A-Za-z])", re.IGNORECASE)
_OR = "or"
_LETTERS = re.compile(r"[A-Za-z]+(?:['’-][A-Za-z]+)*(?: [A-Za-z]+(?:['’-][A-Za-z]+)*)*")
_LONG_WORD = re.compile(r"[A-Za-z]{4,}|[A-Za-z]{2,} [A-Za-z]{2,}")
_TEXT = re.compile(r"\\(?:text|mathrm|mathbf|rm)\s?\{([^{}]*)\}")
_CHOICE = re.compile(r"\(?\s?([A-Z])\s?\)?")
# "(B) 12": the letter or the number may be what is asked for.
_CHOICE_WITH_MORE = re.compile(r"(?:\\text\s?\{)?\s?\([A-Z]\)\s?\}?\s?[^\s,;}]")
_SUBSCRIPT = re.compile(r"_(?:\{[^{}]{0,40}\}|\\[A-Za-z]{1,20}|[A-Za-z0-9])")
_LABEL_COMMANDS = frozenset(
    (
        "\\alpha", "\\beta", "\\gamma", "\\delta", "\\epsilon", "\\varepsilon", "\\theta", "\\lambda", "\\mu", "\\nu",
        "\\rho", "\\sigma", "\\tau", "\\phi", "\\varphi", "\\omega", "\\Delta", "\\Omega", "\\angle", "\\text",
        "\\mathrm", "\\mathbf", "\\vec", "\\frac", "\\overline", "\\triangle", "\\prime", "\\ell", "\\mathcal",
    )
)  # fmt: skip
_LABEL_SIGNS = frozenset("(){},:'[] ")
_LONGEST_LABEL = 60
# The length of a segment is a name; the size of a number is not, since |x| = 3 says that x is 3 or -3.
_SEGMENT = re.compile(r"\|[A-Z]{2}\|")
_NAME_WORD = re.compile(r"(?<![A-Za-z\\])[A-Za-z]{2,}")
_MOST_NAME_WORDS = 2
_LAST_INDEX = re.compile(r"_\{?\d{1,2}\}?$")
_MATRIX = re.compile(r"\\begin\s?\{([bpvBV]?matrix|array|smallmatrix)\}")
_COLUMNS = re.compile(r"^\s?\{[^{}]{0,40}\}")
_ENTRY_ENDS = frozenset(("&", "\\\\", "\\cr"))
_PLUS_MINUS = re.compile(r"\\(pm|mp)(?![A-Za-z])")
_EMPTY = frozenset(("\\emptyset", "\\{\\}", "\\{ \\}"))
_REALS = frozenset(("\\mathbb{R}", "\\mathbb R", "\\R", "\\mathbf{R}"))
_INFINITY = Symbol("infinity")
_SET_FENCES = ("\\{", "\\}")
_TUPLE_FENCES = (("(", ")"), ("\\langle", "\\rangle"))


def read_answer(text: str) -> MathAnswer | None:
    """What an answer is; None where it is not understood."""
    plain = cleaned(text)
    if not plain:
        return None
    try:
        found = _whole(plain, 0)
    except (MathragError, RecursionError):
        return None
    return None if found is None else MathAnswer(found.body, found.label, plain)


def _whole(text: str, depth: int) -> MathAnswer | None:
    if depth > _DEEPEST or not text:
        return None
    inside = _TEXT.fullmatch(text)
    if inside and any(sign.isdigit() for sign in inside.group(1)):
        # Everything set as text, the number too.
        text = inside.group(1).strip()
    if _CHOICE_WITH_MORE.match(text):
        return None
    words = _words(text)
    if words is not None:
        return MathAnswer(words, written=text)
    grouped = _grouped(text, depth)
    if grouped is not None:
        return grouped
    pieces = _listed(text)
    if len(pieces) > _MOST_ITEMS:
        return None
    if len(pieces) > 1:
        return _several(pieces, depth)
    return _single(pieces[0][1], depth) if pieces else None


def _words(text: str) -> WordsAnswer | None:
    """Words or the letter of a choice; letters that may be a product are left to the grammar."""
    inside = _TEXT.fullmatch(text)
    plain = (inside.group(1) if inside else text).strip()
    if plain.lower() in word_class("answers.verdicts"):
        return WordsAnswer(plain.lower())
    choice = _CHOICE.fullmatch(plain)
    if choice and (inside or plain.startswith("(")):
        return WordsAnswer(choice.group(1), is_choice=True)
    if not _LETTERS.fullmatch(plain):
        return None
    if plain.lower() in word_class("answers.nothing_solves"):
        return WordsAnswer("no solution")
    is_word = bool(inside) and len(plain) > 1
    if is_word or (len(plain) > 3 and plain.lower() not in ("sqrt", "theta", "alpha", "beta")):
        return WordsAnswer(" ".join(plain.lower().split()))
    return None


def _listed(text: str) -> list[tuple[str, str]]:
    """The text cut at commas, semicolons and "and"; the sign before each piece is "or" where that word stands."""
    marked = _JOINT_IN_TEXT.sub(lambda match: f" ; {match.group(1).lower()} ", text)
    if "\\text" not in marked:
        marked = _JOINT_PLAIN.sub(lambda match: f" ; {match.group(1).lower()} ", marked)
    pieces = split_outside(joined_thousands(marked, outside=True), _COMMAS)
    found = []
    for sign, piece in pieces:
        word = re.match(rf"({_JOINTS})\s", piece + " ")
        if word and sign:
            found.append((word.group(1), piece[word.end() :].strip()))
        else:
            found.append((sign, piece))
    return [(sign, piece) for sign, piece in found if piece]


def _several(pieces: list[tuple[str, str]], depth: int) -> MathAnswer | None:
    read = [_single(piece, depth) for _, piece in pieces]
    items = [each for each in read if each is not None]
    if len(items) != len(read):
        return None
    if all(isinstance(each.body, IntervalAnswer | UnionAnswer) for each in items) and pieces[-1][0] == _OR:
        labels = {each.label for each in items}
        return MathAnswer(UnionAnswer(_parts_of(items)), labels.pop() if len(labels) == 1 else "")
    labels_in_order = [each.label for each in items]
    stems = {_LAST_INDEX.sub("", label) for label in labels_in_order if label}
    if len(stems) > 1 or (stems and not labels_in_order[0]):
        if not all(labels_in_order) or len(set(labels_in_order)) != len(items):
            return None
        return MathAnswer(SeveralAnswer(tuple(items), "named"))
    bare = tuple(MathAnswer(each.body, "", each.written) for each in items)
    return MathAnswer(SeveralAnswer(_opened(bare), "list"), stems.pop() if stems else "")


def _grouped(text: str, depth: int) -> MathAnswer | None:
    """Several solutions with their names, "x = 1, y = 2; x = 3, y = 4", as the tuples they are."""
    groups = split_outside(text, frozenset((";",)))
    if not 2 <= len(groups) <= _DEEPEST or not all("=" in group and "," in group for _, group in groups):
        return None
    read = [_several(_listed(group), depth) for _, group in groups]
    solutions = [each.body for each in read if each is not None and isinstance(each.body, SeveralAnswer)]
    named = [each for each in solutions if each.arrangement == "named"]
    if len(named) != len(groups) or len({tuple(item.label for item in each.items) for each in named}) != 1:
        return None
    return MathAnswer(SeveralAnswer(tuple(MathAnswer(SeveralAnswer(each.items, "tuple")) for each in named), "list"))


def _parts_of(items: list[MathAnswer]) -> tuple[MathAnswer, ...]:
    parts: list[MathAnswer] = []
    for each in items:
        parts.extend(each.body.parts if isinstance(each.body, UnionAnswer) else (each,))
    return tuple(MathAnswer(part.body, "", part.written) for part in parts)


def _opened(items: tuple[MathAnswer, ...]) -> tuple[MathAnswer, ...]:
    """Both values of a plus-minus among others stand in the list themselves."""
    found: list[MathAnswer] = []
    for each in items:
        if isinstance(each.body, SeveralAnswer) and each.body.arrangement == "list":
            found.extend(each.body.items)
        else:
            found.append(each)
    return tuple(found)


def _single(text: str, depth: int) -> MathAnswer | None:
    words = _words(text)
    if words is not None:
        return MathAnswer(words, written=text)
    pieces = split_outside(text, _IN)
    if len(pieces) == 2 and is_label(pieces[0][1]):
        found = _single(pieces[1][1], depth + 1)
        return None if found is None else MathAnswer(_as_interval(found.body), pieces[0][1], text)
    relation = read_relation(text, is_label)
    if relation is not None:
        return MathAnswer(relation[0], relation[1], text)
    members = split_outside(text, _EQUALS)
    if len(members) > 1:
        return _equation(members, text, depth)
    body = _body(text, depth)
    return None if body is None else MathAnswer(body, written=text)


def _as_interval(body: AnswerBody) -> AnswerBody:
    """A pair in round brackets behind "is in" is an interval without its ends."""
    if isinstance(body, SeveralAnswer) and body.arrangement == "tuple" and len(body.items) == 2:
        ends = [each.body for each in body.items]
        if all(isinstance(end, ValueAnswer) for end in ends):
            low, high = (end.expression for end in ends if isinstance(end, ValueAnswer))
            return IntervalAnswer(low, high, has_low=False, has_high=False)
    return body


def _equation(members: list[tuple[str, str]], text: str, depth: int) -> MathAnswer | None:
    """ "x = 5" is 5 with a name; other equations are answers themselves. In a chain the last exact member counts."""
    exact = [member for sign, member in members[1:] if sign == "="] or [members[1][1]]
    first = members[0][1]
    if not first or is_label(first):
        found = _single(exact[-1], depth + 1)
        return None if found is None else MathAnswer(found.body, _plain_label(first), text)
    if len(members) != 2:
        return None
    left, right = read_expression(first), read_expression(exact[-1])
    if left is None or right is None:
        return None
    if not symbols_of(left) and not symbols_of(right):
        # A calculation that was written out: its value, where it holds.
        same = same_expression(left, right)
        holds = same is not False if members[1][0] == "\\approx" else same
        return MathAnswer(ValueAnswer(left), written=text) if holds else None
    if is_label(exact[-1]) and isinstance(right, Symbol):
        return MathAnswer(ValueAnswer(left), _plain_label(exact[-1]), text)
    return MathAnswer(EquationAnswer(left, right), written=text)


def is_label(text: str) -> bool:
    """Whether a text only names something: letters with indices, f(x), (p, q), A : B. No number, no calculation."""
    if not text or len(text) > _LONGEST_LABEL:
        return False
    bare = _SEGMENT.sub("AB", _SUBSCRIPT.sub("", text))
    if len(_NAME_WORD.findall(bare)) > _MOST_NAME_WORDS:
        return False
    has_letter = False
    for sign in signs(bare):
        if (sign.isalpha() and sign.isascii()) or sign in _LABEL_COMMANDS:
            has_letter = True
        elif sign not in _LABEL_SIGNS:
            return False
    return has_letter


def _plain_label(text: str) -> str:
    return re.sub(r"\\(?:text|mathrm|mathbf)\s?|[{}\s]", "", text)


def _body(text: str, depth: int) -> AnswerBody | None:
    if text in _EMPTY:
        return SeveralAnswer((), "set")
    if text in _REALS:
        return IntervalAnswer(Negate(_INFINITY), _INFINITY, has_low=False, has_high=False)
    for read in (_union, _matrix, _in_fences, _plus_minus, _ratio):
        found = read(text, depth)
        if found is not None:
            return found
    if _PLUS_MINUS.search(text):
        return None
    return read_value(text)


def _union(text: str, depth: int) -> AnswerBody | None:
    pieces = split_outside(text, _CUP)
    if len(pieces) < 2 or len(pieces) > _MOST_ITEMS:
        return None
    read = [_body(piece, depth + 1) for _, piece in pieces]
    parts = [_as_interval(body) for body in read if body is not None]
    are_sets = all(
        isinstance(part, IntervalAnswer) or (isinstance(part, SeveralAnswer) and part.arrangement == "set")
        for part in parts
    )
    if len(parts) != len(pieces) or not are_sets:
        return None
    return UnionAnswer(tuple(MathAnswer(part) for part in parts))


def _matrix(text: str, depth: int) -> AnswerBody | None:
    start = _MATRIX.match(text)
    if start is None:
        held = fenced(text)
        # Brackets around an array are those of a matrix.
        return _matrix(held[1], depth + 1) if held and depth < _DEEPEST and _MATRIX.match(held[1]) else None
    ending = f"\\end{{{start.group(1)}}}"
    if start.group(1) in ("vmatrix", "Vmatrix") or not text.endswith(ending) or text.count("\\begin") != 1:
        return None
    inside = text[start.end() : -len(ending)]
    if start.group(1) == "array":
        inside = _COLUMNS.sub("", inside)
    rows: list[list[MathAnswer]] = [[]]
    for sign, entry in split_outside(inside, _ENTRY_ENDS):
        if sign not in ("", "&"):
            rows.append([])
        if not entry and sign != "&":
            continue
        body = _body(entry, depth + 1) if entry else None
        if body is None:
            return None
        rows[-1].append(MathAnswer(body, written=entry))
    filled = tuple(tuple(row) for row in rows if row)
    if not filled or len({len(row) for row in filled}) != 1 or len(filled) * len(filled[0]) > _MOST_ITEMS:
        return None
    return MatrixAnswer(filled)


def _in_fences(text: str, depth: int) -> AnswerBody | None:
    held = fenced(text)
    if held is None:
        return None
    opening, inside, closing = held
    entries = _entries(inside)
    if not 0 < len(entries) <= _MOST_ITEMS or not all(entries):
        return None
    if len(entries) == 1 and (opening, closing) != _SET_FENCES:
        return None
    if any(sign in inside for sign in ("\\mid", "|", ":")) and opening == "\\{":
        return None
    items = [_whole(entry, depth + 1) for entry in entries]
    read = tuple(item for item in items if item is not None)
    if len(read) != len(items):
        return None
    if (opening, closing) == _SET_FENCES:
        return SeveralAnswer(_opened(read), "set")
    if (opening, closing) in _TUPLE_FENCES:
        return SeveralAnswer(read, "tuple")
    return _interval_or_list(opening, closing, read)


def _entries(inside: str) -> list[str]:
    """What commas part. Between brackets a comma without a blank parts too, unless others have one or zeros lead."""
    has_blank = re.search(r",\s", inside) is not None
    has_zeros = re.search(r"(?<=\d),0\d\d(?!\d)", inside) is not None
    text = joined_thousands(inside) if has_blank or has_zeros else inside
    return [piece for _, piece in split_outside(text, _COMMAS)]


def _interval_or_list(opening: str, closing: str, items: tuple[MathAnswer, ...]) -> AnswerBody | None:
    if opening not in "([" or closing not in ")]":
        return None
    bodies = [item.body for item in items]
    values = [body.expression for body in bodies if isinstance(body, ValueAnswer) and body.unit is None]
    if len(items) == 2 and len(values) == 2:
        return IntervalAnswer(values[0], values[1], has_low=opening == "[", has_high=closing == "]")
    return SeveralAnswer(items, "tuple") if (opening, closing) == ("[", "]") else None


def _plus_minus(text: str, depth: int) -> AnswerBody | None:
    """Both values; all upper signs belong together, and all lower ones."""
    if not _PLUS_MINUS.search(text):
        return None
    upper = _PLUS_MINUS.sub(lambda match: "+" if match.group(1) == "pm" else "-", text)
    lower = _PLUS_MINUS.sub(lambda match: "-" if match.group(1) == "pm" else "+", text)
    values = [read_value(each.strip().removeprefix("+")) for each in (upper, lower)]
    items = tuple(MathAnswer(value) for value in values if isinstance(value, ValueAnswer))
    return SeveralAnswer(items, "list") if len(items) == 2 and depth <= _DEEPEST else None


def _ratio(text: str, depth: int) -> AnswerBody | None:
    pieces = split_outside(text, frozenset((":",)))
    if not 2 <= len(pieces) <= _DEEPEST:
        return None
    clock = read_value(text)
    if clock is not None:
        return clock
    values = [_body(piece, depth + 1) for _, piece in pieces]
    if not all(isinstance(value, ValueAnswer) for value in values):
        return None
    return SeveralAnswer(tuple(MathAnswer(value) for value in values if value is not None), "ratio")
