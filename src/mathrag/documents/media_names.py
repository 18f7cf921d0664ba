"""Media types in words for people: what a file is, and what to do when nothing here reads it. Decides nothing."""

from __future__ import annotations

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
    "text/x-typst": "Typst",
    "text/csv": "a table of comma-separated values",
    "text/tab-separated-values": "a table of tab-separated values",
    "application/json": "JSON data",
    "application/xml": "an XML file",
    "application/mathml+xml": "a MathML file",
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
    "text/x-rst",
    "text/x-org",
    "text/asciidoc",
    "text/x-typst",
}
_BUILT_IN = {
    "text/markdown",
    "text/plain",
    "text/x-tex",
    "text/html",
    "application/x-ipynb+json",
    "application/pdf",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "application/vnd.oasis.opendocument.text",
    "application/epub+zip",
    "application/rtf",
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
        return f"save it as .docx or .odt, without a password, and give that, or {plugin}"
    if media_type.startswith("image/"):
        return f"such pictures are not supported yet; save it as PNG, JPEG or TIFF, or {plugin}"
    if media_type in ("application/octet-stream", "application/x-executable", "application/wasm"):
        return "give a PDF, Markdown, LaTeX, HTML, notebook, office or text file"
    return f"this format is not supported; convert it to Markdown, LaTeX or HTML, or {plugin}"
