"""Curves of runs as TensorBoard reads them. Usage: tensorboard_test.py PATH_OF_ONNX_PROBE PATH_OF_CONVOY"""
import csv
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True  # nothing is left beside the sources
try:
    import tensorboard
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
    from tensorboard.plugins.hparams import plugin_data_pb2
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

    def events(self, folder):
        events = EventAccumulator(str(self.folder / folder), size_guidance={"scalars": 0, "tensors": 0, "histograms": 0})
        events.Reload()
        return events

    def curves(self, folder):
        events = self.events(folder)
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

    def test_as_the_run_goes(self):
        self.convoy("train", *SMALL, "--run-dir", "run", "--quiet", "--tensorboard", "--tensorboard-histograms", 1)
        curves = self.curves("run/tensorboard")
        for column in ("loss", "learning_rate"):
            self.assert_curve(curves[f"step/{column}"], "run", "steps.csv", column, "step")
        self.assert_curve(curves["accuracy/test"], "run", "epochs.csv", "test_top1", "end_step")
        self.assertEqual([step for step, _ in curves["step/gradient_norm"]], [1])
        events = self.events("run/tensorboard")
        histogram = events.Histograms("weights/conv1.weight")
        self.assertEqual([each.step for each in histogram], [3, 6])
        self.assertEqual(sum(histogram[0].histogram_value.bucket), 32 * 25)
        info = plugin_data_pb2.HParamsPluginData.FromString(
            events.SummaryMetadata("_hparams_/session_start_info").plugin_data.content).session_start_info
        self.assertEqual(info.hparams["model"].string_value, "lenet")
        self.assertEqual(info.hparams["batch"].number_value, 32)
        self.assertIn("_hparams_/session_end_info", events.Tags()["tensors"])

    def test_goes_on_after_resume(self):
        """A resumed run repeats the epoch that it lost: TensorBoard shows each step once, as the record has it."""
        self.convoy("train", *SMALL, "--run-dir", "run", "--quiet", "--tensorboard", "logs")
        shutil.rmtree(next((self.folder / "run/checkpoints").glob("step-*6")))
        self.convoy("train", "--resume", "run", "--epochs", 3, "--quiet")
        self.assertEqual(len(list((self.folder / "logs/run").iterdir())), 2)
        curves = self.curves("logs/run")
        self.assertEqual([step for step, _ in curves["step/loss"]], list(range(1, 10)))
        self.assert_curve(curves["step/loss"], "run", "steps.csv", "loss", "step")
        self.assert_curve(curves["accuracy/test"], "run", "epochs.csv", "test_top1", "end_step")

    def test_a_study_of_event_files(self):
        """Files that tensorboard's own writer made, and Convoy's: each is a run with the accuracies it was given."""
        from tensorboard.compat.proto import event_pb2, summary_pb2
        from tensorboard.summary.writer.event_file_writer import EventFileWriter
        writer = EventFileWriter(str(self.folder / "other"))
        for epoch, accuracy in enumerate((0.25, 0.75)):
            values = [summary_pb2.Summary.Value(tag="Accuracy/test", simple_value=accuracy),
                      summary_pb2.Summary.Value(tag="Loss/train", simple_value=2 - epoch)]
            writer.add_event(event_pb2.Event(step=epoch, wall_time=100.0 + epoch,
                                             summary=summary_pb2.Summary(value=values)))
        writer.close()
        self.convoy("train", *SMALL, "--run-dir", "run", "--quiet", "--tensorboard")
        self.convoy("study", "import", "other", "run/tensorboard", "--study-dir", "study", "--json")
        found = {}
        for run in (self.folder / "study/runs").iterdir():
            lines = (run / "epochs.jsonl").read_text(encoding="utf-8").splitlines()
            log = json.loads((run / "run.json").read_text(encoding="utf-8"))["configuration"]["log"]
            found[log] = [json.loads(line)["test_top1"] for line in lines]
        self.assertEqual(found["other"], [0.25, 0.75])
        with open(self.folder / "run/epochs.csv", encoding="utf-8") as file:
            wanted = [float(row["test_top1"]) for row in csv.DictReader(file)]
        self.assertEqual(len(found["run/tensorboard"]), 2)
        for value, expected in zip(found["run/tensorboard"], wanted):
            self.assertAlmostEqual(value, expected, delta=1e-6)

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
