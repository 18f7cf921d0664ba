"""What was heard on a walk to the content of a block: spaces as a browser sets them, formulas found, words styled."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby

from mathrag.documents.html.delimiters import split_delimited
from mathrag.documents.html.joined_lines import joined_line
from mathrag.documents.html.tagged_runs import script_as_text, split_tagged, with_symbols_as_runs
from mathrag.documents.html.tree import Node
from mathrag.documents.html.walk import TURNED, Atom, StyledText
from mathrag.documents.math_in_text.delimiters import has_delimiters
from mathrag.documents.math_in_text.explicit_lines import formulas_in_line, formulas_in_sentences
from mathrag.documents.math_in_text.typed_lines import TextFormula
from mathrag.documents.unseen_signs import TURNED as TURNED_SIGNS
from mathrag.types.document import Break, Content, Inline, Math, Text, plain_text

_SPACES = re.compile(r"[ \t\n\r\f\v\u00a0\u2000-\u200a\u202f\u205f\u3000]+")
_INVISIBLE = re.compile(
    r"[\u200b\u200c\u200d\u2060\u00ad\ufeff\u200e\u200f\u202a-\u202e\u2066-\u2069\x00-\x08\x0e-\x1f\x7f]"
)
_NUMBER = re.compile(
    r"\s*[.,;]?\s*[(\[](?:eq(?:uation|n)?\.?\s*)?([A-Z]{0,2}\.?\d+(?:[.\-–]\d+)*[a-z]?['′]?)[)\]]\s*[.,;]?\s*"
)
_LONGEST_LINE = 6_000
# Far more characters than any paragraph has; beyond, words are words.
_LONGEST_TAGGED = 200_000


def finish(atoms: Sequence[Atom], *, with_dollars: bool, node: Node, words_may_be_formulas: bool = True) -> Content:
    """The content of a block or a cell; breaks stay breaks."""
    if any(isinstance(atom, StyledText) and has_delimiters(atom.text) for atom in atoms):
        atoms = split_delimited(atoms, with_dollars=with_dollars)
    pieces: list[Inline] = []
    group: list[StyledText] = []
    is_after = False
    for atom in with_symbols_as_runs(_with_spaces_collapsed(atoms), node):
        if isinstance(atom, StyledText):
            group.append(atom)
            continue
        pieces.extend(_written(group, after_formula=is_after, before_formula=isinstance(atom, Math)))
        group = []
        is_after = isinstance(atom, Math)
        if isinstance(atom, Break) and (not pieces or isinstance(pieces[-1], Break)):
            continue
        pieces.append(atom)
    pieces.extend(_written(group, after_formula=is_after))
    content = _stripped(pieces)
    # Nobody can tell a formula from a word where a part of the line is struck out.
    is_doubtful = any(isinstance(atom, StyledText) and atom.style.doubt for atom in atoms)
    return _with_word_formulas(content, node) if words_may_be_formulas and not is_doubtful else content


def _with_spaces_collapsed(atoms: Iterable[Atom]) -> list[Atom]:
    """One space for many, none at the start and end of a line; characters without width left out."""
    result: list[Atom] = []
    texts: list[str] = []
    current: StyledText | None = None
    after_space = True
    for atom in atoms:
        if not isinstance(atom, StyledText):
            result.extend(_joined_run(current, texts))
            current = None
            result.append(atom)
            after_space = isinstance(atom, Break)
            continue
        if not atom.text.isascii() and TURNED_SIGNS.search(atom.text):
            atom = replace(atom, style=replace(atom.style, doubt=TURNED))
        text = _SPACES.sub(" ", _INVISIBLE.sub("", atom.text))
        if after_space and text.startswith(" "):
            text = text[1:]
        if not text:
            continue
        after_space = text.endswith(" ")
        if current is None or current.style != atom.style or current.formula is not atom.formula:
            result.extend(_joined_run(current, texts))
            current, texts = atom, []
        texts.append(text)
    result.extend(_joined_run(current, texts))
    return result


def _joined_run(run: StyledText | None, texts: list[str]) -> list[Atom]:
    return [] if run is None else [replace(run, text="".join(texts))]


def _written(group: list[StyledText], *, after_formula: bool = False, before_formula: bool = False) -> list[Inline]:
    """Runs between breaks and formulas: the formulas among their tags, the rest as text."""
    if not group:
        return []
    size = sum(len(run.text) for run in group)
    found: Sequence[StyledText | Math] = group
    if size <= _LONGEST_TAGGED:
        found = split_tagged(group, after_formula=after_formula, before_formula=before_formula)
    pieces: list[Inline] = []
    before = ""
    for piece in found:
        if isinstance(piece, Math):
            pieces.append(piece)
            before = piece.quote[-60:]
            continue
        text = script_as_text(piece, before) if piece.style.scripts else piece.text
        before = (before + text[-60:])[-60:]
        pieces.append(Text(text, piece.style.bold, piece.style.italic))
    return _merged(pieces)


def _merged(pieces: Iterable[Inline]) -> list[Inline]:
    """Texts of one style that follow each other in one piece."""
    result: list[Inline] = []
    for (kind, *style), group in groupby(pieces, key=_kind):
        if kind is Text:
            text = "".join(piece.text for piece in group if isinstance(piece, Text))
            result.extend([Text(text, *style)] if text else [])
        else:
            result.extend(group)
    return result


def _kind(piece: Inline) -> tuple[type, bool, bool]:
    return (Text, piece.bold, piece.italic) if isinstance(piece, Text) else (type(piece), False, False)


def _stripped(pieces: list[Inline]) -> Content:
    """Without breaks and spaces at the ends, and without spaces before a break."""
    result: list[Inline] = []
    for piece in pieces:
        if isinstance(piece, Break) and result and isinstance(result[-1], Text):
            trimmed = replace(result[-1], text=result[-1].text.rstrip(" "))
            result[-1:] = [trimmed] if trimmed.text else []
        if isinstance(piece, Break) and (not result or isinstance(result[-1], Break)):
            continue
        result.append(piece)
    while result and (isinstance(result[-1], Break) or _is_blank(result[-1])):
        result.pop()
    if result and isinstance(result[-1], Text):
        result[-1] = replace(result[-1], text=result[-1].text.rstrip(" "))
    return tuple(result)


def _is_blank(piece: Inline) -> bool:
    return isinstance(piece, Text) and not piece.text.strip()


def _with_word_formulas(content: Content, node: Node) -> Content:
    """Lines that are formulas in plain words (`F = m·a`), where no tag or delimiter told so."""
    lines: list[list[Inline]] = [[]]
    for piece in content:
        if isinstance(piece, Break):
            lines.append([])
        else:
            lines[-1].append(piece)
    result: list[Inline] = []
    for number, line in enumerate(lines):
        if number:
            result.append(Break())
        result.extend(_line_with_formula(line, node))
    return tuple(result)


def _line_with_formula(line: list[Inline], node: Node) -> list[Inline]:
    joined = joined_line(line)
    if joined is not None:
        return [joined]
    texts = [piece for piece in line if isinstance(piece, Text)]
    if sum(len(piece.text) for piece in texts) > _LONGEST_LINE:
        return line
    if len(texts) == len(line):
        return _with_formulas(texts, node, formulas_in_line("".join(piece.text for piece in texts)))
    result: list[Inline] = []
    for is_text, group in groupby(line, key=lambda piece: isinstance(piece, Text)):
        pieces = list(group)
        runs = [piece for piece in pieces if isinstance(piece, Text)]
        result.extend(_between_formulas(runs, node) if is_text else pieces)
    return result


def _between_formulas(texts: list[Text], node: Node) -> list[Inline]:
    """Words beside formulas of another kind; what touches those would be half a formula."""
    text = "".join(piece.text for piece in texts)
    inside = [one for one in formulas_in_sentences(text) if text[: one.start].strip() and text[one.end :].strip()]
    return _with_formulas(texts, node, inside)


def _with_formulas(texts: list[Text], node: Node, formulas: Sequence[TextFormula]) -> list[Inline]:
    text = "".join(piece.text for piece in texts)
    pieces: list[Inline] = []
    done = 0
    for found in formulas:
        pieces.extend(_characters(texts, done, found.start))
        pieces.append(Math(found.source, found.notation, node.place, text[found.start : found.end]))
        done = found.end
    return [*pieces, *_characters(texts, done, len(text))] if pieces else [*texts]


def _characters(texts: list[Text], start: int, stop: int) -> list[Text]:
    result: list[Text] = []
    at = 0
    for piece in texts:
        part = piece.text[max(0, start - at) : max(0, stop - at)]
        if part:
            result.append(replace(piece, text=part))
        at += len(piece.text)
    return result


def as_display(content: Content) -> Math | None:
    """The one formula that a content consists of, with the number beside it; None where there is more."""
    pieces = [piece for piece in content if not isinstance(piece, Break) and not _is_blank(piece)]
    maths = [piece for piece in pieces if isinstance(piece, Math)]
    if len(maths) != 1 or len(pieces) > 3:
        return None
    math = maths[0]
    number = math.number
    for piece in pieces:
        if piece is math:
            continue
        found = _NUMBER.fullmatch(plain_text((piece,)))
        if found is not None:
            number = found.group(1)
        elif not isinstance(piece, Text) or piece.text.strip() not in (".", ",", ";"):
            return None
    return replace(math, is_display=True, number=number)


def number_of(text: str) -> str:
    """The number of an equation that a text consists of (`(3.2)`); empty for anything else."""
    found = _NUMBER.fullmatch(text)
    return found.group(1) if found else ""


def with_line_breaks_as_text(content: Content) -> Content:
    """Breaks as new lines, for everything that is no cell."""
    pieces: list[Inline] = []
    style = (False, False)
    for piece in content:
        style = (piece.bold, piece.italic) if isinstance(piece, Text) else style
        pieces.append(Text("\n", *style) if isinstance(piece, Break) else piece)
    return tuple(_merged(pieces))


# Which parts of a page are its bibliography: by heading, by class, by the marks of bibliography software.

_HEADING = re.compile(
    r"(?:\d+(?:\.\d+)*\.?\s+)?(?:notes\s+and\s+|selected\s+|further\s+)?"
    r"(?:references?|bibliography|works\s+cited|literature(?:\s+cited)?|sources|citations|footnotes|endnotes|"
    r"literatur(?:verzeichnis)?|références|bibliographie|referencias|bibliografía)(?:\s+and\s+notes)?\s*:?",
    re.IGNORECASE,
)
_LIST_CLASSES = frozenset(
    "references reflist citation-list bibliography ltx_biblist ltx_bibliography footnotes csl-bib-body footnotes-list "
    "reference-list ref-list refs hanging-indent".split()
)
_ENTRY_CLASSES = frozenset("ltx_bibitem csl-entry citation bibitem reference-entry ref-item bib-entry".split())
_BRACKETED = re.compile(r"\[([^\[\]]{1,30})\]\s+")


def is_reference_heading(text: str) -> bool:
    """Whether a heading opens the bibliography."""
    return len(text) <= 60 and _HEADING.fullmatch(text.strip()) is not None


def is_reference_list(node: Node) -> bool:
    """Whether an element holds entries of a bibliography."""
    if node.attribute("role").lower() in ("doc-bibliography", "doc-endnotes") or node.attribute("id") == "refs":
        return True
    return "class" in node.attributes and not _LIST_CLASSES.isdisjoint(node.attributes["class"].lower().split())


def is_reference_entry(node: Node) -> bool:
    """Whether a block is one entry."""
    if node.attribute("role").lower() in ("doc-biblioentry", "doc-endnote"):
        return True
    if node.name not in ("li", "div", "p", "dd"):
        return False
    return "class" in node.attributes and not _ENTRY_CLASSES.isdisjoint(node.attributes["class"].lower().split())


def key_and_text(node: Node, text: str, marker: str) -> tuple[str, str]:
    """What an entry is called on the page and what it says, without signs that jump back."""
    text = re.sub(r"^\s*(?:[\^↑]\s*(?:(?:[a-z]\s+){2,9})?)|\s*(?:↩︎?|⏎|\[?↵\]?)\s*$", "", text).strip()
    bracketed = _BRACKETED.match(text)
    if bracketed:
        return bracketed.group(1), text[bracketed.end() :].strip()
    return node.attribute("id") or marker.rstrip("."), text
