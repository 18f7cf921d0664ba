"""What tests in a real browser look at on every page: names of controls, headings, width; and which browser it is."""

from __future__ import annotations

import importlib.util
import re
import shutil
from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
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


# Words that stand out too little from what is behind them: 4.5 to 1, and 3 to 1 for large ones.
_FAINT = """body => {
  const parts = (colour) => (colour.match(/[\\d.]+/g) || []).map(Number);
  const light = (colour) => {
    const [red, green, blue] = parts(colour).slice(0, 3).map((part) => part / 255)
      .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const behind = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const [, , , alpha = 1] = parts(getComputedStyle(at).backgroundColor);
      if (alpha > 0.99) return getComputedStyle(at).backgroundColor;
    }
    return "rgb(255, 255, 255)";
  };
  const has_words = (node) => [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim());
  const is_seen = (node) => node.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    && node.getClientRects().length > 0 && !node.closest("svg, .unseen, .skip, [aria-hidden=true], :disabled");
  return [...body.querySelectorAll("*")].filter((node) => has_words(node) && is_seen(node)).map((node) => {
    const style = getComputedStyle(node);
    const [high, low] = [light(style.color), light(behind(node))].sort((one, other) => other - one);
    const size = parseFloat(style.fontSize);
    const is_large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    return { ratio: (high + 0.05) / (low + 0.05), least: is_large ? 3 : 4.5, text: node.outerHTML.slice(0, 160) };
  }).filter((each) => each.ratio < each.least).map((each) => `${each.ratio.toFixed(2)}: ${each.text}`);
}"""
# Of what axe knows, that which keeps people out or in the dark.
_AXE = """async () => {
  const found = await axe.run(document, { resultTypes: ["violations"] });
  return found.violations.filter((each) => ["serious", "critical"].includes(each.impact))
    .map((each) => `${each.id}: ${each.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(" | ")}`);
}"""


@lru_cache(maxsize=1)
def axe_source() -> str:
    """The rules of axe-core as a script; empty where the package that brings them is not installed."""
    found = importlib.util.find_spec("axe_playwright_python")
    places = [] if found is None else list(found.submodule_search_locations or ())
    return (Path(places[0]) / "axe.min.js").read_text(encoding="utf-8") if places else ""


def type_question(page: Page, words: str) -> None:
    """Ask in the box. Enter is a new line in it until the script of the page runs, and the page says when it does."""
    page.locator("#keys .with-script:not([hidden])").wait_for(state="attached")
    page.fill("#question", words)
    page.press("#question", "Enter")


def check_page(page: Page) -> None:
    """What keeps nobody out: names, headings in order, landmarks, contrast, nothing too wide; and the rules of axe."""
    check_structure(page)
    where = page.url
    faint = page.locator("body").evaluate(_FAINT)
    assert not faint, (where, faint)
    for landmark in ("header", "main", "footer"):
        assert page.locator(f"body > {landmark}").count() == 1, (where, landmark)
    assert page.locator("nav:not([aria-label])").count() == 0, where
    if axe_source():
        page.evaluate(axe_source())
        broken = page.evaluate(_AXE)
        assert not broken, (where, broken)


def check_structure(page: Page) -> None:
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
