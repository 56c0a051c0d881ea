"""Trains tiny networks with the convoy program and looks at what it leaves. Usage: training_test.py PATH_OF_CONVOY"""
import contextlib
import json
import os
import pathlib
import pty
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True  # nothing is left beside the sources
import files  # pylint: disable=wrong-import-position

CONVOY = sys.argv.pop(1)

# 12 steps an epoch.
DATA = ["--data", "synthetic:1x28x28,classes=10,count=600"]
LENET = ["--model", "lenet", "--batch", "50", "--threads", "1"]  # what goes on or repeats a run finds the threads itself
STEPS = 12


def setUpModule():
    """A folder with a tuning cache of its own, and a run of four epochs and one of two that all tests share."""
    temporary = tempfile.TemporaryDirectory(prefix="convoy_training_")
    unittest.addModuleCleanup(temporary.cleanup)
    TrainingTest.folder = folder = pathlib.Path(temporary.name)
    TrainingTest.environment = dict(os.environ, XDG_CACHE_HOME=str(folder / "cache"))
    TrainingTest.four, TrainingTest.two = folder / "four", folder / "two"
    TrainingTest.succeed("train", *DATA, *LENET, "--epochs", 4, "--run-dir", TrainingTest.four)
    TrainingTest.succeed("train", *DATA, *LENET, "--epochs", 2, "--run-dir", TrainingTest.two)


class TrainingTest(unittest.TestCase):
    folder = environment = four = two = None

    @classmethod
    def command(cls, name, arguments):
        return [str(part) for part in [CONVOY, name, *arguments]]

    @classmethod
    def convoy(cls, name, *arguments):
        return subprocess.run(cls.command(name, arguments), env=cls.environment, cwd=cls.folder, capture_output=True,
                              text=True, check=False)

    @classmethod
    def succeed(cls, name, *arguments):
        run = cls.convoy(name, *arguments)
        if run.returncode != 0:
            raise AssertionError(f"{run.args} ended with {run.returncode}:\n{run.stdout}{run.stderr}")
        return run

    def assert_fails(self, code, words, name, *arguments):
        run = self.convoy(name, *arguments)
        self.assertEqual(run.returncode, code, run.stdout + run.stderr)
        for word in words:
            self.assertIn(word, run.stderr)
        return run

    def assert_same_weights(self, run, expected):
        steps = files.checkpoint_steps(expected)
        self.assertEqual(files.checkpoint_steps(run)[-1], steps[-1])
        self.assertTrue(files.weights(run).read_bytes() == files.weights(expected).read_bytes(),
                        f"weights of {run.name} and {expected.name} differ")

    def copy(self, run, name):
        return pathlib.Path(shutil.copytree(run, self.folder / name))


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
                     "cifar", "--optimizer", "adam", "--schedule", "cosine", "--schedule-epochs", 2, "--warmup", 0.5]
        whole, parts = self.folder / "whole", self.folder / "parts"
        self.succeed("train", *arguments, "--epochs", 2, "--run-dir", whole)
        self.succeed("train", *arguments, "--epochs", 1, "--run-dir", parts)
        self.succeed("train", "--resume", parts, "--epochs", 2)
        self.assert_same_weights(parts, whole)

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
    """Files of a run that are not as it left them, beside checkpoints that are."""

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
                    else:  # what parses, and says something else
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
        printed = json.loads(result.stdout)  # fails for anything beside one object
        self.assertEqual(printed.pop("run_dir"), str(run))
        self.assertEqual(printed, files.summary(run))


    def test_threads_of_a_file_count(self):
        config, run = self.folder / "one_thread.toml", self.folder / "one_thread"
        config.write_text('model = "lenet"\nbatch = 50\nepochs = 2\nthreads = 1\n')
        result = self.succeed("train", "--config", config, *DATA, "--choices", self.two / "choices", "--run-dir", run)
        self.assertIn("; 1 thread\n", result.stderr)
        self.assert_same_weights(run, self.two)


class Ends(TrainingTest):
    """Trainings that something ends: they are long, so that it comes in time however fast the machine is."""

    def start(self, run, *arguments, **how):
        return subprocess.Popen(
            self.command("train", [*DATA, *LENET, "--epochs", 5000, "--checkpoint-every", 5, "--run-dir", run, *arguments]),
            env=self.environment, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, **how)

    def wait_for_checkpoint(self, process, run):
        while not files.checkpoint_steps(run):
            self.assertIsNone(process.poll(), "ended by itself")
            time.sleep(0.002)  # asks again, nothing depends on how long

    def end(self, run, number):
        """Exit code and stderr of a training that got this signal after its first checkpoint."""
        process = self.start(run)
        self.wait_for_checkpoint(process, run)
        process.send_signal(number)
        _, text = process.communicate()
        return process.returncode, text

    def assert_resumes_exactly(self, run):
        """Goes on to the end of the epoch it was in, and compares with a run that nothing ended."""
        epochs = files.checkpoint_steps(run)[-1] // STEPS + 1
        self.succeed("train", "--resume", run, "--epochs", epochs)
        expected = self.folder / f"expected_{epochs}"
        if not expected.exists():
            self.succeed("train", *DATA, *LENET, "--epochs", epochs, "--run-dir", expected)
        self.assert_same_weights(run, expected)
        self.assertEqual(files.epoch_losses(run), files.epoch_losses(expected))
        self.assertEqual(files.summary(run)["status"], "completed")

    def killed_within_an_epoch(self):
        # A kill may by chance follow the end of an epoch, which would prove less.
        for attempt in range(20):
            run = self.folder / f"killed_{attempt}"
            code, _ = self.end(run, signal.SIGKILL)
            self.assertEqual(code, -signal.SIGKILL)
            if files.checkpoint_steps(run)[-1] % STEPS != 0:
                return run
        raise AssertionError("no kill hit the middle of an epoch")

    def test_kill(self):
        run = self.killed_within_an_epoch()
        self.assertEqual(files.summary(run)["status"], "running")
        self.assert_resumes_exactly(run)

    def test_interrupt(self):
        run = self.folder / "interrupted"
        code, text = self.end(run, signal.SIGINT)
        self.assertEqual(code, 130, text)
        self.assertIn("--resume", text)
        self.assertEqual(files.summary(run)["status"], "interrupted")
        self.assertEqual(files.checkpoint_steps(run)[-1], files.summary(run)["steps"])
        self.assert_resumes_exactly(run)

    def test_terminate(self):
        run = self.folder / "terminated"
        code, text = self.end(run, signal.SIGTERM)
        self.assertEqual(code, 143, text)
        self.assertEqual(files.summary(run)["status"], "interrupted")
        self.assert_resumes_exactly(run)

    def test_interrupt_while_kernels_are_measured(self):
        run = self.folder / "too early"
        self.environment = dict(self.environment, XDG_CACHE_HOME=str(self.folder / "nothing measured"))
        settings = ["--data", "synthetic:3x32x32,classes=10,count=40", "--model", "resnet20", "--batch", 20, "--threads", 1]
        process = subprocess.Popen(self.command("train", [*settings, "--epochs", 1, "--run-dir", run]),
                                   env=self.environment, cwd=self.folder, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True)
        while "run folder" not in process.stderr.readline():  # the last thing said before kernels are measured
            self.assertIsNone(process.poll(), "ended by itself")
        process.send_signal(signal.SIGINT)
        _, text = process.communicate()
        self.assertEqual(process.returncode, 130, text)
        self.assertNotIn("checkpoint written", text)
        self.assertIn("nothing was trained, and there is no checkpoint", text)
        self.assertIn(f"`convoy train --resume '{run}'`", text)
        self.assertEqual(files.checkpoint_steps(run), [])
        self.assertEqual(files.summary(run)["status"], "interrupted")
        self.succeed("train", "--resume", run)
        whole = self.folder / "not interrupted"
        self.succeed("train", "--config", run / "resolved.toml", "--run-dir", whole)
        self.assert_same_weights(run, whole)

    def test_interrupt_of_a_run_without_checkpoints(self):
        run = self.folder / "unkept"
        process = self.start(run, "--keep", 0)
        steps = run / "steps.jsonl"
        while not (steps.exists() and steps.stat().st_size > 0):
            self.assertIsNone(process.poll(), "ended by itself")
            time.sleep(0.002)  # asks again, nothing depends on how long
        process.send_signal(signal.SIGINT)
        _, text = process.communicate()
        self.assertEqual(process.returncode, 130, text)
        self.assertIn("no checkpoint was written, as --keep 0 asks", text)
        self.assertIn(f"`convoy train --resume {run}` starts again from the first step", text)
        self.succeed("train", "--resume", run, "--epochs", 2, "--keep", 1)
        self.assert_same_weights(run, self.two)

    def test_hang_up(self):
        run = self.folder / "hung_up"
        code, text = self.end(run, signal.SIGHUP)
        self.assertEqual(code, 129, text)
        self.assertIn("--resume", text)
        self.assertEqual(files.summary(run)["status"], "interrupted")
        self.assert_resumes_exactly(run)

    def test_hang_up_that_is_ignored(self):
        run = self.folder / "nohup"
        process = self.start(run, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        self.wait_for_checkpoint(process, run)
        process.send_signal(signal.SIGHUP)
        process.send_signal(signal.SIGTERM)
        _, text = process.communicate()
        self.assertEqual(process.returncode, 143, text)

    def assert_is_trained(self, run, code):
        """Whole although its output could not be written, which is an error in the end."""
        self.assertEqual(code, 1)
        self.assertEqual(files.summary(run)["status"], "completed")
        self.assert_same_weights(run, self.two)
        for line in (run / "steps.jsonl").read_text().splitlines():
            json.loads(line)

    def train_as_two(self, run, **how):
        return subprocess.Popen(self.command("train", [*DATA, *LENET, "--epochs", 2, "--run-dir", run]),
                                env=self.environment, cwd=self.folder, **how)

    def test_nobody_reads(self):
        run = self.folder / "unread"
        readable, writable = os.pipe()
        with self.train_as_two(run, stdout=writable, stderr=writable) as process:
            os.close(writable)
            os.read(readable, 1)  # like `head -1`: it has begun, and then nobody reads on
            os.close(readable)
        self.assert_is_trained(run, process.returncode)

    def test_terminal_that_is_closed(self):
        run = self.folder / "without_terminal"
        leader, follower = pty.openpty()
        with self.train_as_two(run, stdout=follower, stderr=follower) as process:
            os.close(follower)
            os.read(leader, 1)
            os.close(leader)
        self.assert_is_trained(run, process.returncode)

    def test_closed_streams(self):
        run = self.folder / "closed"
        with self.train_as_two(run, preexec_fn=lambda: os.closerange(0, 3)) as process:
            pass
        self.assert_is_trained(run, process.returncode)

    def limited(self, most, *arguments):
        """A training of which no file may be larger."""
        return subprocess.run(self.command("train", [*DATA, *LENET, *arguments]), env=self.environment, cwd=self.folder,
                              capture_output=True, text=True, check=False,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)))

    def test_limit_of_files(self):
        run = self.folder / "too_large"
        result = self.limited(1_000_000, "--run-dir", run)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("ulimit -f", result.stderr)
        self.assertFalse(run.exists(), "a refused run leaves nothing")
        # Here the record grows too large while the run goes on.
        result = self.limited(30_000, "--keep", 0, "--epochs", 5000, "--run-dir", run)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn(f"cannot write {run / 'steps.jsonl'}: File too large", result.stderr)
        self.assertEqual(files.summary(run)["status"], "failed")

    def test_folder_that_is_gone(self):
        run, away = self.folder / "taken", self.folder / "taken_away"
        process = self.start(run)
        self.wait_for_checkpoint(process, run)
        run.rename(away)
        _, text = process.communicate()
        self.assertEqual(process.returncode, 1, text)
        self.assertIn(f"{run} was deleted or moved", text)
        self.assertFalse(run.exists(), "what was deleted came back in part")

    def test_file_that_is_gone(self):
        run = self.folder / "without_settings"
        process = self.start(run)
        self.wait_for_checkpoint(process, run)
        (run / "resolved.toml").unlink()
        _, text = process.communicate()
        self.assertEqual(process.returncode, 1, text)
        self.assertIn(f"{run / 'resolved.toml'} was deleted or moved", text)
        self.assertEqual(files.summary(run)["status"], "failed")

    def test_divergence(self):
        run = self.folder / "diverged"
        self.assert_fails(4, ["not a number", "step 2", "learning rate of 1e+15", "--lr"], "train", *DATA, *LENET, "--lr",
                          "1e15", "--checkpoint-every", 1, "--run-dir", run)
        self.assertEqual(files.summary(run)["status"], "diverged")
        self.assertIn("step 2", files.summary(run)["reason"])
        self.assertEqual(files.checkpoint_steps(run), [1])
        tensors, _ = files.read_safetensors(files.weights(run))
        self.assertTrue(all(abs(value) < float("inf") for _, data in tensors.values() for value in files.floats(data)))

    def test_time_limit(self):
        run = self.folder / "limited"
        result = self.succeed("train", *DATA, *LENET, "--epochs", 5000, "--max-time", "0.01s", "--run-dir", run)
        self.assertIn("time limit", result.stderr)
        # What one step did not measure is not printed as a figure.
        self.assertRegex(result.stdout, r"time +\S+ \S+ for 0 epochs\nrun folder")
        self.assertEqual(files.summary(run)["status"], "completed")
        self.assertEqual(files.checkpoint_steps(run), [files.summary(run)["steps"]])


class Refusals(TrainingTest):
    def test_settings(self):
        run = ["--run-dir", self.folder / "never"]
        config = self.folder / "wrong.toml"
        config.write_text('model = "lenet"\nepocs = 3\n')
        for words, arguments in (
            (["wrong.toml:2", "unknown key 'epocs'", "'epochs'"], [*DATA, "--config", config]),
            (["optimizer", "adamm", '"adam"'], [*DATA, *LENET, "--optimizer", "adamm"]),
            (["--lr must be above 0, got 0"], [*DATA, *LENET, "--lr", "0"]),
            (["--lr must be above 0, got -1"], [*DATA, *LENET, "--lr=-1"]),
            (["batch of 601", "600 samples"], [*DATA, "--model", "lenet", "--batch", "601"]),
            (["lenett", '"lenet"'], [*DATA, "--model", "lenett"]),
            (["--data is missing"], [*LENET]),
            (["--model is missing"], [*DATA]),
            (["no parameter is named 'con1*'"], [*DATA, *LENET, "--freeze", "con1*"]),
            (["--batch must be a whole number, got 'many'"], [*DATA, "--model", "lenet", "--batch", "many"]),
            (["--target-accuracy", "got 101"], [*DATA, *LENET, "--target-accuracy", "101"]),
        ):
            with self.subTest(arguments=arguments):
                self.assert_fails(2, words, "train", *arguments, *run)
        self.assertFalse((self.folder / "never").exists(), "a refused run leaves nothing")

    def test_a_folder_with_another_run(self):
        self.assert_fails(2, ["holds a run already", "--resume"], "train", *DATA, *LENET, "--run-dir", self.two)

    def test_a_file_as_folder(self):
        file = self.folder / "file"
        file.write_text("")
        self.assert_fails(2, [str(file)], "train", *DATA, *LENET, "--run-dir", file)

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_a_folder_that_cannot_be_written(self):
        folder = self.folder / "locked"
        folder.mkdir(mode=0o500)
        self.assert_fails(2, [str(folder)], "train", *DATA, *LENET, "--run-dir", folder / "run")

    def test_weights_of_another_kind(self):
        self.assert_fails(3, ["nowhere"], "eval", "--weights", self.folder / "nowhere", *DATA)
        self.assert_fails(2, ["7 classes", "10"], "eval", "--run", self.two, "--data",
                          "synthetic:1x28x28,classes=7,count=600")


class Weights(TrainingTest):
    def start_with(self, name, *arguments):
        """Tensors of a run of one epoch that begins with the best weights of `two`, those, and its stderr."""
        run = self.folder / name
        result = self.succeed("train", *LENET, "--epochs", 1, "--init", self.two, "--run-dir", run, *arguments)
        best, _ = files.read_safetensors(self.two / "checkpoints" / "best" / "weights.safetensors")
        return files.read_safetensors(files.weights(run))[0], best, result.stderr

    def test_others_can_read_them(self):
        tensors, metadata = files.read_safetensors(files.weights(self.two))
        self.assertEqual({name: shape for name, (shape, _) in tensors.items()}, {
            "conv1.weight": [32, 1, 5, 5], "conv1.bias": [32], "conv2.weight": [64, 32, 5, 5], "conv2.bias": [64],
            "fc1.weight": [512, 3136], "fc1.bias": [512], "fc2.weight": [10, 512], "fc2.bias": [10]})
        self.assertEqual((metadata["model"], metadata["input"]), ("lenet", "1x28x28"))

    def altered(self, name, value, tensor="conv1.bias"):
        """A weights file of `two` in which one tensor has nothing but `value`."""
        file = self.folder / name
        data = files.weights(self.two).read_bytes()
        _, old = files.read_safetensors(files.weights(self.two))[0][tensor]
        file.write_bytes(data.replace(old, len(old) // 4 * struct.pack("<f", value)))
        return file

    def test_altered_ones_are_refused(self):
        run, image = self.copy(self.two, "altered"), self.folder / "any.png"
        files.write_png(image, 28, 28, (1, 2, 3))
        file = files.weights(run)
        file.write_bytes(self.altered("other.safetensors", 0.5).read_bytes())
        words = [str(file), "hash"]
        self.assert_fails(3, words, "eval", "--weights", file, *DATA)
        self.assert_fails(3, words, "predict", "--weights", file, image)
        self.assert_fails(3, words, "train", *DATA, *LENET, "--init", file, "--run-dir", self.folder / "not_begun")

    def test_those_that_are_no_numbers_are_refused(self):
        image = self.folder / "some.png"
        files.write_png(image, 28, 28, (1, 2, 3))
        for name, value in (("nan", float("nan")), ("inf", float("-inf"))):
            with self.subTest(name):
                file = self.altered(f"{name}.safetensors", value)
                words = [str(file), "conv1.bias", f"{value} at place 0"]
                self.assert_fails(3, words, "eval", "--weights", file, *DATA)
                self.assert_fails(3, words, "predict", "--weights", file, image)
                self.assert_fails(3, words, "train", *DATA, *LENET, "--init", file, "--run-dir",
                                  self.folder / "not_begun")
        file = self.altered("large.safetensors", 3e38, "fc2.weight")  # numbers, whose sums are none
        self.assert_fails(3, [str(file), "no numbers"], "eval", "--weights", file, *DATA)
        self.assert_fails(3, [str(file), "no numbers"], "predict", "--weights", file, image)

    def test_new_head_for_other_classes(self):
        tensors, best, text = self.start_with("seven", "--data", "synthetic:1x28x28,classes=7,count=600", "--freeze",
                                              "conv*,fc1.*")
        self.assertIn("6 tensors taken", text)
        self.assertIn("fc2.weight: 10x512 in the file, 7x512 here", text)
        self.assertIn("fc2.bias: 10 in the file, 7 here", text)
        self.assertEqual(tensors["fc2.weight"][0], [7, 512])
        for name in ("conv1.weight", "conv1.bias", "conv2.weight", "conv2.bias", "fc1.weight", "fc1.bias"):
            self.assertTrue(tensors[name] == best[name], f"{name} was not taken, or did not stay")

    def test_frozen_parameters_stay(self):
        tensors, best, text = self.start_with("frozen", *DATA, "--freeze", "conv1.*,fc2.weight")
        self.assertIn("8 tensors taken", text)
        frozen = {name for name in tensors if tensors[name] == best[name]}
        self.assertEqual(frozen, {"conv1.weight", "conv1.bias", "fc2.weight"})

    def test_accumulation_is_the_same_training(self):
        run = self.folder / "pieces"
        self.succeed("train", *DATA, *LENET, "--epochs", 1, "--accumulate", 2, "--run-dir", run)
        actual, expected = (float(files.epoch_losses(which)[0]["train_loss"]) for which in (run, self.four))
        self.assertNotEqual(actual, expected)  # sums are rounded otherwise: it did work in pieces
        self.assertAlmostEqual(actual / expected, 1, delta=1e-3)


class Use(TrainingTest):
    def test_evaluation_finds_what_training_found(self):
        trained = files.summary(self.two)
        self.assertEqual(trained["best_epoch"], 2, "this test wants a run whose last epoch is its best")
        found = json.loads(self.succeed("eval", "--run", self.two, "--json").stdout)
        self.assertEqual(found["samples"], 120)
        self.assertEqual(found["top1"], trained["test_top1"])
        self.assertAlmostEqual(found["loss"], trained["test_loss"], delta=1e-4)
        self.assertEqual(found["confusion"], trained["confusion"])

    def test_progress_on_a_terminal_ends_before_the_result(self):
        leader, follower = pty.openpty()
        with subprocess.Popen(self.command("eval", ["--run", self.two]), env=self.environment, cwd=self.folder,
                              stdout=follower, stderr=follower):
            os.close(follower)
            text = b""
            with open(leader, "rb", buffering=0) as terminal, contextlib.suppress(OSError):  # an error is its end
                while piece := terminal.read(4096):
                    text += piece
        self.assertIn("testing: 120 of 120\r\n120 images\r\n", text.decode())

    def test_weights_know_their_loss(self):
        run, image = self.folder / "squares", self.folder / "squares.png"
        self.succeed("train", *DATA, *LENET, "--loss", "mean-squared-error", "--epochs", 1, "--run-dir", run)
        found = json.loads(self.succeed("eval", "--run", run, "--json").stdout)
        self.assertAlmostEqual(found["loss"], files.summary(run)["test_loss"], delta=1e-4)
        files.write_png(image, 28, 28, (90, 120, 150))
        (guesses,) = json.loads(self.succeed("predict", "--run", run, image, "--top", 10, "--json").stdout)
        shares = [guess["probability"] for guess in guesses["classes"]]
        self.assertAlmostEqual(sum(shares), 1, delta=1e-6)

    def test_prediction(self):
        image = self.folder / "grey.png"
        files.write_png(image, 40, 30, (90, 120, 150))
        found = json.loads(self.succeed("predict", "--run", self.two, image, image, "--top", 10, "--json").stdout)
        self.assertEqual([entry["image"] for entry in found], [str(image)] * 2)
        self.assertEqual(found[0]["classes"], found[1]["classes"])
        shares = [guess["probability"] for guess in found[0]["classes"]]
        self.assertAlmostEqual(sum(shares), 1, delta=1e-6)
        self.assertEqual(shares, sorted(shares, reverse=True))
        self.assertEqual({guess["name"] for guess in found[0]["classes"]}, {f"wave {k}" for k in range(10)})
        text = self.succeed("predict", "--weights", files.weights(self.two), image, "--top", 1).stdout
        self.assertIn(found[0]["classes"][0]["name"], text)

    def test_a_damaged_image_spoils_no_output(self):
        good, bad = self.folder / "good.png", self.folder / "bad.png"
        files.write_png(good, 28, 28, (1, 2, 3))
        bad.write_bytes(good.read_bytes()[:50])
        result = self.assert_fails(3, ["bad.png"], "predict", "--run", self.two, good, bad)
        self.assertEqual(result.stdout, "")

    def test_data_by_its_path(self):
        for name, shade in (("dark", 20), ("light", 200)):
            (self.folder / "photos" / name).mkdir(parents=True)
            for k in range(10):
                files.write_png(self.folder / "photos" / name / f"{k}.png", 28, 28, (shade + k, shade, shade))
        arguments = ["--data", "photos", "--model", "lenet", "--image-size", 28, "--batch", 4]
        run = self.folder / "by_path"
        self.succeed("train", *arguments, "--epochs", 1, "--run-dir", run)
        self.assertIn('data = "folder:photos"', (run / "resolved.toml").read_text())
        self.succeed("eval", "--run", run)
        self.succeed("eval", "--run", run, "--data", self.folder / "photos")
        self.succeed("lr-find", *arguments, "--steps", 10)
        self.succeed("study", "sweep", *arguments, "--epochs", 1, "--lr", "0.01,0.02", "--dry-run")
        for command in (["train"], ["lr-find"], ["study", "sweep", "--lr", "0.1,0.2", "--dry-run"]):
            self.assert_fails(3, ["./photo: there is no such file or folder"], *command, "--data", "./photo", "--model",
                              "lenet")

    def test_learning_rates(self):
        picture = self.folder / "lr.svg"
        result = self.succeed("lr-find", *DATA, *LENET, "--steps", 40, "--json", "--out", picture)
        found = json.loads(result.stdout)
        rates = [point["rate"] for point in found["points"]]
        self.assertAlmostEqual(rates[0], 1e-6)
        self.assertEqual(rates, sorted(rates))
        self.assertIn(found["suggestion"], rates)
        self.assertTrue(picture.read_text().startswith("<svg"))
        self.assertEqual(len((self.folder / "lr.csv").read_text().splitlines()), 1 + len(rates))


if __name__ == "__main__":
    unittest.main(verbosity=2)
