"""The sources that a kernel depends on."""

import hashlib
import re
from functools import cache
from pathlib import Path

_RELATIVE_IMPORT = re.compile(r"^from (\.+)([\w.]*) import (\([^)]*\)|.*)", re.MULTILINE)


@cache
def _imported_names(file: Path) -> list[tuple[Path, list[str]]]:
    """Return the modules or packages that a file imports from, without suffix, and the names."""
    text = file.read_text(encoding="utf-8")
    return [
        (file.parents[len(dots) - 1].joinpath(*module.split(".")), re.findall(r"\w+", names))
        for dots, module, names in _RELATIVE_IMPORT.findall(text)
    ]


_POLICY = Path(__file__).with_name("compile.py")
_COMPILER = Path(__file__).with_name("build.py")


@cache
def source_closure(path: Path) -> frozenset[Path]:
    """Return a module's file and the files that it imports, directly or indirectly.

    Only relative imports at the top of modules are followed: they lead to the other modules of the
    same package. The policy of compilation does not affect machine code.
    """
    closure = {path}
    pending = [path]
    while pending:
        for target, names in _imported_names(pending.pop()):
            submodules = [target / f"{name}.py" for name in names]
            for file in (target.with_suffix(".py"), *submodules):
                if file not in {*closure, _POLICY} and file.is_file():
                    closure.add(file)
                    pending.append(file)
    return frozenset(closure)


@cache
def source_digest(path: Path) -> str:
    """Return a digest of the sources that the machine code of a module's kernels depends on.

    A kernel depends on the kernels and constants that it uses from other modules, too, and on the
    module that builds the machine code. Modules that no kernel imports (commands, pages, texts) do
    not affect it.
    """
    digest = hashlib.sha256()
    for file in sorted(source_closure(path) | source_closure(_COMPILER)):
        digest.update(file.read_bytes())
    return digest.hexdigest()
