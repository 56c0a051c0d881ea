"""How ranks that convoy started end: exit codes, signals, kills, and what is left.

Usage: stopping_test.py PATH_OF_CONVOY PATH_OF_PROBE PATH_OF_DEAF
"""
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # nothing is left beside the sources
from launch_case import (  # pylint: disable=wrong-import-position
    BENCH, CONVOY, DEAF, MPIRUN, PROBE, TRAIN, LaunchTest, await_end_of, children_of, environment, main)


class Started(LaunchTest):
    """Ranks started by convoy itself. The probe replaces them where no command of convoy does what is tested."""

    def start_with(self, script):
        """A command of convoy, and an environment in which `mpirun` is this script."""
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        (folder / "mpirun").write_text(f"#!/bin/sh\n{script}\n")
        (folder / "mpirun").chmod(0o755)
        return [[CONVOY, *BENCH, "--workers", "2"], environment(PATH=f"{folder}:{os.environ['PATH']}")]

    def start(self, *arguments):
        """The same with an mpirun that starts the probe instead of its command. Its first two words, -x and a variable,
        are passed on."""
        words = " ".join(map(str, ['"$1" "$2"', *MPIRUN[1:], "-n", 2, PROBE, *arguments]))
        return self.start_with(f"exec {shutil.which('mpirun')} {words}")

    def test_bench_runs_on_two_workers(self):
        result = self.assert_run(0, [CONVOY, *BENCH, "--workers", 2, "--json"], XDG_CACHE_HOME=str(self.folder))
        for line in result.stdout.splitlines():
            self.assertGreater(json.loads(line)["samples_per_second"], 0)
        self.assertNotEqual(result.stdout, "")

    def test_exit_codes_and_messages_pass_through(self):
        for how, code in {"usage": 2, "data": 3, "diverged": 4, "run": 1}.items():
            with self.subTest(how):
                command, variables = self.start("--how", how)
                result = self.assert_run(code, command, **variables)
                self.assertEqual(result.stderr.count("error: this "), 1)
                self.assertNotIn("\x1e", result.stderr)
                self.assertNotIn("MPI_ABORT", result.stderr)
                self.assertNotIn("----", result.stderr)

    def test_a_killed_rank_is_named(self):
        command, variables = self.start("--how", "killed", "--rank", 1)
        result = self.assert_run(5, command, **variables)
        self.assertRegex(result.stderr, r"error: rank 1 on \S+ was killed by signal 9")

    def test_signals_reach_the_ranks_and_have_their_codes(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number):
                command, variables = self.start("--how", "signal")
                with subprocess.Popen(command, env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                      text=True) as child:
                    ready = {child.stdout.readline() for _ in range(2)}
                    self.assertEqual(ready, {"rank 0 is ready\n", "rank 1 is ready\n"})
                    child.send_signal(number)
                    output, errors = child.communicate(timeout=60)
                self.assertEqual(child.returncode, 128 + number, errors)
                self.assertEqual(sorted(output.splitlines()), [f"rank {rank} has put its work down" for rank in (0, 1)])
                self.assertNotIn("Forwarding signal", errors)
                self.assertNotIn("----", errors)

    def test_a_second_signal_ends_ranks_that_do_not_listen(self):
        command, variables = self.start("--how", "stubborn")
        with subprocess.Popen(command, env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
            for words in ("is ready", "was asked"):
                self.assertEqual({child.stdout.readline() for _ in range(2)}, {f"rank {rank} {words}\n" for rank in (0, 1)})
                child.send_signal(signal.SIGINT)
            _, errors = child.communicate(timeout=60)
        self.assertEqual(child.returncode, 128 + signal.SIGINT, errors)

    def lingering_mpirun(self, words, listens):
        """An mpirun that writes this to stderr and then does not end by itself, as when a host is gone."""
        (self.folder / "words").write_text(words)
        end = "exec sleep 1000" if listens else "trap '' TERM USR1 USR2; while :; do sleep 1000; done"
        return self.start_with(f"echo $$; cat {self.folder / 'words'} >&2\n{end}")

    def test_an_mpirun_that_lingers_after_a_failure_is_ended(self):
        lost = f"{'-' * 74}\nORTE has lost communication with a remote daemon.\n{'-' * 74}\n"
        ends = "\x1ethe run ends with code %d\n"
        for words, listens, code in ((ends % 5, False, 5), (ends % 3, True, 3), (lost, True, 5)):
            with self.subTest(words):
                command, variables = self.lingering_mpirun("error: what a rank said\n" + words, listens)
                result = self.assert_run(code, command, **variables)
                self.assertEqual(result.stderr.count("error: what a rank said"), 1)
                self.assertNotIn("\x1e", result.stderr)
                self.assertFalse(pathlib.Path("/proc", result.stdout.strip()).exists())

    def test_ranks_that_do_not_answer_are_ended(self):
        words = self.folder / "listening"
        words.write_text("\x1erequests to stop are listened to\nlistening\n")
        command, variables = self.start_with(f"trap '' USR1; cat {words} >&2; exec sleep 1000")
        with subprocess.Popen(command, env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
            while child.stderr.readline() != "listening\n":
                pass
            child.send_signal(signal.SIGINT)
            _, errors = child.communicate(timeout=60)
        self.assertEqual(child.returncode, 128 + signal.SIGINT, errors)
        self.assertIn("did not answer the request to stop", errors)

    def test_ranks_that_do_not_listen_yet_are_ended_by_the_first_signal(self):
        command, variables = self.start_with("trap '' USR1 USR2; echo started; exec sleep 1000")
        with subprocess.Popen(command, env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
            self.assertEqual(child.stdout.readline(), "started\n")
            child.send_signal(signal.SIGINT)
            _, errors = child.communicate(timeout=60)
        self.assertEqual(child.returncode, 128 + signal.SIGINT, errors)

    def test_a_second_signal_ends_an_mpirun_that_does_not_listen(self):
        command, variables = self.lingering_mpirun("", False)
        with subprocess.Popen(command, env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
            self.assertNotEqual(child.stdout.readline(), "")
            child.send_signal(signal.SIGTERM)
            child.send_signal(signal.SIGINT)
            child.communicate(timeout=60)
        self.assertIn(child.returncode, (128 + signal.SIGINT, 128 + signal.SIGTERM))


class Training(LaunchTest):
    """Runs that train until something happens to them."""

    def start(self, *arguments, **more):
        """The process of a run that has written a checkpoint, and its folder."""
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        variables = environment(XDG_CACHE_HOME=str(self.folder), TMPDIR=str(folder), **more)
        command = [CONVOY, *TRAIN, "--workers", 2, "--threads", 1, "--epochs", 1000000, "--eval-every", 1000000,
                   "--checkpoint-every", 5, "--run-dir", folder / "a run", *arguments]
        process = subprocess.Popen([str(word) for word in command], env=variables, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        while process.poll() is None and not self.checkpoints(folder):
            os.sched_yield()
        if process.poll() is not None:
            self.fail("".join(process.communicate()))
        return process, folder

    def checkpoints(self, folder):
        """The steps of the checkpoints that are complete."""
        names = [path.name for path in (folder / "a run").glob("checkpoints/step-*")]
        return sorted(int(name.split("-")[1]) for name in names if re.fullmatch(r"step-\d+", name))

    def leftovers(self, folder, job=None):
        """The job's number, and the files that mpirun keeps for it: its session folder and the ranks' shared memory."""
        sessions = list(folder.glob("ompi.*/pid.*"))
        if job is None:
            job = int((sessions[0] / "contact.txt").read_text().split(".")[0]) >> 16
        return job, sessions + list(pathlib.Path("/dev/shm").glob(f"vader_segment.*.{job:x}0001.*"))

    def test_a_signal_that_mpirun_swallows_stops_the_ranks_in_order(self):
        tools = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        (tools / "mpirun").write_text(f'#!/bin/sh\nLD_PRELOAD={DEAF} exec {shutil.which("mpirun")} "$@"\n')
        (tools / "mpirun").chmod(0o755)
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number):
                process, folder = self.start(PATH=f"{tools}:{os.environ['PATH']}")
                mpirun = children_of(process.pid)[0]
                self.assertIn(DEAF, pathlib.Path(f"/proc/{mpirun}/maps").read_text())
                process.send_signal(number)
                _, errors = process.communicate(timeout=60)
                self.assertEqual(process.returncode, 128 + number, errors)
                self.assertIn("checkpoint written", errors)
                self.assertNotIn("did not answer", errors)
                # The record has all steps up to the last checkpoint.
                steps = (folder / "a run" / "steps.jsonl").read_text().splitlines()
                self.assertEqual(json.loads(steps[-1])["step"], self.checkpoints(folder)[-1])

    def test_a_killed_mpirun_is_told_and_nothing_of_it_stays(self):
        process, folder = self.start()
        mpirun = children_of(process.pid)[0]
        ranks = children_of(mpirun)
        job, before = self.leftovers(folder)
        self.assertEqual(len(ranks), 2)
        self.assertGreater(len(before), 1)
        os.kill(mpirun, signal.SIGKILL)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 5, errors)
        self.assertRegex(errors, r"error: mpirun was killed by signal 9 \(Killed\); the run ended with it; the last step")
        self.assertEqual(errors.count("error:"), 1, errors)
        self.assertEqual(self.leftovers(folder, job)[1], [])
        for rank in ranks:
            self.assertFalse(pathlib.Path(f"/proc/{rank}").exists())

    def test_a_signal_to_mpirun_itself_has_its_code(self):
        process, _ = self.start()
        os.kill(children_of(process.pid)[0], signal.SIGUSR2)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 128 + signal.SIGTERM, errors)
        self.assertIn("checkpoint written", errors)

    def test_the_command_that_goes_on_is_complete(self):
        process, folder = self.start("--quiet")
        os.kill(children_of(children_of(process.pid)[0])[1], signal.SIGKILL)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 5, errors)
        step, command = re.search(r"\ngo on after step (\d+) with `(.*)`\n", errors).groups()
        self.assertEqual(shlex.split(command), [CONVOY, "train", "--resume", str(folder / "a run"), "--workers", "2",
                                                "--threads", "1", "--quiet"])
        result = self.assert_run(0, ["sh", "-c", f"{command} --epochs {int(step) // 4 + 1}"],
                                 XDG_CACHE_HOME=str(self.folder))
        self.assertIn("run folder", result.stdout)

    def test_the_next_launch_removes_what_a_killed_one_left(self):
        process, folder = self.start()
        mpirun = children_of(process.pid)[0]
        ranks = children_of(mpirun)
        job, before = self.leftovers(folder)
        os.kill(mpirun, signal.SIGSTOP)  # it must not clean up
        process.kill()
        os.kill(mpirun, signal.SIGKILL)
        for each in (mpirun, *ranks):
            await_end_of(each)
        self.assertEqual(sorted(self.leftovers(folder, job)[1]), sorted(before))
        # Files of a run that is still alive stay.
        other, other_folder = self.start()
        others_job, others = self.leftovers(other_folder)
        self.assert_run(0, [CONVOY, *BENCH, "--workers", 2], XDG_CACHE_HOME=str(self.folder))
        self.assertEqual(self.leftovers(folder, job)[1], [])
        self.assertEqual(sorted(self.leftovers(other_folder, others_job)[1]), sorted(others))
        other.send_signal(signal.SIGINT)
        other.communicate(timeout=60)


if __name__ == "__main__":
    main()
