"""Covers in arrays: the options of one cover after those of another, without an object for each."""

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import accumulate, chain, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..jit import inlined, njit
from .csr import join_ranges
from .sorting import sort_short

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    CoverT = TypeVar("CoverT", bound=list[int], covariant=True, default=list[int])
else:
    from typing import TypeVar

    CoverT = TypeVar("CoverT", covariant=True)

COVERS_PER_BATCH = 1024  # that an iteration converts to lists at a time
OPTIONS_AHEAD = 1 << 26  # for which memory is reserved before there are so many


NO_NUMBERS = np.zeros(0, np.int64)


class Translation(NamedTuple):
    """The numbers of the options of a simplified problem, and the options that were given."""

    option_numbers: NDArray[np.int64] = NO_NUMBERS  # (options,) empty if they are the same
    given: NDArray[np.int64] = NO_NUMBERS  # options that belong to each solution


UNCHANGED = Translation()


class CoverArray(Sequence[CoverT]):
    """An immutable sequence of covers, which are sorted lists of options if they are looked at.

    Parameters
    ----------
    options : ndarray of int32
        The options of all covers. It may contain those of other covers before and after them.
    indptr : ndarray of int64, shape (covers + 1,)
        Cover `k` consists of `options[indptr[k] : indptr[k + 1]]`.
    """

    __slots__ = "indptr", "options"

    def __init__(self, options: NDArray[np.int32], indptr: NDArray[np.int64]) -> None:
        self.options = options
        self.indptr = indptr

    def __len__(self) -> int:
        return len(self.indptr) - 1

    def __getitem__(self, k: Any) -> Any:
        """Return a cover as a list, or for a slice, covers that share the options if possible."""
        if isinstance(k, slice):
            begin, end, step = k.indices(len(self))
            if step == 1:
                return CoverArray(self.options, self.indptr[begin : max(begin, end) + 1])
            return select_covers(self, np.arange(begin, end, step))
        try:
            k = range(len(self))[k]
        except IndexError:
            raise IndexError(f"{k} is not the index of one of {len(self)} covers") from None
        return self.options[self.indptr[k] : self.indptr[k + 1]].tolist()

    def __iter__(self) -> Iterator[CoverT]:
        part: Any
        for begin in range(0, len(self), COVERS_PER_BATCH):
            part = CoverArray.__getitem__(self, slice(begin, begin + COVERS_PER_BATCH))
            yield from part.tolist()

    def tolist(self) -> list[list[int]]:
        """Return the covers as lists of numbers."""
        bounds = self.indptr.tolist()
        first = bounds[0]
        numbers = self.options[bounds[0] : bounds[-1]].tolist()
        return [numbers[begin - first : end - first] for begin, end in pairwise(bounds)]


NONE = CoverArray(np.zeros(0, np.int32), np.zeros(1, np.int64))


def as_array(covers: Iterable[Sequence[int]]) -> CoverArray:
    """Convert lists of options."""
    lists = list(covers)
    ends = accumulate(map(len, lists), initial=0)
    indptr = np.fromiter(ends, np.int64, len(lists) + 1)
    return CoverArray(np.fromiter(chain.from_iterable(lists), np.int32, indptr[-1]), indptr)


@inlined
def write_cover(stored, numbers, given, options, start):
    """Translate and sort the options of a cover, and write them.

    Parameters: `stored` (n,) uint32; `numbers` and `given` (n,) int64 as in `Translation`;
    `options` (n,) int32, which is written from `start` on. Returns the end of the cover.
    """
    end = np.int64(start)
    for option in stored:
        options[end] = option if len(numbers) == 0 else numbers[option]
        end += 1
    for i in range(len(given)):
        options[end] = given[i]
        end += 1
    sort_short(options[start:end])
    return end


@njit
def write_covers(stored, indptr, numbers, given, options, ends):
    """Write covers, of which `k` consists of `stored[indptr[k] : indptr[k + 1]]`.

    Parameters: `stored`, `numbers`, `given` and `options` as in `write_cover`; `indptr` and `ends`
    (covers + 1,) int64, the latter of which is written.
    """
    ends[0] = 0
    for k in range(len(ends) - 1):
        cover = stored[indptr[k] : indptr[k + 1]]
        ends[k + 1] = write_cover(cover, numbers, given, options, ends[k])


def sort_covers(
    stored: NDArray[np.uint32], indptr: NDArray[np.int64], translation: Translation
) -> CoverArray:
    """Translate and sort covers. Cover `k` consists of `stored[indptr[k] : indptr[k + 1]]`."""
    n_given = len(translation.given) * (len(indptr) - 1)
    options = np.empty(len(stored) + n_given, np.int32)
    ends = np.empty_like(indptr)
    write_covers(stored, indptr, *translation, options, ends)
    return CoverArray(options, ends)


def join_covers(parts: Collection[CoverArray]) -> CoverArray:
    """Return the covers of several arrays as one array, which has the options of these covers only.

    If there is one part, and it has no other options, it is returned itself.
    """
    if len(parts) == 1:
        [part] = parts
        if part.indptr[0] == 0 and part.indptr[-1] == len(part.options):
            return part
    lengths = [np.zeros(1, np.int64), *(np.diff(part.indptr) for part in parts)]
    options = [part.options[part.indptr[0] : part.indptr[-1]] for part in parts]
    joined = options[0] if len(options) == 1 else np.concatenate([NONE.options, *options])
    return CoverArray(joined, np.cumsum(np.concatenate(lengths)))


def collect_covers(parts: Iterable[CoverArray], n_covers: int) -> CoverArray:
    """Copy up to `n_covers` covers from parts that begin at 0, each before the next is made."""
    options = NONE.options
    lengths = [np.zeros(1, np.int64)]
    n_copied = end = 0
    for part in parts:
        lengths.append(np.diff(part.indptr))
        n_copied += len(part)
        begin, end = end, end + int(part.indptr[-1])
        if end > len(options):  # memory for as many options in each of the other covers
            ahead = -(-end // n_copied) * (n_covers - n_copied)
            copied = options[:begin]
            options = np.empty(end + min(ahead, max(end, OPTIONS_AHEAD)), np.int32)
            options[:begin] = copied
        options[begin:end] = part.options[: end - begin]
    return CoverArray(options[:end], np.cumsum(np.concatenate(lengths)))


def select_covers(covers: CoverArray, numbers: NDArray[np.int64]) -> CoverArray:
    """Return the covers with some numbers, in this order."""
    begin = covers.indptr[numbers]
    end = covers.indptr[numbers + 1]
    positions, _ = join_ranges(begin, end)
    return CoverArray(covers.options[positions], np.append(0, np.cumsum(end - begin)))


class CoverQueue:
    """Covers that were found and not yet returned: arrays are appended, and covers taken."""

    def __init__(self) -> None:
        self._parts: deque[CoverArray] = deque()
        self._n_covers = 0

    def __len__(self) -> int:
        return self._n_covers

    def append(self, covers: CoverArray) -> None:
        """Append covers at the end."""
        self._parts.append(covers)
        self._n_covers += len(covers)

    def take(self, n: int) -> CoverArray:
        """Remove up to `n` covers from the front, and return them."""
        taken: list[CoverArray] = []
        n = min(n, self._n_covers)
        self._n_covers -= n
        while n > 0:
            part = self._parts.popleft()
            n_covers = len(part)
            if n_covers > n:
                self._parts.appendleft(part[n:])
                part = part[:n]
            taken.append(part)
            n -= n_covers
        return join_covers(taken)

    def tolist(self) -> list[list[int]]:
        """Return all covers as lists, without removing them."""
        return join_covers(self._parts).tolist()
