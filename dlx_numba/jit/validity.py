"""Whether cached machine code may be executed: the digest of its sources, and its checksum."""

import hashlib
import re
from functools import cache
from pathlib import Path

_CHECKSUM_MARK = b"sha256:"  # differs from the first byte of a pickle
_CHECKSUM_BYTES = len(_CHECKSUM_MARK) + hashlib.sha256().digest_size

_RELATIVE_IMPORT = re.compile(r"^from (\.+)([\w.]*) import (\([^)]*\)|.*)", re.MULTILINE)


@cache
def _imported_names(file: Path) -> list[tuple[Path, list[str]]]:
    """Return the modules or packages that a file imports from, without suffix, and the names."""
    text = file.read_text(encoding="utf-8")
    return [
        (file.parents[len(dots) - 1].joinpath(*module.split(".")), re.findall(r"\w+", names))
        for dots, module, names in _RELATIVE_IMPORT.findall(text)
    ]


@cache
def source_closure(path: Path) -> frozenset[Path]:
    """Return a module's file and the files that it imports, directly or indirectly.

    Only relative imports at the top of modules are followed: they lead to the other modules of the
    same package.
    """
    closure = {path}
    pending = [path]
    while pending:
        for target, names in _imported_names(pending.pop()):
            submodules = [target / f"{name}.py" for name in names]
            for file in (target.with_suffix(".py"), *submodules):
                if file not in closure and file.is_file():
                    closure.add(file)
                    pending.append(file)
    return frozenset(closure)


_COMPILER = Path(__file__).with_name("dispatch.py")


@cache
def source_digest(path: Path) -> str:
    """Return a digest of the sources that the kernels of a module depend on.

    Numba invalidates the cache of a kernel if the kernel's own file changes. A kernel also depends
    on the kernels and constants that it uses from other modules, so this digest takes the place of
    Numba's time stamp. Modules that no kernel imports (commands, pages, texts) do not affect it.
    The options of Numba and the lowering of operations do, although they are imported later.
    """
    digest = hashlib.sha256()
    for file in sorted(source_closure(path) | source_closure(_COMPILER)):
        digest.update(file.read_bytes())
    return digest.hexdigest()


class DamagedCacheError(Exception):
    """A file of the cache does not have the content that was written to it."""


def with_checksum(content: bytes) -> bytes:
    """Prepend a checksum to `content`."""
    return _CHECKSUM_MARK + hashlib.sha256(content).digest() + content


def without_checksum(data: bytes) -> bytes:
    """Return the content of the result of `with_checksum`, or raise DamagedCacheError."""
    content = data[_CHECKSUM_BYTES:]
    if with_checksum(content)[:_CHECKSUM_BYTES] != data[:_CHECKSUM_BYTES]:
        raise DamagedCacheError("the checksum is wrong")
    return content
