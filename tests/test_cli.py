"""The command line as a user meets it: answers, JSON, exit codes, one-line errors, the examples of the help texts."""

from __future__ import annotations

import importlib
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from command_lines import run_line
from llm.faulty_server import FaultyServer
from mathrag import __version__
from mathrag.cli.main import COMMANDS, EVALUATE_COMMANDS, FORMULA_COMMANDS, GROUPS, QUANTITY_COMMANDS, Entry, main
from mathrag.library import Library
from mathrag.library.ask.outcomes import write_record
from thinned import thinned

MATHRAG = [sys.executable, "-m", "mathrag"]
PAPER = r"""\documentclass{article}\begin{document}
\section{Power}
\begin{equation}P = \frac{W}{t}\end{equation}
where $W$ is the work in J and $t$ the time in s.
\end{document}
"""


def _run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def _examples(groups: dict[str, dict[str, Entry]]) -> list[tuple[str, str]]:
    found = []
    for group, commands in groups.items():
        for name, entry in commands.items():
            module = importlib.import_module(entry.target.split(":")[0])
            lines = [line.strip() for line in getattr(module, "EXAMPLE", "").splitlines()]
            found.extend((f"{group} {name}".strip(), line) for line in lines if "mathrag" in line)
    return found


CALCULATIONS = _examples({"formula": FORMULA_COMMANDS, "quantity": QUANTITY_COMMANDS})
# What needs a model is tried in tests/cli/test_cli_solving.py and tests/cli/test_cli_methods.py.
WITH_MODEL = ("math", "methods")
MEASURES = _examples({"evaluate": {name: one for name, one in EVALUATE_COMMANDS.items() if name not in WITH_MODEL}})
SMALL_SET = Path(__file__).parent / "evaluate" / "data" / "small"
LIBRARY_WORK = _examples({"": {name: entry for name, entry in COMMANDS.items() if "cli.main:" not in entry.target}})
# These do not end by themselves, or are no lines of a shell.
SERVERS = [(command, line) for command, line in LIBRARY_WORK if command == "serve"]
WATCHERS = [(command, line) for command, line in LIBRARY_WORK if command == "watch" and "--once" not in line]
ENDING = [
    (command, line)
    for command, line in LIBRARY_WORK
    if command not in ("serve", "mcp", "solve-steps") and (command, line) not in WATCHERS
]


def _shell_line(command: str, line: str) -> str:
    assert f"mathrag {command}" in line
    # The command is the first of its name; later ones are names in queries and of libraries.
    before, _, after = line.partition("mathrag")
    return before + " ".join(shlex.quote(part) for part in MATHRAG) + after


def _run_example(
    command: str, line: str, folder: Path, *, notes: bool = False, settings: dict[str, str] | None = None
) -> None:
    assert f"mathrag {command}" in line
    code, out, err = run_line(line, folder, settings=settings)
    assert code == 0, err
    assert out.strip()
    # A measurement may add what to know about it.
    assert not err or (notes and all(one.startswith("note: ") for one in err.splitlines()))


@pytest.mark.parametrize(("command", "line"), CALCULATIONS, ids=[line for _, line in CALCULATIONS])
def test_examples_of_the_help_texts_run(command: str, line: str, tmp_path: Path) -> None:
    _run_example(command, line, tmp_path)


def _write_solutions(folder: Path) -> None:
    """Files of worked solutions, under the names that examples use."""
    steps = {"problem": "What is 3 - 1?", "steps": ["Take one away.", "It is 2."], "label": -1}
    sold = {"question": "Mia has 2 boxes of 6 pens. How many pens?", "answer": "2*6 = <<2*6=12>>12 pens.\n#### 12"}
    for name in ("solutions.jsonl", "first.jsonl"):
        (folder / name).write_text(json.dumps(sold) + "\n")
    for name in ("math.json", "second.json", "processbench/math.json"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(json.dumps([steps, {**steps, "steps": ["3 - 1 = 3"], "label": 0}]))
    pair = {"idx": "p", "original_question": "Add.", "modified_question": "Add.", "original_process": ["2 + 2 = 4"],
            "modified_process": ["2 + 2 = 5"], "error_steps": [1], "classification": "confidence"}  # fmt: skip
    (folder / "prmbench").mkdir(exist_ok=True)
    (folder / "prmbench" / "confidence.jsonl").write_text(json.dumps(pair) + "\n")
    chosen = {"id": "half", "gt": "1/2", "pred": ["2", "0.5"], "pred_score": [[0.9], [0.2]]}
    (folder / "samples.jsonl").write_text(json.dumps(chosen) + "\n")


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as the examples of the library's commands suppose it: documents, a library of some, its export."""
    folder = tmp_path_factory.mktemp("desk")
    starter = Library.starter_folder()
    for name, target in (("mechanics.md", "mechanics.md"), ("energy-and-momentum.md", "handbook/energy.md")):
        (folder / target).parent.mkdir(exist_ok=True)
        shutil.copy(starter / name, folder / target)
    (folder / "notes.md").write_text("# Notes\n\nThe speed of light is $c = 299792458$ m/s.\n")
    _write_solutions(folder)
    (folder / "papers" / "2026").mkdir(parents=True)
    (folder / "papers" / "2026" / "power.tex").write_text(PAPER)
    with Library(folder / "my-library") as library:
        report = library.ingest([folder / name for name in ("notes.md", "mechanics.md", "handbook")])
        assert not report.failed
        assert not library.ingest([Library.openmath_folder() / "arith1.ocd"]).failed
        library.edit("Kinetic energy", [("symbol.m.description", "mass")], author="Ada")
        library.export("turtle", folder / "library.ttl")
        outcome = library.ask("What is the kinetic energy of 2 kg at 3 m/s?")
        write_record(folder / "answer.json", library=library, outcome=outcome, events=(), options={})
    return folder


@pytest.mark.slow
@pytest.mark.parametrize(("command", "line"), thinned(ENDING, 6, pytest.mark.soak, name=lambda example: example[1]))
def test_examples_of_the_library_commands_run(command: str, line: str, desk: Path, tmp_path: Path) -> None:
    # A copy for each, so that no example sees what another one did.
    folder = tmp_path / "desk"
    shutil.copytree(desk, folder)
    if "--llm" not in line:
        _run_example(command, line, folder)
        return
    with FaultyServer() as server:
        settings = {"MATHRAG_LLM_URL": server.url, "MATHRAG_LLM_MODEL": "test"}
        prices = {"MATHRAG_LLM_PRICE_INPUT": "1", "MATHRAG_LLM_PRICE_OUTPUT": "1"}
        _run_example(command, line, folder, settings=settings | prices)


@pytest.mark.slow
@pytest.mark.parametrize(("command", "line"), thinned(SERVERS, 0, pytest.mark.soak, name=lambda example: example[1]))
def test_examples_of_servers_start_and_stop(command: str, line: str, desk: Path, tmp_path: Path) -> None:
    folder = tmp_path / "desk"
    shutil.copytree(desk, folder)
    # Two of them at once must not want the same port.
    shell_line = _shell_line(command, line) + ("" if "--port" in line else " --port 0")
    if "--users" in line:
        added = _shell_line("users", "mathrag users add ada --role reader")
        subprocess.run(added, shell=True, cwd=folder, capture_output=True, check=True)
    process = subprocess.Popen(
        f"exec {shell_line}", shell=True, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        env={**os.environ, "TOKEN": "a-token-of-enough-letters"},
    )  # fmt: skip
    with process:
        assert process.stdout is not None
        assert "http://" in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0


@pytest.mark.soak
@pytest.mark.parametrize(("command", "line"), WATCHERS, ids=[line for _, line in WATCHERS])
def test_examples_of_watching_start_and_stop(command: str, line: str, desk: Path, tmp_path: Path) -> None:
    folder = tmp_path / "desk"
    shutil.copytree(desk, folder)
    process = subprocess.Popen(
        f"exec {_shell_line(command, line)}", shell=True, cwd=folder, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    with process:
        assert process.stdout is not None
        assert process.stdout.readline().strip()
        process.send_signal(signal.SIGINT)
        assert process.wait(60) in (0, 130)


def test_the_example_of_the_tools_for_assistants_names_the_command() -> None:
    ((_, line),) = [(command, line) for command, line in LIBRARY_WORK if command == "mcp"]
    told = json.loads(line)["mcpServers"]["mathrag"]
    assert (told["command"], told["args"][0]) == ("mathrag", "mcp")


def _write_concepts(folder: Path) -> None:
    """A problem with the concept it is about, under the names that examples use."""
    symbol = {"cd": "numbers1", "name": "gcd"}
    problem = "Find the greatest common divisor of 8 and 6."
    row = {"problem_text": problem, "reranked_symbols": [{**symbol, "reranker_score": 0.9}]}
    base = {"symbols": {"numbers1:gcd": {**symbol, "description": "The largest number that divides all."}}}
    made = {"labels.json": {"p0": row}, "base.json": base, "names.json": {"p0": {"concepts": ["divisors"]}}}
    for name, value in made.items():
        (folder / name).write_text(json.dumps(value))
    whole = {"problem": problem, "level": 1, "subject": "Number Theory"}
    (folder / "problems.jsonl").write_text(json.dumps(whole) + "\n")


def _write_paper_questions(folder: Path) -> None:
    """Questions about papers, answers, and papers to look for, under the names that examples use."""
    for file in (SMALL_SET.parent / "papers").iterdir():
        shutil.copy(file, folder / file.name)


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as the examples of `mathrag evaluate` suppose it: question sets, and the results of two runs."""
    folder = tmp_path_factory.mktemp("bench")
    for name in ("physics", "book"):
        shutil.copytree(SMALL_SET, folder / "sets" / name)
    shutil.copy(SMALL_SET / "documents" / "mechanics.md", folder / "book.html")
    _write_solutions(folder)
    _write_concepts(folder)
    _write_paper_questions(folder)
    names = {"W": "work done", "F": "force", "d": "distance moved"}
    symbols = [{"symbol": symbol, "en_name": name} for symbol, name in names.items()]
    (folder / "formulas.json").write_text(json.dumps([{"formula": "W=F*d", "symbol_map": symbols}]))
    asked = {"id": "1_1", "question": "What is the work done by a force of 2 N over a distance moved of 3 m?"}
    (folder / "ood_test_en.json").write_text(json.dumps([{**asked, "answer": "6 J", "formula_list": ["W=F*d"]}]))
    out = folder / "results" / "before"
    assert main(["evaluate", "formula-qa", str(SMALL_SET), "--limit", "3", "--workers", "1", "--out", str(out)]) == 0
    shutil.copytree(out, out.with_name("after"))
    return folder


@pytest.mark.slow
@pytest.mark.parametrize(("command", "line"), thinned(MEASURES, 2, pytest.mark.soak, name=lambda example: example[1]))
def test_examples_of_the_measuring_commands_run(command: str, line: str, bench: Path, tmp_path: Path) -> None:
    folder = tmp_path / "bench"
    shutil.copytree(bench, folder)
    _run_example(command, line, folder, notes=True)


def test_every_library_command_has_examples() -> None:
    shown = {command for command, _ in LIBRARY_WORK}
    assert {name for name, entry in COMMANDS.items() if "cli.main:" not in entry.target} - shown == {"demo"}
    # Solutions are checked with and without a library.
    assert all("--library" in line for command, line in LIBRARY_WORK if command not in ("check-solution", "completion"))


def test_every_group_and_command_has_help(capsys: pytest.CaptureFixture[str]) -> None:
    inner = ([group, name] for group, commands in GROUPS.items() for name in commands)
    for words in ([], *([name] for name in COMMANDS), *inner):
        code, out, _ = _run(capsys, *words, "--help")
        assert code == 0
        assert out.startswith("Usage: mathrag")
        for command, line in (*CALCULATIONS, *MEASURES, *LIBRARY_WORK):
            # Examples are shown as they are written: a broken line is none to paste.
            assert command != " ".join(words) or line in out


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    for option in ("--version", "-V"):
        assert _run(capsys, option) == (0, f"mathrag {__version__}\n", "")


def test_parse_json_has_the_public_fields(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = _run(capsys, "formula", "parse", r"E = \frac{1}{2} m v^2", "--json")
    assert code == 0
    answer = json.loads(out)
    assert answer["input"] == r"E = \frac{1}{2} m v^2"
    assert answer["status"] == "ok"
    assert answer["reason"] is None
    assert answer["flags"] == []
    equation = answer["equations"][0]
    assert {key: equation[key] for key in ("target", "lhs", "rhs", "symbols")} == {
        "target": "E",
        "lhs": "E",
        "rhs": "1/2*m*v**2",
        "symbols": ["E", "m", "v"],
    }


def test_declined_formula_says_why_and_where(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = _run(capsys, "formula", "parse", r"v = \frac{dx}{dt}")
    assert (code, out) == (1, "")
    first, source, caret = err.splitlines()
    assert first == "mathrag: declined: a derivative has no value here"
    assert source == r"v = \frac{dx}{dt}"
    assert caret == "    ^"
    code, out, err = _run(capsys, "formula", "parse", r"v = \frac{dx}{dt}", "--json")
    answer = json.loads(out)
    assert (code, err, answer["status"], answer["equations"]) == (0, "", "declined", [])
    assert answer["reason"] == "a derivative has no value here"


def test_json_lines_in_and_out() -> None:
    """Through a process of its own: what is piped in and what comes out are the bytes of a real pipe."""
    lines = [
        {"latex": "P V = n R T"},
        {"latex": "Nu = 0.023 Re^{0.8} Pr^{0.4}", "symbols": ["Nu", "Re", "Pr"]},
        {"latex": r"\frac{dx}{dt} = v"},
        {"mathml": "<math><mi>y</mi><mo>=</mo><mn>2</mn><mi>x</mi></math>"},
        {"text": "E = m*c**2"},
    ]
    text = "\n".join(json.dumps(line) for line in lines)
    result = subprocess.run(
        [*MATHRAG, "formula", "parse", "--json"], input=text, capture_output=True, text=True, timeout=60, check=False
    )
    assert result.returncode == 0, result.stderr
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert [answer["status"] for answer in answers] == ["ok", "ok", "declined", "ok", "ok"]
    assert answers[1]["equations"][0]["rhs"] == "0.023*Re**0.8*Pr**0.4"


def test_eval_rearranges_converts_and_carries_uncertainty(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = _run(
        capsys,
        "formula",
        "eval",
        "PV = nRT",
        "P=1 atm",
        "n=1 mol",
        "R=8.314 J/(mol K)",
        "T=25 °C",
        "--unit",
        "L",
        "--json",
    )
    answer = json.loads(out)
    assert code == 0
    assert answer["value"] == pytest.approx(24.464, rel=1e-4)
    assert (answer["symbol"], answer["unit"]) == ("V", "L")
    code, out, _ = _run(
        capsys, "formula", "eval", r"\rho = m/V", "m=25.0 ± 0.1 g", "V=9.3 ± 0.2 mL", "--unit", "g/cm^3", "--json"
    )
    answer = json.loads(out)
    assert answer["value"] == pytest.approx(25.0 / 9.3)
    assert answer["uncertainty"] == pytest.approx(25.0 / 9.3 * ((0.1 / 25) ** 2 + (0.2 / 9.3) ** 2) ** 0.5)


def test_eval_settles_an_ambiguous_unit_by_the_formula(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = _run(capsys, "formula", "eval", r"T = T_0 + \Delta T", "T_0=20 K", "Delta_T=5 C", "--json")
    assert (code, json.loads(out)["value"], json.loads(out)["unit"]) == (0, 25.0, "K")


def test_eval_is_exact_on_whole_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run(capsys, "formula", "eval", r"7^{222} \bmod 13")[1] == "value = 12\n"
    assert _run(capsys, "formula", "eval", "2^n", "n=100")[1] == f"value = {2**100}\n"


def test_eval_shows_the_other_branch(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = _run(capsys, "formula", "eval", "v^2 = 2 a s", "a=2 m/s^2", "s=4 m", "--for", "v", "--json")
    answer = json.loads(out)
    assert code == 0
    assert answer["value"] == pytest.approx(4)
    assert [other["value"] for other in answer["others"]] == [pytest.approx(-4)]


def test_eval_falls_back_to_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = _run(capsys, "formula", "eval", r"x = \cos x", "--json")
    answer = json.loads(out)
    assert (code, answer["method"]) == (0, "numeric")
    assert answer["value"] == pytest.approx(0.7390851332)


def test_solve_shows_conditions(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = _run(capsys, "formula", "solve", r"E = \frac12 m v^2", "--for", "v", "--json")
    answers = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert answers[0]["expression"] == "sqrt(2*E/m)"
    assert answers[0]["default"]


def test_check_names_the_term_that_disagrees(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = _run(capsys, "formula", "check", "s = v t + a t", "s=m", "v=m/s", "t=s", "a=m/s^2", "--json")
    answer = json.loads(out)
    assert (code, answer["status"]) == (1, "inconsistent")
    assert answer["disagreements"][0]["term"] == "a*t"
    code, out, _ = _run(capsys, "formula", "check", "F = m a", "m=kg", "a=m/s^2", "--json")
    assert (code, json.loads(out)["dimensions"]["F"]) == (0, "m*kg/s^2")


def test_quantities_in_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = _run(capsys, "quantity", "parse", "A 1,200 kg car goes 60 mph.", "--json")
    answers = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert [(answer["value"], answer["unit"]) for answer in answers] == [(1200, "kg"), (60, "mi/h")]


@pytest.mark.parametrize(
    ("arguments", "code", "word"),
    [
        (["formula"], 2, "help"),
        (["nonsense"], 2, "nonsense"),
        (["formula", "eval"], 2, "FORMULA"),
        (["formula", "solve", "a = b"], 2, "--for"),
        (["formula", "solve", "a = b", "--for", "q"], 2, "no symbol 'q'"),
        (["formula", "eval", "a = b", "b"], 2, "symbol=value"),
        (["formula", "eval", "a = b", "b=2 blorps"], 1, "blorps"),
        (["formula", "eval", "a = b + c", "b=2 m", "c=3 s"], 1, "dimension"),
        (["formula", "eval", "a = b/c", "b=2", "c=0"], 1, "division by zero"),
        (["formula", "eval", "a = b + c", "b=2"], 1, "missing"),
        (["formula", "eval", "a = b", "b=25 C"], 1, "degC"),
        (["formula", "eval", "9**9**9**9"], 1, "too large"),
        (["formula", "check", "a + b"], 2, "equals sign"),
        (["quantity", "convert", "5 kg", "m"], 1, "kg"),
        (["quantity", "convert", "five", "parsnips"], 1, "parsnips"),
    ],
)
def test_errors_are_one_line_that_helps(
    capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, word: str
) -> None:
    found, out, err = _run(capsys, *arguments)
    assert found == code, err
    assert "Traceback" not in err + out
    if arguments != ["formula"]:
        assert err.startswith("mathrag: ")
        assert word in err


def test_bad_json_lines_are_refused(tmp_path: Path) -> None:
    for line in ("not json", "[]", '{"other": 1}', '{"latex": "a", "symbols": "ab"}'):
        code, _, err = run_line(f"echo {shlex.quote(line)} | mathrag formula parse --json", tmp_path)
        assert code == 2
        assert err.count("\n") == 1
        assert "line 1" in err


def test_a_process_leaves_with_the_exit_code() -> None:
    result = subprocess.run(
        [*MATHRAG, "formula", "parse", r"v = \frac{dx}{dt}"], capture_output=True, text=True, timeout=60, check=False
    )
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.startswith("mathrag: declined: ")


def test_an_interrupted_process_says_so_in_a_line() -> None:
    # Tests that run in the background may have been told not to listen, and what they start inherits that.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    process = subprocess.Popen(
        [*MATHRAG, "formula", "parse", "--json"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True,
    )  # fmt: skip
    signal.signal(signal.SIGINT, before)
    with process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        # Its answer to the first line tells that it waits for the next one.
        process.stdin.write(json.dumps({"latex": "a = b"}) + "\n")
        process.stdin.flush()
        assert process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
        assert process.stderr.read().strip() == "mathrag: interrupted"


def test_signs_are_written_where_the_locale_has_none() -> None:
    """As in a container: what is typed and what is printed are UTF-8 all the same."""
    bare = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "PYTHON"))}
    result = subprocess.run(
        [*MATHRAG, "quantity", "parse", "m = 5.0 ± 0.1 g"], env={**bare, "LC_ALL": "C"}, capture_output=True,
        timeout=60, check=False,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert "5.0 ± 0.1" in result.stdout.decode()


def test_no_traceback_without_debug(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    import mathrag.calculator

    def explode(*_: object, **__: object) -> None:
        raise RuntimeError("boom")

    monkeypatch.setattr(mathrag.calculator, "read_formula", explode)
    code, _, err = _run(capsys, "formula", "parse", "a = b")
    assert code == 1
    assert err == "mathrag: something went wrong inside (RuntimeError); run again with --debug and report it\n"
    with pytest.raises(RuntimeError):
        main(["--debug", "formula", "parse", "a = b"], debug=True)


def test_a_closed_pipe_is_no_error() -> None:
    line = json.dumps({"latex": "a = b"}) + "\n"
    command = f"{' '.join(map(shlex.quote, MATHRAG))} formula parse --json | head -1"
    result = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"],
        input=line * 3000,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("variable", ["MATHRAG_SOLVE_SECONDS", "MATHRAG_SOLVE_MEGABYTES"])
def test_settings_are_checked(variable: str, tmp_path: Path) -> None:
    code, _, err = run_line("mathrag formula solve 'a = b' --for b", tmp_path, settings={variable: "many"})
    assert (code, variable in err) == (2, True)
