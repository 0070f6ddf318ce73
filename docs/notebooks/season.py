# %% [markdown]
# # A season from its export
#
# Reproduces the leaderboards of an arena from the records alone, then answers five questions from the Parquet files.
# Needs an export (`arena export season`), and `pip install 'suit-arena[parquet]' trueskill`. `docs/data.md` describes
# the files.

# %%
import gzip
import json
import sys
from collections import defaultdict
from pathlib import Path
from statistics import correlation, fmean, pvariance, stdev

import pyarrow.parquet as pq

from arena.games.registry import rules_of
from arena.match.replay import walk
from arena.ratings import Era, Parameters, Rating, Result, fold_eras
from arena.tournament.standings import ranks
from arena.tournament.tables import kind_of

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "season")
season = json.loads((folder / "season.json").read_text())
tournaments = {one["id"]: one for one in season["tournaments"]}
names = {version["id"]: f"{bot['name']} {version['number']}" for bot in season["bots"] for version in bot["versions"]}

# %% [markdown]
# ## The leaderboard, to the last bit
#
# A table's result follows from its records, and ratings are a fold of results in the order of the tables' IDs. Each
# record is replayed first, so that no move is taken on trust.


# %%
def results():
    """Yield the variant and the result of each table that was played."""
    for path in sorted((folder / "records").glob("*.jsonl.gz")):
        for line in gzip.decompress(path.read_bytes()).splitlines():
            table = json.loads(line)
            if not table["matches"]:
                continue
            records = [match["record"] for match in table["matches"]]
            for record in records:
                for _ in walk(record):
                    pass
            of = tournaments[table["tournament"]]
            versions = tuple(place["version"] for place in table["places"])
            kind = kind_of(rules_of(of["variant"]).teams, len(versions), of["seatings"])
            order = tuple(ranks(kind.half_points(records)))
            yield of["variant"], Result(table["id"], versions, order, kind.own_matches(of["boards"]))


played = defaultdict(list)
for variant, result in results():
    played[variant].append(result)

for variant, tables in played.items():
    eras = [
        Era(one["since"], Parameters(one["beta"], one["draw_probability"]))
        for one in season["parameters"]
        if one["variant"] == variant
    ]
    computed = {change.version: change.rating for change in fold_eras(tables, eras)}
    published = {
        one["version"]: Rating(one["mu"], one["sigma"]) for one in season["ratings"] if one["variant"] == variant
    }
    complete = season["scope"]["tournament"] is None and variant not in season["outdated"]
    assert computed == published or not complete, f"the ratings of {variant} differ"
    print(f"{variant}: {len(tables)} tables, {len(computed)} ratings", "reproduced" if computed == published else "new")
    for version in sorted(computed, key=lambda version: -computed[version].conservative)[:10]:
        print(f"  {names[version]:24} {computed[version].mu:6.2f} ± {3 * computed[version].sigma:.2f}")

# %% [markdown]
# ## Five questions about one variant
#
# The variant with the most tables. An interval covers the true value 19 times out of 20.

# %%
variant = max(played, key=lambda one: len(played[one]))


def column_wise(name, *columns, match="match"):
    """Return columns of a Parquet table, only of matches (or tables) of the variant."""
    read = pq.read_table(folder / "parquet" / name, columns=[match, *columns]).to_pydict()
    kept = [number for number, one in enumerate(read[match]) if one in of_variant[match]]
    return [[read[column][number] for number in kept] for column in (match, *columns)]


def interval(values):
    """Return the mean of independent values and its interval, as text."""
    spread = 1.96 * stdev(values) / len(values) ** 0.5 if len(values) > 1 else float("inf")
    return f"{fmean(values):.3f} ± {spread:.3f}"


head = pq.read_table(folder / "parquet" / "matches", columns=["match", "table", "variant"]).to_pylist()
of_variant = {key: {row[key] for row in head if row["variant"] == variant} for key in ("match", "table")}
match, seat, version, score, rank, cpu = column_wise("seats", "seat", "version", "score", "rank", "cpu")
print(variant, "matches:", len(of_variant["match"]))

# %% [markdown]
# **Which seat wins?** Every bot holds every hand, so a difference is due to the seat.

# %%
for number in sorted(set(seat)):
    print(f"seat {number} wins", interval([float(r == 1) for s, r in zip(seat, rank, strict=True) if s == number]))

# %% [markdown]
# **How strong is the first move?**

# %%
moves = zip(*column_wise("moves", "move", "seat"), strict=True)
first = {one: mover for one, number, mover in moves if number == 0}
won = [float(r == 1) for m, s, r in zip(match, seat, rank, strict=True) if first[m] == s]
print("who moves first wins", interval(won), "instead of", f"{1 / len(set(seat)):.3f}")

# %% [markdown]
# **Luck or skill?** The part of the variance of scores that the bots explain; the rest is luck and opponents.

# %%
scores = defaultdict(list)
for one, points in zip(version, score, strict=True):
    scores[one].append(points)
between = fmean([(fmean(own) - fmean(score)) ** 2 for own in scores.values() for _ in own])
print(f"skill explains {between / (pvariance(score) or 1):.0%} of the variance of scores")

# %% [markdown]
# **Do bots that think longer score more?**

# %%
times = defaultdict(list)
for one, seconds in zip(version, cpu, strict=True):
    times[one].append(seconds)
pairs = [(fmean(times[one]), fmean(scores[one])) for one in scores]
for seconds, points in sorted(pairs):
    print(f"{seconds:8.3f} s a match, {points:7.2f} points")
if len({seconds for seconds, _ in pairs}) > 1 and len({points for _, points in pairs}) > 1:
    print(f"correlation {correlation(*zip(*pairs, strict=True)):.2f}")

# %% [markdown]
# **Is the best bot better than the second?** Tables are independent; matches of a table are not, as they share boards.

# %%
ratings = {one["version"]: one["mu"] - 3 * one["sigma"] for one in season["ratings"] if one["variant"] == variant}
best, second = sorted(ratings, key=lambda one: -ratings[one])[:2]
points = defaultdict(dict)
for table, one, half in zip(*column_wise("results", "version", "half_points", match="table"), strict=True):
    points[table][one] = half / 2
leads = [own[best] - own[second] for own in points.values() if best in own and second in own]
print(f"{names[best]} leads {names[second]} by {interval(leads)} match points a table, in {len(leads)} tables")
