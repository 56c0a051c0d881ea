#!/usr/bin/python3
"""Runs PyTorch's optimizers (in double precision) and schedules and writes parameters and rates to golden/*.json.

optim_parity_test.cc does the same with Convoy's and compares; it does not need this script. See make_golden.py.
"""
import json
import pathlib
import warnings

import torch
from torch.optim import lr_scheduler

from make_golden import noise, rounded

STEPS = 10
DECAYING = 8  # so many parameters decay; the others do not, like biases
PARAMETERS = 12
WEIGHT_DECAY = 0.05

# PyTorch's defaults, but with momentum where the name says so.
OPTIMIZERS = {
    "sgd": (torch.optim.SGD, 0.2, {}),
    "momentum": (torch.optim.SGD, 0.1, {"momentum": 0.9}),
    "nesterov": (torch.optim.SGD, 0.1, {"momentum": 0.9, "nesterov": True}),
    "adam": (torch.optim.Adam, 0.05, {}),
    "adamw": (torch.optim.AdamW, 0.05, {}),
    "adadelta": (torch.optim.Adadelta, 1.0, {}),
}

SCHEDULE_STEPS = 24


def warm_cosine(optimizer, warmup):
    warm = lr_scheduler.LinearLR(optimizer, 1 / (warmup + 1), 1, warmup)
    cosine = lr_scheduler.CosineAnnealingLR(optimizer, SCHEDULE_STEPS - warmup)
    return lr_scheduler.SequentialLR(optimizer, [warm, cosine], [warmup])


# Settings of Convoy's schedule, and the same schedule of PyTorch for an optimizer whose rate is 0.4.
SCHEDULES = {
    "every": ({"kind": "step", "every": 7, "factor": 0.3}, lambda o: lr_scheduler.StepLR(o, 7, 0.3)),
    "milestones": ({"kind": "step", "milestones": [5, 6, 20]}, lambda o: lr_scheduler.MultiStepLR(o, [5, 6, 20])),
    "cosine": ({"kind": "cosine", "final_fraction": 0.25},
               lambda o: lr_scheduler.CosineAnnealingLR(o, SCHEDULE_STEPS, 0.1)),
    "polynomial": ({"kind": "polynomial", "power": 1.5},
                   lambda o: lr_scheduler.PolynomialLR(o, SCHEDULE_STEPS, 1.5)),
    "one_cycle": ({"kind": "one-cycle"}, lambda o: lr_scheduler.OneCycleLR(o, 0.4, SCHEDULE_STEPS)),
    "one_cycle_divisors": ({"kind": "one-cycle", "start_divisor": 10, "end_divisor": 500, "rise_fraction": 0.45},
                           lambda o: lr_scheduler.OneCycleLR(o, 0.4, SCHEDULE_STEPS, pct_start=0.45, div_factor=10,
                                                             final_div_factor=50)),
    "warm_cosine": ({"kind": "cosine", "warmup_steps": 4}, lambda o: warm_cosine(o, 4)),
}


def parameter(first, last):
    values = torch.tensor(noise("parameters", (PARAMETERS,))[first:last], dtype=torch.float64)
    return torch.nn.Parameter(values)


def optimize(make, rate, options):
    """The parameters after each step, with a falling rate and made-up gradients."""
    weights, biases = parameter(0, DECAYING), parameter(DECAYING, PARAMETERS)
    groups = [{"params": [weights], "weight_decay": WEIGHT_DECAY}, {"params": [biases], "weight_decay": 0}]
    optimizer = make(groups, lr=rate, **options)
    record = {"weight_decay": WEIGHT_DECAY, "decaying": DECAYING, "rates": [], "parameters": []}
    for step in range(STEPS):
        gradients = torch.tensor(noise(f"gradients {step}", (PARAMETERS,)), dtype=torch.float64)
        weights.grad, biases.grad = gradients[:DECAYING], gradients[DECAYING:]
        for group in optimizer.param_groups:
            group["lr"] = rate / (1 + step)
        record["rates"].append(rate / (1 + step))
        optimizer.step()
        record["parameters"].append(torch.cat([weights, biases]).tolist())
    return record


def rates(make):
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=0.4)
    schedule = make(optimizer)
    found = []
    for _ in range(SCHEDULE_STEPS):
        found.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        schedule.step()
    return found


def write(name, record):
    path = pathlib.Path(__file__).with_name("golden") / f"{name}.json"
    path.write_text(json.dumps(rounded(record), separators=(",", ":")).replace("},", "},\n") + "\n")


def main():
    warnings.simplefilter("ignore")  # of the last call of schedule.step()
    write("optimizers", {name: optimize(*how) for name, how in OPTIMIZERS.items()})
    write("schedules", {name: options | {"rate": 0.4, "steps": SCHEDULE_STEPS, "rates": rates(make)}
                        for name, (options, make) in SCHEDULES.items()})


if __name__ == "__main__":
    main()
