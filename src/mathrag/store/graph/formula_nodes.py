"""Formulas, constants and relations as nodes of the graph, with everything they hold. Documents are elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mathrag.compute.printers.latex import latex_text
from mathrag.compute.printers.pythontext import comparison_text, python_equation
from mathrag.store.graph.names import Naming, iri, relation_iri
from mathrag.store.graph.terms import Literal, Node, Statement, real, structure, text
from mathrag.store.graph.vocabulary import LABEL, MATHRAG, OTHER_LABEL, QUDT_KIND, TYPE, properties, term
from mathrag.store.truth.concept_links import concepts_used
from mathrag.types.expression import Flag
from mathrag.types.json_codec import to_json
from mathrag.types.library import (
    Alternative,
    Constant,
    Correction,
    Formula,
    Instance,
    Relation,
    Span,
    SymbolMeaning,
    Validity,
)

_FORMULA_TEXTS = properties("id label latex form status reason_code reason label_origin description intent number")
_SYMBOL_TEXTS = properties("name description role state origin letter")
_CONSTANT_TEXTS = properties("id name symbol description letter", name=LABEL, symbol=term("name"))
_CORRECTION_TEXTS = properties("field value author time note", value=term("new_value"))


def texts(value: object, table: Iterable[tuple[str, str]]) -> Iterator[Statement]:
    """The fields of a value that are text and not empty, under their properties."""
    for name, predicate in table:
        found = getattr(value, name)
        if found:
            yield predicate, text(found)


def formula_nodes(formula: Formula, relations: Iterable[Relation], naming: Naming) -> Iterator[Node]:
    """A formula, then its parts."""
    subject = iri("formula", formula.id)
    parts = list(_parts(formula, naming))
    yield Node(
        subject,
        (
            (TYPE, MATHRAG + "Formula"),
            *texts(formula, _FORMULA_TEXTS),
            *((OTHER_LABEL, text(label)) for label in formula.labels if label != formula.label),
            *((MATHRAG + "keyword", text(word)) for word in dict.fromkeys(formula.keywords)),
            (MATHRAG + "prior", real(formula.prior)),
            *_equation_statements(formula, naming),
            *_found_in(formula.spans, naming),
            *(
                (MATHRAG + "usesConcept", naming.concepts[name])
                for name in concepts_used(formula)
                if name in naming.concepts
            ),
            *((predicate, node.subject) for predicate, node in parts if predicate),
            *((MATHRAG + "hasCorrection", node) for node in naming.corrections.get(formula.id, ())),
            *((term(each.kind), naming.entry(each.target, each.kind)) for each in relations),
        ),
    )
    for _, node in parts:
        yield node


def _equation_statements(formula: Formula, naming: Naming) -> Iterator[Statement]:
    if formula.equation is None:
        return
    yield MATHRAG + "equation", structure(to_json(formula.equation))
    yield MATHRAG + "pythonText", text(python_equation(formula.equation))
    yield MATHRAG + "canonicalLatex", text(latex_text(formula.equation))
    target = formula.target
    if target is None:
        return
    yield MATHRAG + "target", text(target)
    for symbol in formula.symbols:
        if symbol.name == target and symbol.unit is not None:
            yield MATHRAG + "resultUnit", naming.unit(symbol.unit)


def _found_in(spans: Iterable[Span], naming: Naming) -> Iterator[Statement]:
    spans = tuple(spans)
    for document in dict.fromkeys(span.document for span in spans):
        yield MATHRAG + "foundIn", iri("document", document)
    for mention in dict.fromkeys(naming.mention(span) for span in spans):
        yield MATHRAG + "hasMention", mention


def _parts(formula: Formula, naming: Naming) -> Iterator[tuple[str, Node]]:
    """The nodes that belong to one formula, each with the property that leads to it; empty where another part does."""
    for symbol in formula.symbols:
        yield MATHRAG + "hasSymbol", symbol_node(iri("symbol", formula.id, symbol.name), symbol, naming)
    for position, alternative in enumerate(formula.alternatives, 1):
        yield from _alternative(formula.id, position, alternative, naming)
    for position, condition in enumerate(formula.conditions, 1):
        yield MATHRAG + "hasCondition", _condition(iri("condition", formula.id, position), condition, naming)
    for position, instance in enumerate(formula.instances, 1):
        yield MATHRAG + "hasInstance", _instance(iri("instance", formula.id, position), instance, naming)
    for position, flag in enumerate(formula.flags, 1):
        yield MATHRAG + "hasFlag", _flag(iri("flag", formula.id, position), flag)


def _alternative(formula: str, position: int, value: Alternative, naming: Naming) -> Iterator[tuple[str, Node]]:
    symbols = [symbol_node(iri("symbol", formula, position, each.name), each, naming) for each in value.symbols]
    yield (
        MATHRAG + "hasAlternative",
        Node(
            iri("alternative", formula, position),
            (
                (TYPE, MATHRAG + "Alternative"),
                (MATHRAG + "prior", real(value.prior)),
                *((MATHRAG + "hasSymbol", node.subject) for node in symbols),
            ),
        ),
    )
    for node in symbols:
        yield "", node


def symbol_node(subject: str, symbol: SymbolMeaning, naming: Naming) -> Node:
    """A symbol as one formula uses it."""
    statements: list[Statement] = [(TYPE, MATHRAG + "Symbol"), *texts(symbol, _SYMBOL_TEXTS)]
    if symbol.unit is not None:
        statements.append((MATHRAG + "unitText", text(symbol.unit)))
        statements.append((MATHRAG + "unit", naming.unit(symbol.unit)))
    if symbol.dimension is not None:
        statements.append((MATHRAG + "dimension", text(str(symbol.dimension))))
    if symbol.kind is not None:
        statements.append((MATHRAG + "quantityKind", naming.kind(symbol.kind)))
        known = naming.qudt_kind(symbol.kind)
        if known is not None:
            statements.append((QUDT_KIND, known))
    if symbol.constant is not None:
        statements.append((MATHRAG + "standsFor", naming.entry(symbol.constant, "uses_constant")))
    if symbol.evidence is not None:
        statements.append((MATHRAG + "evidencedBy", naming.mention(symbol.evidence)))
    return Node(subject, tuple(statements))


def _condition(subject: str, condition: Validity, naming: Naming) -> Node:
    statements: list[Statement] = [(TYPE, MATHRAG + "Condition")]
    if condition.text:
        statements.append((MATHRAG + "text", text(condition.text)))
    shown = dict.fromkeys(comparison_text(comparison) for comparison in condition.comparisons)
    statements.extend((MATHRAG + "comparison", text(each)) for each in shown)
    if condition.comparisons:
        statements.append((MATHRAG + "comparisons", structure(to_json(condition.comparisons))))
    if condition.evidence is not None:
        statements.append((MATHRAG + "evidencedBy", naming.mention(condition.evidence)))
    return Node(subject, tuple(statements))


def _instance(subject: str, instance: Instance, naming: Naming) -> Node:
    statements: list[Statement] = [
        (TYPE, MATHRAG + "Instance"),
        (MATHRAG + "text", text(instance.text)),
        (MATHRAG + "verdict", text(instance.verdict)),
        *((MATHRAG + "givenValue", text(f"{name} = {value}")) for name, value in dict.fromkeys(instance.values)),
        (MATHRAG + "hasMention", naming.mention(instance.span)),
    ]
    if instance.reason:
        statements.append((MATHRAG + "reason", text(instance.reason)))
    return Node(subject, tuple(statements))


def _flag(subject: str, flag: Flag) -> Node:
    return Node(
        subject,
        (
            (TYPE, MATHRAG + "Flag"),
            (MATHRAG + "code", text(flag.code)),
            (MATHRAG + "message", text(flag.message)),
        ),
    )


def correction_node(subject: str, correction: Correction, *, record: tuple[Statement, ...]) -> Node:
    """What a person said about a formula."""
    statements: list[Statement] = [
        (TYPE, MATHRAG + "Correction"),
        (MATHRAG + "corrects", iri("formula", correction.formula)),
        *texts(correction, _CORRECTION_TEXTS),
    ]
    if not correction.value:
        statements.append((MATHRAG + "newValue", text("")))
    return Node(subject, (*statements, *record))


def constant_node(constant: Constant, naming: Naming) -> Node:
    """A constant with its value: exactly as written, and as a number to compare by."""
    statements: list[Statement] = [
        (TYPE, MATHRAG + "Constant"),
        *texts(constant, _CONSTANT_TEXTS),
        *((MATHRAG + "keyword", text(word)) for word in dict.fromkeys(constant.keywords)),
        (MATHRAG + "valueText", text(str(constant.value))),
        (MATHRAG + "value", real(float(constant.value))),
        (MATHRAG + "unitText", text(constant.unit)),
        (MATHRAG + "unit", naming.unit(constant.unit)),
        (MATHRAG + "dimension", text(str(constant.dimension))),
    ]
    if constant.uncertainty is not None:
        statements.append((MATHRAG + "uncertaintyText", text(str(constant.uncertainty))))
        statements.append((MATHRAG + "uncertainty", real(float(constant.uncertainty))))
    if constant.standard is not None:
        statements.append((MATHRAG + "isStandard", naming.standard(constant.standard)))
    statements.extend(_found_in(constant.spans, naming))
    return Node(iri("constant", constant.id), tuple(statements))


def relation_node(relation: Relation, naming: Naming) -> Node:
    """A relation with why we say so."""
    statements: list[tuple[str, str | Literal]] = [
        (TYPE, MATHRAG + "Relation"),
        (MATHRAG + "relationKind", text(relation.kind)),
        (MATHRAG + "relationSource", naming.entry(relation.source, "uses")),
        (MATHRAG + "relationTarget", naming.entry(relation.target, relation.kind)),
        (MATHRAG + "confidence", real(relation.confidence)),
    ]
    if relation.evidence:
        statements.append((MATHRAG + "evidence", text(relation.evidence)))
    if relation.span is not None:
        statements.append((MATHRAG + "evidencedBy", naming.mention(relation.span)))
    return Node(relation_iri(relation), tuple(statements))
