"""Text that is small to write and dear to read: megabytes, deep nesting, wide tables, formulas without end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from hostile_files.recipe import MEGABYTE, Recipe, file, nested

_END = "\n\nThe kinetic energy is $E_k = \\frac{1}{2} m v^2$.\n"
_OPEN = "\\documentclass{article}\\begin{document}\n"
_CLOSE = "\n\\end{document}\n"


def _sparse(size: int, name: str) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        path = folder / name
        with path.open("wb") as handle:
            handle.write(b"# Energy\n")
            handle.truncate(size)
        return path

    return write


_LARGE = (
    Recipe(
        "braces-50mb-latex",
        "50 MB of opening braces in LaTeX",
        "either",
        file("braces.tex", lambda: "{" * (50 * MEGABYTE)),
        is_slow=True,
    ),
    Recipe(
        "braces-50mb-markdown",
        "50 MB of opening braces in Markdown",
        "either",
        file("braces.md", lambda: "{" * (50 * MEGABYTE)),
        is_slow=True,
    ),
    Recipe(
        "brace-pairs-latex",
        "4 MB of empty groups in LaTeX",
        "either",
        file("braces.tex", lambda: _OPEN + "{}" * (2 * MEGABYTE) + _CLOSE),
        is_slow=True,
    ),
    Recipe(
        "one-line-50mb-markdown",
        "50 MB on one line of Markdown",
        "either",
        file("line.md", lambda: "word " * (10 * MEGABYTE)),
        is_slow=True,
    ),
    Recipe(
        "one-line-50mb-text",
        "50 MB on one line of plain text",
        "either",
        file("line.txt", lambda: "word " * (10 * MEGABYTE)),
        is_slow=True,
    ),
    Recipe(
        "one-line-20mb-html",
        "20 MB on one line of HTML",
        "either",
        file("line.html", lambda: "<p>" + "word " * (4 * MEGABYTE)),
        is_slow=True,
    ),
    Recipe(
        "too-large-sparse",
        "10 GB that take no place on the disk",
        "reason",
        _sparse(10 * 1024**3, "huge.md"),
        code="too_large",
    ),
    Recipe(
        "too-large-by-a-byte",
        "one byte more than is allowed",
        "reason",
        _sparse(64 * 1024**2 + 1, "huge.tex"),
        code="too_large",
    ),
    Recipe("newlines-1mb", "1 MB of empty lines", "either", file("lines.md", lambda: "a\n" + "\n" * MEGABYTE)),
)

_DEEP = (
    Recipe(
        "deep-quotes",
        "10,000 quotes inside each other in Markdown",
        "either",
        file("deep.md", lambda: ">" * 10_000 + " x" + _END),
    ),
    Recipe(
        "deep-lists",
        "10,000 lists inside each other in Markdown, on one line",
        "either",
        file("deep.md", lambda: "- " * 10_000 + "x" + _END),
    ),
    Recipe(
        "deep-mixed-lists",
        "lists and quotes by turns, 5,000 deep",
        "either",
        file("deep.md", lambda: "> 1. " * 5_000 + "x" + _END),
    ),
    Recipe(
        "deep-indented-lists",
        "1,500 lists inside each other, each line further in",
        "either",
        file("deep.md", lambda: "\n".join("  " * depth + "- x" for depth in range(1_500)) + _END),
    ),
    Recipe(
        "deep-brackets",
        "50,000 opening brackets in Markdown",
        "read",
        file("deep.md", lambda: "[" * 50_000 + _END),
        keeps=("kinetic energy",),
    ),
    Recipe(
        "deep-bracket-pairs",
        "20,000 brackets inside each other, closed",
        "read",
        file("deep.md", lambda: nested("[", "a", "](u)", depth=20_000) + _END),
        keeps=("kinetic energy",),
    ),
    Recipe(
        "deep-images",
        "20,000 images inside each other",
        "either",
        file("deep.md", lambda: nested("![", "a", "](u)", depth=20_000) + _END),
    ),
    Recipe(
        "deep-emphasis",
        "20,000 emphases inside each other",
        "read",
        file("deep.md", lambda: nested("*a **a ", "b", " a** a*", depth=20_000) + _END),
        keeps=("kinetic energy",),
    ),
    Recipe(
        "deep-groups-latex",
        "10,000 groups inside each other in LaTeX",
        "either",
        file("deep.tex", lambda: _OPEN + nested("{", "x", "}") + _CLOSE),
    ),
    Recipe(
        "deep-lists-latex",
        "10,000 lists inside each other in LaTeX",
        "either",
        file("deep.tex", lambda: _OPEN + nested("\\begin{itemize}\\item ", "x", "\\end{itemize}") + _CLOSE),
    ),
    Recipe(
        "deep-tables-latex",
        "2,000 tables inside each other in LaTeX",
        "either",
        file("deep.tex", lambda: _OPEN + nested("\\begin{tabular}{l} ", "x", "\\end{tabular}", depth=2_000) + _CLOSE),
    ),
    Recipe(
        "deep-unclosed-environments",
        "10,000 environments that are never closed",
        "either",
        file("deep.tex", lambda: _OPEN + "\\begin{equation}" * 10_000),
    ),
    Recipe(
        "deep-bold-latex",
        "10,000 bold texts inside each other",
        "either",
        file("deep.tex", lambda: _OPEN + nested("\\textbf{", "x", "}") + _CLOSE),
    ),
)


def _deep_fraction(depth: int) -> str:
    return "x = " + nested("\\frac{1}{1+", "y", "}", depth=depth)


def _formulas(name: str, formula: str, what: str) -> tuple[Recipe, ...]:
    """The same formula in a Markdown and in a LaTeX document, which must both be read around it."""
    return (
        Recipe(
            f"{name}-markdown",
            f"{what}, in Markdown",
            "read",
            file("formula.md", f"# Energy\n\n$$\n{formula}\n$$\n{_END}"),
            keeps=("kinetic energy",),
        ),
        Recipe(
            f"{name}-latex",
            f"{what}, in LaTeX",
            "read",
            file("formula.tex", f"{_OPEN}\\begin{{equation}}{formula}\\end{{equation}}{_END}{_CLOSE}"),
            keeps=("kinetic energy",),
        ),
    )


_MATH = (
    *_formulas("long-formula", "y = " + "+".join(["x_{1}"] * 16_000), "a formula of 100,000 characters"),
    *_formulas("deep-fraction", _deep_fraction(3_000), "3,000 fractions inside each other"),
    *_formulas("million-digits", "x = " + "7" * 1_000_000, "a number with a million digits"),
    *_formulas("tower-of-powers", "x = 10^{10^{10}} + 9^{9^{9^{9}}}", "a tower of powers"),
    *_formulas("unclosed-braces", "x = \\frac{a}{{{b", "a formula whose braces are not closed"),
    *_formulas("factorial", "x = 1000000000! + \\sum_{k=1}^{1000000000} k", "a factorial and a sum without end"),
    Recipe("dollars-million", "a million dollar signs", "either", file("dollars.md", lambda: "$" * MEGABYTE)),
    Recipe(
        "dollars-apart", "200,000 dollar signs, each on its own", "either", file("dollars.md", lambda: "$ a " * 200_000)
    ),
    Recipe(
        "dollars-latex",
        "a million dollar signs in LaTeX",
        "either",
        file("dollars.tex", lambda: _OPEN + "$" * MEGABYTE + _CLOSE),
        is_slow=True,
    ),
    Recipe(
        "dollars-text",
        "200,000 dollar signs in plain text",
        "either",
        file("dollars.txt", lambda: "$ a " * 200_000),
        is_slow=True,
    ),
    Recipe(
        "unclosed-math-often",
        "20,000 formulas that are opened and never closed",
        "either",
        file("unclosed.md", lambda: "$$ a \\( b \\[ c\n\n" * 20_000),
        is_slow=True,
    ),
    Recipe(
        "unclosed-math-latex",
        "10,000 formulas that are opened and never closed in LaTeX",
        "either",
        file("unclosed.tex", lambda: _OPEN + "\\( a \\[ b $$ c\n\n" * 10_000),
        is_slow=True,
    ),
    Recipe(
        "many-formulas",
        "30,000 formulas",
        "either",
        file("many.md", lambda: "".join(f"$$x_{{{index}}} = a b$$\n\n" for index in range(30_000))),
        is_slow=True,
    ),
)

_WIDE = (
    Recipe(
        "headings-100000",
        "100,000 headings",
        "either",
        file("headings.md", lambda: "".join(f"# {index}\n\n" for index in range(100_000))),
        is_slow=True,
    ),
    Recipe(
        "headings-latex",
        "20,000 headings in LaTeX",
        "either",
        file("headings.tex", lambda: _OPEN + "\\section{a}\n" * 20_000 + _CLOSE),
        is_slow=True,
    ),
    Recipe(
        "table-10000-columns",
        "a table with 10,000 columns",
        "either",
        file("wide.md", lambda: "".join("|" + cell * 10_000 + "\n" for cell in ("a|", "---|", "$x$|", "1|"))),
        is_slow=True,
    ),
    Recipe(
        "table-million-cells",
        "a table with a million cells",
        "either",
        file("wide.md", lambda: "|a|b|c|d|\n|---|---|---|---|\n" + "|1|2|3|4|\n" * 250_000),
        is_slow=True,
    ),
    Recipe(
        "table-short-rows",
        "10,000 columns in the head, 10,000 rows with one cell",
        "either",
        file("wide.md", lambda: "|" + "a|" * 10_000 + "\n|" + "-|" * 10_000 + "\n" + "|1|\n" * 10_000),
        is_slow=True,
    ),
    Recipe(
        "table-latex-columns",
        "a LaTeX table with 10,000 columns",
        "either",
        file(
            "wide.tex",
            lambda: (
                _OPEN + "\\begin{tabular}{*{10000}{l}}" + ("1 & " * 9_999 + "1 \\\\\n") * 3 + "\\end{tabular}" + _CLOSE
            ),
        ),
    ),
    Recipe(
        "table-latex-preamble",
        "a LaTeX table whose columns are repeated without end",
        "either",
        file("wide.tex", _OPEN + "\\begin{tabular}{*{999999999}{*{999999999}{l}}} 1 & 2 \\end{tabular}" + _CLOSE),
    ),
    Recipe(
        "table-latex-multicolumn",
        "a LaTeX cell that spans a billion columns",
        "either",
        file("wide.tex", _OPEN + "\\begin{tabular}{l}\\multicolumn{1000000000}{l}{x} & 2\\end{tabular}" + _CLOSE),
    ),
    Recipe("list-items", "20,000 items of a list", "either", file("list.md", lambda: "- a\n" * 20_000), is_slow=True),
)

# Text on which a careless pattern needs time that grows with the square of its length, or worse.
_PATTERNS = {
    "letters-and-bang": "a" * 100_000 + "!",
    "spaces": "a" + " " * 200_000 + "b",
    "backslashes": "\\" * 200_000,
    "backticks": " ".join("`" * length for length in range(1, 1_200)),
    "underscores": "_" * 200_000,
    "stars-apart": "*a _" * 50_000,
    "less-than": "<" * 200_000,
    "open-tags": "<a " * 50_000,
    "open-comments": "<!--" * 50_000,
    "open-instructions": "<?" * 50_000,
    "open-cdata": "<![CDATA[" * 20_000,
    "ampersands": "&" * 200_000,
    "references": "[a]: u\n" * 20_000 + "[a]" * 20_000,
    "links-unclosed": "[a](<b" * 30_000,
    "link-parentheses": "[a](" + "(" * 50_000,
    "shortcodes": "{{< " * 30_000,
    "shortcodes-percent": "{% " * 30_000 + "{{% " * 30_000,
    "pipes": "|" * 200_000 + "\n" + "-|" * 1_000,
    "dashes": "-" * 200_000 + "\n" + "a\n" + "=" * 200_000,
    "colons": ":::" * 50_000,
    "tildes": "~" * 200_000,
    "digits": "9" * 200_000 + ". a",
    "addresses": "http://" * 30_000 + "a@" * 30_000,
    "footnotes": "[^a]" * 30_000 + "\n\n[^a]: b\n" * 5_000,
    "attributes": "{#a .b c=d " * 20_000,
    "begin-unclosed": "\\begin{" * 30_000,
    "left-right": "\\left(" * 30_000,
    "percent": "%" * 200_000,
    "equals-signs": "x = " * 50_000,
    "units": "5 kg m/s " * 20_000,
    "subscripts": "x_1^2" * 40_000,
    "capital-words": "A b C d " * 30_000,
    "commas": "where m is the mass, " * 20_000,
}
_STORMS = tuple(
    Recipe(
        f"storm-{name}-{suffix}",
        f"a storm of {name.replace('-', ' ')}, called .{suffix}",
        "either",
        file(f"storm.{suffix}", f"{text}{_END}"),
        # LaTeX is read sign by sign: each of these takes seconds.
        is_slow=suffix == "tex",
    )
    for name, text in _PATTERNS.items()
    for suffix in ("md", "tex", "html", "txt")
)

RECIPES = (*_LARGE, *_DEEP, *_MATH, *_WIDE, *_STORMS)
