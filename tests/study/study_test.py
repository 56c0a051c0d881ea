"""Runs studies with the convoy program. Usage: study_test.py PATH_OF_CONVOY"""
import csv
import json
import pathlib
import shutil
import signal
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True  # nothing is left beside the sources
sys.path.append(str(pathlib.Path(__file__).parent))
from commands import SMALL, Commands  # pylint: disable=wrong-import-position

CONVOY = sys.argv.pop(1)


def outcomes(study):
    with open(study / "outcomes.jsonl", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def forget_others(study):
    """Removes from the records what other processes used, as on a machine that cannot tell."""
    for file in (study / "runs").glob("*/epochs.jsonl"):
        epochs = [json.loads(line) for line in file.read_text().splitlines()]
        for epoch in epochs:
            epoch.pop("others_cpu_seconds", None)
        file.write_text("".join(json.dumps(epoch) + "\n" for epoch in epochs))


class StudyTest(Commands):
    convoy = CONVOY

    def test_scaling_is_measured_on_real_workers(self):
        result = self.run_convoy(0, "study", "scale", *SMALL, "--workers", "1,2", "--scaling", "weak,strong", "--epochs",
                                 2, "--repeats", 2, "--price", 0.5, "--study-dir", "scale")
        study = self.folder / "scale"
        self.assertEqual(len(outcomes(study)), 6)
        for outcome in outcomes(study):
            self.assertEqual(outcome["exit_code"], 0)
            run = json.loads((study / "runs" / outcome["id"] / "run.json").read_text())
            self.assertEqual(run["ranks"], int(outcome["point"]["workers"]))
        self.assertIn("samples/s", result.stdout)
        self.assertIn("report.html", result.stdout)
        page = (study / "report.html").read_text(encoding="utf-8")
        self.assertIn("<svg", page)
        self.assertNotIn("src=\"http", page)

        # Other tests may use the cores meanwhile, which the records say. What a study makes of that is tested
        # elsewhere, with made-up records.
        forget_others(study)
        # The same command has nothing left to do.
        again = self.run_convoy(0, "study", "scale", *SMALL, "--workers", "1,2", "--scaling", "weak,strong", "--epochs",
                                2, "--repeats", 2, "--price", 0.5, "--study-dir", "scale", "--json")
        self.assertIn("0 of 6 runs to do", again.stderr)
        numbers = json.loads(again.stdout)
        self.assertEqual([point["runs"] for point in numbers["points"]], [2, 2, 2])
        weak = next(p for p in numbers["points"] if p["point"].get("scaling") == "weak")
        epochs = [json.loads((study / "runs" / o["id"] / "epochs.jsonl").read_text().splitlines()[1])
                  for o in outcomes(study) if o["point"] == weak["point"]]
        rates = [epoch["samples"] / epoch["seconds"] for epoch in epochs]
        self.assertAlmostEqual(weak["samples_per_second"]["mean"], sum(rates) / 2, places=6)
        refused = self.run_convoy(2, "study", "scale", *SMALL, "--workers", "1,2", "--study-dir", "scale")
        self.assertIn("holds another study", refused.stderr)

        # The speed-up in the table is the ratio of the throughputs beside it.
        self.run_convoy(0, "report", "scale", "--format", "csv", "--out", "tables")
        with open(self.folder / "tables" / "data" / "points.csv", encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([row["workers"] for row in rows], ["1", "2", "2"])
        for row in rows:
            ratio = float(row["samples/s"]) / float(rows[0]["samples/s"])
            self.assertAlmostEqual(float(row["speed-up"]), ratio, delta=0.002 * ratio)
            # An efficiency far above 100 % is marked as doubtful: other tests may have slowed down the run of one
            # worker.
            efficiency = row["efficiency (%)"].removesuffix(" ?")
            self.assertAlmostEqual(float(efficiency), 100 * ratio / int(row["workers"]), delta=0.3)
        # The JSON says the same, and why no law was fitted to two sizes.
        for series in numbers["analysis"]["series"]:
            two = next(point for point in series["points"] if point["size"] == 2)
            row = next(row for row in rows if row["series"] == series["name"])
            self.assertAlmostEqual(two["speed_up"]["value"], float(row["speed-up"]), delta=0.001)
            self.assertLess(two["efficiency"]["low_95"], two["efficiency"]["high_95"])
            for law in series["laws"]:
                self.assertFalse(law["fitted"])
                self.assertTrue(law["reason"])
        self.run_convoy(0, "report", "scale", "--format", "svg", "--out", "pictures")
        self.assertTrue(list((self.folder / "pictures").rglob("*.svg")))
        self.run_convoy(0, "report", "scale", "--format", "md", "--out", "text/report.md")
        self.assertIn("|", (self.folder / "text" / "report.md").read_text(encoding="utf-8"))

    def test_a_study_that_was_interrupted_goes_on(self):
        arguments = ["study", "sweep", *SMALL, "--repeats", 1, "--lr", "0.01,0.02,0.03,0.04", "--epochs", 40, "--study-dir", "stopped"]
        process = subprocess.Popen(self.command(*arguments), env=self.environment, cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        # A run that was reported is on disk, so stopping the study after that loses nothing of it.
        lines = iter(process.stderr.readline, "")
        self.assertTrue(any(line.startswith("[1/4]") for line in lines), "the study ended without a run")
        self.assertGreaterEqual(len(outcomes(self.folder / "stopped")), 1)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 130, errors)
        self.assertIn("convoy study continue", errors)
        before = outcomes(self.folder / "stopped")
        self.assertIn(len(before), (1, 2, 3))
        self.run_convoy(0, "study", "continue", "stopped")
        after = outcomes(self.folder / "stopped")
        self.assertEqual(len(after), 4)
        self.assertEqual(after[:len(before)], before)
        for outcome in after:
            epochs = (self.folder / "stopped" / "runs" / outcome["id"] / "epochs.jsonl").read_text().splitlines()
            self.assertEqual([json.loads(line)["epoch"] for line in epochs], list(range(1, 41)))

    def test_halving_cannot_begin_after_the_end(self):
        self.run_convoy(2, "study", "sweep", *SMALL, "--repeats", 1, "--lr", "0.01,0.02", "--epochs", 1, "--halving", 2,
                        "--first-epochs", 5, "--study-dir", "too-late")
        self.assertFalse((self.folder / "too-late").exists())

    def test_hopeless_points_are_given_up(self):
        self.run_convoy(0, "study", "sweep", *SMALL, "--repeats", 1, "--lr", "0.0001,0.01,0.02,0.03", "--epochs", 4, "--halving", 2,
                        "--study-dir", "halving")
        study = self.folder / "halving"
        trained = {outcome["id"]: outcome["epochs"] for outcome in outcomes(study)}
        self.assertEqual(sorted(trained.values()), [1, 1, 2, 4])
        losses = {}
        for run in trained:
            lines = (study / "runs" / run / "epochs.jsonl").read_text().splitlines()
            self.assertEqual(len(lines), trained[run])
            losses[run] = json.loads(lines[0])["train_loss"]
        given_up = [losses[run] for run in trained if trained[run] == 1]
        self.assertGreaterEqual(min(given_up), max(losses[run] for run in trained if trained[run] > 1))

    def test_failed_points_stay_and_a_study_of_nothing_else_fails(self):
        result = self.run_convoy(0, "study", "sweep", *SMALL, "--repeats", 1, "--lr", "0.01,1e30", "--epochs", 1, "--study-dir", "half")
        self.assertIn("FAILED (4)", result.stderr)
        self.assertIn("1e30", result.stdout)
        self.assertEqual(sorted(o["exit_code"] for o in outcomes(self.folder / "half")), [0, 4])
        result = self.run_convoy(1, "study", "sweep", *SMALL, "--repeats", 1, "--lr", "1e30,1e31", "--epochs", 1, "--study-dir", "none")
        self.assertIn("all 2 runs failed", result.stderr)
        again = self.run_convoy(1, "study", "continue", "none", "--retry-failed")
        self.assertIn("0 of 2 runs have ended", again.stderr)

    def test_a_network_given_as_a_file_is_kept_by_the_study(self):
        file = self.folder / "mine.toml"
        file.write_text(self.run_convoy(0, "models", "--show", "lenet").stdout)
        arguments = ["--data", "synthetic:1x28x28,count=192", "--batch", 48, "--threads", 1, "--model", file, "--repeats",
                     1, "--epochs", 1, "--study-dir", "own", "--lr"]
        self.run_convoy(0, "study", "sweep", *arguments, "0.01,0.02")
        study = self.folder / "own"
        self.assertEqual(json.loads((study / "study.json").read_text())["settings"]["model"], "mine")
        file.write_text(file.read_text() + "# changed")
        changed = self.run_convoy(2, "study", "sweep", *arguments, "0.01,0.02")
        self.assertIn("as it was when the study began", changed.stderr)
        file.unlink()
        shutil.rmtree(study / "runs" / outcomes(study)[0]["id"])
        moved = study.rename(self.folder / "own_moved")
        self.run_convoy(0, "study", "continue", moved)
        self.assertEqual([o["exit_code"] for o in outcomes(moved)], [0, 0])

    def test_a_run_that_was_deleted_is_run_again(self):
        self.run_convoy(0, "study", "sweep", *SMALL, "--repeats", 1, "--lr", "0.01,0.02", "--epochs", 1, "--study-dir",
                        "deleted")
        study = self.folder / "deleted"
        for flags in [], ["--retry-failed"]:
            gone = outcomes(study)[0]["id"]
            shutil.rmtree(study / "runs" / gone)
            again = self.run_convoy(0, "study", "continue", "deleted", *flags)
            self.assertIn(f"1 run has no record any more and will be run again: {gone}", again.stderr)
            self.assertTrue((study / "runs" / gone / "epochs.jsonl").exists())
            self.assertEqual(len(outcomes(study)), 2)

    def test_points_that_cannot_work_are_found_before_any_run(self):
        for flags in [], ["--dry-run"]:
            refused = self.run_convoy(2, "study", "batch", *SMALL[:4], "--threads", 1, "--batch", "24,193,500",
                                      "--study-dir", "impossible", *flags)
            self.assertIn("2 of 3 points cannot work", refused.stderr)
            self.assertIn("batch 193: a batch of 193 is larger than the training data", refused.stderr)
            self.assertEqual(refused.stdout, "")
            self.assertFalse((self.folder / "impossible").exists())
        refused = self.run_convoy(2, "study", "scale", *SMALL[:4], "--threads", 1, "--batch", 2, "--workers", "1,3",
                                  "--oversubscribe", "--dry-run")
        self.assertIn("workers 3: a batch of 2 rows cannot be shared by 3 workers", refused.stderr)

    def test_a_dry_run_lists_runs_and_writes_nothing(self):
        result = self.run_convoy(0, "study", "scale", *SMALL, "--workers", "1,2", "--study-dir", "dry", "--dry-run")
        self.assertIn("workers 2", result.stdout)
        self.assertIn("about", result.stdout)
        self.assertIn("convoy train", result.stdout)
        self.assertFalse((self.folder / "dry").exists())

    def test_a_file_may_describe_the_study(self):
        (self.folder / "study.toml").write_text(
            'model = "lenet"\ndata = "synthetic:1x28x28,count=96"\nbatch = [24, 48]\nepochs = 2\nrepeats = 1\nthreads = 1\n',
            encoding="utf-8")
        result = self.run_convoy(0, "study", "batch", "--config", "study.toml", "--study-dir", "by-file")
        self.assertEqual({o["point"]["batch"] for o in outcomes(self.folder / "by-file")}, {"24", "48"})
        self.assertIn("batch", result.stdout)
        self.assertIn("no batch was measured more than once", result.stdout)  # on a busy machine too
        (self.folder / "bad.toml").write_text("batchs = [1]\n", encoding="utf-8")
        refused = self.run_convoy(2, "study", "batch", "--config", "bad.toml")
        self.assertIn("did you mean 'batch'", refused.stderr)

    def test_converging_is_told_for_several_seeds(self):
        result = self.run_convoy(0, "study", "converge", *SMALL, "--instances", "1,2", "--epochs", 3, "--repeats", 2,
                                 "--target", 20, "--study-dir", "converge")
        self.assertEqual(len(outcomes(self.folder / "converge")), 4)
        self.assertIn("accuracy", result.stdout)

    def test_more_workers_than_cores_have_to_be_asked_for(self):
        refused = self.run_convoy(2, "study", "scale", *SMALL, "--workers", "1,64")
        self.assertIn("--oversubscribe", refused.stderr)

    def test_logs_of_others_become_a_study(self):
        one = self.write_log("lab-cpu-lenet-nodes1.log", [100, 110])
        two = self.write_log("lab-cpu-lenet-nodes2.log", [180, 190])
        (self.folder / "published.csv").write_text(
            "series,workers,statistic,value\nlenet cpu,1,mean,105.0\nlenet cpu,2,mean,200.0\n", encoding="utf-8")
        result = self.run_convoy(0, "study", "import", one, two, "--published", "published.csv", "--study-dir", "import")
        self.assertRegex(result.stdout, r"lenet cpu +1 +mean +105\.0 +105\.0 +follows")
        self.assertRegex(result.stdout, r"lenet cpu +2 +mean +200\.0 +185\.0 +does not follow")
        self.run_convoy(0, "report", "import", "--format", "csv", "--out", "import-tables")
        rates = {}
        for table in (self.folder / "import-tables").rglob("*.csv"):
            with open(table, encoding="utf-8", newline="") as file:
                rates[table.name] = list(csv.reader(file))
        self.assertTrue(any("185" in cell for rows in rates.values() for row in rows for cell in row))
        (self.folder / "broken.log").write_text("Finished Epoch[1 of 2]: [Training] loss = x\n", encoding="utf-8")
        refused = self.run_convoy(3, "study", "import", "broken.log")
        self.assertIn("broken.log:1", refused.stderr)

    def test_logs_that_do_not_belong_together_are_not_pooled(self):
        logs = [self.write_log(f"lab-gpu-lenet-batch{batch}-nodes1.log", [100 * batch]) for batch in (1, 2, 4)]
        logs.append(self.write_log("lab-gpu-lenet-nodes2.log", [900]))
        result = self.run_convoy(0, "study", "import", *logs, "--study-dir", "mixed")
        words = " ".join(result.stdout.split())
        self.assertIn("1 of 4 logs does not say its batch: it is compared with no other", words)
        self.assertIn("batch unknown", result.stdout)
        self.assertNotIn("times as fast", result.stdout)
        points = next(text for text in result.stdout.split("\n\n") if text.startswith("All points"))
        self.assertNotIn("threads", points)
        rows = [line for line in points.splitlines() if line.startswith("batch ")]
        self.assertEqual(len(rows), 4)
        for row in rows:
            self.assertIn(" base", row)  # its own

    def test_logs_of_other_systems_are_told_by_their_content(self):
        bench = "\n".join(
            f"$ horovodrun -np {n} python bench.py\nModel: resnet50\nBatch size: 32\nNumber of GPUs: {n}\n"
            f"Iter #0: {rate}.0 img/sec per GPU\nIter #1: {rate}.0 img/sec per GPU\n"
            f"Total img/sec on {n} GPU(s): {n * rate}.0 +-0.0\n" for n, rate in ((1, 100), (2, 90)))
        (self.folder / "bench.txt").write_text(bench, encoding="utf-8")
        result = self.run_convoy(0, "study", "import", "bench.txt", "--json", "--study-dir", "bench")
        series = json.loads(result.stdout)["analysis"]["series"]
        self.assertEqual(len(series), 1)
        self.assertAlmostEqual(series[0]["points"][1]["speed_up"]["value"], 1.8)
        keras = "".join(f"Epoch {e}/4\n235/235 [====] - 12s 51ms/step - loss: {1 / e:.2f} - accuracy: 0.{5 + e} - "
                        f"val_loss: {1 / e:.2f} - val_accuracy: 0.{4 + e}\n" for e in range(1, 5))
        (self.folder / "keras.out").write_text(keras, encoding="utf-8")
        result = self.run_convoy(0, "study", "import", "keras.out", "--study-dir", "keras")
        self.assertIn("--set samples=N", " ".join(result.stderr.split()))
        self.assertIn("Training against test data", result.stdout)
        said = self.run_convoy(0, "study", "import", "keras.out", "--set", "samples=60000", "--study-dir", "keras-said")
        self.assertRegex(said.stdout, r"50\d\d")  # 60000 samples in 235 * 51 ms
        (self.folder / "batches.csv").write_text(
            "batch,workers,epoch,seconds,samples\n32,1,1,10,1000\n64,1,1,5,1000\n128,1,1,4.9,1000\n", encoding="utf-8")
        result = self.run_convoy(0, "study", "import", "batches.csv", "--set", "model=lenet", "--study-dir", "batches")
        self.assertIn("recommended batch", result.stdout)
        (self.folder / "other.txt").write_text("nothing of the kind\n", encoding="utf-8")
        self.assertIn("other.txt: no line of a system", self.run_convoy(3, "study", "import", "other.txt").stderr)

    def test_files_that_say_little_are_not_repeats(self):
        for name, rate in (("a.csv", 100), ("b.csv", 300)):
            (self.folder / name).write_text(f"epoch,seconds,samples\n1,1,{rate}\n", encoding="utf-8")
        self.run_convoy(0, "study", "import", "a.csv", "b.csv", "--study-dir", "unknown")
        self.assertEqual([o["point"]["workers"] for o in outcomes(self.folder / "unknown")], ["unknown"] * 2)
        self.assertEqual({o["point"]["name"] for o in outcomes(self.folder / "unknown")}, {"a", "b"})
        said = ["--set", "model=lenet", "--set", "batch=64", "--set", "workers=1"]
        self.run_convoy(0, "study", "import", "a.csv", "b.csv", *said, "--study-dir", "said")
        self.assertEqual([o["point"] for o in outcomes(self.folder / "said")], [{"workers": "1"}] * 2)
        logs = [self.write_log(f"lab-cpu-lenet-batch{batch}-nodes1.log", [100]) for batch in (8, 16)]
        refused = self.run_convoy(2, "study", "import", *logs, "--set", "batch=8")
        self.assertIn("taken for the same", refused.stderr)

    def test_reports_of_what_cannot_be_read_say_so(self):
        (self.folder / "empty").mkdir(exist_ok=True)
        self.assertIn("neither a study nor a run", self.run_convoy(3, "report", "empty").stderr)
        self.run_convoy(0, "train", *SMALL, "--epochs", 2, "--eval-every", 0, "--keep", 0, "--run-dir", "cut")
        run = self.folder / "cut"
        text = (run / "steps.jsonl").read_text()
        (run / "steps.jsonl").write_text(text[:-20])
        self.run_convoy(0, "report", "cut", "--out", "cut.html")
        self.assertIn("cut short", (self.folder / "cut.html").read_text(encoding="utf-8"))
        info = json.loads((run / "run.json").read_text())
        (run / "run.json").write_text(json.dumps(dict(info, schema=99)))
        self.assertIn("99", self.run_convoy(2, "report", "cut").stderr)

    def test_runs_of_different_networks_are_not_compared_silently(self):
        short = ["--epochs", 1, "--eval-every", 0, "--keep", 0, "--batch", 48, "--threads", 1, "--data",
                 "synthetic:3x32x32,count=96"]
        self.run_convoy(0, "train", "--model", "lenet", *short, "--run-dir", "one")
        self.run_convoy(0, "train", "--model", "resnet20", *short, "--run-dir", "other")
        self.run_convoy(0, "report", "one", "other", "--out", "both.html")
        page = (self.folder / "both.html").read_text(encoding="utf-8")
        self.assertIn("lenet", page)
        self.assertIn("resnet20", page)
        self.assertIn("differ", page)


if __name__ == "__main__":
    unittest.main()
