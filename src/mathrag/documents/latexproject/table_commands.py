"""What commands do inside tables: rows, rules, cells across columns and rows, titles that go into the contents."""

from __future__ import annotations

import re
from collections.abc import Callable

from mathrag.documents.latexproject.builder import Builder
from mathrag.documents.latexproject.command_tables import RULES, SECTION_RANKS
from mathrag.documents.latexproject.environments import drop_arguments
from mathrag.documents.latexproject.inlines import Inlines
from mathrag.documents.latexproject.tables import end_head, end_row
from mathrag.documents.latexproject.tokens import Token


def _contents_line(builder: Builder, _: Token) -> None:
    """`\\addcontentsline{toc}{section}{...}`: inside a table it says that the row to come is a title."""
    expander = builder.expander
    expander.argument()
    kind = expander.plain_argument()
    expander.argument()
    if builder.tables and kind in SECTION_RANKS:
        builder.tables[0 if builder.tables[-1].is_nested else -1].contents_rank = SECTION_RANKS[kind]


def _line_end(builder: Builder, token: Token) -> None:
    """`\\\\`: a row ends, or a line."""
    expander = builder.expander
    expander.star()
    following = expander.peek()
    if following is not None and following.kind == "characters" and following.text.startswith("["):
        expander.option()
    if builder.in_table_row:
        table = builder.tables[-1]
        end_row(table, builder.files, token=token)
        builder.inlines = table.cell.inlines
    elif builder.mode == "line":
        builder.inlines.space(token)
    else:
        builder.inlines.line_break()


def _rule(builder: Builder, token: Token) -> None:
    if token.text in ("Xhline", "hhline"):
        builder.expander.argument()
    if builder.tables:
        builder.tables[-1].rule("midrule" if token.text == "midrule" else "hline")


def _end_head(builder: Builder, token: Token) -> None:
    if builder.tables:
        end_head(builder.tables[-1], token.text)


def _spanning_columns(builder: Builder, token: Token) -> None:
    """`\\multicolumn{2}{c}{...}`."""
    count = builder.expander.plain_argument()
    builder.expander.argument()
    if builder.in_table_row:
        cell = builder.tables[-1].cell
        cell.columns = max(1, int(count)) if re.fullmatch(r"\d{1,3}", count) else 1
        cell.is_spanning = cell.columns > 1
    builder.open_argument(token)


def _spanning_rows(builder: Builder, token: Token) -> None:
    """`\\multirow[t]{2}[0]{*}[0pt]{...}`."""
    expander = builder.expander
    expander.option()
    count = expander.plain_argument()
    drop_arguments(builder, "omo")
    if builder.in_table_row and re.fullmatch(r"-?\d{1,3}", count):
        builder.tables[-1].cell.rows = max(1, abs(int(count)))
    builder.open_argument(token)


def _forget_line(builder: Builder, _: Token) -> None:
    """`\\kill` and the like: the line was only there to be measured."""
    if builder.in_table_row:
        builder.tables[-1].row.clear()
        builder.tables[-1].cell.inlines = builder.inlines = Inlines()


TABLE_COMMANDS: dict[str, Callable[[Builder, Token], None]] = {
    "addcontentsline": _contents_line,
    **dict.fromkeys(("\\", "tabularnewline", "cr", "newline"), _line_end),
    **dict.fromkeys(RULES, _rule),
    **dict.fromkeys(("endhead", "endfirsthead", "endfoot", "endlastfoot"), _end_head),
    **dict.fromkeys(("multicolumn", "SetCell"), _spanning_columns),
    "multirow": _spanning_rows,
    "kill": _forget_line,
}
