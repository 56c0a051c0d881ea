"""Networks as data: written layer by layer, taken from the zoo, or read from a file.

    graph = Graph()
    x = input(graph, (3, 32, 32))
    x = relu(batch_norm(conv(x, out=16, kernel=3, pad=1, bias=False)))
    softmax_cross_entropy(dense(flatten(global_average_pool(x)), out=10))

Every call adds a layer and gives its output. What does not fit is refused with the layer's name and the shapes.
"""
from __future__ import annotations

from typing import Sequence, Tuple, Union

from . import _convoy
from .errors import UserError

Extent = Union[int, Tuple[int, int]]
Padding = Union[int, Tuple[int, int], Tuple[int, int, int, int]]


class Graph:
    """A network: layers in the order in which they are computed."""

    def __init__(self) -> None:
        self._native = _convoy.Graph()
        self.name = ""  # in the zoo; empty for a network of one's own

    @classmethod
    def _of(cls, native: _convoy.Graph, name: str = "") -> Graph:
        graph = cls.__new__(cls)
        graph._native = native
        graph.name = name
        return graph

    @property
    def layers(self) -> list[dict]:
        """Name, kind, inputs (their places) and shape of the output of each layer."""
        return self._native.layers()

    @property
    def parameters(self) -> dict[str, tuple]:
        """Names and shapes of the learnable tensors, as PyTorch has them."""
        return dict(self._native.parameters())

    @property
    def parameter_count(self) -> int:
        """The number of values that are learnt."""
        return self._native.costs()["parameters"]

    @property
    def multiply_adds(self) -> int:
        """The multiply-adds of convolutions and dense layers for one sample."""
        return self._native.costs()["multiply_adds"]

    def text(self) -> str:
        """The network as text (TOML), for ``convoy train --model FILE`` and from_text()."""
        return self._native.text()

    @classmethod
    def from_text(cls, text: str, *, input: Sequence[int] = (), classes: int = 0, file: str = "network") -> Graph:
        """Reads a network as text. `input` and `classes` are for texts that leave them open; `file` is for messages."""
        return cls._of(_convoy.Graph.from_text(text, file, tuple(input), classes))

    def summary(self) -> str:
        """A line for each layer, and what all of them cost."""
        rows = [(each["name"], each["kind"], "x".join(map(str, each["shape"]))) for each in self.layers]
        widths = [max(len(row[i]) for row in rows) for i in range(3)]
        lines = [f"{a:{widths[0]}}  {b:{widths[1]}}  {c:>{widths[2]}}" for a, b, c in rows]
        costs = f"{self.parameter_count:,} parameters, {self.multiply_adds:,} multiply-adds a sample"
        return "\n".join([*lines, costs])

    def __repr__(self) -> str:
        return f"<convoy.Graph {self.name}: {len(self.layers)} layers, {self.parameter_count:,} parameters>"


class Value:
    """The output of a layer: what the functions below take and give."""

    def __init__(self, graph: Graph, place: int) -> None:
        self.graph = graph
        self.place = place

    @property
    def shape(self) -> tuple:
        """The shape for one sample."""
        return self.graph._native.shape(self.place)

    def __add__(self, other: Value) -> Value:
        return add(self, other)

    def __repr__(self) -> str:
        return f"<convoy.Value {self.graph.layers[self.place]['name']} {'x'.join(map(str, self.shape))}>"


def network(model: str, *, input: Sequence[int] = (), classes: int = 0, loss: str = "cross-entropy",
            label_smoothing: float = 0.0) -> Graph:
    """A network of the zoo by its name ("resnet20"; ``convoy models`` lists them), or of a file: text (TOML) or ONNX.

    `input` is the shape of a sample and `classes` how many there are; left out, they are the network's own.
    """
    native, name = _convoy.Graph.named(model, tuple(input), classes, loss, label_smoothing)
    return Graph._of(native, name)


def _layer(kind: str, inputs: Sequence[Value], name: str, **attributes) -> Value:
    graph = inputs[0].graph
    if any(each.graph is not graph for each in inputs):
        raise UserError(f"{kind}: its inputs are of different networks")
    return Value(graph, graph._native.add(kind, [each.place for each in inputs], attributes, name))


def input(graph: Graph, shape: Sequence[int], name: str = "input") -> Value:  # pylint: disable=redefined-builtin
    """The samples: channels, height and width, or the length of a row."""
    return Value(graph, graph._native.add_input(tuple(shape), name))


def conv(x: Value, out: int, kernel: Extent = 1, *, stride: Extent = 1, pad: Padding = 0, dilation: Extent = 1,
         groups: int = 1, bias: bool = True, name: str = "") -> Value:
    """A convolution with `out` filters. groups == channels in == out is a depthwise one."""
    return _layer("conv", [x], name, out=out, kernel=kernel, stride=stride, pad=pad, dilation=dilation, groups=groups,
                  bias=bias)


def dense(x: Value, out: int, *, bias: bool = True, name: str = "") -> Value:
    """A fully connected layer over all elements of a sample."""
    return _layer("dense", [x], name, out=out, bias=bias)


def batch_norm(x: Value, *, epsilon: float = 1e-5, momentum: float = 0.1, name: str = "") -> Value:
    """Batch normalisation of the channels; momentum is the weight of the newest batch, as in PyTorch."""
    return _layer("batch_norm", [x], name, epsilon=epsilon, momentum=momentum)


def group_norm(x: Value, groups: int, *, epsilon: float = 1e-5, name: str = "") -> Value:
    """Normalises each group of channels of each sample; every channel has a scale and a shift."""
    return _layer("group_norm", [x], name, groups=groups, epsilon=epsilon)


def layer_norm(x: Value, *, epsilon: float = 1e-5, name: str = "") -> Value:
    """Normalises all elements of each sample together; every element has a scale and a shift."""
    return _layer("layer_norm", [x], name, epsilon=epsilon)


def relu(x: Value, *, name: str = "") -> Value:
    """max(x, 0)"""
    return _layer("relu", [x], name)


def relu6(x: Value, *, name: str = "") -> Value:
    """min(max(x, 0), 6)"""
    return _layer("relu6", [x], name)


def sigmoid(x: Value, *, name: str = "") -> Value:
    """1 / (1 + e^-x)"""
    return _layer("sigmoid", [x], name)


def tanh(x: Value, *, name: str = "") -> Value:
    """The hyperbolic tangent."""
    return _layer("tanh", [x], name)


def softmax(x: Value, *, name: str = "") -> Value:
    """Turns a row of scores into probabilities. Not needed before softmax_cross_entropy(), which takes scores."""
    return _layer("softmax", [x], name)


def max_pool(x: Value, kernel: Extent, *, stride: Extent = 1, pad: Padding = 0, ceil: bool = False,
             name: str = "") -> Value:
    """The largest value of each window."""
    return _layer("max_pool", [x], name, kernel=kernel, stride=stride, pad=pad, ceil=ceil)


def average_pool(x: Value, kernel: Extent, *, stride: Extent = 1, pad: Padding = 0, ceil: bool = False,
                 count_padding: bool = True, name: str = "") -> Value:
    """The mean of each window."""
    return _layer("average_pool", [x], name, kernel=kernel, stride=stride, pad=pad, ceil=ceil,
                  count_padding=count_padding)


def global_average_pool(x: Value, *, name: str = "") -> Value:
    """The mean of each channel: CxHxW becomes Cx1x1."""
    return _layer("global_average_pool", [x], name)


def add(a: Value, b: Value, *, name: str = "") -> Value:
    """The sum of two values of one shape; ``a + b`` is the same."""
    return _layer("add", [a, b], name)


def concat(inputs: Sequence[Value], *, name: str = "") -> Value:
    """Joins values along the channels."""
    return _layer("concat", list(inputs), name)


def pad_channels(x: Value, out: int, *, stride: int = 1, name: str = "") -> Value:
    """Every stride-th pixel, with channels of zeros added: the shortcut of CIFAR's ResNets."""
    return _layer("pad_channels", [x], name, out=out, stride=stride)


def dropout(x: Value, rate: float = 0.5, *, name: str = "") -> Value:
    """Zeroes a share of the elements while training."""
    return _layer("dropout", [x], name, rate=rate)


def lrn(x: Value, *, size: int = 5, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0, name: str = "") -> Value:
    """Local response normalisation across channels."""
    return _layer("lrn", [x], name, size=size, alpha=alpha, beta=beta, k=k)


def flatten(x: Value, *, name: str = "") -> Value:
    """A sample as one row."""
    return _layer("flatten", [x], name)


def softmax_cross_entropy(logits: Value, *, label_smoothing: float = 0.0, name: str = "") -> Value:
    """The loss of a classifier; it ends a network."""
    return _layer("softmax_cross_entropy", [logits], name, label_smoothing=label_smoothing)


def mean_squared_error(x: Value, *, float_targets: bool = False, name: str = "") -> Value:
    """The mean of (x - target)^2; it ends a network. The target of a class is its one-hot row; with float_targets,
    rows of float32 take the place of labels."""
    return _layer("mean_squared_error", [x], name, float_targets=float_targets)
