"""The example, as a script, and the notebook, cell by cell."""
import os
import pathlib
import subprocess
import sys

import pytest

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples/python"


def test_script(tmp_path):
    result = subprocess.run([sys.executable, EXAMPLES / "train.py"], cwd=tmp_path, capture_output=True, text=True,
                            check=False, timeout=300)
    assert result.returncode == 0, result.stderr
    assert "accuracy on new images" in result.stdout


def test_notebook(tmp_path, monkeypatch):
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    for needed in ("ipykernel", "matplotlib", "pandas"):
        pytest.importorskip(needed)
    # The notebook runs with this interpreter, whatever kernels Jupyter knows.
    kernel = tmp_path / "kernels/python3"
    kernel.mkdir(parents=True)
    (kernel / "kernel.json").write_text(
        f'{{"argv": ["{sys.executable}", "-m", "ipykernel_launcher", "-f", "{{connection_file}}"], '
        '"display_name": "Python 3", "language": "python"}', encoding="utf-8")
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    notebook = nbformat.read(EXAMPLES / "tour.ipynb", as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    pictures = [output for cell in notebook.cells for output in cell.get("outputs", [])
                if "image/png" in output.get("data", {})]
    assert len(pictures) == 2
    if os.environ.get("CONVOY_KEEP_NOTEBOOK"):
        nbformat.write(notebook, os.environ["CONVOY_KEEP_NOTEBOOK"])
