"""Sphinx configuration. Build the documentation with `bash scripts/docs`."""

import re
import subprocess
import sys
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.directives.patches import CSVTable
from sphinx.util.docutils import SphinxDirective

import dlx_numba

project = "dlx_numba"
author = "The dlx_numba developers"
release = version = dlx_numba.__version__

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
]
templates_path = ["_templates"]
exclude_patterns = ["_build", "_extra"]
default_role = "code"  # docstrings put names and code between single backquotes
smartquotes = False  # "--threads" and quoted code stay as they are typed

myst_enable_extensions = ["deflist", "html_image"]
myst_heading_anchors = 3
nb_execution_mode = "off"  # scripts/notebook.py stores the outputs of the notebook
copybutton_prompt_text = r">>> |\.\.\. |\$ "  # copies what is typed, without outputs
copybutton_prompt_is_regexp = True

autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
autodoc_typehints = "none"  # the sections "Parameters" and "Returns" state the types
napoleon_google_docstring = False
napoleon_use_rtype = False

html_theme = "furo"
html_title = f"{project} {release}"
html_static_path = ["_static"]
html_favicon = "_static/favicon.svg"
html_css_files = ["custom.css"]
html_extra_path = ["_extra"]  # pages that scripts/docs makes
html_copy_source = False
html_show_copyright = False
html_show_sphinx = False


def skip_tuple_fields(
    app: Sphinx, what: str, name: str, member: Any, skip: bool, options: Any
) -> bool:
    """Skip the fields of named tuples, whose docstrings are "Alias for field number 0"."""
    return skip or type(member).__name__ == "_tuplegetter"


class CommandOptions(SphinxDirective):
    """The options of commands, as their `--help-all` lists them."""

    required_arguments = 1
    optional_arguments = 9

    def run(self) -> list[nodes.Node]:
        shown = list[nodes.Node]()
        for name in self.arguments:
            command = [sys.executable, "-m", "dlx_numba", name, "--help-all"]
            text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            first_panel = re.search(r"^[A-Z][a-z ]+:$", text, re.MULTILINE)
            assert first_panel is not None
            options = f"{name}\n\n{text[first_panel.start() :].strip()}"
            shown.append(nodes.literal_block(options, options, language="text"))
        return shown


class Figures(CSVTable):
    """A table of the benchmarks: a file of `docs/figures`, by its name."""

    has_content = False

    def run(self) -> list[nodes.Node]:
        file = f"/figures/{self.arguments.pop()}.csv"
        self.options = {"file": file, "header-rows": 1, "class": ["figures"]}
        return super().run()


def setup(app: Sphinx) -> None:
    app.add_directive("command-options", CommandOptions)
    app.add_directive("figures", Figures)
    app.connect("autodoc-skip-member", skip_tuple_fields)
