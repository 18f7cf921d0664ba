"""Vectors by type: which marks have a direction, what may be computed with their sizes, and what must not.

A product of a scalar and a vector has a size that follows from the sizes; a sum of vectors has none that does. So an
equation of single vectors is kept as one of magnitudes, with a flag, and sums and products of vectors are declined.
"""

from __future__ import annotations

from collections.abc import Sequence

from mathrag.compute.grammar.context import Context, Matrix, Value
from mathrag.compute.grammar.lexicon import EQUALITIES
from mathrag.compute.grammar.names import is_vector, symbol_parts
from mathrag.compute.notation import Accent, Digits, Fence, Mark, Name, Row, Script, Sign, Stack, visible, walk_marks
from mathrag.types.expression import Call, Expression, Multiply, Symbol
from mathrag.types.symbol_names import SymbolParts, join_name

# Letters that name the directions of one frame; hats over two of them in a sum are components.
_FRAMES = (
    frozenset(("i", "j", "k", "imath", "jmath")),
    frozenset("xyz"),
    frozenset(("r", "theta", "phi", "varphi")),
    frozenset(("rho", "s", "phi", "varphi", "z")),
    frozenset("nt"),
)
# Letters whose hat is a direction where it stands as a factor, and an estimate where something is computed for it.
_DIRECTIONS = frozenset().union(*_FRAMES) | {"u", "e"}
_AXES = ("i", "j", "k")
_ANGLE_FUNCTIONS = ("sin", "cos")


def survey_vectors(row: Row, marks: Sequence[Mark], context: Context) -> None:
    """Note whether the formula has vectors, and which of its hatted letters are directions.

    An expression without a relation states nothing that could be wrong of sizes, so it is left alone.
    """
    is_marked = any(isinstance(mark, Accent) or (isinstance(mark, Name) and mark.style == "bold") for mark in marks)
    if not is_marked or not any(isinstance(mark, Sign) and mark.text in EQUALITIES for mark in marks):
        return
    context.bold_is_plain = _is_bold_throughout(context.source)
    context.has_vectors = any(_is_set_as_vector(mark, context) for mark in marks)
    hats = [mark for mark in marks if isinstance(mark, Accent) and mark.mark == "hat"]
    if hats:
        context.directions = frozenset(_direction_names(row, hats, context))


def is_vector_mark(mark: Mark, context: Context) -> bool:
    """Whether a mark is a vector: set as one, unless the whole formula is merely printed bold."""
    if context.bold_is_plain:
        return any(isinstance(part, Accent) and part.mark == "vec" for part in _letters_of(mark))
    return is_vector(mark)


def refuse_vector_sum(terms: Sequence[Sequence[Mark]], context: Context, position: int) -> None:
    """Vectors that are added do not add their sizes: components, resultants, a vector and its change."""
    if len(terms) < 2:
        return
    if _are_along_axes(terms):
        context.decline("vector_sum", "components along i, j and k do not add as numbers", position)
    if not (context.has_vectors or context.directions):
        return
    if any(points_somewhere(term, context) for term in terms):
        reason = "components along different directions do not add as numbers"
        context.decline("vector_sum", reason, position)
    if any(_is_vector_term(term, context) for term in terms):
        context.decline("vector_sum", "vectors are added here; their sizes do not add as numbers", position)


def _are_along_axes(terms: Sequence[Sequence[Mark]]) -> bool:
    """Whether every term ends with another one of i, j and k: unit vectors without any mark on them."""
    ends = [term[-1] if len(term) > 1 else None for term in terms]
    letters = [mark.text for mark in ends if isinstance(mark, Name) and mark.text in _AXES]
    return len(letters) == len(terms) == len(set(letters)) and {"i", "j"} <= set(letters)


def points_somewhere(term: Sequence[Mark], context: Context) -> bool:
    """Whether a term is a number of something along a direction."""
    return bool(context.directions) and any(_has_direction(mark, context) for mark in term)


def magnitude(fence: Fence, context: Context) -> SymbolParts | None:
    """The symbol for the size of a vector in bars (`|\\vec A|` and `\\|A\\|` are A); None for any other body."""
    items = visible(fence.body.items)
    if len(items) != 1:
        return None
    is_norm = fence.opening == "‖"
    if not (is_norm or is_vector_mark(items[0], context)):
        return None
    parts = symbol_parts(items[0], context)
    if parts is None:
        return None
    return SymbolParts(
        parts.letter, parts.subscripts, tuple(mark for mark in parts.marks if mark != "vec"), parts.prefix
    )


def refuse_lone_direction(member: Sequence[Mark], context: Context) -> None:
    """A side that is a direction and nothing else has no value."""
    only = visible(member)
    if context.has_vectors and len(only) == 1 and _has_direction(only[0], context):
        context.decline("direction", "a unit vector says where something points; it has no value", only[0].position)


def without_vector_products(members: list[list[Mark]], values: list[Value], context: Context) -> list[int]:
    """The members to keep: `F \\cdot d` goes where another member says that the product is F d cos(theta).

    Plain letters do not show that they are vectors; a chain that gives the same product with a sine or cosine does.
    """
    kept = []
    for index, (member, value) in enumerate(zip(members, values, strict=True)):
        others = [other for place, other in enumerate(values) if place != index]
        if _holds_product_sign(member) and any(_is_by_angle(value, other) for other in others):
            reason = "one member of the chain was left out: it is a product of vectors"
            context.flag("member_declined", reason, member[0].position)
        else:
            kept.append(index)
    return kept


def plain_magnitude(value: Value, *, beside_vectors: bool) -> Value:
    """A side `|tau|` beside products of vectors is the size of tau: the symbol that the other sides give."""
    is_lone = isinstance(value, Call) and value.function == "abs" and isinstance(value.arguments[0], Symbol)
    return value.arguments[0] if beside_vectors and is_lone and isinstance(value, Call) else value


def is_vector_side(member: Sequence[Mark], context: Context) -> bool:
    """Whether a side of an equation is a vector."""
    return context.has_vectors and _is_vector_term(visible(member), context)


def _is_bold_throughout(source: str) -> bool:
    """Whether one command makes the whole equation bold, its equals sign included: then bold says nothing."""
    for command in ("\\mathbf{", "\\boldsymbol{", "\\bm{", "\\pmb{"):
        start = source.find(command)
        if start < 0:
            continue
        depth = 0
        for character in source[start + len(command) - 1 :]:
            depth += {"{": 1, "}": -1}.get(character, 0)
            if depth == 0:
                break
            if character == "=" and depth == 1:
                return True
    return False


def _is_set_as_vector(mark: Mark, context: Context) -> bool:
    if isinstance(mark, Accent):
        return mark.mark == "vec"
    is_bold = isinstance(mark, Name) and mark.style == "bold" and not context.bold_is_plain
    # Blackboard bold names sets and expectations.
    return is_bold and not context.source[: mark.position].endswith(("\\mathbb{", "\\mathbb "))


def _letters_of(mark: Mark) -> list[Mark]:
    base = mark
    while isinstance(base, Script):
        base = base.base
    return [base, *(base.items if isinstance(base, Row) else ())]


def _hat_of(mark: Mark) -> Accent | None:
    base = mark
    while isinstance(base, Script):
        base = base.base
    if isinstance(base, Row) and len(base.items) == 1:
        return _hat_of(base.items[0])
    return base if isinstance(base, Accent) and base.mark == "hat" else None


def _hat_letter(hat: Accent) -> str:
    names = [mark for mark in walk_marks(hat.body) if isinstance(mark, Name)]
    return names[0].text if len(names) == 1 else ""


def _direction_names(row: Row, hats: Sequence[Accent], context: Context) -> set[str]:
    """The hatted symbols that point somewhere. Where no vector shows it, an estimate has a hat as well."""
    found: set[str] = set()
    sides = _sides(row)
    target = _hat_of(sides[0][0]) if len(sides[0]) == 1 else None
    inside = {_hat_letter(hat) for side in sides[1:] for mark in side if (hat := _hat_of(mark)) is not None}
    are_components = any(len(inside & frame) > 1 and inside <= frame for frame in _FRAMES)
    for hat in hats:
        letter = _hat_letter(hat)
        is_bold = any(isinstance(mark, Name) and mark.style == "bold" for mark in walk_marks(hat.body))
        is_factor = letter in _DIRECTIONS and (are_components or (target is None and _ends_a_product(sides, hat)))
        parts = symbol_parts(hat, context, quiet=True)
        if parts is not None and (context.has_vectors or is_bold or is_factor):
            found.add(join_name(parts))
    return found


def _sides(row: Row) -> list[list[Mark]]:
    sides: list[list[Mark]] = [[]]
    items = visible(row.items)
    while len(items) == 1 and isinstance(items[0], Row):
        items = visible(items[0].items)
    for mark in items:
        if isinstance(mark, Sign) and mark.text in EQUALITIES:
            sides.append([])
        else:
            sides[-1].append(mark)
    return sides


def _ends_a_product(sides: Sequence[Sequence[Mark]], hat: Accent) -> bool:
    """Whether the hat is the last factor of a side with one term, as a direction is written."""
    for side in sides[1:]:
        is_one_term = not any(isinstance(mark, Sign) and mark.text in "+-±" for mark in side[1:])
        if len(side) > 1 and is_one_term and _hat_of(side[-1]) is hat:
            return True
    return False


def _has_direction(mark: Mark, context: Context) -> bool:
    hat = _hat_of(mark)
    if hat is None:
        return isinstance(mark, Stack) and any(_has_direction(item, context) for item in mark.above.items)
    parts = symbol_parts(hat, context, quiet=True)
    return parts is not None and join_name(parts) in context.directions


def _is_vector_term(term: Sequence[Mark], context: Context) -> bool:
    """Whether a term is a vector: a vector stands in it that no power has made a number of."""
    for place, mark in enumerate(term):
        is_argument = isinstance(mark, Fence) and place > 0 and not isinstance(term[place - 1], Sign | Digits)
        if not is_argument and _is_vector_value(mark, context):
            return True
    return False


def _is_vector_value(mark: Mark, context: Context) -> bool:
    match mark:
        case Script(base, _, sup, _):
            is_number = sup is not None and any(isinstance(item, Digits) for item in sup.items)
            return not is_number and _is_vector_value(base, context)
        case Stack(above, _, _, _):
            return _is_vector_term(visible(above.items), context)
        case Row(items, _):
            return _is_vector_term(visible(items), context)
        case Accent("vec", _, _):
            return True
        case Name():
            return _is_set_as_vector(mark, context)
        case _:
            return False


def _holds_product_sign(member: Sequence[Mark]) -> bool:
    items = [mark for outer in member for mark in ([outer, *outer.body.items] if isinstance(outer, Fence) else [outer])]
    return any(isinstance(mark, Sign) and mark.text in ("·", "×") for mark in items)


def _factors(value: Expression) -> list[Expression]:
    if isinstance(value, Call) and value.function == "abs":
        return _factors(value.arguments[0])
    if isinstance(value, Multiply):
        return [factor for part in value.factors for factor in _factors(part)]
    return [value]


def _is_by_angle(value: Value, other: Value) -> bool:
    """Whether the other value is this one times the sine or cosine of an angle."""
    if isinstance(value, Matrix) or isinstance(other, Matrix):
        return False
    ours, theirs = _factors(value), _factors(other)
    rest = list(theirs)
    for factor in ours:
        if factor not in rest:
            return False
        rest.remove(factor)
    return len(ours) > 1 and len(rest) == 1 and isinstance(rest[0], Call) and rest[0].function in _ANGLE_FUNCTIONS
