"""Solve problems step by step with the models of a library: wires models, retrieval, checking and votes; and hands out
what shows a solution. Decides nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from mathrag.answer.stepped import step_lines, stepped_lines, stepped_object
from mathrag.errors import UsageError
from mathrag.library.ask.models import no_model
from mathrag.reason.steps.prompts import LONGEST_PROBLEM
from mathrag.types.answer import ModelUsage
from mathrag.types.solving import (
    MATERIAL_USES,
    TEACHERS,
    VOTE_RULES,
    SolvingOptions,
    SteppedSolution,
    TakenStep,
)

if TYPE_CHECKING:
    from mathrag.library.opened import OpenLibrary
    from mathrag.llm.accounts import Spending
    from mathrag.llm.metered import Models
    from mathrag.reason.steps.material import LibraryRetrieval, Search
    from mathrag.reason.steps.seams import Retrieval

__all__ = ["checked_options", "checked_problem", "solve_in_steps", "step_lines", "stepped_lines", "stepped_object"]


def checked_problem(text: str) -> str:
    """The problem without blanks around it; `UsageError` where there is none or too much."""
    problem = text.strip().strip("\ufeff\x00")
    if not problem:
        raise UsageError("there is no problem; give one, such as `mathrag solve-steps 'What is 12 * 4 - 30?'`")
    if len(problem) > LONGEST_PROBLEM:
        raise UsageError(f"the problem has {len(problem):,} characters and may have {LONGEST_PROBLEM:,}")
    return problem


def checked_options(options: SolvingOptions) -> SolvingOptions:
    """The options, whose names must be known; `UsageError` where one is not."""
    for value, known, what in (
        (options.teacher, TEACHERS, "role"),
        (options.vote, VOTE_RULES, "vote"),
        (options.material, MATERIAL_USES, "use of material"),
    ):
        if value not in known:
            raise UsageError(f"there is no {what} {value!r}; there is {', '.join(known)}")
    return options


def solve_in_steps(
    problem: str,
    *,
    models: Models | None,
    options: SolvingOptions,
    retrieval: Retrieval | None = None,
    listener: Callable[[TakenStep, int], None] | None = None,
) -> SteppedSolution:
    """Solve a problem with the models that reason and judge; `UsageError` where there are none."""
    if models is None or not models.has("reason"):
        raise no_model()
    from mathrag.compute.answers import same_answer
    from mathrag.reason.steps.election import elect
    from mathrag.reason.steps.seams import NoRetrieval
    from mathrag.reason.steps.solving import SolvingTools, solve

    writer = models.chat("reason")
    tools = SolvingTools(
        writer=writer,
        teacher=models.chat("judge") if models.has("judge") else writer,
        vote=elect,
        same=same_answer,
        retrieval=retrieval or NoRetrieval(),
        listener=listener,
    )
    before = models.account.snapshot()
    solved = solve(checked_problem(problem), tools, checked_options(options))
    return replace(solved, usage=_usage(writer.name, models.account.snapshot() - before))


def _usage(model: str, spent: Spending) -> ModelUsage:
    total = spent.total
    return ModelUsage(
        model,
        calls=total.calls,
        cached_calls=total.cached,
        prompt_tokens=total.prompt_tokens,
        completion_tokens=total.completion_tokens,
        cost=total.cost,
        planner="steps",
        reason="it wrote the steps",
    )


def retrieval_of(
    library: OpenLibrary, *, search: Search = "graph", models: Models | None = None, has_concepts: bool = True
) -> LibraryRetrieval | None:
    """What finds solved problems and concepts of a library; None where it has none. Problems are ranked by quality,
    too, where the gate says so; by the model that judges where it chose that."""
    from mathrag.library.quality import QualityBook
    from mathrag.library.reranking import configured_reranker
    from mathrag.reason.steps.material import LibraryRetrieval
    from mathrag.retrieve.concepts import ConceptSearch
    from mathrag.retrieve.problems import ProblemSearch

    book = QualityBook(library.database)
    book = book if models is None else book.judged_by(models)
    problems = ProblemSearch(library.database, library.embedder, quality=book.for_solutions)
    concepts = ConceptSearch(
        library.database, library.embedder, open_reranker=lambda one: configured_reranker(one, models=models)
    )
    found = LibraryRetrieval(problems, search=search, concepts=concepts if has_concepts else None)
    return None if found.is_empty else found
