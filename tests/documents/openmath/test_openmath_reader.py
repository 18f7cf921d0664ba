"""OpenMath dictionaries and signatures as documents: what is read, what is left out, what is refused."""

from __future__ import annotations

import pytest

from mathrag.documents.media_type import DICTIONARY_TYPE, SIGNATURES_TYPE, detect_media_type
from mathrag.documents.openmath import parse_dictionary, parse_signatures, read_dictionary, read_signatures
from mathrag.documents.openmath.reader import signature_text
from mathrag.documents.seams import ReadingLimits, Source
from mathrag.errors import DocumentError
from mathrag.types.document import Display, Heading, Paragraph, plain_text

OBJECT = '<OMOBJ xmlns="http://www.openmath.org/OpenMath">{}</OMOBJ>'
TWICE = OBJECT.format(
    '<OMA><OMS cd="relation1" name="eq"/><OMA><OMS cd="toys1" name="twice"/><OMV name="x"/></OMA>'
    '<OMA><OMS cd="arith1" name="times"/><OMI>2</OMI><OMV name="x"/></OMA></OMA>'
)
DICTIONARY = f"""<?xml version="1.0" encoding="utf-8"?>
<!-- a comment before everything -->
<CD xmlns="http://www.openmath.org/OpenMathCD">
<CDName> toys1 </CDName>
<CDDate>2011-05-02</CDDate>
<CDStatus>experimental</CDStatus>
<Description>Functions to
play with.</Description>
<CDDefinition>
<Name>twice</Name>
<Role>application</Role>
<Description>
The function that doubles a number,
written “twice”.

It is linear.
</Description>
<CMP>twice(x) = 2 * x &amp; nothing
more</CMP>
<FMP>{TWICE}</FMP>
<FMP></FMP>
<Example>Twice three is six: {OBJECT.format("<OMI>6</OMI>")} and no more.</Example>
</CDDefinition>
<CDDefinition><Description>It has no name.</Description></CDDefinition>
</CD>
"""
SIGNATURES = f"""<CDSignatures xmlns="http://www.openmath.org/OpenMathCDS" type="sts" cd="toys1">
<CDSComment>by hand</CDSComment>
<Signature name="twice">{
    OBJECT.format('<OMA><OMS name="mapsto" cd="sts"/><OMS name="R" cd="setname1"/><OMS name="R" cd="setname1"/></OMA>')
}</Signature>
<Signature name="thrice"></Signature>
<Signature>lost</Signature>
</CDSignatures>
"""


def source(text: str | bytes, name: str = "toys1.ocd") -> Source:
    return Source(name, text if isinstance(text, bytes) else text.encode())


def test_the_types_are_found_from_the_bytes() -> None:
    assert detect_media_type(DICTIONARY.encode(), "x") == DICTIONARY_TYPE
    assert detect_media_type(SIGNATURES.encode(), "x") == SIGNATURES_TYPE
    assert detect_media_type(b"<CD><CDName>a</CDName></CD>", "a.ocd") == DICTIONARY_TYPE
    # A shop's list of records is no dictionary, and a dictionary in words is no XML.
    assert detect_media_type(b"<CD><title>Songs</title><artist>A</artist></CD>", "songs.xml") == "application/xml"
    assert detect_media_type(b"only words", "a.ocd") == "text/plain"


def test_a_dictionary_is_taken_apart() -> None:
    found = parse_dictionary(source(DICTIONARY))
    assert (found.name, found.status, found.year) == ("toys1", "experimental", 2011)
    assert found.description == "Functions to play with."
    (one,) = found.definitions
    assert (one.symbol, one.role) == ("twice", "application")
    assert one.description == "The function that doubles a number, written “twice”.\n\nIt is linear."
    assert [each.kind for each in one.statements] == ["stated", "formal", "formal"]
    assert one.statements[0].source == "twice(x) = 2 * x & nothing more"
    assert 'name="twice"' in one.statements[1].source
    assert one.statements[2].source == ""
    assert one.examples[0].text == "Twice three is six: and no more."
    assert len(one.examples[0].objects) == 1
    assert (one.place.line, one.place.end_line) == (9, 23)
    assert [note.code for note in found.notes] == ["nameless"]


def test_a_dictionary_is_a_document() -> None:
    document = read_dictionary(source(DICTIONARY))
    assert (document.title, document.year) == ("toys1: an OpenMath dictionary", 2011)
    kinds = [type(block) for block in document.blocks]
    assert kinds == [Heading, Paragraph, Heading, Paragraph, Paragraph, Paragraph, Display, Paragraph, Display]
    assert [plain_text(block.content) for block in document.blocks if isinstance(block, Heading)] == ["toys1", "twice"]
    assert all(block.place.line for block in document.blocks)


def test_signatures_are_told_in_plain_notation() -> None:
    found = parse_signatures(source(SIGNATURES, "toys1.sts"))
    assert (found.dictionary, [one.symbol for one in found.signatures]) == ("toys1", ["twice", "thrice"])
    assert [note.code for note in found.notes] == ["nameless"]
    document = read_signatures(source(SIGNATURES, "toys1.sts"))
    assert [block.quote for block in document.blocks] == [
        "Signatures of toys1", "twice: R → R", "thrice: not given",
    ]  # fmt: skip


def _mapsto(*parts: str) -> str:
    return f'<OMA><OMS cd="sts" name="mapsto"/>{"".join(parts)}</OMA>'


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        ('<OMS cd="setname1" name="N"/>', "N"),
        (_mapsto('<OMV name="Group"/>', '<OMV name="Group"/>', '<OMS cd="setname2" name="Boolean"/>'),
         "Group × Group → Boolean"),
        (_mapsto('<OMA><OMS cd="sts" name="nassoc"/><OMV name="Ring"/></OMA>', '<OMV name="Ring"/>'),
         "Ring × … × Ring → Ring"),
        (_mapsto(_mapsto('<OMV name="A"/>', '<OMV name="B"/>'), '<OMV name="C"/>'), "(A → B) → C"),
        (_mapsto('<OMV name="A"/>', _mapsto('<OMV name="B"/>', '<OMV name="C"/>')), "A → (B → C)"),
        (_mapsto('<OMV name="A"/>'), "() → A"),
        ('<OMA><OMS cd="sts" name="structure"/><OMV name="Ring"/></OMA>', "structure(Ring)"),
        ('<OMA><OMS cd="x" name="upto"/><OMI>3</OMI><OMSTR>a</OMSTR></OMA>', 'upto(3, "a")'),
        ("<OMWRONG/>", ""),
    ],
)  # fmt: skip
def test_a_signature_in_plain_notation(inside: str, text: str) -> None:
    assert signature_text(OBJECT.format(inside)) == text


BOMB = '<!DOCTYPE CD [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        (f"{BOMB}<CD><CDName>&b;</CDName></CD>", "unsafe", "declares entities of its own"),
        ('<!DOCTYPE CD [<!ENTITY x SYSTEM "file:///etc/passwd">]><CD><CDName>&x;</CDName></CD>', "unsafe", "entities"),
        ("<CD><CDName>a</CD>", "syntax", "no proper XML"),
        ("<CD></CD>", "syntax", "has no CDName"),
        ("<CD><CDName>two words</CDName></CD>", "syntax", "has no CDName"),
        ("<Songs/>", "syntax", "outermost element is 'Songs'"),
        ("no XML at all", "syntax", "is no XML"),
        (b"<CD><CDName>\xff\xfe</CDName></CD>", "syntax", "no proper XML"),
        (b'<?xml version="1.0" encoding="utf-7"?><CD/>', "syntax", "encoding"),
    ],
)
def test_what_is_hostile_or_no_dictionary_is_refused(text: str | bytes, code: str, said: str) -> None:
    with pytest.raises(DocumentError, match=said) as refused:
        parse_dictionary(source(text))
    assert refused.value.code == code
    assert "office" not in str(refused.value)


def test_signatures_for_no_dictionary_are_refused() -> None:
    with pytest.raises(DocumentError, match="which dictionary"):
        parse_signatures(source("<CDSignatures/>", "x.sts"))


def test_nesting_without_end_is_refused() -> None:
    deep = "<CD><CDName>a</CDName>" + "<a>" * 5_000 + "</a>" * 5_000 + "</CD>"
    with pytest.raises(DocumentError) as refused:
        parse_dictionary(Source("deep.ocd", deep.encode(), limits=ReadingLimits()))
    assert refused.value.code == "too_large"


def test_an_object_nested_too_deeply_leaves_the_rest() -> None:
    deep = OBJECT.format("<OMA>" * 150 + '<OMV name="x"/>' + "</OMA>" * 150)
    definition = f"<CDDefinition><Name>f</Name><Description>f</Description><FMP>{deep}</FMP></CDDefinition>"
    text = f"<CD><CDName>a</CDName>{definition}</CD>"
    document = read_dictionary(source(text))
    assert [type(block) for block in document.blocks] == [Heading, Heading, Paragraph]
