"""The sources that a kernel depends on."""

import hashlib
import os
import re
from functools import cache
from pathlib import Path

_RELATIVE_IMPORT = re.compile(r"^from (\.+)([\w.]*) import (\([^)]*\)|.*)", re.MULTILINE)


@cache
def _imported_files(file: str) -> list[str]:
    """Return the files of the modules that a file imports from, or that it imports."""
    with open(file, encoding="utf-8") as opened:
        text = opened.read()
    files = []
    for dots, module, names in _RELATIVE_IMPORT.findall(text):  # a folder up for each dot
        target = os.path.join(file.rsplit(os.sep, len(dots))[0], *module.split(".")).rstrip(os.sep)
        if os.path.isfile(f"{target}.py"):
            files.append(f"{target}.py")
        else:  # a package
            modules = [os.path.join(target, f"{name}.py") for name in re.findall(r"\w+", names)]
            files += filter(os.path.isfile, modules)
    return files


_POLICY = str(Path(__file__).with_name("compile.py"))
_COMPILER = Path(__file__).with_name("build.py")


@cache
def source_closure(path: Path) -> frozenset[Path]:
    """Return a module's file and the files that it imports, directly or indirectly.

    Only relative imports at the top of modules are followed: they lead to the other modules of the
    same package. The policy of compilation does not affect machine code.
    """
    closure = {str(path)}
    pending = [str(path)]
    while pending:
        for file in _imported_files(pending.pop()):
            if file not in closure and file != _POLICY:
                closure.add(file)
                pending.append(file)
    return frozenset(map(Path, closure))


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
