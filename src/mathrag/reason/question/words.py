"""English words that matter for reading a question: stops, verbs that ask, words that measure. No logic here."""

from __future__ import annotations


def _words(*lines: str) -> frozenset[str]:
    return frozenset(word for line in lines for word in line.split())


ARTICLES = _words("the a an its his her their my our your this that these those some any each every another both")
AUXILIARIES = _words(
    "is are was were be been being am do does did has have had having will would shall should must can could may",
    "might",
    "isnt arent dont doesnt didnt wont",
)
PREPOSITIONS = _words(
    "of in on at for from to into onto with by through over under between across along around during after before",
    "about against per within without inside outside above below behind toward towards near off upon via up down",
    "out than as",
    "until since beyond among",
)
SUBORDINATORS = _words(
    "if when while given assuming using because where whose which who that so once suppose supposing knowing provided",
    "but although though whereas then unless until considering",
)
CONJUNCTIONS = _words("and or plus nor")
PRONOUNS = _words("it he she they i we you me him them us there here one ones itself themselves myself someone")
FILLERS = _words(
    "please just actually exactly approximately roughly about around nearly only now then also still really basically",
    "simply together currently already only very quite rather even more most less much many such same new not no yes",
    "hey ok okay well so like need needs required necessary able let lets say",
)
STOP_WORDS = (
    ARTICLES
    | AUXILIARIES
    | PREPOSITIONS
    | SUBORDINATORS
    | CONJUNCTIONS
    | PRONOUNS
    | FILLERS
    | _words(
        "what how why whom whats hows wheres thats theres whos im ive hes shes youre theyre gonna wanna lot lots",
        "bit kind sort thing things get gets got",
        "getting go goes going gone went come comes coming came make makes made making take takes took taken",
        "taking give",
        "gives gave given find found compute calculate determine use used uses using apply out tell show know value",
        "question answer result respectively s t m d ll ve re",
    )
)
# Verbs that ask for what follows, when they open a clause.
ASKING_VERBS = _words(
    "find compute calculate determine evaluate estimate obtain get give locate predict derive tell show deduce state",
    "solve express need want know figure work calc wanna seek identify report assess",
)
# What may stand before an asking verb without making it a plain verb of the story.
BEFORE_ASKING = _words(
    "to and then please you me i us let now just also can could would help so pls kindly must should we lets first"
)
SIZES = _words("large big great strong small high low good much intense long wide severe steep tall heavy fast")
GENERIC_HEADS = _words(
    "value magnitude size amount number quantity level strength figure result name numerical total maximum minimum",
    "expected new final initial answer thing sort kind type reading",
)
# Adjectives behind a value, and the noun that they measure.
MEASURES = {
    "long": "length",
    "wide": "width",
    "broad": "width",
    "tall": "height",
    "high": "height",
    "deep": "depth",
    "thick": "thickness",
    "apart": "separation distance",
    "away": "distance",
    "old": "age",
    "heavy": "weight",
    "fast": "speed",
    "distant": "distance",
    "across": "diameter",
    "later": "elapsed time",
}
MEASURING_VERBS = {
    "weigh": "mass",
    "weighs": "mass",
    "weighing": "mass",
    "cost": "price",
    "costs": "price",
    "costing": "price",
}
RISING = _words(
    "rise rises rising rose risen increase increases increased increasing raise raises raised raising heat heats",
    "heated",
    "heating warm warms warmed warming grow grows grew grown growing climb climbs climbed climbing expand expands",
    "expanded expanding accelerate accelerates accelerated accelerating speed speeds sped jump jumps jumped",
)
FALLING = _words(
    "fall falls fell fallen falling drop drops dropped dropping decrease decreases decreased decreasing lower lowers",
    "lowered lowering cool cools cooled cooling shrink shrinks shrank shrunk compress compresses compressed",
    "compressing",
    "reduce reduces reduced reducing slow slows slowed slowing decline declines declined decelerate decelerates",
    "decelerated sink sinks sank contract contracts contracted",
)
CHANGING = (
    RISING
    | FALLING
    | _words(
        "change changes changed changing go goes going went vary varies varied turn turns turned bring brings brought",
        "stretch stretches stretched stretching extend extends extended elongate elongated bend bent squeeze squeezed",
        "differ differs adjust adjusted dilute diluted diluting evolve",
    )
)
# Verbs behind the name of a quantity, which then is their subject: "what force acts", "what volume comes out".
DOING = _words(
    "acts appears applies arises brings comes cools corresponds counts develops drives emerges flows follows gives",
    "goes heats holds keeps leaves lifts makes matters moves needs occurs passes prevails produces pulls pushes raises",
    "reaches remains results stops takes warms",
)
CHANGE_NOUNS = _words("change difference increase decrease rise drop gain fall reduction increment")
TOPIC_NOUNS = _words(
    "law equation formula theorem effect principle rule relation model approximation identity method definition",
    "isotherm",
    "expression inequality distribution criterion",
)
# Beginnings of words that say that something becomes slower.
SLOWING = ("slow", "decelerat", "brake", "braking", "retard")
