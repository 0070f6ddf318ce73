"""How soon a person's points above the field tell something, with house bots in the place of people."""

from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from statistics import fmean
from typing import Final

from arena.cli.bots import house_bots, load_bot, seed_bytes
from arena.games.base import Variant
from arena.games.chance import bot_seed
from arena.sandbox import Cage
from arena.sandbox.limits import limits_of
from arena.services.live import daily, positions
from arena.services.live.seats import STRENGTHS
from arena.services.live.standing import Standing
from arena.services.live.tables import Wish, rules_for
from arena.services.play.seats import Sitter, seat_and_play
from arena.settings import Settings
from benchmarks.results import Table, reached, show_progress

DEALS: Final = 40
WIDTH: Final = 2.0
"""Target for half of the 95 % interval of the points above the field, in points per deal."""
NOTES: Final = (
    "Every house bot sits in a person's seat for {deals} deals, against house bots of medium strength, and is compared "
    "with all others on the same deals: half of the 95 % interval of its points per deal, as a quadratic mean of all."
)


def run(rounds: int) -> list[Table]:
    """Play the deals in each variant with a daily; one round is enough."""
    del rounds
    rows = []
    for variant in daily.variants():
        points = list(_points(variant))
        raw, above = _width(variant, points, field=False), _width(variant, points, field=True)
        rows.append((variant.id, f"± {raw:.1f}", f"± {above:.1f}", f"≤ {WIDTH:g}", reached(above <= WIDTH)))
    show_progress("")
    head = ("variant", "points", "points above the field", "target", "reached")
    return [Table("Points above the field", NOTES.format(deals=DEALS), head, rows)]


def _width(variant: Variant, points: Sequence[Mapping[str, int]], field: bool) -> float:
    """Return the width over all bots, of their points or of those above the `field`."""
    widths = []
    for bot in points[0]:
        others = [[deal[name] for name in deal if name != bot] for deal in points]
        means = [fmean(each) if field else 0.0 for each in others]
        own = Standing(variant.id, tuple(deal[bot] - mean for deal, mean in zip(points, means, strict=True)))
        widths.append(own.error or 0.0)
    return sqrt(fmean(width**2 for width in widths))


def _points(variant: Variant) -> Iterator[Mapping[str, int]]:
    """Play the deals; yield the points of every bot in the person's seat."""
    settings, rules = Settings.from_env(), rules_for(Wish(variant.id))
    bots = house_bots(rules)
    sources = {name: load_bot(name, settings).source for name in bots}
    medium = [name for name in STRENGTHS[daily.STRENGTH] if name in bots]
    others = [medium[seat % len(medium)] for seat in range(rules.players - 1)]
    with Cage(settings.sandbox_minimum, limits=limits_of(settings)) as cage:
        for deal in range(DEALS):
            show_progress(f"{variant.id}: deal {deal + 1} of {DEALS}")
            seed, own = seed_bytes(f"{variant.id} {deal}"), deal % rules.players
            seeds = [bot_seed(seed, 0, seat) for seat in range(rules.players)]
            points = {}
            for bot in bots:
                names = [*others[:own], bot, *others[own:]]
                sitters = [Sitter(0, f"{seat}", sources[name]) for seat, name in enumerate(names)]
                played = seat_and_play(cage, rules, sitters, positions.drawer(rules, seed), seeds, lambda: None)
                points[bot] = played.record["scores"][own]
            yield points
