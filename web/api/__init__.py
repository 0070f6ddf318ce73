"""The API for programs, version 1, at `PREFIX`.

A resource module has a `Resource` and a function for each operation; `web.api.operations` derives routes, checks and
the OpenAPI document from them. Operations call the services that pages call.
"""

from typing import Final

PREFIX: Final = "/api/v1"
MCP: Final = "/mcp"
"""Address of the tools of language models (`web.mcp`), authorised and refused like the API."""
