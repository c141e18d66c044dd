"""The compiled part; `treebound` checks its arguments."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

STATUSES: list[str]

_Limits = tuple[int | None, int | None, int | None]

def decode(
    arcs: NDArray[Any],
    arguments: Any,
    grid: float | None,
    limits: _Limits,
) -> dict[str, Any]: ...
def kbest(arcs: NDArray[Any], arguments: Any, k: int, grid: float | None, limits: _Limits) -> dict[str, Any]: ...
def marginals(arcs: NDArray[Any], arguments: Any, scale: float) -> dict[str, Any]: ...
def entropy(arcs: NDArray[Any], arguments: Any, scale: float) -> NDArray[np.float64]: ...
