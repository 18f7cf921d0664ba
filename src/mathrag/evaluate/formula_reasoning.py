"""FormulaReasoning as a question set: its answers read with units, its formulas written as a Markdown document.

The formulas are named in Chinese letters and English words, so they become LaTeX symbols here, with the English words
as their meanings. Asks and grades nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from mathrag.errors import LibraryError, MathragError
from mathrag.evaluate.questions import Truth, read_limited
from mathrag.knowledge.units import read_canonical_unit, unit_readings
from mathrag.language.word_classes import word_class

COMPARED = (
    "Right means: number and unit within 1 % of the stated answer after conversion; a stated °C counts as a "
    "temperature or as a difference, whichever fits, since the file does not tell them apart. The formulas used are "
    "not compared: the file names them in words. The tiers are the numbers of steps of the stated solution."
)
_POWER = r"10\^\{?\s*([+-]?\d{1,3})\s*\}?"
_MANTISSA = r"([+-]?\d{1,30}(?:\.\d{0,30})?)"
_NUMBER = re.compile(rf"{_MANTISSA}\s*[×x*]\s*{_POWER}|(){_POWER}|{_MANTISSA}()(?!\s*\d|\.)")
_WIDTHS = str.maketrans(
    {"（": "(", "）": ")", "％": "%", "﹣": "-", "－": "-", "−": "-", "•": "·", "＝": "=", "，": ","}
)
_MOST_STEPS = 4
_BRACKETED = re.compile(r"\[[^\[\]]{1,200}\]")
_LETTER = re.compile(r"(?P<change>[Δ△∆])?(?P<letter>[A-Za-zα-ωΑ-Ω])")
_PLAIN_SYMBOL = re.compile(r"[Δ△∆]?[A-Za-zα-ωΑ-Ω][′']?(?:_\{?[A-Za-z0-9]{1,10}\}?)?[′']?")
_PIECES = re.compile(r"\d{1,20}(?:\.\d{1,20})?%?|sqrt|π|[()+\-*/^=×÷]|\s+")
_SMALL_WORDS = word_class("formula_sets.small_words")
_LETTER_SAYS = word_class("formula_sets.letter_says")
_GREEK = {"η": "\\eta", "ρ": "\\rho", "μ": "\\mu", "λ": "\\lambda", "ε": "\\varepsilon", "π": "\\pi", "Δ": "\\Delta"}
_OPERATORS = {"*": "\\times ", "×": "\\times ", "÷": "/", "sqrt": "\\sqrt", "π": "\\pi "}
_HEAD = "# Formulas\n"


def load_reasoning(file: Path) -> tuple[tuple[Truth, ...], list[str]]:
    """The questions of a file with their answers, and what is worth knowing about those left out."""
    found: dict[str, Truth] = {}
    left_out: list[str] = []
    for number, entry in enumerate(_entries(file)):
        name, question, answer = (entry.get(key) for key in ("id", "question", "answer"))
        if not (isinstance(name, str) and isinstance(question, str) and isinstance(answer, str)):
            raise LibraryError(f"{file.name}, entry {number + 1}: id, question and answer must be texts")
        quantity = read_answer(answer)
        if quantity is None or name in found:
            left_out.append(name)
            continue
        steps = entry.get("formula_list")
        count = len(steps) if isinstance(steps, list) else 0
        found[name] = Truth(
            id=name,
            tier=f"{count} step{'' if count == 1 else 's'}" if count < _MOST_STEPS else f"{_MOST_STEPS} steps or more",
            question=" ".join(question.split()),
            answer=quantity[0],
            units=quantity[1],
            label=name.rpartition("_")[0] or name,
        )
    if not found:
        raise LibraryError(f"{file} holds no question whose answer can be read")
    notices = [f"{len(left_out)} questions whose answer cannot be read were left out"] if left_out else []
    return tuple(found.values()), notices


def read_answer(text: str) -> tuple[float, tuple[str, ...]] | None:
    """A stated answer such as `1.8×10^7 J`: its number and every unit that it may mean."""
    text = text.translate(_WIDTHS).strip()
    match = _NUMBER.match(text)
    if match is None:
        return None
    mantissa, power = (one or two or three or "" for one, two, three in (match.group(1, 3, 5), match.group(2, 4, 6)))
    value = float(mantissa or 1) * 10.0 ** int(power or 0)
    unit = text[match.end() :].strip()
    if unit in ("℃", "°C"):
        return value, ("degC", "delta_degC")
    canonical = _canonical(unit.replace("℃", "delta_degC"))
    return None if canonical is None else (value, (canonical,))


def _canonical(unit: str) -> str | None:
    if unit == "%":
        return "percent"
    try:
        return read_canonical_unit(unit).text
    except MathragError:
        pass
    try:
        return unit_readings(unit)[0].text
    except (MathragError, IndexError):
        return None


def reasoning_document(formulas: Path | None, questions: Path) -> tuple[str, list[str]]:
    """A Markdown document of the formulas, and what is worth knowing about those left out.

    Without a file of formulas it holds those that the solutions in the file of questions name.
    """
    entries = _entries(formulas) if formulas is not None else _named_formulas(_entries(questions))
    sections: dict[str, None] = {}
    left_out = 0
    for entry in entries:
        section = _section(entry)
        if section is None:
            left_out += 1
        else:
            sections.setdefault(section)
    if not sections:
        raise LibraryError(f"{formulas or questions} holds no formula that can be written")
    source = "the file of formulas" if formulas is not None else "the solutions of the questions themselves"
    notices = [f"{len(sections)} formulas of {source} were written into the document; {left_out} could not be"]
    return _HEAD + "".join(sections), notices


def _entries(file: Path) -> list[dict[str, Any]]:
    try:
        data = json.loads(read_limited(file))
    except (ValueError, RecursionError) as error:
        raise LibraryError(f"{file} is no JSON ({type(error).__name__})") from error
    if not isinstance(data, list) or not all(isinstance(entry, dict) for entry in data):
        raise LibraryError(f"{file} is no list of objects")
    return data


def _named_formulas(entries: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    texts: dict[str, None] = {}
    for entry in entries:
        listed = entry.get("formula_list")
        texts.update(
            dict.fromkeys(text for text in listed if isinstance(text, str)) if isinstance(listed, list) else {}
        )
    return [
        {
            "formula": text,
            "symbol_map": [
                {"symbol": name, "en_name": name.strip("[]")} for name in dict.fromkeys(_BRACKETED.findall(text))
            ],
        }
        for text in texts
    ]


def _section(entry: Mapping[str, Any]) -> str | None:
    """One formula under its name, with what its symbols mean; None where it cannot be written."""
    formula, listed = entry.get("formula"), entry.get("symbol_map")
    if not isinstance(formula, str) or not isinstance(listed, list) or len(formula) > 500:
        return None
    names: dict[str, str] = {}
    for one in listed:
        if isinstance(one, dict) and isinstance(one.get("symbol"), str) and isinstance(one.get("en_name"), str):
            names[one["symbol"].translate(_WIDTHS)] = " ".join(one["en_name"].split())[:120]
    letters = _letters(names)
    written = _written(formula.translate(_WIDTHS), letters)
    if written is None:
        return None
    target = written[1]
    meanings = ", ".join(f"${letters[symbol]}$ is the {_lowered(name)}" for symbol, name in names.items())
    return f"\n## {names[target]}\n\n$${written[0]}$$\n\nwhere {meanings}.\n"


def _letters(names: Mapping[str, str]) -> dict[str, str]:
    """A LaTeX symbol for each, all different: its own letter, with a word of its meaning below it where needed."""
    taken: set[str] = set()
    found: dict[str, str] = {}
    # Symbols that can stay as they are come first, so that no other takes their letter.
    for symbol in sorted(names, key=lambda one: _PLAIN_SYMBOL.fullmatch(one) is None):
        letter = _own_letter(symbol) if _PLAIN_SYMBOL.fullmatch(symbol) else _made_letter(symbol, names[symbol])
        number = 1
        candidate = letter
        while candidate in taken:
            number += 1
            base, _, below = letter.partition("_")
            candidate = f"{base}_{{{below[1:-1]}{number}}}" if below else f"{base}_{{{number}}}"
        taken.add(candidate)
        found[symbol] = candidate
    return found


def _own_letter(symbol: str) -> str:
    has_prime = any(mark in symbol for mark in "′'")
    plain = symbol.replace("′", "").replace("'", "")
    base, _, below = plain.partition("_")
    made = "".join(_GREEK.get(one, one) + (" " if one in _GREEK else "") for one in re.sub("[△∆]", "Δ", base)).strip()
    made = f"{made}'" if has_prime else made
    return f"{made}_{{{below.strip('{}')}}}" if below else made


def _made_letter(symbol: str, meaning: str) -> str:
    words = [word for word in re.findall(r"[A-Za-z]+", meaning) if word.lower() not in _SMALL_WORDS]
    match = _LETTER.match(symbol)
    if match is not None:
        letter = _GREEK.get(match["letter"], match["letter"])
        letter = f"\\Delta {letter}" if match["change"] else letter
    else:
        letter = words[0][0].lower() if words else "x"
    telling = [word.lower() for word in words if word.lower() not in _LETTER_SAYS and len(word) > 1]
    below = telling[0] if telling else ""
    return f"{letter}_{{\\mathrm{{{below}}}}}" if below else letter


def _written(formula: str, letters: Mapping[str, str]) -> tuple[str, str] | None:
    """The formula in LaTeX and the symbol that it gives; None for anything but sums, products, powers and roots."""
    ordered = sorted(letters, key=len, reverse=True)
    parts: list[str] = []
    place, first = 0, ""
    # Only shows that a percentage is a number; a factor of 100 % changes nothing.
    formula = re.sub(r"[*×]\s*100%\s*$", "", formula)
    while place < len(formula):
        symbol = next((one for one in ordered if formula.startswith(one, place)), None)
        if symbol is not None:
            first = first or symbol
            parts.append(f"{letters[symbol]} ")
            place += len(symbol)
            continue
        match = _PIECES.match(formula, place)
        if match is None:
            return None
        parts.append(_piece(match[0]))
        place = match.end()
    text = "".join(parts)
    is_equation = text.count("=") == 1 and formula.strip()[len(first) :].lstrip().startswith("=")
    return (_with_roots(text), first) if first and is_equation else None


def _piece(text: str) -> str:
    if text.endswith("%"):
        return f"{float(text[:-1]) / 100:g}"
    return _OPERATORS.get(text, text)


def _with_roots(text: str) -> str:
    """`\\sqrt(...)` with braces for its parentheses."""
    while (start := text.find("\\sqrt(")) >= 0:
        depth, stop = 0, start + 5
        for stop in range(start + 5, len(text)):
            depth += {"(": 1, ")": -1}.get(text[stop], 0)
            if not depth:
                break
        text = f"{text[: start + 5]}{{{text[start + 6 : stop]}}}{text[stop + 1 :]}"
    return text


def _lowered(name: str) -> str:
    """A meaning as it stands within a sentence."""
    words: Sequence[str] = name.split(" ")
    return " ".join(word.lower() if word[1:].islower() or len(word) > 3 else word for word in words)
