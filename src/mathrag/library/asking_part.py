"""The part of `Library` that answers questions. Opens the models that the settings name when they are first needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mathrag.library.ask.models import Models
    from mathrag.library.ask.session import Asker
    from mathrag.reason.session import SessionResult
    from mathrag.store.index.vectors import VectorSearch
    from mathrag.store.truth.database import Database
    from mathrag.types.answer import Outcome
    from mathrag.types.episode import Event
    from mathrag.types.library import Formula

# One for all libraries: it is held for the moment in which models are opened.
_OPENING = Lock()


class AskingPart:
    """What asking needs of a library, and what it gives."""

    folder: Path
    database: Database
    _models: Models | None = None

    if TYPE_CHECKING:

        @property
        def _vectors(self) -> VectorSearch: ...

        def formula(self, text: str) -> Formula: ...

    def ask(
        self,
        text: str,
        *,
        planner: str | None = None,
        pinned: Mapping[str, str] | None = None,
        formula: str | None = None,
        unit: str | None = None,
        listener: Callable[[Event], None] | None = None,
        models: Models | None = None,
    ) -> Outcome:
        """Answer a question by computing with the formulas of the library, or say why not.

        `pinned` sets values by symbol (`{"m": "2 kg"}`), `formula` names the one to use, `unit` that of the answer;
        `listener` hears of every action as it happens. `planner` is `rules`, `react` or `auto`; without one it is
        `auto` where a language model is set up, else `rules`. `models` are by default those that the settings name.
        """
        return self.ask_in_detail(
            text, planner=planner, pinned=pinned, formula=formula, unit=unit, listener=listener, models=models
        ).result.outcome

    def ask_in_detail(
        self,
        text: str,
        *,
        planner: str | None = None,
        pinned: Mapping[str, str] | None = None,
        formula: str | None = None,
        unit: str | None = None,
        listener: Callable[[Event], None] | None = None,
        models: Models | None = None,
    ) -> SessionResult:
        """Like `ask`, with every action and the formulas that were considered."""
        chosen = self.formula(formula) if formula is not None else None
        known = models if models is not None or planner == "rules" else self._own_models()
        return self._asker.ask(
            text, planner=planner, pinned=pinned, formula=chosen, unit=unit, listener=listener, models=known
        )

    def read_ahead(self) -> Iterator[int]:
        """Read formulas before they are asked for, a few at each step; gives how many were read so far."""
        return self._asker.read_ahead()

    @cached_property
    def _asker(self) -> Asker:
        from mathrag.library.ask.session import Asker

        return Asker(self.database, self._vectors)

    def _own_models(self) -> Models | None:
        """The language models that the settings name, opened once; None where they name none."""
        from mathrag.settings import load_settings

        settings = load_settings()
        if not settings.llm_model and not settings.llm_model_reason:
            return None
        with _OPENING:
            if self._models is None:
                from mathrag.library.ask.models import open_models

                self._models = open_models(self.folder, settings=settings)
            return self._models

    def _close_models(self) -> None:
        if self._models is not None:
            self._models.close()
            self._models = None
