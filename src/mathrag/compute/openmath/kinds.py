"""What each variable of a statement stands for, by the places it takes: a number, a truth value, a set, a matrix, …

Every part of a statement gets a kind from the names around it; parts that must be of one kind share it. What nothing
decides is a number.
"""

from __future__ import annotations

from mathrag.types.statement import Application, Binding, DictionaryName, Literal, StatementTree, Variable

# Kinds of the arguments (the last stands for all that follow) and of the result. A capital letter is a kind that all
# places with the same letter share; `-` says nothing.
_SIGNATURES: dict[str, str] = {}


def _signatures(dictionaries: str, table: dict[str, str]) -> None:
    for each in dictionaries.split():
        for names, signature in table.items():
            for name in names.split():
                _SIGNATURES[f"{each}:{name}"] = signature


_signatures("logic1", {"and or not implies equivalent xor xnor nand nor": "truth > truth"})
_signatures("relation1", {"eq neq approx": "T > truth", "lt gt leq geq le": "number > truth"})
_signatures("arith1 arith2", {"plus minus unary_minus": "T > T", "times": "- > -"})
_signatures("arith1 nums1", {"power divide rational": "- > -", "root abs gcd lcm": "number > number"})
_signatures("set1", {"union intersect setdiff": "set > set", "subset prsubset notsubset notprsubset": "set > truth"})
_signatures("set1", {"in notin": "- set > truth", "size": "set > number", "cartesian_product": "set > set"})
_signatures("set1", {"suchthat": "set function > set", "map": "function set > set", "set": "- > set"})
_signatures("multiset1", {"union intersect setdiff": "multiset > multiset", "in notin": "- multiset > truth"})
_signatures("multiset1", {"subset prsubset notsubset notprsubset": "multiset > truth", "size": "multiset > number"})
_signatures("relation3", {"is_relation is_reflexive is_symmetric is_transitive is_equivalence": "set relation > truth"})
_signatures("relation3", {"class": "set relation - > set", "classes": "set relation > set"})
_signatures("integer1 combinat1 rounding1 transc1 transc2 complex1 bigfloat1", {
    "factorial remainder quotient binomial Stirling1 Stirling2 Fibonacci Bell": "number > number",
    "factorof": "number > truth", "floor ceiling round trunc": "number > number",
    "exp ln log sin cos tan sec csc cot sinh cosh tanh sech csch coth arctan unwind bigfloat": "number > number",
    "real imaginary argument conjugate complex_cartesian complex_polar": "number > number",
})  # fmt: skip
_signatures("interval1", {"integer_interval interval interval_cc interval_oo interval_oc interval_co": "number > set"})
_signatures("list1", {"list": "- > list", "map": "function list > list"})
_signatures("list2 list3 list4", {
    "first": "list > -", "rest reverse": "list > list", "cons": "- list > list", "concatenate": "list > list",
    "list_selector": "place list > -", "entry": "list place > -", "length size": "list > number",
    "in": "- list > truth",
})  # fmt: skip
_signatures("list2", {"append": "list > list"})
_signatures("list3", {"append": "list - > list"})
_signatures("linalg1", {
    "vector_selector": "place vector > -", "matrix_selector": "place place matrix > number",
    "determinant": "matrix > number", "transpose": "T > T", "vectorproduct": "vector > vector",
    "scalarproduct": "vector > number", "outerproduct": "vector > matrix",
})  # fmt: skip
_signatures("linalg3 linalg4", {"rowcount columncount": "matrix > number", "size": "vector > number"})
_signatures("linalg4 linalg5 linalgrank1", {"rank": "matrix > number"})
_signatures("linalg6", {"matrix_tensor": "matrix > matrix"})
_signatures("linalg4mat linalg5", {"identity zero scalar constant": "number > matrix"})
_signatures("linalg4vec", {"zero constant": "number > vector"})
_signatures("linalg2 linalg2col", {"vector": "number > vector"})
_signatures("linalg5 linalgsym1", {"symmetric Hermitian": "triangle > matrix"})
_signatures("linalg5 linalgsym1", {"skew-symmetric skew_symmetric anti-Hermitian anti_Hermitian": "triangle > matrix"})
_signatures(
    "linalg5 linalgspec1", {"upper-triangular upper_triangular lower-triangular lower_triangular": "triangle > matrix"}
)
_signatures("calculus1", {"diff int": "function > function", "nthdiff": "number function > function"})
_signatures("calculus1", {"defint": "set function > number"})
_signatures("fns1", {"domain range image": "map > set", "restriction": "map set > map", "inverse": "map > map"})
_signatures("fns1 fns2", {"left_compose right_compose": "function > function", "kernel": "map > set"})
_signatures("fns3", {"function": "set set function > map"})
_signatures("set3", {"powerset big_intersect big_union": "set > set"})
_signatures("linalgrank1", {"kernel_matrix": "matrix > matrix"})
_signatures("fns2", {"apply_to_list": "function list > -", "predicate_on_list": "predicate list > truth"})
_signatures("s_dist1", {"mean sdev variance": "distribution > number", "moment": "number number distribution > number"})
_signatures("units_ops1", {"prefix": "- unit > unit"})
for _each in "semigroup monoid magma group".split():
    _signatures(f"{_each}1", {"carrier": f"{_each} > set", "multiplication": f"{_each} > operation"})
    _signatures(f"{_each}1", {"identity": f"{_each} > -", "is_commutative is_associative": f"{_each} > truth"})
    _signatures(f"{_each}1", {"is_invertible": f"{_each} - > truth"})
    _signatures(f"{_each}2", {"is_endomorphism is_automorphism": f"{_each} endomap > truth"})
    _signatures(f"{_each}2", {"is_homomorphism is_isomorphism": f"{_each} {_each} endomap > truth"})
    _signatures(f"{_each}2", {"left_multiplication right_multiplication": f"{_each} - > function"})


def gives_truth(full: str) -> bool:
    """Whether what a name gives may be a truth value: it does, or nothing is known of it."""
    return _SIGNATURES.get(full, "> truth").endswith(("> truth", "> -")) and not full.startswith("arith")


_signatures("group3", {"center": "group > set", "centralizer": "group - > set"})


class _Cells:
    """Parts that share a kind: joined pairwise, each group with at most one kind."""

    def __init__(self) -> None:
        self.parents: list[int] = []
        self.kinds: list[str] = []

    def new(self, kind: str = "") -> int:
        self.parents.append(len(self.parents))
        self.kinds.append(kind)
        return len(self.parents) - 1

    def root(self, cell: int) -> int:
        while self.parents[cell] != cell:
            self.parents[cell] = self.parents[self.parents[cell]]
            cell = self.parents[cell]
        return cell

    def join(self, first: int, second: int) -> None:
        a, b = self.root(first), self.root(second)
        if a != b:
            self.parents[b] = a
            self.kinds[a] = _narrower(self.kinds[a], self.kinds[b])

    def mark(self, cell: int, kind: str) -> None:
        place = self.root(cell)
        self.kinds[place] = _narrower(self.kinds[place], kind)


# The more special of two kinds that a part may have at once.
_NARROWER = {
    frozenset(("function", each)): each for each in ("map", "distribution", "predicate", "operation", "endomap")
} | {frozenset(("vector", "triangle")): "triangle", frozenset(("number", "place")): "place"}


# What sources say of a variable; any other type is one of which nothing is drawn.
_TYPES = {
    "mathmltypes:matrix_type": "matrix", "mathmltypes:vector_type": "vector", "mathmltypes:real_type": "number",
    "mathmltypes:complex_cartesian_type": "number", "mathmltypes:list_type": "list", "mathmltypes:set_type": "set",
}  # fmt: skip


def _narrower(first: str, second: str) -> str:
    return _NARROWER.get(frozenset((first, second)), first or second)


def kinds_of(tree: StatementTree) -> dict[str, str]:
    """The kind of every variable by its name; bound ones included, since names are rarely used twice."""
    cells, variables = _Cells(), dict[str, int]()
    _visit(tree, cells, variables)
    return {name: cells.kinds[cells.root(cell)] or "number" for name, cell in variables.items()}


def _visit(tree: StatementTree, cells: _Cells, variables: dict[str, int]) -> int:
    """The cell of a part, its parts visited."""
    match tree:
        case Variable(name, kind):
            cell = variables.setdefault(name, cells.new())
            if kind is not None:
                cells.mark(cell, _TYPES.get(kind.full, "typed") if isinstance(kind, DictionaryName) else "typed")
            return cell
        case Literal():
            return cells.new("number")
        case DictionaryName(_, symbol):
            return cells.new(
                {"true": "truth", "false": "truth", "emptyset": _empty(tree), "nil": "list"}.get(symbol, "")
            )
        case Application(DictionaryName() as head, arguments):
            return _known(head.full, [_visit(each, cells, variables) for each in arguments], cells)
        case Application(head, arguments):
            cells.mark(_visit(head, cells, variables), "function")
            for each in arguments:
                _visit(each, cells, variables)
            return cells.new()
        case Binding(binder, bound, body):
            for each in bound:
                _visit(each, cells, variables)
            inner = _visit(body, cells, variables)
            is_statement = isinstance(binder, DictionaryName) and binder.dictionary == "quant1"
            if is_statement:
                cells.mark(inner, "truth")
            return cells.new("truth" if is_statement else "function")
        case _:
            return cells.new()


def _empty(name: DictionaryName) -> str:
    return "multiset" if name.dictionary == "multiset1" else "set"


def _known(full: str, arguments: list[int], cells: _Cells) -> int:
    result = cells.new()
    if full == "arith1:times" or full == "arith2:times":
        return result
    signature = _SIGNATURES.get(full)
    if signature is None:
        return result
    places, _, given = signature.partition(" > ")
    wanted = places.split()
    shared: dict[str, int] = {}
    pairs = [(cell, wanted[min(place, len(wanted) - 1)]) for place, cell in enumerate(arguments)]
    for cell, kind in (*pairs, (result, given)):
        if len(kind) == 1 and kind.isupper():
            cells.join(shared.setdefault(kind, cell), cell)
        elif kind != "-":
            cells.mark(cell, kind)
    return result
