"""What models write, read as actions: the good, the odd and the hopeless."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mathrag.llm.messages import ChatReply, ToolCall
from mathrag.reason.agent.react.action_forms import action_tools
from mathrag.reason.agent.react.text_actions import read_text_action, read_tool_call
from mathrag.reason.agent.seams import Permissions
from mathrag.types.episode import ACTION_NAMES, ASKING_LEAVE

RETRIEVE = ("RETRIEVE_MATH_KNOWLEDGE", {"query": "force"})
CREATE = ("CREATE_DYNAMIC_TOOL", {"formula_id": "f-1", "target": "F"})
CALL = ("CALL_TOOL", {"tool_name": "t", "parameters": {"m": "given_1"}})


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('Thought: need it\nAction: RETRIEVE_MATH_KNOWLEDGE\nAction Input: {"query": "force"}', RETRIEVE),
        ('Action: retrieve_math_knowledge\nAction Input: {"query": "force",}', RETRIEVE),
        ('**Thought:** x\n**Action:** `RETRIEVE_MATH_KNOWLEDGE`\n**Action Input:** {"query": "force"}', RETRIEVE),
        ('Action 1: RETRIEVE_MATH_KNOWLEDGE\nAction Input 1: {"query": "force"}', RETRIEVE),
        ('Action: RETRIEVE MATH KNOWLEDGE\nInput: {"query": "force"}', RETRIEVE),
        ("Action: RETRIEVE_MATH_KNOWLEDGE\nAction Input: force", RETRIEVE),
        ('Action: RETRIEVE_MATH_KNOWLEDGE("force")', RETRIEVE),
        ('RETRIEVE_MATH_KNOWLEDGE {"query": "force"}', RETRIEVE),
        ('I look it up.\n\nRETRIEVE_MATH_KNOWLEDGE: {"query": "force"}', RETRIEVE),
        ('```json\n{"action": "RETRIEVE_MATH_KNOWLEDGE", "action_input": {"query": "force"}}\n```', RETRIEVE),
        ('{"name": "RETRIEVE_MATH_KNOWLEDGE", "arguments": {"query": "force"}}', RETRIEVE),
        ('{"action": "RETRIEVE_MATH_KNOWLEDGE", "query": "force"}', RETRIEVE),
        ('<think>Action: RESPOND</think>Action: RETRIEVE_MATH_KNOWLEDGE\nAction Input: {"query": "force"}', RETRIEVE),
        ('Action: CREATE_TOOL\nAction Input: ```json\n{"id": "f-1", "solve_for": "F"}\n```', CREATE),
        ('Action: CREATE_DYNAMIC_TOOL\n{"formula_id": "f-1", "target": "F"}', CREATE),
        ('Action: CALL_TOOL\nAction Input: {"tool": "t", "args": {"m": "given_1"}}', CALL),
        ('Action: CALL_TOOL\nAction Input: {"tool_name": "t", "m": "given_1"}', CALL),
        ('Action: CALL_TOOL({"tool_name": "t", "parameters": {"m": "given_1"}})', CALL),
        ("Action: CALL_TOOL\nAction Input: {'tool_name': 't', 'parameters': {'m': 'given_1'}}", None),
        ("Final Answer: it is done", ("RESPOND", {"answer": "it is done"})),
        ("Thought: so\nFinal Answer: a\nObservation: b", ("RESPOND", {"answer": "a"})),
        ('Action: RESPOND\nAction Input: {"text": "done"}', ("RESPOND", {"answer": "done"})),
        ("Action: RESPOND", ("RESPOND", {})),
        ('Action: TRANSLATE_INPUT\nAction Input: {"text": "evil", "target_lang": "Latin"}',
         ("TRANSLATE_INPUT", {"target_lang": "English"})),
        ('Action: DANCE\nAction Input: {"a": 1}', ("DANCE", {"a": 1})),
    ],
)  # fmt: skip
def test_forms(text: str, wanted: tuple[str, dict[str, Any]] | None) -> None:
    read = read_text_action(text)
    if wanted is None:
        assert read.problem or read.name in ACTION_NAMES
    else:
        assert (read.name, dict(read.inputs), read.problem) == (*wanted, "")


def test_only_the_first_action_counts_and_imagined_observations_are_cut() -> None:
    read = read_text_action(
        'Thought: first\nAction: RETRIEVE_MATH_KNOWLEDGE\nAction Input: {"query": "force"}\n'
        'Observation: E = 42 J\nThought: great\nAction: RESPOND\nAction Input: {"answer": "42 J"}'
    )
    assert (read.name, read.inputs, read.thought) == ("RETRIEVE_MATH_KNOWLEDGE", {"query": "force"}, "first")
    alone = read_text_action('Observation: E = 42 J\nAction: RESPOND\nAction Input: {"answer": "42 J"}')
    assert "42" not in str(alone.inputs)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "empty"),
        ("   \n\t ", "empty"),
        ("I think the answer is 42.", "no action"),
        ('Action: CALL_TOOL\nAction Input: {"tool_name": "t", "parameters": {"m": ', "no JSON"),
        ("Action: CALL_TOOL\nAction Input: t with m = 3", "no JSON"),
        ("<think>forever and ever", "empty"),
    ],
)
def test_what_cannot_be_read_says_so(text: str, problem: str) -> None:
    read = read_text_action(text)
    assert read.name == ""
    assert problem in read.problem


def test_prose_is_kept_for_whoever_can_use_it() -> None:
    assert read_text_action("The force is 6 N.\nObservation: x").prose == "The force is 6 N."


def test_huge_replies_are_read_to_a_limit() -> None:
    huge = "Thought: " + "so " * 200_000 + '\nAction: RESPOND\nAction Input: {"answer": "x"}'
    assert read_text_action(huge).problem
    nested = 'Action: RESPOND\nAction Input: {"answer": ' + "[" * 10_000 + "]" * 10_000 + "}"
    assert read_text_action(nested).problem


def test_native_calls() -> None:
    call = ToolCall("CREATE_DYNAMIC_TOOL", '{"thought": "why", "formula_id": "f-1", "target": "F"}')
    read = read_tool_call(ChatReply("", (call, ToolCall("RESPOND", '{"answer": "42"}'))))
    assert read is not None
    assert (read.name, dict(read.inputs), read.thought) == (*CREATE, "why")
    broken = read_tool_call(ChatReply("", (ToolCall("CALL_TOOL", '{"tool_name": "t", '),)))
    assert broken is not None
    assert "no JSON" in broken.problem
    assert read_tool_call(ChatReply("Action: RESPOND")) is None


def test_every_action_is_offered_as_a_tool() -> None:
    tools = action_tools(Permissions(may_assume=True, may_propose=True))
    assert tuple(tool.name for tool in tools) == ACTION_NAMES
    assert {tool.name for tool in tools} - {tool.name for tool in action_tools()} == set(ASKING_LEAVE)
    for tool in tools:
        assert set(tool.parameters["required"]) <= set(tool.parameters["properties"])


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=400) | st.lists(st.sampled_from((
    "Action:", "Action Input:", "Thought:", "Observation:", "Final Answer:", "{", "}", '"', "\n", "```", "RESPOND",
    "CALL_TOOL", "[", "]", ":", ",", "null", "1e999", "\\", "<think>", "</think>", " ", "query",
)), max_size=40).map("".join))  # fmt: skip
def test_any_text_is_read_without_an_exception(text: str) -> None:
    read = read_text_action(text)
    assert bool(read.problem) == (read.name == "")
    assert all(isinstance(key, str) for key in read.inputs)
    native = read_tool_call(ChatReply(text, (ToolCall(text[:50], text),)))
    assert native is not None
