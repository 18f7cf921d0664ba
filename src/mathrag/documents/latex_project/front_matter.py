"""What a document says about itself, and commands that count before its text begins as well as in it: title, authors,
date, class, theorem kinds, bibliographies, nomenclature.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from mathrag.documents.latex_project.builder import Builder
from mathrag.documents.latex_project.expander import read_definitions
from mathrag.documents.latex_project.references import read_bibliography
from mathrag.documents.latex_project.tokens import TexToken, as_source
from mathrag.types.document import ListItem, Reference, plain_text

_YEAR = re.compile(r"(?<!\d)(?:1[6-9]|20)\d\d(?!\d)")
_MOST_AUTHORS = 500
_WITH_CHAPTERS = frozenset("book report memoir scrbook scrreprt thesis mitthesis extbook extreport amsbook".split())
_BETWEEN_AUTHORS = re.compile(r"\s*(?:,\s*(?:and\s+)?|;\s*|\band\b\s*)")


def _text(builder: Builder, tokens: list[TexToken]) -> str:
    return " ".join(plain_text(builder.capture(tokens).content()).split())


def _class(builder: Builder, token: TexToken) -> None:
    builder.expander.option()
    name = builder.expander.plain_argument()
    builder.expander.option()
    if name.rpartition("/")[2] in _WITH_CHAPTERS:
        builder.numbering.chapters()
    if name:
        read_definitions(builder.expander, token, f"{name}.cls")


def _title(builder: Builder, _: TexToken) -> None:
    builder.expander.option()
    title = _text(builder, builder.expander.argument())
    builder.title = builder.title or title


def _authors(builder: Builder, _: TexToken) -> None:
    """Names of `\\author`: parted by `\\and`; the lines after a name are where the person works."""
    builder.expander.option()
    people: list[list[TexToken]] = [[]]
    is_name, in_formula = True, False
    tokens = builder.expander.argument()
    for token in tokens:
        if token.kind == "command" and token.text in ("and", "And", "AND", "quad", "qquad"):
            people.append([])
            is_name = True
        elif token.kind == "command" and token.text in ("\\", "newline", "thanks", "affiliation", "institute", "email"):
            is_name = False
        elif token.kind == "dollar":
            in_formula = not in_formula
        elif is_name and not in_formula:
            people[-1].append(token)
    for person in people[:_MOST_AUTHORS]:
        _add_authors(builder, _text(builder, _balanced(person)))


def _balanced(tokens: list[TexToken]) -> list[TexToken]:
    depth = sum((token.kind == "open") - (token.kind == "close") for token in tokens)
    return tokens if not depth else [token for token in tokens if token.kind not in ("open", "close")]


def _add_authors(builder: Builder, text: str) -> None:
    text = re.sub(r"[\^_][\d,*†‡]+", "", text).strip(" ,;")
    parts = [part.strip() for part in _BETWEEN_AUTHORS.split(text) if part and part.strip()]
    names = parts if len(parts) > 1 and all(" " in part or "." in part for part in parts) else [text]
    for name in names:
        if name and name not in builder.authors and len(builder.authors) < _MOST_AUTHORS:
            builder.authors.append(name[:200])


def _date(builder: Builder, _: TexToken) -> None:
    match = _YEAR.search(as_source(builder.expander.argument()))
    if match is not None:
        builder.year = int(match.group())


def _abstract(builder: Builder, _: TexToken) -> None:
    """`\\abstract{...}` of some classes."""
    following = builder.expander.peek()
    if following is not None and following.kind == "open":
        builder.abstract = builder.abstract or _text(builder, builder.expander.argument())


def _theorem(builder: Builder, _: TexToken) -> None:
    expander = builder.expander
    expander.star()
    name = expander.plain_argument()
    expander.option()
    title = _text(builder, expander.argument(is_long=False))
    expander.option()
    builder.theorems[name] = title


def _boxed_theorem(builder: Builder, _: TexToken) -> None:
    """tcolorbox `\\newtcbtheorem[...]{name}{Title}{style}{prefix}`: used with a title and a label in braces."""
    expander = builder.expander
    expander.option()
    name = expander.plain_argument()
    builder.theorems[name] = _text(builder, expander.argument(is_long=False))
    builder.titled_theorems.add(name)
    expander.argument()
    expander.argument()


def _declared_theorem(builder: Builder, _: TexToken) -> None:
    """thmtools `\\declaretheorem[name=Theorem, ...]{thm}`."""
    fields = _fields(builder.expander.option() or [])
    for name in builder.expander.plain_argument().split(",")[:20]:
        title = fields.get("name") or fields.get("title")
        builder.theorems[name.strip()] = as_source(title) if title else name.strip().capitalize()


def _number_within(builder: Builder, _: TexToken) -> None:
    counter, outer = builder.expander.plain_argument(), builder.expander.plain_argument()
    ranks = {"chapter": 2, "section": 3, "subsection": 4}
    if counter == "equation" and outer in ranks:
        builder.numbering.within = ranks[outer]


def _nomenclature(builder: Builder, token: TexToken) -> None:
    """`\\nomenclature[A]{$m$}{mass}`: a symbol and what it stands for."""
    expander = builder.expander
    expander.option()
    term, meaning = expander.argument(), expander.argument()
    _add_term(builder, token, term=term, meaning=meaning)


def _add_term(builder: Builder, token: TexToken, *, term: list[TexToken], meaning: list[TexToken]) -> None:
    span = builder.span_from(token)
    named = builder.capture(term).content()
    content = builder.capture(meaning).content()
    if named or content:
        builder.emit(ListItem(span.place(builder.files), span.quote(builder.files), content, term=named))


def _glossary_symbol(builder: Builder, token: TexToken) -> None:
    """`\\glsxtrnewsymbol[description={mass}]{m}{\\ensuremath{m}}`."""
    fields = _fields(builder.expander.option() or [])
    builder.expander.argument()
    _add_term(builder, token, term=builder.expander.argument(), meaning=fields.get("description", []))


def _glossary_entry(builder: Builder, token: TexToken) -> None:
    """`\\newglossaryentry{m}{name={$m$}, description={mass}, symbol={...}}`."""
    builder.expander.argument()
    fields = _fields(builder.expander.argument())
    term = fields.get("symbol") or fields.get("name", [])
    _add_term(builder, token, term=term, meaning=fields.get("description", []))


def _fields(tokens: list[TexToken]) -> dict[str, list[TexToken]]:
    """`name={...}, description={...}` as tokens by name."""
    fields: dict[str, list[TexToken]] = {}
    value: list[TexToken] = []
    name, depth, has_value = "", 0, False
    comma = TexToken("characters", ",", 0, 0, 0)
    for token in [*tokens, comma]:
        depth += (token.kind == "open") - (token.kind == "close")
        is_plain = token.kind == "characters" and not depth
        if is_plain and token.text == "=" and not has_value:
            has_value = True
        elif is_plain and "," in token.text:
            before, _, after = token.text.partition(",")
            if has_value:
                fields[name.strip()] = _unwrapped([*value, token._replace(text=before)] if before else value)
                name, value, has_value = after, [], False
            else:
                name = after
        elif has_value:
            value.append(token)
        elif token.kind == "characters":
            name += token.text
    return fields


def _unwrapped(tokens: list[TexToken]) -> list[TexToken]:
    visible = [index for index, token in enumerate(tokens) if token.kind != "space"]
    if visible and tokens[visible[0]].kind == "open" and tokens[visible[-1]].kind == "close":
        return tokens[visible[0] + 1 : visible[-1]]
    return tokens


def _add_resource(builder: Builder, _: TexToken) -> None:
    builder.expander.option()
    builder.bibliographies.append(builder.expander.plain_argument())


def _bibliography(builder: Builder, token: TexToken) -> None:
    """`\\bibliography{a,b}`, `\\printbibliography`: the entries of the files, where they lie in the folder."""
    if token.text == "bibliography":
        builder.bibliographies.extend(builder.expander.plain_argument().split(","))
    else:
        builder.expander.option()
    builder.end_block(token)
    names, builder.bibliographies = builder.bibliographies, []
    for name in names[:50]:
        found = builder.files.find(name.strip(), endings=(".bib", ""), near=builder.expander.current_folder())
        file = builder.files.read(found) if not isinstance(found, str) else found
        if isinstance(file, str):
            if not _include_sorted(builder):
                builder.expander.note(
                    "not_included", f"the bibliography {name.strip()[:80]!r} is not read: {file}", token
                )
            continue
        for entry in read_bibliography(file.text):
            place = builder.files.place(file.index, entry.start, entry.stop)
            quote = builder.files.quote(file.index, entry.start, entry.stop)
            builder.emit(Reference(place, quote, entry.text, entry.key))


def _include_sorted(builder: Builder) -> bool:
    """The `.bbl` file that BibTeX made, where the database itself is missing."""
    path = builder.files.source.path
    if path is None or builder.mode != "flow":
        return False
    found = builder.files.find(f"{path.stem}.bbl", endings=("",))
    if isinstance(found, str) or builder.expander.is_open(found):
        return False
    file = builder.files.read(found)
    if isinstance(file, str):
        return False
    builder.expander.enter(file, found)
    return True


PREAMBLE: dict[str, Callable[[Builder, TexToken], None]] = {
    **dict.fromkeys(("documentclass", "LoadClass"), _class),
    "title": _title,
    "author": _authors,
    "date": _date,
    "abstract": _abstract,
    **dict.fromkeys(("newtheorem", "newmdtheoremenv", "spnewtheorem"), _theorem),
    "newtcbtheorem": _boxed_theorem,
    "declaretheorem": _declared_theorem,
    "numberwithin": _number_within,
    "nomenclature": _nomenclature,
    "nomencl": _nomenclature,
    "glsxtrnewsymbol": _glossary_symbol,
    "newglossaryentry": _glossary_entry,
    "addbibresource": _add_resource,
    "bibliography": _bibliography,
    "printbibliography": _bibliography,
}
