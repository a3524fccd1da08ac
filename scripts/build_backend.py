"""The build backend: setuptools, with libraries of compiled kernels in the wheel.

    pip install .                                for the best instruction set of this processor
    pip wheel . --config-settings kernels=all    for all instruction sets of the architecture
    pip wheel . --config-settings kernels=none   a pure wheel; kernels are compiled when used

Processors that lack the instruction set compile kernels when they are used. An editable
installation compiles nothing. The libraries do not depend on the version of Python.
"""

import platform
import sys
from pathlib import Path
from typing import Any

from setuptools import build_meta
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

build_sdist = build_meta.build_sdist
build_editable = build_meta.build_editable
get_requires_for_build_sdist = build_meta.get_requires_for_build_sdist
get_requires_for_build_editable = build_meta.get_requires_for_build_editable
prepare_metadata_for_build_editable = build_meta.prepare_metadata_for_build_editable
prepare_metadata_for_build_wheel = build_meta.prepare_metadata_for_build_wheel

ROOT = Path(__file__).resolve().parents[1]
COMPILER = ["numba>=0.61,<0.69", "numpy>=2.0"]
CHOICES = ("native", "all", "none")

chosen = "none"  # which kernels `build_wheel` compiles


def choice(config_settings: dict[str, Any] | None) -> str:
    """Return the setting `kernels`."""
    value = (config_settings or {}).get("kernels", CHOICES[0])
    if value not in CHOICES:
        raise SystemExit(f"kernels={value}: the setting is one of {', '.join(CHOICES)}")
    return str(value)


def get_requires_for_build_wheel(config_settings: dict[str, Any] | None = None) -> list[str]:
    """Return the packages that building needs."""
    required = build_meta.get_requires_for_build_wheel(config_settings)
    return required if choice(config_settings) == "none" else required + COMPILER


def build_wheel(
    wheel_directory: str,
    config_settings: dict[str, Any] | None = None,
    metadata_directory: str | None = None,
) -> str:
    """Build a wheel."""
    global chosen
    chosen = choice(config_settings)
    return str(build_meta.build_wheel(wheel_directory, config_settings, metadata_directory))


class BuildPackage(build_py):
    """Copies the package, and compiles its kernels."""

    def run(self) -> None:
        """Build the package."""
        super().run()
        if self.editable_mode:
            return
        folder = Path(self.build_lib, "dlx_numba")
        self.copy_tree(str(ROOT / "data"), str(folder / "data"))
        self.copy_tree(str(ROOT / "docs" / "examples"), str(folder / "examples"))
        if chosen != "none":
            sys.path.insert(0, str(ROOT))
            from scripts.libraries import build_instruction_sets

            libraries = folder / "jit" / "libraries"
            names = build_instruction_sets(libraries, all_sets=chosen == "all")
            print(f"compiled kernels for {', '.join(names) or 'no processor'}")


class BuildWheel(bdist_wheel):
    """Names the platform if the wheel contains machine code."""

    def finalize_options(self) -> None:
        """Set the type of the wheel."""
        if chosen != "none":
            self.distribution.has_ext_modules = lambda: True
        super().finalize_options()

    def get_tag(self) -> tuple[str, str, str]:
        """Return the tag; machine code of kernels uses nothing of Python, and memset of libc."""
        if self.root_is_pure:
            return ("py3", "none", "any")
        *_, name = super().get_tag()
        if name.startswith("linux_") and platform.libc_ver()[0] == "glibc":
            name = name.replace("linux_", "manylinux_2_17_")
        return ("py3", "none", name)


class BuildSource(sdist):
    """Adds what is not part of the package."""

    def make_distribution(self) -> None:
        """Add the files, and write the archive."""
        self.filelist.append("CITATION.cff")
        for folder in ("data", "docs", "scripts", "tests"):
            self.filelist.graft(folder)
        self.filelist.prune("docs/_build")
        self.filelist.global_exclude("*.py[cod]")
        super().make_distribution()
