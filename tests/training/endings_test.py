"""How trainings end: signals, kills, closed streams, full disks, divergence. Usage: endings_test.py PATH_OF_CONVOY"""
import json
import os
import pty
import resource
import signal
import subprocess
import sys
import time
import unittest

sys.dont_write_bytecode = True  # nothing is left beside the sources
import files  # pylint: disable=wrong-import-position
# setUpModule is called by unittest.
from training_case import DATA, LENET, STEPS, TrainingTest, setUpModule  # pylint: disable=wrong-import-position,unused-import


class Ends(TrainingTest):
    """Trainings that are ended from outside. They are long enough not to end by themselves on any machine."""

    def start(self, run, *arguments, **how):
        return subprocess.Popen(
            self.command("train", [*DATA, *LENET, "--epochs", 5000, "--checkpoint-every", 5, "--run-dir", run, *arguments]),
            env=self.environment, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, **how)

    def wait_for_checkpoint(self, process, run):
        while not files.checkpoint_steps(run):
            self.assertIsNone(process.poll(), "ended by itself")
            time.sleep(0.002)  # checks again; nothing depends on how long this is

    def end(self, run, number):
        """Sends a training this signal after its first checkpoint; returns its exit code and stderr."""
        process = self.start(run)
        self.wait_for_checkpoint(process, run)
        process.send_signal(number)
        _, text = process.communicate()
        return process.returncode, text

    def assert_resumes_exactly(self, run):
        """Resumes the run until the end of its epoch, and compares it with a run that was not ended."""
        epochs = files.checkpoint_steps(run)[-1] // STEPS + 1
        self.succeed("train", "--resume", run, "--epochs", epochs)
        expected = self.folder / f"expected_{epochs}"
        if not expected.exists():
            self.succeed("train", *DATA, *LENET, "--epochs", epochs, "--run-dir", expected)
        self.assert_same_weights(run, expected)
        self.assertEqual(files.epoch_losses(run), files.epoch_losses(expected))
        self.assertEqual(files.summary(run)["status"], "completed")

    def killed_within_an_epoch(self):
        # By chance the kill may come right after an epoch's checkpoint, where resuming is easier.
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
            time.sleep(0.002)  # checks again; nothing depends on how long this is
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
        """The run is complete although its output could not be written; only the exit code says so."""
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
            os.read(readable, 1)  # like `head -1`: waits for the first output and then reads no more
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
        """A training that may not write files larger than `most` bytes."""
        return subprocess.run(self.command("train", [*DATA, *LENET, *arguments]), env=self.environment, cwd=self.folder,
                              capture_output=True, text=True, check=False,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)))

    def test_limit_of_files(self):
        run = self.folder / "too_large"
        result = self.limited(1_000_000, "--run-dir", run)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("ulimit -f", result.stderr)
        self.assertFalse(run.exists(), "a refused run leaves nothing")
        # Without checkpoints, the record is the first file to grow too large, while the run goes on.
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

    def test_pack_that_is_cut_short(self):
        files.write_photos(self.folder / "photos", 28)
        pack, run = self.folder / "photos.pack", self.folder / "on_a_pack"
        self.succeed("data", "pack", "photos", "--image-size", 28, "--out", pack)
        process = self.start(run, "--data", f"pack:{pack}", "--batch", 4)
        self.wait_for_checkpoint(process, run)
        os.truncate(pack, 4096)
        _, text = process.communicate()
        self.assertEqual(process.returncode, 3, text)
        self.assertIn(f"error: {pack}: was cut short while it was being read", text)

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
        # The speed was not measured in one step, so it is not printed.
        self.assertRegex(result.stdout, r"time +\S+ \S+ for 0 epochs\nrun folder")
        self.assertEqual(files.summary(run)["status"], "completed")
        self.assertEqual(files.checkpoint_steps(run), [files.summary(run)["steps"]])


if __name__ == "__main__":
    unittest.main(verbosity=2)
