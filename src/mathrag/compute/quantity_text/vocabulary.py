"""English words that matter around numbers: number words, months, labels, words that are never units. Data, no logic."""

from __future__ import annotations

ONES = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19,
}  # fmt: skip
TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}
SCALES = {"thousand": 1000, "million": 10**6, "billion": 10**9, "trillion": 10**12}
GROUPS = {"dozen": 12, "hundred": 100, **SCALES}
FRACTIONS = {
    "half": 2, "halves": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fourth": 4, "fourths": 4, "fifth": 5, "fifths": 5,
    "sixth": 6, "sixths": 6, "eighth": 8, "eighths": 8, "tenth": 10, "tenths": 10, "hundredth": 100, "hundredths": 100, "thousandth": 1000, "thousandths": 1000,
}  # fmt: skip
ORDINAL_POWERS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10,
    "eleventh": 11, "twelfth": 12, "fifteenth": 15, "sixteenth": 16, "eighteenth": 18, "nineteenth": 19, "twentieth": 20,
}  # fmt: skip
VULGAR_FRACTIONS = {
    "½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4), "⅕": (1, 5), "⅖": (2, 5), "⅗": (3, 5), "⅘": (4, 5),
    "⅙": (1, 6), "⅚": (5, 6), "⅛": (1, 8), "⅜": (3, 8), "⅝": (5, 8), "⅞": (7, 8), "⅒": (1, 10),
}  # fmt: skip

MONTHS = frozenset(
    "january february march april may june july august september october november december "
    "jan feb mar apr jun jul aug sep sept oct nov dec".split()
)
# A number right after one of these numbers a thing.
LABELS = frozenset(
    "question questions problem problems figure figures fig figs table tables chapter chapters section sections equation equations eq eqs page "
    "pages exercise exercises example examples appendix step steps version room task tasks item volume issue lesson unit note reference ref "
    "footnote theorem lemma law no nr experiment trial sample run route highway apollo windows iso class grade".split()
)
YEAR_WORDS = frozenset("in since year until till by before after during circa around spring summer autumn winter fall of".split())

# English words (and marks of the day) that the unit table also knows; after a number they are almost never the unit.
NEVER_UNITS = frozenset(
    "a at in as are am an to is be by on or of the and if it its so no do me my we us he i o per then than that with "
    "point points line lines wave waves count counts cycle cycles turn turns beat beats event events pulse pulses ion ions atom atoms electron "
    "electrons photon photons molecule molecules particle particles decay decays disintegration disintegrations vibration vibrations oscillation "
    "oscillations grain grains stone stones st barn barns rotation rotations bel bels gee".split()
)
# Symbols of elements whose letters another case of which is a unit (Na and nA, Cl and cL).
ELEMENTS = frozenset(
    "He Li Be Ne Na Mg Al Si Cl Ar Ca Sc Ti Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Zr Nb Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te Xe Cs Ba La Ce "
    "Pt Au Hg Tl Pb Bi Po At Rn Fr Ra Ac Th Pu Am Cm".split()
)
# After `3 in`, these words continue the sentence with the preposition.
INCH_FOLLOWERS = frozenset(
    "long wide tall high deep thick diameter radius and or by x to in per apart away above below from is are was of pipe bolt".split()
)
PARTICLES = frozenset("atoms atom ions ion nuclei nucleus molecules molecule bonds bond isotope isotopes nuclide".split())
MOLAR_NOUNS = frozenset("mass masses volume volumes heat heats ratio ratios concentration concentrations enthalpy".split())
EVERY = frozenset({"every", "each"})
EVERY_PREPOSITIONS = frozenset("on in of for to over through along at".split())

# Words that end the noun of `400 turns per metre` or cannot be a counted thing.
NOT_NOUNS = frozenset(
    "is are was were be been has have had does do did of to in on at by for from with and or but if then than as that this these those the a an "
    "when while where which who what how per times more less so it its they there here not into onto over under after before between about".split()
)
