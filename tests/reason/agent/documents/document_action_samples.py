"""Actions on documents for tests: any legal one, and replies around and near them."""

from __future__ import annotations

from hypothesis import strategies as st

from mathrag.types.document_actions import (
    CalculateExpr,
    DocumentAction,
    GenerateAnswer,
    RetrieveFromDatabase,
    RetrieveFromVectorstore,
    ViewImage,
)

words = st.text(max_size=40)
said = words.filter(lambda text: bool(text.strip()))
# What formats and readers trip over: their own marks, their own words, LaTeX behind a line end.
tricky = st.sampled_from(
    (
        "</sql>",
        "<b>bold</b>",
        "]]>",
        "<![CDATA[x]]>",
        "&amp;lt;",
        "&lol;",
        "a: b",
        "- a",
        "# no",
        "x # y",
        "true",
        "No",
        "null",
        "~",
        "007",
        "1e5",
        "-3",
        ".5",
        "+1",
        "[1, 2]",
        '{"a": 1}',
        "[CLS] token",
        "|",
        ">-",
        "'",
        '"',
        "\\",
        "\\frac{1}{2}",
        "\nabla",
        "x\nright",
        "\text",
        "\x0crac",
        "\x00",
        "\x85",
        "\u2028",
        "  blanks  ",
        "it's",
        'say "so"',
        "```",
        "\r\n",
        "Action: x",
        "GenerateAnswer(answer=1)",
        "action_type: x",
        "&anchor",
        "*alias",
        "!!tag",
        "%d",
        "@",
        "`",
        "“quoted”",
        "a\tb",
        "line\n\n\nline\n",
        "SELECT a\nFROM t\nWHERE x < 3 AND y = 'z'",
        "\ufeff",
        "é ∂ 漢字 🙂",
        "\U000e0001",
    )
)
texts = st.one_of(
    said, tricky.filter(lambda text: bool(text.strip())), st.builds("{}{}{}".format, tricky, said, tricky)
)
numbers = st.one_of(
    st.integers(-(10**30), 10**30), st.floats(allow_nan=False, allow_infinity=False, min_value=-1e299, max_value=1e299)
)
plain_answers = st.one_of(st.booleans(), numbers, texts, st.none(), words, tricky)
answers = st.one_of(
    st.one_of(st.booleans(), numbers, texts),
    st.recursive(
        st.one_of(
            st.lists(plain_answers, max_size=4),
            st.dictionaries(st.one_of(words, tricky), plain_answers, max_size=4),
        ),
        lambda inner: st.one_of(
            st.lists(st.one_of(inner, plain_answers), max_size=3),
            st.dictionaries(st.one_of(words, tricky), st.one_of(inner, plain_answers), max_size=3),
        ),
        max_leaves=8,
    ),
)
_hundredths = st.integers(-5_000, 200_000)
_lengths = st.integers(1, 200_000)


def _box(left: int, top: int, width: int, height: int) -> tuple[float, float, float, float]:
    return left / 100, top / 100, (left + width) / 100, (top + height) / 100


boxes = st.builds(_box, _hundredths, _hundredths, _lengths, _lengths).filter(lambda box: box[2] > 0 and box[3] > 0)
actions: st.SearchStrategy[DocumentAction] = st.one_of(
    st.builds(
        RetrieveFromVectorstore,
        query=texts,
        collection_name=st.one_of(words, tricky),
        table_name=st.one_of(words, tricky),
        column_name=words,
        filter=st.one_of(words, tricky),
        limit=st.integers(1, 100),
    ),
    st.builds(RetrieveFromDatabase, texts),
    st.builds(ViewImage, texts, st.integers(1, 100_000), st.one_of(st.none(), boxes)),
    st.builds(CalculateExpr, texts),
    st.builds(GenerateAnswer, answers),
)
