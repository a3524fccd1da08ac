"""List the packages, which pyproject.toml cannot: those that are found, and the boards of data/."""

from setuptools import find_packages, setup

setup(packages=[*find_packages(include=["dlx_numba", "dlx_numba.*"]), "dlx_numba.data"])
