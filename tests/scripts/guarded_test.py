"""A guard ends what a test leaves behind. Usage: guarded_test.py"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

GUARDED = [sys.executable, str(pathlib.Path(__file__).parents[1] / "guarded.py")]
# A test that starts a process, which leaves its parents and holds a pipe open. Then the test ends, or hangs.
TEST = """
import os, sys
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.set_inheritable(os.open(sys.argv[1], os.O_WRONLY), True)
        os.execlp(sys.executable, sys.executable, "-c", "while True: pass")
    os._exit(0)
os.wait()
while sys.argv[2] == "hangs":
    pass
"""


class GuardedTest(unittest.TestCase):
    def start(self, test):
        """Starts a guarded test. Also returns a pipe that closes when the process that the test leaves behind ends."""
        folder = tempfile.TemporaryDirectory(prefix="convoy_guarded_")
        self.addCleanup(folder.cleanup)
        pipe = pathlib.Path(folder.name, "pipe")
        os.mkfifo(pipe)
        guarded = subprocess.Popen([*GUARDED, sys.executable, "-c", TEST, pipe, test], stderr=subprocess.PIPE, text=True)
        self.addCleanup(guarded.stderr.close)
        return guarded, open(pipe, "rb")

    def test_exit_codes_pass_through(self):
        for code in (0, 3, 77):
            result = subprocess.run([*GUARDED, sys.executable, "-c", f"raise SystemExit({code})"], check=False)
            self.assertEqual(result.returncode, code)

    def test_what_is_left_behind_is_ended_and_fails_the_test(self):
        guarded, pipe = self.start("ends")
        with pipe:
            self.assertEqual(pipe.read(), b"")
        self.assertEqual(guarded.wait(), 1)
        self.assertIn("has left process", guarded.stderr.read())

    def test_a_test_that_is_killed_leaves_nothing(self):
        guarded, pipe = self.start("hangs")
        guarded.kill()
        with pipe:
            self.assertEqual(pipe.read(), b"")
        guarded.wait()


if __name__ == "__main__":
    unittest.main(verbosity=2)
