"""Work in processes of their own, under limits of time and memory, that can be killed and replaced."""

from __future__ import annotations

from mathrag.isolation.pool import WorkerPool
from mathrag.isolation.tasks import Done, Failed, Outcome, Task, WorkerLimits

__all__ = ["Done", "Failed", "Outcome", "Task", "WorkerLimits", "WorkerPool"]
