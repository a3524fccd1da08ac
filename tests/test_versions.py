"""scripts/test-versions: the versions that it selects, and its smoke test."""

import re
from importlib.metadata import metadata

import pytest

import dlx_numba as dlx
from scripts import smoke_test
from tests.helpers import ROOT


@pytest.mark.compiled
@pytest.mark.thorough
def test_smoke_test_passes(capsys):
    smoke_test.main()
    assert capsys.readouterr().out.count("ok: ") == 5


def supported_versions():
    project = (ROOT / "pyproject.toml").read_text()
    return re.findall(r'Python :: (3\.\d+)"', project)


def test_the_workflows_run_the_supported_versions_of_python():
    nightly, tests = (
        (ROOT / ".github" / "workflows" / name).read_text() for name in ("nightly.yml", "tests.yml")
    )
    oldest, *_, newest = supported = supported_versions()
    assert sorted(re.findall(r"^ +(3\.\d+)$", nightly, re.M), key=supported.index) == supported
    assert f'python: ["{oldest}", "{newest}"]' in tests


def test_the_classifiers_name_the_versions_of_python_that_numba_0_68_supports():
    classifiers = metadata("numba").get_all("Classifier")
    found = [match[1] for each in classifiers if (match := re.search(r"Python :: (3\.\d+)$", each))]
    assert {*found} <= {*supported_versions()}


def test_citations_have_the_version_and_a_date():
    citation = (ROOT / "CITATION.cff").read_text()
    assert f"\nversion: {dlx.__version__}\n" in citation
    [date] = re.findall(r"\ndate-released: (\d{4}-\d\d-\d\d)\n", citation)
    page = (ROOT / "docs" / "getting-started.md").read_text()
    assert f"version = {{{dlx.__version__}}},\n  date = {{{date}}}" in page


def test_the_recipe_has_the_version_and_the_dependencies_of_the_package():
    recipe = (ROOT / "scripts" / "recipe" / "recipe.yaml").read_text()
    project = (ROOT / "pyproject.toml").read_text()
    assert f'version: "{dlx.__version__}"' in recipe
    minimum, dependencies = re.search(
        r'requires-python = "(.*)"\n(?s:.*)^dependencies = \[(.*)\]', project, re.M
    ).groups()
    required = [f"python>={minimum.strip('>=')}", *re.findall('"(.*?)"', dependencies)]
    listed = re.search(r"^  run:\n((?:    - .*\n)*)", recipe, re.M)[1]
    assert [line[6:].replace(" ", "") for line in listed.splitlines()] == required
