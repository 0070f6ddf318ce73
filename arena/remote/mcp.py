"""``arena mcp``: the tools of language models, for a client on this machine."""

from functools import partial
from importlib.util import find_spec
from typing import Final

import click

from arena.games.errors import Unavailable
from arena.mcp.tools import Caller, call
from arena.remote.options import arena_option, remote, understood

WAIT: Final = 10.0
"""Seconds for which a call may wait for the model's turn."""
PATIENCE: Final = 4.0
"""Seconds before another attempt to reach the arena: clients wait for a minute at most."""


@click.command()
@arena_option
def mcp(url: str | None) -> None:
    """Let a language model play at an arena, write bots and read their ratings: serve its tools by MCP.

    A client such as Claude Desktop starts this command, and speaks with it by standard input and output.
    """
    if find_spec("mcp") is None:
        raise Unavailable("arena mcp needs the package mcp. Install it: pip install 'suit-arena[mcp]'")
    from arena.mcp.server import serve  # large, and not installed with the client

    arena = remote(url)
    arena.patience = PATIENCE
    serve(partial(understood(call), Caller(arena, WAIT)))
