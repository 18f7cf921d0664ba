"""`mathrag config`: who says what a setting is, the file that keeps settings, and what is wrong with one."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from command_lines import run_line
from mathrag.cli import config as config_commands
from mathrag.cli.main import main
from mathrag.errors import UsageError
from mathrag.settings import (
    CONFIG_VARIABLE,
    SECRETS,
    VARIABLES,
    Settings,
    config_file,
    load_settings,
    set_in_config,
    setting_named,
    settings_said,
)

KEY = "sk-very-secret-0123456789"
Runner = Callable[..., tuple[int, str, str]]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The settings file of a user who has none yet."""
    for variable in VARIABLES.values():
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.delenv(CONFIG_VARIABLE, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setattr(sys, "platform", "linux")
    return tmp_path / "config" / "mathrag" / "config.toml"


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Runner:
    def called(*arguments: str) -> tuple[int, str, str]:
        code = main(["config", *arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return called


def test_without_a_file_the_defaults_hold(file: Path, run: Runner) -> None:
    assert config_file() == file
    assert load_settings() == Settings()
    assert run("path") == (0, f"{file}\n", "")
    code, out, _ = run("show", "--json")
    assert code == 0
    assert {one["name"] for one in map(json.loads, out.splitlines())} == set(VARIABLES)
    assert {one["source"] for one in map(json.loads, out.splitlines())} == {"default"}
    assert not file.exists()


def test_the_environment_goes_before_the_file_and_that_before_the_default(
    file: Path, run: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("set", "llm_retries", "7")[0] == 0
    assert run("set", "llm-orders", "1")[0] == 0
    monkeypatch.setenv("MATHRAG_LLM_RETRIES", "9")
    settings = load_settings()
    assert (settings.llm_retries, settings.llm_orders, settings.llm_concurrency) == (9, 1, 4)
    said = {one.name: one.source for one in settings_said()}
    assert (said["llm_retries"], said["llm_orders"], said["llm_concurrency"]) == ("environment", "file", "default")
    code, _, err = run("set", "llm_retries", "8")
    assert (code, err) == (0, "note: the variable MATHRAG_LLM_RETRIES is set too, and goes before the file\n")
    monkeypatch.delenv("MATHRAG_LLM_RETRIES")
    assert load_settings().llm_retries == 8


def test_another_file_is_named_by_a_variable(
    file: Path, run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other.toml"
    monkeypatch.setenv(CONFIG_VARIABLE, str(other))
    with pytest.raises(UsageError, match=CONFIG_VARIABLE):
        load_settings()
    # It can be made by setting something.
    assert run("set", "llm_model", "small")[0] == 0
    assert load_settings().llm_model == "small"
    assert not file.exists()


def test_secrets_are_kept_privately_and_never_shown(file: Path, run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    old = os.umask(0)
    try:
        for name in sorted(SECRETS):
            code, out, err = run("set", name, KEY)
            assert (code, KEY in out + err) == (0, False)
    finally:
        os.umask(old)
    assert file.stat().st_mode & 0o777 == 0o600
    assert load_settings().llm_key == KEY
    assert run("set", "llm_url", "http://me:hush@localhost:1/v1")[0] == 0
    for words in (("show",), ("show", "--json"), ("get", "llm_key"), ("get", "llm_key", "--json"), ("get", "llm_url")):
        code, out, err = run(*words)
        assert code == 0
        assert KEY not in out + err
        assert "hush" not in out + err
    assert run("get", "llm_key")[1] == "(set, not shown)\n"
    # A file that others could read is made private by the next change.
    file.chmod(0o644)
    assert run("unset", "llm_key")[0] == 0
    assert file.stat().st_mode & 0o777 == 0o600
    assert load_settings().llm_key == ""


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ('llm_ulr = "http://localhost/v1"', "'llm_ulr', which is no setting; did you mean llm_url"),
        ('[llm]\nurl = "x"', "'llm', which is no setting"),
        ("llm_retries = 1.5", "llm_retries in .* must be a whole number"),
        ('llm_retries = "many"', "must be a whole number"),
        ("llm_model = [1]", "llm_model in .* must be one text or number"),
        ('llm_assumptions = "perhaps"', "must be yes or no"),
        ("llm_url = 'ftp://me:hush@host'", "must be an address"),
        (f"llm_key = {KEY}", "is not valid TOML"),
        (f'llm_key = "{KEY}\n', "is not valid TOML"),
        ("solve_seconds = nan", "must be a positive number"),
        ("# " + "x" * 70_000, "is larger than"),
        ("llm_model = \x00", "is not valid TOML"),
    ],
    ids=lambda text: text[:24].encode("ascii", "replace").decode(),
)
def test_what_is_wrong_with_the_file_is_said_in_a_line(
    text: str, meant: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.parent.mkdir(parents=True)
    file.write_text(text + "\n")
    with pytest.raises(UsageError, match=meant) as caught:
        load_settings()
    assert KEY not in str(caught.value)
    assert "hush" not in str(caught.value)
    assert main(["formula", "solve", "a = b", "--for", "b"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_file_that_is_none_is_refused(file: Path) -> None:
    file.mkdir(parents=True)
    with pytest.raises(UsageError, match="no ordinary file"):
        load_settings()
    with pytest.raises(UsageError, match="no ordinary file"):
        set_in_config(file, "llm_model", "small")


def test_values_are_checked_before_they_are_written(file: Path, run: Runner) -> None:
    for name, value in (("llm_retries", "-1"), ("llm_url", "nowhere"), ("llm_formulas", "perhaps"), ("llm_model", " ")):
        code, _, err = run("set", "--", name, value)
        assert (code, err.count("\n")) == (2, 1)
    assert not file.exists()
    code, _, err = run("set", "llm_modle", "small")
    assert code == 2
    assert "did you mean llm_model" in err
    assert run("set", "llm_model")[0] == 2


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("llm_assumptions", "yes"),
        ("llm_formulas", "No"),
        ("llm_retries", "0"),
        ("solve_seconds", "2.50"),
        ("promised_precision", ".9"),
        ("solve_seconds", "1e-3"),
        ("llm_model", 'od"d\\name # é 𝒳'),
        ("pdf_password", " with space\t"),
        ("library", "/some/where else"),
    ],
)
def test_what_is_set_is_read_back(name: str, text: str, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert set_in_config(file, name, text)
    from_file = getattr(load_settings(), name)
    monkeypatch.setenv(CONFIG_VARIABLE, os.devnull)
    monkeypatch.setenv(VARIABLES[name], text)
    assert getattr(load_settings(), name) == from_file


def test_comments_and_other_entries_stay(file: Path, run: Runner) -> None:
    file.parent.mkdir(parents=True)
    file.write_text('# mine\nllm_model = "a"  # the small one\nllm_retries = 3\n')
    run("set", "llm_model", "b")
    run("set", "llm_orders", "1")
    assert file.read_text() == '# mine\nllm_model = "b"\nllm_retries = 3\nllm_orders = 1\n'
    run("unset", "llm_retries")
    assert file.read_text() == '# mine\nllm_model = "b"\nllm_orders = 1\n'
    assert run("unset", "llm_retries") == (1, "", f"llm_retries is not in {file}\n")


def test_what_only_an_editor_can_change_is_left_alone(file: Path, run: Runner) -> None:
    file.parent.mkdir(parents=True)
    file.write_text('llm_model = """\nllm_retries = 3\n"""\n')
    before = file.read_text()
    assert run("set", "llm_model", "b")[0] == 2
    assert run("unset", "llm_retries")[0] == 2
    assert file.read_text() == before


def test_a_setting_is_named_as_people_name_it() -> None:
    assert {setting_named(text) for text in ("llm_url", "LLM-URL", "MATHRAG_LLM_URL", "mathrag_llm_url ")} == {
        "llm_url"
    }


def test_a_library_is_kept_by_its_whole_path(
    file: Path, run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("set", "library", "my-library")[0] == 0
    assert load_settings().library == tmp_path / "my-library"


def _examples() -> list[str]:
    texts = (value for name, value in vars(config_commands).items() if name.endswith("_EXAMPLE"))
    return [line.strip() for text in texts for line in text.splitlines() if "mathrag config" in line]


@pytest.mark.parametrize("line", _examples())
def test_examples_run(line: str, tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text('llm_url = "http://localhost:1/v1"\n')
    code, out, err = run_line(line, tmp_path, settings={CONFIG_VARIABLE: str(file)})
    assert (code, err) == (0, "")
    assert out.strip()
