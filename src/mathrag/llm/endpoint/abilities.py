"""What one server is known to lack for one model, learnt from what it refused. Shared by all who ask it."""

from __future__ import annotations

import threading
from collections.abc import Sequence, Set

from mathrag.llm.endpoint.faults import Refused
from mathrag.llm.endpoint.refusals import blamed
from mathrag.llm.endpoint.wording import Feature

# A refusal without a reason costs a request for every feature; so often that is tried in vain, and then no more.
_VAIN_SEARCHES = 2


class Abilities:
    """Features that the server has refused. Safe to use from several threads."""

    def __init__(self, model: str) -> None:
        self._model = model
        self._lock = threading.Lock()
        self._lacking: set[Feature] = set()
        self._vain_searches = 0

    def lacking(self) -> frozenset[Feature]:
        """What to leave out from the start."""
        with self._lock:
            return frozenset(self._lacking)

    def learn(self, features: Set[Feature]) -> None:
        """Remember what had to be left out of a request that was then served."""
        with self._lock:
            self._lacking |= features

    def note_vain_search(self) -> None:
        """A request was refused whatever was left out: it says nothing about abilities."""
        with self._lock:
            self._vain_searches += 1

    def blamed(self, fault: Refused, features: Sequence[Feature]) -> Feature | None:
        """The feature to leave out after a refusal; None where the refusal has another reason."""
        return blamed(fault, features, model=self._model, may_guess=self._vain_searches < _VAIN_SEARCHES)
