"""The signs of logic and of sets, one spelling each: everyday LaTeX and the many Unicode signs of one meaning."""

from __future__ import annotations

import re

_LISTED = """
    cup ∪ cap ∩ setminus ∖ smallsetminus ∖ backslash ∖ triangle △ bigtriangleup △ vartriangle △ ominus △ times × in
    ∈ notin ∉ ni ∋ subseteq ⊆ supseteq ⊇ subset ⊂ supset ⊃ subsetneq ⊊ supsetneq ⊋ subsetneqq ⊊ emptyset ∅
    varnothing ∅ complement ∁ land ∧ wedge ∧ lor ∨ vee ∨ lnot ¬ neg ¬ to → rightarrow → longrightarrow → Rightarrow
    ⇒ Longrightarrow ⇒ implies ⇒ leftrightarrow ↔ longleftrightarrow ↔ Leftrightarrow ⇔ Longleftrightarrow ⇔ iff ⇔
    oplus ⊕ equiv ≡ top ⊤ bot ⊥ forall ∀ exists ∃ nexists ¬∃ vdash ⊢ models ⊨ vDash ⊨ wp 𝒫 leq ≤ le ≤ geq ≥ ge ≥ neq
    ≠ ne ≠ lt < gt > mid | lvert | rvert | vert | cdot · varepsilon ε epsilon ε delta δ mathbb{R} ℝ mathbb{N} ℕ
    mathbb{Z} ℤ mathbb{Q} ℚ ldots … dots … therefore ∴ barwedge ↑ uparrow ↑ downarrow ↓
""".split()
_COMMANDS = dict(zip(_LISTED[::2], _LISTED[1::2], strict=True))
_COMMAND = re.compile(r"\\(mathbb\{[A-Z]\}|[A-Za-z]+) ?")
_SPACE = re.compile(r"\\[,;:!]|\\(?:q?quad|left|right|displaystyle|limits|bigl?|bigr|Bigl?|Bigr)\b")
_MARKS = re.compile(r"\$+|\\[()\[\]]|`")
_POWER_SET = re.compile(r"\\math(?:cal|scr|frak|bb|rm) ?(?:\{ ?P ?\}|P)|[℘𝓟𝔓ℙ𝒫]|\\operatorname ?\{ ?(?:Pow|P) ?\}")
_BARRED = re.compile(r"\\(?:overline|bar) ?(?:\{([^{}]{1,80})\}|([A-Z]))")
_TEXT = re.compile(r"\\(?:text|textrm|mathrm|mbox|operatorname) ?\{([^{}]{0,80})\}")
_RAISED = re.compile(r"\^ ?(?:\{ ?(?:\\complement|\\mathsf ?\{ ?c ?\}|[cC]) ?\}|\\complement\b)")
_SAME = str.maketrans("⟺⟷⟹⟶⊻∆Δ⊖⧵⋃⋂⋀⋁’′￢ɛϵØ⌀⊼⊽∣", "⇔↔⇒→⊕△△△∖∪∩∧∨''¬εε∅∅↑↓|")


# A bare backslash between capitals and brackets; one before a bracket opens mathematics where another closes it.
_BACKSLASH = re.compile(r"(?<=[A-Z)'])( ?)\\(?: ?(?=[A-Z](?![A-Za-z{]))| (?=\())")
_BEFORE_BRACKET = re.compile(r"(?<=[A-Z)'])( ?)\\(?=\()")


def without_bare_backslashes(text: str) -> str:
    """A text in which a bare backslash between two sets is the sign of their difference: `A\\B`, `A\\(B\\C)`."""
    if "\\" not in text:
        return text
    made = _BACKSLASH.sub(r"\1∖\1", text)
    return made if "\\)" in text else _BEFORE_BRACKET.sub(r"\1∖\1", made)


def plain_signs(text: str) -> str:
    """A text with one spelling for each sign; what is no such sign stays."""
    text = _MARKS.sub(" ", without_bare_backslashes(text))
    text = _SPACE.sub(" ", text)
    text = _POWER_SET.sub("𝒫", text)
    text = _RAISED.sub("'", text)
    for _ in range(3):
        text = _BARRED.sub(lambda found: f"({found[1] or found[2]})'", text)
    text = _TEXT.sub(lambda found: f" {found[1]} ", text)
    text = text.replace("\\{", "{").replace("\\}", "}").replace("\\|", "|")
    return _COMMAND.sub(_sign, text).translate(_SAME)


def _sign(found: re.Match[str]) -> str:
    sign = _COMMANDS.get(found[1])
    return found.group() if sign is None else f" {sign} "
