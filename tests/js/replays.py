"""Print the replays of the golden records as one JSON object by variant, as fixtures of the JavaScript tests."""

import json
import sys
from pathlib import Path

from arena.match.frames import framed
from arena.match.replay import replay

GOLDEN = Path(__file__).parent.parent / "golden"

if __name__ == "__main__":
    records = {path.stem: json.loads(path.read_bytes()) for path in sorted(GOLDEN.glob("*.json"))}
    json.dump({variant: framed(replay(record)) for variant, record in records.items()}, sys.stdout)
