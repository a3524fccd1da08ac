"""The parameters of the gallery's entries, checked."""


def check_range(name: str, value: int, low: int, high: int) -> None:
    """Raise ValueError where the parameter `name` is not from `low` to `high`.

    >>> check_range("n", 0, 1, 9)
    Traceback (most recent call last):
    ...
    ValueError: n must be from 1 to 9, not 0
    """
    if not low <= value <= high:
        raise ValueError(f"{name} must be from {low} to {high}, not {value}")
