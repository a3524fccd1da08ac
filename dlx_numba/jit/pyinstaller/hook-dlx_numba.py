"""Files of the package that are no modules, and modules that are imported by name.

Programs have no Numba if the package has compiled kernels, unless they import it themselves.
"""

from pathlib import Path

from PyInstaller.utils.hooks import collect_submodules

PACKAGE = Path(__file__).parents[2]
FOLDERS = ("jit/libraries", "explain/web", "data", "examples")
datas = [
    (f"{PACKAGE / name}", f"dlx_numba/{name}") for name in FOLDERS if (PACKAGE / name).is_dir()
]
hiddenimports = collect_submodules("dlx_numba", lambda name: not name.startswith("dlx_numba.cli"))
excludedimports = ["numba"] if (PACKAGE / FOLDERS[0]).is_dir() else []
