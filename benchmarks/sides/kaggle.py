"""kaggle-environments: OpenSpiel's hearts with agents as files, as Kaggle plays it. CPU time, one core."""

import tempfile
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from random import Random
from typing import Any, Final

from benchmarks.sides.harness import Measure, Span, clock, pin, serve

AGENT: Final = """
def act(observation, configuration):
    legal = observation.get("legalActions")
    return {"submission": legal[0] if legal else -1}
"""


def load(name: str, options: Mapping[str, Any]) -> Any:
    """Create an environment, which is not part of a match."""
    from kaggle_environments import make

    return make(name, configuration=dict(options))


def matches(environment: Any, rng: Random) -> Iterator[Span]:
    """Time of deals of hearts, one per match. Raises `RuntimeError` if an agent failed."""
    with tempfile.TemporaryDirectory() as folder:
        agent = Path(folder) / "agent.py"
        agent.write_text(AGENT)
        while True:
            start = clock()
            steps = environment.run([str(agent)] * 4)
            yield clock() - start, 1
            if {state.status for state in steps[-1]} != {"DONE"} or len(steps) < 52:
                raise RuntimeError(f"the match ended after {len(steps)} steps: {[s.status for s in steps[-1]]}")


MEASURES: Final[Mapping[str, Measure]] = {"matches": matches}

if __name__ == "__main__":
    pin()
    serve(version("kaggle-environments"), load, MEASURES)
