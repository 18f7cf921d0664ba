"""Small scenes for episodes about documents: two tables of an invented paper, and a bench that answers from them."""

from __future__ import annotations

from mathrag.reason.agent.documents.evidence import query_problem
from mathrag.reason.agent.documents.seams import Evidence, FoundRows, SeenPage
from mathrag.reason.agent.seams import Problem
from mathrag.types.document_actions import PageCut, Rows

PAPER = "d-kiln"
TABLE = "glaze | error rate\nNV1 | 0.131\nNV2 | 0.077\nDD2 | 0.729"
PASSAGE = "Table 3 gives the error rate of every glaze that was fired in the kiln."
SUMMARY = "The table shows that DD2 fails in 88 of 99 firings."
CHART_SUMMARY = "The bar chart compares the error rates of the glazes: NV1 (0.131), NV2 (0.077) and DD2 (0.729)."
QUESTION = "How much higher is the error rate of DD2 than that of NV1?"


class KilnBench:
    """Gives the same for every search and query; `asked` and `filters` keep what it was asked for."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []
        self.filters: list[str] = []

    def search_cells(
        self, query: str, *, collection: str, table: str, column: str, filter_text: str, limit: int
    ) -> FoundRows | Problem:
        self.asked.append(("search", f"{collection} {table}.{column} {limit} {query}"))
        self.filters.append(filter_text)
        if filter_text.startswith("wrong"):
            return Problem("wrong_search", "the filter cannot be read")
        texts = [(PASSAGE, 4, Evidence(PASSAGE, PAPER, 4)), (SUMMARY, 4, None)][:limit]
        rows = Rows(("text", "document", "page"), tuple((text, PAPER, page) for text, page, _ in texts))
        return FoundRows(rows, tuple(each for _, _, each in texts), "a summary is no evidence")

    def neighbourhood(self, query: str, *, limit: int) -> FoundRows | Problem:
        assert limit > 0
        self.asked.append(("graph", query))
        rows = Rows(("subject", "relation", "object"), (("Glazes", "says", PASSAGE),))
        return FoundRows(rows, (Evidence(PASSAGE, PAPER, 4),))

    def run_sql(self, sql: str) -> FoundRows | Problem:
        self.asked.append(("sql", sql))
        if not sql.lower().startswith("select"):
            return Problem("wrong_query", "only one SELECT may be run")
        if "99" in sql:
            return FoundRows(Rows(("v",), ((99,),)), (), query_problem(sql))
        if "many" in sql:
            return FoundRows(Rows(("v",), tuple((value,) for value in range(1000, 1200))), ())
        if "summaries" in sql:
            note = "numbers in summaries cannot be cited: a model wrote them"
            return FoundRows(Rows(("text",), ((CHART_SUMMARY,),)), (), note)
        if "caption" in sql:
            caption = "Table 3: error rates of all glazes"
            return FoundRows(Rows(("caption", "page"), ((caption, 4),)), (Evidence(f"{caption} | 4", PAPER, 4),))
        lines = [line.split(" | ") for line in TABLE.splitlines()[1:]]
        rows = Rows(("glaze", "error rate"), tuple((name, rate) for name, rate in lines))
        return FoundRows(rows, tuple(Evidence(f"{name} | {rate}", PAPER, 4) for name, rate in lines))

    def draw(self, document: str, page: int, *, box: tuple[float, float, float, float] | None) -> SeenPage | Problem:
        self.asked.append(("draw", f"{document} {page} {box}"))
        if page > 9:
            return Problem("no_page", "the paper has 9 pages")
        return SeenPage(PageCut(document, page, b"\x89PNG", box), TABLE)

    def calculate(self, expression: str) -> str | Problem:
        self.asked.append(("calculate", expression))
        known = {"0.729 - 0.131": "0.598", "0.729-0.131": "0.598", "0.131 * 100": "13.1"}
        return known.get(expression, Problem("malformed_expression", "the expression cannot be read"))

    def describe_tables(self) -> str:
        return "tables (id, document, caption, page)"

    def describe_cells(self) -> str:
        return "collections: bm25; chunks.text"

    def abstracts(self, question: str) -> FoundRows:
        self.asked.append(("abstracts", question))
        text = "Glazes and kilns. We fire 3 glazes."
        return FoundRows(Rows(("title", "abstract"), (("Glazes and kilns", text),)), (Evidence(text, PAPER),))

    def full_texts(self, question: str, *, tokens: int) -> FoundRows:
        assert question
        self.asked.append(("full text", str(tokens)))
        return FoundRows(Rows(("text",), ((TABLE,),)), (Evidence(TABLE, PAPER, 4),))

    def document_name(self, document: str) -> str:
        return {PAPER: "Glazes and kilns"}.get(document, document)
