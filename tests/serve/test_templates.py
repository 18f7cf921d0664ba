"""What is put into pages: formulas, units, numbers, sessions. Whatever a document says, it stays text."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mathrag.serve.kept import Pictures
from mathrag.serve.metrics import Metrics
from mathrag.serve.pages.templates import FILTERS, mathml, number, size, templates, unit_text
from mathrag.serve.replies import event_bytes, json_bytes
from mathrag.serve.security.sessions import Sessions

TAGS = re.compile(r"<\s*/?\s*([A-Za-z][A-Za-z0-9]*)")
ALLOWED = {
    "math", "mrow", "mi", "mo", "mn", "msub", "msup", "msubsup", "mfrac", "msqrt", "mroot", "mtext", "mspace", "mover",
    "munder", "munderover", "mtable", "mtr", "mtd", "mstyle", "mpadded", "mphantom", "menclose", "merror", "mfenced",
    "semantics", "annotation", "mmultiscripts", "mprescripts", "none", "code", "sup", "ms",
}  # fmt: skip


@pytest.mark.parametrize(
    "latex",
    [r"\text{<script>alert(1)</script>}", "<script>", r"x_{<img src=x onerror=alert(1)>}",
     r"\href{javascript:alert(1)}{x}", r'\class{" onclick="alert(1)}{x}', r"\style{color:red}{x}", "&lt;script&gt;",
     r"\unknown{<b>}", "]]><script>", "x\x00<b>"],
)  # fmt: skip
def test_hostile_formulas_are_shown_as_text(latex: str) -> None:
    shown = str(mathml(latex))
    assert {name.lower() for name in TAGS.findall(shown)} <= ALLOWED
    assert not re.search(r"<[^>]*\son\w+\s*=", shown)
    assert not re.search(r"<[^>]*(?:href|src|style)\s*=", shown)


@given(st.text(alphabet="\\{}^_<>&\"'=abx1 ]![/-", max_size=60))
def test_no_text_makes_markup_of_its_own(latex: str) -> None:
    shown = str(mathml(latex))
    assert {name.lower() for name in TAGS.findall(shown)} <= ALLOWED
    assert not re.search(r"<[^>]*\son\w+\s*=", shown)


@given(st.text(max_size=50))
def test_units_stay_text(unit: str) -> None:
    assert {name.lower() for name in TAGS.findall(str(unit_text(unit)))} <= {"sup"}


@pytest.mark.parametrize(
    ("unit", "shown"),
    [("m/s^2", "m/s<sup>2</sup>"), ("kg*m^2/s^2", "kg · m<sup>2</sup>/s<sup>2</sup>"), ("", ""), (None, ""), ("J", "J"),
     ("m^-1", "m<sup>-1</sup>")],
)  # fmt: skip
def test_units_have_raised_exponents(unit: str | None, shown: str) -> None:
    assert str(unit_text(unit)) == shown


@pytest.mark.parametrize("turning", ["\u202e", "\u202d", "\u2067", "\u2066", "\u202b", "\u200f", "\u061c"])
def test_no_character_turns_the_order_of_a_page(turning: str) -> None:
    label = f"energy {turning}17 J"
    made = templates().from_string("<p>{{ label }}</p><b title='{{ label }}'>{{ latex | mathml }}</b>")
    shown = made.render(label=label, latex=f"E = \\text{{{turning}}} 7 \\unknown{{{turning}}}")
    assert turning not in shown
    assert "energy 17 J" in shown


def test_letters_of_every_script_stay() -> None:
    shown = templates().from_string("{{ label }}").render(label="אנרגיה قانون نیم\u200cفاصله ℏ²")
    assert shown == "אנרגיה قانون نیم\u200cفاصله ℏ²"


def test_numbers_and_sizes() -> None:
    assert [number(value) for value in (None, 3, 1234.5, 1e-9, 6.02214e23)] == [
        "–",
        "3",
        "1,234.5",
        "1e-09",
        "6.02214e+23",
    ]
    assert [size(count) for count in (0, 999, 1500, 2_500_000, 5e9)] == [
        "0 bytes",
        "999 bytes",
        "1.5 kB",
        "2.5 MB",
        "5.0 GB",
    ]


def test_json_has_no_nan_and_no_half_characters() -> None:
    assert json_bytes({"a": float("nan"), "b": [float("inf")], "c": "\ud800"}) == b'{"a":null,"b":[null],"c":"?"}'


@given(st.text(max_size=80))
def test_an_event_is_one_event_whatever_it_says(text: str) -> None:
    sent = event_bytes("outcome", {"text": text}, number=3).decode()
    assert sent.count("\n\n") == 1
    lines = sent.split("\n")
    assert (lines[0], lines[1]) == ("id: 3", "event: outcome")
    assert lines[2].startswith("data: {")
    assert "\r" not in sent


def test_strangers_push_out_only_strangers() -> None:
    sessions = Sessions(most=3)
    trusted = sessions.begin(has_token=True)
    strangers = [sessions.begin() for _ in range(10)]

    def known(identifier: str) -> bool:
        return sessions.find({"headers": [(b"cookie", f"a=b; mathrag_session={identifier}".encode())]}) is not None

    assert known(trusted.id)
    assert [known(one.id) for one in strangers] == [False] * 7 + [True] * 3
    sessions.end(trusted)
    assert not known(trusted.id)


def test_pictures_are_bounded() -> None:
    pictures = Pictures(most_bytes=10)
    for name in "abc":
        pictures.put(name, b"12345")
    assert [pictures.get(name) is not None for name in "abc"] == [False, True, True]
    pictures.put("huge", b"x" * 100)
    assert pictures.get("huge") is None


@pytest.mark.parametrize(
    ("confidence", "shown"), [(0.997, "over 99 %"), (1.0, "100 %"), (0.994, "99 %"), (0.5, "50 %"), (0.0, "0 %")]
)
def test_confidence_is_shown_as_in_the_written_card(confidence: float, shown: str) -> None:
    assert FILTERS["percent"](confidence) == shown


def test_figures_cannot_be_made_up_by_labels() -> None:
    metrics = Metrics()
    metrics.count("asks", outcome='x"} 5\nevil{a="')
    text = metrics.text({"gauge": 1})
    assert text.splitlines() == [
        "# TYPE gauge gauge",
        "gauge 1",
        "# TYPE asks counter",
        r'asks{outcome="x\"} 5\nevil{a=\""} 1',
    ]
    for series in range(5_000):
        metrics.count("asks", outcome=str(series))
    assert len(metrics.text().splitlines()) < 2_100
