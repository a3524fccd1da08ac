"""Kernels as Numba compiles them by itself. This module uses public interfaces of Numba only."""

import numba

from . import lowering  # noqa: F401  (it registers the lowering)
from .namespaces import Copies

dispatchers = Copies(lambda function, kernel: numba.njit(nogil=True)(function))
