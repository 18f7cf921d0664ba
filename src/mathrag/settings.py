"""The only reader of the environment and of the settings file. Everything else gets its settings as arguments.

What the environment says goes before what the file says, and that before the default. Options of commands go before
all of them, and are the business of the commands.
"""

from __future__ import annotations

import json
import os
import re
import stat
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Literal, TypeAlias
from urllib.parse import urlsplit

from mathrag.errors import UsageError, did_you_mean, readable

# What the names of our own variables begin with.
_OURS = "MATHRAG_"
CONFIG_VARIABLE = "MATHRAG_CONFIG"
CONFIG_NAME = "config.toml"
# Nobody has more settings than fit in here; a larger file is no settings file.
_LARGEST_CONFIG = 65_536


def _default_library() -> Path:
    """`library` in the folder where this system keeps data of the user's programs."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return base / "mathrag" / "library"


def config_file() -> Path:
    """The settings file: the one that MATHRAG_CONFIG names, else one in the user's folder of settings."""
    named = os.environ.get(CONFIG_VARIABLE, "").strip()
    if named:
        return Path(named)
    if sys.platform == "win32":
        base = Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return base / "mathrag" / CONFIG_NAME


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
    handbook: bool = True
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
    reranker: str = "fitted"
    reranker_key: str = field(default="", repr=False)


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
    "handbook": "MATHRAG_HANDBOOK",
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
    "reranker": "MATHRAG_RERANKER",
    "reranker_key": "MATHRAG_RERANKER_KEY",
}
MEANINGS = {
    "solve_seconds": "how long solving one equation may take before it is given up (2)",
    "solve_megabytes": "how much memory the solving process may use (1024)",
    "promised_precision": "how often a number that is given shall be right; more answers less often (0.95)",
    "library": "the folder of the library that commands use (`mathrag/library` in the user's data folder)",
    "pdf_password": "the password that opens encrypted PDF files; never shown",
    "reading_file_megabytes": "how large a file may be that is read (64)",
    "reading_pages": "how many pages a document may have (5000)",
    "reading_page_seconds": "how long reading one page may take before it is left out (120)",
    "reading_seconds": "how long reading and understanding one document may take in one process (300)",
    "reading_megabytes": "how much memory each process may use that reads documents (2048)",
    "serve_token": "the token that clients of `mathrag serve` must know; never shown",
    "handbook": "whether relations that everybody knows answer where the documents do not; the answer says so (yes)",
    "llm_url": "the address of an OpenAI-compatible server of language models; without it no model is used",
    "llm_model": "the model to ask there, by the name the server gives it",
    "llm_key": "the key the server wants; never shown",
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
    "reranker": "who says how relevant a concept that was found is: fitted (built in), none, judge (the model), "
    "the address of a server (http://HOST/rerank or MODEL@http://HOST/score), onnx:FOLDER, or a plugin (fitted)",
    "reranker_key": "the key that the server of MATHRAG_RERANKER wants; never shown",
}


# Never shown: who sees them can read what is locked, or spend money.
SECRETS = frozenset(("pdf_password", "serve_token", "llm_key", "reranker_key"))
Source: TypeAlias = Literal["environment", "file", "default"]


@dataclass(frozen=True, slots=True)
class Said:
    """A setting as it holds now: its value, and who said so."""

    name: str
    value: Any = field(repr=False)
    source: Source

    @property
    def shown(self) -> str:
        """The value for people; of secrets only that there is one."""
        if self.name in SECRETS:
            return "(set, not shown)" if self.value else ""
        if isinstance(self.value, bool):
            return "yes" if self.value else "no"
        text = "" if self.value is None else str(self.value)
        # People put passwords into addresses.
        return readable(re.sub(r"(?<=://)[^/@\s]*@", "…@", text))


def load_settings() -> Settings:
    """Read the environment and the settings file, checking each value."""
    return Settings(**{said.name: said.value for said in settings_said()})


def settings_said() -> Iterator[Said]:
    """Every setting with its value and where it comes from; `UsageError` for the first one that is wrong."""
    file = config_file()
    from_file = read_config(file)
    defaults = Settings()
    for name, variable in VARIABLES.items():
        text = os.environ.get(variable, "")
        if text.strip():
            yield Said(name, _READERS[name](variable, text), "environment")
        elif name in from_file:
            yield Said(name, _READERS[name](f"{name} in {file}", from_file[name]), "file")
        else:
            yield Said(name, getattr(defaults, name), "default")


# The settings file: TOML with one entry for each setting, such as `llm_url = "http://localhost:11434/v1"`.


def read_config(file: Path) -> Mapping[str, str]:
    """The entries of the settings file as texts, as the environment would give them. Values are not checked yet.

    Without a file there are none; one that MATHRAG_CONFIG names must be there.
    """
    try:
        about = file.stat()
    except (OSError, ValueError) as error:
        if not os.environ.get(CONFIG_VARIABLE, "").strip() and isinstance(
            error, FileNotFoundError | NotADirectoryError
        ):
            return {}
        raise UsageError(f"the settings file {file}, named by {CONFIG_VARIABLE}, cannot be read: {error}") from error
    if not stat.S_ISREG(about.st_mode):
        if str(file) == os.devnull:
            return {}
        raise UsageError(f"the settings file {file} is no ordinary file")
    return _parsed_config(file, about.st_mtime_ns, about.st_size)


@lru_cache(maxsize=4)
def _parsed_config(file: Path, time: int, size: int) -> Mapping[str, str]:  # noqa: ARG001  (they tell states apart)
    try:
        with file.open("rb") as opened:
            data = opened.read(_LARGEST_CONFIG + 1)
    except OSError as error:
        raise UsageError(f"the settings file {file} cannot be read: {error.strerror or error}") from error
    if len(data) > _LARGEST_CONFIG:
        raise UsageError(f"the settings file {file} is larger than {_LARGEST_CONFIG:,} bytes; it holds settings alone")
    return _entries(data, file)


def _entries(data: bytes, file: Path) -> dict[str, str]:
    try:
        parsed = tomllib.loads(data.decode("utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        # The decoder may quote what it met, which may be a key.
        place = re.search(r"\(at .*?\)", str(error))
        raise UsageError(
            f"the settings file {file} is not valid TOML {place.group() if place else ''}".rstrip()
        ) from None
    found: dict[str, str] = {}
    for name, value in parsed.items():
        if name not in VARIABLES:
            raise UsageError(f"{file} sets {readable(name)!r}, which is no setting{did_you_mean(name, VARIABLES)}")
        found[name] = _as_text(name, value, file)
    return found


def _as_text(name: str, value: object, file: Path) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str | int | float):
        return str(value)
    raise UsageError(f"{name} in {file} must be one text or number, not a list, a table or a date")


def setting_named(text: str) -> str:
    """The setting that a user means: `llm_url`, `llm-url` or `MATHRAG_LLM_URL`."""
    wanted = text.strip().lower().replace("-", "_").removeprefix("mathrag_")
    if wanted not in VARIABLES:
        near = did_you_mean(wanted, VARIABLES)
        raise UsageError(f"there is no setting {text!r}{near or '; `mathrag config show` lists all'}")
    return wanted


def set_in_config(file: Path, name: str, text: str | None) -> bool:
    """Write a setting into the settings file, or with None take it out; whether anything changed.

    The value is checked first. Comments and the other entries stay as they are. The file is the user's alone to read.
    """
    if text is not None:
        if not text.strip():
            raise UsageError(f"{name} needs a value; `mathrag config unset {name}` takes it out")
        _READERS[name](name, text)
    before = b""
    if file.exists():
        if not file.is_file():
            raise UsageError(f"the settings file {file} is no ordinary file")
        before = file.read_bytes()[: _LARGEST_CONFIG + 1]
    # What is taken out may be what is wrong with the file, and setting it anew may mend it.
    lines = before.decode("utf-8", "replace").splitlines()
    entry = re.compile(rf"\s*(?:{name}|\"{name}\"|'{name}')\s*=")
    kept = [line for line in lines if not entry.match(line)]
    if text is None and len(kept) == len(lines):
        return False
    if text is not None:
        place = next((number for number, line in enumerate(lines) if entry.match(line)), len(kept))
        kept.insert(min(place, len(kept)), f"{name} = {_toml_value(name, text)}")
    after = "".join(f"{line}\n" for line in kept).encode("utf-8")
    wanted = _entries(after, file)
    expected = None if text is None else _as_said(name, text)
    if wanted.pop(name, None) != expected or not _keeps_the_others(before, wanted, name, file):
        raise UsageError(f"{name} stands in {file} in a way that only an editor can change")
    _write_private(file, after)
    return True


def _keeps_the_others(before: bytes, after: Mapping[str, str], name: str, file: Path) -> bool:
    """Whether a change touched no other entry. A file that was wrong has none to keep."""
    try:
        entries = _entries(before, file)
    except UsageError:
        return True
    return {other: text for other, text in entries.items() if other != name} == after


def _as_said(name: str, text: str) -> str:
    return str(tomllib.loads(f"x = {_toml_value(name, text)}")["x"]) if name not in _SWITCHES else text.strip().lower()


def _toml_value(name: str, text: str) -> str:
    """A value as TOML: switches and numbers as what they are, all else as text."""
    said = text.strip() if name not in ("pdf_password",) else text
    if name in _SWITCHES:
        return "true" if said.lower() == "yes" else "false"
    if name in _NUMBERS and re.fullmatch(r"\d{1,12}(\.\d{1,12})?", said, re.ASCII) and not re.match(r"0\d", said):
        return said
    # JSON escapes as TOML does, but for one sign.
    return json.dumps(said, ensure_ascii=False).replace("\x7f", "\\u007f")


def _write_private(file: Path, data: bytes) -> None:
    """Replace the file as a whole, for the user's eyes alone."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        # Made with 0600 from the start: there is no moment in which others can read it.
        handle, name = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
        try:
            with os.fdopen(handle, "wb") as opened:
                opened.write(data)
            Path(name).replace(file)
        except BaseException:
            with suppress(OSError):
                Path(name).unlink()
            raise
    except OSError as error:
        raise UsageError(f"the settings file {file} cannot be written: {error.strerror or error}") from error


def is_private(file: Path) -> bool:
    """Whether others than the user may not read a file. Where a system has no such rights, there is nothing to ask."""
    return os.name == "nt" or not file.stat().st_mode & 0o077


# Reading one value. `label` says in messages where it stands.


def _word(label: str, text: str) -> str:  # noqa: ARG001
    return text.strip()


def _as_it_is(label: str, text: str) -> str:  # noqa: ARG001
    return text


def _path(label: str, text: str) -> Path:
    if "\0" in text:
        raise UsageError(f"the setting {label} must be a path")
    return Path(text).expanduser() if text.startswith("~") else Path(text)


def _is_allowed(label: str, text: str) -> bool:
    said = text.strip().lower()
    if said not in ("yes", "no"):
        raise UsageError(f"the setting {label} must be yes or no, not {said!r}")
    return said == "yes"


def _address(label: str, text: str) -> str:
    said = text.strip()
    try:
        parts = urlsplit(said)
        is_usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_usable = False
    if not is_usable or any(character.isspace() for character in said):
        # The text itself is not repeated: people put passwords into addresses.
        raise UsageError(f"the setting {label} must be an address such as http://localhost:11434/v1")
    return said


def _whole(label: str, text: str, *, least: int, most: int) -> int:
    said = text.strip()
    # Checked before `int`, which takes other scripts' digits, underscores and numbers of any length.
    if not (said.isascii() and said.isdigit() and len(said) <= 12 and least <= int(said) <= most):
        raise UsageError(f"the setting {label} must be a whole number from {least} to {most}, not {said!r}")
    return int(said)


def _number(text: str) -> float:
    """The number in a text; -1, which is no setting's value, where there is none."""
    try:
        return float(text)
    except ValueError:
        return -1.0


def _price(label: str, text: str) -> float:
    value = _number(text)
    if not 0 <= value < float("inf"):
        raise UsageError(f"the setting {label} must be a price in US dollars, 0 or more, not {text.strip()!r}")
    return value


def _share(label: str, text: str) -> float:
    value = _number(text)
    if not 0 <= value < 1:
        raise UsageError(f"the setting {label} must be a share from 0 to below 1, such as 0.95, not {text.strip()!r}")
    return value


def _positive(label: str, text: str) -> float:
    value = _number(text)
    if not 0 < value < float("inf"):
        raise UsageError(f"the setting {label} must be a positive number, not {text!r}")
    return value


def _positive_whole(label: str, text: str) -> int:
    return int(_positive(label, text))


_READERS: Mapping[str, Callable[[str, str], Any]] = {
    "solve_seconds": _positive,
    "solve_megabytes": _positive_whole,
    "promised_precision": _share,
    "library": _path,
    "pdf_password": _as_it_is,
    "reading_file_megabytes": _positive_whole,
    "reading_pages": _positive_whole,
    "reading_page_seconds": _positive,
    "reading_seconds": _positive,
    "reading_megabytes": _positive_whole,
    "serve_token": _word,
    "handbook": _is_allowed,
    "llm_url": _address,
    "llm_model": _word,
    "llm_key": _word,
    "llm_model_extract": _word,
    "llm_model_reason": _word,
    "llm_model_judge": _word,
    "llm_model_embed": _word,
    "llm_model_vision": _word,
    "llm_concurrency": partial(_whole, least=1, most=1000),
    "llm_timeout_seconds": _positive,
    "llm_retries": partial(_whole, least=0, most=100),
    "llm_price_input": _price,
    "llm_price_output": _price,
    "llm_context_tokens": partial(_whole, least=1, most=1_000_000_000),
    "llm_assumptions": _is_allowed,
    "llm_formulas": _is_allowed,
    "llm_orders": partial(_whole, least=1, most=2),
    "reranker": _word,
    "reranker_key": _word,
}
_SWITCHES = frozenset(name for name, reader in _READERS.items() if reader is _is_allowed)
_TEXTS = (_word, _as_it_is, _path, _address, _is_allowed)
_NUMBERS = frozenset(name for name, reader in _READERS.items() if reader not in _TEXTS)


def passed_on() -> tuple[dict[str, str], frozenset[tuple[str, str]]]:
    """What other processes take over from this one: what they still can when they run (the folder under no name, and
    our own settings, which are read whenever they are needed), and what only counts where a process begins."""
    try:
        folder = str(Path.cwd())
    except OSError:
        folder = ""
    ours = {name: value for name, value in os.environ.items() if name.startswith(_OURS)}
    return {"": folder, **ours}, frozenset(pair for pair in os.environ.items() if pair[0] not in ours)


def take_over(passed: Mapping[str, str]) -> None:
    """Make the first part of `passed_on` that of this process."""
    with suppress(OSError):
        os.chdir(passed[""])
    for name in [name for name in os.environ if name.startswith(_OURS)]:
        del os.environ[name]
    os.environ.update({name: value for name, value in passed.items() if name})


def environment(**more: str) -> dict[str, str]:
    """The environment for a process that is started now, with something more in it."""
    return {**os.environ, **more}
