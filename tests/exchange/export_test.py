"""Networks of the zoo as ONNX: onnx.checker accepts them, and onnxruntime computes what Convoy does.
Usage: export_test.py PATH_OF_ONNX_PROBE PATH_OF_CONVOY"""
import json
import sys
import unittest

sys.dont_write_bytecode = True  # nothing is left beside the sources
from peers import PeerTest, logits_of, numpy, onnx, versions  # pylint: disable=wrong-import-position


class ExportTest(PeerTest):
    def check(self, name, opset=13, fold="plain", normalise="as-is"):
        self.probe("export", name, self.folder, opset, fold, normalise)
        file = self.folder / "model.onnx"
        model = onnx.load(file)
        onnx.checker.check_model(model, full_check=True)
        shape = [dim.dim_param or dim.dim_value for dim in model.graph.input[0].type.tensor_type.shape.dim]
        self.assertEqual(shape[0], "N", "the batch is open")
        values = numpy.fromfile(self.folder / "input.f32", numpy.float32).reshape(-1, *shape[1:])
        expected = numpy.fromfile(self.folder / "logits.f32", numpy.float32)
        self.assert_close(logits_of(file, values), expected, (name, opset, fold, normalise))
        self.assert_close(logits_of(file, values[:1]), expected[:expected.size // len(values)], "a batch of another size")
        self.assert_telling(expected.reshape(len(values), -1), name)
        return model

    def test_every_network_of_the_zoo(self):
        names = self.probe("list").split()
        self.assertEqual(len(names), 24)
        for name in names:
            with self.subTest(name):
                self.check(name)

    def test_folded_batch_norm(self):
        for name in ("resnet20", "resnet50", "mobilenetv2"):
            with self.subTest(name):
                model = self.check(name, fold="fold")
                self.assertNotIn("BatchNormalization", {node.op_type for node in model.graph.node})

    def test_every_opset(self):
        for opset in range(9, 18):
            for name in ("resnet20", "squeezenet1.1"):
                with self.subTest(name, opset=opset):
                    self.assertEqual(self.check(name, opset).opset_import[0].version, opset)
        for opset in (9, 11, 12, 17):  # Clip and Dropout have attributes in old versions and inputs in new ones
            self.check("mobilenetv2", opset)

    def test_normalisation_inside(self):
        for fold in ("plain", "fold"):
            self.check("resnet20", fold=fold, normalise="normalise")

    def test_operators_that_the_zoo_has_not(self):
        text = """input = "3x12x12"
classes = 5
layers = [
  {conv = "c1", out = 12, kernel = 3, pad = 1},
  {group_norm = "gn", groups = 4},
  {sigmoid = "s"},
  {conv = "c2", out = 8, kernel = 3, stride = 2},
  {tanh = "t"},
  %s{flatten = "f"},
  {dense = "fc", out = "classes"},
  {loss = "loss"},
]
"""
        file = self.folder / "norms.toml"
        for opset, more in ((9, ""), (13, ""), (17, '{layer_norm = "ln"},\n  ')):
            with self.subTest(opset):
                file.write_text(text % more, encoding="utf-8")
                self.check(file, opset)

    def test_a_run(self):
        self.convoy("train", "--data", "synthetic:3x16x16,classes=4,count=64", "--model", "resnet20", "--batch", 16,
                    "--epochs", 1, "--threads", 1, "--run-dir", "run", "--quiet")
        for flags in ([], ["--fold-batch-norm"], ["--opset", 9], ["--normalise"]):
            with self.subTest(flags):
                said = self.convoy("export", "run", "--format", "onnx", "--out", "run.onnx", *flags).stdout
                self.assertIn("N x 3x16x16", said)
                model = onnx.load(self.folder / "run.onnx")
                onnx.checker.check_model(model, full_check=True)
                metadata = {entry.key: entry.value for entry in model.metadata_props}
                self.assertEqual(len(json.loads(metadata["convoy.classes"])), 4)
                self.assertEqual(metadata["convoy.model"], "resnet20")
                self.assertEqual(metadata["convoy.data"], "synthetic:3x16x16,classes=4,count=64")
                self.assertIn("convoy.step", metadata)
                # Convoy itself computes the same loss with the exported model as with the run.
                mine = json.loads(self.convoy("eval", "--run", "run", "--json", "--threads", 1).stdout)
                back = json.loads(self.convoy("eval", "--weights", "run.onnx", "--data",
                                              "synthetic:3x16x16,classes=4,count=64", "--json", "--threads", 1).stdout)
                self.assertAlmostEqual(mine["loss"], back["loss"], delta=1e-4)
        self.convoy("export", "run", "--format", "onnx", "--opset", 5, "--out", "no.onnx", code=2)
        self.convoy("export", "run", "--format", "onyx", "--out", "no.onnx", code=2)
        self.assertFalse((self.folder / "no.onnx").exists())


if __name__ == "__main__":
    print(versions())
    unittest.main()
