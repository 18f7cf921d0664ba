"""OpenMath objects: read, printed as LaTeX and MathML, and checked at points where they can be computed."""

from mathrag.compute.openmath.checking import check_by_sampling
from mathrag.compute.openmath.expressions import equation_of, expression_of, statement_of
from mathrag.compute.openmath.objects import OpenMathObject, read_object
from mathrag.compute.openmath.printing import latex_of, mathml_of, names_used, names_without_notation
from mathrag.compute.openmath.survey import Survey, survey_folder, survey_of

__all__ = [
    "OpenMathObject",
    "Survey",
    "check_by_sampling",
    "equation_of",
    "expression_of",
    "latex_of",
    "mathml_of",
    "names_used",
    "names_without_notation",
    "read_object",
    "statement_of",
    "survey_folder",
    "survey_of",
]
