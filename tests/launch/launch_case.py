"""What the tests of launching share: the programs, commands to run, and a folder for each class of tests."""
import os
import pathlib
import re
import select
import shutil
import subprocess
import sys
import tempfile
import unittest

CONVOY = sys.argv.pop(1)
PROBE = sys.argv.pop(1)
DEAF = sys.argv.pop(1)  # the library to preload into mpirun
MPIRUN = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none"]
BENCH = ["bench", "train", "--model", "lenet", "--input", "1x28x28", "--classes", "10", "--batch", "4", "--seconds", "0.1"]
TRAIN = ["train", "--data", "synthetic:1x28x28,classes=10,count=200", "--model", "lenet", "--batch", "50"]
# Variables of a launcher that started this test; the ranks that the test starts must not see them.
LAUNCHER_VARIABLES = re.compile("OMPI_COMM_|PMIX_|PMI_|SLURM_")


def environment(**more):
    kept = {name: value for name, value in os.environ.items() if not LAUNCHER_VARIABLES.match(name)}
    return kept | more


def children_of(process):
    return [int(word) for word in pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def await_end_of(process):
    """Waits for the end of a process that need not be a child of this one."""
    try:
        descriptor = os.pidfd_open(process)
    except ProcessLookupError:
        return
    select.select([descriptor], [], [])
    os.close(descriptor)


def run(command, **more):
    return subprocess.run([str(word) for word in command], env=environment(**more), capture_output=True, text=True,
                          check=False, timeout=120)


class LaunchTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="convoy_launch_")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)

    def assert_run(self, code, command, **more):
        result = run(command, **more)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result


def main():
    """Runs the tests of the program that calls it."""
    if shutil.which("mpirun") is None:
        print("skipped: there is no mpirun (Debian: openmpi-bin)")
        sys.exit(77)
    unittest.main()
