"""LaTeX that includes what it must not, expands without end or asks for programs to be run; front matter likewise."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from hostile_files.recipe import CANARY, Recipe, file, files

_OPEN = "\\documentclass{article}\n\\begin{document}\nThe kinetic energy is $E_k$.\n"
_CLOSE = "\n\\end{document}\n"
_KEPT = ("kinetic energy",)


def _document(body: str, preamble: str = "") -> str:
    return _OPEN.replace("\\begin{document}", preamble + "\n\\begin{document}") + body + _CLOSE


def _outside(command: str) -> Callable[[Path], Path]:
    """A project that asks for a file beside its folder; SECRET stands for its absolute path."""

    def write(folder: Path) -> Path:
        secret = folder / "secret.tex"
        secret.write_text(CANARY, encoding="utf-8")
        (folder / "secret.bib").write_text(f"@book{{a, title={{{CANARY}}}}}", encoding="utf-8")
        project = folder / "project"
        project.mkdir()
        path = project / "main.tex"
        path.write_text(_document(command.replace("SECRET", str(secret))), encoding="utf-8")
        return path

    return write


def _through_link(*, of_folder: bool) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        (folder / "elsewhere").mkdir()
        (folder / "elsewhere" / "secret.tex").write_text(CANARY, encoding="utf-8")
        project = folder / "project"
        project.mkdir()
        if of_folder:
            (project / "chapters").symlink_to(folder / "elsewhere")
            name = "chapters/secret"
        else:
            (project / "part.tex").symlink_to(folder / "elsewhere" / "secret.tex")
            name = "part"
        path = project / "main.tex"
        path.write_text(_document(f"\\input{{{name}}}"), encoding="utf-8")
        return path

    return write


def _pipe_as_part(folder: Path) -> Path:
    os.mkfifo(folder / "part.tex")
    path = folder / "main.tex"
    path.write_text(_document("\\input{part} \\include{part} \\input{/dev/zero} \\input{/dev/stdin}"), encoding="utf-8")
    return path


def _doubling(levels: int) -> dict[str, str]:
    parts = {f"part{level}.tex": f"\\input{{part{level + 1}}}\\input{{part{level + 1}}}" for level in range(levels)}
    return {"main.tex": _document("\\input{part0}"), **parts, f"part{levels}.tex": "bang"}


_INCLUDES = (
    Recipe(
        "input-itself",
        "a file that includes itself",
        "either",
        files("main.tex", {"main.tex": _document("\\input{main}")}),
        keeps=_KEPT,
    ),
    Recipe(
        "input-cycle",
        "three files that include each other in a circle",
        "either",
        files("main.tex", {"main.tex": _document("\\input{a}"), "a.tex": "A \\input{b}", "b.tex": "B \\input{a}"}),
        keeps=_KEPT,
    ),
    Recipe(
        "input-doubling",
        "files that include the next one twice, thirty deep",
        "either",
        files("main.tex", _doubling(30)),
    ),
    Recipe(
        "input-wide",
        "1,000 inclusions of one file",
        "either",
        files("main.tex", {"main.tex": _document("\\input{a}\n" * 1_000), "a.tex": "a $b = c$\n" * 50}),
        is_slow=True,
    ),
    Recipe(
        "input-chain",
        "1,500 files, each including the next",
        "either",
        files(
            "main.tex",
            {
                "main.tex": _document("\\input{p0}"),
                **{f"p{level}.tex": f"\\input{{p{level + 1}}}" for level in range(1_500)},
            },
        ),
    ),
    Recipe(
        "input-missing",
        "an inclusion of a file that is not there",
        "read",
        files("main.tex", {"main.tex": _document("\\input{nothing} \\include{} \\input{\\jobname}")}),
        keeps=_KEPT,
    ),
    Recipe(
        "input-binary",
        "an inclusion of a picture",
        "either",
        files("main.tex", {"main.tex": _document("\\input{a.png}"), "a.png": "\x00\x01PNG"}),
        keeps=_KEPT,
    ),
    Recipe(
        "input-relative", "an inclusion of ../secret.tex", "either", _outside("\\input{../secret.tex}"), keeps=_KEPT
    ),
    Recipe(
        "input-relative-spelled",
        "the same, spelled to deceive",
        "either",
        _outside('\\input{./a/../../secret} \\input ../secret \\input{"../secret"} \\input{..//secret}'),
        keeps=_KEPT,
    ),
    Recipe(
        "input-absolute",
        "an inclusion by absolute path",
        "either",
        _outside("\\input{SECRET} \\include{SECRET} \\input{/etc/passwd} \\input{~/secret} \\input{file://SECRET}"),
        keeps=_KEPT,
        forbids=("root:",),
    ),
    Recipe(
        "input-other-commands",
        "other commands that include",
        "either",
        _outside(
            "\\verbatiminput{SECRET}\\lstinputlisting{../secret.tex}\\import{../}{secret}\\subfile{../secret}"
            "\\bibliography{../secret}\\addbibresource{SECRET}\\subimport{../}{secret}\\@input{SECRET}"
            "\\InputIfFileExists{../secret}{}{}\\usepackage{../secret}\\loadglsentries{../secret}"
        ),
        keeps=_KEPT,
    ),
    Recipe(
        "input-through-link",
        "an inclusion of a link that leads out of the folder",
        "either",
        _through_link(of_folder=False),
        keeps=_KEPT,
    ),
    Recipe(
        "input-through-linked-folder",
        "an inclusion through a linked folder",
        "either",
        _through_link(of_folder=True),
        keeps=_KEPT,
    ),
    Recipe(
        "input-by-macro",
        "an inclusion of ../secret.tex by way of macros",
        "either",
        _outside("\\newcommand{\\up}{..}\\def\\f{secret}\\input{\\up/\\f}\\csname input\\endcsname{../secret}"),
        keeps=_KEPT,
    ),
    Recipe("input-pipe", "a pipe and devices as parts", "either", _pipe_as_part, keeps=_KEPT),
    Recipe(
        "input-program",
        "an inclusion of what a program prints",
        "either",
        files("main.tex", {"main.tex": _document('\\input{|"touch owned"} \\input|"touch owned"')}),
        keeps=_KEPT,
    ),
    Recipe(
        "input-odd-names",
        "inclusions of names that no file has",
        "either",
        files(
            "main.tex", {"main.tex": _document("\\input{a\0b} \\input{" + "a" * 5_000 + "} \\input{%00} \\input{con}")}
        ),
    ),
)

_MACROS = {
    "doubling": "\\def\\z{lol}"
    + "".join(f"\\def\\{chr(97 + index)}{{\\{chr(98 + index)}\\{chr(98 + index)}}}" for index in range(25))
    + "\\a",
    "ten-times": "\\def\\aa{x}"
    + "".join(f"\\def\\a{chr(98 + index)}{{{f'{chr(92)}a{chr(97 + index)}' * 10}}}" for index in range(12))
    + "\\am",
    "endless": "\\def\\a{\\a} \\a",
    "endless-growing": "\\def\\a{x\\a\\a} \\a",
    "endless-mutual": "\\newcommand{\\a}{\\b}\\newcommand{\\b}{\\c}\\newcommand{\\c}{\\a} \\a",
    "argument-doubling": "\\newcommand{\\d}[1]{#1#1}" + "\\d{" * 40 + "x" + "}" * 40,
    "argument-endless": "\\def\\a#1{\\a{#1#1}} \\a{x}",
    "in-formula": "\\newcommand{\\x}{\\x+\\x} $$y = \\x$$ \\DeclareMathOperator{\\op}{\\op} $\\op x$",
    "redefining": "\\def\\begin{\\end}\\def\\end{\\begin}\\renewcommand{\\section}{\\section\\section}\\section{x}",
    "odd-definitions": "\\def\\def{\\def}\\let\\a\\a\\edef\\b{\\b\\b}\\newcommand{\\c}[99]{#99}"
    "\\newcommand\\d[x]{}\\c\\b\\d",
    "environment": "\\newenvironment{e}{\\begin{e}}{\\end{e}} \\begin{e} x \\end{e}",
    "loop": "\\newcount\\n\\loop\\advance\\n by 1 x\\ifnum\\n<100000000\\repeat \\@for\\x:=1,2\\do{\\x}",
    "name-building": "\\def\\a{\\expandafter\\a\\csname a\\endcsname} \\a",
    "category-codes": "\\catcode`\\{=12 \\catcode`\\\\=12 \\catcode`\\%=13 \\active \\makeatletter",
    "conditions": "\\iftrue" * 20_000 + " x \\fi",
    "write": "\\write18{touch owned} \\immediate\\write18{curl http://127.0.0.1:9} \\newwrite\\f\\openout\\f=owned"
    "\\write\\f{x}\\ShellEscape{touch owned}\\directlua{os.execute('touch owned')}",
    "read": "\\openin5=/etc/passwd \\read5 to \\x \\x \\closein5 \\special{file:/etc/passwd}",
    "siunitx": "\\SI{9e999999999}{\\kilo\\kilo\\per\\per\\metre\\tothe{99999999}} \\num{1e99999999999} \\qty{}{}",
    "verb": "\\verb|" + "x" * 1_000 + "\\verb" + "\\verb!" * 5_000,
    "arguments-missing": "\\frac \\section \\textbf \\begin \\end \\input \\newcommand \\def \\multicolumn{2} \\item[",
    "options-unclosed": "\\includegraphics[" * 5_000 + "\\begin{tabular}[" * 1_000,
}
_BOMBS = tuple(
    Recipe(
        f"macro-{name}",
        f"LaTeX macros: {name.replace('-', ' ')}",
        "either",
        files("main.tex", {"main.tex": _document(body)}),
    )
    for name, body in _MACROS.items()
)


def _yaml_bomb() -> str:
    levels = "\n".join(f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 9)}]" for level in range(1, 10))
    return f"---\ntitle: Energy\na0: &a0 [lol, lol]\n{levels}\n---\n\nThe kinetic energy.\n"


_FRONT_MATTER = (
    Recipe(
        "front-matter-bomb",
        "front matter whose references grow without end",
        "read",
        file("page.md", _yaml_bomb),
        keeps=_KEPT,
    ),
    Recipe(
        "front-matter-object",
        "front matter that asks for objects to be made",
        "read",
        file(
            "page.md",
            "---\ntitle: !!python/object/apply:os.system ['touch owned']\nx: !!python/name:os.system\n"
            "---\n\nThe kinetic energy.\n",
        ),
        keeps=_KEPT,
    ),
    Recipe(
        "front-matter-odd",
        "front matter with every type where a title should be",
        "read",
        file(
            "page.md",
            "---\ntitle: [1, {a: b}]\nauthors: {x: [y]}\ndate: 99999-99-99\nyear: -1e999\n"
            "abstract: null\ntitle: again\n---\n\nThe kinetic energy.\n",
        ),
        keeps=_KEPT,
    ),
    Recipe(
        "front-matter-deep",
        "front matter 10,000 deep",
        "either",
        file("page.md", "---\ntitle: " + "[" * 10_000 + "\n---\n\nThe kinetic energy.\n"),
    ),
    Recipe(
        "front-matter-toml",
        "front matter in TOML that is broken",
        "read",
        file("page.md", "+++\ntitle = 'x\ndate = 2026-99-99\n[[[a]]]\n+++\n\nThe kinetic energy.\n"),
        keeps=_KEPT,
    ),
    Recipe(
        "front-matter-lines",
        "front matter of 100,000 lines",
        "either",
        file("page.md", "---\n" + "key: value\n" * 100_000 + "---\n\nThe kinetic energy.\n"),
    ),
)

RECIPES = (*_INCLUDES, *_BOMBS, *_FRONT_MATTER)
