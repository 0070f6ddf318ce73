"""The workers' app, with processes that make way for fresh ones after half a second without work, and end slowly."""

import time

import workers.app
from workers.courier import Courier
from workers.process import WorkerProcess

app = workers.app.app
WorkerProcess.close_idle_cage.__defaults__ = (0.5,)
stop = Courier.stop


def stop_slowly(courier: Courier) -> None:
    """Stop the courier after a time in which doorbells arrive."""
    time.sleep(5)
    stop(courier)


Courier.stop = stop_slowly  # type: ignore[assignment, method-assign]
