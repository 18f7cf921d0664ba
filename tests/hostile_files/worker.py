"""Reads the documents it is told of, one a line, in a process of its own that can be killed, and watches what is done.

Every answer is one line of JSON: what came of it, what it cost, and what was touched that should not have been. The
process has little memory, no network to speak of, and remembers every file opened, program started or socket made.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
import sys
import sysconfig
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

MEMORY = 3 * 1024**3
# Importing lazily and looking up packages is no harm.
_OWN_PLACES = (
    *sorted({os.path.realpath(place) for place in (*sysconfig.get_paths().values(), sys.prefix, sys.base_prefix)}),
    str(Path(__file__).resolve().parents[2] / "src"),
    *"/usr/lib /usr/share/zoneinfo /etc/mime.types /proc/self /proc/meminfo /dev/urandom /dev/null".split(),
)
_FORBIDDEN_EVENTS = (
    "subprocess.Popen", "os.system", "os.exec", "os.fork", "os.posix_spawn", "os.spawn", "socket.connect",
    "socket.getaddrinfo", "socket.bind", "urllib.Request", "ftplib.connect", "http.client.connect", "os.remove",
    "os.rename", "os.mkdir", "os.rmdir", "os.symlink", "os.link", "os.chmod", "os.truncate", "shutil.rmtree",
    "ctypes.dlopen", "pickle.find_class", "code.__new__", "tempfile.mkstemp", "tempfile.mkdtemp",
)  # fmt: skip


def load_libraries() -> None:
    """Load what binds a library or tries a socket when it is imported, before anybody watches."""
    import importlib

    for name in ("mathrag.documents.pdf.raw", "rapidocr", "rapidocr.utils.download_file"):
        with contextlib.suppress(ImportError):
            importlib.import_module(name)


class Watch:
    """What the interpreter reports while a document is read; looks inside `folder` are fine, everything else is not."""

    def __init__(self) -> None:
        self.path = self.folder = ""
        self.seen: list[str] = []
        sys.addaudithook(self._hear)

    @contextlib.contextmanager
    def over(self, path: str) -> Iterator[None]:
        """Listen while the block runs; a document may look into its folder, and the one asked for may be a link."""
        self.seen = []
        self.path = path
        self.folder = os.path.realpath(Path(path.split("\0")[0]).parent)
        try:
            yield
        finally:
            self.folder = ""

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self.folder:
            return
        if event in _FORBIDDEN_EVENTS:
            self.seen.append(event)
        elif event == "open" and isinstance(arguments[0], str | bytes) and not self._is_allowed(*arguments[:3]):
            self.seen.append(f"open {os.fsdecode(arguments[0])[:200]!r} {arguments[1]}")

    def _is_allowed(self, path: str | bytes, mode: str | None, flags: int) -> bool:
        # Through links: what counts is where it leads.
        place = os.path.realpath(os.fsdecode(path).split("\0")[0])
        if place.startswith(_OWN_PLACES):
            return True
        writes = bool(mode and set(mode) & set("wax+")) or bool(isinstance(flags, int) and flags & os.O_ACCMODE)
        is_here = os.fsdecode(path) == self.path or f"{place}/".startswith(f"{self.folder}/")
        return is_here and not writes


def _describe(document: Any) -> dict[str, Any]:
    """The size of a document, and its words without the exact quotes."""
    from mathrag.types.document import Text, contents_of, plain_text

    words, size = [document.title, *document.authors, document.abstract], 0
    for block in document.blocks:
        size += len(block.quote)
        words.append(getattr(block, "text", ""))
        words.append(getattr(block, "alternative", ""))
        for content in contents_of(block):
            words.append(plain_text(content))
            size += sum(len(piece.text) if isinstance(piece, Text) else 10 for piece in content)
    text = "\n".join(words)
    return {
        "outcome": "read",
        "media_type": document.media_type,
        "blocks": len(document.blocks),
        "size": size + len(text),
        "notes": sorted({note.code for note in document.notes}),
        "messages": [note.message for note in document.notes[:20]],
        "text": text,
    }


def _is_translated(error: BaseException) -> bool:
    """Whether a reader failed in a way nobody thought of, and only the wall around all readers gave it a sentence."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and trace.tb_frame.f_code.co_name == "read_document" and error.__cause__ is not None


def _read(path: str, watch: Watch) -> dict[str, Any]:
    from mathrag.documents.registry import read_path
    from mathrag.errors import DocumentError

    with watch.over(path):
        try:
            document = read_path(path)
        except DocumentError as error:
            return {
                "outcome": "reason",
                "code": error.code,
                "message": str(error),
                "place": error.place,
                "unforeseen": repr(error.__cause__)[:300] if _is_translated(error) else "",
            }
        except BaseException as error:
            return {"outcome": "leak", "message": f"{type(error).__name__}: {str(error)[:300]}"}
    return _describe(document)


def _answer(request: dict[str, Any], watch: Watch) -> dict[str, Any]:
    path = os.fsdecode(bytes.fromhex(request["path"]))
    spent = time.process_time()
    # Counts processor time, whatever else the machine does; when it is up, the signal ends the process.
    signal.setitimer(signal.ITIMER_PROF, request["seconds"])
    answer = _read(path, watch)
    signal.setitimer(signal.ITIMER_PROF, 0)
    answer["seconds"] = time.process_time() - spent
    answer["touched"] = watch.seen[:20]
    answer["megabytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    text = answer.pop("text", "")
    answer["missing"] = [words for words in request["keeps"] if words not in text]
    answer["leaked"] = [words for words in request["forbids"] if words in text]
    return answer


def main() -> None:
    """Answer requests until the other side closes."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    # Whatever a reader prints must not be mistaken for an answer.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    load_libraries()
    watch = Watch()
    for line in sys.stdin:
        json.dump(_answer(json.loads(line), watch), answers)
        answers.write("\n")
        answers.flush()


if __name__ == "__main__":
    main()
