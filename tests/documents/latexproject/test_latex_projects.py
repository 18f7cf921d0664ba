"""Files of a project: what is found, what is refused, what counts for the hash."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from mathrag.documents.latex_project import read_latex_project
from mathrag.documents.seams import ReadingLimits, Source
from mathrag.types.document import Document, formulas_of, plain_text


def project(
    folder: Path, files: dict[str, str], *, main: str = "main.tex", limits: ReadingLimits | None = None
) -> Document:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    path = folder / main
    source = Source(main, path.read_bytes(), folder=folder, path=path, limits=limits or ReadingLimits())
    return read_latex_project(source)


def words(document: Document) -> str:
    return " ".join(plain_text(block.content) for block in document.blocks if hasattr(block, "content"))


def codes(document: Document) -> list[str]:
    return [note.code for note in document.notes]


@pytest.mark.parametrize(
    "command",
    [
        r"\input{a/part}",
        r"\input{a/part.tex}",
        r"\include{a/part}",
        r"\input a/part",
        r"\import{a/}{part}",
        r"\subfile{a/part}",
        r"\newcommand{\folder}{a}\input{\folder/part}",
        r"\InputIfFileExists{a/part}{}{}",
        r"\input{./a/../a/part}",
    ],
)
def test_files_are_taken_in(tmp_path: Path, command: str) -> None:
    document = project(tmp_path, {"main.tex": f"before {command} after", "a/part.tex": "inside $x = 1$"})
    assert words(document).split() == ["before", "inside", "$x", "=", "1$", "after"]
    assert document.files == ("a/part.tex",)
    (math,) = (math for block in document.blocks for math in formulas_of(block))
    assert (math.place.file, math.place.line) == ("a/part.tex", 1)


def test_the_hash_covers_all_files_in_order(tmp_path: Path) -> None:
    files = {"main.tex": r"\input{b}\input{a}\input{b}", "a.tex": "A", "b.tex": "B"}
    document = project(tmp_path, files)
    joined = files["main.tex"] + files["b.tex"] + files["a.tex"]
    assert document.hash == hashlib.sha256(joined.encode()).hexdigest()
    assert document.files == ("b.tex", "a.tex")


def test_without_inclusions_the_hash_is_that_of_the_bytes() -> None:
    source = Source("x.tex", b"text")
    assert read_latex_project(source).hash == source.hash


def test_a_folder_that_is_not_given_is_not_guessed(tmp_path: Path) -> None:
    (tmp_path / "a.tex").write_text("secret", encoding="utf-8")
    document = read_latex_project(Source("main.tex", rb"x \input{a}", path=tmp_path / "main.tex"))
    assert "secret" not in words(document)
    assert codes(document) == ["not_included"]


@pytest.mark.parametrize(
    "command",
    [
        r"\input{../secret}",
        r"\input{OUTSIDE/secret.tex}",
        r"\input{link}",
        r"\include{sub/../../secret}",
        r"\import{../}{secret}",
        r"\input{linked/secret}",
        r"\usepackage{../secret}",
        r"\bibliography{../secret}",
        r'\input|"cat ../secret.tex"',
        r"\newcommand{\up}{..}\input{\up/secret}",
        r"\lstinputlisting{../secret.tex}",
        r"\input{~/secret}",
    ],
)
def test_nothing_outside_the_folder_is_read(tmp_path: Path, command: str) -> None:
    for ending in ("tex", "sty", "bib"):
        (tmp_path / f"secret.{ending}").write_text("@book{a, title={CANARY}} CANARY", encoding="utf-8")
    folder = tmp_path / "project"
    (folder / "sub").mkdir(parents=True)
    (folder / "link.tex").symlink_to(tmp_path / "secret.tex")
    (folder / "linked").symlink_to(tmp_path)
    document = project(folder, {"main.tex": f"start {command.replace('OUTSIDE', str(tmp_path))} end"})
    assert "CANARY" not in repr(document.blocks)
    assert document.files == ()
    assert words(document).split()[0] == "start"


def test_circles_end(tmp_path: Path) -> None:
    files = {"main.tex": r"M \input{a}", "a.tex": r"A \input{b}", "b.tex": r"B \input{a} \input{main}"}
    document = project(tmp_path, files)
    assert words(document) == "M A B"
    assert codes(document) == ["cyclic_inclusion", "cyclic_inclusion"]


def test_too_many_files_are_not_read(tmp_path: Path) -> None:
    files = {f"p{level}.tex": f"x \\input{{p{level + 1}}}\\input{{p{level + 1}}}" for level in range(20)}
    document = project(tmp_path, {"main.tex": r"\input{p0}", **files}, limits=ReadingLimits(files=30))
    assert len(document.files) <= 30
    assert "not_included" in codes(document)


def test_too_many_bytes_are_not_read(tmp_path: Path) -> None:
    files = {"main.tex": r"a \input{big} b", "big.tex": "x" * 5_000}
    document = project(tmp_path, files, limits=ReadingLimits(bytes=1_000))
    assert words(document) == "a b"
    assert codes(document) == ["not_included"]


def test_a_file_that_is_no_text_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "a.tex").write_bytes(b"\0\1\2" * 50)
    document = project(tmp_path, {"main.tex": r"a \input{a} b"})
    assert words(document) == "a b"
    assert codes(document) == ["not_included"]


def test_definitions_of_local_packages_and_classes_count(tmp_path: Path) -> None:
    document = project(
        tmp_path,
        {
            "main.tex": r"\documentclass{own}\usepackage{mine}\begin{document}$\force + \mass$\end{document}",
            "mine.sty": "text \\newcommand{\\my@f}{F}\\newcommand{\\force}{\\my@f}",
            "own.cls": r"\newcommand{\mass}{m}\renewcommand{\section}{nothing}",
        },
    )
    assert [math.source for block in document.blocks for math in formulas_of(block)] == ["F+ m"]
    assert document.files == ("own.cls", "mine.sty")


def test_a_sorted_bibliography_takes_the_place_of_a_missing_one(tmp_path: Path) -> None:
    files = {
        "main.tex": r"text \bibliography{gone}",
        "main.bbl": r"\begin{thebibliography}{1} \bibitem{k} \newblock A title. \end{thebibliography}",
    }
    document = project(tmp_path, files)
    assert [(block.key, block.text) for block in document.blocks if hasattr(block, "key")] == [("k", "A title.")]


def test_a_part_is_read_alone(tmp_path: Path) -> None:
    files = {"main.tex": r"\documentclass{book}\input{part}", "part.tex": r"\section{A} $x$"}
    document = project(tmp_path, files, main="part.tex")
    assert len(document.blocks) == 2
