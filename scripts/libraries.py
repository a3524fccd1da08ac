"""Build the libraries of compiled kernels that a wheel contains."""

from collections.abc import Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

from dlx_numba.jit.calling import Types
from dlx_numba.jit.compile import Kernel
from dlx_numba.jit.library import (
    ARM,
    SUFFIX,
    Library,
    instruction_sets,
    supported_instruction_sets,
    write_library,
)
from dlx_numba.precompile import compile_kernels


def cpu_name(instruction_set: str) -> str:
    """Return LLVM's name of the processors that have an instruction set and nothing more."""
    return "generic" if instruction_set == ARM else instruction_set


def find_kernel(key: str) -> tuple[Kernel, Types]:
    """Return the kernel of an entry point, and the types of its arguments."""
    name, _, types = key.removesuffix(")").partition("(")
    module, _, function = name.rpartition(".")
    return getattr(import_module(module), function), tuple(types.split(", "))


def compile_entry(key: str) -> None:
    """Compile an entry point without calling it, so it may be for another processor."""
    kernel, types = find_kernel(key)
    kernel.prepare(types)


def build_library(path: Path, *, cpu: str | None = None, keys: Sequence[str] | None = None) -> None:
    """Compile all kernels, or the entry points with some keys, and write them to a library."""
    tasks = None if keys is None else [partial(compile_entry, key) for key in keys]
    path.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as directory:
        libraries = map(Library, compile_kernels(Path(directory), cpu=cpu, tasks=tasks))
        write_library(
            path, {key: entry for each in libraries for key, entry in each.entries().items()}
        )


def build_instruction_sets(folder: Path, *, all_sets: bool = False) -> list[str]:
    """Build libraries for the best instruction set of this processor, or for all of its kind.

    Parameters
    ----------
    folder : Path
        The folder of the libraries.
    all_sets : bool, optional
        Whether to build a library for each instruction set of this architecture.

    Returns
    -------
    list of str
        The names of the instruction sets; none if the architecture is not supported.
    """
    names = supported_instruction_sets()[:1]
    keys = None  # the first library is built by calling all kernels
    names += [each for each in instruction_sets() if names and all_sets and each not in names]
    for name in names:
        path = folder / f"{name}{SUFFIX}"
        build_library(path, cpu=cpu_name(name), keys=keys)
        keys = [*Library(path).entries()]
    return names
