"""From arguments to files: nothing lost, nothing twice, nothing opened that must not be."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from mathrag.documents.input_files import Found, GatheringLimits, GlobPattern, gather
from mathrag.documents.path_text import document_key
from mathrag.errors import DocumentError

TYPES = ("text/markdown", "text/x-tex", "text/html", "text/plain")


def _write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        _file(folder, name.replace("__", "/").replace("_md", ".md").replace("_tex", ".tex"), text)


def _file(folder: Path, name: str, text: str = "x") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def _gather(*arguments: Path | str, **options: GatheringLimits) -> list[Found]:
    return gather([str(argument) for argument in arguments], media_types=TYPES, **options)


def _ready(*arguments: Path | str) -> list[str]:
    return [found.name for found in _gather(*arguments) if found.is_ready]


def test_a_folder_is_searched_without_hidden_files_and_junk(tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    for name in ("b.md", "a.html", "sub/deeper/c.txt", "Z.MD"):
        _file(folder, name)
    for name in (
        ".hidden.md", ".git/x.md", "node_modules/x.md", "__pycache__/x.md", ".venv/x.md", "sub/.cache/x.md",
        "venv/lib/x.md", "__MACOSX/x.md",
    ):  # fmt: skip
        _file(folder, name)
    _file(folder, "venv/pyvenv.cfg")
    _file(folder, "env/about.md")
    assert _ready(folder) == [
        "notes/Z.MD",
        "notes/a.html",
        "notes/b.md",
        "notes/env/about.md",
        "notes/sub/deeper/c.txt",
    ]


def test_other_files_of_a_folder_are_counted_quietly_but_a_named_file_is_tried(tmp_path: Path) -> None:
    _file(tmp_path, "a.md")
    binary = _file(tmp_path, "b.bin")
    _file(tmp_path, "LICENSE")
    by_name = {found.path.name: found for found in _gather(tmp_path)}
    assert [(by_name[name].state, by_name[name].code) for name in ("b.bin", "LICENSE")] == [
        ("quiet", "unsupported")
    ] * 2
    assert [found.path.name for found in _gather(tmp_path, binary) if found.is_ready] == ["a.md", "b.bin"]
    assert [found.path.name for found in _gather(binary, tmp_path) if found.is_ready] == ["a.md", "b.bin"]


def test_each_file_once_with_size_and_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = _file(tmp_path, "docs/a.md", "12345")
    monkeypatch.chdir(tmp_path)
    found = _gather("docs", "docs/a.md", path, "./docs/../docs/a.md", "docs/*.md", "**/*.md")
    assert len(found) == 1
    assert found[0].size == 5
    assert found[0].key == path.resolve().as_posix() == document_key("docs/a.md")
    assert found[0].name == "docs/a.md"
    assert found[0].folder == path.parent.resolve()


@pytest.mark.parametrize(
    "argument", ["absent.md", "", "absent/", "no*match", "no/such/*.md", "a\x00b", "x" * 5_000, "[", "[*"]
)
def test_what_is_not_there_fails_with_a_reason(argument: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (found,) = gather([argument], media_types=TYPES)
    assert found.state == "failed"
    assert found.code in ("not_found", "unreadable")
    assert len(found.reason.split()) > 3
    assert found.name.isprintable()


def test_a_folder_without_documents_says_so(tmp_path: Path) -> None:
    _file(tmp_path, "picture.png")
    states = {(found.state, found.code) for found in _gather(tmp_path)}
    assert states == {("quiet", "unsupported"), ("failed", "nothing_found")}


def test_a_name_with_wildcards_that_exists_is_that_file(tmp_path: Path) -> None:
    path = _file(tmp_path, "what[1]*.md")
    _file(tmp_path, "what1.md")
    assert [found.path for found in _gather(path)] == [path.resolve()]


@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        ("*.md", ["a.md"]),
        ("**/*.md", ["a.md", "sub/b.md", "sub/deep/c.md"]),
        ("sub/**/*.md", ["sub/b.md", "sub/deep/c.md"]),
        ("*/b.??", ["sub/b.md"]),
        ("sub/*", ["sub/b.md", "sub/deep/c.md"]),
        ("s*", ["sub/b.md", "sub/deep/c.md"]),
        ("**", ["a.md", "sub/b.md", "sub/deep/c.md"]),
        ("**/[bc].md", ["sub/b.md", "sub/deep/c.md"]),
        ("**/**/**/**/c.md", ["sub/deep/c.md"]),
        ("*.pdf", ["d.pdf"]),
        (".*/*.md", [".hidden/e.md"]),
    ],
)
def test_patterns_the_shell_did_not_expand(pattern: str, names: list[str], tmp_path: Path) -> None:
    for name in ("a.md", "sub/b.md", "sub/deep/c.md", "d.pdf", ".hidden/e.md"):
        _file(tmp_path, name)
    found = [item for item in _gather(f"{tmp_path}/{pattern}") if item.is_ready]
    assert sorted(item.path.relative_to(tmp_path.resolve()).as_posix() for item in found) == names


def test_many_stars_cost_little() -> None:
    pattern = GlobPattern("/".join(["**", "*a*a*a*a*b"] * 30))
    assert not pattern.matches("/".join(["a" * 200] * 60))


def test_loops_of_links_end(tmp_path: Path) -> None:
    _file(tmp_path, "a/b.md")
    for number in range(4):
        (tmp_path / "a" / f"up{number}").symlink_to(tmp_path, target_is_directory=True)
        (tmp_path / f"self{number}").symlink_to(".")
    (tmp_path / "dead.md").symlink_to(tmp_path / "nowhere.md")
    (tmp_path / "circle.md").symlink_to(tmp_path / "circle.md")
    for argument in (tmp_path, f"{tmp_path}/**/*.md"):
        found = _gather(argument)
        assert [item.path.name for item in found if item.is_ready] == ["b.md"]
        assert {item.code for item in found if not item.is_ready} == {"vanished"}


def test_links_out_of_the_folder_are_passed_over_with_a_reason(tmp_path: Path) -> None:
    outside = _file(tmp_path, "outside/secret.md")
    inside = _file(tmp_path, "folder/real.md")
    (tmp_path / "folder" / "link.md").symlink_to(outside)
    (tmp_path / "folder" / "away").symlink_to(outside.parent, target_is_directory=True)
    (tmp_path / "folder" / "alias.md").symlink_to(inside)
    found = _gather(tmp_path / "folder")
    assert [item.path for item in found if item.is_ready] == [inside.resolve()]
    assert {item.code for item in found if item.state == "skipped"} == {"outside"}
    # Named, it is read.
    assert [item.path for item in _gather(tmp_path / "folder" / "link.md") if item.is_ready] == [outside.resolve()]


def test_pipes_and_devices_are_never_opened(tmp_path: Path) -> None:
    _file(tmp_path, "a.md")
    for name in ("pipe.md", "pipe.tex"):
        os.mkfifo(tmp_path / name)
    results: list[list[Found]] = []
    worker = threading.Thread(
        target=lambda: results.append(_gather(tmp_path, tmp_path / "pipe.md", os.devnull)), daemon=True
    )
    worker.start()
    worker.join(10)
    assert results, "something was opened and waits"
    states = {found.path.name: (found.state, found.code) for found in results[0]}
    assert states["pipe.md"] == ("failed", "not_a_file")
    assert states["pipe.tex"] == ("skipped", "not_a_file")
    assert states["null"] == ("failed", "not_a_file")
    assert states["a.md"] == ("ready", "")


def test_unreadable_files_and_folders_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a.md", "b.md", "shut/c.md"):
        _file(tmp_path, name)
    look, allowed = os.scandir, os.access

    def scandir(path: Path) -> object:
        if path.name == "shut":
            raise PermissionError(13, "Permission denied")
        return look(path)

    # Pretended, because the superuser may read everything.
    monkeypatch.setattr(os, "scandir", scandir)
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path).name != "b.md" and allowed(path, mode))
    states = {found.path.name: (found.state, found.code) for found in _gather(tmp_path, tmp_path / "b.md")}
    assert states == {"a.md": ("ready", ""), "b.md": ("failed", "unreadable"), "shut": ("failed", "unreadable")}


def test_strange_names_have_safe_names_and_distinct_keys(tmp_path: Path) -> None:
    folder = os.fsencode(tmp_path)
    for name in (
        b"new\nline.md",
        b"\x1b[31mred.md",
        b"bad\xff.md",
        b"bad\\xff.md",
        b"bad%FF.md",
        b"-rf.md",
        b"..md.md",
        b"a b\xc3\xa9.md",
    ):
        with open(os.path.join(folder, name), "wb") as file:  # noqa: PTH118, PTH123 - names that are no text
            file.write(b"x")
    found = [item for item in _gather(tmp_path) if item.is_ready]
    # The one that starts with a dot counts as hidden.
    assert len(found) == 7
    assert len({item.key for item in found}) == 7
    for item in found:
        item.key.encode("utf-8")
        assert item.name.isprintable()
        assert item.path.exists()


def test_too_many_files_are_refused(tmp_path: Path) -> None:
    for number in range(30):
        _file(tmp_path, f"{number}.md")
    for limits in (GatheringLimits(files=20), GatheringLimits(entries=20)):
        with pytest.raises(DocumentError, match="more than 20 files") as caught:
            _gather(tmp_path, limits=limits)
        assert caught.value.code == "too_many_files"


def test_folders_deeper_than_the_limit_are_told(tmp_path: Path) -> None:
    _file(tmp_path, "a/b/c/d.md")
    _file(tmp_path, "a/e.md")
    found = _gather(tmp_path, limits=GatheringLimits(depth=2))
    assert [item.path.name for item in found if item.is_ready] == ["e.md"]
    assert [item.code for item in found if not item.is_ready] == ["too_deep"]


DOCUMENT = "\\documentclass{article}\\begin{document}%s\\end{document}"


def _latex(folder: Path, *arguments: str) -> dict[str, str]:
    """For each LaTeX file: ready, or the reason it is not."""
    given = [folder / argument for argument in arguments] or [folder]
    return {
        found.path.relative_to(folder.resolve()).as_posix(): found.reason or found.state for found in _gather(*given)
    }


def test_parts_of_a_latex_project_are_no_documents(tmp_path: Path) -> None:
    _write(
        tmp_path,
        main_tex=DOCUMENT
        % "\\input{chapters/one} \\include{chapters/two.tex}\n\\input chapters/three\n%\\input{alone}",
        chapters__one_tex="\\input{chapters/deep/four}",
        chapters__two_tex="\\input{sibling}",
        chapters__three_tex="x",
        chapters__deep__four_tex="x",
        chapters__sibling_tex="x",
        alone_tex="words",
    )
    states = _latex(tmp_path)
    assert {name for name, state in states.items() if state == "ready"} == {"main.tex", "alone.tex"}
    assert states["chapters/deep/four.tex"] == "a part of main.tex, which includes it"
    assert states["chapters/sibling.tex"] == "a part of main.tex, which includes it"


def test_a_part_may_have_another_format(tmp_path: Path) -> None:
    _write(tmp_path, main_tex=DOCUMENT % "\\input{data.txt}", notes_md="\\input{main}")
    _file(tmp_path, "data.txt")
    states = _latex(tmp_path)
    assert states == {
        "main.tex": "ready", "notes.md": "ready", "data.txt": "a part of main.tex, which includes it",
    }  # fmt: skip


def test_a_part_that_is_named_is_tried(tmp_path: Path) -> None:
    _write(tmp_path, main_tex=DOCUMENT % "\\input{part}", part_tex="x")
    states = _latex(tmp_path, ".", "part.tex")
    assert states == {"main.tex": "ready", "part.tex": "ready"}


def test_files_that_include_each_other_are_not_lost(tmp_path: Path) -> None:
    _write(tmp_path, b_tex="\\input{c}", c_tex="\\input{b}", self_tex="\\input{self}")
    states = _latex(tmp_path)
    assert {name for name, state in states.items() if state == "ready"} == {"b.tex", "self.tex"}


def test_two_documents_may_share_a_part_and_subfiles_are_parts(tmp_path: Path) -> None:
    _write(
        tmp_path,
        macros_tex="x",
        first__main_tex=DOCUMENT % "\\input{../macros}\\subfile{sub}",
        first__sub_tex="\\documentclass[main.tex]{subfiles}\\begin{document}x\\end{document}",
        second__main_tex=DOCUMENT % "\\import{../}{macros}",
    )
    found = {item.name: item for item in _gather(tmp_path) if item.is_ready}
    assert sorted(found) == [f"{tmp_path.name}/first/main.tex", f"{tmp_path.name}/second/main.tex"]
    assert {item.folder for item in found.values()} == {tmp_path.resolve()}


def test_inclusions_out_of_the_folder_count_for_nothing(tmp_path: Path) -> None:
    _write(tmp_path, outer_tex="x", folder__main_tex=DOCUMENT % "\\input{../outer}\\input{/etc/passwd}\\input{|ls}")
    (found,) = _gather(tmp_path / "folder")
    assert found.folder == (tmp_path / "folder").resolve()
