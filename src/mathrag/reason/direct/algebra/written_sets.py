"""Sets written out: {1, 2} ∪ {2, 3}, their subsets, whether 3 ∈ {1, 2, 3}, and how many subsets n elements have."""

from __future__ import annotations

import math
import re
from functools import cache

from mathrag.compute.finite_sets import FiniteSet, in_order, read_element, read_finite_set, shown
from mathrag.compute.logic import UnreadLogicError
from mathrag.compute.signs_of_logic import plain_signs
from mathrag.language.quantities.numbers import ONES
from mathrag.language.word_classes import any_of, word_pairs
from mathrag.reason.direct.algebra.asked_claims import claim_of, without_asking, without_closing
from mathrag.reason.direct.question_text import tidy
from mathrag.reason.direct.result import AlgebraOutcome, DirectResult, DirectStatement
from mathrag.types.answer import Provenance, WorkingLine
from mathrag.types.quantity import Quantity

_LONGEST = 400
_MOST_SHOWN = 64
_MOST_COUNTED = 1_000
_MOST_NAMED = 6
_RELATION = re.compile(
    r" ?(?P<sign>[∈∉∋⊆⊇⊂⊃⊊⊋⊄⊈=≠]) ?"
    r"|,? (?:is )?(?P<word>(?:not )?(?:(?:an? )?(?:proper |strict )?(?:subset|superset)s? of|"
    r"(?:an? )?(?:element|member) (?:of|in)|(?:contained )?in|equal to|the same (?:set )?as|equals)) "
)
_NUMBERS = {word: int(value) for word, value in ONES.items() if 0 <= value <= 20}
_N = rf"(?:[0-9]{{1,4}}|[nmk]|{'|'.join(sorted(_NUMBERS, key=len, reverse=True))})"


def answer_written_sets(text: str) -> AlgebraOutcome:
    """What sets written out come to, or how many subsets there are; None for any other question."""
    if len(text) > _LONGEST:
        return None
    body = re.sub(r" (?:is|are|be)$", "", claim_of(_with_named_sets(plain_signs(text)))).replace("==", "=")
    counted = _of_n_elements(body)
    if counted is not None or not re.search(r"[{∅]|(?:empty|null) set\b", body):
        return counted
    try:
        return _asked(body)
    except (UnreadLogicError, RecursionError):
        return None


_NAMED = re.compile(
    r"\s*(?:(?:let|if|given|suppose|for|with|and|the|sets?|where)\b[ :,]*)*"
    r"(?P<name>[A-Z]) ?(?:=|:=|be) ?(?P<set>\{[^{}]*\}|∅)[ ,;.:]*",
    re.IGNORECASE,
)


def _with_named_sets(text: str) -> str:
    """ "A = {1, 2}, B = {2}. What is A ∪ B?": the question with the sets in the places of their letters."""
    named: dict[str, str] = {}
    rest = text
    while (found := _NAMED.match(rest)) is not None and found["name"].isupper() and len(named) < _MOST_NAMED:
        if found["name"] in named:
            return text
        named[found["name"]] = found["set"]
        rest = rest[found.end() :]
    if not named or re.match(r"[∪∩∖△×⊆⊂=]", rest):
        return text
    rest = re.sub(r"^(?:then|and|find)\b[ ,:]*", "", rest, flags=re.IGNORECASE)
    return re.sub(r"(?<![\w{])([A-Z])(?![\w}])", lambda letter: named.get(letter[1], letter[1]), rest)


@cache
def _nouns() -> re.Pattern[str]:
    one = r"(\{[^{}]*\}|∅)"
    names = any_of("logic.written_set_nouns")
    return re.compile(rf"(?:the )?({names}) (?:of|between) (?:the )?(?:sets )?{one} (?:and|with) {one}", re.IGNORECASE)


@cache
def _power() -> re.Pattern[str]:
    names = any_of("logic.power_set_names")
    return re.compile(rf"(?:the )?(?:{names}) of (?:the )?(?:set )?(?P<set>\{{.*\}}|∅|𝒫\(.*\))", re.IGNORECASE)


def _in_signs(body: str) -> str:
    """Words between and before sets written out as signs; powers set first, from the inside."""
    body = re.sub(r"\b(?:the )?(?:empty|null) set\b", "∅", body, flags=re.IGNORECASE)
    words = word_pairs("logic.set_between")
    body = re.sub(r"(?<=[})∅]) ?x ?(?=[{(∅])", " × ", re.sub(r"(?<=[})∅]) ?- ?(?=[{(∅])", " ∖ ", body))
    between = re.compile(rf"(?<=[}})∅]) ?({any_of('logic.set_between')}) ?(?=[{{(∅])", re.IGNORECASE)
    body = between.sub(lambda found: f" {words[found[1].lower()]} ", body)
    pairs = word_pairs("logic.written_set_nouns")
    body = _nouns().sub(lambda found: f"({found[2]} {pairs[found[1].lower()]} {found[3]})", body)
    for _ in range(4):
        shorter = _power().sub(lambda found: f"𝒫({found['set']})", body, count=1)
        if shorter == body:
            break
        body = shorter
    return body


@cache
def _asks() -> re.Pattern[str]:
    return re.compile(rf"(?:(?:{any_of('logic.written_set_asks')})\b[ :,]*(?:the )?)+", re.IGNORECASE)


@cache
def _how_many() -> tuple[tuple[re.Pattern[str], bool], ...]:
    of = r"(?: the set)? (?P<set>.+?)(?: have| has| contain| contains)?"
    return tuple(
        (re.compile(rf"(?:{any_of(name)}){of}", re.IGNORECASE), subsets)
        for name, subsets in (("logic.how_many_elements", False), ("logic.how_many_subsets", True))
    )


def _asked(body: str) -> AlgebraOutcome:
    for pattern, subsets in _how_many():
        found = pattern.fullmatch(body)
        if found is not None:
            return _size(_in_signs(found["set"]), subsets=subsets)
    body = _in_signs(body)
    opening = _asks().match(body)
    bars = re.fullmatch(r"\|([^|]+)\|", body if opening is None else body[opening.end() :])
    if bars is not None:
        return _size(bars[1], subsets=False)
    related = _related(body)
    if related is not None:
        return related
    rest = without_closing(body[opening.end() :]) if opening is not None else body
    if "=" in rest or not re.search(r"[∪∩∖△×𝒫\\−]|P\(", rest):
        return None
    return _listed(rest, read_finite_set(rest))


def _listed(text: str, found: FiniteSet) -> DirectStatement:
    whole = re.sub(r"^\((.*)\)$", r"\1", text) if text.count("(") == 1 else text
    written = " ".join(whole.split())
    if len(found) > _MOST_SHOWN:
        return DirectStatement(f"{written} has {len(found)} elements, too many to list.", written)
    line = f"{written} = {shown(found)}"
    many = f"{len(found)} element{'s' if len(found) != 1 else ''}"
    letters = re.search(r"(?<![A-Za-z])[a-zA-Z]\b", line.replace("P(", ""))
    notes = ("different letters are taken to be different elements",) if letters else ()
    return DirectStatement(f"{line} ({many}).", written, (WorkingLine(line),), notes)


def _size(text: str, *, subsets: bool) -> AlgebraOutcome:
    found = read_finite_set(text)
    count = 2 ** len(found) if subsets else len(found)
    if len(found) > _MOST_COUNTED:
        return None
    what = "subset" if subsets else "element"
    how = shown(found)
    if subsets:
        how += f" has {len(found)} elements, each in a subset or not: 2^{len(found)}"
    if len(found) > _MOST_SHOWN:
        how = "counted one by one"
    return _number(count, f"{count} {what}{'' if count == 1 else 's'}: {how}.", text)


def _number(count: int, text: str, expression: str) -> DirectResult:
    source = (Provenance("question", expression),)
    return DirectResult("algebra", Quantity(count), 10, expression, exact=str(count), text=text, provenance=source)


def _related(body: str) -> DirectStatement | None:
    """Whether an element is in a set, or a set within another."""
    for cut in _RELATION.finditer(body):
        left, right = without_asking(body[: cut.start()]), body[cut.end() :]
        sign = cut["sign"] or _sign_of(cut["word"])
        try:
            return _judged(left, right, sign)
        except UnreadLogicError:
            continue
    return None


def _sign_of(word: str) -> str:
    if "superset" in word:
        sign = "⊋" if "proper" in word or "strict" in word else "⊇"
    elif "subset" in word:
        sign = "⊊" if "proper" in word or "strict" in word else "⊆"
    else:
        sign = "=" if "same" in word or "equal" in word else "∈"
    return {"∈": "∉", "=": "≠", "⊆": "⊈"}.get(sign, "") if word.startswith("not ") else sign


def _judged(left: str, right: str, sign: str) -> DirectStatement:
    if sign in "∋⊇⊃⊋":
        left, right, sign = right, left, {"∋": "∈", "⊇": "⊆", "⊃": "⊂", "⊋": "⊊"}[sign]
    holder = read_finite_set(right)
    whole = f"{left.strip()} {sign} {right.strip()}"
    if sign in "∈∉":
        element = read_element(left)
        is_in = element in holder
        told = f"{shown(element)} is {'one' if is_in else 'none'} of the elements of {shown(holder)}"
        if not is_in and isinstance(element, frozenset) and element <= holder:
            told += f" (it is a subset: {shown(element)} ⊆ {shown(holder)})"
        return DirectStatement(f"{is_in == (sign == '∈')}: {told}.", whole, (WorkingLine(told),))
    first = read_finite_set(left)
    only = [shown(each) for each in in_order(first - holder)]
    more = [shown(each) for each in in_order(holder - first)]
    if sign in "=≠":
        differ = f"{(only or more)[0]} is in only one of them" if only or more else "they have the same elements"
        return DirectStatement(f"{(first == holder) == (sign == '=')}: {differ}.", whole)
    if only:
        held, told = False, f"{only[0]} is in {shown(first)} and not in {shown(holder)}"
    elif not more and sign in "⊊⊂":
        if sign == "⊂":
            text = "They are the same set: true where ⊂ allows equality (⊆), false where it means a proper subset (⊊)."
            return DirectStatement(text, whole)
        held, told = False, "they are the same set, and no set is a proper subset of itself"
    else:
        held, told = True, f"every element of {shown(first)} is in {shown(holder)}"
        if not first:
            told = "the empty set has no element that could be missing"
        told += f"; {more[0]} is in the second alone" if sign in "⊊⊂" and more else ""
    return DirectStatement(f"{held != (sign in '⊄⊈')}: {told}.", whole, (WorkingLine(told),))


# Sets of n elements.


@cache
def _counts() -> tuple[tuple[re.Pattern[str], str], ...]:
    holding = r"(?:finite )?set (?:with|of|that has|having|containing|which has)"
    things = r"(?:distinct |different )?(?:elements?|members?|items|things)"
    thing = rf"(?:an?|the|any) (?:(?P<n>{_N})[- ]elements? set|{holding} (?P<m>{_N}) {things})"
    before = r"(?:how many )?(?:of (?:them )?|have |has |with )?(?:(?:exactly |of )?(?:size|cardinality) |exactly )?"
    size = rf"(?:,? (?:and )?{before}(?P<k>{_N})(?: elements)?(?: do)?)?"
    power = rf"(?:the )?(?:{any_of('logic.power_set_names')}) of "
    subsets, elements = any_of("logic.how_many_subsets"), any_of("logic.how_many_elements")
    kinds = r"(?P<kind>proper |non-?empty |proper non-?empty |non-?empty proper )?"
    k_first = rf"how many (?:subsets (?:of|with)(?: size| exactly)?|(?P<j>{_N})-element subsets?)"
    made = (
        (rf"(?:{subsets}) {thing}(?: have| has)?{size}", "subsets"),
        (rf"how many {kinds}subsets (?:does|has|are there (?:of|in)|of) {thing}(?: have)?", "subsets"),
        (rf"(?:{elements}) {power}{thing}(?: have| has| contain)?", "power"),
        (
            rf"(?:{k_first})(?: (?P<k>{_N})(?: elements)?)? (?:does|has|are there (?:of|in)|of|in) {thing}(?: have)?",
            "of size",
        ),
        (rf"{power}{thing}", "power"),
    )
    return tuple((re.compile(pattern, re.IGNORECASE), what) for pattern, what in made)


def _of_n_elements(body: str) -> AlgebraOutcome:
    asked = tidy(body)
    for pattern, what in _counts():
        found = pattern.fullmatch(asked)
        if found is not None:
            said = {name: value for name, value in found.groupdict().items() if value}
            n = said.get("n") or said.get("m") or ""
            k = said.get("k") or said.get("j") or ""
            return _counted(n.lower(), k.lower(), (said.get("kind") or "").strip().lower(), what)
    return None


def _whole(text: str) -> int | None:
    return int(text) if text.isdecimal() else _NUMBERS.get(text)


def _counted(n: str, k: str, kind: str, what: str) -> AlgebraOutcome:
    if what == "of size" and not k:
        return None
    number, size = _whole(n), _whole(k)
    if max(number or 0, size or 0) > _MOST_COUNTED:
        return None
    less = {"": 0, "proper": 1, "nonempty": 1, "non-empty": 1}.get(kind, 2)
    name, part = n if number is None else str(number), k if size is None else str(size)
    total = f"2^{name}" + (f" − {less}" if less else "")
    rule = _rule(kind, less)
    of_size = f"C({name}, {part})"
    factorials = f"{name}! / ({part}! · ({name} − {part})!)"
    if number is None or (k and size is None):
        all_of_them = total if number is None else f"{total} = {2**number - less}"
        told = [] if what == "of size" else [f"{all_of_them} subsets ({rule})"]
        told += [f"{of_size} = {factorials} of them have {part} elements"] if k else []
        return DirectStatement(f"{'; '.join(told)}.", total)
    if size is not None:
        chosen = math.comb(number, size)
        text = f"{chosen} of {size} element{'' if size == 1 else 's'} ({of_size} = {factorials})."
        if what == "of size":
            return _number(chosen, text, of_size)
        return DirectStatement(f"{2**number} subsets in all (2^{number}: {rule}); {text}", total)
    count = 2**number - less
    noun = "elements: as many as subsets" if what == "power" else "subsets"
    return _number(count, f"{count} {noun} ({total}: {rule}).", total)


def _rule(kind: str, less: int) -> str:
    if not less:
        return "each element is in a subset or not, the empty set and the whole set included"
    left = "the whole set is" if kind == "proper" else "the empty set is"
    return (
        f"each element is in a subset or not; {left if less == 1 else 'the empty set and the whole set are'} left out"
    )
