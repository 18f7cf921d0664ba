"""The words by which authors introduce symbols, and those that end a noun phrase. Lists only; no rule lives here."""

from __future__ import annotations

WHERE_WORDS = frozenset(("where", "wherein", "here", "whereby"))
DETERMINERS = frozenset(
    "the a an its their his her our your this that these those each every any some some another both".split()
)
ARTICLES = frozenset(("the", "a", "an"))
POSSESSIVES = frozenset(("its", "their", "our", "his", "her", "your"))

# "m is the mass", "m denotes the mass". What must follow a verb of two words stands in the value.
COPULAS = frozenset(("is", "are", "be", "being", "was", "were", "means", "mean", "equals"))
NAMING_VERBS = frozenset(
    (
        "denotes denote denoting represents represent representing signifies signify designates designate indicates "
        "indicate symbolizes symbolize symbolises describes describe expresses express measures measure quantifies "
        "specifies"
    ).split()
)
TWO_WORD_VERBS = {
    "stands": ("for",), "stand": ("for",), "standing": ("for",), "refers": ("to",), "refer": ("to",),
    "corresponds": ("to",), "correspond": ("to",),
}  # fmt: skip
AFTER_COPULA = (
    ("defined", "as"), ("defined", "to", "be"), ("known", "as"), ("called",), ("termed",), ("named",), ("used", "for"),
    ("used", "to", "denote"), ("used", "to", "represent"), ("the", "symbol", "for"), ("a", "symbol", "for"),
    ("taken", "as"),
    ("taken", "to", "be"), ("referred", "to", "as"),
)  # fmt: skip
SYMBOL_NOUNS = frozenset(
    (
        "symbol symbols variable variables letter letters quantity quantities constant constants parameter "
        "parameters subscript notation term terms factor coefficient coefficients unknown unknowns"
    ).split()
)
DASHES = frozenset(("–", "—", "-", "−", "--", "→", "⇒", "‒", "―", "…"))

# A description begins with none of these: "is constant", "is given by", "is not", "is parallel to".
NOT_A_DESCRIPTION = frozenset(
    (
        "same only one following case answer result reason opposite larger smaller greater less lower higher more "
        "not given known measured found used called constant zero positive negative large small always never also "
        "equal proportional independent dependent parallel perpendicular normal in on at to for by of with from as "
        "if when where that which chosen fixed taken set held kept calculated determined computed obtained "
        "expressed defined due usually often thus then so now much very too about approximately roughly exactly "
        "what how why there it we you they he she this these those therefore because since necessary required "
        "needed unknown true false possible finite infinite real even odd directed applied related similar "
        "different important dimensionless unitless written read shown plotted doubled increased decreased reduced "
        "maximum minimum moving acting pointing going getting easy hard clear good bad best right wrong left up "
        "down out still already first second third last next most least opposed added subtracted divided multiplied "
        "replaced substituted solved conserved created produced responsible considered assumed said let well like "
        "unlike close far near nearly almost"
    ).split()
)
# Of these, some may open a description when a noun follows: "the maximum height", "constant of integration".
MAY_OPEN = frozenset(
    (
        "maximum minimum first second third last next normal constant reduced applied given measured left right "
        "known fixed real positive negative lower higher larger smaller unknown infinite finite dimensionless set "
        "small opposite best most added assumed calculated produced required left-hand even odd moving acting zero "
        "same different perpendicular parallel dependent independent large least result"
    ).split()
)
# A description whose whole first noun is one of these says nothing.
USELESS_NOUNS = frozenset(
    (
        "same one case answer result reason way thing equation expression formula sum product quotient statement "
        "step solution definition fact question problem example symbol variable letter quantity value values side "
        "slope-intercept key following only unit units dependent independent subject abbreviation notation"
    ).split()
)

# What ends a noun phrase when it is read forwards: clauses, verbs, remarks.
PHRASE_ENDS = frozenset(
    (
        "which that who whose where when whenever if because since so while but thus hence then therefore however "
        "although though unless until whereas is are was were be has have had can could will would must should may "
        "might does do did gives give given equals depends varies increases decreases becomes remains means shows "
        "yields defined expressed measured called known taken assumed usually often such i.e e.g ie eg viz namely "
        "here we you it they there respectively not see let using denoted represented equal used say also both "
        "having being itself themselves alone only again now shown calculated determined obtained found sometimes "
        "typically generally normally approximately note recall as"
    ).split()
)
# What ends a noun phrase when it is read backwards from a symbol.
BEFORE_STOPS = frozenset(
    (
        "is are was were be been being has have had having do does did can could will would shall should may might "
        "must if when while because since so that which who whose where what how why then thus hence therefore and "
        "or but nor not than as in on at by to for from with without into onto over under between through about "
        "against during per via within along across around above below behind beyond near toward towards until "
        "after before it we you they he she i us them him me there here let suppose assume consider find solve "
        "calculate compute determine substitute substituting plug plugging use using apply applying gives give "
        "giving get gets getting obtain obtains yields yield equals equal means mean's call called denote denoted "
        "denotes represent represents represented define defined express expressed write written set setting take "
        "taking taken make makes made know known knowing need needs want see seen show shown shows note recall "
        "namely i.e e.g also only just simply now again both either neither such exceeds increases decreases "
        "depends varies becomes remains approaches reaches exerts exert produces causes experiences acquires "
        "carries carrying multiply multiplied multiplying divide divided dividing add added adding subtract "
        "subtracting isolate replace replacing choose chosen given like unlike versus vs times plus minus "
        "respectively whether although though however moreover travels moves moving passes falls rotates located "
        "placed labeled labelled named once due first next finally measure measures plot plots plotted contains "
        "contain containing describes describe relates relate relating doubling increasing decreasing changing "
        "rearranging solving finding calculating evaluating eliminate eliminating evaluate satisfies satisfy "
        "involves includes include including follows say says vs. no out up down off transfers considering "
        "assuming supposing keeping holding combining comparing requires require place put move bring push "
        "increase decrease reduces "
        "reduce affects affect determines changes acts acting nearest"
    ).split()
)
# Things a letter labels without meaning a quantity: "point A", "Figure B", "the x axis".
LABELLED_THINGS = frozenset(
    (
        "figure fig table point points axis axes plane case part parts step equation equations eq eqs section "
        "chapter example problem question option choice quadrant system body bodies object objects particle "
        "particles car cars block blocks planet vitamin group node line lines circle set sets event events state "
        "region position letter symbol variable variables curve graph path loop team person ball box wire charges' "
        "station side sides terminal resistor capacitor inductor switch lamp bulb appendix type class grade level "
        "hypothesis phase component species substance element compound reactant product gas liquid solution process "
        "observer frame satellite spring springs rod string cord pulley container tank tube pipe layer surface end "
        "corner vertex angle's triangle row column cell sample population matrix vector vectors function functions "
        "value values equation's term terms expression formula quantity quantities number direction directions unit "
        "units method law theorem rule test model series form forms identity basis operator interval solid sphere "
        "cylinder beam member reaction atom atoms ion molecule molecules proton electron neutron nucleus source "
        "slit lens mirror ray wave waves coil circuit plate plates constant constants parameter parameters "
        "coefficients factor exponent result ratio sum difference slope's material medium bond stock asset firm "
        "company country player project gene allele chart diagram image photo exercise unknown unknowns index "
        "indices subscripts letters symbols notation subscript"
    ).split()
)
# What stands after a letter that is no symbol of a quantity: "x axis", "y-direction".
AFTER_LABELS = frozenset(
    ("axis", "axes", "direction", "directions", "plane", "component", "components", "coordinate", "coordinates")
)
AUXILIARIES = frozenset(
    "is are was were be been often usually commonly generally sometimes conventionally typically normally here".split()
)
PASSIVE_NAMING = frozenset("denoted represented symbolized symbolised designated abbreviated written indicated".split())
ABBREVIATIONS = frozenset("e.g i.e eq eqs fig figs approx vs no cf resp dr mr st ch sec ref refs et al viz".split())
PLAIN_ACRONYM_LENGTH = 6
RESPECTIVE_HINTS = frozenset(("respectively", "resp"))
NOMENCLATURE_HEADINGS = (
    "nomenclature", "notation", "list of symbols", "symbols", "symbol", "variables", "variable definitions",
    "definitions of variables", "definition of variables", "glossary of symbols", "legend", "key to symbols",
    "symbol table",
    "symbols and units", "symbols used", "notation and units", "quantities and units", "quantities and symbols",
    "definition of symbols", "definitions of symbols", "symbols and notation", "notations", "nomenclature and units",
    "notation and symbols", "list of variables", "table of symbols", "glossary of notation", "variable key",
)  # fmt: skip
CELESTIAL_BODIES = frozenset(
    "Earth Sun Moon Mercury Venus Mars Jupiter Saturn Uranus Neptune Pluto Ceres Eris Titan Europa".split()
)
