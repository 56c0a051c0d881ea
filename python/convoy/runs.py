"""Whole runs, as `convoy train` makes them, and what they leave."""
from __future__ import annotations

import keyword
import os
import sys
from typing import TYPE_CHECKING, Any, Callable, Optional

import numpy

from . import _convoy
from .model import STOP, Model, Path
from .tables import Table, table

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Data:
    """A data set in memory, as load_data() gives it.

    images, test_images: uint8, N x C x H x W; labels, test_labels: the class of each, from 0
    shape: C, H and W; class_names: by label; mean, deviation: of each channel, of pixels between 0 and 1
    """

    def __init__(self, source: _convoy.Source) -> None:
        self.name = source.name
        self.class_names = source.classes
        self.mean = source.mean
        self.deviation = source.deviation
        self.shape = source.shape
        self.images, self.labels = self._read(source, False)
        self.test_images, self.test_labels = self._read(source, True)

    @staticmethod
    def _read(source: _convoy.Source, is_test: bool) -> tuple[numpy.ndarray, numpy.ndarray]:
        count = source.size(is_test)
        images = numpy.empty((count, *source.shape), dtype=numpy.uint8)
        labels = numpy.empty(count, dtype=numpy.int64)
        source.read(is_test, images, labels)
        return images, labels

    def __repr__(self) -> str:
        return (f"<convoy.Data {self.name}: {len(self.images)} images of {'x'.join(map(str, self.shape))} to train on, "
                f"{len(self.test_images)} to test, {len(self.class_names)} classes>")


def load_data(name: str, **settings: Any) -> Data:
    """A data set by what `convoy train --data` takes: "fashion-mnist", "folder:photos", "synthetic:1x28x28". Settings
    of its kind may be given: image_size, train_samples, val_fraction, data_dir."""
    return Data(_convoy.Source.open({"data": name, **_texts(settings)}))


class Run:
    """A run by its folder: how it was set up, and what happened in each step and epoch.

    folder: where it lies; settings: all of them, by name; summary: how it ended, its best accuracy, its throughput
    info: machine, versions, command line; notes: what the run had to say
    """

    def __init__(self, folder: Path) -> None:
        self.folder = os.fspath(folder)
        read = _convoy.read_run(self.folder)
        self.info: dict = read["info"]
        self.settings: dict = read["info"]["configuration"]
        self.summary: dict = read["summary"]
        self.notes: list[str] = read["notes"]
        self._steps, self._epochs = read["steps"], read["epochs"]

    @property
    def epochs(self) -> Table:
        """A table with a row for each epoch: a pandas.DataFrame, or a dict of NumPy arrays where pandas is missing."""
        return table(self._epochs)

    @property
    def steps(self) -> Table:
        """The same for each step of each rank."""
        return table(self._steps)

    def model(self, **options: Any) -> Model:
        """Its best network, for Model.predict() and more; options are those of Model.load()."""
        return Model.load(self.folder, **options)

    def plot(self) -> Figure:
        """Loss and accuracy over epochs, as a matplotlib figure."""
        from .plots import plot_run
        return plot_run(self)

    def __repr__(self) -> str:
        return f"<convoy.Run {self.folder}: {self.summary['status']}, {self.summary['epochs']} epochs>"


def read_run(folder: Path) -> Run:
    """The run in a folder, also one that still runs or was killed."""
    return Run(folder)


def train(*, on_step: Optional[Callable[[dict], object]] = None, on_epoch: Optional[Callable[[dict], object]] = None,
          resume: Optional[Path] = None, quiet: bool = True, **settings: Any) -> Optional[Run]:
    """Trains as `convoy train` does, with records and checkpoints in a run's folder, and returns the Run.

        run = convoy.train(data="fashion-mnist", model="resnet20", epochs=3, schedule="one-cycle", lr=0.2)

    Settings are the flags of `convoy train` with underscores (help_settings() lists them; `--async` is async_, as async
    is a word of Python's own); `resume` goes on with a run.
    on_step and on_epoch are called on the first rank with what the record has of each, and return STOP to end the run
    with a checkpoint. Ctrl-C ends it the same way, and is then raised. Where several ranks train (mpirun), only the
    first returns a Run, the others None.
    """
    result = _convoy.train(_texts(settings), "" if resume is None else os.fspath(resume), _stopping(on_step),
                           _stopping(on_epoch), None if quiet else lambda line: print(line, file=sys.stderr))
    if "raised" in result:
        raised = result["raised"]
        if result["folder"]:
            raised.args = (f"the run is kept in {result['folder']}; convoy.train(resume=...) goes on with it",)
        raise raised
    return Run(result["folder"]) if result["folder"] else None


def help_settings() -> dict[str, str]:
    """The settings of train() and what each means."""
    return {_argument(key): text for key, text in _convoy.settings().items()}


def _stopping(callback: Optional[Callable[[dict], object]]) -> Optional[Callable[[dict], bool]]:
    return None if callback is None else lambda fields: callback(fields) is STOP


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(_text(each) for each in value)
    return str(value)


def _argument(key: str) -> str:
    """A setting as an argument: words that Python keeps for itself get an underscore, as async_."""
    name = key.replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


def _texts(settings: dict) -> dict[str, str]:
    return {key.rstrip("_").replace("_", "-"): _text(value) for key, value in settings.items() if value is not None}
