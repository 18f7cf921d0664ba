"""English words that matter around numbers: number words, months, labels, words that are never units. No logic here."""

from __future__ import annotations

from mathrag.knowledge.elements import unmistakable_symbols


def _words(*lines: str) -> frozenset[str]:
    return frozenset(word for line in lines for word in line.split())


def _numbered(words: str, start: int = 0, step: int = 1) -> dict[str, int]:
    return {word: start + step * place for place, word in enumerate(words.split())}


ONES = _numbered("zero one two three four five six seven eight nine ten eleven twelve") | _numbered(
    "thirteen fourteen fifteen sixteen seventeen eighteen nineteen", 13
)
TENS = _numbered("twenty thirty forty fifty sixty seventy eighty ninety", 20, 10)
SCALES = {"thousand": 1000, "million": 10**6, "billion": 10**9, "trillion": 10**12}
GROUPS = {"dozen": 12, "hundred": 100, **SCALES}
ORDINAL_POWERS = _numbered("first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth", 1) | {
    "fifteenth": 15,
    "sixteenth": 16,
    "eighteenth": 18,
    "nineteenth": 19,
    "twentieth": 20,
}
_SINGULAR_FRACTIONS = {
    "third": 3,
    "quarter": 4,
    "fourth": 4,
    "fifth": 5,
    "sixth": 6,
    "eighth": 8,
    "tenth": 10,
    "hundredth": 100,
    "thousandth": 1000,
}
FRACTIONS = {"half": 2, "halves": 2} | {
    form: below for word, below in _SINGULAR_FRACTIONS.items() for form in (word, word + "s")
}
VULGAR_FRACTIONS = {
    "½": (1, 2),
    "⅓": (1, 3),
    "⅔": (2, 3),
    "¼": (1, 4),
    "¾": (3, 4),
    "⅕": (1, 5),
    "⅖": (2, 5),
    "⅗": (3, 5),
    "⅘": (4, 5),
    "⅙": (1, 6),
    "⅚": (5, 6),
    "⅛": (1, 8),
    "⅜": (3, 8),
    "⅝": (5, 8),
    "⅞": (7, 8),
    "⅒": (1, 10),
}

MONTHS = _words(
    "january february march april may june july august september october november december",
    "jan feb mar apr jun jul aug sep sept oct nov dec",
)
# A number right after one of these numbers a thing.
LABELS = _words(
    "question questions problem problems figure figures fig figs table tables chapter chapters section sections",
    "equation equations eq eqs page pages exercise exercises example examples appendix step steps version room task",
    "tasks item issue lesson reference ref footnote theorem lemma no nr experiment trial route highway apollo windows",
)
# What an ordinal in words counts where its number matters; `the third runner` is left alone.
ORDINAL_NOUNS = _words(
    "level levels order orbit orbits shell shells state states harmonic harmonics overtone mode maximum minimum fringe",
    "energy excited quantum power",
)
# Words that a number follows as part of the sentence, not as the number of a thing (`car 1`).
BEFORE_NUMBERS = _words(
    "a an the of at is was are were to from about by with for and or than has have had be between around roughly",
    "nearly over under only exactly approximately some another each every reaches weighs contains holds carries takes",
    "in on its then as equals",
)
YEAR_WORDS = _words("in since year until till by before after during circa around spring summer autumn winter fall of")

# English words that the unit table also knows; after a number they are almost never the unit.
NEVER_UNITS = _words(
    "a at in as are am an to is be by on or of the and if it its so no do me my we us he i o per then than that with",
    "point points line lines wave waves count counts cycle cycles turn turns beat beats event events pulse pulses ion",
    "ions atom atoms electron electrons photon photons molecule molecules particle particles decay decays",
    "disintegration disintegrations vibration vibrations oscillation oscillations grain grains stone stones st barn",
    "barns rotation rotations bel bels gee",
)
# Symbols of elements of two letters; in another case some of them are units (Na and nA, Cl and cL).
ELEMENTS = frozenset(symbol for symbol in unmistakable_symbols() if len(symbol) == 2)
ISOTOPES = _words("14C 13C 235U 238U 239Pu 131I 32P 3H 40K 60Co 137Cs 90Sr 226Ra 222Rn 18O 15N")
# After `3 in`, these words leave the reading as inches open; others continue the sentence with the preposition.
INCH_FOLLOWERS = _words(
    "long wide tall high deep thick diameter radius and or by x to in per apart away above below from is are was of",
    "pipe bolt",
)
PARTICLES = _words("atoms atom ions ion nuclei nucleus molecules molecule bonds bond isotope isotopes nuclide")
MOLAR_NOUNS = _words("mass masses volume volumes heat heats ratio ratios concentration concentrations enthalpy")
IRREGULAR_PLURALS = _words("people men women children nuclei dice teeth electron mice fish radii")
HOURS_BEFORE = _words("at by until from to before after around")

# Words that end the noun of `400 turns per metre` or cannot be a counted thing.
NOT_NOUNS = _words(
    "is are was were be been has have had does do did of to in on at by for from with and or but if then than as that",
    "this these those the a an when while where which who what how per times more less so it its they there here not",
    "into onto over under after before between about",
)
# Words a number in words, a fraction or an ordinal can begin with.
NUMBER_STARTS = frozenset((*ONES, *TENS, *ORDINAL_POWERS, "a", "an", "half", "pi", "π"))
