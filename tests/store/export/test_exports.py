"""Every export: the same bytes for the same library, readable by other programs, and harmless whatever it holds."""

from __future__ import annotations

import csv
import io
import json
import shutil
import subprocess
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pyoxigraph
import pytest
import rdflib
from hypothesis import given, settings
from hypothesis import strategies as st

from mathrag.compute.latex import read_latex
from mathrag.store.export.analyst_tables import TABLE_NAMES, VIEWS, analyst_tables
from mathrag.store.export.csv_files import csv_texts, safe_cell
from mathrag.store.export.formats import FORMATS, FormatName, export_pieces, write_csv_folder, write_export
from mathrag.store.export.latex_document import escape_latex
from mathrag.store.export.markdown import escape_markdown
from mathrag.store.graph.contents import LibraryContents
from mathrag.store.graph.triples import triples_of
from mathrag.types.expression import Reading
from store.graph.sample_library import large_library, sample_library

HOSTILE = (
    '=HYPERLINK("http://evil","x")', "+1+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "＝1", "  =1",
    "x\x00y", r"\input{/etc/passwd}", r"\write18{rm}", "}{", "$", "%", "^^5c", r"\end{document}", "{{< shortcode >}}",
    "<script>", "| a | b |", "`` ` ``", "a\nb\r\nc", "\ud800", "ω ∇ 中 é ﬁ", "-->", "$$x$$", r"\(x\)", "1. item",
    "***", "[a](b)",
)  # fmt: skip

RELATIONS = "=<>≈≡≤≥≠≃≅∝→⇒⇌∼~:≔≦≧"


def exported(contents: LibraryContents, name: FormatName) -> bytes:
    return b"".join(export_pieces(contents, name))


def hostile_library() -> LibraryContents:
    """Hostile text in every place that takes text."""
    contents = sample_library()
    formulas = []
    for number, text in enumerate(HOSTILE):
        base = contents.formulas[number % 2]
        symbols = tuple(replace(symbol, description=text, letter=text) for symbol in base.symbols)
        spans = tuple(replace(span, quote=text, headings=(text,)) for span in base.spans)
        conditions = tuple(replace(each, text=text) for each in base.conditions)
        formulas.append(
            replace(
                base, id=f"formula-{number:012x}", label=text, description=text, reason=text or "why", intent=text,
                keywords=(text,), symbols=symbols, spans=spans, conditions=conditions, number=text, latex=text,
                alternatives=(), corrections=(), labels=(text,),
            )
        )  # fmt: skip
    return replace(contents, formulas=tuple(formulas), relations=(), corrections=())


@pytest.mark.parametrize("name", FORMATS)
def test_the_same_library_gives_the_same_bytes(name: FormatName) -> None:
    contents = sample_library()
    turned = replace(contents, formulas=contents.formulas[::-1], relations=contents.relations[::-1])
    assert exported(contents, name) == exported(turned, name)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("contents", [LibraryContents(), hostile_library()], ids=["empty", "hostile"])
def test_every_format_writes_anything(name: FormatName, contents: LibraryContents) -> None:
    assert exported(contents, name)


def test_text_formats_come_in_pieces() -> None:
    contents = large_library(50)
    for name in ("turtle", "jsonld", "latex", "markdown"):
        pieces = list(export_pieces(contents, name))
        assert len(pieces) > 50
        assert max(map(len, pieces)) < 30_000


@pytest.mark.filterwarnings("ignore:ConjunctiveGraph:DeprecationWarning")
@pytest.mark.parametrize("contents", [sample_library(), hostile_library()], ids=["sample", "hostile"])
def test_json_ld_holds_the_same_triples(contents: LibraryContents) -> None:
    data = exported(contents, "jsonld")
    ours = {
        (s, p, o if isinstance(o, str) and not isinstance(o, tuple) else (o.text, o.datatype))
        for s, p, o in triples_of(contents)
    }
    parsed = pyoxigraph.parse(data, format=pyoxigraph.RdfFormat.JSON_LD)
    oxigraph = {
        (
            quad.subject.value,
            quad.predicate.value,
            (quad.object.value, quad.object.datatype.value)
            if isinstance(quad.object, pyoxigraph.Literal)
            else quad.object.value,
        )
        for quad in parsed
    }
    assert oxigraph == ours
    graph = rdflib.Graph().parse(data=data.decode(), format="json-ld")
    theirs = {
        (str(s), str(p), (str(o), str(o.datatype or rdflib.XSD.string)) if isinstance(o, rdflib.Literal) else str(o))
        for s, p, o in graph
    }
    assert theirs == ours


def test_json_ld_reads_well() -> None:
    data = json.loads(exported(sample_library(), "jsonld"))
    formula = next(node for node in data["@graph"] if node.get("target") == "E_k")
    assert formula["@type"] == "mathrag:Formula"
    assert formula["status"] == "executable"
    assert formula["prior"] == "0.75"
    assert data["@context"]["prior"] == {"@id": "mathrag:prior", "@type": "xsd:double"}


def read_csv(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline=""), strict=True))


def test_csv_files_hold_a_row_for_each_thing(tmp_path: Path) -> None:
    contents = sample_library()
    paths = write_csv_folder(contents, tmp_path / "csv")
    assert [path.name for path in paths] == [f"{name}.csv" for name in TABLE_NAMES]
    counts = {path.name: len(read_csv(path.read_bytes().decode())) - 1 for path in paths}
    assert {name: count for name, count in counts.items() if name.removesuffix(".csv") not in VIEWS} == {
        "formulas.csv": 3, "symbols.csv": 6, "constants.csv": 1, "relations.csv": 6, "places.csv": 4,
        "documents.csv": 2, "concepts.csv": 3, "concept_properties.csv": 3, "worksheets.csv": 1,
    }  # fmt: skip
    assert {name: counts[f"{name}.csv"] for name in VIEWS} == {name: len(contents.of_table(name)) for name in VIEWS}
    archive = zipfile.ZipFile(io.BytesIO(exported(contents, "csv")))
    for path in paths:
        assert archive.read(path.name) == path.read_bytes()
    assert (tmp_path / "csv" / "concept_properties.csv").read_bytes().count(b"\r\n") == 4
    head, *rows = read_csv((tmp_path / "csv" / "constants.csv").read_bytes().decode())
    assert dict(zip(head, rows[0], strict=True))["value"] == "299792458"


def test_views_stay_at_home_where_no_text_may_leave() -> None:
    names = [table.name for table in analyst_tables(sample_library(), with_text=False)]
    assert names == [name for name in TABLE_NAMES if name not in VIEWS]
    archive = zipfile.ZipFile(io.BytesIO(b"".join(export_pieces(sample_library(), "csv", with_text=False))))
    assert archive.namelist() == [f"{name}.csv" for name in names]


@pytest.mark.parametrize("make", [sample_library, hostile_library], ids=["sample", "hostile"])
def test_parquet_files_hold_what_csv_files_hold_with_types(make: Callable[[], LibraryContents]) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    contents = make()
    archive = zipfile.ZipFile(io.BytesIO(exported(contents, "parquet")))
    assert archive.namelist() == [f"{name}.parquet" for name in TABLE_NAMES]
    for table in analyst_tables(contents):
        read = parquet.read_table(io.BytesIO(archive.read(f"{table.name}.parquet")))
        assert tuple(read.column_names) == table.head
        rows = list(table.rows())
        assert read.num_rows == len(rows)
        numbers = {name for name, kind in table.kinds.items() if kind != "TEXT" and name in table.head}
        assert {field.name for field in read.schema if str(field.type) in ("int64", "double")} == numbers
        for place, name in enumerate(table.head):
            if name in numbers:
                assert read.column(name).to_pylist() == [row[place] for row in rows], (table.name, name)


def test_no_cell_begins_like_a_spreadsheet_formula() -> None:
    for pieces in csv_texts(hostile_library()).values():
        for row in read_csv("".join(pieces).encode("utf-8", "replace").decode())[1:]:
            for cell in row:
                assert (
                    not cell.lstrip().startswith(tuple("=+-@＝＋－＠")) or cell.replace(".", "").lstrip("-").isdigit()
                )
                assert "\x00" not in cell


@pytest.mark.parametrize(("cell", "safe"), [("-1.5E-3", "-1.5E-3"), ("-a", "'-a"), ("a=b", "a=b"), (3, 3), ("", "")])
def test_numbers_stay_numbers(cell: str | int, safe: str | int) -> None:
    assert safe_cell(cell) == safe


def is_balanced(source: str) -> bool:
    """Braces, environments and dollar signs of LaTeX pair up, as far as one can tell without TeX."""
    depth = 0
    dollars = 0
    environments: list[str] = []
    position = 0
    while position < len(source):
        if source.startswith("\\begin{", position):
            environments.append(source[position + 7 : source.index("}", position)])
        if source.startswith("\\end{", position):
            name = source[position + 5 : source.index("}", position)]
            if not environments or environments.pop() != name:
                return False
        if source[position] == "\\":
            position += 2
            continue
        depth += {"{": 1, "}": -1}.get(source[position], 0)
        dollars += source[position] == "$"
        if depth < 0 or source[position] in "%#":
            return False
        position += 1
    return depth == 0 and dollars % 2 == 0 and not environments


@pytest.mark.parametrize("contents", [sample_library(), hostile_library(), LibraryContents()])
def test_latex_is_balanced_and_holds_no_foreign_command(contents: LibraryContents) -> None:
    source = exported(contents, "latex").decode()
    assert is_balanced(source)
    assert source.count("\\end{document}") == 1
    for command in ("\\input", "\\write", "^^5c", "\\include"):
        assert command not in source.replace("\\usepackage[utf8]{inputenc}", "")


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
@pytest.mark.parametrize("contents", [sample_library(), hostile_library()])
def test_latex_compiles(contents: LibraryContents, tmp_path: Path) -> None:
    (tmp_path / "library.tex").write_bytes(exported(contents, "latex"))
    command = ["pdflatex", "-no-shell-escape", "-halt-on-error", "-interaction=batchmode", "library.tex"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, timeout=120)


@settings(max_examples=200, deadline=None)
@given(st.text(st.characters(codec=None, exclude_categories=()), max_size=40))
def test_any_text_is_harmless_in_latex(text: str) -> None:
    escaped = escape_latex(text)
    assert is_balanced(escaped)
    assert "\n" not in escaped
    escaped.encode("utf-8")


def test_latex_shows_the_formula_with_its_number() -> None:
    source = exported(sample_library(), "latex").decode()
    assert r"\[ E_k = \frac{1}{2} m v^2 \tag{2.1} \]" in source or r"\tag{2.1}" in source
    assert r"\section*{Mechanics \& more}" in source
    assert r"mechanics.md, line 5" in source


def test_markdown_shows_a_card() -> None:
    text = exported(sample_library(), "markdown").decode()
    assert "### energy of motion\n" in text
    assert "| $m$ | mass | kg |" in text
    assert "Source: mechanics.md, line 5" in text


def markdown_reader() -> object:
    try:
        from mathrag.documents.markdown import read_markdown
    except ImportError:
        pytest.skip("there is no reader of Markdown yet")
    return read_markdown


def read_back(text: str) -> list[object]:
    """The equations of the displayed formulas of a Markdown text."""
    from mathrag.documents.seams import Source
    from mathrag.types.document import formulas_of

    document = markdown_reader()(Source("library.md", text.encode()))  # type: ignore[operator]
    found = []
    for block in document.blocks:
        for math in formulas_of(block):
            if math.is_display:
                reading = read_latex(math.source)
                assert isinstance(reading, Reading), math
                found.extend(reading.equations)
    return found


@pytest.mark.parametrize("contents", [sample_library(), hostile_library()], ids=["sample", "hostile"])
def test_markdown_read_again_gives_the_same_formulas(contents: LibraryContents) -> None:
    expected = [formula.equation for formula in contents.formulas if formula.equation is not None]
    found = read_back(exported(contents, "markdown").decode("utf-8"))
    assert sorted(map(repr, found)) == sorted(map(repr, expected))


@settings(max_examples=100, deadline=None)
@given(st.text(st.characters(codec="utf-8", exclude_characters=RELATIONS), max_size=30))
def test_any_text_is_only_text_in_markdown(text: str) -> None:
    """Words with a relation between them are left aside: a reader may rightly find a formula in `a = b`."""
    from mathrag.types.document import Heading, Paragraph, contents_of, formulas_of, plain_text

    document = markdown_reader()(_source(f"# Title\n\nxx {escape_markdown(text)} xx\n"))  # type: ignore[operator]
    heading, paragraph = document.blocks
    assert isinstance(heading, Heading)
    assert isinstance(paragraph, Paragraph)
    assert not list(formulas_of(paragraph))
    shown = "".join(plain_text(content) for content in contents_of(paragraph))
    assert shown.split()[0] == shown.split()[-1] == "xx"


def _source(text: str) -> object:
    from mathrag.documents.seams import Source

    return Source("library.md", text.encode())


def test_exports_go_to_open_files(tmp_path: Path) -> None:
    with (tmp_path / "library.ttl").open("wb") as file:
        write_export(sample_library(), "turtle", target=file, with_text=False)
    assert b"mathrag:Formula" in (tmp_path / "library.ttl").read_bytes()
    assert b"mathrag:Chunk" not in (tmp_path / "library.ttl").read_bytes()
