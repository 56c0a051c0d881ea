"""Figures of runs and studies, where matplotlib is installed."""
from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import numpy

from .errors import UserError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from .runs import Run
    from .studies import Study

try:
    from matplotlib import figure as _figure
except ImportError:
    _figure = None


def _show_in_notebooks() -> None:
    """Makes figures show in a notebook, which needs pyplot to have made one first."""
    if "ipykernel" in sys.modules:
        from matplotlib import pyplot
        pyplot.close(pyplot.figure())


def _axes(count: int) -> tuple[Figure, Any]:
    if _figure is None:
        raise UserError("matplotlib is not installed; `pip install matplotlib` or Debian's python3-matplotlib")
    _show_in_notebooks()
    figure = _figure.Figure(figsize=(5 * count, 3.6), layout="constrained")
    axes = figure.subplots(1, count, squeeze=False)[0]
    for each in axes:
        each.grid(alpha=0.3)
        each.spines[["top", "right"]].set_visible(False)
    return figure, axes


def plot_run(run: Run) -> Figure:
    """Loss and accuracy on training and test data over epochs."""
    figure, (loss, accuracy) = _axes(2)
    epochs = run.epochs
    for axes, train, test, label, scale in ((loss, "train_loss", "test_loss", "loss", 1),
                                            (accuracy, "train_accuracy", "test_top1", "accuracy in %", 100)):
        for column, name in ((train, "training"), (test, "test")):
            values = scale * numpy.asarray(epochs[column], dtype=float)
            known = ~numpy.isnan(values)
            axes.plot(numpy.asarray(epochs["epoch"])[known], values[known], marker="o", markersize=3, label=name)
        axes.set_xlabel("epoch")
        axes.set_ylabel(label)
        axes.xaxis.get_major_locator().set_params(integer=True)
        axes.legend(frameon=False)
    return figure


def plot_study(study: Study) -> Figure:
    """Throughput over the setting that was varied; over workers or threads with a line for ideal scaling."""
    figure, (axes,) = _axes(1)
    points = study.points
    names = list(points)
    varied = next((name for name in ("workers", "threads", "batch") if name in names
                   and len(set(points[name])) > 1), names[0])
    rate = next(name for name in ("samples_per_second", "throughput") if name in names)
    order = numpy.argsort(numpy.asarray(points[varied]))
    x = numpy.asarray(points[varied])[order]
    y = numpy.asarray(points[rate], dtype=float)[order]
    axes.plot(x, y, marker="o", label="measured")
    if varied in ("workers", "threads"):
        axes.plot(x, y[0] * x / x[0], linestyle="--", color="grey", label="ideal")
        axes.legend(frameon=False)
    axes.set_xlabel(varied)
    axes.set_ylabel("samples/s")
    axes.set_ylim(bottom=0)
    return figure
