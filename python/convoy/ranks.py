"""The processes that a script runs on: those that mpirun started, or this one alone.

The same script runs either way. Under ``mpirun -n 4 python script.py`` every rank builds the same network and calls the
same functions with the same arrays; in a step each computes its part of the rows. MPI that mpi4py has initialised is
used as it is.
"""
import atexit
import gc
import sys
import weakref

from . import _convoy

_models = weakref.WeakSet()


def rank() -> int:
    """Which of the processes this is, from 0: the first one prints and writes files."""
    return _convoy.rank()


def size() -> int:
    """How many processes train together."""
    return _convoy.size()


def barrier() -> None:
    """Waits until all ranks have called it."""
    _convoy.barrier()


def _note(model) -> None:
    _models.add(model)


# Memory that ranks share has to be freed by all of them together, before MPI ends.
@atexit.register
def _leave() -> None:
    gc.collect()
    for model in sorted(_models, key=lambda each: each._number):  # pylint: disable=protected-access
        model._close()  # pylint: disable=protected-access
    _convoy.leave_ranks()


# A rank that fails ends the others too: they would wait for it for ever.
def _abort_after(hook):
    def end_all(kind, value, trace):
        hook(kind, value, trace)
        if _convoy.joined_size() > 1:
            sys.stderr.flush()
            _convoy.abort(1)

    return end_all


def _watch_for_failures() -> None:
    sys.excepthook = _abort_after(sys.excepthook)


_watch_for_failures()
