"""What a person does not see on a page is not read; what he sees is."""

from __future__ import annotations

import pytest

from mathrag.documents.html.tree import Node
from mathrag.documents.html.visibility import is_unseen

UNSEEN = (
    "display:none",
    "DISPLAY : NONE !important",
    "visibility: hidden",
    "opacity:0",
    "opacity: 0.0",
    "font-size:0",
    "font-size: 0px",
    "font-size:1px",
    "color:#fff",
    "color: white; background: #fefefe",
    "color:rgb(255, 255, 255)",
    "color:rgba(0, 0, 0, 0)",
    "color:transparent",
    "color:#00000000",
    "position:absolute; left:-9999px",
    "text-indent:-5000px",
    "height:0; overflow:hidden",
)
SEEN = (
    "",
    "display:block",
    "opacity:0.5",
    "font-size:0.8em",
    "font-size:12px",
    "font-size:90%",
    "color:#333",
    "color:white; background:#222",
    "color:white; background-color: navy",
    "color:rgb(200, 0, 0)",
    "position:absolute; left:-20px",
    "height:0",
    "margin-left:-10px",
    "color:#zzz",
    "nonsense",
    ":;:;",
)


@pytest.mark.parametrize("style", UNSEEN)
def test_what_nobody_sees(style: str) -> None:
    assert is_unseen(Node("p", attributes={"style": style}))


@pytest.mark.parametrize("style", SEEN)
def test_what_people_see(style: str) -> None:
    assert not is_unseen(Node("p", attributes={"style": style}))


def test_the_background_of_what_is_around_counts() -> None:
    row = Node("tr", attributes={"style": "background:#204060"})
    assert not is_unseen(Node("td", parent=row, attributes={"style": "color:#fff"}))
    old = Node("table", attributes={"bgcolor": "black"})
    assert not is_unseen(Node("font", parent=old, attributes={"color": "white"}))
    assert is_unseen(Node("font", parent=Node("p"), attributes={"color": "#FFFFFF"}))


def test_attributes_of_html_hide_too() -> None:
    assert is_unseen(Node("p", attributes={"hidden": ""}))
    assert is_unseen(Node("p", attributes={"aria-hidden": "true"}))
    assert not is_unseen(Node("p", attributes={"hidden": "until-found"}))
    assert not is_unseen(Node("p", attributes={"class": "hidden"}))
