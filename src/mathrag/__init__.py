"""MathRAG: quantitative questions answered by computing with the formulas of your documents.

from mathrag import Library

with Library("my-library") as library:
    library.ingest([Library.starter_folder()])
    print(library.ask("What is the kinetic energy of 2 kg at 3 m/s?").text)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mathrag.version import __version__

if TYPE_CHECKING:
    from mathrag.library import Library

__all__ = ["Library", "__version__"]


def load_ipython_extension(shell: Any) -> None:
    """`%load_ext mathrag`: questions in notebooks."""
    from mathrag.jupyter import load

    load(shell)


def __getattr__(name: str) -> Any:
    """`Library`, loaded when first asked for: starting the command line must not wait for it."""
    if name == "Library":
        from mathrag.library import Library

        return Library
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
