"""Web Workers, in Chromium: the results do not depend on their number."""

from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from tests.web.test_sudoku import PUZZLES

pytestmark = [pytest.mark.processes, pytest.mark.thorough]

# Workers are started for more than 4,096 puzzles.
SCRIPT = """
const [solved, done] = arguments;
(async () => {
  const {load} = await import("./dlx.js"), dlx = await load("dlx.wasm"), output = [];
  const puzzles = Array.from({length: 10000}, (_, k) => solved[k * k % solved.length]);
  const results = [await dlx.solve(puzzles), await dlx.solve(puzzles, {workers: 3})];
  output.push(JSON.stringify(results[0]) === JSON.stringify(results[1]), results[1].counts.length);
  const stop = new AbortController();
  const stopped = dlx.solve(puzzles, {workers: 2, stop: stop.signal}).catch((error) => error.name);
  stop.abort();
  output.push(await stopped);
  puzzles[9000] = puzzles[5000] = "12";
  output.push(await dlx.solve(puzzles, {workers: 2}).catch((error) => error.message));
  done(output);
})().catch((error) => done(error.stack));
"""


def test_workers_solve_as_one_thread_does(browser, module_folder):
    (module_folder / "workers.html").write_text("<!doctype html><link rel=icon href=data:,>")
    handler = partial(SimpleHTTPRequestHandler, directory=module_folder)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        browser.get(f"http://127.0.0.1:{server.server_port}/workers.html")
        browser.set_script_timeout(60)
        found = browser.execute_async_script(SCRIPT, PUZZLES)
        server.shutdown()
    assert found == [True, 10_000, "AbortError", "puzzle 5001: 2 cells instead of 81"]
