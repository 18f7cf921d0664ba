"""Questions with known answers as samples for fitting: the plans of each, their evidence, and which of them are right.

An exercise with a printed answer labels plans by itself: those that give the printed number are right, the others are
wrong, and where nothing is to be answered all are. Used by fit_choosing.py. Questions go the way they go in
`Library.ask`; what needs no plan (a conversion, a greeting) is told apart by `way`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from own_words import questions_of

from mathrag.compute.canonical import canonical_key
from mathrag.compute.latex import read_latex
from mathrag.evaluate.grades import compare
from mathrag.library import Library
from mathrag.reason.agent.endings import answer_directly
from mathrag.reason.choosing.plans import Plan
from mathrag.reason.decision import COMPUTED, Decider, Weighed
from mathrag.reason.judge import Judge
from mathrag.reason.session import Options, prepare_question
from mathrag.types.answer import Answer
from mathrag.types.expression import Reading
from mathrag.types.quantity import Quantity

_LAST_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True)
class PlanSample:
    """A plan: its evidence, its number where it has one, and whether that is what the question asks for."""

    evidence: Mapping[str, float]
    score: float
    is_complete: bool
    hops: int
    value: float | None
    is_right: bool


@dataclass(frozen=True)
class Sample:
    """A question with its plans. `group` is what is left out together when the fit is examined (a book), `way` how the
    question was answered: `plan`, or `direct`, or `none`. `features` are those of the best plan where it gives a
    number, `sure` how sure the product was of it in a library of `formulas` formulas, `refused` why it would give none
    whatever the confidence, `findings` the codes of all that speaks against it."""

    id: str
    set: str
    group: str
    tier: str
    half: str
    way: str
    is_answerable: bool
    features: Mapping[str, float] | None = None
    sure: float = 0.0
    is_right: bool = False
    refused: str = ""
    plans: tuple[PlanSample, ...] = field(default=())
    formulas: int = 0
    findings: tuple[str, ...] = ()


def half_of(identifier: str) -> str:
    """The half of a question: by the number of its formula where the id has one (`set-d-007-03`), else by its own."""
    parts = identifier.split("-")
    number = parts[2] if len(parts) == 4 and len(parts[1]) == 1 else parts[-1]
    digits = _LAST_NUMBER.findall(number)
    return "odd" if digits and int(digits[-1]) % 2 else "even"


def samples(
    questions: Sequence[Mapping[str, Any]], library: Library, *, name: str, group: str, with_plans: bool = False
) -> Iterator[Sample]:
    """Every question with its plans."""
    sources = library._asker.sources
    decider = Decider(Judge(sources.finder, sources.load_constant, sources.name_document))
    for record in questions:
        question = prepare_question(record["question"], sources, Options({}))
        answerable = record["answer"] is not None
        common = (record["id"], name, group, record.get("tier", ""), half_of(record["id"]))
        direct = answer_directly(question)
        if direct is not None:
            right = isinstance(direct, Answer) and answerable and is_right(direct.quantity, record)
            has = isinstance(direct, Answer)
            yield Sample(*common, "direct" if has else "none", answerable, sure=float(has), is_right=right)
            continue
        if question.intent in ("chat", "explain", "constant") or question.language != "en":
            yield Sample(*common, "none", answerable)
            continue
        weighed = decider.weigh(question)
        plans = tuple(_plan_samples(weighed, record)) if with_plans else ()
        if not weighed.plans or not weighed.plans[0].is_complete or weighed.values[0] is None:
            yield Sample(*common, "none", answerable, plans=plans)
            continue
        code, _ = decider.verdict(replace(weighed, sure=1.0), is_pinned=False)
        right = answerable and is_right(weighed.values[0], record)
        yield Sample(
            *common,
            "plan",
            answerable,
            _finite(weighed.features),
            weighed.sure,
            right,
            code or "",
            plans,
            weighed.formulas,
            tuple(dict.fromkeys(each.code for each in weighed.findings)),
        )


def _finite(features: Mapping[str, float]) -> dict[str, float]:
    return {name: round(float(value), 6) for name, value in features.items() if value}


def _plan_samples(weighed: Weighed, record: Mapping[str, Any]) -> Iterator[PlanSample]:
    values = (*weighed.values, *(None for _ in weighed.plans[len(weighed.values) :]))
    for plan, value in zip(weighed.plans[:COMPUTED], values, strict=False):
        if record.get("tier") == "missing":
            right = not plan.is_complete and not plan.hops and _is_formula(plan, record.get("latex"))
        else:
            right = value is not None and record["answer"] is not None and is_right(value, record)
        number = None if value is None else value.si_value
        yield PlanSample(_finite(plan.evidence), plan.score, plan.is_complete, plan.hops, number, right)


def is_right(value: Quantity, record: Mapping[str, Any]) -> bool:
    """Whether a number is the answer of the record, as `mathrag evaluate` judges it."""
    tolerance = None if record.get("tolerance") is None else float(record["tolerance"])
    return compare(value, float(record["answer"]), str(record["unit"]), tolerance=tolerance) == "right"


def forms_of(latex: str) -> set[str]:
    """The canonical forms of the equations of a formula."""
    reading = read_latex(latex, ())
    return {canonical_key(equation) for equation in reading.equations} if isinstance(reading, Reading) else set()


def _is_formula(plan: Plan, latex: object) -> bool:
    texts = latex if isinstance(latex, list) else [latex]
    return any(plan.step.candidate.formula.form in forms_of(str(text)) for text in texts)


def write_samples(file: Path, found: Sequence[Sample]) -> None:
    """Samples as lines of JSON."""
    file.write_text("".join(json.dumps(asdict(one)) + "\n" for one in found), encoding="utf-8")


def read_samples(file: Path) -> list[Sample]:
    """Samples from the file that `write_samples` made."""
    return [_sample(json.loads(line)) for line in file.read_text(encoding="utf-8").splitlines()]


def _sample(data: dict[str, Any]) -> Sample:
    plans = tuple(PlanSample(**plan) for plan in data["plans"])
    return Sample(**{**data, "plans": plans, "findings": tuple(data["findings"])})


@dataclass(frozen=True)
class Source:
    """Questions asked over a library. `group` is left out as a whole when the fit is examined: the questions of a book.
    `questions` is relative to the folder of question sets; `only` narrows it to the questions of one document. Over
    another library than the one it was made for (`is_elsewhere`) nobody knows what must be refused. `words_of` names a
    library from whose own words questions are made (own_words.py), in place of a set."""

    name: str
    group: str
    questions: str
    library: str
    only: str = ""
    most: int = 10_000
    is_elsewhere: bool = False
    words_of: str = ""


# Libraries of documents in their own words, and the one that is asked what the next one says: most it cannot know.
_OWN = ("strangers-1", "strangers-2", "strangers-3", "strangers-4", "dev-physics", "dev-chemistry")
_OWN_EACH = 60

# Over their own book, over another one, and over one that cannot answer them: confidence has to hold there too.
SOURCES = (
    Source("exercises", "exercises", "dev-exercises", "college"),
    Source("exercises-other-book", "exercises", "dev-exercises", "dev-book", is_elsewhere=True),
    Source("exercises-starter", "exercises", "dev-exercises", "starter", most=100, is_elsewhere=True),
    Source("everyday", "everyday", "dev-everyday", "algebra"),
    Source("everyday-physics", "everyday", "dev-everyday", "college", most=120, is_elsewhere=True),
    Source("basics-physics", "basics-physics", "dev-basics/physics", "college"),
    Source("basics-physics-other-book", "basics-physics", "dev-basics/physics", "dev-book", is_elsewhere=True),
    Source("basics-physics-starter", "basics-physics", "dev-basics/physics", "starter", is_elsewhere=True),
    Source("basics-chemistry", "basics-chemistry", "dev-basics/chemistry", "starter"),
    Source("basics-refuse", "basics-refuse", "dev-basics/refuse", "college"),
    Source("basics-refuse-starter", "basics-refuse", "dev-basics/refuse", "starter"),
    Source("physics", "physics", "dev-physics", "dev-physics"),
    Source("physics-over-book", "physics", "dev-physics", "college", most=150, is_elsewhere=True),
    Source("chemistry", "chemistry", "dev-chemistry", "dev-chemistry"),
    Source("chemistry-over-book", "chemistry", "dev-chemistry", "college", most=100, is_elsewhere=True),
    Source("book", "book", "dev-book", "dev-book"),
    Source("book-over-another", "book", "dev-book", "college", is_elsewhere=True),
    Source("starter", "starter", "starter", "starter"),
    *(Source(f"own-{name}", f"own-{name}", "", name, words_of=name) for name in _OWN),
    *(
        Source(f"own-{name}-of-another", f"own-{name}", "", name, words_of=other, most=120, is_elsewhere=True)
        for name, other in zip(_OWN, (*_OWN[1:], _OWN[0]), strict=True)
    ),
    *(
        Source(f"field-{name}", f"field-{name}", "dev-fields", name, only=name)
        for name in (
            "ee-machines", "linkbudget", "structures", "structures-pdf", "finance-openstax", "heat-tex", "stats-md",
            "rocket-pdf", "physics-pdf",
        )
    ),
)  # fmt: skip


def records_of(source: Source, *, sets: Path, libraries: Callable[[str], Path]) -> list[dict[str, Any]]:
    """The questions of a source: of its set, or made from the words of a library."""
    if not source.words_of:
        lines = (sets / "questions.jsonl").read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines]
    with Library(libraries(source.words_of)) as library:
        return [made.record(number) for number, made in enumerate(questions_of(library, each=_OWN_EACH))]


def samples_of(
    source: Source,
    records: Sequence[Mapping[str, Any]],
    folder: Path,
    *,
    with_even: bool = False,
    with_plans: bool = False,
) -> list[Sample]:
    """The samples of a source: the odd half, and the even half where it is wanted."""
    mine = [record for record in records if not source.only or record.get("document") == source.only]
    if source.is_elsewhere:
        mine = [record for record in mine if record["answer"] is not None]
    halves = [[record for record in mine if half_of(record["id"]) == half][: source.most] for half in ("odd", "even")]
    wanted = halves[0] + (halves[1] if with_even and not source.is_elsewhere else [])
    with Library(folder) as library:
        return list(samples(wanted, library, name=source.name, group=source.group, with_plans=with_plans))
