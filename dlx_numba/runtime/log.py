"""The log of the package: what the command line shows as notices, and a host may handle."""

import logging

logger = logging.getLogger("dlx_numba")
logger.addHandler(logging.NullHandler())  # without one, Python would print warnings and errors
