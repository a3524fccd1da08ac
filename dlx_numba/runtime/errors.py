"""Exceptions raised by readers."""


class UnreadableError(OSError):
    """A source cannot be opened, is damaged, or does not contain text.

    Attributes
    ----------
    source : str
        Name of the source.
    reason : str
        Description of the problem.
    """

    def __init__(self, source: str, reason: str) -> None:
        super().__init__(f"{source}: {reason}")
        self.source, self.reason = source, reason


class TooLargeError(UnreadableError):
    """A source is larger than the limit of its reader."""


class FormatError(ValueError):
    """A text violates the rules of its format.

    Attributes
    ----------
    source : str
        Name of the source.
    line : int
        Number of the line, counted from 1.
    reason : str
        Description of the problem.
    """

    def __init__(self, source: str, line: int, reason: str) -> None:
        super().__init__(f"{source}:{line}: {reason}")
        self.source, self.line, self.reason = source, line, reason
