"""OpenMath objects from XML: what is read, and what is refused."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from contextlib import suppress
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mathrag.compute.openmath import names_used, read_object
from mathrag.compute.openmath.objects import MAXIMUM_DEPTH
from mathrag.errors import ExpressionLimitError, FormulaError
from mathrag.types.statement import (
    Application,
    Binding,
    DictionaryName,
    Foreign,
    Literal,
    Quoted,
    Variable,
    free_variables,
)
from openmath_samples import openmath, xml_of

PLUS = DictionaryName("arith1", "plus")


def test_all_parts_of_an_object_are_read() -> None:
    tree = openmath("[quant1:forall <x> (relation1:eq (arith1:plus x -2) 1.50)]")
    assert tree == Binding(
        DictionaryName("quant1", "forall"),
        (Variable("x"),),
        Application(
            DictionaryName("relation1", "eq"),
            (Application(PLUS, (Variable("x"), Literal(-2))), Literal(Decimal("1.50"))),
        ),
    )
    assert names_used(tree) == {"quant1:forall", "relation1:eq", "arith1:plus"}
    assert free_variables(tree) == ()


@pytest.mark.parametrize(
    ("xml", "tree"),
    [
        ("<OMI> 1 000 </OMI>", Literal(1000)),
        ("<OMI>-x1F</OMI>", Literal(-31)),
        ('<OMF hex="3FF8000000000000"/>', Literal(Decimal("1.5"))),
        ('<om:OMV xmlns:om="http://www.openmath.org/OpenMath" name="y"/>', Variable("y")),
        ("<OMSTR>some words</OMSTR>", Quoted("some words")),
        ("<OMOBJ><OMFOREIGN>x</OMFOREIGN></OMOBJ>", Foreign("x")),
        ('<?xml version="1.0"?><!-- a remark --><OMOBJ><OMI>7</OMI></OMOBJ>', Literal(7)),
        ('<p>text <OMOBJ><OMS cd="nums1" name="pi"/></OMOBJ> more</p>', DictionaryName("nums1", "pi")),
    ],
)
def test_leaves(xml: str, tree: object) -> None:
    assert read_object(xml) == tree
    assert read_object(xml.encode()) == tree


def test_elements_of_another_library_are_read_too() -> None:
    text = "(arith1:plus (arith1:power x 2) 1)"
    assert read_object(ElementTree.fromstring(xml_of(text))) == openmath(text)


def test_the_type_of_a_variable_is_kept_and_other_attributes_are_not() -> None:
    typed = '<OMATTR><OMATP><OMS cd="sts" name="type"/><OMS cd="setname1" name="Z"/></OMATP><OMV name="n"/></OMATTR>'
    found = read_object(f"<OMOBJ>{typed}</OMOBJ>")
    assert isinstance(found, Variable)
    assert found.kind == DictionaryName("setname1", "Z")
    other = '<OMATTR><OMATP><OMS cd="a" name="colour"/><OMI>1</OMI></OMATP><OMI>2</OMI></OMATTR>'
    assert read_object(other) == Literal(2)


def test_references_are_followed_inside_the_object() -> None:
    xml = '<OMOBJ><OMA><OMS cd="arith1" name="plus"/><OMV id="here" name="x"/><OMR href="#here"/></OMA></OMOBJ>'
    assert read_object(xml) == Application(PLUS, (Variable("x"), Variable("x")))
    assert read_object('<OMOBJ><OMR href="http://elsewhere.example/"/></OMOBJ>') == Foreign("http://elsewhere.example/")


def _doubling(times: int) -> str:
    """References that each stand for two of the one before."""
    inner = '<OMV id="a0" name="x"/>'
    parts = [inner]
    for place in range(1, times):
        both = f'<OMR href="#a{place - 1}"/>' * 2
        parts.append(f'<OMA id="a{place}"><OMS cd="arith1" name="plus"/>{both}</OMA>')
    return f'<OMOBJ><OMA><OMS cd="arith1" name="plus"/>{"".join(parts)}</OMA></OMOBJ>'


HOSTILE = {
    "nothing": "",
    "words": "no object here",
    "two objects": "<OMOBJ><OMI>1</OMI></OMOBJ><OMOBJ><OMI>2</OMI></OMOBJ>",
    "an entity": '<!DOCTYPE a [<!ENTITY b "c">]><OMOBJ><OMSTR>&b;</OMSTR></OMOBJ>',
    "an outer entity": '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><OMOBJ><OMSTR>&b;</OMSTR></OMOBJ>',
    "deep": "<OMA>" * (MAXIMUM_DEPTH + 50) + "</OMA>" * (MAXIMUM_DEPTH + 50),
    "unclosed": "<OMOBJ><OMA>",
    "doubled": _doubling(60),
    "circular": '<OMOBJ><OMA id="a"><OMS cd="x" name="y"/><OMR href="#a"/></OMA></OMOBJ>',
    "no name": "<OMOBJ><OMV/></OMOBJ>",
    "a long name": f'<OMOBJ><OMV name="{"x" * 5000}"/></OMOBJ>',
    "no number": "<OMI>twelve</OMI>",
    "many digits": f"<OMI>{'9' * 9000}</OMI>",
    "a vast exponent": '<OMF dec="1e999999999"/>',
    "bad double": '<OMF hex="zz"/>',
    "no parts": "<OMOBJ><OMA></OMA></OMOBJ>",
    "binding a number": '<OMBIND><OMS cd="q" name="f"/><OMBVAR><OMI>1</OMI></OMBVAR><OMI>1</OMI></OMBIND>',
    "a stranger": "<OMOBJ><script>x</script></OMOBJ>",
    "mathematics of others": "<OMOBJ><mrow/></OMOBJ>",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_no_object_is_refused(name: str) -> None:
    with pytest.raises(FormulaError):
        read_object(HOSTILE[name])


@pytest.mark.slow
def test_limits_have_their_own_error_and_bytes_must_be_text() -> None:
    with pytest.raises(ExpressionLimitError):
        read_object(HOSTILE["doubled"])
    with pytest.raises(FormulaError):
        read_object(b"<OMOBJ><OMSTR>\xff\xfe</OMSTR></OMOBJ>")


@given(st.text(alphabet="<>/OMABISVF =\"'&;#x1naecd", max_size=60))
def test_any_text_is_an_object_or_refused(text: str) -> None:
    with suppress(FormulaError):
        read_object(text)


@given(st.binary(max_size=60))
def test_any_bytes_are_an_object_or_refused(data: bytes) -> None:
    with suppress(FormulaError):
        read_object(data)
