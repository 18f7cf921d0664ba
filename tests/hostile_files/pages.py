"""HTML and MathML that never end, and characters that are more or less than they seem."""

from __future__ import annotations

from hostile_files.markup import page
from hostile_files.recipe import Recipe, file, nested

_LARGE = (
    Recipe(
        "attributes-million",
        "a tag with a million attributes",
        "either",
        file("page.html", lambda: "<p " + " ".join(f"a{index}=1" for index in range(1_000_000)) + ">x</p>"),
        is_slow=True,
    ),
    Recipe(
        "attribute-long",
        "an attribute of 12 MB",
        "either",
        file("page.html", lambda: page(f"<p title='{'a' * 12_000_000}'>x</p>")),
    ),
    Recipe(
        "divs-10000",
        "10,000 divisions inside each other",
        "either",
        file("page.html", lambda: page(nested("<div>", "x", "</div>"))),
    ),
    Recipe(
        "divs-unclosed",
        "100,000 divisions that are never closed",
        "either",
        file("page.html", lambda: "<html><body>" + "<div>" * 100_000 + "x"),
    ),
    Recipe(
        "formatting-unclosed",
        "10,000 bold and italic tags crossing each other",
        "either",
        file("page.html", lambda: page("<b><i><u><a href=x>" * 2_500 + "x" + "</b></i></u></a>" * 2_500)),
    ),
    Recipe(
        "spans-10000",
        "10,000 spans inside each other in one paragraph",
        "either",
        file("page.html", lambda: page("<p>" + nested("<span>", "x", "</span>") + "</p>")),
    ),
    Recipe(
        "lists-deep",
        "5,000 lists inside each other",
        "either",
        file("page.html", lambda: page(nested("<ul><li>", "x", "</li></ul>", depth=5_000))),
    ),
    Recipe(
        "tables-deep",
        "2,000 tables inside each other",
        "either",
        file("page.html", lambda: page(nested("<table><tr><td>", "x", "</td></tr></table>", depth=2_000))),
    ),
    Recipe(
        "subscripts-deep",
        "5,000 subscripts inside each other",
        "either",
        file("page.html", lambda: page("<p><i>x</i>" + nested("<sub>", "a", "</sub>", depth=5_000) + " = 1</p>")),
    ),
    Recipe(
        "mrow-10000",
        "10,000 rows inside each other in MathML",
        "either",
        file("page.html", lambda: page("<math>" + nested("<mrow>", "<mi>x</mi>", "</mrow>") + "</math>")),
    ),
    Recipe(
        "mfrac-deep",
        "5,000 fractions inside each other in MathML",
        "either",
        file(
            "page.html",
            lambda: page("<math>" + nested("<mfrac><mn>1</mn>", "<mi>x</mi>", "</mfrac>", depth=5_000) + "</math>"),
        ),
    ),
    Recipe(
        "mathml-wide",
        "a MathML formula of 100,000 pieces",
        "either",
        file("page.html", lambda: page("<math>" + "<mi>x</mi><mo>+</mo>" * 50_000 + "</math>")),
        is_slow=True,
    ),
    Recipe(
        "annotation-long",
        "a MathML formula with a megabyte of TeX",
        "either",
        file(
            "page.html",
            lambda: page(
                '<math><semantics><mi>x</mi><annotation encoding="application/x-tex">'
                + "x+" * 500_000
                + "</annotation></semantics></math>"
            ),
        ),
    ),
    Recipe(
        "table-span",
        "cells that span a billion columns and rows",
        "read",
        file(
            "page.html",
            page(
                "<table><tr><td colspan=1000000000 rowspan=1000000000>a</td><td colspan=-5>b</td>"
                "<td colspan=x rowspan=1e9>c</td></tr></table>"
            ),
        ),
        keeps=("kinetic energy",),
    ),
    Recipe(
        "table-columns-html",
        "a table with 10,000 columns",
        "either",
        file("page.html", lambda: page("<table><tr>" + "<td>1</td>" * 10_000 + "</tr></table>")),
    ),
    Recipe(
        "table-cells-html",
        "a table with 50,000 cells",
        "either",
        file("page.html", lambda: page("<table>" + ("<tr>" + "<td>1" * 100 + "</tr>") * 500 + "</table>")),
        is_slow=True,
    ),
    Recipe(
        "void-elements",
        "tags that are never closed because they hold nothing",
        "read",
        file(
            "page.html",
            page("<p>a<wbr>b<br>c<hr></p><embed src=x><input><param><source><track><area><col><meta><link>"),
        ),
        keeps=("kinetic energy",),
    ),
    Recipe(
        "unclosed-containers",
        "a picture, a canvas and an object that are never closed",
        "either",
        file("page.html", page("<canvas><object><svg><iframe>")),
    ),
    Recipe(
        "odd-references",
        "references to characters that do not exist",
        "read",
        file("page.html", page("<p>&#xD800; &#0; &#x110000; &#99999999999999999999; &#x1F600 &nosuch; &#;</p>")),
        keeps=("kinetic energy",),
    ),
    Recipe(
        "mathjax-scripts",
        "20,000 MathJax scripts that are not closed",
        "either",
        file("page.html", lambda: page('<script type="math/tex">x = 1' * 20_000)),
    ),
    Recipe(
        "dollars-html",
        "200,000 dollar signs in HTML",
        "either",
        file("page.html", lambda: page("<p>" + "$ a " * 200_000 + "</p>")),
    ),
)

_UNICODE = (
    Recipe(
        "bidi",
        "overrides of the direction of writing",
        "read",
        file("page.md", "# \u202eygrene citeniK\u202c\n\nThe kinetic energy $E\u202e = \u2066m c^2$ \u2069\u200f.\n"),
        keeps=("The kinetic energy",),
    ),
    Recipe(
        "zero-width",
        "characters of no width everywhere",
        "read",
        file("page.md", "# Energy\n\nThe kinetic energy $E\u200b_\u200dk\ufeff = \u2060m$ " + "\u200b" * 50_000),
        keeps=("The kinetic energy",),
    ),
    Recipe(
        "combining-flood",
        "a letter under 100,000 accents",
        "read",
        file("page.md", "# Energy\n\nThe kinetic energy a" + "\u0301" * 100_000 + " $b = c$\n"),
        keeps=("The kinetic energy",),
    ),
    Recipe(
        "planes",
        "characters from every plane, private ones and none at all",
        "read",
        file(
            "page.md",
            "# Energy\n\nThe kinetic energy \ufffe\uffff\U0010ffff\ue000\U000f0000\U000e0041 "
            "𝐸 = 𝑚𝑐² Ｅ＝ｍ ½ ㎏ ﷽ $𝛼 = 𝛽$\n",
        ),
        keeps=("The kinetic energy",),
    ),
    Recipe(
        "casefold-growth",
        "characters that grow when normalised",
        "read",
        file("page.md", "# Energy\n\nThe kinetic energy " + "ﷺΐﬃ" * 20_000),
        keeps=("The kinetic energy",),
    ),
)

RECIPES = (*_LARGE, *_UNICODE)
