"""Claims of number theory in letters: `(a*b) % n == ((a % n)*(b % n)) % n`, `φ(mn) = φ(m)φ(n) for coprime m and n`. All
small numbers are tried exactly: the first at which it fails refutes it. What holds there is a law that is known by
name and told, or it is left open and said so."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from mathrag.compute.algebra.arithmetic_claims import (
    ArithmeticClaim,
    Given,
    Trial,
    UnreadClaimError,
    read_claim,
    try_claim,
)
from mathrag.knowledge.theorems import Law, laws
from mathrag.reason.direct.claim_frame import bare_claim
from mathrag.reason.direct.result import AlgebraOutcome, DirectStatement
from mathrag.reason.direct.theorems import converse_words
from mathrag.types.answer import WorkingLine

_LONGEST = 200
_FEWEST = 8
_OURS = re.compile(r"[φστμ%≡]|\bmod\b|sumdiv")
_WRITTEN = (
    (r"\\(?:left|right|,|;|!|quad)\b|\\[,;!]|\$", " "),
    (r"\\(?:var)?phi\b|ϕ|\b(?:euler)?phi(?=\()|\btotient(?=\()", "φ"),
    (r"\\sigma\b|\bsigma(?=\()", "σ"),
    (r"\\tau\b|\btau(?=\()", "τ"),
    (r"\\mu\b|µ|\bm[oö]e?bius(?=\()", "μ"),
    (r"\\p?mod\s*\{([^{}]*)\}|\\pmod\s*(\w)", r" (mod \1\2)"),
    (r"\\b?mod\b|\bmodulo\b", " mod "),
    (r"\\equiv\b", "≡"),
    (r"\\cdot\b|\\times\b|[·×∙⋅]", "*"),
    (r"\\gcd\b", "gcd"),
    (r"(?:\\sum|∑|Σ|\bsum) ?_ ?\{? ?(\w) ?(?:\\mid|\||∣|divides) ?(\w) ?\}?", r"sumdiv(\1, \2) "),
    (r"\\nmid\b", "∤"),
    (r"\\leq?\b|≤", "<="),
    (r"\\geq?\b|≥", ">="),
    (r"==", "="),
    (r"[−–]", "-"),
    (r"\^ ?\{([^{}]*)\}", r"^(\1)"),
    (r"²", "^2"),
    (r"³", "^3"),
)
_TAIL = re.compile(
    r"(?:,|\s)\s*(?=(?:for|where|if|when|whenever|with|provided|given|always|unless|in case)\b)"
    r"|,\s*(?=[a-z]\s*[<>]|[a-z]\s+(?:is\s+)?(?:an?\s+)?(?:prime|odd|even)\b|gcd\s*\([^()]*\)\s*=\s*1\s*$"
    r"|[a-z]\s*(?:,|and)\s*[a-z]\s+(?:are\s+)?(?:coprime|relatively)|[a-z]\s*∤)"
)
_LED = re.compile(r"(?:if|when|let|suppose|for|given)\s+(?P<led>.+?)\s*(?:,\s*then|,|\bthen|:)\s+(?P<rest>.*[=≡<>].*)")
_CLAIMED = re.compile(
    r"(?i)\b(?:for|all|every|any|always|true|false|t/f|prove|show|correct|right|holds?|check|verify)\b"
)
_AND = r"(?:\s*,\s*(?:and\s+)?|\s+and\s+)"
_LIST = rf"[a-z](?:{_AND}[a-z]\b)*"
_NOUN = r"(?:integers?|ints?|whole numbers?|naturals?|natural numbers?|numbers?)"
# What may stand in the conditions; the group says of which letters. Each is taken off the front.
_CLAUSES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern))
    for kind, pattern in (
        ("", r"(?:for|where|if|when|whenever|with|(?:provided|given)(?: that)?|always|ok|and)(?:\s+|\Z)|,\s*"),
        ("", r"(?:all|every|any|each|both|the)(?:\s+|\Z)"),
        ("coprime", rf"(?:coprime|relatively prime)\s+(?:positive\s+)?(?:{_NOUN}\s+)?([a-z])\s*(?:,|and)\s*([a-z])\b"),
        ("coprime", r"([a-z])\s*(?:,|and)\s*([a-z])\s+(?:(?:are|being)\s+)?(?:coprime|relatively prime)\b"),
        ("coprime", r"gcd\s*\(\s*([a-z])\s*,\s*([a-z])\s*\)\s*=\s*1"),
        ("coprime", r"([a-z])\s+(?:is\s+)?(?:coprime|relatively prime)\s+(?:to|with)\s+([a-z])\b"),
        ("apart", r"([a-z])\s*(?:∤|does not divide|doesn't divide|not dividing)\s*([a-z])\b"),
        ("divided", r"([a-z])\s+(?:is\s+)?not\s+(?:divisible by|a multiple of)\s+([a-z])\b"),
        ("prime", r"(?:a\s+)?primes?(?:\s+numbers?)?\s+([a-z])\b"),
        ("prime", r"([a-z])\s+(?:is\s+)?(?:an?\s+)?prime(?:\s+number)?\b"),
        ("odd", r"(?:an?\s+)?odd\s+(?:integers?\s+|numbers?\s+)?([a-z])\b|([a-z])\s+(?:is\s+)?odd\b"),
        ("even", r"(?:an?\s+)?even\s+(?:integers?\s+|numbers?\s+)?([a-z])\b|([a-z])\s+(?:is\s+)?even\b"),
        ("above", r"([a-z])\s*>\s*([0-9]{1,3})\b"),
        ("from", r"([a-z])\s*>=\s*([0-9]{1,3})\b"),
        ("positive", rf"(?:positive|natural)\s+(?:{_NOUN}\s*)?(?:{_LIST})?(?:\s+|\Z)"),
        ("positive", rf"naturals?\s+(?:numbers?\s+)?(?:{_LIST})?"),
        ("positive", rf"{_LIST}\s+(?:are\s+|is\s+)?(?:a\s+)?(?:positive|natural)\s+{_NOUN}"),
        ("signed", rf"(?:an?\s+)?(?:integers?|ints?|whole numbers?|numbers?)(?:\s+({_LIST}))?(?:\s+|\Z|,)"),
        ("signed", rf"({_LIST})\s+(?:are\s+|is\s+)?(?:an?\s+)?(?:integers?|ints?|whole numbers?)\b"),
        ("", rf"{_LIST}(?:\s+|\Z)"),
    )
)  # fmt: skip


def answer_number_law(text: str) -> AlgebraOutcome:
    """What is to be said of such a claim; None for any other text."""
    if len(text) > _LONGEST:
        return None
    text, is_converse = _without_converse(text)
    asked = _written(text)
    if re.search(r"[φστμ%≡]|mod|sumdiv|gcd|lcm", asked) is None or re.search(r"[=≡<>]", asked) is None:
        return None
    # A percentage is no remainder.
    if re.search(r"[0-9]\s*%", asked):
        return None
    led = _LED.fullmatch(asked)
    conditions = f"{led['led']}, " if led is not None else ""
    asked = led["rest"] if led is not None else asked
    tail = _TAIL.search(asked)
    body = asked[: tail.start()] if tail is not None else asked
    conditions += asked[tail.end() :] if tail is not None else ""
    try:
        claim = read_claim(body)
    except UnreadClaimError:
        return None
    read = _conditions(conditions)
    if read is None or not _is_ours(claim) or not _are_letters(body):
        return None
    found = _judged(claim, body.strip(), *read)
    if found is None or (found.text.startswith("False") and _is_to_be_solved(claim, text)):
        return None
    return found if not is_converse or "Conversely" in found.text else None


def _without_converse(text: str) -> tuple[str, bool]:
    """The text without a question for the converse behind it, and whether there was one."""
    parts = re.split(r"(?<=[.?])\s+", text.strip(), maxsplit=1)
    asked = re.sub(r"\([^()]*\)", "", parts[-1]).strip(" .?!")
    is_asked = len(parts) == 2 and converse_words().fullmatch(asked.rstrip()) is not None
    return (parts[0], True) if is_asked else (text, False)


def _are_letters(body: str) -> bool:
    """Whether letters side by side are products, not words: each of them stands alone somewhere too."""
    runs = [run for run in re.findall(r"[a-z]{2,}", body) if run not in ("mod", "gcd", "lcm", "sumdiv")]
    alone = set(re.findall(r"(?<![a-z])[a-z](?![a-z])", body))
    return all(alone.issuperset(run) for run in runs)


def _is_to_be_solved(claim: ArithmeticClaim, text: str) -> bool:
    """Whether an equation is rather put to be solved: nothing says that it should hold for all numbers."""
    is_claimed = _CLAIMED.search(text) is not None
    return not is_claimed and (len(claim.letters) == 1 or bool({"x", "y", "z"} & {*claim.letters}))


def _written(text: str) -> str:
    asked = text.replace("\\,", " ")
    for pattern, sign in _WRITTEN:
        asked = re.sub(pattern, sign, asked)
    # Between two terms it is the remainder; behind a congruence it is the modulus.
    asked = asked if "≡" in asked else re.sub(r"(?<!\()\bmod\b(?! ?\))", "%", asked)
    asked = bare_claim(asked)
    return re.sub(r"\A(?:is|does|do|are)\s+", "", asked).lower() if asked else ""


def _is_ours(claim: ArithmeticClaim) -> bool:
    """Whether a remainder or a function of divisors is in it, or it is a law; the rest is read by others."""
    return _OURS.search(str(claim.shape())) is not None or _law(claim) is not None


def _conditions(text: str) -> tuple[tuple[Given, ...], bool] | None:
    """The conditions of a text, and whether negative numbers are meant too; None where something is left over."""
    found: list[Given] = []
    signed = False
    rest = text.strip(" .,?")
    while rest:
        for kind, pattern in _CLAUSES:
            match = pattern.match(rest)
            if match is None or not match.end():
                continue
            letters = tuple(each for each in match.groups() if each)
            if kind == "signed":
                signed = True
            elif kind == "divided":
                found.append(Given("apart", letters[::-1]))
            elif kind in ("above", "from"):
                found.append(Given("above", letters[:1], int(letters[1]) - (kind == "from")))
            elif kind not in ("", "positive"):
                found.append(Given(kind, letters))
            rest = rest[match.end() :].strip(" .,")
            break
        else:
            return None
    return tuple(dict.fromkeys(found)), signed


# Judging.


@cache
def _known() -> tuple[tuple[Law, ArithmeticClaim], ...]:
    return tuple((law, read_claim(formula)) for law in laws() for formula in law.formulas)


def _law(claim: ArithmeticClaim) -> tuple[Law, tuple[Given, ...]] | None:
    """The law that has this shape, on either side, with its conditions in the letters of the claim."""
    turned = ArithmeticClaim(claim.right, claim.sign, claim.left, claim.modulus)
    for law, formula in _known():
        for one in (claim, turned) if claim.sign == "=" else (claim,):
            if one.shape() == formula.shape():
                names = dict(zip(formula.letters, one.letters, strict=True))
                return law, tuple(_given(words, names) for words in law.given)
    return None


def _given(words: str, names: Mapping[str, str]) -> Given:
    kind = next(word for word in words.split() if word in ("prime", "coprime", "apart", "above"))
    bound = int(words.split()[-1]) if kind == "above" else 0
    return Given(kind, tuple(names[word] for word in words.split() if word in names), bound)


def _judged(claim: ArithmeticClaim, body: str, given: tuple[Given, ...], signed: bool) -> DirectStatement | None:
    unstated = tuple(
        Given("prime", (letter,))
        for letter in claim.letters
        if letter in "pq" and not any(one.kind == "prime" and letter in one.letters for one in given)
    )
    taken = (*given, *unstated)
    moduli = {letter for one in given if one.kind in ("prime", "above") for letter in one.letters}
    letters = (
        frozenset(claim.letters) - moduli - {"n", "m", "p", "q", "k"} if signed or "%" in str(claim) else frozenset()
    )
    trial = try_claim(claim, taken, letters)
    if trial.tried < _FEWEST and not trial.point:
        return None
    law = _law(claim)
    said = f" ({', '.join(map(_words, taken))})" if taken else ""
    if trial.point:
        return _refuted(claim, body, trial, law, said)
    span = f"whole numbers from −3 to {trial.largest}" if letters else f"positive whole numbers up to {trial.largest}"
    tried = f"All {trial.tried} cases with {span} were tried as well{said}."
    if law is not None and all(_is_met(one, taken) for one in law[1]):
        note = " p is taken as a prime number." if unstated else ""
        text = f"True: {body} ({law[0].name}). {law[0].why} (A theorem that is told here, not shown.) {tried}{note}"
    else:
        text = f"No counterexample found, not proved: {body} held in all {trial.tried} cases with {span}{said}."
    return DirectStatement(text, body, (WorkingLine(tried),), kind="number_theory")


def _refuted(
    claim: ArithmeticClaim, body: str, trial: Trial, law: tuple[Law, tuple[Given, ...]] | None, said: str
) -> DirectStatement:
    at = ", ".join(f"{letter} = {value}" for letter, value in trial.point).replace("-", "−")
    sides = f"the left side is {trial.sides[0]} and the right side is {trial.sides[1]}"
    unlike = ", which leave different remainders" if claim.sign == "≡" else ""
    text = f"False in general{said}: at {at}, {sides}{unlike}."
    if law is not None and law[1]:
        where = " and ".join(map(_words, law[1]))
        text += f" It is true where {where}: {law[0].name} (told here, not shown)."
    return DirectStatement(text, body, (WorkingLine(f"at {at}: {sides}"),), kind="number_theory")


def _is_met(one: Given, stated: tuple[Given, ...]) -> bool:
    return any(
        other.kind == one.kind
        and (other.letters == one.letters or (one.kind == "coprime" and set(other.letters) == set(one.letters)))
        and other.bound >= one.bound
        for other in stated
    )


def _words(one: Given) -> str:
    match one.kind:
        case "prime" | "odd" | "even":
            return f"{one.letters[0]} {'is ' if one.kind == 'prime' else ''}{one.kind}"
        case "coprime":
            return f"gcd({one.letters[0]}, {one.letters[1]}) = 1"
        case "apart":
            return f"{one.letters[0]} does not divide {one.letters[1]}"
    return f"{one.letters[0]} > {one.bound}"
