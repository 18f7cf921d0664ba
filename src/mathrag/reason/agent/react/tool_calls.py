"""Read the action in a native tool call. What a model wrote as arguments is as hostile as any text of it."""

from __future__ import annotations

from mathrag.llm.nouns import ChatReply
from mathrag.reason.agent.react.action_forms import action_name, tidy_inputs
from mathrag.reason.agent.react.text_actions import LONGEST_REPLY, LONGEST_THOUGHT, ReadReply, first_object, named


def read_tool_call(reply: ChatReply) -> ReadReply | None:
    """The first tool call of a reply as an action; None where there is none and the text has to be read."""
    if not reply.tool_calls:
        return None
    call = reply.tool_calls[0]
    name = action_name(call.name)
    thought = reply.text.strip()[:LONGEST_THOUGHT]
    arguments = call.arguments.strip()
    if not arguments:
        return named(ReadReply(name, {}, thought))
    value = first_object(arguments) if len(arguments) <= LONGEST_REPLY else None
    if value is None:
        return ReadReply(problem=f"the arguments of {name[:40]} are no JSON object", thought=thought)
    inputs, said = tidy_inputs(name, value)
    return named(ReadReply(name, inputs, (said or thought)[:LONGEST_THOUGHT]))
