"""Records as tables: pandas where it is installed, NumPy otherwise."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Union

import numpy

if TYPE_CHECKING:
    import pandas

Table = Union["pandas.DataFrame", Dict[str, numpy.ndarray]]


def _pandas() -> Any:
    """pandas, or None. Imported only when it is needed, because that takes as long as compiling a network."""
    try:
        import pandas
    except ImportError:
        return None
    return pandas


def table(columns: dict[str, list]) -> Table:
    """Columns by name. What is not known is NaN."""
    frames = _pandas()
    if frames is not None:
        return frames.DataFrame(columns)
    return {name: _column(values) for name, values in columns.items()}


def _column(values: list[Any]) -> numpy.ndarray:
    if any(value is None for value in values):
        return numpy.array([numpy.nan if value is None else value for value in values], dtype=float)
    return numpy.array(values)
