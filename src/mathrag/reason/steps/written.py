"""Read what a model wrote: its steps one by one and the answer it states. Tolerant about form; nothing is judged here.

A reply may be anything: empty, huge, cut off, full of marks. What was cut in the middle of a calculation would say
something else than was meant, so that it is never judged.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from mathrag.compute.answers import final_answer
from mathrag.language.folding import without_invisible
from mathrag.llm.json_text import without_thoughts
from mathrag.llm.messages import ChatReply

LONGEST_STEP = 1_500
LONGEST_ANSWER = 300
_LONGEST_REPLY = 40_000
_MARKS = r"[ \t>*#_\-]{0,12}"
_STEP = re.compile(rf"(?im)^{_MARKS}step[ \t]{{0,3}}\d{{1,4}}[ \t*_]{{0,6}}[:.)\-–—]?[*_]{{0,3}}[ \t]{{0,3}}")
_ANSWER = re.compile(
    rf"(?im)^{_MARKS}(?:the[ \t])?(?:final[ \t])?answer[ \t*_]{{0,6}}"
    r"(?:is[ \t]{0,3})?[:=][ \t*_]{0,6}(\S[^\n]{0,4000})?$"
)
_PARAGRAPH = re.compile(r"\n[ \t]*\n")
_FENCE = re.compile(r"(?m)^[ \t]{0,8}(?:```|~~~)\w{0,12}[ \t]*$")
# How solutions in LaTeX mark what they end with.
_BOX = "\\boxed"
_EDGES = " \t*_`"


@dataclass(frozen=True, slots=True)
class WrittenStep:
    """One step on one line. One that `is_cut` is shown and never judged."""

    text: str
    is_cut: bool = False


@dataclass(frozen=True, slots=True)
class Written:
    """The steps of a reply in order, and the answer it states (empty where it states none)."""

    steps: tuple[WrittenStep, ...] = ()
    answer: str = ""


def read_steps(reply: ChatReply, *, most: int) -> Written:
    """At most so many steps of a reply. An answer that stands behind steps that are left out is left out too."""
    text = without_thoughts(reply.text[:_LONGEST_REPLY])
    is_cut = reply.finish == "length" or len(reply.text) > _LONGEST_REPLY
    text = _FENCE.sub("", text)
    # Behind its answer a model may go on with something else altogether.
    stated = _ANSWER.search(text)
    answer = "" if stated is None or (is_cut and stated.end() >= len(text.rstrip())) else stated.group(1) or ""
    body = text if stated is None else text[: stated.start()]
    steps = [_step(part) for part in _parts(body)]
    steps = [step for step in steps if step.text]
    if is_cut and stated is None and steps:
        # The last one ends in the middle of something; before others it is only in the way.
        steps = steps[:-1] or [WrittenStep(steps[-1].text, is_cut=True)]
    kept = tuple(steps[:most])
    if stated is None and kept and _BOX in kept[-1].text and not kept[-1].is_cut:
        answer = final_answer(kept[-1].text) or ""
    return Written(kept, _answer(answer) if len(steps) <= most else "")


def _parts(body: str) -> list[str]:
    """The steps as they are marked; else the paragraphs; else the lines."""
    marks = list(_STEP.finditer(body))
    if marks:
        ends = [*(mark.start() for mark in marks[1:]), len(body)]
        return [body[mark.end() : end] for mark, end in zip(marks, ends, strict=True)]
    return _PARAGRAPH.split(body)


def _step(part: str) -> WrittenStep:
    text = one_line(part)
    return WrittenStep(text) if len(text) <= LONGEST_STEP else WrittenStep(f"{text[: LONGEST_STEP - 1]}…", is_cut=True)


def _answer(text: str) -> str:
    line = one_line(text).strip(_EDGES)
    if line.startswith("$") and line.endswith("$") and line.count("$") == 2:
        line = line.strip("$ ")
    if _BOX in line:
        line = final_answer(line) or line
    # An answer too long to be one is none; half of it might be another.
    return line if len(line) <= LONGEST_ANSWER else ""


def one_line(text: str) -> str:
    """The text as people see it, on one line: what cannot be seen would part a number for some readers only."""
    line = " ".join(without_invisible(text).split())
    return line if line.isprintable() else "".join(each if each.isprintable() else " " for each in line)
