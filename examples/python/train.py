"""Trains a small network on arrays, alone or on several processes: `mpirun -n 2 python train.py`."""
import numpy

import convoy


def network():
    graph = convoy.Graph()
    x = convoy.input(graph, (1, 16, 16))
    x = convoy.relu(convoy.batch_norm(convoy.conv(x, out=16, kernel=5, pad=2, bias=False)))
    x = convoy.relu(convoy.batch_norm(convoy.conv(x, out=32, kernel=3, stride=2, pad=1, bias=False)))
    convoy.softmax_cross_entropy(convoy.dense(convoy.flatten(convoy.global_average_pool(x)), out=4))
    return graph


def stripes(count, rng):
    """Images of stripes in one of four directions, at a random place, with noise as strong as the stripes."""
    labels = rng.integers(0, 4, count)
    angles = (labels * numpy.pi / 4)[:, None, None]
    rows, columns = numpy.mgrid[0:16, 0:16]
    waves = numpy.sin(rng.uniform(0, 6, (count, 1, 1)) + columns * numpy.cos(angles) + rows * numpy.sin(angles))
    images = waves + rng.standard_normal((count, 16, 16))
    return images[:, None].astype(numpy.float32), labels


def main():
    rng = numpy.random.default_rng(2)
    images, labels = stripes(2000, rng)
    model = convoy.Model(network(), batch=50, class_names=["|", "/", "-", "\\"])
    model.fit(images, labels, epochs=2, lr=0.05,
              callbacks=[lambda each: print(each, f"on {convoy.size()} ranks") if convoy.rank() == 0 else None])
    accuracy = model.evaluate(*stripes(500, rng))["accuracy"]
    if convoy.rank() == 0:
        print(f"accuracy on new images: {100 * accuracy:.1f} %")
    assert accuracy > 0.95


main()
