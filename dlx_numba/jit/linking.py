"""Shared libraries of kernels, which the system loads in programs without llvmlite."""

import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from . import library
from .calling import SHARED


def link_libraries(source: Path, target: Path) -> None:
    """Write libraries of kernels whose machine code is in shared libraries beside them.

    Parameters
    ----------
    source, target : Path
        The folders of the libraries, and of what is written.

    Raises
    ------
    OSError
        If there is no linker, `ld` of the GNU binutils.
    subprocess.CalledProcessError
        If the linker fails.
    """
    for path in source.glob(f"*{library.SUFFIX}"):
        entries = library.Library(path).entries()
        shared = target / f"{path.stem}.so"
        with TemporaryDirectory() as folder:
            names = [f"{number}.o" for number in range(len(entries))]
            for name, entry in zip(names, entries.values(), strict=True):
                Path(folder, name).write_bytes(entry.code)
            # The machine code refers to its constants by addresses.
            options = ["-shared", "-z", "notext", "-z", "noexecstack", "--strip-all"]
            command = ["ld", *options, "-o", str(shared), *names]
            subprocess.run(command, cwd=folder, check=True, capture_output=True)
        code = SHARED + shared.name.encode()
        library.write_library(
            target / path.name, {key: each._replace(code=code) for key, each in entries.items()}
        )
