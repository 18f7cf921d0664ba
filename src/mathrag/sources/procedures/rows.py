"""Solutions as rows of the store: problems, solutions and steps of one file, each once, named by their content.

Which step a wrong one stands in place of follows from the record: its solutions are laid beside each other, and where
steps were replaced, the wrong one stands in place of the right one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from mathrag.sources.procedures.collection import ReadRecord
from mathrag.sources.procedures.knowledge import forms_in
from mathrag.store.index.problem_likeness import normal_text
from mathrag.store.truth.codec import Row, Value, plain_json
from mathrag.types.library import content_id
from mathrag.types.solution import Problem, Solution, SolutionStep


def problem_content(text: str) -> str:
    """What tells the same problem again, whatever its blanks and case."""
    return content_id("p", normal_text(text))


def solution_content(solution: Solution, problem: str) -> str:
    """What tells the same solution of the same problem again, with all that is said of its steps."""
    parts = [part for step in solution.steps for part in _parts(step)]
    return content_id("s", problem, str(solution.is_right), solution.answer, *parts)


def _parts(step: SolutionStep) -> Iterator[str]:
    yield from (step.text, step.label, step.error, str(len(step.alternatives)))
    for other in step.alternatives:
        yield from (other.text, other.label, other.error)


@dataclass(slots=True)
class _Rows:
    """The rows of a file while it is read."""

    document: str
    problems: dict[str, dict[str, Value]] = field(default_factory=dict)
    solutions: dict[str, dict[str, Value]] = field(default_factory=dict)
    steps: list[dict[str, Value]] = field(default_factory=list)

    def problem(self, problem: Problem, line: int) -> str:
        """The id of a problem, which may be there already; what another record of it adds is kept."""
        content = problem_content(problem.text)
        identifier = f"{self.document}/problem/{content}"
        row = self.problems.get(identifier)
        if row is None:
            self.problems[identifier] = {
                "id": identifier,
                "document": self.document,
                "position": len(self.problems),
                "content": content,
                "text": problem.text,
                "branch": problem.branch,
                "subfield": problem.subfield,
                "type": problem.type,
                "level": problem.level,
                "answer": problem.answer,
                "line": line,
            }
        elif problem.answer and not row["answer"]:
            row["answer"] = problem.answer
        return identifier

    def solution(self, solution: Solution, problem: str, line: int) -> tuple[str, bool]:
        """The id of a solution, and whether it is new."""
        content = solution_content(solution, problem.rpartition("/")[2])
        identifier = f"{self.document}/solution/{content}"
        if identifier in self.solutions:
            return identifier, False
        self.solutions[identifier] = {
            "id": identifier,
            "document": self.document,
            "position": len(self.solutions),
            "problem": problem,
            "content": content,
            "answer": solution.answer,
            "is_right": None if solution.is_right is None else int(solution.is_right),
            "step_count": len(solution.steps),
            "line": line,
        }
        return identifier, True

    def step(
        self,
        step: SolutionStep,
        solution: str,
        *,
        name: str,
        number: int,
        line: int,
        alternative_to: str | None,
        is_alternative: bool = False,
    ) -> None:
        """One step of a solution, or another way to go on."""
        self.steps.append(
            {
                "id": f"{solution}/{name}",
                "document": self.document,
                "position": len(self.steps),
                "solution": solution,
                "number": number,
                "text": step.text,
                "label": step.label,
                "error": step.error,
                "forms": plain_json(list(forms_in(step.text))),
                "is_alternative": int(is_alternative),
                "alternative_to": alternative_to,
                "line": line,
            }
        )


def procedure_rows(document: str, records: Sequence[ReadRecord]) -> Mapping[str, Sequence[Row]]:
    """The rows of all records of a file, by table."""
    made = _Rows(document)
    for record in records:
        reference: tuple[str, Solution] | None = None
        for solution in record.solutions:
            if solution.problem is None:
                continue
            problem = made.problem(solution.problem, record.line)
            identifier, is_new = made.solution(solution, problem, record.line)
            if is_new:
                _add_steps(made, solution, identifier, record.line, reference)
            if reference is None and solution.is_right:
                reference = identifier, solution
    return {
        "problems": list(made.problems.values()),
        "solutions": list(made.solutions.values()),
        "solution_steps": made.steps,
    }


def _add_steps(
    made: _Rows, solution: Solution, identifier: str, line: int, reference: tuple[str, Solution] | None
) -> None:
    beside = {} if reference is None else _in_place_of(solution, reference[1])
    for number, step in enumerate(solution.steps, 1):
        place = beside.get(number)
        other = None if place is None or reference is None else f"{reference[0]}/{place}"
        made.step(step, identifier, name=str(number), number=number, line=line, alternative_to=other)
        for count, way in enumerate(step.alternatives, 1):
            made.step(
                way,
                identifier,
                name=f"{number}.{count}",
                number=number,
                line=line,
                alternative_to=f"{identifier}/{number}",
                is_alternative=True,
            )


def _in_place_of(solution: Solution, reference: Solution) -> dict[int, int]:
    """For the wrong steps that replace steps of the right solution, the number of the step they stand in place of.

    What both begin and end with is the same; between, steps stand beside each other where both have as many. Else only
    the first ones do: steps were put in or left out behind them, and nothing tells which.
    """
    mine = [step.text for step in solution.steps]
    theirs = [step.text for step in reference.steps]
    start = _common(mine, theirs)
    end = _common(mine[start:][::-1], theirs[start:][::-1])
    sizes = len(mine) - start - end, len(theirs) - start - end
    beside = sizes[0] if sizes[0] == sizes[1] else min(1, *sizes)
    return {
        place + 1: place + 1
        for place in range(start, start + beside)
        if solution.steps[place].label == "bad" and mine[place] != theirs[place]
    }


def _common(first: Sequence[str], second: Sequence[str]) -> int:
    """How many members two lists have in common at their beginning."""
    both = zip(first, second, strict=False)
    return next((place for place, (one, other) in enumerate(both) if one != other), min(len(first), len(second)))
