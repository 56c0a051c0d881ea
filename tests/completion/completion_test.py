"""The completion script in a real bash, and manual pages as files. Usage: completion_test.py PATH_OF_CONVOY"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

CONVOY = sys.argv.pop(1)

# Calls the function that bash would call to complete the last word.
ASK = """
eval "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_convoy
printf '%s\\n' "${COMPREPLY[@]}"
"""


def output_of(*arguments):
    return subprocess.run([CONVOY, *arguments], capture_output=True, text=True, check=True).stdout


class CompletionTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.script = output_of("completion", "bash")

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="convoy_completion_")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def offers(self, *words):
        # -u: a variable that the script forgot to set is an error.
        result = subprocess.run(["bash", "--norc", "-uc", ASK, "bash", self.script, "convoy", *words], cwd=self.folder,
                                capture_output=True, text=True, check=True)
        self.assertEqual(result.stderr, "")
        return result.stdout.split("\n")[:-1]

    def test_commands(self):
        self.assertEqual(self.offers("tr"), ["train"])
        self.assertIn("study", self.offers(""))
        self.assertEqual(self.offers("data", "p"), ["preview", "pack"])
        self.assertEqual(self.offers("manual", "doc"), ["doctor"])
        self.assertEqual(self.offers("completion", ""), ["bash"])

    def test_flags_are_those_of_the_command(self):
        self.assertEqual(self.offers("train", "--mod"), ["--model"])
        self.assertEqual(self.offers("data", "get", "--fo"), ["--force"])
        self.assertNotIn("--force", self.offers("train", "--"))
        self.assertIn("--json", self.offers("doctor", ""))

    def test_names(self):
        models = [model["name"] for model in json.loads(output_of("models", "--json"))["models"]]
        self.assertEqual(self.offers("train", "--model", ""), models)
        self.assertEqual(self.offers("train", "--quiet", "--model", "mobile"), ["mobilenet", "mobilenetv2"])
        self.assertEqual(self.offers("train", "--data", "fash"), ["fashion-mnist"])
        self.assertEqual(self.offers("data", "info", "cifar100"), ["cifar100"])

    def test_a_value_behind_an_equals_sign(self):
        # bash gives "--model=" as two words.
        self.assertIn("resnet20", self.offers("train", "--model", "="))
        self.assertEqual(self.offers("train", "--model", "=", "resnet20"), ["resnet20"])

    def test_files_and_folders(self):
        (self.folder / "my runs").mkdir()
        (self.folder / "my settings.toml").touch()
        self.assertEqual(sorted(self.offers("train", "--config", "my")), ["my runs", "my settings.toml"])
        self.assertEqual(self.offers("train", "--resume", "my"), ["my runs"])
        self.assertEqual(self.offers("report", "m"), ["my runs"])
        self.assertEqual(self.offers("train", "--data", "my r"), ["my runs"])

    def test_nothing_for_other_values(self):
        (self.folder / "1").touch()
        self.assertEqual(self.offers("train", "--epochs", ""), [""])

    def test_a_command_behind_slurm(self):
        self.assertEqual(self.offers("slurm", "--nodes", "4", "tra"), ["train"])
        self.assertEqual(self.offers("slurm", "--nodes", "4", "train", "--mod"), ["--model"])
        self.assertEqual(self.offers("slurm", "study", "sc"), ["scale"])


class ManualTest(unittest.TestCase):
    def test_a_page_for_each_command(self):
        with tempfile.TemporaryDirectory(prefix="convoy_manual_") as name:
            folder = pathlib.Path(name, "man", "man1")
            output_of("manual", "--out", str(folder))
            pages = {page.name for page in folder.iterdir()}
            self.assertLessEqual({"convoy.1", "convoy-train.1", "convoy-data-get.1", "convoy-study-scale.1"}, pages)
            self.assertEqual((folder / "convoy-data-get.1").read_text(), output_of("manual", "data", "get"))

    def test_pages_are_true_on_other_machines(self):
        def pages(home, cores):
            with tempfile.TemporaryDirectory(prefix="convoy_manual_") as folder:
                environment = {"PATH": os.environ["PATH"], "HOME": home}
                subprocess.run([CONVOY, "manual", "--out", folder], check=True, env=environment,
                               preexec_fn=lambda: os.sched_setaffinity(0, cores))
                return {page.name: page.read_text() for page in pathlib.Path(folder).iterdir()}

        cores = os.sched_getaffinity(0)
        if len(cores) == 1:
            self.skipTest("a machine of one core, and no other to compare with")
        self.assertEqual(pages("/home/one", cores), pages("/home/two", {min(cores)}))

    def test_unknown_command(self):
        result = subprocess.run([CONVOY, "manual", "data", "gett"], capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 2)
        self.assertIn("convoy data has no command 'gett'; did you mean get?", result.stderr)


if __name__ == "__main__":
    unittest.main()
