"""Statements tried at points: what holds, what fails and where, what cannot be told and why."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from test_openmath_printing import trees

from mathrag.compute.openmath import check_by_sampling, survey_folder, survey_of
from mathrag.compute.openmath.checking import LEAST_POINTS
from mathrag.types.statement import StatementTree
from openmath_samples import openmath

SHARED = Path(__file__).parents[4] / "shared" / "data" / "openmath-cds" / "cd"

KILOMETRE = "(arith1:times 1000 units_metric1:metre)"
HOLDING = [
    # Numbers of all kinds.
    "[quant1:forall <a b> (relation1:eq (arith1:times a b) (arith1:times b a))]",
    "(relation1:eq (arith1:power (arith1:plus a 1) 2) (arith1:plus (arith1:power a 2) (arith1:times 2 a) 1))",
    "(relation1:eq (arith1:plus (arith1:power (transc1:sin x) 2) (arith1:power (transc1:cos x) 2)) alg1:one)",
    "(relation1:eq (transc1:exp (arith1:plus a b)) (arith1:times (transc1:exp a) (transc1:exp b)))",
    (
        "(logic1:implies (logic1:and (relation1:lt a b) (relation1:gt c 0)) "
        "(relation1:lt (arith1:times a c) (arith1:times b c)))"
    ),
    "(logic1:implies (set1:in x (interval1:interval_oo 0 nums1:pi)) (relation1:gt (transc1:sin x) 0))",
    "(relation1:leq (arith1:abs (arith1:plus x y)) (arith1:plus (arith1:abs x) (arith1:abs y)))",
    # Whole numbers.
    (
        "(logic1:implies (logic1:and (relation1:gt a 0) (relation1:gt b 0)) "
        "(relation1:eq (arith1:times (arith1:gcd a b) (arith1:lcm a b)) (arith1:times a b)))"
    ),
    (
        "(relation1:eq (arith1:sum (interval1:integer_interval 1 n) [fns1:lambda <k> k]) "
        "(arith1:divide (arith1:times n (arith1:plus n 1)) 2))"
    ),
    "(relation1:eq (integer1:factorial (arith1:plus n 1)) (arith1:times (arith1:plus n 1) (integer1:factorial n)))",
    # Sets, lists, matrices, functions, units.
    "(relation1:eq (set1:setdiff A (set1:union B C)) (set1:intersect (set1:setdiff A B) (set1:setdiff A C)))",
    "(relation1:eq (list2:reverse (list2:reverse L)) L)",
    "(relation1:eq (linalg1:determinant (linalg1:transpose M)) (linalg1:determinant M))",
    "(relation1:eq (linalg1:vectorproduct v v) (linalg1:vectorproduct w w))",
    (
        "(relation1:eq ((calculus1:diff [fns1:lambda <t> (arith1:times 3 (f t))]) x) "
        "(arith1:times 3 ((calculus1:diff f) x)))"
    ),
    (
        "(relation1:eq (calculus1:defint (interval1:interval_cc 0 x) [fns1:lambda <t> (arith1:times 2 t)]) "
        "(arith1:power x 2))"
    ),
    "(relation1:eq ((calculus1:int [fns1:lambda <t> (transc1:cos t)]) x) (transc1:sin x))",
    "(relation1:eq (units_ops1:prefix units_siprefix1:kilo (units_ops1:prefix units_siprefix1:milli u)) u)",
    # Finite structures.
    "(logic1:implies (group2:is_automorphism G f) (group2:is_endomorphism G f))",
    "(logic1:implies (set1:in d (group3:center G)) (set1:in d (group1:carrier G)))",
    "(logic1:implies (set1:in a (group1:carrier G)) (logic1:and (group1:is_associative G) (group1:is_invertible G a)))",
    # All values of an inverse.
    "(relation1:eq (transc3:arcsin x) (set1:suchthat setname1:C [fns1:lambda <y> (relation1:eq (transc1:sin y) x)]))",
]
FAILING = [
    (
        "(relation1:eq (arith1:power (arith1:plus a b) 2) (arith1:plus (arith1:power a 2) (arith1:power b 2)))",
        {"a", "b"},
    ),
    ("(relation1:eq (transc1:sin (arith1:times 2 x)) (arith1:times 2 (transc1:sin x)))", {"x"}),
    ("[quant1:forall <x> (relation1:gt (arith1:power x 2) 0)]", {"x"}),
    ("(logic1:implies (set1:in n setname1:N) (set1:in (arith1:minus n 1) setname1:N))", {"n"}),
    ("(logic1:implies (logic1:and (relation1:leq a b) (relation1:leq b c)) (relation1:lt a c))", {"a", "b", "c"}),
    ("(relation1:eq (set1:setdiff A B) (set1:setdiff B A))", {"A", "B"}),
    ("(relation1:eq (arith1:times M N) (arith1:times N (linalg1:transpose (linalg1:transpose M))))", None),
    ("(relation1:eq (arith1:root (arith1:power x 2) 2) x)", {"x"}),
    ("(relation1:eq (transc1:ln (arith1:times a b)) (arith1:plus (transc1:ln a) (transc1:ln b)))", {"a", "b"}),
    ("(relation1:eq (list2:append L K) (list2:append K L))", {"L", "K"}),
    ("(logic1:implies (magma1:is_commutative M) (magma1:is_associative M))", {"M"}),
    ("(logic1:not [quant1:exists <c> (logic1:and (integer1:factorof a c) (relation1:gt c a))])", {"a", "c"}),
    ("(logic1:implies (set1:in a (group1:carrier G)) (set1:in a (group3:center G)))", {"a", "G"}),
    ("(logic1:implies (group2:is_endomorphism G f) (group2:is_automorphism G f))", {"G", "f"}),
]


@pytest.mark.parametrize("text", HOLDING)
def test_what_is_true_holds_at_many_points(text: str) -> None:
    check = check_by_sampling(openmath(text))
    assert check.outcome == "holds", check
    assert check.points >= LEAST_POINTS
    assert check.numbers


@pytest.mark.parametrize(("text", "names"), FAILING)
def test_what_is_false_fails_at_a_point_that_is_given(text: str, names: set[str] | None) -> None:
    check = check_by_sampling(openmath(text))
    if names is None:
        assert check.outcome != "holds"
        return
    assert check.outcome == "fails", check
    assert {name for name, _ in check.counterexample} == names


def test_a_group_in_which_the_order_matters_is_among_the_groups() -> None:
    check = check_by_sampling(openmath("(group1:is_commutative G)"))
    assert check.outcome == "fails", check
    assert check.counterexample == (("G", "motions of a triangle on 6 numbers"),)


def test_what_holds_on_a_branch_cut_from_one_side_only_is_no_failure() -> None:
    text = "(relation1:eq (transc1:ln (arith1:divide 1 z)) (arith1:unary_minus (transc1:ln z)))"
    check = check_by_sampling(openmath(text))
    assert check.outcome == "holds"
    assert "branch cuts" in check.reason
    # False on the cut and on both sides of it: no convention helps.
    half_turn = "(arith1:times nums1:pi nums1:i)"
    wrong = f"(relation1:eq (transc1:ln (arith1:unary_minus z)) (arith1:plus (transc1:ln z) {half_turn}))"
    assert check_by_sampling(openmath(wrong)).outcome == "fails"


@pytest.mark.parametrize(
    ("text", "outcome", "points", "numbers"),
    [
        ("(relation1:eq (arith1:gcd 6 9) 3)", "holds", 1, "no variables"),
        ("(relation1:eq (arith1:gcd 6 9) 6)", "fails", 1, "no variables"),
        ("(logic1:equivalent (logic1:implies p q) (logic1:or (logic1:not p) q))", "holds", 4, "all truth values"),
        ("(logic1:implies (logic1:or p q) p)", "fails", 2, ""),
        ("(logic1:implies (relation1:eq x 3) (relation1:eq (arith1:power x 2) 9))", "holds", 1, "the one value"),
        (
            f"(relation1:eq units_imperial1:mile (arith1:times 1.61 {KILOMETRE}))",
            "holds",
            1,
            "no variables, to",
        ),
        (
            "(relation1:eq (arith1:times 2 units_metric1:metre) (arith1:times 0.001 units_metric1:metre))",
            "fails",
            1,
            "no",
        ),
        (f"(relation1:eq units_imperial1:mile (arith1:times 1.62 {KILOMETRE}))", "fails", 1, "no variables"),
    ],
)
def test_what_has_few_points_says_so(text: str, outcome: str, points: int, numbers: str) -> None:
    check = check_by_sampling(openmath(text))
    assert (check.outcome, check.points) == (outcome, points), check
    assert check.numbers.startswith(numbers)
    if outcome == "fails":
        assert check.counterexample


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("(relation1:eq (made1:mystery x) x)", "made1:mystery"),
        ("(arith1:plus a b)", "a term"),
        ("x", "a term"),
        ("(logic1:implies (relation1:lt (arith1:power x 2) -1) (relation1:eq x 5))", "conditions do not hold"),
        ("(relation1:eq (logic1:and a 1) (set1:union B 2))", ""),
        ("(relation1:eq (linalg5:upper-triangular V) (linalg5:upper-triangular W))", "for all V, W or for some"),
        ("(logic1:equivalent (relation1:lt (arith1:abs x) 0) (relation1:gt 0 (arith1:abs x)))", "only ever false"),
        (
            "(logic1:implies (set1:in a setname1:R) [quant1:exists <b> (relation1:gt (arith1:times a b) 1)])",
            "quantifier",
        ),
        ("[quant1:exists <x> (relation1:eq (arith1:power x 5) (arith1:plus x 1))]", "more than can be tried"),
    ],
)
def test_what_cannot_be_told_has_a_reason(text: str, reason: str) -> None:
    check = check_by_sampling(openmath(text))
    assert check.outcome == "undecided", check
    assert check.reason
    assert reason in check.reason


def test_the_same_statement_has_the_same_outcome() -> None:
    tree = openmath("(relation1:eq (transc1:ln (arith1:times a b)) (arith1:plus (transc1:ln a) (transc1:ln b)))")
    assert check_by_sampling(tree) == check_by_sampling(tree)


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("(arith1:plus (transc1:cosh x) (transc1:sinh x))", "(arith1:minus (transc1:cosh x) (transc1:sinh x))"),
        ("(transc1:exp x)", "(transc1:exp (arith1:unary_minus x))"),
        ("(arith1:power nums1:e x)", "(arith1:power nums1:pi x)"),
    ],
)
def test_a_wrong_sign_is_seen(true: str, false: str) -> None:
    assert check_by_sampling(openmath(f"(relation1:eq (transc1:exp x) {true})")).outcome == "holds"
    assert check_by_sampling(openmath(f"(relation1:eq (transc1:exp x) {false})")).outcome == "fails"


@pytest.mark.slow
@given(trees)
@settings(max_examples=150, deadline=None)
def test_checking_never_raises(tree: StatementTree) -> None:
    check = check_by_sampling(tree)
    assert check.outcome != "undecided" or check.reason
    assert check.outcome != "fails" or check.counterexample


@pytest.mark.parametrize("nested", [300, 3 * sys.getrecursionlimit()])
def test_deep_trees_are_declined(nested: int) -> None:
    tree = openmath("(arith1:plus x 1)")
    from mathrag.types.statement import Application, DictionaryName

    for _ in range(nested):
        tree = Application(DictionaryName("arith1", "unary_minus"), (tree,))
    assert check_by_sampling(Application(DictionaryName("relation1", "eq"), (tree, tree))).outcome in (
        "holds",
        "undecided",
    )


def _nested(before: str, inner: str, after: str) -> str:
    for place in range(40):
        inner = before.replace("{}", str(place)) + inner + after
    return inner


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "(relation1:eq (arith1:power 9 (arith1:power 9 (arith1:power 9 9))) x)",
        "(relation1:eq (integer1:factorial (integer1:factorial (integer1:factorial 9))) x)",
        "(relation1:eq (arith1:sum (interval1:integer_interval 1 99999999) [fns1:lambda <k> k]) x)",
        "(relation1:eq (transc1:exp (transc1:exp (transc1:exp (transc1:exp 99)))) x)",
        "(relation1:eq (set3:powerset (set3:powerset (set3:powerset A))) A)",
        "(relation1:eq (linalg5:identity 99999) M)",
        "(relation1:eq (linalg1:determinant (linalg5:constant 12 1)) x)",
        f"(relation1:eq x {_nested('(arith1:sum (interval1:integer_interval 1 200) [fns1:lambda <k{}> ', 'x', '])')})",
        f"(relation1:eq x {_nested('(arith1:power ', '3', ' 99)')})",
        f"(relation1:eq x {_nested('(arith1:times (arith1:power 7 399) ', 'x', ')')})",
        f"(relation1:eq A {_nested('(set1:cartesian_product (interval1:integer_interval 1 90) ', 'A', ')')})",
        f"(relation1:eq A {_nested('(set1:union (interval1:integer_interval 1 200) ', 'A', ')')})",
        "(relation1:eq (combinat1:Stirling2 99999 99) x)",
        "(relation1:eq (transc1:sin 99999999999999999999999999999999999999999999999999) x)",
    ],
)
def test_vast_values_are_not_computed(text: str) -> None:
    assert check_by_sampling(openmath(text)).outcome != "holds"


def test_a_dictionary_is_surveyed() -> None:
    from openmath_samples import xml_of

    one, two = xml_of("(relation1:eq (arith1:plus a b) (arith1:plus b a))"), xml_of("(relation1:eq (made1:f x) x)")
    text = f"<CD><CDDefinition><Name> sum </Name><FMP>{one}</FMP><FMP>{two}</FMP></CDDefinition></CD>"
    survey = survey_of({"made1": text.encode()})
    assert [each.concept for each in survey.properties] == ["made1:sum", "made1:sum"]
    assert (survey.count("holds"), survey.count("undecided"), survey.decided_at_many_points) == (1, 1, 1)
    assert "made1:f is not something that is computed here" in survey.table()
    assert survey_of({"broken": b"<CD><CDDefinition>"}).properties == ()


@pytest.mark.slow
@pytest.mark.skipif(not SHARED.is_dir(), reason="the dictionaries are not on this machine")
def test_real_dictionaries_are_decided(tmp_path: Path) -> None:
    names = ("arith1", "logic1", "set1", "relation1", "list2", "rounding1")
    for name in names:
        path = next(SHARED.rglob(f"{name}.ocd"))
        (tmp_path / path.name).write_bytes(path.read_bytes())
    survey = survey_folder(tmp_path)
    assert len(survey.properties) == 65
    assert survey.count("undecided") == 0
    failed = {each.concept for each in survey.properties if each.check.outcome == "fails"}
    assert failed == {"arith1:lcm", "set1:notsubset"}


@pytest.mark.parametrize(
    ("text", "outcome", "within"),
    [
        # That something does not follow is said of all together, not of each.
        ("(logic1:not (logic1:implies (relation1:lt p q) (relation1:lt q p)))", "holds", "p, q"),
        # An index in a condition on all entries.
        (
            "(logic1:implies (relation1:eq (linalg1:matrix_selector i j M) 7) "  # noqa: ISC004 - one statement
            "(relation1:eq (linalg1:determinant M) 7))",
            "undecided",
            "i, j",
        ),
        ("[quant1:forall <a,n> (relation1:eq (arith1:power (arith1:root a n) n) a)]", "holds", ""),
        ("(logic1:implies (relation1:eq (arith1:power r s) t) (relation1:eq (transc1:log r t) s))", "holds", ""),
    ],
)
def test_variables_are_read_where_they_are_meant(text: str, outcome: str, within: str) -> None:
    check = check_by_sampling(openmath(text))
    assert check.outcome == outcome, check
    assert (f"{within}: not bound in the source, read as bound further in" in check.reason) == bool(within)
