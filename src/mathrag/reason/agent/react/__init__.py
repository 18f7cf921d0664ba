"""A language model in the planner's chair: prompt, bounded context, tolerant reading of what it says. Same gate."""

from __future__ import annotations

from mathrag.reason.agent.react.planner import ReactPlanner

__all__ = ["ReactPlanner"]
