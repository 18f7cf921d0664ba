"""What tests in a real browser look at on every page: names of controls, headings, width; and which browser it is."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from itertools import pairwise
from typing import Any

Page = Any
Open = Callable[..., Page]
NO_BROWSER = "no chromium, chromium-browser or google-chrome is installed, so no browser is driven: run `make browser`"

# What assistive technology would have no name for. Pictures need an alternative text; an empty one says "decoration".
_NAMELESS = """body => {
  const text = (node) => (node?.textContent || "").trim();
  const byId = (node) => (node.getAttribute("aria-labelledby") || "").split(/\\s+/)
    .map((id) => text(document.getElementById(id))).join("");
  const name = (node) => (node.getAttribute("aria-label") || "").trim() || byId(node)
    || [...(node.labels || [])].map(text).join("")
    || (["INPUT", "SELECT", "TEXTAREA", "PROGRESS", "METER"].includes(node.tagName) ? "" : text(node))
    || (node.type === "submit" || node.type === "button" ? node.value : "")
    || node.querySelector?.("img[alt]")?.alt || node.querySelector?.(":scope > title")?.textContent;
  const unseen = (node) => node.closest("[aria-hidden=true]") !== null;
  const controls = "a, button, input:not([type=hidden]), select, textarea, summary, progress, meter, svg, "
    + "[role=button], [tabindex]:not([tabindex='-1'])";
  return [
    ...[...body.querySelectorAll(controls)].filter((node) => !unseen(node) && !name(node)),
    ...[...body.querySelectorAll("img")].filter((node) => !node.hasAttribute("alt")),
  ].map((node) => node.outerHTML.slice(0, 200));
}"""


def browser_program() -> str | None:
    """The browser of this machine, if it has one that can be driven."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def check_page(page: Page) -> None:
    """Every control has a name, headings come in order and begin with one of the first level, nothing is too wide."""
    where = page.url
    assert page.locator("body").evaluate(_NAMELESS) == [], where
    assert page.locator("html").get_attribute("lang"), where
    assert page.title(), where
    levels = page.locator("h1, h2, h3, h4").evaluate_all("all => all.map((each) => Number(each.tagName[1]))")
    assert levels, where
    assert levels[0] == 1, where
    assert levels.count(1) == 1, (where, levels)
    assert all(after - before <= 1 for before, after in pairwise(levels)), (where, levels)
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0, where
    identifiers = page.locator("[id]").evaluate_all("all => all.map((each) => each.id)")
    assert len(identifiers) == len(set(identifiers)), (where, identifiers)


def contrast(page: Page, place: str) -> float:
    """How much the words of the first element at a place stand out from what is behind them; 21 is black on white."""
    pair = page.locator(place).first.evaluate(
        """each => {
          let node = each;
          let back = "rgba(0, 0, 0, 0)";
          while (node && back === "rgba(0, 0, 0, 0)") {
            back = getComputedStyle(node).backgroundColor;
            node = node.parentElement;
          }
          return [getComputedStyle(each).color, back];
        }"""
    )
    high, low = sorted(map(_light, pair), reverse=True)
    return (high + 0.05) / (low + 0.05)


def _light(colour: str) -> float:
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    red, green, blue = (each / 12.92 if each <= 0.03928 else ((each + 0.055) / 1.055) ** 2.4 for each in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
