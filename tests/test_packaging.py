"""What is shipped: packages hold all they should and come out the same twice, the bill of materials is whole, files for
containers and services can be read by what reads them, and the manual leads to every page."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

PROJECT = Path(__file__).resolve().parents[1]
DOCKERFILE = (PROJECT / "deploy" / "Dockerfile").read_text(encoding="utf-8")
UNIT = PROJECT / "deploy" / "mathrag.service"


def _tool(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, PROJECT / "tools" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


# Packages.


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    pytest.importorskip("hatchling")
    wheel, source = _tool("dist").build(tmp_path_factory.mktemp("dist"))
    return wheel, source


@pytest.mark.slow
def test_packages_hold_what_they_should(built: tuple[Path, Path]) -> None:
    dist = _tool("dist")
    assert dist.wheel_problems(built[0]) == []
    assert dist.source_problems(built[1]) == []


@pytest.mark.soak
def test_two_builds_are_the_same(built: tuple[Path, Path]) -> None:
    assert _tool("dist").is_same_twice(*built)


@pytest.mark.slow
def test_what_is_wrong_with_a_wheel_is_found(built: tuple[Path, Path], tmp_path: Path) -> None:
    broken = tmp_path / built[0].name
    with zipfile.ZipFile(built[0]) as source, zipfile.ZipFile(broken, "w") as target:
        for name in source.namelist():
            data = source.read(name)
            if name.endswith("licenses/LICENSE") or name == "mathrag/py.typed":
                continue
            target.writestr(name, data + b"\n# changed" if name == "mathrag/version.py" else data)
        target.writestr("tests/test_x.py", "")
    problems = " ".join(_tool("dist").wheel_problems(broken))
    assert "the licence is missing" in problems
    assert "tests/test_x.py does not belong there" in problems
    assert "the digest of mathrag/version.py is wrong" in problems


@pytest.mark.soak
def test_a_wheel_installs_into_a_fresh_environment_and_the_demo_runs(built: tuple[Path, Path], tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "fresh")], check=True, env=environment)
    python = tmp_path / "fresh" / "bin" / "python"
    installed = subprocess.run(
        [python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", str(built[0])],
        env={**environment, "PIP_CONSTRAINT": str(PROJECT / "constraints.txt")},
        capture_output=True, text=True, timeout=900, check=False,
    )  # fmt: skip
    if installed.returncode and "No matching distribution" in installed.stderr:
        pytest.skip("no index of packages can be reached")
    assert installed.returncode == 0, installed.stderr
    for command, expected in (("-V", "mathrag "), ("doctor", "all that is needed is there"), ("demo", "J")):
        ran = subprocess.run(
            [tmp_path / "fresh" / "bin" / "mathrag", command],
            cwd=tmp_path, env={**environment, "MATHRAG_LIBRARY": str(tmp_path / "library")},
            capture_output=True, text=True, timeout=600, check=False,
        )  # fmt: skip
        assert ran.returncode == 0, ran.stderr
        assert expected in ran.stdout


# The bill of materials.


def test_the_bill_of_materials_is_whole() -> None:
    tool = _tool("bill_of_materials")
    packages = tool.collected(())
    made: dict[str, Any] = tool.bill(packages)
    assert (made["bomFormat"], made["specVersion"]) == ("CycloneDX", "1.6")
    assert re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", made["serialNumber"])
    assert made == tool.bill(packages)
    references = [one["bom-ref"] for one in made["components"]]
    assert len(references) == len(set(references))
    known = {*references, made["metadata"]["component"]["bom-ref"]}
    for one in made["dependencies"]:
        assert one["ref"] in known
        assert set(one["dependsOn"]) <= known
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = {re.match(r"[\w.-]+", text).group().lower() for text in project["dependencies"]}  # type: ignore[union-attr]
    assert wanted <= {one["name"].lower().replace("_", "-") for one in made["components"]}
    json.dumps(made)


def test_every_package_on_the_page_of_licences_states_one() -> None:
    tool = _tool("bill_of_materials")
    page = (PROJECT / "docs" / "licences.md").read_text(encoding="utf-8")
    assert page.startswith(tool.HEAD)
    rows = {cells[1].strip().lower(): cells for line in page.splitlines() if len(cells := line.split("|")) == 6}
    for one in tool.collected(()):
        assert one.name.lower() in rows, f"{one.name} is not on the page: run `make licences`"
    for name, cells in rows.items():
        assert "not stated" not in cells[3], name
    pinned = dict(
        line.lower().split("==") for line in (PROJECT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    )
    for name, cells in list(rows.items())[2:]:
        assert pinned.get(name) == cells[2].strip(), f"{name} is of another version: run `make licences`"


# Containers and services.


def _instructions() -> list[tuple[str, str]]:
    joined = re.sub(r"\\\n\s*", "", DOCKERFILE)
    lines = [line for line in joined.splitlines() if line and not line.startswith("#")]
    return [(line.split(None, 1)[0], line.split(None, 1)[1]) for line in lines]


def test_the_container_runs_without_rights_and_says_whether_it_is_well() -> None:
    found = _instructions()
    names = [name for name, _ in found]
    assert set(names) <= set("FROM RUN COPY LABEL ENV USER WORKDIR VOLUME EXPOSE HEALTHCHECK ENTRYPOINT CMD".split())
    assert all("-slim" in text for name, text in found if name == "FROM")
    (user,) = [text for name, text in found if name == "USER"]
    assert int(user) > 1000
    # Nothing is done as root after the user is set.
    assert "RUN" not in names[names.index("USER") :]
    for name, text in found:
        if name in ("ENTRYPOINT", "CMD", "VOLUME"):
            assert all(isinstance(part, str) for part in json.loads(text))
    (health,) = [text for name, text in found if name == "HEALTHCHECK"]
    assert "/healthz" in health
    for name, text in found:
        if name == "COPY" and "--from" not in text:
            assert all((PROJECT / source).exists() for source in text.split()[:-1]), text


@pytest.mark.skipif(shutil.which("hadolint") is None, reason="hadolint is not installed")
def test_hadolint_finds_nothing() -> None:
    found = subprocess.run(
        ["hadolint", str(PROJECT / "deploy" / "Dockerfile")], capture_output=True, text=True, check=False
    )
    assert (found.returncode, found.stdout) == (0, "")


def test_the_composition_can_be_read_and_is_locked_down() -> None:
    (service,) = yaml.safe_load((PROJECT / "deploy" / "compose.yaml").read_text(encoding="utf-8"))["services"].values()
    assert (PROJECT / "deploy" / service["build"]["context"] / service["build"]["dockerfile"]).is_file()
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    # Only this machine reaches it until somebody says otherwise.
    assert all(port.startswith("127.0.0.1:") for port in service["ports"])
    assert ":?" in service["environment"]["MATHRAG_SERVE_TOKEN"]


def test_the_service_calls_a_command_that_there_is() -> None:
    text = UNIT.read_text(encoding="utf-8")
    (line,) = re.findall(r"^ExecStart=\S+/mathrag (.*)$", text, re.M)
    import click

    from mathrag.cli.main import cli

    # As the program itself comes to it: a command keeps the help option that it was first asked for.
    words = line.split()
    whole = cli.make_context("mathrag", ["--version"], resilient_parsing=True)
    command = cli.get_command(whole, words[0])
    assert isinstance(command, click.Command)
    command.make_context(words[0], words[1:], parent=whole)
    for setting in ("DynamicUser=yes", "ProtectSystem=strict", "NoNewPrivileges=yes", "CapabilityBoundingSet="):
        assert setting in text.splitlines()


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_systemd_understands_the_unit(tmp_path: Path) -> None:
    # The program is elsewhere here; all else is as shipped.
    unit = tmp_path / UNIT.name
    unit.write_text(UNIT.read_text(encoding="utf-8").replace("/opt/mathrag/bin/mathrag", sys.executable))
    found = subprocess.run(
        ["systemd-analyze", "verify", str(unit)], capture_output=True, text=True, timeout=120, check=False
    )
    ours = [line for line in (found.stdout + found.stderr).splitlines() if UNIT.name in line]
    assert ours == []
    assert found.returncode == 0


# The manual.


def _pages(entry: Any) -> list[str]:
    if isinstance(entry, str):
        return [entry]
    if isinstance(entry, dict):
        return [page for value in entry.values() for page in _pages(value)]
    return [page for value in entry for page in _pages(value)]


def test_the_manual_leads_to_every_page() -> None:
    told = yaml.safe_load((PROJECT / "mkdocs.yml").read_text(encoding="utf-8"))
    named = _pages(told["nav"])
    assert len(named) == len(set(named))
    there = {path.relative_to(PROJECT / "docs").as_posix() for path in (PROJECT / "docs").rglob("*.md")}
    assert set(named) == there


@pytest.mark.soak
def test_the_manual_is_built(tmp_path: Path) -> None:
    program = shutil.which("zensical") or str(Path(sys.executable).with_name("zensical"))
    if not Path(program).exists():
        pytest.skip("zensical is not installed; the extra is called manual")
    shutil.copytree(PROJECT / "docs", tmp_path / "docs")
    shutil.copy(PROJECT / "mkdocs.yml", tmp_path)
    subprocess.run([program, "build", "--clean"], cwd=tmp_path, check=True, timeout=300)
    pages = tmp_path / "build" / "manual"
    start = (pages / "index.html").read_text(encoding="utf-8")
    assert "tutorials/first-library.html" in start
    assert "Works standard 12" in (pages / "tutorials" / "standards-handbook.html").read_text(encoding="utf-8")
