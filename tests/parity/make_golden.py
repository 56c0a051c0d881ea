#!/usr/bin/python3
"""Trains three small networks with PyTorch in double precision and writes the numbers to golden/*.json. Losses and
lengths of gradients of the same training with PyTorch's autocast to bf16 go into golden/autocast.json.

parity_test.cc trains the same networks with Convoy from the same numbers and compares; it does not need this script.
Debian: apt install python3-torch. Run again only to change a network or to add one.

Weights, samples and labels come from a hash of their name and place, so that both sides make them without a file: see
`noise` below and hashed_numbers.h.
"""
import json
import math
import pathlib

import numpy as np
import torch
import torch.nn.functional as F

STEPS = 10
BATCHES = 2  # taken in turn, so that there is something to learn
WATCHED_STEPS = (0, STEPS - 1)
SAMPLES = 4
CLASSES = 10


def name_hash(name):
    """FNV-1a, 32 bits."""
    value = 2166136261
    for byte in name.encode():
        value = (value ^ byte) * 16777619 % 2**32
    return value


def bits(name, count):
    """`count` 32-bit words: each is the finaliser of MurmurHash3 applied to the place and the name's hash."""
    x = np.arange(count, dtype=np.uint32) * np.uint32(2654435769) + np.uint32(name_hash(name))
    x ^= x >> np.uint32(16)
    x *= np.uint32(0x85EBCA6B)
    x ^= x >> np.uint32(13)
    x *= np.uint32(0xC2B2AE35)
    x ^= x >> np.uint32(16)
    return x


def noise(name, shape):
    """Floats in [-1, 1), multiples of 2^-23 and so exact in single precision."""
    whole = (bits(name, math.prod(shape)) >> np.uint32(8)).astype(np.float32)
    return (whole * np.float32(2**-23) - np.float32(1)).reshape(shape)


def first_value(name, shape):
    """Weights are uniform within He's bound; biases lie around 0, scales of batch norm around 1."""
    if len(shape) > 1:
        return noise(name, shape) * np.float32(math.sqrt(6.0 / math.prod(shape[1:])))
    centre = np.float32(1 if name.endswith(".weight") else 0)
    return centre + noise(name, shape) * np.float32(0.125)


def first_shift(name, shape):
    """Shifts of batch norm, away from 0 on both sides. Otherwise thousands of inputs of ReLUs would be close to 0, and
    rounding would change the sign of one or two, so that gradients in single precision (PyTorch's too) differ by
    percents."""
    centred = noise(name, shape)
    return centred + np.where(centred < 0, np.float32(-2.5), np.float32(2.5))


class Parameters(dict):
    """Parameters by name, made when they are first asked for; running statistics likewise."""

    def __init__(self, dtype):
        super().__init__()
        self.dtype = dtype
        self.statistics = {}

    def get(self, name, shape, first=first_value):
        if name not in self:
            self[name] = torch.tensor(first(name, shape), dtype=self.dtype, requires_grad=True)
        return self[name]

    def conv(self, x, name, out, kernel, stride=1, bias=True):
        weight = self.get(name + ".weight", (out, x.shape[1], kernel, kernel))
        return F.conv2d(x, weight, self.get(name + ".bias", (out,)) if bias else None, stride, kernel // 2)

    def dense(self, x, name, out):
        x = x.flatten(1)
        return F.linear(x, self.get(name + ".weight", (out, x.shape[1])), self.get(name + ".bias", (out,)))

    def batch_norm(self, x, name):
        channels = x.shape[1]
        mean = self.statistics.setdefault(name + ".running_mean", torch.zeros(channels, dtype=self.dtype))
        variance = self.statistics.setdefault(name + ".running_var", torch.ones(channels, dtype=self.dtype))
        scale = self.get(name + ".weight", (channels,))
        shift = self.get(name + ".bias", (channels,), first_shift)
        return F.batch_norm(x, mean, variance, scale, shift, training=True, momentum=0.1, eps=1e-5)


def lenet(p, x):
    x = F.max_pool2d(F.relu(p.conv(x, "conv1", 32, 5)), 2)
    x = F.max_pool2d(F.relu(p.conv(x, "conv2", 64, 5)), 2)
    return p.dense(F.relu(p.dense(x, "fc1", 512)), "fc2", CLASSES)


def resnet20(p, x):
    def block(x, name, out, stride):
        y = F.relu(p.batch_norm(p.conv(x, name + ".conv1", out, 3, stride, bias=False), name + ".bn1"))
        y = p.batch_norm(p.conv(y, name + ".conv2", out, 3, bias=False), name + ".bn2")
        if stride > 1:  # option A: every second pixel, zero channels before and after
            zeros = (out - x.shape[1]) // 2
            x = F.pad(x[:, :, ::stride, ::stride], (0, 0, 0, 0, zeros, zeros))
        return F.relu(y + x)

    x = F.relu(p.batch_norm(p.conv(x, "conv1", 16, 3, bias=False), "bn1"))
    for stage in range(3):
        for i in range(3):
            x = block(x, f"layer{stage + 1}.{i}", 16 << stage, 2 if stage > 0 and i == 0 else 1)
    return p.dense(x.mean((2, 3)), "fc", CLASSES)


def inception(p, x):
    def module(x, name, one, three_reduce, three, five_reduce, five, pool):
        def conv_relu(x, kind, out, kernel):
            return F.relu(p.conv(x, f"{name}.{kind}", out, kernel))

        return torch.cat([
            conv_relu(x, "conv1x1", one, 1),
            conv_relu(conv_relu(x, "reduce3x3", three_reduce, 1), "conv3x3", three, 3),
            conv_relu(conv_relu(x, "reduce5x5", five_reduce, 1), "conv5x5", five, 5),
            conv_relu(F.max_pool2d(x, 3, 1, 1), "project", pool, 1),
        ], 1)

    x = F.relu(p.conv(x, "stem", 24, 3))
    x = F.max_pool2d(module(x, "inception1", 8, 6, 20, 5, 12, 7), 2)
    x = module(x, "inception2", 16, 8, 24, 4, 9, 10)
    return p.dense(x.mean((2, 3)), "fc", CLASSES)


MODELS = {
    "lenet": (lenet, (1, 28, 28), 8, 0.004),
    "resnet20": (resnet20, (3, 32, 32), 16, 0.002),
    "inception": (inception, (3, 16, 16), 8, 0.03),
}


def batch_of(number, shape, batch, dtype):
    samples = torch.tensor(noise(f"samples {number}", (batch, *shape)), dtype=dtype)
    labels = torch.tensor((bits(f"labels {number}", batch) % np.uint32(CLASSES)).astype(np.int64))
    return samples, labels


def digest(name, tensor):
    """Length and a few elements, at places hashed from the name."""
    flat = tensor.detach().flatten()
    places = bits(name + " places", SAMPLES).astype(np.int64) % flat.numel()
    return {"norm": flat.norm().item(), "places": places.tolist(), "elements": flat[places].tolist()}


def train(model, shape, batch, learning_rate):
    parameters = Parameters(torch.float64)
    record = {"input": list(shape), "batch": batch, "learning_rate": learning_rate, "losses": [], "steps": {}}
    for step in range(STEPS):
        samples, labels = batch_of(step % BATCHES, shape, batch, torch.float64)
        logits = model(parameters, samples)
        loss = F.cross_entropy(logits, labels)
        gradients = torch.autograd.grad(loss, list(parameters.values()))
        record["losses"].append(loss.item())
        if step in WATCHED_STEPS:
            record["steps"][step] = {
                "logits": digest("logits", logits),
                "gradients": {name: digest(name, g) for name, g in zip(parameters, gradients)},
            }
        with torch.no_grad():
            for parameter, gradient in zip(parameters.values(), gradients):
                parameter -= learning_rate * gradient
    record["parameters"] = {name: digest(name, p) for name, p in parameters.items()}
    record["statistics"] = {name: digest(name, s) for name, s in parameters.statistics.items()}
    return record


def train_with_autocast(model, shape, batch, learning_rate):
    """The loss of each step, and the length of each parameter's gradient in the first."""
    parameters = Parameters(torch.float32)
    record = {"losses": [], "gradient_norms": {}}
    for step in range(STEPS):
        samples, labels = batch_of(step % BATCHES, shape, batch, torch.float32)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits = model(parameters, samples)
        loss = F.cross_entropy(logits.float(), labels)
        gradients = torch.autograd.grad(loss, list(parameters.values()))
        record["losses"].append(loss.item())
        if step == 0:
            record["gradient_norms"] = {name: g.norm().item() for name, g in zip(parameters, gradients)}
        with torch.no_grad():
            for parameter, gradient in zip(parameters.values(), gradients):
                parameter -= learning_rate * gradient
    return record


def rounded(value):
    """To nine digits, which is more than single precision has."""
    if isinstance(value, float):
        return float(f"{value:.9g}")
    if isinstance(value, dict):
        return {key: rounded(entry) for key, entry in value.items()}
    return [rounded(entry) for entry in value] if isinstance(value, list) else value


def main():
    folder = pathlib.Path(__file__).with_name("golden")
    for name, (model, shape, batch, learning_rate) in MODELS.items():
        record = rounded(train(model, shape, batch, learning_rate))
        (folder / f"{name}.json").write_text(json.dumps(record, separators=(",", ":")).replace("},", "},\n") + "\n")
        print(name, record["losses"])
    autocast = {name: rounded(train_with_autocast(*how)) for name, how in MODELS.items()}
    (folder / "autocast.json").write_text(json.dumps(autocast, separators=(",", ":")).replace("},", "},\n") + "\n")


if __name__ == "__main__":
    main()
