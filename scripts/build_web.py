"""Build the WebAssembly module of the kernels: their optimized LLVM code for another target.

The entry points are those of kernel libraries. The JSON text in the module's custom section
`manifest` lists, for each kernel, the types of arguments, the name of the function, and the code of
its result: see `dlx_numba.jit.calling`. `docs/try/dlx.js` calls them.
"""

import json
import multiprocessing
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zlib import crc32

import llvmlite.binding as llvm

from dlx_numba import ExactCover, precompile
from dlx_numba.jit import compile as jit_compile
from dlx_numba.jit.calling import Entry
from dlx_numba.jit.library import SUFFIX, Library, write_library
from dlx_numba.runtime.files import user_directory
from dlx_numba.sudoku.generator.api import generate

from .libraries import find_kernel

SOURCE = Path(__file__).parent.parent / "docs/try/dlx.js"
LINKER = "wasm-ld"

# Vectors of WebAssembly have 128 bits, as those of this processor. LLVM optimizes for it.
_PROCESSOR = {"NUMBA_CPU_NAME": "x86-64-v2", "NUMBA_CPU_FEATURES": ""}
_TRIPLE, _FEATURES = "wasm64-unknown-unknown", "+simd128,+bulk-memory,+sign-ext"
_STACK_BYTES = 1 << 20
_VERSION = f"-{crc32(Path(__file__).read_bytes()):x}"  # of the code that this script emits

_KERNELS = {
    *("solve_lanes", "classify_lanes", "start_puzzles", "next_tests"),
    *("link_options", "search_in_block", "search_multiplicities"),
    *("build_table", "fill_root", "search_bitset"),
    *("find_step", "follow", "undo"),
}

# They call the kernels, which determines the types of arguments.
_TASKS: list[Callable[[], object]] = [
    *(partial(precompile.call_search, "links", *each) for each in product((False, True), (1, 2))),
    *(partial(precompile.call_search, "bitset", False, bound) for bound in (1, 2)),
    precompile.call_lanes,
    precompile.call_rating,
    partial(ExactCover([[a, b] for a in "abc" for b in "xy"]).deduce, max_size=1),
    partial(generate, 1, difficulty="easy", seed=0),
    partial(generate, 1, seed=0),
]

# The number of pages that were added to the memory, as the first page, or -1
_GROW = f"""
target triple = "{_TRIPLE}"
declare i64 @llvm.wasm.memory.grow.i64(i32, i64)
define i64 @grow(i64 %pages) {{
  %first = call i64 @llvm.wasm.memory.grow.i64(i32 0, i64 %pages)
  ret i64 %first
}}
"""

# The mask of a comparison of 32 lanes. LLVM aborts when it emits it for lanes of 16 bits.
_MASK = re.compile(r"%(\S+) = bitcast <32 x i1> (%\S+) to i32")
_LOW, _HIGH = (", ".join(f"i32 {k}" for k in range(first, first + 16)) for first in (0, 16))
_HALVES = rf"""
  %mask.\1.low = shufflevector <32 x i1> \2, <32 x i1> poison, <16 x i32> <{_LOW}>
  %mask.\1.high = shufflevector <32 x i1> \2, <32 x i1> poison, <16 x i32> <{_HIGH}>
  %mask.\1.low.bits = bitcast <16 x i1> %mask.\1.low to i16
  %mask.\1.high.bits = bitcast <16 x i1> %mask.\1.high to i16
  %mask.\1.low.word = zext i16 %mask.\1.low.bits to i32
  %mask.\1.high.word = zext i16 %mask.\1.high.bits to i32
  %mask.\1.shifted = shl i32 %mask.\1.high.word, 16
  %\1 = or i32 %mask.\1.low.word, %mask.\1.shifted"""


def _emit(module: Any) -> bytes:
    """Return the WebAssembly object file of an optimized module."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple(_TRIPLE)
    machine = target.create_target_machine(features=_FEATURES, opt=3)
    module = llvm.parse_assembly(_MASK.sub(_HALVES, str(module)))
    module.triple, module.data_layout = _TRIPLE, str(machine.target_data)
    return bytes(machine.emit_object(module))


def _start_process() -> None:
    os.environ |= _PROCESSOR


def _build(key: str) -> Entry:
    """Build an entry point."""
    from dlx_numba.jit.build import build_entry

    kernel, types = find_kernel(key)
    return build_entry(kernel, key, f"{kernel.stamp}{_VERSION}", types, _emit)


def _manifest(entries: dict[str, Entry]) -> dict[str, list[dict[str, Any]]]:
    """Return the entry points of each kernel. Tuples are flat, as the words of a call are."""
    manifest: dict[str, list[dict[str, Any]]] = {}
    for key, entry in sorted(entries.items()):
        kernel, types = find_kernel(key)
        flat = [each for each in types if ":" not in each]
        form = {"types": flat, "symbol": entry.symbol, "result": entry.result}
        manifest.setdefault(kernel.name, []).append(form)
    return manifest


def _custom_section(name: bytes, content: bytes) -> bytes:
    def number(value: int) -> bytes:  # LEB128
        return bytes([value]) if value < 128 else bytes([value % 128 + 128]) + number(value // 128)

    body = number(len(name)) + name + content
    return bytes(1) + number(len(body)) + body


def link_module(entries: dict[str, Entry]) -> bytes:
    """Return the module that consists of entry points, the memory, and its function `grow`."""
    objects = {entry.symbol: entry.code for entry in entries.values()}
    objects["grow"] = _emit(llvm.parse_assembly(_GROW))
    with TemporaryDirectory() as name:
        folder = Path(name)
        for symbol, code in objects.items():
            (folder / f"{symbol}.o").write_bytes(code)
        subprocess.run(
            [
                *(LINKER, "-mwasm64", "--no-entry", "--strip-all", "--stack-first", "-O2"),
                *("-z", f"stack-size={_STACK_BYTES}", "--export=__heap_base"),
                *(f"--export={symbol}" for symbol in objects),
                *(f"{symbol}.o" for symbol in objects),
                *("-o", "dlx.wasm"),
            ],
            cwd=folder,
            check=True,
        )
        module = (folder / "dlx.wasm").read_bytes()
    return module + _custom_section(b"manifest", json.dumps(_manifest(entries)).encode())


@cache
def node_command() -> list[str]:
    """Return the command of Node with 64-bit memory, for which older versions need an option."""
    option = "--experimental-wasm-memory64"
    known = subprocess.run(["node", "--v8-options"], check=True, capture_output=True, text=True)
    return ["node", *[option] * (option in known.stdout)]


def build_web(folder: Path) -> Path:
    """Write `dlx.wasm` and `dlx.js` to a folder, and return the path of the module."""
    for task in _TASKS:
        task()
    stamps = {
        key: f"{stamp}{_VERSION}"
        for key, stamp in jit_compile.store.used.items()
        if key.partition("(")[0].rpartition(".")[2] in _KERNELS and ":Costs:" not in key
    }
    # Entry points are kept, and built again only if their sources or this script change.
    library = user_directory() / f"wasm64{SUFFIX}"
    kept, entries = Library(library), dict[str, Entry]()
    for key, stamp in stamps.items():
        entry = kept.find(key, stamp)
        if entry is not None:
            entries[key] = entry
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(os.cpu_count(), context, initializer=_start_process) as executor:
        missing = [key for key in stamps if key not in entries]
        entries |= zip(missing, executor.map(_build, missing), strict=True)
    write_library(library, entries)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "dlx.wasm"
    path.write_bytes(link_module(entries))
    if SOURCE.parent.resolve() != folder.resolve():
        shutil.copy(SOURCE, folder)
    return path


if __name__ == "__main__":
    if shutil.which(LINKER) is None:
        sys.exit(f"{LINKER} is missing: install lld (Debian: apt-get install lld)")
    built = build_web(Path(sys.argv[1]))
    print(f"{built}: {built.stat().st_size:,} bytes")
