"""The kinds of PDF that are measured: engine, font, class, size, paper and columns of each. Runs nothing."""

from __future__ import annotations

from dataclasses import dataclass, field

from pdf_truth.document_plan import Extent
from pdf_truth.latex_writer import Layout

_MAPPED = r"\input{glyphtounicode}\pdfgentounicode=1 \usepackage{cmap}"
_T1 = r"\usepackage[T1]{fontenc}"
_AMS = r"\usepackage{amssymb}"
_FONTSPEC = r"\usepackage{fontspec}\usepackage{unicode-math}"


@dataclass(frozen=True, slots=True)
class Variant:
    """One PDF. `family` is what its figures are summed under."""

    name: str
    family: str
    engine: str = "pdflatex"
    layout: Layout = field(default_factory=Layout)
    extent: Extent = field(default_factory=Extent)

    @property
    def columns(self) -> int:
        return 2 if "twocolumn" in self.layout.options or self.layout.document_class == "IEEEtran" else 1


def _pdf(
    name: str, family: str, preamble: str, options: str = "11pt,a4paper", *, extent: Extent | None = None
) -> Variant:
    return Variant(name, family, layout=Layout("article", options, preamble), extent=extent or Extent())


def _unicode(name: str, fonts: str, *, engine: str = "lualatex") -> Variant:
    layout = Layout(preamble=_FONTSPEC + fonts)
    return Variant(name, "Unicode math", engine, layout)


def _otf(text: str, mathematics: str) -> str:
    files = "[Extension=.otf,UprightFont=*-Regular,ItalicFont=*-Italic,BoldFont=*-Bold]"
    return rf"\setmainfont{{{text}}}{files}\setmathfont{{{mathematics}}}"


def _two_columns(name: str, preamble: str, options: str = "10pt,letterpaper", *, of_class: str = "article") -> Variant:
    layout = Layout(of_class, f"{options},twocolumn", preamble, has_margin_geometry=of_class == "article")
    return Variant(name, "Two columns", layout=layout, extent=NARROW)


def _slides(name: str, preamble: str) -> Variant:
    layout = Layout("beamer", "11pt", preamble, is_slides=True, has_margin_geometry=False)
    return Variant(name, "Slides", layout=layout, extent=Extent(60, widest=30, widest_cell=16, table_rows=10))


NARROW = Extent(70, widest=24, widest_cell=13, table_rows=12)
LARGE = Extent(330, table_rows=60)
_XITS = _otf("XITS", "XITSMath-Regular.otf")
_LM = _T1 + r"\usepackage{lmodern}" + _AMS
_TIMES = _T1 + _AMS + r"\usepackage{mathptmx}"
_NEWPX = _T1 + r"\usepackage{newpxtext,newpxmath}"

TEX_VARIANTS = (
    _pdf("cm-10", "Computer Modern", _AMS, "10pt,letterpaper"),
    _pdf("cm-mapped-12", "Computer Modern", _MAPPED + _AMS, "12pt,a4paper"),
    _pdf("cm-large-11", "Computer Modern", _AMS, extent=LARGE),
    Variant("cm-dvipdfmx-10", "Computer Modern", "dvipdfmx", Layout(options="10pt,a4paper", preamble=_AMS)),
    Variant("cm-report-9", "Computer Modern", layout=Layout("extreport", "9pt,a4paper", _AMS)),
    _pdf("lm-11", "Latin Modern", _LM),
    _pdf("lm-large-10", "Latin Modern", _LM, "10pt,letterpaper", extent=LARGE),
    _pdf("mathptmx-11", "Times", _TIMES),
    _pdf("newtx-10", "Times", _T1 + r"\usepackage{newtxtext,newtxmath}", "10pt,letterpaper"),
    _pdf("stix2-11", "Times", _T1 + r"\usepackage{stix2}"),
    _pdf("stix-10", "Times", _T1 + r"\usepackage{stix}", "10pt,a4paper"),
    _pdf("mathpazo-11", "Palatino", _T1 + r"\usepackage{mathpazo}" + _AMS),
    _pdf("newpx-12", "Palatino", _NEWPX, "12pt,a4paper"),
    _pdf("libertinus-11", "Libertinus", _T1 + r"\usepackage{libertinus}\usepackage{libertinust1math}"),
    _unicode("lua-latinmodern", r"\setmathfont{latinmodern-math.otf}"),
    _unicode("lua-termes", r"\setmainfont{TeX Gyre Termes}\setmathfont{TeX Gyre Termes Math}"),
    _unicode("xe-pagella", r"\setmainfont{TeX Gyre Pagella}\setmathfont{TeX Gyre Pagella Math}", engine="xelatex"),
    _unicode("xe-stix2", _otf("STIXTwoText", "STIXTwoMath-Regular.otf"), engine="xelatex"),
    _unicode("lua-xits", _XITS),
    _unicode("lua-libertinus", _otf("LibertinusSerif", "LibertinusMath-Regular.otf")),
    _two_columns("cm-two-columns", _AMS),
    _two_columns("times-two-columns", _TIMES, "9pt,a4paper"),
    _two_columns("palatino-two-columns", _NEWPX, "10pt,a4paper"),
    _two_columns("ieee", _AMS, "journal", of_class="IEEEtran"),
    _slides("beamer", ""),
    _slides("beamer-serif", r"\usefonttheme{serif}\usetheme{Madrid}"),
)

BROWSER_VARIANTS = (
    Variant("katex", "Browser", "katex"),
    Variant("mathjax-chtml", "Browser", "chtml"),
    Variant("mathjax-svg", "Browser without text", "svg", extent=Extent(30, table_rows=8)),
)
_FEW = Extent(9, widest=40, widest_cell=16, table_rows=4)


def _small(name: str, family: str, preamble: str, options: str = "10pt,a4paper", *, extent: Extent = _FEW) -> Variant:
    # This way to PDF packs fonts tighter than pdflatex does, which keeps the committed files small.
    return Variant(f"small-{name}", family, "dvipdfmx", Layout("article", options, preamble, has_title=False), extent)


# A page or two each, committed beside the fast tests; made by `python -m pdf_truth.make --small`.
SMALL_VARIANTS = (
    _small("computer-modern", "Computer Modern", _AMS),
    _small("latin-modern", "Latin Modern", _LM),
    _small("times", "Times", _TIMES),
    _small("palatino", "Palatino", _T1 + r"\usepackage{mathpazo}" + _AMS),
    _small("two-columns", "Two columns", _TIMES, "10pt,a4paper,twocolumn", extent=Extent(9, 24, 13, 4)),
    Variant("small-unicode", "Unicode math", "lualatex", Layout(preamble=_FONTSPEC + _XITS), _FEW),
    Variant(
        "small-browser",
        "Browser",
        "katex",
        Layout(preamble="h1,em,strong{display:none}"),
        _FEW,
    ),
)
VARIANTS = (*TEX_VARIANTS, *BROWSER_VARIANTS)
