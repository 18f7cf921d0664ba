"""Whether a claim on all relations is true: `is every symmetric and transitive relation reflexive?`, `is the union of
two equivalence relations one?`, `if R is transitive, is R^-1?`, `(R ∘ S)^-1 = S^-1 ∘ R^-1 for relations`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

from mathrag.compute.algebra.term_reader import Node, names_of
from mathrag.compute.finite_relations import (
    RelationTrial,
    Said,
    elements_needed,
    elements_to_differ,
    pairs_of,
    relation_of,
    try_equation,
    try_relations,
    words_of,
)
from mathrag.compute.signs_of_logic import plain_signs
from mathrag.language.enumeration import listed
from mathrag.language.word_classes import any_of, word_pairs
from mathrag.reason.direct.algebra.asked_claims import without_asking, without_closing
from mathrag.reason.direct.algebra.claim_frames import without_teller
from mathrag.reason.direct.algebra.stated_qualities import QualityStatement, has_quality_word, read_qualities
from mathrag.reason.direct.claim_frame import bare_claim
from mathrag.reason.direct.question_text import tidy
from mathrag.reason.direct.result import DirectStatement
from mathrag.types.answer import WorkingLine

_LONGEST = 300
_SIGNS = {"∪": "union", "∩": "intersection", "∘": "composition", "∖": "difference", "\\": "difference"}
_BETWEEN = {name: sign for sign, name in _SIGNS.items() if sign != "\\"}
_ORDER = "R ∘ S is taken as first S, then R"
_INVERTED = re.compile(r"\^ ?[({]? ?[-−] ?1 ?[)}]?|⁻¹|\^ ?\{? ?T ?\}?|ᵀ|˘")
_TERM = re.compile(
    r"(?:[(]* ?[Q-T](?![A-Za-z])(?:\^[({]?[-−]1[)}]?|⁻¹|\^T|ᵀ|'|\^c\b)*[)]*(?:\^[({]?[-−]1[)}]?|⁻¹|'|\^c\b)*"
    r"(?: ?[∪∩∘∖\\] ?)?)+(?<![ ∪∩∘∖\\])"
)
_TOKEN = re.compile(r"\s*([Q-T](?![A-Za-z])|[()∪∩∘∖\\]|\^ ?[({]? ?[-−] ?1 ?[)}]?|⁻¹|\^T|ᵀ|'|\^ ?c\b)")
_SET = re.compile(
    r" (?:on|over|defined on) (?:an?|the|some|the same|any|one)(?: given| fixed| non-?empty)? set(?: "
    r"[A-Z](?![A-Za-z]))?",
    re.IGNORECASE,
)
_RELATION = re.compile(r"=|⊆|⊂|⊇")
_IN_WORDS = (
    (re.compile(r"\bthe (union|intersection|composition) (?:of )?([Q-T]) (?:and|with) ([Q-T])\b"), r"\2 <\1> \3"),
    (re.compile(r"\b(?:the )?(inverse|converse|complement)(?: relation)?(?: of)? ([Q-T])\b"), r"\2<\1>"),
    (re.compile(r"\b([Q-T]) (union|intersect|intersection|composed with|o) ([Q-T])\b"), r"\1 <\2> \3"),
)
_WRITTEN = {"union": "∪", "intersection": "∩", "intersect": "∩", "composition": "∘", "composed with": "∘", "o": "∘",
            "inverse": "^-1", "converse": "^-1", "complement": "'"}  # fmt: skip
_SCOPE = re.compile(
    r"(?:^(?:let|suppose|for|given|if) (?:any |all |two |three |binary )*(?:relations )?[Q-T](?:(?:, | and |, and "
    r")[Q-T])*"
    r"(?: (?:be|are))?(?: (?:any|two|binary|three|some))*(?: relations?)?(?: on (?:a|the same|some) set(?: "
    r"[A-Z])?)?[.,;:]? "
    r"(?:then )?(?:is |does )?(?=\(|[Q-T](?!,| and)))|,? (?:for|where|with|if|of|when) (?:[Q-T](?:(?:, | and |, "
    r"and )[Q-T])* (?:are )?)?"
    r"(?:all |any |two |three |binary |the )*relations(?: [Q-T](?:(?:, | and |, and )[Q-T])*)?(?: on (?:a|the "
    r"same|some) set(?: [A-Z])?)?$"
    r"|^relations: |,? \(?relations\)?$",
    re.IGNORECASE,
)


def answer_relation_claim(text: str) -> DirectStatement | None:
    """What trying all small relations says of a claim; None for any other question."""
    if len(text) > _LONGEST:
        return None
    is_of_relations = re.search(r"\b(?:relations?|orders?|orderings?|preorders?|equivalences?)\b", text, re.IGNORECASE)
    has_letter = re.search(r"(?<![A-Za-z])[RS](?![A-Za-z])", text)
    if not is_of_relations and not has_letter:
        return None
    if has_quality_word(text, "relations.relation_qualities"):
        return _of_qualities(text)
    return _of_equation(text) if is_of_relations and re.search("[∘∪∩]|circ|cup|cap| o ", text) else None


def _of_qualities(text: str) -> DirectStatement | None:
    claim = _SET.sub("", without_closing(bare_claim(without_teller(tidy(plain_signs(text))))))
    return _in_letters(claim) or _possible(claim) or _in_words(claim)


# In letters.


def _in_letters(body: str) -> DirectStatement | None:
    if re.search(r"(?<![A-Za-z])[Q-T](?![A-Za-z])", body) is None:
        return None
    for pattern, made in _IN_WORDS:
        body = pattern.sub(made, body)
    body = (
        re.sub(r" ?<([a-z ]+)>", lambda found: f" {_WRITTEN[found[1]]}", body).replace(" ^-1", "^-1").replace(" '", "'")
    )
    body = re.sub(r"\\circ|(?<=[Q-T)1]) o (?=[(Q-T])", " ∘ ", body)
    body = " ".join(body.split())
    claim = read_qualities(body, "relations.relation_qualities", _TERM)
    if claim is None:
        return _without_premise(body)
    premises, conclusions = _said(claim.premises), _said(claim.conclusions)
    if premises is None or conclusions is None or not conclusions:
        return None
    return _judged(premises, conclusions)


def _without_premise(body: str) -> DirectStatement | None:
    """What is said of a term of any relations: `R ∪ R^-1 is symmetric for any relation R`."""
    found = re.fullmatch(
        rf"(?:is |must )?(?P<term>{_TERM.pattern})(?: is| be)?(?: (?:always|necessarily))? (?:an? "
        rf")?(?P<end>{_quality().pattern})"
        r",? (?:for|if|when|where) (?:any |every |all |an? |[Q-T] is an? )*(?:binary )?relations?(?: [Q-T](?: and "
        r"[Q-T])?)?",
        body,
        re.IGNORECASE,
    )
    term = _read_term(found["term"].strip()) if found is not None else None
    if found is None or term is None or term.kind == "letter":
        return None
    return _judged([], [Said(term, quality) for quality in _qualities(found["end"])])


def _said(statements: Sequence[QualityStatement]) -> list[Said] | None:
    found: list[Said] = []
    for one in statements:
        if one.is_denied and len(one.qualities) > 1:
            return None
        for term in one.terms:
            made = _read_term(term)
            if made is None:
                return None
            found.extend(Said(made, quality, one.is_denied) for quality in dict.fromkeys(one.qualities))
    return found


def _read_term(text: str) -> Node | None:
    tokens = _TOKEN.findall(text)
    if "".join(tokens).replace(" ", "") != text.replace(" ", "") or len(tokens) > 40:
        return None
    reader = _Reader(tokens)
    made = reader.joined()
    return made if made is not None and reader.place == len(tokens) else None


class _Reader:
    """Terms of relations; signs that differ need brackets."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.place = 0

    def at(self) -> str:
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def joined(self) -> Node | None:
        left = self.single()
        used: set[str] = set()
        while left is not None and self.at() in _SIGNS:
            used.add(_SIGNS[self.at()])
            self.place += 1
            right = self.single()
            if right is None or len(used) > 1:
                return None
            left = Node(next(iter(used)), (left, right))
        return left

    def single(self) -> Node | None:
        one = self.at()
        self.place += 1
        made: Node | None
        if one.isalpha():
            made = Node("letter", (), one)
        elif one == "(":
            made = self.joined()
            if self.at() != ")":
                return None
            self.place += 1
        else:
            return None
        while made is not None and self.at() and self.at() not in _SIGNS and self.at() not in "()":
            kind = "complement" if self.at()[0] == "'" or self.at().endswith("c") else "inverse"
            made = Node(kind, (made,))
            self.place += 1
        return made


# In words.


@cache
def _forms() -> Mapping[str, re.Pattern[str]]:
    quality = rf"(?:(?:an? )?(?:{any_of('relations.relation_qualities')})(?![\w-]))"
    group = rf"{quality}(?:(?:,? and |, | )(?:also )?{quality})*"
    noun = rf"(?: (?:{any_of('relations.relation_nouns')}))"
    where = rf"(?: (?:{any_of('relations.relation_places')}))?"
    verb = rf"(?: ?,? (?:{any_of('relations.relation_verbs')}))"
    every = (
        r"(?:(?:is|are|does|do|must|if|when|whenever|for|why is|why are) "
        r")?(?:(?:every|each|any|all|an?|some|the|there) )*"
    )
    which = r"(?: (?:that|which)(?: (?:is|are))?| is| are| being)?(?: both)?"
    operations = any_of("relations.relation_operations")
    made = {
        "alone": (
            rf"{every}relations?{where}{which} (?P<given>{group}){where}(?:{verb}{{1,2}}| )? "
            rf"?(?P<end>{group})(?: too| as well)?"
        ),
        "before": (
            rf"{every}(?P<given>{group}{noun}(?: (?:that|which) (?:is|are)(?: also)? "
            rf"{group})?){where}{verb}{{0,2}} (?P<end>{group})(?:{noun})?(?: too| as well)?"
        ),
        "implied": (
            rf"(?:does |do |is |are )?(?:being )?(?P<given>{group}) (?:imply|implies|mean|means)(?: being)? "
            rf"(?P<end>{group})"
            rf"(?: (?:for|of|in) (?:all |every |any |an? )*(?:relations?|binary relations?))?"
        ),
        "of": (
            rf"(?:is |are |if |must )?(?:the )?(?P<operation>{operations})(?: of| between) (?:any |an? |every "
            rf"|each |all )?"
            rf"(?P<two>two )?(?P<given>{group}){noun}?{where}{verb}{{0,2}} (?P<end>(?:an? "
            rf")?{group}|one)(?:{noun})?(?: too| as well| again)?"
        ),
    }
    return {name: re.compile(pattern, re.IGNORECASE) for name, pattern in made.items()}


@cache
def _quality() -> re.Pattern[str]:
    return re.compile(rf"(?:{any_of('relations.relation_qualities')})(?![\w-])", re.IGNORECASE)


def _qualities(text: str) -> list[str]:
    pairs = word_pairs("relations.relation_qualities")
    return list(dict.fromkeys(each for found in _quality().findall(text) for each in pairs[found.lower()].split()))


def _in_words(claim: str) -> DirectStatement | None:
    if re.search(r"\b(?:not|or|nor|neither|only|iff)\b|[=?;]", claim, re.IGNORECASE):
        return None
    body = re.sub(r", (?=(?:is|must|then|it)\b)", " ", claim)
    letter = Node("letter", (), "R")
    for name, pattern in _forms().items():
        found = pattern.fullmatch(body)
        if found is None:
            continue
        # "a symmetric and a transitive relation" are two.
        if re.search(r"and an? ", found["given"]):
            return None
        term, letters = letter, ["R"]
        if name == "of":
            operation = word_pairs("relations.relation_operations")[found["operation"].lower()]
            is_of_two = operation in _BETWEEN
            if is_of_two != bool(found["two"] or (is_of_two and re.search(r"s\b", found["given"][-1:]))):
                return None
            letters = ["R", "S"] if is_of_two else ["R"]
            term = Node(operation, tuple(Node("letter", (), each) for each in letters))
        end = found["given"] if found["end"].lower() == "one" else found["end"]
        premises = [
            Said(Node("letter", (), each), quality) for each in letters for quality in _qualities(found["given"])
        ]
        conclusions = [Said(term, quality) for quality in _qualities(end)]
        return _judged(premises, conclusions)
    return None


_POSSIBLE = re.compile(
    r"(?:can|could|is it possible (?:that|for)|is there|are there|does there exist|exists|there (?:is|are|exists)) "
    r"(?:an? |any |some )?(?:binary )?relations?(?: on a set)?(?: (?:that|which))?(?: (?:is|are|be|to be))?(?: "
    r"both| at the same time)? (?P<said>.+?)"
    r"(?: at the same time| at once| simultaneously)?",
    re.IGNORECASE,
)


def _possible(claim: str) -> DirectStatement | None:
    """Whether a relation can have some qualities and lack others."""
    asked = _POSSIBLE.fullmatch(claim)
    if asked is None:
        return None
    said = re.sub(r"\bneither (.+?) nor (.+)", r"not \1 and not \2", asked["said"])
    part = rf"(?P<not>not )?(?:an? )?(?P<quality>{any_of('relations.relation_qualities')})(?![\w-])"
    letter = Node("letter", (), "R")
    wanted: list[Said] = []
    for each in re.split(r",? (?:and|but|yet|while)(?: also)? (?:is )?|, ", said):
        found = re.fullmatch(part, each, re.IGNORECASE)
        if found is None:
            return None
        qualities = _qualities(found["quality"])
        if found["not"] and len(qualities) > 1:
            return None
        wanted.extend(Said(letter, quality, bool(found["not"])) for quality in qualities)
    # Such a relation refutes that all which have these qualities have what is denied, or what never is.
    trial = try_relations(wanted, (Said(Node("difference", (letter, letter)), "reflexive"),))
    words = _wanted_words(wanted)
    if trial.counterexample is not None:
        chosen, size = trial.counterexample
        shown = f"on {_elements(size)}, {_pairs(chosen['R'], size)} is {words}"
        return DirectStatement(f"Yes: {shown} (checked pair by pair).", words, (WorkingLine(shown),))
    needed = sum(
        {"transitive": 3, "reflexive": 1, "irreflexive": 1}.get(one.quality, 2) for one in wanted if one.is_denied
    )
    if max(needed, 1) > trial.largest:
        return None
    text = (
        f"No: no relation on a set with an element is {words}. All relations on up to {trial.largest} elements "
        f"were tried; "
        "a larger one that was so would be so on the few elements that show it, too, which proves it. (On the "
        "empty set "
        "the empty relation has all these qualities.)"
    )
    return DirectStatement(text if not needed else text.split(" (On the empty set")[0], words)


def _wanted_words(wanted: Sequence[Said]) -> str:
    return listed([f"not {one.quality}" if one.is_denied else one.quality for one in wanted])


# Judging.


def _stated(statements: Sequence[Said]) -> str:
    """What is said of each term, one after the other."""
    of_terms: dict[Node, list[str]] = {}
    for one in statements:
        of_terms.setdefault(one.term, []).append(f"not {one.quality}" if one.is_denied else one.quality)
    if len(of_terms) > 1 and len(set(map(tuple, of_terms.values()))) == 1:
        return f"{listed([_written(term) for term in of_terms])} are {listed(next(iter(of_terms.values())))}"
    return listed([f"{_written(term)} is {listed(qualities)}" for term, qualities in of_terms.items()])


def _judged(premises: Sequence[Said], conclusions: Sequence[Said]) -> DirectStatement | None:
    whole = f"if {_stated(premises)}, then {_stated(conclusions)}" if premises else _stated(conclusions)
    trial = try_relations(premises, conclusions)
    if trial.counterexample is not None:
        return _refuted(premises, conclusions, trial, whole)
    if not trial.largest:
        return None
    needed = elements_needed(premises, conclusions)
    if needed is not None and needed <= trial.largest:
        return _proved(whole, needed)
    return _undecided(whole, trial.largest)


def _proved(whole: str, needed: int) -> DirectStatement:
    few = "1 element" if needed == 1 else f"{needed} elements"
    why = (
        f"A counterexample on any set would be one on {few} of it alone, and all relations on up to {few} "
        "were tried, which proves it."
    )
    return DirectStatement(f"True for all relations: {whole}. {why}", whole, (WorkingLine(why),))


def _undecided(whole: str, largest: int) -> DirectStatement:
    text = (
        f"No counterexample found, not proved: “{whole}” holds for all relations on sets of up to {largest} elements."
    )
    return DirectStatement(text, whole)


def _refuted(
    premises: Sequence[Said], conclusions: Sequence[Said], trial: RelationTrial, whole: str
) -> DirectStatement:
    assert trial.counterexample is not None
    chosen, size = trial.counterexample
    failed = next(one for one in conclusions if not one.is_met(chosen, size))
    given = listed([f"{name} = {_pairs(value, size)}" for name, value in chosen.items()])
    qualities = list(dict.fromkeys(one.quality for one in premises if one.term.kind == "letter" and not one.is_denied))
    verb = "is" if len(chosen) == 1 else "are"
    same = all(
        {one.quality for one in premises if one.term == Node("letter", (), name)} == set(qualities) for name in chosen
    )
    of_premises = (
        f" {verb} {listed(qualities)}" if qualities and same and len(premises) == len(qualities) * len(chosen) else ""
    )
    premise = of_premises or (" meet what is given" if premises else "")
    made = relation_of(failed.term, chosen, size)
    name = _written(failed.term)
    shown = (
        f"{name} is not {failed.quality}"
        if failed.term.kind == "letter"
        else f"{name} = {_pairs(made, size)} is not {failed.quality}"
    )
    note = f" ({_ORDER}.)" if "∘" in name else ""
    told = f"on {_elements(size)}, {given}{premise}, but {shown}"
    return DirectStatement(f"False in general: {told}.{note}", whole, (WorkingLine(told),))


def _elements(size: int) -> str:
    return "{" + ", ".join(str(each + 1) for each in range(size)) + "}"


def _pairs(relation: int, size: int) -> str:
    found = pairs_of(relation, size)
    return "{" + ", ".join(f"({a}, {b})" for a, b in found) + "}" if found else "∅ (no pairs)"


def _written(term: Node) -> str:
    match term.kind:
        case "letter":
            return term.name
        case "inverse":
            return f"{_inner(term.parts[0])}⁻¹"
        case "complement":
            return f"the complement of {_inner(term.parts[0])}"
    return f" {_BETWEEN[term.kind]} ".join(map(_inner, term.parts))


def _inner(term: Node) -> str:
    return _written(term) if term.kind in ("letter", "inverse") else f"({_written(term)})"


# Equations.


def _of_equation(text: str) -> DirectStatement | None:
    body = without_asking(tidy(plain_signs(text)))
    body = re.sub(r"\\circ ?|(?<=[Q-T)1]) o (?=[(Q-T])", " ∘ ", body)
    for _ in range(3):
        body = without_asking(_SCOPE.sub("", body).strip(" .,?"))
    body = re.sub(r"\^ ?[({]? ?[-−] ?1 ?[)}]?", "^-1", " ".join(body.split()))
    sides = _RELATION.split(body)
    if len(sides) != 2:
        return None
    left, right = (_read_term(side.strip()) for side in sides)
    if left is None or right is None:
        return None
    sign = _RELATION.search(body)
    assert sign is not None
    if sign.group() == "⊇":
        left, right = right, left
    return _equation_judged(left, right, body, both_ways=sign.group() == "=")


def _equation_judged(left: Node, right: Node, body: str, *, both_ways: bool) -> DirectStatement | None:
    if not names_of([left, right], "letter"):
        return None
    words = (words_of(left), words_of(right))
    if (
        words[0] is not None
        and words[1] is not None
        and (words[0] == words[1] or (not both_ways and words[0] <= words[1]))
    ):
        why = (
            "Composition is associative and spreads over unions, and an inverse turns the order of a composition: "
            "with that "
            "both sides are the same union of compositions, which proves it."
        )
        return DirectStatement(f"True for all relations: {body}. {why}", body)
    trial = try_equation(left, right, both_ways=both_ways)
    if trial.counterexample is not None:
        chosen, size = trial.counterexample
        given = listed([f"{name} = {_pairs(value, size)}" for name, value in chosen.items()])
        first, second = (_pairs(relation_of(side, chosen, size), size) for side in (left, right))
        told = f"on {_elements(size)} with {given}, one side is {first} and the other {second}"
        note = f" ({_ORDER}.)" if "∘" in body else ""
        return DirectStatement(f"False in general: {told}.{note}", body, (WorkingLine(told),))
    needed = elements_to_differ(left, right, both_ways=both_ways)
    if needed is not None and needed <= trial.largest:
        return _proved(body, needed)
    return _undecided(body, trial.largest) if trial.largest else None
