"""Runs that are resumed or repeated: as they were left, damaged or altered. Usage: resuming_test.py PATH_OF_CONVOY"""
import json
import os
import shutil
import sys
import unittest

sys.dont_write_bytecode = True  # nothing is left beside the sources
import files  # pylint: disable=wrong-import-position
# setUpModule is called by unittest.
from training_case import DATA, LENET, TrainingTest, setUpModule  # pylint: disable=wrong-import-position,unused-import


class Resume(TrainingTest):
    def test_to_as_many_epochs(self):
        run = self.copy(self.two, "to")
        result = self.succeed("train", "--resume", run, "--epochs", 4)
        self.assertIn("after step 24 of 48", result.stderr)
        self.assert_same_weights(run, self.four)
        self.assertEqual(files.epoch_losses(run), files.epoch_losses(self.four))

    def test_by_as_many_epochs(self):
        run = self.copy(self.two, "by")
        self.succeed("train", "--resume", run, "--epochs", 2)
        self.assert_same_weights(run, self.four)

    def test_a_finished_run_stays_as_it_is(self):
        run = self.copy(self.two, "finished")
        result = self.succeed("train", "--resume", run)
        self.assertIn("2 epochs are done", result.stderr)
        self.assert_same_weights(run, self.two)
        before, after = files.summary(self.two), files.summary(run)
        for key in ("status", "epochs", "test_top1", "class_accuracy", "confusion"):
            self.assertEqual(after[key], before[key], key)

    def test_a_damaged_checkpoint_is_passed_over(self):
        run = self.copy(self.two, "damaged")
        newest = files.weights(run)
        newest.write_bytes(newest.read_bytes()[:-1000])
        result = self.succeed("train", "--resume", run, "--epochs", 4)
        self.assertIn("a checkpoint is damaged", result.stderr)
        self.assertIn("after step 12 of 48", result.stderr)
        self.assert_same_weights(run, self.four)
        self.assertEqual(files.epoch_losses(run), files.epoch_losses(self.four))

    def test_with_batch_norm_augmentation_and_adam(self):
        arguments = ["--data", "synthetic:3x16x16,classes=4,count=90", "--model", "resnet20", "--batch", "20", "--augment",
                     "cifar", "--mixup", 0.4, "--cutmix", 1, "--ema", 0.9, "--optimizer", "adam", "--schedule", "cosine", "--schedule-epochs", 2,
                     "--warmup", 0.5]
        whole, parts = self.folder / "whole", self.folder / "parts"
        self.succeed("train", *arguments, "--epochs", 2, "--run-dir", whole)
        self.succeed("train", *arguments, "--epochs", 1, "--run-dir", parts)
        self.succeed("train", "--resume", parts, "--epochs", 2)
        self.assert_same_weights(parts, whole)
        self.assertEqual(files.averaged(parts), files.averaged(whole))

    def test_in_bf16(self):
        settings = ["--data", "synthetic:3x16x16,classes=4,count=90", "--model", "resnet20", "--batch", "20",
                    "--precision", "bf16"]
        whole, parts, floats = (self.folder / name for name in ("bf16_whole", "bf16_parts", "bf16_floats"))
        self.succeed("train", *settings, "--epochs", 2, "--run-dir", whole)
        self.succeed("train", *settings, "--epochs", 1, "--run-dir", parts)
        self.succeed("train", "--resume", parts, "--epochs", 2)
        self.assert_same_weights(parts, whole)
        self.assertIn('precision = "bf16"', (parts / "resolved.toml").read_text())
        # In another precision the training differs. The weights of a run record its precision.
        self.succeed("train", *settings[:-1], "fp32", "--epochs", 2, "--run-dir", floats)
        self.assertNotEqual(files.epoch_losses(whole), files.epoch_losses(floats))
        self.assert_fails(2, ["precision"], "train", "--resume", parts, "--precision", "fp32", "--epochs", 3)
        evaluated = {}
        for name, run in (("bf16", whole), ("fp32", floats)):
            for asked in ([], ["--precision", "fp32"], ["--precision", "bf16"]):
                result = self.succeed("eval", "--run", run, "--json", *asked)
                evaluated[name, *asked[1:]] = json.loads(result.stdout)["loss"]
        self.assertEqual(evaluated["bf16",], evaluated["bf16", "bf16"])
        self.assertEqual(evaluated["fp32",], evaluated["fp32", "fp32"])
        self.assertNotEqual(evaluated["bf16", "fp32"], evaluated["bf16", "bf16"])

    def test_with_the_threads_it_had(self):
        for threads in (1, 3):  # one of them is not what this machine would choose
            settings = [*DATA, *LENET, "--threads", threads]
            whole, parts = self.folder / f"threads_{threads}", self.folder / f"threads_{threads}_parts"
            self.succeed("train", *settings, "--epochs", 2, "--run-dir", whole)
            self.succeed("train", *settings, "--epochs", 1, "--run-dir", parts)
            result = self.succeed("train", "--resume", parts, "--epochs", 2)
            self.assertIn(f"{threads} thread", result.stderr)
            self.assertEqual((parts / "resolved.toml").read_text(), (whole / "resolved.toml").read_text())
            self.assert_same_weights(parts, whole)

    def test_more_threads_than_cores_are_kept_and_said(self):
        run = self.folder / "crowded"
        many = len(os.sched_getaffinity(0)) + 1
        first = self.succeed("train", *DATA, *LENET, "--threads", many, "--epochs", 1, "--run-dir", run)
        again = self.succeed("train", "--resume", run, "--epochs", 2)
        for result in (first, again):
            self.assertIn(f"note: {many} threads share", result.stderr)
        self.assertIn(f"\nthreads = {many}\n", (run / "resolved.toml").read_text())

    def test_needs_the_weights_it_began_with_no_more(self):
        start, run = self.folder / "start.safetensors", self.folder / "from_start"
        shutil.copy(files.weights(self.two), start)
        self.succeed("train", *DATA, *LENET, "--epochs", 1, "--init", start, "--run-dir", run)
        start.unlink()
        result = self.succeed("train", "--resume", run, "--epochs", 2)
        self.assertNotIn("tensors taken", result.stderr)

    def test_settings_of_the_run_cannot_change(self):
        self.assert_fails(2, ["--batch cannot change"], "train", "--resume", self.two, "--batch", 20)
        self.assert_fails(2, ["holds no run"], "train", "--resume", self.folder / "nowhere")


def flip(file, byte, bit=0):
    data = bytearray(file.read_bytes())
    data[byte] ^= 1 << bit
    file.write_bytes(bytes(data))


class Damage(TrainingTest):
    """Damaged or altered files of a run, beside checkpoints that are as the run left them."""

    def test_a_flipped_bit_in_any_record_leaves_a_run_that_goes_on(self):
        attempt = 0
        for name in ("run.json", "summary.json", "steps.jsonl", "epochs.jsonl", "choices/training.json",
                     "choices/evaluation.json", "resolved.toml"):
            size = (self.two / name).stat().st_size
            for place in (0, size // 7, size // 3, size // 2, size - 2):
                attempt += 1
                run = self.copy(self.two, f"flipped_{attempt}")
                flip(run / name, place, bit=attempt % 7)
                with self.subTest(file=name, byte=place, bit=attempt % 7):
                    result = self.convoy("train", "--resume", run)
                    self.assertNotIn("exception", result.stderr)
                    if result.returncode == 0:
                        self.assert_same_weights(run, self.two)
                        self.assertEqual(files.summary(run)["status"], "completed")
                    else:  # the file parses but says something else
                        self.assertIn(result.returncode, (2, 3), result.stderr)
                        self.assertIn(str(run / name.split("/", maxsplit=1)[0]), result.stderr)
                        self.assertRegex(result.stderr, "altered|use a newer Convoy")

    def test_what_was_lost_is_rebuilt_and_said(self):
        run = self.copy(self.two, "rebuilt")
        for name in ("run.json", "summary.json", "choices/training.json", "choices/evaluation.json", "resolved.toml"):
            (run / name).write_text('{"what', encoding="utf-8")
        lines = (run / "epochs.jsonl").read_bytes().splitlines(keepends=True)
        (run / "epochs.jsonl").write_bytes(b"\xff" + lines[0] + lines[1])
        self.assert_fails(3, [f"{run}/run.json:1: no JSON", "--resume"], "report", run, "--out", self.folder / "r.html")
        result = self.succeed("train", "--resume", run, "--epochs", 4)
        for name in ("run.json:1", "summary.json:1", "epochs.jsonl:1", "choices/training.json", "resolved.toml:1"):
            self.assertIn(f"note: {run / name}: ", result.stderr)
        self.assert_same_weights(run, self.four)
        self.assertEqual((run / "resolved.toml").read_text(), (self.four / "resolved.toml").read_text())
        self.assertEqual(files.epoch_losses(run), files.epoch_losses(self.four)[1:])
        self.assertEqual(self.succeed("report", run, "--out", self.folder / "r.html").stderr, "")

    def test_a_report_leaves_out_what_is_damaged_and_says_so(self):
        run = self.copy(self.two, "reported")
        flip(run / "steps.jsonl", 0)
        (run / "summary.json").write_text("")
        result = self.succeed("report", run, "--out", self.folder / "reported.html")
        self.assertIn("steps.jsonl:1: the line is damaged and left out", result.stderr)
        self.assertIn("summary.json:1: no JSON from here on", result.stderr)

    def test_evaluation_finds_the_data_of_a_run_whose_settings_are_damaged(self):
        run = self.copy(self.two, "evaluated")
        (run / "resolved.toml").write_text("data = ")
        result = self.succeed("eval", "--run", run, "--json")
        self.assertIn("settings are taken from the newest checkpoint", result.stderr)
        self.assertEqual(json.loads(result.stdout)["samples"], 120)


class Altered(TrainingTest):
    def alter(self, name, file, before, after):
        run = self.copy(self.two, name)
        text = (run / file).read_text()
        self.assertIn(before, text)
        (run / file).write_text(text.replace(before, after, 1))
        return run

    def test_settings_are_refused_or_accepted(self):
        run = self.alter("rate", "resolved.toml", "momentum = 0.9\n", "momentum = 0.5\n")
        self.assert_fails(3, [f"{run / 'resolved.toml'} was altered", "momentum is 0.5 and was 0.9", "--accept-altered"],
                          "train", "--resume", run, "--epochs", 4)
        result = self.succeed("train", "--resume", run, "--epochs", 4, "--accept-altered")
        self.assertIn("momentum is 0.5 and was 0.9", result.stderr)
        self.assertNotEqual(files.weights(run).read_bytes(), files.weights(self.four).read_bytes())
        self.assertNotIn("altered", self.succeed("train", "--resume", run).stderr)

    def test_a_deleted_file_is_what_it_was(self):
        run = self.copy(self.two, "deleted")
        (run / "resolved.toml").unlink()
        shutil.rmtree(run / "choices")
        self.succeed("train", "--resume", run, "--epochs", 4)
        self.assert_same_weights(run, self.four)

    def test_what_may_change_is_changed_by_flags_only(self):
        run = self.alter("longer", "resolved.toml", "epochs = 2\n", "epochs = 6\n")
        self.assert_fails(3, ["epochs is 6 and was 2"], "train", "--resume", run)
        self.succeed("train", "--resume", run, "--epochs", 4)
        self.assert_same_weights(run, self.four)

    def test_comments_are_no_change(self):
        run = self.alter("comments", "resolved.toml", "momentum = 0.9\n", "# as usual\nmomentum = 0.90\n")
        self.succeed("train", "--resume", run)

    def test_kernels_are_refused_or_accepted(self):
        run = self.alter("kernels", "choices/training.json", '"conv1"', '"conv9"')
        self.assert_fails(3, [f"{run / 'choices'} were altered", "training.json lacks layer conv1", "--accept-altered"],
                          "train", "--resume", run)

    def test_data_is_refused_or_accepted(self):
        photos, run = self.folder / "photos", self.folder / "on_photos"
        files.write_photos(photos, 28)
        self.succeed("train", "--data", "photos", "--model", "lenet", "--image-size", 28, "--batch", 4, "--epochs", 1,
                     "--run-dir", run)
        self.succeed("train", "--resume", run, "--epochs", 2)
        (photos / "dark").rename(photos / "shady")
        self.assert_fails(3, ["folder:photos is not the data", "class 0 is 'light' and was 'dark'", "--accept-altered"],
                          "train", "--resume", run, "--epochs", 3)
        (photos / "shady").rename(photos / "dark")
        (photos / "dark" / "3.png").unlink()
        self.assert_fails(3, ["images to train on and had 16"], "train", "--resume", run, "--epochs", 3)
        files.write_png(photos / "dark" / "3.png", 28, 28, (255, 0, 0))
        for k in range(10):
            files.write_png(photos / "light" / f"{k}.png", 28, 28, (90 + k, 90, 0))
        self.assert_fails(3, ["its images or their labels are others"], "train", "--resume", run, "--epochs", 3)
        result = self.succeed("train", "--resume", run, "--epochs", 3, "--accept-altered")
        self.assertIn("the run goes on with other data", result.stderr)

    def test_the_flag_is_for_runs_that_go_on(self):
        self.assert_fails(2, ["--accept-altered goes with --resume"], "train", *DATA, *LENET, "--accept-altered")


class Repeat(TrainingTest):
    @classmethod
    def setUpClass(cls):
        cls.environment = dict(cls.environment, XDG_CACHE_HOME=str(cls.folder / "empty cache"))

    def test_from_the_resolved_settings_without_the_tuning_cache(self):
        run = self.folder / "again"
        result = self.succeed("train", "--config", self.two / "resolved.toml", "--run-dir", run, "--json")
        self.assert_same_weights(run, self.two)
        self.assertEqual((run / "resolved.toml").read_text(), (self.two / "resolved.toml").read_text())
        for name in ("training.json", "evaluation.json"):
            self.assertEqual((run / "choices" / name).read_text(), (self.two / "choices" / name).read_text())
        self.assertEqual(result.stderr, "")
        printed = json.loads(result.stdout)  # fails if anything else was printed
        self.assertEqual(printed.pop("run_dir"), str(run))
        self.assertEqual(printed, files.summary(run))


    def test_threads_of_a_file_count(self):
        config, run = self.folder / "one_thread.toml", self.folder / "one_thread"
        config.write_text('model = "lenet"\nbatch = 50\nepochs = 2\nthreads = 1\n')
        result = self.succeed("train", "--config", config, *DATA, "--choices", self.two / "choices", "--run-dir", run)
        self.assertIn("; 1 thread\n", result.stderr)
        self.assert_same_weights(run, self.two)


if __name__ == "__main__":
    unittest.main(verbosity=2)
