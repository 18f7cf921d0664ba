"""`mathrag doctor`: what is there, what is missing, what it is for, and the command that gets it."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from mathrag.cli.options import library_folder, library_option
from mathrag.cli.output import json_option, print_json, screen_width
from mathrag.errors import MathragError
from mathrag.settings import SECRETS, config_file, is_private, load_settings, settings_said
from mathrag.version import __version__

if TYPE_CHECKING:
    from mathrag.settings import Settings

EXAMPLE = (
    "\b\n"
    """Examples:
  mathrag doctor --library my-library
  mathrag doctor --json --library my-library
"""
)
_OLDEST_PYTHON = (3, 11)
# Less than this on a disk, and a book may not fit.
_LITTLE_SPACE = 500_000_000
# The packages that come with an extra, by the names they are imported under.
_EXTRAS: dict[str, tuple[tuple[str, ...], str]] = {
    "serve": (("fastapi", "jinja2", "multipart", "uvicorn"), "web pages and programming interfaces (mathrag serve)"),
    "llm": (("httpx2", "jsonschema"), "language models"),
    "mcp": (("mcp",), "tools for assistants (mathrag mcp)"),
    "ocr": (("onnxruntime", "rapidocr"), "scans and pictures of text"),
    "rerank": (("onnxruntime", "tokenizers"), "a reranker in a folder of your own"),
    "parquet": (("pyarrow",), "tables in Parquet (mathrag export --format parquet)"),
    "jupyter": (("IPython",), "questions in notebooks (%load_ext mathrag)"),
}
# Programs that read documents instead of ours, where a user names them.
_READERS = {
    "marker": ("marker_single", "marker-pdf"),
    "mineru": ("mineru", "mineru"),
    "docling": ("docling", "docling"),
}

State = Literal["good", "missing", "bad"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at. What is `missing` is optional; what is `bad` keeps the program from working."""

    what: str
    state: State
    details: str
    purpose: str = ""
    remedy: str = ""


@click.command("doctor", epilog=EXAMPLE)
@click.option("--online", is_flag=True, help="Also ask each language model that is set for one word.")
@library_option
@json_option
def command(online: bool, folder: Path | None, as_json: bool) -> int:
    """Say what is installed, what is missing and what that would be for, with the command that gets it.

    Nothing is changed and, without --online, nobody is asked. The exit code is 0 when all that is needed is there;
    optional parts that are missing do not count.
    """
    findings = list(_findings(folder, online=online))
    is_well = all(one.state != "bad" for one in findings)
    if as_json:
        print_json({"well": is_well, "version": __version__, "findings": [asdict(one) for one in findings]})
    else:
        for one in findings:
            _print(one)
        bad = sum(one.state == "bad" for one in findings)
        missing = sum(one.state == "missing" for one in findings)
        optional = f"; {missing} optional {'part is' if missing == 1 else 'parts are'} missing" if missing else ""
        click.echo("all that is needed is there" + optional if is_well else f"{bad} of these must be mended{optional}")
    return 0 if is_well else 1


def _print(one: Finding) -> None:
    mark = {"good": "ok", "missing": "--", "bad": "!!"}[one.state]
    lines = [f"{one.what}: {one.details}" + (f"; for {one.purpose}" if one.purpose and one.state != "good" else "")]
    lines += [one.remedy] if one.remedy else []
    for number, line in enumerate(lines):
        start = f"{mark}  " if not number else "      "
        if number and len(start) + len(line) > screen_width():
            # A command is pasted whole.
            click.echo(f"{start}{line}")
            continue
        click.echo(click.wrap_text(line, screen_width(), initial_indent=start, subsequent_indent="    "))


def _findings(folder: Path | None, *, online: bool) -> Iterator[Finding]:
    yield _python()
    yield from _core_packages()
    for extra, (modules, purpose) in _EXTRAS.items():
        yield _extra(extra, modules, purpose)
    yield _pandoc()
    for name, (program, package) in _READERS.items():
        path = shutil.which(program)
        if path:
            yield Finding(f"reader {name}", "good", f"{path} (pip package {package})")
    try:
        settings = load_settings()
    except MathragError as error:
        yield Finding("settings", "bad", str(error), remedy="mathrag config path")
        return
    yield _settings_file()
    yield from _models(settings, online=online)
    yield from _library(library_folder(folder))
    yield _writable("temporary folder", Path(tempfile.gettempdir()))


def _python() -> Finding:
    about = f"{platform.python_version()} on {platform.system()} {platform.machine()}, {sys.executable}"
    if sys.version_info < _OLDEST_PYTHON:
        return Finding("Python", "bad", about, remedy="install Python 3.11 or newer")
    return Finding("Python", "good", about)


def _core_packages() -> Iterator[Finding]:
    """The packages that the program cannot do without, by what was installed with it."""
    try:
        wanted = importlib.metadata.requires("mathrag") or []
    except importlib.metadata.PackageNotFoundError:
        yield Finding("mathrag", "good", f"{__version__}, run from its source without being installed")
        wanted = []
    else:
        yield Finding("mathrag", "good", __version__)
    for requirement in wanted:
        if "extra ==" in requirement:
            continue
        name = "".join(_name_signs(requirement))
        if _version(name) is None:
            yield Finding(name, "bad", "not installed", "the program itself", "pip install --force-reinstall mathrag")


def _name_signs(requirement: str) -> Iterator[str]:
    for sign in requirement:
        if not (sign.isalnum() or sign in "-_."):
            return
        yield sign


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _has(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def _extra(extra: str, modules: tuple[str, ...], purpose: str) -> Finding:
    lacking = [name for name in modules if not _has(name)]
    if lacking:
        wanted = f"pip install 'mathrag[{extra}]'"
        return Finding(f"extra {extra}", "missing", f"{', '.join(lacking)} not installed", purpose, wanted)
    return Finding(f"extra {extra}", "good", "installed", purpose)


def _pandoc() -> Finding:
    purpose = "Word, OpenDocument and Rich Text files"
    path = shutil.which("pandoc")
    if path:
        return Finding("pandoc", "good", path, purpose)
    if _has("pypandoc"):
        return Finding("pandoc", "good", "the one that comes with pypandoc", purpose)
    return Finding("pandoc", "missing", "not found", purpose, "pip install 'mathrag[office]'")


def _settings_file() -> Finding:
    file = config_file()
    if not file.is_file():
        return Finding("settings file", "good", f"none at {file}; defaults and the environment hold")
    has_secrets = any(said.source == "file" and said.name in SECRETS for said in settings_said())
    if has_secrets and not is_private(file):
        return Finding(
            "settings file", "bad", f"{file} holds a key or password and others can read it", remedy=f"chmod 600 {file}"
        )
    return Finding("settings file", "good", str(file))


def _models(settings: Settings, *, online: bool) -> Iterator[Finding]:
    from mathrag.library.ask.models import is_model_set, reach_models

    purpose = "freer questions and other languages; nothing needs it"
    if not is_model_set(settings):
        yield Finding(
            "language model", "missing", "none is set", purpose, "mathrag config set llm_url http://localhost:11434/v1"
        )
        return
    if not _has("httpx2"):
        how = "pip install 'mathrag[llm]'"
        yield Finding("language model", "bad", "one is set, but the packages to ask it are missing", purpose, how)
        return
    if not online:
        name = settings.llm_model or settings.llm_model_reason or "set by role"
        yield Finding("language model", "good", f"{name}; --online says whether it answers", purpose)
        return
    for one in reach_models(settings):
        what = f"language model {one.model}"
        roles = f"to {', '.join(one.roles)}"
        if one.problem:
            yield Finding(what, "bad", f"{roles}: {one.problem}", purpose)
        else:
            yield Finding(what, "good", f"{roles}: it answers", purpose)


def _library(folder: Path) -> Iterator[Finding]:
    from mathrag.library import Library

    if not Library.exists(folder):
        how = f"mathrag ingest --starter --library {folder}"
        yield Finding("library", "missing", f"none in {folder} yet", "answering from documents", how)
    else:
        yield _library_health(folder)
    nearest = folder
    while not nearest.exists() and nearest != nearest.parent:
        nearest = nearest.parent
    yield _writable("folder of the library", nearest)
    try:
        free = shutil.disk_usage(nearest).free
    except OSError as error:
        yield Finding("disk", "bad", f"the free space at {nearest} cannot be told: {error.strerror}")
        return
    said = f"{free / 1e9:.1f} GB free at {nearest}"
    if free < _LITTLE_SPACE:
        yield Finding("disk", "bad", said, "reading documents", "make room, or name another folder with --library")
    else:
        yield Finding("disk", "good", said)


def _library_health(folder: Path) -> Finding:
    from mathrag.library import Library

    try:
        with Library(folder, create=False) as library:
            totals, failures = library.totals(), library.failures()
    except MathragError as error:
        return Finding("library", "bad", f"{folder}: {error}", remedy=f"mathrag check --library {folder}")
    held = f"{folder}: {totals['documents']} documents, {totals['formulas']} formulas"
    if failures:
        count = "1 file" if len(failures) == 1 else f"{len(failures)} files"
        return Finding("library", "good", f"{held}; {count} could not be read", remedy="mathrag status")
    return Finding("library", "good", held)


def _writable(what: str, folder: Path) -> Finding:
    if folder.is_dir() and os.access(folder, os.W_OK | os.X_OK):
        return Finding(what, "good", f"{folder} can be written to")
    return Finding(what, "bad", f"{folder} cannot be written to", "libraries and reading", f"ls -ld {folder}")
