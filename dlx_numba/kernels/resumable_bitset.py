"""Algorithm X (or C) on bitmaps as a resumable search."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..jit.bits import lowest_bit
from ..jit.compile import kernel
from ..jit.simd import align_stack, allocate_rows
from .bitmaps import (
    LANE_BITS,
    Entries,
    Scratch,
    Shape,
    Tables,
    allocate_scratch,
    allocate_tables,
    build_root,
    encode_entries,
)
from .bitset import (
    COVERED,
    DEAD_END,
    OPEN,
    BitsetState,
    choose_lane,
    choose_option,
    find_untried,
    first_option,
    propagate,
    row_vectors,
    search_bitset,
    start_bitset,
)
from .branching import BranchingRule
from .problem import Problem
from .resumable import CoverBuffer, KernelSearch
from .state import LEAVE, SOLUTION, Register

if TYPE_CHECKING:
    from typing_extensions import Self
