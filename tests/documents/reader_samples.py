"""Small documents in every format that has a reader, for the contract that all readers keep. Each holds `F = m a`."""

from __future__ import annotations

import json
from dataclasses import dataclass


@dataclass(frozen=True)
class Sample:
    """A document and what must be found in it. `nested` gives a text nested so deeply that recursion would fail."""

    media_type: str
    name: str
    data: bytes
    headings: tuple[str, ...]
    kinds: tuple[str, ...]
    is_quoted_from_source: bool = True


MARKDOWN = r"""# Motion

The force is $F = m a$, where $m$ is the mass in kg.

$$
v = \frac{s}{t} \tag{3.2}
$$

## Energy

- kinetic: $E = \frac{1}{2} m v^2$
- potential

| Symbol | Unit |
|---|---|
| $E$ | J |
| $h$<br>$H$ | m |

```python
print("never run")
```

![a lever](lever.png)
"""

PLAIN = """Motion
======

The force F is mass times acceleration:

    F = m a

where m is the mass in kg.

1. kinetic energy
2. potential energy
"""

LATEX = r"""\documentclass{article}
\newcommand{\force}{F}
\title{Motion}
\begin{document}
\maketitle
\section{Motion}
The force is $F = m a$, where $m$ is the mass.
\begin{equation}
  v = \frac{s}{t} \label{eq:speed}
\end{equation}
\subsection{Energy}
\begin{itemize}
  \item kinetic: $E = \frac{1}{2} m v^2$
  \item potential
\end{itemize}
\begin{tabular}{ll}
  Symbol & Unit \\ \hline
  $E$ & J \\
\end{tabular}
\begin{thebibliography}{9}
\bibitem{newton} I. Newton, Principia, 1687.
\end{thebibliography}
\end{document}
"""

HTML = r"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Motion</title><script>alert(1)</script></head>
<body><h1>Motion</h1>
<p>The force is <math><mi>F</mi><mo>=</mo><mi>m</mi><mi>a</mi></math>, where <i>m</i> is the mass.</p>
<p>Also \(F = m a\) and <i>E</i> = <i>m c</i><sup>2</sup>.</p>
<h2>Energy</h2>
<ul><li>kinetic</li><li>potential</li></ul>
<table><caption>Units</caption><tr><th>Symbol</th><th>Unit</th></tr><tr><td>E</td><td>J</td></tr></table>
<figure><img src="lever.png" alt="a lever"><figcaption>A lever</figcaption></figure>
<pre><code>print("never run")</code></pre>
</body></html>
"""

NOTEBOOK = json.dumps(
    {
        "cells": [
            {"cell_type": "markdown", "metadata": {}, "source": ["# Motion\n", "\n", "The force is $F = m a$.\n"]},
            {"cell_type": "code", "metadata": {}, "source": "print('never run')", "outputs": [], "execution_count": 1},
            {"cell_type": "markdown", "metadata": {}, "source": "## Energy\n\n| a | b |\n|---|---|\n| $x$ | 2 |\n"},
        ],
        "metadata": {"kernelspec": {"name": "python3"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    },
    indent=1,
)

SAMPLES = (
    Sample(
        "text/markdown", "motion.md", MARKDOWN.encode(), ("Motion", "Energy"),
        ("Heading", "Paragraph", "ListItem", "Table", "Code", "Image"),
    ),
    Sample("text/plain", "motion.txt", PLAIN.encode(), ("Motion",), ("Heading", "Paragraph", "ListItem")),
    Sample(
        "text/x-tex", "motion.tex", LATEX.encode(), ("Motion", "Energy"),
        ("Heading", "Paragraph", "ListItem", "Table", "Reference"),
    ),
    Sample(
        "text/html", "motion.html", HTML.encode(), ("Motion", "Energy"),
        ("Heading", "Paragraph", "ListItem", "Table", "Image", "Code"), is_quoted_from_source=False,
    ),
    Sample(
        "application/x-ipynb+json", "motion.ipynb", NOTEBOOK.encode(), ("Motion", "Energy"),
        ("Heading", "Paragraph", "Code", "Table"), is_quoted_from_source=False,
    ),
)  # fmt: skip

_DEEP = 5_000
NESTED = {
    "text/markdown": {
        "quotes": b"> " * _DEEP + b"deep $x$",
        "brackets": b"[" * _DEEP + b"x" + b"](y)" * _DEEP,
        "emphasis": b"*_" * _DEEP + b"x" + b"_*" * _DEEP,
        "lists": b"".join(b" " * (2 * depth) + b"- x\n" for depth in range(500)),
        "dollars": b"$" * 100_000,
        "pipes": b"|" * 50_000 + b"\n" + b"|-" * 25_000 + b"|\n",
    },
    "text/plain": {
        "equals": b"= " * 50_000,
        "parentheses": b"(" * 50_000 + b"x = 1" + b")" * 50_000,
        "indented": b"".join(b" " * depth + b"x\n" for depth in range(500)),
        "one line": b"a = b " * 50_000,
    },
    "text/x-tex": {
        "braces": b"{" * 100_000 + b"x" + b"}" * 100_000,
        "open braces": b"\\section{" * 5_000,
        "lists": b"\\begin{itemize}\\item " * _DEEP,
        "dollars": b"$" * 100_001,
        "macro loop": b"\\def\\a{\\a\\a}\\a",
        "macro growth": b"".join(
            b"\\def\\%c{\\%c\\%c\\%c}" % (97 + k, 98 + k, 98 + k, 98 + k) for k in range(20)
        ) + b"\\a",
        "input itself": b"\\input{motion}" * 50,
        "input outside": b"\\input{/etc/passwd}\\input{../../../../etc/passwd}\\input{|id}",
    },
    "text/html": {
        "elements": b"<div>" * _DEEP + b"x",
        "tables": b"<table><tr><td>" * 500 + b"x",
        "lists": b"<ul><li>" * _DEEP + b"x",
        "fractions": b"<math>" + b"<mfrac><mi>x</mi>" * _DEEP,
        "sub": b"<sub>" * _DEEP + b"x",
        "entities": b"<!DOCTYPE html [<!ENTITY a 'ha'><!ENTITY b '&a;&a;'>]><p>&b;&b;" + b"&lt;" * 20_000,
        "attributes": b"<p " + b"a='1' " * 50_000 + b">x",
        "open tags": b"<" * 100_000,
        "comments": b"<!--" * 50_000,
        "span": b"<table><tr><td colspan=999999999 rowspan=999999999>x</table>",
    },
    "application/x-ipynb+json": {
        "lists": b'{"nbformat": 4, "cells": ' + b"[" * 100_000,
        "objects": b'{"nbformat": 4, "cells": ' + b'{"a":' * 100_000,
        "numbers": b'{"nbformat": 4, "cells": [], "x": ' + b"9" * 10_000 + b"}",
        "wrong types": b'{"nbformat": "x", "cells": [1, null, {"cell_type": 3, "source": {"a": 1}}, {"source": [1]}]}',
        "half characters": b'{"nbformat": 4, "cells": [{"cell_type": "markdown", "source": "a \\ud800 $x\\udfff$"}]}',
        "not an object": b"[]",
    },
}  # fmt: skip

GARBAGE = {
    "nothing": b"",
    "byte order mark": b"\xef\xbb\xbf",
    "white": b" \t\r\n\f\v" * 50,
    "null bytes": b"\x00" * 1_000,
    "every byte": bytes(range(256)) * 4,
    "bad utf-8": b"a \xff\xfe\xc3 $x\xe2\x82$ \xed\xa0\x80 b\n" * 20,
    "half utf-16": "# a $x$".encode("utf-16")[:-1],
    "utf-32": "# a $x = 1$\n".encode("utf-32"),
    "latin-1": "# Größe\n\nDie Größe $µ$ ist groß.\n".encode("latin-1"),
    "carriage returns": b"# a\r\r$x$\r\n\r\n\n\rb",
    "line separators": "a\u2028b\u2029c\x85d\x0be\x0cf\x1cg $x$".encode(),
    "right to left": "\u202e# abc $x$ \u202c\u200f\u200e".encode(),
    "controls": b"# a\x1b[31m\x07\x08$x\x01$\x7f",
    "one long line": b"word " * 20_000,
    "one long word": b"w" * 200_000,
    "many lines": b"\n" * 50_000 + b"x",
    "piled accents": ("e" + "\u0301" * 5_000).encode(),
    "astral": "𝑭 = 𝑚𝑎 🚀\n".encode() * 10,
}
