"""Studies: many runs that answer one question, as `convoy study` makes them."""
from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any, Optional

from . import _convoy
from .errors import DataError, SystemError, UserError
from .runs import _texts
from .tables import Table, table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from .model import Path


class Study:
    """A study by its folder: its points with their statistics, and what follows from them.

    analysis: every conclusion, as `convoy study --json` prints it
    """

    def __init__(self, folder: Path) -> None:
        self.folder = os.fspath(folder)
        self.analysis: dict = _convoy.read_study(self.folder)

    @property
    def points(self) -> Table:
        """A table with a row for each point: its settings, and the mean of each thing that was measured."""
        rows = [_flat(point) for point in self.analysis["points"]]
        names = list(dict.fromkeys(name for row in rows for name in row))
        return table({name: [row.get(name) for row in rows] for name in names})

    def plot(self) -> Figure:
        """Throughput of each point, as a matplotlib figure."""
        from .plots import plot_study
        return plot_study(self)

    def __repr__(self) -> str:
        return f"<convoy.Study {self.folder}: {self.analysis.get('kind')}, {len(self.analysis['points'])} points>"


def read_study(folder: Path) -> Study:
    """The study in a folder, also one that is not finished."""
    return Study(folder)


def study(kind: str, *, study_dir: Optional[Path] = None, quiet: bool = False, program: Optional[str] = None,
          **settings: Any) -> Study:
    """Runs a study and returns it. Every run is a process of its own, so nothing else should use the machine.

        study = convoy.study("scale", data="fashion-mnist", model="resnet20", workers=[1, 2], repeats=2)

    kind is "scale", "batch", "sweep" or "converge"; settings are the flags of `convoy study KIND` with underscores,
    and lists are varied. The program `convoy` does the work: beside Python, in PATH, or as `program` says. Ctrl-C stops
    it; read_study() then reads what there is, and `convoy study continue` goes on.
    """
    words = [_program(program), "study", kind, "--json"]
    if study_dir is not None:
        words += ["--study-dir", os.fspath(study_dir)]
    for key, text in _texts(settings).items():
        words += [f"--{key}"] if text == "true" else [] if text == "false" else [f"--{key}", text]
    result = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE if quiet else None, text=True,
                            check=False)
    if result.returncode != 0:
        text = (result.stderr or "").strip().removeprefix("error: ") or f"convoy study ended with {result.returncode}"
        raise {2: UserError, 3: DataError}.get(result.returncode, SystemError)(text)
    return Study(pathlib.Path(json.loads(result.stdout)["report"]).parent)


def _program(named: Optional[str]) -> str:
    beside = pathlib.Path(sys.executable).with_name("convoy")
    found = named or (str(beside) if beside.exists() else shutil.which("convoy"))
    if not found:
        raise UserError("the program convoy is not in PATH; program= says where it is")
    return found


def _flat(point: dict) -> dict:
    row = {}
    for name, value in point.items():
        if isinstance(value, dict) and "mean" in value:
            row[name] = value["mean"]
        elif isinstance(value, dict):
            row.update({key: _number(inner) for key, inner in value.items() if not isinstance(inner, (dict, list))})
        elif not isinstance(value, list):
            row[name] = _number(value)
    return row


def _number(value: Any) -> Any:
    try:
        return int(value) if isinstance(value, str) else value
    except ValueError:
        return value
