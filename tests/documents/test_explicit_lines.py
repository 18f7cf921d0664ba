"""Formulas with whole names and every sign written out; and what only looks like them: programs, settings, prose."""

from __future__ import annotations

import pytest

from mathrag.documents import Source, read_document
from mathrag.documents.math_in_text.explicit_lines import (
    find_explicit,
    formula_in_code,
    formulas_in_line,
    formulas_of_lines,
)
from mathrag.documents.math_in_text.word_lines import word_formula
from mathrag.types.document import Code, formulas_of

FORMULAS = {
    "slope = (zTop - zBase) / (xTop - xBase)": ["slope = ( zTop - zBase ) / ( xTop - xBase )"],
    "net_load = gross_load - share * roof_load": [
        r"\text{net load} = \text{gross load} - \text{share} \times \text{roof load}",
    ],
    "irradiance = [Ebeam * cos(z)] / (PI * d^2)": [
        r"\text{irradiance} = ( \text{Ebeam} \times \cos ( z ) ) / ( \pi \times d ^ 2 )",
    ],
    "tau1 = exp[-k/cos(zen)], tau2 = exp[-k/sin(elev)]": [
        "tau1 = exp ( - k / cos ( zen ) )",
        "tau2 = exp ( - k / sin ( elev ) )",
    ],
    "now NET_GAIN = RAW_GAIN / flow_rate": [r"\text{NET GAIN} = \text{RAW GAIN} / \text{flow rate}"],
    "FLOW_MAX / sin(e) = LOAD_MAX / head_loss": [r"\text{FLOW MAX} / \sin ( e ) = \text{LOAD MAX} / \text{head loss}"],
    "gdays = mean_t - base_t": [r"\text{gdays} = \text{mean t} - \text{base t}"],
    "W = 1/2 * rho * V**2 * S * CL :: lift of a wing": ["W = 1 / 2 * rho * V ** 2 * S * CL"],
    "area_ratio = (d1 / d2)^2 where d1 is the inner diameter": [r"\text{area ratio} = ( d_{1} / d_{2} ) ^ 2"],
    "y_total = a1 * q_in(0) + 2.5e-3 * q_out": ["y_total = a1 * q_in_0 + 2.5e-3 * q_out"],
    "dry = sea-level_depth - tide_depth": [r"\text{dry} = \text{sea-level depth} - \text{tide depth}"],
    "score = gain * span + shift": [r"\text{score} = \text{gain} \times \text{span} + \text{shift}"],
}  # fmt: skip

NOTHING = """\
i = i + 1
x = x * 2 - 1
for i = 1 to n
path=/usr/local/bin:/usr/bin
See https://example.org/?a=b*c&d=e/f for details.
mode = input/output
The result (n = 24) was significant.
key = value
width=100
<img width=100 height=50>
calc "ratio = float(b4 - b3) / (b4 + b3)"
total += price * count
if (a == b) return a * b;
var area = width * height;
const f = (x) => x * 2;
y = data.mean() / data.std()
export PATH=$HOME/bin
color = dark-blue
level = sea-level
Name = John Smith
a = [1, 2, 3]
d = {"x": 1}
print(a = b * c)
result = foo(bar) + baz(qux)
import x as y = z * 2
SELECT a FROM b WHERE c = d * e;
make CFLAGS=-O2 * all
ls -l = long - listing
temperature = high
x <- y * 2 = z
yes = no - maybe so far
mean speed = total distance
response = await fetch(url) * 2
status=ok/failed
Author = A. Smith - B. Jones
options = {width = 3*4}
@param a = b * c
# x = a * b
a = b ? c * 2 : d
grep -n "x = a * b" file
href="index.php?page=2*x"
x = y++
E = mail@host.org
2024 = year - 1 of the plan
chmod u=rw,g=r-x file
docker run -e A=b*c image
net weight = gross weight less tare
rate = 5
"""


@pytest.mark.parametrize(("line", "sources"), FORMULAS.items())
def test_formulas_are_found(line: str, sources: list[str]) -> None:
    assert [found.source for found in formulas_in_line(line)] == sources


@pytest.mark.parametrize("line", NOTHING.splitlines())
def test_programs_settings_and_prose_are_none(line: str) -> None:
    assert find_explicit(line) == []
    assert [found for found in formulas_in_line(line) if found.notation == "text"] == []


@pytest.mark.parametrize("line", ["i = i + 1", "n = n - 1", "a = [1, 2, 3]", "t = 2e-3"])
def test_steps_of_programs_are_no_formulas_whoever_finds_them(line: str) -> None:
    assert formulas_in_line(line) == []


def test_a_quote_is_what_the_line_says() -> None:
    line = "then NET = RAW_LOAD / [a1 * b2], for all bands"
    (found,) = formulas_in_line(line)
    assert line[found.start : found.end].endswith("NET = RAW_LOAD / [a1 * b2]")


def test_a_block_counts_only_where_every_line_is_a_formula() -> None:
    assert formulas_of_lines(["q_a = h_a * w_a", "", "q_b = h_b / w_b"]) is not None
    assert formulas_of_lines(["q_a = h_a * w_a", "print(q_a)"]) is None
    assert formulas_of_lines(["only words"]) is None


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.html", "<ul><li> heat_in = flow_rate * c_w * rise </li></ul>"),
        ("a.html", "<P>heat_in = flow_rate * c_w * rise<BR>other words"),
        ("a.html", "<dl><dt>Heat<dd>heat_in = flow_rate * c_w * rise</dl>"),
        ("a.html", "<pre>\n  heat_in = flow_rate * c_w * rise\n</pre>"),
        ("a.md", "- heat_in = flow_rate * c_w * rise\n"),
        ("a.md", "    heat_in = flow_rate * c_w * rise\n"),
        ("a.md", "```\nheat_in = flow_rate * c_w * rise\n```\n"),
        ("a.txt", "Heat: heat_in = flow_rate * c_w * rise\n"),
    ],
)
def test_every_format_finds_them(name: str, text: str) -> None:
    document = read_document(Source(name, text.encode()))
    sources = ["".join(math.source.split()) for block in document.blocks for math in formulas_of(block)]
    assert "heat_in=flow_rate*c_w*rise" in sources


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.html", '<pre class="language-python">heat = flow_rate * c_w</pre>'),
        ("a.html", "<pre>heat = flow_rate * c_w\nprint(heat)</pre>"),
        ("a.md", "```python\nheat = flow_rate * c_w\n```\n"),
        ("a.md", "```sh\nheat=$((flow_rate * c_w))\n```\n"),
    ],
)
def test_listings_stay_listings(name: str, text: str) -> None:
    document = read_document(Source(name, text.encode()))
    assert [type(block) for block in document.blocks] == [Code]


@pytest.mark.parametrize(
    ("code", "source"),
    [
        ("N_dBm = -174 + 10*log10(B_Hz) + F_dB", "N_dBm = - 174 + 10 * log10 ( B_Hz ) + F_dB"),
        ("loss ≈ sqrt(30 / 10^(gain / 10))", "loss = sqrt ( 30 / 10 ** ( gain / 10 ) )"),
        ("share = min(used_width, whole) / whole", "share = min ( used_width , whole ) / whole"),
    ],
)
def test_names_in_code_are_whole(code: str, source: str) -> None:
    found = formula_in_code(code)
    assert found is not None
    assert (found.source, found.notation) == (source, "text")


@pytest.mark.parametrize("code", ["x = 1", "key=value", "i = i + 1", "git push --force", "a = [1, 2]", "run(x)"])
def test_settings_and_programs_are_no_formulas(code: str) -> None:
    assert formula_in_code(code) is None


def test_a_function_is_no_word_of_a_name() -> None:
    assert (
        word_formula("Gain = 10 x log10(ratio of powers)")
        == r"\text{Gain} = 10 \times \log_{10} ( \text{ratio of powers} )"
    )
    assert word_formula("Number of lots = floor(total mass / 5)") is None
