"""How formulas hang together, by algebra: what one gives another uses, which is a special case, which follows from two.

Works on small neighbourhoods that the store supplies. Relations that a text states come last.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache, partial

from mathrag.compute.canonical import canonical_key
from mathrag.compute.solve.rearrangement import isolate
from mathrag.errors import MathragError
from mathrag.extract.phrases import last_sentence, words_of
from mathrag.extract.weights import weights
from mathrag.knowledge.kinds import kinds_for_words
from mathrag.knowledge.spelling import normal_words
from mathrag.language.quantity_names import names_quantity
from mathrag.language.word_classes import word_class
from mathrag.types.document import Content, Document, Math, Paragraph
from mathrag.types.expression import (
    Add,
    Equation,
    Expression,
    Number,
    Symbol,
    equation_symbols,
    size_of,
    substitute,
    walk,
)
from mathrag.types.library import Constant, Finding, Formula, Relation, RelationKind, SymbolMeaning, TextRelation
from mathrag.types.quantity import Dimension

_LARGEST = 60


def relate(
    formula: Formula, neighbours: Sequence[Formula], constants: Sequence[Constant], stated: Sequence[Relation]
) -> tuple[Relation, ...]:
    """All relations from one formula; each neighbour and constant is judged by itself."""
    found = [relation for relation in stated if relation.source == formula.id]
    found.extend(
        _turned(relation) for relation in stated if relation.target == formula.id and relation.kind in _REVERSE
    )
    found.extend(relation for constant in constants if (relation := _uses_constant(formula, constant)) is not None)
    if formula.status != "executable":
        return tuple(found)
    ours = _names(formula)
    target = formula.target
    for other in neighbours:
        if other.form == formula.form or other.status != "executable":
            continue
        if not ours.isdisjoint(_lone_names(other)):
            found.extend(_uses(formula, other, target))
        found.extend(_special(formula, other, ours))
    return tuple(found)


def _lone_names(formula: Formula) -> tuple[str, ...]:
    """The symbols that stand alone on a side; whatever a formula is written for is one of them."""
    equation = formula.equation
    sides = () if equation is None else (equation.left, equation.right)
    return tuple([side.name for side in sides if isinstance(side, Symbol)])


_BELIEF = weights("relations")
_REVERSE: Mapping[str, RelationKind] = {"generalizes": "specializes", "specializes": "generalizes"}


def _turned(relation: Relation) -> Relation:
    kind = _REVERSE[relation.kind]
    return Relation(kind, relation.target, relation.source, relation.confidence, relation.evidence, relation.span)


def _uses_constant(formula: Formula, constant: Constant) -> Relation | None:
    for symbol in formula.symbols:
        if symbol.role != "constant" and symbol.constant is None:
            continue
        is_written_so = symbol.name == constant.symbol and symbol.constant in (None, constant.standard, constant.id)
        is_the_same = symbol.constant is not None and symbol.constant == constant.standard
        if (is_written_so or is_the_same) and constant.dimension == symbol.dimension:
            evidence = f"{symbol.name} is {constant.name or constant.symbol}"
            return Relation(
                "uses_constant",
                formula.id,
                constant.id,
                _BELIEF["uses_written_constant" if is_written_so else "uses_constant"],
                evidence,
            )
    return None


def _uses(formula: Formula, maker: Formula, target: str | None) -> list[Relation]:
    """`uses`: a symbol this formula, which is written for `target`, needs is what the other one is written for."""
    name = maker.target
    if name is None or name == target:
        return []
    needed, made = _symbol(formula, name), _symbol(maker, name)
    if needed is None or made is None or needed.role != "variable" or not _same_quantity(needed, made):
        return []
    shared = bool(formula.documents & maker.documents)
    reason = _reason_to_use(needed, made, maker, is_near=_share_heading(formula, maker), is_shared=shared)
    if not reason:
        return []
    is_same_kind = shared and needed.kind == made.kind
    confidence = _BELIEF["uses_same_kind" if is_same_kind else "uses_same_document" if shared else "uses"]
    evidence = (
        f"{name} ({made.description or made.unit or 'unknown'}) is what {maker.label or maker.latex} gives{reason}"
    )
    return [Relation("uses", formula.id, maker.id, confidence, evidence)]


# Every second formula has one of these, and none is about where it comes from: a wire's length does not use the length
# of something else. Lengths, areas, volumes, masses, times, temperatures, speeds, accelerations, plain numbers.
_EVERYDAY = frozenset(
    Dimension.of(powers)
    for powers in (
        {}, {"length": 1}, {"length": 2}, {"length": 3}, {"mass": 1}, {"time": 1}, {"temperature": 1},
        {"length": 1, "time": -1}, {"length": 1, "time": -2},
    )
)  # fmt: skip


# Of these there are many in one document, one for each circuit: only what they are in general is used elsewhere.
_COMMON = frozenset((Dimension.of({"current": 1}), Dimension.of({"current": 1, "time": 1})))
_WHOSE = re.compile(r" (?:of|from|for) ")


def _reason_to_use(
    needed: SymbolMeaning, made: SymbolMeaning, maker: Formula, *, is_near: bool, is_shared: bool
) -> str:
    """Why a person would say that a formula uses what another gives; empty where a letter is all that they share.

    The other formula is called after the quantity, or both stand under one heading. For everyday quantities both must
    speak of it in the same words, more than one of them. For others the words say little: what a letter means in one
    place of a document is often taken for all of it.
    """
    ours, theirs = _content(needed.description), _content(made.description)
    is_said = bool(ours) and ours == theirs and names_quantity(made.description)
    if made.dimension in _EVERYDAY:
        return "; both call it so" if is_said and len(ours) > 1 else ""
    if needed.kind is not None and needed.kind != made.kind:
        return ""
    if made.description and not names_quantity(made.description):
        return ""
    if _is_called(maker, made, may_be_special=is_shared and made.dimension not in _COMMON):
        return ", which is called after it"
    return "; both stand under one heading" if is_near else ""


def _content(description: str) -> frozenset[str]:
    return frozenset(word for word in normal_words(description).split() if word not in _EMPTY)


_EMPTY = word_class("phrases.silent_in_names") | word_class("phrases.qualifiers")


def _is_called(maker: Formula, made: SymbolMeaning, *, may_be_special: bool) -> bool:
    """Whether a formula is called after what it gives: "Molality", and in one document "Inductance of a coil"."""
    label = re.sub(r"\s*\([^()]*\)", "", maker.label)
    names = (label, *(label[: found.start()] for found in _WHOSE.finditer(label) if may_be_special))
    return made.kind is not None and any(one.id == made.kind for name in names for one in kinds_for_words(name))


def _share_heading(one: Formula, other: Formula) -> bool:
    """Whether both stand under the same heading of the same document."""
    places = {(span.document, span.headings) for span in one.spans if span.headings}
    return any((span.document, span.headings) in places for span in other.spans)


def _names(formula: Formula) -> set[str]:
    return {symbol.name for symbol in formula.symbols}


def _symbol(formula: Formula, name: str) -> SymbolMeaning | None:
    return next((symbol for symbol in formula.symbols if symbol.name == name), None)


def _same_quantity(first: SymbolMeaning, second: SymbolMeaning) -> bool:
    same_kind = first.kind == second.kind or first.kind is None or second.kind is None
    return first.dimension is not None and first.dimension == second.dimension and same_kind


def _special(formula: Formula, other: Formula, ours: set[str]) -> list[Relation]:
    """`generalizes` where fixing a symbol of the one gives the other, `specializes` the other way round."""
    theirs = _names(other)
    # A fixed symbol is gone from the special case: only one of the two can be one of the other.
    if ours > theirs:
        general, special, kind = formula, other, "generalizes"
    elif ours < theirs:
        general, special, kind = other, formula, "specializes"
    else:
        return []
    if general.equation is None or not _may_be_special(general.equation) or not _dimensions_agree(formula, other):
        return []
    fixed = fixed_symbol(general.equation, special)
    if fixed is None:
        return []
    evidence = f"with {fixed}, {general.label or general.latex} is {special.label or special.latex}"
    relation_kind: RelationKind = "generalizes" if kind == "generalizes" else "specializes"
    return [Relation(relation_kind, formula.id, other.id, _BELIEF["special_case"], evidence)]


def fixed_symbol(equation: Equation, special: Formula) -> str | None:
    """What has to be fixed at 0 or 1, if that makes the special case of an equation: one of the symbols it lacks."""
    names = _names(special)
    for name in equation_symbols(equation):
        if name not in names:
            for value, left, form in _fixed_forms(equation, name):
                if names <= left and form() == form_of(special):
                    return f"{name} = {value}"
    return None


def form_of(formula: Formula) -> str:
    """The canonical form of its equation; that of what was read is another where a person corrected the formula."""
    is_rewritten = any(one.field == "latex" for one in formula.corrections)
    return canonical_key(formula.equation) if is_rewritten and formula.equation is not None else formula.form


@lru_cache(maxsize=4096)
def _may_be_special(equation: Equation) -> bool:
    return _size(equation) <= _LARGEST and _has_sum(equation)


@lru_cache(maxsize=8192)
def _fixed_forms(equation: Equation, name: str) -> tuple[tuple[int, frozenset[str], Callable[[], str]], ...]:
    """The value, the symbols left and the canonical form, worked out when asked for, with one symbol fixed."""
    found = []
    for value in (0, 1):
        fixed = _put_in(equation, name, Number(value))
        if fixed is not None and len(left := equation_symbols(fixed)) > 1:
            found.append((value, frozenset(left), cache(partial(canonical_key, fixed))))
    return tuple(found)


def derived_forms(equation: Equation | None, partner: Equation | None, name: str) -> Iterator[str]:
    """Forms that follow by putting what the partner gives for a symbol into an equation."""
    if equation is None or partner is None or max(_size(equation), _size(partner)) > _LARGEST:
        return
    for solution in _solutions(partner, name):
        combined = _put_in(equation, name, solution)
        if combined is not None and len(equation_symbols(combined)) > 1:
            yield canonical_key(combined)


def _solutions(equation: Equation, name: str) -> list[Expression]:
    try:
        candidates = isolate(equation.left, equation.right, name)
    except (MathragError, ArithmeticError):
        return []
    return [candidate.expression for candidate in candidates[:1] if len(candidates) <= 2]


def _dimensions_agree(first: Formula, second: Formula) -> bool:
    known = {symbol.name: symbol.dimension for symbol in first.symbols if symbol.dimension is not None}
    return all(
        symbol.dimension is None or known.get(symbol.name, symbol.dimension) == symbol.dimension
        for symbol in second.symbols
    )


def _size(equation: Equation) -> int:
    return size_of(equation.left) + size_of(equation.right)


def _has_sum(equation: Equation) -> bool:
    return any(isinstance(node, Add) for side in (equation.left, equation.right) for node in walk(side))


def _put_in(equation: Equation, name: str, value: Expression) -> Equation | None:
    try:
        left = substitute(equation.left, {name: value})
        right = substitute(equation.right, {name: value})
    except (MathragError, ArithmeticError, ValueError):
        return None
    if isinstance(left, Symbol) and isinstance(right, Symbol):
        return None
    return Equation(left, right)


# Relations within one document: what its text states between formulas, and what follows from two by algebra.

_LARGEST_SECTION = 25
# How much of what was said before a formula is looked at, in characters and in pieces of a paragraph.
_LONGEST_SAID = 400
_MOST_PIECES = 40
_DERIVED = re.compile(
    r"\b(?:substitut\w+|rearrang\w+|solv\w+\s+(?:this|the|equation|for)|combin\w+|derive[ds]?|follows? from|obtain\w*|"
    r"divid\w+ both sides|multiply\w* both sides|taking the (?:square root|logarithm)|eliminat\w+|plugg?\w*)\b",
    re.I,
)
_SPECIAL = re.compile(
    r"\b(?:special case|reduces? to|simplif\w+ to|becomes|if .{2,40} (?:is|are) zero|in the limit)\b", re.I
)


def find_text_relations(
    document: Document, findings: Sequence[Finding], *, document_id: str
) -> tuple[TextRelation, ...]:
    """A sentence such as "substituting this into … gives" between two formulas says how they hang together."""
    by_place: dict[tuple[object, str], int] = {}
    for finding in findings:
        if finding.status == "executable":
            by_place.setdefault((finding.span.place, finding.source), finding.position)
    found: list[TextRelation] = []
    previous: tuple[int, int] | None = None
    text = ""
    for index, block in enumerate(document.blocks):
        content = block.content if isinstance(block, Paragraph) else ()
        pieces = content or _single(block)
        for position, piece in enumerate(pieces):
            if not isinstance(piece, Math):
                continue
            place = by_place.get((piece.place, piece.source))
            text = last_sentence(f"{text} {_words_before(pieces, position)}"[-_LONGEST_SAID:])
            if place is None:
                continue
            if previous is not None and index - previous[1] <= 3:
                said = _relation(text)
                if said is not None and findings[previous[0]].form != findings[place].form:
                    kind, confidence = said
                    span = findings[place].span
                    found.append(TextRelation(document_id, kind, place, previous[0], confidence, text.strip(), span))
            previous = (place, index)
            text = ""
        text = f"{text} {_words_before(content, len(content))}"[-_LONGEST_SAID:] if content else text
    unique: dict[tuple[str, int, int], TextRelation] = {}
    for relation in (*found, *_derivations(findings, document_id)):
        unique.setdefault((relation.kind, relation.source, relation.target), relation)
    return tuple(unique.values())


def _words_before(pieces: Content, position: int) -> str:
    """The words before a piece, as far back as anyone looks: a paragraph of many formulas is not read for each anew."""
    return words_of(pieces[max(0, position - _MOST_PIECES) : position])


def _derivations(findings: Sequence[Finding], document_id: str) -> Iterator[TextRelation]:
    """In one section: a formula that is another one with a third put into it, and that stands after both."""
    sections: dict[tuple[str, ...], list[Finding]] = {}
    for finding in findings:
        if finding.status == "executable" and finding.equation is not None:
            sections.setdefault(finding.span.headings, []).append(finding)
    for members in sections.values():
        forms = {finding.form: finding for finding in reversed(members)}
        unique = sorted(forms.values(), key=lambda finding: finding.position)[:_LARGEST_SECTION]
        for base, partner, name in _pairs(unique):
            for form in derived_forms(base.equation, partner.equation, name):
                result = forms.get(form)
                if result is not None and result.position > max(base.position, partner.position):
                    evidence = f"follows from {base.latex} with {name} from {partner.latex}"
                    for parent in (base, partner):
                        yield TextRelation(
                            document_id, "derived_from", result.position, parent.position, _BELIEF["derived"], evidence
                        )


def _pairs(members: Sequence[Finding]) -> Iterator[tuple[Finding, Finding, str]]:
    """Pairs and a symbol to eliminate between them, where a later formula has just the symbols that would remain."""
    symbols = [frozenset(symbol.name for symbol in finding.symbols) for finding in members]
    for first, ours in enumerate(symbols):
        for second, theirs in enumerate(symbols):
            if first == second:
                continue
            for name in sorted(ours & theirs):
                left = (ours | theirs) - {name}
                later = symbols[max(first, second) + 1 :]
                if any(left >= result and len(left - result) <= 1 and name not in result for result in later):
                    yield members[first], members[second], name


def _single(block: object) -> tuple[Math, ...]:
    math = getattr(block, "math", None)
    return (math,) if isinstance(math, Math) else ()


def _relation(text: str) -> tuple[RelationKind, float] | None:
    if _SPECIAL.search(text):
        return "specializes", _BELIEF["said_special"]
    derived = _DERIVED.search(text)
    # "The total follows from" points at the formula to come, not at the one before.
    if derived is not None and text[derived.end() :].strip(" :,"):
        return "derived_from", _BELIEF["said_derived"]
    return None
