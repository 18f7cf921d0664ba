"""Counters and times for Prometheus, in its text format. Knows names and numbers; measures nothing itself."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Mapping

# In seconds: from a page that is at hand to a question that is just answered in time.
_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
# Labels are our own, but a mistake with one must not fill the memory.
_MOST_SERIES = 2_000
Labels = tuple[tuple[str, str], ...]
Value = float | Mapping[Labels, float]
_MEANINGS = {
    "mathrag_requests_total": "Requests by method, route and status.",
    "mathrag_request_seconds": "Time from a request to the end of its reply.",
    "mathrag_asks_total": "Questions by outcome.",
    "mathrag_ask_seconds": "Time to answer a question.",
    "mathrag_jobs_queued": "Jobs that wait.",
    "mathrag_jobs_running": "Jobs that are being done.",
    "mathrag_jobs_done": "Jobs kept that are done.",
    "mathrag_jobs_failed": "Jobs kept that have failed.",
    "mathrag_jobs_cancelled": "Jobs kept that were cancelled.",
    "mathrag_pool_workers": "Processes that answer questions, when all have started.",
    "mathrag_pool_ready": "Processes that can answer now.",
    "mathrag_pool_busy": "Processes that are answering.",
    "mathrag_pool_waiting": "Questions that wait for a process.",
    "mathrag_pool_asked": "Questions since the start, also those answered from memory.",
    "mathrag_pool_cached": "Questions answered from memory since the start.",
    "mathrag_pool_replaced": "Processes that had to be replaced since the start.",
    "mathrag_model_calls": "Calls of language models in this run.",
    "mathrag_model_calls_allowed": "Calls of language models that this run may make.",
    "mathrag_model_cost_dollars": "What language models cost in this run.",
    "mathrag_model_cost_dollars_allowed": "What language models may cost in this run.",
    "mathrag_streams": "Replies that are being streamed.",
}


class Metrics:
    """Counters and histograms by name and labels; for any number of threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counters: dict[str, dict[Labels, float]] = defaultdict(dict)
        self._histograms: dict[str, dict[Labels, list[float]]] = defaultdict(dict)

    def count(self, name: str, amount: float = 1, **labels: str) -> None:
        """Add to a counter."""
        key = tuple(sorted(labels.items()))
        with self._lock:
            series = self._counters[name]
            if key in series or len(series) < _MOST_SERIES:
                series[key] = series.get(key, 0) + amount

    def observe(self, name: str, seconds: float, **labels: str) -> None:
        """Add a time to a histogram."""
        key = tuple(sorted(labels.items()))
        with self._lock:
            series = self._histograms[name]
            if key not in series:
                if len(series) >= _MOST_SERIES:
                    return
                series[key] = [0.0] * (len(_BUCKETS) + 2)
            held = series[key]
            for place, bound in enumerate(_BUCKETS):
                if seconds <= bound:
                    held[place] += 1
            held[-2] += 1
            held[-1] += seconds

    def text(self, gauges: Mapping[str, Value] | None = None, *, counted: Mapping[str, Value] | None = None) -> str:
        """Everything in Prometheus' text format; `gauges` are the values of this moment, `counted` are counted
        elsewhere, each one number or one by labels."""
        lines: list[str] = []
        for kind, values in (("gauge", gauges or {}), ("counter", counted or {})):
            for name, value in sorted(values.items()):
                series = value if isinstance(value, Mapping) else {(): value}
                lines += [*_head(name, kind), *(f"{name}{_labels(key)} {each:.15g}" for key, each in series.items())]
        with self._lock:
            for name, counters in sorted(self._counters.items()):
                lines += _head(name, "counter")
                lines += [f"{name}{_labels(key)} {value:.15g}" for key, value in sorted(counters.items())]
            for name, histograms in sorted(self._histograms.items()):
                lines += _head(name, "histogram")
                for key, held in sorted(histograms.items()):
                    for place, bound in enumerate(_BUCKETS):
                        lines.append(f"{name}_bucket{_labels((*key, ('le', f'{bound:g}')))} {held[place]:.15g}")
                    lines.append(f"{name}_bucket{_labels((*key, ('le', '+Inf')))} {held[-2]:.15g}")
                    lines.append(f"{name}_count{_labels(key)} {held[-2]:.15g}")
                    lines.append(f"{name}_sum{_labels(key)} {held[-1]:.6f}")
        return "\n".join(lines) + "\n"


def _head(name: str, kind: str) -> list[str]:
    meaning = _MEANINGS.get(name)
    return [*([f"# HELP {name} {meaning}"] if meaning else []), f"# TYPE {name} {kind}"]


def _labels(key: Labels) -> str:
    if not key:
        return ""
    inside = ",".join(f'{name}="{_escaped(value)}"' for name, value in key)
    return f"{{{inside}}}"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
