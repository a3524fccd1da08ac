"""The WebAssembly module, and Node, in which tests call it."""

import json
import shutil
import subprocess

import pytest

from dlx_numba.jit.compile import uses_libraries
from scripts.build_web import LINKER, build_web, node_command
from tests.helpers.browser import browser as browser
from tests.helpers.browser import phone as phone


@pytest.fixture(scope="session")
def module_folder(tmp_path_factory):
    """Return a folder with `dlx.wasm` and `dlx.js`."""
    if shutil.which(LINKER) is None:
        pytest.skip(f"{LINKER} links the module; Debian's package lld contains it")
    if not uses_libraries():
        pytest.skip("the module consists of compiled kernels")
    folder = tmp_path_factory.mktemp("web")
    build_web(folder)
    (folder / "package.json").write_text('{"type": "module"}')
    return folder


@pytest.fixture(scope="session")
def run_in_node(module_folder):
    """Return a function that runs a script in Node with `dlx` and `input`; it sets `output`."""
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    version = subprocess.run(["node", "--version"], check=True, capture_output=True, text=True)
    if int(version.stdout.strip("v\n").split(".")[0]) < 20:
        pytest.skip("vectors in 64-bit memory need Node 20 or later")

    def run(script, value=None):
        path = module_folder / "script.js"
        path.write_text(
            f"""
            import {{readFileSync}} from "node:fs";
            import {{load}} from "./dlx.js";
            const dlx = await load(readFileSync("dlx.wasm"));
            const input = JSON.parse(readFileSync(0, "utf8"));
            let output = null;
            {script}
            console.log(JSON.stringify(output));
            """
        )
        process = subprocess.run(
            [*node_command(), path.name],
            input=json.dumps(value),
            capture_output=True,
            cwd=module_folder,
            text=True,
            check=False,
        )
        assert process.returncode == 0, process.stderr
        return json.loads(process.stdout)

    return run
