"""PDF files whose pages are the trouble: sizes without sense, fonts that lie, content without end, forms in circles."""

from __future__ import annotations

import zlib
from collections.abc import Callable

from hostile_files.pdf_bytes import document, many_pages, packed, stream, text_content
from hostile_files.recipe import Expectation, Recipe, file

_WORD = ("kinetic energy",)
_F1 = b"/Font<</F1 3 0 R>>"


def _pdf(
    name: str,
    what: str,
    expectation: Expectation,
    content: Callable[[], bytes],
    *,
    keeps: tuple[str, ...] = (),
    forbids: tuple[str, ...] = (),
    is_slow: bool = False,
) -> Recipe:
    return Recipe(f"pdf-{name}", what, expectation, file(f"{name}.pdf", content), keeps, forbids, is_slow=is_slow)


def _sized(box: bytes, expectation: Expectation, name: str, what: str) -> Recipe:
    return _pdf(f"size-{name}", what, expectation, lambda: document(page=b"/MediaBox[%s]" % box).to_bytes())


_SIZES = (
    _sized(b"0 0 1000000000 1000000000", "either", "huge", "a page as large as a country"),
    _sized(b"0 0 1e308 1e308", "either", "beyond-numbers", "a page larger than numbers"),
    _sized(b"0 0 0 0", "either", "zero", "a page of no size"),
    _sized(b"612 792 0 0", "either", "turned-round", "a page whose corners are swapped"),
    _sized(b"-612 -792 -1 -1", "either", "negative", "a page left of and below everything"),
    _sized(b"0 0 nan inf", "either", "no-numbers", "a page whose size is no number"),
    _sized(b"0 0 --5 6.1.2", "either", "odd-numbers", "a page whose size is nearly a number"),
    _sized(b"(a) [] <<>> null", "either", "other-types", "a page whose size is anything but numbers"),
    _sized(b"0 0 1 1", "either", "one-point", "a page of one point by one"),
    _sized(b"0 0 612 0.0001", "either", "thin", "a page without height"),
    _pdf("size-none", "a page without a size", "either", lambda: document(page=b"").to_bytes()),
    _pdf(
        "crop-outside",
        "a page cut to a part outside of it",
        "either",
        lambda: document(page=b"/MediaBox[0 0 612 792]/CropBox[5000 5000 6000 6000]").to_bytes(),
    ),
    _pdf(
        "unit-huge",
        "a page whose unit is a million points",
        "either",
        lambda: document(page=b"/MediaBox[0 0 612 792]/UserUnit 1000000").to_bytes(),
    ),
    *(
        _pdf(
            f"rotated-{turn}",
            f"a page turned by {turn} degrees",
            "either",
            lambda turn=turn: document(page=b"/MediaBox[0 0 612 792]/Rotate %d" % turn).to_bytes(),  # type: ignore[misc]
        )
        for turn in (90, 180, 270)
    ),
    _pdf(
        "rotated-and-back",
        "a page printed on its side and turned upright",
        "read",
        lambda: document(
            text_content(before=b"0 1 -1 0 612 0 cm 1 0 0 1 0 -300 cm\n"), page=b"/MediaBox[0 0 612 792]/Rotate 90"
        ).to_bytes(),
        keeps=_WORD,
    ),
    _pdf(
        "rotated-45",
        "a page turned by 45 degrees",
        "either",
        lambda: document(page=b"/MediaBox[0 0 612 792]/Rotate 45").to_bytes(),
    ),
)


def _with_font(font: bytes, content: bytes, **objects: bytes) -> bytes:
    numbered = {20 + index: body for index, body in enumerate(objects.values())}
    return document(content, resources=b"/Font<</F1 19 0 R>>", objects={19: font, **numbered}).to_bytes()


def _map(body: bytes) -> bytes:
    return packed(
        b"/CIDInit/ProcSet findresource begin 12 dict begin begincmap 1 begincodespacerange <00><ff> "
        b"endcodespacerange\n" + body + b"\nendcmap end end"
    )


_TYPE1 = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 20 0 R>>"
_COMPOSITE = (
    b"<</Type/Font/Subtype/Type0/BaseFont/Nowhere/Encoding/Identity-H/DescendantFonts[<</Type/Font"
    b"/Subtype/CIDFontType2/BaseFont/Nowhere/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>"
    b"/FontDescriptor<</Type/FontDescriptor/FontName/Nowhere/Flags 4/FontFile2 20 0 R>>>>]>>"
)
_TYPE3 = (
    b"<</Type/Font/Subtype/Type3/FontBBox[0 0 750 750]/FontMatrix[0.001 0 0 0.001 0 0]/FirstChar 97/LastChar 98"
    b"/Widths[1000 1000]/CharProcs<</a 20 0 R/b 21 0 R>>/Encoding<</Differences[97/a/b]>>/Resources<<%s>>>>"
)
_CODES = b"BT /F1 12 Tf 72 700 Td <0005000600070008> Tj ET"

_FONTS = (
    _pdf(
        "font-without-map",
        "letters of a font that says nothing of what they mean",
        "either",
        lambda: _with_font(_COMPOSITE, _CODES, program=stream(b"\0\1\0\0" + bytes(200))),
    ),
    _pdf(
        "font-program-noise",
        "a font program that is noise",
        "either",
        lambda: _with_font(_COMPOSITE, _CODES, program=packed(bytes(range(256)) * 400)),
    ),
    _pdf(
        "font-all-one-letter",
        "a font whose map makes every letter an x",
        "either",
        lambda: _with_font(
            _TYPE1,
            text_content(),
            map=_map(b"1 beginbfrange <00><ff><0078> endbfrange".replace(b"<0078>", b"[" + b"<0078>" * 256 + b"]")),
        ),
    ),
    _pdf(
        "font-letters-swapped",
        "a font whose map moves every letter on by one",
        "either",
        lambda: _with_font(_TYPE1, text_content(), map=_map(b"1 beginbfrange <00><fe><0001> endbfrange")),
    ),
    _pdf(
        "font-long-letters",
        "a font whose map makes a letter a thousand",
        "either",
        lambda: _with_font(_TYPE1, text_content(), map=_map(b"1 beginbfchar <65><%s> endbfchar" % (b"0065" * 1_000))),
    ),
    _pdf(
        "font-map-bomb",
        "a font whose map has a million rows",
        "either",
        lambda: _with_font(
            _TYPE1,
            text_content(),
            map=_map(b"100 beginbfrange\n" + b"<0000><ffff><0041>\n" * 1_000_000 + b"endbfrange"),
        ),
    ),
    _pdf(
        "font-map-surrogates",
        "a font whose map gives halves of characters",
        "either",
        lambda: _with_font(_TYPE1, text_content(), map=_map(b"1 beginbfrange <00><ff><D800> endbfrange")),
    ),
    _pdf(
        "font-drawn",
        "letters that are drawings",
        "either",
        lambda: _with_font(
            _TYPE3 % b"",
            b"BT /F1 12 Tf 72 700 Td (abab) Tj ET",
            a=stream(b"1000 0 0 0 750 750 d1 0 0 750 750 re f"),
            b=stream(b"1000 0 d0 0 0 m 9 9 l S"),
        ),
    ),
    _pdf(
        "font-drawn-by-itself",
        "letters that are drawn with themselves",
        "either",
        lambda: _with_font(
            _TYPE3 % b"/Font<</F1 19 0 R>>",
            b"BT /F1 12 Tf 72 700 Td (abab) Tj ET",
            a=stream(b"1000 0 d0 BT /F1 1 Tf (b) Tj ET"),
            b=stream(b"1000 0 d0 BT /F1 1 Tf (a) Tj ET"),
        ),
    ),
    _pdf(
        "font-missing",
        "text in a font that is nowhere",
        "either",
        lambda: document(text_content(), resources=b"/Font<</F1 999 0 R>>").to_bytes(),
    ),
    _pdf(
        "fonts-5000",
        "5,000 fonts on a page",
        "either",
        lambda: document(
            b"BT 72 700 Td " + b"".join(b"/F%d 9 Tf (a) Tj " % index for index in range(5_000)) + b"ET",
            resources=b"/Font<<%s>>"
            % b"".join(
                b"/F%d<</Type/Font/Subtype/Type1/BaseFont/Times-Roman/N %d>>" % (index, index) for index in range(5_000)
            ),
        ).to_bytes(),
    ),
)


def _forms(depth: int, *, is_loop: bool = False) -> bytes:
    objects = {}
    for level in range(depth):
        following = 100 + (level + 1) % depth if is_loop else 101 + level
        objects[100 + level] = stream(
            b"/X Do " + (text_content() if level == depth - 1 else b""),
            extra=b"/Type/XObject/Subtype/Form/BBox[0 0 612 792]/Resources<<%s/XObject<</X %d 0 R>>>>"
            % (_F1, following),
        )
    return document(b"/X Do\n" + text_content(), resources=_F1 + b"/XObject<</X 100 0 R>>", objects=objects).to_bytes()


def _fan(width: int, levels: int) -> bytes:
    """Each form draws the next one several times: the work grows as a power."""
    objects = {
        100 + level: stream(
            b"/X Do " * width if level < levels - 1 else b"BT /F1 9 Tf (a) Tj ET",
            extra=b"/Type/XObject/Subtype/Form/BBox[0 0 612 792]/Resources<<%s/XObject<</X %d 0 R>>>>"
            % (_F1, 101 + level),
        )
        for level in range(levels)
    }
    return document(b"/X Do\n" + text_content(), resources=_F1 + b"/XObject<</X 100 0 R>>", objects=objects).to_bytes()


def _picture(extra: bytes, data: bytes) -> bytes:
    return document(
        b"q 612 0 0 792 0 0 cm /I Do Q",
        text_content(),
        resources=_F1 + b"/XObject<</I 20 0 R>>",
        objects={20: stream(data, extra=b"/Type/XObject/Subtype/Image" + extra)},
    ).to_bytes()


def _pattern() -> bytes:
    tile = stream(
        b"/Pattern cs /P scn 0 0 10 10 re f",
        extra=b"/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 10 10]/XStep 0.0001/YStep 0.0001"
        b"/Resources<</Pattern<</P 20 0 R>>>>",
    )
    return document(
        b"/Pattern cs /P scn 0 0 612 792 re f\n" + text_content(),
        resources=_F1 + b"/Pattern<</P 20 0 R>>",
        objects={20: tile},
    ).to_bytes()


_SIDES = b"/Width 50000/Height 50000/BitsPerComponent 1/ColorSpace/DeviceGray"
_SMALL = b"/Width 800/Height 1000/BitsPerComponent 8/ColorSpace/DeviceGray"
_NESTED = (
    _pdf("form-in-itself", "a form that draws itself", "either", lambda: _forms(1, is_loop=True)),
    _pdf("forms-in-a-circle", "forms that draw each other", "either", lambda: _forms(7, is_loop=True)),
    _pdf("forms-deep", "3,000 forms inside each other", "either", lambda: _forms(3_000)),
    _pdf("forms-as-a-power", "a form drawn ten to the twelfth times", "either", lambda: _fan(10, 13), is_slow=True),
    _pdf("forms-10000", "a form drawn 10,000 times", "either", lambda: _fan(100, 3)),
    _pdf("pattern-of-itself", "a pattern made of itself, endlessly fine", "either", _pattern),
    _pdf(
        "picture-jbig2-noise",
        "a fax picture that is noise",
        "either",
        lambda: _picture(_SMALL + b"/Filter/JBIG2Decode", bytes(range(256)) * 20),
    ),
    _pdf(
        "picture-jpx-noise",
        "a JPEG 2000 picture that is noise",
        "either",
        lambda: _picture(_SMALL + b"/Filter/JPXDecode", b"\0\0\0\x0cjP  \r\n\x87\n" + bytes(range(256)) * 20),
    ),
    _pdf(
        "picture-jpeg-noise",
        "a JPEG picture that is noise",
        "either",
        lambda: _picture(_SMALL + b"/Filter/DCTDecode", b"\xff\xd8\xff\xe0" + bytes(range(256)) * 20),
    ),
    _pdf(
        "picture-bomb",
        "a picture of 50,000 by 50,000 points in a few bytes",
        "either",
        lambda: _picture(
            _SIDES + b"/Filter[/FlateDecode/FlateDecode]", zlib.compress(zlib.compress(bytes(313_000_000), 9), 9)
        ),
        is_slow=True,
    ),
    _pdf(
        "picture-inline-endless",
        "a picture in the content that never ends",
        "either",
        lambda: document(b"BI /W 9999999 /H 9999999 /BPC 8 /CS /G ID " + b"a" * 10_000, text_content()).to_bytes(),
    ),
)

_ENDLESS = (
    _pdf(
        "one-line-1mb",
        "a megabyte of text in one string",
        "either",
        lambda: document(packed(text_content(("word " * 200_000,)))).to_bytes(),
        is_slow=True,
    ),
    _pdf(
        "letters-million",
        "a letter drawn a million times",
        "either",
        lambda: document(packed(b"BT /F1 12 Tf 72 700 Td " + b"(a) Tj " * 1_000_000 + b"ET")).to_bytes(),
        is_slow=True,
    ),
    _pdf(
        "letters-on-one-place",
        "100,000 letters on one place",
        "either",
        lambda: document(packed(b"BT /F1 12 Tf " + b"1 0 0 1 72 700 Tm (x) Tj " * 100_000 + b"ET")).to_bytes(),
        is_slow=True,
    ),
    _pdf(
        "letters-scattered",
        "30,000 letters all over the page",
        "either",
        lambda: document(
            packed(
                b"BT /F1 6 Tf "
                + b"".join(
                    b"1 0 0 1 %d %d Tm (x) Tj " % (index * 7919 % 612, index * 104729 % 792) for index in range(30_000)
                )
                + b"ET"
            )
        ).to_bytes(),
        is_slow=True,
    ),
    _pdf(
        "letters-odd-sizes",
        "letters of no size, of every size, of sizes without sense",
        "either",
        lambda: document(
            b"BT "
            + b"".join(
                b"/F1 %s Tf 1 0 0 1 72 700 Tm (kinetic) Tj " % size
                for size in (b"0", b"-12", b"1e30", b"0.00001", b"99999", b"nan")
            )
            + b"1 0 0 1 1e30 -1e30 Tm (far) Tj ET"
        ).to_bytes(),
    ),
    _pdf(
        "matrix-singular",
        "text pressed flat",
        "either",
        lambda: document(b"0 0 0 0 0 0 cm\n" + text_content()).to_bytes(),
    ),
    _pdf(
        "paths-million",
        "a line of a million points",
        "either",
        lambda: document(
            packed(
                b"0 0 m "
                + b"".join(b"%d %d l " % (index % 612, index % 787) for index in range(1_000_000))
                + b"S\n"
                + text_content()
            )
        ).to_bytes(),
        is_slow=True,
    ),
    _pdf(
        "rules-200000",
        "200,000 rules",
        "either",
        lambda: document(
            packed(
                b"".join(b"%d %d 40 0.4 re f " % (index % 570, index * 31 % 790) for index in range(200_000))
                + text_content()
            )
        ).to_bytes(),
        is_slow=True,
    ),
    _pdf(
        "states-million",
        "a million states saved and never restored",
        "either",
        lambda: document(packed(b"q " * 1_000_000 + text_content())).to_bytes(),
        is_slow=True,
    ),
    _pdf(
        "operands-million",
        "a million numbers and no operator",
        "either",
        lambda: document(packed(b"1 " * 1_000_000 + b"\n" + text_content())).to_bytes(),
    ),
    _pdf(
        "deep-content-arrays",
        "100,000 arrays inside each other in the content",
        "either",
        lambda: document(packed(b"[" * 100_000 + text_content())).to_bytes(),
    ),
    _pdf(
        "text-invisible",
        "text that is not printed over a picture",
        "either",
        lambda: document(
            b"q 612 0 0 792 0 0 cm /I Do Q 3 Tr\n" + text_content(),
            resources=_F1 + b"/XObject<</I 20 0 R>>",
            objects={
                20: stream(
                    b"\xff" * 64,
                    extra=b"/Type/XObject/Subtype/Image/Width 8/Height 8/BitsPerComponent 8/ColorSpace/DeviceGray",
                )
            },
        ).to_bytes(),
    ),
    _pdf(
        "text-outside",
        "text beyond the edges of the page",
        "either",
        lambda: document(text_content(before=b"1 0 0 1 5000 5000 cm\n")).to_bytes(),
    ),
    _pdf("title-10mb", "a title of ten megabytes", "either", lambda: _titled(b"t" * 10_000_000)),
    _pdf(
        "annotations-50000",
        "50,000 notes on a page",
        "either",
        lambda: document(
            page=b"/MediaBox[0 0 612 792]/Annots[%s]"
            % (b"<</Type/Annot/Subtype/Text/Rect[0 0 9 9]/Contents(a)>>" * 50_000)
        ).to_bytes(),
    ),
    _pdf(
        "pages-3000",
        "3,000 pages of a line each",
        "either",
        lambda: document(*many_pages(3_000)).to_bytes(),
        is_slow=True,
    ),
    _pdf(
        "pages-half-broken",
        "pages by turns sound and broken",
        "read",
        lambda: document(
            *(
                page
                for content in many_pages(5)
                for page in (content, stream(b"\xff" * 99, extra=b"/Filter/FlateDecode"))
            )
        ).to_bytes(),
        keeps=_WORD,
    ),
)


def _titled(title: bytes) -> bytes:
    pdf = document()
    number = pdf.add(b"<</Title(%s)/Author(%s)/CreationDate(D:99999999)>>" % (title, title[:1_000]))
    pdf.trailer = b"/Info %d 0 R" % number
    return pdf.to_bytes()


RECIPES = (*_SIZES, *_FONTS, *_NESTED, *_ENDLESS)
