"""The figures published in 2014 for the same benchmark, in Java: 4 × 200 qqwing boards."""

from typing import NamedTuple


class Published(NamedTuple):
    """Milliseconds per puzzle."""

    minimum: float
    average: float
    maximum: float
    deviation: float


PUBLISHED = {
    "Java 2014, Dancing Links": {
        "simple": Published(0.86, 1.35, 13.71, 1.07),
        "easy": Published(0.85, 1.20, 3.34, 0.40),
        "intermediate": Published(0.76, 1.04, 2.95, 0.30),
        "expert": Published(0.75, 1.00, 2.54, 0.25),
    },
    "Java 2014, naive": {
        "simple": Published(0.07, 48.9, 2039.4, 174.3),
        "easy": Published(0.11, 59.6, 3112.6, 214.7),
        "intermediate": Published(0.28, 44.5, 3071.8, 214.7),
        "expert": Published(0.24, 37.8, 1326.9, 114.1),
    },
}
