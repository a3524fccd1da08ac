"""Resume a run after the last complete record in its output file."""

import csv
import sys
from collections.abc import Iterable, Iterator
from itertools import chain

import numpy as np

from .all_solutions import SolutionBlock
from .engines.registry import resolve_engine
from .io.records import Numbering, Records
from .io.write import Writer
from .io.written import WrittenFile, parse_record


class ResumeError(ValueError):
    """An output file does not belong to the input and the options of this run."""


class ResumedRun:
    """The rest of a run: the input that follows the last complete record in its output file.

    The input is read again, but not solved. The output file is compared with it: at least one
    record in each block of the file must be exactly what this run would write for its puzzle.

    Parameters
    ----------
    path
        The output file. It is read, not changed.
    chunks
        The chunks of the whole input.
    writer
        A writer with the options of this run. It continues after the last record.
    engine
        The name of the engine, which determines the unit of the work; see `Writer.format`.
    is_numbered
        Whether the run writes all solutions, with their numbers.

    Attributes
    ----------
    chunks : iterator of Records
        The chunks of the rest of the input.
    position : int
        The size of the complete records in the file.
    n_records : int
        Their number.
    torn : bytes
        The beginning of the next record, if the file ends with an incomplete one.

    Raises
    ------
    ResumeError
        If the file was not written by a run with the same input and options, as far as this can be
        detected.
    OSError
        If the file cannot be read.
    """

    def __init__(
        self,
        path: str,
        chunks: Iterator[Records],
        writer: Writer,
        engine: str,
        is_numbered: bool,
    ) -> None:
        self.path, self.writer, self.engine = path, writer, engine
        self.is_numbered = is_numbered
        self.position = self.n_records = 0
        self._input = _InputPosition(chunks)
        self._last_solution = 0  # the number of the last solution in the file
        file = WrittenFile(path, writer.style, is_numbered)
        try:
            for block in file.blocks():
                n_started = block.n_started
                if not self.n_records:  # the first record has the header, which has the options
                    self._advance(1)
                    self._check(block.first, file.header)
                    n_started -= 1
                self._advance(n_started)
                self._check(block.last, file.header)
                self.position, self.n_records = block.end, self.n_records + block.n_records
        except ResumeError:
            raise
        except (ValueError, csv.Error, RecursionError):
            raise self._mismatch() from None
        self.torn = file.torn
        # The last puzzle may have more solutions than the file.
        self._n_known = self._last_solution
        self._puzzle_number = self._input.last.first_number if self._n_known else 0
        self.chunks = self._input.rest(includes_last=self._n_known > 0)

    def new_blocks(self, blocks: Iterable[SolutionBlock]) -> Iterator[SolutionBlock]:
        """Yield the blocks of the rest, without the solutions that are in the file already.

        Nothing is yielded if the search is stopped before it gets to the first new solution.
        """
        for block in blocks:
            if not self._n_known:
                yield block
                continue
            records, result, numbering = block
            assert numbering is not None
            puzzles, solutions = numbering
            n_known = min(self._n_known, len(puzzles))
            if (result.counts[:n_known] < 0).any():
                self._n_known = sys.maxsize
                continue
            if (puzzles[:n_known] != self._puzzle_number).any() or solutions[0] == 0:
                raise self._mismatch()
            self._n_known -= n_known
            if n_known < len(puzzles) or records.bad:
                numbering = Numbering(puzzles[n_known:], solutions[n_known:])
                records = records.part(n_known, records.n_records)
                yield SolutionBlock(records, result.rows(slice(n_known, None)), numbering)

    def _advance(self, n_records: int) -> None:
        if not self._input.advance(n_records):
            raise ResumeError(f"cannot resume: {self.path} has more records than the input")

    def _check(self, text: bytes, header: bytes) -> None:
        """Compare the last record of the input with the text in the file, header included."""
        puzzle = self._input.last
        count = nodes = self._last_solution = 0
        solution = np.zeros(puzzle.box.cells, np.uint8)
        if len(puzzle):
            record = parse_record(text.removeprefix(header), self.writer.style, header)
            count, nodes = record.n_solutions, record.nodes
            self._last_solution = record.solution_number
            solution = record.solution(puzzle.alphabet, puzzle.box.cells)
        if count and ((puzzle.boards != 0) & (puzzle.boards != solution)).any():
            raise self._mismatch()
        size = len(puzzle)
        numbering = None
        if self.is_numbered:
            number = np.full(size, puzzle.first_number)
            numbering = Numbering(number, np.full(size, self._last_solution))
        expected = self.writer.format(
            puzzle,
            np.repeat(solution[None], size, axis=0),
            np.full(size, count),
            np.full(size, nodes),
            work_unit=resolve_engine(self.engine, puzzle.box).work_unit,
            numbering=numbering,
        )
        if bytes(expected) != text:
            raise self._mismatch()

    def _mismatch(self) -> ResumeError:
        return ResumeError(
            f"cannot resume: {self.path} was written from other input or with other options "
            f"(after record {self.n_records:,})"
        )


class _InputPosition:
    """A position between two records of the input."""

    def __init__(self, chunks: Iterator[Records]) -> None:
        self._chunks = chunks
        self._chunk: Records | None = None
        self._size = self._position = 0  # of the chunk; boards and bad records are counted

    def advance(self, n_records: int) -> bool:
        """Move past `n_records` records; return False if the input has fewer."""
        self._position += n_records
        while self._position > self._size:
            self._position -= self._size
            chunk = next(self._chunks, None)
            if chunk is None:
                return False
            self._chunk, self._size = chunk, chunk.n_records
        return True

    @property
    def last(self) -> Records:
        """The record before this position."""
        assert self._chunk is not None
        return self._chunk.part(self._position - 1, self._position)

    def rest(self, *, includes_last: bool) -> Iterator[Records]:
        """Return the chunks after this position, or after the one before the last record."""
        if self._chunk is None:
            return self._chunks
        rest = self._chunk.part(self._position - includes_last, self._size)
        return chain([rest], self._chunks) if rest.n_records else self._chunks
