"""Small stories of counting: orders of things, choices of some out of many, the letters of a word. Exact.

Strict: the whole question must be one of the forms. A condition beyond them ("two of them side by side"), things that
cannot be told apart or come in pairs leave the reading unsure, and the question is none of these.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from typing import TypeAlias

from mathrag.language.enumeration import listed
from mathrag.language.quantities.numbers import ONES
from mathrag.language.word_classes import any_of, word_class, word_pairs
from mathrag.reason.direct.question_text import tidy, without_ending
from mathrag.reason.direct.result import AlgebraOutcome, DirectFailure, DirectResult, DirectStatement
from mathrag.types.answer import Provenance, WorkingLine
from mathrag.types.quantity import Quantity

_LONGEST = 240
_FIGURES = 10
_MOST_THINGS = 1_000
_SMALL = {word: int(value) for word, value in ONES.items() if 1 <= value <= 20}
_N = rf"(?:[0-9]{{1,4}}|{'|'.join(sorted(_SMALL, key=len, reverse=True))})"
_THINGS = r"[a-z][a-z'-]*(?: [a-z][a-z'-]*){0,3}?"
# At the end of a question one word names the things: more of them might state a condition.
_SORT = r"(?:(?:different|distinct) )?[a-z][a-z'-]*"
_WORD = re.compile(r"[a-z'-]+")
_PARTS = re.compile(rf"(?P<n>{_N}) (?P<thing>[a-z]+)")


_TOLD_FIRST = re.compile(
    rf"(?:there are |in an? [a-z]+ (?:of|with) )?(?P<n>{_N}) (?P<things>{_SORT})"
    rf"(?: (?:{any_of('counting.taking_part')})(?: in (?:an?|the) [a-z]+)?)?[.,:;] "
    r"(?P<rest>(?:in )?(?:how many|number of) .+)"
)
_IS_CHOOSING = re.compile(rf"\b(?:{any_of('counting.roles')}|{any_of('counting.groups')}|podiums|outcomes)\b")
_PICKED = "chosen|selected|picked|elected|formed"
_DONE_FIRST = re.compile(
    rf"(?P<what>.+?) (?:(?:is|are|must|has|have) (?:to )?)?(?P<done>(?:be )?(?:{_PICKED}|{any_of('counting.arrange')})"
    r"\b.*?)(?: for an? [a-z]+)?[.,:;] (?:in )?(?:how many|number of) (?:different |possible )?"
    rf"(?:ways|orders|arrangements|choices|{any_of('counting.groups')})"
    r"(?: (?:are there|are possible|can this be done|is this possible))?"
)
_CAN_LATE = re.compile(
    rf"(?P<ways>{any_of('counting.ways')}),? (?:that |in which )?(?P<who>(?!can )[^.,:;]+?) can (?P<done>.+)"
)
_SPELLINGS = word_pairs("counting.spellings")
_SPELLED = re.compile(rf"\b(?:{any_of('counting.spellings')})\b")
_WAYS = any_of("counting.ways")
_HOW_MANY = any_of("counting.how_many")
_ARRANGE, _CHOOSE = any_of("counting.arrange"), any_of("counting.choose")
_CHOSEN, _GROUPS = any_of("counting.chosen"), any_of("counting.groups")
_ROWS, _OUT_OF = any_of("counting.rows"), any_of("counting.out_of")
_ARRANGED = any_of("counting.arranged")
_Form: TypeAlias = tuple[str, Callable[[re.Match[str]], AlgebraOutcome]]


def _order_forms() -> tuple[_Form, ...]:
    """Things put in an order."""
    return (
        (rf"(?:{_WAYS}) can (?P<n>{_N}) (?P<things>{_THINGS}) (?:{_ARRANGE})(?P<row> (?:{_ROWS}))?", _all_orders),
        (
            rf"(?:{_WAYS}) (?:{any_of('counting.to_arrange')}) (?P<n>{_N}) (?P<things>{_THINGS})(?P<row> (?:{_ROWS}))?",
            _all_orders,
        ),
        (
            rf"(?:{_HOW_MANY}) permutations (?:are there |exist )?(?:of|for) (?P<n>{_N}) (?P<things>{_SORT})(?P<row>)",
            _all_orders,
        ),
        (
            (
                rf"(?:{_WAYS}) (?:can|to seat|are there to seat|to place) (?P<k>{_N}) (?P<things>{_THINGS}) "
                rf"(?:{any_of('counting.sit')}|on|in) (?P<n>{_N})"
                rf" (?:{any_of('counting.seats')})"
            ),
            _some_orders,
        ),
        (
            (
                rf"(?:{_WAYS}) can (?P<k>{_N}) (?:of|out of) (?P<n>{_N}) (?P<things>{_THINGS}) (?:{_ARRANGE})"
                rf"(?P<row> (?:{_ROWS}))?"
            ),
            _some_orders,
        ),
    )


def _choice_forms() -> tuple[_Form, ...]:
    """Some chosen out of many."""
    return (
        (
            (
                rf"(?:{_WAYS}) (?:{_CHOOSE}) (?P<k>{_N})(?: (?P<some>{_THINGS}))? (?:{_OUT_OF}) (?P<n>{_N})(?: "
                rf"(?P<things>{_THINGS}))?"
            ),
            _choices,
        ),
        (
            (
                rf"(?:{_WAYS}) can (?P<k>{_N})(?: (?P<some>{_THINGS}))? (?:{_CHOSEN}) (?:{_OUT_OF}) (?P<n>{_N})"
                rf"(?: (?P<things>{_THINGS}))?"
            ),
            _choices,
        ),
        (
            (
                rf"(?:{_WAYS}) can (?:an?|the) (?:{_GROUPS}) of (?P<k>{_N})(?: (?P<some>{_THINGS}))? (?:{_CHOSEN})"
                rf" (?:{_OUT_OF}) (?P<n>{_N})(?: (?P<things>{_THINGS}))?"
            ),
            _choices,
        ),
        (
            (
                rf"(?:{_HOW_MANY}) (?:{_GROUPS}) of (?P<k>{_N})(?: (?P<some>{_THINGS}))?(?: (?:can|"
                rf"could|may) (?:{_CHOSEN}))? (?:{_OUT_OF}) (?P<n>{_N})(?: (?P<things>{_THINGS}))?"
            ),
            _choices,
        ),
        (
            (
                rf"(?:{_HOW_MANY}) (?:different |distinct )?(?P<k>{_N})[- ]card (?:poker )?hands (?:can be dealt|are "
                r"there|are possible|can be made) (?:from|in|with) (?:a |an )?(?:standard |ordinary )?deck of "
                rf"(?P<n>{_N})(?: (?:playing )?cards)?"
            ),
            _choices,
        ),
        (rf"(?P<n>{_N}) choose (?P<k>{_N})|c\( ?(?P<n2>{_N}) ?, ?(?P<k2>{_N}) ?\)", _choices),
    )


def _letter_forms() -> tuple[_Form, ...]:
    """The letters of a word in another order."""
    return (
        (
            (
                rf"(?:{_WAYS}) can (?:all )?(?:of )?the letters (?:of|in) "
                rf"(?:the word )?[\"'“”‘’]?(?P<word>[a-z]{{2,20}})"
                rf"[\"'“”‘’]? (?:{_ARRANGE})"
            ),
            _letters,
        ),
        (
            (
                rf"(?:{_WAYS}) (?:{any_of('counting.to_arrange')}) (?:all )?(?:of )?the letters (?:of|in) "
                r"(?:the word )?[\"'“”‘’]?(?P<word>[a-z]{2,20})[\"'“”‘’]?"
            ),
            _letters,
        ),
        (
            (
                rf"(?:{_HOW_MANY}) (?:{_ARRANGED}) (?:are there )?(?:of|can be made from|can "
                r"be made with|can be formed from) (?:all )?(?:of )?(?:the letters (?:of|in) )?(?:the word "
                r")?[\"'“”‘’]?(?P<word>[a-z]{2,20})[\"'“”‘’]?(?: (?:are there|have|has))?"
            ),
            _letters,
        ),
    )


def _other_forms() -> tuple[_Form, ...]:
    """Things taken at a time, offices, subsets, derangements, codes."""
    return (
        (
            (
                rf"(?:the )?(?:number of )?(?P<kind>combinations|permutations) of (?P<n>{_N})(?: (?P<things>{_THINGS})"
                rf")?,? (?:taken )?(?P<k>{_N}) at a time"
            ),
            _taken,
        ),
        (
            (
                rf"(?:{_WAYS}) can (?P<roles>{_THINGS}(?:, {_THINGS})*,? and {_THINGS}) (?:{_CHOSEN}"
                rf"|be (?:awarded|decided|given|taken)) (?:{_OUT_OF}|to|by) "
                rf"(?:a (?:group|class|club|team) of )?(?P<n>{_N}) (?P<things>{_THINGS})"
            ),
            _roles,
        ),
        (
            (
                rf"(?:{_HOW_MANY}) subsets (?:does|has|are there of|of) (?:a|the) set (?:with|"
                rf"of|that has|having) (?P<n>{_N}) (?:elements?|members?)(?: have)?"
            ),
            _subsets,
        ),
        (
            (
                rf"(?:{_HOW_MANY}) derangements(?: are there| exist| are possible)? (?:of|for|on|with|have|has) "
                rf"(?:an? set (?:of|with) )?(?P<n>{_N})(?: (?P<things>{_SORT}))?(?: have)?"
                rf"|(?:derangements) (?:of|for) (?P<n2>{_N})(?: (?P<some>{_SORT}))?[,:]? (?:how many|number|count)"
            ),
            _derangements,
        ),
        (
            (
                rf"(?:{_HOW_MANY}) (?:possible )?(?P<runs>{_N}[- ](?:digit|letter)) (?:{any_of('counting.codes')})"
                r"(?:,? (?:are|can be) (?:possible|there|made|formed)"
                r"(?: (?:from|with|using) the (?:26 letters|10 digits))?)?(?P<said>,? .+)?"
                rf"|(?:{_HOW_MANY}) (?:possible )?(?:{any_of('counting.codes')}) "
                r"(?:have|with|consist of|of|consisting of) "
                rf"(?P<runs2>{_N} (?:letters?|digits?)"
                rf"(?:,? (?:followed by|and then|then) {_N} (?:letters?|digits?))*)"
                r"(?: (?:are|can be) (?:possible|there|made|formed))?(?P<said2>,? .+)?"
            ),
            _codes,
        ),
    )


def _several_sort_forms() -> tuple[_Form, ...]:
    """Things of several sorts, each chosen by itself; places told apart by their names; everyone with everyone."""
    group = rf"{_N} [a-z]+(?:(?:, and |, | and ){_N} [a-z]+)+"
    many = rf"(?:{_HOW_MANY})(?: possible)?"
    there = r"(?: (?:are|is|were)(?: there| possible)?| (?:can|could) (?:there )?be(?: made| formed| had)?| exist)?"
    medals = r"(?:gold[/-]silver[/-]bronze|1st[/-]2nd[/-]3rd|first[/-]second[/-]third|top[- ](?:three|3))"
    played = r"(?: (?:take place|happen|occur|are played))?,? "
    among = r"(?:if|when|among|between|with|for|at an? [a-z]+ (?:of|with)"
    round_robin = r"|in a (?:single )?round[- ]robin(?: tournament)? (?:of|with))"
    return (
        (
            (
                rf"(?:(?:{_WAYS}) can an? (?:{_GROUPS})|{many} (?:{_GROUPS})) (?:of|with) (?P<taken>{group})(?: can)?"
                rf"(?: (?:{_CHOSEN}))?{there} (?:{_OUT_OF}) (?P<all>{group})"
            ),
            _from_each,
        ),
        (
            (
                rf"(?:{any_of('counting.owning')})? ?(?P<all>{group})[.,:;] {many} "
                rf"(?:{any_of('counting.one_of_each')}){there}(?: (?:with|from|using|of) one of each)?"
            ),
            _one_of_each,
        ),
        (
            (
                rf"{many} (?:{medals} (?:{any_of('counting.finishes')})|podiums){there} (?:{_OUT_OF}|with|for) "
                rf"(?P<n>{_N}) (?P<things>{_SORT})"
            ),
            _podiums,
        ),
        (
            (
                rf"{many} (?:handshakes|{any_of('counting.matches')}){there}{played}{among}{round_robin} (?:all )?"
                rf"(?P<n>{_N}) (?P<things>{_SORT})(?:(?: all| each)? (?:{any_of('counting.everyone')}))?"
            ),
            _pairs,
        ),
        (
            (
                rf"an? [a-z ]*lock (?:has|with) (?P<k>{_N}) (?:dials|wheels|rings|rotors),? (?:each )?(?:with|of|has|"
                rf"having) (?P<n>{_N}) (?:different )?(?:digits|numbers|symbols|letters|positions)(?: each)?[.,:;] "
                rf"{many} (?:combinations|codes|settings){there}"
            ),
            _free_places,
        ),
    )


@cache
def _forms() -> tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], AlgebraOutcome]], ...]:
    """Patterns for the whole question, and what each comes to."""
    made = (*_order_forms(), *_choice_forms(), *_letter_forms(), *_other_forms(), *_several_sort_forms())
    return tuple((re.compile(pattern), answer) for pattern, answer in made)


def answer_counting(text: str) -> AlgebraOutcome:
    """In how many ways something can be done; None for any other question."""
    if len(text) > _LONGEST:
        return None
    asked = without_ending(tidy(text)).lower()
    asked = re.sub(
        rf"^(?:(?:{any_of('direct.greetings')}|{any_of('direct.demands')}|{any_of('direct.calculate')}|"
        r"what is|the)[ ,:]+)+",
        "",
        asked,
    )
    asked = _in_one_question(_SPELLED.sub(lambda each: _SPELLINGS[each[0]], asked))
    for pattern, answer in _forms():
        found = pattern.fullmatch(asked)
        if found is None:
            continue
        if not word_class("counting.unsure").isdisjoint(_WORD.findall(_nouns(found))):
            return None
        made = answer(found)
        if made is not None:
            return made
    return None


def _in_one_question(asked: str) -> str:
    """The question of a text that first tells of the things, or what is done with them, and then asks how often."""
    told = _TOLD_FIRST.fullmatch(asked)
    if told is not None and _IS_CHOOSING.search(told["rest"]) is not None:
        return f"{told['rest']} among {told['n']} {told['things']}"
    done = _DONE_FIRST.fullmatch(asked)
    if done is not None:
        is_bare = done["done"].split()[0] in _PICKED.split("|")
        return f"in how many ways can {done['what']} {'be ' if is_bare else ''}{done['done']}"
    late = _CAN_LATE.fullmatch(asked)
    return asked if late is None else f"{late['ways']} can {late['who']} {late['done']}"


def _nouns(found: re.Match[str]) -> str:
    said = found.groupdict()
    return " ".join(said.get(name) or "" for name in ("things", "some"))


def _number(text: str) -> int:
    return int(text) if text.isdecimal() else _SMALL[text]


def _all_orders(found: re.Match[str]) -> AlgebraOutcome:
    count = _number(found["n"])
    if (found["row"] or "").strip() in word_class("counting.rings") and 1 <= count <= _MOST_THINGS:
        orders, turned = math.factorial(count), math.factorial(count - 1)
        text = (
            f"{orders} ways if the places are told apart ({count}!), {turned} if seatings that differ only by turning "
            f"round count as one (({count} − 1)!). The question does not say which."
        )
        return _of_two(text, "orders round a ring")
    return _counted(
        math.factorial(count), f"{count}!", f"orders of {count} different things: {count}!", [found["n"]], count
    )


def _some_orders(found: re.Match[str]) -> AlgebraOutcome:
    n, k = _number(found["n"]), _number(found["k"])
    if k > n:
        return DirectFailure("domain", f"there are not enough places or things: {k} of {n}", "number_theory")
    row = (found.groupdict().get("row") or "").strip()
    if row in word_class("counting.rings"):
        return None
    rule = f"orders of {k} out of {n} different things: {n}! / ({n} − {k})!"
    return _counted(math.perm(n, k), f"{n}! / ({n} − {k})!", rule, [found["k"], found["n"]], n)


def _choices(found: re.Match[str]) -> AlgebraOutcome:
    said = found.groupdict()
    written = said["n"] or said.get("n2") or "", said["k"] or said.get("k2") or ""
    n, k = map(_number, written)
    if k > n:
        return DirectFailure("domain", f"{k} cannot be chosen out of {n}", "number_theory")
    rule = f"choices of {k} out of {n} different things, in any order: {n}! / ({k}! · ({n} − {k})!)"
    return _counted(math.comb(n, k), f"{n}! / ({k}! · ({n} − {k})!)", rule, list(written), n)


def _taken(found: re.Match[str]) -> AlgebraOutcome:
    return _choices(found) if found["kind"] == "combinations" else _some_orders(found)


def _letters(found: re.Match[str]) -> AlgebraOutcome:
    word = found["word"].upper()
    repeated = [(letter, count) for letter, count in sorted(Counter(word).items()) if count > 1]
    below = math.prod(math.factorial(count) for _, count in repeated)
    shown = f"{len(word)}!" + (f" / ({' · '.join(f'{count}!' for _, count in repeated)})" if repeated else "")
    also = ", ".join(f"{letter} stands {count} times" for letter, count in repeated)
    rule = f"different orders of the {len(word)} letters of {word}: {shown}" + (f" ({also})" if also else "")
    return _counted(math.factorial(len(word)) // below, shown, rule, [found["word"]], len(word))


def _roles(found: re.Match[str]) -> AlgebraOutcome:
    """Different offices or prizes, at most one a person."""
    roles = [re.sub(r"^(?:an?|the) ", "", each) for each in re.split(r",? and |, ", found["roles"])]
    n, k = _number(found["n"]), len(roles)
    known = word_class("counting.roles")
    if len(set(roles)) != k or k > n or not all(known & set(each.split()) for each in roles):
        return None
    rule = f"{k} different places for {n}, nobody in two of them: {n}! / ({n} − {k})!"
    return _counted(math.perm(n, k), f"{n}! / ({n} − {k})!", rule, [found["n"]], n)


def _from_each(found: re.Match[str]) -> AlgebraOutcome:
    """So many of each sort: the choices of each sort multiply."""
    some, whole = (
        [(each["thing"], _number(each["n"])) for each in _PARTS.finditer(found[name])] for name in ("taken", "all")
    )
    if dict(some).keys() != dict(whole).keys() or len(dict(some)) != len(some) or len(some) != len(whole):
        return None
    sizes = [(dict(whole)[thing], count) for thing, count in some]
    if any(count > size for size, count in sizes):
        return DirectFailure("domain", "more cannot be chosen of a sort than there are", "number_theory")
    shown = " × ".join(f"C({size}, {count})" for size, count in sizes)
    rule = f"choices within each sort, multiplied: {shown}"
    value = math.prod(math.comb(size, count) for size, count in sizes)
    return _counted(value, shown, rule, [found["taken"], found["all"]], max(size for size, _ in sizes))


def _one_of_each(found: re.Match[str]) -> AlgebraOutcome:
    sizes = [_number(each["n"]) for each in _PARTS.finditer(found["all"])]
    shown = " × ".join(map(str, sizes))
    return _counted(math.prod(sizes), shown, f"one of each sort: {shown}", [found["all"]], max(sizes))


def _podiums(found: re.Match[str]) -> AlgebraOutcome:
    n = _number(found["n"])
    if n < len(("gold", "silver", "bronze")):
        return None
    rule = f"3 different places for {n}, nobody in two of them: {n}! / ({n} − 3)!"
    return _counted(math.perm(n, 3), f"{n}! / ({n} − 3)!", rule, [found["n"]], n)


def _pairs(found: re.Match[str]) -> AlgebraOutcome:
    """Handshakes are of everyone with everyone; matches only where it is said."""
    is_everyone = any(word in found[0] for word in ("handshake", "each other", "every other", "round"))
    if not is_everyone:
        return None
    n = _number(found["n"])
    rule = f"pairs of {n}, each once: {n} × ({n} − 1) / 2"
    return _counted(math.comb(n, 2), f"{n} × ({n} − 1) / 2", rule, [found["n"]], n, what="pairs")


def _free_places(found: re.Match[str]) -> AlgebraOutcome:
    n, k = _number(found["n"]), _number(found["k"])
    return _counted(
        n**k, f"{n}^{k}", f"{k} places with {n} signs each: {n}^{k}", [found["k"], found["n"]], k, what="settings"
    )


def _subsets(found: re.Match[str]) -> AlgebraOutcome:
    n = _number(found["n"])
    rule = f"each of {n} elements is in a subset or not: 2^{n}, the empty set and the whole set included"
    return _counted(2**n, f"2^{n}", rule, [found["n"]], n, what="subsets")


def _derangements(found: re.Match[str]) -> AlgebraOutcome:
    """Orders in which nothing keeps its place, each from the two before: D(n) = (n − 1) (D(n − 1) + D(n − 2))."""
    said = found["n"] or found["n2"]
    n = _number(said)
    if n > _MOST_THINGS:
        return _counted(0, "", "", [said], n)
    before, last = 1, 0
    for count in range(2, n + 1):
        before, last = last, (count - 1) * (before + last)
    shown = f"D({n}) = {n}! · Σ (−1)^k / k! for k from 0 to {n}"
    rule = f"orders of {n} different things in which none keeps its place: {shown}"
    return _counted(last if n else 1, f"D({n})", rule, [said], n, what="derangements")


_BASES = {"digit": 10, "letter": 26}
_RUN = re.compile(rf"(?P<k>{_N})[- ](?P<of>digit|letter)s?")


def _codes(found: re.Match[str]) -> AlgebraOutcome:
    """Codes of digits, which may begin with 0, and of letters. Whether signs may repeat must be said; else both counts
    are told."""
    runs = [(_number(each["k"]), each["of"]) for each in _RUN.finditer(found["runs"] or found["runs2"])]
    said = (found["said"] or found["said2"] or "").strip(" ,")
    each = {of: sum(k for k, other in runs if other == of) for _, of in runs}
    size, what = sum(each.values()), listed([f"{k} {of}{'s' if k > 1 else ''}" for k, of in runs], "then")
    if any(f"the {base} {of}s" in found[0] for of, base in _BASES.items() if of not in each):
        return None
    repeated = math.prod(_BASES[of] ** k for k, of in runs)
    free = " × ".join(f"{_BASES[of]}^{k}" for k, of in runs)
    if said in word_class("counting.repeated"):
        return _counted(repeated, free, f"{what}, each free: {free}", [found[0]], size, what="codes")
    distinct = math.prod(math.perm(_BASES[of], k) for of, k in each.items())
    once = " × ".join(f"{_BASES[of]}! / ({_BASES[of]} − {k})!" for of, k in each.items())
    if said in word_class("counting.not_repeated"):
        return _counted(distinct, once, f"{what}, all different: {once}", [found[0]], size, what="codes")
    return None if said else _with_or_without(each, (repeated, free), (distinct, once), what)


def _with_or_without(
    each: Mapping[str, int], repeated: tuple[int, str], distinct: tuple[int, str], what: str
) -> AlgebraOutcome:
    """Both counts of codes, where it is not said whether signs may repeat."""
    nouns = " or ".join(f"{of}s" for of in each)
    first = "; 0 may stand first" if "digit" in each else ""
    text = f"{repeated[0]} if {nouns} may repeat ({repeated[1]}), {distinct[0]} if they may not ({distinct[1]}){first}."
    return _of_two(f"{text} The question does not say which.", f"codes of {what}")


def _of_two(text: str, expression: str) -> DirectStatement:
    return DirectStatement(text, expression, (WorkingLine(text),), kind="number_theory")


def _counted(value: int, shown: str, rule: str, written: list[str], size: int, *, what: str = "ways") -> AlgebraOutcome:
    if size > _MOST_THINGS:
        return DirectFailure("too_large", f"at most {_MOST_THINGS} things are counted", "number_theory")
    return DirectResult(
        "number_theory",
        Quantity(value),
        _FIGURES,
        shown,
        exact=str(value),
        text=f"{value} {what} ({rule}).",
        working=(rule, f"{shown} = {value}"),
        provenance=tuple(Provenance("question", each) for each in written),
        notes=("the things are taken to be all different",) if "different things" in rule else (),
    )
