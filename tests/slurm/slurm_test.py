"""Submits what `convoy slurm` prints to a Slurm of two nodes. Usage: slurm_test.py PATH_OF_CONVOY PATH_OF_PROBE"""
import json
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True  # nothing is left beside the sources
import slurm_cluster  # pylint: disable=wrong-import-position

CONVOY = sys.argv.pop(1)
PROBE = sys.argv.pop(1)
BENCH = ["bench", "train", "--model", "lenet", "--input", "1x28x28", "--classes", "10", "--batch", "4", "--seconds", "0.1",
         "--json"]
SKIPPED = 77


class SlurmTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="convoy_slurm_", ignore_cleanup_errors=True)
        cls.addClassCleanup(folder.cleanup)
        cls.cluster = cls.enterClassContext(slurm_cluster.SlurmCluster(folder.name))
        cls.folder = pathlib.Path(folder.name)

    def script(self, *arguments):
        result = self.cluster.run(CONVOY, "slurm", "--time", "5m", *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def submit(self, script):
        """Submits a script, waits for the job's end and returns its exit code and output."""
        result = self.cluster.run("sbatch", "--wait", "--output=job-%j.log", "--parsable", input=script, cwd=self.folder)
        return result.returncode, (self.folder / f"job-{result.stdout.strip()}.log").read_text()

    def test_workers_on_two_nodes_train(self):
        code, output = self.submit(self.script("--nodes", 2, *BENCH, "--workers", 2, "--threads", 1))
        self.assertEqual(code, 0, output)
        results = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
        self.assertTrue(results, output)
        self.assertEqual(results[0]["threads"], 1)

    def as_probe(self, script, *arguments):
        """The same script with the probe as the workers' program."""
        head, found, _ = script.partition(CONVOY)
        self.assertTrue(found, script)
        return " ".join(map(str, [head + PROBE, *arguments])) + "\n"

    def test_workers_know_each_other(self):
        for workers in (2, 4):
            with self.subTest(workers):
                script = self.script("--nodes", 2, *BENCH, "--workers", workers, "--threads", 1)
                code, output = self.submit(self.as_probe(script))
                self.assertEqual(code, 0, output)
                self.assertEqual(sorted(output.splitlines()), [f"rank {rank} of {workers}" for rank in range(workers)])

    def test_a_failure_is_told_once_and_has_its_code(self):
        script = self.script("--nodes", 2, *BENCH, "--workers", 2, "--threads", 1)
        code, output = self.submit(self.as_probe(script, "--how", "data"))
        self.assertEqual(code, 3, output)
        self.assertEqual(output.count("error: this is corrupt"), 1, output)

    def test_a_failure_before_joining_is_told_once_and_has_its_code(self):
        script = self.script("--nodes", 2, *BENCH, "--workers", 2, "--threads", 1)
        code, output = self.submit(self.as_probe(script, "--how", "data", "--before-joining"))
        self.assertEqual(code, 3, output)
        self.assertEqual(output.count("error: this is corrupt"), 1, output)
        code, output = self.submit(self.as_probe(script, "--hwo", "data"))
        self.assertEqual(code, 2, output)
        self.assertEqual(output.count("error: unknown flag"), 1, output)

    def test_srun_without_pmix_is_explained(self):
        script = self.script("--nodes", 2, *BENCH, "--workers", 2, "--threads", 1).replace("--mpi=pmix", "--mpi=none")
        code, output = self.submit(self.as_probe(script))
        self.assertEqual(code, 2, output)
        self.assertEqual(output.count("use `srun --mpi=pmix`"), 1, output)

    def test_a_process_of_the_script_itself_is_alone(self):
        script = self.as_probe(self.script("--nodes", 2, *BENCH, "--workers", 2, "--threads", 1))
        head, _, _ = script.partition("exec srun")
        code, output = self.submit(f"{head}exec {PROBE}\n")
        self.assertEqual((code, output), (0, "rank 0 of 1\n"))


if __name__ == "__main__":
    reason = slurm_cluster.why_not()
    if reason:
        print(f"skipped: {reason}")
        sys.exit(SKIPPED)
    unittest.main()
