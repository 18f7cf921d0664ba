"""Claims of written solutions, found in their steps and judged by calculation alone.

A step is cut into passages (`passages`), a passage into chains such as `a = b = c` (`chains`, `prose`), each side is
read (`sides`), and each link is judged (`judging`). What the problem and earlier steps say is kept (`scope`).
"""

from mathrag.compute.claims.judging import judge_steps

__all__ = ["judge_steps"]
