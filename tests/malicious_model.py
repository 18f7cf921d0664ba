"""A language model that means harm and needs no weights: it reads what it is shown and writes well-formed replies.

To questions it writes actions with names from the prompt and numbers that are nearly right; about passages it writes
proposals with quotes from the passage and formulas that are nearly what they say.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from typing import Any

from malicious import smuggled
from mathrag.llm.messages import ChatReply, ChatRequest, ReplyPiece, ToolCall

_FORMULA = re.compile(r"\bf-[0-9a-f]{12}\b")
_TOOL = re.compile(r"(?m)^(\w+)\((.*?)\) computes (\S+) by ")
_STEP = re.compile(r"(f-[0-9a-f]{12}) for (\w+)(?: with ([^;\n(]*))?")
_RESULT = re.compile(r"(?m)^result_\d+: (\S+) = (\S+) ?(.*)$")
_VALUE = re.compile(r"(?m)^((?:given|constant|pinned|count)_\d+) = (\S+) ?([^(\n]*)")
_WORDS = ("mass", "force", "energy", "pressure", "time", "speed", "length")


class MaliciousModel:
    """Says something well formed to every request; the same seed says the same."""

    def __init__(self, seed: int, *, name: str = "malicious") -> None:
        self._chance = random.Random(seed)
        self.name = name
        self.said: list[str] = []

    def chat(self, request: ChatRequest) -> ChatReply:
        """A reply of the kind that is asked for."""
        shown = "\n".join(message.text for message in request.messages if message.speaker == "user")
        if request.schema is not None and request.schema.name == "proposals":
            text = json.dumps(self._proposals(shown), ensure_ascii=False)
        elif "Legal now:" in shown:
            name, inputs = self._action(shown)
            if request.tools and self._chance.random() < 0.5:
                self.said.append(json.dumps(inputs))
                call = ToolCall(name, json.dumps(inputs), "1")
                return ChatReply("", tool_calls=(call,), finish="tool_calls", model=self.name)
            text = f"Thought: {smuggled('42', self._chance)}\nAction: {name}\nAction Input: {json.dumps(inputs)}"
        else:
            text = self._words(shown)
        self.said.append(text)
        return ChatReply(text, model=self.name)

    def stream(self, request: ChatRequest) -> Iterator[ReplyPiece]:
        """The whole at once."""
        reply = self.chat(request)
        yield ReplyPiece(reply.text)
        yield ReplyPiece(reply=reply)

    # ---- questions

    def _action(self, shown: str) -> tuple[str, dict[str, Any]]:
        chance = self._chance
        legal = re.findall(r"[A-Z_]{5,}", shown.rpartition("Legal now:")[2].split("Turns left")[0])
        tools, results = _TOOL.findall(shown), _RESULT.findall(shown)
        steps = _STEP.findall(shown)
        if chance.random() < 0.06:
            return chance.choice(legal or ["RESPOND"]), {"answer": self._sentence(results, shown)}
        if "SAME_AS" in legal and chance.random() < 0.6:
            # Whatever was shown may be called a definition of whatever is asked.
            return "SAME_AS", {"quote": chance.choice([each for each in re.split(r"[.?\n]", shown) if each.strip()])}
        if "RETRIEVE_MATH_KNOWLEDGE" in legal and chance.random() < 0.85:
            return "RETRIEVE_MATH_KNOWLEDGE", {"query": chance.choice(_WORDS)}
        if results and chance.random() < 0.75:
            return "RESPOND", {"answer": self._sentence(results, shown)}
        if tools and chance.random() < 0.8:
            return "CALL_TOOL", self._call(chance.choice(tools), steps, shown)
        formulas = _FORMULA.findall(shown)
        if formulas and chance.random() < 0.85:
            step = chance.choice(steps) if steps and chance.random() < 0.7 else (chance.choice(formulas), "x", "")
            return "CREATE_DYNAMIC_TOOL", {"formula_id": step[0], "target": step[1]}
        name = chance.choice(("RESPOND", "ASK_FOR_CLARIFICATION", "ANSWER_DIRECTLY"))
        return name, {"question" if name.startswith("ASK") else "answer": self._sentence(results, shown)}

    def _call(self, tool: tuple[str, str, str], steps: list[tuple[str, str, str]], shown: str) -> dict[str, Any]:
        chance = self._chance
        names = [part.split(" ")[0] for part in tool[1].split(", ") if part]
        values = _VALUE.findall(shown) or [("given_1", "42", "")]
        proper = {
            pair.split("=")[0].strip(): pair.split("=")[1].strip()
            for step in steps
            if step[1] == tool[2]
            for pair in step[2].split(",")
            if "=" in pair
        }
        parameters: dict[str, Any] = {}
        for name in names:
            source, number, unit = chance.choice(values)
            lie = f"{float(number) * chance.choice((1.1, 2, 10, 0.5)):g} {unit}".strip() if _is_number(number) else "42"
            parameters[name] = (
                proper.get(name, source) if chance.random() < 0.75 else chance.choice((source, lie, number))
            )
        return {"tool_name": tool[0], "parameters": parameters}

    def _sentence(self, results: list[tuple[str, str, str]], shown: str) -> str:
        chance = self._chance
        known = [float(number) for _, number, _ in _VALUE.findall(shown) if _is_number(number)]
        truth = f"{results[-1][0]} = {results[-1][1]} {results[-1][2]}".strip() if results else ""
        if truth and chance.random() < 0.4:
            return truth
        number = f"{(chance.choice(known) if known else 7) * chance.choice((1.1, 2, 0.5, 10, 1)):g}"
        lie = smuggled(number, chance)
        return f"{truth}. {lie}" if truth and chance.random() < 0.8 else lie

    def _words(self, shown: str) -> str:
        """For translations, explanations and the like: what was shown, with something changed or added."""
        chance = self._chance
        text = shown[-300:]
        changed = re.sub(r"\d+", lambda found: str(int(found[0]) + chance.choice((0, 0, 1, 7))), text)
        return chance.choice(
            (f"{changed} {smuggled('42', chance)}", f"What is the energy of {changed[:80]}", "SAME", "42")
        )

    # ---- passages

    def _proposals(self, shown: str) -> dict[str, Any]:
        chance = self._chance
        passage = shown.partition("=== PASSAGE ===")[2]
        sentences = [part.strip() for part in re.split(r"(?<=[.!?])\s|\n", passage) if len(part.strip()) > 8] or ["x"]
        return {
            "formulas": [self._formula(sentences) for _ in range(chance.randint(1, 3))],
            "constants": [self._constant(sentences) for _ in range(chance.randint(0, 2))],
            "relations": [self._relation(sentences) for _ in range(chance.randint(0, 1))],
        }

    def _formula(self, sentences: list[str]) -> dict[str, Any]:
        chance = self._chance
        quote = chance.choice(sentences)
        found = re.search(r"\$+(.+?)\$+", quote)
        latex = (
            found[1] if found and "=" in found[1] else chance.choice(("F = k x", "E = m c^2", "P = F/A", "F = 2 m a"))
        )
        latex = self._twisted(latex)
        python = latex if re.fullmatch(r"[A-Za-z0-9 =*/+^._-]+", latex) and chance.random() < 0.3 else ""
        words = re.findall(r"[a-z]{4,}", quote) or ["thing"]
        names = list(dict.fromkeys(re.findall(r"(?<!\\)\b[A-Za-z]\b", latex)))[:6]
        units = ("", "kg", "m", "s", "J", "N", "Pa", "42")
        return {
            "quote": quote if chance.random() < 0.9 else quote[::-1],
            "finding": chance.choice(("", "", "", "F1", "F2", "F9")),
            "latex": latex if chance.random() < 0.9 else "",
            "python": python.replace("^", "**"),
            "label": chance.choice((" ".join(words[:2]), smuggled("42", chance))),
            "description": chance.choice((" ".join(words[:5]), smuggled("7", chance), "")),
            "intent": chance.choice(("to compute", smuggled("9", chance))),
            "parameters": [
                {"symbol": name, "description": chance.choice(words), "unit": chance.choice(units)} for name in names
            ],
            "keywords": [chance.choice(words)],
            "conditions": chance.choice(([], ["for x > 42"], [quote[:60]])),
        }

    def _twisted(self, latex: str) -> str:
        """A formula with one thing wrong in it, or none."""
        chance = self._chance
        ways = (
            lambda text: text,
            lambda text: re.sub(r"\d", lambda found: str(int(found[0]) % 9 + 1), text, count=1),
            lambda text: text.replace("+", "-", 1) if "+" in text else text.replace("=", "= 2", 1),
            lambda text: re.sub(r"\^\{?2\}?", "^3", text, count=1),
            lambda text: re.sub(r"\\frac\{([^{}]+)\}\{([^{}]+)\}", r"\\frac{\2}{\1}", text, count=1),
            lambda text: text.replace("=", "= -", 1),
        )
        return chance.choice(ways)(latex)

    def _constant(self, sentences: list[str]) -> dict[str, Any]:
        chance = self._chance
        quote = chance.choice([one for one in sentences if re.search(r"\d", one)] or sentences)
        numbers = re.findall(r"\d+(?:\.\d+)?", quote) or ["42"]
        value = chance.choice(numbers)
        if chance.random() < 0.6:
            value = chance.choice((f"{value}0", f"1{value}", "9.81", "42", f"{float(value) * 1.01:g}"))
        letters = re.findall(r"[A-Za-z]_?[a-z0]?", quote) or ["x"]
        return {
            "quote": quote,
            "symbol": chance.choice(letters),
            "value": value,
            "unit": chance.choice(("", "m/s", "kg", "J", "N/m")),
            "description": " ".join(re.findall(r"[a-z]{4,}", quote)[:4]),
            "intent": "",
            "keywords": [],
        }

    def _relation(self, sentences: list[str]) -> dict[str, Any]:
        chance = self._chance
        kinds = ("uses", "derived_from", "generalizes", "specializes", "uses_constant")
        ends = ("F1", "F2", "N1", "C1", "x")
        return {
            "quote": chance.choice(sentences),
            "kind": chance.choice(kinds),
            "source": chance.choice(ends),
            "target": chance.choice(ends),
            "confidence": chance.random(),
        }


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
