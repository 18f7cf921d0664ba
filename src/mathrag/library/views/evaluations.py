"""Reports of evaluations for the eye: found beside a library, read with care, as plain data. Computes no grade.

A report may be old, cut off or made up. What is not as it should be is left out, never believed.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import math
import os
import re
import stat
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias

from mathrag.errors import LibraryError
from mathrag.evaluate.charts import Point, embedded, histogram, reliability_chart
from mathrag.evaluate.comparison import REPORT_FILE
from mathrag.evaluate.run_files import PREDICTIONS_FILE, RUN_FILE

# Where the results of evaluations are kept beside a library, and reading them with care: no link is followed.
#
# The folder may come from anywhere, as the library may: names, sizes and kinds of files are checked before any is
# opened.

FOLDER = "evaluation"
# Kept in addresses as they are; `.json` at the end would be taken for the twin of a page.
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,99}")
# More than anybody makes; whoever fills the folder on purpose is not followed.
_MOST_RUNS = 2_000
_LARGEST_REPORT = 16_000_000


@dataclass(frozen=True, slots=True)
class Stamp:
    """Tells one state of a file from the next; `time` is when it was last written, in nanoseconds."""

    file: int
    time: int
    size: int


@dataclass(frozen=True, slots=True)
class RunFolder:
    """The folder of a run. `stamp` is that of its report; `problem` says why there is none to show."""

    name: str
    stamp: Stamp | None
    time: int
    problem: str = ""


def results_folder(library: Path, questions: Path, planner: str, *, model: str = "") -> Path:
    """Where a run over a set is kept when nobody says otherwise: the same run gets the same folder, so it can go on,
    and another set of the same name, or another model, gets another."""
    source = questions.resolve()
    kept = re.sub(r"[^A-Za-z0-9._-]+", "-", source.stem).strip(".-")[:60] or "run"
    told_apart = hashlib.sha256(os.fsencode(f"{source}\n{model}")).hexdigest()[:6]
    return library / FOLDER / f"{kept}-{planner}-{told_apart}"


def fresh_results_folder(first: Path) -> Path:
    """The folder of a run, or the next in number where results lie in it already: none overwrites another. A run that
    did not come to its end, or that a limit of spending stopped, goes on where it is."""
    for number in range(1, _MOST_RUNS):
        folder = first if number == 1 else first.with_name(f"{first.name}-{number}")
        if not _is_finished(folder):
            return folder
    raise LibraryError(f"there are {_MOST_RUNS:,} results beside {first}; name a folder with --out")


def _is_finished(folder: Path) -> bool:
    """Whether a folder holds a report that says all; one that cannot be read is kept as it is."""
    file = folder / REPORT_FILE
    try:
        if file.stat().st_size > _LARGEST_REPORT:
            return True
        report = json.loads(file.read_bytes())
    except FileNotFoundError:
        return False
    except (OSError, ValueError, RecursionError):
        return True
    if not isinstance(report, dict):
        return True
    model = report.get("language_model")
    is_stopped = isinstance(model, dict) and bool(model.get("stopped_by_budget"))
    return not (is_stopped or report.get("stopped"))


def is_run_name(name: str) -> bool:
    """Whether a folder of this name can have a page."""
    return _NAME.fullmatch(name) is not None and not name.lower().endswith(".json")


def run_folders(library: Path) -> list[RunFolder]:
    """The runs beside a library, newest first; those that cannot be shown with the reason. Opens no report."""
    home = library / FOLDER
    try:
        if not stat.S_ISDIR(home.lstat().st_mode):
            raise LibraryError(f"{FOLDER} in the library's folder is no folder of its own, so nothing in it is shown")
        with os.scandir(home) as entries:
            found = [_run(entry) for _, entry in zip(range(_MOST_RUNS), entries, strict=False)]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise LibraryError(f"the folder {FOLDER} cannot be read: {error.strerror or error}") from error
    return sorted((run for run in found if run is not None), key=lambda run: (-run.time, run.name))


def _run(entry: os.DirEntry[str]) -> RunFolder | None:
    if entry.name.startswith("."):
        return None
    try:
        about = entry.stat(follow_symlinks=False)
    except OSError:
        return None
    if stat.S_ISLNK(about.st_mode):
        return RunFolder(entry.name, None, about.st_mtime_ns, "this is a link to another place, which is not followed")
    if not stat.S_ISDIR(about.st_mode):
        return None
    if not is_run_name(entry.name):
        reason = "its name has signs that an address cannot hold; rename the folder to plain letters and digits"
        return RunFolder(entry.name, None, about.st_mtime_ns, reason)
    return _with_report(entry, about)


def _with_report(entry: os.DirEntry[str], about: os.stat_result) -> RunFolder:
    try:
        report = Path(entry.path, REPORT_FILE).lstat()
    except OSError:
        has_begun = os.path.lexists(Path(entry.path, RUN_FILE))
        reason = "no report yet; the run goes on when it is started again" if has_begun else "it holds no report.json"
        return RunFolder(entry.name, None, about.st_mtime_ns, reason)
    problem = _unfit(report)
    stamp = None if problem else _stamp(report)
    return RunFolder(entry.name, stamp, report.st_mtime_ns, f"{REPORT_FILE} {problem}" if problem else "")


def _unfit(about: os.stat_result) -> str:
    if stat.S_ISLNK(about.st_mode):
        return "is a link to another place, which is not followed"
    if not stat.S_ISREG(about.st_mode):
        return "is no plain file"
    if about.st_size > _LARGEST_REPORT:
        return f"is larger than {_LARGEST_REPORT // 1_000_000} MB"
    return ""


def _stamp(about: os.stat_result) -> Stamp:
    return Stamp(about.st_ino, about.st_mtime_ns, about.st_size)


def find_run(library: Path, name: str) -> RunFolder | None:
    """The run of this name, as `run_folders` gives it. The name is compared, never joined to a path unchecked."""
    if not is_run_name(name):
        return None
    return next((run for run in run_folders(library) if run.name == name), None)


def read_report(library: Path, run: str) -> bytes:
    """The bytes of the report of a run."""
    with opened(library, run, REPORT_FILE) as file:
        problem = _unfit(os.fstat(file.fileno()))
        if problem:
            raise LibraryError(f"{REPORT_FILE} of {run} {problem}")
        return file.read(_LARGEST_REPORT)


@contextlib.contextmanager
def opened(library: Path, run: str, name: str) -> Iterator[BinaryIO]:
    """A plain file of a run, for reading. Every step down is taken without following links."""
    if not is_run_name(run):
        raise LibraryError("there is no run of this name")
    folders: list[int] = []
    try:
        for part, folder in ((library / FOLDER, None), (run, 0)):
            flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
            folders.append(os.open(part, flags, dir_fd=None if folder is None else folders[folder]))
        # Without O_NONBLOCK, opening a pipe would wait for somebody to write into it.
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        found = os.open(name, flags, dir_fd=folders[-1])
        with os.fdopen(found, "rb") as file:
            if not stat.S_ISREG(os.fstat(found).st_mode):
                raise LibraryError(f"{name} of {run} is no plain file")
            yield file
    except OSError as error:
        raise LibraryError(f"{name} of {run} cannot be read: {_said(error)}") from error
    finally:
        for folder in folders:
            os.close(folder)


def _said(error: OSError) -> str:
    # What O_NOFOLLOW answers for a link to a file, and together with O_DIRECTORY for a link to a folder.
    if error.errno in (errno.ELOOP, errno.ENOTDIR):
        return "it is a link to another place, which is not followed, or no folder"
    return (error.strerror or str(error)).lower()


# Values from files that may hold anything: each comes out as what it should be, or as nothing. Knows no report.

Object: TypeAlias = dict[str, Any]
# Beyond this, sums and charts would overflow.
_LARGEST = 1e300
# Whole numbers up to here are exact in JSON for every reader.
_MOST = 2**53


def text_of(value: object, *, longest: int = 2_000) -> str:
    """A text, cut where it is too long; empty for anything else."""
    if not isinstance(value, str):
        return ""
    # Half a surrogate pair can be in JSON but not in a reply.
    clean = value[:longest].encode("utf-8", "replace").decode("utf-8")
    return clean if len(value) <= longest else f"{clean}…"


def number_of(value: object) -> float | None:
    """A finite number, or None."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < _LARGEST:
        return None
    return float(value) if math.isfinite(value) else None


def count_of(value: object) -> int:
    """A number of things; 0 for anything else."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _MOST else 0


def object_of(value: object) -> Mapping[str, Any]:
    """An object; an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def list_of(value: object, *, most: int = 1_000) -> list[Any]:
    """The first elements of a list; none for anything else."""
    return value[:most] if isinstance(value, list) else []


def texts_of(value: object, *, most: int = 100, longest: int = 1_000) -> list[str]:
    """The texts of a list."""
    return [text_of(each, longest=longest) for each in list_of(value, most=most) if isinstance(each, str)]


def share_of(value: object) -> Object | None:
    """A share with its interval; None where it is no share, or of nothing."""
    given = object_of(value)
    right, of = count_of(given.get("right")), count_of(given.get("of"))
    if not of or right > of:
        return None
    low, high = number_of(given.get("low")), number_of(given.get("high"))
    is_known = low is not None and high is not None and 0 <= low <= high <= 1
    return {
        "right": right,
        "of": of,
        "share": right / of,
        "low": low if is_known else None,
        "high": high if is_known else None,
    }


def shares_of(value: object, *, most: int = 60) -> list[Object]:
    """Shares by name, as rows."""
    found = []
    for name, given in list(object_of(value).items())[:most]:
        share = share_of(given)
        if share is not None:
            found.append({"name": text_of(name, longest=80), **share})
    return found


_MOST_QUESTIONS = 100_000
_RECORD = (
    "id", "tier", "kind", "verdict", "tool", "tool_failure", "stage", "detail", "note", "expected", "found",
    "question", "wording", "cluster",
)  # fmt: skip
_LONGEST = {"question": 20_000, "detail": 1_000}
_MAIN = (
    ("all", "Right, of all questions"),
    ("answerable", "Right, of those with an answer"),
    ("refusals", "Refused, of those without one"),
)
_MEASURES = {
    "brier": "Brier score",
    "expected_calibration_error": "expected calibration error",
    "area_under_curve": "area under the curve",
}


@dataclass(frozen=True, slots=True)
class Report:
    """A report: `about` is all but the questions, `questions` are those, each an object of texts and numbers."""

    about: Object
    questions: tuple[Object, ...]


def list_runs(library: Path) -> list[RunFolder]:
    """The runs beside a library, newest first."""
    return run_folders(library)


def run_summary(library: Path, run: RunFolder) -> Object:
    """A line of the list of runs; `problem` says why there are no figures."""
    made: Object = {"name": run.name, "time": _time(run.time), "problem": run.problem, "is_shown": False}
    if run.stamp is None:
        return made
    found = _summary(library, run.name, run.stamp)
    return {**made, **found, "is_shown": not found["problem"]}


def load_run(library: Path, name: str) -> Report:
    """The report of a run; `LibraryError` says why there is none."""
    run = find_run(library, name)
    if run is None:
        raise LibraryError("there is no run of this name beside the library")
    if run.stamp is None:
        raise LibraryError(f"this run cannot be shown: {run.problem}")
    return _report(library, run.name, run.stamp)


def compare_runs(before: Report, after: Report) -> Object:
    """What got better and worse between two runs, question by question."""
    from mathrag.evaluate.comparison import compare_reports

    return asdict(compare_reports({"questions": before.questions}, {"questions": after.questions}))


@lru_cache(maxsize=512)
def _summary(library: Path, name: str, stamp: Stamp) -> Object:
    try:
        about = _parsed(library, name, stamp).about
    except LibraryError as error:
        return {"problem": str(error)}
    kept = ("set", "planner", "half", "asked_first", "questions", "right", "main", "model", "milliseconds")
    return {"problem": "", **{key: about[key] for key in kept}}


@lru_cache(maxsize=4)
def _report(library: Path, name: str, stamp: Stamp) -> Report:
    return _parsed(library, name, stamp)


def _parsed(library: Path, name: str, stamp: Stamp) -> Report:
    try:
        value = json.loads(read_report(library, name))
    except (ValueError, RecursionError) as error:
        raise LibraryError("report.json is no whole JSON object; run the evaluation again") from error
    if not isinstance(value, dict) or not isinstance(value.get("questions"), list):
        raise LibraryError("report.json is no report of an evaluation")
    seen: dict[str, Object] = {}
    for given in list_of(value["questions"], most=_MOST_QUESTIONS):
        record = _record(object_of(given))
        if record is not None:
            seen.setdefault(record["id"], record)
    about = _about(value, tuple(seen.values()))
    about |= {"name": name, "time": _time(stamp.time), "left_out": len(value["questions"]) - len(seen)}
    return Report(about, tuple(seen.values()))


def _record(given: Any) -> Object | None:
    """One question; None where it has no id or no verdict."""
    made: Object = {name: text_of(given.get(name), longest=_LONGEST.get(name, 400)) for name in _RECORD}
    if not made["id"] or not made["verdict"] or given.get("id") != made["id"]:
        return None
    made["right"] = made["verdict"] == "right"
    confidence = number_of(given.get("confidence"))
    made["confidence"] = confidence if confidence is not None and 0 <= confidence <= 1 else None
    taken = number_of(given.get("milliseconds"))
    made["milliseconds"] = taken if taken is not None and taken >= 0 else None
    return made


def _about(value: Any, questions: tuple[Object, ...]) -> Object:
    metrics, library = object_of(value.get("metrics")), object_of(value.get("library"))
    accuracy = object_of(metrics.get("accuracy"))
    main = [{"name": words, **share} for key, words in _MAIN if (share := share_of(accuracy.get(key)))]
    tools = object_of(object_of(metrics.get("tools")).get("answerable"))
    for words, given in (
        ("Precision when it gives a number", metrics.get("precision")),
        ("Correct formula, of those with an answer", tools.get("correct")),
        ("Right, given the correct formula", tools.get("conditional_accuracy")),
        ("Chat taken for a computation", metrics.get("chat_taken_for_computation")),
    ):
        share = share_of(given)
        if share is not None:
            main.append({"name": words, **share})
    return {
        "set": text_of(value.get("set"), longest=200),
        "planner": text_of(value.get("planner"), longest=40),
        "half": text_of(value.get("half"), longest=10),
        "asked_first": count_of(value.get("limit")) or None,
        "compared": text_of(value.get("compared")),
        "notices": texts_of(value.get("notices"), most=50),
        "documents": texts_of(library.get("documents"), most=200, longest=200),
        "formulas": count_of(library.get("formulas")),
        "executable": count_of(library.get("executable")),
        "questions": len(questions),
        "right": sum(one["right"] for one in questions),
        "main": main,
        "tiers": shares_of(metrics.get("tiers")),
        "wordings": shares_of(metrics.get("wordings")),
        "stages": [row for row in shares_of(metrics.get("stages")) if row["right"]],
        "calibration": _calibration(object_of(metrics.get("calibration"))),
        "milliseconds": _milliseconds(object_of(metrics.get("milliseconds"))),
        "model": _model(object_of(value.get("language_model"))),
    }


def _calibration(given: Any) -> Object | None:
    bins = []
    for each in list_of(given.get("bins"), most=20):
        share, confidence = share_of(each), number_of(object_of(each).get("confidence"))
        if confidence is not None and 0 <= confidence <= 1 and share is not None and share["low"] is not None:
            bins.append({"confidence": confidence, **share})
    measures = [
        {"name": words, "value": value}
        for key, words in _MEASURES.items()
        if (value := number_of(object_of(given.get(key)).get("value"))) is not None
    ]
    return {"of": count_of(given.get("of")), "measures": measures, "bins": bins} if bins or measures else None


def _milliseconds(given: Any) -> Object | None:
    found = {name: number_of(object_of(given.get(name)).get("value")) for name in ("median", "p90", "p95", "p99")}
    known = {name: value for name, value in found.items() if value is not None and value >= 0}
    return known or None


def _model(given: Any) -> Object | None:
    if not text_of(given.get("model")):
        return None
    spent = object_of(given.get("spent"))
    return {
        "model": text_of(given.get("model"), longest=200),
        "asked": count_of(given.get("questions_with_model")),
        "calls": count_of(spent.get("calls")),
        "cost": number_of(spent.get("cost")),
        "stopped": count_of(given.get("stopped_by_budget")),
    }


def _time(nanoseconds: int) -> str:
    try:
        return datetime.fromtimestamp(nanoseconds / 1e9, UTC).isoformat(timespec="seconds")
    except (OverflowError, ValueError, OSError):
        return ""


# The pictures of a report for a page: how far confidence can be believed, and how long answers take. Draws no bar.

# One value alone makes no chart.
_FEWEST = 2


def calibration_svg(report: Report) -> str:
    """Share of right answers over stated confidence; empty where nothing is known of it."""
    found = report.about["calibration"]
    if not found or not found["bins"]:
        return ""
    points = [Point(one["confidence"], one["share"], one["low"], one["high"], one["of"]) for one in found["bins"]]
    spoken = "; ".join(f"at {point.confidence:.2f} {100 * point.share:.0f} % of {point.count}" for point in points)
    chart = reliability_chart("Calibration", f"Share of right answers over stated confidence: {spoken}.", points)
    return embedded(chart, "calibration")


def latency_svg(report: Report) -> str:
    """How often which time to an answer occurs; empty where too few are known."""
    values = [one["milliseconds"] for one in report.questions if one["milliseconds"] is not None]
    if len(values) < _FEWEST:
        return ""
    spoken = f"From {min(values):.1f} to {max(values):.1f} milliseconds over {len(values)} questions."
    chart = histogram("Time to an answer", spoken, values, unit="milliseconds, each bin wider by the same factor")
    return embedded(chart, "latency")


# The questions of a run: narrowed down, and one with all that was kept of its answer. Reads; grades nothing.

FACETS = ("verdict", "tier", "stage", "kind")
# One prediction with its trace has some ten thousand characters.
_LONGEST_LINE = 4_000_000
_LARGEST_FILE = 256_000_000
_MOST_TRACED = 100


@dataclass(frozen=True, slots=True)
class QuestionFilter:
    """Which questions: those with these words, and of this verdict, tier, stage and kind where given."""

    words: str = ""
    verdict: str = ""
    tier: str = ""
    stage: str = ""
    kind: str = ""


def filtered(questions: Sequence[Object], wanted: QuestionFilter, *, without: str = "") -> list[Object]:
    """The questions that fit, in the order of the report; `without` leaves one part of the filter out."""
    chosen = {name: getattr(wanted, name) for name in FACETS if name != without and getattr(wanted, name)}
    words = wanted.words.casefold().split()
    return [
        one
        for one in questions
        if all(one[name] == value for name, value in chosen.items()) and _has(one, words)
    ]  # fmt: skip


def _has(question: Object, words: Sequence[str]) -> bool:
    if not words:
        return True
    text = f"{question['id']} {question['question']} {question['detail']} {question['note']}".casefold()
    return all(word in text for word in words)


def facet_counts(questions: Sequence[Object], wanted: QuestionFilter) -> dict[str, list[tuple[str, int]]]:
    """For each facet, its values among the questions that fit the rest of the filter, most frequent first."""
    found = {}
    for name in FACETS:
        counts = Counter(one[name] for one in filtered(questions, wanted, without=name) if one[name])
        found[name] = sorted(counts.items(), key=lambda each: (-each[1], each[0]))[:50]
    return found


def find_prediction(library: Path, run: str, identifier: str) -> Object | None:
    """What was answered to a question, as kept; None where nothing was. The last line counts, as when a run goes on."""
    wanted = {json.dumps(identifier, ensure_ascii=is_plain) for is_plain in (True, False)}
    # The id comes first in a line, so only lines that begin with it are worth reading.
    heads = tuple(f'{{"id":{space}{text}'.encode("utf-8", "replace") for text in wanted for space in ("", " "))
    found: Object | None = None
    with opened(library, run, PREDICTIONS_FILE) as file:
        left = _LARGEST_FILE
        while left > 0:
            line = file.readline(_LONGEST_LINE)
            if not line:
                return found
            left -= len(line)
            if not line.endswith(b"\n") and len(line) == _LONGEST_LINE:
                left -= _skip_rest(file)
            elif line.startswith(heads):
                found = _prediction(line, identifier) or found
    raise LibraryError(f"{PREDICTIONS_FILE} is larger than {_LARGEST_FILE // 1_000_000} MB")


def _skip_rest(file: BinaryIO) -> int:
    """Pass over what is left of a line that is too long to be an answer."""
    passed = 0
    while piece := file.readline(_LONGEST_LINE):
        passed += len(piece)
        if piece.endswith(b"\n") or passed > _LARGEST_FILE:
            break
    return passed


def _prediction(line: bytes, identifier: str) -> Object | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or value.get("id") != identifier:
        return None
    reason, failure = object_of(value.get("reason")), object_of(value.get("failure"))
    return {
        "outcome": text_of(value.get("outcome"), longest=40),
        "text": text_of(value.get("text")),
        "value": number_of(value.get("value")),
        "unit": text_of(value.get("unit"), longest=100),
        "reason": text_of(reason.get("text")) or text_of(failure.get("reason")),
        "warnings": texts_of(value.get("warnings"), most=20),
        "assumptions": texts_of(value.get("assumptions"), most=20),
        "explanation": text_of(value.get("explanation"), longest=4_000),
        "missing": _missing(value.get("missing")),
        "formulas": [_formula(each) for each in list_of(value.get("formulas"), most=20)],
        "nearest": [_formula(each) for each in list_of(value.get("nearest"), most=10)],
        "bindings": _bindings(object_of(value.get("bindings"))),
        "steps": [_step(object_of(each)) for each in list_of(value.get("steps"), most=20)],
        "candidates": len(list_of(value.get("candidates"), most=100_000)),
        "trace": [_event(object_of(each)) for each in list_of(value.get("trace"), most=_MOST_TRACED)],
    }


def _missing(value: object) -> list[str]:
    found = []
    for each in list_of(value, most=20):
        given = object_of(each)
        found.append(text_of(given.get("words"), longest=200) or text_of(given.get("symbol"), longest=80))
    return [words for words in found if words]


def _formula(value: object) -> Object:
    given = object_of(value)
    return {name: text_of(given.get(name), longest=1_000) for name in ("id", "label", "latex", "document", "place")}


def _bindings(given: Mapping[str, Any]) -> list[Object]:
    found = []
    for name, value in list(given.items())[:60]:
        bound = object_of(value)
        found.append(
            {
                "symbol": text_of(name, longest=80),
                "value": number_of(bound.get("value")),
                "unit": text_of(bound.get("unit"), longest=100),
                "description": text_of(bound.get("description"), longest=300),
                "from": text_of(bound.get("from"), longest=500),
            }
        )
    return found


def _step(given: Mapping[str, Any]) -> Object:
    return {
        "number": count_of(given.get("number")),
        "formula": text_of(given.get("formula"), longest=100),
        "label": text_of(given.get("label"), longest=300),
        "working": texts_of(given.get("working"), most=20, longest=4_000),
        "warnings": texts_of(given.get("warnings"), most=20),
    }


def _event(given: Mapping[str, Any]) -> Object:
    seen = object_of(given.get("observation"))
    return {
        "action": text_of(given.get("action"), longest=80),
        "thought": text_of(given.get("thought"), longest=2_000),
        "inputs": _inputs(given.get("inputs")),
        "succeeded": seen.get("succeeded") is True,
        "message": text_of(seen.get("message"), longest=4_000),
        "milliseconds": number_of(given.get("milliseconds")),
    }


def _inputs(value: object) -> str:
    """What an action was given, as JSON text."""
    if not isinstance(value, dict) or not value:
        return ""
    try:
        return text_of(json.dumps(value, ensure_ascii=False), longest=4_000)
    except (ValueError, RecursionError):
        return ""
