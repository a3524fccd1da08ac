"""Campaigns for readers and writers: damaged files, and files that are written and read again."""

import csv
import gzip
import io
import json
import random
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import numpy as np

from dlx_numba.cli.terminal import DESCRIBED
from dlx_numba.cover.named_problem import named_problem
from dlx_numba.explain.problem_view import ProblemView, view_search
from dlx_numba.runtime.choices import BOARD_STYLES, CLASSES, RATING_STYLES
from dlx_numba.runtime.errors import UnreadableError
from dlx_numba.sudoku.box import Box
from dlx_numba.sudoku.io.board import format_board
from dlx_numba.sudoku.io.read import read_records
from dlx_numba.sudoku.io.symbols import Alphabet
from dlx_numba.sudoku.io.write import STATUSES, Writer
from tests.helpers.boards import AllRecords, read
from tests.helpers.oracles import random_board, random_solution
from tests.helpers.problems import oddly_named_problem, stated_problem
from tests.helpers.processes import invoke_with_status

from .boards import ALPHABETS, BOXES
from .checks import check, check_equal
from .mutations import Sample, mutate, samples

STATUSES_ALLOWED = {0, 1, 2, 3, 4}

COVER_COMMANDS = ("cover", "count", "sample", "cheapest", "estimate")


def damaged_sample(rng: random.Random, max_mutations: int = 4) -> Sample:
    sample = rng.choice(samples())
    return sample._replace(content=mutate(sample.content, rng, max_mutations))


def random_command(rng: random.Random, sample: Sample, path: Path) -> list[str]:
    """Return a command that reads the file, with random options that make it end soon."""
    command = rng.choice(["solve", "rate", *COVER_COMMANDS, "show", "show", "explain"])
    if rng.random() < 0.7 and command in ("solve", *COVER_COMMANDS):
        command = rng.choice(COVER_COMMANDS) if sample.is_problem else "solve"
    options: list[list[str]] = []
    if command == "solve":
        options = [
            ["--format", rng.choice(BOARD_STYLES)],
            rng.choice([["--check"], ["--limit", str(rng.randint(1, 9))]]),
            ["--strict"],
            ["--quiet"],
            ["--box", rng.choice(["2x2", "3x3", "4x4", "5x1"])],
            ["--alphabet", rng.choice(["1-9A-G", "0-9A-F", "A-P"])],
            ["--jobs", "2"],
            ["--all", "--limit", str(rng.randint(1, 9))],
        ]
        always = ["--seconds", "1"]
    elif command == "rate":
        options = [
            ["--format", rng.choice(RATING_STYLES)],
            ["--difficulty", rng.choice(CLASSES)],
            ["--strict"],
            ["--quiet"],
            ["--threads", "2"],
        ]
        always = ["--seconds", "1"]
    elif command in COVER_COMMANDS:
        options = [
            ["--presolve"],
            ["--choose", rng.choice(["smallest", "leftmost", "random", "sharp", "a,b", "mon,0"])],
            ["--given", str(rng.randint(-1, 9))],
            ["--forbidden", str(rng.randint(-1, 9))],
            ["--one-based"],
        ]
        if command in ("cover", "count"):
            options += [["--limit", str(rng.randint(1, 100))], ["--threads", "2"]]
        if command == "count":
            options.append(["--frequencies"])
        if command in ("sample", "cheapest"):
            options.append(["--number", str(rng.randint(1, 9))])
        if command != "estimate":
            options.append(["--format", rng.choice(["numbers", "names", "json"])])
        always = ["--seconds", "0.1"]
    else:
        options = [
            ["--kind", rng.choice(["sudoku", "cover"])],
            ["--puzzle", str(rng.randint(1, 5))],
            ["--box", rng.choice(["2x2", "4x4"])],
            ["--one-based"],
        ]
        if command == "show":
            options += [["--matrix"], ["--full"], ["--svg", rng.choice(["-", str(path) + ".svg"])]]
            options += [["--format", "csv"], ["--output", str(path) + ".out"]]
            always = []
        else:
            options += [["--limit", "2"], ["--choose", "leftmost"]]
            options += [["--format", rng.choice(["html", "text", "csv"])]]
            always = ["--steps", str(rng.randint(1, 40)), "-o", str(path) + ".html"]
    chosen = [word for option in options if rng.random() < 0.2 for word in option]
    return [command, *always, *chosen, str(path)]


def check_messages(command: list[str], path: Path, status: int | None, err: str) -> None:
    """Check the exit status, and that errors are reported in one line that names the file."""
    problem = f"{command}: status {status}, standard error:\n{err[-2000:]}"
    check(status in STATUSES_ALLOWED, problem)
    check("Traceback" not in err, problem)
    if status == 2 and "--quiet" not in command and "--strict" not in command:
        # Usage errors name an option instead.
        errors = [line for line in err.splitlines() if path.name in line or "--" in line]
        check(errors or "Usage:" in err, problem)


def read_damaged_files(rng: random.Random, folder: Path) -> None:
    """Read a damaged file of any format with any command."""
    sample = damaged_sample(rng)
    path = folder / sample.name
    path.write_bytes(sample.content)
    command = random_command(rng, sample, path)
    (folder / "command.txt").write_text(" ".join(command))
    out, err, status = invoke_with_status(*command)
    check_messages(command, path, status, err)
    if command[0] == "solve" and status in (0, 1, 4):
        check_solve_output(command, out, err)
    elif command[0] == "show" and "--svg" in command and status == 0:
        target = command[command.index("--svg") + 1]
        ElementTree.fromstring(out if target == "-" else Path(target).read_text("utf-8"))


def check_solve_output(command: list[str], out: str, err: str) -> None:
    """Check that the output contains the records that the summary counts."""
    style = command[command.index("--format") + 1] if "--format" in command else "line"
    summary = re.search(r"^[\d,]+ Sudokus?(?:, ([\d,]+) solutions?)?: (.*) \(", err, re.MULTILINE)
    if summary is None:
        is_other_kind = re.search(r"^[\d,]+ puzzles? read as ", err, re.MULTILINE)
        check("--quiet" in command or is_other_kind, f"no summary: {err}")
        return
    counted = dict.fromkeys(STATUSES, 0)
    status_of = {words: status for status, words in DESCRIBED.items()}
    for part in summary[2].split(", "):
        number, _, name = part.partition(" ")
        if (status := status_of.get(name, name)) in counted:
            counted[status] = int(number.replace(",", ""))
    if "--all" in command:
        if style == "json" and "unfinished" not in err:
            solutions = [json.loads(line)["solution"] for line in out.split("\n")[:-1]]
            stated = summary[1] or "0"  # none if the time limit was reached before the first block
            check_equal("solutions", sum(map(bool, solutions)), int(stated.replace(",", "")))
    elif style in ("csv", "json"):
        if style == "csv":
            limit = csv.field_size_limit(len(out))  # a difficulty can have any length
            found = [row["status"] for row in csv.DictReader(io.StringIO(out))]
            csv.field_size_limit(limit)
        else:
            found = [json.loads(line)["status"] for line in out.split("\n")[:-1]]
        check_equal("statuses", {s: found.count(s) for s in STATUSES}, counted)
    elif style == "line":
        check_equal("number of lines", out.count("\n"), sum(counted.values()))


def read_in_blocks(rng: random.Random, folder: Path) -> None:
    """Read the boards of a damaged file in chunks and blocks of any size, and compare."""
    sample = damaged_sample(rng)
    (folder / sample.name).write_bytes(sample.content)
    sizes = {
        "chunk_boards": rng.choice([1, 2, 7, 100]),
        "block_bytes": rng.choice([1, 2, 10, 81, 82, 1000, 65536]),
    }
    if len(sample.content) > 20_000:
        sizes["block_bytes"] = max(sizes["block_bytes"], 1000)
    (folder / "sizes.txt").write_text(str(sizes))
    results: list[Any] = []
    for options in ({}, sizes):
        try:
            results.append(read(sample.content, **options))
        except UnreadableError:  # if there are several reasons, any of them may be found first
            results.append("unreadable")
    check_equal(f"records with {sizes}", results[1], results[0])


def damaged_lines(rng: random.Random, number: int, box: Any) -> list[str]:
    """Return one-line boards, a third of them with a symbol that is wrong, missing or added."""
    lines = []
    for _ in range(number):
        line = format_board(random_board(box, rng, rng.randint(1, 50)), Alphabet("1-9A-", 9))
        at = rng.randrange(len(line))
        damage = rng.choice(["", "", "", "", "?", "missing", "added", "é"])
        if damage == "missing":
            line = line[:at] + line[at + 1 :]
        elif damage == "added":
            line = line[:at] + "5" + line[at:]
        elif damage:
            line = line[:at] + damage + line[at + 1 :]
        lines.append(line)
    return lines


def show_and_cover(rng: random.Random, folder: Path) -> None:
    """Write a problem as a table with `show`; `cover` finds the same covers.

    It has what remains after the given and forbidden options.
    """
    seed = rng.randrange(2**32)
    cover, form = stated_problem(seed, "sharp")[0], "numbers"
    if rng.random() < 0.5:  # with options that list items in the order of the columns
        cover, form = oddly_named_problem(seed), rng.choice(["numbers", "names", "json"])
    view = view_search(named_problem(cover), "")
    path, shown = folder / "problem.json", folder / "shown.txt"
    path.write_text(cover.write(kind="json"))
    command = ["show", "--full", "-o", str(shown), "--format", "csv", str(path)]
    _, err, status = invoke_with_status(*command)
    if not (view.items and view.numbers):
        check(status == 2 and "cannot be written as a table" in err, err)
        return
    check_equal(f"status of show: {err}", status, 0)
    results = []
    for file, kind in ((path, "json"), (shown, "table")):
        out, err, status = invoke_with_status("cover", "--kind", kind, "-f", form, file)
        check(status in (0, 1), err)
        lines = out.splitlines()
        if file == path and len(view.numbers) < cover.n_options:
            lines = [remaining_cover(line, path, view) for line in lines]
        results.append([status, *sorted(lines)])
    check_equal("covers", results[1], results[0])


def remaining_cover(line: str, path: Path, view: ProblemView) -> str:
    """Return a cover without the given options, by the numbers of the options that remain."""
    costs = json.loads(path.read_text())["costs"]
    numbers, cost = line.split("|")
    chosen = [int(number) for number in numbers.split() if int(number) not in view.original_givens]
    remaining = int(cost) - sum(costs[number] for number in view.original_givens)
    return f"{' '.join(str(view.numbers.index(number)) for number in chosen)} |{remaining}"


def write_and_read_boards(rng: random.Random, folder: Path) -> None:
    """Write results in each style, and read them again."""
    box = rng.choice([*BOXES, Box(6, 6)])
    styles = [] if box.n > 25 else ALPHABETS if box.n > 9 else ALPHABETS[:1]
    alphabet = Alphabet(rng.choice([*styles, "numbers"]), box.n)
    number = rng.randint(1, 12)
    solutions = np.array([random_solution(box, rng) for _ in range(number)])
    boards = solutions.copy()
    boards[np.random.default_rng(rng.randrange(2**32)).random(boards.shape) < rng.random()] = 0
    limit = rng.choice([1, 2, 5])
    counts = np.array([rng.randint(-1, limit) for _ in boards])
    # A complete board after a puzzle that it solves would be read as its solution.
    boards[counts <= 0, :2] = 1
    boards[:, -1] = 0
    text = "".join(format_board(board, alphabet) + "\n" for board in boards).encode()
    (folder / "boards.txt").write_bytes(text)
    arguments = {"box": box, "alphabet": alphabet.name}
    if rng.random() < 0.2:
        text = gzip.compress(text)
    [records] = read_records(io.BytesIO(text), **arguments)
    check_equal("boards", records.boards, boards)
    found_solutions = np.where(counts[:, None] > 0, solutions, 0)
    for style in BOARD_STYLES:
        output = bytes(Writer(style, limit=limit).format(records, found_solutions, counts))
        (folder / f"output.{style}").write_bytes(output)
        if style == "json":
            objects = [json.loads(line) for line in output.decode().splitlines()]
            check_equal("JSON", len(objects), number)
            again = [each["puzzle"].encode() for each in objects]
            check_equal("JSON", again, [format_board(b, alphabet).encode() for b in boards])
            output = json.dumps(objects, indent=rng.choice([None, 0, 4])).encode()
        found = read(output, **arguments)
        check_equal(f"{style}: unreadable", found.bad, [])
        is_table = style in ("csv", "json")
        shown = boards if is_table else np.where(counts[:, None] > 0, solutions, boards)
        expected = [format_board(board, alphabet) for board in shown]
        check_equal(f"{style}: boards", found.boards, expected)
        if is_table:
            texts = [format_board(board, alphabet) for board in solutions]
            known = [text if n > 0 else "" for text, n in zip(texts, counts, strict=True)]
            check_equal(f"{style}: solutions", found.solutions, known)


def read_qqwing_output(rng: random.Random, folder: Path) -> None:
    """Read boards written in each of qqwing's styles, with solutions and statistics."""
    box = BOXES[4]
    nine = Alphabet("1-9A-", 9)
    puzzles, solutions = [], []
    for _ in range(rng.randint(1, 8)):
        solution = random_solution(box, rng)
        puzzle = solution.copy()
        puzzle[rng.sample(range(81), rng.randint(1, 64))] = 0
        puzzles.append(format_board(puzzle, nine))
        solutions.append(format_board(solution, nine))
    style = rng.choice(["one-line", "compact", "readable", "csv"])
    has_solutions, has_statistics = rng.random() < 0.5, rng.random() < 0.5
    text = qqwing_text(rng, style, puzzles, solutions if has_solutions else None, has_statistics)
    text = rng.choice([text, text.replace("\n", "\r\n"), text.replace("\n", "\r")])
    (folder / "qqwing.txt").write_text(text, newline="")
    found: AllRecords = read(text)
    check_equal("unreadable", found.bad, [])
    check_equal("boards", found.boards, puzzles)
    check_equal("solutions", found.solutions, solutions if has_solutions else [""] * len(puzzles))
    if has_statistics:
        check_equal("difficulties", set(found.difficulties), {"Expert"})


def qqwing_text(
    rng: random.Random,
    style: str,
    puzzles: list[str],
    solutions: list[str] | None,
    has_statistics: bool,
) -> str:
    """Return boards in a style of qqwing."""
    statistics = {"Number of Givens": 25, "Number of Guesses": rng.randint(0, 9)}
    if style == "csv":
        columns = ["Puzzle", *["Solution"] * (solutions is not None)]
        columns += ["Givens", "Guesses", "Difficulty"] * has_statistics
        lines = [",".join(columns) + ","]
        for k, puzzle in enumerate(puzzles):
            row = [puzzle, *([] if solutions is None else [solutions[k]])]
            row += [*map(str, statistics.values()), "Expert"] * has_statistics
            lines.append(",".join(row) + ",")
        return "\n".join(lines) + "\n"
    parts = []
    for k, puzzle in enumerate(puzzles):
        blocks = [puzzle, *([] if solutions is None else [solutions[k]])]
        separator = "\n" if style == "one-line" else "\n\n"
        text = separator.join(drawn(block, style) for block in blocks) + separator
        if has_statistics:
            text += "".join(f"{key}: {value}\n" for key, value in statistics.items())
            text += "Difficulty: Expert\n"
        parts.append(text)
    return "".join(parts)


def drawn(board: str, style: str) -> str:
    """Return a board in one line, in nine lines, or in nine lines with rules."""
    if style == "one-line":
        return board
    rows = [board[start : start + 9] for start in range(0, 81, 9)]
    if style == "compact":
        return "\n".join(rows)
    rows = [" |".join("".join(f" {c}" for c in row[k : k + 3]) for k in (0, 3, 6)) for row in rows]
    rule = "\n-------|-------|-------\n"
    return rule.join("\n".join(rows[k : k + 3]) for k in (0, 3, 6))
