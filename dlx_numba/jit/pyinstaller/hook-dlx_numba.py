"""Files of the package that are no modules, and modules that are imported by name.

Programs have no Numba if the package has compiled kernels, unless they import it themselves. They
have no llvmlite either if the kernels can be linked into shared libraries.
"""

import atexit
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from PyInstaller.log import getLogger
from PyInstaller.utils.hooks import collect_submodules

from dlx_numba.jit.linking import link_libraries

PACKAGE = Path(__file__).parents[2]
LIBRARIES = PACKAGE / "jit" / "libraries"
folders = {
    name: PACKAGE / name
    for name in ("jit/libraries", "explain/web", "data", "examples")
    if (PACKAGE / name).is_dir()
}
excludedimports = ["numba"] if LIBRARIES.is_dir() else []
if LIBRARIES.is_dir() and sys.platform == "linux":
    linked = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, linked)  # PyInstaller copies it before
    try:
        link_libraries(LIBRARIES, linked)
        folders["jit/libraries"] = linked
        excludedimports.append("llvmlite")
    except (OSError, subprocess.CalledProcessError) as error:
        getLogger(__name__).warning(
            "the program needs llvmlite, as kernels are not linked: %s", error
        )
datas = [(str(folder), f"dlx_numba/{name}") for name, folder in folders.items()]
hiddenimports = collect_submodules("dlx_numba", lambda name: not name.startswith("dlx_numba.cli"))
