"""Files of the package that are no modules."""

from pathlib import Path

PACKAGE = Path(__file__).parents[2]
FOLDERS = ("jit/libraries", "explain/web", "data", "examples")
datas = [
    (f"{PACKAGE / name}", f"dlx_numba/{name}") for name in FOLDERS if (PACKAGE / name).is_dir()
]
