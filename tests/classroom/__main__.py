"""Run a class of scripted students in an arena of its own, and print its results and the minutes that it took."""

import sys
import tempfile
from pathlib import Path
from time import monotonic

import click

from tests.classroom.course import Course, problems
from tests.cli.test_up import running


@click.command()
@click.option("--students", type=click.IntRange(5, 200), default=30, show_default=True)
@click.option("--workers", type=click.IntRange(1), default=2, show_default=True)
@click.option("--patience", type=float, default=1800.0, show_default=True, help="Longest wait of a step, in seconds.")
def main(students: int, workers: int, patience: float) -> None:
    """Run a class from the first start of an arena to its grades."""
    start = monotonic()
    with tempfile.TemporaryDirectory() as home, running(Path(home) / "home", ARENA_WORKERS=str(workers)) as up:
        words = next(line for line in up.lines if "with the password" in line).split()
        address, password = f"http://127.0.0.1:{up.port}", words[words.index("password") + 1]
        course = Course(address, password, students, patience)
        course.seconds["arena starts"] = monotonic() - start
        lines = course.run()
    for line in lines:
        shown = ("account", "state", "version", "share", "tables", "place", "points")
        click.echo("  ".join(f"{line[name]:12}" for name in shown))
    for step, seconds in course.seconds.items():
        click.echo(f"{seconds / 60:6.2f} min  {step}")
    click.echo(f"{(monotonic() - start) / 60:6.2f} min  in all, {students} students")
    wrong = problems(course, lines)
    for problem in wrong:
        click.echo(f"wrong: {problem}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
