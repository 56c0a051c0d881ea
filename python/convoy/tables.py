"""Records as tables: pandas where it is installed, NumPy otherwise."""
from __future__ import annotations

from typing import Any, Dict, Union

import numpy

try:
    import pandas
except ImportError:
    pandas = None

Table = Union["pandas.DataFrame", Dict[str, numpy.ndarray]]


def table(columns: dict[str, list]) -> Table:
    """Columns by name. What is not known is NaN."""
    if pandas is not None:
        return pandas.DataFrame(columns)
    return {name: _column(values) for name, values in columns.items()}


def _column(values: list[Any]) -> numpy.ndarray:
    if any(value is None for value in values):
        return numpy.array([numpy.nan if value is None else value for value in values], dtype=float)
    return numpy.array(values)
