"""What is raised for a text that cannot be read at all."""


class UnreadableError(OSError):
    """A source that cannot be opened, or that is no text."""

    def __init__(self, source: str, reason: str) -> None:
        super().__init__(f"{source}: {reason}")
        self.source, self.reason = source, reason


class FormatError(ValueError):
    """A text that breaks the rules of its format, at a line of it."""

    def __init__(self, source: str, line: int, reason: str) -> None:
        super().__init__(f"{source}:{line}: {reason}")
        self.source, self.line, self.reason = source, line, reason
