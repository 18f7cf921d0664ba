"""The only reader of the environment. Everything else gets its settings as arguments."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

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
    promised_precision: float = 0.95
    library: Path = field(default_factory=_default_library)
    pdf_password: str = field(default="", repr=False)
    reading_file_megabytes: int = 64
    reading_pages: int = 5_000
    reading_page_seconds: float = 120.0
    reading_seconds: float = 300.0
    reading_megabytes: int = 2048
    serve_token: str = field(default="", repr=False)
    llm_url: str = ""
    llm_model: str = ""
    llm_key: str = field(default="", repr=False)
    llm_model_extract: str = ""
    llm_model_reason: str = ""
    llm_model_judge: str = ""
    llm_model_embed: str = ""
    llm_model_vision: str = ""
    llm_concurrency: int = 4
    llm_timeout_seconds: float = 120.0
    llm_retries: int = 4
    llm_price_input: float | None = None
    llm_price_output: float | None = None
    llm_context_tokens: int | None = None
    llm_assumptions: bool = False
    llm_formulas: bool = False
    llm_orders: int = 2


VARIABLES = {
    "solve_seconds": "MATHRAG_SOLVE_SECONDS",
    "solve_megabytes": "MATHRAG_SOLVE_MEGABYTES",
    "promised_precision": "MATHRAG_PROMISED_PRECISION",
    "library": "MATHRAG_LIBRARY",
    "pdf_password": "MATHRAG_PDF_PASSWORD",
    "reading_file_megabytes": "MATHRAG_READING_FILE_MEGABYTES",
    "reading_pages": "MATHRAG_READING_PAGES",
    "reading_page_seconds": "MATHRAG_READING_PAGE_SECONDS",
    "reading_seconds": "MATHRAG_READING_SECONDS",
    "reading_megabytes": "MATHRAG_READING_MEGABYTES",
    "serve_token": "MATHRAG_SERVE_TOKEN",
    "llm_url": "MATHRAG_LLM_URL",
    "llm_model": "MATHRAG_LLM_MODEL",
    "llm_key": "MATHRAG_LLM_KEY",
    "llm_model_extract": "MATHRAG_LLM_MODEL_EXTRACT",
    "llm_model_reason": "MATHRAG_LLM_MODEL_REASON",
    "llm_model_judge": "MATHRAG_LLM_MODEL_JUDGE",
    "llm_model_embed": "MATHRAG_LLM_MODEL_EMBED",
    "llm_model_vision": "MATHRAG_LLM_MODEL_VISION",
    "llm_concurrency": "MATHRAG_LLM_CONCURRENCY",
    "llm_timeout_seconds": "MATHRAG_LLM_TIMEOUT_SECONDS",
    "llm_retries": "MATHRAG_LLM_RETRIES",
    "llm_price_input": "MATHRAG_LLM_PRICE_INPUT",
    "llm_price_output": "MATHRAG_LLM_PRICE_OUTPUT",
    "llm_context_tokens": "MATHRAG_LLM_CONTEXT_TOKENS",
    "llm_assumptions": "MATHRAG_LLM_ASSUMPTIONS",
    "llm_formulas": "MATHRAG_LLM_FORMULAS",
    "llm_orders": "MATHRAG_LLM_ORDERS",
}
MEANINGS = {
    "solve_seconds": "how long solving one equation may take before it is given up (2)",
    "solve_megabytes": "how much memory the solving process may use (1024)",
    "promised_precision": "how often a number that is given shall be right; more answers less often (0.95)",
    "library": "the folder of the library that commands use (`mathrag/library` in the user's data folder)",
    "pdf_password": "the password that opens encrypted PDF files; never stored or shown",
    "reading_file_megabytes": "how large a file may be that is read (64)",
    "reading_pages": "how many pages a document may have (5000)",
    "reading_page_seconds": "how long reading one page may take before it is left out (120)",
    "reading_seconds": "how long reading and understanding one document may take in one process (300)",
    "reading_megabytes": "how much memory each process may use that reads documents (2048)",
    "serve_token": "the token that clients of `mathrag serve` must know; never stored or shown",
    "llm_url": "the address of an OpenAI-compatible server of language models; without it no model is used",
    "llm_model": "the model to ask there, by the name the server gives it",
    "llm_key": "the key the server wants; never stored or shown",
    "llm_model_extract": "another model for reading documents (the one of MATHRAG_LLM_MODEL)",
    "llm_model_reason": "another model for answering questions (the one of MATHRAG_LLM_MODEL)",
    "llm_model_judge": "another model for comparing and judging (the one of MATHRAG_LLM_MODEL)",
    "llm_model_embed": "a model that turns texts into vectors (none: the embedder that comes with the package)",
    "llm_model_vision": "a model that reads pictures of formulas (none: pictures are not read)",
    "llm_concurrency": "how many requests to the server may run at the same time (4)",
    "llm_timeout_seconds": "how long one request to the server may take, to the last byte of its reply (120)",
    "llm_retries": "how often a request is repeated after a rate limit, a fault or a lost connection (4)",
    "llm_price_input": "US dollars for a million tokens sent; 0 for a model of your own (unknown)",
    "llm_price_output": "US dollars for a million tokens received; 0 for a model of your own (unknown)",
    "llm_context_tokens": "how many tokens the model can take in at once (unknown: found out by asking)",
    "llm_assumptions": "whether a model may take a value that stands nowhere; the answer says so (no)",
    "llm_formulas": "whether a model may use a formula that no document states; the answer says so (no)",
    "llm_orders": "in how many orders of the plans, 1 or 2, a small model must choose the same one (2)",
}


def load_settings() -> Settings:
    """Read the environment once, checking each value."""
    return Settings(
        solve_seconds=_positive("MATHRAG_SOLVE_SECONDS", 2.0),
        solve_megabytes=int(_positive("MATHRAG_SOLVE_MEGABYTES", 1024)),
        promised_precision=_share("MATHRAG_PROMISED_PRECISION", 0.95),
        library=Path(os.environ.get("MATHRAG_LIBRARY") or _default_library()),
        pdf_password=os.environ.get("MATHRAG_PDF_PASSWORD", ""),
        reading_file_megabytes=int(_positive("MATHRAG_READING_FILE_MEGABYTES", 64)),
        reading_pages=int(_positive("MATHRAG_READING_PAGES", 5_000)),
        reading_page_seconds=_positive("MATHRAG_READING_PAGE_SECONDS", 120.0),
        reading_seconds=_positive("MATHRAG_READING_SECONDS", 300.0),
        reading_megabytes=int(_positive("MATHRAG_READING_MEGABYTES", 2048)),
        serve_token=_word("MATHRAG_SERVE_TOKEN"),
        llm_url=_address("MATHRAG_LLM_URL"),
        llm_model=_word("MATHRAG_LLM_MODEL"),
        llm_key=_word("MATHRAG_LLM_KEY"),
        llm_model_extract=_word("MATHRAG_LLM_MODEL_EXTRACT"),
        llm_model_reason=_word("MATHRAG_LLM_MODEL_REASON"),
        llm_model_judge=_word("MATHRAG_LLM_MODEL_JUDGE"),
        llm_model_embed=_word("MATHRAG_LLM_MODEL_EMBED"),
        llm_model_vision=_word("MATHRAG_LLM_MODEL_VISION"),
        llm_concurrency=_whole("MATHRAG_LLM_CONCURRENCY", 4, least=1, most=1000),
        llm_timeout_seconds=_positive("MATHRAG_LLM_TIMEOUT_SECONDS", 120.0),
        llm_retries=_whole("MATHRAG_LLM_RETRIES", 4, least=0, most=100),
        llm_price_input=_price("MATHRAG_LLM_PRICE_INPUT"),
        llm_price_output=_price("MATHRAG_LLM_PRICE_OUTPUT"),
        llm_context_tokens=_whole("MATHRAG_LLM_CONTEXT_TOKENS", 0, least=1, most=1_000_000_000) or None,
        llm_assumptions=_is_allowed("MATHRAG_LLM_ASSUMPTIONS"),
        llm_formulas=_is_allowed("MATHRAG_LLM_FORMULAS"),
        llm_orders=_whole("MATHRAG_LLM_ORDERS", 2, least=1, most=2),
    )


def _word(variable: str) -> str:
    return os.environ.get(variable, "").strip()


def _is_allowed(variable: str) -> bool:
    text = _word(variable).lower()
    if text not in ("", "yes", "no"):
        raise UsageError(f"the setting {variable} must be yes or no, not {text!r}")
    return text == "yes"


def _address(variable: str) -> str:
    text = _word(variable)
    if not text:
        return ""
    try:
        parts = urlsplit(text)
        is_usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_usable = False
    if not is_usable or any(character.isspace() for character in text):
        # The text itself is not repeated: people put passwords into addresses.
        raise UsageError(f"the setting {variable} must be an address such as http://localhost:11434/v1")
    return text


def _whole(variable: str, default: int, *, least: int, most: int) -> int:
    text = _word(variable)
    if not text:
        return default
    # Checked before `int`, which takes other scripts' digits, underscores and numbers of any length.
    if not (text.isascii() and text.isdigit() and len(text) <= 12 and least <= int(text) <= most):
        raise UsageError(f"the setting {variable} must be a whole number from {least} to {most}, not {text!r}")
    return int(text)


def _price(variable: str) -> float | None:
    text = _word(variable)
    if not text:
        return None
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise UsageError(f"the setting {variable} must be a price in US dollars, 0 or more, not {text!r}")
    return value


def _share(variable: str, default: float) -> float:
    text = _word(variable)
    if not text:
        return default
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < 1:
        raise UsageError(f"the setting {variable} must be a share from 0 to below 1, such as 0.95, not {text!r}")
    return value


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
