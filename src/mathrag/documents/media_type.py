"""What kind of document some bytes are: by what they hold first, by the name only as a hint. Reads nothing further.

Nothing is decompressed: of a ZIP archive only the names of its members and an uncompressed `mimetype` are looked at.
"""

from __future__ import annotations

import mimetypes
import re
from collections.abc import Iterator
from pathlib import PurePosixPath

EMPTY = "empty"
UNKNOWN_BINARY = "application/octet-stream"
DICTIONARY_TYPE = "application/x-openmath-cd+xml"
SIGNATURES_TYPE = "application/x-openmath-signatures+xml"
# Documents that define concepts; the formulas in them state properties and are no formulas to answer with.
DICTIONARY_TYPES = frozenset((DICTIONARY_TYPE, SIGNATURES_TYPE))
_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_SLIDES = "application/vnd.openxmlformats-officedocument.presentationml.presentation"

# Longest looked at: enough for a long licence comment before the first command of a LaTeX file.
_SAMPLE = 65_536
_TAIL = 4_096

_MAGIC: tuple[tuple[int, bytes, str], ...] = (
    (0, b"%PDF-", "application/pdf"),
    (0, b"\x89PNG\r\n\x1a\n", "image/png"),
    (0, b"\xff\xd8\xff", "image/jpeg"),
    (0, b"GIF87a", "image/gif"),
    (0, b"GIF89a", "image/gif"),
    (8, b"WEBP", "image/webp"),
    (0, b"II*\x00", "image/tiff"),
    (0, b"MM\x00*", "image/tiff"),
    (0, b"\x00\x00\x00\x0cjP  \r\n\x87\n", "image/jp2"),
    (4, b"ftypavif", "image/avif"),
    (4, b"ftypheic", "image/heic"),
    (4, b"ftyp", "video/mp4"),
    (0, b"AT&TFORM", "image/vnd.djvu"),
    (0, b"\x1f\x8b", "application/gzip"),
    (0, b"BZh", "application/x-bzip2"),
    (0, b"\xfd7zXZ\x00", "application/x-xz"),
    (0, b"\x28\xb5\x2f\xfd", "application/zstd"),
    (0, b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (0, b"Rar!\x1a\x07", "application/vnd.rar"),
    (257, b"ustar", "application/x-tar"),
    (0, b"\x7fELF", "application/x-executable"),
    (0, b"\xcf\xfa\xed\xfe", "application/x-executable"),
    (0, b"\xca\xfe\xba\xbe", "application/x-executable"),
    (0, b"\x00asm", "application/wasm"),
    (0, b"SQLite format 3\x00", "application/vnd.sqlite3"),
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"),
    (60, b"BOOKMOBI", "application/x-mobipocket-ebook"),
    (0, b"{\\rtf", "application/rtf"),
    (0, b"%!PS", "application/postscript"),
    (0, b"\xf7\x02", "application/x-dvi"),
    (0, b"ID3", "audio/mpeg"),
    (0, b"OggS", "audio/ogg"),
    (0, b"fLaC", "audio/flac"),
    (0, b"\x89HDF\r\n\x1a\n", "application/x-hdf5"),
    (0, b"PAR1", "application/vnd.apache.parquet"),
    (0, b"wOFF", "font/woff"),
    (0, b"version https://git-lfs.github.com/spec/", "application/x-git-lfs-pointer"),
)
# What the old container of office files can hold; a Word document of today is in it when a password protects it.
_IN_OLD_CONTAINERS = ("application/msword", "application/vnd.ms-excel", _WORD, _SHEET)
# Two letters that also begin honest words: only believed where the rest is no text.
_WEAK_MAGIC = ((b"MZ", "application/x-executable"), (b"BM", "image/bmp"))

_EXTENSIONS = {
    ".md": "text/markdown", ".markdown": "text/markdown", ".mdown": "text/markdown", ".mkd": "text/markdown",
    ".mdx": "text/markdown", ".qmd": "text/markdown", ".rmd": "text/markdown",
    ".txt": "text/plain", ".text": "text/plain",
    ".tex": "text/x-tex", ".ltx": "text/x-tex", ".latex": "text/x-tex",
    ".html": "text/html", ".htm": "text/html", ".xhtml": "text/html", ".xht": "text/html",
    ".ipynb": "application/x-ipynb+json",
    ".pdf": "application/pdf", ".epub": "application/epub+zip", ".docx": _WORD, ".xlsx": _SHEET, ".pptx": _SLIDES,
    ".xlsm": _SHEET,
    ".odt": "application/vnd.oasis.opendocument.text", ".ods": "application/vnd.oasis.opendocument.spreadsheet",
    ".rtf": "application/rtf", ".doc": "application/msword",
    ".djvu": "image/vnd.djvu", ".mobi": "application/x-mobipocket-ebook", ".ps": "application/postscript",
    ".rst": "text/x-rst", ".org": "text/x-org", ".adoc": "text/asciidoc", ".asciidoc": "text/asciidoc",
    ".wiki": "text/x-wiki", ".mediawiki": "text/x-wiki", ".wikitext": "text/x-wiki",
    ".typ": "text/x-typst", ".bib": "application/x-bibtex", ".json": "application/json",
    ".jsonl": "application/json", ".xml": "application/xml",
    ".ocd": DICTIONARY_TYPE, ".sts": SIGNATURES_TYPE,
    ".csv": "text/csv", ".tsv": "text/tab-separated-values", ".svg": "image/svg+xml", ".mml": "application/mathml+xml",
    ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".webp": "image/webp",
    ".tif": "image/tiff", ".tiff": "image/tiff", ".bmp": "image/bmp",
}  # fmt: skip
_ALIASES = {
    "text/x-markdown": "text/markdown",
    "application/x-tex": "text/x-tex",
    "application/x-latex": "text/x-tex",
    "text/x-latex": "text/x-tex",
    "application/xhtml+xml": "text/html",
    "text/xml": "application/xml",
}
# The system's own tables differ between machines; only the ones inside Python count.
_REGISTERED = mimetypes.MimeTypes(filenames=())

_HTML_START = re.compile(r"<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE)
_XML_DOCTYPE = re.compile(r"<!doctype\s+([\w:.-]{1,60})", re.IGNORECASE)
_ANY_TAG = re.compile(r"<[a-z][a-z0-9]{0,15}(?:\s[^<>]{0,500})?/?>", re.IGNORECASE)
_CLOSING_TAG = re.compile(r"</(?:p|div|h[1-6]|table|tr|td|ul|ol|li|span|a|section|article|main)>", re.IGNORECASE)
# The outermost elements of OpenMath's files, and what their namespaces begin with.
_OPENMATH_ROOTS = {"cd": DICTIONARY_TYPE, "cdsignatures": SIGNATURES_TYPE}
_OPENMATH_SPACE = "http://www.openmath.org/"
_ROOT_ELEMENT = re.compile(r"<(?:[\w.-]{1,40}:)?([\w.-]{1,60})")
_LATEX_FIRST = re.compile(
    r"\\(?:documentclass|documentstyle|usepackage|RequirePackage|begin|section|subsection|chapter|part|input|include"
    r"|newcommand|title)\b"
)
_LATEX_LINE = re.compile(
    r"^[ \t]{0,8}\\(?:documentclass|documentstyle|usepackage|begin\{document\}|(?:sub)?section\*?\{|chapter\*?\{)",
    re.MULTILINE,
)
_MARKDOWN_SIGNS = (
    re.compile(r"^#{1,6} \S", re.MULTILINE),
    re.compile(r"^\|?[ \t]{0,4}:?-{3,80}:?[ \t]{0,4}\|", re.MULTILINE),
    re.compile(r"^(?:```|~~~)", re.MULTILINE),
    re.compile(r"^\$\$|(?<![\w$])\$[^\s$][^$\n]{0,200}\$(?!\w)", re.MULTILINE),
    re.compile(r"\]\([^\s()]{1,200}\)"),
    re.compile(r"\*\*[^*\s][^*\n]{0,100}\*\*"),
)


_RST_MATH = re.compile(r"^[ \t]*\.\. math::|:math:`", re.MULTILINE)
# Light mark-up by what only it has: its own way to set formulas, and for wiki pages a link or a heading besides.
_LIGHT_MARKUP: tuple[tuple[str, tuple[re.Pattern[str], ...]], ...] = (
    ("text/x-rst", (re.compile(r"^\.\. math::|:math:`[^`\n]", re.MULTILINE),)),
    ("text/asciidoc", (re.compile(r"(?:stem|latexmath):\[[^\]\n]|^\[(?:stem|latexmath)\]$", re.MULTILINE),)),
    ("text/x-org", (re.compile(r"^#\+(?:title|begin_src|options|author):?", re.MULTILINE | re.IGNORECASE),)),
    (
        "text/x-wiki",
        (re.compile(r"<math>|\{\{m(?:ath|var)\|"), re.compile(r"\[\[[^\[\]\n]{1,200}\]\]|^==[^=\n]+==", re.MULTILINE)),
    ),
)


def canonical_media_type(media_type: str) -> str:
    """The one spelling of a media type: lower case, no parameters, no alias."""
    bare = media_type.split(";", 1)[0].strip().lower()
    return _ALIASES.get(bare, bare)


def hinted_media_type(name: str) -> str:
    """What the extension of a name suggests; empty where it suggests nothing."""
    suffix = PurePosixPath(name.replace("\\", "/")).suffix.lower()
    if not suffix:
        return ""
    registered = _REGISTERED.types_map[True].get(suffix, "")
    return _EXTENSIONS.get(suffix) or canonical_media_type(registered)


def detect_media_type(data: bytes, name: str) -> str:
    """The media type of some bytes; `empty` for nothing at all, `application/octet-stream` for unknown binary data."""
    hint = hinted_media_type(name)
    if not data.strip(b" \t\r\n\f\v\xef\xbb\xbf"):
        return EMPTY
    if data[:4] in (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08"):
        return _inside_zip(data)
    for offset, magic, media_type in _MAGIC:
        if data.startswith(magic, offset):
            return _more_exact(media_type, hint)
    if b"\x00" in data[:64]:
        for weak_magic, media_type in _WEAK_MAGIC:
            if data.startswith(weak_magic):
                return media_type
    text = _sample_text(data)
    if text is None:
        # Some writers put rubbish before a PDF's own first line; the format allows for that.
        return "application/pdf" if b"%PDF-" in data[:1024] else UNKNOWN_BINARY
    return _text_type(text, data[-_TAIL:], hint)


def _more_exact(media_type: str, hint: str) -> str:
    """Old office files share one container, also with new ones under a password: the extension is all there is."""
    if media_type == "application/x-ole-storage" and hint in _IN_OLD_CONTAINERS:
        return hint
    return media_type


def _sample_text(data: bytes) -> str | None:
    """The first characters of a text, None for data that is no text in any encoding."""
    head = data[:_SAMPLE]
    for mark, encoding in (
        (b"\xef\xbb\xbf", "utf-8"),
        (b"\xff\xfe\x00\x00", "utf-32-le"),
        (b"\x00\x00\xfe\xff", "utf-32-be"),
        (b"\xff\xfe", "utf-16-le"),
        (b"\xfe\xff", "utf-16-be"),
    ):
        if head.startswith(mark):
            text = head[len(mark) :].decode(encoding, "replace")
            return text if _is_mostly_printable(text) else None
    if b"\x00" in head:
        # UTF-16 without its mark: every other byte of Western text is zero.
        for start, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
            if head[start::2].count(0) > 0.4 * len(head) / 2 and head[1 - start :: 2].count(0) < 0.05 * len(head):
                text = head[: len(head) // 2 * 2].decode(encoding, "replace")
                shown = sum(1 for character in text if character.isprintable() or character.isspace())
                return text if shown > 0.95 * len(text) else None
        return None
    text = head.decode("utf-8", "replace")
    if text.count("�") > len(text) // 20:
        text = head.decode("latin-1")
    return text if _is_mostly_printable(text) else None


def _is_mostly_printable(text: str) -> bool:
    # Only the control characters of ASCII count: the upper ones are letters in some encoding, which is not judged here.
    odd = sum(1 for character in text if character < " " and character not in "\t\n\r\f\v\b\x1b")
    return odd <= max(2, len(text) // 50)


def _text_type(text: str, tail: bytes, hint: str) -> str:
    start = text.lstrip("\ufeff \t\r\n\f\v")
    by_markup = _markup_type(start, tail, hint)
    if by_markup:
        return by_markup
    if start.startswith("{") and _is_notebook(text, tail, hint):
        return "application/x-ipynb+json"
    if hint == "application/x-ipynb+json":
        return "application/json" if start[:1] in ("{", "[") else _unhinted_text(start, "")
    if hint == "text/x-tex" or _is_latex(start, hint):
        return "text/x-tex"
    if hint in ("text/markdown", "text/html") or _is_readable_hint(hint):
        return hint
    return _unhinted_text(start, hint)


def _is_readable_hint(hint: str) -> bool:
    """Whether a file of text may be what its extension says: a text called `.png` or `.pdf` is neither."""
    known = ("application/json", "application/xml", "application/x-bibtex", "application/mathml+xml")
    return hint in known or (hint.startswith("text/") and hint in _EXTENSIONS.values() and hint != "text/plain")


def _unhinted_text(start: str, hint: str) -> str:
    if hint == "text/x-python" and _RST_MATH.search(start):
        return hint
    for media_type, signs in _LIGHT_MARKUP:
        if hint in ("", "text/plain") and all(sign.search(start) for sign in signs):
            return media_type
    # Programs have lines that look like Markdown; their extension says that they are programs.
    if hint in ("", "text/plain") and sum(1 for sign in _MARKDOWN_SIGNS if sign.search(start)) >= 2:
        return "text/markdown"
    return "text/plain"


def _markup_type(start: str, tail: bytes, hint: str) -> str:
    """HTML and XML by their first tag; empty where the text starts with neither."""
    if not start.startswith("<"):
        return ""
    is_xml = start[:5].lower() == "<?xml"
    first = _after_prologue(start)
    if _HTML_START.match(first):
        return "text/html"
    doctype = _XML_DOCTYPE.match(first)
    root = doctype or _ROOT_ELEMENT.match(first)
    element = root.group(1).lower() if root else ""
    if element in _OPENMATH_ROOTS and (hint == _OPENMATH_ROOTS[element] or _OPENMATH_SPACE in first):
        return _OPENMATH_ROOTS[element]
    if element == "svg":
        return "image/svg+xml"
    if is_xml or doctype:
        return {"html": "text/html", "math": "application/mathml+xml"}.get(element, "application/xml")
    if hint in ("text/markdown", "text/html", "application/xml", "application/mathml+xml"):
        return hint
    if _ANY_TAG.match(first) and len(_CLOSING_TAG.findall(start)) >= 3:
        return "text/html"
    closes_at_end = element and re.search(rb"</(?:[\w.-]{1,40}:)?([\w.-]{1,60})\s*>\s*$", tail)
    return "application/xml" if closes_at_end and closes_at_end.group(1).lower().decode("latin-1") == element else ""


def _after_prologue(text: str) -> str:
    """The text from its first tag that is no comment and no processing instruction."""
    position = 0
    while True:
        for opening, closing in (("<!--", "-->"), ("<?", "?>")):
            if text.startswith(opening, position):
                end = text.find(closing, position + len(opening))
                if end < 0:
                    return ""
                position = end + len(closing)
                break
        else:
            return text[position : position + 2_000]
        while position < len(text) and text[position].isspace():
            position += 1


def _is_notebook(text: str, tail: bytes, hint: str) -> bool:
    if hint == "application/x-ipynb+json":
        return True
    # The version stands at the end of most notebooks.
    has_version = '"nbformat"' in text or b'"nbformat"' in tail
    return has_version and ('"cells"' in text or '"worksheets"' in text)


def _is_latex(start: str, hint: str) -> bool:
    first = next((line for line in _lines(start) if line and not line.startswith("%")), "")
    if _LATEX_FIRST.match(first):
        return True
    # Prose about LaTeX shows commands too, so in Markdown and HTML only the first line decides.
    return hint not in ("text/markdown", "text/html", "text/x-rst") and _LATEX_LINE.search(start) is not None


def _lines(text: str) -> Iterator[str]:
    position = 0
    while position < len(text):
        end = text.find("\n", position)
        end = len(text) if end < 0 else end
        yield text[position:end].strip()
        position = end + 1


_LONGEST_DIRECTORY = 20_000
_LONGEST_NAME = 300
_DECLARED = re.compile(
    rb"application/(?:epub\+zip|vnd\.oasis\.opendocument\.(?:text|spreadsheet|presentation|graphics|formula))"
)


def _inside_zip(data: bytes) -> str:
    """Office documents and e-books are ZIP archives; their members' names tell which."""
    declared = _declared_type(data)
    if declared:
        return declared
    has_manifest = False
    for name in _member_names(data):
        for prefix, media_type in ((b"word/", _WORD), (b"xl/", _SHEET), (b"ppt/", _SLIDES)):
            if name.startswith(prefix):
                return media_type
        if name == b"META-INF/container.xml":
            return "application/epub+zip"
        has_manifest = has_manifest or name == b"META-INF/MANIFEST.MF"
    return "application/java-archive" if has_manifest else "application/zip"


def _declared_type(data: bytes) -> str:
    """The text of a first, uncompressed member called `mimetype`, as OpenDocument and EPUB have it."""
    name_length = int.from_bytes(data[26:28], "little")
    if data[30 : 30 + name_length] != b"mimetype" or int.from_bytes(data[8:10], "little") != 0:
        return ""
    start = 30 + name_length + int.from_bytes(data[28:30], "little")
    size = min(int.from_bytes(data[18:22], "little"), 100) or 100
    declared = _DECLARED.match(data[start : start + size])
    return declared.group().decode("ascii") if declared else ""


def _member_names(data: bytes) -> Iterator[bytes]:
    """Names from the archive's directory, or from the members themselves where it was cut off."""
    end = data.rfind(b"PK\x05\x06", max(0, len(data) - 65_557))
    position = int.from_bytes(data[end + 16 : end + 20], "little") if end >= 0 else -1
    signature, fields = b"PK\x01\x02", (28, 30, 32, 46)
    if position < 0 or not data.startswith(signature, position):
        position, signature, fields = 0, b"PK\x03\x04", (26, 28, 0, 30)
    name_at, extra_at, comment_at, header = fields
    for _ in range(_LONGEST_DIRECTORY):
        if position < 0 or not data.startswith(signature, position):
            return
        name_length = int.from_bytes(data[position + name_at : position + name_at + 2], "little")
        yield data[position + header : position + header + min(name_length, _LONGEST_NAME)]
        if signature == b"PK\x01\x02":
            lengths = (
                int.from_bytes(data[position + at : position + at + 2], "little") for at in (extra_at, comment_at)
            )
            position += header + name_length + sum(lengths)
        else:
            position = data.find(signature, position + header)


# Media types in words for people: what a file is, and what to do when nothing here reads it. Decides nothing.

_NAMES = {
    "text/markdown": "Markdown",
    "text/plain": "plain text",
    "text/x-tex": "LaTeX",
    "text/html": "HTML",
    "application/x-ipynb+json": "a Jupyter notebook",
    "application/pdf": "a PDF file",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "a Word document",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "an Excel workbook",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": "a PowerPoint presentation",
    "application/msword": "an old Word document",
    "application/vnd.ms-excel": "an old Excel workbook",
    "application/x-ole-storage": "an old office document",
    "application/vnd.oasis.opendocument.text": "an OpenDocument text",
    "application/vnd.oasis.opendocument.spreadsheet": "an OpenDocument spreadsheet",
    "application/vnd.oasis.opendocument.presentation": "an OpenDocument presentation",
    "application/epub+zip": "an EPUB book",
    "application/x-mobipocket-ebook": "a Mobipocket book",
    "application/rtf": "a Rich Text file",
    "application/postscript": "a PostScript file",
    "application/x-dvi": "a DVI file",
    "image/vnd.djvu": "a DjVu file",
    "text/x-rst": "reStructuredText",
    "text/x-org": "an Org file",
    "text/asciidoc": "AsciiDoc",
    "text/x-wiki": "a wiki page",
    "text/x-python": "a Python program",
    "text/x-typst": "Typst",
    "text/csv": "a table of comma-separated values",
    "text/tab-separated-values": "a table of tab-separated values",
    "application/json": "JSON data",
    "application/xml": "an XML file",
    "application/mathml+xml": "a MathML file",
    DICTIONARY_TYPE: "an OpenMath dictionary",
    SIGNATURES_TYPE: "a file of OpenMath signatures",
    "application/x-bibtex": "a BibTeX bibliography",
    "image/svg+xml": "an SVG drawing",
    "image/png": "a PNG picture",
    "image/jpeg": "a JPEG picture",
    "image/tiff": "a TIFF picture",
    "application/zip": "a ZIP archive",
    "application/java-archive": "a Java archive",
    "application/gzip": "a gzip-compressed file",
    "application/x-bzip2": "a bzip2-compressed file",
    "application/x-xz": "an xz-compressed file",
    "application/zstd": "a Zstandard-compressed file",
    "application/x-7z-compressed": "a 7-Zip archive",
    "application/vnd.rar": "a RAR archive",
    "application/x-tar": "a tar archive",
    "application/x-executable": "a program",
    "application/wasm": "a WebAssembly program",
    "application/vnd.sqlite3": "an SQLite database",
    "application/x-git-lfs-pointer": "a Git LFS pointer instead of the file itself",
    "application/octet-stream": "binary data of an unknown format",
    "empty": "an empty file",
}
_ARCHIVES = {
    "application/zip", "application/gzip", "application/x-bzip2", "application/x-xz", "application/zstd",
    "application/x-7z-compressed", "application/vnd.rar", "application/x-tar",
}  # fmt: skip
_CONVERTIBLE = {
    "text/x-typst",
}
_BUILT_IN = {
    "text/x-rst",
    "text/x-org",
    "text/asciidoc",
    "text/x-wiki",
    "text/x-python",
    "text/markdown",
    "text/plain",
    "text/x-tex",
    "text/html",
    "application/x-ipynb+json",
    "application/pdf",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "application/vnd.oasis.opendocument.text",
    "application/vnd.oasis.opendocument.spreadsheet",
    "application/epub+zip",
    "application/rtf",
    DICTIONARY_TYPE,
    SIGNATURES_TYPE,
}
_OLD_OFFICE = {"application/msword", "application/vnd.ms-excel", "application/x-ole-storage"}


def described(media_type: str) -> str:
    """A media type as a noun with its article, such as `a PDF file`."""
    name = _NAMES.get(media_type)
    if name is not None:
        return name
    family = media_type.partition("/")[0]
    families = {"image": "an image", "audio": "a sound recording", "video": "a film", "font": "a font"}
    return f"{families.get(family, 'a file')} of the type {media_type}"


def advice_for(media_type: str) -> str:
    """What to do with a file of a type that has no reader."""
    plugin = f"install a package that offers a mathrag reader for {media_type}"
    if media_type in _BUILT_IN:
        return "its reader is missing from this installation; reinstall mathrag"
    if media_type in _ARCHIVES:
        return "unpack it and give the files inside"
    if media_type == "application/x-git-lfs-pointer":
        return "fetch the file with `git lfs pull` first"
    if media_type in _CONVERTIBLE:
        return f"this format is not supported yet; convert it to Markdown or HTML (pandoc does), or {plugin}"
    if media_type in _OLD_OFFICE:
        return f"save it as .docx, .xlsx or .odt, without a password, and give that, or {plugin}"
    if media_type.startswith("image/"):
        return f"such pictures are not supported yet; save it as PNG, JPEG or TIFF, or {plugin}"
    if media_type in ("application/octet-stream", "application/x-executable", "application/wasm"):
        return "give a PDF, Markdown, LaTeX, HTML, notebook, office or text file"
    return f"this format is not supported; convert it to Markdown, LaTeX or HTML, or {plugin}"
