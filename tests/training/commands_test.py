"""What `convoy train` refuses, and what can be done with its weights. Usage: commands_test.py PATH_OF_CONVOY"""
import contextlib
import json
import os
import pty
import re
import struct
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True  # nothing is left beside the sources
import files  # pylint: disable=wrong-import-position
# setUpModule is called by unittest.
from training_case import CONVOY, DATA, LENET, TrainingTest, setUpModule  # pylint: disable=wrong-import-position,unused-import


class Refusals(TrainingTest):
    def test_settings(self):
        run = ["--run-dir", self.folder / "never"]
        config = self.folder / "wrong.toml"
        config.write_text('model = "lenet"\nepocs = 3\n')
        for words, arguments in (
            (["wrong.toml:2", "unknown key 'epocs'", "'epochs'"], [*DATA, "--config", config]),
            (["optimizer", "adamm", '"adam"'], [*DATA, *LENET, "--optimizer", "adamm"]),
            (["--lr must be above 0, got 0"], [*DATA, *LENET, "--lr", "0"]),
            (["--lr must be above 0, got -1"], [*DATA, *LENET, "--lr=-1"]),
            (["batch of 601", "600 samples"], [*DATA, "--model", "lenet", "--batch", "601"]),
            (["lenett", '"lenet"'], [*DATA, "--model", "lenett"]),
            (["--data is missing"], [*LENET]),
            (["--model is missing"], [*DATA]),
            (["no parameter is named 'con1*'"], [*DATA, *LENET, "--freeze", "con1*"]),
            (["--batch must be a whole number, got 'many'"], [*DATA, "--model", "lenet", "--batch", "many"]),
            (['unknown precision "fp16"', "fp32 or bf16"], [*DATA, *LENET, "--precision", "fp16"]),
            (["--target-accuracy", "got 101"], [*DATA, *LENET, "--target-accuracy", "101"]),
        ):
            with self.subTest(arguments=arguments):
                self.assert_fails(2, words, "train", *arguments, *run)
        self.assertFalse((self.folder / "never").exists(), "a refused run leaves nothing")

    def test_a_folder_with_another_run(self):
        self.assert_fails(2, ["holds a run already", "--resume"], "train", *DATA, *LENET, "--run-dir", self.two)

    def test_exports_over_a_run(self):
        """A run's own files are never written over, whatever they are."""
        own = [file for file in sorted(self.two.rglob("*")) if file.is_file()]
        self.assertGreater(len(own), 3)
        for file in own:
            before = file.read_bytes()
            self.assert_fails(2, ["belongs to the run"], "export", self.four, "--format", "onnx", "--out", file)
            self.assertEqual(file.read_bytes(), before)

    def test_a_file_as_folder(self):
        file = self.folder / "file"
        file.write_text("")
        self.assert_fails(2, [str(file)], "train", *DATA, *LENET, "--run-dir", file)

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_a_folder_that_cannot_be_written(self):
        folder = self.folder / "locked"
        folder.mkdir(mode=0o500)
        self.assert_fails(2, [str(folder)], "train", *DATA, *LENET, "--run-dir", folder / "run")

    def test_weights_of_another_kind(self):
        self.assert_fails(3, ["nowhere"], "eval", "--weights", self.folder / "nowhere", *DATA)
        self.assert_fails(2, ["7 classes", "10"], "eval", "--run", self.two, "--data",
                          "synthetic:1x28x28,classes=7,count=600")


class Weights(TrainingTest):
    def start_with(self, name, *arguments):
        """Trains an epoch that starts with the best weights of `two`; returns its tensors, those weights and stderr."""
        run = self.folder / name
        result = self.succeed("train", *LENET, "--epochs", 1, "--init", self.two, "--run-dir", run, *arguments)
        best, _ = files.read_safetensors(self.two / "checkpoints" / "best" / "weights.safetensors")
        return files.read_safetensors(files.weights(run))[0], best, result.stderr

    def test_others_can_read_them(self):
        tensors, metadata = files.read_safetensors(files.weights(self.two))
        self.assertEqual({name: shape for name, (shape, _) in tensors.items()}, {
            "conv1.weight": [32, 1, 5, 5], "conv1.bias": [32], "conv2.weight": [64, 32, 5, 5], "conv2.bias": [64],
            "fc1.weight": [512, 3136], "fc1.bias": [512], "fc2.weight": [10, 512], "fc2.bias": [10]})
        self.assertEqual((metadata["model"], metadata["input"]), ("lenet", "1x28x28"))

    def altered(self, name, value, tensor="conv1.bias"):
        """A weights file of `two` in which all elements of one tensor are `value`."""
        file = self.folder / name
        data = files.weights(self.two).read_bytes()
        _, old = files.read_safetensors(files.weights(self.two))[0][tensor]
        file.write_bytes(data.replace(old, len(old) // 4 * struct.pack("<f", value)))
        return file

    def test_altered_ones_are_refused(self):
        run, image = self.copy(self.two, "altered"), self.folder / "any.png"
        files.write_png(image, 28, 28, (1, 2, 3))
        file = files.weights(run)
        file.write_bytes(self.altered("other.safetensors", 0.5).read_bytes())
        words = [str(file), "hash"]
        self.assert_fails(3, words, "eval", "--weights", file, *DATA)
        self.assert_fails(3, words, "predict", "--weights", file, image)
        self.assert_fails(3, words, "train", *DATA, *LENET, "--init", file, "--run-dir", self.folder / "not_begun")

    def test_those_that_are_no_numbers_are_refused(self):
        image = self.folder / "some.png"
        files.write_png(image, 28, 28, (1, 2, 3))
        for name, value in (("nan", float("nan")), ("inf", float("-inf"))):
            with self.subTest(name):
                file = self.altered(f"{name}.safetensors", value)
                words = [str(file), "conv1.bias", f"{value} at place 0"]
                self.assert_fails(3, words, "eval", "--weights", file, *DATA)
                self.assert_fails(3, words, "predict", "--weights", file, image)
                self.assert_fails(3, words, "train", *DATA, *LENET, "--init", file, "--run-dir",
                                  self.folder / "not_begun")
        file = self.altered("large.safetensors", 3e38, "fc2.weight")  # numbers, whose sums are none
        self.assert_fails(3, [str(file), "not numbers"], "eval", "--weights", file, *DATA)
        self.assert_fails(3, [str(file), "not numbers"], "predict", "--weights", file, image)

    def test_new_head_for_other_classes(self):
        tensors, best, text = self.start_with("seven", "--data", "synthetic:1x28x28,classes=7,count=600", "--freeze",
                                              "conv*,fc1.*")
        self.assertIn("6 tensors taken", text)
        self.assertIn("fc2.weight: 10x512 in the file, 7x512 here", text)
        self.assertIn("fc2.bias: 10 in the file, 7 here", text)
        self.assertEqual(tensors["fc2.weight"][0], [7, 512])
        for name in ("conv1.weight", "conv1.bias", "conv2.weight", "conv2.bias", "fc1.weight", "fc1.bias"):
            self.assertTrue(tensors[name] == best[name], f"{name} was not taken, or did not stay")

    def test_names_of_others_are_fitted(self):
        def renamed(name):
            return "module." + name.replace("fc2.", "classifier.")

        tensors, _ = files.read_safetensors(files.weights(self.two))
        header, data = {}, b""
        for name, (shape, values) in tensors.items():
            header[renamed(name)] = {"dtype": "F32", "shape": shape, "data_offsets": [len(data), len(data) + len(values)]}
            data += values
        text = json.dumps(header).encode()
        file = self.folder / "torch.safetensors"
        file.write_bytes(struct.pack("<Q", len(text)) + text + data)
        said = self.succeed("train", *DATA, *LENET, "--epochs", 1, "--init", file, "--run-dir", self.folder / "fitted").stderr
        for words in ('"module." taken off 8 names', '"classifier" taken for "fc2"', "8 tensors taken"):
            self.assertIn(words, said)

    def test_frozen_parameters_stay(self):
        tensors, best, text = self.start_with("frozen", *DATA, "--freeze", "conv1.*,fc2.weight")
        self.assertIn("8 tensors taken", text)
        frozen = {name for name in tensors if tensors[name] == best[name]}
        self.assertEqual(frozen, {"conv1.weight", "conv1.bias", "fc2.weight"})

    def test_accumulation_is_the_same_training(self):
        run = self.folder / "pieces"
        self.succeed("train", *DATA, *LENET, "--epochs", 1, "--accumulate", 2, "--run-dir", run)
        actual, expected = (float(files.epoch_losses(which)[0]["train_loss"]) for which in (run, self.four))
        self.assertNotEqual(actual, expected)  # sums are rounded differently, so it was indeed computed in pieces
        self.assertAlmostEqual(actual / expected, 1, delta=1e-3)


NETWORK = """
input = "1x28x28"
classes = 3
layers = [
  {conv = "conv", out = 4, kernel = 5, stride = 2},
  {block = "wide", name = "wide.{}", repeat = 2},
  {flatten = "flatten"},
  {dense = "fc", out = "classes"},
  {loss = "loss"},
]
[block.wide]
layers = [
  {conv = "conv", out = "channels", kernel = 3, pad = 1},
  {add = "add", from = ["conv", "in"]},
]
"""


class NetworksAsText(TrainingTest):
    """A network trained from a text file, which is deleted afterwards."""

    def written(self, name, text=NETWORK):
        file = self.folder / name
        file.write_text(text)
        return file

    def test_a_run_does_without_the_file(self):
        file = self.written("mine.toml")
        whole, run = self.folder / "whole", self.folder / "text"
        arguments = [*DATA, "--model", file, "--batch", 50, "--threads", 1]
        self.succeed("train", *arguments, "--epochs", 2, "--run-dir", whole)
        self.succeed("train", *arguments, "--epochs", 1, "--run-dir", run)
        file.write_text("changed")
        moved = run.rename(self.folder / "moved")
        self.assertEqual((moved / "network.toml").read_text(), NETWORK)
        self.succeed("train", "--resume", moved, "--epochs", 2)
        self.assert_same_weights(moved, whole)
        weights = self.folder / "alone.safetensors"
        weights.write_bytes(files.weights(moved).read_bytes())
        tensors, metadata = files.read_safetensors(weights)
        self.assertEqual((metadata["model"], metadata["network"]), ("mine", NETWORK))
        self.assertEqual(tensors["wide.1.conv.weight"][0], [4, 4, 3, 3])
        image = self.folder / "seen.png"
        files.write_png(image, 28, 28, (1, 2, 3))
        self.succeed("predict", "--weights", weights, image)
        self.succeed("eval", "--run", moved)
        again = self.folder / "again"
        self.succeed("train", "--config", moved / "resolved.toml", "--run-dir", again)
        self.assert_same_weights(again, whole)
        other = self.folder / "other"
        self.succeed("train", "--config", moved / "resolved.toml", "--model", "lenet", "--epochs", 1, "--choices", "",
                     "--run-dir", other)
        self.assertEqual(files.read_safetensors(files.weights(other))[1]["model"], "lenet")

    def test_other_commands_take_it_too(self):
        file = self.written("also.toml")
        self.assertIn("wide.1.add", self.succeed("summary", "--model", file).stdout)
        self.succeed("lr-find", *DATA, "--model", file, "--steps", 10, "--threads", 1)
        self.succeed("bench", "train", "--model", file, "--batch", 8, "--seconds", 0.1, "--threads", 1)
        shown = self.succeed("models", "--show", "resnet20").stdout
        self.assertEqual(self.succeed("models", "--show", self.written("same.toml", shown)).stdout, shown)
        stack = self.succeed("summary", "--stack", "5x5,5x5,5x5").stdout
        self.assertIn("receptive field  13x13", stack)

    def test_what_does_not_fit_is_refused_with_its_line(self):
        def refused(text, *words, code=2):
            self.assert_fails(code, words, "train", *DATA, "--model", self.written("bad.toml", text), "--run-dir",
                              self.folder / "no")

        refused(NETWORK.replace("kernel = 5", "kernel = 29"), "bad.toml:5", 'layer "conv"', "29x29")
        refused(NETWORK.replace("kernel = 5", "kernal = 5"), "bad.toml:5", '"kernel"')
        refused(NETWORK.replace('"classes"', "9"), "bad.toml:9", "10 classes")
        refused(NETWORK.replace('{loss = "loss"},', ""), "no loss")
        refused(NETWORK.replace("loss =", "mean_squared_error ="), "--loss", "mean_squared_error")
        refused("layers = " + "[" * 100000, "bad.toml:1", "nested")
        self.assert_fails(2, ["no file", "nowhere.toml"], "summary", "--model", "nowhere.toml")
        self.assert_fails(2, ["or --stack WINDOWS"], "summary")


class Use(TrainingTest):
    def test_threads_spin_briefly_unless_the_user_says_otherwise(self):
        def spins(**variables):
            """The spin count that OpenMP reports, once for each time that the program starts (itself again)."""
            unset = {name: value for name, value in self.environment.items()
                     if name not in ("GOMP_SPINCOUNT", "OMP_WAIT_POLICY")}
            run = subprocess.run([CONVOY, "--version"], env=dict(unset, OMP_DISPLAY_ENV="verbose", **variables),
                                 capture_output=True, text=True, check=True)
            return re.findall(r"GOMP_SPINCOUNT = '(\d+)'", run.stderr)
        before, now = spins()
        self.assertNotEqual(before, now)
        self.assertEqual(now, "200000")
        self.assertEqual(spins(GOMP_SPINCOUNT="123"), ["123"])
        self.assertEqual(len(spins(OMP_WAIT_POLICY="active")), 1)

    def test_threads_that_openmp_would_bind_leave_no_cpu_unused(self):
        def cores(**variables):
            run = subprocess.run([CONVOY, "doctor"], env=dict(self.environment, **variables), capture_output=True,
                                 text=True, check=True)
            return re.search(r"^cores +(.*)$", run.stdout, re.MULTILINE).group(1)
        expected = cores()
        self.assertEqual(cores(OMP_PROC_BIND="true"), expected)
        self.assertEqual(cores(OMP_PROC_BIND="close", OMP_PLACES="threads"), expected)
        one = min(os.sched_getaffinity(0))
        self.assertIn("1 usable", cores(GOMP_CPU_AFFINITY=str(one)))

    def test_the_process_has_the_name_of_the_program(self):
        """Although it starts itself again: top and killall should know it."""
        command = self.command("train", [*DATA, *LENET, "--epochs", 1000, "--run-dir", self.folder / "named"])
        with subprocess.Popen(command, env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as run:
            run.stderr.readline()  # it has started itself again by then
            with open(f"/proc/{run.pid}/comm", encoding="utf-8") as file:
                name = file.read().strip()
            run.terminate()
            run.stderr.read()
        self.assertEqual(run.returncode, 143)
        self.assertEqual(name, os.path.basename(CONVOY))

    def test_evaluation_finds_what_training_found(self):
        trained = files.summary(self.two)
        self.assertEqual(trained["best_epoch"], 2, "this test wants a run whose last epoch is its best")
        found = json.loads(self.succeed("eval", "--run", self.two, "--json").stdout)
        self.assertEqual(found["samples"], 120)
        self.assertEqual(found["top1"], trained["test_top1"])
        self.assertAlmostEqual(found["loss"], trained["test_loss"], delta=1e-4)
        self.assertEqual(found["confusion"], trained["confusion"])

    def test_progress_on_a_terminal_ends_before_the_result(self):
        leader, follower = pty.openpty()
        with subprocess.Popen(self.command("eval", ["--run", self.two]), env=self.environment, cwd=self.folder,
                              stdout=follower, stderr=follower):
            os.close(follower)
            text = b""
            with open(leader, "rb", buffering=0) as terminal, contextlib.suppress(OSError):  # an error is its end
                while piece := terminal.read(4096):
                    text += piece
        self.assertIn("testing: 120 of 120\r\n120 images\r\n", text.decode())

    def test_weights_know_their_loss(self):
        run, image = self.folder / "squares", self.folder / "squares.png"
        self.succeed("train", *DATA, *LENET, "--loss", "mean-squared-error", "--epochs", 1, "--run-dir", run)
        found = json.loads(self.succeed("eval", "--run", run, "--json").stdout)
        self.assertAlmostEqual(found["loss"], files.summary(run)["test_loss"], delta=1e-4)
        files.write_png(image, 28, 28, (90, 120, 150))
        (guesses,) = json.loads(self.succeed("predict", "--run", run, image, "--top", 10, "--json").stdout)
        shares = [guess["probability"] for guess in guesses["classes"]]
        self.assertAlmostEqual(sum(shares), 1, delta=1e-6)

    def test_prediction(self):
        image = self.folder / "grey.png"
        files.write_png(image, 40, 30, (90, 120, 150))
        found = json.loads(self.succeed("predict", "--run", self.two, image, image, "--top", 10, "--json").stdout)
        self.assertEqual([entry["image"] for entry in found], [str(image)] * 2)
        self.assertEqual(found[0]["classes"], found[1]["classes"])
        shares = [guess["probability"] for guess in found[0]["classes"]]
        self.assertAlmostEqual(sum(shares), 1, delta=1e-6)
        self.assertEqual(shares, sorted(shares, reverse=True))
        self.assertEqual({guess["name"] for guess in found[0]["classes"]}, {f"wave {k}" for k in range(10)})
        text = self.succeed("predict", "--weights", files.weights(self.two), image, "--top", 1).stdout
        self.assertIn(found[0]["classes"][0]["name"], text)

    def test_a_damaged_image_spoils_no_output(self):
        good, bad = self.folder / "good.png", self.folder / "bad.png"
        files.write_png(good, 28, 28, (1, 2, 3))
        bad.write_bytes(good.read_bytes()[:50])
        result = self.assert_fails(3, ["bad.png"], "predict", "--run", self.two, good, bad)
        self.assertEqual(result.stdout, "")

    def test_data_by_its_path(self):
        files.write_photos(self.folder / "photos", 28)
        arguments = ["--data", "photos", "--model", "lenet", "--image-size", 28, "--batch", 4]
        run = self.folder / "by_path"
        self.succeed("train", *arguments, "--epochs", 1, "--run-dir", run)
        self.assertIn('data = "folder:photos"', (run / "resolved.toml").read_text())
        self.succeed("eval", "--run", run)
        self.succeed("eval", "--run", run, "--data", self.folder / "photos")
        self.succeed("lr-find", *arguments, "--steps", 10)
        self.succeed("study", "sweep", *arguments, "--epochs", 1, "--lr", "0.01,0.02", "--dry-run")
        (self.folder / "photos" / "dark").rename(self.folder / "photos" / "shady")
        self.assert_fails(2, ["'light'", "was class 1", "renamed"], "eval", "--run", run)
        (self.folder / "photos" / "shady").rename(self.folder / "photos" / "dark")
        for command in (["train"], ["lr-find"], ["study", "sweep", "--lr", "0.1,0.2", "--dry-run"]):
            self.assert_fails(3, ["./photo: there is no such file or folder"], *command, "--data", "./photo", "--model",
                              "lenet")

    def test_learning_rates(self):
        picture = self.folder / "lr.svg"
        result = self.succeed("lr-find", *DATA, *LENET, "--steps", 40, "--json", "--out", picture)
        found = json.loads(result.stdout)
        rates = [point["rate"] for point in found["points"]]
        self.assertAlmostEqual(rates[0], 1e-6)
        self.assertEqual(rates, sorted(rates))
        self.assertIn(found["suggestion"], rates)
        self.assertTrue(picture.read_text().startswith("<svg"))
        self.assertEqual(len((self.folder / "lr.csv").read_text().splitlines()), 1 + len(rates))


if __name__ == "__main__":
    unittest.main(verbosity=2)
