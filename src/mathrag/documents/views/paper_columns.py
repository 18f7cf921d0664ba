"""The columns that NeuSym-RAG, a published system for questions about papers, keeps; and where each stands here.

`docs/documents.md` quotes this table; tests hold it against that page, our schema and the published one. What a model
would have to invent, and what only a catalogue outside the document could tell, is left out with the reason.
"""

from __future__ import annotations

from typing import NamedTuple


class PaperColumn(NamedTuple):
    """A column of the published system, the column here ("" where it is left out), and how or, if not, why not."""

    table: str
    column: str
    here: str
    remark: str


PAPER_COLUMNS: tuple[PaperColumn, ...] = (
    PaperColumn("metadata", "paper_id", "documents.id", "made from where the document was read"),
    PaperColumn("metadata", "title", "documents.title", "as printed, rows joined"),
    PaperColumn("metadata", "abstract", "documents.abstract", "as printed"),
    PaperColumn("metadata", "num_pages", "pages.number", "as many as the document has rows in pages"),
    PaperColumn("metadata", "conference_full", "documents.venue", "as printed on the first page"),
    PaperColumn(
        "metadata", "conference_abbreviation", "", "papers print one name or the other, and what is printed is in venue"
    ),
    PaperColumn("metadata", "pub_year", "documents.year", "as printed or as the file says"),
    PaperColumn("metadata", "volume", "documents.volume", "as printed on the first page"),
    PaperColumn(
        "metadata",
        "download_url",
        "",
        "documents are read from files; a DOI or preprint that is printed is in identifier",
    ),
    PaperColumn("metadata", "bibtex", "", "made from title, authors, venue, volume and year, which are columns"),
    PaperColumn("metadata", "authors", "documents.authors", "a JSON list"),
    PaperColumn("metadata", "pdf_path", "documents.key", "where it was read"),
    PaperColumn("metadata", "tldr", "summaries.text", "a model's words (kind `document`), only where one was asked"),
    PaperColumn(
        "metadata", "tags", "", "labels that a model chose; key words that a paper prints are answered from its text"
    ),
    PaperColumn("pages", "page_id", "", "a page is told apart by document and number"),
    PaperColumn("pages", "page_number", "pages.number", "from 1"),
    PaperColumn("pages", "page_width", "pages.width", "in points; there in pixels"),
    PaperColumn("pages", "page_height", "pages.height", "in points; there in pixels"),
    PaperColumn("pages", "page_content", "pages.text", "without running heads and feet"),
    PaperColumn("pages", "page_summary", "summaries.text", "a model's words (kind `page`), only where one was asked"),
    PaperColumn("pages", "ref_paper_id", "pages.document", ""),
    PaperColumn("images", "image_id", "images.id", ""),
    PaperColumn("images", "image_caption", "images.caption", "as printed"),
    PaperColumn("images", "image_summary", "summaries.text", "a model's words (kind `image`), where one was asked"),
    PaperColumn("images", "bounding_box", "images.box", "left, top, right, bottom in points"),
    PaperColumn("images", "ordinal", "images.position", "from 0, through the document; there within a page"),
    PaperColumn("images", "ref_paper_id", "images.document", ""),
    PaperColumn("images", "ref_page_id", "images.page", "the number of the page"),
    PaperColumn("tables", "table_id", "tables.id", ""),
    PaperColumn("tables", "table_caption", "tables.caption", "as printed"),
    PaperColumn("tables", "table_content", "tables.html", "and every cell in table_cells"),
    PaperColumn("tables", "table_summary", "summaries.text", "a model's words (kind `table`), where one was asked"),
    PaperColumn("tables", "bounding_box", "tables.box", "left, top, right, bottom in points"),
    PaperColumn("tables", "ordinal", "tables.position", "from 0, through the document; there within a page"),
    PaperColumn("tables", "ref_paper_id", "tables.document", ""),
    PaperColumn("tables", "ref_page_id", "tables.page", "the number of the page"),
    PaperColumn("chunks", "chunk_id", "passages.id", "chunks here are pieces of sections, made for searching"),
    PaperColumn("chunks", "text_content", "passages.text", "512 tokens, no overlap, within a page"),
    PaperColumn("chunks", "ordinal", "passages.position", "from 0, through the document; there within a page"),
    PaperColumn("chunks", "ref_paper_id", "passages.document", ""),
    PaperColumn("chunks", "ref_page_id", "passages.page", "the number of the page"),
    PaperColumn("sections", "section_id", "sections.id", ""),
    PaperColumn("sections", "section_title", "sections.title", "as printed, with its number"),
    PaperColumn("sections", "section_content", "sections.text", "up to the next heading of any level"),
    PaperColumn(
        "sections", "section_summary", "summaries.text", "a model's words (kind `section`), where one was asked"
    ),
    PaperColumn("sections", "ordinal", "sections.position", "from 0"),
    PaperColumn("sections", "page_numbers", "sections.page_numbers", "a JSON list, subsections included"),
    PaperColumn("sections", "ref_paper_id", "sections.document", ""),
    PaperColumn("equations", "equation_id", "equations.id", ""),
    PaperColumn("equations", "equation_content", "equations.latex", "rebuilt from the page in PDF files"),
    PaperColumn("equations", "ordinal", "equations.position", "from 0, through the document; there within a page"),
    PaperColumn("equations", "ref_paper_id", "equations.document", ""),
    PaperColumn("equations", "ref_page_id", "equations.page", "the number of the page"),
    PaperColumn("reference", "reference_id", "bibliography.id", ""),
    PaperColumn("reference", "reference_content", "bibliography.text", "one row an entry"),
    PaperColumn("reference", "ordinal", "bibliography.position", "from 0"),
    PaperColumn("reference", "ref_paper_id", "bibliography.document", ""),
    PaperColumn("reference", "ref_page_id", "bibliography.page", "the number of the page"),
)
