"""Counters and times for Prometheus, in its text format. Knows names and numbers; measures nothing itself."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Iterable, Mapping

_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_MOST_SERIES = 2_000
Labels = tuple[tuple[str, str], ...]


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

    def text(self, gauges: Mapping[str, float] | Iterable[tuple[str, float]] = ()) -> str:
        """Everything in Prometheus' text format; `gauges` are the values of this moment."""
        lines: list[str] = []
        for name, value in sorted(dict(gauges).items()):
            lines += [f"# TYPE {name} gauge", f"{name} {value:g}"]
        with self._lock:
            for name, series in sorted(self._counters.items()):
                lines.append(f"# TYPE {name} counter")
                lines += [f"{name}{_labels(key)} {value:g}" for key, value in sorted(series.items())]
            for name, histograms in sorted(self._histograms.items()):
                lines.append(f"# TYPE {name} histogram")
                for key, held in sorted(histograms.items()):
                    for place, bound in enumerate(_BUCKETS):
                        lines.append(f"{name}_bucket{_labels((*key, ('le', f'{bound:g}')))} {held[place]:g}")
                    lines.append(f"{name}_bucket{_labels((*key, ('le', '+Inf')))} {held[-2]:g}")
                    lines.append(f"{name}_count{_labels(key)} {held[-2]:g}")
                    lines.append(f"{name}_sum{_labels(key)} {held[-1]:.6f}")
        return "\n".join(lines) + "\n"


def _labels(key: Labels) -> str:
    if not key:
        return ""
    inside = ",".join(f'{name}="{_escaped(value)}"' for name, value in key)
    return f"{{{inside}}}"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
