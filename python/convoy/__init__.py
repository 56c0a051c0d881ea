"""Convoy trains convolutional networks on CPUs, alone or across many workers, and studies how that scales.

Train on arrays, step by step:

    import convoy
    data = convoy.load_data("fashion-mnist")
    model = convoy.Model("resnet20", input=data.shape, classes=10, mean=data.mean, deviation=data.deviation)
    model.fit(data.images, data.labels, epochs=2, validation=(data.test_images, data.test_labels), callbacks=[print])
    probabilities = model.predict(data.test_images)
    model.save("weights.safetensors")

Make a whole run, with records and checkpoints, and look at it:

    run = convoy.train(data="fashion-mnist", model="resnet20", epochs=3)
    run.epochs           # a pandas.DataFrame
    run.plot()           # a matplotlib figure

Write a network layer by layer: help(convoy.layers). Run on several processes: `mpirun -n 4 python script.py`;
help(convoy.ranks). Study how training scales: help(convoy.study). Errors: help(convoy.errors).
"""
from . import errors, layers, ranks
from ._convoy import version as __version__
from .errors import DataError, DivergedError, Error, SystemError, UserError
from .model import STOP, Model
from .layers import (Graph, Value, add, average_pool, batch_norm, concat, conv, dense, dropout, flatten,
                     global_average_pool, group_norm, input, layer_norm, lrn, max_pool, mean_squared_error, network,
                     pad_channels, relu, relu6, sigmoid, softmax, softmax_cross_entropy, tanh)
from .ranks import barrier, rank, size
from .runs import Data, Run, help_settings, load_data, read_run, train
from .studies import Study, read_study, study

__all__ = ["DataError", "DivergedError", "Data", "Error", "Graph", "Model", "Run", "STOP", "Study", "SystemError",
           "UserError", "Value", "add", "average_pool", "barrier", "batch_norm", "concat", "conv", "dense", "dropout",
           "errors", "flatten", "global_average_pool", "group_norm", "help_settings", "input", "layer_norm", "layers",
           "load_data", "lrn", "max_pool", "mean_squared_error", "network", "pad_channels", "rank", "ranks", "read_run",
           "read_study", "relu", "relu6", "sigmoid", "size", "softmax", "softmax_cross_entropy", "study", "tanh",
           "train"]
