"""`mcp`: tools for language models and other programs."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import dlx_numba as dlx
from dlx_numba.cli.tools import Tools
from dlx_numba.verify_certificate import HEADER
from tests.helpers import ROOT
from tests.helpers.hosts import in_threads
from tests.helpers.oracles import multiple_covers, random_general_problem
from tests.helpers.processes import NONE, SEVERAL, SOLVED, UNIQUE, start, wait_for_handlers
from tests.helpers.seeds import seeds

pytestmark = pytest.mark.compiled

QUEENS = dlx.example("queens", n=8).cover().write(kind="json")
ENDLESS = dlx.example("queens", n=24).cover().write(kind="json")
TRIANGLE = {"options": [["a", "b"], ["b", "c"], ["c", "a"]]}
PLANS = {"options": [["a"], ["a", "b"], ["b"], ["b", "c"], ["c"]], "costs": [1, 5, 2, 9, 3]}


def ask(tool, tools=None, **arguments):
    """Return the result of a tool, without a server."""
    tools = tools or Tools(100, 1 << 20, 1)
    text, result = tools.call(tool, tools.find_stored(tool, arguments), threading.Event())
    assert json.loads(text) == result
    return result


def test_covers_are_those_of_the_library():
    cover = dlx.ExactCover(**PLANS)
    found = ask("first", problem=PLANS, number=9)
    assert [each["options"] for each in found["covers"]] == cover.solve()
    assert (found["status"], found["is_complete"]) == ("FOUND", True)
    cheapest = ask("cheapest", problem=PLANS, number=2)
    costs = [(each["cost"], each["options"]) for each in cheapest["covers"]]
    assert costs == [(each.cost, each) for each in cover.cheapest(2)]
    few = ask("cheapest", problem=PLANS, minimize="options")
    assert [len(each["options"]) for each in few["covers"]] == [2]
    assert ask("count", problem=PLANS) == {"status": "FOUND", "count": "3", "is_complete": True}
    limited = {"status": "FOUND", "count": "2", "is_complete": False}
    assert ask("count", problem=PLANS, limit=2) == limited
    assert ask("count", problem=PLANS, given=[1])["count"] == "1"


@pytest.mark.parametrize("seed", [*seeds(200)])
def test_results_are_complete_and_certificates_verified(seed):
    options, bounds, secondary = random_general_problem(seed)
    cover = dlx.ExactCover(options, [*bounds], secondary, multiplicity=bounds)
    stated = json.loads(cover.write(kind="json"))
    n_covers = len([*multiple_covers(options, bounds)])
    first, count = ask("first", problem=stated), ask("count", problem=stated)
    assert first["status"] == count["status"] == ("FOUND" if n_covers else "NO_COVER")
    if n_covers:
        assert count["count"] == str(n_covers)
        [cover] = first["covers"]
        assert ask("verify", problem=stated, cover=cover["options"])["status"] == "VALID"
    else:
        assert first["reason"]["text"]
        certificate = first["certificate"]
        assert ask("verify", problem=stated, certificate=certificate)["text"] == "no cover"


@pytest.mark.parametrize(
    "proof", ["prices 5\n0\ncovers 2\n", "tree\n$\ncovers 2\n", "tree\n0\ncovers 1\n"]
)
def test_certificates_that_prove_nothing_are_invalid(proof):
    proof = f"{HEADER}\ngiven\nforbidden\n{proof}"
    problem = {"options": [["a"], ["a"]], "costs": [10, 10]}
    assert ask("verify", problem=problem, certificate=proof)["status"] == "INVALID"


def test_a_certificate_says_nothing_about_totals():
    problem = {"options": [["a"], ["a"]], "totals": {"t": [[1, 2], 3, 3]}}
    proof = f"{HEADER}\ngiven\nforbidden\ntree\n0\ncovers 2\n"
    with pytest.raises(ValueError, match="does not support totals"):
        ask("verify", problem=problem, certificate=proof)


def test_covers_without_room_are_not_forgotten(monkeypatch):
    monkeypatch.setattr("dlx_numba.cli.tools.MAX_ENTRIES", 4)
    assert ask("first", problem=PLANS, number=9)["is_complete"] is False
    assert ask("cheapest", problem=PLANS, number=2)["bound"] is None
    monkeypatch.setattr("dlx_numba.cli.tools.MAX_ENTRIES", 7)
    assert ask("first", problem=PLANS, number=9)["is_complete"] is True
    assert ask("cheapest", problem=PLANS, number=2)["bound"] == 8


@pytest.mark.parametrize(
    ("problem", "forbidden"),
    [
        ({"options": {"a": ["x"]}, "at_most": {"x": 1}}, ["a"]),
        ({"options": {"": [""], "0": ["0"]}, "at_most": {"": 1, "0": 1}}, ["", "0"]),
        ({"options": {}}, []),
    ],
)
def test_an_empty_cover_is_a_cover(problem, forbidden):
    asked = {"problem": problem, "forbidden": forbidden}
    for tool in ("first", "cheapest", "diagnose", "puzzles"):
        found = ask(tool, **asked)
        assert (found["status"], found["covers"][0]["options"]) == ("FOUND", [])
    assert ask("count", **asked)["count"] == "1"
    assert ask("hint", **asked)["cover"] == []
    assert ask("verify", **asked, cover=[])["status"] == "VALID"


def test_what_a_plan_leaves_uncovered_is_listed():
    problem = {"options": {"x": ["a"], "y": ["a"]}, "exactly": {"a": 3}, "penalty": {"a": 4}}
    [found] = ask("cheapest", problem=problem)["covers"]
    assert (found["options"], found["uncovered"], found["cost"]) == ([0, 1], [["a", 1]], 4)
    assert ask("cheapest", problem=problem, minimize="options")["status"] == "FOUND"


def test_reasons_of_problems_and_boards():
    assert ask("diagnose", problem=TRIANGLE)["reason"]["kind"] == "coloring"
    assert ask("diagnose", problem=PLANS)["status"] == "FOUND"
    for tool in ("first", "count", "cheapest", "diagnose"):
        result = ask(tool, problem=f"{NONE}\n")
        assert result["status"] == "NO_COVER"
        assert result["reason"]["text"].startswith("The puzzle has no solution: two 8s in row 1.")
    certificate = ask("diagnose", problem=TRIANGLE)["certificate"]
    cut, other = certificate[:-5], PLANS | {"options": [*PLANS["options"][:-1], ["a", "c"]]}
    assert ask("verify", problem=TRIANGLE, certificate=cut)["status"] == "INVALID"
    assert ask("verify", problem=other, certificate=certificate)["status"] == "INVALID"


@pytest.mark.slow
def test_problems_of_many_items():
    n_items = 100_000
    rows = [[f"i{k}", f"i{k + 1}"] for k in range(n_items - 1)]
    tools = Tools(60, 1 << 26, 1)
    ask("read", tools, problem={"options": rows}, name="chain")
    found = ask("first", tools, problem="chain")
    assert found["covers"][0]["options"] == [*range(0, n_items, 2)]
    assert ask("verify", tools, problem="chain", cover=[*range(0, n_items, 2)])["status"] == "VALID"
    none = ask("first", tools, problem="chain", forbidden=[0])
    assert none["reason"]["kind"] == "statement"
    assert none["certificate_error"] == "the problem is too large for a certificate"


def test_hints():
    problem = {"options": [["a", "b"], ["b", "c"], ["c"], ["a"]]}
    hint = ask("hint", problem=problem, given=[2], number=9)
    assert [step["chosen"] for step in hint["steps"]] == [0]
    assert hint["cover"] == [0, 2]
    [step] = ask("hint", problem="1.....3..4.....2\n")["steps"]
    assert step["text"].startswith(step["name"].capitalize())
    assert ask("hint", problem=f"{UNIQUE}\n")["steps"]  # of cases, since no other rule applies
    assert ask("hint", problem=f"{NONE}\n")["status"] == "NO_COVER"


def test_patterns_that_could_take_forever_are_refused():
    view = {"form": "grid", "title": "", "marks": [[[[0, 0], "a"]], []], "words": [["(a+)+", "a"]]}
    problem = {"options": {"a" * 40 + "b": ["a"], "c": ["b"]}, "view": view}
    for stated in (problem, json.dumps(problem)):
        with pytest.raises(ValueError, match="repeats a group"):
            ask("hint", problem=stated)


def test_puzzles_have_one_solution():
    made = ask("puzzles", problem=QUEENS, number=3, level="only")["covers"]
    counts = [ask("count", problem=QUEENS, given=each["options"])["count"] for each in made]
    assert counts == ["1"] * 3
    [few] = ask("puzzles", problem=PLANS, clues=[0, 3])["covers"]
    assert {*few["options"]} <= {0, 3}
    assert ask("puzzles", problem=f"{NONE}\n")["status"] == "NO_COVER"
    assert ask("puzzles", problem=QUEENS, seconds=0)["status"] == "UNKNOWN"


def test_stored_problems_are_used_by_name():
    tools = Tools(10, 2000, 1)
    read = ask("read", tools, problem="a b | c\na c:x\nb c:x\nb c:y\na b\n", name="p")
    assert (read["n_options"], read["n_items"]) == (4, 3)
    with pytest.raises(ValueError, match="unknown item 'z'"):  # the first one stays
        ask("read", tools, problem="a b | c\na\nb\nb z\n", name="p")
    assert ask("count", tools, problem="p")["count"] == "2"
    assert ask("count", tools, problem="p", forbidden=[3])["count"] == "1"
    ask("read", tools, problem=f"{UNIQUE}\nx\n{SEVERAL}\n", name="boards")
    assert ask("count", tools, problem="boards", puzzle=3, limit=2)["count"] == "2"
    with pytest.raises(ValueError, match="problem:2: not a board"):
        ask("first", tools, problem="boards", puzzle=2)
    with pytest.raises(ValueError, match="stored problems may take 2,000 bytes"):
        ask("read", tools, problem="a\n" * 1000, name="large")
    assert ask("read", tools, problem="", name="p") == {"status": "DONE"}
    for name in ("p", "my roster", "a-b"):  # which are no texts of problems
        with pytest.raises(ValueError, match=f"there is no stored problem '{name}'"):
            ask("count", tools, problem=name)
    assert ask("count", tools, problem='{"options": [["a"]]}')["count"] == "1"
    with pytest.raises(ValueError, match="limit must be at least 1"):
        ask("count", tools, problem=PLANS, limit=0)


def test_a_stored_problem_that_is_removed_is_still_used_by_earlier_calls():
    tools = Tools(100, 2000, 1)

    def use(k):
        ask("read", tools, problem="a b\n" + "a\n" * k + "b\n", name=f"p{k}")
        earlier = tools.find_stored("count", {"problem": f"p{k}"})
        ask("read", tools, problem="", name=f"p{k}")
        return tools.call("count", earlier, threading.Event())[1].get("count")

    assert in_threads(6, use) == [None, *map(str, range(1, 6))]
    assert tools.stored == {}


def test_what_is_known_at_a_limit():
    bound = ask("count", problem=ENDLESS, seconds=0.1)
    assert (bound["status"], int(bound["at_least"]) >= 0) == ("UNKNOWN", True)
    for tool, number in (("first", 9999), ("cheapest", 9999)):
        result = ask(tool, problem=ENDLESS, number=number, seconds=0.001)
        assert (result["status"], result["message"][:7]) == ("UNKNOWN", "stopped")
    assert ask("first", problem=TRIANGLE, seconds=0)["status"] == "UNKNOWN"
    board = ask("sudoku", boards=["." * 256], task="candidates", seconds=0)
    assert board["status"] == "UNKNOWN"
    assert ask("sudoku", task="generate", number=9999, seconds=0.1)["status"] == "UNKNOWN"


def test_sudokus():
    unique, several, bad = ask("sudoku", boards=[UNIQUE, SEVERAL, "x"])["boards"]
    assert (unique["solution"], unique["status"]) == (SOLVED, "unique")
    assert (several["status"], bad["status"]) == ("multiple", "unreadable")
    assert bad["error"] == "expected 81 symbols, found 1"
    expert, invalid, _ = ask("sudoku", task="rate", boards=[UNIQUE, SEVERAL, "x"])["boards"]
    assert (expert["difficulty"], invalid["difficulty"]) == ("expert", "invalid")
    generated = ask("sudoku", task="generate", number=2, seed=5, difficulty="easy")["boards"]
    expected = dlx.generate(2, seed=5, difficulty="easy").strings()
    assert [board["puzzle"] for board in generated] == expected
    [board] = ask("sudoku", task="candidates", boards=["1.....3..4......"])["boards"]
    assert board["candidates"][2] == [2, 4]
    [board] = ask("sudoku", task="rate", boards=[UNIQUE], rules="diagonals")["boards"]
    assert board["difficulty"] == "invalid"
    [board] = ask("sudoku", boards=["1........4......"], rules="diagonals")["boards"]
    assert board["status"] == "multiple"


@pytest.mark.parametrize(
    ("tool", "arguments", "reason"),
    [
        ("sudoku", {"task": "generate", "boards": [UNIQUE]}, "others have boards"),
        ("sudoku", {"boards": [UNIQUE], "difficulty": "easy"}, "a difficulty"),
        ("sudoku", {"boards": [UNIQUE], "task": "candidates", "seed": 1}, "a seed"),
        ("verify", {"problem": PLANS, "cover": [0, 2, 4], "certificate": HEADER}, "combined"),
    ],
)
def test_arguments_without_effect_are_errors(tool, arguments, reason):
    with pytest.raises(ValueError, match=reason):
        ask(tool, **arguments)


GREETING = (
    {
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    },
    {"method": "notifications/initialized"},
)
NESTED = '{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"arguments": {"problem": '
NO_REQUESTS = {  # with the id and the code of the error
    '{"jsonrpc": "2.0", "id": 3, "method":': (3, -32700),
    "count": (None, -32700),
    '"count"': (None, -32600),
    "[]": (None, -32600),
    '{"id": "a", "method": "tools/list"}': ("a", -32600),
    '{"jsonrpc": "2.0", "id": null, "method": "tools/list"}': (None, -32600),
    '{"jsonrpc": "2.0", "id": 1.5, "method": "tools/list"}': (None, -32600),
    '{"jsonrpc": "2.0", "id": 4, "method": "tools/call", "params": 5}': (4, -32600),
    '{"method": "tools/call", "params": {"id": 5}, "id": 7}': (None, -32600),
    NESTED + "[" * 5000 + "]" * 5000 + "}}}": (7, -32700),
    NESTED + '{"a": ' * 5000 + "1" + "}" * 5003: (7, -32700),
}


@pytest.mark.processes
def test_messages_that_are_no_requests_get_an_error():
    pytest.importorskip("mcp")
    process = start("mcp", stdin=subprocess.PIPE)
    try:
        for message in GREETING:
            process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        process.stdin.write("\n" + "".join(f"{line}\n" for line in NO_REQUESTS))
        process.stdin.flush()
        answers = [json.loads(process.stdout.readline()) for _ in range(1 + len(NO_REQUESTS))]
        errors = [
            (answer["id"], answer["error"]["code"]) for answer in answers if answer["id"] != 1
        ]
        assert errors == list(NO_REQUESTS.values())
    finally:
        process.kill()
        process.communicate()


def converse(conversation, *options):
    """Return what a conversation with a server returns: a coroutine function of a client."""
    mcp = pytest.importorskip("mcp")

    async def run():
        words = ["-m", "dlx_numba", "mcp", *map(str, options)]
        server = mcp.StdioServerParameters(command=sys.executable, args=words, cwd=ROOT)
        async with mcp.Client(mcp.stdio_client(server)) as client:
            return await conversation(client)

    return asyncio.run(run())


@pytest.mark.processes
def test_a_server_answers_a_client():
    async def conversation(client):
        tools = (await client.list_tools()).tools
        assert all(tool.description and tool.output_schema for tool in tools)

        async def error(tool, **arguments):
            result = await client.call_tool(tool, arguments)
            assert result.is_error
            return result.content[0].text

        assert await error("fly") == (
            "fly: there is no such tool; there are " + ", ".join(tool.name for tool in tools)
        )
        assert await error("first") == "first: problem: Field required"
        assert "extra: Extra inputs" in await error("first", problem=QUEENS, extra=1)
        assert "number: Input should be a valid integer" in await error(
            "first", problem=QUEENS, number="x"
        )
        assert "nested too deeply" in await error("first", problem='{"options": ' + "[" * 10_000)
        assert "number must be from 1 to" in await error("first", problem=QUEENS, number=10**9)
        assert await error("verify", problem=QUEENS) == (
            "verify: cover is missing: the problem has no answer"
        )
        assert "seconds must be 0 or more" in await error("first", problem=QUEENS, seconds=-1)
        with pytest.raises(Exception, match="the message has more than 20,000 bytes"):
            await error("first", problem="x" * 30_000)
        first = await client.call_tool("first", {"problem": QUEENS})
        begin = time.monotonic()
        for _ in range(10):
            await client.call_tool("count", {"problem": TRIANGLE})
        return first.structured_content, (time.monotonic() - begin) / 10

    first, seconds = converse(conversation, "--max-input", 20_000)
    assert first["covers"][0]["options"] == dlx.example("queens", n=8).cover().first()
    assert seconds < 60


@pytest.mark.slow
@pytest.mark.processes
def test_calls_run_at_the_same_time_and_are_canceled():
    async def conversation(client):
        await client.call_tool("read", {"problem": ENDLESS, "name": "endless"})
        endless = {"problem": "endless"}
        calls = [asyncio.create_task(client.call_tool("count", endless)) for _ in range(2)]
        small = await client.call_tool("count", {"problem": PLANS})  # while the others run
        for call in calls:
            call.cancel()
        _ = await asyncio.gather(*calls, return_exceptions=True)
        calls = [client.call_tool("count", {"problem": PLANS}) for _ in range(20)]
        counts = [each.structured_content["count"] for each in await asyncio.gather(*calls)]
        return small.structured_content["count"], counts

    assert converse(conversation, "--requests", 3, "--seconds", 1000) == ("3", ["3"] * 20)


@pytest.mark.processes
@pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
@pytest.mark.parametrize("ending", ["input", signal.SIGTERM, *[signal.SIGINT] * 6])
def test_the_server_ends_with_its_input_or_at_a_signal(ending):
    pytest.importorskip("mcp")
    process = start("mcp", stdin=subprocess.PIPE)
    try:
        wait_for_handlers(process)
        messages = [
            *GREETING,
            *(
                {
                    "id": k,
                    "method": "tools/call",
                    "params": {"name": "count", "arguments": {"problem": problem}},
                }
                for k, problem in ((2, ENDLESS), (3, PLANS))
            ),
        ]
        for message in messages:
            line = json.dumps({"jsonrpc": "2.0", **message})
            process.stdin.write(f"{line}\n")
        process.stdin.flush()
        answers = [json.loads(process.stdout.readline()) for _ in range(2)]
        assert [answer["id"] for answer in answers] == [1, 3]
        about = answers[0]["result"]
        assert about["serverInfo"]["version"] == dlx.__version__
        assert "read the status" in about["instructions"]
        if ending == "input":
            process.stdin.close()
        else:
            process.send_signal(ending)
        assert process.wait(60) == 0
    finally:
        process.kill()
        process.stdin = None if ending == "input" else process.stdin
        process.communicate()
