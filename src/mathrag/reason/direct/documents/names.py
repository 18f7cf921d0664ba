"""Which rows and columns of a table a question names: whole names first, longer before shorter; then parts of names.

Each level of a header and each column of names is a dimension of its own: "Test F1 of A on B" may name one thing in
each of four. Names of one dimension stand side by side, names of several narrow each other down.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from mathrag.language.word_classes import word_class, word_pairs
from mathrag.reason.direct.documents.asked import Asked
from mathrag.reason.direct.documents.grids import Grid, Line, shown
from mathrag.reason.direct.documents.words import class_keys, key_of, term_keys

_LOWERED = re.compile(r"\b([A-Za-z])_(?:\{\s?([A-Za-z0-9]{1,4})\s?\}|([A-Za-z0-9]))(?![A-Za-z0-9])")
# What stands above or below the line is written behind it without a sign: "APb" for `AP^{b}`.
_GLUED = re.compile(r"[_^]\{?(\w{1,5})\}?")
_CUT_SHORT = re.compile(r"\b([^\W\d_]{3,})\.")
_BRACKETED = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
# A row of a comparison that leaves something out: "– attention".
_TAKEN_AWAY = re.compile(r"\s*[-–−]\s*[^\W\d]")
_CHANGING_SIGNS = re.compile(r"[+&*†‡]|\bw/o?\b|\bwithout\b", re.IGNORECASE)
_MOST_COMBINED = 400
_SHOWN = 6
# From this level on names are whole or none: they are texts that name a row beside its own name.
_ALSO = 100
# From this level on what a question says of rows is a condition on a column: "with 8 layers", "without dropout".
_CONDITION = 1_000
_MOST_ROWS_COMPARED, _LONGEST_VALUE = 400, 24
# Words of a name that a question has in another order lie so near to each other.
_SCATTERED = 8
_LEAST_SCATTERED = 3


@dataclass(frozen=True, slots=True)
class Mention:
    """The places of the words that name something in the question, and the rows or columns that are called so."""

    places: tuple[int, ...]
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Mentions:
    """All rows and columns that a question names. `unclear` says why they cannot be told, where that is so; `below` are
    the rows under a title that is named, where no row among them is."""

    rows: tuple[Mention, ...]
    columns: tuple[Mention, ...]
    covered: frozenset[int]
    unclear: str = ""
    below: tuple[Line, ...] = ()

    @property
    def all(self) -> tuple[Mention, ...]:
        """Rows and columns together."""
        return (*self.rows, *self.columns)


@dataclass(frozen=True, slots=True)
class _Spot:
    """A name met in the question: on which axis, of which dimension."""

    axis: str
    level: int
    places: tuple[int, ...]
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Name:
    """A name of a dimension, the keys of its words, and the lines that have it."""

    axis: str
    level: int
    text: str
    keys: tuple[str, ...]
    short: tuple[str, ...]
    lines: tuple[Line, ...]

    @property
    def is_weak(self) -> bool:
        """Whether it is a word that stands in any question."""
        weak = class_keys("documents.asking") | class_keys("documents.generic") | class_keys("documents.sums")
        return len(self.short) == 1 and self.short[0] in weak - {"our"}


def mentions_of(grid: Grid, asked: Asked, caption: str = "") -> Mentions:
    """The rows and columns of a table that a question names."""
    names = _with_shortened(list(names_of(grid)), asked)
    conditions = _conditions(grid, asked)
    said = _places(conditions)
    asked = asked.using(said)
    spots = conditions + _whole(asked, [name for name in names if not name.is_weak or _is_written_as_name(asked, name)])
    covered = _places(spots)
    around = term_keys(caption)
    found, unclear = _parts(asked, [name for name in names if name.level < _ALSO], covered, around)
    # "A recurrent layer" in a table of layer types: the word says what the rows are.
    kinds = [spot for spot in found if _says_kind(spot, spots, asked, grid)]
    said |= _places(kinds)
    spots += [spot for spot in found if spot not in kinds]
    spots += _weak(grid, asked, names, spots)
    spots = [spot for spot in spots if spot.level >= _CONDITION or not said.intersection(spot.places)]
    spots = _one_axis_each(spots)
    covered = said | _places(spots)
    below = _below_title(spots)
    rows, why_rows = _combined(_titles_or_heads(spots), "row")
    columns, why_columns = _combined(spots, "column")
    columns = _without_corners(columns, grid, rows)
    return Mentions(rows, columns, covered, unclear or why_rows or why_columns, below)


def _below_title(spots: Sequence[_Spot]) -> tuple[Line, ...]:
    """The rows below the one title that is named; none where further rows are named."""
    titles = [spot for spot in spots if spot.axis == "row" and spot.level == 0]
    others = (
        [spot for spot in spots if spot.axis == "row" and spot.level and spot.places != titles[0].places]
        if titles
        else []
    )
    return titles[0].lines if len(titles) == 1 and not others else ()


def _is_title_and_head(spots: Sequence[_Spot]) -> bool:
    """Whether words name one title, as that of the rows below it and as the row in which it stands."""
    heads = {line.names[1] for spot in spots if spot.level for line in spot.lines if line.is_head}
    titles = {line.names[0] for spot in spots if not spot.level for line in spot.lines}
    return len(spots) == 2 and all(spot.axis == "row" for spot in spots) and len(heads) == 1 and heads == titles


def _titles_or_heads(spots: Sequence[_Spot]) -> list[_Spot]:
    """What names a title and the row in which it stands means the row, unless one below is named beside it."""
    rows = [spot for spot in spots if spot.axis == "row"]
    titles = {spot.places for spot in rows if spot.level == 0}
    both = {spot.places for spot in rows if spot.level and spot.places in titles and spot.lines[0].is_head}
    is_below = any(spot.level and spot.places not in both for spot in rows)
    return [spot for spot in spots if spot.axis != "row" or spot.places not in both or (spot.level == 0) == is_below]


def _places(spots: Iterable[_Spot]) -> frozenset[int]:
    return frozenset(place for spot in spots for place in spot.places)


def _weak(grid: Grid, asked: Asked, names: Sequence[Name], spots: Sequence[_Spot]) -> list[_Spot]:
    """Names that stand in any question, for an axis of which nothing else is named: what only says what the rows are
    is no column that is asked for."""
    covered = _places(spots)
    found: list[_Spot] = []
    for axis in ("row", "column"):
        if all(spot.axis != axis or _is_corner(spot, grid) for spot in spots):
            weak = [name for name in names if name.axis == axis and name.is_weak]
            found += [spot for spot in _whole(asked, weak) if not covered.intersection(spot.places)]
    return found


def names_of(grid: Grid) -> Iterator[Name]:
    """What rows and columns are called, each name once with all lines that have it."""
    for axis, lines in (("row", grid.rows), ("column", grid.columns)):
        by_name: dict[tuple[int, str], list[Line]] = {}
        for line in lines:
            for level, text in (*enumerate(line.names), *enumerate(line.also, _ALSO)):
                if text:
                    by_name.setdefault((level, text), []).append(line)
        for (level, text), called in by_name.items():
            # What stands below the line is written beside it in questions: "Tc" for `T_{c}`.
            for written in dict.fromkeys(
                (text, _LOWERED.sub(r"\1\2\3", text), _GLUED.sub(r"\1", shown(text)), _in_full(text))
            ):
                keys = term_keys(written) or _letter(written)
                if keys:
                    short = term_keys(_BRACKETED.sub(" ", written))
                    if _TAKEN_AWAY.match(text):
                        keys, short = ("minus", *keys), ("minus", *short)
                    yield Name(axis, level, text, keys, short or keys, tuple(called))


def _with_shortened(names: Sequence[Name], asked: Asked) -> list[Name]:
    """The names, and those with words cut short by a dot as the question has them in full: "Attr. dim."."""
    said = [word for word in asked.words if len(word.text) > _LEAST_SCATTERED]
    made = list(names)
    for name in names:
        cut = {match[1].casefold() for match in _CUT_SHORT.finditer(name.text)}
        full = {each: next((word.key for word in said if word.lower.startswith(each)), "") for each in cut}
        if not full or not all(full.values()):
            continue
        by_key = {key_of(each): key for each, key in full.items()}
        keys = tuple(by_key.get(key, key) for key in name.keys)
        made.append(replace(name, keys=keys, short=tuple(by_key.get(key, key) for key in name.short)))
    return made


def _letter(text: str) -> tuple[str, ...]:
    """A single letter as a name, which elsewhere is an article."""
    plain = shown(text).strip()
    return (plain.casefold(),) if len(plain) == 1 and plain.isalpha() else ()


def _in_full(text: str) -> str:
    """A header of one or two letters as it is said: M is a mean."""
    return word_pairs("documents.header_letters").get(shown(_BRACKETED.sub(" ", text)).strip(), text)


def _whole(asked: Asked, names: Sequence[Name]) -> list[_Spot]:
    """Names that stand in the question as a whole, without those inside longer ones."""
    at: dict[str, list[int]] = {}
    for place in asked.open_places():
        at.setdefault(asked.words[place].key, []).append(place)
    found: list[_Spot] = []
    for name in names:
        for keys in dict.fromkeys((name.keys, name.short)):
            for start in at.get(keys[0], ()):
                run = tuple(range(start, start + len(keys)))
                if run[-1] < len(asked.words) and _is_run(asked, run, keys, name):
                    found.append(_Spot(name.axis, name.level, run, name.lines))
        if places := _scattered(at, name):
            found.append(_Spot(name.axis, name.level, places, name.lines))
    found = _exact_first(found, names, asked)
    longest = [
        spot
        for spot in found
        if not any(set(spot.places) < set(other.places) for other in found)
    ]  # fmt: skip
    return _merged(longest)


def _exact_first(found: Sequence[_Spot], names: Sequence[Name], asked: Asked) -> list[_Spot]:
    """What was found, without lines that are called so but for what stands in brackets behind, where another is called
    so and no more."""
    exact: dict[tuple[str, int, tuple[int, ...]], set[Line]] = {}
    by_keys: dict[tuple[str, int, tuple[str, ...]], set[Line]] = {}
    for name in names:
        by_keys.setdefault((name.axis, name.level, name.keys), set()).update(name.lines)
    for spot in found:
        keys = tuple(asked.words[place].key for place in spot.places)
        exact[(spot.axis, spot.level, spot.places)] = by_keys.get((spot.axis, spot.level, keys), set())
    kept = []
    for spot in found:
        only = exact[(spot.axis, spot.level, spot.places)]
        if not only or only.intersection(spot.lines):
            kept.append(replace(spot, lines=tuple(line for line in spot.lines if line in only)) if only else spot)
    return kept


def _is_written_as_name(asked: Asked, name: Name) -> bool:
    """Whether a word that stands in any question is marked as a name by quotation marks."""
    return re.search(rf"[\"“‘']{re.escape(name.text.strip())}[\"”’']", asked.text, re.IGNORECASE) is not None


def _scattered(at: Mapping[str, Sequence[int]], name: Name) -> tuple[int, ...]:
    """The places of all words of a name in another order, near to each other: "stars of the example project"."""
    keys = name.short
    if not 1 < len(keys) == len(set(keys)) or any(len(key) < _LEAST_SCATTERED for key in keys):
        return ()
    if not all(key in at for key in keys) or _CHANGING_SIGNS.search(name.text):
        return ()
    first = at[keys[0]][0]
    places = tuple(sorted(min(at[key], key=lambda place: abs(place - first)) for key in keys))
    return places if places[-1] - places[0] <= _SCATTERED else ()


def _conditions(grid: Grid, asked: Asked) -> list[_Spot]:
    """Values of columns that a question gives beside the name of the column, with the rows that have them."""
    if len(grid.rows) > _MOST_ROWS_COMPARED:
        return []
    keys = [word.key for word in asked.words]
    found: list[_Spot] = []
    for column in grid.columns[1:]:
        names = [own for each in reversed(column.names) if (own := term_keys(_BRACKETED.sub(" ", each)))]
        if not names or not frozenset(keys).intersection(names[0]):
            continue
        by_text: dict[str, list[Line]] = {}
        for row in grid.rows:
            by_text.setdefault(grid.text(row, column), []).append(row)
        for text, rows in by_text.items():
            places = _said_value(asked, keys, names[0], text)
            if places and len(rows) < len(grid.rows):
                found.append(_Spot("row", _CONDITION + column.place, places, tuple(rows)))
    return found


def _said_value(asked: Asked, keys: Sequence[str], name: tuple[str, ...], text: str) -> tuple[int, ...]:
    """The places where a question gives a column a value: the value right before or behind the name."""
    plain = text.strip().casefold()
    for answer, around in (("documents.cells_with", "with"), ("documents.cells_without", "without")):
        if plain in word_class(answer):
            starts = [at for at, word in enumerate(asked.words) if word.lower == around]
            return next((tuple(range(at, at + 1 + len(name))) for at in starts if _is_at(keys, at + 1, name)), ())
    value = term_keys(text)
    if not value or len(text) > _LONGEST_VALUE or not any(map(str.isdigit, text)):
        return ()
    for at in range(len(keys)):
        if not _is_at(keys, at, value) or any(place in asked.used for place in range(at, at + len(value))):
            continue
        behind = at + len(value)
        if _is_at(keys, behind, name):
            return tuple(range(at, behind + len(name)))
        links = at - 1 if at and asked.words[at - 1].lower in ("of", "is", "at", "to") else at
        if links >= len(name) and _is_at(keys, links - len(name), name):
            return tuple(range(links - len(name), behind))
    return ()


def _is_at(keys: Sequence[str], at: int, run: Sequence[str]) -> bool:
    return tuple(keys[at : at + len(run)]) == tuple(run)


def _is_run(asked: Asked, run: Sequence[int], keys: Sequence[str], name: Name) -> bool:
    words = [asked.words[place] for place in run]
    if any(place in asked.used for place in run) or [word.key for word in words] != list(keys):
        return False
    # A letter alone is a name only where it is written as one.
    return len(words) > 1 or len(words[0].text) > 1 or words[0].text == shown(name.text).strip(" $\\{}*")[:1]


def _merged(spots: Sequence[_Spot]) -> list[_Spot]:
    """Spots at the same places of one dimension in one: several lines answer to the same words."""
    merged: dict[tuple[str, int, tuple[int, ...]], dict[int, Line]] = {}
    for spot in spots:
        lines = merged.setdefault((spot.axis, spot.level, spot.places), {})
        lines.update((line.place, line) for line in spot.lines)
    return [_Spot(axis, level, places, tuple(lines.values())) for (axis, level, places), lines in merged.items()]


def _parts(
    asked: Asked, names: Sequence[Name], covered: frozenset[int], around: Sequence[str]
) -> tuple[list[_Spot], str]:
    """Words that are not accounted for as parts of names: the longest runs first."""
    rest = list(asked.using(covered).left("documents.generic", *_NOT_NAMES))
    found: list[_Spot] = []
    unclear = ""
    for run in _runs(rest):
        while run:
            taken, spots = _longest_part(asked, run, names)
            said = _said_around(asked, run, around)
            if not spots or said > len(taken):
                # More of these words stand together in the caption than in a name.
                run = run[max(1, said) :]
                continue
            axes = {(spot.axis, spot.level) for spot in spots}
            is_around = all(asked.words[place].key in around for place in taken)
            if len(axes) == 1 or _is_title_and_head(spots):
                found += spots
            elif not is_around:
                shown = dict.fromkeys(line.name for spot in spots for line in spot.lines)
                unclear = f"“{asked.said(taken)}” may name {', '.join(f'“{each}”' for each in list(shown)[:_SHOWN])}"
            run = [place for place in run if place not in taken]
    return found, unclear


def _said_around(asked: Asked, run: Sequence[int], around: Sequence[str]) -> int:
    """How many words at the beginning of a run stand in a caption one after the other."""
    keys = [asked.words[place].key for place in run]
    for length in range(len(keys), 1, -1):
        if any(tuple(around[at : at + length]) == tuple(keys[:length]) for at in range(len(around) - length + 1)):
            return length
    return 0


_NOT_NAMES = (
    "documents.differences",
    "documents.ratios",
    "documents.sums",
    "documents.averages",
    "documents.everything",
    "documents.highest",
    "documents.lowest",
    "documents.best",
    "documents.worst",
)


def _runs(places: Sequence[int]) -> list[list[int]]:
    runs: list[list[int]] = []
    for place in places:
        if runs and runs[-1][-1] == place - 1:
            runs[-1].append(place)
        else:
            runs.append([place])
    return runs


def _longest_part(asked: Asked, run: Sequence[int], names: Sequence[Name]) -> tuple[list[int], list[_Spot]]:
    """The longest beginning of a run whose words all stand in one name, and the names that have them."""
    for length in range(len(run), 0, -1):
        taken = list(run[:length])
        keys = [asked.words[place].key for place in taken]
        spots = [
            _Spot(name.axis, name.level, tuple(taken), name.lines)
            for name in names
            if keys[0] in name.keys and _is_part(keys, name)
        ]
        if spots and "".join(keys) not in ("a", "i", "s"):
            return taken, _merged(spots)
    return [], []


def _is_part(keys: Sequence[str], name: Name) -> bool:
    """Whether words are a part of a name that stands for the whole: what is missing must not change its meaning."""
    left = list(name.keys)
    for key in keys:
        if key not in left:
            return False
        left.remove(key)
    changing = {key_of(word) for word in word_class("documents.changing")}
    return changing.isdisjoint(left)


def _one_axis_each(spots: Sequence[_Spot]) -> list[_Spot]:
    """Words that name a row and a column: they are taken for the axis that has no other name."""
    places = {axis: {spot.places for spot in spots if spot.axis == axis} for axis in ("row", "column")}
    shared = places["row"] & places["column"]
    if not shared:
        return list(spots)
    kept = []
    for spot in spots:
        others = places[spot.axis] - shared
        if spot.places not in shared or not others:
            kept.append(spot)
    return kept


def _combined(spots: Sequence[_Spot], axis: str) -> tuple[tuple[Mention, ...], str]:
    """The lines of an axis that are named: those of one dimension side by side, several dimensions narrowing them."""
    levels: dict[int, list[_Spot]] = {}
    for spot in spots:
        if spot.axis == axis:
            levels.setdefault(spot.level, []).append(spot)
    if not levels:
        return (), ""
    levels = {level: _narrowed(listed) for level, listed in levels.items()}
    count = 1
    for listed in levels.values():
        count *= len(listed)
    if count > _MOST_COMBINED:
        return (), f"too many {axis}s are named"
    if axis == "row" and set(levels) == {0}:
        return (), "only a title over several rows is named"
    found = list(_shared_lines(levels))
    if not found:
        return (), f"no {axis} has all of these names"
    once = {
        tuple(line.place for line in each.lines): each for each in sorted(found, key=lambda e: e.places, reverse=True)
    }
    return tuple(sorted(once.values(), key=lambda each: each.places)), ""


def _shared_lines(levels: Mapping[int, Sequence[_Spot]]) -> Iterator[Mention]:
    """The lines that have a name in every dimension."""
    for combination in product(*levels.values()):
        lines = set(combination[0].lines).intersection(*(spot.lines for spot in combination[1:]))
        if lines:
            places = tuple(sorted({place for spot in combination for place in spot.places}))
            yield Mention(places, tuple(sorted(lines, key=lambda line: line.place)))


def _narrowed(spots: Sequence[_Spot]) -> list[_Spot]:
    """Parts of one name in several places of a question ("head movement in the classroom") as that name: each of them
    means several lines, together they mean fewer."""
    made = list(spots)
    for index, spot in enumerate(made):
        for other in made[index + 1 :]:
            shared = [line for line in spot.lines if line in other.lines]
            if shared and len(shared) < min(len(spot.lines), len(other.lines)):
                joined = _Spot(spot.axis, spot.level, tuple(sorted({*spot.places, *other.places})), tuple(shared))
                return _narrowed([each for each in made if each not in (spot, other)] + [joined])
    return made


def _says_kind(spot: _Spot, others: Sequence[_Spot], asked: Asked, grid: Grid) -> bool:
    """Whether a part of the name of a column only says what the rows are, where a column is named by its whole name."""
    corner = term_keys(grid.corner)
    is_kind = spot.axis == "column" and all(asked.words[place].key in corner for place in spot.places)
    return is_kind and any(other.axis == "column" for other in others)


def _is_corner(spot: _Spot, grid: Grid) -> bool:
    return spot.axis == "column" and all(line.place in grid.labels[:1] for line in spot.lines)


def _without_corners(columns: Sequence[Mention], grid: Grid, rows: Sequence[Mention]) -> tuple[Mention, ...]:
    """The columns that are named without those that only say what the rows are, where others are named, or where a row
    is named by what stands there: its name is no answer."""
    values = [each for each in columns if any(line.place not in grid.labels for line in each.lines)]
    if values or not rows:
        return tuple(values or columns)
    named = {line.place for each in rows for line in each.lines}
    first = grid.labels[0] if grid.labels else 0
    others = tuple(each for each in columns if any(line.place != first for line in each.lines))
    return others if named else tuple(columns)
