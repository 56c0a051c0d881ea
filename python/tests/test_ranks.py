"""The same script alone and under mpirun, with and without mpi4py."""
import os
import shutil
import subprocess
import sys

import pytest

SCRIPT = """
import sys
if "mpi4py" in sys.argv:
    from mpi4py import MPI
sys.path.insert(0, {tests!r})
import convoy
from conftest import small_graph, stripes

images, labels = stripes(70)
model = convoy.Model(small_graph_without_norm(), batch=32, threads=1, exact=True)
losses = [each["loss"] for each in model.fit(images, labels, epochs=2, lr=0.05)]
run = convoy.train(data="synthetic:1x28x28,classes=4,count=96", model="lenet", batch=32, epochs=1, threads=1, exact=True,
                   run_dir=sys.argv[1])
if convoy.rank() == 0:
    print(convoy.size(), *losses, run.summary["test_loss"])
else:
    assert run is None
if "fail" in sys.argv and convoy.rank() == 1:
    raise RuntimeError("rank 1 gave up")
if "fail" in sys.argv:
    convoy.barrier()
"""

# Without batch norm, which uses each rank's own samples, the network learns the same on any number of ranks.
GRAPH = """
def small_graph_without_norm():
    graph = convoy.Graph()
    x = convoy.relu(convoy.conv(convoy.input(graph, (1, 8, 8)), out=8, kernel=3, pad=1))
    convoy.softmax_cross_entropy(convoy.dense(convoy.flatten(convoy.global_average_pool(x)), out=3))
    return graph
"""


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "script.py"
    text = SCRIPT.format(tests=os.path.dirname(__file__))
    path.write_text(text.replace("images, labels = stripes", GRAPH + "\nimages, labels = stripes", 1), encoding="utf-8")
    return path


def run(words, cwd):
    environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    return subprocess.run([str(word) for word in words], cwd=cwd, env=environment, capture_output=True, text=True,
                          check=False, timeout=300)


def mpirun(ranks):
    if shutil.which("mpirun") is None:
        pytest.skip("there is no mpirun")
    return ["mpirun", "--oversubscribe", "-n", ranks]


def numbers(result):
    assert result.returncode == 0, result.stdout + result.stderr
    return [float(each) for each in result.stdout.split()]


def test_the_same_training_alone_and_on_ranks(script, tmp_path):
    alone = numbers(run([sys.executable, script, "alone"], tmp_path))
    both = numbers(run([*mpirun(2), sys.executable, script, "both"], tmp_path))
    assert (alone[0], both[0]) == (1, 2)
    assert both[1:] == pytest.approx(alone[1:], rel=1e-4)


def test_with_mpi4py(script, tmp_path):
    pytest.importorskip("mpi4py")
    alone = numbers(run([sys.executable, script, "alone", "mpi4py"], tmp_path))
    both = numbers(run([*mpirun(2), sys.executable, script, "both", "mpi4py"], tmp_path))
    assert (alone[0], both[0]) == (1, 2)
    assert both[1:] == pytest.approx(alone[1:], rel=1e-4)


def test_a_rank_that_fails_ends_the_others(script, tmp_path):
    result = run([*mpirun(2), sys.executable, script, "both", "fail"], tmp_path)
    assert result.returncode != 0
    assert "rank 1 gave up" in result.stderr
