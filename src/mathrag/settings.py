"""The only reader of the environment. Everything else gets its settings as arguments."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field
from pathlib import Path

from mathrag.errors import UsageError


def _default_library() -> Path:
    """`library` in the folder where this system keeps data of the user's programs."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return base / "mathrag" / "library"


@dataclass(frozen=True, slots=True)
class Settings:
    """What a user can set from outside. Each field names its variable in `VARIABLES`."""

    solve_seconds: float = 2.0
    solve_megabytes: int = 1024
    library: Path = field(default_factory=_default_library)
    pdf_password: str = field(default="", repr=False)
    reading_file_megabytes: int = 64
    reading_pages: int = 5_000
    reading_page_seconds: float = 120.0
    reading_seconds: float = 300.0
    reading_megabytes: int = 2048


VARIABLES = {
    "solve_seconds": "MATHRAG_SOLVE_SECONDS",
    "solve_megabytes": "MATHRAG_SOLVE_MEGABYTES",
    "library": "MATHRAG_LIBRARY",
    "pdf_password": "MATHRAG_PDF_PASSWORD",
    "reading_file_megabytes": "MATHRAG_READING_FILE_MEGABYTES",
    "reading_pages": "MATHRAG_READING_PAGES",
    "reading_page_seconds": "MATHRAG_READING_PAGE_SECONDS",
    "reading_seconds": "MATHRAG_READING_SECONDS",
    "reading_megabytes": "MATHRAG_READING_MEGABYTES",
}
MEANINGS = {
    "solve_seconds": "how long solving one equation may take before it is given up (2)",
    "solve_megabytes": "how much memory the solving process may use (1024)",
    "library": "the folder of the library that commands use (`mathrag/library` in the user's data folder)",
    "pdf_password": "the password that opens encrypted PDF files; never stored or shown",
    "reading_file_megabytes": "how large a file may be that is read (64)",
    "reading_pages": "how many pages a document may have (5000)",
    "reading_page_seconds": "how long reading one page may take before it is left out (120)",
    "reading_seconds": "how long reading and understanding one document may take in one process (300)",
    "reading_megabytes": "how much memory each process may use that reads documents (2048)",
}


def load_settings() -> Settings:
    """Read the environment once, checking each value."""
    return Settings(
        solve_seconds=_positive("MATHRAG_SOLVE_SECONDS", 2.0),
        solve_megabytes=int(_positive("MATHRAG_SOLVE_MEGABYTES", 1024)),
        library=Path(os.environ.get("MATHRAG_LIBRARY") or _default_library()),
        pdf_password=os.environ.get("MATHRAG_PDF_PASSWORD", ""),
        reading_file_megabytes=int(_positive("MATHRAG_READING_FILE_MEGABYTES", 64)),
        reading_pages=int(_positive("MATHRAG_READING_PAGES", 5_000)),
        reading_page_seconds=_positive("MATHRAG_READING_PAGE_SECONDS", 120.0),
        reading_seconds=_positive("MATHRAG_READING_SECONDS", 300.0),
        reading_megabytes=int(_positive("MATHRAG_READING_MEGABYTES", 2048)),
    )


def _positive(variable: str, default: float) -> float:
    text = os.environ.get(variable)
    if not text:
        return default
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 < value < float("inf"):
        raise UsageError(f"the setting {variable} must be a positive number, not {text!r}")
    return value
