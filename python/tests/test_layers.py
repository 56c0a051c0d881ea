"""Networks as data."""
import pytest

import convoy
from conftest import small_graph


def test_layers_and_costs(graph):
    assert [each["kind"] for each in graph.layers][:4] == ["input", "conv", "batch_norm", "relu"]
    assert graph.parameters["conv1.weight"] == (8, 1, 3, 3)
    assert graph.parameter_count == 72 + 16 + 24 + 3
    assert graph.multiply_adds == 72 * 64 + 24
    assert "115 parameters" in graph.summary()


def test_text_gives_the_same_network(graph):
    again = convoy.Graph.from_text(graph.text())
    assert again.layers == graph.layers


def test_zoo():
    graph = convoy.network("resnet20", input=(1, 28, 28), classes=7)
    assert graph.name == "resnet20"
    assert graph.layers[0]["shape"] == (1, 28, 28)
    assert convoy.network("lenet").parameter_count > 0


def test_attributes_in_every_form():
    graph = convoy.Graph()
    x = convoy.input(graph, (4, 9, 9))
    y = convoy.conv(x, out=4, kernel=(3, 1), pad=(1, 0), groups=4, dilation=1)
    assert y.shape == (4, 9, 9)
    assert convoy.conv(x, out=2, kernel=2, pad=(0, 0, 1, 1)).shape == (2, 9, 9)
    assert (x + y).shape == (4, 9, 9)
    assert convoy.concat([x, y]).shape == (8, 9, 9)
    assert convoy.layer_norm(convoy.tanh(convoy.sigmoid(convoy.group_norm(x, groups=2)))).shape == (4, 9, 9)
    assert convoy.softmax(convoy.flatten(x)).shape == (324,)


def test_errors_are_those_of_the_library():
    graph = convoy.Graph()
    x = convoy.input(graph, (3, 8, 8))
    with pytest.raises(convoy.UserError, match='"c".*3x8x8'):
        convoy.conv(x, out=4, kernel=11, name="c")
    with pytest.raises(ValueError):
        convoy.network("resnet21")
    with pytest.raises(convoy.UserError, match="did you mean"):
        convoy.network("resnet2O")
    with pytest.raises(TypeError, match="out cannot be 'many'"):
        convoy.conv(x, out="many")
    with pytest.raises(convoy.UserError, match="different networks"):
        convoy.add(x, convoy.input(convoy.Graph(), (3, 8, 8)))


def test_help_helps():
    for name in convoy.__all__:
        assert getattr(convoy, name).__doc__ or name == "STOP", name
    for kind in (convoy.Data, convoy.Graph, convoy.Model, convoy.Run, convoy.Study, convoy.Value):
        for name in dir(kind):
            assert name.startswith("_") or getattr(kind, name).__doc__, f"{kind.__name__}.{name}"
    assert "pandas" in convoy.__doc__
    assert repr(small_graph()).startswith("<convoy.Graph")
