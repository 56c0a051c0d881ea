"""Whole runs, their records, and studies."""
import os
import pathlib
import signal

import numpy
import pytest

import convoy

SMALL = {"data": "synthetic:1x28x28,classes=4,count=96", "model": "lenet", "batch": 32, "epochs": 2, "threads": 1}


def test_a_run_and_its_tables(tmp_path):
    steps, epochs = [], []
    run = convoy.train(**SMALL, run_dir=tmp_path / "run", on_step=steps.append, on_epoch=epochs.append)
    assert run.summary["status"] == "completed"
    assert [each["step"] for each in steps] == [1, 2, 3, 4, 5, 6]
    assert steps[0]["gradient_norm"] > 0 and steps[1]["gradient_norm"] is None
    assert list(run.epochs["epoch"]) == [1, 2]
    assert list(run.epochs["test_top1"]) == [each["test_top1"] for each in epochs]
    assert list(run.steps["loss"]) == pytest.approx([each["loss"] for each in steps])
    assert run.settings["batch"] == 32
    again = convoy.read_run(tmp_path / "run")
    assert again.summary == run.summary
    model = run.model(threads=1)
    assert model.predict(numpy.zeros((2, 1, 28, 28), numpy.uint8)).sum(1) == pytest.approx([1, 1], abs=1e-5)


def test_a_callback_ends_it_and_it_goes_on(tmp_path):
    run = convoy.train(**SMALL, run_dir=tmp_path / "run",
                       on_step=lambda each: convoy.STOP if each["step"] == 4 else None)
    assert run.summary["status"] == "interrupted" and run.summary["steps"] == 4
    whole = convoy.train(**SMALL, run_dir=tmp_path / "whole")
    after = convoy.train(resume=tmp_path / "run")
    assert after.summary["status"] == "completed"
    assert list(after.steps["loss"]) == list(whole.steps["loss"]), "the same bits as one that never stopped"


def test_an_error_in_a_callback_comes_through(tmp_path):
    def fail(_):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        convoy.train(**SMALL, run_dir=tmp_path / "run", on_epoch=fail)
    assert convoy.read_run(tmp_path / "run").summary["status"] == "failed"


def test_ctrl_c_leaves_a_checkpoint(tmp_path):
    def press(each):
        if each["step"] == 2:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt, match="run is kept in"):
        convoy.train(**SMALL, run_dir=tmp_path / "run", on_step=press)
    run = convoy.read_run(tmp_path / "run")
    assert run.summary["status"] == "interrupted" and run.summary["steps"] == 2
    assert convoy.train(resume=tmp_path / "run").summary["steps"] == 6


def test_settings_that_are_none(tmp_path):
    with pytest.raises(convoy.UserError, match="did you mean lr"):
        convoy.train(**SMALL, learning_rate=1)
    with pytest.raises(convoy.UserError, match="--model is missing"):
        convoy.train(data="synthetic:1x8x8", run_dir=tmp_path / "run")
    with pytest.raises(convoy.DataError):
        convoy.read_run(tmp_path / "nothing")
    assert {"lr", "async_"} <= set(convoy.help_settings())


def test_data_as_arrays():
    data = convoy.load_data("synthetic:3x8x8,classes=4,count=50")
    assert data.images.shape == (50, 3, 8, 8) and data.images.dtype == numpy.uint8
    assert len(data.test_images) == 10 and set(data.labels) <= {0, 1, 2, 3}
    assert len(data.mean) == 3
    assert "50 images of 3x8x8" in repr(data)


def test_without_pandas(monkeypatch):
    from convoy import tables
    monkeypatch.setattr(tables, "_pandas", lambda: None)
    columns = tables.table({"a": [1, 2], "b": [None, 0.5]})
    assert columns["a"].dtype.kind == "i" and numpy.isnan(columns["b"][0])


def test_figures(tmp_path):
    pytest.importorskip("matplotlib")
    run = convoy.train(**SMALL, run_dir=tmp_path / "run")
    run.plot().savefig(tmp_path / "run.png")
    assert (tmp_path / "run.png").stat().st_size > 5000


def test_a_study(tmp_path):
    program = os.environ.get("CONVOY_PROGRAM")
    if not program:
        pytest.skip("CONVOY_PROGRAM names the program convoy")
    few = {key: value for key, value in SMALL.items() if key != "epochs"}
    study = convoy.study("sweep", **few, epochs=1, lr=[0.01, 0.02], repeats=1, study_dir=tmp_path / "study", quiet=True,
                         program=program)
    assert sorted(study.points["lr"]) == [0.01, 0.02] or sorted(map(float, study.points["lr"])) == [0.01, 0.02]
    assert convoy.read_study(tmp_path / "study").analysis == study.analysis
    with pytest.raises(convoy.UserError, match="--lrr|lr"):
        convoy.study("sweep", **few, lrr=1, quiet=True, program=program)
    assert pathlib.Path(study.folder) == tmp_path / "study"
