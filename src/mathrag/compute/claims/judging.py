"""Every step of a solution judged in turn: each link of each chain it states, by the kind of claim it is."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from mathrag.compute.claims.chains import Chain, Relation, Side, chains_of, words_of
from mathrag.compute.claims.consequences import OneUnknown, follows, one_unknown, solutions_shown
from mathrag.compute.claims.conversions import judge_conversion
from mathrag.compute.claims.identities import agree_far_out, is_collected, same_everywhere
from mathrag.compute.claims.passages import HOLE, passages_of
from mathrag.compute.claims.prose import prose_chains
from mathrag.compute.claims.scope import Scope, Stated, scope_of
from mathrag.compute.claims.sides import ReadSide, read_side
from mathrag.compute.claims.values import (
    Comparison,
    compare,
    has_decimals,
    rounding_error,
    shown_value,
    value_of,
)
from mathrag.compute.evaluate.exact import Value
from mathrag.compute.evaluate.floats import float_of
from mathrag.language.word_classes import word_class
from mathrag.types.expression import Expression, Symbol, size_of
from mathrag.types.solution import Claim, ClaimVerdict, StepVerdict

_MOST_CHAINS = 200
# An equation is drawn from one that stands near.
_FARTHEST_EQUATION = 200
_SENTENCE_END = re.compile(r"[.!?](?=\s|$)|\n\s*\n|\n\s*[-*#]")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the words around a chain say: whether it is stated at all, only roughly, or as a rewriting, and whether it
    is drawn from the equation before it."""

    is_supposed: bool = False
    is_rough: bool = False
    is_rewriting: bool = False
    is_drawn: bool = False
    # Nothing stands between it and the one before, or only that it is another form of it.
    is_same_again: bool = False
    is_equation: bool = False
    is_displayed: bool = False
    is_annotation: bool = False


@dataclass(frozen=True, slots=True)
class Link:
    """Two readable sides of a chain that are claimed equal."""

    left: ReadSide
    right: ReadSide
    relation: Relation
    claim: tuple[str, int, int]
    is_first: bool = True
    is_continued: bool = False
    sides: int = 2


def judge_steps(steps: Sequence[str], problem: str = "") -> tuple[StepVerdict, ...]:
    """A verdict for each step in turn; what the problem and earlier steps define counts for later ones."""
    scope = scope_of(problem)
    return tuple(StepVerdict(place, tuple(_judge_step(place, step, scope))) for place, step in enumerate(steps))


def _judge_step(place: int, step: str, scope: Scope) -> list[ClaimVerdict]:
    formulas, prose = passages_of(step)
    found: list[tuple[Chain, int, Surroundings]] = []
    for passage in formulas:
        around = replace(
            _around(prose, passage.start, passage.end),
            is_displayed=passage.manner == "display",
            is_annotation=passage.manner == "annotation",
        )
        found += [(chain, number, around) for number, chain in enumerate(chains_of(passage.text, passage.start))]
    found += [(chain, 0, _around(prose, chain.sides[0].start, chain.sides[-1].end)) for chain in prose_chains(prose)]
    found.sort(key=lambda each: each[0].sides[0].start)
    verdicts: list[ClaimVerdict] = []
    for chain, number, around in found[:_MOST_CHAINS]:
        joined = _joined(around, chain, number, scope, prose, place)
        judged = _judge_chain(chain, joined, step, scope)
        verdicts.extend(judged)
        _note(chain, judged, scope, place)
    return sorted(verdicts, key=lambda verdict: verdict.claim.start)


def _around(prose: str, start: int, end: int) -> Surroundings:
    """What the sentence in which a passage stands says of it."""
    window = prose[max(0, start - 240) : start].rstrip(HOLE)
    ends = [match.end() for match in _SENTENCE_END.finditer(window)]
    before = window[ends[-1] :] if ends else window
    behind = prose[end : end + 400].lstrip(HOLE)
    match = _SENTENCE_END.search(behind)
    after = behind[: match.start()] if match and match.start() > 1 else behind[:120]
    if after.lstrip(" \n\t,;:*")[:1].isupper():
        # A new sentence after a displayed formula.
        after = ""
    words = words_of(before.replace(HOLE, " ")) | words_of(after.replace(HOLE, " "))
    nearest = words_of(before.rpartition(HOLE)[2])
    return Surroundings(
        bool(words & word_class("claims.suppositions")),
        bool(words & word_class("claims.rough")),
        bool(nearest & word_class("claims.rewriting")) and not nearest & word_class("claims.equation_words"),
        is_equation=bool(words & word_class("claims.equation_words")),
    )


def _joined(around: Surroundings, chain: Chain, number: int, scope: Scope, prose: str, step: int) -> Surroundings:
    """The same, with whether the chain is drawn from the one stated before it."""
    stated = scope.stated
    if stated is None:
        return around
    if number:
        is_drawn = chain.joint in ("implies", "row")
        return replace(around, is_drawn=is_drawn, is_same_again=is_drawn)
    start = chain.sides[0].start
    between = prose[stated.end : start] if stated.step == step else prose[:start] if stated.step == step - 1 else None
    if between is None or len(between) > _FARTHEST_EQUATION:
        return around
    words = words_of(between.replace(HOLE, " "))
    if words & word_class("claims.alternatives"):
        chain.joint = "or"
        return around
    is_list = not words - {"and"} and not around.is_displayed
    is_drawn = not is_list and not words & word_class("claims.other_equations")
    again = words & word_class("claims.rewriting") or not words - _joining_words()
    return replace(around, is_drawn=is_drawn, is_same_again=is_drawn and bool(again))


def _joining_words() -> frozenset[str]:
    return word_class("claims.conclusions") | word_class("claims.joining")


def _note(chain: Chain, verdicts: Sequence[ClaimVerdict], scope: Scope, step: int) -> None:
    """Keep what the next chain may go on from."""
    sides = [side for side in chain.sides if side.text]
    if not sides:
        return
    if chain.joint == "row" and not chain.relations:
        # The row before goes on in this one; what it says is not read.
        scope.stated = scope.equation = None
        return
    left = scope.stated.left if chain.continues and scope.stated else chain.sides[0].text
    scope.stated = Stated(left, sides[-1], step, sides[-1].end, len(chain.sides))
    reads = [read_side(side.text) for side in sides]
    if any(verdict.outcome == "unchecked" for verdict in verdicts):
        scope.constrain(frozenset(name for read in reads for name in read.symbols))
    is_equation = len(reads) == 2 and chain.relations == ["="] and not chain.is_qualified
    equation = _one_unknown(reads[0], reads[1]) if is_equation else None
    scope.add_equation(equation)
    if chain.joint == "or":
        # One of several: nothing needs to follow from it.
        scope.equation = None


def _one_unknown(left: ReadSide, right: ReadSide) -> OneUnknown | None:
    if left.expression is None or right.expression is None or left.is_doubtful or right.is_doubtful:
        return None
    is_solved = (isinstance(left.expression, Symbol) and right.is_number) or (
        isinstance(right.expression, Symbol) and left.is_number
    )
    return one_unknown(
        left.expression,
        right.expression,
        is_solved=is_solved,
        decimals=right.decimals if right.is_number else None,
        has_decimals=has_decimals(left.expression) or has_decimals(right.expression),
    )


def _judge_chain(chain: Chain, around: Surroundings, step: str, scope: Scope) -> list[ClaimVerdict]:
    sides = list(chain.sides)
    is_continued = chain.continues and scope.stated is not None
    if is_continued and scope.stated is not None:
        sides[0] = scope.stated.last
    links = _links(sides, chain.relations, step, is_continued=is_continued)
    repeated = _repeated_name(chain, around, scope)
    return [
        *(_judge_link(link, chain, around, scope) for link in links),
        *([] if repeated is None else [_judge_link(repeated, chain, around, scope)]),
    ]


def _repeated_name(chain: Chain, around: Surroundings, scope: Scope) -> Link | None:
    """`A = 3 \\cdot 4` and in the next row `A = 12`: what stands for the same name is the same."""
    stated = scope.stated
    if stated is None or not around.is_same_again or len(chain.sides) < 2 or chain.relations[0] not in ("=", "≈"):
        return None
    if chain.sides[0].text != stated.left or not stated.left or chain.sides[0].text == stated.last.text:
        return None
    before, after = read_side(stated.last.text), read_side(chain.sides[1].text)
    if before.expression is None or after.expression is None or before.is_number:
        return None
    if not before.symbols and size_of(after.expression) > size_of(before.expression) - 2:
        # Two values of one name, such as both roots of an equation, are as long as each other.
        return None
    side = chain.sides[1]
    return Link(before, after, chain.relations[0], (side.text, side.start, side.end), is_continued=True)


def _links(sides: Sequence[Side], relations: Sequence[Relation], step: str, *, is_continued: bool) -> list[Link]:
    """Each readable side with the readable one before it; relations that are not judged break the chain."""
    found: list[Link] = []
    before: tuple[int, Side, ReadSide] | None = None
    for place, side in enumerate(sides):
        if place and relations[place - 1] == "other":
            before = None
        read = read_side(side.text)
        if read.expression is None:
            before = None if read.has_plus_minus else before
            continue
        if before is not None:
            between = relations[before[0] : place]
            relation: Relation = "≡" if "≡" in between else "≈" if "≈" in between else "="
            start = side.start if is_continued and before[0] == 0 else before[1].start
            claim = (step[start : side.end], start, side.end)
            found.append(Link(before[2], read, relation, claim, before[0] == 0, is_continued, len(sides)))
        before = (place, side, read)
    return found


def _judge_link(link: Link, chain: Chain, around: Surroundings, scope: Scope) -> ClaimVerdict:
    if not link.left.symbols and not link.right.symbols:
        verdict = _judge_values(link, chain, around)
    else:
        verdict = _judge_symbols(link, chain, around, scope)
    doubt = _doubt(link, chain, around, scope) if verdict.outcome == "refuted" else ""
    return ClaimVerdict(verdict.claim, "unchecked", doubt) if doubt else verdict


def _doubt(link: Link, chain: Chain, around: Surroundings, scope: Scope) -> str:
    """Why a claim that does not come out is not called false."""
    if around.is_supposed:
        return "the sentence supposes, tests or denies it"
    if chain.is_qualified:
        return "a condition stands beside it"
    if link.left.is_doubtful or link.right.is_doubtful:
        return "the notation can be read in two ways"
    if scope.has_other_base and not link.left.symbols:
        return "the numbers may be written in another base"
    has_joined_letters = link.left.has_joined_letters or link.right.has_joined_letters
    if has_joined_letters and (scope.has_digits or scope.has_other_base):
        return "letters side by side may be the digits of one number"
    if scope.own_sign and scope.own_sign in link.claim[0]:
        return "the problem gives a sign a meaning of its own"
    return ""


def _judge_values(link: Link, chain: Chain, around: Surroundings) -> ClaimVerdict:
    claim = Claim(link.claim[0], "value", *link.claim[1:])
    left, right = _candidates(link.left), _candidates(link.right)
    if not left or not right:
        return ClaimVerdict(claim, "unchecked", "one side has no value that can be computed")
    if chain.modulus or link.relation == "≡":
        return _judge_remainders(claim, chain, left[0], right[0])
    decimals = link.right.decimals if link.right.is_number else link.left.decimals if link.left.is_number else None
    is_rough = link.relation == "≈" or around.is_rough
    outcomes = {compare(a, b, decimals=decimals, is_rough=is_rough) for a in left for b in right}
    verdict = _value_verdict(claim, link, outcomes, left[0], right[0])
    if verdict.outcome == "unchecked" and link.left.is_number and link.right.is_number and around.is_annotation:
        # A calculator wrote it: one number stands for another there.
        shown = shown_value(left[0])
        return ClaimVerdict(claim, "refuted", f"the calculation gives {shown}", shown)
    return verdict


def _value_verdict(claim: Claim, link: Link, outcomes: set[Comparison], left: Value, right: Value) -> ClaimVerdict:
    if link.left.is_number and link.right.is_number:
        converted = judge_conversion(replace(claim, kind="unit"), link.left, link.right, (left, right))
        if converted is not None:
            return converted
    if outcomes & {"same", "rounded"}:
        return ClaimVerdict(claim, "verified")
    if "unsure" in outcomes:
        return ClaimVerdict(claim, "unchecked", "the numbers are too large to compare")
    if link.left.is_number and link.right.is_number:
        return ClaimVerdict(claim, "unchecked", "nothing is computed on either side")
    if _counts_differently(link, (left, right)):
        return ClaimVerdict(claim, "unchecked", "the two sides count different things")
    expressions = [side.expression for side in (link.left, link.right) if side.expression is not None]
    if abs(float_of(left) - float_of(right)) <= max(map(rounding_error, expressions)):
        return ClaimVerdict(claim, "unchecked", "the difference may be rounding")
    if _may_be_whole_quotient(link, left, right):
        return ClaimVerdict(claim, "unchecked", "it may be a quotient without its remainder, or rounded")
    right_value = shown_value(right) if link.left.is_number else shown_value(left)
    return ClaimVerdict(claim, "refuted", f"the calculation gives {right_value}", right_value)


def _may_be_whole_quotient(link: Link, left: Value, right: Value) -> bool:
    """`50 / 7 = 7` counts the multiples of 7 up to 50: a whole number within one of what is not whole."""
    is_written_whole = link.right.is_number and isinstance(right, int)
    return is_written_whole and not isinstance(left, int) and abs(float_of(left) - right) < 1


def _is_hundredfold(left: Value, right: Value) -> bool:
    one, other = sorted((abs(float_of(left)), abs(float_of(right))))
    return math.isclose(one * 100, other, rel_tol=1e-9)


def _counts_differently(link: Link, values: tuple[Value, Value]) -> bool:
    """Whether words beside the numbers say that a conversion may be meant: `5 nickels = 5 \\cdot 5`."""
    left, right = set(link.left.labels), set(link.right.labels)
    if link.left.is_money != link.right.is_money and (left or right) and _is_hundredfold(*values):
        # `\\$2 / 4 = 50 cents`
        return True
    if link.left.is_number and (link.left.hundredths is None) != (link.right.hundredths is None):
        return True
    if link.left.is_number or link.right.is_number:
        lone, other = (left, right) if link.left.is_number else (right, left)
        if lone and not link.right.is_number and lone != other:
            return True
    return bool(left - right and right)


def _judge_remainders(claim: Claim, chain: Chain, left: Value, right: Value) -> ClaimVerdict:
    modulus = chain.modulus
    if not modulus.isdigit() or len(modulus) > 12 or int(modulus) == 0:
        return ClaimVerdict(claim, "unchecked", "the modulus is not a number")
    if not isinstance(left, int) or not isinstance(right, int):
        return ClaimVerdict(claim, "unchecked", "remainders of what is not whole")
    if (left - right) % int(modulus) == 0:
        return ClaimVerdict(claim, "verified")
    remainder = str(left % int(modulus))
    return ClaimVerdict(claim, "refuted", f"the remainder is {remainder}", remainder)


def _candidates(side: ReadSide) -> list[Value]:
    """The value of a side, and the one with % as a hundredth."""
    expressions: list[Expression] = [each for each in (side.expression, side.hundredths) if each is not None]
    return [value for value in map(value_of, expressions) if value is not None]


def _judge_symbols(link: Link, chain: Chain, around: Surroundings, scope: Scope) -> ClaimVerdict:
    left, right = link.left.expression, link.right.expression
    assert left is not None
    assert right is not None
    claim = Claim(link.claim[0], "identity", *link.claim[1:])
    if "i" in {*link.left.symbols, *link.right.symbols}:
        return ClaimVerdict(claim, "unchecked", "the letter i may be the imaginary unit")
    if link.relation != "=" or chain.modulus:
        return ClaimVerdict(claim, "unchecked", "it holds for some values only")
    outcome = same_everywhere(left, right)
    if outcome == "holds":
        return ClaimVerdict(claim, "verified")
    if outcome == "fails" and _is_meant_for_all_values(link, chain, around, scope):
        return ClaimVerdict(claim, "refuted", "the two sides differ")
    drawn = _judge_consequence(link, chain, around, scope)
    return drawn or ClaimVerdict(claim, "unchecked", "an equation for its unknowns, not a calculation")


def _judge_consequence(link: Link, chain: Chain, around: Surroundings, scope: Scope) -> ClaimVerdict | None:
    """An equation for one unknown against the one it is drawn from; None where it is drawn from none."""
    before = scope.equation
    if before is None or before.is_solved or not around.is_drawn or len(chain.sides) != 2 or link.is_continued:
        return None
    after = _one_unknown(link.left, link.right)
    if after is None:
        return None
    claim = Claim(link.claim[0], "consequence", *link.claim[1:])
    match follows(before, after):
        case "follows":
            return ClaimVerdict(claim, "verified")
        case "contradicts" if scope.contradicts_all(after):
            right = solutions_shown(before)
            return ClaimVerdict(claim, "refuted", "it does not follow from the equation before it", right)
    return ClaimVerdict(claim, "unchecked", "it has some solutions of the equations before it only")


def _is_meant_for_all_values(link: Link, chain: Chain, around: Surroundings, scope: Scope) -> bool:
    """Whether two sides with symbols are one expression in two forms, not an equation to be solved."""
    left, right = link.left, link.right
    if set(left.symbols) != set(right.symbols) or left.expression is None or right.expression is None:
        return False
    if chain.joint == "or" or (is_collected(left.expression) and is_collected(right.expression)):
        return False
    if (link.is_continued or not link.is_first) and not scope.is_constrained(frozenset(left.symbols)):
        return True
    is_possible = link.is_continued or not link.is_first or around.is_rewriting
    is_chain = link.sides > 2 and not around.is_equation
    return (is_possible or is_chain) and agree_far_out(left.expression, right.expression)
