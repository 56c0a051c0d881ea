"""A network that a script trains, step by step or epoch by epoch, and predicts with."""
from __future__ import annotations

import itertools
import os
from typing import TYPE_CHECKING, Any, Callable, Mapping, Optional, Sequence, Union

import numpy

from . import _convoy, ranks
from .errors import UserError
from .layers import Graph, network

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

Path = Union[str, "os.PathLike[str]"]

_numbers = itertools.count()

#: What a callback returns to end the training after this step or epoch.
STOP = True


def _images(array: ArrayLike) -> numpy.ndarray:
    return numpy.ascontiguousarray(array)


def _some(images: numpy.ndarray) -> numpy.ndarray:
    if len(images) == 0:
        raise UserError("there are no images: nothing can be said of the mean of none")
    return images


def _labels(array: ArrayLike) -> numpy.ndarray:
    labels = numpy.asarray(array)
    if labels.dtype.kind not in "iu":
        raise TypeError(f"labels are whole numbers, not {labels.dtype}; argmax(1) of one-hot rows gives them")
    return numpy.ascontiguousarray(labels, dtype=numpy.int64)


class Model:
    """A network with its weights and optimizer.

        model = convoy.Model("resnet20", input=(3, 32, 32), classes=10, batch=128)
        for images, labels in batches:
            loss = model.step(images, labels, lr=0.1)
        probabilities = model.predict(images)

    Images are float32 and taken as they are, or uint8: these are scaled to 0 to 1 and normalised by `mean` and
    `deviation`. They are N x C x H x W. Labels are whole numbers; where the loss takes float targets, rows of float32
    take their place. What does not fit is refused before anything is computed.

    Under mpirun every rank makes the same calls with the same arrays, and a step is shared: each rank computes its part
    of the rows, and all end up with the same weights.
    """

    def __init__(self, graph: Union[Graph, str], *, batch: int = 128, optimizer: str = "momentum",
                 threads: Optional[int] = None, precision: str = "fp32", exact: bool = False, seed: int = 1,
                 initialiser: str = "he-normal", class_names: Sequence[str] = (), mean: Sequence[float] = (),
                 deviation: Sequence[float] = (), input: Sequence[int] = (), classes: int = 0, **rule: Any) -> None:
        """Compiles the network for steps of up to `batch` samples; the first time takes some seconds, in which kernels
        are measured.

        graph: a Graph, or a name for network(), which gets `input` and `classes`
        optimizer: momentum, nesterov, sgd, adam, adamw or adadelta; `rule` are its momentum, beta1, beta2, rho,
            weight_decay, decay_all
        threads: all cores (of this rank's share) if left out
        precision: fp32 or bf16
        exact: direct arithmetic only, no winograd
        """
        if isinstance(graph, str):
            graph = network(graph, input=input, classes=classes)
        self._open(_convoy.Model(graph._native, graph.name, list(class_names), batch=batch, optimizer=optimizer,
                                 threads=threads, precision=precision, exact=exact, seed=seed, initialiser=initialiser,
                                 **_checked_rule(rule)))
        if len(mean) > 0:
            self._native.set_normalisation(list(mean), list(deviation))
        self._seed = seed

    def _open(self, native: _convoy.Model) -> None:
        self._native = native
        self._number = next(_numbers)
        ranks._note(self)

    def _close(self) -> None:
        self._native = None

    @classmethod
    def load(cls, path: Path, *, batch: int = 128, threads: Optional[int] = None, precision: str = "fp32",
             exact: bool = False, optimizer: str = "momentum", seed: int = 1, **rule: Any) -> Model:
        """The network and weights of a run's folder, a checkpoint, a weights file of Convoy's or an ONNX model."""
        model = cls.__new__(cls)
        model._open(_convoy.Model.load(str(path), batch=batch, threads=threads, precision=precision, exact=exact,
                                       optimizer=optimizer, seed=seed, **_checked_rule(rule)))
        model._seed = seed
        return model

    @property
    def graph(self) -> Graph:
        """The network without its weights."""
        return Graph._of(self._native.graph, self._native.name)

    @property
    def input(self) -> tuple:
        """The shape of a sample."""
        return self._native.input

    @property
    def classes(self) -> int:
        """How many scores the network gives for a sample."""
        return self._native.classes

    @property
    def class_names(self) -> list[str]:
        """The names of the classes; numbers if no names were given."""
        return self._native.class_names

    @property
    def mean(self) -> list[float]:
        """For each channel: what is subtracted from pixels between 0 and 1."""
        return self._native.mean

    @property
    def deviation(self) -> list[float]:
        """For each channel: what pixels are then divided by."""
        return self._native.deviation

    @property
    def batch(self) -> int:
        """The most samples of a step."""
        return self._native.batch

    @property
    def threads(self) -> int:
        """The number of threads that compute on this rank."""
        return self._native.threads

    @property
    def steps(self) -> int:
        """Steps done."""
        return self._native.steps

    def step(self, images: ArrayLike, labels: ArrayLike, lr: float, rows: Optional[ArrayLike] = None) -> float:
        """Trains on these images once and returns their mean loss before the update. `rows` selects some of them by
        index, so that a loop over a large array need not copy."""
        images = _images(images)
        if rows is None:
            rows = numpy.arange(len(images))
        return self._native.step(images, self._truth(labels), numpy.ascontiguousarray(rows, dtype=numpy.int64),
                                 float(lr))

    def fit(self, images: ArrayLike, labels: ArrayLike, *, epochs: int = 1,
            lr: Union[float, Callable[[int], float]] = 0.05, batch: Optional[int] = None,
            validation: Optional[tuple[ArrayLike, ArrayLike]] = None, shuffle: bool = True,
            callbacks: Sequence[Callable[[dict], object]] = ()) -> list[dict]:
        """Trains for some epochs and returns what each came to: epoch, loss and, with `validation` (images, labels),
        test_loss and test_accuracy.

        lr is a number, or a function of the step (from 0). Each of the callbacks is called with the result of each
        epoch and ends training by returning STOP; Ctrl-C ends it at once, with the weights of the last step.
        """
        images, labels = _some(_images(images)), self._truth(labels)
        rate = lr if callable(lr) else lambda step: lr
        batch = batch or self.batch
        history = []
        for epoch in range(1, epochs + 1):
            order = numpy.arange(len(images))
            if shuffle:
                numpy.random.default_rng([self._seed, epoch]).shuffle(order)
            losses = [self._native.step(images, labels, order[first:first + batch], rate(self.steps)) *
                      len(order[first:first + batch]) for first in range(0, len(order), batch)]
            result = {"epoch": epoch, "loss": sum(losses) / len(order)}
            if validation is not None:
                scores = self.evaluate(*validation)
                result.update(test_loss=scores["loss"], test_accuracy=scores["accuracy"])
            history.append(result)
            if any([callback(result) is STOP for callback in callbacks]):
                break
        return history

    def predict(self, images: ArrayLike, *, probabilities: bool = True,
                out: Optional[numpy.ndarray] = None) -> numpy.ndarray:
        """The probability of each class for each image, N x classes; with probabilities=False the network's scores
        before the softmax. `out` is an array to write to."""
        images = _images(images)
        if out is None:
            out = numpy.empty((len(images), self.classes), dtype=numpy.float32)
        self._native.predict(images, probabilities, out)
        return out

    def evaluate(self, images: ArrayLike, labels: ArrayLike) -> dict[str, float]:
        """The mean loss, and the share of the images whose label scores highest: {"loss": ..., "accuracy": ...}."""
        loss, accuracy = self._native.evaluate(_some(_images(images)), _labels(labels))
        return {"loss": loss, "accuracy": accuracy}

    def gradients(self, images: ArrayLike, labels: ArrayLike) -> tuple[float, dict[str, numpy.ndarray]]:
        """The mean loss of these images and its gradient with respect to each parameter, by name. Nothing is updated.
        Under mpirun each rank computes its own, with no more images than its part of a batch."""
        loss, found = self._native.gradients(_images(images), self._truth(labels))
        return loss, {name: numpy.asarray(values) for name, values in found.items()}

    def input_gradient(self, images: ArrayLike, labels: ArrayLike) -> numpy.ndarray:
        """The gradient of the mean loss with respect to the images, of the same shape: it shows which pixels matter.
        Batch norm and dropout are as in prediction. Each call compiles the network for it."""
        images = _images(images)
        gradient = numpy.empty(images.shape, dtype=numpy.float32)
        self._native.input_gradient(images, self._truth(labels), gradient)
        return gradient

    def outputs(self, images: ArrayLike, layers: Sequence[str]) -> dict[str, numpy.ndarray]:
        """The outputs of the named layers for these images, as in prediction. Each call compiles the network for it."""
        found = self._native.outputs(_images(images), set(layers))
        return {name: numpy.asarray(values) for name, values in found.items()}

    def _truth(self, labels: ArrayLike) -> numpy.ndarray:
        if self._native.has_targets:
            return numpy.ascontiguousarray(labels, dtype=numpy.float32)
        return _labels(labels)

    @property
    def weights(self) -> dict[str, numpy.ndarray]:
        """Copies of parameters and running statistics, by PyTorch's names."""
        return {name: numpy.asarray(values) for name, values in self._native.weights().items()}

    def set_weights(self, weights: Mapping[str, ArrayLike]) -> None:
        """Sets these parameters and statistics, by name: float32 of the same shapes. The others keep their values."""
        self._native.set_weights({name: numpy.ascontiguousarray(values) for name, values in weights.items()})

    def take_weights(self, path: Path) -> dict[str, Any]:
        """Starts from the weights in a file (safetensors, ONNX) or a run's folder as far as they fit: names of wrappers
        and heads are matched. Says what was taken, what starts afresh and what was not used."""
        return self._native.take_weights(str(path))

    def save(self, path: Path) -> None:
        """Writes safetensors with all that ``convoy predict`` and Model.load need. Under mpirun the first rank does."""
        self._native.save(str(path))

    def export_onnx(self, path: Path, *, opset: int = 13, fold_batch_norm: bool = False,
                    normalise: bool = False) -> None:
        """Writes an ONNX model: input "input", output "logits". normalise: it takes pixels from 0 to 1."""
        if ranks.rank() == 0:
            self._native.export_onnx(str(path), opset, fold_batch_norm, normalise)

    def __repr__(self) -> str:
        return f"<convoy.Model {self._native.name}, batch {self.batch}, {self.threads} threads, {self.steps} steps>"


def _checked_rule(rule: dict[str, Any]) -> dict[str, Any]:
    known = ("momentum", "beta1", "beta2", "rho", "weight_decay", "decay_all")
    for name in rule:
        if name not in known:
            raise TypeError(f"Model takes no {name}; what an optimizer takes is {', '.join(known)}")
    return rule
