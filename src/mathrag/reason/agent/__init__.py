"""The agent: one episode a question, with one set of actions, one gate and one trace. Who plans can be exchanged."""

from __future__ import annotations

from mathrag.reason.agent.episode import Episode, EpisodeResult, view_of
from mathrag.reason.agent.planners import RulesPlanner, ScriptedPlanner
from mathrag.reason.agent.seams import (
    BenchTool,
    CandidateCard,
    EpisodeView,
    Flags,
    FoundConstant,
    Planner,
    Problem,
    Retrieved,
    Source,
    ToolCard,
    Workbench,
)
from mathrag.reason.agent.trace import event_json, trace_json

__all__ = [
    "BenchTool",
    "CandidateCard",
    "Episode",
    "EpisodeResult",
    "EpisodeView",
    "Flags",
    "FoundConstant",
    "Planner",
    "Problem",
    "Retrieved",
    "RulesPlanner",
    "ScriptedPlanner",
    "Source",
    "ToolCard",
    "Workbench",
    "event_json",
    "trace_json",
    "view_of",
]
