"""Runs a test and ends every process that it leaves behind. Usage: guarded.py COMMAND...

The processes of a test carry a mark in their environment, however far they have gone from their parents. A test that
ends while some of them stay fails, and they are killed. They are also killed when this process is, as ctest does with
a test that takes too long: a guard that is nobody's child any more waits for that.
"""
import os
import pathlib
import signal
import subprocess
import sys
import time
import uuid

VARIABLE = "CONVOY_TEST_GUARD"
# For processes that are about to end by themselves.
GRACE_SECONDS = 10


def marked(mark):
    """The processes that carry the mark, with their command lines."""
    found = {}
    wanted = f"{VARIABLE}={mark}".encode()
    for folder in pathlib.Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            if wanted in (folder / "environ").read_bytes().split(b"\0"):
                found[int(folder.name)] = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue  # it has ended, or is somebody else's
    return found


def end_all(mark):
    while left := marked(mark):
        for process in left:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        time.sleep(0.02)


def start_guard(mark):
    """A process that ends the marked ones when the descriptor that is returned is closed, at the latest with this one."""
    reading, writing = os.pipe()
    child = os.fork()
    if child != 0:
        os.waitpid(child, 0)
        os.close(reading)
        return writing
    os.setsid()
    if os.fork() != 0:
        os._exit(0)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)
    os.closerange(3, reading)
    os.closerange(reading + 1, os.sysconf("SC_OPEN_MAX"))
    os.read(reading, 1)
    end_all(mark)
    os._exit(0)


def left_behind(mark):
    """What is still there after a while."""
    end = time.monotonic() + GRACE_SECONDS
    while (left := marked(mark)) and time.monotonic() < end:
        time.sleep(0.05)
    return left


def main():
    mark = uuid.uuid4().hex
    guard = start_guard(mark)
    code = subprocess.call(sys.argv[1:], env={**os.environ, VARIABLE: mark})
    left = left_behind(mark)
    for process, command in left.items():
        print(f"the test has left process {process} behind: {command}", file=sys.stderr)
    end_all(mark)
    os.close(guard)
    if code < 0:
        return 128 - code
    return code or int(bool(left))


if __name__ == "__main__":
    sys.exit(main())
