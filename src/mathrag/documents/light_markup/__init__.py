"""Light mark-up to blocks: reStructuredText (also in docstrings), Org, AsciiDoc and wiki pages, each written out as a
page, line by line, which the reader of pages then reads."""

from mathrag.documents.light_markup.asciidoc import read_asciidoc
from mathrag.documents.light_markup.mediawiki import read_mediawiki
from mathrag.documents.light_markup.org import read_org
from mathrag.documents.light_markup.restructured import read_python, read_rst

__all__ = ["read_asciidoc", "read_mediawiki", "read_org", "read_python", "read_rst"]
