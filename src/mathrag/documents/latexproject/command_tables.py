"""What text commands take and whether they leave anything: tables only, for the commands without a rule of their own.

A signature lists arguments in order: `s` a star, `o` brackets, `m` braces, `p` parentheses, `a` angle brackets. All are
dropped; after a final `>` the next argument is read as part of the text.
"""

from __future__ import annotations


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
