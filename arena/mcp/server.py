"""The server of the tools, built on the package `mcp`, which is large: import this module only for use."""

from collections.abc import Callable
from typing import Any, Final

import anyio
from anyio import to_thread
from mcp import MCPError
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    TextContent,
    ToolAnnotations,
)
from mcp_types import Tool as Described

from arena.games.errors import ArenaError
from arena.mcp.tools import TOOLS, Tool
from arena.release import release

Answer = Callable[[str, dict[str, Any]], str]
"""Answers a call, by the name of the tool and its arguments, or raises `ArenaError`."""

INSTRUCTIONS: Final = (
    "Suit Arena plays card games. Play: list_games, read_rules, start_table, wait_for_turn, then play_move until the "
    "table is over. Write a bot: read_guide, read_reference, upload_bot, then read_bot for its check and its rating."
)


def server(answer: Answer) -> Server[Any]:
    """Return a server whose calls are answered by a function, in a thread."""

    async def list_tools(*_: object) -> ListToolsResult:
        return ListToolsResult(tools=list(map(_described, TOOLS.values())))

    async def call_tool(_: object, asked: CallToolRequestParams) -> CallToolResult:
        if asked.name not in TOOLS:
            raise MCPError(INVALID_PARAMS, f"There is no tool {asked.name[:64]}; the tools are {', '.join(TOOLS)}.")
        try:
            text = await to_thread.run_sync(answer, asked.name, asked.arguments or {}, abandon_on_cancel=True)
        except ArenaError as error:
            return CallToolResult(content=[TextContent(text=str(error))], is_error=True)
        return CallToolResult(content=[TextContent(text=text)])

    return Server(
        "suit-arena",
        version=release(),
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def serve(answer: Answer) -> None:
    """Serve the tools by standard input and output, until the input ends."""
    anyio.run(_serve, server(answer))


async def _serve(served: Server[Any]) -> None:
    async with stdio_server() as (reading, writing):
        await served.run(reading, writing, served.create_initialization_options())


def _described(tool: Tool) -> Described:
    hints = ToolAnnotations(read_only_hint=tool.only_reads, destructive_hint=False)
    return Described(name=tool.name, description=tool.doc, input_schema=tool.schema, annotations=hints)
