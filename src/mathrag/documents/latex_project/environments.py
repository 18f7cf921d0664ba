"""What `\\begin` and `\\end` do: lists, tables, floats, formulas, code, theorems, the document itself.

Each rule opens a frame and says what happens when it closes. Tables of names decide the rest.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable

from mathrag.documents.latex_project.builder import Builder, OpenFloat, OpenList
from mathrag.documents.latex_project.formulas import Collected, FormulaCollector, FormulaLine, Statement, statements_of
from mathrag.documents.latex_project.inlines import Inlines
from mathrag.documents.latex_project.tables import OpenCell, OpenTable, close_part, count_columns, end_row, flattened
from mathrag.documents.latex_project.tokens import TexToken, as_source
from mathrag.language.parts import box_kind
from mathrag.types.document import Block, Box, Code, Content, Image, Math, Paragraph, Reference, Table, plain_text

# Formulas into `Math`: inline ones, displayed ones with their numbers, several equations of one environment.

DISPLAY_ENVIRONMENTS = frozenset(
    (
        "equation align gather multline eqnarray displaymath flalign alignat xalignat xxalignat dmath empheq dgroup "
        "IEEEeqnarray aligned gathered split cases"
    ).split()
)
_ONE_NUMBER = frozenset(("equation", "multline", "dmath", "split", "aligned", "gathered", "cases"))
_UNNUMBERED = frozenset(("displaymath", "aligned", "gathered", "split", "cases"))
_WITH_ARGUMENT = frozenset(("alignat", "xalignat", "xxalignat", "IEEEeqnarray"))


def read_formula(builder: Builder, token: TexToken, closer: str) -> None:
    """`$...$`, `\\(...\\)`, `\\ensuremath{...}` in the text, `$$...$$`, `\\[...\\]` displayed."""
    collected = FormulaCollector(builder.expander, token, closer).collect()
    if closer in ("$$", "]"):
        _add_display(builder, collected, "displaymath", is_numbered=False)
    else:
        _add_inline(builder, collected)


def read_inline_environment(builder: Builder, token: TexToken) -> None:
    """`\\begin{math}`."""
    _add_inline(builder, FormulaCollector(builder.expander, token, token.text).collect())


def read_display(builder: Builder, token: TexToken, name: str) -> None:
    """An environment that displays formulas."""
    expander = builder.expander
    kind = name.rstrip("*")
    is_numbered = kind == name and kind not in _UNNUMBERED
    if kind == "empheq":
        expander.option()
        inner = as_source(expander.argument()).partition("=")[0]
        kind = inner.rstrip("*")
        is_numbered = inner == kind
    elif kind in _WITH_ARGUMENT:
        expander.option()
        expander.argument()
    elif kind == "dmath":
        expander.option()
    collected = FormulaCollector(expander, token, name).collect()
    if kind == "cases":
        # Cases without a formula around them: kept as what they are.
        inside = r" \\ ".join(as_source(line.tokens) for line in collected.lines)
        collected.lines = [
            FormulaLine([token._replace(kind="written", text=rf"\begin{{cases}} {inside} \end{{cases}}")])
        ]
    _add_display(builder, collected, kind, is_numbered=is_numbered)


def _span_token(collected: Collected) -> TexToken:
    return TexToken("written", "", collected.file, collected.start, collected.stop)


def _add_inline(builder: Builder, collected: Collected) -> None:
    span = _span_token(collected)
    if collected.quantity is not None:
        builder.text(collected.quantity.plain, span)
        return
    source = r" \\ ".join(text for line in collected.lines if (text := as_source(line.tokens)))
    if not source or builder.mode == "preamble":
        return
    is_generated = collected.opening.stop - collected.opening.start > 2
    quote = builder.files.quote(span.file, span.start, span.stop, is_generated=is_generated)
    math = Math(source, "latex", builder.files.place(span.file, span.start, span.stop), quote)
    builder.inlines.math(math, span, builder.files)


def _add_display(builder: Builder, collected: Collected, kind: str, *, is_numbered: bool) -> None:
    numbers = _numbers(builder, collected.lines, kind, is_numbered=is_numbered)
    made = list(statements_of(collected.lines, kind))
    statements = [part for part in made if isinstance(part, Statement)]
    whole = _span_token(collected)
    for part in made:
        if isinstance(part, Statement):
            span = whole if len(statements) == 1 and len(made) == 1 else _narrowed(part, whole)
            number = next((numbers[id(line)] for line in part.lines if numbers.get(id(line))), "")
            _add_statement(builder, part, span=span, number=number)
        else:
            builder.inlines.space(whole)
            captured = builder.capture(part)
            content = captured.content()
            builder.inlines.add_content(content, whole)
    if builder.mode != "preamble":
        builder.inlines.space(whole)


def _add_statement(builder: Builder, statement: Statement, *, span: TexToken, number: str) -> None:
    if not statement.source or builder.mode == "preamble":
        return
    files = builder.files
    quote = files.quote(span.file, span.start, span.stop)
    place = files.place(span.file, span.start, span.stop)
    builder.inlines.space(span)
    math = Math(statement.source, "latex", place, quote, is_display=True, number=number)
    builder.inlines.math(math, span, files)
    builder.inlines.space(span)


def _narrowed(statement: Statement, whole: TexToken) -> TexToken:
    """The part of the environment that one statement covers."""
    tokens = [token for token in statement.tokens if token.file == whole.file and token.kind != "space"]
    inside = [token for token in tokens if whole.start <= token.start and token.stop <= whole.stop]
    if not inside:
        return whole
    start, stop = min(token.start for token in inside), max(token.stop for token in inside)
    return whole._replace(start=start, stop=stop)


def _numbers(builder: Builder, lines: list[FormulaLine], kind: str, *, is_numbered: bool) -> dict[int, str]:
    """The number of every line, and its labels made known."""
    numbering = builder.numbering
    numbers: dict[int, str] = {}
    filled = [line for line in lines if any(token.kind != "space" for token in line.tokens)]
    if kind in _ONE_NUMBER and filled:
        tag = next((line.tag for line in lines if line.tag), "")
        counts = is_numbered and all(line.is_numbered for line in lines)
        number = tag or (numbering.count("equation") if counts else "")
        numbers[id(filled[0])] = number
        for key in (key for line in lines for key in line.labels):
            numbering.label(key, number)
        return numbers
    for line in filled:
        number = line.tag or (numbering.count("equation") if is_numbered and line.is_numbered else "")
        numbers[id(line)] = number
        for key in line.labels:
            numbering.label(key, number)
    return numbers


_LISTS = frozenset("itemize enumerate description compactitem compactenum asparaenum inparaenum tasks trivlist".split())
_FLOATS = frozenset(
    (
        "table figure wrapfigure wraptable sidewaystable sidewaysfigure SCfigure marginfigure margintable subfigure "
        "subtable floatrow"
    ).split()
)
_TABLES = {
    "tabular": "o", "tabular*": "mo", "tabularx": "mo", "tabulary": "mo", "longtable": "o", "longtabu": "", "tabu": "o",
    "supertabular": "o", "xltabular": "om", "tblr": "o", "longtblr": "o", "array": "o", "tabularray": "o",
    "mpsupertabular": "",
    "NiceTabular": "o", "supertabular*": "mo", "talltblr": "o",
}  # fmt: skip
_CODE = frozenset("verbatim verbatim* Verbatim lstlisting minted alltt BVerbatim LVerbatim semiverbatim".split())
_SKIPPED = frozenset(
    (
        "tikzpicture axis circuitikz picture pspicture asy feynmandiagram forest gnuplot tikzcd pgfpicture "
        "luacode sagesilent "
        "scope pycode filecontents filecontents* chemfig tikzpicture* overpic prooftree"
    ).split()
)
# Arguments of environments that only arrange: they are dropped, the inside is read.
_ARRANGING = {
    "center": "", "flushleft": "", "flushright": "", "minipage": "ooom", "multicols": "m", "multicols*": "m",
    "landscape": "",
    "quote": "", "quotation": "", "verse": "", "adjustbox": "m", "threeparttable": "o", "tablenotes": "o", "small": "",
    "footnotesize": "", "scriptsize": "", "large": "", "spacing": "m", "singlespace": "", "doublespace": "",
    "titlepage": "",
    "appendices": "", "subappendices": "", "framed": "", "mdframed": "o", "shaded": "", "columns": "o", "column": "om",
    "frontmatter": "", "acknowledgments": "", "acknowledgements": "", "keywords": "", "sloppypar": "", "samepage": "",
    "tcolorbox": "o", "adjustwidth": "mm", "turn": "m", "nomenclature": "", "onehalfspace": "", "center*": "",
    "ThreePartTable": "",
    "resizebox": "mm", "refsection": "", "otherlanguage": "m", "widetext": "", "document*": "", "abstract*": "",
    "CJK": "mm",
    "CJK*": "mm", "raggedright": "", "centering": "", "spacing*": "m", "savenotes": "", "figwindow": "o", "letter": "m",
    "fullwidth": "", "refcontext": "o", "acronym": "o",
}  # fmt: skip
_THEOREMS = {
    name: name.capitalize()
    for name in (
        "theorem lemma proposition corollary definition remark example proof exercise problem solution law "
        "principle axiom "
        "conjecture claim note fact observation question answer assumption property result task hint notation"
    ).split()
} | {"thm": "Theorem", "lem": "Lemma", "prop": "Proposition", "cor": "Corollary", "defn": "Definition", "rem": "Remark"}
_BLOCKS = frozenset("block alertblock exampleblock".split())
_OPTION = re.compile(r"\s*\[([^\[\]\n]{0,2000})\]")
_LANGUAGE = re.compile(r"language\s*=\s*\{?\s*(?:\[[^\]]*\])?\s*([\w+#-]{1,40})")


def drop_arguments(builder: Builder, signature: str) -> None:
    """Pass over arguments as the signature lists them."""
    expander = builder.expander
    for letter in signature:
        if letter == "s":
            expander.star()
        elif letter == "o":
            expander.option()
        elif letter == "p":
            expander.between("(", ")")
        elif letter == "a":
            expander.between("<", ">")
        elif letter == "m":
            expander.argument()


def begin_environment(builder: Builder, token: TexToken) -> None:
    """`\\begin{name}`."""
    name = token.text
    plain = name.rstrip("*")
    if builder.mode == "preamble" and name != "document" and plain not in _SKIPPED and name != "comment":
        return
    if name in _RULES:
        _RULES[name](builder, token)
    elif plain in DISPLAY_ENVIRONMENTS:
        read_display(builder, token, name)
    elif name in _TABLES:
        begin_table(builder, token)
    elif plain in _FLOATS:
        begin_float(builder, token)
    elif plain in _LISTS:
        begin_list(builder, token)
    elif name in _CODE:
        read_code(builder, token)
    elif name in _SKIPPED or name == "comment":
        skip(builder, token)
    elif plain in builder.theorems or plain in _THEOREMS or plain in _BLOCKS:
        begin_theorem(builder, token)
    else:
        if name not in _ARRANGING:
            builder.expander.note(
                "unknown_environment", f"the environment {name!r} is not known; its inside is read", token, once=name
            )
        _begin_plain(builder, token)
        drop_arguments(builder, _ARRANGING.get(name, "o"))
        if name in ("minipage", "framed", "tcolorbox") and builder.mode == "cell" and builder.tables:
            builder.tables[-1].cell.has_box = True


def _begin_plain(builder: Builder, token: TexToken) -> None:
    builder.end_block(token)
    builder.push_frame("environment", token.text, token, close=lambda reader, end: reader.end_block(end))


def begin_document(builder: Builder, token: TexToken) -> None:
    """The preamble ends here."""
    if builder.mode == "preamble":
        builder.mode = "flow"
        builder.expander.in_preamble = False
        builder.inlines = Inlines()
    builder.push_frame("environment", "document", token, close=lambda reader, end: reader.end_block(end))


def begin_list(builder: Builder, token: TexToken) -> None:
    """A list; its items come with `\\item`."""
    builder.end_block(token)
    builder.expander.option()
    builder.lists.append(OpenList(token.text))

    def close(reader: Builder, end: TexToken) -> None:
        reader.end_block(end)
        reader.lists.pop()

    builder.push_frame("environment", token.text, token, close=close)


def begin_bibliography(builder: Builder, token: TexToken) -> None:
    """`thebibliography`: entries come with `\\bibitem`."""
    builder.end_block(token)
    builder.expander.argument()
    builder.push_frame("environment", token.text, token, close=lambda reader, _: finish_reference(reader))
    builder.mode, builder.inlines, builder.reference_key = "line", Inlines(), None


def finish_reference(builder: Builder) -> None:
    """The entry of the bibliography is complete."""
    content = builder.inlines.content()
    span = builder.inlines.span
    if builder.reference_key is not None and content:
        text = " ".join(plain_text(content).split())
        builder.emit(Reference(span.place(builder.files), span.quote(builder.files), text, builder.reference_key))
    builder.inlines = Inlines()


def begin_table(builder: Builder, token: TexToken) -> None:
    """A table: rows end with `\\\\`, cells with `&`."""
    is_nested = builder.mode in ("cell", "line")
    builder.end_block(token)
    drop_arguments(builder, _TABLES[token.text])
    columns = count_columns(as_source(builder.expander.argument()))
    table = OpenTable(token, columns, OpenCell(Inlines(), token), is_nested=is_nested, rank=builder.rank)
    table.span.add(token)
    outer = builder.inlines
    builder.push_frame("environment", token.text, token, close=lambda reader, end: end_table(reader, end, outer))
    builder.tables.append(table)
    builder.outputs.append(table.deferred)
    builder.mode, builder.style, builder.inlines = "cell", (False, False), table.cell.inlines


def end_table(builder: Builder, token: TexToken, outer: Inlines) -> None:
    """The table becomes blocks, or part of the cell it stands in."""
    table = builder.tables.pop()
    end_row(table, builder.files, token=token)
    builder.outputs.pop()
    if table.is_nested:
        content = flattened(table)
        close_part(table, builder.files)
        if builder.tables and builder.tables[-1].cell.inlines is outer:
            cell = builder.tables[-1].cell
            was_blank = outer.is_blank or bool(cell.nested)
            _extend(outer, content, table)
            cell.nested.extend(table.parts)
            cell.only_nested = len(outer.pieces) if was_blank else -1
        else:
            _extend(outer, content, table)
        for block in table.deferred:
            builder.emit(block)
        return
    close_part(table, builder.files)
    for block in (*table.parts, *table.deferred):
        if isinstance(block, Table) and table.caption and not block.caption:
            block = dataclasses.replace(block, caption=table.caption)
        builder.emit(block)
    builder.rank = table.rank


def _extend(inlines: Inlines, content: Content, table: OpenTable) -> None:
    """The cells of a nested table among the pieces of its cell."""
    if not content:
        return
    inlines.line_break()
    inlines.add_content(content, TexToken("space", "", table.span.file, table.span.start, table.span.stop))


def begin_float(builder: Builder, token: TexToken) -> None:
    """A figure or table with its caption."""
    builder.end_block(token)
    signature = {"wrapfigure": "omom", "wraptable": "omom", "subfigure": "om", "subtable": "om"}
    drop_arguments(builder, signature.get(token.text, "o"))
    opened = OpenFloat("table" if "table" in token.text else "figure", token)
    builder.floats.append(opened)
    if builder.mode in ("cell", "line"):
        builder.push_frame("environment", token.text, token, close=_forget_float)
        return
    builder.outputs.append(opened.blocks)
    builder.push_frame("environment", token.text, token, close=end_float)


def _forget_float(builder: Builder, _: TexToken) -> None:
    builder.floats.pop()


def end_float(builder: Builder, token: TexToken) -> None:
    """Give what stands in the float its caption; a caption whose picture was left out still counts."""
    builder.end_block(token)
    opened = builder.floats.pop()
    blocks = builder.outputs.pop()
    captioned = False
    for index, block in enumerate(blocks):
        if isinstance(block, Table | Image) and opened.caption and not block.caption:
            blocks[index] = dataclasses.replace(block, caption=opened.caption)
            captioned = True
    for block in blocks:
        builder.emit(block)
    if opened.caption and not captioned:
        place, quote = opened.caption_span.place(builder.files), opened.caption_span.quote(builder.files)
        builder.emit(Image(place, quote, opened.caption))


def begin_abstract(builder: Builder, token: TexToken) -> None:
    """The abstract is read as text and kept as the document's own."""
    builder.end_block(token)
    builder.outputs.append([])

    def close(reader: Builder, end: TexToken) -> None:
        reader.end_block(end)
        blocks: list[Block] = reader.outputs.pop()
        texts = [plain_text(block.content) for block in blocks if isinstance(block, Paragraph)]
        reader.abstract = reader.abstract or " ".join(" ".join(texts).split())
        for block in blocks:
            reader.emit(block)

    builder.push_frame("environment", token.text, token, close=close)


def begin_theorem(builder: Builder, token: TexToken) -> None:
    """A theorem and its kin: a paragraph that begins with its kind and name in bold."""
    builder.end_block(token)
    plain = token.text.rstrip("*")
    title = builder.theorems.get(plain) or _THEOREMS.get(plain, "")
    name = builder.expander.option()
    shown = plain_text(builder.capture(name).content()) if name else ""
    if plain in builder.titled_theorems:
        shown = plain_text(builder.capture(builder.expander.argument(is_long=False)).content())
        builder.expander.argument()
    if plain in _BLOCKS:
        title, shown = plain_text(builder.capture(builder.expander.argument(is_long=False)).content()), ""
    first, depth, kind = len(builder.outputs[-1]), len(builder.outputs), box_kind(f"{plain} {title}")

    def close(reader: Builder, end: TexToken) -> None:
        reader.end_block(end)
        last = len(reader.outputs[-1]) - 1
        if kind and depth == len(reader.outputs) == 1 and last >= first:
            reader.boxes.append(Box(kind, first, last))

    builder.push_frame("environment", token.text, token, close=close)
    lead = f"{title} ({shown})." if shown and title else f"{title or shown}."
    builder.inlines.text(lead, (True, False), token)
    builder.inlines.space(token)


def begin_frame(builder: Builder, token: TexToken) -> None:
    """A slide; its title is a heading."""
    builder.end_block(token)
    drop_arguments(builder, "aoo")
    builder.push_frame("environment", token.text, token, close=lambda reader, end: reader.end_block(end))
    following = builder.expander.peek()
    if following is not None and following.kind == "open":
        builder.expander.push(TexToken("command", "frametitle", token.file, token.start, token.stop))


def begin_parts(builder: Builder, token: TexToken) -> None:
    """`subequations`."""
    builder.numbering.begin_parts()
    builder.push_frame("environment", token.text, token, close=lambda reader, _: reader.numbering.end_parts())


def read_code(builder: Builder, token: TexToken) -> None:
    """Program text, taken as it stands."""
    lexer = builder.expander.lexer()
    ending = f"\\end{{{token.text}}}"
    if lexer is None or lexer.text.find(ending, lexer.position) < 0:
        builder.expander.note("unclosed", f"\\begin{{{token.text}}} is never closed", token)
        _begin_plain(builder, token)
        return
    text, _, _ = lexer.take_until(ending)
    stop = lexer.position
    language = ""
    if (options := _OPTION.match(text)) is not None:
        found = _LANGUAGE.search(options.group(1))
        language = found.group(1) if found else ""
        text = text[options.end() :]
    if token.text == "minted" and text.startswith("{"):
        language, _, text = text[1:].partition("}")
    if builder.mode in ("cell", "line"):
        builder.inlines.text(text.strip(), builder.style, token)
        return
    builder.end_block(token)
    place = builder.files.place(token.file, token.start, stop)
    quote = builder.files.quote(token.file, token.start, stop)
    builder.emit(Code(place, quote, text.strip("\n"), language))


def skip(builder: Builder, token: TexToken) -> None:
    """Drawings and comments: passed over, drawings with a note."""
    lexer = builder.expander.lexer()
    ending = f"\\end{{{token.text}}}"
    if lexer is not None:
        if lexer.text.find(ending, lexer.position) < 0:
            builder.expander.note("unclosed", f"\\begin{{{token.text}}} is never closed", token)
            _begin_plain(builder, token)
            return
        lexer.take_until(ending)
    else:
        while (part := builder.expander.next()) is not None and part.kind != "end_capture":
            if part.kind == "end" and part.text == token.text:
                break
        if part is not None and part.kind == "end_capture":
            builder.expander.push(part)
    if token.text != "comment":
        builder.expander.note(
            "drawing", f"{token.text} is program text for a drawing; it is left out", token, once=token.text
        )


_RULES: dict[str, Callable[[Builder, TexToken], None]] = {
    "document": begin_document,
    "abstract": begin_abstract,
    "thebibliography": begin_bibliography,
    "subequations": begin_parts,
    "frame": begin_frame,
    "math": read_inline_environment,
}
