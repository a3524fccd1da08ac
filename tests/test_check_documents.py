"""scripts/check_documents.py: the errors that it finds in a document."""

import re
import shutil

import pytest

from scripts import code_lines, document_names
from scripts.check_documents import outdated_figures, wrong_texts
from scripts.documents import Document, documents
from scripts.update_figures import README
from tests.helpers import ROOT

NAME = "docs/planning.md"

RIGHT = """# A page

Run `dlx-numba cover --limit 2 FILE`, `count --format json FILE`, `--given` or `-n 2`.
`--instances` is of the tests. The extras `excel` and `sat` and the [extra](page.md) `dask` come
with `pip install '.[excel,dask]'`.

```console
$ dlx-numba cheapest knuth.dlx -f names | head -n 1 > plan.txt
$ dlx-numba count \\
>     --quiet knuth.dlx
```

```sh
pip install --config-settings kernels=all ./dlx_numba   # --not-an-option
qqwing --generate 2 --anything
bash scripts/nightly --seed 1
```

```python
import dlx_numba as dlx
print(dlx.__version__)
```

```python
>>> dlx.ExactCover([[1]]).count()  # a name of the program before
1
```

````text
```
The block ends below.
````
"""

FIRST = len(RIGHT.splitlines()) + 1  # the line of an error
WRONG = {  # what is added, and the problem: its line from there, and its text
    "an open fence": ("```python\n>>> 1\n1\n", "0: a fence that no other closes"),
    "a closed fence too many": ("```\n", "0: a fence without a language"),
    "a fence inside a block": (
        "```sh\ntrue\n\n```text\nout\n```\n",
        f"3: a fence inside the block of line {FIRST}",
    ),
    "a language that is no language": (
        "```pyhton\n>>> 1\n```\n",
        "0: no block is in the language pyhton",
    ),
    "a heading": ("```text\n\n## Heading in code\n```\n", "2: a heading inside code"),
    "an option": (
        "`dlx-numba cover --no-such-option FILE`\n",
        "0: cover has no option --no-such-option",
    ),
    "an option of another command": ("`solve --covering FILE`\n", "0: solve has no option"),
    "a short option": ("`dlx-numba count -Z FILE`\n", "0: count has no option -Z"),
    "an option in a second line": (
        "```console\n$ true |\n>   dlx-numba show --relax\n```\n",
        "1: show has no option --relax",
    ),
    "an option alone": ("`--no-such-option`\n", "0: no command has the option --no-such-option"),
    "an option of a script": (
        "`bash scripts/nightly --sead 1`\n",
        "0: no script has the option --sead",
    ),
    "a script": ("`bash scripts/monthly`\n", "0: scripts/monthly does not exist"),
    "a command": ("`dlx-numba solv FILE`\n", "0: no command is called solv"),
    "an extra": ("`pip install .[nosuchextra]`\n", "0: no extra is called nosuchextra"),
    "extras": ("The extras `mcp`, `foo` and\n`bar`\n", "0: no extra is called foo"),
    "an extra in a table": (
        "| extra | purpose |\n| --- | --- |\n| `foo` | none |\n",
        "2: no extra is called foo",
    ),
    "a package": ("```sh\n\npip install dlx-solver\n```\n", "2: dlx-solver cannot be installed"),
    "a package with an extra": (
        "`python -m pip install -U 'dlx-solver[sat]'`\n",
        "0: dlx-solver[sat] cannot be installed",
    ),
    "a program": (
        "```python\nimport missing_module\n```\n",
        "No module named 'missing_module'",
    ),
    "an example": ("```python\n>>> dlx.no_such_name\n1\n```\n", f'"{NAME}", line {FIRST + 1}, in '),
}


def problems_of(text):
    return list(wrong_texts(Document(NAME, text)))


def test_right_documents_have_no_problems():
    assert problems_of(RIGHT) == []


@pytest.mark.parametrize("error", WRONG)
def test_errors_are_found_in_their_lines(error):
    planted, message = WRONG[error]
    found = problems_of(RIGHT + planted)
    if re.match(r"\d: ", message):
        offset, _, text = message.partition(": ")
        assert found[0].startswith(f"{NAME}:{FIRST + int(offset)}: {text}")
    else:
        assert message in found[0]


@pytest.mark.parametrize("readme", ["It is not on\nPyPI yet.\n", "Run `pip install dlx-numba`.\n"])
def test_pip_installs_the_package_when_it_is_published(readme, monkeypatch, tmp_path):
    (tmp_path / "README.md").write_text(readme)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    monkeypatch.setattr(document_names, "ROOT", tmp_path)
    document_names.project.cache_clear()
    try:
        found = [
            problems_of(f"`{command} numba highspy`\n")
            for command in ("pip install dlx_numba", "uv add -U 'dlx-numba[sat]'")
        ]
    finally:
        document_names.project.cache_clear()
    n_problems = 1 if "not on" in readme else 0
    assert [len(each) for each in found] == [n_problems, n_problems]


def test_numbers_of_lines_are_counted(monkeypatch, tmp_path):
    text = README.read_text(encoding="utf-8")
    right = code_lines.counted(text, code_lines.ROW, README)
    n_lines = len((ROOT / "dlx_numba" / "dancing_links.py").read_text().splitlines())
    assert f" {n_lines} lines\n" in right
    wrong = tmp_path / "README.md"
    planted = right.replace(f" {n_lines} lines\n", f" {n_lines + 5} lines\n")
    wrong.write_text(planted, encoding="utf-8")
    monkeypatch.setattr("scripts.update_figures.README", wrong)
    assert [problem for problem in outdated_figures() if problem.startswith(f"{wrong}: run ")]
    with pytest.raises(SystemExit, match="expected a table of folders"):
        code_lines.counted("# A page\n", code_lines.ROW, README)


def test_numbers_of_lines_are_rounded():
    row = "search/  cover/    the solver     9,000"
    path = ROOT / "dlx_numba"
    modules = [*(path / "search").rglob("*.py"), *(path / "cover").rglob("*.py")]
    exact = sum(len(module.read_text("utf-8").splitlines()) for module in modules)
    shown = code_lines.counted(row, code_lines.ROW, README)
    assert len(shown) == len(row)
    number = int(shown.rpartition(" ")[2].replace(",", ""))
    assert number % 1000 == 0
    assert abs(number - exact) <= 500


def test_all_documents_are_read():
    names = {each.name for each in documents()}
    assert {"README.md", "docs/library/hosts.md", "findings/README.md"} < names
    assert not any("_build" in name for name in names)
