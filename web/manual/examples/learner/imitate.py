"""Train the learner to play like the winners of an export: ``python imitate.py season suitability-4``.

The Parquet files say who won each match, and the records what the winners saw and did. The network learns to
give their actions the highest values (maximum likelihood).
"""

import argparse
import gzip
import json
from pathlib import Path

import pyarrow.parquet as pq
from train import HIDDEN, MINIBATCH, Adam, Network, np, pack

from arena.games.registry import rules_of
from arena.learn.records import examples
from arena.sdk import Encoder


def records(season):
    """Yield the ID and the record of each match of an export."""
    for path in sorted((season / "records").glob("*.jsonl.gz")):
        for line in gzip.decompress(path.read_bytes()).splitlines():
            for match in json.loads(line)["matches"]:
                yield match["id"], match["record"]


def of_winners(season, variant):
    """Return observations, legal actions and actions of the winners of all matches of a variant."""
    parquet = season / "parquet"
    played = pq.read_table(parquet / "matches", columns=["match", "variant"]).to_pylist()
    matches = {row["match"] for row in played if row["variant"] == variant}
    seats = pq.read_table(parquet / "seats", columns=["match", "seat", "rank", "fault"]).to_pylist()
    won = {(row["match"], row["seat"]) for row in seats if row["rank"] == 1 and row["fault"] is None}
    found = []
    for match, record in records(season):
        if match in matches:
            seen = examples(record)
            own = np.array([(match, seat) in won for seat in seen.seats.tolist()])
            found.append([each[own] for each in (seen.observations, seen.legal, seen.actions)])
    return [*map(np.concatenate, zip(*found, strict=True))]


def slopes(network, observations, legal, actions):
    """Return the gradient of the cross-entropy by layer, and the share of actions that the network finds itself."""
    *inputs, values = network.run(observations)
    values = np.where(legal, values, -np.inf)
    chances = np.exp(values - values.max(1, keepdims=True))
    slope = chances / chances.sum(1, keepdims=True)
    slope[np.arange(len(actions)), actions] -= 1
    return network.gradients(inputs, slope / len(actions)), float((values.argmax(1) == actions).mean())


def imitate(data, encoder, epochs, rate=1e-3, seed=1):
    """Return a network, trained on the decisions this many times."""
    rng = np.random.default_rng(seed)
    network = Network.random((encoder.length, *HIDDEN, encoder.choices), rng)
    adam = Adam(network.layers)
    for epoch in range(epochs):
        agreed = []
        for rows in np.array_split(rng.permutation(len(data[0])), len(data[0]) // MINIBATCH + 1):
            found, share = slopes(network, *(each[rows] for each in data))
            adam.step(network.layers, found, rate)
            agreed.append(share)
        print(f"epoch {epoch + 1}: {len(data[0])} decisions, {np.mean(agreed):.0%} as the winners", flush=True)
    network.layers[0][~data[0].any(0)] = 0  # what no winner saw
    return network


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Train a bot to play like the winners of an export.")
    parser.add_argument("season", type=Path)
    parser.add_argument("variant")
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--out", default="imitator.zip")
    given = parser.parse_args()
    data = of_winners(given.season, given.variant)
    pack(imitate(data, Encoder(rules_of(given.variant)), given.epochs), given.out)
