"""Answers that a command is given: options, or files that have them, such as plans."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from ..cover.plan import PlanError, read_plans
from ..runtime.source import Source
from .endings import FORMATS_OF_ENDING
from .terminal import fail, failing


class Answer(NamedTuple):
    """An answer, or the content of the file that has it."""

    text: str
    file: str = ""  # none if the answer is given as an argument
    places: Sequence[str] = ()  # of each line of the text in a workbook or a calendar

    @contextmanager
    def locating(self) -> Iterator[None]:
        """Fail, with the place in the file, if the block finds an error in the lines of a plan."""
        try:
            yield
        except PlanError as error:
            text = f"{self.places[error.line - 1]} {error.predicate}" if self.places else error
            raise fail(f"{self.file or 'ANSWER'}: {text}") from None


def read_answer(answer: str) -> Answer:
    """Return an answer, or the content of the file that has it.

    A name with the ending of a file, such as plan.csv, is that of a missing file, no answer.
    """
    if not os.path.isfile(answer):
        if os.path.splitext(answer)[1] in FORMATS_OF_ENDING:
            raise fail(f"{answer}: no such file")
        return Answer(answer)
    with failing(), Source(answer) as source:
        content = source.read_all()
    with failing(), failing(f"{answer}: ", errors=(ValueError, ImportError)):
        text, places = read_plans(content, answer)
    return Answer(text, answer, places)
