"""What a question about substances asks for: found in the template and taken out, so that the rest can be judged."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Literal, TypeAlias

from mathrag.language.word_classes import any_of, word_class, word_pairs
from mathrag.reason.direct.chemistry.reading import AMOUNT, REACTION, SUBSTANCE, Mentioned, Reading
from mathrag.reason.direct.open_reading import changes_nothing

AskedKind: TypeAlias = Literal["amount", "limiting", "percent_yield", "left_over"]


@dataclass(frozen=True, slots=True)
class Asked:
    """What is wanted: `unit` as people write it (`g`, `mol`, `molecules`), `mass` or `volume` where any of these will
    do, empty where the words leave it open; and what the words right behind say of the substance."""

    kind: AskedKind
    unit: str
    substance: Mentioned | None
    is_theoretical: bool = False
    is_formed: bool = False
    is_consumed: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, and the template with the asking blanked out: places stay as they were."""

    asked: Asked
    rest: str


@cache
def _patterns() -> tuple[tuple[AskedKind, re.Pattern[str]], ...]:
    unit = rf"(?P<unit>{any_of('chemistry.units')})"
    pure = rf"(?:(?:{any_of('chemistry.state_words')}|the|excess) )*"
    that = rf"(?:the )?{pure}(?P<substance>{SUBSTANCE})(?: (?:atoms|molecules|gas))?(?! ?{AMOUNT})"
    of = rf"(?: of {that})?"
    before = rf"(?P<before>{SUBSTANCE}) "
    left = any_of("chemistry.left_over")
    is_so = r"(?:is |are |will be |will |does |would be |would )?"
    what = rf"(?: of)?(?: the)?(?: excess (?:reactant|reagent)| (?P<substance>{SUBSTANCE}))"
    rest = (
        rf"how (?:much|many {unit}){what} {is_so}(?:{left})",
        rf"(?:what )?mass{what} (?:that |which )?{is_so}(?:{left})",
    )
    amounts = (
        rf"how many {unit}(?: (?:of )?{that})?",
        rf"how many {before}{unit}",
        rf"(?:number of|the number of) {unit}{of}",
        rf"(?:number of|the number of) {before}{unit}",
        rf"(?:theoretical yield){of}",
        rf"(?:mass|weight)(?:,? \(?in {unit}\)?,?)?{of}",
        rf"(?:amount of substance|chemical amount|molar amount|number of moles){of}",
        rf"amount(?:,? \(?in {unit}\)?,?){of}",
        rf"volume(?:,? \(?in {unit}\)?,?)?{of}",
        rf"how much (?:does|do|would|will)(?= {AMOUNT})",
        rf"how much(?: of)?(?: an?| the)?(?P<solution>)(?= {AMOUNT} (?:aqueous |solution of )?{SUBSTANCE})",
        rf"how heavy (?:is|are)(?= {AMOUNT})",
        rf"what (?:does|do|would|will)(?= {AMOUNT}[^.?!]* weigh)",
        rf"how much (?:{pure})(?P<substance>{SUBSTANCE})",
        rf"(?:convert|express|give|change)(?= {AMOUNT})",
        rf"{unit} (?:of )?(?:the )?{pure}(?P<substance>{SUBSTANCE})(?! ?\(?{AMOUNT})",
        rf"{unit} in(?= (?:an? )?{AMOUNT})",
    )
    others: tuple[tuple[AskedKind, str], ...] = (
        ("percent_yield", r"(?:percent|percentage|%) yield"),
        ("limiting", r"(?:which|what)(?: reactant| reagent| substance)? is (?:the )?limiting(?: reactant| reagent)?"),
        ("limiting", r"(?:limiting (?:reactant|reagent))"),
        *(("left_over", each) for each in rest),
        *(("amount", each) for each in amounts),
    )
    return tuple((kind, re.compile(rf"(?<!\w){text}(?!\w)")) for kind, text in others)


@cache
def _in_unit() -> re.Pattern[str]:
    return re.compile(
        rf"(?<!\w)\(?(?:in|into|to)(?: units of)? (?:the )?(?P<unit>{any_of('chemistry.units')})\)?(?!\w)"
    )


def asked_of(reading: Reading, template: str | None = None) -> Question | None:
    """What is asked, where it is one thing."""
    text = reading.template if template is None else template
    for kind, pattern in _patterns():
        found = pattern.search(text)
        if found is None or not _is_of_solution(reading, found):
            continue
        parts = found.groupdict()
        name = next((each for each in ("substance", "before") if parts.get(each)), "")
        substance = reading.substance_at(found.start(name)) if name else None
        unit = word_pairs("chemistry.units").get(parts.get("unit") or "", "")
        rest = without(text, found)
        units = [each for each in _in_unit().finditer(rest) if _is_asking(rest, each)]
        for each in units:
            rest = without(rest, each)
        named = {word_pairs("chemistry.units")[each["unit"]] for each in units} | ({unit} if unit else set())
        if len(named) > 1:
            return None
        unit = named.pop() if named else _implied_unit(found[0])
        if unit == "none":
            return None
        behind = text[found.end() :]
        formed, consumed = (each.match(behind) is not None for each in _said_behind())
        return Question(Asked(kind, unit, substance, "theoretical" in found[0], formed, consumed), rest)
    return None


def _is_of_solution(reading: Reading, found: re.Match[str]) -> bool:
    """Whether what stands between "how much" and a substance, if anything, is a concentration."""
    is_between = found.groupdict().get("solution") is not None
    return not is_between or reading.amount_at(found.end() + 1).measured == "molarity"


@cache
def _said_behind() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """`is formed`, `are needed`: which side of a reaction the substance before stands on."""
    joint = r"(?: (?:is|are|was|were|be|can|will|would|could|do|does|must|should|being|that|which)){0,3} "
    formed, consumed = any_of("chemistry.produced"), any_of("chemistry.consumed")
    # What produces something stated is no product.
    return re.compile(rf"{joint}(?:{formed})(?!\w)(?! {AMOUNT})"), re.compile(rf"{joint}(?:{consumed})(?!\w)")


def _is_asking(text: str, found: re.Match[str]) -> bool:
    return not text[found.end() :].lstrip().startswith((SUBSTANCE, f"of {SUBSTANCE}"))


def _implied_unit(words: str) -> str:
    """`mass` leaves its unit open; what counts moles does not, and a conversion needs one."""
    if re.match(r"(?:amount of substance|chemical amount|molar amount|number of moles)", words):
        return "mol"
    if re.match(r"convert|express|give|change", words):
        return "none"
    if re.match(r"(?:what )?mass|weight|theoretical|how heavy|(?:how much|what) (?:does|do|would|will)", words):
        return "mass"
    # What is asked of a solution by "how much" alone.
    return "volume" if re.match(r"volume|how much(?: of)?(?: an?| the)?$", words) else ""


def without(text: str, found: re.Match[str]) -> str:
    """The text with a piece made blank; marks in it stay, so that places can be counted."""
    kept = "".join(each if each in (SUBSTANCE, AMOUNT, REACTION) else " " for each in found[0])
    return text[: found.start()] + kept + text[found.end() :]


_MARKS = re.compile("[◆◇■□▶▷]")
# What stands right behind a substance may make it a part of something else (a copper wire) or tell what becomes of it
# (the gas that was captured) or what is with it; behind a value it is what the value is of (20 g of alloy).
_BEHIND = re.compile(
    r"[◆◇■□]+ +(?:of +)?(?:(?:and|or|plus|with) +(?:(?:an?|the|my|some|other) +)*)?"
    r"(?:(?:is|are|was|were|be|been|being|gets?|got|has|have|had|will|would|can|could|that|which) +)*"
    r"(?P<word>[^\W\d_]+)"
)
# What something is of: up to a mark, a small word or the end of the clause.
_OF = re.compile(r"(?<!\w)of (?P<words>[^◆◇■□▶▷,.;:?!()]*)(?P<mark>[◆◇■□▶▷])?")


@cache
def _joints() -> frozenset[str]:
    parts = ("prepositions", "conjunctions", "auxiliaries", "determiners", "subordinators", "pronouns", "fillers")
    return frozenset().union(*(word_class(f"grammar.{part}") for part in parts), word_class("chemistry.state_words"))


def is_understood(rest: str, *, words: str) -> bool:
    """Whether nothing is left that could change what is asked. Any word may stand around it but those that change a
    question and those that say of what a substance or a value is; of these only the words of a class, which the one who
    answers takes up. Nor is a second thing asked."""
    known = word_class(words)
    near = [each["word"] for each in _BEHIND.finditer(rest)]
    near.extend(head for each in _OF.finditer(rest) if (head := _head(each)))
    if any(word not in known and word not in _joints() and not word.endswith("ly") for word in near):
        return False
    return changes_nothing(_MARKS.sub(" ", rest), known=known)


def _head(found: re.Match[str]) -> str:
    """The noun of what something is of; none where it is a substance or a value."""
    head = ""
    for word in re.findall(r"[^\W\d_]+(?:-[^\W\d_]+)*", found["words"]):
        if word not in _joints():
            head = word
        elif head:
            return head
    return "" if found["mark"] else head
