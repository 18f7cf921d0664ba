"""How the symbols of the dictionaries are written: signs between, before and around, names of functions, and templates.

Tables only. A template names its arguments by place: `{0}` where anything may stand, `{0:power}` where only what holds
as tightly as a power may stand without parentheses. What is in no table is written as a name in front of its arguments.
"""

from __future__ import annotations

# How tightly a text holds together, loosest first.
LEVELS = ("statement", "implies", "or", "and", "relation", "sum", "product", "power", "scripted", "atom", "fenced")
STATEMENT, IMPLIES, OR, AND, RELATION, SUM, PRODUCT, POWER, SCRIPTED, ATOM, FENCED = range(len(LEVELS))


def _each(dictionaries: str, table: dict[str, str]) -> dict[str, str]:
    """The same names in several dictionaries."""
    return {f"{each}:{name}": text for each in dictionaries.split() for name, text in table.items()}


def _infixes(level: int, dictionaries: str, table: dict[str, str]) -> dict[str, tuple[str, int]]:
    return {name: (sign, level) for name, sign in _each(dictionaries, table).items()}


# Written between the arguments, however many there are.
INFIX: dict[str, tuple[str, int]] = {
    "arith1:plus": (" + ", SUM),
    "arith1:minus": (" - ", SUM),
    "arith1:times": (r" \, ", PRODUCT),
    "arith2:times": (r" \, ", PRODUCT),
    **_infixes(AND, "logic1", {"and": r" \wedge "}),
    **_infixes(OR, "logic1", {"or": r" \vee ", "xor": r" \oplus ", "nor": r" \downarrow ", "nand": r" \uparrow "}),
    **_infixes(IMPLIES, "logic1", {"implies": r" \Rightarrow ", "equivalent": r" \Leftrightarrow "}),
    **_infixes(IMPLIES, "logic1", {"xnor": r" \odot "}),
    **_infixes(RELATION, "relation1", {"eq": " = ", "neq": r" \neq ", "lt": " < ", "gt": " > "}),
    **_infixes(RELATION, "relation1", {"leq": r" \leq ", "le": r" \leq ", "geq": r" \geq ", "approx": r" \approx "}),
    **_infixes(RELATION, "arith1 relation2", {"eq": " = "}),
    **_infixes(RELATION, "set1 multiset1 list2 list3", {"in": r" \in ", "notin": r" \notin "}),
    **_infixes(RELATION, "set1 multiset1", {"subset": r" \subseteq ", "prsubset": r" \subset "}),
    **_infixes(RELATION, "set1 multiset1", {"notsubset": r" \not\subseteq ", "notprsubset": r" \not\subset "}),
    **_infixes(SUM, "set1 multiset1", {"union": r" \cup ", "intersect": r" \cap ", "setdiff": r" \setminus "}),
    **_infixes(PRODUCT, "set1 multiset1", {"cartesian_product": r" \times "}),
    **_infixes(RELATION, "integer1 integer2", {"factorof": r" \mid ", "divides": r" \mid "}),
    **_infixes(RELATION, "polynomial2", {"divides": r" \mid "}),
    **_infixes(RELATION, "group2 ring2 field2 monoid2 semigroup2 magma2", {"isomorphic": r" \cong "}),
    **_infixes(RELATION, "plangeo1", {"incident": r" \mathrel{\mathrm{I}} "}),
    **_infixes(PRODUCT, "fns1 permutation1", {"left_compose": r" \circ "}),
    **_infixes(PRODUCT, "linalg1", {"vectorproduct": r" \times ", "scalarproduct": r" \cdot "}),
    **_infixes(PRODUCT, "linalg1 linalg6", {"outerproduct": r" \otimes ", "matrix_tensor": r" \otimes "}),
    **_infixes(PRODUCT, "linalg6", {"vector_tensor": r" \otimes "}),
    **_infixes(
        SUM, "list2 list3 list4", {"concatenate": r" \mathbin{+\!\!+} ", "concatenation": r" \mathbin{+\!\!+} "}
    ),
    "list2:append": (r" \mathbin{+\!\!+} ", SUM),
    "list2:cons": (r" : ", SUM),
    "integer1:remainder": (r" \bmod ", PRODUCT),
}

CONSTANTS: dict[str, str] = {
    "alg1:zero": "0",
    "alg1:one": "1",
    **_each("nums1", {"pi": r"\pi", "e": "e", "i": "i", "infinity": r"\infty", "gamma": r"\gamma"}),
    "nums1:NaN": r"\mathrm{NaN}",
    **_each("logic1", {"true": r"\top", "false": r"\bot"}),
    **_each("setname1", {name: rf"\mathbb{{{name}}}" for name in "NZQRCP"}),
    **_each("setname2", {"H": r"\mathbb{H}", "A": r"\mathbb{A}", "Boolean": r"\mathbb{B}"}),
    **_each("fieldname1", {name: rf"\mathbb{{{name}}}" for name in "QRC"}),
    **_each("ringname1", {"Z": r"\mathbb{Z}"}),
    **_each("ring3", {"integers": r"\mathbb{Z}"}),
    **_each("set1 multiset1", {"emptyset": r"\emptyset"}),
    "list2:nil": r"\langle\,\rangle",
    "fns1:identity": r"\mathrm{id}",
    "groupname1:quaternion_group": "Q_{8}",
    "permgp2:quaternion_group": "Q_{8}",
    "permgp2:vierer_group": "V_{4}",
    **_each("limit1", {"above": r"{}^{+}", "below": r"{}^{-}", "both_sides": "", "null": ""}),
    **_each(
        "units_metric1",
        {
            "metre": r"\mathrm{m}", "gramme": r"\mathrm{g}", "second": r"\mathrm{s}", "litre": r"\mathrm{L}",
            "Newton": r"\mathrm{N}", "Pascal": r"\mathrm{Pa}", "Coulomb": r"\mathrm{C}", "degree_Kelvin": r"\mathrm{K}",
            "degree_Celsius": r"{}^{\circ}\mathrm{C}", "metre_sqrd": r"\mathrm{m}^{2}",
            "metres_per_second": r"\mathrm{m/s}", "metres_per_second_sqrd": r"\mathrm{m/s}^{2}",
            "Newton_per_sqr_metre": r"\mathrm{N/m}^{2}", "litre_pre1964": r"\mathrm{L}_{1901}",
        },
    ),
    **_each(
        "units_time1",
        {
            "second": r"\mathrm{s}", "minute": r"\mathrm{min}", "hour": r"\mathrm{h}", "day": r"\mathrm{d}",
            "week": r"\mathrm{wk}", "calendar_month": r"\mathrm{month}", "calendar_year": r"\mathrm{year}",
        },
    ),
    **_each(
        "units_imperial1",
        {
            "foot": r"\mathrm{ft}", "yard": r"\mathrm{yd}", "mile": r"\mathrm{mi}", "acre": r"\mathrm{acre}",
            "pint": r"\mathrm{pt}", "miles_per_hr": r"\mathrm{mph}", "pound_mass": r"\mathrm{lb}",
            "pound_force": r"\mathrm{lbf}", "degree_Fahrenheit": r"{}^{\circ}\mathrm{F}", "bar": r"\mathrm{bar}",
            "miles_per_hr_sqrd": r"\mathrm{mi/h}^{2}",
        },
    ),
    **_each(
        "units_us1",
        {
            "foot_us_survey": r"\mathrm{ft}_{\mathrm{US}}", "yard_us_survey": r"\mathrm{yd}_{\mathrm{US}}",
            "mile_us_survey": r"\mathrm{mi}_{\mathrm{US}}", "acre_us_survey": r"\mathrm{acre}_{\mathrm{US}}",
            "pint_us_dry": r"\mathrm{pt}_{\mathrm{dry}}", "pint_us_liquid": r"\mathrm{pt}_{\mathrm{US}}",
        },
    ),
    **_each(
        "units_siprefix1",
        {
            "yotta": r"\mathrm{Y}", "zetta": r"\mathrm{Z}", "exa": r"\mathrm{E}", "peta": r"\mathrm{P}",
            "tera": r"\mathrm{T}", "giga": r"\mathrm{G}", "mega": r"\mathrm{M}", "kilo": r"\mathrm{k}",
            "hecto": r"\mathrm{h}", "deka": r"\mathrm{da}", "deci": r"\mathrm{d}", "centi": r"\mathrm{c}",
            "milli": r"\mathrm{m}", "micro": r"\mu", "nano": r"\mathrm{n}", "pico": r"\mathrm{p}",
            "femto": r"\mathrm{f}", "atto": r"\mathrm{a}", "zepto": r"\mathrm{z}", "yocto": r"\mathrm{y}",
        },
    ),
    **_each(
        "dimensions1",
        {
            name: rf"\mathsf{{{text}}}"
            for name, text in {
                "length": "L", "mass": "M", "time": "T", "temperature": r"\Theta", "current": "I", "charge": "Q",
                "voltage": "V", "area": "area", "volume": "volume", "speed": "speed", "velocity": "velocity",
                "acceleration": "acceleration", "displacement": "displacement", "force": "force", "energy": "energy",
                "power": "power", "pressure": "pressure", "density": "density", "momentum": "momentum",
                "concentration": "concentration", "resistance": "resistance",
            }.items()
        },
    ),
    **_each(
        "physical_consts1",
        {
            "speed_of_light": "c", "Planck_constant": "h", "gravitational_constant": "G", "light_year": r"\mathrm{ly}",
            "Avogadros_constant": r"N_{\mathrm{A}}", "Faradays_constant": "F", "Loschmidt_constant": "n_{0}",
            "magnetic_constant": r"\mu_{0}", "Boltzmann_constant": r"k_{\mathrm{B}}",
        },
    ),
}  # fmt: skip

# Names in front of their arguments, as text books print them.
FUNCTIONS: dict[str, str] = {
    **_each("transc1", {name: rf"\{name}" for name in "sin cos tan sec csc cot sinh cosh tanh coth exp ln".split()}),
    **_each("transc1", {name: rf"\operatorname{{{name}}}" for name in ("sech", "csch")}),
    **_each("transc1 transc2", {name: rf"\{name}" for name in ("arcsin", "arccos", "arctan")}),
    **_each(
        "transc1",
        {f"arc{name}": rf"\operatorname{{arc{name}}}" for name in "sec csc cot sinh cosh tanh sech csch coth".split()},
    ),
    # The set of all values is written with a capital.
    **_each(
        "transc3",
        {
            f"arc{name}": rf"\operatorname{{Arc{name}}}"
            for name in "sin cos tan sec csc cot sinh cosh tanh sech csch coth".split()
        },
    ),
    "transc3:ln": r"\operatorname{Ln}",
    "transc2:unwind": r"\mathcal{K}",
    **_each("arith1 polynomial3 poly", {"gcd": r"\gcd", "lcm": r"\operatorname{lcm}"}),
    **_each("complex1", {"real": r"\operatorname{Re}", "imaginary": r"\operatorname{Im}", "argument": r"\arg"}),
    **_each("rounding1", {"trunc": r"\operatorname{trunc}", "round": r"\operatorname{round}"}),
    **_each("minmax1", {"min": r"\min", "max": r"\max"}),
    **_each("linalg1 linalg5", {"determinant": r"\det"}),
    **_each("linalg4 linalg5 linalgrank1", {"rank": r"\operatorname{rank}"}),
    **_each("linalg3 linalg4", {"rowcount": r"\operatorname{rows}", "columncount": r"\operatorname{columns}"}),
    **_each("linalg3 linalg4", {"size": r"\dim"}),
    **_each("linalg4mat linalg5", {"scalar": r"\operatorname{scalar}", "constant": r"\operatorname{constant}"}),
    **_each("linalg4vec", {"constant": r"\operatorname{constant}"}),
    **_each("linalgrank1", {"kernel_matrix": r"\ker"}),
    **_each("fns1", {"domain": r"\operatorname{dom}", "range": r"\operatorname{ran}", "image": r"\operatorname{im}"}),
    **_each("fns2 ring3", {"kernel": r"\ker"}),
    **_each("poly polynomial1", {"degree": r"\deg"}),
    **_each("poly polynomial1", {"leading_coefficient": r"\operatorname{lc}", "leading_term": r"\operatorname{lt}"}),
    **_each("polynomial1", {"leading_monomial": r"\operatorname{lm}"}),
    **_each("poly", {"resultant": r"\operatorname{res}", "discriminant": r"\operatorname{disc}"}),
    **_each("permutation1", {"sign": r"\operatorname{sgn}", "order": r"\operatorname{ord}"}),
    **_each("permutation1", {"cycle_type": r"\operatorname{cycletype}"}),
    **_each("list2 list4", {"reverse": r"\operatorname{reverse}", "first": r"\operatorname{head}"}),
    **_each("list2", {"rest": r"\operatorname{tail}"}),
    **_each("group3", {"center": "Z", "centralizer": "C", "normalizer": "N"}),
    "veccalc1:divergence": r"\operatorname{div}",
    "s_data1:sdev": r"\operatorname{sd}",
    "s_dist1:sdev": r"\operatorname{sd}",
    "s_data1:variance": r"\operatorname{var}",
    "s_dist1:variance": r"\operatorname{var}",
    "s_data1:mean": r"\operatorname{mean}",
    "s_dist1:mean": r"\operatorname{E}",
    "graph1:vertexset": "V",
    "graph1:edgeset": "E",
}

# (arguments that must be there, template, how tightly it holds). The same name may be written by number of arguments.
TEMPLATES: dict[tuple[str, int], tuple[str, int]] = {
    ("fns1:identity", 1): (r"\mathrm{{id}}\left({0}\right)", ATOM),
    ("arith1:unary_minus", 1): ("-{0:product}", SUM),
    ("arith1:divide", 2): (r"\frac{{{0}}}{{{1}}}", PRODUCT),
    ("nums1:rational", 2): (r"\frac{{{0}}}{{{1}}}", PRODUCT),
    ("arith1:power", 2): ("{0:scripted}^{{{1}}}", POWER),
    ("arith1:abs", 1): (r"\left|{0}\right|", ATOM),
    ("arith1:root", 2): (r"\sqrt[{1}]{{{0}}}", ATOM),
    ("arith2:inverse", 1): ("{0:scripted}^{{-1}}", POWER),
    ("bigfloat1:bigfloat", 3): (r"{0:product} \times {1:scripted}^{{{2}}}", PRODUCT),
    ("logic1:not", 1): (r"\neg {0:power}", RELATION),
    ("complex1:complex_cartesian", 2): (r"{0:sum} + {1:product} \, i", SUM),
    ("complex1:complex_polar", 2): (r"{0:power} \, e^{{i \, {1:power}}}", PRODUCT),
    ("complex1:conjugate", 1): (r"\overline{{{0}}}", ATOM),
    ("integer1:factorial", 1): ("{0:atom}!", POWER),
    ("integer1:quotient", 2): (r"{0:power} \mathbin{{\mathrm{{div}}}} {1:power}", PRODUCT),
    ("combinat1:binomial", 2): (r"\binom{{{0}}}{{{1}}}", ATOM),
    ("combinat1:Stirling1", 2): (r"s\left({0}, {1}\right)", ATOM),
    ("combinat1:Stirling2", 2): (r"S\left({0}, {1}\right)", ATOM),
    ("combinat1:Fibonacci", 1): ("F_{{{0}}}", SCRIPTED),
    ("combinat1:Bell", 1): ("B_{{{0}}}", SCRIPTED),
    ("interval1:integer_interval", 2): (r"\left\{{{0}, \ldots, {1}\right\}}", ATOM),
    ("interval1:interval", 2): (r"\left\langle {0}, {1} \right\rangle", ATOM),
    ("interval1:ordered_interval", 2): (r"\left[{0}, {1}\right]", ATOM),
    ("interval1:interval_cc", 2): (r"\left[{0}, {1}\right]", ATOM),
    ("interval1:interval_oo", 2): (r"\left({0}, {1}\right)", ATOM),
    ("interval1:interval_oc", 2): (r"\left({0}, {1}\right]", ATOM),
    ("interval1:interval_co", 2): (r"\left[{0}, {1}\right)", ATOM),
    ("rounding1:floor", 1): (r"\left\lfloor {0} \right\rfloor", ATOM),
    ("rounding1:ceiling", 1): (r"\left\lceil {0} \right\rceil", ATOM),
    ("set1:size", 1): (r"\left|{0}\right|", ATOM),
    ("list3:length", 1): (r"\left|{0}\right|", ATOM),
    ("set2:lift_binary", 1): (r"{0:scripted}^{{*}}", POWER),
    ("set3:powerset", 1): (r"\mathcal{{P}}\left({0}\right)", ATOM),
    ("set3:big_intersect", 1): (r"\bigcap {0:power}", POWER),
    ("set3:big_union", 1): (r"\bigcup {0:power}", POWER),
    ("transc1:log", 2): (r"\log_{{{0}}}\left({1}\right)", POWER),
    ("transc3:log", 2): (r"\operatorname{{Log}}_{{{0}}}\left({1}\right)", POWER),
    ("fns1:inverse", 1): ("{0:scripted}^{{-1}}", POWER),
    ("fns1:restriction", 2): (r"{0:atom}|_{{{1}}}", POWER),
    ("fns2:right_compose", 2): (r"{1:power} \circ {0:power}", PRODUCT),
    ("fns3:function", 3): (r"\left({2} \colon {0} \to {1}\right)", ATOM),
    ("fns3:specification", 1): (r"\operatorname{{graph}}\left({0}\right)", ATOM),
    ("calculus1:nthdiff", 2): (r"{1:scripted}^{{\left({0}\right)}}", POWER),
    ("calculus1:diff", 1): (r"{0:atom}'", POWER),
    ("calculus1:int", 1): (r"\int {0:power}", POWER),
    ("calculus1:partialdiff", 2): (r"\partial_{{{0}}} {1:power}", POWER),
    ("veccalc1:curl", 1): (r"\nabla \times {0:power}", PRODUCT),
    ("linalg1:vector_selector", 2): ("{1:atom}_{{{0}}}", SCRIPTED),
    ("linalg1:matrix_selector", 3): ("{2:atom}_{{{0}, {1}}}", SCRIPTED),
    ("linalg1:transpose", 1): (r"{0:scripted}^{{\mathsf{{T}}}}", POWER),
    ("list3:list_selector", 2): ("{1:atom}_{{{0}}}", SCRIPTED),
    ("list2:list_selector", 2): ("{1:atom}_{{{0}}}", SCRIPTED),
    ("list3:entry", 2): ("{0:atom}_{{{1}}}", SCRIPTED),
    ("list4:entry", 2): ("{0:atom}_{{{1}}}", SCRIPTED),
    ("list3:append", 2): (r"{0:sum} \mathbin{{+\!\!+}} \langle {1} \rangle", SUM),
    ("linalg4mat:identity", 1): ("I_{{{0}}}", SCRIPTED),
    ("linalg5:identity", 1): ("I_{{{0}}}", SCRIPTED),
    ("linalg4mat:zero", 2): (r"0_{{{0} \times {1}}}", SCRIPTED),
    ("linalg5:zero", 2): (r"0_{{{0} \times {1}}}", SCRIPTED),
    ("linalg4vec:zero", 1): ("0_{{{0}}}", SCRIPTED),
    ("linalg4:eigenvalue", 2): (r"\lambda_{{{1}}}\left({0}\right)", ATOM),
    ("linalgeig2:eigenvalue", 2): (r"\lambda_{{{1}}}\left({0}\right)", ATOM),
    ("linalg4:eigenvector", 2): (r"v_{{{1}}}\left({0}\right)", ATOM),
    ("linalgeig2:eigenvector", 2): (r"v_{{{1}}}\left({0}\right)", ATOM),
    ("linalgpoly1:characteristic_poly", 2): (r"\chi_{{{0}}}\left({1}\right)", ATOM),
    ("linalgpoly1:substitute", 2): (r"{0:atom}\left({1}\right)", ATOM),
    ("linalg4:characteristic_eqn", 1): (r"\chi_{{{0}}}", SCRIPTED),
    ("poly:degree_wrt", 2): (r"\deg_{{{1}}}\left({0}\right)", ATOM),
    ("poly:resultant", 3): (r"\operatorname{{res}}_{{{2}}}\left({0}, {1}\right)", ATOM),
    ("poly:discriminant", 2): (r"\operatorname{{disc}}_{{{1}}}\left({0}\right)", ATOM),
    ("poly:leading_coefficient", 2): (r"\operatorname{{lc}}_{{{1}}}\left({0}\right)", ATOM),
    ("polyr:polynomial_ring_r", 2): (r"{0:atom}\left[{1}\right]", ATOM),
    ("polyu:polynomial_ring_u", 2): (r"{0:atom}\left[{1}\right]", ATOM),
    ("polynomial2:eqmod", 3): (r"{0:sum} \equiv {1:sum} \pmod{{{2}}}", RELATION),
    ("setname2:Zm", 1): (r"\mathbb{{Z}}/{0:atom}\mathbb{{Z}}", PRODUCT),
    ("setname2:GFp", 1): (r"\mathbb{{F}}_{{{0}}}", SCRIPTED),
    ("setname2:QuotientField", 1): (r"\operatorname{{Frac}}\left({0}\right)", ATOM),
    ("units_ops1:prefix", 2): ("{0:atom}{1:atom}", ATOM),
    ("norm1:Euclidean_norm", 1): (r"\left\lVert {0} \right\rVert", ATOM),
    ("relation3:class", 3): (r"\left[{2}\right]_{{{1}}}", SCRIPTED),
    ("relation3:is_relation", 2): (r"{1:sum} \text{{ is a relation on }} {0:sum}", RELATION),
    ("relation3:is_transitive", 2): (r"{1:sum} \text{{ is transitive on }} {0:sum}", RELATION),
    ("relation3:is_reflexive", 2): (r"{1:sum} \text{{ is reflexive on }} {0:sum}", RELATION),
    ("relation3:is_symmetric", 2): (r"{1:sum} \text{{ is symmetric on }} {0:sum}", RELATION),
    ("relation3:is_equivalence", 2): (r"{1:sum} \text{{ is an equivalence on }} {0:sum}", RELATION),
    ("s_dist1:moment", 3): (r"\operatorname{{E}}\left(({2} - {1})^{{{0}}}\right)", ATOM),
    ("ring3:matrix_ring", 2): (r"{1:scripted}^{{{0} \times {0}}}", POWER),
    ("ring3:invertibles", 1): (r"{0:scripted}^{{\times}}", POWER),
    ("ring3:multiplicative_group", 1): (r"{0:scripted}^{{\times}}", POWER),
    ("group3:invertibles", 1): (r"{0:scripted}^{{\times}}", POWER),
    ("group3:quotient_group", 2): ("{0:power} / {1:power}", PRODUCT),
    ("ring3:quotient_ring", 2): ("{0:power} / {1:power}", PRODUCT),
    ("group3:derived_subgroup", 1): ("{0:atom}'", POWER),
    ("group3:symmetric_groupn", 1): ("S_{{{0}}}", SCRIPTED),
    ("permutation1:permutationsn", 1): ("S_{{{0}}}", SCRIPTED),
    ("groupname1:dihedral_group", 1): ("D_{{{0}}}", SCRIPTED),
    ("group4:left_coset", 3): (r"{2:power} \, {1:power}", PRODUCT),
    ("group4:right_coset", 3): (r"{1:power} \, {2:power}", PRODUCT),
    ("group4:are_conjugate", 3): (r"{1:sum} \sim_{{{0}}} {2:sum}", RELATION),
    ("group4:conjugacy_class", 2): (r"{1:scripted}^{{{0}}}", POWER),
    ("gp1:conjugacy_class", 2): (r"{1:scripted}^{{{0}}}", POWER),
}

_STRUCTURES = "gp1 group1 group2 ring1 ring2 field1 field2 monoid1 monoid2 semigroup1 semigroup2 magma1 magma2 graph2"
for _dictionary in _STRUCTURES.split():
    for _name, _count, _template, _level in (
        ("carrier", 1, r"\left|{0}\right|", ATOM),
        ("element_set", 1, r"\left|{0}\right|", ATOM),
        ("multiplication", 1, r"\cdot_{{{0}}}", SCRIPTED),
        ("multiplication", 3, r"{1:power} \cdot_{{{0}}} {2:power}", PRODUCT),
        ("identity", 1, "1_{{{0}}}", SCRIPTED),
        ("zero", 1, "0_{{{0}}}", SCRIPTED),
        ("expression", 2, r"\left({1}\right)_{{{0}}}", SCRIPTED),
        ("is_commutative", 1, r"{0:sum} \text{{ is commutative}}", RELATION),
        ("is_abelian", 1, r"{0:sum} \text{{ is commutative}}", RELATION),
        ("is_associative", 1, r"{0:sum} \text{{ is associative}}", RELATION),
        ("is_subring", 2, r"{1:sum} \text{{ is a subring of }} {0:sum}", RELATION),
        ("is_subgroup", 2, r"{1:sum} \leq {0:sum}", RELATION),
        ("is_normal", 2, r"{1:sum} \text{{ is normal in }} {0:sum}", RELATION),
        ("is_invertible", 2, r"{1:sum} \text{{ is invertible in }} {0:sum}", RELATION),
        ("left_divides", 3, r"{1:sum} \mid_{{{0}}} {2:sum}", RELATION),
        ("is_homomorphism", 3, r"{2:sum} \colon {0:sum} \to {1:sum} \text{{ is a homomorphism}}", RELATION),
        ("is_isomorphism", 3, r"{2:sum} \colon {0:sum} \to {1:sum} \text{{ is an isomorphism}}", RELATION),
        ("is_endomorphism", 2, r"{1:sum} \colon {0:sum} \to {0:sum} \text{{ is an endomorphism}}", RELATION),
        ("is_automorphism", 2, r"{1:sum} \colon {0:sum} \to {0:sum} \text{{ is an automorphism}}", RELATION),
        ("left_multiplication", 2, r"L_{{{1}}}", SCRIPTED),
        ("right_multiplication", 2, r"R_{{{1}}}", SCRIPTED),
        ("normal_closure", 2, r"\left\langle {1} \right\rangle^{{{0}}}", POWER),
    ):
        TEMPLATES[f"{_dictionary}:{_name}", _count] = (_template, _level)


def _sentence(level: int, table: dict[str, tuple[int, str]]) -> None:
    for names, (count, template) in table.items():
        for name in names.split():
            TEMPLATES[name, count] = (template, level)


_sentence(
    RELATION,
    {
        "linalgeig1:is_eigenvalue": (2, r"{1:sum} \text{{ is an eigenvalue of }} {0:sum}"),
        "linalgeig1:is_eigenvector": (2, r"{1:sum} \text{{ is an eigenvector of }} {0:sum}"),
        "order1:is_Dedekind": (1, r"{0:sum} \text{{ is a Dedekind domain}}"),
        "order1:is_nonzero_divisor": (2, r"{1:sum} \text{{ is no divisor of zero in }} {0:sum}"),
        "order1:is_principal_ideal_domain": (1, r"{0:sum} \text{{ is a principal ideal domain}}"),
        "ring3:is_ideal": (2, r"{1:sum} \text{{ is an ideal of }} {0:sum}"),
        "ring4:is_field": (1, r"{0:sum} \text{{ is a field}}"),
        "permutation1:is_permutation": (1, r"{0:sum} \text{{ is a permutation}}"),
        "plangeo4:is_affine": (1, r"{0:sum} \text{{ is affine}}"),
        "plangeo4:set_coordinates": (2, r"{0:sum} \text{{ has the coordinates }} {1:sum}"),
        "plangeo6:are_on_conic": (6, r"{0}, {1}, {2}, {3}, {4}, {5} \text{{ lie on a conic}}"),
    },
)
_sentence(
    SCRIPTED,
    {
        "monoid3:cyclic_monoid semigroup3:cyclic_semigroup": (2, "C_{{{0}, {1}}}"),
        "order1:ring_integers": (1, r"\mathcal{{O}}_{{{0}}}"),
        "ring3:principal_ideal": (2, r"\left({1}\right)_{{{0}}}"),
        "finfield1:conway_polynomial": (2, "C_{{{0}, {1}}}"),
        "finfield1:field_by_conway": (2, r"\mathbb{{F}}_{{{0:power}^{{{1}}}}}"),
        "group2:conjugation field2:conjugation": (2, "c_{{{1}}}"),
        "group2:right_inverse_multiplication": (2, "R_{{{1:scripted}^{{-1}}}}"),
        "monoid3:left_regular_representation semigroup3:left_regular_representation": (1, r"\Lambda_{{{0}}}"),
        "group5:right_quotient_map group5:left_quotient_map": (2, r"\pi_{{{0}/{1}}}"),
        "polyd1:poly_ring_d": (2, r"{0:atom}[X_{{1}}, \ldots, X_{{{1}}}]"),
        "ringname1:quaternions": (1, r"\mathbb{{H}}_{{{0}}}"),
    },
)
_sentence(
    POWER,
    {
        "monoid3:maps_monoid semigroup3:maps_semigroup": (1, "{0:scripted}^{{{0}}}"),
        "ring1:multiplicative_monoid": (1, r"{0:scripted}^{{\cdot}}"),
        "linalg5:transpose": (1, r"{0:scripted}^{{\mathsf{{T}}}}"),
    },
)
_sentence(
    PRODUCT,
    {
        "polynomial3:quotient": (2, r"{0:power} \mathbin{{\mathrm{{div}}}} {1:power}"),
        "polynomial3:remainder": (2, r"{0:power} \bmod {1:power}"),
        "permutation1:right_compose": (2, r"{1:power} \circ {0:power}"),
        "field3:field_by_poly": (2, r"{0:power} / \left({1}\right)"),
    },
)
for _name, _word in {
    "tridiagonal": "tridiag", "banded": "band", "symmetric": "sym", "skew-symmetric": "skew", "skew_symmetric": "skew",
    "Hermitian": "herm", "anti-Hermitian": "skewherm", "anti_Hermitian": "skewherm", "upper-triangular": "upper",
    "upper_triangular": "upper", "lower-triangular": "lower", "lower_triangular": "lower",
    "upper-Hessenberg": "uhess", "upper_Hessenberg": "uhess", "lower-Hessenberg": "lhess", "lower_Hessenberg": "lhess",
    "diagonal_matrix": "diag",
}.items():  # fmt: skip
    for _dictionary in ("linalg5", "linalgsym1", "linalgspec1", "linalgspec2"):
        FUNCTIONS[f"{_dictionary}:{_name}"] = rf"\operatorname{{{_word}}}"
FUNCTIONS.update(
    {
        "linalgeig1:eigenvalues": r"\operatorname{spec}",
        "plangeo3:midpoint": r"\operatorname{midpoint}",
        "plangeo3:center_of_gravity": r"\operatorname{centroid}",
        "polyslp:slp_degree": r"\deg",
        "combinat1:multinomial": r"\operatorname{multinomial}",
    }
)

# Constructors that are their arguments between delimiters.
FENCES: dict[str, tuple[str, str]] = {
    **{f"{each}:{name}": (r"\left\{", r"\right\}") for each in ("set1",) for name in ("set",)},
    "multiset1:multiset": (r"\left\{", r"\right\}_{+}"),
    "list1:list": (r"\left\langle ", r" \right\rangle"),
    "linalg2:vector": (r"\left(", r"\right)"),
    "permutation1:cycle": (r"\left(", r"\right)"),
    "group1:group": (r"\left(", r"\right)"),
    "gp1:declare_group": (r"\left(", r"\right)"),
    "ring1:ring": (r"\left(", r"\right)"),
    "field1:field": (r"\left(", r"\right)"),
    "monoid1:monoid": (r"\left(", r"\right)"),
    "semigroup1:semigroup": (r"\left(", r"\right)"),
    "magma1:magma": (r"\left(", r"\right)"),
    "permgp1:group": (r"\left\langle ", r" \right\rangle"),
    "ring3:ideal": (r"\left(", r"\right)"),
    "permut1:permutation": (r"\left(", r"\right)"),
}
QUANTIFIERS: dict[str, str] = {
    "quant1:forall": r"\forall",
    "quant1:exists": r"\exists",
    "quant1:exists_unique": r"\exists!",
}
