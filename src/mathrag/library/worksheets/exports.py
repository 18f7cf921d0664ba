"""A computed worksheet written as Markdown, notebook, LaTeX, PDF or a Python program. Computes nothing."""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from html import escape
from pathlib import Path

from mathrag.compute.printers.notation_mathml import latex_mathml
from mathrag.errors import UsageError
from mathrag.library.worksheets.objects import curve_picture
from mathrag.library.worksheets.python_program import program_text
from mathrag.types.json_value import Json
from mathrag.worksheets.lines import Blank, Heading, Text
from mathrag.worksheets.results import Curve, LineResult, Results
from mathrag.worksheets.seams import Link
from mathrag.worksheets.writing import write_line

_PDF_SECONDS = 60.0
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
ENGINES = ("lualatex", "xelatex", "pdflatex")
_SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "±": r"$\pm$", "×": r"$\times$", "…": r"\ldots{}",
    "−": r"$-$", "·": r"$\cdot$", "²": r"$^2$", "³": r"$^3$", "°": r"$^\circ$",
}  # fmt: skip


def exported_worksheet(results: Results, form: str, *, title: str = "Worksheet") -> bytes:
    """A worksheet in a format: `markdown`, `notebook`, `latex`, `pdf`, `python` or `html`."""
    if form == "pdf":
        return pdf_bytes(results, title=title)
    write = _WRITERS.get(form)
    if write is None:
        raise UsageError(f"a worksheet is not written as {form!r}; choose {', '.join(FORMATS)}")
    return write(results, title).encode("utf-8", "replace")


def _link_words(links: tuple[Link, ...]) -> Iterator[str]:
    for link in links:
        where = f"/formulas/{link.formula}" if link.formula else ""
        yield f"[{_plain(link.label)}]({where})" if where else f"{link.label} ({link.source})".replace(" ()", "")


def _plain(text: str) -> str:
    return re.sub(r"([\[\]()\\`*_<>])", r"\\\1", text)


def _cell_markdown(result: LineResult) -> str:
    """A line in Markdown; empty for a blank one."""
    line = result.line
    if isinstance(line, Heading):
        return f"{'#' * line.level} {line.text}"
    if isinstance(line, Text):
        return line.text
    if isinstance(line, Blank):
        return ""
    if result.problem is not None:
        return f"`{write_line(line)}`\n\n**Line {result.number}: {_plain(result.problem.message)}**"
    parts = [f"$$ {result.latex} $$" if result.latex else _plain(result.text)]
    if result.rows:
        rows = [f"| {_plain(each.name)} | {each.spread} | {each.slope} | {each.share:.1%} |" for each in result.rows]
        parts.append("\n".join(["| value | ± | derivative | share |", "|---|---|---|---|", *rows]))
    if result.curve is not None:
        picture = base64.b64encode(curve_picture(result.curve).encode()).decode()
        parts.append(f"![{_plain(result.text)}](data:image/svg+xml;base64,{picture})")
    parts += [f"*{_plain(note)}*" for note in result.notes]
    if result.links:
        parts.append(f"From {', '.join(_link_words(result.links))}.")
    return "\n\n".join(parts)


def _markdown(results: Results, title: str) -> str:
    body = "\n\n".join(text for each in results.lines if (text := _cell_markdown(each)))
    sheet = "\n".join(write_line(each.line) for each in results.lines)
    fence = "`" * (max((len(found) for found in re.findall("`+", sheet)), default=2) + 1)
    head = "" if any(isinstance(each.line, Heading) for each in results.lines[:1]) else f"# {_plain(title)}\n\n"
    return f"{head}{body}\n\n---\n\nThe worksheet as text:\n\n{fence}text\n{sheet}\n{fence}\n"


def _notebook(results: Results, title: str) -> str:
    """Markdown for reading, and one cell of code that computes it all again without this program."""
    cells: list[Json] = [
        {"cell_type": "markdown", "id": f"line-{each.number}", "metadata": {}, "source": text}
        for each in results.lines
        if (text := _cell_markdown(each))
    ]
    cells.append(
        {
            "cell_type": "code",
            "id": "program",
            "metadata": {},
            "execution_count": None,
            "outputs": [],
            "source": program_text(results, title=title),
        }
    )
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}, "title": title}
    return json.dumps({"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}, ensure_ascii=False)


def latex_words(text: str) -> str:
    """Words for LaTeX: nothing in them is a command."""
    return "".join(_SPECIAL.get(sign, sign if sign.isprintable() else " ") for sign in text)


def _latex(results: Results, title: str) -> str:
    parts = [
        "\\documentclass{article}",
        "\\usepackage{iftex}",
        "\\ifPDFTeX\\usepackage[utf8]{inputenc}\\usepackage[T1]{fontenc}\\else\\usepackage{fontspec}\\fi",
        "\\usepackage{amsmath}",
        "\\usepackage{siunitx}",
        "\\providecommand{\\SI}[2]{#1\\,\\mathrm{#2}}",
        "\\renewcommand{\\SI}[2]{#1\\,\\mathrm{#2}}",
        "\\usepackage{pgfplots}",
        "\\pgfplotsset{compat=1.15}",
        f"\\title{{{latex_words(title)}}}",
        "\\date{}",
        "\\begin{document}",
        "\\maketitle",
        *(_latex_line(each) for each in results.lines),
        "\\end{document}",
    ]
    return "\n".join(part for part in parts if part) + "\n"


def _latex_line(result: LineResult) -> str:
    line = result.line
    if isinstance(line, Heading):
        level = ("section", "subsection", "subsubsection")[min(line.level, 3) - 1]
        return f"\\{level}*{{{latex_words(line.text)}}}"
    if isinstance(line, Text):
        return f"{latex_words(line.text)}\n"
    if isinstance(line, Blank):
        return ""
    if result.problem is not None:
        return f"\\texttt{{{latex_words(write_line(line))}}}\n\n\\textbf{{{latex_words(result.problem.message)}}}\n"
    parts = [f"\\[ {result.latex} \\]" if result.latex else f"{latex_words(result.text)}\n"]
    if result.rows:
        rows = [
            f"{latex_words(each.name)} & {latex_words(each.spread)} & {latex_words(each.slope)} & "
            f"{each.share * 100:.1f}\\,\\% \\\\"
            for each in result.rows
        ]
        head = "value & $\\pm$ & derivative & share \\\\ \\hline"
        parts.append("\n".join(["\\begin{center}\\begin{tabular}{llll}", head, *rows, "\\end{tabular}\\end{center}"]))
    if result.curve is not None:
        parts.append(_latex_plot(result.curve))
    parts += [f"\\emph{{{latex_words(note)}}}\n" for note in result.notes]
    for link in result.links:
        where = f" (\\texttt{{{latex_words(link.formula)}}})" if link.formula else ""
        parts.append(f"From {latex_words(link.label)}{where}.\n")
    return "\n".join(parts)


def _latex_plot(curve: Curve) -> str:
    points = " ".join(f"({x:.6g},{y:.6g})" if y is not None else f"({x:.6g},nan)" for x, y in curve.points)
    across, up = (
        latex_words(f"{name} ({unit})" if unit else name)
        for name, unit in ((curve.horizontal, curve.horizontal_unit), (curve.vertical, curve.vertical_unit))
    )
    axis = f"\\begin{{axis}}[xlabel={{{across}}},ylabel={{{up}}},grid=major,unbounded coords=jump]"
    lines = ["\\begin{center}\\begin{tikzpicture}", axis, f"\\addplot[thick] coordinates {{{points}}};"]
    return "\n".join([*lines, "\\end{axis}\\end{tikzpicture}\\end{center}"])


def _html(results: Results, title: str) -> str:
    style = (
        "body{font:11pt/1.5 sans-serif;max-width:44rem;margin:2rem auto}math{font-size:1.15em;margin:.6em 0}"
        ".note{color:#555;font-size:.9em}.problem{color:#a00}table{border-collapse:collapse}td,th{padding:.1rem .6rem}"
        "svg{max-width:100%}.plot-line{stroke:#0b5cad}"
        "@media print{body{max-width:none;margin:0}h1,h2,h3,h4,h5,h6{break-after:avoid}"
        "svg,table,math,tr{break-inside:avoid}}@page{margin:2cm}"
    )
    body = "\n".join(_html_line(each) for each in results.lines)
    # Nothing of a worksheet is loaded or run, whoever wrote it.
    policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    head = (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    )
    return f"{head}<style>{style}</style></head><body>{body}</body></html>\n"


def _html_line(result: LineResult) -> str:
    line = result.line
    if isinstance(line, Heading):
        return f"<h{line.level}>{escape(line.text)}</h{line.level}>"
    if isinstance(line, Text):
        return f"<p>{escape(line.text)}</p>"
    if isinstance(line, Blank):
        return ""
    if result.problem is not None:
        message = escape(result.problem.message)
        return f'<p><code>{escape(write_line(line))}</code><br><span class="problem">{message}</span></p>'
    shown = (latex_mathml(result.latex, is_display=True) if result.latex else None) or f"<p>{escape(result.text)}</p>"
    rows = "".join(
        f"<tr><td>{escape(each.name)}</td><td>{escape(each.spread)}</td><td>{escape(each.slope)}</td>"
        f"<td>{each.share:.1%}</td></tr>"
        for each in result.rows
    )
    head = "<tr><th>value</th><th>±</th><th>derivative</th><th>share</th></tr>"
    table = f"<table>{head}{rows}</table>" if rows else ""
    picture = curve_picture(result.curve) if result.curve is not None else ""
    notes = "".join(f'<p class="note">{escape(note)}</p>' for note in result.notes)
    cited = "".join(f'<p class="note">From {escape(link.label)} {escape(link.formula)}</p>' for link in result.links)
    return f"{shown}{table}{picture}{notes}{cited}"


def pdf_bytes(results: Results, *, title: str, find: Callable[[str], str | None] = shutil.which) -> bytes:
    """A PDF made by a browser or a LaTeX engine of this machine; refused with what is missing where there is none."""
    browser = next((path for name in BROWSERS if (path := find(name))), None)
    engine = next((path for name in ENGINES if (path := find(name))), None)
    if browser is None and engine is None:
        listed = ", ".join((*BROWSERS[:1], *ENGINES))
        raise UsageError(
            f"a PDF needs one of {listed} on this machine; none is installed. Install chromium, or texlive with "
            "pgfplots and siunitx; or write html and print it from any browser"
        )
    reasons = []
    with tempfile.TemporaryDirectory(prefix="mathrag-worksheet-") as folder:
        made = Path(folder) / "sheet.pdf"
        for program, command in ((browser, _browser_command), (engine, _engine_command)):
            if program is None:
                continue
            said = _run(command(program, Path(folder), results, title), folder)
            if made.is_file():
                return made.read_bytes()
            reasons.append(f"{Path(program).name} made no PDF of the worksheet: {said}")
    raise UsageError(f"{'; '.join(reasons)}; write html and print it from a browser instead")


def _browser_command(program: str, folder: Path, results: Results, title: str) -> list[str]:
    page = folder / "sheet.html"
    page.write_text(_html(results, title), encoding="utf-8", errors="replace")
    options = ["--headless", "--disable-gpu", "--no-pdf-header-footer", "--host-resolver-rules=MAP * ~NOTFOUND"]
    if os.geteuid() == 0:
        # Chromium has no sandbox for root and refuses to start with one. The page is ours: it may load and run nothing.
        options.append("--no-sandbox")
    return [program, *options, f"--user-data-dir={folder}/profile", f"--print-to-pdf={folder}/sheet.pdf", page.as_uri()]


def _engine_command(program: str, folder: Path, results: Results, title: str) -> list[str]:
    (folder / "sheet.tex").write_text(_latex(results, title), encoding="utf-8", errors="replace")
    return [program, "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "sheet.tex"]


def _run(command: list[str], folder: str) -> str:
    """Run a program; what it said last, of what went wrong where it says so."""
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, timeout=_PDF_SECONDS, check=False)  # noqa: S603
    except subprocess.TimeoutExpired:
        return f"it took longer than {_PDF_SECONDS:g} s"
    except OSError as error:
        return error.strerror or str(error)
    lines = (done.stdout + b"\n" + done.stderr).decode("utf-8", "replace").splitlines()
    told = [line.strip() for line in lines if line.strip()]
    wrong = [line for line in told if line.startswith("!") or "sandbox" in line or "FATAL" in line]
    return (wrong or told or [f"exit status {done.returncode}"])[-1 if not wrong else 0][:200]


def _program(results: Results, title: str) -> str:
    return program_text(results, title=title)


_WRITERS: Mapping[str, Callable[[Results, str], str]] = {
    "markdown": _markdown,
    "notebook": _notebook,
    "latex": _latex,
    "python": _program,
    "html": _html,
}
FORMATS = (*_WRITERS, "pdf")
