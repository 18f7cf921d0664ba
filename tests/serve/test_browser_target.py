"""`make browser`: nothing to do where there is a browser, Debian's otherwise, and a clear word where neither can be."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

PROJECT = Path(__file__).parent.parent.parent
SCRIPT = PROJECT / "tools" / "install_browser.sh"


def _run(folder: Path, *programs: str, user: int = 0, arguments: tuple[str, ...] = ()) -> tuple[int, str]:
    """Exit code and words of the script on a machine that has only these programs, which say how they are called."""
    for name in programs:
        (folder / name).write_text(f'#!/bin/sh\nif [ {name} = sudo ]; then exec "$@"; fi\necho {name} "$@"\n')
    (folder / "id").write_text(f"#!/bin/sh\necho {user}\n")
    for program in folder.iterdir():
        program.chmod(0o755)
    shell = shutil.which("sh")
    assert shell is not None
    (folder / "sh").symlink_to(shell)
    done = subprocess.run(
        [shell, str(SCRIPT), *arguments], env={"PATH": str(folder)}, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    return done.returncode, done.stdout


@pytest.mark.parametrize("name", ["chromium", "chromium-browser", "google-chrome"])
@pytest.mark.parametrize("arguments", [(), ("--found",)])
def test_a_browser_that_is_there_is_left_alone(tmp_path: Path, name: str, arguments: tuple[str, ...]) -> None:
    code, said = _run(tmp_path, name, "apt-get", arguments=arguments)
    assert (code, said) == (0, f"{tmp_path / name}\n")


@pytest.mark.parametrize(("user", "programs"), [(0, ("apt-get",)), (1000, ("apt-get", "sudo"))])
def test_debians_browser_is_installed(tmp_path: Path, user: int, programs: tuple[str, ...]) -> None:
    code, said = _run(tmp_path, *programs, user=user)
    assert code == 0
    assert "apt-get install --no-install-recommends --yes chromium " in said


# Says that the lists are locked as often as the file `locked` has lines.
_BUSY = """#!/bin/sh
if [ "$1" = install ]; then echo apt-get "$@"; exit 0; fi
read -r first < {locked} || exit 0
{{ read -r first; while read -r line; do echo "$line"; done; }} < {locked} > {locked}.rest
while read -r line; do echo "$line"; done < {locked}.rest > {locked}
echo "E: $first" >&2
exit 100
"""


@pytest.mark.parametrize(
    ("refusals", "code"),
    [
        (["Could not get lock /var/lib/apt/lists/lock."] * 2, 0),
        (["Could not get lock /var/lib/apt/lists/lock."] * 70, 1),
        (["The list of packages cannot be fetched."], 1),
    ],
    ids=["freed", "never freed", "another failure"],
)
def test_a_package_manager_that_is_busy_is_waited_for(tmp_path: Path, refusals: list[str], code: int) -> None:
    locked, programs = tmp_path / "locked", tmp_path / "programs"
    programs.mkdir()
    locked.write_text("".join(f"{line}\n" for line in refusals))
    (programs / "apt-get").write_text(_BUSY.format(locked=locked))
    ended, said = _run(programs, "sleep")
    assert ended == code
    assert ("apt-get install" in said) == (code == 0)
    assert (refusals[-1] in said) == (code == 1)
    # Once for each refusal, and no longer than five minutes.
    waited = sum(line.startswith("sleep ") for line in said.splitlines())
    assert waited == (0 if "fetched" in refusals[0] else min(len(refusals), 60))


def test_apt_waits_for_the_lock_itself_where_it_can(tmp_path: Path) -> None:
    _, said = _run(tmp_path, "apt-get")
    assert [line.count("DPkg::Lock::Timeout=300") for line in said.splitlines()] == [1, 1]


@pytest.mark.parametrize(("user", "programs"), [(0, ()), (1000, ("apt-get",))])
def test_where_none_can_be_installed_that_is_said_and_no_failure(
    tmp_path: Path, user: int, programs: tuple[str, ...]
) -> None:
    code, said = _run(tmp_path, *programs, user=user)
    assert code == 0
    assert said.startswith("NO BROWSER: ")
    assert "skipped" in said
    assert "apt-get install" not in said


def test_a_missing_browser_can_be_asked_for(tmp_path: Path) -> None:
    code, said = _run(tmp_path, "apt-get", arguments=("--found",))
    assert code == 1
    assert said.startswith("NO BROWSER: ")


def test_what_would_be_installed_is_known_to_debian() -> None:
    if shutil.which("apt-get") is None or not any(Path("/var/lib/apt/lists").glob("*Packages*")):
        pytest.skip("there is no apt-get with lists of packages here, so nothing can be simulated")
    (line,) = (line for line in SCRIPT.read_text().splitlines() if "apt-get install" in line)
    command = line.strip().removeprefix("$as_root ").split()
    done = subprocess.run([*command, "--simulate"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_ci_installs_the_browser_before_the_tests_and_says_when_there_is_none() -> None:
    text = (PROJECT / ".ci" / "run").read_text()
    assert text.index("stage make browser || true") < text.index("stage make test")
    assert "install_browser.sh --found" in next(line for line in text.splitlines() if line.startswith("trap "))


@pytest.mark.parametrize("has_browser", [True, False])
def test_the_check_says_in_its_last_lines_that_there_is_no_browser(tmp_path: Path, *, has_browser: bool) -> None:
    line = next(line for line in (PROJECT / ".ci" / "run").read_text().splitlines() if line.startswith("trap "))
    programs = {"sh": shutil.which("sh"), **({"chromium": shutil.which("true")} if has_browser else {})}
    for name, path in programs.items():
        assert path is not None
        (tmp_path / name).symlink_to(path)
    bash = shutil.which("bash")
    assert bash is not None
    script = f"set -euo pipefail\nspent=''\n{line}\nexit 3\n"
    done = subprocess.run(
        [bash, "-c", script], cwd=PROJECT, env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=False
    )
    # What became of the check stays what it was.
    assert (done.returncode, done.stderr) == (3, "")
    assert any(line.startswith("NO BROWSER: ") for line in done.stdout.splitlines()[-2:]) != has_browser
