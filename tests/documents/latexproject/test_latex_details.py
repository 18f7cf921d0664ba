"""Single rules of the LaTeX reader, one line of source each."""

from __future__ import annotations

from pathlib import Path

import pytest
from latex_outline import shown

from mathrag.compute.latex import read_latex
from mathrag.documents.latex_project import read_latex_project
from mathrag.documents.seams import Source
from mathrag.knowledge.units import read_unit
from mathrag.types.document import Document, Heading, Math, Paragraph, Table, contents_of, formulas_of
from mathrag.types.expression import Measure, Reading


def read(text: str) -> Document:
    return read_latex_project(Source("part.tex", text.encode()))


def said(text: str) -> str:
    """All contents of a fragment on one line, blocks parted by a bar."""
    return " | ".join(shown(content) for block in read(text).blocks for content in contents_of(block))


def formulas(text: str) -> list[str]:
    return [math.source for block in read(text).blocks for math in formulas_of(block)]


def numbers(text: str) -> list[str]:
    return [math.number for block in read(text).blocks for math in formulas_of(block)]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a % comment\nb", "a b"),
        (r"50\% of it", "50% of it"),
        ("one\n%\n\ntwo", "one | two"),
        ("one%\n  two", "onetwo"),
        (r"\LaTeX is", "LaTeXis"),
        (r"\LaTeX\ is \TeX{} too", "LaTeX is TeX too"),
        (r"caf\'e na\"{\i}ve \c{c}a \v{S}koda \ss\ \aa", "café naïve ça Škoda ß å"),
        (r"``a'' `b' -- ---", "“a” ‘b’ – —"),
        (r"x~y\,z", "x y z"),
        (r"\textbf{a \emph{b}} {\it c} d", "**a** **//b//** //c// d"),
        (r"{\bf a} b \textit{c}", "**a** b //c//"),
        (r"a\footnote{note $x$} b", "a (note ⟦x⟧) b"),
        (r"\href{http://x.y/%20}{text} \url{a_b%c}", "text a_b%c"),
        (r"\verb|$x$ % \foo| y", r"$x$ % \foo y"),
        (r"\textcolor{red}{kept} \colorbox{blue}{too} \hspace{1cm} x", "kept too x"),
        (r"m\textsuperscript{2} H\textsubscript{2}O", "m^2 H_2O"),
        (r"25$^\circ$C cm$^{-3}$ H$_2$O $^{14}$C", "25°C cm^-3 H_2O ^14C"),
        (r"about 6.02$\times 10^{23}$ of", "about ⟦6.02\\times 10^{23}⟧ of"),
        (r"\iffalse no \else yes \fi", "yes"),
        (r"\iffalse a \iftrue b \fi c \fi d", "d"),
        (r"\newif\ifx@y a", "@y a"),
        (r"\newif\ifok \oktrue \ifok yes\else no\fi", "yes"),
        (r"\begin{comment} a \end{comment} b", "b"),
        (r"\ce{H2O} and \ce{2H2 + O2 -> 2H2O}", "H2O and 2H2 + O2 → 2H2O"),
        (r"\enquote{quoted} \texorpdfstring{$x$}{x}", "“quoted” ⟦x⟧"),
        (r"\vskip 1cm plus 2pt text \parindent=0pt more", "text more"),
        (r"a \unknown{b} \unknown[c]{d}", "a b d"),
        (r"\ensuremath{x^2} and $\ensuremath{y}^2$", "⟦x^2⟧ and ⟦y^2⟧"),
        (r"\begin{quote} q \end{quote}", "q"),
        (r"a & b", "a & b"),
        (r"\cite[p.~3]{key,two} \ref{eq:x} \eqref{y}", "[key,two] x (y)"),
        (r"\begin{proof} easy \end{proof}", "**Proof.** easy"),
    ],
)
def test_running_text(source: str, expected: str) -> None:
    assert said(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (r"\newcommand{\half}{\frac12} $\half m$", r"\frac12m"),
        (r"\newcommand\norm[2][2]{\|#2\|_{#1}} $\norm{x}+\norm[1]{y}$", r"\|x\|_{2}+\|y\|_{1}"),
        (r"\def\pair#1,#2;{(#1|#2)} $\pair a,b;$", "(a|b)"),
        (r"\def\q(#1){[#1]} $\q(x)$", "[x]"),
        (r"\let\eps\varepsilon $\eps$", r"\varepsilon"),
        (r"\let\old\vec \renewcommand{\vec}[1]{\old{#1}} $\vec{F}$", r"\vec{F}"),
        (r"\DeclareMathOperator{\arcsec}{sec^{-1}} $\arcsec x$", r"\sec^{-1}x"),
        (r"\DeclareMathOperator{\sinc}{sinc} $\sinc x$", r"\operatorname{sinc}x"),
        (
            r"\DeclarePairedDelimiter{\abs}{\lvert}{\rvert} $\abs{x}+\abs*{y}$",
            r"\left\lvert x\right\rvert+\left\lvert y\right\rvert",
        ),
        (r"\NewDocumentCommand{\p}{s O{t} m}{#2_{#3}\IfBooleanT{#1}{^*}} $\p{a} \p*[u]{b}$", "t_{a} u_{b}^*"),
        (r"\newcommand{\a}{\b} \newcommand{\b}{c} $\a$", "c"),
        (r"{\def\x{1}$\x$} \def\x{2}$\x$", "1"),
        (r"\expandafter\def\csname foo\endcsname{z} $\foo$", "z"),
        (r"\providecommand{\x}{1}\providecommand{\x}{2}$\x$", "1"),
        (r"$a\dd{x} + \dd t$", r"a\,\mathrm{d} x + \mathrm{d}t"),
        (r"$\qty(a+b)\pqty{c}$", r"(a+b)\left(c\right)"),
        (r"$\genfrac{(}{)}{0pt}{}{n}{k}$", r"\binom{n}{k}"),
        (r"\makeatletter\newcommand{\my@x}{q}\makeatother \makeatletter$\my@x$", "q"),
        (r"$x \to 0$", r"x \to 0"),
        (r"$\alpha x$", r"\alpha x"),
        (r"\newcommand{\al}{\alpha} $\al x$", r"\alpha x"),
        (r"$\text{if $x>0$}$", r"\text{if $x>0$}"),
        (r"$\ce{H2O}$", r"\ce{H2O}"),
    ],
)
def test_macros_in_formulas(source: str, expected: str) -> None:
    assert formulas(source)[0] == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (r"\begin{align} a &= b \\ c &= d \end{align}", ["a = b", "c = d"]),
        (r"\begin{align} a &= b \\ &= d \end{align}", [r"\begin{aligned} a & = b \\  & = d \end{aligned}"]),
        (r"\begin{align} a &= b & c &= d \end{align}", ["a = b", "c = d"]),
        (r"\begin{align} a &= b && \text{for all } x \end{align}", [r"a = b \quad \text{for all } x"]),
        (r"\begin{gather} a = b \\ \Rightarrow c = d \end{gather}", ["a = b", "c = d"]),
        (r"\begin{eqnarray} a &=& b \\ &+& c \end{eqnarray}", [r"\begin{aligned} a & = b \\  & + c \end{aligned}"]),
        (r"\begin{multline} a = b \\ + c \end{multline}", ["a = b + c"]),
        (
            r"\begin{equation}\begin{split} a &= b \\ &= c\end{split}\end{equation}",
            [r"\begin{split} a &= b \\ &= c\end{split}"],
        ),
        (r"\[ f = \begin{cases} 1 & x \\ 2 & y \end{cases} \]", [r"f = \begin{cases} 1 & x \\ 2 & y \end{cases}"]),
        (r"\begin{alignat}{2} a &= b &\quad c &= d \end{alignat}", ["a = b", r"\quad c = d"]),
        (r"\begin{empheq}[box=\fbox]{align*} a &= b \end{empheq}", ["a = b"]),
        (
            r"\begin{align} \begin{pmatrix} a & b \\ c & d \end{pmatrix} &= M \end{align}",
            [r"\begin{pmatrix} a & b \\ c & d \end{pmatrix} = M"],
        ),
        (r"\begin{align} \text{First:}\\ a &= b \end{align}", ["a = b"]),
        (r"\begin{dmath} a = b \end{dmath}", ["a = b"]),
        (r"$$ a = b $$", ["a = b"]),
        (r"\(a\) \[b\] \begin{math}c\end{math} \begin{displaymath}d\end{displaymath}", ["a", "b", "c", "d"]),
        (r"\newenvironment{eq}{\begin{equation}}{\end{equation}}\begin{eq}a=b\end{eq}", ["a=b"]),
        (r"\def\be{\begin{equation}}\def\ee{\end{equation}}\be a=b\ee", ["a=b"]),
        (r"\begin{align} a &= b \\[1cm] c &= d \\* e &= f \end{align}", ["a = b", "c = d", "e = f"]),
    ],
)  # fmt: skip
def test_displayed_formulas(source: str, expected: list[str]) -> None:
    made = [" ".join(text.split(" ")) for text in formulas(source)]
    assert [text.replace("  ", " ") for text in made] == [text.replace("  ", " ") for text in expected]


def test_numbers_are_counted_and_tags_kept() -> None:
    source = r"""\begin{equation}a=1\end{equation} \begin{equation*}a=2\end{equation*}
    \begin{align}a&=3\\b&=4\nonumber\\c&=5\tag{X}\end{align} \[a=6\tag{*}\]
    \begin{subequations}\begin{align}a&=7\\b&=8\end{align}\end{subequations} \begin{equation}a=9\end{equation}"""
    assert numbers(source) == ["1", "", "2", "", "X", "*", "3a", "3b", "4"]


def test_equations_are_counted_within_chapters_and_sections() -> None:
    chapters = (
        r"\documentclass{book}\begin{document}\chapter{A}\chapter{B}\begin{equation}x=1\end{equation}\end{document}"
    )
    assert numbers(chapters) == ["2.1"]
    sections = r"\numberwithin{equation}{section}\section{A}\section{B}\begin{equation}x=1\end{equation}"
    assert numbers(sections) == ["2.1"]


def test_references_to_numbers_that_come_later_are_filled_in() -> None:
    source = (
        r"See \eqref{eq:a}, \ref{sec:b}. \begin{equation}\label{eq:a}x=1\end{equation} \section{B}\label{sec:b} end"
    )
    assert said(source).startswith("See (1), 1.")


@pytest.mark.parametrize(
    ("source", "plain", "unit"),
    [
        (r"\SI{5}{\metre\per\second}", "5 m/s", "m/s"),
        (r"\qty{9.81}{m.s^{-2}}", "9.81 m*s^-2", "m/s^2"),
        (r"\SI{1.5e-3}{\kilo\gram\metre\squared\per\second\squared}", "1.5e-3 kg*m^2/s^2", "kg*m^2/s^2"),
        (r"\SI{8.31}{\joule\per\mole\per\kelvin}", "8.31 J/(mol*K)", "J/(mol*K)"),
        (r"\SI{3}{kg/m^3}", "3 kg/m^3", "kg/m^3"),
        (r"\SI{25}{\celsius}", "25 degC", "degC"),
        (r"\SI{4}{\per\second}", "4 s^-1", "1/s"),
        (r"\SI{2}{\square\metre}", "2 m^2", "m^2"),
        (r"\SI{2}{\raiseto{4}\metre}", "2 m^4", "m^4"),
        (r"\SI{2}{\metre\tothe{3}}", "2 m^3", "m^3"),
        (r"\SI{1,5}{\micro\metre}", "1.5 um", "um"),
        (r"\SI{10}{\kilo\ohm}", "10 kohm", "kohm"),
        (r"\SI{2}{\kilogram\of{water}\per\second}", "2 kg/s", "kg/s"),
        (r"\DeclareSIUnit\kmh{\kilo\metre\per\hour}\SI{90}{\kmh}", "90 km/h", "km/h"),
        (r"\DeclareSIUnit\pound{lb}\DeclareSIUnit\inch{in}\SI{14.7}{\pound\per\inch\squared}", "14.7 lb/in^2", "psi"),
        (r"\newcommand{\acc}{\metre\per\second\squared}\SI{9.8}{\acc}", "9.8 m/s^2", "m/s^2"),
        (r"\let\US\SI \US{3}{\gram}", "3 g", "g"),
    ],
)
def test_quantities_in_text_and_in_formulas(source: str, plain: str, unit: str) -> None:
    assert said(source) == plain
    assert read_unit(plain.partition(" ")[2]) == read_unit(unit)
    before, command, rest = source.rpartition("\\SI") if "\\qty" not in source else source.rpartition("\\qty")
    if "\\US{" in source:
        before, command, rest = source.rpartition("\\US")
    reading = read_latex(formulas(f"{before}$x = {command}{rest}$")[0])
    assert isinstance(reading, Reading)
    assert isinstance(reading.equations[0].right, Measure)
    assert reading.equations[0].right.unit == unit


@pytest.mark.parametrize(
    ("source", "plain"),
    [
        (r"\si{\newton\metre}", "N*m"),
        (r"\num{6.02e23}", "6.02e23"),
        (r"\ang{30}", "30 deg"),
        (r"\ang{12;3;}", "12 deg 3 arcmin"),
        (r"\SIrange{1}{5}{\metre}", "1 to 5 m"),
        (r"\SI{1.23(4)}{\metre}", "(1.23 +/- 0.04) m"),
        (r"\SI{12(3)}{\metre}", "(12 +/- 3) m"),
        (r"\SI{50}{\percent}", "50 %"),
        (r"in $\si{\joule}$ or $\SI{3}{\metre}$", "in J or 3 m"),
        (r"$\approx\SI{30}{\percent}$", "≈ 30 %"),
        (r"$\si{\joule} = \si{\newton\metre}$", r"⟦\si{J} = \si{N*m}⟧"),
        (r"$10^5\,\si{\pascal}$", r"⟦10^5\,\mathrm{Pa}⟧"),
    ],
)
def test_other_siunitx_commands(source: str, plain: str) -> None:
    assert said(source) == plain


def test_headings_get_the_levels_that_the_document_uses() -> None:
    document = read(r"\section{A} \subsection*{B} \paragraph{C} text \section{D}")
    assert [(block.level, shown(block.content)) for block in document.blocks if isinstance(block, Heading)] == [
        (1, "A"),
        (2, "B"),
        (3, "C"),
        (1, "D"),
    ]


def test_a_display_between_words_is_part_of_the_paragraph() -> None:
    (paragraph,) = read("Force is\n\\[ F = m a \\]\nwhere $m$ is the mass.").blocks
    assert isinstance(paragraph, Paragraph)
    assert [type(piece).__name__ for piece in paragraph.content] == ["Text", "Math", "Text", "Math", "Text"]


def test_places_of_what_macros_make_are_those_of_the_use() -> None:
    document = read("\\newcommand{\\law}[1]{The law $F = #1$.}\n\n\\law{m\n a}\n\nDone $x$.")
    first, second = (math for block in document.blocks for math in formulas_of(block))
    assert isinstance(first, Math)
    assert (first.source, first.quote, first.place.line) == ("F = m a", "\\law{m\n a}", 3)
    assert (second.quote, second.place.line) == ("$x$", 6)


def test_a_preamble_is_not_text() -> None:
    source = r"""\documentclass{article} stray \newcommand{\x}{y} \setlength{\parindent}{0pt}
    \begin{document} only this \end{document} not that"""
    assert said(source) == "only this"


def test_a_class_without_a_document_is_read_as_a_fragment() -> None:
    assert said(r"\documentclass{article} \usepackage{x} some $x$ text") == "some ⟦x⟧ text"


@pytest.mark.parametrize(
    ("source", "header", "rows"),
    [
        (r"\begin{tabular}{ll} a & b \\ \midrule c & d \\ \end{tabular}", 1, 1),
        (r"\begin{tabular}{ll} \toprule a & b \\ \midrule c & d \\ e & f \\ \bottomrule \end{tabular}", 1, 2),
        (r"\begin{tabular}{ll} a & b \\ c & d \end{tabular}", 0, 2),
        (r"\begin{tabular}{ll} \textbf{a} & \textbf{b} \\ c & d \\ e & f \end{tabular}", 1, 2),
        (r"\begin{tabular}{ll} \hline a & b \\ \hline c & d \\ e & f \\ \hline \end{tabular}", 1, 2),
        (r"\begin{longtable}{ll} a & b \\ \endhead c & d \\ e & f \end{longtable}", 1, 2),
        (r"\begin{tabularx}{5cm}{lX} a & b \\[2pt] c & d \end{tabularx}", 0, 2),
        (r"\begin{tabular*}{5cm}[t]{ll} a & b \\ \end{tabular*}", 0, 1),
    ],
)
def test_headers_of_tables(source: str, header: int, rows: int) -> None:
    (table,) = read(source).blocks
    assert isinstance(table, Table)
    assert (len(table.header), len(table.rows)) == (header, rows)


def test_cells_know_how_far_they_span() -> None:
    (table,) = read(
        r"\begin{tabular}{ccc} \multicolumn{2}{c}{a} & \multirow{2}{*}{b} \\ c & d & \\ \end{tabular}"
    ).blocks
    assert isinstance(table, Table)
    assert [(cell.columns, cell.rows) for cell in table.rows[0]] == [(2, 1), (1, 2)]


def test_a_remark_across_the_table_is_a_paragraph() -> None:
    long = "This remark goes on and on. " * 6
    document = read(rf"\begin{{tabular}}{{ll}} a & b \\ \multicolumn{{2}}{{l}}{{{long}}} \\ c & d \\ \end{{tabular}}")
    assert [type(block).__name__ for block in document.blocks] == ["Table", "Paragraph", "Table"]


def test_a_table_that_fills_a_row_stands_alone() -> None:
    source = r"""\begin{longtable}{ll} \multicolumn{2}{c}{
    \begin{tabular}{ll} Alpha & $\alpha$ \\ Beta & $\beta$ \end{tabular}} \\
    \end{longtable}"""
    (table,) = read(source).blocks
    assert isinstance(table, Table)
    assert len(table.rows) == 2


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("\\section{never closed\n\nmore", "unclosed_brace"),
        (r"\textbf{a } } b", "stray_brace"),
        ("$x \n\nmore", "unclosed_formula"),
        (r"\begin{equation} x \section{A}", "unclosed_formula"),
        (r"\begin{itemize} \item a", "unclosed"),
        (r"\end{itemize}", "stray_end"),
        (r"\begin{strange} a \end{strange}", "unknown_environment"),
        (r"\strange", "unknown_command"),
        (r"\begin{tikzpicture} \draw; \end{tikzpicture}", "drawing"),
        (r"\catcode`\{=12", "category_codes"),
        (r"\immediate\write18{ls}", "refused_command"),
        (r"\openin5=/etc/passwd", "refused_command"),
        (r"\iffalse x", "unclosed_condition"),
        (r"\input{/etc/passwd}", "not_included"),
    ],
)
def test_what_is_left_out_or_mended_is_noted(source: str, code: str) -> None:
    assert code in [note.code for note in read(source).notes]


def test_one_note_per_unknown_command_is_enough() -> None:
    assert len(read(r"\strange \strange \strange \other").notes) == 2


def test_a_missing_file_and_unknown_commands_are_told_in_plain_words() -> None:
    text = r"\input{chapters/two}\section{A}$\wobble{x} = 2 y$ and $\wobble{z} = y$"
    document = read_latex_project(Source("main.tex", text.encode(), folder=Path(__file__).parent))
    notes = {note.code: note.message for note in document.notes}
    assert notes["not_included"].startswith("chapters/two.tex is missing; what it holds was not read")
    assert notes["unknown_macro"] == r"the command \wobble is not known; formulas with it are not read"
    assert sum(note.code == "unknown_macro" for note in document.notes) == 1


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        (r"$\E{X} = m$", r"\mathrm{E}_{\mathrm{X}} = m"),
        (r"$\E W = \V{S_1} + (\E{A(t)})^2$",
         r"\mathrm{E}_{\mathrm{W}} = \mathrm{V}_{\mathrm{S},1} + (\mathrm{E}_{\mathrm{A},\mathrm{t}})^2"),
        (r"$\Var{X^2} = m$", r"\mathrm{V}_{\mathrm{X},\mathrm{sq}} = m"),
        # Of what the moment is taken, cannot be told.
        (r"$v = \E S^2$", r"v = \E S^2"),
        (r"$v = \E{X + Y}$", r"v = \E{X + Y}"),
        # What the document defines stays what it says.
        (r"\newcommand{\E}[1]{\langle #1\rangle}$m = \E{X}$", r"m = \langle X\rangle"),
    ],
)  # fmt: skip
def test_moments_of_an_absent_preamble_are_quantities(source: str, wanted: str) -> None:
    document = read_latex_project(Source("main.tex", rf"\section{{A}} Here {source} holds.".encode()))
    assert [math.source for block in document.blocks for math in formulas_of(block)] == [wanted]
