"""Amounts that react: product from reactant and the reverse, limiting reactant, yields, what is left over. By a
reaction that the question writes out, by the complete combustion of a fuel it names, or by the only reaction that its
substances can have."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

from mathrag.compute.chemistry.formulas import (
    ChemicalFormula,
    ChemistryProblem,
    is_element,
    read_chemical_formula,
    same_substance,
)
from mathrag.compute.chemistry.masses import mass_problem
from mathrag.compute.chemistry.naming import is_fuel
from mathrag.compute.chemistry.reactions import Reaction, Term, balance, is_balanced, reaction_among, turned
from mathrag.compute.chemistry.stoichiometry import Course, complete_combustion, course_of, extent_of, moles_at
from mathrag.language.word_classes import any_of, word_class
from mathrag.reason.direct.chemistry.amounts import in_unit, without_gas_conditions
from mathrag.reason.direct.chemistry.asked import Asked, Question, asked_of, is_understood, without
from mathrag.reason.direct.chemistry.reading import AMOUNT, ANY, REACTION, SUBSTANCE, Amount, Mentioned, Reading
from mathrag.reason.direct.chemistry.results import (
    GasConditions,
    Working,
    failure,
    moles_of,
    number_shown,
    species_in,
    unit_named,
)
from mathrag.reason.direct.result import AlgebraOutcome

_MEASURES = ("mass", "moles", "particles", "volume")
_MOST_AMOUNTS = 4


@dataclass(frozen=True, slots=True)
class _Stated:
    """An amount of a species; `is_actual`: it was weighed after the reaction and does not say how far that could go."""

    amount: Amount
    formula: ChemicalFormula
    mentioned: Mentioned
    is_actual: bool


@dataclass(frozen=True, slots=True)
class _Case:
    """A question on a reaction, read: nothing of its text is left."""

    reaction: Reaction
    asked: Asked
    stated: tuple[_Stated, ...]
    plenty: tuple[ChemicalFormula, ...]
    share: Amount | None
    words: frozenset[str]


def answer_reacting(reading: Reading) -> AlgebraOutcome:
    """What a reaction makes of stated amounts; None for any other question."""
    reading, conditions = without_gas_conditions(reading)
    if not 1 <= len(reading.amounts) <= _MOST_AMOUNTS:
        return None
    template, share = _without_yield(reading, reading.template)
    question = asked_of(reading, template)
    if question is None:
        return None
    if question.asked.kind == "percent_yield" and reading.reaction is None:
        found_yield = _yield_of_masses(reading, question.rest)
        if found_yield is not None:
            return found_yield
    words = frozenset(re.findall(r"[a-z]+", template))
    rest, plenty = _without_plenty(reading, question.rest)
    if not is_understood(rest, words="chemistry.neutral"):
        return None
    found = _reaction(reading, words)
    if found is None or isinstance(found, ChemistryProblem):
        return None if found is None else failure(found)
    case = _case(reading, found, question, rest=rest, plenty=plenty, share=share, words=words)
    if case is None or not _is_measurable(case, has_conditions=conditions is not None):
        return None
    return _answered(case, _begun(case, found, conditions or GasConditions()))


# Reading.


@cache
def _yield_given() -> re.Pattern[str]:
    of = r"(?:is|was|of|are)"
    return re.compile(
        rf"(?:,|and|if|with|at|for|assuming|given)*[ ]?(?:an?|the)? ?"
        rf"(?:(?:percent|percentage|%)? ?yield {of} {AMOUNT}|{AMOUNT} (?:percent )?yield)(?!\w)"
    )


def _without_yield(reading: Reading, template: str) -> tuple[str, Amount | None]:
    """The template without a percent yield that is stated, and that yield."""
    for found in _yield_given().finditer(template):
        place = found[0].index(AMOUNT) + found.start()
        amount = reading.amount_at(place)
        if amount.measured == "percent":
            return without(template, found), amount
    return template, None


@cache
def _plenty() -> tuple[re.Pattern[str], ...]:
    words = any_of("chemistry.plenty")
    return (
        re.compile(rf"(?<!\w)(?:an? )?(?:{words}) (?:of )?(?:the )?(?P<substance>{SUBSTANCE})(?! ?[(]?{AMOUNT})"),
        re.compile(
            rf"(?P<substance>{SUBSTANCE}) (?:that |which )?(?:is |are |being )?(?:present )?in (?:large )?excess(?!\w)"
        ),
    )


def _without_plenty(reading: Reading, rest: str) -> tuple[str, tuple[Mentioned, ...]]:
    """The text without the words that call substances plentiful, and those substances."""
    found: list[Mentioned] = []
    for pattern in _plenty():
        found.extend(reading.substance_at(match.start("substance")) for match in pattern.finditer(rest))
        rest = pattern.sub(lambda each: " " * (len(each[0]) - 1) + SUBSTANCE, rest)
    return rest, tuple(found)


@dataclass(frozen=True, slots=True)
class _Found:
    """The balanced reaction that is meant, and what was taken for granted, with `{}` for the reaction."""

    reaction: Reaction
    note: str = ""
    is_directed: bool = True


def _reaction(reading: Reading, words: frozenset[str]) -> _Found | ChemistryProblem | None:
    if reading.reaction is not None:
        return _written(reading.reaction)
    if words.isdisjoint(word_class("chemistry.reacts") | word_class("chemistry.produced")):
        return None
    if words.isdisjoint(word_class("chemistry.burns")):
        return _only_reaction(reading.substances)
    return _combustion(reading.substances) or _burning(reading.substances)


def _written(reaction: Reaction) -> _Found | ChemistryProblem:
    if is_balanced(reaction):
        # It holds as it is written, even where the elements alone would allow other coefficients.
        left, right = (
            tuple(Term(each.formula, each.coefficient or Fraction(1)) for each in side)
            for side in (reaction.left, reaction.right)
        )
        return _Found(Reaction(left, right))
    found = balance(reaction)
    return (
        _Found(found, "the reaction is not balanced as stated; it is taken as {}")
        if isinstance(found, Reaction)
        else found
    )


def _combustion(substances: Sequence[Mentioned]) -> _Found | None:
    """The complete combustion of the one fuel among the substances, which all take part in it."""
    formulas = [each.formulas[0] for each in substances]
    fuels = {formula for formula in formulas if is_fuel(formula)}
    oxygen, dioxide, water = (_known(text) for text in ("O2", "CO2", "H2O"))
    if len(fuels) != 1 or any(each not in fuels and each not in (oxygen, dioxide, water) for each in formulas):
        return None
    found = complete_combustion(fuels.pop())
    return None if found is None else _Found(found, "the combustion is taken as complete: {}")


def _burning(substances: Sequence[Mentioned]) -> _Found | None:
    """What burns takes up oxygen, said or not."""
    oxygen = _known("O2")
    found = _only_reaction((*substances, Mentioned("O2", (oxygen,))))
    if found is None:
        return None
    return replace(
        found,
        reaction=found.reaction if found.reaction.is_reactant(oxygen) else turned(found.reaction),
        is_directed=True,
    )


def _known(text: str) -> ChemicalFormula:
    found = read_chemical_formula(text)
    assert isinstance(found, ChemicalFormula)
    return found


def _only_reaction(substances: Sequence[Mentioned]) -> _Found | None:
    """The only reaction that all the substances can have with each other."""
    formulas: list[ChemicalFormula] = []
    for each in substances:
        if len(each.formulas) > 1 and not is_element(each.formulas[0]):
            return None
        if not any(same_substance(each.formulas[0], known) for known in formulas):
            formulas.append(each.formulas[0])
    found = reaction_among(formulas)
    if found is None:
        return None
    return _Found(found, "the reaction is taken as {}, the only one among these substances", is_directed=False)


def _begun(case: _Case, found: _Found, conditions: GasConditions) -> Working:
    """The working of a case: the reaction first, and what was taken for granted about it."""
    working = Working(conditions=conditions)
    working.lines.append(str(case.reaction))
    if found.note:
        working.notes.append(found.note.format(case.reaction))
    return working


def _case(
    reading: Reading,
    found: _Found,
    question: Question,
    *,
    rest: str,
    plenty: Sequence[Mentioned],
    share: Amount | None,
    words: frozenset[str],
) -> _Case | None:
    """The parts of the question in terms of the reaction, where all of them take part in it."""
    asked, reaction = question.asked, found.reaction
    stated = _stated(reading, reaction, rest, share)
    if stated is None:
        return None
    species = [species_in(reaction, each) for each in reading.substances]
    if None in species:
        return None
    found_plenty = tuple(each for each in (species_in(reaction, one) for one in plenty) if each is not None)
    if not found.is_directed:
        reaction = _directed(reaction, stated, asked)
    return _Case(reaction, asked, stated, found_plenty, share, words)


def _directed(reaction: Reaction, stated: Sequence[_Stated], asked: Asked) -> Reaction:
    """The reaction in the direction that the question means: what is asked for forms, or what is stated reacts."""
    target = None if asked.substance is None else species_in(reaction, asked.substance)
    if target is not None and asked.is_formed != asked.is_consumed:
        return reaction if reaction.is_reactant(target) == asked.is_consumed else turned(reaction)
    first = next((each.formula for each in stated if not each.is_actual), None)
    return turned(reaction) if first is not None and not reaction.is_reactant(first) else reaction


_OF = rf"(?: (?:sample|of|{ANY}|pure|solid|liquid|gas|gaseous|dry|aqueous|excess))*"
_AMOUNT_OF = re.compile(rf"{AMOUNT}{_OF} ?(?P<behind>{SUBSTANCE})|(?P<before>{SUBSTANCE}) ?\(?{AMOUNT}\)?")


def _stated(reading: Reading, reaction: Reaction, rest: str, share: Amount | None) -> tuple[_Stated, ...] | None:
    """Every amount with the species it is of; None where one is of nothing."""
    found = []
    actual = word_class("chemistry.actual") | {"obtained"}
    used = 0 if share is None else 1
    for match in _AMOUNT_OF.finditer(rest):
        amount = reading.amount_at(match.start() + match[0].index(AMOUNT))
        mentioned = reading.substance_at(match.start("behind") if match["behind"] else match.start("before"))
        species = species_in(reaction, mentioned)
        if species is None or amount.measured not in _MEASURES:
            return None
        around = set(re.findall(r"[a-z]+", _clause_around(rest, match)))
        found.append(_Stated(amount, species, mentioned, not around.isdisjoint(actual)))
    if len(found) + used != len(reading.amounts) or not found:
        return None
    return tuple(found) if len({each.formula for each in found}) == len(found) else None


def _clause_around(text: str, found: re.Match[str]) -> str:
    """What stands around an amount up to the next amount, comma or end of a sentence."""
    before = re.split(rf"[.,;{AMOUNT}{REACTION}]|\bif\b|\band\b", text[: found.start()])[-1]
    behind = re.split(rf"[.,;{AMOUNT}]|\bfrom\b|\band\b|\bwhen\b|\bwhat\b", text[found.end() :])[0]
    return f"{before} {behind}"


def _is_measurable(case: _Case, *, has_conditions: bool) -> bool:
    has_volume = any(each.amount.measured == "volume" for each in case.stated) or case.asked.unit in (
        "L",
        "mL",
        "volume",
    )
    return has_volume == has_conditions


# Computing.


def _answered(case: _Case, working: Working) -> AlgebraOutcome:
    problem = next((each for each in map(mass_problem, (one.formula for one in case.stated)) if each is not None), None)
    if problem is not None:
        return failure(problem)
    going_in = [each for each in case.stated if not each.is_actual]
    if case.asked.kind == "percent_yield":
        return _percent_yield(case, working)
    if len(going_in) != len(case.stated) or not going_in:
        return None
    sides = {case.reaction.is_reactant(each.formula) for each in going_in}
    if len(sides) > 1 or (sides == {False} and len(going_in) > 1):
        return None
    moles = _moles_of_all(going_in, working)
    if isinstance(moles, ChemistryProblem):
        return failure(moles)
    course = _course(case.reaction, moles, working)
    match case.asked.kind:
        case "limiting":
            return _limiting(case, moles, course, working)
        case "left_over":
            return _left_over(case, moles, course, working)
        case _:
            return _amount(case, moles, course, working)


def _moles_of_all(stated: Sequence[_Stated], working: Working) -> dict[ChemicalFormula, Fraction] | ChemistryProblem:
    moles: dict[ChemicalFormula, Fraction] = {}
    for each in stated:
        working.takes(each.mentioned, each.formula)
        found = moles_of(each.amount, each.formula, working)
        if isinstance(found, ChemistryProblem):
            return found
        if found <= 0:
            return ChemistryProblem("domain", f"{each.amount.text} is no amount that can react")
        moles[each.formula] = found
    return moles


def _course(reaction: Reaction, moles: dict[ChemicalFormula, Fraction], working: Working) -> Course:
    if len(moles) == 1:
        ((formula, amount),) = moles.items()
        return Course(extent_of(reaction, formula, amount), formula)
    found = course_of(reaction, moles)
    for formula, amount in moles.items():
        number = reaction.coefficient_of(formula)
        working.lines.append(f"{formula}: {number_shown(amount)} mol / {number} = {number_shown(amount / number)} mol")
    ends = f"{found.limiting} gives out first" if found.limiting else "the reactants give out together"
    working.lines.append(f"{ends}, after {number_shown(found.extent)} mol of the reaction as written")
    return found


def _amount(case: _Case, moles: dict[ChemicalFormula, Fraction], course: Course, working: Working) -> AlgebraOutcome:
    asked = case.asked
    target = _target(case)
    if target is None or not _agrees(case, target, moles):
        return None
    first = next(iter(moles))
    found = moles_at(case.reaction, target, course.extent)
    of = course.limiting or first
    ratio = f"{case.reaction.coefficient_of(target)}/{case.reaction.coefficient_of(of)}"
    working.lines.append(f"n({target}) = {ratio} × n({of}) = {number_shown(found)} mol")
    if case.share is not None:
        working.states(case.share)
        is_made = case.reaction.is_reactant(first) and not case.reaction.is_reactant(target)
        if not is_made or asked.is_theoretical or not 0 < case.share.si <= 1:
            return None
        found *= case.share.si
        working.lines.append(f"with a yield of {case.share.text}: n({target}) = {number_shown(found)} mol")
    _tell_plenty(case, moles, working)
    problem = mass_problem(target)
    if problem is not None:
        return failure(problem)
    return in_unit(found, target, working, asked=asked, like=case.stated[0].amount)


def _target(case: _Case) -> ChemicalFormula | None:
    """The species that is asked for; for a yield the only product."""
    if case.asked.substance is not None:
        return species_in(case.reaction, case.asked.substance)
    return case.reaction.right[0].formula if case.asked.is_theoretical and len(case.reaction.right) == 1 else None


def _agrees(case: _Case, target: ChemicalFormula, moles: dict[ChemicalFormula, Fraction]) -> bool:
    """Whether the words do not put a species on the side where it is not."""
    asked = case.asked
    if target in moles:
        return False
    if asked.is_formed or asked.is_consumed:
        return asked.is_consumed == case.reaction.is_reactant(target)
    goes_in = not case.words.isdisjoint(word_class("chemistry.consumed"))
    comes_out = not case.words.isdisjoint(word_class("chemistry.produced"))
    if not case.reaction.is_reactant(next(iter(moles))):
        return True
    return goes_in or not comes_out if case.reaction.is_reactant(target) else comes_out or not goes_in


def _tell_plenty(case: _Case, moles: dict[ChemicalFormula, Fraction], working: Working) -> None:
    """Reactants without a stated amount are there in plenty: said unless the question says so."""
    if not case.reaction.is_reactant(next(iter(moles))):
        return
    target = _target(case)
    others = [each.formula for each in case.reaction.left if each.formula not in moles and each.formula != target]
    silent = [each for each in others if each not in case.plenty]
    if silent:
        working.notes.append(f"enough {' and '.join(map(str, silent))} is taken to be there")


def _limiting(case: _Case, moles: dict[ChemicalFormula, Fraction], course: Course, working: Working) -> AlgebraOutcome:
    if len(moles) < 2 or not case.reaction.is_reactant(next(iter(moles))):
        return None
    if course.limiting is None:
        said = "Neither reactant is limiting: the amounts are in the ratio of the reaction."
        return working.statement(said, expression=str(case.reaction))
    used = ", ".join(
        f"{number_shown(moles[each], 4)} mol of {each} would react with "
        f"{number_shown(_needed(case, each, moles, course), 4)} mol of {course.limiting}"
        for each in moles
        if each != course.limiting
    )
    there = number_shown(moles[course.limiting], 4)
    said = f"{course.limiting} is the limiting reactant: {used}, and there are {there} mol."
    return working.statement(said, expression=str(case.reaction))


def _needed(case: _Case, other: ChemicalFormula, moles: dict[ChemicalFormula, Fraction], course: Course) -> Fraction:
    assert course.limiting is not None
    return moles_at(case.reaction, course.limiting, extent_of(case.reaction, other, moles[other]))


def _left_over(case: _Case, moles: dict[ChemicalFormula, Fraction], course: Course, working: Working) -> AlgebraOutcome:
    if len(moles) < 2 or not case.reaction.is_reactant(next(iter(moles))):
        return None
    rest = {each: amount - moles_at(case.reaction, each, course.extent) for each, amount in moles.items()}
    asked = None if case.asked.substance is None else species_in(case.reaction, case.asked.substance)
    excess = [each for each, amount in rest.items() if amount]
    target = asked or (excess[0] if len(excess) == 1 else None)
    if target is None or target not in rest:
        return None
    reacted = moles_at(case.reaction, target, course.extent)
    working.lines.append(
        f"left of {target}: {number_shown(moles[target])} mol - {number_shown(reacted)} mol "
        f"= {number_shown(rest[target])} mol"
    )
    like = next(each.amount for each in case.stated if each.formula == target)
    return in_unit(rest[target], target, working, asked=case.asked, like=like)


def _yield_of_masses(reading: Reading, rest: str) -> AlgebraOutcome:
    """What was obtained over what could have been, where both are stated of one substance."""
    amounts = reading.amounts
    is_pair = len(amounts) == 2 and amounts[0].measured == amounts[1].measured and amounts[0].measured in _MEASURES
    if not is_pair or len({each.formulas for each in reading.substances}) > 1:
        return None
    ideal, actual = word_class("chemistry.theoretical"), word_class("chemistry.actual") | word_class("chemistry.got")
    is_ideal, is_actual = [], []
    for found in re.finditer(AMOUNT, rest):
        around = set(re.findall(r"[a-z]+", _clause_around(rest, found)))
        is_ideal.append(not around.isdisjoint(ideal))
        is_actual.append(not around.isdisjoint(actual) and not is_ideal[-1])
    if sum(is_ideal) != 1 or sum(is_actual) != 1 or not is_understood(rest, words="chemistry.yields"):
        return None
    most, got = amounts[is_ideal.index(True)], amounts[is_actual.index(True)]
    if not 0 < got.si <= most.si:
        return None
    working = Working()
    working.states(got)
    working.states(most)
    share = got.si / most.si * 100
    working.lines.append(f"percent yield = {got.text} / {most.text} × 100 % = {number_shown(share)} %")
    return working.result("The percent yield is {}.", share, unit_named("percent"), expression="percent yield")


def _percent_yield(case: _Case, working: Working) -> AlgebraOutcome:
    """What was obtained over what could have been."""
    made = [each for each in case.stated if not case.reaction.is_reactant(each.formula)]
    going_in = [each for each in case.stated if case.reaction.is_reactant(each.formula)]
    if len(made) != 1 or not going_in or case.share is not None or any(each.is_actual for each in going_in):
        return None
    moles = _moles_of_all(going_in, working)
    if isinstance(moles, ChemistryProblem):
        return failure(moles)
    course = _course(case.reaction, moles, working)
    target = made[0].formula
    most = moles_at(case.reaction, target, course.extent)
    working.lines.append(f"at most n({target}) = {number_shown(most)} mol can form")
    actual = moles_of(made[0].amount, target, working)
    if isinstance(actual, ChemistryProblem):
        return failure(actual)
    share = actual / most * 100
    working.lines.append(
        f"yield = {number_shown(actual)} mol / {number_shown(most)} mol × 100 % = {number_shown(share)} %"
    )
    if share > 100:
        working.notes.append("a yield above 100 % cannot be: the product is not pure, or a value is wrong")
    return working.result(
        f"The percent yield of {target} is {{}}.", share, unit_named("percent"), expression="percent yield"
    )
