"""Commands of well-known packages that are other LaTeX in short, written out; and environments no document redefines.

Only what the formula reader does not know by itself. A document that defines one of the names has its own way.
"""

from __future__ import annotations

from functools import cache

from mathrag.documents.latexproject.macros import Macro, Parameter
from mathrag.documents.latexproject.tokens import tokens_of

_BRACES, _OPTION, _STAR = Parameter("braces"), Parameter("brackets", ()), Parameter("star")

# Name, how its arguments are given (m, o, s), what it stands for.
_SHORT_FORMS = r"""
pqty      sm   \left(#2\right)
bqty      sm   \left[#2\right]
Bqty      sm   \left\{#2\right\}
vqty      sm   \left|#2\right|
order     m    O\left(#1\right)
comm      mm   \left[#1,#2\right]
commutator mm  \left[#1,#2\right]
expval    sm   \left\langle #2\right\rangle
ev        sm   \left\langle #2\right\rangle
ket       m    \left|#1\right\rangle
bra       m    \left\langle #1\right|
laplacian -    \nabla^{2}
cross     -    \times
vdot      -    \cdot
dif       -    \mathrm{d}
diff      -    \mathrm{d}
vectorbold sm  \vb{#2}
vnabla    -    \nabla
qif       -    \quad\text{if}\quad
qand      -    \quad\text{and}\quad
qor       -    \quad\text{or}\quad
qfor      -    \quad\text{for}\quad
qwith     -    \quad\text{with}\quad
qc        -    ,\quad
"""

PROTECTED_ENVIRONMENTS = frozenset(
    (
        "document abstract itemize enumerate description thebibliography table table* figure figure* tabular tabular* "
        "tabularx longtable equation equation* align align* gather gather* multline multline* eqnarray eqnarray* math "
        "displaymath cases array verbatim lstlisting comment center minipage split aligned"
    ).split()
)


@cache
def package_macros() -> dict[str, Macro]:
    """The short forms as macros."""
    macros: dict[str, Macro] = {}
    for line in _SHORT_FORMS.strip().splitlines():
        name, letters, body = line.split(None, 2)
        kinds = {"m": _BRACES, "o": _OPTION, "s": _STAR}
        parameters = tuple(kinds[letter] for letter in letters if letter != "-")
        macros[name] = Macro(parameters, tuple(tokens_of(body)))
    return macros
