"""Draw the pictures of a terminal and of a page of `explain` into docs/images/.

    python -m scripts.draw_screens                both
    python -m scripts.draw_screens terminal       without Chromium

terminal.svg shows a count that is interrupted, and `bench`, on a terminal of 80 columns. Its
figures depend on the machine, which should be idle otherwise. explain.png is a screenshot, made by
Chromium.
"""

import argparse
import codecs
import io
import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.text import Text

from dlx_numba import example

FOLDER = Path(__file__).parents[1] / "docs" / "images"
COLUMNS = 80
# The commands, and what is shown when they are interrupted
COUNT = ("count", "queens:n=16", "--checkpoint", "queens.saved")
COMMANDS = {COUNT: r" [3-9]\d\.\d+ %", ("bench",): None}
CURSOR_MOVES = r"\x1b\[\?\d+[hl]|\x1b\[\d*[AK]|\r"
FONT_FACE = r"@font-face \{\{.*?\}\}\s*"  # fonts on a server
DESCRIPTION = """
    <title>dlx_numba on a terminal</title>
    <desc>A count of queens with its progress, which Ctrl-C stops, and the benchmark.</desc>"""
PAGE_SIZE, PAGE_STEP = (1280, 800), 63
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def draw_terminal() -> str:
    """Run the commands, and return what they show as an SVG document."""
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True)
    for command, interrupt_at in COMMANDS.items():
        console.print(f"$ dlx-numba {' '.join(command)}", style="bold", highlight=False)
        for line in visible_lines(run_on_terminal(command, interrupt_at), interrupt_at is not None):
            console.print(Text.from_ansi(line))
    template = re.sub(FONT_FACE, "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
    start = template.index(">") + 1  # of the content
    template = f"{template[:start]}{DESCRIPTION}{template[start:]}"
    return console.export_svg(title="dlx-numba", code_format=template, unique_id="terminal")


def run_on_terminal(command: tuple[str, ...], interrupt_at: str | None) -> str:
    """Run a command on a terminal, interrupt it at a pattern, and return what it shows."""
    terminal, end = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": str(COLUMNS)}
    program = [sys.executable, "-m", "dlx_numba", *command]
    shown = ""
    with (
        tempfile.TemporaryDirectory() as folder,  # for the checkpoint
        subprocess.Popen(program, stdout=end, stderr=end, env=environment, cwd=folder) as process,
    ):
        os.close(end)
        decoder = codecs.getincrementaldecoder("utf-8")()
        while piece := read_piece(terminal):
            shown += decoder.decode(piece)
            if interrupt_at is not None and re.search(interrupt_at, shown):
                process.send_signal(signal.SIGINT)
                interrupt_at = None
    os.close(terminal)
    return shown


def read_piece(terminal: int) -> bytes:
    try:
        return os.read(terminal, 1 << 16)
    except OSError:  # on Linux, the end of the output
        return b""


def visible_lines(shown: str, has_progress: bool) -> list[str]:
    """Return the lines that remain, with or without the last state of the progress display."""
    lines = []
    for line in shown.strip().split("\n"):
        *_, state = [state for state in re.split(CURSOR_MOVES, line) if state] or [""]
        if not re.search("[━─]", state):
            lines.append(state)
        elif has_progress:
            lines.append(f"{state}^C")
    return lines


def screenshot(page: str, path: Path) -> None:
    """Write a screenshot of an HTML page at one of its steps."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        raise SystemExit(f"none of {', '.join(BROWSERS)} is installed")
    with tempfile.TemporaryDirectory() as directory:
        file = Path(directory) / "page.html"
        file.write_text(page, encoding="utf-8")
        subprocess.run(
            [
                *(browser, "--headless", "--no-sandbox", "--hide-scrollbars"),
                "--virtual-time-budget=5000",  # milliseconds, for decompressing the record
                f"--window-size={PAGE_SIZE[0]},{PAGE_SIZE[1]}",
                f"--screenshot={path}",
                f"{file.as_uri()}#step={PAGE_STEP}&condensed",
            ],
            check=True,
            stderr=subprocess.DEVNULL,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name", nargs="?", choices=("terminal", "explain"), help="default: both")
    name = parser.parse_args().name
    if name in (None, "terminal"):
        (FOLDER / "terminal.svg").write_text(draw_terminal(), encoding="utf-8")
    if name in (None, "explain"):
        cover = example("queens", n=6).cover(choose="random", seed=1)
        page = cover.explain(title="Six queens", limit=1)
        screenshot(page.html, FOLDER / "explain.png")


if __name__ == "__main__":
    main()
