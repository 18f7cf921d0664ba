"""Documents that show one formula and carry another: what is computed with must be what a person sees on the page.

Every attempt is a small document. Those that lie must not give an equation to compute with, and must say why; the
honest ones, spelt in other ways or with copies that agree, must go on giving theirs.
"""
# ruff: noqa: E501 - documents are written as they stand

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

from mathrag.compute.equality import same_equation
from mathrag.compute.pythontext import read_python_text
from mathrag.documents import read_path
from mathrag.extract.pipeline import extract
from mathrag.types.expression import Declined
from trust.attempts import HELD, Attempt, Result

TITLE = "what is shown is what is read"

_SHOWN = (
    "<mi>E</mi><mo>=</mo><mfrac><mn>1</mn><mn>2</mn></mfrac><mi>m</mi><msup><mi>v</mi><mn>2</mn></msup>"
)  # fmt: skip
_STRUCK = (
    "<mi>E</mi><mo>=</mo><mfrac><mn>1</mn><mn>2</mn></mfrac><mi>m</mi>"
    '<menclose notation="{}"><msup><mi>v</mi><mn>2</mn></msup></menclose>'
)


def _math(presentation: str, tex: str = "", alternative: str = "") -> str:
    annotation = f'<annotation encoding="application/x-tex">{tex}</annotation>' if tex else ""
    attribute = f' alttext="{alternative}"' if alternative else ""
    return f"<math{attribute}><semantics><mrow>{presentation}</mrow>{annotation}</semantics></math>"


def _page(body: str) -> bytes:
    return f"<!doctype html><meta charset=utf-8><title>Motion</title><h1>Motion</h1><p>{body}</p>".encode()


def _html(body: str) -> tuple[str, bytes]:
    return "page.html", _page(f"The kinetic energy is {body} where m is the mass in kg and v the speed in m/s.")


def _markdown(formula: str) -> tuple[str, bytes]:
    return "note.md", f"# Motion\n\nThe kinetic energy is {formula}, where $m$ is the mass in kg.\n".encode()


def _latex(formula: str) -> tuple[str, bytes]:
    text = "\\documentclass{article}\n\\usepackage{cancel}\n\\begin{document}\n\\section{Motion}\n"
    return "paper.tex", f"{text}The kinetic energy is ${formula}$, where $m$ is the mass.\n\\end{{document}}\n".encode()


def _notebook(cells: list[dict[str, object]]) -> tuple[str, bytes]:
    return "book.ipynb", json.dumps({"cells": cells, "nbformat": 4, "nbformat_minor": 5, "metadata": {}}).encode()


def _zipped(files: dict[str, str]) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return held.getvalue()


def _word(inside: str) -> tuple[str, bytes]:
    """A document of Word with one paragraph."""
    word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006"
    package = "http://schemas.openxmlformats.org/package/2006"
    main = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    return "letter.docx", _zipped(
        {
            "[Content_Types].xml": f'<Types xmlns="{package}/content-types"><Default Extension="rels" ContentType='
            '"application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType='
            f'"application/xml"/><Override PartName="/word/document.xml" ContentType="{main}"/></Types>',
            "_rels/.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="a" Type='
            f'"{office}/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
            "word/document.xml": f'<w:document xmlns:w="{word}" xmlns:m="{office}/math"><w:body><w:p><w:r>'
            f"<w:t>The kinetic energy is </w:t></w:r>{inside}</w:p></w:body></w:document>",
        }
    )


def _run(text: str, properties: str = "") -> str:
    return f"<m:r>{properties}<m:t>{text}</m:t></m:r>"


def _power(base: str, exponent: str) -> str:
    return f"<m:sSup><m:e>{base}</m:e><m:sup>{exponent}</m:sup></m:sSup>"


_HALF = f"<m:f><m:num>{_run('1')}</m:num><m:den>{_run('2')}</m:den></m:f>"


def _epub(body: str) -> tuple[str, bytes]:
    """A book of one chapter."""
    return "book.epub", _zipped(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0">'
            '<rootfiles><rootfile full-path="a.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
            "a.opf": '<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata/><manifest><item id="c" '
            'href="c.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="c"/></spine></package>',
            "c.xhtml": '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>Motion</title></head><body><h1>Motion</h1>'
            f"<p>The kinetic energy is {body}.</p></body></html>",
        }
    )


def _open_document(math: str) -> tuple[str, bytes]:
    """A text of LibreOffice with one formula object."""
    names = "urn:oasis:names:tc:opendocument:xmlns"
    return "letter.odt", _zipped(
        {
            "mimetype": "application/vnd.oasis.opendocument.text",
            "META-INF/manifest.xml": f'<m:manifest xmlns:m="{names}:manifest:1.0"><m:file-entry m:full-path="/" '
            'm:media-type="application/vnd.oasis.opendocument.text"/></m:manifest>',
            "content.xml": f'<o:document-content xmlns:o="{names}:office:1.0" xmlns:t="{names}:text:1.0" '
            f'xmlns:d="{names}:drawing:1.0" xmlns:x="http://www.w3.org/1999/xlink"><o:body><o:text><t:p>The kinetic energy '
            'is <d:frame><d:object x:href="./Object 1"/></d:frame></t:p></o:text></o:body></o:document-content>',
            "Object 1/content.xml": f'<math xmlns="http://www.w3.org/1998/Math/MathML">{math}</math>',
        }
    )


_SEVEN = r"E = 7 m v^2"
_RIGHT = r"E = \frac{1}{2} m v^2"
_CONTAINER = '<mjx-container class="MathJax" jax="{jax}"{data}>{drawn}<mjx-assistive-mml>{math}</mjx-assistive-mml></mjx-container>'
_DRAWN = (
    '<mjx-math><mjx-mi><mjx-c class="mjx-c1D438 TEX-I"></mjx-c></mjx-mi><mjx-mo><mjx-c class="mjx-c3D"></mjx-c></mjx-mo>'
    '<mjx-mn><mjx-c class="mjx-c{digit}"></mjx-c></mjx-mn><mjx-mi><mjx-c class="mjx-c1D45A TEX-I"></mjx-c></mjx-mi><mjx-msup>'
    '<mjx-mi><mjx-c class="mjx-c1D463 TEX-I"></mjx-c></mjx-mi><mjx-mn><mjx-c class="mjx-c32"></mjx-c></mjx-mn></mjx-msup></mjx-math>'
)
_SEVEN_SHOWN = "<mi>E</mi><mo>=</mo><mn>7</mn><mi>m</mi><msup><mi>v</mi><mn>2</mn></msup>"
_KATEX = '<span class="katex"><span class="katex-mathml">{math}</span><span class="katex-html" aria-hidden="true">{drawn}</span></span>'
_KATEX_DRAWN = (
    '<span class="base"><span class="mord mathnormal">E</span><span class="mrel">=</span></span><span class="base">'
    '<span class="mord">{digit}</span><span class="mord mathnormal">m</span><span class="mord"><span class="mord mathnormal">v'
    '</span><span class="msupsub"><span class="mord mtight">2</span></span></span></span>'
)
_CODECOGS = "https://latex.codecogs.com/svg.latex?E%20%3D%20{}%20m%20v%5E2"

# A document that shows one thing and says another; nothing of it may be computed with.
_LIES: dict[str, tuple[str, bytes]] = {
    "annotation of another factor": _html(_math(_SHOWN, _SEVEN)),
    "annotation of another power": _html(_math(_SHOWN, r"E = \frac{1}{2} m v^3")),
    "annotation with another sign": _html(_math("<mi>a</mi><mo>=</mo><mi>b</mi><mo>-</mo><mi>c</mi>", "a = b + c")),
    "annotation with another letter": _html(_math(_SHOWN, r"E = \frac{1}{2} M v^2")),
    "annotation with one term more": _html(_math(_SHOWN, r"E = \frac{1}{2} m v^2 + m g h")),
    "annotation with the parts exchanged": _html(
        _math("<mi>a</mi><mo>=</mo><mfrac><mi>b</mi><mi>c</mi></mfrac>", r"a = \frac{c}{b}")
    ),
    "alternative text of another factor": _html(f'<math alttext="{_SEVEN}" class="ltx_Math">{_SHOWN}</math>'),
    "alternative text and annotation differ": _html(_math(_SHOWN, _RIGHT, _SEVEN)),
    "presentation that cannot be read": _html(
        _math("<mi>E</mi><mo>∝</mo><mi>m</mi><msup><mi>v</mi><mn>2</mn></msup>", _SEVEN)
    ),
    "struck out beside a clean annotation": _html(_math(_STRUCK.format("updiagonalstrike"), _RIGHT)),
    "KaTeX draws another number": _html(
        _KATEX.format(math=_math(_SEVEN_SHOWN, _SEVEN), drawn=_KATEX_DRAWN.format(digit=3))
    ),
    "MathJax draws another number": _html(
        _CONTAINER.format(jax="CHTML", data="", drawn=_DRAWN.format(digit=33), math=f"<math>{_SEVEN_SHOWN}</math>")
    ),
    "MathJax keeps another source": _html(
        _CONTAINER.format(jax="SVG", data=f' data-latex="{_SEVEN}"', drawn="<svg></svg>", math=f"<math>{_SHOWN}</math>")
    ),
    "MathJax 2 with another script": _html(
        f'<span class="MathJax_SVG"><svg></svg><span class="MJX_Assistive_MathML"><math>{_SHOWN}</math></span></span>'
        f'<script type="math/tex">{_SEVEN}</script>'
    ),
    "picture drawn from another address": _html(f'<img class="latex" src="{_CODECOGS.format(3)}" alt="{_SEVEN}">'),
    "Wikipedia with another picture": _html(
        f'<span class="mwe-math-element"><span class="mwe-math-mathml-inline">{_math(_SHOWN, _RIGHT)}</span>'
        f'<img src="/math/render/svg/1" class="mwe-math-fallback-image-inline" alt="{_SEVEN}"></span>'
    ),
    "JATS alternatives differ": _html(
        f"<alternatives><tex-math>${_SEVEN}$</tex-math><mml:math>{_SHOWN}</mml:math></alternatives>"
    ),
    "content MathML of another factor": _html(
        f"<math><semantics><mrow>{_SHOWN}</mrow><annotation-xml encoding='MathML-Content'><apply><eq/><ci>E</ci><apply><times/>"
        "<cn>7</cn><ci>m</ci><apply><power/><ci>v</ci><cn>2</cn></apply></apply></apply></annotation-xml></semantics></math>"
    ),
    "EPUB with another annotation": _epub(_math(_SHOWN, _SEVEN)),
    "EPUB struck out": _epub(f"<math>{_STRUCK.format('horizontalstrike')}</math>"),
    "OpenDocument with another annotation": _open_document(
        _math(_SHOWN, _SEVEN).removeprefix("<math>").removesuffix("</math>")
    ),
    "OpenDocument struck out": _open_document(_STRUCK.format("updiagonalstrike")),
    "Word with a struck-out box": _word(
        f"<m:oMath>{_run('E=')}{_HALF}{_run('m')}<m:borderBox><m:borderBoxPr><m:strikeBLTR m:val='1'/></m:borderBoxPr><m:e>"
        f"{_power(_run('v'), _run('2'))}</m:e></m:borderBox></m:oMath>"
    ),
    "Word with a struck-out run": _word(
        f"<m:oMath>{_run('E=')}{_run('7', '<w:rPr><w:strike/></w:rPr>')}{_run('m')}{_power(_run('v'), _run('2'))}</m:oMath>"
    ),
    "Word with a hidden run": _word(
        f"<m:oMath>{_run('E=')}{_run('7', '<w:rPr><w:vanish/></w:rPr>')}{_run('m')}{_power(_run('v'), _run('2'))}</m:oMath>"
    ),
    "cancel": _latex(r"E = \frac{1}{2} m \cancel{v^2}"),
    "bcancel": _latex(r"E = \bcancel{7} m v^2"),
    "xcancel": _markdown(r"$E = \xcancel{7} m v^2$"),
    "sout": _latex(r"E = \sout{7} m v^2"),
    "cancelto": _markdown(r"$E = \cancelto{1}{7} m v^2$"),
    "enclose": _markdown(r"$E = \enclose{updiagonalstrike}{7} m v^2$"),
    "own macro that strikes out": (
        "paper.tex",
        b"\\documentclass{article}\n\\newcommand{\\gone}[1]{\\cancel{#1}}\n\\begin{document}\nThe energy is $E = \\gone{7} m v^2$.\n\\end{document}\n",
    ),
    "menclose": _html(f"<math>{_STRUCK.format('updiagonalstrike')}</math>"),
    "menclose with two strikes": _html(f"<math>{_STRUCK.format('updiagonalstrike downdiagonalstrike')}</math>"),
    "del around a factor": _html("<i>E</i> = <del>7</del> <i>m</i> <i>v</i><sup>2</sup>"),
    "s around a factor": _html("<i>E</i> = <s>7</s> <i>m</i> <i>v</i><sup>2</sup>"),
    "strike around a factor": _html("<i>E</i> = <strike>7</strike> <i>m</i> <i>v</i><sup>2</sup>"),
    "style that strikes out": _html(
        '<i>E</i> = <span style="text-decoration: line-through">7</span> <i>m</i> <i>v</i><sup>2</sup>'
    ),
    "del around a whole formula": _html(f"<del><math>{_SEVEN_SHOWN}</math></del>"),
    "tildes around a formula": _markdown(f"~~${_SEVEN}$~~"),
    "white digits": _markdown(r"$E = {\color{white}7} m v^2$"),
    "white digits by command": _latex(r"E = \textcolor{white}{7} m v^2"),
    "white MathML": _html(
        '<math><mi>E</mi><mo>=</mo><mn mathcolor="white">7</mn><mi>m</mi><msup><mi>v</mi><mn>2</mn></msup></math>'
    ),
    "override of direction in LaTeX": _markdown("$E = m \u202e2^v 7\u202c$"),
    "override of direction in MathML": _html("<math><mi>E</mi><mo>=</mo><mn>\u202e71\u202c</mn><mi>m</mi></math>"),
    "override of direction in words": _html("<i>E</i> = \u202e71\u202c <i>m</i> <i>v</i><sup>2</sup>"),
    "override of direction in plain text": ("note.txt", "Motion\n\n    E = \u202e71\u202c * m * v^2\n".encode()),
    "bdo element": _html('<i>E</i> = <bdo dir="rtl">71</bdo> <i>m</i> <i>v</i><sup>2</sup>'),
    "isolate in LaTeX": _markdown("$E = \u20677 m\u2069 v^2$"),
    "zero width space between letters": _markdown("$E = m\u200bv$"),
    "zero width joiner in a number": _markdown("$E = 1\u200d7 m$"),
    "word joiner in MathML": _html("<math><mi>E</mi><mo>=</mo><mn>1\u20607</mn><mi>m</mi></math>"),
    "soft hyphen in a number": _latex("E = 1\u00ad7 m v^2"),
    "notebook output of another formula": _notebook(
        [
            {
                "cell_type": "code",
                "source": "show(energy)",
                "metadata": {},
                "execution_count": 1,
                "outputs": [
                    {
                        "output_type": "display_data",
                        "metadata": {},
                        "data": {"text/latex": f"${_SEVEN}$", "text/html": f"<math>{_SHOWN}</math>", "text/plain": "E"},
                    }
                ],
            }
        ]
    ),
    "MathML in Markdown with another annotation": (
        "note.md",
        f"# Motion\n\nThe kinetic energy is {_math(_SHOWN, _SEVEN)}.\n".encode(),
    ),
}

# What looks different and is the same: the equation must go on being read.
_HONEST: dict[str, tuple[str, bytes]] = {
    "the same twice": _html(_math(_SHOWN, _RIGHT)),
    "dfrac and displaystyle": _html(_math(_SHOWN, r"{\displaystyle E=\dfrac{1}{2}\,mv^{2}}")),
    "upright letters": _html(_math(_SHOWN, r"\mathrm{E} = \tfrac12 m \mathrm{v}^2")),
    "another order": _html(_math(_SHOWN, r"E = m v^2 / 2")),
    "braces and spaces": _html(_math(_SHOWN, r"{E}\;=\;{\frac {1} {2}}\; {m}\, {v}^{2}")),
    "sized brackets": _html(_math(_SHOWN, r"E = \left( \frac{1}{2} \right) m v^2")),
    "a multiplication dot": _html(_math(_SHOWN, r"E = \frac{1}{2} \cdot m \cdot v^2")),
    "Wikipedia": _html(
        f'<span class="mwe-math-element"><span class="mwe-math-mathml-inline">{_math(_SHOWN, _RIGHT, _RIGHT)}</span>'
        f'<img src="/math/render/svg/1" class="mwe-math-fallback-image-inline" alt="{_RIGHT}"></span>'
    ),
    "LaTeXML": _html(f'<math class="ltx_Math" alttext="E=\\frac{{1}}{{2}}mv^{{2}}">{_SHOWN}</math>'),
    "words as alternative text": _html(f'<math alttext="E equals one half m v squared">{_SHOWN}</math>'),
    "MathJax": _html(
        _CONTAINER.format(
            jax="SVG", data=' data-latex="E = \\frac{1}{2} m v^2"', drawn="<svg></svg>", math=f"<math>{_SHOWN}</math>"
        )
    ),
    "EPUB": _epub(_math(_SHOWN, _RIGHT)),
    "OpenDocument": _open_document(f"<semantics><mrow>{_SHOWN}</mrow><annotation encoding='StarMath 5.0'>E = {{1}} over {{2}} m v^2</annotation></semantics>"),
    "Word": _word(f"<m:oMath>{_run('E=')}{_HALF}{_run('m')}{_power(_run('v'), _run('2'))}</m:oMath>"),
    "LaTeX": _latex(_RIGHT),
    "Markdown": _markdown(f"${_RIGHT}$"),
    "a colour one can see": _markdown(r"$E = \textcolor{red}{\frac{1}{2}} m v^2$"),
    "a box": _html(f'<math><menclose notation="box">{_SHOWN}</menclose></math>'),
    "an action that shows the second": _html(
        "<math><mi>E</mi><mo>=</mo><maction actiontype='toggle' selection='2'><mn>7</mn><mfrac><mn>1</mn><mn>2</mn></mfrac></maction>"
        "<mi>m</mi><msup><mi>v</mi><mn>2</mn></msup></math>"
    ),
    "a phantom": _html(_math(_SHOWN + "<mphantom><mn>7</mn></mphantom>", _RIGHT + r"\phantom{7}")),
    "invisible times": _html(
        "<math><mi>E</mi><mo>=</mo><mfrac><mn>1</mn><mn>2</mn></mfrac><mo>\u2062</mo><mi>m</mi><mo>\u2062</mo><msup><mi>v</mi>"
        "<mn>2</mn></msup></math>"
    ),
    "a zero width space of its own": _html(_math(_SHOWN + "<mo>\u200b</mo>", _RIGHT)),
    "a struck-out sentence elsewhere": _html(f"<del>wrong words</del> <math>{_SHOWN}</math>"),
    "a script with the same": _html(
        f'<span class="MathJax_SVG"><svg></svg><span class="MJX_Assistive_MathML"><math>{_SHOWN}</math></span></span>'
        f'<script type="math/tex">{_RIGHT}</script>'
    ),
    "a mark of direction in the words": _html(f"\u200e <math>{_SHOWN}</math>"),
}  # fmt: skip
_HONEST_KATEX = {
    "KaTeX": _html(_KATEX.format(math=_math(_SEVEN_SHOWN, _SEVEN), drawn=_KATEX_DRAWN.format(digit=7))),
    "MathJax as letters": _html(
        _CONTAINER.format(jax="CHTML", data="", drawn=_DRAWN.format(digit=37), math=f"<math>{_SEVEN_SHOWN}</math>")
    ),
}


def attempts() -> Iterator[Attempt]:
    """Every document as an attempt."""
    for what, file in _LIES.items():
        yield Attempt(f"lie: {what}", what, _attempt(file, _nothing_to_compute))
    for what, file in _HONEST.items():
        yield Attempt(f"honest: {what}", what, _attempt(file, _gives("E = m * v**2 / 2")))
    for what, file in _HONEST_KATEX.items():
        yield Attempt(f"honest: {what}", what, _attempt(file, _gives("E = 7 * m * v**2")))


def _attempt(file: tuple[str, bytes], judge: Callable[[Path], Result]) -> Callable[[Path], Result]:
    name, data = file

    def run(folder: Path) -> Result:
        path = folder / name
        path.write_bytes(data)
        return judge(path)

    return run


def _nothing_to_compute(path: Path) -> Result:
    findings = extract(read_path(path), document_id="0" * 64).findings
    for finding in findings:
        if finding.status == "executable":
            return Result("broke", f"computes with {finding.latex}")
        if not finding.reason:
            return Result("broke", f"gives no reason for {finding.latex}")
    return HELD


def _gives(text: str) -> Callable[[Path], Result]:
    wanted = read_python_text(text)
    assert not isinstance(wanted, Declined)

    def judge(path: Path) -> Result:
        findings = extract(read_path(path), document_id="0" * 64).findings
        for finding in findings:
            equation = finding.equation
            if finding.status == "executable" and equation is not None and same_equation(equation, wanted.equations[0]):
                return HELD
        return Result(
            "refused", "; ".join(f"{finding.latex}: {finding.reason}" for finding in findings) or "nothing found"
        )

    return judge
