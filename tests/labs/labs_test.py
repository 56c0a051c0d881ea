"""Runs the commands of the pages in docs/labs on tiny data. Usage: labs_test.py PATH_OF_CONVOY FOLDER_OF_PAGES

A command is a line of a block marked ```sh that begins with `convoy`; a backslash at its end continues it. Commands of
a page run in order in one folder, so that a later one finds what an earlier one left. Full-size commands, which a page
only shows, stand in blocks without that mark.
"""
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

CONVOY = pathlib.Path(sys.argv.pop(1)).resolve()
PAGES = sorted(pathlib.Path(sys.argv.pop(1)).glob("*.md"))

# The tiny data that stands in for a page's data.
DATA = {
    "data/cifar10": "synthetic:3x32x32,classes=10,count=96",
    "data/tiny-imagenet-200": "synthetic:3x32x32,classes=20,count=96",
    "data/fruits": "synthetic:3x32x32,classes=6,count=96",
    "data/caltech256": "synthetic:3x32x32,classes=10,count=96",
}
# The smaller networks that stand in for those of a page.
MODELS = {"alexnet": "lenet", "vgg16": "alexnet-cifar", "resnet34": "resnet20", "resnet18": "resnet20"}
MOST = {"--epochs": 2, "--retrain-best": 3, "--train-samples": 64, "--test-samples": 16}
CNTK_LINE = ("Finished Epoch[{0} of 10]: [Training] loss = 5.3 * 10000, metric = 99.4% * 10000 {1:.3f}s "
             "({2:.1f} samples/s);\n")


def commands_of(page):
    """The commands of a page, each one line."""
    for block in re.findall(r"^```sh\n(.*?)^```", page.read_text(encoding="utf-8"), re.S | re.M):
        for line in block.replace("\\\n", " ").splitlines():
            if line.startswith("convoy "):
                yield line


def tiny_value(flag, value):
    if flag in MOST:
        return str(min(int(value), MOST[flag]))
    if flag == "--data":
        return DATA[value]
    if flag == "--model":
        return ",".join(MODELS.get(name, name) for name in value.split(","))
    if flag == "--batch":
        return ",".join(str(8 << place) for place in range(len(value.split(","))))
    if flag == "--image-size":
        return None
    return value


def tiny(command):
    """The same command on tiny data. `>` and file patterns stay unquoted, for the shell."""
    words = shlex.split(command)
    result = []
    trains = words[1] in ("train", "study", "data")
    place = 0
    while place < len(words):
        word = words[place]
        place += 1
        if trains and word.startswith("--") and place < len(words) and not words[place].startswith("--"):
            value = tiny_value(word, words[place])
            place += 1
            if value is not None:
                result += [word, value]
        else:
            result.append(word)
    return " ".join(word if word == ">" or "*" in word else shlex.quote(word) for word in result)


def write_logs(folder):
    """Writes the logs that pages import: lines as CNTK writes them, with times that follow Amdahl's law."""
    folder.mkdir()
    for lab, model, batch in (("lab1", "alexnet", 100), ("lab2", "alexnet", 256), ("lab2", "vgg16", 128)):
        for nodes in (1, 2, 4, 8):
            lines = ""
            for epoch in range(1, 11):
                rate = (100 + epoch % 3) * nodes / (1 + 0.1 * (nodes - 1))
                lines += CNTK_LINE.format(epoch, 10000 / rate, rate)
            (folder / f"{lab}-cpu-{model}-batch{batch}-nodes{nodes}.log").write_text(lines)


class LabsTest(unittest.TestCase):
    def run_page(self, page):
        commands = list(commands_of(page))
        self.assertGreater(len(commands), 1, "the page has no commands")
        with tempfile.TemporaryDirectory() as folder:
            write_logs(pathlib.Path(folder) / "logs")
            for command in commands:
                line = tiny(command).replace("convoy", shlex.quote(str(CONVOY)), 1)
                done = subprocess.run(["bash", "-c", line], cwd=folder, capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, 0, f"{command}\n{line}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")

    def test_there_are_five(self):
        self.assertEqual(len([page for page in PAGES if page.stem != "README"]), 5)


for each in PAGES:
    if each.stem != "README":
        setattr(LabsTest, f"test_{each.stem.replace('-', '_')}", lambda self, page=each: self.run_page(page))

if __name__ == "__main__":
    unittest.main()
