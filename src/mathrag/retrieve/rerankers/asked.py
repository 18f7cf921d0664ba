"""Rerankers that ask somebody: a server for reranking, or a language model that judges. What fails is unknown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mathrag.errors import ModelError
from mathrag.llm.judge import yes_probabilities
from mathrag.llm.seams import ChatModel

if TYPE_CHECKING:
    from mathrag.llm.endpoint.scoring import ScoringServer

_LONGEST_QUERY, _LONGEST_CARD = 6_000, 3_000
_STATEMENT = "The entry of a dictionary of mathematics is about something that the problem is about."


class EndpointReranker:
    """Asks a server."""

    name = "endpoint"

    def __init__(self, server: ScoringServer) -> None:
        self._server = server
        self.problem = ""

    def scores(self, query: str, texts: Sequence[str]) -> list[float | None]:
        """The server's scores; all unknown where it fails, and then `problem` says why."""
        try:
            found = self._server.scores(query, texts)
        except ModelError as error:
            self.problem = str(error)
            return [None] * len(texts)
        self.problem = ""
        return found


class JudgeReranker:
    """Asks a language model of each text whether it is relevant; the score is the probability of its yes."""

    name = "judge"

    def __init__(self, model: ChatModel, *, workers: int = 4) -> None:
        self._model = model
        self._workers = workers
        self.problem = ""

    def scores(self, query: str, texts: Sequence[str]) -> list[float | None]:
        """The probabilities; unknown where the model gives no verdict or fails."""
        contexts = [f"Problem: {query[:_LONGEST_QUERY]}\n\nEntry: {text[:_LONGEST_CARD]}" for text in texts]
        batch = yes_probabilities(self._model, [_STATEMENT] * len(texts), contexts=contexts, workers=self._workers)
        self.problem = str(batch.stopped) if batch.stopped is not None else ""
        return list(batch.results)
