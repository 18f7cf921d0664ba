"""A run in stages that is killed: started by a test as a process of its own. Its models write a bill, as servers do."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from mathrag.evaluate.augmentation import Offered
from mathrag.library.evaluate.staged_run import StagedOptions, StagedReport, StagedRun
from mathrag.llm.messages import ChatReply, ChatRequest, ReplyPiece
from mathrag.types.solution import Problem

PROBLEMS = 12
ATTEMPTS = 2
TEXTS = 2


def charge(bill: Path, line: str) -> None:
    """Write down a call the moment it is made."""
    file = os.open(bill, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(file, f"{line}\n".encode())
    os.close(file)
    time.sleep(0.002)


class LoggingScorer:
    """Gives every second text a high score, and every fifth problem no score at all."""

    name = "scorer"

    def __init__(self, bill: Path) -> None:
        self._bill = bill

    def scores(self, query: str, texts: Sequence[str]) -> list[float | None]:
        made: list[float | None] = []
        for text in texts:
            charge(self._bill, f"scorer {query} {text}")
            number = int(query.split()[2])
            made.append(None if number % 5 == 0 else 0.9 if text.endswith("1") else 0.1)
        return made


class LoggingWriter:
    """Adds rightly where it is shown a text; else it is wrong about odd numbers."""

    name = "writer"

    def __init__(self, bill: Path) -> None:
        self._bill = bill

    def chat(self, request: ChatRequest) -> ChatReply:
        text = request.messages[1].text
        number = int(text.partition("Ida has ")[2].split()[0])
        has_text = "KNOWLEDGE" in text
        charge(self._bill, f"writer {number} {has_text} {request.seed}")
        right = number + 50 if has_text or number % 2 == 0 else number + 51
        return ChatReply(f"Step 1: {number} + 50 = {right}\n\\boxed{{{right}}}")

    def stream(self, request: ChatRequest) -> Iterator[ReplyPiece]:
        yield ReplyPiece(reply=self.chat(request))


def problems() -> list[Problem]:
    return [
        Problem(
            f"Ida has {number} red and 50 blue beads. How many?", id=f"beads-{number}", answer=str(number + 50), level=1
        )
        for number in range(20, 20 + PROBLEMS)
    ]


def run(folder: Path) -> StagedReport:
    """The whole run, or what is left of it."""

    def material(problem: str) -> list[Offered]:
        charge(folder / "bill", f"search {problem}")
        return [Offered(f"text {place}", 0.3, f"book, record {place}") for place in range(TEXTS)]

    counting = (
        "import os, sys; f = os.open(sys.argv[1], os.O_WRONLY | os.O_APPEND | os.O_CREAT); os.write(f, b'switch\\n')"
    )
    command = (sys.executable, "-c", counting, str(folder / "bill"))
    staged = StagedRun(folder, [problems()], StagedOptions(ATTEMPTS, (0.5,), switch_command=command), workers=2)
    return staged.finish(
        material=material, scorer=LoggingScorer(folder / "bill"), writer=LoggingWriter(folder / "bill")
    )


if __name__ == "__main__":
    run(Path(sys.argv[1]))
