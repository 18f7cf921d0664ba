"""Claims on images and preimages of sets: `is f(A ∩ B) = f(A) ∩ f(B)?`, `f^-1(f(A)) = A if f is injective`.

Strict: beside the sets only words that name them, the map and its qualities.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from mathrag.compute.algebra.term_reader import Node, names_of
from mathrag.compute.finite_maps import ImageClaim, Map, SetRelation, elements_needed, sides_of, try_images
from mathrag.compute.signs_of_logic import plain_signs
from mathrag.language.enumeration import listed
from mathrag.language.word_classes import any_of, word_pairs
from mathrag.reason.direct.algebra.asked_claims import without_asking
from mathrag.reason.direct.algebra.claim_frames import without_teller
from mathrag.reason.direct.question_text import tidy
from mathrag.reason.direct.result import DirectStatement
from mathrag.types.answer import WorkingLine

_LONGEST = 300
_MOST_LETTERS = 3
_INVERSE = r"(?:\^ ?[({]? ?[-−] ?1 ?[)}]?|⁻¹)"
_ONE = rf"(?:[A-Z](?![A-Za-z])|[fghT](?={_INVERSE}? ?[(\[]){_INVERSE}?|[()\[\]∪∩∖\\△∁∅'=⊆⊇⊂⊃−-]|\^ ?c\b)"
_CORE = re.compile(rf"{_ONE}(?:\s*{_ONE})*")
_TOKEN = re.compile(rf"\s*(?P<one>{_ONE})")
_MAPPED = re.compile(rf"(?<![A-Za-z])[fgh]{_INVERSE}? ?[(\[]")
_RELATION = re.compile("[=⊆⊇⊂⊃]")
_ARROW = re.compile(r"[fgh] ?: ?(?P<first>[A-Z]) ?(?:→|->) ?(?P<second>[A-Z])(?![A-Za-z])")
_SUBSETS = re.compile(r"[A-Z](?: ?(?:,|and) ?[A-Z])* ?(?:[⊆⊂]|(?:are |is a )?subsets? of) ?(?P<of>[A-Z])(?![A-Za-z])")
_SIGNS = {"∪": "union", "∩": "intersection", "△": "symmetric", **dict.fromkeys("∖\\−-", "difference")}
_THEN = re.compile(r"\b(?:if|then|implies|imply|suppose|let|given|assume)\b|[⇒→]|=>", re.IGNORECASE)
_BEHIND = re.compile(r"\b(?:if|when|whenever|provided)\b", re.IGNORECASE)


def answer_image_claim(text: str) -> DirectStatement | None:
    """What trying all maps between small sets says of a claim on images; None for any other question."""
    if len(text) > _LONGEST or _MAPPED.search(plain_signs(text)) is None:
        return None
    body = without_asking(without_teller(tidy(plain_signs(text)))).replace("==", "=").replace("=>", "⇒")
    whole_sets = _ARROW.search(body)
    spaces = (whole_sets["first"], whole_sets["second"]) if whole_sets is not None else ("X", "Y")
    body = _ARROW.sub(" f ", body)
    body = _SUBSETS.sub(lambda found: " sets " if found["of"] in spaces else found.group(), body)
    cores = [found for found in _CORE.finditer(body) if _RELATION.search(found.group())]
    if not 1 <= len(cores) <= 2:
        return None
    qualities = _qualities(_CORE.sub(" ", body.replace("⇒", " then ")))
    if qualities is None:
        return None
    relations = [_relation(found.group(), spaces) for found in cores]
    if any(each is None for each in relations):
        return None
    known = [each for each in relations if each is not None]
    premises: tuple[SetRelation, ...] = ()
    if len(known) == 2:
        if _BEHIND.search(body[cores[0].end() : cores[1].start()]):
            known.reverse()
            cores.reverse()
        elif not _THEN.search(body):
            return None
        premises = (known[0],)
    made = ImageClaim(known[-1].left, known[-1].right, known[-1].sign, qualities, premises)
    said = " ".join(cores[-1].group().split())
    if premises:
        said = f"if {' '.join(cores[0].group().split())}, then {said}"
    return _judged(made, said)


@cache
def _words() -> tuple[re.Pattern[str], re.Pattern[str]]:
    return (
        re.compile(rf"\b(?:{any_of('relations.map_qualities')})(?![\w-])", re.IGNORECASE),
        re.compile(
            rf"(?:{any_of('relations.image_words')})(?![\w-])|[fgh](?![A-Za-z])|[A-Z](?![A-Za-z])|[ ,.;:?$]",
            re.IGNORECASE,
        ),
    )


def _qualities(rest: str) -> frozenset[str] | None:
    """The qualities of the map by the words beside the sets; None where a word is not known."""
    quality, known = _words()
    found = frozenset(
        each for said in quality.findall(rest) for each in word_pairs("relations.map_qualities")[said.lower()].split()
    )
    left = quality.sub(" ", rest)
    place = 0
    while place < len(left):
        match = known.match(left, place)
        if match is None:
            return None
        place = match.end()
    return found


def _relation(text: str, spaces: tuple[str, str]) -> SetRelation | None:
    signs = _RELATION.findall(text)
    if len(signs) != 1:
        return None
    sides = [_read(each, spaces) for each in _RELATION.split(text)]
    left, right = sides
    if left is None or right is None:
        return None
    if signs[0] in "⊇⊃":
        left, right = right, left
    return SetRelation(left, right, "=" if signs[0] == "=" else "⊆")


def _read(text: str, spaces: tuple[str, str]) -> Node | None:
    tokens = [found["one"] for found in _TOKEN.finditer(text)]
    if len(tokens) > 60:
        return None
    reader = _Reader(tokens, spaces)
    made = reader.joined()
    return made if made is not None and reader.place == len(tokens) else None


class _Reader:
    """Terms of sets with images and preimages; signs that differ need brackets."""

    def __init__(self, tokens: list[str], spaces: tuple[str, str]) -> None:
        self.tokens = tokens
        self.spaces = spaces
        self.place = 0

    def at(self) -> str:
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def joined(self) -> Node | None:
        left = self.single()
        used: list[str] = []
        while left is not None and self.at() in _SIGNS:
            used.append(_SIGNS[self.at()])
            self.place += 1
            right = self.single()
            if right is None or len(set(used)) > 1 or used.count("difference") > 1:
                return None
            left = Node(used[-1], (left, right))
        return left

    def single(self) -> Node | None:
        one = self.at()
        self.place += 1
        made: Node | None
        if one and one[0] in "fgh":
            inner = self.bracketed()
            made = None if inner is None else Node("image" if len(one) == 1 else "preimage", (inner,))
        elif one in self.spaces:
            made = Node("all", (), one)
        elif one.isalpha():
            made = Node("letter", (), one)
        elif one == "∅":
            made = Node("empty")
        elif one == "∁":
            inner = self.single()
            made = None if inner is None else Node("complement", (inner,))
        elif one in ("(", "["):
            self.place -= 1
            made = self.bracketed()
        else:
            return None
        while made is not None and self.at() and self.at()[0] in "'^":
            made = Node("complement", (made,))
            self.place += 1
        return made

    def bracketed(self) -> Node | None:
        closing = {"(": ")", "[": "]"}.get(self.at())
        self.place += 1
        made = self.joined() if closing is not None else None
        if made is None or self.at() != closing:
            return None
        self.place += 1
        return made


def _judged(claim: ImageClaim, whole: str) -> DirectStatement | None:
    every = [claim.left, claim.right, *(side for one in claim.premises for side in (one.left, one.right))]
    letters = names_of(every, "letter")
    placed = sides_of(claim)
    if placed is None or len(letters) > _MOST_LETTERS:
        return None
    trial = try_images(claim, *placed)
    kind = f"{listed(sorted(claim.qualities))} maps" if claim.qualities else "maps"
    if trial.counterexample is not None:
        one, chosen, left, right = trial.counterexample
        sets = listed([f"{name} = {_shown(value)}" for name, value in chosen.items()])
        told = (
            f"with f from {_space(len(one[0]))} to {_space(one[1])}, {_values(one)} and {sets}, the left side is "
            f"{_shown(left)} and the right side is {_shown(right)}"
        )
        return DirectStatement(
            f"False for {kind} in general: {told}.{_kept(claim, placed)}", whole, (WorkingLine(told),)
        )
    needed = elements_needed(claim)
    if needed is not None and needed <= trial.largest:
        few = "1 element" if needed == 1 else f"{needed} elements"
        why = (
            f"A counterexample would be one on {few} of each set alone, and all maps between sets of up to "
            f"{needed} elements "
            "with all their subsets were tried, which proves it."
        )
        return DirectStatement(f"True for all {kind} f and all sets: {whole}. {why}", whole, (WorkingLine(why),))
    text = (
        f"No counterexample found, not proved: {whole} holds for all {kind} between sets of up to "
        f"{trial.largest} elements."
    )
    return DirectStatement(text, whole)


def _kept(claim: ImageClaim, placed: tuple[Mapping[str, str], str]) -> str:
    """What of an equation that fails is true: one side within the other, and the quality that makes them equal."""
    if claim.sign != "=" or claim.premises:
        return ""
    told = [
        f"the left side {sign} the right side always holds"
        for left, right, sign in ((claim.left, claim.right, "⊆"), (claim.right, claim.left, "⊇"))
        if _is_proved(ImageClaim(left, right, "⊆", claim.qualities), placed)
    ]
    told += [
        f"equality holds for all {quality} f"
        for quality in ("injective", "surjective")
        if not claim.qualities and _is_proved(ImageClaim(claim.left, claim.right, "=", frozenset({quality})), placed)
    ]
    return (
        f" ({listed(told)}: all cases on so few elements as matter were tried.)".replace("(t", "(T", 1) if told else ""
    )


def _is_proved(claim: ImageClaim, placed: tuple[Mapping[str, str], str]) -> bool:
    needed = elements_needed(claim)
    trial = try_images(claim, *placed)
    return trial.counterexample is None and needed is not None and needed <= trial.largest


def _space(size: int) -> str:
    return "{" + ", ".join(str(each + 1) for each in range(size)) + "}"


def _shown(value: frozenset[int]) -> str:
    return "{" + ", ".join(str(each + 1) for each in sorted(value)) + "}" if value else "∅"


def _values(one: Map) -> str:
    return ", ".join(f"f({place + 1}) = {value + 1}" for place, value in enumerate(one[0]))
