"""A run that asks many things and is killed: started by a test as a process of its own."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from mathrag.llm.messages import ChatReply, ChatRequest, Message, ReplyPiece, Usage
from mathrag.llm.metered import Models
from mathrag.store.truth.replies import Replies


class LoggingModel:
    """Writes every request to a file, as a server writes its bill."""

    name = "logging"

    def __init__(self, bill: Path) -> None:
        self._bill = bill

    def chat(self, request: ChatRequest) -> ChatReply:
        text = request.messages[-1].text
        file = os.open(self._bill, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.write(file, f"{text}\n".encode())
        os.close(file)
        time.sleep(0.002)
        return ChatReply(f"reply to {text}", usage=Usage(10, 10))

    def stream(self, request: ChatRequest) -> Iterator[ReplyPiece]:
        yield ReplyPiece(reply=self.chat(request))


def run(folder: Path, count: int) -> None:
    """Ask for that many replies, writing down each one that was handed out."""
    with Models.of(LoggingModel(folder / "bill"), store=Replies(folder)) as models:
        for number in range(count):
            reply = models.chat("extract").chat(ChatRequest((Message("user", f"request {number}"),)))
            with (folder / "got").open("a") as file:
                file.write(f"{reply.text}\n")


if __name__ == "__main__":
    run(Path(sys.argv[1]), int(sys.argv[2]))
