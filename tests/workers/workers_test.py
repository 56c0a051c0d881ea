"""Trains on several workers with the convoy program. Usage: workers_test.py PATH_OF_CONVOY"""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True  # nothing is left beside the sources
sys.path.append(str(pathlib.Path(__file__).parents[1] / "training"))
import files  # pylint: disable=wrong-import-position

CONVOY = sys.argv.pop(1)
DATA = ["--data", "synthetic:1x28x28,classes=10,count=600"]
LENET = ["--model", "lenet", "--batch", "48"]
# Variables of a launcher that started this test; the ranks that the test starts must not see them.
LAUNCHER_VARIABLES = re.compile("OMPI_COMM_|PMIX_|PMI_|SLURM_")


def losses(run):
    """The mean loss of each step over all workers."""
    steps = {}
    with open(run / "steps.jsonl", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            total, samples = steps.get(record["step"], (0, 0))
            steps[record["step"]] = (total + record["loss"] * record["samples"], samples + record["samples"])
    return [total / samples for _, (total, samples) in sorted(steps.items())]


def ranks_of(launcher):
    """The processes of the workers, by rank."""
    found = {}
    for folder in pathlib.Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            variables = (folder / "environ").read_bytes().split(b"\0")
            name = os.path.basename(os.readlink(folder / "exe"))
        except OSError:
            continue
        marks = dict(variable.split(b"=", 1) for variable in variables if b"=" in variable)
        if name == "convoy" and marks.get(b"CONVOY_TEST_MARK") == launcher and b"OMPI_COMM_WORLD_RANK" in marks:
            found[int(marks[b"OMPI_COMM_WORLD_RANK"])] = int(folder.name)
    return found


class WorkersTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory(prefix="convoy_workers_")
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = pathlib.Path(temporary.name)
        kept = {name: value for name, value in os.environ.items() if not LAUNCHER_VARIABLES.match(name)}
        cls.environment = dict(kept, XDG_CACHE_HOME=str(cls.folder / "cache"))

    def train(self, code, name, *arguments):
        command = [CONVOY, "train", *arguments]
        if "--resume" not in arguments:
            command += ["--threads", 1, "--run-dir", self.folder / name]
        result = subprocess.run([str(part) for part in command], env=self.environment, capture_output=True, text=True,
                                check=False, timeout=300)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return self.folder / name, result

    def test_any_number_of_workers_trains_like_one(self):
        settings = [*DATA, *LENET, "--epochs", 2, "--exact"]
        alone, _ = self.train(0, "alone", *settings)
        for workers in (2, 3, 4):
            run, result = self.train(0, f"workers{workers}", *settings, "--workers", workers)
            self.assertIn(f"{workers} workers of 1 thread", result.stderr)
            for one, other in zip(losses(alone)[:20], losses(run)[:20], strict=True):
                self.assertAlmostEqual(one, other, delta=1e-4 * abs(one))
            self.assertEqual(json.loads((run / "run.json").read_text())["ranks"], workers)

    def test_batch_norm_over_all_workers_trains_like_one(self):
        # A low rate, because differences by rounding grow with every step, faster at a higher rate.
        settings = ["--data", "synthetic:3x32x32,classes=10,count=400", "--model", "resnet20", "--batch", "40",
                    "--epochs", 2, "--exact", "--sync-bn", "--lr", "0.001"]
        alone, _ = self.train(0, "bn_alone", *settings)
        for workers in (2, 3, 4):
            run, _ = self.train(0, f"bn_workers{workers}", *settings, "--workers", workers)
            for one, other in zip(losses(alone), losses(run), strict=True):
                self.assertAlmostEqual(one, other, delta=1e-4 * abs(one))

    def test_reproducible_training_does_not_depend_on_the_number_of_workers(self):
        settings = ["--data", "synthetic:3x32x32,classes=10,count=130", "--model", "resnet20", "--batch", "24",
                    "--epochs", 1, "--reproducible", "--mixup", 0.2, "--cutmix", 1, "--ema", 0.9]
        alone, _ = self.train(0, "grains1", *settings)
        for workers in (2, 3, 4):
            run, _ = self.train(0, f"grains{workers}", *settings, "--workers", workers)
            self.assertEqual(files.weights(run).read_bytes(), files.weights(alone).read_bytes(), workers)
            self.assertEqual(files.averaged(run), files.averaged(alone), workers)
        self.train(2, "grains5", *settings, "--workers", 5)
        halves, _ = self.train(0, "bf16_grains1", *settings, "--precision", "bf16")
        self.assertNotEqual(files.weights(halves).read_bytes(), files.weights(alone).read_bytes())
        run, _ = self.train(0, "bf16_grains3", *settings, "--precision", "bf16", "--workers", 3)
        self.assertEqual(files.weights(run).read_bytes(), files.weights(halves).read_bytes())

    def test_workers_in_bf16_train_like_one(self):
        settings = [*DATA, *LENET, "--epochs", 1, "--precision", "bf16", "--compare-every", 1]
        alone, _ = self.train(0, "bf16_alone", *settings)
        for how in (["--workers", 2], ["--workers", 3, "--allreduce", "ring"]):
            run, _ = self.train(0, f"bf16_workers{how[1]}", *settings, *how)
            for one, other in zip(losses(alone)[:10], losses(run)[:10], strict=True):
                self.assertAlmostEqual(one, other, delta=0.02 * abs(one))

    def test_more_workers_than_samples_in_a_batch_are_refused(self):
        _, result = self.train(2, "few", *DATA, "--model", "lenet", "--batch", 2, "--workers", 3)
        self.assertIn("cannot be shared by 3 workers", result.stderr)
        self.assertEqual(result.stderr.count("error:"), 1)

    def test_a_run_goes_on_with_the_workers_and_threads_it_had(self):
        settings = [*DATA, *LENET, "--workers", 2, "--mixup", 0.2, "--cutmix", 1, "--ema", 0.9]
        whole, _ = self.train(0, "three", *settings, "--epochs", 3)
        run, _ = self.train(0, "by_and_by", *settings, "--epochs", 1)
        for epochs in (2, 3):
            _, result = self.train(0, "by_and_by", "--resume", run, "--epochs", epochs)
            self.assertIn("2 workers of 1 thread", result.stderr)
        self.assertEqual((run / "resolved.toml").read_text(), (whole / "resolved.toml").read_text())
        self.assertEqual(files.weights(run).read_bytes(), files.weights(whole).read_bytes())
        self.assertEqual(files.averaged(run), files.averaged(whole))
        script = subprocess.run([CONVOY, "slurm", "--nodes", "8", "train", "--resume", run], env=self.environment,
                                capture_output=True, text=True, check=True).stdout
        self.assertRegex(script, r"--workers 2 --threads 1\n$")

    def test_other_workers_take_their_share_of_the_cores(self):
        run, _ = self.train(0, "shared", *DATA, *LENET, "--epochs", 1)
        text = (run / "resolved.toml").read_text()
        many = len(os.sched_getaffinity(0))
        (run / "resolved.toml").write_text(text.replace("\nthreads = 1\n", f"\nthreads = {many}\n"))
        result = subprocess.run([CONVOY, "train", "--config", run / "resolved.toml", "--workers", str(many), "--dry-run"],
                                env=self.environment, capture_output=True, text=True, check=True)
        self.assertIn("-x OMP_NUM_THREADS=1 ", result.stdout)
        self.assertRegex(result.stdout, r"--threads 1\n$")
        if many > 1:
            self.assertIn(f"had {many} threads and now have 1", result.stderr)

    def test_weak_scaling_gives_each_worker_the_batch(self):
        run, _ = self.train(0, "weak", *DATA, *LENET, "--epochs", 1, "--workers", 2, "--scaling", "weak")
        self.assertEqual(len(losses(run)), 7)  # 600 samples in batches of 96

    def test_each_algorithm_trains(self):
        for name in ("mpi", "ring", "recursive-doubling", "rabenseifner", "reduce-broadcast", "hierarchical"):
            run, _ = self.train(0, name, *DATA, *LENET, "--epochs", 1, "--workers", 2, "--allreduce", name)
            self.assertLess(losses(run)[-1], losses(run)[0])

    def test_a_result_that_cannot_be_written_is_told(self):
        run = self.folder / "unwritten"
        command = [CONVOY, "train", *DATA, *LENET, "--workers", "2", "--threads", "1", "--epochs", "1", "--run-dir", str(run)]
        with open("/dev/full", "w", encoding="utf-8") as full:
            result = subprocess.run(command, env=self.environment, stdout=full, stderr=subprocess.PIPE, text=True,
                                    check=False, timeout=300)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("cannot write the result to standard output: No space left on device", result.stderr)
        self.assertEqual(json.loads((run / "summary.json").read_text())["status"], "completed")

    def test_a_trace_has_lanes_of_all_workers(self):
        run, _ = self.train(0, "trace", *DATA, *LENET, "--epochs", 1, "--workers", 2, "--trace", 3)
        events = json.loads((run / "trace.json").read_text())["traceEvents"]
        names = {(event["pid"], event["tid"], event["name"]) for event in events if event["ph"] == "X"}
        for rank in (0, 1):
            self.assertIn((rank, 0, "forward"), names)
            self.assertIn((rank, 0, "backward"), names)
            self.assertIn((rank, 1, "bucket 0"), names)

    def start(self, name, *arguments):
        """Starts a run that would take very long, waits for its first checkpoint and returns it and its ranks."""
        mark = name.encode()
        command = [CONVOY, "train", *DATA, *LENET, "--epochs", 100000, "--eval-every", 100000, "--checkpoint-every", 5,
                   "--threads", 1, "--workers", 2, "--run-dir", self.folder / name, "--deadline", "5s", *arguments]
        process = subprocess.Popen([str(part) for part in command], env=dict(self.environment, CONVOY_TEST_MARK=name),
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        steps = self.folder / name / "checkpoints"
        while process.poll() is None and (not steps.exists() or not files.checkpoint_steps(self.folder / name)):
            os.sched_yield()
        if process.poll() is not None:
            self.fail("".join(process.communicate()))
        return process, ranks_of(mark)

    def assert_resumes(self, name, workers):
        step = files.checkpoint_steps(self.folder / name)[-1]
        _, result = self.train(0, name, "--resume", self.folder / name, "--epochs", step // 13 + 1, "--workers", workers)
        self.assertIn(f"after step {step} of", result.stderr)

    def test_a_killed_worker_ends_the_run(self):
        process, ranks = self.start("killed")
        os.kill(ranks[1], signal.SIGKILL)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 5, errors)
        self.assertRegex(errors, r"error: rank 1 on \S+ was killed by signal 9 .*; the last step done was \d+")
        self.assert_resumes("killed", 1)
        self.assert_resumes("killed", 3)

    def test_a_stopped_worker_ends_the_run(self):
        process, ranks = self.start("stopped")
        os.kill(ranks[1], signal.SIGSTOP)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 5, errors)
        self.assertRegex(errors, r"rank 1 on .* did not answer within 5 s")
        self.assertRegex(errors, r"last step done was \d+")
        self.assert_resumes("stopped", 2)

    def test_a_signal_ends_all_with_a_checkpoint(self):
        for sent, code in ((signal.SIGTERM, 143), (signal.SIGINT, 130)):
            name = sent.name
            process, _ = self.start(name)
            process.send_signal(sent)
            _, errors = process.communicate(timeout=60)
            self.assertEqual(process.returncode, code, errors)
            self.assertIn("checkpoint written", errors)
            self.assert_resumes(name, 2)

    def test_models_that_are_averaged_go_on_within_a_block(self):
        local = ["--local-steps", 3, "--block-momentum", 0.5, "--local-after", 1]
        process, _ = self.start("local", *local)  # saved after step 5, within the block of steps 5 to 7
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 143, errors)
        self.assertIn("models averaged every 3 steps over 2 groups, after 1 steps", errors)
        epochs = files.checkpoint_steps(self.folder / "local")[-1] // 13 + 2
        run, _ = self.train(0, "local", "--resume", self.folder / "local", "--epochs", epochs)
        whole, _ = self.train(0, "local_whole", *DATA, *LENET, *local, "--epochs", epochs, "--workers", 2)
        self.assertEqual(files.weights(run).read_bytes(), files.weights(whole).read_bytes())
        self.assertLess(losses(whole)[-1], losses(whole)[0])

    def test_ranks_with_different_settings_are_refused(self):
        for one, other in ((["--compress", "int8"], ["--compress", "bf16"]), ([], ["--local-steps", "4"]),
                           (["--bucket", "1M"], ["--bucket", "2M"])):
            common = [CONVOY, "train", *DATA, *LENET, "--epochs", "1", "--threads", "1", "--run-dir", self.folder / "differ"]
            command = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "1", *common, *one, ":", "-n", "1", *common,
                       *other]
            result = subprocess.run([str(part) for part in command], env=self.environment, capture_output=True, text=True,
                                    check=False, timeout=120)
            self.assertNotEqual(result.returncode, 0)
            self.assertRegex(result.stderr, "settings differ between ranks: rank 1 on .* has others than rank 0")
            self.assertFalse((self.folder / "differ").exists())

    def test_workers_that_do_not_wait_for_each_other_train(self):
        resnet = ["--data", "synthetic:3x32x32,classes=10,count=600", "--model", "resnet20", "--batch", "48"]
        for workers, settings in ((2, [*DATA, *LENET]), (3, resnet)):
            # A low rate without momentum, with which late updates do not overshoot, whatever comes when.
            run, result = self.train(0, f"async{workers}", *settings, "--epochs", 3, "--async", 2, "--workers", workers,
                                     "--optimizer", "sgd", "--lr", 0.02)
            self.assertIn("gradients summed asynchronously, at most 2 steps apart", result.stderr)
            self.assertEqual(len(losses(run)), 39)
            self.assertLess(sum(losses(run)[-5:]) / 5, losses(run)[0])
        _, result = self.train(2, "refused", *DATA, *LENET, "--workers", 2, "--async", 2, "--clip", 1)
        self.assertIn("--async 2 cannot be used with --clip", result.stderr)

    def test_asynchronous_runs_end_and_go_on(self):
        process, _ = self.start("async_ended", "--async", 3)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, errors)
        self.assertIn("checkpoint written", errors)
        self.assert_resumes("async_ended", 2)
        self.assert_resumes("async_ended", 3)

    def test_a_worker_that_others_wait_for_in_vain_ends_an_asynchronous_run(self):
        process, ranks = self.start("async_stopped", "--async", 3)
        os.kill(ranks[1], signal.SIGSTOP)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 5, errors)
        self.assertRegex(errors, r"rank 1 on .* did not answer within 5 s")
        self.assert_resumes("async_stopped", 2)

    def test_adasum_trains(self):
        for workers in (2, 3):
            run, result = self.train(0, f"adasum{workers}", *DATA, *LENET, "--epochs", 2, "--workers", workers,
                                     "--reduction", "adasum", "--compare-every", 1)
            self.assertIn("gradients summed by adasum", result.stderr)
            self.assertLess(losses(run)[-1], losses(run)[0])
        _, result = self.train(2, "refused", *DATA, *LENET, "--workers", 2, "--reduction", "adasum", "--compress", "bf16")
        self.assertIn("cannot be used with --compress", result.stderr)

    def test_local_steps_are_refused_with_what_they_cannot_be_with(self):
        for others in (["--reproducible"], ["--compress", "int8"], ["--dense-exchange", "factors"]):
            _, result = self.train(2, "refused", *DATA, *LENET, "--workers", 2, "--local-steps", 4, *others)
            self.assertIn("--local-steps", result.stderr)
        _, result = self.train(2, "refused", *DATA, *LENET, "--workers", 2, "--block-momentum", 0.5)
        self.assertIn("give --local-steps", result.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
