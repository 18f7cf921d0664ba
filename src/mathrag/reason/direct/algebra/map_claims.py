"""Claims on maps and their compositions: `if g∘f is injective, is f?`, `(f o g)^-1 = f^-1 o g^-1`, `is f∘g = g∘f?`.

A ring between letters is a composition, never a product of numbers: what is not read here is said not to be.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from mathrag.compute.finite_maps import (
    Fact,
    Map,
    Word,
    consequences,
    reduced,
    refuting_maps,
    refuting_words,
)
from mathrag.compute.signs_of_logic import plain_signs
from mathrag.language.enumeration import listed
from mathrag.reason.direct.algebra.asked_claims import without_asking, without_closing
from mathrag.reason.direct.algebra.claim_frames import without_teller
from mathrag.reason.direct.algebra.stated_qualities import QualityStatement, has_quality_word, read_qualities
from mathrag.reason.direct.claim_frame import bare_claim
from mathrag.reason.direct.question_text import tidy
from mathrag.reason.direct.result import AlgebraOutcome, DirectFailure, DirectStatement
from mathrag.types.answer import WorkingLine

_LONGEST = 300
_RING = re.compile(r"[∘◦○]|\\circ\b|(?<=[a-zA-Z)1}]) o (?=[(a-zA-Z])|(?<=[fgh])∙(?=[fgh])")
_APPLIED = re.compile(r"\b([fghuv])\(([fghuv])\(x\)\)")
_AT_POINT = re.compile(r"(\([a-z](?: ∘ [a-z])+\)) ?\(x\)")
_ARROW = re.compile(r" ?: ?[A-Z] ?(?:→|->|\\to) ?[A-Z](?![A-Za-z])")
_LETTERS = r"[a-z](?:(?:,? and |, ?)[a-z])*"
_DECLARED = re.compile(
    rf"^(?:let|suppose|for|given|assume|if|consider) (?:any |all |two |the |arbitrary "
    rf")*(?:(?:functions?|maps?|mappings?) )?"
    rf"{_LETTERS}(?: (?:be|are))?(?: (?:any|two|arbitrary|some))*"
    r"(?: (?:functions?|maps?|mappings?|bijections|bijective|invertible|invertible functions|bijective functions))?"
    r"(?: (?:from|on|between|of|with|for which|such that)(?: [a-zA-Z∘]+){1,6})?[.,;:] ",
    re.IGNORECASE,
)
_TERM = re.compile(r"\(?[f-hu-v](?![A-Za-z])(?: ?∘ ?[f-hu-v](?![A-Za-z]))?\)?")
_SCOPE = re.compile(
    rf",? (?:for|where|if|when|with|given)(?: (?:all|any|every|both|two|three|arbitrary|some|the|general))*"
    rf"(?: {_LETTERS}(?: (?:are|is))?)?(?: (?:all|any|an?|both|arbitrary))?"
    r"(?P<kind>(?: (?:invertible|bijective|real|bijections?|functions?|maps?|mappings?))+)(?: (?:and )?"
    rf"{_LETTERS})?(?: (?:from|on) [A-Za-z ]{{1,20}})?$|,? where it exists$|,? whenever (?:both sides|the "
    rf"inverses) (?:exist|make sense)$",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"\s*([a-zA-Z](?![a-zA-Z])|id\b|[()∘=]|\^ ?[({]? ?[-−] ?1 ?[)}]?|⁻¹|\^ ?\{? ?[23] ?\}?|[²³])")
_WHY = "Composition is associative, and an inverse undoes a map and turns the order of a composition"
_BIJECTIONS = "bijections (else there are no inverses)"


def answer_map_claim(text: str) -> AlgebraOutcome:
    """What follows of maps and their compositions; None for any other question."""
    if len(text) > _LONGEST:
        return None
    has_ring = _RING.search(text) is not None
    if not has_ring and _APPLIED.search(text) is None:
        return None
    signs = _RING.sub(" ∘ ", plain_signs(text.replace("\\circ", "∘")))
    body = " ".join(_ARROW.sub("", tidy(signs)).split())
    if has_quality_word(body, "relations.map_qualities") and "=" not in body:
        return _of_qualities(without_closing(bare_claim(without_teller(_APPLIED.sub(r"\1 ∘ \2", body)))))
    return _of_equation(without_asking(without_teller(body))) if has_ring and "=" in body else None


# Qualities.


def _of_qualities(body: str) -> DirectStatement | None:
    body = _DECLARED.sub("", body) if re.search(r"[.,;:] ", body) else body
    body = re.sub(r" ?∘ ?", "∘", body)
    claim = read_qualities(body, "relations.map_qualities", _TERM)
    if claim is None:
        return None
    every = [term.strip("()") for one in (*claim.premises, *claim.conclusions) for term in one.terms]
    pairs = {term for term in every if "∘" in term}
    if len(pairs) != 1:
        return None
    outer, inner = next(iter(pairs)).split("∘")
    if outer == inner or not {term for term in every if "∘" not in term} <= {outer, inner}:
        return None
    names = {inner: "f", outer: "g", f"{outer}∘{inner}": "gf"}
    given = _facts([one for one in claim.premises if not one.is_denied], names)
    denied = _facts([one for one in claim.premises if one.is_denied], names)
    if any(one.is_denied and len(one.qualities) > 1 for one in claim.premises):
        return None
    return _judged(given, denied, _facts(claim.conclusions, names), (outer, inner))


def _facts(statements: Sequence[QualityStatement], names: dict[str, str]) -> list[Fact]:
    found = [
        (names[term.strip("()")], quality) for one in statements for term in one.terms for quality in one.qualities
    ]
    return list(dict.fromkeys(found))


def _judged(
    given: list[Fact], denied: list[Fact], wanted: list[Fact], letters: tuple[str, str]
) -> DirectStatement | None:
    outer, inner = letters
    called = {"f": inner, "g": outer, "gf": f"{outer}∘{inner}"}
    premise = _stated(given, called) + "".join(f" and {called[name]} is not {quality}" for name, quality in denied)
    whole = f"if {premise.removeprefix(' and ')}, then {_stated(wanted, called)}"
    known, reasons = consequences(given)
    if set(wanted) <= known:
        told = "; ".join(
            f"{called[reason.split(':')[0]]}: {reason.split(':', 1)[1].format(f=inner, g=outer)}" for reason in reasons
        )
        why = f"Why, for {told} (this proves it)." if told else "That is what is given."
        return DirectStatement(f"True: {whole}. {why}", whole, (WorkingLine(told or whole),))
    example = refuting_maps(given, denied, wanted)
    if example is None:
        return None
    f, g = example
    named = {"f": f, "g": g}
    failed = [(name, quality) for name, quality in wanted if not _has(quality, named, name)]
    shown = f"{inner} from {_set(len(f[0]))} to {_set(f[1])} with {_values(inner, f)} and {outer} from {_set(f[1])} to "
    shown += f"{_set(g[1])} with {_values(outer, g)}"
    wrong = " and ".join(f"{called[name]} is not {quality}" for name, quality in failed)
    told = f"with {shown}, what is given holds, but {wrong}"
    return DirectStatement(f"False in general: {told}.", whole, (WorkingLine(told),))


def _has(quality: str, named: dict[str, Map], name: str) -> bool:
    f, g = named["f"], named["g"]
    values, onto = (tuple(g[0][each] for each in f[0]), g[1]) if name == "gf" else named[name]
    return len(set(values)) == (len(values) if quality == "injective" else onto)


def _stated(facts: Sequence[Fact], called: dict[str, str]) -> str:
    of_names: dict[str, list[str]] = {}
    for name, quality in facts:
        of_names.setdefault(called[name], []).append(quality)
    return listed([f"{name} is {listed(qualities)}" for name, qualities in of_names.items()])


def _set(size: int) -> str:
    return "{" + ", ".join(str(each + 1) for each in range(size)) + "}"


def _values(name: str, one: Map) -> str:
    return ", ".join(f"{name}({place + 1}) = {value + 1}" for place, value in enumerate(one[0]))


# Equations.


def _of_equation(body: str) -> AlgebraOutcome:
    body, is_for_bijections = _without_scope(body)
    whole = body
    # At a point: (f ∘ g)(x) is the composition, f(g(x)) too.
    if len(_AT_POINT.findall(body)) + len(_APPLIED.findall(body)) == 2:
        body = _AT_POINT.sub(r"\1", _APPLIED.sub(r"\1 ∘ \2", body))
    sides = body.split("=")
    # Derivatives of compositions are read elsewhere.
    if len(sides) != 2 or re.search(r"[A-QU-Z']|\d{2}|\bd/d|prime", body):
        return None
    left, right = (_word(side) for side in sides)
    if left is None or right is None:
        message = f"∘ is a composition of maps, no product of numbers; {body} was not read as an equation between them"
        return DirectFailure("unread", message, "algebra")
    if len({name for name, _ in (*left, *right)}) > 3:
        return None
    inverted = is_for_bijections or any(is_inverted for _, is_inverted in (*left, *right))
    if reduced(left) == reduced(right):
        of = _BIJECTIONS if inverted else "maps"
        text = f"True for all {of} whose compositions exist: {whole}. {_WHY} (shown)."
        return DirectStatement(text, whole, (WorkingLine(whole),))
    found = refuting_words(left, right, inverted=inverted)
    if found is None:
        return DirectFailure("unsolved", f"{whole} could not be told true or false for all maps", "algebra")
    return _refuted(whole, found, _right_order(left, right))


def _without_scope(body: str) -> tuple[str, bool]:
    """An equation without what its letters are said to be, and whether that is bijections."""
    declared = _DECLARED.match(body)
    scopes = [declared.group()] if declared is not None else []
    body = re.sub("^then ", "", body[declared.end() :]) if declared is not None else body
    body = re.sub("^(?:is|does) ", "", body)
    for _ in range(2):
        scope = _SCOPE.search(body)
        if scope is not None:
            scopes.append(scope.group())
            body = without_asking(body[: scope.start()])
    return body, re.search(r"invert|biject", " ".join(scopes)) is not None


def _refuted(whole: str, found: tuple[dict[str, Map], Map, Map], right_order: str) -> DirectStatement:
    named, first, second = found
    size = first[1]
    chosen = listed([_values(name, one) for name, one in named.items()])
    place = next(each for each in range(size) if first[0][each] != second[0][each])
    told = (
        f"with the maps of {_set(size)} into itself that have {chosen}, the left side sends {place + 1} to "
        f"{first[0][place] + 1} and the right side sends it to {second[0][place] + 1}"
    )
    return DirectStatement(f"False in general: {told}.{right_order}", whole, (WorkingLine(told),))


def _right_order(left: Word, right: Word) -> str:
    """The true law beside its usual slip, where one side is the other with its order turned."""
    if len(left) == len(right) == 2 and left == right[::-1] and all(inverted for _, inverted in left):
        outer, inner = left[1][0], left[0][0]
        return f" True is ({outer} ∘ {inner})⁻¹ = {inner}⁻¹ ∘ {outer}⁻¹ for bijections: the order is turned."
    return ""


def _word(text: str) -> Word | None:
    tokens = _TOKEN.findall(text)
    if "".join(tokens).replace(" ", "") != text.replace(" ", "") or not tokens or len(tokens) > 60:
        return None
    reader = _Reader(tokens)
    found = reader.composed()
    return found if found is not None and reader.place == len(tokens) else None


class _Reader:
    """Compositions of letters in brackets; a product without a ring is none of them."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.place = 0

    def at(self) -> str:
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def composed(self) -> Word | None:
        found = self.single()
        while found is not None and self.at() == "∘":
            self.place += 1
            more = self.single()
            if more is None:
                return None
            found = (*found, *more)
        return found

    def single(self) -> Word | None:
        one = self.at()
        self.place += 1
        made: Word | None
        if one in ("id", "I"):
            made = ()
        elif one.isalpha():
            made = ((one, False),)
        elif one == "(":
            made = self.composed()
            if self.at() != ")":
                return None
            self.place += 1
        else:
            return None
        while made is not None and self.at() and self.at()[0] in "^⁻²³":
            said = self.at().strip("^ {}()")
            self.place += 1
            if said in ("-1", "−1", "⁻¹", "- 1"):
                made = tuple((name, not inverted) for name, inverted in reversed(made))
            else:
                made = made * {"2": 2, "3": 3, "²": 2, "³": 3}[said]
        return made
