"""The other tools to compare with. Where they are not installed, a test is skipped: exit code 77."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy
    import onnx
    import onnxruntime
except ImportError as missing:
    print(f"skipped: {missing}; CONVOY_PEERS_PYTHON names a Python with onnx, onnxruntime and numpy")
    sys.exit(77)

PROBE, CONVOY = sys.argv.pop(1), sys.argv.pop(1)


def logits_of(model, values):
    """The scores that onnxruntime computes."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 2
    session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
    (given,) = session.get_inputs()
    return session.run(None, {given.name: values})[0]


class PeerTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="convoy_exchange_")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def run_program(self, *words, code=0):
        result = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False,
                                cwd=self.folder)
        self.assertEqual(result.returncode, code, f"{words}\n{result.stdout}{result.stderr}")
        return result

    def probe(self, *words):
        return self.run_program(PROBE, *words).stdout

    def convoy(self, *words, code=0):
        return self.run_program(CONVOY, *words, code=code)

    def assert_close(self, actual, expected, message=""):
        """Within 1e-4 of the largest score."""
        self.assertEqual(actual.size, expected.size, message)
        difference = float(numpy.abs(actual.ravel() - expected.ravel()).max())
        self.assertLess(difference, 1e-4 * max(1.0, float(numpy.abs(expected).max())), message)

    def assert_telling(self, scores, message=""):
        """Scores, a row for each sample, differ between samples by ten times what assert_close() lets pass.
        Random weights can leave nothing of an image, and then every network gives the same."""
        self.assertGreater(float(scores.std(axis=0).max()), 1e-3 * max(1.0, float(numpy.abs(scores).max())), message)


def versions():
    return f"onnx {onnx.__version__}, onnxruntime {onnxruntime.__version__}, numpy {numpy.__version__}"
