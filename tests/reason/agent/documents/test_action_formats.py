"""Five actions in four formats: what is written is read back, what models make of it is understood or named, and no
reply whatever raises."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from dataclasses import fields

import pytest
from document_action_samples import actions, tricky
from hypothesis import given, settings
from hypothesis import strategies as st

from mathrag.reason.agent.documents.action_formats import (
    LONGEST_REPLY,
    LONGEST_THOUGHT,
    ReadAction,
    describe_actions,
    read_action,
    write_action,
)
from mathrag.reason.agent.documents.action_parameters import FORMS, LARGEST_LIMIT
from mathrag.types.document_actions import (
    ACTION_FORMATS,
    DOCUMENT_ACTIONS,
    ActionFormat,
    CalculateExpr,
    DocumentAction,
    GenerateAnswer,
    RetrieveFromDatabase,
    RetrieveFromVectorstore,
    ViewImage,
)

EXAMPLES = [form.example for form in FORMS.values()]


def problem(text: str, form: ActionFormat = "markdown") -> str:
    found = read_action(text, form)
    assert found.action is None
    assert found.problem is not None
    return found.problem.code


def message(text: str, form: ActionFormat = "markdown") -> str:
    found = read_action(text, form).problem
    assert found is not None
    return found.message


# ---- there and back


@pytest.mark.parametrize("form", ACTION_FORMATS)
@given(action=actions)
@settings(max_examples=200)
def test_what_is_written_is_read_back(form: ActionFormat, action: DocumentAction) -> None:
    found = read_action(write_action(action, form), form)
    assert found.problem is None
    assert found.action == action
    assert repr(found.action) == repr(action)


@pytest.mark.parametrize("form", ACTION_FORMATS)
@given(action=actions, thought=st.text(alphabet="abc .,;\n", max_size=60))
@settings(max_examples=100)
def test_thoughts_labels_and_fences_around_an_action_do_no_harm(
    form: ActionFormat, action: DocumentAction, thought: str
) -> None:
    reply = f"[Thought]: {thought}\n[Action]:\n```{form}\n{write_action(action, form)}\n```\n[Observation]: 42 rows"
    if "```" not in write_action(action, form):
        assert read_action(reply, form) == ReadAction(action, thought=thought.strip())


@pytest.mark.parametrize("form", ACTION_FORMATS)
@pytest.mark.parametrize("other", ACTION_FORMATS)
@pytest.mark.parametrize("action", EXAMPLES, ids=lambda action: type(action).__name__)
def test_another_format_than_the_one_asked_for_is_read_too(
    form: ActionFormat, other: ActionFormat, action: DocumentAction
) -> None:
    assert read_action(write_action(action, other), form).action == action


@pytest.mark.parametrize("form", ACTION_FORMATS)
def test_the_description_has_every_parameter_and_an_example_that_reads(form: ActionFormat) -> None:
    told = describe_actions(form)
    for name, known in FORMS.items():
        assert name in told
        assert write_action(known.example, form) in told
        assert [each.name for each in known.parameters] == [each.name for each in fields(known.example)]
        assert all(f"- {each.name} (" in told for each in known.parameters)


def test_only_allowed_actions_are_described() -> None:
    told = describe_actions("json", allowed=("CalculateExpr", "GenerateAnswer"))
    assert "CalculateExpr" in told
    assert "ViewImage" not in told


def test_defaults_are_those_of_the_nouns() -> None:
    for known in FORMS.values():
        for each in fields(known.example):
            parameter = known.parameter(each.name)
            assert parameter is not None
            if not parameter.is_required and parameter.kind != "box":
                assert parameter.default == each.default


# ---- sloppy, but clear

SQL = "SELECT a FROM t WHERE x < 3"


@pytest.mark.parametrize(
    ("reply", "action"),
    [
        ("RetrieveFromDatabase('SELECT a FROM t WHERE x < 3')", RetrieveFromDatabase(SQL)),
        ('`RetrieveFromDatabase(sql = "SELECT a FROM t WHERE x < 3",)`', RetrieveFromDatabase(SQL)),
        ('RetrieveFromDatabase(sql="""\nSELECT a FROM t WHERE x < 3\n""")', RetrieveFromDatabase(SQL)),
        ('RetrieveFromDatabase("SELECT a FROM t "\n    "WHERE x < 3")', RetrieveFromDatabase(SQL)),
        ("retrieve_from_database(sql=“SELECT a FROM t WHERE x < 3”)", RetrieveFromDatabase(SQL)),
        (
            "<think>CalculateExpr('1')</think>RetrieveFromDatabase('SELECT a FROM t WHERE x < 3')",
            RetrieveFromDatabase(SQL),
        ),
        (
            "I use RetrieveFromDatabase (the tables):\nRetrieveFromDatabase('SELECT a FROM t WHERE x < 3')",
            RetrieveFromDatabase(SQL),
        ),
        (
            "Action: ViewImage(paper_id='p', page_number='2', bounding_box=(10, 20, 30, 40))",
            ViewImage("p", 2, (10, 20, 40, 60)),
        ),
        ("ViewImage('p', 2, [])", ViewImage("p", 2)),
        ("ViewImage('p', 2.0, None)", ViewImage("p", 2)),
        ("ViewImage(12345, 2, {'x': 1, 'y': 2, 'width': 3, 'height': 4})", ViewImage("12345", 2, (1, 2, 4, 6))),
        ("ViewImage('p', 2, '[1, 2, 3, 4]')", ViewImage("p", 2, (1, 2, 4, 6))),
        ("CalculateExpr((1 + 2) / 3)", CalculateExpr("(1 + 2) / 3")),
        ("CalculateExpr(expr=max(1, 2))", CalculateExpr("max(1, 2)")),
        ("CalculateExpr(expr=0.25)", CalculateExpr("0.25")),
        ("GenerateAnswer(answer=true)", GenerateAnswer(True)),
        ("GenerateAnswer({'a': [1, 2.5, None], \"b\": 'c'})", GenerateAnswer({"a": [1, 2.5, None], "b": "c"})),
        (r"GenerateAnswer('$\frac{1}{2}$')", GenerateAnswer(r"$\frac{1}{2}$")),
    ],
)
def test_calls_as_models_write_them(reply: str, action: DocumentAction) -> None:
    assert read_action(reply).action == action


@pytest.mark.parametrize(
    ("reply", "action"),
    [
        ("{'action_type': 'CalculateExpr', 'parameters': {'expr': '1 + 1',},}", CalculateExpr("1 + 1")),
        ('{"action_type": "CalculateExpr", "expr": "1 + 1", "thought": "easy"}', CalculateExpr("1 + 1")),
        ('{"name": "CalculateExpr", "arguments": "{\\"expr\\": \\"1 + 1\\"}"}', CalculateExpr("1 + 1")),
        ('{"action": {"action_type": "CalculateExpr", "parameters": {"expr": "1 + 1"}}}', CalculateExpr("1 + 1")),
        ('[{"action_type": "CalculateExpr", "parameters": ["1 + 1"]}]', CalculateExpr("1 + 1")),
        ('Action: CalculateExpr\nAction Input: {"expr": "1 + 1"}', CalculateExpr("1 + 1")),
        (
            'in {braces} and {x: y}\n{"action_type": "CalculateExpr", "parameters": {"expr": "1 + 1"}}',
            CalculateExpr("1 + 1"),
        ),
    ],
)
def test_json_as_models_write_it(reply: str, action: DocumentAction) -> None:
    assert read_action(reply, "json").action == action


@pytest.mark.parametrize(
    ("reply", "action"),
    [
        (
            (
                f"<action>\n  <action_type>RetrieveFromDatabase</action_type>\n  <parameters>\n  <sql>\n{SQL}\n</sql>\n"
                "</parameters>\n</action>"
            ),
            RetrieveFromDatabase(SQL),
        ),
        (
            f"<action_type>RetrieveFromDatabase</action_type><parameters><sql><![CDATA[{SQL}]]></sql></parameters>",
            RetrieveFromDatabase(SQL),
        ),
        (
            f'<?xml?><action type="RetrieveFromDatabase"><parameters><sql>{SQL}</sql></parameters></action>',
            RetrieveFromDatabase(SQL),
        ),
        (f"<RetrieveFromDatabase><sql>{SQL}</sql></RetrieveFromDatabase>", RetrieveFromDatabase(SQL)),
        (
            f"<action><action_type>RetrieveFromDatabase</action_type><parameters><sql>{SQL}</sql></parameters>",
            RetrieveFromDatabase(SQL),
        ),
        (
            (
                "<action><action_type>GenerateAnswer</action_type><parameters><answer><item>a</item><item>2</item></answer>"
                "</parameters></action>"
            ),
            GenerateAnswer(["a", 2]),
        ),
        (
            (
                "<action><action_type>GenerateAnswer</action_type><parameters><answer><item>a</item></answer></parameters>"
                "</action>"
            ),
            GenerateAnswer(["a"]),
        ),
        (
            (
                "<action><action_type>GenerateAnswer</action_type><parameters><answer><low>1.5</low><high>true</high></answer>"
                "</parameters></action>"
            ),
            GenerateAnswer({"low": 1.5, "high": True}),
        ),
        (
            (
                "<action><action_type>ViewImage</action_type><parameters><paper_id>p</paper_id>"
                "<page_number> 3 </page_number>"
                "<bounding_box><x>1</x><y>2</y><width>3</width><height>4</height></bounding_box></parameters></action>"
            ),
            ViewImage("p", 3, (1, 2, 4, 6)),
        ),
        (
            (
                "<action><action_type>ViewImage</action_type><parameters><paper_id>p</paper_id><page_number>3</page_number>"
                "<bounding_box/></parameters></action>"
            ),
            ViewImage("p", 3),
        ),
    ],
)
def test_xml_as_models_write_it(reply: str, action: DocumentAction) -> None:
    assert read_action(reply, "xml").action == action


@pytest.mark.parametrize(
    ("reply", "action"),
    [
        (
            "action_type: RetrieveFromDatabase\nparameters:\n  sql: |\n    SELECT a\n    FROM t\n",
            RetrieveFromDatabase("SELECT a\nFROM t"),
        ),
        (
            "action_type: RetrieveFromDatabase\nparameters:\n  sql: >-\n    SELECT a\n    FROM t\n",
            RetrieveFromDatabase("SELECT a FROM t"),
        ),
        (
            "action_type: RetrieveFromDatabase\nparameters:\n  sql: SELECT a\n    FROM t\n\nDone.",
            RetrieveFromDatabase("SELECT a FROM t"),
        ),
        ("Action:\n  action_type: 'CalculateExpr' # a comment\n  parameters: {expr: '1 + 1'}", CalculateExpr("1 + 1")),
        ("parameters:\n  expr: 1 + 1\naction_type: CalculateExpr", CalculateExpr("1 + 1")),
        ("action_type: CalculateExpr\nexpr: '2 * 3'", CalculateExpr("2 * 3")),
        (
            "action_type: RetrieveFromVectorstore\nparameters:\n\tquery: what: why\n\tlimit: 7",
            RetrieveFromVectorstore("what: why", limit=7),
        ),
        (
            "action_type: GenerateAnswer\nparameters:\n  answer:\n  - it''s\n  - 'it''s'\n  - 2\n  - yes: no",
            GenerateAnswer(["it''s", "it's", 2, {"yes": "no"}]),
        ),
        (
            "action_type: GenerateAnswer\nparameters:\n  answer:\n  - [a, 1, true]\n  -\n    b: 1.5\n  - - x\n    - y",
            GenerateAnswer([["a", 1, True], {"b": 1.5}, ["x", "y"]]),
        ),
        ("action_type: GenerateAnswer\nparameters:\n  answer: [CLS] is a token", GenerateAnswer("[CLS] is a token")),
        (
            "action_type: CalculateExpr\nparameters: {expr: '1'}\n---\naction_type: CalculateExpr\nparameters: {}",
            CalculateExpr("1"),
        ),
    ],
)
def test_yaml_as_models_write_it(reply: str, action: DocumentAction) -> None:
    assert read_action(reply, "yaml").action == action


def test_the_first_action_counts_and_imagined_observations_end_a_reply() -> None:
    assert read_action("CalculateExpr('1')\nGenerateAnswer('2')").action == CalculateExpr("1")
    assert read_action("[Observation]: 5\n[Action]: GenerateAnswer('2')").problem is not None
    broken = 'RetrieveFromDatabase(sql="say "a"")\nObserved 7.\nGenerateAnswer(\'7\')'
    assert problem(broken) == "unreadable"
    cut = '{"action_type": "CalculateExpr", "parameters": {"expr": "1 + \n{"action_type": "GenerateAnswer", '
    assert problem(cut + '"parameters": {"answer": 7}}', "json") == "unreadable"
    unnamed = "<action_type>CalculateExpr</action_type><action_type>GenerateAnswer</action_type>"
    assert problem(unnamed + "<parameters><answer>7</answer></parameters>", "xml") == "unreadable"


def test_a_thought_is_kept_short() -> None:
    found = read_action(f"Thought: {'so ' * 5_000}\nAction: CalculateExpr('1')")
    assert found.action == CalculateExpr("1")
    assert 0 < len(found.thought) <= LONGEST_THOUGHT


# ---- strict where it matters


@pytest.mark.parametrize(
    ("reply", "code", "named"),
    [
        ("", "no_action", "RetrieveFromDatabase"),
        ("I do not know.", "no_action", "GenerateAnswer"),
        ("SearchTheWeb(query='x')", "unknown_action", "RetrieveFromVectorstore"),
        ("ViewImage('p')", "missing_parameter", "page_number"),
        ("ViewImage('', 1)", "missing_parameter", "paper_id"),
        ("RetrieveFromDatabase(sql='  ')", "missing_parameter", "sql"),
        ("GenerateAnswer()", "missing_parameter", "answer"),
        ("GenerateAnswer(None)", "missing_parameter", "answer"),
        ("RetrieveFromDatabase(query='SELECT 1')", "unknown_parameter", "sql"),
        ("RetrieveFromDatabase('SELECT 1', 2)", "unknown_parameter", "sql"),
        ("RetrieveFromDatabase(['SELECT 1'])", "wrong_type", "a text"),
        ("RetrieveFromVectorstore(query='x', limit='many')", "wrong_type", "whole number"),
        ("RetrieveFromVectorstore(query='x', limit=2.5)", "wrong_type", "whole number"),
        ("RetrieveFromVectorstore(query='x', limit=True)", "wrong_type", "whole number"),
        ("RetrieveFromVectorstore(query='x', limit=0)", "out_of_range", str(LARGEST_LIMIT)),
        ("RetrieveFromVectorstore(query='x', limit=101)", "out_of_range", str(LARGEST_LIMIT)),
        ("ViewImage('p', 0)", "out_of_range", "between 1 and"),
        ("ViewImage('p', -3)", "out_of_range", "between 1 and"),
        ("ViewImage('p', 1, [1, 2, 3])", "wrong_type", "[x, y, width, height]"),
        ("ViewImage('p', 1, [1, 2, 'a', 4])", "wrong_type", "[x, y, width, height]"),
        ("ViewImage('p', 1, {'left': 1, 'top': 2, 'right': 3, 'bottom': 4})", "wrong_type", "[x, y, width, height]"),
        ("ViewImage('p', 1, [1, 2, 0, 4])", "out_of_range", "width and height"),
        ("ViewImage('p', 1, [1, 2, 3, -4])", "out_of_range", "width and height"),
        ("ViewImage('p', 1, [-9, 2, 3, 4])", "out_of_range", "outside"),
        ("ViewImage('p', 1, [1e999, 2, 3, 4])", "unreadable", "too large"),
        ("ViewImage('p', 1, [1e300, 2, 3, 4])", "out_of_range", "finite"),
        ("RetrieveFromDatabase(sql='a', sql='b')", "unreadable", "twice"),
        ("RetrieveFromDatabase(sql='a', 'b')", "unreadable", "name"),
        ("GenerateAnswer(answer=__import__('os'))", "unreadable", "quotation marks"),
        ("GenerateAnswer(answer=1 + 1)", "unreadable", "comma"),
        ("RetrieveFromDatabase(sql='SELECT", "unreadable", "quotation mark"),
    ],
)
def test_what_is_not_legal_is_named(reply: str, code: str, named: str) -> None:
    assert problem(reply) == code
    assert named in message(reply)


@pytest.mark.parametrize("form", ACTION_FORMATS)
def test_an_action_that_the_method_lacks_is_refused_with_those_it_has(form: ActionFormat) -> None:
    found = read_action(write_action(CalculateExpr("1"), form), form, allowed=("GenerateAnswer",)).problem
    assert found is not None
    assert found.code == "not_allowed"
    assert "GenerateAnswer" in found.message
    assert "ViewImage" not in found.message


def test_messages_stay_short_and_printable() -> None:
    for text in (f"RetrieveFromDatabase({'k' * 60}='x')", "ViewImage('p', 'a\x00\x1b[31m" + "b" * 9_000 + "')"):
        assert len(message(text)) < 500
        assert message(text).isprintable()


# ---- whatever comes

PIECES = (
    *DOCUMENT_ACTIONS,
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    '"',
    "'",
    ",",
    ":",
    "=",
    "\n",
    "  ",
    "- ",
    "| ",
    ">",
    "<action>",
    "</action>",
    "<action_type>",
    "</action_type>",
    "<parameters>",
    "</parameters>",
    "<sql>",
    "</sql>",
    "<![CDATA[",
    "]]>",
    "&lt;",
    "&#0;",
    "&#x110000;",
    "action_type",
    "parameters",
    '"action_type": ',
    "action_type: ",
    "parameters:\n  ",
    "query",
    "sql",
    "expr",
    "answer",
    "limit",
    "bounding_box",
    "page_number",
    "1",
    "-1",
    "1e999",
    "9" * 400,
    "true",
    "None",
    "\\",
    "\\u0000",
    "\\ud800",
    "```",
    "[Action]: ",
    "Thought: ",
    "Observation:",
    "<think>",
    "</think>",
    "\x00",
    "\ufeff",
    "\u2028",
    "“",
    "”",
    "//",
    "/*",
    "*/",
    "<!--",
    "-->",
    "#",
)


def _mutated(text: str, chance: random.Random) -> str:
    kind = chance.randrange(6)
    place = chance.randrange(len(text) + 1)
    other = chance.randrange(len(text) + 1)
    first, last = min(place, other), max(place, other)
    match kind:
        case 0:
            return text[:place]
        case 1:
            return text[:first] + text[last:]
        case 2:
            return text[:place] + chance.choice(PIECES) + text[place:]
        case 3:
            return text[:last] + text[first:]
        case 4:
            return (
                text[:place] + chr(chance.choice((0, 9, 10, 34, 39, 92, 0x2028, 0xD800, 0x1F600))) + text[place + 1 :]
            )
        case _:
            return "".join(chance.choice(PIECES) for _ in range(chance.randrange(30)))


@pytest.mark.fuzz
def test_ten_thousand_replies_without_an_exception() -> None:
    chance = random.Random(20)
    good = [(write_action(action, form), form) for action in EXAMPLES for form in ACTION_FORMATS]
    tally = {"action": 0, "problem": 0}
    for number in range(10_000):
        text, form = good[number % len(good)]
        for _ in range(chance.randrange(1, 4)):
            text = _mutated(text, chance)
        found = read_action(text, form if number % 3 else chance.choice(ACTION_FORMATS))
        assert (found.action is None) != (found.problem is None)
        tally["problem" if found.action is None else "action"] += 1
        if found.action is not None:
            assert read_action(write_action(found.action, "json"), "json").action == found.action
    assert min(tally.values()) > 500


@given(st.lists(st.one_of(st.sampled_from(PIECES), tricky, st.text(max_size=5)), max_size=25).map("".join))
@settings(max_examples=200)
def test_any_text_gives_an_action_or_a_problem(text: str) -> None:
    for form in ACTION_FORMATS:
        found = read_action(text, form)
        assert (found.action is None) != (found.problem is None)


LAUGHS = (
    "<!DOCTYPE x [<!ENTITY a 'ha'>"
    + "".join(f"<!ENTITY {chr(98 + level)} '{f'&{chr(97 + level)};' * 10}'>" for level in range(9))
    + "]><action><action_type>CalculateExpr</action_type><parameters><expr>&j;</expr></parameters></action>"
)


def test_entities_and_aliases_are_never_expanded() -> None:
    assert read_action(LAUGHS, "xml").action == CalculateExpr("&j;")
    outside = "<!DOCTYPE x [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><action><action_type>CalculateExpr</action_type>"
    found = read_action(outside + "<parameters><expr>&a;</expr></parameters></action>", "xml")
    assert found.action == CalculateExpr("&a;")
    yaml = "a: &a [x, x]\nb: &b [*a, *a]\naction_type: GenerateAnswer\nparameters:\n  answer: *b"
    assert read_action(yaml, "yaml").action == GenerateAnswer("*b")
    tagged = "action_type: GenerateAnswer\nparameters:\n  answer: !!python/object/apply:os.system ['x']"
    assert read_action(tagged, "yaml").action == GenerateAnswer("!!python/object/apply:os.system ['x']")


@pytest.mark.parametrize("form", ACTION_FORMATS)
def test_a_reply_beyond_the_cap_is_refused_whole(form: ActionFormat) -> None:
    assert problem(write_action(RetrieveFromDatabase("x" * LONGEST_REPLY), form), form) == "too_long"
    assert problem(write_action(RetrieveFromDatabase("x" * 30_000), form), form) == "too_long"


HOSTILE: dict[str, Callable[[int], str]] = {
    "open calls": lambda n: "CalculateExpr(" * (n // 14),
    "calls with open texts": lambda n: "CalculateExpr('" * (n // 15),
    "calls with open quotes": lambda n: "CalculateExpr(“" * (n // 15),
    "open brackets": lambda n: "GenerateAnswer(" + "[" * n,
    "open braces": lambda n: "GenerateAnswer(" + '{"a":' * (n // 5),
    "blanks in a call": lambda n: "GenerateAnswer(" + " " * n,
    "long digits": lambda n: "GenerateAnswer(" + "9" * n + ")",
    "many values": lambda n: "GenerateAnswer([" + "1," * (n // 2) + "])",
    "backslashes": lambda n: "GenerateAnswer('" + "\\" * n + "')",
    "open tags": lambda n: "<action>" * (n // 8),
    "open types": lambda n: "<action_type>" * (n // 13),
    "many elements": lambda n: "<action><action_type>GenerateAnswer</action_type><parameters><answer>"
    + "<item>1</item>" * (n // 14)
    + "</answer></parameters></action>",
    "deep elements": lambda n: "<action><action_type>GenerateAnswer</action_type><parameters><answer>"
    + "<a>" * (n // 7)
    + "</a>" * (n // 7)
    + "</answer></parameters></action>",
    "many tags once": lambda n: "<action>" + "".join(f"<a{i}>" for i in range(n // 7)) + "</action>",
    "comments": lambda n: "<action>" + "<!--" * (n // 4),
    "open data": lambda n: "<action>" + "<![CDATA[" * (n // 9) + "</action>",
    "ampersands": lambda n: "<action><action_type>CalculateExpr</action_type><parameters><expr>" + "&" * n,
    "deep lines": lambda n: "action_type: GenerateAnswer\nparameters:\n"
    + "".join(" " * depth + "a:\n" for depth in range(1, int((2 * n) ** 0.5))),
    "many lines": lambda n: "action_type: GenerateAnswer\nparameters:\n  answer:\n" + "  - 1\n" * (n // 6),
    "lines with open texts": lambda n: "action_type: GenerateAnswer\nparameters:\n  answer:\n" + '  - "\n' * (n // 6),
    "lines with open lists": lambda n: "action_type: GenerateAnswer\nparameters:\n  answer:\n" + "  - [\n" * (n // 6),
    "dashes": lambda n: "action_type: GenerateAnswer\nparameters:\n  answer:\n    " + "- " * (n // 2),
    "many types": lambda n: "action_type:\n" * (n // 13),
    "blanks in a line": lambda n: "action_type: GenerateAnswer\nparameters:\n  answer: a" + " " * n + "b",
    "colons": lambda n: "action_type: GenerateAnswer\nparameters:\n  " + "a " * (n // 2) + ": 1",
    "labels": lambda n: "Thought: \n" * (n // 10),
    "fences": lambda n: "```\n" * (n // 4) + "action_type: x",
    "stars": lambda n: "*" * n + "Action: ",
    "json starts": lambda n: "{" * n,
    "json keys": lambda n: '{"action_type": ' * (n // 16),
    "plain words": lambda n: "word " * (n // 5),
    "one word": lambda n: "w" * n,
}  # fmt: skip


def _seconds(text: str, form: ActionFormat) -> float:
    start = time.process_time()
    found = read_action(text, form)
    spent = time.process_time() - start
    assert (found.action is None) != (found.problem is None)
    return spent


@pytest.mark.growth
@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_replies_take_time_that_grows_with_their_length(kind: str) -> None:
    small, large = HOSTILE[kind](6_000), HOSTILE[kind](48_000)

    def grows_in_proportion(form: ActionFormat) -> bool:
        spent = _seconds(large, form)
        # Eight times the length: eight times the work, and as much again twice for a busy machine.
        return spent < 0.1 or spent < min(2.0, 24 * max(_seconds(small, form) for _ in range(3)))

    for form in ACTION_FORMATS:
        # Measured again where it looks bad: memory that is tidied up meanwhile counts as work, too.
        assert any(grows_in_proportion(form) for _ in range(4))


def test_a_megabyte_is_refused_at_once() -> None:
    for kind in HOSTILE.values():
        assert problem(kind(1_000_000).ljust(LONGEST_REPLY + 1)) == "too_long"


def test_json_is_json() -> None:
    for action in EXAMPLES:
        assert json.loads(write_action(action, "json"))["action_type"] == type(action).__name__
