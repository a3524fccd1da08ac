"""`python -m dlx_numba`."""

from .cli import main

if __name__ == "__main__":
    main()
