"""Phrases for messages."""


def plural(number: int, noun: str) -> str:
    """Return a number with its noun, which is in the plural unless the number is 1.

    >>> plural(1, "cover"), plural(2000, "cover")
    ('1 cover', '2,000 covers')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
