"""``python -m arena``: the same as the command ``arena``."""

from arena.cli import main

main(prog_name="arena")
