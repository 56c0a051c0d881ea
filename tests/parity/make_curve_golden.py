#!/usr/bin/python3
"""Trains two networks with PyTorch for 50 steps in double precision and writes their losses to golden/curve_*.json.

training_curve_test.cc trains the same networks with Convoy's Trainer on the same data in the same order and compares;
it does not need this script. See make_golden.py. Each curve is also computed in single precision: how far the two
curves are apart is kept beside the numbers.
"""
import json
import pathlib
import warnings

import numpy as np
import torch
import torch.nn.functional as F
from torch.optim import lr_scheduler

from make_golden import CLASSES, Parameters, bits, first_value, lenet, resnet20, rounded

TRAIN = 300  # ten steps to an epoch, the last with 12 samples
TEST = 100
BATCH = 32
EPOCHS = 5
SEED = 20
BLOCK = 4  # width of the squares of one colour in a class's pattern, in pixels
MEAN, DEVIATION = 0.5, 0.2  # of a channel, in [0, 1]; given, not measured from the samples
WARMUP = 5
BRANCH = 0.25

CURVES = {
    "resnet20": (resnet20, {"input": [3, 16, 16], "optimizer": "momentum", "rate": 0.03, "weight_decay": 5e-4}),
    "lenet": (lenet, {"input": [1, 16, 16], "optimizer": "adamw", "rate": 0.001, "weight_decay": 0.05}),
}


def make_optimizer(kind, groups, rate):
    if kind == "momentum":
        return torch.optim.SGD(groups, lr=rate, momentum=0.9)
    return torch.optim.AdamW(groups, lr=rate)


def labels(split, count):
    return (bits(f"{split} labels", count) % np.uint32(CLASSES)).astype(np.int64)


def images(split, shape, label_of):
    """Bytes: half noise, half the class's own pattern of coarse pixels."""
    channels, height, width = shape
    made = []
    for i, label in enumerate(label_of):
        noise = bits(f"{split} image {i}", channels * height * width).reshape(shape) >> np.uint32(24)
        coarse = bits(f"pattern {label}", channels * height // BLOCK * width // BLOCK) >> np.uint32(24)
        pattern = coarse.reshape(channels, height // BLOCK, width // BLOCK).repeat(BLOCK, 1).repeat(BLOCK, 2)
        made.append((noise + pattern) // 2)
    return np.stack(made).astype(np.uint8)


def samples(split, shape, count, dtype):
    label_of = labels(split, count)
    normal = (images(split, shape, label_of) / 255.0 - MEAN) / DEVIATION
    return torch.tensor(normal, dtype=dtype), torch.tensor(label_of)


def philox(seed, stream, index):
    """Philox 4x32-10."""
    low = 2**32 - 1
    counter = [index & low, index >> 32, stream & low, stream >> 32]
    key = [seed & low, seed >> 32]
    for _ in range(10):
        first, second = counter[0] * 0xD2511F53, counter[2] * 0xCD9E8D57
        counter = [second >> 32 ^ counter[1] ^ key[0], second & low, first >> 32 ^ counter[3] ^ key[1], first & low]
        key = [(key[0] + 0x9E3779B9) & low, (key[1] + 0xBB67AE85) & low]
    return counter


def mix(x):
    """The finaliser of MurmurHash3, 64 bits."""
    x ^= x >> 33
    x = x * 0xFF51AFD7ED558CCD % 2**64
    x ^= x >> 33
    x = x * 0xC4CEB9FE1A85EC53 % 2**64
    return x ^ x >> 33


def order(size, epoch):
    """The order of samples that data/permutation.h defines."""
    half = max(((size - 1).bit_length() + 1) // 2, 4)
    mask = 2**half - 1
    words = [word for i in range(4) for word in philox(SEED, 0x6F726465726F6673 + i, epoch)]
    keys = [high << 32 | low for high, low in zip(words[::2], words[1::2])]

    def shuffle(number):
        left, right = number >> half, number & mask
        for key in keys:
            left, right = right, left ^ mix(right ^ key) & mask
        return left << half | right

    def walk(number):
        number = shuffle(number)
        return number if number < size else walk(number)

    return [walk(position) for position in range(size)]


def usual_value(name):
    """The value that a parameter usually starts with; but the last scales of residual branches start small. With scales
    of 1, rounding errors grow so fast that PyTorch's curve in single precision differs by percents."""
    return BRANCH if name.endswith(".bn2.weight") else 1 if name.endswith(".weight") else 0


class CurveParameters(Parameters):
    """Parameters of which weights come from the hash and all others have usual_value()."""

    def __init__(self, dtype):
        super().__init__()
        self.dtype = dtype
        self.training = True

    def get(self, name, shape):
        if name not in self:
            first = first_value(name, shape) if len(shape) > 1 else np.full(shape, usual_value(name))
            self[name] = torch.tensor(first, dtype=self.dtype, requires_grad=True)
        return self[name]

    def batch_norm(self, x, name):
        channels = x.shape[1]
        mean = self.statistics.setdefault(name + ".running_mean", torch.zeros(channels, dtype=self.dtype))
        variance = self.statistics.setdefault(name + ".running_var", torch.ones(channels, dtype=self.dtype))
        scale, shift = self.get(name + ".weight", (channels,)), self.get(name + ".bias", (channels,))
        return F.batch_norm(x, mean, variance, scale, shift, self.training, momentum=0.1, eps=1e-5)

    def evaluate(self, model, inputs, targets):
        self.training = False
        with torch.no_grad():
            logits = model(self, inputs)
        self.training = True
        right = (logits.argmax(1) == targets).double().mean()
        return {"loss": F.cross_entropy(logits, targets).item(), "top1": right.item()}


def warm_cosine(optimizer, steps):
    warm = lr_scheduler.LinearLR(optimizer, 1 / (WARMUP + 1), 1, WARMUP)
    return lr_scheduler.SequentialLR(optimizer, [warm, lr_scheduler.CosineAnnealingLR(optimizer, steps - WARMUP)],
                                     [WARMUP])


def batches():
    for epoch in range(EPOCHS):
        shuffled = order(TRAIN, epoch)
        for first in range(0, TRAIN, BATCH):
            yield shuffled[first:first + BATCH], first + BATCH >= TRAIN


def train(model, settings, dtype):
    inputs, targets = samples("train", settings["input"], TRAIN, dtype)
    test = samples("test", settings["input"], TEST, dtype)
    parameters = CurveParameters(dtype)
    parameters.evaluate(model, *test)  # its first use makes the parameters
    groups = [{"params": [p for p in parameters.values() if p.dim() > 1], "weight_decay": settings["weight_decay"]},
              {"params": [p for p in parameters.values() if p.dim() == 1], "weight_decay": 0}]
    optimizer = make_optimizer(settings["optimizer"], groups, settings["rate"])
    all_batches = list(batches())
    schedule = warm_cosine(optimizer, len(all_batches))
    record = {"losses": [], "tests": []}
    for batch, ends_epoch in all_batches:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(parameters, inputs[batch]), targets[batch])
        loss.backward()
        optimizer.step()
        schedule.step()
        record["losses"].append(loss.item())
        if ends_epoch:
            record["tests"].append(parameters.evaluate(model, *test))
    record["lengths"] = {name: tensor.detach().norm().item() for name, tensor in parameters.items()
                         if name.endswith(".weight")}
    return record


def largest_deviation(ours, truth):
    return max(abs(a / b - 1) for a, b in zip(ours, truth))


def deviations(single, double):
    return {
        "losses": largest_deviation(single["losses"], double["losses"]),
        "tests": largest_deviation(*([test["loss"] for test in run["tests"]] for run in (single, double))),
        "lengths": largest_deviation(single["lengths"].values(), double["lengths"].values()),
    }


def main():
    warnings.simplefilter("ignore")  # of how SequentialLR calls its parts
    common = {"train": TRAIN, "test": TEST, "batch": BATCH, "epochs": EPOCHS, "seed": SEED, "warmup": WARMUP,
              "branch": BRANCH, "block": BLOCK, "mean": MEAN, "deviation": DEVIATION}
    first_samples = [order(TRAIN, epoch)[:10] for epoch in range(EPOCHS)]
    for name, (model, settings) in CURVES.items():
        truth = train(model, settings, torch.float64)
        record = {**common, **settings, "first_samples": first_samples, **truth,
                  "deviations_of_single_precision": deviations(train(model, settings, torch.float32), truth)}
        path = pathlib.Path(__file__).with_name("golden") / f"curve_{name}.json"
        path.write_text(json.dumps(rounded(record), separators=(",", ":")).replace("],", "],\n") + "\n")
        print(name, record["losses"], record["deviations_of_single_precision"])


if __name__ == "__main__":
    main()
