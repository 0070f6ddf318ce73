"""Number of attacks that each layer stops: the table of docs/sandbox.md.

python -m tests.sandbox.attacks.table
"""

from typing import Final

from arena.sandbox.inside.layers import LAYERS
from tests.sandbox.attacks import ALL, KINDS
from tests.sandbox.attacks.attack import SPACES, Attack, layer_of

_ROWS: Final = (*LAYERS, *SPACES)


def table() -> list[str]:
    """Return the lines of the Markdown table."""
    head = ["layer", *KINDS, "all"]
    sizes = ["*attacks*", *(f"*{len(kind)}*" for kind in KINDS.values()), f"*{len(ALL)}*"]
    return [_line(head), _line(["---"] * len(head)), _line(sizes), *(_line(_row(layer)) for layer in _ROWS)]


def _row(layer: str) -> list[str]:
    counts = [_stopped(layer, kind) for kind in KINDS.values()]
    return [f"`{layer}`", *(str(count or "") for count in [*counts, sum(counts)])]


def _stopped(layer: str, attacks: tuple[Attack, ...]) -> int:
    return sum(layer in map(layer_of, attack.stopped_by) for attack in attacks)


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    print("\n".join(table()))
