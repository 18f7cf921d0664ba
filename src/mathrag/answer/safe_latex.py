"""Whether LaTeX of a document may be shown as a formula: known commands of mathematics only, nothing doubtful."""

from __future__ import annotations

import re

_LONGEST = 1_000
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
    """.split()
)
_ENVIRONMENT = re.compile(r"\\(begin|end)\s*\{([A-Za-z]*)\}")


def is_safe_latex(latex: str) -> bool:
    """Whether the text is mathematics and nothing else: no macro, file, link or end of the formula inside it."""
    # A page that knows no formulas could see a link in brackets and slashes.
    if not latex.strip() or len(latex) > _LONGEST or "](" in latex or "//" in latex:
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
