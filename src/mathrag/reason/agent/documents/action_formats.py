"""The actions on documents in four formats: read from what a model wrote, written, and described for its prompt.

Lenient about form: fences, thoughts before, trailing commas, either quotation mark, another format than the one asked
for. Strict about content: an unknown action or parameter, a wrong type, a value out of range are problems that say what
is legal. Never raises; nothing is run; work grows with the length of the reply, which is capped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

from mathrag.llm.json_text import find_json, without_thoughts
from mathrag.reason.agent.documents.action_parameters import (
    FORMS,
    ActionProblem,
    Parameter,
    Plain,
    ProblemError,
    action_name,
    action_of,
    kind_words,
    legal_name,
    name_of,
    settled,
    written_parameters,
)
from mathrag.reason.agent.documents.call_text import CallError, literal, read_call
from mathrag.reason.agent.documents.plain_xml import Element, elements_of, encoded, find_element, value_of
from mathrag.reason.agent.documents.plain_yaml import YamlError, read_yaml, yaml_value
from mathrag.types.document_actions import (
    ACTION_FORMATS,
    DOCUMENT_ACTIONS,
    ActionFormat,
    DocumentAction,
    DocumentActionName,
)

LONGEST_REPLY = 50_000
LONGEST_THOUGHT = 1_000
# Places in a reply that look like a call and may be none.
_MOST_TRIED = 64
_LABEL = re.compile(
    r"^[ \t>*#_`\-]{0,8}\[?(?P<label>thoughts?|action|observations?)\]?[ \t]{0,4}\d{0,3}[*_` \t]{0,6}:[ \t*_`]{0,6}",
    re.IGNORECASE | re.MULTILINE,
)
_FENCE = re.compile(r"```[A-Za-z]{0,12}")
_FENCE_LINE = re.compile(r"^[ \t]{0,8}```", re.MULTILINE)
_CALL = re.compile(r"(?<!\w)(`{0,2})([A-Za-z_]\w{1,63})\1[ \t]{0,4}\(")
_ARGUMENT = re.compile(r"\s{0,20}(?:[\"'“‘\[{0-9]|[A-Za-z_]\w{0,63}\s{0,4}[=:])")
_YAML_START = re.compile(
    r"^(?P<indent>[ \t]*)(?:- )?[\"']?(?:action_type|action)[\"']?[ \t]{0,4}:", re.MULTILINE | re.IGNORECASE
)
_YAML_BEFORE = re.compile(r"^[\"']?parameters[\"']?[ \t]{0,4}:", re.MULTILINE | re.IGNORECASE)
_NAME_KEYS = ("action_type", "action", "action_name", "name", "tool", "function")
_INPUT_KEYS = ("parameters", "params", "arguments", "args", "kwargs", "action_input", "inputs", "input")
_OTHER_KEYS = frozenset(("thought", "thoughts", "reasoning", "explanation", "observation"))
_XML_TAGS = ("action", "tool_call", "invoke")


@dataclass(frozen=True, slots=True)
class ReadAction:
    """What a model wants done: an action, or a problem, never both; and what it thought before."""

    action: DocumentAction | None = None
    problem: ActionProblem | None = None
    thought: str = ""


@dataclass(frozen=True, slots=True)
class _Found:
    """An action as it was written, not checked yet, and where it begins."""

    name: str
    named: Mapping[str, object]
    positional: Sequence[object] = ()
    start: int = 0


# ---- reading


def read_action(
    text: str,
    form: ActionFormat = "markdown",
    *,
    allowed: Collection[DocumentActionName] = DOCUMENT_ACTIONS,
) -> ReadAction:
    """The first action of a reply. Where it has none in this format, one in another format counts, if it is legal."""
    if len(text) > LONGEST_REPLY:
        return ReadAction(
            problem=ActionProblem(
                "too_long", f"the reply is longer than {LONGEST_REPLY:,} characters; write one action"
            )
        )
    # Halves of characters are none; no store would take them.
    whole = text if text.isascii() else text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    said = _before_observation(without_thoughts(whole))
    asked = _read(said, form, allowed)
    if asked.problem is None or asked.problem.code != "no_action":
        return asked
    for other in ACTION_FORMATS:
        found = _read(said, other, allowed) if other != form else asked
        if found.action is not None:
            return found
    return asked


def _read(text: str, form: ActionFormat, allowed: Collection[DocumentActionName]) -> ReadAction:
    try:
        found = _READERS[form](text, allowed)
        action = action_of(found.name, found.named, found.positional, allowed=allowed)
    except ProblemError as error:
        return ReadAction(problem=error.problem, thought=_thought(text, len(text)))
    return ReadAction(action, thought=_thought(text, found.start))


def _no_action(form: ActionFormat, allowed: Collection[DocumentActionName]) -> ProblemError:
    name: DocumentActionName = next((each for each in DOCUMENT_ACTIONS if each in allowed), "GenerateAnswer")
    example = write_action(FORMS[name].example, form)
    return ProblemError(
        "no_action", f"the reply holds no action; write one of {', '.join(allowed)}, such as\n{example}"
    )


def _thought(text: str, end: int) -> str:
    """What was thought before a place: from its label on where it has one."""
    before = text[: min(end, len(text))]
    labels = list(_LABEL.finditer(before[: 4 * LONGEST_THOUGHT]))
    for index, label in enumerate(labels):
        if label.group("label").lower().startswith("thought"):
            stop = labels[index + 1].start() if index + 1 < len(labels) else len(before)
            return _FENCE.sub(" ", before[label.end() : stop][:LONGEST_THOUGHT]).strip()
    stop = labels[0].start() if labels else len(before)
    return _FENCE.sub(" ", before[:stop][:LONGEST_THOUGHT]).strip()


def _before_observation(text: str) -> str:
    """What stands before anything that is called an observation: a model imagined that, and what follows from it."""
    found = next((label for label in _LABEL.finditer(text) if label.group("label")[:1] in "oO"), None)
    return text if found is None else text[: found.start()]


def _action_label(text: str) -> int:
    """Where the first part that is called an action begins; 0 where none is."""
    found = next((label for label in _LABEL.finditer(text) if label.group("label").lower() == "action"), None)
    return 0 if found is None else found.end()


def _read_markdown(text: str, allowed: Collection[DocumentActionName]) -> _Found:
    start = _action_label(text)
    unknown: ProblemError | None = None
    for tried, call in enumerate(_CALL.finditer(text, start)):
        if tried >= _MOST_TRIED:
            break
        name = action_name(call.group(2))
        if name is None:
            unknown = unknown or _unknown(text, call, start, allowed)
            continue
        try:
            found = read_call(text, call.end() - 1, bare="expr" if name == "CalculateExpr" else "")
            return _Found(name, found.named, found.positional, call.start())
        except CallError as error:
            # Words in parentheses behind the name of an action are prose. But what began as a call and broke counts:
            # a later one would be what the model imagined to come after it.
            if _ARGUMENT.match(text, call.end()) is not None:
                reason = f"the call of {name} cannot be read: {error.reason}; write it like {_example(name)}"
                raise ProblemError("unreadable", reason) from None
    raise unknown or _no_action("markdown", allowed)


def _unknown(
    text: str, call: re.Match[str], start: int, allowed: Collection[DocumentActionName]
) -> ProblemError | None:
    """The problem of a call of something unknown, where it stands as an action does: first on its line."""
    line = text[max(start, text.rfind("\n", 0, call.start()) + 1) : call.start()]
    if line.strip(" \t>*#`-"):
        return None
    try:
        legal_name(call.group(2), allowed)
    except ProblemError as error:
        return error
    return None


def _example(name: DocumentActionName) -> str:
    return write_action(FORMS[name].example, "markdown")


def _read_json(text: str, allowed: Collection[DocumentActionName]) -> _Found:
    label = _action_label(text)
    # An action whose name follows its label, with the inputs as an object below, is another habit of models.
    for start in dict.fromkeys((label, 0, max(0, text.rfind("{", 0, max(0, text.find('"action_type"')))))):
        values = [value[0] if isinstance(value, list) and value else value for value in find_json(text[start:]).values]
        for value in values:
            found = _in_mapping(value, start) if isinstance(value, Mapping) else None
            if found is not None:
                return found
        named = action_name(re.split(r"[\n({]", text[label:], maxsplit=1)[0]) if label else None
        inputs = next((value for value in values if isinstance(value, Mapping)), None)
        if named is not None and inputs is not None:
            return _Found(named, inputs, start=label)
    if "action_type" in text and "{" in text:
        problem = find_json(text[max(0, text.find("{")) :]).problem
        if problem:
            raise ProblemError("unreadable", f"the JSON cannot be read: {problem}")
    raise _no_action("json", allowed)


def _in_mapping(value: Mapping[str, object], start: int, depth: int = 0) -> _Found | None:
    """The action that a mapping is; None where it names none."""
    key = next((key for key in _NAME_KEYS if isinstance(value.get(key), str)), None)
    if key is None:
        inner = next((each for each in value.values() if isinstance(each, Mapping)), None)
        return _in_mapping(inner, start, depth + 1) if inner is not None and len(value) == 1 and depth < 2 else None
    name = str(value[key])
    given_key = next((each for each in _INPUT_KEYS if each in value), None)
    # A mapping that has neither the key of the format nor the name of an action is something else.
    if key != "action_type" and given_key is None and action_name(name) is None:
        return None
    given = value[given_key] if given_key is not None else _beside(value, key)
    if isinstance(given, str):
        given = _reread(given)
    if isinstance(given, Mapping):
        return _Found(name, given, start=start)
    if isinstance(given, Sequence) and not isinstance(given, str):
        return _Found(name, {}, given, start)
    if given is None:
        return _Found(name, {}, start=start)
    raise ProblemError("unreadable", f"the parameters of {name[:40]} must be a mapping of names to values")


def _beside(value: Mapping[str, object], key: str) -> dict[str, object]:
    return {name: each for name, each in value.items() if name != key and name.lower() not in _OTHER_KEYS}


def _reread(given: str) -> object:
    """Parameters that were written as a text of their own."""
    if isinstance(given, Plain) and given.parts is not None:
        return given.parts
    return next(iter(find_json(given).values), given) if given.strip() else None


def _read_xml(text: str, allowed: Collection[DocumentActionName]) -> _Found:
    action = find_element(text, _XML_TAGS)
    if action is None:
        action = find_element(text, DOCUMENT_ACTIONS)
        if action is None or "<action_type" in text:
            return _loose_xml(text, allowed)
    inner = _mapped(elements_of(action.content))
    if inner is None:
        return _loose_xml(text, allowed)
    name = action_name(action.tag)
    if name is not None:
        given = inner["parameters"] if inner.keys() == {"parameters"} else inner
        return _Found(name, _as_mapping(given), start=action.start)
    said = re.search(r"""\b(?:type|name|action_type)\s{0,4}=\s{0,4}["']([^"'<>]{1,80})["']""", action.attributes)
    if said is not None and not any(key in inner for key in _NAME_KEYS):
        inner = {"action_type": said.group(1), **inner}
    found = _in_mapping(inner, action.start)
    if found is None:
        raise _no_action("xml", allowed)
    return found


def _loose_xml(text: str, allowed: Collection[DocumentActionName]) -> _Found:
    """An action without an element around it, or with words between its parts."""
    named = find_element(text, ("action_type",))
    if named is None:
        raise _no_action("xml", allowed)
    after = text[named.end :].partition("<action_type")[0]
    inputs = find_element(after, ("parameters",)) or find_element(text[: named.start], ("parameters",))
    parts = None if inputs is None else _mapped(elements_of(inputs.content))
    if parts is None:
        reason = f"the parameters of {named.content.strip()[:40]} must stand as elements between <parameters> tags"
        raise ProblemError("unreadable", reason)
    return _Found(str(value_of(named)), parts, start=named.start)


def _mapped(elements: list[Element] | None) -> dict[str, object] | None:
    """Elements by their tags; None where there are none, or one stands twice."""
    if elements is None:
        return None
    made: dict[str, object] = {element.tag: value_of(element) for element in elements}
    return made if len(made) == len(elements) else None


def _as_mapping(value: object) -> Mapping[str, object]:
    found = value.parts if isinstance(value, Plain) else value
    if isinstance(found, Mapping):
        return found
    raise ProblemError("unreadable", "the parameters must stand as elements of their own")


def _read_yaml_reply(text: str, allowed: Collection[DocumentActionName]) -> _Found:
    found = next((start for start in _YAML_START.finditer(text) if "_" in start.group()), None)
    found = found or _YAML_START.search(text)
    if found is None:
        raise _no_action("yaml", allowed)
    start = found.start()
    ends = (_FENCE_LINE.search(text, found.end()), _YAML_START.search(text, found.end()))
    end = min((each.start() for each in ends if each is not None), default=len(text))
    if not found.group("indent"):
        before = _YAML_BEFORE.search(text, max(0, text.rfind("```", 0, start)), start)
        start = start if before is None else before.start()
    try:
        value = read_yaml(text[start:end])
    except YamlError as error:
        raise ProblemError("unreadable", f"the YAML cannot be read: {error}") from None
    lowered = {key.lower() if key.lower() in _NAME_KEYS + _INPUT_KEYS else key: each for key, each in value.items()}
    action = _in_mapping(lowered, start)
    if action is None:
        raise _no_action("yaml", allowed)
    return action


_READERS: Mapping[ActionFormat, Callable[[str, Collection[DocumentActionName]], _Found]] = {
    "markdown": _read_markdown,
    "json": _read_json,
    "xml": _read_xml,
    "yaml": _read_yaml_reply,
}


# ---- writing


def write_action(action: DocumentAction, form: ActionFormat = "markdown") -> str:
    """An action in a format; what equals its default is left out."""
    name, given = name_of(action), written_parameters(action)
    match form:
        case "markdown":
            return f"{name}({', '.join(f'{key}={literal(value)}' for key, value in given.items())})"
        case "json":
            return literal({"action_type": name, "parameters": given})
        case "xml":
            inner = "".join(_written_element(key, value) for key, value in given.items())
            return f"<action><action_type>{name}</action_type><parameters>{inner}</parameters></action>"
        case "yaml":
            lines = "".join(f"\n  {key}: {yaml_value(value)}" for key, value in given.items())
            return f"action_type: {name}\nparameters:{lines}"
        case other:
            assert_never(other)


def _written_element(key: str, value: object) -> str:
    if not isinstance(value, str):
        return f"<{key}>{encoded(literal(value))}</{key}>"
    # Where the words could be taken for something else, or blanks around them matter, the tag says that they are text.
    is_plain = settled(value) == value and not value.startswith("<")
    kept = "" if is_plain and value else ' type="str"'
    return f"<{key}{kept}>{encoded(value)}</{key}>"


# ---- describing

_FRAMES: Mapping[ActionFormat, str] = {
    "markdown": "Write one action as a call: its name, and in parentheses its parameters by name. Texts stand in "
    "quotation marks; lists in square brackets.",
    "json": 'Write one action as a JSON object with the keys "action_type" and "parameters".',
    "xml": "Write one action as an element <action> with the elements <action_type> and <parameters>, in which "
    'every parameter is an element of its own. Write &lt; and &amp; for < and &; type="str" keeps a text a text.',
    "yaml": "Write one action as YAML with the keys action_type and parameters, the parameters indented below.",
}


def describe_actions(
    form: ActionFormat = "markdown", *, allowed: Collection[DocumentActionName] = DOCUMENT_ACTIONS
) -> str:
    """What a model is told of the actions it may take: their form, what each does and takes, an example of each."""
    parts = [_FRAMES[form]]
    for name in DOCUMENT_ACTIONS:
        if name in allowed:
            known = FORMS[name]
            lines = [f"{name}: {known.about} You get {known.gives}."]
            lines += [f"- {_parameter_line(parameter, form)}" for parameter in known.parameters]
            lines += ["Example:", write_action(known.example, form)]
            parts.append("\n".join(lines))
    return "\n\n".join(parts)


def _parameter_line(parameter: Parameter, form: ActionFormat) -> str:
    need = "needed" if parameter.is_required else f"may be left out, then {_default_text(parameter, form)}"
    return f"{parameter.name} ({kind_words(parameter)}; {need}): {parameter.about}"


def _default_text(parameter: Parameter, form: ActionFormat) -> str:
    if parameter.default in ("", ()):
        return "empty"
    return yaml_value(parameter.default) if form in ("yaml", "xml") else literal(parameter.default)
