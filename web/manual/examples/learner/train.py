"""Train the learner by self-play, and pack it: ``python train.py suitability-4 --seconds 600`` writes learner.zip.

The network learns the value of each action in each position: the lead at the end of the deal. It plays all seats
itself, mostly the best action by what it knows so far, and learns from how each deal ended (Monte Carlo control:
Sutton and Barto, Reinforcement Learning, chapter 5).
"""

import argparse
import os
import time
import zipfile
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # one core; read when numpy is imported

import numpy as np
from network import Network

from arena.learn.vector import DealsEnv
from arena.sdk.search import default_weights

HERE = Path(__file__).parent
HIDDEN = (128, 64)
SCALE = 20  # points for a target of 1
DEALS = 64  # played side by side
MINIBATCH = 256
HOT, COLD = 0.1, 0.02  # temperature of the choice of actions, at the start and at the end
FAST, SLOW = 1e-3, 1e-4  # learning rate


class Adam:
    """Steps down a gradient (Kingma and Ba 2015)."""

    def __init__(self, layers):
        self.means, self.squares = ([np.zeros_like(layer) for layer in layers] for _ in range(2))
        self.steps = 0

    def step(self, layers, gradients, rate):
        self.steps += 1
        for layer, gradient, mean, square in zip(layers, gradients, self.means, self.squares, strict=True):
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient**2 - square)
            unbiased = np.sqrt(square / (1 - 0.999**self.steps)) + 1e-6
            layer -= rate / (1 - 0.9**self.steps) * mean / unbiased


def slopes(network, observations, actions, targets):
    """Return the gradient of the squared error of the values of these actions by layer, and the mean error."""
    *inputs, values = network.run(observations)
    rows = np.arange(len(actions))
    errors = values[rows, actions] - targets
    slope = np.zeros_like(values)
    slope[rows, actions] = errors.clip(-2, 2) / len(rows)
    return network.gradients(inputs, slope), float((errors**2).mean())


def play(network, env, noise, temperature):
    """Play deals against itself; return the observation, action and target of each decision."""
    seen, _ = env.reset()
    rows, decisions = np.arange(DEALS), []
    running, points = np.ones(DEALS, bool), np.zeros((DEALS, env.game.players))
    while running.any():
        values = network.run(seen["observation"])[-1] / temperature
        legal = seen["action_mask"] > 0
        actions = np.where(legal, values + noise.gumbel(size=values.shape), -np.inf).argmax(1)
        free = running & (legal.sum(1) > 1)
        decisions.append((seen["observation"][free], actions[free], rows[free], seen["seat"][free]))
        seen, rewards, ended, _, _ = env.step(actions)
        points[running] += rewards[running]
        running &= ~ended  # the next deal of a row is not waited for
    observations, actions, rows, seats = map(np.concatenate, zip(*decisions, strict=True))
    weights = np.array([default_weights(env.game, seat) for seat in range(env.game.players)])
    leads = points @ weights.T / SCALE
    return observations, actions, np.float32(leads[rows, seats])


def train(variant, progress, hidden=HIDDEN, seed=1):
    """Return a network, trained while `progress` yields how much of the training is done, from 0 to 1."""
    env, noise = DealsEnv(variant, DEALS), np.random.default_rng(seed)
    env.reset(seed=seed)
    encoder = env.encoder
    network = Network.random((encoder.length, *hidden, encoder.choices), noise)
    adam, seen = Adam(network.layers), np.zeros(encoder.length, bool)
    for number, done in enumerate(progress):
        decisions = play(network, env, noise, HOT + (COLD - HOT) * done)
        seen |= decisions[0].any(0)
        losses = []
        for rows in np.array_split(noise.permutation(len(decisions[0])), len(decisions[0]) // MINIBATCH + 1):
            found, loss = slopes(network, *(each[rows] for each in decisions))
            adam.step(network.layers, found, FAST + (SLOW - FAST) * done)
            losses.append(loss)
        print(f"{done:4.0%}  {(number + 1) * DEALS} deals  error {np.mean(losses):.3f}", flush=True)
    network.layers[0][~seen] = 0  # such as scores, because each deal is trained alone
    return network


def pack(network, path):
    """Write the bot as a zip."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("bot.py", "network.py"):
            archive.write(HERE / name, name)
        archive.writestr("weights.npy", network.save())


def until(seconds):
    """Yield how much of this CPU time is used, until it is."""
    start = time.process_time()
    while (spent := time.process_time() - start) < seconds:
        yield spent / seconds


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Train a bot by self-play.")
    parser.add_argument("variant")
    parser.add_argument("--seconds", type=float, default=600, help="CPU time.")
    parser.add_argument("--rounds", type=int, help=f"Rounds of {DEALS} deals, instead of seconds.")
    parser.add_argument("--hidden", type=int, nargs="*", default=HIDDEN, help="Numbers of hidden units.")
    parser.add_argument("--out", default="learner.zip")
    given = parser.parse_args()
    progress = [number / given.rounds for number in range(given.rounds)] if given.rounds else until(given.seconds)
    pack(train(given.variant, progress, given.hidden), given.out)
