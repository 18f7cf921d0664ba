"""Small office files made here: a Word document around given XML, an OpenDocument text, a book. No pandoc is needed."""

from __future__ import annotations

import io
import zipfile

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
MATH = "http://schemas.openxmlformats.org/officeDocument/2006/math"
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
_MAIN = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"

CONTENT_TYPES = (
    '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    f'<Override PartName="/word/document.xml" ContentType="{_MAIN}"/></Types>'
)
PACKAGE_RELATIONS = (
    f'<?xml version="1.0"?><Relationships xmlns="{_RELATIONS}">'
    f'<Relationship Id="rId1" Type="{_OFFICE}" Target="word/document.xml"/></Relationships>'
)
WORD_RELATIONS = f'<?xml version="1.0"?><Relationships xmlns="{_RELATIONS}"/>'
STYLES = f'<?xml version="1.0"?><w:styles xmlns:w="{WORD}"/>'


def packed(members: dict[str, bytes | str]) -> bytes:
    """An archive of these members in their order; `mimetype` uncompressed."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in members.items():
            kind = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            file.writestr(name, data, kind)
    return buffer.getvalue()


def word_document(body: str, **more: bytes | str) -> bytes:
    """A Word document whose body is this XML, with `w:` for text and `m:` for formulas."""
    names = (
        f'xmlns:w="{WORD}" xmlns:m="{MATH}" xmlns:o="urn:schemas-microsoft-com:office:office" '
        'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
        'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" '
        'xmlns:v="urn:schemas-microsoft-com:vml"'
    )
    members: dict[str, bytes | str] = {
        "[Content_Types].xml": CONTENT_TYPES,
        "_rels/.rels": PACKAGE_RELATIONS,
        "word/document.xml": f'<?xml version="1.0"?><w:document {names}><w:body>{body}</w:body></w:document>',
        "word/_rels/document.xml.rels": WORD_RELATIONS,
        "word/styles.xml": STYLES,
    }
    return packed(members | more)


def paragraph(inside: str) -> str:
    return f"<w:p>{inside}</w:p>"


def words(text: str) -> str:
    return f'<w:r><w:t xml:space="preserve">{text}</w:t></w:r>'


def formula(inside: str) -> str:
    return f"<m:oMath>{inside}</m:oMath>"


def run(text: str, *, style: str = "") -> str:
    """A run of a formula; `style` is `p` for upright, `nor` for ordinary text."""
    inside = "<m:nor/>" if style == "nor" else f'<m:sty m:val="{style}"/>' if style else ""
    properties = f"<m:rPr>{inside}</m:rPr>" if inside else ""
    return f'<m:r>{properties}<m:t xml:space="preserve">{text}</m:t></m:r>'


def book(chapters: dict[str, str], *, order: list[str] | None = None, **more: bytes | str) -> bytes:
    """A book of these pages (name to what its body holds), read in `order`."""
    items = "".join(
        f'<item id="i{number}" href="{name}" media-type="application/xhtml+xml"/>'
        for number, name in enumerate(chapters)
    )
    numbers = {name: number for number, name in enumerate(chapters)}
    spine = "".join(f'<itemref idref="i{numbers[name]}"/>' for name in order or chapters)
    members: dict[str, bytes | str] = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
        '<rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
        "OEBPS/book.opf": '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/">'
        "<metadata><dc:title>On Motion</dc:title><dc:creator>Ada Beispiel</dc:creator><dc:date>2019-04-01</dc:date>"
        f"</metadata><manifest>{items}</manifest><spine>{spine}</spine></package>",
    }
    for name, body in chapters.items():
        members[f"OEBPS/{name}"] = (
            '<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>t</title>'
            f"</head><body>{body}</body></html>"
        )
    return packed(members | more)


_ODF = (
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
    'xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" '
    'xmlns:xlink="http://www.w3.org/1999/xlink" office:version="1.2"'
)


def open_document(body: str, **more: bytes | str) -> bytes:
    """An OpenDocument text whose body is this XML."""
    members: dict[str, bytes | str] = {
        "mimetype": "application/vnd.oasis.opendocument.text",
        "content.xml": f'<?xml version="1.0"?><office:document-content {_ODF}><office:body><office:text>{body}'
        "</office:text></office:body></office:document-content>",
        "styles.xml": f'<?xml version="1.0"?><office:document-styles {_ODF}/>',
        "META-INF/manifest.xml": '<m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>',
    }
    return packed(members | more)


def formula_object(name: str) -> str:
    return f'<draw:frame><draw:object xlink:href="./{name}"/></draw:frame>'
