"""Planning with a small model in two calls: it reads the question, then chooses among plans that the rules have made.

For models of one to eight billion parameters, which lose their way in long runs of think, act, observe. They name what
is given and what is asked, and say one letter; everything else is done by the rules.
"""

from __future__ import annotations

from mathrag.reason.agent.two_calls.planner import TwoCallPlanner

__all__ = ["TwoCallPlanner"]
