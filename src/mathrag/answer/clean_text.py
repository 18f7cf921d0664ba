"""Text of strangers made harmless for each way of showing it: one line, nothing that a terminal or a page obeys."""

from __future__ import annotations

import re
import unicodedata

LONGEST_LINE = 400
# Vietnamese has two; more than three are meant to spill over other lines.
_STACKED_MARKS = 3
# Signs that mean something to Markdown wherever they stand, or to HTML within it.
_MARKDOWN = re.compile(r"[\\`*_{}\[\]<>#|~$&!]|:(?=/)|(?<=www)\.", re.IGNORECASE)
# A list or a rule begins with these, but only at the start of a line.
_OPENING = re.compile(r"(?=[-+=])|\d{1,9}(?=[.)](?:\s|$))")


def clean(text: str, *, longest: int = LONGEST_LINE) -> str:
    """One line without control characters, direction changes or towers of accents; cut where nobody reads on."""
    # Cut before the work, so that a megabyte costs no more than a page.
    line = " ".join(text[: 4 * longest].split())
    if not line.isprintable() or not line.isascii():
        line = "".join(_tamed(line))
        line = " ".join(line.split())
    return line if len(line) <= longest else f"{line[: longest - 1].rstrip()}…"


def _tamed(line: str) -> list[str]:
    kept: list[str] = []
    marks = 0
    for character in line:
        category = unicodedata.category(character)
        marks = marks + 1 if category in ("Mn", "Me") else 0
        if category == "Cf" or marks > _STACKED_MARKS:
            continue  # direction overrides and zero-width signs: invisible, so nobody misses them
        kept.append(character if character.isprintable() else "�")
    return kept


def between_its_blanks(text: str, shown: str) -> str:
    """What is shown of a text, with the blanks at its ends, which part it from its neighbours."""
    before = " " if text[:1] == " " else ""
    after = " " if text[-1:] == " " and text.strip() else ""
    return f"{before}{shown}{after}"


def markdown_text(text: str, *, longest: int = LONGEST_LINE) -> str:
    """The text as Markdown that shows exactly these characters: no link, no heading, no HTML, no formula."""
    escaped = _MARKDOWN.sub(r"\\\g<0>", clean(text, longest=longest))
    opening = _OPENING.match(escaped)
    return escaped if opening is None else f"{escaped[: opening.end()]}\\{escaped[opening.end() :]}"


def markdown_code(text: str, *, longest: int = LONGEST_LINE) -> str:
    """The text as a code span, fenced by more backticks than it holds in a row."""
    line = clean(text, longest=longest)
    longest_run = max((len(run) for run in re.findall(r"`+", line)), default=0)
    fence = "`" * (longest_run + 1)
    padding = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{fence}{padding}{line}{padding}{fence}" if line else ""


# Whether LaTeX of a document may be shown as a formula: known commands of mathematics only, nothing doubtful.

_LONGEST_LATEX = 1_000
_TOKEN = re.compile(r"\\([A-Za-z]+)|\\([,;:!{}| %\\])|([A-Za-z0-9 \n\t+\-*/=^_()\[\]|,.;:'!&<>])|([{}])", re.S)
_ENVIRONMENTS = frozenset(("cases", "aligned", "array", "matrix", "pmatrix", "bmatrix"))
_COMMANDS = frozenset(
    """
    frac dfrac tfrac sqrt cdot times div pm mp left right big Big bigl bigr Bigl Bigr bigg Bigg
    alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi omicron pi varpi rho
    varrho sigma varsigma tau upsilon phi varphi chi psi omega
    Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega
    sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh exp ln log lg min max gcd mod bmod pmod
    sum prod int infty partial nabla hbar ell
    mathrm mathbf mathit mathsf mathcal mathbb boldsymbol text textrm operatorname rm
    bar hat dot ddot vec tilde overline underline widehat widetilde mathring breve check underbar
    prime circ degree dagger ddagger star ast langle rangle lfloor rfloor lceil rceil vert lvert rvert Vert mid
    le ge leq geq lt gt ne neq approx equiv simeq sim propto ll gg to rightarrow leftarrow Rightarrow
    quad qquad cdots ldots dots binom choose limits nolimits displaystyle textstyle
    begin end SI si qty unit num cfrac not in
    lim limsup liminf sup inf det dim ker deg arg iint oint
    forall exists neg land lor implies iff mapsto colon Leftrightarrow vdash
    cap cup bigcap bigcup setminus emptyset notin subset subseteq subsetneq oplus cong perp triangle aleph
    """.split()
)
_ENVIRONMENT = re.compile(r"\\(begin|end)\s*\{([A-Za-z]*)\}")


def is_safe_latex(latex: str) -> bool:
    """Whether the text is mathematics and nothing else: no macro, file, link or end of the formula inside it."""
    # A page that knows no formulas could see a link in brackets and slashes.
    if not latex.strip() or len(latex) > _LONGEST_LATEX or "](" in latex or "//" in latex:
        return False
    depth = position = 0
    while position < len(latex):
        token = _TOKEN.match(latex, position)
        if token is None or (token[1] is not None and token[1] not in _COMMANDS):
            return False
        depth += {"{": 1, "}": -1}.get(token[4] or "", 0)
        if depth < 0:
            return False
        position = token.end()
    return depth == 0 and _environments_fit(latex)


def _environments_fit(latex: str) -> bool:
    found = _ENVIRONMENT.findall(latex)
    if len(found) != len(re.findall(r"\\(?:begin|end)(?![A-Za-z])", latex)):
        return False
    pending: list[str] = []
    for kind, name in found:
        if kind == "begin":
            pending.append(name)
        elif not pending or pending.pop() != name:
            return False
    return not pending and all(name in _ENVIRONMENTS for _, name in found)


def shown_latex(latex: str) -> str:
    """Checked LaTeX on one line, in the writing that also survives a page of HTML."""
    return " ".join(latex.split()).replace("<", "\\lt ").replace(">", "\\gt ")
