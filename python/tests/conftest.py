"""What the tests share: a small network, images that can be learnt, and caches of their own."""
import os

import numpy
import pytest

import convoy


@pytest.fixture(scope="session", autouse=True)
def own_caches(tmp_path_factory):
    os.environ["XDG_CACHE_HOME"] = str(tmp_path_factory.mktemp("cache"))


def small_graph(classes=3):
    graph = convoy.Graph()
    x = convoy.input(graph, (1, 8, 8))
    x = convoy.relu(convoy.batch_norm(convoy.conv(x, out=8, kernel=3, pad=1, bias=False, name="conv1"), name="bn1"))
    x = convoy.flatten(convoy.global_average_pool(x))
    convoy.softmax_cross_entropy(convoy.dense(x, out=classes, name="fc"))
    return graph


@pytest.fixture
def graph():
    return small_graph()


def stripes(count, seed=1):
    """Images of stripes of three widths, with noise; the labels say which width."""
    rng = numpy.random.default_rng(seed)
    labels = rng.integers(0, 3, count)
    columns = numpy.arange(8)
    waves = numpy.sin(columns[None, :] * (0.6 + labels[:, None] * 0.9) + rng.uniform(0, 6, (count, 1)))
    images = waves[:, None, None, :].repeat(8, axis=2) + 0.3 * rng.standard_normal((count, 1, 8, 8))
    return images.astype(numpy.float32), labels


@pytest.fixture
def learnable():
    return stripes
