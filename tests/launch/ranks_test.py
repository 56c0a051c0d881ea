"""Ranks under mpirun, what convoy would start, and what it refuses to.

Usage: ranks_test.py PATH_OF_CONVOY PATH_OF_PROBE PATH_OF_DEAF
"""
import json
import re
import sys

sys.dont_write_bytecode = True  # nothing is left beside the sources
from launch_case import BENCH, CONVOY, MPIRUN, PROBE, TRAIN, LaunchTest, main  # pylint: disable=wrong-import-position


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
        # Only the first of such ranks reports it.
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
        self.assert_refused(f"no such file: {self.folder / 'none'}; hosts are a list, a:2,b:2", "--hosts", self.folder / "none")
        self.assert_refused("hostfile.invalid is neither a file nor a host that is known here", "--hosts",
                            "hostfile.invalid")

    def test_a_missing_mpirun(self):
        self.assert_refused("there is no mpirun in PATH", "--workers", 2, PATH=str(self.folder))

    def test_another_number_than_the_launcher_started(self):
        result = self.assert_run(2, [*MPIRUN, "-n", 2, CONVOY, *BENCH, "--workers", 3])
        self.assertIn("--workers 3, but the launcher started 2 ranks", result.stderr)


class Unreachable(LaunchTest):
    def test_a_host_that_cannot_be_reached_is_one_message(self):
        # An ssh that fails, so other hosts cannot be reached.
        result = self.assert_run(5, [CONVOY, *BENCH, "--hosts", "localhost:1,elsewhere:1"],
                                 OMPI_MCA_plm_rsh_agent="/bin/false")
        errors = [line for line in result.stderr.splitlines() if not re.match("note:|rank", line)]
        self.assertEqual(len(errors), 1, result.stderr)
        self.assertIn("error: --hosts: no worker could be started on elsewhere; `ssh HOST` must work", errors[0])


class Doctor(LaunchTest):
    def test_a_host_is_seen_as_it_is(self):
        alone = json.loads(self.assert_run(0, [CONVOY, "doctor", "--json"]).stdout)
        hosts = json.loads(self.assert_run(0, [CONVOY, "doctor", "--hosts", "localhost", "--json"]).stdout)["hosts"]
        self.assertEqual(len(hosts), 1)
        self.assertEqual(hosts[0]["usable_cores"], alone["usable_cores"])
        self.assertEqual(hosts[0]["isa"], alone["instruction_set"])
        self.assertIn(alone["git_id"], hosts[0]["version"])

    def test_a_host_that_cannot_be_reached_is_named(self):
        # An ssh that fails, so other hosts cannot be reached.
        result = self.assert_run(5, [CONVOY, "doctor", "--hosts", "localhost,elsewhere"],
                                 OMPI_MCA_plm_rsh_agent="/bin/false")
        self.assertIn("localhost: can be reached", result.stderr)
        self.assertIn("elsewhere: cannot be reached", result.stderr)
        self.assertEqual(result.stdout, "")


if __name__ == "__main__":
    main()
