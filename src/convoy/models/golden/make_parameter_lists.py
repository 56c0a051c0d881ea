#!/usr/bin/python3
"""Writes the parameter names and shapes of torchvision's models beside this file, one "name shape" a line.

Debian: apt install python3-torchvision. Run again only to add a model; zoo_names_test.cc compares Convoy's with these.
"""
import pathlib

import torchvision.models as tv

MODELS = {
    "resnet18": tv.resnet18,
    "resnet50": tv.resnet50,
    "mobilenetv2": tv.mobilenet_v2,
    "squeezenet1.1": tv.squeezenet1_1,
    "vgg16": tv.vgg16,
}

for name, build in MODELS.items():
    lines = [f"{key} {'x'.join(map(str, value.shape))}\n" for key, value in build().named_parameters()]
    pathlib.Path(__file__).with_name(f"{name}.txt").write_text("".join(lines))
