"""The actions on documents as a kit: search cells, query tables, look at pages, calculate, answer. The gate goes by the
row of the method; whatever is refused comes back as an observation."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias, assert_never

from mathrag.errors import MathragError, readable
from mathrag.language.spoken_numbers import strange_words
from mathrag.reason.agent.documents.action_parameters import ProblemError, action_of
from mathrag.reason.agent.documents.evidence import Calculation, Witnesses, quote_of
from mathrag.reason.agent.documents.methods import CHUNKS, FULL_TEXT_TOKENS
from mathrag.reason.agent.documents.seams import (
    GRAPH,
    NO_FRAME,
    DocumentBench,
    DocumentView,
    Evidence,
    FoundRows,
    QuestionFrame,
    Seen,
    SeenPage,
)
from mathrag.reason.agent.seams import Problem
from mathrag.reason.agent.trace import json_value
from mathrag.types.answer import MODEL_WORDS, Citation, Outcome, Refusal, RefusalCode, Reply, WorkingLine
from mathrag.types.document import Place
from mathrag.types.document_actions import (
    DOCUMENT_ACTIONS,
    CalculateExpr,
    DocumentAction,
    DocumentActionName,
    GenerateAnswer,
    Method,
    RetrieveFromDatabase,
    RetrieveFromVectorstore,
    ViewImage,
)
from mathrag.types.episode import Action, Event, Observation
from mathrag.types.library import Span
from mathrag.types.question import Question

MOST_ROWS = 10
MOST_PICTURES = 10
_RETRIEVING: tuple[DocumentActionName, ...] = ("RetrieveFromVectorstore", "RetrieveFromDatabase")
_LONGEST_ANSWER = 4_000
_Done: TypeAlias = Observation | Problem

NOWHERE = "the answer has numbers that stand in nothing that was looked up, nor in the question"
_OWN_WORDS = "a language model's own words; nothing that was looked up says this"


@dataclass(slots=True)
class DocumentState:
    """What one episode about documents knows so far. `was_told` once an answer had a number from nowhere."""

    question: Question
    method: Method
    witnesses: Witnesses
    start: FoundRows | None = None
    tables: str = ""
    cells: str = ""
    events: list[Event] = field(default_factory=list)
    seen: list[Seen] = field(default_factory=list)
    pictures: int = 0
    was_told: bool = False
    outcome: Outcome | None = None


class DocumentKit:
    """Runs one method over a bench. `can_see` where whoever plans can look at pictures."""

    def __init__(
        self, bench: DocumentBench, method: Method, *, can_see: bool = False, frame: QuestionFrame = NO_FRAME
    ) -> None:
        self._bench = bench
        self._method = _within(method, frame.documents)
        self._can_see = can_see
        self._frame = frame

    def start(self, question: Question) -> DocumentState:
        """A fresh episode with what the method fetches first."""
        actions = self._method.actions
        state = DocumentState(question, self._method, Witnesses(question.text))
        state.start = self._fetched(question)
        state.tables = self._bench.describe_tables() if "RetrieveFromDatabase" in actions else ""
        # Where the method says itself what is searched, there is nothing to choose.
        is_open = "RetrieveFromVectorstore" in actions and not self._method.fixed
        state.cells = self._bench.describe_cells() if is_open else ""
        if state.start is not None:
            state.witnesses.add(state.start.evidence)
        return state

    def _fetched(self, question: Question) -> FoundRows | None:
        try:
            found = self._first(question.text)
        except MathragError:
            # Then there is nothing to begin with; what is asked later may still be found.
            return None
        return None if isinstance(found, Problem) else found

    def _first(self, text: str) -> FoundRows | Problem | None:
        match self._method.start:
            case "nothing" | "schema":
                return None
            case "title_and_abstract":
                return self._bench.abstracts(text)
            case "full_text":
                return self._bench.full_texts(text, tokens=FULL_TEXT_TOKENS)
            case "chunks":
                return self._search(self._with_fixed(RetrieveFromVectorstore(text, limit=CHUNKS)))
            case "graph":
                return self._bench.neighbourhood(text, limit=MOST_ROWS)
            case _ as never:
                assert_never(never)

    # ---- the gate

    def legal_actions(self, state: DocumentState) -> tuple[DocumentActionName, ...]:
        """What the row of the method has, at this round."""
        if not self._method.is_two_stage:
            return self._method.actions
        is_first = not state.events
        return tuple(name for name in self._method.actions if (name in _RETRIEVING) == is_first)

    def check(self, action: object, state: DocumentState) -> Observation | None:
        """What speaks against an action: nobody knows it, or the method lacks it."""
        if not isinstance(action, Action) or not isinstance(action.name, str):
            return self._refused(Problem("malformed_action", "an action has a name and parameters"), state)
        if not action.name:
            told = action.inputs.get("problem") if isinstance(action.inputs, Mapping) else None
            message = told if isinstance(told, str) and told else "no action could be read; write one"
            return self._refused(Problem("unknown_action", message), state)
        if action.name not in DOCUMENT_ACTIONS:
            return self._refused(Problem("unknown_action", f"there is no action {action.name[:60]!r}"), state)
        legal = self.legal_actions(state)
        if action.name in legal:
            return None
        said = f"{action.name} is not allowed {'now' if action.name in self._method.actions else 'here'}"
        return self._refused(Problem("not_allowed", f"{said}; allowed: {', '.join(legal)}"), state)

    def _refused(self, problem: Problem, state: DocumentState) -> Observation:
        message = problem.message[:2_000]
        state.seen.append(message)
        next_actions = () if state.outcome is not None else self.legal_actions(state)
        return Observation(False, problem.code, readable(message), next_actions=next_actions)

    # ---- the actions

    def carry_out(self, action: Action, state: DocumentState) -> Observation:
        """Do an action of the method and say what came of it."""
        try:
            wanted = action_of(action.name, action.inputs, ())
            done = self._done(wanted, state)
        except ProblemError as error:
            done = Problem(error.problem.code, error.problem.message)
        except MathragError as error:
            done = Problem("failed", str(error))
        return self._refused(done, state) if isinstance(done, Problem) else done

    def _done(self, wanted: DocumentAction, state: DocumentState) -> _Done:
        match wanted:
            case RetrieveFromVectorstore():
                return self._found(self._search(self._with_fixed(wanted)), state)
            case RetrieveFromDatabase(sql):
                return self._found(self._bench.run_sql(sql), state)
            case ViewImage():
                return self._view_image(wanted, state)
            case CalculateExpr(expr):
                return self._calculate(expr, state)
            case GenerateAnswer(answer):
                return self._answer(answer, state)
            case _ as never:
                assert_never(never)

    def _with_fixed(self, wanted: RetrieveFromVectorstore) -> RetrieveFromVectorstore:
        """The search with the parameters that the method sets itself, whatever was passed for them."""
        values: dict[str, Any] = dict(self._method.fixed)
        return replace(wanted, **values)

    def _search(self, wanted: RetrieveFromVectorstore) -> FoundRows | Problem:
        if wanted.collection_name == GRAPH:
            return self._bench.neighbourhood(wanted.query, limit=min(wanted.limit, MOST_ROWS))
        return self._bench.search_cells(
            wanted.query,
            collection=wanted.collection_name,
            table=wanted.table_name,
            column=wanted.column_name,
            filter_text=wanted.filter,
            limit=wanted.limit,
        )

    def _found(self, found: FoundRows | Problem, state: DocumentState) -> _Done:
        if isinstance(found, Problem):
            return found
        rows = found.rows
        total = rows.total if rows.total is not None else len(rows.rows)
        shown = replace(rows, rows=rows.rows[:MOST_ROWS], total=total)
        evidence = found.evidence[:MOST_ROWS]
        state.witnesses.add(evidence)
        state.seen.append(FoundRows(shown, evidence, found.note))
        note = f"; {found.note}" if found.note else ""
        return self._succeeded(
            state,
            "found" if rows.rows else "nothing_found",
            f"{len(shown.rows)} of {total} rows{note}",
            columns=list(rows.columns),
            rows=[[json_value(value) for value in row] for row in shown.rows],
        )

    def _view_image(self, wanted: ViewImage, state: DocumentState) -> _Done:
        if not self._can_see:
            return Problem("cannot_see", "the language model cannot look at pictures; read the text instead")
        if state.pictures >= MOST_PICTURES:
            return Problem("too_many_pictures", f"at most {MOST_PICTURES} pictures may be looked at")
        page = self._bench.draw(wanted.paper_id, wanted.page_number, box=wanted.bounding_box)
        if isinstance(page, Problem):
            return page
        state.pictures += 1
        state.witnesses.add(_of_page(page))
        state.seen.append(page)
        part = "a part of page" if page.cut.box is not None else "page"
        message = f"{part} {page.cut.page} of {self._bench.document_name(page.cut.document)}"
        return self._succeeded(state, "drawn", message, document=page.cut.document, page=page.cut.page)

    def _calculate(self, expression: str, state: DocumentState) -> _Done:
        problem = state.witnesses.calculation_problem(expression)
        if problem is not None:
            return problem
        result = self._bench.calculate(expression)
        if isinstance(result, Problem):
            return result
        state.witnesses.calculations.append(Calculation(expression, result))
        state.seen.append(f"The calculated result is: {result}")
        return self._succeeded(state, "calculated", f"{expression} = {result}", result=result)

    def _succeeded(self, state: DocumentState, code: str, message: str, **data: Any) -> Observation:
        next_actions = () if state.outcome is not None else self.legal_actions(state)
        return Observation(True, code, readable(message), data, next_actions)

    # ---- the end

    def _answer(self, answer: object, state: DocumentState) -> _Done:
        text = answer_text(answer)
        if not text.strip():
            return Problem("no_answer", "the answer is empty")
        if len(text) > _LONGEST_ANSWER:
            return Problem("too_long", f"an answer has at most {_LONGEST_ANSWER:,} characters")
        invented = state.witnesses.unsourced(text)
        if invented:
            return self._from_nowhere(invented, state)
        strange = strange_words(text, state.witnesses.words())
        if strange:
            return Problem("unreadable_letters", f"these words cannot be checked: {', '.join(strange)[:120]}")
        state.outcome = self._reply(text, state)
        state.seen.append(text)
        return self._succeeded(state, "answered", text)

    def _from_nowhere(self, invented: tuple[str, ...], state: DocumentState) -> Problem:
        """Told once, where there is a round to do better in; then there is no answer."""
        if state.was_told:
            state.outcome = self._no(state, "unsure", NOWHERE)
        state.was_told = True
        shown = ", ".join(invented)[:120]
        return Problem("number_without_source", f"these numbers stand in nothing that was looked up: {shown}")

    def _reply(self, text: str, state: DocumentState) -> Reply:
        supporting = state.witnesses.supporting(text)
        citations = tuple(
            Citation(
                each.document,
                self._bench.document_name(each.document),
                Span(each.document, Place(page=each.page), quote_of(each.text, text)),
            )
            for each in supporting
            if each.document is not None
        )
        return Reply(
            state.question.text,
            f"{MODEL_WORDS}{readable(text)}",
            citations=citations,
            warnings=() if supporting or state.witnesses.calculations else (_OWN_WORDS,),
            working=tuple(_working(state)),
        )

    def _no(self, state: DocumentState, code: RefusalCode, reason: str) -> Refusal:
        return Refusal(state.question.text, code, readable(reason))

    def broken_off(self, state: DocumentState, *, reason: str) -> Refusal:
        """That whoever plans could not go on."""
        return self._no(state, "failed", f"the planner stopped: {reason}")

    def out_of_rounds(self, state: DocumentState, *, rounds: int) -> Refusal:
        """That no answer was reached; never a number."""
        if state.was_told:
            return self._no(state, "unsure", NOWHERE)
        count = "1 round" if rounds == 1 else f"{rounds} rounds"
        return self._no(state, "failed", f"no answer was reached within {count}")

    def end(self, state: DocumentState) -> None:
        """Nothing was made that outlives the episode."""

    def view(self, state: DocumentState, *, rounds: int) -> DocumentView:
        """What a planner may look at now."""
        return DocumentView(
            question=state.question,
            method=self._method,
            legal_actions=self.legal_actions(state),
            rounds_left=rounds - len(state.events),
            start=state.start,
            events=tuple(state.events),
            seen=tuple(state.seen),
            tables=state.tables,
            cells=state.cells,
            answer_format=self._frame.answer_format,
            about=self._about(),
        )

    def _about(self) -> tuple[str, ...]:
        """The documents that are meant, for whoever may look something up in them."""
        if self._method.actions == ("GenerateAnswer",):
            return ()
        return tuple(f"{one} ({self._bench.document_name(one)})" for one in self._frame.documents)


def _within(method: Method, documents: Sequence[str]) -> Method:
    """A method that says itself which passages are searched keeps to the documents that are meant; one that lets the
    model choose is only told of them, for what is asked may stand in others that these cite."""
    if not documents or ("table_name", "chunks") not in method.fixed:
        return method
    listed = ", ".join(f'"{one}"' for one in documents)
    return replace(method, fixed=(*method.fixed, ("filter", f"document in [{listed}]")))


def _of_page(page: SeenPage) -> tuple[Evidence, ...]:
    return (Evidence(page.text, page.cut.document, page.cut.page),) if page.text else ()


def answer_text(answer: object) -> str:
    """An answer as people read it: words as they are, everything else as JSON."""
    if answer is None:
        return ""
    if isinstance(answer, str):
        return answer
    try:
        return json.dumps(answer, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return ""


def _working(state: DocumentState) -> list[WorkingLine]:
    """What was done, line by line: searches and queries with how much came back, calculations with their results."""
    lines = []
    for event in state.events:
        if not event.observation.succeeded:
            continue
        inputs, message = event.action.inputs, event.observation.message
        match event.action.name:
            case "RetrieveFromVectorstore":
                lines.append(f"searched for “{inputs.get('query', '')}”: {message}")
            case "RetrieveFromDatabase":
                lines.append(f"queried {inputs.get('sql', '')}: {message}")
            case "ViewImage":
                lines.append(f"looked at {message}")
            case "CalculateExpr":
                lines.append(message)
    return [WorkingLine(readable(line)) for line in lines]
