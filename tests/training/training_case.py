"""What the tests of training share: the program, a folder, and two runs to resume, copy or use."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import files

CONVOY = sys.argv.pop(1)

# 12 steps per epoch.
DATA = ["--data", "synthetic:1x28x28,classes=10,count=600"]
LENET = ["--model", "lenet", "--batch", "50", "--threads", "1"]  # resuming or repeating a run keeps its threads
STEPS = 12


def setUpModule():
    """Makes a folder with a tuning cache of its own, and two runs that all tests share: of four epochs and of two."""
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
