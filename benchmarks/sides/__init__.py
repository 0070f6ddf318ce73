"""The systems that are measured, one module each. Each runs in its own environment and answers commands in `serve`."""
