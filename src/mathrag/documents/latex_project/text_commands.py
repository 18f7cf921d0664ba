"""What commands do in running text: headings, items, captions, references, rows of tables, styles, the title page.

Commands that only take arguments away or pass them on stand in the tables.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from mathrag.documents.latex_project.builder import Builder
from mathrag.documents.latex_project.environments import drop_arguments, finish_reference
from mathrag.documents.latex_project.front_matter import PREAMBLE
from mathrag.documents.latex_project.inlines import ACCENTS, SYMBOLS, Inlines, accented
from mathrag.documents.latex_project.tables import end_head, end_row
from mathrag.documents.latex_project.tokens import TexToken, as_source
from mathrag.documents.latex_project.units import COMMANDS as UNIT_COMMANDS
from mathrag.documents.latex_project.units import plain_chemistry, read_quantity
from mathrag.types.document import Heading, Image, plain_text

# What text commands take and whether they leave anything: tables only, for the commands without a rule of their own.
#
# A signature lists arguments in order: `s` a star, `o` brackets, `m` braces, `p` parentheses, `a` angle brackets. All
# are dropped; after a final `>` the next argument is read as part of the text.


def _table(lines: str) -> dict[str, str]:
    table: dict[str, str] = {}
    for line in lines.strip().splitlines():
        signature, names = line.split(None, 1)
        table.update(dict.fromkeys(names.split(), "" if signature == "-" else signature))
    return table


SIGNATURES = _table(
    """
-     noindent indent centering raggedright raggedleft clearpage cleardoublepage newpage pagebreak nopagebreak maketitle
-     tableofcontents listoffigures listoftables frontmatter mainmatter backmatter smallskip medskip bigskip vfill hfill
-     vfil null relax protect leavevmode strut allowbreak linebreak nolinebreak sloppy fussy onecolumn flushbottom
-     raggedbottom normalfont normalsize tiny scriptsize footnotesize small large Large LARGE huge Huge rm sf tt sc
-     rmfamily sffamily ttfamily scshape mdseries upshape slshape normalcolor makeindex printindex makenomenclature
-     printnomenclature makeglossaries printglossary printglossaries newline break goodbreak nobreak filbreak samepage
-     selectfont unskip ignorespaces ignorespacesafterend boldmath unboldmath columnbreak balance singlespacing
-     doublespacing onehalfspacing tabularnewline nonumber notag displaystyle textstyle qedhere qed
-     newblock arraybackslash frenchspacing nonfrenchspacing hrulefill dotfill today
-     thepage aftergroup obeylines obeyspaces limits nolimits limitsmode FloatBarrier justifying justify
-     titlepage endtitlepage phantomsection hfilneg maketitlepage normalmarginpar reversemarginpar
-     RaggedRight RaggedLeft Centering makecover listofalgorithms bfdefault doublespace pause
so    printbibliography printbibheading
m     vphantom hphantom phantom pagestyle thispagestyle pagenumbering hypersetup sisetup pgfplotsset tikzset lstset
m     geometry bibliographystyle usetikzlibrary usepgfplotslibrary graphicspath hyphenation index glossary markright
m     theoremstyle newlength newsavebox usebox newdimen newskip stepcounter refstepcounter setstretch pagecolor
m     AtEndDocument
m     DeclareGraphicsExtensions sectionmark chapterfont sectionfont subsectionfont linespread
m     affil affiliation address orcid inst thanks dedicatory subjclass curraddr urladdr
m     listfiles pgfmathparse glsresetall glsaddall loadglsentries makesavenoteenv useoutertheme
m     usetheme usecolortheme usefonttheme useinnertheme logo titlegraphic excludecomment includecomment urlstyle
m     nocite ead cline cmidrulekern bibdata citestyle DeclareMathSizes setcitestyle tcbuselibrary
m     setmainfont setsansfont setmonofont setmathfont setdefaultlanguage setotherlanguage setmainlanguage
om    captionsetup color rowcolor cellcolor columncolor fancyhead fancyfoot lhead rhead chead lfoot rfoot cfoot
om    bibliographyunit footnotetext marginpar documentstyle PassOptionsToPackage todo setkomafont
om    renewbibmacro AtBeginBibliography usefont defcitealias mdfsetup newmdenv
so    addlinespace
som   vspace hspace enlargethispage
mm    setlength addtolength setcounter addtocounter settowidth settoheight settodepth markboth
mm    counterwithin counterwithout SetMathAlphabet pgfmathsetmacro setbeamertemplate setbeamercolor setbeamerfont
mm    newfloat DeclareFieldFormat crefname Crefname newmathalphabet sethlcolor theoremstyles
mmm   definecolor
mm    colorlet
omm   rule
ommm  newacronym
smmmm titlespacing
mmmmm DeclareMathAlphabet DeclareSymbolFont DeclareFontFamily
mmmm  DeclareMathSymbol
mmm   specialrule providecolor
omo   newcounter
pm    cmidrule
om>   textcolor
m>    colorbox scalebox foreignlanguage otherlanguage hypertarget hyperlink
m     selectlanguage
mm    fontsize
mm>   resizebox fcolorbox
moo>  raisebox
om>   rotatebox
oo>   makebox framebox
ooom> parbox
o>    hyperref
oo>   subfloat
mom   acro acrodef
smommmmo titleformat
mm    defbibnote addtocontents
mmm   contentsline
o     startcontents stopcontents resumecontents
om    lstinputlisting verbatiminput VerbatimInput
omm   inputminted
o     newrefcontext
m     DefineShortVerb MakeShortVerb DeleteShortVerb UndefineShortVerb
-     hrule vrule
>     fbox mbox hbox vbox makecell shortstack textnormal textrm textsf texttt textsc textup textmd uppercase lowercase
>     MakeUppercase MakeLowercase MakeTextUppercase textlf underline uline sout framed centerline leftline rightline
>     boxed
>     ensuretext tcbox term mathrm subtitle institute keywords thead
>     foreignword acs acl acf ac gls Gls glspl Glspl acrshort acrlong acrfull glssymbol glsdesc alert structure only
>     uncover
>     acp acfp acsp aclp acsu newterm
>     text mathit mathbf hl highlight smash llap rlap clap email
"""
)

BOLD = frozenset(("textbf", "bf", "bfseries", "strong", "boldsymbol"))
ITALIC = frozenset(("textit", "textsl", "emph", "it", "itshape", "em", "sl", "slshape"))
SWITCHES = frozenset(("bf", "bfseries", "it", "itshape", "em", "sl", "slshape"))
ARGUMENT_STYLES = frozenset(("textbf", "strong", "textit", "textsl", "emph"))
RULES = frozenset(("hline", "toprule", "midrule", "bottomrule", "Xhline", "firsthline", "lasthline", "hhline"))

# Lengths that may be assigned without a command (`\\parindent=0pt`, `\\vskip 1cm plus 1fil`).
LENGTHS = frozenset(
    (
        "parindent parskip baselineskip textwidth textheight oddsidemargin evensidemargin topmargin headheight headsep "
        "footskip columnsep columnwidth linewidth hsize vsize tabcolsep arraycolsep arrayrulewidth fboxsep "
        "fboxrule vskip "
        "hskip kern mkern mskip leftskip rightskip topskip itemsep parsep topsep labelsep leftmargin rightmargin "
        "abovedisplayskip "
        "belowdisplayskip abovedisplayshortskip belowdisplayshortskip intextsep floatsep textfloatsep penalty "
        "tolerance "
        "hbadness vbadness widowpenalty clubpenalty emergencystretch hfuzz vfuzz abovecaptionskip "
        "belowcaptionskip LTpre "
        "LTpost voffset hoffset pdfpagewidth pdfpageheight multlinegap jot lineskip interlinepenalty paperwidth "
        "paperheight"
    ).split()
)

SECTION_RANKS = {
    "part": 1, "chapter": 2, "section": 3, "subsection": 4, "subsubsection": 5, "paragraph": 6, "subparagraph": 7,
    "addpart": 1, "addchap": 2, "addsec": 3, "frametitle": 5, "minisec": 6,
}  # fmt: skip


# What commands do inside tables: rows, rules, cells across columns and rows, titles that go into the contents.


def _contents_line(builder: Builder, _: TexToken) -> None:
    """`\\addcontentsline{toc}{section}{...}`: inside a table it says that the row to come is a title."""
    expander = builder.expander
    expander.argument()
    kind = expander.plain_argument()
    expander.argument()
    if builder.tables and kind in SECTION_RANKS:
        builder.tables[0 if builder.tables[-1].is_nested else -1].contents_rank = SECTION_RANKS[kind]


def _line_end(builder: Builder, token: TexToken) -> None:
    """`\\\\`: a row ends, or a line."""
    expander = builder.expander
    expander.star()
    following = expander.peek()
    if following is not None and following.kind == "characters" and following.text.startswith("["):
        expander.option()
    if builder.in_table_row:
        table = builder.tables[-1]
        end_row(table, builder.files, token=token)
        builder.inlines = table.cell.inlines
    elif builder.mode == "line":
        builder.inlines.space(token)
    else:
        builder.inlines.line_break()


def _rule(builder: Builder, token: TexToken) -> None:
    if token.text in ("Xhline", "hhline"):
        builder.expander.argument()
    if builder.tables:
        builder.tables[-1].rule("midrule" if token.text == "midrule" else "hline")


def _end_head(builder: Builder, token: TexToken) -> None:
    if builder.tables:
        end_head(builder.tables[-1], token.text)


def _spanning_columns(builder: Builder, token: TexToken) -> None:
    """`\\multicolumn{2}{c}{...}`."""
    count = builder.expander.plain_argument()
    builder.expander.argument()
    if builder.in_table_row:
        cell = builder.tables[-1].cell
        cell.columns = max(1, int(count)) if re.fullmatch(r"\d{1,3}", count) else 1
        cell.is_spanning = cell.columns > 1
    builder.open_argument(token)


def _spanning_rows(builder: Builder, token: TexToken) -> None:
    """`\\multirow[t]{2}[0]{*}[0pt]{...}`."""
    expander = builder.expander
    expander.option()
    count = expander.plain_argument()
    drop_arguments(builder, "omo")
    if builder.in_table_row and re.fullmatch(r"-?\d{1,3}", count):
        builder.tables[-1].cell.rows = max(1, abs(int(count)))
    builder.open_argument(token)


def _forget_line(builder: Builder, _: TexToken) -> None:
    """`\\kill` and the like: the line was only there to be measured."""
    if builder.in_table_row:
        builder.tables[-1].row.clear()
        builder.tables[-1].cell.inlines = builder.inlines = Inlines()


TABLE_COMMANDS: dict[str, Callable[[Builder, TexToken], None]] = {
    "addcontentsline": _contents_line,
    **dict.fromkeys(("\\", "tabularnewline", "cr", "newline"), _line_end),
    **dict.fromkeys(RULES, _rule),
    **dict.fromkeys(("endhead", "endfirsthead", "endfoot", "endlastfoot"), _end_head),
    **dict.fromkeys(("multicolumn", "SetCell"), _spanning_columns),
    "multirow": _spanning_rows,
    "kill": _forget_line,
}

_LENGTH = re.compile(
    r"\s*=?\s*(?:\\[A-Za-z]+|-?\s*\d*\.?\d*\s*(?:pt|cm|mm|in|em|ex|mu|sp|bp|pc|dd|cc|\\[A-Za-z]+)?)"
    r"(?:\s*(?:plus|minus)\s*-?\d*\.?\d*\s*(?:pt|cm|mm|in|em|ex|mu|fil{1,3}|\\[A-Za-z]+))*"
)


# \\thesection and its kin print numbers that are not known here.
_COUNTER = re.compile(r"the[a-z]+")


def run_command(builder: Builder, token: TexToken) -> None:
    """One command of the text."""
    name = token.text
    if builder.mode == "preamble":
        if name in PREAMBLE:
            PREAMBLE[name](builder, token)
        elif name in SIGNATURES:
            drop_arguments(builder, SIGNATURES[name].rstrip(">"))
        return
    handler = _COMMANDS.get(name) or PREAMBLE.get(name)
    if handler is not None:
        handler(builder, token)
    elif name in SYMBOLS:
        _symbol(builder, token)
    elif name in ACCENTS:
        _accent(builder, token)
    elif name in ARGUMENT_STYLES or name in SWITCHES:
        _style(builder, token)
    elif name in SIGNATURES:
        _by_signature(builder, token)
    elif name in LENGTHS:
        builder.expander.take_raw(_LENGTH)
    elif name in UNIT_COMMANDS:
        builder.text(read_quantity(builder.expander, token).plain, token)
    elif not _COUNTER.fullmatch(name):
        builder.expander.note(
            "unknown_command",
            f"the command \\{name[:60]} is not known; what stands in its braces is read",
            token,
            once=name,
        )
        builder.expander.option()


def _symbol(builder: Builder, token: TexToken) -> None:
    text = SYMBOLS[token.text]
    if text == " ":
        builder.inlines.space(token)
        return
    builder.text(text, token)
    if token.text in ("textsuperscript", "textsubscript"):
        builder.open_argument(token)


def _accent(builder: Builder, token: TexToken) -> None:
    letters = builder.expander.argument(is_long=False)
    letter = "".join(SYMBOLS.get(part.text, "") if part.kind == "command" else part.text for part in letters)
    if letter[:1].isalpha():
        builder.text(accented(token.text, letter), token)
    else:
        builder.expander.push_all(letters)


def _style(builder: Builder, token: TexToken) -> None:
    bold, italic = builder.style
    style = (True, italic) if token.text in BOLD else (bold, True)
    if token.text in SWITCHES:
        builder.style = style
    else:
        builder.open_argument(token, style)


def _by_signature(builder: Builder, token: TexToken) -> None:
    signature = SIGNATURES[token.text]
    drop_arguments(builder, signature.rstrip(">"))
    if signature.endswith(">"):
        if token.text in ("parbox", "makecell", "shortstack") and builder.mode == "cell" and builder.tables:
            builder.tables[-1].cell.has_box = True
        builder.open_argument(token)


def _heading(builder: Builder, token: TexToken) -> None:
    """`\\section*[short]{Title}`."""
    expander = builder.expander
    is_starred = expander.star()
    expander.option()
    title = expander.argument(is_long=False)
    span = builder.span_from(token)
    rank = SECTION_RANKS[token.text]
    if builder.mode in ("cell", "line"):
        builder.text(plain_text(builder.capture(title).content()), token)
        return
    builder.end_block(token)
    if not is_starred:
        builder.numbering.section(rank)
    content = builder.capture(title).content()
    builder.rank = rank
    if content:
        builder.emit(Heading(span.place(builder.files), span.quote(builder.files), rank, content))


def _item(builder: Builder, token: TexToken) -> None:
    """`\\item`, `\\item[term]`."""
    drop_arguments(builder, "a")
    option = builder.expander.option()
    if not builder.lists or builder.mode != "flow":
        builder.end_block(token)
        if option:
            builder.expander.push_all(option)
        elif builder.mode in ("cell", "line"):
            builder.text("• ", token)
        return
    term = builder.capture(option).content() if option else ()
    builder.end_block(token)
    state = builder.lists[-1]
    state.count += 1
    state.is_open = True
    is_counted = state.kind.startswith("enumerate") or "enum" in state.kind
    state.marker = f"{state.count}." if is_counted else "•" if state.kind.startswith(("itemize", "compactitem")) else ""
    state.term = ()
    if option is not None:
        if state.kind.startswith("description"):
            state.term = term
        else:
            state.marker = plain_text(term)
    builder.fresh_inlines(builder.inlines)
    builder.inlines.span.add(token)


def _bibliography_item(builder: Builder, token: TexToken) -> None:
    finish_reference(builder)
    builder.expander.option()
    builder.reference_key = builder.expander.plain_argument()
    builder.inlines.span.add(token)


def _caption(builder: Builder, token: TexToken) -> None:
    """`\\caption[short]{...}`: of the float or the long table it stands in."""
    expander = builder.expander
    expander.star()
    kind = ""
    if token.text == "captionof":
        kind = expander.plain_argument()
    expander.option()
    tokens = expander.argument()
    span = builder.span_from(token)
    content = builder.capture(tokens).content()
    if builder.floats:
        opened = builder.floats[-1]
        kind = kind or opened.kind
        opened.caption, opened.caption_span = content, span
    elif builder.tables:
        kind = "table"
        builder.tables[-1].caption = content
    else:
        builder.inlines.add_content(content, token)
    builder.numbering.current = builder.numbering.count(kind or "figure")


def _graphics(builder: Builder, token: TexToken) -> None:
    """`\\includegraphics[...]{file}`: a picture, never opened."""
    builder.expander.star()
    builder.expander.option()
    source = builder.expander.plain_argument()
    span = builder.span_from(token)
    builder.emit(Image(span.place(builder.files), span.quote(builder.files), source=source[:400]))


def _label(builder: Builder, _: TexToken) -> None:
    builder.numbering.label(builder.expander.plain_argument())


def _reference(builder: Builder, token: TexToken) -> None:
    builder.expander.star()
    keys = builder.expander.plain_argument().split(",")[:20]
    text = ", ".join(builder.numbering.mark(key.strip()[:100]) for key in keys)
    builder.text(f"({text})" if token.text == "eqref" else text, token)


def _page_reference(builder: Builder, token: TexToken) -> None:
    """There are no pages here; the telling part of the key must do."""
    builder.expander.star()
    builder.text(builder.expander.plain_argument().rpartition(":")[2][:100], token)


def _citation(builder: Builder, token: TexToken) -> None:
    drop_arguments(builder, "soo")
    builder.text(f"[{builder.expander.plain_argument()[:200]}]", token)


def _address(builder: Builder, token: TexToken) -> None:
    """`\\url{...}` shows its address, `\\href{...}{text}` its text."""
    drop_arguments(builder, "o")
    address = as_source(builder.expander.argument())
    if token.text == "href":
        builder.open_argument(token)
    else:
        builder.text(address, token)


def _footnote(builder: Builder, token: TexToken) -> None:
    """A footnote is read in its place, in parentheses."""
    builder.expander.option()
    content = builder.capture(builder.expander.argument()).content()
    if content:
        builder.inlines.space(token)
        builder.text("(", token)
        builder.inlines.add_content(content, token)
        builder.text(")", token)


def _chemistry(builder: Builder, token: TexToken) -> None:
    builder.text(plain_chemistry(as_source(builder.expander.expanded(builder.expander.argument()))), token)


def _ensure_math(builder: Builder, token: TexToken) -> None:
    tokens = builder.expander.argument()
    last = builder.expander.last
    stop = max(token.stop, last.stop) if last.file == token.file else token.stop
    builder.expander.push(TexToken("end_capture", "", token.file, stop, stop))
    builder.expander.push_all(tokens)
    builder.rules.formula(builder, token._replace(stop=stop), "capture")


def _formula(closer: str) -> Callable[[Builder, TexToken], None]:
    return lambda builder, token: builder.rules.formula(builder, token, closer)


def _group(builder: Builder, token: TexToken) -> None:
    builder.push_frame("group", token.text, token)


def _group_end(builder: Builder, token: TexToken) -> None:
    if len(builder.frames) > builder.floor and builder.frames[-1].kind == "group":
        builder.pop_frame(token)


def _paragraph(builder: Builder, token: TexToken) -> None:
    builder.end_paragraph(token)


def _appendix(builder: Builder, _: TexToken) -> None:
    builder.numbering.begin_appendix()


def _first_kept(builder: Builder, _: TexToken) -> None:
    """`\\texorpdfstring{seen}{bookmark}`."""
    seen = builder.expander.argument()
    builder.expander.argument()
    builder.expander.push_all(seen)


def _quoted(builder: Builder, token: TexToken) -> None:
    builder.expander.star()
    tokens = builder.expander.argument()
    mark = TexToken("written", "”", token.file, token.start, token.stop)
    builder.text("“", token)
    builder.expander.push_all([*tokens, mark])


def _blank_before_word(builder: Builder, token: TexToken) -> None:
    """`\\xspace`: the blank that TeX swallows after a macro's name, unless punctuation follows."""
    following = builder.expander.peek()
    if following is None:
        return
    starts_word = following.kind == "characters" and (following.text[0].isalnum() or following.text[0] in "([=")
    if starts_word or following.kind in ("command", "dollar", "open"):
        builder.inlines.space(token)


_COMMANDS: dict[str, Callable[[Builder, TexToken], None]] = {
    **TABLE_COMMANDS,
    **dict.fromkeys(SECTION_RANKS, _heading),
    "item": _item,
    "bibitem": _bibliography_item,
    **dict.fromkeys(("caption", "captionof", "subcaption"), _caption),
    **dict.fromkeys(("includegraphics", "includesvg", "epsfig", "psfig"), _graphics),
    "label": _label,
    **dict.fromkeys("ref eqref autoref cref Cref nameref vref subref labelcref".split(), _reference),
    "pageref": _page_reference,
    **dict.fromkeys(
        "cite citep citet citealt citealp parencite textcite footcite autocite Cite citeauthor citeyear supercite "
        "fullcite Citet Citep onlinecite".split(),
        _citation,
    ),
    **dict.fromkeys(("url", "href", "nolinkurl", "path"), _address),
    **dict.fromkeys(("footnote", "sidenote", "tablefootnote", "marginnote"), _footnote),
    "xspace": _blank_before_word,
    **dict.fromkeys(("ce", "cee", "chemfig"), _chemistry),
    "ensuremath": _ensure_math,
    "(": _formula(")"),
    "[": _formula("]"),
    **dict.fromkeys(("begingroup", "bgroup"), _group),
    **dict.fromkeys(("endgroup", "egroup"), _group_end),
    "par": _paragraph,
    "appendix": _appendix,
    "texorpdfstring": _first_kept,
    "enquote": _quoted,
}
