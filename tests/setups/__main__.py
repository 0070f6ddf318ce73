"""Run a command in a set-up with this environment's ARENA_ settings: ``python -m tests.setups SETUP COMMAND…``."""

import os
import sys

from tests.setups import SETUPS, lacking, run

if __name__ == "__main__":
    setup, *command = sys.argv[1:] or [""]
    if setup not in SETUPS or not command:
        sys.exit(f"{__doc__} SETUP is one of {', '.join(SETUPS)}.")
    if why := lacking(setup):
        sys.exit(f"{setup} {why}")
    settings = {name: value for name, value in os.environ.items() if name.startswith("ARENA_")}
    done = run(setup, command, settings, timeout=3600)
    print(done.stdout, end="")
    sys.exit(done.returncode)
