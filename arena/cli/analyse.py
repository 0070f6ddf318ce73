"""``arena analyse``: what each decision of a match record was worth, and where points were lost."""

from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any

import click
from msgspec import to_builtins

from arena.cli.position import read_record
from arena.exits import ExitCode
from arena.match import analysis
from arena.match.analysis import MARKS, VERSION, Assessment, Part, by_phase, deals_of, mark, part_of, variant_of
from arena.match.estimate import ROUNDS
from arena.remote.texts import json_option, say, say_json, say_rows

LARGEST_SEED = 2**64 - 1


@click.command()
@click.argument("record", metavar="RECORD")
@click.option("--seat", "seats", type=click.IntRange(0, 7), multiple=True, help="Only this seat, from 0; repeatable.")
@click.option("--worst", type=click.IntRange(0), default=10, show_default=True, help="Decisions to list.")
@click.option(
    "--seed", type=click.IntRange(0, LARGEST_SEED), default=0, show_default=True, help="Seed of the worlds and games."
)
@click.option(
    "--rounds",
    type=click.IntRange(ROUNDS),
    default=ROUNDS,
    show_default=True,
    help="Most rounds of games for a decision whose interval is wide.",
)
@json_option
def analyse(record: str, seats: Sequence[int], worst: int, seed: int, rounds: int, as_json: bool) -> int:
    """Estimate every decision of the match record RECORD, and show where points were lost.

    For each decision, worlds are drawn that the seat could not rule out, each equally likely, and random games to the
    end of the deal show what each legal action is worth there. Losses have 95 % intervals for chance in these games. A
    match takes some seconds.

    With --json, the estimates of all actions are printed. The same seed and rounds give the same numbers.
    """
    recorded, state = read_record(record, 0)
    if wrong := [seat for seat in seats if seat >= state.game.players]:
        raise click.UsageError(f"there is no seat {wrong[0]}; seats are 0 to {state.game.players - 1}")
    found = list(analysis.analyse(recorded, seed, seats or None, rounds))
    if as_json:
        shown = [_shown(one, variant_of(recorded)) for one in found]
        say_json({"version": VERSION, "seed": seed, "rounds": rounds, "decisions": shown})
    else:
        _print(recorded, found, worst)
    return ExitCode.DONE


def _shown(one: Assessment, variant: str) -> dict[str, Any]:
    estimates = [to_builtins(each._asdict()) for each in one.estimates]
    return {**one._asdict(), "estimates": estimates, "mark": mark(one, variant)}


def _print(record: Mapping[str, Any], found: Sequence[Assessment], worst: int) -> None:
    deals, names, variant = deals_of(record), [seat["name"] for seat in record["seats"]], variant_of(record)
    say(f"{record['game']}, {deals} deals, {len(found)} decisions")
    seats = sorted({one.seat for one in found})
    own = {seat: [one for one in found if one.seat == seat] for seat in seats}
    click.echo()
    say_rows(
        ("seat", "bot", "decisions", "best", "lost a deal", "inaccuracies", "mistakes", "blunders"),
        ((seat, names[seat], *_seat(own[seat], variant, deals)) for seat in seats),
    )
    click.echo()
    say_rows(("seat", "phase", "decisions", "best", "lost a deal"), _phases(own, deals))
    listed = sorted(found, key=attrgetter("lost"), reverse=True)[:worst]
    if listed:
        click.echo()
        say_rows(("move", "seat", "phase", "chosen", "better", "lost", ""), (_row(one, variant) for one in listed))


def _seat(own: Sequence[Assessment], variant: str, deals: int) -> Iterator[object]:
    yield from _part(part_of(own), deals)
    marks = [mark(one, variant) for one in own]
    yield from (marks.count(name) for name in MARKS[2:])


def _phases(own: Mapping[int, Sequence[Assessment]], deals: int) -> Iterator[Sequence[object]]:
    for seat, some in own.items():
        for phase, part in by_phase(some).items():
            yield seat, phase, *_part(part, deals)


def _part(part: Part, deals: int) -> Iterator[object]:
    yield from (part.decisions, f"{part.best / part.decisions:.0%}")
    yield f"{part.lost / deals:.2f} ± {part.margin / deals:.2f}"


def _row(one: Assessment, variant: str) -> Sequence[object]:
    lost = f"{one.lost:.1f} ± {one.margin:.1f}"
    return one.move, one.seat, one.phase, one.action, one.best.token, lost, mark(one, variant)
