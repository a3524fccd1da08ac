"""Chunks of records in, chunks with their results out, in order, solved as they are read."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator

from .backends import Team
from .executor_backend import TaskTeam
from .io.records import Records
from .result import BatchResult


def solve_stream(
    chunks: Iterable[Records], team: Team | TaskTeam
) -> Iterator[tuple[Records, BatchResult]]:
    """Solve chunks with a team, some ahead of the one that is yielded."""
    waiting: deque[tuple[Records, Callable[[], BatchResult]]] = deque()
    error: Exception | None = None
    try:
        for records in chunks:
            waiting.append((records, team.submit(records.boards, records.box)))
            if len(waiting) > 2 * team.threads:
                done, result = waiting.popleft()
                yield done, result()
    except Exception as raised:  # what was read before it is not lost
        error = raised
    while waiting:
        done, result = waiting.popleft()
        yield done, result()
    if error is not None:
        raise error
