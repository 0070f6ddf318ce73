"""A network that values actions: fully connected layers with rectifiers between them, in numpy."""

import io
from itertools import pairwise

import numpy as np


class Network:
    """`layers` are weights and biases in turn."""

    def __init__(self, layers):
        self.layers = layers

    @classmethod
    def random(cls, sizes, rng):
        """Return a network with these numbers of inputs, hidden units and outputs (He et al. 2015)."""
        shapes = pairwise(sizes)
        weights = [rng.standard_normal(shape) * np.sqrt(2 / shape[0]) for shape in shapes]
        weights[0] *= 3  # most inputs are 0
        weights[-1] *= 0.1
        return cls([np.float32(layer) for each in weights for layer in (each, np.zeros(each.shape[1]))])

    @classmethod
    def load(cls, data):
        """Return the network that `save` wrote."""
        file = io.BytesIO(data)
        return cls([np.float32(np.load(file)) for _ in range(np.load(file))])

    def save(self):
        """Return the network as bytes, two for each weight."""
        file = io.BytesIO()
        for each in (np.int16(len(self.layers)), *map(np.float16, self.layers)):
            np.save(file, each)
        return file.getvalue()

    def run(self, observations):
        """Return the inputs of each layer, then the outputs: a value for each action."""
        found = [np.float32(observations)]
        for weights, biases in zip(self.layers[::2], self.layers[1::2], strict=True):
            found.append(found[-1] @ weights + biases)
            if len(found) <= len(self.layers) // 2:
                np.maximum(found[-1], 0, out=found[-1])
        return found

    def gradients(self, inputs, slope):
        """Return the gradient by layer, given the inputs of `run` and the gradient of its outputs (backpropagation)."""
        found = []
        for number in reversed(range(len(inputs))):
            found = [inputs[number].T @ slope, slope.sum(0), *found]
            if number:
                slope = slope @ self.layers[2 * number].T * (inputs[number] > 0)
        return found
