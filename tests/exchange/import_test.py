"""ONNX models as other tools write them: Convoy imports them and computes the same scores as onnxruntime.
Usage: import_test.py PATH_OF_ONNX_PROBE PATH_OF_CONVOY"""
import json
import sys
import unittest

sys.dont_write_bytecode = True  # nothing is left beside the sources
from peers import PeerTest, logits_of, numpy, onnx, versions  # pylint: disable=wrong-import-position
from onnx import TensorProto, helper, numpy_helper  # pylint: disable=wrong-import-order,wrong-import-position

RANDOM = numpy.random.default_rng(1)


def weights(name, *shape, low=-0.3, high=0.3):
    return numpy_helper.from_array(RANDOM.uniform(low, high, shape).astype(numpy.float32), name)


def whole(name, *values):
    return numpy_helper.from_array(numpy.array(values, numpy.int64), name)


def node(kind, inputs, output, **attributes):
    return helper.make_node(kind, inputs, [output], **attributes)


def norm(name, channels):
    return [weights(f"{name}.weight", channels, low=0.5, high=1.5), weights(f"{name}.bias", channels),
            weights(f"{name}.running_mean", channels), weights(f"{name}.running_var", channels, low=0.5, high=1.5)]


def model(nodes, initializers, shape, outputs, opset=13, ir_version=7, weights_are_inputs=False):
    inputs = [helper.make_tensor_value_info("image", TensorProto.FLOAT, shape)]
    if weights_are_inputs:
        inputs += [helper.make_tensor_value_info(each.name, each.data_type, each.dims) for each in initializers]
    results = [helper.make_tensor_value_info(nodes[-1].output[0], TensorProto.FLOAT, [shape[0], outputs])]
    graph = helper.make_graph(nodes, "other", inputs, results, initializers)
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=ir_version)
    onnx.checker.check_model(made)
    return made


def mnist():
    """Like mnist-8 of ONNX's zoo: padding SAME_UPPER, biases by Add, Reshape of weights, dense layers by MatMul."""
    nodes = [
        node("Reshape", ["fc.raw", "fc.shape"], "fc.matrix"),
        node("Conv", ["image", "c1.weight"], "c1", kernel_shape=[5, 5], auto_pad="SAME_UPPER", dilations=[1, 1]),
        node("Add", ["c1", "c1.bias"], "a1"),
        node("Relu", ["a1"], "r1"),
        node("MaxPool", ["r1"], "p1", kernel_shape=[2, 2], strides=[2, 2], auto_pad="NOTSET", pads=[0, 0, 0, 0]),
        node("Conv", ["p1", "c2.weight"], "c2", kernel_shape=[5, 5], auto_pad="SAME_UPPER", strides=[1, 1]),
        node("Add", ["c2", "c2.bias"], "a2"),
        node("Relu", ["a2"], "r2"),
        node("MaxPool", ["r2"], "p2", kernel_shape=[3, 3], strides=[3, 3]),
        node("Reshape", ["p2", "flat.shape"], "flat"),
        node("MatMul", ["flat", "fc.matrix"], "product"),
        node("Add", ["product", "fc.bias"], "scores"),
    ]
    initializers = [weights("c1.weight", 8, 1, 5, 5), weights("c1.bias", 8, 1, 1), weights("c2.weight", 16, 8, 5, 5),
                    weights("c2.bias", 16, 1, 1), weights("fc.raw", 16, 4, 4, 10), whole("fc.shape", 256, 10),
                    whole("flat.shape", 1, 256), weights("fc.bias", 1, 10)]
    return model(nodes, initializers, [1, 1, 28, 28], 10, opset=8, ir_version=3, weights_are_inputs=True)


def residual():
    """Like a ResNet that PyTorch exports with any batch size: x.view(x.size(0), -1) is computed from the shape."""
    nodes = [
        node("Conv", ["image", "conv1.weight"], "c1", kernel_shape=[3, 3], pads=[1, 1, 1, 1], strides=[2, 2], group=1),
        node("BatchNormalization", ["c1", *(each.name for each in norm("bn1", 8))], "b1", epsilon=1e-5, momentum=0.9),
        node("Relu", ["b1"], "r1"),
        node("MaxPool", ["r1"], "p1", kernel_shape=[3, 3], pads=[1, 1, 1, 1], strides=[2, 2], ceil_mode=0),
        node("Conv", ["p1", "layer1.0.conv1.weight", "layer1.0.conv1.bias"], "c2", pads=[1, 1, 1, 1]),
        node("Add", ["c2", "p1"], "sum"),
        node("Relu", ["sum"], "r2"),
        node("GlobalAveragePool", ["r2"], "mean"),
        node("Shape", ["mean"], "shape"),
        node("Constant", [], "zero", value=numpy_helper.from_array(numpy.array(0, numpy.int64))),
        node("Gather", ["shape", "zero"], "size", axis=0),
        node("Unsqueeze", ["size", "axis"], "size1"),
        node("Concat", ["size1", "rest"], "target", axis=0),
        node("Reshape", ["mean", "target"], "flat"),
        node("Gemm", ["flat", "fc.weight", "fc.bias"], "scores", alpha=1.0, beta=1.0, transB=1),
    ]
    initializers = [weights("conv1.weight", 8, 3, 3, 3), *norm("bn1", 8), weights("layer1.0.conv1.weight", 8, 8, 3, 3),
                    weights("layer1.0.conv1.bias", 8), whole("axis", 0), whole("rest", -1), weights("fc.weight", 5, 8),
                    weights("fc.bias", 5)]
    return model(nodes, initializers, ["batch", 3, 20, 18], 5)


def mobile(opset):
    """Like MobileNetV2: Clip with attributes or inputs, depthwise, a mean over pixels, dropout, softmax at the end."""
    clip = {"min": 0.0, "max": 6.0} if opset < 11 else {}
    limits = [] if opset < 11 else ["low", "high"]
    dropout = node("Dropout", ["mean"], "kept", ratio=0.2) if opset < 12 else node("Dropout", ["mean", "rate"], "kept")
    nodes = [
        node("Conv", ["image", "w0", "b0"], "c0", strides=[2, 2], auto_pad="SAME_LOWER"),
        node("Clip", ["c0", *limits], "r0", **clip),
        node("Conv", ["r0", "w1"], "c1", group=6, pads=[1, 1, 1, 1]),
        node("BatchNormalization", ["c1", *(each.name for each in norm("bn", 6))], "b1"),
        node("Clip", ["b1", *limits], "r1", **clip),
        node("ReduceMean", ["r1"], "mean", axes=[2, 3], keepdims=0),
        dropout,
        node("Gemm", ["kept", "w2", "b2"], "raw", transB=0, alpha=0.5, beta=2.0),
        node("Softmax", ["raw"], "scores", axis=1),
    ]
    initializers = [weights("w0", 6, 3, 4, 4), weights("b0", 6), weights("w1", 6, 1, 3, 3), *norm("bn", 6),
                    weights("w2", 6, 7, low=-6, high=6), weights("b2", 7)]
    if opset >= 11:
        initializers += [numpy_helper.from_array(numpy.float32(0), "low"), numpy_helper.from_array(numpy.float32(6), "high")]
    if opset >= 12:
        initializers.append(numpy_helper.from_array(numpy.float32(0.2), "rate"))
    return model(nodes, initializers, ["N", 3, 15, 15], 7, opset=opset)


def fire(opset):
    """Like SqueezeNet and GoogLeNet: branches, LRN, Pad before a convolution, averages, a convolution as classifier."""
    pad = node("Pad", ["image"], "padded", pads=[0, 0, 1, 2, 0, 0, 3, 0]) if opset < 11 else \
        node("Pad", ["image", "pads"], "padded", mode="constant")
    nodes = [
        pad,
        node("Conv", ["padded", "w0", "b0"], "c0", dilations=[2, 2]),
        node("Relu", ["c0"], "r0"),
        node("LRN", ["r0"], "l0", size=5, alpha=0.002, beta=0.75, bias=1.0),
        node("MaxPool", ["l0"], "p0", kernel_shape=[3, 3], strides=[2, 2]),
        node("Conv", ["p0", "w1", "b1"], "c1"),
        node("Conv", ["p0", "w2", "b2"], "c2", pads=[1, 1, 1, 1]),
        node("AveragePool", ["p0"], "p2", kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
        node("Concat", ["c1", "c2", "p2"], "joined", axis=1),
        node("Mul", ["joined", "scale"], "scaled"),
        node("Sub", ["scaled", "offset"], "moved"),
        node("Conv", ["moved", "w3", "b3"], "c3"),
        node("Transpose", ["c3"], "same", perm=[0, 1, 2, 3]),
        node("GlobalAveragePool", ["same"], "mean"),
        node("Transpose", ["mean"], "last", perm=[0, 2, 3, 1]),
        node("Flatten", ["last"], "flat", axis=1),
        node("Identity", ["flat"], "scores"),
    ]
    initializers = [weights("w0", 6, 3, 3, 3), weights("b0", 6), weights("w1", 4, 6, 1, 1), weights("b1", 4),
                    weights("w2", 4, 6, 3, 3), weights("b2", 4), weights("scale", 1, 14, 1, 1), weights("offset", 1),
                    weights("w3", 9, 14, 1, 1), weights("b3", 9)]
    if opset >= 11:
        initializers.append(whole("pads", 0, 0, 1, 2, 0, 0, 3, 0))
    return model(nodes, initializers, ["N", 3, 17, 21], 9, opset=opset)


def rows():
    """Dense layers with batch norm between them, and weights transposed by the model."""
    nodes = [
        node("Transpose", ["w0"], "w0t", perm=[1, 0]),
        node("MatMul", ["image", "w0t"], "d0"),
        node("Add", ["b0", "d0"], "a0"),
        node("BatchNormalization", ["a0", *(each.name for each in norm("bn", 12))], "n0"),
        node("Relu", ["n0"], "r0"),
        node("Gemm", ["r0", "w1"], "d1"),
        node("Div", ["d1", "by"], "scores"),
    ]
    initializers = [weights("w0", 12, 20), weights("b0", 12), *norm("bn", 12), weights("w1", 12, 4),
                    weights("by", 4, low=1, high=2)]
    return model(nodes, initializers, ["N", 20], 4)


class ImportTest(PeerTest):
    def check(self, name, made, samples=2):
        file = self.folder / "model.onnx"
        onnx.save(made, file)
        shape = [dim.dim_value for dim in made.graph.input[0].type.tensor_type.shape.dim][1:]
        values = RANDOM.uniform(-1, 1, (samples, *shape)).astype(numpy.float32)
        values.tofile(self.folder / "input.f32")
        self.probe("logits", file, self.folder / "input.f32", self.folder / "logits.f32")
        actual = numpy.fromfile(self.folder / "logits.f32", numpy.float32).reshape(samples, -1)
        expected = logits_of(file, values)
        if made.graph.node[-1].op_type == "Softmax":
            actual = numpy.exp(actual) / numpy.exp(actual).sum(axis=1, keepdims=True)
        self.assert_close(actual, expected, name)
        if samples > 1:
            self.assert_telling(actual, name)

    def test_models_of_others_give_their_scores(self):
        for name, made, samples in (("mnist", mnist(), 1), ("residual", residual(), 2), ("mobile 9", mobile(9), 2),
                                    ("mobile 11", mobile(11), 2), ("mobile 13", mobile(13), 3), ("fire 9", fire(9), 2),
                                    ("fire 13", fire(13), 2), ("rows", rows(), 4)):
            with self.subTest(name):
                self.check(name, made, samples)

    def test_narrow_weights_and_weights_in_files(self):
        made = residual()
        values = RANDOM.uniform(-1, 1, (2, 3, 20, 18)).astype(numpy.float32)
        onnx.save(made, self.folder / "plain.onnx")
        expected = logits_of(self.folder / "plain.onnx", values)
        values.tofile(self.folder / "input.f32")
        onnx.save(made, self.folder / "outside.onnx", save_as_external_data=True, location="weights.bin",
                  size_threshold=0)
        self.assertTrue((self.folder / "weights.bin").exists())
        self.probe("logits", "outside.onnx", "input.f32", "logits.f32")
        self.assert_close(numpy.fromfile(self.folder / "logits.f32", numpy.float32), expected)

    def test_a_model_is_imported_trained_on_and_used(self):
        onnx.save(residual(), self.folder / "other.onnx")
        data = "synthetic:3x20x18,classes=5,count=64"
        said = self.convoy("import", "other.onnx", "--out", "imported", "--mean", "0.5,0.5,0.5", "--deviation",
                           "0.25,0.25,0.25")
        self.assertIn("imported/network.toml", said.stdout)
        self.convoy("import", "other.onnx", "--out", "imported", code=2)  # it is there already
        text = (self.folder / "imported" / "network.toml").read_text()
        self.assertIn('{dense = "fc", out = "classes"', text)
        self.convoy("summary", "--model", "imported/network.toml")
        self.convoy("summary", "--model", "other.onnx")
        self.convoy("bench", "train", "--model", "other.onnx", "--batch", 8, "--seconds", 0.1, "--threads", 1)
        options = ["--data", data, "--batch", 16, "--epochs", 1, "--threads", 1, "--quiet"]
        for init in ("imported/weights.safetensors", "other.onnx"):
            run = self.convoy("train", "--model", "other.onnx", "--init", init, "--run-dir", f"run_{init[:5]}", *options)
            self.assertIn("9 tensors taken", run.stderr)
            self.assertNotIn("start afresh", run.stderr)
        scores = json.loads(self.convoy("eval", "--weights", "imported/weights.safetensors", "--data", data, "--json",
                                        "--threads", 1).stdout)
        self.assertEqual(len(scores["classes"]), 5)
        self.convoy("study", "sweep", "--model", "other.onnx", "--lr", "0.01,0.02", "--repeats", 1, "--study-dir", "study",
                    *options[:-1])

    def test_what_is_not_understood_is_refused_by_name(self):
        made = residual()
        made.graph.node[2].op_type = "HardSwish"
        made.graph.node[2].name = "act"
        onnx.save(made, self.folder / "other.onnx")
        refused = self.convoy("import", "other.onnx", "--out", "no", code=2)
        for word in ("other.onnx", '"act" (HardSwish)', "these are: Add, AveragePool"):
            self.assertIn(word, refused.stderr)
        self.assertFalse((self.folder / "no").exists())


if __name__ == "__main__":
    print(versions())
    unittest.main()
