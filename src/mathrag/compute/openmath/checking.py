"""Trying a statement at points: it holds at all of them, fails at one that is given, or cannot be tried and why.

Points are drawn by what the variables stand for, first whole numbers, then fractions, then complex numbers; only those
count at which the conditions hold and every value exists. What is false at a point is computed once more with many more
digits. A real point on a branch cut, beside which the statement holds, counts for nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from hashlib import sha256

from mathrag.compute.openmath.claims import Claim, claim_of
from mathrag.compute.openmath.drawing import STAGES, Draw, Drawing, Stage, drawn_number, truth_rows, value_text
from mathrag.compute.openmath.evaluating import Evaluator, coarseness_of
from mathrag.compute.openmath.kinds import gives_truth, kinds_of
from mathrag.compute.openmath.values import (
    ExhaustedError,
    NotComputedError,
    UncertainError,
    UnsupportedError,
    UnwitnessedError,
    Value,
)
from mathrag.types.concept import SampleCheck
from mathrag.types.statement import (
    Application,
    Binding,
    DictionaryName,
    Literal,
    StatementTree,
    Variable,
    free_variables,
    walk_statement,
)

LEAST_POINTS = 10
# Points on the real line are cheap, and where values divide or meet is rare.
_WANTED, _WANTED_CHEAP = 14, 30
_MOST_DRAWS, _FIRST_DRAWS = 200, 60
# Kinds of which every value costs much to compute with.
_COSTLY = frozenset(("function", "distribution", "map", "relation"))
_DIGITS, _MORE_DIGITS = 40, 90
_MOST_STEPS = 250_000
_MOST_ROWS = 4
_MEETING = 0.2
# How far beside a branch cut is looked.
_BESIDE = Fraction(1, 10**30)
_STAGE_NAMES = {"whole": "whole numbers", "real": "fractions", "complex": "complex numbers"}
_KIND_NAMES = {
    "set": "finite sets", "multiset": "finite multisets", "list": "lists", "vector": "vectors", "matrix": "matrices",
    "triangle": "matrices", "relation": "finite relations", "function": "smooth functions", "map": "finite maps",
    "distribution": "normal distributions", "predicate": "comparisons", "unit": "units",
    "magma": "finite structures", "semigroup": "finite structures", "monoid": "finite structures",
    "group": "finite structures", "endomap": "finite maps",
}  # fmt: skip

Point = dict[str, Draw]


def check_by_sampling(statement: StatementTree) -> SampleCheck:
    """What came of trying the statement at points. Never raises; that it holds at points is no proof."""
    within = ""
    try:
        trial = _Trial(statement)
        if trial.claim.within:
            within = f" ({', '.join(trial.claim.within)}: not bound in the source, read as bound further in)"
        found = trial.outcome()
        return replace(found, reason=f"{found.reason}{within}".strip()) if within else found
    except UnsupportedError as reason:
        return SampleCheck("undecided", reason=f"{reason}{within}")
    except RecursionError:
        return SampleCheck("undecided", reason="it is nested too deeply to compute")


@dataclass(slots=True)
class _Tally:
    """What became of the points so far."""

    held: set[tuple[str, ...]] = field(default_factory=set)
    stages: dict[Stage, int] = field(default_factory=dict)
    on_cuts: int = 0
    unwitnessed: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    # What the sides of an equivalence came to: both must have been seen, or it says little.
    sides: set[bool] = field(default_factory=set)


class _Trial:
    """One statement being tried."""

    def __init__(self, statement: StatementTree) -> None:
        if not _is_statement(statement):
            raise UnsupportedError("it is a term, not a statement")
        self.claim = claim_of(statement)
        # A variable that is bound but never used is a number like any other.
        self.kinds = dict.fromkeys(self.claim.variables, "number") | kinds_of(_whole(self.claim))
        self.coarseness = coarseness_of(statement)
        self.evaluator = Evaluator(_DIGITS, _MOST_STEPS, coarseness=self.coarseness)
        self.drawing = Drawing(
            sha256(repr(statement).encode()).digest(),
            largest_place=_largest_place(statement),
            has_relations="relation" in self.kinds.values(),
            has_maps="endomap" in self.kinds.values(),
        )
        self.tally = _Tally()
        self.fixed = _assignments(self.claim)

    def outcome(self) -> SampleCheck:
        if not self.claim.variables:
            return self._without_variables()
        kinds = {self.kinds[name] for name in self.claim.variables}
        unknown = sorted(kind for kind in kinds if not self.drawing.is_drawn(kind))
        if unknown:
            raise UnsupportedError(f"it speaks of any {unknown[0]}, and none is tried here")
        if kinds == {"truth"} and len(self.claim.variables) <= _MOST_ROWS:
            return self._truth_table()
        try:
            for stage in STAGES if "number" in kinds else STAGES[:2]:
                failure = self._stage(stage)
                if failure is not None:
                    return self._failed(failure)
        except ExhaustedError as reason:
            self.tally.reasons = Counter((str(reason),))
        return self._held()

    # The three ways a statement is tried.

    def _without_variables(self) -> SampleCheck:
        numbers = "no variables" + (", to the digits written" if self.coarseness else "")
        try:
            if self._verdict(self.evaluator, {}):
                return SampleCheck("holds", 1, numbers)
            if self._is_surely_false({}):
                return SampleCheck("fails", 1, numbers, counterexample=self._sides({}))
        except UnsupportedError:
            raise
        except NotComputedError as reason:
            return SampleCheck("undecided", reason=str(reason))
        return SampleCheck("undecided", reason="more digits give another answer")

    def _truth_table(self) -> SampleCheck:
        for row in truth_rows(self.claim.variables):
            try:
                is_true = self._verdict(self.evaluator, row)
            except UnsupportedError:
                raise
            except NotComputedError as reason:
                return SampleCheck("undecided", reason=str(reason))
            if is_true is False:
                return self._failed(row)
            self.tally.held.add(tuple(draw.text for draw in row.values()))
        return SampleCheck("holds", len(self.tally.held), "all truth values")

    def _stage(self, stage: Stage) -> Point | None:
        """Points of one kind of numbers; the first at which the statement is surely false."""
        found, is_costly = 0, bool(_COSTLY & {self.kinds[name] for name in self.claim.variables})
        wanted = _WANTED if is_costly or stage == "complex" else _WANTED_CHEAP
        for count, point in enumerate(self._points(stage)):
            # Where nothing applies after many draws, the functions do not take such numbers.
            is_hopeless = count > _FIRST_DRAWS and not found and not self.claim.conditions
            if found >= wanted or is_hopeless:
                break
            key = tuple(draw.text for draw in point.values())
            if key in self.tally.held:
                continue
            try:
                is_true = self._verdict(self.evaluator, point)
            except (UnsupportedError, ExhaustedError):
                raise
            except NotComputedError as reason:
                self.tally.reasons[str(reason)] += 1
                # Where a witness is found the claim is true; to leave out the other points would be to choose.
                self.tally.unwitnessed += isinstance(reason, UnwitnessedError)
                continue
            if is_true is None:
                self.tally.reasons["its conditions do not hold at the points drawn"] += 1
            elif is_true:
                self.tally.held.add(key)
                found += 1
                kind = _numbers_of(point)
                self.tally.stages[kind] = self.tally.stages.get(kind, 0) + 1
            elif self._is_on_cut(point):
                self.tally.on_cuts += 1
            elif self._is_surely_false(point):
                return point
        return None

    def _points(self, stage: Stage) -> Iterator[Point]:
        for _ in range(_MOST_DRAWS):
            self.drawing.start_point()
            point: Point = {}
            try:
                self._draw(point, stage)
            except (UnsupportedError, ExhaustedError):
                raise
            except NotComputedError as reason:
                self.tally.reasons[str(reason)] += 1
                continue
            yield point

    def _draw(self, point: Point, stage: Stage) -> None:
        """A value for each variable: those with a stated domain after what the domain depends on."""
        domains = _domains(self.claim)
        waiting = [name for name in self.claim.variables if name not in self.fixed]
        while waiting:
            ready = [name for name in waiting if name not in domains or not self._waits(domains[name], waiting, name)]
            name = (ready or waiting)[0]
            waiting.remove(name)
            point[name] = self._value_for(name, domains.get(name), point, stage)

    def _waits(self, domain: StatementTree, waiting: list[str], name: str) -> bool:
        return any(each in waiting and each != name for each in free_variables(domain))

    def _value_for(self, name: str, domain: StatementTree | None, point: Point, stage: Stage) -> Draw:
        # Now and then outside the stated domain: conditions then leave the point out, claims of equivalence need both.
        if domain is not None and self.drawing.random.random() < 0.85:
            try:
                drawn = self.drawing.member(
                    self.evaluator.value(domain, self._environment(self.evaluator, point)), stage
                )
            except (UnsupportedError, ExhaustedError):
                raise
            except NotComputedError:
                drawn = None
            if drawn is not None:
                return drawn
        drawn = self.drawing.of_kind(self.kinds[name], stage)
        # Values that meet are where strict and weak relations part.
        others = [each for each in point.values() if each.number is not None]
        if drawn.number is not None and others and self.drawing.random.random() < _MEETING:
            return self.drawing.random.choice(others)
        return drawn

    def _environment(self, evaluator: Evaluator, point: Point) -> dict[str, Value]:
        return {name: draw.make(evaluator) for name, draw in point.items()}

    def _full_environment(self, evaluator: Evaluator, point: Point) -> dict[str, Value]:
        """The values drawn, and those that equations among the conditions fix."""
        environment = self._environment(evaluator, point)
        for name, term in self.fixed.items():
            environment[name] = evaluator.value(term, environment)
        return environment

    def _verdict(self, evaluator: Evaluator, point: Point) -> bool | None:
        """Whether the claim is true at a point; None where it says nothing there."""
        environment = self._full_environment(evaluator, point)
        for condition in self.claim.conditions:
            try:
                if not evaluator.truth(evaluator.value(condition, environment)):
                    return None
            except UnwitnessedError as reason:
                # Whether the point counts is open; that says nothing about the claim.
                raise UncertainError(str(reason)) from None
        verdict = _claimed(evaluator, self.claim.claim, environment)
        match self.claim.claim:
            case Application(DictionaryName("logic1", "equivalent"), (left, _)) if verdict:
                self.tally.sides.add(evaluator.truth(evaluator.value(left, environment)))
        return verdict

    # What is false at first sight.

    def _is_surely_false(self, point: Point) -> bool:
        """False also with many more digits."""
        try:
            return self._verdict(self._fresh(_MORE_DIGITS), point) is False
        except NotComputedError:
            return False

    def _is_on_cut(self, point: Point) -> bool:
        """Whether the statement holds just beside a real point: then the point lies on a branch cut, where the side
        that a function takes is a convention."""
        reals = [name for name, draw in point.items() if draw.number is not None and not draw.number[1]]
        if not reals or any(self.kinds[name] != "number" for name in point):
            return False
        for side in (_BESIDE, -_BESIDE):
            moved = dict(point)
            for name in reals:
                number = point[name].number
                assert number is not None
                moved[name] = drawn_number(number[0], side)
            try:
                if self._verdict(self._fresh(_DIGITS), moved):
                    return True
            except NotComputedError:
                continue
        return False

    def _fresh(self, digits: int) -> Evaluator:
        return Evaluator(digits, _MOST_STEPS, coarseness=self.coarseness)

    # The outcome in words.

    def _failed(self, point: Point) -> SampleCheck:
        once = _standing_once(self.claim)
        if once:
            reason = f"whether it is meant for all {', '.join(once)} or for some is not said"
            return SampleCheck("undecided", reason=reason)
        environment = self._full_environment(self._fresh(_DIGITS), point)
        shown = [(name, draw.text) for name, draw in point.items()]
        shown.extend((name, value_text(_short(environment[name]))) for name in self.fixed)
        order = {name: place for place, name in enumerate(self.claim.variables)}
        shown.sort(key=lambda pair: order[pair[0]])
        return SampleCheck(
            "fails", len(self.tally.held) + 1, self._numbers(), tuple(shown), _read_as(self.claim.unbound)
        )

    def _held(self) -> SampleCheck:
        points = len(self.tally.held)
        if points < LEAST_POINTS and not (points and self._is_all_there_is()):
            common = self.tally.reasons.most_common(1)
            why = f": {common[0][0]}" if common else ""
            return SampleCheck("undecided", points, self._numbers(), reason=f"too few points that it applies to{why}")
        if self.tally.unwitnessed:
            reason = f"at {self.tally.unwitnessed} points that it applies to, a quantifier inside could not be decided"
            return SampleCheck("undecided", points, self._numbers(), reason=reason)
        if len(self.tally.sides) == 1:
            only = "true" if True in self.tally.sides else "false"
            return SampleCheck("undecided", points, self._numbers(), reason=f"its two sides were only ever {only}")
        reason = f"{self.tally.on_cuts} real points on branch cuts were left out" if self.tally.on_cuts else ""
        return SampleCheck("holds", points, self._numbers(), reason=reason)

    def _is_all_there_is(self) -> bool:
        """Whether equations among the conditions leave no choice."""
        return len(self.fixed) == len(self.claim.variables)

    def _numbers(self) -> str:
        kinds = [self.kinds[name] for name in self.claim.variables]
        names = [_KIND_NAMES[kind] for kind in dict.fromkeys(kinds) if kind in _KIND_NAMES]
        if self._is_all_there_is():
            return "the one value that its conditions leave"
        if "number" in kinds:
            names.extend(_STAGE_NAMES[stage] for stage in STAGES if stage in self.tally.stages)
        return ", ".join(dict.fromkeys(names))

    def _sides(self, point: Point) -> tuple[tuple[str, str], ...]:
        """What the two sides of a false equation without variables come to."""
        from mathrag.compute.openmath.printing import latex_of

        match self.claim.claim:
            case Application(_, (left, right)):
                environment = self._full_environment(self.evaluator, point)
                values = [(latex_of(side), self.evaluator.value(side, environment)) for side in (left, right)]
                return tuple((side, value_text(_short(value))) for side, value in values)
            case _:
                return ()


def _numbers_of(point: Point) -> Stage:
    """The widest kind of number among the values of a point."""
    numbers = [draw.number for draw in point.values() if draw.number is not None]
    if any(imaginary for _, imaginary in numbers):
        return "complex"
    return "whole" if all(real.denominator == 1 for real, _ in numbers) else "real"


def _standing_once(claim: Claim) -> tuple[str, ...]:
    """Variables that the source neither binds nor uses twice: in an equation, one is rarely meant for all
    values."""
    match claim.claim:
        case Application(DictionaryName("relation1", "eq")):
            pass
        case _:
            return ()
    counts = Counter(node.name for node in walk_statement(_whole(claim)) if isinstance(node, Variable))
    return tuple(name for name in claim.unbound if counts[name] == 1)


def _short(value: Value) -> Value:
    """A number as people would write it down: some digits, not all."""
    if isinstance(value, bool | Fraction | str):
        return value
    try:
        number = complex(value)
    except (TypeError, ValueError):
        return value
    return f"{number.real:.12g}" if not number.imag else f"{number.real:.12g} + {number.imag:.12g} i"


def _read_as(unbound: tuple[str, ...]) -> str:
    if not unbound:
        return ""
    names = ", ".join(unbound)
    return f"{names}: not bound in the source, read as standing for all values"


def _claimed(evaluator: Evaluator, claim: StatementTree, environment: dict[str, Value]) -> bool | None:
    """The truth of a claim; None where all that it says is about cases that are not the case."""
    match claim:
        case Application(DictionaryName("logic1", "and"), parts):
            verdicts = [_claimed(evaluator, part, environment) for part in parts]
            if False in verdicts:
                return False
            return True if True in verdicts else None
        case Application(DictionaryName("logic1", "implies"), (condition, inner)):
            if not evaluator.truth(evaluator.value(condition, environment)):
                return None
            return _claimed(evaluator, inner, environment)
        case _:
            return evaluator.truth(evaluator.value(claim, environment))


def _whole(claim: Claim) -> StatementTree:
    return Application(DictionaryName("logic1", "and"), (*claim.conditions, claim.claim))


def _is_statement(tree: StatementTree) -> bool:
    match tree:
        case Application(DictionaryName() as head):
            return gives_truth(head.full)
        case Binding(DictionaryName("quant1")):
            return True
        case _:
            return False


def _largest_place(tree: StatementTree) -> int:
    """The largest place in a vector that the statement names."""
    places = [0]
    for node in walk_statement(tree):
        match node:
            case Application(DictionaryName("linalg1", "vector_selector"), (Literal(int() as place), _)) if place < 9:
                places.append(place)
            case Application(DictionaryName("linalg1", "vectorproduct"), _):
                places.append(3)
    return max(places)


def _domains(claim: Claim) -> dict[str, StatementTree]:
    """The sets that conditions, or the first part of a claim, say a variable belongs to."""
    found: dict[str, StatementTree] = {}
    pending = [*claim.conditions, claim.claim]
    while pending:
        match pending.pop(0):
            case Application(DictionaryName("set1" | "multiset1", "in"), (Variable(name), domain)):
                found.setdefault(name, domain)
            case Application(DictionaryName("logic1", connective), parts) if connective != "not":
                pending.extend(parts)
    return {
        name: domain for name, domain in found.items() if name in claim.variables and name not in free_variables(domain)
    }


def _assignments(claim: Claim) -> dict[str, StatementTree]:
    """Variables that an equation among the conditions fixes, with what fixes them, in an order that can be computed."""
    fixed: dict[str, StatementTree] = {}
    for condition in claim.conditions:
        match condition:
            case Application(DictionaryName("relation1", "eq"), (left, right)):
                for alone, term in ((left, right), (right, left)):
                    if isinstance(alone, Variable) and _can_fix(alone.name, term, claim, fixed):
                        fixed[alone.name] = term
                        break
    ordered: dict[str, StatementTree] = {}
    while len(ordered) < len(fixed):
        name = next(each for each in fixed if each not in ordered and not _open(fixed[each], fixed, ordered))
        ordered[name] = fixed[name]
    return ordered


def _open(term: StatementTree, fixed: dict[str, StatementTree], ordered: dict[str, StatementTree]) -> bool:
    return any(each in fixed and each not in ordered for each in free_variables(term))


def _can_fix(name: str, term: StatementTree, claim: Claim, fixed: dict[str, StatementTree]) -> bool:
    """Whether the term needs nothing that in the end needs the variable itself."""
    if name in fixed or name not in claim.variables:
        return False
    pending, seen = list(free_variables(term)), set[str]()
    while pending:
        each = pending.pop()
        if each == name:
            return False
        if each in fixed and each not in seen:
            seen.add(each)
            pending.extend(free_variables(fixed[each]))
    return True
