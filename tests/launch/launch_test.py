"""Starts ranks with mpirun and with convoy itself. Usage: launch_test.py PATH_OF_CONVOY PATH_OF_PROBE"""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

CONVOY = sys.argv.pop(1)
PROBE = sys.argv.pop(1)
MPIRUN = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none"]
BENCH = ["bench", "train", "--model", "lenet", "--input", "1x28x28", "--classes", "10", "--batch", "4", "--seconds", "0.1"]
TRAIN = ["train", "--data", "synthetic:1x28x28,classes=10,count=200", "--model", "lenet", "--batch", "50"]
# What a launcher that started this test must not tell its ranks.
LAUNCHER_VARIABLES = re.compile("OMPI_COMM_|PMIX_|PMI_|SLURM_")


def environment(**more):
    kept = {name: value for name, value in os.environ.items() if not LAUNCHER_VARIABLES.match(name)}
    return kept | more


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


class Ranks(LaunchTest):
    """Under mpirun, as a user starts it."""

    def ranks(self, code, count, *arguments):
        return self.assert_run(code, [*MPIRUN, "-n", count, PROBE, *arguments])

    def errors(self, result):
        return [line for line in result.stderr.splitlines() if line.startswith("error:")]

    def test_without_a_launcher_there_is_one(self):
        self.assertEqual(self.assert_run(0, [PROBE]).stdout, "rank 0 of 1\n")

    def test_they_know_each_other(self):
        result = self.ranks(0, 3)
        self.assertEqual(sorted(result.stdout.splitlines()), [f"rank {rank} of 3" for rank in range(3)])
        self.assertEqual(result.stderr, "")

    def test_a_failure_of_all_is_told_once(self):
        for how, code in {"usage": 2, "data": 3, "diverged": 4, "run": 1}.items():
            with self.subTest(how):
                self.assertEqual(len(self.errors(self.ranks(code, 3, "--how", how))), 1)

    def test_a_failure_before_joining_is_told_once(self):
        self.assertEqual(len(self.errors(self.ranks(3, 2, "--how", "data", "--before-joining"))), 1)
        self.assertEqual(len(self.errors(self.ranks(2, 2, "--hwo", "data"))), 1)

    def test_a_failure_of_one_is_told_by_it_and_ends_all(self):
        result = self.ranks(3, 3, "--how", "data", "--rank", 2)
        self.assertEqual(self.errors(result), ["error: this is corrupt"])

    def test_a_rank_that_does_not_come_is_named(self):
        for rank in (0, 1):
            with self.subTest(rank):
                errors = self.errors(self.ranks(5, 3, "--how", "lost", "--rank", rank))
                self.assertEqual(len(errors), 1, errors)
                self.assertRegex(errors[0], rf"rank {rank} on \S+ did not answer within 2 s")

    def test_another_launcher_is_explained(self):
        result = self.assert_run(2, [PROBE], PMI_SIZE="4", PMI_RANK="0")
        self.assertIn("does not match the MPI", result.stderr)
        result = self.assert_run(2, [PROBE], SLURM_STEP_NUM_TASKS="2", SLURM_PROCID="0")
        self.assertIn("srun --mpi=pmix", result.stderr)
        # The others of such ranks leave it to the first.
        self.assertEqual(self.assert_run(2, [PROBE], PMI_SIZE="4", PMI_RANK="1").stderr, "")


class DryRun(LaunchTest):
    def test_prints_the_command_and_does_nothing(self):
        result = self.assert_run(0, [CONVOY, *TRAIN, "--workers", 2, "--dry-run", "--run-dir", self.folder / "none"])
        self.assertRegex(result.stdout, r"^mpirun .*-n 2 --host localhost:2 .* train .*--workers 2 .*--threads \d+\n$")
        self.assertNotIn("--dry-run", result.stdout)
        self.assertRegex(result.stderr, r"rank 0 .*\nrank 1 ")
        self.assertFalse((self.folder / "none").exists())

    def test_one_worker_is_an_ordinary_command(self):
        result = self.assert_run(0, [CONVOY, *TRAIN, "--workers", 1, "--dry-run"])
        self.assertIn(" ".join(TRAIN), result.stdout)
        self.assertNotIn("mpirun", result.stdout)

    def test_hosts_come_from_a_file(self):
        hostfile = self.folder / "hosts"
        hostfile.write_text("localhost slots=3 # here\n")
        result = self.assert_run(0, [CONVOY, *BENCH, "--hosts", hostfile, "--threads", 1, "--dry-run"])
        self.assertIn("-n 3 --host localhost:3", result.stdout)

    def test_settings_of_a_file_count(self):
        file = self.folder / "settings.toml"
        file.write_text("workers = 2\nthreads = 7\n")
        result = self.assert_run(0, [CONVOY, *TRAIN, "--config", file, "--dry-run"])
        self.assertIn("-n 2", result.stdout)
        self.assertIn("OMP_NUM_THREADS=7", result.stdout)


class Refused(LaunchTest):
    def assert_refused(self, words, *arguments, **more):
        result = self.assert_run(2, [CONVOY, *BENCH, *arguments], **more)
        self.assertIn(words, result.stderr)
        self.assertEqual(result.stdout, "")

    def test_what_cannot_be_started(self):
        self.assert_refused("--workers must be at least 1", "--workers", 0)
        self.assert_refused("5 workers on 2 slots", "--workers", 5, "--hosts", "localhost:2")
        self.assert_refused("no.such.host.invalid is not known here", "--hosts", "no.such.host.invalid:1")
        self.assert_refused("there is no file", "--hosts", str(self.folder / "none"))

    def test_a_missing_mpirun(self):
        self.assert_refused("there is no mpirun in PATH", "--workers", 2, PATH=str(self.folder))

    def test_another_number_than_the_launcher_started(self):
        result = self.assert_run(2, [*MPIRUN, "-n", 2, CONVOY, *BENCH, "--workers", 3])
        self.assertIn("--workers 3, but the launcher started 2 ranks", result.stderr)


class Started(LaunchTest):
    """By convoy itself. The probe stands in for mpirun's ranks where convoy has no command that does what is tested."""

    def start_with(self, script):
        """The command, and an environment in which mpirun is this script."""
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        (folder / "mpirun").write_text(f"#!/bin/sh\n{script}\n")
        (folder / "mpirun").chmod(0o755)
        return [[CONVOY, *BENCH, "--workers", "2"], environment(PATH=f"{folder}:{os.environ['PATH']}")]

    def start(self, *arguments):
        """With an mpirun that starts the probe instead of what it is told. Its first two words are -x and a variable."""
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
        """One that says this on stderr and then does not end by itself, as when a host is gone."""
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

    def test_a_second_signal_ends_an_mpirun_that_does_not_listen(self):
        command, variables = self.lingering_mpirun("", False)
        with subprocess.Popen(command, env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
            self.assertNotEqual(child.stdout.readline(), "")
            child.send_signal(signal.SIGTERM)
            child.send_signal(signal.SIGINT)
            child.communicate(timeout=60)
        self.assertIn(child.returncode, (128 + signal.SIGINT, 128 + signal.SIGTERM))


class Doctor(LaunchTest):
    def test_a_host_is_seen_as_it_is(self):
        alone = json.loads(self.assert_run(0, [CONVOY, "doctor", "--json"]).stdout)
        hosts = json.loads(self.assert_run(0, [CONVOY, "doctor", "--hosts", "localhost", "--json"]).stdout)["hosts"]
        self.assertEqual(len(hosts), 1)
        self.assertEqual(hosts[0]["usable_cores"], alone["usable_cores"])
        self.assertEqual(hosts[0]["isa"], alone["instruction_set"])
        self.assertIn(alone["git_id"], hosts[0]["version"])

    def test_a_host_that_cannot_be_reached_is_named(self):
        # A way to other hosts that leads nowhere.
        result = self.assert_run(5, [CONVOY, "doctor", "--hosts", "localhost,elsewhere"],
                                 OMPI_MCA_plm_rsh_agent="/bin/false")
        self.assertIn("localhost: can be reached", result.stderr)
        self.assertIn("elsewhere: cannot be reached", result.stderr)
        self.assertEqual(result.stdout, "")


if __name__ == "__main__":
    if shutil.which("mpirun") is None:
        print("skipped: there is no mpirun (Debian: openmpi-bin)")
        sys.exit(77)
    unittest.main()
