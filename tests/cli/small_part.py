"""A part for tests: run CODE, start a grandchild, and touch READY. Arguments: READY CODE."""

import subprocess
import sys
import time
from pathlib import Path

if __name__ == "__main__":
    exec(sys.argv[2])  # noqa: S102 -- the tests' own
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(120)"], start_new_session=True)
    print("at work", flush=True)
    Path(sys.argv[1]).touch()
    time.sleep(120)
