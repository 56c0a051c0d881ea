"""Training and prediction on arrays."""
import os
import signal
import threading

import numpy
import pytest

import convoy
from conftest import small_graph, stripes


def model_of(graph=None, **options):
    return convoy.Model(graph or small_graph(), **{"batch": 32, "threads": 1, **options})


def test_learns():
    images, labels = stripes(256)
    model = model_of()
    seen = []
    history = model.fit(images, labels, epochs=6, lr=0.1, validation=stripes(100, seed=2), callbacks=[seen.append])
    assert seen == history and [each["epoch"] for each in history] == [1, 2, 3, 4, 5, 6]
    assert history[-1]["loss"] < 0.5 * history[0]["loss"]
    assert history[-1]["test_accuracy"] > 0.9
    assert model.steps == 48


def test_a_callback_ends_it():
    images, labels = stripes(64)
    history = model_of().fit(images, labels, epochs=9, callbacks=[lambda each: convoy.STOP if each["epoch"] == 2 else None])
    assert len(history) == 2


def test_gradients_are_those_of_the_loss():
    """Compares gradients with differences of the loss, for some parameters of the first and the last layer."""
    images, labels = stripes(16)
    model = model_of(exact=True)
    loss, gradients = model.gradients(images, labels)
    assert set(gradients) == set(model.graph.parameters)
    step = 1e-2
    for name, place in (("fc.weight", (1, 2)), ("fc.bias", (0,)), ("conv1.weight", (3, 0, 1, 1))):
        weights = model.weights
        moved = []
        for sign in (1, -1):
            changed = weights[name].copy()
            changed[place] += sign * step
            model.set_weights({name: changed})
            moved.append(model.gradients(images, labels)[0])
        model.set_weights({name: weights[name]})
        assert gradients[name][place] == pytest.approx((moved[0] - moved[1]) / (2 * step), rel=2e-2, abs=2e-4)
    assert loss == pytest.approx(model.gradients(images, labels)[0])


def test_gradients_by_the_images():
    images, labels = stripes(4)
    model = model_of(exact=True)
    gradient = model.input_gradient(images, labels)
    assert gradient.shape == images.shape
    step = 0.05 * gradient / numpy.linalg.norm(gradient)
    rise = model.evaluate(images + step, labels)["loss"] - model.evaluate(images - step, labels)["loss"]
    assert rise == pytest.approx(2 * 0.05 * numpy.linalg.norm(gradient), rel=0.05)


def test_outputs_of_layers():
    images, _ = stripes(4)
    model = model_of()
    found = model.outputs(images, ["bn1", "relu1", "fc"])
    assert numpy.array_equal(found["relu1"], numpy.maximum(found["bn1"], 0))
    assert found["relu1"].shape == (4, 8, 8, 8)
    assert found["fc"] == pytest.approx(model.predict(images, probabilities=False), abs=1e-5)
    with pytest.raises(convoy.UserError, match="did you mean"):
        model.outputs(images, ["relu2x"])


def test_float_targets():
    graph = convoy.Graph()
    x = convoy.tanh(convoy.dense(convoy.input(graph, (2,)), out=16))
    convoy.mean_squared_error(convoy.dense(x, out=1), float_targets=True)
    model = convoy.Model(graph, batch=64, threads=1, optimizer="adam", weight_decay=0.0)
    points = numpy.random.default_rng(1).uniform(-1, 1, (256, 2)).astype(numpy.float32)
    targets = points[:, :1] * points[:, 1:]
    history = model.fit(points, targets, epochs=120, lr=0.01)
    assert history[-1]["loss"] < 0.005
    assert numpy.abs(model.predict(points) - targets).mean() < 0.1
    with pytest.raises(convoy.UserError, match="targets is 256x1, got 256"):
        model.step(points, targets[:, 0], lr=0.1)
    with pytest.raises(convoy.UserError, match="float targets"):
        model.evaluate(points, numpy.zeros(256, int))


def test_a_step_goes_against_the_gradient():
    images, labels = stripes(16)
    model = model_of(optimizer="sgd", weight_decay=0.0)
    before = model.weights["fc.weight"]
    loss, gradients = model.gradients(images, labels)
    assert model.step(images, labels, lr=0.5) == pytest.approx(loss, rel=1e-5)
    assert model.weights["fc.weight"] == pytest.approx(before - 0.5 * gradients["fc.weight"], abs=1e-6)


def test_rows_of_an_array_are_a_batch():
    images, labels = stripes(64)
    rows = numpy.arange(40, 8, -1)
    first, second = model_of(), model_of()
    assert first.step(images, labels, lr=0.1, rows=rows) == second.step(images[rows], labels[rows], lr=0.1)
    assert numpy.array_equal(first.weights["fc.weight"], second.weights["fc.weight"])


def test_probabilities():
    images, _ = stripes(50)
    model = model_of()
    scores = model.predict(images, probabilities=False)
    expected = numpy.exp(scores - scores.max(1, keepdims=True))
    expected /= expected.sum(1, keepdims=True)
    out = numpy.zeros((50, 3), numpy.float32)
    assert model.predict(images, out=out) is out
    assert out == pytest.approx(expected, abs=1e-6)


def test_evaluation_is_by_the_same_scores():
    images, labels = stripes(50)
    model = model_of()
    probabilities = model.predict(images)
    found = model.evaluate(images, labels)
    assert found["accuracy"] == pytest.approx(numpy.mean(probabilities.argmax(1) == labels))
    assert found["loss"] == pytest.approx(-numpy.log(probabilities[numpy.arange(50), labels]).mean(), rel=1e-5)


def test_bytes_are_scaled_and_normalised():
    pixels = numpy.random.default_rng(1).integers(0, 256, (5, 1, 8, 8), dtype=numpy.uint8)
    model = model_of(mean=[0.25], deviation=[0.5])
    floats = ((pixels.astype(numpy.float32) / 255 - 0.25) / 0.5).astype(numpy.float32)
    assert model.predict(pixels) == pytest.approx(model.predict(floats), abs=1e-6)


def test_arrays_that_do_not_fit():
    images, labels = stripes(8)
    model = model_of()
    with pytest.raises(TypeError, match="float32 or uint8"):
        model.predict(images.astype(numpy.float64))
    with pytest.raises(convoy.UserError, match="N x 1x8x8, got 8x1x8x4"):
        model.predict(images[:, :, :, :4])
    with pytest.raises(convoy.UserError, match="label 3 of sample 2 is none of the 3 classes"):
        model.step(images, numpy.array([0, 1, 3, 0, 0, 0, 0, 0]), lr=0.1)
    with pytest.raises(convoy.UserError, match="label -1"):
        model.evaluate(images, numpy.full(8, -1))
    with pytest.raises(convoy.UserError):
        model.step(images, labels[:7], lr=0.1)
    with pytest.raises(TypeError, match="whole numbers"):
        model.step(images, labels.astype(float), lr=0.1)
    with pytest.raises(convoy.UserError, match="1 to 32 rows"):
        model.step(numpy.repeat(images, 5, axis=0), numpy.repeat(labels, 5), lr=0.1)
    with pytest.raises(convoy.UserError, match="no row 8"):
        model.step(images, labels, lr=0.1, rows=[8])
    with pytest.raises(convoy.UserError, match="no parameter nothing"):
        model.set_weights({"nothing": images})
    with pytest.raises(ValueError, match="could not convert string to float"):
        model.step(images, labels, lr="fast")
    for empty in (model.fit, model.evaluate):
        with pytest.raises(convoy.UserError, match="there are no images"):
            empty(images[:0], labels[:0])
    assert model.predict(images[:0]).shape == (0, 3)
    assert model.steps == 0
    assert model.predict(images[:, :, ::-1, :]).shape == (8, 3), "other orders in memory are copied"


def test_settings_that_do_not_fit(graph):
    with pytest.raises(TypeError, match="Model takes no learning_rate"):
        convoy.Model(graph, learning_rate=1)
    with pytest.raises(convoy.UserError, match="lars"):
        convoy.Model(graph, optimizer="lars", threads=1)
    with pytest.raises(convoy.UserError, match="no loss"):
        alone = convoy.Graph()
        convoy.relu(convoy.input(alone, (1, 8, 8)))
        convoy.Model(alone)


def test_files(tmp_path):
    images, labels = stripes(64)
    model = model_of(class_names=["a", "b", "c"], mean=[0.5], deviation=[0.25])
    model.fit(images, labels, epochs=1)
    model.save(tmp_path / "w.safetensors")
    model.export_onnx(tmp_path / "w.onnx")
    for name in ("w.safetensors", "w.onnx"):
        again = convoy.Model.load(tmp_path / name, batch=32, threads=1)
        assert again.class_names == ["a", "b", "c"]
        assert again.mean == [0.5]
        assert again.predict(images) == pytest.approx(model.predict(images), abs=1e-5)
    fresh = model_of(small_graph(classes=5), seed=9)
    taken = fresh.take_weights(tmp_path / "w.safetensors")
    assert taken["taken"] >= 3 and any(name.startswith("fc.weight") for name in taken["kept_fresh"])
    assert numpy.array_equal(fresh.weights["conv1.weight"], model.weights["conv1.weight"])
    with pytest.raises(convoy.DataError):
        convoy.Model.load(tmp_path / "nothing.safetensors")


def test_other_threads_run_while_it_computes():
    model = convoy.Model(convoy.network("resnet20", classes=10), batch=64, threads=1)
    images = numpy.zeros((64, 3, 32, 32), numpy.float32)
    labels = numpy.zeros(64, numpy.int64)
    model.step(images, labels, lr=0.1)
    counted, done = [0], threading.Event()

    def count():
        while not done.is_set():
            counted[0] += 1

    other = threading.Thread(target=count)
    other.start()
    before = counted[0]
    model.step(images, labels, lr=0.1)
    during = counted[0] - before
    done.set()
    other.join()
    assert during > 1000


def test_ctrl_c_ends_a_loop_of_steps():
    images, labels = stripes(64)
    model = model_of()
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        model.fit(images, labels, epochs=1_000_000)
    steps = model.steps
    model.step(images[:32], labels[:32], lr=0.1)
    assert model.steps == steps + 1
