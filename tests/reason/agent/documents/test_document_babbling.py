"""Whatever a model says about documents: bounded rounds, no exception, and no number that was not seen or computed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from document_scenes import PAPER, PASSAGE, QUESTION, TABLE, KilnBench
from hypothesis import given, settings
from hypothesis import strategies as st

from babbling import DocumentBabbler, small_model, weights
from mathrag.errors import ModelError
from mathrag.llm.endpoint import Endpoint
from mathrag.llm.seams import ScriptedModel
from mathrag.reason.agent.documents.evidence import values_in
from mathrag.reason.agent.documents.methods import METHODS, method_called
from mathrag.reason.agent.documents.session import DocumentModels, answer_by_method
from mathrag.reason.agent.episode import EpisodeResult
from mathrag.types.answer import Refusal, Reply
from mathrag.types.document_actions import Method

# Every number that the bench ever shows as evidence or computes; and what may be made of them by rounding.
SEEN = values_in(f"{TABLE} {PASSAGE} {QUESTION} Table 3 | 4 We fire 3 glazes 0.598 13.1 0.6 13 4 true")
numbers = st.sampled_from((0.131, 0.729, 0.598, 0.57, 0.73, 42, 99, 88, 3, 1.31e-1, 729, "0,729", "forty-two", "½"))
expressions = st.sampled_from(
    ("0.729 - 0.131", "0.131 * 100", "42", "1+1+1", "0.729/0.729*42", "9**9**9", "(", "0.131")
)
queries = st.sampled_from(
    ("SELECT 99", "SELECT rate", "SELECT many", "SELECT caption", "DROP TABLE t", "SELECT '99' || '1'", "")
)
actions = st.one_of(
    st.builds(lambda each: f"GenerateAnswer(answer={each!r})", numbers),
    st.builds(
        lambda each, word: f"GenerateAnswer(answer='{word} {each}')", numbers, st.sampled_from(("DD2", "about", "-"))
    ),
    st.builds(lambda each: f"GenerateAnswer(answer=[{each!r}, {{'a': {each!r}}}])", numbers),
    st.builds(lambda each: f"CalculateExpr(expr={each!r})", expressions),
    st.builds(lambda each: f"RetrieveFromDatabase(sql={each!r})", queries),
    st.builds(
        lambda each, limit: f"RetrieveFromVectorstore(query={each!r}, limit={limit})", st.text(max_size=9), numbers
    ),
    st.builds(lambda page: f"ViewImage(paper_id='{PAPER}', page_number={page})", st.integers(-2, 12)),
)
failures = st.just(ModelError("timeout", "no reply in time"))
replies: st.SearchStrategy[Any] = st.one_of(actions, actions, actions, actions, st.text(max_size=200), failures)


def check(result: EpisodeResult, method: Method) -> None:
    json.dumps(result.trace(), allow_nan=False)
    assert len(result.events) <= method.rounds
    for event in result.events:
        if event.observation.succeeded:
            assert event.action.name in method.actions
    outcome = result.outcome
    if isinstance(outcome, Refusal):
        assert not values_in(outcome.reason) - {float(method.rounds)}
        return
    assert isinstance(outcome, Reply)
    made_up = values_in(outcome.text) - SEEN
    assert not made_up, outcome.text
    assert "forty" not in outcome.text
    assert "½" not in outcome.text


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(st.lists(replies, max_size=22), st.sampled_from(METHODS), st.booleans())
def test_no_reply_makes_a_number(script: list[Any], method: Method, can_see: bool) -> None:
    model = ScriptedModel(script)
    models = DocumentModels(model, model if can_see else None)
    result = answer_by_method(QUESTION, KilnBench(), method=method, models=models)
    assert len(model.requests) <= method.rounds
    check(result, method)


# ---- a real model, too small to reason


@pytest.fixture(scope="module")
def endpoint() -> Iterator[Endpoint]:
    with small_model() as running:
        yield running


@pytest.mark.soak
@pytest.mark.skipif(weights() is None, reason="the small model is not installed; `make test` installs it")
def test_a_babbling_model_gets_nothing_through(endpoint: Endpoint) -> None:
    for seed, name in enumerate(("question-only", "two-stage-hybrid", "neusym")):
        method = method_called(name)
        assert method is not None
        model = DocumentBabbler(endpoint, seed=seed)
        result = answer_by_method(QUESTION, KilnBench(), method=method, models=DocumentModels(model, model))
        assert 1 <= model.counts.calls <= method.rounds
        check(result, method)
