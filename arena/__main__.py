"""Run the `arena` command as `python -m arena`."""

from arena.cli import main

main(prog_name="arena")
