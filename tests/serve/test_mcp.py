"""The tools for assistants, through the official client: over standard streams, as an assistant starts them."""

from __future__ import annotations

import json
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import anyio
import pytest
from anyio.from_thread import start_blocking_portal
from mcp import Client, MCPError, StdioServerParameters
from serve_makers import RunningServer

from mathrag.library import Library

DOCUMENT = r"""# Mechanics

The kinetic energy of a body is

$$E_k = \frac{1}{2} m v^2$$

where $E_k$ is the kinetic energy (J), $m$ is the mass (kg) and $v$ is the speed (m/s).
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("mcp")
    (place / "notes.md").write_text(DOCUMENT, encoding="utf-8")
    with Library(place / "library") as library:
        library.ingest([place / "notes.md"], workers=1)
    return place / "library"


Conversation = Callable[[Client], Awaitable[None]]
Talk = Callable[[Conversation], None]


@pytest.fixture(scope="module")
def talk(folder: Path) -> Iterator[Talk]:
    """Holds conversations with one running server, as an assistant does that keeps it open."""
    server = StdioServerParameters(command=sys.executable, args=["-m", "mathrag", "mcp", "--library", str(folder)])
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(Client(server)) as client:
        yield lambda conversation: portal.call(conversation, client)


async def called(client: Client, name: str, **arguments: Any) -> dict[str, Any]:
    result = await client.call_tool(name, arguments)
    assert not result.is_error, result.content
    found = result.structured_content
    assert isinstance(found, dict)
    # The text is the same, for assistants that read only that.
    assert json.loads(result.content[0].text) == found
    return found


async def refused(client: Client, name: str, **arguments: Any) -> str:
    result = await client.call_tool(name, arguments)
    assert result.is_error
    return str(result.content[0].text)


@pytest.mark.slow
def test_every_tool_is_offered_with_its_schema(talk: Talk) -> None:
    async def conversation(client: Client) -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(tools) == {
            "ask", "search_formulas", "compute", "solve", "convert_units", "get_source", "check_solution",
        }  # fmt: skip
        assert all(tool.description and tool.input_schema["properties"] for tool in tools.values())
        assert tools["ask"].input_schema["required"] == ["question"]

    talk(conversation)


@pytest.mark.slow
def test_solutions_are_checked(talk: Talk) -> None:
    async def conversation(client: Client) -> None:
        found = await called(client, "check_solution", solution="There are 12 * 8 = 96 pens.\n\nHalf: 96 / 2 = 46.")
        assert found["first_error"] == 2
        assert [step["outcome"] for step in found["steps"]] == ["verified", "refuted"]
        (false,) = found["steps"][1]["false_claims"]
        assert (false["text"], false["right"]) == ("96 / 2 = 46", "48")
        right = await called(client, "check_solution", solution="3 + 4 = 7", problem="What are 3 and 4 together?")
        assert "not the same as correct" in right["statement"]
        assert "nothing to check" in await refused(client, "check_solution", solution="  ")

    talk(conversation)


@pytest.mark.slow
def test_answers_are_computed_and_cited(talk: Talk) -> None:
    async def conversation(client: Client) -> None:
        answer = await called(client, "ask", question="What is the kinetic energy of 2 kg at 3 m/s?")
        assert (answer["outcome"], answer["value"], answer["unit"]) == ("answered", 9, "J")
        assert answer["citations"][0]["quote"]
        refusal = await called(client, "ask", question="What is the kinetic energy of a body of 2 kg?")
        assert refusal["outcome"] == "refused"
        assert "value" not in refusal
        assert refusal["missing"][0]["symbol"] == "v"
        again = await called(client, "ask", question="What is the kinetic energy of 2 kg?", values={"v": "4 m/s"})
        assert again["value"] == 16

    talk(conversation)


@pytest.mark.slow
def test_formulas_are_found_computed_with_and_solved(talk: Talk) -> None:
    async def conversation(client: Client) -> None:
        hits = (await called(client, "search_formulas", words="kinetic energy"))["hits"]
        identifier = hits[0]["id"]
        speed = await called(client, "compute", formula=identifier, values={"m": "2 kg", "E_k": "9 J"}, solve_for="v")
        assert speed["value"] == pytest.approx(3)
        assert speed["unit"] == "m/s"
        solved = await called(client, "solve", formula=identifier, symbol="m")
        assert solved["solutions"][0]["expression"] == "2*E_k/v**2"
        free = await called(client, "solve", formula="a = b + c", symbol="c")
        assert free["solutions"][0]["expression"] == "a - b"
        source = await called(client, "get_source", identifier=identifier)
        assert source["places"][0]["document_name"] == "Mechanics"
        converted = await called(client, "convert_units", quantity="60 mph", unit="m/s")
        assert converted["value"] == pytest.approx(26.8224)

    talk(conversation)


@pytest.mark.slow
def test_what_cannot_be_done_is_said_in_words(talk: Talk) -> None:
    async def conversation(client: Client) -> None:
        assert "no formula" in await refused(client, "compute", formula="nothing", values={})
        assert "dimension" in (await refused(client, "convert_units", quantity="3 kg", unit="m")).lower()
        assert "no question" in await refused(client, "ask", question="   ")
        with pytest.raises(MCPError):
            await client.read_resource("mathrag://formulas/none")

    talk(conversation)


def test_formulas_and_documents_are_resources(talk: Talk) -> None:
    async def conversation(client: Client) -> None:
        listed = {str(one.uri) for one in (await client.list_resources()).resources}
        assert listed == {"mathrag://formulas", "mathrag://documents"}
        documents = json.loads((await client.read_resource("mathrag://documents")).contents[0].text)
        assert documents["documents"][0]["name"] == "notes.md"
        formulas = json.loads((await client.read_resource("mathrag://formulas")).contents[0].text)
        identifier = formulas["formulas"][0]["id"]
        formula = json.loads((await client.read_resource(f"mathrag://formulas/{identifier}")).contents[0].text)
        assert formula["symbols"][1]["description"] == "mass"

    talk(conversation)


@pytest.mark.soak
def test_the_same_tools_are_served_over_http(made: Path, run_server: Callable[..., RunningServer]) -> None:
    server = run_server(made)

    async def run() -> None:
        async with Client(f"{server.address}/mcp") as client:
            answer = await called(client, "ask", question="What is the kinetic energy of 2 kg at 3 m/s?")
            assert answer["value"] == 9
            assert len((await client.list_tools()).tools) == 7

    anyio.run(run)
    # Nothing is ever sent to whoever only listens: that is said at once.
    with pytest.raises(HTTPError) as refusal:
        urlopen(Request(f"{server.address}/mcp", headers={"Accept": "text/event-stream"}), timeout=10)
    with refusal.value as reply:
        assert (reply.code, reply.headers["Allow"]) == (405, "POST")


def test_questions_of_a_conversation_lean_on_one_another(talk: Talk) -> None:
    async def conversation(client: Client) -> None:
        first = await called(client, "ask", question="kinetic energy of 2 kg at 3 m/s?", conversation="new")
        assert first["value"] == 9
        named = {"conversation": first["conversation"]}
        assert (await called(client, "ask", question="what about 2000 kg?", **named))["value"] == 9000
        assert (await called(client, "ask", question="and at 6 m/s?", **named))["value"] == 36000
        assert "not kept" in await refused(client, "ask", question="and at 6 m/s?", conversation="c-unknown")
        assert "conversation" not in await called(client, "ask", question="kinetic energy of 2 kg at 3 m/s?")

    talk(conversation)
