"""Runs a test and ends every process that it leaves behind. Usage: guarded.py COMMAND...

The processes of a test are recognised by a mark in their environment, which children inherit. A test that ends before
all its processes do fails, and they are killed. They are also killed when this process is killed, as ctest does with a
test that takes too long: a guard, which has no parent any more, waits for that.
"""
import os
import pathlib
import signal
import subprocess
import sys
import time
import uuid

VARIABLE = "CONVOY_TEST_GUARD"
# How long processes may take that are about to end by themselves.
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
            continue  # it has ended, or belongs to another user
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
    """Starts a process that kills the marked ones when the returned descriptor closes, at the latest when this process
    ends."""
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
    """The marked processes that have not ended by themselves after a while."""
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
