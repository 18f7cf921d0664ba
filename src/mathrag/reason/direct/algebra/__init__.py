"""Questions of pure mathematics: identities, other forms, equations, derivatives, integrals, limits, sums, matrices,
complex numbers, statements of logic and on sets, polynomials, divisibility, kinds of numbers.

Answered by the calculator's own algebra, without the library and without a model. Each answer says what was checked and
how far that goes; what is not confirmed is not said.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from mathrag.compute.signs_of_logic import without_bare_backslashes
from mathrag.compute.typed_mathematics import AmbiguousMathematicsError
from mathrag.errors import UnitError
from mathrag.language.quantities import find_quantities
from mathrag.reason.direct.algebra.answers import answer_task
from mathrag.reason.direct.algebra.asked_unknowns import answer_asked_unknowns
from mathrag.reason.direct.algebra.boolean_notation import answer_boolean_notation
from mathrag.reason.direct.algebra.claim_frames import reframed
from mathrag.reason.direct.algebra.complex_claims import answer_complex_claim
from mathrag.reason.direct.algebra.complex_equations import answer_complex_equation
from mathrag.reason.direct.algebra.complex_numbers import answer_complex
from mathrag.reason.direct.algebra.congruences import answer_congruences
from mathrag.reason.direct.algebra.corrected_laws import with_correction
from mathrag.reason.direct.algebra.curves import answer_curves
from mathrag.reason.direct.algebra.derivative_laws import answer_derivative_law
from mathrag.reason.direct.algebra.differential_questions import answer_differential
from mathrag.reason.direct.algebra.divisibility import answer_divisibility
from mathrag.reason.direct.algebra.domains import answer_domains
from mathrag.reason.direct.algebra.event_claims import answer_event_claim
from mathrag.reason.direct.algebra.expectation_claims import answer_expectation_claim
from mathrag.reason.direct.algebra.extremes import answer_extremes
from mathrag.reason.direct.algebra.factors_over import answer_factors_over
from mathrag.reason.direct.algebra.field_claims import answer_field_claim
from mathrag.reason.direct.algebra.first_numbers import answer_first_numbers
from mathrag.reason.direct.algebra.function_forms import answer_function_forms
from mathrag.reason.direct.algebra.function_values import answer_function_value
from mathrag.reason.direct.algebra.gamma_values import answer_gamma
from mathrag.reason.direct.algebra.gradients import answer_gradient
from mathrag.reason.direct.algebra.growth_claims import answer_growth_claim
from mathrag.reason.direct.algebra.image_claims import answer_image_claim
from mathrag.reason.direct.algebra.implications import answer_implications
from mathrag.reason.direct.algebra.inverse_functions import answer_inverse_function
from mathrag.reason.direct.algebra.laws import answer_laws
from mathrag.reason.direct.algebra.limit_claims import answer_limit_claim
from mathrag.reason.direct.algebra.logic import answer_logic
from mathrag.reason.direct.algebra.map_claims import answer_map_claim
from mathrag.reason.direct.algebra.matrices import answer_matrices
from mathrag.reason.direct.algebra.matrix_claims import answer_matrix_claim
from mathrag.reason.direct.algebra.matrix_implications import answer_matrix_implication
from mathrag.reason.direct.algebra.number_forms import answer_number_forms
from mathrag.reason.direct.algebra.number_kinds import answer_number_kinds
from mathrag.reason.direct.algebra.operation_properties import answer_operation_properties
from mathrag.reason.direct.algebra.points_and_lines import answer_points_and_lines
from mathrag.reason.direct.algebra.polygons import answer_polygons
from mathrag.reason.direct.algebra.polynomial_pairs import answer_polynomial_pairs
from mathrag.reason.direct.algebra.polynomials import answer_polynomials
from mathrag.reason.direct.algebra.power_set_claims import answer_power_set_claim
from mathrag.reason.direct.algebra.propositions import answer_propositions
from mathrag.reason.direct.algebra.quantifiers import answer_quantifiers
from mathrag.reason.direct.algebra.questions import Claim, read_task
from mathrag.reason.direct.algebra.recurrences import answer_recurrence
from mathrag.reason.direct.algebra.relation_claims import answer_relation_claim
from mathrag.reason.direct.algebra.scaling import answer_scaling
from mathrag.reason.direct.algebra.sequences import answer_sequence
from mathrag.reason.direct.algebra.series import answer_series
from mathrag.reason.direct.algebra.series_written_out import answer_series_written_out
from mathrag.reason.direct.algebra.set_sizes import answer_set_sizes
from mathrag.reason.direct.algebra.sets import answer_sets
from mathrag.reason.direct.algebra.solution_sets import answer_solution_set
from mathrag.reason.direct.algebra.sum_claims import answer_sum_claim
from mathrag.reason.direct.algebra.task_frames import reworded
from mathrag.reason.direct.algebra.triangles import answer_triangles
from mathrag.reason.direct.algebra.turned_implications import answer_turned_implications
from mathrag.reason.direct.algebra.typed_values import answer_typed_value
from mathrag.reason.direct.algebra.vector_claims import answer_vector_claim
from mathrag.reason.direct.algebra.vector_spaces import answer_vector_space
from mathrag.reason.direct.algebra.vectors import answer_vectors
from mathrag.reason.direct.algebra.worded_conditions import in_known_words
from mathrag.reason.direct.algebra.worded_negations import answer_worded_negation
from mathrag.reason.direct.algebra.written_sets import answer_written_sets
from mathrag.reason.direct.result import AlgebraOutcome, DirectFailure, DirectResult, DirectStatement

__all__ = ["answer_algebra"]


# In this order: what reads signs of its own comes first.
_READERS: tuple[Callable[[str], AlgebraOutcome], ...] = (
    answer_gamma,
    answer_quantifiers,
    answer_turned_implications,
    answer_worded_negation,
    answer_boolean_notation,
    answer_propositions,
    answer_logic,
    answer_relation_claim,
    answer_map_claim,
    answer_image_claim,
    answer_power_set_claim,
    answer_written_sets,
    answer_sets,
    answer_set_sizes,
    answer_matrices,
    answer_event_claim,
    answer_growth_claim,
    answer_expectation_claim,
    answer_field_claim,
    answer_matrix_implication,
    answer_matrix_claim,
    answer_vector_space,
    answer_vectors,
    answer_vector_claim,
    answer_gradient,
    answer_differential,
    answer_triangles,
    answer_polygons,
    answer_scaling,
    answer_points_and_lines,
    answer_curves,
    answer_complex_equation,
    answer_complex_claim,
    answer_complex,
    answer_sum_claim,
    answer_congruences,
    answer_limit_claim,
    answer_extremes,
    answer_recurrence,
    answer_sequence,
    answer_number_forms,
    answer_function_forms,
    answer_series,
    answer_derivative_law,
    answer_laws,
    answer_operation_properties,
    answer_polynomial_pairs,
    answer_factors_over,
    answer_polynomials,
    answer_divisibility,
    answer_implications,
    answer_first_numbers,
    answer_series_written_out,
    answer_inverse_function,
    answer_number_kinds,
    answer_domains,
    answer_solution_set,
    answer_asked_unknowns,
    answer_function_value,
    answer_typed_value,
)


_TITLE = re.compile(r"\A\s*[A-Z][^\W\d_]+(?:['’]s?)?(?: [^\W\d_]+(?:['’]s?)?){0,4}: (?=(?:is|are|does|do|can)\b)")


def answer_algebra(text: str) -> AlgebraOutcome:
    """What a question of pure mathematics comes to, or why it has no answer; None for any other question."""
    # A name in front says what the statement is called: "Pascal's rule: is …".
    text = _TITLE.sub("", without_bare_backslashes(text))
    found = _in_frames(text)
    if isinstance(found, DirectResult):
        return found
    if isinstance(found, DirectFailure) and found.code == "ambiguous" and _gives_measures(text):
        return None
    if isinstance(found, DirectStatement) and not found.text.startswith("No counterexample"):
        return with_correction(found)
    # Conditions in other words may let a statement be read at all, or be proved.
    known = in_known_words(text)
    better = _in_frames(known) if known else None
    if isinstance(better, DirectStatement):
        return with_correction(better)
    return found if isinstance(found, DirectStatement) else _reworded(text) or found


def _gives_measures(text: str) -> bool:
    """Whether values with units are given by symbols: what follows the slash of `β = 0.5/day` is no product."""
    try:
        return any(mention.symbol and mention.units for mention in find_quantities(text))
    except UnitError:
        return False


def _reworded(text: str) -> AlgebraOutcome:
    """The same task in other words: what is not wholly understood stays as it was."""
    task = reworded(text)
    known = _answered(task) if task else None
    return known if isinstance(known, DirectResult | DirectStatement) else None


def _in_frames(text: str) -> AlgebraOutcome:
    framed = reframed(text)
    if framed.text == text:
        return _answered(text)
    # First without what stands around a statement: the words of a frame may look like letters.
    found = _answered(framed.text, asks_ever=framed.asks_ever)
    if isinstance(found, DirectStatement):
        return found
    as_written = _answered(text)
    return as_written if as_written is not None else found


def _answered(text: str, *, asks_ever: bool = False) -> AlgebraOutcome:
    for reader in _READERS:
        found = reader(text)
        if found is not None:
            return found
    try:
        task = read_task(text)
    except AmbiguousMathematicsError as error:
        return DirectFailure("ambiguous", str(error), "algebra")
    if isinstance(task, Claim) and asks_ever:
        task = replace(task, asks_ever=True)
    return None if task is None else answer_task(task)
