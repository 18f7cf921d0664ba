"""Build the wheel and the source archive, and check them (`make dist`).

Checked: both hold all that they should and nothing else, the digests in the wheel are right, the description and the
licence are there; with --twice also that a second build gives the same bytes.
"""

from __future__ import annotations

import argparse
import base64
import csv
import email.parser
import hashlib
import io
import os
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
# Read by whoever runs the tests of a source archive.
IN_SOURCE = (
    "pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "SECURITY.md", "Makefile", "constraints.txt",
    "mkdocs.yml", "docs/install.md", "tests/conftest.py", "tools/dist.py", "deploy/Dockerfile",
)  # fmt: skip
# No build may depend on when it was made; without a commit to take the time of, all are of this day.
NO_TIME = "1735689600"


def build(out: Path, *, project: Path = PROJECT) -> tuple[Path, Path]:
    """The wheel and the source archive, made in `out`."""
    environment = {**os.environ, "SOURCE_DATE_EPOCH": os.environ.get("SOURCE_DATE_EPOCH") or commit_time(project)}
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--directory", str(out), "--target", "sdist", "--target", "wheel"],
        cwd=project,
        env=environment,
        check=True,
    )
    (wheel,), (source,) = out.glob("*.whl"), out.glob("*.tar.gz")
    return wheel, source


def commit_time(project: Path) -> str:
    """When the project was last changed, in seconds."""
    told = subprocess.run(
        ["git", "log", "-1", "--format=%ct"], cwd=project, capture_output=True, text=True, check=False
    )
    return told.stdout.strip() or NO_TIME


def wheel_problems(wheel: Path, *, project: Path = PROJECT) -> list[str]:
    """What is wrong with a wheel, in sentences."""
    found: list[str] = []
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        package = project / "src" / "mathrag"
        wanted = {
            f"mathrag/{path.relative_to(package).as_posix()}"
            for path in package.rglob("*")
            if path.is_file() and "__pycache__" not in path.parts
        }
        (home,) = {name.split("/")[0] for name in names if name.split("/")[0].endswith(".dist-info")}
        found += [f"{name} is missing" for name in sorted(wanted - names)]
        others = {name for name in names - wanted if not name.startswith(f"{home}/")}
        found += [f"{name} does not belong there" for name in sorted(others)]
        if f"{home}/licenses/LICENSE" not in names:
            found.append("the licence is missing")
        found += record_problems(archive, home)
        found += metadata_problems(archive.read(f"{home}/METADATA").decode("utf-8"))
        if "mathrag = mathrag.cli.main:run" not in archive.read(f"{home}/entry_points.txt").decode("utf-8"):
            found.append("the command mathrag is missing")
    return found


def record_problems(archive: zipfile.ZipFile, home: str) -> list[str]:
    """Digests of a wheel that are not those of its files."""
    found = []
    listed, files = set(), set(archive.namelist())
    for name, digest, _ in csv.reader(io.StringIO(archive.read(f"{home}/RECORD").decode("utf-8"))):
        listed.add(name)
        if not digest:
            continue
        if name not in files:
            found.append(f"{name} is in the record and not in the wheel")
            continue
        method, _, expected = digest.partition("=")
        actual = base64.urlsafe_b64encode(hashlib.new(method, archive.read(name)).digest()).rstrip(b"=").decode()
        if actual != expected:
            found.append(f"the digest of {name} is wrong")
    return found + [f"{name} is not in the record" for name in sorted(files - listed)]


def metadata_problems(text: str) -> list[str]:
    """What the index of packages would refuse or show badly."""
    told = email.parser.Parser().parsestr(text)
    found = []
    for name, value in (
        ("Name", "mathrag"),
        ("License-Expression", "MIT"),
        ("Description-Content-Type", "text/markdown"),
        ("Requires-Python", ">=3.11"),
    ):
        if told[name] != value:
            found.append(f"{name} is {told[name]!r}, not {value!r}")
    if "make demo" not in str(told.get_payload()):
        found.append("the description is not the README")
    return found


def source_problems(source: Path, *, project: Path = PROJECT) -> list[str]:
    """What is wrong with a source archive."""
    with tarfile.open(source) as archive:
        members = archive.getmembers()
    names = {member.name.partition("/")[2] for member in members if member.isfile()}
    found = [f"{name} is missing" for name in IN_SOURCE if name not in names]
    package = project / "src"
    wanted = {
        path.relative_to(project).as_posix()
        for path in package.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    found += [f"{name} is missing" for name in sorted(wanted - names)]
    found += [
        f"{name} does not belong there" for name in sorted(names) if name.startswith((".git/", ".venv", "build/"))
    ]
    return found + [f"{one.name} is a link" for one in members if one.issym() or one.islnk()]


def is_same_twice(wheel: Path, source: Path, *, project: Path = PROJECT) -> bool:
    """Whether a second build gives the same bytes."""
    with tempfile.TemporaryDirectory() as folder:
        again = build(Path(folder), project=project)
        return all(one.read_bytes() == other.read_bytes() for one, other in zip((wheel, source), again, strict=True))


def main() -> int:
    """Build, check, and say what is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=PROJECT / "dist")
    parser.add_argument("--twice", action="store_true", help="also compare with a second build")
    chosen = parser.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)
    for old in (*chosen.out.glob("mathrag-*.whl"), *chosen.out.glob("mathrag-*.tar.gz")):
        old.unlink()
    wheel, source = build(chosen.out)
    problems = [f"{wheel.name}: {one}" for one in wheel_problems(wheel)]
    problems += [f"{source.name}: {one}" for one in source_problems(source)]
    if chosen.twice and not is_same_twice(wheel, source):
        problems.append("two builds differ")
    for problem in problems:
        print(problem, file=sys.stderr)
    for file in (wheel, source):
        print(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
