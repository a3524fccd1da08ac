"""Test the package with the oldest and the newest supported versions of its dependencies.

    python -m scripts.versions [3.10 3.13 ...]

For each Python that the package supports and that is installed, the wheel is installed into two
new virtual environments, with the oldest and with the newest releases that have wheels for this
Python. There all kernels are compiled, and scripts/smoke_test.py and some commands are run. The
environments are temporary. The versions are those of pyproject.toml, as the wheel states them.
"""

import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from .check_wheel import COMMANDS, ROOT, build, distribution, isolated, run, run_command

PIP = ["-m", "pip", "--disable-pip-version-check"]
WHEELS = ["--quiet", "--only-binary", ":all:"]  # building Numba needs a compiler and LLVM


def main() -> None:
    outcomes = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        build(folder, folder / "dist", "none")  # Numba itself is to be tested
        wheel = distribution(folder / "dist", "*.whl")
        [package] = importlib.metadata.distributions(path=[str(wheel)])
        requirements = [each for each in package.requires or () if "extra ==" not in each]
        classifiers = "\n".join(package.metadata.get_all("Classifier"))
        supported = re.findall(r"Python :: (3\.\d+)$", classifiers, re.MULTILINE)
        for version in sys.argv[1:] or supported:
            for releases in ("oldest", "newest"):
                outcome = test_releases(folder, wheel, requirements, version, releases)
                outcomes.append(f"Python {version}, {releases} releases: {outcome}")
                print(outcomes[-1], flush=True)
    print("\n".join(["", *outcomes]))
    failed = sum(": failed" in outcome for outcome in outcomes)
    passed = sum(": passed" in outcome for outcome in outcomes)
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0 or passed == 0)


def test_releases(
    folder: Path, wheel: Path, requirements: list[str], version: str, releases: str
) -> str:
    """Return the outcome of the tests in a new environment: passed, failed or not tested."""
    base = interpreter(version)
    if base is None:
        return "not tested, this Python is not installed"
    begin = time.perf_counter()
    environment = folder / f"{version}-{releases}"
    python = environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    try:
        run([base, "-m", "venv", environment])
        wanted = [str(wheel)]
        if releases == "oldest":
            for requirement in requirements:
                release = oldest_release(python, requirement)
                if release is None:
                    return f"not tested, there is no {requirement} for this Python"
                wanted.append(release)
        run([python, *PIP, "install", *WHEELS, *wanted])
        installed = run([python, *PIP, "list", "--format", "freeze"]).split()
        names = [re.split(r"\W", requirement)[0] for requirement in requirements]
        used = [each for each in installed if each.partition("==")[0] in [*names, "llvmlite"]]
        print(f"Python {version}, {releases} releases: {' '.join(used)}", flush=True)
        user = isolated(environment)
        strict = [python, "-W", "error::RuntimeWarning"]  # an incompatible Numba raises a warning
        run([*strict, "-m", "dlx_numba", "warmup"], **user)
        run([*strict, ROOT / "scripts" / "smoke_test.py"], **user)
        for command in COMMANDS:
            run_command(python, environment, *command)
    except SystemExit as failure:
        print(failure, flush=True)
        return "failed, see above"
    finally:
        shutil.rmtree(environment, ignore_errors=True)
    return f"passed in {time.perf_counter() - begin:.0f} s with {' '.join(used)}"


def interpreter(version: str) -> str | None:
    """Return an interpreter of a version of Python that can make environments, or None."""
    probe = f"import ensurepip, sys, venv; sys.exit('%d.%d' % sys.version_info[:2] != '{version}')"
    for path in candidates(version):
        if subprocess.run([path, "-c", probe], capture_output=True).returncode == 0:
            return path
    return None


def candidates(version: str) -> Iterator[str]:
    if path := shutil.which(f"python{version}"):
        yield path
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    yield from map(str, sorted(pyenv.glob(f"versions/{version}.*/bin/python")))


def oldest_release(python: Path, requirement: str) -> str | None:
    """Return the oldest release that a requirement admits, as `name==version`.

    pip cannot prefer old releases, and the index lists those of other Pythons, too.
    """
    name = re.split(r"[^\w.-]", requirement)[0]
    minimum = re.findall(r">=([\d.]+)", requirement)[0]
    listed = run([python, *PIP, "index", "versions", name])
    [releases] = re.findall(r"^Available versions: (.*)$", listed, re.MULTILINE)
    for release in sorted(releases.split(", "), key=numbers):
        if numbers(release) >= numbers(minimum):
            wanted = f"{name}=={release}"
            install = [python, *PIP, "install", *WHEELS, "--dry-run", "--no-deps", wanted]
            if subprocess.run(install, capture_output=True).returncode == 0:
                return wanted
    return None


def numbers(release: str) -> list[int]:
    """Return the numbers of a release, to compare it with others."""
    return [int(number) for number in re.findall(r"\d+", release)]


if __name__ == "__main__":
    main()
