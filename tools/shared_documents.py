"""The formulas of the real documents in ../shared/documents, one by one, cut out with regular expressions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

DOCUMENTS = Path(__file__).resolve().parent.parent.parent / "shared" / "documents"
_MARKDOWN = re.compile(r"\$\$(.+?)\$\$|(?<!\\)\$((?:[^$\\]|\\.)+?)\$", re.S)
_TEX = re.compile(
    r"\\begin\{(align\*?|equation\*?|gather\*?|eqnarray\*?|multline\*?)\}.*?\\end\{\1\}"
    r"|\\\[(.+?)\\\]|\$\$(.+?)\$\$|(?<!\\)\$((?:[^$\\]|\\.)+?)\$|\\\((.+?)\\\)",
    re.S,
)
_MATHML = re.compile(r"<math\b.*?</math>", re.S)
_RELATION = re.compile(r"=|\\approx|\\equiv|≈|≡")


def formulas_of(path: Path) -> Iterator[tuple[str, str]]:
    """The notation and the source of every formula with a relation."""
    text = path.read_text(encoding="utf-8", errors="replace")
    if path.suffix == ".md":
        found = (
            "latex",
            (match[1] or match[2] for match in _MARKDOWN.finditer(re.sub(r"```.*?```", "", text, flags=re.S))),
        )
    elif path.suffix == ".tex":
        plain = re.sub(r"(?<!\\)%.*", "", text)
        found = ("latex", (match[2] or match[3] or match[4] or match[5] or match[0] for match in _TEX.finditer(plain)))
    else:
        found = ("mathml", (match[0] for match in _MATHML.finditer(text)))
    notation, sources = found
    for source in sources:
        visible = re.sub(r"<[^>]*>", "", source) if notation == "mathml" else source
        if _RELATION.search(visible):
            yield notation, source


def documents() -> list[Path]:
    """All Markdown, LaTeX and HTML documents, in order."""
    return sorted(path for suffix in ("*.md", "*.tex", "*.html") for path in DOCUMENTS.rglob(suffix))
