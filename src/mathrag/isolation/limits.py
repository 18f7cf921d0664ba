"""What a process may use: memory, processor time, files, processes. Set from inside, or for a program just started.

A limit that the system does not know or refuses is passed over (macOS refuses those of memory): the clock, which is
watched from outside, holds everywhere.
"""

from __future__ import annotations

import contextlib
import signal

_MEGABYTE = 1024 * 1024


def limit_process(
    *,
    data_megabytes: int | None = None,
    address_megabytes: int | None = None,
    processor_seconds: int | None = None,
    file_bytes: int | None = None,
    open_files: int | None = None,
    processes: int | None = None,
    pid: int = 0,
) -> frozenset[str]:
    """Set limits for good, for this process or for the one named; the names of those that could not be set.

    `data_megabytes` bounds what a process writes to; `address_megabytes` also what is only reserved, or mapped from a
    file. A core dump, which could hold a stranger's document, is never written.
    """
    try:
        import resource
    except ImportError:
        return frozenset(("RLIMIT_AS", "RLIMIT_DATA", "RLIMIT_CPU", "RLIMIT_FSIZE", "RLIMIT_NOFILE", "RLIMIT_NPROC"))
    wanted = {
        "RLIMIT_CORE": 0,
        "RLIMIT_AS": None if address_megabytes is None else address_megabytes * _MEGABYTE,
        "RLIMIT_DATA": None if data_megabytes is None else data_megabytes * _MEGABYTE,
        "RLIMIT_CPU": processor_seconds,
        "RLIMIT_FSIZE": file_bytes,
        "RLIMIT_NOFILE": open_files,
        "RLIMIT_NPROC": processes,
    }
    refused = set()
    for name, value in wanted.items():
        if value is None:
            continue
        try:
            if pid:
                resource.prlimit(pid, getattr(resource, name), (value, value))
            else:
                resource.setrlimit(getattr(resource, name), (value, value))
        except (ValueError, OSError, AttributeError):
            refused.add(name)
    return frozenset(refused)


def limit_next_seconds(seconds: float) -> None:
    """Bound the processor time from now on. Only the soft limit, so that the next task can have its own."""
    try:
        import resource
    except ImportError:
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    # The system counts whole seconds; one more, so that no task has less than it was promised.
    soft = int(used.ru_utime + used.ru_stime + seconds) + 1
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))


def end_after(seconds: float) -> None:
    """End this process by an alarm, even in the middle of compiled code that never comes back to Python."""
    with contextlib.suppress(AttributeError):
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, seconds)
