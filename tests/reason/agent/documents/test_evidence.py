"""What counts as seen: numbers in texts, calculations over them, and queries that state what is stored."""

from __future__ import annotations

import pytest

from mathrag.reason.agent.documents.evidence import Calculation, Witnesses, query_problem, quote_of, values_in
from mathrag.reason.agent.documents.seams import Evidence


def witnesses() -> Witnesses:
    seen = Witnesses("Which loom of Table 2 weaves 3 m of cloth?")
    seen.add(
        [
            Evidence("loom | time (min) | threads\nLX-7 | 12.5 | 1,480\nMarie 4.0 | 9.75 | −3", "d-loom", 6),
            None,
            Evidence("On average the looms need seven breaks.", "d-loom", 8, (11.123456789,)),
        ]
    )
    return seen


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("a 1,480 b", {1480}),
        ("1,2 and 3", {1, 2, 3}),
        ("LX7 v2 LX-7", set()),
        ("(0.131), -2.5 %", {0.131, 2.5, -2.5}),
        ("3-5", {3, 5}),
        ("1e-3 .5", {0.001, 0.5}),
        ("", set()),
    ],
)
def test_numbers_in_a_text(text: str, values: set[float]) -> None:
    assert values_in(text) == values


@pytest.mark.parametrize(
    "answer",
    [
        "12.5",
        "LX-7 with 1480 threads",
        "12.5 min",
        "3 m of cloth",
        "Marie 4.0",
        "-3",
        "seven breaks",
        "11.1 on average",
        "see page 8",
        "[12.5, 9.75]",
    ],
)
def test_what_was_seen_may_be_said(answer: str) -> None:
    assert witnesses().unsourced(answer) == ()


@pytest.mark.parametrize(
    "answer", ["12.6", "12.5 s", "148", "LX-8", "eight breaks", "page 9", "11.2", "2.75", "12.5 %", "1 480 000", "xii"]
)
def test_what_was_not_seen_may_not(answer: str) -> None:
    assert witnesses().unsourced(answer) != ()


def test_a_result_may_be_rounded_and_used_again() -> None:
    seen = witnesses()
    assert seen.unsourced("2.75") != ()
    seen.calculations.append(Calculation("12.5 - 9.75", "2.75"))
    assert seen.unsourced("2.75") == ()
    assert seen.unsourced("2.8 min") == ()
    assert seen.calculation_problem("2.75 / 9.75 * 100") is None


@pytest.mark.parametrize(
    "expression",
    [
        "12.5 - 9.75",
        "round((12.5 - 9.75) / 9.75 * 100, 1)",
        "(12.5 + 9.75) / 2",
        "sum([12.5, 9.75, 1480]) / 3",
        "3 * 12.5",
    ],
)
def test_calculations_over_what_was_seen(expression: str) -> None:
    assert witnesses().calculation_problem(expression) is None


@pytest.mark.parametrize(
    "expression",
    ["42", "12.5 + 42", "1 + 1 + 1", "100 / 2", "12.5 * 13", "1 * 1 * 1 * 12.5", "", "round(12.7, 1)", "13/2"],
)
def test_calculations_over_something_else(expression: str) -> None:
    problem = witnesses().calculation_problem(expression)
    assert problem is not None
    assert problem.code == "number_without_source"


@pytest.mark.parametrize(
    "expression",
    [
        "six * 12.5",
        "12.5 * forty",
        "pi * 12.5",
        "12.5 dozen",
        "1_000 * 12.5",
        "0x1F + 12.5",
        "12.5 * ２",
        "Ⅻ * 12.5",
        "1,480 * 12.5",
        "(1,480)",
        "12.5 km",
        "12.5 " * 500,
        "half of 12.5",
        "12.5 * e",
    ],
)
def test_no_number_hides_in_a_calculation(expression: str) -> None:
    problem = witnesses().calculation_problem(expression)
    assert problem is not None
    assert problem.code == "malformed_expression"


def test_a_list_has_commas() -> None:
    assert witnesses().calculation_problem("sum([12.5,9.75,1480])") is None
    assert witnesses().calculation_problem("max([1480,12.5]) - min(12.5, 9.75)") is None


def test_an_answer_leads_to_its_places() -> None:
    seen = witnesses()
    assert [each.page for each in seen.supporting("9.75 minutes")] == [6]
    assert [each.page for each in seen.supporting("the looms need seven breaks")] == [8]
    assert seen.supporting("nobody knows") == ()
    seen.calculations.append(Calculation("12.5 - 9.75", "2.75"))
    assert [each.page for each in seen.supporting("2.75")] == [6]


def test_a_quote_is_word_for_word() -> None:
    text = "word " * 200 + "the loom needs 9.75 minutes " + "word " * 200
    quote = quote_of(text, "9.75")
    assert "needs 9.75 minutes" in quote
    assert quote in text
    assert len(quote) <= 240
    assert quote_of("short", "9") == "short"


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT caption FROM tables WHERE caption LIKE '%Table 3%' AND page IN (3, 4) LIMIT 5",
        "SELECT count(*), round(avg(width), 2) FROM pages WHERE number BETWEEN 3 AND 5 GROUP BY document",
        "SELECT sum(CASE WHEN is_header = 1 THEN 1 ELSE 0 END) FROM table_cells",
        "SELECT t.* FROM table_cells AS t ORDER BY t.row_number DESC LIMIT 3 OFFSET 2",
        "WITH wide AS (SELECT * FROM pages WHERE width > 500) SELECT number FROM wide -- 42",
        "SELECT title FROM documents WHERE id = 'd-42' /* 42 */",
        "select coalesce(title, '') from documents",
    ],
)
def test_queries_that_state_what_is_stored(sql: str) -> None:
    assert query_problem(sql) == ""


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 42",
        "SELECT '42' FROM documents",
        'SELECT "42" FROM documents',
        "SELECT 6 * 7 FROM documents",
        "SELECT width * 2 FROM pages",
        "SELECT count(*) - 1 FROM pages",
        "SELECT substr(text, 1, 2) FROM chunks",
        "SELECT char(52, 50)",
        "SELECT text || text FROM chunks",
        "SELECT coalesce(NULL, 42) FROM pages",
        "SELECT random()",
        "SELECT current_date",
        "SELECT group_concat(number) FROM pages",
        "VALUES (42)",
        "SELECT CASE WHEN 1 THEN 42 END",
        "SELECT max(width, 42) FROM pages",
        "WITH RECURSIVE n AS (SELECT 1 AS x UNION ALL SELECT x + 1 FROM n) SELECT x FROM n",
        "SELECT x'3432'",
        "SELECT 0x2A",
        "SELECT lag(width, 1, 42) OVER () FROM pages",
        "SELECT '42",
        "SELECT round(number, 42) FROM pages WHERE 1 = 42 AND '1' < '2'",
        "SELECT * FROM json_each('[42]')",
        "x" * 30_000,
    ],
)
def test_queries_that_say_something_themselves(sql: str) -> None:
    assert query_problem(sql) != ""


@pytest.mark.parametrize("piece", ["'", '"', "/*", "1,", "(", "[", "`", "--", "a b ", "''", "1.1e", "-1"])
def test_hostile_texts_take_no_time(piece: str) -> None:
    text = piece * (20_000 // len(piece))
    query_problem(text)
    values_in(text)
    witnesses().calculation_problem(text[:5_000])
