"""Curves of runs as TensorBoard reads them. Usage: tensorboard_test.py PATH_OF_ONNX_PROBE PATH_OF_CONVOY"""
import csv
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True  # nothing is left beside the sources
try:
    import tensorboard
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
except ImportError as missing:
    print(f"skipped: {missing}; CONVOY_PEERS_PYTHON names a Python with tensorboard")
    sys.exit(77)

CONVOY = sys.argv.pop(2)
sys.argv.pop(1)
SMALL = ["--data", "synthetic:1x28x28,classes=4,count=96", "--model", "lenet", "--batch", "32", "--epochs", "2",
         "--threads", "1"]


class TensorBoardTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="convoy_tensorboard_")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def convoy(self, *words):
        result = subprocess.run([CONVOY, *map(str, words)], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def curves(self, folder):
        events = EventAccumulator(str(self.folder / folder), size_guidance={"scalars": 0})
        events.Reload()
        return {tag: [(each.step, each.value) for each in events.Scalars(tag)] for tag in events.Tags()["scalars"]}

    def assert_curve(self, curve, run, table, column, step):
        with open(self.folder / run / table, encoding="utf-8") as file:
            expected = [(int(row[step]), float(row[column])) for row in csv.DictReader(file)]
        self.assertEqual([step for step, _ in curve], [step for step, _ in expected])
        for (_, value), (_, wanted) in zip(curve, expected):
            self.assertAlmostEqual(value, wanted, delta=1e-6 * max(1, abs(wanted)))

    def test_a_run(self):
        self.convoy("train", *SMALL, "--run-dir", "run", "--quiet")
        self.convoy("export", "run", "--format", "tensorboard", "--out", "curves")
        curves = self.curves("curves")
        self.assert_curve(curves["step/loss"], "run", "steps.csv", "loss", "step")
        self.assert_curve(curves["step/learning_rate"], "run", "steps.csv", "learning_rate", "step")
        for tag, column in (("loss/train", "train_loss"), ("loss/test", "test_loss"), ("accuracy/test", "test_top1"),
                            ("speed/samples_per_second", "samples_per_second")):
            self.assert_curve(curves[tag], "run", "epochs.csv", column, "end_step")
        self.assertTrue(all(0 <= value <= 1 for _, value in curves["time_share/compute"]))

    def test_each_run_of_a_study_is_a_folder(self):
        self.convoy("study", "sweep", *SMALL, "--lr", "0.01,0.02", "--repeats", 1, "--study-dir", "study")
        self.convoy("export", "study", "--format", "tensorboard", "--out", "curves")
        folders = sorted(path.name for path in (self.folder / "curves").iterdir())
        self.assertEqual(folders, sorted(path.name for path in (self.folder / "study" / "runs").iterdir()))
        for folder in folders:
            self.assertEqual(len(self.curves(f"curves/{folder}")["loss/train"]), 2)


if __name__ == "__main__":
    print(f"tensorboard {tensorboard.__version__}")
    unittest.main()
