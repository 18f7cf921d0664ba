"""The rules of the house: imports go one way and never in a circle, packages have one home, a module is one idea,
functions are simple, a name means one thing, words of English are data, nothing runs text as code."""

from __future__ import annotations

import ast
import gc
import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from mathrag.language.word_classes import word_class

SOURCE = Path(__file__).parent.parent / "src" / "mathrag"
MODULES = sorted(SOURCE.rglob("*.py"))
TOOLS = sorted((SOURCE.parent.parent / "tools").rglob("*.py"))

# A room may import those before it in this list, and itself.
ROOMS = (
    "version", "types", "errors", "settings", "isolation", "knowledge", "language", "compute", "documents", "llm",
    "extract", "store", "sources", "retrieve", "reason", "answer", "evaluate", "calculator", "worksheets", "library",
    "jupyter", "serve", "cli",
)  # fmt: skip
TEXT_TESTS = frozenset(("startswith", "endswith", "removeprefix", "removesuffix", "find", "index", "partition"))
CLI_MAY_USE = {"calculator", "library", "types", "errors", "settings", "version", "serve", "cli"}
SERVE_MAY_USE = {"calculator", "library", "types", "errors", "settings", "version", "serve"}
HOMES = {
    "IPython": ("jupyter.py",),
    "PIL": ("documents/scans",),
    "anyio": ("serve",),
    "click": ("cli",),
    "fastapi": ("serve",),
    "httpx2": ("llm",),
    "h11": ("serve/server.py",),
    "jinja2": ("serve/pages",),
    "jsonschema": ("llm",),
    "lxml": ("documents",),
    "markdown_it": ("documents/markdown",),
    "markupsafe": ("serve/pages",),
    "mcp": ("serve/mcp",),
    "mdit_py_plugins": ("documents/markdown",),
    "numpy": ("store", "retrieve", "documents/scans"),
    "onnxruntime": ("retrieve/rerankers",),
    "pint": ("knowledge/units",),
    "pyarrow": ("store/export/parquet_files.py",),
    "pydantic": ("serve",),
    "pyoxigraph": ("store/graph",),
    "pypandoc": ("documents/office",),
    "pypdfium2": ("documents/pdf",),
    "mpmath": ("compute/evaluate/precision.py",),
    "pyshacl": ("store/graph",),
    "rapidocr": ("documents/scans",),
    "rdflib": ("store/graph",),
    "rich": ("cli",),
    "snowballstemmer": ("language/stems.py",),
    "starlette": ("serve",),
    "sympy": ("compute/solve", "compute/printers/sympy_tree.py"),
    "tokenizers": ("retrieve/rerankers",),
    "uvicorn": ("serve/server.py",),
    "wordllama": ("store/embedders",),
}
FORBIDDEN_CALLS = {"eval", "exec", "sympify", "parse_expr", "lambdify", "parse_latex", "compile", "__import__"}
FORBIDDEN_IMPORTS = {"pickle", "marshal", "shelve", "dill", "cloudpickle"}
VAGUE_NAMES = {"utils", "util", "helpers", "helper", "common", "misc"}
LONGEST_MODULE = 900
LONGEST_FUNCTION = 60
MOST_COMPLEX = 15
# A chain of `and` and `or` of this length hides branches, and counts as that many.
LONG_CHAIN = 4
# More function words of English than this in one table make it a class of words, which belongs into a data file.
MOST_WORDS = 5
BRANCHES = (
    ast.If, ast.IfExp, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.comprehension, ast.match_case,
)  # fmt: skip


Complaints = Iterator[str]


# A quantifier with a plus behind a bracket: of a group, or of a group with bounds.
POSSESSIVE_GROUP = re.compile(r"(?<!\\)\)(?:[*+?]|\{[0-9,]+\})\+(?![*+?,])")


def _relative(path: Path) -> str:
    return path.relative_to(SOURCE).as_posix()


@pytest.fixture(scope="module", autouse=True)
def _garbage_stays() -> Iterator[None]:
    """Two million nodes of trees that all stay need not be looked through again and again."""
    gc.disable()
    yield
    gc.enable()


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def _nodes(path: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(_tree(path)))


def _imports(path: Path) -> Iterator[str]:
    for node in _nodes(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            yield node.module


def _room(path: Path) -> str:
    return _relative(path).split("/")[0].removesuffix(".py")


def imports_go_one_way(path: Path) -> Complaints:
    room = _room(path)
    if room in ("__init__", "__main__"):
        return
    if room not in ROOMS:
        yield f"{room} is no room of the house; add it to the plan first"
        return
    for name in _imports(path):
        if name == "mathrag" or not name.startswith("mathrag."):
            continue
        target = name.split(".")[1]
        if ROOMS.index(target) > ROOMS.index(room):
            yield f"{room} must not import {target}"
        if room == "cli" and target not in CLI_MAY_USE:
            yield f"commands use the public API, not {target}"
        if room == "serve" and target not in SERVE_MAY_USE:
            yield f"what is served comes through the public API, not {target}"


def third_party_packages_have_one_home(path: Path) -> Complaints:
    for name in _imports(path):
        top = name.split(".")[0]
        if top in sys.stdlib_module_names or top in ("mathrag", "__future__"):
            continue
        if top not in HOMES:
            yield f"{top} has no home yet"
        elif not _relative(path).startswith(HOMES[top]):
            yield f"{top} lives in {HOMES[top]}"


def only_settings_reads_the_environment(path: Path) -> Complaints:
    if _relative(path) == "settings.py":
        return
    for node in _nodes(path):
        is_reading = isinstance(node, ast.Attribute) and node.attr in ("environ", "getenv", "environb")
        if is_reading and (not isinstance(node.value, ast.Name) or node.value.id == "os"):
            yield f"line {node.lineno} reads the environment"


def nothing_runs_text_as_code(path: Path) -> Complaints:
    for node in _nodes(path):
        if isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            # A method may be called compile (re.compile, our own); the builtin may not be called at all.
            is_method = isinstance(node.func, ast.Attribute) and name == "compile"
            if name in FORBIDDEN_CALLS and not is_method:
                yield f"line {node.lineno} calls {name}"
    for name in FORBIDDEN_IMPORTS & {name.split(".")[0] for name in _imports(path)}:
        yield f"imports {name}"


def a_module_is_one_idea_and_says_which(path: Path) -> Complaints:
    if path.stem in VAGUE_NAMES:
        yield "the name says nothing"
    lines = path.read_text(encoding="utf-8").count("\n")
    if lines > LONGEST_MODULE:
        yield f"{lines} lines; split it by idea"
    tree = _tree(path)
    if tree.body and not ast.get_docstring(tree):
        yield "say in a sentence what the module is for"


def functions_are_short_and_simple(path: Path) -> Complaints:
    for node in _nodes(path):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            if length > LONGEST_FUNCTION:
                yield f"{node.name} has {length} lines; split it by idea"
            complexity = _complexity(node)
            if complexity > MOST_COMPLEX:
                yield f"{node.name} has a complexity of {complexity}; name its parts"


def classes_of_english_words_are_data(path: Path) -> Complaints:
    for node in _tree(path).body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            found = sorted(_listed_words(node.value) & word_class("grammar.function_words"))
            if len(found) > MOST_WORDS:
                yield f"line {node.lineno}: {' '.join(found)}; see language/word_classes.py"


def a_name_is_bound_once(path: Path) -> Complaints:
    """The second value of a name silently replaces the first for everybody. Branches may differ: each binds it once."""
    bound: dict[str, int] = {}
    for node in _tree(path).body:
        for name in _bound_names(node):
            if name in bound:
                yield f"line {node.lineno} binds {name} again, after line {bound[name]}"
            bound[name] = node.lineno


def no_group_is_possessive(path: Path) -> Complaints:
    """Python before 3.11.5 loses its place where a group behind `*+` fails halfway; an atomic group does the same."""
    for node in _nodes(path):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and POSSESSIVE_GROUP.search(node.value):
            yield f"line {node.lineno} has a possessive group; write (?>(?:…)*)"


def judges_read_no_text(path: Path) -> Complaints:
    """A question is read once: who chooses or judges asks its wording what its words say, and the patterns of judges
    are cues in a data file. The view is where choosing begins and reads what it prepares."""
    is_judge = path.parent.name == "judge"
    if not is_judge and (path.parent.name != "choosing" or path.stem == "question_view"):
        return
    for node in _nodes(path):
        if isinstance(node, ast.Attribute) and node.attr == "text" and ast.unparse(node.value).endswith("question"):
            yield f"line {node.lineno} reads the text of the question; see reason/question/wording.py"
        if is_judge and isinstance(node, ast.Call) and ast.unparse(node.func) == "re.compile":
            yield f"line {node.lineno} has a pattern of its own; see language/cues.py"


def values_are_known_by_their_place(path: Path) -> Complaints:
    """The words of an origin are for people: whether it is that of a value says `reason/question/origins.py`, and how a
    number was taken a field."""
    if path.stem == "origins":
        return
    for node in _nodes(path):
        looked_at: list[ast.expr] = []
        if isinstance(node, ast.Compare):
            looked_at = [node.left, *node.comparators]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in TEXT_TESTS:
            looked_at = [node.func.value]
        if any(ast.unparse(each).endswith("provenance.text") for each in looked_at):
            yield f"line {node.lineno} looks into the words of an origin"


RULES: tuple[Callable[[Path], Complaints], ...] = (
    imports_go_one_way,
    third_party_packages_have_one_home,
    only_settings_reads_the_environment,
    nothing_runs_text_as_code,
    a_module_is_one_idea_and_says_which,
    functions_are_short_and_simple,
    classes_of_english_words_are_data,
    a_name_is_bound_once,
    no_group_is_possessive,
    judges_read_no_text,
    values_are_known_by_their_place,
)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_every_module_keeps(rule: Callable[[Path], Complaints]) -> None:
    assert [f"{_relative(path)}: {complaint}" for path in MODULES for complaint in rule(path)] == []


def test_every_tool_binds_a_name_once() -> None:
    assert [f"{path.name}: {complaint}" for path in TOOLS for complaint in a_name_is_bound_once(path)] == []


@pytest.mark.parametrize(
    ("rule", "code"),
    [
        (imports_go_one_way, "from mathrag.library import Library\n"),
        (third_party_packages_have_one_home, "import pint\n"),
        (only_settings_reads_the_environment, "import os\nhome = os.environ['HOME']\n"),
        (nothing_runs_text_as_code, "eval('1')\n"),
        (a_module_is_one_idea_and_says_which, "x = 1\n"),
        (functions_are_short_and_simple, "def f(x):\n" + "    if x:\n        pass\n" * 16),
        (a_name_is_bound_once, "KIND = 'one'\nOTHER, KIND = 'two', 'three'\n"),
        (no_group_is_possessive, "WORDS = r'(?:ab|c)*+'\n"),
        (values_are_known_by_their_place, "def f(given, bound):\n    return given.text in bound.provenance.text\n"),
        (values_are_known_by_their_place, "def f(bound):\n    return bound.provenance.text.endswith('degrees')\n"),
        (classes_of_english_words_are_data, "WORDS = frozenset('the of and with from that is'.split())\n"),
    ],
)
def test_a_broken_rule_is_seen(
    rule: Callable[[Path], Complaints], code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "compute" / "broken.py"
    file.parent.mkdir()
    file.write_text(code, encoding="utf-8")
    monkeypatch.setattr(sys.modules[__name__], "SOURCE", tmp_path)
    assert list(rule(file))


@pytest.mark.parametrize(
    "code", ["import re\nWORDS = re.compile('a')\n", "def f(view):\n    return view.question.text\n"]
)
def test_a_judge_that_reads_is_seen(code: str, tmp_path: Path) -> None:
    file = tmp_path / "judge" / "broken.py"
    file.parent.mkdir()
    file.write_text(code, encoding="utf-8")
    assert list(judges_read_no_text(file))


def test_branches_and_growing_lists_bind_a_name_once(tmp_path: Path) -> None:
    file = tmp_path / "branches.py"
    file.write_text("try:\n    A = 1\nexcept ValueError:\n    A = 2\n__all__ = []\n__all__ += ['A']\nB: int\nB = 3\n")
    assert list(a_name_is_bound_once(file)) == []


def _bound_names(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement of a module gives a value to; ruff tells of functions and classes defined twice."""
    if isinstance(statement, ast.Assign):
        targets = statement.targets
    elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
        targets = [statement.target]
    else:
        return
    for target in targets:
        yield from (
            part.id for part in ast.walk(target) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
        )


def _complexity(function: ast.AST) -> int:
    """One, and one for every place where the way forks; long chains of conditions count in full."""
    chains = (len(node.values) - 1 for node in ast.walk(function) if isinstance(node, ast.BoolOp))
    branches = sum(isinstance(node, BRANCHES) for node in ast.walk(function))
    return 1 + branches + sum(length for length in chains if length + 1 >= LONG_CHAIN)


def test_complexity_is_counted() -> None:
    code = "def f(a, b):\n    if a and b or c and d:\n        return 1\n    return [x for x in a if x or a or b or c]\n"
    assert _complexity(ast.parse(code)) == 1 + 1 + 1 + 3


def _import_graph() -> dict[str, set[str]]:
    """Which module imports which, wherever the import stands: at the top, in a function, for types only."""
    names = {".".join(("mathrag", *path.relative_to(SOURCE).with_suffix("").parts)): path for path in MODULES}
    names = {name.removesuffix(".__init__"): path for name, path in names.items()}
    graph: dict[str, set[str]] = {}
    for name, path in names.items():
        graph[name] = set()
        for node in ast.walk(_tree(path)):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "mathrag":
                parts = (f"{node.module}.{alias.name}" for alias in node.names)
                graph[name] |= {part if part in names else node.module for part in parts}
    return {name: targets & graph.keys() - {name} for name, targets in graph.items()}


def _circle(graph: dict[str, set[str]]) -> list[str]:
    """What is left after taking away, again and again, whatever imports nothing that is left: the circles."""
    left = {name: set(targets) for name, targets in graph.items()}
    while free := [name for name, targets in left.items() if not targets & left.keys()]:
        for name in free:
            del left[name]
    # Whatever only leads into a circle is not part of it.
    while idle := [name for name in left if not any(name in targets for targets in left.values())]:
        for name in idle:
            del left[name]
    return sorted(left)


def test_no_imports_in_a_circle() -> None:
    assert _circle(_import_graph()) == []


def test_a_circle_is_found() -> None:
    assert _circle({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": set()}) == ["b", "c"]


def _listed_words(table: ast.expr) -> set[str]:
    """The single words of a table: split from one text, or members of a set or sequence. Sentences are no tables."""
    words: set[str] = set()
    for node in ast.walk(table):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "split":
            texts = [part.value for part in ast.walk(node.func.value) if isinstance(part, ast.Constant)]
            words.update(word for text in texts if isinstance(text, str) for word in text.split())
        elif isinstance(node, ast.Set | ast.Tuple | ast.List):
            words.update(
                part.value for part in node.elts if isinstance(part, ast.Constant) and isinstance(part.value, str)
            )
    return words


def test_starting_the_program_imports_nothing_heavy() -> None:
    import subprocess

    heavy = ("pint", "sympy", "numpy", "lxml", "rich", "wordllama", "pyoxigraph", "fastapi", "openai")
    code = f"import sys, mathrag.cli.main; print([name for name in {heavy} if name in sys.modules])"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"
