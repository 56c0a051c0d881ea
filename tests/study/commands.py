"""Runs the convoy program in a folder of the test's own."""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

# Variables of a launcher that started this test; the ranks that the test starts must not see them.
LAUNCHER_VARIABLES = re.compile("OMPI_COMM_|PMIX_|PMI_|SLURM_")
SMALL = ["--model", "lenet", "--data", "synthetic:1x28x28,count=192", "--batch", "48", "--threads", "1"]
CNTK_LINE = "Finished Epoch[{epoch} of 2]: [Training] loss = {loss} * 1000, metric = 90.00% * 1000 {seconds}s ({rate} samples/s);\n"


class Commands(unittest.TestCase):
    convoy = ""

    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory(prefix="convoy_study_")
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = pathlib.Path(temporary.name)
        kept = {name: value for name, value in os.environ.items() if not LAUNCHER_VARIABLES.match(name)}
        cls.environment = dict(kept, XDG_CACHE_HOME=str(cls.folder / "cache"))

    def command(self, *arguments):
        return [str(part) for part in (self.convoy, *arguments)]

    def run_convoy(self, code, *arguments):
        result = subprocess.run(self.command(*arguments), env=self.environment, cwd=self.folder, capture_output=True,
                                text=True, check=False, timeout=300)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result

    def write_log(self, name, rates):
        lines = "".join(CNTK_LINE.format(epoch=i + 1, loss=2 - i, seconds=1000 / rate, rate=rate)
                        for i, rate in enumerate(rates))
        (self.folder / name).write_text(lines, encoding="utf-8")
        return name
