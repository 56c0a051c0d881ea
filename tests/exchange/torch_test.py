"""torchvision's networks as PyTorch exports them, by both of its exporters: Convoy computes the same scores as
onnxruntime and PyTorch. Usage: torch_test.py PATH_OF_ONNX_PROBE PATH_OF_CONVOY"""
import sys
import unittest
import warnings

sys.dont_write_bytecode = True  # nothing is left beside the sources
from peers import PeerTest, logits_of, numpy, onnx, versions  # pylint: disable=wrong-import-position

try:
    import torch
    import torchvision
    import onnxscript  # the newer exporter needs it
except ImportError as missing:
    print(f"skipped: {missing}; CONVOY_PEERS_PYTHON names a Python with torch, torchvision and onnxscript")
    sys.exit(77)

SIZE = 64
CLASSES = 12
# Before their dense layers these average down to 6x6 and 7x7. For images of the size they were made for, PyTorch
# exports that as a pooling; for smaller ones as indices, or not at all. The dense layers are narrowed to save time.
HEADS = {"alexnet": 256 * 6 * 6, "vgg11": 512 * 7 * 7, "vgg11_bn": 512 * 7 * 7}
NETWORKS = {
    "alexnet": {},
    "vgg11": {"init_weights": False},
    "vgg11_bn": {"init_weights": False},
    "resnet18": {},
    "resnext50_32x4d": {},
    "mobilenet_v2": {},
    "squeezenet1_0": {},
    "squeezenet1_1": {},
    "googlenet": {"aux_logits": False, "init_weights": False},
    "densenet121": {},
}


def size_of(name):
    return 224 if name in HEADS else SIZE


def narrow(made, width):
    """Makes the dense layers 32 wide instead of 4096, with weights for which the scores depend on the image."""
    for old, new in zip([each for each in made.classifier if isinstance(each, torch.nn.Linear)],
                        [(width, 32), (32, 32), (32, CLASSES)]):
        old.__init__(*new)
    for each in made.modules():
        if isinstance(each, (torch.nn.Conv2d, torch.nn.Linear)):
            torch.nn.init.kaiming_normal_(each.weight)


def network(name):
    """A network whose batch norms have running statistics as after training. With their first values, scores would no
    longer depend on the image after some dozen layers."""
    torch.manual_seed(1)
    made = getattr(torchvision.models, name)(num_classes=CLASSES, **NETWORKS[name])
    if name in HEADS:
        narrow(made, HEADS[name])
    norms = [each for each in made.modules() if isinstance(each, torch.nn.BatchNorm2d)]
    if norms:
        for each in norms:
            each.momentum = 1.0
        with torch.no_grad():
            made.train()(torch.randn(8, 3, SIZE, SIZE))
        for each in norms:
            each.momentum = 0.1
    return made.eval()


def export(made, file, dynamo, size=SIZE):
    """Exports for any batch size."""
    image = torch.randn(2, 3, size, size)
    opened = {"dynamic_shapes": ({0: torch.export.Dim("batch")},)} if dynamo else {"dynamic_axes": {"image": {0: "N"}}}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(made, (image,), str(file), dynamo=dynamo, input_names=["image"], verbose=False, **opened)


class TorchTest(PeerTest):
    def check(self, name, dynamo):
        made, size = network(name), size_of(name)
        file = self.folder / "model.onnx"
        export(made, file, dynamo, size)
        images = numpy.random.default_rng(1).standard_normal((3, 3, size, size)).astype(numpy.float32)
        images.tofile(self.folder / "input.f32")
        self.probe("logits", file, self.folder / "input.f32", self.folder / "logits.f32")
        actual = numpy.fromfile(self.folder / "logits.f32", numpy.float32).reshape(3, CLASSES)
        self.assert_close(actual, logits_of(file, images), f"{name} against onnxruntime")
        with torch.no_grad():
            self.assert_close(actual, made(torch.from_numpy(images)).numpy(), f"{name} against torch")
        self.assert_telling(actual, name)

    def test_by_the_older_exporter(self):
        for name in NETWORKS:
            with self.subTest(name):
                self.check(name, dynamo=False)

    def test_by_the_newer_exporter(self):
        for name in NETWORKS:
            with self.subTest(name):
                self.check(name, dynamo=True)

    def test_training_goes_on_from_an_export(self):
        export(network("resnet18"), self.folder / "other.onnx", dynamo=False)
        said = self.convoy("train", "--model", "other.onnx", "--init", "other.onnx", "--data",
                           f"synthetic:3x{SIZE}x{SIZE},classes={CLASSES},count=32", "--batch", 16, "--epochs", 1,
                           "--threads", 1, "--quiet", "--run-dir", "run")
        self.assertNotIn("start afresh", said.stderr)


if __name__ == "__main__":
    print(versions(), f"torch {torch.__version__}, torchvision {torchvision.__version__}, onnxscript",
          onnxscript.__version__)
    unittest.main()
