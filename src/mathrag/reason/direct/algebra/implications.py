"""What follows for whole numbers from what is said of their divisors: `if 6 divides n then 3 divides n`, `is every
multiple of 4 even`, `if p divides ab then p divides a or b`.

Strict: every word of the question is part of a statement. Shown by remainders or by factors, refuted by numbers, or
left open and said so.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from mathrag.compute.algebra.divisibility import NotWholeError
from mathrag.compute.algebra.divisor_claims import Atom, Verdict, holds, judge
from mathrag.compute.printers.plaintext import plain_symbol
from mathrag.compute.typed_mathematics import AmbiguousMathematicsError, UnreadMathematicsError, read_one
from mathrag.language.enumeration import listed
from mathrag.language.word_classes import any_of
from mathrag.reason.direct.algebra.wording import plain
from mathrag.reason.direct.question_text import tidy, without_ending
from mathrag.reason.direct.result import AlgebraOutcome, DirectStatement
from mathrag.types.answer import WorkingLine
from mathrag.types.expression import Expression, Number, Symbol

_LONGEST = 200
_LARGEST = 1_000
_MOST_ATOMS = 4
_OPENER = rf"(?:(?:{any_of('divisibility.claim_openers')})[ :,]+)*"
_IF = "if|whenever|when|suppose(?: that)?|given that|assume(?: that)?"
_FORMS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_OPENER}(?:{_IF}) (?P<given>.+?),? (?:then|does it follow that|is it true that) (?P<claimed>.+)",
        rf"{_OPENER}(?:if|whenever|when) (?P<given>.+?), (?P<claimed>.+)",
        # The verb that asks is the last one: "if n is … is it …".
        rf"{_OPENER}(?:if|whenever|when) (?P<given>.+) (?P<claimed>(?:is|are|does|must) .+)",
        rf"{_OPENER}(?:does )?(?P<given>.+?) (?:implies that|implies|imply that|imply|⇒|=>) (?P<claimed>.+)",
        rf"{_OPENER}(?:is |are )?(?P<iff>.+?) (?:if and only if|iff|exactly when) (?P<claimed>.+)",
        rf"{_OPENER}(?P<claimed>.+?),? (?:if|whenever|given that) (?P<given>.+)",
    )
)
_EVERY = re.compile(
    rf"{_OPENER}(?:is|are|does|do) (?:every|each|all|any) (?P<given>.+?) (?P<claimed>"
    r"(?:also |always |necessarily )?(?:even|odd|(?:(?:not )?divisible by|an? multiple of|multiples of) [0-9]{1,4}))",
    re.IGNORECASE,
)
_MANY = re.compile(
    r"multiples? of (?P<of>[0-9]{1,4})"
    r"|(?:numbers?|integers?|whole numbers?) (?:that (?:is|are) )?(?:divisible by|an? multiple of) (?P<by>[0-9]{1,4})",
    re.IGNORECASE,
)
_NUMBER_NOUN = re.compile(
    r"\b(?:an?|any|every|the|some) (?:whole |natural |positive )?(?:number|integer)\b", re.IGNORECASE
)
_FOR_ALL = re.compile(
    r",? for (?:all|any|every) (?:positive |natural )?(?:integers?|whole numbers?|numbers?)"
    r"(?: [a-z](?:,? (?:and )?[a-z])*)?\Z",
    re.IGNORECASE,
)
_EXPRESSION = r"[a-z0-9^+\-−*·×()² ³]{1,40}?"
_FILLER = r"(?:also |always |necessarily |both |either |itself )*"


@dataclass(frozen=True, slots=True)
class _Claim:
    given: tuple[Atom, ...]
    claimed: tuple[Atom, ...]
    is_any: bool
    said: tuple[str, str]


def answer_implications(text: str) -> AlgebraOutcome:
    """Whether what is claimed of whole numbers follows; None for any other question."""
    if len(text) > _LONGEST:
        return None
    asked = re.sub(r"[$]|\\mid\b", lambda mark: "|" if mark[0] != "$" else "", without_ending(tidy(text)))
    positive = re.search(r"\b(?:positive|natural)\b", asked, re.IGNORECASE) is not None
    try:
        every = _EVERY.fullmatch(asked)
        found = _of_every(every) if every is not None else None
        if found is not None:
            return _told((found,), only_positive=positive)
        asked = _without_numbers(asked)
        for pattern in _FORMS:
            match = pattern.fullmatch(asked)
            claims = _claims(match.groupdict()) if match is not None else ()
            if claims:
                return _told(claims, only_positive=positive)
    except (NotWholeError, AmbiguousMathematicsError, UnreadMathematicsError, OverflowError):
        return None
    return None


def _without_numbers(asked: str) -> str:
    """The question with a letter for "a number", and without what only says that letters are whole numbers."""
    asked = re.sub(rf"\A(?:{any_of('divisibility.whole_openers')})[ ,:]+", "", asked, flags=re.IGNORECASE)
    if not re.search(r"\bn\b", asked):
        asked = _NUMBER_NOUN.sub("n", asked)
    asked = re.sub(r"\b(?:integers?|numbers?) (?=[a-z]\b)", "", asked, flags=re.IGNORECASE)
    return _FOR_ALL.sub("", asked)


def _of_every(match: re.Match[str]) -> _Claim | None:
    many = _MANY.fullmatch(match["given"])
    if many is None:
        return None
    modulus = int(many["of"] or many["by"])
    claimed = _atoms(f"n is {match['claimed']}")
    if not claimed or not 1 <= modulus <= _LARGEST:
        return None
    given = Atom("rest", Symbol("n"), modulus, frozenset((0,)))
    return _Claim((given,), claimed[0], claimed[1], (f"{modulus} divides n", _said(claimed[0], is_any=claimed[1])))


def _claims(said: dict[str, str | None]) -> tuple[_Claim, ...]:
    """What is said, as one claim, or as two where each side shall follow from the other."""
    before = said.get("given") or said.get("iff") or ""
    after = said["claimed"] or ""
    given = _atoms(before)
    claimed = _atoms(_referred(after, given))
    if given is None or claimed is None or given[1]:
        return ()
    words = (_said(given[0], is_any=False), _said(claimed[0], is_any=claimed[1]))
    there = _Claim(given[0], claimed[0], claimed[1], words)
    if not said.get("iff"):
        return (there,)
    if claimed[1]:
        return ()
    return there, _Claim(claimed[0], given[0], False, (words[1], words[0]))


def _referred(text: str, given: tuple[tuple[Atom, ...], bool] | None) -> str:
    """A claim as a statement, with the letter that "it" stands for."""
    text = re.sub(r"\A(?:is|are|must|does|do|will) (?P<rest>.+)", r"\g<rest>", text.strip(), flags=re.IGNORECASE)
    symbols = sorted({name for atom in given[0] for name in atom.symbols}) if given is not None else []
    if len(symbols) == 1:
        text = re.sub(r"\b(?:it|they|that number|this number|the number)\b", symbols[0], text, flags=re.IGNORECASE)
    return text


# Statements.


def _atoms(text: str) -> tuple[tuple[Atom, ...], bool] | None:
    """The statements of a text, and whether one of them is enough; None where it says something else."""
    text = text.strip(" ,")
    for word, is_any in ((" or ", True), (" and ", False)):
        whole = _shared(text, word.strip())
        if whole is not None:
            return whole, is_any
        parts = [part.strip(" ,") for part in re.split(rf",?{word}", text, flags=re.IGNORECASE)]
        if not 1 < len(parts) <= _MOST_ATOMS:
            continue
        read = _each(parts, word)
        if read:
            return read, is_any
    single = _atom(text)
    return None if single is None else ((single,), False)


def _each(parts: Sequence[str], word: str) -> tuple[Atom, ...]:
    """The statement of each part, or of two parts together ("a and b are coprime"); none where one is no statement."""
    read: list[Atom] = []
    waiting = ""
    for part in parts:
        whole = f"{waiting}{word}{part}" if waiting else part
        single = _atom(whole)
        found = (single,) if single is not None else _shared(whole, word.strip()) if waiting else None
        if found is None and waiting:
            return ()
        waiting = "" if found is not None else part
        read += found or ()
    return () if waiting else tuple(read)


def _shared(text: str, word: str) -> tuple[Atom, ...] | None:
    """Two things of which one thing is said ("a and b are odd"), or two that one thing divides ("p divides a or b")."""
    of_two = re.fullmatch(
        rf"(?:both |either )?(?P<one>{_EXPRESSION}) {word} (?P<other>{_EXPRESSION}) (?:are|is|be) (?P<said>.+)",
        text,
        re.I,
    )
    if of_two is not None:
        said = re.sub(r"\A(?:both|each) ", "", of_two["said"], flags=re.IGNORECASE)
        if said.lower() in ("coprime", "relatively prime", "co-prime") and word == "and":
            return (Atom("coprime", _read(of_two["one"]), divisor=_read(of_two["other"])),)
        said = re.sub(r"\Amultiples of", "a multiple of", said, flags=re.IGNORECASE)
        pair = [_atom(f"{each} is {said}") for each in (of_two["one"], of_two["other"])]
        return None if None in pair else tuple(one for one in pair if one is not None)
    by_both = re.fullmatch(
        rf"(?P<body>{_EXPRESSION}) (?:is|be|are) (?:both |either )?(?P<said>divisible by|an? multiple of) "
        rf"(?:both |either )?(?P<one>[0-9]{{1,3}}) {word} (?:also )?(?:(?:divisible )?by |(?:a multiple )?of )?"
        r"(?P<other>[0-9]{1,3})",
        text,
        re.IGNORECASE,
    )
    if by_both is not None:
        pair = [_atom(f"{by_both['body']} is {by_both['said']} {by_both[each]}") for each in ("one", "other")]
        return None if None in pair else tuple(one for one in pair if one is not None)
    divided = re.fullmatch(
        rf"(?P<divisor>{_EXPRESSION}) (?:divides?|\|) (?:both |either )?(?P<one>{_EXPRESSION}) {word} "
        rf"(?P<other>{_EXPRESSION})",
        text,
        re.IGNORECASE,
    )
    if divided is None or re.search(r"divide|\|", divided["other"]):
        return None
    pair = [_atom(f"{divided['divisor']} divides {each}") for each in (divided["one"], divided["other"])]
    return None if None in pair else tuple(one for one in pair if one is not None)


_ATOMS = (
    re.compile(rf"(?P<divisor>{_EXPRESSION}) {_FILLER}(?:divides?|\||∣) (?P<body>{_EXPRESSION})", re.IGNORECASE),
    re.compile(
        rf"(?P<divisor>{_EXPRESSION}) (?P<not>does not|doesn't|do not) divide (?P<body>{_EXPRESSION})", re.IGNORECASE
    ),
    re.compile(
        rf"(?P<divisor>{_EXPRESSION}) (?:is|be) {_FILLER}an? (?:factor|divisor) of (?P<body>{_EXPRESSION})",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?P<body>{_EXPRESSION}) (?:(?:is|are|be) )?{_FILLER}(?P<not>not )?{_FILLER}"
        rf"(?:an? )?(?:evenly )?(?:divisible by|multiple of) (?P<divisor>{_EXPRESSION})",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?P<body>{_EXPRESSION}) (?:(?:is|are|be) )?{_FILLER}(?P<not>not )?{_FILLER}(?:an )?(?P<parity>even|odd)"
        r"(?: number| integer)?",
        re.IGNORECASE,
    ),
    re.compile(rf"(?P<prime>{_EXPRESSION}) (?:is|be) {_FILLER}(?:an? )?prime(?: number)?", re.IGNORECASE),
    re.compile(
        rf"(?P<body>{_EXPRESSION}) (?:leaves|has|gives|leave) (?:the |a )?remainder (?:of )?(?P<rest>[0-9]{{1,3}})"
        r" (?:when divided by|on division by|mod|modulo|if divided by) (?P<modulus>[0-9]{1,3})",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?P<body>{_EXPRESSION}) ?(?:≡|=|is congruent to|is) ?(?P<rest>[0-9]{{1,3}}) \(?(?:mod|modulo) "
        r"(?P<modulus>[0-9]{1,3})\)?",
        re.IGNORECASE,
    ),
    re.compile(r"gcd\((?P<first>[a-z]), ?(?P<second>[a-z])\) ?= ?1", re.IGNORECASE),
    re.compile(rf"(?P<left>{_EXPRESSION}) ?= ?(?P<right>{_EXPRESSION})", re.IGNORECASE),
)


def _atom(text: str) -> Atom | None:
    """One statement; None where the text is none."""
    text = re.sub(r"\A(?:that|either|both|also) ", "", text.strip(" ,"), flags=re.IGNORECASE)
    for pattern in _ATOMS:
        found = pattern.fullmatch(text)
        if found is None:
            continue
        try:
            return _made({name: value for name, value in found.groupdict().items() if value is not None})
        except (UnreadMathematicsError, AmbiguousMathematicsError):
            continue
    return None


def _made(said: dict[str, str]) -> Atom | None:
    is_denied = "not" in said
    if "prime" in said:
        return Atom("prime", _read(said["prime"]))
    if "first" in said:
        return Atom("coprime", _read(said["first"]), divisor=_read(said["second"]))
    if "left" in said:
        return Atom("equal", _read(said["right"]), divisor=_read(said["left"]))
    body = _read(said["body"])
    if "parity" in said:
        return Atom("rest", body, 2, frozenset((int(said["parity"].lower() == "odd"),)), is_denied=is_denied)
    if "rest" in said:
        modulus, rest = int(said["modulus"]), int(said["rest"])
        return Atom("rest", body, modulus, frozenset((rest,))) if rest < modulus else None
    divisor = _read(said["divisor"])
    if isinstance(divisor, Number) and isinstance(divisor.value, int) and 1 <= divisor.value <= _LARGEST:
        return Atom("rest", body, divisor.value, frozenset((0,)), is_denied=is_denied)
    return Atom("divides", body, divisor=divisor, is_denied=is_denied)


def _read(text: str) -> Expression:
    written = re.sub(r"\A(?:the )?(?:number|integer) ", "", text.strip(), flags=re.IGNORECASE)
    # Letters stand side by side for a product here; words are no expressions.
    if re.search(r"[a-z]{4,}|\b(?:is|are|and|or|if|the|of|not)\b", written, re.IGNORECASE):
        raise UnreadMathematicsError(written)
    return read_one(re.sub(r"(?<=[a-z])(?=[a-z])", "*", written, flags=re.IGNORECASE))


def _said(atoms: Sequence[Atom], *, is_any: bool) -> str:
    return (" or " if is_any else " and ").join(map(_words, atoms))


def _words(atom: Atom) -> str:
    body, no = plain(atom.body), "not " if atom.is_denied else ""
    other = plain(atom.divisor) if atom.divisor is not None else ""
    match atom.kind:
        case "divides":
            return f"{other} does not divide {body}" if atom.is_denied else f"{other} divides {body}"
        case "equal":
            return f"{other} = {body}"
        case "prime":
            return f"{body} is prime"
        case "coprime":
            return f"{body} and {other} have no common divisor but 1"
    if atom.modulus == 2 and len(atom.wanted) == 1:
        return f"{body} is {no}{'odd' if 1 in atom.wanted else 'even'}"
    if atom.wanted == frozenset((0,)):
        return f"{body} is {no}divisible by {atom.modulus}"
    return f"{body} leaves the remainder {min(atom.wanted)} modulo {atom.modulus}"


# Verdicts.


def _told(claims: Sequence[_Claim], *, only_positive: bool) -> DirectStatement:
    told = [(claim, _verdict(claim, only_positive=only_positive)) for claim in claims]
    failed = next(((claim, verdict) for claim, verdict in told if verdict.kind == "refuted"), None)
    if failed is not None:
        return _refuted(*failed, only_positive=only_positive)
    lines = [_line(claim, verdict) for claim, verdict in told]
    is_open = any(verdict.kind == "open" for _, verdict in told)
    names = sorted({name for claim in claims for atom in (*claim.given, *claim.claimed) for name in atom.symbols})
    numbers = f"{'positive ' if only_positive else ''}whole numbers {listed([plain_symbol(name) for name in names])}"
    opening = "No counterexample found, not proved" if is_open else f"True for all {numbers}"
    said = " ".join(lines)
    return DirectStatement(f"{opening}: {said[0].lower()}{said[1:]}", lines[0], tuple(map(WorkingLine, lines)))


def _verdict(claim: _Claim, *, only_positive: bool) -> Verdict:
    return judge(claim.given, claim.claimed, is_any=claim.is_any, only_positive=only_positive)


def _line(claim: _Claim, verdict: Verdict) -> str:
    said = f"If {claim.said[0]}, then {claim.said[1]}."
    match verdict.kind:
        case "remainders":
            how = f"Shown by remainders: all {verdict.cases} cases modulo {verdict.modulus} were tried."
            return f"{said} {how}" + (
                " No number meets the condition, so nothing is claimed." if verdict.is_empty else ""
            )
        case "euclid":
            return f"{said} This is Euclid's lemma; it is told here, not shown."
        case "factor":
            written = listed([f"{plain_symbol(name)} = {plain(value)}" for name, value in verdict.put_in])
            how = f"Written as {written}, the divisor is a factor of every term." if written else "It is a multiple."
            return f"{said} {how}"
    return f"{said} It held at all {verdict.tried} points tried."


def _refuted(claim: _Claim, verdict: Verdict, *, only_positive: bool) -> DirectStatement:
    assert verdict.point is not None
    at = ", ".join(f"{plain_symbol(name)} = {value}" for name, value in verdict.point.items()).replace("-", "−")
    fails = [_words(atom) for atom in claim.claimed if not holds(atom, verdict.point)]
    text = f"False: at {at}, {claim.said[0]}, but it is not so that {' or that '.join(fails)}."
    return DirectStatement(
        text + _for_primes(claim, only_positive=only_positive), claim.said[1], (WorkingLine(f"at {at}"),)
    )


def _for_primes(claim: _Claim, *, only_positive: bool) -> str:
    """That it is true of primes, where it is."""
    divisors = {atom.divisor for atom in claim.given if atom.kind == "divides"}
    if len(divisors) != 1 or not isinstance(divisor := divisors.pop(), Symbol):
        return ""
    narrowed = replace(claim, given=(Atom("prime", divisor), *claim.given))
    verdict = _verdict(narrowed, only_positive=only_positive)
    return f" Where {divisor.name} is prime, it is true (Euclid's lemma)." if verdict.kind == "euclid" else ""
