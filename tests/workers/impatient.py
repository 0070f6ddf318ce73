"""The workers' app, with processes that make way for fresh ones after half a second without work."""

import workers.app
from workers.process import WorkerProcess

app = workers.app.app
WorkerProcess.close_idle_cage.__defaults__ = (0.5,)
